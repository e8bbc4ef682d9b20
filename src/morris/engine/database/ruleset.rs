//! [`Ruleset`]: the rules of a variant as a value, so that code on whole sectors is compiled only once, not for each variant.

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

/// The game has bans, which the index of a database does not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{0} has no database: the no-return rule makes the value of a position depend on the previous move, which databases do not store \
     (morabaraba, without this rule, has one)"
)]
pub struct BansUnsupported(pub &'static str);

impl Ruleset {
    /// Returns the rules of a variant.
    ///
    /// # Errors
    /// [`BansUnsupported`] if the variant has bans.
    pub fn of<V: Variant>() -> Result<Self, BansUnsupported> {
        if V::Bans::HAS_BANS {
            return Err(BansUnsupported(V::NAME));
        }
        Ok(Self { name: V::NAME, board: V::BOARD, rules: V::RULES })
    }

    /// Returns a hash of the rules and the board: games with the same hash have the same tables of the sector. The rule for full boards has no
    /// effect on positions with fewer men than points. Plies to the end of the game ignore the draw after a number of plies without a capture;
    /// plies to the next capture do not, but games that differ in this number alone do not exist.
    #[must_use]
    pub fn fingerprint(&self, sector: Sector) -> u64 {
        let Rules { men, mill, flying, moves_with_hand, full_board, three_men_limit: _ } = self.rules;
        let mill = match mill {
            MillRule::Captures => 0,
            MillRule::CapturesOutsideMills => 1,
            MillRule::Wins => 2,
        };
        let draws = matches!(full_board, FullBoardRule::Draws) && sector.men() >= self.board.len();
        let rules = [men.into(), mill, flying.into(), moves_with_hand.into(), draws.into(), self.board.len().into()];
        let lines = self.board.edges().iter().chain(self.board.mills()).map(|&line| line.into());
        Fnv1a::new().add(rules).add(lines).finish()
    }

    /// Returns the metrics that a unit has tables for: plies to the end of the game and, if a rule draws games without captures, plies to the
    /// next capture.
    pub fn metrics(&self, unit: WorkUnit) -> impl Iterator<Item = Metric> + use<> {
        let limited = self.rules.three_men_limit.is_some() && unit.sectors().all(Sector::has_clock);
        [Some(Metric::End), limited.then_some(Metric::Capture)].into_iter().flatten()
    }

    /// Returns the sectors and metrics of the tables of a unit.
    pub fn tables(&self, unit: WorkUnit) -> impl Iterator<Item = (Sector, Metric)> + use<> {
        self.metrics(unit).flat_map(move |metric| unit.sectors().map(move |sector| (sector, metric)))
    }

    /// Converts the value that a table has for the position right after a capture to the value that the capture counts as. If plies count to
    /// the next capture, they restart at 0, and a result beyond the limit of the rules becomes a draw.
    #[must_use]
    pub fn after_capture(&self, value: PositionValue, metric: Metric) -> PositionValue {
        let within_limit = |plies| self.rules.three_men_limit.is_none_or(|limit| plies <= limit);
        match (metric, value.plies()) {
            (Metric::End, _) => value,
            (Metric::Capture, Some(plies)) if within_limit(plies) => match value.outcome() {
                Ordering::Greater => PositionValue::win(0),
                _ => PositionValue::loss(0),
            },
            (Metric::Capture, _) => PositionValue::DRAW,
        }
    }
}
