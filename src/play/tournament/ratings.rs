//! Rates several players from the results of all their encounters.
//!
//! The ratings maximize the likelihood of the results in the model of Bradley and Terry (1952). A
//! difference of `d` Elo and the advantage `a` of Black, who moves first, give Black an expected
//! score of `1 / (1 + 10^(-(d + a)/400))`. A draw counts as half a win and half a loss.
//!
//! As a prior, each player also has one draw with each color, divided among its opponents in
//! proportion to the games against them, so that a player with only wins or only losses has a
//! finite rating. The advantage has two draws as its prior.
//!
//! The mean of the ratings is 0, unless some ratings are given. Players belong to one group if
//! games connect them, directly or through other players. Each group has its own mean, and ratings
//! of different groups cannot be compared.
//!
//! The confidence intervals use the observed variance of games, or of pairs where games are paired,
//! instead of the model's variance (Huber's sandwich estimator). Two games from the same opening
//! are not independent, and draws reduce the variance.

use std::f64::consts::LN_10;

use morello_core::game::Wdl;
use serde::{Deserialize, Serialize};

use super::elo::{Estimate, Sample, Z_95};

/// The results of two players against each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EncounterResult {
    /// The players, by their numbers.
    pub players: [usize; 2],
    /// The results of the first player as Black, then as White.
    pub games: [Wdl; 2],
    /// The variance of the first player's points in all games, estimated from the pairs; `None` if
    /// the games are independent.
    pub pair_variance: Option<f64>,
}

/// The prior: the number of draws of each player with each color, and of Black against an equal
/// player.
const PRIOR_DRAWS: f64 = 1.0;
const PRIOR_DRAWS_OF_BLACK: f64 = 2.0;

/// Makes the equations solvable for players without games.
const LEAST_CURVATURE: f64 = 1e-6;

/// Elo per unit of the natural logarithm of the odds.
const SCALE: f64 = 400.0 / LN_10;

/// The maximum number of players for exact intervals, which need an inverse matrix. With more, the
/// interval of a rating assumes that the opponents' ratings are exact.
const MAX_EXACT_PLAYERS: usize = 300;

/// The relative error of solved equations.
const TOLERANCE: f64 = 1e-8;

/// The ratings of players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ratings {
    /// The players' ratings in Elo, by player number, with half the width of their 95 % confidence
    /// intervals. A given rating has no interval.
    pub players: Vec<Estimate>,
    /// Black's advantage in Elo.
    pub advantage: Estimate,
    /// The group of each player, identified by the number of the group's first player. Games
    /// connect the players of a group.
    pub groups: Vec<usize>,
}

/// Rates `players` players. `anchors` are players with given ratings.
///
/// ```
/// use morello::game::Wdl;
/// use morello::tournament::ratings::{EncounterResult, fit};
///
/// let result = |players, wins| {
///     let games = [Wdl { wins, draws: 0, losses: 50 - wins }; 2];
///     EncounterResult { players, games, pair_variance: None }
/// };
/// let results = [result([0, 1], 30), result([0, 2], 38), result([1, 2], 32)];
/// let elo: Vec<_> = fit(3, &results, &[]).players.iter().filter_map(|rating| rating.value).collect();
/// assert!(elo[0] > elo[1] && elo[1] > elo[2]);
/// assert!(elo.iter().sum::<f64>().abs() < 1e-6);
/// let anchored = fit(3, &results, &[(1, 1500.0)]).players;
/// assert_eq!((anchored[1].value, anchored[1].error), (Some(1500.0), None));
/// ```
///
/// # Panics
/// If the number of a player is out of range.
#[must_use]
pub fn fit(players: usize, results: &[EncounterResult], anchors: &[(usize, f64)]) -> Ratings {
    let model = Model::new(players, results, anchors);
    let mut values = model.start.clone();
    // Newton's method on a concave function, with a limited step length.
    for _ in 0..200 {
        let (gradient, curvature) = model.derivatives(&values);
        let step = model.solve(&curvature, &gradient);
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        values.iter_mut().zip(&step).for_each(|(value, step)| *value += scale * step);
        if longest < 1e-10 {
            break;
        }
    }
    let variances = model.variances(&values);
    let centers = model.group_means(&values);
    let estimate = |value: f64, variance: f64| {
        let error = Some(Z_95 * variance.max(0.0).sqrt() * SCALE).filter(|&error| error > 0.0);
        Estimate { value: Some(value * SCALE), error }
    };
    let rating = |player: usize| match anchors.iter().find(|anchor| anchor.0 == player) {
        Some(&(_, value)) => Estimate { value: Some(value), error: None },
        None => estimate(values[player] - centers[player] + model.center / SCALE, variances[player]),
    };
    let ratings = (0..players).map(rating).collect();
    Ratings { players: ratings, advantage: estimate(values[players], variances[players]), groups: model.groups }
}

/// The likelihood as a function of the ratings and, as the last value, Black's advantage.
struct Model<'a> {
    results: &'a [EncounterResult],
    players: usize,
    /// The mean of the given ratings, in Elo.
    center: f64,
    /// The starting point: given ratings, relative to the center, and otherwise zeros.
    start: Vec<f64>,
    is_given: Vec<bool>,
    /// The prior draws with each color, by encounter.
    priors: Vec<f64>,
    /// The group of each player.
    groups: Vec<usize>,
}

/// The curvature of the likelihood: how fast its gradient falls.
struct Curvature {
    /// The curvature of the prior, for each value.
    prior: Vec<f64>,
    terms: Vec<Term>,
}

/// The games of one player as Black against another. Black's expected points depend on the values
/// through `values[black] - values[white] + advantage`, with this derivative.
struct Term {
    black: usize,
    white: usize,
    factor: f64,
}

impl<'a> Model<'a> {
    fn new(players: usize, results: &'a [EncounterResult], anchors: &[(usize, f64)]) -> Self {
        let center = anchors.iter().map(|anchor| anchor.1).sum::<f64>() / anchors.len().max(1) as f64;
        let (mut start, mut is_given) = (vec![0.0; players + 1], vec![false; players + 1]);
        for &(player, rating) in anchors {
            (start[player], is_given[player]) = ((rating - center) / SCALE, true);
        }
        let (mut games, mut groups) = (vec![0.0; players], (0..players).collect::<Vec<_>>());
        let of_both = |result: &EncounterResult| (result.games[0].total() + result.games[1].total()) as f64;
        for result in results {
            let [a, b] = result.players;
            games[a] += of_both(result);
            games[b] += of_both(result);
            let (a, b) = (first_of_group(&mut groups, a), first_of_group(&mut groups, b));
            groups[a.max(b)] = a.min(b);
        }
        for player in 0..players {
            groups[player] = first_of_group(&mut groups, player);
        }
        let share = |result: &EncounterResult| {
            let [a, b] = result.players.map(|player| of_both(result) / games[player].max(1.0));
            PRIOR_DRAWS * (a + b) / 2.0
        };
        Self { results, players, center, start, is_given, priors: results.iter().map(share).collect(), groups }
    }

    /// Returns, for each player, the mean of its group's values; 0 in a group with given ratings.
    fn group_means(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0, false); self.players];
        for (player, &group) in self.groups.iter().enumerate() {
            let (sum, count, has_given) = &mut sums[group];
            (*sum, *count, *has_given) = (*sum + values[player], *count + 1.0, *has_given || self.is_given[player]);
        }
        let mean = |&group: &usize| match sums[group] {
            (_, _, true) => 0.0,
            (sum, count, false) => sum / count,
        };
        self.groups.iter().map(mean).collect()
    }

    /// Returns Black, White, the number of games and Black's points, for both orders of the players
    /// of each encounter. The prior is included.
    fn sides(&self) -> impl Iterator<Item = (usize, usize, f64, f64)> {
        self.results.iter().zip(&self.priors).flat_map(|(result, prior)| {
            let ([a, b], [black, white]) = (result.players, result.games);
            let side = |black, white, results: Wdl| {
                (black, white, results.total() as f64 + prior, results.points() + prior / 2.0)
            };
            [side(a, b, black), side(b, a, white.reversed())]
        })
    }

    /// Returns the difference that determines Black's expected score.
    fn difference(&self, values: &[f64], black: usize, white: usize) -> f64 {
        values[black] - values[white] + values[self.players]
    }

    /// Returns the gradient and the curvature at these values.
    fn derivatives(&self, values: &[f64]) -> (Vec<f64>, Curvature) {
        let advantage = values[self.players];
        let mut gradient: Vec<f64> = values.iter().map(|&value| -LEAST_CURVATURE * value).collect();
        let mut prior = vec![LEAST_CURVATURE; values.len()];
        gradient[self.players] = PRIOR_DRAWS_OF_BLACK * (0.5 - expected(advantage));
        prior[self.players] = PRIOR_DRAWS_OF_BLACK * spread(advantage);
        let mut terms = Vec::with_capacity(2 * self.results.len());
        for (black, white, games, points) in self.sides() {
            let difference = self.difference(values, black, white);
            self.add(&mut gradient, black, white, points - games * expected(difference));
            terms.push(Term { black, white, factor: games * spread(difference) });
        }
        (gradient, Curvature { prior, terms })
    }

    /// Adds an amount in the direction of a difference, except to given ratings.
    fn add(&self, sum: &mut [f64], black: usize, white: usize, amount: f64) {
        for (at, sign) in [(black, 1.0), (white, -1.0), (self.players, 1.0)] {
            if !self.is_given[at] {
                sum[at] += sign * amount;
            }
        }
    }

    /// Multiplies the curvature by a vector.
    fn times(&self, Curvature { prior, terms }: &Curvature, vector: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> = vector.iter().zip(prior).map(|(value, prior)| prior * value).collect();
        for &Term { black, white, factor } in terms {
            let along = self.difference(vector, black, white);
            self.add(&mut product, black, white, factor * along);
        }
        product
    }

    /// Returns the diagonal of the curvature.
    fn diagonal(&self, Curvature { prior, terms }: &Curvature) -> Vec<f64> {
        let mut diagonal = prior.clone();
        for &Term { black, white, factor } in terms {
            [black, white, self.players].iter().for_each(|&at| diagonal[at] += factor);
        }
        diagonal
    }

    /// Solves the linear equations of a Newton step by conjugate gradients, with the diagonal as
    /// preconditioner.
    fn solve(&self, curvature: &Curvature, gradient: &[f64]) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let of_free = |(at, &value): (usize, &f64)| if self.is_given[at] { 0.0 } else { value };
        let mut rest: Vec<f64> = gradient.iter().enumerate().map(of_free).collect();
        let diagonal = self.diagonal(curvature);
        let scaled = |rest: &[f64]| rest.iter().zip(&diagonal).map(|(rest, scale)| rest / scale).collect::<Vec<_>>();
        let mut direction = scaled(&rest);
        let mut square = dot(&rest, &direction);
        let goal = square * TOLERANCE * TOLERANCE;
        let mut solution = vec![0.0; rest.len()];
        for _ in 0..10 * rest.len() {
            if square <= goal {
                break;
            }
            let product = self.times(curvature, &direction);
            let length = square / dot(&direction, &product);
            solution.iter_mut().zip(&direction).for_each(|(value, step)| *value += length * step);
            rest.iter_mut().zip(&product).for_each(|(value, step)| *value -= length * step);
            let next = scaled(&rest);
            let next_square = dot(&rest, &next);
            direction.iter_mut().zip(&next).for_each(|(value, next)| *value = next + next_square / square * *value);
            square = next_square;
        }
        solution
    }

    /// Returns the variances of the values, relative to the mean if there are no given ratings.
    fn variances(&self, values: &[f64]) -> Vec<f64> {
        let (_, curvature) = self.derivatives(values);
        let size = self.players + 1;
        if self.players > MAX_EXACT_PLAYERS {
            let (curvature, mut observed) = (self.diagonal(&curvature), vec![0.0; size]);
            for (a, b, [own, other, covariance]) in self.observed(values) {
                [a, b].iter().for_each(|&at| observed[at] += own + other + 2.0 * covariance);
                observed[self.players] += own + other - 2.0 * covariance;
            }
            return observed.iter().zip(&curvature).map(|(observed, curvature)| observed / curvature.powi(2)).collect();
        }
        // The derivatives of a rating, relative to its group's mean, by each component of the
        // gradient. The group as a whole cannot move.
        let row = |at: usize| {
            let mut unit = vec![0.0; size];
            unit[at] = 1.0;
            if at < self.players {
                let means = self.group_means(&unit);
                unit.iter_mut().zip(means).for_each(|(value, mean)| *value -= mean);
            }
            self.solve(&curvature, &unit)
        };
        let rows: Vec<_> = (0..size).map(row).collect();
        let along = |row: &[f64], black: usize, white: usize| {
            let mut weights = vec![0.0; size];
            self.add(&mut weights, black, white, 1.0);
            weights[black] * row[black] + weights[white] * row[white] + weights[self.players] * row[self.players]
        };
        let mut variances = vec![0.0; size];
        for (a, b, [own, other, covariance]) in self.observed(values) {
            for (variance, row) in variances.iter_mut().zip(&rows) {
                // The points of `a` in its games as White are Black's points with the opposite
                // sign.
                let (as_black, as_white) = (along(row, a, b), -along(row, b, a));
                *variance += own * as_black.powi(2) + other * as_white.powi(2) + 2.0 * covariance * as_black * as_white;
            }
        }
        variances
    }

    /// Returns, for every two players, the variances of the first player's points as Black and as
    /// White, and their covariance.
    fn observed(&self, values: &[f64]) -> impl Iterator<Item = (usize, usize, [f64; 3])> {
        self.results.iter().zip(&self.priors).map(|(&result, prior)| {
            let EncounterResult { players: [a, b], games, pair_variance } = result;
            let by_model = |difference: f64, games: &Wdl| games.total() as f64 * spread(difference);
            let differences = [self.difference(values, a, b), self.difference(values, b, a)];
            let [own, other] = [0, 1].map(|color| match variance_of_points(games[color]) {
                variance if variance > 0.0 => variance,
                _ => by_model(differences[color], &games[color]),
            });
            let covariance = pair_variance.map_or(0.0, |of_pairs| (of_pairs - own - other) / 2.0);
            // What the prior adds is as uncertain as games.
            let [prior_own, prior_other] = differences.map(|difference| prior * spread(difference));
            (a, b, [own + prior_own, other + prior_other, covariance])
        })
    }
}

/// Returns the first player in a player's group. `groups` links each player to an earlier one.
fn first_of_group(groups: &mut [usize], player: usize) -> usize {
    let mut first = player;
    while groups[first] != first {
        groups[first] = groups[groups[first]];
        first = groups[first];
    }
    first
}

/// Returns the variance of the points in games that are independent.
fn variance_of_points(games: Wdl) -> f64 {
    Sample::of_games(games).moments().map_or(0.0, |(_, variance)| variance * games.total() as f64)
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn spread(difference: f64) -> f64 {
    expected(difference) * expected(-difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a result with equally many games with each color.
    fn result(players: [usize; 2], games: u64, wins: [u64; 2]) -> EncounterResult {
        let games = wins.map(|wins| Wdl { wins, draws: 0, losses: games / 2 - wins });
        EncounterResult { players, games, pair_variance: None }
    }

    #[test]
    fn two_ratings_match_the_elo_of_their_score() {
        let ratings = fit(2, &[result([0, 1], 2_000_000, [750_000; 2])], &[]);
        let [first, second] = [ratings.players[0], ratings.players[1]];
        let difference = first.value.unwrap() - second.value.unwrap();
        assert!((difference - 190.85).abs() < 0.01, "{difference}");
        assert!((first.value.unwrap() + second.value.unwrap()).abs() < 1e-9);
        assert!(ratings.advantage.value.unwrap().abs() < 1e-6, "{ratings:?}");
        // 1.96 standard errors of a score of 3/4 in two million games, halved because ratings are
        // relative to the mean of both.
        let error = 1.96 * SCALE / (2e6f64 * 0.1875).sqrt() / 2.0;
        assert!((first.error.unwrap() - error).abs() < 1e-4, "{ratings:?}");
    }

    #[test]
    fn recovers_known_ratings_and_the_advantage() {
        let (known, advantage) = ([150.0, 20.0, -30.0, -140.0], 35.0);
        let score = |a: usize, b: usize, color: f64| {
            1.0 / (1.0 + 10f64.powf((known[b] - known[a] - color * advantage) / 400.0))
        };
        let wins = |a, b, color| (1e9 * score(a, b, color)).round() as u64;
        let pairs = [[0, 1], [1, 2], [2, 3], [0, 3]];
        let results = pairs.map(|[a, b]| result([a, b], 2_000_000_000, [wins(a, b, 1.0), wins(a, b, -1.0)]));
        let found = fit(4, &results, &[]);
        for (estimate, known) in found.players.iter().zip(known) {
            assert!((estimate.value.unwrap() - known).abs() < 0.01, "{estimate:?}, not {known}");
        }
        assert!((found.advantage.value.unwrap() - advantage).abs() < 0.01, "{found:?}");
        // Given ratings shift the others with them.
        let anchored = fit(4, &results, &[(0, 2150.0), (3, 1860.0)]);
        for (estimate, known) in anchored.players.iter().zip(known) {
            assert!((estimate.value.unwrap() - known - 2000.0).abs() < 0.01, "{estimate:?}, not {known}");
        }
        assert!(anchored.players[0].error.is_none() && anchored.players[1].error.is_some());
    }

    #[test]
    fn perfect_scores_and_idle_players_have_finite_ratings() {
        let ratings = fit(3, &[result([0, 1], 20, [10, 10])], &[]).players;
        let value = |player: usize| ratings[player].value.unwrap();
        assert!(value(0) > 200.0 && value(0) < 1000.0 && value(1) < -200.0 && value(2).abs() < 1.0, "{ratings:?}");
        // The results alone determine little.
        assert!(ratings[1].error.unwrap() > 150.0, "{ratings:?}");
        assert_eq!(ratings[2].error, None);
        assert!(fit(0, &[], &[]).players.is_empty());
    }

    #[test]
    fn pair_variance_determines_the_interval() {
        let with = |pair_variance| fit(2, &[EncounterResult { pair_variance, ..result([0, 1], 100, [25, 25]) }], &[]);
        // Independent games have the variance 25.
        let (independent, narrow, wide) = (with(None), with(Some(1.0)), with(Some(49.0)));
        let error = |ratings: &Ratings| ratings.players[0].error.unwrap();
        // The prior adds a quarter to each variance.
        let ratio = |a: f64, b: f64| ((a + 0.5) / (b + 0.5)).sqrt();
        assert!((error(&independent) / error(&narrow) - ratio(25.0, 1.0)).abs() < 1e-6, "{independent:?} {narrow:?}");
        assert!((error(&wide) / error(&independent) - ratio(49.0, 25.0)).abs() < 1e-6, "{independent:?} {wide:?}");
        // If both games of a pair go to the same player, the advantage of Black is known well.
        assert!(wide.advantage.error < independent.advantage.error);
        assert!(independent.advantage.error < narrow.advantage.error);
    }

    #[test]
    fn a_chain_is_as_long_as_its_links() {
        // Each player scores 65 % against the next: 107.5 Elo.
        let chain = |players: usize| -> Vec<_> {
            (1..players).map(|player| result([player, player - 1], 200, [65, 65])).collect()
        };
        let ratings = fit(12, &chain(12), &[(0, 0.0)]).players;
        let [first, last] = [1, 11].map(|player| ratings[player]);
        assert!((105.0..108.0).contains(&first.value.unwrap()) && first.error.unwrap() > 45.0, "{first:?}");
        assert!((1165.0..1184.0).contains(&last.value.unwrap()), "{last:?}");
        let growth = last.error.unwrap() / first.error.unwrap();
        assert!((growth - 11f64.sqrt()).abs() < 0.1, "{first:?} {last:?}");
    }

    #[test]
    fn groups_without_common_games_have_their_own_means() {
        let ratings = fit(5, &[result([0, 2], 100, [30, 30]), result([1, 3], 1000, [250, 250])], &[]);
        assert_eq!(ratings.groups, [0, 1, 0, 1, 4]);
        let value = |player: usize| ratings.players[player].value.unwrap();
        assert!((value(0) + value(2)).abs() < 1e-6 && value(0) > 30.0 && value(1).abs() < 1e-3, "{ratings:?}");
        let alone = fit(2, &[result([0, 1], 100, [30, 30])], &[]).players;
        assert!((alone[0].value.unwrap() - value(0)).abs() < 1.0);
        assert!((alone[0].error.unwrap() - ratings.players[0].error.unwrap()).abs() < 1.0, "{ratings:?} {alone:?}");
        let anchored = fit(5, &[result([0, 2], 100, [30, 30]), result([1, 3], 1000, [250, 250])], &[(1, 2000.0)]);
        assert!((anchored.players[3].value.unwrap() - 2000.0).abs() < 1.0, "{anchored:?}");
    }

    #[test]
    fn many_players_have_the_same_ratings_and_narrower_intervals() {
        // Each player meets the next ones in a ring; the opposite side of the ring is far away.
        let results = |players: usize| -> Vec<_> {
            let meet = |a: usize| (1..=8).map(move |step| result([a, (a + step) % players], 20, [6, 4]));
            (0..players).flat_map(meet).collect()
        };
        for (players, errors) in [(MAX_EXACT_PLAYERS, 60.0..70.0), (MAX_EXACT_PLAYERS + 1, 35.0..45.0)] {
            let ratings = fit(players, &results(players), &[]);
            let widest = ratings.players.iter().map(|rating| rating.error.unwrap()).fold(0.0, f64::max);
            assert!(errors.contains(&widest), "{players}: {widest}");
            assert!((69.0..72.0).contains(&ratings.advantage.value.unwrap()), "{:?}", ratings.advantage);
        }
    }
}
