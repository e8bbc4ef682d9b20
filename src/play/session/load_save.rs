//! Loads and saves positions and games as text, in any format of the game.

use morello_core::game::{AnnotatedGame, Color, Game, GameError, LineFormat, LocatedError, Position as _};
use morello_files::input::{ReadTextError, TextGame, read_text};
use thiserror::Error;

use super::game::{Session, play_ignoring_custom};

/// Why a position or game cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not a position or a game.
    #[error(transparent)]
    Text(#[from] ReadTextError),
    /// There are no pieces.
    #[error("the board is empty; place at least one piece")]
    NoPieces,
    /// The pieces are not a position of the game, for this reason.
    #[error(transparent)]
    Pieces(GameError),
    /// The start position cannot be parsed.
    #[error("not a position: `{text}`: {reason}")]
    Start {
        /// The text.
        text: String,
        /// The reason.
        reason: Box<dyn LocatedError>,
    },
    /// A move is not legal.
    #[error("illegal move `{text}` at ply {ply}{}",
        reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    Move {
        /// The move.
        text: String,
        /// The number of the move, from 1.
        ply: usize,
        /// The reason, if the text is a move.
        reason: Option<GameError>,
    },
}

/// Why a game cannot be saved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
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
        reason: GameError,
    },
}

impl Session {
    /// Starts a game at a position given by the pieces on the points of the
    /// [layout](morello_core::game::Layout) and, in games with pieces in hand, their numbers for Black and
    /// White.
    ///
    /// ```
    /// use morello::game::Color;
    /// use morello::games;
    /// use morello::session::Session;
    ///
    /// let mut session = Session::new(games::get("nine-mens-morris")?);
    /// let mut pieces = vec![None; session.rules().layout().points.len()];
    /// (pieces[0], pieces[9]) = (Some(Color::White), Some(Color::Black));
    /// session.arrange(&pieces, [8, 8], Color::White)?;
    /// assert_eq!(session.view().counts, [1, 1]);
    /// let error = session.arrange(&pieces, [9, 8], Color::White).unwrap_err();
    /// assert_eq!(error.to_string(), "Black has 10 men in hand and on the board; the game allows 9");
    /// assert_eq!(session.view().in_hand, Some([8, 8]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] if this is not a position of the game. The session is then unchanged.
    pub fn arrange(&mut self, pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<(), LoadError> {
        if pieces.iter().all(Option::is_none) && in_hand == [0, 0] {
            return Err(LoadError::NoPieces);
        }
        let position = self.rules().arrange(pieces, in_hand, side);
        self.set_game(Game::new(position.map_err(LoadError::Pieces)?));
        Ok(())
    }

    /// Loads the first position or game from text in any format of the game, and goes to its end.
    /// Returns whether the text contains more games or positions.
    ///
    /// ```
    /// use morello::games;
    /// use morello::session::Session;
    ///
    /// let mut session = Session::new(games::get("othello")?);
    /// assert!(!session.load("f5d6c3")?, "nothing follows");
    /// assert_eq!(session.view().ply, 3);
    /// let error = session.load("f5d6d6").unwrap_err().to_string();
    /// assert_eq!(error, "line 1, column 5: illegal move `d6` at ply 3: the square is occupied");
    /// assert_eq!(session.view().ply, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] with the location. The session is then unchanged.
    pub fn load(&mut self, text: &str) -> Result<bool, LoadError> {
        let TextGame { game, more, .. } = read_text(self.rules(), text)?;
        self.set_game(game.game.clone());
        self.loaded = Some(game);
        Ok(more)
    }

    /// Restores a game from the start position and the moves of a [`GameView`](super::GameView).
    /// The draw rules do not end the game before the last move.
    ///
    /// ```
    /// use morello::games;
    /// use morello::session::Session;
    ///
    /// let mut session = Session::new(games::get("othello")?);
    /// session.load("f5d6c3")?;
    /// let view = session.view();
    /// let mut restored = Session::new(session.rules());
    /// restored.resume(view.start.as_deref(), &view.moves)?;
    /// assert_eq!(restored.view(), view);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] if the start position cannot be parsed or a move is not legal. The session is
    /// then unchanged.
    pub fn resume(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), LoadError> {
        let read = |text: &str| {
            let not_a_position = |reason| LoadError::Start { text: text.to_owned(), reason };
            self.rules().parse_position(text).map_err(not_a_position)
        };
        let mut game = Game::new(start.map_or_else(|| Ok(self.rules().start()), read)?);
        for (text, ply) in moves.iter().zip(1..) {
            let m = game.position().find_move(text);
            m.and_then(|m| play_ignoring_custom(&mut game, m).ok()).ok_or_else(|| {
                let reason = game.position().explain_illegal(text);
                LoadError::Move { text: text.clone(), ply, reason }
            })?;
        }
        self.set_game(game);
        Ok(())
    }

    /// [Writes](write()) the game up to the current position in a format. `names` are the names of
    /// Black and White, used unless the loaded game has names.
    ///
    /// ```
    /// use morello::games;
    /// use morello::session::Session;
    ///
    /// let mut session = Session::new(games::get("othello")?);
    /// session.load("f5d6c3")?;
    /// assert!(session.save("pgn", ["Anna", "Bob"])?.contains("[Black \"Anna\"]"));
    /// let error = session.save("kif", ["Anna", "Bob"]).unwrap_err().to_string();
    /// assert!(error.starts_with("unknown output format `kif` (known: ggf, sgf, "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError`] if the format is unknown or cannot represent this game.
    pub fn save(&self, format: &str, names: [&str; 2]) -> Result<String, SaveError> {
        let mut annotated = self.annotated();
        annotated.tags.fill_names(names);
        write(&annotated, format)
    }
}

/// Writes a game in the format with this name. A position format writes the current position.
///
/// ```
/// use morello::games;
/// use morello::input::read_text;
/// use morello::session::write;
///
/// let game = read_text(games::get("othello")?, "1. f5 d6 2. c3")?.game;
/// assert_eq!(write(&game, "transcript")?, "f5d6c3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    text.map_err(|reason| SaveError::Unrepresentable { format: format.name, reason })
}
