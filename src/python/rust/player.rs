//! A Python function as a player of matches.

use std::sync::{Arc, Mutex, PoisonError};

use morello::game::{self, Cancel, Certainty, Choice, IllegalMove, Player, PlayerError, Position as _, Score};
use morello::tournament::Entrant;
use pyo3::prelude::*;

use crate::errors::invalid;
use crate::record::Game;

/// The first exception of a player, which aborts the match.
#[derive(Clone, Default)]
pub struct Failure {
    exception: Arc<Mutex<Option<PyErr>>>,
    /// Raised by an exception.
    pub abort: Cancel,
}

impl Failure {
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

/// Returns who takes part in matches with a Python function of the game and of its seed, which
/// chooses moves.
pub fn entrant(name: String, function: Py<PyAny>, failure: Failure) -> Entrant {
    let function = Arc::new(function);
    Entrant {
        name: name.clone(),
        text: name.clone(),
        settings: "a Python function".to_owned(),
        wants_database: false,
        clock: None,
        time: None,
        player: Box::new(move |_, _| {
            let (function, name, failure) = (Arc::clone(&function), name.clone(), failure.clone());
            Ok(Box::new(FunctionPlayer { function, name, seed: 0, failure }))
        }),
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
        let mut choice = Choice::new(m);
        choice.score = points.map(|points| Score {
            thousandths: (points * f64::from(Score::POINT)) as i32,
            ..Score::of(0, Certainty::Heuristic)
        });
        Ok(choice)
    }
}
