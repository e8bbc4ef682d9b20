//! Probes: the value of a position and of its moves.

use std::cmp::Ordering;

use super::value::{Metric, PositionValue};
use super::{Database, Sector, TableError};
use crate::game::Position as _;
use crate::morris::{Move, Position, Variant};

/// What the database says of a position or a move, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The value under the rules without a limit of moves.
    pub value: PositionValue,
    /// Where three men of a side start a clock: the plies to the next capture, or to the end of the game if that is sooner, if the winner
    /// hurries to it and the loser delays it. `None` elsewhere, and where nobody wins under the clock.
    pub to_capture: Option<u32>,
    /// Whether the clock draws what would be a win or a loss: the next capture, or one after it, is further away than it allows. It is not
    /// looked ahead for: with more men `false` says nothing about clocks that start later.
    pub drawn_by_rule: bool,
    /// Whether the plies of the value are within the clock, if there is one; else the way to the end is another than the quickest.
    pub within_clock: bool,
}

impl Probe {
    fn of(value: PositionValue) -> Self {
        Self { value, to_capture: None, drawn_by_rule: false, within_clock: true }
    }

    /// Returns who wins, with regard to a clock that runs: the side to move if greater.
    #[must_use]
    pub fn outcome(self) -> Ordering {
        if self.drawn_by_rule { Ordering::Equal } else { self.value.outcome() }
    }

    /// Returns the plies to the end of the game; `None` for a draw, and where a clock may forbid the quickest way to a win.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        self.value.plies().filter(|_| !self.drawn_by_rule && self.within_clock)
    }

    /// Says what would be if a rule did not draw it.
    #[must_use]
    pub fn note(self) -> Option<&'static str> {
        self.drawn_by_rule.then(|| match self.value.outcome() {
            Ordering::Greater => "win, drawn by the ten-move rule",
            _ => "loss, drawn by the ten-move rule",
        })
    }

    /// Returns what the probe is for the side that chooses it: better ones are greater. Of draws one that the clock saves is the worst and one
    /// that it spoils the best.
    #[must_use]
    pub fn rank(self) -> i32 {
        if self.drawn_by_rule { self.value.outcome() as i32 } else { self.value.rank() }
    }
}

/// The plies without an irreversible move that were played before a position.
pub type HalfmoveClock = u32;

/// A move with its value for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveValue<M> {
    /// The move.
    pub m: M,
    /// What it leads to.
    pub probe: Probe,
}

impl Database {
    /// Returns what the tables say of a position, `clock` plies after the last irreversible move; `None` if they do not have it.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if what the table has of it is.
    ///
    /// # Panics
    /// If the database is of another game.
    pub fn probe<V: Variant>(&self, position: &Position<V>, clock: HalfmoveClock) -> Result<Option<Probe>, TableError> {
        assert_eq!(self.rules().name, V::NAME, "the database is of the game");
        let sector = Sector::of(position);
        let (own, other) = (position.own(), position.other());
        let Some(value) = self.value(sector, Metric::End, own, other)? else {
            return Ok(position.is_over().then(|| Probe::of(final_value(position))));
        };
        let limit = position.no_progress_limit().filter(|_| sector.has_clock());
        let Some((limit, plies)) = limit.zip(value.plies().filter(|&plies| plies > 0)) else {
            return Ok(Some(Probe::of(value)));
        };
        let Some(to_capture) = self.value(sector, Metric::Capture, own, other)? else { return Ok(None) };
        let to_capture = to_capture.plies();
        let drawn_by_rule = to_capture.is_none_or(|plies| clock + plies > limit);
        Ok(Some(Probe { value, to_capture, drawn_by_rule, within_clock: clock + plies <= limit }))
    }

    /// Returns the legal moves with their values, the best first; `None` if the tables lack one of the positions after them.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    ///
    /// # Panics
    /// As [`probe`](Self::probe).
    pub fn probe_moves<V: Variant>(
        &self,
        position: &Position<V>,
        clock: HalfmoveClock,
    ) -> Result<Option<Vec<MoveValue<Move<V>>>>, TableError> {
        let has_clock = position.no_progress_limit().is_some() && Sector::of(position).has_clock();
        for m in position.legal_moves() {
            let next = position.after(m);
            self.prefetch(Sector::of(&next), Metric::End, next.own(), next.other());
        }
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let clock = if position.is_irreversible(m) { 0 } else { clock + 1 };
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

/// Returns the value of a position that ends the game.
pub(super) fn final_value<V: Variant>(position: &Position<V>) -> PositionValue {
    match position.final_score().cmp(&0) {
        Ordering::Greater => PositionValue::win(0),
        Ordering::Equal => PositionValue::DRAW,
        Ordering::Less => PositionValue::loss(0),
    }
}
