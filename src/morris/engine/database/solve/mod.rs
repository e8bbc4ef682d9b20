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

mod exits;
mod frame;
mod spread;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::bits::{deposit, extract};
use super::cells::Cells;
use super::classes::{Classes, Geometry};
use super::subsets::{Ranks, binomial, subsets};
use super::table::{Table, TableError};
use super::value::{Metric, Value};
use super::{Ruleset, Sector, Unit};
use crate::game::Cancel;
use crate::instructions::{Level, compiled};
use frame::Frame;
use spread::Source;

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
    #[error("a win takes more than {} plies, the most that a table holds", Value::MAX_PLIES)]
    TooLong,
    /// It was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// The tables of the sectors below, of the same metric.
pub(super) type Lower<'a> = dyn Fn(Sector) -> Option<&'a Table> + Sync + 'a;

/// How far the solver is, for whoever watches.
#[derive(Debug, Default)]
pub struct Monitor {
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
mod open {
    pub const SETTLED: u16 = 1 << 15;
    pub const MOVE: u16 = 1 << 8;
    /// So many moves that are not known to lose: one of them draws.
    pub const DRAWS: u16 = 127 << 8;
}

/// Levels at most.
const LEVELS: usize = Value::MAX_PLIES as usize + 3;

/// One sector of the unit.
struct Face<'a> {
    sector: Sector,
    own: &'a Classes,
    other: &'a Classes,
    /// The slots of a block of its table.
    own_len: usize,
    /// The mover's sets beside one set of the other side: the slots of a block of `open`.
    other_len: usize,
    /// The mover's sets, as points among those that the other side leaves, by rank.
    sets: Vec<u32>,
    /// Its table: codes of values, 0 where none is known.
    values: Cells,
    /// For each level the blocks with values of as many plies.
    pending: Vec<Box<[AtomicU64]>>,
    /// Whether quiet moves lead to a sector of the unit.
    cyclic: bool,
}

impl Face<'_> {
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
pub(super) struct Solved {
    pub sector: Sector,
    pub values: Cells,
}

/// Returns the bytes that solving a unit takes beside the tables of the sectors below.
pub(super) fn memory(unit: Unit, rules: &Ruleset, geometry: &Geometry) -> u64 {
    let of_sector = |sector: Sector| {
        let open = if is_cyclic(unit, sector, rules) { sector.mirror().slots(geometry) } else { 0 };
        2 * (sector.slots(geometry) + open)
    };
    unit.sectors().map(of_sector).sum()
}

fn is_cyclic(unit: Unit, sector: Sector, rules: &Ruleset) -> bool {
    sector.after_moving(rules).is_some_and(|next| unit.sectors().any(|of_unit| of_unit == next))
}

/// Solves a unit, given the tables of the sectors below it.
///
/// # Errors
/// [`SolveError`].
pub(super) fn solve(
    unit: Unit,
    metric: Metric,
    rules: &Ruleset,
    geometry: &Geometry,
    lower: &Lower<'_>,
    monitor: &Monitor,
    cancel: &Cancel,
) -> Result<Vec<Solved>, SolveError> {
    let points = geometry.board().len();
    let mut faces = Vec::new();
    for sector in unit.sectors() {
        let (own, other) = (geometry.classes(sector.own), geometry.classes(sector.other));
        faces.push(Face {
            sector,
            own,
            other,
            own_len: sector.block_len(geometry),
            other_len: binomial(points - u32::from(sector.other), sector.own.into()) as usize,
            sets: subsets(points - u32::from(sector.other), sector.own.into()),
            values: Cells::new(sector.slots(geometry) as usize).map_err(SolveError::Memory)?,
            pending: (0..LEVELS).map(|_| (0..own.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect()).collect(),
            cyclic: is_cyclic(unit, sector, rules),
        });
    }
    let mut open = Vec::new();
    for face in &faces {
        let solver = Solver::new(rules, geometry, metric, face);
        let len = if face.cyclic { face.other.len() * face.other_len } else { 0 };
        let cells = Cells::new(len).map_err(SolveError::Memory)?;
        solver.set_up(&cells, lower, monitor, cancel)?;
        open.push(cells);
    }
    let last = LEVELS as u32 - 2;
    for level in 1..=last {
        monitor.level.store(level.into(), Ordering::Relaxed);
        match faces.as_mut_slice() {
            [face] if face.cyclic => {
                Solver::new(rules, geometry, metric, face).spread(level, &Source::itself(face), &open[0], cancel)?;
            }
            [first, second] => {
                Solver::new(rules, geometry, metric, first).spread(level, &Source::mirror(second), &open[0], cancel)?;
                Solver::new(rules, geometry, metric, second).spread(level, &Source::mirror(first), &open[1], cancel)?;
            }
            _ => {}
        }
        if faces.iter().all(|face| (level..=last).all(|later| !face.any_pending(later))) {
            break;
        }
        if level == last {
            return Err(SolveError::TooLong);
        }
    }
    Ok(faces.into_iter().map(|face| Solved { sector: face.sector, values: face.values }).collect())
}

/// What solves one sector of the unit.
struct Solver<'a> {
    rules: &'a Ruleset,
    geometry: &'a Geometry,
    ranks: &'static Ranks,
    metric: Metric,
    face: &'a Face<'a>,
    flies: bool,
    moves: bool,
    places: bool,
}

impl<'a> Solver<'a> {
    fn new(rules: &'a Ruleset, geometry: &'a Geometry, metric: Metric, face: &'a Face<'a>) -> Self {
        let Sector { own, own_hand, .. } = face.sector;
        Self {
            rules,
            geometry,
            ranks: Ranks::get(),
            metric,
            face,
            flies: rules.rules.flies((1 << own) - 1, own_hand),
            moves: rules.rules.moves(own_hand),
            places: own_hand > 0,
        }
    }

    /// Writes the value of a position into the sector's table.
    fn settle(&self, instructions: impl Level, frame: &Frame, men: u32, value: Value) {
        compiled!(instructions, {
            let face = self.face;
            let men = deposit(men, frame.rest);
            let (class, symmetry) = face.own.of(self.ranks.rank(men));
            let rest = self.rules.board.points() & !face.own.set(class);
            let other = frame.images[symmetry];
            let slot = |other| class * face.own_len + self.ranks.rank(extract(other, rest));
            let stabilizer = face.own.stabilizer(class);
            if stabilizer == 1 {
                face.values.store(slot(other), value.code());
            } else {
                // The set has symmetries of its own: the position stands in several slots.
                let symmetries = self.rules.board.symmetries();
                for k in (0..symmetries.len()).filter(|k| stabilizer >> k & 1 == 1) {
                    face.values.store(slot(symmetries.set(k, other)), value.code());
                }
            }
            if face.cyclic {
                face.mark(value.plies().expect("a settled value is no draw"), class);
            }
        });
    }
}
