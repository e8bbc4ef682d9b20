//! Egaroucid books, version 3 (`.egbk3`).
//!
//! ```text
//! header: "DICUORAGE", version 3 (u8), number of positions (u32)
//! position: player, opponent (u64), value, level (i8), lines (u32), leaf: value, square, level (i8)
//! ```
//!
//! Boards are the smallest of their symmetric images, as in morello, so it does not matter which
//! corner is square 0. Values are from the point of view of the side to move. The leaf is the best
//! move that does not lead to another position in the book.

use std::collections::HashSet;
use std::io::{self, Write};

use morello_core::game::Position as _;

use super::{
    ByteReader, ForeignBookError, ForeignCounts, MAX, PASS, add_move, leaf, level, points, position, scored, sorted,
    with_sides, without_side,
};
use crate::book::{BookEntry, BookGraph, BookScore, Source, Successor, successor};

const PROGRAM: &str = "Egaroucid";
const MAGIC: &[u8; 9] = b"DICUORAGE";
const VERSION: u8 = 3;
/// The value, square and level of a missing leaf.
const NO_LEAF: [i8; 3] = [-126, 125, -1];
/// The level of values that people entered.
const HUMAN_LEVEL: i8 = 70;

/// Reads a book and adds its positions to a book in memory. The depth of a score is the level of
/// its position or leaf.
///
/// # Errors
/// [`ForeignBookError`] if the file has another format or is damaged. Nothing is added then.
pub fn read(file: &[u8], graph: &mut BookGraph) -> Result<ForeignCounts, ForeignBookError> {
    let mut bytes = ByteReader::after_head(file, MAGIC, VERSION, PROGRAM)?;
    let truncated = |read, expected| ForeignBookError::Truncated { read, expected };
    let expected = u64::from(bytes.u32().ok_or(truncated(0, 0))?);
    let (mut counts, mut entries) = (ForeignCounts::default(), Vec::new());
    for number in 1..=expected {
        let offset = bytes.at;
        let found = read_position(&mut bytes).ok_or(truncated(number - 1, expected))?;
        match found.map_err(|problem| ForeignBookError::Invalid { number, offset, problem })? {
            Some(entry) => {
                let (position, entry, value) = entry;
                entries.push((position, (entry, value)));
                counts.positions += 1;
            }
            None => counts.skipped += 1,
        }
    }
    let positions: HashSet<_> = entries.iter().map(|(position, _)| *position).collect();
    for (position, &(ref entry, value)) in with_sides(&entries) {
        let mut entry = entry.clone();
        let has_links = position.legal_moves().any(|m| match successor(&position, m) {
            Successor::Position(next, _) => positions.contains(&without_side(&next)),
            Successor::End(_) => false,
        });
        // Without links, the value is the value of the best move, from a better search than the
        // value of the leaf.
        match entry.moves.first_mut().filter(|_| !has_links) {
            Some(best) => best.score = value,
            // Without a leaf, no move is better than the value.
            None => entry.rest = entry.rest.or(Some(value)),
        }
        graph.merge(position, &entry);
    }
    Ok(counts)
}

type EgaroucidPosition = Option<(morello_core::game::AnyPosition, BookEntry, BookScore)>;

/// Reads a position with its value. Returns `Some(Ok(None))` if a side must pass in it, and `None`
/// at the end of the file.
fn read_position(bytes: &mut ByteReader<'_>) -> Option<Result<EgaroucidPosition, &'static str>> {
    let (player, opponent) = (bytes.u64()?, bytes.u64()?);
    let [value, level] = bytes.take::<2>()?.map(|byte| byte as i8);
    bytes.u32()?;
    let [leaf_value, leaf, leaf_level] = bytes.take::<3>()?.map(|byte| byte as i8);
    let depth = |level: i8| if level == HUMAN_LEVEL { 0 } else { level.clamp(0, 60) as u8 };
    let read = || {
        let position = position(player, opponent)?;
        if position.forced_pass().is_some() || position.is_over() {
            return Ok(None);
        }
        if i32::from(value).abs() > MAX {
            return Err("a value is not between -64 and 64");
        }
        let mut entry = BookEntry::default();
        let has_leaf = (0..PASS as i8).contains(&leaf) && i32::from(leaf_value).abs() <= MAX;
        if has_leaf {
            // Egaroucid keeps illegal leaves from older versions, and ignores them.
            let added = add_move(&mut entry, &position, leaf as u8, leaf_value, Source::Egaroucid, depth(leaf_level));
            if added.is_ok() {
                entry.rest = Some(scored(leaf_value.into(), Source::Egaroucid, depth(leaf_level)));
            }
        }
        Ok(Some((position.canonical(), entry, scored(value.into(), Source::Egaroucid, depth(level)))))
    };
    Some(read())
}

/// Writes a book. Scores are rounded to whole discs, and the provenance is reduced to a level.
/// Games and positions without a score are skipped. Returns the number of positions.
///
/// ```
/// use morello::book::foreign::{read_egaroucid, write_egaroucid};
/// use morello::book::{Book, BookGraph};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let start = othello.start().canonical();
/// let entry = Book::built_in(othello).expect("Othello has a book")?.get(&start)?.expect("it has the start");
/// let mut graph = BookGraph::default();
/// graph.set(start, entry);
/// let mut file = Vec::new();
/// assert_eq!(write_egaroucid(&graph, &mut file)?, 1);
/// assert_eq!(read_egaroucid(&file, &mut BookGraph::default())?.positions, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If writing fails.
pub fn write(graph: &BookGraph, to: &mut dyn Write) -> io::Result<u64> {
    let all = sorted(graph);
    to.write_all(MAGIC)?;
    to.write_all(&[VERSION])?;
    to.write_all(&(all.len() as u32).to_le_bytes())?;
    for (board, position, entry) in &all {
        let Some(score) = entry.score(position) else { continue };
        let leaf = leaf(position, entry)
            .map_or(NO_LEAF, |(square, score)| [points(&score), square as i8, level(&score) as i8]);
        to.write_all(board.bits().map(u64::to_le_bytes).as_flattened())?;
        to.write_all(&[points(&score) as u8, level(&score)])?;
        to.write_all(&0u32.to_le_bytes())?;
        to.write_all(&leaf.map(|byte| byte as u8))?;
    }
    Ok(all.len() as u64)
}
