//! [`SearchQueue`]: limits the number of simultaneous searches and orders those that wait.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// The maximum number of searches that have yielded their slot, per slot.
const MAX_YIELDED: usize = 2;
/// The waiting time after which a search is urgent.
const URGENT_AFTER: Duration = Duration::from_secs(2);
/// The maximum number of clients whose last search is remembered.
const MAX_REMEMBERED_CLIENTS: usize = 4096;

/// The running searches, whose number is limited, and the waiting searches.
///
/// A free slot goes to the client with the fewest running searches and, among equals, to the one
/// whose last search started longest ago. Within a client, urgent searches come first (engine
/// moves, and searches that have waited long), then the oldest.
///
/// The number of waiting searches is limited. When the limit is reached, a search of a client with
/// few searches replaces the last search of the client with the most, so that no number of clients
/// can keep others out.
#[derive(Clone)]
pub(super) struct SearchQueue {
    state: Arc<Mutex<QueueState>>,
    /// Whether the searches run with low priority.
    pub is_slow: bool,
}

struct QueueState {
    max_running: usize,
    max_waiting: usize,
    next_number: u64,
    started: u64,
    /// For each client, when its last search started, counted in started searches. Cleared when no
    /// search waits.
    last: HashMap<IpAddr, u64>,
    searches: Vec<QueuedSearch>,
}

struct QueuedSearch {
    /// The order of arrival.
    number: u64,
    client: IpAddr,
    /// Whether the search is for an engine move.
    urgent: bool,
    since: Instant,
    stage: QueueStage,
    begin: Arc<Notify>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum QueueStage {
    Waiting,
    Running,
    /// The search runs, but another search may use its slot.
    Yielded,
}

/// A search that waits or runs. Dropping it leaves the queue.
pub(super) struct QueueTicket {
    queue: SearchQueue,
    number: u64,
    begin: Arc<Notify>,
}

/// Too many searches wait, and this client already has its fair share.
#[derive(Debug)]
pub(super) struct QueueFull;

impl SearchQueue {
    /// Creates a queue for at most this many running and waiting searches.
    pub fn new(max_running: usize, max_waiting: usize) -> Self {
        let (last, searches) = (HashMap::new(), Vec::new());
        let queue = QueueState { max_running, max_waiting, next_number: 0, started: 0, last, searches };
        Self { state: Arc::new(Mutex::new(queue)), is_slow: false }
    }

    /// Lets the searches run with low priority.
    pub fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }

    /// Joins the queue. The search starts at once if a slot is free.
    pub fn join(&self, client: IpAddr, urgent: bool) -> Result<QueueTicket, QueueFull> {
        let mut queue = self.lock();
        queue.make_room(client)?;
        let (number, begin) = (queue.next_number, Arc::new(Notify::new()));
        queue.next_number += 1;
        let since = Instant::now();
        queue.searches.push(QueuedSearch {
            number,
            client,
            urgent,
            since,
            stage: QueueStage::Waiting,
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
        // A panic in one request must not end the others.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueTicket {
    /// Waits until the search may start, or fails if it has lost its place to another client.
    pub async fn until_started(&self) -> Result<(), QueueFull> {
        self.begin.notified().await;
        let queue = self.queue.lock();
        if queue.searches.iter().any(|search| search.number == self.number) { Ok(()) } else { Err(QueueFull) }
    }

    /// Returns how many waiting searches arrived earlier.
    pub fn place_in_queue(&self) -> usize {
        self.queue.lock().waiting().filter(|search| search.number < self.number).count()
    }

    /// Lets a waiting search run in addition to this one.
    pub fn yield_slot(&self) {
        let mut queue = self.queue.lock();
        let own = queue.searches.iter_mut().find(|search| search.number == self.number);
        if let Some(search) = own.filter(|search| search.stage == QueueStage::Running) {
            search.stage = QueueStage::Yielded;
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
        self.searches.iter().filter(|search| search.stage == QueueStage::Waiting)
    }

    /// Makes room for a client's search if all places are taken.
    fn make_room(&mut self, client: IpAddr) -> Result<(), QueueFull> {
        if self.waiting().count() < self.max_waiting {
            return Ok(());
        }
        let victim = client_with_most(self.waiting().map(|search| search.client), client).ok_or(QueueFull)?;
        let places = 0..self.searches.len();
        let of_victim =
            places.filter(|&at| self.searches[at].stage == QueueStage::Waiting && self.searches[at].client == victim);
        let last =
            of_victim.max_by_key(|&at| (!self.searches[at].urgent, self.searches[at].number)).ok_or(QueueFull)?;
        self.searches.remove(last).begin.notify_one();
        Ok(())
    }

    /// Starts as many waiting searches as may run.
    fn start_next(&mut self) {
        loop {
            let count = |stage| self.searches.iter().filter(|search| search.stage == stage).count();
            let (running, yielded) = (count(QueueStage::Running), count(QueueStage::Yielded));
            if running >= self.max_running || running + yielded >= self.max_running * (1 + MAX_YIELDED) {
                return;
            }
            let mut running_of: HashMap<IpAddr, usize> = HashMap::new();
            for search in self.searches.iter().filter(|search| search.stage != QueueStage::Waiting) {
                *running_of.entry(search.client).or_default() += 1;
            }
            let last = |client| self.last.get(&client).copied().unwrap_or_default();
            let rank = |search: &QueuedSearch| {
                let is_urgent = search.urgent || search.since.elapsed() >= URGENT_AFTER;
                (
                    running_of.get(&search.client).copied().unwrap_or_default(),
                    last(search.client),
                    !is_urgent,
                    search.number,
                )
            };
            let places = 0..self.searches.len();
            let waiting = places.filter(|&place| self.searches[place].stage == QueueStage::Waiting);
            let Some(next) = waiting.min_by_key(|&place| rank(&self.searches[place])) else {
                self.last.clear();
                return;
            };
            let next = &mut self.searches[next];
            next.stage = QueueStage::Running;
            next.begin.notify_one();
            self.started += 1;
            if self.last.len() >= MAX_REMEMBERED_CLIENTS {
                self.last.clear();
            }
            self.last.insert(next.client, self.started);
        }
    }
}

/// Returns the client with the most of these places, if it has at least two more than `client`.
pub(super) fn client_with_most(places: impl Iterator<Item = IpAddr>, client: IpAddr) -> Option<IpAddr> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    places.for_each(|place| *counts.entry(place).or_default() += 1);
    let own = counts.get(&client).copied().unwrap_or_default();
    let (victim, count) = counts.into_iter().max_by_key(|&(client, count)| (count, client))?;
    (count > own + 1).then_some(victim)
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
        queue.searches.iter().filter(|search| search.stage != QueueStage::Waiting).map(|search| search.number).collect()
    }

    #[test]
    fn orders_by_running_then_urgency_then_arrival() {
        let queue = SearchQueue::new(2, 8);
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
        let queue = SearchQueue::new(1, 16);
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
        let queue = SearchQueue::new(1, 16);
        let all = [true, false, true].map(|urgent| queue.join(client(1), urgent).unwrap());
        queue.lock().searches[1].since -= URGENT_AFTER;
        let [first, second, third] = all;
        drop(first);
        assert_eq!(running(&queue), [1]);
        drop((second, third));
    }

    #[test]
    fn yielded_slots_are_bounded() {
        let queue = SearchQueue::new(1, 16);
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
    fn a_client_with_fewer_waiting_searches_takes_a_place_of_the_one_with_most() {
        let queue = SearchQueue::new(1, 8);
        let is_evicted = |ticket: &QueueTicket| !queue.lock().searches.iter().any(|s| s.number == ticket.number);
        // The first runs, eight wait.
        let of_first: Vec<_> = (0..9).map(|n| queue.join(client(1), n != 3).unwrap()).collect();
        assert!(queue.join(client(1), true).is_err(), "a client cannot evict itself");
        let of_second: Vec<_> = (0..4).map(|_| queue.join(client(2), true).unwrap()).collect();
        let evicted: Vec<_> = of_first.iter().filter(|ticket| is_evicted(ticket)).map(|t| t.number).collect();
        assert_eq!(evicted, [3, 6, 7, 8], "first the one that is not urgent, then the last ones");
        assert!(queue.join(client(2), true).is_err(), "both have equally many");
        let of_third = queue.join(client(3), false).unwrap();
        assert_eq!(queue.waiting(), 8);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert!(runtime.block_on(of_first[8].until_started()).is_err());
        assert!(runtime.block_on(of_first[0].until_started()).is_ok());
        drop((of_first, of_second, of_third));
        assert!(queue.lock().searches.is_empty());
    }

    #[test]
    fn many_clients_cannot_keep_another_out() {
        let queue = SearchQueue::new(1, 32);
        let _hostile: Vec<_> = (0..200).filter_map(|n| queue.join(client(n % 8), true).ok()).collect();
        assert_eq!(queue.waiting(), 32);
        let honest = queue.join(client(100), false).unwrap();
        assert!(queue.lock().searches.iter().any(|search| search.number == honest.number));
    }

    #[test]
    fn a_panic_with_the_lock_does_not_end_the_queue() {
        let queue = SearchQueue::new(1, 8);
        let poisoned = queue.clone();
        let panicked = std::thread::spawn(move || {
            let _lock = poisoned.lock();
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(panicked.join().is_err());
        assert!(queue.join(client(1), true).is_ok());
    }
}
