//! The questions about a game that are answered at once: each handler reads its body, sets the game up and answers with what there is to see.

use axum::extract::Request;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::refusal::Refusal;
use super::request::{GameRequest, aside, check_length, new_session, read};
use crate::game::Color;
use crate::games;
use crate::session::BoardView;

type Answer = Result<Response, Refusal>;

/// Answers with JSON.
fn json(value: &impl Serialize) -> Response {
    // Views are made of texts, numbers and lists, which JSON has.
    let body = serde_json::to_vec(value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

pub(super) async fn games() -> Response {
    json(&games::all().iter().map(|&game| BoardView::new(game)).collect::<Vec<_>>())
}

pub(super) async fn view(request: Request) -> Answer {
    let asked: GameRequest = read(request).await?;
    aside(move || Ok(json(&asked.session()?.view()))).await
}

/// A move in a game: its text, or the points touched for it.
#[derive(Debug, Deserialize)]
struct Move {
    #[serde(flatten)]
    game: GameRequest,
    #[serde(default, rename = "move")]
    text: Option<String>,
    #[serde(default)]
    touched: Vec<usize>,
}

pub(super) async fn play(request: Request) -> Answer {
    let asked: Move = read(request).await?;
    aside(move || {
        let mut session = asked.game.session()?;
        let targets = match &asked.text {
            Some(text) => session.play_text(text).map(|()| Vec::new()),
            None => session.touch(&asked.touched),
        };
        let targets = targets.map_err(|refused| Refusal::of(&refused))?;
        Ok(if targets.is_empty() { json(&session.view()) } else { json(&json!({ "targets": targets })) })
    })
    .await
}

/// A position made of pieces.
#[derive(Debug, Deserialize)]
struct Arrange {
    game: String,
    pieces: Vec<Option<Color>>,
    #[serde(default)]
    in_hand: [u32; 2],
    side: Color,
}

pub(super) async fn arrange(request: Request) -> Answer {
    let Arrange { game, pieces, in_hand, side } = read(request).await?;
    aside(move || {
        let mut session = new_session(&game)?;
        session.arrange(&pieces, in_hand, side).map_err(|error| Refusal::of(&error))?;
        Ok(json(&session.view()))
    })
    .await
}

/// A text that holds a position or a game.
#[derive(Debug, Deserialize)]
struct Load {
    game: String,
    text: String,
}

pub(super) async fn load(request: Request) -> Answer {
    let Load { game, text } = read(request).await?;
    aside(move || {
        let mut session = new_session(&game)?;
        let loaded = session.load(&text).map_err(|error| Refusal::of(&error))?;
        check_length(session.game().moves().len())?;
        Ok(json(&json!({ "view": session.view(), "more": loaded.more })))
    })
    .await
}

/// A game and the format in which it is wanted.
#[derive(Debug, Deserialize)]
struct Save {
    #[serde(flatten)]
    game: GameRequest,
    format: String,
    #[serde(default)]
    names: [String; 2],
}

pub(super) async fn save(request: Request) -> Answer {
    let Save { game, format, names } = read(request).await?;
    aside(move || {
        let text = game.session()?.save(&format, names.each_ref().map(String::as_str));
        Ok(json(&json!({ "text": text.map_err(|error| Refusal::of(&error))? })))
    })
    .await
}
