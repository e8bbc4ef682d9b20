//! [`add_games`]: processes games in parallel and adds the results to a file in the order of the
//! games.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::channel;
use std::thread;

use morello_core::game::{Cancel, Searcher};
use morello_core::othello::Position;
use morello_core::threads;

use super::records::{FLUSH_INTERVAL, TrainingFile};

/// Calls `work` for each game that is missing in the file, with one thread per searcher, and calls
/// `add` with the results in the order of the games. `on_game` receives each result with the number
/// of games in the file. While the next result takes long, earlier results are flushed every few
/// seconds.
///
/// Returns whether the file has `games` games, which is false if cancelled early.
///
/// # Errors
/// If the file cannot be written. The work is then cancelled.
///
/// # Panics
/// If `work` panics.
pub(super) fn add_games<T: Send>(
    file: &mut TrainingFile,
    games: u64,
    searchers: Vec<Box<dyn Searcher<Position>>>,
    cancel: &Cancel,
    work: impl Fn(&mut dyn Searcher<Position>, u64, &Cancel) -> Option<T> + Sync,
    add: impl Fn(&mut TrainingFile, &T) -> io::Result<()>,
    on_game: &mut dyn FnMut(u64, &T),
) -> io::Result<bool> {
    let next = AtomicU64::new(file.games());
    let (sender, receiver) = channel();
    let stop = cancel.child();
    thread::scope(|scope| {
        for mut searcher in searchers {
            let (sender, next, stop, work) = (sender.clone(), &next, &stop, &work);
            threads::spawn_in(
                scope,
                Box::new(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= games || stop.is_cancelled() {
                            return;
                        }
                        let Some(result) = work(&mut *searcher, index, stop) else { return };
                        if sender.send((index, result)).is_err() {
                            return;
                        }
                    }
                }),
            );
        }
        drop(sender);
        // The results, starting with the next game; `None` if a result is not available yet.
        let mut waiting = VecDeque::new();
        loop {
            let (index, result) = match receiver.recv_timeout(FLUSH_INTERVAL) {
                Ok(result) => result,
                Err(RecvTimeoutError::Timeout) => {
                    file.flush().inspect_err(|_| stop.cancel())?;
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break file.flush()?,
            };
            let place = (index - file.games()) as usize;
            let len = waiting.len().max(place + 1);
            waiting.resize_with(len, || None);
            waiting[place] = Some(result);
            while let Some(Some(result)) = waiting.pop_front_if(|result| result.is_some()) {
                add(file, &result).inspect_err(|_| stop.cancel())?;
                on_game(file.games(), &result);
            }
        }
        Ok(file.games() >= games)
    })
}
