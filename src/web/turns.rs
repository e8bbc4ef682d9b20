//! [`Turns`]: who may search, and who waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many may wait.
const MOST_WAITING: usize = 64;

/// A queue of searches: so many run at a time, and the others begin in the order in which they came.
#[derive(Clone)]
pub(super) struct Turns {
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// The right to search, given back when it is dropped.
pub(super) struct Turn(#[expect(dead_code, reason = "it is held, not looked at")] OwnedSemaphorePermit);

/// Too many wait.
#[derive(Debug)]
pub(super) struct Busy;

impl Turns {
    pub fn new(at_a_time: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(at_a_time)), waiting: Arc::default() }
    }

    /// Waits for a turn. Whoever gives up leaves the queue.
    pub async fn take(&self) -> Result<Turn, Busy> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(Turn(permit));
        }
        let place = Place(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            return Err(Busy);
        }
        let permit = Arc::clone(&self.free).acquire_owned().await;
        drop(place);
        permit.map(Turn).map_err(|_| Busy)
    }

    /// Returns how many wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// A place in the queue.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
