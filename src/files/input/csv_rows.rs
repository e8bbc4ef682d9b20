//! [`next_row`]: reads CSV rows, which may span several lines.

use std::io;

use super::columns::{CsvRowParser, FeedResult};
use super::line_reader::{LineReader, NumberedLine, column_of};
use super::record::{MAX_RECORD_BYTES, RecordError, RecordProblem};

/// The text of a row, and its fields.
pub(super) type CsvRow = (String, Vec<String>);

/// The number of bytes that may be read ahead in vain in rows with an open quote.
///
/// After an unclosed quote, reading resumes at the next line. If many lines have unclosed quotes,
/// each of them would read the rest of the input again. The budget limits the bytes read in vain to
/// a multiple of the bytes in rows.
pub(super) struct LookaheadBudget(usize);

impl Default for LookaheadBudget {
    fn default() -> Self {
        Self(LOOKAHEAD_PER_BYTE * MAX_RECORD_BYTES)
    }
}

/// The number of bytes that may be read ahead in vain for each byte in rows.
const LOOKAHEAD_PER_BYTE: usize = 16;

impl LookaheadBudget {
    /// Adds the bytes of a row to the budget.
    fn add_row(&mut self, bytes: usize) {
        self.0 = (self.0 + LOOKAHEAD_PER_BYTE * (bytes + 1)).min(LOOKAHEAD_PER_BYTE * MAX_RECORD_BYTES);
    }
}

/// Returns the next CSV row that is not blank. If a quote is not closed, only the first line is
/// taken, so that the rows after it are not lost.
pub(super) fn next_row(
    lines: &mut LineReader,
    row: &mut CsvRowParser,
    lookahead: &mut LookaheadBudget,
) -> io::Result<Option<NumberedLine<CsvRow>>> {
    let Some((line, text)) = lines.next_text()? else { return Ok(None) };
    let mut text = match text {
        Ok(text) => text,
        Err(error) => return Ok(Some((line, Err(error)))),
    };
    let fail = |raw, line, column, problem| Err((raw, RecordError { line, column, problem }));
    row.clear();
    let (mut fed, mut start, mut further) = (row.feed(text.as_bytes(), lines.ending(0)), 0, 0);
    let first = text.len();
    let mut length = first;
    let limit = MAX_RECORD_BYTES.min(first + lookahead.0);
    let read = loop {
        match fed {
            FeedResult::Complete => break Ok((text, row.fields())),
            FeedResult::EndsAt(at) => {
                let column = text[start..start + at].chars().count() + 1;
                break fail(text, line + further as u64, column, RecordProblem::BareCarriageReturn);
            }
            FeedResult::InQuotes => {}
        }
        let ending = lines.ending(further);
        let next = lines.peek(further)?.filter(|next| text.len() + next.len() < limit);
        let Some(next) = next else {
            lookahead.0 = lookahead.0.saturating_sub(length - first);
            length = first;
            text.truncate(first);
            let column = text.rfind('"').map_or(1, |at| text[..at].chars().count() + 1);
            further = 0;
            break fail(text, line, column, RecordProblem::UnclosedQuote);
        };
        further += 1;
        match std::str::from_utf8(next) {
            Ok(next) => {
                start = text.len() + ending.len();
                text = text + ending + next;
                length = text.len();
                fed = row.feed(&text.as_bytes()[start..], lines.ending(further));
            }
            Err(error) => {
                let column = column_of(next, error);
                break fail(text, line + further as u64, column, RecordProblem::NotUtf8);
            }
        }
    };
    for _ in 0..further {
        lines.next()?;
    }
    lookahead.add_row(length);
    Ok(Some((line, read)))
}

/// Skips the next row. Returns whether there was one. Only a row with quotes is parsed.
pub(super) fn skip_row(
    lines: &mut LineReader,
    row: &mut CsvRowParser,
    lookahead: &mut LookaheadBudget,
) -> io::Result<bool> {
    while let Some(line) = lines.peek(0)? {
        if line.contains(&b'"') {
            return next_row(lines, row, lookahead).map(|row| row.is_some());
        }
        let (length, is_blank) = (line.len(), line.trim_ascii().is_empty());
        lines.next()?;
        if !is_blank {
            lookahead.add_row(length);
            return Ok(true);
        }
    }
    Ok(false)
}
