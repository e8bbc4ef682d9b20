//! The searcher of Othello: the generic search in the midgame, the exact solver at the end.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use super::{Evaluate, Solution, Solver};
use crate::game::{
    Bounds, Cancel, Certainty, EngineOptions, Game, Limits, Line, LineFormat, Playable, Position as _, Report, Score,
    Searcher,
};
use crate::othello::{Board, Move, Position, formats};
use crate::search::AlphaBeta;

/// With no depth asked for, but time or nodes, positions with at most this many empty squares go to the solver.
const SOLVE_FROM: u32 = 14;

/// The part of the time and nodes, one in so many, for the search that stands in for a solve that is cut short.
const STAND_IN_SHARE: u32 = 8;

/// The most that it may take: most solves are not cut short, and it is for nothing then.
const STAND_IN_TIME: Duration = Duration::from_millis(20);
const STAND_IN_NODES: u64 = 40_000;

/// Searches a position by evaluation, or solves it where an exact score or a window is asked for or the depth reaches the end.
///
/// A solve that is cut short is reported by what it proved: the bounds; and the lines of a short search by evaluation, scores that contradict
/// a bound moved to it, with the move first that is proved to reach the most.
pub struct OthelloSearcher<const N: usize> {
    midgame: Box<dyn Searcher<Position<N>>>,
    solver: Solver<N>,
}

impl<const N: usize> OthelloSearcher<N> {
    /// Creates a searcher; a quarter of the memory goes to the table of the search by evaluation, the rest to the solver's.
    #[must_use]
    pub fn new(options: &EngineOptions) -> Self {
        let quarter = options.hash_bytes / 4;
        let midgame = Box::new(AlphaBeta::new(Evaluate, quarter));
        Self { midgame, solver: Solver::new(options.hash_bytes - quarter) }
    }
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
            let pv: Vec<Move> = solved.pv.iter().map(|square| square.map_or(Move::PASS, Move::place)).collect();
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
    let depth = if lines[0].score.certainty == Certainty::Heuristic { searched.depth } else { empties };
    Report { lines, bounds, depth, nodes: searched.nodes + solution.nodes, time: searched.time }
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
        let proof = limits.exact || limits.window.is_some();
        let solve = limits.depth.map_or(proof || empties <= SOLVE_FROM, |depth| depth >= empties);
        // A cap on the plies of the game is an adjudicator's, and the solver knows no such draws.
        if !solve || position.is_over() || game.settings().ply_cap.is_some() {
            return self.midgame.search(game, limits, cancel, on_info);
        }
        let bounded = limits.nodes.is_some() || limits.time.is_some();
        let stand_in = Limits {
            depth: if bounded { limits.depth } else { Some(1) },
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(STAND_IN_SHARE.into()).min(STAND_IN_NODES)),
            time: limits.time.map(|time| (time / STAND_IN_SHARE).min(STAND_IN_TIME)),
            lines: limits.lines,
            ..Limits::default()
        };
        let searched = self.midgame.search(game, &stand_in, cancel, &mut |_| ());
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
        Box::new(Self { midgame: self.midgame.fork(), solver: self.solver.fork() })
    }

    fn assist(&mut self, patience: Duration) {
        self.solver.assist(patience);
    }

    fn clear(&mut self) {
        self.midgame.clear();
        self.solver.clear();
    }
}

macro_rules! playable {
    ($($size:literal => $name:literal)*) => {$(
        impl Playable for Position<$size> {
            const NAME: &'static str = $name;
            const EXACT_SOLVER: bool = true;

            fn formats() -> &'static [LineFormat<Self>] {
                formats::formats()
            }

            fn searcher(options: &EngineOptions) -> Box<dyn Searcher<Self>> {
                Box::new(OthelloSearcher::new(options))
            }
        }
    )*};
}

playable! {
    8 => "othello"
    6 => "othello-6x6"
    4 => "othello-4x4"
}
