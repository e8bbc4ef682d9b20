//! The generic search of the mill games.

use super::{MillEvaluation, weights};
use crate::game::{Engine as _, EngineOptions, EvaluationKind, Evaluator, Searcher};
use crate::morris::{Position, Variant};
use crate::search::{AlphaBeta, Selectivity};

/// In units of the [evaluation](MillEvaluation), tuned by self-play.
const SELECTIVITY: Selectivity =
    Selectivity { futility_margin: 40, futility_depth: 2, reverse_futility_margin: 60, reverse_futility_depth: 3 };

/// Returns the requested evaluation, or the best one if the mill games do not have it.
pub(super) fn evaluation<V: Variant>(options: &EngineOptions) -> MillEvaluation {
    if options.evaluation == EvaluationKind::Simple {
        MillEvaluation::with_weights(weights::SIMPLE)
    } else {
        MillEvaluation::new::<V>()
    }
}

/// Creates the generic search with an evaluation.
pub(super) fn generic_search<V: Variant>(
    evaluator: impl Evaluator<Position<V>> + Clone + 'static,
    options: &EngineOptions,
) -> Box<dyn Searcher<Position<V>>> {
    let search = AlphaBeta::new(evaluator, options.hash_bytes);
    Box::new(if Position::<V>::SELECTIVE { search.selective(SELECTIVITY) } else { search })
}
