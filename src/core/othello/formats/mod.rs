//! Formats of Othello positions and games. Text formats have one record per line:
//!
//! ```
//! use morello::games;
//!
//! // The format is detected, and a game is written in another one.
//! let othello = games::get("othello")?;
//! let line = "Anna - Bob: f5d6c3";
//! let games = (othello.format_of(line).parse)(line)?.into_games();
//! assert_eq!(games[0].tags.names[0].as_deref(), Some("Anna"));
//! let ggf = othello.format_named("ggf").expect("it is a format");
//! let text = ggf.write_game(&games[0]).and_then(Result::ok).expect("GGF has every game");
//! assert!(text.starts_with("(;GM[Othello]") && text.ends_with("]B[F5]W[D6]B[C3];)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | name | line | content |
//! | --- | --- | --- |
//! | [`ggf`] | `(;GM[Othello]...B[f5]W[d6];)` | a game with names, result and notes |
//! | sgf | `(;FF[4]GM[2]...;B[f5];W[d6])` | a game with names, result and notes |
//! | [`pgn`] | `[Black "Anna"]`, ..., `1. f5 d6 2. c3 40-24` | a game with names, date and result |
//! | [`transcript`] | `f5d6c3`, or `<board> <side>; f5d6` | a game |
//! | [`obf`] | `<board> <side>; SQ:+score; ...` | a position with the scores of moves |
//! | [`diagram`] | a line per row, then `X to move` | a position |
//! | [`board`] | `<board> <side>` | a position |
//!
//! The format is detected from the start of the line, the semicolon and the scores. Board strings
//! have the notation of [`SizedPosition`]; those of 6x6 and 4x4 boards have 36 and 16 squares.
//! [`wthor`] is a binary database format. [`result`] compares a recorded result with the board.

pub mod board;
pub mod ggf;
mod move_numbers;
pub mod obf;
pub mod pgn;
pub mod result;
pub mod transcript;
pub mod wthor;

use super::{Move, SizedPosition};
use crate::game::format::{diagram, sgf};
use crate::game::{
    AnnotatedGame, AnyMove, Dialect, Game, LineFormat, LocatedError, Notation, Playable, Position as _, Protocol,
    RecordFormat,
};

macro_rules! notation {
    ($($size:literal: $records:expr;)+) => {$(
        impl Notation for SizedPosition<$size> {
            fn parse_game(text: &str) -> Result<Game<Self>, transcript::ParseTranscriptError> {
                transcript::read_game(text)
            }

            fn formats() -> &'static [LineFormat] {
                const {
                    &[
                        ggf::format::<$size>(),
                        sgf::format::<SizedPosition<$size>, 2>(),
                        pgn::format::<$size>(),
                        transcript::format::<$size>(),
                        diagram::format::<SizedPosition<$size>>(
                            "a position in a line per row, then the side to move, as `play` prints it",
                        ),
                        obf::format::<$size>(),
                        board::format::<$size>(),
                    ]
                }
            }

            fn record_formats() -> &'static [RecordFormat] {
                const { &$records }
            }

            fn write_moves(game: &Game) -> String {
                transcript::write(&game.known::<Self>())
            }

            fn dialect(protocol: Protocol) -> Option<Dialect> {
                dialect::<$size>(protocol)
            }
        }
    )+};
}

notation! {
    8: [wthor::format()];
    6: [];
    4: [];
}

/// From this many empty squares on, positions are solved in little time.
const SOLVED_EMPTIES: u32 = 20;

/// Returns the notation of Othello in a protocol, or `None` if the protocol does not support it.
fn dialect<const N: usize>(protocol: Protocol) -> Option<Dialect>
where
    SizedPosition<N>: Playable,
{
    let write_move: fn(AnyMove) -> String = match protocol {
        Protocol::NBoard => |m| m.to_string().to_uppercase(),
        Protocol::Gtp => |m| if m.is_pass() { "pass".to_owned() } else { m.to_string() },
        _ => return None,
    };
    Some(Dialect {
        game: N.to_string(),
        write_game: |game| ggf::write(&AnnotatedGame::with_names(game.known::<SizedPosition<N>>(), ["Black", "White"])),
        read_game: read_game::<N>,
        write_move,
        read_move: |position, text| Move::from_text(text).and_then(|m| position.find_move(&m.to_string())),
        draw: diagram::write,
        timed_plies: |position| timed_plies(position.empty_count().unwrap_or_default()),
    })
}

/// Returns the number of plies between which time is divided. A solve soon ends the need for time:
/// with 0.6 s for a game, an equal share for every ply of the game left 44 % of it unused.
fn timed_plies(empties: u32) -> u32 {
    empties.saturating_sub(SOLVED_EMPTIES).max(empties.div_ceil(4))
}

/// Reads a game in GGF, or the first one in SGF.
fn read_game<const N: usize>(text: &str) -> Result<Game, Box<dyn LocatedError>>
where
    SizedPosition<N>: Playable,
{
    if ggf::looks_like(text.trim_start()) {
        return Ok(ggf::read::<N>(text)?.game.any());
    }
    let games = (const { sgf::format::<SizedPosition<N>, 2>() }.parse)(text)?.into_games();
    Ok(games.into_iter().next().expect("SGF has at least one game").game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_divided_between_the_plies_before_the_solve() {
        // At the start, 60 squares are empty and the first 40 plies share the time.
        let shares = [60, 40, 28, 27, 26, 21, 20, 4, 1, 0].map(timed_plies);
        assert_eq!(shares, [40, 20, 8, 7, 7, 6, 5, 1, 1, 0]);
    }
}
