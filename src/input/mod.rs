//! Positions and games in, out of files of any format and length.
//!
//! ```text
//! Input -> bytes (plain, gzip, zstd) -> lines | CSV | JSON lines | records of one size -> Record
//! ```
//!
//! A [`Reader`] goes through inputs one after the other and yields a [`Record`] for each position or game, with its place and, where the
//! input has columns beside it, with what stands in these. What a file is, is seen from how it begins: see [`Form`]. Whatever a record
//! holds, it is one record: one that is too long, not UTF-8 or not what it should be is handed on as bad, with where and why, and reading
//! goes on behind it. Memory does not grow with the length of the input. [`read_line`] is for what is typed instead.

mod binary;
mod columns;
mod form;
mod json;
mod lines;
mod reader;
mod record;
mod selection;
mod source;
mod tags;
#[cfg(test)]
mod tests;
mod typed;

pub use columns::Columns;
pub use form::{Form, UnknownFormat};
pub use reader::Reader;
pub use record::{MAX_RECORD_BYTES, Problem, Record, RecordError};
pub use selection::Selection;
pub use source::{Input, ReadError};
pub use tags::{result_fields, tag_fields, tells_of_games, tells_scores};
pub use typed::{MAX_TYPED_BYTES, read_line};
