//! Measures how the scores of deep searches differ from those of shallow ones, and fits the [model](ProbCutModel) that multi-probcut cuts off by.
//!
//! The difference, deep less shallow, is taken for normally distributed; its mean and the logarithm of its standard deviation are sums of a
//! few terms. Both are fitted together by the method of scoring (Fisher): a least-squares fit of the mean with each difference weighted by its
//! variance, then a step of the deviation towards the greatest likelihood, and again.
//!
//! How good the model is must not be asked of the differences that it was fitted to: each [`Deviation`] is that of a model fitted to the other
//! positions, all but a fifth.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::{Corpus, DataSplit};
use crate::game::{Cancel, Confidence, Limits};
use crate::othello::Board;
use crate::othello::engine::probcut::{MIN_DEPTH, ProbCutModel, shallow_depth};
use crate::othello::engine::{Iteration, Solver, TrainedEvaluation};

/// The memory of the table of each thread.
const HASH_BYTES: usize = 16 << 20;

/// The empty squares of positions to measure.
pub const EMPTIES: RangeInclusive<u32> = 10..=50;

/// Parts that positions are divided into, to judge each by a model fitted to the others.
const FOLDS: usize = 5;

/// Steps of a fit; each makes what is left to do a hundred times less, or so.
const STEPS: usize = 30;

/// Far from the end of a fit no step is trusted further than this.
const MAX_STEP: f64 = 4.0;

/// What is measured of each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasurementDepths {
    /// The deepest search, in plies; all searches leave nothing out.
    pub deepest: u32,
    /// Positions with at most so many empty squares are solved as well.
    pub exact_from: u32,
}

/// The difference between two searches of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreDifference {
    /// The place of the position among those measured.
    pub position: usize,
    /// Its empty squares.
    pub empties: u32,
    /// The depth of the deep search; where it is that of the empty squares the score is exact.
    pub depth: u32,
    /// The depth of the shallow search.
    pub shallow: u32,
    /// The score of the deep search less that of the shallow one, in discs.
    pub discs: i32,
}

/// Draws positions from games: for each number of empty squares within [`EMPTIES`] so many, or all that there are.
#[must_use]
pub fn draw_positions(corpus: &Corpus, part: DataSplit, of_each: usize) -> Vec<Board> {
    let mut by_empties = vec![Vec::new(); *EMPTIES.end() as usize + 1];
    corpus.for_each_sample(part, |sample| {
        if let Some(boards) = by_empties.get_mut(sample.board.empty_count() as usize) {
            boards.push(sample.board);
        }
    });
    // From all of the games, as evenly as they go.
    let drawn = |boards: &Vec<Board>| {
        let count = of_each.min(boards.len());
        (0..count).map(|i| boards[i * boards.len() / count]).collect::<Vec<_>>()
    };
    by_empties[*EMPTIES.start() as usize..].iter().flat_map(drawn).collect()
}

/// Searches positions, none of them over, to all depths, and returns for each depth by how much its score differs from that of the shallow
/// search that would stand in for it; `None` if cancelled on the way. `on_position` is told of each position, with the number of those done. The
/// result does not depend on the number of threads.
pub fn measure(
    evaluation: &Arc<TrainedEvaluation>,
    boards: &[Board],
    depths: MeasurementDepths,
    cancel: &Cancel,
    on_position: &(dyn Fn(usize) + Sync),
) -> Option<Vec<ScoreDifference>> {
    let done = AtomicUsize::new(0);
    let solver = || Solver::with_evaluation(HASH_BYTES, Arc::clone(evaluation));
    let measured = boards.par_iter().enumerate().map_init(solver, |solver, (position, &board)| {
        let differences = measure_position(solver, position, board, depths, cancel)?;
        on_position(done.fetch_add(1, Ordering::Relaxed) + 1);
        Some(differences)
    });
    let measured: Option<Vec<Vec<ScoreDifference>>> = measured.collect();
    Some(measured?.concat())
}

fn measure_position(
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
    // By depth.
    let mut scores = vec![None; empties as usize + 1];
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
    Some((MIN_DEPTH..=empties).filter_map(difference).collect())
}

/// Fits a model to differences; `None` if they are too few or too much alike to tell its terms apart.
#[must_use]
pub fn fit_model(differences: &[ScoreDifference]) -> Option<ProbCutModel> {
    fit_where(differences, |_| true)
}

/// Fits a model to the differences of some positions.
fn fit_where(differences: &[ScoreDifference], wanted: impl Fn(usize) -> bool) -> Option<ProbCutModel> {
    let wanted = || differences.iter().filter(|difference| wanted(difference.position));
    let square: f64 = wanted().map(|difference| f64::from(difference.discs).powi(2)).sum();
    let count = wanted().count() as f64;
    let mut model = ProbCutModel { mean: [0.0; _], log_sigma: [0.0; _] };
    model.log_sigma[0] = (square / count + 1e-3).ln() / 2.0;
    for _ in 0..STEPS {
        let mut mean = NormalEquations::default();
        for difference in wanted() {
            let Deviation { sigma, .. } = Deviation::new(&model, *difference);
            let ScoreDifference { empties, depth, shallow, .. } = *difference;
            let terms = ProbCutModel::mean_terms(empties, depth, shallow);
            mean.add(terms, difference.discs.into(), 1.0 / (sigma * sigma));
        }
        model.mean = mean.solve()?;
        let mut step = NormalEquations::default();
        for difference in wanted() {
            let sigmas = Deviation::new(&model, *difference).sigmas();
            // The gradient of the likelihood over its expected second derivative.
            let ScoreDifference { empties, depth, shallow, .. } = *difference;
            let terms = ProbCutModel::sigma_terms(empties, depth, shallow);
            step.add(terms, ((sigmas * sigmas - 1.0) / 2.0).min(MAX_STEP), 1.0);
        }
        model.log_sigma.iter_mut().zip(step.solve()?).for_each(|(factor, step)| *factor += step);
    }
    Some(model)
}

/// A difference, and what a model that does not know its position says of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// The difference.
    pub difference: ScoreDifference,
    /// The mean by the model.
    pub mean: f64,
    /// The standard deviation by the model.
    pub sigma: f64,
}

impl Deviation {
    fn new(model: &ProbCutModel, difference: ScoreDifference) -> Self {
        let ScoreDifference { empties, depth, shallow, .. } = difference;
        Self { difference, mean: model.mean(empties, depth, shallow), sigma: model.sigma(empties, depth, shallow) }
    }

    /// Returns how many standard deviations the difference lies from the mean.
    #[must_use]
    pub fn sigmas(&self) -> f64 {
        (f64::from(self.difference.discs) - self.mean) / self.sigma
    }
}

/// Returns the deviation of each difference; `None` as [`fit_model`].
#[must_use]
pub fn deviations(differences: &[ScoreDifference]) -> Option<Vec<Deviation>> {
    let model = |fold: usize| fit_where(differences, |position| position % FOLDS != fold);
    let models = (0..FOLDS).map(model).collect::<Option<Vec<_>>>()?;
    let deviation = |difference: &ScoreDifference| Deviation::new(&models[difference.position % FOLDS], *difference);
    Some(differences.iter().map(deviation).collect())
}

/// The normal equations of a weighted least-squares fit with `N` terms.
struct NormalEquations<const N: usize> {
    products: [[f64; N]; N],
    targets: [f64; N],
}

impl<const N: usize> Default for NormalEquations<N> {
    fn default() -> Self {
        Self { products: [[0.0; N]; N], targets: [0.0; N] }
    }
}

impl<const N: usize> NormalEquations<N> {
    fn add(&mut self, terms: [f64; N], target: f64, weight: f64) {
        for i in 0..N {
            self.targets[i] += weight * terms[i] * target;
            for j in 0..N {
                self.products[i][j] += weight * terms[i] * terms[j];
            }
        }
    }

    /// Returns the factors of the terms, by Gaussian elimination; `None` if they are not determined.
    fn solve(mut self) -> Option<[f64; N]> {
        for column in 0..N {
            let magnitude = |row: &usize| self.products[*row][column].abs();
            let pivot = (column..N).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))?;
            if magnitude(&pivot) < 1e-9 {
                return None;
            }
            self.products.swap(column, pivot);
            self.targets.swap(column, pivot);
            for row in column + 1..N {
                let factor = self.products[row][column] / self.products[column][column];
                for k in column..N {
                    self.products[row][k] -= factor * self.products[column][k];
                }
                self.targets[row] -= factor * self.targets[column];
            }
        }
        let mut factors = [0.0; N];
        for row in (0..N).rev() {
            let known: f64 = (row + 1..N).map(|k| self.products[row][k] * factors[k]).sum();
            factors[row] = (self.targets[row] - known) / self.products[row][row];
        }
        Some(factors).filter(|factors| factors.iter().all(|factor| factor.is_finite()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::RandomNumbers;

    /// Returns differences that are distributed by a model.
    fn differences(model: &ProbCutModel) -> Vec<ScoreDifference> {
        let mut numbers = RandomNumbers::new(5);
        let mut uniform = || numbers.below(1 << 20) as f64 / f64::from(1 << 20);
        let mut differences = Vec::new();
        for position in 0..20_000 {
            let (empties, depth) = (10 + (uniform() * 40.0) as u32, 3 + (uniform() * 8.0) as u32);
            let depth = if empties < 20 && uniform() < 0.3 { empties } else { depth };
            let shallow = shallow_depth(depth);
            // A sum of twelve uniform numbers is about normal, of variance 1.
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            let discs = model.mean(empties, depth, shallow) + normal * model.sigma(empties, depth, shallow);
            differences.push(ScoreDifference { position, empties, depth, shallow, discs: discs.round() as i32 });
        }
        differences
    }

    #[test]
    fn recovers_a_known_model() {
        let model = ProbCutModel { mean: [1.0, -0.5, 2.0, 1.0], log_sigma: [1.5, 0.2, -0.05, 0.5, -0.3, -0.2] };
        let differences = differences(&model);
        let found = fit_model(&differences).unwrap();
        for (empties, depth) in [(12, 4), (30, 8), (45, 6), (17, 17), (18, 18)] {
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
    fn returns_none_for_too_few_differences() {
        let model = ProbCutModel { mean: [0.0; 4], log_sigma: [0.0; 6] };
        assert_eq!(fit_model(&[]), None);
        let mut alike = differences(&model);
        alike.retain(|difference| difference.depth == 3);
        assert_eq!(fit_model(&alike), None);
        assert_eq!(deviations(&alike), None);
    }

    #[test]
    fn differences_equal_those_of_separate_searches() {
        let evaluation = TrainedEvaluation::built_in();
        let boards: Vec<_> =
            (0..6).map(|seed| crate::game::random_game::<crate::othello::Position>(seed, 50)).collect();
        let boards: Vec<Board> = boards.iter().map(|game| game.position().board()).collect();
        let depths = MeasurementDepths { deepest: 6, exact_from: 16 };
        let count = AtomicUsize::new(0);
        let on_position = |_| _ = count.fetch_add(1, Ordering::Relaxed);
        let measured = measure(&evaluation, &boards, depths, &Cancel::new(), &on_position).unwrap();
        assert_eq!(count.into_inner(), boards.len());
        let mut solver = Solver::with_evaluation(HASH_BYTES, evaluation);
        for difference in &measured {
            let board = boards[difference.position];
            let mut score = |depth: u32| {
                solver.clear();
                if depth == board.empty_count() {
                    solver.solve(board, &Limits::exact(), &Cancel::new(), &mut |_| ()).score().unwrap()
                } else {
                    let drafts: Vec<_> = (1..=depth).map(|depth| (depth, Confidence::FULL)).collect();
                    solver.search(board, &drafts, &Limits::default(), &Cancel::new(), &mut |_| ()).lines[0].score
                }
            };
            assert_eq!(difference.discs, score(difference.depth) - score(difference.shallow), "{difference:?}");
        }
        // Depths 3 to 6, and to the end.
        assert_eq!(measured.len(), 5 * boards.len());
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert_eq!(measure(&TrainedEvaluation::built_in(), &boards, depths, &cancelled, &|_| ()), None);
    }
}
