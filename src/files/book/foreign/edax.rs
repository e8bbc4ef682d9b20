//! Edax books, version 4 (`book.dat`).
//!
//! ```text
//! header: "XADE", "KOOB" (the words EDAX and BOOK, u32), version 4, release (u8), date (u16 year, 5 bytes, 1 unused),
//!         level, fewest empties, two errors, verbosity (i32), number of positions (u32)
//! position: player, opponent (u64, a1 is bit 0), wins, draws, losses, lines (u32),
//!           value, lower, upper (i16), number of links, level (u8),
//!           the links and the leaf: score (i8), square (u8)
//! ```
//!
//! A link is a move to another position in the book. The leaf is the best other move.

use std::collections::BTreeMap;
use std::io::{self, Write};

use morello_core::game::{AnyPosition, Position as _};
use morello_core::othello::formats::wthor::Date;
use morello_core::othello::{Board, Position};

use super::{
    ByteReader, ForeignBookError, ForeignCounts, MAX, NO_MOVE, PASS, add_move, leaf, level, points, position, scored,
    sorted, square, with_sides,
};
use crate::book::{BookEntry, BookGraph, BookScore, Source, Successor, move_images, successor};

const PROGRAM: &str = "Edax";
const MAGIC: &[u8; 8] = b"XADEKOOB";
const VERSION: u8 = 4;
/// The Edax release that writes this format, 4.5.
const RELEASE: u8 = 5;
/// The score of a missing leaf.
const NO_SCORE: i8 = -127;
/// The maximum differences from the best value that Edax tolerates when it builds books.
const ERRORS: [i32; 2] = [2, 1];

/// Reads a book and adds its positions to a book in memory. The depth of a score is the level of
/// its position.
///
/// ```
/// use morello::book::BookGraph;
/// use morello::book::foreign::read_edax;
///
/// let error = read_edax(b"not a book", &mut BookGraph::default()).unwrap_err();
/// assert!(error.to_string().starts_with("not a book of Edax"));
/// ```
///
/// # Errors
/// [`ForeignBookError`] if the file has another format or is damaged. Nothing is added then.
pub fn read(file: &[u8], graph: &mut BookGraph) -> Result<ForeignCounts, ForeignBookError> {
    let mut bytes = ByteReader::after_head(file, MAGIC, VERSION, PROGRAM)?;
    let truncated = |read, expected| ForeignBookError::Truncated { read, expected };
    let header = bytes.take::<29>().and_then(|_| bytes.u32());
    let expected = u64::from(header.ok_or(truncated(0, 0))?);
    let mut counts = ForeignCounts::default();
    let mut entries = Vec::new();
    while bytes.at < file.len() {
        let offset = bytes.at;
        let read = counts.positions + counts.skipped;
        let found = read_position(&mut bytes).ok_or(truncated(read, expected))?;
        match found.map_err(|problem| ForeignBookError::Invalid { number: read + 1, offset, problem })? {
            Some(entry) => {
                entries.push(entry);
                counts.positions += 1;
            }
            None => counts.skipped += 1,
        }
    }
    let read = counts.positions + counts.skipped;
    if read < expected {
        return Err(truncated(read, expected));
    }
    with_sides(&entries).into_iter().for_each(|(position, entry)| graph.merge(position, entry));
    Ok(counts)
}

type EdaxPosition = Option<(AnyPosition, BookEntry)>;

/// Reads a position. Returns `Some(Ok(None))` if a side must pass in it, and `None` at the end of
/// the file.
fn read_position(bytes: &mut ByteReader<'_>) -> Option<Result<EdaxPosition, &'static str>> {
    let (player, opponent) = (bytes.u64()?, bytes.u64()?);
    let [wins, draws, losses, lines] = [bytes.u32()?, bytes.u32()?, bytes.u32()?, bytes.u32()?];
    bytes.take::<6>()?;
    let (links, level) = (bytes.byte()?, bytes.byte()?);
    let mut moves = Vec::new();
    for _ in 0..links {
        moves.push((bytes.byte()? as i8, bytes.byte()?));
    }
    let (leaf_points, leaf) = (bytes.byte()? as i8, bytes.byte()?);
    let read = || {
        let position = position(player, opponent)?;
        if position.forced_pass().is_some() || position.is_over() {
            return Ok(None);
        }
        let mut entry = BookEntry::default();
        entry.games.wins = wins;
        entry.games.draws = draws;
        entry.games.losses = losses;
        entry.games.unknown = lines;
        for &(points, square) in &moves {
            add_move(&mut entry, &position, square, points, Source::Edax, level)?;
        }
        if leaf != NO_MOVE && leaf != PASS && i32::from(leaf_points).abs() <= MAX {
            add_move(&mut entry, &position, leaf, leaf_points, Source::Edax, level)?;
            // The leaf is the best of all moves that are not links.
            entry.rest = Some(scored(leaf_points.into(), Source::Edax, level));
        }
        let canonical = position.canonical();
        if entry.is_complete(&canonical) {
            entry.rest = None;
        }
        entry.sort();
        Ok(Some((canonical, entry)))
    };
    Some(read())
}

/// A position to write.
struct Written {
    /// Wins, draws, losses and lines.
    games: [u32; 4],
    /// The value and its bounds.
    value: [i16; 3],
    level: u8,
    links: Vec<(i8, u8)>,
    leaf: (i8, u8),
}

impl Written {
    /// Describes a position with an entry that has a score.
    fn of(position: &AnyPosition, entry: &BookEntry, score: &BookScore) -> Self {
        let linked = entry.moves.iter().filter(|known| known.is_linked);
        let links = linked
            .flat_map(|known| move_images(position, known.m).into_iter().map(|m| (points(&known.score), square(m))));
        let (lower, upper) = score.bounds(position);
        let bound =
            |bound: Option<f64>, none: i32| bound.map_or(none, |bound| bound.round() as i32).clamp(-MAX, MAX) as i16;
        let games = &entry.games;
        Self {
            games: [games.wins, games.draws, games.losses, games.unknown],
            value: [points(score).into(), bound(lower, -MAX), bound(upper, MAX)],
            level: entry.search_depth().map_or(1, |(depth, _)| depth.clamp(1, 60)),
            links: links.collect(),
            leaf: leaf(position, entry).map_or((NO_SCORE, NO_MOVE), |(square, score)| (points(&score), square)),
        }
    }

    /// Describes the position after a move with this score, in which a side must pass.
    fn before_pass(score: &BookScore) -> Self {
        let value = -points(score);
        let (games, leaf) = ([0; 4], (NO_SCORE, NO_MOVE));
        Self { games, value: [value.into(); 3], level: level(score), links: vec![(value, PASS)], leaf }
    }

    fn write(&self, board: &Board, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(board.bits().map(u64::to_le_bytes).as_flattened())?;
        to.write_all(self.games.map(u32::to_le_bytes).as_flattened())?;
        to.write_all(self.value.map(i16::to_le_bytes).as_flattened())?;
        to.write_all(&[self.links.len() as u8, self.level])?;
        self.links.iter().chain([&self.leaf]).try_for_each(|&(points, square)| to.write_all(&[points as u8, square]))
    }
}

/// Writes a book. Scores are rounded to whole discs, and the provenance is reduced to a level.
/// Positions without a score are skipped. `date` is the year, the month and the day. Returns the
/// number of positions.
///
/// # Errors
/// If writing fails.
pub fn write(graph: &BookGraph, date: Date, to: &mut dyn Write) -> io::Result<u64> {
    // Sorted by the player's and the opponent's discs, so that files are reproducible.
    let mut all: BTreeMap<[u64; 2], Written> = BTreeMap::new();
    let mut order = Vec::new();
    for (board, position, entry) in &sorted(graph) {
        let Some(score) = entry.score(position) else { continue };
        for known in entry.moves.iter().filter(|known| known.is_linked) {
            // In this format, a side that must pass has a separate position.
            if let Successor::Position(_, true) = successor(position, known.m) {
                let next = position.after(known.m).canonical();
                let next = next.typed::<Position>().expect("the book is one of Othello").board();
                all.entry(next.bits()).or_insert_with(|| {
                    order.push(next);
                    Written::before_pass(&known.score)
                });
            }
        }
        order.push(*board);
        all.insert(board.bits(), Written::of(position, entry, &score));
    }
    let deepest = order.iter().map(|board: &Board| board.empty_count()).min().unwrap_or(60);
    let highest = all.values().map(|written| written.level).max().unwrap_or(1);
    to.write_all(MAGIC)?;
    to.write_all(&[VERSION, RELEASE])?;
    to.write_all(&date.year().to_le_bytes())?;
    to.write_all(&[date.month(), date.day(), 0, 0, 0, 0])?;
    let numbers = [i32::from(highest), deepest as i32, ERRORS[0], ERRORS[1], 1];
    to.write_all(numbers.map(i32::to_le_bytes).as_flattened())?;
    to.write_all(&(order.len() as u32).to_le_bytes())?;
    order.iter().try_for_each(|board| all[&board.bits()].write(board, to))?;
    Ok(order.len() as u64)
}
