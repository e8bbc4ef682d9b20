use std::sync::Arc;

use super::super::table::Draft;
use super::*;
use crate::game::Confidence;
use crate::game::bits;
use crate::instructions::at_level;
use crate::othello::engine::patterns::{FULL, ORDER, PatternEvaluation, ShapeClasses, ShapeSet, UNIT, Weights};
use crate::othello::engine::probcut::ProbCutModel;
use crate::othello::engine::{FullEvaluation, TrainedEvaluation};

/// Returns pseudo-random weights of at most one disc.
fn weights<const LANES: usize>(set: &'static ShapeSet<LANES>) -> Weights {
    let mut weights = Weights::zero(ShapeClasses::of_set(set).count());
    for (ply, values) in weights.plies.iter_mut().enumerate() {
        let value = |class: usize| ((class * 2_654_435_761 + ply * 40_503) >> 7) % 257;
        values.iter_mut().enumerate().for_each(|(class, weight)| *weight = value(class) as i16 - 128);
    }
    weights
}

fn evaluation() -> Arc<TrainedEvaluation> {
    let model = ProbCutModel { mean: [0.0; 6], log_sigma: [1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0] };
    let full = FullEvaluation::Patterns(PatternEvaluation::new(&FULL, weights(&FULL)));
    Arc::new(TrainedEvaluation::new(full, weights(&ORDER), &model))
}

/// Computes the score by searching every line to the depth, not counting passes, or to the end of
/// the game.
fn negamax(evaluation: &TrainedEvaluation, board: Board, depth: u32) -> i32 {
    if board.is_over() {
        return board.final_score();
    }
    if depth == 0 {
        let units = evaluation.full.evaluate(board);
        return ((f64::from(units) / f64::from(UNIT) + 0.5).floor() as i32).clamp(-62, 62);
    }
    if board.move_bits() == 0 {
        return -negamax(evaluation, board.pass(), depth);
    }
    let after = |square| board.flip(square, board.flip_bits(square));
    bits(board.move_bits()).map(|square| -negamax(evaluation, after(square), depth - 1)).max().expect("there is a move")
}

fn search(solver: &mut Solver<8>, board: Board, drafts: &[(u32, Confidence)], lines: usize) -> Iteration {
    let limits = Limits { lines, ..Limits::default() };
    solver.search(board, drafts, &limits, &Cancel::new(), &mut |_| ())
}

#[test]
fn a_full_width_search_equals_plain_negamax() {
    let evaluation = evaluation();
    let mut solver = Solver::with_evaluation(1 << 18, Arc::clone(&evaluation));
    for seed in 0..120 {
        let empties = 6 + seed as u32 % 50;
        let board = random_position::<8>(seed, empties).board();
        for depth in 1..=if empties < 14 { 5 } else { 3 } {
            let iterations: Vec<_> = (1..=depth).map(|depth| (depth, Confidence::FULL)).collect();
            let found = search(&mut solver, board, &iterations, 1);
            assert_eq!(found.lines[0].score, negamax(&evaluation, board, depth), "{board:?} at depth {depth}");
            assert_eq!(found.depth, depth);
        }
    }
}

#[test]
fn multiple_lines_have_the_scores_of_their_moves() {
    let evaluation = evaluation();
    let mut solver = Solver::with_evaluation(1 << 18, Arc::clone(&evaluation));
    for seed in 0..40 {
        let board = random_position::<8>(seed, 10 + seed as u32).board();
        let found =
            search(&mut solver, board, &[(1, Confidence::FULL), (2, Confidence::FULL), (3, Confidence::FULL)], 3);
        let after = |square| -negamax(&evaluation, board.after(square).expect("the move is legal"), 2);
        for line in &found.lines {
            assert_eq!(line.score, line.pv[0].square().map_or_else(|| -negamax(&evaluation, board.pass(), 3), after));
        }
        let mut all: Vec<i32> = board.moves().iter().map(after).collect();
        all.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
        let scores: Vec<i32> = found.lines.iter().map(|line| line.score).collect();
        assert!(all.is_empty() || scores == all[..scores.len()], "{scores:?} of {all:?}");
    }
}

#[test]
fn skipped_moves_are_not_searched_unless_they_are_all() {
    let evaluation = evaluation();
    let drafts = [(1, Confidence::FULL), (2, Confidence::FULL), (3, Confidence::FULL)];
    for seed in 0..40 {
        let board = random_position::<8>(seed, 10 + seed as u32).board();
        let mut solver = Solver::with_evaluation(1 << 18, Arc::clone(&evaluation));
        let skipped: u64 = board.move_bits() & 0x0f5a_3cc3_3cc3_5a0f_u64.rotate_left(seed as u32);
        let limits = Limits { lines: usize::MAX, skipped, ..Limits::default() };
        let found = solver.search(board, &drafts, &limits, &Cancel::new(), &mut |_| ());
        let after = |square| -negamax(&evaluation, board.after(square).expect("the move is legal"), 2);
        let left = if skipped == board.move_bits() { skipped } else { board.move_bits() & !skipped };
        assert_eq!(found.lines.len(), (left.count_ones() as usize).max(1));
        for line in &found.lines {
            let Some(square) = line.pv[0].square() else { continue };
            assert!(left >> square.index() & 1 != 0 && line.score == after(square), "{board:?}: {line:?}");
        }
        // The result of only these moves must not be taken for the result of the position.
        let whole = search(&mut solver, board, &drafts, 1);
        assert_eq!(whole.lines[0].score, negamax(&evaluation, board, 3), "{board:?}");
    }
}

#[test]
fn endgames_are_exact_at_any_confidence() {
    let mut solver = Solver::with_evaluation(1 << 18, evaluation());
    for seed in 0..60 {
        let position = random_position::<8>(seed, 6 + seed as u32 % 3);
        let empties = position.board().empty_count();
        let found = search(&mut solver, position.board(), &[(empties, Confidence::LOWEST)], 1);
        assert_eq!(found.lines[0].score, super::negamax(&position), "{position}");
    }
}

#[test]
fn the_trained_evaluation_does_not_change_exact_scores() {
    let mut trained = Solver::with_evaluation(1 << 20, evaluation());
    let mut untrained = Solver::new(1 << 20);
    for seed in 0..60 {
        let position = random_position::<8>(seed, 12 + seed as u32 % 4);
        let board = position.board();
        let score = solve(&mut untrained, &position).score();
        // Table entries of a selective search must not count as proofs.
        search(&mut trained, board, &[(4, Confidence::LOWEST), (board.empty_count(), Confidence::LOWEST)], 1);
        let solution = solve(&mut trained, &position);
        check_solution(&position, &solution, score.expect("the solve has no limits"));
    }
}

#[test]
fn selective_searches_visit_fewer_nodes() {
    let nodes = |confidence| {
        let drafts: Vec<_> = (1..=7).map(|depth| (depth, confidence)).collect();
        let nodes = |seed| {
            let board = random_position::<8>(seed, 36).board();
            search(&mut Solver::with_evaluation(1 << 20, evaluation()), board, &drafts, 1).nodes
        };
        (0..8).map(nodes).sum::<u64>()
    };
    assert!(nodes(Confidence::LOWEST) < nodes(Confidence::FULL));
}

#[test]
fn far_from_the_window_the_evaluation_decides_the_last_two_plies() {
    let evaluation = evaluation();
    for seed in 0..60 {
        let board = random_position::<8>(seed, 12 + seed as u32 % 40).board();
        if board.move_bits() == 0 {
            continue;
        }
        for depth in [1, 2] {
            let search = |confidence, alpha| {
                let mut solver = Solver::with_evaluation(1 << 16, Arc::clone(&evaluation));
                let (features, draft) = (Solver::features(board), Draft { depth, confidence });
                let window = (alpha, alpha + 1);
                let moves = board.move_bits();
                let found = at_level!(solver.instructions, |level| {
                    solver.shallow(level, board, moves, &features, draft, window)
                });
                (found > alpha, solver.nodes())
            };
            let (estimate, score) = (negamax(&evaluation, board, 0), negamax(&evaluation, board, depth.into()));
            // The margins are at most 6 discs.
            for (alpha, is_above) in [(estimate.min(score) - 7, true), (estimate.max(score) + 7, false)] {
                assert_eq!(search(Confidence::LOWEST, alpha), (is_above, 1), "{board:?}");
                let (found, nodes) = search(Confidence::FULL, alpha);
                assert!(found == is_above && nodes > 1, "{board:?}");
            }
            // Near the window, the moves decide. After two plies, the moves may be cut off
            // themselves.
            for alpha in [estimate - 2, estimate + 2] {
                let (found, full) = (search(Confidence::LOWEST, alpha), search(Confidence::FULL, alpha));
                assert!(found.1 > 1 && (depth == 2 || found == full), "{board:?}");
            }
        }
    }
}

#[test]
fn a_selective_search_terminates_despite_search_instability() {
    let evaluation = TrainedEvaluation::built_in();
    let drafts: Vec<_> = (1..=6).map(|depth| (depth, Confidence::LOWEST)).collect();
    for seed in 0..2_000 {
        let mut solver = Solver::with_evaluation(1 << 16, Arc::clone(&evaluation));
        let board = random_position::<8>(seed, 15 + seed as u32 % 40).board();
        assert_eq!(search(&mut solver, board, &drafts, 1).depth, 6, "{board:?}");
    }
}

#[test]
fn a_limited_search_returns_a_legal_move() {
    for nodes in [1, 100, 3_000] {
        let board = random_position::<8>(5, 40).board();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let drafts: Vec<_> = (1..=20).map(|depth| (depth, Confidence::LOWEST)).collect();
        let mut solver = Solver::with_evaluation(1 << 18, evaluation());
        let found = solver.search(board, &drafts, &limits, &Cancel::new(), &mut |_| ());
        assert!(found.nodes <= nodes && found.depth < 20, "{found:?}");
        let square = found.lines[0].pv[0].square().expect("there is a move");
        assert!(board.moves().contains(square));
    }
}

#[test]
fn a_parallel_search_reaches_the_same_depth_and_score() {
    let evaluation = evaluation();
    for seed in 0..10 {
        let board = random_position::<8>(seed, 30).board();
        let mut solver = Solver::with_evaluation(1 << 20, Arc::clone(&evaluation));
        let helpers = (0..3).map(|_| solver.fork()).collect();
        let assist = |helper: &mut Solver<8>| helper.assist(Duration::from_millis(1));
        let drafts: Vec<_> = (1..=6).map(|depth| (depth, Confidence::FULL)).collect();
        let parallel = with_helpers(helpers, assist, || search(&mut solver, board, &drafts, 1));
        let alone = search(&mut Solver::with_evaluation(1 << 20, Arc::clone(&evaluation)), board, &drafts, 1);
        assert_eq!((parallel.lines[0].score, parallel.depth), (alone.lines[0].score, 6));
    }
}
