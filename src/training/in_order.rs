//! [`in_order`]: parallel work whose results are stored in the order of their indices.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use super::records::FLUSH_INTERVAL;
use crate::game::Cancel;

/// Calls `work` for each index, with one thread for each worker, and `store` with the results in the order of the indices. While the next result takes
/// long, `store` is called with `None` every few seconds, to write what is pending.
///
/// Returns when all is done, when cancelled, or when `work` returns `None` because it was cancelled.
///
/// # Errors
/// The first error of `store`; the work is cancelled.
///
/// # Panics
/// If `work` panics.
pub(super) fn in_order<W: Send, T: Send>(
    indices: Range<u64>,
    workers: Vec<W>,
    cancel: &Cancel,
    work: impl Fn(&mut W, u64, &Cancel) -> Option<T> + Sync,
    mut store: impl FnMut(Option<T>) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicU64::new(indices.start);
    let (sender, receiver) = channel();
    let stop = cancel.child();
    thread::scope(|scope| {
        for mut worker in workers {
            let (sender, next, stop, work) = (sender.clone(), &next, &stop, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= indices.end || stop.is_cancelled() {
                        return;
                    }
                    let Some(result) = work(&mut worker, index, stop) else { return };
                    if sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Results that wait for an earlier one.
        let mut waiting = BTreeMap::new();
        let mut stored = indices.start;
        loop {
            let (index, result) = match receiver.recv_timeout(FLUSH_INTERVAL) {
                Ok(result) => result,
                Err(RecvTimeoutError::Timeout) => {
                    store(None).inspect_err(|_| stop.cancel())?;
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return store(None),
            };
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&stored) {
                stored += 1;
                store(Some(result)).inspect_err(|_| stop.cancel())?;
            }
        }
    })
}
