//! CSV: rows with the position or game in one column.

use std::io;

use morello_core::game::{UnreadKind, UnreadText};

use super::beginning::{Beginning, StreamFormat, after_comments, invalid, is_skipped, too_many_columns};
use super::column_record::{self, ColumnRecord};
use super::columns::{
    self, CsvRowParser, DELIMITERS, MAX_COLUMNS, deduplicate_names, fields, is_of_games, is_record_column,
    record_column,
};
use super::csv_rows::{LookaheadBudget, next_row, skip_row};
use super::line_reader::LineReader;
use super::located_text::{LocatedText, Place};
use super::record::{Record, RecordError, RecordProblem};
use super::record_stream::{DetectedStream, RecordStream, StreamContext};
use super::source::Stream;

pub(super) const CSV: StreamFormat = StreamFormat {
    name: "csv",
    about: "comma-separated values with a header; one column holds positions or games",
    detect,
};

/// The header of a table.
#[derive(Clone)]
struct CsvHeader {
    delimiter: u8,
    names: Vec<String>,
    /// The column with the positions or games.
    column: usize,
    of_games: bool,
    /// The number of heading lines before the header.
    headings: usize,
}

/// The maximum number of heading lines before a header.
const MAX_HEADINGS: usize = 5;

/// Detects a table by the column names in its header, or else by its first row.
fn detect(beginning: &mut Beginning<'_>, line: &str, is_requested: bool) -> io::Result<Option<DetectedStream>> {
    let header = match by_names(beginning, line)? {
        None if !is_requested && beginning.column.is_some() => {
            let heads = DELIMITERS.into_iter().filter_map(|delimiter| fields(line, delimiter));
            return Err(beginning.no_column(&heads.max_by_key(Vec::len).unwrap_or_default()));
        }
        None if !is_requested && beginning.formats.can_parse(line) => None,
        None => match by_first_row(beginning, line, is_requested)? {
            None => after_headings(beginning)?,
            found => found,
        },
        found => found,
    };
    Ok(header.map(|header| {
        let others = header.names.iter().enumerate().filter(|(at, _)| *at != header.column);
        let columns: Vec<_> = others.map(|(_, name)| name.clone()).collect();
        let (of_games, has_tags) = (header.of_games, header.of_games && beginning.has_game_column(&columns));
        let open = move |stream, context| Csv::open(header.clone(), stream, context);
        DetectedStream::new(of_games, has_tags, open).with_columns(columns)
    }))
}

/// Detects the column with positions or games by its name.
fn by_names(beginning: &mut Beginning<'_>, line: &str) -> io::Result<Option<CsvHeader>> {
    for delimiter in DELIMITERS {
        // A row that ends within its line shows that the file uses bare carriage returns.
        let (first, rest) = line.split_once('\r').map_or((line, None), |(first, rest)| (first, Some(rest)));
        let Some(names) = fields(first, delimiter) else { continue };
        let names = deduplicate_names(names.into_iter().map(|name| name.trim().to_owned()).collect());
        let Some(column) = record_column(names.iter().map(String::as_str), beginning.column) else { continue };
        if names.len() > MAX_COLUMNS {
            return Err(too_many_columns());
        }
        if rest.is_some_and(|rest| !rest.trim().is_empty()) {
            return Err(invalid("lines end with a bare carriage return; end them with a line feed".to_owned()));
        }
        let of_games = if is_record_column(&names[column]) {
            is_of_games(&names[column])
        } else {
            let row = beginning.second_line()?.and_then(|row| fields(&row, delimiter)).unwrap_or_default();
            row.get(column).is_some_and(|cell| beginning.is_game(cell))
        };
        return Ok(Some(CsvHeader { delimiter, names, column, of_games, headings: 0 }));
    }
    Ok(None)
}

/// Detects the column with positions or games by the first row; `None` if the input is not a table.
fn by_first_row(beginning: &mut Beginning<'_>, line: &str, is_requested: bool) -> io::Result<Option<CsvHeader>> {
    let heads = DELIMITERS.into_iter().filter_map(|delimiter| Some((delimiter, fields(line, delimiter)?)));
    let Some((delimiter, names)) = heads.max_by_key(|(_, names)| names.len()) else { return Ok(None) };
    let formats = beginning.formats;
    let is_read = |text: &String| !text.trim().is_empty() && formats.can_parse(text.trim());
    // The first line of a multi-line game is not a header.
    let begins_game = formats.game.formats().iter().any(|format| format.scanner.is_some() && (format.detect)(line));
    if beginning.column.is_some() || names.iter().any(is_read) || ((names.len() < 2 || begins_game) && !is_requested) {
        return if is_requested { Err(beginning.no_column(&names)) } else { Ok(None) };
    }
    let row = beginning.second_line()?.and_then(|row| fields(&row, delimiter)).unwrap_or_default();
    let read: Vec<_> = row.iter().enumerate().filter(|(_, cell)| is_read(cell)).map(|(at, _)| at).collect();
    let names: Vec<_> = names.into_iter().map(|name| name.trim().to_owned()).collect();
    let is_name = |name: &String| {
        name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || " _-".contains(c))
    };
    let is_table = is_requested || (names.len() > 2 && names.len() == row.len() && names.iter().all(is_name));
    match read[..] {
        [_] if names.len() > MAX_COLUMNS => Err(too_many_columns()),
        [column] if row.len() == names.len() => {
            let of_games = beginning.is_game(&row[column]);
            Ok(Some(CsvHeader { delimiter, names: deduplicate_names(names), column, of_games, headings: 0 }))
        }
        [_, _, ..] => Err(beginning.no_column(&names)),
        _ if is_table => Err(beginning.no_column(&names)),
        _ => Ok(None),
    }
}

/// Detects a table by the column names in its header, after lines that are not records, such as the
/// title of a spreadsheet.
fn after_headings(beginning: &mut Beginning<'_>) -> io::Result<Option<CsvHeader>> {
    let sample = beginning.stream.sample()?;
    let lines: Vec<_> = beginning.lines(&sample).take(MAX_HEADINGS + 1).collect();
    let count = lines.iter().take_while(|line| !beginning.formats.can_parse(line)).count();
    for (headings, line) in lines.iter().enumerate().take(count).skip(1) {
        if let Some(header) = by_names(beginning, line)?.filter(|header| header.names.len() > 1) {
            return Ok(Some(CsvHeader { headings, ..header }));
        }
    }
    Ok(None)
}

struct Csv {
    lines: LineReader,
    context: StreamContext,
    header: CsvHeader,
    parser: CsvRowParser,
    lookahead: LookaheadBudget,
    /// The part of the rows to read, and the number of rows so far.
    shard: (u64, u64),
    rows: u64,
    /// The index of each copied column in the columns of all inputs.
    places: Vec<Option<usize>>,
    /// The headings before the first record.
    headings: Vec<UnreadText>,
}

impl Csv {
    fn open(header: CsvHeader, stream: Stream, context: StreamContext) -> io::Result<Self> {
        let mut lines = after_comments(stream, Some(&header.names[header.column]))?;
        let mut headings = Vec::new();
        while headings.len() < header.headings
            && let Some((line, text)) = lines.next_text()?
        {
            let bytes = text.as_ref().unwrap_or_else(|(raw, _)| raw);
            if !is_skipped(bytes.as_bytes(), None) {
                headings.push(UnreadText { line, column: 1, kind: UnreadKind::words(bytes.trim()) });
            }
        }
        // This line is the header.
        while lines.peek(0)?.is_some_and(|line| is_skipped(line, Some(&header.names[header.column]))) {
            lines.next()?;
        }
        lines.next()?;
        let place = |(at, name): (usize, &String)| context.columns.find(name).filter(|_| at != header.column);
        let places = header.names.iter().enumerate().map(place).collect();
        let parser = CsvRowParser::new(header.delimiter);
        let (lookahead, shard) = (LookaheadBudget::default(), (0, 1));
        Ok(Self { lines, context, header, parser, lookahead, shard, rows: 0, places, headings })
    }
}

impl RecordStream for Csv {
    fn next(&mut self) -> io::Result<Option<Record>> {
        let (part, parts) = self.shard;
        while self.rows % parts != part && skip_row(&mut self.lines, &mut self.parser, &mut self.lookahead)? {
            self.rows += 1;
        }
        let Some((line, row)) = next_row(&mut self.lines, &mut self.parser, &mut self.lookahead)? else {
            return Ok(None);
        };
        self.rows += 1;
        let mut record = match row {
            Ok((text, fields)) => self.record(line, text, &fields),
            Err((raw, error)) => self.context.record(line, raw, Err(error)),
        };
        record.take_unread(&mut self.headings);
        Ok(Some(record))
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes_read()
    }

    fn deal(&mut self, shard: (u64, u64)) -> io::Result<bool> {
        self.shard = shard;
        Ok(true)
    }
}

impl Csv {
    fn record(&self, line: u64, text: String, fields: &[String]) -> Record {
        let CsvHeader { names, column, .. } = &self.header;
        let mut extra = self.context.nulls.to_vec();
        for (place, field) in self.places.iter().zip(fields) {
            if let Some(place) = *place {
                extra[place] = self.context.columns.value_of(place, field);
            }
        }
        let row = CsvLine { header: &self.header, line, text: &text, fields };
        let cell = fields.get(*column).map(|cell| LocatedText::new(cell, row.place_of(*column)));
        let content = if fields.len() > names.len() {
            let problem = RecordProblem::TooManyFields { expected: names.len(), found: fields.len() };
            Err(RecordError { line, column: 1, problem })
        } else {
            column_record::read(self.context.formats, &row, &names[*column], cell.as_ref(), line)
        };
        let cell = cell.map_or_else(String::new, |cell| cell.text);
        let raw = if content.is_err() && cell.is_empty() { text } else { cell };
        Record { extra: extra.into(), ..self.context.record(line, raw, content) }
    }
}

/// A row of a table.
struct CsvLine<'a> {
    header: &'a CsvHeader,
    line: u64,
    text: &'a str,
    fields: &'a [String],
}

impl CsvLine<'_> {
    fn find(&self, column: &str) -> Option<usize> {
        let names = self.header.names.iter().take(self.fields.len()).enumerate();
        let mut others = names.filter(|(at, _)| *at != self.header.column);
        others.find(|(_, name)| name.eq_ignore_ascii_case(column)).map(|(at, _)| at)
    }

    /// Returns the place of a field. If quotes make it unknown, the column is 1.
    fn place_of(&self, at: usize) -> Place {
        let field = self.fields.get(at).map(String::as_str).unwrap_or_default();
        (self.line, 1 + columns::indent_of(self.text, self.header.delimiter, at, field).unwrap_or(0))
    }
}

impl ColumnRecord for CsvLine<'_> {
    fn value(&self, column: &str) -> Option<String> {
        self.find(column).map(|at| self.fields[at].clone())
    }

    fn place(&self, column: &str) -> Place {
        self.place_of(self.find(column).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use morello_core::games;

    use super::super::{Input, InputFormat, Reader, Record, unread_note};
    use crate::output::Value;

    fn read(text: &str) -> Vec<Record> {
        let othello = games::get("othello-4x4").expect("a game");
        let reader = Reader::open(othello, vec![Input::Text(text.to_owned())], &InputFormat::default());
        reader.expect("a table").map(|record| record.expect("no read error")).collect()
    }

    fn note(record: &Record) -> Option<String> {
        unread_note(0, record.content.as_ref().expect("a position").unread())
    }

    #[test]
    fn headings_before_the_header_are_left_out() {
        let records = read("\nClub games, spring\n\n2024\nelo;board\n12;-----OX--XO----- X\n7;-----OX--XO----- O\n");
        assert_eq!(
            records.iter().map(note).collect::<Vec<_>>(),
            [
                Some("line 2, column 1: left out: `Club games, spring`; line 4, column 1: left out: `2024`".to_owned()),
                None
            ]
        );
        let elos: Vec<_> = records.iter().map(|record| record.extra.to_vec()).collect();
        assert_eq!(elos, [[Value::Integer(12)], [Value::Integer(7)]]);
    }

    #[test]
    fn a_column_does_not_contradict_the_side_in_the_board() {
        let records = read("board,side,player\n-----OX--XO----- X,black,white\n-----OX--XO----- X,white,black\n");
        assert!(records[0].content.is_ok());
        let error = records[1].content.as_ref().expect_err("a contradiction");
        assert_eq!((error.line, error.column), (3, 20));
        let records = read("board,side\n-----OX--XO-----,2\n0000021001200000,-1\n0000021001200000,1\n");
        let sides = records.iter().map(|record| record.content.is_ok()).collect::<Vec<_>>();
        assert_eq!(sides, [true; 3]);
    }
}
