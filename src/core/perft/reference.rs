//! [`Reference`]: known perft values, in tables or after positions.
//!
//! ```text
//! # A comment.
//! source OEIS A124004         the source, position and convention of the values after them
//! position f5d6c3             in any text format of the game, or the moves that lead to it
//! convention ended-once
//! perft 2 24                  a depth and the number of leaves
//! f5d6c3 ;D1 4 ;D2 24         a position with its own values, as in EPD files of chess
//! ```

use thiserror::Error;

use self::ReferenceErrorKind as Kind;
use super::{Convention, OVERFLOWED, UnknownConvention};
use crate::game::format::opening;
use crate::game::{AnyGame, AnyPosition, LocatedError, ParseError, ParsedRecord};

/// The maximum depth of a value.
pub const MAX_DEPTH: u32 = 255;

/// A known perft value and its source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Reference {
    /// The root position.
    pub position: AnyPosition,
    /// The convention of the count.
    pub convention: Convention,
    /// The depth in plies.
    pub depth: u32,
    /// The number of leaves.
    pub nodes: u64,
    /// The source of the value.
    pub source: String,
}

/// A line of known values is invalid.
pub type ParseReferenceError = ParseError<ReferenceErrorKind>;

/// The kinds of errors in a line of known values.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReferenceErrorKind {
    /// The position is invalid.
    #[error("{0}")]
    Position(Box<dyn LocatedError>),
    /// The text contains several games instead of a position.
    #[error("expected a position, found several games")]
    SeveralGames,
    /// The convention is unknown.
    #[error("{0}")]
    Convention(UnknownConvention),
    /// No value follows the position.
    #[error("no count; write counts after the position, such as `;D1 4 ;D2 12`")]
    NoCount,
    /// A value is not a depth followed by a number of leaves.
    #[error("expected a depth up to {MAX_DEPTH} and a count up to 2^64 - 2, found `{0}`")]
    NotACount(String),
}

/// Reads lines of known values.
///
/// ```
/// use morello::games;
/// use morello::perft::{Convention, ReferenceReader};
///
/// let mut reader = ReferenceReader::new(games::get("othello")?, Convention::EndedOnce);
/// assert!(reader.read_line("source my program")?.is_empty());
/// let values = reader.read_line("f5d6c3 ;D1 4 ;D2 24")?;
/// assert_eq!((values[1].depth, values[1].nodes), (2, 24));
/// assert_eq!(values[1].source, "my program");
/// let error = reader.read_line("perft 2 many").unwrap_err();
/// assert_eq!(error.column, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ReferenceReader {
    /// The position, convention and source of the next value.
    next: Reference,
}

impl ReferenceReader {
    /// Creates a reader. `convention` is the convention of values without one.
    #[must_use]
    pub fn new(game: &dyn AnyGame, convention: Convention) -> Self {
        let next = Reference { position: game.start(), convention, depth: 0, nodes: 0, source: String::new() };
        Self { next }
    }

    /// Reads a line and returns its values, if it has any.
    ///
    /// # Errors
    /// [`ParseReferenceError`] with the column.
    pub fn read_line(&mut self, line: &str) -> Result<Vec<Reference>, ParseReferenceError> {
        let content = line.split('#').next().unwrap_or_default().trim();
        let (keyword, rest) = content.split_once(' ').unwrap_or((content, ""));
        let rest = rest.trim_start();
        match keyword {
            "" => {}
            "source" => rest.clone_into(&mut self.next.source),
            "position" => self.next.position = self.position(line, rest)?,
            "convention" => {
                let convention = rest.parse();
                self.next.convention = convention.map_err(|error| error_at(line, rest, Kind::Convention(error)))?;
            }
            "perft" => {
                let value = self.value(rest, self.next.position);
                return value.map(|value| vec![value]).ok_or_else(|| not_a_count(line, rest));
            }
            _ => return self.values_of_position(line, content),
        }
        Ok(Vec::new())
    }

    /// Reads a position with its values.
    fn values_of_position(&self, line: &str, content: &str) -> Result<Vec<Reference>, ParseReferenceError> {
        let start = content.match_indices(';').map(|(at, _)| at).find(|&at| begins_with_value(&content[at + 1..]));
        let (text, values) = content.split_at(start.unwrap_or(content.len()));
        let position = self.position(line, text.trim_end())?;
        if values.is_empty() {
            return Err(error_at(line, values, Kind::NoCount));
        }
        let value = |field: &str| {
            let value = field.strip_prefix(['D', 'd']).and_then(|value| self.value(value, position));
            value.ok_or_else(|| not_a_count(line, field))
        };
        values.split(';').map(str::trim).filter(|field| !field.is_empty()).map(value).collect()
    }

    /// Reads a depth and a number of leaves.
    fn value(&self, text: &str, position: AnyPosition) -> Option<Reference> {
        let (depth, nodes) = text.split_once(char::is_whitespace)?;
        let depth = depth.parse().ok().filter(|&depth| depth <= MAX_DEPTH)?;
        let nodes = nodes.trim_start().parse().ok().filter(|&nodes| nodes < OVERFLOWED)?;
        Some(Reference { position, depth, nodes, ..self.next.clone() })
    }

    /// Reads a position, or the moves that lead to it.
    fn position(&self, line: &str, text: &str) -> Result<AnyPosition, ParseReferenceError> {
        let game = self.next.position.game();
        // Not every format has the word for the starting position.
        if text == opening::START {
            return Ok(game.start());
        }
        let parsed = (game.format_of(text).parse)(text).map_err(|error| ParseError {
            column: column_of(line, text) + error.column() - 1,
            kind: Kind::Position(error),
        });
        match parsed? {
            ParsedRecord::Position(entry) => Ok(entry.position),
            ParsedRecord::Games(games) => match &games[..] {
                [game] => Ok(*game.game.position()),
                _ => Err(error_at(line, text, Kind::SeveralGames)),
            },
        }
    }
}

/// Returns whether a field begins with `D` and a depth. OBF move scores, such as `d3:+2`, look
/// similar.
fn begins_with_value(field: &str) -> bool {
    let depth = field.trim_start().strip_prefix(['D', 'd']).and_then(|value| value.split_whitespace().next());
    depth.is_some_and(|depth| depth.parse::<u32>().is_ok())
}

impl Reference {
    /// Returns the known values of a game.
    ///
    /// ```
    /// use morello::games;
    /// use morello::perft::{Reference, count};
    /// use morello::othello::Position;
    ///
    /// let start = games::get("othello")?.start();
    /// let known = Reference::known(start.game());
    /// let is_wanted = |value: &&Reference| value.position == start && value.depth == 5;
    /// let value = known.iter().find(is_wanted).expect("the table has it");
    /// assert_eq!(value.nodes, 1396);
    /// assert!(value.source.starts_with("OEIS A124004"));
    /// assert_eq!(count(&Position::default(), 5, value.convention), value.nodes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn known(game: &dyn AnyGame) -> Vec<Self> {
        Self::parse_table(game, game.info().known_perft).expect("a test reads the table of each game")
    }

    /// Reads a table of known values.
    ///
    /// ```
    /// use morello::games;
    /// use morello::perft::Reference;
    ///
    /// let othello = games::get("othello")?;
    /// let values = Reference::parse_table(othello, "position f5d6c3\nperft 2 24");
    /// let values = values.map_err(|(_line, error)| error)?;
    /// assert_eq!((values[0].depth, values[0].nodes), (2, 24));
    /// let (line, error) = Reference::parse_table(othello, "# values\nperft two 24").unwrap_err();
    /// assert_eq!((line, error.column), (2, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first error, with its line number, counted from 1.
    pub fn parse_table(game: &dyn AnyGame, text: &str) -> Result<Vec<Self>, (usize, ParseReferenceError)> {
        let mut reader = ReferenceReader::new(game, Convention::default());
        let mut values = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            values.extend(reader.read_line(line).map_err(|error| (number, error))?);
        }
        Ok(values)
    }
}

fn not_a_count(line: &str, text: &str) -> ParseReferenceError {
    error_at(line, text, Kind::NotACount(text.to_owned()))
}

fn error_at(line: &str, part: &str, kind: Kind) -> ParseReferenceError {
    ParseError { column: column_of(line, part), kind }
}

/// Returns the column, counted from 1, at which a part of a line begins.
fn column_of(line: &str, part: &str) -> usize {
    line[..part.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_game;
    use crate::othello::SizedPosition;

    const START: &str = "-----OX--XO----- X";
    const B1: &str = "-X---XX--XO----- O";

    /// Reads the lines of the text. Each value is returned as `position: depth nodes`, and an error
    /// with its line and column.
    fn read(text: &str) -> Vec<String> {
        let mut reader = ReferenceReader::new(any_game::<SizedPosition<4>>(), Convention::PassesCount);
        let mut found = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            match reader.read_line(line) {
                Ok(values) => found.extend(values.iter().map(|value| {
                    let Reference { position, convention, depth, nodes, source } = value;
                    format!("{position}: {depth} {nodes} {convention} {source}").trim_end().to_owned()
                })),
                Err(error) => found.push(format!("{number}:{}: {error}", error.column)),
            }
        }
        found
    }

    #[test]
    fn reads_values_after_positions_and_moves() {
        let text =
            format!("{START} ;D1 4 ;D2 12\n# a comment\n\n{START};d1 4;\n b1 ; D1  3 # a\nb1; ;D2 11\nstart ;D1 4");
        let value = |position: &str, value: &str| format!("{position}: {value} passes-count");
        let expected = [(START, "1 4"), (START, "2 12"), (START, "1 4"), (B1, "1 3"), (B1, "2 11"), (START, "1 4")];
        assert_eq!(read(&text), expected.map(|(position, nodes)| value(position, nodes)));
        // The scores of OBF are not values.
        assert_eq!(read(&format!("{START}; d3:+1; b1:-2; ;D1 4")), [value(START, "1 4")]);
    }

    #[test]
    fn reads_tables() {
        let table = "# A table.\nsource a, b; and c\nperft 1 4\n\nposition b1\nconvention free-pass\nperft  2 11\n";
        let expected = [format!("{START}: 1 4 passes-count a, b; and c"), format!("{B1}: 2 11 free-pass a, b; and c")];
        assert_eq!(read(table), expected);
    }

    #[test]
    fn reports_the_first_wrong_character() {
        let not_a_count = |text: &str| Kind::NotACount(text.to_owned()).to_string();
        for (line, expected) in [
            (START.to_string(), format!("1:19: {}", Kind::NoCount)),
            ("b1a2 ;D1 4".to_owned(), "1:3: illegal move `a2` at ply 2: it flips no disc".to_owned()),
            ("  b1 ;D1 4;D2 x;D3 1".to_owned(), format!("1:12: {}", not_a_count("D2 x"))),
            ("b1 ;D1 3;D300 1".to_owned(), format!("1:10: {}", not_a_count("D300 1"))),
            ("start ;D2 18446744073709551615".to_owned(), format!("1:8: {}", not_a_count("D2 18446744073709551615"))),
            ("start ;D2 12 bad".to_owned(), format!("1:8: {}", not_a_count("D2 12 bad"))),
            ("perft 3".to_owned(), format!("1:7: {}", not_a_count("3"))),
            ("position b1a2".to_owned(), "1:12: illegal move `a2` at ply 2: it flips no disc".to_owned()),
            (
                "convention none".to_owned(),
                "1:12: unknown perft convention `none` (known: passes-count, ended-once, free-pass)".to_owned(),
            ),
        ] {
            assert_eq!(read(&line), [expected], "{line}");
        }
    }
}
