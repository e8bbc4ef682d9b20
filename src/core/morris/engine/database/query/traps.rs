//! Estimates the chance that an opponent without the database answers a move badly.
//!
//! The opponent is assumed to prefer replies that the evaluation rates highly, and to see losses
//! that are near. The chance decides between moves of equal value: among draws, a move is better if
//! it leads to a position with many plausible replies that lose.

use std::cmp::Ordering;

use super::super::{Database, HalfmoveClock, MoveValue, TableError};
use super::probe::clock_after;
use crate::game::{AnyPosition, Position as _};
use crate::morris::engine::MillEvaluation;
use crate::search::SearchControl;

/// A reply that the evaluation rates this many thousandths lower is a third as likely.
const TEMPERATURE: f32 = 120.0;
/// Losses within the first number of plies are seen; losses beyond the second number are not.
const SEEN_PLIES: [f32; 2] = [4.0, 16.0];
/// The number of replies whose continuations are considered, the likeliest first.
const REPLIES: usize = 4;
/// The weight of a later error.
const LATER: f32 = 0.8;

/// Looks for moves that an opponent may answer badly.
pub(crate) struct Traps<'a> {
    pub database: &'a Database,
    pub evaluate: &'a MillEvaluation,
}

impl Traps<'_> {
    /// Returns the chance, from 0 to 1, that the side to move gives away the result of the
    /// position: a win or a draw. With more `rounds`, later moves count too. Returns `None` if a
    /// position after one of the moves is not in the database, or if the search must stop.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    pub(crate) fn chance(
        &self,
        position: &AnyPosition,
        clock: HalfmoveClock,
        rounds: u32,
        stop: &mut SearchControl,
    ) -> Result<Option<f32>, TableError> {
        if !stop.visit() {
            return Ok(None);
        }
        let Some(replies) = self.database.probe_moves(position, clock)? else { return Ok(None) };
        let Some(best) = replies.first().map(|reply| reply.probe.outcome()) else { return Ok(Some(0.0)) };
        let mut weighted: Vec<_> = replies.iter().map(|reply| (self.weight(position, reply, best), reply)).collect();
        weighted.sort_by(|a, b| b.0.total_cmp(&a.0));
        let total: f32 = weighted.iter().map(|&(weight, _)| weight).sum();
        let mut chance = 0.0;
        for (index, &(weight, reply)) in weighted.iter().enumerate() {
            let share = weight / total;
            if reply.probe.outcome() != best {
                chance += share;
            } else if rounds > 1 && index < REPLIES {
                let (next, clock) = (position.after(reply.m), clock_after(position, reply.m, clock));
                chance += LATER * share * self.best_chance(&next, clock, rounds - 1, stop)?;
            }
        }
        Ok(Some(chance))
    }

    /// Returns the highest [`chance`](Self::chance) after the moves that keep the result.
    fn best_chance(
        &self,
        position: &AnyPosition,
        clock: HalfmoveClock,
        rounds: u32,
        stop: &mut SearchControl,
    ) -> Result<f32, TableError> {
        let Some(moves) = self.database.probe_moves(position, clock)? else { return Ok(0.0) };
        let mut best = 0.0f32;
        let outcome = moves.first().map(|first| first.probe.outcome());
        for MoveValue { m, .. } in moves.iter().filter(|m| Some(m.probe.outcome()) == outcome) {
            let chance = self.chance(&position.after(*m), clock_after(position, *m, clock), rounds, stop)?;
            best = best.max(chance.unwrap_or(0.0));
        }
        Ok(best)
    }

    /// Returns the likelihood of a reply, relative to other replies.
    fn weight(&self, position: &AnyPosition, reply: &MoveValue, best: Ordering) -> f32 {
        let next = position.after(reply.m);
        let estimate = if next.is_over() {
            -next.final_score() * 1000
        } else {
            -self.database.rules().game.evaluate(self.evaluate, &next)
        };
        let weight = (estimate as f32 / TEMPERATURE).exp();
        let hidden = match (reply.probe.outcome(), reply.probe.plies()) {
            (outcome, Some(plies)) if outcome != best && outcome.is_lt() => {
                ((plies as f32 - SEEN_PLIES[0]) / (SEEN_PLIES[1] - SEEN_PLIES[0])).clamp(0.02, 1.0)
            }
            _ => 1.0,
        };
        weight * hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cancel, Limits, RandomNumbers};
    use crate::morris::NineMensMorrisFlying;
    use crate::morris::engine::database::{PositionValue, Probe, Ruleset};

    fn database() -> Database {
        let mut database = Database::new(Ruleset::of::<NineMensMorrisFlying>().unwrap());
        database.solve_small_sectors().unwrap();
        database
    }

    #[test]
    fn only_moves_that_change_the_result_are_errors() {
        let (database, evaluate) = (database(), MillEvaluation::new::<NineMensMorrisFlying>());
        let traps = Traps { database: &database, evaluate: &evaluate };
        let mut stop = SearchControl::new(&Limits::default(), &Cancel::new());
        let mut random = RandomNumbers::new(1);
        let (mut safe, mut risky, mut later) = (0, 0, 0);
        while risky < 30 || safe < 30 {
            let position = database.random_position("4-3".parse().unwrap(), &mut random);
            if position.is_over() {
                continue;
            }
            let moves = database.probe_moves(&position, 0).unwrap().unwrap();
            let is_safe = moves.iter().all(|reply| reply.probe.outcome() == moves[0].probe.outcome());
            let mut chance = |rounds| traps.chance(&position, 0, rounds, &mut stop).unwrap().unwrap();
            let (now, both) = (chance(1), chance(2));
            assert_eq!(now == 0.0, is_safe, "{position}: {now}");
            assert!((0.0..=1.001).contains(&now) && both >= now && both <= 1.001, "{position}: {now} {both}");
            if is_safe {
                safe += 1
            } else {
                risky += 1
            }
            later += usize::from(both > now);
        }
        assert!(later > 10, "{later}");
    }

    #[test]
    fn near_losses_are_unlikely_replies() {
        let (database, evaluate) = (database(), MillEvaluation::new::<NineMensMorrisFlying>());
        let traps = Traps { database: &database, evaluate: &evaluate };
        let position = database.rules().game.parse_position("0,0 a7,d6,f2,c3 a1,b2,g4 W").unwrap();
        let reply = database.probe_moves(&position, 0).unwrap().unwrap()[0];
        let losing_in = |plies| {
            let probe = Probe { value: PositionValue::loss(plies), ..reply.probe };
            traps.weight(&position, &MoveValue { probe, ..reply }, Ordering::Equal)
        };
        let keeps = traps.weight(&position, &reply, reply.probe.outcome());
        assert!(losing_in(2) < 0.05 * keeps && losing_in(2) < losing_in(10) && losing_in(10) < losing_in(16));
        assert_eq!((losing_in(16), losing_in(40)), (keeps, keeps));
        // A side that loses in any case cannot give anything away.
        let lost = Probe { value: PositionValue::loss(2), ..reply.probe };
        assert_eq!(traps.weight(&position, &MoveValue { probe: lost, ..reply }, Ordering::Less), keeps);
    }

    #[test]
    fn a_stopped_search_finds_nothing() {
        let (database, evaluate) = (database(), MillEvaluation::new::<NineMensMorrisFlying>());
        let traps = Traps { database: &database, evaluate: &evaluate };
        let cancel = Cancel::new();
        cancel.cancel();
        let mut stop = SearchControl::new(&Limits::default(), &cancel).with_check_interval(1);
        let position = database.rules().game.parse_position("0,0 a7,d6,f2,c3 a1,b2,g4 W").unwrap();
        assert_eq!(traps.chance(&position, 0, 2, &mut stop).unwrap(), None);
    }
}
