//! The searcher of Othello: what is asked for becomes searches by evaluation, the deeper or surer the later, and a solve where the end is near
//! enough. On the small boards, for which nothing was learnt, the generic search stands in for the former.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{HandcraftedEvaluation, Iteration, SearchedLine, Solution, Solver, TrainedEvaluation};
use crate::game::{
    Bounds, Cancel, Certainty, Confidence, Engine, EngineOptions, EvaluationKind, Game, GameData, Limits, Line,
    Position as _, Report, Score, Searcher, WeightsError, WrongGameData,
};
use crate::othello::{Board, Move, Position};
use crate::search::AlphaBeta;

/// With no depth asked for, but time or nodes, positions with at most this many empty squares go to the solver.
const SOLVE_MAX_EMPTIES: u32 = 14;

/// The part of bounded time and nodes, one in so many, for the searches that go before a solve.
const PRESEARCH_SHARE: u32 = 4;

/// The depths of such searches where a solve needs none, in plies.
const QUICK_DEPTHS: [u32; 2] = [1, 3];

/// The part for the plain search that stands in for a solve which is cut short, and the most that it may take: most solves are not cut
/// short, and it is for nothing then.
const FALLBACK_SHARE: u32 = 8;
const FALLBACK_TIME: Duration = Duration::from_millis(20);
const FALLBACK_NODES: u64 = 40_000;

/// A search that is to go to the end of the game is not made deeper ply by ply beyond so many plies before it: to leave out what hardly
/// matters on the way to the end then takes less.
const FULL_DEPTH_JUMP: u32 = 12;

/// Searches a position by evaluation, or solves it where an exact score or a window is asked for or the depth reaches the end.
///
/// A solve that is cut short is reported by what it proved: the bounds; and the lines of the searches that went before it, scores that
/// contradict a bound moved to it, with the move first that is proved to reach the most.
pub struct OthelloSearcher<const N: usize> {
    /// Searches where the solver has learnt nothing to search by.
    generic: Box<dyn Searcher<Position<N>>>,
    solver: Solver<N>,
}

impl<const N: usize> OthelloSearcher<N> {
    /// Creates a searcher that judges by hand-made rules; a quarter of the memory goes to the table of the search by evaluation, the rest to
    /// the solver's.
    #[must_use]
    pub fn new(options: &EngineOptions) -> Self {
        let quarter = options.hash_bytes / 4;
        Self {
            generic: Box::new(AlphaBeta::new(HandcraftedEvaluation, quarter)),
            solver: Solver::new(options.hash_bytes - quarter),
        }
    }

    /// Creates the searcher of a board that has no weights.
    fn for_small_board(options: &EngineOptions) -> Result<Self, WrongGameData> {
        if options.weights.is_some() || options.database.is_some() {
            Err(WrongGameData)
        } else {
            Ok(Self::new(options))
        }
    }

    /// Searches a position that is to be solved: what is found orders the solver's moves, and stands in for what it cannot prove in time.
    fn presearch(
        &mut self,
        game: &Game<Position<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<Position<N>>),
    ) -> Report<Position<N>> {
        let board = game.position().board();
        let bounded = limits.nodes.is_some() || limits.time.is_some();
        if self.solver.has_evaluation() {
            let mut drafts = presearch_drafts(board.empty_count());
            if bounded && drafts.is_empty() {
                drafts = QUICK_DEPTHS.map(|depth| (depth, Confidence::FULL)).to_vec();
            }
            let share = Limits {
                nodes: limits.nodes.map(|nodes| nodes.div_ceil(PRESEARCH_SHARE.into())),
                time: limits.time.map(|time| time / PRESEARCH_SHARE),
                lines: if bounded { limits.lines } else { 1 },
                ..Limits::default()
            };
            return self.run(board, &drafts, &share, cancel, on_info);
        }
        let stand_in = Limits {
            depth: if bounded { limits.depth } else { Some(1) },
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(FALLBACK_SHARE.into()).min(FALLBACK_NODES)),
            time: limits.time.map(|time| (time / FALLBACK_SHARE).min(FALLBACK_TIME)),
            lines: limits.lines,
            ..Limits::default()
        };
        self.generic.search(game, &stand_in, cancel, on_info)
    }

    /// Searches by evaluation; what is asked for is not a proof.
    fn search_by_evaluation(
        &mut self,
        game: &Game<Position<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<Position<N>>),
    ) -> Report<Position<N>> {
        let board = game.position().board();
        // Only the plain search knows of an adjudicator's cap on the plies of the game.
        if !self.solver.has_evaluation() || board.is_over() || game.draw_rules().ply_cap.is_some() {
            return self.generic.search(game, limits, cancel, on_info);
        }
        self.run(board, &drafts(limits, board.empty_count()), limits, cancel, on_info)
    }

    fn run(
        &mut self,
        board: Board<N>,
        drafts: &[(u32, Confidence)],
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<Position<N>>),
    ) -> Report<Position<N>> {
        let start = Instant::now();
        let report = |iteration: &Iteration| {
            let line =
                |line: &SearchedLine| Line { score: Score::of(line.score, Certainty::Heuristic), pv: moves(&line.pv) };
            Report {
                lines: iteration.lines.iter().map(line).collect(),
                bounds: Bounds::default(),
                depth: iteration.depth,
                confidence: iteration.confidence,
                nodes: iteration.nodes,
                time: start.elapsed(),
                note: None,
            }
        };
        let iteration = self.solver.search(board, drafts, limits, cancel, &mut |iteration| on_info(&report(iteration)));
        report(&iteration)
    }
}

impl OthelloSearcher<8> {
    /// Creates a searcher that judges by what was learnt from games.
    #[must_use]
    pub fn with_evaluation(options: &EngineOptions, evaluation: Arc<TrainedEvaluation>) -> Self {
        let plain = Box::new(AlphaBeta::new(HandcraftedEvaluation, 1 << 16));
        Self { generic: plain, solver: Solver::with_evaluation(options.hash_bytes, evaluation) }
    }

    /// Creates the best searcher there is.
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

/// Returns what is asked at a level, from 1: the depth in plies, the number of empty squares from which on to solve, and the confidence.
/// `morello analyze --help` and `src/guide/analyze.md` list them too.
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

/// Returns the iterations of a search: ply by ply to the depth asked for, or to the end of the game in a leap and then surer each time, but
/// for the last step to a proof, which is the solver's.
///
/// A bound may end a search before the end of the game is reached, so all of its iterations have the confidence asked for; without one those
/// on the way only order moves, and the less they take the better.
fn drafts(limits: &Limits, empties: u32) -> Vec<(u32, Confidence)> {
    let depth = limits.depth.unwrap_or(empties);
    let low = limits.confidence.unwrap_or(Confidence::LOWEST);
    if depth < empties {
        return (1..=depth).map(|depth| (depth, low)).collect();
    }
    let high = limits.confidence.unwrap_or(Confidence::FULL);
    let first = if limits.nodes.is_some() || limits.time.is_some() { low } else { Confidence::LOWEST };
    let levels = Confidence::all().filter(|&level| first <= level && level <= high && level < Confidence::FULL);
    let deepening = (1..=empties.saturating_sub(FULL_DEPTH_JUMP)).map(|depth| (depth, first));
    deepening.chain(levels.map(|level| (empties, level))).collect()
}

/// Returns the searches that go before a solve, so that it finds its moves in a good order.
fn presearch_drafts(empties: u32) -> Vec<(u32, Confidence)> {
    let levels = match empties {
        ..=15 => return Vec::new(),
        16..=21 => 1,
        22..=25 => 2,
        26..=29 => 3,
        _ => 5,
    };
    let deepening = (empties % 2 + 2..=empties - FULL_DEPTH_JUMP).step_by(2).map(|depth| (depth, Confidence::LOWEST));
    deepening.chain(Confidence::all().take(levels).map(|level| (empties, level))).collect()
}

fn moves(squares: &[Option<u32>]) -> Vec<Move> {
    squares.iter().map(|square| square.map_or(Move::PASS, Move::place)).collect()
}

/// Returns what a solve adds to a search by evaluation.
fn merge<const N: usize>(
    searched: &Report<Position<N>>,
    solution: &Solution,
    limits: &Limits,
    empties: u32,
) -> Report<Position<N>> {
    let area = Board::<N>::AREA as i32;
    let is_exact = solution.lower == solution.upper;
    let bounds = Bounds {
        lower: (is_exact || solution.lower > -area).then_some(solution.lower),
        upper: (is_exact || solution.upper < area).then_some(solution.upper),
    };
    let (alpha, beta) = limits.window.unwrap_or((-area, area));
    let proved = |lower: i32, upper: i32| match () {
        () if lower == upper => Some(Score::exact(lower)),
        () if lower >= beta => Some(Score::of(lower, Certainty::AtLeast)),
        () if upper <= alpha => Some(Score::of(upper, Certainty::AtMost)),
        () => None,
    };
    let estimate = |score: Score, lower: i32, upper: i32| {
        let thousandths = score.thousandths.clamp(lower * Score::POINT, upper * Score::POINT);
        Score { thousandths, certainty: Certainty::Heuristic, plies: None }
    };
    let worst = searched.lines.last().expect("a report has a line").score;
    let mut lines: Vec<_> = solution
        .moves
        .iter()
        .map(|solved| {
            let pv = moves(&solved.pv);
            let place = searched.lines.iter().position(|line| line.pv.first() == pv.first());
            let searched = place.map(|place| &searched.lines[place]);
            let line = match proved(solved.lower, solved.upper) {
                Some(score) => Line { score, pv },
                // A move that is not among the best by evaluation is no better than the last of those.
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
    // The position's score is more than its best move's as long as another may be better.
    let best = proved(solution.lower, solution.upper)
        .unwrap_or_else(|| estimate(searched.best().score, solution.lower, solution.upper));
    lines[0].0.score = best;
    if !solution.complete {
        // What may be better than the best line, by an estimate or a bound from above, is told to be as good, and no more is claimed of it.
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
    Report { lines, bounds, depth, confidence, nodes: searched.nodes + solution.nodes, time: searched.time, note: None }
}

impl<const N: usize> Searcher<Position<N>> for OthelloSearcher<N> {
    fn search(
        &mut self,
        game: &Game<Position<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<Position<N>>),
    ) -> Report<Position<N>> {
        let position = game.position();
        let empties = position.board().empty_count();
        let near_the_end = limits.exact_from.is_some_and(|from| empties <= from);
        // Without an evaluation nothing is left out, whatever is asked.
        let sure = limits.confidence.is_none_or(|confidence| confidence == Confidence::FULL);
        let sure = sure || !self.solver.has_evaluation();
        let proof = limits.exact || limits.window.is_some();
        let solve = match limits.depth {
            _ if near_the_end => true,
            Some(depth) => depth >= empties && (sure || proof),
            None => proof || empties <= SOLVE_MAX_EMPTIES,
        };
        // A cap on the plies of the game is an adjudicator's, and the solver knows no such draws.
        let may_solve = !position.is_over() && game.draw_rules().ply_cap.is_none();
        let searched = if solve && may_solve {
            self.presearch(game, limits, cancel, on_info)
        } else {
            let searched = self.search_by_evaluation(game, limits, cancel, on_info);
            let was_going_to_the_end = may_solve && self.solver.has_evaluation() && limits.depth.is_none() && sure;
            let was_last = drafts(limits, empties).last() == Some(&(searched.depth, searched.confidence));
            if !was_going_to_the_end || !was_last {
                return searched;
            }
            // Only the proof is missing.
            searched
        };
        if searched.lines.iter().all(|line| line.score.is_exact()) {
            on_info(&searched);
            return searched;
        }
        let rest = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(searched.nodes)),
            time: limits.time.map(|time| time.saturating_sub(searched.time)),
            ..*limits
        };
        let start = Instant::now();
        let report = |solution: &Solution| {
            let report = merge(&searched, solution, limits, empties);
            Report { time: searched.time + start.elapsed(), ..report }
        };
        let solution = self.solver.solve(position.board(), &rest, cancel, &mut |solution| on_info(&report(solution)));
        let report = report(&solution);
        on_info(&report);
        report
    }

    fn fork(&self) -> Box<dyn Searcher<Position<N>>> {
        Box::new(Self { generic: self.generic.fork(), solver: self.solver.fork() })
    }

    fn assist(&mut self, patience: Duration) {
        self.solver.assist(patience);
    }

    fn clear(&mut self) {
        self.generic.clear();
        self.solver.clear();
    }
}

macro_rules! engines {
    ($($size:literal, $searcher:expr, { $($more:item)* };)+) => {$(
        impl Engine for Position<$size> {
            const EXACT_SOLVER: bool = true;
            const SELECTIVE: bool = $size == 8;

            fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher<Self>>, WrongGameData> {
                let searcher: fn(&EngineOptions) -> Result<OthelloSearcher<$size>, WrongGameData> = $searcher;
                Ok(Box::new(searcher(options)?))
            }

            $($more)*
        }
    )+};
}

engines! {
    8, OthelloSearcher::best, {
        fn read_weights(file: &Path) -> Result<GameData, WeightsError> { TrainedEvaluation::read(file).map(GameData::new) }
        fn level(number: u32) -> Limits { level(number) }
    };
    6, OthelloSearcher::for_small_board, {};
    4, OthelloSearcher::for_small_board, {};
}
