//! Iterative deepening and principal-variation alpha-beta, for every game.
//!
//! Internal values are in thousandths of a point for the side to move. In games scored by distance,
//! the value of a proved win is [`WIN`] minus the plies to the win, so shorter wins have higher
//! values.
//!
//! Each node returns two properties with its value:
//!
//! * A value is *complete* if every line below it was searched to the end of the game or to a
//!   [known result](Evaluator::known_result). A deeper search cannot change it, and the search
//!   stops when the root is complete.
//! * A value is *path dependent* if it relies on a repetition. It is valid only on this path, so it
//!   is stored in the table only at or above the earliest repeated position (graph-history
//!   interaction).
//!
//! The table uses the evaluator's [key](Evaluator::table_key), which symmetric positions may share.
//! From the start of nine men's morris, this saves nine of ten nodes at depth 9. Repetitions are
//! detected with the [key of the position](GameRules::key).
//!
//! Games can make the search [selective](AlphaBeta::selective); [`Selectivity`] describes how, and
//! why proofs remain valid.

mod node;

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use self::node::{Node, NodeResult, PATH_INDEPENDENT};
use super::move_history::MoveHistory;
use super::table::TableView;
use super::{
    FORCED_MOVE_SHARE, SearchControl, Selectivity, TranspositionTable, has_room_for_another, share_between_threads,
};
use crate::game::{
    Bounds, Cancel, Certainty, Confidence, Evaluator, Game, GameRules, Limits, Line, Report, ReportSource, Score,
    Scoring, Searcher,
};

/// The value of an immediate win, in games scored by distance.
pub(super) const WIN: i32 = 1_000_000;

/// Values above this, or below its negative, are proved wins and losses.
pub(super) const PROVEN_WIN: i32 = WIN - 10_000;

/// Higher than every value.
pub(super) const INFINITY: i32 = WIN + 1;

/// The distance, in plies, of a known win or loss whose distance is unknown. It is higher than
/// every known distance.
const UNKNOWN_DISTANCE: u32 = 5_000;
/// The distance, in plies, of a draw that counts as a win or a loss. It is higher than the distance
/// of every known result.
const DRAW_DISTANCE: u32 = 6_000;

/// The maximum depth of an iteration, and the maximum length of a path.
pub(super) const MAX_DEPTH: u32 = Limits::MAX_DEPTH;

/// The verification of a win's distance may take this many more nodes than the search so far.
const DISTANCE_CHECK_NODES: u64 = 1 << 20;

/// The number of nodes between clock checks. A node takes up to a few microseconds on a busy
/// machine.
const CHECK_INTERVAL: u64 = 128;

/// Half the width of the first aspiration window.
const ASPIRATION_MARGIN: i32 = 200;

/// The generic searcher: iterative deepening and principal-variation alpha-beta with aspiration
/// windows, a shared transposition table, and move ordering by killer moves, history and the
/// evaluator.
///
/// Without [selectivity](AlphaBeta::selective) the score equals that of a plain negamax search of
/// the same depth, except for transpositions into deeper lines (see
/// [`AlphaBeta::only_equal_depths`]). A selective search is deeper in important lines and shallower
/// elsewhere. Scores that it reports as proved are still proved.
///
/// With several lines, each line is the best line that starts with none of the earlier first moves,
/// searched to the same depth. A return to the root position is then not scored as a draw, because
/// the continuation there belongs to another line. [Windows](Limits::window) are ignored.
///
/// ```
/// use morello::game::{Game, Limits, Searcher};
/// use morello::morris::{NineMensMorris, Position, engine::MillEvaluation};
/// use morello::search::AlphaBeta;
///
/// type Morris = Position<NineMensMorris>;
/// let mut search = AlphaBeta::new(MillEvaluation::new::<NineMensMorris>(), 1 << 20);
/// let game = Game::new("0,0 a7,d7,g4 a1,b2,c3 W".parse::<Morris>()?);
/// assert_eq!(search.best(&game, &Limits::depth(3)).best().score.plies, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AlphaBeta<P: GameRules, E> {
    pub(super) evaluator: E,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) equal_depths: bool,
    pub(super) selectivity: Option<Selectivity>,
    pub(super) ordering: MoveHistory,
    /// A stack of the moves of all plies on the path, with their ordering scores.
    pub(super) moves: Vec<(i32, P::Move)>,
    /// The principal variation from each ply.
    pub(super) pv: Vec<Vec<P::Move>>,
}

crate::debug_fields!([P: GameRules, E] AlphaBeta<P, E> { equal_depths, selectivity });

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> AlphaBeta<P, E> {
    /// Creates a searcher with a transposition table of at most `hash_bytes` bytes.
    #[must_use]
    pub fn new(evaluator: E, hash_bytes: usize) -> Self {
        Self::with_table(evaluator, Arc::new(TranspositionTable::new(hash_bytes)))
    }

    fn with_table(evaluator: E, table: Arc<TranspositionTable>) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        let mut pv = Vec::with_capacity(plies + 1);
        while pv.len() <= plies {
            pv.push(Vec::with_capacity(plies - pv.len()));
        }
        Self {
            evaluator,
            table,
            equal_depths: false,
            selectivity: None,
            ordering: MoveHistory::new(plies),
            moves: Vec::with_capacity(4096),
            pv,
        }
    }

    /// Uses table values only if they were searched to exactly the required depth, so that the
    /// score equals that of a plain negamax search. This is slower; it is meant for comparisons.
    ///
    /// ```
    /// use morello::game::{Game, Limits, Searcher};
    /// use morello::othello::{SizedPosition, engine::HandcraftedEvaluation};
    /// use morello::search::AlphaBeta;
    ///
    /// let game = Game::<SizedPosition<6>>::default();
    /// let mut fast = AlphaBeta::new(HandcraftedEvaluation, 1 << 20);
    /// let mut plain = AlphaBeta::new(HandcraftedEvaluation, 1 << 20).only_equal_depths();
    /// let limits = Limits::depth(6);
    /// assert!(plain.best(&game, &limits).nodes >= fast.best(&game, &limits).nodes);
    /// ```
    #[must_use]
    pub fn only_equal_depths(self) -> Self {
        Self { equal_depths: true, ..self }
    }

    /// Makes searches selective, except searches with [`Limits::exact`] or
    /// [full confidence](Confidence::FULL). All other confidence levels behave the same, and are
    /// reported as the lowest level.
    ///
    /// ```
    /// use morello::game::{Confidence, Game, Limits, Searcher};
    /// use morello::morris::{NineMensMorris, Position, engine::MillEvaluation};
    /// use morello::search::{AlphaBeta, Selectivity};
    ///
    /// let margins = Selectivity {
    ///     futility_margin: 40,
    ///     futility_depth: 2,
    ///     reverse_futility_margin: 60,
    ///     reverse_futility_depth: 3,
    /// };
    /// let evaluation = MillEvaluation::new::<NineMensMorris>();
    /// let mut search = AlphaBeta::new(evaluation, 1 << 20).selective(margins);
    /// let (game, limits) = (Game::<Position<NineMensMorris>>::default(), Limits::depth(3));
    /// assert_eq!(search.best(&game, &limits).confidence, Confidence::LOWEST);
    /// let limits = limits.with_confidence(Confidence::FULL);
    /// assert_eq!(search.best(&game, &limits).confidence, Confidence::FULL);
    /// ```
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
            let plies = (P::INFO.scoring == Scoring::Distance && score != 0).then_some(0);
            return report_game_over(Score { plies, ..Score::exact(score) }, stop.elapsed());
        }
        self.evaluator.begin(game);
        let table = Arc::clone(&self.table);
        self.ordering.clear();
        let halfmove_clock = game.halfmove_clock();
        let mut path = Vec::with_capacity(game.repeatable_positions().len() + MAX_DEPTH as usize);
        for position in game.repeatable_positions() {
            path.push(position.key());
        }
        path.pop();
        let selectivity = self.selectivity.filter(|_| !limits.exact && limits.confidence != Some(Confidence::FULL));
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
        let is_forced = limits.move_only && position.legal_moves().nth(1).is_none();
        for depth in 1..=deepest {
            let used_before = run.stop.used();
            let (lines, done) = run.lines(&position, halfmove_clock, depth, &report.lines);
            if !done {
                report = Report { lines, ..report };
                report.bounds = proved_bounds(report.best().score);
                break;
            }
            report = run.report(lines, depth);
            on_info(&report);
            // A deeper search may find a shorter win.
            let is_settled = |score: Score| score.is_exact() && (limits.exact || has_distance::<P>(score));
            if report.lines.iter().all(|line| is_settled(line.score)) {
                break;
            }
            let used = run.stop.used();
            let is_enough = is_forced && limits.time.is_some() && used >= FORCED_MOVE_SHARE;
            if (is_enough || !has_room_for_another(used, used - used_before)) && !limits.exact {
                break;
            }
        }
        report.nodes = run.stop.nodes();
        report.time = run.stop.elapsed();
        report
    }

    fn fork(&self) -> Box<dyn Searcher<P>> {
        share_between_threads(&self.table);
        let fork = Self::with_table(self.evaluator.clone(), Arc::clone(&self.table));
        Box::new(Self { equal_depths: self.equal_depths, selectivity: self.selectivity, ..fork })
    }

    fn clear(&mut self) {
        self.table.clear();
    }
}

/// Returns whether an exact score includes the distance to the end. Always true for draws, and for
/// games that are not scored by distance.
fn has_distance<P: GameRules>(score: Score) -> bool {
    P::INFO.scoring != Scoring::Distance || score.thousandths == 0 || score.plies.is_some()
}

/// Returns the report of a game that is over.
fn report_game_over<P: GameRules>(score: Score, time: Duration) -> Report<P> {
    Report {
        lines: vec![Line { score, pv: Vec::new() }],
        bounds: score.bounds(),
        depth: 0,
        confidence: Confidence::FULL,
        nodes: 0,
        time,
        note: None,
        source: ReportSource::Search,
    }
}

/// Returns the bounds that the score of the best line proves.
fn proved_bounds(score: Score) -> Bounds {
    if score.is_exact() { score.bounds() } else { Bounds::default() }
}

/// Returns the confidence of a search with these proved bounds.
fn confidence(bounds: Bounds, is_selective: bool) -> Confidence {
    let is_proved = bounds.lower == bounds.upper && bounds.lower.is_some();
    if is_selective && !is_proved { Confidence::LOWEST } else { Confidence::FULL }
}

/// The state of a running search.
pub(super) struct SearchState<'a, P: GameRules, E> {
    pub searcher: &'a mut AlphaBeta<P, E>,
    pub game: &'a Game<P>,
    pub table: TableView<'a>,
    /// The keys of the positions on the path, starting with the positions of the game that can
    /// still recur.
    pub path: Vec<u64>,
    pub stop: SearchControl,
    /// First moves of better lines, excluded at the root.
    pub excluded_moves: Vec<P::Move>,
    /// Whether a return to the root position is a draw.
    pub root_repetition_draws: bool,
    /// The current selectivity; `None` during the [verification](Self::verify_distance) of a
    /// distance.
    pub selectivity: Option<Selectivity>,
    /// The node count at which a [verification](Self::verify_distance) is aborted.
    pub check_node_limit: u64,
}

impl<P: GameRules, E: Evaluator<P> + Clone + 'static> SearchState<'_, P, E> {
    /// Returns the report before the first iteration: a static evaluation, and the moves in order.
    fn initial_report(&mut self, position: &P, lines: usize) -> Report<P> {
        let evaluator = &self.searcher.evaluator;
        let score = Score { thousandths: evaluator.evaluate(position), certainty: Certainty::Heuristic, plies: None };
        let (mut moves, mut order) = (Vec::new(), Vec::new());
        for m in position.legal_moves() {
            order.push((Reverse(evaluator.score_move(position, m, &position.after(m))), moves.len()));
            moves.push(m);
        }
        order.sort_unstable();
        order.truncate(lines);
        let mut lines = Vec::with_capacity(order.len());
        for (_, index) in order {
            lines.push(Line { score, pv: vec![moves[index]] });
        }
        self.report(lines, 0)
    }

    fn report(&self, lines: Vec<Line<P>>, depth: u32) -> Report<P> {
        let bounds = proved_bounds(lines.first().expect("an unfinished game has a line").score);
        let confidence = confidence(bounds, self.selectivity.is_some());
        Report {
            lines,
            bounds,
            depth,
            confidence,
            nodes: self.stop.nodes(),
            time: self.stop.elapsed(),
            note: None,
            source: ReportSource::Search,
        }
    }

    /// Searches as many lines as `expected`, the lines of the last iteration, each without the
    /// first moves of the lines before it. Returns the lines, best first, and whether all were
    /// searched. If the search is stopped, the missing lines are taken from `expected`.
    fn lines(&mut self, position: &P, halfmove_clock: u32, depth: u32, expected: &[Line<P>]) -> (Vec<Line<P>>, bool) {
        self.excluded_moves.clear();
        let mut lines: Vec<Line<P>> = Vec::with_capacity(expected.len());
        for expectation in expected {
            let Some(found) = self.aspiration_search(position, halfmove_clock, depth, expectation.score) else {
                break;
            };
            let (found, is_shortest) = self.verify_distance(position, halfmove_clock, depth, found);
            let is_independent =
                found.path_dependency == PATH_INDEPENDENT || self.game.draw_rules().repetition == Some(2);
            let mut score = score_of(found, P::INFO.scoring, is_shortest, is_independent);
            if lines.iter().any(|line| !line.score.is_exact() && line.score.thousandths < score.thousandths) {
                // This line is better than the estimate of an earlier line, whose move may still be
                // better, or win sooner. Therefore this score is a proof for the position only if
                // it is a win, and even then its distance is not proved.
                let wins = score.thousandths >= Score::POINT;
                let certainty = if wins { score.certainty } else { Certainty::Heuristic };
                score = Score { certainty, plies: None, ..score };
            }
            let pv = self.searcher.pv[0].clone();
            self.excluded_moves.extend(pv.first());
            lines.push(Line { score, pv });
        }
        let done = lines.len() == expected.len();
        for line in expected {
            if lines.len() < expected.len() && !self.excluded_moves.contains(&line.pv[0]) {
                lines.push(line.clone());
            }
        }
        // A later line can score higher, because the search for an earlier line may have pruned its
        // move.
        Line::sort(&mut lines);
        (lines, done)
    }

    /// Repeats the search of a proved win or loss without selectivity, because pruning may have
    /// hidden a shorter one. Returns the result and whether its distance is proved to be the
    /// shortest.
    fn verify_distance(
        &mut self,
        position: &P,
        halfmove_clock: u32,
        depth: u32,
        found: NodeResult,
    ) -> (NodeResult, bool) {
        let within_depth = distance(found, P::INFO.scoring).filter(|&plies| plies <= depth);
        let Some(selectivity) = self.selectivity else { return (found, within_depth.is_some()) };
        let Some(plies) = within_depth.filter(|_| !found.complete) else { return (found, false) };
        let pv = self.searcher.pv[0].clone();
        self.selectivity = None;
        self.check_node_limit = 2 * self.stop.nodes() + DISTANCE_CHECK_NODES;
        let expected = Score { thousandths: found.value, certainty: Certainty::Heuristic, plies: None };
        let checked = self.aspiration_search(position, halfmove_clock, plies, expected);
        self.selectivity = Some(selectivity);
        self.check_node_limit = u64::MAX;
        // The search may not find the win again if its table entries have been overwritten.
        let checked = checked.filter(|&checked| distance(checked, P::INFO.scoring).is_some());
        if checked.is_none() {
            self.searcher.pv[0] = pv;
        }
        checked.map_or((found, false), |checked| (checked, true))
    }

    /// Searches the root, first with a narrow window around the score of the previous iteration.
    /// Returns `None` if the search was stopped.
    fn aspiration_search(
        &mut self,
        position: &P,
        halfmove_clock: u32,
        depth: u32,
        expected: Score,
    ) -> Option<NodeResult> {
        let root = Node { position: *position, halfmove_clock, depth, ply: 0, captures: 0 };
        let expected = Some(expected.thousandths).filter(|_| depth >= 3 && !expected.is_exact());
        search_in_windows(expected, &mut |alpha, beta| self.node(&root, alpha, beta))
    }
}

/// Searches with wider and wider windows around an expected value, or with a full window.
fn search_in_windows(
    expected: Option<i32>,
    search: &mut dyn FnMut(i32, i32) -> Option<NodeResult>,
) -> Option<NodeResult> {
    let mut margin = ASPIRATION_MARGIN;
    let (mut alpha, mut beta) = expected.map_or((-INFINITY, INFINITY), |value| (value - margin, value + margin));
    loop {
        let found = search(alpha, beta)?;
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

/// Returns the number of plies to the end of the game for a proved win or loss; otherwise `None`.
fn distance(found: NodeResult, scoring: Scoring) -> Option<u32> {
    (scoring == Scoring::Distance && found.value.abs() > PROVEN_WIN).then(|| (WIN - found.value.abs()) as u32)
}

/// Converts the value of the root into a score.
///
/// A win that was found is always proved. Its distance is not proved if a shorter win may exist:
/// beyond the depth, in pruned lines, or through a repetition. The search scores the first
/// repetition as a draw, while most draw rules require more occurrences, so the value must be
/// independent of it.
fn score_of(found: NodeResult, scoring: Scoring, is_shortest: bool, is_independent: bool) -> Score {
    match distance(found, scoring) {
        Some(plies) => Score {
            thousandths: found.value.signum() * Score::POINT,
            certainty: Certainty::Exact,
            plies: Some(plies)
                .filter(|&plies| (found.complete || is_shortest) && is_independent && plies < UNKNOWN_DISTANCE),
        },
        None => {
            let certainty = if found.complete && is_independent { Certainty::Exact } else { Certainty::Heuristic };
            Score { thousandths: found.value, certainty, plies: None }
        }
    }
}
