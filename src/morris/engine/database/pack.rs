//! [`pack`]: packs the values of a sector into a [table](super::table), and counts them.

use std::io::{self, Seek, SeekFrom, Write};

use rayon::prelude::*;

use super::bits::{deposit, extract};
use super::classes::ClassCache;
use super::subsets::{Ranks, subsets};
use super::table::{HEADER_BYTES, INDEX_ENTRY_BYTES, OutcomeCounts, PADDING, TableHeader};
use super::value::{Metric, PositionValue};
use super::{Ruleset, Sector};

/// The number of slots packed at a time: some megabytes.
const BATCH: usize = 1 << 22;

/// Packs the values of a sector into a table and returns their counts. `code` gives the code of the value of a slot.
///
/// # Errors
/// Fails if the table cannot be written.
pub(super) fn pack(
    rules: &Ruleset,
    class_cache: &ClassCache,
    sector: Sector,
    metric: Metric,
    code: &(dyn Fn(usize) -> u16 + Sync),
    to: &mut (impl Write + Seek),
) -> io::Result<OutcomeCounts> {
    let (classes, block_len) = (class_cache.classes(sector.own), sector.block_len(class_cache));
    let rest = class_cache.board().len() - u32::from(sector.own);
    let others = subsets(rest, sector.other.into());
    let mut index = Vec::with_capacity(classes.len() * INDEX_ENTRY_BYTES);
    let mut at = HEADER_BYTES + classes.len() * INDEX_ENTRY_BYTES;
    to.seek(SeekFrom::Start(at as u64))?;
    let mut counts = OutcomeCounts::default();
    let blocks_at_a_time = BATCH.div_ceil(block_len);
    for batch in (0..classes.len()).step_by(blocks_at_a_time) {
        let blocks = batch..(batch + blocks_at_a_time).min(classes.len());
        let packed: Vec<_> = blocks
            .into_par_iter()
            .map(|class| {
                let codes: Vec<_> = (class * block_len..(class + 1) * block_len).map(code).collect();
                let counts = count(class_cache, sector, class, &others, &codes);
                let (width, bytes) = pack_block(&codes, metric);
                (width, crc32fast::hash(&bytes), bytes, counts)
            })
            .collect();
        for (width, checksum, bytes, block_counts) in packed {
            index.extend((at as u64 | u64::from(width) << 56).to_le_bytes());
            index.extend(checksum.to_le_bytes());
            to.write_all(&bytes)?;
            at += bytes.len();
            counts = counts.merge(block_counts);
        }
    }
    to.write_all(&[0; PADDING])?;
    let header = TableHeader {
        fingerprint: rules.fingerprint(),
        sector,
        metric,
        blocks: classes.len() as u64,
        len: (at + PADDING) as u64,
        counts,
        index_checksum: crc32fast::hash(&index),
    };
    to.rewind()?;
    to.write_all(&header.write())?;
    to.write_all(&index)?;
    to.flush()?;
    Ok(counts)
}

/// Counts the positions of a block. If symmetries fix the set of the side to move, several slots are the same position; only the first
/// counts.
fn count(class_cache: &ClassCache, sector: Sector, class: usize, others: &[u32], codes: &[u16]) -> OutcomeCounts {
    let classes = class_cache.classes(sector.own);
    let (stabilizer, own) = (classes.stabilizer(class), classes.set(class));
    let symmetries = class_cache.board().symmetries();
    let rest = class_cache.board().points() & !own;
    let ranks = Ranks::get();
    let mut counts = OutcomeCounts::default();
    for (slot, &code) in codes.iter().enumerate() {
        let is_first = || {
            let other = deposit(others[slot], rest);
            (1..symmetries.len()).filter(|k| stabilizer >> k & 1 == 1).all(|k| {
                let image = extract(symmetries.set(k, other), rest);
                ranks.rank(image) >= slot
            })
        };
        if stabilizer == 1 || is_first() {
            counts.add(PositionValue::from_code(code));
        }
    }
    counts
}

/// Packs the values of a block. Returns the number of bits of a distance, and the bytes.
fn pack_block(codes: &[u16], metric: Metric) -> (u32, Vec<u8>) {
    let mut bytes = vec![0; codes.len().div_ceil(4)];
    let distance = |code: u16| {
        let plies = PositionValue::from_code(code).plies().unwrap_or(0);
        if metric == Metric::End { plies / 2 } else { plies }
    };
    let mut max_distance = 0;
    for (slot, &code) in codes.iter().enumerate() {
        let result = match code {
            0 => 0,
            code if code == PositionValue::win(0).code() => 3,
            code if code & 1 == 1 => 1,
            _ => 2,
        };
        bytes[slot / 4] |= result << (slot % 4 * 2);
        max_distance = max_distance.max(distance(code));
    }
    let width = u32::BITS - max_distance.leading_zeros();
    if width > 0 {
        let (mut buffer, mut bits) = (0u64, 0);
        for &code in codes {
            buffer |= u64::from(distance(code)) << bits;
            bits += width;
            while bits >= 8 {
                bytes.push(buffer as u8);
                buffer >>= 8;
                bits -= 8;
            }
        }
        if bits > 0 {
            bytes.push(buffer as u8);
        }
    }
    (width, bytes)
}
