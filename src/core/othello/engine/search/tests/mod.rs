mod deepening;

use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;

use super::move_ordering::OrderedMoves;
use super::*;
use crate::game::bits;
use crate::game::{Confidence, Position as _};
use crate::othello::{Move, SizedPosition, tests::random_position};
use crate::search::with_helpers;

/// Computes the score by searching every line to the end of the game, using only the rules.
fn negamax<const N: usize>(position: &SizedPosition<N>) -> i32 {
    position.legal_moves().map(|m| -negamax(&position.after(m))).max().unwrap_or_else(|| position.final_score())
}

/// Plays a variation, which must be legal and reach the end of the game, and returns the final
/// score for the side to move in `position`.
fn play_out<const N: usize>(position: &SizedPosition<N>, line: &[Move]) -> i32 {
    let mut end = *position;
    for &m in line {
        end = end.play(m).expect("the moves of a variation are legal");
    }
    assert!(end.is_over(), "the variation of {position} ends early");
    if end.side_to_move() == position.side_to_move() { end.final_score() } else { -end.final_score() }
}

fn check_solution<const N: usize>(position: &SizedPosition<N>, solution: &Solution, expected: i32) {
    assert_eq!(solution.score(), Some(expected), "{position}");
    assert!(solution.complete);
    let line = solution.moves.first().map_or(&[][..], |best| &best.pv);
    assert_eq!(play_out(position, line), expected, "the variation of {position} has another score");
}

/// Returns the score of each move.
fn scores_after<const N: usize>(position: &SizedPosition<N>) -> HashMap<Move, i32> {
    position.legal_moves().map(|m| (m, -negamax(&position.after(m)))).collect()
}

/// Solves for `lines` moves with a window, and checks the result and all reports.
fn check_window<const N: usize>(position: &SizedPosition<N>, window: Option<(i32, i32)>, lines: usize) {
    let limits = Limits { window, lines, ..Limits::exact() };
    let mut reports = Vec::new();
    let mut solver = Solver::new(1 << 16);
    let solution = solver.solve(position.board(), &limits, &Cancel::new(), &mut |s| reports.push(s.clone()));
    let (alpha, beta) = window.unwrap_or((-64, 64));
    let settled = |lower, upper| lower == upper || lower >= beta || upper <= alpha;
    let score = negamax(position);
    let scores = scores_after(position);
    assert!(solution.complete && settled(solution.lower, solution.upper), "{position}");
    for report in reports.iter().chain([&solution]) {
        assert!((report.lower..=report.upper).contains(&score), "{position}: {score} in {report:?}");
        assert_eq!(report.moves.len(), scores.len(), "each move once");
        for m in &report.moves {
            assert!((m.lower..=m.upper).contains(&scores[&m.pv[0]]), "{position}: {m:?}");
        }
    }
    let narrows = |pair: &[Solution]| pair[0].lower <= pair[1].lower && pair[0].upper >= pair[1].upper;
    assert!(reports.windows(2).all(narrows), "{position}: {reports:?}");
    let mut best: Vec<i32> = scores.values().copied().collect();
    best.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
    for (m, &score) in solution.moves.iter().take(lines).zip(&best) {
        assert!(settled(m.lower, m.upper), "{position}: {m:?}");
        if alpha < score && score < beta {
            assert_eq!((m.lower, m.upper), (score, score), "{position}");
        }
        assert!((m.lower..=m.upper).contains(&play_out(position, &m.pv)), "{position}: {m:?}");
    }
}

fn solve<const N: usize>(solver: &mut Solver<N>, position: &SizedPosition<N>) -> Solution {
    solver.solution(position.board(), &Limits::exact())
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
    fn the_score_does_not_depend_on_the_transposition_table(seed: u64) {
        let position = random_position::<8>(seed, 13);
        let mut solver = Solver::new(1 << 22);
        let first = solve(&mut solver, &position);
        prop_assert_eq!(solve(&mut solver, &position).score(), first.score());
        prop_assert_eq!(solve(&mut Solver::new(0), &position).score(), first.score());
        // A random game may have ended with 13 empty squares left.
        if let Some(m) = position.legal_moves().next() {
            let next = position.after(m);
            prop_assert_eq!(solve(&mut solver, &next).score(), solve(&mut Solver::new(1 << 22), &next).score());
        }
    }
}

#[test]
fn equals_plain_negamax_at_ten_empties() {
    for seed in 0..20 {
        let position = random_position::<8>(seed, 10);
        check_solution(&position, &solve(&mut Solver::new(1 << 20), &position), negamax(&position));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn windows_and_multiple_lines_agree_with_negamax(
        seed: u64,
        empties in 0u32..=7,
        alpha in -64i32..64,
        width in prop_oneof![1i32..=4, 1i32..=128],
        lines in prop_oneof![1usize..=4, Just(usize::MAX)],
    ) {
        let window = Some((alpha, (alpha + width).min(64)));
        check_window(&random_position::<8>(seed, empties), window, lines);
        check_window(&random_position::<6>(seed, empties + 1), window, lines);
        check_window(&random_position::<4>(seed, empties + 2), window, lines);
    }

    #[test]
    fn multiple_lines_agree_with_negamax(seed: u64, empties in 0u32..=7, lines in 2usize..=12) {
        for lines in [lines, usize::MAX] {
            check_window(&random_position::<8>(seed, empties), None, lines);
            check_window(&random_position::<6>(seed, empties + 1), None, lines);
            check_window(&random_position::<4>(seed, empties + 2), None, lines);
        }
    }

    #[test]
    fn a_null_window_around_zero_decides_the_winner(seed: u64, empties in 0u32..=8) {
        let position = random_position::<8>(seed, empties);
        check_window(&position, Some((-1, 1)), 1);
        let mut solver = Solver::new(1 << 16);
        let solution = solver.solution(position.board(), &Limits::window(-1, 1));
        match negamax(&position).signum() {
            1 => prop_assert!(solution.lower > 0),
            0 => prop_assert_eq!(solution.score(), Some(0)),
            _ => prop_assert!(solution.upper < 0),
        }
    }

    #[test]
    fn an_interrupted_solve_proves_only_true_bounds(
        seed: u64,
        empties in 12u32..=14,
        nodes in prop_oneof![0u64..1000, 0u64..100_000],
        lines in prop_oneof![Just(1usize), Just(usize::MAX)],
        narrow: bool,
    ) {
        let position = random_position::<8>(seed, empties);
        let mut solver = Solver::new(1 << 18);
        let all = Limits { lines: usize::MAX, ..Limits::exact() };
        let truth = solver.solution(position.board(), &all);
        let score = truth.score().expect("the solve has no limits");
        solver.clear();
        let limits = Limits { nodes: Some(nodes), lines, window: narrow.then_some((-1, 1)), ..Limits::exact() };
        let solution = solver.solution(position.board(), &limits);
        prop_assert!(solution.nodes <= nodes);
        prop_assert!((solution.lower..=solution.upper).contains(&score), "{}: {:?}", position, solution);
        for m in &solution.moves {
            let move_truth = truth.moves.iter().find(|other| other.pv[0] == m.pv[0]).expect("the same moves");
            prop_assert!((m.lower..=m.upper).contains(&move_truth.lower), "{}: {:?}", position, m);
        }
        let settled = solution.lower == solution.upper || narrow && (solution.lower > 0 || solution.upper < 0);
        prop_assert!(settled || !solution.complete);
        // The next solve completes the work, using the table of this one.
        let rest = solver.solution(position.board(), &Limits::exact());
        prop_assert_eq!(rest.score(), Some(score));
    }
}

#[test]
fn node_limits_and_cancellation_end_a_solve_early() {
    let position = random_position::<8>(3, 20);
    let limits = Limits { nodes: Some(1000), ..Limits::exact() };
    let mut solver = Solver::new(1 << 20);
    let solution = solver.solution(position.board(), &limits);
    assert!(!solution.complete && solution.score().is_none() && solution.nodes <= 1000);
    let cancel = Cancel::new();
    cancel.cancel();
    let solution = solver.solve(position.board(), &Limits::exact(), &cancel, &mut |_| ());
    assert!(!solution.complete && solution.score().is_none());
}

#[test]
fn reports_narrowing_bounds() {
    let position = random_position::<8>(3, 16);
    let mut reports = Vec::new();
    let mut solver = Solver::new(1 << 20);
    let on_bounds = &mut |s: &Solution| reports.push((s.lower, s.upper, s.nodes));
    let solution = solver.solve(position.board(), &Limits::exact(), &Cancel::new(), on_bounds);
    assert!(reports.len() > 1, "{reports:?}");
    assert!(reports.windows(2).all(|pair| pair[0].2 <= pair[1].2));
    assert_eq!(reports.last().map(|&(lower, upper, _)| (lower, upper)), Some((solution.lower, solution.upper)));
}

#[test]
fn clearing_the_table_makes_a_solve_reproducible() {
    let mut solver = Solver::new(1 << 16);
    let first = solve(&mut solver, &random_position::<8>(1, 15));
    for seed in 2..6 {
        solve(&mut solver, &random_position::<8>(seed, 15));
    }
    solver.clear();
    assert_eq!(solve(&mut solver, &random_position::<8>(1, 15)), first);
}

/// Solves with helper threads.
fn solve_parallel<const N: usize>(
    solver: &mut Solver<N>,
    helpers: usize,
    position: &SizedPosition<N>,
    limits: &Limits,
    cancel: &Cancel,
) -> Solution {
    let helpers = (0..helpers).map(|_| solver.fork()).collect();
    let assist = |helper: &mut Solver<N>| helper.assist(Duration::from_millis(1));
    with_helpers(helpers, assist, || solver.solve(position.board(), limits, cancel, &mut |_| ()))
}

#[test]
fn parallel_solves_find_the_single_threaded_score() {
    let mut split = 0;
    for seed in 0..100 {
        let position = random_position::<8>(seed, 14 + seed as u32 % 4);
        let alone = solve(&mut Solver::new(1 << 20), &position);
        // Most machines have fewer cores than the largest number of threads used here.
        let helpers = [1, 15, 31][seed as usize % 3];
        let solution = solve_parallel(&mut Solver::new(1 << 20), helpers, &position, &Limits::exact(), &Cancel::new());
        check_solution(&position, &solution, alone.score().expect("the solve has no limits"));
        split += u32::from(solution.nodes != alone.nodes);
    }
    assert!(split > 0, "no node was split");
}

#[test]
fn a_parallel_solve_respects_its_time_limit() {
    let position = random_position::<8>(3, 30);
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::exact() };
    assert!(!solve_parallel(&mut Solver::new(1 << 20), 3, &position, &limits, &Cancel::new()).complete);
}

#[test]
fn a_cancelled_parallel_solve_proves_only_true_bounds() {
    let mut interrupted = 0;
    for seed in 0..40 {
        let position = random_position::<8>(seed, 16);
        let score = solve(&mut Solver::new(1 << 20), &position).score().expect("the solve has no limits");
        let cancel = Cancel::new();
        let solution = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_micros(200 * seed));
                cancel.cancel();
            });
            solve_parallel(&mut Solver::new(1 << 20), 3, &position, &Limits::exact(), &cancel)
        });
        assert!(solution.lower <= score && score <= solution.upper, "{position}: {score}, {solution:?}");
        interrupted += u32::from(!solution.complete);
    }
    assert!(interrupted > 0, "no solve was interrupted");
}

/// Computes the score by plain alpha-beta, which is fast enough for more empty squares than
/// [`negamax`].
fn alpha_beta<const N: usize>(board: Board<N>, alpha: i32, beta: i32) -> i32 {
    if board.move_bits() == 0 {
        let passed = board.pass();
        return if passed.move_bits() == 0 { board.final_score() } else { -alpha_beta(passed, -beta, -alpha) };
    }
    let mut best = NO_SCORE;
    for square in bits(board.move_bits()) {
        let next = board.flip(square, board.flip_bits(square));
        best = best.max(-alpha_beta(next, -beta, -best.max(alpha)));
        if best >= beta {
            break;
        }
    }
    best
}

/// Checks that the solver's code for this number of empty squares returns the score or a bound on
/// the same side of the window.
fn check_stage<const N: usize>(solver: &mut Solver<N>, board: Board<N>, score: i32) {
    for alpha in score - 3..=score + 2 {
        for beta in [alpha + 1, alpha + 4, 64] {
            let found = solver.score(board, alpha, beta);
            let right = match score {
                _ if score <= alpha => score <= found && found <= alpha,
                _ if score >= beta => beta <= found && found <= score,
                _ => found == score,
            };
            assert!(right, "{board:?}: score {score}, window {alpha} to {beta}, found {found}");
        }
    }
}

#[test]
fn every_search_stage_respects_its_window() {
    for seed in 0..200 {
        let position = random_position::<8>(seed, seed as u32 % 9);
        check_stage(&mut Solver::<8>::new(0), position.board(), negamax(&position));
    }
    // All positions use the same solver, so that the tables contain entries of other searches.
    let (mut trained, mut small) =
        (Solver::with_evaluation(1 << 20, TrainedEvaluation::built_in()), Solver::<6>::new(0));
    for seed in 0..40 {
        let board = random_position::<8>(seed, 9 + seed as u32 % 5).board();
        check_stage(&mut trained, board, alpha_beta(board, -64, 64));
        let board = random_position::<6>(seed, 9 + seed as u32 % 6).board();
        check_stage(&mut small, board, alpha_beta(board, -64, 64));
    }
}

proptest! {
    #[test]
    fn moves_are_ordered_side_by_side(seed: u64, empties in 4u32..=30) {
        fn check<const LANES: usize>(board: Board<8>) {
            let ordered = OrderedMoves::<LANES>::new(board, board.move_bits(), 0, NO_MOVE);
            let lanes: Vec<_> = ordered.lanes().collect();
            assert!(lanes.is_sorted_by_key(|&lane| std::cmp::Reverse(ordered.orders[lane])));
            let mut squares: Vec<_> = lanes.iter().map(|&lane| ordered.bits[lane].trailing_zeros()).collect();
            squares.sort_unstable();
            assert_eq!(squares, bits(board.move_bits()).take(LANES).collect::<Vec<_>>());
            for lane in lanes {
                let square = ordered.bits[lane].trailing_zeros();
                let next = board.flip(square, board.flip_bits(square));
                assert_eq!((ordered.next(lane), ordered.replies[lane]), (next, next.move_bits()));
            }
        }
        let board = random_position::<8>(seed, empties).board();
        check::<4>(board);
        check::<8>(board);
        check::<16>(board);
    }
}

#[test]
fn a_window_outside_the_score_range_is_settled_at_once() {
    let extremes = [(i32::MAX - 1, i32::MAX), (i32::MIN, i32::MIN + 1)];
    for (alpha, beta) in [(40, 64), (36, 64), (-64, -40), (-64, -36)].into_iter().chain(extremes) {
        let limits = Limits { nodes: Some(2000), ..Limits::window(alpha, beta) };
        let solution = Solver::<6>::new(1 << 16).solution(Board::START, &limits);
        assert!(solution.complete && -36 <= solution.lower && solution.upper <= 36, "{alpha} to {beta}: {solution:?}");
    }
}

#[test]
fn all_instruction_sets_visit_the_same_nodes() {
    /// Returns the results of solves and, with a trained evaluation, of searches.
    fn results<const N: usize>(
        mut solver: Solver<N>,
        instructions: InstructionSet,
    ) -> impl PartialEq + std::fmt::Debug {
        solver.instructions = instructions;
        let solve = |seed: u64| {
            solver.clear();
            let board = random_position::<N>(seed, 8 + seed as u32).board();
            let drafts = (1..8).map(|depth| (depth, Confidence::LOWEST)).collect::<Vec<_>>();
            let drafts = if solver.has_evaluation() { &drafts[..] } else { &[] };
            let searched = (!drafts.is_empty())
                .then(|| solver.search(board, drafts, &Limits::default(), &Cancel::new(), &mut |_| ()));
            (searched, solver.solution(board, &Limits::exact()))
        };
        (0..6).map(solve).collect::<Vec<_>>()
    }

    let baseline = InstructionSet::all().last().expect("every processor has the baseline");
    for instructions in InstructionSet::all() {
        let trained = || Solver::with_evaluation(1 << 16, TrainedEvaluation::built_in());
        assert_eq!(results(trained(), instructions), results(trained(), baseline), "{instructions:?}");
        let small = || Solver::<6>::new(1 << 16);
        assert_eq!(results(small(), instructions), results(small(), baseline), "{instructions:?}");
    }
}
