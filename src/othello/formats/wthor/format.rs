//! WTHOR as a format of files of records.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

use super::{Date, HEADER_BYTES, Header, NameKind, Names, ParseWthorError, RECORD_BYTES, Writer, detect, read};
use crate::game::{AnnotatedGame, LocatedError, RecordFormat, Records, WriteRecords};

/// Describes the format.
#[must_use]
pub const fn format() -> RecordFormat {
    RecordFormat {
        name: "wthor",
        about: "databases of games, `.wtb`, with the names in the `.jou` and `.trn` beside them",
        detect,
        head_bytes: HEADER_BYTES,
        record_bytes: RECORD_BYTES,
        open,
        create: |path| Ok(Box::new(WthorFiles::create(path)?)),
    }
}

/// A file of names given as one of games.
#[derive(Debug, Error)]
#[error("the file holds {0} names of players or tournaments (`.jou`, `.trn`), not games: give the `.wtb` beside it")]
struct NotAGameFile(u16);

fn open(head: &[u8], path: Option<&Path>) -> Result<Records, Box<dyn Error + Send + Sync>> {
    let header = Header::read(head.try_into()?)?;
    if header.games == 0 && header.names > 0 {
        return Err(NotAGameFile(header.names).into());
    }
    let names = path.map(Names::read_beside).transpose()?.unwrap_or_default();
    let read = move |record: &[u8]| -> Result<AnnotatedGame, Box<dyn LocatedError>> {
        let record = record.try_into().expect("records are read by their size");
        Ok(read(record, &header, &names)?.into_any())
    };
    Ok(Records { count: header.games.into(), read: Box::new(read) })
}

impl LocatedError for ParseWthorError {
    /// Returns the byte of the record, from 1.
    fn column(&self) -> usize {
        self.offset + 1
    }
}

/// The files of names that are written beside a file of games, by their endings.
const NAMES: [(NameKind, &str); 2] = [(NameKind::Players, "jou"), (NameKind::Tournaments, "trn")];

/// A file of games, and those of their names.
struct WthorFiles {
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
}

impl WthorFiles {
    /// Creates the file. Names of other games that lie where those of this file belong are kept, and nothing is written.
    fn create(path: &Path) -> io::Result<Self> {
        let refused = |kind, message: String| Err(io::Error::new(kind, message));
        if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb")) {
            let message = "its names go to files beside it, with the endings .jou and .trn: give it the ending .wtb";
            return refused(io::ErrorKind::InvalidInput, message.to_owned());
        }
        for (kind, ending) in NAMES {
            let (own, found) = (path.with_extension(ending), Names::file_of(path, kind));
            if let Some(found) = found.filter(|found| *found != own || !path.exists()) {
                let found = found.display();
                let message =
                    format!("`{found}` has names that would be taken for those of this file: write to another folder");
                return refused(io::ErrorKind::AlreadyExists, message);
            }
        }
        let file = BufWriter::new(File::create(path)?);
        Ok(Self { path: path.to_owned(), writer: Writer::new(file, Date::of(SystemTime::now()))? })
    }
}

impl WriteRecords for WthorFiles {
    fn write(&mut self, game: &AnnotatedGame) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(self.writer.write(&game.known())?)
    }

    fn finish(self: Box<Self>) -> io::Result<String> {
        let finished = self.writer.finish()?;
        finished.games.into_inner().map_err(io::IntoInnerError::into_error)?;
        for ((_, ending), names) in NAMES.into_iter().zip([finished.players, finished.tournaments]) {
            std::fs::write(self.path.with_extension(ending), names)?;
        }
        Ok(if finished.losses.is_empty() { String::new() } else { finished.losses.to_string() })
    }
}
