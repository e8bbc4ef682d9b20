//! Diagrams: the board in lines from its upper row, as `play` prints it, then the men in hand and the side to move.
//!
//! ```text
//!  3  +-------+-------+
//!     |   \   |   /   |
//!  2  +------[B]------+
//!     |   /   |   \   |
//!  1  W-------+-------+
//!     a       b       c
//! White: 2 men in hand, 1 on the board; Black: 2 men in hand, 1 on the board; White to move
//! ```
//!
//! Men are `W w O o ○` and `B b X x ●`, empty points `+ . · _ *`. The names of rows and columns, the lines of the board and the brackets may be
//! missing. Without numbers of men in hand, there are none. A line with only the side to move, `White to move`, may also stand before the rows.

use std::fmt::Write as _;

use thiserror::Error;

use crate::game::{
    BoardDisplay as _, Color, FormatWriter, LineFormat, LocatedError, ParseError, ParsedRecord, Position as _,
    RecordScanner,
};
use crate::morris::{ArrangementError, Position, Variant};

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat {
        name: "diagram",
        aliases: &[],
        about: "a position in a line per row, then the men in hand and the side to move, as `play` prints it",
        of_games: false,
        detect: |text| {
            text.lines().next().is_some_and(|line| {
                row(line).is_some_and(|men| men.len() == points_in_row::<V>(0))
                    || (line.trim().contains(' ') && !line.contains(';') && side(line).is_some())
            })
        },
        parse: parse::<V>,
        scanner: Some(|| {
            let variant = std::marker::PhantomData;
            Box::new(DiagramScanner::<V> { rows: 0, has_side: false, is_wrong: false, ended: false, variant })
        }),
        split: None,
        writer: FormatWriter {
            game: None,
            position: Some(|entry| Ok(write(&entry.position.known::<Position<V>>()))),
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
    /// A line is not a row with the points of the board.
    #[error("expected a row of {expected} points (W, B, +), found `{found}`")]
    NotARow {
        /// The points of the row.
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
    #[error("expected the side to move in the line after the rows, such as `White to move`")]
    MissingSide,
    /// The men are not a position of the game.
    #[error(transparent)]
    Arrangement(ArrangementError),
}

/// Collects the lines of a diagram, with wrong ones, so that they are one error.
struct DiagramScanner<V> {
    rows: usize,
    has_side: bool,
    is_wrong: bool,
    ended: bool,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> RecordScanner for DiagramScanner<V> {
    fn add(&mut self, line: &str) {
        if side(line).is_some() {
            self.has_side = true;
            self.ended = self.rows > 0;
        } else {
            self.rows += usize::from(row(line).is_some());
            self.is_wrong |= self.rows < rows::<V>().len() && is_wrong_row(line);
        }
    }

    fn may_continue(&self) -> bool {
        !self.ended
    }

    fn accepts(&self, next: &str) -> bool {
        let is_complete = self.rows >= rows::<V>().len();
        if next.trim().is_empty() {
            return self.rows == 0 || (is_complete && !self.has_side);
        }
        let is_row = row(next).is_some() || (self.rows > 0 && is_wrong_row(next));
        let is_side = self.rows > 0 && !self.has_side && side(next).is_some();
        is_between_rows(next)
            || is_side
            || (is_complete && in_hand(next).is_some())
            || ((!is_complete || self.is_wrong) && is_row)
    }
}

/// Returns whether a line is not a row because of some characters.
fn is_wrong_row(line: &str) -> bool {
    let is_part = |c: char| is_line(c) || point(c).is_some();
    let wrong = line.chars().filter(|&c| !is_part(c) && !c.is_ascii_digit()).count();
    let is_other = super::moves::looks_like(line) || side(line).is_some() || in_hand(line).is_some();
    let parts = line.chars().filter(|&c| !c.is_whitespace() && is_part(c)).count();
    row(line).is_none() && !is_between_rows(line) && parts >= 2 * wrong.max(1) && !is_other
}

fn is_line(c: char) -> bool {
    "-|/\\[] \t".contains(c)
}

/// Reads a point of a row: empty or a man.
fn point(c: char) -> Option<Option<Color>> {
    match c {
        '+' | '.' | '·' | '_' | '*' => Some(None),
        'W' | 'w' | 'O' | 'o' | '○' => Some(Some(Color::White)),
        'B' | 'b' | 'X' | 'x' | '●' => Some(Some(Color::Black)),
        _ => None,
    }
}

/// Returns the number of characters before the first wrong one in a line that is not a row.
fn wrong_character(line: &str) -> usize {
    let named = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let start = line.chars().count() - named.chars().count();
    let wrong = named.chars().position(|c| !is_line(c) && point(c).is_none());
    wrong.map_or(line.trim_end().chars().count(), |at| start + at)
}

/// Returns the rows of the board from the upper one: the points of each, from the left.
fn rows<V: Variant>() -> Vec<Vec<usize>> {
    let layout = Position::<V>::layout();
    let mut rows: Vec<_> = (0..layout.rows)
        .map(|row| {
            let mut points: Vec<_> =
                (0..layout.points.len()).filter(|&point| layout.points[point].row == row).collect();
            points.sort_by_key(|&point| layout.points[point].column);
            points
        })
        .collect();
    rows.retain(|points| !points.is_empty());
    rows
}

fn points_in_row<V: Variant>(row: usize) -> usize {
    rows::<V>().get(row).map_or(0, Vec::len)
}

/// Reads the points of a row; `None` if a line is none.
fn row(line: &str) -> Option<Vec<Option<Color>>> {
    let mut points = Vec::new();
    for c in line.trim().trim_start_matches(|c: char| c.is_ascii_digit()).chars().filter(|&c| !is_line(c)) {
        points.push(point(c)?);
    }
    // A letter alone is the side to move.
    (points.len() > 1).then_some(points)
}

/// Returns whether a line has only lines of the board, or the names of the columns.
fn is_between_rows(line: &str) -> bool {
    let line = line.trim();
    let is_lines = line.contains(['|', '/', '\\']) && line.chars().all(|c| "|/\\- ".contains(c));
    let mut names = line.split_whitespace().peekable();
    is_lines || (names.peek() == Some(&"a") && names.all(|name| matches!(name.as_bytes(), [b'a'..=b'g'])))
}

/// Reads the side to move: `W`, `White to move`, or after other fields and a semicolon.
fn side(line: &str) -> Option<Color> {
    let field = line.rsplit(';').next()?.trim().to_lowercase();
    let name = field.strip_suffix("to move").or_else(|| field.strip_suffix("to play")).unwrap_or(&field).trim();
    match name {
        "white" | "w" => Some(Color::White),
        "black" | "b" => Some(Color::Black),
        _ => None,
    }
}

/// Reads the men in hand, by the index of the color: `White: 7 men in hand, 2 on the board; Black: ...`; `None` if a line has none.
fn in_hand(line: &str) -> Option<[u8; 2]> {
    let (mut hands, mut found) = ([0; 2], false);
    for field in line.split(';').filter(|field| field.contains("in hand")) {
        let (name, numbers) = field.split_once(':')?;
        let color = side(name)?;
        let number = numbers.split_whitespace().next()?.parse().ok()?;
        (hands[color.index()], found) = (number, true);
    }
    found.then_some(hands)
}

/// Reads the lines of a diagram.
fn parse<V: Variant>(text: &str) -> Result<ParsedRecord, Box<dyn LocatedError>> {
    let rows = rows::<V>();
    let (mut men, mut hands, mut mover) = ([0u32; 2], [0; 2], None);
    let (mut found, mut column) = (0, 1);
    for line in text.lines() {
        if let Some(points) = rows.get(found) {
            let is_side = side(line).is_some();
            if is_side && found > 0 {
                break;
            }
            match row(line) {
                Some(pieces) if pieces.len() == points.len() => {
                    for (&point, piece) in points.iter().zip(pieces) {
                        if let Some(color) = piece {
                            men[color.index()] |= 1 << point;
                        }
                    }
                    found += 1;
                }
                None if is_side => mover = side(line),
                None if is_between_rows(line) || line.trim().is_empty() => {}
                _ => {
                    let kind = DiagramErrorKind::NotARow { expected: points.len(), found: line.trim().to_owned() };
                    return Err(ParseDiagramError { column: column + wrong_character(line), kind }.into());
                }
            }
        } else {
            hands = in_hand(line).unwrap_or(hands);
            mover = side(line).or(mover);
        }
        column += line.chars().count() + 1;
    }
    let kind = match mover {
        _ if found < rows.len() => DiagramErrorKind::MissingRows { expected: rows.len(), found },
        None => DiagramErrorKind::MissingSide,
        Some(side) => match Position::<V>::new(hands, men, side) {
            Ok(position) => return Ok(crate::game::AnnotatedPosition::from(position).into()),
            Err(error) => DiagramErrorKind::Arrangement(error),
        },
    };
    Err(ParseDiagramError { column: column.min(text.chars().count() + 1), kind }.into())
}

/// Writes a position without the lines of the board.
fn write<V: Variant>(position: &Position<V>) -> String {
    let layout = Position::<V>::layout();
    let mut text = String::new();
    for points in rows::<V>() {
        let name = layout.points[points[0]].name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let mut line = format!(" {name}  ");
        for point in points {
            let start = 4 + 4 * layout.points[point].column;
            line += &" ".repeat(start - line.len());
            line.push(match position.piece_at(point) {
                None => '.',
                Some(Color::White) => 'W',
                Some(Color::Black) => 'B',
            });
        }
        text += &(line + "\n");
    }
    let hand = |color| position.hand(color);
    let (white, black, side) = (hand(Color::White), hand(Color::Black), position.side_to_move());
    let pieces = V::WORDS.pieces;
    write!(text, "White: {white} {pieces} in hand; Black: {black} {pieces} in hand; {side} to move")
        .expect("writing to a string cannot fail");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::first_record_lines;
    use crate::game::{any_game, random_game};
    use crate::morris::{Morabaraba, NineMensMorris, SixMensMorris, ThreeMensMorris};
    use crate::text::draw::{Style, draw};

    fn read<V: Variant>(text: &str) -> Result<Position<V>, (usize, String)> {
        match parse::<V>(text) {
            Ok(ParsedRecord::Position(entry)) => Ok(entry.position.known()),
            Ok(ParsedRecord::Games(_)) => panic!("a diagram is a position"),
            Err(error) => Err((error.column(), error.to_string())),
        }
    }

    fn check<V: Variant>() {
        for seed in 0..30 {
            let game = random_game::<Position<V>>(seed, 2 * seed as usize);
            let position = *game.position();
            let [white, black] = [Color::White, Color::Black].map(|color| position.hand(color));
            let mover = position.side_to_move();
            for style in [false, true].map(|unicode| Style { color: false, unicode }) {
                let text = format!(
                    "{}\nWhite: {white} men in hand, 2 on the board; Black: {black} men in hand, 2 on the board; {mover} to move",
                    draw(&game.any(), style)
                );
                assert_eq!(read::<V>(&text), Ok(position), "{text}");
                let format = any_game::<Position<V>>().format_of(text.lines().next().unwrap());
                assert_eq!(format.name, "diagram", "{text}");
                let mut scanner = (format.scanner.unwrap())();
                let mut lines = text.lines();
                scanner.add(lines.next().unwrap());
                for line in lines {
                    assert!(scanner.may_continue() && scanner.accepts(line), "{line}");
                    scanner.add(line);
                }
                assert!(!scanner.may_continue());
            }
            assert_eq!(read::<V>(&write(&position)), Ok(position), "{}", write(&position));
        }
    }

    #[test]
    fn reads_the_diagrams_of_this_program() {
        check::<NineMensMorris>();
        check::<Morabaraba>();
        check::<SixMensMorris>();
        check::<ThreeMensMorris>();
    }

    #[test]
    fn reads_rows_without_names_and_lines() {
        let position =
            read::<ThreeMensMorris>("+++\n.B.\nW · ·\nWhite: 2 men in hand; Black: 2 men in hand; W").unwrap();
        assert_eq!(position.to_string(), "2,2 a1 b2 W");
        assert_eq!(
            read::<ThreeMensMorris>("W+B\nBWW\n+B.\nblack to move").unwrap().to_string(),
            "0,0 a3,b2,c2 a2,b1,c3 B"
        );
    }

    #[test]
    fn the_side_may_stand_before_the_rows_and_wrong_rows_are_one_record() {
        let scan = |text: &str| {
            let format = any_game::<Position<ThreeMensMorris>>().format_of(text.lines().next().unwrap());
            assert_eq!(format.name, "diagram", "{text}");
            first_record_lines(&mut *(format.scanner.unwrap())(), text)
        };
        let rows = "+++\n.B.\nW++";
        let hands = "White: 2 men in hand; Black: 2 men in hand";
        for text in [
            format!("White to move\n{rows}\n{hands}"),
            format!("White to move\n\n{rows}\n{hands}"),
            format!("{rows}\n{hands}\nWhite to move"),
            format!("{rows}\n\n{hands}; W"),
        ] {
            assert_eq!(read::<ThreeMensMorris>(&text).unwrap().to_string(), "2,2 a1 b2 W", "{text}");
            assert_eq!(scan(&format!("{text}\n{rows}")), text.lines().count(), "{text}");
        }
        let drawn = "3  +---+---+\n   | \\ | / |\n2  +--[?]--+\n   | / | \\ |\n1  W---+---+\n   a   b   c\nW to move";
        assert_eq!(scan(&format!("{drawn}\na1 b2")), 7);
        assert_eq!(scan("+++\n+B\n+++\nW to move\na1"), 4);
        assert_eq!(scan("W+B\n.Q.\nW++\nWhite to move\na1 b2"), 4);
        assert_eq!(scan("+++\na1 b2\n+++"), 1);
        assert_eq!(scan("+++\nhello\n+++"), 1);
    }

    #[test]
    fn reports_the_line_that_is_wrong() {
        let error = |text: &str| read::<ThreeMensMorris>(text).unwrap_err();
        assert_eq!(error("+++\n+B\n+++\nW"), (7, "expected a row of 3 points (W, B, +), found `+B`".into()));
        assert_eq!(error("+++\n2 +-Q-+\n+++\nW").0, 9);
        assert_eq!(error("+++\n+B+"), (8, "expected 3 rows, found 2".into()));
        let missing = "expected the side to move in the line after the rows, such as `White to move`";
        assert_eq!(error("+++\n+B+\nW++"), (12, missing.into()));
        assert!(error("WWW\nW++\n+++\nW").1.contains("White"), "{:?}", error("WWW\nW++\n+++\nW"));
    }
}
