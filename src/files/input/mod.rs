//! Reads positions and games from files of any format and size.
//!
//! ```text
//! Input -> bytes (plain, gzip, zstd) -> lines | CSV | JSON lines | binary records -> Record
//! ```
//!
//! A [`Reader`] reads inputs one after the other and yields a [`Record`] for each position or game,
//! with its location and the values of the other columns. The format of each input is detected from
//! its beginning: see [`InputFormat`]. A record that is too long, not UTF-8 or otherwise invalid
//! yields an error with its location, and reading continues after it. Memory use does not depend on
//! the size of the input. [`read_line`] reads interactive input.

mod beginning;
mod binary;
mod column_record;
mod columns;
mod csv;
mod csv_rows;
mod detect;
mod game_columns;
mod game_record;
mod interactive;
mod json;
mod json_lines;
mod json_records;
mod line_reader;
mod lines;
mod located_text;
mod reader;
mod record;
mod record_stream;
mod selection;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod text_formats;
mod work;

pub use columns::Columns;
pub use detect::{InputFormat, UnknownFormat};
pub use game_columns::{is_game_column, is_score_column, result_fields, tag_fields};
pub use game_record::GameRecord;
pub use interactive::{MAX_LINE_INPUT_BYTES, read_line};
pub use line_reader::{LineReader, NumberedLine};
pub use reader::Reader;
pub use record::{MAX_RECORD_BYTES, Record, RecordError, RecordProblem, UnrecognizedText};
pub use selection::Selection;
pub use source::{Input, ReadError};
pub use text::{ReadTextError, TextGame, read_game, read_position, read_text};
