//! Loads and saves positions and games as text, in any format of the game.

use morello_core::game::{AnnotatedGame, Color, Game, LineFormat, Position as _};
use morello_files::input::{ReadTextError, TextGame, read_text};
use thiserror::Error;

use super::game::{Session, play_ignoring_custom};

/// Why a position or game cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not a position or game.
    #[error(transparent)]
    Text(#[from] ReadTextError),
    /// The pieces are not a position of the game, for this reason.
    #[error("{0}")]
    Pieces(String),
    /// The start position cannot be parsed.
    #[error("not a position: `{text}`: {reason}")]
    Start {
        /// The text.
        text: String,
        /// The reason.
        reason: String,
    },
    /// A move is not legal.
    #[error("illegal move `{text}` in ply {ply}{}",
        reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    Move {
        /// The move.
        text: String,
        /// Its number, from 1.
        ply: usize,
        /// The reason, if the text is a move.
        reason: Option<String>,
    },
}

/// Why a game cannot be saved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SaveError {
    /// No format with this name can be written.
    #[error("unknown output format `{name}` (known: {known})")]
    Unknown {
        /// The name.
        name: String,
        /// The names of the formats that can be written.
        known: String,
    },
    /// The format cannot represent this game.
    #[error("cannot write this game as {format}: {reason}")]
    Unrepresentable {
        /// The format.
        format: &'static str,
        /// The reason.
        reason: String,
    },
}

impl Session {
    /// Starts a game at a position given by the pieces on the points of the
    /// [layout](morello_core::game::Layout) and, in games with pieces in hand, their numbers for Black and
    /// White.
    ///
    /// # Errors
    /// [`LoadError`] if this is not a position of the game; the session is then unchanged.
    pub fn arrange(&mut self, pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<(), LoadError> {
        if pieces.iter().all(Option::is_none) && in_hand == [0, 0] {
            return Err(LoadError::Pieces("the board is empty; place at least one piece".to_owned()));
        }
        let position = self.rules().arrange(pieces, in_hand, side);
        self.set_game(Game::new(position.map_err(|reason| LoadError::Pieces(reason.to_string()))?));
        Ok(())
    }

    /// Loads the first position or game of a text in any format of the game, and goes to its end.
    /// Returns whether the text contains more than that.
    ///
    /// # Errors
    /// [`LoadError`] with the location; the session is then unchanged.
    pub fn load(&mut self, text: &str) -> Result<bool, LoadError> {
        let TextGame { game, more } = read_text(self.rules(), text)?;
        self.set_game(game.game.clone());
        self.loaded = Some(game);
        Ok(more)
    }

    /// Restores a game from the start position and the moves of a [`GameView`](super::GameView).
    /// The draw rules do not end it on the way.
    ///
    /// # Errors
    /// [`LoadError`] if the start position cannot be parsed or a move is not legal; the session is
    /// then unchanged.
    pub fn resume(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), LoadError> {
        let read = |text: &str| {
            let not_a_position = |reason: String| LoadError::Start { text: text.to_owned(), reason };
            self.rules().parse_position(text).map_err(|error| not_a_position(error.to_string()))
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

    /// [Writes](write()) the game up to the current position in a format. `names` are the names of
    /// Black and White unless others were loaded.
    ///
    /// # Errors
    /// [`SaveError`] if the format is unknown or cannot represent this game.
    pub fn save(&self, format: &str, names: [&str; 2]) -> Result<String, SaveError> {
        let mut annotated = self.annotated();
        annotated.tags.fill_names(names);
        write(&annotated, format)
    }
}

/// Writes a game in the format with this name; in a format of positions, its current position.
///
/// # Errors
/// [`SaveError`] if the format is unknown or cannot represent this game.
pub fn write(game: &AnnotatedGame, name: &str) -> Result<String, SaveError> {
    let formats = game.game.position().game().formats();
    let write = |format: &LineFormat| {
        format.write_game(game).or_else(|| format.write_position(&(*game.game.position()).into()))
    };
    let unknown = || {
        let writable = formats.iter().filter(|format| format.writer.game.is_some() || format.writer.position.is_some());
        let known: Vec<_> = writable.map(|format| format.name).collect();
        SaveError::Unknown { name: name.to_owned(), known: known.join(", ") }
    };
    let format = formats.iter().find(|format| format.is_named(name)).ok_or_else(unknown)?;
    let text = write(format).ok_or_else(unknown)?;
    text.map_err(|reason| SaveError::Unrepresentable { format: format.name, reason: reason.to_string() })
}
