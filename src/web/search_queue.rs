//! [`SearchQueue`]: limits the number of simultaneous searches and orders those that wait.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// The largest number of waiting searches, in all and of one client.
const MAX_WAITING: usize = 256;
const MAX_WAITING_PER_CLIENT: usize = 128;
/// The largest number of searches that have yielded their slot, per slot.
const MAX_YIELDED: usize = 7;
/// The waiting time after which a search is urgent.
const URGENT_AFTER: Duration = Duration::from_secs(2);
/// The largest number of clients whose last search is remembered.
const MAX_REMEMBERED_CLIENTS: usize = 4096;

/// The searches that run, a limited number at a time, and those that wait.
///
/// A free slot goes to the client with the fewest running searches and, among equals, to the one whose last search started longest ago. Of one
/// client, urgent searches (engine moves and those that have waited long) come first, then the oldest.
#[derive(Clone)]
pub(super) struct SearchQueue(Arc<Mutex<QueueState>>);

struct QueueState {
    max_running: usize,
    next_number: u64,
    started: u64,
    /// For each client, when its last search started, as a count of started searches. Cleared when no search waits.
    last: HashMap<IpAddr, u64>,
    searches: Vec<QueuedSearch>,
}

struct QueuedSearch {
    /// The order of arrival.
    number: u64,
    client: IpAddr,
    /// Whether it is for an engine move.
    urgent: bool,
    since: Instant,
    stage: Stage,
    begin: Arc<Notify>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Running,
    /// It runs, but another search may use its slot.
    Yielded,
}

/// A search that waits or runs. Dropping it leaves the queue.
pub(super) struct QueueTicket {
    queue: SearchQueue,
    number: u64,
    begin: Arc<Notify>,
}

/// Too many searches wait.
#[derive(Debug)]
pub(super) struct QueueFull;

impl SearchQueue {
    pub fn new(max_running: usize) -> Self {
        let queue = QueueState { max_running, next_number: 0, started: 0, last: HashMap::new(), searches: Vec::new() };
        Self(Arc::new(Mutex::new(queue)))
    }

    /// Joins the queue. The search starts at once if a slot is free.
    pub fn join(&self, client: IpAddr, urgent: bool) -> Result<QueueTicket, QueueFull> {
        let mut queue = self.lock();
        let of_client = queue.waiting().filter(|search| search.client == client).count();
        if queue.waiting().count() >= MAX_WAITING || of_client >= MAX_WAITING_PER_CLIENT {
            return Err(QueueFull);
        }
        let (number, begin) = (queue.next_number, Arc::new(Notify::new()));
        queue.next_number += 1;
        let since = Instant::now();
        queue.searches.push(QueuedSearch {
            number,
            client,
            urgent,
            since,
            stage: Stage::Waiting,
            begin: begin.clone(),
        });
        queue.start_next();
        Ok(QueueTicket { queue: self.clone(), number, begin })
    }

    /// Returns the number of waiting searches.
    pub fn waiting(&self) -> usize {
        self.lock().waiting().count()
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().expect("no thread panics while it holds the lock")
    }
}

impl QueueTicket {
    /// Waits until the search may start.
    pub async fn until_started(&self) {
        self.begin.notified().await;
    }

    /// Returns how many waiting searches arrived earlier.
    pub fn place_in_queue(&self) -> usize {
        self.queue.lock().waiting().filter(|search| search.number < self.number).count()
    }

    /// Lets a waiting search run beside this one.
    pub fn yield_slot(&self) {
        let mut queue = self.queue.lock();
        let own = queue.searches.iter_mut().find(|search| search.number == self.number);
        if let Some(search) = own.filter(|search| search.stage == Stage::Running) {
            search.stage = Stage::Yielded;
        }
        queue.start_next();
    }
}

impl Drop for QueueTicket {
    fn drop(&mut self) {
        let mut queue = self.queue.lock();
        queue.searches.retain(|search| search.number != self.number);
        queue.start_next();
    }
}

impl QueueState {
    fn waiting(&self) -> impl Iterator<Item = &QueuedSearch> {
        self.searches.iter().filter(|search| search.stage == Stage::Waiting)
    }

    /// Starts as many waiting searches as may run.
    fn start_next(&mut self) {
        loop {
            let count = |stage| self.searches.iter().filter(|search| search.stage == stage).count();
            let (running, yielded) = (count(Stage::Running), count(Stage::Yielded));
            if running >= self.max_running || running + yielded >= self.max_running * (1 + MAX_YIELDED) {
                return;
            }
            let running_of = |client| {
                self.searches.iter().filter(|other| other.client == client && other.stage != Stage::Waiting).count()
            };
            let last = |client| self.last.get(&client).copied().unwrap_or_default();
            let rank = |search: &QueuedSearch| {
                let is_urgent = search.urgent || search.since.elapsed() >= URGENT_AFTER;
                (running_of(search.client), last(search.client), !is_urgent, search.number)
            };
            let places = 0..self.searches.len();
            let waiting = places.filter(|&place| self.searches[place].stage == Stage::Waiting);
            let Some(next) = waiting.min_by_key(|&place| rank(&self.searches[place])) else {
                self.last.clear();
                return;
            };
            let next = &mut self.searches[next];
            next.stage = Stage::Running;
            next.begin.notify_one();
            self.started += 1;
            if self.last.len() >= MAX_REMEMBERED_CLIENTS {
                self.last.clear();
            }
            self.last.insert(next.client, self.started);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    /// Returns the numbers of the running searches.
    fn running(queue: &SearchQueue) -> Vec<u64> {
        let queue = queue.lock();
        queue.searches.iter().filter(|search| search.stage != Stage::Waiting).map(|search| search.number).collect()
    }

    #[test]
    fn orders_by_running_then_urgency_then_arrival() {
        let queue = SearchQueue::new(2);
        let of_client: Vec<_> = [false, false, false, true].map(|urgent| queue.join(client(1), urgent).unwrap()).into();
        let other = queue.join(client(2), false).unwrap();
        assert_eq!((running(&queue), queue.waiting(), other.place_in_queue()), (vec![0, 1], 3, 2));
        let [first, second, third, fourth] = of_client.try_into().ok().unwrap();
        drop(first);
        assert_eq!(running(&queue), [1, 4], "the other client");
        drop(second);
        assert_eq!(running(&queue), [3, 4], "the urgent search");
        drop((other, fourth));
        assert_eq!((running(&queue), queue.waiting()), (vec![2], 0));
        drop(third);
        assert!(queue.lock().searches.is_empty());
    }

    #[test]
    fn alternates_between_clients() {
        let queue = SearchQueue::new(1);
        let mut waiting: Vec<_> = (0..6).map(|_| queue.join(client(1), true).unwrap()).collect();
        waiting.extend((0..2).map(|_| queue.join(client(2), false).unwrap()));
        waiting.push(queue.join(client(3), true).unwrap());
        let mut order = Vec::new();
        while let Some(&next) = running(&queue).first() {
            order.push(next);
            waiting.retain(|ticket| ticket.number != next);
        }
        assert_eq!(
            order,
            [0, 8, 6, 1, 7, 2, 3, 4, 5],
            "new clients first, the urgent one before the other, then in turn"
        );
    }

    #[test]
    fn long_waits_become_urgent() {
        let queue = SearchQueue::new(1);
        let all = [true, false, true].map(|urgent| queue.join(client(1), urgent).unwrap());
        queue.lock().searches[1].since -= URGENT_AFTER;
        let [first, second, third] = all;
        drop(first);
        assert_eq!(running(&queue), [1]);
        drop((second, third));
    }

    #[test]
    fn yielded_slots_are_bounded() {
        let queue = SearchQueue::new(1);
        let all: Vec<_> = (0..10).map(|_| queue.join(client(1), true).unwrap()).collect();
        for (number, ticket) in (1..).zip(&all[..MAX_YIELDED]) {
            ticket.yield_slot();
            ticket.yield_slot();
            assert_eq!(running(&queue).len(), number + 1);
        }
        all[MAX_YIELDED].yield_slot();
        assert_eq!(running(&queue).len(), MAX_YIELDED + 1, "the number of yielded slots is bounded");
        drop(all);
        assert!(queue.lock().searches.is_empty());
    }

    #[test]
    fn limits_waiting_searches_per_client() {
        let queue = SearchQueue::new(1);
        let of_client: Vec<_> = (0..=MAX_WAITING_PER_CLIENT).map(|_| queue.join(client(1), true).unwrap()).collect();
        assert!(queue.join(client(1), true).is_err());
        let others: Vec<_> =
            (MAX_WAITING_PER_CLIENT..MAX_WAITING).map(|n| queue.join(client(n as u8), true).unwrap()).collect();
        assert!(queue.join(client(1), true).is_err() && queue.join(client(3), true).is_err());
        drop((of_client, others));
        assert!(queue.lock().searches.is_empty());
    }
}
