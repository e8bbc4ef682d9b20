//! One node of the tree: draws, the table, the order of the moves, and the search of each of them.

use super::{INFINITY, MAX_DEPTH, PROVED, Run, WIN};
use crate::game::{Evaluator, GameRules, LOUD, Score, Scoring};
use crate::search::Selectivity;
use crate::search::table::{Bound, COMPLETE, Entry};

/// Where a search is.
#[derive(Clone, Copy)]
pub(super) struct Node<P> {
    pub position: P,
    /// Plies since the last irreversible move.
    pub quiet: u32,
    /// Plies still to search.
    pub depth: u32,
    /// Plies since the root.
    pub ply: u32,
}

/// A look into a database may have to wait for a disk: of a clock that is looked at every so many nodes it counts as several.
const NODES_OF_A_PROBE: u64 = 32;

/// What a node came to.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub value: i32,
    /// Every line was followed to the end of the game, or to a position whose result is known.
    pub complete: bool,
    /// Place in the path (from 1) of the earliest position that the value owes something to; [`NOTHING`] if it owes nothing to the path.
    pub leans_on: usize,
}

/// What a selective search thinks of a node before it searches it.
enum Judged {
    /// An estimate beyond the window.
    Settled(i32),
    /// It must be searched; this is what quiet moves may come to at most.
    Open(Option<i32>),
}

/// The value holds on every path.
pub(super) const NOTHING: usize = usize::MAX;

impl Found {
    /// A value that the position alone decides.
    fn settled(value: i32, complete: bool) -> Self {
        Self { value, complete, leans_on: NOTHING }
    }
}

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> Run<'_, P, E> {
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

    /// Returns the value that the evaluator knows of a position, if the settings leave the time for it.
    fn known(&mut self, position: &P, quiet: u32, ply: u32) -> Option<Found> {
        let solved = self.searcher.evaluator.solved(position, quiet)?;
        self.stop.hurry(NODES_OF_A_PROBE);
        let in_time = self.game.settings().leave_time(self.plies_played(ply), quiet, solved.plies);
        let value = (solved.outcome as i32) * (WIN - (ply + solved.plies) as i32);
        (in_time || solved.outcome.is_eq()).then(|| Found::settled(value, true))
    }

    fn plies_played(&self, ply: u32) -> u32 {
        self.game.moves().len() as u32 + ply
    }

    /// Returns the key of a position in the table, where the plies that are left to a draw make it another position, and the symmetry that
    /// the table has it under.
    fn table_key(&self, position: &P, quiet: u32, ply: u32) -> (u64, usize) {
        let (key, symmetry) = self.searcher.evaluator.table_key(position);
        let settings = self.game.settings();
        let left = |limit: Option<u32>, count: u32| limit.map_or(0, |limit| u64::from(limit.saturating_sub(count)) + 1);
        let quiet_limit = position.no_progress_limit().into_iter().chain(settings.no_progress).min();
        let (quiet, plies) = (left(quiet_limit, quiet), left(settings.ply_cap, self.plies_played(ply)));
        // One table has what selective searches found and, apart, what those did that leave nothing out: not to take the one for the other.
        let key = if self.searcher.selectivity.is_some() && self.selectivity.is_none() { !key } else { key };
        (key ^ (quiet << 32 | plies).wrapping_mul(0x9e37_79b9_7f4a_7c15), symmetry)
    }

    /// Returns the value of a node in the window, or beyond it on the right side; `None` if the search was stopped or given up.
    pub(super) fn node(&mut self, node: &Node<P>, alpha: i32, beta: i32) -> Option<Found> {
        if self.stop.nodes() >= self.give_up_at || !self.stop.visit() {
            return None;
        }
        let &Node { ref position, quiet, depth, ply } = node;
        self.searcher.pv[ply as usize].clear();
        let key = position.key();
        let (table_key, symmetry) = if depth > 0 { self.table_key(position, quiet, ply) } else { (key, 0) };
        if depth > 0 {
            // The memory answers while it is seen whether the game is drawn.
            self.table.prefetch(table_key);
        }
        if (P::CYCLIC || self.game.settings().ply_cap.is_some())
            && let Some(found) = self.drawn(position, key, quiet, ply)
        {
            // The position may also be over by its own rules, and they come first.
            let over = position.is_over();
            return Some(if over { Found::settled(Self::final_value(position, ply), true) } else { found });
        }
        if ply > 0
            && let Some(found) = self.known(position, quiet, ply)
        {
            return Some(found);
        }
        if depth == 0 || ply >= MAX_DEPTH {
            let over = position.is_over();
            let value =
                if over { Self::final_value(position, ply) } else { self.searcher.evaluator.evaluate(position) };
            return Some(Found::settled(value, over));
        }

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

        let judged = if beta - alpha == 1 { self.judge(position, alpha, beta, depth) } else { Judged::Open(None) };
        let hopes = match judged {
            Judged::Settled(value) => return Some(Found::settled(value, false)),
            Judged::Open(hopes) => hopes,
        };

        let first = self.searcher.moves.len();
        self.generate(position, ply);
        if self.searcher.moves.len() == first {
            return Some(Found::settled(Self::final_value(position, ply), true));
        }
        let table_move =
            entry.and_then(|entry| self.find(first, |m| P::transform_move(m, symmetry).into() == entry.code));
        // The root keeps its place on the path, if not always its name.
        self.path.push(if ply > 0 || self.root_recurs { key } else { !key });
        let depth = match self.selectivity {
            Some(_) if ply > 0 && entry.is_none() => depth - Selectivity::reduction_if_unknown(depth),
            _ => depth,
        };
        let node = Node { depth, ..*node };
        let found = self.moves(&node, alpha, beta, first, table_move.is_some(), hopes);
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
            code: P::transform_move(best.expect("the node has a move"), symmetry).into(),
        };
        self.table.insert(table_key, entry);
        // What leans on this very position, or on one below it, leans on nothing above.
        Some(Found { leans_on: if leans { found.leans_on } else { NOTHING }, ..found })
    }

    /// Judges a node of a selective search, with a null window, without searching it.
    fn judge(&self, position: &P, alpha: i32, beta: i32, depth: u32) -> Judged {
        let Some(selectivity) = self.selectivity.filter(|selectivity| selectivity.judges(depth)) else {
            return Judged::Open(None);
        };
        if alpha.abs() >= PROVED || position.is_over() {
            return Judged::Open(None);
        }
        let value = self.searcher.evaluator.evaluate(position);
        if let Some(worth) = selectivity.worth(value, depth).filter(|&worth| worth >= beta) {
            return Judged::Settled(worth);
        }
        match selectivity.hopes(value, depth) {
            Some(hopes) if hopes <= alpha && self.searcher.evaluator.is_calm(position) => Judged::Settled(hopes),
            hopes => Judged::Open(hopes),
        }
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

    /// Appends the legal moves, in no order.
    fn generate(&mut self, position: &P, ply: u32) {
        let legal = position.legal_moves().map(|m| (0, m));
        if ply == 0 {
            self.searcher.moves.extend(legal.filter(|(_, m)| !self.left_out.contains(m)));
        } else {
            self.searcher.moves.extend(legal);
        }
    }

    /// Brings the move that is asked for to index `first`, and returns it if it is among those from there on.
    fn find(&mut self, first: usize, is_asked_for: impl Fn(P::Move) -> bool) -> Option<P::Move> {
        let moves = &mut self.searcher.moves[first..];
        let place = moves.iter().position(|&(_, m)| is_asked_for(m))?;
        moves.swap(0, place);
        Some(moves[0].1)
    }

    /// Judges the moves from index `first` on.
    fn order(&mut self, position: &P, depth: u32, ply: u32, first: usize) {
        let searcher = &mut *self.searcher;
        let side = position.side_to_move().index();
        let moves = &mut searcher.moves[first..];
        for (value, m) in &mut *moves {
            *value = searcher.ordering.score(ply as usize, side, (*m).into());
        }
        // Just above the leaves, making every move to judge it costs more than it saves.
        if depth > 1 || self.selectivity.is_some() {
            searcher.evaluator.order_all(position, moves);
        }
    }

    /// Searches the moves from index `first` on, and leaves the best one there. Quiet moves are left out if `hopes`, what they may come to
    /// at most, is not enough.
    fn moves(
        &mut self,
        node: &Node<P>,
        alpha: i32,
        beta: i32,
        first: usize,
        has_table_move: bool,
        hopes: Option<i32>,
    ) -> Option<Found> {
        let &Node { ref position, quiet, depth, ply } = node;
        let end = self.searcher.moves.len();
        let mut best = Found { value: -INFINITY, complete: true, leans_on: NOTHING };
        let mut best_index = first;
        let mut low = alpha;
        for index in first..end {
            if index == first + usize::from(has_table_move) {
                // Not before the move of the table has failed.
                self.order(position, depth, ply, index);
            }
            let mut loud = true;
            if index > first || !has_table_move {
                let rest = &mut self.searcher.moves[index..end];
                let mut next_best = 0;
                for i in 1..rest.len() {
                    if rest[i].0 > rest[next_best].0 {
                        next_best = i;
                    }
                }
                rest.swap(0, next_best);
                // What the search has learnt may have taken something away, but not that much.
                loud = self.searcher.moves[index].0 >= LOUD / 2;
            }
            let m = self.searcher.moves[index].1;
            if !loud
                && let Some(hopes) = hopes
                && hopes <= low
            {
                // Quiet moves come last: what is left out here are all the others.
                best = Found { value: best.value.max(hopes), complete: false, ..best };
                break;
            }
            let next_quiet = if position.is_irreversible(m) { 0 } else { quiet + 1 };
            let mut next = Node { position: position.after(m), quiet: next_quiet, depth: depth - 1, ply: ply + 1 };
            let mut found = Found::settled(beta, false);
            if index > first {
                let reduced = !loud && self.selectivity.is_some();
                let reduction = if reduced { Selectivity::reduction(depth, index - first) } else { 0 };
                if reduction > 0 {
                    next.depth -= reduction;
                    found = self.child(&next, low, low + 1)?;
                    next.depth += reduction;
                }
                if found.value > low {
                    found = self.child(&next, low, low + 1)?;
                }
            }
            if index == first || found.value > low && found.value < beta {
                found = self.child(&next, low, beta)?;
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

    /// Returns what a position after a move comes to for the side that made it.
    fn child(&mut self, next: &Node<P>, low: i32, high: i32) -> Option<Found> {
        self.node(next, -high, -low).map(|found| Found { value: -found.value, ..found })
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
