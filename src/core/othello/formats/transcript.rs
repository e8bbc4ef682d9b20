//! Transcripts: the moves of a complete or unfinished game on one line.
//!
//! ```text
//! f5d6c3d3c4f4
//! ---------------------------OX------XO--------------------------- X; f5d6c3
//! 1. f5 d6 2. c3 {a comment} d3 40-24
//! Anna - Bob: f5d6c3d3c4f4
//! ```
//!
//! Move numbers (`1.`, `1)`, `1:` or `1`), comments in braces, the marks `!` and `?`, and a result
//! or a score after the moves are accepted. A numbered list may continue over several lines. The
//! names before a colon are those of Black and White, and a result in discs is kept.
//!
//! Passes are omitted, because the rules imply them; the reader inserts a forced pass before the
//! next move. It also accepts a written pass (`pa`, `ps`, `pass`, `--`) where one is forced. Only a
//! pass at the end of an unfinished game is written, because no move follows it.
//!
//! Upper and lower case are equivalent, and moves may be separated by spaces, commas or semicolons.
//! A game that does not begin at the start position begins with its board string and a semicolon.
//! The XOT opening lists are transcripts of eight plies.

use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use super::move_numbers::MoveNumbers;
use crate::game::format::movetext::{Syntax, Token, Tokens, Unclosed, is_before_letter, read_label, split_label};
use crate::game::{
    AnnotatedGame, Game, GameResult, ImpossibleResult, LineFormat, MetadataKind, NumberedMovesScanner, ParseError,
    Playable, Position as _, disc_counts, disc_result,
};
use crate::othello::notation;
use crate::othello::notation::ParsePositionError;
use crate::othello::{Board, IllegalReason, Move, SizedPosition};
use crate::text_serde::text_serde;

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    SizedPosition<N>: Playable,
{
    LineFormat {
        aliases: &["xot"],
        scanner: Some(|| Box::new(NumberedMovesScanner::new(is_result, continues))),
        ..LineFormat::of_games(
            "transcript",
            "games: the moves, `f5d6c3`, after a position and `;` if not from the start",
            looks_like,
            |line| Ok(read_annotated::<N>(line)?.into()),
            |game| Ok(write_line::<N>(&game.game.known())),
            &[MetadataKind::Moves],
        )
    }
}

/// Returns whether a line is more likely a transcript than a position: it begins with a move, or
/// has a move where OBF has the first score.
///
/// ```
/// use morello::othello::formats::transcript::looks_like;
///
/// assert!(looks_like("1. f5 d6") && looks_like("Anna - Bob: f5d6"));
/// assert!(!looks_like("---------------------------OX------XO--------------------------- X"));
/// ```
#[must_use]
pub fn looks_like(line: &str) -> bool {
    begins(line)
        || split_label(line, begins).is_some()
        || line.split_once(';').is_some_and(|(_, moves)| begins_moves(moves))
}

/// Returns whether the text after a position begins with moves, not with the scores of OBF.
fn begins_moves(fields: &str) -> bool {
    begins(fields.trim_start()) && !fields.contains(':')
}

/// An error in a transcript.
pub type ParseTranscriptError = ParseError<TranscriptErrorKind>;

impl From<ParsePositionError> for ParseTranscriptError {
    fn from(error: ParsePositionError) -> Self {
        Self { column: error.column, kind: TranscriptErrorKind::Position(error.kind) }
    }
}

/// The kinds of errors in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TranscriptErrorKind {
    /// The board string is invalid.
    #[error(transparent)]
    Position(notation::PositionErrorKind),
    /// No semicolon follows the side to move.
    #[error("expected `;` between the position and the moves")]
    MissingSemicolon,
    /// A move number is not the next one.
    #[error("expected move number `{expected}.`, found `{found}.`: are moves missing?")]
    MoveNumber {
        /// The next move number.
        expected: usize,
        /// The number found.
        found: String,
    },
    /// The result has more discs than the board has squares.
    #[error(transparent)]
    Result(#[from] ImpossibleResult),
    /// Text follows the result or score.
    #[error("unexpected text `{text}` after the result `{result}`: remove it, or write it in braces")]
    TrailingText {
        /// The start of the text.
        text: String,
        /// The result or score.
        result: String,
    },
    /// A comment or variation has no end.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// A word is not a move.
    #[error("expected a move such as `f5`, found `{0}`")]
    NotAMove(String),
    /// A move is illegal.
    #[error("illegal move `{text}` in ply {ply}: {reason}")]
    IllegalMove {
        /// The move as written.
        text: String,
        /// The ply, from 1, with passes counted.
        ply: usize,
        /// Why it is illegal.
        reason: IllegalReason,
    },
}

/// Returns whether a text starts like a transcript from the start of the game: with a move, its
/// number or a comment before it.
#[must_use]
pub fn begins(text: &str) -> bool {
    let first = Tokens::new(text, SYNTAX).find(|token| !token.is_ok_and(|token| token.number.is_some()));
    let is_move = first.is_some_and(|token| token.is_ok_and(|token| Move::from_text(token.text).is_some()));
    is_move && !text.trim_start().starts_with([',', ';'])
}

/// Reads a transcript, ignoring surrounding spaces. An empty one is a game without moves.
///
/// ```
/// use morello::othello::formats::transcript;
///
/// let game = transcript::read::<8>("F5D6 c3")?;
/// assert_eq!(game.moves().len(), 3);
/// assert_eq!(transcript::write(&game), "f5d6c3");
/// let error = transcript::read::<8>("f5d6d6").unwrap_err();
/// assert_eq!((error.column, error.to_string().as_str()), (5, "illegal move `d6` in ply 3: the square is occupied"));
/// # Ok::<(), transcript::ParseTranscriptError>(())
/// ```
///
/// # Errors
/// [`ParseTranscriptError`], with the column.
pub fn read<const N: usize>(text: &str) -> Result<Game<SizedPosition<N>>, ParseTranscriptError> {
    read_annotated(text).map(|annotated| annotated.game)
}

/// Reads a transcript with the names before it and the result in discs after it.
///
/// ```
/// use morello::othello::formats::transcript;
///
/// let read = transcript::read_annotated::<8>("Anna - Bob: 1. f5 d6 2. c3 {quick} d3 40-24")?;
/// assert_eq!(read.tags.names, [Some("Anna".to_owned()), Some("Bob".to_owned())]);
/// assert_eq!(read.tags.result.map(|result| result.points), Some(16.0));
/// assert_eq!(transcript::write(&read.game), "f5d6c3d3");
/// # Ok::<(), transcript::ParseTranscriptError>(())
/// ```
///
/// # Errors
/// [`ParseTranscriptError`], with the column.
pub fn read_annotated<const N: usize>(text: &str) -> Result<AnnotatedGame<SizedPosition<N>>, ParseTranscriptError> {
    if let Some((label, moves)) = split_label(text, begins) {
        let mut annotated = read_moves(Game::new(SizedPosition::default()), text, moves)?;
        let label = read_label(label, is_result);
        annotated.tags.names = label.names;
        annotated.tags.result = match annotated.tags.result {
            None => read_result(Board::<N>::AREA, text, label.result)?,
            result => result,
        };
        return Ok(annotated);
    }
    if text.trim().is_empty() || begins(text) || !text.contains(';') {
        return read_moves(Game::new(SizedPosition::default()), text, text);
    }
    let (start, rest) = notation::parse_prefix::<N>(text)?;
    let rest = rest.trim_start();
    match rest.strip_prefix(';') {
        Some(moves) => read_moves(Game::new(start), text, moves),
        None => Err(ParseTranscriptError::at(text, rest, TranscriptErrorKind::MissingSemicolon)),
    }
}

impl<const N: usize> FromStr for SizedPosition<N> {
    type Err = ParseTranscriptError;

    /// Reads a board string, or the moves that lead to the position.
    fn from_str(text: &str) -> Result<Self, ParseTranscriptError> {
        read_any(text).map(|game| *game.position())
    }
}

/// Reads a board string, or a transcript, which may be empty.
pub(super) fn read_game<const N: usize>(text: &str) -> Result<Game<SizedPosition<N>>, ParseTranscriptError> {
    if text.trim().is_empty() { Ok(Game::default()) } else { read_any(text) }
}

/// Reads a board string, or a transcript that has a move or a position.
fn read_any<const N: usize>(text: &str) -> Result<Game<SizedPosition<N>>, ParseTranscriptError> {
    if begins(text) || text.contains(';') { read(text) } else { Ok(Game::new(notation::read(text)?)) }
}

/// The syntax of a list on a line. Moves, results and passes need no separator after them.
const SYNTAX: Syntax = Syntax {
    separators: ",;",
    marks: &['.', ')', ':'],
    is_bare: is_before_letter,
    nests_comments: false,
    word: |syntax, text| leading_result(syntax, text).or_else(|| move_len(text)),
};

/// The syntax of a list after tags.
pub(super) const PGN_SYNTAX: Syntax = Syntax { separators: ",", ..SYNTAX };

/// Reads moves, which are a slice of the text, into a game.
fn read_moves<const N: usize>(
    mut game: Game<SizedPosition<N>>,
    text: &str,
    moves: &str,
) -> Result<AnnotatedGame<SizedPosition<N>>, ParseTranscriptError> {
    let result = play_moves(&mut game, text, moves, SYNTAX)?;
    let mut annotated = AnnotatedGame::from(game);
    annotated.tags.result = read_result(Board::<N>::AREA, text, result)?;
    Ok(annotated)
}

/// Returns the result in discs, if a result is in discs: which side `1-0` means differs between
/// programs, and a number after the moves of an opening is a score.
pub(super) fn read_result(
    area: u32,
    text: &str,
    result: Option<&str>,
) -> Result<Option<GameResult>, ParseTranscriptError> {
    let Some(result) = result.filter(|result| disc_counts(result).is_some()) else { return Ok(None) };
    let points = disc_result(result, area).transpose();
    let points = points.map_err(|error| ParseTranscriptError::at(text, result, error))?;
    Ok(points.map(|points| GameResult { points }))
}

/// Plays moves, which are a slice of the text. Returns the result or score after them.
pub(super) fn play_moves<'a, const N: usize>(
    game: &mut Game<SizedPosition<N>>,
    text: &str,
    moves: &'a str,
    syntax: Syntax,
) -> Result<Option<&'a str>, ParseTranscriptError> {
    let mut numbers = MoveNumbers::default();
    let mut result = None;
    for token in Tokens::new(moves, syntax) {
        let token = token.map_err(|(rest, unclosed)| ParseTranscriptError::at(text, rest, unclosed))?;
        let fail = |kind| ParseTranscriptError::at(text, token.text, kind);
        match (token.number, result) {
            (_, Some(result)) if game.moves().is_empty() => {
                let kind = TranscriptErrorKind::NotAMove(String::from(result));
                return Err(ParseTranscriptError::at(text, result, kind));
            }
            (_, Some(result)) => {
                let (text, result) = (quoted(token.rest), result.to_owned());
                return Err(fail(TranscriptErrorKind::TrailingText { text, result }));
            }
            (Some(number), None) => {
                let must_pass = game.position().is_legal(Move::PASS);
                let is_second = token.text[number.len()..].starts_with("..");
                let wrong = |expected| TranscriptErrorKind::MoveNumber { expected, found: number.to_owned() };
                numbers.next(number.parse().ok(), is_second, must_pass).map_err(wrong).map_err(fail)?;
            }
            (None, None) if leading_result(syntax, token.rest).is_some() => result = Some(token.text),
            (None, None) => play(game, &mut numbers, token).map_err(fail)?,
        }
    }
    Ok(result)
}

/// Plays a move, after a forced pass if the list omits it.
fn play<const N: usize>(
    game: &mut Game<SizedPosition<N>>,
    numbers: &mut MoveNumbers,
    token: Token<'_>,
) -> Result<(), TranscriptErrorKind> {
    // Dashes may begin a board, but are a pass between moves.
    let dashes = || (token.text == "--").then_some(Move::PASS);
    let not_a_move = || TranscriptErrorKind::NotAMove(quoted(token.rest));
    let m = Move::from_text(token.text).or_else(dashes).ok_or_else(not_a_move)?;
    if m != Move::PASS && game.position().is_legal(Move::PASS) {
        game.play(Move::PASS).expect("a pass is legal here");
        numbers.play(true);
    }
    if let Some(reason) = game.position().why_illegal(m) {
        let (text, ply) = (token.text.to_owned(), game.moves().len() + 1);
        return Err(TranscriptErrorKind::IllegalMove { text, ply, reason });
    }
    game.play(m).expect("the move is legal, and no draw rule ends a game of Othello");
    numbers.play(m == Move::PASS);
    Ok(())
}

/// Returns the start of a text, for an error.
fn quoted(text: &str) -> String {
    text.chars().take_while(|&c| !SYNTAX.is_separator(c)).take(20).collect()
}

/// The most passes that a list may omit before a line, in moves of both sides.
const MAX_OMITTED_PASSES: usize = 2;

/// Returns whether a number at the start of a line is the next one of a list. Numbers count moves
/// of both sides or of either side. Where each line is a whole game, its number is not the next
/// one.
fn continues(plies: usize, number: &str, line: &str) -> bool {
    // The names of players begin a game of their own, numbered or not.
    if split_label(line, begins).is_some() {
        return false;
    }
    let is_second = line[number.len()..].starts_with("..");
    let Ok(number) = number.parse::<usize>() else { return false };
    let next = plies / 2 + 1;
    let is_complete = plies.is_multiple_of(2);
    ((is_complete || is_second) && (next..=next + MAX_OMITTED_PASSES).contains(&number)) || number == plies + 1
}

/// Returns whether a word is a result, as opposed to a score or a move number.
pub(super) fn is_result(word: &str) -> bool {
    GameResult::from_pgn(word).is_ok() || disc_counts(word).is_some()
}

/// Returns the length of the result or score at the start of a text. Numbers before other text are
/// move numbers.
fn leading_result(syntax: Syntax, text: &str) -> Option<usize> {
    // Without this condition, every move of a long line would search the rest of the line for a
    // separator.
    let is_possible = text.starts_with(|c: char| "+-.*".contains(c) || c.is_ascii_digit());
    let word = text.split(|c: char| SYNTAX.is_separator(c) || c == '{').next().filter(|_| is_possible)?;
    let is_last = || Tokens::new(&text[word.len()..], syntax).skip_annotations() == Ok("");
    let is_marked =
        || word.starts_with(['+', '-', '.']) || word.split_once('.').is_some_and(|(_, digits)| !digits.is_empty());
    let is_score = is_decimal(word) && (is_marked() || is_last());
    (is_result(word) || is_score).then_some(word.len())
}

/// Returns whether a word is a number in digits, perhaps with a sign and a fraction. `2.e6` is the
/// move number and a move, although it could be a number with an exponent.
fn is_decimal(word: &str) -> bool {
    let number = word.strip_prefix(['+', '-']).unwrap_or(word);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    !(whole.is_empty() && fraction.is_empty()) && (whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit())
}

/// Returns the length of the move at the beginning of a text.
fn move_len(text: &str) -> Option<usize> {
    [4, 2].into_iter().find(|&len| text.get(..len).is_some_and(|name| Move::from_text(name).is_some()))
}

/// Writes a game as a line. A game without moves becomes its position, because readers skip blank
/// lines.
fn write_line<const N: usize>(game: &Game<SizedPosition<N>>) -> String {
    let text = write(game);
    if text.is_empty() { format!("{};", game.start()) } else { text }
}

/// Writes a game. Passes are omitted except at the end, and the first position precedes the moves
/// unless it is the start position.
#[must_use]
pub fn write<const N: usize>(game: &Game<SizedPosition<N>>) -> String {
    let start = (*game.start() != SizedPosition::default()).then(|| game.start().to_string());
    write_moves(start, game.moves())
}

/// Writes moves after a position, or from the start.
fn write_moves(position: Option<String>, moves: &[Move]) -> String {
    let separator = if moves.is_empty() { ";" } else { "; " };
    let mut text = position.map_or_else(String::new, |position| position + separator);
    let last = moves.len().saturating_sub(1);
    for (_, m) in moves.iter().enumerate().filter(|&(ply, &m)| m != Move::PASS || ply == last) {
        write!(text, "{m}").expect("writing to a string cannot fail");
    }
    text
}

text_serde!([const N: usize] SizedPosition<N>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{RandomNumbers, RecordScanner as _, random_game};
    use crate::othello::Position;

    /// A game of 60 moves without a pass, which ends in a draw.
    const WITHOUT_PASSES: &str = "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4A1A2\
                           C1H2H1G2B8A8G7H8H7H6";

    /// A game in which the moves 58 and 59 each follow a pass; Black wins by 48 to 16.
    const WITH_PASSES: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5g3f7g4d8h6d2g6c2f8h5h4a7c6e2e1f1g1f2d1h2a5c7h3h7c8e8a6a4b7c1b1b2g2\
                               g7h8g8h1b8a2a1a3a8b4b3";

    fn error(text: &str) -> (usize, String) {
        let error = read::<8>(text).unwrap_err();
        (error.column, error.to_string())
    }

    #[test]
    fn positions_are_read_from_boards_and_moves() {
        let after = |text: &str| text.parse::<SizedPosition<8>>();
        let expected = *read::<8>("f5d6c3").unwrap().position();
        let board = expected.to_string();
        for text in ["f5d6c3", "F5 D6, c3", "1. f5 d6 2. c3", &board, &format!("{board};")] {
            assert_eq!(after(text), Ok(expected), "{text}");
        }
        assert_eq!(after(&format!("{board}; f4")).unwrap().to_string(), after("f5d6c3f4").unwrap().to_string());
        assert!(matches!(after("").unwrap_err().kind, TranscriptErrorKind::Position(_)));
        let error = after("f5d6d6").unwrap_err();
        assert_eq!(
            (error.column, error.to_string().as_str()),
            (5, "illegal move `d6` in ply 3: the square is occupied")
        );
        assert_eq!(Game::<SizedPosition<8>>::default().to_string().parse(), Ok(Game::<SizedPosition<8>>::default()));
        let game: Game<SizedPosition<4>> = "XO-------------- O; c1".parse().unwrap();
        assert_eq!(
            (game.moves().len(), game.to_string().parse::<Game<SizedPosition<4>>>().unwrap().moves()),
            (2, game.moves())
        );
    }

    #[test]
    fn a_move_after_its_number_is_no_number() {
        for text in ["1.f5 2.d6", "1. f5 2.d6 3.c3", "1.f5d6 2.c3", "1.f5 2.d6 3.c3 4.d3 5.e3"] {
            let words = text.replace('.', ". ").replace("f5d6", "f5 d6");
            assert_eq!(read::<8>(text).map(|game| write(&game)), read::<8>(&words).map(|game| write(&game)), "{text}");
        }
        assert_eq!(error("1.f5 2.e6"), (8, "illegal move `e6` in ply 2: it flips no disc".to_owned()));
        for text in ["f5d6 1e3", "f5d6 +1e3", "f5d6 nan", "f5d6 +inf"] {
            assert!(read::<8>(text).is_err(), "{text}");
        }
        for text in ["f5d6 +1", "f5d6 -.5", "f5d6 3.25", "f5d6 12", "f5d6 +3."] {
            assert_eq!(read::<8>(text).map(|game| game.moves().len()), Ok(2), "{text}");
        }
    }

    #[test]
    fn reads_whole_games() {
        let game = read::<8>(WITHOUT_PASSES).unwrap();
        assert_eq!((game.moves().len(), game.position().final_score()), (60, 0));
        assert_eq!(write(&game), WITHOUT_PASSES.to_lowercase());

        let game = read::<8>(WITH_PASSES).unwrap();
        let passes: Vec<_> = (0..game.moves().len()).filter(|&ply| game.moves()[ply] == Move::PASS).collect();
        assert_eq!((game.moves().len(), passes), (62, vec![57, 59]));
        assert!(game.position().is_over());
        assert_eq!((game.position().disc_difference().abs(), write(&game).as_str()), (32, WITH_PASSES));
        // Written passes give the same game.
        let (before, after) = WITH_PASSES.split_at(2 * 57);
        let written = format!("{before} PASS {} pa{}", &after[..2], &after[2..]);
        assert_eq!(read::<8>(&written).unwrap().moves(), game.moves());
        let dashes = written.replace("PASS", "--").replace("pa", " -- ");
        assert_eq!(read::<8>(&dashes).unwrap().moves(), game.moves());
    }

    #[test]
    fn games_of_all_sizes_round_trip() {
        fn check<const N: usize>(plies: usize) {
            let mut numbers = RandomNumbers::new(3);
            for seed in 0..50 {
                let game = random_game::<SizedPosition<N>>(seed, numbers.below(plies));
                let read = read::<N>(&write(&game)).unwrap();
                assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
                let mut later = Game::new(*game.position());
                while let Some(m) = later.position().legal_moves().next() {
                    later.play(m).unwrap();
                }
                let read = super::read::<N>(&write(&later)).unwrap();
                assert_eq!((read.start(), read.moves()), (later.start(), later.moves()));
            }
        }
        check::<8>(65);
        check::<6>(40);
        check::<4>(14);
    }

    #[test]
    fn ignores_case_spaces_and_commas() {
        let moves = read::<8>("f5d6c3").unwrap().moves().to_vec();
        for text in [" F5D6C3 ", "f5 d6 c3", "f5,d6, c3,", "F5d6\tC3"] {
            assert_eq!(read::<8>(text).unwrap().moves(), moves, "{text}");
        }
        let start = Position::default();
        for text in [format!("{start};f5d6c3"), format!("{start} ; f5 d6c3")] {
            assert_eq!(read::<8>(&text).unwrap().moves(), moves, "{text}");
        }
        assert!(read::<8>("").unwrap().moves().is_empty());
        assert_eq!(write(&read::<4>("XO-------------- O; c1").unwrap()), "XO-------------- O; c1");
        assert_eq!(read::<4>("XO-------------- O; c1").unwrap().moves().len(), 2);
        assert_eq!(write(&read::<4>("XO-------------- O; pa").unwrap()), "XO-------------- O; pa");
    }

    #[test]
    fn ignores_move_numbers_comments_and_marks() {
        let moves = read::<8>("f5d6c3d3").unwrap().moves().to_vec();
        for text in [
            "1. f5 d6 2. c3 d3",
            "1.f5 d6 2.c3 d3 *",
            "1. f5 1... d6 2. c3 2... d3 1-0",
            "1. f5! d6?? {a {remark} 2. c3 d3 1/2-1/2",
            "{opening} 1. f5 2. d6 3. c3 4. d3",
            "1. f5 $1 d6 (1... f6 (1... f4 2. e3)) 2. c3 (why?) d3",
            "1. f5 d6\n2. c3 d3\n40-24",
            "f5d6c3d3 -0.5",
            "F5D6C3D3 +2",
            "Anna - Bob: f5d6c3d3",
            "game 3: 1. f5 d6 2. c3 d3",
        ] {
            assert!(looks_like(text), "{text}");
            assert_eq!(read::<8>(text).map(|game| game.moves().to_vec()), Ok(moves.clone()), "{text}");
        }
    }

    #[test]
    fn a_list_continues_with_the_next_number_only() {
        let continues = |lines: &[&str], next: &str| {
            let mut scanner = NumberedMovesScanner::new(is_result, continues);
            lines.iter().for_each(|line| scanner.add(line));
            scanner.may_continue() && scanner.accepts(next)
        };
        assert!(continues(&["1. f5 d6"], "2. c3 d3"));
        assert!(continues(&["1. f5 d6 {2. a1}", "2. c3 d3"], "3. c4 f4"));
        assert!(continues(&["1. f5"], "1... d6"));
        assert!(continues(&["1. f5", "2. d6", "3. c3"], "4. d3"));
        assert!(continues(&["1. f5 d6"], "40-24"));
        // Comments and variations may have several lines.
        assert!(continues(&["1. f5 d6 {1-0 and"], "2. a1 so on}"));
        assert!(continues(&["1. f5 d6", "{1. a1"], "b1} 2. c3") && continues(&["1. f5 d6"], "{a comment"));
        assert!(continues(&["1. f5 d6 {a", "b}"], "2. c3 d3") && !continues(&["1. f5 d6 {a", "b}"], "f5d6"));
        assert!(continues(&["1. f5 d6 (1... f6", "2. e6)"], "2. c3 d3"));
        assert!(continues(&["1. f5 d6 40-24 {a"], "b}") && !continues(&["1. f5 d6 40-24 {a", "b}"], "2. c3"));
        // An unclosed comment does not swallow the next list.
        assert!(!continues(&["1. f5 d6 {a"], "1. f5 f6") && !continues(&["1. f5 d6 {a"], ""));
        // A pass may be omitted.
        assert!(continues(&["1. f5 d6"], "3. c3 d3"));
        assert!(!continues(&["1. f5 d6"], "5. c3 d3"));
        // A game per line, with its number.
        assert!(!continues(&["1. f5d6c3"], "2. f5f6e6"));
        assert!(!continues(&["1. f5d6c3d3c4f4"], "2. f5f6e6"));
        assert!(!continues(&["1. f5 d6 40-24"], "2. c3"));
        assert!(!continues(&["f5 d6"], "2. c3"));
        assert!(!continues(&["1. f5 d6"], "1. f5 f6"));
        assert!(!continues(&["1. f5 d6"], "2. Anna - Bob: f5f6e6"));
    }

    #[test]
    fn keeps_names_and_results_in_discs() {
        let tags = |text: &str| read_annotated::<8>(text).unwrap().tags;
        let names = |text: &str| tags(text).names.map(Option::unwrap_or_default);
        assert_eq!(names("Anna - Bob: f5"), ["Anna", "Bob"]);
        assert_eq!(names("Anna-Lena vs. Bob: f5"), ["Anna-Lena", "Bob"]);
        assert_eq!(names("12. Zebra (andersson) - OO7 (buro): f5"), ["Zebra (andersson)", "OO7 (buro)"]);
        assert_eq!(names("3 Kings - 2 Queens: f5"), ["3 Kings", "2 Queens"]);
        assert_eq!(names("round 1: f5"), ["", ""]);
        let points = |text: &str| tags(text).result.map(|result| result.points);
        assert_eq!(
            (points("f5d6 40-24"), points("f5d6 0-64"), points("f5d6 31:33")),
            (Some(16.0), Some(-64.0), Some(-2.0))
        );
        assert_eq!((points("f5d6 40-20"), points("f5d6 30-30")), (Some(24.0), Some(0.0)));
        assert_eq!((points("f5d6 1-0"), points("f5d6 +4"), points("f5d6")), (None, None, None));
    }

    #[test]
    fn reports_where_and_why_a_transcript_is_invalid() {
        assert_eq!(error("1. f5 d6 2. d6"), (13, "illegal move `d6` in ply 3: the square is occupied".into()));
        assert_eq!(error("é - B: f5x"), (10, "expected a move such as `f5`, found `x`".into()));
        assert_eq!(error("f5 {open"), (4, "unclosed comment: expected `}`".into()));
        assert_eq!(error("f5 d6 (1... f6 (a)"), (7, "unclosed variation: expected `)`".into()));
        assert_eq!(error("f5 d6 40-24 {open"), (13, "unclosed comment: expected `}`".into()));
        assert_eq!(
            error("f5 -- d6"),
            (4, "illegal move `--` in ply 2: the side to move has a legal move and cannot pass".into())
        );
        assert_eq!(error("f5 --d6"), (4, "expected a move such as `f5`, found `--d6`".into()));
        assert_eq!(error("f5d6c3d3c4f4 a1"), (14, "illegal move `a1` in ply 7: it flips no disc".into()));
        assert_eq!(error("f5d6D6"), (5, "illegal move `D6` in ply 3: the square is occupied".into()));
        assert_eq!(
            error("f5pad6"),
            (3, "illegal move `pa` in ply 2: the side to move has a legal move and cannot pass".into())
        );
        assert_eq!(error("f5 d9c3"), (4, "expected a move such as `f5`, found `d9c3`".into()));
        assert_eq!(error("f5é"), (3, "expected a move such as `f5`, found `é`".into()));
        assert_eq!(error("f5d"), (3, "expected a move such as `f5`, found `d`".into()));
        let start = Position::default();
        assert_eq!(error(&format!("{start}; f5x")), (71, "expected a move such as `f5`, found `x`".into()));
        assert_eq!(error(&format!("{start} f5; d6")), (68, "expected `;` between the position and the moves".into()));
        assert_eq!(error("--- X; f5").0, 6);
        let whole = format!("{WITHOUT_PASSES}a1");
        assert_eq!(error(&whole), (121, "illegal move `a1` in ply 61: the game is over".into()));
        let text = read::<4>("a2e2").unwrap_err().to_string();
        assert_eq!(text, "illegal move `e2` in ply 2: the board has no such square");
    }
}
