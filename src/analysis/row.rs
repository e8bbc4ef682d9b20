//! [`AnalysisRow`]: the analysis of one position, and its comparison with the expected result.

use std::sync::Arc;

use morello_core::game::{
    AnnotatedPosition, AnyMove, AnyPosition, Certainty, LineFormat, Report, Score, comment, result_name,
};
use morello_core::printable::in_a_line;

use super::{GameContext, MoveLoss, RowError, RowOrigin};

/// The result for one position or bad line of the input.
///
/// See the [module](crate) for an example.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AnalysisRow {
    /// The record.
    pub origin: Arc<RowOrigin>,
    /// The place in a game, if the position is part of one.
    pub game_context: Option<GameContext>,
    /// The loss of the move played in the game compared with the best move; `None` if unknown.
    pub loss: Option<MoveLoss>,
    /// By how many plies the played move delays a proved win, or hastens a proved loss, compared
    /// with the best move; 0 or more. `None` if unknown, or if the move changed the result.
    pub plies_lost: Option<u32>,
    /// The analysis, or the error in the line.
    pub result: Result<Analysis, RowError>,
}

/// The analysis of a position.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Analysis {
    /// The position.
    pub position: AnyPosition,
    /// The report of the search; lines after the first have only one move.
    pub report: Report,
    /// The time of the search in milliseconds; `None` in deterministic runs.
    pub time_ms: Option<f64>,
    /// The expected score and moves of the line, if it has any.
    pub expectation: Option<Expectation>,
}

/// The expected result of a position, compared with the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Expectation {
    /// The highest expected score, in points for the side to move.
    pub score: i32,
    /// Whether the chosen move is among the moves with the highest expected score. If the score is
    /// a bound: whether the expected score of the move is compatible with the bound. `None` if the
    /// line names no move with the highest score.
    pub move_agrees: Option<bool>,
    /// Whether the score of the position equals the highest expected score, or is a bound
    /// compatible with it. Estimates are compared like proved scores, without tolerance.
    pub score_agrees: bool,
    /// Whether a proved result contradicts the expectation: the bounds exclude the highest expected
    /// score, or the proved score of a move differs from its expected score.
    pub contradicted: bool,
}

impl Analysis {
    /// Combines a report with the expected result of the line. The row includes the time if
    /// `timed`.
    ///
    /// ```
    /// use morello::analysis::Analysis;
    /// use morello::game::{AnnotatedPosition, EngineOptions, Game, Limits};
    /// use morello::games;
    ///
    /// let othello = games::get("othello-4x4")?;
    /// let start = othello.start();
    /// let report = othello.searcher(&EngineOptions::new(1 << 20))?.best(&Game::new(start), &Limits::exact());
    /// // The line of an input expects that the first player wins by 2.
    /// let entry = AnnotatedPosition { expected: vec![(None, 2)], ..start.into() };
    /// let analysis = Analysis::new(report, &entry, false);
    /// assert_eq!(analysis.score_agrees(), Some(false));
    /// assert!(analysis.is_refuted());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(mut report: Report, entry: &AnnotatedPosition, timed: bool) -> Self {
        let expectation = Expectation::new(&report, entry);
        // Only the first moves are used, and dropping the rest saves memory while rows wait.
        for line in report.lines.iter_mut().skip(1) {
            line.pv.truncate(1);
            line.pv.shrink_to_fit();
        }
        let time_ms = timed.then(|| report.time.as_micros() as f64 / 1000.0);
        Self { position: entry.position, report, time_ms, expectation }
    }

    /// Returns the score for the side to move.
    #[must_use]
    pub fn score(&self) -> Score {
        self.report.best().score
    }

    /// Returns whether the chosen move is one of the best expected moves and no proved result
    /// contradicts the line. In particular, an exact score then equals the expected score.
    ///
    /// `None` if the line names no best move.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        let expectation = self.expectation?;
        expectation.move_agrees.map(|agrees| agrees && !expectation.contradicted)
    }

    /// Returns whether the score is the highest expected score, or a bound compatible with it;
    /// `None` if the line has no score.
    #[must_use]
    pub fn score_agrees(&self) -> Option<bool> {
        self.expectation.map(|expectation| expectation.score_agrees)
    }

    /// Returns whether a proved result contradicts the line: a score, a bound, or the move that
    /// goes with an exact score.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.expectation.is_some_and(|e| e.contradicted || self.score().is_exact() && e.move_agrees == Some(false))
    }

    /// Returns the proved outcome for the side to move: `win`, `draw` or `loss`.
    #[must_use]
    pub fn outcome(&self) -> Option<&'static str> {
        self.report.bounds.sign().map(result_name)
    }
}

impl Expectation {
    /// Compares a report with the expected result of a line; `None` if the line has no expected
    /// result.
    fn new(report: &Report, entry: &AnnotatedPosition) -> Option<Self> {
        let score = entry.best_score()?;
        let contradicts = |m: Option<AnyMove>, found: Score| {
            let expected = entry.expected.iter().find(|&&(expected, _)| expected == m);
            expected.is_some_and(|&(_, points)| match found.certainty {
                Certainty::Exact => found.thousandths != points * Score::POINT,
                Certainty::AtLeast => found.thousandths > points * Score::POINT,
                Certainty::AtMost => found.thousandths < points * Score::POINT,
                Certainty::Heuristic => false,
            })
        };
        let wrong_move = report.lines.iter().any(|line| contradicts(line.pv.first().copied(), line.score));
        let best = report.best().score;
        let names_move = entry.expected.iter().any(|&(m, points)| m.is_some() && points == score);
        let move_agrees =
            || entry.is_best(report.best_move()) || best.is_bound() && !contradicts(report.best_move(), best);
        let is_compatible = best.is_bound() && report.bounds.contains(score);
        Some(Self {
            score,
            move_agrees: names_move.then(move_agrees),
            score_agrees: best.thousandths == score * Score::POINT || is_compatible,
            contradicted: wrong_move || !report.bounds.contains(score),
        })
    }
}

impl AnalysisRow {
    /// Returns the position in the game's notation, or the text of a bad line.
    #[must_use]
    pub fn position(&self) -> String {
        self.result.as_ref().map_or_else(|error| error.text.clone(), |analysis| analysis.position.to_string())
    }

    /// Returns the number of empty squares, in games that count them.
    #[must_use]
    pub fn empty_count(&self) -> Option<u32> {
        self.result.as_ref().ok()?.position.empty_count()
    }

    /// Writes the row as a line of a format for scored positions, such as OBF. A bad line becomes a
    /// comment.
    ///
    /// ```
    /// use morello::analysis::{self, AnalysisOptions};
    /// use morello::game::Limits;
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    ///
    /// let othello = games::get("othello-4x4")?;
    /// let obf = othello.formats().iter().find(|format| format.has_scores()).expect("Othello has OBF");
    /// let reader = Reader::of(othello, Input::Text("-----OX--XO----- X".to_owned()))?;
    /// let rows = analysis::rows(reader, &AnalysisOptions::new(Limits::exact()))?;
    /// assert_eq!(rows[0].to_line(obf), "-----OX--XO----- X; B1:-10;");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_line(&self, format: &LineFormat) -> String {
        match &self.result {
            Ok(analysis) => format.write_scored(&analysis.position, &analysis.report),
            Err(error) => comment(&in_a_line(&format!("{error}: {}", error.text))),
        }
    }

    /// Returns whether the row counts as a failure: the line is bad, or a proved result contradicts
    /// it.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.result.as_ref().map_or(true, Analysis::is_refuted)
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::{Bounds, Line, ParsedRecord, Position as _};

    use super::super::tests::{othello4, report, row};
    use super::*;

    /// Compares lines of play on the 4x4 start, given by their first moves, with the expected
    /// scores in `fields`. Returns `agrees` and `is_refuted`.
    fn compare(lines: &[(&str, i32, Certainty)], bounds: Bounds, fields: &str) -> (bool, bool) {
        let analysis = analysis(lines, bounds, fields);
        (analysis.agrees().unwrap(), analysis.is_refuted())
    }

    fn analysis(lines: &[(&str, i32, Certainty)], bounds: Bounds, fields: &str) -> Analysis {
        let line = format!("-----OX--XO----- X; {fields}");
        let Ok(ParsedRecord::Position(entry)) = (othello4().format_of(&line).parse)(&line) else { panic!("{line}") };
        let line = |&(m, points, certainty): &(&str, i32, Certainty)| Line {
            score: Score::of(points, certainty),
            pv: vec![entry.position.parse_move(m).unwrap()],
        };
        let report = report(lines.iter().map(line).collect(), bounds);
        Analysis::new(report, &entry, false)
    }

    #[test]
    fn compares_only_proved_scores_with_the_expectation() {
        use Certainty::{AtLeast, AtMost, Exact, Heuristic};
        let one = |m, points, certainty| {
            let bounds = Score::of(points, certainty).bounds();
            compare(&[(m, points, certainty)], bounds, "a2:+2; b1:+2; c4:-4;")
        };
        let (fine, wrong, other) = ((true, false), (false, true), (false, false));
        assert_eq!(one("a2", 2, Exact), fine);
        assert_eq!(one("a2", 4, Exact), wrong);
        assert_eq!(one("d3", 2, Exact), wrong);
        assert_eq!(one("a2", 4, Heuristic), fine);
        assert_eq!(one("c4", 2, Heuristic), other);
        // A bound agrees with any move whose expected score is compatible with it.
        assert_eq!(one("a2", 2, AtLeast), fine);
        assert_eq!(one("d3", 2, AtLeast), fine);
        assert_eq!(one("c4", 2, AtLeast), wrong);
        assert_eq!(one("a2", 4, AtLeast), wrong);
        assert_eq!(one("c4", 2, AtMost), fine);
        assert_eq!(one("c4", 0, AtMost), wrong);
        // Bounds of an interrupted search are proved.
        let bounds = Bounds { lower: None, upper: Some(0) };
        assert_eq!(compare(&[("a2", 0, Heuristic)], bounds, "a2:+2;"), wrong);
    }

    #[test]
    fn a_line_without_a_move_is_compared_by_its_score_alone() {
        use Certainty::{AtLeast, Exact, Heuristic};
        let of = |points, certainty, bounds, fields| {
            let analysis = analysis(&[("d3", points, certainty)], bounds, fields);
            (analysis.agrees(), analysis.score_agrees(), analysis.is_refuted())
        };
        assert_eq!(of(2, Exact, Bounds::exact(2), "+2;"), (None, Some(true), false));
        assert_eq!(of(2, Exact, Bounds::exact(2), "+4;"), (None, Some(false), true));
        assert_eq!(of(2, Heuristic, Bounds::default(), "+4;"), (None, Some(false), false));
        assert_eq!(of(2, AtLeast, Score::of(2, AtLeast).bounds(), "+4;"), (None, Some(true), false));
        assert_eq!(of(2, AtLeast, Score::of(2, AtLeast).bounds(), "+0;"), (None, Some(false), true));
        // A named move agrees although the estimate of its score differs.
        assert_eq!(of(2, Heuristic, Bounds::default(), "d3:+4;"), (Some(true), Some(false), false));
        assert_eq!(of(2, Heuristic, Bounds::default(), ""), (None, None, false));
    }

    #[test]
    fn compares_each_scored_move_with_its_line() {
        use Certainty::{AtMost, Exact, Heuristic};
        let fields = "a2:+2; b1:+0; c4:-4;";
        let compare =
            |second, certainty| compare(&[("a2", 2, Exact), ("c4", second, certainty)], Bounds::exact(2), fields);
        assert_eq!(compare(-4, Exact), (true, false));
        assert_eq!(compare(-2, Exact), (false, true));
        assert_eq!(compare(-2, Heuristic), (true, false));
        assert_eq!(compare(-2, AtMost), (true, false));
        assert_eq!(compare(-6, AtMost), (false, true));
    }

    /// Writes scores of moves of the 4x4 start as OBF.
    fn obf(scores: &[(&str, f64, Certainty)]) -> String {
        let position = othello4().start();
        let line = |&(m, points, certainty): &(&str, f64, Certainty)| Line {
            score: Score { thousandths: (points * 1000.0) as i32, certainty, plies: None },
            pv: vec![position.parse_move(m).unwrap()],
        };
        let report = report(scores.iter().map(line).collect(), Bounds::default());
        let row = AnalysisRow {
            result: Ok(Analysis::new(report, &position.into(), false)),
            ..row(othello4(), Score::exact(0))
        };
        row.to_line(othello4().format_of(";"))
    }

    #[test]
    fn obf_rounds_scores_and_marks_unproved_ones() {
        use Certainty::{AtLeast, AtMost, Exact, Heuristic};
        let start = "-----OX--XO----- X;";
        assert_eq!(obf(&[("a2", -8.0, Exact)]), format!("{start} A2:-8;"));
        assert_eq!(obf(&[("a2", 1.4, Heuristic)]), format!("{start} A2:+1; % an estimate at depth 9"));
        assert_eq!(obf(&[("a2", 2.0, AtLeast)]), format!("{start} % A2:>=+2"));
        assert_eq!(obf(&[("a2", -2.0, AtMost)]), format!("{start} % A2:<=-2"));
        assert_eq!(
            obf(&[("a2", 2.0, Exact), ("b1", 0.0, AtLeast), ("c4", -2.5, Heuristic)]),
            format!("{start} A2:+2; C4:-3; % B1:>=+0 an estimate at depth 9")
        );
        let over = othello4().parse_position("XXXXXXXXXXXXXXOO X").unwrap();
        let report = report(vec![Line { score: Score::exact(12), pv: Vec::new() }], Bounds::exact(12));
        let over =
            AnalysisRow { result: Ok(Analysis::new(report, &over.into(), false)), ..row(othello4(), Score::exact(0)) };
        assert_eq!(over.to_line(othello4().format_of(";")), "XXXXXXXXXXXXXXOO X; +12;");
    }

    #[test]
    fn obf_writes_a_bad_line_as_a_comment() {
        let error = RowError { text: "f5\nxx".into(), line: 2, column: 1, problem: "not a move: `xx`".into() };
        let row = AnalysisRow { result: Err(error), ..row(othello4(), Score::exact(0)) };
        assert_eq!(row.to_line(othello4().format_of(";")), "% line 2, column 1: not a move: `xx`: f5 xx");
    }
}
