//! GGF, the Generic Game Format: a whole game on a line, as the servers GGS and the program NBoard write it.
//!
//! ```text
//! (;GM[Othello]PC[a match]PB[a]PW[b]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)
//! ```
//!
//! `BO` is the position that the game started from: the size, the squares row by row from a1 (`*` Black, `O` White, `-` empty; blanks
//! among them are skipped), the side to move. Then the moves, a pass as `PA`; each may carry an estimate and the seconds it took:
//! `B[F5/1.20/0.25]`, `W[d6//3]`. `RE` is the result in discs for Black, `?` while the game goes on, with `:r` if a side resigned, `:t` if it
//! ran out of time, `:s` if the sides agreed on the score. Archives put the number of games of a match before its line: `1 (;...;)`.
//!
//! What else is found in files and read: tags and moves in any case, `pass` for `PA`, forced passes left out, passes after the end of the
//! game. Tags that say nothing about the course of the game are skipped, and so are estimates and times that are no numbers.
//! Source: the archives of GGS, and what NBoard sends.

mod read;
mod write;

use crate::game::{AnnotatedGame, FormatWriter, LineFormat, MetadataKind, ParsedRecord, Playable, RecordScanner};
use crate::othello::Position;

pub use read::{GgfErrorKind, ParseGgfError, read, read_all};
pub use write::write;

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    Position<N>: Playable,
{
    LineFormat {
        name: "ggf",
        aliases: &[],
        about: "games: `(;GM[Othello]PB[..]PW[..]BO[8 ...]B[f5]W[d6];)`, or archives of them, `1 (;...;)`",
        of_games: true,
        detect: looks_like,
        parse: |text| Ok(ParsedRecord::Games(read_all::<N>(text)?.into_iter().map(AnnotatedGame::into_any).collect())),
        scanner: Some(|| Box::new(GgfScanner::default())),
        split: Some(split),
        writer: FormatWriter {
            game: Some(|game| Ok(write::<N>(&game.known()))),
            position: None,
            preserved: &[
                MetadataKind::Moves,
                MetadataKind::Names,
                MetadataKind::Tournament,
                MetadataKind::Date,
                MetadataKind::Result,
                MetadataKind::Notes,
            ],
        },
    }
}

/// How far a game goes: to a line that ends in `;)`, or to where another game begins.
#[derive(Default)]
struct GgfScanner {
    ended: bool,
}

impl RecordScanner for GgfScanner {
    fn add(&mut self, line: &str) {
        self.ended = line.trim_end().ends_with(";)");
    }

    fn may_continue(&self) -> bool {
        !self.ended
    }

    fn accepts(&self, next: &str) -> bool {
        !self.ended && !looks_like(next)
    }
}

/// Returns where the games of a line begin, of which one ends in `;)` before another.
fn split(text: &str) -> Vec<usize> {
    let after_ends = text.match_indices(";)").map(|(at, end)| at + end.len());
    let others = after_ends.filter(|&at| text[at..].trim_start().starts_with("(;"));
    [0].into_iter().chain(others).collect()
}

/// Returns whether a line begins as a game, with or without the number that archives put before it.
#[must_use]
pub fn looks_like(line: &str) -> bool {
    line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with("(;")
}

#[cfg(test)]
mod tests;
