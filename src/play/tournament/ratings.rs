//! Ratings of several players from the results of all their encounters.
//!
//! The ratings maximize the likelihood of the results, where a difference of `d` Elo gives an
//! expected score of `1 / (1 + 10^(-d/400))` and a draw counts as half a win and half a loss
//! (Bradley and Terry, 1952). As a prior, each player also has one win and one loss against an
//! average player, so that a player with only wins or only losses has a finite rating. The mean of
//! all ratings is 0.
//!
//! The confidence intervals use the observed variance of pairs instead of the model's (Huber's
//! sandwich estimator), because two games from the same opening are not independent, and draws
//! reduce the variance.

use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};

use super::elo::{Estimate, Z_95};

/// The result of two players against each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EncounterResult {
    /// The players, by their numbers.
    pub players: [usize; 2],
    /// The number of games.
    pub games: f64,
    /// The points of the first player: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// The variance of `points`, estimated from the pairs; `None` for that of the model.
    pub variance: Option<f64>,
}

/// The prior: games of each player against an average player, half of them won.
const PRIOR_GAMES: f64 = 2.0;

/// Returns the ratings of `players` players in Elo, with the half widths of their 95 % confidence
/// intervals.
///
/// ```
/// use morello::tournament::ratings::{EncounterResult, fit};
///
/// let result = |players, points| EncounterResult { players, games: 100.0, points, variance: None };
/// let ratings = fit(3, &[result([0, 1], 60.0), result([0, 2], 75.0), result([1, 2], 65.0)]);
/// let elo: Vec<_> = ratings.iter().filter_map(|rating| rating.value).collect();
/// assert!(elo[0] > elo[1] && elo[1] > elo[2]);
/// assert!(elo.iter().sum::<f64>().abs() < 1e-6);
/// ```
#[must_use]
pub fn fit(players: usize, results: &[EncounterResult]) -> Vec<Estimate> {
    let mut ratings = vec![0.0; players];
    let mut inverse = Vec::new();
    // Newton's method on a concave function, with a limited step length.
    for _ in 0..200 {
        let mut gradient: Vec<f64> = ratings.iter().map(|&rating| PRIOR_GAMES * (0.5 - expected(rating))).collect();
        let mut curvature = vec![vec![0.0; players]; players];
        for (player, &rating) in ratings.iter().enumerate() {
            curvature[player][player] = PRIOR_GAMES * spread(rating);
        }
        for &EncounterResult { players: [a, b], games, points, .. } in results {
            let difference = ratings[a] - ratings[b];
            let surplus = points - games * expected(difference);
            gradient[a] += surplus;
            gradient[b] -= surplus;
            add(&mut curvature, [a, b], games * spread(difference));
        }
        inverse = inverted(curvature);
        let step = times(&inverse, &gradient);
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        ratings.iter_mut().zip(&step).for_each(|(rating, step)| *rating += scale * step);
        if longest < 1e-12 {
            break;
        }
    }
    let mut variances = vec![vec![0.0; players]; players];
    for &EncounterResult { players: [a, b], games, variance, .. } in results {
        let by_model = games * spread(ratings[a] - ratings[b]);
        add(&mut variances, [a, b], variance.unwrap_or(by_model));
    }
    let mean = ratings.iter().sum::<f64>() / players as f64;
    let elo = 400.0 / LN_10;
    (0..players)
        .map(|player| {
            // The derivatives of the player's rating, relative to the mean, by each component of
            // the gradient.
            let weights: Vec<f64> = (0..players)
                .map(|i| inverse[player][i] - inverse.iter().map(|row| row[i]).sum::<f64>() / players as f64)
                .collect();
            let variance: f64 = times(&variances, &weights).iter().zip(&weights).map(|(a, b)| a * b).sum();
            let error = Some(Z_95 * variance.max(0.0).sqrt() * elo).filter(|&error| error > 0.0);
            Estimate { value: Some((ratings[player] - mean) * elo), error }
        })
        .collect()
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn spread(difference: f64) -> f64 {
    expected(difference) * expected(-difference)
}

/// Adds the contribution of one encounter to a matrix.
fn add(matrix: &mut [Vec<f64>], [a, b]: [usize; 2], amount: f64) {
    matrix[a][a] += amount;
    matrix[b][b] += amount;
    matrix[a][b] -= amount;
    matrix[b][a] -= amount;
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// Inverts a symmetric, positive definite matrix by Gauss-Jordan elimination, which needs no
/// pivoting here.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        for rows in [&mut matrix, &mut inverse] {
            rows[pivot].iter_mut().for_each(|value| *value *= scale);
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for rows in [&mut matrix, &mut inverse] {
                let of_pivot = rows[pivot].clone();
                rows[row].iter_mut().zip(of_pivot).for_each(|(value, of_pivot)| *value -= factor * of_pivot);
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(players: [usize; 2], games: f64, points: f64) -> EncounterResult {
        EncounterResult { players, games, points, variance: None }
    }

    #[test]
    fn two_ratings_match_the_elo_of_their_score() {
        let ratings = fit(2, &[result([0, 1], 1e6, 0.75e6)]);
        let difference = ratings[0].value.unwrap() - ratings[1].value.unwrap();
        assert!((difference - 190.85).abs() < 0.01, "{difference}");
        assert!((ratings[0].value.unwrap() + ratings[1].value.unwrap()).abs() < 1e-9);
        // 1.96 standard errors of a score of 3/4 in a million games, halved because ratings are
        // relative to the mean of both.
        let error = 1.96 * (400.0 / LN_10) / (1e6f64 * 0.1875).sqrt() / 2.0;
        assert!((ratings[0].error.unwrap() - error).abs() < 1e-4, "{ratings:?}");
    }

    #[test]
    fn recovers_known_ratings() {
        let known = [150.0, 20.0, -30.0, -140.0];
        let score = |a: usize, b: usize| 1.0 / (1.0 + 10f64.powf((known[b] - known[a]) / 400.0));
        let pairs = [[0, 1], [1, 2], [2, 3], [0, 3]];
        let results = pairs.map(|[a, b]| result([a, b], 1e7, 1e7 * score(a, b)));
        for (estimate, known) in fit(4, &results).iter().zip(known) {
            assert!((estimate.value.unwrap() - known).abs() < 0.01, "{estimate:?}, not {known}");
        }
    }

    #[test]
    fn perfect_scores_and_idle_players_have_finite_ratings() {
        let ratings = fit(3, &[result([0, 1], 20.0, 20.0)]);
        let value = |player: usize| ratings[player].value.unwrap();
        assert!(value(0) > 200.0 && value(0) < 1000.0 && value(1) < -200.0 && value(2).abs() < 1.0, "{ratings:?}");
    }

    #[test]
    fn low_pair_variance_narrows_the_interval() {
        let wide = fit(2, &[result([0, 1], 100.0, 50.0)])[0].error.unwrap();
        let narrow =
            fit(2, &[EncounterResult { variance: Some(1.0), ..result([0, 1], 100.0, 50.0) }])[0].error.unwrap();
        assert!((wide / narrow - 5.0).abs() < 1e-9, "{wide} {narrow}");
    }
}
