//! GGF, the Generic Game Format: one game per line, as the GGS server and NBoard write it.
//!
//! ```text
//! (;GM[Othello]PC[a match]PB[a]PW[b]RE[?]TY[8]
//! BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)
//! ```
//!
//! `BO` is the start position: the size, the squares row by row from a1 (`*` Black, `O` White, `-`
//! empty; spaces are skipped), and the side to move. The moves follow, with `PA` for a pass. A move
//! may have an evaluation and the seconds used: `B[F5/1.20/0.25]`, `W[d6//3]`. `RE` is the result
//! in discs for Black, or `?` for an unfinished game; `:r` marks a resignation, `:t` a loss on time
//! and `:s` an agreed or adjudicated score. `TE`, an extension of morello, is another reason for an
//! early end, named as in rows (`illegal_move`, `crash`, `adjudication`). `RB` and `RW` are the
//! ratings. `TY` is the type of the game; anti-Othello games, `8a`, are rejected. Archives put the
//! number of games of a match at the start of the line: `1 (;...;)`.
//!
//! The reader also accepts tags and moves in any case, `pass` for `PA`, omitted forced passes and
//! passes after the end of the game. It skips other tags, and evaluations and times that are not
//! numbers. Source: the GGS archives and the messages of NBoard.

mod read;
mod write;

use crate::game::format::brackets::{BracketScanner, find_value};
use crate::game::{AnnotatedGame, LineFormat, MetadataKind, ParsedRecord, Playable};
use crate::othello::SizedPosition;

pub use read::{GgfErrorKind, ParseGgfError, read, read_all};
pub use write::write;

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    SizedPosition<N>: Playable,
{
    LineFormat {
        scanner: Some(|| Box::new(BracketScanner::new(false, begins_game))),
        split: Some(split),
        ..LineFormat::of_games(
            "ggf",
            "games: `(;GM[Othello]PB[..]PW[..]BO[8 ...]B[f5]W[d6];)`, or archives of them, `1 (;...;)`",
            looks_like,
            |text| Ok(ParsedRecord::Games(read_all::<N>(text)?.into_iter().map(AnnotatedGame::into_any).collect())),
            |game| Ok(write::<N>(&game.known())),
            MetadataKind::OF_GGF,
        )
    }
}

/// Returns the offsets at which the games of a line begin. A game begins after the `;)` of the
/// previous game.
fn split(text: &str) -> Vec<usize> {
    let after_ends = text.match_indices(";)").map(|(at, end)| at + end.len());
    let others = after_ends.filter(|&at| text[at..].trim_start().starts_with("(;"));
    [0].into_iter().chain(others).collect()
}

/// Returns whether a line begins like a game in GGF, with or without the number of games of an
/// archive. SGF games differ: they have numbers and no `BO`.
///
/// ```
/// use morello::othello::formats::ggf::looks_like;
///
/// assert!(looks_like("(;GM[Othello]") && looks_like("1 (;GM[Othello]"));
/// assert!(!looks_like("f5d6c3") && !looks_like("(;FF[4]GM[2]"));
/// ```
#[must_use]
pub fn looks_like(line: &str) -> bool {
    let is_of_archive = line.starts_with(|c: char| c.is_ascii_digit());
    let has_name = || find_value(line, "GM").map(|value| value.trim().parse::<u32>().is_err());
    begins_game(line) && (is_of_archive || has_name().unwrap_or_else(|| find_value(line, "BO").is_some()))
}

/// Returns whether a line begins a game in GGF or SGF.
fn begins_game(line: &str) -> bool {
    line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with("(;")
}

#[cfg(test)]
mod tests;
