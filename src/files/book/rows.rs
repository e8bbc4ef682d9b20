//! The rows of a book as CSV and JSON lines, without loss.
//!
//! An entry has one row per move, one row for the limit of the other moves (`rest`) and one for its
//! games (`games`). The rows of opening tables of the mill games can be read too.

use std::io::{BufRead, BufReader, Read};

use morello_core::game::{AnyGame, AnyMove, AnyPosition, Certainty, Confidence, Position as _, Score};
use serde::Deserialize;
use thiserror::Error;

use super::entry::{
    BookEntry, BookMove, BookScore, CERTAINTIES, GameCounts, Provenance, Source, canonical_move, certainty_name,
};
use super::graph::BookGraph;
use super::opening_table::{OpeningRow, OpeningTable};
use super::record;
use crate::output::Field;

/// A row of a book: a move, the limit of the other moves, or the games.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BookRow {
    /// The canonical position.
    pub position: AnyPosition,
    /// The kind of row: `move`, `rest` or `games`.
    pub kind: &'static str,
    /// The move.
    pub m: Option<AnyMove>,
    /// The score of the move or of the other moves.
    pub score: Option<BookScore>,
    /// Whether the position after the move is in the book.
    pub is_linked: Option<bool>,
    /// The games that reached the position.
    pub games: Option<GameCounts>,
    /// When a score of the position was last improved; see [`BookEntry::day`].
    pub day: u16,
}

/// Why rows cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
#[non_exhaustive]
pub struct BookRowError {
    /// The line, counted from 1.
    pub line: u64,
    /// The cause.
    pub problem: String,
}

impl BookRow {
    /// Returns the rows of an entry.
    #[must_use]
    pub fn of(position: &AnyPosition, entry: &BookEntry) -> Vec<Self> {
        let row = |kind| {
            let (m, score, is_linked, games, day) = (None, None, None, None, entry.day);
            Self { position: *position, kind, m, score, is_linked, games, day }
        };
        let of_move = |&BookMove { m, score, is_linked }: &BookMove| Self {
            m: Some(m),
            score: Some(score),
            is_linked: Some(is_linked),
            ..row("move")
        };
        let rest = entry.rest.map(|rest| Self { score: Some(rest), ..row("rest") });
        let has_games = entry.games != GameCounts::default() || entry.moves.is_empty() && entry.rest.is_none();
        let games = has_games.then(|| Self { games: Some(entry.games), ..row("games") });
        entry.moves.iter().map(of_move).chain(rest).chain(games).collect()
    }

    /// Returns the fields of a row.
    #[must_use]
    pub fn fields() -> Vec<Field<Self>> {
        type Named = Field<BookRow>;
        vec![
            Named::text("position", |row| row.position.to_string().into())
                .about("The position, the least of its symmetric images"),
            Named::text("kind", |row| row.kind.into()).about("move, rest for the limit of all other moves, or games"),
            Named::text("move", |row| row.m.map(|m| m.to_string()).into()).about("The move"),
            Named::float("score", |row| row.score.map(|score| score.score.points()).into())
                .about("The score in points for the side to move"),
            Named::text("certainty", |row| row.score.map(|score| certainty_name(score.score.certainty)).into())
                .about("exact, at-least, at-most or estimate"),
            Named::integer("plies", |row| row.score.and_then(|score| score.score.plies).into())
                .about("The plies to the end of the game, if a win or loss is proved"),
            Named::integer("depth", |row| row.score.map(|score| u32::from(score.provenance.depth)).into())
                .about("The depth of the search in plies"),
            Named::integer("confidence", |row| row.score.map(|score| score.provenance.confidence.percent()).into())
                .about("The confidence of the search, in percent"),
            Named::text("source", |row| row.score.map(|score| score.provenance.source.name()).into())
                .about("Where the score comes from"),
            Named::boolean("linked", |row| row.is_linked.into())
                .about("Whether the score is that of the next position in the book"),
            Named::integer("wins", |row| row.games.map(|games| games.wins).into())
                .about("The games won by the side to move"),
            Named::integer("draws", |row| row.games.map(|games| games.draws).into()).about("The games drawn"),
            Named::integer("losses", |row| row.games.map(|games| games.losses).into())
                .about("The games lost by the side to move"),
            Named::integer("unknown", |row| row.games.map(|games| games.unknown).into())
                .about("The games without a result"),
            Named::integer("day", |row| u32::from(row.day).into())
                .about("When a score of the position was last improved, in days since 2020-01-01"),
        ]
    }
}

/// A row as stored in a file.
#[derive(Debug, Deserialize)]
struct FileRow {
    position: String,
    kind: Option<String>,
    #[serde(rename = "move")]
    text: Option<String>,
    score: Option<f64>,
    certainty: Option<String>,
    plies: Option<u32>,
    depth: Option<u8>,
    confidence: Option<u32>,
    source: Option<String>,
    linked: Option<bool>,
    wins: Option<u32>,
    draws: Option<u32>,
    losses: Option<u32>,
    unknown: Option<u32>,
    day: Option<u16>,
    // Fields of an opening table, which also has `position` and `plies`.
    game: Option<String>,
    opening: Option<String>,
    outcome: Option<String>,
    replies: Option<String>,
}

impl FileRow {
    /// Adds the row of an opening table.
    fn add_opening(&self, game: &'static dyn AnyGame, table: &mut OpeningTable) -> Result<(), String> {
        if let Some(other) = self.game.as_deref().filter(|&name| name != game.name()) {
            return Err(format!("game: expected {}, found `{other}`", game.name()));
        }
        let row = OpeningRow {
            opening: self.opening.as_deref().unwrap_or_default(),
            position: &self.position,
            outcome: self.outcome.as_deref().unwrap_or_default(),
            plies: self.plies,
            replies: self.replies.as_deref(),
        };
        table.add(game, &row)
    }

    /// Adds the row to an entry. The position may be any symmetric image.
    fn add(&self, game: &'static dyn AnyGame, graph: &mut BookGraph) -> Result<(), String> {
        let position = game.parse_position(&self.position).map_err(|error| format!("position: {error}"))?;
        if position.is_over() {
            return Err("position: the game is over in it".to_owned());
        }
        let mut entry = BookEntry { day: self.day.unwrap_or(0), ..BookEntry::default() };
        let unknown = "expected a `kind`, as in book rows, or an `outcome`, as in opening table rows";
        match self.kind.as_deref().ok_or(unknown)? {
            "move" => {
                let text = self.text.as_deref().ok_or("a row of the kind `move` has no move")?;
                let m = position.parse_move(text).map_err(|error| error.to_string())?;
                let m = canonical_move(&position, m);
                let is_linked = self.linked.unwrap_or(false);
                entry.moves.push(BookMove { m, score: self.score()?, is_linked });
            }
            "rest" => entry.rest = Some(self.score()?),
            "games" => {
                let counts = [self.wins, self.draws, self.losses, self.unknown];
                let [wins, draws, losses, unknown] = counts.map(Option::unwrap_or_default);
                entry.games = GameCounts { wins, draws, losses, unknown };
            }
            other => return Err(format!("kind: expected move, rest or games, found `{other}`")),
        }
        graph.merge(position.canonical(), &entry);
        Ok(())
    }

    fn score(&self) -> Result<BookScore, String> {
        let points = self
            .score
            .filter(|points| points.abs() <= f64::from(record::MAX_POINTS))
            .ok_or("score: expected a number of points from -64 to 64")?;
        let certainty = match self.certainty.as_deref() {
            None => Certainty::Heuristic,
            Some(name) => {
                let known = CERTAINTIES.iter().find(|(_, known)| *known == name);
                known.ok_or_else(|| format!("certainty: unknown `{name}`"))?.0
            }
        };
        let source = match self.source.as_deref() {
            None => Source::Unknown,
            Some(name) => Source::from_name(name).ok_or_else(|| format!("source: unknown `{name}`"))?,
        };
        let percent = self.confidence.unwrap_or(Confidence::LOWEST.percent());
        let confidence =
            Confidence::from_percent(percent).ok_or_else(|| format!("confidence: unknown level {percent}"))?;
        let score =
            Score { thousandths: (points * f64::from(Score::POINT)).round() as i32, certainty, plies: self.plies };
        Ok(BookScore { score, provenance: Provenance { source, depth: self.depth.unwrap_or(0), confidence } })
    }
}

/// Reads rows of a book, or of `morello database openings`, and adds them to a book in memory. The
/// input is CSV with a header line, or JSON lines. Returns the number of rows.
///
/// ```
/// use morello::book::{Book, BookGraph, BookRow, read_rows};
/// use morello::games;
/// use morello::output::{Output, OutputFormat};
///
/// let othello = games::get("othello")?;
/// let start = othello.start().canonical();
/// let entry = Book::built_in(othello).expect("Othello has a book")?.get(&start)?.expect("it has the start");
/// let mut csv = Vec::new();
/// let mut output = Output::new(OutputFormat::Csv, BookRow::fields(), &mut csv)?;
/// BookRow::of(&start, &entry).iter().try_for_each(|row| output.write(row))?;
/// output.finish()?;
///
/// let mut graph = BookGraph::default();
/// assert!(read_rows(othello, &csv[..], false, &mut graph)? >= 1);
/// assert_eq!(graph.get(&start).map(|read| &read.moves), Some(&entry.moves));
/// let error = read_rows(othello, &b"a,b\n1,2\n"[..], false, &mut graph).unwrap_err();
/// assert_eq!(error.line, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BookRowError`] with the first invalid line; the rows before it have been added. An opening
/// table must contain all openings.
pub fn read_rows(
    game: &'static dyn AnyGame,
    from: impl Read,
    is_json: bool,
    graph: &mut BookGraph,
) -> Result<u64, BookRowError> {
    let (mut rows, mut last) = (0, 0);
    let mut table = OpeningTable::default();
    let mut add = |line: u64, row: Result<FileRow, String>| {
        let added = row.and_then(|row| match row.outcome {
            Some(_) => row.add_opening(game, &mut table),
            None => row.add(game, graph),
        });
        added.map_err(|problem| BookRowError { line, problem })?;
        (rows, last) = (rows + 1, line);
        Ok(())
    };
    if is_json {
        for (number, line) in (1..).zip(BufReader::new(from).lines()) {
            let line = line.map_err(|error| BookRowError { line: number, problem: error.to_string() })?;
            if !line.trim().is_empty() {
                add(number, serde_json::from_str(&line).map_err(|error| error.to_string()))?;
            }
        }
    } else {
        let mut reader = csv::Reader::from_reader(from);
        let headers =
            reader.headers().cloned().map_err(|error| BookRowError { line: 1, problem: error.to_string() })?;
        let mut record = csv::StringRecord::new();
        loop {
            let line = reader.position().line();
            match reader.read_record(&mut record) {
                Ok(true) => {
                    let line = record.position().map_or(line, csv::Position::line);
                    add(line, record.deserialize(Some(&headers)).map_err(|error| csv_problem(&error, &headers)))?;
                }
                Ok(false) => break,
                Err(error) => return Err(BookRowError { line, problem: error.to_string() }),
            }
        }
    }
    table.add_to(game, graph).map_err(|problem| BookRowError { line: last, problem })?;
    Ok(rows)
}

/// Describes why the fields of a CSV row cannot be used.
fn csv_problem(error: &csv::Error, headers: &csv::StringRecord) -> String {
    use csv::DeserializeErrorKind::{ParseBool, ParseFloat, ParseInt};

    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    let problem = match err.kind() {
        ParseBool(_) => "expected true or false".to_owned(),
        ParseInt(_) => "expected a whole number in range".to_owned(),
        ParseFloat(_) => "expected a number".to_owned(),
        other => other.to_string(),
    };
    match err.field().and_then(|field| headers.get(usize::try_from(field).ok()?)) {
        Some(column) => format!("{column}: {problem}"),
        None => problem,
    }
}
