//! [`LossMeasure`], the unit of losses, and [`Severity`]: how bad a loss is.

use morello_core::game::{Limits, Scoring};
use serde::{Deserialize, Serialize};

/// The unit of losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LossMeasure {
    /// Points of the score.
    Points,
    /// Steps between win, draw and loss, two at most. For searches that prove only the winner.
    Outcome,
    /// None: the losses of some moves are unknown, and statistics of the others would be biased.
    Unmeasured,
}

impl LossMeasure {
    /// Returns the measure that a search within these limits supports for every move. If duplicates
    /// are skipped, the positions after most moves are missing.
    ///
    /// ```
    /// use morello::analysis::LossMeasure;
    /// use morello::game::Limits;
    ///
    /// assert_eq!(LossMeasure::of(&Limits::depth(8), false), LossMeasure::Points);
    /// assert_eq!(LossMeasure::of(&Limits::window(-1, 1), false), LossMeasure::Outcome);
    /// assert_eq!(LossMeasure::of(&Limits::depth(8), true), LossMeasure::Unmeasured);
    /// ```
    #[must_use]
    pub fn of(limits: &Limits, skips_duplicates: bool) -> Self {
        match limits.window {
            _ if skips_duplicates => Self::Unmeasured,
            None => Self::Points,
            Some((alpha, beta)) if alpha < 0 && beta > 0 => Self::Outcome,
            Some(_) => Self::Unmeasured,
        }
    }
}

/// How bad a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A small loss: 2 discs, or 0.1 in games that count only wins.
    Inaccuracy,
    /// 4 discs, 0.3 in games that count only wins, or a step between win, draw and loss.
    Mistake,
    /// 10 discs, 0.8 in games that count only wins, or two steps.
    Blunder,
}

impl Severity {
    /// All severities, from the least.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the severity of a loss; `None` if it is too small to mention.
    ///
    /// ```
    /// use morello::analysis::{LossMeasure, Severity};
    /// use morello::game::Scoring;
    ///
    /// let of = |discs| Severity::of(discs, Scoring::Margin, LossMeasure::Points);
    /// assert_eq!([1.0, 2.5, 12.0].map(of), [None, Some(Severity::Inaccuracy), Some(Severity::Blunder)]);
    /// assert_eq!(Severity::Blunder.mark(), "??");
    /// ```
    #[must_use]
    pub fn of(loss: f64, scoring: Scoring, measure: LossMeasure) -> Option<Self> {
        let least = Self::limits(scoring, measure);
        Self::ALL.into_iter().zip(least).rev().find(|&(_, least)| loss >= least).map(|(severity, _)| severity)
    }

    /// Returns the least loss of each severity, in the unit of the measure.
    #[must_use]
    pub fn limits(scoring: Scoring, measure: LossMeasure) -> [f64; 3] {
        match (measure, scoring) {
            (LossMeasure::Outcome, _) => [1.0, 1.0, 2.0],
            (_, Scoring::Margin) => [2.0, 4.0, 10.0],
            (_, Scoring::Distance) => [0.1, 0.3, 0.8],
        }
    }

    /// Returns the mark in move lists: `?!`, `?` or `??`.
    #[must_use]
    pub fn mark(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Returns the name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Returns the name of several, in lower case.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracies",
            Self::Mistake => "mistakes",
            Self::Blunder => "blunders",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_losses_by_the_scoring_of_the_game() {
        use LossMeasure::{Outcome, Points};
        let of = |losses: [f64; 4], scoring, measure| losses.map(|loss| Severity::of(loss, scoring, measure));
        let grades = [None, Some(Severity::Inaccuracy), Some(Severity::Mistake), Some(Severity::Blunder)];
        assert_eq!(of([1.9, 2.0, 9.9, 10.0], Scoring::Margin, Points), grades);
        assert_eq!(of([0.05, 0.1, 0.3, 2.0], Scoring::Distance, Points), grades);
        assert_eq!(of([0.0, 1.0, 1.0, 2.0], Scoring::Margin, Outcome), [grades[0], grades[2], grades[2], grades[3]]);
    }
}
