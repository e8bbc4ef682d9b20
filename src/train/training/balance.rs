//! Balances evaluations: makes the mean error 0 at each number of empty squares.
//!
//! In games in which both sides make mistakes, the scores do not show how much the last move is
//! worth to a side that knows how to get it. Search scores inherit such evaluation errors at their
//! leaves. As a result, searches with even and odd depths disagree, and the side that will have the
//! last move is rated too high or too low.
//!
//! [`balance`] compares searches of [`DEPTH`] plies with exact scores near the end. Earlier in the
//! game, it compares them with deep searches, whose leaves have fewer empty squares, where the
//! evaluation is already balanced. The few positions of the first plies are evaluated without a
//! search. Estimates at the same ply keep their order.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use morello_core::game::{Cancel, Confidence, GameRules, Limits};
use morello_core::othello::engine::network::{Network, NetworkParameters};
use morello_core::othello::engine::patterns::{FULL, PLIES, PatternEvaluation, ShapeClasses, UNIT, Weights};
use morello_core::othello::engine::{FullEvaluation, Solver, TrainedEvaluation};
use morello_core::othello::{Board, Position};
use morello_core::sorting;

use super::ErrorStatistics;
use super::boards::measure_boards;
use super::fit::WEIGHT_STEP;

/// The depth of the searches whose leaves are measured, in plies; even, so that the same side is to
/// move.
pub const DEPTH: u32 = 4;

/// The positions to search have these numbers of empty squares.
pub const EMPTIES: RangeInclusive<u32> = 10..=60;

/// Positions with at most this many empty squares are solved.
const EXACT_FROM: u32 = 18;

/// The maximum depth of the other deep searches, and the minimum number of empty squares at their
/// leaves.
const DEEPEST: u32 = 12;
const LEAVES_FROM: u32 = 10;

/// Returns the confidence of the deep searches of a trained evaluation. With a lower one,
/// multi-probcut would rely on evaluations that are not balanced yet; at [`Confidence::FULL`], the
/// searches take twelve times as long.
pub fn deep_confidence() -> Confidence {
    Confidence::from_percent(99).expect("99 % is a confidence")
}

/// The number of empty squares at the start.
const START_EMPTIES: u32 = 60;

/// The mean of fewer errors than this is not meaningful.
const MIN_POSITIONS: u64 = 10;

/// The size of each thread's transposition table, in bytes.
const HASH_BYTES: usize = 8 << 20;

/// Parameters of an evaluation that can be shifted at a number of empty squares.
pub trait Shift {
    /// Returns the evaluation.
    fn evaluation(&self) -> FullEvaluation;

    /// Adds discs to the estimates of all positions with this number of empty squares, for the side
    /// to move.
    fn shift(&mut self, empties: u32, discs: f64);
}

impl Shift for NetworkParameters {
    fn evaluation(&self) -> FullEvaluation {
        FullEvaluation::Network(Network::new(self))
    }

    fn shift(&mut self, empties: u32, discs: f64) {
        let offset = &mut self.stages[empties as usize].offset;
        *offset = offset.saturating_add((discs * f64::from(UNIT)).round() as i16);
    }
}

/// Weights of the shape set [`FULL`].
impl Shift for Weights {
    fn evaluation(&self) -> FullEvaluation {
        FullEvaluation::Patterns(PatternEvaluation::new(&FULL, self.clone()))
    }

    fn shift(&mut self, empties: u32, discs: f64) {
        // Every position has a class of each shape on each of its lanes. The smallest shape has the
        // fewest weights to shift.
        let shape = (0..FULL.shapes().len()).min_by_key(|&shape| FULL.shapes()[shape].squares.count_ones());
        let shape = shape.expect("a set has shapes");
        let lanes = FULL.placements().iter().filter(|lane| lane.shape == shape).count() as f64;
        let mut classes: Vec<u32> = ShapeClasses::of_set(&FULL).of_shape(shape).map(|(_, class)| class).collect();
        sorting::sort_by(&mut classes, &Ord::cmp);
        classes.dedup();
        let shift = (discs * f64::from(UNIT / WEIGHT_STEP) / lanes).round() as i16 * WEIGHT_STEP as i16;
        let ply = &mut self.plies[PLIES - 1 - empties as usize];
        classes.iter().for_each(|&class| ply[class as usize] = ply[class as usize].saturating_add(shift));
    }
}

/// Measures the errors at the leaves of searches from these positions, and shifts the parameters so
/// that the mean error becomes 0. The positions must be ordered by their number of empty squares.
///
/// Returns the errors for each number of empty squares at the leaves, in ascending order. An error
/// is the score of a search minus a more accurate score, for the side to move at the leaves. The
/// last entries are the errors of the estimates in the first plies. If a number of empty squares
/// has too few positions, it is shifted like the next number with the same parity, or else like the
/// last one.
///
/// `deep` is the confidence of the deep searches. An evaluation that is far from those that the
/// margins of multi-probcut were measured with needs [`Confidence::FULL`].
///
/// Calls `on_position` with the number of finished positions. Returns `None` if cancelled; the
/// parameters are then partly shifted. The result does not depend on the number of threads.
pub fn balance(
    parameters: &mut impl Shift,
    boards: &[Board],
    deep: Confidence,
    cancel: &Cancel,
    on_position: &(dyn Fn(usize) + Sync),
) -> Option<Vec<(u32, ErrorStatistics)>> {
    let done = AtomicUsize::new(0);
    let mut rows = Vec::new();
    // By parity: the first number of empty squares that has not been shifted yet, and the last
    // shift.
    let (mut next, mut last) = ([0, 1], [0.0; 2]);
    for boards in boards.chunk_by(|board, other| board.empty_count() == other.empty_count()) {
        let evaluation = Arc::new(TrainedEvaluation::with_full(parameters.evaluation()));
        let solver = || Solver::with_evaluation(HASH_BYTES, Arc::clone(&evaluation));
        let on_position = |_| on_position(done.fetch_add(1, Ordering::Relaxed) + 1);
        let errors =
            measure_boards(boards, &solver, &on_position, &|solver, _, board| error(solver, board, deep, cancel));
        let mut statistics = ErrorStatistics::default();
        errors?.into_iter().flatten().for_each(|error| statistics.add(error));
        let leaves = boards[0].empty_count().saturating_sub(DEPTH);
        let Some(bias) = statistics.bias().filter(|_| statistics.count >= MIN_POSITIONS) else { continue };
        let parity = leaves as usize % 2;
        (next[parity]..=leaves).step_by(2).for_each(|empties| parameters.shift(empties, -bias));
        (next[parity], last[parity]) = (leaves + 2, -bias);
        rows.push((leaves, statistics));
    }
    for (next, shift) in next.into_iter().zip(last) {
        (next..PLIES as u32).step_by(2).for_each(|empties| parameters.shift(empties, shift));
    }
    // Searches do not reach leaves in the first plies.
    for ply in (0..DEPTH).rev() {
        let evaluation = Arc::new(TrainedEvaluation::with_full(parameters.evaluation()));
        let mut solver = Solver::with_evaluation(HASH_BYTES, Arc::clone(&evaluation));
        let mut statistics = ErrorStatistics::default();
        for board in boards_after(ply) {
            let better = search(&mut solver, board, DEEPEST, deep, cancel)?;
            statistics.add(f64::from(evaluation.full.evaluate(board)) / f64::from(UNIT) - f64::from(better));
        }
        let bias = statistics.bias().expect("there are positions after some plies");
        parameters.shift(START_EMPTIES - ply, -bias);
        rows.push((START_EMPTIES - ply, statistics));
    }
    Some(rows)
}

/// Returns all boards after a number of plies, each once up to symmetry. No side must pass in the
/// first plies.
fn boards_after(ply: u32) -> Vec<Board> {
    (0..ply).fold(vec![Board::START], |boards, _| {
        let next = |board: &Board| {
            let board = *board;
            board.moves().iter().filter_map(move |square| board.after(square)).map(canonical)
        };
        let mut next: Vec<Board> = boards.iter().flat_map(next).collect();
        sorting::sort_by(&mut next, &|a, b| a.cmp(b));
        next.dedup();
        next
    })
}

/// Returns the smallest of the symmetric boards.
fn canonical(board: Board) -> Board {
    let symmetric = (0..Position::INFO.symmetries).map(|k| board.transform(k));
    symmetric.min().expect("a board has symmetries")
}

/// Searches a position that has a legal move, and returns the score; `None` if cancelled.
fn search(solver: &mut Solver, board: Board, depth: u32, confidence: Confidence, cancel: &Cancel) -> Option<i32> {
    solver.clear();
    let drafts: Vec<_> = (1..=depth).map(|depth| (depth, confidence)).collect();
    let searched = solver.search(board, &drafts, &Limits::default(), cancel, &mut |_| ());
    (searched.depth == depth).then(|| searched.lines[0].score)
}

/// Returns the error at the leaves of a search; `None` if cancelled. The inner value is `None` if
/// the game ends before the leaves.
fn error(solver: &mut Solver, board: Board, deep: Confidence, cancel: &Cancel) -> Option<Option<f64>> {
    if board.moves().is_empty() {
        return Some(None);
    }
    let empties = board.empty_count();
    let searched = search(solver, board, DEPTH, Confidence::FULL, cancel);
    let better = if empties > EXACT_FROM {
        search(solver, board, DEEPEST.min(empties - LEAVES_FROM), deep, cancel)
    } else {
        solver.solve(board, &Limits::exact(), cancel, &mut |_| ()).score()
    };
    if cancel.is_cancelled() {
        return None;
    }
    Some(searched.zip(better).map(|(searched, better)| f64::from(searched - better)))
}

#[cfg(test)]
mod tests {
    use morello_core::game::random_game;

    use super::*;

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

    fn balanced(weights: &mut Weights, empties: RangeInclusive<u32>) -> Vec<(u32, ErrorStatistics)> {
        let board = |seed, empties| random_game::<Position>(seed, 60 - empties as usize).position().board();
        let mut boards: Vec<Board> = empties
            .flat_map(|empties| (0..30).map(move |seed| board(100 * u64::from(empties) + seed, empties)))
            .collect();
        boards.sort_by_key(|board| board.empty_count());
        balance(weights, &boards, Confidence::FULL, &Cancel::new(), &|_| ()).unwrap()
    }

    /// Returns the shift of an estimate in steps of the weights.
    fn shift_at(empties: usize, before: &Weights, after: &Weights) -> i16 {
        let pairs = after.plies[PLIES - 1 - empties].iter().zip(&before.plies[PLIES - 1 - empties]);
        pairs.map(|(after, before)| after - before).find(|&shift| shift != 0).unwrap_or(0)
    }

    #[test]
    fn removes_the_mean_error_at_each_number_of_empty_squares() {
        let (before, mut after) = (weights(3), weights(3));
        let measured = balanced(&mut after, 12..=20);
        assert_eq!(measured.iter().map(|row| row.0).collect::<Vec<_>>(), (8..=16).chain(57..=60).collect::<Vec<_>>());
        let plain = balanced(&mut weights(0), 12..=20);
        for (&(empties, found), &(_, plain)) in measured.iter().zip(&plain) {
            // The same trees with leaves that are three discs better for the side to move, if
            // compared with exact scores.
            let gain = found.bias().unwrap() - plain.bias().unwrap();
            let expected = if empties % 2 == 1 { 3.0 } else { 0.0 };
            // The deep search of an opening also has unbalanced leaves.
            assert!(empties > 16 || (gain - expected).abs() < 0.5, "{empties}: {gain}");
        }
        let rest = balanced(&mut after.clone(), 12..=20);
        for ((empties, before), (_, rest)) in measured.iter().zip(&rest) {
            let [before, rest] = [before, rest].map(|errors| errors.bias().unwrap().abs());
            assert!(rest < 0.2 + before / 20.0, "{empties}: {rest} after {before}");
        }
        // Numbers of empty squares without a measurement get the shift of the nearest number with
        // the same parity.
        for (empties, nearest) in [(1, 9), (6, 8), (17, 15), (55, 15), (56, 16)] {
            assert_eq!(shift_at(empties, &before, &after), shift_at(nearest, &before, &after), "{empties}");
        }
    }

    #[test]
    fn openings_are_counted_once_up_to_symmetry() {
        // 1, 1, 3, 14, 60: the numbers of positions up to symmetry.
        assert_eq!([0, 1, 2, 3, 4].map(|ply| boards_after(ply).len()), [1, 1, 3, 14, 60]);
    }

    #[test]
    fn a_cancelled_measurement_has_no_result() {
        let cancel = Cancel::new();
        cancel.cancel();
        let boards = [random_game::<Position>(1, 30).position().board()];
        assert!(balance(&mut weights(0), &boards, Confidence::FULL, &cancel, &|_| ()).is_none());
    }
}
