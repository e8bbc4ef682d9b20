//! Reads game records.

use thiserror::Error;

use super::header::{HEADER_BYTES, Header, RECORD_BYTES};
use super::names::{NameKind, Names};
use crate::game::{AnnotatedGame, Game, GameResult, Position as _, Tags, TheoreticalResult};
use crate::othello::{IllegalReason, Move, Position, Square};

/// The largest board size that [`detect`] accepts. Published databases have smaller boards.
const MAX_SIZE: u8 = 20;

/// The offset of the moves in a record.
const MOVES: usize = 8;

/// An error in a record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset} of the record: {problem}")]
#[non_exhaustive]
pub struct ParseWthorError {
    /// The offset of the invalid byte in the record, counted from 0.
    pub offset: usize,
    /// The error.
    pub problem: WthorErrorKind,
}

/// The kinds of errors in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WthorErrorKind {
    /// The score is above 64.
    #[error("the score {0} is out of range (0 to 64 discs)")]
    Score(u8),
    /// The theoretical score is above 64.
    #[error("the theoretical score {0} is out of range (0 to 64 discs)")]
    Theoretical(u8),
    /// A byte is not a square.
    #[error("{byte} at ply {ply} is not a square; expected 10 * row + column (11 to 88)")]
    NotASquare {
        /// The byte.
        byte: u8,
        /// The ply, counted from 1, passes included.
        ply: usize,
    },
    /// A move is illegal.
    #[error("illegal move `{m}` at ply {ply}: {reason}")]
    IllegalMove {
        /// The move.
        m: Move,
        /// The ply, counted from 1, passes included.
        ply: usize,
        /// Why it is illegal.
        reason: IllegalReason,
    },
    /// A move follows the 0 at the end of the moves.
    #[error("unexpected move {0} after the end of the moves")]
    MoveAfterEnd(u8),
}

/// Reads a game.
///
/// Forced passes are inserted before the next move. Players and tournaments that are not in `names`
/// appear as numbers, `#346`; the name `???` is omitted. The result is the stored one, even if it
/// contradicts the board ([`check_result`](super::super::result::check_result)). The date is the
/// year in the header. The theoretical result is set whenever the file has one, even for a game
/// that ended before its depth.
///
/// A move after the 0 at the end of the moves is an error: no published game has one, so the record
/// is damaged or misaligned.
///
/// ```
/// use morello::othello::formats::wthor::{Date, Header, Names, read};
///
/// let created = Date::new(2026, 1, 31).expect("a day");
/// let header = Header { created, games: 1, names: 0, year: 1977, board_size: 8, kind: 0, depth: 24 };
/// let mut record = [0; 68];
/// record[..11].copy_from_slice(&[1, 0, 90, 1, 75, 3, 34, 41, 56, 64, 33]);
/// let read = read(&record, &header, &Names::default())?;
/// assert_eq!(read.game.moves().iter().map(ToString::to_string).collect::<Vec<_>>(), ["f5", "d6", "c3"]);
/// assert_eq!(read.tags.names[0].as_deref(), Some("#346"));
/// assert_eq!(read.tags.result.map(|result| result.points), Some(4.0));
/// # Ok::<(), morello::othello::formats::wthor::ParseWthorError>(())
/// ```
///
/// # Errors
/// [`ParseWthorError`], with the offset in the record.
pub fn read(
    record: &[u8; RECORD_BYTES],
    header: &Header,
    names: &Names,
) -> Result<AnnotatedGame<Position>, ParseWthorError> {
    let RecordFields { tournament, players: [black, white], score, theoretical } = RecordFields::read(record)?;
    let mut game = Game::new(Position::default());
    for m in play(record)?.0 {
        game.play(m).expect("the move is legal");
    }
    let tags = Tags {
        names: [black, white].map(|number| names.name_or_number(NameKind::Players, number)),
        ratings: [None; 2],
        tournament: names.name_or_number(NameKind::Tournaments, tournament),
        date: (header.year > 0).then(|| header.year.to_string()),
        result: Some(GameResult { points: f64::from(points(score)) }),
        termination: None,
        theoretical: (header.depth > 0)
            .then(|| TheoreticalResult { empties: header.depth.into(), points: points(theoretical) }),
        others: Vec::new(),
    };
    Ok(AnnotatedGame { tags, ..AnnotatedGame::from(game) })
}

/// Converts a score to Black's disc difference.
fn points(score: u8) -> i32 {
    2 * i32::from(score) - 64
}

/// The fields of a record before its moves, as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordFields {
    /// The number of the tournament.
    pub tournament: u16,
    /// The numbers of Black and of White.
    pub players: [u16; 2],
    /// Black's discs at the end of the game.
    pub score: u8,
    /// Black's discs after best play by both sides, starting at the depth in the file's header.
    pub theoretical: u8,
}

impl RecordFields {
    /// Reads the fields.
    ///
    /// ```
    /// use morello::othello::formats::wthor::RecordFields;
    ///
    /// let mut record = [0; 68];
    /// record[..8].copy_from_slice(&[1, 0, 90, 1, 75, 3, 34, 41]);
    /// let fields = RecordFields::read(&record)?;
    /// assert_eq!((fields.tournament, fields.players, fields.score), (1, [346, 843], 34));
    /// # Ok::<(), morello::othello::formats::wthor::ParseWthorError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseWthorError`] if a score is out of range.
    pub fn read(record: &[u8; RECORD_BYTES]) -> Result<Self, ParseWthorError> {
        let [t0, t1, b0, b1, w0, w1, score, theoretical, ..] = *record;
        let fail = |offset, problem| Err(ParseWthorError { offset, problem });
        if score > 64 {
            return fail(6, WthorErrorKind::Score(score));
        }
        if theoretical > 64 {
            return fail(7, WthorErrorKind::Theoretical(theoretical));
        }
        let [tournament, black, white] = [[t0, t1], [b0, b1], [w0, w1]].map(u16::from_le_bytes);
        Ok(Self { tournament, players: [black, white], score, theoretical })
    }
}

/// Reads the moves of a record as stored, without passes, up to the first 0. The moves are not
/// played: every square is accepted.
///
/// ```
/// use morello::othello::formats::wthor::moves;
///
/// let mut record = [0; 68];
/// record[8..11].copy_from_slice(&[56, 64, 33]);
/// assert_eq!(moves(&record)?.iter().map(ToString::to_string).collect::<Vec<_>>(), ["f5", "d6", "c3"]);
/// # Ok::<(), morello::othello::formats::wthor::ParseWthorError>(())
/// ```
///
/// # Errors
/// [`ParseWthorError`] if a byte is not a square, or moves follow the first 0.
pub fn moves(record: &[u8; RECORD_BYTES]) -> Result<Vec<Move>, ParseWthorError> {
    let mut moves = Vec::with_capacity(RECORD_BYTES - MOVES);
    for m in each_move(record) {
        moves.push(m?);
    }
    Ok(moves)
}

fn each_move(record: &[u8; RECORD_BYTES]) -> impl Iterator<Item = Result<Move, ParseWthorError>> + '_ {
    let bytes = &record[MOVES..];
    let count = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (moves, rest) = bytes.split_at(count);
    let one = |(index, &byte): (usize, &u8)| {
        let problem = WthorErrorKind::NotASquare { byte, ply: index + 1 };
        square(byte).ok_or(ParseWthorError { offset: MOVES + index, problem })
    };
    let after_end = rest.iter().position(|&byte| byte != 0).map(|index| {
        let problem = WthorErrorKind::MoveAfterEnd(rest[index]);
        Err(ParseWthorError { offset: MOVES + count + index, problem })
    });
    moves.iter().enumerate().map(one).chain(after_end)
}

/// Plays the moves of a record from the usual start. Returns the moves, with forced passes
/// inserted, and the final position.
///
/// ```
/// use morello::othello::formats::wthor::play;
///
/// let mut record = [0; 68];
/// record[8..11].copy_from_slice(&[56, 64, 33]);
/// let (moves, position) = play(&record)?;
/// assert_eq!((moves.len(), position), (3, "f5d6c3".parse().expect("moves")));
/// # Ok::<(), morello::othello::formats::wthor::ParseWthorError>(())
/// ```
///
/// # Errors
/// [`ParseWthorError`] for the first move that cannot be read or played.
pub fn play(record: &[u8; RECORD_BYTES]) -> Result<(Vec<Move>, Position), ParseWthorError> {
    let mut played = Vec::with_capacity(RECORD_BYTES);
    let mut position = Position::default();
    for (index, m) in each_move(record).enumerate() {
        // Passes count as plies.
        let ply = played.len() + 1;
        let m = m.map_err(|error| error.in_ply(ply))?;
        let mut next = position.play(m).ok();
        if next.is_none() && position.is_legal(Move::PASS) {
            position = position.after(Move::PASS);
            played.push(Move::PASS);
            next = position.play(m).ok();
        }
        position = next.ok_or_else(|| {
            let reason = position.why_illegal(m).expect("only the rules can reject a move of Othello");
            let problem = WthorErrorKind::IllegalMove { m, ply: played.len() + 1, reason };
            ParseWthorError { offset: MOVES + index, problem }
        })?;
        played.push(m);
    }
    Ok((played, position))
}

impl ParseWthorError {
    /// Sets the ply of an error about a byte that is not a square.
    fn in_ply(self, ply: usize) -> Self {
        match self.problem {
            WthorErrorKind::NotASquare { byte, .. } => {
                Self { problem: WthorErrorKind::NotASquare { byte, ply }, ..self }
            }
            _ => self,
        }
    }
}

/// Decodes a square; `None` if the byte is not a square.
fn square(byte: u8) -> Option<Move> {
    let (row, column) = (usize::from(byte / 10), usize::from(byte % 10));
    Square::at(column.checked_sub(1)?, row.checked_sub(1)?).map(Move::place)
}

/// Returns whether a file that begins with these bytes looks like a WTHOR file: it has a date and a
/// board size. Text files do not, because their first bytes are not control characters. Name files,
/// solitaires and games on other boards are detected too, so that the reader can report what they
/// are. The games are not checked: a file with an invalid game is still a WTHOR file.
///
/// Input shorter than a header is never detected.
///
/// ```
/// use morello::othello::formats::wthor::detect;
///
/// assert!(detect(&[20, 24, 1, 31, 1, 0, 0, 0, 0, 0, 0xe8, 7, 8, 0, 0, 0]));
/// assert!(!detect(b"f5d6c3d3c4f4f6b4c5b3") && !detect(&[20, 24]));
/// ```
#[must_use]
pub fn detect(head: &[u8]) -> bool {
    let Some([century, year, month, day, _, _, _, _, _, _, _, _, size, ..]) = head.first_chunk::<HEADER_BYTES>() else {
        return false;
    };
    let dated = (19..=21).contains(century) && *year <= 99 && (1..=12).contains(month) && (1..=31).contains(day);
    dated && *size <= MAX_SIZE
}
