//! [`Row`]: what the analysis says of one line, and the fields by which it is written.

use std::cmp::Ordering;
use std::sync::Arc;

use super::InGame;
use crate::game::{Bounds, Certainty, Confidence, Entry, Limits, Playable, Position, Report, Score, Scoring};
use crate::input::RecordError;
use crate::output::{Field, Float, Text, Value};

/// How much of a variation a table shows, in characters.
const PV_WIDTH: usize = 23;

/// How much of what stands beside a position a table shows, in characters.
const BESIDE_WIDTH: usize = 16;

/// How much of the scores of several moves a table shows, in characters.
const MOVES_WIDTH: usize = 40;

/// The result of one line. It is the same type for every game: moves and positions are texts here.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name of the input: the path as given, or `-`.
    pub file: Arc<str>,
    /// The number of the line, from 1; in files of records of one size that of the record.
    pub line: u64,
    /// The number of the record, from 0, among those of all inputs together; not among the fields.
    pub record: u64,
    /// The bytes of all inputs that were read up to the end of the line; not among the fields.
    pub bytes_read: u64,
    /// The position as the game writes it; of a bad line the line as it stands.
    pub position: String,
    /// The empty squares, where the game tells them.
    pub empties: Option<u32>,
    /// What stands beside the position in its file, in the order of the reader's columns.
    pub beside: Arc<[Value]>,
    /// The place in a game, where the position is of one.
    pub in_game: Option<InGame>,
    /// What the move played in the game lost against the best: points for the side to move, 0 or more. `None` where it is not known.
    pub loss: Option<f64>,
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
    /// What is proved about the score.
    pub bounds: Bounds,
    /// The moves of all lines with their scores, best first; empty unless several were asked for. Where the game is over, an empty name.
    pub moves: Vec<(String, Score)>,
    /// The last depth completed, in plies.
    pub depth: u32,
    /// How sure that search was of what it left out.
    pub confidence: Confidence,
    /// Nodes visited.
    pub nodes: u64,
    /// The time of the search in milliseconds; `None` where results must repeat to the byte.
    pub time_ms: Option<f64>,
    /// What else there is to say about the position.
    pub note: Option<&'static str>,
    /// What the line expected, if anything.
    pub expectation: Option<Expectation>,
}

/// What a line expected of its position, and how it compares with what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expectation {
    /// The highest score expected, in points for the side to move.
    pub score: i32,
    /// Whether the move chosen is one of those expected with that score; where only a bound of the score is claimed, whether nothing that
    /// is expected of the move is against it.
    pub move_agrees: bool,
    /// Whether what is proved cannot be true if the line is: the bounds exclude the highest score, or a move's proved score is not the
    /// one that the line gives to this move.
    pub contradicted: bool,
}

/// What is wrong with a line, and where; in words, for a row is data and no longer an error of any type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    /// The line, from 1: that of the row, or one after it where a game has several.
    pub line: u64,
    /// The column, in characters from 1; in files of records the byte.
    pub column: usize,
    /// What is wrong there.
    pub problem: String,
}

impl From<RecordError> for RowError {
    fn from(error: RecordError) -> Self {
        Self { line: error.line, column: error.column, problem: error.problem.to_string() }
    }
}

impl Analysis {
    /// Puts a report into texts, beside what the line expected; `several` says whether more than one move was asked for.
    #[must_use]
    pub fn new<P: Position>(report: &Report<P>, entry: &Entry<P>, several: bool, timed: bool) -> Self {
        let best = report.best();
        let name = |m: Option<&P::Move>| m.map_or_else(String::new, ToString::to_string);
        Self {
            pv: best.pv.iter().map(ToString::to_string).collect(),
            score: best.score,
            bounds: report.bounds,
            moves: report.lines.iter().filter(|_| several).map(|line| (name(line.pv.first()), line.score)).collect(),
            depth: report.depth,
            confidence: report.confidence,
            nodes: report.nodes,
            time_ms: timed.then(|| report.time.as_micros() as f64 / 1000.0),
            note: report.note,
            expectation: Expectation::new(report, entry),
        }
    }

    /// Returns whether the move chosen is one of the best expected and nothing that is proved contradicts the line: where the score is
    /// exact, it is the expected one too.
    ///
    /// `None` where nothing is expected.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        self.expectation.map(|expectation| expectation.move_agrees && !expectation.contradicted)
    }

    /// Returns whether what is proved is not what the line expects: a score or a bound, or the move beside an exact score.
    #[must_use]
    pub fn disagrees(&self) -> bool {
        self.expectation.is_some_and(|e| e.contradicted || self.score.is_exact() && !e.move_agrees)
    }

    /// Returns the proved outcome for the side to move.
    #[must_use]
    pub fn outcome(&self) -> Option<&'static str> {
        self.bounds.sign().map(|sign| match sign {
            Ordering::Greater => "win",
            Ordering::Equal => "draw",
            Ordering::Less => "loss",
        })
    }

    fn score_value(&self) -> Float {
        let proved = self.score.is_exact() || self.score.is_bound();
        if proved && self.score.thousandths % Score::POINT == 0 {
            (self.score.thousandths / Score::POINT).into()
        } else {
            self.score.points().into()
        }
    }

    /// Returns the scores of several moves as OBF has them, `d2:-14; b8:-16;`, with what OBF has no means to tell: `>=+2` and `<=-2` for
    /// bounds, `~+1.5` for an estimate, `+1#23` for a win in 23 plies where their number counts.
    fn moves_value(&self) -> Text {
        let text = |(name, score): &(String, Score)| {
            let colon = if name.is_empty() { "" } else { ":" };
            let mark = match score.certainty {
                Certainty::Exact => "",
                Certainty::AtLeast => ">=",
                Certainty::AtMost => "<=",
                Certainty::Heuristic => "~",
            };
            let plies = score.plies.filter(|_| !name.is_empty());
            let plies = plies.map_or_else(String::new, |plies| format!("#{plies}"));
            format!("{name}{colon}{mark}{:+}{plies};", score.points())
        };
        let texts: Vec<_> = self.moves.iter().map(text).collect();
        (!texts.is_empty()).then(|| texts.join(" ")).into()
    }
}

impl Expectation {
    /// Compares a report with what a line expected; `None` if that is nothing.
    fn new<P: Position>(report: &Report<P>, entry: &Entry<P>) -> Option<Self> {
        let score = entry.best_score()?;
        let contradicts = |m: Option<P::Move>, found: Score| {
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
        Some(Self {
            score,
            move_agrees: entry.is_best(report.best_move()) || best.is_bound() && !contradicts(report.best_move(), best),
            contradicted: wrong_move || !report.bounds.contain(score),
        })
    }
}

impl Row {
    /// Returns the fields of the rows of a game: `plies` only where the moment of a win counts, `lower` and `upper` where a solver proves
    /// bounds. A table shows what the search, so limited, is likely to have something to say in.
    ///
    /// `file_width` is the width of the longest name among the inputs; `beside` are the names of the columns that stand beside the positions:
    /// one that is also a field's is told as `input_` and the name. `of_games` is whether the inputs are likely to hold games.
    #[must_use]
    pub fn fields<P: Playable>(
        limits: &Limits,
        file_width: usize,
        beside: &[String],
        of_games: bool,
    ) -> Vec<Field<Self>> {
        type Named = Field<Row>;
        let in_table = |field: Field<Self>, shown: bool| if shown { field } else { field.not_in_table() };
        let distance = P::SCORING == Scoring::Distance;
        let window = limits.window.is_some();
        let outcome = Named::text("outcome", |row| row.of(|a| a.outcome().into()));
        let mut fields = vec![
            Named::text("file", |row| (&*row.file).into()).width(file_width),
            Named::integer("line", |row| row.line.into()),
            Named::text("position", |row| row.position.as_str().into()).not_in_table(),
            in_table(Named::integer("game", |row| row.of_game(|g| g.of.number.into())), of_games),
            in_table(Named::integer("ply", |row| row.of_game(|g| g.ply.into())), of_games),
            in_table(Named::text("played", |row| row.of_game(|g| g.played.as_deref().into())), of_games),
            in_table(Named::float("loss", |row| row.loss.into()).width(6), of_games),
            Named::text("best_move", |row| row.of(|a| a.pv.first().map(String::as_str).into())),
            Named::float("score", |row| row.of(Analysis::score_value)).width(7),
            Named::boolean("exact", |row| row.of(|a| a.score.is_exact().into())),
            in_table(outcome, distance || window),
        ];
        if distance {
            fields.push(Named::integer("plies", |row| row.of(|a| a.score.plies.into())));
        }
        if P::EXACT_SOLVER {
            let shown = window || limits.exact && (limits.nodes.is_some() || limits.time.is_some());
            fields.push(in_table(Named::integer("lower", |row| row.of(|a| a.bounds.lower.into())), shown));
            fields.push(in_table(Named::integer("upper", |row| row.of(|a| a.bounds.upper.into())), shown));
        }
        let moves = Named::text("moves", |row| row.of(Analysis::moves_value)).excerpt(MOVES_WIDTH);
        fields.extend([
            Named::integer("depth", |row| row.of(|a| a.depth.into())),
            in_table(Named::integer("confidence", |row| row.of(|a| a.confidence.percent().into())), P::SELECTIVE),
            Named::integer("nodes", |row| row.of(|a| a.nodes.into())).width(11),
            Named::float("time_ms", |row| row.of(|a| a.time_ms.into())).width(9),
            Named::text("pv", |row| row.of(|a| a.pv.join(" ").into())).excerpt(PV_WIDTH),
            in_table(moves, limits.lines > 1),
        ]);
        if distance {
            fields.push(Named::text("note", |row| row.of(|a| a.note.into())));
        }
        fields.extend([
            Named::integer("expected_score", |row| row.of(|a| a.expectation.map(|e| e.score).into())),
            Named::boolean("agrees", |row| row.of(|a| a.agrees().into())),
            Named::text("error", |row| row.error().into()),
        ]);
        let passed_on = |name, place| {
            Named::any(name, move |row| row.beside.get(place).cloned().unwrap_or_default()).excerpt(BESIDE_WIDTH)
        };
        // Beside the line, where one looks for what a row is about.
        Named::pass_on(&mut fields, 2, beside.iter().cloned().enumerate(), passed_on);
        fields
    }

    fn of_game<T: Default>(&self, value: impl FnOnce(&InGame) -> T) -> T {
        self.in_game.as_ref().map_or_else(T::default, value)
    }

    /// Returns a value of what was found; null for a bad line.
    fn of<T: Default>(&self, value: impl FnOnce(&Analysis) -> T) -> T {
        self.result.as_ref().map_or_else(|_| T::default(), value)
    }

    /// Returns what is wrong with the line, with its number and the column.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let error = self.result.as_ref().err()?;
        Some(format!("line {}, column {}: {}", error.line, error.column, error.problem))
    }

    /// Returns whether the row speaks against the input: the line is bad, or what is proved is not what it expects.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.result.as_ref().map_or(true, Analysis::disagrees)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Line;
    use crate::morris::{self, NineMensMorris};
    use crate::othello;
    use crate::output::{Format, Output};

    type Othello4 = othello::Position<4>;

    fn row(score: Score) -> Row {
        let pv = vec!["d2".to_owned(), "d6xf4".to_owned()];
        let bounds = match score.certainty {
            Certainty::Exact => Bounds::exact(score.thousandths / Score::POINT),
            Certainty::AtLeast => Bounds { lower: Some(score.thousandths / Score::POINT), upper: None },
            _ => Bounds::default(),
        };
        let analysis = Analysis {
            pv,
            score,
            bounds,
            moves: Vec::new(),
            depth: 9,
            confidence: Confidence::FULL,
            nodes: 7,
            time_ms: None,
            note: None,
            expectation: None,
        };
        Row {
            file: "f".into(),
            line: 3,
            record: 0,
            bytes_read: 0,
            position: "p".into(),
            empties: None,
            beside: [].into(),
            in_game: None,
            loss: None,
            result: Ok(analysis),
        }
    }

    fn csv<P: Playable>(rows: &[Row]) -> String {
        let mut text = Vec::new();
        let mut output =
            Output::new(Format::Csv, Row::fields::<P>(&Limits::exact(), 1, &[], false), &mut text).unwrap();
        rows.iter().for_each(|row| output.write(row).unwrap());
        output.flush().unwrap();
        drop(output);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn plies_are_told_where_the_moment_of_a_win_counts_and_bounds_where_there_is_a_solver() {
        let heuristic = Score { thousandths: 125, certainty: Certainty::Heuristic, plies: None };
        let rows = [row(Score { plies: Some(8), ..Score::exact(-1) }), row(Score::exact(0)), row(heuristic)];
        let head = "file,line,position,game,ply,played,loss,best_move,score,exact,outcome,plies,depth,confidence,nodes,time_ms,pv,moves,note,\
                    expected_score,agrees,error";
        let text = ["-1,true,loss,8,", "0,true,draw,,", "0.125,false,,,"]
            .map(|row| format!("f,3,p,,,,,d2,{row}9,100,7,,d2 d6xf4,,,,,\n"));
        assert_eq!(csv::<morris::Position<NineMensMorris>>(&rows), format!("{head}\n{}", text.concat()));
        let head = head.replace("plies", "lower,upper").replace("note,", "");
        let text =
            ["0,true,draw,0,0,", "2,false,win,2,,"].map(|row| format!("f,3,p,,,,,d2,{row}9,100,7,,d2 d6xf4,,,,\n"));
        let rows = [row(Score::exact(0)), row(Score::of(2, Certainty::AtLeast))];
        assert_eq!(csv::<Othello4>(&rows), format!("{head}\n{}", text.concat()));
    }

    /// Compares lines of play, by their first moves, with the start on 4x4 as OBF has it.
    fn compare(lines: &[(&str, i32, Certainty)], bounds: Bounds, fields: &str) -> (bool, bool) {
        let entry = othello::formats::obf::parse::<4>(&format!("-----OX--XO----- X; {fields}")).unwrap();
        let line = |&(m, points, certainty): &(&str, i32, Certainty)| Line {
            score: Score::of(points, certainty),
            pv: vec![entry.position.parse_move(m).unwrap()],
        };
        let lines = lines.iter().map(line).collect();
        let report = Report {
            lines,
            bounds,
            depth: 1,
            confidence: Confidence::FULL,
            nodes: 1,
            time: std::time::Duration::ZERO,
            note: None,
        };
        let analysis = Analysis::new(&report, &entry, true, false);
        (analysis.agrees().unwrap(), analysis.disagrees())
    }

    #[test]
    fn what_is_proved_must_agree_and_no_more() {
        use Certainty::{AtLeast, AtMost, Exact, Heuristic};
        let one = |m, points, certainty| {
            let bounds = match certainty {
                Exact => Bounds::exact(points),
                AtLeast => Bounds { lower: Some(points), upper: None },
                AtMost => Bounds { lower: None, upper: Some(points) },
                Heuristic => Bounds::default(),
            };
            compare(&[(m, points, certainty)], bounds, "a2:+2; b1:+2; c4:-4;")
        };
        let (fine, wrong, other) = ((true, false), (false, true), (false, false));
        assert_eq!(one("a2", 2, Exact), fine);
        assert_eq!(one("a2", 4, Exact), wrong);
        assert_eq!(one("d3", 2, Exact), wrong);
        assert_eq!(one("a2", 4, Heuristic), fine);
        assert_eq!(one("c4", 2, Heuristic), other);
        // Who wins and a side of a window: any move will do that is not said to be too bad for it.
        assert_eq!(one("a2", 2, AtLeast), fine);
        assert_eq!(one("d3", 2, AtLeast), fine);
        assert_eq!(one("c4", 2, AtLeast), wrong);
        assert_eq!(one("a2", 4, AtLeast), wrong);
        assert_eq!(one("c4", 2, AtMost), fine);
        assert_eq!(one("c4", 0, AtMost), wrong);
        // The score of the position alone goes with any move.
        assert_eq!(compare(&[("d3", 2, Exact)], Bounds::exact(2), "+2;"), fine);
        assert_eq!(compare(&[("d3", 2, Exact)], Bounds::exact(2), "+4;"), wrong);
        // Cut short: the bounds are proved all the same.
        let bounds = Bounds { lower: None, upper: Some(0) };
        assert_eq!(compare(&[("a2", 0, Heuristic)], bounds, "a2:+2;"), wrong);
    }

    #[test]
    fn each_scored_move_is_compared_with_its_line() {
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

    #[test]
    fn several_moves_are_written_as_obf_has_them() {
        let Ok(analysis) = row(Score::exact(2)).result else { unreachable!("the row is good") };
        assert_eq!(analysis.moves_value(), Text::default());
        let score = |thousandths, certainty| Score { thousandths, certainty, plies: None };
        let moves = [
            ("a2", Score::exact(2)),
            ("b1", Score::exact(0)),
            ("c4", Score::of(0, Certainty::AtLeast)),
            ("d3", Score::of(-2, Certainty::AtMost)),
            ("a1", score(-2500, Certainty::Heuristic)),
        ];
        let moves = moves.map(|(name, score)| (name.to_owned(), score)).to_vec();
        let text = "a2:+2; b1:+0; c4:>=+0; d3:<=-2; a1:~-2.5;";
        assert_eq!(Analysis { moves, ..analysis.clone() }.moves_value(), text.into());
        let over = vec![(String::new(), Score::exact(-12))];
        assert_eq!(Analysis { moves: over, ..analysis }.moves_value(), "-12;".into());
    }
}
