//! The batch analyzer: positions and games in; a [`AnalysisRow`] for each position out, in order, and [`Statistics`] at the end.
//!
//! ```text
//! input::Reader -> records -> Tasks -> positions -> workers (one searcher each) -> rows in order -> Judge -> Sink
//! ```
//!
//! [`Tasks`] takes games apart into the positions that are asked for, and the [`LossAnnotator`] says of each move played what it lost, by what was
//! found in the position after it. Rows are the same for every game, and so is everything behind the workers. Memory does not grow with
//! the input ([`pipeline`]).

mod cache;
pub mod checkpoint;
mod fingerprint_set;
mod html_report;
mod loss;
pub mod pipeline;
mod play_statistics;
mod row;
mod row_error;
mod solve_progress;
mod statistics;
mod summary;
mod tasks;

use std::io;
use std::time::Duration;

pub use cache::{Cache, CacheError};
pub use fingerprint_set::{FingerprintSet, FingerprintSetError, fingerprint};
pub use html_report::html_report;
pub use loss::{LossAnnotator, LossMeasure};
pub use play_statistics::{
    GameSummary, MoveStatistics, MoveSummary, PhaseSummary, PlayStatistics, PlaySummary, PlayerSummary,
    TournamentSummary, TurningPoint,
};
pub use row::{Analysis, AnalysisRow, Expectation};
pub use row_error::RowError;
pub use solve_progress::ExactSolveProgress;
pub use statistics::{
    AnalysisSummary, Bin, BoundOutcomes, DepthDistribution, EmptiesSummary, ExpectationAgreement, Outcomes,
    ScoreDistribution, ScoreSigns, Statistics, Timing,
};
pub use tasks::{GameContext, GameHeader, Task, TaskError, TaskPosition, Tasks};

use crate::game::{Cancel, EngineOptions, Game, Limits, Report, Searcher};
use pipeline::{RunStatus, Sink, Worker};

/// Positions in flight for each worker: enough that none waits while the row at the head takes long, few enough not to be felt in memory.
const WINDOW_PER_WORKER: usize = 256;

/// Positions in flight at most: with a great number of workers, too, they take some megabytes.
const WINDOW: usize = 4096;

/// How positions are analyzed.
pub struct AnalysisOptions {
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
    options: &AnalysisOptions,
    on_solve_progress: &(dyn Fn(&ExactSolveProgress) + Sync),
    cancel: &Cancel,
    sink: &mut dyn Sink<Result<AnalysisRow, TaskError>>,
) -> io::Result<RunStatus> {
    let searcher = || tasks.game().searcher(&options.engine).map_err(io::Error::other);
    let first = searcher()?;
    let mut searchers = Vec::new();
    for _ in 1..options.threads {
        searchers.push(if options.deterministic { searcher()? } else { first.fork() });
    }
    searchers.push(first);
    let worker = |searcher| -> Box<dyn Worker<_, _>> {
        Box::new(AnalysisWorker { searcher, options, on_solving: on_solve_progress, cancel })
    };
    let workers: Vec<_> = searchers.into_iter().map(worker).collect();
    let window = (WINDOW_PER_WORKER * workers.len()).min(WINDOW);
    // With positions left out that were met before, what most moves lead to is not there.
    let measure = if tasks.is_unique() { LossMeasure::Unmeasured } else { LossMeasure::of(&options.limits) };
    let mut judge = LossAnnotator::new(sink, measure);
    let end = pipeline::run(tasks, workers, window, cancel, &mut judge)?;
    judge.finish()?;
    Ok(end)
}

/// A worker with its searcher. While there is no position for it, it helps to search those of the others.
struct AnalysisWorker<'a> {
    searcher: Box<dyn Searcher>,
    options: &'a AnalysisOptions,
    on_solving: &'a (dyn Fn(&ExactSolveProgress) + Sync),
    cancel: &'a Cancel,
}

impl Worker<Result<Task, TaskError>, Result<AnalysisRow, TaskError>> for AnalysisWorker<'_> {
    fn work(&mut self, task: Result<Task, TaskError>) -> Option<Result<AnalysisRow, TaskError>> {
        match task {
            Ok(task) => self.analyze(task).map(Ok),
            Err(error) => Some(Err(error)),
        }
    }

    fn assist(&mut self, patience: Duration) {
        self.searcher.assist(patience);
    }
}

impl AnalysisWorker<'_> {
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
            ExactSolveProgress::new(line, report).iter().for_each(self.on_solving);
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
    fn analyze(&mut self, task: Task) -> Option<AnalysisRow> {
        let Task { file, line, record, bytes_read, beside, in_game, position } = task;
        let result = match position {
            Ok(asked) => {
                let report = self.report(&asked.game(), line)?;
                Ok(Analysis::new(report, &asked.entry, !self.options.deterministic))
            }
            Err(error) => Err(error),
        };
        Some(AnalysisRow { file, line, record, bytes_read, extra: beside, game_context: in_game, loss: None, result })
    }
}
