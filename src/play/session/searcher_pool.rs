//! [`SearcherPool`]: the searchers of a game, shared by its sessions.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use morello_core::game::{AnyGame, Cancel, EngineOptions, Game, GameData, Limits, Report, Searcher};
use morello_core::search::search_on_threads;
use morello_core::threads::lent_threads;
use thiserror::Error;

use super::SearchView;

/// The size of the search tables of a [separate search](SearcherPool::search_separately), in bytes.
pub const SEPARATE_TABLES: usize = 8 << 20;
/// The size of the table of a search beyond a [`TableLimit`], in bytes.
const SMALL_TABLE: usize = 2 << 20;

/// Returns the engine options for a game.
pub type EngineOptionsProvider =
    dyn Fn(&'static dyn AnyGame) -> Result<EngineOptions, EngineOptionsError> + Send + Sync;

/// The error of an [`EngineOptionsProvider`].
///
/// ```
/// use morello::session::EngineOptionsError;
///
/// assert_eq!(EngineOptionsError::new("no weights").to_string(), "no weights");
/// ```
#[derive(Debug, Error)]
#[error(transparent)]
pub struct EngineOptionsError(Box<dyn Error + Send + Sync>);

impl EngineOptionsError {
    /// Wraps any error.
    #[must_use]
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

/// No searcher can be created for a game.
#[derive(Debug, Error)]
#[error("cannot start the engine for this game")]
pub struct SearcherUnavailable(#[source] pub EngineOptionsError);

/// Limits how many tables several pools have together, those in use included.
///
/// ```
/// use std::sync::Arc;
///
/// use morello::game::EngineOptions;
/// use morello::games;
/// use morello::session::{SearcherPool, TableLimit};
///
/// let limit = TableLimit::new(1);
/// let pools = ["othello", "morabaraba"].map(|name| {
///     SearcherPool::limited(games::get(name).unwrap(), Arc::new(|_| Ok(EngineOptions::new(1 << 24))), &limit)
/// });
/// assert_eq!(pools[1].game().name(), "morabaraba");
/// ```
#[derive(Debug)]
pub struct TableLimit {
    most: usize,
    count: AtomicUsize,
}

impl TableLimit {
    /// Creates a limit of `most` tables.
    #[must_use]
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, count: AtomicUsize::new(0) })
    }

    /// Counts one more table; `None` if there are too many.
    fn count(limit: &Arc<Self>) -> Option<Arc<CountedTable>> {
        let more = |count| (count < limit.most).then_some(count + 1);
        limit.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(Arc::new(CountedTable(Arc::clone(limit))))
    }
}

/// A table within a limit, counted until it is dropped.
struct CountedTable(Arc<TableLimit>);

impl Drop for CountedTable {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A searcher. Its table is counted until it has been freed: the fields are dropped in this order.
struct TakenSearcher {
    searcher: Box<dyn Searcher>,
    /// `None` if it is small.
    table: Option<Arc<CountedTable>>,
}

/// The searchers of a game. The first is made on demand; the others are forks of it and share its
/// tables.
///
/// ```
/// use std::sync::Arc;
///
/// use morello::game::{Cancel, EngineOptions, Game, Limits};
/// use morello::games;
/// use morello::session::SearcherPool;
///
/// let othello = games::get("othello-4x4")?;
/// let pool = SearcherPool::new(othello, Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
/// let found = pool.search(&Game::new(othello.start()), &Limits::exact(), &Cancel::new(), &mut |_| ())?;
/// assert_eq!((found.lines[0].score.text.as_str(), found.best_move().is_some()), ("-10", true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearcherPool {
    game: &'static dyn AnyGame,
    setup: Arc<EngineOptionsProvider>,
    limit: Arc<TableLimit>,
    state: Mutex<PoolState>,
}

morello_core::debug_fields!(SearcherPool { game });

#[derive(Default)]
struct PoolState {
    idle: Vec<Box<dyn Searcher>>,
    /// The searcher that the others are forked from, and their table, which is dropped last. It
    /// never searches itself.
    first: Option<(Box<dyn Searcher>, Arc<CountedTable>)>,
    /// The options of the first searcher.
    options: Option<EngineOptions>,
    /// A searcher with its own tables, for searches that must not depend on earlier ones.
    separate: Option<Box<dyn Searcher>>,
    /// How often the tables were freed.
    freed: u64,
}

impl SearcherPool {
    /// Creates an empty pool. `setup` is called for the first search, and again only if it fails.
    #[must_use]
    pub fn new(game: &'static dyn AnyGame, setup: Arc<EngineOptionsProvider>) -> Self {
        Self::limited(game, setup, &TableLimit::new(usize::MAX))
    }

    /// Creates an empty pool like [`new`](Self::new). While the pools with this limit have too many
    /// tables, a search of a game without one uses a table of 2 MiB for itself.
    #[must_use]
    pub fn limited(game: &'static dyn AnyGame, setup: Arc<EngineOptionsProvider>, limit: &Arc<TableLimit>) -> Self {
        Self { game, setup, limit: Arc::clone(limit), state: Mutex::default() }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Searches the current position of a game and reports intermediate results. Several threads
    /// may search at the same time.
    ///
    /// # Errors
    /// [`SearcherUnavailable`] if no searcher can be created.
    pub fn search(
        &self,
        game: &Game,
        limits: &Limits,
        cancel: &Cancel,
        on_update: &mut dyn FnMut(SearchView),
    ) -> Result<SearchView, SearcherUnavailable> {
        let mut taken = self.take()?;
        let mut on_report = |report: &Report| on_update(SearchView::new(game, report));
        let report = search_on_threads(&mut *taken.searcher, 1 + lent_threads(), game, limits, cancel, &mut on_report);
        let mut state = self.lock();
        // A searcher with a small table, or whose table was freed, is dropped.
        if let (Some((_, current)), Some(own)) = (&state.first, &taken.table)
            && Arc::ptr_eq(current, own)
        {
            state.idle.push(taken.searcher);
        }
        drop(state);
        Ok(SearchView::new(game, &report))
    }

    /// Searches as [`search`](Self::search), but with empty tables of [`SEPARATE_TABLES`] bytes.
    /// The report then depends only on the game and the limits.
    ///
    /// # Errors
    /// [`SearcherUnavailable`] if no searcher can be created.
    pub fn search_separately(
        &self,
        game: &Game,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Report, SearcherUnavailable> {
        let (mut searcher, freed) = self.take_separate()?;
        searcher.clear();
        let report = searcher.search(game, limits, cancel, &mut |_| ());
        self.put_back_separate(searcher, freed);
        Ok(report)
    }

    /// Frees the tables of all searchers; those that are searching free theirs afterwards. The next
    /// search makes new tables.
    pub fn free_tables(&self) {
        let mut state = self.lock();
        let options = state.options.take();
        *state = PoolState { options, freed: state.freed + 1, ..PoolState::default() };
    }

    /// Returns an idle searcher with its own tables, or a new one, and how often tables were freed
    /// before.
    fn take_separate(&self) -> Result<(Box<dyn Searcher>, u64), SearcherUnavailable> {
        let (options, freed) = {
            let mut state = self.lock();
            if let Some(searcher) = state.separate.take() {
                return Ok((searcher, state.freed));
            }
            (self.options(&mut state)?, state.freed)
        };
        Ok((self.searcher(&options, SEPARATE_TABLES)?, freed))
    }

    /// Puts a searcher with its own tables back, unless tables were freed since it was taken.
    fn put_back_separate(&self, searcher: Box<dyn Searcher>, freed: u64) {
        let mut state = self.lock();
        if state.freed == freed {
            state.separate = Some(searcher);
        }
    }

    /// Returns an idle searcher, or a new one.
    fn take(&self) -> Result<TakenSearcher, SearcherUnavailable> {
        let mut state = self.lock();
        let PoolState { first, idle, .. } = &mut *state;
        if let Some((first, table)) = first {
            let searcher = idle.pop().unwrap_or_else(|| first.fork());
            return Ok(TakenSearcher { searcher, table: Some(Arc::clone(table)) });
        }
        let options = self.options(&mut state)?;
        let Some(table) = TableLimit::count(&self.limit) else {
            drop(state);
            return Ok(TakenSearcher { searcher: self.searcher(&options, SMALL_TABLE)?, table: None });
        };
        let first = self.searcher(&options, options.hash_bytes)?;
        let searcher = first.fork();
        state.first = Some((first, Arc::clone(&table)));
        Ok(TakenSearcher { searcher, table: Some(table) })
    }

    fn searcher(&self, options: &EngineOptions, hash_bytes: usize) -> Result<Box<dyn Searcher>, SearcherUnavailable> {
        let options = EngineOptions { hash_bytes, ..options.clone() };
        self.game.searcher(&options).map_err(|error| SearcherUnavailable(EngineOptionsError::new(error)))
    }

    /// Returns the endgame database of the searchers, if they have one.
    ///
    /// # Errors
    /// [`SearcherUnavailable`] if the options cannot be determined.
    pub fn database(&self) -> Result<Option<GameData>, SearcherUnavailable> {
        Ok(self.options(&mut self.lock())?.database)
    }

    /// Returns the searchers' options, which are determined once.
    fn options(&self, state: &mut PoolState) -> Result<EngineOptions, SearcherUnavailable> {
        if state.options.is_none() {
            state.options = Some((self.setup)(self.game).map_err(SearcherUnavailable)?);
        }
        Ok(state.options.clone().expect("they were just determined"))
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        // A panic cannot leave the state inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use morello_core::games;

    use super::*;

    #[test]
    fn options_are_determined_once_and_again_after_a_failure() {
        let calls = Arc::new(AtomicU32::new(0));
        let counter = calls.clone();
        let setup = move |_: &'static dyn AnyGame| match counter.fetch_add(1, Ordering::Relaxed) {
            0 => Err(EngineOptionsError::new("no memory")),
            _ => Ok(EngineOptions::new(1 << 16)),
        };
        let game = games::get("othello-4x4").unwrap();
        let pool = SearcherPool::new(game, Arc::new(setup));
        let search = || pool.search(&Game::new(game.start()), &Limits::depth(2), &Cancel::new(), &mut |_| ());
        assert_eq!(search().unwrap_err().0.to_string(), "no memory");
        assert!(search().is_ok() && search().is_ok() && pool.database().is_ok_and(|database| database.is_none()));
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn freed_tables_do_not_come_back() {
        let game = games::get("othello-4x4").unwrap();
        let pool = SearcherPool::new(game, Arc::new(|_| Ok(EngineOptions::new(1 << 16))));
        let (start, limits, cancel) = (Game::new(game.start()), Limits::depth(2), Cancel::new());
        // While a search runs, and after it.
        pool.search(&start, &limits, &cancel, &mut |_| pool.free_tables()).unwrap();
        assert!(pool.lock().idle.is_empty() && pool.lock().first.is_none());
        pool.search(&start, &limits, &cancel, &mut |_| ()).unwrap();
        pool.search_separately(&start, &limits, &cancel).unwrap();
        assert!(pool.lock().idle.len() == 1 && pool.lock().separate.is_some());
        pool.free_tables();
        assert!(pool.lock().idle.is_empty() && pool.lock().separate.is_none() && pool.lock().options.is_some());
        // A separate search reports nothing while it runs; this is what it does at its end.
        let (searcher, freed) = pool.take_separate().unwrap();
        pool.free_tables();
        pool.put_back_separate(searcher, freed);
        assert!(pool.lock().separate.is_none());
    }

    #[test]
    fn the_limit_counts_tables_in_use() {
        let limit = TableLimit::new(1);
        let [first, second] = ["othello-4x4", "three-mens-morris"].map(|name| {
            let setup = Arc::new(|_| Ok(EngineOptions::new(1 << 16)));
            SearcherPool::limited(games::get(name).unwrap(), setup, &limit)
        });
        let search = |pool: &SearcherPool, on_update: &mut dyn FnMut(SearchView)| {
            pool.search(&Game::new(pool.game().start()), &Limits::depth(2), &Cancel::new(), on_update).unwrap();
            let state = pool.lock();
            assert_eq!(state.first.is_some(), !state.idle.is_empty());
            state.first.is_some()
        };
        // Freed, but still in use.
        let was_freed = !search(&first, &mut |_| {
            first.free_tables();
            assert!(!search(&second, &mut |_| ()), "a second table");
        });
        assert!(was_freed && search(&second, &mut |_| ()));
        assert!(!search(&first, &mut |_| ()) && search(&second, &mut |_| ()));
        second.free_tables();
        assert!(search(&first, &mut |_| ()));
    }

    #[test]
    fn separate_searches_do_not_depend_on_earlier_ones() {
        let game = games::get("othello-6x6").unwrap();
        let pool = SearcherPool::new(game, Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
        let (start, limits) = (Game::new(game.start()), Limits::depth(7));
        let nodes = || pool.search_separately(&start, &limits, &Cancel::new()).unwrap().nodes;
        let first = nodes();
        pool.search(&start, &limits, &Cancel::new(), &mut |_| ()).unwrap();
        assert_eq!([nodes(), nodes()], [first; 2]);
    }
}
