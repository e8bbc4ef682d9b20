//! Threads and channels, for work that begins once and messages that take long: compiled once, not
//! once for each closure and type of message.

use std::collections::VecDeque;
use std::fmt;
use std::sync::mpsc::{self, RecvError, RecvTimeoutError, SendError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use rayon_core::ThreadPool;

/// Runs work on a new thread, which nobody waits for.
pub fn spawn(work: Box<dyn FnOnce() + Send>) {
    thread::spawn(work);
}

/// Runs work on a new thread, which the scope waits for.
pub fn spawn_in<'scope>(scope: &'scope Scope<'scope, '_>, work: Box<dyn FnOnce() + Send + 'scope>) {
    scope.spawn(work);
}

/// Runs work on the threads of a pool.
pub fn run_on<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut result) = (Some(work), None);
    install(pool, &mut || result = work.take().map(|work| work()));
    result.expect("the pool has run it")
}

fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// The messages that were sent and not yet received. Each has a token in a channel of the standard
/// library, which is thereby compiled for one type.
struct Messages<T>(Arc<Mutex<VecDeque<T>>>);

impl<T> Messages<T> {
    fn push(&self, message: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(message);
    }

    fn pop(&self) -> T {
        let message = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        message.expect("a message is there before its token")
    }

    fn clear(&self) {
        // They are dropped without the lock.
        drop(std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)));
    }
}

/// The messages of the receiver: nobody gets them once it is dropped.
struct Received<T>(Messages<T>);

impl<T> Drop for Received<T> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

/// The sending end of a channel, as in [`mpsc`].
pub struct Sender<T> {
    tokens: TokenSender,
    messages: Messages<T>,
}

#[derive(Clone)]
enum TokenSender {
    Unbounded(mpsc::Sender<()>),
    Bounded(mpsc::SyncSender<()>),
}

impl<T> Sender<T> {
    /// Sends a message; if the channel is bounded and full, waits until there is room.
    ///
    /// # Errors
    /// [`SendError`] if the receiver was dropped.
    pub fn send(&self, message: T) -> Result<(), SendError<()>> {
        self.messages.push(message);
        let sent = match &self.tokens {
            TokenSender::Unbounded(tokens) => tokens.send(()),
            TokenSender::Bounded(tokens) => tokens.send(()),
        };
        sent.inspect_err(|_| self.messages.clear())
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self { tokens: self.tokens.clone(), messages: Messages(Arc::clone(&self.messages.0)) }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender")
    }
}

/// The receiving end of a channel, as in [`mpsc`].
pub struct Receiver<T> {
    // Dropped first, so that later messages fail.
    tokens: mpsc::Receiver<()>,
    messages: Received<T>,
}

impl<T> Receiver<T> {
    /// Waits for the next message.
    ///
    /// # Errors
    /// [`RecvError`] if all senders were dropped, and no message is left.
    pub fn recv(&self) -> Result<T, RecvError> {
        self.tokens.recv().map(|()| self.messages.0.pop())
    }

    /// Waits for the next message for some time.
    ///
    /// # Errors
    /// If none came, or all senders were dropped and no message is left.
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        self.tokens.recv_timeout(timeout).map(|()| self.messages.0.pop())
    }

    /// Returns the next message if it is there.
    ///
    /// # Errors
    /// If none is there, or all senders were dropped and no message is left.
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.tokens.try_recv().map(|()| self.messages.0.pop())
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Receiver")
    }
}

/// Creates a channel of unlimited capacity.
#[must_use]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel();
    with_messages(TokenSender::Unbounded(sender), receiver)
}

/// Creates a channel in which at most `bound` messages wait, besides one of each blocked sender.
#[must_use]
pub fn sync_channel<T>(bound: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::sync_channel(bound);
    with_messages(TokenSender::Bounded(sender), receiver)
}

fn with_messages<T>(sender: TokenSender, receiver: mpsc::Receiver<()>) -> (Sender<T>, Receiver<T>) {
    let messages = Arc::new(Mutex::new(VecDeque::new()));
    let received = Received(Messages(Arc::clone(&messages)));
    (Sender { tokens: sender, messages: Messages(messages) }, Receiver { tokens: receiver, messages: received })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_on_the_pool() {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(run_on(&pool, rayon_core::current_num_threads), 3);
    }

    #[test]
    fn messages_arrive_in_order() {
        for (sender, receiver) in [channel(), sync_channel(1), sync_channel(7)] {
            let sending = thread::spawn(move || (0..100).try_for_each(|number| sender.send(number)));
            let mut received = vec![receiver.recv().unwrap(), receiver.recv_timeout(Duration::MAX).unwrap()];
            received.extend(std::iter::from_fn(|| receiver.recv().ok()));
            assert_eq!(received, (0..100).collect::<Vec<_>>());
            assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
            sending.join().unwrap().unwrap();
        }
        let (_sender, receiver) = channel::<u8>();
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
        assert_eq!(receiver.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout));
    }

    #[test]
    fn a_bounded_channel_blocks() {
        let (sender, receiver) = sync_channel(2);
        let sending = thread::spawn(move || (0..4).try_for_each(|number| sender.send(number)));
        assert_eq!((receiver.recv(), sending.is_finished()), (Ok(0), false));
        drop(receiver);
        assert!(sending.join().unwrap().is_err());
    }

    #[test]
    fn messages_are_dropped_with_their_receiver() {
        let message = Arc::new(());
        let (sender, receiver) = channel();
        sender.send(Arc::clone(&message)).unwrap();
        drop(receiver);
        assert_eq!(Arc::strong_count(&message), 1);
        assert!(sender.send(Arc::clone(&message)).is_err());
        assert_eq!(Arc::strong_count(&message), 1);
    }
}
