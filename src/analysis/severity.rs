//! How much a move lost ([`MoveLoss`]), how bad that is ([`Severity`]), and the unit of losses
//! ([`LossMeasure`]).

use morello_core::game::{AnyPosition, Limits, Score, Scoring};
use serde::{Deserialize, Serialize};

/// The unit of losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LossMeasure {
    /// Points of the score.
    Points,
    /// Steps between win, draw and loss, two at most, for searches that prove only the winner.
    Outcome,
    /// Losses are not measured: some would be unknown, and statistics of the others would be
    /// biased.
    Unmeasured,
}

impl LossMeasure {
    /// Returns the measure that a search within these limits supports for every move. If duplicates
    /// are skipped, most losses would be unknown, so it is [`Unmeasured`](Self::Unmeasured).
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

/// How much a move lost compared with the best move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MoveLoss {
    /// The loss in points of the score for the side to move, 0 or more.
    pub points: f64,
    /// The loss of the [expected result](expected_result), from 0 to 1.
    pub result: f64,
}

impl MoveLoss {
    /// Returns the loss of a move. `position` is the position before the move, `best` the score of
    /// the best move and `played` the score of the move played, both in points for the side to move.
    /// The loss is never negative.
    ///
    /// ```
    /// use morello::analysis::{MoveLoss, Severity};
    /// use morello::games;
    ///
    /// let start = games::get("othello")?.start();
    /// let loss = MoveLoss::new(&start, 3.0, -1.0);
    /// assert_eq!((loss.points, loss.severity()), (4.0, Some(Severity::Mistake)));
    /// // With a winning lead, the same loss hardly matters.
    /// assert_eq!(MoveLoss::new(&start, 44.0, 40.0).severity(), None);
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    #[must_use]
    pub fn new(position: &AnyPosition, best: f64, played: f64) -> Self {
        let result = expected_result(position, best) - expected_result(position, played);
        let point = f64::from(Score::POINT);
        let thousandths = ((best - played) * point).round();
        Self { points: thousandths.max(0.0) / point, result: result.max(0.0) }
    }

    /// Returns the loss for a number of steps between win, draw and loss.
    pub(super) fn of_steps(steps: f64) -> Self {
        Self { points: steps.max(0.0), result: steps.max(0.0) / 2.0 }
    }

    /// Returns how bad the loss is; `None` if it is less than an inaccuracy.
    #[must_use]
    pub fn severity(self) -> Option<Severity> {
        Severity::ALL.into_iter().rev().find(|severity| self.result >= severity.least())
    }

    /// Returns the accuracy of the move, from 0 to 1: 1 without a loss, and less than 0.41 for a
    /// blunder.
    ///
    /// It falls exponentially with the loss of the expected result.
    #[must_use]
    pub fn accuracy(self) -> f64 {
        (-ACCURACY_DECAY * self.result).exp()
    }
}

/// How fast the accuracy of a move falls with its loss.
const ACCURACY_DECAY: f64 = 4.5;

/// The scale of Othello scores when many squares are empty, in discs.
const MAX_SCALE: f64 = 8.0;

/// The scale per empty square when few squares are empty, in discs.
const SCALE_PER_EMPTY: f64 = 0.35;

/// Returns the average result of human players from a position with this score, from the point of
/// view of the side to move: 1 is a win, 0.5 a draw and 0 a loss.
///
/// In games that count discs, it is the logistic function of the score over a scale: 8 discs, or
/// 0.35 discs for each empty square if that is less. It was fitted to the results of Othello
/// tournament games (scores at depth 8 in 100,000 positions from 1,750 games). In games that count
/// only wins, it depends only on the score.
///
/// ```
/// use morello::analysis::expected_result;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// assert_eq!(expected_result(&start, 0.0), 0.5);
/// assert!((0.7..0.8).contains(&expected_result(&start, 8.0)));
/// assert_eq!(expected_result(&games::get("nine-mens-morris")?.start(), -1.0), 0.0);
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[must_use]
pub fn expected_result(position: &AnyPosition, points: f64) -> f64 {
    match (position.game().info().scoring, position.empty_count()) {
        (Scoring::Margin, Some(empties)) => {
            let scale = MAX_SCALE.min(SCALE_PER_EMPTY * f64::from(empties.max(1)));
            1.0 / (1.0 + (-points / scale).exp())
        }
        _ => (points.clamp(-1.0, 1.0) + 1.0) / 2.0,
    }
}

/// How bad a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The move loses at least 5 % of a win in expected result: about 1.6 discs in an even opening.
    Inaccuracy,
    /// The move loses at least 10 %: about 3 discs.
    Mistake,
    /// The move loses at least 20 %: about 7 discs, or a draw that becomes a loss.
    Blunder,
}

impl Severity {
    /// All severities, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the minimum loss of expected result, from 0 to 1.
    #[must_use]
    pub fn least(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.1,
            Self::Blunder => 0.2,
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

    /// Returns the plural of the name, in lower case.
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
    use morello_core::games;

    use super::*;

    #[test]
    fn a_loss_is_as_bad_as_the_result_that_it_costs() {
        let othello = games::get("othello").expect("a game").start();
        let of = |best, played| MoveLoss::new(&othello, best, played).severity();
        let grades = [None, Some(Severity::Inaccuracy), Some(Severity::Mistake), Some(Severity::Blunder)];
        assert_eq!([1.0, 2.0, 4.0, 8.0].map(|loss| of(loss / 2.0, -loss / 2.0)), grades);
        assert_eq!([of(40.0, 30.0), of(-30.0, -50.0), of(0.0, 3.0)], [None; 3]);
        let mill = games::get("nine-mens-morris").expect("a game").start();
        let of = |best, played| MoveLoss::new(&mill, best, played).severity();
        assert_eq!([of(0.05, 0.0), of(0.1, 0.0), of(0.1, -0.1), of(0.0, -1.0)], grades);
        assert_eq!(MoveLoss::of_steps(1.0).severity(), Some(Severity::Blunder));
    }

    #[test]
    fn results_are_fractions_of_a_win() {
        for game in games::all() {
            let start = game.start();
            let most = if game.info().scoring == Scoring::Margin { 64.0 } else { 1.0 };
            let results = [-most, 0.0, most].map(|points| expected_result(&start, points));
            assert!(results[0] < 0.001 && results[1] == 0.5 && results[2] > 0.999, "{}", game.name());
        }
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        let of = |steps| MoveLoss::of_steps(steps).accuracy();
        assert_eq!(of(0.0), 1.0);
        assert!(of(0.4) < 0.41 && of(2.0) > 0.01);
    }
}
