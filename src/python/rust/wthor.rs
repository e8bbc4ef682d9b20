//! `read_wthor`: the games of WTHOR files as arrays.

use std::io::{self, Read as _};
use std::path::PathBuf;

use morello::game::{Cancel, GameRules as _, any_game};
use morello::input::{Expanded, Input, ReadError, expand};
use morello::othello::Position;
use morello::othello::formats::wthor::{
    self, HEADER_BYTES, Header, NameTable, Names, ParseWthorError, RECORD_BYTES, RecordFields,
};
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::batch::{Columns, NO_MOVE, Played, black_points, game_arrays};
use crate::errors::{failed, parse_error};
use crate::items::Items;
use crate::work;

/// The maximum number of moves in a record.
const MOVES: usize = 60;

/// The number of records that a thread reads at a time.
const CHUNK: usize = 1 << 12;

/// A path, or a list of paths.
#[derive(FromPyObject)]
enum Paths {
    One(PathBuf),
    Several(Items<PathBuf>),
}

/// A games file.
struct WthorFile {
    name: String,
    bytes: Vec<u8>,
    header: Header,
    names: Names,
}

/// An error in a file; the record counts from 1, and is 0 in the header.
struct WthorFileError {
    record: usize,
    column: usize,
    problem: String,
}

/// The maximum size of a file, unpacked. All games of the database have 10 MB.
const MAX_BYTES: u64 = 256 << 20;

impl WthorFile {
    /// Reads a file, and checks its header and its size.
    fn read(py: Python<'_>, input: &Input) -> PyResult<Self> {
        let name = input.name();
        let read = || -> Result<Vec<u8>, ReadError> {
            let mut bytes = Vec::new();
            let read = input.reader()?.take(MAX_BYTES + 1).read_to_end(&mut bytes).and_then(|_| match bytes {
                bytes if bytes.len() as u64 <= MAX_BYTES => Ok(bytes),
                _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {} MiB", MAX_BYTES >> 20))),
            });
            read.map_err(|source| ReadError { file: input.name(), source })
        };
        let bytes = py.detach(read).map_err(|error| failed(&error))?;
        let in_file = |error: WthorFileError| error.raise(py, &name);
        let header = header_of(&bytes).map_err(in_file)?;
        let names = match input {
            Input::File(path) => Names::read_beside(path).map_err(|error| failed(&error))?,
            _ => Names::default(),
        };
        Ok(Self { name, bytes, header, names })
    }

    fn records(&self) -> &[[u8; RECORD_BYTES]] {
        self.bytes[HEADER_BYTES..].as_chunks().0
    }

    /// Reads all records, in order, on all cores. If it is cancelled, some are missing.
    fn map<T: Send>(
        &self,
        cancel: &Cancel,
        read: impl Fn(&[u8; RECORD_BYTES]) -> Result<T, ParseWthorError> + Send + Sync,
    ) -> Result<Vec<T>, WthorFileError> {
        let read = |record: &_| (!cancel.is_cancelled()).then(|| read(record));
        let records: Vec<_> = self.records().par_iter().with_min_len(CHUNK).map(read).while_some().collect();
        let of_record = |(index, record): (usize, Result<T, ParseWthorError>)| {
            record.map_err(|error| WthorFileError {
                record: index + 1,
                column: error.offset + 1,
                problem: error.problem.to_string(),
            })
        };
        records.into_iter().enumerate().map(of_record).collect()
    }
}

impl WthorFileError {
    fn raise(&self, py: Python<'_>, file: &str) -> PyErr {
        parse_error(py, &self.problem, Some(file), self.record as u64, self.column as u64)
    }
}

/// Reads the header of a file with these bytes, and checks that all records are there.
fn header_of(bytes: &[u8]) -> Result<Header, WthorFileError> {
    let fail = |record, column, problem| WthorFileError { record, column, problem };
    let Some((head, records)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        let problem = format!("incomplete wthor header: {} of {HEADER_BYTES} bytes", bytes.len());
        return Err(fail(0, bytes.len() + 1, problem));
    };
    // The format also explains what a names file is.
    (wthor::format().open)(head, None).map_err(|error| fail(0, 1, error.to_string()))?;
    let header = Header::read(head).map_err(|error| fail(0, 1, error.to_string()))?;
    let (expected, found) = (header.file_bytes(), bytes.len() as u64);
    if found == expected {
        return Ok(header);
    }
    let (whole, rest) = (records.len() / RECORD_BYTES, records.len() % RECORD_BYTES);
    let problem = format!("the header counts {} games, {expected} bytes, but the file has {found} bytes", header.games);
    Err(if found < expected {
        fail(whole + 1, rest + 1, format!("{problem}: it is incomplete"))
    } else {
        fail(header.games as usize + 1, 1, problem)
    })
}

/// Plays the moves of a record.
fn replay(record: &[u8; RECORD_BYTES]) -> Result<(RecordFields, Played), ParseWthorError> {
    let fields = RecordFields::read(record)?;
    let (moves, position) = wthor::play(record)?;
    let moves = moves.into_iter().map(u16::from).collect();
    Ok((fields, Played { moves, board: position.pack(), score: black_points(&position) }))
}

/// Reads the moves of a record.
fn stored(record: &[u8; RECORD_BYTES]) -> Result<(RecordFields, [u16; MOVES], u32), ParseWthorError> {
    let fields = RecordFields::read(record)?;
    let stored = wthor::moves(record)?;
    let mut moves = [NO_MOVE; MOVES];
    moves.iter_mut().zip(&stored).for_each(|(number, &m)| *number = m.into());
    Ok((fields, moves, stored.len() as u32))
}

/// Returns the names of a table by number.
fn names_of(table: &NameTable) -> Vec<&str> {
    (0..=u16::MAX).map_while(|number| table.get(number)).collect()
}

/// Reads the games of WTHOR files, the databases of Othello games, into arrays.
///
/// Args:
///     paths: a file, or a directory or zip archive whose `.wtb` files are read, or a list of
///         these; compressed or not. The names come from the `.jou` and `.trn` files next to the
///         games, found as by `read`.
///     replay: whether to play the games. This checks the moves and adds passes, results and final
///         boards.
///
/// Returns:
///     a dict of arrays with one row per game, in the order of the files:
///     "moves": uint16 (n, 60), the moves as stored, without passes, `NO_MOVE` after the end
///     "length": uint32 (n,), the number of moves
///     "black", "white" and "tournament": uint16 (n,), numbers of names
///     "year": uint16 (n,), 0 if unknown
///     "discs": uint8 (n,), the recorded number of Black's discs at the end, where the winner gets
///         the empty squares
///     "depth": uint8 (n,), the number of empty squares from which "theoretical" assumes best play
///     "theoretical": uint8 (n,), like "discs", but with best play by both sides from "depth" empty
///         squares on; meaningless if "depth" is 0
///     "players" and "tournaments": lists of names by number, empty without a names file
///     "score": int8 (n,), with `replay`: Black's margin on the board in points, 0 for unfinished
///         games
///     "board": uint64 (n, 3), with `replay`: the final boards, as in `random_games`
///     With `replay`, "moves" uint16 (n, longest) and "length" include forced passes.
///
/// Raises:
///     OSError: a file cannot be read.
///     ParseError: a file is incomplete, damaged or for another board size; `line` is the record,
///         from 1, or 0 for the header, and `column` the byte. `read` continues after such a
///         record.
///     MorelloError: the files have different names files; read them in separate calls.
#[pyfunction]
#[pyo3(signature = (paths, *, replay=false))]
fn read_wthor(py: Python<'_>, paths: Paths, replay: bool) -> PyResult<Bound<'_, PyDict>> {
    let paths = match paths {
        Paths::One(path) => vec![path],
        Paths::Several(paths) => paths.0,
    };
    let of_paths = || paths.into_iter().map(wthor_inputs).collect::<Result<Vec<_>, _>>();
    let inputs = py.detach(of_paths).map_err(|error| failed(&error))?.concat();
    let files = inputs.iter().map(|input| WthorFile::read(py, input)).collect::<PyResult<Vec<_>>>()?;
    if let Some(other) = files.iter().find(|file| file.names != files[0].names) {
        let (first, other) = (&files[0].name, &other.name);
        let text =
            format!("`{first}` and `{other}` have different player or tournament names; read them by separate calls");
        return Err(crate::errors::invalid(text));
    }
    let (dict, fields) = if replay {
        let (fields, games): (_, Vec<Played>) = read_all(py, &files, self::replay)?.into_iter().unzip();
        (game_arrays(py, any_game::<Position>(), &games, Columns::ALL)?, fields)
    } else {
        let records = read_all(py, &files, stored)?;
        (stored_arrays(py, &records)?, records.into_iter().map(|(fields, ..)| fields).collect::<Vec<_>>())
    };
    add_fields(&dict, &files, &fields)?;
    Ok(dict)
}

/// Returns the file at a path, or the WTHOR files, compressed or not, in a directory or archive.
fn wthor_inputs(path: PathBuf) -> Result<Vec<Input>, ReadError> {
    let named = Input::File(path);
    let Expanded { mut inputs, .. } = expand(vec![named.clone()])?;
    if inputs != [named.clone()] {
        inputs.retain(|input| {
            let path = input.name().to_ascii_lowercase();
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            name.ends_with(".wtb") || name.contains(".wtb.")
        });
    }
    if inputs.is_empty() {
        let source = io::Error::other("there are no .wtb files in it");
        return Err(ReadError { file: named.name(), source });
    }
    Ok(inputs)
}

/// Reads the records of all files.
fn read_all<T: Send>(
    py: Python<'_>,
    files: &[WthorFile],
    read: impl Fn(&[u8; RECORD_BYTES]) -> Result<T, ParseWthorError> + Send + Sync,
) -> PyResult<Vec<T>> {
    let count = files.iter().map(|file| file.records().len()).sum();
    let of_files = |cancel: &Cancel| {
        let mut all = Vec::with_capacity(count);
        for file in files {
            all.extend(file.map(cancel, &read).map_err(|error| (&file.name, error))?);
        }
        Ok(all)
    };
    let all = work::on_boards(py, count, |cancel| Ok(of_files(cancel)))?;
    all.map_err(|(file, error): (&String, WthorFileError)| error.raise(py, file))
}

/// Returns the moves as stored.
fn stored_arrays<'py>(py: Python<'py>, records: &[(RecordFields, [u16; MOVES], u32)]) -> PyResult<Bound<'py, PyDict>> {
    let moves = records.iter().flat_map(|(_, moves, _)| moves).copied().collect();
    let moves = Array2::from_shape_vec((records.len(), MOVES), moves).expect("a row for each game");
    let dict = PyDict::new(py);
    dict.set_item("moves", moves.into_pyarray(py))?;
    dict.set_item("length", records.iter().map(|&(.., length)| length).collect::<Vec<_>>().into_pyarray(py))?;
    Ok(dict)
}

/// Adds the other arrays.
fn add_fields(dict: &Bound<'_, PyDict>, files: &[WthorFile], fields: &[RecordFields]) -> PyResult<()> {
    fn add<T: Element>(dict: &Bound<'_, PyDict>, name: &str, values: impl Iterator<Item = T>) -> PyResult<()> {
        dict.set_item(name, values.collect::<Vec<_>>().into_pyarray(dict.py()))
    }
    fn of_files<T: Clone>(files: &[WthorFile], value: impl Fn(&Header) -> T) -> impl Iterator<Item = T> {
        files.iter().flat_map(move |file| std::iter::repeat_n(value(&file.header), file.records().len()))
    }
    add(dict, "black", fields.iter().map(|game| game.players[0]))?;
    add(dict, "white", fields.iter().map(|game| game.players[1]))?;
    add(dict, "tournament", fields.iter().map(|game| game.tournament))?;
    add(dict, "year", of_files(files, |header| header.year))?;
    add(dict, "discs", fields.iter().map(|game| game.score))?;
    add(dict, "theoretical", fields.iter().map(|game| game.theoretical))?;
    add(dict, "depth", of_files(files, |header| header.depth))?;
    let names = files.first().map(|file| &file.names);
    dict.set_item("players", names.map_or(Vec::new(), |names| names_of(&names.players)))?;
    dict.set_item("tournaments", names.map_or(Vec::new(), |names| names_of(&names.tournaments)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_wthor, module)?)
}
