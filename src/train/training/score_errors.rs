//! Measures how far search scores are from exact scores, and fits the [model](ScoreErrorModel) of
//! their errors.
//!
//! Before the end of the game, the logarithm of the root mean square error is linear in a few
//! terms, which are fitted by Fisher scoring as if errors had a normal distribution. They do not,
//! so the share of errors within a bound is also measured. Most searches to the end of the game
//! have no error at all; for these searches, the bound itself is linear and is fitted by quantile
//! regression.
//!
//! Each [`StatedError`] is cross-validated: it comes from a model fitted to the other four fifths
//! of the positions.

use std::ops::RangeInclusive;
use std::sync::Arc;

use morello_core::game::{Cancel, Confidence, Limits};
use morello_core::othello::Board;
use morello_core::othello::engine::score_error::{ErrorFit, MAX_EMPTIES, ScoreErrorModel};
use morello_core::othello::engine::{Iteration, Solver, TrainedEvaluation};
use morello_core::sorting;

use super::boards::measure_boards;
use super::normal_equations::NormalEquations;

/// The size of each thread's transposition table, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// The numbers of empty squares to measure.
pub const EMPTIES: RangeInclusive<u32> = 8..=MAX_EMPTIES;

/// Searches with full confidence are this many plies less deep.
const LESS_DEEP: u32 = 4;

/// The share of scores whose error is within the stated bound.
const SHARE: f64 = 0.95;

/// The number of folds of the cross-validation.
const FOLDS: usize = 5;

/// The minimum residual in the quantile regression, in discs.
const MIN_RESIDUAL: f64 = 0.01;

/// The number of steps of a fit, and the maximum target of a step, since steps far from the optimum
/// are unreliable.
const STEPS: usize = 60;
const MAX_STEP: f64 = 4.0;

/// The error of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreError {
    /// The index of the position.
    pub position: usize,
    /// The number of empty squares of the position.
    pub empties: u32,
    /// The depth of the search.
    pub depth: u32,
    /// The confidence of the search.
    pub confidence: Confidence,
    /// The score minus the exact score, in discs.
    pub discs: i32,
}

impl ScoreError {
    /// Returns whether the search reached the end of the game.
    #[must_use]
    pub fn is_to_the_end(&self) -> bool {
        self.depth >= self.empties
    }
}

/// Searches positions to all depths up to `deepest`, to the end of the game with all levels of
/// confidence, and exactly. Calls `on_position` with the number of finished positions. Returns
/// `None` if cancelled. The result does not depend on the number of threads.
pub fn measure(
    evaluation: &Arc<TrainedEvaluation>,
    boards: &[Board],
    deepest: u32,
    cancel: &Cancel,
    on_position: &(dyn Fn(usize) + Sync),
) -> Option<Vec<ScoreError>> {
    let solver = || Solver::with_evaluation(HASH_BYTES, Arc::clone(evaluation));
    let measured = measure_boards(boards, &solver, on_position, &|solver, position, board| {
        measure_position(solver, position, board, deepest, cancel)
    });
    Some(measured?.concat())
}

fn measure_position(
    solver: &mut Solver,
    position: usize,
    board: Board,
    deepest: u32,
    cancel: &Cancel,
) -> Option<Vec<ScoreError>> {
    let empties = board.empty_count();
    let last = deepest.min(empties - 1);
    let selective = Confidence::all().filter(|&confidence| confidence != Confidence::FULL);
    let selective: Vec<_> = (1..=last)
        .map(|depth| (depth, Confidence::LOWEST))
        .chain(selective.map(|confidence| (empties, confidence)))
        .collect();
    let full: Vec<_> = (1..=last.saturating_sub(LESS_DEEP)).map(|depth| (depth, Confidence::FULL)).collect();
    let mut scores = Vec::new();
    for drafts in [selective, full] {
        // The table entries of one search must not help the next.
        solver.clear();
        let mut on_iteration = |iteration: &Iteration| {
            scores.push((iteration.depth, iteration.confidence, iteration.lines[0].score));
        };
        solver.search(board, &drafts, &Limits::default(), cancel, &mut on_iteration);
    }
    let exact = solver.solve(board, &Limits::exact(), cancel, &mut |_| ()).score();
    let exact = exact.filter(|_| !cancel.is_cancelled())?;
    let error = |(depth, confidence, score)| ScoreError { position, empties, depth, confidence, discs: score - exact };
    Some(scores.into_iter().map(error).collect())
}

/// Fits a model to errors; `None` if the errors are too few or too similar.
#[must_use]
pub fn fit_model(errors: &[ScoreError]) -> Option<ScoreErrorModel> {
    fit_where(errors, |_| true)
}

/// Fits a model to the errors of the positions that `includes` selects by index.
fn fit_where(errors: &[ScoreError], includes: impl Fn(usize) -> bool) -> Option<ScoreErrorModel> {
    let selected: Vec<_> = errors.iter().filter(|error| includes(error.position)).collect();
    let of_kind = |to_the_end| selected.iter().filter(move |error| error.is_to_the_end() == to_the_end);
    let before_end = of_kind(false)
        .map(|error| (ScoreErrorModel::terms_before_end(error.empties, error.depth, error.confidence), error.discs));
    let to_end =
        of_kind(true).map(|error| (ScoreErrorModel::terms_to_end(error.empties, error.confidence), error.discs));
    let (before_end, to_end): (Vec<_>, Vec<_>) = (before_end.collect(), to_end.collect());
    Some(ScoreErrorModel { before_end: fit(&before_end)?, to_end: fit_bound(&to_end)? })
}

/// Fits the coefficients of a bound that [`SHARE`] of the errors, in discs, do not exceed. Negative
/// bounds count as 0. This is quantile regression by iteratively reweighted least squares.
fn fit_bound<const TERMS: usize>(errors: &[([f64; TERMS], i32)]) -> Option<[f64; TERMS]> {
    let mut coefficients = [0.0; TERMS];
    coefficients[0] = 1.0;
    for step in 0..STEPS {
        let mut equations = NormalEquations::default();
        for (terms, discs) in errors {
            let error = f64::from(discs.abs());
            let bound: f64 = coefficients.iter().zip(terms).map(|(coefficient, term)| coefficient * term).sum();
            let share = if error > bound { SHARE } else { 1.0 - SHARE };
            // For a score without error, a negative bound is as good as 0.
            if bound >= 0.0 || error > 0.0 {
                equations.add(*terms, error, share / (error - bound).abs().max(MIN_RESIDUAL));
            }
        }
        match equations.solve() {
            Some(better) => coefficients = better,
            // No score has an error, and all bounds are negative.
            None if step > 0 => break,
            None => return None,
        }
    }
    Some(coefficients)
}

/// Fits the distribution of errors in discs with these terms.
fn fit<const TERMS: usize>(errors: &[([f64; TERMS], i32)]) -> Option<ErrorFit<TERMS>> {
    let square: f64 = errors.iter().map(|(_, discs)| f64::from(*discs).powi(2)).sum();
    let mut fit = ErrorFit { log_sigma: [0.0; TERMS], bound: 0.0 };
    fit.log_sigma[0] = (square / errors.len() as f64 + 1e-3).ln() / 2.0;
    let in_sigmas =
        |fit: &ErrorFit<TERMS>, (terms, discs): &([f64; TERMS], i32)| f64::from(discs.abs()) / fit.sigma(terms);
    for _ in 0..STEPS {
        let mut step = NormalEquations::default();
        for error in errors {
            // The derivative of the log-likelihood divided by its expected second derivative.
            step.add(error.0, ((in_sigmas(&fit, error).powi(2) - 1.0) / 2.0).min(MAX_STEP), 1.0);
        }
        fit.log_sigma.iter_mut().zip(step.solve()?).for_each(|(factor, step)| *factor += step);
    }
    let mut sigmas: Vec<_> = errors.iter().map(|error| in_sigmas(&fit, error)).collect();
    sorting::sort_by(&mut sigmas, &f64::total_cmp);
    fit.bound = *sigmas.get((sigmas.len() as f64 * SHARE) as usize)?;
    Some(fit)
}

/// An error, and the bound stated by a model that was not fitted to the same position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StatedError {
    /// The error.
    pub error: ScoreError,
    /// The error that 95 % of such scores do not exceed, in discs.
    pub bound: f64,
}

impl StatedError {
    /// Returns whether the error is within the stated bound.
    #[must_use]
    pub fn is_within(&self) -> bool {
        f64::from(self.error.discs.abs()) <= self.bound
    }
}

/// Returns the cross-validated bound for each error; `None` if a model [cannot be
/// fitted](fit_model).
#[must_use]
pub fn stated_errors(errors: &[ScoreError]) -> Option<Vec<StatedError>> {
    let model = |fold: usize| fit_where(errors, |position| position % FOLDS != fold);
    let models = (0..FOLDS).map(model).collect::<Option<Vec<_>>>()?;
    let stated = |error: &ScoreError| {
        let bound = models[error.position % FOLDS].bound(error.empties, error.depth, error.confidence);
        StatedError { error: *error, bound }
    };
    Some(errors.iter().map(stated).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use morello_core::game::RandomNumbers;

    use super::*;

    #[test]
    fn recovers_a_known_model() {
        let model = ScoreErrorModel {
            before_end: ErrorFit { log_sigma: [2.0, 0.2, -0.3, -0.2, 0.2], bound: 1.96 },
            to_end: [-4.0, 4.0, 3.0],
        };
        let mut numbers = RandomNumbers::new(5);
        let mut uniform = || numbers.below(1 << 20) as f64 / f64::from(1 << 20);
        let mut errors = Vec::new();
        for position in 0..30_000 {
            let empties = 8 + (uniform() * 15.0) as u32;
            let depth = if uniform() < 0.3 { empties } else { 1 + (uniform() * 7.0) as u32 };
            let level = uniform() * if depth == empties { 5.0 } else { 6.0 };
            let confidence = Confidence::from_index(level as u8);
            // The sum of twelve uniform numbers is approximately normal, with variance 1.
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            let deviations = if depth == empties { uniform() / SHARE } else { normal / 1.96 };
            let discs = (deviations * model.bound(empties, depth, confidence)).round() as i32;
            errors.push(ScoreError { position, empties, depth, confidence, discs });
        }
        let found = fit_model(&errors).unwrap();
        for (empties, depth, percent) in [(10, 2, 73), (20, 6, 100), (15, 15, 95), (20, 20, 73)] {
            let confidence = Confidence::from_percent(percent).unwrap();
            let bound = [found, model].map(|model| model.bound(empties, depth, confidence));
            assert!((bound[0] / bound[1] - 1.0).abs() < 0.1, "{empties}, {depth}: {bound:?}");
        }
        let stated = stated_errors(&errors).unwrap();
        let within = stated.iter().filter(|stated| stated.is_within()).count() as f64 / stated.len() as f64;
        assert!((within - SHARE).abs() < 0.01, "{within}");
        assert_eq!(fit_model(&errors[..3]), None);
    }

    #[test]
    fn errors_equal_those_of_separate_searches() {
        let evaluation = TrainedEvaluation::built_in();
        let boards: Vec<Board> = (0..4)
            .map(|seed| morello_core::game::random_game::<morello_core::othello::Position>(seed, 50).position().board())
            .collect();
        let count = AtomicUsize::new(0);
        let on_position = |_| _ = count.fetch_add(1, Ordering::Relaxed);
        let measured = measure(&evaluation, &boards, 7, &Cancel::new(), &on_position).unwrap();
        assert_eq!(count.into_inner(), boards.len());
        let mut solver = Solver::with_evaluation(HASH_BYTES, Arc::clone(&evaluation));
        for error in measured.iter().filter(|error| !error.is_to_the_end()) {
            let board = boards[error.position];
            solver.clear();
            let exact = solver.solution(board, &Limits::exact()).score().unwrap();
            solver.clear();
            let drafts: Vec<_> = (1..=error.depth).map(|depth| (depth, error.confidence)).collect();
            let searched = solver.search(board, &drafts, &Limits::default(), &Cancel::new(), &mut |_| ());
            assert_eq!(error.discs, searched.lines[0].score - exact, "{error:?}");
        }
        // Depths 1 to 7, five levels to the end of the game, and depths 1 to 3 without pruning.
        assert_eq!(measured.len(), 15 * boards.len());
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert_eq!(measure(&evaluation, &boards, 7, &cancelled, &|_| ()), None);
    }
}
