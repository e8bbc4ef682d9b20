//! Games from the site PlayOK: PGN tags, then moves between points that are numbered row by row.
//!
//! ```text
//!  1-----------2-----------3     [Event "?"]
//!  |           |           |     [Date "2012.05.01"]
//!  |   4-------5-------6   |     [White "one"]
//!  |   |       |       |   |     [Black "the other"]
//!  |   |   7---8---9   |   |     [Result "1-0"]
//!  |   |   |       |   |   |
//! 10--11--12      13--14--15     1. 5 13 2. 20 19 3. 7 14x5
//!  |   |   |       |   |   |     ...
//!  |   |  16--17--18   |   |     15. 10-1x23 8-5 1-0
//!  |   |       |       |   |
//!  |  19------20------21   |
//!  |           |           |
//! 22----------23----------24
//! ```
//!
//! `5` places a man, `10-1` moves one, and a capture `x23` may follow. White moves first. The moves
//! may be on any number of lines. The space after a move number is optional, and `3...` may precede
//! a move by Black. Comments in braces or after `;`, variations in parentheses and glyphs such as
//! `$1` are ignored. A comment such as `{+0.5 0.25s}`, however, is read as the evaluation and the
//! time of the move before it. A result ends the moves. A file may contain any number of games,
//! each starting on a new line. Any game with 24 points can be read, by its own rules; the site
//! plays with flying.

mod read;
mod split;
mod write;

pub use read::{ParsePlayOkError, PlayOkErrorKind, read};
pub use split::{scanner, starts_game};
pub use write::{WritePlayOkError, write};

use super::Mill;
use crate::game::{GameError, LineFormat, MetadataKind, ParsedRecord};
use crate::morris::Variant;
use crate::morris::rules::VariantConstants;

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat {
        aliases: &["pgn"],
        scanner: Some(scanner),
        ..LineFormat::of_games(
            "playok",
            "games of PlayOK: tags as in PGN, then `1. 5 13 2. 20 19 1-0`, on any number of lines",
            looks_like,
            |text| Ok(ParsedRecord::from(read::read_any(Mill::of::<V>(), text)?)),
            |game| write::write_any(VariantConstants::of::<V>(), game).map_err(GameError::new),
            MetadataKind::OF_PGN,
        )
    }
}

/// The points in the order of their PlayOK numbers, from 1.
const ORDER: &str = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1";

/// Returns whether the first non-blank line of the text [begins](starts_game) a PlayOK game.
///
/// ```
/// use morello::morris::formats::playok::looks_like;
///
/// assert!(looks_like("1. 5 13 2. 20 19") && looks_like("[White \"one\"]"));
/// assert!(!looks_like("1. d6 f4"));
/// ```
#[must_use]
pub fn looks_like(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(starts_game)
}

#[cfg(test)]
mod tests;
