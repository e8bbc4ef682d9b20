//! [`interpret`]: what a text means at the board: a move, a command, or the reason why neither.

use thiserror::Error;

use super::command::{Command, CommandSyntaxError};
use super::end_view::EndView;
use super::grid;
use crate::game::{AnyMove, Game, Position as _, is_pass_word};

/// What a person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypedInput {
    /// Nothing.
    Empty,
    /// A legal move.
    Move(AnyMove),
    /// A command.
    Command(Command),
}

/// Why a text is not played, or a point not taken; the session is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A command is not written as it should be.
    #[error(transparent)]
    WrongForm(#[from] CommandSyntaxError),
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(String),
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
        grid_example: Option<String>,
    },
    /// A point cannot be chosen, for this reason.
    #[error("{0}")]
    Point(String),
}

impl InputError {
    /// Returns the reason for the person who has just typed the move: the text is not repeated where that is clear.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::GameOver(_) => "the game is over".to_owned(),
            Self::Illegal { reason, .. } => reason.clone(),
            Self::NotAMove { text, example, grid_example: by_grid } => {
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
/// [`InputError`], with the reason.
pub fn interpret(game: &Game, line: &str) -> Result<TypedInput, InputError> {
    let line = line.trim();
    match Command::read(line)? {
        _ if line.is_empty() => Ok(TypedInput::Empty),
        Some(command) => Ok(TypedInput::Command(command)),
        None => read_move(game, line).map(TypedInput::Move),
    }
}

/// Reads a legal move, in the game's own notation or [by rows and columns](grid); `pass` is a pass in every game that has one.
///
/// # Errors
/// [`InputError`], with the reason.
pub fn read_move(game: &Game, text: &str) -> Result<AnyMove, InputError> {
    check_not_over(game)?;
    let position = game.position();
    if let Some(m) = position.find_move(text).or_else(|| position.forced_pass().filter(|_| is_pass_word(text))) {
        return Ok(m);
    }
    let text = text.to_owned();
    let why = position.why_illegal(&text).map(|why| Err(why.to_string()));
    if let Some(found) = why.or_else(|| grid::read(position, &text)) {
        return found.map_err(|reason| InputError::Illegal { text, reason });
    }
    let example = position.legal_moves().next();
    Err(InputError::NotAMove {
        text,
        example: example.map_or_else(String::new, |m| m.to_string()),
        grid_example: example.and_then(|m| grid::write(position, m)),
    })
}

pub(super) fn check_not_over(game: &Game) -> Result<(), InputError> {
    game.end().map_or(Ok(()), |end| Err(InputError::GameOver(EndView::new(game, end).text)))
}
