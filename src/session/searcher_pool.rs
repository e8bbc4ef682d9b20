//! [`SearcherPool`]: the searchers of a game, shared by its sessions.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::SearchView;
use crate::game::{AnyGame, Cancel, EngineOptions, Game, Limits, Searcher};

/// Returns the options of a game's searchers.
pub type EngineOptionsProvider =
    dyn Fn(&'static dyn AnyGame) -> Result<EngineOptions, EngineOptionsError> + Send + Sync;

/// The error of an [`EngineOptionsProvider`].
#[derive(Debug, Error)]
#[error(transparent)]
pub struct EngineOptionsError(Box<dyn Error + Send + Sync>);

impl EngineOptionsError {
    /// Wraps an error.
    #[must_use]
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

/// No searcher can be made for a game.
#[derive(Debug, Error)]
#[error("cannot start the engine for this game")]
pub struct SearcherUnavailable(#[source] pub EngineOptionsError);

/// The searchers of a game. The first is made on demand; the others are forks of it and share its tables.
pub struct SearcherPool {
    game: &'static dyn AnyGame,
    setup: Arc<EngineOptionsProvider>,
    state: Mutex<PoolState>,
}

#[derive(Default)]
struct PoolState {
    /// The searcher that is forked. It never searches itself.
    first: Option<Box<dyn Searcher>>,
    idle: Vec<Box<dyn Searcher>>,
}

impl SearcherPool {
    /// Creates an empty pool. `setup` is called for the first search, and again only if it fails.
    #[must_use]
    pub fn new(game: &'static dyn AnyGame, setup: Arc<EngineOptionsProvider>) -> Self {
        Self { game, setup, state: Mutex::default() }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Searches the current position of a game and reports intermediate results. Several threads may search at the same time.
    ///
    /// # Errors
    /// [`SearcherUnavailable`] if no searcher can be made.
    pub fn search(
        &self,
        game: &Game,
        limits: &Limits,
        cancel: &Cancel,
        on_update: &mut dyn FnMut(SearchView),
    ) -> Result<SearchView, SearcherUnavailable> {
        let mut searcher = self.take()?;
        let report = searcher.search(game, limits, cancel, &mut |report| on_update(SearchView::new(game, report)));
        self.lock().idle.push(searcher);
        Ok(SearchView::new(game, &report))
    }

    /// Returns an idle searcher, or a new one.
    fn take(&self) -> Result<Box<dyn Searcher>, SearcherUnavailable> {
        let mut state = self.lock();
        if let Some(searcher) = state.idle.pop() {
            return Ok(searcher);
        }
        if let Some(first) = &state.first {
            return Ok(first.fork());
        }
        let options = (self.setup)(self.game).map_err(SearcherUnavailable)?;
        let first =
            self.game.searcher(&options).map_err(|error| SearcherUnavailable(EngineOptionsError::new(error)))?;
        Ok(state.first.insert(first).fork())
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        // A panic cannot leave the state inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
