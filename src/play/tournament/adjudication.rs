//! [`Adjudication`]: ends games early if their result is clear.

use std::fmt;
use std::str::FromStr;

use morello_core::game::{Color, Score};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Conditions that end a game early, in addition to its rules and
/// [`DrawRules`](morello_core::game::DrawRules). By default there are none.
///
/// ```
/// use morello::game::DrawRules;
/// use morello::tournament::{Adjudication, MatchRules, ScoreRule};
///
/// let adjudication = Adjudication { win: Some("40:3".parse()?), ..Adjudication::default() };
/// assert_eq!(adjudication.win, Some(ScoreRule { points: 40.0, moves: 3 }));
/// let rules = MatchRules { adjudication, ..MatchRules::new(DrawRules::default()) };
/// assert!(!rules.adjudication.database);
/// # Ok::<(), morello::tournament::ParseScoreRuleError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Whether a position in the endgame database ends the game.
    pub database: bool,
    /// A side wins when both players score it ahead by at least `points`, and by more than 0, for
    /// `moves` moves.
    pub win: Option<ScoreRule>,
    /// The game is drawn when both players' scores are at most `points` for either side, for
    /// `moves` moves.
    pub draw: Option<ScoreRule>,
}

/// A score on which both players must agree for a number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoreRule {
    /// A score in points of the game: discs in Othello, fractions of a win (up to 1) in the mill
    /// games.
    pub points: f64,
    /// The number of consecutive moves by each side.
    pub moves: u32,
}

/// An invalid [`ScoreRule`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected POINTS:MOVES, such as 40:3 (or 0.95:4 in a mill game)")]
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

/// Counts consecutive moves of one game whose scores agree.
#[derive(Debug, Default)]
pub(super) struct ScoreStreaks {
    /// For "Black ahead", "White ahead" and "draw": the number of consecutive moves by each side
    /// with such a score.
    streaks: [[u32; 2]; 3],
}

impl ScoreStreaks {
    /// Adds the score of a move for the side that made it; `None` if the player reports none. If
    /// this ends the game, returns the winner, or `Some(None)` for a draw.
    pub fn add(&mut self, rules: &Adjudication, side: Color, score: Option<Score>) -> Option<Option<Color>> {
        let points = score.map(|score| score.points() * if side == Color::Black { 1.0 } else { -1.0 });
        let at_least = |rule: Option<ScoreRule>, points: Option<f64>| {
            rule.zip(points).is_some_and(|(rule, points)| points >= rule.points)
        };
        let holds = [
            at_least(rules.win, points.filter(|&points| points > 0.0)),
            at_least(rules.win, points.map(|points| -points).filter(|&points| points > 0.0)),
            rules.draw.zip(points).is_some_and(|(rule, points)| points.abs() <= rule.points),
        ];
        for (streak, holds) in self.streaks.iter_mut().zip(holds) {
            // A score that disagrees ends the streaks of both sides.
            *streak = if holds { *streak } else { [0; 2] };
            streak[side.index()] += u32::from(holds);
        }
        let is_reached = |streak: [u32; 2], rule: Option<ScoreRule>| {
            rule.is_some_and(|rule| streak.iter().all(|&moves| moves >= rule.moves))
        };
        let [black, white, neither] = self.streaks;
        match () {
            () if is_reached(black, rules.win) => Some(Some(Color::Black)),
            () if is_reached(white, rules.win) => Some(Some(Color::White)),
            () if is_reached(neither, rules.draw) => Some(None),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::Certainty;

    use super::*;

    fn score(points: i32) -> Option<Score> {
        Some(Score { thousandths: points * 1000, certainty: Certainty::Heuristic, plies: None })
    }

    fn ends(rules: &Adjudication, scores: &[Option<Score>]) -> Option<(usize, Option<Color>)> {
        let mut streaks = ScoreStreaks::default();
        let sides = [Color::Black, Color::White].into_iter().cycle();
        let mut moves = scores.iter().zip(sides).enumerate();
        moves.find_map(|(number, (&score, side))| streaks.add(rules, side, score).map(|winner| (number, winner)))
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
