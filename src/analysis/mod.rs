//! The batch analyzer: positions in, one a line; a [`Row`] for each out, in order, and [`Statistics`] at the end.
//!
//! ```text
//! Reader -> lines -> workers (one searcher each) -> rows in order -> Sink
//! ```
//!
//! The [`Reader`] only splits text into lines; reading a position and searching it is the workers' part, so both go in parallel. Rows are
//! the same for every game, and so is everything behind the workers. Memory does not grow with the input ([`pipeline`]).

pub mod pipeline;
mod reader;
mod row;
mod solving;
mod statistics;
mod summary;

use std::io;
use std::time::Duration;

pub use reader::{BadLine, Content, Input, Line, MAX_LINE_BYTES, ReadError, Reader};
pub use row::{Analysis, Expectation, Row, RowError};
pub use solving::Solving;
pub use statistics::{Agreement, Bin, BoundOutcomes, Depths, Outcomes, Scores, Signs, Statistics, Summary, Timing};

use crate::game::{Cancel, EngineOptions, Entry, Game, Limits, LineFormat, Playable, Searcher};
use pipeline::{End, Sink, Worker};

/// Lines in flight for each worker: enough that none waits while the row at the head takes long, few enough not to be felt in memory.
const WINDOW_PER_WORKER: usize = 256;

/// Lines in flight at most: with a great number of workers, too, they take some megabytes.
const WINDOW: usize = 4096;

/// How positions are analyzed.
pub struct Options<P: Playable> {
    /// The format of the lines; `None` to detect it for each.
    pub format: Option<&'static LineFormat<P>>,
    /// The bounds of the search of each position.
    pub limits: Limits,
    /// The memory of the searchers' tables: of all together, or of each where `deterministic`.
    pub engine: EngineOptions,
    /// The number of workers.
    pub threads: usize,
    /// Whether the rows must be the same on each run and with any number of workers: then each worker has tables of its own, forgets
    /// everything before each position, and no times are told. A limit of time makes this promise void.
    pub deterministic: bool,
}

/// Analyzes the inputs and hands the rows to a sink in their order. An input that cannot be read on ends the analysis with its error.
///
/// `on_solving` is told by the workers, in no order, what is proved about a position while they are still at it.
///
/// # Errors
/// The first of the sink.
pub fn run<P: Playable>(
    inputs: Vec<Input>,
    options: &Options<P>,
    on_solving: &(dyn Fn(&Solving) + Sync),
    cancel: &Cancel,
    sink: &mut dyn Sink<Result<Row, ReadError>>,
) -> io::Result<End> {
    let first = P::searcher(&options.engine);
    let mut searchers = Vec::new();
    for _ in 1..options.threads {
        searchers.push(if options.deterministic { P::searcher(&options.engine) } else { first.fork() });
    }
    searchers.push(first);
    let worker = |searcher| -> Box<dyn Worker<_, _>> { Box::new(Analyst { searcher, options, on_solving, cancel }) };
    let workers: Vec<_> = searchers.into_iter().map(worker).collect();
    let window = (WINDOW_PER_WORKER * workers.len()).min(WINDOW);
    pipeline::run(Reader::new(inputs), workers, window, cancel, sink)
}

/// A worker with its searcher. While there is no line for it, it helps to search those of the others.
struct Analyst<'a, P: Playable> {
    searcher: Box<dyn Searcher<P>>,
    options: &'a Options<P>,
    on_solving: &'a (dyn Fn(&Solving) + Sync),
    cancel: &'a Cancel,
}

impl<P: Playable> Worker<Result<Line, ReadError>, Result<Row, ReadError>> for Analyst<'_, P> {
    fn work(&mut self, line: Result<Line, ReadError>) -> Option<Result<Row, ReadError>> {
        match line {
            Ok(line) => self.analyze(line).map(Ok),
            Err(error) => Some(Err(error)),
        }
    }

    fn assist(&mut self, patience: Duration) {
        self.searcher.assist(patience);
    }
}

impl<P: Playable> Analyst<'_, P> {
    /// Analyzes one line; `None` if the search was cancelled on the way.
    fn analyze(&mut self, line: Line) -> Option<Row> {
        let Line { file, number, bytes_read, raw, content } = line;
        let row = |position, result| Some(Row { file, line: number, bytes_read, position, result });
        let entry = match content
            .map_err(|e| RowError { column: e.column(), problem: e.to_string() })
            .and_then(|c| read(&c, self.options.format))
        {
            Ok(entry) => entry,
            Err(error) => return row(raw, Err(error)),
        };
        if self.options.deterministic {
            self.searcher.clear();
        }
        let game = Game::new(entry.position);
        let report = self.searcher.search(&game, &self.options.limits, self.cancel, &mut |report| {
            Solving::new(number, report).iter().for_each(self.on_solving);
        });
        if self.cancel.is_cancelled() {
            return None;
        }
        let several = self.options.limits.lines > 1;
        row(entry.position.to_string(), Ok(Analysis::new(&report, &entry, several, !self.options.deterministic)))
    }
}

/// Reads a position in the format asked for, or in the first that fits; the last of a game's formats says what is wrong with a line that
/// fits none.
///
/// # Errors
/// [`RowError`] with the column within the line and what is wrong there.
pub fn read<P: Playable>(content: &Content, format: Option<&'static LineFormat<P>>) -> Result<Entry<P>, RowError> {
    let Content { text, indent } = content;
    let detected = || P::formats().iter().find(|format| (format.detect)(text)).or(P::formats().last());
    let format = format.or_else(detected).expect("a game has a format");
    (format.parse)(text).map_err(|error| RowError { column: indent + error.column(), problem: error.to_string() })
}
