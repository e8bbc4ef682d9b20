//! [`Site`]: what the searches of the server share.

use std::sync::Arc;
use std::time::Duration;

use super::search_queue::SearchQueue;
use crate::game::{AnyGame, Cancel};
use crate::games;
use crate::session::{EngineOptionsProvider, SearcherPool};

/// What the server thinks with.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<SharedState>,
    /// Who searches, and whose search is over in a moment.
    pub(super) queue: SearchQueue,
    pub(super) quick_queue: SearchQueue,
}

struct SharedState {
    searchers: Vec<SearcherPool>,
    stop: Cancel,
    max_time: Duration,
}

impl AppState {
    /// Opens a site where so many searches run at a time, none longer than `most_time`, and all end when `stop` is raised. `setup` is asked
    /// for a game when that is first thought about.
    #[must_use]
    pub fn new(setup: Arc<EngineOptionsProvider>, searches: usize, most_time: Duration, stop: Cancel) -> Self {
        let [turns, quick_turns] = [(); 2].map(|()| SearchQueue::new(searches.max(1)));
        let searchers = games::all().iter().map(|&game| SearcherPool::new(game, Arc::clone(&setup))).collect();
        Self {
            inner: Arc::new(SharedState { searchers, stop, max_time: most_time }),
            queue: turns,
            quick_queue: quick_turns,
        }
    }

    /// Returns what thinks about a game.
    pub(super) fn searchers(&self, game: &dyn AnyGame) -> &SearcherPool {
        let own = self.inner.searchers.iter().find(|searchers| searchers.game().name() == game.name());
        own.expect("there are searchers for every game")
    }

    pub(super) fn stop(&self) -> &Cancel {
        &self.inner.stop
    }

    pub(super) fn most_time(&self) -> Duration {
        self.inner.max_time
    }
}
