//! [`Process`]: a program that is talked to line by line over its standard input and output.
//!
//! ```text
//! write -> lines to write -> thread -> standard input
//! read  <- lines to read  <- thread <- standard output
//! last words              <- thread <- standard error
//! ```
//!
//! The pipes have threads of their own, so that no wait is longer than asked for, neither for a line nor for a program that does not read
//! its own: it is not heeded any more once its pipe is full. The threads end with the process's end of the pipes.

use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::game::{Cancel, PlayerError};
use crate::input::read_line;

/// How long a program may take to answer when it was told to stop.
const STOP_TIME: Duration = Duration::from_secs(1);

/// How long a raised [`Cancel`] may stay unseen.
const POLL: Duration = Duration::from_millis(50);

/// What is kept of a line that goes on and on, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// How many lines wait to be read until the program that writes them has to wait, too.
const MAX_QUEUED_LINES: usize = 1024;

/// How long a program that has closed its output may take to hand over what it last wrote to its standard error, and to end.
const STDERR_WAIT: Duration = Duration::from_millis(500);

/// A program to run: where it is, its arguments, and the folder it runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The file or name of the program, then its arguments.
    pub command: Vec<String>,
    /// The folder it runs in; `None` is the present one. A path of the program that is not absolute counts from the present folder all the
    /// same.
    pub folder: Option<PathBuf>,
}

/// How long a request may take, the writing and the answer together, and what ends it earlier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline<'a> {
    start: Instant,
    limit: Duration,
    cancel: &'a Cancel,
}

impl<'a> Deadline<'a> {
    /// Begins to wait now.
    pub(super) fn new(limit: Duration, cancel: &'a Cancel) -> Self {
        Self { start: Instant::now(), limit, cancel }
    }

    /// Waits for what comes from a thread; `None` if that has ended.
    fn wait<T>(&self, request: &'static str, from: &Receiver<T>) -> Result<Option<T>, PlayerError> {
        loop {
            if self.cancel.is_cancelled() {
                return Err(PlayerError::Cancelled);
            }
            let left = self.limit.saturating_sub(self.start.elapsed());
            // A program that goes on talking has lines waiting at any time.
            if left.is_zero() {
                return Err(PlayerError::Timeout { request, limit: self.limit });
            }
            match from.recv_timeout(left.min(POLL)) {
                Ok(come) => return Ok(Some(come)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

/// The wait for the answer to a search. When it is cancelled, the program is told to stop, and has a moment to answer.
pub(super) struct PendingSearch<'a> {
    deadline: Deadline<'a>,
    stop: String,
    is_stopped: bool,
}

impl<'a> PendingSearch<'a> {
    /// Begins to wait now; `stop` is the line that tells the program to stop.
    pub(super) fn new(limit: Duration, cancel: &'a Cancel, stop: impl Into<String>) -> Self {
        Self { deadline: Deadline::new(limit, cancel), stop: stop.into(), is_stopped: false }
    }

    /// Asks for a search.
    pub(super) fn begin(&mut self, process: &mut Process, line: &str) -> Result<(), PlayerError> {
        process.write("go", line, &self.deadline)
    }

    /// Returns the next line.
    pub(super) fn read(&mut self, process: &mut Process) -> Result<String, PlayerError> {
        let read = match process.read("go", &self.deadline) {
            Err(PlayerError::Cancelled) if !self.is_stopped => {
                self.is_stopped = true;
                self.deadline = Deadline::new(STOP_TIME, &NEVER);
                process.write("stop", &self.stop, &self.deadline).and_then(|()| process.read("go", &self.deadline))
            }
            read => read,
        };
        match read {
            Err(PlayerError::Timeout { .. }) if self.is_stopped => Err(PlayerError::Cancelled),
            read => read,
        }
    }

    /// Returns whether the program was told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}

static NEVER: LazyLock<Cancel> = LazyLock::new(Cancel::new);

/// A running program, which is killed when this is dropped, with all processes of its group.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Sender<String>,
    written: Receiver<io::Result<()>>,
    lines: Receiver<String>,
    stderr_tail: Arc<Mutex<String>>,
    errors_read: Receiver<()>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(program: &Program) -> Result<Self, PlayerError> {
        Self::spawn(program).map_err(|cause| {
            // The system says what is missing, not which of the two.
            let name = program.command.first().map_or("", String::as_str);
            let problem = match &program.folder {
                Some(folder) if !folder.is_dir() => format!("there is no folder `{}`", folder.display()),
                _ => format!("cannot start `{name}`: {cause}"),
            };
            PlayerError::Crash { cause: io::Error::new(cause.kind(), problem), last_stderr_line: String::new() }
        })
    }

    fn spawn(program: &Program) -> io::Result<Self> {
        let (name, arguments) = program.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = if program.folder.is_some() && name.contains('/') {
            // Where it is looked for otherwise depends on the system once the folder is another.
            Command::new(std::path::absolute(name)?)
        } else {
            Command::new(name)
        };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        // A group of its own: Ctrl-C on the terminal is not for it, and what it starts can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        running().push(child.id());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(pipe), Some(output), Some(errors)) = pipes else { unreachable!("all three are piped") };

        let (sender, lines) = sync_channel(MAX_QUEUED_LINES);
        thread::spawn(move || {
            // Nobody listens any more once the process is dropped.
            read_lines(output, MAX_LINE_BYTES, |line| sender.send(line).is_ok());
        });
        let last_words = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&last_words);
        let (input, to_write) = channel();
        let (done, written) = channel();
        thread::spawn(move || write_lines(pipe, &to_write, &done));
        let (done, errors_read) = channel();
        thread::spawn(move || {
            read_lines(errors, MAX_LINE_BYTES, |line| {
                if !line.is_empty() {
                    *kept.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
                true
            });
            let _ = done.send(());
        });
        Ok(Self { child, input, written, lines, stderr_tail: last_words, errors_read })
    }

    /// Writes a line, of the request that is answered later on. After an error nothing more may be written.
    pub(super) fn write(
        &mut self,
        request: &'static str,
        line: &str,
        patience: &Deadline<'_>,
    ) -> Result<(), PlayerError> {
        let sent = self.input.send(format!("{line}\n"));
        let written = sent.map_or(Ok(None), |()| patience.wait(request, &self.written))?;
        match written {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(self.exit_error(format_args!("before `{request}` was written: {error}"))),
            None => Err(self.exit_error(format_args!("before `{request}` was written"))),
        }
    }

    /// Returns the next line, without its end and the blanks around it.
    pub(super) fn read(&mut self, request: &'static str, patience: &Deadline<'_>) -> Result<String, PlayerError> {
        match patience.wait(request, &self.lines)? {
            Some(line) => Ok(line),
            None => Err(self.exit_error(format_args!("with `{request}` unanswered"))),
        }
    }

    /// Says that a line was not taken as it should: the program cannot go on with the game.
    pub(super) fn protocol_error(&self, line: &str, answer: &str) -> PlayerError {
        let cause = io::Error::new(io::ErrorKind::InvalidData, format!("it answered `{line}` with `{answer}`"));
        PlayerError::Crash { cause, last_stderr_line: self.last_words() }
    }

    fn last_words(&self) -> String {
        self.stderr_tail.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says how the process has ended, or that it has closed its pipes.
    fn exit_error(&mut self, when: fmt::Arguments<'_>) -> PlayerError {
        let start = Instant::now();
        // What it said on its way out may still be in the pipe, and its pipes are closed before it has ended.
        let _ = self.errors_read.recv_timeout(STDERR_WAIT);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break format!("it ended ({status})"),
                Ok(None) if start.elapsed() < STDERR_WAIT => thread::sleep(Duration::from_millis(1)),
                _ => break "it closed its input or output".to_owned(),
            }
        };
        let cause = io::Error::new(io::ErrorKind::UnexpectedEof, format!("{status} {when}"));
        PlayerError::Crash { cause, last_stderr_line: self.last_words() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; what it has started need not have.
        let mut running = running();
        kill_group(self.child.id());
        running.retain(|&group| group != self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The groups of the processes that run.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all programs that were started, and ends the process with an exit code at once: nothing is dropped.
pub fn kill_all_and_exit(code: i32) -> ! {
    let running = running();
    running.iter().copied().for_each(kill_group);
    // With the lock held: whoever sees its program gone waits here for the end, and does not tell of a crash.
    std::process::exit(code)
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no groups"))]
fn kill_group(group: u32) {
    #[cfg(unix)]
    let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group as i32), nix::sys::signal::Signal::SIGKILL);
}

/// Writes each line that comes, and says how that went, until it fails or nobody listens.
fn write_lines(mut sink: impl Write, lines: &Receiver<String>, done: &Sender<io::Result<()>>) {
    for line in lines {
        let result = sink.write_all(line.as_bytes()).and_then(|()| sink.flush());
        let failed = result.is_err();
        if done.send(result).is_err() || failed {
            return;
        }
    }
}

/// Hands over line by line what is read, without the blanks around it, until that ends, fails, or is not wanted any more. What exceeds the
/// longest line, in bytes, is a line of its own.
pub(crate) fn read_lines(source: impl Read, longest: u64, mut take: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    while let Ok(Some(line)) = read_line(&mut source, longest) {
        if !take(line) {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(words: &[&str]) -> Process {
        Process::start(&Program { command: words.iter().map(ToString::to_string).collect(), folder: None }).unwrap()
    }

    #[test]
    fn times_out_when_the_program_does_not_read() {
        // More than any pipe holds.
        let line = "x".repeat(4 << 20);
        let mut process = start(&["sleep", "1000"]);
        let never = Cancel::new();
        let error = process.write("go", &line, &Deadline::new(Duration::from_millis(200), &never)).unwrap_err();
        assert!(matches!(error, PlayerError::Timeout { request: "go", .. }), "{error}");
        let cancel = Cancel::new();
        cancel.cancel();
        let mut process = start(&["sleep", "1000"]);
        let error = process.write("go", &line, &Deadline::new(Duration::MAX, &cancel)).unwrap_err();
        assert!(matches!(error, PlayerError::Cancelled), "{error}");
        // One that reads gets all of it.
        let mut process = start(&["wc", "-l"]);
        process.write("go", &line, &Deadline::new(Duration::from_secs(20), &never)).unwrap();
    }

    #[test]
    fn closed_pipes_are_a_crash() {
        let never = Cancel::new();
        let patience = Deadline::new(Duration::from_secs(20), &never);
        let closes =
            |pipe: &str| start(&["sh", "-c", &format!("echo out of cheese >&2; exec {pipe}; exec sleep 1000")]);
        let error = closes(">&-").read("go", &patience).unwrap_err().to_string();
        assert_eq!(error, "it closed its input or output with `go` unanswered (its last words: `out of cheese`)");
        let mut process = closes("<&-");
        // Until it has come so far, its pipe takes what is written.
        let error = loop {
            match process.write("go", "go", &patience) {
                Ok(()) => thread::sleep(Duration::from_millis(1)),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.starts_with("it closed its input or output before `go` was written: "), "{error}");
    }

    #[test]
    fn splits_overlong_lines() {
        let never = Cancel::new();
        let mut process = start(&["sh", "-c", "yes | tr -d '\\n'"]);
        let limit = Duration::from_millis(300);
        let patience = Deadline::new(limit, &never);
        let error = loop {
            match process.read("go", &patience) {
                Ok(line) => assert!(line.len() <= MAX_LINE_BYTES as usize),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, PlayerError::Timeout { request: "go", .. }), "{error}");
    }
}
