//! The answers to requests that need no search. Each sets up the game and returns its view.

use morello_analysis::Severity;
use morello_core::game::{AnyGame, Color};
use morello_core::games;
use morello_play::session::{BoardView, GameView};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::ServiceError;
use super::request::{GameRequest, check_length, new_session};
use super::{Json, to_json};

/// A game in the list of games.
#[derive(Debug, Serialize)]
struct GameDescription {
    /// The least losses of the expected result of an inaccuracy, a mistake and a blunder.
    severities: [f64; 3],
    #[serde(flatten)]
    board: BoardView,
}

pub fn games() -> impl Serialize {
    let describe = |&game: &&'static dyn AnyGame| GameDescription {
        severities: Severity::ALL.map(Severity::least),
        board: BoardView::new(game),
    };
    games::all().iter().map(describe).collect::<Vec<_>>()
}

pub fn view(request: GameRequest) -> Result<GameView, ServiceError> {
    Ok(request.session()?.view())
}

/// The fields of a [`GameView`] that are the same in all views of a line. With the moves, the size
/// of a line would be quadratic.
const SAME: [&str; 4] = ["game", "start", "first", "moves"];

/// Returns the position after every move of a game, as `views` without these fields.
pub fn line(request: GameRequest) -> Result<Json, ServiceError> {
    let mut session = request.session()?;
    session.go_to_ply(0);
    // One view at a time: those of a long game would take much more memory than their text.
    let mut text = br#"{"views":["#.to_vec();
    loop {
        let mut view = json!(session.view());
        view.as_object_mut().into_iter().for_each(|view| view.retain(|field, _| !SAME.contains(&field.as_str())));
        text.extend(to_json(&view));
        if !session.redo() {
            break;
        }
        text.push(b',');
    }
    text.extend(b"]}");
    Ok(text)
}

/// A move in a game: its text, or the points selected for it.
#[derive(Debug, Deserialize)]
pub struct MoveRequest {
    #[serde(flatten)]
    game: GameRequest,
    #[serde(rename = "move")]
    text: Option<String>,
    #[serde(default)]
    touched: Vec<usize>,
}

pub fn play(request: MoveRequest) -> Result<Value, ServiceError> {
    let mut session = request.game.session()?;
    let targets = match &request.text {
        Some(text) => session.play_text(text).map(|()| Vec::new())?,
        None => session.select_points(&request.touched)?,
    };
    Ok(if targets.is_empty() { json!(session.view()) } else { json!({ "targets": targets }) })
}

/// A position, by its pieces.
#[derive(Debug, Deserialize)]
pub struct ArrangeRequest {
    game: String,
    pieces: Vec<Option<Color>>,
    #[serde(default)]
    in_hand: [u32; 2],
    side: Color,
}

pub fn arrange(request: ArrangeRequest) -> Result<GameView, ServiceError> {
    let mut session = new_session(&request.game)?;
    session.arrange(&request.pieces, request.in_hand, request.side)?;
    Ok(session.view())
}

/// A text with a position or game.
#[derive(Debug, Deserialize)]
pub struct LoadRequest {
    game: String,
    text: String,
}

pub fn load(request: LoadRequest) -> Result<Value, ServiceError> {
    let mut session = new_session(&request.game)?;
    let more = session.load(&request.text)?;
    check_length(session.game().moves().len())?;
    Ok(json!({ "view": session.view(), "more": more }))
}

/// A game and the format to write it in.
#[derive(Debug, Deserialize)]
pub struct SaveRequest {
    #[serde(flatten)]
    game: GameRequest,
    format: String,
    #[serde(default)]
    names: [String; 2],
}

pub fn save(SaveRequest { game, format, names }: SaveRequest) -> Result<Value, ServiceError> {
    let text = game.session()?.save(&format, names.each_ref().map(String::as_str))?;
    Ok(json!({ "text": text }))
}
