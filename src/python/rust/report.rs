//! `Report` and `Line`: search results.

use morello::game::{self, AnyPosition, Certainty, Position as _, Score};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::items::Items;
use crate::values::{Keywords, value_class};

/// A line of play and its score for the side to move.
#[pyclass(module = "morello", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub struct Line {
    /// The first move; None if the game is over.
    pub r#move: Option<String>,
    /// The score in points for the side to move: discs in Othello; in the mill games, 1 for a win,
    /// -1 for a loss, and estimates in between.
    pub score: f64,
    /// "exact", "lower" or "upper" (a proved bound), or "estimate".
    pub bound: String,
    /// The number of plies to the end of the game, for a proved win or loss in the mill games; None
    /// if unknown.
    pub plies: Option<u32>,
    /// The principal variation: the moves of both sides.
    pub pv: Items<String>,
}

value_class!(Line { r#move, score, bound, plies, pv });

#[pymethods]
impl Line {
    #[new]
    #[pyo3(signature = (**fields))]
    fn with_fields(fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::of_fields(fields)
    }

    /// Returns the fields as a dict, which `json.dumps` accepts; `Line(**fields)` is equal again.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Keywords<'py>> {
        self.keywords(py)
    }

    /// Whether the score is proved.
    #[getter]
    fn exact(&self) -> bool {
        self.bound == "exact"
    }

    fn __repr__(&self) -> String {
        let plies = self.plies.map_or_else(String::new, |plies| format!(" in {plies} plies"));
        format!(
            "Line({} {:+}{plies} {}: {})",
            self.bound,
            self.score,
            self.r#move.as_deref().unwrap_or("-"),
            self.pv.join(" ")
        )
    }
}

/// The result of a search.
#[pyclass(module = "morello", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub struct Report {
    /// The best lines, each with a different first move, from the highest score to the lowest.
    pub lines: Items<Line>,
    /// A proved lower bound of the score of the position, in points; None if there is none.
    pub lower: Option<i32>,
    /// A proved upper bound; None if there is none.
    pub upper: Option<i32>,
    /// The depth of the last completed iteration, in plies.
    pub depth: u32,
    /// The confidence of this iteration in percent; 100 without selective pruning.
    pub confidence: u32,
    /// The number of nodes visited.
    pub nodes: u64,
    /// The time taken, in seconds.
    pub time: f64,
    /// The error in points that 95 % of estimates like this one do not exceed; None for a proved
    /// score, or if the error was not measured.
    pub score_error: Option<f64>,
    /// A remark, such as that a rule turns a win into a draw; None if there is none.
    pub note: Option<String>,
    /// Where the result comes from: "search", "book" or "table" (the endgame database).
    pub source: String,
}

value_class!(Report { lines, lower, upper, depth, confidence, nodes, time, score_error, note, source });

#[pymethods]
impl Report {
    #[new]
    #[pyo3(signature = (**fields))]
    fn with_fields(fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::of_fields(fields)
    }

    /// Returns the fields as a dict, which `json.dumps` accepts; `Report(**fields)` is equal again.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Keywords<'py>> {
        self.keywords(py)
    }

    /// The best move; None if the game is over.
    #[getter]
    fn best_move(&self) -> Option<&str> {
        self.lines.first().and_then(|line| line.r#move.as_deref())
    }

    /// The score of the best line, in points for the side to move.
    #[getter]
    fn score(&self) -> f64 {
        self.lines.first().map_or(0.0, |line| line.score)
    }

    /// Whether the score of the best line is proved.
    #[getter]
    fn exact(&self) -> bool {
        self.lines.first().is_some_and(Line::exact)
    }

    /// The number of plies to the end of the game, for a proved win or loss in the mill games; None
    /// if unknown.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.lines.first().and_then(|line| line.plies)
    }

    /// The principal variation of the best line.
    #[getter]
    fn pv(&self) -> Vec<String> {
        self.lines.first().map_or_else(Vec::new, |line| line.pv.0.clone())
    }

    fn __repr__(&self) -> String {
        let best = self.lines.first().map_or_else(|| "no line".to_owned(), Line::__repr__);
        format!("Report({best}; depth {}@{}%, {} nodes, {:.3} s)", self.depth, self.confidence, self.nodes, self.time)
    }
}

/// Returns the name of a certainty.
pub fn bound_name(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact => "exact",
        Certainty::AtLeast => "lower",
        Certainty::AtMost => "upper",
        Certainty::Heuristic => "estimate",
    }
}

/// Returns the error of an estimate, if it was measured.
pub fn score_error(position: &AnyPosition, report: &game::Report, score: Score) -> Option<f64> {
    let empties = position.empty_count().filter(|_| score.certainty == Certainty::Heuristic)?;
    position.game().score_error(empties, report.depth, report.confidence)
}

impl Report {
    /// Converts a report on a position.
    pub fn new(position: &AnyPosition, report: &game::Report) -> Self {
        let line = |line: &game::Line| Line {
            r#move: line.pv.first().map(ToString::to_string),
            score: line.score.points(),
            bound: bound_name(line.score.certainty).to_owned(),
            plies: line.score.plies,
            pv: line.pv.iter().map(ToString::to_string).collect(),
        };
        debug_assert!(report.lines.len() <= position.count_moves().max(1));
        Self {
            lines: report.lines.iter().map(line).collect(),
            lower: report.bounds.lower,
            upper: report.bounds.upper,
            depth: report.depth,
            confidence: report.confidence.percent(),
            nodes: report.nodes,
            time: report.time.as_secs_f64(),
            score_error: score_error(position, report, report.best().score),
            note: report.note.map(str::to_owned),
            source: report.source.name().to_owned(),
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Line>()?;
    module.add_class::<Report>()
}
