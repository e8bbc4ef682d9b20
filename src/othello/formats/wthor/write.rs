//! Writes games, and the files of names that go with them.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};

use thiserror::Error;

use super::header::{Date, Header, RECORD_BYTES};
use super::names::{NameKind, UNKNOWN};
use crate::game::{AnnotatedGame, Color, Game, Tags, TheoreticalResult};
use crate::othello::formats::result;
use crate::othello::{Move, Position};

/// A game that was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteWthorError {
    /// The game begins elsewhere.
    #[error("the game does not begin at the start of Othello, and WTHOR has no other")]
    Start,
    /// The file has as many games as its header can count.
    #[error("the file is full: it has {} games", u32::MAX)]
    Full,
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// What was told of games and could not be written, or stands in the file without having been told, each as a number of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LostData {
    /// Names, not games, that were shortened, or had characters replaced that are not in Latin-1; and names of games that found no number free.
    pub names: u64,
    /// Games of which more than the year was told or another year than the file's, or which the file gives a year that was not told.
    pub dates: u64,
    /// Games whose result no score says, or that go on and have no result told: their score is that of the discs on the board.
    pub results: u64,
    /// Games of which it was told what ended them before their time.
    pub endings: u64,
    /// Games whose theoretical result has another depth than the file's or is none that a score says, or which the file gives one that was
    /// not told: that is their own result.
    pub theoretical: u64,
    /// Games with notes on their moves.
    pub notes: u64,
    /// Games that go on after a pass as their last move, which is left out as all passes are, and cannot be told without a move after it.
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
            ("names shortened or replaced", self.names),
            ("dates other than the year of the file", self.dates),
            ("results that no score says", self.results),
            ("endings before the time", self.endings),
            ("theoretical results of other depths or of none", self.theoretical),
            ("games with notes", self.notes),
            ("passes as the last move", self.last_passes),
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

/// What is there once all games are written.
#[derive(Debug)]
pub struct WrittenFiles<W> {
    /// What the games were written to.
    pub games: W,
    /// The bytes of the file of players, `.jou`.
    pub players: Vec<u8>,
    /// The bytes of the file of tournaments, `.trn`.
    pub tournaments: Vec<u8>,
    /// What the files do not tell.
    pub losses: LostData,
}

/// Writes games one after the other, and the header, which counts them, at the end. Only the names are kept in memory.
///
/// The year of the file is that of its first game with one, and the depth of the theoretical results is that of the first of these. Where
/// no theoretical result is told of any game the depth is 0, so that none is read. Names are numbered in the order in which they come, after
/// `???` as number 0. A file that was not [finished](Self::finish) counts no games.
///
/// Published games all begin with f5. Others are written as they were played, and other programs may want them turned.
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
/// assert_eq!(files.losses.to_string(), "results that no score says: 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    /// Where the file begins in what it is written to.
    start: u64,
    header: Header,
    players: NameNumbering,
    tournaments: NameNumbering,
    losses: LostData,
    /// The games of which no date was told.
    undated: u64,
    /// The games of which no theoretical result was told.
    games_without_theoretical: u64,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins a file of games where `out` stands. It is written in pieces of 68 bytes: a file should be buffered.
    ///
    /// # Errors
    /// If `out` cannot be written.
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
            undated: 0,
            games_without_theoretical: 0,
        })
    }

    /// Writes a game. The result that is told is written, even if the board of a finished game shows another
    /// ([`compare`](super::super::result::check_result)); where none is told it is that of the board.
    ///
    /// # Errors
    /// [`WriteWthorError`] if the game does not begin at the start, the file is full, or cannot be written. The first two leave the file
    /// as it was; after the last it is of no use.
    pub fn write(&mut self, annotated: &AnnotatedGame<Position<8>>) -> Result<(), WriteWthorError> {
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
        self.losses.notes += u64::from(annotated.has_notes());
        self.losses.last_passes += u64::from(game.moves().last() == Some(&Move::PASS));

        let mut record = [0; RECORD_BYTES];
        for (bytes, number) in record.chunks_exact_mut(2).zip([tournament, black, white]) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        (record[6], record[7]) = (score, theoretical);
        // From the start there are 60 empty squares to place discs on.
        for (byte, square) in record[8..].iter_mut().zip(game.moves().iter().filter_map(|m| m.square())) {
            *byte = (10 * (square / 8 + 1) + square % 8 + 1) as u8;
        }
        self.out.write_all(&record)?;
        self.header.games = games;
        Ok(())
    }

    /// Writes the header, and leaves `out` at the end of the file.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn finish(mut self) -> io::Result<WrittenFiles<W>> {
        self.out.seek(SeekFrom::Start(self.start))?;
        self.out.write_all(&self.header.write())?;
        self.out.seek(SeekFrom::Start(self.start + self.header.file_bytes()))?;
        self.out.flush()?;
        let mut losses = self.losses;
        losses.names = self.players.lost + self.tournaments.lost;
        losses.dates += if self.header.year > 0 { self.undated } else { 0 };
        losses.theoretical += if self.header.depth > 0 { self.games_without_theoretical } else { 0 };
        let created = self.header.created;
        let [players, tournaments] = [self.players, self.tournaments].map(|names| names.file(created));
        Ok(WrittenFiles { games: self.out, players, tournaments, losses })
    }

    /// Takes the year of a game for the file's if that has none yet.
    fn update_year(&mut self, date: Option<&str>) {
        let Some(date) = date else {
            self.undated += 1;
            return;
        };
        let year = year(date);
        if self.header.year == 0 {
            self.header.year = year.unwrap_or(0);
        }
        self.losses.dates += u64::from(year != Some(self.header.year) || date.len() > 4);
    }

    /// Returns the discs of Black by the result that is told, else by the board.
    fn score(&mut self, game: &Game<Position<8>>, tags: &Tags) -> u8 {
        self.losses.endings += u64::from(tags.result.is_some_and(|verdict| verdict.termination.is_some()));
        let told = tags.result.and_then(|verdict| discs(verdict.points));
        self.losses.results += u64::from(match told {
            Some(_) => false,
            None => tags.result.is_some() || result::board_result(game).is_none(),
        });
        told.or_else(|| discs(result::result_if_over(game).into()))
            .expect("discs and empty squares are 64 together, so that the difference is even")
    }

    /// Returns the discs of Black by the theoretical result; `None` if there is none of the file's depth.
    fn theoretical(&mut self, told: Option<TheoreticalResult>) -> Option<u8> {
        let Some(TheoreticalResult { empties, points }) = told else {
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

/// Returns the discs of Black where it wins by so many; `None` if no number of discs says that.
fn discs(points: f64) -> Option<u8> {
    let discs = (points + 64.0) / 2.0;
    ((0.0..=64.0).contains(&discs) && discs.fract() == 0.0).then_some(discs as u8)
}

/// Returns the year that a date begins with, four digits.
fn year(date: &str) -> Option<u16> {
    let (digits, rest) = date.split_at_checked(4)?;
    let is_year = digits.bytes().all(|byte| byte.is_ascii_digit()) && !rest.starts_with(|c: char| c.is_ascii_digit());
    digits.parse().ok().filter(|&year| is_year && year > 0)
}

/// The numbers that names are given, in the order in which they come.
#[derive(Debug)]
struct NameNumbering {
    kind: NameKind,
    /// The numbers by the names as they are told; several may share one.
    by_name: HashMap<String, u16>,
    /// The numbers by the names as they are written, without zeros.
    by_bytes: HashMap<Vec<u8>, u16>,
    /// The records of all names.
    records: Vec<u8>,
    /// The names that were not kept.
    lost: u64,
}

impl NameNumbering {
    fn new(kind: NameKind) -> Self {
        let (told, written, records) = (HashMap::new(), HashMap::new(), Vec::new());
        let mut numbers = Self { kind, by_name: told, by_bytes: written, records, lost: 0 };
        numbers.number(Some(UNKNOWN));
        numbers
    }

    /// Returns the names there are.
    fn len(&self) -> usize {
        self.records.len() / self.kind.record_bytes()
    }

    /// Returns the number of a name; of none it is 0, and so it is of names beyond those that a header can count.
    fn number(&mut self, name: Option<&str>) -> u16 {
        let Some(name) = name.filter(|name| !name.is_empty()) else { return 0 };
        if let Some(&number) = self.by_name.get(name) {
            return number;
        }
        let most = self.kind.record_bytes() - 1;
        let latin = |c: char| u8::try_from(c).ok().filter(|&byte| byte != 0);
        let written: Vec<u8> = name.chars().take(most).map(|c| latin(c).unwrap_or(b'?')).collect();
        let kept = name.chars().count() <= most && name.chars().all(|c| latin(c).is_some());
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

    /// Returns the bytes of the file.
    fn file(self, created: Date) -> Vec<u8> {
        // No more names than that are given numbers.
        let names = self.len() as u16;
        let header = Header { created, games: 0, names, year: 0, board_size: 0, kind: 0, depth: 0 };
        [header.write().as_slice(), &self.records].concat()
    }
}
