//! [`EvaluationReport`]: the accuracy of an evaluation by game stage.

use super::{Corpus, DataSplit, ErrorStatistics};
use crate::othello::Board;
use crate::othello::engine::patterns::{PLIES, PatternEvaluation, UNIT};

/// The errors of static evaluations, by number of empty squares.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationReport {
    by_empties: Vec<ErrorStatistics>,
}

impl Default for EvaluationReport {
    /// Without positions.
    fn default() -> Self {
        Self { by_empties: vec![ErrorStatistics::default(); PLIES] }
    }
}

impl EvaluationReport {
    /// Evaluates all positions of a part of the games.
    #[must_use]
    pub fn of_games<const LANES: usize>(
        evaluation: &PatternEvaluation<LANES>,
        corpus: &Corpus,
        part: DataSplit,
    ) -> Self {
        let mut report = Self::default();
        corpus.for_each_sample(part, |sample| report.add(evaluation, sample.board, sample.score.into()));
        report
    }

    /// Evaluates a position with this score for the side to move, in discs.
    pub fn add<const LANES: usize>(&mut self, evaluation: &PatternEvaluation<LANES>, board: Board, score: i32) {
        let empties = board.empty_count();
        let units = evaluation.units(&evaluation.set().features(board), empties);
        let estimate = (f64::from(units) / f64::from(UNIT)).clamp(-64.0, 64.0);
        self.by_empties[(empties as usize).min(PLIES - 1)].add(estimate - f64::from(score));
    }

    /// Returns the errors for each number of empty squares that occurred.
    pub fn by_empties(&self) -> impl Iterator<Item = (u32, ErrorStatistics)> {
        (0..).zip(&self.by_empties).filter(|(_, errors)| errors.count() > 0).map(|(empties, errors)| (empties, *errors))
    }

    /// Returns the errors of all positions.
    #[must_use]
    pub fn all(&self) -> ErrorStatistics {
        self.by_empties.iter().copied().fold(ErrorStatistics::default(), ErrorStatistics::merge)
    }
}
