//! The solver: all values of a [`Unit`] at once, by retrograde analysis.
//!
//! # Two orders of the same positions
//!
//! A table is ordered by the men of the side to move: a block for each class of its sets, in it a slot for each set of the other side.
//! The solver works through the positions in the other order: it takes a set of the side that is *not* to move, and all sets of the
//! mover beside it. Then everything near is in one place:
//!
//! ```text
//! other side B fixed:   positions (A, B), A to move            what is still to be found out about them: `open`, block B
//!        a quiet move   A -> A'
//!                       positions (B, A'), B to move           their values: the mirror's table, block B
//! ```
//!
//! A move of the mover changes A alone, so all quiet moves of all positions of one B stay within two blocks that fit the processor's
//! cache, and captures lead to as few blocks as B has men. What is found out about (A, B) goes to the sector's own table, block A: one
//! write to a far place for each position, however many moves it has.
//!
//! # Levels
//!
//! Every position starts with what its captures and placings (*exits*, to sectors that are solved) make of it and with a count of its quiet
//! moves. Level n then takes the values of n - 1 plies: a loss makes wins in n of all positions that can move there, a win takes one
//! from the count of each, and a position whose count has come to nothing is lost, at n or when its longest exit ends. A win by
//! an exit in n is written down at once and waits for its level; a quicker one may replace it. What no level reaches is drawn.

mod initialise;
mod opponent_set;
mod propagate;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::bits::{deposit, extract};
use super::classes::{ClassCache, SymmetryClasses};
use super::subsets::{Ranks, binomial, subsets};
use super::table::{SectorTable, TableError};
use super::value::{Metric, PositionValue};
use super::value_buffer::ValueBuffer;
use super::{Ruleset, Sector, WorkUnit};
use crate::game::Cancel;
use crate::instructions::{SimdLevel, compiled};
use opponent_set::OpponentSet;
use propagate::ValueSource;

/// Why a unit was not solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A table of a lower sector cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is not enough memory.
    #[error("not enough memory for the sector")]
    Memory(#[source] io::Error),
    /// A win takes longer than values count.
    #[error("a win takes more than {} plies, the most that a table holds", PositionValue::MAX_PLIES)]
    TooLong,
    /// It was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// The tables of the sectors below, of the same metric.
pub(super) type LowerTables<'a> = dyn Fn(Sector) -> Option<&'a SectorTable> + Sync + 'a;

/// How far the solver is, for whoever watches.
#[derive(Debug, Default)]
pub struct SolveProgress {
    /// Slots set up.
    pub done: AtomicU64,
    /// The level that the values being settled are of; 0 while slots are set up.
    pub level: AtomicU64,
}

/// What is still open about a position, in 16 bits.
///
/// The top bit says that it is settled: lost, or won in as many plies as the other bits say unless a quicker win is found. Else there are
/// seven bits for the moves that are not known to lose, and eight for half the plies of the longest exit that loses. (These are even where
/// they count to the end; where they count to the next capture an exit is one, and stands as 1.)
mod counters {
    pub const SETTLED: u16 = 1 << 15;
    pub const MOVE: u16 = 1 << 8;
    /// So many moves that are not known to lose: one of them draws.
    pub const DRAWS: u16 = 127 << 8;
}

/// Levels at most.
const LEVELS: usize = PositionValue::MAX_PLIES as usize + 3;

/// One sector of the unit.
struct SectorState<'a> {
    sector: Sector,
    own: &'a SymmetryClasses,
    other: &'a SymmetryClasses,
    /// The slots of a block of its table.
    own_len: usize,
    /// The mover's sets beside one set of the other side: the slots of a block of `open`.
    other_len: usize,
    /// The mover's sets, as points among those that the other side leaves, by rank.
    sets: Vec<u32>,
    /// Its table: codes of values, 0 where none is known.
    values: ValueBuffer,
    /// For each level the blocks with values of as many plies.
    pending: Vec<Box<[AtomicU64]>>,
    /// Whether quiet moves lead to a sector of the unit.
    cyclic: bool,
}

impl SectorState<'_> {
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

/// A solved sector: the codes of its values by slot.
pub(super) struct SolvedSector {
    pub sector: Sector,
    pub values: ValueBuffer,
}

/// Returns the bytes that solving a unit takes beside the tables of the sectors below.
pub(super) fn memory(unit: WorkUnit, rules: &Ruleset, class_cache: &ClassCache) -> u64 {
    let of_sector = |sector: Sector| {
        let open = if is_cyclic(unit, sector, rules) { sector.mirror().slots(class_cache) } else { 0 };
        2 * (sector.slots(class_cache) + open)
    };
    unit.sectors().map(of_sector).sum()
}

fn is_cyclic(unit: WorkUnit, sector: Sector, rules: &Ruleset) -> bool {
    sector.after_moving(rules).is_some_and(|next| unit.sectors().any(|of_unit| of_unit == next))
}

/// Solves a unit, given the tables of the sectors below it.
///
/// # Errors
/// [`SolveError`].
pub(super) fn solve(
    unit: WorkUnit,
    metric: Metric,
    rules: &Ruleset,
    class_cache: &ClassCache,
    lower: &LowerTables<'_>,
    progress: &SolveProgress,
    cancel: &Cancel,
) -> Result<Vec<SolvedSector>, SolveError> {
    let points = class_cache.board().len();
    let mut states = Vec::new();
    for sector in unit.sectors() {
        let (own, other) = (class_cache.classes(sector.own), class_cache.classes(sector.other));
        states.push(SectorState {
            sector,
            own,
            other,
            own_len: sector.block_len(class_cache),
            other_len: binomial(points - u32::from(sector.other), sector.own.into()) as usize,
            sets: subsets(points - u32::from(sector.other), sector.own.into()),
            values: ValueBuffer::new(sector.slots(class_cache) as usize).map_err(SolveError::Memory)?,
            pending: (0..LEVELS).map(|_| (0..own.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect()).collect(),
            cyclic: is_cyclic(unit, sector, rules),
        });
    }
    let mut open = Vec::new();
    for state in &states {
        let solver = SectorSolver::new(rules, class_cache, metric, state);
        let len = if state.cyclic { state.other.len() * state.other_len } else { 0 };
        let cells = ValueBuffer::new(len).map_err(SolveError::Memory)?;
        solver.initialise(&cells, lower, progress, cancel)?;
        open.push(cells);
    }
    let last = LEVELS as u32 - 2;
    for level in 1..=last {
        progress.level.store(level.into(), Ordering::Relaxed);
        match states.as_mut_slice() {
            [state] if state.cyclic => {
                SectorSolver::new(rules, class_cache, metric, state).propagate(
                    level,
                    &ValueSource::own_table(state),
                    &open[0],
                    cancel,
                )?;
            }
            [first, second] => {
                SectorSolver::new(rules, class_cache, metric, first).propagate(
                    level,
                    &ValueSource::mirror(second),
                    &open[0],
                    cancel,
                )?;
                SectorSolver::new(rules, class_cache, metric, second).propagate(
                    level,
                    &ValueSource::mirror(first),
                    &open[1],
                    cancel,
                )?;
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

/// What solves one sector of the unit.
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
    fn new(rules: &'a Ruleset, class_cache: &'a ClassCache, metric: Metric, state: &'a SectorState<'a>) -> Self {
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

    /// Writes the value of a position into the sector's table.
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
                // The set has symmetries of its own: the position stands in several slots.
                let symmetries = self.rules.board.symmetries();
                for k in (0..symmetries.len()).filter(|k| stabilizer >> k & 1 == 1) {
                    state.values.store(slot(symmetries.set(k, other)), value.code());
                }
            }
            if state.cyclic {
                state.mark(value.plies().expect("a settled value is no draw"), class);
            }
        });
    }
}
