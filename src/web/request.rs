//! Requests: their bodies, and the games they are about.

use std::time::Duration;

use axum::extract::Request;
use axum::http::{StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::refusal::Refusal;
use crate::games;
use crate::session::Session;

/// The longest body, in bytes.
pub(super) const MOST_BYTES: usize = 64 << 10;
/// The longest time that a body may take.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The longest game, in plies.
const MOST_PLIES: usize = 2000;

/// A game as a page holds it.
#[derive(Debug, Deserialize)]
pub(super) struct GameRequest {
    /// The name of the game.
    pub game: String,
    /// The position it starts from; the start of the game if there is none.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves, with every pass.
    #[serde(default)]
    pub moves: Vec<String>,
    /// How many of them to play; all if there is none.
    #[serde(default)]
    pub ply: Option<usize>,
}

/// Reads the body of a request.
pub(super) async fn read<T: DeserializeOwned>(request: Request) -> Result<T, Refusal> {
    // Pages of others can send nothing of this type here: their browsers ask first, and get no leave.
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send JSON, as application/json"));
    }
    let slow = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long");
    let body = Limited::new(request.into_body(), MOST_BYTES).collect();
    let body = timeout(BODY_TIME, body).await.map_err(slow)?.map_err(|error| {
        if error.is::<LengthLimitError>() {
            let text = format!("the request is longer than {MOST_BYTES} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text)
        } else {
            Refusal::new(StatusCode::BAD_REQUEST, "the request broke off")
        }
    })?;
    let bytes = body.to_bytes();
    serde_json::from_slice(&bytes).map_err(|error| {
        Refusal::new(StatusCode::BAD_REQUEST, format!("the request is not what it should be: {error}"))
    })
}

impl GameRequest {
    /// Plays the game through.
    pub fn session(&self) -> Result<Session, Refusal> {
        let mut session = new_session(&self.game)?;
        check_length(self.moves.len())?;
        session.resume(self.start.as_deref(), &self.moves).map_err(|error| Refusal::of(&error))?;
        if let Some(ply) = self.ply {
            session.jump(ply);
        }
        Ok(session)
    }
}

/// Begins a game by its name.
pub(super) fn new_session(game: &str) -> Result<Session, Refusal> {
    let unknown = |_| Refusal::new(StatusCode::NOT_FOUND, format!("unknown game `{game}`"));
    games::get(game).map(Session::new).map_err(unknown)
}

/// Refuses a game of too many plies.
pub(super) fn check_length(plies: usize) -> Result<(), Refusal> {
    if plies > MOST_PLIES {
        let text = format!("the game is longer than {MOST_PLIES} plies");
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, text));
    }
    Ok(())
}

/// Does what may take some milliseconds on a thread where it holds nobody up.
pub(super) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "this failed, and should not have");
    spawn_blocking(work).await.map_err(failed)?
}
