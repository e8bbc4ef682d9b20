//! [`SelectedGames`]: reads the games of several inputs in parallel, in input order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use morello_core::game::{Cancel, ParsedRecord};
use morello_files::input::{GameRecord, ReadError, Reader, Record, RecordError};

/// The records of a batch.
const BATCH: u64 = 256;

/// The batches of an input that wait for those of the inputs before it.
const WAITING_BATCHES: usize = 16;

/// No further input is begun while this many batches of all inputs wait.
pub(super) const MAX_WAITING_BATCHES: usize = 256;

/// The time after which a batch is complete, so that a slow input delays its games only until the
/// next record.
const BATCH_TIME: Duration = Duration::from_millis(100);

/// Some consecutive records of an input.
#[derive(Debug)]
#[non_exhaustive]
pub struct GameBatch<T> {
    /// The selected games, in input order.
    pub selected: Vec<T>,
    /// The number of games read.
    pub games: u64,
    /// The number of positions read, which are not games.
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

// Derived implementations would require `T: Default`.
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

/// An iterator over the batches of all inputs, in order. Each thread reads a different input, up to
/// a bounded number of batches ahead; while the input that comes next is slow, a bounded number of
/// inputs is read ahead.
///
/// The iterator does not wait for threads that are blocked on a terminal or a pipe: they end with
/// the process, or when they have read their next batch after the iterator was dropped.
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

/// What the threads share.
struct SharedInputs<T> {
    state: Mutex<InputState<T>>,
    /// An input may be begun.
    changed: Condvar,
}

struct InputState<T> {
    /// The inputs that no thread has begun.
    pending: VecDeque<(Reader, SyncSender<GameBatch<T>>)>,
    /// The batches that were sent and not yet received.
    waiting: usize,
    /// The threads that wait until an input may be begun.
    idle_threads: usize,
}

impl<T> SharedInputs<T> {
    fn lock(&self) -> MutexGuard<'_, InputState<T>> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Returns the next input, as soon as few enough batches wait. They are those of inputs that
    /// were begun before, so the iterator receives them without this input.
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
    /// Starts up to `threads` threads that read the inputs and call `select` for each game; it
    /// returns what is selected of it. The iterator ends early if `cancel` is raised.
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
            thread::spawn(move || read_inputs(&shared, &*select));
        }
        Self { inputs, shared, cancel: cancel.clone() }
    }

    /// Returns the number of threads that wait until an input may be begun.
    #[cfg(test)]
    pub(super) fn idle_threads(&self) -> usize {
        self.shared.lock().idle_threads
    }
}

impl<T> Iterator for SelectedGames<T> {
    type Item = GameBatch<T>;

    /// # Panics
    /// If `select` panics.
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
