//! [`Thought`]: what a search found, for people.

use serde::Serialize;

use crate::game::{Certainty, Color, Game, Position as _, Report, Score, Scoring};

/// What a search found so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SearchView {
    /// The side to move, whose scores these are.
    pub side: Color,
    /// The best lines, the best first; one without moves where the game is over.
    pub lines: Vec<LineView>,
    /// The depth of the last iteration that was completed, in plies.
    pub depth: u32,
    /// How sure that iteration was of what it left out, in percent.
    pub confidence: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The time taken, in milliseconds.
    pub time_ms: u64,
    /// What else there is to say.
    pub note: Option<&'static str>,
}

/// A line of play.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LineView {
    /// What its first move is worth.
    pub score: ScoreView,
    /// The moves.
    pub moves: Vec<String>,
}

/// A score for the side to move.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ScoreView {
    /// The points.
    pub points: f64,
    /// Whether it is proved to be the result under best play.
    pub exact: bool,
    /// The plies to the end of the game, where the score is proved and they are known.
    pub plies: Option<u32>,
    /// All this in a few letters, without words where points say it: `+4`, `≥ +2`, `+1.3`, `win in 13 plies`, `draw`.
    pub text: String,
}

impl SearchView {
    pub(super) fn new(game: &Game, report: &Report) -> Self {
        let scoring = game.position().game().scoring();
        let lines = report.lines.iter().map(|line| LineView {
            score: ScoreView::new(line.score, scoring),
            moves: line.pv.iter().map(ToString::to_string).collect(),
        });
        Self {
            side: game.position().side_to_move(),
            lines: lines.collect(),
            depth: report.depth,
            confidence: report.confidence.percent(),
            nodes: report.nodes,
            time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            note: report.note,
        }
    }

    /// Returns the best move; `None` where the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<&str> {
        self.lines.first()?.moves.first().map(String::as_str)
    }
}

impl ScoreView {
    /// Puts a score of a game that is scored so in words.
    #[must_use]
    pub fn new(score: Score, scoring: Scoring) -> Self {
        let points = score.points();
        let estimate = |decimals: usize| {
            let text = format!("{points:+.decimals$}");
            // No sign before a zero.
            if text.trim_matches(['+', '-', '0', '.']).is_empty() { text[1..].to_owned() } else { text }
        };
        let whole = |word: &str| match score.plies {
            Some(plies) => format!("{word} in {plies} {}", if plies == 1 { "ply" } else { "plies" }),
            None => word.to_owned(),
        };
        let text = match (scoring, score.certainty) {
            (Scoring::Margin, Certainty::Exact) => estimate(0),
            (Scoring::Margin, Certainty::AtLeast) => format!("≥ {}", estimate(0)),
            (Scoring::Margin, Certainty::AtMost) => format!("≤ {}", estimate(0)),
            (Scoring::Margin, Certainty::Heuristic) => estimate(1),
            (Scoring::Distance, Certainty::Heuristic) => estimate(2),
            (Scoring::Distance, certainty) => match (score.thousandths.signum(), certainty) {
                (1, _) => whole("win"),
                (-1, _) => whole("loss"),
                (_, Certainty::AtLeast) => "draw or win".to_owned(),
                (_, Certainty::AtMost) => "draw or loss".to_owned(),
                _ => "draw".to_owned(),
            },
        };
        Self { points, exact: score.is_exact(), plies: score.plies, text }
    }
}
