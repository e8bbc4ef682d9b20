//! One node of the tree: draws, the table, the order of the moves, and the search of each of them.

use super::{INFINITY, MAX_DEPTH, PROVEN_WIN, SearchState, WIN};
use crate::game::{Evaluator, GameRules, Score, Scoring, TACTICAL_THRESHOLD};
use crate::search::Selectivity;
use crate::search::table::{Bound, COMPLETE_DEPTH, Entry};

/// Where a search is.
#[derive(Clone, Copy)]
pub(super) struct Node<P> {
    pub position: P,
    /// Plies since the last irreversible move.
    pub halfmove_clock: u32,
    /// Plies still to search.
    pub depth: u32,
    /// Plies since the root.
    pub ply: u32,
}

/// A look into a database may have to wait for a disk: of a clock that is looked at every so many nodes it counts as several.
const NODES_PER_PROBE: u64 = 32;

/// What a node came to.
#[derive(Clone, Copy)]
pub(super) struct NodeResult {
    pub value: i32,
    /// Every line was followed to the end of the game, or to a position whose result is known.
    pub complete: bool,
    /// Place in the path (from 1) of the earliest position that the value owes something to; [`PATH_INDEPENDENT`] if it owes nothing to the path.
    pub path_dependency: usize,
}

/// What a selective search thinks of a node before it searches it.
enum StaticPruning {
    /// An estimate beyond the window.
    Cutoff(i32),
    /// It must be searched; this is what quiet moves may come to at most.
    FutilityBound(Option<i32>),
}

/// The value holds on every path.
pub(super) const PATH_INDEPENDENT: usize = usize::MAX;

impl NodeResult {
    /// A value that the position alone decides.
    fn settled(value: i32, complete: bool) -> Self {
        Self { value, complete, path_dependency: PATH_INDEPENDENT }
    }
}

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> SearchState<'_, P, E> {
    /// Returns the value of a position that ends the game.
    fn final_value(position: &P, ply: u32) -> i32 {
        match P::SCORING {
            Scoring::Margin => position.final_score() * Score::POINT,
            Scoring::Distance => position.final_score() * (WIN - ply as i32),
        }
    }

    /// Returns the draw that the path or the length of the game makes of a position that is not over.
    fn drawn(&self, position: &P, key: u64, quiet: u32, ply: u32) -> Option<NodeResult> {
        if ply == 0 {
            return None;
        }
        let settings = self.game.draw_rules();
        let reached = |limit: Option<u32>, count| limit.is_some_and(|limit| count >= limit);
        if reached(position.no_progress_limit(), quiet)
            || reached(settings.no_progress, quiet)
            || reached(settings.ply_cap, self.plies_played(ply))
        {
            return Some(NodeResult::settled(0, true));
        }
        if P::CYCLIC {
            let recurrable = self.path.len().saturating_sub(quiet as usize);
            let repeated = self.path[recurrable..].iter().position(|&earlier| earlier == key)?;
            return Some(NodeResult { value: 0, complete: true, path_dependency: recurrable + repeated + 1 });
        }
        None
    }

    /// Returns the value that the evaluator knows of a position, if the settings leave the time for it.
    fn probe(&mut self, position: &P, quiet: u32, ply: u32) -> Option<NodeResult> {
        let solved = self.searcher.evaluator.known_result(position, quiet)?;
        self.stop.advance_next_check(NODES_PER_PROBE);
        let in_time = self.game.draw_rules().allow_plies(self.plies_played(ply), quiet, solved.plies);
        let value = (solved.outcome as i32) * (WIN - (ply + solved.plies) as i32);
        (in_time || solved.outcome.is_eq()).then(|| NodeResult::settled(value, true))
    }

    fn plies_played(&self, ply: u32) -> u32 {
        self.game.moves().len() as u32 + ply
    }

    /// Returns the key of a position in the table, where the plies that are left to a draw make it another position, and the symmetry that
    /// the table has it under.
    fn table_key(&self, position: &P, quiet: u32, ply: u32) -> (u64, usize) {
        let (key, symmetry) = self.searcher.evaluator.table_key(position);
        let settings = self.game.draw_rules();
        let left = |limit: Option<u32>, count: u32| limit.map_or(0, |limit| u64::from(limit.saturating_sub(count)) + 1);
        let quiet_limit = position.no_progress_limit().into_iter().chain(settings.no_progress).min();
        let (quiet, plies) = (left(quiet_limit, quiet), left(settings.ply_cap, self.plies_played(ply)));
        // One table has what selective searches found and, apart, what those did that leave nothing out: not to take the one for the other.
        let key = if self.searcher.selectivity.is_some() && self.selectivity.is_none() { !key } else { key };
        (key ^ (quiet << 32 | plies).wrapping_mul(0x9e37_79b9_7f4a_7c15), symmetry)
    }

    /// Returns the value of a node in the window, or beyond it on the right side; `None` if the search was stopped or given up.
    pub(super) fn node(&mut self, node: &Node<P>, alpha: i32, beta: i32) -> Option<NodeResult> {
        if self.stop.nodes() >= self.check_node_limit || !self.stop.visit() {
            return None;
        }
        let &Node { ref position, halfmove_clock: quiet, depth, ply } = node;
        self.searcher.pv[ply as usize].clear();
        let key = position.key();
        let (table_key, symmetry) = if depth > 0 { self.table_key(position, quiet, ply) } else { (key, 0) };
        if depth > 0 {
            // The memory answers while it is seen whether the game is drawn.
            self.table.prefetch(table_key);
        }
        if (P::CYCLIC || self.game.draw_rules().ply_cap.is_some())
            && let Some(found) = self.drawn(position, key, quiet, ply)
        {
            // The position may also be over by its own rules, and they come first.
            let over = position.is_over();
            return Some(if over { NodeResult::settled(Self::final_value(position, ply), true) } else { found });
        }
        if ply > 0
            && let Some(found) = self.probe(position, quiet, ply)
        {
            return Some(found);
        }
        if depth == 0 || ply >= MAX_DEPTH {
            let over = position.is_over();
            let value =
                if over { Self::final_value(position, ply) } else { self.searcher.evaluator.evaluate(position) };
            return Some(NodeResult::settled(value, over));
        }

        // With moves left out the root is not the position that the table knows, but the move named there may be worth a try.
        let whole = ply > 0 || self.excluded_moves.is_empty();
        let entry = self.table.get(table_key);
        if let Some(entry) = entry
            && whole
            && beta - alpha == 1
            && let Some(found) = self.table_cutoff(entry, alpha, beta, depth, ply)
        {
            return Some(found);
        }

        let judged = if beta - alpha == 1 {
            self.prune_statically(position, alpha, beta, depth)
        } else {
            StaticPruning::FutilityBound(None)
        };
        let hopes = match judged {
            StaticPruning::Cutoff(value) => return Some(NodeResult::settled(value, false)),
            StaticPruning::FutilityBound(hopes) => hopes,
        };

        let first = self.searcher.moves.len();
        self.generate(position, ply);
        if self.searcher.moves.len() == first {
            return Some(NodeResult::settled(Self::final_value(position, ply), true));
        }
        let table_move =
            entry.and_then(|entry| self.find(first, |m| P::transform_move(m, symmetry).into() == entry.code));
        // The root keeps its place on the path, if not always its name.
        self.path.push(if ply > 0 || self.root_repetition_draws { key } else { !key });
        let depth = match self.selectivity {
            Some(_) if ply > 0 && entry.is_none() => depth - Selectivity::internal_iterative_reduction(depth),
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
        let leans = found.path_dependency < own_place;
        let entry = Entry {
            value: if P::SCORING == Scoring::Distance { value_to_table(found.value, ply) } else { found.value },
            bound: if leans { Bound::None } else { bound },
            depth: if found.complete && !leans {
                COMPLETE_DEPTH
            } else {
                depth.min(u32::from(COMPLETE_DEPTH) - 1) as u8
            },
            code: P::transform_move(best.expect("the node has a move"), symmetry).into(),
        };
        self.table.insert(table_key, entry);
        // What leans on this very position, or on one below it, leans on nothing above.
        Some(NodeResult { path_dependency: if leans { found.path_dependency } else { PATH_INDEPENDENT }, ..found })
    }

    /// Judges a node of a selective search, with a null window, without searching it.
    fn prune_statically(&self, position: &P, alpha: i32, beta: i32, depth: u32) -> StaticPruning {
        let Some(selectivity) = self.selectivity.filter(|selectivity| selectivity.applies_at(depth)) else {
            return StaticPruning::FutilityBound(None);
        };
        if alpha.abs() >= PROVEN_WIN || position.is_over() {
            return StaticPruning::FutilityBound(None);
        }
        let value = self.searcher.evaluator.evaluate(position);
        if let Some(worth) = selectivity.reverse_futility_bound(value, depth).filter(|&worth| worth >= beta) {
            return StaticPruning::Cutoff(worth);
        }
        match selectivity.futility_bound(value, depth) {
            Some(hopes) if hopes <= alpha && self.searcher.evaluator.is_quiet(position) => StaticPruning::Cutoff(hopes),
            hopes => StaticPruning::FutilityBound(hopes),
        }
    }

    /// Returns the value of an entry if it settles the null window.
    fn table_cutoff(&self, entry: Entry, alpha: i32, beta: i32, depth: u32, ply: u32) -> Option<NodeResult> {
        let deep_enough =
            if self.searcher.equal_depths { u32::from(entry.depth) == depth } else { u32::from(entry.depth) >= depth };
        let value = if P::SCORING == Scoring::Distance { value_from_table(entry.value, ply) } else { entry.value };
        let settles = match entry.bound {
            Bound::None => false,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
            Bound::Exact => true,
        };
        (deep_enough && settles).then(|| NodeResult::settled(value, entry.depth == COMPLETE_DEPTH))
    }

    /// Appends the legal moves, in no order.
    fn generate(&mut self, position: &P, ply: u32) {
        let legal = position.legal_moves().map(|m| (0, m));
        if ply == 0 {
            self.searcher.moves.extend(legal.filter(|(_, m)| !self.excluded_moves.contains(m)));
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
            searcher.evaluator.score_moves(position, moves);
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
    ) -> Option<NodeResult> {
        let &Node { ref position, halfmove_clock: quiet, depth, ply } = node;
        let end = self.searcher.moves.len();
        let mut best = NodeResult { value: -INFINITY, complete: true, path_dependency: PATH_INDEPENDENT };
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
                loud = self.searcher.moves[index].0 >= TACTICAL_THRESHOLD / 2;
            }
            let m = self.searcher.moves[index].1;
            if !loud
                && let Some(hopes) = hopes
                && hopes <= low
            {
                // Quiet moves come last: what is left out here are all the others.
                best = NodeResult { value: best.value.max(hopes), complete: false, ..best };
                break;
            }
            let next_quiet = if position.is_irreversible(m) { 0 } else { quiet + 1 };
            let mut next =
                Node { position: position.after(m), halfmove_clock: next_quiet, depth: depth - 1, ply: ply + 1 };
            let mut found = NodeResult::settled(beta, false);
            if index > first {
                let reduced = !loud && self.selectivity.is_some();
                let reduction = if reduced { Selectivity::late_move_reduction(depth, index - first) } else { 0 };
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
            best.path_dependency = best.path_dependency.min(found.path_dependency);
        }
        self.searcher.moves.swap(first, best_index);
        Some(best)
    }

    /// Returns what a position after a move comes to for the side that made it.
    fn child(&mut self, next: &Node<P>, low: i32, high: i32) -> Option<NodeResult> {
        self.node(next, -high, -low).map(|found| NodeResult { value: -found.value, ..found })
    }
}

/// Turns the value of a proved win or loss from plies since the root into plies from this node.
fn value_to_table(value: i32, ply: u32) -> i32 {
    value + distance_shift(value, ply)
}

/// The inverse of [`value_to_table`].
fn value_from_table(value: i32, ply: u32) -> i32 {
    value - distance_shift(value, ply)
}

fn distance_shift(value: i32, ply: u32) -> i32 {
    if value.abs() > PROVEN_WIN { value.signum() * ply as i32 } else { 0 }
}
