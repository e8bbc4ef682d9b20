//! Iterative deepening and principal-variation alpha-beta, for every game.
//!
//! Inside, a value is in thousandths of a point for the side to move. In games scored by distance a proved win is worth [`WIN`] less the
//! plies to it, so that the sooner win is the higher value.
//!
//! Two things beside the value travel up the tree. A value is *complete* when every line below it was followed to the end of the game: no
//! deeper search can change it, and the search is over when the root's is. And a value *leans* on the earliest position of the path that
//! it owes something to, by a repetition: such a value holds on this path alone, so it enters the table only at or above that position
//! (the graph-history interaction).

use std::sync::Arc;
use std::time::Duration;

use super::ordering::Ordering;
use super::table::{Bound, COMPLETE, Entry, View};
use super::{Stop, Table};
use crate::game::{
    Bounds, Cancel, Certainty, Confidence, Evaluator, Game, Limits, Line, Position, Report, Score, Scoring, Searcher,
};

/// A win on the spot, in games scored by distance.
const WIN: i32 = 1_000_000;

/// Values beyond this, of either sign, are proved wins and losses.
const PROVED: i32 = WIN - 10_000;

/// Beyond every value.
const INFINITY: i32 = WIN + 1;

/// The deepest iteration, and the longest path.
const MAX_DEPTH: u32 = 240;

/// Half the first aspiration window.
const ASPIRATION: i32 = 200;

/// The generic searcher: iterative deepening, principal-variation alpha-beta with aspiration, a shared table, killers, history and the
/// evaluator's order.
///
/// It cuts off nothing but what cannot matter: but for transpositions into deeper lines ([`AlphaBeta::only_equal_depths`]) the score is
/// that of a plain negamax of the same depth.
///
/// Of several lines each is the best that begins with none of the moves before it, searched to the same depth as they. A
/// [window](Limits::window) is not heeded.
pub struct AlphaBeta<P: Position, E> {
    evaluator: E,
    table: Arc<Table>,
    equal_depths: bool,
    ordering: Ordering,
    /// Moves with their order, of all plies of the path one after the other.
    moves: Vec<(i32, P::Move)>,
    /// The principal variation from each ply on.
    pv: Vec<Vec<P::Move>>,
}

impl<P: Position, E: Evaluator<P> + Clone + 'static> AlphaBeta<P, E> {
    /// Creates a searcher with a table of at most `hash_bytes` bytes.
    #[must_use]
    pub fn new(evaluator: E, hash_bytes: usize) -> Self {
        Self::with_table(evaluator, Arc::new(Table::new(hash_bytes)))
    }

    fn with_table(evaluator: E, table: Arc<Table>) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        Self {
            evaluator,
            table,
            equal_depths: false,
            ordering: Ordering::new(plies),
            moves: Vec::with_capacity(4096),
            pv: (0..=plies).map(|ply| Vec::with_capacity(plies.saturating_sub(ply))).collect(),
        }
    }

    /// Makes the search use values of the table only where they were searched to the very depth that is asked, so that the score is that of
    /// a plain negamax; for comparisons, since it is slower.
    #[must_use]
    pub fn only_equal_depths(self) -> Self {
        Self { equal_depths: true, ..self }
    }
}

impl<P: Position, E: Evaluator<P> + Clone + 'static> Searcher<P> for AlphaBeta<P, E> {
    fn search(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<P>),
    ) -> Report<P> {
        let stop = Stop::new(limits, cancel);
        let position = *game.position();
        if game.end().is_some() {
            let score = if position.is_over() { position.final_score() } else { 0 };
            return over(score, stop.elapsed());
        }
        let table = Arc::clone(&self.table);
        self.ordering.clear();
        let quiet = game.quiet_plies();
        let mut path = Vec::with_capacity(game.recurrable().len() + MAX_DEPTH as usize);
        path.extend(game.recurrable().iter().map(P::key));
        path.pop();
        let mut run = Run { searcher: self, game, table: table.begin(), path, stop, left_out: Vec::new() };
        let mut report = run.unsearched(&position, limits.lines.max(1));
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            let Some(lines) = run.lines(&position, quiet, depth, &report.lines) else { break };
            report = run.report(lines, depth);
            on_info(&report);
            if report.lines.iter().all(|line| line.score.is_exact()) {
                break;
            }
        }
        report.nodes = run.stop.nodes();
        report.time = run.stop.elapsed();
        report
    }

    fn fork(&self) -> Box<dyn Searcher<P>> {
        let fork = Self::with_table(self.evaluator.clone(), Arc::clone(&self.table));
        Box::new(Self { equal_depths: self.equal_depths, ..fork })
    }

    fn clear(&mut self) {
        self.table.clear();
    }
}

/// Reports a game that is over.
fn over<P: Position>(score: i32, time: Duration) -> Report<P> {
    let plies = (P::SCORING == Scoring::Distance && score != 0).then_some(0);
    let line = Line { score: Score { plies, ..Score::exact(score) }, pv: Vec::new() };
    Report { lines: vec![line], bounds: Bounds::exact(score), depth: 0, confidence: Confidence::FULL, nodes: 0, time }
}

/// What a node came to.
#[derive(Clone, Copy)]
struct Found {
    value: i32,
    /// Every line was followed to the end of the game.
    complete: bool,
    /// Place in the path (from 1) of the earliest position that the value owes something to; [`NOTHING`] if it owes nothing to the path.
    leans_on: usize,
}

/// The value holds on every path.
const NOTHING: usize = usize::MAX;

impl Found {
    /// A value that the position alone decides.
    fn settled(value: i32, complete: bool) -> Self {
        Self { value, complete, leans_on: NOTHING }
    }
}

/// One search.
struct Run<'a, P: Position, E> {
    searcher: &'a mut AlphaBeta<P, E>,
    game: &'a Game<P>,
    table: View<'a>,
    /// Keys of the positions on the path, those of the game that can still recur first.
    path: Vec<u64>,
    stop: Stop,
    /// Moves of the root that better lines begin with.
    left_out: Vec<P::Move>,
}

impl<P: Position, E: Evaluator<P> + Clone + 'static> Run<'_, P, E> {
    /// Reports what can be said before the first iteration.
    fn unsearched(&mut self, position: &P, lines: usize) -> Report<P> {
        let evaluator = &self.searcher.evaluator;
        let score = Score { thousandths: evaluator.evaluate(position), certainty: Certainty::Heuristic, plies: None };
        let mut moves: Vec<_> = position.legal_moves().collect();
        moves.sort_by_cached_key(|&m| std::cmp::Reverse(evaluator.order(position, m, &position.after(m))));
        let lines = moves.into_iter().take(lines).map(|m| Line { score, pv: vec![m] }).collect();
        Report {
            lines,
            bounds: Bounds::default(),
            depth: 0,
            confidence: Confidence::FULL,
            nodes: 0,
            time: Duration::ZERO,
        }
    }

    fn report(&self, lines: Vec<Line<P>>, depth: u32) -> Report<P> {
        let score = lines.first().expect("a game that goes on has a line").score;
        let bounds = if score.is_exact() { Bounds::exact(score.thousandths / Score::POINT) } else { Bounds::default() };
        Report {
            lines,
            bounds,
            depth,
            confidence: Confidence::FULL,
            nodes: self.stop.nodes(),
            time: self.stop.elapsed(),
        }
    }

    /// Searches as many lines as were expected, each without the first moves of those before it; returns them best first, or `None` if the
    /// search was stopped.
    fn lines(&mut self, position: &P, quiet: u32, depth: u32, expected: &[Line<P>]) -> Option<Vec<Line<P>>> {
        self.left_out.clear();
        let mut lines: Vec<Line<P>> = Vec::with_capacity(expected.len());
        for expected in expected {
            let found = self.aspire(position, quiet, depth, expected.score)?;
            let mut score = Self::score(found, depth);
            if let Some(better) = lines.last()
                && better.score.thousandths < score.thousandths
            {
                // Only through values that the table has from greater depths; to call it exact would be to doubt the better line.
                score = Score { certainty: Certainty::Heuristic, plies: None, ..better.score };
            }
            let pv = self.searcher.pv[0].clone();
            self.left_out.extend(pv.first());
            lines.push(Line { score, pv });
        }
        Some(lines)
    }

    /// Turns the value of a root into a score.
    fn score(found: Found, depth: u32) -> Score {
        let value = found.value;
        if P::SCORING == Scoring::Distance && value.abs() > PROVED {
            let plies = (WIN - value.abs()) as u32;
            // A win found beyond the depth, through the table, need not be the shortest.
            let exact = found.complete || plies <= depth;
            Score {
                thousandths: value.signum() * if exact { Score::POINT } else { Score::POINT - 1 },
                certainty: if exact { Certainty::Exact } else { Certainty::Heuristic },
                plies: exact.then_some(plies),
            }
        } else {
            let certainty = if found.complete { Certainty::Exact } else { Certainty::Heuristic };
            Score { thousandths: value, certainty, plies: None }
        }
    }

    /// Searches the root, first in a narrow window around the value of the iteration before.
    fn aspire(&mut self, position: &P, quiet: u32, depth: u32, expected: Score) -> Option<Found> {
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        let mut margin = ASPIRATION;
        if depth >= 3 && !expected.is_exact() {
            (alpha, beta) = (expected.thousandths - margin, expected.thousandths + margin);
        }
        loop {
            let found = self.node(position, quiet, alpha, beta, depth, 0)?;
            margin *= 4;
            if found.value <= alpha && alpha > -INFINITY {
                alpha = if margin > 4 * ASPIRATION { -INFINITY } else { found.value - margin };
            } else if found.value >= beta && beta < INFINITY {
                beta = if margin > 4 * ASPIRATION { INFINITY } else { found.value + margin };
            } else {
                return Some(found);
            }
        }
    }

    /// Returns the value of a position that ends the game.
    fn final_value(position: &P, ply: u32) -> i32 {
        match P::SCORING {
            Scoring::Margin => position.final_score() * Score::POINT,
            Scoring::Distance => position.final_score() * (WIN - ply as i32),
        }
    }

    /// Returns the draw that the path or the length of the game makes of a position that is not over.
    fn drawn(&self, position: &P, key: u64, quiet: u32, ply: u32) -> Option<Found> {
        if ply == 0 {
            return None;
        }
        let settings = self.game.settings();
        let reached = |limit: Option<u32>, count| limit.is_some_and(|limit| count >= limit);
        if reached(position.no_progress_limit(), quiet)
            || reached(settings.no_progress, quiet)
            || reached(settings.ply_cap, self.plies_played(ply))
        {
            return Some(Found::settled(0, true));
        }
        if P::CYCLIC {
            let recurrable = self.path.len().saturating_sub(quiet as usize);
            let repeated = self.path[recurrable..].iter().position(|&earlier| earlier == key)?;
            return Some(Found { value: 0, complete: true, leans_on: recurrable + repeated + 1 });
        }
        None
    }

    fn plies_played(&self, ply: u32) -> u32 {
        self.game.moves().len() as u32 + ply
    }

    /// Returns the key of a position in the table: where plies are counted to a draw, with another count it is another position.
    fn table_key(&self, position: &P, key: u64, quiet: u32, ply: u32) -> u64 {
        let settings = self.game.settings();
        let counts_quiet = position.no_progress_limit().is_some() || settings.no_progress.is_some();
        let quiet = if counts_quiet { u64::from(quiet) + 1 } else { 0 };
        let played = if settings.ply_cap.is_some() { u64::from(self.plies_played(ply)) + 1 } else { 0 };
        key ^ (quiet << 32 | played).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns the value of a node in the window, or beyond it on the right side; `None` if the search was stopped.
    fn node(&mut self, position: &P, quiet: u32, alpha: i32, beta: i32, depth: u32, ply: u32) -> Option<Found> {
        if !self.stop.visit() {
            return None;
        }
        let line = ply as usize;
        self.searcher.pv[line].clear();
        let key = position.key();
        if (P::CYCLIC || self.game.settings().ply_cap.is_some())
            && let Some(found) = self.drawn(position, key, quiet, ply)
        {
            // The position may also be over by its own rules, and they come first.
            let over = position.is_over();
            return Some(if over { Found::settled(Self::final_value(position, ply), true) } else { found });
        }
        if depth == 0 || ply >= MAX_DEPTH {
            let over = position.is_over();
            let value =
                if over { Self::final_value(position, ply) } else { self.searcher.evaluator.evaluate(position) };
            return Some(Found::settled(value, over));
        }

        let table_key = self.table_key(position, key, quiet, ply);
        // With moves left out the root is not the position that the table knows, but the move named there may be worth a try.
        let whole = ply > 0 || self.left_out.is_empty();
        let entry = self.table.get(table_key);
        if let Some(entry) = entry
            && whole
            && beta - alpha == 1
            && let Some(found) = self.table_cutoff(entry, alpha, beta, depth, ply)
        {
            return Some(found);
        }

        let first = self.searcher.moves.len();
        self.generate(position, depth, ply, entry.map(|entry| entry.code));
        if self.searcher.moves.len() == first {
            return Some(Found::settled(Self::final_value(position, ply), true));
        }
        self.path.push(key);
        let found = self.moves(position, quiet, alpha, beta, depth, ply, first);
        self.path.pop();
        let best = self.searcher.moves.get(first).map(|&(_, m)| m);
        self.searcher.moves.truncate(first);
        let found = found?;
        if !whole {
            return Some(found);
        }

        let own_place = self.path.len() + 1;
        let bound = match found.value {
            value if value <= alpha => Bound::Upper,
            value if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let leans = found.leans_on < own_place;
        let entry = Entry {
            value: if P::SCORING == Scoring::Distance { from_here(found.value, ply) } else { found.value },
            bound: if leans { Bound::None } else { bound },
            depth: if found.complete && !leans { COMPLETE } else { depth.min(u32::from(COMPLETE) - 1) as u8 },
            code: best.expect("the node has a move").into(),
        };
        self.table.insert(table_key, entry);
        // What leans on this very position, or on one below it, leans on nothing above.
        Some(Found { leans_on: if leans { found.leans_on } else { NOTHING }, ..found })
    }

    /// Returns the value of an entry if it settles the null window.
    fn table_cutoff(&self, entry: Entry, alpha: i32, beta: i32, depth: u32, ply: u32) -> Option<Found> {
        let deep_enough =
            if self.searcher.equal_depths { u32::from(entry.depth) == depth } else { u32::from(entry.depth) >= depth };
        let value = if P::SCORING == Scoring::Distance { from_root(entry.value, ply) } else { entry.value };
        let settles = match entry.bound {
            Bound::None => false,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
            Bound::Exact => true,
        };
        (deep_enough && settles).then(|| Found::settled(value, entry.depth == COMPLETE))
    }

    /// Appends the legal moves with their order.
    fn generate(&mut self, position: &P, depth: u32, ply: u32, table_move: Option<u16>) {
        let searcher = &mut *self.searcher;
        let side = position.side_to_move().index();
        let left_out = if ply == 0 { &self.left_out[..] } else { &[] };
        for m in position.legal_moves().filter(|m| !left_out.contains(m)) {
            let code: u16 = m.into();
            let order = if table_move == Some(code) {
                i32::MAX
            } else {
                let learnt = searcher.ordering.score(ply as usize, side, code);
                // Just above the leaves, making every move to judge it costs more than it saves.
                let judged = if depth > 1 { searcher.evaluator.order(position, m, &position.after(m)) } else { 0 };
                learnt.saturating_add(judged)
            };
            searcher.moves.push((order, m));
        }
    }

    /// Searches the moves from index `first` on, and leaves the best one there.
    #[allow(clippy::too_many_arguments)]
    fn moves(
        &mut self,
        position: &P,
        quiet: u32,
        alpha: i32,
        beta: i32,
        depth: u32,
        ply: u32,
        first: usize,
    ) -> Option<Found> {
        let end = self.searcher.moves.len();
        let mut best = Found { value: -INFINITY, complete: true, leans_on: NOTHING };
        let mut best_index = first;
        let mut low = alpha;
        for index in first..end {
            let next_best = (index..end).max_by_key(|&i| (self.searcher.moves[i].0, std::cmp::Reverse(i)));
            self.searcher.moves.swap(index, next_best.expect("the range is not empty"));
            let m = self.searcher.moves[index].1;
            let next = position.after(m);
            let next_quiet = if position.is_irreversible(m) { 0 } else { quiet + 1 };
            let mut child = |low: i32, high: i32| {
                self.node(&next, next_quiet, -high, -low, depth - 1, ply + 1).map(|f| Found { value: -f.value, ..f })
            };
            let mut found = if index == first { child(low, beta)? } else { child(low, low + 1)? };
            if index > first && found.value > low && found.value < beta {
                found = child(low, beta)?;
            }
            if found.value > best.value {
                best.value = found.value;
                best_index = index;
                if found.value > low {
                    low = found.value;
                    let (above, below) = self.searcher.pv.split_at_mut(ply as usize + 1);
                    above[ply as usize].clear();
                    above[ply as usize].push(m);
                    above[ply as usize].extend_from_slice(&below[0]);
                }
            }
            if found.value >= beta {
                // One refutation is enough: what the others came to does not matter.
                best = found;
                let code = m.into();
                let (searcher, side) = (&mut *self.searcher, position.side_to_move().index());
                let tried = searcher.moves[first..index].iter().map(|&(_, m)| m.into());
                searcher.ordering.cutoff(ply as usize, side, depth, code, tried);
                break;
            }
            best.complete &= found.complete;
            best.leans_on = best.leans_on.min(found.leans_on);
        }
        self.searcher.moves.swap(first, best_index);
        Some(best)
    }
}

/// Turns the value of a proved win or loss from plies since the root into plies from this node.
fn from_here(value: i32, ply: u32) -> i32 {
    value + distance_shift(value, ply)
}

/// The inverse of [`from_here`].
fn from_root(value: i32, ply: u32) -> i32 {
    value - distance_shift(value, ply)
}

fn distance_shift(value: i32, ply: u32) -> i32 {
    if value.abs() > PROVED { value.signum() * ply as i32 } else { 0 }
}
