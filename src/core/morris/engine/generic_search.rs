//! The generic search of the mill games.

use std::sync::Arc;

use super::{MillEvaluation, Weights, weights};
use crate::game::{EngineOptions, EvaluationKind, Evaluator, GameData, GameRules as _, Searcher, WrongGameData};
use crate::morris::{Board, Position, Rules, Variant};
use crate::search::{AlphaBeta, Selectivity};

/// In units of the [evaluation](MillEvaluation). The values were tuned by self-play.
const SELECTIVITY: Selectivity =
    Selectivity { futility_margin: 40, futility_depth: 2, reverse_futility_margin: 60, reverse_futility_depth: 3 };

/// Returns the requested evaluation, or the best one if the mill games do not support the request.
///
/// # Errors
/// [`WrongGameData`] if the weights belong to another game.
pub(super) fn evaluation(
    board: &Board,
    rules: &Rules,
    options: &EngineOptions,
) -> Result<MillEvaluation, WrongGameData> {
    let own = options.weights.as_ref().map(GameData::get::<Weights>).transpose()?;
    if own.as_ref().is_some_and(|weights| !weights.is_for(board)) {
        return Err(WrongGameData);
    }
    let weights = if options.evaluation == EvaluationKind::Simple {
        Arc::new(Weights::simple(board))
    } else {
        own.unwrap_or_else(|| weights::of(board, rules))
    };
    Ok(MillEvaluation::on(board, weights))
}

/// Creates the generic search with an evaluation.
pub(super) fn generic_search<V: Variant>(
    evaluator: impl Evaluator<Position<V>> + Clone + 'static,
    options: &EngineOptions,
) -> Box<dyn Searcher<Position<V>>> {
    let search = AlphaBeta::new(evaluator, options.hash_bytes);
    Box::new(if Position::<V>::INFO.selective { search.selective(SELECTIVITY) } else { search })
}
