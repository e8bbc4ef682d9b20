//! [`read_text`] and [`read_position`]: read a position or game from text in memory, such as the
//! value of an option.

use morello_core::game::{AnnotatedGame, AnyGame, AnyPosition, Game, UnreadText};
use thiserror::Error;

use super::random_start::random_start;
use super::xot::xot_start;
use super::{Input, ReadError, Reader, RecordError, StartError};

/// A position or game read from text.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TextGame {
    /// The game; a position is a game without moves.
    pub game: AnnotatedGame,
    /// Whether more positions or games follow.
    pub more: bool,
}

/// Why text cannot be read as a position or game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadTextError {
    /// The text contains no position or game.
    #[error("the text contains no position or game")]
    Empty,
    /// The text contains several positions or games, but one is required.
    #[error("the text contains several positions or games; give one")]
    Several,
    /// The text cannot be parsed.
    #[error("line {line}, column {column}: {0}", line = .0.line, column = .0.column)]
    Invalid(RecordError),
    /// The text contains words that are not part of a position or game.
    #[error("line {line}, column {column}: expected only a position or game; {0}", line = .0.line, column = .0.column)]
    LeftOut(UnreadText),
    /// The text is a random start or an XOT start with wrong numbers.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The input cannot be read.
    #[error("{source}", source = .0.source)]
    Unreadable(ReadError),
}

/// Reads the first position or game in the text. The text can be a position or game in any format
/// of the game, moves from the start, the name of an opening, or an Othello start: `r20:7` has 20
/// discs, after random moves with seed 7, and `xot:7` is the seventh of the balanced positions
/// after eight moves from which XOT tournaments begin.
///
/// ```
/// use morello::games;
/// use morello::input::read_text;
///
/// let read = read_text(games::get("othello")?, "[Black \"Anna\"]\n\n1. f5 d6 *\n\n[Black \"Bob\"]\n\n1. f5 *")?;
/// assert_eq!(read.game.tags.names[0].as_deref(), Some("Anna"));
/// assert!(read.more, "a second game follows");
/// assert_eq!(read_text(games::get("othello")?, "Tiger")?.game.game.moves().len(), 5);
/// assert_eq!(read_text(games::get("othello")?, "r20:7")?.game.game.position().empty_count(), Some(44));
/// assert_eq!(read_text(games::get("othello")?, "xot:7")?.game.game.moves().len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadTextError`] with the place of the error.
pub fn read_text(game: &'static dyn AnyGame, text: &str) -> Result<TextGame, ReadTextError> {
    if let Some(opening) = game.opening_names().and_then(|names| names.named(text)) {
        return Ok(TextGame { game: AnnotatedGame::from(opening.game(game)), more: false });
    }
    if let Some(start) = random_start(game, text).or_else(|| xot_start(game, text)) {
        return Ok(TextGame { game: AnnotatedGame::from(start?), more: false });
    }
    let mut reader = Reader::of(game, Input::Text(text.to_owned())).map_err(ReadTextError::Unreadable)?;
    let first = reader.next().ok_or(ReadTextError::Empty)?.map_err(ReadTextError::Unreadable)?;
    let mut more = reader.next().is_some();
    let games = first.into_games().map_err(ReadTextError::Invalid)?;
    more |= games.len() > 1;
    Ok(TextGame { game: games.into_iter().next().ok_or(ReadTextError::Empty)?, more })
}

/// Reads a position: a position in any format of the game, or the moves of a game or the name of an
/// opening that lead to it.
///
/// ```
/// use morello::games;
/// use morello::input::read_position;
///
/// let othello = games::get("othello")?;
/// let position = read_position(othello, "1. f5 d6 2. c3")?;
/// assert_eq!(position, read_position(othello, &position.to_string())?);
/// let error = read_position(othello, "f5d6d6").unwrap_err().to_string();
/// assert_eq!(error, "line 1, column 5: illegal move `d6` at ply 3: the square is occupied");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadTextError`] with the place of the error, also if the text contains several positions or
/// games.
pub fn read_position(game: &'static dyn AnyGame, text: &str) -> Result<AnyPosition, ReadTextError> {
    read_game(game, text).map(|game| *game.position())
}

/// Reads a game like [`read_position`]; a position is a game without moves.
///
/// ```
/// use morello::games;
/// use morello::input::read_game;
///
/// let morris = games::get("nine-mens-morris")?;
/// assert_eq!(read_game(morris, "1. d2 f4 2. d6 f2")?.moves().len(), 4);
/// let error = read_game(morris, "d2 f4\nd6 f2").unwrap_err().to_string();
/// assert_eq!(error, "the text contains several positions or games; give one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read_position`].
pub fn read_game(game: &'static dyn AnyGame, text: &str) -> Result<Game, ReadTextError> {
    match read_text(game, text)? {
        TextGame { more: true, .. } => Err(ReadTextError::Several),
        TextGame { game, .. } => {
            game.unread.into_iter().next().map_or(Ok(game.game), |unread| Err(ReadTextError::LeftOut(unread)))
        }
    }
}

#[cfg(test)]
mod tests {
    use morello_core::games;

    use super::*;

    fn read(game: &str, text: &str) -> Result<String, String> {
        let position = read_position(games::get(game).unwrap(), text).map_err(|error| error.to_string())?;
        Ok(position.to_string())
    }

    #[test]
    fn reads_a_position_in_any_format_or_its_moves() {
        let start = "-----OX--XO----- X";
        for text in
            ["start", " start\n", start, "-----OX--XO-----X", "0000021001200000 1", "-----OX--XO----- X; b1:-8;"]
        {
            assert_eq!(read("othello-4x4", text).as_deref(), Ok(start), "{text}");
        }
        let later = read("othello-4x4", "b1").unwrap();
        for text in [
            "B1",
            "1. b1",
            "[\"b1\"]",
            "A - B: b1",
            &format!("{start}; b1"),
            "(;GM[Othello]TY[4]BO[4 -----O*--*O----- *]B[b1];)",
        ] {
            assert_eq!(read("othello-4x4", text).as_ref(), Ok(&later), "{text}");
        }
        let placed = "7,8 d2,d6 f4 B";
        for text in ["d2 f4 d6", "1. d2 f4 2. d6", "start moves d2 f4 d6", "9,9 - - W; d2 f4 d6", placed] {
            assert_eq!(read("nine-mens-morris", text).as_deref(), Ok(placed), "{text}");
        }
    }

    #[test]
    fn reports_the_first_wrong_character_and_an_example() {
        let error = read("othello", "hello").unwrap_err();
        assert!(
            error.starts_with("line 1, column 1: could not read `hello` as a game or position of othello"),
            "{error}"
        );
        assert!(error.contains("transcript") && error.contains("try `"), "{error}");
        assert!(read("othello", "{\"moves\": 1").unwrap_err().starts_with("line 1, column 11: not a JSON object"));
        assert!(read("othello", "f5d6c3x").unwrap_err().starts_with("line 1, column 7: "));
        assert!(read("nine-mens-morris", "d2 f4 d2").unwrap_err().starts_with("line 1, column 7: illegal move `d2`"));
        for (text, message) in
            [("", "no position"), ("# f5", "no position"), ("f5\nd3", "several"), ("f5d6\nc4e3", "several")]
        {
            let error = read("othello", text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
