//! [`Tuning`]: finds good values for the parameters of an engine by matches against itself.
//!
//! This is simultaneous perturbation stochastic approximation (SPSA). Each step chooses a random
//! direction (up or down) for each parameter and plays a match between the values moved in these
//! directions and the values moved in the opposite directions. Then it moves the values towards the
//! winner. After `k` of `n` game pairs,
//!
//! ```text
//! size(k) = step (n/k)^0.101
//! gain(k) = rate step^2 ((0.1 n + n) / (0.1 n + k))^0.602 / size(k)^2
//! value  += gain(k) size(k) sign (wins - losses)
//! ```
//!
//! so that the final size is `step`. Sources: J. C. Spall (1998), "Implementation of the
//! simultaneous perturbation algorithm"; the schedule is the one used by Stockfish's testing
//! framework.

use std::fmt;
use std::io;
use std::str::FromStr;

use morello_core::fnv::Fnv1a;
use morello_core::game::{Cancel, RandomNumbers, Wdl};
use morello_files::output::plot::PlotError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::runner::{self, RunEvent};
use super::{Entrant, MatchError, MatchPlan, RunError, TournamentFormat, plot};
use crate::players::{ParseSpecError, Spec};

/// A parameter to tune. As text, `margin=40,0,200,10` starts at 40, stays between 0 and 200, and is
/// moved by 10 in the last matches. Without the last number, it is moved by a twentieth of the
/// range. If the start value has no decimals, the engine receives whole numbers.
///
/// ```
/// use morello::tournament::Parameter;
///
/// let parameter: Parameter = "margin=40,0,200".parse()?;
/// assert_eq!((parameter.name.as_str(), parameter.step, parameter.is_whole), ("margin", 10.0, true));
/// assert!("margin=40,50,200".parse::<Parameter>().is_err());
/// # Ok::<(), morello::tournament::ParseParameterError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name. The engine settings contain it as `{name}`.
    pub name: String,
    /// The start value.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The size of the perturbation at the end.
    pub step: f64,
    /// Whether the engine receives whole numbers.
    pub is_whole: bool,
}

/// An invalid [`Parameter`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseParameterError {
    /// The text does not have the right form.
    #[error("expected NAME=START,MIN,MAX or NAME=START,MIN,MAX,STEP, such as margin=40,0,200,10")]
    Form,
    /// The numbers contradict each other.
    #[error(
        "expected MIN <= START <= MAX, MAX at least {LEAST_RANGE} above MIN, and a STEP above 0, at most MAX - MIN"
    )]
    Range,
}

impl Parameter {
    /// Returns the number of decimals shown for a value: two more than the step has.
    #[must_use]
    pub fn decimals(&self) -> usize {
        (2.0 - self.step.log10().floor()).clamp(1.0, 6.0) as usize
    }
}

impl FromStr for Parameter {
    type Err = ParseParameterError;

    fn from_str(text: &str) -> Result<Self, ParseParameterError> {
        let (name, numbers) = text.split_once('=').ok_or(ParseParameterError::Form)?;
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.abs() < MAX_VALUE);
        let values: Option<Vec<f64>> = numbers.split(',').map(number).collect();
        let (start, min, max, step) = match values.as_deref() {
            Some(&[start, min, max]) => (start, min, max, (max - min) / 20.0),
            Some(&[start, min, max, step]) => (start, min, max, step),
            _ => return Err(ParseParameterError::Form),
        };
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(ParseParameterError::Form);
        }
        let is_whole = numbers.split(',').next().is_some_and(|start| start.trim().parse::<i64>().is_ok());
        let (min, max) = if is_whole { (min.ceil(), max.floor()) } else { (min, max) };
        if !(min <= start && start <= max && max - min >= LEAST_RANGE && step > 0.0 && step <= max - min) {
            return Err(ParseParameterError::Range);
        }
        Ok(Self { name: name.to_owned(), start, min, max, step, is_whole })
    }
}

/// The largest value of a parameter, and the smallest range: values have six decimals.
const MAX_VALUE: f64 = 1e12;
const LEAST_RANGE: f64 = 1e-3;

/// Returns whether a parameter name may contain this character.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The exponents of the schedule, and its delay as a fraction of all pairs.
const SIZE_EXPONENT: f64 = 0.101;
const GAIN_EXPONENT: f64 = 0.602;
const DELAY: f64 = 0.1;

/// A match that was played for tuning, and the values after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TuningStep {
    /// The number of game pairs so far, including this step.
    pub pairs: u64,
    /// The values of the first player.
    pub plus: Vec<f64>,
    /// The values of the second player.
    pub minus: Vec<f64>,
    /// The results of the first player.
    #[serde(flatten)]
    pub results: Wdl,
    /// The number of games that a player forfeited.
    pub forfeits: u64,
    /// The values after the step.
    pub values: Vec<f64>,
}

/// The parameters to tune and the matches to play.
pub struct Tuning {
    /// The matches: the game, the total number of games, the seed, the openings and the rules. The
    /// players are made from `engine`.
    pub plan: MatchPlan,
    /// The engine settings, with `{name}` for each parameter.
    pub engine: String,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The number of games per step, an even number.
    pub batch: u64,
    /// The learning rate: how fast the values move; 0.002 is usual.
    pub rate: f64,
}

morello_core::debug_fields!(Tuning { engine, parameters, batch, rate });

/// Why parameters cannot be tuned.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TuningError {
    /// The engine settings are invalid with the values of the parameters.
    #[error("{kind}: `{text}`", kind = .error.kind)]
    Engine {
        /// The settings.
        text: String,
        /// The error.
        error: ParseSpecError,
    },
    /// A parameter does not occur in the engine settings.
    #[error("the engine has no `{{{0}}}`; write it where the value of the parameter belongs")]
    Unused(String),
    /// The settings contain a name in braces that is not a parameter.
    #[error("`{{{0}}}` in the engine is not a parameter; add it with --parameter")]
    Unknown(String),
    /// The engine cannot start with the values of a step.
    #[error("with the settings `{text}`")]
    Start {
        /// The settings.
        text: String,
        /// The error.
        source: MatchError,
    },
    /// Both players forfeited all games of a step, so the step says nothing about the values.
    #[error("all games of a step were forfeited: {0}")]
    Forfeits(String),
    /// A step of an earlier run does not match this tuning.
    #[error("step {0} of the earlier run does not fit these parameters and games")]
    Step(usize),
    /// Two parameters have the same name.
    #[error("the parameter `{0}` is given twice")]
    Repeated(String),
    /// A match cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A match was aborted.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A step could not be saved.
    #[error(transparent)]
    Keep(#[from] io::Error),
}

impl Tuning {
    /// Checks the parameters and the engine.
    ///
    /// # Errors
    /// [`TuningError`] if they cannot be tuned.
    pub fn check(&self) -> Result<(), TuningError> {
        for (number, Parameter { name, .. }) in self.parameters.iter().enumerate() {
            if self.parameters[..number].iter().any(|other| other.name == *name) {
                return Err(TuningError::Repeated(name.clone()));
            }
            if !self.engine.contains(&format!("{{{name}}}")) {
                return Err(TuningError::Unused(name.clone()));
            }
        }
        if let Some(name) = self.unknown_name() {
            return Err(TuningError::Unknown(name.to_owned()));
        }
        let ends: [fn(&Parameter) -> f64; 3] = [|p| p.start, |p| p.min, |p| p.max];
        for end in ends {
            self.spec(&self.parameters.iter().map(end).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Returns the first name in braces that is not a parameter.
    fn unknown_name(&self) -> Option<&str> {
        let names = self.engine.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
        let mut names = names.filter(|name| !name.is_empty() && name.chars().all(is_name));
        names.find(|name| self.parameters.iter().all(|parameter| parameter.name != *name))
    }

    /// Returns the engine spec with these values.
    ///
    /// # Errors
    /// [`TuningError::Engine`] if the settings are invalid.
    pub fn spec(&self, values: &[f64]) -> Result<Spec, TuningError> {
        let mut text = self.engine.clone();
        for (Parameter { name, is_whole, .. }, value) in self.parameters.iter().zip(values) {
            let value = if *is_whole { format!("{}", value.round() as i64) } else { format!("{}", rounded(*value)) };
            text = text.replace(&format!("{{{name}}}"), &value);
        }
        text.parse().map_err(|error| TuningError::Engine { text, error })
    }

    /// Plays the steps that follow `played`, the steps of an earlier run, and passes each new one
    /// to `keep`. Returns all steps. Raising `cancel` aborts the running step. `on_game` is called
    /// after each game with the number of games so far.
    ///
    /// # Errors
    /// [`TuningError`] if the games cannot be played. Steps that were passed to `keep` remain valid.
    pub fn run(
        &mut self,
        mut played: Vec<TuningStep>,
        cancel: &Cancel,
        keep: &mut dyn FnMut(&TuningStep) -> io::Result<()>,
        on_game: &mut dyn FnMut(u64),
    ) -> Result<Vec<TuningStep>, TuningError> {
        self.check()?;
        self.plan.schedule.encounters = TournamentFormat::RoundRobin.encounters(2);
        let all = self.plan.schedule.games / 2;
        let is_step = |number: usize| {
            let step = &played[number];
            let after = number.checked_sub(1).map_or(0, |before| played[before].pairs);
            let is_inside = |(value, parameter): (&f64, &Parameter)| (parameter.min..=parameter.max).contains(value);
            step.pairs == (after + self.batch / 2).min(all)
                && step.pairs > after
                && step.values.len() == self.parameters.len()
                && step.values.iter().zip(&self.parameters).all(is_inside)
        };
        if let Some(wrong) = (0..played.len()).find(|&number| !is_step(number)) {
            return Err(TuningError::Step(wrong + 1));
        }
        // More threads than games would only start unused engines.
        self.plan.threads = self.plan.threads.min(usize::try_from(self.batch).unwrap_or(usize::MAX));
        let Some(openings) = self.plan.find_openings(cancel, &mut |_, _, _| ())? else { return Ok(played) };
        while !cancel.is_cancelled() {
            let pairs = played.last().map_or(0, |step| step.pairs);
            let next = (pairs + self.batch / 2).min(all);
            if next <= pairs {
                break;
            }
            let values = self.values(&played);
            let Perturbation { signs, plus, minus } = self.perturbed(&values, next);
            let entrant = |name: &str, values| {
                Ok::<_, TuningError>(Entrant { name: name.to_owned(), ..Entrant::from(self.spec(values)?) })
            };
            self.plan.entrants = vec![entrant("plus", &plus)?, entrant("minus", &minus)?];
            let (mut results, mut forfeits, mut problem) = (Wdl::default(), 0, None);
            let mut receive = |event: RunEvent| {
                if let RunEvent::Finished(game) = event {
                    results.add(game.half_points().cmp(&1));
                    if game.forfeiter().is_some() {
                        forfeits += 1;
                        problem = problem.take().or(game.problem.clone());
                    }
                    on_game(2 * pairs + results.total());
                }
                Ok(())
            };
            // A machine under load may fail once.
            let players = self.plan.players(cancel).or_else(|_| self.plan.players(cancel));
            let text =
                || self.plan.entrants.iter().map(|entrant| entrant.text.as_str()).collect::<Vec<_>>().join("` and `");
            let players = players.map_err(|source| TuningError::Start { text: text(), source })?;
            let Some(players) = players else { break };
            runner::run(&self.plan, 2 * pairs..2 * next, &openings, players, cancel, &mut receive)?;
            if results.total() < 2 * (next - pairs) {
                break;
            }
            if forfeits == results.total() {
                return Err(TuningError::Forfeits(problem.unwrap_or_default()));
            }
            let values = self.updated(&values, next, &signs, &results);
            let step = TuningStep { pairs: next, plus, minus, results, forfeits, values };
            keep(&step)?;
            played.push(step);
        }
        Ok(played)
    }

    /// Returns the values of the parameters after these steps, in the order of the parameters.
    #[must_use]
    pub fn values(&self, played: &[TuningStep]) -> Vec<f64> {
        let start = || self.parameters.iter().map(|parameter| parameter.start).collect();
        played.last().map_or_else(start, |step| step.values.clone())
    }

    /// Returns the size of the perturbation after this number of pairs.
    fn size(&self, parameter: &Parameter, pairs: u64) -> f64 {
        parameter.step * (self.all_pairs() / pairs.max(1) as f64).powf(SIZE_EXPONENT)
    }

    fn all_pairs(&self) -> f64 {
        (self.plan.schedule.games / 2).max(1) as f64
    }

    /// Moves the values by random signs. Whole numbers are rounded at random, so that small changes
    /// have an effect on average.
    fn perturbed(&self, values: &[f64], pairs: u64) -> Perturbation {
        let mut numbers = RandomNumbers::new(Fnv1a::new().add([self.plan.schedule.seed, pairs]).finish());
        let (mut signs, mut plus, mut minus) = (Vec::new(), Vec::new(), Vec::new());
        for (parameter, value) in self.parameters.iter().zip(values) {
            let sign = if numbers.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
            let share = (numbers.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let size = sign * self.size(parameter, pairs);
            let moved = |value: f64| {
                let value = value.clamp(parameter.min, parameter.max);
                if parameter.is_whole { (value + share).floor().min(parameter.max) } else { value }
            };
            signs.push(sign);
            plus.push(moved(value + size));
            minus.push(moved(value - size));
        }
        Perturbation { signs, plus, minus }
    }

    /// Moves the values towards the winner.
    fn updated(&self, values: &[f64], pairs: u64, signs: &[f64], results: &Wdl) -> Vec<f64> {
        let all = self.all_pairs();
        let delay = DELAY * all;
        let decay = ((delay + all) / (delay + pairs as f64)).powf(GAIN_EXPONENT);
        let lead = results.wins as f64 - results.losses as f64;
        let update = |((parameter, value), sign): ((&Parameter, &f64), &f64)| {
            let size = self.size(parameter, pairs);
            let gain = self.rate * parameter.step.powi(2) * decay / size.powi(2);
            (value + gain * size * sign * lead).clamp(parameter.min, parameter.max)
        };
        self.parameters.iter().zip(values).zip(signs).map(update).collect()
    }

    /// Draws the values over the games as SVG, in percent of the range of each parameter.
    ///
    /// # Errors
    /// [`PlotError`] if the plotting library fails.
    pub fn plot(&self, played: &[TuningStep]) -> Result<String, PlotError> {
        let share =
            |parameter: &Parameter, value: f64| 100.0 * (value - parameter.min) / (parameter.max - parameter.min);
        let mut curves = Vec::new();
        for (number, parameter) in self.parameters.iter().enumerate() {
            let points = played.iter().map(|step| (2.0 * step.pairs as f64, share(parameter, step.values[number])));
            let points = std::iter::once((0.0, share(parameter, parameter.start))).chain(points);
            curves.push((parameter.name.as_str(), points.collect()));
        }
        let title = format!("{}: parameters, as a share of their range", self.plan.game.name());
        plot::curves_svg(&title, &curves)
    }

    /// Returns the summary of these steps.
    #[must_use]
    pub fn summary(&self, played: &[TuningStep]) -> TuningSummary {
        let values = self.values(played);
        let engine = self.spec(&values).map_or_else(|error| error.to_string(), |spec| spec.text().to_owned());
        let parameter = |(parameter, value): (&Parameter, &f64)| TunedParameter {
            value: rounded(*value),
            used: if parameter.is_whole { value.round() } else { rounded(*value) },
            parameter: parameter.clone(),
        };
        TuningSummary {
            game: self.plan.game.name(),
            games: 2 * played.last().map_or(0, |step| step.pairs),
            games_planned: self.plan.schedule.games,
            forfeits: played.iter().map(|step| step.forfeits).sum(),
            parameters: self.parameters.iter().zip(&values).map(parameter).collect(),
            engine,
        }
    }
}

/// The values of both players of a step.
struct Perturbation {
    signs: Vec<f64>,
    plus: Vec<f64>,
    minus: Vec<f64>,
}

/// Rounds a value to what the engine receives.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// The tuned values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TuningSummary {
    /// The game.
    pub game: &'static str,
    /// The number of games played.
    pub games: u64,
    /// The requested number of games.
    pub games_planned: u64,
    /// The number of games that a player forfeited.
    pub forfeits: u64,
    /// The parameters.
    pub parameters: Vec<TunedParameter>,
    /// The engine settings with the values.
    pub engine: String,
}

/// A parameter with its tuned value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TunedParameter {
    /// The parameter.
    #[serde(flatten)]
    pub parameter: Parameter,
    /// The value.
    pub value: f64,
    /// The value as the engine receives it.
    pub used: f64,
}

impl fmt::Display for TuningSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tuning     {}, {} games", self.game, self.games)?;
        if self.games < self.games_planned {
            write!(f, " of {}", self.games_planned)?;
        }
        match self.forfeits {
            0 => writeln!(f)?,
            forfeits => writeln!(f, ", {forfeits} of them forfeited")?,
        }
        let names = self.parameters.iter().map(|tuned| tuned.parameter.name.chars().count());
        let width = names.max().unwrap_or(0).max("parameter".len());
        writeln!(
            f,
            "\n{:<width$}  {:>10}  {:>12}  {:>10}  {:>10}  {:>10}",
            "parameter", "start", "value", "min", "max", "step"
        )?;
        for TunedParameter { parameter, value, .. } in &self.parameters {
            let Parameter { name, start, min, max, step, .. } = parameter;
            let decimals = parameter.decimals();
            writeln!(f, "{name:<width$}  {start:>10}  {value:>12.decimals$}  {min:>10}  {max:>10}  {step:>10}")?;
        }
        writeln!(f, "\nengine     {}", self.engine)
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use morello_core::game::any_game;
    use morello_core::othello;

    use super::*;

    fn tuning(games: u64, parameters: &[&str]) -> Tuning {
        let parameters: Vec<Parameter> = parameters.iter().map(|text| text.parse().unwrap()).collect();
        let settings: Vec<_> = parameters.iter().map(|parameter| format!("{{{}}}", parameter.name)).collect();
        Tuning {
            plan: MatchPlan::new(any_game::<othello::SizedPosition<4>>(), Vec::new(), games),
            engine: format!("hash=1,depth={}", settings.join("1,name=x")),
            parameters,
            batch: 8,
            rate: 0.002,
        }
    }

    #[test]
    fn parses_parameters() {
        let error = |text: &str| text.parse::<Parameter>().unwrap_err();
        for text in ["", "a", "a=", "a=1", "a=1,0", "a=1,0,2,1,1", "=1,0,2", "a b=1,0,2", "a=x,0,2", "a=1,0,inf"] {
            assert_eq!(error(text), ParseParameterError::Form, "{text}");
        }
        for text in
            ["a=3,0,2", "a=-1,0,2", "a=0,0,0", "a=1,0,2,0", "a=1,0,2,3", "a=1,2,0", "a=1,0.5,1.5", "a=0.5,0.5,0.5001"]
        {
            assert_eq!(error(text), ParseParameterError::Range, "{text}");
        }
        let parsed = |text: &str| text.parse::<Parameter>().unwrap();
        assert!(!parsed("a=0.5,0,2").is_whole && !parsed("a=5e-1,0,1").is_whole);
        let whole = parsed("a=1,0.5,3.5,0.5");
        assert_eq!((whole.min, whole.max, whole.is_whole), (1.0, 3.0, true));
        assert_eq!(
            (whole.decimals(), parsed("a=0.001,0,0.01").decimals(), parsed("a=40,0,9000").decimals()),
            (3, 6, 1)
        );
    }

    #[test]
    fn finds_the_best_values_of_a_known_function() {
        let tuning = tuning(40_000, &["a=10,0,100,4", "b=0.9,0.0,1.0,0.05"]);
        let strength = |values: &[f64]| -((values[0] - 70.0) / 20.0).powi(2) - ((values[1] - 0.25) / 0.2).powi(2);
        let mut numbers = RandomNumbers::new(1);
        let mut values = tuning.values(&[]);
        for pairs in (4..=20_000).step_by(4) {
            let Perturbation { signs, plus, minus } = tuning.perturbed(&values, pairs);
            assert!(plus.iter().chain(&minus).zip(tuning.parameters.iter().cycle()).all(|(value, parameter)| {
                (parameter.min..=parameter.max).contains(value) && (!parameter.is_whole || value.fract() == 0.0)
            }));
            let mut results = Wdl::default();
            for _ in 0..8 {
                let expected = 1.0 / (1.0 + (strength(&minus) - strength(&plus)).exp());
                let share = numbers.next_u64() as f64 / u64::MAX as f64;
                results.add(if share < expected { Ordering::Greater } else { Ordering::Less });
            }
            values = tuning.updated(&values, pairs, &signs, &results);
        }
        assert!((values[0] - 70.0).abs() < 6.0 && (values[1] - 0.25).abs() < 0.06, "{values:?}");
    }

    #[test]
    fn a_resumed_run_ends_with_the_same_values() {
        let run = |played: Vec<TuningStep>, stop_after: usize| {
            let mut tuning = tuning(40, &["a=2,1,4,0.5"]);
            tuning.plan.threads = 2;
            let cancel = Cancel::new();
            let mut kept = played.len();
            let mut keep = |_: &TuningStep| {
                kept += 1;
                if kept == stop_after {
                    cancel.cancel();
                }
                Ok(())
            };
            tuning.run(played, &cancel, &mut keep, &mut |_| ()).unwrap()
        };
        let whole = run(Vec::new(), usize::MAX);
        assert_eq!(whole.iter().map(|step| step.pairs).collect::<Vec<_>>(), [4, 8, 12, 16, 20]);
        assert!(whole.iter().all(|step| step.results.total() == 8));
        assert_ne!(whole[1].values, [2.0]);
        let part = run(Vec::new(), 2);
        assert_eq!((part.len(), run(part, usize::MAX)), (2, whole.clone()));
        let mut other = tuning(40, &["a=2,1,4,0.5"]);
        other.batch = 4;
        let wrong = other.run(whole.clone(), &Cancel::new(), &mut |_| Ok(()), &mut |_| ());
        assert!(matches!(wrong, Err(TuningError::Step(1))), "{wrong:?}");
        assert!(tuning(40, &["a=2,1,4,0.5"]).plot(&whole).unwrap().starts_with("<svg"));
    }

    #[test]
    fn rejects_what_cannot_be_tuned() {
        let error = |change: fn(&mut Tuning)| {
            let mut tuning = tuning(40, &["a=2,1,4,0.5"]);
            change(&mut tuning);
            tuning.check().unwrap_err().to_string()
        };
        assert!(error(|tuning| tuning.engine = "depth=1".to_owned()).starts_with("the engine has no `{a}`"));
        assert!(
            error(|tuning| tuning.engine = "nodes={a}{b}".to_owned())
                .starts_with("`{b}` in the engine is not a parameter")
        );
        assert!(error(|tuning| tuning.parameters[0].min = 0.0).ends_with("found `0`: `hash=1,depth=0`"));
        assert!(error(|tuning| tuning.parameters.push(tuning.parameters[0].clone())).contains("given twice"));
    }
}
