//! [`Exercise`]: a position in which to find the best move.

use std::collections::BTreeMap;

use morello_core::game::{AnyMove, AnyPosition, Color, Line, Position as _};
use serde::{Deserialize, Serialize};

use super::{Difficulty, MoveLoss, Theme};

/// A position in which to find the best move. An exercise file has one exercise per line.
///
/// ```
/// use morello::analysis::Exercise;
/// use morello::game::{EngineOptions, Limits, Position as _};
/// use morello::games;
///
/// let othello = games::get("othello-4x4")?;
/// let game = othello.random_game(1, 4);
/// let report = othello.searcher(&EngineOptions::new(1 << 20))?.best(&game, &Limits::exact().with_lines(usize::MAX));
/// let exercise = Exercise::new(game.position(), &report.lines).expect("the game is not over");
/// assert_eq!(exercise.values.len(), game.position().legal_moves().count());
/// assert_eq!(exercise.loss(&exercise.best[0]), Some(0.0));
/// let line = serde_json::to_string(&exercise)?;
/// assert!(line.starts_with("{\"game\":\"othello-4x4\",\"start\":\""));
/// assert_eq!(serde_json::from_str::<Exercise>(&line)?, exercise);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Exercise {
    /// The name of the game.
    pub game: String,
    /// The position, as text.
    pub start: String,
    /// The side to move.
    pub side: Color,
    /// The moves that count as right, the best first.
    pub best: Vec<String>,
    /// The scores of the moves in points, for the side to move; empty if only the result of the
    /// position is known.
    #[serde(default)]
    pub values: BTreeMap<String, f64>,
    /// The result that the right moves keep, `win` or `draw`, if known.
    #[serde(default)]
    pub outcome: Option<String>,
    /// The move that was played in the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// How hard it is to find the best move, if measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// What is special about the best move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<Theme>,
    /// Where the position comes from, such as the players and the ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Exercise {
    /// Returns the exercise for a position. `lines` are its scored moves, the best first; without
    /// lines the result is `None`. The best moves count as right, and so do moves that lose less
    /// than an inaccuracy.
    #[must_use]
    pub fn new(position: &AnyPosition, lines: &[Line]) -> Option<Self> {
        let best = lines.first()?.score.points();
        let scored = || lines.iter().filter_map(|line| Some((line.pv.first()?, line.score.points())));
        let is_right = |points| MoveLoss::new(position, best, points).severity().is_none();
        let right = scored().filter(|&(_, points)| is_right(points)).map(|(&m, _)| m);
        Some(Self {
            values: scored().map(|(m, points)| (m.to_string(), points)).collect(),
            ..Self::of_moves(position, right)
        })
        .filter(|exercise| !exercise.best.is_empty())
    }

    /// Returns the exercise for a position in which exactly these moves keep a result, `win` or
    /// `draw`.
    #[must_use]
    pub fn of_result(position: &AnyPosition, moves: &[AnyMove], outcome: &str) -> Self {
        Self { outcome: Some(outcome.to_owned()), ..Self::of_moves(position, moves.iter().copied()) }
    }

    pub(super) fn of_moves(position: &AnyPosition, best: impl IntoIterator<Item = AnyMove>) -> Self {
        let best: Vec<_> = best.into_iter().collect();
        Self {
            game: position.game().name().to_owned(),
            start: position.to_string(),
            side: position.side_to_move(),
            themes: best.first().map_or_else(Vec::new, |&m| Theme::of_move(position, m)),
            best: best.iter().map(ToString::to_string).collect(),
            values: BTreeMap::new(),
            outcome: None,
            played: None,
            difficulty: None,
            source: None,
        }
    }

    /// Returns whether a move counts as right.
    #[must_use]
    pub fn is_right(&self, m: &str) -> bool {
        self.best.iter().any(|best| best == m)
    }

    /// Returns by how many points a move is worse than the best one, if its score is known.
    #[must_use]
    pub fn loss(&self, m: &str) -> Option<f64> {
        Some((self.values.get(self.best.first()?)? - self.values.get(m)?).max(0.0))
    }
}
