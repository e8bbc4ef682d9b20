//! Measures the differences between deep and shallow search scores, and fits the
//! [model](ProbCutModel) of multi-probcut.
//!
//! The model assumes that the difference, deep minus shallow, has a normal distribution whose mean
//! and logarithmic standard deviation are linear in a few terms. Both are fitted by Fisher scoring:
//! it alternates between a least-squares fit of the mean, weighted by the inverse variance, and a
//! step of the standard deviation towards the maximum likelihood.
//!
//! Each [`Deviation`] is cross-validated: it comes from a model fitted to the other four fifths of
//! the positions.

use std::ops::RangeInclusive;
use std::sync::Arc;

use morello_core::game::{Cancel, Confidence, Limits};
use morello_core::othello::Board;
use morello_core::othello::engine::patterns::discs;
use morello_core::othello::engine::probcut::{ProbCutModel, shallow_depth};
use morello_core::othello::engine::{Iteration, Solver, TrainedEvaluation};

use super::boards::measure_boards;
use super::normal_equations::NormalEquations;
use super::{Corpus, DataSplit};

/// The size of each thread's transposition table, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// The numbers of empty squares to measure.
pub const EMPTIES: RangeInclusive<u32> = 10..=50;

/// The number of folds of the cross-validation.
const FOLDS: usize = 5;

/// The number of steps of a fit; each reduces the remaining error about a hundredfold.
const STEPS: usize = 30;

/// The maximum target of a scoring step, since steps far from the optimum are unreliable.
const MAX_STEP: f64 = 4.0;

/// The search depths for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasurementDepths {
    /// The maximum depth, in plies. All searches have full confidence.
    pub deepest: u32,
    /// Positions with at most this many empty squares are also solved.
    pub exact_from: u32,
}

/// The difference between two searches of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreDifference {
    /// The index of the position.
    pub position: usize,
    /// The number of empty squares of the position.
    pub empties: u32,
    /// The depth of the deep search; its score is exact if this equals `empties`.
    pub depth: u32,
    /// The depth of the shallow search.
    pub shallow: u32,
    /// The score of the deep search minus the score of the shallow search, in discs.
    pub discs: i32,
}

/// Draws positions from games: `per_empties` for each of these numbers of empty squares, or all
/// positions if there are fewer.
#[must_use]
pub fn draw_positions(
    corpus: &Corpus,
    part: DataSplit,
    empties: RangeInclusive<u32>,
    per_empties: usize,
) -> Vec<Board> {
    let mut by_empties = vec![Vec::new(); *empties.end() as usize + 1];
    corpus.for_each_sample(part, |sample| {
        if let Some(boards) = by_empties.get_mut(sample.board.empty_count() as usize) {
            boards.push(sample.board);
        }
    });
    // Spread the positions evenly over all games.
    let drawn = |boards: &Vec<Board>| {
        let count = per_empties.min(boards.len());
        (0..count).map(|i| boards[i * boards.len() / count]).collect::<Vec<_>>()
    };
    by_empties[*empties.start() as usize..].iter().flat_map(drawn).collect()
}

/// Searches positions to all depths, and returns for each depth the difference from the score at
/// its [`shallow_depth`]. The positions must not be finished games. Calls `on_position` with the
/// number of finished positions. Returns `None` if cancelled. The result does not depend on the
/// number of threads.
pub fn measure(
    evaluation: &Arc<TrainedEvaluation>,
    boards: &[Board],
    depths: MeasurementDepths,
    cancel: &Cancel,
    on_position: &(dyn Fn(usize) + Sync),
) -> Option<Vec<ScoreDifference>> {
    let solver = || Solver::with_evaluation(HASH_BYTES, Arc::clone(evaluation));
    let measured = measure_boards(boards, &solver, on_position, &|solver, position, board| {
        measure_position(evaluation, solver, position, board, depths, cancel)
    });
    Some(measured?.concat())
}

fn measure_position(
    evaluation: &TrainedEvaluation,
    solver: &mut Solver,
    position: usize,
    board: Board,
    depths: MeasurementDepths,
    cancel: &Cancel,
) -> Option<Vec<ScoreDifference>> {
    let empties = board.empty_count();
    let deepest = depths.deepest.min(empties - 1);
    let last = if empties <= depths.exact_from { Some(empties) } else { None };
    let drafts: Vec<_> = (1..=deepest).chain(last).map(|depth| (depth, Confidence::FULL)).collect();
    // Indexed by depth.
    let mut scores = vec![None; empties as usize + 1];
    scores[0] = Some(discs(evaluation.full.evaluate(board)));
    let mut on_iteration = |iteration: &Iteration| scores[iteration.depth as usize] = Some(iteration.lines[0].score);
    solver.clear();
    solver.search(board, &drafts, &Limits::default(), cancel, &mut on_iteration);
    if cancel.is_cancelled() {
        return None;
    }
    let difference = |depth: u32| {
        let shallow = shallow_depth(depth);
        let discs = scores[depth as usize]? - scores[shallow as usize]?;
        Some(ScoreDifference { position, empties, depth, shallow, discs })
    };
    Some((1..=empties).filter_map(difference).collect())
}

/// Fits a model to differences; `None` if the differences are too few or too similar.
#[must_use]
pub fn fit_model(differences: &[ScoreDifference]) -> Option<ProbCutModel> {
    fit_where(differences, |_| true)
}

/// Fits a model to the differences of the positions that `includes` selects by index.
fn fit_where(differences: &[ScoreDifference], includes: impl Fn(usize) -> bool) -> Option<ProbCutModel> {
    let selected = || differences.iter().filter(|difference| includes(difference.position));
    let square: f64 = selected().map(|difference| f64::from(difference.discs).powi(2)).sum();
    let count = selected().count() as f64;
    let mut model = ProbCutModel { mean: [0.0; _], log_sigma: [0.0; _] };
    model.log_sigma[0] = (square / count + 1e-3).ln() / 2.0;
    for _ in 0..STEPS {
        let mut mean = NormalEquations::default();
        for difference in selected() {
            let Deviation { sigma, .. } = Deviation::new(&model, *difference);
            let ScoreDifference { empties, depth, shallow, .. } = *difference;
            let terms = ProbCutModel::mean_terms(empties, depth, shallow);
            mean.add(terms, difference.discs.into(), 1.0 / (sigma * sigma));
        }
        model.mean = mean.solve()?;
        let mut step = NormalEquations::default();
        for difference in selected() {
            let sigmas = Deviation::new(&model, *difference).sigmas();
            // The derivative of the log-likelihood divided by its expected second derivative.
            let ScoreDifference { empties, depth, shallow, .. } = *difference;
            let terms = ProbCutModel::sigma_terms(empties, depth, shallow);
            step.add(terms, ((sigmas * sigmas - 1.0) / 2.0).min(MAX_STEP), 1.0);
        }
        model.log_sigma.iter_mut().zip(step.solve()?).for_each(|(factor, step)| *factor += step);
    }
    Some(model)
}

/// A difference, and the prediction of a model that was not fitted to the same position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// The difference.
    pub difference: ScoreDifference,
    /// The predicted mean.
    pub mean: f64,
    /// The predicted standard deviation.
    pub sigma: f64,
}

impl Deviation {
    fn new(model: &ProbCutModel, difference: ScoreDifference) -> Self {
        let ScoreDifference { empties, depth, shallow, .. } = difference;
        Self { difference, mean: model.mean(empties, depth, shallow), sigma: model.sigma(empties, depth, shallow) }
    }

    /// Returns the distance of the difference from the mean, in standard deviations.
    #[must_use]
    pub fn sigmas(&self) -> f64 {
        (f64::from(self.difference.discs) - self.mean) / self.sigma
    }
}

/// Returns the cross-validated deviation of each difference; `None` if a model [cannot be
/// fitted](fit_model).
#[must_use]
pub fn deviations(differences: &[ScoreDifference]) -> Option<Vec<Deviation>> {
    let model = |fold: usize| fit_where(differences, |position| position % FOLDS != fold);
    let models = (0..FOLDS).map(model).collect::<Option<Vec<_>>>()?;
    let deviation = |difference: &ScoreDifference| Deviation::new(&models[difference.position % FOLDS], *difference);
    Some(differences.iter().map(deviation).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use morello_core::game::RandomNumbers;

    use super::*;

    /// Draws differences from a model.
    fn differences(model: &ProbCutModel) -> Vec<ScoreDifference> {
        let mut numbers = RandomNumbers::new(5);
        let mut uniform = || numbers.below(1 << 20) as f64 / f64::from(1 << 20);
        let mut differences = Vec::new();
        for position in 0..20_000 {
            let (empties, depth) = (10 + (uniform() * 40.0) as u32, 1 + (uniform() * 10.0) as u32);
            let depth = if empties < 20 && uniform() < 0.3 { empties } else { depth };
            let shallow = shallow_depth(depth);
            // The sum of twelve uniform numbers is approximately normal, with variance 1.
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            let discs = model.mean(empties, depth, shallow) + normal * model.sigma(empties, depth, shallow);
            differences.push(ScoreDifference { position, empties, depth, shallow, discs: discs.round() as i32 });
        }
        differences
    }

    #[test]
    fn recovers_a_known_model() {
        let model = ProbCutModel {
            mean: [1.0, -0.5, 2.0, 1.0, 1.5, 0.5],
            log_sigma: [1.5, 0.2, -0.05, 0.5, -0.3, -0.2, 1.2, 0.1, -0.02],
        };
        let differences = differences(&model);
        let found = fit_model(&differences).unwrap();
        for (empties, depth) in [(30, 1), (40, 2), (12, 4), (30, 8), (45, 6), (17, 17), (18, 18)] {
            let shallow = shallow_depth(depth);
            assert!((found.mean(empties, depth, shallow) - model.mean(empties, depth, shallow)).abs() < 0.3);
            let sigma = [found, model].map(|model| model.sigma(empties, depth, shallow));
            assert!((sigma[0] / sigma[1] - 1.0).abs() < 0.1, "{empties}, {depth}: {sigma:?}");
        }
        let deviations = deviations(&differences).unwrap();
        let within = deviations.iter().filter(|deviation| deviation.sigmas().abs() < 1.0).count();
        assert!((within as f64 / deviations.len() as f64 - 0.683).abs() < 0.02, "{within}");
    }

    #[test]
    fn returns_none_for_too_few_or_similar_differences() {
        let model = ProbCutModel { mean: [0.0; 6], log_sigma: [0.0; 9] };
        assert_eq!(fit_model(&[]), None);
        let mut similar = differences(&model);
        similar.retain(|difference| difference.depth == 3);
        assert_eq!(fit_model(&similar), None);
        assert_eq!(deviations(&similar), None);
    }

    #[test]
    fn differences_equal_those_of_separate_searches() {
        let evaluation = TrainedEvaluation::built_in();
        let boards: Vec<_> =
            (0..6).map(|seed| morello_core::game::random_game::<morello_core::othello::Position>(seed, 50)).collect();
        let boards: Vec<Board> = boards.iter().map(|game| game.position().board()).collect();
        let depths = MeasurementDepths { deepest: 6, exact_from: 16 };
        let count = AtomicUsize::new(0);
        let on_position = |_| _ = count.fetch_add(1, Ordering::Relaxed);
        let measured = measure(&evaluation, &boards, depths, &Cancel::new(), &on_position).unwrap();
        assert_eq!(count.into_inner(), boards.len());
        let mut solver = Solver::with_evaluation(HASH_BYTES, Arc::clone(&evaluation));
        for difference in &measured {
            let board = boards[difference.position];
            let mut score = |depth: u32| {
                solver.clear();
                if depth == 0 {
                    return discs(evaluation.full.evaluate(board));
                }
                if depth == board.empty_count() {
                    solver.solution(board, &Limits::exact()).score().unwrap()
                } else {
                    let drafts: Vec<_> = (1..=depth).map(|depth| (depth, Confidence::FULL)).collect();
                    solver.search(board, &drafts, &Limits::default(), &Cancel::new(), &mut |_| ()).lines[0].score
                }
            };
            assert_eq!(difference.discs, score(difference.depth) - score(difference.shallow), "{difference:?}");
        }
        // Depths 1 to 6, and the exact solution.
        assert_eq!(measured.len(), 7 * boards.len());
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert_eq!(measure(&TrainedEvaluation::built_in(), &boards, depths, &cancelled, &|_| ()), None);
    }
}
