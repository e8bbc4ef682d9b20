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

use std::cmp::Ordering as Order;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use super::bits::{deposit, extract};
use super::cells::Cells;
use super::classes::{Classes, Geometry};
use super::subsets::{Ranks, binomial, subsets};
use super::table::{Block, Table, TableError};
use super::value::{Metric, Value};
use super::{Ruleset, Sector, Unit};
use crate::game::Cancel;
use crate::morris::{FullBoard, Mill};

/// Why a unit was not solved.
#[derive(Debug, Error)]
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

/// The tables of the sectors below, by sector.
pub(super) type Lower<'a> = dyn Fn(Sector) -> Option<&'a Table> + Sync + 'a;

/// How far the solver is, for whoever watches.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Slots set up or settled at some level.
    pub done: AtomicU64,
    /// The level.
    pub level: AtomicU64,
}

/// What is still open about a position, in 16 bits.
///
/// The top bit says that it is settled: lost, or won in as many plies as the other bits say unless a quicker win is found. Else there are
/// seven bits for the moves that are not known to lose, and eight for half the plies of the longest exit that loses.
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

    fn is_pending(&self, plies: u32, block: usize) -> bool {
        self.pending[plies as usize][block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 == 1
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
        for (i, face) in faces.iter().enumerate().filter(|(_, face)| face.cyclic) {
            let mirror = &faces[faces.len() - 1 - i];
            Solver::new(rules, geometry, metric, face).spread(level, mirror, &open[i], cancel)?;
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
    /// The mover's sets, as points among those that the other side leaves, by rank; with one man more where one is placed.
    sets: Vec<u32>,
    placed_sets: Vec<u32>,
    flies: bool,
    moves: bool,
    places: bool,
}

/// A set of the other side, and the board without it: the remaining points by number.
struct Frame {
    /// The other side's men, and their images under the symmetries.
    images: [u32; 16],
    other: u32,
    /// The points without them.
    rest: u32,
    /// All points by number.
    all: u32,
    /// The edges between them, and for each point those that it ends, as bits.
    edges: [u32; 64],
    ends: [u64; 24],
    mills: [u32; 24],
    mill_count: usize,
    /// The men that a mill captures.
    victims: u32,
}

impl Frame {
    fn new(rules: &Ruleset, other: u32) -> Self {
        let board = rules.board;
        let rest = board.points() & !other;
        let all = (1u32 << rest.count_ones()) - 1;
        let mut images = [0; 16];
        for (k, image) in images.iter_mut().enumerate().take(board.symmetries().len()) {
            *image = board.symmetries().set(k, other);
        }
        let (mut edges, mut ends) = ([0; 64], [0; 24]);
        for (number, &edge) in board.edges().iter().filter(|&edge| edge & other == 0).enumerate() {
            edges[number] = extract(edge, rest);
            ends[edges[number].trailing_zeros() as usize] |= 1 << number;
            ends[edges[number].ilog2() as usize] |= 1 << number;
        }
        let (mut mills, mut mill_count) = ([0; 24], 0);
        for &mill in board.mills().iter().filter(|&mill| mill & other == 0) {
            mills[mill_count] = extract(mill, rest);
            mill_count += 1;
        }
        Self { images, other, rest, all, edges, ends, mills, mill_count, victims: rules.victims(other) }
    }

    #[inline]
    fn in_mills(&self, men: u32) -> u32 {
        self.mills[..self.mill_count].iter().fold(0, |points, &mill| points | if mill & !men == 0 { mill } else { 0 })
    }

    /// Returns the edges with a man at one end alone: the steps of these men.
    #[inline]
    fn steps(&self, men: u32) -> u64 {
        // An edge with a man at both ends is taken twice, and so not at all.
        let (mut steps, mut rest) = (0, men);
        while rest != 0 {
            steps ^= self.ends[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        steps
    }

    fn count_moves(&self, men: u32, flies: bool) -> u32 {
        if flies { men.count_ones() * (self.all & !men).count_ones() } else { self.steps(men).count_ones() }
    }

    /// Calls `found` with the sets from which one of the men `last` came in its last move, for all such moves.
    #[inline]
    fn for_each_before<E>(
        &self,
        men: u32,
        last: u32,
        flies: bool,
        mut found: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut last = last;
        if flies {
            while last != 0 {
                let to = last & last.wrapping_neg();
                last ^= to;
                let mut from = self.all & !men;
                while from != 0 {
                    found(men ^ to ^ from & from.wrapping_neg())?;
                    from &= from - 1;
                }
            }
            return Ok(());
        }
        let mut steps = self.steps(men);
        let mut still = men & !last;
        while still != 0 {
            steps &= !self.ends[still.trailing_zeros() as usize];
            still &= still - 1;
        }
        while steps != 0 {
            found(men ^ self.edges[steps.trailing_zeros() as usize])?;
            steps &= steps - 1;
        }
        Ok(())
    }
}

/// Where the captures of one man lead.
struct Victim<'a> {
    /// The men that are left, turned so that they stand for their class, leave these points.
    rest: u32,
    symmetry: usize,
    block: Block<'a>,
}

/// A value of a position after an exit, as the mover sees it: the greater the better, 0 for none.
fn score(value: Value) -> u16 {
    let plies = value.plies().unwrap_or(0) as u16;
    match value.outcome() {
        Order::Greater => WIN_NOW - plies,
        Order::Equal => DRAW,
        Order::Less => plies + 1,
    }
}

const DRAW: u16 = 1 << 14;
const WIN_NOW: u16 = 1 << 15;

impl<'a> Solver<'a> {
    fn new(rules: &'a Ruleset, geometry: &'a Geometry, metric: Metric, face: &'a Face<'a>) -> Self {
        let Sector { own, other, own_hand, .. } = face.sector;
        let rest = geometry.board().len() - u32::from(other);
        let places = own_hand > 0;
        Self {
            rules,
            geometry,
            ranks: Ranks::get(),
            metric,
            face,
            sets: subsets(rest, own.into()),
            placed_sets: if places { subsets(rest, u32::from(own) + 1) } else { Vec::new() },
            flies: rules.flies(own, own_hand),
            moves: rules.moves(own_hand),
            places,
        }
    }

    /// Sets up all positions by their exits.
    fn set_up(&self, open: &Cells, lower: &Lower<'_>, monitor: &Monitor, cancel: &Cancel) -> Result<(), SolveError> {
        let rules = self.rules;
        let table =
            |sector: Option<Sector>| sector.map(|sector| lower(sector).expect("sectors are solved in their order"));
        let sector = self.face.sector;
        let placed = sector.after_placing(rules);
        let moved = sector.after_moving(rules);
        let exits = Exits {
            placed: table(placed),
            placed_capture: table(placed.and_then(|sector| sector.after_capture(rules))),
            // A sector whose mirror does not lead back has it below.
            moved: if self.face.cyclic { None } else { table(moved) },
            moved_capture: table(moved.and_then(|sector| sector.after_capture(rules))),
        };
        let scratch = || Scratch::new(self);
        (0..self.face.other.len()).into_par_iter().try_for_each_init(scratch, |scratch, block| {
            if cancel.is_cancelled() {
                return Err(SolveError::Cancelled);
            }
            self.set_up_block(block, &exits, open, scratch)?;
            monitor.done.fetch_add(self.face.other_len as u64, Ordering::Relaxed);
            Ok(())
        })
    }

    fn set_up_block(
        &self,
        block: usize,
        exits: &Exits<'_>,
        open: &Cells,
        scratch: &mut Scratch,
    ) -> Result<(), SolveError> {
        let (rules, ranks) = (self.rules, self.ranks);
        let frame = Frame::new(rules, self.face.other.set(block));
        let wins_by_mill = rules.rules.mill == Mill::Wins;
        let open = open.get().get(block * self.face.other_len..).unwrap_or(&[]);
        let other_has_won = wins_by_mill && rules.board.in_mills(frame.other) != 0;
        scratch.exits.fill(0);
        scratch.closing.fill(0);
        if self.places && !other_has_won {
            if let Some(table) = exits.placed {
                table.block(block)?.decode(&mut scratch.after);
            }
            let victims = self.victims(&frame, exits.placed_capture)?;
            for (slot, &after) in self.placed_sets.iter().enumerate() {
                let closed = if frame.victims != 0 || wins_by_mill { frame.in_mills(after) } else { 0 };
                let by_mill = if closed == 0 { 0 } else { self.by_mill(&frame, after, &victims) };
                let quiet = score(Value::from_code(scratch.after[slot]).before());
                let mut men = after;
                while men != 0 {
                    let man = men & men.wrapping_neg();
                    men ^= man;
                    let exit = &mut scratch.exits[ranks.rank(after ^ man)];
                    *exit = (*exit).max(if closed & man == 0 { quiet } else { by_mill });
                }
            }
        }
        if self.moves && !other_has_won {
            let quiet = match exits.moved {
                Some(table) => {
                    table.block(block)?.decode(&mut scratch.moved);
                    true
                }
                None => false,
            };
            let captures = frame.victims != 0 || wins_by_mill;
            let victims = self.victims(&frame, exits.moved_capture)?;
            for (slot, &after) in self.sets.iter().enumerate() {
                let closed = if captures { frame.in_mills(after) } else { 0 };
                if closed == 0 && !quiet {
                    continue;
                }
                let by_mill = if closed == 0 { 0 } else { self.by_mill(&frame, after, &victims) };
                let by_step = if quiet { score(Value::from_code(scratch.moved[slot]).before()) } else { 0 };
                let steps = if quiet { after & !closed } else { 0 };
                for (last, exit) in [(closed, by_mill), (steps, by_step)] {
                    frame.for_each_before(after, last, self.flies, |before| {
                        let before = ranks.rank(before);
                        scratch.closing[before] += 1;
                        scratch.exits[before] = scratch.exits[before].max(exit);
                        Ok::<_, SolveError>(())
                    })?;
                }
            }
        }
        for (slot, &men) in self.sets.iter().enumerate() {
            let steps = if self.moves { frame.count_moves(men, self.flies) } else { 0 };
            let quiet = steps as u16 - scratch.closing[slot];
            let exit = scratch.exits[slot];
            let plies = if exit > DRAW { WIN_NOW - exit } else { exit.saturating_sub(1) };
            if exit != DRAW && u32::from(plies) > Value::MAX_PLIES {
                return Err(SolveError::TooLong);
            }
            let state = if other_has_won {
                self.settle(&frame, men, Value::loss(0));
                open::SETTLED
            } else if wins_by_mill && frame.in_mills(men) != 0 {
                self.settle(&frame, men, Value::win(0));
                open::SETTLED
            } else if exit > DRAW {
                self.settle(&frame, men, Value::win(plies.into()));
                open::SETTLED | plies
            } else if exit == DRAW {
                open::DRAWS
            } else {
                let full = frame.all == men && !self.places;
                if quiet > 0 {
                    (quiet * open::MOVE) | plies.div_ceil(2)
                } else if full && rules.rules.full_board == FullBoard::Draws {
                    open::DRAWS
                } else {
                    self.settle(&frame, men, Value::loss(plies.into()));
                    open::SETTLED
                }
            };
            if let Some(cell) = open.get(slot) {
                cell.store(state, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Returns where the captures of each man of the other side lead; empty if they end the game.
    fn victims<'t>(&self, frame: &Frame, table: Option<&'t Table>) -> Result<Vec<Victim<'t>>, TableError> {
        let Some(table) = table else { return Ok(Vec::new()) };
        let classes = self.geometry.classes(self.face.sector.other - 1);
        let mut victims = Vec::with_capacity(12);
        let mut men = frame.victims;
        while men != 0 {
            let left = frame.other & !(men & men.wrapping_neg());
            men &= men - 1;
            let (class, symmetry) = classes.of(self.ranks.rank(left));
            let rest = self.rules.board.points() & !classes.set(class);
            victims.push(Victim { rest, symmetry, block: table.block(class)? });
        }
        Ok(victims)
    }

    /// Returns what a mill that leaves the mover with these men is worth to it.
    fn by_mill(&self, frame: &Frame, after: u32, victims: &[Victim<'_>]) -> u16 {
        if victims.is_empty() {
            return score(Value::win(1));
        }
        let men = deposit(after, frame.rest);
        let symmetries = self.rules.board.symmetries();
        let best = victims.iter().map(|victim| {
            let slot = self.ranks.rank(extract(symmetries.set(victim.symmetry, men), victim.rest));
            score(victim.block.value(slot).before())
        });
        let best = best.max().expect("there is a victim");
        match self.metric {
            Metric::End => best,
            // The capture is what is counted to.
            Metric::Capture => match best.cmp(&DRAW) {
                Order::Greater => score(Value::win(1)),
                Order::Equal => DRAW,
                Order::Less => score(Value::loss(1)),
            },
        }
    }

    /// Writes the value of a position into the sector's table.
    #[inline]
    fn settle(&self, frame: &Frame, men: u32, value: Value) {
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
    }

    /// Draws the consequences of the mirror's values of `level - 1` plies.
    fn spread(&self, level: u32, mirror: &Face<'_>, open: &Cells, cancel: &Cancel) -> Result<(), SolveError> {
        let face = self.face;
        (0..mirror.own.len()).into_par_iter().filter(|&block| mirror.is_pending(level - 1, block)).try_for_each(
            |block| {
                if cancel.is_cancelled() {
                    return Err(SolveError::Cancelled);
                }
                let frame = Frame::new(self.rules, mirror.own.set(block));
                let values = &mirror.values.get()[block * mirror.own_len..][..mirror.own_len];
                let open = &open.get()[block * face.other_len..][..face.other_len];
                let captures = frame.victims != 0 || self.rules.rules.mill == Mill::Wins;
                for (slot, value) in values.iter().enumerate() {
                    let code = value.load(Ordering::Relaxed);
                    if u32::from(code >> 1) != level {
                        continue;
                    }
                    let won = code & 1 == 1;
                    let after = self.sets[slot];
                    // A step into a mill captures, and is an exit.
                    let quiet = if captures { after & !frame.in_mills(after) } else { after };
                    frame.for_each_before(after, quiet, self.flies, |before| {
                        let cell = &open[self.ranks.rank(before)];
                        let state = cell.load(Ordering::Relaxed);
                        if won {
                            self.lose_a_move(&frame, before, level, state, |state| {
                                cell.store(state, Ordering::Relaxed)
                            })?;
                        } else if state & open::SETTLED == 0 || u32::from(state & !open::SETTLED) > level {
                            cell.store(open::SETTLED | level as u16, Ordering::Relaxed);
                            self.settle(&frame, before, Value::win(level));
                        }
                        Ok::<_, SolveError>(())
                    })?;
                }
                Ok(())
            },
        )
    }

    /// Takes a move that loses from those of a position.
    #[inline]
    fn lose_a_move(
        &self,
        frame: &Frame,
        men: u32,
        level: u32,
        state: u16,
        set: impl FnOnce(u16),
    ) -> Result<(), SolveError> {
        if state & open::SETTLED != 0 || state >= open::DRAWS {
            return Ok(());
        }
        let state = state - open::MOVE;
        if state >= open::MOVE {
            set(state);
            return Ok(());
        }
        let exit = match self.metric {
            Metric::End => u32::from(state) * 2,
            Metric::Capture => u32::from(state),
        };
        set(open::SETTLED);
        let plies = level.max(exit);
        if plies > Value::MAX_PLIES {
            return Err(SolveError::TooLong);
        }
        self.settle(frame, men, Value::loss(plies));
        Ok(())
    }
}

/// The tables that exits lead to. A placing or a move without a capture leads to the first of each pair, one with a capture to the
/// second, unless that ends the game.
struct Exits<'a> {
    placed: Option<&'a Table>,
    placed_capture: Option<&'a Table>,
    moved: Option<&'a Table>,
    moved_capture: Option<&'a Table>,
}

/// What a thread needs for one block.
struct Scratch {
    /// The best exit of each position.
    exits: Vec<u16>,
    /// The moves of each position that are exits.
    closing: Vec<u16>,
    /// Codes of the values after a man is placed.
    after: Vec<u16>,
    /// Codes of the values after a man is moved, where that is an exit.
    moved: Vec<u16>,
}

impl Scratch {
    fn new(solver: &Solver<'_>) -> Self {
        let len = solver.sets.len();
        let moved = if solver.moves && !solver.face.cyclic { len } else { 0 };
        Self {
            exits: vec![0; len],
            closing: vec![0; len],
            after: vec![0; solver.placed_sets.len()],
            moved: vec![0; moved],
        }
    }
}
