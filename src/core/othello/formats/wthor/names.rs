//! Name files: players (`.jou`) and tournaments (`.trn`).

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::header::{HEADER_BYTES, Header, HeaderError};

/// The name of an unknown player or tournament.
pub(super) const UNKNOWN: &str = "???";

/// The kind of a name file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// The players: `WTH.JOU`.
    Players,
    /// The tournaments: `WTH.TRN`.
    Tournaments,
}

impl NameKind {
    /// Returns the size of a name record, including the terminating zero, in bytes.
    #[must_use]
    pub const fn record_bytes(self) -> usize {
        match self {
            Self::Players => 20,
            Self::Tournaments => 26,
        }
    }

    /// Returns the extension of the file, in upper case like the published files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Players => "JOU",
            Self::Tournaments => "TRN",
        }
    }
}

/// The names in a file, by number.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct NameTable {
    names: Vec<String>,
}

crate::debug_fields!(NameTable { names.len() });

/// An error in a name file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameTableError {
    /// The file is shorter than a header.
    #[error("expected a header of 16 bytes, found {0} bytes")]
    TooShort(usize),
    /// The header is invalid.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The size of the file does not match its number of names.
    #[error("expected {expected} bytes for {names} names of {record_bytes} bytes, found {found}")]
    Size {
        /// The number of names in the header.
        names: u16,
        /// The size of a name record in bytes.
        record_bytes: usize,
        /// The expected size of the file in bytes.
        expected: usize,
        /// The actual size of the file in bytes.
        found: usize,
    },
}

impl NameTable {
    /// Reads a name file. Names are encoded in Latin-1 and end at the first zero.
    ///
    /// ```
    /// use morello::othello::formats::wthor::{Date, Header, NameKind, NameTable};
    ///
    /// let created = Date::new(2026, 1, 31).expect("a day");
    /// let header =
    ///     Header { created, games: 0, names: 2, year: 0, board_size: 0, kind: 0, depth: 0 };
    /// let mut bytes = [header.write().as_slice(), b"???"].concat();
    /// bytes.resize(16 + 20, 0);
    /// bytes.extend(b"Ren\xe9e");
    /// bytes.resize(16 + 2 * 20, 0);
    /// let players = NameTable::read(&bytes, NameKind::Players)?;
    /// assert_eq!((players.len(), players.get(1), players.get(2)), (2, Some("Renée"), None));
    /// assert!(NameTable::read(&bytes, NameKind::Tournaments).is_err(), "those have 26 bytes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NameTableError`] if the header is invalid or the size does not match it.
    pub fn read(bytes: &[u8], kind: NameKind) -> Result<Self, NameTableError> {
        let (header, records) = bytes.split_first_chunk().ok_or(NameTableError::TooShort(bytes.len()))?;
        let names = Header::read(header)?.names;
        let record_bytes = kind.record_bytes();
        let expected = HEADER_BYTES + record_bytes * usize::from(names);
        if bytes.len() != expected {
            return Err(NameTableError::Size { names, record_bytes, expected, found: bytes.len() });
        }
        // The first 256 Unicode characters are Latin-1.
        let name = |record: &[u8]| record.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect();
        Ok(Self { names: records.chunks_exact(record_bytes).map(name).collect() })
    }

    /// Returns the name with this number; `None` if there is none.
    #[must_use]
    pub fn get(&self, number: u16) -> Option<&str> {
        self.names.get(usize::from(number)).map(String::as_str)
    }

    /// Returns the number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether the table has no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// The names for a games file. Players and tournaments without a name appear as numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The players.
    pub players: NameTable,
    /// The tournaments.
    pub tournaments: NameTable,
}

/// A name file that cannot be used.
#[derive(Debug, Error)]
#[error("cannot read names from `{}`", file.display())]
#[non_exhaustive]
pub struct NamesError {
    /// The file.
    pub file: PathBuf,
    /// The cause.
    pub source: NamesErrorSource,
}

/// Why a name file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NamesErrorSource {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is invalid.
    #[error(transparent)]
    Table(#[from] NameTableError),
}

impl Names {
    /// Reads the name files in the directory of a games file. For each kind, the file has the same
    /// stem as the games file, or else it is `WTH.JOU`, `WTHOR.JOU` or the like; case is ignored. If there is
    /// no such file, or the directory cannot be listed, the table is empty.
    ///
    /// # Errors
    /// [`NamesError`] if a file exists but cannot be read.
    pub fn read_beside(games: &Path) -> Result<Self, NamesError> {
        let table = |kind: NameKind| match find(games, kind) {
            Some(file) => read_table(&file, kind).map_err(|source| NamesError { file, source }),
            None => Ok(NameTable::default()),
        };
        Ok(Self { players: table(NameKind::Players)?, tournaments: table(NameKind::Tournaments)? })
    }

    /// Returns the path of the name file with the same stem as a games file, ignoring case, if it
    /// exists.
    pub(super) fn file_of(games: &Path, kind: NameKind) -> Option<PathBuf> {
        named(games, kind, games.file_stem()?.to_str()?)
    }

    /// Returns the name with this number, or the number as `#346` if it is not in the table; `None`
    /// if the name is empty or unknown.
    pub(super) fn name_or_number(&self, kind: NameKind, number: u16) -> Option<String> {
        let table = match kind {
            NameKind::Players => &self.players,
            NameKind::Tournaments => &self.tournaments,
        };
        match table.get(number) {
            Some("" | UNKNOWN) => None,
            Some(name) => Some(name.to_owned()),
            None => Some(format!("#{number}")),
        }
    }
}

/// Returns the path of the name file that belongs to a games file, if it exists.
fn find(games: &Path, kind: NameKind) -> Option<PathBuf> {
    Names::file_of(games, kind).or_else(|| ["WTH", "WTHOR"].into_iter().find_map(|stem| named(games, kind, stem)))
}

/// Returns the path of the name file with this stem in the directory of a games file, if it exists.
fn named(games: &Path, kind: NameKind, stem: &str) -> Option<PathBuf> {
    let folder = games.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files: Vec<PathBuf> = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // If several files differ only in case, always choose the same one.
    files.sort();
    let name = format!("{stem}.{}", kind.extension());
    let matches = |file: &PathBuf| file.file_name().is_some_and(|found| found.eq_ignore_ascii_case(&name));
    files.into_iter().find(|file| matches(file) && file.is_file())
}

fn read_table(file: &Path, kind: NameKind) -> Result<NameTable, NamesErrorSource> {
    // No valid file is longer; `NameTable::read` rejects the size of a longer one.
    let max_bytes = HEADER_BYTES + kind.record_bytes() * usize::from(u16::MAX);
    let mut bytes = Vec::new();
    File::open(file)?.take(max_bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(NameTable::read(&bytes, kind)?)
}
