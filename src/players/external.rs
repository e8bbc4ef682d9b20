//! [`ExternalPlayer`]: a program of others that is asked for its moves over one of the protocols.
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

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process::{Deadline, Process, Program};
use super::spec::settings::{DEPTH, NODES, Setting, TIME};
use super::spec::{GivenSettings, ParseSpecError, PlayerConfig, PlayerKind, SpecProblem, UnsupportedSpec};
use crate::game::{
    AnyGame, AnyMove, Cancel, Choice, Dialect, Game, GameData, IllegalMove, Player, PlayerError, Protocol, parse_time,
};

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

/// What an external program is told of how to choose a move; its protocol may know [fewer](Protocol::supported_limits).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExternalLimits {
    /// The depth to search to, in plies.
    pub depth: Option<u32>,
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// The longest time to take, in whole seconds where GTP is spoken.
    pub time: Option<Duration>,
}

/// What both ends of a conversation keep to.
struct ConversationSettings {
    limits: ExternalLimits,
    timeouts: Timeouts,
    dialect: Dialect,
}

/// A conversation with a program over one protocol.
trait ProtocolClient: Send {
    /// Greets a process that was just started, and waits until it answers.
    fn start(
        &mut self,
        settings: &ConversationSettings,
        process: &mut Process,
        cancel: &Cancel,
    ) -> Result<(), PlayerError>;

    /// The next move is one of a new game.
    fn new_game(&mut self) {}

    /// Asks for a move.
    fn request_move(
        &mut self,
        terms: &ConversationSettings,
        process: &mut Process,
        game: &Game,
        cancel: &Cancel,
    ) -> Result<Choice, PlayerError>;
}

fn client(protocol: Protocol) -> Box<dyn ProtocolClient> {
    match protocol {
        Protocol::NBoard => Box::new(nboard::NBoardClient::default()),
        Protocol::Gtp => Box::new(gtp::GtpClient::default()),
        Protocol::MorrisText => Box::new(morris_text::MorrisTextClient::default()),
    }
}

/// A player that asks a program.
pub struct ExternalPlayer {
    program: Program,
    terms: ConversationSettings,
    conversation: Box<dyn ProtocolClient>,
    /// `None` before the first game, and after a failure.
    process: Option<Process>,
}

impl ExternalPlayer {
    /// Describes a player; its program is started by [`prepare`](Player::prepare). `dialect` is that of the game in the protocol. Orders that
    /// the protocol cannot tell are not told.
    #[must_use]
    pub fn new(
        program: Program,
        protocol: Protocol,
        orders: ExternalLimits,
        timeouts: Timeouts,
        dialect: Dialect,
    ) -> Self {
        let terms = ConversationSettings { limits: orders, timeouts, dialect };
        Self { program, terms, conversation: client(protocol), process: None }
    }

    fn start(&mut self, cancel: &Cancel) -> Result<Process, PlayerError> {
        let mut process = Process::start(&self.program)?;
        self.conversation.new_game();
        self.conversation.start(&self.terms, &mut process, cancel)?;
        Ok(process)
    }
}

impl Player for ExternalPlayer {
    fn prepare(&mut self, _seed: u64, cancel: &Cancel) -> Result<(), PlayerError> {
        if self.process.is_none() {
            self.process = Some(self.start(cancel)?);
        }
        self.conversation.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Game, cancel: &Cancel) -> Result<Choice, PlayerError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start(cancel)?,
        };
        // Only a process that answered as it should is asked again.
        let choice = self.conversation.request_move(&self.terms, &mut process, game, cancel)?;
        self.process = Some(process);
        Ok(choice)
    }
}

impl ConversationSettings {
    /// Reads the move that a program chose.
    fn read(&self, game: &Game, text: &str) -> Result<AnyMove, PlayerError> {
        let illegal = || IllegalMove { text: text.to_owned(), position: game.position().to_string() };
        Ok((self.dialect.read_move)(game.position(), text).ok_or_else(illegal)?)
    }
}

/// The pings of a process, which are numbered.
#[derive(Debug, Default)]
struct PingCounter(u64);

impl PingCounter {
    /// Returns the line of the next ping.
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("ping {}", self.0)
    }

    /// Waits until all that was said before is heeded; `other` is told of each line that is no answer.
    fn ping(
        &mut self,
        process: &mut Process,
        patience: &Deadline<'_>,
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

/// An external program in a spec.
pub(super) const EXTERNAL: PlayerKind = PlayerKind {
    name: "an external program",
    key: Some("cmd"),
    settings: &[
        DEPTH,
        NODES,
        TIME,
        Setting::new("cmd", "\"COMMAND\"", "external engine; 'single quotes' group an argument"),
        Setting::new("protocol", "NAME", "nboard (supports depth), gtp (time) or morris-text (depth, nodes, time)"),
        Setting::new("dir", "DIR", "working directory"),
        Setting::new("start-timeout", "TIME", "time limit for its start [default: 60s]"),
        Setting::new("ping-timeout", "TIME", "time limit for the reply to a ping [default: 10s]"),
        Setting::new("move-timeout", "TIME", "time limit for a move [default: 300s]"),
    ],
    parse: |given| Ok(Box::new(ExternalConfig::read(given)?)),
};

/// An external program as a user asks for it.
#[derive(Debug)]
struct ExternalConfig {
    program: Program,
    protocol: Protocol,
    orders: ExternalLimits,
    timeouts: Timeouts,
}

impl ExternalConfig {
    fn read(given: &GivenSettings<'_>) -> Result<Self, ParseSpecError> {
        let words = given.value("cmd", split_command)?.unwrap_or_default();
        let protocol = given.value("protocol", str::parse::<Protocol>)?;
        let protocol = protocol.ok_or_else(|| given.fail(SpecProblem::NoProtocol))?;
        for setting in ["depth", "nodes", "time"] {
            if given.text(setting).is_some() && !protocol.supported_limits().contains(&setting) {
                return Err(given.fail_at(setting, SpecProblem::UnsupportedLimit { setting, protocol }));
            }
        }
        let time: Option<Duration> = given.value("time", parse_time)?;
        if protocol.uses_whole_seconds() && time.is_some_and(|time| time.subsec_nanos() != 0) {
            return Err(given.fail(SpecProblem::WholeSeconds(protocol)));
        }
        let default = Timeouts::default();
        Ok(Self {
            program: Program { command: words, folder: given.text("dir").map(PathBuf::from) },
            protocol,
            orders: ExternalLimits { depth: given.number("depth")?, nodes: given.number("nodes")?, time },
            timeouts: Timeouts {
                start: given.value("start-timeout", parse_time)?.unwrap_or(default.start),
                ping: given.value("ping-timeout", parse_time)?.unwrap_or(default.ping),
                choice: given.value("move-timeout", parse_time)?.unwrap_or(default.choice),
            },
        })
    }
}

/// Splits a command into words, as a shell does.
fn split_command(text: &str) -> Result<Vec<String>, SpecProblem> {
    let words = shell_words::split(text).map_err(|_| SpecProblem::Quotes)?;
    if words.first().is_none_or(String::is_empty) { Err(SpecProblem::NoProgram) } else { Ok(words) }
}

impl PlayerConfig for ExternalConfig {
    fn player(&self, game: &'static dyn AnyGame, _: Option<&GameData>) -> Result<Box<dyn Player>, UnsupportedSpec> {
        let &Self { ref program, protocol, orders, timeouts } = self;
        let dialect = game.dialect(protocol).ok_or(UnsupportedSpec::Protocol { game: game.name(), protocol })?;
        Ok(Box::new(ExternalPlayer::new(program.clone(), protocol, orders, timeouts, dialect)))
    }

    fn default_name(&self) -> Option<String> {
        let file = Path::new(self.program.command.first()?).file_name()?;
        Some(file.to_string_lossy().into_owned())
    }

    fn protocol(&self) -> Option<Protocol> {
        Some(self.protocol)
    }
}

impl fmt::Display for ExternalConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, protocol, orders, .. } = self;
        write!(f, "`{}` over {protocol}", program.command.join(" "))?;
        let bounds = [
            orders.depth.map(|depth| format!(", depth {depth}")),
            orders.nodes.map(|nodes| format!(", {nodes} nodes a move")),
            orders.time.map(|time| format!(", {} ms a move", time.as_secs_f64() * 1000.0)),
        ];
        bounds.iter().flatten().try_for_each(|bound| f.write_str(bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_command_folder_and_timeouts() {
        let asked = |text: &str| ExternalConfig::read(&GivenSettings::parse(text).unwrap()).unwrap();
        let external = asked("cmd=\"/opt/an engine -a 'x y, z' ''\",protocol=nboard,dir=/tmp,depth=3,ping-timeout=2s");
        assert_eq!(external.program.command, ["/opt/an", "engine", "-a", "x y, z", ""]);
        assert_eq!(asked("cmd=./a\\ b #1,protocol=gtp").program.command, ["./a b"]);
        assert_eq!(external.program.folder.as_deref(), Some(Path::new("/tmp")));
        assert_eq!((external.protocol, external.orders.depth), (Protocol::NBoard, Some(3)));
        let timeouts = Timeouts { ping: Duration::from_secs(2), ..Timeouts::default() };
        assert_eq!(external.timeouts, timeouts);
        let orders = asked("cmd=x,protocol=morris-text,depth=3,nodes=9,time=1.5s").orders;
        let expected = ExternalLimits { depth: Some(3), nodes: Some(9), time: Some(Duration::from_millis(1500)) };
        assert_eq!(orders, expected);
    }
}
