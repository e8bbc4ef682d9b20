//! [`Row`]: what the analysis says of one line, and the fields by which it is written.

use std::sync::Arc;

use crate::game::{Entry, Position, Report, Score, Scoring};
use crate::output::{Field, Value};

/// How much of a variation a table shows, in characters.
const PV_WIDTH: usize = 23;

/// The result of one line. It is the same type for every game: moves and positions are texts here.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name of the input: the path as given, or `-`.
    pub file: Arc<str>,
    /// The number of the line, from 1.
    pub line: u64,
    /// The bytes of all inputs that were read up to the end of the line; not among the fields.
    pub bytes_read: u64,
    /// The position as the game writes it; of a bad line the line as it stands.
    pub position: String,
    /// What was found, or what is wrong with the line.
    pub result: Result<Analysis, RowError>,
}

/// What was found about a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The principal variation, the best move first; empty where the game is over.
    pub pv: Vec<String>,
    /// The score for the side to move.
    pub score: Score,
    /// The last depth completed, in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The time of the search in milliseconds; `None` where results must repeat to the byte.
    pub time_ms: Option<f64>,
    /// What the line expected, if anything.
    pub expectation: Option<Expectation>,
}

/// What a line expected of its position, and whether the move chosen is among the best of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expectation {
    /// The highest score expected, in points for the side to move.
    pub score: i32,
    /// Whether the move chosen is one of those expected with that score.
    pub move_agrees: bool,
}

/// What is wrong with a line, and where; in words, for a row is data and no longer an error of any type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: String,
}

impl Analysis {
    /// Puts a report into texts, beside what the line expected.
    #[must_use]
    pub fn new<P: Position>(report: &Report<P>, entry: &Entry<P>, timed: bool) -> Self {
        let expectation = entry.best_score().map(|score| {
            let move_agrees = entry.is_best(report.best_move());
            Expectation { score, move_agrees }
        });
        Self {
            pv: report.best.pv.iter().map(ToString::to_string).collect(),
            score: report.best.score,
            depth: report.depth,
            nodes: report.nodes,
            time_ms: timed.then(|| report.time.as_micros() as f64 / 1000.0),
            expectation,
        }
    }

    /// Returns whether the move chosen is one of the best expected and, where the score is exact, the score is the expected one too.
    ///
    /// `None` where nothing is expected.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        self.expectation.map(|expectation| {
            let score_agrees = self.score.thousandths == expectation.score * Score::POINT;
            expectation.move_agrees && (score_agrees || !self.score.is_exact())
        })
    }

    /// Returns the proved outcome for the side to move.
    #[must_use]
    pub fn outcome(&self) -> Option<&'static str> {
        self.score.is_exact().then(|| match self.score.thousandths.signum() {
            1 => "win",
            0 => "draw",
            _ => "loss",
        })
    }

    fn score_value(&self) -> Value {
        if self.score.is_exact() && self.score.thousandths % Score::POINT == 0 {
            (self.score.thousandths / Score::POINT).into()
        } else {
            self.score.points().into()
        }
    }
}

impl Row {
    /// Returns the fields of the rows of games with this scoring: `outcome` and `plies` say something only where the moment of a win
    /// counts.
    ///
    /// `file_width` is the width of the longest name among the inputs.
    #[must_use]
    pub fn fields(scoring: Scoring, file_width: usize) -> Vec<Field<Self>> {
        type Named = Field<Row>;
        let mut fields = vec![
            Named::text("file", |row| (&*row.file).into()).width(file_width),
            Named::number("line", |row| row.line.into()),
            Named::text("position", |row| row.position.as_str().into()).not_in_table(),
            Named::text("best_move", |row| row.of(|a| a.pv.first().map(String::as_str).into())),
            Named::number("score", |row| row.of(Analysis::score_value)).width(7),
            Named::text("exact", |row| row.of(|a| a.score.is_exact().into())),
        ];
        if scoring == Scoring::Distance {
            fields.push(Named::text("outcome", |row| row.of(|a| a.outcome().into())));
            fields.push(Named::number("plies", |row| row.of(|a| a.score.plies.into())));
        }
        fields.extend([
            Named::number("depth", |row| row.of(|a| a.depth.into())),
            Named::number("nodes", |row| row.of(|a| a.nodes.into())).width(11),
            Named::number("time_ms", |row| row.of(|a| a.time_ms.into())).width(9),
            Named::text("pv", |row| row.of(|a| a.pv.join(" ").into())).excerpt(PV_WIDTH),
            Named::number("expected_score", |row| row.of(|a| a.expectation.map(|e| e.score).into())),
            Named::text("agrees", |row| row.of(|a| a.agrees().into())),
            Named::text("error", |row| row.error().into()),
        ]);
        fields
    }

    fn of(&self, value: impl FnOnce(&Analysis) -> Value) -> Value {
        self.result.as_ref().map_or(Value::Null, value)
    }

    /// Returns what is wrong with the line, with its number and the column.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let error = self.result.as_ref().err()?;
        Some(format!("line {}, column {}: {}", self.line, error.column, error.problem))
    }

    /// Returns whether the row speaks against the input: the line is bad, or its proved result is not the expected one.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match &self.result {
            Ok(analysis) => analysis.score.is_exact() && analysis.agrees() == Some(false),
            Err(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Certainty;
    use crate::output::{Format, Output};

    fn row(thousandths: i32, certainty: Certainty, plies: Option<u32>, expectation: Option<Expectation>) -> Row {
        let pv = vec!["d2".to_owned(), "d6xf4".to_owned()];
        let score = Score { thousandths, certainty, plies };
        let analysis = Analysis { pv, score, depth: 9, nodes: 7, time_ms: None, expectation };
        Row { file: "f".into(), line: 3, bytes_read: 0, position: "p".into(), result: Ok(analysis) }
    }

    #[test]
    fn outcome_and_plies_are_told_where_the_moment_of_a_win_counts() {
        let mut text = Vec::new();
        let mut output = Output::new(Format::Csv, Row::fields(Scoring::Distance, 1), &mut text).unwrap();
        output.write(&row(-1000, Certainty::Exact, Some(8), None)).unwrap();
        output.write(&row(0, Certainty::Exact, None, None)).unwrap();
        output.write(&row(125, Certainty::Heuristic, None, None)).unwrap();
        output.flush().unwrap();
        drop(output);
        let head =
            "file,line,position,best_move,score,exact,outcome,plies,depth,nodes,time_ms,pv,expected_score,agrees,error";
        let rows = ["-1,true,loss,8,", "0,true,draw,,", "0.125,false,,,"];
        let rows = rows.map(|row| format!("f,3,p,d2,{row}9,7,,d2 d6xf4,,,\n"));
        assert_eq!(String::from_utf8(text).unwrap(), format!("{head}\n{}", rows.concat()));
        assert_eq!(Row::fields(Scoring::Margin, 1).len(), Row::fields(Scoring::Distance, 1).len() - 2);
    }

    #[test]
    fn the_score_must_agree_only_where_it_is_exact() {
        let agrees = |thousandths, certainty, move_agrees| {
            let row = row(thousandths, certainty, None, Some(Expectation { score: 2, move_agrees }));
            (row.result.as_ref().unwrap().agrees().unwrap(), row.is_failure())
        };
        assert_eq!(agrees(2000, Certainty::Exact, true), (true, false));
        assert_eq!(agrees(4000, Certainty::Exact, true), (false, true));
        assert_eq!(agrees(2000, Certainty::Exact, false), (false, true));
        assert_eq!(agrees(4000, Certainty::Heuristic, true), (true, false));
        assert_eq!(agrees(2000, Certainty::Heuristic, false), (false, false));
    }
}
