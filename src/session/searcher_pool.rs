//! [`SearcherPool`]: what thinks about the positions of a game, shared by its sessions.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::SearchView;
use crate::game::{AnyGame, Cancel, EngineOptions, Game, Limits, Searcher};

/// Finds the options of a game's searchers.
pub type EngineOptionsProvider =
    dyn Fn(&'static dyn AnyGame) -> Result<EngineOptions, EngineOptionsError> + Send + Sync;

/// Why a [`EngineOptionsProvider`] has no options for a game: whatever its caller says.
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

/// A game without a searcher.
#[derive(Debug, Error)]
#[error("cannot think about this game")]
pub struct SearcherUnavailable(#[source] pub EngineOptionsError);

/// The searchers of a game. The first is made when one is needed, the others are its forks, which share its tables.
pub struct SearcherPool {
    game: &'static dyn AnyGame,
    setup: Arc<EngineOptionsProvider>,
    state: Mutex<PoolState>,
}

#[derive(Default)]
struct PoolState {
    /// Never searches.
    first: Option<Box<dyn Searcher>>,
    idle: Vec<Box<dyn Searcher>>,
}

impl SearcherPool {
    /// Prepares for searches; `setup` is called when the first searcher is needed, and again only if that fails.
    #[must_use]
    pub fn new(game: &'static dyn AnyGame, setup: Arc<EngineOptionsProvider>) -> Self {
        Self { game, setup, state: Mutex::default() }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Searches the position that a game has come to, and reports each new finding. Several threads may do so at the same time.
    ///
    /// # Errors
    /// [`SearcherUnavailable`] if no searcher can be made.
    pub fn search(
        &self,
        game: &Game,
        limits: &Limits,
        cancel: &Cancel,
        on_thought: &mut dyn FnMut(SearchView),
    ) -> Result<SearchView, SearcherUnavailable> {
        let mut searcher = self.take()?;
        let report = searcher.search(game, limits, cancel, &mut |report| on_thought(SearchView::new(game, report)));
        self.made().idle.push(searcher);
        Ok(SearchView::new(game, &report))
    }

    /// Takes a searcher that nobody else uses.
    fn take(&self) -> Result<Box<dyn Searcher>, SearcherUnavailable> {
        let mut made = self.made();
        if let Some(searcher) = made.idle.pop() {
            return Ok(searcher);
        }
        if let Some(first) = &made.first {
            return Ok(first.fork());
        }
        let options = (self.setup)(self.game).map_err(SearcherUnavailable)?;
        let first =
            self.game.searcher(&options).map_err(|error| SearcherUnavailable(EngineOptionsError::new(error)))?;
        Ok(made.first.insert(first).fork())
    }

    fn made(&self) -> MutexGuard<'_, PoolState> {
        // A thread that panics leaves nothing half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
