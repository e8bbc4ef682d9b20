//! `Environments`: many simultaneous games of a player against an opponent, for reinforcement
//! learning.
//!
//! The Python module `morello.gymnasium` wraps it. A step calls `apply`, then `reply` while
//! opponents that are Python functions are `waiting`, and then `outcomes` and `observe`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use morello::game::{AnyPosition, Cancel, Color, DrawRules, Game, Limits, Playable, RandomNumbers, Searcher};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::batch::{Array, for_game, integers, seed_of};
use crate::engine;
use crate::errors::invalid;
use crate::limits::SearchLimits;
use crate::position::{Position, game_named};
use crate::state::actions::Actions;
use crate::state::color_named;
use crate::state::observation::Observation;
use crate::state::turns::Turns;
use crate::work;

/// The number of environments that a thread processes at a time. Fewer are processed on the
/// caller's thread.
const CHUNK: usize = 64;
/// How often a game that ends within its random plies is replaced.
const MOST_TRIES: usize = 100;
/// The memory for an opponent's search tables, per thread, in MiB.
const HASH_MIB: usize = 1;

/// The opponent of the player.
#[derive(Clone, Copy)]
enum Opponent {
    Random,
    Search(Limits),
    /// A Python function of the caller.
    Caller,
}

/// A game, and the player's side.
struct Environment<P: Playable> {
    turns: Turns<P>,
    side: Color,
    numbers: RandomNumbers,
    /// Whether the player has lost by an illegal action.
    is_illegal: bool,
}

impl<P: Playable> Environment<P> {
    fn is_over(&self) -> bool {
        self.is_illegal || self.turns.is_over()
    }

    /// Returns whether the opponent must choose an action.
    fn waits(&self) -> bool {
        !self.is_over() && self.turns.side_to_move() != self.side
    }

    /// Plays forced passes and the moves of the opponent, until the player or the caller must
    /// choose.
    fn advance(&mut self, reply: &mut Reply<'_, P>) {
        while !self.is_over() && !self.turns.must_capture() {
            let is_own = self.turns.side_to_move() == self.side;
            match reply {
                Reply::Random if !is_own => self.turns.play_random(&mut self.numbers),
                Reply::Search(searcher, limits, cancel) if !is_own => {
                    searcher.clear();
                    let report = searcher.search(self.turns.game(), limits, cancel, &mut |_| ());
                    match report.best_move() {
                        Some(m) if !cancel.is_cancelled() => self.turns.play(m),
                        _ => return,
                    }
                }
                _ => match self.turns.game().position().forced_pass() {
                    Some(pass) => self.turns.play(pass),
                    None => return,
                },
            }
        }
    }

    /// Starts a game without replies; returns false if it is over after its random plies.
    fn start(&mut self, rules: &Rules) -> bool {
        self.is_illegal = false;
        self.side = rules.side.unwrap_or_else(|| Color::ALL[self.numbers.below(2)]);
        self.turns = Turns::new(Game::with_draw_rules(P::default(), DrawRules::standard::<P>()));
        for _ in 0..rules.random_plies {
            if self.turns.is_over() {
                return false;
            }
            self.turns.play_random(&mut self.numbers);
        }
        !self.turns.is_over()
    }

    /// Starts new games until one is not over when the player or the caller must choose.
    fn reset(&mut self, rules: &Rules, reply: &mut Reply<'_, P>) -> bool {
        (0..MOST_TRIES).any(|_| {
            let has_started = self.start(rules);
            if has_started {
                self.advance(reply);
            }
            has_started && !self.turns.is_over()
        })
    }
}

/// How an opponent moves on a thread.
enum Reply<'a, P: Playable> {
    Random,
    Search(&'a mut dyn Searcher<P>, &'a Limits, &'a Cancel),
    Caller,
}

/// How games start.
#[derive(Clone, Copy)]
struct Rules {
    side: Option<Color>,
    random_plies: u32,
}

/// The environments of a game.
struct Games<P: Playable> {
    environments: Vec<Environment<P>>,
    rules: Rules,
    opponent: Opponent,
    /// One searcher per thread, if the opponent searches.
    searchers: Vec<Mutex<Box<dyn Searcher<P>>>>,
}

impl<P: Playable> Games<P> {
    fn new(count: usize, rules: Rules, opponent: Opponent) -> PyResult<Self> {
        work::check_memory(count, 2 * size_of::<Environment<P>>(), "environments")?;
        let environment = |index| Environment {
            turns: Turns::new(Game::default()),
            side: Color::Black,
            numbers: RandomNumbers::new(seed_of(0, index)),
            is_illegal: false,
        };
        let threads = match opponent {
            Opponent::Search(_) => work::thread_count(None)?.min(count.div_ceil(CHUNK).max(1)),
            _ => 0,
        };
        let options = engine::options(game_named(P::INFO.name)?, (HASH_MIB, threads), None, None, "trained")?;
        let searcher = |_| P::searcher(&options).map(Mutex::new).map_err(invalid);
        let searchers = (0..threads).map(searcher).collect::<PyResult<_>>()?;
        Ok(Self { environments: (0..count).map(environment).collect(), rules, opponent, searchers })
    }

    /// Calls `work` for each environment with its index and the reply of its opponent.
    fn each(&mut self, cancel: &Cancel, work: impl Fn(usize, &mut Environment<P>, &mut Reply<'_, P>) + Sync) {
        let count = self.environments.len();
        let on = |first: usize, part: &mut [Environment<P>], mut reply: Reply<'_, P>| {
            for (index, environment) in part.iter_mut().enumerate() {
                work(first + index, environment, &mut reply);
            }
        };
        let Opponent::Search(limits) = &self.opponent else {
            let is_random = matches!(self.opponent, Opponent::Random);
            let reply = || if is_random { Reply::Random } else { Reply::Caller };
            if count <= CHUNK {
                on(0, &mut self.environments, reply());
            } else {
                let parts = self.environments.par_chunks_mut(CHUNK).enumerate();
                parts.for_each(|(index, part)| on(index * CHUNK, part, reply()));
            }
            return;
        };
        let size = count.div_ceil(self.searchers.len()).max(1);
        let parts = self.environments.par_chunks_mut(size).zip(&self.searchers).enumerate();
        parts.for_each(|(index, (part, searcher))| {
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            on(index * size, part, Reply::Search(&mut **searcher, limits, cancel));
        });
    }
}

/// What the player sees, and the legal actions: one row per environment.
struct Seen {
    observations: Vec<i8>,
    masks: Vec<i8>,
}

/// The environments of any game.
trait AnyGames: Send + Sync {
    fn reset(&mut self, is_chosen: &[bool], seed: Option<u64>, cancel: &Cancel) -> bool;
    /// Applies the given actions, at most one per environment. The player's actions may be illegal.
    fn apply(&mut self, actions: &Actions, chosen: &[Option<i64>], cancel: &Cancel);
    fn waiting(&self) -> Vec<usize>;
    /// Returns whether there is an environment in which the player cannot act.
    fn is_blocked(&self) -> bool;
    fn outcomes(&self) -> (Vec<f64>, Vec<bool>, Vec<bool>);
    /// Observes for the player, or for the opponent.
    fn observe(&self, kind: Observation, actions: &Actions, indices: &[usize], for_opponent: bool) -> Seen;
    fn position(&self, index: usize) -> Position;
    fn side(&self, index: usize) -> Color;
}

impl<P: Playable> AnyGames for Games<P> {
    fn reset(&mut self, is_chosen: &[bool], seed: Option<u64>, cancel: &Cancel) -> bool {
        let failed = AtomicBool::new(false);
        let rules = self.rules;
        self.each(cancel, |index, environment, reply| {
            if !is_chosen[index] {
                return;
            }
            if let Some(seed) = seed {
                environment.numbers = RandomNumbers::new(seed_of(seed, index));
            }
            if !environment.reset(&rules, reply) {
                failed.store(true, Ordering::Relaxed);
            }
        });
        !failed.into_inner()
    }

    fn apply(&mut self, actions: &Actions, chosen: &[Option<i64>], cancel: &Cancel) {
        self.each(cancel, |index, environment, reply| {
            let Some(action) = chosen[index] else { return };
            let action = usize::try_from(action).unwrap_or(usize::MAX);
            environment.is_illegal = !environment.turns.apply(actions, action);
            environment.advance(reply);
        });
    }

    fn waiting(&self) -> Vec<usize> {
        let waiting = self.environments.iter().enumerate().filter(|(_, environment)| environment.waits());
        waiting.map(|(index, _)| index).collect()
    }

    fn is_blocked(&self) -> bool {
        self.environments.iter().any(|environment| environment.is_over() || environment.waits())
    }

    fn outcomes(&self) -> (Vec<f64>, Vec<bool>, Vec<bool>) {
        let mut outcomes = (Vec::new(), Vec::new(), Vec::new());
        for environment in &self.environments {
            let reward = if environment.is_illegal { -1 } else { environment.turns.result(environment.side) };
            outcomes.0.push(reward.into());
            outcomes.1.push(environment.is_over());
            outcomes.2.push(environment.is_illegal);
        }
        outcomes
    }

    fn observe(&self, kind: Observation, actions: &Actions, indices: &[usize], for_opponent: bool) -> Seen {
        let width = kind.shape(actions).iter().product();
        let mut seen =
            Seen { observations: vec![0; width * indices.len()], masks: vec![0; actions.count * indices.len()] };
        let write = |((&index, observation), mask): ((&usize, &mut [i8]), &mut [i8])| {
            let Environment { turns, side, .. } = &self.environments[index];
            let side = if for_opponent { side.opponent() } else { *side };
            let legal = turns.legal(actions);
            legal.iter().for_each(|action| mask[action] = 1);
            kind.write(turns, actions, &legal, side, observation);
        };
        if indices.len() <= CHUNK {
            let rows = seen.observations.chunks_exact_mut(width).zip(seen.masks.chunks_exact_mut(actions.count));
            indices.iter().zip(rows).for_each(|(index, (observation, mask))| write(((index, observation), mask)));
        } else {
            let rows = indices.par_iter().zip(seen.observations.par_chunks_exact_mut(width));
            rows.zip(seen.masks.par_chunks_exact_mut(actions.count)).with_min_len(CHUNK).for_each(write);
        }
        seen
    }

    fn position(&self, index: usize) -> Position {
        Position { inner: AnyPosition::new(*self.environments[index].turns.game().position()) }
    }

    fn side(&self, index: usize) -> Color {
        self.environments[index].side
    }
}

/// Returns the environments of a game.
fn games<P: Playable>(count: usize, rules: Rules, opponent: Opponent) -> PyResult<Box<dyn AnyGames>> {
    Ok(Box::new(Games::<P>::new(count, rules, opponent)?))
}

/// Rewards, whether the game ended, and whether it ended by an illegal action.
type Outcomes<'py> = (Array<'py, f64>, Array<'py, bool>, Array<'py, bool>);
/// Observations and masks.
type Observed<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray2<i8>>);

/// Games of a player against an opponent; `morello.gymnasium` describes the arguments.
#[pyclass(module = "morello")]
struct Environments {
    games: Box<dyn AnyGames>,
    actions: &'static Actions,
    kind: Observation,
    count: usize,
    /// Whether a step takes no longer than waking another thread.
    is_quick: bool,
}

#[pymethods]
impl Environments {
    /// `level` is the opponent's level: 0 for random moves, None for the caller's functions.
    #[new]
    fn new(
        game: &str,
        count: usize,
        level: Option<u32>,
        side: Option<&str>,
        random_plies: u32,
        observation: &str,
    ) -> PyResult<Self> {
        let any = game_named(game)?;
        let opponent = match level {
            None => Opponent::Caller,
            Some(0) => Opponent::Random,
            Some(_) => {
                let limits = SearchLimits { level, ..SearchLimits::default() };
                Opponent::Search(limits.resolve(any, 1)?.for_move())
            }
        };
        let rules = Rules { side: side.map(color_named).transpose()?, random_plies };
        let kind = Observation::named(observation)?;
        let is_quick = count <= CHUNK && !matches!(opponent, Opponent::Search(_));
        let games = for_game!(game, P => games::<P>(count, rules, opponent)?);
        Ok(Self { games, actions: Actions::of(any), kind, count, is_quick })
    }

    /// The number of actions.
    #[getter]
    fn action_count(&self) -> usize {
        self.actions.count
    }

    /// The shape of an observation.
    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.kind.shape(self.actions)
    }

    /// Starts new games in all environments, or in the environments selected by a mask.
    #[pyo3(signature = (chosen=None, seed=None))]
    fn reset(&mut self, py: Python<'_>, chosen: Option<PyReadonlyArray1<'_, bool>>, seed: Option<u64>) -> PyResult<()> {
        let chosen = chosen.map_or_else(|| vec![true; self.count], |chosen| chosen.as_array().to_vec());
        let plays = self.on_games(py, |games, _, cancel| games.reset(&chosen, seed, cancel))?;
        if plays { Ok(()) } else { Err(invalid("random_plies: games end within so many plies")) }
    }

    /// Applies the player's action in each environment, and lets opponents reply.
    fn apply(&mut self, py: Python<'_>, chosen: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.games.is_blocked() {
            return Err(invalid("call reset: a game is over, or an exception has kept an opponent from its move"));
        }
        let chosen = action_numbers(chosen, self.count)?.into_iter().map(Some).collect::<Vec<_>>();
        self.on_games(py, |games, actions, cancel| games.apply(actions, &chosen, cancel))
    }

    /// Returns what the opponents that must choose see; None if there are none.
    fn waiting<'py>(&self, py: Python<'py>) -> PyResult<Option<Observed<'py>>> {
        let waiting = self.games.waiting();
        if waiting.is_empty() { Ok(None) } else { self.seen(py, &waiting, true).map(Some) }
    }

    /// Applies the actions of the opponents that were waiting.
    fn reply(&mut self, py: Python<'_>, chosen: &Bound<'_, PyAny>) -> PyResult<()> {
        let waiting = self.games.waiting();
        let replies = action_numbers(chosen, waiting.len())?;
        let (_, masks) = self.seen(py, &waiting, true)?;
        let masks = masks.readonly();
        let masks = masks.as_array();
        let mut chosen = vec![None; self.count];
        for (row, (&index, &reply)) in waiting.iter().zip(&replies).enumerate() {
            let is_legal = usize::try_from(reply).ok().and_then(|reply| masks.get((row, reply))) == Some(&1);
            if !is_legal {
                return Err(invalid(format!("the opponent's action {reply} is illegal (row {row})")));
            }
            chosen[index] = Some(reply);
        }
        self.on_games(py, |games, actions, cancel| games.apply(actions, &chosen, cancel))
    }

    /// Returns three arrays (count,): the rewards (float64), whether the games ended (bool), and
    /// whether they ended by an illegal action (bool).
    fn outcomes<'py>(&self, py: Python<'py>) -> Outcomes<'py> {
        let (rewards, over, illegal) = self.games.outcomes();
        (rewards.into_pyarray(py), over.into_pyarray(py), illegal.into_pyarray(py))
    }

    /// Returns what the player sees in all environments, or in the environments selected by a mask.
    #[pyo3(signature = (chosen=None))]
    fn observe<'py>(&self, py: Python<'py>, chosen: Option<PyReadonlyArray1<'_, bool>>) -> PyResult<Observed<'py>> {
        let indices: Vec<usize> = match chosen {
            None => (0..self.count).collect(),
            Some(chosen) => (0..self.count).filter(|&index| chosen.as_array()[index]).collect(),
        };
        self.seen(py, &indices, false)
    }

    /// Returns the position of an environment.
    fn position(&self, index: usize) -> PyResult<Position> {
        if index < self.count { Ok(self.games.position(index)) } else { Err(invalid("no such environment")) }
    }

    /// Returns the player's side in an environment.
    fn side(&self, index: usize) -> PyResult<&'static str> {
        if index < self.count { Ok(self.games.side(index).name()) } else { Err(invalid("no such environment")) }
    }
}

impl Environments {
    /// Runs code on the games. Ctrl-C stops opponents that search.
    fn on_games<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyGames, &Actions, &Cancel) -> T + Send,
    ) -> PyResult<T> {
        let Self { games, actions, is_quick, .. } = self;
        if *is_quick {
            return Ok(py.detach(|| work(&mut **games, actions, &Cancel::new())));
        }
        work::run(py, &mut |_| Ok(()), |cancel| work::in_pool(|| Ok(work(&mut **games, actions, cancel))))?
    }

    fn seen<'py>(&self, py: Python<'py>, indices: &[usize], for_opponent: bool) -> PyResult<Observed<'py>> {
        let observe = || self.games.observe(self.kind, self.actions, indices, for_opponent);
        let is_small = indices.len() <= CHUNK;
        let seen = py.detach(|| if is_small { Ok(observe()) } else { work::in_pool(|| Ok(observe())) })?;
        let shape = [vec![indices.len()], self.kind.shape(self.actions)].concat();
        let masks = Array2::from_shape_vec((indices.len(), self.actions.count), seen.masks);
        let masks = masks.expect("a row has one number an action").into_pyarray(py);
        Ok((self.kind.array(py, shape, seen.observations), masks))
    }
}

/// Reads an action for each of `count` environments.
fn action_numbers(chosen: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<i64>> {
    let array = integers(chosen, "actions")?;
    let array: PyReadonlyArray1<'_, i64> = array.call_method1("astype", ("int64",))?.extract()?;
    let numbers = array.as_array().to_vec();
    if numbers.len() == count {
        return Ok(numbers);
    }
    Err(invalid(format!("{} actions for {count} environments", numbers.len())))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Environments>()
}
