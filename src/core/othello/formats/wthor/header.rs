//! The header of database files.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use thiserror::Error;

/// The size of the header in bytes.
pub const HEADER_BYTES: usize = 16;

/// The size of a game record in bytes.
pub const RECORD_BYTES: usize = 68;

/// The date on which a file was created.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use morello::othello::formats::wthor::Date;
///
/// let day = SystemTime::UNIX_EPOCH + Duration::from_secs(86_400 * 365);
/// assert_eq!(Date::of(day).to_string(), "1971-01-01");
/// assert_eq!(Date::new(2026, 13, 1), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Creates a date; `None` for a year above 9999, a month above 12 or a day above 31. Zeros mean
    /// unknown.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        (year <= 9999 && month <= 12 && day <= 31).then_some(Self { year, month, day })
    }

    /// Returns the UTC date of a time, clamped to the years 1970 to 9999.
    #[must_use]
    pub fn of(time: SystemTime) -> Self {
        let mut days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
        for year in 1970..=9999u16 {
            let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
            let february = if leap { 29 } else { 28 };
            for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                if days < length {
                    return Self { year, month, day: days as u8 + 1 };
                }
                days -= length;
            }
        }
        Self { year: 9999, month: 12, day: 31 }
    }

    /// Returns the year.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, from 1, or 0 if unknown.
    #[must_use]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// Returns the day of the month, from 1, or 0 if unknown.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.day
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The header of a games file or a name file.
///
/// ```
/// use morello::othello::formats::wthor::{Date, Header};
///
/// let created = Date::new(2026, 1, 31).expect("a day");
/// let header =
///     Header { created, games: 2, names: 0, year: 1977, board_size: 8, kind: 0, depth: 24 };
/// assert_eq!(Header::read(&header.write()), Ok(header));
/// assert_eq!(header.file_bytes(), 16 + 2 * 68);
/// assert!(Header::read(&[0xff; 16]).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The date on which the file was created.
    pub created: Date,
    /// The number of games; 0 in a name file.
    pub games: u32,
    /// The number of names; 0 in a games file.
    pub names: u16,
    /// The year in which the games were played, or 0 if unknown.
    pub year: u16,
    /// The number of squares per side of the board; 0 means 8.
    pub board_size: u8,
    /// The kind of the records; 0 means games.
    pub kind: u8,
    /// The number of empty squares at which the theoretical score applies; 0 if there are no
    /// theoretical scores.
    pub depth: u8,
}

/// An unsupported or invalid header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The date is invalid.
    #[error("not a WTHOR file: bytes 0 to 3 are not a date")]
    Date,
    /// The board size is not supported.
    #[error("board size {0}x{0} is not supported (byte 12); use games on 8x8")]
    BoardSize(u8),
    /// The records are solitaires.
    #[error("the file contains solitaires (byte 13), not games")]
    Solitaires,
    /// The kind of the records is unknown.
    #[error("unknown kind of records {0} (byte 13)")]
    Kind(u8),
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    /// [`HeaderError`] if the file contains neither 8x8 games nor names.
    pub fn read(bytes: &[u8; HEADER_BYTES]) -> Result<Self, HeaderError> {
        let [century, year, month, day, g0, g1, g2, g3, n0, n1, y0, y1, board_size, kind, depth, _] = *bytes;
        let created = if century <= 99 && year <= 99 {
            Date::new(u16::from(century) * 100 + u16::from(year), month, day)
        } else {
            None
        };
        let header = Self {
            created: created.ok_or(HeaderError::Date)?,
            games: u32::from_le_bytes([g0, g1, g2, g3]),
            names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            board_size,
            kind,
            depth,
        };
        match (board_size, kind) {
            (0 | 8, 0) => Ok(header),
            (0 | 8, 1) => Err(HeaderError::Solitaires),
            (0 | 8, _) => Err(HeaderError::Kind(kind)),
            _ => Err(HeaderError::BoardSize(board_size)),
        }
    }

    /// Returns the bytes of the header.
    #[must_use]
    pub fn write(&self) -> [u8; HEADER_BYTES] {
        let [g0, g1, g2, g3] = self.games.to_le_bytes();
        let [n0, n1] = self.names.to_le_bytes();
        let [y0, y1] = self.year.to_le_bytes();
        let Date { year, month, day } = self.created;
        let (century, year) = ((year / 100) as u8, (year % 100) as u8);
        [century, year, month, day, g0, g1, g2, g3, n0, n1, y0, y1, self.board_size, self.kind, self.depth, 0]
    }

    /// Returns the size of a complete games file with this header, in bytes.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        HEADER_BYTES as u64 + RECORD_BYTES as u64 * u64::from(self.games)
    }
}
