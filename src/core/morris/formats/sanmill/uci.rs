//! Games in Sanmill's UCI format: a starting position, then tokens. A capture is a separate token.
//!
//! ```text
//! position startpos moves d6 f4 d6-d5 xf4
//! position fen ***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1 moves d3-d2
//! d6 f4 d6-d5 xf4
//! ```
//!
//! `position` may be omitted; without it, the tokens begin at the start of the game. A token and
//! the capture after it form one move, `d6-d5xf4`; this form is accepted too. A list that ends
//! before the capture of a mill is an error.

use std::iter::Peekable;
use std::str::SplitWhitespace;

use thiserror::Error;

use super::super::{Mill, is_point, points_named};
use super::fen::{self, WriteFenError};
use crate::game::{
    AnnotatedGame, AnyPosition, Failure, Game, GameError, LineFormat, MetadataKind, ParseError, part_at,
};
use crate::morris::{IllegalReason, Position, Variant};

/// The text is not a game in Sanmill's tokens.
pub type ParseUciError = ParseError<UciErrorKind>;

/// Why the text is not a game in Sanmill's tokens.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UciErrorKind {
    /// Sanmill does not support the board of the game.
    #[error("Sanmill does not support {0}; write the moves as `d6 f4 d6-d5xf4`")]
    UnsupportedBoard(&'static str),
    /// The text is empty.
    #[error("expected `position startpos`, `position fen` or tokens such as `d6 f4`")]
    Missing,
    /// Neither `startpos` nor `fen` follows `position`.
    #[error("expected `startpos` or `fen` after `position`, found `{0}`")]
    Start(String),
    /// The FEN is invalid.
    #[error(transparent)]
    Fen(fen::FenErrorKind),
    /// Something other than `moves` follows `startpos`.
    #[error("expected `moves` or nothing after `startpos`, found `{0}`")]
    AfterStart(String),
    /// A word is not a token.
    #[error("expected a token such as `d6`, `d6-d5` or `xf4`, found `{0}`")]
    NotAToken(String),
    /// A capture does not follow a move.
    #[error("the capture `{0}` does not follow a move")]
    CaptureWithoutMove(String),
    /// A move closes a mill, but the capture is missing.
    #[error("`{text}` closes a mill: expected a capture such as `{example}`")]
    MissingCapture {
        /// The move.
        text: String,
        /// A legal capture.
        example: String,
    },
    /// A move is illegal.
    #[error("illegal move `{text}` at ply {ply}: {reason}")]
    IllegalMove {
        /// The move, with its capture if it has one.
        text: String,
        /// Its ply, counted from 1; a move and its capture are one ply.
        ply: usize,
        /// Why it is illegal.
        reason: IllegalReason,
    },
}

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat::of_games(
        "sanmill-uci",
        "games in Sanmill's tokens: `position startpos moves d6 f4 d6-d5 xf4`",
        looks_like,
        |line| Ok(read_any(Mill::of::<V>(), line)?.into()),
        |game| Ok(write_any(game, &fen::write::<V>(&game.game.start().known()).map_err(GameError::new)?)),
        &[MetadataKind::Moves],
    )
}

/// Returns whether a word is a capture.
fn is_capture(word: &str) -> bool {
    word.strip_prefix(['x', 'X']).is_some_and(is_point)
}

/// Returns whether a line begins with `position`, `startpos` or `fen`, or contains a capture token.
///
/// A token list without a capture is also a game in [seed notation](crate::morris::formats::moves).
///
/// ```
/// use morello::morris::formats::sanmill::uci::looks_like;
///
/// assert!(looks_like("position startpos moves d6") && looks_like("d6 f4 d6-d5 xf4"));
/// assert!(!looks_like("d6 f4 d6-d5xf4"));
/// ```
#[must_use]
pub fn looks_like(line: &str) -> bool {
    let first = line.split_whitespace().next();
    first.is_some_and(|word| ["position", "startpos", "fen"].contains(&word)) || line.split_whitespace().any(is_capture)
}

/// Reads a game. The format has no tags.
///
/// ```
/// use morello::morris::{NineMensMorris, formats::sanmill::uci};
///
/// let read = uci::read::<NineMensMorris>("position startpos moves a7 b2 d7 f4 g7 xf4")?;
/// assert_eq!(read.game.moves().last().map(ToString::to_string).as_deref(), Some("g7xf4"));
/// let error = uci::read::<NineMensMorris>("a7 b2 d7 f4 g7").unwrap_err();
/// assert_eq!((error.column, error.to_string().as_str()),
///     (15, "`g7` closes a mill: expected a capture such as `xf4`"));
/// # Ok::<(), uci::ParseUciError>(())
/// ```
///
/// # Errors
/// [`ParseUciError`] with the column of the error.
pub fn read<V: Variant>(text: &str) -> Result<AnnotatedGame<Position<V>>, ParseUciError> {
    read_any(Mill::of::<V>(), text).map(|annotated| annotated.known())
}

fn read_any(mill: &Mill, text: &str) -> Result<AnnotatedGame, ParseUciError> {
    let fail = |(part, kind)| ParseUciError::at(text, part, kind);
    let mut tokens = text.split_whitespace().peekable();
    let start = read_start(mill, text, &mut tokens)?;
    if points_named(mill.constants.board, fen::ORDER).is_none() {
        return Err(fail((text, UciErrorKind::UnsupportedBoard(mill.constants.name))));
    }
    tokens.next_if_eq(&"moves");
    let mut game = Game::new(start);
    while let Some(step) = tokens.next() {
        let capture = tokens.next_if(|word| is_capture(word));
        let next = tokens.peek().copied().unwrap_or(end(text));
        play_turn(mill, &mut game, step, capture, next).map_err(fail)?;
    }
    Ok(game.into())
}

/// Returns the empty slice at the end of the text.
fn end(text: &str) -> &str {
    &text[text.trim_end().len()..]
}

/// Reads the position before the moves.
fn read_start<'a>(
    mill: &Mill,
    text: &'a str,
    tokens: &mut Peekable<SplitWhitespace<'a>>,
) -> Result<AnyPosition, ParseUciError> {
    let fail = |part, kind| Err(ParseUciError::at(text, part, kind));
    let is_position = tokens.next_if_eq(&"position").is_some();
    if tokens.next_if_eq(&"startpos").is_some() {
        return match tokens.next_if(|&word| word != "moves") {
            Some(word) => fail(word, UciErrorKind::AfterStart(word.to_owned())),
            None => Ok(mill.game.start()),
        };
    }
    if let Some(word) = tokens.next_if_eq(&"fen") {
        while tokens.next_if(|&word| word != "moves").is_some() {}
        let [start, end] = [word, tokens.peek().copied().unwrap_or(end(text))].map(|part| part.as_ptr() as usize);
        let fen = &text[start + word.len() - text.as_ptr() as usize..end - text.as_ptr() as usize];
        return (mill.read_fen)(fen)
            .map_err(|error| ParseUciError::at(text, part_at(fen, error.column), UciErrorKind::Fen(error.kind)));
    }
    match tokens.peek() {
        None => fail(end(text), UciErrorKind::Missing),
        Some(word) if is_position => fail(word, UciErrorKind::Start((*word).to_owned())),
        Some(_) => Ok(mill.game.start()),
    }
}

/// Plays a token and the capture that follows it, if there is one. `next` is the text after both.
fn play_turn<'a>(
    mill: &Mill,
    game: &mut Game,
    step: &'a str,
    capture: Option<&'a str>,
    next: &'a str,
) -> Result<(), Failure<'a, UciErrorKind>> {
    let text = step.to_owned() + capture.unwrap_or_default();
    let before = *game.position();
    let Err(reason) = mill.play(game, &text) else { return Ok(()) };
    let ply = game.moves().len() + 1;
    Err(match reason {
        _ if is_capture(step) => (step, UciErrorKind::CaptureWithoutMove(step.to_owned())),
        None => (step, UciErrorKind::NotAToken(step.to_owned())),
        Some(IllegalReason::MustCapture(example)) => {
            let example = example.find('x').map_or(String::new(), |at| example[at..].to_owned());
            (next, UciErrorKind::MissingCapture { text, example })
        }
        Some(reason) => {
            // If the token alone is legal or lacks only a capture, the error is in the capture.
            let alone = (mill.why_illegal)(&before, step);
            let of_capture = capture.filter(|_| matches!(alone, None | Some(IllegalReason::MustCapture(_))));
            (of_capture.unwrap_or(step), UciErrorKind::IllegalMove { text, ply, reason })
        }
    })
}

/// Writes a game as a Sanmill `position` command, without tags and notes.
///
/// ```
/// use morello::morris::NineMensMorris;
/// use morello::morris::formats::{moves, sanmill::uci};
///
/// let game = moves::read::<NineMensMorris>("a7 b2 d7 f4 g7xf4")?;
/// assert_eq!(uci::write(&game)?, "position startpos moves a7 b2 d7 f4 g7 xf4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteFenError`] if Sanmill does not support the board, or a FEN cannot represent the starting
/// position.
pub fn write<V: Variant>(annotated: &AnnotatedGame<Position<V>>) -> Result<String, WriteFenError> {
    let start = fen::write(annotated.game.start())?;
    Ok(write_any(&annotated.any(), &start))
}

/// Writes a game that begins at this FEN.
fn write_any(annotated: &AnnotatedGame, start: &str) -> String {
    let game = &annotated.game;
    let mut text =
        if game.start().is_start() { "position startpos".to_owned() } else { format!("position fen {start}") };
    if !game.moves().is_empty() {
        text += " moves";
    }
    for m in game.moves() {
        text = text + " " + &m.to_string().replace('x', " x");
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Position as _;
    use crate::game::random_game;
    use crate::morris::{LaskerMorris, Morabaraba, NineMensMorris, NineMensMorrisFlying, SixMensMorris};

    fn moves(text: &str) -> String {
        let moves = read::<NineMensMorris>(text).unwrap().game.moves().to_vec();
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn error(text: &str) -> (usize, UciErrorKind) {
        let error = read::<NineMensMorris>(text).unwrap_err();
        (error.column, error.kind)
    }

    const FEN: &str = "***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1";

    #[test]
    fn joins_captures_with_their_moves() {
        let expected = "a7 b2 d7 f4 g7xf4 f4";
        for start in ["position startpos moves ", "startpos moves ", "moves ", ""] {
            for tokens in ["a7 b2 d7 f4 g7 xf4 f4", "a7 b2 D7 f4  g7xf4 f4", "a7 b2 d7 f4 G7 XF4 f4"] {
                assert_eq!(moves(&format!("{start}{tokens}")), expected, "{start}{tokens}");
            }
        }
        assert_eq!((moves("position startpos"), moves("startpos moves")), (String::new(), String::new()));
        let read = read::<NineMensMorris>(&format!("position fen {FEN} moves d3-d2")).unwrap();
        assert_eq!(read.game.position().to_string(), "0,0 b6,d2,d6 c3,d7,e3,f2 B");
        assert_eq!(write(&read).as_deref(), Ok(format!("position fen {FEN} moves d3-d2").as_str()));
        assert!(looks_like("a7 b2 d7 f4 g7 xf4") && looks_like("position x") && !looks_like("a7 g7xf4 xx xf8"));
    }

    #[test]
    fn reports_where_a_game_is_invalid() {
        let name = str::to_owned;
        let illegal = |text: &str, ply, reason| UciErrorKind::IllegalMove { text: name(text), ply, reason };
        assert_eq!((error(""), error("position ")), ((1, UciErrorKind::Missing), (9, UciErrorKind::Missing)));
        assert_eq!(error("position d2"), (10, UciErrorKind::Start(name("d2"))));
        assert_eq!(error("startpos d2"), (10, UciErrorKind::AfterStart(name("d2"))));
        assert_eq!(error("d2 é d6"), (4, UciErrorKind::NotAToken(name("é"))));
        assert_eq!(error("d2 f4 d2"), (7, illegal("d2", 3, IllegalReason::Occupied(name("d2")))));
        assert_eq!(error("d2 f4 d6 xf4"), (10, illegal("d6xf4", 3, IllegalReason::CapturesNothing)));
        assert_eq!(error("d2 f4 d2 xf4").0, 7);
        assert_eq!(error("xf4"), (1, UciErrorKind::CaptureWithoutMove(name("xf4"))));
        let g7 = "a7 b2 d7 f4 g7";
        let missing = UciErrorKind::MissingCapture { text: name("g7"), example: name("xf4") };
        assert_eq!((error(g7), error(&format!("{g7} d6"))), ((15, missing.clone()), (16, missing)));
        assert_eq!(error(&format!("{g7} xd6")), (16, illegal("g7xd6", 5, IllegalReason::NoVictim(name("d6")))));
        assert_eq!(error(&format!("{g7} xf4 xb2")), (20, UciErrorKind::CaptureWithoutMove(name("xb2"))));
        let pending = FEN.replace("m s", "m r");
        assert_eq!(
            error(&format!("position fen {pending} moves xd7")),
            (45, UciErrorKind::Fen(fen::FenErrorKind::PendingCapture))
        );
        assert_eq!(error("fen moves d2").0, 4);
        assert_eq!(read::<SixMensMorris>("d2").unwrap_err().kind, UciErrorKind::UnsupportedBoard("six-mens-morris"));
    }

    fn round_trip<V: Variant>(seed: u64, plies: usize, later: usize) {
        let game = random_game::<Position<V>>(seed, plies);
        let mut rest = Game::new(*game.position());
        for _ in 0..later {
            let Some(m) = rest.position().legal_moves().last().filter(|_| rest.end().is_none()) else { break };
            rest.play(m).unwrap();
        }
        for game in [game, rest] {
            let annotated = AnnotatedGame::from(game);
            let text = write(&annotated).unwrap();
            let read = read::<V>(&text).unwrap();
            assert_eq!(
                (read.game.start(), read.game.moves()),
                (annotated.game.start(), annotated.game.moves()),
                "{text}"
            );
            assert!(looks_like(&text));
        }
    }

    proptest! {
        #[test]
        fn games_round_trip(seed: u64, plies in 0..120usize, later in 0..9usize) {
            round_trip::<NineMensMorris>(seed, plies, later);
            round_trip::<NineMensMorrisFlying>(seed, plies, later);
            round_trip::<LaskerMorris>(seed, plies, later);
            round_trip::<Morabaraba>(seed, plies, later);
        }

        #[test]
        fn error_columns_lie_within_the_text(
            text in "(position |startpos |fen |moves |[O@*]{8}/|é|[a-g][1-7] ?|-| x[a-g][1-7]){0,12}",
            other in "\\PC{0,60}",
        ) {
            for text in [text, other] {
                if let Err(error) = read::<NineMensMorris>(&text) {
                    prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{text}: {error}");
                }
            }
        }
    }
}
