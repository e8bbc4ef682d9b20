use super::AlphaBeta;
use crate::game::{Cancel, Evaluator, Game, Limits, Position, Report, Score, Scoring, Searcher, Settings};
use crate::othello::engine::Evaluate;
use crate::othello::{self, tests::random_position};

const WIN: i32 = 1_000_000;

/// The definition: negamax of a fixed depth, without any table. A repetition of a position on the path is a draw.
pub fn negamax<P: Position>(evaluator: &impl Evaluator<P>, path: &mut Vec<P>, quiet: u32, depth: u32, ply: u32) -> i32 {
    let position = *path.last().expect("the root is on the path");
    if position.is_over() {
        return match P::SCORING {
            Scoring::Margin => position.final_score() * Score::POINT,
            Scoring::Distance => position.final_score() * (WIN - ply as i32),
        };
    }
    if ply > 0
        && (position.no_progress_limit().is_some_and(|limit| quiet >= limit)
            || P::CYCLIC && path[..path.len() - 1].contains(&position))
    {
        return 0;
    }
    if depth == 0 {
        return evaluator.evaluate(&position);
    }
    let mut best = -WIN;
    for m in position.legal_moves() {
        path.push(position.after(m));
        let quiet = if position.is_irreversible(m) { 0 } else { quiet + 1 };
        best = best.max(-negamax(evaluator, path, quiet, depth - 1, ply + 1));
        path.pop();
    }
    best
}

fn search<P: Position>(searcher: &mut dyn Searcher<P>, position: P, limits: Limits) -> Report<P> {
    searcher.search(&Game::new(position), &limits, &Cancel::new(), &mut |_| ())
}

fn equals_negamax<const N: usize>(seeds: u64, depth: u32) {
    let mut searcher = AlphaBeta::new(Evaluate, 1 << 16).only_equal_depths();
    for seed in 0..seeds {
        for empties in [N as u32 * N as u32 - 8, 14, 7, 4, 1] {
            let position = random_position::<N>(seed, empties.min((N * N - 4) as u32));
            let report = search(&mut searcher, position, Limits::depth(depth));
            let expected = negamax(&Evaluate, &mut vec![position], 0, depth, 0);
            assert_eq!(report.best.score.thousandths, expected, "{position}");
            assert!(report.best.pv.len() as u32 <= depth);
            report.best.pv.iter().fold(position, |p, &m| p.play(m).expect("the line is legal"));
        }
    }
}

#[test]
fn equals_plain_negamax_in_othello() {
    equals_negamax::<8>(10, 4);
    equals_negamax::<6>(10, 5);
    equals_negamax::<4>(10, 8);
}

#[test]
fn a_score_that_reaches_every_end_is_exact_and_the_solvers() {
    for seed in 0..10 {
        let position = random_position::<8>(seed, 8);
        let report = search(&mut AlphaBeta::new(Evaluate, 1 << 16), position, Limits::exact());
        let solution = othello::engine::Solver::new(1 << 16)
            .solve(position.board(), &Limits::exact(), &Cancel::new())
            .expect("there is no bound");
        assert_eq!(report.best.score, Score::exact(solution.score), "{position}");
    }
}

#[test]
fn a_bound_on_nodes_is_kept_and_the_completed_depth_is_reported() {
    let mut searcher = AlphaBeta::new(Evaluate, 1 << 16);
    for nodes in [0, 1, 5, 100, 5000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut last = 0;
        let game = Game::new(<othello::Position>::default());
        let report = searcher.search(&game, &limits, &Cancel::new(), &mut |info| last = info.depth);
        assert!(report.nodes <= nodes);
        assert_eq!(report.depth, last);
        assert!(report.best_move().is_some(), "there is always a move");
    }
}

#[test]
fn a_bound_on_time_is_kept() {
    let limits = Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() };
    let report = search(&mut AlphaBeta::new(Evaluate, 1 << 16), <othello::Position>::default(), limits);
    assert!(report.depth > 0);
    assert!(report.best.score.certainty == crate::game::Certainty::Heuristic);
}

#[test]
fn a_cap_on_plies_draws_the_game() {
    let settings = Settings { ply_cap: Some(2), ..Settings::default() };
    let game = Game::with_settings(<othello::Position>::default(), settings);
    let mut searcher = AlphaBeta::new(Evaluate, 1 << 16);
    let report = searcher.search(&game, &Limits::depth(4), &Cancel::new(), &mut |_| ());
    assert_eq!(report.best.score, Score::exact(0));
    // The draw was this game's: without the cap the searcher has nothing of it left.
    let report = search(&mut searcher, <othello::Position>::default(), Limits::depth(4));
    assert!(!report.best.score.is_exact());
}

#[test]
fn a_game_that_is_over_has_its_score_and_no_move() {
    let position: othello::Position =
        "XXX------------------------------------------------------------- O".parse().expect("a board string");
    let report = search(&mut AlphaBeta::new(Evaluate, 1 << 16), position, Limits::depth(3));
    assert_eq!((report.best.score, report.best_move()), (Score::exact(-64), None));
}

#[test]
fn a_cleared_searcher_repeats_itself() {
    let mut searcher = AlphaBeta::new(Evaluate, 1 << 12);
    let first = search(&mut searcher, random_position::<8>(1, 30), Limits::depth(7));
    for seed in 2..8 {
        search(&mut searcher, random_position::<8>(seed, 30), Limits::depth(6));
    }
    searcher.clear();
    let again = search(&mut searcher, random_position::<8>(1, 30), Limits::depth(7));
    assert_eq!((again.nodes, again.best), (first.nodes, first.best));
}
