//! The log of a match: a JSON object on a line for each finished game, from which the match can go on.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Effort, EndReason, Record};
use crate::game::Color;

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Line {
    /// The match that the game is of: a digest of all that its games follow from.
    #[serde(rename = "match")]
    of: String,
    game: u64,
    opening: usize,
    black: String,
    white: String,
    result: Outcome,
    /// Points on the board for Black.
    score: Option<i32>,
    end_reason: EndReason,
    problem: Option<String>,
    start: Option<String>,
    opening_moves: String,
    moves: String,
    /// Of the first player of the encounter, then of the second.
    engines: [EngineLine; 2],
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Black,
    White,
    Draw,
}

/// What one engine's moves took.
#[derive(Serialize, Deserialize)]
struct EngineLine {
    name: String,
    moves: u64,
    /// Null if it does not tell.
    nodes: Option<u64>,
    moves_with_nodes: u64,
    /// The sum of the depths of its moves; null if it does not tell.
    depths: Option<u64>,
    moves_with_depth: u64,
    mean_depth: Option<f64>,
    time_ms: f64,
    max_time_ms: f64,
}

/// Why a log cannot be gone on with.
#[derive(Debug, Error)]
pub enum ReadLogError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is none of a log.
    #[error("line {line} is none of a log of games: {cause}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        cause: serde_json::Error,
    },
    /// A game is of another match.
    #[error(
        "line {line} is of another match: the game, the engines, the seed, the openings and the rules must be the same"
    )]
    OtherMatch {
        /// Its number, from 1.
        line: usize,
    },
    /// A game was played by somebody who does not take part.
    #[error("line {line}: no engine is called `{name}`")]
    Name {
        /// Its number, from 1.
        line: usize,
        /// The name.
        name: String,
    },
}

/// Writes a game as a line of a log, without its end; `names` are those of the players, `of` says what match it is of.
#[must_use]
pub fn log_line(record: &Record, names: &[&str], of: &str) -> String {
    let player = |color: Color| names[record.seats[color.index()]];
    let engine = |color: Color| {
        let Effort { moves, nodes, moves_with_nodes, depths, moves_with_depth, time, longest } =
            record.efforts[color.index()];
        EngineLine {
            name: player(color).to_owned(),
            moves,
            nodes: (moves_with_nodes > 0).then_some(nodes),
            moves_with_nodes,
            depths: (moves_with_depth > 0).then_some(depths),
            moves_with_depth,
            mean_depth: (moves_with_depth > 0).then(|| depths as f64 / moves_with_depth as f64),
            time_ms: milliseconds(time),
            max_time_ms: milliseconds(longest),
        }
    };
    let first = record.first();
    let line = Line {
        of: of.to_owned(),
        game: record.game,
        opening: record.opening,
        black: player(Color::Black).to_owned(),
        white: player(Color::White).to_owned(),
        result: match record.winner {
            None => Outcome::Draw,
            Some(Color::Black) => Outcome::Black,
            Some(Color::White) => Outcome::White,
        },
        score: record.black_points,
        end_reason: record.end_reason,
        problem: record.problem.clone(),
        start: record.start.clone(),
        opening_moves: record.opening_moves.clone(),
        moves: record.moves.clone(),
        engines: [engine(first), engine(!first)],
    };
    serde_json::to_string(&line).expect("a line is made of texts and numbers")
}

/// Reads the games of a log by their numbers, and how many bytes of it are whole lines: a process that was killed may have left the
/// beginning of another.
///
/// # Errors
/// [`ReadLogError`]
pub fn read_log(mut log: impl BufRead, names: &[&str], of: &str) -> Result<(BTreeMap<u64, Record>, u64), ReadLogError> {
    let (mut records, mut bytes, mut text) = (BTreeMap::new(), 0, Vec::new());
    for line in 1.. {
        text.clear();
        let length = log.read_until(b'\n', &mut text)?;
        if text.pop() != Some(b'\n') {
            break;
        }
        bytes += length as u64;
        if text.trim_ascii().is_empty() {
            continue;
        }
        let read: Line = serde_json::from_slice(&text).map_err(|cause| ReadLogError::Line { line, cause })?;
        if read.of != of {
            return Err(ReadLogError::OtherMatch { line });
        }
        let seat = |name: &String| {
            let number = names.iter().position(|known| known == name);
            number.ok_or_else(|| ReadLogError::Name { line, name: name.clone() })
        };
        let seats = [seat(&read.black)?, seat(&read.white)?];
        records.insert(read.game, read.record(seats));
    }
    Ok((records, bytes))
}

impl Line {
    fn record(self, seats: [usize; 2]) -> Record {
        let mut efforts = self.engines.map(EngineLine::effort);
        if seats[0] > seats[1] {
            efforts.swap(0, 1);
        }
        Record {
            game: self.game,
            opening: self.opening,
            seats,
            start: self.start,
            opening_moves: self.opening_moves,
            moves: self.moves,
            winner: match self.result {
                Outcome::Black => Some(Color::Black),
                Outcome::White => Some(Color::White),
                Outcome::Draw => None,
            },
            black_points: self.score,
            end_reason: self.end_reason,
            problem: self.problem,
            efforts,
        }
    }
}

impl EngineLine {
    fn effort(self) -> Effort {
        Effort {
            moves: self.moves,
            nodes: self.nodes.unwrap_or(0),
            moves_with_nodes: self.moves_with_nodes,
            depths: self.depths.unwrap_or(0),
            moves_with_depth: self.moves_with_depth,
            time: from_milliseconds(self.time_ms),
            longest: from_milliseconds(self.max_time_ms),
        }
    }
}

/// Returns a time in milliseconds, exact to the microsecond.
pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn from_milliseconds(time: f64) -> Duration {
    Duration::from_micros((time * 1000.0).round().max(0.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: u64) -> Record {
        let effort = Effort {
            moves: 30,
            nodes: 12_345,
            moves_with_nodes: 29,
            depths: 111,
            moves_with_depth: 28,
            time: Duration::from_micros(1_234_567),
            longest: Duration::from_micros(89),
        };
        Record {
            game,
            opening: 3,
            seats: if game.is_multiple_of(2) { [0, 2] } else { [2, 0] },
            start: (game > 1).then(|| "9,9 - - W".to_owned()),
            opening_moves: "f5 d6".to_owned(),
            moves: "c3".to_owned(),
            winner: [None, Some(Color::White), Some(Color::Black)][game as usize % 3],
            black_points: (game != 1).then_some(-4),
            end_reason: if game == 1 { EndReason::Crash } else { EndReason::Rules },
            problem: (game == 1).then(|| "it \"ended\"".to_owned()),
            efforts: [effort, Effort { time: Duration::from_micros(5), ..Effort::default() }],
        }
    }

    #[test]
    fn a_game_is_read_as_it_was_written() {
        let names = ["a", "b", "c"];
        let lines: String = (0..4).map(|game| log_line(&record(game), &names, "id") + "\n").collect();
        let cut = format!("{lines}{{\"match\":\"id");
        let (records, bytes) = read_log(cut.as_bytes(), &names, "id").unwrap();
        assert_eq!(bytes, lines.len() as u64);
        assert!(records.into_iter().eq((0..4).map(|game| (game, record(game)))));
    }

    #[test]
    fn what_is_of_another_match_is_refused() {
        let line = log_line(&record(0), &["a", "b", "c"], "id");
        let error = |text: &str, names: &[&str], of: &str| read_log(text.as_bytes(), names, of).unwrap_err();
        assert!(matches!(error(&format!("{line}\n"), &["a", "b", "c"], "x"), ReadLogError::OtherMatch { line: 1 }));
        assert!(matches!(error(&format!("\n{line}\n"), &["a"], "id"), ReadLogError::Name { line: 2, .. }));
        assert!(matches!(error("{}\n", &[], ""), ReadLogError::Line { line: 1, .. }));
    }
}
