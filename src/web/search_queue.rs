//! [`SearchQueue`]: who may search, and who waits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// How many may wait, and how many of one client.
const MAX_WAITING: usize = 256;
const MAX_WAITING_PER_CLIENT: usize = 128;
/// For each search that may run there may be so many beside it that have lent their turn.
const MAX_YIELDED: usize = 7;
/// After so long a search is as urgent as one that a game waits for.
const URGENT_AFTER: Duration = Duration::from_secs(2);
/// Of how many clients it is known when their last search began.
const MAX_REMEMBERED_CLIENTS: usize = 4096;

/// Searches that run, so many at a time, and those that wait.
///
/// When one ends, the client with the fewest that run is next, and of those the one whose last began longest ago; of the same client, one
/// that a game waits for or that has waited long, and then the one that came first.
#[derive(Clone)]
pub(super) struct SearchQueue(Arc<Mutex<QueueState>>);

struct QueueState {
    max_running: usize,
    next_number: u64,
    started: u64,
    /// The number of the last search of each client in the order in which they began, as long as anybody waits.
    last: HashMap<IpAddr, u64>,
    searches: Vec<QueuedSearch>,
}

struct QueuedSearch {
    /// The order in which they came.
    number: u64,
    client: IpAddr,
    /// Whether a game waits for it.
    urgent: bool,
    since: Instant,
    stage: Stage,
    begin: Arc<Notify>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Running,
    /// It runs, and one that waited runs beside it.
    Yielded,
}

/// A search that waits or runs; it leaves when it is dropped.
pub(super) struct QueueTicket {
    turns: SearchQueue,
    number: u64,
    begin: Arc<Notify>,
}

/// Too many wait.
#[derive(Debug)]
pub(super) struct QueueFull;

impl SearchQueue {
    pub fn new(at_a_time: usize) -> Self {
        let queue = QueueState {
            max_running: at_a_time,
            next_number: 0,
            started: 0,
            last: HashMap::new(),
            searches: Vec::new(),
        };
        Self(Arc::new(Mutex::new(queue)))
    }

    /// Joins those that wait; it may begin at once.
    pub fn join(&self, client: IpAddr, urgent: bool) -> Result<QueueTicket, QueueFull> {
        let mut queue = self.queue();
        let of_one = queue.waiting().filter(|search| search.client == client).count();
        if queue.waiting().count() >= MAX_WAITING || of_one >= MAX_WAITING_PER_CLIENT {
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
        queue.begin_next();
        Ok(QueueTicket { turns: self.clone(), number, begin })
    }

    /// Returns how many wait.
    pub fn waiting(&self) -> usize {
        self.queue().waiting().count()
    }

    fn queue(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().expect("no thread panics while it has the lock")
    }
}

impl QueueTicket {
    /// Returns when it may begin.
    pub async fn until_started(&self) {
        self.begin.notified().await;
    }

    /// Returns how many of those that wait came before.
    pub fn place_in_queue(&self) -> usize {
        self.turns.queue().waiting().filter(|search| search.number < self.number).count()
    }

    /// Lets one that waits run beside it.
    pub fn yield_slot(&self) {
        let mut queue = self.turns.queue();
        let own = queue.searches.iter_mut().find(|search| search.number == self.number);
        if let Some(search) = own.filter(|search| search.stage == Stage::Running) {
            search.stage = Stage::Yielded;
        }
        queue.begin_next();
    }
}

impl Drop for QueueTicket {
    fn drop(&mut self) {
        let mut queue = self.turns.queue();
        queue.searches.retain(|search| search.number != self.number);
        queue.begin_next();
    }
}

impl QueueState {
    fn waiting(&self) -> impl Iterator<Item = &QueuedSearch> {
        self.searches.iter().filter(|search| search.stage == Stage::Waiting)
    }

    /// Begins as many as may run.
    fn begin_next(&mut self) {
        loop {
            let count = |stage| self.searches.iter().filter(|search| search.stage == stage).count();
            let (run, lent) = (count(Stage::Running), count(Stage::Yielded));
            if run >= self.max_running || run + lent >= self.max_running * (1 + MAX_YIELDED) {
                return;
            }
            let of = |client| {
                self.searches.iter().filter(|other| other.client == client && other.stage != Stage::Waiting).count()
            };
            let last = |client| self.last.get(&client).copied().unwrap_or_default();
            let rank = |search: &QueuedSearch| {
                let is_urgent = search.urgent || search.since.elapsed() >= URGENT_AFTER;
                (of(search.client), last(search.client), !is_urgent, search.number)
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

    /// Returns the numbers of those that run.
    fn run(turns: &SearchQueue) -> Vec<u64> {
        let queue = turns.queue();
        queue.searches.iter().filter(|search| search.stage != Stage::Waiting).map(|search| search.number).collect()
    }

    #[test]
    fn orders_by_running_then_urgency_then_arrival() {
        let turns = SearchQueue::new(2);
        let of_one: Vec<_> = [false, false, false, true].map(|urgent| turns.join(client(1), urgent).unwrap()).into();
        let other = turns.join(client(2), false).unwrap();
        assert_eq!((run(&turns), turns.waiting(), other.place_in_queue()), (vec![0, 1], 3, 2));
        let [first, second, third, fourth] = of_one.try_into().ok().unwrap();
        drop(first);
        assert_eq!(run(&turns), [1, 4], "the other client");
        drop(second);
        assert_eq!(run(&turns), [3, 4], "what a game waits for");
        drop((other, fourth));
        assert_eq!((run(&turns), turns.waiting()), (vec![2], 0));
        drop(third);
        assert!(turns.queue().searches.is_empty());
    }

    #[test]
    fn alternates_between_clients() {
        let turns = SearchQueue::new(1);
        let mut waiting: Vec<_> = (0..6).map(|_| turns.join(client(1), true).unwrap()).collect();
        waiting.extend((0..2).map(|_| turns.join(client(2), false).unwrap()));
        waiting.push(turns.join(client(3), true).unwrap());
        let mut order = Vec::new();
        while let Some(&next) = run(&turns).first() {
            order.push(next);
            waiting.retain(|turn| turn.number != next);
        }
        assert_eq!(
            order,
            [0, 8, 6, 1, 7, 2, 3, 4, 5],
            "new clients, of which one is urgent, and then one after the other"
        );
    }

    #[test]
    fn long_waits_become_urgent() {
        let turns = SearchQueue::new(1);
        let all = [true, false, true].map(|urgent| turns.join(client(1), urgent).unwrap());
        turns.queue().searches[1].since -= URGENT_AFTER;
        let [first, second, third] = all;
        drop(first);
        assert_eq!(run(&turns), [1]);
        drop((second, third));
    }

    #[test]
    fn yielded_slots_are_bounded() {
        let turns = SearchQueue::new(1);
        let all: Vec<_> = (0..10).map(|_| turns.join(client(1), true).unwrap()).collect();
        for (number, turn) in (1..).zip(&all[..MAX_YIELDED]) {
            turn.yield_slot();
            turn.yield_slot();
            assert_eq!(run(&turns).len(), number + 1);
        }
        all[MAX_YIELDED].yield_slot();
        assert_eq!(run(&turns).len(), MAX_YIELDED + 1, "no more than that");
        drop(all);
        assert!(turns.queue().searches.is_empty());
    }

    #[test]
    fn limits_waiting_searches_per_client() {
        let turns = SearchQueue::new(1);
        let of_one: Vec<_> = (0..=MAX_WAITING_PER_CLIENT).map(|_| turns.join(client(1), true).unwrap()).collect();
        assert!(turns.join(client(1), true).is_err());
        let others: Vec<_> =
            (MAX_WAITING_PER_CLIENT..MAX_WAITING).map(|n| turns.join(client(n as u8), true).unwrap()).collect();
        assert!(turns.join(client(1), true).is_err() && turns.join(client(3), true).is_err());
        drop((of_one, others));
        assert!(turns.queue().searches.is_empty());
    }
}
