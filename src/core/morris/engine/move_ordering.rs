//! [`MoveScorer`]: scores moves without making them, for move ordering.

use crate::game::{CAPTURE_THRESHOLD, Element as _, TACTICAL_THRESHOLD};
use crate::morris::{Move, Point, Position, Variant};

/// Scores the moves of a position.
pub struct MoveScorer<V: Variant> {
    own: u32,
    other: u32,
    empty: u32,
    /// The empty points where the opponent threatens to close a mill.
    threats: u32,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> MoveScorer<V> {
    /// Prepares to score the moves of a position.
    #[inline(always)]
    #[must_use]
    pub fn new(position: &Position<V>) -> Self {
        let (own, other, empty) = (position.own(), position.other(), position.empty());
        let threats = Self::reachable(other, position.other_hand(), V::BOARD.closing_points(other) & empty);
        Self { own, other, empty, threats, variant: std::marker::PhantomData }
    }

    /// Returns whether neither side could close a mill with its next move.
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

    /// Returns the points of `closers` that one of the side's men can reach in one move. `closers`
    /// are the points that complete a mill of the side.
    #[inline(always)]
    fn reachable(men: u32, hand: u8, closers: u32) -> u32 {
        let mut reachable = closers;
        if hand == 0 && !Position::<V>::flies(men, 0) {
            let mut points = closers;
            while points != 0 {
                let to = points.trailing_zeros();
                points &= points - 1;
                if men & V::BOARD.neighbors(to) & !V::BOARD.required_men(men, to) == 0 {
                    reachable &= !(1 << to);
                }
            }
        }
        reachable
    }

    /// Returns the score of a move. Moves with higher scores should be tried first.
    #[inline(always)]
    #[must_use]
    pub fn score(&self, m: Move<V>) -> i32 {
        let board = V::BOARD;
        let (leaves, to) = (m.from().map(Point::bit), m.to().bit());
        let from = leaves.map_or(0, |from| 1 << from);
        let own = self.own & !from;
        let count = |points: u32| points.count_ones() as i32;
        let mut score = 0;
        if let Some(captured) = m.captured().map(Point::bit) {
            // Prefers to capture men that belong to open pairs, which threaten mills. 2,000 is more
            // than a move can lose below, so that every capture reaches the threshold, and only
            // captures do.
            score += CAPTURE_THRESHOLD
                + 2_000
                + 100 * self.lines_of(captured, self.other, self.empty)
                + count(board.neighbors(captured));
        } else if board.is_mill(own, to) {
            score += TACTICAL_THRESHOLD;
        }
        if self.threats & 1 << to != 0 {
            score += if score >= TACTICAL_THRESHOLD { 3_000 } else { TACTICAL_THRESHOLD };
        }
        // Pairs that could become mills: count own pairs that are formed and the opponent's pairs
        // that are blocked.
        score += 200 * self.lines_of(to, own, self.empty | from) + 60 * self.lines_of(to, self.other, self.empty);
        if let Some(from) = leaves {
            score -= 200 * self.lines_of(from, own, self.empty);
            // The opponent could close a mill on the point that the man leaves.
            score -= 600 * i32::from(board.is_mill(self.other, from));
            score -= 8 * count(board.neighbors(from) & self.empty);
        }
        score + 8 * count(board.neighbors(to) & (self.empty | from)) + 4 * count(board.neighbors(to))
    }

    /// Returns the number of mills through a point whose other two points are one in `men` and one
    /// in `others`.
    #[inline(always)]
    fn lines_of(&self, point: u32, men: u32, others: u32) -> i32 {
        let has_both = |pair: &u32| pair & men != 0 && pair & others != 0;
        V::BOARD.pairs(point).iter().filter(|pair| has_both(pair)).count() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position as _, random_game};
    use crate::morris::{LaskerMorris, Morabaraba, NineMensMorris, NineMensMorrisFlying, SixMensMorris};

    /// Returns the numbers of captures and of other moves.
    fn check_captures<V: Variant>() -> [u32; 2] {
        let mut counts = [0; 2];
        for seed in 0..100 {
            for position in random_game::<Position<V>>(seed, 120).positions() {
                let scorer = MoveScorer::new(position);
                for m in position.legal_moves() {
                    let is_capture = m.captured().is_some();
                    assert_eq!(scorer.score(m) >= CAPTURE_THRESHOLD, is_capture, "{position}: {m}");
                    counts[usize::from(is_capture)] += 1;
                }
            }
        }
        counts
    }

    #[test]
    fn only_captures_reach_their_threshold() {
        let counts = [
            check_captures::<NineMensMorris>(),
            check_captures::<NineMensMorrisFlying>(),
            check_captures::<LaskerMorris>(),
            check_captures::<Morabaraba>(),
            check_captures::<SixMensMorris>(),
        ];
        assert!(counts.iter().flatten().all(|&count| count > 500), "{counts:?}");
    }
}
