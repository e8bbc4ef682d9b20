//! [`Tally`]: what the games of a match add up to, in whatever order they are finished.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::elo::Pentanomial;
use super::{Effort, EndReason, Record};

/// Sums over the finished games. All are whole numbers, so that their order does not matter.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) pentanomial: Pentanomial,
    /// Points of player 0 in the games that have a score on the board.
    pub(super) points: Sum,
    /// The same over pairs of which both games have one.
    pub(super) pair_points: Sum,
    pub(super) end_reasons: BTreeMap<EndReason, u64>,
    /// Games that player 0 and player 1 forfeited.
    pub(super) forfeits: [u64; 2],
    pub(super) efforts: [Effort; 2],
    /// Pairs of which one game is finished: its half points and points.
    halves: HashMap<u64, (usize, Option<i32>)>,
    games: HashSet<String>,
}

/// A sum of numbers and of their squares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) count: u64,
    total: i64,
    squares: i64,
}

impl Sum {
    fn add(&mut self, number: i32) {
        self.count += 1;
        self.total += i64::from(number);
        self.squares += i64::from(number).pow(2);
    }

    /// Returns the arithmetic mean; `None` of nothing.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total as f64 / self.count as f64)
    }

    /// Returns the standard error of the mean; `None` for less than two numbers.
    pub(super) fn standard_error(&self) -> Option<f64> {
        let count = self.count as f64;
        // Exact: an integer that is zero where all numbers are equal.
        let spread = i128::from(self.squares) * i128::from(self.count) - i128::from(self.total).pow(2);
        (self.count > 1).then(|| (spread as f64 / count / (count - 1.0) / count).sqrt())
    }
}

impl Tally {
    /// Adds a finished game.
    pub fn add(&mut self, record: &Record) {
        let half_points = record.half_points();
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += 1;
        *self.end_reasons.entry(record.end_reason).or_default() += 1;
        if record.end_reason.is_forfeit() {
            self.forfeits[usize::from(half_points == 2)] += 1;
        }
        for (effort, of_game) in self.efforts.iter_mut().zip(&record.efforts) {
            effort.add(of_game);
        }
        self.games.insert(format!("{} {}", record.opening_moves, record.moves));
        let points = record.points();
        if let Some(points) = points {
            self.points.add(points);
        }
        let pair = record.game / 2;
        match self.halves.remove(&pair) {
            None => drop(self.halves.insert(pair, (half_points, points))),
            Some((other_half_points, other_points)) => {
                self.pentanomial.add([half_points, other_half_points]);
                if let (Some(points), Some(other_points)) = (points, other_points) {
                    self.pair_points.add(points + other_points);
                }
            }
        }
    }

    /// Returns the number of finished games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns how many of the games differ from each other in any move.
    #[must_use]
    pub fn distinct_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Returns how it stands in a few words, from the first player's point of view.
    #[must_use]
    pub fn in_short(&self) -> String {
        let elo = self.pentanomial.elo();
        let elo = elo
            .value
            .zip(elo.error)
            .map_or_else(String::new, |(value, error)| format!(", Elo {value:+.0} ± {error:.0}"));
        let points = self.points.mean().map_or_else(String::new, |mean| format!(", discs {mean:+.2}"));
        format!("W {} D {} L {}{points}{elo}", self.wins, self.draws, self.losses)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Color;

    /// A game with this score for Black, who has won with any above 0; `None` is forfeited by Black.
    fn record(game: u64, black_points: Option<i32>) -> Record {
        let winner = match black_points {
            Some(0) => None,
            Some(1..) => Some(Color::Black),
            _ => Some(Color::White),
        };
        let effort =
            Effort { moves: 2, nodes: 5, moves_with_nodes: 1, time: Duration::from_millis(game), ..Effort::default() };
        let effort = Effort { longest: effort.time, ..effort };
        Record {
            game,
            opening: game as usize / 2,
            seats: if game.is_multiple_of(2) { [0, 1] } else { [1, 0] },
            opening_moves: "f5".to_owned(),
            moves: format!("d6 {}", game / 3),
            winner,
            black_points,
            end_reason: if black_points.is_some() { EndReason::Rules } else { EndReason::Timeout },
            problem: None,
            efforts: [effort; 2],
        }
    }

    #[test]
    fn games_add_up_in_any_order() {
        // For player 0: +4, +2; -6, 0; a forfeit of its own, -8; +10 and no second game.
        let games = [(0, Some(4)), (1, Some(-2)), (2, Some(-6)), (3, Some(0)), (4, None), (5, Some(8)), (6, Some(10))];
        for rotation in 0..games.len() {
            let mut tally = Tally::default();
            let order = games.iter().cycle().skip(rotation).take(games.len());
            order.for_each(|&(game, points)| tally.add(&record(game, points)));
            assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (3, 1, 3, 7));
            assert_eq!(tally.pentanomial, Pentanomial { ww: 1, ld: 1, ll: 1, ..Pentanomial::default() });
            assert_eq!((tally.points.count, tally.points.mean()), (6, Some(2.0 / 6.0)));
            // The pairs that are on the board to the end: +6 and -6.
            assert_eq!((tally.pair_points.count, tally.pair_points.standard_error()), (2, Some(6.0)));
            assert_eq!((tally.forfeits, tally.end_reasons[&EndReason::Timeout]), ([1, 0], 1));
            assert_eq!(tally.distinct_games(), 3);
            let effort = tally.efforts[1];
            assert_eq!((effort.moves, effort.nodes, effort.moves_with_nodes), (14, 35, 7));
            assert_eq!((effort.time, effort.longest), (Duration::from_millis(21), Duration::from_millis(6)));
        }
    }
}
