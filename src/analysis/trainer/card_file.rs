//! [`CardFile`]: a file with the cards of all games.
//!
//! ```text
//! {"format":"morello cards","version":1}
//! {"game":"othello","position":"...","box":1,"due":1800072000,"answer":"c4","right":1,"wrong":0,"checksum":"..."}
//! ```
//!
//! Each answer adds a line. If a position has several lines, the last one counts.

use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use morello_core::game::AnyGame;
use morello_core::journal::{Journal, OpenJournalError};
use morello_core::signed_line::{is_signed, signed};
use thiserror::Error;

use super::card::{Card, Cards, LAST_BOX};

/// The first line.
const HEAD: &[u8] = b"{\"format\":\"morello cards\",\"version\":1}\n";
/// The beginning of the first line in all versions.
const FORMAT: &[u8] = b"{\"format\":\"morello cards\",";
/// The maximum file size, in bytes: several hundred thousand answers.
const MAX_BYTES: u64 = 64 << 20;

/// Why a card file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CardFileError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process has the file open.
    #[error("another process is using it; wait for it or use another file")]
    InUse,
    /// The file is not a card file.
    #[error("it is not a morello card file; use another name for a new file")]
    NotCards,
    /// The file has another format version.
    #[error("another version of morello wrote it (this one reads format 1); use that version")]
    OtherVersion,
    /// The file is too large.
    #[error("it has more than {} MiB; move it elsewhere to start a new file", MAX_BYTES >> 20)]
    TooLarge,
    /// A line is not a card, or was changed after it was written.
    #[error("line {line} is damaged or was edited; delete it to lose only this answer")]
    Damaged {
        /// The line number, from 1.
        line: usize,
    },
}

impl From<OpenJournalError> for CardFileError {
    fn from(error: OpenJournalError) -> Self {
        match error {
            OpenJournalError::Io(error) => Self::Io(error),
            OpenJournalError::InUse => Self::InUse,
        }
    }
}

/// A file with the cards of all games, locked against other processes. It gives access to the cards
/// of one game.
///
/// If the process is killed, all earlier answers are in the file.
///
/// ```
/// use morello::analysis::trainer::{Card, CardFile};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("cards.jsonl");
/// let mut file = CardFile::open(&path, othello)?;
/// file.add(Card::new(&othello.start()).answered(Some("d3"), 1_800_000_000))?;
/// assert!(CardFile::open(&path, othello).is_err(), "another process is using it");
/// drop(file);
/// let file = CardFile::open(&path, othello)?;
/// assert_eq!(file.cards().get(&othello.start()).map(|card| card.number), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CardFile {
    journal: Journal,
    cards: Cards,
    /// The length of an incomplete last line, which was removed.
    torn_bytes: usize,
}

impl CardFile {
    /// Opens a file, or creates it, and reads the cards of a game.
    ///
    /// # Errors
    /// [`CardFileError`] if the file cannot be used. The file is then unchanged.
    pub fn open(path: &Path, game: &'static dyn AnyGame) -> Result<Self, CardFileError> {
        let (mut cards, mut torn_bytes) = (Cards::default(), 0);
        let journal = Journal::open_stream(path, HEAD, |file| {
            if file.metadata()?.len() > MAX_BYTES {
                return Err(CardFileError::TooLarge);
            }
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            // A killed process may leave an incomplete last line; a system crash may leave zeros.
            let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            torn_bytes = bytes.len() - end;
            let all = read_cards(&bytes[..end])?;
            all.into_iter().filter(|card| card.game == game.name()).for_each(|card| cards.set(card));
            Ok(end as u64)
        })?;
        Ok(Self { journal, cards, torn_bytes })
    }

    /// Returns the cards of the game.
    #[must_use]
    pub fn cards(&self) -> &Cards {
        &self.cards
    }

    /// Returns the length in bytes of the incomplete last line that was removed when the file was
    /// opened; 0 if there was none.
    #[must_use]
    pub fn torn_bytes(&self) -> usize {
        self.torn_bytes
    }

    /// Sets a card of the game, and writes it to the disk.
    ///
    /// # Errors
    /// If the file cannot be written. The card is then unchanged.
    pub fn add(&mut self, card: Card) -> io::Result<()> {
        self.journal.add(line(&card).as_bytes(), Duration::ZERO)?;
        self.cards.set(card);
        Ok(())
    }
}

/// Returns the line of a card.
fn line(card: &Card) -> String {
    signed(serde_json::to_string(card).expect("a card contains only strings and numbers")) + "\n"
}

/// Returns the content of a [card file](CardFile) with these cards.
///
/// ```
/// use morello::analysis::trainer::{Card, read_cards, write_cards};
/// use morello::games;
///
/// let cards = [Card::new(&games::get("othello")?.start()).answered(Some("d3"), 1_800_000_000)];
/// let text = write_cards(&cards);
/// assert_eq!(read_cards(text.as_bytes())?, cards);
/// assert!(read_cards(text.replace("d3", "f5").as_bytes()).is_err(), "it was edited");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write_cards(cards: &[Card]) -> String {
    let head = str::from_utf8(HEAD).expect("it is a literal").to_owned();
    head + &cards.iter().map(line).collect::<String>()
}

/// Reads the cards of all games in a file, in the order of its lines. If a position has several
/// lines, the last one counts.
///
/// # Errors
/// [`CardFileError`] if it is not a card file, or a line is damaged.
pub fn read_cards(bytes: &[u8]) -> Result<Vec<Card>, CardFileError> {
    let lines = bytes.strip_prefix(HEAD).ok_or(match bytes.starts_with(FORMAT) {
        true => CardFileError::OtherVersion,
        false => CardFileError::NotCards,
    })?;
    let lines = (2..).zip(lines.split_inclusive(|&byte| byte == b'\n'));
    let card = |(line, text): (usize, &[u8])| {
        let text = text.trim_ascii_end();
        let card = serde_json::from_slice::<Card>(text).ok();
        card.filter(|card| card.number <= LAST_BOX && is_signed(text)).ok_or(CardFileError::Damaged { line })
    };
    lines.map(card).collect()
}
