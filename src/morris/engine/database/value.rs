//! [`Value`]: what a position is worth, as tables keep it.

use std::cmp::Ordering;
use std::fmt;

/// What the plies of a value are counted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// To the end of the game: the winner hurries, the loser delays.
    End,
    /// To the next capture, or the end of the game, under the rule that draws a game without one: the winner hurries to it, and the loser
    /// delays it. A capture after which the next one takes too long for the rule is a draw.
    Capture,
}

/// The value of a position for the side to move: who wins, and in how many plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionValue(u16);

impl PositionValue {
    /// Neither side can force a win.
    pub const DRAW: Self = Self(0);
    /// The most plies that a value counts.
    pub const MAX_PLIES: u32 = 509;

    /// Returns the value of a win in so many plies: odd if they count to the end of the game, but 0 where the other side has lost already.
    ///
    /// # Panics
    /// If there are more than 16,383; so for losses.
    #[must_use]
    pub const fn win(plies: u32) -> Self {
        assert!(plies <= u16::MAX as u32 / 4, "the plies of a value are few");
        Self((plies as u16 + 1) << 1 | 1)
    }

    /// Returns the value of a loss in so many plies.
    #[must_use]
    pub const fn loss(plies: u32) -> Self {
        assert!(plies <= u16::MAX as u32 / 4, "the plies of a value are few");
        Self((plies as u16 + 1) << 1)
    }

    /// Returns who wins: the side to move if greater.
    #[must_use]
    pub const fn outcome(self) -> Ordering {
        match self.0 {
            0 => Ordering::Equal,
            code if code & 1 == 1 => Ordering::Greater,
            _ => Ordering::Less,
        }
    }

    /// Returns the plies to the end or to the capture; `None` for a draw.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some((self.0 >> 1) as u32 - 1) }
    }

    /// Returns what the value is for the side that moves here: better ones are greater.
    #[must_use]
    pub fn rank(self) -> i32 {
        match (self.outcome(), self.plies().unwrap_or(0) as i32) {
            (Ordering::Greater, plies) => 10_000 - plies,
            (Ordering::Equal, _) => 0,
            (Ordering::Less, plies) => plies - 10_000,
        }
    }

    /// Returns the value of a move that leads to a position of this value.
    #[must_use]
    pub const fn predecessor(self) -> Self {
        match self.plies() {
            None => Self::DRAW,
            Some(plies) if matches!(self.outcome(), Ordering::Greater) => Self::loss(plies + 1),
            Some(plies) => Self::win(plies + 1),
        }
    }

    /// Returns the number that tables in the making keep.
    pub(super) const fn code(self) -> u16 {
        self.0
    }

    /// The inverse of [`code`](Self::code).
    pub(super) const fn from_code(code: u16) -> Self {
        Self(code)
    }
}

impl fmt::Display for PositionValue {
    /// Writes, for example, `win in 5 plies`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.outcome() {
            Ordering::Greater => "win",
            Ordering::Equal => return f.write_str("draw"),
            Ordering::Less => "loss",
        };
        match self.plies().unwrap_or(0) {
            1 => write!(f, "{what} in 1 ply"),
            plies => write!(f, "{what} in {plies} plies"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        let best_first = [
            PositionValue::win(0),
            PositionValue::win(1),
            PositionValue::win(33),
            PositionValue::DRAW,
            PositionValue::loss(34),
            PositionValue::loss(2),
            PositionValue::loss(0),
        ];
        assert!(best_first.is_sorted_by(|a, b| a.rank() > b.rank()));
        assert_eq!(PositionValue::loss(4).predecessor(), PositionValue::win(5));
        assert_eq!(PositionValue::win(5).predecessor(), PositionValue::loss(6));
        assert_eq!(PositionValue::DRAW.predecessor(), PositionValue::DRAW);
        assert_eq!((PositionValue::win(7).plies(), PositionValue::win(7).outcome()), (Some(7), Ordering::Greater));
        assert_eq!(PositionValue::from_code(PositionValue::loss(500).code()), PositionValue::loss(500));
    }
}
