//! [`Player`]: whatever takes part in a game.

use std::io;
use std::time::Duration;

use thiserror::Error;

use super::{AnyMove, Cancel, Game, IllegalMove, Protocol, Score};

/// A move that a player chose, and what it tells of the choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The move; it is legal.
    pub m: AnyMove,
    /// The depth it was searched to, in plies; `None` if the player does not tell.
    pub depth: Option<u32>,
    /// The nodes visited for it; `None` if the player does not tell.
    pub nodes: Option<u64>,
    /// What it leads to, for the side that makes it; `None` if the player does not tell.
    pub score: Option<Score>,
}

impl Choice {
    /// Returns the choice of a player that reports nothing else.
    #[must_use]
    pub fn new(m: AnyMove) -> Self {
        Self { m, depth: None, nodes: None, score: None }
    }
}

/// Why a player has no move to play. All but the set-up and the cancellation forfeit a game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// It cannot play any more: the process of an external program ended, cannot be started or written to, or refuses what it is told.
    #[error("{cause}{}", stderr_note(.last_stderr_line))]
    Crash {
        /// What happened to it.
        cause: io::Error,
        /// The last line that it wrote to its standard error; empty if there is none.
        last_stderr_line: String,
    },
    /// It did not answer in time.
    #[error("no answer to `{request}` within {} s", .limit.as_secs_f64())]
    Timeout {
        /// What it was asked for.
        request: &'static str,
        /// The longest that it may take.
        limit: Duration,
    },
    /// It resigned.
    #[error("it resigned")]
    Resigned,
    /// It chose a move that the rules do not allow, or something that is no move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// It cannot be told where the game starts; nothing is wrong with the player.
    #[error(
        "the game starts from `{start}`, which cannot be told over the protocol {protocol}: play it from an opening that is moves from the \
         start of the game"
    )]
    UnsupportedStart {
        /// The protocol.
        protocol: Protocol,
        /// The position that the game starts from.
        start: String,
    },
    /// It was told to give up.
    #[error("cancelled")]
    Cancelled,
}

fn stderr_note(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!(" (its last words: `{last_words}`)") }
}

/// Someone who plays a game: an engine, an external program, chance.
pub trait Player: Send {
    /// Gets ready for a new game, as if it were the first: what earlier games left is forgotten, and a player that failed is made anew.
    /// Whatever is random in its play follows from `seed`.
    ///
    /// A raised `cancel` makes it return soon, with [`PlayerError::Cancelled`] if it is not ready yet.
    ///
    /// # Errors
    /// [`PlayerError`] if it cannot take part.
    fn prepare(&mut self, seed: u64, cancel: &Cancel) -> Result<(), PlayerError>;

    /// Chooses a legal move for the side to move. The game is not over.
    ///
    /// A raised `cancel` makes it answer soon, with the best move so far or [`PlayerError::Cancelled`].
    ///
    /// # Errors
    /// [`PlayerError`] if it has none; it can play again after [`prepare`](Self::prepare) alone.
    fn choose(&mut self, game: &Game, cancel: &Cancel) -> Result<Choice, PlayerError>;
}
