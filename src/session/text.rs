//! Positions and games in and out as texts, in any format of the game.

use std::error::Error;

use thiserror::Error;

use super::play::play_on;
use crate::game::{Annotated, Color, Game, Held, Playable, any_game};
use crate::input::{Form, Input, ReadError, Reader, RecordError};

/// What was taken of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded {
    /// Whether the text goes on after what was taken.
    pub more: bool,
}

/// Why there is no such position or game.
#[derive(Debug, Error)]
pub enum SetUpError {
    /// A text holds nothing.
    #[error("the text holds no position and no game")]
    Empty,
    /// A text is not what it should be.
    #[error("line {line}, column {column}: {0}", line = .0.line, column = .0.column)]
    Text(RecordError),
    /// A text cannot be read at all.
    #[error("{0}: {source}", source = .0.source)]
    Unreadable(ReadError),
    /// The pieces make no position.
    #[error("{0}")]
    Pieces(Box<dyn Error + Send + Sync>),
    /// A text is no position.
    #[error("`{text}` is no position: {reason}")]
    Start {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: Box<dyn Error + Send + Sync>,
    },
    /// A move cannot be played.
    #[error("`{text}` in ply {ply} is not legal{}", reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    Move {
        /// The move.
        text: String,
        /// Its number, from 1.
        ply: usize,
        /// What the rules say, if it is a move that they know.
        reason: Option<Box<dyn Error + Send + Sync>>,
    },
}

/// Why a game is not written.
#[derive(Debug, Error)]
pub enum SaveError {
    /// No format of the game has the name.
    #[error("no format `{name}` is written (there are: {known})")]
    Unknown {
        /// The name.
        name: String,
        /// The names of those that are.
        known: String,
    },
    /// The format cannot hold this game.
    #[error("it cannot be written as {format}: {reason}")]
    Unfit {
        /// The format.
        format: &'static str,
        /// Why.
        reason: Box<dyn Error + Send + Sync>,
    },
}

pub(super) fn arrange<P: Playable>(pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<P, SetUpError> {
    P::arrange(pieces, in_hand, side).map_err(SetUpError::Pieces)
}

/// Reads the first position or game of a text.
pub(super) fn load<P: Playable>(text: &str) -> Result<(Annotated<P>, Loaded), SetUpError> {
    let mut reader = Reader::open(any_game::<P>(), vec![Input::Text(text.to_owned())], &Form::default())
        .map_err(SetUpError::Unreadable)?;
    let first = reader.next().ok_or(SetUpError::Empty)?.map_err(SetUpError::Unreadable)?;
    let mut more = reader.next().is_some();
    let game: Annotated = match first.held.map_err(SetUpError::Text)? {
        Held::Position(entry) => Game::new(entry.position).into(),
        Held::Games(games) => {
            more |= games.len() > 1;
            games.into_iter().next().ok_or(SetUpError::Empty)?
        }
    };
    Ok((game.typed().expect("the reader reads this game"), Loaded { more }))
}

/// Plays moves from a position, or from the start of the game.
pub(super) fn resume<P: Playable>(start: Option<&str>, moves: &[String]) -> Result<Game<P>, SetUpError> {
    let read = |text: &str| {
        text.parse::<P>().map_err(|reason| SetUpError::Start { text: text.to_owned(), reason: Box::new(reason) })
    };
    let mut game = Game::new(start.map_or_else(|| Ok(P::default()), read)?);
    for (text, ply) in moves.iter().zip(1..) {
        let m = game.position().parse_move(text).ok();
        m.and_then(|m| play_on(&mut game, m).ok()).ok_or_else(|| {
            let reason = game.position().why_illegal(text);
            SetUpError::Move { text: text.clone(), ply, reason }
        })?;
    }
    Ok(game)
}

/// Writes a game in the format with this name, or the position on its board if the format is one of positions.
///
/// # Errors
/// [`SaveError`] if the game has no such format, or it cannot hold this game.
pub fn write<P: Playable>(game: &Annotated<P>, name: &str) -> Result<String, SaveError> {
    let mut written =
        P::formats().iter().filter(|format| format.writing.game.is_some() || format.writing.position.is_some());
    let Some(format) = written.clone().find(|format| format.is_named(name)) else {
        let known: Vec<_> = written.by_ref().map(|format| format.name).collect();
        return Err(SaveError::Unknown { name: name.to_owned(), known: known.join(", ") });
    };
    let text = match (format.writing.game, format.writing.position) {
        (Some(write), _) => write(game),
        (None, Some(write)) => write(&(*game.game.position()).into()),
        (None, None) => return Ok(String::new()),
    };
    text.map_err(|reason| SaveError::Unfit { format: format.name, reason })
}
