//! The requests of the opening trainer: the questions along the next line, with the card of each
//! position after an answer; why a move is wrong; and the card file.
//!
//! ```json
//! {"questions": [{"game": "othello", "start": "..", "side": "black", "best": ["f6"], "values": {"f6": -1.0},
//!   "outcome": null, "source": "Tiger: f5 d6 ..", "moves": ["f5", ".."], "is_new": true, "wrong": {"box": 0, ..},
//!   "right": {"f6": {"box": 1, ..}}}], "positions": 52, "new": 52, "learnt": 0, "due": 0, "next_due": null}
//! {"loss": 3.0, "line": ["c6", "e6"], "reason": {"name": "gives_corner", "point": "a8"}}
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use morello_analysis::Exercise;
use morello_analysis::trainer::{
    Card, Cards, Question, Refutation, Repertoire, RepertoireOptions, Replies, read_cards, write_cards,
};
use morello_core::game::{Color, Position as _};
use morello_files::book::Book;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::{ErrorKind, ServiceError};
use super::message::Message;
use super::request::{GameRequest, find_game, parse_position};
use super::review::reason_view;
use super::{Answer, Settings, ready, to_json};

/// The maximum length of lines, in plies.
const MAX_PLIES: usize = 60;
/// The maximum tolerance, in points.
const MAX_LOSS: f64 = 64.0;

#[derive(Debug, Deserialize)]
pub struct LessonRequest {
    /// The lines begin at the final position of this game.
    #[serde(flatten)]
    start: GameRequest,
    side: Color,
    /// By how many points a right move may be worse than the best one.
    #[serde(default)]
    max_loss: f64,
    max_plies: Option<usize>,
    #[serde(default)]
    replies: Replies,
    /// The cards of the game.
    #[serde(default)]
    cards: Vec<Card>,
    /// The Unix time in seconds.
    now: u64,
    /// The number of new positions that may be asked.
    new: usize,
}

#[derive(Serialize)]
struct QuestionView<'a> {
    #[serde(flatten)]
    exercise: &'a Exercise,
    /// The moves of the line before the position.
    moves: Vec<String>,
    is_new: bool,
    /// The card after a wrong answer, and after each right one.
    wrong: Card,
    right: BTreeMap<&'a str, Card>,
}

impl<'a> QuestionView<'a> {
    fn new(question: &'a Question, now: u64) -> Self {
        let right = question.exercise.best.iter().map(|m| (m.as_str(), question.answered(m, now)));
        Self {
            exercise: &question.exercise,
            moves: question.line.moves().iter().map(ToString::to_string).collect(),
            is_new: question.card.is_new(),
            wrong: question.answered("", now),
            right: right.collect(),
        }
    }
}

pub fn lesson(request: LessonRequest, _: Settings) -> Result<Answer, ServiceError> {
    let LessonRequest { start, side, max_loss, max_plies, replies, cards: known, now, new } = request;
    let (game, plies) = (find_game(&start.game)?, max_plies.unwrap_or(RepertoireOptions::new(side).plies));
    if plies > MAX_PLIES || !(0.0..=MAX_LOSS).contains(&max_loss) {
        let text = format!("lines have at most {MAX_PLIES} plies, and moves lose from 0 to {MAX_LOSS} points");
        return Err(ServiceError::malformed(text));
    }
    let Some(book) = Book::built_in(game) else {
        let text = format!("{} has no built-in opening book", game.name());
        let message = Message::NoBook { game: game.name(), title: game.info().title };
        return Err(ServiceError::new(ErrorKind::Unfulfillable, &text, message));
    };
    let mut cards = Cards::default();
    known.into_iter().filter(|card| card.game == game.name()).for_each(|card| cards.set(card));
    let options = RepertoireOptions { plies, error: max_loss, replies, ..RepertoireOptions::new(side) };
    let repertoire = Repertoire::of_book(start.session()?.game().clone(), Arc::new(book?), options);
    let lesson = repertoire.lesson(&cards, now, new)?;
    Ok(ready(&json!({
        "questions": lesson.questions.iter().map(|question| QuestionView::new(question, now)).collect::<Vec<_>>(),
        "positions": lesson.positions,
        "new": lesson.new,
        "learnt": lesson.learnt,
        "due": lesson.due,
        "next_due": lesson.next_due,
    })))
}

/// Cards to write to a file, or the text of a file to read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardsRequest {
    Cards(Vec<Card>),
    Text(String),
}

pub fn cards(request: CardsRequest) -> Result<Value, ServiceError> {
    Ok(match request {
        CardsRequest::Cards(cards) => json!({ "text": write_cards(&cards) }),
        CardsRequest::Text(text) => json!({ "cards": read_cards(text.as_bytes())? }),
    })
}

#[derive(Debug, Deserialize)]
pub struct RefuteRequest {
    game: String,
    start: String,
    #[serde(rename = "move")]
    m: String,
}

pub fn refute(request: RefuteRequest, _: Settings) -> Result<Answer, ServiceError> {
    let game = find_game(&request.game)?;
    let position = parse_position(game, &request.start)?;
    let m = position.parse_move(&request.m)?;
    Ok(Answer::Later(Box::new(move |service, cancel| {
        let found =
            Refutation::find(&position, m, &mut |game, limits| service.search_separately(game, limits, cancel))?;
        Ok(to_json(&json!({
            "loss": found.loss,
            "line": found.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "reason": found.reason.map(|reason| reason_view(reason, game)),
        })))
    })))
}
