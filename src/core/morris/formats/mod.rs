//! Text formats of mill positions and games.
//!
//! ```
//! use morello::games;
//!
//! // Detect the format, and write the game in another format.
//! let morris = games::get("nine-mens-morris")?;
//! let line = "1. 5 13 2. 20 19 1-0"; // of the site PlayOK
//! let format = morris.format_of(line);
//! assert_eq!(format.name, "playok");
//! let games = (format.parse)(line)?.into_games();
//! let uci = morris.format_named("sanmill-uci").expect("it is a format");
//! let text = uci.write_game(&games[0]);
//! assert_eq!(text.and_then(Result::ok).as_deref(), Some("position startpos moves d6 e4 d2 b2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | content |
//! | --- | --- |
//! | [`seed`] | a position: `7,8 a4,b4 g7 B` |
//! | [`diagram`] | a position, one line per row, as `play` prints it |
//! | [`sanmill::fen`] | a position: `***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1` |
//! | [`moves`] | a game: `d2 f4 d6 d6-d5xf4`, optionally with a start position, move numbers and a result |
//! | [`sanmill::uci`] | a game: `position startpos moves d6 f4 d6-d5 xf4` |
//! | sgf | games: `(;FF[4]GM[5]...;W[d2];B[f4])` |
//! | [`playok`] | games: tags, then `1. 5 13 2. 20 19 1-0` |
//!
//! Each module has `looks_like`, which detects the format, `read` and `write`. The Sanmill and
//! PlayOK formats support only boards of 24 points.

pub mod moves;
pub mod playok;
pub mod sanmill;
pub mod seed;

use self::sanmill::fen::{self, ParseFenError};
use super::rules::VariantConstants;
use super::{Board, IllegalReason, Position, Variant};
use crate::game::format::{diagram, opening, sgf};
use crate::game::{AnyGame, AnyPosition, Dialect, Game, LineFormat, Notation, Position as _, Protocol, any_game};

/// The help of the diagram format.
const DIAGRAM: &str = "a position in a line per row, then the men in hand and the side to move, as `play` prints it";

/// The number of points on the boards that Sanmill and PlayOK support.
const POINTS: usize = 24;

impl<V: Variant> Notation for Position<V> {
    fn parse_game(text: &str) -> Result<Game<Self>, moves::ParseTextError> {
        moves::read_text(text)
    }

    fn formats() -> &'static [LineFormat] {
        const {
            if V::BOARD.len() as usize == POINTS {
                &[
                    sgf::format::<Self, 5>(),
                    sanmill::uci::format::<V>(),
                    fen::format::<V>(),
                    playok::format::<V>(),
                    diagram::format::<Self>(DIAGRAM),
                    moves::format::<V>(),
                    seed::format::<V>(),
                ]
            } else {
                &[sgf::format::<Self, 5>(), diagram::format::<Self>(DIAGRAM), moves::format::<V>(), seed::format::<V>()]
            }
        }
    }

    fn write_moves(game: &Game) -> String {
        opening::write(game)
    }

    fn dialect(protocol: Protocol) -> Option<Dialect> {
        match protocol {
            Protocol::MorrisText => Some(Dialect {
                game: V::NAME.to_owned(),
                write_game,
                read_game: |text| opening::read(any_game::<Self>(), text),
                write_move: |m| m.to_string(),
                read_move: |position, text| position.find_move(text),
                draw: |position| position.to_string(),
            }),
            _ => None,
        }
    }
}

/// Writes a game, always with its starting position first: `start moves d2 a1`.
fn write_game(game: &Game) -> String {
    let text = opening::write(game);
    if !game.start().is_start() || game.moves().is_empty() { text } else { format!("{} moves {text}", opening::START) }
}

/// A variant as a value, so that the formats are compiled once for all variants.
struct Mill {
    constants: &'static VariantConstants,
    game: &'static dyn AnyGame,
    read_fen: fn(&str) -> Result<AnyPosition, ParseFenError>,
    why_illegal: fn(&AnyPosition, &str) -> Option<IllegalReason>,
}

impl Mill {
    const fn of<V: Variant>() -> &'static Self {
        const {
            &Self {
                constants: VariantConstants::of::<V>(),
                game: any_game::<Position<V>>(),
                read_fen: |text| Ok(AnyPosition::new(fen::read::<V>(text)?.position)),
                why_illegal: |position, text| position.known::<Position<V>>().why_text_illegal(text),
            }
        }
    }

    /// Plays a move in seed notation.
    ///
    /// # Errors
    /// The reason why the move is illegal; `None` if the text is not a move.
    fn play(&self, game: &mut Game, text: &str) -> Result<(), Option<IllegalReason>> {
        match (game.position().find_move(text), game.end()) {
            (Some(m), None) => {
                game.play(m).expect("the move is legal and the game is not over");
                Ok(())
            }
            (Some(_), Some(_)) => Err(Some(IllegalReason::Over)),
            (None, _) => Err((self.why_illegal)(game.position(), text)),
        }
    }
}

/// Returns the points of a board with these names; `None` if the names are not exactly the points
/// of the board.
fn points_named(board: &Board, names: &str) -> Option<[u32; POINTS]> {
    let mut points = [0; POINTS];
    for (point, name) in points.iter_mut().zip(names.split(' ')) {
        *point = board.point(name)?;
    }
    (board.len() as usize == POINTS).then_some(points)
}

/// Returns whether a word has the form of a point, `a1` to `g7`. The point need not be on the
/// board.
fn is_point(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'g' | b'A'..=b'G', b'1'..=b'7'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::random_game;
    use crate::morris::{NineMensMorris, SixMensMorris, ThreeMensMorris};

    type Morris = Position<NineMensMorris>;

    #[test]
    fn protocol_games_round_trip() {
        let dialect = Morris::dialect(Protocol::MorrisText).unwrap();
        for seed in 0..40 {
            let game = random_game::<Morris>(seed, 3 * seed as usize);
            let read = (dialect.read_game)(&write_game(&game.any())).unwrap().known::<Morris>();
            assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
        }
        let rewritten = |text| (dialect.write_game)(&(dialect.read_game)(text).unwrap());
        let text = "0,0 a7,d7,g4 a1,b2,c3 W moves g4-g7xa1";
        assert_eq!(rewritten(" 0,0 a7,d7,g4 a1,b2,c3 W  moves g4-g7xa1"), text);
        assert_eq!((rewritten("start"), rewritten("d2 f4").as_str()), ("start".to_owned(), "start moves d2 f4"));
        assert_eq!(rewritten("9,9 - - B"), "9,9 - - B");
    }

    #[test]
    fn reports_where_a_protocol_game_is_invalid() {
        let error = |text: &str| {
            let error = opening::read(any_game::<Morris>(), text).unwrap_err();
            (error.column(), error.to_string())
        };
        assert_eq!(error("start d2"), (7, "expected `moves`, `;` or nothing after `start`, found `d2`".to_owned()));
        assert_eq!(error("start moves d2 d2").0, 16);
        assert_eq!((error("").0, error("moves d2").0), (1, 1));
        assert_eq!(error("9,9 - é W moves d2").0, 7);
        let over = error("0,0 a7,d7,g4 a1,b2,c3 W moves g4-g7xa1 b2-a1");
        assert_eq!(over, (40, "illegal move `b2-a1` at ply 2: the game is over (by its rules)".to_owned()));
    }

    #[test]
    fn each_board_has_its_formats() {
        fn names<V: Variant>() -> Vec<&'static str> {
            Position::<V>::formats().iter().map(|format| format.name).collect()
        }
        assert_eq!(
            (names::<NineMensMorris>(), names::<SixMensMorris>()),
            (
                vec!["sgf", "sanmill-uci", "sanmill", "playok", "diagram", "moves", "seed"],
                vec!["sgf", "diagram", "moves", "seed"]
            )
        );
        assert_eq!(names::<ThreeMensMorris>(), ["sgf", "diagram", "moves", "seed"]);
        let detected = |line: &str| Morris::formats().iter().find(|f| (f.detect)(line)).map(|f| f.name);
        assert_eq!(detected("********/********/******** w p p"), Some("sanmill"));
        assert_eq!((detected("9,9 - - W"), detected("d2 f4")), (Some("seed"), Some("moves")));
    }
}
