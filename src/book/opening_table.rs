//! Opening tables as books: the rows of `morello database openings`, which have the values of all positions some plies after the start.

use std::collections::{BTreeSet, HashMap};

use super::entry::{BookEntry, BookMove, BookScore, Provenance, Source, distinct_moves, least_image};
use super::graph::{BookGraph, Successor, successor};
use crate::game::{AnyGame, AnyMove, AnyPosition, Certainty, Confidence, Game, Position as _, Score};

/// A row of an opening table.
pub(super) struct OpeningRow<'a> {
    /// The moves from the start.
    pub(super) opening: &'a str,
    /// The position after them.
    pub(super) position: &'a str,
    /// `win`, `draw` or `loss`, for the side to move.
    pub(super) outcome: &'a str,
    /// The plies to the end of the game, if it is no draw.
    pub(super) plies: Option<u32>,
    /// The best moves that keep the outcome, each with the chance that it is answered badly: `d6 0.410; f4 0.320`.
    pub(super) replies: Option<&'a str>,
}

/// A proved score: the points for the side to move, and the plies to the end of a game that is no draw.
type Value = (i32, Option<u32>);

/// Returns a score of a database.
fn scored((points, plies): Value, certainty: Certainty) -> BookScore {
    // A database answers without a search.
    let provenance = Provenance { source: Source::Database, depth: 0, confidence: Confidence::FULL };
    BookScore { score: Score { plies, ..Score::of(points, certainty) }, provenance }
}

/// Orders values for the side to move: quick wins first, and long losses before quick ones.
fn order(&(points, plies): &Value) -> (i32, i64) {
    let plies = i64::from(plies.unwrap_or(0));
    (points, if points > 0 { -plies } else { plies })
}

/// Returns the value for the other side, one ply earlier.
fn before((points, plies): Value) -> Value {
    (-points, plies.map(|plies| plies.saturating_add(1)))
}

/// An opening table, of which rows are read.
#[derive(Default)]
pub(super) struct OpeningTable {
    /// The number of plies of the openings.
    plies: Option<usize>,
    values: HashMap<AnyPosition, Value>,
    replies: Vec<(AnyPosition, Vec<AnyMove>)>,
}

impl OpeningTable {
    /// Adds a row.
    pub(super) fn add(&mut self, game: &'static dyn AnyGame, row: &OpeningRow) -> Result<(), String> {
        let mut played = Game::new(game.start());
        for text in row.opening.split_whitespace() {
            let m = played.position().parse_move(text).map_err(|error| format!("opening: {error}"))?;
            played.play(m).map_err(|error| format!("opening: {error}"))?;
        }
        let plies = played.moves().len();
        let expected = *self.plies.get_or_insert(plies);
        if plies != expected {
            return Err(format!("opening: {plies} plies, but those before have {expected}"));
        }
        let position = game.parse_position(row.position).map_err(|error| format!("position: {error}"))?;
        if position != *played.position() {
            return Err(format!("position: the opening leads to `{}`", played.position()));
        }
        let points = match row.outcome {
            "win" => 1,
            "draw" => 0,
            "loss" => -1,
            other => return Err(format!("outcome: expected win, draw or loss, found `{other}`")),
        };
        if (points == 0) != row.plies.is_none() {
            return Err(format!(
                "plies: {} plies",
                if points == 0 { "a draw has no" } else { "a win or loss needs its" }
            ));
        }
        let least = position.canonical();
        if self.values.insert(least, (points, row.plies)).is_some() {
            return Err("position: another row has the same or a symmetric one".to_owned());
        }
        let to = (0..game.symmetries()).find(|&k| position.transform(k) == least).unwrap_or(0);
        let replies = row.replies.unwrap_or_default().split(';').filter_map(|reply| reply.split_whitespace().next());
        let replies = replies.map(|text| match position.parse_move(text) {
            Ok(m) => Ok(least_image(&least, m.transform(to))),
            Err(error) => Err(format!("replies: {error}")),
        });
        self.replies.push((least, replies.collect::<Result<_, _>>()?));
        Ok(())
    }

    /// Adds the table to a book in memory: all positions before the openings with the values of all moves, and the openings with their replies.
    pub(super) fn add_to(mut self, game: &'static dyn AnyGame, graph: &mut BookGraph) -> Result<(), String> {
        let Some(plies) = self.plies else { return Ok(()) };
        let lacks = |ply: usize| format!("the table is not complete: positions after {ply} plies are missing");
        // The canonical positions by ply. Those of a complete table are no more than its rows.
        let mut levels = vec![BTreeSet::from([game.start().canonical()])];
        for ply in 1..=plies {
            let mut next = BTreeSet::new();
            for position in &levels[ply - 1] {
                let after = distinct_moves(position).into_iter().map(|m| successor(position, m));
                next.extend(after.filter_map(|after| match after {
                    Successor::Position(after, _) => Some(after),
                    Successor::End(_) => None,
                }));
                if next.len() > self.values.len() {
                    return Err(lacks(plies));
                }
            }
            levels.push(next);
        }
        for (position, replies) in &self.replies {
            add_replies(graph, position, self.values[position], replies);
        }
        for (ply, level) in levels.iter().enumerate().take(plies).rev() {
            let mut values = HashMap::new();
            for position in level {
                let mut entry = BookEntry::default();
                let mut best: Option<Value> = None;
                for m in distinct_moves(position) {
                    let value = match successor(position, m) {
                        Successor::End(points) => (points, Some(1).filter(|_| points != 0)),
                        Successor::Position(next, _) => before(*self.values.get(&next).ok_or_else(|| lacks(ply + 1))?),
                    };
                    entry.moves.push(BookMove { m, score: scored(value, Certainty::Exact), is_linked: false });
                    best = best.into_iter().chain([value]).max_by_key(order);
                }
                entry.sort();
                values.insert(*position, best.ok_or_else(|| lacks(ply))?);
                graph.merge(*position, &entry);
            }
            self.values = values;
        }
        Ok(())
    }
}

/// Adds the replies to an opening, the best first, with a limit for all others.
fn add_replies(graph: &mut BookGraph, position: &AnyPosition, value: Value, replies: &[AnyMove]) {
    // Moves that win or lose have other numbers of plies than the best one; those that draw are equal.
    let equal = if value.0 == 0 { replies } else { &replies[..replies.len().min(1)] };
    // Several replies may be images of each other.
    let distinct: BTreeSet<_> = equal.iter().map(|&m| u16::from(m)).collect();
    let known = |m: AnyMove| BookMove { m, score: scored(value, Certainty::Exact), is_linked: false };
    let moves = distinct_moves(position).into_iter().filter(|&m| distinct.contains(&m.into())).map(known);
    let rest = Some(scored((value.0, None), Certainty::AtMost));
    let entry = BookEntry { moves: moves.collect(), rest, ..BookEntry::default() };
    if !entry.moves.is_empty() {
        graph.merge(*position, &entry);
    }
}
