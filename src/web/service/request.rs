//! The bodies of requests, and the games in them.

use morello_core::game::{AnyGame, AnyPosition};
use morello_core::games;
use morello_play::session::Session;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::{ErrorKind, ServiceError};
use super::explain::explain;
use super::message::{Message, short};

/// The maximum length of a game, in plies.
const MAX_PLIES: usize = 2000;

/// A game in a request.
#[derive(Debug, Deserialize)]
pub struct GameRequest {
    /// The name of the game.
    pub game: String,
    /// The start position; `None` for the standard one.
    pub start: Option<String>,
    /// The moves, including passes.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The number of moves to play; `None` plays all.
    pub ply: Option<usize>,
}

impl GameRequest {
    /// Replays the game.
    pub fn session(&self) -> Result<Session, ServiceError> {
        let mut session = new_session(&self.game)?;
        check_length(self.moves.len())?;
        session.resume(self.start.as_deref(), &self.moves)?;
        if let Some(ply) = self.ply {
            session.go_to_ply(ply);
        }
        Ok(session)
    }
}

/// Parses the body of a request.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ServiceError> {
    serde_json::from_slice(body).map_err(|error| ServiceError::malformed(format!("malformed request: {error}")))
}

/// Begins a game by its name.
pub fn new_session(game: &str) -> Result<Session, ServiceError> {
    find_game(game).map(Session::new)
}

/// Returns the game with this name.
pub fn find_game(game: &str) -> Result<&'static dyn AnyGame, ServiceError> {
    let unknown = Message::UnknownGame { name: short(game) };
    games::get(game).map_err(|_| ServiceError::new(ErrorKind::NotFound, &format!("unknown game `{game}`"), unknown))
}

/// Parses a position.
pub fn parse_position(game: &'static dyn AnyGame, text: &str) -> Result<AnyPosition, ServiceError> {
    let position = game.parse_position(text);
    position.map_err(|error| ServiceError { kind: ErrorKind::Malformed, explanation: explain(error.without_place()) })
}

/// Rejects a game with too many plies.
pub fn check_length(plies: usize) -> Result<(), ServiceError> {
    if plies > MAX_PLIES {
        let text = format!("the game is longer than {MAX_PLIES} plies");
        return Err(ServiceError::new(ErrorKind::Unfulfillable, &text, Message::GameTooLong { plies: MAX_PLIES }));
    }
    Ok(())
}
