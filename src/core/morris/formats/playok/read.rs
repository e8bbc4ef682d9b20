//! Reads PlayOK games.

use thiserror::Error;

use super::super::sanmill::fen;
use super::super::{Mill, is_point, points_named};
use super::ORDER;
use crate::game::format::movetext::{Syntax, Tag, Token, Tokens, Unclosed};
use crate::game::format::pgn;
use crate::game::format::pgn::TagValues;
use crate::game::format::tree_text;
use crate::game::{AnnotatedGame, AnyPosition, Game, GameResult, Note, ParseError, Position as _};
use crate::morris::{IllegalReason, Position, Variant};

/// The text is not a PlayOK game.
pub type ParsePlayOkError = ParseError<PlayOkErrorKind>;

/// Why the text is not a PlayOK game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayOkErrorKind {
    /// PlayOK does not support the board of the game.
    #[error("PlayOK does not support {0}; write the moves as `d6 f4 d6-d5xf4`")]
    UnsupportedBoard(&'static str),
    /// A line does not begin a game.
    #[error("expected a game: a tag such as `[White \"one\"]` or a move such as `1. 5`")]
    NoGame,
    /// A tag occurs twice.
    #[error("duplicate tag `{0}`")]
    DuplicateTag(String),
    /// The value of the `Result` tag is not a result.
    #[error("expected a result (`1-0`, `0-1`, `1/2-1/2` or `*`), found `{0}`")]
    Result(String),
    /// The result after the moves differs from the `Result` tag.
    #[error("the moves end with `{moves}`, but the `Result` tag is `{tag}`; correct one of them")]
    ConflictingResult {
        /// The result after the moves.
        moves: &'static str,
        /// The result in the tag.
        tag: &'static str,
    },
    /// A move number is not the expected one.
    #[error("expected move number `{expected}.`, found `{found}`; are moves missing?")]
    Number {
        /// The expected move number.
        expected: usize,
        /// The number found.
        found: String,
    },
    /// A word is not a move.
    #[error("expected a move such as `5`, `10-1` or `10-1x23`, found `{0}`")]
    NotAMove(String),
    /// The board has no point with this number.
    #[error("no point has number {0}: points are numbered 1 to 24")]
    NoPoint(String),
    /// A move is illegal.
    #[error("illegal move `{text}` (`{seed}`) at ply {ply}: {reason}")]
    IllegalMove {
        /// The move.
        text: String,
        /// The move in seed notation.
        seed: String,
        /// Its ply, counted from 1 for White's first move.
        ply: usize,
        /// Why it is illegal.
        reason: IllegalReason,
    },
    /// The `FEN` tag is invalid.
    #[error(transparent)]
    Fen(fen::FenErrorKind),
    /// A move written with letters closes a mill, but the capture is missing.
    #[error("`{0}` closes a mill: expected a capture such as `xd7`")]
    MissingCapture(String),
    /// A comment or variation is not closed.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// There is text after the result.
    #[error("unexpected text `{0}` after the result; start another game on a new line")]
    TrailingText(String),
}

/// Reads a game; blank lines before and after it are ignored.
///
/// ```
/// use morello::morris::{NineMensMorrisFlying, formats::playok};
///
/// let read = playok::read::<NineMensMorrisFlying>("[White \"one\"]\n\n1. 5 13 2. 20 19 *")?;
/// let moves: Vec<_> = read.game.moves().iter().map(ToString::to_string).collect();
/// assert_eq!(moves, ["d6", "e4", "d2", "b2"]);
/// # Ok::<(), playok::ParsePlayOkError>(())
/// ```
///
/// # Errors
/// [`ParsePlayOkError`] with the line and column of the error.
pub fn read<V: Variant>(text: &str) -> Result<AnnotatedGame<Position<V>>, ParsePlayOkError> {
    read_any(Mill::of::<V>(), text).map(|annotated| annotated.known())
}

pub(super) fn read_any(mill: &'static Mill, text: &str) -> Result<AnnotatedGame, ParsePlayOkError> {
    if points_named(mill.constants.board, ORDER).is_none() {
        return Err(ParsePlayOkError { column: 1, kind: PlayOkErrorKind::UnsupportedBoard(mill.constants.name) });
    }
    let mut reader = GameReader {
        mill,
        game: Game::new(mill.game.start()),
        tags: TagValues::default(),
        notes: Vec::new(),
        verdict: None,
        step: None,
        number: "",
        from_start: true,
        ended: false,
    };
    reader.text(text).map_err(|(part, kind)| ParsePlayOkError::at(text, part, kind))?;
    let GameReader { game, tags, mut notes, verdict, .. } = reader;
    let find = |position: &AnyPosition, word: &str| position.find_move(&seed(word).ok()?.0);
    let (tree, unread) = tree_text::read_remarks(text, || game.clone(), find);
    if !notes.is_empty() {
        notes.resize(game.moves().len(), Note::default());
    }
    Ok(AnnotatedGame { tags: tags.tags(verdict.flatten()), notes, tree, unread, ..AnnotatedGame::from(game) })
}

/// The syntax of the moves. After a starting position, dots may replace the number.
const SYNTAX: Syntax = Syntax {
    separators: "",
    marks: &['.'],
    is_bare: |after| after.starts_with('.'),
    nests_comments: false,
    word: |_, _| None,
};

/// The wrong part of the text, and the error.
type GameFailure<'a> = (&'a str, PlayOkErrorKind);

/// The state of the parser.
struct GameReader<'a> {
    mill: &'static Mill,
    game: Game,
    tags: TagValues,
    /// The notes of the moves, up to the last move with a note.
    notes: Vec<Note>,
    /// The value of the `Result` tag, or the result after the moves.
    verdict: Option<Option<GameResult>>,
    /// A move written with letters that closes a mill. Its capture is a separate word, as Sanmill
    /// writes it.
    step: Option<&'a str>,
    /// The last move number.
    number: &'a str,
    /// Whether the game begins at the usual start. Only then are the expected move numbers known.
    from_start: bool,
    ended: bool,
}

impl<'a> GameReader<'a> {
    /// Reads the tags, then the moves.
    fn text(&mut self, text: &'a str) -> Result<(), GameFailure<'a>> {
        let unclosed = |(part, unclosed): (&'a str, Unclosed)| (part, unclosed.into());
        let (mut tokens, mut has_tags) = (Tokens::new(text, SYNTAX), false);
        while let Some(tag) = tokens.tag().map_err(unclosed)? {
            self.tag(tag).map_err(|kind| {
                let is_value = matches!(kind, PlayOkErrorKind::Result(_) | PlayOkErrorKind::Fen(_));
                (if is_value { tag.value } else { tag.name }, kind)
            })?;
            has_tags = true;
        }
        if tokens.skip_annotations().map_err(unclosed)?.is_empty() && !has_tags {
            return Err((&text[text.trim_end_matches(['\n', '\r']).len()..], PlayOkErrorKind::NoGame));
        }
        for token in tokens {
            self.token(token.map_err(unclosed)?)?;
        }
        // A number may touch the move after it.
        let is_touched = |step: &str| self.number.as_bytes().as_ptr_range().end == step.as_ptr();
        let place = |step| if is_touched(step) { self.number } else { step };
        self.step.map_or(Ok(()), |step| Err((place(step), PlayOkErrorKind::MissingCapture(step.to_owned()))))
    }

    fn tag(&mut self, tag: Tag<'_>) -> Result<(), PlayOkErrorKind> {
        let duplicate = || Err(PlayOkErrorKind::DuplicateTag(tag.name.to_owned()));
        match tag.name {
            "FEN" => {
                let start = (self.mill.read_fen)(&pgn::unescape(tag.value));
                let start = start.map_err(|error| PlayOkErrorKind::Fen(error.kind))?;
                (self.game, self.from_start) = (Game::new(start), false);
            }
            "Result" if self.verdict.is_some() => return duplicate(),
            "Result" => {
                let verdict = GameResult::from_pgn(tag.value.trim());
                self.verdict = Some(verdict.map_err(|_| PlayOkErrorKind::Result(tag.value.to_owned()))?);
            }
            _ if !self.tags.add(tag) => return duplicate(),
            _ => {}
        }
        Ok(())
    }

    /// Reads a move number, a result or a move.
    fn token(&mut self, token: Token<'a>) -> Result<(), GameFailure<'a>> {
        let plies = self.game.moves().len();
        self.word(token)?;
        let note = pgn::read_note(&token.rest[token.text.len()..]).filter(|_| self.game.moves().len() > plies);
        if let Some(note) = note {
            self.notes.resize(plies, Note::default());
            self.notes.push(note);
        }
        Ok(())
    }

    fn word(&mut self, Token { text: word, number, .. }: Token<'a>) -> Result<(), GameFailure<'a>> {
        let fail = |kind| Err((word, kind));
        if self.ended {
            return fail(PlayOkErrorKind::TrailingText(word.to_owned()));
        }
        if let Some(step) = self.step.take() {
            return match self.play(&format!("{step}{word}")) {
                Ok(true) => Ok(()),
                Ok(false) => fail(PlayOkErrorKind::NotAMove(word.to_owned())),
                Err(kind) => fail(kind),
            };
        }
        if let Some(digits) = number {
            self.number = word;
            let expected = self.game.moves().len() / 2 + 1;
            let is_wrong = self.from_start && digits.parse() != Ok(expected);
            let found = digits.to_owned() + ".";
            return if is_wrong { fail(PlayOkErrorKind::Number { expected, found }) } else { Ok(()) };
        }
        let Ok(verdict) = GameResult::from_pgn(word) else {
            let is_complete = self.play(word).map_err(|kind| (word, kind))?;
            self.step = Some(word).filter(|_| !is_complete);
            return Ok(());
        };
        self.ended = true;
        match (self.verdict.flatten(), verdict) {
            (Some(tag), Some(moves)) if tag != moves => {
                let [moves, tag] = [moves, tag].map(|result| GameResult::to_pgn(Some(result)));
                fail(PlayOkErrorKind::ConflictingResult { moves, tag })
            }
            (tag, moves) => {
                self.verdict = Some(moves.or(tag));
                Ok(())
            }
        }
    }

    /// Plays a move. Returns `false` if its capture is missing. After a move written with letters,
    /// the capture may be the next word.
    fn play(&mut self, text: &str) -> Result<bool, PlayOkErrorKind> {
        let (seed, to) = seed(text)?;
        let ply = self.game.moves().len() + 1;
        let Err(reason) = self.mill.play(&mut self.game, &seed) else { return Ok(true) };
        Err(match reason {
            Some(IllegalReason::MustCapture(_)) if is_point(to) => return Ok(false),
            Some(reason) => PlayOkErrorKind::IllegalMove { text: text.to_owned(), seed, ply, reason },
            None => PlayOkErrorKind::NotAMove(text.to_owned()),
        })
    }
}

/// Converts a move to seed notation. Also returns the destination as it is written.
fn seed(text: &str) -> Result<(String, &str), PlayOkErrorKind> {
    let not_a_move = || PlayOkErrorKind::NotAMove(text.to_owned());
    let (step, captured) = text.split_once('x').map_or((text, None), |(step, captured)| (step, Some(captured)));
    let (from, to) = step.split_once('-').map_or((None, step), |(from, to)| (Some(from), to));
    let mut seed = String::new();
    for (sign, number) in [("", from), (if from.is_some() { "-" } else { "" }, Some(to)), ("x", captured)] {
        let Some(number) = number else { continue };
        if is_point(number) {
            seed = seed + sign + number;
            continue;
        }
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return Err(not_a_move());
        }
        let name = number.parse().ok().and_then(|number: usize| ORDER.split(' ').nth(number.checked_sub(1)?));
        seed = seed + sign + name.ok_or_else(|| PlayOkErrorKind::NoPoint(number.to_owned()))?;
    }
    Ok((seed, to))
}
