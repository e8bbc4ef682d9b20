//! [`PositionValue`]: the value of a position as stored in tables.

use std::cmp::Ordering;
use std::fmt;

use crate::game::result_name;

/// The event to which the plies of a value are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Metric {
    /// The end of the game. The winner minimizes the plies, and the loser maximizes them.
    End,
    /// The next capture or the end of the game, under a rule that draws games without captures. The
    /// winner minimizes the plies, and the loser maximizes them. A capture counts as a draw if the
    /// next capture after it takes longer than the rule allows.
    Capture,
}

/// The value of a position for the side to move: the winner, and the number of plies.
///
/// ```
/// use std::cmp::Ordering;
///
/// use morello::morris::engine::database::PositionValue;
///
/// let win = PositionValue::win(23);
/// assert_eq!((win.outcome(), win.to_string().as_str()), (Ordering::Greater, "win in 23 plies"));
/// assert!(win.rank() < PositionValue::win(5).rank() && win.rank() > PositionValue::DRAW.rank());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionValue(u16);

impl PositionValue {
    /// Neither side can force a win.
    pub const DRAW: Self = Self(0);
    /// The maximum number of plies in a value.
    pub const MAX_PLIES: u32 = 509;
    /// A win in an unknown number of plies.
    pub const WIN: Self = Self(u16::MAX);
    /// A loss in an unknown number of plies.
    pub const LOSS: Self = Self(u16::MAX - 1);

    /// Returns the value of a win in `plies` plies. If the plies count to the end of the game, they
    /// are odd, or 0 if the opponent has already lost.
    ///
    /// # Panics
    /// If `plies` is above 16,383.
    #[must_use]
    pub const fn win(plies: u32) -> Self {
        assert!(plies <= u16::MAX as u32 / 4, "the plies fit in 14 bits");
        Self((plies as u16 + 1) << 1 | 1)
    }

    /// Returns the value of a loss in `plies` plies.
    ///
    /// # Panics
    /// If `plies` is above 16,383.
    #[must_use]
    pub const fn loss(plies: u32) -> Self {
        assert!(plies <= u16::MAX as u32 / 4, "the plies fit in 14 bits");
        Self((plies as u16 + 1) << 1)
    }

    /// Returns the result: `Greater` if the side to move wins.
    #[must_use]
    pub const fn outcome(self) -> Ordering {
        match self.0 {
            0 => Ordering::Equal,
            code if code & 1 == 1 => Ordering::Greater,
            _ => Ordering::Less,
        }
    }

    /// Returns the number of plies to the end of the game or to the capture; `None` for a draw, or
    /// if it is unknown.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        if self.0 == 0 || self.is_result_only() { None } else { Some((self.0 >> 1) as u32 - 1) }
    }

    /// Returns whether the value is a win or a loss in an unknown number of plies.
    #[must_use]
    pub const fn is_result_only(self) -> bool {
        self.0 >= Self::LOSS.0
    }

    /// Returns the value without its plies.
    #[must_use]
    pub const fn result_only(self) -> Self {
        match self.outcome() {
            Ordering::Greater => Self::WIN,
            Ordering::Equal => Self::DRAW,
            Ordering::Less => Self::LOSS,
        }
    }

    /// Returns a rank for comparing values from the point of view of the side to move: better
    /// values have higher ranks. An unknown number of plies counts as larger than any other.
    #[must_use]
    pub fn rank(self) -> i32 {
        match (self.outcome(), self.plies().unwrap_or(5_000) as i32) {
            (Ordering::Greater, plies) => 10_000 - plies,
            (Ordering::Equal, _) => 0,
            (Ordering::Less, plies) => plies - 10_000,
        }
    }

    /// Returns the value with this [rank](Self::rank).
    pub(super) const fn from_rank(rank: i32) -> Self {
        match rank {
            0 => Self::DRAW,
            5_000 => Self::WIN,
            -5_000 => Self::LOSS,
            1.. => Self::win((10_000 - rank) as u32),
            _ => Self::loss((10_000 + rank) as u32),
        }
    }

    /// Returns the value of a move that leads to a position with this value.
    #[must_use]
    pub const fn predecessor(self) -> Self {
        match (self.outcome(), self.plies()) {
            (Ordering::Equal, _) => Self::DRAW,
            (Ordering::Greater, Some(plies)) => Self::loss(plies + 1),
            (Ordering::Greater, None) => Self::LOSS,
            (Ordering::Less, Some(plies)) => Self::win(plies + 1),
            (Ordering::Less, None) => Self::WIN,
        }
    }

    /// Returns the number that the solver and the tables store: 0 for a draw; for a win twice the
    /// plies, plus 3; for a loss twice the plies, plus 2; for an unknown number of plies, 65535 for
    /// a win and 65534 for a loss.
    pub(super) const fn code(self) -> u16 {
        self.0
    }

    /// The inverse of [`code`](Self::code).
    pub(super) const fn from_code(code: u16) -> Self {
        Self(code)
    }
}

impl fmt::Display for PositionValue {
    /// Writes, for example, `win in 5 plies`, or `win` if the plies are unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = result_name(self.outcome());
        match self.plies() {
            None => f.write_str(result),
            Some(1) => write!(f, "{result} in 1 ply"),
            Some(plies) => write!(f, "{result} in {plies} plies"),
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
            PositionValue::WIN,
            PositionValue::DRAW,
            PositionValue::LOSS,
            PositionValue::loss(34),
            PositionValue::loss(2),
            PositionValue::loss(0),
        ];
        assert!(best_first.is_sorted_by(|a, b| a.rank() > b.rank()));
        assert!(best_first.iter().all(|&value| PositionValue::from_rank(value.rank()) == value));
        assert_eq!(PositionValue::loss(4).predecessor(), PositionValue::win(5));
        assert_eq!(PositionValue::win(5).predecessor(), PositionValue::loss(6));
        assert_eq!(PositionValue::DRAW.predecessor(), PositionValue::DRAW);
        assert_eq!(PositionValue::WIN.predecessor(), PositionValue::LOSS);
        assert_eq!(PositionValue::LOSS.predecessor(), PositionValue::WIN);
        assert_eq!((PositionValue::LOSS.plies(), PositionValue::LOSS.to_string()), (None, "loss".to_owned()));
        assert_eq!(PositionValue::win(5).result_only(), PositionValue::WIN);
        assert_eq!((PositionValue::win(7).plies(), PositionValue::win(7).outcome()), (Some(7), Ordering::Greater));
        assert_eq!(PositionValue::from_code(PositionValue::loss(500).code()), PositionValue::loss(500));
    }
}
