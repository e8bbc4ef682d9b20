//! Python functions as match players: for one game, or for the boards of all games in progress.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use morello::game::{
    self, AnyPosition, Cancel, Certainty, Choice, IllegalMove, Player, PlayerError, Position as _, Score,
};
use morello::tournament::Entrant;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::batch::{board_array, move_numbers, packed_rows};
use crate::errors::invalid;
use crate::items::Items;
use crate::record::Game;
use crate::work;

/// The first exception of a player, which aborts the match.
#[derive(Clone, Default)]
pub struct Failure {
    exception: Arc<Mutex<Option<PyErr>>>,
    /// Raised when a player raises an exception.
    pub abort: Cancel,
}

impl Failure {
    /// Returns the exception, if any.
    pub fn take(&self) -> Option<PyErr> {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps the exception and aborts the match.
    fn report(&self, error: PyErr) -> PlayerError {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.abort.cancel();
        PlayerError::Cancelled
    }
}

/// What a function returns.
#[derive(FromPyObject)]
enum Answer {
    Move(String),
    MoveAndScore(String, f64),
}

/// Returns a match participant that chooses moves with a Python function of the game and the seed.
pub fn entrant(name: String, function: Py<PyAny>, failure: Failure) -> Entrant {
    let function = Arc::new(function);
    let text = name.clone();
    entrant_of(name, "a Python function", move || FunctionPlayer {
        function: Arc::clone(&function),
        name: text.clone(),
        seed: 0,
        failure: failure.clone(),
    })
}

/// Returns a match participant that chooses moves with a Python function of many boards.
pub fn batch_entrant(name: String, function: Py<PyAny>, failure: Failure) -> Entrant {
    let queue =
        Arc::new(Queue { function, name: name.clone(), failure, requests: Mutex::default(), answered: Condvar::new() });
    entrant_of(name, "a Python function of batches", move || BatchPlayer(Arc::clone(&queue)))
}

/// Returns a match participant with one player per thread.
fn entrant_of<P: Player + 'static>(
    name: String,
    settings: &str,
    player: impl Fn() -> P + Send + Sync + 'static,
) -> Entrant {
    Entrant {
        name: name.clone(),
        text: name,
        settings: settings.to_owned(),
        wants_database: false,
        clock: None,
        time: None,
        player: Box::new(move |_, _| Ok(Box::new(player()))),
    }
}

/// The player of one thread.
struct FunctionPlayer {
    function: Arc<Py<PyAny>>,
    name: String,
    seed: u64,
    failure: Failure,
}

impl Player for FunctionPlayer {
    fn prepare(&mut self, seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &game::Game, _cancel: &Cancel) -> Result<Choice, PlayerError> {
        let Self { function, name, failure, .. } = self;
        let answer = Python::attach(|py| {
            let answer = function.call1(py, (Game { inner: game.clone().into() }, self.seed))?;
            if answer.is_none(py) {
                return Ok(None);
            }
            let answer = answer.bind(py);
            let wrong = |_| {
                invalid(format!(
                    "the player `{name}` returned {answer:?}: expected a move such as \"{}\", a move and its \
                        score, or None to resign",
                    game.position().legal_moves().next().map_or_else(String::new, |m| m.to_string())
                ))
            };
            answer.extract::<Answer>().map(Some).map_err(wrong)
        });
        let (text, points) = match answer.map_err(|error| failure.report(error))? {
            None => return Err(PlayerError::Resigned),
            Some(Answer::Move(text)) => (text, None),
            Some(Answer::MoveAndScore(text, points)) => (text, Some(points)),
        };
        let position = game.position();
        let Some(m) = position.find_move(&text) else {
            return Err(IllegalMove::of_text(text, *position).into());
        };
        Ok(chosen(m, points))
    }
}

/// Returns the choice of a move and its score in points.
fn chosen(m: game::AnyMove, points: Option<f64>) -> Choice {
    let mut choice = Choice::new(m);
    choice.score = points.map(|points| Score {
        thousandths: (points * f64::from(Score::POINT)) as i32,
        ..Score::of(0, Certainty::Heuristic)
    });
    choice
}

/// The positions of games in progress in which a function must choose moves.
///
/// The first player that finds the function idle calls it for all waiting positions. Meanwhile,
/// positions of other games accumulate for the next call.
struct Queue {
    function: Py<PyAny>,
    name: String,
    failure: Failure,
    requests: Mutex<Requests>,
    answered: Condvar,
}

/// The number of a move, and its score in points.
type MoveAnswer = (u16, Option<f64>);

#[derive(Default)]
struct Requests {
    next: u64,
    waiting: Vec<(u64, AnyPosition)>,
    /// The answer to each request; `None` after an exception.
    answers: HashMap<u64, Option<MoveAnswer>>,
    is_busy: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests the move for a position.
    fn ask(&self, position: AnyPosition, cancel: &Cancel) -> Result<MoveAnswer, PlayerError> {
        let mut requests = self.lock();
        let number = requests.next;
        requests.next += 1;
        requests.waiting.push((number, position));
        loop {
            if let Some(answer) = requests.answers.remove(&number) {
                return answer.ok_or(PlayerError::Cancelled);
            }
            if cancel.is_cancelled() {
                requests.waiting.retain(|&(other, _)| other != number);
                return Err(PlayerError::Cancelled);
            }
            if requests.is_busy {
                let waited = self.answered.wait_timeout(requests, work::POLL);
                requests = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            requests.is_busy = true;
            let asked = mem::take(&mut requests.waiting);
            drop(requests);
            let answers = self.answer(&asked);
            requests = self.lock();
            requests.is_busy = false;
            requests.answers.extend(answers);
            self.answered.notify_all();
        }
    }

    /// Calls the function for all positions; an exception aborts the match.
    fn answer(&self, asked: &[(u64, AnyPosition)]) -> Vec<(u64, Option<MoveAnswer>)> {
        let positions: Vec<_> = asked.iter().map(|&(_, position)| position).collect();
        let answers = match Python::attach(|py| self.call(py, &positions)) {
            Ok(answers) => answers.into_iter().map(Some).collect(),
            Err(error) => {
                self.failure.report(error);
                vec![None; asked.len()]
            }
        };
        asked.iter().map(|&(number, _)| number).zip(answers).collect()
    }

    fn call(&self, py: Python<'_>, positions: &[AnyPosition]) -> PyResult<Vec<MoveAnswer>> {
        let boards = board_array(py, packed_rows(positions[0].game().name(), positions)?);
        let answer = self.function.bind(py).call1((boards,))?;
        let (moves, scores) = match answer.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
            Ok((moves, scores)) if answer.is_instance_of::<PyTuple>() => (moves, Some(scores)),
            _ => (answer, None),
        };
        let moves = move_numbers(&moves)?;
        let scores: Vec<Option<f64>> = match scores {
            None => vec![None; moves.len()],
            Some(scores) => {
                let scores: Items<f64> = scores.call_method0("tolist").unwrap_or(scores).extract()?;
                scores.into_iter().map(Some).collect()
            }
        };
        if moves.len() != positions.len() || scores.len() != positions.len() {
            let (name, found) = (&self.name, moves.len().min(scores.len()));
            return Err(invalid(format!("the player `{name}` returned {found} moves for {} boards", positions.len())));
        }
        Ok(moves.into_iter().zip(scores).collect())
    }
}

/// The player of one thread. It shares its function with the players of other threads.
struct BatchPlayer(Arc<Queue>);

impl Player for BatchPlayer {
    fn prepare(&mut self, _seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, game: &game::Game, cancel: &Cancel) -> Result<Choice, PlayerError> {
        let position = game.position();
        let (number, points) = self.0.ask(*position, cancel)?;
        match position.legal_moves().find(|&m| u16::from(m) == number) {
            Some(m) => Ok(chosen(m, points)),
            None => Err(IllegalMove::of_text(number.to_string(), *position).into()),
        }
    }
}
