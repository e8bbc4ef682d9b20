//! Probes the value of a position and of its moves.

use std::cmp::Ordering;

use super::super::value::{Metric, PositionValue};
use super::super::{Database, Sector, TableError};
use crate::game::{AnyMove, Position as _};
use crate::morris::{Move, Position, Variant};

/// The database value of a position or a move, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The value under the rules without a move limit.
    pub value: PositionValue,
    /// If a side is down to three men, which starts a clock: the number of plies to the next
    /// capture or to the end of the game, whichever is sooner. The winner minimizes them, the loser
    /// maximizes them. `None` without a clock, or if neither side wins under the clock.
    pub to_capture: Option<u32>,
    /// Whether the clock turns a win or a loss into a draw, because the next capture or a later one
    /// is further away than it allows. Clocks that have not started yet are not taken into account.
    pub drawn_by_rule: bool,
    /// Whether the plies of the value are known and possible under the clock, if there is one; if
    /// not, the shortest way to the end may not be playable.
    pub within_clock: bool,
}

impl Probe {
    fn of(value: PositionValue) -> Self {
        Self { value, to_capture: None, drawn_by_rule: false, within_clock: true }
    }

    /// Returns the result under a running clock: `Greater` if the side to move wins.
    #[must_use]
    pub fn outcome(self) -> Ordering {
        if self.drawn_by_rule { Ordering::Equal } else { self.value.outcome() }
    }

    /// Returns the number of plies to the end of the game; `None` for a draw, if the table does not
    /// store them, and if a clock may rule out the shortest way.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        self.value.plies().filter(|_| !self.drawn_by_rule && self.within_clock)
    }

    /// Returns a note if a rule draws a win or a loss.
    #[must_use]
    pub fn note(self) -> Option<&'static str> {
        self.drawn_by_rule.then(|| match self.value.outcome() {
            Ordering::Greater => "win, drawn by the ten-move rule",
            _ => "loss, drawn by the ten-move rule",
        })
    }

    /// Returns a rank by which probes compare for the side to move; better ones have greater ranks.
    /// Of draws, wins drawn by the clock rank highest and losses drawn by the clock lowest.
    #[must_use]
    pub fn rank(self) -> i32 {
        if self.drawn_by_rule { self.value.outcome() as i32 } else { self.value.rank() }
    }
}

/// The number of plies since the last irreversible move.
pub type HalfmoveClock = u32;

/// A move with its value for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveValue<M> {
    /// The move.
    pub m: M,
    /// The value of the move, for the side that makes it.
    pub probe: Probe,
}

impl<V: Variant> MoveValue<Move<V>> {
    /// Erases the type of the game.
    pub(crate) fn any(self) -> MoveValue<AnyMove> {
        MoveValue { m: AnyMove::new::<Position<V>>(self.m), probe: self.probe }
    }
}

impl Database {
    /// Returns the value of a position, `clock` plies after the last irreversible move; `None` if
    /// no table has it.
    ///
    /// # Errors
    /// [`TableError`] if its block is damaged or cannot be read.
    ///
    /// # Panics
    /// If the database belongs to another game.
    pub fn probe<V: Variant>(&self, position: &Position<V>, clock: HalfmoveClock) -> Result<Option<Probe>, TableError> {
        assert_eq!(self.rules().name, V::NAME, "the database belongs to the game");
        let sector = Sector::of(position);
        let (own, other) = (position.own(), position.other());
        let value = match self.value(sector, Metric::End, own, other)? {
            // Without its plies, the value does not tell that the game is over.
            Some(value) if value.is_result_only() && position.is_over() => final_value(position),
            Some(value) => value,
            None => return Ok(position.is_over().then(|| Probe::of(final_value(position)))),
        };
        let limit = position.no_progress_limit().filter(|_| sector.has_clock());
        let is_final = value == PositionValue::DRAW || value.plies() == Some(0);
        let Some(limit) = limit.filter(|_| !is_final) else { return Ok(Some(Probe::of(value))) };
        let Some(to_capture) = self.value(sector, Metric::Capture, own, other)? else { return Ok(None) };
        let to_capture = to_capture.plies();
        let drawn_by_rule = to_capture.is_none_or(|plies| clock + plies > limit);
        let within_clock = value.plies().is_some_and(|plies| clock + plies <= limit);
        Ok(Some(Probe { value, to_capture, drawn_by_rule, within_clock }))
    }

    /// Returns the legal moves with their values, best first; `None` if the tables lack one of the
    /// positions after them.
    ///
    /// # Errors
    /// Same as [`probe`](Self::probe).
    ///
    /// # Panics
    /// As [`probe`](Self::probe).
    pub fn probe_moves<V: Variant>(
        &self,
        position: &Position<V>,
        clock: HalfmoveClock,
    ) -> Result<Option<Vec<MoveValue<Move<V>>>>, TableError> {
        let has_clock = position.no_progress_limit().is_some() && Sector::of(position).has_clock();
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let clock = clock_after(position, m, clock);
            let next = position.after(m);
            let Some(probe) = self.probe(&next, clock)? else { return Ok(None) };
            let to_capture = match (m.captured(), probe.to_capture) {
                _ if !has_clock || probe.value == PositionValue::DRAW => None,
                (None, Some(plies)) => Some(plies + 1),
                (None, None) => next.is_over().then_some(1),
                (Some(_), _) => probe.outcome().is_ne().then_some(1),
            };
            moves.push(MoveValue { m, probe: Probe { value: probe.value.predecessor(), to_capture, ..probe } });
        }
        moves.sort_by_key(|move_value| std::cmp::Reverse(move_value.probe.rank()));
        Ok(Some(moves))
    }
}

/// Returns the clock after a move.
pub(crate) fn clock_after<V: Variant>(position: &Position<V>, m: Move<V>, clock: HalfmoveClock) -> HalfmoveClock {
    if position.is_irreversible(m) { 0 } else { clock + 1 }
}

/// Returns the value of a position that ends the game.
pub(crate) fn final_value<V: Variant>(position: &Position<V>) -> PositionValue {
    match position.final_score().cmp(&0) {
        Ordering::Greater => PositionValue::win(0),
        Ordering::Equal => PositionValue::DRAW,
        Ordering::Less => PositionValue::loss(0),
    }
}
