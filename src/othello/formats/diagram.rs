//! Diagrams: a position in as many lines as the board has rows, as programs print it, then the side to move.
//!
//! ```text
//!   a b c d e f g h                     a  b  c  d  e  f  g  h          00000000
//! 1 - - - - - - - -                  1  .  .  .  .  .  .  .  .          00000000
//! ...                                ...                                ...
//! 4 - - - O X - - -                  4  .  .  + [W] B  .  .  .          00021000
//! ...                                ...                                ...
//! X to move                         Black 2, White 2 discs; Black to move    1
//! ```
//!
//! The names of columns and rows may be missing. Squares may be separated by spaces, bars or brackets, and rows by lines such as `+---+---+`.
//! Black is any of `X x * b B 1 ●`, White any of `O o w W 2 ○`, and an empty square any of `- . · _ + 0`.

use thiserror::Error;

use super::board;
use crate::game::{Color, FormatWriter, LineFormat, LocatedError, ParseError, ParsedRecord, Playable, RecordScanner};
use crate::othello::SizedPosition;
use crate::othello::notation::color;

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    SizedPosition<N>: Playable,
{
    LineFormat {
        name: "diagram",
        aliases: &[],
        about: "a position in a line per row, then the side to move, as `play` prints it",
        of_games: false,
        detect: |line| {
            line.lines()
                .next()
                .is_some_and(|line| is_header::<N>(line) || is_frame::<N>(line) || row::<N>(line).is_some())
        },
        parse: parse::<N>,
        scanner: Some(|| Box::new(DiagramScanner::<N>::default())),
        split: None,
        writer: FormatWriter {
            game: None,
            position: Some(|entry| Ok(super::draw(&entry.position.known::<SizedPosition<N>>()))),
            preserved: &[],
        },
    }
}

/// A text that is not a diagram.
pub type ParseDiagramError = ParseError<DiagramErrorKind>;

/// The kinds of errors in a diagram.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DiagramErrorKind {
    /// A line is neither a row nor the side to move.
    #[error("expected a row of {expected} squares (X, O, -), found `{found}`")]
    NotARow {
        /// The squares of a row.
        expected: usize,
        /// The line.
        found: String,
    },
    /// Rows are missing.
    #[error("expected {expected} rows, found {found}")]
    MissingRows {
        /// The rows of the board.
        expected: usize,
        /// The rows found.
        found: usize,
    },
    /// The side to move is missing.
    #[error("expected the side to move in the line after the rows, such as `X to move`")]
    MissingSide,
}

/// Collects the lines of a diagram.
#[derive(Default)]
struct DiagramScanner<const N: usize> {
    rows: usize,
    has_side: bool,
}

impl<const N: usize> RecordScanner for DiagramScanner<N> {
    fn add(&mut self, line: &str) {
        if row::<N>(line).is_some() && self.rows < N {
            self.rows += 1;
        } else if self.rows == N && side(line).is_some() {
            self.has_side = true;
        }
    }

    fn may_continue(&self) -> bool {
        !self.has_side
    }

    fn accepts(&self, next: &str) -> bool {
        match self.rows {
            rows if rows < N => row::<N>(next).is_some() || is_frame::<N>(next) || (rows == 0 && is_header::<N>(next)),
            _ => !self.has_side && (side(next).is_some() || is_frame::<N>(next) || is_header::<N>(next)),
        }
    }
}

/// Returns whether a line names the columns.
fn is_header<const N: usize>(line: &str) -> bool {
    let names = line.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase());
    names.eq(('a'..).take(N))
}

/// Returns whether a line is a part of the frame or grid around the squares: `+---+---+`.
fn is_frame<const N: usize>(line: &str) -> bool {
    let line = line.trim();
    line.len() > N && line.starts_with('+') && line.chars().all(|c| "+-=| ".contains(c)) && row::<N>(line).is_none()
}

/// Reads a row of a diagram; `None` if a line is none.
fn row<const N: usize>(line: &str) -> Option<Vec<Option<Color>>> {
    let squares = |text: &str| -> Option<Vec<Option<Color>>> {
        let squares: Option<Vec<_>> =
            text.chars().filter(|c| !c.is_whitespace() && !"|[]()".contains(*c)).map(square).collect();
        squares.filter(|squares| squares.len() == N)
    };
    let line = line.trim();
    let is_digit = |c: char| c.is_ascii_digit();
    let without_name = || squares(line.trim_start_matches(is_digit).trim_start_matches('.').trim_end_matches(is_digit));
    squares(line).or_else(without_name)
}

fn square(c: char) -> Option<Option<Color>> {
    match c {
        '-' | '.' | '·' | '_' | '+' | '0' => Some(None),
        '1' | '●' => Some(Some(Color::Black)),
        '2' | '○' => Some(Some(Color::White)),
        c => color(c).map(Some),
    }
}

/// Reads the side to move: `X`, `Black to move`, `...; White to move` or `to move: O`.
fn side(line: &str) -> Option<Color> {
    let line = line.trim().to_lowercase();
    let name = match line.strip_suffix("to move").or_else(|| line.strip_suffix("to play")) {
        Some(before) => before.split_whitespace().last()?.to_owned(),
        None => line.rsplit(':').next()?.trim().to_owned(),
    };
    match name.as_str() {
        "black" => Some(Color::Black),
        "white" => Some(Color::White),
        name => {
            let mut chars = name.chars();
            chars.next().filter(|_| chars.next().is_none()).and_then(square)?
        }
    }
}

/// Reads the lines of a diagram.
fn parse<const N: usize>(text: &str) -> Result<ParsedRecord, Box<dyn LocatedError>>
where
    SizedPosition<N>: Playable,
{
    let (mut squares, mut rows, mut column, mut mover) = (String::new(), 0, 1, None);
    for line in text.lines() {
        if rows < N
            && let Some(row) = row::<N>(line)
        {
            squares.extend(row.into_iter().map(|disc| disc.map_or('-', letter)));
            rows += 1;
        } else if rows == N
            && let Some(side) = side(line)
        {
            mover = Some(side);
        } else if !is_header::<N>(line) && !is_frame::<N>(line) {
            let kind = DiagramErrorKind::NotARow { expected: N, found: line.trim().to_owned() };
            return Err(ParseDiagramError { column, kind }.into());
        }
        column += line.chars().count() + 1;
    }
    let kind = match mover {
        _ if rows < N => DiagramErrorKind::MissingRows { expected: N, found: rows },
        None => DiagramErrorKind::MissingSide,
        Some(mover) => return Ok(board::parse::<N>(&format!("{squares} {}", letter(mover)))?.into()),
    };
    Err(ParseDiagramError { column: text.chars().count() + 1, kind }.into())
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Position as _, random_game};
    use crate::othello::Position;
    use crate::text::draw::{Style, draw};

    fn read<const N: usize>(text: &str) -> Result<SizedPosition<N>, (usize, String)>
    where
        SizedPosition<N>: Playable,
    {
        match parse::<N>(text) {
            Ok(ParsedRecord::Position(entry)) => Ok(entry.position.known()),
            Ok(ParsedRecord::Games(_)) => panic!("a diagram is a position"),
            Err(error) => Err((error.column(), error.to_string())),
        }
    }

    #[test]
    fn reads_the_diagrams_of_this_program() {
        fn check<const N: usize>(plies: usize)
        where
            SizedPosition<N>: Playable,
        {
            for seed in 0..20 {
                let game: Game<SizedPosition<N>> = random_game(seed, seed as usize % plies);
                let position = *game.position();
                let to_move = position.side_to_move();
                for style in [false, true].map(|unicode| Style { color: false, unicode }) {
                    let text = format!("{}\nBlack 2, White 2 discs; {to_move} to move", draw(&game.any(), style));
                    assert_eq!(read::<N>(&text), Ok(position), "{text}");
                }
                assert_eq!(read::<N>(&super::super::draw(&position)), Ok(position));
            }
        }
        check::<8>(60);
        check::<6>(30);
        check::<4>(10);
    }

    #[test]
    fn reads_rows_with_and_without_names_and_digits() {
        let start = Position::default();
        let plain = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\nX";
        assert_eq!(read(plain), Ok(start));
        assert_eq!(read(&plain.replace('.', "0").replace('O', "2").replace('X', "1")), Ok(start));
        let bar = |row: &str| row.chars().fold("|".to_owned(), |line, square| format!("{line} {square} |"));
        let bars: Vec<_> = plain.lines().take(8).map(bar).collect();
        assert_eq!(read(&format!("{}\nto move: X", bars.join("\n"))), Ok(start));
        let grid = "+---".repeat(8) + "+";
        let rows = bars.join(&format!("\n  {grid}\n"));
        let text = format!("  {grid}\n{rows}\n  {grid}\nX to move");
        assert_eq!(read(&text), Ok(start), "{text}");
        let mut scanner = DiagramScanner::<8>::default();
        for line in text.lines() {
            assert!(scanner.may_continue() && (scanner.rows == 0 || scanner.accepts(line)), "{line}");
            scanner.add(line);
        }
        assert!(!scanner.may_continue());
        let numbered: Vec<_> =
            plain.lines().enumerate().map(|(at, row)| format!("{} {row} {}", at + 1, at + 1)).collect();
        let numbered = format!("  A B C D E F G H\n{}\n  A B C D E F G H\nturn: black", numbered[..8].join("\n"));
        assert_eq!(read(&numbered), Ok(start));
    }

    #[test]
    fn reports_the_line_that_is_wrong() {
        let rows = "........\n".repeat(7);
        assert_eq!(read::<8>(&rows), Err((64, "expected 8 rows, found 7".into())));
        let missing = "expected the side to move in the line after the rows, such as `X to move`";
        assert_eq!(read::<8>(&format!("{rows}........")), Err((72, missing.into())));
        let expected = "expected a row of 8 squares (X, O, -), found `...`";
        assert_eq!(read::<8>(&format!("{rows}...\nX")), Err((64, expected.into())));
    }
}
