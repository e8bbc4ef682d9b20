//! WTHOR, the binary format of the Othello game database of the Fédération Française d'Othello.
//!
//! ```
//! use std::fs;
//!
//! use morello::game::AnnotatedGame;
//! use morello::games;
//! use morello::othello::formats::wthor::{Header, Names, format, read};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("my.wtb");
//! let mut writer = (format().create)(&file)?;
//! let game = games::get("othello")?.random_game(1, 80);
//! writer.write(&AnnotatedGame::with_names(game, ["Anna", "Bob"]))?;
//! assert_eq!(writer.finish()?, "", "nothing is lost");
//!
//! // The games file, and the name files next to it.
//! let bytes = fs::read(&file)?;
//! let (header, games) = bytes.split_first_chunk().expect("a header");
//! let (header, names) = (Header::read(header)?, Names::read_beside(&file)?);
//! let game = read(games.first_chunk().expect("a game"), &header, &names)?;
//! assert_eq!(header.games, 1);
//! assert_eq!(game.tags.names[0].as_deref(), Some("Anna"));
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```
//!
//! A database has one games file per year, `.wtb`, and two shared name files: players, `.jou`, and
//! tournaments, `.trn`. Each file begins with a header of 16 bytes. Numbers are little-endian, and
//! records follow each other without gaps:
//!
//! ```text
//! header of 16 bytes                                  record of 68 bytes (.wtb)
//!  0 century, year, month, day of creation (1 each)    0 number of the tournament (2)
//!  4 number of games (4) of a .wtb                     2 numbers of Black and of White (2 each)
//!  8 number of names (2) of a .jou or .trn             6 score: Black's discs at the end (1)
//! 10 year of the games (2)                             7 theoretical score, with best play by both (1)
//! 12 size of the board: 8, or 0 for 8 (1)              8 moves (60): 10 * row + column, 56 = f5, 0 = end
//! 13 kind: 0 games, 1 solitaires (1)
//! 14 depth of the theoretical score (1)               record of 20 bytes (.jou) or 26 bytes (.trn)
//! 15 unused (1)                                        0 name, in Latin-1, padded with zeros
//! ```
//!
//! Scores are Black's discs. The winner gets the empty squares, so Black wins by `2 * score - 64`
//! discs. The theoretical score is the score after best play from the position with `depth` empty
//! squares. Passes are omitted. Player number 0 is the unknown player, `???`.
//!
//! There are 105,025 published games from 1977 to 2009. Every game begins with f5, no move is
//! illegal or follows the 0 at the end of the moves, no score is above 64, and the scores of all
//! 104,612 finished games match their boards. The depth is always 24, and the theoretical score is
//! set even in the 23 games that ended earlier. Names have at most 19 bytes for players and 25 for
//! tournaments, one less than their records. Only tournaments contain bytes above 127 (`é`, `è`).
//!
//! Source: the format description and the files of the Fédération Française d'Othello.

mod format;
mod header;
mod names;
mod read;
mod write;

pub use format::format;
pub use header::{Date, HEADER_BYTES, Header, HeaderError, RECORD_BYTES};
pub use names::{NameKind, NameTable, NameTableError, Names, NamesError, NamesErrorSource};
pub use read::{ParseWthorError, RecordFields, WthorErrorKind, detect, moves, play, read};
pub use write::{LostData, WriteWthorError, Writer, WrittenFiles};

#[cfg(test)]
mod tests;
