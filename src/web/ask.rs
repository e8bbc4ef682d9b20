//! What is asked: the bodies of requests, and the sessions they are about.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::refusal::Refusal;
use super::site::Site;
use crate::game::Color;
use crate::session::{AnyGame, AnySession};

/// The longest body, in bytes.
pub(super) const MOST_BYTES: usize = 64 << 10;
/// The longest time that a body may take.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The longest game, in plies.
const MOST_PLIES: usize = 2000;

/// A game as a page holds it.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
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

/// A move in a game: its text, or the points touched for it.
#[derive(Debug, Deserialize)]
pub(super) struct Move {
    #[serde(flatten)]
    pub told: Told,
    #[serde(default, rename = "move")]
    pub text: Option<String>,
    #[serde(default)]
    pub touched: Vec<usize>,
}

/// A position made of pieces.
#[derive(Debug, Deserialize)]
pub(super) struct Arrange {
    pub game: String,
    pub pieces: Vec<Option<Color>>,
    #[serde(default)]
    pub in_hand: [u32; 2],
    pub side: Color,
}

/// A text that holds a position or a game.
#[derive(Debug, Deserialize)]
pub(super) struct Load {
    pub game: String,
    pub text: String,
}

/// A game and the format in which it is wanted.
#[derive(Debug, Deserialize)]
pub(super) struct Save {
    #[serde(flatten)]
    pub told: Told,
    pub format: String,
    #[serde(default)]
    pub names: [String; 2],
}

/// A game that is to be thought about.
#[derive(Debug, Deserialize)]
pub(super) struct Think {
    #[serde(flatten)]
    pub told: Told,
    /// The level of play.
    #[serde(default)]
    pub level: Option<u32>,
    /// The longest time, in milliseconds; there is a limit to it anyway.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// How many lines are wanted.
    #[serde(default)]
    pub lines: Option<usize>,
    /// The first ply of a graph.
    #[serde(default)]
    pub from: usize,
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

/// Finds a game by its name.
pub(super) fn game(site: &Site, name: &str) -> Result<Arc<dyn AnyGame>, Refusal> {
    site.hall().game(name).ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, format!("unknown game `{name}`")))
}

/// Refuses a game of too many plies.
pub(super) fn check_length(plies: usize) -> Result<(), Refusal> {
    if plies > MOST_PLIES {
        let text = format!("the game is longer than {MOST_PLIES} plies");
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, text));
    }
    Ok(())
}

/// Plays a game through.
pub(super) fn session(site: &Site, told: &Told) -> Result<Box<dyn AnySession>, Refusal> {
    let mut session = game(site, &told.game)?.session();
    check_length(told.moves.len())?;
    session.resume(told.start.as_deref(), &told.moves).map_err(|error| Refusal::of(&error))?;
    if let Some(ply) = told.ply {
        session.jump(ply);
    }
    Ok(session)
}
