//! Checks in WebAssembly, where no tests run, what depends on its vectors.
//! `scripts/test/targets.sh` calls the function.
#![allow(unsafe_code)] // for the interface to the host

use morello_core::game::{Limits, RandomNumbers};
use morello_core::instructions::{InstructionSet, IntegerProducts, PackedRow, ROW, ROW_MAX, ROWS, SUMS, at_level};
use morello_core::othello::Position;
use morello_core::othello::engine::{Solver, TrainedEvaluation};

#[path = "../../src/core/instructions/integer_products/tests.rs"]
mod tests;

/// Panics if the kernels do not equal their definitions, or if the solver is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn check() {
    tests::every_level_agrees_with_the_definitions();
    let ffo_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    let board = ffo_40.parse::<Position>().expect("the position is valid").board();
    let mut solver = Solver::with_evaluation(1 << 24, TrainedEvaluation::built_in());
    assert_eq!(solver.solution(board, &Limits::exact()).score(), Some(38));
}
