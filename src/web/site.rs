//! [`Site`]: what the searches of the server share.

use std::sync::Arc;
use std::time::Duration;

use super::turns::Turns;
use crate::game::{AnyGame, Cancel};
use crate::games;
use crate::session::{Searchers, Setup};

/// What the server thinks with.
#[derive(Clone)]
pub struct Site {
    inner: Arc<Inner>,
    /// Who searches, and whose search is over in a moment.
    pub(super) turns: Turns,
    pub(super) quick_turns: Turns,
}

struct Inner {
    searchers: Vec<Searchers>,
    stop: Cancel,
    most_time: Duration,
}

impl Site {
    /// Opens a site where so many searches run at a time, none longer than `most_time`, and all end when `stop` is raised. `setup` is asked
    /// for a game when that is first thought about.
    #[must_use]
    pub fn new(setup: Arc<Setup>, searches: usize, most_time: Duration, stop: Cancel) -> Self {
        let [turns, quick_turns] = [(); 2].map(|()| Turns::new(searches.max(1)));
        let searchers = games::all().iter().map(|&game| Searchers::new(game, Arc::clone(&setup))).collect();
        Self { inner: Arc::new(Inner { searchers, stop, most_time }), turns, quick_turns }
    }

    /// Returns what thinks about a game.
    pub(super) fn searchers(&self, game: &dyn AnyGame) -> &Searchers {
        let own = self.inner.searchers.iter().find(|searchers| searchers.game().name() == game.name());
        own.expect("there are searchers for every game")
    }

    pub(super) fn stop(&self) -> &Cancel {
        &self.inner.stop
    }

    pub(super) fn most_time(&self) -> Duration {
        self.inner.most_time
    }
}
