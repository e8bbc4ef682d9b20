//! Files: the positions and games in them, and their analysis as rows.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use morello::analysis::pipeline::Sink;
use morello::analysis::{self, AnalysisOptions, AnalysisRow, FingerprintSet, RowInputs, TaskError, Tasks};
use morello::book::known_values;
use morello::game::{AnyGame, Limits};
use morello::input::{Column, Input, InputFormat, Reader, Selection};
use morello::output::{Output, OutputFormat};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::engine;
use crate::errors::{failed, in_record, invalid};
use crate::limits::SearchOptions;
use crate::position::game_named;
use crate::record::Game;
use crate::work;

/// What is read: files, texts, and the name of a text format; `None` to detect it.
#[derive(FromPyObject)]
struct InputSource(Vec<PathBuf>, Option<Vec<String>>, Option<String>);

impl InputSource {
    fn open(self, game: &'static dyn AnyGame) -> PyResult<Reader> {
        let Self(paths, texts, format) = self;
        let format = match format {
            Some(name) => InputFormat::default().named(game, &name).map_err(invalid)?,
            None => InputFormat::default(),
        };
        let mut inputs: Vec<Input> = paths.into_iter().map(Input::File).collect();
        // A line each; a record of several lines stays one.
        inputs.extend(texts.map(|texts| Input::Text(texts.join("\n"))));
        Reader::open(game, inputs, &format).map_err(|error| failed(&error))
    }
}

/// An iterator of the games and positions of files; a position is a Game without moves.
///
/// Raises:
///     ParseError: a record cannot be read; the iterator continues after it.
#[pyclass(module = "morello", name = "Records", frozen)]
pub struct RecordIterator {
    state: Mutex<(Reader, std::vec::IntoIter<Game>)>,
    draws: bool,
}

#[pymethods]
impl RecordIterator {
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
            let games = content.into_games().into_iter().map(|mut inner: morello::game::AnnotatedGame| {
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

/// Reads the positions and games of files of any format: text, CSV, JSON lines, WTHOR, compressed
/// or not, and in folders and zip archives.
///
/// Args:
///     source: a list of files; a list of positions and games as text, read after the files, or None; and the
///         name of a text format, or None to detect it.
///     game: the name of the game.
///     draws: whether the usual additional draw rules of the mill games apply.
///
/// Returns:
///     an iterator of Game; a position is a Game without moves.
///
/// Raises:
///     OSError: a file cannot be read.
#[pyfunction]
#[pyo3(signature = (source, game, draws))]
fn read_records(source: InputSource, game: &str, draws: bool) -> PyResult<RecordIterator> {
    let reader = source.open(game_named(game)?)?;
    Ok(RecordIterator { state: Mutex::new((reader, Vec::new().into_iter())), draws })
}

/// The rows of an analysis.
#[pyclass(module = "morello", frozen)]
struct AnalysisRows {
    rows: Vec<AnalysisRow>,
    game: &'static dyn AnyGame,
    limits: Limits,
    has_several_files: bool,
    columns: Vec<Column>,
}

#[pymethods]
impl AnalysisRows {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// Returns the rows as a Parquet file.
    fn parquet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.encode(py, OutputFormat::Parquet)
    }

    /// Returns the rows as lines of JSON.
    fn json_lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.encode(py, OutputFormat::Jsonl)
    }
}

impl AnalysisRows {
    fn encode<'py>(&self, py: Python<'py>, format: OutputFormat) -> PyResult<Bound<'py, PyBytes>> {
        let inputs = RowInputs {
            has_several_files: self.has_several_files,
            columns: &self.columns,
            has_score_errors: true,
            ..RowInputs::default()
        };
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            let fields = AnalysisRow::fields(self.game, &self.limits, &inputs);
            let mut output = Output::new(format, fields, &mut bytes)?;
            self.rows.iter().try_for_each(|row| output.write(row))?;
            output.finish()?;
            io::Result::Ok(bytes)
        });
        Ok(PyBytes::new(py, &bytes.map_err(|error| failed(&error))?))
    }
}

/// Collects the rows of an analysis in memory.
struct Rows<'a> {
    rows: Vec<AnalysisRow>,
    done: &'a AtomicUsize,
}

impl Sink<Result<AnalysisRow, TaskError>> for Rows<'_> {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        self.rows.push(row.map_err(io::Error::other)?);
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    }
}

/// Analyzes positions and games, and returns the rows of `morello analyze`.
#[pyfunction]
#[pyo3(signature = (source, game, *, lines, deterministic, unique, **options))]
fn analyze_records<'py>(
    py: Python<'py>,
    source: InputSource,
    game: &str,
    lines: usize,
    deterministic: bool,
    unique: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<AnalysisRows> {
    let game = game_named(game)?;
    let SearchOptions { limits, hash_mib, threads, database, progress } = SearchOptions::of(py, options, 64)?;
    let says_how = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
    let limits = limits.resolve(game, lines)?;
    let mut engine = engine::options(game, (hash_mib, 1), None, database, "trained")?;
    if !says_how {
        engine.wrapper = known_values(game).map_err(|error| failed(&error))?;
    }
    let options = AnalysisOptions { limits, engine, threads: work::thread_count(threads)?, deterministic, cache: None };
    let has_several_files = source.0.len() + usize::from(source.1.is_some()) > 1;
    let reader = source.open(game)?;
    let columns = reader.columns().as_slice().to_vec();
    let seen = unique.then(|| FingerprintSet::new(FingerprintSet::DEFAULT_BYTES));
    let tasks = Tasks::new(reader, Selection::default(), seen);
    let done = AtomicUsize::new(0);
    let mut poll =
        work::on_change(&done, |done| progress.as_ref().map_or(Ok(()), |progress| progress.call1((done,)).map(drop)));
    let rows = work::run(py, &mut poll, |cancel| {
        let mut rows = Rows { rows: Vec::new(), done: &done };
        analysis::run(tasks, &options, &|_| (), cancel, &mut rows).map(|_| rows.rows)
    })?;
    let rows = rows.map_err(|error| failed(&error))?;
    Ok(AnalysisRows { rows, game, limits, has_several_files, columns })
}

/// Returns the names of the text formats of a game, in the order of detection.
#[pyfunction]
#[pyo3(signature = (game="othello"))]
fn formats(game: &str) -> PyResult<Vec<&'static str>> {
    Ok(game_named(game)?.formats().iter().map(|format| format.name).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RecordIterator>()?;
    module.add_class::<AnalysisRows>()?;
    module.add_function(wrap_pyfunction!(read_records, module)?)?;
    module.add_function(wrap_pyfunction!(analyze_records, module)?)?;
    module.add_function(wrap_pyfunction!(formats, module)?)
}
