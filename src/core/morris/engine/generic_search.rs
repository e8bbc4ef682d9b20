//! The generic search of the mill games.

use std::sync::Arc;

use super::{MillEvaluation, Weights};
use crate::game::{EngineOptions, EvaluationKind, Evaluator, GameData, GameRules as _, Searcher, WrongGameData};
use crate::morris::{Position, Variant};
use crate::search::{AlphaBeta, Selectivity};

/// In units of the [evaluation](MillEvaluation), tuned by self-play.
const SELECTIVITY: Selectivity =
    Selectivity { futility_margin: 40, futility_depth: 2, reverse_futility_margin: 60, reverse_futility_depth: 3 };

/// Returns the requested evaluation, or the best one if the mill games do not have it.
///
/// # Errors
/// [`WrongGameData`] if the weights belong to another game.
pub(super) fn evaluation<V: Variant>(options: &EngineOptions) -> Result<MillEvaluation, WrongGameData> {
    let own = options.weights.as_ref().map(GameData::get::<Weights>).transpose()?;
    if own.as_ref().is_some_and(|weights| !weights.is_for(V::BOARD)) {
        return Err(WrongGameData);
    }
    Ok(if options.evaluation == EvaluationKind::Simple {
        MillEvaluation::with_weights::<V>(Arc::new(Weights::simple(V::BOARD)))
    } else {
        own.map_or_else(MillEvaluation::new::<V>, MillEvaluation::with_weights::<V>)
    })
}

/// Creates the generic search with an evaluation.
pub(super) fn generic_search<V: Variant>(
    evaluator: impl Evaluator<Position<V>> + Clone + 'static,
    options: &EngineOptions,
) -> Box<dyn Searcher<Position<V>>> {
    let search = AlphaBeta::new(evaluator, options.hash_bytes);
    Box::new(if Position::<V>::INFO.selective { search.selective(SELECTIVITY) } else { search })
}
