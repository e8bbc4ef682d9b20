//! Othello books of other programs, for the 8x8 board: the common parts of their formats.

mod edax;
mod egaroucid;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;

use morello_core::game::{AnyMove, AnyPosition, Certainty, Color, Confidence, Position as _, Score};
use morello_core::othello::{Board, Move, Position, Square};
use morello_core::sorting;
use thiserror::Error;

use crate::book::{
    BookEntry, BookGraph, BookMove, BookScore, Provenance, Source, Successor, canonical_move, distinct_moves, successor,
};

pub use edax::{read as read_edax, write as write_edax};
pub use egaroucid::{read as read_egaroucid, write as write_egaroucid};

/// Why a file is not a book of another program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ForeignBookError {
    /// The file does not begin like a book.
    #[error("not a book of {program}: the first bytes differ")]
    NotABook {
        /// The program.
        program: &'static str,
    },
    /// The file has another format version.
    #[error(
        "the {program} book has format version {found}; this morello reads version {expected}; convert it with a \
            current {program}"
    )]
    Version {
        /// The program.
        program: &'static str,
        /// The version of the file.
        found: u8,
        /// The supported version.
        expected: u8,
    },
    /// The file ends in the middle of a position.
    #[error("the book ends early: {read} of {expected} positions are complete; copy it again")]
    Truncated {
        /// The number of complete positions.
        read: u64,
        /// The number of positions in the header.
        expected: u64,
    },
    /// A position is invalid.
    #[error("position {number}, byte {offset}: {problem}; the book is damaged")]
    Invalid {
        /// The number of the position, counted from 1.
        number: u64,
        /// The offset of the position in the file.
        offset: usize,
        /// The cause.
        problem: &'static str,
    },
}

/// The positions read from another program's book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForeignCounts {
    /// The number of positions.
    pub positions: u64,
    /// The number of positions that were skipped because a side must pass in them. morello's books
    /// do not contain such positions.
    pub skipped: u64,
}

/// The number of a pass or of a missing move in both formats.
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;

/// The maximum score in points.
const MAX: i32 = 64;

/// Returns the position with this board. The formats do not store the side to move. Without passes,
/// it follows from the number of discs; [`with_sides`] finds the positions after a pass.
fn position(player: u64, opponent: u64) -> Result<AnyPosition, &'static str> {
    let Ok(board) = Board::new(player.into(), opponent.into()) else { return Err("two discs are on one square") };
    let side = if board.empty_count().is_multiple_of(2) { Color::Black } else { Color::White };
    Ok(AnyPosition::new(Position::new(board, side)))
}

/// Returns the position with the side to move that follows from the number of discs.
fn without_side(position: &AnyPosition) -> AnyPosition {
    let [player, opponent] = board(position).bits();
    self::position(player, opponent).unwrap_or(*position)
}

fn board(position: &AnyPosition) -> Board {
    position.typed::<Position>().expect("the book is one of Othello").board()
}

/// Returns the same board with the opponent to move.
fn with_other_side(position: &AnyPosition) -> AnyPosition {
    AnyPosition::new(Position::new(board(position), position.side_to_move().opponent()))
}

/// Assigns sides to move to the canonical positions of a book. They follow from the positions that
/// lead to a position; a pass changes the side. For a position that follows from no other, the
/// number of discs determines the side. A position that both sides can reach occurs twice.
fn with_sides<T>(found: &[(AnyPosition, T)]) -> Vec<(AnyPosition, &T)> {
    let order = sorting::order(found.len(), &|a, b| found[b].0.empty_count().cmp(&found[a].0.empty_count()));
    let known: HashSet<AnyPosition> = found.iter().map(|(position, _)| *position).collect();
    let mut sides: HashSet<AnyPosition> = HashSet::new();
    let mut all = Vec::with_capacity(found.len());
    for number in order {
        let (position, content) = &found[number];
        let both = [*position, with_other_side(position)];
        let mut reached: Vec<_> = both.into_iter().filter(|side| sides.contains(side)).collect();
        if reached.is_empty() {
            reached.push(*position);
        }
        for position in reached {
            all.push((position, content));
            for m in position.legal_moves() {
                if let Successor::Position(next, _) = successor(&position, m)
                    && known.contains(&without_side(&next))
                {
                    sides.insert(next);
                }
            }
        }
    }
    all
}

/// Adds a move to the entry of the canonical image of `position`.
fn add_move(
    entry: &mut BookEntry,
    position: &AnyPosition,
    square: u8,
    points: i8,
    source: Source,
    level: u8,
) -> Result<(), &'static str> {
    let Some(square) = Square::from_index(square.into()) else { return Err("a move is not a square") };
    if i32::from(points).abs() > MAX {
        return Err("a score is not between -64 and 64");
    }
    let m = AnyMove::new::<Position>(Move::place(square));
    if !position.is_legal(m) {
        return Err("a move is illegal");
    }
    let m = canonical_move(position, m);
    let known = BookMove { m, score: scored(points.into(), source, level), is_linked: false };
    if entry.find(m).is_none() {
        entry.moves.push(known);
    }
    Ok(())
}

fn scored(points: i32, source: Source, level: u8) -> BookScore {
    let provenance = Provenance { source, depth: level.min(60), confidence: Confidence::LOWEST };
    BookScore { score: Score::of(points, Certainty::Heuristic), provenance }
}

/// Returns the score in whole points.
fn points(score: &BookScore) -> i8 {
    (score.score.points().round() as i32).clamp(-MAX, MAX) as i8
}

/// Returns the level for a score: the depth of its search.
fn level(score: &BookScore) -> u8 {
    score.provenance.depth.clamp(1, 60)
}

/// Returns the positions to write, sorted. Only positions with a score are written.
fn sorted(graph: &BookGraph) -> Vec<(Board, AnyPosition, Cow<'_, BookEntry>)> {
    let scored = graph.iter().filter(|(position, entry)| entry.score(position).is_some());
    let mut found: Vec<_> = scored.map(|(position, entry)| (board(position), *position, entry)).collect();
    // Positions with the fewest discs come first.
    let key = |(board, position, _): &(Board, AnyPosition, _)| {
        (Reverse(board.empty_count()), *board, position.side_to_move() == Color::White)
    };
    sorting::sort_by(&mut found, &|a, b| key(a).cmp(&key(b)));
    let mut all: Vec<(Board, AnyPosition, Cow<'_, BookEntry>)> = Vec::with_capacity(found.len());
    for (board, position, entry) in found {
        match all.last_mut() {
            // Positions that differ only in the side to move, after a pass, are one position in
            // these formats.
            Some((last, _, known)) if *last == board => known.to_mut().merge(entry),
            _ => all.push((board, position, Cow::Borrowed(entry))),
        }
    }
    all
}

/// Returns the square of a move.
fn square(m: AnyMove) -> u8 {
    m.typed::<Position>().and_then(Move::square).map_or(PASS, |square| square.index() as u8)
}

/// Returns the best move of an entry that is not linked: a scored move, or else any other move with
/// the limit of the other moves.
fn leaf(position: &AnyPosition, entry: &BookEntry) -> Option<(u8, BookScore)> {
    let scored = entry.moves.iter().find(|known| !known.is_linked).map(|known| (square(known.m), known.score));
    let other = || {
        let mut rest = entry.rest?;
        // A shallow search may rate the other moves above the best move. The leaf would then take
        // the place of the best move.
        if let Some(best) = entry.score(position) {
            rest.score.thousandths = rest.score.thousandths.min(best.score.thousandths);
        }
        let unknown = distinct_moves(position).into_iter().find(|&m| entry.find(m).is_none())?;
        Some((square(unknown), rest))
    };
    scored.or_else(other)
}

/// Reads a file byte by byte.
struct ByteReader<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    /// Starts reading after the magic number and the version of a book, which must match.
    fn after_head(file: &'a [u8], magic: &[u8], version: u8, program: &'static str) -> Result<Self, ForeignBookError> {
        if !file.starts_with(magic) {
            return Err(ForeignBookError::NotABook { program });
        }
        let mut bytes = Self { all: file, at: magic.len() };
        match bytes.byte() {
            Some(found) if found == version => Ok(bytes),
            Some(found) => Err(ForeignBookError::Version { program, found, expected: version }),
            None => Err(ForeignBookError::Truncated { read: 0, expected: 0 }),
        }
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.all.get(self.at..self.at + N)?.try_into().ok()?;
        self.at += N;
        Some(bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}
