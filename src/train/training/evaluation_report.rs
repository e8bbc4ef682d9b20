//! [`EvaluationReport`]: the accuracy of an evaluation by game stage.

use morello_core::othello::Board;
use morello_core::othello::engine::patterns::{PLIES, UNIT};

use super::{Corpus, DataSplit, ErrorStatistics};

/// The errors of static evaluations, by number of empty squares.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationReport {
    by_empties: Vec<ErrorStatistics>,
}

impl Default for EvaluationReport {
    /// Returns a report without positions.
    fn default() -> Self {
        Self { by_empties: vec![ErrorStatistics::default(); PLIES] }
    }
}

impl EvaluationReport {
    /// Evaluates all positions of a split of the games. `evaluate` returns estimates for the side
    /// to move, in [units](UNIT) of a disc.
    #[must_use]
    pub fn of_games(evaluate: &dyn Fn(Board) -> i32, corpus: &Corpus, part: DataSplit) -> Self {
        let mut report = Self::default();
        corpus.for_each_sample(part, |sample| report.add(evaluate, sample.board, sample.score.into()));
        report
    }

    /// Evaluates a position and adds its error. `score` is its exact score for the side to move, in
    /// discs.
    pub fn add(&mut self, evaluate: &dyn Fn(Board) -> i32, board: Board, score: i32) {
        let estimate = (f64::from(evaluate(board)) / f64::from(UNIT)).clamp(-64.0, 64.0);
        self.by_empties[(board.empty_count() as usize).min(PLIES - 1)].add(estimate - f64::from(score));
    }

    /// Returns the errors by number of empty squares, for the numbers that occur.
    pub fn by_empties(&self) -> impl Iterator<Item = (u32, ErrorStatistics)> {
        (0..).zip(&self.by_empties).filter(|(_, errors)| errors.count > 0).map(|(empties, errors)| (empties, *errors))
    }

    /// Returns the errors of all positions together.
    #[must_use]
    pub fn all(&self) -> ErrorStatistics {
        self.by_empties.iter().copied().fold(ErrorStatistics::default(), ErrorStatistics::merge)
    }
}
