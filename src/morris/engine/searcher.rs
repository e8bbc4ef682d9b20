//! The searcher of the mill games: the generic search with their evaluation.

use super::Evaluate;
use crate::game::{EngineOptions, LineFormat, Playable, Searcher};
use crate::morris::{self, Position, Variant};
use crate::search::{AlphaBeta, Selectivity};

/// In units of the [evaluation](Evaluate), found by games of the engine against itself.
const SELECTIVITY: Selectivity = Selectivity { quiet_gain: 40, futile_depth: 2, safe_loss: 60, safe_depth: 3 };

impl<V: Variant> Playable for Position<V> {
    const NAME: &'static str = V::NAME;
    const EXACT_SOLVER: bool = false;
    /// Where a mill wins, games are so short that all of it can be searched.
    const SELECTIVE: bool = V::RULES.captures();

    fn formats() -> &'static [LineFormat<Self>] {
        morris::formats::<V>()
    }

    fn searcher(options: &EngineOptions) -> Box<dyn Searcher<Self>> {
        let searcher = AlphaBeta::new(Evaluate::new::<V>(), options.hash_bytes);
        Box::new(if Self::SELECTIVE { searcher.selective(SELECTIVITY) } else { searcher })
    }
}
