//! WTHOR, the binary database format of Othello games, of the Fédération Française d'Othello.
//!
//! A database is a file of games for each year, `.wtb`, and two files of names that they share: the players, `.jou`, and the tournaments,
//! `.trn`. All begin with the same 16 bytes; numbers are little-endian, and records have no bytes between them:
//!
//! ```text
//! header of 16 bytes                                  record of 68 bytes (.wtb)
//!  0 century, year, month, day of the file (1 each)    0 number of the tournament (2)
//!  4 games (4): the records of a .wtb                  2 numbers of Black and of White (2 each)
//!  8 names (2): the records of a .jou or .trn          6 score: the discs of Black at the end (1)
//! 10 year of the games (2)                             7 theoretical score, with best play by both (1)
//! 12 size of the board: 8, or 0 for 8 (1)              8 moves (60): 10 * row + column, 56 = f5, 0 = no more
//! 13 kind: 0 games, 1 solitaires (1)
//! 14 depth of the theoretical score (1)               record of 20 bytes (.jou), of 26 (.trn)
//! 15 unused (1)                                        0 name, in Latin-1, filled up with zeros
//! ```
//!
//! Scores give the empty squares to the winner, so that Black wins by `2 * score - 64` discs. The theoretical score is that of best play from
//! the position with `depth` empty squares on. Passes are left out. The number 0 stands for a player who is not known, `???`.
//!
//! In the 105,025 games of 1977 to 2009 that are published, each begins with f5, no move is illegal, none follows the 0 at the end of the
//! moves, no score is above 64, and each of the 104,612 finished games has the score of its board. The depth is 24 throughout, and the
//! theoretical score is filled in even in the 23 games that ended before that. A name never takes the whole of its record: at most 19 bytes
//! of a player's, 25 of a tournament's. Bytes above 127 are found among the tournaments alone (`é`, `è`).
//!
//! Source: the description of the format by the Fédération Française d'Othello, and its files.

mod format;
mod header;
mod names;
mod read;
mod write;

pub use format::format;
pub use header::{Date, HEADER_BYTES, Header, HeaderError, RECORD_BYTES};
pub use names::{NameKind, NameTable, NameTableError, Names, NamesError, NamesErrorSource};
pub use read::{ParseWthorError, WthorErrorKind, detect, read};
pub use write::{LostData, WriteWthorError, Writer, WrittenFiles};

#[cfg(test)]
mod tests;
