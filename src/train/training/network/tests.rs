use morello_core::game::random_game;
use morello_core::othello::engine::network::{INPUTS, Network};
use morello_core::othello::engine::patterns::{PatternEvaluation, ShapeClasses, UNIT};
use morello_core::othello::{Board, Position, Square};

use super::*;
use crate::training::{TrainingCheckpointError, TrainingData, TrainingFile};

/// Returns boards from random games. Their score is half the disc difference, plus eight if a
/// player owns two opposite corners, or minus eight if the players own one each.
fn samples(count: u64) -> Vec<Sample> {
    let sample = |seed: u64| {
        let board = random_game::<Position>(seed, 20 + (seed % 36) as usize).position().board();
        Sample { board, score: score(board) }
    };
    (0..count).map(sample).filter(|sample| !sample.board.moves().is_empty()).collect()
}

fn score(board: Board) -> i8 {
    let owner = |square| i8::from(board.player().contains(square)) - i8::from(board.opponent().contains(square));
    board.disc_difference() as i8 / 2 + 8 * owner(Square::A1) * owner(Square::H8)
}

fn options() -> NetworkOptions {
    NetworkOptions { epochs: 1, ..NetworkOptions::default() }
}

fn learn(samples: &[Sample], passes: usize) -> TrainingState {
    let mut state = TrainingState::new(&Start::Random, 1);
    let tables = Tables::new();
    let batches: Vec<_> = (0..passes).flat_map(|_| samples.chunks(BATCH)).collect();
    for (at, batch) in batches.iter().enumerate() {
        state.learn(batch, &options(), at as f32 / batches.len() as f32, &tables);
    }
    state
}

fn rmse(samples: &[Sample], estimate: impl Fn(&Sample) -> f32) -> f32 {
    let squares: f32 = samples.iter().map(|sample| (estimate(sample) - f32::from(sample.score)).powi(2)).sum();
    (squares / samples.len() as f32).sqrt()
}

#[test]
fn learns_scores() {
    let samples = samples(4000);
    let state = learn(&samples, 12);
    let before = rmse(&samples, |_| 0.0);
    let after = rmse(&samples, |sample| state.model.estimate(sample));
    assert!(after < before / 2.0, "{before} before, {after} after");
    let rows_for_moves = &state.model.rows[ShapeClasses::of_set(&FULL).count()..];
    assert!(rows_for_moves.iter().filter(|row| **row != [0.0; INPUTS]).count() > 8);
    // Rounding changes little.
    let network = Network::new(&state.model.rounded());
    let change = |sample: &Sample| state.model.estimate(sample) - network.evaluate(sample.board) as f32 / UNIT as f32;
    let mean = samples.iter().map(|sample| change(sample).abs()).sum::<f32>() / samples.len() as f32;
    assert!(mean < 0.5, "{mean}");
}

#[test]
fn gradients_equal_differences() {
    let samples = samples(60);
    let state = learn(&samples, 3);
    let mut dense = vec![0.0; DENSE];
    let (rows, _) = state.model.gradients(&samples, &mut dense);
    // The sum of the squared errors, halved, in squared units of the model.
    let loss = |model: &Model| -> f64 {
        let square = |sample: &Sample| f64::from(model.estimate(sample) - f32::from(sample.score)).powi(2);
        samples.iter().map(square).sum::<f64>() / 2.0 / f64::from(model::SCALE).powi(2)
    };
    let slope = |change: &dyn Fn(&mut Model, f32)| {
        let [more, less] = [1.0, -1.0].map(|sign| {
            let mut model = state.model.clone();
            change(&mut model, sign * 1e-3);
            loss(&model)
        });
        ((more - less) / 2e-3) as f32
    };
    let near = |found: f32, expected: f32| (found - expected).abs() < 0.02 * (1.0 + expected.abs());
    for at in (0..DENSE).step_by(97) {
        let expected = slope(&|model, change| model.dense[at] += change);
        assert!(near(dense[at], expected), "{at}: {} and {expected}", dense[at]);
    }
    for (lane, input) in [3, MOVE_LANE].into_iter().flat_map(|lane| (0..4).map(move |input| (lane, input))) {
        let row = rows[0].indices[lane];
        let of_sample = |sample: &RowGradient| {
            sample.indices.iter().filter(|other| **other == row).count() as f32 * sample.gradient[input]
        };
        let found = rows.iter().map(of_sample).sum();
        let expected = slope(&|model, change| model.rows[row as usize][input] += change);
        assert!(near(found, expected), "lane {lane}, input {input}: {found} and {expected}");
    }
}

#[test]
fn starts_with_the_estimates_of_patterns() {
    let mut patterns = Weights::zero(ShapeClasses::of_set(&FULL).count());
    for weights in &mut patterns.plies {
        weights.iter_mut().enumerate().for_each(|(class, weight)| *weight = 20 * ((class % 61) as i16 - 30));
    }
    let model = Model::new(&Start::Patterns(patterns.clone()), 1);
    let evaluation = PatternEvaluation::new(&FULL, patterns);
    let (mut scores, mut changes) = (0.0, 0.0);
    for sample in samples(50) {
        let expected = evaluation.evaluate(sample.board) as f32 / UNIT as f32;
        scores += expected.abs();
        changes += (model.estimate(&sample) - expected).abs();
    }
    // At first, the neurons contribute something, but very little.
    assert!(changes < scores / 4.0, "{changes} of {scores}");
}

#[test]
fn goes_on_with_a_network() {
    let network = learn(&samples(2000), 4).model.rounded();
    let start = Start::decode(&network.encode()).unwrap();
    assert!(Model::new(&start, 1).rounded() == network);
}

#[test]
fn the_numbers_of_rows_stay_in_their_range() {
    let samples: Vec<_> = samples(600).into_iter().map(|sample| Sample { score: 64, ..sample }).collect();
    let mut state = TrainingState::new(&Start::Random, 1);
    for _ in 0..30 {
        state.learn(&samples, &NetworkOptions { rate: 10.0, ..options() }, 0.5, &Tables::new());
    }
    let largest = state.model.rows.as_flattened().iter().fold(0.0, |largest: f32, number| largest.max(number.abs()));
    assert_eq!(largest, MAX_ROW_NUMBER);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let samples = samples(700);
    let with_threads = |threads: usize| {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        pool.install(|| learn(&samples, 1))
    };
    assert!(with_threads(1) == with_threads(3));
}

#[test]
fn an_interrupted_training_resumes_to_the_same_network() {
    let folder = tempfile::tempdir().unwrap();
    let options = NetworkOptions { epochs: 2, ..NetworkOptions::default() };
    let generation =
        crate::training::GenerationOptions { seed: 1, depth: 1, exact_from: 4, random: (20, 40), burst: 0, weights: 0 };
    let mut file = TrainingFile::open_games(&folder.path().join("games"), &generation).unwrap();
    let mut searcher =
        morello_core::othello::engine::OthelloSearcher::new(&morello_core::game::EngineOptions::new(1 << 16));
    for index in 0..60 {
        file.add_game(&crate::training::generate::play(&generation, index, &mut searcher, &Cancel::new()).unwrap())
            .unwrap();
    }
    file.flush().unwrap();
    let corpus = Corpus(vec![TrainingData::read(&folder.path().join("games")).unwrap()]);
    // Trains until this many batches are trained, in all runs together.
    let train = |name: &str, batches: u64| {
        let checkpoint = NetworkCheckpoint::open(&folder.path().join(name), &corpus, &Start::Random, &options).unwrap();
        let cancel = Cancel::new();
        let mut left = batches - checkpoint.batches();
        let mut on_batch = |_: u64, _: u64, _: f64| {
            left -= 1;
            if left == 0 {
                cancel.cancel();
            }
        };
        train(&corpus, &Start::Random, &options, &checkpoint, &cancel, &mut on_batch, &mut |_| ()).unwrap()
    };
    let whole = train("whole", u64::MAX).unwrap();
    // In the first pass, in the second, and to the end.
    assert!(train("parts", 2).is_none() && train("parts", 9).is_none());
    assert!(train("parts", u64::MAX).unwrap() == whole);

    let open = |options: &NetworkOptions| {
        NetworkCheckpoint::open(&folder.path().join("parts"), &corpus, &Start::Random, options)
    };
    let held = open(&options).unwrap();
    assert!(matches!(open(&options), Err(TrainingCheckpointError::Open(_))));
    drop(held);
    let other = NetworkOptions { seed: 2, ..options };
    assert!(matches!(open(&other), Err(TrainingCheckpointError::DifferentTraining)));
    let mut bytes = std::fs::read(folder.path().join("parts")).unwrap();
    bytes.truncate(bytes.len() - 1);
    std::fs::write(folder.path().join("parts"), bytes).unwrap();
    assert!(matches!(open(&options), Err(TrainingCheckpointError::NotACheckpoint("network"))));
}
