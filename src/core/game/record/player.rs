//! [`Player`]: chooses the moves of a side.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::game::{AnyMove, Cancel, Clock, Game, IllegalMove, Protocol, Score, Termination};

/// A player's move, with the search statistics it reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The move; always legal.
    pub m: AnyMove,
    /// The search depth in plies, if reported.
    pub depth: Option<u32>,
    /// The number of nodes searched, if reported.
    pub nodes: Option<u64>,
    /// The score for the side that moves, if reported.
    pub score: Option<Score>,
}

impl Choice {
    /// Creates a choice without statistics.
    #[must_use]
    pub fn new(m: AnyMove) -> Self {
        Self { m, depth: None, nodes: None, score: None }
    }
}

/// Why a player did not choose a move. All but [`UnsupportedStart`](Self::UnsupportedStart) and
/// [`Cancelled`](Self::Cancelled) forfeit the game.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The external program could not be started or written to, exited, or violated the protocol.
    #[error("{cause}{}", stderr_note(.last_stderr_line))]
    Crash {
        /// What happened.
        cause: io::Error,
        /// The last line that it wrote to standard error; empty if there is none.
        last_stderr_line: String,
    },
    /// It did not answer in time.
    #[error("no {} within {} s", answer(.request), .limit.as_secs_f64())]
    Timeout {
        /// The request of the protocol; `None` for a move, in any protocol.
        request: Option<&'static str>,
        /// The time limit.
        limit: Duration,
    },
    /// It wrote very much without an answer.
    #[error("it wrote {lines} lines ({} KiB) without answering `{request}`", .bytes / 1024)]
    Flood {
        /// The request of the protocol.
        request: &'static str,
        /// The lines that it wrote.
        lines: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// It does not answer over its protocol, but over another.
    #[error("it responds over {fitting}, not over {tried}; use protocol={fitting}")]
    OtherProtocol {
        /// The protocol that it was to use.
        tried: Protocol,
        /// The protocol that it uses.
        fitting: Protocol,
    },
    /// It used more than its clock had left.
    #[error("it used {} ms, with {} ms on its clock", used.as_millis(), left.as_millis())]
    OutOfTime {
        /// The time of the move.
        used: Duration,
        /// The time that it had.
        left: Duration,
    },
    /// It resigned.
    #[error("it resigned")]
    Resigned,
    /// It answered with an illegal move, or with text that is not a move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// It refused a legal move, or a request for a move.
    #[error("it refused `{request}`: `{response}`")]
    Refused {
        /// The request.
        request: String,
        /// The response.
        response: String,
    },
    /// The protocol cannot set up the starting position.
    #[error(
        "the protocol {protocol} cannot set up the starting position `{start}`; use openings that are moves from the \
            start of the game"
    )]
    UnsupportedStart {
        /// The protocol.
        protocol: Protocol,
        /// The starting position.
        start: String,
    },
    /// The caller cancelled the request.
    #[error("cancelled")]
    Cancelled,
}

impl PlayerError {
    /// Returns why a game ended that the player lost by this error.
    #[must_use]
    pub fn termination(&self) -> Termination {
        match self {
            Self::Resigned => Termination::Resignation,
            Self::Timeout { .. } | Self::OutOfTime { .. } => Termination::Timeout,
            Self::Illegal(_) | Self::Refused { .. } => Termination::IllegalMove,
            Self::Crash { .. } | Self::Flood { .. } | Self::OtherProtocol { .. } => Termination::Crash,
            Self::UnsupportedStart { .. } | Self::Cancelled => Termination::Other,
        }
    }
}

fn answer(request: &Option<&str>) -> String {
    request.map_or_else(|| "move".to_owned(), |request| format!("response to `{request}`"))
}

fn stderr_note(last_line: &str) -> String {
    if last_line.is_empty() { String::new() } else { format!(" (last line on standard error: `{last_line}`)") }
}

/// A player of games: an engine, an external program or a random mover.
///
/// ```
/// use morello::game::{Cancel, Choice, Game, Player, PlayerError, Position};
/// use morello::games;
///
/// /// Plays the first legal move.
/// struct First;
///
/// impl Player for First {
///     fn prepare(&mut self, _seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
///         Ok(())
///     }
///
///     fn choose(&mut self, game: &Game, _cancel: &Cancel) -> Result<Choice, PlayerError> {
///         Ok(Choice::new(game.position().legal_moves().next().expect("the game is not over")))
///     }
/// }
///
/// let mut game = Game::new(games::get("othello")?.start());
/// game.play(First.choose(&game, &Cancel::new())?.m)?;
/// assert_eq!(game.moves()[0].to_string(), "d3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Player: Send {
    /// Prepares for a new game: clears all state of earlier games, and restarts a player that
    /// failed. `seed` determines all randomness in its play.
    ///
    /// Returns soon after `cancel` is raised, with [`PlayerError::Cancelled`] if it is not ready by
    /// then.
    ///
    /// # Errors
    /// [`PlayerError`] if it cannot play.
    fn prepare(&mut self, seed: u64, cancel: &Cancel) -> Result<(), PlayerError>;

    /// Tells the player the clock of the game, before each of its moves. A player without an idea of
    /// time ignores it, as by default.
    fn set_clock(&mut self, _clock: &Clock) {}

    /// Returns the last lines of the conversation with an external program, the oldest first: `>` to
    /// it, `<` from it, and `!` from its standard error. Empty for other players.
    fn conversation(&self) -> Vec<String> {
        Vec::new()
    }

    /// Chooses a legal move for the side to move. The game must not be over.
    ///
    /// Returns soon after `cancel` is raised, with the best move so far or
    /// [`PlayerError::Cancelled`].
    ///
    /// # Errors
    /// [`PlayerError`] if it has no move. After an error, call [`prepare`](Self::prepare) before
    /// the next move.
    fn choose(&mut self, game: &Game, cancel: &Cancel) -> Result<Choice, PlayerError>;
}
