//! [`measure_boards`]: searches positions in parallel.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use morello_core::othello::Board;
use morello_core::othello::engine::Solver;
use morello_core::parallel::{self, Spares};

/// Calls `measure` for each position, with its number and a solver that may have searched other
/// positions. Returns the results in the order of the positions, or `None` if `measure` returns
/// `None`. Calls `on_position` with the number of finished positions.
pub(super) fn measure_boards<T: Send>(
    boards: &[Board],
    new_solver: &(dyn Fn() -> Solver + Sync),
    on_position: &(dyn Fn(usize) + Sync),
    measure: &(dyn Fn(&mut Solver, usize, Board) -> Option<T> + Sync),
) -> Option<Vec<T>> {
    let (done, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let solvers = Spares::new(new_solver);
    let measured = parallel::map(boards.len(), &|position| {
        if is_stopped.load(Ordering::Relaxed) {
            return None;
        }
        let result = solvers.with(|solver| measure(solver, position, boards[position]));
        match result {
            Some(_) => on_position(done.fetch_add(1, Ordering::Relaxed) + 1),
            None => is_stopped.store(true, Ordering::Relaxed),
        }
        result
    });
    let mut results = Vec::with_capacity(measured.len());
    for result in measured {
        results.push(result?);
    }
    Some(results)
}
