//! The engine's side of the [protocols](Protocol): games are told, and moves, hints and scores asked for, line by line.
//!
//! | file | protocol | games |
//! | --- | --- | --- |
//! | `nboard` | NBoard 2 | Othello |
//! | `gtp` | GTP 2, the Go Text Protocol | Othello |
//! | `morris_text` | morris-text | the mill games |
//!
//! A session reads from anything and writes to anything, so that tests need no process. While it thinks, on another thread, it goes on
//! reading: lines that stop the thinking do so at once, and all wait in line to be heeded when it has ended. Whatever a line says, a
//! session goes on until it is told to quit, its input ends or its output fails.
//!
//! # morris-text
//!
//! A protocol in the spirit of UCI, for want of one that knows these games; positions are in the [notation](crate::morris) of the seeds.
//!
//! | to the engine | what it does | answer |
//! | --- | --- | --- |
//! | `morris` | introduces itself | `id name NAME`, `ok` |
//! | `newgame GAME` | a new game, of this or of another kind (`nine-mens-morris`, `morabaraba`, ...) | |
//! | `position start` or `position 7,8 a4,b4 g7 B`, then maybe `moves d2 d6-d5xf4 ...` | sets the board | |
//! | `go [depth N] [nodes N] [movetime MS]` | searches to the first bound that is reached, or as it likes | `info ...`, `bestmove MOVE` or `bestmove none` |
//! | `go infinite` | searches until it is told to stop | likewise, after that |
//! | `stop` | ends a search | its `bestmove` |
//! | `ping N` | ends a search, and shows that all before was heeded | `pong N` |
//! | `quit` | ends the session | |
//!
//! `info depth D score S nodes N time MS pv MOVES` tells of an iteration; S is `win`, `draw` or `loss` where that is proved, with `plies N` to the
//! end of the game where known, and else `cp V`, an estimate for the side to move in thousandths of a win. Any other command that stands in this
//! table ends a search too. What cannot be heeded is answered with `error TEXT` and changes nothing.

mod connection;
mod gtp;
mod inbox;
mod morris_text;
mod nboard;

use std::io::{self, Read, Write};
use std::time::Duration;

use thiserror::Error;

use crate::causes::with_causes;
use crate::game::{AnyGame, Game, Limits, Protocol};
use crate::games;
use crate::session::{EngineOptionsError, EngineOptionsProvider};

use connection::{Connection, ResponseWriter};
use inbox::Inbox;

/// The level of play if nothing else is asked for.
pub const DEFAULT_LEVEL: u32 = 10;

/// How strongly to play unless the other side says otherwise; by default at [`DEFAULT_LEVEL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Strength {
    /// The [level](AnyGame::level) of play.
    pub level: Option<u32>,
    /// The deepest iteration, in plies; of no meaning beside a level.
    pub depth: Option<u32>,
    /// The most nodes of a search.
    pub nodes: Option<u64>,
    /// The longest time of a search.
    pub time: Option<Duration>,
}

impl Strength {
    /// Returns whether anything at all is asked for.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.level.is_some() || self.depth.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// Returns what a search of a game is asked.
    #[must_use]
    pub fn limits(&self, game: &dyn AnyGame) -> Limits {
        let level = if self.is_given() { self.level } else { Some(DEFAULT_LEVEL) };
        let limits = level.map_or(Limits { depth: self.depth, ..Limits::default() }, |level| game.level(level));
        Limits { nodes: self.nodes, time: self.time, ..limits }
    }
}

/// Why a session cannot begin, or ended before its time.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The game is not played over the protocol.
    #[error("{game} is not played over the protocol {protocol}")]
    Unsuitable {
        /// The game.
        game: &'static str,
        /// The protocol.
        protocol: Protocol,
    },
    /// The engine cannot be made.
    #[error(transparent)]
    Setup(#[from] EngineOptionsError),
    /// The output failed.
    #[error("cannot write to the other side")]
    Output(#[source] io::Error),
}

/// Returns the game of a session if none is named.
#[must_use]
pub fn default_game(protocol: Protocol) -> &'static dyn AnyGame {
    let name = match protocol {
        Protocol::NBoard | Protocol::Gtp => "othello",
        Protocol::MorrisText => "nine-mens-morris",
    };
    games::get(name).expect("the game is registered")
}

/// Speaks a protocol until the other side has enough. `input` is read on a thread of its own, which may outlive the session: nothing ends
/// a read that waits.
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
/// [`ServeError`] if there is no such session, or its output fails.
pub fn serve(
    protocol: Protocol,
    mut game: &'static dyn AnyGame,
    setup: &EngineOptionsProvider,
    strength: Strength,
    input: impl Read + Send + 'static,
    output: &mut (dyn Write + Send),
) -> Result<(), ServeError> {
    let mut inbox = Inbox::new(input);
    let mut output = ResponseWriter::new(output);
    let mut previous = None;
    loop {
        let next = match (run_session(protocol, game, setup, strength, &mut inbox, &mut output), previous.take()) {
            // That another game cannot be had is no reason to give up.
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

/// Talks about one game; returns the game to go on with, if another is wanted.
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
