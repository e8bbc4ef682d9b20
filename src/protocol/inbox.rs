//! [`Inbox`]: the lines of the other side, and the thinking that they may stop.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::game::Cancel;
use crate::players::read_lines;

/// What is kept of a line that goes on and on, in bytes: enough for any game.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// How long a search with a bound goes on after the end of the input, where there may be nobody left: scripts that write all their lines
/// at once get the answer to the last one.
const AFTER_INPUT_END: Duration = Duration::from_secs(10);

/// What a line means to the thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopRequest {
    /// It waits.
    None,
    /// The thinking is to end within this time.
    Within(Duration),
}

impl StopRequest {
    /// The thinking is to end at once.
    pub(super) const NOW: Self = Self::Within(Duration::ZERO);
}

enum Event {
    Line(String),
    End,
    /// The thinking has ended.
    Done,
}

/// The lines that were read, and those to come.
pub(super) struct Inbox {
    events: Receiver<Event>,
    sender: Sender<Event>,
    waiting: VecDeque<String>,
    ended: bool,
}

impl Inbox {
    /// Reads from now on.
    pub(super) fn new(input: impl Read + Send + 'static) -> Self {
        let (sender, events) = channel();
        let lines = sender.clone();
        thread::spawn(move || {
            // Nobody listens any more once the session has ended.
            read_lines(input, MAX_LINE_BYTES, |line| lines.send(Event::Line(line)).is_ok());
            let _ = lines.send(Event::End);
        });
        Self { events, sender, waiting: VecDeque::new(), ended: false }
    }

    /// Returns the next line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> Option<String> {
        while self.waiting.is_empty() && !self.ended {
            self.take(None, &|_| StopRequest::None);
        }
        self.waiting.pop_front()
    }

    /// Waits for an event until a moment; returns whether it was the end of the thinking, and the haste of what was read.
    fn take(&mut self, until: Option<Instant>, haste: &dyn Fn(&str) -> StopRequest) -> (bool, StopRequest) {
        let event = match until {
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => self.events.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(Event::Done) => return (true, StopRequest::None),
            Ok(Event::Line(line)) => {
                let haste = haste(&line);
                self.waiting.push_back(line);
                return (false, haste);
            }
            Ok(Event::End) => self.ended = true,
            Err(_) => {}
        }
        (false, StopRequest::None)
    }

    /// Does something on another thread that a flag ends early, and raises that when a line says so; `bounded` says whether it ends by
    /// itself. Lines that are read meanwhile wait. Returns the result, and whether the flag was raised.
    pub(super) fn run_interruptible<T: Send>(
        &mut self,
        haste: &dyn Fn(&str) -> StopRequest,
        bounded: bool,
        work: impl FnOnce(&Cancel) -> T + Send,
    ) -> (T, bool) {
        let cancel = Cancel::new();
        let sender = self.sender.clone();
        let mut deadline: Option<Instant> = None;
        let mut hurry = |within: Duration| {
            let then = Instant::now() + within;
            deadline = Some(deadline.map_or(then, |deadline| deadline.min(then)));
            deadline
        };
        let at_end = if bounded { AFTER_INPUT_END } else { Duration::ZERO };
        // What was read before waits for this answer, too, but may already say that it is not wanted.
        let before = self.waiting.iter().map(|line| haste(line)).find(|&haste| haste != StopRequest::None);
        let mut until = match before {
            Some(StopRequest::Within(time)) => hurry(time),
            _ if self.ended => hurry(at_end),
            _ => None,
        };
        let result = thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let _done = Done(sender);
                work(&cancel)
            });
            loop {
                let ended_before = self.ended;
                let (done, haste) = self.take(until, haste);
                if done {
                    break;
                }
                if let StopRequest::Within(time) = haste {
                    until = hurry(time);
                }
                if self.ended && !ended_before {
                    until = hurry(at_end);
                }
                if until.is_some_and(|until| until <= Instant::now()) {
                    cancel.cancel();
                    until = None;
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        (result, cancel.is_cancelled())
    }

    /// Waits until a line is in haste, or the input ends.
    pub(super) fn wait(&mut self, haste: &dyn Fn(&str) -> StopRequest) {
        let mut come = self.waiting.iter().any(|line| haste(line) != StopRequest::None);
        while !come && !self.ended {
            come = self.take(None, haste).1 != StopRequest::None;
        }
    }
}

/// Says that the thinking has ended, even if by a panic.
struct Done(Sender<Event>);

impl Drop for Done {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Done);
    }
}
