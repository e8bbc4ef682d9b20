//! [`add`]: reads the first records of an input to find the columns of its rows. A single record is
//! not enough, because it may be a heading or lack columns that later records have.

use std::io;

use morello_core::game::ParsedRecord;

use super::columns::Columns;
use super::game_columns::is_tagged;
use super::record_stream::{DetectedStream, StreamContext};
use super::source::{Input, Stream};
use super::text_formats::TextFormats;
use crate::output::{ColumnType, Value};

/// The number of records that are read.
const MAX_RECORDS: usize = 256;

/// Adds information from the first records of an input: whether they are games, have metadata and
/// scores, and the types of the copied columns. Does not read anything from the stream that would
/// require waiting.
pub(super) fn add(
    format: &mut DetectedStream,
    stream: &mut Stream,
    input: &Input,
    formats: TextFormats,
) -> io::Result<()> {
    // All records of a binary format are of one kind.
    if format.records.is_some() {
        return Ok(());
    }
    let mut columns = Columns::default();
    format.columns.iter().for_each(|name| columns.add(name, ColumnType::default()));
    let context = StreamContext {
        input: input.clone(),
        file: "".into(),
        formats,
        nulls: columns.nulls(),
        columns,
        remainder: None,
    };
    let mut records = (format.open)(Stream::of_bytes(stream.sample()?), context)?;
    let (mut games, mut positions, mut errors, mut unread) = (false, false, false, false);
    for _ in 0..MAX_RECORDS {
        // The sample may end within a record.
        let Ok(Some(record)) = records.next() else { break };
        for (column, value) in format.column_types.iter_mut().zip(&*record.extra) {
            // JSON values have types; CSV cells are text.
            match value {
                Value::Text(text) if !format.is_typed => column.add(&Value::of_text(text)),
                value => column.add(value),
            }
        }
        unread |= record.content.as_ref().is_ok_and(|content| content.unread().next().is_some());
        match record.content {
            Ok(ParsedRecord::Position(entry)) => {
                positions = true;
                format.has_scores |= !entry.expected.is_empty();
            }
            Ok(ParsedRecord::Games(found)) => {
                games = true;
                format.has_tags |= found.iter().any(|game| is_tagged(&game.tags));
                format.has_scores |= found.iter().any(|game| game.tags.theoretical.is_some());
            }
            Err(_) => errors = true,
        }
        if format.columns.is_empty() && format.has_tags && format.has_scores {
            break;
        }
    }
    format.of_plain_positions = positions && !games && !errors && !unread;
    if games || positions {
        format.of_games = games;
    } else if errors && format.columns.is_empty() {
        // If no line can be read, the lines may be headings before games.
        format.of_games = true;
    }
    Ok(())
}
