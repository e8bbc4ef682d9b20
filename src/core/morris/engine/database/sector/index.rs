//! The index of a position in the table of its sector: a row and a slot in it.
//!
//! A symmetry maps the men of the side to move to the representative of their class, which gives
//! the row. The slot is the rank of the opponent's men, mapped by the same symmetry, among the
//! remaining points. If the representative is itself symmetric, a position has several slots, and
//! all of them contain its value.

use super::bits::{deposit, extract};
use super::classes::ClassCache;
use super::subsets::Ranks;

/// Returns the row and the slot of a position with these men.
#[inline]
pub(crate) fn place(class_cache: &ClassCache, own: u32, other: u32) -> (usize, usize) {
    let (classes, ranks) = (class_cache.classes(own.count_ones() as u8), Ranks::get());
    let (class, symmetry) = classes.of(ranks.rank(own));
    let board = class_cache.board();
    let rest = board.points() & !classes.set(class);
    (class, ranks.rank(extract(board.symmetries().set(symmetry, other), rest)))
}

/// Returns the men of a position, given its row and the opponent's men as a set of the remaining
/// points. The inverse of [`place`].
pub(crate) fn men(class_cache: &ClassCache, own_men: u8, row: usize, other_set: u32) -> (u32, u32) {
    let own = class_cache.classes(own_men).set(row);
    (own, deposit(other_set, class_cache.board().points() & !own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, GameRules as _};

    use super::super::subsets::subsets;
    use crate::morris::{NINE, NineMensMorris, Position, point};

    #[test]
    fn symmetric_positions_map_to_slots_of_the_same_position() {
        let class_cache = ClassCache::new(NINE);
        let sets = subsets(NINE.len() - 3, 3);
        for row in 0..class_cache.classes(3).len() {
            for (slot, &set) in sets.iter().enumerate().step_by(7) {
                let (own, other) = men(&class_cache, 3, row, set);
                let unique = class_cache.classes(3).stabilizer(row) == 1;
                let found = place(&class_cache, own, other);
                assert!(found.0 == row && (found.1 == slot || !unique));
                let position =
                    Position::<NineMensMorris>::new([0; 2], [other, own].map(point::points), Color::White).unwrap();
                for k in 0..16 {
                    let image = position.transform(k);
                    let (row, slot) = place(&class_cache, image.own(), image.other());
                    let (own, other) = men(&class_cache, 3, row, sets[slot]);
                    let placed = Position::<NineMensMorris>::new([0; 2], [other, own].map(point::points), Color::White);
                    assert_eq!(placed.unwrap().canonical(), position.canonical());
                }
            }
        }
    }
}
