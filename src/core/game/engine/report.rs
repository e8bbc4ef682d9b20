//! [`Report`]: the result of a search, with its [`Line`]s, their [`Score`]s, and the proved
//! [`Bounds`].

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use crate::game::{AnyPosition, Color, Confidence, Outcome, Position};

/// The certainty of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Certainty {
    /// Proved: the score is the result.
    Exact,
    /// Proved: the result is at least the score. The search had a
    /// [window](crate::game::Limits::window), and the score is beta or more.
    AtLeast,
    /// Proved: the result is at most the score. The search had a window, and the score is alpha or
    /// less.
    AtMost,
    /// An estimate from a search of limited depth.
    Heuristic,
}

/// A score from the point of view of the side to move.
///
/// The unit is the unit of the game's final score: discs in Othello (-64 to 64). In the mill games
/// 1 is a win and -1 a loss, and estimates lie strictly between.
///
/// ```
/// use morello::game::{Certainty, Score};
///
/// let win = Score { plies: Some(23), ..Score::exact(1) };
/// assert_eq!(win.to_string(), "+1#23");
/// let estimate = Score { thousandths: 1500, certainty: Certainty::Heuristic, plies: None };
/// assert_eq!((estimate.points(), estimate.to_string()), (1.5, "~+1.5".to_owned()));
/// assert_eq!(Score::of(-2, Certainty::AtMost).to_string(), "<=-2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score {
    /// The score in thousandths of a point.
    pub thousandths: i32,
    /// The certainty of the score.
    pub certainty: Certainty,
    /// For a proved win or loss in a game scored by [distance](crate::game::Scoring::Distance), the
    /// number of plies to the end of the game under best play; `None` if there may be a shorter
    /// win.
    pub plies: Option<u32>,
}

impl Score {
    /// Returns the number of thousandths in a point.
    pub const POINT: i32 = 1000;

    /// Returns a proved score of whole points.
    #[must_use]
    pub fn exact(points: i32) -> Self {
        Self::of(points, Certainty::Exact)
    }

    /// Returns a score of whole points with this certainty.
    #[must_use]
    pub fn of(points: i32, certainty: Certainty) -> Self {
        Self { thousandths: points * Self::POINT, certainty, plies: None }
    }

    /// Returns the score in points.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.thousandths) / f64::from(Self::POINT)
    }

    /// Returns whether the score is exact.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.certainty == Certainty::Exact
    }

    /// Returns whether the score is only a bound.
    #[must_use]
    pub fn is_bound(self) -> bool {
        matches!(self.certainty, Certainty::AtLeast | Certainty::AtMost)
    }

    /// Returns the bounds on the result that the score proves, in points.
    #[must_use]
    pub fn bounds(self) -> Bounds {
        let points = self.thousandths / Self::POINT;
        match self.certainty {
            Certainty::Exact => Bounds::exact(points),
            Certainty::AtLeast => Bounds { lower: Some(points), upper: None },
            Certainty::AtMost => Bounds { lower: None, upper: Some(points) },
            Certainty::Heuristic => Bounds::default(),
        }
    }
}

impl fmt::Display for Score {
    /// Writes the points with a sign: `+2` for an exact score, `>=+2` and `<=-2` for bounds,
    /// `~+1.5` for an estimate, `+1#23` for a win in 23 plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.certainty {
            Certainty::Exact => "",
            Certainty::AtLeast => ">=",
            Certainty::AtMost => "<=",
            Certainty::Heuristic => "~",
        })?;
        write!(f, "{:+}", self.points())?;
        self.plies.map_or(Ok(()), |plies| write!(f, "#{plies}"))
    }
}

/// Writes moves with their scores in OBF style: `d2:-14; b8:>=+2;`. Without a move, only the score
/// is written, without plies.
///
/// ```
/// use morello::game::{Certainty, Score, write_scores};
///
/// let scores = [(Some("d2"), Score::exact(-14)), (Some("b8"), Score::of(-20, Certainty::AtMost))];
/// assert_eq!(write_scores(scores), "d2:-14; b8:<=-20;");
/// ```
#[must_use]
pub fn write_scores<M: fmt::Display>(scores: impl IntoIterator<Item = (Option<M>, Score)>) -> String {
    let text = |(m, score): (Option<M>, Score)| match m {
        Some(m) => format!("{m}:{score};"),
        None => format!("{};", Score { plies: None, ..score }),
    };
    scores.into_iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Proved bounds on the result under best play, in points for the side to move; none by default.
///
/// ```
/// use std::cmp::Ordering;
///
/// use morello::game::{Bounds, Certainty, Score};
///
/// let bounds = Score::of(2, Certainty::AtLeast).bounds();
/// assert_eq!(bounds, Bounds { lower: Some(2), upper: None });
/// assert_eq!(bounds.sign(), Some(Ordering::Greater), "the side to move wins");
/// assert!(bounds.contains(10) && !bounds.contains(0));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bounds {
    /// The result is at least this; `None` if no lower bound is proved.
    pub lower: Option<i32>,
    /// The result is at most this; `None` if no upper bound is proved.
    pub upper: Option<i32>,
}

impl Bounds {
    /// Returns the bounds of a result proved to be `points`.
    #[must_use]
    pub fn exact(points: i32) -> Self {
        Self { lower: Some(points), upper: Some(points) }
    }

    /// Returns whether a result of `points` is within the bounds.
    #[must_use]
    pub fn contains(self, points: i32) -> bool {
        self.lower.is_none_or(|lower| lower <= points) && self.upper.is_none_or(|upper| points <= upper)
    }

    /// Returns who wins, if that is proved. `side` is the side to move.
    ///
    /// ```
    /// use morello::game::{Bounds, Color, Outcome};
    ///
    /// let bounds = Bounds { lower: Some(2), upper: None };
    /// assert_eq!(bounds.outcome(Color::White), Some(Outcome::Win(Color::White)));
    /// ```
    #[must_use]
    pub fn outcome(self, side: Color) -> Option<Outcome> {
        self.sign().map(|sign| Outcome::from_score(sign as i32, side))
    }

    /// Returns how the result compares with zero, if that is proved; `Greater` if the side to move
    /// wins.
    #[must_use]
    pub fn sign(self) -> Option<Ordering> {
        match (self.lower, self.upper) {
            (Some(lower), _) if lower > 0 => Some(Ordering::Greater),
            (_, Some(upper)) if upper < 0 => Some(Ordering::Less),
            (Some(0), Some(0)) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

/// A line of play and its score for the side to move.
///
/// ```
/// use morello::game::{Engine, EngineOptions, Game, Limits, Position};
/// use morello::othello::SizedPosition;
///
/// let mut game = Game::<SizedPosition<4>>::default();
/// let mut searcher = SizedPosition::<4>::searcher(&EngineOptions::new(1 << 20))?;
/// let line = searcher.best(&game, &Limits::exact()).best().clone();
/// let first = game.position().side_to_move();
/// for &m in &line.pv {
///     game.play(m)?;
/// }
/// // A proved line reaches the end of the game, with the score of the line.
/// assert_eq!(game.points(first).map(f64::from), Some(line.score.points()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "P::Move: serde::Serialize", deserialize = "P::Move: serde::Deserialize<'de>"))
)]
pub struct Line<P: Position = AnyPosition> {
    /// The score of the first move. For the best line it is the score of the position.
    pub score: Score,
    /// The principal variation; empty if the game is over.
    ///
    /// If a solver has proved the score, the line continues to the end of the game unless a limit
    /// stopped the search first. If the score is exact, the line ends with this score; if the score
    /// is a bound, the line ends with a score within it.
    pub pv: Vec<P::Move>,
}

impl<P: Position> Line<P> {
    /// Sorts lines from the highest score. Lines of equal score keep their order.
    pub(crate) fn sort(lines: &mut [Self]) {
        // There are few lines, and most are in order: a general sort would only add code.
        for end in 1..lines.len() {
            let mut at = end;
            while at > 0 && lines[at - 1].score.thousandths < lines[at].score.thousandths {
                lines.swap(at - 1, at);
                at -= 1;
            }
        }
    }
}

/// Where the result of a search comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ReportSource {
    /// A search.
    #[default]
    Search,
    /// An opening book.
    Book,
    /// An endgame database.
    Table,
}

impl ReportSource {
    /// Returns the name: `search`, `book` or `table`.
    ///
    /// ```
    /// use morello::game::{EngineOptions, Game, Limits};
    /// use morello::games;
    ///
    /// let three = games::get("three-mens-morris")?;
    /// let report = three.searcher(&EngineOptions::new(1 << 20))?.best(&Game::new(three.start()), &Limits::depth(2));
    /// assert_eq!(report.source.name(), "search");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Book => "book",
            Self::Table => "table",
        }
    }
}

/// The result of a search.
///
/// Scores and bounds are for the side to move in the searched position, whatever the length of the
/// lines.
///
/// ```
/// use morello::game::{EngineOptions, Limits};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let game = othello.random_game(3, 30);
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// let report = searcher.best(&game, &Limits::depth(4).with_lines(2));
/// assert_eq!((report.lines.len(), report.depth), (2, 4));
/// assert_eq!(report.best_move(), Some(report.lines[0].pv[0]));
/// assert!(report.lines[0].score.points() >= report.lines[1].score.points());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound(serialize = "P::Move: serde::Serialize")))]
pub struct Report<P: Position = AnyPosition> {
    /// The best lines, each with a different first move, from the highest score to the lowest: as
    /// many as [requested](crate::game::Limits::lines), or one per legal move if there are fewer.
    /// If the game is over, there is one empty line.
    pub lines: Vec<Line<P>>,
    /// The proved bounds on the score of the position. They may be tighter than the score of the
    /// best line shows.
    pub bounds: Bounds,
    /// The depth of the last completed iteration, in plies; 0 if none was completed.
    pub depth: u32,
    /// The confidence level of that iteration.
    pub confidence: Confidence,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// A remark for users, such as a win that a rule turns into a draw.
    pub note: Option<&'static str>,
    /// Where the result comes from.
    pub source: ReportSource,
}

impl<P: Position> Report<P> {
    /// Returns the best line.
    ///
    /// # Panics
    /// If the report has no line. Searchers always report at least one.
    #[must_use]
    pub fn best(&self) -> &Line<P> {
        self.lines.first().expect("a report has a line")
    }

    /// Returns the best move; `None` if the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<P::Move> {
        self.best().pv.first().copied()
    }

    /// Returns the first move and the score of each line, best first. If the game is over, returns
    /// no move with the final score.
    pub fn scores(&self) -> impl Iterator<Item = (Option<P::Move>, Score)> {
        self.lines.iter().map(|line| (line.pv.first().copied(), line.score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_with_their_certainty() {
        let score = |thousandths, certainty| Score { thousandths, certainty, plies: None };
        let scores = [
            (Some("a2"), Score::exact(2)),
            (Some("b1"), Score::exact(0)),
            (Some("c4"), Score::of(0, Certainty::AtLeast)),
            (Some("d3"), Score::of(-2, Certainty::AtMost)),
            (Some("a1"), score(-2500, Certainty::Heuristic)),
            (Some("d1"), Score { plies: Some(23), ..Score::exact(1) }),
            (None, Score { plies: Some(0), ..Score::exact(-12) }),
        ];
        assert_eq!(write_scores(scores), "a2:+2; b1:+0; c4:>=+0; d3:<=-2; a1:~-2.5; d1:+1#23; -12;");
    }
}
