//! Reads games.

use thiserror::Error;

use super::header::{HEADER_BYTES, Header, RECORD_BYTES};
use super::names::{NameKind, Names};
use crate::game::{AnnotatedGame, Game, GameResult, Position as _, Tags, TheoreticalResult};
use crate::othello::{IllegalReason, Move, Position};

/// The largest board that anyone has made a database of, and more.
const MAX_SIZE: u8 = 20;

/// Where the moves of a record begin.
const MOVES: usize = 8;

/// A record that is not a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset} of the record: {problem}")]
pub struct ParseWthorError {
    /// The byte of the record that is wrong, from 0.
    pub offset: usize,
    /// What is wrong with it.
    pub problem: WthorErrorKind,
}

/// What is wrong with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WthorErrorKind {
    /// The score of Black is above all the discs there are.
    #[error("a score of {0} discs, of 64 at most")]
    Score(u8),
    /// The theoretical score of Black is above all the discs there are.
    #[error("a theoretical score of {0} discs, of 64 at most")]
    Theoretical(u8),
    /// What stands where a move should is none.
    #[error("{byte} in ply {ply} is no square (10 * row + column, 11 to 88)")]
    NotASquare {
        /// What stands there.
        byte: u8,
        /// The number of the move, from 1, passes counted.
        ply: usize,
    },
    /// A move is not legal where it is played.
    #[error("illegal move `{m}` in ply {ply}: {reason}")]
    IllegalMove {
        /// The move.
        m: Move,
        /// Its number, from 1, passes counted.
        ply: usize,
        /// Why it is not legal.
        reason: IllegalReason,
    },
    /// The moves go on after the 0 that ends them.
    #[error("a move, {0}, after the end of the moves")]
    AfterTheEnd(u8),
}

/// Reads a game.
///
/// Forced passes are put in where a move follows them. A player or a tournament without a name in `names` is told by number, `#346`, and one
/// that is called `???` not at all. The result is the stored one, whatever the board says ([`compare`](super::super::result::check_result)), the
/// date is the year, and the theoretical result is told wherever the file has any, also of a game that ended before its depth.
///
/// A move after the 0 that ends the moves is an error: no published game has one, so it tells of a record that is damaged or not where it
/// should be.
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
/// [`ParseWthorError`] with the byte and what is wrong with it.
pub fn read(
    record: &[u8; RECORD_BYTES],
    header: &Header,
    names: &Names,
) -> Result<AnnotatedGame<Position<8>>, ParseWthorError> {
    let fail = |offset, problem| Err(ParseWthorError { offset, problem });
    let [t0, t1, b0, b1, w0, w1, score, theoretical, ..] = *record;
    if score > 64 {
        return fail(6, WthorErrorKind::Score(score));
    }
    if theoretical > 64 {
        return fail(7, WthorErrorKind::Theoretical(theoretical));
    }
    let game = replay(&record[MOVES..])?;
    let [tournament, black, white] = [[t0, t1], [b0, b1], [w0, w1]].map(u16::from_le_bytes);
    let tags = Tags {
        names: [black, white].map(|number| names.name_or_number(NameKind::Players, number)),
        tournament: names.name_or_number(NameKind::Tournaments, tournament),
        date: (header.year > 0).then(|| header.year.to_string()),
        result: Some(GameResult { points: f64::from(points(score)), termination: None }),
        theoretical: (header.depth > 0)
            .then(|| TheoreticalResult { empties: header.depth.into(), points: points(theoretical) }),
    };
    Ok(AnnotatedGame { game, tags, notes: Vec::new() })
}

/// Returns the discs by which Black wins with a score.
fn points(score: u8) -> i32 {
    2 * i32::from(score) - 64
}

/// Plays moves from the start up to the first 0, with forced passes.
fn replay(moves: &[u8]) -> Result<Game<Position<8>>, ParseWthorError> {
    let fail = |index, problem| Err(ParseWthorError { offset: MOVES + index, problem });
    let mut game = Game::new(Position::default());
    let count = moves.iter().position(|&byte| byte == 0).unwrap_or(moves.len());
    for (index, &byte) in moves[..count].iter().enumerate() {
        let Some(m) = square(byte) else {
            return fail(index, WthorErrorKind::NotASquare { byte, ply: game.moves().len() + 1 });
        };
        if !game.position().is_legal(m) && game.position().is_legal(Move::PASS) {
            game.play(Move::PASS).expect("a pass is legal here");
        }
        if game.play(m).is_err() {
            let reason = game.position().why_illegal(m).expect("the rules alone forbid moves of Othello");
            return fail(index, WthorErrorKind::IllegalMove { m, ply: game.moves().len() + 1, reason });
        }
    }
    match moves[count..].iter().position(|&byte| byte != 0) {
        Some(index) => fail(count + index, WthorErrorKind::AfterTheEnd(moves[count + index])),
        None => Ok(game),
    }
}

/// Reads a square; `None` if it is none.
fn square(byte: u8) -> Option<Move> {
    let (row, column) = (byte / 10, byte % 10);
    ((1..=8).contains(&row) && (1..=8).contains(&column)).then(|| Move::place(u32::from((row - 1) * 8 + column - 1)))
}

/// Returns whether a file that begins with these bytes looks like one of the database: it has a date and a size of a board. No text does,
/// since its first bytes are no control characters. Files of names, games on other boards and solitaires look so too: reading tells what
/// they are. Whether the games are right is not asked, since one that is wrong makes no other file of it.
///
/// Less than the header is never recognised.
#[must_use]
pub fn detect(head: &[u8]) -> bool {
    let Some([century, year, month, day, _, _, _, _, _, _, _, _, size, ..]) = head.first_chunk::<HEADER_BYTES>() else {
        return false;
    };
    let dated = (19..=21).contains(century) && *year <= 99 && (1..=12).contains(month) && (1..=31).contains(day);
    dated && *size <= MAX_SIZE
}
