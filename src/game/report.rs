//! What a search found: [`Report`], made of lines of play with their scores.

use std::time::Duration;

use super::Position;

/// How far a score can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Proved: the result under best play.
    Exact,
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
    /// For a proved win or loss of a game scored by [distance](super::Scoring::Distance): plies to the end of the game under best play.
    pub plies: Option<u32>,
}

impl Score {
    /// Thousandths in a point.
    pub const POINT: i32 = 1000;

    /// Returns a proved score of whole points.
    #[must_use]
    pub fn exact(points: i32) -> Self {
        Self { thousandths: points * Self::POINT, certainty: Certainty::Exact, plies: None }
    }

    /// Returns the score in points.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.thousandths) / f64::from(Self::POINT)
    }

    /// Returns whether the score is proved.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.certainty == Certainty::Exact
    }
}

/// A line of play and what it is worth to the side to move at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<P: Position> {
    /// The score under best play, as far as the search saw.
    pub score: Score,
    /// The principal variation; empty where the game is over.
    pub pv: Vec<P::Move>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<P: Position> {
    /// The best line.
    pub best: Line<P>,
    /// The depth of the last iteration that was completed, in plies; 0 if none was.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl<P: Position> Report<P> {
    /// Returns the best move; `None` where the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<P::Move> {
        self.best.pv.first().copied()
    }
}
