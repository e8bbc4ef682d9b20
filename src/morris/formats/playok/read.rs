//! Reads PlayOK games.

use thiserror::Error;

use super::super::sanmill::fen;
use super::super::{is_point, play, points_named};
use super::ORDER;
use crate::game::pgn::{self, Tag, TagValues, Unclosed};
use crate::game::{AnnotatedGame, Game, GameResult, LocatedError};
use crate::morris::{IllegalReason, Position, Variant};

/// A text that is not a PlayOK game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ParsePlayOkError {
    /// The line, from 1.
    pub line: usize,
    /// The column of the first wrong character, from 1 (one past the end of the line if text is missing).
    pub column: usize,
    /// The error.
    pub kind: PlayOkErrorKind,
}

impl LocatedError for ParsePlayOkError {
    fn column(&self) -> usize {
        self.column
    }

    fn line(&self) -> usize {
        self.line
    }
}

/// Why a text is not a PlayOK game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayOkErrorKind {
    /// PlayOK does not support the board of the game.
    #[error("PlayOK does not support {0}: write the moves as `d6 f4 d6-d5xf4`")]
    UnsupportedBoard(&'static str),
    /// A line does not begin a game.
    #[error("expected a game: a tag such as `[White \"one\"]` or a move such as `1. 5`")]
    NoGame,
    /// A tag occurs twice.
    #[error("duplicate tag `{0}`")]
    DuplicateTag(String),
    /// The `Result` tag is not a result.
    #[error("expected a result (`1-0`, `0-1`, `1/2-1/2` or `*`), found `{0}`")]
    Result(String),
    /// The result after the moves differs from the `Result` tag.
    #[error("the moves end with `{moves}`, but the `Result` tag is `{tag}`: correct one of them")]
    ConflictingResult {
        /// The result after the moves.
        moves: &'static str,
        /// The result in the tag.
        tag: &'static str,
    },
    /// A move number is not the next one.
    #[error("expected move number `{expected}.`, found `{found}`: are moves missing?")]
    Number {
        /// The next move number.
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
    #[error("illegal move `{text}` (`{seed}`) in ply {ply}: {reason}")]
    IllegalMove {
        /// The move.
        text: String,
        /// The move in seed notation.
        seed: String,
        /// Its ply, from 1 for White's first move.
        ply: usize,
        /// Why it is illegal.
        reason: IllegalReason,
    },
    /// The `FEN` tag is invalid.
    #[error(transparent)]
    Fen(fen::FenErrorKind),
    /// A move in letters closes a mill, but the capture is missing.
    #[error("`{0}` closes a mill: expected a capture such as `xd7`")]
    MissingCapture(String),
    /// A comment or variation is not closed.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// There is text after the result.
    #[error("unexpected text `{0}` after the result: start another game on a new line")]
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
    if points_named::<V>(ORDER).is_none() {
        return Err(ParsePlayOkError { line: 1, column: 1, kind: PlayOkErrorKind::UnsupportedBoard(V::NAME) });
    }
    let mut reader = GameReader::<V> {
        game: Game::new(Position::default()),
        tags: TagValues::default(),
        verdict: None,
        step: None,
        from_start: true,
        ended: false,
    };
    reader.text(text).map_err(|(at, kind)| {
        let before: String = text.chars().take(at).collect();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        ParsePlayOkError { line, column, kind }
    })?;
    let GameReader { game, tags, verdict, .. } = reader;
    Ok(AnnotatedGame { game, tags: tags.tags(verdict.flatten()), notes: Vec::new() })
}

/// The state of the parser.
struct GameReader<V: Variant> {
    game: Game<Position<V>>,
    tags: TagValues,
    /// The value of the `Result` tag, or of the result after the moves.
    verdict: Option<Option<GameResult>>,
    /// A move in letters that closes a mill, and its offset. Its capture is a separate word, as Sanmill writes it.
    step: Option<(String, usize)>,
    /// Whether the game begins at the start position. Only then are the expected move numbers known.
    from_start: bool,
    ended: bool,
}

impl<V: Variant> GameReader<V> {
    /// Reads the tags, then the moves. Errors come with their offset in the text, in characters.
    fn text(&mut self, text: &str) -> Result<(), (usize, PlayOkErrorKind)> {
        let offset = |part: &str| text[..part.as_ptr() as usize - text.as_ptr() as usize].chars().count();
        let (mut rest, mut has_tags) = (text.trim_start(), false);
        loop {
            if let Some((tag, after)) = pgn::leading_tag(rest) {
                self.tag(tag).map_err(|kind| {
                    let is_value = matches!(kind, PlayOkErrorKind::Result(_) | PlayOkErrorKind::Fen(_));
                    (offset(if is_value { tag.value } else { tag.name }), kind)
                })?;
                (rest, has_tags) = (after.trim_start(), true);
            } else if let Some(skipped) = pgn::skip_annotation(rest) {
                rest = skipped.map_err(|unclosed| (offset(rest), unclosed.into()))?.trim_start();
            } else if rest.starts_with(';') {
                rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
            } else {
                break;
            }
        }
        if rest.is_empty() && !has_tags {
            return Err((text.trim_end_matches(['\n', '\r']).chars().count(), PlayOkErrorKind::NoGame));
        }
        self.moves(&pgn::blank_line_comments(rest)).map_err(|(at, kind)| (offset(rest) + at, kind))
    }

    /// Reads the moves. Errors come with their offset in the text, in characters.
    fn moves(&mut self, text: &str) -> Result<(), (usize, PlayOkErrorKind)> {
        let mut rest = text.trim_start();
        let mut at = text[..text.len() - rest.len()].chars().count();
        while !rest.is_empty() {
            let after = match pgn::skip_annotation(rest) {
                Some(skipped) => skipped.map_err(|unclosed| (at, unclosed.into()))?,
                None => {
                    let ends = |(_, c): &(usize, char)| c.is_whitespace() || matches!(c, '{' | '(' | '$');
                    let end = rest.char_indices().skip(1).find(ends).map_or(rest.len(), |(end, _)| end);
                    let (word, after) = rest.split_at(end);
                    let was_pending = self.step.is_some();
                    self.word(word).map_err(|(offset, kind)| (at + offset, kind))?;
                    if let (Some((_, place)), false) = (&mut self.step, was_pending) {
                        *place = at;
                    }
                    after
                }
            };
            let next = after.trim_start();
            at += rest[..rest.len() - next.len()].chars().count();
            rest = next;
        }
        self.step.take().map_or(Ok(()), |(text, at)| Err((at, PlayOkErrorKind::MissingCapture(text))))
    }

    fn tag(&mut self, tag: Tag<'_>) -> Result<(), PlayOkErrorKind> {
        let duplicate = || Err(PlayOkErrorKind::DuplicateTag(tag.name.to_owned()));
        match tag.name {
            "FEN" => {
                let entry = fen::read(&pgn::unescape(tag.value)).map_err(|error| PlayOkErrorKind::Fen(error.kind))?;
                (self.game, self.from_start) = (Game::new(entry.position), false);
            }
            "Result" if self.verdict.is_some() => return duplicate(),
            "Result" => {
                let verdict = GameResult::from_pgn(tag.value.trim());
                self.verdict = Some(verdict.ok_or_else(|| PlayOkErrorKind::Result(tag.value.to_owned()))?);
            }
            _ if !self.tags.add(tag) => return duplicate(),
            _ => {}
        }
        Ok(())
    }

    /// Reads a word of the moves. Errors come with their offset in the word, in characters.
    fn word(&mut self, word: &str) -> Result<(), (usize, PlayOkErrorKind)> {
        if self.ended {
            return Err((0, PlayOkErrorKind::TrailingText(word.to_owned())));
        }
        if let Some((step, _)) = self.step.take() {
            return self.play(&(step + word)).map_err(|kind| (0, kind));
        }
        if let Some(verdict) = GameResult::from_pgn(word) {
            self.ended = true;
            return match (self.verdict.flatten(), verdict) {
                (Some(tag), Some(moves)) if tag != moves => {
                    let (moves, tag) = (GameResult::to_pgn(Some(moves)), GameResult::to_pgn(Some(tag)));
                    Err((0, PlayOkErrorKind::ConflictingResult { moves, tag }))
                }
                (tag, moves) => {
                    self.verdict = Some(moves.or(tag));
                    Ok(())
                }
            };
        }
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = word.split_at(digits);
        let text = rest.trim_start_matches('.');
        if text.len() == rest.len() {
            return self.play(word).map_err(|kind| (0, kind));
        }
        let expected = self.game.moves().len() / 2 + 1;
        if self.from_start && number.parse() != Ok(expected) {
            return Err((0, PlayOkErrorKind::Number { expected, found: number.to_owned() + "." }));
        }
        if text.is_empty() { Ok(()) } else { self.play(text).map_err(|kind| (word.len() - text.len(), kind)) }
    }

    fn play(&mut self, text: &str) -> Result<(), PlayOkErrorKind> {
        let not_a_move = || PlayOkErrorKind::NotAMove(text.to_owned());
        // A move may have marks, as in `5!?`.
        let text = Some(text.trim_end_matches(['!', '?'])).filter(|text| !text.is_empty()).unwrap_or(text);
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
        let ply = self.game.moves().len() + 1;
        let Err(reason) = play(&mut self.game, &seed) else { return Ok(()) };
        Err(match reason {
            // With moves in letters the capture may be the next word.
            Some(IllegalReason::MustCapture(_)) if is_point(to) => {
                self.step = Some((text.to_owned(), 0));
                return Ok(());
            }
            Some(reason) => PlayOkErrorKind::IllegalMove { text: text.to_owned(), seed, ply, reason },
            None => not_a_move(),
        })
    }
}
