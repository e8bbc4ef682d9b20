//! [`Inbox`]: the queue of input lines, some of which stop a running search.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use morello_core::game::Cancel;
use morello_core::threads;

use crate::players::read_lines;

/// Maximum length of a line, in bytes: enough for any game. Longer lines are split.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The maximum number of lines that are read ahead of the queue. After that, the other program
/// blocks when it writes.
const MAX_LINES_AHEAD: usize = 16;

/// The maximum size of the queue, in bytes. When it is exceeded, a running search ends so that the
/// lines can be processed.
const MAX_WAITING_BYTES: usize = 16 << 20;

/// How long a limited search may continue after the end of the input, so that a script that sends
/// all lines at once receives its last response.
const AFTER_INPUT_END: Duration = Duration::from_secs(10);

/// The time within which a line ends a running search; `None` if the line waits for the end of the
/// search.
pub(super) type StopRequest = Option<Duration>;

/// The search must end at once.
pub(super) const NOW: StopRequest = Some(Duration::ZERO);

enum Event {
    Line(String),
    End,
    /// The search has ended.
    Done,
}

/// The queue of input lines.
pub(super) struct Inbox {
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    stop_request: fn(&str) -> StopRequest,
    waiting: VecDeque<String>,
    waiting_bytes: usize,
    /// The number of lines that [`next`](Self::next) has returned.
    taken: usize,
    /// The waiting lines that request a stop: their numbers, counted from the first of all lines, and
    /// times. They are remembered, because a long queue is not searched for each command.
    stops: VecDeque<(usize, Duration)>,
    ended: bool,
}

impl Inbox {
    /// Starts reading on a separate thread. `stop_request` says which lines stop a search.
    pub(super) fn new(input: impl Read + Send + 'static, stop_request: fn(&str) -> StopRequest) -> Self {
        let (sender, events) = sync_channel(MAX_LINES_AHEAD);
        let lines = sender.clone();
        threads::spawn(Box::new(move || {
            // The send fails once the session has ended.
            read_lines(input, MAX_LINE_BYTES, |line| lines.send(Event::Line(line)).is_ok());
            let _ = lines.send(Event::End);
        }));
        let (waiting, stops) = (VecDeque::new(), VecDeque::new());
        Self { events, sender, stop_request, waiting, waiting_bytes: 0, taken: 0, stops, ended: false }
    }

    /// Returns the next line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> Option<String> {
        while self.waiting.is_empty() && !self.ended {
            self.wait_for_event(None);
        }
        let line = self.waiting.pop_front()?;
        self.taken += 1;
        self.stops.pop_front_if(|(number, _)| *number < self.taken);
        self.waiting_bytes -= waiting_bytes(&line);
        Some(line)
    }

    /// Waits for an event, at most until `deadline`. Returns whether the search has ended, and the
    /// stop request of the line if one was read.
    fn wait_for_event(&mut self, deadline: Option<Instant>) -> (bool, StopRequest) {
        let event = match deadline {
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(Event::Done) => return (true, None),
            Ok(Event::Line(line)) => {
                let request = (self.stop_request)(&line);
                let number = self.taken + self.waiting.len();
                self.stops.extend(request.map(|within| (number, within)));
                self.waiting_bytes += waiting_bytes(&line);
                self.waiting.push_back(line);
                return (false, if self.waiting_bytes > MAX_WAITING_BYTES { NOW } else { request });
            }
            Ok(Event::End) => self.ended = true,
            Err(_) => {}
        }
        (false, None)
    }

    /// Runs `work` on another thread and cancels it when a line requests a stop. `is_limited` says
    /// whether the work ends by itself. Lines that arrive in the meantime are queued. Returns the
    /// result, and whether the work was cancelled.
    pub(super) fn run_interruptible<T: Send>(
        &mut self,
        is_limited: bool,
        work: impl FnOnce(&Cancel) -> T + Send,
    ) -> (T, bool) {
        let cancel = Cancel::new();
        let sender = self.sender.clone();
        let mut earliest: Option<Instant> = None;
        let mut set_deadline = |within: Duration| {
            let new = Instant::now() + within;
            earliest = Some(earliest.map_or(new, |earliest| earliest.min(new)));
            earliest
        };
        let after_end = if is_limited { AFTER_INPUT_END } else { Duration::ZERO };
        // A queued line may already request a stop.
        let queued = self.stops.front().map(|&(_, within)| within);
        let queued = if self.waiting_bytes > MAX_WAITING_BYTES { NOW } else { queued };
        let mut deadline = queued.or(self.ended.then_some(after_end)).and_then(&mut set_deadline);
        let result = thread::scope(|scope| {
            let worker = threads::spawn_joined(scope, || {
                let _done = Done(sender);
                work(&cancel)
            });
            loop {
                let ended_before = self.ended;
                let (done, request) = self.wait_for_event(deadline);
                if done {
                    break;
                }
                if let Some(time) = request {
                    deadline = set_deadline(time);
                }
                if self.ended && !ended_before {
                    deadline = set_deadline(after_end);
                }
                if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    cancel.cancel();
                    deadline = None;
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        (result, cancel.is_cancelled())
    }

    /// Waits until a line requests a stop, or the input ends.
    pub(super) fn wait_for_stop(&mut self) {
        let mut stopped = self.waiting_bytes > MAX_WAITING_BYTES || !self.stops.is_empty();
        while !stopped && !self.ended {
            stopped = self.wait_for_event(None).1.is_some();
        }
    }
}

/// Returns the memory used by a queued line, in bytes.
fn waiting_bytes(line: &str) -> usize {
    line.len() + size_of::<String>()
}

/// Sends [`Event::Done`] when dropped, even by a panic.
struct Done(SyncSender<Event>);

impl Drop for Done {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Done);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_flood_of_lines_ends_the_search_and_loses_none() {
        const LINES: usize = 40;
        // Lines of half a MiB: more than fits into the queue.
        let line = "x".repeat(1 << 19) + "\n";
        let mut inbox = Inbox::new(Cursor::new(line.repeat(LINES)), |_| None);
        let ((), cancelled) = inbox.run_interruptible(false, |cancel| {
            while !cancel.is_cancelled() {
                thread::yield_now();
            }
        });
        assert!(cancelled);
        let held = inbox.waiting.len() + MAX_LINES_AHEAD + 2;
        assert!(inbox.waiting_bytes > MAX_WAITING_BYTES && held >= 34, "{held}");
        assert_eq!(std::iter::from_fn(|| inbox.next()).count(), LINES);
        assert_eq!(inbox.waiting_bytes, 0);
    }

    #[test]
    fn remembers_the_waiting_lines_that_request_a_stop() {
        let mut inbox = Inbox::new(Cursor::new("a\nstop\nb\nstop\nc\n"), |line| NOW.filter(|_| line == "stop"));
        while !inbox.ended {
            inbox.wait_for_event(None);
        }
        let mut numbers = vec![inbox.stops.iter().map(|stop| stop.0).collect::<Vec<_>>()];
        while inbox.next().is_some() {
            numbers.push(inbox.stops.iter().map(|stop| stop.0).collect());
        }
        assert_eq!(numbers, [vec![1, 3], vec![1, 3], vec![3], vec![3], vec![], vec![]]);
    }
}
