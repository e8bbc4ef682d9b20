//! Requests that need no search. Each sets up the game and returns its view.

use morello_analysis::{Severity, Theme};
use morello_core::game::{AnnotatedGame, AnyGame, Color, Game, GameResult, MoveTree, Termination};
use morello_core::games;
use morello_files::book::Book;
use morello_play::session::{BoardView, GameView, write};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::ServiceError;
use super::request::{GameRequest, check_length, new_session};
use super::{Json, to_json};

/// A game in the list of games.
#[derive(Debug, Serialize)]
struct GameDescription {
    /// The minimum losses of expected result for an inaccuracy, a mistake and a blunder.
    severities: [f64; 3],
    /// Whether there is a built-in opening book for the game.
    has_book: bool,
    /// The themes that exercises for the game can have.
    themes: Vec<Theme>,
    #[serde(flatten)]
    board: BoardView,
}

pub fn games() -> impl Serialize {
    let describe = |&game: &&'static dyn AnyGame| GameDescription {
        severities: Severity::ALL.map(Severity::least),
        has_book: Book::built_in(game).is_some(),
        themes: Theme::of_game(game).collect(),
        board: BoardView::new(game),
    };
    games::all().iter().map(describe).collect::<Vec<_>>()
}

pub fn view(request: GameRequest) -> Result<GameView, ServiceError> {
    Ok(request.session()?.view())
}

/// The fields of a [`GameView`] that are the same in all views of a line. With the moves, the size
/// of the response would be quadratic.
const SAME: [&str; 4] = ["game", "start", "first", "moves"];

/// Returns the position after every move of a game, as `views` without these fields.
pub fn line(request: GameRequest) -> Result<Json, ServiceError> {
    let mut session = request.session()?;
    session.go_to_ply(0);
    // Write one view at a time: all views of a long game would take much more memory than their
    // text.
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

/// A move in a game: its text, or the selected points.
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

/// Text with a position or game.
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

/// A game, its known metadata, and the format to write it in.
#[derive(Debug, Deserialize)]
pub struct SaveRequest {
    #[serde(flatten)]
    game: GameRequest,
    format: String,
    #[serde(default)]
    names: [String; 2],
    event: Option<String>,
    date: Option<String>,
    /// Black's margin in points, if known.
    points: Option<f64>,
    /// How the game ended, if not by its rules.
    verdict: Option<Verdict>,
    /// The moves with evaluations, glyphs, comments and variations, as in PGN. The main line
    /// replaces the moves.
    tree: Option<String>,
}

/// An end of a game: the winner (`None` for a draw) and the reason in one word.
#[derive(Debug, Deserialize)]
struct Verdict {
    winner: Option<Color>,
    reason: String,
}

pub fn save(request: SaveRequest) -> Result<Value, ServiceError> {
    let SaveRequest { game, format, names, event, date, points, verdict, tree } = request;
    let mut annotated = game.session()?.annotated();
    if let Some(tree) = tree {
        let tree = MoveTree::read(*annotated.game.start(), &tree);
        let line: Vec<_> = tree.main_line().skip(1).collect();
        check_length(line.len())?;
        let mut game = Game::new(*annotated.game.start());
        line.iter().filter_map(|node| node.played).for_each(|m| game.play(m).expect("the move is legal"));
        let notes = line.iter().map(|node| node.note).collect();
        annotated = AnnotatedGame { notes, tree: Some(tree).filter(|tree| !tree.is_plain()), ..game.into() };
    }
    let known = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let tags = &mut annotated.tags;
    tags.names = names.map(known);
    (tags.tournament, tags.date) = (event.and_then(known), date.and_then(known));
    tags.result = points.map(|points| GameResult { points });
    if let Some(Verdict { winner, reason }) = verdict {
        tags.result = Some(GameResult::of_winner(annotated.game.start().game(), winner));
        tags.termination = Termination::read(&reason);
    }
    Ok(json!({ "text": write(&annotated, &format)? }))
}
