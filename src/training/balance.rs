//! Balances the weights of plies with an odd and with an even number of empty squares.
//!
//! The scores of games in which both sides err do not show how much the last move is worth to a side that knows how to get it. Weights fitted to
//! them estimate positions with an odd number of empty squares too low for the side to move, by about two discs, so that searches of even and
//! of odd depth disagree. [`measure`] compares searches whose leaves have an odd number of empty squares with those of one ply less and one ply
//! more, and [`apply`] shifts the weights of each such ply by the mean difference. Estimates at one ply keep their order.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::ErrorStatistics;
use super::fit::WEIGHT_STEP;
use crate::game::{Cancel, Confidence, Limits};
use crate::othello::Board;
use crate::othello::engine::network::NetworkParameters;
use crate::othello::engine::patterns::{PLIES, ShapeClasses, ShapeSet, UNIT, Weights};
use crate::othello::engine::{Iteration, Solver, TrainedEvaluation};

/// The depth of the searches whose leaves are measured, in plies.
const DEPTH: usize = 5;

/// The numbers of empty squares of the positions to search.
pub const EMPTIES: RangeInclusive<u32> = 10..=60;

/// The size of the transposition table of each thread, in bytes.
const HASH_BYTES: usize = 4 << 20;

/// Searches positions to three depths, and returns the errors of evaluations of positions with an odd number of empty squares: for each such number,
/// in ascending order, the score of a search whose leaves have it minus the mean of the scores of one ply less and one ply more, for the side
/// to move at the leaves. Positions with an odd number of empty squares are ignored. Calls `on_position` with the number of finished positions.
/// Returns `None` if cancelled. The result does not depend on the number of threads.
pub fn measure(
    evaluation: &Arc<TrainedEvaluation>,
    boards: &[Board],
    cancel: &Cancel,
    on_position: &(dyn Fn(usize) + Sync),
) -> Option<Vec<(u32, ErrorStatistics)>> {
    let done = AtomicUsize::new(0);
    let solver = || Solver::with_evaluation(HASH_BYTES, Arc::clone(evaluation));
    let errors = boards.par_iter().map_init(solver, |solver, &board| {
        let empties = board.empty_count();
        let error = if empties % 2 == 0 && board.moves() != 0 { error(solver, board, cancel)? } else { None };
        on_position(done.fetch_add(1, Ordering::Relaxed) + 1);
        Some(error.map(|error| (empties - DEPTH as u32, error)))
    });
    let errors: Option<Vec<Option<(u32, f64)>>> = errors.collect();
    let mut of_empties = vec![ErrorStatistics::default(); PLIES];
    errors?.into_iter().flatten().for_each(|(empties, error)| of_empties[empties as usize].add(error));
    Some((0..).zip(of_empties).filter(|(_, errors)| errors.count() > 0).collect())
}

/// Returns the error at the leaves of a search; the inner `None` if the game ends before.
fn error(solver: &mut Solver, board: Board, cancel: &Cancel) -> Option<Option<f64>> {
    let drafts: Vec<_> = (1..=DEPTH as u32 + 1).map(|depth| (depth, Confidence::FULL)).collect();
    let mut scores = Vec::new();
    solver.clear();
    let mut on_iteration = |iteration: &Iteration| scores.push(f64::from(iteration.lines[0].score));
    solver.search(board, &drafts, &Limits::default(), cancel, &mut on_iteration);
    if cancel.is_cancelled() {
        return None;
    }
    let error = |scores: &[f64]| scores[DEPTH - 1] - (scores[DEPTH - 2] + scores[DEPTH]) / 2.0;
    // After an odd number of plies, the opponent is to move.
    Some((scores.len() == DEPTH + 1).then(|| -error(&scores)))
}

/// Shifts the weights so that the mean of the measured errors becomes 0. Odd numbers of empty squares without measurement are shifted like the
/// nearest one.
pub fn apply<const LANES: usize>(
    weights: &mut Weights,
    set: &'static ShapeSet<LANES>,
    errors: &[(u32, ErrorStatistics)],
) {
    // Every position has a class of each shape on each of its lanes. The smallest shape has the fewest weights to shift.
    let shape = (0..set.shapes().len()).min_by_key(|&shape| set.shapes()[shape].squares.count_ones());
    let shape = shape.expect("a set has shapes");
    let lanes = set.placements().iter().filter(|lane| lane.shape == shape).count() as f64;
    let mut classes: Vec<u32> = ShapeClasses::of_set(set).of_shape(shape).map(|(_, class)| class).collect();
    classes.sort_unstable();
    classes.dedup();
    for (empties, bias) in biases(errors) {
        let steps = (bias * f64::from(UNIT / WEIGHT_STEP) / lanes).round();
        let shift = -(steps as i16) * WEIGHT_STEP as i16;
        let ply = &mut weights.plies[PLIES - 1 - empties as usize];
        classes.iter().for_each(|&class| ply[class as usize] = ply[class as usize].saturating_add(shift));
    }
}

/// Does the same for a network.
pub fn apply_to_network(network: &mut NetworkParameters, errors: &[(u32, ErrorStatistics)]) {
    for (empties, bias) in biases(errors) {
        let offset = &mut network.stages[empties as usize].offset;
        *offset = offset.saturating_sub((bias * f64::from(UNIT)).round() as i16);
    }
}

/// Returns the bias at each odd number of empty squares.
fn biases(errors: &[(u32, ErrorStatistics)]) -> impl Iterator<Item = (u32, f64)> {
    (1..PLIES as u32).step_by(2).filter_map(|empties| {
        let (_, nearest) = errors.iter().min_by_key(|(measured, _)| measured.abs_diff(empties))?;
        Some((empties, nearest.bias()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::random_game;
    use crate::othello::Position;
    use crate::othello::engine::FullEvaluation;
    use crate::othello::engine::patterns::{FULL, PatternEvaluation};

    /// Returns weights that evaluate discs, plus `extra` discs with an odd number of empty squares.
    fn weights(extra: i16) -> Weights {
        let classes = ShapeClasses::of_set(&FULL);
        let mut weights = Weights::zero(classes.count());
        for (ply, weights) in weights.plies.iter_mut().enumerate() {
            // Configurations of the corner shape, on four lanes.
            for (configuration, class) in classes.of_shape(0) {
                let corner = configuration.signum() * UNIT as i16 / 8;
                weights[class as usize] = corner + if ply % 2 == 1 { extra * UNIT as i16 / 4 } else { 0 };
            }
        }
        weights
    }

    fn measured(weights: &Weights) -> Vec<(u32, ErrorStatistics)> {
        let order = Weights::zero(ShapeClasses::of_set(&crate::othello::engine::patterns::ORDER).count());
        let model = &crate::othello::engine::probcut::ProbCutModel::BUILT_IN;
        let full = FullEvaluation::Patterns(PatternEvaluation::new(&FULL, weights.clone()));
        let evaluation = Arc::new(TrainedEvaluation::new(full, order, model));
        let plies = |seed| 22 + 2 * (seed % 10) as usize;
        let boards: Vec<Board> =
            (0..60).map(|seed| random_game::<Position>(seed, plies(seed)).position().board()).collect();
        measure(&evaluation, &boards, &Cancel::new(), &|_| ()).unwrap()
    }

    #[test]
    fn balanced_weights_agree_at_even_and_odd_depth() {
        let bias = |errors: &[(u32, ErrorStatistics)]| {
            let all = errors.iter().fold(ErrorStatistics::default(), |all, (_, errors)| all.merge(*errors));
            all.bias().unwrap()
        };
        let (plain, shifted) = (measured(&weights(0)), measured(&weights(3)));
        assert_eq!(plain.iter().map(|row| row.0).collect::<Vec<_>>(), (15..=33).step_by(2).collect::<Vec<_>>());
        // The same trees with leaves that are three discs better for the side to move.
        let gain = bias(&shifted) - bias(&plain);
        assert!((gain - 3.0).abs() < 0.3, "{gain}");
        let mut balanced = weights(3);
        apply(&mut balanced, &FULL, &shifted);
        let rest = bias(&measured(&balanced));
        assert!(rest.abs() < 0.3 && rest.abs() < bias(&shifted).abs(), "{rest}");
        let before = weights(3);
        // Even numbers of empty squares keep their weights, odd ones without measurement get the shift of the nearest.
        assert!((0..PLIES).step_by(2).all(|ply| balanced.plies[ply] == before.plies[ply]));
        let shift = |ply: usize| {
            let pairs = balanced.plies[ply].iter().zip(&before.plies[ply]);
            pairs.map(|(after, before)| after - before).find(|&shift| shift != 0).expect("the ply is shifted")
        };
        assert_eq!(shift(1), shift(60 - 33));
        assert_eq!(shift(59), shift(60 - 15));
        assert!(shift(59) < 0);
    }

    #[test]
    fn a_cancelled_measurement_has_no_result() {
        let cancel = Cancel::new();
        cancel.cancel();
        let boards = [random_game::<Position>(1, 30).position().board()];
        assert!(measure(&TrainedEvaluation::built_in(), &boards, &cancel, &|_| ()).is_none());
    }
}
