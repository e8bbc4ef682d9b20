//! Reads positions and games from files of any format and size.
//!
//! ```
//! use morello::game::{Color, Game};
//! use morello::games;
//! use morello::input::{Input, Reader};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("club.pgn");
//! std::fs::write(&path, "[Black \"Anna\"]\n[White \"Bob\"]\n[Result \"40-24\"]\n\n1. f5 d6 2. c3 d3 3. c4 40-24\n")?;
//!
//! for record in Reader::of(games::get("othello")?, Input::File(path))? {
//!     for annotated in record?.into_games()? {
//!         assert_eq!(annotated.tags.names, [Some("Anna".to_owned()), Some("Bob".to_owned())]);
//!         assert_eq!(annotated.tags.result.map(|result| result.points), Some(16.0));
//!         // Replay the game on a separate board.
//!         let mut replay = Game::new(*annotated.game.start());
//!         for &m in annotated.game.moves() {
//!             replay.play(m)?;
//!         }
//!         assert_eq!(replay.moves().len(), 5);
//!         assert!(replay.points(Color::Black).is_none(), "the moves do not end the game");
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To read one position or game from text, use [`read_position`], [`read_game`] or [`read_text`].
//!
//! ```text
//! Input -> bytes (plain, gzip, zstd, bzip2, xz, file of a zip archive, rows of Parquet)
//!       -> lines | CSV | JSON lines | binary records -> Record
//! ```
//!
//! A [`Reader`] reads inputs one after the other and yields a [`Record`] for each position or game,
//! with its place and the values of the other columns. The format of each input is detected from
//! its beginning (see [`InputFormat`]). A record that is too long, not UTF-8 or otherwise invalid
//! yields an error with its place, and reading continues after it. Memory use does not depend on
//! the size of the input. [`read_line`] reads interactive input.

mod beginning;
mod binary;
mod column_record;
mod columns;
mod csv;
mod csv_rows;
mod detect;
mod folder;
mod game_columns;
mod game_record;
mod interactive;
mod json;
mod json_lines;
mod json_records;
mod line_reader;
mod lines;
mod links;
mod located_text;
mod random_start;
mod read_ahead;
mod reader;
mod record;
mod record_stream;
mod sample;
mod selection;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod text_formats;
mod unread;
mod work;
mod xot;

pub use columns::{Column, Columns};
pub use detect::{InputFormat, UnknownBytes, UnknownFormat};
pub use folder::{Expanded, expand};
pub use game_columns::{
    is_game_column, is_note_column, is_score_column, is_tagged, note_fields, result_fields, tag_fields,
};
pub use game_record::GameRecord;
pub use interactive::{MAX_LINE_INPUT_BYTES, read_line};
pub(crate) use json::{members, value as value_of_json};
pub use line_reader::{LineReader, NumberedLine};
pub use random_start::StartError;
pub use reader::Reader;
pub use record::{MAX_RECORD_BYTES, Record, RecordError, RecordProblem, UnrecognizedText};
pub use selection::Selection;
pub use source::archive::ArchiveEntry;
pub use source::{GuardedInput, Input, ReadError};
pub use text::{ReadTextError, TextGame, read_game, read_position, read_text};
pub use unread::unread_note;
