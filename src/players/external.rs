//! [`External`]: a program of others that is asked for its moves over NBoard.
//!
//! The conversation, `>` to the program and `<` from it:
//!
//! ```text
//! > nboard 2
//! > set depth 6
//! > ping 1
//! < set myname Somebody
//! < pong 1                                once, within the time to start
//! > set game (;GM[Othello]...;)
//! > ping 2
//! < pong 2                                each move, within the time of a ping
//! > go
//! < nodestats 12345 0.25
//! < === F5/1.20/0.25                      within the time of a move; also `=== f5 1.20 0.25`
//! ```
//!
//! What else it writes is not heeded. A program that fails is killed, and started anew for the next game.
//! Source: the description of the protocol that comes with NBoard.

use std::time::{Duration, Instant};

use super::process::{Process, Program};
use crate::game::{Cancel, Choice, Dialect, Game, IllegalMove, Player, PlayerError, Position};

/// How long an external program may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To start, until it answers the first ping.
    pub start: Duration,
    /// To answer a ping later on, with the game read.
    pub ping: Duration,
    /// To choose a move.
    pub choice: Duration,
}

impl Default for Timeouts {
    /// 60 seconds to start (opening books and weights are large), 10 for a ping, 300 for a move.
    fn default() -> Self {
        Self { start: Duration::from_secs(60), ping: Duration::from_secs(10), choice: Duration::from_secs(300) }
    }
}

/// A player that asks a program over NBoard.
pub struct External<P: Position> {
    program: Program,
    depth: Option<u32>,
    timeouts: Timeouts,
    dialect: Dialect<P>,
    /// `None` before the first game, and after a failure.
    process: Option<Process>,
    pings: u64,
}

impl<P: Position> External<P> {
    /// Describes a player; its program is started by [`prepare`](Player::prepare). `depth` is what it is told to search to, in plies.
    #[must_use]
    pub fn new(program: Program, depth: Option<u32>, timeouts: Timeouts, dialect: Dialect<P>) -> Self {
        Self { program, depth, timeouts, dialect, process: None, pings: 0 }
    }

    fn start(&mut self) -> Result<Process, PlayerError> {
        let mut process = Process::start(&self.program)?;
        process.write("nboard 2")?;
        if let Some(depth) = self.depth {
            process.write(&format!("set depth {depth}"))?;
        }
        self.ping(&mut process, self.timeouts.start, &Cancel::new())?;
        Ok(process)
    }

    /// Waits until all that was said before is heeded.
    fn ping(&mut self, process: &mut Process, limit: Duration, cancel: &Cancel) -> Result<(), PlayerError> {
        self.pings += 1;
        let start = Instant::now();
        process.write(&format!("ping {}", self.pings))?;
        loop {
            let line = process.read("ping", start, limit, cancel)?;
            if line.strip_prefix("pong").is_some_and(|number| number.trim().parse() == Ok(self.pings)) {
                return Ok(());
            }
        }
    }

    fn ask(&mut self, process: &mut Process, game: &Game<P>, cancel: &Cancel) -> Result<Choice<P>, PlayerError> {
        process.write(&format!("set game {}", (self.dialect.write_game)(game)))?;
        self.ping(process, self.timeouts.ping, cancel)?;
        let start = Instant::now();
        process.write("go")?;
        let mut nodes = None;
        loop {
            let line = process.read("go", start, self.timeouts.choice, cancel)?;
            if let Some(statistics) = line.strip_prefix("nodestats ") {
                nodes = statistics.split_whitespace().next().and_then(|nodes| nodes.parse().ok());
            } else if let Some(answer) = line.strip_prefix("===") {
                let text = answer.trim_start().split(['/', ' ', '\t']).next().unwrap_or_default();
                return match (self.dialect.read_move)(game.position(), text) {
                    Some(m) => Ok(Choice { m, depth: None, nodes, score: None }),
                    None => Err(IllegalMove { text: text.to_owned(), position: game.position().to_string() }.into()),
                };
            }
        }
    }
}

impl<P: Position> Player<P> for External<P> {
    fn prepare(&mut self, _seed: u64) -> Result<(), PlayerError> {
        if self.process.is_none() {
            self.process = Some(self.start()?);
        }
        Ok(())
    }

    fn choose(&mut self, game: &Game<P>, cancel: &Cancel) -> Result<Choice<P>, PlayerError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        // Only a process that answered as it should is asked again.
        let choice = self.ask(&mut process, game, cancel)?;
        self.process = Some(process);
        Ok(choice)
    }
}
