//! Diagrams: a position in as many lines as the board has rows, as programs print it, then the side
//! to move.
//!
//! ```
//! use morello::game::ParsedRecord;
//! use morello::games;
//!
//! let text = "- - - -\n- O X -\n- X O -\n- - - -\nX to move";
//! let othello = games::get("othello-4x4")?;
//! let diagram = othello.format_of(text);
//! assert_eq!(diagram.name, "diagram");
//! let ParsedRecord::Position(entry) = (diagram.parse)(text)? else { panic!("not a position") };
//! assert!(entry.position.is_start());
//! assert_eq!(
//!     diagram.write_position(&entry).and_then(Result::ok).as_deref(),
//!     Some("  a b c d\n1 - - - -\n2 - O X -\n3 - X O -\n4 - - - -\nX to move")
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   a b c d e f g h          00000000         3  +-------+-------+
//! 1 - - - - - - - -          00000000            |   \   |   /   |
//! ...                        ...              2  +------[B]------+
//! 4 - - - O X - - -          00021000            |   /   |   \   |
//! ...                        ...              1  W-------+-------+
//! X to move                  1                   a       b       c
//!                                             White: 2 men in hand; Black: 2 men in hand; White to move
//! ```
//!
//! | board | Black | White | empty | between the points of a row |
//! | --- | --- | --- | --- | --- |
//! | squares | `X x * b B 1 ●` | `O o w W 2 ○` | `- . · _ + 0` | blanks, bars and brackets |
//! | lines | `B b X x ●` | `W w O o ○` | `+ . · _ *` | blanks, brackets and `-` |
//!
//! Text may stand to the right of numbered rows of squares, as consoles print it; `* to move` and
//! `Turn: black` in this text give the side to move.
//!
//! The names of rows and columns and the lines between rows are optional. If the numbers of pieces
//! in hand are missing, they are 0. A line with only the side to move, `White to move`, may also
//! stand before the rows.

mod hands;

use thiserror::Error;

use super::color_words::{color_mark, color_word};
use super::label::is_wordy;
use crate::game::{
    AnnotatedPosition, AnyGame, AnyPosition, Color, GameError, Layout, LineFormat, LocatedError, ParseError,
    ParsedRecord, Playable, Position as _, RecordScanner, any_game,
};
use hands::UnclearHands;

/// More characters than any line of a diagram contains, not counting blanks. Longer lines are
/// rejected without comparing them with the layout.
const MAX_CHARACTERS: usize = 60;

/// Describes the format; `about` is its help line.
#[must_use]
pub const fn format<P: Playable>(about: &'static str) -> LineFormat {
    LineFormat {
        scanner: Some(|| Box::new(DiagramScanner::new(any_game::<P>()))),
        ..LineFormat::of_positions(
            "diagram",
            about,
            |text| looks_like(any_game::<P>(), text),
            |text| parse(any_game::<P>(), text),
            |entry| Ok(write(&entry.position)),
            &[],
        )
    }
}

/// Returns whether the first line of the text begins a diagram.
fn looks_like(game: &dyn AnyGame, text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let characters = line.chars().filter(|c| !c.is_whitespace()).count();
    (1..=MAX_CHARACTERS).contains(&characters) && Diagram::new(game).is_begun_by(line)
}

/// A text that is not a diagram.
pub type ParseDiagramError = ParseError<DiagramErrorKind>;

/// The kinds of errors in a diagram.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DiagramErrorKind {
    /// A line is neither a row nor the side to move.
    #[error("expected a row of {expected} {points}, found `{found}`")]
    NotARow {
        /// The number of points in the row.
        expected: usize,
        /// The name of the points, and how they are written.
        points: &'static str,
        /// The line.
        found: String,
    },
    /// Rows are missing.
    #[error("expected {expected} rows, found {found}")]
    MissingRows {
        /// The number of rows of the board.
        expected: usize,
        /// The number of rows found.
        found: usize,
    },
    /// Numbers of pieces are not clearly those in hand.
    #[error("expected the numbers in hand, such as `White: 7 men in hand; Black: 8 men in hand; White to move`")]
    UnclearHands,
    /// The side to move is missing.
    #[error("expected the side to move in the line after the rows, such as `{0} to move`")]
    MissingSide(&'static str),
    /// The pieces do not form a position of the game.
    #[error("{0}")]
    Arrangement(GameError),
}

/// The symbols of a kind of board. If there are several characters, the first is used for writing.
struct Symbols {
    empty: &'static str,
    /// Upper case.
    black: &'static str,
    /// Upper case.
    white: &'static str,
    /// The characters between the points of a row, besides blanks.
    filler: &'static str,
    /// The characters of lines between rows, besides blanks.
    frame: &'static str,
    points: &'static str,
    side: &'static str,
    /// The distance between two columns.
    step: usize,
}

const SQUARES: Symbols = Symbols {
    empty: "-.·_+0",
    black: "X*B1●",
    white: "OW2○",
    filler: "|[]()",
    frame: "+-=|",
    points: "squares (X, O, -)",
    side: "X",
    step: 2,
};

const LINES: Symbols = Symbols {
    empty: ".+·_*",
    black: "BX●",
    white: "WO○",
    filler: "-|/\\[]",
    frame: "|/\\-",
    points: "points (W, B, +)",
    side: "White",
    step: 4,
};

/// Reads the lines of the diagrams of a game.
struct Diagram {
    layout: Layout,
    /// The points of each row, from top to bottom and left to right.
    rows: Vec<Vec<usize>>,
    symbols: &'static Symbols,
}

impl Diagram {
    fn new(game: &dyn AnyGame) -> Self {
        let layout = game.layout();
        let mut rows = vec![Vec::new(); layout.rows];
        for column in 0..layout.columns {
            let points = layout.points.iter().enumerate().filter(|(_, point)| point.column == column);
            points.for_each(|(number, point)| rows[point.row].push(number));
        }
        rows.retain(|points| !points.is_empty());
        let symbols = if layout.lines.is_empty() { &SQUARES } else { &LINES };
        Self { layout, rows, symbols }
    }

    /// Reads a point: empty or a piece.
    fn point(&self, c: char) -> Option<Option<Color>> {
        let Symbols { empty, black, white, .. } = self.symbols;
        let c = c.to_ascii_uppercase();
        let piece = || [(black, Color::Black), (white, Color::White)].into_iter().find(|(all, _)| all.contains(c));
        if empty.contains(c) { Some(None) } else { piece().map(|(_, color)| Some(color)) }
    }

    /// Returns the characters of a line, with their places, that mean points or are wrong.
    fn points<'a>(&self, line: &'a str) -> impl Iterator<Item = (usize, char)> + Clone + use<'a> {
        let filler = self.symbols.filler;
        line.chars().enumerate().filter(move |&(_, c)| !c.is_whitespace() && !filler.contains(c))
    }

    /// Reads a row of `expected` points; `None` if the line is not such a row.
    fn row(&self, line: &str, expected: usize) -> Option<Vec<Option<Color>>> {
        let is_digit = |c: char| c.is_ascii_digit();
        let is_bar = |c: char| c.is_whitespace() || (c == '|' && self.layout.lines.is_empty());
        let trimmed = line.trim().trim_start_matches(is_bar);
        let unnamed = trimmed.trim_start_matches(is_digit);
        let has_mark = unnamed.len() < trimmed.len() && self.point('1').is_some();
        let unnamed = if has_mark { unnamed.trim_start_matches('.') } else { unnamed };
        // A digit that touches a square is a square too.
        let without_end = unnamed.trim_end_matches(is_digit);
        let without_end = if has_mark || without_end.ends_with(char::is_whitespace) { without_end } else { unnamed };
        let row = [trimmed, without_end].into_iter().find_map(|text| {
            let row: Option<Vec<_>> = self.points(text).map(|(_, c)| self.point(c)).collect();
            row.filter(|row| row.len() == expected)
        });
        row.or_else(|| self.row_and_text(line, expected).map(|(row, _)| row))
    }

    /// Reads a row of squares, after its number, and the text to the right of it, as consoles print
    /// it: `| 2 - - - - - - - - 2  Black to move`.
    fn row_and_text<'a>(&self, line: &'a str, expected: usize) -> Option<(Vec<Option<Color>>, &'a str)> {
        let named = line.trim_start_matches(|c: char| c.is_whitespace() || c == '|');
        let squares = named.trim_start_matches(|c: char| c.is_ascii_digit());
        let name = &named[..named.len() - squares.len()];
        let ends = self.points(squares).nth(expected - 1)?.0;
        let end = squares.char_indices().nth(ends + 1)?.0;
        let row: Option<Vec<_>> = self.points(&squares[..end]).map(|(_, c)| self.point(c)).collect();
        let text = squares[end..].trim_matches(|c: char| c.is_whitespace() || c == '|');
        let text = text.strip_prefix(name).filter(|after| after.starts_with(' ')).unwrap_or(text).trim();
        let is_split = self.layout.lines.is_empty() && !name.is_empty() && squares[end..].starts_with([' ', '|', '\t']);
        let is_text = is_wordy(text) || text.contains(['=', ':']);
        row.filter(|_| is_split && is_text).map(|row| (row, text))
    }

    /// Reads the side to move in the text to the right of a row.
    fn side_beside(&self, line: &str, expected: usize) -> Option<Color> {
        let text = self.row_and_text(line, expected)?.1.to_lowercase();
        let word = to_move(&text).and_then(|before| before.split_whitespace().last());
        let is_key = |key: &str| {
            ["turn", "move", "player"].iter().any(|word| key.contains(word))
                && !key.contains("last")
                && !key.contains("best")
        };
        let value = || text.split_once(':').filter(|(key, _)| is_key(key)).map(|(_, side)| side.trim());
        self.side_name(word.or_else(value)?)
    }

    /// Returns whether a line is blank, contains the column names, or belongs to the frame or grid
    /// around the points.
    fn is_between_rows(&self, line: &str) -> bool {
        let line = line.trim_matches(|c: char| c.is_whitespace() || (c == '|' && self.layout.lines.is_empty()));
        let [first, last] = [0, self.layout.columns - 1].map(|column| self.layout.column_name(column));
        let names: String = line.to_lowercase().split_whitespace().collect();
        let is_whole = names.starts_with(first) && names.ends_with(last) && names.chars().is_sorted_by(|a, b| a < b);
        // Text may follow the column names.
        let mut words = line.split_whitespace();
        let mut columns = 0..self.layout.columns;
        let is_header = is_whole
            || columns
                .all(|at| words.next().is_some_and(|word| word.eq_ignore_ascii_case(self.layout.column_name(at))));
        let has_frame = match self.layout.lines.is_empty() {
            true => line.len() > self.layout.columns && line.starts_with('+'),
            false => line.contains(['|', '/', '\\']),
        };
        let is_frame = has_frame && line.chars().all(|c| c == ' ' || self.symbols.frame.contains(c));
        line.is_empty() || is_header || (is_frame && self.row(line, self.rows[0].len()).is_none())
    }

    /// Returns whether a diagram begins at a line. Rows of more than three points may have one
    /// wrong character, or one point too many or too few. A frame or column names may precede the
    /// rows.
    fn is_begun_by(&self, line: &str) -> bool {
        let expected = self.rows[0].len();
        let count = line.chars().filter(|c| !c.is_whitespace()).count();
        let wrong = line.chars().filter(|&c| !c.is_whitespace() && self.point(c).is_none()).count();
        let is_near = wrong + count.abs_diff(expected) <= 1;
        self.side_line(line).is_some()
            || self.row(line, expected).is_some()
            || (expected > 3 && (is_near || self.is_between_rows(line)))
    }

    /// Returns the number at one end of a row of `expected` points.
    fn row_name<'a>(&self, line: &'a str, expected: usize) -> Option<&'a str> {
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '|');
        let digits = |text: &'a str| &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())];
        let (first, last) = (digits(line), line.split_whitespace().last().map(digits)?);
        // A digit may be a square.
        let is_name = |name: &str| !name.is_empty() && self.points(line).count() >= expected + name.len();
        [first, last].into_iter().find(|name| is_name(name))
    }

    /// Returns the pieces on the points. The first row is the top row, unless the row numbers show
    /// that it is the bottom row.
    fn pieces(&self, mut rows: Vec<Vec<Option<Color>>>, names: &[Option<&str>]) -> Vec<Option<Color>> {
        let name = |points: &Vec<usize>| self.layout.row_name(self.layout.points[points[0]].row);
        if self.rows.iter().rev().map(name).eq(names.iter().map(|name| name.unwrap_or_default())) {
            rows.reverse();
        }
        let mut pieces = vec![None; self.layout.points.len()];
        for (points, row) in self.rows.iter().zip(rows) {
            points.iter().zip(row).for_each(|(&point, piece)| pieces[point] = piece);
        }
        pieces
    }

    /// Returns the number of characters before the first wrong one in a line that is not a row.
    fn wrong_character(&self, line: &str, expected: usize) -> usize {
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        let digits = line.chars().skip(indent).take_while(char::is_ascii_digit).count();
        let is_named = digits > 0
            && (self.point('0').is_none() || line.chars().nth(indent + digits).is_some_and(char::is_whitespace));
        let start = indent + if is_named { digits } else { 0 };
        let points = self.points(line).skip_while(|&(at, _)| at < start);
        let wrong = points.enumerate().find(|&(count, (_, c))| self.point(c).is_none() || count >= expected);
        wrong.map_or(line.trim_end().chars().count(), |(_, (at, _))| at)
    }

    /// Reads the side to move: `X`, `Black to move`, `...; White to move` or `to move: O`.
    fn side(&self, line: &str) -> Option<Color> {
        let field = line.trim_start_matches(['|', ' ']).rsplit(';').next()?.trim().to_lowercase();
        match to_move(&field) {
            Some(before) => self.side_name(before.split_whitespace().last()?),
            // `Last move: Black` names the side that has moved.
            None => match field.rsplit_once(':') {
                Some((key, side)) => self.side_name(side.trim()).filter(|_| is_side_key(key)),
                None => self.side_name(&field),
            },
        }
    }

    /// Reads a line that contains only the side to move, `Black to move`.
    fn side_line(&self, line: &str) -> Option<Color> {
        self.side_name(to_move(&line.trim_start_matches(['|', ' ']).trim_end().to_lowercase())?.trim())
    }

    fn side_name(&self, name: &str) -> Option<Color> {
        match name {
            name if name.chars().nth(1).is_some() => color_word(name),
            _ => self.point(name.chars().next()?)?,
        }
    }

    /// Returns whether a line counts the discs of both sides, as consoles print it: `Black: 2  White: 2`.
    fn is_disc_count(&self, line: &str) -> bool {
        let words: Vec<&str> = line.split([' ', ':', '=', ',']).filter(|word| !word.is_empty()).collect();
        let is_count = |pair: &[&str]| color_mark(pair[0]).is_some() && pair[1].parse::<u32>().is_ok();
        self.layout.lines.is_empty() && words.len() == 4 && words.chunks(2).all(is_count)
    }

    /// Reads the numbers of pieces in hand, indexed by color; all `None` in games without them.
    fn hands(&self, line: &str) -> Result<[Option<u32>; 2], UnclearHands> {
        if self.layout.lines.is_empty() { Ok([None; 2]) } else { hands::read(line) }
    }
}

/// Returns whether a word before a colon, `turn: black`, says that a side is to move.
fn is_side_key(key: &str) -> bool {
    let contains = |words: &[&str]| words.iter().any(|word| key.contains(word));
    contains(&["turn", "move", "play", "side", "next", "color", "zug"]) && !contains(&["last", "best"])
}

fn to_move(line: &str) -> Option<&str> {
    ["to move", "to play", "am zug"].into_iter().find_map(|words| line.strip_suffix(words))
}

/// Collects the lines of a diagram. Wrong rows are included, so that the diagram is one error.
struct DiagramScanner {
    game: &'static dyn AnyGame,
    diagram: Diagram,
    rows: usize,
    has_side: bool,
    ended: bool,
}

impl DiagramScanner {
    fn new(game: &'static dyn AnyGame) -> Self {
        Self { game, diagram: Diagram::new(game), rows: 0, has_side: false, ended: false }
    }

    /// Returns whether a line is a row of `expected` points, possibly with wrong or missing points.
    fn is_like_row(&self, line: &str, expected: usize) -> bool {
        let points = self.diagram.points(line);
        let count = points.clone().count();
        let right = points.filter(|&(_, c)| self.diagram.point(c).is_some()).count();
        let is_similar = right == count || (right + 2 >= expected && 2 * right >= count);
        let is_game = || self.game.formats().iter().any(|format| format.of_games && (format.detect)(line));
        self.diagram.row(line, expected).is_some() || ((1..=expected + 4).contains(&count) && is_similar && !is_game())
    }
}

impl RecordScanner for DiagramScanner {
    fn add(&mut self, line: &str) {
        let (has_side, is_complete) = (self.diagram.side(line).is_some(), self.rows == self.diagram.rows.len());
        if is_complete {
            self.ended = has_side;
        } else if self.rows == 0 && has_side {
            self.has_side = true;
        } else if self.diagram.side_line(line).is_some() {
            // Between rows, the side to move ends an incomplete diagram.
            self.ended = true;
        } else {
            let expected = self.diagram.rows[self.rows].len();
            self.has_side |= self.diagram.side_beside(line, expected).is_some();
            self.rows += usize::from(!self.diagram.is_between_rows(line));
        }
    }

    fn may_continue(&self) -> bool {
        !self.ended
    }

    fn accepts(&self, next: &str) -> bool {
        let row = self.diagram.rows.get(self.rows).map(Vec::len);
        if next.trim().is_empty() {
            return self.rows == 0 || (row.is_none() && !self.has_side);
        }
        let is_side_line = self.diagram.side_line(next).is_some();
        self.diagram.is_between_rows(next)
            || match row {
                Some(expected) => self.is_like_row(next, expected) || (self.rows > 0 && is_side_line),
                None if is_side_line => !self.has_side,
                None => {
                    self.diagram.side(next).is_some()
                        || self.diagram.hands(next) != Ok([None; 2])
                        || (self.diagram.is_disc_count(next) && !self.has_side)
                }
            }
    }
}

/// Reads the lines of a diagram.
fn parse(game: &dyn AnyGame, text: &str) -> Result<ParsedRecord, Box<dyn LocatedError>> {
    let diagram = Diagram::new(game);
    let expected = diagram.rows.len();
    let (mut rows, mut in_hand, mut mover) = (Vec::with_capacity(expected), [0; 2], None);
    let (mut names, mut column) = (Vec::with_capacity(expected), 1);
    for line in text.lines() {
        let points = diagram.rows.get(rows.len());
        let side = diagram.side(line).filter(|_| rows.is_empty() || points.is_none());
        let hands = if points.is_none() { diagram.hands(line) } else { Ok([None; 2]) };
        let Ok(hands) = hands else {
            return Err(ParseDiagramError { column, kind: DiagramErrorKind::UnclearHands }.into());
        };
        if let Some((points, row)) = points.and_then(|points| Some((points, diagram.row(line, points.len())?))) {
            mover = mover.or_else(|| diagram.side_beside(line, points.len()));
            names.push(diagram.row_name(line, points.len()));
            rows.push(row);
        } else if points.is_none() && (mover.is_some() || side.is_some() || hands != [None; 2]) {
            in_hand.iter_mut().zip(hands).for_each(|(known, hand)| *known = hand.unwrap_or(*known));
            mover = side.or(mover);
        } else if side.is_some() {
            mover = side;
        } else if points.is_some() && diagram.side_line(line).is_some() {
            break;
        } else if points.is_none() && diagram.is_disc_count(line) {
            // The line with the side follows.
        } else if !diagram.is_between_rows(line) {
            let expected = points.unwrap_or(&diagram.rows[0]).len();
            let kind =
                DiagramErrorKind::NotARow { expected, points: diagram.symbols.points, found: line.trim().to_owned() };
            return Err(ParseDiagramError { column: column + diagram.wrong_character(line, expected), kind }.into());
        }
        column += line.chars().count() + 1;
    }
    let kind = match mover {
        _ if rows.len() < expected => DiagramErrorKind::MissingRows { expected, found: rows.len() },
        None => DiagramErrorKind::MissingSide(diagram.symbols.side),
        Some(side) => match game.arrange(&diagram.pieces(rows, &names), in_hand, side) {
            Ok(position) => return Ok(ParsedRecord::Position(AnnotatedPosition::from(position))),
            Err(error) => DiagramErrorKind::Arrangement(error),
        },
    };
    Err(ParseDiagramError { column: column.min(text.chars().count() + 1), kind }.into())
}

/// Writes a position without the lines of the board.
pub(crate) fn write(position: &AnyPosition) -> String {
    let Diagram { layout, rows, symbols } = Diagram::new(position.game());
    let add = |line: &mut String, column: usize, text: &str| {
        *line += &format!("{text:>0$}", symbols.step * (column + 1) + 1 - line.len());
    };
    let symbol = |piece: Option<Color>| match piece {
        None => &symbols.empty[..1],
        Some(Color::Black) => &symbols.black[..1],
        Some(Color::White) => &symbols.white[..1],
    };
    let mut header = String::new();
    (0..layout.columns).for_each(|column| add(&mut header, column, layout.column_name(column)));
    let mut lines = if layout.lines.is_empty() { vec![header] } else { Vec::new() };
    for points in rows {
        let mut line = " ".repeat(symbols.step / 2 - 1) + layout.row_name(layout.points[points[0]].row);
        points.iter().for_each(|&point| {
            add(&mut line, layout.points[point].column, symbol(position.piece_at(point)));
        });
        lines.push(line);
    }
    let (side, pieces) = (position.side_to_move(), position.game().info().terminology.pieces);
    lines.push(match (position.in_hand(Color::White), position.in_hand(Color::Black)) {
        (Some(white), Some(black)) => {
            format!("White: {white} {pieces} in hand; Black: {black} {pieces} in hand; {side} to move")
        }
        _ => format!("{} to move", symbol(Some(side))),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests;
