//! Probes: the value of a position and of its moves.

use std::cmp::Ordering;

use super::value::{Metric, Value};
use super::{Database, Sector, TableError};
use crate::game::Position as _;
use crate::morris::{Move, Position, Variant};

/// What the database says of a position or a move, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The value under the rules without a limit of moves.
    pub value: Value,
    /// Where three men of a side start a clock: the plies to the next capture, or to the end of the game if that is sooner, if the winner
    /// hurries to it and the loser delays it. `None` elsewhere, and for a draw.
    pub to_capture: Option<u32>,
    /// Whether the clock draws what would be a win or a loss: the next capture is further away than it allows.
    pub drawn_by_rule: bool,
}

impl Probe {
    fn of(value: Value) -> Self {
        Self { value, to_capture: None, drawn_by_rule: false }
    }

    /// Returns who wins under all of the rules: the side to move if greater.
    #[must_use]
    pub fn outcome(self) -> Ordering {
        if self.drawn_by_rule { Ordering::Equal } else { self.value.outcome() }
    }

    /// Returns the plies to the end of the game; `None` for a draw, by the rule as well.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        self.value.plies().filter(|_| !self.drawn_by_rule)
    }

    /// Returns what the probe is for the side that chooses it: better ones are greater. Of draws one that the clock saves is the worst and one
    /// that it spoils the best.
    #[must_use]
    pub fn rank(self) -> i32 {
        if self.drawn_by_rule { self.value.outcome() as i32 } else { self.value.rank() }
    }

    /// Returns the probe of a move that leads here.
    fn before(self, captures: bool) -> Self {
        let to_capture = self.to_capture.map(|plies| if captures { 1 } else { plies + 1 });
        Self { value: self.value.before(), to_capture, ..self }
    }
}

/// The plies without an irreversible move that were played before a position.
pub type Clock = u32;

/// A move with its value for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveValue<V: Variant> {
    /// The move.
    pub m: Move<V>,
    /// What it leads to.
    pub probe: Probe,
}

impl Database {
    /// Returns what the tables say of a position, `clock` plies after the last irreversible move; `None` if they do not have it.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if what the table has of it is.
    pub fn probe<V: Variant>(&self, position: &Position<V>, clock: Clock) -> Result<Option<Probe>, TableError> {
        let sector = Sector::of(position);
        if self.table(sector, Metric::End).is_none() || position.is_over() {
            return Ok(position.is_over().then(|| Probe::of(final_value(position))));
        }
        let (own, other) = (position.own(), position.other());
        let Some(value) = self.value(sector, Metric::End, own, other)? else { return Ok(None) };
        let limit = position.no_progress_limit().filter(|_| sector.has_clock() && value != Value::DRAW);
        let Some(limit) = limit else { return Ok(Some(Probe::of(value))) };
        let Some(to_capture) = self.value(sector, Metric::Capture, own, other)? else { return Ok(None) };
        let to_capture = to_capture.plies();
        let drawn_by_rule = to_capture.is_some_and(|plies| clock + plies > limit);
        Ok(Some(Probe { value, to_capture, drawn_by_rule }))
    }

    /// Returns the legal moves with their values, the best first; `None` if the tables lack one of the positions after them.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub fn probe_moves<V: Variant>(
        &self,
        position: &Position<V>,
        clock: Clock,
    ) -> Result<Option<Vec<MoveValue<V>>>, TableError> {
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let clock = if position.is_irreversible(m) { 0 } else { clock + 1 };
            let Some(probe) = self.probe(&position.after(m), clock)? else { return Ok(None) };
            moves.push(MoveValue { m, probe: probe.before(m.captured().is_some()) });
        }
        moves.sort_by_key(|of_move| std::cmp::Reverse(of_move.probe.rank()));
        Ok(Some(moves))
    }
}

/// Returns the value of a position that ends the game.
pub(super) fn final_value<V: Variant>(position: &Position<V>) -> Value {
    match position.final_score().cmp(&0) {
        Ordering::Greater => Value::win(0),
        Ordering::Equal => Value::DRAW,
        Ordering::Less => Value::loss(0),
    }
}
