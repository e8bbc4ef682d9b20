//! The engine side of the [protocols](Protocol), over which other programs send games and request
//! moves, hints and scores.
//!
//! ```
//! use morello::game::{EngineOptions, Protocol};
//! use morello::games;
//! use morello::protocol::{Strength, serve};
//!
//! let morris = games::get("nine-mens-morris")?;
//! let strength = Strength { depth: Some(2), ..Strength::default() };
//! let input = "morris\nnewgame\nposition 0,0 a7,d7,g4 a1,b2,c3 W\ngo depth 2\nquit\n";
//! let mut output = Vec::new();
//! serve(Protocol::MorrisText, morris, &|_| Ok(EngineOptions::new(1 << 20)), strength, input.as_bytes(), &mut output)?;
//! let output = String::from_utf8(output)?;
//! assert!(output.starts_with("id name morello"));
//! assert!(output.lines().last().is_some_and(|line| line.starts_with("bestmove g4-g7x")), "it closes a mill");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | protocol | games |
//! | --- | --- | --- |
//! | `nboard` | NBoard 2 | Othello |
//! | `gtp` | GTP 2, the Go Text Protocol | Othello |
//! | `morris_text` | morris-text | the mill games |
//!
//! A session works with any reader and writer, so tests need no process. It searches on another
//! thread and keeps reading. Some lines stop the search at once, and all lines are queued until the
//! search has ended. Only the quit command, the end of the input and an output error end a session;
//! invalid lines do not.
//!
//! # morris-text
//!
//! A protocol for the mill games that is similar to UCI. Positions are in the seed
//! [notation](morello_core::morris).
//!
//! * `morris`: identifies the engine; the response is `id name NAME`, `ok`
//! * `newgame [GAME]`: begins a new game, possibly of another kind (`nine-mens-morris`,
//!   `morabaraba`, ...)
//! * `position start` or `position 7,8 a4,b4 g7 B`, optionally with `moves d2 d6-d5xf4 ...`: sets
//!   up the position
//! * `go [depth N] [nodes N] [movetime MS]`: searches until the first of these limits is reached,
//!   or with the engine's default limits if none is given; the response is `info ...`,
//!   `bestmove MOVE` or `bestmove none`
//! * `go [btime MS] [wtime MS] [binc MS] [winc MS] [movestogo N]`, also combined with the limits
//!   above: searches as long as the game clock allows. `btime` and `wtime` are the remaining times
//!   of Black and White, `binc` and `winc` their increments per move, and `movestogo` is the number
//!   of moves to the end of the period
//! * `go infinite`: searches until it is stopped, then responds in the same way
//! * `stop`: stops a search; the response is its `bestmove`
//! * `ping N`: stops a search and confirms that all earlier commands were processed; the response
//!   is `pong N`
//! * `quit`: ends the session
//!
//! `info depth D score S nodes N time MS pv MOVES` reports an iteration. S is `win`, `draw` or
//! `loss` if proved, with `plies N` to the end of the game if known; otherwise it is `cp V`, an
//! estimate for the side to move in thousandths of a win. Every other command in this list also
//! stops a search. An invalid command changes nothing, and the response is `error TEXT`.

mod connection;
mod gtp;
mod inbox;
mod morris_text;
mod nboard;

use std::io::{self, Read, Write};
use std::time::Duration;

use thiserror::Error;

use crate::session::{EngineOptionsError, EngineOptionsProvider};
use morello_core::causes::with_causes;
use morello_core::game::{AnyGame, DEFAULT_LEVEL, Game, Level, Limits, Protocol};
use morello_core::games;

use connection::{Connection, ResponseWriter};
use inbox::Inbox;

/// The default strength, which the other program may change. If nothing is given, it is
/// [`DEFAULT_LEVEL`].
///
/// ```
/// use morello::games;
/// use morello::protocol::Strength;
///
/// let othello = games::get("othello")?;
/// assert_eq!(Strength { depth: Some(6), ..Strength::default() }.limits(othello).depth, Some(6));
/// assert_eq!(Strength::default().level(), Some(morello::game::DEFAULT_LEVEL));
/// assert!(!Strength::default().is_given());
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Strength {
    /// The level of play.
    pub level: Option<Level>,
    /// Maximum search depth, in plies; ignored with a level.
    pub depth: Option<u32>,
    /// Maximum number of nodes per search.
    pub nodes: Option<u64>,
    /// Maximum time per search.
    pub time: Option<Duration>,
}

impl Strength {
    /// Returns whether any limit is given.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.level.is_some() || self.depth.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// Returns the level that chooses moves; `None` if limits are given instead.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        if self.is_given() { self.level } else { Some(DEFAULT_LEVEL) }
    }

    /// Returns the limits for searches in `game`.
    #[must_use]
    pub fn limits(&self, game: &dyn AnyGame) -> Limits {
        let limits = self.level().map_or(Limits { depth: self.depth, ..Limits::default() }, |level| level.limits(game));
        Limits { nodes: self.nodes, time: self.time, move_only: false, ..limits }
    }
}

/// Why a session could not start or was aborted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The protocol does not support the game.
    #[error("protocol {protocol} does not support {game}")]
    Unsuitable {
        /// The game.
        game: &'static str,
        /// The protocol.
        protocol: Protocol,
    },
    /// The engine cannot be created.
    #[error(transparent)]
    Setup(#[from] EngineOptionsError),
    /// The output cannot be written.
    #[error("cannot write the output")]
    Output(#[source] io::Error),
}

/// Returns the default game of a protocol.
///
/// ```
/// use morello::game::Protocol;
/// use morello::protocol::default_game;
///
/// assert_eq!(default_game(Protocol::MorrisText).name(), "nine-mens-morris-flying");
/// ```
#[must_use]
pub fn default_game(protocol: Protocol) -> &'static dyn AnyGame {
    let name = match protocol {
        Protocol::NBoard | Protocol::Gtp => "othello",
        Protocol::MorrisText => "nine-mens-morris-flying",
    };
    games::get(name).expect("the game is registered")
}

/// Runs a session over a protocol until it ends. `input` is read on a separate thread, which may
/// outlive the session, because a blocked read cannot be cancelled.
///
/// ```
/// use morello::game::{EngineOptions, Protocol};
/// use morello::protocol::{Strength, default_game, serve};
///
/// let mut output = Vec::new();
/// let strength = Strength { depth: Some(2), ..Strength::default() };
/// let setup = |_| Ok(EngineOptions::new(1 << 20));
/// let game = default_game(Protocol::Gtp);
/// serve(Protocol::Gtp, game, &setup, strength, "1 play b f5\n2 undo\n".as_bytes(), &mut output)?;
/// assert_eq!(output, b"=1\n\n=2\n\n");
/// # Ok::<(), morello::protocol::ServeError>(())
/// ```
///
/// # Errors
/// [`ServeError`] if the protocol does not support the game, the engine cannot be created, or the
/// output cannot be written.
pub fn serve(
    protocol: Protocol,
    mut game: &'static dyn AnyGame,
    setup: &EngineOptionsProvider,
    strength: Strength,
    input: impl Read + Send + 'static,
    output: &mut (dyn Write + Send),
) -> Result<(), ServeError> {
    let stop_request = match protocol {
        Protocol::NBoard => nboard::stop_request,
        Protocol::Gtp => gtp::stop_request,
        Protocol::MorrisText => morris_text::stop_request,
    };
    let mut inbox = Inbox::new(input, stop_request);
    let mut output = ResponseWriter::new(output);
    let mut previous = None;
    loop {
        let next = match (run_session(protocol, game, setup, strength, &mut inbox, &mut output), previous.take()) {
            // If another game cannot be set up, the session continues with the previous one.
            (Err(error @ ServeError::Setup(_)), Some(previous)) => {
                output.line(format_args!("error {}", with_causes(&error).replace('\n', " ")));
                game = previous;
                continue;
            }
            (next, _) => next?,
        };
        match (next, output.error.take()) {
            (_, Some(error)) => return Err(ServeError::Output(error)),
            (Some(next), None) => previous = Some(std::mem::replace(&mut game, next)),
            (None, None) => return Ok(()),
        }
    }
}

/// Runs the session for one game. Returns another game if the other program requests one.
fn run_session(
    protocol: Protocol,
    game: &'static dyn AnyGame,
    setup: &EngineOptionsProvider,
    strength: Strength,
    inbox: &mut Inbox,
    output: &mut ResponseWriter<'_>,
) -> Result<Option<&'static dyn AnyGame>, ServeError> {
    let dialect = game.dialect(protocol).ok_or(ServeError::Unsuitable { game: game.name(), protocol })?;
    let searcher = game.searcher(&setup(game)?).map_err(EngineOptionsError::new)?;
    let session = Game::new(game.start()).into();
    let connection = Connection { inbox, output, searcher, dialect, strength, session };
    Ok(match protocol {
        Protocol::NBoard => {
            nboard::run(connection);
            None
        }
        Protocol::Gtp => {
            gtp::GtpServer::new(connection).run();
            None
        }
        Protocol::MorrisText => morris_text::run(connection),
    })
}

#[cfg(test)]
mod tests;
