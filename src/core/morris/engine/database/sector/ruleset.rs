//! [`Ruleset`]: the rules of a variant as a value, so that code for whole sectors is compiled only
//! once, not once per variant.

use std::cmp::Ordering;

use thiserror::Error;

use super::super::{Metric, MillGame, PositionValue, mill_game};
use crate::morris::bans::BanRecord;
use crate::morris::{Board, Rules, Variant};

/// The board and the rules of a variant.
#[derive(Debug, Clone, Copy)]
pub struct Ruleset {
    /// The name of the game.
    pub name: &'static str,
    /// Its board.
    pub board: &'static Board,
    /// Its rules.
    pub rules: Rules,
    /// The functions that are compiled for the variant.
    pub game: &'static dyn MillGame,
}

/// The game has bans, which the index of a database does not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{0} has no database: the no-return rule makes the value of a position depend on the previous move, which \
        databases do not store \
     ({without}, without this rule, has one)",
    without = .0.trim_end_matches("-no-return")
)]
pub struct BansUnsupported(pub &'static str);

impl Ruleset {
    /// Returns the rules of a variant.
    ///
    /// ```
    /// use morello::morris::engine::database::Ruleset;
    /// use morello::morris::{Morabaraba, MorabarabaNoReturn};
    ///
    /// assert_eq!(Ruleset::of::<Morabaraba>()?.rules.men, 12);
    /// let error = Ruleset::of::<MorabarabaNoReturn>().unwrap_err();
    /// assert!(error.to_string().starts_with("morabaraba-no-return has no database"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BansUnsupported`] if the variant has bans.
    pub fn of<V: Variant>() -> Result<Self, BansUnsupported> {
        if V::Bans::HAS_BANS {
            return Err(BansUnsupported(V::NAME));
        }
        Ok(Self { name: V::NAME, board: V::BOARD, rules: V::RULES, game: mill_game::<V>() })
    }

    /// Converts the value that a table has for the position after a capture to the value of the
    /// capture. If plies count to the next capture, they restart at 0, and a win or loss beyond the
    /// limit of the rules becomes a draw.
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
