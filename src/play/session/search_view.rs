//! [`SearchView`]: the result of a search, for display.

use morello_core::game::{Certainty, Color, Game, Position as _, Report, Score, Scoring, result_name};
use serde::Serialize;

/// The result of a search so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SearchView {
    /// The side to move. Scores are from its point of view.
    pub side: Color,
    /// The lines, best first. If the game is over, one line without moves.
    pub lines: Vec<LineView>,
    /// The depth of the last completed iteration, in plies.
    pub depth: u32,
    /// The confidence of selective pruning in that iteration, in percent; 100 without pruning.
    pub confidence: u32,
    /// The number of nodes visited.
    pub nodes: u64,
    /// The time taken, in milliseconds.
    pub time_ms: u64,
    /// Where the result comes from: `search`, `book` or `table` (the endgame database).
    pub source: &'static str,
    /// A remark on the result.
    pub note: Option<&'static str>,
}

/// A line of play.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LineView {
    /// The score of the first move.
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
    /// Whether it is proved to be the result of best play.
    pub exact: bool,
    /// The number of plies to the end of the game, if known.
    pub plies: Option<u32>,
    /// The score as short text: `+4`, `≥ +2`, `+1.3`, `win in 13 plies`, `draw`.
    pub text: String,
}

impl SearchView {
    /// Describes a report on the current position of a game.
    ///
    /// ```
    /// use morello::game::{EngineOptions, Game, Limits};
    /// use morello::games;
    /// use morello::session::SearchView;
    ///
    /// let othello = games::get("othello-4x4")?;
    /// let game = Game::new(othello.start());
    /// let report = othello.searcher(&EngineOptions::new(1 << 20))?.best(&game, &Limits::exact());
    /// let view = SearchView::new(&game, &report);
    /// assert_eq!((view.lines[0].score.points, view.lines[0].score.exact), (-10.0, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &Game, report: &Report) -> Self {
        let scoring = game.position().game().info().scoring;
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
            source: report.source.name(),
            note: report.note,
        }
    }

    /// Returns the best move; `None` if the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<&str> {
        self.lines.first()?.moves.first().map(String::as_str)
    }
}

impl ScoreView {
    /// Describes a score in a game with this kind of scoring.
    ///
    /// ```
    /// use morello::game::{Certainty, Score, Scoring};
    /// use morello::session::ScoreView;
    ///
    /// let text = |score| ScoreView::new(score, Scoring::Margin).text;
    /// assert_eq!(text(Score::exact(4)), "+4");
    /// assert_eq!(text(Score::of(2, Certainty::AtLeast)), "≥ +2");
    /// ```
    #[must_use]
    pub fn new(score: Score, scoring: Scoring) -> Self {
        let points = score.points();
        let estimate = |decimals: usize| {
            let text = format!("{points:+.decimals$}");
            // Write zero without a sign.
            if text.trim_matches(['+', '-', '0', '.']).is_empty() { text[1..].to_owned() } else { text }
        };
        let with_plies = |word: &str| match score.plies {
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
                (0, Certainty::AtLeast) => "draw or win".to_owned(),
                (0, Certainty::AtMost) => "draw or loss".to_owned(),
                (sign, _) => with_plies(result_name(sign.cmp(&0))),
            },
        };
        Self { points, exact: score.is_exact(), plies: score.plies, text }
    }
}
