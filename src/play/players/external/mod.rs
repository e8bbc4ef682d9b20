//! [`ExternalPlayer`]: an external engine that plays over one of the protocols.
//!
//! | file | protocol | limits sent | statistics received |
//! | --- | --- | --- | --- |
//! | `nboard` | [NBoard](Protocol::NBoard) | depth | nodes |
//! | `gtp` | [GTP](Protocol::Gtp) | time, clock | nothing |
//! | `morris_text` | [morris-text](Protocol::MorrisText) | depth, nodes, time, clock | depth, nodes |
//!
//! Clocks run with every protocol, but NBoard has no command to report them to the engine.
//!
//! Output that is not part of a response is ignored. An engine that fails is killed, and restarted
//! for the next game.

mod gtp;
mod morris_text;
mod nboard;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use morello_core::game::{
    AnyMove, Cancel, Choice, Clock, Dialect, Game, IllegalMove, Limits, Player, PlayerError, Protocol, TimeControl,
    parse_time,
};
use serde::{Deserialize, Serialize};

use super::process::{Conversation, Deadline, PendingSearch, Process, Program};
use super::spec::settings::{CLOCK, DEPTH, NODES, Setting, TIME, describe_limits};
use super::spec::{GivenSettings, ParseSpecError, PlayerConfig, PlayerKind, SpecProblem, UnsupportedSpec};

/// The time limits of an external engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timeouts {
    /// The time from the start to the first response.
    pub start: Duration,
    /// The time to read a position and confirm it.
    pub ping: Duration,
    /// The time to choose a move.
    pub choice: Duration,
}

impl Default for Timeouts {
    /// Returns 10 seconds to start (the engine may load an opening book or weights), 10 for a ping
    /// and 300 for a move.
    fn default() -> Self {
        Self { start: Duration::from_secs(10), ping: Duration::from_secs(10), choice: Duration::from_secs(300) }
    }
}

/// An engine that is silent for [`PATIENCE`] after its start is started a second time to try the
/// other protocols. The second process has [`PROBE_TIME`] per protocol.
const PATIENCE: Duration = Duration::from_secs(5);
const PROBE_TIME: Duration = Duration::from_secs(2);

/// The settings of a connection to an engine.
struct ConnectionSettings {
    limits: Limits,
    /// The clock of the current game.
    clock: Clock,
    timeouts: Timeouts,
    dialect: Dialect,
    /// Engine-specific commands to send after the greeting.
    commands: Vec<String>,
}

/// A running engine during a request.
struct EngineLink<'a> {
    settings: &'a ConnectionSettings,
    process: &'a mut Process,
    cancel: &'a Cancel,
    /// The deadline of the request.
    deadline: Deadline<'a>,
}

/// The client side of one protocol.
trait ProtocolClient: Send {
    /// Greets a process that was just started and waits for its response, within the start timeout.
    fn start(&mut self, link: &mut EngineLink<'_>) -> Result<(), PlayerError>;

    /// Sends an engine-specific command, such as one that sets an option.
    fn command(&mut self, link: &mut EngineLink<'_>, line: &str) -> Result<(), PlayerError>;

    /// Declares that the next move belongs to a new game.
    fn new_game(&mut self) {}

    /// Sends the game, within the ping timeout, and asks for a move.
    fn request_move(&mut self, link: &mut EngineLink<'_>, game: &Game) -> Result<Choice, PlayerError>;
}

fn client(protocol: Protocol) -> Box<dyn ProtocolClient> {
    match protocol {
        Protocol::NBoard => Box::new(nboard::NBoardClient::default()),
        Protocol::Gtp => Box::new(gtp::GtpClient::default()),
        Protocol::MorrisText => Box::new(morris_text::MorrisTextClient::default()),
    }
}

/// A player that asks an external engine for its moves.
pub struct ExternalPlayer {
    program: Program,
    protocol: Protocol,
    settings: ConnectionSettings,
    client: Box<dyn ProtocolClient>,
    /// `None` before the first game, and after a failure.
    process: Option<Process>,
    conversation: Conversation,
}

morello_core::debug_fields!(ExternalPlayer { program });

impl ExternalPlayer {
    /// Creates a player. [`prepare`](Player::prepare) starts its program. `dialect` is the
    /// [dialect](morello_core::game::AnyGame::dialect) of the game for this protocol. Of `limits`,
    /// only depth, nodes and time are sent, if the protocol [supports](Protocol::supported_limits)
    /// them.
    ///
    /// ```
    /// use morello::game::{Cancel, Limits, Player, Protocol};
    /// use morello::games;
    /// use morello::players::{ExternalPlayer, Program, Timeouts};
    ///
    /// let dialect = games::get("othello")?.dialect(Protocol::Gtp).expect("GTP supports Othello");
    /// let program = Program { command: vec!["./no-such-engine".to_owned()], folder: None };
    /// let mut player = ExternalPlayer::new(program, Protocol::Gtp, Limits::depth(6), Timeouts::default(), dialect);
    /// let error = player.prepare(1, &Cancel::new()).unwrap_err();
    /// assert!(error.to_string().contains("./no-such-engine"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(program: Program, protocol: Protocol, limits: Limits, timeouts: Timeouts, dialect: Dialect) -> Self {
        let settings = ConnectionSettings { limits, clock: Clock::default(), timeouts, dialect, commands: Vec::new() };
        Self {
            program,
            protocol,
            settings,
            client: client(protocol),
            process: None,
            conversation: Conversation::default(),
        }
    }

    /// Sends engine-specific commands, such as ones that set options, after every start of the
    /// engine.
    #[must_use]
    pub fn with_commands(mut self, commands: Vec<String>) -> Self {
        self.settings.commands = commands;
        self
    }

    /// Starts the program. If it stays silent, starts it a second time to find out whether it uses
    /// another protocol.
    fn start(&mut self, cancel: &Cancel) -> Result<Process, PlayerError> {
        self.client.new_game();
        self.conversation.clear();
        let Self { program, protocol, settings, client: own, conversation, .. } = self;
        let tried = *protocol;
        let (waiting, probing) = (cancel.child(), cancel.child());
        let (answered, is_answered) = channel::<()>();
        thread::scope(|scope| {
            let (waiting, probing) = (&waiting, &probing);
            let (program, settings) = (&*program, &*settings);
            let probe = move || -> Option<Protocol> {
                let is_silent = is_answered.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
                let mut others = Protocol::ALL.into_iter().filter(|&other| is_silent && other != tried);
                let fitting = others.find(|&other| {
                    let discarded = Conversation::default();
                    greet(program, settings, &mut *client(other), &discarded, PROBE_TIME, probing).is_ok()
                });
                // Do not shorten a start timeout that the user has set: the engine may need it.
                if fitting.is_some() && settings.timeouts.start == Timeouts::default().start {
                    waiting.cancel();
                }
                fitting
            };
            let probe = thread::Builder::new().spawn_scoped(scope, probe);
            let limit = settings.timeouts.start;
            let started = greet(program, settings, &mut **own, conversation, limit, waiting);
            drop(answered);
            let started = started.and_then(|mut process| {
                let mut link = settings.link(&mut process, limit, cancel);
                let sent = settings.commands.iter().try_for_each(|line| own.command(&mut link, line));
                match sent {
                    Err(PlayerError::Refused { request, response }) => Err(process.protocol_error(&request, &response)),
                    sent => sent.map(|()| process),
                }
            });
            if started.is_ok() {
                probing.cancel();
            }
            match probe.map_or(Ok(None), thread::ScopedJoinHandle::join) {
                Ok(Some(fitting)) if started.is_err() && !cancel.is_cancelled() => {
                    Err(PlayerError::OtherProtocol { tried, fitting })
                }
                _ => started,
            }
        })
    }
}

/// Starts a program and waits for its response to the greeting of a protocol.
fn greet(
    program: &Program,
    settings: &ConnectionSettings,
    client: &mut dyn ProtocolClient,
    conversation: &Conversation,
    limit: Duration,
    cancel: &Cancel,
) -> Result<Process, PlayerError> {
    let mut process = Process::start(program, conversation)?;
    client.start(&mut settings.link(&mut process, limit, cancel))?;
    Ok(process)
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}

impl Player for ExternalPlayer {
    fn prepare(&mut self, _seed: u64, cancel: &Cancel) -> Result<(), PlayerError> {
        if self.process.is_none() {
            self.process = Some(self.start(cancel)?);
        }
        self.client.new_game();
        Ok(())
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.settings.clock = *clock;
    }

    fn conversation(&self) -> Vec<String> {
        self.conversation.lines()
    }

    fn choose(&mut self, game: &Game, cancel: &Cancel) -> Result<Choice, PlayerError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start(cancel)?,
        };
        // A failed process is dropped here, which kills it.
        let mut link = self.settings.link(&mut process, self.settings.timeouts.ping, cancel);
        let choice = self.client.request_move(&mut link, game)?;
        self.process = Some(process);
        Ok(choice)
    }
}

impl ConnectionSettings {
    fn link<'a>(&'a self, process: &'a mut Process, limit: Duration, cancel: &'a Cancel) -> EngineLink<'a> {
        EngineLink { settings: self, process, cancel, deadline: Deadline::new(limit, cancel) }
    }

    /// Parses the move that the engine chose.
    fn read(&self, game: &Game, text: &str) -> Result<AnyMove, PlayerError> {
        let illegal = || IllegalMove::of_text(text, *game.position());
        Ok((self.dialect.read_move)(game.position(), text).ok_or_else(illegal)?)
    }
}

impl EngineLink<'_> {
    /// Writes a line. `request` names it in errors.
    fn write(&mut self, request: &'static str, line: &str) -> Result<(), PlayerError> {
        self.process.write(request, line, &self.deadline)
    }

    fn read(&mut self, request: &'static str) -> Result<String, PlayerError> {
        self.process.read(request, &self.deadline)
    }

    /// Writes the line that starts a search, within the move timeout. `stop` is the stop command.
    fn search(&mut self, line: &str, stop: impl Into<String>) -> Result<PendingSearch<'_>, PlayerError> {
        PendingSearch::begin(self.process, line, self.settings.timeouts.choice, self.cancel, stop)
    }
}

/// Numbers the pings sent to a process.
#[derive(Debug, Default)]
struct PingCounter(u64);

impl PingCounter {
    /// Returns the line of the next ping.
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("ping {}", self.0)
    }

    /// Waits until the program has processed everything sent before, of which `sent` is the last
    /// line.
    fn ping(&mut self, link: &mut EngineLink<'_>, sent: &str, is_refusal: fn(&str) -> bool) -> Result<(), PlayerError> {
        let ping = self.next();
        link.write("ping", &ping)?;
        loop {
            let line = link.read("ping")?;
            if line.strip_prefix("pong").is_some_and(|number| number.trim().parse() == Ok(self.0)) {
                return Ok(());
            }
            if is_refusal(&line) {
                return Err(PlayerError::Refused { request: sent.to_owned(), response: line });
            }
        }
    }
}

/// The player kind of an external engine.
pub(super) const EXTERNAL: PlayerKind = PlayerKind {
    name: "an external engine",
    key: Some("cmd"),
    settings: &[
        DEPTH,
        NODES,
        TIME,
        CLOCK,
        Setting::new("cmd", "\"COMMAND\"", "external engine; 'single quotes' group an argument"),
        Setting::new("protocol", "NAME", "nboard (supports depth), gtp (time) or morris-text (depth, nodes, time)"),
        Setting::new("init", "\"LINES\"", "commands sent at startup, separated by semicolons"),
        Setting::new("dir", "DIR", "working directory"),
        Setting::new("start-timeout", "TIME", "time limit for its startup [default: 10s]"),
        Setting::new("ping-timeout", "TIME", "time limit for the reply to a ping [default: 10s]"),
        Setting::new("move-timeout", "TIME", "time limit for a move [default: 300s]"),
    ],
    parse: |given| ExternalConfig::read(given).map(ExternalConfig::into_config),
};

/// The settings of an external engine.
#[derive(Debug)]
struct ExternalConfig {
    program: Program,
    protocol: Protocol,
    limits: Limits,
    clock: Option<TimeControl>,
    timeouts: Timeouts,
    commands: Vec<String>,
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
        let default = Timeouts::default();
        Ok(Self {
            program: Program { command: words, folder: given.text("dir").map(PathBuf::from) },
            protocol,
            limits: given.limits()?,
            clock: given.clock()?,
            commands: given.text("init").map_or_else(Vec::new, split_commands),
            timeouts: Timeouts {
                start: given.value("start-timeout", parse_time)?.unwrap_or(default.start),
                ping: given.value("ping-timeout", parse_time)?.unwrap_or(default.ping),
                choice: given.value("move-timeout", parse_time)?.unwrap_or(default.choice),
            },
        })
    }

    fn into_config(self) -> PlayerConfig {
        let Self { program, protocol, limits, clock, timeouts, commands } = self;
        let file = program.command.first().and_then(|file| Path::new(file).file_name());
        let limited: String = describe_limits(&limits, clock).map(|limit| format!(", {limit}")).collect();
        let description = format!("`{}` over {protocol}{limited}", program.command.join(" "));
        let is_timed = limits.time.is_some() || clock.is_some();
        PlayerConfig {
            default_name: file.map(|file| file.to_string_lossy().into_owned()),
            protocol: Some(protocol),
            time: limits.time,
            clock,
            uses_clock: is_timed || limits.depth.is_none() && limits.nodes.is_none(),
            ..PlayerConfig::new(description, move |game, _| {
                let unsupported = UnsupportedSpec::Protocol { game: game.name(), protocol };
                let dialect = game.dialect(protocol).ok_or(unsupported)?;
                let player = ExternalPlayer::new(program.clone(), protocol, limits, timeouts, dialect);
                Ok(Box::new(player.with_commands(commands.clone())))
            })
        }
    }
}

/// Splits a command into words like a shell.
fn split_command(text: &str) -> Result<Vec<String>, SpecProblem> {
    let words = shell_words::split(text).map_err(|_| SpecProblem::Quotes)?;
    if words.first().is_none_or(String::is_empty) { Err(SpecProblem::NoProgram) } else { Ok(words) }
}

/// Splits the commands of `init=`.
fn split_commands(text: &str) -> Vec<String> {
    text.split(';').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_command_folder_and_timeouts() {
        let config = |text: &str| ExternalConfig::read(&GivenSettings::parse(text).unwrap()).unwrap();
        let external = config("cmd=\"/opt/an engine -a 'x y, z' ''\",protocol=nboard,dir=/tmp,depth=3,ping-timeout=2s");
        assert_eq!(external.program.command, ["/opt/an", "engine", "-a", "x y, z", ""]);
        assert_eq!(config("cmd=./a\\ b #1,protocol=gtp").program.command, ["./a b"]);
        assert_eq!(external.program.folder.as_deref(), Some(Path::new("/tmp")));
        assert_eq!((external.protocol, external.limits.depth), (Protocol::NBoard, Some(3)));
        let timeouts = Timeouts { ping: Duration::from_secs(2), ..Timeouts::default() };
        assert_eq!(external.timeouts, timeouts);
        let limits = config("cmd=x,protocol=morris-text,depth=3,nodes=9,time=1.5s").limits;
        let expected = Limits { nodes: Some(9), time: Some(Duration::from_millis(1500)), ..Limits::depth(3) };
        assert_eq!(limits, expected);
    }
}
