//! Probes the value of a position and of its moves.

use std::cmp::Ordering;

use super::super::value::{Metric, PositionValue};
use super::super::{Database, Sector, TableError};
use crate::game::{self, AnyMove, AnyPosition, Position as _};
use crate::morris::{Position, Variant};

/// The database value of a position or a move, from the point of view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Probe {
    /// The value under the rules without a move limit.
    pub value: PositionValue,
    /// The number of plies to the next capture or to the end of the game, whichever comes first, if
    /// a side is down to three men, which starts a clock. The winner minimizes the plies, and the
    /// loser maximizes them. `None` without a clock, or if neither side wins under the clock.
    pub to_capture: Option<u32>,
    /// Whether the clock turns a win or a loss into a draw, because the next capture or a later one
    /// comes later than the clock allows. Clocks that have not started yet are ignored.
    pub drawn_by_rule: bool,
    /// Whether the plies of the value are known and possible under the clock, if there is one. If
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

    /// Returns the number of plies to the end of the game. Returns `None` for a draw, if the table
    /// does not store the plies, or if a clock may rule out the shortest way.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        self.value.plies().filter(|_| !self.drawn_by_rule && self.within_clock)
    }

    /// Returns a note if a rule turns a win or a loss into a draw.
    #[must_use]
    pub fn note(self) -> Option<&'static str> {
        self.drawn_by_rule.then(|| match self.value.outcome() {
            Ordering::Greater => "win, drawn by the ten-move rule",
            _ => "loss, drawn by the ten-move rule",
        })
    }

    /// Returns a rank for comparing probes from the point of view of the side to move: better
    /// probes have higher ranks. Among draws, wins drawn by the clock rank highest, and losses
    /// drawn by the clock rank lowest.
    #[must_use]
    pub fn rank(self) -> i32 {
        if self.drawn_by_rule { self.value.outcome() as i32 } else { self.value.rank() }
    }
}

/// The number of plies since the last irreversible move.
pub type HalfmoveClock = u32;

/// A move with its value for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveValue {
    /// The move.
    pub m: AnyMove,
    /// The value of the move for the side that makes it.
    pub probe: Probe,
}

/// The parts of a position that are needed to look it up in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The sector.
    pub sector: Sector,
    /// The points of the men of the side to move.
    pub own: u32,
    /// The points of the opponent's men.
    pub other: u32,
    /// The [limit](game::Position::no_progress_limit) of plies without progress; `None` if there is
    /// none.
    pub limit: Option<u32>,
}

impl Place {
    /// Returns the place of a position.
    #[must_use]
    pub fn of<V: Variant>(position: &Position<V>) -> Self {
        let (own, other) = (position.own(), position.other());
        Self { sector: Sector::of(position), own, other, limit: position.no_progress_limit() }
    }

    /// Returns the limit if the clock is running.
    fn clock_limit(self) -> Option<u32> {
        self.limit.filter(|_| self.sector.has_clock())
    }
}

impl Database {
    /// Returns the value of a position, `clock` plies after the last irreversible move; `None` if
    /// it is not in any table.
    ///
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use morello::morris::engine::database::{Database, Ruleset};
    /// use morello::morris::{Position, ThreeMensMorris};
    ///
    /// let mut database = Database::new(Ruleset::of::<ThreeMensMorris>()?);
    /// let position = "b2".parse::<Position<ThreeMensMorris>>()?.into();
    /// assert!(database.probe(&position, 0)?.is_none(), "there is no table yet");
    /// database.solve_small_sectors()?;
    /// let probe = database.probe(&position, 0)?.expect("the whole game is small");
    /// assert_eq!((probe.outcome(), probe.plies()), (Ordering::Less, Some(8)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError`] if its block is damaged or cannot be read.
    ///
    /// # Panics
    /// If the position belongs to another game.
    pub fn probe(&self, position: &AnyPosition, clock: HalfmoveClock) -> Result<Option<Probe>, TableError> {
        self.probe_place(self.rules().game.place(position), clock, &|| final_value(position))
    }

    /// Probes the position of a place. `final_value` returns the value of the position if the game
    /// is over.
    pub(super) fn probe_place(
        &self,
        place: Place,
        clock: HalfmoveClock,
        final_value: &dyn Fn() -> Option<PositionValue>,
    ) -> Result<Option<Probe>, TableError> {
        let Place { sector, own, other, .. } = place;
        let value = match self.value(sector, Metric::End, own, other)? {
            // A value without plies does not show whether the game is over.
            Some(value) if value.is_result_only() => final_value().unwrap_or(value),
            Some(value) => value,
            None => return Ok(final_value().map(Probe::of)),
        };
        let is_final = value == PositionValue::DRAW || value.plies() == Some(0);
        let Some(limit) = place.clock_limit().filter(|_| !is_final) else { return Ok(Some(Probe::of(value))) };
        let Some(to_capture) = self.value(sector, Metric::Capture, own, other)? else { return Ok(None) };
        let to_capture = to_capture.plies();
        let drawn_by_rule = to_capture.is_none_or(|plies| clock + plies > limit);
        let within_clock = value.plies().is_some_and(|plies| clock + plies <= limit);
        Ok(Some(Probe { value, to_capture, drawn_by_rule, within_clock }))
    }

    /// Returns the legal moves with their values, best first; `None` if a position after one of
    /// them is not in the tables.
    ///
    /// ```
    /// use morello::morris::engine::database::{Database, Ruleset};
    /// use morello::morris::{Position, ThreeMensMorris};
    ///
    /// let mut database = Database::new(Ruleset::of::<ThreeMensMorris>()?);
    /// database.solve_small_sectors()?;
    /// let position = "1,1 a1,c1 b2,a3 W".parse::<Position<ThreeMensMorris>>()?.into();
    /// let moves = database.probe_moves(&position, 0)?.expect("the whole game is small");
    /// let values: Vec<_> = moves.iter().map(|m| format!("{} {}", m.m, m.probe.value)).collect();
    /// assert_eq!(values[..2], ["b1 win in 1 ply", "b3 draw"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`probe`](Self::probe).
    ///
    /// # Panics
    /// As [`probe`](Self::probe).
    pub fn probe_moves(
        &self,
        position: &AnyPosition,
        clock: HalfmoveClock,
    ) -> Result<Option<Vec<MoveValue>>, TableError> {
        let has_clock = self.rules().game.place(position).clock_limit().is_some();
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let clock = clock_after(position, m, clock);
            let next = position.after(m);
            let Some(probe) = self.probe(&next, clock)? else { return Ok(None) };
            let to_capture = match (m.path().captured, probe.to_capture) {
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
pub(crate) fn clock_after(position: &AnyPosition, m: AnyMove, clock: HalfmoveClock) -> HalfmoveClock {
    if position.is_irreversible(m) { 0 } else { clock + 1 }
}

/// Returns the value of a position that ends the game; `None` if the game is not over.
pub(crate) fn final_value<P: game::Position>(position: &P) -> Option<PositionValue> {
    position.is_over().then(|| match position.final_score().cmp(&0) {
        Ordering::Greater => PositionValue::win(0),
        Ordering::Equal => PositionValue::DRAW,
        Ordering::Less => PositionValue::loss(0),
    })
}
