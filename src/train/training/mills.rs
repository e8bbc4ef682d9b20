//! Fits the evaluation [weights](Weights) of a mill game to games with results and scores.
//!
//! The estimate of a position is the logarithm of the odds of a win, where a draw counts as half a
//! win. It should predict both who wins the game and the search score of the move that was played.
//! The fit minimizes the cross-entropy by stochastic gradient descent with a separate rate for each
//! weight (Adagrad).
//!
//! The weight of a class of configurations at a stage is the sum of two numbers. All stages share
//! one of them, so that a rare configuration starts with the weight that it has at other stages.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use morello_core::game::{AnnotatedGame, AnyPosition, Cancel, Color, Position as _, RandomNumbers};
use morello_core::morris::engine::database::{Database, Probe, TableError};
use morello_core::morris::engine::{
    CONFIGURATION_UNIT, LANES, MEN, Patterns, STAGES, StageWeights, TERMS, Weights, men, of_next_mill, terms,
};
use morello_core::morris::{Board, PointSet, Position, Variant};

/// By how many thousandths of a win the estimate rises when the odds of a win rise e-fold.
const THOUSANDTHS: f32 = 130.0;

/// The decay of the numbers that all stages share, and of the other numbers, relative to the
/// gradient of a position.
const SHARED_DECAY: f32 = 0.0002;
const STAGE_DECAY: f32 = 0.001;

/// The learning rates of the last two passes, relative to the rate of the other passes.
const LAST_RATES: [f32; 2] = [0.5, 0.2];

/// One game in this many is held out.
const HELD_OUT: usize = 50;

/// The number of positions between checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 14;

/// The options of a fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MillFitOptions {
    /// The number of passes over the positions.
    pub epochs: u32,
    /// The learning rate. The last two passes use a half and a fifth of it.
    pub rate: f32,
    /// The share of the game result in the target of an estimate, from 0 to 1. The rest is the
    /// score of the move. For positions without a score, the target is the result.
    pub results: f32,
    /// The seed of the order of the positions.
    pub seed: u64,
}

impl Default for MillFitOptions {
    fn default() -> Self {
        Self { epochs: 4, rate: 0.03, results: 0.25, seed: 1 }
    }
}

/// A finished pass over the positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MillEpoch {
    /// The number of the pass, from 1.
    pub number: u32,
    /// The number of training positions.
    pub samples: u64,
    /// The mean cross-entropy on these positions during training, in nats.
    pub training_loss: f64,
    /// The number of held-out positions.
    pub held_out: u64,
    /// The mean cross-entropy on the held-out positions, in nats; `None` without such positions.
    pub loss: Option<f64>,
    /// The time taken.
    pub time: Duration,
}

/// Positions from mill games, with the results, for a fit.
pub trait MillSamples {
    /// Adds the positions of a game. Positions in the database count with their exact result. The
    /// others count with the result of the game; if some moves have scores, positions before moves
    /// without a score are then skipped, because these moves are random openings. Returns the
    /// number of positions added; 0 if the results are unknown.
    ///
    /// # Errors
    /// Fails if a table of the database cannot be read.
    fn add(&mut self, game: &AnnotatedGame, database: Option<&Database>) -> Result<usize, TableError>;

    /// Returns the number of positions.
    fn len(&self) -> usize;

    /// Returns whether there are no positions.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fits weights. Calls `on_progress` with the number of finished positions, and `on_epoch`
    /// after each pass. Returns the content of a [weights file](Weights::encode); `None` if
    /// cancelled.
    fn fit(
        &mut self,
        options: &MillFitOptions,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(u64),
        on_epoch: &mut dyn FnMut(&MillEpoch),
    ) -> Option<Vec<u8>>;
}

/// Returns an empty collection for the game with this name; `None` if it is not a mill game.
#[must_use]
pub fn mill_samples(game: &str) -> Option<Box<dyn MillSamples>> {
    macro_rules! samples_of {
        ($($name:literal $variant:ident;)*) => {
            match game {
                $($name => Some(Box::new(SampleSet::of::<morello_core::morris::$variant>())),)*
                _ => None,
            }
        };
    }
    morello_core::mill_games!(samples_of)
}

/// The men of the side to move and of the opponent, on the board and in hand.
#[derive(Debug, Clone, Copy)]
struct Men {
    points: [u32; 2],
    hands: [u8; 2],
}

impl Men {
    fn of<V: Variant>(position: &Position<V>) -> Self {
        let side = position.side_to_move();
        let points = [side, !side].map(|color| position.men(color).bits() as u32);
        Self { points, hands: [side, !side].map(|color| position.hand(color)) }
    }
}

/// The part of the inputs of an estimate that depends on the rules of the variant.
struct Features {
    stage: usize,
    terms: [i32; TERMS],
    /// The part of the estimate that does not depend on weights.
    fixed: i32,
}

impl Features {
    fn of<V: Variant>(men: &Men) -> Self {
        // The estimate does not depend on the color of the side to move or on forbidden moves.
        let points = men.points.map(|bits| PointSet::from_bits(bits.into()).expect("the men were in a position"));
        let position = Position::<V>::new(men.hands, points, Color::Black).expect("the men were in a position");
        let terms = terms(&position);
        Self { stage: Weights::stage(&position), terms, fixed: of_next_mill::<V>(&terms) }
    }
}

/// A position of a game.
#[derive(Debug, Clone, Copy)]
struct MillSample {
    men: Men,
    /// The result of the game: 1 for a win of the side to move, 0.5 for a draw, 0 for a loss.
    result: f32,
    /// The score of the move played, in points; NaN if it has none.
    score: f32,
}

impl MillSample {
    /// Returns the winning chance that the estimate should predict.
    fn target(&self, results: f32) -> f32 {
        if self.score.is_nan() {
            return self.result;
        }
        results * self.result + (1.0 - results) * chance_of(self.score * 1000.0 / THOUSANDTHS)
    }
}

/// Returns the chance that corresponds to these logarithmic odds.
fn chance_of(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

struct SampleSet {
    board: &'static Board,
    /// Returns the men of a position; `None` if the position belongs to another game.
    men: fn(&AnyPosition) -> Option<Men>,
    features: fn(&Men) -> Features,
    games: usize,
    training: Vec<MillSample>,
    held_out: Vec<MillSample>,
}

impl SampleSet {
    fn of<V: Variant>() -> Self {
        Self {
            board: V::BOARD,
            men: |position| position.typed::<Position<V>>().map(|position| Men::of(&position)),
            features: Features::of::<V>,
            games: 0,
            training: Vec::new(),
            held_out: Vec::new(),
        }
    }
}

impl MillSamples for SampleSet {
    fn add(&mut self, annotated: &AnnotatedGame, database: Option<&Database>) -> Result<usize, TableError> {
        let AnnotatedGame { game, tags, notes, .. } = annotated;
        let points = tags.points_or(game.points(Color::Black));
        let of_game = points.and_then(|points| points.partial_cmp(&0.0));
        let scored = notes.iter().any(|note| note.eval.is_some());
        let samples = if self.games % HELD_OUT == HELD_OUT - 1 { &mut self.held_out } else { &mut self.training };
        let before = samples.len();
        for (ply, position) in game.positions().iter().enumerate() {
            let score = notes.get(ply).and_then(|note| note.eval).map_or(f32::NAN, |eval| eval as f32);
            let Some(men) = (self.men)(position) else { continue };
            if position.is_over() {
                continue;
            }
            let exact = database.map(|database| database.probe(position, 0)).transpose()?.flatten();
            let of_side =
                |black: Ordering| if position.side_to_move() == Color::Black { black } else { black.reverse() };
            let of_game = || of_game.filter(|_| !scored || !score.is_nan()).map(of_side);
            let Some(outcome) = exact.map(Probe::outcome).or_else(of_game) else { continue };
            samples.push(MillSample { men, result: (1.0 + f32::from(outcome as i8)) / 2.0, score });
        }
        self.games += 1;
        Ok(samples.len() - before)
    }

    fn len(&self) -> usize {
        self.training.len() + self.held_out.len()
    }

    fn fit(
        &mut self,
        options: &MillFitOptions,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(u64),
        on_epoch: &mut dyn FnMut(&MillEpoch),
    ) -> Option<Vec<u8>> {
        let mut model = MillModel::new(self.board, self.features);
        let mut random = RandomNumbers::new(options.seed);
        let mut trained = 0;
        for epoch in 0..options.epochs {
            let start = Instant::now();
            for index in (1..self.training.len()).rev() {
                self.training.swap(index, random.below(index + 1));
            }
            let left = (options.epochs - 1 - epoch) as usize;
            let rate = options.rate * LAST_RATES.iter().rev().nth(left).unwrap_or(&1.0);
            let mut loss = 0.0;
            for samples in self.training.chunks(CHECK_INTERVAL) {
                if cancel.is_cancelled() {
                    return None;
                }
                loss += samples.iter().map(|sample| model.learn(sample, options.results, rate)).sum::<f64>();
                trained += samples.len() as u64;
                on_progress(trained);
            }
            let held_out: f64 = self.held_out.iter().map(|sample| model.loss(sample, options.results)).sum();
            on_epoch(&MillEpoch {
                number: epoch + 1,
                samples: self.training.len() as u64,
                training_loss: loss / self.training.len().max(1) as f64,
                held_out: self.held_out.len() as u64,
                loss: (!self.held_out.is_empty()).then(|| held_out / self.held_out.len() as f64),
                time: start.elapsed(),
            });
        }
        Some(model.weights().encode(self.board))
    }
}

/// A trained number, with the sum of the squares of its gradients.
#[derive(Debug, Clone, Copy)]
struct Parameter {
    value: f32,
    squares: f32,
}

impl Parameter {
    const ZERO: Self = Self { value: 0.0, squares: 1e-8 };

    #[inline(always)]
    fn step(&mut self, gradient: f32, rate: f32) {
        self.squares += gradient * gradient;
        self.value -= rate * gradient / self.squares.sqrt();
    }
}

/// The trained numbers behind the weights, in logarithms of odds.
struct MillModel {
    features: fn(&Men) -> Features,
    patterns: &'static Patterns,
    shared: Vec<Parameter>,
    stages: Vec<StageModel>,
}

struct StageModel {
    terms: [Parameter; TERMS],
    men: [[Parameter; MEN]; MEN],
    classes: Vec<Parameter>,
}

/// What the estimate of a position is computed from.
struct Inputs {
    stage: usize,
    terms: [f32; TERMS],
    /// The part that does not depend on weights, in logarithms of odds.
    fixed: f32,
    men: [usize; 2],
    classes: [usize; LANES],
    lanes: usize,
}

impl MillModel {
    fn new(board: &Board, features: fn(&Men) -> Features) -> Self {
        let patterns = Patterns::of(board);
        let classes = vec![Parameter::ZERO; patterns.class_count()];
        let stage = || StageModel {
            terms: [Parameter::ZERO; TERMS],
            men: [[Parameter::ZERO; MEN]; MEN],
            classes: classes.clone(),
        };
        Self { features, patterns, stages: (0..STAGES).map(|_| stage()).collect(), shared: classes }
    }

    fn inputs(&self, position: &Men) -> Inputs {
        let Men { points: [own, other], hands } = *position;
        let configurations = self.patterns.configurations(own, other);
        let Features { stage, terms, fixed } = (self.features)(position);
        let mut inputs = Inputs {
            stage,
            terms: terms.map(|term| term as f32),
            fixed: fixed as f32 / THOUSANDTHS,
            men: [men(own, hands[0]), men(other, hands[1])],
            classes: [0; LANES],
            lanes: 0,
        };
        for class in configurations.iter().filter_map(|&number| self.patterns.classes().get(usize::from(number))) {
            inputs.classes[inputs.lanes] = usize::from(*class);
            inputs.lanes += 1;
        }
        inputs
    }

    /// Returns the logarithm of the estimated odds of a win.
    fn odds(&self, inputs: &Inputs) -> f32 {
        let stage = &self.stages[inputs.stage];
        let of_terms: f32 = stage.terms.iter().zip(&inputs.terms).map(|(weight, term)| weight.value * term).sum();
        let classes = &inputs.classes[..inputs.lanes];
        let of_patterns: f32 = classes.iter().map(|&class| self.shared[class].value + stage.classes[class].value).sum();
        let [own, other] = inputs.men;
        inputs.fixed + of_terms + stage.men[own][other].value + of_patterns
    }

    /// Learns from a sample, and returns its cross-entropy before the update.
    fn learn(&mut self, sample: &MillSample, results: f32, rate: f32) -> f64 {
        let inputs = self.inputs(&sample.men);
        let chance = chance_of(self.odds(&inputs));
        let target = sample.target(results);
        let gradient = chance - target;
        let stage = &mut self.stages[inputs.stage];
        for (weight, term) in stage.terms.iter_mut().zip(inputs.terms) {
            if term != 0.0 {
                weight.step(gradient * term, rate);
            }
        }
        let [own, other] = inputs.men;
        stage.men[own][other].step(gradient, rate);
        for &class in &inputs.classes[..inputs.lanes] {
            let shared = &mut self.shared[class];
            shared.step(gradient + SHARED_DECAY * shared.value, rate);
            let of_stage = &mut stage.classes[class];
            of_stage.step(gradient + STAGE_DECAY * of_stage.value, rate);
        }
        cross_entropy(chance, target)
    }

    fn loss(&self, sample: &MillSample, results: f32) -> f64 {
        cross_entropy(chance_of(self.odds(&self.inputs(&sample.men))), sample.target(results))
    }

    /// Returns the weights, rounded.
    fn weights(&self) -> Weights {
        let word = |parameter: &Parameter| (parameter.value * THOUSANDTHS).round() as i16;
        let byte = |value: f32| (value * THOUSANDTHS / CONFIGURATION_UNIT as f32).round() as i8;
        let stages = self.stages.iter().map(|stage| {
            let of_class = |&class: &u16| {
                let class = usize::from(class);
                byte(self.shared[class].value + stage.classes[class].value)
            };
            StageWeights {
                terms: stage.terms.each_ref().map(word),
                men: stage.men.each_ref().map(|row| row.each_ref().map(word)),
                configurations: self.patterns.classes().iter().map(of_class).chain([0]).collect(),
            }
        });
        Weights { stages: stages.collect() }
    }
}

/// Returns the cross-entropy between a chance and its target, in nats.
fn cross_entropy(chance: f32, target: f32) -> f64 {
    let (chance, target) = (f64::from(chance).clamp(1e-6, 1.0 - 1e-6), f64::from(target));
    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use morello_core::game::{Evaluator as _, GameResult, Note, Tags, random_game};
    use morello_core::morris::engine::MillEvaluation;
    use morello_core::morris::engine::database::Ruleset;
    use morello_core::morris::{Morabaraba, SixMensMorris, ThreeMensMorris};

    use super::*;

    /// Returns random games, each won by the side that has more men at its end.
    fn games() -> Vec<AnnotatedGame> {
        let annotated = |seed| {
            let game = random_game::<Position<SixMensMorris>>(seed, 30);
            let last = game.position();
            let [black, white] = Color::ALL.map(|color| f64::from(last.men(color).len() as u8 + last.hand(color)));
            let tags = Tags { result: Some(GameResult { points: black - white }), ..Tags::default() };
            AnnotatedGame { tags, ..AnnotatedGame::from(game).into_any() }
        };
        (0..2000).map(annotated).collect()
    }

    fn fitted(games: &[AnnotatedGame], options: &MillFitOptions) -> (Weights, Vec<MillEpoch>) {
        let mut samples = mill_samples("six-mens-morris").unwrap();
        games.iter().for_each(|game| assert!(samples.add(game, None).unwrap() > 0));
        let (mut epochs, mut trained) = (Vec::new(), 0);
        let bytes = samples.fit(options, &Cancel::new(), &mut |done| trained = done, &mut |epoch| epochs.push(*epoch));
        assert_eq!(trained, epochs.iter().map(|epoch| epoch.samples).sum::<u64>());
        (Weights::decode(SixMensMorris::BOARD, &bytes.unwrap()).unwrap(), epochs)
    }

    #[test]
    fn learns_what_decides_the_games() {
        let games = games();
        let options = MillFitOptions { epochs: 3, ..MillFitOptions::default() };
        let (weights, epochs) = fitted(&games, &options);
        let loss = epochs[2].loss.unwrap();
        assert!(epochs.len() == 3 && epochs[2].held_out > 500);
        // Random guessing has a cross-entropy of 0.69.
        assert!(loss < 0.55 && epochs[2].training_loss < epochs[0].training_loss, "{epochs:?}");
        let stage = &weights.stages[0];
        assert!(stage.men[5][3] + 2 * stage.terms[morello_core::morris::engine::term::MAN] > 50, "{:?}", stage.terms);
        assert_eq!(weights, fitted(&games, &options).0);
        assert_ne!(weights, fitted(&games, &MillFitOptions { seed: 2, ..options }).0);
    }

    #[test]
    fn scores_count_beside_results() {
        let mut games = games();
        for game in &mut games {
            // Black is ahead in every game, regardless of the result.
            let note = |ply| Note { eval: Some(if ply % 2 == 0 { 0.13 } else { -0.13 }), ..Note::default() };
            game.notes = (0..game.game.moves().len()).map(note).collect();
        }
        let mean_of_black = |results| {
            let options = MillFitOptions { epochs: 3, results, ..MillFitOptions::default() };
            let evaluation = MillEvaluation::with_weights::<SixMensMorris>(Arc::new(fitted(&games, &options).0));
            let start = Position::<SixMensMorris>::default();
            let (first, second) = (start, start.after(start.legal_moves().next().unwrap()));
            evaluation.evaluate(&first) - evaluation.evaluate(&second)
        };
        let [scores, results] = [0.0, 1.0].map(mean_of_black);
        // A score of 0.13 points is an estimate of 130 thousandths.
        assert!((200..320).contains(&scores) && results.abs() < 150, "{scores} {results}");
    }

    #[test]
    fn leaves_out_random_openings_and_unknown_results() {
        let mut game = games().swap_remove(0);
        let mut samples = mill_samples("six-mens-morris").unwrap();
        assert_eq!(samples.add(&game, None).unwrap(), game.game.positions().len());
        let scored = |ply| Note { eval: (ply >= 10).then_some(0.1), ..Note::default() };
        game.notes = (0..game.game.moves().len()).map(scored).collect();
        assert_eq!(samples.add(&game, None).unwrap(), game.game.moves().len() - 10);
        game.tags.result = None;
        assert_eq!((samples.add(&game, None).unwrap(), samples.len()), (0, 2 * game.game.positions().len() - 11));
        assert!(mill_samples("othello").is_none());
    }

    #[test]
    fn results_in_the_database_replace_those_of_the_games() {
        let mut database = Database::new(Ruleset::of::<ThreeMensMorris>().unwrap());
        database.solve_small_sectors().unwrap();
        let mut samples = SampleSet::of::<ThreeMensMorris>();
        let (mut exact, mut other) = (Vec::new(), 0);
        for seed in 0..20 {
            // The results are wrong, or unknown.
            let result = (seed % 2 == 0).then_some(GameResult { points: -1.0 });
            let game = random_game::<Position<ThreeMensMorris>>(seed, 12);
            for position in game.positions().iter().filter(|position| !position.is_over()) {
                let outcome = database.probe(&(*position).into(), 0).unwrap().unwrap().outcome();
                exact.push((1.0 + f32::from(outcome as i8)) / 2.0);
                other += usize::from(outcome.is_eq() || outcome.is_gt() == (position.side_to_move() == Color::Black));
            }
            // Moves without a score are random openings.
            let notes = (0..game.moves().len()).map(|ply| Note { eval: (ply >= 4).then_some(0.1), ..Note::default() });
            let (tags, notes) = (Tags { result, ..Tags::default() }, notes.collect());
            let game = AnnotatedGame { tags, notes, ..AnnotatedGame::from(game).into_any() };
            samples.add(&game, Some(&database)).unwrap();
        }
        assert_eq!(samples.training.iter().map(|sample| sample.result).collect::<Vec<_>>(), exact);
        assert!(other > 20, "{other} of {}", exact.len());
    }

    /// Checks that the evaluation with the weights of a model estimates what the model does.
    fn check_evaluation<V: Variant>() {
        let mut model = MillModel::new(V::BOARD, Features::of::<V>);
        for seed in 0..200 {
            let game = random_game::<Position<V>>(seed, 30);
            for (ply, position) in game.positions().iter().enumerate() {
                let (result, score) = ((seed % 3) as f32 / 2.0, (ply % 3) as f32 * 0.1);
                let sample = MillSample { men: Men::of(position), result, score };
                model.learn(&sample, 0.5, 0.03);
            }
        }
        let weights = Weights::decode(V::BOARD, &model.weights().encode(V::BOARD)).unwrap();
        let evaluation = MillEvaluation::with_weights::<V>(Arc::new(weights));
        for seed in 0..50 {
            let game = random_game::<Position<V>>(1000 + seed, seed as usize);
            let (position, inputs) = (game.position(), model.inputs(&Men::of(game.position())));
            let expected = (model.odds(&inputs) * THOUSANDTHS).clamp(-990.0, 990.0);
            // Half a unit for each weight.
            let counts: f32 = inputs.terms.iter().map(|count| count.abs()).sum();
            let rounding = 0.5 * (counts + 1.0) + 0.5 * (CONFIGURATION_UNIT * inputs.lanes as i32) as f32;
            let estimate = evaluation.evaluate(position) as f32;
            assert!((estimate - expected).abs() <= rounding + 0.5, "{position}: {estimate} for {expected}");
        }
    }

    #[test]
    fn the_evaluation_estimates_what_the_model_does() {
        check_evaluation::<SixMensMorris>();
        check_evaluation::<Morabaraba>();
        // In games that a mill wins, the next mill counts in addition to the weights.
        check_evaluation::<ThreeMensMorris>();
    }

    #[test]
    fn a_cancelled_fit_has_no_weights() {
        let mut samples = mill_samples("six-mens-morris").unwrap();
        samples.add(&games()[0], None).unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(samples.fit(&MillFitOptions::default(), &cancel, &mut |_| (), &mut |_| ()).is_none());
    }
}
