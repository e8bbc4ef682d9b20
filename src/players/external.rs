//! [`External`]: a program of others that is asked for its moves over one of the protocols.
//!
//! | file | protocol | told of a move | tells of it |
//! | --- | --- | --- | --- |
//! | `nboard` | [NBoard](Protocol::NBoard) | depth | nodes |
//! | `gtp` | [GTP](Protocol::Gtp) | whole seconds | nothing |
//! | `morris_text` | [morris-text](Protocol::MorrisText) | depth, nodes, time | depth, nodes |
//!
//! What a program writes that is no part of an answer is not heeded. A program that fails is killed, and started anew for the next game.

mod gtp;
mod morris_text;
mod nboard;

use std::time::Duration;

use super::process::{Patience, Process, Program};
use crate::game::{Cancel, Choice, Dialect, Game, GameRules, IllegalMove, Player, PlayerError, Protocol};

/// How long an external program may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To start, until it answers for the first time.
    pub start: Duration,
    /// To answer later on, with the game read.
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

/// What an external program is told of how to choose a move; its protocol may know [less](Self::told).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Orders {
    /// The depth to search to, in plies.
    pub depth: Option<u32>,
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// The longest time to take, in whole seconds where GTP is spoken.
    pub time: Option<Duration>,
}

impl Orders {
    /// Returns the names of those that can be told in a protocol, as [`Spec`](super::Spec) has them.
    #[must_use]
    pub const fn told(protocol: Protocol) -> &'static [&'static str] {
        match protocol {
            Protocol::NBoard => &["depth"],
            Protocol::Gtp => &["time"],
            Protocol::MorrisText => &["depth", "nodes", "time"],
        }
    }
}

/// What both ends of a conversation keep to.
struct Terms<P: GameRules> {
    orders: Orders,
    timeouts: Timeouts,
    dialect: Dialect<P>,
}

/// A conversation with a program over one protocol.
trait Conversation<P: GameRules>: Send {
    /// Greets a process that was just started, and waits until it answers.
    fn start(&mut self, terms: &Terms<P>, process: &mut Process, cancel: &Cancel) -> Result<(), PlayerError>;

    /// The next move is one of a new game.
    fn forget(&mut self) {}

    /// Asks for a move.
    fn ask(
        &mut self,
        terms: &Terms<P>,
        process: &mut Process,
        game: &Game<P>,
        cancel: &Cancel,
    ) -> Result<Choice<P>, PlayerError>;
}

/// A player that asks a program.
pub struct External<P: GameRules> {
    program: Program,
    terms: Terms<P>,
    conversation: Box<dyn Conversation<P>>,
    /// `None` before the first game, and after a failure.
    process: Option<Process>,
}

impl<P: GameRules> External<P> {
    /// Describes a player; its program is started by [`prepare`](Player::prepare). `dialect` is that of the game in the protocol. Orders that
    /// the protocol cannot tell are not told.
    #[must_use]
    pub fn new(program: Program, protocol: Protocol, orders: Orders, timeouts: Timeouts, dialect: Dialect<P>) -> Self {
        let conversation: Box<dyn Conversation<P>> = match protocol {
            Protocol::NBoard => Box::new(nboard::NBoard::default()),
            Protocol::Gtp => Box::new(gtp::Gtp::default()),
            Protocol::MorrisText => Box::new(morris_text::MorrisText::default()),
        };
        Self { program, terms: Terms { orders, timeouts, dialect }, conversation, process: None }
    }

    fn start(&mut self, cancel: &Cancel) -> Result<Process, PlayerError> {
        let mut process = Process::start(&self.program)?;
        self.conversation.forget();
        self.conversation.start(&self.terms, &mut process, cancel)?;
        Ok(process)
    }
}

impl<P: GameRules> Player<P> for External<P> {
    fn prepare(&mut self, _seed: u64, cancel: &Cancel) -> Result<(), PlayerError> {
        if self.process.is_none() {
            self.process = Some(self.start(cancel)?);
        }
        self.conversation.forget();
        Ok(())
    }

    fn choose(&mut self, game: &Game<P>, cancel: &Cancel) -> Result<Choice<P>, PlayerError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start(cancel)?,
        };
        // Only a process that answered as it should is asked again.
        let choice = self.conversation.ask(&self.terms, &mut process, game, cancel)?;
        self.process = Some(process);
        Ok(choice)
    }
}

impl<P: GameRules> Terms<P> {
    /// Reads the move that a program chose.
    fn read(&self, game: &Game<P>, text: &str) -> Result<P::Move, PlayerError> {
        let illegal = || IllegalMove { text: text.to_owned(), position: game.position().to_string() };
        Ok((self.dialect.read_move)(game.position(), text).ok_or_else(illegal)?)
    }
}

/// The pings of a process, which are numbered.
#[derive(Debug, Default)]
struct Pings(u64);

impl Pings {
    /// Returns the line of the next ping.
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("ping {}", self.0)
    }

    /// Waits until all that was said before is heeded; `other` is told of each line that is no answer.
    fn ping(
        &mut self,
        process: &mut Process,
        patience: &Patience<'_>,
        mut other: impl FnMut(&Process, &str) -> Result<(), PlayerError>,
    ) -> Result<(), PlayerError> {
        let ping = self.next();
        process.write("ping", &ping, patience)?;
        loop {
            let line = process.read("ping", patience)?;
            if line.strip_prefix("pong").is_some_and(|number| number.trim().parse() == Ok(self.0)) {
                return Ok(());
            }
            other(process, &line)?;
        }
    }
}
