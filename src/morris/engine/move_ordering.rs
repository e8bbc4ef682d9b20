//! [`Order`]: which moves of a position look promising, told without making them.

use crate::game::TACTICAL_THRESHOLD;
use crate::morris::{Move, Position, Variant};

/// What the moves of a position are judged by.
pub struct MoveScorer<V: Variant> {
    own: u32,
    other: u32,
    empty: u32,
    /// The empty points where the other side threatens to close a mill.
    threats: u32,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> MoveScorer<V> {
    /// Looks at a position.
    #[inline(always)]
    #[must_use]
    pub fn new(position: &Position<V>) -> Self {
        let (own, other, empty) = (position.own(), position.other(), position.empty());
        let threats = Self::reachable(other, position.other_hand(), V::BOARD.closing_points(other) & empty);
        Self { own, other, empty, threats, variant: std::marker::PhantomData }
    }

    /// Returns whether the side to move can neither close a mill nor take the point that the other side needs to.
    #[inline]
    #[must_use]
    pub fn is_quiet(position: &Position<V>) -> bool {
        let (own, other, empty) = (position.own(), position.other(), position.empty());
        let closers = V::BOARD.closing_points(own) & empty;
        let threats = V::BOARD.closing_points(other) & empty;
        closers | threats == 0
            || Self::reachable(own, position.own_hand(), closers) == 0
                && Self::reachable(other, position.other_hand(), threats) == 0
    }

    /// Returns at which of the points that close a mill of a side it can do so on its next turn.
    #[inline(always)]
    fn reachable(men: u32, hand: u8, closers: u32) -> u32 {
        let mut reachable = closers;
        if hand == 0 && !Position::<V>::flies(men, 0) {
            let mut points = closers;
            while points != 0 {
                let to = points.trailing_zeros();
                points &= points - 1;
                if men & V::BOARD.neighbours(to) & !V::BOARD.required_men(men, to) == 0 {
                    reachable &= !(1 << to);
                }
            }
        }
        reachable
    }

    /// Returns how promising a move looks: higher values should be tried first.
    #[inline(always)]
    #[must_use]
    pub fn score(&self, m: Move<V>) -> i32 {
        let board = V::BOARD;
        let to = 1u32 << m.to();
        let from = m.from().map_or(0, |from| 1 << from);
        let own = self.own & !from;
        let count = |points: u32| points.count_ones() as i32;
        let mut value = 0;
        if let Some(captured) = m.captured() {
            // Of the men to capture, first those that could close a mill: their pairs are the threats.
            value += TACTICAL_THRESHOLD
                + 10_000
                + 100 * self.lines_of(captured, self.other, self.empty)
                + count(board.neighbours(captured));
        } else if board.is_mill(own, m.to()) {
            value += TACTICAL_THRESHOLD;
        }
        if self.threats & to != 0 {
            value += if value >= TACTICAL_THRESHOLD { 3_000 } else { TACTICAL_THRESHOLD };
        }
        // Pairs that could become mills, made and spoilt.
        value +=
            200 * self.lines_of(m.to(), own, self.empty | from) + 60 * self.lines_of(m.to(), self.other, self.empty);
        if let Some(from) = m.from() {
            value -= 200 * self.lines_of(from, own, self.empty);
            // The other side may close a mill where the man stood.
            value -= 600 * i32::from(board.is_mill(self.other, from));
            value -= 8 * count(board.neighbours(from) & self.empty);
        }
        value + 8 * count(board.neighbours(m.to()) & (self.empty | from)) + 4 * count(board.neighbours(m.to()))
    }

    /// Returns how many lines through a point have one more of these men and one of these other points.
    #[inline(always)]
    fn lines_of(&self, point: u32, men: u32, others: u32) -> i32 {
        let has_both = |pair: &u32| pair & men != 0 && pair & others != 0;
        V::BOARD.pairs(point).iter().filter(|pair| has_both(pair)).count() as i32
    }
}
