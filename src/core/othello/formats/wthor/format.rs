//! WTHOR as a [`RecordFormat`].

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

use super::{
    Date, HEADER_BYTES, Header, NameKind, Names, ParseWthorError, RECORD_BYTES, WriteWthorError, Writer, detect, read,
};
use crate::game::{AnnotatedGame, GameError, LocatedError, RecordFormat, Records, WriteRecords};

/// Describes the format.
#[must_use]
pub const fn format() -> RecordFormat {
    RecordFormat {
        name: "wthor",
        extension: "wtb",
        about: "game databases, `.wtb`, with the names in `.jou` and `.trn` files in the same directory",
        detect,
        head_bytes: HEADER_BYTES,
        record_bytes: RECORD_BYTES,
        open,
        companions: "the player and tournament names, in WTH.JOU and WTH.TRN, or WTHOR.JOU and WTHOR.TRN",
        companion_extensions: &["jou", "trn"],
        create: |path| Ok(Box::new(WthorFiles::create(path)?)),
    }
}

/// A name file was given instead of a games file.
#[derive(Debug, Error)]
#[error("the file contains {0} player or tournament names (`.jou`, `.trn`), not games; use the `.wtb` file")]
struct NotAGameFile(u16);

fn open(head: &[u8], path: Option<&Path>) -> Result<Records, GameError> {
    let head = head.try_into().map_err(|_| GameError::new("the header is incomplete"))?;
    let header = Header::read(head).map_err(GameError::new)?;
    if header.games == 0 && header.names > 0 {
        return Err(GameError::new(NotAGameFile(header.names)));
    }
    let names = path.map(Names::read_beside).transpose().map_err(GameError::new)?.unwrap_or_default();
    let read = move |record: &[u8]| -> Result<AnnotatedGame, Box<dyn LocatedError>> {
        let record = record.try_into().expect("records have the size of the format");
        Ok(read(record, &header, &names)?.into_any())
    };
    Ok(Records { count: header.games.into(), read: Box::new(read) })
}

impl LocatedError for ParseWthorError {
    /// Returns the number of the byte in the record, counted from 1.
    fn column(&self) -> usize {
        self.offset + 1
    }

    fn without_place(&self) -> &(dyn Error + 'static) {
        self
    }
}

/// The name files that are written next to a games file, with their extensions.
const NAMES: [(NameKind, &str); 2] = [(NameKind::Players, "jou"), (NameKind::Tournaments, "trn")];

/// A games file and its name files.
struct WthorFiles {
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
}

impl WthorFiles {
    /// Creates the games file. Fails if its name files would overwrite the name files of other
    /// games.
    fn create(path: &Path) -> io::Result<Self> {
        let fail = |kind, message: String| Err(io::Error::new(kind, message));
        if !format().has_extension(path) {
            let message =
                "a WTHOR file must have the extension .wtb; names are written to .jou and .trn files next to it";
            return fail(io::ErrorKind::InvalidInput, message.to_owned());
        }
        for (kind, extension) in NAMES {
            let (own, found) = (path.with_extension(extension), Names::file_of(path, kind));
            if let Some(found) = found.filter(|found| *found != own || !path.exists()) {
                let found = found.display();
                let message = format!("`{found}` would be read as the names of this file; write to another directory");
                return fail(io::ErrorKind::AlreadyExists, message);
            }
        }
        let file = BufWriter::new(File::create(path)?);
        Ok(Self { path: path.to_owned(), writer: Writer::new(file, Date::of(SystemTime::now()))? })
    }
}

impl WriteRecords for WthorFiles {
    fn write(&mut self, game: &AnnotatedGame) -> Result<(), GameError> {
        self.writer.write(&game.known()).map_err(|error| match error {
            // Such an error, for example a full disk, ends the conversion.
            WriteWthorError::Write(error) => GameError::new(error),
            error => GameError::new(error),
        })
    }

    fn finish(self: Box<Self>) -> io::Result<String> {
        let finished = self.writer.finish()?;
        finished.games.into_inner().map_err(io::IntoInnerError::into_error)?;
        for ((_, extension), names) in NAMES.into_iter().zip([finished.players, finished.tournaments]) {
            std::fs::write(self.path.with_extension(extension), names)?;
        }
        Ok(if finished.losses.is_empty() { String::new() } else { finished.losses.to_string() })
    }
}
