//! The searcher of the mill games: the generic search with their evaluation.

use super::Evaluate;
use crate::game::{EngineOptions, LineFormat, Playable, Searcher};
use crate::morris::{self, Position, Variant};
use crate::search::AlphaBeta;

impl<V: Variant> Playable for Position<V> {
    const NAME: &'static str = V::NAME;
    const EXACT_SOLVER: bool = false;

    fn formats() -> &'static [LineFormat<Self>] {
        morris::formats::<V>()
    }

    fn searcher(options: &EngineOptions) -> Box<dyn Searcher<Self>> {
        Box::new(AlphaBeta::new(Evaluate, options.hash_bytes))
    }
}
