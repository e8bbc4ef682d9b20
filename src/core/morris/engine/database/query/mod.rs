//! Database queries: values of positions and moves, reports, puzzles and openings.

pub(super) mod openings;
pub(super) mod probe;
pub(super) mod puzzles;
pub(super) mod report;
pub(super) mod rule_draws;
pub(super) mod searcher;
pub(super) mod traps;
