//! Propagates the values of one level to their predecessors.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use super::super::sector::classes::SymmetryClasses;
use super::super::value::{Metric, PositionValue};
use super::value_buffer::ValueBuffer;
use super::{OpponentSet, SectorSolver, SectorState, SolveError, counters};
use crate::game::Cancel;
use crate::instructions::{InstructionSet, SimdLevel, at_level, compiled};
use crate::parallel;

/// The number of slots that are tested together for values of a level. A multiple of the vector
/// width.
const STRIDE: usize = 64;

/// The table from which values are propagated.
pub(super) struct ValueSource<'a> {
    values: Codes<'a>,
    classes: &'a SymmetryClasses,
    len: usize,
    pending: &'a [Box<[AtomicU64]>],
}

/// Value codes. If no thread writes to them, they are plain integers, which are several times
/// faster to scan.
#[derive(Clone, Copy)]
enum Codes<'a> {
    Plain(&'a [u16]),
    Shared(&'a [AtomicU16]),
}

impl<'a> ValueSource<'a> {
    /// Reads values from the same table to which the values are written.
    pub fn own_table(state: &'a SectorState<'_>) -> Self {
        let values = Codes::Shared(state.values.get());
        Self { values, classes: state.own, len: state.own_len, pending: &state.pending }
    }

    /// Reads values from the table of the mirror.
    pub fn mirror(mirror: &'a mut SectorState<'_>) -> Self {
        let values = Codes::Plain(mirror.values.plain());
        Self { values, classes: mirror.own, len: mirror.own_len, pending: &mirror.pending }
    }

    fn is_pending(&self, plies: u32, block: usize) -> bool {
        self.pending[plies as usize][block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 == 1
    }

    /// Calls `found` with the slot and the code of each value with this number of plies in a block.
    #[inline(always)]
    fn for_each<E>(
        &self,
        block: usize,
        plies: u32,
        mut found: impl FnMut(usize, u16) -> Result<(), E>,
    ) -> Result<(), E> {
        // A win and a loss in the same number of plies differ only in the lowest bit.
        let win = PositionValue::win(plies).code();
        let slots = block * self.len..(block + 1) * self.len;
        match self.values {
            Codes::Plain(codes) => {
                for (stride, codes) in codes[slots].chunks(STRIDE).enumerate() {
                    if codes.iter().fold(false, |any, &code| any | (code | 1 == win)) {
                        for (i, &code) in codes.iter().enumerate().filter(|&(_, &code)| code | 1 == win) {
                            found(stride * STRIDE + i, code)?;
                        }
                    }
                }
            }
            Codes::Shared(codes) => {
                for (slot, code) in codes[slots].iter().enumerate() {
                    let code = code.load(Ordering::Relaxed);
                    if code | 1 == win {
                        found(slot, code)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl SectorSolver<'_> {
    /// Propagates the values of `level - 1` plies from the source.
    pub fn propagate(
        &self,
        level: u32,
        source: &ValueSource<'_>,
        open: &ValueBuffer,
        cancel: &Cancel,
    ) -> Result<(), SolveError> {
        let pending: Vec<_> = (0..source.classes.len()).filter(|&block| source.is_pending(level - 1, block)).collect();
        parallel::try_for_each(pending.len(), &|number| {
            if cancel.is_cancelled() {
                return Err(SolveError::Cancelled);
            }
            let block = pending[number];
            at_level!(InstructionSet::used(), |instructions| {
                compiled!(instructions, { self.propagate_block(instructions, level, source, block, open) })
            })
        })
    }

    /// Propagates the values of one block of the source.
    #[inline(always)]
    fn propagate_block(
        &self,
        instructions: impl SimdLevel,
        level: u32,
        source: &ValueSource<'_>,
        block: usize,
        open: &ValueBuffer,
    ) -> Result<(), SolveError> {
        let state = self.state;
        let opponent = OpponentSet::new(self.rules, source.classes.set(block));
        let open = &open.get()[block * state.other_len..][..state.other_len];
        let counts_mills = self.counts_mills(&opponent);
        source.for_each(
            block,
            level - 1,
            #[inline(always)]
            |slot, code| {
                let won = code & 1 == 1;
                let after = state.sets[slot];
                // Moves into mills capture, so they are exits.
                let quiet = if counts_mills { after & !opponent.in_mills(after) } else { after };
                opponent.for_each_predecessor(
                    after,
                    quiet,
                    self.flies,
                    #[inline(always)]
                    |before| {
                        let cell = &open[self.ranks.rank(before)];
                        let counter = cell.load(Ordering::Relaxed);
                        if won {
                            let set = |counter| cell.store(counter, Ordering::Relaxed);
                            self.remove_losing_move(instructions, &opponent, before, level, counter, set)?;
                        } else if counter & counters::SETTLED == 0 || u32::from(counter & !counters::SETTLED) > level {
                            cell.store(counters::SETTLED | level as u16, Ordering::Relaxed);
                            self.settle(instructions, &opponent, before, PositionValue::win(level));
                        }
                        Ok::<_, SolveError>(())
                    },
                )
            },
        )
    }

    /// Removes a losing move from the counter of a position. Settles the position if it was the
    /// last move.
    #[inline(always)]
    fn remove_losing_move(
        &self,
        instructions: impl SimdLevel,
        opponent: &OpponentSet,
        men: u32,
        level: u32,
        counter: u16,
        set: impl FnOnce(u16),
    ) -> Result<(), SolveError> {
        if counter & counters::SETTLED != 0 || counter >= counters::DRAWS {
            return Ok(());
        }
        let counter = counter - counters::MOVE;
        if counter >= counters::MOVE {
            set(counter);
            return Ok(());
        }
        let exit = match self.metric {
            Metric::End => u32::from(counter) * 2,
            Metric::Capture => u32::from(counter),
        };
        set(counters::SETTLED);
        let plies = level.max(exit);
        if plies > PositionValue::MAX_PLIES {
            return Err(SolveError::TooLong);
        }
        self.settle(instructions, opponent, men, PositionValue::loss(plies));
        Ok(())
    }
}
