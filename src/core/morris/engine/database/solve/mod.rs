//! The solver: computes all values of a [`WorkUnit`] by retrograde analysis.
//!
//! # Memory layout
//!
//! A table is ordered by the men of the side to move: it has a row (or block) for each class of
//! their sets, and the row has a slot for each set of the opponent. The solver iterates in the
//! opposite order: for each set of the side *not* to move, it visits all sets of the side to move.
//! This keeps memory accesses local:
//!
//! ```text
//! opponent B fixed:     positions (A, B), A to move            their counters: `open`, block B
//!        a quiet move   A -> A'
//!                       positions (B, A'), B to move           their values: the mirror's table, block B
//! ```
//!
//! A move changes only A, so all quiet moves for one B stay within two blocks that fit in the
//! processor's cache, and captures lead to at most as many blocks as B has men. The value of (A, B)
//! goes to the sector's own table, block A: one distant write per position, for any number of
//! moves.
//!
//! # Levels
//!
//! First, each position gets the best value of its *exits* (captures and placements, which lead to
//! solved sectors) and a counter of its quiet moves. Level n then processes the values of n - 1
//! plies. A loss makes all its predecessors wins in n plies. A win decrements the counter of each
//! predecessor. A position whose counter reaches zero is lost in n plies or in the plies of its
//! longest exit, whichever is more. A win by an exit is stored at once and propagated at its level;
//! a quicker win may replace it. Positions that no level reaches are draws.

pub(super) mod build;
mod initialize;
mod opponent_set;
mod propagate;
pub(super) mod value_buffer;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::file::table::{SectorTable, TableError};
use super::sector::bits::{deposit, extract};
use super::sector::classes::{ClassCache, SymmetryClasses};
use super::sector::subsets::{Ranks, binomial, subsets};
use super::value::{Metric, PositionValue};
use super::{Ruleset, Sector, WorkUnit};
use crate::game::Cancel;
use crate::instructions::{SimdLevel, compiled};
use opponent_set::OpponentSet;
use propagate::ValueSource;
use value_buffer::ValueBuffer;

/// Why a unit could not be solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A table of a lower sector is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is not enough memory.
    #[error("not enough memory to solve the sector")]
    Memory(#[source] io::Error),
    /// A win takes more plies than a value can store.
    #[error("a win takes more than {} plies, the maximum of a table", PositionValue::MAX_PLIES)]
    TooLong,
    /// Solving was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// Returns the tables of the lower sectors for the same metric.
pub(super) type LowerTables<'a> = dyn Fn(Sector) -> Option<&'a SectorTable> + Sync + 'a;

/// The progress of the solver, readable from other threads.
#[derive(Debug, Default)]
pub struct SolveProgress {
    /// The number of initialized slots.
    pub done: AtomicU64,
    /// The current level; 0 during initialization.
    pub level: AtomicU64,
}

/// The counter of a position, in 16 bits.
///
/// If the top bit is set, the position is settled: it is lost, or won in the number of plies in the
/// other bits unless a quicker win is found. Otherwise the next seven bits count the moves that are
/// not known to lose, and the low eight bits are half the plies of the longest losing exit. (These
/// plies are even if they count to the end of the game. If they count to the next capture, they are
/// at most 1.)
mod counters {
    pub const SETTLED: u16 = 1 << 15;
    pub const MOVE: u16 = 1 << 8;
    /// Marks a position with a drawing exit. Its moves are not counted, because it cannot lose.
    pub const DRAWS: u16 = 127 << 8;
}

/// The maximum number of levels.
const LEVELS: usize = PositionValue::MAX_PLIES as usize + 3;

/// The state of one sector of the unit.
struct SectorState<'a> {
    sector: Sector,
    own: &'a SymmetryClasses,
    other: &'a SymmetryClasses,
    /// The number of slots per block of its table.
    own_len: usize,
    /// The number of sets of the side to move for one set of the opponent. This is the number of
    /// cells per block of `open`.
    other_len: usize,
    /// The sets of the side to move, by rank, as sets of the points that the opponent's men leave
    /// free.
    sets: Vec<u32>,
    /// Its table: value codes, 0 if unknown.
    values: ValueBuffer,
    /// For each number of plies, the blocks that contain values with this number, as bits.
    pending: Vec<Box<[AtomicU64]>>,
    /// Whether quiet moves lead to a sector of the unit.
    cyclic: bool,
}

impl<'a> SectorState<'a> {
    fn new(sector: Sector, class_cache: &'a ClassCache, cyclic: bool) -> Result<Self, SolveError> {
        let (own, other) = (class_cache.classes(sector.own), class_cache.classes(sector.other));
        let rest = class_cache.board().len() - u32::from(sector.other);
        Ok(Self {
            sector,
            own,
            other,
            own_len: sector.row_len(class_cache),
            other_len: binomial(rest, sector.own.into()) as usize,
            sets: subsets(rest, sector.own.into()),
            values: ValueBuffer::new(sector.slots(class_cache) as usize).map_err(SolveError::Memory)?,
            pending: (0..LEVELS).map(|_| (0..own.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect()).collect(),
            cyclic,
        })
    }

    fn mark(&self, plies: u32, block: usize) {
        let word = &self.pending[plies as usize][block / 64];
        let bit = 1 << (block % 64);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn any_pending(&self, plies: u32) -> bool {
        self.pending[plies as usize].iter().any(|word| word.load(Ordering::Relaxed) != 0)
    }
}

/// A solved sector: the value code of each slot.
pub(super) struct SolvedSector {
    pub sector: Sector,
    pub values: ValueBuffer,
}

/// The memory in bytes that solving a unit needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SolverMemory {
    /// For the values and counters of the sectors.
    pub sectors: u64,
    /// For the values of the lower sectors, one byte per value.
    pub lower_sectors: u64,
}

impl SolverMemory {
    /// Returns the memory of a unit.
    pub(super) fn of(unit: WorkUnit, rules: &Ruleset, class_cache: &ClassCache) -> Self {
        let bytes = |sector: Sector| {
            let open = if is_cyclic(unit, sector, rules) { sector.mirror().slots(class_cache) } else { 0 };
            2 * (sector.slots(class_cache) + open)
        };
        // The lower sectors of one sector of the unit are in memory at a time.
        let lower = |sector: Sector| {
            let lower = sector.successors(rules).filter(|&lower| unit.sectors().all(|own| own != lower));
            lower.map(|lower| lower.slots(class_cache)).sum()
        };
        let lower_sectors = unit.sectors().map(lower).max().unwrap_or(0);
        Self { sectors: unit.sectors().map(bytes).sum(), lower_sectors }
    }

    /// Returns the total in bytes.
    #[must_use]
    pub fn total(self) -> u64 {
        self.sectors + self.lower_sectors
    }
}

fn is_cyclic(unit: WorkUnit, sector: Sector, rules: &Ruleset) -> bool {
    sector.after_moving(rules).is_some_and(|next| unit.sectors().any(|of_unit| of_unit == next))
}

/// Solves a unit, given the tables of the lower sectors.
///
/// # Errors
/// [`SolveError`] if a lower table is damaged, memory runs out, a win is too long, or the solver is
/// cancelled.
pub(super) fn solve(
    unit: WorkUnit,
    metric: Metric,
    rules: &Ruleset,
    class_cache: &ClassCache,
    lower: &LowerTables<'_>,
    progress: &SolveProgress,
    cancel: &Cancel,
) -> Result<Vec<SolvedSector>, SolveError> {
    let states = unit.sectors().map(|sector| SectorState::new(sector, class_cache, is_cyclic(unit, sector, rules)));
    let mut states = states.collect::<Result<Vec<_>, _>>()?;
    let of = (rules, class_cache, metric);
    let mut open = Vec::new();
    for state in &states {
        let len = if state.cyclic { state.other.len() * state.other_len } else { 0 };
        let cells = ValueBuffer::new(len).map_err(SolveError::Memory)?;
        SectorSolver::new(of, state).initialize(&cells, lower, progress, cancel)?;
        open.push(cells);
    }
    let last = LEVELS as u32 - 2;
    for level in 1..=last {
        progress.level.store(level.into(), Ordering::Relaxed);
        match states.as_mut_slice() {
            [state] if state.cyclic => {
                SectorSolver::new(of, state).propagate(level, &ValueSource::own_table(state), &open[0], cancel)?;
            }
            [first, second] => {
                SectorSolver::new(of, first).propagate(level, &ValueSource::mirror(second), &open[0], cancel)?;
                SectorSolver::new(of, second).propagate(level, &ValueSource::mirror(first), &open[1], cancel)?;
            }
            _ => {}
        }
        if states.iter().all(|state| (level..=last).all(|later| !state.any_pending(later))) {
            break;
        }
        if level == last {
            return Err(SolveError::TooLong);
        }
    }
    Ok(states.into_iter().map(|state| SolvedSector { sector: state.sector, values: state.values }).collect())
}

/// Solves one sector of the unit.
struct SectorSolver<'a> {
    rules: &'a Ruleset,
    class_cache: &'a ClassCache,
    ranks: &'static Ranks,
    metric: Metric,
    state: &'a SectorState<'a>,
    flies: bool,
    moves: bool,
    places: bool,
}

impl<'a> SectorSolver<'a> {
    fn new((rules, class_cache, metric): (&'a Ruleset, &'a ClassCache, Metric), state: &'a SectorState<'a>) -> Self {
        let Sector { own, own_hand, .. } = state.sector;
        Self {
            rules,
            class_cache,
            ranks: Ranks::get(),
            metric,
            state,
            flies: rules.rules.flies((1 << own) - 1, own_hand),
            moves: rules.rules.moves(own_hand),
            places: own_hand > 0,
        }
    }

    /// Writes the value of a position to the sector's table and marks its block as pending.
    fn settle(&self, instructions: impl SimdLevel, opponent: &OpponentSet, men: u32, value: PositionValue) {
        compiled!(instructions, {
            let state = self.state;
            let men = deposit(men, opponent.rest);
            let (class, symmetry) = state.own.of(self.ranks.rank(men));
            let rest = self.rules.board.points() & !state.own.set(class);
            let other = opponent.images[symmetry];
            let slot = |other| class * state.own_len + self.ranks.rank(extract(other, rest));
            let stabilizer = state.own.stabilizer(class);
            if stabilizer == 1 {
                state.values.store(slot(other), value.code());
            } else {
                // The representative is symmetric, so the position has several slots.
                let symmetries = self.rules.board.symmetries();
                for k in (0..symmetries.len()).filter(|k| stabilizer >> k & 1 == 1) {
                    state.values.store(slot(symmetries.set(k, other)), value.code());
                }
            }
            if state.cyclic {
                state.mark(value.plies().expect("a settled value is not a draw"), class);
            }
        });
    }
}
