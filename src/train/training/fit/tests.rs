use std::path::Path;

use morello_core::game::{EngineOptions, RandomNumbers};
use morello_core::journal::OpenJournalError;
use morello_core::othello::engine::OthelloSearcher;
use morello_core::othello::engine::patterns::{ORDER, PatternEvaluation, ShapeClasses};

use super::*;
use crate::training::{
    EvaluationReport, GenerationOptions, TrainingCheckpointError, TrainingData, TrainingFile, TrainingGame,
    generate::play,
};

const OPTIONS: GenerationOptions =
    GenerationOptions { seed: 1, depth: 1, exact_from: 4, random: (20, 40), burst: 0, weights: 0 };

/// Plays games and reads them back from a file.
fn games(folder: &Path, seed: u64, count: u64) -> TrainingData {
    games_by(folder, GenerationOptions { seed, ..OPTIONS }, count)
}

fn games_by(folder: &Path, options: GenerationOptions, count: u64) -> TrainingData {
    let path = folder.join(format!("{}-{}", options.seed, options.weights));
    let mut file = TrainingFile::open_games(&path, &options).unwrap();
    let mut searcher = OthelloSearcher::new(&EngineOptions::new(1 << 16));
    let play = |index| play(&options, index, &mut searcher, &Cancel::new()).unwrap();
    (0..count).map(play).for_each(|game: TrainingGame| file.add_game(&game).unwrap());
    file.flush().unwrap();
    TrainingData::read(&path).unwrap()
}

fn fit_all(corpus: &Corpus, init: Option<&TrainedWeights>) -> TrainedWeights {
    let cancel = Cancel::new();
    fit(&ORDER, corpus, init, &FitOptions::default(), None, &cancel, &mut |_| ()).unwrap().unwrap()
}

fn mean_absolute_error(trained: &TrainedWeights, corpus: &Corpus) -> f64 {
    let evaluation = PatternEvaluation::new(&ORDER, trained.weights.clone());
    EvaluationReport::of_games(&|board| evaluation.evaluate(board), corpus, DataSplit::All)
        .all()
        .mean_absolute()
        .unwrap()
}

#[test]
fn the_fit_minimizes_the_loss() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = Corpus(vec![games(folder.path(), 1, 60)]);
    let numbering = ClassNumbering::new(&ORDER);
    let classes = numbering.classes.count();
    let mut numbers = RandomNumbers::new(2);
    let mut random = |least: f32, most: f32| least + (most - least) * numbers.below(1000) as f32 / 1000.0;
    let prior = Prior {
        start: vec![0.0; classes],
        weights: (0..classes).map(|_| random(-1.0, 1.0)).collect(),
        precision: (0..classes).map(|_| random(1.0, 9.0)).collect(),
    };
    let samples = Samples::of_ply(&corpus, DataSplit::Training, 45, &numbering);
    assert_eq!(samples.len(), corpus.0[0].len() - 1, "one game is held out");
    let weights = minimize(&numbering, &samples, &prior, 200, &Cancel::new()).unwrap();
    // All derivatives are zero at the minimum; compute them by the definition.
    let largest_derivative = |weights: &[f32]| {
        let mut derivatives: Vec<f64> = (0..classes)
            .map(|class| f64::from(prior.precision[class]) * f64::from(weights[class] - prior.weights[class]))
            .collect();
        corpus.for_each_sample(DataSplit::Training, |sample| {
            if sample.board.empty_count() == 15 {
                let features = ORDER.features(sample.board);
                let lane_classes: Vec<usize> =
                    (0..16).map(|lane| numbering.classes.class(lane, features[lane]) as usize).collect();
                let estimate: f64 = lane_classes.iter().map(|&class| f64::from(weights[class])).sum();
                lane_classes.iter().for_each(|&class| derivatives[class] += estimate - f64::from(sample.score));
            }
        });
        derivatives.iter().fold(0.0, |largest: f64, derivative| largest.max(derivative.abs()))
    };
    let (first, last) = (largest_derivative(&prior.start), largest_derivative(&weights));
    assert!(last < first / 500.0, "{last} of {first}");
}

#[test]
fn weights_generalize_to_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let (games, others) = (games(folder.path(), 1, 300), Corpus(vec![games(folder.path(), 2, 100)]));
    let corpus = Corpus(vec![games]);
    let trained = fit_all(&corpus, None);
    let classes = ShapeClasses::of_set(&ORDER).count();
    let nothing = mean_absolute_error(&TrainedWeights::zero(classes), &others);
    let error = mean_absolute_error(&trained, &others);
    assert!(error < 0.8 * nothing, "{error}, and {nothing} without weights");
    assert!(mean_absolute_error(&trained, &corpus) < error);
    // Classes that do not occur keep the weight of the neighboring ply and a count of 0.
    assert!(trained.weights.plies[0] == trained.weights.plies[10]);
    assert!(trained.counts.plies[10].iter().all(|&count| count == 0));
    let training = (0..300).filter(|&index| corpus.0[0].sample(index, 45).is_some()).count() as u32;
    let lanes: u32 = trained.counts.plies[45].iter().sum();
    assert!(lanes.is_multiple_of(16) && (training * 9 / 10..training).contains(&(lanes / 16)), "{lanes} of {training}");
}

#[test]
fn more_games_improve_existing_weights() {
    let folder = tempfile::tempdir().unwrap();
    let one = |seed, count| Corpus(vec![games(folder.path(), seed, count)]);
    let (first, second, others) = (one(1, 300), one(2, 300), one(3, 100));
    let early = fit_all(&first, None);
    let improved = fit_all(&second, Some(&early));
    let alone = fit_all(&second, None);
    let error = |trained: &TrainedWeights| mean_absolute_error(trained, &others);
    assert!(error(&improved) < error(&early).min(error(&alone)));
    let sum =
        |trained: &TrainedWeights| trained.counts.plies.iter().flatten().map(|&count| u64::from(count)).sum::<u64>();
    assert_eq!(sum(&improved), sum(&early) + sum(&alone));
    // Without games, the fit only smooths the weights of neighboring plies.
    let none = fit_all(&Corpus::default(), Some(&early));
    assert!(none.counts == early.counts);
    assert!((error(&none) - error(&early)).abs() < 0.1 * error(&early));
}

#[test]
fn the_result_does_not_depend_on_threads_or_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = Corpus(vec![games(folder.path(), 1, 100)]);
    let options = FitOptions { epochs: 3, ..FitOptions::default() };
    let cancel = Cancel::new();
    let with_threads = |threads: usize, fit: &mut (dyn FnMut() -> Option<TrainedWeights> + Send)| {
        rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(fit)
    };
    let plain = || fit(&ORDER, &corpus, None, &options, None, &cancel, &mut |_| ()).unwrap();
    let expected = with_threads(1, &mut || plain()).unwrap();
    assert!(with_threads(3, &mut || plain()) == Some(expected.clone()));

    let path = folder.path().join("unfinished");
    let open = || FitCheckpoint::open(&path, &ORDER, &corpus, None, &options);
    let mut steps = Vec::new();
    for stop_after in [7, 80] {
        let mut checkpoint = open().unwrap();
        assert!(matches!(open(), Err(TrainingCheckpointError::Open(OpenJournalError::InUse))));
        let cancel = Cancel::new();
        let mut on_step = |fitted: &Fitted| {
            steps.push(fitted.clone());
            if steps.len() >= stop_after {
                cancel.cancel();
            }
        };
        let end = fit(&ORDER, &corpus, None, &options, Some(&mut checkpoint), &cancel, &mut on_step).unwrap();
        assert!(end.is_none());
        drop(checkpoint);
        // An incomplete step is fitted again.
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(open().unwrap().finished_steps(), steps.len() - 1);
        steps.clear();
    }
    let mut checkpoint = open().unwrap();
    let mut received = 0;
    let mut on_step = |_: &Fitted| received += 1;
    let trained = fit(&ORDER, &corpus, None, &options, Some(&mut checkpoint), &cancel, &mut on_step).unwrap();
    assert!(trained == Some(expected) && received == super::steps().len());

    drop(checkpoint);
    let other = FitOptions { epochs: 4, ..options };
    let error = |error: Result<FitCheckpoint, TrainingCheckpointError>| error.unwrap_err();
    assert!(matches!(
        error(FitCheckpoint::open(&path, &ORDER, &corpus, None, &other)),
        TrainingCheckpointError::DifferentTraining
    ));
    // The same number of games, played with other weights.
    let others = Corpus(vec![games_by(folder.path(), GenerationOptions { weights: 1, ..OPTIONS }, 100)]);
    assert!(matches!(
        error(FitCheckpoint::open(&path, &ORDER, &others, None, &options)),
        TrainingCheckpointError::DifferentTraining
    ));
    std::fs::write(&path, "a text").unwrap();
    assert!(matches!(error(open()), TrainingCheckpointError::NotACheckpoint("fit")));
}

#[test]
fn reported_errors_equal_those_of_the_search_evaluation() {
    // The fit and the search evaluate the same weights with different code.
    let folder = tempfile::tempdir().unwrap();
    let corpus = Corpus(vec![games(folder.path(), 1, 200)]);
    let mut last = Vec::new();
    let mut on_step = |fitted: &Fitted| last.push(fitted.clone());
    let cancel = Cancel::new();
    let trained = fit(&ORDER, &corpus, None, &FitOptions::default(), None, &cancel, &mut on_step).unwrap().unwrap();
    let evaluation = PatternEvaluation::new(&ORDER, trained.weights);
    let report = EvaluationReport::of_games(&|board| evaluation.evaluate(board), &corpus, DataSplit::HeldOut);
    let mut compared = 0;
    for (empties, errors) in report.by_empties() {
        let fitted = &last[last.len() - 1 - (empties as usize - 1)];
        assert_eq!((fitted.sweep, fitted.ply), (Sweep::Forward, 60 - empties as usize));
        assert_eq!(fitted.held_out.count, errors.count);
        let (a, b) = (fitted.held_out.mean_absolute().unwrap(), errors.mean_absolute().unwrap());
        assert!((a - b).abs() < 1e-9, "{empties}: {a}, {b}");
        compared += 1;
    }
    assert!(compared > 20);
}

#[test]
fn keeps_the_weights_of_some_numbers_of_empty_squares() {
    let mut trained = TrainedWeights::zero(3);
    for (ply, (weights, counts)) in trained.weights.plies.iter_mut().zip(&mut trained.counts.plies).enumerate() {
        weights.fill(ply as i16);
        counts.fill(1);
    }
    trained.keep(6..=20);
    // 20 empty squares are ply 40, and 6 are ply 54.
    let expected: Vec<i16> = (0..PLIES as i16).map(|ply| ply.clamp(40, 54)).collect();
    assert_eq!(trained.weights.plies.iter().map(|weights| weights[2]).collect::<Vec<_>>(), expected);
    let counted: Vec<usize> = (0..PLIES).filter(|&ply| trained.counts.plies[ply][0] == 1).collect();
    assert_eq!(counted, (40..=54).collect::<Vec<_>>());
}

#[test]
fn rounds_weights_to_the_nearest_multiple() {
    let mut trained = TrainedWeights::zero(1);
    for step in [1, 7, 32, 1000, i16::MAX] {
        for weight in (i16::MIN..=i16::MAX).step_by(5).chain([i16::MAX]) {
            trained.weights.plies[9][0] = weight;
            trained.round(step);
            let rounded = trained.weights.plies[9][0];
            assert_eq!(rounded % step, 0, "{weight} by {step}");
            // Multiples outside the range are not available.
            let beyond = i32::from(weight.unsigned_abs()) + i32::from(step) / 2 > i16::MAX.into();
            let error = (i32::from(weight) - i32::from(rounded)).abs();
            assert!(2 * error <= i32::from(step) || beyond && error < step.into(), "{weight} by {step}: {rounded}");
        }
    }
    assert_eq!(trained.weights.plies[8], [0]);
}

#[test]
fn a_weight_halfway_between_multiples_takes_that_of_the_next_ply() {
    let mut trained = TrainedWeights::zero(1);
    let rounded = |trained: &TrainedWeights| [8, 9, 10, 11].map(|ply| trained.weights.plies[ply][0]);
    for (before, after) in [
        ([4, 12, 4, 8], [8, 8, 8, 8]),
        ([4, 12, 4, 0], [0, 16, 0, 0]),
        ([-4, 4, 5, -4], [0, 8, 8, 0]),
        ([3, 5, -12, -20], [0, 8, -16, -16]),
    ] {
        for (ply, weight) in (8..).zip(before) {
            trained.weights.plies[ply][0] = weight;
        }
        trained.round(8);
        assert_eq!(rounded(&trained), after, "{before:?}");
    }
}
