//! SGF, the Smart Game Format (FF\[4\]), for Othello (`GM[2]`) and the mill games (`GM[5]`).
//!
//! ```text
//! (;FF[4]GM[2]SZ[8]PB[anna]PW[bob]RE[B+16];B[f5];W[d6](;B[c3];W[d3])(;B[c5]))
//! ```
//!
//! A game is a tree of nodes. Each node is `;` and its properties; the first line of the tree is
//! the game. `B` and `W` are moves. Their values are squares, `f5`, or in Othello also points as in
//! Go, `fe`, column and row; `[]`, `[tt]` and `[pa]` are passes. `AB`, `AW`, `AE` and `PL` set up
//! another start position. If they mention none of the squares that are occupied in the usual
//! start, they add to the usual start.
//!
//! | property | |
//! | --- | --- |
//! | `PB`, `PW`, `BR`, `WR` | the players and their ratings |
//! | `EV` or `PC`, `DT` | the tournament or place, and the date |
//! | `RE` | `B+16`, `W+R` (resignation), `B+T` (time), `0` or `Draw`, `?` or `Void` (none) |
//! | `SZ`, `RU` | the board size in Othello; the rules of a mill game |
//! | `V` | the evaluation of the position after a move, from Black's point of view |
//! | `C` | a comment |
//! | `TM`, `BL`, `WL` | the seconds for each side, and the seconds left after a move |
//!
//! SGF has no standard form for the mill games. Their moves are written in the game's notation, and
//! `RU` is the name of the game. morello reads and writes additional properties: `ET`, the seconds
//! of a move; `HB` and `HW`, the men in hand in a start position; and `SCORE`, the points for Black
//! of a game that ended early. Other properties are skipped. Source: the FF\[4\] specification by
//! Arno Hollosi.

mod read;
mod write;

pub use read::SgfErrorKind;

use crate::game::{LineFormat, MetadataKind, ParsedRecord, Playable, any_game};

use super::brackets::BracketScanner;

/// The properties that can begin a game.
const FIRST: [&str; 5] = ["FF", "GM", "CA", "AP", "SZ"];

/// Describes the format for the game with this SGF number.
pub(crate) const fn format<P: Playable, const NUMBER: usize>() -> LineFormat {
    LineFormat {
        scanner: Some(|| Box::new(BracketScanner::new(true, begins_game))),
        split: Some(split),
        ..LineFormat::of_games(
            "sgf",
            "games: `(;FF[4]GM[..]PB[..]PW[..];B[..];W[..])`, on any number of lines",
            looks_like,
            |text| Ok(ParsedRecord::Games(read::read_all(any_game::<P>(), NUMBER, text)?)),
            |game| write::write(game, NUMBER),
            MetadataKind::OF_SGF,
        )
    }
}

/// Returns whether a line may begin a game.
fn looks_like(line: &str) -> bool {
    line.trim_start().strip_prefix('(').is_some_and(|rest| rest.trim().is_empty() || rest.trim_start().starts_with(';'))
}

/// Returns whether a line inside a game begins another game rather than a variation.
fn begins_game(line: &str) -> bool {
    let game = line.trim_start().strip_prefix('(').and_then(|rest| rest.trim_start().strip_prefix(';'));
    let properties = game.unwrap_or_default().trim_start();
    FIRST.iter().any(|name| properties.strip_prefix(name).is_some_and(|rest| rest.starts_with('[')))
}

/// Returns the offsets at which the games of a record begin.
fn split(text: &str) -> Vec<usize> {
    let begins = text.match_indices('(').map(|(at, _)| at).filter(|&at| begins_game(&text[at..]));
    begins.collect()
}

#[cfg(test)]
mod tests;
