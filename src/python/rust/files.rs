//! Reads and writes files of positions and games.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use morello::conversion::{Conversion, ConversionFormat, ConversionTarget, PositionRow, game_details};
use morello::game::{self, AnnotatedGame, AnyGame, MetadataKind};
use morello::input::{GameRecord, Input, InputFormat, ReadError, Reader, RecordError, Selection};
use morello::output::{Field, Output};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::errors::{failed, in_record, invalid, with_causes};
use crate::items::Items;
use crate::position::{Position, game_named};
use crate::record::Game;
use crate::staged::{StagedFile, WriteFileError};

/// A file, or the name and the bytes of a file in memory.
#[derive(FromPyObject)]
enum SourceFile {
    Path(PathBuf),
    Memory(String, PyBackedBytes),
}

impl From<SourceFile> for Input {
    fn from(file: SourceFile) -> Self {
        match file {
            SourceFile::Path(path) => Self::File(path),
            SourceFile::Memory(name, bytes) => Self::Bytes(name, (*bytes).into()),
        }
    }
}

/// The input: files, in order; the name of a text format, or `None` to detect it; and the name of
/// the column with positions and games, or `None`.
#[derive(FromPyObject)]
pub struct InputSource(Items<SourceFile>, Option<String>, Option<String>);

impl InputSource {
    pub fn open(self, game: &'static dyn AnyGame) -> PyResult<Reader> {
        let Self(files, format, column) = self;
        let mut form = InputFormat::default();
        if let Some(name) = format {
            form = form.named(game, &name).map_err(invalid)?;
        }
        if let Some(name) = column {
            form = form.column(name);
        }
        Reader::open(game, files.into_iter().map(Input::from).collect(), &form).map_err(|error| failed(&error))
    }
}

/// Iterates over the games and positions in files. A position is a Game without moves.
///
/// Raises:
///     ParseError: a record cannot be read; the iterator continues after it.
#[pyclass(module = "morello", name = "Records", frozen)]
pub struct RecordIterator {
    games: Mutex<ReadGames>,
}

/// The games of a reader, one at a time.
struct ReadGames {
    reader: Reader,
    /// The remaining games of the last record.
    pending: std::vec::IntoIter<AnnotatedGame>,
    draws: bool,
}

/// An error that ends a reader, or a record that cannot be read, with its file.
enum ReadProblem {
    Input(ReadError),
    Record(RecordError, Arc<str>),
}

impl ReadGames {
    fn next(&mut self) -> Result<Option<Game>, ReadProblem> {
        loop {
            if let Some(mut inner) = self.pending.next() {
                if self.draws {
                    let rules = inner.game.position().game().standard_draw_rules();
                    inner.game.set_draw_rules(rules);
                }
                return Ok(Some(Game { inner }));
            }
            let Some(record) = self.reader.next() else { return Ok(None) };
            let record = record.map_err(ReadProblem::Input)?;
            let content = record.content.map_err(|error| ReadProblem::Record(error, record.file))?;
            self.pending = content.into_games().into_iter();
        }
    }
}

#[pymethods]
impl RecordIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        // Keep the lock for a whole game, because several threads may share the iterator.
        let next = py.detach(|| self.games.lock().unwrap_or_else(PoisonError::into_inner).next());
        next.map_err(|problem| match problem {
            ReadProblem::Input(error) => failed(&error),
            ReadProblem::Record(error, file) => in_record(py, &error, Some(&file)),
        })
    }
}

/// Reads positions and games: see `morello.read`.
#[pyfunction]
#[pyo3(signature = (source, game, draws))]
fn read_records(source: InputSource, game: &str, draws: bool) -> PyResult<RecordIterator> {
    let reader = source.open(game_named(game)?)?;
    Ok(RecordIterator { games: Mutex::new(ReadGames { reader, pending: Vec::new().into_iter(), draws }) })
}

/// Converts a record from Python. A position becomes a game without moves.
fn given_record(index: usize, value: &Bound<'_, PyAny>) -> PyResult<AnnotatedGame> {
    if let Ok(position) = value.extract::<Position>() {
        return Ok(game::Game::new(position.inner).into());
    }
    value.extract::<Game>().map(|game| game.inner).map_err(|_| {
        let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("games[{index}] must be a Game or a Position, not {kind}"))
    })
}

/// A conversion of records to a file.
struct RecordWriter {
    conversion: Conversion,
    format: ConversionFormat,
    /// Whether the format stores positions.
    of_positions: bool,
    file: StagedFile,
    count: u64,
}

impl RecordWriter {
    /// Opens a file. Rows describe games if `of_games` is set, otherwise positions.
    fn open(
        game: &'static dyn AnyGame,
        format: ConversionFormat,
        path: &Path,
        of_games: bool,
    ) -> Result<Self, WriteFileError> {
        /// Returns the fields without the input file, since there is none.
        fn own<R>(mut fields: Vec<Field<R>>) -> Vec<Field<R>> {
            fields.retain(|field| field.name() != "file");
            fields
        }
        let file = StagedFile::new(path)?;
        let failed = |error| file.failed(error);
        let target = match format {
            ConversionFormat::Binary(format) => {
                ConversionTarget::Records((format.create)(&file.place()).map_err(failed)?)
            }
            ConversionFormat::Text(format) => ConversionTarget::Lines(format, file.open()?),
            ConversionFormat::Rows(format) if of_games => {
                let fields = own(GameRecord::fields(game, &[]));
                ConversionTarget::Games(Output::new(format, fields, file.open()?).map_err(failed)?)
            }
            ConversionFormat::Rows(format) => {
                let fields = own(PositionRow::fields(&[]));
                ConversionTarget::Positions(Output::new(format, fields, file.open()?).map_err(failed)?)
            }
        };
        let of_positions = match format {
            ConversionFormat::Rows(_) => !of_games,
            format => !format.is_of_whole_games(),
        };
        let conversion = Conversion::new(target, Selection::default());
        Ok(Self { conversion, format, of_positions, file, count: 0 })
    }

    fn write(&mut self, game: AnnotatedGame) -> PyResult<()> {
        self.count += 1;
        let (file, line, extra) = (Arc::from(""), self.count, Arc::from([]));
        let written = if self.of_positions && game.game.moves().is_empty() {
            let entry = (*game.game.position()).into();
            self.conversion.write_position_row(PositionRow { file, line, entry, extra })
        } else {
            self.conversion.write_record(GameRecord { file, line, number: line, game, extra })
        };
        match written.map_err(|error| failed(&self.file.failed(error)))? {
            None => Ok(()),
            Some(skipped) => Err(invalid(format!("games[{}]: {}", line - 1, with_causes(&*skipped.problem)))),
        }
    }

    /// Completes the file; returns what the format could not store.
    fn finish(self) -> Result<Vec<String>, WriteFileError> {
        let (counts, other) = self.conversion.finish().map_err(|error| self.file.failed(error))?;
        if let ConversionFormat::Binary(format) = self.format {
            // Fails if the destination has name files of other games, which would be read as the
            // names of this file.
            drop((format.create)(self.file.path()).map_err(|error| self.file.failed(error))?);
        }
        self.file.finish()?;
        let kinds = counts.lost.iter().map(|(kind, count)| format!("{kind} of {count}"));
        Ok(kinds.chain((!other.is_empty()).then_some(other)).collect())
    }
}

/// Writes games and positions to a file: see `morello.write`.
///
/// Returns:
///     the number of records, and what the format could not store.
#[pyfunction]
fn write_records(
    py: Python<'_>,
    records: &Bound<'_, PyAny>,
    path: PathBuf,
    format: Option<&str>,
    game: &str,
) -> PyResult<(u64, Vec<String>)> {
    let mut records = records.try_iter()?.enumerate();
    let mut next = || records.next().map(|(index, value)| given_record(index, &value?)).transpose();
    let mut record = next()?;
    let game = record.as_ref().map_or_else(|| game_named(game), |first| Ok(first.game.position().game()))?;
    let format = match format {
        Some(name) => ConversionFormat::named(game, name).map_err(|error| invalid(format!("format: {error}")))?,
        None => ConversionFormat::of_file(game, &path)
            .map_err(|error| invalid(format!("{error}; or give the argument format")))?,
    };
    let of_games = record.as_ref().is_some_and(|first| !first.game.moves().is_empty());
    let mut writer = RecordWriter::open(game, format, &path, of_games).map_err(|error| failed(&error))?;
    while let Some(one) = record {
        let own = one.game.position().game().name();
        if own != game.name() {
            let (index, game) = (writer.count, game.name());
            return Err(invalid(format!("games[{index}] is of {own}, but the games before it are of {game}")));
        }
        writer.write(one)?;
        py.check_signals()?;
        record = next()?;
    }
    let count = writer.count;
    let lost = py.detach(|| writer.finish()).map_err(|error| failed(&error))?;
    Ok((count, lost))
}

/// Returns a game as text with everything that text can store: uses a format with metadata if the
/// game has any.
#[pyfunction]
fn record_text(game: &Game) -> PyResult<String> {
    let rules = game.inner.game.position().game();
    let has_metadata = game_details(&game.inner).iter().any(|kind| *kind != MetadataKind::Moves);
    let formats = rules.formats().iter().filter(|format| has_metadata && format.writer.game.is_some());
    let written =
        formats.max_by_key(|format| format.writer.preserved.len()).and_then(|best| best.write_game(&game.inner));
    written.unwrap_or_else(|| Ok(rules.write_moves(&game.inner.game))).map_err(invalid)
}

/// Returns the names of a game's text formats, in the order of detection.
#[pyfunction]
#[pyo3(signature = (game="othello"))]
fn formats(game: &str) -> PyResult<Vec<&'static str>> {
    Ok(game_named(game)?.formats().iter().map(|format| format.name).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RecordIterator>()?;
    module.add_function(wrap_pyfunction!(read_records, module)?)?;
    module.add_function(wrap_pyfunction!(write_records, module)?)?;
    module.add_function(wrap_pyfunction!(record_text, module)?)?;
    module.add_function(wrap_pyfunction!(formats, module)?)
}
