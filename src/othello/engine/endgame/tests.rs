use proptest::prelude::*;

use super::*;
use crate::game::Position as _;
use crate::othello::{Position, tests::random_position};

/// The definition: every line to its end, by the rules of the game alone.
fn negamax<const N: usize>(position: &Position<N>) -> i32 {
    position.legal_moves().map(|m| -negamax(&position.after(m))).max().unwrap_or_else(|| position.final_score())
}

fn check_solution<const N: usize>(position: &Position<N>, solution: &Solution, expected: i32) {
    assert_eq!(solution.score, expected, "{position}");
    let mut end = *position;
    for square in &solution.pv {
        let m = square.map_or(crate::othello::Move::PASS, crate::othello::Move::place);
        end = end.play(m).expect("a move of the line is legal");
    }
    assert!(end.is_over(), "the line of {position} goes to the end");
    let sign = if end.side_to_move() == position.side_to_move() { 1 } else { -1 };
    assert_eq!(sign * end.final_score(), expected, "the line of {position} keeps its promise");
}

fn solve<const N: usize>(solver: &mut Solver<N>, position: &Position<N>) -> Solution {
    solver.solve(position.board(), &Limits::exact(), &Cancel::new()).expect("there is no bound")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn equals_plain_negamax_on_8x8(seed: u64, empties in 0u32..=8) {
        let position = random_position::<8>(seed, empties);
        check_solution(&position, &solve(&mut Solver::new(1 << 16), &position), negamax(&position));
    }

    #[test]
    fn equals_plain_negamax_on_6x6(seed: u64, empties in 0u32..=9) {
        let position = random_position::<6>(seed, empties);
        check_solution(&position, &solve(&mut Solver::new(1 << 16), &position), negamax(&position));
    }

    #[test]
    fn equals_plain_negamax_on_4x4(seed: u64, empties in 0u32..=10) {
        let position = random_position::<4>(seed, empties);
        check_solution(&position, &solve(&mut Solver::new(1 << 16), &position), negamax(&position));
    }

    #[test]
    fn the_size_of_the_table_and_what_it_holds_do_not_matter(seed: u64) {
        let position = random_position::<8>(seed, 13);
        let mut solver = Solver::new(1 << 22);
        let first = solve(&mut solver, &position);
        prop_assert_eq!(solve(&mut solver, &position).score, first.score);
        prop_assert_eq!(solve(&mut Solver::new(0), &position).score, first.score);
        let next = position.after(position.legal_moves().next().expect("the game goes on"));
        prop_assert_eq!(solve(&mut solver, &next).score, solve(&mut Solver::new(1 << 22), &next).score);
    }
}

#[test]
fn equals_plain_negamax_at_ten_empties() {
    for seed in 0..20 {
        let position = random_position::<8>(seed, 10);
        check_solution(&position, &solve(&mut Solver::new(1 << 20), &position), negamax(&position));
    }
}

#[test]
fn a_bound_on_nodes_or_a_raised_flag_ends_a_solve_without_a_score() {
    let position = random_position::<8>(3, 20);
    let limits = Limits { nodes: Some(1000), ..Limits::exact() };
    let mut solver = Solver::new(1 << 20);
    assert_eq!(solver.solve(position.board(), &limits, &Cancel::new()), None);
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(solver.solve(position.board(), &Limits::exact(), &cancel), None);
}

#[test]
fn a_cleared_table_repeats_the_nodes_of_a_new_one() {
    let mut solver = Solver::new(1 << 16);
    let first = solve(&mut solver, &random_position::<8>(1, 15));
    for seed in 2..6 {
        solve(&mut solver, &random_position::<8>(seed, 15));
    }
    solver.clear();
    assert_eq!(solve(&mut solver, &random_position::<8>(1, 15)), first);
}

/// Solves with three threads that assist.
fn solve_together<const N: usize>(solver: &mut Solver<N>, position: &Position<N>) -> Solution {
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let (mut helper, over) = (solver.fork(), &over);
            scope.spawn(move || {
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    helper.assist(std::time::Duration::from_millis(1));
                }
            });
        }
        let solution = solve(solver, position);
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        solution
    })
}

#[test]
fn threads_together_find_the_score_of_one() {
    let mut together = 0;
    for seed in 0..100 {
        let position = random_position::<8>(seed, 14 + seed as u32 % 3);
        let alone = solve(&mut Solver::new(1 << 20), &position);
        let mut solver = Solver::new(1 << 20);
        let solution = solve_together(&mut solver, &position);
        check_solution(&position, &solution, alone.score);
        together += u32::from(solution.nodes != alone.nodes);
    }
    assert!(together > 0, "threads never met");
}

#[test]
fn a_search_on_threads_ends_when_it_is_cancelled() {
    let position = random_position::<8>(3, 30);
    let cancel = Cancel::new();
    let limits = Limits { time: Some(std::time::Duration::from_millis(100)), ..Limits::exact() };
    let mut solver = Solver::new(1 << 20);
    let start = std::time::Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let mut helper = solver.fork();
            let cancel = &cancel;
            scope.spawn(move || {
                while !cancel.is_cancelled() {
                    helper.assist(std::time::Duration::from_millis(1));
                }
            });
        }
        assert_eq!(solver.solve(position.board(), &limits, &cancel), None);
        cancel.cancel();
    });
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "helpers end with the search");
}
#[test]
fn every_stage_keeps_to_its_window() {
    for seed in 0..200 {
        let position = random_position::<8>(seed, seed as u32 % 9);
        let (board, score) = (position.board(), negamax(&position));
        for alpha in score - 3..=score + 2 {
            for beta in [alpha + 1, alpha + 4] {
                let found = Solver::<8>::new(0).node(board, board.empty_count(), alpha, beta);
                let right = match score {
                    _ if score <= alpha => score <= found && found <= alpha,
                    _ if score >= beta => beta <= found && found <= score,
                    _ => found == score,
                };
                assert!(right, "{position}: score {score}, window {alpha} to {beta}, found {found}");
            }
        }
    }
}
