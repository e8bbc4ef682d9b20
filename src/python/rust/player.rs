//! [`FunctionPlayer`]: a Python function as a player of matches.

use std::sync::{Arc, Mutex, PoisonError};

use morello::game::{self, Cancel, Certainty, Choice, IllegalMove, Player, PlayerError, Position as _, Score};
use pyo3::prelude::*;

use crate::errors::invalid;
use crate::record::Game;

/// The first exception of a player, which aborts the match.
#[derive(Clone)]
pub struct Failure {
    exception: Arc<Mutex<Option<PyErr>>>,
    abort: Cancel,
}

impl Failure {
    /// Creates a place for an exception; an exception raises `abort`.
    pub fn new(abort: Cancel) -> Self {
        Self { exception: Arc::default(), abort }
    }

    /// Returns the exception, if there was one.
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

/// A player whose moves a Python function of the game and of the seed of the game chooses.
pub struct FunctionPlayer {
    function: Arc<Py<PyAny>>,
    name: String,
    seed: u64,
    failure: Failure,
}

impl FunctionPlayer {
    /// Creates a player.
    pub fn new(function: Arc<Py<PyAny>>, name: String, failure: Failure) -> Self {
        Self { function, name, seed: 0, failure }
    }
}

impl Player for FunctionPlayer {
    fn prepare(&mut self, seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &game::Game, _cancel: &Cancel) -> Result<Choice, PlayerError> {
        let answer = Python::attach(|py| {
            let answer = self.function.call1(py, (Game { inner: game.clone().into() }, self.seed))?;
            if answer.is_none(py) {
                return Ok(None);
            }
            let answer = answer.bind(py);
            let wrong = |_| {
                invalid(format!(
                    "the player `{}` returned {answer:?}: expected a move such as \"{}\", a move and its score, or None to resign",
                    self.name,
                    game.position().legal_moves().next().map_or_else(String::new, |m| m.to_string())
                ))
            };
            answer.extract::<Answer>().map(Some).map_err(wrong)
        });
        let (text, points) = match answer.map_err(|error| self.failure.report(error))? {
            None => return Err(PlayerError::Resigned),
            Some(Answer::Move(text)) => (text, None),
            Some(Answer::MoveAndScore(text, points)) => (text, Some(points)),
        };
        let position = game.position();
        let Some(m) = position.find_move(&text) else {
            return Err(IllegalMove { text, position: position.to_string() }.into());
        };
        let mut choice = Choice::new(m);
        choice.score = points.map(|points| Score {
            thousandths: (points * f64::from(Score::POINT)) as i32,
            ..Score::of(0, Certainty::Heuristic)
        });
        Ok(choice)
    }
}
