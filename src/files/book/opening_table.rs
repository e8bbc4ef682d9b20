//! Opening tables as books: reads the rows of `morello database openings`, which contain the values
//! of all positions a number of plies after the start.

use std::collections::{BTreeSet, HashMap};

use morello_core::game::{
    AnyGame, AnyMove, AnyPosition, Certainty, Confidence, Game, Position as _, Score, result_of_name,
};

use super::entry::{BookEntry, BookMove, BookScore, Provenance, Source, canonical_move, distinct_moves};
use super::graph::{BookGraph, Successor, successor};

/// A row of an opening table.
pub(super) struct OpeningRow<'a> {
    /// The moves from the start.
    pub(super) opening: &'a str,
    /// The position after the moves.
    pub(super) position: &'a str,
    /// `win`, `draw` or `loss`, for the side to move.
    pub(super) outcome: &'a str,
    /// The number of plies to the end of the game; `None` for a draw.
    pub(super) plies: Option<u32>,
    /// The best moves that keep the outcome, each with the probability that it is answered badly:
    /// `d6 0.410; f4 0.320`.
    pub(super) replies: Option<&'a str>,
}

/// Adds the provenance of a database to a score.
fn scored(score: Score) -> BookScore {
    let provenance = Provenance { source: Source::Database, depth: 0, confidence: Confidence::FULL };
    BookScore { score, provenance }
}

/// Returns a move with a proved score.
fn proved(m: AnyMove, score: Score) -> BookMove {
    BookMove { m, score: scored(score), is_linked: false }
}

/// The rows of an opening table that were read so far.
#[derive(Default)]
pub(super) struct OpeningTable {
    /// The number of plies of the openings.
    plies: Option<usize>,
    /// The score and the replies of each canonical position, best reply first.
    openings: HashMap<AnyPosition, (Score, Vec<AnyMove>)>,
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
            return Err(format!("opening: {plies} plies, but the rows before have {expected}"));
        }
        let position = game.parse_position(row.position).map_err(|error| format!("position: {error}"))?;
        if position != *played.position() {
            return Err(format!("position: the opening leads to `{}`", played.position()));
        }
        let result = result_of_name(row.outcome);
        let points =
            result.ok_or_else(|| format!("outcome: expected win, draw or loss, found `{}`", row.outcome))? as i32;
        if (points == 0) != row.plies.is_none() {
            return Err(match points {
                0 => "plies: a draw has no plies",
                _ => {
                    "plies: a win or loss needs its plies; build the tables with --values distances and list the \
                        openings again"
                }
            }
            .to_owned());
        }
        let replies = row.replies.unwrap_or_default().split(';').filter_map(|reply| reply.split_whitespace().next());
        let replies = replies.map(|text| match position.parse_move(text) {
            Ok(m) => Ok(canonical_move(&position, m)),
            Err(error) => Err(format!("replies: {error}")),
        });
        let opening = (Score { plies: row.plies, ..Score::exact(points) }, replies.collect::<Result<_, _>>()?);
        if self.openings.insert(position.canonical(), opening).is_some() {
            return Err("position: another row has the same or a symmetric position".to_owned());
        }
        Ok(())
    }

    /// Adds the table to a book in memory: all positions before the openings with the values of all
    /// moves, and the openings with their replies.
    pub(super) fn add_to(self, game: &'static dyn AnyGame, graph: &mut BookGraph) -> Result<(), String> {
        let Some(plies) = self.plies else { return Ok(()) };
        let lacks = |ply: usize| format!("the table is not complete: positions after {ply} plies are missing");
        // The canonical positions by ply. In a complete table, there are no more of them than rows.
        let mut levels = vec![BTreeSet::from([game.start().canonical()])];
        for ply in 1..=plies {
            let mut next = BTreeSet::new();
            for position in &levels[ply - 1] {
                let after = distinct_moves(position).into_iter().map(|m| successor(position, m));
                next.extend(after.filter_map(|after| match after {
                    Successor::Position(after, _) => Some(after),
                    Successor::End(_) => None,
                }));
                if next.len() > self.openings.len() {
                    return Err(lacks(plies));
                }
            }
            levels.push(next);
        }
        let mut scores = HashMap::new();
        for (position, (score, replies)) in self.openings {
            add_replies(graph, &position, score, &replies);
            scores.insert(position, score);
        }
        for (ply, level) in levels.iter().enumerate().take(plies).rev() {
            let mut before = HashMap::new();
            for position in level {
                let mut entry = BookEntry::default();
                for m in distinct_moves(position) {
                    let score = match successor(position, m) {
                        Successor::End(points) => {
                            Score { plies: Some(1).filter(|_| points != 0), ..Score::exact(points) }
                        }
                        Successor::Position(next, _) => {
                            let score = *scores.get(&next).ok_or_else(|| lacks(ply + 1))?;
                            let plies = score.plies.map(|plies| plies.saturating_add(1));
                            Score { thousandths: -score.thousandths, plies, ..score }
                        }
                    };
                    entry.moves.push(proved(m, score));
                }
                entry.sort();
                before.insert(*position, entry.best().ok_or_else(|| lacks(ply))?.score.score);
                graph.merge(*position, &entry);
            }
            scores = before;
        }
        Ok(())
    }
}

/// Adds the replies to an opening, best first, with a limit for all other moves.
fn add_replies(graph: &mut BookGraph, position: &AnyPosition, score: Score, replies: &[AnyMove]) {
    // Other winning or losing replies may have other numbers of plies than the best one; drawing
    // replies are all equal.
    let equal = if score.thousandths == 0 { replies } else { &replies[..replies.len().min(1)] };
    // Several replies may be images of each other.
    let moves = distinct_moves(position).into_iter().filter(|m| equal.contains(m)).map(|m| proved(m, score));
    let rest = Some(scored(Score { certainty: Certainty::AtMost, plies: None, ..score }));
    let entry = BookEntry { moves: moves.collect(), rest, ..BookEntry::default() };
    if !entry.moves.is_empty() {
        graph.merge(*position, &entry);
    }
}
