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
//! The line with only the side to move may also stand before the rows. The names of columns and rows may be missing. Squares may be separated by spaces, bars or brackets, and rows by lines such as `+---+---+`.
//! Black is any of `X x * b B 1 ●`, White any of `O o w W 2 ○`, and an empty square any of `- . · _ + 0`.

use thiserror::Error;

use super::{board, transcript};
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
            line.lines().next().is_some_and(|line| {
                is_header::<N>(line) || is_frame::<N>(line) || side_line(line).is_some() || is_first_row::<N>(line)
            })
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

/// Collects the lines of a diagram, with those of wrong rows, so that they are one error.
#[derive(Default)]
struct DiagramScanner<const N: usize> {
    rows: usize,
    has_side: bool,
    ended: bool,
}

impl<const N: usize> RecordScanner for DiagramScanner<N> {
    fn add(&mut self, line: &str) {
        if side_line(line).is_some() && self.rows < N {
            // The side may stand before the rows; between them it ends an incomplete diagram.
            (self.has_side, self.ended) = (true, self.rows > 0);
        } else if self.rows == N {
            self.ended = side(line).is_some();
        } else if !line.trim().is_empty() && !is_header::<N>(line) && !is_frame::<N>(line) {
            self.rows += 1;
        }
    }

    fn may_continue(&self) -> bool {
        !self.ended
    }

    fn accepts(&self, next: &str) -> bool {
        if next.trim().is_empty() {
            return self.rows == 0 || (self.rows == N && !self.has_side);
        }
        is_frame::<N>(next)
            || match self.rows {
                0 => is_header::<N>(next) || is_like_row::<N>(next),
                rows if rows < N => is_like_row::<N>(next) || side_line(next).is_some(),
                _ => is_header::<N>(next) || (side(next).is_some() && (!self.has_side || side_line(next).is_none())),
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

/// Returns whether a line is a row, perhaps with one wrong character, or one more or less.
fn is_first_row<const N: usize>(line: &str) -> bool {
    let count = line.chars().filter(|c| !c.is_whitespace()).count();
    let wrong = line.chars().filter(|&c| !c.is_whitespace() && square(c).is_none()).count();
    row::<N>(line).is_some() || ((N - 1..=N + 1).contains(&count) && wrong + count.abs_diff(N) <= 1)
}

/// Returns whether a line is a row, perhaps one with wrong or missing squares.
fn is_like_row<const N: usize>(line: &str) -> bool {
    let is_square = |c: &char| square(*c).is_some();
    let others = line.chars().filter(|c| !c.is_whitespace() && !"|[]()".contains(*c));
    let (squares, count) = (others.clone().filter(is_square).count(), others.count());
    let is_similar = count <= N + 4 && (squares == count || squares + 2 >= N) && count > 0;
    row::<N>(line).is_some() || (is_similar && !transcript::begins(line))
}

/// Returns the number of characters before the first wrong one in a line that is not a row.
fn wrong_character<const N: usize>(line: &str) -> usize {
    let indent = line.chars().take_while(|c| c.is_whitespace()).count();
    let digits = line.chars().skip(indent).take_while(char::is_ascii_digit).count();
    let is_named = digits > 0 && line.chars().nth(indent + digits).is_some_and(char::is_whitespace);
    let start = indent + if is_named { digits } else { 0 };
    let mut squares = 0;
    let mut places = line.chars().enumerate().skip(start).filter(|(_, c)| !c.is_whitespace() && !"|[]()".contains(*c));
    let wrong = places.find(|&(_, c)| {
        squares += 1;
        square(c).is_none() || squares > N
    });
    wrong.map_or(line.trim_end().chars().count(), |(at, _)| at)
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
    match to_move(&line) {
        Some(before) => side_name(before.split_whitespace().last()?),
        None => side_name(line.rsplit(':').next()?.trim()),
    }
}

/// Reads a line that is only the side to move, `Black to move`, and may stand before the rows.
fn side_line(line: &str) -> Option<Color> {
    side_name(to_move(&line.trim().to_lowercase())?.trim())
}

fn to_move(line: &str) -> Option<&str> {
    line.strip_suffix("to move").or_else(|| line.strip_suffix("to play"))
}

fn side_name(name: &str) -> Option<Color> {
    match name {
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
        } else if rows == 0 && mover.is_none() && side_line(line).is_some() {
            mover = side_line(line);
        } else if rows == N
            && let Some(side) = side(line)
        {
            mover = Some(side);
        } else if rows < N && side_line(line).is_some() {
            break;
        } else if !line.trim().is_empty() && !is_header::<N>(line) && !is_frame::<N>(line) {
            let kind = DiagramErrorKind::NotARow { expected: N, found: line.trim().to_owned() };
            return Err(ParseDiagramError { column: column + wrong_character::<N>(line), kind }.into());
        }
        column += line.chars().count() + 1;
    }
    let kind = match mover {
        _ if rows < N => DiagramErrorKind::MissingRows { expected: N, found: rows },
        None => DiagramErrorKind::MissingSide,
        Some(mover) => return Ok(board::parse::<N>(&format!("{squares} {}", letter(mover)))?.into()),
    };
    Err(ParseDiagramError { column: column.min(text.chars().count() + 1), kind }.into())
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::first_record_lines;
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
        assert_eq!(read::<8>(&format!("{rows}...\nX")), Err((67, expected.into())));
        let wrong = |row: &str| read::<8>(&format!("........\n{row}\nX")).unwrap_err().0;
        assert_eq!(["...Q....", "2 . . . q . . . .", ".........", "|.|.|"].map(wrong), [13, 18, 18, 15]);
        assert_eq!(read::<8>("........\n\nX to move"), Err((11, "expected 8 rows, found 1".into())));
    }

    /// Returns the number of lines that belong to a diagram.
    fn scan(text: &str) -> usize {
        first_record_lines(&mut DiagramScanner::<8>::default(), text)
    }

    #[test]
    fn the_side_may_stand_before_the_rows() {
        let rows = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\n";
        let start = Position::default();
        for text in [
            format!("Black to move\n{rows}"),
            format!("X to play\n\n{rows}"),
            format!("{rows}Black to move"),
            format!("{rows}\n* to move"),
        ] {
            assert_eq!(read::<8>(&text), Ok(start), "{text}");
            assert_eq!(scan(&format!("{text}\n{rows}")), text.lines().count(), "{text}");
            let detected = <Position as crate::game::Notation>::formats().iter().find(|f| (f.detect)(&text)).unwrap();
            assert_eq!(detected.name, "diagram");
        }
        assert_eq!(read::<8>(&format!("White to move\n{rows}")).unwrap().side_to_move(), Color::White);
    }

    #[test]
    fn a_diagram_with_wrong_rows_is_one_record() {
        let rows = |wrong: &str| format!("........\n........\n{wrong}\n{}X to move", "........\n".repeat(5));
        for wrong in ["...Q....", "......", ".........", "3 . . . ? . . . ."] {
            assert_eq!(scan(&format!("{}\nf5d6", rows(wrong))), 9, "{wrong}");
        }
        assert_eq!(scan(&format!("...Q....\n{}X to move\nf5", "........\n".repeat(7))), 9);
        assert!(["...Q....", ".......", "........."].map(|row| (format::<8>().detect)(row)) == [true; 3]);
        assert!(["...Q.Q..", "f5d6c3", "hello123", "......"].map(|row| (format::<8>().detect)(row)) == [false; 4]);
        assert_eq!(scan("........\n........\nX to move\nf5"), 3);
        for other in ["f5d6c3", "1. f5 d6", "hello", "(;GM[Othello]", &Position::default().to_string()] {
            assert_eq!(scan(&format!("........\n........\n{other}")), 2, "{other}");
        }
    }
}
