//! The search of a node: draws, table lookup, move ordering and the recursion.

use super::{DRAW_DISTANCE, INFINITY, MAX_DEPTH, PROVEN_WIN, SearchState, UNKNOWN_DISTANCE, WIN};
use crate::game::{CAPTURE_THRESHOLD, Evaluator, GameRules, Score, Scoring, TACTICAL_THRESHOLD};
use crate::search::Selectivity;
use crate::search::table::{Bound, COMPLETE_DEPTH, Entry};

/// A node of the search tree.
#[derive(Clone, Copy)]
pub(super) struct Node<P> {
    pub position: P,
    /// The plies since the last irreversible move.
    pub halfmove_clock: u32,
    /// The remaining depth in plies.
    pub depth: u32,
    /// The plies since the root.
    pub ply: u32,
    /// The number of consecutive captures since a node without remaining depth.
    pub captures: u32,
}

impl<P: GameRules> Node<P> {
    /// Returns the node after a move.
    fn after(&self, m: P::Move, depth: u32) -> Self {
        let halfmove_clock = if self.position.is_irreversible(m) { 0 } else { self.halfmove_clock + 1 };
        Self { position: self.position.after(m), halfmove_clock, depth, ply: self.ply + 1, captures: 0 }
    }
}

/// A database probe may wait for the disk, so each probe moves the next clock check forward by this
/// many nodes.
const NODES_PER_PROBE: u64 = 32;

/// The result of a node.
#[derive(Clone, Copy)]
pub(super) struct NodeResult {
    pub value: i32,
    /// Whether every line was searched to the end of the game or to a known result.
    pub complete: bool,
    /// The index in the path, from 1, of the earliest position on which the value depends through a
    /// repetition, or [`PATH_INDEPENDENT`].
    pub path_dependency: usize,
}

/// What a selective search decides about a node before searching it.
enum StaticPruning {
    /// Prune the node, with an estimate outside the window.
    Cutoff(i32),
    /// Search the node. The value is an upper bound on the results of quiet moves.
    FutilityBound(Option<i32>),
}

/// The value is valid on every path.
pub(super) const PATH_INDEPENDENT: usize = usize::MAX;

impl NodeResult {
    /// Creates a result that does not depend on the path.
    fn independent(value: i32, complete: bool) -> Self {
        Self { value, complete, path_dependency: PATH_INDEPENDENT }
    }
}

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> SearchState<'_, P, E> {
    /// Returns the value of a position that ends the game.
    fn final_value(position: &P, ply: u32) -> i32 {
        match P::INFO.scoring {
            Scoring::Margin => position.final_score() * Score::POINT,
            Scoring::Distance => position.final_score() * (WIN - ply as i32),
        }
    }

    /// Detects draws by repetition, lack of progress and length. The root is never drawn.
    fn draw(&self, position: &P, key: u64, halfmove_clock: u32, ply: u32) -> Option<NodeResult> {
        if ply == 0 {
            return None;
        }
        let draw_rules = self.game.draw_rules();
        let value = || self.searcher.evaluator.draw_outcome(position) as i32 * (WIN - (ply + DRAW_DISTANCE) as i32);
        let reached = |limit: Option<u32>, count| limit.is_some_and(|limit| count >= limit);
        if reached(position.no_progress_limit(), halfmove_clock)
            || reached(draw_rules.no_progress, halfmove_clock)
            || reached(draw_rules.ply_cap, self.plies_played(ply))
        {
            return Some(NodeResult::independent(value(), true));
        }
        if P::INFO.cyclic {
            let first = self.path.len().saturating_sub(halfmove_clock as usize);
            let index = first + self.path[first..].iter().position(|&earlier| earlier == key)?;
            return Some(NodeResult { value: value(), complete: true, path_dependency: index + 1 });
        }
        None
    }

    /// Returns the evaluator's known result of a position, if the draw rules allow the plies that
    /// it takes.
    fn probe(&mut self, position: &P, halfmove_clock: u32, ply: u32) -> Option<NodeResult> {
        let known = self.searcher.evaluator.known_result(position, halfmove_clock)?;
        self.stop.advance_next_check(NODES_PER_PROBE);
        let allows = |plies| self.game.draw_rules().allow_plies(self.plies_played(ply), halfmove_clock, plies);
        let in_time = known.plies.is_none_or(allows);
        let plies = known.plies.unwrap_or(UNKNOWN_DISTANCE);
        let value = (known.outcome as i32) * (WIN - (ply + plies) as i32);
        (in_time || known.outcome.is_eq()).then(|| NodeResult::independent(value, true))
    }

    fn plies_played(&self, ply: u32) -> u32 {
        self.game.moves().len() as u32 + ply
    }

    /// Returns the table key of a position, and the symmetry that maps the position to the stored
    /// one. The key includes the number of plies left before a draw by lack of progress or length.
    fn table_key(&self, position: &P, halfmove_clock: u32, ply: u32) -> (u64, usize) {
        let (key, symmetry) = self.searcher.evaluator.table_key(position);
        let draw_rules = self.game.draw_rules();
        let left = |limit: Option<u32>, count: u32| limit.map_or(0, |limit| u64::from(limit.saturating_sub(count)) + 1);
        let limit = position.no_progress_limit().into_iter().chain(draw_rules.no_progress).min();
        let (progress, plies) = (left(limit, halfmove_clock), left(draw_rules.ply_cap, self.plies_played(ply)));
        // Selective and full-width searches share the table but use different keys, because their
        // values must not be mixed.
        let key = if self.searcher.selectivity.is_some() && self.selectivity.is_none() { !key } else { key };
        (key ^ (progress << 32 | plies).wrapping_mul(0x9e37_79b9_7f4a_7c15), symmetry)
    }

    /// Returns the value of a node if it lies within the window, and otherwise a bound on the same
    /// side of the window (fail soft). Returns `None` if the search was stopped or aborted.
    pub(super) fn node(&mut self, node: &Node<P>, alpha: i32, beta: i32) -> Option<NodeResult> {
        if self.stop.nodes() >= self.check_node_limit || !self.stop.visit() {
            return None;
        }
        let &Node { ref position, halfmove_clock, depth, ply, .. } = node;
        self.searcher.pv[ply as usize].clear();
        let key = position.key();
        let (table_key, symmetry) = if depth > 0 { self.table_key(position, halfmove_clock, ply) } else { (key, 0) };
        if depth > 0 {
            // Overlaps the memory access with the detection of draws.
            self.table.prefetch(table_key);
        }
        if (P::INFO.cyclic || self.game.draw_rules().ply_cap.is_some())
            && let Some(found) = self.draw(position, key, halfmove_clock, ply)
        {
            // The rules of the game take precedence if they also end the game in this position.
            let over = position.is_over();
            return Some(if over { NodeResult::independent(Self::final_value(position, ply), true) } else { found });
        }
        if ply > 0
            && let Some(found) = self.probe(position, halfmove_clock, ply)
        {
            return Some(found);
        }
        if depth == 0 || ply >= MAX_DEPTH {
            return self.leaf(node, alpha, beta);
        }

        // With excluded moves, the table value does not apply to the root, but its move is still
        // worth trying first.
        let all_moves = ply > 0 || self.excluded_moves.is_empty();
        let entry = self.table.get(table_key);
        if let Some(entry) = entry
            && all_moves
            && beta - alpha == 1
            && let Some(found) = self.table_cutoff(entry, alpha, beta, depth, ply)
        {
            return Some(found);
        }

        let pruning = if beta - alpha == 1 {
            self.prune_statically(position, alpha, beta, depth)
        } else {
            StaticPruning::FutilityBound(None)
        };
        let futility_bound = match pruning {
            StaticPruning::Cutoff(value) => return Some(NodeResult::independent(value, false)),
            StaticPruning::FutilityBound(bound) => bound,
        };

        let first = self.searcher.moves.len();
        self.generate(position, ply);
        if self.searcher.moves.len() == first {
            return Some(NodeResult::independent(Self::final_value(position, ply), true));
        }
        let table_move =
            entry.and_then(|entry| self.find(first, |m| P::transform_move(m, symmetry).into() == entry.code));
        // If a return to the root is not a draw, a modified key that never matches keeps the path
        // indices correct.
        self.path.push(if ply > 0 || self.root_repetition_draws { key } else { !key });
        let depth = match self.selectivity {
            Some(_) if ply > 0 && entry.is_none() => depth - Selectivity::internal_iterative_reduction(depth),
            _ => depth,
        };
        let node = Node { depth, ..*node };
        let found = self.moves(&node, alpha, beta, first, table_move.is_some(), futility_bound);
        self.path.pop();
        let best = self.searcher.moves.get(first).map(|&(_, m)| m);
        self.searcher.moves.truncate(first);
        let found = found?;
        if !all_moves {
            return Some(found);
        }

        let own_index = self.path.len() + 1;
        let bound = match found.value {
            value if value <= alpha => Bound::Upper,
            value if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let depends_on_path = found.path_dependency < own_index;
        let entry = Entry {
            value: if P::INFO.scoring == Scoring::Distance { value_to_table(found.value, ply) } else { found.value },
            bound: if depends_on_path { Bound::None } else { bound },
            depth: if found.complete && !depends_on_path {
                COMPLETE_DEPTH
            } else {
                depth.min(u32::from(COMPLETE_DEPTH) - 1) as u8
            },
            code: P::transform_move(best.expect("the node has a move"), symmetry).into(),
        };
        self.table.insert(table_key, entry);
        // A dependency on this position or a position below it does not matter above.
        let path_dependency = if depends_on_path { found.path_dependency } else { PATH_INDEPENDENT };
        Some(NodeResult { path_dependency, ..found })
    }

    /// Evaluates a node without remaining depth. A selective search also tries captures, because
    /// their gain is hard to estimate.
    fn leaf(&mut self, node: &Node<P>, alpha: i32, beta: i32) -> Option<NodeResult> {
        let &Node { ref position, ply, captures, .. } = node;
        if position.is_over() {
            return Some(NodeResult::independent(Self::final_value(position, ply), true));
        }
        let searcher = &mut *self.searcher;
        let mut best = searcher.evaluator.evaluate(position);
        let can_stop = best >= beta || captures == Selectivity::QUIESCENCE_DEPTH || ply >= MAX_DEPTH;
        if self.selectivity.is_none() || can_stop || searcher.evaluator.is_quiet(position) {
            return Some(NodeResult::independent(best, false));
        }
        let first = searcher.moves.len();
        self.generate(position, ply);
        let searcher = &mut *self.searcher;
        // History is not used: it could lift other moves above the threshold of captures.
        searcher.evaluator.score_moves(position, &mut searcher.moves[first..]);
        for index in first..searcher.moves.len().min(first + Selectivity::QUIESCENCE_MOVES) {
            let (score, m) = self.select(index);
            if best >= beta || score < CAPTURE_THRESHOLD {
                break;
            }
            let next = Node { captures: captures + 1, ..node.after(m, 0) };
            let low = alpha.max(best);
            let value = self.child(&next, low, beta)?.value;
            best = best.max(value);
            if value > low {
                self.extend_variation(ply, m);
            }
        }
        self.searcher.moves.truncate(first);
        Some(NodeResult::independent(best, false))
    }

    /// Sets the variation of a node to this move followed by the variation after it.
    fn extend_variation(&mut self, ply: u32, m: P::Move) {
        let (above, below) = self.searcher.pv.split_at_mut(ply as usize + 1);
        above[ply as usize].clear();
        above[ply as usize].push(m);
        above[ply as usize].extend_from_slice(&below[0]);
    }

    /// Decides whether to prune a null-window node, by its static evaluation.
    fn prune_statically(&self, position: &P, alpha: i32, beta: i32, depth: u32) -> StaticPruning {
        let Some(selectivity) = self.selectivity.filter(|selectivity| selectivity.applies_at(depth)) else {
            return StaticPruning::FutilityBound(None);
        };
        if alpha.abs() >= PROVEN_WIN || position.is_over() {
            return StaticPruning::FutilityBound(None);
        }
        let value = self.searcher.evaluator.evaluate(position);
        if let Some(bound) = selectivity.reverse_futility_bound(value, depth).filter(|&bound| bound >= beta) {
            return StaticPruning::Cutoff(bound);
        }
        match selectivity.futility_bound(value, depth) {
            Some(bound) if bound <= alpha && self.searcher.evaluator.is_quiet(position) => StaticPruning::Cutoff(bound),
            bound => StaticPruning::FutilityBound(bound),
        }
    }

    /// Returns the value of a table entry if it decides the null window.
    fn table_cutoff(&self, entry: Entry, alpha: i32, beta: i32, depth: u32, ply: u32) -> Option<NodeResult> {
        let deep_enough =
            if self.searcher.equal_depths { u32::from(entry.depth) == depth } else { u32::from(entry.depth) >= depth };
        let value = if P::INFO.scoring == Scoring::Distance { value_from_table(entry.value, ply) } else { entry.value };
        let decides = match entry.bound {
            Bound::None => false,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
            Bound::Exact => true,
        };
        (deep_enough && decides).then(|| NodeResult::independent(value, entry.depth == COMPLETE_DEPTH))
    }

    /// Appends the legal moves, unordered. At the root, the excluded moves are left out.
    fn generate(&mut self, position: &P, ply: u32) {
        let legal = position.legal_moves().map(|m| (0, m));
        if ply == 0 {
            self.searcher.moves.extend(legal.filter(|(_, m)| !self.excluded_moves.contains(m)));
        } else {
            self.searcher.moves.extend(legal);
        }
    }

    /// Moves the first matching move at index `first` or later to index `first` and returns it.
    fn find(&mut self, first: usize, matches: impl Fn(P::Move) -> bool) -> Option<P::Move> {
        let moves = &mut self.searcher.moves[first..];
        let index = moves.iter().position(|&(_, m)| matches(m))?;
        moves.swap(0, index);
        Some(moves[0].1)
    }

    /// Moves the move with the highest ordering score at `index` or later to `index`. Returns the
    /// score and the move.
    fn select(&mut self, index: usize) -> (i32, P::Move) {
        let rest = &mut self.searcher.moves[index..];
        let best = (1..rest.len()).fold(0, |best, i| if rest[i].0 > rest[best].0 { i } else { best });
        rest.swap(0, best);
        rest[0]
    }

    /// Computes the ordering scores of the moves, starting at index `first`.
    fn order(&mut self, position: &P, depth: u32, ply: u32, first: usize) {
        let searcher = &mut *self.searcher;
        let side = position.side_to_move().index();
        let moves = &mut searcher.moves[first..];
        for (value, m) in &mut *moves {
            *value = searcher.ordering.score(ply as usize, side, (*m).into());
        }
        // At depth 1, playing every move to score it costs more than it saves.
        if depth > 1 || self.selectivity.is_some() {
            searcher.evaluator.score_moves(position, moves);
        }
    }

    /// Searches the moves, starting at index `first`, and moves the best one to `first`. Prunes
    /// quiet moves if `futility_bound`, the upper bound on their results, does not exceed alpha,
    /// and late quiet moves near the leaves.
    fn moves(
        &mut self,
        node: &Node<P>,
        alpha: i32,
        beta: i32,
        first: usize,
        has_table_move: bool,
        futility_bound: Option<i32>,
    ) -> Option<NodeResult> {
        let &Node { ref position, depth, ply, .. } = node;
        let end = self.searcher.moves.len();
        let mut best = NodeResult { value: -INFINITY, complete: true, path_dependency: PATH_INDEPENDENT };
        let mut best_index = first;
        let mut low = alpha;
        for index in first..end {
            if index == first + usize::from(has_table_move) {
                // The table move often causes a cutoff, so the other moves are scored only after it
                // has failed.
                self.order(position, depth, ply, index);
            }
            let mut tactical = true;
            if index > first || !has_table_move {
                // History may have lowered the score of a tactical move, but by much less than half
                // the threshold.
                tactical = self.select(index).0 >= TACTICAL_THRESHOLD / 2;
            }
            let m = self.searcher.moves[index].1;
            let is_late = self.selectivity.is_some() && Selectivity::is_late(depth, index - first);
            let bound = if is_late && beta - alpha == 1 && low.abs() < PROVEN_WIN { Some(low) } else { futility_bound };
            if !tactical
                && let Some(bound) = bound
                && bound <= low
            {
                // Quiet moves come last, so all remaining moves are pruned.
                best = NodeResult { value: best.value.max(bound), complete: false, ..best };
                break;
            }
            let mut next = node.after(m, depth - 1);
            let mut found = NodeResult::independent(beta, false);
            if index > first {
                let reduced = !tactical && self.selectivity.is_some();
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
                    self.extend_variation(ply, m);
                }
            }
            if found.value >= beta {
                // The result depends only on the refutation, not on the moves before it.
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

    /// Searches the position after a move. Returns its value for the side that made the move.
    fn child(&mut self, next: &Node<P>, low: i32, high: i32) -> Option<NodeResult> {
        self.node(next, -high, -low).map(|found| NodeResult { value: -found.value, ..found })
    }
}

/// Converts the value of a proved win or loss from the distance to the root to the distance to this
/// node.
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
