//! [`Forward`]: derives all values of a sector from the values after each move, with all tables in
//! memory.
//!
//! For each set B of the side not to move, it derives the values of the positions (A, B) with all
//! sets A of the side to move. The positions after a quiet move of A are one row of one table. The
//! positions after the capture of a man of B are one row per man. Therefore nearly all reads hit
//! the processor's cache. For each set after a move, one entry contains the rank of the quiet move
//! and of the best capture that lead there.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::file::expanded::ExpandedTable;
use super::super::sector::bits::{deposit, extract};
use super::super::sector::classes::{ClassCache, SymmetryClasses};
use super::super::sector::subsets::{Ranks, subsets};
use super::super::value::{Metric, PositionValue};
use super::super::{OutcomeCounts, Ruleset, Sector, StoredValues};
use crate::game::Cancel;
use crate::instructions::{InstructionSet, at_level, compiled};
use crate::morris::MillRule;
use crate::parallel::{self, Spares};

/// One position in this many is also derived with the game's move generator.
const SAMPLE: usize = 256;

/// The rank of a position without a move.
const NO_MOVE: i16 = i16::MIN;

/// A position whose stored value is wrong.
pub(super) struct WrongValue {
    pub own: u32,
    pub other: u32,
    pub found: PositionValue,
    pub expected: PositionValue,
}

/// Why verification stopped.
pub(super) enum Stop {
    Wrong(WrongValue),
    Cancelled,
}

/// Derives the value of the position with these men of the side to move and of the opponent, with
/// the game's move generator.
pub(super) type ByTheGame<'a> = dyn Fn(u32, u32) -> PositionValue + Sync + 'a;

/// A table to which moves lead, and for each of its values the rank of a move to it, from the point
/// of view of the side to move.
struct SectorSuccessor<'a> {
    table: &'a ExpandedTable,
    ranks: Vec<i16>,
}

/// The moves that lead to one set of men of the side to move.
#[derive(Clone, Copy, Default)]
struct MovesTo {
    /// The men in mills. If the man that moved is one of them, the move captures.
    closed: u32,
    /// The rank of a quiet move.
    quiet: i16,
    /// The rank of the best capture.
    capture: i16,
}

/// A sector to verify.
pub(super) struct Forward<'a> {
    rules: &'a Ruleset,
    class_cache: &'a ClassCache,
    ranks: &'static Ranks,
    sector: Sector,
    own: &'a SymmetryClasses,
    others: &'a SymmetryClasses,
    stored: &'a ExpandedTable,
    stored_ranks: Vec<i16>,
    /// Whether only the results are compared.
    results: bool,
    placed: Option<SectorSuccessor<'a>>,
    placed_capture: Option<SectorSuccessor<'a>>,
    moved: Option<SectorSuccessor<'a>>,
    moved_capture: Option<SectorSuccessor<'a>>,
    /// The sets of the side to move before and after a step, as sets of the points that the
    /// opponent's men leave free.
    sets: Vec<u32>,
    /// The sets of the side to move after a man is placed.
    placed_sets: Vec<u32>,
    flies: bool,
}

impl<'a> Forward<'a> {
    /// Prepares the verification of a sector. `table` returns the table of the sector, and of each
    /// sector to which moves lead.
    ///
    /// # Panics
    /// If one of these tables is missing.
    pub fn new(
        rules: &'a Ruleset,
        class_cache: &'a ClassCache,
        sector: Sector,
        metric: Metric,
        stored: StoredValues,
        table: &dyn Fn(Sector) -> &'a ExpandedTable,
    ) -> Self {
        let results = stored == StoredValues::Results;
        let successor = |sector: Option<Sector>, captures: bool| {
            let table = table(sector?);
            let rank = |&value: &PositionValue| {
                let value = if captures { rules.after_capture(value, metric) } else { value };
                rank(value.predecessor(), results)
            };
            Some(SectorSuccessor { table, ranks: table.values().iter().map(rank).collect() })
        };
        let (placed, moved) = (sector.after_placing(rules), sector.after_moving(rules));
        let capture = |sector: Option<Sector>| successor(sector.and_then(|sector| sector.after_capture(rules)), true);
        let rest = class_cache.board().len() - u32::from(sector.other);
        let stored = table(sector);
        Self {
            rules,
            class_cache,
            ranks: Ranks::get(),
            sector,
            own: class_cache.classes(sector.own),
            others: class_cache.classes(sector.other),
            stored,
            stored_ranks: stored.values().iter().map(|&value| rank(value, results)).collect(),
            results,
            placed: successor(placed, false),
            placed_capture: capture(placed),
            moved: successor(moved, false),
            moved_capture: capture(moved),
            sets: subsets(rest, sector.own.into()),
            placed_sets: placed.map_or_else(Vec::new, |_| subsets(rest, u32::from(sector.own) + 1)),
            flies: rules.rules.flies((1 << sector.own) - 1, sector.own_hand),
        }
    }

    /// Verifies all values and returns the numbers of positions by result. Some positions are also
    /// derived `by_the_game`. `done` counts slots.
    ///
    /// # Errors
    /// [`Stop`] at a wrong value, or if cancelled.
    pub fn run(&self, by_the_game: &ByTheGame<'_>, done: &AtomicU64, cancel: &Cancel) -> Result<OutcomeCounts, Stop> {
        let (slots, blocks) = (self.sector.slots(self.class_cache), self.others.len() as u64);
        let parts = Spares::new(&<(ForwardScratch, OutcomeCounts)>::default);
        parallel::try_for_each(self.others.len(), &|block| {
            if cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            parts.with(|(scratch, counts)| {
                let found = at_level!(InstructionSet::used(), |instructions| {
                    compiled!(instructions, { self.verify_block(block, scratch, by_the_game) })
                });
                *counts = counts.merge(found.map_err(Stop::Wrong)?);
                Ok(())
            })?;
            done.fetch_add(slots / blocks, Ordering::Relaxed);
            Ok(())
        })?;
        done.fetch_add(slots % blocks, Ordering::Relaxed);
        let counts = parts.into_values().into_iter().map(|(_, counts)| counts);
        Ok(counts.fold(OutcomeCounts::default(), OutcomeCounts::merge))
    }

    /// Verifies the positions with one set of the opponent.
    #[inline(always)]
    fn verify_block(
        &self,
        block: usize,
        scratch: &mut ForwardScratch,
        by_the_game: &ByTheGame<'_>,
    ) -> Result<OutcomeCounts, WrongValue> {
        let rest = RestOfBoard::new(self.rules, self.others.set(block));
        if let Some(table) = &self.moved {
            let captures = self.moved_capture.as_ref();
            self.moves_to(&rest, block, &self.sets, table, captures, &mut scratch.moved);
        }
        if let Some(table) = &self.placed {
            let captures = self.placed_capture.as_ref();
            self.moves_to(&rest, block, &self.placed_sets, table, captures, &mut scratch.placed);
        }
        scratch.expected.clear();
        scratch.expected.extend(self.sets.iter().map(
            #[inline(always)]
            |&set| self.derive(&rest, set, &scratch.moved, &scratch.placed),
        ));
        let mut counts = OutcomeCounts::default();
        let (symmetries, stabilizer) = (self.rules.board.symmetries(), self.others.stabilizer(block));
        for (number, (&set, &expected)) in self.sets.iter().zip(&scratch.expected).enumerate() {
            let men = deposit(set, rest.points);
            let wrong = |found| WrongValue {
                own: men,
                other: rest.other,
                found,
                expected: PositionValue::from_rank(expected.into()),
            };
            if let Some(slot) = self.wrong_slot(&rest, men, expected) {
                return Err(wrong(self.stored.value(slot)));
            }
            if (number + 31 * block).is_multiple_of(SAMPLE) {
                let by_the_game = by_the_game(men, rest.other);
                if rank(by_the_game, self.results) != expected {
                    return Err(WrongValue {
                        expected: by_the_game,
                        ..wrong(PositionValue::from_rank(expected.into()))
                    });
                }
            }
            // The positions of a block that are mapped to each other by a symmetry of the
            // opponent's set are counted once.
            let is_first = || (1..symmetries.len()).all(|k| stabilizer >> k & 1 == 0 || symmetries.set(k, men) >= men);
            if stabilizer == 1 || is_first() {
                counts.add(PositionValue::from_rank(expected.into()));
            }
        }
        Ok(counts)
    }

    /// Computes the ranks of the moves to each of `sets`. Quiet moves lead to a row of `table`, and
    /// captures lead to rows of `captures`; without `captures` tables, captures win.
    #[inline(always)]
    fn moves_to(
        &self,
        rest: &RestOfBoard,
        block: usize,
        sets: &[u32],
        table: &SectorSuccessor<'_>,
        captures: Option<&SectorSuccessor<'_>>,
        moves: &mut Vec<MovesTo>,
    ) {
        let classes = self.class_cache.classes(self.sector.other.saturating_sub(1));
        let symmetries = self.rules.board.symmetries();
        let mut victims = [(0, 0, 0); 16];
        let (mut men, mut count) = (rest.victims, 0);
        while men != 0 {
            let left = rest.other & !(men & men.wrapping_neg());
            men &= men - 1;
            let (class, symmetry) = classes.of(self.ranks.rank(left));
            victims[count] = (class, symmetry, self.rules.board.points() & !classes.set(class));
            count += 1;
        }
        let row = table.table.row(block);
        moves.clear();
        moves.extend(sets.iter().enumerate().map(
            #[inline(always)]
            |(slot, &set)| {
                let closed = if rest.victims == 0 { 0 } else { rest.in_mills(set) };
                let quiet = table.ranks[row.number(slot)];
                let capture = match captures {
                    _ if closed == 0 => NO_MOVE,
                    None => rank(PositionValue::win(1), self.results),
                    Some(captures) => {
                        let men = deposit(set, rest.points);
                        let mut best = NO_MOVE;
                        for &(class, symmetry, points) in &victims[..count] {
                            let slot = self.ranks.rank(extract(symmetries.set(symmetry, men), points));
                            best = best.max(captures.ranks[captures.table.row(class).number(slot)]);
                        }
                        best
                    }
                };
                MovesTo { closed, quiet, capture }
            },
        ));
    }

    /// Returns the rank of the value of a position: the rank of its best move, or of the end of the
    /// game.
    #[inline(always)]
    fn derive(&self, rest: &RestOfBoard, set: u32, moved: &[MovesTo], placed: &[MovesTo]) -> i16 {
        if self.rules.rules.mill == MillRule::Wins {
            let mill = |men: u32| self.rules.board.mills().iter().any(|&mill| mill & !men == 0);
            if mill(rest.other) {
                return rank(PositionValue::loss(0), self.results);
            }
            if mill(deposit(set, rest.points)) {
                return rank(PositionValue::win(0), self.results);
            }
        }
        let mut best = NO_MOVE;
        let empty = rest.all & !set;
        if self.moved.is_some() && !self.flies {
            // Edges between two men or two empty points cancel out.
            let (mut edges, mut men) = (0, set);
            while men != 0 {
                edges ^= rest.edges_at[men.trailing_zeros() as usize];
                men &= men - 1;
            }
            while edges != 0 {
                let edge = rest.edges[edges.trailing_zeros() as usize];
                edges &= edges - 1;
                best = best.max(self.rank_of_move(moved, set ^ edge, edge & empty));
            }
        } else if self.moved.is_some() {
            let mut men = set;
            while men != 0 {
                let from = men & men.wrapping_neg();
                men ^= from;
                let mut points = empty;
                while points != 0 {
                    let to = points & points.wrapping_neg();
                    points ^= to;
                    best = best.max(self.rank_of_move(moved, set ^ from ^ to, to));
                }
            }
        }
        if self.placed.is_some() {
            let mut points = empty;
            while points != 0 {
                let to = points & points.wrapping_neg();
                points ^= to;
                best = best.max(self.rank_of_move(placed, set ^ to, to));
            }
        }
        match best {
            NO_MOVE if self.rules.rules.blocked.draws(empty) => 0,
            NO_MOVE => rank(PositionValue::loss(0), self.results),
            best => best,
        }
    }

    /// Returns the rank of the move of a man to the point `to`. `after` is the set of men after it.
    #[inline(always)]
    fn rank_of_move(&self, moves: &[MovesTo], after: u32, to: u32) -> i16 {
        let moves = moves[self.ranks.rank(after)];
        if moves.closed & to == 0 { moves.quiet } else { moves.capture }
    }

    /// Returns a slot of a position that does not contain the value of this rank.
    #[inline(always)]
    fn wrong_slot(&self, rest: &RestOfBoard, men: u32, expected: i16) -> Option<usize> {
        let (class, symmetry) = self.own.of(self.ranks.rank(men));
        let points = self.rules.board.points() & !self.own.set(class);
        let (other, symmetries) = (rest.images[symmetry], self.rules.board.symmetries());
        let stabilizer = self.own.stabilizer(class);
        if stabilizer == 1 {
            return self.if_wrong(class, other, points, expected);
        }
        // The representative is symmetric, so the position has several slots.
        let mut images = (0..symmetries.len()).filter(|k| stabilizer >> k & 1 == 1).map(|k| symmetries.set(k, other));
        images.find_map(|other| self.if_wrong(class, other, points, expected))
    }

    /// Returns the slot of an opponent's set in the row of a class if it does not contain the value
    /// of this rank. `points` are the points that the class leaves free.
    #[inline(always)]
    fn if_wrong(&self, class: usize, other: u32, points: u32, expected: i16) -> Option<usize> {
        let slot = class * self.stored.row_len() + self.ranks.rank(extract(other, points));
        (self.stored_ranks[self.stored.number(slot)] != expected).then_some(slot)
    }
}

/// Returns the rank of a value, or of its result if only `results` are compared.
fn rank(value: PositionValue, results: bool) -> i16 {
    let value = if results { value.result_only() } else { value };
    i16::try_from(value.rank()).expect("ranks are between -10,000 and 10,000")
}

/// A thread's buffers for one block.
#[derive(Default)]
struct ForwardScratch {
    moved: Vec<MovesTo>,
    placed: Vec<MovesTo>,
    expected: Vec<i16>,
}

/// The points that a set of the opponent leaves free, renumbered from 0, and the lines between
/// them.
struct RestOfBoard {
    /// The men of the opponent.
    other: u32,
    /// The images of the men under the symmetries.
    images: [u32; 16],
    /// The men that a mill may capture.
    victims: u32,
    /// The remaining points, as points of the board.
    points: u32,
    /// The remaining points, renumbered.
    all: u32,
    /// The edges, and the indices of the edges at each point, as bits.
    edges: Vec<u32>,
    edges_at: [u64; 24],
    mills: Vec<u32>,
}

impl RestOfBoard {
    fn new(rules: &Ruleset, other: u32) -> Self {
        let board = rules.board;
        let points = board.points() & !other;
        let remaining = |lines: &[u32]| {
            lines.iter().filter(|&line| line & other == 0).map(|&line| extract(line, points)).collect::<Vec<_>>()
        };
        let edges = remaining(board.edges());
        let mut edges_at = [0; 24];
        for (number, edge) in edges.iter().enumerate() {
            (0..24).filter(|point| edge >> point & 1 == 1).for_each(|point| edges_at[point] |= 1 << number);
        }
        let mut images = [0; 16];
        for (k, image) in images.iter_mut().enumerate().take(board.symmetries().len()) {
            *image = board.symmetries().set(k, other);
        }
        Self {
            other,
            images,
            victims: rules.rules.victims(board, other),
            points,
            all: (1 << points.count_ones()) - 1,
            edges,
            edges_at,
            mills: remaining(board.mills()),
        }
    }

    /// Returns the men that are in mills.
    #[inline(always)]
    fn in_mills(&self, men: u32) -> u32 {
        self.mills.iter().fold(0, |points, &mill| points | if mill & !men == 0 { mill } else { 0 })
    }
}
