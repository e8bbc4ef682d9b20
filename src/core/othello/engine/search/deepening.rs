//! The root of a search by evaluation: iterative deepening, with increasing depth or confidence.

use std::cmp::Reverse;

use super::table::{Draft, NO_MOVE};
use super::{BestMove, NO_SCORE, Solver, square_number};
use crate::game::{Cancel, Confidence, Limits};
use crate::instructions::at_level;
use crate::othello::{Board, Move};
use crate::search::{FORCED_MOVE_SHARE, SearchControl};

/// Half the width of the first window around the score of the previous iteration, in discs.
const ASPIRATION_MARGIN: i32 = 3;

/// A search for a move uses this share of its time before it tests whether one move is clearly the
/// best.
const CLEAR_SHARE: f64 = 0.2;

/// A move is clearly the best if a search that is this many plies shallower finds all other moves
/// worse by more than `CLEAR_MARGIN` discs.
const CLEAR_PLIES: u8 = 3;
const CLEAR_MARGIN: i32 = 10;

// More clock time for hard moves gained nothing: with 0.85 of the share, and up to two shares more
// after the best move changed or its score fell, the result was +1.3 ± 8.3 Elo over 1,600 games of
// 0.15 s per side.

/// The result of an iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Iteration {
    /// The requested number of best lines, best first.
    pub lines: Vec<SearchedLine>,
    /// The depth in plies; 0 if no iteration was completed.
    pub depth: u32,
    /// The confidence of selective pruning.
    pub confidence: Confidence,
    /// The number of nodes visited so far, by all iterations.
    pub nodes: u64,
}

/// A principal variation with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchedLine {
    /// The score of the first move, in discs for the player.
    pub score: i32,
    /// The moves. There may be fewer than the search depth.
    pub pv: Vec<Move>,
}

/// A root move.
struct ScoredRootMove<const N: usize> {
    m: Move,
    next: Board<N>,
    /// The last score or upper bound; before the first iteration, the evaluation.
    score: i32,
}

impl<const N: usize> Solver<N> {
    /// Searches a position, which must not be over, for the requested number of best lines. Each of
    /// `drafts`, a depth in plies and a confidence, is an iteration. Ends after all drafts, when
    /// cancelled, or at a node or time limit, and returns the result of the last complete
    /// iteration. If a later iteration had already found a better move, that move comes first.
    /// Calls `on_iteration` after each iteration.
    pub fn search(
        &mut self,
        board: Board<N>,
        drafts: &[(u32, Confidence)],
        limits: &Limits,
        cancel: &Cancel,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> Iteration {
        let mut drafts = drafts.iter().copied();
        self.search_by_plan(board, &mut |_| drafts.next(), limits, cancel, on_iteration)
    }

    /// Like [`search`](Self::search), but `next_draft` returns the iterations. It gets the
    /// [share of the limits](SearchControl::used) used so far and returns `None` to end the search.
    pub(in crate::othello::engine) fn search_by_plan(
        &mut self,
        board: Board<N>,
        next_draft: &mut dyn FnMut(f64) -> Option<(u32, Confidence)>,
        limits: &Limits,
        cancel: &Cancel,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> Iteration {
        self.stop = SearchControl::new(limits, cancel);
        self.has_helpers = false;
        self.age = self.table.begin();
        // Several threads cannot keep an exact node limit.
        self.may_split = limits.nodes.is_none();
        let mut moves = self.root_moves(board);
        let is_skipped =
            |m: &ScoredRootMove<N>| m.m.square().is_some_and(|square| limits.skipped >> square.index() & 1 != 0);
        let skips = moves.iter().any(is_skipped) && !moves.iter().all(is_skipped);
        if skips {
            moves.retain(|m| !is_skipped(m));
        }
        let lines = limits.lines.clamp(1, moves.len());
        let mut iteration = self.iteration(&moves[..lines], Draft::NONE);
        let may_end_early = limits.move_only && limits.time.is_some();
        let mut was_tested = false;
        while let Some((depth, confidence)) = next_draft(self.stop.used()) {
            let draft = Draft { depth: depth.min(board.empty_count()) as u8, confidence };
            for line in 0..lines {
                // The best of only some moves is not the result of the position.
                self.search_line(board, line == 0 && !skips, &mut moves, line, draft);
            }
            if self.stop.is_stopped() {
                // Keep a better move that the incomplete iteration found. The other lines keep
                // their scores from the last complete iteration, because the new scores may be only
                // bounds.
                if iteration.lines[0].pv.first() != Some(&moves[0].m) {
                    let better = self.line(&moves[0], draft);
                    iteration.lines.retain(|line| line.pv.first() != better.pv.first());
                    iteration.lines.insert(0, better);
                    iteration.lines.truncate(lines);
                    make_scores_descend(&mut iteration.lines);
                }
                break;
            }
            iteration = self.iteration(&moves[..lines], draft);
            on_iteration(&iteration);
            if may_end_early && self.is_decided(&moves, draft, &mut was_tested) {
                break;
            }
        }
        Iteration { nodes: self.stop.nodes(), ..iteration }
    }

    /// Returns whether the first move needs no further search: it is the only one, or clearly the
    /// best. The test is made once and then sets `was_tested`.
    fn is_decided(&mut self, moves: &[ScoredRootMove<N>], draft: Draft, was_tested: &mut bool) -> bool {
        let used = self.stop.used();
        if moves.len() == 1 {
            return used >= FORCED_MOVE_SHARE;
        }
        if *was_tested || used < CLEAR_SHARE {
            return false;
        }
        *was_tested = true;
        let draft = Draft { depth: draft.depth.saturating_sub(CLEAR_PLIES).max(1), ..draft }.after_move();
        let limit = moves[0].score - CLEAR_MARGIN;
        moves[1..].iter().all(|m| -self.search_after(m.next, draft, -limit - 1, -limit) <= limit)
            && !self.stop.is_stopped()
    }

    /// Returns the moves, the most promising first.
    fn root_moves(&mut self, board: Board<N>) -> Vec<ScoredRootMove<N>> {
        let table_moves = self.table.get(board).unwrap_or_default().moves;
        let features = Self::features(board);
        at_level!(self.instructions, |level| {
            self.generate_with_evaluation(level, board, board.move_bits(), table_moves, &features, Draft::NONE);
        });
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by_key(|candidate| Reverse(candidate.order));
        let place = |solver: &Self, square: u8, next: Board<N>| ScoredRootMove {
            m: Move::from_number(square.into()),
            next,
            score: -solver.evaluate_board(next),
        };
        let mut moves: Vec<_> =
            candidates.iter().map(|&candidate| place(self, candidate.square, candidate.next)).collect();
        if moves.is_empty() {
            moves.push(ScoredRootMove { m: Move::PASS, next: board.pass(), score: self.evaluate_board(board) });
        }
        candidates.clear();
        self.candidates = candidates;
        moves
    }

    /// Searches the moves, starting at index `line`, with aspiration windows and moves the best to
    /// that index. `is_stored` is true if the result is stored in the table as the result of the
    /// position.
    fn search_line(
        &mut self,
        board: Board<N>,
        is_stored: bool,
        moves: &mut [ScoredRootMove<N>],
        line: usize,
        draft: Draft,
    ) {
        let area = Board::<N>::AREA as i32;
        let guess = moves[line].score;
        let mut step = ASPIRATION_MARGIN;
        let (mut alpha, mut beta) = if draft.depth < 4 { (-area, area) } else { (guess - step, guess + step) };
        loop {
            (alpha, beta) = (alpha.max(-area), beta.min(area));
            let best = self.search_root_moves(board, moves, line, draft, (alpha, beta));
            if self.stop.is_stopped() {
                return;
            }
            let square = square_number(moves[line].m);
            if is_stored && square != NO_MOVE {
                self.table.insert(board, self.age, draft, (alpha, beta), BestMove { score: best, square });
            }
            // Only widen the window: a selective search may be inconsistent, and moving the window
            // could loop forever.
            step *= 2;
            if best <= alpha && alpha > -area {
                alpha = best - step;
            } else if best >= beta && beta < area {
                beta = best + step;
            } else {
                return;
            }
        }
    }

    /// Searches the moves, starting at index `line`, with a window. Moves the best to that index
    /// and returns its score.
    fn search_root_moves(
        &mut self,
        board: Board<N>,
        moves: &mut [ScoredRootMove<N>],
        line: usize,
        draft: Draft,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let (mut best, mut low) = (NO_SCORE, alpha);
        let (may_split, mut together) = (self.may_split_root(), Vec::new());
        for index in line..moves.len() {
            if may_split && index == line + 1 {
                let rest = moves[index..].iter().map(|m| (m.m, m.next));
                together = self.split_root(board, rest, draft.after_move(), (low, beta), best);
            }
            let score = match together.get(index.wrapping_sub(line + 1)) {
                Some(&bounds) => score_of(bounds),
                None => self.search_root_move(&moves[index], draft, index == line, (low, beta)),
            };
            let Some(score) = score else { continue };
            moves[index].score = score;
            if score > best {
                best = score;
                if score > low || index == line {
                    moves[line..=index].rotate_right(1);
                }
                low = low.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Searches a root move; `None` if the search was stopped. Every move but the first is tested
    /// with a null window first.
    fn search_root_move(
        &mut self,
        &ScoredRootMove { m, next, .. }: &ScoredRootMove<N>,
        draft: Draft,
        is_first: bool,
        (low, beta): (i32, i32),
    ) -> Option<i32> {
        let draft = if m == Move::PASS { draft } else { draft.after_move() };
        self.expects_refutation = !is_first;
        let mut score = -self.search_after(next, draft, if is_first { -beta } else { -low - 1 }, -low);
        if !is_first && score > low && score < beta {
            score = -self.search_after(next, draft, -beta, -low);
        }
        (!self.stop.is_stopped()).then_some(score)
    }

    /// Searches the position after a root move.
    fn search_after(&mut self, next: Board<N>, draft: Draft, alpha: i32, beta: i32) -> i32 {
        at_level!(self.instructions, |level| self.visit(level, next, &Self::features(next), draft, alpha, beta))
    }

    fn iteration(&self, moves: &[ScoredRootMove<N>], draft: Draft) -> Iteration {
        let mut lines: Vec<_> = moves.iter().map(|m| self.line(m, draft)).collect();
        make_scores_descend(&mut lines);
        Iteration { lines, depth: draft.depth.into(), confidence: draft.confidence, nodes: self.stop.nodes() }
    }

    fn line(&self, m: &ScoredRootMove<N>, draft: Draft) -> SearchedLine {
        SearchedLine { score: m.score, pv: self.table_variation(m, draft.depth.into()) }
    }

    /// Returns the variation that starts with a move, at most `plies` plies from the table.
    fn table_variation(&self, first: &ScoredRootMove<N>, plies: u32) -> Vec<Move> {
        let mut line = vec![first.m];
        let mut board = first.next;
        while line.len() < plies as usize {
            if board.move_bits() == 0 {
                if board.opponent_move_bits() == 0 {
                    break;
                }
                line.push(Move::PASS);
                board = board.pass();
                continue;
            }
            let square = u32::from(self.table.get(board).unwrap_or_default().moves[0]);
            if 1u64.checked_shl(square).unwrap_or(0) & board.move_bits() == 0 {
                break;
            }
            line.push(Move::from_number(square as u16));
            board = board.flip(square, board.flip_bits(square));
        }
        line
    }
}

/// Returns the score of a move from its bounds; `None` if the search was stopped or another move
/// refutes the position.
fn score_of((lower, upper): (i32, i32)) -> Option<i32> {
    if upper < 64 { Some(upper) } else { (lower > -64).then_some(lower) }
}

/// Limits each score to the previous one. The scores of a selective search may be inconsistent: a
/// move searched for a later line can get a higher score than an earlier move.
fn make_scores_descend(lines: &mut [SearchedLine]) {
    let mut limit = i32::MAX;
    for line in lines {
        line.score = line.score.min(limit);
        limit = line.score;
    }
}
