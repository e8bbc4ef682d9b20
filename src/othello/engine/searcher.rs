//! The searcher of Othello: the generic search in the midgame, the exact solver at the end.

use std::time::Duration;

use super::{Evaluate, Solver};
use crate::game::{
    Cancel, EngineOptions, Game, Limits, Line, LineFormat, Playable, Position as _, Report, Score, Searcher,
};
use crate::othello::{Move, Position, formats};
use crate::search::AlphaBeta;

/// With no depth asked for, but time or nodes, positions with at most this many empty squares go to the solver.
const SOLVE_FROM: u32 = 14;

/// The part of the time and nodes, one in so many, for the search that stands in for a solve that is cut short.
const STAND_IN_SHARE: u32 = 8;

/// Searches a position by evaluation, or solves it where an exact score is asked for or the depth reaches the end.
pub struct OthelloSearcher<const N: usize> {
    midgame: Box<dyn Searcher<Position<N>>>,
    solver: Solver<N>,
}

impl<const N: usize> OthelloSearcher<N> {
    /// Creates a searcher; half of the memory goes to each of its two tables.
    #[must_use]
    pub fn new(options: &EngineOptions) -> Self {
        let half = options.hash_bytes / 2;
        Self { midgame: Box::new(AlphaBeta::new(Evaluate, half)), solver: Solver::new(half) }
    }

    /// Solves the position; `None` if a bound was reached before.
    fn solve(&mut self, position: &Position<N>, limits: &Limits, cancel: &Cancel) -> Option<Line<Position<N>>> {
        let solution = self.solver.solve(position.board(), limits, cancel)?;
        let pv = solution.pv.into_iter().map(|square| square.map_or(Move::PASS, Move::place)).collect();
        Some(Line { score: Score::exact(solution.score), pv })
    }
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
        let solve = limits.depth.map_or(limits.exact || empties <= SOLVE_FROM, |depth| depth >= empties);
        // A cap on the plies of the game is an adjudicator's, and the solver knows no such draws.
        if !solve || position.is_over() || game.settings().ply_cap.is_some() {
            return self.midgame.search(game, limits, cancel, on_info);
        }
        let bounded = limits.nodes.is_some() || limits.time.is_some();
        let stand_in = Limits {
            depth: if bounded { limits.depth } else { Some(1) },
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(STAND_IN_SHARE.into())),
            time: limits.time.map(|time| time / STAND_IN_SHARE),
            exact: false,
        };
        let mut report = self.midgame.search(game, &stand_in, cancel, &mut |_| ());
        if !report.best.score.is_exact() {
            let rest = Limits {
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes)),
                time: limits.time.map(|time| time.saturating_sub(report.time)),
                ..*limits
            };
            let start = std::time::Instant::now();
            if let Some(best) = self.solve(position, &rest, cancel) {
                report.best = best;
                report.depth = empties;
            }
            report.nodes += self.solver.nodes();
            report.time += start.elapsed();
        }
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
