//! [`ExactSolveProgress`]: how far the work on one position is, while it is still under way.

use std::fmt;
use std::time::Duration;

use crate::game::{Bounds, Certainty, Report};

/// What is proved so far about the position of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExactSolveProgress {
    /// The number of the line in its input, from 1.
    pub line: u64,
    /// What is proved about the score.
    pub bounds: Bounds,
    /// Where several moves are asked for: those whose scores are proved, or as much of them as is asked, and all asked for.
    pub moves: Option<(usize, usize)>,
    /// The time since the work on the position began.
    pub time: Duration,
}

impl ExactSolveProgress {
    /// Sums up a report; `None` if nothing is proved yet.
    #[must_use]
    pub fn new(line: u64, report: &Report) -> Option<Self> {
        let asked = report.lines.len();
        let proved = report.lines.iter().filter(|line| line.score.certainty != Certainty::Heuristic).count();
        let moves = (asked > 1).then_some((proved, asked));
        let bounds = report.bounds;
        (bounds != Bounds::default()).then_some(Self { line, bounds, moves, time: report.time })
    }
}

impl fmt::Display for ExactSolveProgress {
    /// Writes, for example, `line 6: -4 to 10 after 12 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match (self.bounds.lower, self.bounds.upper) {
            (Some(lower), Some(upper)) if lower == upper => write!(f, "{lower}")?,
            (Some(lower), Some(upper)) => write!(f, "{lower} to {upper}")?,
            (Some(lower), None) => write!(f, "at least {lower}")?,
            (None, Some(upper)) => write!(f, "at most {upper}")?,
            (None, None) => write!(f, "nothing proved")?,
        }
        if let Some((proved, asked)) = self.moves {
            write!(f, ", {proved} of {asked} moves")?;
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
