//! The Othello searcher. It turns the limits into iterations of the selective search with
//! increasing depth or confidence, and into an exact solve near the end of the game. Small boards
//! have no trained evaluation and use the generic search instead.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::iterations::{Plan, SOLVE_MAX_EMPTIES, drafts, presearch_drafts};
use super::patterns::{FULL, UNIT};
use super::score_error::ScoreErrorModel;
use super::{HandcraftedEvaluation, Iteration, SearchedLine, Solution, Solver, TrainedEvaluation};
use crate::game::{
    Bounds, Cancel, Certainty, Confidence, Engine, EngineOptions, EvaluationKind, Evaluator as _, Game, GameData,
    Limits, Line, Position as _, Report, ReportSource, Score, Searcher, WeightsError, WrongGameData,
};
use crate::host::Instant;
use crate::othello::{Board, SizedPosition};
use crate::search::AlphaBeta;

/// The inverse of the share of limited time and nodes that the searches before a solve may use.
const PRESEARCH_SHARE: u32 = 4;

/// The inverse of the share, and the maximum, of time and nodes for the generic search before a
/// solve. Its result is needed only if the solve is interrupted, which is rare.
const FALLBACK_SHARE: u32 = 8;
const FALLBACK_TIME: Duration = Duration::from_millis(20);
const FALLBACK_NODES: u64 = 40_000;

/// How to search a position.
enum Strategy {
    /// By evaluation only.
    Evaluate,
    /// By evaluation; if the search reaches the end of the game, prove its result.
    EvaluateToTheEnd,
    /// By a plan for limited time or nodes; it may end with a solve.
    Plan,
    /// Solve it after a short search.
    Solve,
}

/// Searches a position by evaluation, or solves it if an exact score or a window is requested or
/// the depth reaches the end of the game.
///
/// If a solve is interrupted, the report contains the proved bounds and the lines of the search
/// before it. Scores outside the bounds are clamped to them, and the move with the highest proved
/// lower bound comes first.
///
/// ```
/// use morello::game::{EngineOptions, Limits, Searcher, random_game};
/// use morello::othello::engine::{OthelloSearcher, TrainedEvaluation};
///
/// let options = EngineOptions::new(1 << 20);
/// let mut searcher = OthelloSearcher::with_evaluation(&options, TrainedEvaluation::built_in());
/// let game = random_game(1, 50);
/// let report = searcher.best(&game, &Limits::exact());
/// assert_eq!((report.best().score.to_string().as_str(), report.depth), ("-16", 10));
/// ```
pub struct OthelloSearcher<const N: usize> {
    /// Searches by evaluation if the solver has no trained evaluation.
    generic: Box<dyn Searcher<SizedPosition<N>>>,
    solver: Solver<N>,
}

crate::debug_fields!([const N: usize] OthelloSearcher<N> { solver });

impl<const N: usize> OthelloSearcher<N> {
    /// Creates a searcher with the hand-crafted evaluation. The generic search gets a quarter of
    /// the hash memory, the solver the rest.
    #[must_use]
    pub fn new(options: &EngineOptions) -> Self {
        let quarter = options.hash_bytes / 4;
        Self {
            generic: Box::new(AlphaBeta::new(HandcraftedEvaluation, quarter)),
            solver: Solver::new(options.hash_bytes - quarter),
        }
    }

    /// Creates the searcher for a board without trained weights.
    fn for_small_board(options: &EngineOptions) -> Result<Self, WrongGameData> {
        if options.weights.is_some() || options.database.is_some() {
            Err(WrongGameData)
        } else {
            Ok(Self::new(options))
        }
    }

    /// Searches a position before it is solved. The result orders the moves of the solver and
    /// replaces scores that it cannot prove in time.
    fn presearch(
        &mut self,
        game: &Game<SizedPosition<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<SizedPosition<N>>),
    ) -> Report<SizedPosition<N>> {
        let board = game.position().board();
        let bounded = limits.nodes.is_some() || limits.time.is_some();
        if self.solver.has_evaluation() {
            let mut drafts = presearch_drafts(board.empty_count(), bounded).into_iter();
            let share = Limits {
                nodes: limits.nodes.map(|nodes| nodes.div_ceil(PRESEARCH_SHARE.into())),
                time: limits.time.map(|time| time / PRESEARCH_SHARE),
                lines: if bounded { limits.lines } else { 1 },
                ..Limits::default()
            };
            return self.run(board, &mut |_| drafts.next(), &share, cancel, on_info);
        }
        let fallback = Limits {
            depth: if bounded { limits.depth } else { Some(1) },
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(FALLBACK_SHARE.into()).min(FALLBACK_NODES)),
            time: limits.time.map(|time| (time / FALLBACK_SHARE).min(FALLBACK_TIME)),
            lines: limits.lines,
            ..Limits::default()
        };
        self.generic.search(game, &fallback, cancel, on_info)
    }

    /// Searches by evaluation, without a proof.
    fn search_by_evaluation(
        &mut self,
        game: &Game<SizedPosition<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<SizedPosition<N>>),
    ) -> Report<SizedPosition<N>> {
        let board = game.position().board();
        // Only the generic search supports a move limit.
        if !self.solver.has_evaluation() || board.is_over() || game.draw_rules().ply_cap.is_some() {
            return self.generic.search(game, limits, cancel, on_info);
        }
        let mut drafts = drafts(limits, board.empty_count()).into_iter();
        self.run(board, &mut |_| drafts.next(), limits, cancel, on_info)
    }

    fn run(
        &mut self,
        board: Board<N>,
        next_draft: &mut dyn FnMut(f64) -> Option<(u32, Confidence)>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<SizedPosition<N>>),
    ) -> Report<SizedPosition<N>> {
        let start = Instant::now();
        let report = |iteration: &Iteration| {
            let line =
                |line: &SearchedLine| Line { score: Score::of(line.score, Certainty::Heuristic), pv: line.pv.clone() };
            Report {
                lines: iteration.lines.iter().map(line).collect(),
                bounds: Bounds::default(),
                depth: iteration.depth,
                confidence: iteration.confidence,
                nodes: iteration.nodes,
                time: start.elapsed(),
                note: None,
                source: ReportSource::Search,
            }
        };
        let mut on_iteration = |iteration: &Iteration| on_info(&report(iteration));
        let iteration = self.solver.search_by_plan(board, next_draft, limits, cancel, &mut on_iteration);
        report(&iteration)
    }

    /// Chooses how to search a position.
    fn strategy(&self, game: &Game<SizedPosition<N>>, limits: &Limits) -> Strategy {
        // The solver does not support draws by a move limit.
        if game.position().is_over() || game.draw_rules().ply_cap.is_some() {
            return Strategy::Evaluate;
        }
        let has_evaluation = self.solver.has_evaluation();
        let wants_proof = limits.exact || limits.window.is_some();
        if has_evaluation && !wants_proof && (limits.nodes.is_some() || limits.time.is_some()) {
            return Strategy::Plan;
        }
        let empties = game.position().board().empty_count();
        // Without a trained evaluation nothing is pruned selectively, so the confidence does not
        // matter.
        let is_certain = !has_evaluation || limits.confidence.is_none_or(|confidence| confidence == Confidence::FULL);
        match limits.depth {
            _ if limits.exact_from.is_some_and(|from| empties <= from) => Strategy::Solve,
            Some(depth) if depth >= empties && (is_certain || wants_proof) => Strategy::Solve,
            None if wants_proof || empties <= SOLVE_MAX_EMPTIES => Strategy::Solve,
            None if has_evaluation && is_certain => Strategy::EvaluateToTheEnd,
            _ => Strategy::Evaluate,
        }
    }

    /// Solves a position within the limits that a previous search left.
    fn solve(
        &mut self,
        board: Board<N>,
        searched: &Report<SizedPosition<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<SizedPosition<N>>),
    ) -> Report<SizedPosition<N>> {
        let rest = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(searched.nodes)),
            time: limits.time.map(|time| time.saturating_sub(searched.time)),
            ..*limits
        };
        let start = Instant::now();
        let report = |solution: &Solution| {
            let report = merge(searched, solution, limits, board.empty_count());
            Report { time: searched.time + start.elapsed(), ..report }
        };
        let solution = self.solver.solve(board, &rest, cancel, &mut |solution| on_info(&report(solution)));
        let report = report(&solution);
        on_info(&report);
        report
    }
}

impl OthelloSearcher<8> {
    /// Creates a searcher with a trained evaluation.
    #[must_use]
    pub fn with_evaluation(options: &EngineOptions, evaluation: Arc<TrainedEvaluation>) -> Self {
        let generic = Box::new(AlphaBeta::new(HandcraftedEvaluation, 1 << 16));
        Self { generic, solver: Solver::with_evaluation(options.hash_bytes, evaluation) }
    }

    /// Creates the searcher for these options.
    fn best(options: &EngineOptions) -> Result<Self, WrongGameData> {
        if options.database.is_some() {
            return Err(WrongGameData);
        }
        if options.evaluation == EvaluationKind::Simple {
            return Ok(Self::new(options));
        }
        let own = options.weights.as_ref().map(GameData::get::<TrainedEvaluation>).transpose()?;
        Ok(Self::with_evaluation(options, own.unwrap_or_else(TrainedEvaluation::built_in)))
    }
}

/// Returns the limits of a level, from 1: the depth in plies, the number of empty squares at which
/// to start solving, and the confidence. `morello analyze --help` and `src/guide/analyze.md` list
/// them too.
fn level(level: u32) -> Limits {
    let (exact_from, percent) = match level {
        ..=10 => (2 * level, 73),
        11..=20 => (15 + level / 2, 73),
        21..=30 => (18 + level / 3, 73),
        31..=40 => (level - 2, 87),
        41..=50 => (level - 2, 95),
        _ => (60, 98),
    };
    let confidence = Confidence::from_percent(percent);
    Limits { exact_from: Some(exact_from), confidence, ..Limits::depth(level) }
}

/// Positions with at most this many empty squares are solved quickly.
const SOLVED_EMPTIES: u32 = 20;

/// Returns the number of plies among which the clock time is divided. After a solve, little time is
/// needed: with 0.6 s per game, an equal share for every ply of the game left 44 % of the time
/// unused.
fn timed_plies(empties: u32) -> u32 {
    empties.saturating_sub(SOLVED_EMPTIES).max(empties.div_ceil(4))
}

/// Returns the score that the bounds prove for a window, if they prove one.
fn proved(lower: i32, upper: i32, (alpha, beta): (i32, i32)) -> Option<Score> {
    match () {
        () if lower == upper => Some(Score::exact(lower)),
        () if lower >= beta => Some(Score::of(lower, Certainty::AtLeast)),
        () if upper <= alpha => Some(Score::of(upper, Certainty::AtMost)),
        () => None,
    }
}

/// Returns an estimate that lies within the bounds.
fn estimate(score: Score, lower: i32, upper: i32) -> Score {
    let thousandths = score.thousandths.clamp(lower * Score::POINT, upper * Score::POINT);
    Score { thousandths, certainty: Certainty::Heuristic, plies: None }
}

/// Combines the report of a search by evaluation with the result of a solve.
fn merge<const N: usize>(
    searched: &Report<SizedPosition<N>>,
    solution: &Solution,
    limits: &Limits,
    empties: u32,
) -> Report<SizedPosition<N>> {
    let area = Board::<N>::AREA as i32;
    let is_exact = solution.lower == solution.upper;
    let bounds = Bounds {
        lower: (is_exact || solution.lower > -area).then_some(solution.lower),
        upper: (is_exact || solution.upper < area).then_some(solution.upper),
    };
    let window = limits.window.unwrap_or((-area, area));
    let worst = searched.lines.last().expect("the search has a line").score;
    let mut lines: Vec<_> = solution
        .moves
        .iter()
        .map(|solved| {
            let pv = solved.pv.clone();
            let place = searched.lines.iter().position(|line| line.pv.first() == pv.first());
            let searched = place.map(|place| &searched.lines[place]);
            let line = match proved(solved.lower, solved.upper, window) {
                Some(score) => Line { score, pv },
                // A move without its own line gets the score of the last line as an estimate.
                None => Line {
                    score: estimate(searched.map_or(worst, |line| line.score), solved.lower, solved.upper),
                    pv: searched.map_or(pv, |line| line.pv.clone()),
                },
            };
            (line, solved.lower, place.unwrap_or(usize::MAX))
        })
        .collect();
    if !solution.complete {
        lines.sort_by_key(|&(_, lower, place)| (Reverse(lower), place));
    }
    // Until the solve is complete, another move may be better than the first, so it gets the score
    // of the position.
    let best = proved(solution.lower, solution.upper, window)
        .unwrap_or_else(|| estimate(searched.best().score, solution.lower, solution.upper));
    lines[0].0.score = best;
    if !solution.complete {
        // Lines whose estimate or upper bound exceeds the best score are reported with the best
        // score, without a bound.
        for (line, ..) in lines[1..].iter_mut().filter(|(line, ..)| line.score.thousandths > best.thousandths) {
            line.score = Score { certainty: Certainty::Heuristic, ..best };
        }
        lines[1..].sort_by_key(|(line, ..)| Reverse(line.score.thousandths));
    }
    let lines: Vec<_> = lines.into_iter().map(|(line, ..)| line).take(limits.lines.max(1)).collect();
    let (depth, confidence) = match lines[0].score.certainty {
        Certainty::Heuristic => (searched.depth, searched.confidence),
        _ => (empties, Confidence::FULL),
    };
    Report { lines, bounds, depth, confidence, nodes: searched.nodes + solution.nodes, ..searched.clone() }
}

impl<const N: usize> Searcher<SizedPosition<N>> for OthelloSearcher<N> {
    fn search(
        &mut self,
        game: &Game<SizedPosition<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<SizedPosition<N>>),
    ) -> Report<SizedPosition<N>> {
        let (board, empties) = (game.position().board(), game.position().board().empty_count());
        let (searched, is_final) = match self.strategy(game, limits) {
            Strategy::Evaluate => (self.search_by_evaluation(game, limits, cancel, on_info), true),
            Strategy::EvaluateToTheEnd => {
                let searched = self.search_by_evaluation(game, limits, cancel, on_info);
                // After the last iteration, only the proof is missing.
                let last = drafts(limits, empties).last().copied();
                let is_final = last != Some((searched.depth, searched.confidence));
                (searched, is_final)
            }
            Strategy::Plan => {
                let mut plan = Plan::new(limits, empties);
                let searched = self.run(board, &mut |used| plan.next(used), limits, cancel, on_info);
                (searched, !plan.ends_with_solve())
            }
            Strategy::Solve => (self.presearch(game, limits, cancel, on_info), false),
        };
        if is_final {
            searched
        } else if searched.lines.iter().all(|line| line.score.is_exact()) {
            on_info(&searched);
            searched
        } else {
            self.solve(board, &searched, limits, cancel, on_info)
        }
    }

    fn fork(&self) -> Box<dyn Searcher<SizedPosition<N>>> {
        Box::new(Self { generic: self.generic.fork(), solver: self.solver.fork() })
    }

    fn assist(&mut self, max_wait: Duration) {
        self.solver.assist(max_wait);
    }

    fn clear(&mut self) {
        self.generic.clear();
        self.solver.clear();
    }
}

macro_rules! engines {
    ($($size:literal, $searcher:expr, { $($more:item)* };)+) => {$(
        impl Engine for SizedPosition<$size> {
            fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher<Self>>, WrongGameData> {
                let searcher: fn(&EngineOptions) -> Result<OthelloSearcher<$size>, WrongGameData> = $searcher;
                Ok(Box::new(searcher(options)?))
            }

            fn timed_plies(&self) -> u32 {
                timed_plies(self.board().empty_count())
            }

            $($more)*
        }
    )+};
}

engines! {
    8, OthelloSearcher::best, {
        fn static_evaluation(&self) -> i32 {
            let value = TrainedEvaluation::built_in().full.evaluate(self.board());
            value * Score::POINT / UNIT
        }
        fn features(&self) -> Vec<i32> {
            FULL.features(self.board()).into_iter().take(FULL.placements().len()).map(i32::from).collect()
        }
        fn read_weights(file: &Path) -> Result<GameData, WeightsError> {
            TrainedEvaluation::read(file).map(GameData::new)
        }
        fn level(number: u32) -> Limits { level(number) }
        fn score_error(empties: u32, depth: u32, confidence: Confidence) -> Option<f64> {
            Some(ScoreErrorModel::BUILT_IN.bound(empties, depth, confidence))
        }
    };
    6, OthelloSearcher::for_small_board,
    { fn static_evaluation(&self) -> i32 { HandcraftedEvaluation.evaluate(self) } };
    4, OthelloSearcher::for_small_board,
    { fn static_evaluation(&self) -> i32 { HandcraftedEvaluation.evaluate(self) } };
}
