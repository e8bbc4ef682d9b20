//! A provisional searcher for Othello: alpha-beta with the disc difference at the horizon.

use std::time::Instant;

use crate::game::{
    Cancel, Certainty, EngineOptions, Game, Limits, Line, LineFormat, Playable, Position as _, Report, Score, Searcher,
};
use crate::othello::{Move, Position, formats};

impl<const N: usize> Playable for Position<N> {
    const NAME: &'static str = match N {
        8 => "othello",
        6 => "othello-6x6",
        _ => "othello-4x4",
    };
    const EXACT_SOLVER: bool = true;

    fn formats() -> &'static [LineFormat<Self>] {
        formats::formats()
    }

    fn searcher(_: &EngineOptions) -> Box<dyn Searcher<Self>> {
        Box::new(Provisional)
    }
}

struct Provisional;

struct Search<'a> {
    limits: &'a Limits,
    cancel: &'a Cancel,
    start: Instant,
    nodes: u64,
    horizon: bool,
}

impl Search<'_> {
    fn stopped(&self) -> bool {
        self.cancel.is_cancelled()
            || self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes)
            || self.limits.time.is_some_and(|time| self.start.elapsed() >= time)
    }

    fn negamax<const N: usize>(
        &mut self,
        position: &Position<N>,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<(i32, Vec<Move>)> {
        if self.stopped() {
            return None;
        }
        self.nodes += 1;
        if position.is_over() {
            return Some((position.final_score(), Vec::new()));
        }
        if depth == 0 {
            self.horizon = true;
            return Some((position.disc_difference(), Vec::new()));
        }
        let mut best = (i32::MIN, Vec::new());
        for m in position.legal_moves() {
            let (score, mut pv) = self.negamax(&position.after(m), depth - 1, -beta, -alpha)?;
            if -score > best.0 {
                pv.insert(0, m);
                best = (-score, pv);
            }
            alpha = alpha.max(best.0);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

impl<const N: usize> Searcher<Position<N>> for Provisional {
    fn search(
        &mut self,
        game: &Game<Position<N>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<Position<N>>),
    ) -> Report<Position<N>> {
        let mut search = Search { limits, cancel, start: Instant::now(), nodes: 0, horizon: false };
        let position = game.position();
        let first = position.legal_moves().next();
        let score = Score { certainty: Certainty::Heuristic, ..Score::exact(0) };
        let best = Line { score, pv: first.into_iter().collect() };
        let mut report = Report { best, depth: 0, nodes: 0, time: search.start.elapsed() };
        for depth in 0..=limits.depth.unwrap_or(u32::MAX) {
            search.horizon = false;
            let Some((points, pv)) = search.negamax(position, depth, -100, 100) else { break };
            if depth == 0 && search.horizon {
                continue;
            }
            let certainty = if search.horizon { Certainty::Heuristic } else { Certainty::Exact };
            report.best = Line { score: Score { certainty, ..Score::exact(points) }, pv };
            report.depth = depth;
            on_info(&report);
            if certainty == Certainty::Exact {
                break;
            }
        }
        Report { nodes: search.nodes, time: search.start.elapsed(), ..report }
    }

    fn fork(&self) -> Box<dyn Searcher<Position<N>>> {
        Box::new(Self)
    }

    fn clear(&mut self) {}
}
