//! [`AnnotatedGame`]: a game with its tags and move notes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::{AnyPosition, Game, Position, UnreadText};

/// A game with the metadata that files record.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotatedGame<P: Position = AnyPosition> {
    /// The starting position and the moves, forced passes included.
    pub game: Game<P>,
    /// The players, event, date and result.
    pub tags: Tags,
    /// One note per move; empty if no move has a note.
    pub notes: Vec<Note>,
    /// The parts of the text of the game that were left out, in their order.
    pub unread: Vec<UnreadText>,
}

impl<P: Position> From<Game<P>> for AnnotatedGame<P> {
    fn from(game: Game<P>) -> Self {
        Self { game, tags: Tags::default(), notes: Vec::new(), unread: Vec::new() }
    }
}

impl<P: Position> AnnotatedGame<P> {
    /// Returns whether any move has an evaluation or a time.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.notes.iter().any(|note| note.eval.is_some() || note.seconds.is_some())
    }

    /// Adds the names of Black and White to a game, and no other metadata.
    #[must_use]
    pub fn with_names(game: Game<P>, names: [&str; 2]) -> Self {
        let names = names.map(|name| Some(name.to_owned()));
        Self { tags: Tags { names, ..Tags::default() }, ..Self::from(game) }
    }
}

/// Metadata of a whole game; `None` for unknown values.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tags {
    /// The names of Black and White.
    pub names: [Option<String>; 2],
    /// The ratings of Black and White before the game, on the scale of the server or federation.
    pub ratings: [Option<f64>; 2],
    /// The tournament, match or place.
    pub tournament: Option<String>,
    /// The date, as precise as it is known: `1977`, `2003-12-15`, `2003-12-15 12:33:18`.
    pub date: Option<String>,
    /// The recorded result, which may differ from the result on the board.
    pub result: Option<GameResult>,
    /// What ended the game early, if anything did; possibly known without the result.
    pub termination: Option<Termination>,
    /// The result under best play by both sides from some point of the game on.
    pub theoretical: Option<TheoreticalResult>,
}

impl Tags {
    /// Returns the year of the date: its first number of four digits.
    #[must_use]
    pub fn year(&self) -> Option<u32> {
        let numbers = self.date.as_deref()?.split(|c: char| !c.is_ascii_digit());
        numbers.into_iter().find(|number| number.len() == 4)?.parse().ok()
    }

    /// Returns the points by which Black won: the recorded ones, else those on the board.
    #[must_use]
    pub fn points_or(&self, board: Option<i32>) -> Option<f64> {
        self.result.map(|result| result.points).or(board.map(f64::from))
    }

    /// Sets the names of Black and White where they are missing.
    pub fn fill_names(&mut self, names: [&str; 2]) {
        for (own, name) in self.names.iter_mut().zip(names) {
            own.get_or_insert_with(|| name.to_owned());
        }
    }
}

/// The recorded result of a game.
///
/// ```
/// use morello::game::GameResult;
///
/// let result: GameResult = "0-1".parse()?;
/// assert_eq!(result.points, 1.0, "Black is the second player of PGN");
/// assert_eq!("-12".parse::<GameResult>()?.to_string(), "-12");
/// assert_eq!(GameResult::from_pgn("*"), Ok(None));
/// # Ok::<(), morello::game::ParseResultError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameResult {
    /// The points by which Black won, negative if White won: discs in Othello, 1 in games without a
    /// margin.
    pub points: f64,
}

/// The text is not a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected a result: `1-0`, `0-1`, `1/2-1/2`, or the points by which Black won, such as `+16`")]
pub struct ParseResultError;

impl GameResult {
    /// Reads a PGN result: `1-0` (White won), `0-1` (Black won), `1/2-1/2`, or `*` (unknown:
    /// `None`).
    ///
    /// # Errors
    /// [`ParseResultError`] for other texts.
    pub fn from_pgn(text: &str) -> Result<Option<Self>, ParseResultError> {
        let points = match text {
            "1-0" => -1.0,
            "0-1" => 1.0,
            "1/2-1/2" => 0.0,
            "*" => return Ok(None),
            _ => return Err(ParseResultError),
        };
        Ok(Some(Self { points }))
    }

    /// Writes a PGN result: the winner, without the margin.
    #[must_use]
    pub fn to_pgn(result: Option<Self>) -> &'static str {
        match result {
            None => "*",
            Some(Self { points, .. }) if points < 0.0 => "1-0",
            Some(Self { points, .. }) if points > 0.0 => "0-1",
            Some(_) => "1/2-1/2",
        }
    }
}

impl FromStr for GameResult {
    type Err = ParseResultError;

    /// Reads the result of a finished game as in [PGN](GameResult::from_pgn), or the points by which
    /// Black won, with a sign.
    fn from_str(text: &str) -> Result<Self, ParseResultError> {
        let points = || text.parse().ok().filter(|points: &f64| points.is_finite() && text.starts_with(['+', '-']));
        let points = || points().map(|points| Self { points }).ok_or(ParseResultError);
        Self::from_pgn(text).ok().flatten().map_or_else(points, Ok)
    }
}

impl fmt::Display for GameResult {
    /// Writes the points by which Black won, with a sign.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.points)
    }
}

/// Why a game ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Termination {
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Timeout,
    /// The sides agreed on the result.
    Agreement,
}

/// A result under best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TheoreticalResult {
    /// The number of empty squares in the position from which both sides play best.
    pub empties: u32,
    /// The points by which Black wins from there.
    pub points: i32,
}

/// A note on a move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Note {
    /// The evaluation by its player.
    pub eval: Option<f64>,
    /// The time it took, in seconds.
    pub seconds: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_year_of_a_date() {
        let year = |date: &str| Tags { date: Some(date.to_owned()), ..Tags::default() }.year();
        let dates = ["1977", "2003-12-15 12:33:18", "2003.12.15_12:33:18.MST", "15.12.2003", "1066519800", "unknown"];
        assert_eq!(dates.map(year), [Some(1977), Some(2003), Some(2003), Some(2003), None, None]);
        assert_eq!(Tags::default().year(), None);
    }
}
