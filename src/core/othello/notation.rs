//! Board strings: the squares row by row from a1, then the side to move.
//!
//! The parser accepts `X x * b B ●` for Black, `O o w W ○` for White and `-`, `.` or `_` for an
//! empty square, and `black` and `white` for the side to move. Like other programs, it skips other
//! characters among the squares. The output uses `X`, `O` and `-`, then a space and `X` or `O` for
//! the side to move.

use std::fmt;

use thiserror::Error;

use super::board::write_squares;
use super::{Board, SizedPosition};
use crate::game::format::label::color_word;
use crate::game::{Color, ParseError, Position as _};

/// An error in a board string.
pub type ParsePositionError = ParseError<PositionErrorKind>;

/// The kinds of errors in a board string.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionErrorKind {
    /// The text ends before the last square.
    #[error("expected {expected} squares, found {found}{}", skipped_note(.skipped))]
    MissingSquares {
        /// The number of squares of the board.
        expected: u32,
        /// The number of squares found.
        found: u32,
        /// The first skipped character that is not a square, with its column.
        skipped: Option<(char, usize)>,
    },
    /// A row has the wrong length, in text with rows as in FEN.
    #[error("row {row} has {found} squares instead of {expected}")]
    RowLength {
        /// The row, counted from 1.
        row: usize,
        /// The number of squares per row.
        expected: usize,
        /// The number of squares found.
        found: usize,
    },
    /// The number of rows is wrong.
    #[error("expected {expected} rows separated by `/`, found {found}")]
    Rows {
        /// The number of rows of the board.
        expected: usize,
        /// The number of rows found.
        found: usize,
    },
    /// A character of a row is not a square.
    #[error("expected a square (X, O, - or a number of empty ones), found `{0}`")]
    NotASquare(char),
    /// The text ends after the squares.
    #[error("expected the side to move (X or O) after the squares")]
    MissingSide,
    /// The character after the squares is not a side.
    #[error("expected the side to move (X or O), found `{0}`")]
    UnknownSide(char),
    /// More text follows the side to move.
    #[error("unexpected text `{0}` after the side to move")]
    TrailingText(String),
}

fn skipped_note(skipped: &Option<(char, usize)>) -> String {
    skipped.map_or_else(String::new, |(c, column)| format!(" (`{c}` in column {column} is not a square)"))
}

/// Returns the color of a disc, given its letter.
pub(super) fn color(c: char) -> Option<Color> {
    match c {
        'X' | 'x' | '*' | 'b' | 'B' | '●' | '⚫' => Some(Color::Black),
        'O' | 'o' | 'w' | 'W' | '○' | '⚪' => Some(Color::White),
        _ => None,
    }
}

/// Reads the side to move at the start of the text: a letter, `black` or `white`. Returns it with
/// its length.
fn side(text: &str) -> Option<(Color, usize)> {
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let named = color_word(word).map(|color| (color, word.len()));
    named.or_else(|| text.chars().next().and_then(|c| Some((color(c)?, c.len_utf8()))))
}

/// Reads the squares at the start of the text, if there are no other characters among them. The
/// result is indexed by color.
fn plain_squares<const N: usize>(text: &str) -> Option<[u64; 2]> {
    let squares = text.as_bytes().get(..N * N)?;
    let (mut discs, mut others) = ([0; 2], false);
    for (index, square) in squares.iter().enumerate() {
        let bit = 1 << (index / N * 8 + index % N);
        match square {
            b'X' | b'x' | b'*' | b'b' | b'B' => discs[Color::Black.index()] |= bit,
            b'O' | b'o' | b'w' | b'W' => discs[Color::White.index()] |= bit,
            b'-' | b'.' | b'_' => {}
            _ => others = true,
        }
    }
    (!others).then_some(discs)
}

/// Reads a board string including the side to move. Returns the position and the rest of the text.
pub(super) fn parse_prefix<const N: usize>(text: &str) -> Result<(SizedPosition<N>, &str), ParsePositionError> {
    let plain = plain_squares::<N>(text);
    let start = if plain.is_some() { N * N } else { 0 };
    let mut chars = text[start..].char_indices().map(|(at, c)| (start + at, c)).zip(start + 1..);
    let mut squares = start as u32..Board::<N>::AREA;
    let mut discs = plain.unwrap_or_default();
    let mut skipped = None;
    let mut after_blank = false;
    let fail = |column, kind| Err(ParsePositionError { column, kind });
    while !squares.is_empty() {
        let Some(((_, c), column)) = chars.next() else {
            let found = squares.start;
            let kind = PositionErrorKind::MissingSquares { expected: Board::<N>::AREA, found, skipped };
            // The first skipped character shows the error better than the end of the text does.
            return fail(skipped.map_or(text.chars().count() + 1, |(_, column)| column), kind);
        };
        let disc = color(c);
        if disc.is_none() && !matches!(c, '-' | '.' | '_' | '·' | '・') {
            if !c.is_whitespace() {
                skipped = skipped.or(Some((c, column)));
            }
            after_blank = c.is_whitespace();
            continue;
        }
        let index = squares.next().expect("the loop runs while squares are missing");
        if squares.is_empty() && after_blank && text.chars().skip(column).all(char::is_whitespace) {
            // A single character at the end is the side to move; then a square is missing before
            // it.
            let kind =
                PositionErrorKind::MissingSquares { expected: Board::<N>::AREA, found: Board::<N>::AREA - 1, skipped };
            return fail(column, kind);
        }
        after_blank = false;
        if let Some(color) = disc {
            discs[color.index()] |= 1 << (index / N as u32 * 8 + index % N as u32);
        }
    }
    let Some(((start, c), column)) = chars.find(|((_, c), _)| !c.is_whitespace()) else {
        return fail(text.chars().count() + 1, PositionErrorKind::MissingSide);
    };
    let Some((side, length)) = side(&text[start..]) else {
        return fail(column, PositionErrorKind::UnknownSide(c));
    };
    let board = Board { player: discs[side.index()], opponent: discs[side.opponent().index()] };
    Ok((SizedPosition::new(board, side), &text[start + length..]))
}

/// Reads a board string.
pub(super) fn read<const N: usize>(text: &str) -> Result<SizedPosition<N>, ParsePositionError> {
    let (position, rest) = parse_prefix(text)?;
    match rest.trim() {
        "" | "to move" | "to play" => Ok(position),
        trailing => Err(ParsePositionError::at(text, trailing, PositionErrorKind::TrailingText(trailing.to_owned()))),
    }
}

impl<const N: usize> fmt::Display for SizedPosition<N> {
    /// Writes the squares row by row from a1, and the side to move, on one line; `{:#}` draws the
    /// board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = match self.side_to_move() {
            Color::Black => *b"XO",
            Color::White => *b"OX",
        };
        write_squares(f, self.board(), letters)?;
        let side = char::from(letters[0]);
        if f.alternate() { write!(f, "\n{side} to move") } else { write!(f, " {side}") }
    }
}

impl<const N: usize> fmt::Debug for SizedPosition<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
