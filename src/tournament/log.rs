//! The log of a match: a JSON object on a line for each finished game.

use std::time::Duration;

use serde::Serialize;

use super::{Effort, EndReason, Record};
use crate::game::Color;

/// A line of the log.
#[derive(Serialize)]
struct Line<'a> {
    game: u64,
    opening: usize,
    black: &'a str,
    white: &'a str,
    /// "black", "white" or "draw".
    result: &'static str,
    /// Points on the board for Black.
    score: Option<i32>,
    end_reason: EndReason,
    problem: Option<&'a str>,
    opening_moves: &'a str,
    moves: &'a str,
    engines: [EngineLine<'a>; 2],
}

/// What one engine's moves took.
#[derive(Serialize)]
struct EngineLine<'a> {
    name: &'a str,
    moves: u64,
    nodes: Option<u64>,
    mean_depth: Option<f64>,
    time_ms: f64,
    max_time_ms: f64,
}

/// Writes a game as a line of a log, without its end; `names` are those of the players.
#[must_use]
pub fn log_line(record: &Record, names: [&str; 2]) -> String {
    let player = |color: Color| names[record.seats[color.index()]];
    let engine = |index: usize| {
        let Effort { moves, nodes, moves_with_nodes, depths, moves_with_depth, time, longest } = record.efforts[index];
        EngineLine {
            name: names[index],
            moves,
            nodes: (moves_with_nodes > 0).then_some(nodes),
            mean_depth: (moves_with_depth > 0).then(|| depths as f64 / moves_with_depth as f64),
            time_ms: milliseconds(time),
            max_time_ms: milliseconds(longest),
        }
    };
    let line = Line {
        game: record.game,
        opening: record.opening,
        black: player(Color::Black),
        white: player(Color::White),
        result: match record.winner {
            None => "draw",
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
        },
        score: record.black_points,
        end_reason: record.end_reason,
        problem: record.problem.as_deref(),
        opening_moves: &record.opening_moves,
        moves: &record.moves,
        engines: [engine(0), engine(1)],
    };
    serde_json::to_string(&line).expect("a line is made of texts and numbers")
}

/// Returns a time in milliseconds, exact to the microsecond.
pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
