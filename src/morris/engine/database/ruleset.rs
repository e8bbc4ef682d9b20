//! [`Ruleset`]: the rules of a variant as values, so that what works on whole sectors is compiled once and not for every variant.

use std::cmp::Ordering;

use thiserror::Error;

use super::{Metric, PositionValue, Sector, WorkUnit};
use crate::fnv::Fnv1a;
use crate::morris::bans::BanRecord;
use crate::morris::{Board, FullBoardRule, MillRule, Rules, Variant};

/// The board and the rules of a variant.
#[derive(Debug, Clone, Copy)]
pub struct Ruleset {
    /// The name of the game.
    pub name: &'static str,
    /// Its board.
    pub board: &'static Board,
    /// Its rules.
    pub rules: Rules,
}

/// A game whose positions have more to them than a sector has slots for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{0} has no database: a cow may be banned from going straight back, so the value of a position depends on the move before it, and \
     the index of a database has no slot for that (morabaraba, without the bans, has one)"
)]
pub struct BansUnsupported(pub &'static str);

impl Ruleset {
    /// Returns the rules of a variant.
    ///
    /// # Errors
    /// [`BansUnsupported`] if its positions have bans.
    pub fn of<V: Variant>() -> Result<Self, BansUnsupported> {
        if V::Bans::IN_FORCE {
            return Err(BansUnsupported(V::NAME));
        }
        Ok(Self { name: V::NAME, board: V::BOARD, rules: V::RULES })
    }

    /// Returns a number that differs for rules or boards that differ in what a database depends on. The draw after so many plies without
    /// a capture is not part of it: values are of the rules without it.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let Rules { men, mill, flying, moves_with_hand, full_board, three_men_limit: _ } = self.rules;
        let mill = match mill {
            MillRule::Captures => 0,
            MillRule::CapturesOutsideMills => 1,
            MillRule::Wins => 2,
        };
        let draws = matches!(full_board, FullBoardRule::Draws);
        let rules = [men.into(), mill, flying.into(), moves_with_hand.into(), draws.into(), self.board.len().into()];
        let lines = self.board.edges().iter().chain(self.board.mills()).map(|&line| line.into());
        Fnv1a::new().add(rules).add(lines).finish()
    }

    /// Returns what the plies of the tables of a unit are counted to: to the end of the game, and also to the next capture where a rule
    /// draws the game without one.
    pub fn metrics(&self, unit: WorkUnit) -> impl Iterator<Item = Metric> + use<> {
        let limited = self.rules.three_men_limit.is_some() && unit.sectors().all(Sector::has_clock);
        [Some(Metric::End), limited.then_some(Metric::Capture)].into_iter().flatten()
    }

    /// Returns what a position is worth to its side to move right after a capture, by the value that the table of a metric has of it. Where plies
    /// are counted to the next capture these begin anew, and a result that takes more of them than the rules allow is none.
    #[must_use]
    pub fn after_capture(&self, value: PositionValue, metric: Metric) -> PositionValue {
        let in_time = |plies| self.rules.three_men_limit.is_none_or(|limit| plies <= limit);
        match (metric, value.plies()) {
            (Metric::End, _) => value,
            (Metric::Capture, Some(plies)) if in_time(plies) => match value.outcome() {
                Ordering::Greater => PositionValue::win(0),
                _ => PositionValue::loss(0),
            },
            (Metric::Capture, _) => PositionValue::DRAW,
        }
    }
}
