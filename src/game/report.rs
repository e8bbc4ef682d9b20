//! What a search found: [`Report`], made of lines of play with their scores, and of the [`Bounds`] it proved.

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use super::{AnyPosition, Confidence, Position};

/// How far a score can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Proved: the result under best play.
    Exact,
    /// Proved: the result under best play is at least this. The search had a [window](super::Limits::window), and this is beta or more.
    AtLeast,
    /// Proved: the result under best play is at most this. The search had a window, and this is alpha or less.
    AtMost,
    /// An evaluation at the end of a search of limited depth.
    Heuristic,
}

/// A score from the point of view of the side to move.
///
/// A point is what the game's final score counts: a disc in Othello (-64 to 64), the whole game in the mill games (-1 to 1, where an
/// evaluation lies strictly between).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    /// The score in thousandths of a point.
    pub thousandths: i32,
    /// How far it can be trusted.
    pub certainty: Certainty,
    /// For a proved win or loss of a game scored by [distance](super::Scoring::Distance): plies to the end of the game under best play;
    /// `None` where it is not known whether there is a shorter way.
    pub plies: Option<u32>,
}

impl Score {
    /// Thousandths in a point.
    pub const POINT: i32 = 1000;

    /// Returns a proved score of whole points.
    #[must_use]
    pub fn exact(points: i32) -> Self {
        Self::of(points, Certainty::Exact)
    }

    /// Returns a score of whole points that can be trusted so far.
    #[must_use]
    pub fn of(points: i32, certainty: Certainty) -> Self {
        Self { thousandths: points * Self::POINT, certainty, plies: None }
    }

    /// Returns the score in points.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.thousandths) / f64::from(Self::POINT)
    }

    /// Returns whether the score is proved to be the result under best play.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.certainty == Certainty::Exact
    }

    /// Returns whether the score is a proved bound of the result alone.
    #[must_use]
    pub fn is_bound(self) -> bool {
        matches!(self.certainty, Certainty::AtLeast | Certainty::AtMost)
    }

    /// Returns what the score proves, in points.
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
    /// Writes the points with their sign: `+2` if they are proved, `>=+2` and `<=-2` for bounds, `~+1.5` for an estimate, `+1#23` for a win
    /// in 23 plies.
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

/// Writes scores of moves: `d2:-14; b8:>=+2;`, as OBF has those that are proved; of no move the score alone, without the plies.
#[must_use]
pub fn write_scores<M: fmt::Display>(scores: impl IntoIterator<Item = (Option<M>, Score)>) -> String {
    let text = |(m, score): (Option<M>, Score)| match m {
        Some(m) => format!("{m}:{score};"),
        None => format!("{};", Score { plies: None, ..score }),
    };
    scores.into_iter().map(text).collect::<Vec<_>>().join(" ")
}

/// What is proved about the result under best play, in points for the side to move; nothing by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The result is at least this; `None` where no more is proved than what holds of every position.
    pub lower: Option<i32>,
    /// The result is at most this; `None` likewise.
    pub upper: Option<i32>,
}

impl Bounds {
    /// Returns the bounds of a proved result.
    #[must_use]
    pub fn exact(points: i32) -> Self {
        Self { lower: Some(points), upper: Some(points) }
    }

    /// Returns whether a result of so many points may be the true one, for all that is proved.
    #[must_use]
    pub fn contains(self, points: i32) -> bool {
        self.lower.is_none_or(|lower| lower <= points) && self.upper.is_none_or(|upper| points <= upper)
    }

    /// Returns how the result compares with zero, if that is proved: greater where the side to move wins.
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

/// A line of play and what it is worth to the side to move at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<P: Position = AnyPosition> {
    /// The score of the first move under best play, as far as the search saw; of the best line it is the score of the position.
    pub score: Score,
    /// The principal variation; empty where the game is over.
    ///
    /// Where a solver has proved the score it goes to the end of the game, unless a bound on the search was reached on the way: with the
    /// very score if that is exact, else with one that keeps to the bound.
    pub pv: Vec<P::Move>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<P: Position = AnyPosition> {
    /// The best lines, each with another first move, from the highest score to the lowest: as many as were [asked
    /// for](super::Limits::lines) or as there are legal moves, but one, an empty one, where the game is over.
    pub lines: Vec<Line<P>>,
    /// What is proved about the position's score, whatever the best line says.
    pub bounds: Bounds,
    /// The depth of the last iteration that was completed, in plies; 0 if none was.
    pub depth: u32,
    /// How sure that iteration was of what it left out.
    pub confidence: Confidence,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// What else there is to say about the position, for people: a win that a rule draws.
    pub note: Option<&'static str>,
}

impl<P: Position> Report<P> {
    /// Returns the best line.
    ///
    /// # Panics
    /// If there is none, which no searcher reports.
    #[must_use]
    pub fn best(&self) -> &Line<P> {
        self.lines.first().expect("a report has a line")
    }

    /// Returns the best move; `None` where the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<P::Move> {
        self.best().pv.first().copied()
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
