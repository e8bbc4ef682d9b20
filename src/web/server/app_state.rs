//! [`AppState`]: the service and the queues that all requests share.

use std::sync::Arc;
use std::time::Duration;

use morello_core::game::Cancel;
use morello_play::session::EngineOptionsProvider;

use super::large_files::LargeFiles;
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
    pub(super) large_files: LargeFiles,
}

morello_core::debug_fields!(AppState { service });

/// The maximum number of waiting searches in a queue.
const MAX_WAITING_SEARCHES: usize = 256;
/// The maximum number of waiting requests without a search.
const MAX_WAITING_REQUESTS: usize = 1024;

impl AppState {
    /// Creates the state for `searches` simultaneous searches, each limited to `max_time`. All
    /// searches end when `stop` is cancelled. `setup` is called for a game before its first search.
    #[must_use]
    pub fn new(setup: Arc<EngineOptionsProvider>, searches: usize, max_time: Duration, stop: Cancel) -> Self {
        let [queue, quick_queue] = [(); 2].map(|()| SearchQueue::new(searches.max(1), MAX_WAITING_SEARCHES));
        let [file_queue, work_queue] = [1, searches.max(2)].map(|most| SearchQueue::new(most, MAX_WAITING_REQUESTS));
        let (service, large_files) = (Service::new(&setup, max_time, max_time), LargeFiles::default());
        Self { service, stop, queue, quick_queue, file_queue, work_queue, large_files }
    }
}
