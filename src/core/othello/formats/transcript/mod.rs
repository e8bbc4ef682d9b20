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
//! or a score after the moves are accepted. A numbered list may continue over several lines. Names
//! before a colon are the names of Black and White. A result in discs is kept.
//!
//! Passes are omitted, because the rules imply them; the reader inserts a forced pass before the
//! next move. It also accepts a written pass (`pa`, `ps`, `pass`, `--`) where one is forced. Only a
//! pass at the end of an unfinished game is written, because no move follows it.
//!
//! Upper and lower case are equivalent, and moves may be separated by spaces, commas or semicolons.
//! A game from another starting position begins with its board string and a semicolon. The XOT
//! opening lists are transcripts of eight plies.

use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use crate::game::format::label::{
    LabelRules, add_labels, begins_with_board, color_word, is_remark, labels, labels_of_squares, remark_from,
    remark_in_parentheses,
};
use crate::game::format::move_numbers::MoveNumbers;
use crate::game::format::movetext::{Syntax, Token, Tokens, Unclosed, is_before_letter, is_square_name};
use crate::game::{
    AnnotatedGame, Color, Game, GameResult, LineFormat, ListSoFar, MetadataKind, NumberedMovesScanner, ParseError,
    Playable, Position as _, UnreadKind, UnreadText, disc_counts, is_pass_word,
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
        has_loose_lines: true,
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
/// has a move where OBF has its first score.
///
/// ```
/// use morello::othello::formats::transcript::looks_like;
///
/// assert!(looks_like("1. f5 d6") && looks_like("Anna - Bob: f5d6"));
/// assert!(!looks_like("---------------------------OX------XO--------------------------- X"));
/// ```
#[must_use]
pub fn looks_like(line: &str) -> bool {
    (!begins_with_board(line) && (begins(line) || labels(line, begins).next().is_some()))
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
    #[error("expected move number `{expected}.`, found `{found}.`; are moves missing?")]
    MoveNumber {
        /// The next move number.
        expected: usize,
        /// The number found.
        found: String,
    },
    /// Text follows the result or score.
    #[error("unexpected text `{text}` after the result `{result}`; remove it, or write it in braces")]
    TrailingText {
        /// The start of the text.
        text: String,
        /// The result or score.
        result: String,
    },
    /// A comment or variation is not closed.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// A word is not a move.
    #[error("expected a move such as `f5`, found `{0}`")]
    NotAMove(String),
    /// A move is illegal.
    #[error("illegal move `{text}` at ply {ply}: {reason}")]
    IllegalMove {
        /// The move as written.
        text: String,
        /// The ply, counted from 1, passes included.
        ply: usize,
        /// Why it is illegal.
        reason: IllegalReason,
    },
}

/// Returns whether the text begins like a transcript of a whole game: with a move, a move number,
/// or a comment before it.
#[must_use]
pub fn begins(text: &str) -> bool {
    let is_before = |token: Token<'_>| token.number.is_some() || color_word(token.text).is_some();
    let first = Tokens::new(text, SYNTAX).find(|token| !token.is_ok_and(is_before));
    let is_move = first.is_some_and(|token| token.is_ok_and(|token| Move::from_text(token.text).is_some()));
    is_move && !text.trim_start().starts_with([',', ';'])
}

/// Reads a transcript, ignoring surrounding spaces. An empty transcript is a game without moves.
///
/// ```
/// use morello::othello::formats::transcript;
///
/// let game = transcript::read::<8>("F5D6 c3")?;
/// assert_eq!(game.moves().len(), 3);
/// assert_eq!(transcript::write(&game), "f5d6c3");
/// let error = transcript::read::<8>("f5d6d6").unwrap_err();
/// assert_eq!((error.column, error.to_string().as_str()), (5, "illegal move `d6` at ply 3: the square is occupied"));
/// # Ok::<(), transcript::ParseTranscriptError>(())
/// ```
///
/// # Errors
/// [`ParseTranscriptError`], with the column.
pub fn read<const N: usize>(text: &str) -> Result<Game<SizedPosition<N>>, ParseTranscriptError> {
    read_annotated(text).map(|annotated| annotated.game)
}

/// Reads a transcript, the names before it and the result in discs after it.
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
    let start = || Game::new(SizedPosition::default());
    let read = |(label, moves)| read_moves(start(), text, moves, label);
    if text.trim().is_empty() || begins(text) {
        let mut others = labels_of_squares(text, begins).map(read);
        return read(("", text)).or_else(|error| others.find_map(Result::ok).ok_or(error));
    }
    // Prefer a reading whose moves are all legal, or else the first one.
    let mut readings = labels(text, begins).map(read);
    if let Some(first) = readings.next() {
        return first.or_else(|error| readings.find_map(Result::ok).ok_or(error));
    }
    if !text.contains(';') {
        return read(("", text));
    }
    let (start, rest) = notation::parse_prefix::<N>(text)?;
    let rest = rest.trim_start();
    match rest.strip_prefix(';') {
        Some(moves) => read_from(start, text, moves),
        None => Err(ParseTranscriptError::at(text, rest, TranscriptErrorKind::MissingSemicolon)),
    }
}

/// Reads moves from a position. `moves` is a slice of the text.
pub(super) fn read_from<const N: usize>(
    start: SizedPosition<N>,
    text: &str,
    moves: &str,
) -> Result<AnnotatedGame<SizedPosition<N>>, ParseTranscriptError> {
    read_moves(Game::new(start), text, moves, "")
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

/// The syntax of a list on one line. Moves, results and passes need no separator after them.
const SYNTAX: Syntax = Syntax {
    separators: ",;",
    marks: &['.', ')', ':'],
    is_bare: is_before_letter,
    nests_comments: false,
    word: |syntax, text| leading_result(syntax, text).or_else(|| move_len(text)),
};

/// The syntax of a list after tags.
pub(super) const PGN_SYNTAX: Syntax = Syntax { separators: ",", ..SYNTAX };

/// Reads moves and the label before them into a game. Both are slices of the text.
fn read_moves<const N: usize>(
    mut game: Game<SizedPosition<N>>,
    text: &str,
    moves: &str,
    label: &str,
) -> Result<AnnotatedGame<SizedPosition<N>>, ParseTranscriptError> {
    let Played { result, rest } = play_moves(&mut game, text, moves, SYNTAX)?;
    let mut annotated = AnnotatedGame::from(game);
    // A number after the moves of an opening is a score.
    let result = result.filter(|word| is_result(word)).unwrap_or_default();
    let rest = if rest.is_empty() { remark_in_parentheses(moves) } else { rest };
    let rules = LabelRules { first: Color::Black, squares: Some(Board::<N>::AREA) };
    add_labels(&mut annotated, rules, text, &[result, label, rest]);
    Ok(annotated)
}

/// The text after the moves of a list.
pub(super) struct Played<'a> {
    /// The result or score.
    pub result: Option<&'a str>,
    /// A remark after it.
    pub rest: &'a str,
}

/// Plays moves, which are a slice of the text. Returns the text after them.
pub(super) fn play_moves<'a, const N: usize>(
    game: &mut Game<SizedPosition<N>>,
    text: &str,
    moves: &'a str,
    syntax: Syntax,
) -> Result<Played<'a>, ParseTranscriptError> {
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
            (_, Some(_)) if is_remark(token.rest) => return Ok(Played { result, rest: token.rest }),
            (_, Some(result)) => {
                let (text, result) = (quoted(token.rest), result.to_owned());
                return Err(fail(TranscriptErrorKind::TrailingText { text, result }));
            }
            (Some(number), None) => {
                let must_pass = game.position().is_legal(Move::PASS);
                let is_second = token.text[number.len()..].starts_with("..");
                let wrong = |expected| TranscriptErrorKind::MoveNumber { expected, found: number.to_owned() };
                match numbers.next(number.parse().ok(), is_second, must_pass) {
                    Err(_) if ends_with_remark(game, moves, token) => return Ok(Played { result, rest: token.rest }),
                    counted => counted.map_err(wrong).map_err(fail)?,
                }
            }
            (None, None) if leading_result(syntax, token.rest).is_some() => result = Some(token.text),
            (None, None) if is_side_to_move(game, token.text) && !is_remark(token.rest) => {}
            (None, None) => match play(game, &mut numbers, token) {
                Err(TranscriptErrorKind::NotAMove(_)) if ends_with_remark(game, moves, token) => {
                    return Ok(Played { result, rest: remark_from(moves, token.rest) });
                }
                played => played.map_err(fail)?,
            },
        }
    }
    Ok(Played { result, rest: "" })
}

/// Returns whether a word is the color of the side to move, perhaps after a pass that the list
/// omits.
fn is_side_to_move<const N: usize>(game: &Game<SizedPosition<N>>, word: &str) -> bool {
    color_word(word)
        .is_some_and(|color| color == game.position().side_to_move() || game.position().is_legal(Move::PASS))
}

/// Returns whether a remark follows the moves: separate words after at least one move.
fn ends_with_remark<const N: usize>(game: &Game<SizedPosition<N>>, moves: &str, token: Token<'_>) -> bool {
    let before = &moves[..moves.len() - token.rest.len()];
    !game.moves().is_empty() && !before.ends_with(char::is_alphanumeric) && is_remark(token.rest)
}

/// Returns the ignored part of the text: a remark.
pub(super) fn unread(text: &str, remark: &str) -> Vec<UnreadText> {
    let remark = remark.trim();
    let left_out = || UnreadText::at(text, remark, UnreadKind::words(remark));
    if remark.is_empty() { Vec::new() } else { vec![left_out()] }
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

/// Returns the beginning of the text, for an error message.
fn quoted(text: &str) -> String {
    text.chars().take_while(|&c| !SYNTAX.is_separator(c)).take(20).collect()
}

/// If numbers count moves of both sides, the number at the start of a line may be this much higher
/// than expected, because the list omits passes.
const MAX_OMITTED_PASSES: usize = 2;

/// Returns whether a number at the start of a line is the next one of a list. Numbers count moves
/// of both sides together or single moves. If each line is a whole game, its number does not
/// continue the list.
fn continues(list: ListSoFar, number: &str, line: &str) -> bool {
    // Player names begin a separate game, numbered or not.
    if !begins(line) && labels(line, begins).next().is_some() {
        return false;
    }
    let is_second = line[number.len()..].starts_with("..");
    let Ok(number) = number.parse::<usize>() else { return false };
    let (plies, next) = (list.squares, list.squares / 2 + 1);
    let is_complete = plies.is_multiple_of(2);
    ((is_complete || is_second) && (next..=next + MAX_OMITTED_PASSES).contains(&number))
        || number == plies + 1
        || list.is_next(number)
        || (is_second && list.number == Some(number))
}

/// Returns whether a word is a result, as opposed to a score or a move number.
pub(super) fn is_result(word: &str) -> bool {
    GameResult::from_pgn(word).is_ok() || disc_counts(word).is_some()
}

/// Returns the length of the result or score at the start of the text. Numbers before other text
/// are move numbers.
fn leading_result(syntax: Syntax, text: &str) -> Option<usize> {
    // Without this condition, every move of a long line would scan the rest of the line for a
    // separator.
    if !text.starts_with(|c: char| "+-.*".contains(c) || c.is_ascii_digit()) {
        return None;
    }
    let word = text.split(|c: char| SYNTAX.is_separator(c) || c == '{').next()?;
    let is_last = || Tokens::new(&text[word.len()..], syntax).skip_annotations() == Ok("");
    let is_marked =
        || word.starts_with(['+', '-', '.']) || word.split_once('.').is_some_and(|(_, digits)| !digits.is_empty());
    let is_score = is_decimal(word) && (is_marked() || is_last());
    (is_result(word) || is_score).then_some(word.len())
}

/// Returns whether a word is a decimal number, perhaps with a sign and a fraction. `2.e6` is a move
/// number and a move, although it could be a number with an exponent.
fn is_decimal(word: &str) -> bool {
    let number = word.strip_prefix(['+', '-']).unwrap_or(word);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    !(whole.is_empty() && fraction.is_empty()) && (whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit())
}

/// Returns the length of the move at the beginning of the text. A pass must be a whole word, or a
/// move must follow it: `Partie` does not begin with a pass.
fn move_len(text: &str) -> Option<usize> {
    let is_move = |&len: &usize| {
        let Some((name, after)) = text.split_at_checked(len) else { return false };
        let continues = || after.get(..2).is_some_and(|next| is_square_name(next) || is_pass_word(next));
        match Move::from_text(name) {
            None if name == "--" => after.get(..2).is_some_and(is_square_name),
            Some(Move::PASS) => !after.starts_with(char::is_alphabetic) || continues(),
            found => found.is_some(),
        }
    };
    [4, 2].into_iter().find(is_move)
}

/// Writes a game as a line. A game without moves is written as its position, because readers skip
/// blank lines.
fn write_line<const N: usize>(game: &Game<SizedPosition<N>>) -> String {
    let text = write(game);
    if text.is_empty() { format!("{};", game.start()) } else { text }
}

/// Writes a game. Passes are omitted except at the end, and the starting position precedes the
/// moves if it is not the usual one.
#[must_use]
pub fn write<const N: usize>(game: &Game<SizedPosition<N>>) -> String {
    let start = (*game.start() != SizedPosition::default()).then(|| game.start().to_string());
    write_moves(start, game.moves())
}

/// Writes moves after a position, or from the usual start.
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
mod tests;
