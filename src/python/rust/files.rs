//! Files: the positions and games in them, and their analysis as rows.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use morello::analysis::pipeline::{RunStatus, Sink};
use morello::analysis::{self, AnalysisOptions, AnalysisRow, RowInputs, TaskError, Tasks};
use morello::game::{AnyGame, ParsedRecord};
use morello::input::{Input, InputFormat, Reader, Selection};
use morello::output::{Output, OutputFormat};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::engine::options;
use crate::errors::{failed, in_record, invalid};
use crate::limits::LimitArguments;
use crate::position::game_named;
use crate::record::Game;
use crate::work;

/// What is read: a path, several, or texts.
fn open(
    game: &'static dyn AnyGame,
    paths: Vec<PathBuf>,
    texts: Option<Vec<String>>,
    format: Option<&str>,
) -> PyResult<Reader> {
    let format = match format {
        Some(name) => InputFormat::default().named(game, name).map_err(invalid)?,
        None => InputFormat::default(),
    };
    let mut inputs: Vec<Input> = paths.into_iter().map(Input::File).collect();
    // A line each; a record of several lines stays one.
    inputs.extend(texts.map(|texts| Input::Text(texts.join("\n"))));
    Reader::open(game, inputs, &format).map_err(|error| failed(&error))
}

/// An iterator of the games and positions of files; a position is a Game without moves.
///
/// Raises:
///     ParseError: a record cannot be read; the iterator continues after it.
#[pyclass(module = "morello", frozen)]
pub struct Records {
    state: Mutex<(Reader, std::vec::IntoIter<Game>)>,
    draws: bool,
}

#[pymethods]
impl Records {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        loop {
            let next = py.detach(|| {
                let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let (reader, pending) = &mut *state;
                match pending.next() {
                    Some(game) => Some(Ok(game)),
                    None => reader.next().map(Err),
                }
            });
            let record = match next {
                None => return Ok(None),
                Some(Ok(game)) => return Ok(Some(game)),
                Some(Err(record)) => record.map_err(|error| failed(&error))?,
            };
            let content = record.content.map_err(|error| in_record(py, &error, Some(&record.file)))?;
            let games = match content {
                ParsedRecord::Position(entry) => vec![morello::game::Game::new(entry.position).into()],
                ParsedRecord::Games(games) => games,
            };
            let games = games.into_iter().map(|mut inner: morello::game::AnnotatedGame| {
                if self.draws {
                    let rules = inner.game.position().game().standard_draw_rules();
                    inner.game.set_draw_rules(rules);
                }
                Game { inner }
            });
            let games: Vec<_> = games.collect();
            self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner).1 = games.into_iter();
        }
    }
}

/// Reads the positions and games of files of any format: text, CSV, JSON lines, WTHOR, compressed with gzip or zstd or not.
///
/// Args:
///     paths: a list of files.
///     game: the name of the game.
///     texts: positions and games as text, read after the files.
///     format: the name of a text format; None to detect it.
///     draws: whether the usual additional draw rules of the mill games apply.
///
/// Returns:
///     an iterator of Game; a position is a Game without moves.
///
/// Raises:
///     OSError: a file cannot be read.
#[pyfunction]
#[pyo3(signature = (paths, game="othello", *, texts=None, format=None, draws=false))]
fn read_records(
    paths: Vec<PathBuf>,
    game: &str,
    texts: Option<Vec<String>>,
    format: Option<&str>,
    draws: bool,
) -> PyResult<Records> {
    let reader = open(game_named(game)?, paths, texts, format)?;
    Ok(Records { state: Mutex::new((reader, Vec::new().into_iter())), draws })
}

/// Collects the rows of an analysis in memory.
struct Rows<'a> {
    outputs: [Output<'a, AnalysisRow>; 2],
    done: &'a AtomicUsize,
}

impl Sink<Result<AnalysisRow, TaskError>> for Rows<'_> {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        let row = row.map_err(io::Error::other)?;
        for output in &mut self.outputs {
            output.write(&row)?;
        }
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    }

    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Analyzes positions and games, and returns the rows of `morello analyze` as files in memory.
///
/// Returns:
///     (Parquet, JSON lines) as bytes.
#[pyfunction]
#[pyo3(signature = (paths, game, texts, input_format, *, depth=None, nodes=None, time=None, level=None, exact=false,
    confidence=None, lines=1, hash_mib=64, threads=None, database=None, deterministic=false, unique=false, progress=None))]
#[expect(clippy::too_many_arguments)] // keyword arguments
fn analyze_to_bytes<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    game: &str,
    texts: Option<Vec<String>>,
    input_format: Option<&str>,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<f64>,
    level: Option<u32>,
    exact: bool,
    confidence: Option<u32>,
    lines: usize,
    hash_mib: usize,
    threads: Option<usize>,
    database: Option<PathBuf>,
    deterministic: bool,
    unique: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let game = game_named(game)?;
    let lines = if lines == 0 { usize::MAX } else { lines };
    let limits = LimitArguments { depth, nodes, time, level, exact, confidence, lines }.limits(game)?;
    let options = AnalysisOptions {
        limits,
        engine: options(game, hash_mib, None, database, "trained")?,
        threads: work::thread_count(threads),
        deterministic,
        cache: None,
    };
    let files = paths.len() + usize::from(texts.is_some());
    let reader = open(game, paths, texts, input_format)?;
    let inputs = RowInputs {
        has_several_files: files > 1,
        columns: reader.columns().names(),
        of_games: reader.is_of_games(),
        of_tagged_games: reader.is_of_tagged_games(),
        has_score_errors: true,
        ..RowInputs::default()
    };
    let fields = [(); 2].map(|()| AnalysisRow::fields(game, &limits, &inputs));
    let seen = if unique {
        Some(analysis::FingerprintSet::new(256 << 20, &std::env::temp_dir()).map_err(|error| failed(&error))?)
    } else {
        None
    };
    let tasks = Tasks::new(reader, Selection::default(), seen);
    let done = AtomicUsize::new(0);
    let mut poll = work::on_change(&done, |done| progress.map_or(Ok(()), |progress| progress.call1((done,)).map(drop)));
    let bytes = work::run(py, &mut poll, |cancel| -> io::Result<[Vec<u8>; 2]> {
        let (mut parquet, mut lines) = (Vec::new(), Vec::new());
        {
            let [first, second] = fields;
            let outputs = [
                Output::new(OutputFormat::Parquet, first, &mut parquet)?,
                Output::new(OutputFormat::Jsonl, second, &mut lines)?,
            ];
            let mut rows = Rows { outputs, done: &done };
            let _: RunStatus = analysis::run(tasks, &options, &|_| (), cancel, &mut rows)?;
            for output in rows.outputs {
                output.finish()?;
            }
        }
        Ok([parquet, lines])
    })?;
    let [parquet, lines] = bytes.map_err(|error| failed(&error))?;
    Ok((PyBytes::new(py, &parquet), PyBytes::new(py, &lines)))
}

/// Returns the names of the text formats of a game, in the order of detection.
#[pyfunction]
#[pyo3(signature = (game="othello"))]
fn formats(game: &str) -> PyResult<Vec<&'static str>> {
    Ok(game_named(game)?.formats().iter().map(|format| format.name).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Records>()?;
    module.add_function(wrap_pyfunction!(read_records, module)?)?;
    module.add_function(wrap_pyfunction!(analyze_to_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(formats, module)?)
}
