//! [`Connections`]: the open connections, shared fairly among clients.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::search_queue::client_with_most;

/// The maximum number of connections per client. Further connections are closed.
pub(super) const MAX_PER_CLIENT: usize = 256;

/// The open connections.
///
/// If there are too many, a new connection of a client with few connections replaces a connection
/// of the client with the most. A connection that has sent no request yet, for example because its
/// client sends headers slowly, is replaced first, then the one whose last request is the oldest.
/// So no number of clients can keep others out.
#[derive(Debug, Clone)]
pub(super) struct Connections(Arc<Mutex<ConnectionState>>);

#[derive(Debug)]
struct ConnectionState {
    max: usize,
    next_number: u64,
    open: HashMap<u64, ClientConnection>,
}

#[derive(Debug)]
struct ClientConnection {
    client: IpAddr,
    activity: Activity,
    close: Arc<Notify>,
}

/// When the last request of a connection began, counted in requests of all connections; 0 before
/// the first request.
#[derive(Debug, Clone, Default)]
pub(super) struct Activity(Arc<AtomicU64>);

/// The number of requests so far, on all connections.
static REQUESTS: AtomicU64 = AtomicU64::new(0);

impl Activity {
    /// Records a request.
    pub fn note_request(&self) {
        self.0.store(REQUESTS.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

/// A connection that is counted until this is dropped.
#[derive(Debug)]
pub(super) struct ConnectionGuard {
    connections: Connections,
    number: u64,
    /// Records the requests of the connection.
    pub activity: Activity,
    /// Notified when the connection must make room for another.
    pub close: Arc<Notify>,
}

impl Connections {
    /// Allows at most `max` connections.
    pub fn new(max: usize) -> Self {
        Self(Arc::new(Mutex::new(ConnectionState { max, next_number: 0, open: HashMap::new() })))
    }

    /// Counts a connection; returns `None` if it must be closed because its client has too many.
    pub fn try_add(&self, client: IpAddr) -> Option<ConnectionGuard> {
        let mut state = self.lock();
        let of_client = state.open.values().filter(|connection| connection.client == client).count();
        if of_client >= MAX_PER_CLIENT || (state.open.len() >= state.max && !state.close_one(client)) {
            return None;
        }
        let (number, activity, close) = (state.next_number, Activity::default(), Arc::new(Notify::new()));
        state.next_number += 1;
        state.open.insert(number, ClientConnection { client, activity: activity.clone(), close: Arc::clone(&close) });
        Some(ConnectionGuard { connections: self.clone(), number, activity, close })
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionState> {
        // A panic in one request must not end the others.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionState {
    /// Closes a connection of the [client with the most](client_with_most). Returns whether it
    /// closed one.
    fn close_one(&mut self, client: IpAddr) -> bool {
        let victim = client_with_most(self.open.values().map(|connection| connection.client), client);
        let of_victim = self.open.iter().filter(|(_, connection)| Some(connection.client) == victim);
        let last = |connection: &ClientConnection| connection.activity.0.load(Ordering::Relaxed);
        let oldest = of_victim.min_by_key(|&(&number, connection)| (last(connection), number)).map(|(&n, _)| n);
        let closed = oldest.and_then(|number| self.open.remove(&number));
        closed.map(|connection| connection.close.notify_one()).is_some()
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.connections.lock().open.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    fn is_open(connections: &Connections, guard: &ConnectionGuard) -> bool {
        connections.lock().open.contains_key(&guard.number)
    }

    #[test]
    fn a_newcomer_takes_a_place_of_the_client_with_most() {
        let connections = Connections::new(8);
        let hostile: Vec<_> = (0..8).map(|n| connections.try_add(client(1 + n % 2)).unwrap()).collect();
        // All connections of the first client except the fourth have sent a request.
        hostile.iter().filter(|guard| guard.number != 6).for_each(|guard| guard.activity.note_request());
        let one = connections.try_add(client(3)).unwrap();
        let open = |guards: &[ConnectionGuard]| -> Vec<u64> {
            guards.iter().filter(|guard| is_open(&connections, guard)).map(|guard| guard.number).collect()
        };
        assert_eq!(open(&hostile), [0, 2, 3, 4, 5, 6, 7], "of equal clients one, and its oldest request");
        let two = connections.try_add(client(3)).unwrap();
        assert_eq!(open(&hostile), [0, 2, 3, 4, 5, 7], "the one without a request");
        assert!(connections.try_add(client(3)).is_none(), "a third would be as many as the others have");
        assert!(is_open(&connections, &one) && is_open(&connections, &two));
        assert_eq!(connections.lock().open.len(), 8);
        drop((hostile, one, two));
        assert!(connections.lock().open.is_empty());
    }

    #[test]
    fn closing_wakes_the_connection() {
        let connections = Connections::new(2);
        let guards: Vec<_> = (0..2).map(|_| connections.try_add(client(1)).unwrap()).collect();
        let newcomer = connections.try_add(client(2)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(guards[0].close.notified());
        assert!(is_open(&connections, &newcomer) && is_open(&connections, &guards[1]));
    }
}
