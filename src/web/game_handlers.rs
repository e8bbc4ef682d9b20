//! Handlers of the requests that need no search. Each reads its body, sets up the game and responds with its view.

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::api_error::ApiError;
use super::app_state::AppState;
use super::request::{GameRequest, check_length, client, new_session, read, run_blocking};
use crate::analysis::{LossMeasure, Severity};
use crate::game::{AnyGame, Color};
use crate::games;
use crate::session::BoardView;

type ApiResult = Result<Response, ApiError>;

/// Responds with JSON.
pub(super) fn json(value: &impl Serialize) -> Response {
    // Views consist of strings, numbers and lists, so this cannot fail.
    let body = serde_json::to_vec(value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A game in the list of games.
#[derive(Debug, Serialize)]
struct GameDescription {
    /// The least losses of an inaccuracy, a mistake and a blunder, in points.
    severities: [f64; 3],
    #[serde(flatten)]
    board: BoardView,
}

pub(super) async fn games() -> Response {
    let describe = |&game: &&'static dyn AnyGame| GameDescription {
        severities: Severity::limits(game.info().scoring, LossMeasure::Points),
        board: BoardView::new(game),
    };
    json(&games::all().iter().map(describe).collect::<Vec<_>>())
}

pub(super) async fn view(State(state): State<AppState>, request: Request) -> ApiResult {
    let client = client(&request);
    let request: GameRequest = read(request).await?;
    run_blocking(&state, client, move || Ok(json(&request.session()?.view()))).await
}

/// A move in a game: its text, or the points selected for it.
#[derive(Debug, Deserialize)]
struct MoveRequest {
    #[serde(flatten)]
    game: GameRequest,
    #[serde(default, rename = "move")]
    text: Option<String>,
    #[serde(default)]
    touched: Vec<usize>,
}

pub(super) async fn play(State(state): State<AppState>, request: Request) -> ApiResult {
    let client = client(&request);
    let request: MoveRequest = read(request).await?;
    run_blocking(&state, client, move || {
        let mut session = request.game.session()?;
        let targets = match &request.text {
            Some(text) => session.play_text(text).map(|()| Vec::new()),
            None => session.select_points(&request.touched),
        };
        let targets = targets.map_err(|error| ApiError::of(&error))?;
        Ok(if targets.is_empty() { json(&session.view()) } else { json(&json!({ "targets": targets })) })
    })
    .await
}

/// A position, by its pieces.
#[derive(Debug, Deserialize)]
struct ArrangeRequest {
    game: String,
    pieces: Vec<Option<Color>>,
    #[serde(default)]
    in_hand: [u32; 2],
    side: Color,
}

pub(super) async fn arrange(State(state): State<AppState>, request: Request) -> ApiResult {
    let client = client(&request);
    let ArrangeRequest { game, pieces, in_hand, side } = read(request).await?;
    run_blocking(&state, client, move || {
        let mut session = new_session(&game)?;
        session.arrange(&pieces, in_hand, side).map_err(|error| ApiError::of(&error))?;
        Ok(json(&session.view()))
    })
    .await
}

/// A text with a position or game.
#[derive(Debug, Deserialize)]
struct LoadRequest {
    game: String,
    text: String,
}

pub(super) async fn load(State(state): State<AppState>, request: Request) -> ApiResult {
    let client = client(&request);
    let LoadRequest { game, text } = read(request).await?;
    run_blocking(&state, client, move || {
        let mut session = new_session(&game)?;
        let loaded = session.load(&text).map_err(|error| ApiError::of(&error))?;
        check_length(session.game().moves().len())?;
        Ok(json(&json!({ "view": session.view(), "more": loaded.more })))
    })
    .await
}

/// A game and the format to write it in.
#[derive(Debug, Deserialize)]
struct SaveRequest {
    #[serde(flatten)]
    game: GameRequest,
    format: String,
    #[serde(default)]
    names: [String; 2],
}

pub(super) async fn save(State(state): State<AppState>, request: Request) -> ApiResult {
    let client = client(&request);
    let SaveRequest { game, format, names } = read(request).await?;
    run_blocking(&state, client, move || {
        let text = game.session()?.save(&format, names.each_ref().map(String::as_str));
        Ok(json(&json!({ "text": text.map_err(|error| ApiError::of(&error))? })))
    })
    .await
}
