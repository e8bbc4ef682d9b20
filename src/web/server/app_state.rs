//! [`AppState`]: the service and the queues that all requests share.

use std::sync::Arc;
use std::time::Duration;

use morello_core::game::Cancel;
use morello_play::session::EngineOptionsProvider;

use super::large_items::LargeItems;
use super::search_queue::SearchQueue;
use crate::service::Service;

/// The service and the queues of the server.
pub struct AppState {
    pub(super) service: Service,
    /// Ends all searches.
    pub(super) stop: Cancel,
    pub(super) queue: SearchQueue,
    /// The queue of engine moves at low levels, which take almost no time.
    pub(super) quick_queue: SearchQueue,
    /// The queue of files that are opened, one after another: reading one takes up to seconds.
    pub(super) file_queue: SearchQueue,
    /// The queue of all other work, which takes milliseconds, such as replaying a game.
    pub(super) work_queue: SearchQueue,
    pub(super) large_files: LargeItems,
    pub(super) large_responses: LargeItems,
}

morello_core::debug_fields!(AppState { service });

/// The maximum number of waiting searches in a queue.
const MAX_WAITING_SEARCHES: usize = 256;
/// The maximum number of files in memory that are longer than any other request may be.
const MAX_LARGE_FILES: u32 = 6;
/// The maximum size of the responses of a client in memory, in KiB. Only those count that are longer
/// than other requests may be.
pub(super) const LARGE_RESPONSES_OF_CLIENT: u32 = 4 << 10;
/// The maximum size of all such responses in memory, in KiB.
const LARGE_RESPONSES: u32 = 32 << 10;
/// The maximum number of waiting requests without a search.
const MAX_WAITING_REQUESTS: usize = 1024;

impl AppState {
    /// Creates the state for `searches` simultaneous searches, each limited to `max_time`. All
    /// searches end when `stop` is cancelled. `setup` is called for a game before its first search.
    #[must_use]
    pub fn new(setup: Arc<EngineOptionsProvider>, searches: usize, max_time: Duration, stop: Cancel) -> Self {
        let [queue, quick_queue] = [(); 2].map(|()| SearchQueue::new(searches.max(1), MAX_WAITING_SEARCHES));
        let [file_queue, work_queue] = [1, searches.max(2)].map(|most| SearchQueue::new(most, MAX_WAITING_REQUESTS));
        Self {
            service: Service::new(&setup, max_time, max_time),
            stop,
            queue: queue.slow(),
            quick_queue,
            file_queue: file_queue.slow(),
            work_queue,
            large_files: LargeItems::new(1, MAX_LARGE_FILES),
            large_responses: LargeItems::new(LARGE_RESPONSES_OF_CLIENT, LARGE_RESPONSES),
        }
    }
}
