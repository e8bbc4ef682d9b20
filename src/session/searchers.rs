//! [`Searchers`]: what thinks about the positions of a game, shared by its sessions.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::Thought;
use crate::game::{AnyGame, Cancel, EngineOptions, Game, Limits, Searcher};

/// Finds the options of a game's searchers.
pub type Setup = dyn Fn(&'static dyn AnyGame) -> Result<EngineOptions, SetupError> + Send + Sync;

/// Why a [`Setup`] has no options for a game: whatever its caller says.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct SetupError(Box<dyn Error + Send + Sync>);

impl SetupError {
    /// Wraps an error.
    #[must_use]
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

/// A game without a searcher.
#[derive(Debug, Error)]
#[error("cannot think about this game")]
pub struct NoSearcher(#[source] pub SetupError);

/// The searchers of a game. The first is made when one is needed, the others are its forks, which share its tables.
pub struct Searchers {
    game: &'static dyn AnyGame,
    setup: Arc<Setup>,
    made: Mutex<Made>,
}

#[derive(Default)]
struct Made {
    /// Never searches.
    first: Option<Box<dyn Searcher>>,
    idle: Vec<Box<dyn Searcher>>,
}

impl Searchers {
    /// Prepares for searches; `setup` is called when the first searcher is needed, and again only if that fails.
    #[must_use]
    pub fn new(game: &'static dyn AnyGame, setup: Arc<Setup>) -> Self {
        Self { game, setup, made: Mutex::default() }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Searches the position that a game has come to, and reports each new finding. Several threads may do so at the same time.
    ///
    /// # Errors
    /// [`NoSearcher`] if no searcher can be made.
    pub fn think(
        &self,
        game: &Game,
        limits: &Limits,
        cancel: &Cancel,
        on_thought: &mut dyn FnMut(Thought),
    ) -> Result<Thought, NoSearcher> {
        let mut searcher = self.take()?;
        let report = searcher.search(game, limits, cancel, &mut |report| on_thought(Thought::new(game, report)));
        self.made().idle.push(searcher);
        Ok(Thought::new(game, &report))
    }

    /// Takes a searcher that nobody else uses.
    fn take(&self) -> Result<Box<dyn Searcher>, NoSearcher> {
        let mut made = self.made();
        if let Some(searcher) = made.idle.pop() {
            return Ok(searcher);
        }
        if let Some(first) = &made.first {
            return Ok(first.fork());
        }
        let options = (self.setup)(self.game).map_err(NoSearcher)?;
        let first = self.game.searcher(&options).map_err(|error| NoSearcher(SetupError::new(error)))?;
        Ok(made.first.insert(first).fork())
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        // A thread that panics leaves nothing half done here.
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
