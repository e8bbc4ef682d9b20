//! [`BookGraph`]: a book in memory, with its links.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use morello_core::game::{AnyMove, AnyPosition, Certainty, Confidence, Position as _, Score};
use morello_core::sorting;
use serde::{Deserialize, Serialize};

use super::entry::{BookEntry, BookMove, BookScore, Provenance, Source, distinct_moves};
use super::file::BookError;
use super::writer::BookWriter;

/// The number of passes over a book of a game whose positions can recur. Each pass propagates
/// scores one ply up.
const CYCLIC_PASSES: u32 = 64;

/// The position or result after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Successor {
    /// The canonical position in which a side again has a choice, and whether the opponent passed
    /// before it.
    Position(AnyPosition, bool),
    /// The game is over, with this score for the side that moved.
    End(i32),
}

/// Returns the successor of a position after a legal move. Positions in which the side to move must
/// pass are not part of a book.
///
/// ```
/// use morello::book::{Successor, successor};
/// use morello::game::Position as _;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// let m = start.parse_move("f5")?;
/// assert_eq!(successor(&start, m), Successor::Position(start.after(m).canonical(), false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn successor(position: &AnyPosition, m: AnyMove) -> Successor {
    let next = position.after(m);
    match next.forced_pass() {
        _ if next.is_over() => Successor::End(-next.final_score()),
        Some(pass) if next.after(pass).is_over() => Successor::End(next.after(pass).final_score()),
        Some(pass) => Successor::Position(next.after(pass).canonical(), true),
        None => Successor::Position(next.canonical(), false),
    }
}

/// Returns whether a score equals another proved score and has plies.
fn is_proved_by_plies(known: &BookScore, other: &BookScore) -> bool {
    let is_same = known.score.thousandths == other.score.thousandths;
    known.score.is_exact() && known.score.plies.is_some() && is_same
}

/// A book in memory: canonical positions with their entries.
///
/// Load it from a writer, change it, and store it.
///
/// ```
/// use morello::book::{BookGraph, BookWriter, learn};
/// use morello::games;
/// use morello::input::read_game;
///
/// let othello = games::get("othello")?;
/// let folder = tempfile::tempdir()?;
/// let mut writer = BookWriter::open(&folder.path().join("mine.book"), othello)?;
/// let mut graph = BookGraph::load(&writer)?;
/// learn(&mut graph, &read_game(othello, "f5d6c3d3")?, 3, None);
/// graph.store(&mut writer)?;
/// assert_eq!(BookGraph::load(&writer)?.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct BookGraph {
    entries: HashMap<AnyPosition, BookEntry>,
    /// The positions whose entries differ from the file.
    changed: HashSet<AnyPosition>,
}

morello_core::debug_fields!(BookGraph { entries.len(), changed.len() });

/// A position reached from the roots of a visit. It may or may not be in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Visit {
    /// The canonical position.
    pub position: AnyPosition,
    /// The plies from the start of the game, not counting passes. In games without a fixed number
    /// of plies, the plies from the root.
    pub ply: u32,
    /// The points that both sides lose on the best path to it, in thousandths.
    pub loss: i32,
}

/// The moves that a visit of a book follows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Breadth {
    /// The maximum ply of moves that are followed.
    pub plies: u32,
    /// The maximum loss per move, in points compared with the best move.
    pub error: f64,
    /// The maximum total loss of both sides on a path, in points.
    pub budget: f64,
    /// Paths without loss are followed further, up to this ply, with one best move each.
    pub best_plies: u32,
}

impl Breadth {
    /// All moves.
    pub const ALL: Self = Self { plies: u32::MAX, error: f64::INFINITY, budget: f64::INFINITY, best_plies: 0 };

    /// Returns whether a move with this loss, in thousandths, is followed from a position at this
    /// ply.
    fn follows(&self, from: &Visit, loss: i32, is_first: bool) -> bool {
        let sum = f64::from(from.loss) + f64::from(loss);
        let is_within = |limit: f64, value: f64| value <= limit * f64::from(Score::POINT) + 1e-6;
        from.ply < self.plies && is_within(self.error, loss.into()) && is_within(self.budget, sum)
            || from.ply < self.best_plies && is_first && sum == 0.0
    }
}

impl BookGraph {
    /// Loads a book.
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn load(writer: &BookWriter) -> Result<Self, BookError> {
        let mut graph = Self::default();
        writer.for_each(&mut |position, entry| drop(graph.entries.insert(position, entry)))?;
        Ok(graph)
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entry of a canonical position.
    #[must_use]
    pub fn get(&self, canonical: &AnyPosition) -> Option<&BookEntry> {
        self.entries.get(canonical)
    }

    /// Returns all canonical positions and entries, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&AnyPosition, &BookEntry)> {
        self.entries.iter()
    }

    /// Sets the entry of a canonical position.
    pub fn set(&mut self, canonical: AnyPosition, entry: BookEntry) {
        if self.entries.get(&canonical) != Some(&entry) {
            self.changed.insert(canonical);
            self.entries.insert(canonical, entry);
        }
    }

    /// Adds the information from another book about a canonical position.
    pub fn merge(&mut self, canonical: AnyPosition, other: &BookEntry) {
        let mut entry = self.entries.get(&canonical).cloned().unwrap_or_default();
        entry.merge(other);
        self.set(canonical, entry);
    }

    /// Passes the changed entries to a writer and commits them.
    ///
    /// # Errors
    /// [`BookError`] if they cannot be written.
    pub fn store(&mut self, writer: &mut BookWriter) -> Result<(), BookError> {
        for position in self.changed.drain() {
            writer.put(position, self.entries[&position].clone());
        }
        writer.commit()
    }

    /// Links the moves whose successors are in the book, and propagates their scores up to all
    /// positions that lead to them. Returns the number of changed entries.
    pub fn negamax(&mut self) -> usize {
        let mut order: Vec<AnyPosition> = self.entries.keys().copied().collect();
        // In games that fill the board, one pass from the end propagates all scores.
        let key = |position: &AnyPosition| (position.empty_count(), position.key());
        sorting::sort_by(&mut order, &|a, b| key(a).cmp(&key(b)));
        let is_cyclic = order.first().is_some_and(|position| position.empty_count().is_none());
        let mut changed = HashSet::new();
        for _ in 0..if is_cyclic { CYCLIC_PASSES } else { 1 } {
            let before = changed.len();
            let mut any = false;
            for position in &order {
                let linked = self.linked(position);
                if linked != self.entries[position] {
                    any = true;
                    changed.insert(*position);
                    self.set(*position, linked);
                }
            }
            if !any && before == changed.len() {
                break;
            }
        }
        changed.len()
    }

    /// Returns the entry of a position with the current scores of its linked moves.
    fn linked(&self, position: &AnyPosition) -> BookEntry {
        let mut entry = self.entries[position].clone();
        let can_recur = position.empty_count().is_none();
        for m in distinct_moves(position) {
            let score = match successor(position, m) {
                Successor::End(points) => {
                    let depth = position.empty_count().unwrap_or(1).min(255) as u8;
                    let provenance = Provenance { source: Source::THIS, depth, confidence: Confidence::FULL };
                    // The book does not contain finished games, but their scores are known.
                    (entry.find(m).is_none()).then_some((BookScore { score: Score::exact(points), provenance }, false))
                }
                Successor::Position(next, passed) => {
                    self.entries.get(&next).and_then(|entry| entry.score(&next)).map(|score| {
                        let before = score.before(can_recur);
                        (if passed { before.before(can_recur) } else { before }, true)
                    })
                }
            };
            let has_scores = !entry.moves.is_empty() || entry.rest.is_some();
            let known = entry.moves.iter_mut().find(|known| known.m == m);
            match (known, score) {
                // A proved score with plies is more informative than a propagated one without
                // plies.
                (Some(known), Some((score, is_linked)))
                    if score.score.is_exact()
                        && score.score.plies.is_none()
                        && is_proved_by_plies(&known.score, &score) =>
                {
                    known.is_linked = is_linked;
                }
                (Some(known), Some((score, is_linked))) => *known = BookMove { m, score, is_linked },
                (Some(known), None) => known.is_linked = false,
                // A move that no search has scored says little about the position until other moves
                // have scores.
                (None, Some((score, is_linked))) if has_scores => {
                    entry.moves.push(BookMove { m, score, is_linked });
                }
                (None, _) => {}
            }
        }
        if entry.is_complete(position) {
            entry.rest = None;
        }
        entry.sort();
        entry
    }

    /// Visits the positions to which moves within `breadth` lead from the roots, each once, the
    /// positions with the smallest loss first. The roots are canonical positions with their plies.
    /// `visit` gets the entry, or `None` for a position that is not in the book.
    ///
    /// ```
    /// use morello::book::{BookGraph, Breadth, BookEntry, BookMove, BookScore, Provenance, Source};
    /// use morello::game::{Certainty, Confidence, Position as _, Score};
    /// use morello::games;
    ///
    /// let start = games::get("othello")?.start().canonical();
    /// let m = start.legal_moves().next().expect("the start has moves");
    /// let provenance = Provenance { source: Source::THIS, depth: 10, confidence: Confidence::LOWEST };
    /// let score = BookScore { score: Score::of(0, Certainty::Heuristic), provenance };
    /// let mut graph = BookGraph::default();
    /// graph.set(start, BookEntry { moves: vec![BookMove { m, score, is_linked: false }], ..BookEntry::default() });
    /// let mut plies = Vec::new();
    /// graph.visit(&[(start, 0)], &Breadth::ALL, &mut |visit, entry| plies.push((visit.ply, entry.is_some())));
    /// assert_eq!(plies, [(0, true), (1, false)]);
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    pub fn visit(
        &self,
        roots: &[(AnyPosition, u32)],
        breadth: &Breadth,
        visit: &mut dyn FnMut(&Visit, Option<&BookEntry>),
    ) {
        let mut heap = BinaryHeap::new();
        let mut waiting: Vec<Visit> = Vec::new();
        let mut best: HashMap<AnyPosition, i32> = HashMap::new();
        let push = |heap: &mut BinaryHeap<_>, waiting: &mut Vec<Visit>, next: Visit| {
            heap.push(Reverse((next.loss, next.ply, waiting.len())));
            waiting.push(next);
        };
        for &(position, ply) in roots {
            push(&mut heap, &mut waiting, Visit { position, ply, loss: 0 });
        }
        let mut done = HashSet::new();
        while let Some(Reverse((_, _, number))) = heap.pop() {
            let here = waiting[number];
            if !done.insert(here.position) {
                continue;
            }
            let entry = self.entries.get(&here.position);
            visit(&here, entry);
            let Some((entry, top)) = entry.and_then(|entry| Some((entry, entry.best()?))) else { continue };
            for (place, known) in entry.moves.iter().enumerate() {
                let loss = top.score.score.thousandths - known.score.score.thousandths;
                let Successor::Position(position, _) = successor(&here.position, known.m) else { continue };
                let next = Visit { position, ply: here.ply + 1, loss: here.loss + loss };
                let is_better = best.get(&position).is_none_or(|&least| next.loss < least);
                if breadth.follows(&here, loss, place == 0) && is_better {
                    best.insert(position, next.loss);
                    push(&mut heap, &mut waiting, next);
                }
            }
        }
    }

    /// Removes all positions except those that moves within `breadth` reach from the roots and
    /// those with at least `min_games` games. Returns the number of removed positions.
    pub fn prune(&mut self, roots: &[(AnyPosition, u32)], breadth: &Breadth, min_games: Option<u64>) -> usize {
        let mut kept = HashSet::new();
        self.visit(roots, breadth, &mut |visit, _| {
            kept.insert(visit.position);
        });
        let before = self.entries.len();
        let has_games = |entry: &BookEntry| min_games.is_some_and(|least| entry.games.total() >= least);
        self.entries.retain(|position, entry| kept.contains(position) || has_games(entry));
        self.changed.retain(|position| self.entries.contains_key(position));
        before - self.entries.len()
    }

    /// Returns the contents for [`BookWriter::rewrite`].
    pub fn into_entries(self) -> impl Iterator<Item = (AnyPosition, BookEntry)> {
        self.entries.into_iter()
    }

    /// Removes invalid moves: illegal moves, duplicates, and links to missing positions. Then
    /// propagates scores. Returns the number of changed entries.
    pub fn fix(&mut self) -> usize {
        let mut fixed = HashSet::new();
        for position in self.entries.keys().copied().collect::<Vec<_>>() {
            let distinct = distinct_moves(&position);
            let mut entry = self.entries[&position].clone();
            let mut seen = HashSet::new();
            entry.moves.retain(|known| distinct.contains(&known.m) && seen.insert(known.m));
            if entry.rest.is_some_and(|rest| rest.score.certainty == Certainty::AtLeast) {
                entry.rest = None;
            }
            if entry != self.entries[&position] {
                fixed.insert(position);
                self.set(position, entry);
            }
        }
        fixed.len() + self.negamax()
    }
}

#[cfg(test)]
mod tests;
