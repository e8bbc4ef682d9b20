//! The files of names: `.jou`, the players, and `.trn`, the tournaments.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::header::{HEADER_BYTES, Header, HeaderError};

/// What a file calls whoever is not known.
pub(super) const UNKNOWN: &str = "???";

/// What a file of names is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// The players: `WTH.JOU`.
    Players,
    /// The tournaments: `WTH.TRN`.
    Tournaments,
}

impl NameKind {
    /// Returns the bytes of a name, the zero after it counted.
    #[must_use]
    pub const fn record_bytes(self) -> usize {
        match self {
            Self::Players => 20,
            Self::Tournaments => 26,
        }
    }

    /// Returns the extension of the file, in the case that the published files have.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Players => "JOU",
            Self::Tournaments => "TRN",
        }
    }
}

/// The names of one file, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameTable {
    names: Vec<String>,
}

/// A file that is not of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameTableError {
    /// The file is shorter than a header.
    #[error("the file has {0} bytes, and its header alone 16")]
    TooShort(usize),
    /// The header is of another kind of file.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The file has not the bytes that its names take.
    #[error("the file has {found} bytes, and its {names} names of {record_bytes} bytes take {expected}")]
    Size {
        /// The names that the header tells of.
        names: u16,
        /// The bytes of each.
        record_bytes: usize,
        /// The bytes that the file should have.
        expected: usize,
        /// The bytes that it has.
        found: usize,
    },
}

impl NameTable {
    /// Reads a file of names. They are in Latin-1 and end at their first zero.
    ///
    /// # Errors
    /// [`NameTableError`] if the file is not of names, or is cut short.
    pub fn read(bytes: &[u8], kind: NameKind) -> Result<Self, NameTableError> {
        let (header, records) = bytes.split_first_chunk().ok_or(NameTableError::TooShort(bytes.len()))?;
        let names = Header::read(header)?.names;
        let record_bytes = kind.record_bytes();
        let expected = HEADER_BYTES + record_bytes * usize::from(names);
        if bytes.len() != expected {
            return Err(NameTableError::Size { names, record_bytes, expected, found: bytes.len() });
        }
        // The first 256 characters of Unicode are Latin-1.
        let name = |record: &[u8]| record.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect();
        Ok(Self { names: records.chunks_exact(record_bytes).map(name).collect() })
    }

    /// Returns the name with a number; `None` beyond the last.
    #[must_use]
    pub fn get(&self, number: u16) -> Option<&str> {
        self.names.get(usize::from(number)).map(String::as_str)
    }

    /// Returns how many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether there is no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// The names that go with a file of games; without any, players and tournaments are told by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The players.
    pub players: NameTable,
    /// The tournaments.
    pub tournaments: NameTable,
}

/// A file of names that cannot be used.
#[derive(Debug, Error)]
#[error("cannot use the names of `{}`", file.display())]
pub struct NamesError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub source: NamesErrorSource,
}

/// Why a file of names cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NamesErrorSource {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is not of names.
    #[error(transparent)]
    Table(#[from] NameTableError),
}

impl Names {
    /// Reads the files of names that lie in the folder of a file of games: for each kind the one that is named as that file is, but for the
    /// extension, else `WTH.JOU` or `WTH.TRN`, in upper or lower case. Where there is none, or the folder cannot be listed, there are no names.
    ///
    /// # Errors
    /// [`NamesError`] if a file is there and cannot be read.
    pub fn read_beside(games: &Path) -> Result<Self, NamesError> {
        let table = |kind: NameKind| match find(games, kind) {
            Some(file) => read_table(&file, kind).map_err(|source| NamesError { file, source }),
            None => Ok(NameTable::default()),
        };
        Ok(Self { players: table(NameKind::Players)?, tournaments: table(NameKind::Tournaments)? })
    }

    /// Returns the file of names that has the name of a file of games but for its ending, in any case, if there is one.
    pub(super) fn file_of(games: &Path, kind: NameKind) -> Option<PathBuf> {
        named(games, kind, games.file_stem()?.to_str()?)
    }

    /// Returns what is told of a number: its name, or itself where it has none; nothing of whoever is not known.
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

/// Returns the file of names that goes with a file of games, if there is one.
fn find(games: &Path, kind: NameKind) -> Option<PathBuf> {
    Names::file_of(games, kind).or_else(|| named(games, kind, "WTH"))
}

/// Returns a file of names in the folder of a file of games.
fn named(games: &Path, kind: NameKind, stem: &str) -> Option<PathBuf> {
    let folder = games.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files: Vec<PathBuf> = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // The same name in several cases is rare; which of them is taken is then always the same.
    files.sort();
    let name = format!("{stem}.{}", kind.extension());
    let is = |file: &PathBuf| file.file_name().is_some_and(|found| found.eq_ignore_ascii_case(&name));
    files.into_iter().find(|file| is(file) && file.is_file())
}

fn read_table(file: &Path, kind: NameKind) -> Result<NameTable, NamesErrorSource> {
    // A header counts no more names than this; whatever is longer is refused for its size.
    let most = HEADER_BYTES + kind.record_bytes() * usize::from(u16::MAX);
    let mut bytes = Vec::new();
    File::open(file)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(NameTable::read(&bytes, kind)?)
}
