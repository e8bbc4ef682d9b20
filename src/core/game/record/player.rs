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
    /// The external engine could not be started or written to, exited, or violated the protocol.
    #[error("{cause}{}", stderr_note(.last_stderr_line))]
    Crash {
        /// What happened.
        cause: io::Error,
        /// The last line that the engine wrote to standard error; empty if there is none.
        last_stderr_line: String,
    },
    /// The player did not answer in time.
    #[error("no {} within {} s", answer(.request), .limit.as_secs_f64())]
    Timeout {
        /// The protocol's request; `None` for a move, in any protocol.
        request: Option<&'static str>,
        /// The time limit.
        limit: Duration,
    },
    /// The engine wrote too much output without an answer.
    #[error("it wrote {lines} lines ({} KiB) without answering `{request}`", .bytes / 1024)]
    Flood {
        /// The protocol's request.
        request: &'static str,
        /// The number of lines written.
        lines: u64,
        /// The number of bytes written.
        bytes: u64,
    },
    /// The engine does not speak its configured protocol, but another.
    #[error("it responds over {fitting}, not over {tried}; use protocol={fitting}")]
    OtherProtocol {
        /// The configured protocol.
        tried: Protocol,
        /// The protocol that the engine speaks.
        fitting: Protocol,
    },
    /// The player used more time than its clock had left.
    #[error("it used {} ms, with {} ms on its clock", used.as_millis(), left.as_millis())]
    OutOfTime {
        /// The time used for the move.
        used: Duration,
        /// The time that was left.
        left: Duration,
    },
    /// The player resigned.
    #[error("it resigned")]
    Resigned,
    /// The player answered with an illegal move, or with text that is not a move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The engine refused a legal move, or a request for a move.
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
    /// Returns why a game ended that the player lost because of this error.
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

/// A player of games: an engine, an external engine or a random player.
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
    /// failed. `seed` determines all random choices of the player.
    ///
    /// Returns soon after `cancel` is raised, with [`PlayerError::Cancelled`] if the player is not
    /// ready by then.
    ///
    /// # Errors
    /// [`PlayerError`] if the player cannot play.
    fn prepare(&mut self, seed: u64, cancel: &Cancel) -> Result<(), PlayerError>;

    /// Passes the clock of the game to the player, before each of its moves. By default the clock
    /// is ignored.
    fn set_clock(&mut self, _clock: &Clock) {}

    /// Returns the last lines exchanged with an external engine, the oldest first. `>` marks lines
    /// to the engine, `<` lines from it, and `!` its standard error. Empty for other players.
    fn conversation(&self) -> Vec<String> {
        Vec::new()
    }

    /// Chooses a legal move for the side to move. The game must not be over.
    ///
    /// Returns soon after `cancel` is raised, with the best move so far or
    /// [`PlayerError::Cancelled`].
    ///
    /// # Errors
    /// [`PlayerError`] if the player returns no move. After an error, call
    /// [`prepare`](Self::prepare) before the next move.
    fn choose(&mut self, game: &Game, cancel: &Cancel) -> Result<Choice, PlayerError>;
}
