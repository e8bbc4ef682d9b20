//! Initializes positions with the values of their exits, which are captures and placements.

use std::cmp::Ordering as Order;
use std::sync::atomic::Ordering;

use super::super::Sector;
use super::super::file::expanded::{ExpandedTable, SlotRow};
use super::super::sector::bits::{deposit, extract};
use super::super::sector::subsets::subsets;
use super::super::value::PositionValue;
use super::value_buffer::ValueBuffer;
use super::{LowerTables, OpponentSet, SectorSolver, SolveError, SolveProgress, counters};
use crate::game::Cancel;
use crate::instructions::{InstructionSet, SimdLevel, at_level, compiled};
use crate::morris::MillRule;
use crate::parallel::{self, Spares};

/// The positions after the capture of one man.
struct Victim<'a> {
    /// The points that the representative of the remaining men leaves free.
    rest: u32,
    /// The symmetry that maps the remaining men to the representative.
    symmetry: usize,
    row: SlotRow<'a>,
}

/// Returns a number for comparing exits from the point of view of the side to move: higher is
/// better, and 0 means no exit.
fn score(value: PositionValue) -> u16 {
    let plies = value.plies().unwrap_or(0) as u16;
    match value.outcome() {
        Order::Greater => WIN_NOW - plies,
        Order::Equal => DRAW,
        Order::Less => plies + 1,
    }
}

const DRAW: u16 = 1 << 14;
const WIN_NOW: u16 = 1 << 15;

impl SectorSolver<'_> {
    /// Initializes all positions with their exits.
    pub(super) fn initialize(
        &self,
        open: &ValueBuffer,
        lower: &LowerTables<'_>,
        progress: &SolveProgress,
        cancel: &Cancel,
    ) -> Result<(), SolveError> {
        let rules = self.rules;
        let table = |sector: Option<Sector>| {
            let table = sector.map(|sector| lower(sector).expect("lower sectors are solved first").expand());
            table.transpose().map(|table| table.map(ExpandedTable::with_some_plies))
        };
        let sector = self.state.sector;
        let placed = sector.after_placing(rules);
        let moved = sector.after_moving(rules);
        let rest = self.class_cache.board().len() - u32::from(sector.other);
        let exits = Exits {
            placed_sets: if self.places { subsets(rest, u32::from(sector.own) + 1) } else { Vec::new() },
            placed: table(placed)?,
            placed_capture: table(placed.and_then(|sector| sector.after_capture(rules)))?,
            // If the mirror does not lead back, it is a lower sector.
            moved: if self.state.cyclic { None } else { table(moved)? },
            moved_capture: table(moved.and_then(|sector| sector.after_capture(rules)))?,
        };
        let slots = sector.slots(self.class_cache);
        let exits = &exits;
        let create = || Scratch::new(self, exits);
        let spares = Spares::new(&create);
        parallel::try_for_each(self.state.other.len(), &|block| {
            if cancel.is_cancelled() {
                return Err(SolveError::Cancelled);
            }
            spares.with(|scratch| {
                at_level!(InstructionSet::used(), |instructions| {
                    compiled!(instructions, { self.initialize_block(instructions, block, exits, open, scratch) })
                })
            })?;
            progress.done.fetch_add(slots / self.state.other.len() as u64, Ordering::Relaxed);
            Ok(())
        })
    }

    #[inline(always)]
    fn initialize_block(
        &self,
        instructions: impl SimdLevel,
        block: usize,
        exits: &Exits,
        open: &ValueBuffer,
        scratch: &mut Scratch,
    ) -> Result<(), SolveError> {
        let opponent = OpponentSet::new(self.rules, self.state.other.set(block));
        let wins_by_mill = self.rules.rules.mill == MillRule::Wins;
        let other_has_won = wins_by_mill && self.rules.board.in_mills(opponent.men) != 0;
        scratch.exits.fill(0);
        scratch.exit_counts.fill(0);
        if self.places && !other_has_won {
            self.add_placements(&opponent, block, exits, scratch);
        }
        if self.moves && !other_has_won {
            self.add_moves(&opponent, block, exits, scratch)?;
        }
        let open = open.get().get(block * self.state.other_len..).unwrap_or(&[]);
        for (slot, &men) in self.state.sets.iter().enumerate() {
            let steps = if self.moves { opponent.count_moves(men, self.flies) } else { 0 };
            let quiet = steps as u16 - scratch.exit_counts[slot];
            let exit = scratch.exits[slot];
            let plies = if exit > DRAW { WIN_NOW - exit } else { exit.saturating_sub(1) };
            if exit != DRAW && u32::from(plies) > PositionValue::MAX_PLIES {
                return Err(SolveError::TooLong);
            }
            let counter = if other_has_won {
                self.settle(instructions, &opponent, men, PositionValue::loss(0));
                counters::SETTLED
            } else if wins_by_mill && opponent.in_mills(men) != 0 {
                self.settle(instructions, &opponent, men, PositionValue::win(0));
                counters::SETTLED
            } else if exit > DRAW {
                self.settle(instructions, &opponent, men, PositionValue::win(plies.into()));
                counters::SETTLED | plies
            } else if exit == DRAW {
                counters::DRAWS
            } else {
                if quiet > 0 {
                    (quiet * counters::MOVE) | plies.div_ceil(2)
                } else if exit == 0 && self.rules.rules.blocked.draws(opponent.all & !men) {
                    counters::DRAWS
                } else {
                    self.settle(instructions, &opponent, men, PositionValue::loss(plies.into()));
                    counters::SETTLED
                }
            };
            if let Some(cell) = open.get(slot) {
                cell.store(counter, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Returns whether a mill captures a man of the opponent or wins the game.
    pub(super) fn counts_mills(&self, opponent: &OpponentSet) -> bool {
        opponent.victims != 0 || self.rules.rules.mill == MillRule::Wins
    }

    /// Adds the exits that place a man.
    #[inline(always)]
    fn add_placements(&self, opponent: &OpponentSet, block: usize, exits: &Exits, scratch: &mut Scratch) {
        if let Some(table) = &exits.placed {
            table.row(block).decode(&mut scratch.after);
        }
        let counts_mills = self.counts_mills(opponent);
        let victims = self.victims(opponent, exits.placed_capture.as_ref());
        for (slot, &after) in exits.placed_sets.iter().enumerate() {
            let closed = if counts_mills { opponent.in_mills(after) } else { 0 };
            let by_mill = if closed == 0 { 0 } else { self.by_mill(opponent, after, &victims) };
            let quiet = score(PositionValue::from_code(scratch.after[slot]).predecessor());
            let mut men = after;
            while men != 0 {
                let man = men & men.wrapping_neg();
                men ^= man;
                let exit = &mut scratch.exits[self.ranks.rank(after ^ man)];
                *exit = (*exit).max(if closed & man == 0 { quiet } else { by_mill });
            }
        }
    }

    /// Adds the exits that move a man: captures, or all moves if they lead to a lower sector.
    #[inline(always)]
    fn add_moves(
        &self,
        opponent: &OpponentSet,
        block: usize,
        exits: &Exits,
        scratch: &mut Scratch,
    ) -> Result<(), SolveError> {
        let quiet = exits.moved.is_some();
        if let Some(table) = &exits.moved {
            table.row(block).decode(&mut scratch.moved);
        }
        let counts_mills = self.counts_mills(opponent);
        let victims = self.victims(opponent, exits.moved_capture.as_ref());
        for (slot, &after) in self.state.sets.iter().enumerate() {
            let closed = if counts_mills { opponent.in_mills(after) } else { 0 };
            if closed == 0 && !quiet {
                continue;
            }
            let by_mill = if closed == 0 { 0 } else { self.by_mill(opponent, after, &victims) };
            let by_step = if quiet { score(PositionValue::from_code(scratch.moved[slot]).predecessor()) } else { 0 };
            let steps = if quiet { after & !closed } else { 0 };
            for (last, exit) in [(closed, by_mill), (steps, by_step)] {
                opponent.for_each_predecessor(
                    after,
                    last,
                    self.flies,
                    #[inline(always)]
                    |before| {
                        let before = self.ranks.rank(before);
                        scratch.exit_counts[before] += 1;
                        scratch.exits[before] = scratch.exits[before].max(exit);
                        Ok::<_, SolveError>(())
                    },
                )?;
            }
        }
        Ok(())
    }

    /// Returns the captures of each man of the opponent; empty if a capture ends the game.
    fn victims<'t>(&self, opponent: &OpponentSet, table: Option<&'t ExpandedTable>) -> Vec<Victim<'t>> {
        let Some(table) = table else { return Vec::new() };
        let classes = self.class_cache.classes(self.state.sector.other - 1);
        let mut victims = Vec::with_capacity(12);
        let mut men = opponent.victims;
        while men != 0 {
            let left = opponent.men & !(men & men.wrapping_neg());
            men &= men - 1;
            let (class, symmetry) = classes.of(self.ranks.rank(left));
            let rest = self.rules.board.points() & !classes.set(class);
            victims.push(Victim { rest, symmetry, row: table.row(class) });
        }
        victims
    }

    /// Returns the score of the best capture after a mill. `after` is the set of men of the side to
    /// move after it.
    fn by_mill(&self, opponent: &OpponentSet, after: u32, victims: &[Victim<'_>]) -> u16 {
        if victims.is_empty() {
            return score(PositionValue::win(1));
        }
        let men = deposit(after, opponent.rest);
        let symmetries = self.rules.board.symmetries();
        let values = victims.iter().map(|victim| {
            let slot = self.ranks.rank(extract(symmetries.set(victim.symmetry, men), victim.rest));
            let value = victim.row.value(slot);
            score(self.rules.after_capture(value, self.metric).predecessor())
        });
        values.max().expect("there is at least one victim")
    }
}

/// The tables to which exits lead, with and without a capture. There is no table for a capture that
/// ends the game.
struct Exits {
    /// The sets of the side to move after a man is placed.
    placed_sets: Vec<u32>,
    placed: Option<ExpandedTable>,
    placed_capture: Option<ExpandedTable>,
    moved: Option<ExpandedTable>,
    moved_capture: Option<ExpandedTable>,
}

/// A thread's buffers for one block.
struct Scratch {
    /// The score of the best exit of each position.
    exits: Vec<u16>,
    /// The number of moves of each position that are exits.
    exit_counts: Vec<u16>,
    /// Value codes after a man is placed.
    after: Vec<u16>,
    /// Value codes after a man is moved, if this is an exit.
    moved: Vec<u16>,
}

impl Scratch {
    fn new(solver: &SectorSolver<'_>, exits: &Exits) -> Self {
        let len = solver.state.sets.len();
        let moved = if solver.moves && !solver.state.cyclic { len } else { 0 };
        Self {
            exits: vec![0; len],
            exit_counts: vec![0; len],
            after: vec![0; exits.placed_sets.len()],
            moved: vec![0; moved],
        }
    }
}
