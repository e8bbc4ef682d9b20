//! [`SelectedGames`]: reads the games of several inputs in parallel, in input order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use morello_core::game::{Cancel, ParsedRecord};
use morello_core::threads;
use morello_files::input::{GameRecord, ReadError, Reader, Record, RecordError};

/// The maximum number of records in a batch.
const BATCH: u64 = 256;

/// The maximum number of batches of one input that wait for earlier inputs.
const WAITING_BATCHES: usize = 16;

/// No further input is started while this many batches of all inputs wait.
pub(super) const MAX_WAITING_BATCHES: usize = 256;

/// A batch is sent after this time even if it is not full, so that a slow input delays its games
/// only until the next record.
const BATCH_TIME: Duration = Duration::from_millis(100);

/// Consecutive records of one input.
#[derive(Debug)]
#[non_exhaustive]
pub struct GameBatch<T> {
    /// The selected games, in input order.
    pub selected: Vec<T>,
    /// The number of games read.
    pub games: u64,
    /// The number of records read that are positions, not games.
    pub positions: u64,
    /// The bytes read.
    pub bytes: u64,
    /// The invalid records, each with the name of its input.
    pub invalid: Vec<(Arc<str>, RecordError)>,
    /// The error that ends the input, and the iterator.
    pub error: Option<ReadError>,
    /// Whether this is the last batch of its input.
    is_last: bool,
}

// A derived implementation would require `T: Default`.
impl<T> Default for GameBatch<T> {
    fn default() -> Self {
        Self {
            selected: Vec::new(),
            games: 0,
            positions: 0,
            bytes: 0,
            invalid: Vec::new(),
            error: None,
            is_last: false,
        }
    }
}

/// An iterator over the batches of all inputs, in order. Each thread reads a different input, and
/// reads a bounded number of batches ahead. While the next input in order is slow, a bounded number
/// of later inputs is read ahead.
///
/// When dropped, the iterator does not wait for threads that are blocked on a terminal or a pipe.
/// They end after their next batch, or with the process.
///
/// ```
/// use morello::collection::SelectedGames;
/// use morello::game::Cancel;
/// use morello::games;
/// use morello::input::{Input, Reader};
///
/// let reader = Reader::of(games::get("othello")?, Input::Text("f5d6c3\nf5d6x1\nf5f6\n".to_owned()))?;
/// let mut lengths = Vec::new();
/// for batch in SelectedGames::new(reader, 1, &Cancel::new(), |record| Some(record.game.game.moves().len())) {
///     batch.error.map_or(Ok(()), Err)?;
///     batch.invalid.iter().for_each(|(file, error)| println!("{file}:{}: {error}", error.line));
///     lengths.extend(batch.selected);
/// }
/// assert_eq!(lengths, [3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SelectedGames<T> {
    inputs: VecDeque<Receiver<GameBatch<T>>>,
    shared: Arc<SharedInputs<T>>,
    cancel: Cancel,
}

morello_core::debug_fields!([T] SelectedGames<T> { inputs.len() });

/// State shared by the threads.
struct SharedInputs<T> {
    state: Mutex<InputState<T>>,
    /// Signals that an input may be started.
    changed: Condvar,
}

struct InputState<T> {
    /// The inputs that no thread has started.
    pending: VecDeque<(Reader, SyncSender<GameBatch<T>>)>,
    /// The batches that were sent and not yet received.
    waiting: usize,
    /// The number of threads that wait until an input may be started.
    idle_threads: usize,
}

impl<T> SharedInputs<T> {
    fn lock(&self) -> MutexGuard<'_, InputState<T>> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Waits until few enough batches wait, and returns the next input. All waiting batches belong
    /// to inputs that were started earlier, so the iterator can receive them before this input
    /// starts.
    fn next(&self) -> Option<(Reader, SyncSender<GameBatch<T>>)> {
        let is_ahead = |state: &mut InputState<T>| state.waiting >= MAX_WAITING_BATCHES && !state.pending.is_empty();
        let mut state = self.lock();
        state.idle_threads += 1;
        let state = self.changed.wait_while(state, is_ahead);
        let mut state = state.expect("no thread panics while it holds the lock");
        state.idle_threads -= 1;
        state.pending.pop_front()
    }

    /// Sends a batch; returns whether the iterator still exists.
    fn send(&self, batch: GameBatch<T>, batches: &SyncSender<GameBatch<T>>) -> bool {
        self.lock().waiting += 1;
        batches.send(batch).is_ok()
    }

    fn received(&self) {
        self.lock().waiting -= 1;
        self.changed.notify_one();
    }

    /// Ends the threads after their current batch.
    fn close(&self) {
        self.lock().pending.clear();
        self.changed.notify_all();
    }
}

impl<T: Send + 'static> SelectedGames<T> {
    /// Starts up to `threads` threads that read the inputs and call `select` for each game. What
    /// `select` returns is put into [`selected`](GameBatch::selected). The iterator ends early if
    /// `cancel` is raised.
    #[must_use]
    pub fn new(
        reader: Reader,
        threads: usize,
        cancel: &Cancel,
        select: impl Fn(GameRecord) -> Option<T> + Send + Sync + 'static,
    ) -> Self {
        let (pending, inputs): (VecDeque<_>, VecDeque<_>) = reader
            .split()
            .into_iter()
            .map(|reader| {
                let (sender, receiver) = sync_channel(WAITING_BATCHES);
                ((reader, sender), receiver)
            })
            .unzip();
        let threads = threads.clamp(1, pending.len().max(1));
        let state = Mutex::new(InputState { pending, waiting: 0, idle_threads: 0 });
        let (shared, select) = (Arc::new(SharedInputs { state, changed: Condvar::new() }), Arc::new(select));
        for _ in 0..threads {
            let (shared, select) = (Arc::clone(&shared), Arc::clone(&select));
            threads::spawn(Box::new(move || read_inputs(&shared, &*select)));
        }
        Self { inputs, shared, cancel: cancel.clone() }
    }

    /// Returns the number of threads that wait until an input may be started.
    #[cfg(test)]
    pub(super) fn idle_threads(&self) -> usize {
        self.shared.lock().idle_threads
    }
}

impl<T> Iterator for SelectedGames<T> {
    type Item = GameBatch<T>;

    /// # Panics
    /// Panics if `select` panicked.
    fn next(&mut self) -> Option<GameBatch<T>> {
        let Some(received) = self.cancel.receive(self.inputs.front()?) else {
            self.inputs.clear();
            return None;
        };
        let batch = received.expect("a thread that reads the inputs panicked");
        self.shared.received();
        if batch.error.is_some() {
            self.inputs.clear();
        } else if batch.is_last {
            self.inputs.pop_front();
        }
        Some(batch)
    }
}

impl<T> Drop for SelectedGames<T> {
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// Reads inputs until none is left or the iterator is dropped.
fn read_inputs<T>(shared: &SharedInputs<T>, select: &(impl Fn(GameRecord) -> Option<T> + ?Sized)) {
    while let Some((reader, batches)) = shared.next() {
        if !read_input(reader, &|batch| shared.send(batch, &batches), select) {
            return;
        }
    }
}

/// Reads an input and passes its batches to `send`. Both return whether the iterator still exists.
fn read_input<T>(
    reader: Reader,
    send: &dyn Fn(GameBatch<T>) -> bool,
    select: &(impl Fn(GameRecord) -> Option<T> + ?Sized),
) -> bool {
    let (mut batch, mut records) = (GameBatch::default(), 0);
    let (mut number, mut bytes_before, mut start) = (0, 0, Instant::now());
    for record in reader {
        let Record { file, line, bytes_read, extra, content, .. } = match record {
            Ok(record) => record,
            Err(error) => {
                batch.error = Some(error);
                break;
            }
        };
        match content {
            Err(error) => batch.invalid.push((file, error)),
            Ok(ParsedRecord::Position(_)) => batch.positions += 1,
            Ok(ParsedRecord::Games(games)) => {
                for game in games {
                    number += 1;
                    batch.games += 1;
                    let record = GameRecord { file: Arc::clone(&file), line, number, game, extra: Arc::clone(&extra) };
                    batch.selected.extend(select(record));
                }
            }
        }
        records += 1;
        batch.bytes = bytes_read - bytes_before;
        if records == BATCH || start.elapsed() >= BATCH_TIME {
            (records, bytes_before, start) = (0, bytes_read, Instant::now());
            if !send(std::mem::take(&mut batch)) {
                return false;
            }
        }
    }
    batch.is_last = true;
    send(batch)
}
