//! Games as move lists in seed notation.
//!
//! ```text
//! d2 f4 d6 f2 d6-d5xf4                 from the start of the game
//! start moves d2 f4                    the same, as in the protocol morris-text
//! 1. d2 f4 2. d6 {a remark} f2 1-0     with move numbers (also `1)`, `1:` or `1`), comments and a result
//! Anna - Bob: d2f4 d6                  with the names of White and Black
//! 7,8 a4,b4 g7 B; c4                   from a position
//! 7,8 a4,b4 g7 B moves c4              the same
//! ```
//!
//! The position may have any one-line format. [`opening`] does the parsing. Only the result is
//! written as metadata; the players and the date are lost.

use std::str::FromStr;

use thiserror::Error;

use super::is_point;
use crate::game::format::label::{is_remark, labels, labels_of_squares};
use crate::game::format::move_numbers::MoveNumbers;
use crate::game::format::movetext::{Syntax, Token, Tokens, are_squares, move_number, squares};
use crate::game::format::opening::{self, OpeningErrorKind, is_result};
use crate::game::{
    AnnotatedGame, AnyGame, AnyPosition, Game, GameResult, LineFormat, ListSoFar, LocatedError, MetadataKind,
    NumberedMovesScanner, ParseError, ParsedRecord, any_game,
};
use crate::morris::moves::names;
use crate::morris::{Position, PositionErrorKind, Variant, notation};
use crate::text_serde::text_serde;

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat {
        scanner: Some(|| Box::new(NumberedMovesScanner::new(is_result, continues))),
        has_loose_lines: true,
        ..LineFormat::of_games(
            "moves",
            "games: moves in seed notation, `d2 f4 d6-d5xf4`, after a position and `;` if not from the start",
            looks_like,
            |line| read_any(any_game::<Position<V>>(), line).map(ParsedRecord::from),
            |game| Ok(write_any(game)),
            &[MetadataKind::Moves, MetadataKind::Result],
        )
    }
}

/// Returns whether a number at the start of a line continues a list: any number except 1. A wrong
/// number is an error in the list. Player names begin a separate game, numbered or not.
fn continues(_list: ListSoFar, number: &str, line: &str) -> bool {
    (number != "1" || line.starts_with("1..")) && (begins(line) || labels(line, begins).next().is_none())
}

/// The text is a move list with a wrong move number.
pub type ParseMovesError = ParseError<WrongMoveNumber>;

/// A move number that is not the expected one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected move number `{expected}.`, found `{found}.`; are moves missing?")]
pub struct WrongMoveNumber {
    /// The expected move number.
    pub expected: usize,
    /// The number found.
    pub found: String,
}

/// Checks the move numbers of a list that begins at the start of the game.
fn check_numbers(text: &str) -> Result<(), ParseMovesError> {
    let (mut numbers, mut is_first, mut plies) = (MoveNumbers::default(), true, 0);
    for Token { text: word, number, rest } in Tokens::new(text, Syntax::of_words(text)).map_while(Result::ok) {
        let Some(found) = number else {
            (0..count_moves(word)).for_each(|_| numbers.play(false));
            plies += count_moves(word);
            continue;
        };
        let parsed = found.parse().ok();
        let is_second = word[found.len()..].starts_with("..");
        // The list begins at the start of the game.
        let is_wrong = (std::mem::take(&mut is_first) || plies == 0) && parsed != Some(plies / 2 + 1);
        match if is_wrong { Err(plies / 2 + 1) } else { numbers.next(parsed, is_second, false) } {
            Ok(()) => {}
            Err(_) if plies > 0 && is_remark(rest) => return Ok(()),
            Err(expected) => {
                return Err(ParseMovesError::at(text, word, WrongMoveNumber { expected, found: found.to_owned() }));
            }
        }
    }
    Ok(())
}

/// Returns the number of moves in a word: one, several points without a separator, or none.
fn count_moves(word: &str) -> usize {
    if is_move(word) { 1 } else { squares(word).map_or(0, |squares| squares.len()) }
}

/// Returns whether a line begins like a game: with a move, a move number, `start`, or a position
/// followed by `;` or `moves`.
///
/// Games in [Sanmill's tokens](super::sanmill::uci) can match too, so check for them first.
///
/// ```
/// use morello::morris::formats::moves::looks_like;
///
/// assert!(looks_like("1. d2 f4") && looks_like("7,8 a4,b4 g7 B; c4"));
/// assert!(!looks_like("7,8 a4,b4 g7 B"), "a position without moves");
/// ```
#[must_use]
pub fn looks_like(line: &str) -> bool {
    opening::looks_like(line, is_move) || labels(line, begins).next().is_some()
}

/// Returns whether the text begins with a move, a move number, or a comment before it.
fn begins(text: &str) -> bool {
    let first = Tokens::new(text, Syntax::of_words(text)).find(|token| !token.is_ok_and(opening::is_before_move));
    first.is_some_and(|token| token.is_ok_and(|token| is_move(token.text) || are_squares(token.text)))
}

/// Returns whether a word has the form of a move.
fn is_move(word: &str) -> bool {
    names(word).into_iter().flatten().all(is_point)
}

/// Reads a game.
///
/// ```
/// use morello::morris::{NineMensMorris, formats::moves};
///
/// let read = moves::read::<NineMensMorris>("1. d2 f4 2. d6 0-1")?;
/// assert_eq!(read.game.moves().len(), 3);
/// assert_eq!(read.tags.result.map(|result| result.points), Some(1.0));
/// assert_eq!(moves::write(&read), "d2 f4 d6 0-1");
/// # Ok::<(), Box<dyn morello::game::LocatedError>>(())
/// ```
///
/// # Errors
/// An error in the position or the moves, with its column.
pub fn read<V: Variant>(text: &str) -> Result<AnnotatedGame<Position<V>>, Box<dyn LocatedError>> {
    read_any(any_game::<Position<V>>(), text).map(|annotated| annotated.known())
}

fn read_any(game: &'static dyn AnyGame, text: &str) -> Result<AnnotatedGame, Box<dyn LocatedError>> {
    let read = |(label, moves)| read_labelled(game, text, label, moves);
    if begins(text) {
        let mut others = labels_of_squares(text, begins).map(read);
        return read_moves(game, text).or_else(|error| others.find_map(Result::ok).ok_or(error));
    }
    // Prefer a reading whose moves are all legal, or else the first one.
    let mut readings = labels(text, begins).map(read);
    match readings.next() {
        Some(first) => first.or_else(|error| readings.find_map(Result::ok).ok_or(error)),
        None => {
            if move_number(text.trim_start()).is_some() {
                check_numbers(text)?;
            }
            opening::read_annotated(game, text)
        }
    }
}

fn read_moves(game: &'static dyn AnyGame, text: &str) -> Result<AnnotatedGame, Box<dyn LocatedError>> {
    check_numbers(text)?;
    opening::read_annotated(game, text)
}

/// Reads moves and the label before them. Both are slices of the text.
fn read_labelled(
    game: &'static dyn AnyGame,
    text: &str,
    label: &str,
    moves: &str,
) -> Result<AnnotatedGame, Box<dyn LocatedError>> {
    // Blanks keep the columns of the moves.
    let blank = " ".repeat(text[..text.len() - moves.len()].chars().count());
    let annotated = read_moves(game, &format!("{blank}{moves}"))?;
    Ok(opening::with_remark(annotated, text, label))
}

/// An error in a position or a move list.
pub type ParseTextError = ParseError<TextErrorKind>;

/// The kinds of errors in a position or a move list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// The text is not a position in seed notation.
    #[error(transparent)]
    Position(#[from] PositionErrorKind),
    /// A move number is not the expected one.
    #[error(transparent)]
    MoveNumber(#[from] WrongMoveNumber),
    /// The text is not a list of legal moves.
    #[error(transparent)]
    Moves(#[from] OpeningErrorKind),
}

impl<V: Variant> FromStr for Position<V> {
    type Err = ParseTextError;

    /// Reads a position in seed notation, or the moves that lead to it.
    fn from_str(text: &str) -> Result<Self, ParseTextError> {
        read_text(text).map(|game| *game.position())
    }
}

/// Reads moves from the start, a position in seed notation, or moves from such a position.
pub(super) fn read_text<V: Variant>(text: &str) -> Result<Game<Position<V>>, ParseTextError> {
    let (position, moves) = match opening::split(text) {
        _ if begins(text) => {
            check_numbers(text).map_err(ParseError::into_kind)?;
            (None, text)
        }
        (None, _) if text.trim() == opening::START => return Ok(Game::default()),
        (None, position) => (Some(position), ""),
        (position, moves) => (position.filter(|text| text.trim() != opening::START), moves),
    };
    let start = position.map_or_else(|| Ok(Position::default()), notation::read::<V>).map_err(ParseError::into_kind)?;
    opening::read_moves(AnyPosition::new(start), text, moves)
        .map(|annotated| annotated.game.known())
        .map_err(ParseError::into_kind)
}

/// Writes a game: the starting position if it is not the usual one, the moves, and the result if it
/// is known.
#[must_use]
pub fn write<V: Variant>(annotated: &AnnotatedGame<Position<V>>) -> String {
    write_any(&annotated.any())
}

fn write_any(annotated: &AnnotatedGame) -> String {
    let game = &annotated.game;
    let Some(result) = annotated.tags.result else { return opening::write(game) };
    // Without `moves` the result would be read as part of the position.
    let moves = if game.moves().is_empty() { " moves" } else { "" };
    format!("{}{moves} {}", opening::write(game), GameResult::to_pgn(Some(result)))
}

text_serde!([V: Variant] Position<V>);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::RecordScanner as _;
    use crate::game::{Game, random_game};
    use crate::morris::{LaskerMorris, Morabaraba, MorabarabaNoReturn, NineMensMorris, ThreeMensMorris};

    fn moves(text: &str) -> (String, Option<f64>) {
        let read = read::<NineMensMorris>(text).unwrap();
        (opening::write(&read.game.any()), read.tags.result.map(|result| result.points))
    }

    fn error(text: &str) -> (usize, String) {
        let error = read::<NineMensMorris>(text).unwrap_err();
        (error.column(), error.to_string())
    }

    #[test]
    fn positions_are_read_from_seed_notation_and_moves() {
        let after = |text: &str| text.parse::<Position<NineMensMorris>>();
        let expected = after("7,8 d2,d6 f4 B").unwrap();
        let texts =
            ["d2 f4 d6", "1. d2 f4 2. d6", "start moves d2 f4 d6", "d2f4d6", "8,8 d2 f4 W; d6", "8,8 d2 f4 W moves d6"];
        for text in texts {
            assert_eq!(after(text), Ok(expected), "{text}");
        }
        assert_eq!(after("start"), Ok(Position::default()));
        let error = after("d2 f4 d2").unwrap_err();
        assert_eq!((error.column, error.to_string().as_str()), (7, "illegal move `d2` at ply 3: a man stands on d2"));
        let error = after("1. d2 f4 3. d6").unwrap_err();
        assert!(error.column == 10 && matches!(error.kind, TextErrorKind::MoveNumber(_)), "{error}");
        let error = after("8,8 d2 z4 W; d6").unwrap_err();
        assert!(error.column == 8 && matches!(error.kind, TextErrorKind::Position(_)), "{error}");
        let game: Game<Position<NineMensMorris>> = "8,8 d2 f4 W; d6 d7".parse().unwrap();
        assert_eq!(game.to_string().parse::<Game<Position<NineMensMorris>>>().unwrap().moves(), game.moves());
    }

    #[test]
    fn reads_every_notation_variant() {
        for text in
            ["d2 f4 d6", "d2,f4, D6", "1. d2 f4 2. d6", "1.d2 f4 2.d6", "1. d2 1... f4 2. d6", "start moves d2 f4 d6"]
        {
            assert_eq!(moves(text), ("d2 f4 d6".to_owned(), None), "{text}");
            assert!(looks_like(text), "{text}");
            assert_eq!(moves(&format!("{text} *")), ("d2 f4 d6".to_owned(), None), "{text}");
        }
        assert_eq!(moves("start;1. d2 f4 1-0"), ("d2 f4".to_owned(), Some(-1.0)));
        assert_eq!(moves("d2 0-1").1, Some(1.0));
        assert_eq!(moves("d2 1/2-1/2").1, Some(0.0));
        assert_eq!((moves("start"), moves("0-1")), (("start".to_owned(), None), ("start".to_owned(), Some(1.0))));
        for text in ["7,8 a4,b4 g7 B; c4", "7,8 a4,b4 g7 B moves 1. c4"] {
            assert_eq!(moves(text).0, "7,8 a4,b4 g7 B moves c4");
            assert!(looks_like(text), "{text}");
        }
        let fen = "***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1; d3-d2";
        assert_eq!(moves(fen).0, "0,0 b6,d3,d6 c3,d7,e3,f2 W moves d3-d2");
    }

    #[test]
    fn numbers_count_moves_of_one_side_or_of_both() {
        for text in ["1. d2 f4 2. b4", "1. d2 2. f4 3. b4", "1 d2 f4 2 b4", "1\td2\tf4\t2\tb4", "1. d2 1... f4 2. b4"] {
            assert_eq!(
                read::<NineMensMorris>(text).map(|read| write(&read)).ok().as_deref(),
                Some("d2 f4 b4"),
                "{text}"
            );
        }
    }

    #[test]
    fn numbered_games_continue_on_further_lines() {
        let continues = |so_far: &str, next: &str| {
            let mut scanner = NumberedMovesScanner::new(is_result, continues);
            so_far.lines().for_each(|line| scanner.add(line));
            scanner.accepts(next)
        };
        assert!(
            continues("1. d6 f4", "2. d2 b4")
                && continues("1. d6 f4\n2. d2", "2... b4")
                && continues("1. d6", "1... f4")
        );
        assert!(
            continues("1. d6 f4", " 1-0 ") && !continues("1. d6 f4 1-0", "2. d2") && !continues("1. d6\n0-1", "2. d2")
        );
        assert!(
            !continues("1. d6 f4", "1. d2")
                && !continues("1. d6 f4", "d2")
                && !continues("d6 f4", "2. d2")
                && !continues("1. d6", "")
        );
        assert_eq!(moves("1. d6 f4\n2. d2 b4\n3. g7 a7\n").0, "d6 f4 d2 b4 g7 a7");
    }

    #[test]
    fn does_not_detect_other_lines() {
        for line in [
            "",
            "name;stellung;score",
            "7,8 a4,b4 g7 B",
            "***/**/*** w p p",
            "hello",
            "1. 5 13",
            "[White \"a\"]",
            "d8",
            "d2-f4-d6",
        ] {
            assert!(!looks_like(line), "{line}");
        }
    }

    #[test]
    fn reports_where_a_game_is_invalid() {
        assert_eq!(error("1. d2 1...d2"), (11, "illegal move `d2` at ply 2: a man stands on d2".to_owned()));
        assert_eq!(error("d2 1-0 f4"), (8, "unexpected text `f4` after the result".to_owned()));
        assert_eq!(error("d2 5 f4"), (4, "not a move: `5`".to_owned()));
        assert_eq!((error("1. 2.").0, error("").0, error("start f4").0), (4, 1, 7));
        let missing =
            |expected, found| format!("expected move number `{expected}.`, found `{found}.`; are moves missing?");
        assert_eq!(error("2. d2 f4"), (1, missing(1, 2)));
        assert_eq!((error("1. d2 f4\n3. d6"), error("1. d2 2. f4 4. d6")), ((10, missing(2, 3)), (13, missing(3, 4))));
    }

    fn round_trip<V: Variant>(seed: u64, plies: usize, result: Option<f64>) {
        let game = random_game::<Position<V>>(seed, plies);
        let rest = Game::new(*game.position());
        for game in [game, rest] {
            let mut annotated = AnnotatedGame::from(game);
            annotated.tags.result = result.map(|points| GameResult { points });
            let text = write(&annotated);
            let read = read::<V>(&text).unwrap();
            assert_eq!(
                (read.game.start(), read.game.moves()),
                (annotated.game.start(), annotated.game.moves()),
                "{text}"
            );
            assert_eq!(read.tags, annotated.tags, "{text}");
        }
    }

    proptest! {
        #[test]
        fn games_round_trip(
            seed: u64,
            plies in 0..120usize,
            result in prop::option::of(prop::sample::select(vec![-1.0, 0.0, 1.0])),
        ) {
            round_trip::<NineMensMorris>(seed, plies, result);
            round_trip::<LaskerMorris>(seed, plies, result);
            round_trip::<Morabaraba>(seed, plies, result);
            round_trip::<MorabarabaNoReturn>(seed, plies, result);
            round_trip::<ThreeMensMorris>(seed, plies, result);
        }

        #[test]
        fn error_columns_lie_within_the_text(
            text in "(start|moves|[0-9,]{1,3}|[a-g][1-7]|[a-g][1-7]-[a-g][1-7]x[a-g][1-7]|1-0|é|;|[ .]){0,12}",
            other in "\\PC{0,60}",
        ) {
            for text in [text, other] {
                match read::<NineMensMorris>(&text) {
                    Ok(read) => prop_assert!(read.game.moves().is_empty() || looks_like(&text), "{text}"),
                    Err(error) => {
                        prop_assert!((1..=text.chars().count() + 1).contains(&error.column()), "{text}: {error}");
                    }
                }
            }
        }
    }
}
