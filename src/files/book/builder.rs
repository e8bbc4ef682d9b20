//! [`Builder`]: extends and improves a book by searches.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use morello_core::game::{
    AnyGame, AnyMove, AnyPosition, Cancel, Color, Confidence, Game, Limits, Line, Position as _, Report, Score,
    Searcher,
};
use morello_core::threads;
use serde::{Deserialize, Serialize};

use super::entry::BookEntry;
use super::file::BookError;
use super::graph::{BookGraph, Breadth, Visit};
use super::lines::move_images;
use super::played::book_positions;
use super::writer::{BookWriter, today};

/// The number of searches between two updates of the book's scores.
const BATCH: usize = 64;
/// The maximum number of searches of a position per run.
const MAX_ATTEMPTS: u32 = 6;
/// The changes are committed after this time.
const COMMIT_INTERVAL: Duration = Duration::from_secs(3);

/// The positions and moves that a builder searches.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// The limits of each search. The builder sets the number of lines.
    pub limits: Limits,
    /// The moves that the build follows.
    pub breadth: Breadth,
    /// Lines whose positions are all added to the book, whatever their scores; each begins at the
    /// start of the game.
    pub named: Vec<Game>,
    /// The positions from which moves are followed, with their plies; usually the start of the
    /// game.
    pub roots: Vec<(AnyPosition, u32)>,
    /// Other canonical positions to search, with their plies, the most important first. Their moves
    /// are not followed.
    pub leaves: Vec<(AnyPosition, u32)>,
    /// Whether positions are added; otherwise only positions in the book are searched.
    pub adds_positions: bool,
    /// The maximum number of positions in the book.
    pub max_positions: u64,
}

impl BuildOptions {
    /// Returns options that follow the moves of `breadth` from the start of the game, and add any
    /// number of positions.
    ///
    /// ```
    /// use morello::book::{Breadth, BuildOptions};
    /// use morello::game::Limits;
    /// use morello::games;
    ///
    /// let options = BuildOptions::new(games::get("othello-4x4")?, Limits::exact(), Breadth::ALL);
    /// // Improve the positions in a book without adding positions:
    /// let options = BuildOptions { adds_positions: false, ..options };
    /// assert_eq!(options.roots[0].1, 0, "from the start of the game");
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    #[must_use]
    pub fn new(game: &dyn AnyGame, limits: Limits, breadth: Breadth) -> Self {
        let roots = vec![(game.start().canonical(), 0)];
        let (named, leaves) = (Vec::new(), Vec::new());
        Self { limits, breadth, named, roots, leaves, adds_positions: true, max_positions: u64::MAX }
    }
}

/// The progress of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BookProgress {
    /// The number of searches in this run.
    pub searches: u64,
    /// The number of positions known to need a search.
    pub waiting: u64,
    /// The number of positions in the book.
    pub positions: u64,
    /// The ply of the last search.
    pub ply: u32,
}

/// The result of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BuildResult {
    /// The number of searches in this run.
    pub searches: u64,
    /// The number of positions in the book.
    pub positions: u64,
    /// Whether nothing is left to search.
    pub is_complete: bool,
}

/// Extends a book by searches. Positions that are reached with the smallest loss are searched
/// first. Each position is searched with as many moves as may be followed. After a number of
/// searches, the scores are propagated up to earlier positions, and the next positions are
/// selected.
///
/// All state is in the book, so a new build with the same options continues an interrupted one. A
/// build with a higher level searches all positions again, the best first.
pub struct Builder<'a> {
    options: BuildOptions,
    writer: &'a mut BookWriter,
    graph: BookGraph,
    named: Vec<(AnyPosition, u32)>,
    /// The number of searches of each position in this run.
    attempts: HashMap<AnyPosition, u32>,
}

morello_core::debug_fields!(Builder<'_> { writer, graph });

impl<'a> Builder<'a> {
    /// Loads the book and propagates its scores.
    ///
    /// # Errors
    /// [`BookError`] if the book cannot be read.
    pub fn new(writer: &'a mut BookWriter, options: BuildOptions) -> Result<Self, BookError> {
        let mut graph = BookGraph::load(writer)?;
        graph.negamax();
        let mut named = Vec::new();
        for line in &options.named {
            named.extend(book_positions(line, usize::MAX).map(|(ply, position)| (position, ply)));
        }
        let mut seen = HashSet::new();
        named.retain(|&(position, _)| seen.insert(position));
        Ok(Self { options, writer, graph, named, attempts: HashMap::new() })
    }

    /// Returns the number of positions in the book.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.graph.len() as u64
    }

    /// Searches until nothing is left to do or `cancel` is raised, with one thread per searcher.
    /// Commits the changes from time to time and at the end.
    ///
    /// # Errors
    /// [`BookError`] if the book cannot be written.
    ///
    /// # Panics
    /// If a searcher panics.
    pub fn run(
        &mut self,
        searchers: &mut [Box<dyn Searcher>],
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(&BookProgress),
    ) -> Result<BuildResult, BookError> {
        let (mut searches, mut committed) = (0, Instant::now());
        let is_complete = loop {
            let (tasks, waiting) = self.tasks(self.batch(searchers.len()));
            if tasks.is_empty() || cancel.is_cancelled() {
                break tasks.is_empty();
            }
            let Self { graph, options, writer, attempts, .. } = &mut *self;
            let (day, positions) = (today(), graph.len() as u64);
            let (mut found, mut new) = (Vec::new(), 0);
            let mut failed = Ok(());
            search_all(graph, options, &tasks, searchers, cancel, &mut |visit, report| {
                let entry = updated(graph, &visit.position, &report, day);
                writer.put(visit.position, entry.clone());
                found.push((visit.position, entry));
                new += u64::from(graph.get(&visit.position).is_none());
                if committed.elapsed() >= COMMIT_INTERVAL && failed.is_ok() {
                    failed = writer.commit();
                    committed = Instant::now();
                }
                let done = found.len() as u64;
                on_progress(&BookProgress {
                    searches: searches + done,
                    waiting: waiting.saturating_sub(done),
                    positions: positions + new,
                    ply: visit.ply,
                });
            });
            failed?;
            searches += found.len() as u64;
            for (position, entry) in found {
                *attempts.entry(position).or_default() += 1;
                graph.set(position, entry);
            }
            graph.negamax();
        };
        self.graph.store(self.writer)?;
        Ok(BuildResult { searches, positions: self.positions(), is_complete })
    }

    /// Returns the number of searches until the scores are propagated again. Propagation takes time
    /// in proportion to the size of the book.
    fn batch(&self, threads: usize) -> usize {
        BATCH.max(2 * threads).max(self.graph.len() / BATCH)
    }

    /// Returns the next positions to search, the most important first, and the total number of
    /// positions to search.
    fn tasks(&self, count: usize) -> (Vec<Visit>, u64) {
        let roots: Vec<_> = self.options.roots.iter().chain(&self.named).copied().collect();
        let mut left = self.options.max_positions.saturating_sub(self.graph.len() as u64);
        let (mut tasks, mut waiting, mut visited) = (Vec::new(), 0, HashSet::new());
        let mut add = |visit: &Visit, entry: Option<&BookEntry>| {
            if !visited.insert(visit.position) {
                return;
            }
            let is_needed = match entry {
                None => self.options.adds_positions && left > 0,
                // Searches whose scores vary could request each other forever.
                Some(_) if self.attempts.get(&visit.position).is_some_and(|&count| count >= MAX_ATTEMPTS) => false,
                Some(entry) => self.needs_search(visit, entry),
            };
            if is_needed {
                if entry.is_none() {
                    left -= 1;
                }
                waiting += 1;
                if tasks.len() < count {
                    tasks.push(*visit);
                }
            }
        };
        self.graph.visit(&roots, &self.options.breadth, &mut add);
        for &(position, ply) in &self.options.leaves {
            add(&Visit { position, ply, loss: 0 }, self.graph.get(&position));
        }
        (tasks, waiting)
    }

    /// Returns whether the scores of a position are shallower than the scores of this builder's
    /// searches, or moves without a score may be followed.
    fn needs_search(&self, visit: &Visit, entry: &BookEntry) -> bool {
        let Some(best) = entry.best() else { return true };
        if entry.score(&visit.position).is_some_and(|score| score.score.is_exact()) {
            return false;
        }
        let margin = margin(&self.options.breadth, visit.ply);
        let limit = f64::from(best.score.score.thousandths) - margin;
        if entry.rest.is_some_and(|rest| f64::from(rest.score.thousandths) >= limit) {
            return true;
        }
        // A move that is not linked has the score of a search in this position, like the limit of
        // the other moves.
        let (depth, confidence) = required(&self.options.limits, &visit.position);
        let is_shallow = |depth_found: u8, found: Confidence| (u32::from(depth_found), found) < (depth, confidence);
        let own = entry.moves.iter().filter(|known| !known.is_linked && !known.score.score.is_exact());
        let own = own.map(|known| &known.score).chain(entry.rest.iter().filter(|rest| !rest.score.is_bound()));
        own.into_iter().any(|score| is_shallow(score.provenance.depth, score.provenance.confidence))
    }
}

/// Returns the entry of a position after a search.
fn updated(graph: &BookGraph, position: &AnyPosition, report: &Report, day: u16) -> BookEntry {
    let mut entry = BookEntry::of_report(position, report, day);
    if let Some(old) = graph.get(position) {
        entry.games = old.games;
        for known in &old.moves {
            match entry.moves.iter_mut().find(|new| new.m == known.m) {
                // Scores of links come from deeper positions. A score that is proved or deeper is
                // not replaced.
                Some(new) if known.is_linked || known.score.is_better_than(&new.score) => *new = *known,
                Some(_) => {}
                // The new limit of the other moves also covers a move with a shallower score.
                None if known.is_linked || entry.rest.is_none_or(|rest| known.score.is_better_than(&rest)) => {
                    entry.moves.push(*known);
                }
                None => {}
            }
        }
        entry.sort();
    }
    entry
}

/// Returns, in thousandths, how much worse than the best move a move at this ply may be to need a
/// score.
fn margin(breadth: &Breadth, ply: u32) -> f64 {
    let points = if ply < breadth.plies { breadth.error.min(breadth.budget) } else { 0.0 };
    points * f64::from(Score::POINT)
}

/// Returns the depth and confidence that a search with these limits reaches if no other limit stops
/// it.
fn required(limits: &Limits, position: &AnyPosition) -> (u32, Confidence) {
    let empties = position.empty_count().unwrap_or(u32::MAX);
    let confidence = limits.confidence.unwrap_or(Confidence::LOWEST);
    match limits.depth.filter(|_| limits.time.is_none() && limits.nodes.is_none()) {
        Some(_) if limits.exact_from.is_some_and(|from| empties <= from) => (empties, Confidence::FULL),
        Some(depth) => (depth.min(empties), confidence),
        // Without a depth limit, one search is enough.
        None => (0, Confidence::LOWEST),
    }
}

/// Searches the positions of all tasks. Calls `on_done` on this thread after each search.
fn search_all(
    graph: &BookGraph,
    options: &BuildOptions,
    tasks: &[Visit],
    searchers: &mut [Box<dyn Searcher>],
    cancel: &Cancel,
    on_done: &mut dyn FnMut(&Visit, Report),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for searcher in searchers {
            let (next, sender) = (&next, sender.clone());
            threads::spawn_in(
                scope,
                Box::new(move || {
                    while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let report = search(graph, options, task, &mut **searcher, cancel);
                        if cancel.is_cancelled() || sender.send((task, report)).is_err() {
                            break;
                        }
                    }
                }),
            );
        }
        drop(sender);
        while let Ok((task, report)) = receiver.recv() {
            on_done(task, report);
        }
    });
}

/// Searches a position. Increases the number of moves until the worst of them is not followed, or
/// all moves are searched. Moves to other positions in the book get their scores from these
/// positions; they are not searched if the searcher can skip them.
fn search(
    graph: &BookGraph,
    options: &BuildOptions,
    task: &Visit,
    searcher: &mut dyn Searcher,
    cancel: &Cancel,
) -> Report {
    let Visit { position, ply, .. } = *task;
    let margin = margin(&options.breadth, ply);
    let links = graph.get(&position).into_iter().flat_map(|entry| &entry.moves).filter(|known| known.is_linked);
    let best_link = links.clone().map(|known| known.score.score.thousandths).max();
    let linked: Vec<AnyMove> = links.flat_map(|known| move_images(&position, known.m)).collect();
    let limits = options.limits.with_skipped(linked.iter().map(|&m| m.into()));
    let mut most = position.legal_moves().filter(|m| !linked.contains(m)).count();
    // Without links, one line never shows whether the second move is to be followed.
    let mut lines = if linked.is_empty() { 2 } else { 1 };
    loop {
        let report = searcher.search(&Game::new(position), &limits.with_lines(lines), cancel, &mut |_| ());
        let is_linked = |line: &&Line| line.pv.first().is_some_and(|m| linked.contains(m));
        let best = report.lines.iter().find(|line| !is_linked(line)).map(|line| line.score.thousandths).max(best_link);
        let last = report.lines.last().map(|line| f64::from(line.score.thousandths));
        let is_settled = best.zip(last).is_none_or(|(best, last)| last < f64::from(best) - margin);
        let skips = !report.lines.iter().any(|line| is_linked(&line));
        if !skips {
            most = position.count_moves();
        }
        if is_settled || lines >= most || cancel.is_cancelled() {
            return report;
        }
        // The transposition table contains the previous lines, so the next search mostly adds one
        // line. A searcher that does not skip moves also returns the links.
        lines = (lines + 1).max(if skips { 0 } else { linked.len() + 2 });
    }
}

/// Adds the positions of a game after 0 to `plies` plies, with its result, to a book in memory.
/// `black_points` is the margin by which Black won, negative if White won; `None` if the result is
/// unknown. Returns the number of new positions.
///
/// ```
/// use morello::book::{BookGraph, learn};
/// use morello::games;
/// use morello::input::read_game;
///
/// let othello = games::get("othello")?;
/// let mut graph = BookGraph::default();
/// assert_eq!(learn(&mut graph, &read_game(othello, "f5d6c3d3c4")?, 3, Some(6.0)), 4);
/// // The first three positions of this game are already in the book, up to symmetry.
/// assert_eq!(learn(&mut graph, &read_game(othello, "d3c5f6")?, 2, None), 0);
/// let start = graph.get(&othello.start().canonical()).expect("it was learned");
/// assert_eq!((start.games.wins, start.games.unknown), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn(graph: &mut BookGraph, game: &Game, plies: usize, black_points: Option<f64>) -> usize {
    let (mut added, mut seen) = (0, HashSet::new());
    for (_, canonical) in book_positions(game, plies) {
        // A game that returns to a position is counted once.
        if !seen.insert(canonical) {
            continue;
        }
        let known = graph.get(&canonical);
        added += usize::from(known.is_none());
        let mut entry = known.cloned().unwrap_or_default();
        let sign = if canonical.side_to_move() == Color::Black { 1.0 } else { -1.0 };
        entry.games.add(black_points.map(|points| sign * points));
        graph.set(canonical, entry);
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;
    use morello_core::game::{EngineOptions, any_game};
    use morello_core::othello;

    #[test]
    fn a_position_is_searched_again_if_another_move_may_lose_no_more_than_the_error() {
        let (folder, othello) = (tempfile::tempdir().unwrap(), any_game::<othello::Position>());
        let breadth = Breadth { plies: 2, error: 1.0, budget: f64::INFINITY, best_plies: 0 };
        let limits = Limits::depth(2).with_confidence(Confidence::LOWEST);
        let mut writer = BookWriter::open(&folder.path().join("a.book"), othello).unwrap();
        let builder = Builder::new(&mut writer, BuildOptions::new(othello, limits, breadth)).unwrap();
        let mut game = Game::new(othello.start());
        game.play(othello.start().legal_moves().next().unwrap()).unwrap();
        let position = game.position().canonical();
        let mut searcher = othello.searcher(&EngineOptions::new(1 << 20)).unwrap();
        let report = searcher.search(&Game::new(position), &limits.with_lines(1), &Cancel::new(), &mut |_| ());
        let mut entry = BookEntry::of_report(&position, &report, 0);
        let best = entry.best().unwrap().score.score.thousandths;
        for (loss, is_needed) in [(999, true), (1000, true), (1001, false)] {
            entry.rest.as_mut().expect("one of several moves is known").score.thousandths = best - loss;
            assert_eq!(builder.needs_search(&Visit { position, ply: 1, loss: 0 }, &entry), is_needed, "{loss}");
        }
    }
}
