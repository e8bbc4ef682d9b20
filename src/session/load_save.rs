//! Positions and games in and out as texts, in any format of the game.

use thiserror::Error;

use super::game::{Session, play_ignoring_custom};
use crate::game::{AnnotatedGame, Color, Game, LineFormat, ParsedRecord, Position as _};
use crate::input::{Input, InputFormat, ReadError, Reader, RecordError};

/// What was taken of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadOutcome {
    /// Whether the text goes on after what was taken.
    pub more: bool,
}

/// Why there is no such position or game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A text holds nothing.
    #[error("the text holds no position and no game")]
    Empty,
    /// A text is not what it should be.
    #[error("line {line}, column {column}: {0}", line = .0.line, column = .0.column)]
    Text(RecordError),
    /// A text cannot be read at all.
    #[error("{0}: {source}", source = .0.source)]
    Unreadable(ReadError),
    /// The pieces make no position, for this reason.
    #[error("{0}")]
    Pieces(String),
    /// A text is no position.
    #[error("`{text}` is no position: {reason}")]
    Start {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A move cannot be played.
    #[error("`{text}` in ply {ply} is not legal{}", reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    Move {
        /// The move.
        text: String,
        /// Its number, from 1.
        ply: usize,
        /// What the rules say, if it is a move that they know.
        reason: Option<String>,
    },
}

/// Why a game is not written.
#[derive(Debug, Error)]
#[non_exhaustive]
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
    Unrepresentable {
        /// The format.
        format: &'static str,
        /// Why.
        reason: String,
    },
}

impl Session {
    /// Begins at a position made of pieces: those on the points of the [layout](crate::game::Layout), and those beside the board of Black and
    /// White, where they are counted.
    ///
    /// # Errors
    /// [`LoadError`] if that is no position of the game; the session is then as it was.
    pub fn arrange(&mut self, pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<(), LoadError> {
        let position = self.rules().arrange(pieces, in_hand, side);
        self.set_game(Game::new(position.map_err(|reason| LoadError::Pieces(reason.to_string()))?));
        Ok(())
    }

    /// Takes the first position or game of a text in any format of the game, and shows its end.
    ///
    /// # Errors
    /// [`LoadError`] with the place; the session is then as it was.
    pub fn load(&mut self, text: &str) -> Result<LoadOutcome, LoadError> {
        let mut reader = Reader::open(self.rules(), vec![Input::Text(text.to_owned())], &InputFormat::default())
            .map_err(LoadError::Unreadable)?;
        let first = reader.next().ok_or(LoadError::Empty)?.map_err(LoadError::Unreadable)?;
        let mut more = reader.next().is_some();
        let game: AnnotatedGame = match first.content.map_err(LoadError::Text)? {
            ParsedRecord::Position(entry) => Game::new(entry.position).into(),
            ParsedRecord::Games(games) => {
                more |= games.len() > 1;
                games.into_iter().next().ok_or(LoadError::Empty)?
            }
        };
        self.set_game(game.game.clone());
        self.loaded = Some(game);
        Ok(LoadOutcome { more })
    }

    /// Takes a game that a [`View`](super::GameView) told: its start and its moves. A draw that is a matter of custom does not end it on the way.
    ///
    /// # Errors
    /// [`LoadError`] if the start is no position or a move is not legal; the session is then as it was.
    pub fn resume(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), LoadError> {
        let read = |text: &str| {
            let no_position = |reason: String| LoadError::Start { text: text.to_owned(), reason };
            self.rules().parse_position(text).map_err(|error| no_position(error.to_string()))
        };
        let mut game = Game::new(start.map_or_else(|| Ok(self.rules().start()), read)?);
        for (text, ply) in moves.iter().zip(1..) {
            let m = game.position().find_move(text);
            m.and_then(|m| play_ignoring_custom(&mut game, m).ok()).ok_or_else(|| {
                let reason = game.position().why_illegal(text).map(|reason| reason.to_string());
                LoadError::Move { text: text.clone(), ply, reason }
            })?;
        }
        self.set_game(game);
        Ok(())
    }

    /// [Writes](write()) the game up to the move that is shown, in the format with this name; `names` are those of Black and White, where no
    /// others were loaded.
    ///
    /// # Errors
    /// [`SaveError`] if the game has no such format, or it cannot hold this game.
    pub fn save(&self, format: &str, names: [&str; 2]) -> Result<String, SaveError> {
        let mut annotated = self.annotated();
        annotated.tags.fill_names(names);
        write(&annotated, format)
    }
}

/// Writes a game in the format with this name, or the position on its board if the format is one of positions.
///
/// # Errors
/// [`SaveError`] if the game has no such format, or it cannot hold this game.
pub fn write(game: &AnnotatedGame, name: &str) -> Result<String, SaveError> {
    let formats = game.game.position().game().formats();
    let write = |format: &LineFormat| {
        format.write_game(game).or_else(|| format.write_position(&(*game.game.position()).into()))
    };
    let unknown = || {
        let written = formats.iter().filter(|format| format.writer.game.is_some() || format.writer.position.is_some());
        let known: Vec<_> = written.map(|format| format.name).collect();
        SaveError::Unknown { name: name.to_owned(), known: known.join(", ") }
    };
    let format = formats.iter().find(|format| format.is_named(name)).ok_or_else(unknown)?;
    let text = write(format).ok_or_else(unknown)?;
    text.map_err(|reason| SaveError::Unrepresentable { format: format.name, reason: reason.to_string() })
}
