//! File analysis that returns rows in chunks of bytes while it runs.

use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use morello::analysis::pipeline::Sink;
use morello::analysis::{self, AnalysisOptions, AnalysisRow, FingerprintSet, RowInputs, TaskError, Tasks};
use morello::book::known_values;
use morello::conversion::RowReader;
use morello::game::{AnyGame, Cancel, Limits};
use morello::input::{Column, Input, Selection};
use morello::output::{Field, FieldType, Output, OutputFormat, Value};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use crate::engine;
use crate::errors::{failed, invalid};
use crate::files::InputSource;
use crate::items::Items;
use crate::limits::{self, SearchOptions, Span};
use crate::position::game_named;
use crate::staged::StagedFile;
use crate::work;

/// The maximum number of chunks that wait for Python. After that, the analysis waits.
const QUEUE: usize = 2;

/// The zstd compression level of rows. A low level is enough for repeated keys.
const COMPRESSION: i32 = 1;

/// The names of the field types.
const KINDS: [(FieldType, &str); 6] = [
    (FieldType::Text, "text"),
    (FieldType::Integer, "integer"),
    (FieldType::Float, "float"),
    (FieldType::Boolean, "boolean"),
    (FieldType::Date, "date"),
    (FieldType::Any, "any"),
];

/// A row field: its name, the name of its type, and whether Parquet files have it only if a row has
/// a value.
type FieldParts = (String, String, bool);

/// The encoding of a chunk's rows.
#[derive(Clone, Copy)]
enum ChunkForm {
    /// JSON lines, compressed with zstd.
    Lines,
    /// A Parquet file.
    Parquet,
}

/// The rows of a chunk and their number.
type Chunk = (Vec<u8>, usize);

/// What determines the fields of the rows.
struct RowShape {
    game: &'static dyn AnyGame,
    limits: Limits,
    columns: Vec<Column>,
}

impl RowShape {
    fn fields(&self) -> Vec<Field<AnalysisRow>> {
        let inputs = RowInputs { columns: &self.columns, has_score_errors: true, ..RowInputs::default() };
        AnalysisRow::fields(self.game, &self.limits, &inputs)
    }
}

/// A byte buffer that an output writes to. The bytes are taken out afterwards.
#[derive(Clone, Default)]
struct SharedBytes(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Encodes the rows of an analysis as they arrive, and sends each chunk.
struct ChunkSink {
    shape: RowShape,
    form: ChunkForm,
    /// The number of rows per chunk.
    size: usize,
    /// The chunk in progress.
    output: Option<Output<'static, AnalysisRow>>,
    bytes: SharedBytes,
    rows: usize,
    sender: SyncSender<Chunk>,
    done: Arc<AtomicUsize>,
}

impl ChunkSink {
    fn write(&mut self, row: &AnalysisRow) -> io::Result<()> {
        let format = match self.form {
            ChunkForm::Lines => OutputFormat::Jsonl,
            ChunkForm::Parquet => OutputFormat::Parquet,
        };
        let output = match &mut self.output {
            Some(output) => output,
            none => none.insert(Output::new(format, self.shape.fields(), self.bytes.clone())?),
        };
        output.write(row)?;
        self.rows += 1;
        Ok(())
    }

    /// Sends the chunk in progress; returns whether the receiver still exists.
    fn send(&mut self) -> io::Result<bool> {
        let Some(output) = self.output.take() else { return Ok(true) };
        output.finish()?;
        let bytes = mem::take(&mut *lock(&self.bytes.0));
        let bytes = match self.form {
            ChunkForm::Lines => zstd::bulk::compress(&bytes, COMPRESSION)?,
            ChunkForm::Parquet => bytes,
        };
        Ok(self.sender.send((bytes, mem::take(&mut self.rows))).is_ok())
    }
}

impl Sink<Result<AnalysisRow, TaskError>> for ChunkSink {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        self.write(&row.map_err(io::Error::other)?)?;
        self.done.fetch_add(1, Ordering::Relaxed);
        if self.rows == self.size { self.send() } else { Ok(true) }
    }
}

/// Python's end of a running analysis.
struct Running {
    receiver: Receiver<Chunk>,
    worker: JoinHandle<io::Result<()>>,
}

/// Iterates over the rows of a running analysis. Each chunk is a pair of its bytes and its number
/// of rows.
///
/// The analysis pauses while chunks are not taken, and stops when the iterator is deleted or
/// closed.
///
/// Raises:
///     RuntimeError: this process was forked from the one that started the analysis.
#[pyclass(module = "morello", name = "RowChunks", frozen)]
pub struct RowChunks {
    running: Mutex<Option<Running>>,
    /// The process in which the analysis threads run.
    process: work::Creator,
    cancel: Cancel,
    done: Arc<AtomicUsize>,
    reported: AtomicUsize,
    progress: Option<Py<PyAny>>,
    fields: Vec<FieldParts>,
}

#[pymethods]
impl RowChunks {
    /// The row fields: the name, the type, and whether Parquet files have it only if a row has a
    /// value.
    #[getter]
    fn fields(&self) -> Vec<FieldParts> {
        self.fields.clone()
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyBytes>, usize)>> {
        self.process.check("analysis")?;
        loop {
            let next = py.detach(|| match &*lock(&self.running) {
                Some(running) => running.receiver.recv_timeout(work::POLL),
                None => Err(RecvTimeoutError::Disconnected),
            });
            if let Err(error) = py.check_signals().and_then(|()| self.report(py)) {
                self.close(py);
                return Err(error);
            }
            match next {
                Ok((bytes, rows)) => return Ok(Some((PyBytes::new(py, &bytes), rows))),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let ended = self.end(py);
                    return ended.map(|()| None).map_err(|error| failed(&error));
                }
            }
        }
    }

    /// Stops the analysis and waits until it has ended.
    fn close(&self, py: Python<'_>) {
        if self.process.is_other() {
            return;
        }
        self.cancel.cancel();
        // The caller does not want errors about unfinished work.
        let _ = self.end(py);
    }
}

impl RowChunks {
    /// Starts an analysis.
    fn start(
        tasks: Tasks,
        options: AnalysisOptions,
        shape: RowShape,
        (form, size): (ChunkForm, usize),
        progress: Option<Py<PyAny>>,
    ) -> Self {
        let (sender, receiver) = sync_channel(QUEUE);
        let (cancel, done) = (Cancel::new(), Arc::new(AtomicUsize::new(0)));
        let kind =
            |field: &Field<_>| KINDS.iter().find(|(kind, _)| *kind == field.kind()).map_or("any", |(_, name)| name);
        let parts = |field: &Field<_>| (field.name().to_owned(), kind(field).to_owned(), field.is_optional());
        let fields = shape.fields().iter().map(parts).collect();
        let bytes = SharedBytes::default();
        let mut sink = ChunkSink { shape, form, size, output: None, bytes, rows: 0, sender, done: Arc::clone(&done) };
        let flag = cancel.clone();
        let worker = thread::spawn(move || {
            analysis::run(tasks, &options, &|_| (), &flag, &mut sink)?;
            sink.send().map(drop)
        });
        let running = Mutex::new(Some(Running { receiver, worker }));
        Self { running, process: work::Creator::new(), cancel, done, reported: AtomicUsize::new(0), progress, fields }
    }

    /// Calls `progress` if there are new rows.
    fn report(&self, py: Python<'_>) -> PyResult<()> {
        let done = self.done.load(Ordering::Relaxed);
        match &self.progress {
            Some(progress) if self.reported.swap(done, Ordering::Relaxed) != done => {
                progress.call1(py, (done,)).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Takes no more chunks, and waits until the analysis has ended.
    fn end(&self, py: Python<'_>) -> io::Result<()> {
        py.detach(|| {
            let Some(Running { receiver, worker }) = lock(&self.running).take() else { return Ok(()) };
            drop(receiver);
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

impl Drop for RowChunks {
    fn drop(&mut self) {
        self.cancel.cancel();
        if self.process.is_other() {
            // A forked process has no thread to detach, and its copy of the lock may stay locked
            // forever.
            mem::forget(mem::take(&mut self.running));
        }
    }
}

/// Starts an analysis of positions and games.
///
/// Args:
///     source: the inputs.
///     game: the name of the game.
///     lines, deterministic, unique, shard, plies, empties, options: as in `analyze`.
///     form: "lines" for chunks of JSON lines, compressed; "parquet" for files.
///     rows: the number of rows per chunk.
#[pyfunction]
#[pyo3(signature = (source, game, *, lines, deterministic, unique, shard, plies, empties, form, rows, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn start_analysis(
    py: Python<'_>,
    source: InputSource,
    game: &str,
    lines: usize,
    deterministic: bool,
    unique: bool,
    shard: Option<(i64, i64)>,
    plies: Option<Span>,
    empties: Option<Span>,
    form: &str,
    rows: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<RowChunks> {
    let game = game_named(game)?;
    let form = if form == "parquet" { ChunkForm::Parquet } else { ChunkForm::Lines };
    if rows == 0 {
        return Err(invalid("rows must be at least 1"));
    }
    let (part, parts) = limits::part(shard)?;
    let selection = selection(game, plies, empties)?;
    let SearchOptions { limits, hash_mib, threads, database, progress } = SearchOptions::of(options, 64)?;
    let says_how = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
    let limits = limits.resolve(game, lines)?;
    let mut engine = engine::options(game, (hash_mib, 1), None, database, "trained")?;
    if !says_how {
        engine.wrapper = known_values(game).map_err(|error| failed(&error))?;
    }
    let options = AnalysisOptions { limits, engine, threads: work::thread_count(threads)?, deterministic, cache: None };
    let reader = py.detach(|| source.open(game))?.sharded(part, parts);
    let shape = RowShape { game, limits, columns: reader.columns().as_slice().to_vec() };
    let seen = unique.then(|| FingerprintSet::new(FingerprintSet::DEFAULT_BYTES));
    let tasks = Tasks::new(reader, selection, seen);
    Ok(RowChunks::start(tasks, options, shape, (form, rows), progress.map(Bound::unbind)))
}

/// Returns the selection of positions by ply and by number of empty squares; `None` selects all.
fn selection(game: &dyn AnyGame, plies: Option<Span>, empties: Option<Span>) -> PyResult<Selection> {
    if empties.is_some() && game.start().empty_count().is_none() {
        let name = game.name();
        return Err(invalid(format!("empties: {name} has no fixed number of empty squares per ply; use plies")));
    }
    let mut selection = Selection::default();
    if let Some(plies) = plies {
        selection.plies = plies.range("plies")?;
    }
    if let Some(empties) = empties {
        selection.empties = empties.range("empties")?;
    }
    Ok(selection)
}

/// Returns the JSON lines of a chunk.
#[pyfunction]
fn row_lines<'py>(py: Python<'py>, chunk: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let lines = zstd::stream::decode_all(chunk).map_err(|error| failed(&error))?;
    Ok(PyBytes::new(py, &lines))
}

/// Converts chunks of JSON lines to a row format, and writes them to a file or returns them as
/// bytes.
#[pyfunction]
fn write_rows<'py>(
    py: Python<'py>,
    chunks: Items<PyBackedBytes>,
    fields: Items<FieldParts>,
    format: &str,
    path: Option<PathBuf>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let format = match format {
        "csv" => OutputFormat::Csv,
        "jsonl" => OutputFormat::Jsonl,
        "parquet" => OutputFormat::Parquet,
        other => return Err(invalid(format!("no format `{other}` of rows; use csv, jsonl or parquet"))),
    };
    let write = |sink: Box<dyn Write + Send>| {
        let mut output = Output::new(format, row_fields(&fields), sink)?;
        for chunk in chunks.iter() {
            for row in RowReader::open(&Input::Bytes("rows".to_owned(), (**chunk).into()))? {
                output.write(&row?)?;
            }
        }
        output.finish()
    };
    if let Some(path) = path {
        let to_file = || {
            let file = StagedFile::new(&path)?;
            write(file.open()?).map_err(|error| file.failed(error))?;
            file.finish()
        };
        return py.detach(to_file).map(|()| None).map_err(|error| failed(&error));
    }
    let bytes = SharedBytes::default();
    py.detach(|| write(Box::new(bytes.clone()))).map_err(|error| failed(&error))?;
    Ok(Some(PyBytes::new(py, &lock(&bytes.0))))
}

/// Returns the fields of rows that were read from JSON lines.
fn row_fields(fields: &[FieldParts]) -> Vec<Field<Vec<Value>>> {
    let field = |(place, (name, kind, is_optional)): (usize, &FieldParts)| {
        let kind = KINDS.iter().find(|(_, known)| known == kind).map_or(FieldType::Any, |&(kind, _)| kind);
        Field::of_type(name.clone(), kind, move |row: &Vec<Value>| row[place].clone()).only_if(!is_optional)
    };
    fields.iter().enumerate().map(field).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RowChunks>()?;
    module.add_function(wrap_pyfunction!(start_analysis, module)?)?;
    module.add_function(wrap_pyfunction!(row_lines, module)?)?;
    module.add_function(wrap_pyfunction!(write_rows, module)?)
}
