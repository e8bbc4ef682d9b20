//! [`PerftCounts`]: positions with the perft counts that a file expects for them.
//!
//! The position may be in any format of the game, and it may be given as moves. The counts come after it, in columns, or in lines of their own:
//!
//! ```text
//! f5d6c3 ;D1 4 ;D2 24                            as in EPD files of chess
//! position,depth,nodes                           CSV; also d1,d2,... for the depths
//! {"moves": "f5d6c3", "depth": 2, "nodes": 24}   JSON lines; also "perft": [4, 24]
//! position f5d6c3                                the tables of this crate, see `perft::Reference`
//! perft 2 24
//! ```

use std::collections::VecDeque;
use std::sync::Arc;

use super::columns::REMAINDER_COLUMN;
use super::count_text::{CountErrorKind, MAX_DEPTH, ParseCountError, find_counts, read_counts, whole_number};
use super::record::RecordProblem;
use super::{
    Input, InputFormat, ReadError, ReadTextError, Reader, Record, RecordError, json, line_reader, read_position,
};
use crate::game::{AnyGame, AnyMove, AnyPosition, ParsedRecord, Position as _};
use crate::output::Value;
use crate::perft::{Convention, OVERFLOWED, ReferenceLine};

/// The columns with the depth of a count, most preferred first.
const DEPTH_COLUMNS: [&str; 2] = ["depth", "plies"];

/// The column with a count in the rows of a check, beside the count found.
const EXPECTED_COLUMN: &str = "expected";

/// The other columns with a count, most preferred first.
pub(super) const COUNT_COLUMNS: [&str; 4] = ["nodes", "count", "leaves", "perft"];

/// A position and the counts that a file expects for it, or the error in the record.
#[derive(Debug)]
pub struct CountRecord {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of the line with the counts, from 1.
    pub line: u64,
    /// The bytes read from all inputs.
    pub bytes_read: u64,
    /// The text of the record.
    pub raw: String,
    /// The position with its counts.
    pub content: Result<CountedPosition, RecordError>,
}

/// A position and its expected counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedPosition {
    /// The position.
    pub position: AnyPosition,
    /// The convention of the counts, if the file names one.
    pub convention: Option<Convention>,
    /// Depths in plies, each with the number of leaves.
    pub counts: Vec<(u32, u64)>,
}

/// Reads positions with expected counts, one record after the other. Memory use does not depend on the size of the inputs.
pub struct PerftCounts {
    reader: Reader,
    /// The current position and convention of a table.
    position: Option<AnyPosition>,
    convention: Option<Convention>,
    /// The records of the last lines.
    pending: VecDeque<CountRecord>,
}

impl PerftCounts {
    /// Opens the inputs.
    ///
    /// # Errors
    /// [`ReadError`] for the first input that cannot be read.
    pub fn open(game: &'static dyn AnyGame, inputs: Vec<Input>) -> Result<Self, ReadError> {
        let reader = Reader::open(game, inputs, &InputFormat::default())?;
        Ok(Self { reader, position: None, convention: None, pending: VecDeque::new() })
    }

    /// Adds the counts of a record; a table also has records without counts.
    fn add(&mut self, record: Record) {
        let Record { file, line, bytes_read, raw, extra, content } = record;
        let made = |line, raw: &str, content| {
            let (file, raw) = (Arc::clone(&file), raw.to_owned());
            CountRecord { file, line, bytes_read, raw, content }
        };
        let is_text =
            |problem: &RecordProblem| matches!(problem, RecordProblem::Unreadable(_) | RecordProblem::Unrecognized(_));
        if let Err(error) = &content
            && !is_text(&error.problem)
        {
            self.pending.extend(content.err().map(|error| made(line, &raw, Err(error))));
            return;
        }
        let columns = CountColumns::new(self.reader.columns().names(), &extra);
        let is_in_text = || raw.lines().any(|line| find_counts(line).is_some() || is_table_line(line.trim()));
        let counts = match columns.counts(self.reader.columns().names()) {
            // The text has counts of its own.
            Err(
                CountErrorKind::EmptyColumn { .. }
                | CountErrorKind::EmptyColumns { .. }
                | CountErrorKind::NoColumn { .. },
            ) if is_in_text() => Ok(Vec::new()),
            counts => counts,
        };
        match counts {
            Ok(counts) if !counts.is_empty() => {
                let content = content.and_then(|content| columns.position(content, counts, line));
                self.pending.push_back(made(line, &raw, content));
            }
            Ok(_) => {
                // Lines that a reader of games takes together, such as numbered moves, may have counts each.
                let mut before = String::new();
                let mut last = None;
                for (number, text) in (line..).zip(raw.lines()) {
                    let text = String::from_utf8_lossy(line_reader::without_comment(text.as_bytes())).into_owned();
                    match self.line(&before, &text, number) {
                        Ok(None) if before.is_empty() && is_table_line(&text) => last = None,
                        Ok(None) => {
                            before = before + &text + "\n";
                            last = Some((number, text));
                        }
                        Ok(Some(counted)) => {
                            self.pending.push_back(made(number, &text, Ok(counted)));
                            (before, last) = (String::new(), None);
                        }
                        Err(error) => {
                            self.pending.push_back(made(number, &text, Err(error)));
                            (before, last) = (String::new(), None);
                        }
                    }
                }
                if let Some((number, text)) = last {
                    // The position may be invalid as well; that matters more.
                    let column = text.trim_end().chars().count() + 1;
                    let problem =
                        RecordProblem::Unreadable(ParseCountError { column, kind: CountErrorKind::NoCount }.into());
                    let error = content.err().unwrap_or(RecordError { line: number, column, problem });
                    self.pending.push_back(made(number, &raw, Err(error)));
                }
            }
            Err(kind) => {
                let problem = RecordProblem::Unreadable(ParseCountError { column: 1, kind }.into());
                self.pending.push_back(made(line, &raw, Err(RecordError { line, column: 1, problem })));
            }
        }
    }

    /// Reads a line; `None` if it has no counts. `before` is the text of the position in earlier lines.
    fn line(&mut self, before: &str, text: &str, line: u64) -> Result<Option<CountedPosition>, RecordError> {
        let fail = |column, kind| {
            let problem = RecordProblem::Unreadable(ParseCountError { column, kind }.into());
            RecordError { line, column, problem }
        };
        let game = self.reader.game();
        // The error of a position is in this line, unless it began before.
        let read = |text: &str, indent: usize, first: u64| {
            read_position(game, text).map_err(|error| match error {
                ReadTextError::Invalid(error) => {
                    let column = error.column + if error.line == 1 { indent } else { 0 };
                    RecordError { line: first + error.line - 1, column, problem: error.problem }
                }
                error => fail(indent + 1, CountErrorKind::Table("expected a position", error.to_string())),
            })
        };
        if let Some(at) = find_counts(text) {
            let counts =
                read_counts(&text[at..]).map_err(|(byte, kind)| fail(text[..at + byte].chars().count() + 1, kind))?;
            let position = format!("{before}{}", &text[..at]);
            let first = line - before.lines().count() as u64;
            let position = match (position.strip_prefix("position "), position.trim().is_empty()) {
                (_, true) => self.position.unwrap_or_else(|| game.start()),
                (Some(rest), _) => read(rest, "position ".len(), first).or_else(|_| read(&position, 0, first))?,
                (None, _) => read(&position, 0, first)?,
            };
            return Ok(Some(CountedPosition { position, convention: self.convention, counts }));
        }
        let trimmed = text.trim();
        if !is_table_line(trimmed) {
            return Ok(None);
        }
        let column = text.find(trimmed).map_or(1, |at| text[..at].chars().count() + 1);
        match ReferenceLine::read(trimmed)
            .map_err(|problem| fail(column, CountErrorKind::Table(problem, trimmed.to_owned())))?
        {
            ReferenceLine::Source(_) => Ok(None),
            ReferenceLine::Convention(name) => {
                self.convention = Some(name);
                Ok(None)
            }
            ReferenceLine::Position(rest) => {
                let indent = text.find(rest).map_or(0, |at| text[..at].chars().count());
                self.position = None;
                self.position =
                    Some(read(rest, indent, line).or_else(|error| read(trimmed, 0, line).map_err(|_| error))?);
                Ok(None)
            }
            ReferenceLine::Perft { depth, nodes } if depth <= MAX_DEPTH && nodes < OVERFLOWED => {
                let position = self.position.unwrap_or_else(|| game.start());
                Ok(Some(CountedPosition { position, convention: self.convention, counts: vec![(depth, nodes)] }))
            }
            ReferenceLine::Perft { .. } => {
                Err(fail(column + "perft ".len(), CountErrorKind::NotACount(trimmed["perft ".len()..].to_owned())))
            }
        }
    }
}

impl Iterator for PerftCounts {
    type Item = Result<CountRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.pending.pop_front() {
                return Some(Ok(record));
            }
            match self.reader.next()? {
                Ok(record) => self.add(record),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Returns whether a line begins with a keyword of a table of counts.
fn is_table_line(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    ["source", "position", "convention", "perft"].contains(&word)
}

/// The other columns of a record.
struct CountColumns(Vec<(String, Value)>);

impl CountColumns {
    /// Takes the columns of a record that have a value, and the further keys of a JSON object.
    fn new(names: &[String], values: &[Value]) -> Self {
        let mut columns = Vec::new();
        for (name, value) in names.iter().zip(values).filter(|(_, value)| **value != Value::Null) {
            match value {
                Value::Json(object) if name.starts_with(REMAINDER_COLUMN) => {
                    let members = json::members(object).unwrap_or_default();
                    columns.extend(members.into_iter().map(|(name, value)| (name, json::value(value))));
                }
                value => columns.push((name.clone(), value.clone())),
            }
        }
        Self(columns)
    }

    /// Returns the first of these columns with a value.
    fn first(&self, wanted: &[&str]) -> Option<&(String, Value)> {
        wanted.iter().find_map(|wanted| self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)))
    }

    /// Returns the expected counts; none if the record has no such columns. `names` are those of all columns, also of empty ones.
    fn counts(&self, names: &[String]) -> Result<Vec<(u32, u64)>, CountErrorKind> {
        let wrong = |column: &str, expected, value: &Value| CountErrorKind::Column {
            column: column.to_owned(),
            expected,
            found: value.to_string(),
        };
        const COUNT: &str = "a whole number";
        let mut counts = Vec::new();
        for (name, value) in &self.0 {
            let depth = name.strip_prefix(['d', 'D']).filter(|digits| !digits.starts_with('+'));
            if let Some(depth) = depth.and_then(|depth| depth.parse().ok()).filter(|&depth| depth <= MAX_DEPTH) {
                let count = whole_number(&value.to_string()).ok_or_else(|| wrong(name, COUNT, value))?;
                counts.push((depth, count));
            }
        }
        let count = self.first(&[EXPECTED_COLUMN]).or_else(|| self.first(&COUNT_COLUMNS));
        let depth = self.first(&DEPTH_COLUMNS);
        let named = |wanted: &[&str]| {
            wanted.iter().find_map(|wanted| names.iter().find(|name| name.eq_ignore_ascii_case(wanted)).cloned())
        };
        let missing = |wanted: &[&'static str], expected| match named(wanted) {
            Some(column) => CountErrorKind::EmptyColumn { column, expected },
            None => CountErrorKind::NoColumn { column: wanted[0], expected },
        };
        match (depth, count) {
            (Some((depth_name, depth)), Some((count_name, count))) => {
                let number = depth.to_string().trim().parse().ok().filter(|&depth| depth <= MAX_DEPTH);
                let number = number.ok_or_else(|| wrong(depth_name, "a depth of at most 255", depth))?;
                counts.push((number, whole_number(&count.to_string()).ok_or_else(|| wrong(count_name, COUNT, count))?));
            }
            // A list of counts begins at depth 1.
            (None, Some((name, Value::Json(list)))) => {
                let list: Vec<u64> = serde_json::from_str(list)
                    .map_err(|_| wrong(name, "a list of whole numbers", &Value::Json(list.clone())))?;
                counts.extend((1..).zip(list));
            }
            (None, Some(_)) if counts.is_empty() => {
                return Err(missing(&DEPTH_COLUMNS, "the depth in plies of the count"));
            }
            (Some(_), None) if counts.is_empty() => {
                return Err(missing(&COUNT_COLUMNS, "the number of leaves at the depth"));
            }
            (None, None) if counts.is_empty() => {
                if let (Some(depth), Some(count)) = (named(&DEPTH_COLUMNS), named(&COUNT_COLUMNS)) {
                    return Err(CountErrorKind::EmptyColumns { depth, count });
                }
            }
            _ => {}
        }
        Ok(counts)
    }

    /// Returns the position of a record. A row with a move, as `perft --divide` writes it, counts below the position after the move.
    fn position(
        &self,
        content: ParsedRecord,
        mut counts: Vec<(u32, u64)>,
        line: u64,
    ) -> Result<CountedPosition, RecordError> {
        let fail = |kind| {
            let problem = RecordProblem::Unreadable(ParseCountError { column: 1, kind }.into());
            RecordError { line, column: 1, problem }
        };
        let mut position = match content {
            ParsedRecord::Position(entry) => entry.position,
            ParsedRecord::Games(games) => match &games[..] {
                [game] => *game.game.position(),
                _ => return Err(fail(CountErrorKind::Table("expected a position", "several games".to_owned()))),
            },
        };
        let text = |name| self.first(&[name]).map(|(_, value)| value.to_string());
        let convention = text("convention").map(|name| name.parse::<Convention>()).transpose();
        let convention = convention
            .map_err(|error| fail(CountErrorKind::Table("invalid column `convention`", error.to_string())))?;
        if let Some(m) = text("move") {
            let m: AnyMove = position
                .parse_move(&m)
                .map_err(|error| fail(CountErrorKind::Table("invalid column `move`", error.to_string())))?;
            position = position.after(m);
            if !(m.is_pass() && convention == Some(Convention::FreePass)) {
                counts.iter_mut().for_each(|(depth, _)| *depth = depth.saturating_sub(1));
            }
        }
        Ok(CountedPosition { position, convention, counts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    /// Reads a text; each record as its line and `position: depth count, ...`, or its line, column and error.
    fn read(game: &str, text: &str) -> Vec<String> {
        let inputs = vec![Input::Text(text.to_owned())];
        let records = PerftCounts::open(games::get(game).unwrap(), inputs).unwrap();
        let shown = |record: CountRecord| match record.content {
            Ok(CountedPosition { position, convention, counts }) => {
                let counts: Vec<_> = counts.iter().map(|(depth, nodes)| format!("{depth} {nodes}")).collect();
                let convention = convention.map_or(String::new(), |name| format!(" {name}"));
                format!("{} {position}: {}{convention}", record.line, counts.join(", "))
            }
            Err(error) => format!("{}:{}: {error}", error.line, error.column),
        };
        records.map(|record| shown(record.unwrap())).collect()
    }

    const START: &str = "-----OX--XO----- X";
    const B1: &str = "-X---XX--XO----- O";

    #[test]
    fn reads_counts_after_positions_and_moves() {
        let text = format!(
            "{START} ;D1 4 ;D2 12\n# a comment\n\n{START};D1 4;D2 12;\nb1 ; d1 3; D2=11 # a\n1. b1 |D3: 1,234;id \"x\"\n;D1 4\nstart ;D1 4"
        );
        let both = format!("{START}: 1 4, 2 12");
        assert_eq!(
            read("othello-4x4", &text),
            [
                format!("1 {both}"),
                format!("4 {both}"),
                format!("5 {B1}: 1 3, 2 11"),
                format!("6 {B1}: 3 1234"),
                format!("8 {START}: 1 4")
            ]
        );
        let placed = "7,8 d2,d6 f4 B";
        let text = "1. d2 f4 2. d6 ;D1 21\n9,9 - - W; d2 f4 d6 ;D1 21\n7,8 d2,d6 f4 B;D1 21\n";
        assert_eq!(read("nine-mens-morris", text), [1, 2, 3].map(|line| format!("{line} {placed}: 1 21")));
        // A numbered list continues in the next line, but counts end it.
        let text = "1. d2 f4\n2. d6 ;D1 21\n1. d2 ;D1 23\n2. d2 ;D1 23\n";
        assert_eq!(read("nine-mens-morris", text)[..2], [format!("2 {placed}: 1 21"), "3 8,9 d2 - B: 1 23".to_owned()]);
    }

    #[test]
    fn reads_tables() {
        let rows = [format!("2 {START}: 2 12"), format!("3 {B1}: 1 3")];
        assert_eq!(read("othello-4x4", &format!("position,depth,nodes\n{START},2,12\nb1,1,3\n")), rows);
        assert_eq!(read("othello-4x4", "depth;moves;Count\n2;;12\n1;b1;3\n"), rows);
        assert_eq!(
            read("othello-4x4", &format!("position,d1,D2\nb1,3,11\n{START},4,\n")),
            [format!("2 {B1}: 1 3, 2 11"), format!("3 {START}: 1 4")]
        );
        // The word for the starting position, in every format.
        for text in ["position,depth,nodes\nstart,1,4\n", "nodes\tboard\tdepth\n4\tstart\t1", "moves;d1\n start ;4"] {
            assert_eq!(read("othello-4x4", text), [format!("2 {START}: 1 4")], "{text}");
        }
        assert_eq!(read("othello-4x4", "{\n\"moves\": \"start\",\n\"perft\": [4]\n}\n"), [format!("1 {START}: 1 4")]);
        let json =
            format!("{{\"moves\":[\"b1\"],\"depth\":1,\"leaves\":3}}\n{{\"moves\":\"{START}\",\"perft\":[4,12]}}\n");
        assert_eq!(read("othello-4x4", &json), [format!("1 {B1}: 1 3"), format!("2 {START}: 1 4, 2 12")]);
        // The rows of `perft --divide --format csv`.
        let divided = format!(
            "game,position,depth,move,nodes,time_ms,convention\nothello-4x4,{START},3,b1,11,,free-pass\nothello-4x4,{START},3,,44,1.5,free-pass\n"
        );
        assert_eq!(
            read("othello-4x4", &divided),
            [format!("2 {B1}: 2 11 free-pass"), format!("3 {START}: 3 44 free-pass")]
        );
        let table =
            "# A table.\nsource a, b; and c\nperft 1 4\n\nposition b1\nconvention free-pass\nperft 1 3\nperft  2 11\n";
        assert_eq!(
            read("othello-4x4", table),
            [format!("3 {START}: 1 4"), format!("7 {B1}: 1 3 free-pass"), format!("8 {B1}: 2 11 free-pass")]
        );
    }

    #[test]
    fn reports_the_first_wrong_character() {
        let no_count = CountErrorKind::NoCount.to_string();
        for (text, expected) in [
            (format!("{START}\nb1 ;D1 3"), format!("1:19: {no_count}")),
            ("b1a2 ;D1 4".to_owned(), "1:3: illegal move `a2` in ply 2: it flips no disc".to_owned()),
            (
                "  b1 ;D1 4;D2 x;D3 1".to_owned(),
                "1:12: expected a depth and a count such as `D2 12`, found `D2 x`".to_owned(),
            ),
            ("b1 ;D1 3;D300 1".to_owned(), "1:11: the depth `300` is greater than 255".to_owned()),
            ("start ;D300 4".to_owned(), "1:9: the depth `300` is greater than 255".to_owned()),
            (
                "start ;D2 99999999999999999999999".to_owned(),
                "1:11: the count `99999999999999999999999` is greater than 2^64 - 2, the largest supported count"
                    .to_owned(),
            ),
            (
                "start ;D2 12 bad".to_owned(),
                "1:14: unexpected `bad` after the count; separate counts by `;`, as in `;D1 4 ;D2 12`".to_owned(),
            ),
            (
                "start ;D2 12x".to_owned(),
                "1:8: expected a depth and a count such as `D2 12`, found `D2 12x`".to_owned(),
            ),
            (
                "position,depth,nodes\nb1,,3\n".to_owned(),
                "2:1: column `depth` is empty; write the depth in plies of the count".to_owned(),
            ),
            (
                "position,depth,nodes\nb1,1,\n".to_owned(),
                "2:1: column `nodes` is empty; write the number of leaves at the depth".to_owned(),
            ),
            (
                "position,Count\nb1,3\n".to_owned(),
                "2:1: no column `depth` with the depth in plies of the count; add it".to_owned(),
            ),
            ("perft 3".to_owned(), "1:1: expected `perft DEPTH NODES`: `perft 3`".to_owned()),
            ("position b1a2\n".to_owned(), "1:12: illegal move `a2` in ply 2: it flips no disc".to_owned()),
            ("perft 1 4\nconvention none\n".to_owned(), "2:1: unknown convention: `convention none`".to_owned()),
            (
                "position,depth,nodes\nb1,x,3\n".to_owned(),
                "2:1: column `depth`: expected a depth of at most 255, found `x`".to_owned(),
            ),
            (
                "position,depth,nodes\nb1,1,-3\n".to_owned(),
                "2:1: column `nodes`: expected a whole number, found `-3`".to_owned(),
            ),
            (
                "position,depth\nb1,1\n".to_owned(),
                "2:1: no column `nodes` with the number of leaves at the depth; add it".to_owned(),
            ),
            (
                "position,depth,nodes\nb1,,\n".to_owned(),
                "2:1: columns `depth` and `nodes` are empty; write the depth in plies and the number of leaves"
                    .to_owned(),
            ),
            (
                "{\"moves\":\"b1\",\"perft\":[1,-1]}\n".to_owned(),
                "1:1: column `perft`: expected a list of whole numbers, found `[1,-1]`".to_owned(),
            ),
        ] {
            let found = read("othello-4x4", &text);
            assert!(found.contains(&expected), "{text}: {found:?}");
        }
        // An invalid first line does not become a header.
        let found = read("othello-4x4", "b1a2 ;D1 4 ;D2 12\nb1 ;D1 3 ;D2 11\n");
        assert_eq!((found.len(), found[1].as_str()), (2, format!("2 {B1}: 1 3, 2 11").as_str()), "{found:?}");
        assert!(found[0].starts_with("1:3: illegal move"), "{found:?}");
    }
}
