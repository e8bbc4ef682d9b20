//! [`interpret`]: what a text means at the board: a move, a command, or the reason why neither.

use thiserror::Error;

use super::command::{Command, WrongForm};
use super::end::EndView;
use super::grid;
use crate::game::{AnyMove, Game, Position as _, is_pass_word};

/// What a person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Typed {
    /// Nothing.
    Nothing,
    /// A legal move.
    Move(AnyMove),
    /// A command.
    Command(Command),
}

/// Why a text is not played, or a point not taken; the session is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// A command is not written as it should be.
    #[error(transparent)]
    WrongForm(#[from] WrongForm),
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(String),
    /// The rules do not allow it.
    #[error("`{text}`: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// Why.
        reason: String,
    },
    /// It is not a move that could be played here.
    #[error("`{text}` is no move here; one would be `{example}`")]
    NotAMove {
        /// What was typed.
        text: String,
        /// A legal move.
        example: String,
        /// The same [by rows and columns](grid), if it has such a text.
        by_grid: Option<String>,
    },
    /// A point cannot be chosen, for this reason.
    #[error("{0}")]
    Point(String),
}

impl Refused {
    /// Returns the reason for the person who has just typed the move: the text is not repeated where that is clear.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Over(_) => "the game is over".to_owned(),
            Self::Illegal { reason, .. } => reason.clone(),
            Self::NotAMove { text, example, by_grid } => {
                let or = by_grid.as_ref().map_or_else(String::new, |by_grid| format!(" or `{by_grid}`"));
                format!("`{text}` is no move: write it as `{example}`{or}")
            }
            other => other.to_string(),
        }
    }
}

/// Says what a line means where a game has come to.
///
/// # Errors
/// [`Refused`], with the reason.
pub fn interpret(game: &Game, line: &str) -> Result<Typed, Refused> {
    let line = line.trim();
    match Command::read(line)? {
        _ if line.is_empty() => Ok(Typed::Nothing),
        Some(command) => Ok(Typed::Command(command)),
        None => read_move(game, line).map(Typed::Move),
    }
}

/// Reads a legal move, in the game's own notation or [by rows and columns](grid); `pass` is a pass in every game that has one.
///
/// # Errors
/// [`Refused`], with the reason.
pub fn read_move(game: &Game, text: &str) -> Result<AnyMove, Refused> {
    refuse_if_over(game)?;
    let position = game.position();
    if let Some(m) = position.find_move(text).or_else(|| position.forced_pass().filter(|_| is_pass_word(text))) {
        return Ok(m);
    }
    let text = text.to_owned();
    let why = position.why_illegal(&text).map(|why| Err(why.to_string()));
    if let Some(found) = why.or_else(|| grid::read(position, &text)) {
        return found.map_err(|reason| Refused::Illegal { text, reason });
    }
    let example = position.legal_moves().next();
    Err(Refused::NotAMove {
        text,
        example: example.map_or_else(String::new, |m| m.to_string()),
        by_grid: example.and_then(|m| grid::write(position, m)),
    })
}

pub(super) fn refuse_if_over(game: &Game) -> Result<(), Refused> {
    game.end().map_or(Ok(()), |end| Err(Refused::Over(EndView::new(game, end).text)))
}
