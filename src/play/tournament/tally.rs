//! [`Tally`]: sums over the games of a match or a tournament, independent of their order.

use std::collections::{BTreeMap, HashMap, HashSet};

use morello_core::fnv::Fnv1a;
use morello_core::game::{Color, Wdl};

use super::elo::{Pentanomial, Sample};
use super::{Effort, EndReason, FinishedGame, Sprt, ratings};

/// Sums over finished games. All are integers, so that the order of the games does not matter.
///
/// ```
/// use morello::games;
/// use morello::tournament::{Effort, EndReason, FinishedGame, Tally};
/// use morello::game::Color;
///
/// let start = games::get("othello")?.start();
/// let mut tally = Tally::new(2);
/// for (game, players) in [(0, [0, 1]), (1, [1, 0])] {
///     tally.add(&FinishedGame {
///         game, opening: 0, players, start, moves: vec![], opening_plies: 0, notes: vec![], date: None,
///         winner: Some(Color::Black), black_points: None, end_reason: EndReason::Resignation, problem: None,
///         conversation: vec![], efforts: [Effort::default(); 2],
///     });
/// }
/// assert_eq!((tally.games(), tally.pentanomial().wl), (2, 1));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tally {
    pub(super) encounters: BTreeMap<[usize; 2], Encounter>,
    pub(super) end_reasons: BTreeMap<EndReason, u64>,
    /// The number of games that each player forfeited.
    pub(super) forfeits: Vec<u64>,
    pub(super) efforts: Vec<Effort>,
    /// 64-bit digests of the games.
    games: HashSet<u64>,
    finished: u64,
}

/// The results of two players against each other, from the point of view of the player with the
/// lower number.
#[derive(Debug, Clone, Default)]
pub(super) struct Encounter {
    /// The player's results as Black, then as White.
    pub(super) by_color: [Wdl; 2],
    pub(super) pentanomial: Pentanomial,
    /// The number of games that do not belong to a pair.
    unpaired: u64,
    /// The points in games with a final score.
    pub(super) points: Sum,
    /// The points of pairs in which both games have a final score.
    pub(super) pair_points: Sum,
    /// Pairs with only one finished game: its half points and points.
    halves: HashMap<u64, (usize, Option<i32>)>,
}

/// A sum of numbers and a sum of their squares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) count: u64,
    total: i64,
    squares: i64,
}

impl Sum {
    fn add(&mut self, number: i32) {
        self.count += 1;
        self.total = self.total.saturating_add(number.into());
        self.squares = self.squares.saturating_add(i64::from(number).pow(2));
    }

    /// Returns the arithmetic mean; `None` without numbers.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total as f64 / self.count as f64)
    }

    /// Returns the standard error of the mean; `None` for fewer than two numbers.
    pub(super) fn standard_error(&self) -> Option<f64> {
        let count = self.count as f64;
        // Integers are exact: the result is zero if all numbers are equal.
        let spread = i128::from(self.squares) * i128::from(self.count) - i128::from(self.total).pow(2);
        (self.count > 1).then(|| (spread as f64 / count / (count - 1.0) / count).sqrt())
    }
}

impl Encounter {
    /// Adds a game with the player's half points, color and final score in points. `pair`
    /// identifies the game's pair, if it belongs to one.
    pub(super) fn add(&mut self, half_points: usize, color: Color, points: Option<i32>, pair: Option<u64>) {
        self.by_color[color.index()].add(half_points.cmp(&1));
        if let Some(points) = points {
            self.points.add(points);
        }
        let Some(pair) = pair else {
            self.unpaired += 1;
            return;
        };
        match self.halves.remove(&pair) {
            None => drop(self.halves.insert(pair, (half_points, points))),
            Some((other_half_points, other_points)) => {
                self.pentanomial.add([half_points, other_half_points]);
                if let (Some(points), Some(other_points)) = (points, other_points) {
                    self.pair_points.add(points.saturating_add(other_points));
                }
            }
        }
    }

    /// Returns the results of all games.
    pub(super) fn results(&self) -> Wdl {
        let [mut results, as_white] = self.by_color;
        results.merge(as_white);
        results
    }

    /// Returns the scores of the pairs, or of the games if many games are not in complete pairs.
    pub(super) fn sample(&self) -> Sample {
        if self.is_paired() { self.pentanomial.sample() } else { Sample::of_games(self.results()) }
    }

    /// Returns whether most games are in complete pairs. A running match has some incomplete pairs.
    fn is_paired(&self) -> bool {
        self.unpaired == 0 && self.halves.len() as u64 <= self.pentanomial.pairs()
    }

    /// Returns the standard error of the mean points per game.
    pub(super) fn standard_error_of_points(&self) -> Option<f64> {
        if !self.is_paired() {
            return self.points.standard_error();
        }
        // The sum of a pair is twice the mean of its games.
        self.pair_points.standard_error().map(|error| error / 2.0)
    }

    /// Returns the result for [`ratings::fit`].
    pub(super) fn result(&self, players: [usize; 2]) -> ratings::EncounterResult {
        let sample = self.pentanomial.sample();
        let is_paired = self.is_paired() && sample.items() > 1;
        let variance = sample.moments().filter(|&(_, variance)| is_paired && variance > 0.0);
        // A pair's score is the mean of its two games; there may also be the first game of an
        // unfinished pair.
        let games = self.results().total() as f64;
        let pair_variance = variance.map(|(_, variance)| 4.0 * variance * games / 2.0);
        ratings::EncounterResult { players, games: self.by_color, pair_variance }
    }
}

impl Tally {
    /// Creates an empty tally for `players` players.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self {
            encounters: BTreeMap::new(),
            end_reasons: BTreeMap::new(),
            forfeits: vec![0; players],
            efforts: vec![Effort::default(); players],
            games: HashSet::new(),
            finished: 0,
        }
    }

    /// Adds a finished game.
    ///
    /// # Panics
    /// If the number of a player is out of range.
    pub fn add(&mut self, record: &FinishedGame) {
        let mut players = record.players;
        players.sort_unstable();
        let encounter = self.encounters.entry(players).or_default();
        encounter.add(record.half_points(), record.first(), record.points(), Some(record.game / 2));
        *self.end_reasons.entry(record.end_reason).or_default() += 1;
        if let Some(player) = record.forfeiter() {
            self.forfeits[player] += 1;
        }
        for (player, effort) in record.players.into_iter().zip(&record.efforts) {
            self.efforts[player].add(effort);
        }
        let moves = record.moves.iter().map(|&m| u64::from(u16::from(m)));
        let digest = Fnv1a::new().add([record.start.key()]).add(moves);
        self.games.insert(digest.finish());
        self.finished += 1;
    }

    /// Returns the number of finished games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.finished
    }

    /// Returns the number of distinct games.
    #[must_use]
    pub fn distinct_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Returns the pairs of the first two players, by their results.
    #[must_use]
    pub fn pentanomial(&self) -> Pentanomial {
        self.encounters.get(&[0, 1]).map_or_else(Pentanomial::default, |encounter| encounter.pentanomial)
    }

    /// Returns the [ratings](super::ratings) of the players in Elo, by player number. Their mean is
    /// 0.
    #[must_use]
    pub fn ratings(&self) -> Vec<super::elo::Estimate> {
        let results: Vec<_> = self.encounters.iter().map(|(&players, encounter)| encounter.result(players)).collect();
        ratings::fit(self.efforts.len(), &results, &[]).players
    }

    /// Returns a short progress line: the results of the first player in a match, or the number of
    /// games in a tournament.
    #[must_use]
    pub fn one_line(&self, sprt: Option<&Sprt>) -> String {
        if self.efforts.len() > 2 {
            return format!("{} games", self.finished);
        }
        let none = Encounter::default();
        let encounter = self.encounters.get(&[0, 1]).unwrap_or(&none);
        let (Wdl { wins, draws, losses }, points) = (encounter.results(), &encounter.points);
        let (sample, elo) = (encounter.sample(), encounter.sample().elo());
        let elo = elo
            .value
            .zip(elo.error)
            .map_or_else(String::new, |(value, error)| format!(", Elo {value:+.0} ± {error:.0}"));
        let games = if points.count == self.finished { String::new() } else { format!(" in {} games", points.count) };
        let points = points.mean().map_or_else(String::new, |mean| format!(", discs {mean:+.2}{games}"));
        let llr = sprt.map_or_else(String::new, |sprt| {
            let [lower, upper] = sprt.bounds();
            format!(", LLR {:.2} ({lower:.2} to {upper:.2})", sprt.llr(&sample))
        });
        format!("W {wins} D {draws} L {losses}{points}{elo}{llr}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use morello_core::game::any_game;
    use morello_core::othello;

    use super::*;
    use crate::tournament::openings::Opening;

    /// Returns a game with this score for Black; `None` for a game that Black forfeited.
    fn record(game: u64, black_points: Option<i32>) -> FinishedGame {
        let winner = match black_points {
            Some(0) => None,
            Some(1..) => Some(Color::Black),
            _ => Some(Color::White),
        };
        let effort =
            Effort { moves: 2, nodes: 5, moves_with_nodes: 1, time: Duration::from_millis(game), ..Effort::default() };
        let effort = Effort { longest: effort.time, ..effort };
        let played = Opening::of(&any_game::<othello::Position>().random_game(game / 3, 3));
        FinishedGame {
            game,
            opening: game as usize / 2,
            players: if game.is_multiple_of(2) { [0, 1] } else { [1, 0] },
            start: played.start,
            moves: played.moves,
            opening_plies: 1,
            notes: Vec::new(),
            date: None,
            winner,
            black_points,
            end_reason: if black_points.is_some() { EndReason::Rules } else { EndReason::Timeout },
            problem: None,
            conversation: vec![],
            efforts: [effort; 2],
        }
    }

    #[test]
    fn sums_saturate() {
        let mut tally = Tally::new(2);
        for game in 0..4 {
            let effort = Effort {
                moves: u64::MAX,
                nodes: u64::MAX,
                moves_with_nodes: u64::MAX,
                depths: u64::MAX,
                moves_with_depth: u64::MAX,
                time: Duration::MAX,
                longest: Duration::MAX,
            };
            tally.add(&FinishedGame { efforts: [effort; 2], ..record(game, Some(i32::MIN)) });
            tally.add(&FinishedGame { efforts: [effort; 2], ..record(game + 4, Some(i32::MAX)) });
        }
        assert_eq!((tally.efforts[1].nodes, tally.efforts[0].time), (u64::MAX, Duration::MAX));
        assert!(tally.one_line(None).starts_with("W 4 D 0 L 4, discs "));
    }

    #[test]
    fn sums_do_not_depend_on_order() {
        // For player 0: +4, +2; -6, 0; its own forfeit, -8; +10 and no second game.
        let games = [(0, Some(4)), (1, Some(-2)), (2, Some(-6)), (3, Some(0)), (4, None), (5, Some(8)), (6, Some(10))];
        for rotation in 0..games.len() {
            let mut tally = Tally::new(2);
            let order = games.iter().cycle().skip(rotation).take(games.len());
            order.for_each(|&(game, points)| tally.add(&record(game, points)));
            let encounter = &tally.encounters[&[0, 1]];
            assert_eq!((encounter.results(), tally.games()), (Wdl { wins: 3, draws: 1, losses: 3 }, 7));
            assert_eq!(tally.pentanomial(), Pentanomial { ww: 1, ld: 1, ll: 1, ..Pentanomial::default() });
            assert_eq!((encounter.points.count, encounter.points.mean()), (6, Some(2.0 / 6.0)));
            // The pairs with two final scores: +6 and -6.
            assert_eq!((encounter.pair_points.count, encounter.pair_points.standard_error()), (2, Some(6.0)));
            assert_eq!((tally.forfeits.as_slice(), tally.end_reasons[&EndReason::Timeout]), ([1, 0].as_slice(), 1));
            assert_eq!(tally.distinct_games(), 3);
            let effort = tally.efforts[1];
            assert_eq!((effort.moves, effort.nodes, effort.moves_with_nodes), (14, 35, 7));
            assert_eq!((effort.time, effort.longest), (Duration::from_millis(21), Duration::from_millis(6)));
        }
    }
}
