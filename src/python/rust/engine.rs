//! `Engine`: a searcher for one game, with its search tables.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use morello::game::{self, AnyGame, Cancel, EngineOptions, EvaluationKind, Limits, Searcher, table_bytes};
use morello::input::read_text;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{check_folder, failed, in_text, invalid, natural, no_memory};
use crate::limits::SearchLimits;
use crate::position::{Position, game_named};
use crate::record::Game;
use crate::report::Report;
use crate::work;

/// How long a helper thread waits for work at a time.
const ASSIST: Duration = Duration::from_millis(5);

/// A position, or a game whose last position is used and whose history counts for draws.
#[derive(FromPyObject)]
#[expect(clippy::large_enum_variant)] // one lives at a time, and the derived conversion has no boxes
pub enum Root {
    Position(Position),
    Game(Game),
    Text(String),
}

impl Root {
    /// Returns the game to search. Text may be a position or the moves of a game.
    ///
    /// # Errors
    /// If it belongs to another game, or the text cannot be read.
    pub fn game(self, py: Python<'_>, expected: &'static dyn AnyGame) -> PyResult<game::Game> {
        let game = match self {
            Self::Position(position) => game::Game::with_draw_rules(position.inner, expected.standard_draw_rules()),
            Self::Game(game) => game.inner.game,
            Self::Text(text) => {
                let text = read_text(expected, &text).map_err(|error| in_text(py, &error))?;
                let mut game = text.game.game;
                game.set_draw_rules(expected.standard_draw_rules());
                game
            }
        };
        let name = game.position().game().name();
        if name != expected.name() {
            return Err(invalid(format!("a position of {name}: expected one of {}", expected.name())));
        }
        Ok(game)
    }
}

/// Returns the options for searchers with this table memory and number of threads.
pub fn options(
    game: &'static dyn AnyGame,
    (hash_mib, tables): (usize, usize),
    weights: Option<PathBuf>,
    database: Option<PathBuf>,
    evaluation: &str,
) -> PyResult<EngineOptions> {
    if hash_mib == 0 {
        return Err(invalid("hash_mib must be 1 or more"));
    }
    let mut options = EngineOptions::new(table_bytes(hash_mib, tables).map_err(no_memory)?);
    if let Some(file) = weights {
        options.weights = Some(game.read_weights(&file).map_err(|error| failed(&error))?);
    }
    check_folder(database.as_deref())?;
    options.database = game.open_database(database.as_deref()).map_err(|error| failed(&error))?;
    options.evaluation = EvaluationKind::from_name(evaluation)
        .ok_or_else(|| invalid(format!("evaluation must be \"trained\" or \"simple\", not `{evaluation}`")))?;
    Ok(options)
}

/// Creates a searcher for each thread. The searchers share their tables.
pub fn searchers(
    game: &'static dyn AnyGame,
    options: &EngineOptions,
    threads: Option<usize>,
) -> PyResult<Vec<Box<dyn Searcher>>> {
    let first = game.searcher(options).map_err(invalid)?;
    let forks: Vec<_> = (1..work::thread_count(threads)?).map(|_| first.fork()).collect();
    Ok([first].into_iter().chain(forks).collect())
}

/// An engine for one game. Its search tables are reused by later searches.
///
///     engine = Engine()                          # Othello
///     report = engine.search("f5d6", depth=12)
///     report.best_move, report.score
///     for report in engine.reports("f5d6", time=2.0): print(report)
///
/// Every search requires a limit: see `Limits`. Ctrl-C stops a search. A call waits for the search that
/// runs, of another thread or of `reports`, which `stop` ends. A fork of the process can use the engine too, unless it was searching at the fork.
///
/// Args:
///     game: the name of the game, one of `games()`.
///     hash_mib: the memory for the search tables in MiB.
///     threads: the number of threads per search; None for all cores.
///     weights: a file with trained weights; None for the built-in weights.
///     database: the directory of the game's endgame database (mill games).
///     evaluation: "trained" or "simple".
#[pyclass(module = "morello", frozen)]
pub struct Engine {
    game: &'static dyn AnyGame,
    searchers: Arc<Mutex<Vec<Box<dyn Searcher>>>>,
    /// The process in which the searches run.
    process: Mutex<work::Creator>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (game="othello", *, hash_mib=64, threads=Some(1), weights=None, database=None,
        evaluation="trained"), text_signature = "(game='othello', *, hash_mib=64, threads=1, weights=None, \
        database=None, evaluation='trained')")]
    fn new(
        game: &str,
        #[pyo3(from_py_with = natural)] hash_mib: usize,
        #[pyo3(from_py_with = natural)] threads: Option<usize>,
        weights: Option<PathBuf>,
        database: Option<PathBuf>,
        evaluation: &str,
    ) -> PyResult<Self> {
        let game = game_named(game)?;
        let searchers = searchers(game, &options(game, (hash_mib, 1), weights, database, evaluation)?, threads)?;
        Ok(Self { game, searchers: Arc::new(Mutex::new(searchers)), process: Mutex::new(work::Creator::new()) })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// Searches a position.
    ///
    /// Args:
    ///     position: a Position, a Game (whose history counts for draws) or text.
    ///     lines: the number of best moves to report; 0 for all.
    ///     limits: depth, nodes, time, level, exact, confidence or limits, as in `Limits`.
    ///
    /// Returns:
    ///     a Report with scores in points for the side to move.
    #[pyo3(signature = (position, *, lines=1, **limits))]
    fn search(
        &self,
        py: Python<'_>,
        position: Root,
        lines: usize,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Report> {
        self.report(py, position, lines, SearchLimits::of(limits)?)
    }

    /// Searches a position and returns an iterator over the reports of all iterations. The last
    /// report is the result.
    ///
    /// The search stops when the iterator is deleted. For the arguments, see `search`.
    #[pyo3(signature = (position, *, lines=1, **limits))]
    fn reports(
        &self,
        py: Python<'_>,
        position: Root,
        lines: usize,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Reports> {
        let game = position.game(py, self.game)?;
        let limits = SearchLimits::of(limits)?.resolve(self.game, lines)?;
        self.check_process()?;
        let searchers = Arc::clone(&self.searchers);
        let (sender, receiver) = channel();
        let cancel = Cancel::new();
        let flag = cancel.clone();
        thread::spawn(move || {
            let position = *game.position();
            // If the iterator was deleted, the receiver is gone and the search is cancelled.
            let mut send = |report: &game::Report| drop(sender.send(Report::new(&position, report)));
            let report = search(&searchers, &game, &limits, &flag, &mut send);
            if !flag.is_cancelled() {
                send(&report);
            }
        });
        Ok(Reports { receiver: Mutex::new(Some(receiver)), process: work::Creator::new(), cancel })
    }

    /// Proves the score of a position: the same as `search(position, exact=True).score`.
    ///
    /// In the mill games, only positions in the endgame database and short games can be proved.
    ///
    /// Returns:
    ///     the final score in points for the side to move.
    ///
    /// Raises:
    ///     MorelloError: the score was not proved.
    fn solve(&self, py: Python<'_>, position: Root) -> PyResult<f64> {
        let report = self.report(py, position, 1, SearchLimits { exact: true, ..SearchLimits::default() })?;
        let best = report.lines.first().filter(|line| line.bound == "exact");
        best.map(|line| line.score)
            .ok_or_else(|| invalid("the score was not proved; search with a limit for an estimate"))
    }

    /// Returns the score of every move of a position, in points for the side to move. For the
    /// arguments, see `search`.
    #[pyo3(signature = (position, **limits))]
    fn move_values(
        &self,
        py: Python<'_>,
        position: Root,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<BTreeMap<String, f64>> {
        let report = self.report(py, position, 0, SearchLimits::of(limits)?)?;
        Ok(report.lines.into_iter().filter_map(|line| Some((line.r#move?, line.score))).collect())
    }

    /// Clears the search tables, so that the next search behaves like the first search of a new
    /// engine.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.check_process()?;
        py.detach(|| lock(&self.searchers).iter_mut().for_each(|searcher| searcher.clear()));
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Engine({:?})", self.game())
    }
}

impl Engine {
    /// Checks that no search was running when this process was forked. Then the engine is of this process.
    fn check_process(&self) -> PyResult<()> {
        // Taken only with the interpreter's lock, which the thread that forks holds.
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(self.searchers.try_lock(), Err(TryLockError::WouldBlock)) {
            return process.check("engine");
        }
        *process = work::Creator::new();
        Ok(())
    }

    /// Searches a position.
    fn report(&self, py: Python<'_>, position: Root, lines: usize, limits: SearchLimits) -> PyResult<Report> {
        let game = position.game(py, self.game)?;
        let limits = limits.resolve(self.game, lines)?;
        self.check_process()?;
        let search = |cancel: &Cancel| search(&self.searchers, &game, &limits, cancel, &mut |_| ());
        Ok(Report::new(game.position(), &work::run(py, &mut |_| Ok(()), search)?))
    }
}

fn lock(searchers: &Mutex<Vec<Box<dyn Searcher>>>) -> std::sync::MutexGuard<'_, Vec<Box<dyn Searcher>>> {
    searchers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Searches with the first searcher; the others help.
fn search(
    searchers: &Mutex<Vec<Box<dyn Searcher>>>,
    game: &game::Game,
    limits: &Limits,
    cancel: &Cancel,
    on_info: &mut dyn FnMut(&game::Report),
) -> game::Report {
    let mut searchers = lock(searchers);
    let (first, helpers) = searchers.split_first_mut().expect("an engine has a searcher");
    let finished = AtomicBool::new(false);
    thread::scope(|scope| {
        for helper in helpers {
            let finished = &finished;
            scope.spawn(move || {
                while !finished.load(Ordering::Relaxed) {
                    helper.assist(ASSIST);
                }
            });
        }
        let report = first.search(game, limits, cancel, on_info);
        finished.store(true, Ordering::Relaxed);
        report
    })
}

/// Iterates over the reports of a running search.
///
/// Raises:
///     RuntimeError: this process was forked from the one that started the search.
#[pyclass(module = "morello", frozen)]
pub struct Reports {
    /// `None` only while it is dropped.
    receiver: Mutex<Option<Receiver<Report>>>,
    /// The process in which the search runs.
    process: work::Creator,
    cancel: Cancel,
}

#[pymethods]
impl Reports {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        self.process.check("search")?;
        loop {
            let next = py.detach(|| match &*self.receiver.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(receiver) => receiver.recv_timeout(work::POLL),
                None => Err(RecvTimeoutError::Disconnected),
            });
            match next {
                Ok(report) => return Ok(Some(report)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        self.cancel.cancel();
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Stops the search.
    fn stop(&self) {
        self.cancel.cancel();
    }
}

impl Drop for Reports {
    fn drop(&mut self) {
        self.cancel.cancel();
        if self.process.is_other() {
            // The channel may wait for a thread that a forked process does not have.
            std::mem::forget(std::mem::take(&mut self.receiver));
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Engine>()?;
    module.add_class::<Reports>()
}
