//! Writes games files and their name files.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};

use thiserror::Error;

use super::header::{Date, Header, RECORD_BYTES};
use super::names::{NameKind, UNKNOWN};
use crate::game::{AnnotatedGame, Color, Game, Tags, TheoreticalResult};
use crate::othello::formats::result;
use crate::othello::{Move, Position};

/// Why a game was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteWthorError {
    /// The game does not begin at the usual start.
    #[error("WTHOR only supports games that begin at the start position")]
    Start,
    /// The header cannot count more games.
    #[error("the file is full: it has {} games", u32::MAX)]
    Full,
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Information that was lost, or that the file contains although the game does not. Each field
/// except `names` is a number of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LostData {
    /// The number of names that were shortened, had characters outside Latin-1 replaced, or were
    /// dropped because the header cannot count more names.
    pub names: u64,
    /// Games whose date is more than the year of the file, and games without a date in a file with
    /// a year.
    pub dates: u64,
    /// Games whose result is not a valid score, and unfinished games without a result. The score of
    /// the discs on the board is written.
    pub results: u64,
    /// Games that ended by resignation, on time or by agreement.
    pub endings: u64,
    /// Games whose theoretical result has another depth than the file or is not a valid score, and
    /// games without a theoretical result in a file with a depth. The score of the game is written
    /// instead.
    pub theoretical: u64,
    /// Games with player ratings.
    pub ratings: u64,
    /// Games with move notes.
    pub notes: u64,
    /// Unfinished games that end with a pass. Passes are omitted, and no later move implies this
    /// one.
    pub last_passes: u64,
}

impl LostData {
    /// Returns whether nothing was lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for LostData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            ("altered names", self.names),
            ("dates reduced to the year of the file", self.dates),
            ("missing or unsupported results", self.results),
            ("reasons of early ends", self.endings),
            ("missing or unsupported theoretical results", self.theoretical),
            ("games with ratings", self.ratings),
            ("games with notes", self.notes),
            ("passes at the end", self.last_passes),
        ];
        if self.is_empty() {
            return f.write_str("nothing");
        }
        for (index, (what, count)) in kinds.iter().filter(|(_, count)| *count > 0).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{what}: {count}")?;
        }
        Ok(())
    }
}

/// The files of a finished [`Writer`].
#[derive(Debug)]
#[non_exhaustive]
pub struct WrittenFiles<W> {
    /// The writer's output: the games file.
    pub games: W,
    /// The contents of the player file, `.jou`.
    pub players: Vec<u8>,
    /// The contents of the tournament file, `.trn`.
    pub tournaments: Vec<u8>,
    /// The information that was lost.
    pub losses: LostData,
}

/// Writes games one at a time, and finally the header with their number. Only the names are kept in
/// memory.
///
/// The file has the year of the first game that has a date, and the depth of the first theoretical
/// result. Without theoretical results the depth is 0, which readers interpret as none. Names are
/// numbered in order of appearance, after `???` as number 0. Until it is [finished](Self::finish),
/// the header contains a game count of 0.
///
/// All published games begin with f5. Games with another first move are not rotated to f5, although
/// other programs may require it.
///
/// ```
/// use std::io::Cursor;
///
/// use morello::game::AnnotatedGame;
/// use morello::othello::formats::{transcript, wthor};
///
/// let created = wthor::Date::new(2026, 1, 31).expect("a day");
/// let mut writer = wthor::Writer::new(Cursor::new(Vec::new()), created)?;
/// writer.write(&AnnotatedGame::with_names(transcript::read::<8>("f5d6c3")?, ["one", "the other"]))?;
/// let files = writer.finish()?;
/// assert_eq!((files.games.into_inner().len(), files.players.len()), (16 + 68, 16 + 3 * 20));
/// assert_eq!(files.losses.to_string(), "missing or unsupported results: 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    /// The position in `out` at which the file begins.
    start: u64,
    header: Header,
    players: NameNumbering,
    tournaments: NameNumbering,
    losses: LostData,
    games_without_date: u64,
    games_without_theoretical: u64,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins a games file at the current position of `out`. `out` should be buffered, because each
    /// write is only 68 bytes.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn new(mut out: W, created: Date) -> io::Result<Self> {
        let header = Header { created, games: 0, names: 0, year: 0, board_size: 8, kind: 0, depth: 0 };
        let start = out.stream_position()?;
        out.write_all(&header.write())?;
        Ok(Self {
            out,
            start,
            header,
            players: NameNumbering::new(NameKind::Players),
            tournaments: NameNumbering::new(NameKind::Tournaments),
            losses: LostData::default(),
            games_without_date: 0,
            games_without_theoretical: 0,
        })
    }

    /// Writes a game with its recorded result, even if it contradicts the board
    /// ([`check_result`](super::super::result::check_result)). Without a recorded result, writes
    /// the result on the board.
    ///
    /// # Errors
    /// [`WriteWthorError`] if the game does not begin at the start position, the file is full or
    /// `out` cannot be written. The first two errors leave the file unchanged; after the last one,
    /// the file is unusable.
    pub fn write(&mut self, annotated: &AnnotatedGame<Position>) -> Result<(), WriteWthorError> {
        let AnnotatedGame { game, tags, .. } = annotated;
        if *game.start() != Position::default() {
            return Err(WriteWthorError::Start);
        }
        let games = self.header.games.checked_add(1).ok_or(WriteWthorError::Full)?;
        let names = [Color::Black, Color::White].map(|color| tags.names[color.index()].as_deref());
        let [black, white] = names.map(|name| self.players.number(name));
        let tournament = self.tournaments.number(tags.tournament.as_deref());
        self.update_year(tags.date.as_deref());
        let score = self.score(game, tags);
        let theoretical = self.theoretical(tags.theoretical).unwrap_or(score);
        self.losses.ratings += u64::from(tags.ratings.iter().any(Option::is_some));
        self.losses.notes += u64::from(annotated.has_notes());
        self.losses.last_passes += u64::from(game.moves().last() == Some(&Move::PASS));

        let mut record = [0; RECORD_BYTES];
        for (bytes, number) in record.chunks_exact_mut(2).zip([tournament, black, white]) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        (record[6], record[7]) = (score, theoretical);
        // A game from the usual start has at most 60 moves that are not passes.
        for (byte, square) in record[8..].iter_mut().zip(game.moves().iter().filter_map(|m| m.square())) {
            *byte = (10 * (square.row() + 1) + square.column() + 1) as u8;
        }
        self.out.write_all(&record)?;
        self.header.games = games;
        Ok(())
    }

    /// Writes the header and leaves `out` at the end of the file.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn finish(mut self) -> io::Result<WrittenFiles<W>> {
        self.out.seek(SeekFrom::Start(self.start))?;
        self.out.write_all(&self.header.write())?;
        self.out.seek(SeekFrom::Start(self.start + self.header.file_bytes()))?;
        self.out.flush()?;
        let mut losses = self.losses;
        losses.names = self.players.lost + self.tournaments.lost;
        losses.dates += if self.header.year > 0 { self.games_without_date } else { 0 };
        losses.theoretical += if self.header.depth > 0 { self.games_without_theoretical } else { 0 };
        let created = self.header.created;
        let [players, tournaments] = [self.players, self.tournaments].map(|names| names.file(created));
        Ok(WrittenFiles { games: self.out, players, tournaments, losses })
    }

    /// Sets the year of the file to the year of a game if the file has no year yet, and counts lost
    /// dates.
    fn update_year(&mut self, date: Option<&str>) {
        let Some(date) = date else {
            self.games_without_date += 1;
            return;
        };
        let year = year(date);
        if self.header.year == 0 {
            self.header.year = year.unwrap_or(0);
        }
        self.losses.dates += u64::from(year != Some(self.header.year) || date.len() > 4);
    }

    /// Returns Black's discs according to the recorded result, or else the board.
    fn score(&mut self, game: &Game<Position>, tags: &Tags) -> u8 {
        self.losses.endings += u64::from(tags.termination.is_some());
        let recorded = tags.result.and_then(|result| discs(result.points));
        self.losses.results += u64::from(match recorded {
            Some(_) => false,
            None => tags.result.is_some() || result::board_result(game).is_none(),
        });
        recorded
            .or_else(|| discs(result::result_if_over(game).into()))
            .expect("the result on the board is even, because the board has 64 squares")
    }

    /// Returns Black's discs according to the theoretical result; `None` if there is no theoretical
    /// result at the file's depth.
    fn theoretical(&mut self, result: Option<TheoreticalResult>) -> Option<u8> {
        let Some(TheoreticalResult { empties, points }) = result else {
            self.games_without_theoretical += 1;
            return None;
        };
        let (depth, discs) = (u8::try_from(empties).unwrap_or(0), discs(points.into()));
        if self.header.depth == 0 && depth <= 60 && discs.is_some() {
            self.header.depth = depth;
        }
        let kept = discs.filter(|_| depth > 0 && depth == self.header.depth);
        self.losses.theoretical += u64::from(kept.is_none());
        kept
    }
}

/// Converts Black's disc difference to Black's number of discs; `None` if it is not an even number
/// from -64 to 64.
fn discs(points: f64) -> Option<u8> {
    let discs = (points + 64.0) / 2.0;
    ((0.0..=64.0).contains(&discs) && discs.fract() == 0.0).then_some(discs as u8)
}

/// Returns the four-digit year at the beginning of a date.
fn year(date: &str) -> Option<u16> {
    let (digits, rest) = date.split_at_checked(4)?;
    let is_year = digits.bytes().all(|byte| byte.is_ascii_digit()) && !rest.starts_with(|c: char| c.is_ascii_digit());
    digits.parse().ok().filter(|&year| is_year && year > 0)
}

/// Numbers names in order of appearance.
#[derive(Debug)]
struct NameNumbering {
    kind: NameKind,
    /// The number of each original name; several names may share a number.
    by_name: HashMap<String, u16>,
    /// The number of each written name, without trailing zeros.
    by_bytes: HashMap<Vec<u8>, u16>,
    /// The records of all names.
    records: Vec<u8>,
    /// The number of names that were altered or dropped.
    lost: u64,
}

impl NameNumbering {
    fn new(kind: NameKind) -> Self {
        let (by_name, by_bytes) = (HashMap::new(), HashMap::new());
        let mut numbers = Self { kind, by_name, by_bytes, records: Vec::new(), lost: 0 };
        numbers.number(Some(UNKNOWN));
        numbers
    }

    fn len(&self) -> usize {
        self.records.len() / self.kind.record_bytes()
    }

    /// Returns the number of a name; 0 if there is no name, or if the header cannot count more
    /// names.
    fn number(&mut self, name: Option<&str>) -> u16 {
        let Some(name) = name.filter(|name| !name.is_empty()) else { return 0 };
        if let Some(&number) = self.by_name.get(name) {
            return number;
        }
        let max_len = self.kind.record_bytes() - 1;
        let latin = |c: char| u8::try_from(c).ok().filter(|&byte| byte != 0);
        let written: Vec<u8> = name.chars().take(max_len).map(|c| latin(c).unwrap_or(b'?')).collect();
        let kept = name.chars().count() <= max_len && name.chars().all(|c| latin(c).is_some());
        let known = self.by_bytes.get(&written).copied();
        let number = match known {
            Some(number) => number,
            None if self.len() == usize::from(u16::MAX) => {
                self.lost += 1;
                return 0;
            }
            None => self.len() as u16,
        };
        if known.is_none() {
            self.records.extend(&written);
            self.records.resize((usize::from(number) + 1) * self.kind.record_bytes(), 0);
            self.by_bytes.insert(written, number);
        }
        self.lost += u64::from(!kept);
        self.by_name.insert(name.to_owned(), number);
        number
    }

    /// Returns the contents of the file.
    fn file(self, created: Date) -> Vec<u8> {
        // `number` assigns at most `u16::MAX` numbers.
        let names = self.len() as u16;
        let header = Header { created, games: 0, names, year: 0, board_size: 0, kind: 0, depth: 0 };
        [header.write().as_slice(), &self.records].concat()
    }
}
