//! [`Room`]: where a game is played: what its sessions share.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{AnySession, BoardView, NoSearcher, Session};
use crate::game::{EngineOptions, Playable, Searcher};

/// A game that sessions can be had of, whichever it is.
pub trait AnyGame: Send + Sync {
    /// Returns what is the same in all sessions.
    fn board(&self) -> BoardView;

    /// Begins a session with a new game.
    fn session(&self) -> Box<dyn AnySession>;
}

/// A game whose sessions share the tables of their searchers.
pub struct Room<P: Playable> {
    searchers: Arc<Searchers<P>>,
}

/// Finds what a searcher is made with.
type Options = dyn Fn() -> Result<EngineOptions, Box<dyn Error + Send + Sync>> + Send + Sync;

/// The searchers of a game. The first is made when one is needed, the others are its forks.
pub(super) struct Searchers<P: Playable> {
    options: Box<Options>,
    made: Mutex<Made<P>>,
}

struct Made<P: Playable> {
    /// Never searches.
    first: Option<Box<dyn Searcher<P>>>,
    idle: Vec<Box<dyn Searcher<P>>>,
}

impl<P: Playable> Room<P> {
    /// Opens a room; what `options` returns is asked for when a searcher is needed, and not again once that was made.
    #[must_use]
    pub fn new(
        options: impl Fn() -> Result<EngineOptions, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    ) -> Self {
        let made = Mutex::new(Made { first: None, idle: Vec::new() });
        Self { searchers: Arc::new(Searchers { options: Box::new(options), made }) }
    }

    /// Begins a session with a new game.
    #[must_use]
    pub fn open(&self) -> Session<P> {
        Session::new(Arc::clone(&self.searchers))
    }
}

impl<P: Playable> AnyGame for Room<P> {
    fn board(&self) -> BoardView {
        BoardView::new::<P>()
    }

    fn session(&self) -> Box<dyn AnySession> {
        Box::new(self.open())
    }
}

impl<P: Playable> Searchers<P> {
    /// Takes a searcher that nobody else uses.
    pub(super) fn take(&self) -> Result<Box<dyn Searcher<P>>, NoSearcher> {
        let mut made = self.made();
        if let Some(searcher) = made.idle.pop() {
            return Ok(searcher);
        }
        if made.first.is_none() {
            made.first =
                Some(P::searcher(&(self.options)().map_err(NoSearcher)?).map_err(|error| NoSearcher(error.into()))?);
        }
        Ok(made.first.as_ref().expect("it was made above if there was none").fork())
    }

    /// Keeps a searcher for the next who needs one.
    pub(super) fn give_back(&self, searcher: Box<dyn Searcher<P>>) {
        self.made().idle.push(searcher);
    }

    fn made(&self) -> MutexGuard<'_, Made<P>> {
        // Nothing is left half done there.
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
