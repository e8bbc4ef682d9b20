//! [`Adjudication`]: how a referee ends games whose result is beyond doubt.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::game::{Color, Score};

/// What ends a game beside its rules and [`DrawRules`](crate::game::DrawRules); by default nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Adjudication {
    /// Whether a position that the endgame database has ends it.
    pub database: bool,
    /// A side has won when both players see it ahead by so much, and by more than nothing, for so long.
    pub win: Option<ScoreRule>,
    /// The game is drawn when both players see nobody ahead by more for so long.
    pub draw: Option<ScoreRule>,
}

/// What two players agree on, move after move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ScoreRule {
    /// A score in points of the game: discs in Othello, parts of a win (up to 1) in the mill games.
    pub points: f64,
    /// Moves of each side in a row.
    pub moves: u32,
}

/// A text that is no agreement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected points and a number of moves, as in 40:3 (or 0.95:4 in a mill game)")]
pub struct ParseScoreRuleError;

impl FromStr for ScoreRule {
    type Err = ParseScoreRuleError;

    fn from_str(text: &str) -> Result<Self, ParseScoreRuleError> {
        let (points, moves) = text.split_once(':').ok_or(ParseScoreRuleError)?;
        let points = points.parse().ok().filter(|points: &f64| points.is_finite() && *points >= 0.0);
        let moves = moves.parse().ok().filter(|&moves| moves > 0);
        points.zip(moves).map(|(points, moves)| Self { points, moves }).ok_or(ParseScoreRuleError)
    }
}

impl fmt::Display for ScoreRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.points, self.moves)
    }
}

/// The scores of one game that agree.
#[derive(Debug, Default)]
pub(super) struct ScoreStreaks {
    /// For Black ahead, White ahead, and neither: the moves in a row of each side that say so.
    streaks: [[u32; 2]; 3],
}

impl ScoreStreaks {
    /// Adds the score of a move, for the side that made it; `None` if it does not tell. Returns how the game is to be ended.
    pub fn add(&mut self, rules: &Adjudication, side: Color, score: Option<Score>) -> Option<Option<Color>> {
        let points = score.map(|score| score.points() * if side == Color::Black { 1.0 } else { -1.0 });
        let at_least = |agreement: Option<ScoreRule>, points: Option<f64>| {
            agreement.zip(points).is_some_and(|(agreement, points)| points >= agreement.points)
        };
        let holds = [
            at_least(rules.win, points.filter(|&points| points > 0.0)),
            at_least(rules.win, points.map(|points| -points).filter(|&points| points > 0.0)),
            rules.draw.zip(points).is_some_and(|(agreement, points)| points.abs() <= agreement.points),
        ];
        for (streak, holds) in self.streaks.iter_mut().zip(holds) {
            // A score that says something else ends what the other side has said, too.
            *streak = if holds { *streak } else { [0; 2] };
            streak[side.index()] += u32::from(holds);
        }
        let long = |streak: [u32; 2], agreement: Option<ScoreRule>| {
            agreement.is_some_and(|agreement| streak.iter().all(|&moves| moves >= agreement.moves))
        };
        let [black, white, neither] = self.streaks;
        match () {
            () if long(black, rules.win) => Some(Some(Color::Black)),
            () if long(white, rules.win) => Some(Some(Color::White)),
            () if long(neither, rules.draw) => Some(None),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Certainty;

    fn score(points: i32) -> Option<Score> {
        Some(Score { thousandths: points * 1000, certainty: Certainty::Heuristic, plies: None })
    }

    fn ends(rules: &Adjudication, scores: &[Option<Score>]) -> Option<(usize, Option<Color>)> {
        let mut seen = ScoreStreaks::default();
        let sides = [Color::Black, Color::White].into_iter().cycle();
        let mut moves = scores.iter().zip(sides).enumerate();
        moves.find_map(|(number, (&score, side))| seen.add(rules, side, score).map(|winner| (number, winner)))
    }

    #[test]
    fn requires_agreement_of_both_sides_for_enough_moves() {
        let rules = Adjudication { win: "10:2".parse().ok(), draw: "1:2".parse().ok(), ..Adjudication::default() };
        let (ahead, behind) = (score(12), score(-12));
        assert_eq!(ends(&rules, &[ahead, behind, ahead, behind, ahead]), Some((3, Some(Color::Black))));
        assert_eq!(ends(&rules, &[behind, ahead, behind, ahead]), Some((3, Some(Color::White))));
        assert_eq!(ends(&rules, &[ahead, ahead, ahead, ahead, ahead, ahead]), None);
        assert_eq!(
            ends(&rules, &[ahead, behind, score(9), behind, ahead, behind, ahead]),
            Some((6, Some(Color::Black)))
        );
        assert_eq!(ends(&rules, &[ahead, None, ahead, None, ahead, None]), None);
        assert_eq!(ends(&rules, &[score(0), score(1), score(-1), score(0)]), Some((3, None)));
        assert_eq!(ends(&Adjudication::default(), &[ahead, behind, ahead, behind]), None);
    }

    #[test]
    fn parses_score_rules() {
        assert_eq!("0.95:4".parse(), Ok(ScoreRule { points: 0.95, moves: 4 }));
        for text in ["", "5", "5:0", "-1:3", "x:1", "nan:2", "1:-1"] {
            assert_eq!(text.parse::<ScoreRule>(), Err(ParseScoreRuleError), "{text}");
        }
    }
}
