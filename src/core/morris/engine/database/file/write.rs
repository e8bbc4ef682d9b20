//! [`write_table`]: writes the values of a sector in the [file format](super::format), and counts
//! them.

use std::io::{self, Seek, SeekFrom, Write};

use super::super::sector::bits::{deposit, extract};
use super::super::sector::classes::ClassCache;
use super::super::sector::subsets::{Ranks, subsets};
use super::super::value::{Metric, PositionValue};
use super::super::{OutcomeCounts, Ruleset, Sector};
use super::format::{StoredValues, TableHeader, TableIndex};
use crate::parallel::{self, Spares};

/// The zstd compression level for files.
pub(crate) const LEVEL: i32 = 9;

/// The number of blocks compressed at a time.
const BATCH: usize = 64;

/// Identifies a table.
#[derive(Clone, Copy)]
pub(crate) struct TableKind<'a> {
    pub rules: &'a Ruleset,
    pub class_cache: &'a ClassCache,
    pub sector: Sector,
    pub metric: Metric,
    pub stored: StoredValues,
    /// The zstd compression level.
    pub level: i32,
}

/// Writes the table of a sector. `code` returns the value code of a slot. The output does not
/// depend on the number of threads.
///
/// # Errors
/// Fails if the table cannot be written.
pub(crate) fn write_table(
    kind: TableKind<'_>,
    code: &(dyn Fn(usize) -> u16 + Sync),
    to: &mut (impl Write + Seek),
) -> io::Result<()> {
    let TableKind { rules, class_cache, sector, metric, stored, level } = kind;
    let code = |slot: usize| match stored {
        StoredValues::Distances => code(slot),
        StoredValues::Results => PositionValue::from_code(code(slot)).result_only().code(),
    };
    let (values, counts) = count(class_cache, sector, &code);
    let mut header = TableHeader {
        game: rules.name.to_owned(),
        fingerprint: rules.fingerprint(sector),
        sector,
        metric,
        stored,
        values: values.len(),
        slots: sector.slots(class_cache),
        len: 0,
        counts,
    };
    let mut number_of = vec![0u16; 1 << 16];
    for (number, value) in (0..).zip(&values) {
        number_of[usize::from(value.code())] = number;
    }
    let (bits, slots) = (header.slot_bits(), header.slots as usize);
    let blocks = header.blocks() as usize;
    let mut index = TableIndex { values, blocks: Vec::with_capacity(blocks) };
    header.len = header.head_bytes();
    to.seek(SeekFrom::Start(header.len))?;
    let create = || zstd::bulk::Compressor::new(level);
    let compressors = Spares::new(&create);
    for batch in (0..blocks).step_by(BATCH) {
        let compressed = parallel::map(BATCH.min(blocks - batch), &|number| {
            let start = (batch + number) * bits.slots_per_block();
            let numbers = start..(start + bits.slots_per_block()).min(slots);
            let block = bits.pack(numbers.map(|slot| number_of[usize::from(code(slot))]));
            compressors.with(|compressor| match compressor {
                Ok(compressor) => compressor.compress(&block),
                Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
            })
        });
        for block in compressed {
            let block = block?;
            index.blocks.push((block.len() as u32, crc32fast::hash(&block)));
            header.len += block.len() as u64;
            to.write_all(&block)?;
        }
    }
    to.rewind()?;
    to.write_all(&header.write())?;
    to.write_all(&index.write())?;
    to.flush()
}

/// Returns the values that occur in a sector, sorted by code, and their counts. `code` returns the
/// value code of a slot.
pub(crate) fn count(
    class_cache: &ClassCache,
    sector: Sector,
    code: &(dyn Fn(usize) -> u16 + Sync),
) -> (Vec<PositionValue>, OutcomeCounts) {
    let (classes, row_len) = (class_cache.classes(sector.own), sector.row_len(class_cache));
    let others = subsets(class_cache.board().len() - u32::from(sector.own), sector.other.into());
    let none = || (vec![false; 1 << 16], OutcomeCounts::default());
    let parts = Spares::new(&none);
    parallel::for_each(classes.len(), &|class| {
        let codes: Vec<_> = (class * row_len..(class + 1) * row_len).map(code).collect();
        parts.with(|(occurs, counts)| {
            codes.iter().for_each(|&code| occurs[usize::from(code)] = true);
            *counts = counts.merge(count_row(class_cache, sector, class, &others, &codes));
        });
    });
    let (mut occurs, mut counts) = none();
    for (other_occurs, other_counts) in parts.into_values() {
        occurs.iter_mut().zip(other_occurs).for_each(|(occurs, other)| *occurs |= other);
        counts = counts.merge(other_counts);
    }
    let codes = (0..=u16::MAX).filter(|&code| occurs[usize::from(code)]);
    (codes.map(PositionValue::from_code).collect(), counts)
}

/// Counts the positions of a row.
fn count_row(class_cache: &ClassCache, sector: Sector, class: usize, others: &[u32], codes: &[u16]) -> OutcomeCounts {
    let is_counted = counted_slots(class_cache, sector, class, others);
    let mut counts = OutcomeCounts::default();
    for (slot, &code) in codes.iter().enumerate() {
        if is_counted(slot) {
            counts.add(PositionValue::from_code(code));
        }
    }
    counts
}

/// Returns whether each slot of a row is counted. If a symmetry maps the set of the side to move to
/// itself, several slots are the same position; only the first of them is counted. `others` are the
/// sets of the opponent.
pub(crate) fn counted_slots<'a>(
    class_cache: &'a ClassCache,
    sector: Sector,
    class: usize,
    others: &'a [u32],
) -> impl Fn(usize) -> bool + 'a {
    let classes = class_cache.classes(sector.own);
    let (stabilizer, own) = (classes.stabilizer(class), classes.set(class));
    let symmetries = class_cache.board().symmetries();
    let rest = class_cache.board().points() & !own;
    let ranks = Ranks::get();
    move |slot| {
        let is_first = || {
            let other = deposit(others[slot], rest);
            (1..symmetries.len()).filter(|k| stabilizer >> k & 1 == 1).all(|k| {
                let image = extract(symmetries.set(k, other), rest);
                ranks.rank(image) >= slot
            })
        };
        stabilizer == 1 || is_first()
    }
}
