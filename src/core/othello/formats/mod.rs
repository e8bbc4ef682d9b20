//! Formats of Othello positions and games. Text formats have one record per line:
//!
//! ```
//! use morello::games;
//!
//! // Detect the format, and write the game in another format.
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
//! | [`obf`] | `<board> <side>; SQ:+score; ...` | a position with move scores |
//! | [`diagram`] | one line per row, then `X to move` | a position |
//! | [`board`] | `<board> <side>` | a position |
//!
//! The format is detected from the start of the line, the semicolon and the scores. Board strings
//! use the notation of [`SizedPosition`]; on 6x6 and 4x4 boards they have 36 and 16 squares.
//! [`wthor`] is a binary database format. [`result`] compares a recorded result with the board.

pub mod board;
pub mod ggf;
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

/// Returns Othello's notation in a protocol; `None` if the protocol does not support Othello.
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
    })
}

/// Reads a game in GGF, or the first game in SGF.
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
