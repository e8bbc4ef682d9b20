//! The batch analyzer: positions and games in; a [`Row`] for each position out, in order, and [`Statistics`] at the end.
//!
//! ```text
//! input::Reader -> records -> Tasks -> positions -> workers (one searcher each) -> rows in order -> Judge -> Sink
//! ```
//!
//! [`Tasks`] takes games apart into the positions that are asked for, and the [`Judge`] says of each move played what it lost, by what was
//! found in the position after it. Rows are the same for every game, and so is everything behind the workers. Memory does not grow with
//! the input ([`pipeline`]).

mod cache;
pub mod checkpoint;
mod judge;
pub mod pipeline;
mod play;
mod report;
mod row;
mod row_error;
mod seen;
mod solving;
mod statistics;
mod summary;
mod tasks;

use std::io;
use std::time::Duration;

pub use cache::{Cache, CacheError};
pub use judge::{Judge, Measure};
pub use play::{AtPly, Moves, Play, PlaySummary, PlayedGame, PlayerSummary, Tally, TournamentSummary, TurningPoint};
pub use report::html;
pub use row::{Analysis, Expectation, Row};
pub use row_error::RowError;
pub use seen::{Seen, SeenError, fingerprint};
pub use solving::Solving;
pub use statistics::{
    Agreement, AtEmpties, Bin, BoundOutcomes, Depths, Outcomes, Scores, Signs, Statistics, Summary, Timing,
};
pub use tasks::{Asked, GameHead, InGame, Task, TaskError, Tasks};

use crate::game::{Cancel, EngineOptions, Game, Limits, Report, Searcher};
use pipeline::{End, Sink, Worker};

/// Positions in flight for each worker: enough that none waits while the row at the head takes long, few enough not to be felt in memory.
const WINDOW_PER_WORKER: usize = 256;

/// Positions in flight at most: with a great number of workers, too, they take some megabytes.
const WINDOW: usize = 4096;

/// How positions are analyzed.
pub struct Options {
    /// The bounds of the search of each position.
    pub limits: Limits,
    /// The memory of the searchers' tables: of all together, or of each where `deterministic`.
    pub engine: EngineOptions,
    /// The number of workers.
    pub threads: usize,
    /// Whether the rows must be the same on each run and with any number of workers: then each worker has tables of its own, forgets
    /// everything before each position, and no times are told. A limit of time makes this promise void.
    pub deterministic: bool,
    /// What earlier runs have found: it is not searched again, and what is found is added.
    pub cache: Option<Cache>,
}

/// Analyzes positions and hands the rows to a sink in their order. An input that cannot be read on ends the analysis with its error.
///
/// `on_solving` is told by the workers, in no order, what is proved about a position while they are still at it.
///
/// # Errors
/// The first of the sink; or if the weights or the database are those of another game.
pub fn run(
    tasks: Tasks,
    options: &Options,
    on_solving: &(dyn Fn(&Solving) + Sync),
    cancel: &Cancel,
    sink: &mut dyn Sink<Result<Row, TaskError>>,
) -> io::Result<End> {
    let searcher = || tasks.game().searcher(&options.engine).map_err(io::Error::other);
    let first = searcher()?;
    let mut searchers = Vec::new();
    for _ in 1..options.threads {
        searchers.push(if options.deterministic { searcher()? } else { first.fork() });
    }
    searchers.push(first);
    let worker = |searcher| -> Box<dyn Worker<_, _>> { Box::new(Analyst { searcher, options, on_solving, cancel }) };
    let workers: Vec<_> = searchers.into_iter().map(worker).collect();
    let window = (WINDOW_PER_WORKER * workers.len()).min(WINDOW);
    // With positions left out that were met before, what most moves lead to is not there.
    let measure = if tasks.is_unique() { Measure::Nothing } else { Measure::of(&options.limits) };
    let mut judge = Judge::new(sink, measure);
    let end = pipeline::run(tasks, workers, window, cancel, &mut judge)?;
    judge.finish()?;
    Ok(end)
}

/// A worker with its searcher. While there is no position for it, it helps to search those of the others.
struct Analyst<'a> {
    searcher: Box<dyn Searcher>,
    options: &'a Options,
    on_solving: &'a (dyn Fn(&Solving) + Sync),
    cancel: &'a Cancel,
}

impl Worker<Result<Task, TaskError>, Result<Row, TaskError>> for Analyst<'_> {
    fn work(&mut self, task: Result<Task, TaskError>) -> Option<Result<Row, TaskError>> {
        match task {
            Ok(task) => self.analyze(task).map(Ok),
            Err(error) => Some(Err(error)),
        }
    }

    fn assist(&mut self, patience: Duration) {
        self.searcher.assist(patience);
    }
}

impl Analyst<'_> {
    /// Returns what is known of the position that ends a game, or is found now; `None` if the search was cancelled on the way.
    fn report(&mut self, game: &Game, line: u64) -> Option<Report> {
        let cache = self.options.cache.as_ref();
        if let Some(report) = cache.and_then(|cache| cache.find(game)) {
            return Some(report);
        }
        if self.options.deterministic {
            self.searcher.clear();
        }
        let report = self.searcher.search(game, &self.options.limits, self.cancel, &mut |report| {
            Solving::new(line, report).iter().for_each(self.on_solving);
        });
        if self.cancel.is_cancelled() {
            return None;
        }
        if let Some(cache) = cache {
            cache.add(game, &report);
        }
        Some(report)
    }

    /// Analyzes one position; `None` if the search was cancelled on the way.
    fn analyze(&mut self, task: Task) -> Option<Row> {
        let Task { file, line, record, bytes_read, beside, in_game, position } = task;
        let result = match position {
            Ok(asked) => {
                let report = self.report(&asked.game(), line)?;
                Ok(Analysis::new(report, &asked.entry, !self.options.deterministic))
            }
            Err(error) => Err(error),
        };
        Some(Row { file, line, record, bytes_read, beside, in_game, loss: None, result })
    }
}
