//! Lines that are a board string: the squares row by row from a1, then the side to move, as Edax
//! and NBoard write them. Rows may be separated by slashes, with numbers for empty squares, as in
//! FEN: `8/8/8/3OX3/3XO3/8/8/8 b`.
//!
//! ```
//! use morello::game::ParsedRecord;
//! use morello::othello::formats::board;
//!
//! let format = board::format::<8>();
//! let ParsedRecord::Position(fen) = (format.parse)("8/8/8/3OX3/3XO3/8/8/8 b")? else {
//!     panic!("the format has positions")
//! };
//! let text = "---------------------------OX------XO--------------------------- X";
//! assert_eq!(format.write_position(&fen).and_then(Result::ok).as_deref(), Some(text));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::transcript;
use crate::game::{AnnotatedPosition, Color, LineFormat, LocatedError, ParsedRecord, Playable};
use crate::othello::SizedPosition;
use crate::othello::notation::{self, ParsePositionError, PositionErrorKind, color};

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    SizedPosition<N>: Playable,
{
    LineFormat::of_positions(
        "board",
        "a board string: the squares row by row from a1 (X, O, - or 1, 2, 0; or as in FEN), then the side to move",
        |line| !line.contains(';'),
        read::<N>,
        |entry| Ok(entry.position.to_string()),
        &[],
    )
}

/// Reads a position, or a game: moves after a position, without a semicolon.
fn read<const N: usize>(line: &str) -> Result<ParsedRecord, Box<dyn LocatedError>>
where
    SizedPosition<N>: Playable,
{
    parse::<N>(line).map(ParsedRecord::from).or_else(|error| {
        let moves = notation::parse_prefix::<N>(line).ok().filter(|(_, moves)| transcript::begins(moves));
        let (start, moves) = moves.ok_or(error)?;
        Ok(transcript::read_from(start, line, moves)?.into())
    })
}

/// Removes the brackets around a board and its side, as in the `BO` tag of GGF, `[8 --OX... *]`.
/// Other lines are returned unchanged.
fn without_brackets(size: usize, line: &str) -> &str {
    let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or(line).trim();
    match inner.as_bytes() {
        [digit, b' ', ..] if usize::from(digit.wrapping_sub(b'0')) == size => inner[2..].trim_start(),
        _ => inner,
    }
}

/// Reads a line without surrounding spaces.
pub(super) fn parse<const N: usize>(line: &str) -> Result<AnnotatedPosition<SizedPosition<N>>, Box<dyn LocatedError>> {
    let inner = without_brackets(N, line);
    if inner.len() < line.len() {
        let before = line[..inner.as_ptr() as usize - line.as_ptr() as usize].chars().count();
        let read = notation::read::<N>(inner);
        return Ok(read.map_err(|error| ParsePositionError { column: error.column + before, ..error })?.into());
    }
    let squares = line.split_whitespace().next().unwrap_or_default();
    if let Some(board) = expand_rows(N, squares) {
        let board = board?;
        let after = &line[squares.len()..];
        let side = after.len() - after.trim_start().len() + 1;
        // The other fields of FEN have no meaning in Othello: `- - 0 1`.
        let is_counter = |field: &str| field == "-" || field.bytes().all(|byte| byte.is_ascii_digit());
        let ends = after.get(side..).is_some_and(|fields| fields.split_whitespace().all(is_counter));
        let text = board + if ends { &after[..side] } else { after };
        let position = notation::read::<N>(&text).map_err(|error| {
            // The error is after the board, which is valid.
            let column = error.column - N * N + squares.len();
            ParsePositionError { column, kind: error.kind }
        });
        return Ok(position?.into());
    }
    if [N * N, N * N + 1].contains(&squares.len()) && squares.bytes().all(|square| b"012".contains(&square)) {
        // Digits for empty, black and white squares. There may be no space before the side to move.
        let text = line.replace('0', "-").replace('1', "X").replace('2', "O");
        return Ok(notation::read::<N>(&text)?.into());
    }
    Ok(notation::read::<N>(line)?.into())
}

/// Expands rows separated by slashes, in which numbers count empty squares:
/// `8/8/8/3OX3/3XO3/8/8/8`. Returns `None` if the text has another form.
fn expand_rows(size: usize, text: &str) -> Option<Result<String, ParsePositionError>> {
    let is_square = |c: char| c.is_ascii_digit() || c == '-' || c == '.' || color(c).is_some();
    // A single wrong character is reported; other text is not treated as rows.
    if !text.contains('/') || text.chars().filter(|&c| c != '/' && !is_square(c)).count() > 1 {
        return None;
    }
    let fail = |column, kind| Some(Err(ParsePositionError { column, kind }));
    let (mut board, mut column, mut rows) = (String::new(), 1, 0);
    for row in text.split('/') {
        rows += 1;
        if rows > size {
            break;
        }
        for (at, c) in row.chars().enumerate() {
            match (c.to_digit(10), color(c)) {
                (Some(empty), _) => board += &"-".repeat(empty as usize),
                (None, Some(color)) => board.push(if color == Color::Black { 'X' } else { 'O' }),
                (None, None) if c == '-' || c == '.' => board.push('-'),
                (None, None) => return fail(column + at, PositionErrorKind::NotASquare(c)),
            }
            if board.len() > size * rows {
                let found = row.chars().map(|c| c.to_digit(10).map_or(1, |empty| empty as usize)).sum();
                return fail(column + at, PositionErrorKind::RowLength { row: rows, expected: size, found });
            }
        }
        column += row.chars().count();
        if board.len() < size * rows {
            let found = board.len() - size * (rows - 1);
            return fail(column, PositionErrorKind::RowLength { row: rows, expected: size, found });
        }
        column += 1;
    }
    let found = text.split('/').count();
    if found != size {
        return fail(column - 1, PositionErrorKind::Rows { expected: size, found });
    }
    Some(Ok(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Position;

    #[test]
    fn reads_every_board_size_and_rejects_trailing_text() {
        let entry = parse::<4>("-----OX--XO----- X").unwrap();
        assert_eq!(entry.position, SizedPosition::<4>::default());
        assert!(entry.expected.is_empty());
        assert_eq!(
            parse::<6>("--------------OX----XO--------------X").unwrap().position,
            SizedPosition::<6>::default()
        );
        for text in ["0000021001200000 1", "00000210012000001"] {
            assert_eq!(parse::<4>(text).unwrap().position, SizedPosition::<4>::default(), "{text}");
        }
        for text in ["4/1OX1/1XO1/4 b", "4/1OX1/1XO1/4 X", "4/1wb1/1bw1/---- b - - 0 1", "4/.OX./1XO1/4 *"] {
            assert_eq!(parse::<4>(text).unwrap().position, SizedPosition::<4>::default(), "{text}");
        }
        for (text, column, message) in [
            ("4/1OX1/1XO1/4", 14, "expected the side to move (X or O) after the squares"),
            ("4/1OX1/1XO1/4 q", 15, "expected the side to move (X or O), found `q`"),
            ("4/1OX1/1XO1/4 b d3", 17, "unexpected text `d3` after the side to move"),
            ("4/1OX1/1XO2/4 b", 11, "row 3 has 5 squares instead of 4"),
            ("4/1OXX1/1XO1/4 b", 7, "row 2 has 5 squares instead of 4"),
            ("4/1OX/1XO1/4 b", 6, "row 2 has 3 squares instead of 4"),
            ("4/1OX1/1qO1/4 b", 9, "expected a square (X, O, - or a number of empty ones), found `q`"),
            ("4/1OX1/1XO1 b", 12, "expected 4 rows separated by `/`, found 3"),
            ("4/1OX1/1XO1/4/4 b", 14, "expected 4 rows separated by `/`, found 5"),
        ] {
            let error = parse::<4>(text).unwrap_err();
            assert_eq!((error.column(), error.to_string().as_str()), (column, message), "{text}");
        }
        let error = parse::<4>("-----OX--XO----- X d3").unwrap_err();
        assert_eq!((error.column(), error.to_string().as_str()), (20, "unexpected text `d3` after the side to move"));
    }

    #[test]
    fn leaves_lines_with_a_semicolon_to_obf() {
        let detected =
            |line| <Position as crate::game::Notation>::formats().iter().find(|f| (f.detect)(line)).unwrap().name;
        assert_eq!((detected("-- X"), detected("-- X;")), ("board", "obf"));
    }
}
