//! [`AnnotatedGame`]: a game with its tags and move notes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::{AnyGame, AnyPosition, Color, Game, MoveTree, Note, Position, Scoring, UnreadText};

/// A game with the metadata that files record.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotatedGame<P: Position = AnyPosition> {
    /// The starting position and the moves, forced passes included.
    pub game: Game<P>,
    /// The players, event, date and result.
    pub tags: Tags,
    /// One note per move; empty if no move has a note.
    pub notes: Vec<Note>,
    /// The moves with their variations and comments; `None` if there are none.
    pub tree: Option<MoveTree>,
    /// The parts of the game's text that were ignored, in order.
    pub unread: Vec<UnreadText>,
}

impl<P: Position> From<Game<P>> for AnnotatedGame<P> {
    fn from(game: Game<P>) -> Self {
        Self { game, tags: Tags::default(), notes: Vec::new(), tree: None, unread: Vec::new() }
    }
}

impl<P: Position> AnnotatedGame<P> {
    /// Returns whether any move has an evaluation or a time.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.notes.iter().any(|note| note.eval.is_some() || note.seconds.is_some())
    }

    /// Adds the names of Black and White to a game, without other metadata.
    #[must_use]
    pub fn with_names(game: Game<P>, names: [&str; 2]) -> Self {
        let names = names.map(|name| Some(name.to_owned()));
        Self { tags: Tags { names, ..Tags::default() }, ..Self::from(game) }
    }
}

impl AnnotatedGame {
    /// Returns the final score, in points by which Black won: the recorded score, or else the score
    /// on the board. Returns `None` if the score is unknown or only the winner is known. If a game
    /// was forfeited or adjudicated, its recorded result is by convention a draw or all squares of
    /// the board.
    ///
    /// [`Tags::points_or`] also returns such results.
    ///
    /// ```
    /// use morello::game::{AnnotatedGame, GameResult, Termination};
    /// use morello::games;
    ///
    /// let mut game = AnnotatedGame::from(games::get("othello")?.random_game(1, 20));
    /// game.tags.result = Some(GameResult { points: 64.0 });
    /// assert_eq!(game.black_score(), Some(64.0));
    /// game.tags.termination = Some(Termination::Timeout);
    /// assert_eq!(game.black_score(), None);
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    #[must_use]
    pub fn black_score(&self) -> Option<f64> {
        self.tags.points_or(self.game.points(Color::Black)).filter(|_| !self.has_winner_alone())
    }

    /// Returns whether the recorded result states only who won, but not by how much.
    fn has_winner_alone(&self) -> bool {
        let position = self.game.position();
        let is_scored = self.tags.termination.is_none_or(|termination| termination == Termination::Agreement);
        if is_scored || position.game().info().scoring != Scoring::Margin || position.is_over() {
            return false;
        }
        let most = position.game().layout().points.len() as f64;
        self.tags.result.is_some_and(|result| result.points == 0.0 || result.points.abs() == most)
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
    /// What ended the game early, if anything did. It may be known without the result.
    pub termination: Option<Termination>,
    /// The result under best play by both sides, starting at some point of the game.
    pub theoretical: Option<TheoreticalResult>,
    /// Other tags, by their PGN names: `Site`, `Round`, `TimeControl`.
    pub others: Vec<(String, String)>,
}

impl Tags {
    /// Returns the year of the date: its first four-digit number.
    #[must_use]
    pub fn year(&self) -> Option<u32> {
        let numbers = self.date.as_deref()?.split(|c: char| !c.is_ascii_digit());
        numbers.into_iter().find(|number| number.len() == 4)?.parse().ok()
    }

    /// Returns the points by which Black won: the recorded points, or else the points on the board.
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
    /// margin. If a game ended early and only the winner is known, all squares of the board.
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
    /// [`ParseResultError`] for any other text.
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

    /// Returns the most points by which a side can win: all squares of the board in games with a
    /// margin, otherwise 1.
    #[must_use]
    pub fn most_points(game: &dyn AnyGame) -> u32 {
        match game.info().scoring {
            Scoring::Margin => game.layout().points.len() as u32,
            Scoring::Distance => 1,
        }
    }

    /// Returns whether a game can end with this result.
    ///
    /// ```
    /// use morello::game::GameResult;
    /// use morello::games;
    ///
    /// let is_possible = |points, name| GameResult { points }.is_possible(games::get(name).unwrap());
    /// assert!(is_possible(-64.0, "othello") && !is_possible(65.0, "othello"));
    /// assert!(is_possible(-1.0, "morabaraba") && !is_possible(0.5, "morabaraba"));
    /// ```
    #[must_use]
    pub fn is_possible(self, game: &dyn AnyGame) -> bool {
        let has_margin = game.info().scoring == Scoring::Margin;
        self.points.abs() <= f64::from(Self::most_points(game)) && (has_margin || self.points.fract() == 0.0)
    }

    /// Returns the result of a game if only the winner is known: all squares of the board in games
    /// with a margin. A winner of `None` is a draw.
    #[must_use]
    pub fn of_winner(game: &dyn AnyGame, winner: Option<Color>) -> Self {
        let most = f64::from(Self::most_points(game));
        Self { points: winner.map_or(0.0, |winner| if winner == Color::Black { most } else { -most }) }
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

    /// Reads the result of a finished game as in [PGN](GameResult::from_pgn), or as the points by
    /// which Black won, with a sign.
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
///
/// ```
/// use morello::game::Termination;
///
/// assert_eq!(Termination::read("Time forfeit"), Some(Termination::Timeout));
/// assert_eq!(Termination::read("normal"), None);
/// assert_eq!(Termination::IllegalMove.name(), "illegal_move");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Termination {
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Timeout,
    /// The loser played an illegal move, or refused a legal one.
    IllegalMove,
    /// The loser's program exited, or violated its protocol.
    Crash,
    /// The result was set before the end: by the scores of both sides, by an endgame database, or
    /// because the game became too long.
    Adjudication,
    /// The sides agreed on the result.
    Agreement,
    /// Another reason.
    Other,
}

impl Termination {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::Resignation,
        Self::Timeout,
        Self::IllegalMove,
        Self::Crash,
        Self::Adjudication,
        Self::Agreement,
        Self::Other,
    ];

    /// Returns the name in row files, such as `illegal_move`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Resignation => "resignation",
            Self::Timeout => "timeout",
            Self::IllegalMove => "illegal_move",
            Self::Crash => "crash",
            Self::Adjudication => "adjudication",
            Self::Agreement => "agreement",
            Self::Other => "other",
        }
    }

    /// Returns the value of PGN's `Termination` tag.
    #[must_use]
    pub fn pgn_name(self) -> &'static str {
        match self {
            Self::Timeout => "time forfeit",
            Self::IllegalMove => "rules infraction",
            Self::Crash => "abandoned",
            _ => self.name(),
        }
    }

    /// Reads a [name](Self::name), the value of PGN's `Termination` tag as any program writes it,
    /// or the reason in a `selfplay` log. Returns `None` for a game that did not end early, and for
    /// unknown text.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        const WORDS: [(&str, Termination); 18] = [
            ("resign", Termination::Resignation),
            ("time", Termination::Timeout),
            ("illegal", Termination::IllegalMove),
            ("infraction", Termination::IllegalMove),
            ("refus", Termination::IllegalMove),
            ("crash", Termination::Crash),
            ("abandon", Termination::Crash),
            ("disconnect", Termination::Crash),
            ("stalled", Termination::Crash),
            ("adjudicat", Termination::Adjudication),
            ("score", Termination::Adjudication),
            ("database", Termination::Adjudication),
            ("ply_cap", Termination::Adjudication),
            ("agree", Termination::Agreement),
            ("emergency", Termination::Other),
            ("death", Termination::Other),
            ("forfeit", Termination::Other),
            ("other", Termination::Other),
        ];
        let text = text.to_ascii_lowercase();
        WORDS.into_iter().find(|(word, _)| text.contains(word)).map(|(_, termination)| termination)
    }
}

impl fmt::Display for Termination {
    /// Writes the reason after a result: `by resignation`, `on time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Resignation => "by resignation",
            Self::Timeout => "on time",
            Self::IllegalMove => "by an illegal move",
            Self::Crash => "by a crash",
            Self::Adjudication => "by adjudication",
            Self::Agreement => "by agreement",
            Self::Other => "before the end",
        })
    }
}

/// A result under best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TheoreticalResult {
    /// The number of empty squares in the position that begins best play by both sides.
    pub empties: u32,
    /// The points by which Black wins from that position.
    pub points: i32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminations_are_read_back() {
        for termination in Termination::ALL {
            for text in [termination.name(), termination.pgn_name(), &termination.name().to_uppercase()] {
                assert_eq!(Termination::read(text), Some(termination), "{text}");
            }
        }
        for (text, expected) in [
            ("White wins on time", Some(Termination::Timeout)),
            ("illegal move", Some(Termination::IllegalMove)),
            ("Abandoned game", Some(Termination::Crash)),
            ("score", Some(Termination::Adjudication)),
            ("refusal", Some(Termination::IllegalMove)),
            ("rules", None),
            ("Normal", None),
            ("repetition", None),
            ("no_progress", None),
            ("unterminated", None),
            ("", None),
        ] {
            assert_eq!(Termination::read(text), expected, "{text}");
        }
    }

    #[test]
    fn finds_the_year_of_a_date() {
        let year = |date: &str| Tags { date: Some(date.to_owned()), ..Tags::default() }.year();
        let dates = ["1977", "2003-12-15 12:33:18", "2003.12.15_12:33:18.MST", "15.12.2003", "1066519800", "unknown"];
        assert_eq!(dates.map(year), [Some(1977), Some(2003), Some(2003), Some(2003), None, None]);
        assert_eq!(Tags::default().year(), None);
    }
}
