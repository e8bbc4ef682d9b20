//! Batch analysis: reads positions and games, returns an [`AnalysisRow`] for each position in input
//! order, and collects [`Statistics`].
//!
//! ```
//! use morello::analysis::{self, AnalysisOptions};
//! use morello::game::Limits;
//! use morello::games;
//! use morello::input::{Input, Reader};
//!
//! // A game with three positions, and a line that is not a game.
//! let reader = Reader::of(games::get("othello")?, Input::Text("f5f6\nhello\n".to_owned()))?;
//! let options = AnalysisOptions::new(Limits::depth(4));
//! let rows = analysis::rows(reader, &options)?;
//! for row in &rows {
//!     match &row.result {
//!         Ok(analysis) => println!("{} {:?} loses {:?}", row.position(), analysis.score(), row.loss),
//!         Err(error) => println!("{error}"),
//!     }
//! }
//! assert_eq!(rows.len(), 4);
//! assert!(rows[0].loss.is_some_and(|loss| loss.points == 0.0), "all first moves are equal");
//! assert_eq!(rows[3].origin.line, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Scores are in points from the point of view of the side to move: discs in Othello, 1 for a win
//! and -1 for a loss in the mill games. A loss is what a move costs the side that plays it, in
//! points, 0 or more.
//!
//! [`rows`] returns all rows at once, [`run`] passes them to a function as they are ready, and a
//! [`GameReviewer`] reviews one game in memory. [`collection`] searches game collections, and
//! [`trainer`] trains openings.
//!
//! ```text
//! input::Reader -> records -> Tasks -> positions -> workers (one searcher each)
//!     -> rows in order -> LossAnnotator -> Sink
//! ```
//!
//! [`Tasks`] splits games into the selected positions. The [`LossAnnotator`] computes the loss of
//! each played move from the analysis of the position after it. Memory use does not depend on the
//! size of the input ([`pipeline`]).

mod cache;
mod cache_file;
pub mod checkpoint;
pub mod collection;
mod difficulty;
mod exercise;
mod exercise_options;
mod fingerprint_set;
mod game_review;
mod game_reviewer;
#[cfg(not(target_family = "wasm"))]
mod html_report;
mod loss;
mod move_statistics;
pub mod pipeline;
mod play_statistics;
mod reason;
mod reviews;
mod row;
mod row_error;
mod row_fields;
mod severity;
mod solve_progress;
mod statistics;
mod summary;
mod tasks;
#[cfg(test)]
mod tests;
mod theme;
pub mod trainer;

use std::io;
use std::thread;
use std::time::Duration;

pub use cache::Cache;
pub use cache_file::CacheError;
pub use difficulty::Difficulty;
pub use exercise::Exercise;
pub use exercise_options::ExerciseOptions;
pub use fingerprint_set::{FingerprintSet, TooManyFingerprints, fingerprint};
pub use game_review::{GameReview, ReviewedMove, second_look};
pub use game_reviewer::{GameReviewer, REVIEW_LEVEL, REVIEW_NODES, THOROUGH_LEVEL, THOROUGH_NODES, review_limits};
#[cfg(not(target_family = "wasm"))]
pub use html_report::{html_report, review_report};
pub use loss::LossAnnotator;
pub use move_statistics::{MoveStatistics, MoveSummary};
pub use play_statistics::{
    OpeningAccuracy, PhaseSummary, PlayStatistics, PlaySummary, PlayerSummary, TournamentSummary,
};
pub use reason::Reason;
pub use reviews::{BadMove, MoveGroup, Reviews};
pub use row::{Analysis, AnalysisRow, Expectation};
pub use row_error::RowError;
pub use row_fields::RowInputs;
pub use severity::{LossMeasure, MoveLoss, Severity, expected_result};
pub use solve_progress::ExactSolveProgress;
pub use statistics::{
    AnalysisSummary, Bin, BoundOutcomes, DepthDistribution, EmptiesSummary, ExpectationAgreement, ScoreDistribution,
    ScoreSigns, Statistics, Timing,
};
pub use tasks::{GameContext, GameHeader, RowOrigin, Task, TaskError, TaskPosition, Tasks};
pub use theme::Theme;

use morello_core::game::{Cancel, EngineOptions, Game, Limits, Report, Searcher};
use pipeline::{RunStatus, Sink, Worker};

/// Maximum number of positions in flight per worker: enough to keep all workers busy while the
/// first row takes long, and few enough to use little memory.
const WINDOW_PER_WORKER: usize = 256;

/// Maximum number of positions in flight: limits memory use to a few megabytes with many workers.
const WINDOW: usize = 4096;

/// How positions are analyzed.
#[derive(Debug)]
pub struct AnalysisOptions {
    /// The limits of the search of each position.
    pub limits: Limits,
    /// The engine options. The memory for the search tables is the total for all workers, or per
    /// worker if `deterministic`.
    pub engine: EngineOptions,
    /// The number of worker threads.
    pub threads: usize,
    /// Whether the rows must be identical in each run and for any number of workers. Each worker
    /// then has its own tables, clears them before each position, and reports no times. A time
    /// limit voids this guarantee.
    pub deterministic: bool,
    /// The results of earlier runs. Positions in the cache are not searched again, and new results
    /// are added.
    pub cache: Option<Cache>,
}

impl AnalysisOptions {
    /// Returns options with these limits, the default engine, one thread for each processor and no
    /// cache; rows have times.
    ///
    /// ```
    /// use morello::analysis::AnalysisOptions;
    /// use morello::game::{EngineOptions, Limits};
    ///
    /// // The same rows on every machine and in every run:
    /// let options = AnalysisOptions {
    ///     deterministic: true,
    ///     engine: EngineOptions::new(1 << 20),
    ///     ..AnalysisOptions::new(Limits::depth(8))
    /// };
    /// assert!(options.threads >= 1 && options.cache.is_none());
    /// ```
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let threads = thread::available_parallelism().map_or(1, Into::into);
        Self { limits, engine: EngineOptions::default(), threads, deterministic: false, cache: None }
    }
}

/// Analyzes positions and passes the rows to a sink in input order. If an input cannot be read, the
/// analysis ends with its error.
///
/// Workers call `on_solve_progress` when they prove new bounds of a position that they are still
/// searching. The calls come in no particular order.
///
/// Memory use does not depend on the length of the input. The loss of a row may depend on the next
/// row, so a row may be passed on a little after its search.
///
/// ```
/// use morello::analysis::{self, AnalysisOptions, AnalysisRow, TaskError, Tasks};
/// use morello::game::{Cancel, Limits};
/// use morello::games;
/// use morello::input::{Input, Reader, Selection};
///
/// let reader = Reader::of(games::get("othello")?, Input::Text("f5d6c3d3c4f4".to_owned()))?;
/// let tasks = Tasks::new(reader, Selection { plies: 2..=5, ..Selection::default() }, None);
/// let mut plies = Vec::new();
/// let mut sink = |row: Result<AnalysisRow, TaskError>| {
///     plies.extend(row.map_err(std::io::Error::other)?.game_context.map(|context| context.ply));
///     // Stop after three rows.
///     Ok(plies.len() < 3)
/// };
/// analysis::run(tasks, &AnalysisOptions::new(Limits::depth(2)), &|_| (), &Cancel::new(), &mut sink)?;
/// assert_eq!(plies, [2, 3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any error from the sink, or if the weights or the database belong to another game.
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
        Box::new(AnalysisWorker { searcher, options, on_solve_progress, cancel })
    };
    let workers: Vec<_> = searchers.into_iter().map(worker).collect();
    let window = (WINDOW_PER_WORKER * workers.len()).min(WINDOW);
    let measure = LossMeasure::of(&options.limits, tasks.is_unique());
    let mut rows = LossSink { losses: LossAnnotator::new(measure), sink };
    let end = pipeline::run(tasks, workers, window, cancel, &mut rows)?;
    if end != RunStatus::Stopped {
        rows.finish_game()?;
    }
    Ok(end)
}

/// Analyzes positions as [`run`] does and returns all rows. They must fit in memory. Pass a
/// [`Reader`](morello_files::input::Reader) to analyze all of its positions.
///
/// ```
/// use morello::analysis::{self, AnalysisOptions};
/// use morello::game::Limits;
/// use morello::games;
/// use morello::input::{Input, Reader};
///
/// let reader = Reader::of(games::get("othello-4x4")?, Input::Text("-----OX--XO----- X".to_owned()))?;
/// let rows = analysis::rows(reader, &AnalysisOptions::new(Limits::exact()))?;
/// let analysis = rows[0].result.as_ref().expect("the position is valid");
/// assert_eq!((analysis.score().points(), analysis.outcome()), (-10.0, Some("loss")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an input cannot be read, or the weights or the database belong to another game.
pub fn rows(tasks: impl Into<Tasks>, options: &AnalysisOptions) -> io::Result<Vec<AnalysisRow>> {
    let mut rows = Vec::new();
    run(tasks.into(), options, &|_| (), &Cancel::new(), &mut |row: Result<AnalysisRow, TaskError>| {
        rows.push(row.map_err(io::Error::other)?);
        Ok(true)
    })?;
    Ok(rows)
}

/// Adds the losses to the rows and passes on the selected rows.
struct LossSink<'a> {
    losses: LossAnnotator,
    sink: &'a mut dyn Sink<Result<AnalysisRow, TaskError>>,
}

impl LossSink<'_> {
    fn forward(&mut self, row: AnalysisRow) -> io::Result<bool> {
        let is_selected = row.game_context.as_ref().is_none_or(|context| context.is_selected);
        if is_selected { self.sink.accept(Ok(row)) } else { Ok(true) }
    }

    fn finish_game(&mut self) -> io::Result<bool> {
        self.losses.finish().map_or(Ok(true), |row| self.forward(row))
    }
}

impl Sink<Result<AnalysisRow, TaskError>> for LossSink<'_> {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        match row {
            Ok(row) => {
                for row in self.losses.add(row) {
                    if !self.forward(row)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Err(error) => Ok(self.finish_game()? && self.sink.accept(Err(error))?),
        }
    }

    fn idle(&mut self) -> io::Result<()> {
        self.sink.idle()
    }
}

/// A worker with its searcher. When idle, it helps the other searchers.
struct AnalysisWorker<'a> {
    searcher: Box<dyn Searcher>,
    options: &'a AnalysisOptions,
    on_solve_progress: &'a (dyn Fn(&ExactSolveProgress) + Sync),
    cancel: &'a Cancel,
}

impl Worker<Result<Task, TaskError>, Result<AnalysisRow, TaskError>> for AnalysisWorker<'_> {
    fn work(&mut self, task: Result<Task, TaskError>) -> Option<Result<AnalysisRow, TaskError>> {
        match task {
            Ok(task) => {
                let line = task.origin.line;
                task.into_row(!self.options.deterministic, |game| self.report(game, line)).map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    }

    fn assist(&mut self, timeout: Duration) {
        self.searcher.assist(timeout);
    }
}

impl AnalysisWorker<'_> {
    /// Returns the report from the cache or from a new search of the final position of `game`;
    /// `None` if the search was cancelled.
    fn report(&mut self, game: &Game, line: u64) -> Option<Report> {
        let cache = self.options.cache.as_ref();
        if let Some(report) = cache.and_then(|cache| cache.find(game)) {
            return Some(report);
        }
        if self.options.deterministic {
            self.searcher.clear();
        }
        let report = self.searcher.search(game, &self.options.limits, self.cancel, &mut |report| {
            ExactSolveProgress::new(line, report).iter().for_each(self.on_solve_progress);
        });
        if self.cancel.is_cancelled() {
            return None;
        }
        if let Some(cache) = cache {
            cache.add(game, &report);
        }
        Some(report)
    }
}
