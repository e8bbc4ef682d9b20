//! [`interpret`]: parses what a user types into a move or a command.

use morello_core::game::grid;
use morello_core::game::{AnyMove, Game, GameError, Position as _, is_pass_word};
use thiserror::Error;

use super::command::{CommandSyntaxError, SessionCommand};
use super::end_view::EndView;

/// A user's input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypedInput {
    /// An empty line.
    Empty,
    /// A legal move.
    Move(AnyMove),
    /// A command.
    Command(SessionCommand),
}

/// Why input or a selected point is rejected. The session is then unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A command has a missing or wrong argument.
    #[error(transparent)]
    CommandSyntax(#[from] CommandSyntaxError),
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(String),
    /// The move is not legal.
    #[error("illegal move `{text}`: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// The reason.
        reason: GameError,
    },
    /// The text is not a move.
    #[error("not a move: `{text}` (for example: `{example}`)")]
    NotAMove {
        /// The text.
        text: String,
        /// A legal move.
        example: String,
        /// The example [by rows and columns](grid); `None` for a pass.
        grid_example: Option<String>,
    },
    /// A point cannot be selected.
    #[error(transparent)]
    Point(#[from] PointError),
}

/// Why a point cannot be selected. Points are given by name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointError {
    /// The board has no point with this number.
    #[error("the board has no point {0}")]
    Unknown(usize),
    /// The point cannot be selected after the points selected so far.
    #[error("cannot select {point} now; select {}", targets.join(" or "))]
    NotNow {
        /// The point.
        point: String,
        /// The points that can be selected.
        targets: Vec<String>,
    },
    /// A piece is to be placed on a point that has one.
    #[error("{0} is occupied")]
    Occupied(String),
    /// A piece cannot be placed on the point, for this reason.
    #[error("illegal move `{point}`: {reason}")]
    Illegal {
        /// The point.
        point: String,
        /// The reason.
        reason: GameError,
    },
    /// A piece cannot be placed on the point.
    #[error("cannot place a {piece} on {point}")]
    NoPlacement {
        /// The point.
        point: String,
        /// What the game calls a piece.
        piece: &'static str,
    },
    /// The piece on the point cannot move.
    #[error("the {piece} on {point} cannot move")]
    Blocked {
        /// The point.
        point: String,
        /// What the game calls a piece.
        piece: &'static str,
    },
    /// The side to move has no piece on the point.
    #[error("select one of your {pieces}: there is none on {point}")]
    NotOwn {
        /// The point.
        point: String,
        /// What the game calls a piece.
        piece: &'static str,
        /// What the game calls several pieces.
        pieces: &'static str,
    },
}

impl InputError {
    /// Returns the reason without repeating the move that the user has just typed.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::GameOver(_) => "the game is over".to_owned(),
            Self::Illegal { reason, .. } => reason.to_string(),
            Self::NotAMove { text, example, grid_example } => {
                let alternative = grid_example.as_ref().map_or_else(String::new, |text| format!(" or `{text}`"));
                format!("not a move: `{text}` (for example: `{example}`{alternative})")
            }
            other => other.to_string(),
        }
    }
}

/// Parses a line in the current position of a game.
///
/// ```
/// use morello::game::Game;
/// use morello::games;
/// use morello::session::{SessionCommand, TypedInput, interpret};
///
/// let game = Game::new(games::get("othello")?.start());
/// assert_eq!(interpret(&game, " Hint 3 ")?, TypedInput::Command(SessionCommand::Hint(3)));
/// assert!(matches!(interpret(&game, "F5")?, TypedInput::Move(m) if m.to_string() == "f5"));
/// let error = interpret(&game, "hello").unwrap_err().to_string();
/// assert_eq!(error, "not a move: `hello` (for example: `d3`)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`InputError`] with the reason.
pub fn interpret(game: &Game, line: &str) -> Result<TypedInput, InputError> {
    let line = line.trim();
    match SessionCommand::read(line)? {
        _ if line.is_empty() => Ok(TypedInput::Empty),
        Some(command) => Ok(TypedInput::Command(command)),
        None => read_move(game, line).map(TypedInput::Move),
    }
}

/// Parses a legal move, in the game's own notation or [by rows and columns](grid). `pass` is
/// accepted for a forced pass.
///
/// ```
/// use morello::game::Game;
/// use morello::games;
/// use morello::session::read_move;
///
/// let game = Game::new(games::get("nine-mens-morris")?.start());
/// assert_eq!(read_move(&game, "D2")?.to_string(), "d2");
/// assert_eq!(read_move(&game, "W 5,3")?.to_string(), "d2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`InputError`] with the reason.
pub fn read_move(game: &Game, text: &str) -> Result<AnyMove, InputError> {
    check_not_over(game)?;
    let position = game.position();
    if let Some(m) = position.find_move(text).or_else(|| position.forced_pass().filter(|_| is_pass_word(text))) {
        return Ok(m);
    }
    let text = text.to_owned();
    let reason = position.explain_illegal(&text).map(Err);
    if let Some(found) = reason.or_else(|| grid::read(position, &text)) {
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
