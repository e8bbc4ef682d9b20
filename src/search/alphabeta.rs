//! Iterative deepening and principal-variation alpha-beta, for every game.
//!
//! Inside, a value is in thousandths of a point for the side to move. In games scored by distance a proved win is worth [`WIN`] less the
//! plies to it, so that the sooner win is the higher value.
//!
//! Two things beside the value travel up the tree. A value is *complete* when every line below it was followed to the end of the game, or to
//! a position whose result the evaluator [knows](Evaluator::solved): no deeper search can change it, and the search is over when the root's
//! is. And a value *leans* on the earliest position of the path that it owes something to, by a repetition: such a value holds on this path
//! alone, so it enters the table only at or above that position (the graph-history interaction).
//!
//! The table is asked by the evaluator's [key](Evaluator::table_key), which positions that differ by a symmetry may share: from the start of
//! nine men's morris that saves nine of ten nodes at depth 9. Repetitions are seen by the [key of the position](Position::key) itself.
//!
//! Games may have the search made [selective](AlphaBeta::selective); [`Selectivity`] says how, and why a proof stays one.

mod node;

use std::sync::Arc;
use std::time::Duration;

use self::node::{Node, NodeResult, PATH_INDEPENDENT};
use super::move_history::MoveHistory;
use super::table::TableView;
use super::{SearchControl, Selectivity, TranspositionTable};
use crate::game::{
    Bounds, Cancel, Certainty, Confidence, Evaluator, Game, GameRules, Limits, Line, Report, Score, Scoring, Searcher,
};

/// A win on the spot, in games scored by distance.
pub(super) const WIN: i32 = 1_000_000;

/// Values beyond this, of either sign, are proved wins and losses.
pub(super) const PROVEN_WIN: i32 = WIN - 10_000;

/// Beyond every value.
pub(super) const INFINITY: i32 = WIN + 1;

/// The deepest iteration, and the longest path.
pub(super) const MAX_DEPTH: u32 = 240;

/// To check the length of a win may take as many nodes as have been visited, and so many more.
const DISTANCE_CHECK_NODES: u64 = 1 << 20;

/// Nodes between two looks at the clock: a node takes up to some microseconds where other programs share the processor.
const CHECK_INTERVAL: u64 = 128;

/// Half the first aspiration window.
const ASPIRATION_MARGIN: i32 = 200;

/// The generic searcher: iterative deepening, principal-variation alpha-beta with aspiration, a shared table, killers, history and the
/// evaluator's order.
///
/// Unless it is made [selective](AlphaBeta::selective) it cuts off nothing but what cannot matter: but for transpositions into deeper lines
/// ([`AlphaBeta::only_equal_depths`]) the score is that of a plain negamax of the same depth. A selective search goes deeper where it matters
/// and less deep where it does not; what it reports as proved is proved all the same.
///
/// Of several lines each is the best that begins with none of the moves before it, searched to the same depth as they. What comes back to
/// where the search began is then no draw, since the line that goes on from there is another's. A [window](Limits::window) is not heeded.
pub struct AlphaBeta<P: GameRules, E> {
    pub(super) evaluator: E,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) equal_depths: bool,
    pub(super) selectivity: Option<Selectivity>,
    pub(super) ordering: MoveHistory,
    /// Moves with their order, of all plies of the path one after the other.
    pub(super) moves: Vec<(i32, P::Move)>,
    /// The principal variation from each ply on.
    pub(super) pv: Vec<Vec<P::Move>>,
}

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> AlphaBeta<P, E> {
    /// Creates a searcher with a table of at most `hash_bytes` bytes.
    #[must_use]
    pub fn new(evaluator: E, hash_bytes: usize) -> Self {
        Self::with_table(evaluator, Arc::new(TranspositionTable::new(hash_bytes)))
    }

    fn with_table(evaluator: E, table: Arc<TranspositionTable>) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        Self {
            evaluator,
            table,
            equal_depths: false,
            selectivity: None,
            ordering: MoveHistory::new(plies),
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

    /// Makes searches selective, but those that are asked for a proof or for [full confidence](Confidence::FULL), which nothing is left
    /// out of. Of the other levels none differs from the lowest, which is the one reported.
    #[must_use]
    pub fn selective(self, selectivity: Selectivity) -> Self {
        Self { selectivity: Some(selectivity), ..self }
    }
}

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> Searcher<P> for AlphaBeta<P, E> {
    fn search(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<P>),
    ) -> Report<P> {
        let stop = SearchControl::new(limits, cancel).with_check_interval(CHECK_INTERVAL);
        let position = *game.position();
        if game.end().is_some() {
            let score = if position.is_over() { position.final_score() } else { 0 };
            return report_game_over(score, stop.elapsed());
        }
        let table = Arc::clone(&self.table);
        self.ordering.clear();
        let quiet = game.halfmove_clock();
        let mut path = Vec::with_capacity(game.repeatable_positions().len() + MAX_DEPTH as usize);
        path.extend(game.repeatable_positions().iter().map(P::key));
        path.pop();
        let all = limits.exact || limits.confidence == Some(Confidence::FULL);
        let selectivity = self.selectivity.filter(|_| !all);
        let mut run = SearchState {
            searcher: self,
            game,
            table: table.begin(),
            path,
            stop,
            excluded_moves: Vec::new(),
            root_repetition_draws: limits.lines <= 1,
            selectivity,
            check_node_limit: u64::MAX,
        };
        let mut report = run.initial_report(&position, limits.lines.max(1));
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            let (lines, done) = run.lines(&position, quiet, depth, &report.lines);
            if !done {
                report = Report { lines, ..report };
                report.bounds = SearchState::<P, E>::bounds(&report.lines);
                break;
            }
            report = run.report(lines, depth);
            on_info(&report);
            // A win may turn out to be a shorter one, if that is of interest.
            let is_settled = |score: Score| score.is_exact() && (limits.exact || has_distance::<P>(score));
            if report.lines.iter().all(|line| is_settled(line.score)) {
                break;
            }
        }
        report.nodes = run.stop.nodes();
        report.time = run.stop.elapsed();
        report
    }

    fn fork(&self) -> Box<dyn Searcher<P>> {
        let fork = Self::with_table(self.evaluator.clone(), Arc::clone(&self.table));
        Box::new(Self { equal_depths: self.equal_depths, selectivity: self.selectivity, ..fork })
    }

    fn clear(&mut self) {
        self.table.clear();
    }
}

/// Returns whether an exact score tells how far the end is, where that is of interest.
fn has_distance<P: GameRules>(score: Score) -> bool {
    P::SCORING != Scoring::Distance || score.thousandths == 0 || score.plies.is_some()
}

/// Reports a game that is over.
fn report_game_over<P: GameRules>(score: i32, time: Duration) -> Report<P> {
    let plies = (P::SCORING == Scoring::Distance && score != 0).then_some(0);
    let line = Line { score: Score { plies, ..Score::exact(score) }, pv: Vec::new() };
    Report {
        lines: vec![line],
        bounds: Bounds::exact(score),
        depth: 0,
        confidence: Confidence::FULL,
        nodes: 0,
        time,
        note: None,
    }
}

/// One search.
pub(super) struct SearchState<'a, P: GameRules, E> {
    pub searcher: &'a mut AlphaBeta<P, E>,
    pub game: &'a Game<P>,
    pub table: TableView<'a>,
    /// Keys of the positions on the path, those of the game that can still recur first.
    pub path: Vec<u64>,
    pub stop: SearchControl,
    /// Moves of the root that better lines begin with.
    pub excluded_moves: Vec<P::Move>,
    /// Whether it is a draw to come back to the root.
    pub root_repetition_draws: bool,
    /// How the search is selective now.
    pub selectivity: Option<Selectivity>,
    /// The nodes at which a [check](Self::check) is given up.
    pub check_node_limit: u64,
}

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> SearchState<'_, P, E> {
    /// Reports what can be said before the first iteration.
    fn initial_report(&mut self, position: &P, lines: usize) -> Report<P> {
        let evaluator = &self.searcher.evaluator;
        let score = Score { thousandths: evaluator.evaluate(position), certainty: Certainty::Heuristic, plies: None };
        let mut moves: Vec<_> = position.legal_moves().collect();
        moves.sort_by_cached_key(|&m| std::cmp::Reverse(evaluator.score_move(position, m, &position.after(m))));
        let lines = moves.into_iter().take(lines).map(|m| Line { score, pv: vec![m] }).collect();
        self.report(lines, 0)
    }

    fn report(&self, lines: Vec<Line<P>>, depth: u32) -> Report<P> {
        let bounds = Self::bounds(&lines);
        let is_proved = bounds.lower == bounds.upper && bounds.lower.is_some();
        let confidence = if self.selectivity.is_some() && !is_proved { Confidence::LOWEST } else { Confidence::FULL };
        Report { lines, bounds, depth, confidence, nodes: self.stop.nodes(), time: self.stop.elapsed(), note: None }
    }

    fn bounds(lines: &[Line<P>]) -> Bounds {
        let score = lines.first().expect("a game that goes on has a line").score;
        if score.is_exact() { Bounds::exact(score.thousandths / Score::POINT) } else { Bounds::default() }
    }

    /// Searches as many lines as were expected, each without the first moves of those before it; returns them best first, and whether all
    /// were searched. If the search was stopped the others are as expected.
    fn lines(&mut self, position: &P, quiet: u32, depth: u32, expected: &[Line<P>]) -> (Vec<Line<P>>, bool) {
        self.excluded_moves.clear();
        let mut lines: Vec<Line<P>> = Vec::with_capacity(expected.len());
        for expectation in expected {
            let Some(found) = self.aspiration_search(position, quiet, depth, expectation.score) else { break };
            let (found, is_shortest) = self.verify_distance(position, quiet, depth, found);
            let mut score = self.score(found, is_shortest);
            if lines.iter().any(|line| !line.score.is_exact() && line.score.thousandths < score.thousandths) {
                // It turns out that what was only estimated is the lesser move, or else more than that: then it may also win, or sooner.
                let wins = score.thousandths >= Score::POINT;
                let certainty = if wins { score.certainty } else { Certainty::Heuristic };
                score = Score { certainty, plies: None, ..score };
            }
            let pv = self.searcher.pv[0].clone();
            self.excluded_moves.extend(pv.first());
            lines.push(Line { score, pv });
        }
        let done = lines.len() == expected.len();
        let others = expected.iter().filter(|line| !self.excluded_moves.contains(&line.pv[0])).cloned();
        lines.extend(others.take(expected.len() - lines.len()).collect::<Vec<_>>());
        // What the search for a better line left out may turn up in a later one.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score.thousandths));
        (lines, done)
    }

    /// Searches again without leaving anything out what a selective search found to be won or lost: there may be a shorter way. Returns
    /// that, or what was found if the search was stopped or this takes too long, and whether there is no shorter way.
    fn verify_distance(&mut self, position: &P, quiet: u32, depth: u32, found: NodeResult) -> (NodeResult, bool) {
        let within_depth = Self::distance(found).filter(|&plies| plies <= depth);
        let Some(selectivity) = self.selectivity else { return (found, within_depth.is_some()) };
        let Some(plies) = within_depth.filter(|_| !found.complete) else { return (found, false) };
        let pv = self.searcher.pv[0].clone();
        self.selectivity = None;
        self.check_node_limit = 2 * self.stop.nodes() + DISTANCE_CHECK_NODES;
        let expected = Score { thousandths: found.value, certainty: Certainty::Heuristic, plies: None };
        let checked = self.aspiration_search(position, quiet, plies, expected);
        self.selectivity = Some(selectivity);
        self.check_node_limit = u64::MAX;
        // It may fail to find the win again: what the table knew of it may have been overwritten since.
        let checked = checked.filter(|&checked| Self::distance(checked).is_some());
        if checked.is_none() {
            self.searcher.pv[0] = pv;
        }
        checked.map_or((found, false), |checked| (checked, true))
    }

    /// Returns the plies to the end of a proved win or loss.
    fn distance(found: NodeResult) -> Option<u32> {
        (P::SCORING == Scoring::Distance && found.value.abs() > PROVEN_WIN).then(|| (WIN - found.value.abs()) as u32)
    }

    /// Turns the value of a root into a score. A win is one even where a shorter one may have been missed: beyond the depth, by what was left
    /// out, or since it was taken for a draw to come back to a position of the game's record. Such a draw may be none, as that takes more.
    fn score(&self, found: NodeResult, is_shortest: bool) -> Score {
        let owes_nothing = found.path_dependency == PATH_INDEPENDENT || self.game.draw_rules().repetition == Some(2);
        match Self::distance(found) {
            Some(plies) => Score {
                thousandths: found.value.signum() * Score::POINT,
                certainty: Certainty::Exact,
                plies: ((found.complete || is_shortest) && owes_nothing).then_some(plies),
            },
            None => {
                let exact = found.complete && owes_nothing;
                let certainty = if exact { Certainty::Exact } else { Certainty::Heuristic };
                Score { thousandths: found.value, certainty, plies: None }
            }
        }
    }

    /// Searches the root, first in a narrow window around the value of the iteration before.
    fn aspiration_search(&mut self, position: &P, quiet: u32, depth: u32, expected: Score) -> Option<NodeResult> {
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        let mut margin = ASPIRATION_MARGIN;
        if depth >= 3 && !expected.is_exact() {
            (alpha, beta) = (expected.thousandths - margin, expected.thousandths + margin);
        }
        loop {
            let found = self.node(&Node { position: *position, halfmove_clock: quiet, depth, ply: 0 }, alpha, beta)?;
            margin *= 4;
            if found.value <= alpha && alpha > -INFINITY {
                alpha = if margin > 4 * ASPIRATION_MARGIN { -INFINITY } else { found.value - margin };
            } else if found.value >= beta && beta < INFINITY {
                beta = if margin > 4 * ASPIRATION_MARGIN { INFINITY } else { found.value + margin };
            } else {
                return Some(found);
            }
        }
    }
}
