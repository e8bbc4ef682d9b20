//! [`Process`]: a child process with line-based standard input and output.
//!
//! ```text
//! write            -> channel -> thread -> standard input
//! read             <- channel <- thread <- standard output
//! last stderr line            <- thread <- standard error
//! ```
//!
//! Each pipe has its own thread, so that both reads and writes can time out, even when the program
//! does not read its input. The threads end when the process closes its ends of the pipes.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use morello_core::game::{Cancel, PlayerError};
use morello_core::threads;
use morello_files::input::read_line;
use serde::{Deserialize, Serialize};

use super::spawn::spawn;

/// Time limit for the response to a stop command. Ctrl-C ends a match within a second.
const STOP_TIME: Duration = Duration::from_millis(500);

/// How long a program may take to end. After that it is killed.
const QUIT_TIME: Duration = Duration::from_millis(50);

/// How often a wait checks [`Cancel`].
const POLL: Duration = Duration::from_millis(50);

/// Maximum length of a line, in bytes. Longer lines are split.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Maximum number of unread lines. After that the program blocks when it writes.
const MAX_QUEUED_LINES: usize = 1024;

/// How much a program may write in response to one line, in lines and in bytes. More counts as a
/// flood.
const MAX_UNANSWERED_LINES: u64 = 1_000_000;
const MAX_UNANSWERED_BYTES: u64 = 64 << 20;

/// How long to wait for the end of standard error and for the exit after a program has closed its
/// output.
const STDERR_WAIT: Duration = Duration::from_millis(500);

/// A program to run: its command line and working directory.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Program {
    /// The file or name of the program, then its arguments.
    pub command: Vec<String>,
    /// The working directory of the program; `None` for the current directory. A relative path to
    /// the program itself is always relative to the current directory.
    pub folder: Option<PathBuf>,
}

impl Program {
    fn prepare(&self) -> io::Result<Command> {
        let (name, arguments) = self.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = if self.folder.is_some() && name.contains('/') {
            // With another working directory, systems resolve relative paths differently.
            Command::new(std::path::absolute(name)?)
        } else {
            Command::new(name)
        };
        command.args(arguments);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }
}

/// The time limit for writing a request and reading its response, and the flag that cancels it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline<'a> {
    start: Instant,
    limit: Duration,
    cancel: &'a Cancel,
}

impl<'a> Deadline<'a> {
    /// Starts the clock.
    pub(super) fn new(limit: Duration, cancel: &'a Cancel) -> Self {
        Self { start: Instant::now(), limit, cancel }
    }

    /// Waits for a message from a thread. Returns `None` if the thread has ended, or if the program
    /// has ended and no message comes, because another process may keep its pipe open.
    fn wait<T>(
        &self,
        request: &'static str,
        from: &Receiver<T>,
        mut has_ended: impl FnMut() -> bool,
    ) -> Result<Option<T>, PlayerError> {
        loop {
            if self.cancel.is_cancelled() {
                return Err(PlayerError::Cancelled);
            }
            let left = self.limit.saturating_sub(self.start.elapsed());
            // Checked first: a program that never stops writing always has a line ready.
            if left.is_zero() {
                return Err(PlayerError::Timeout { request: Some(request), limit: self.limit });
            }
            match from.recv_timeout(left.min(POLL)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Timeout) if has_ended() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

/// A search that was requested. On cancellation, the program receives a stop command and has
/// [`STOP_TIME`] to respond.
pub(super) struct PendingSearch<'a> {
    process: &'a mut Process,
    deadline: Deadline<'a>,
    stop: String,
    /// Whether the stop command was sent.
    pub(super) is_stopped: bool,
}

impl<'a> PendingSearch<'a> {
    /// Starts the clock and sends the line that starts the search. `stop` is the stop command.
    pub(super) fn begin(
        process: &'a mut Process,
        line: &str,
        limit: Duration,
        cancel: &'a Cancel,
        stop: impl Into<String>,
    ) -> Result<Self, PlayerError> {
        let deadline = Deadline::new(limit, cancel);
        process.write("go", line, &deadline)?;
        Ok(Self { process, deadline, stop: stop.into(), is_stopped: false })
    }

    /// Returns the next line.
    pub(super) fn read(&mut self) -> Result<String, PlayerError> {
        let read = match self.process.read("go", &self.deadline) {
            Err(PlayerError::Cancelled) if !self.is_stopped => {
                self.is_stopped = true;
                self.deadline = Deadline::new(STOP_TIME, &NEVER);
                let stopped = self.process.write("stop", &self.stop, &self.deadline);
                stopped.and_then(|()| self.process.read("go", &self.deadline))
            }
            read => read,
        };
        match read {
            Err(PlayerError::Timeout { .. }) if self.is_stopped => Err(PlayerError::Cancelled),
            read => read,
        }
    }
}

static NEVER: LazyLock<Cancel> = LazyLock::new(Cancel::new);

/// A running child process. Dropping it kills the process and its process group.
#[derive(Debug)]
struct ChildGroup(Child);

impl ChildGroup {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "there are no groups"))]
    fn spawn(mut command: Command) -> io::Result<Self> {
        // In its own process group, the program does not receive Ctrl-C, and its children can be
        // killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = spawn(command)?;
        running().push(child.id());
        Ok(Self(child))
    }

    /// Returns whether the process has exited. Its children may still run.
    fn has_ended(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(Some(_)))
    }
}

impl Drop for ChildGroup {
    fn drop(&mut self) {
        // Even if the process has exited, its children may still run.
        let mut running = running();
        kill_group(self.0.id());
        running.retain(|&group| group != self.0.id());
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The output of a program that has ended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ProgramOutput {
    /// The standard output, in bytes; only the beginning if it is too long.
    pub bytes: Vec<u8>,
    /// Whether the output exceeded the limit. The program was then killed.
    pub is_too_long: bool,
    /// The exit status.
    pub status: ExitStatus,
}

/// Runs a program without input to its end and returns its standard output, at most `max_bytes`;
/// `None` if cancelled. The program inherits standard error.
///
/// ```
/// use morello::game::Cancel;
/// use morello::players::{Program, run_program};
///
/// let program = Program { command: vec!["rustc".to_owned(), "--version".to_owned()], folder: None };
/// let output = run_program(&program, 5, &Cancel::new())?.expect("it was not cancelled");
/// assert_eq!(output.bytes, b"rustc");
/// assert!(output.is_too_long);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the program cannot be started, or its output cannot be read.
pub fn run_program(program: &Program, max_bytes: u64, cancel: &Cancel) -> io::Result<Option<ProgramOutput>> {
    let mut command = program.prepare()?;
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut group = ChildGroup::spawn(command)?;
    let Some(output) = group.0.stdout.take() else { unreachable!("it is piped") };
    let (sender, read) = channel();
    threads::spawn(Box::new(move || {
        let mut bytes = Vec::new();
        let result = output.take(max_bytes + 1).read_to_end(&mut bytes);
        let _ = sender.send(result.map(|_| bytes));
    }));
    let Some(received) = cancel.receive(&read) else { return Ok(None) };
    let mut bytes = received.map_err(|_| io::Error::other("the thread that reads it panicked"))??;
    let is_too_long = bytes.len() as u64 > max_bytes;
    bytes.truncate(max_bytes as usize);
    if is_too_long {
        group.0.kill()?;
    }
    // The program may keep running after it has closed its output.
    let status = loop {
        match group.0.try_wait()? {
            _ if cancel.is_cancelled() => return Ok(None),
            Some(status) => break status,
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    Ok(Some(ProgramOutput { bytes, is_too_long, status }))
}

/// The last lines sent to and received from a program: see
/// [`Player::conversation`](morello_core::game::Player::conversation).
#[derive(Debug, Clone, Default)]
pub(super) struct Conversation(Arc<Mutex<VecDeque<String>>>);

impl Conversation {
    const LINES: usize = 40;

    /// The maximum length of a line, in bytes. Longer lines are truncated.
    const LINE_BYTES: usize = 200;

    fn add(&self, mark: char, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = if lines.len() == Self::LINES { lines.pop_front().unwrap_or_default() } else { String::new() };
        let cut = line.floor_char_boundary(Self::LINE_BYTES);
        kept.clear();
        kept.extend([mark, ' ']);
        kept.push_str(&line[..cut]);
        if cut < line.len() {
            kept.push('…');
        }
        lines.push_back(kept);
    }

    /// Starts a new conversation.
    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the lines, the oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// A running program with line-based pipes.
#[derive(Debug)]
pub(super) struct Process {
    conversation: Conversation,
    /// How much the program has written since the last line sent to it, in lines and in bytes.
    unanswered: [u64; 2],
    group: ChildGroup,
    input: Sender<String>,
    written: Receiver<io::Result<()>>,
    lines: Receiver<String>,
    stderr_tail: Arc<Mutex<String>>,
    errors_read: Receiver<()>,
}

impl Process {
    /// Starts a program. `conversation` receives the lines to and from it.
    pub(super) fn start(program: &Program, conversation: &Conversation) -> Result<Self, PlayerError> {
        Self::spawn(program, conversation.clone()).map_err(|cause| {
            // The system error is the same for a missing program and a missing directory.
            let name = program.command.first().map_or("", String::as_str);
            let problem = match &program.folder {
                Some(folder) if !folder.is_dir() => format!("working directory `{}` does not exist", folder.display()),
                _ => format!("cannot start `{name}`: {cause}"),
            };
            PlayerError::Crash { cause: io::Error::new(cause.kind(), problem), last_stderr_line: String::new() }
        })
    }

    fn spawn(program: &Program, conversation: Conversation) -> io::Result<Self> {
        let mut command = program.prepare()?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = ChildGroup::spawn(command)?;
        let child = &mut group.0;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(pipe), Some(output), Some(errors)) = pipes else { unreachable!("all three are piped") };

        let (sender, lines) = sync_channel(MAX_QUEUED_LINES);
        threads::spawn(Box::new(move || {
            // The send fails once the `Process` is dropped.
            read_lines(output, MAX_LINE_BYTES, |line| sender.send(line).is_ok());
        }));
        let stderr_tail = Arc::new(Mutex::new(String::new()));
        let last_line = Arc::clone(&stderr_tail);
        let (input, to_write) = channel();
        let (done, written) = channel();
        threads::spawn(Box::new(move || write_lines(pipe, &to_write, &done)));
        let (done, errors_read) = channel();
        let errors_of = conversation.clone();
        threads::spawn(Box::new(move || {
            read_lines(errors, MAX_LINE_BYTES, |line| {
                if !line.is_empty() {
                    errors_of.add('!', &line);
                    *last_line.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
                true
            });
            let _ = done.send(());
        }));
        Ok(Self { conversation, unanswered: [0; 2], group, input, written, lines, stderr_tail, errors_read })
    }

    /// Writes a line. `request` names it in errors. Must not be called again after an error.
    pub(super) fn write(
        &mut self,
        request: &'static str,
        line: &str,
        deadline: &Deadline<'_>,
    ) -> Result<(), PlayerError> {
        self.conversation.add('>', line);
        self.unanswered = [0; 2];
        let sent = self.input.send(format!("{line}\n"));
        let written = sent.map_or(Ok(None), |()| deadline.wait(request, &self.written, || self.group.has_ended()))?;
        match written {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(self.exit_error(format_args!("before it read `{request}`: {error}"))),
            None => Err(self.exit_error(format_args!("before it read `{request}`"))),
        }
    }

    /// Returns the next line, trimmed.
    pub(super) fn read(&mut self, request: &'static str, deadline: &Deadline<'_>) -> Result<String, PlayerError> {
        match deadline.wait(request, &self.lines, || self.group.has_ended())? {
            Some(line) => {
                self.conversation.add('<', &line);
                let [lines, bytes] = &mut self.unanswered;
                *lines += 1;
                *bytes += line.len() as u64;
                if *lines > MAX_UNANSWERED_LINES || *bytes > MAX_UNANSWERED_BYTES {
                    return Err(PlayerError::Flood { request, lines: *lines, bytes: *bytes });
                }
                Ok(line)
            }
            None => Err(self.exit_error(format_args!("without answering `{request}`"))),
        }
    }

    /// Asks the program to end, and waits briefly.
    pub(super) fn quit(mut self) {
        let start = Instant::now();
        if self.input.send("quit\n".to_owned()).is_ok() {
            while !self.group.has_ended() && start.elapsed() < QUIT_TIME {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Returns the error for a line that the program refused.
    pub(super) fn protocol_error(&self, line: &str, response: &str) -> PlayerError {
        let cause = io::Error::new(io::ErrorKind::InvalidData, format!("it responded to `{line}` with `{response}`"));
        PlayerError::Crash { cause, last_stderr_line: self.stderr_tail() }
    }

    fn stderr_tail(&self) -> String {
        self.stderr_tail.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the error for a process that exited or closed its pipes.
    fn exit_error(&mut self, when: fmt::Arguments<'_>) -> PlayerError {
        let start = Instant::now();
        // Its last error output may still be in the pipe, and the pipes close before the process
        // exits.
        let _ = self.errors_read.recv_timeout(STDERR_WAIT);
        let status = loop {
            match self.group.0.try_wait() {
                Ok(Some(status)) => break format!("it exited ({status})"),
                Ok(None) if start.elapsed() < STDERR_WAIT => thread::sleep(Duration::from_millis(1)),
                _ => break "it closed its input or output".to_owned(),
            }
        };
        let cause = io::Error::new(io::ErrorKind::UnexpectedEof, format!("{status} {when}"));
        PlayerError::Crash { cause, last_stderr_line: self.stderr_tail() }
    }
}

/// The process groups of the running programs.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all started programs and exits at once with `code`. No destructors run.
pub fn kill_all_and_exit(code: i32) -> ! {
    let running = running();
    running.iter().copied().for_each(kill_group);
    // Exit while holding the lock: a thread whose program was killed waits for the lock and does
    // not report a crash.
    std::process::exit(code)
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no groups"))]
fn kill_group(group: u32) {
    #[cfg(unix)]
    let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group as i32), nix::sys::signal::Signal::SIGKILL);
}

/// Writes each line of `lines` and reports its result to `done`, until a write fails or a channel
/// closes.
fn write_lines(mut sink: impl Write, lines: &Receiver<String>, done: &Sender<io::Result<()>>) {
    while let Ok(line) = lines.recv() {
        let result = sink.write_all(line.as_bytes()).and_then(|()| sink.flush());
        let failed = result.is_err();
        if done.send(result).is_err() || failed {
            return;
        }
    }
}

/// Passes each line of `source`, trimmed, to `on_line`, until the end, an error, or `on_line`
/// returns false. Lines longer than `max_bytes` are split.
pub(crate) fn read_lines(source: impl Read, max_bytes: u64, mut on_line: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    while let Ok(Some(line)) = read_line(&mut source, max_bytes) {
        if !on_line(line) {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(words: &[&str]) -> Process {
        Process::start(
            &Program { command: words.iter().map(ToString::to_string).collect(), folder: None },
            &Conversation::default(),
        )
        .unwrap()
    }

    #[test]
    fn times_out_when_the_program_does_not_read() {
        // Larger than any pipe buffer.
        let line = "x".repeat(4 << 20);
        let mut process = start(&["sleep", "1000"]);
        let never = Cancel::new();
        let error = process.write("go", &line, &Deadline::new(Duration::from_millis(200), &never)).unwrap_err();
        assert!(matches!(error, PlayerError::Timeout { request: Some("go"), .. }), "{error}");
        let cancel = Cancel::new();
        cancel.cancel();
        let mut process = start(&["sleep", "1000"]);
        let error = process.write("go", &line, &Deadline::new(Duration::MAX, &cancel)).unwrap_err();
        assert!(matches!(error, PlayerError::Cancelled), "{error}");
        // A program that reads gets the whole line.
        let mut process = start(&["wc", "-l"]);
        process.write("go", &line, &Deadline::new(Duration::from_secs(20), &never)).unwrap();
    }

    #[test]
    fn closed_pipes_are_a_crash() {
        let never = Cancel::new();
        let deadline = Deadline::new(Duration::from_secs(20), &never);
        let closes =
            |pipe: &str| start(&["sh", "-c", &format!("echo out of cheese >&2; exec {pipe}; exec sleep 1000")]);
        let error = closes(">&-").read("go", &deadline).unwrap_err().to_string();
        assert_eq!(
            error,
            "it closed its input or output without answering `go` (last line on standard error: `out of cheese`)"
        );
        let mut process = closes("<&-");
        // Writes succeed until the shell has closed the pipe.
        let error = loop {
            match process.write("go", "go", &deadline) {
                Ok(()) => thread::sleep(Duration::from_millis(1)),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.starts_with("it closed its input or output before it read `go`: "), "{error}");
    }

    #[test]
    fn a_child_that_holds_the_pipes_does_not_hide_the_end() {
        let never = Cancel::new();
        let deadline = Deadline::new(Duration::from_secs(20), &never);
        let mut process = start(&["sh", "-c", "sleep 1000 & echo last; exit 5"]);
        assert_eq!(process.read("go", &deadline).unwrap(), "last");
        let error = process.read("go", &deadline).unwrap_err().to_string();
        assert!(error.starts_with("it exited (exit status: 5) without answering `go`"), "{error}");
    }

    #[test]
    fn splits_overlong_lines_and_ends_a_flood() {
        let never = Cancel::new();
        let mut process = start(&["sh", "-c", "yes | tr -d '\\n'"]);
        let deadline = Deadline::new(Duration::from_secs(20), &never);
        let error = loop {
            match process.read("go", &deadline) {
                Ok(line) => assert!(line.len() <= MAX_LINE_BYTES as usize),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, PlayerError::Flood { request: "go", .. }), "{error}");
    }
}
