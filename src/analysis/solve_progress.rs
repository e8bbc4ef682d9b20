//! [`ExactSolveProgress`]: the progress of solving a position.

use std::fmt;
use std::time::Duration;

use morello_core::game::{Bounds, Certainty, Report};

/// The bounds proved so far for a position of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ExactSolveProgress {
    /// The line number in the input, from 1.
    pub line: u64,
    /// The proved bounds of the score.
    pub bounds: Bounds,
    /// If several moves are requested: the number of moves with a proved score or bound, and the
    /// number of moves requested.
    pub moves: Option<(usize, usize)>,
    /// The time since the search of the position began.
    pub time: Duration,
}

impl ExactSolveProgress {
    /// Summarizes a report; `None` if nothing is proved yet.
    ///
    /// ```
    /// use morello::analysis::ExactSolveProgress;
    /// use morello::game::{EngineOptions, Game, Limits};
    /// use morello::games;
    ///
    /// let othello = games::get("othello-4x4")?;
    /// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&Game::new(othello.start()), &Limits::exact());
    /// let progress = ExactSolveProgress::new(7, &report).expect("the score is proved");
    /// assert_eq!((progress.bounds.lower, progress.bounds.upper), (Some(-10), Some(-10)));
    /// assert!(progress.to_string().starts_with("line 7: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(line: u64, report: &Report) -> Option<Self> {
        let requested = report.lines.len();
        let proved = report.lines.iter().filter(|line| line.score.certainty != Certainty::Heuristic).count();
        let moves = (requested > 1).then_some((proved, requested));
        let bounds = report.bounds;
        (bounds != Bounds::default()).then_some(Self { line, bounds, moves, time: report.time })
    }
}

impl fmt::Display for ExactSolveProgress {
    /// For example `line 6: -4 to 10 after 12 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match (self.bounds.lower, self.bounds.upper) {
            (Some(lower), Some(upper)) if lower == upper => write!(f, "{lower}")?,
            (Some(lower), Some(upper)) => write!(f, "{lower} to {upper}")?,
            (Some(lower), None) => write!(f, "at least {lower}")?,
            (None, Some(upper)) => write!(f, "at most {upper}")?,
            (None, None) => write!(f, "nothing proved")?,
        }
        if let Some((proved, requested)) = self.moves {
            write!(f, ", {proved} of {requested} moves")?;
        }
        write!(f, " after {} s", self.time.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_bounds_and_time() {
        let text = |lower, upper, moves| {
            let time = Duration::from_millis(12_300);
            ExactSolveProgress { line: 6, bounds: Bounds { lower, upper }, moves, time }.to_string()
        };
        assert_eq!(text(Some(-4), Some(10), None), "line 6: -4 to 10 after 12 s");
        assert_eq!(text(Some(-4), None, None), "line 6: at least -4 after 12 s");
        assert_eq!(text(None, Some(10), Some((0, 3))), "line 6: at most 10, 0 of 3 moves after 12 s");
        assert_eq!(text(Some(2), Some(2), Some((1, 3))), "line 6: 2, 1 of 3 moves after 12 s");
    }
}
