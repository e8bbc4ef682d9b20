//! Positions and games in, out of files of any format and length.
//!
//! ```text
//! Input -> bytes (plain, gzip, zstd) -> lines | CSV | JSON lines | records of one size -> Record
//! ```
//!
//! A [`Reader`] goes through inputs one after the other and yields a [`Record`] for each position or game, with its place and, where the
//! input has columns beside it, with what stands in these. What a file is, is seen from how it begins: see [`InputFormat`]. Whatever a record
//! holds, it is one record: one that is too long, not UTF-8 or not what it should be is handed on as bad, with where and why, and reading
//! goes on behind it. Memory does not grow with the length of the input. [`read_line`] is for what is typed instead.

mod binary;
mod columns;
mod detect;
mod game_columns;
mod interactive;
mod json;
mod line_reader;
mod reader;
mod record;
mod selection;
mod source;
#[cfg(test)]
mod tests;

pub use columns::Columns;
pub use detect::{InputFormat, UnknownFormat};
pub use game_columns::{is_game_column, is_score_column, result_fields, tag_fields};
pub use interactive::{MAX_LINE_INPUT_BYTES, read_line};
pub use reader::Reader;
pub use record::{MAX_RECORD_BYTES, Record, RecordError, RecordProblem};
pub use selection::Selection;
pub use source::{Input, ReadError};
