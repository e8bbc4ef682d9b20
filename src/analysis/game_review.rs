//! [`GameReview`]: a game with the score of each position, for a report on a few games.

use std::sync::Arc;

use super::play_statistics::MoveStatistics;
use super::{AnalysisRow, GameHeader, LossMeasure};
use crate::game::{AnyMove, AnyPosition, Color, Score, Scoring};

/// Maximum number of games that are collected.
pub const MAX_REVIEWS: usize = 10;

/// The length of a variation that is kept, in plies.
const PV_PLIES: usize = 8;

/// A game with its analyzed positions.
#[derive(Debug, Clone)]
pub struct GameReview {
    /// The name of the input.
    pub file: Arc<str>,
    /// The line where the game begins, from 1.
    pub line: u64,
    /// The game.
    pub head: Arc<GameHeader>,
    /// The analyzed positions in the order of the game, without forced passes.
    pub moves: Vec<ReviewedMove>,
}

/// An analyzed position of a game and the move played in it.
#[derive(Debug, Clone)]
pub struct ReviewedMove {
    /// The plies played before the position.
    pub ply: u32,
    /// The side to move.
    pub mover: Color,
    /// The position.
    pub position: AnyPosition,
    /// The score for the side to move.
    pub score: Score,
    /// The best line found.
    pub pv: Vec<AnyMove>,
    /// The move played; `None` after the last move.
    pub played: Option<AnyMove>,
    /// The ply of the next position with a choice of moves. Forced passes lie between.
    pub next_ply: u32,
    /// The loss of the move in points; `None` if unknown.
    pub loss: Option<f64>,
}

/// How bad a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
}

impl GameReview {
    /// Returns the statistics of the moves of a side.
    #[must_use]
    pub fn statistics(&self, side: Color) -> MoveStatistics {
        let mut statistics = MoveStatistics::default();
        self.moves.iter().filter(|m| m.mover == side).filter_map(|m| m.loss).for_each(|loss| statistics.add(loss));
        statistics
    }
}

/// Collects the games of the rows of an analysis, unless there are more than [`MAX_REVIEWS`].
#[derive(Debug, Clone)]
pub struct GameReviews {
    measure: LossMeasure,
    games: Vec<GameReview>,
    has_too_many: bool,
}

impl GameReviews {
    /// Starts to collect games whose losses are in the unit of `measure`.
    #[must_use]
    pub fn new(measure: LossMeasure) -> Self {
        Self { measure, games: Vec::new(), has_too_many: false }
    }

    /// Returns the unit of the losses.
    #[must_use]
    pub fn measure(&self) -> LossMeasure {
        self.measure
    }

    /// Adds a row. Rows of a game follow each other.
    pub fn add(&mut self, row: &AnalysisRow) {
        let (Some(context), Ok(analysis), false) = (&row.game_context, &row.result, self.has_too_many) else { return };
        if self.games.last().is_none_or(|game| !Arc::ptr_eq(&game.head, &context.game)) {
            if self.games.len() == MAX_REVIEWS {
                (self.games, self.has_too_many) = (Vec::new(), true);
                return;
            }
            let (file, head) = (Arc::clone(&row.file), Arc::clone(&context.game));
            self.games.push(GameReview { file, line: row.line, head, moves: Vec::new() });
        }
        let best = analysis.report.best();
        let reviewed = ReviewedMove {
            ply: context.ply,
            mover: context.mover,
            position: analysis.position,
            score: best.score,
            pv: best.pv.iter().take(PV_PLIES).copied().collect(),
            played: context.played,
            next_ply: context.next_ply,
            loss: row.loss,
        };
        self.games.last_mut().expect("there is a current game").moves.push(reviewed);
    }

    /// Returns the games; none if there were too many.
    #[must_use]
    pub fn games(&self) -> &[GameReview] {
        &self.games
    }
}

#[cfg(test)]
mod tests {
    use super::super::GameContext;
    use super::super::tests::{othello4, row};
    use super::*;
    use crate::game::Tags;

    fn row_of(head: &Arc<GameHeader>, ply: u32, loss: Option<f64>) -> AnalysisRow {
        let context = GameContext {
            game: Arc::clone(head),
            ply,
            mover: if ply.is_multiple_of(2) { Color::Black } else { Color::White },
            played: None,
            next_ply: ply + 1,
            final_points: None,
            opening: None,
            is_selected: true,
        };
        AnalysisRow { game_context: Some(context), loss, ..row(othello4(), Score::exact(0)) }
    }

    fn head(number: u64) -> Arc<GameHeader> {
        GameHeader { number, tags: Tags::default(), plies: 3, black_points: None, opening: None }.into()
    }

    #[test]
    fn collects_the_moves_of_a_few_games() {
        let mut reviews = GameReviews::new(LossMeasure::Points);
        for number in 1..=2 {
            let head = head(number);
            (0..3).for_each(|ply| reviews.add(&row_of(&head, ply, Some(f64::from(ply)))));
        }
        reviews.add(&row(othello4(), Score::exact(0)));
        let numbers: Vec<_> = reviews.games().iter().map(|game| (game.head.number, game.moves.len())).collect();
        assert_eq!(numbers, [(1, 3), (2, 3)]);
        let black = reviews.games()[0].statistics(Color::Black);
        assert_eq!((black.moves(), black.loss()), (2, 2.0));
        (0..=MAX_REVIEWS as u64).for_each(|number| reviews.add(&row_of(&head(number), 0, None)));
        assert!(reviews.games().is_empty());
    }

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
