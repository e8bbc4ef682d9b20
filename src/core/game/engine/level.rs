//! [`Level`]: the strength of a player, by number or by name.
//!
//! A numbered level plays the best move that it finds. A [named level](NamedLevel) is weaker and
//! varied: it scores every move with a shallow search, then draws a move at random such that the
//! expected loss per move stays within a budget. Worse moves are less likely. If all moves are
//! about equally good, all of them are possible.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::{AnyGame, Game, LEVELS, Limits, RandomNumbers, Report, Scoring};

/// The default level of play: on the page and over the protocols.
pub const DEFAULT_LEVEL: Level = Level::Number(5);

/// The strength of a player.
///
/// ```
/// use morello::game::{Level, Limits};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// assert_eq!("7".parse::<Level>()?.limits(othello).depth, Some(7));
/// let casual: Level = "casual".parse()?;
/// assert_eq!(casual.limits(othello), Limits::depth(2).with_lines(usize::MAX));
/// assert!("61".parse::<Level>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// A level from 1 to [`LEVELS`] with the limits of [`AnyGame::level`].
    Number(u32),
    /// A named level.
    Named(&'static NamedLevel),
}

/// A level for humans, weaker than most numbered ones.
#[derive(Debug, PartialEq)]
pub struct NamedLevel {
    /// The name, one word in lower case.
    pub name: &'static str,
    /// The depth, in plies, of the search that scores the moves.
    pub depth: u32,
    /// The maximum expected loss per move, in discs.
    discs: f64,
    /// The same for games that count only wins, as a share of a win.
    wins: f64,
}

impl Eq for NamedLevel {}

/// The named levels, from the weakest. With these budgets most levels score 61 to 71 % against the
/// next weaker one; see `data/results/levels.md`. The novice scores 39 % against a player who
/// always flips the most discs, about the same as random moves (39.2 %), so that a child can win.
pub static NAMED_LEVELS: [NamedLevel; 12] = [
    NamedLevel { name: "novice", depth: 1, discs: 40.0, wins: 0.6 },
    NamedLevel { name: "newcomer", depth: 2, discs: 12.5, wins: 0.34 },
    NamedLevel { name: "beginner", depth: 2, discs: 8.8, wins: 0.265 },
    NamedLevel { name: "learner", depth: 2, discs: 7.0, wins: 0.208 },
    NamedLevel { name: "casual", depth: 2, discs: 5.7, wins: 0.163 },
    NamedLevel { name: "hobbyist", depth: 2, discs: 4.7, wins: 0.128 },
    NamedLevel { name: "amateur", depth: 2, discs: 3.9, wins: 0.1 },
    NamedLevel { name: "improver", depth: 2, discs: 3.2, wins: 0.077 },
    NamedLevel { name: "skilled", depth: 2, discs: 2.7, wins: 0.059 },
    NamedLevel { name: "club", depth: 2, discs: 2.2, wins: 0.045 },
    NamedLevel { name: "strong", depth: 2, discs: 1.7, wins: 0.033 },
    NamedLevel { name: "expert", depth: 2, discs: 1.2, wins: 0.024 },
];

/// A text that is not a level.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a level from 1 to {LEVELS}, or {names}", names = names())]
pub struct ParseLevelError;

/// Returns the names of the named levels, for messages.
fn names() -> String {
    NAMED_LEVELS.each_ref().map(|level| level.name).join(", ")
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        if let Some(level) = NAMED_LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(text)) {
            return Ok(Self::Named(level));
        }
        match text.parse() {
            Ok(number @ 1..=LEVELS) => Ok(Self::Number(number)),
            _ => Err(ParseLevelError),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Named(level) => level.name.fmt(f),
        }
    }
}

impl Level {
    /// Returns the search limits for a move. For a named level, the search scores every move.
    #[must_use]
    pub fn limits(self, game: &dyn AnyGame) -> Limits {
        match self {
            Self::Number(number) => game.level(number).for_move(),
            Self::Named(level) => Limits::depth(level.depth).with_lines(usize::MAX),
        }
    }

    /// Returns the index of the line to play. `scores` are the scores of the lines of a report, in
    /// points, sorted from the highest. Numbered levels choose the first.
    #[must_use]
    pub fn choose(self, scoring: Scoring, scores: &[f64], random: &mut RandomNumbers) -> usize {
        let Self::Named(level) = self else { return 0 };
        let budget = match scoring {
            Scoring::Margin => level.discs,
            Scoring::Distance => level.wins,
        };
        let best = scores.first().copied().unwrap_or_default();
        let losses: Vec<_> = scores.iter().map(|score| best - score).collect();
        let chances = chances(&losses, budget);
        let mut left = unit(random);
        let drawn = chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        drawn.unwrap_or(0)
    }
}

impl Level {
    /// Chooses a line of a report on the current position of a game.
    ///
    /// The same generator draws all moves of a game, so that its seed determines them.
    ///
    /// ```
    /// use morello::game::{EngineOptions, Game, Level, RandomNumbers};
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let game = othello.random_game(1, 10);
    /// let novice: Level = "novice".parse()?;
    /// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&game, &novice.limits(othello));
    /// let mut random = RandomNumbers::new(7);
    /// let mut choose = |level: Level| level.choose_line(&game, &report, &mut random);
    /// let drawn: Vec<_> = (0..4).map(|_| choose(novice)).collect();
    /// assert!(drawn.iter().any(|&line| line > 0), "not always the best move");
    /// assert_eq!(choose(Level::Number(5)), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn choose_line(self, game: &Game, report: &Report, random: &mut RandomNumbers) -> usize {
        let scores: Vec<_> = report.lines.iter().map(|line| line.score.points()).collect();
        self.choose(game.start().game().info().scoring, &scores, random)
    }
}

/// Returns a random number from 0 to below 1.
fn unit(random: &mut RandomNumbers) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns the probability of each move. A move is exp(loss / t) times less likely than the best
/// one, with the largest t for which the expected loss is within the budget. If the budget allows
/// equal probabilities, all moves are equally likely.
fn chances(losses: &[f64], budget: f64) -> Vec<f64> {
    let at = |rate: f64| -> Vec<f64> {
        let weights: Vec<_> = losses.iter().map(|loss| (-loss * rate).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    };
    let expected = |chances: &[f64]| chances.iter().zip(losses).map(|(chance, loss)| chance * loss).sum::<f64>();
    if expected(&at(0.0)) <= budget {
        return at(0.0);
    }
    // The expected loss falls with the rate. A rate of e^10 leaves only the best moves.
    let (mut low, mut high) = (-20.0_f64, 10.0_f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if expected(&at(middle.exp())) > budget { low = middle } else { high = middle }
    }
    at(high.exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_round_trip_through_text() {
        for text in ["1", "60", "novice", "expert"] {
            assert_eq!(text.parse::<Level>().unwrap().to_string(), text);
        }
        assert_eq!("Novice".parse::<Level>().unwrap().to_string(), "novice");
        for text in ["0", "61", "-1", "", "5.5", "novic"] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.starts_with("expected a level from 1 to 60, or novice,"));
        }
    }

    #[test]
    fn the_expected_loss_keeps_to_the_budget() {
        let losses = [0.0, 0.5, 2.0, 8.0, 40.0];
        let mean = losses.iter().sum::<f64>() / 5.0;
        let mut before = f64::INFINITY;
        for budget in [20.0, 9.0, 3.0, 1.0, 0.1, 0.001] {
            let chances = chances(&losses, budget);
            let expected: f64 = chances.iter().zip(losses).map(|(chance, loss)| chance * loss).sum();
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(chances.windows(2).all(|pair| pair[0] >= pair[1]), "worse moves are never likelier: {chances:?}");
            assert!(expected <= budget + 1e-9 && expected <= before, "{budget}: {expected}");
            assert!(expected > budget.min(mean) * 0.99, "the budget is used: {budget}, {expected}");
            before = expected;
        }
        // Equal moves are equally likely, whatever the budget.
        assert!(chances(&[0.0, 0.0, 30.0], 1e-6)[..2].iter().all(|chance| (chance - 0.5).abs() < 1e-6));
    }

    #[test]
    fn draws_each_move_as_often_as_its_chance() {
        let level = Level::Named(&NAMED_LEVELS[6]);
        let scores = [4.0, 2.0, -3.0, -20.0];
        let wanted = chances(&[0.0, 2.0, 7.0, 24.0], NAMED_LEVELS[6].discs);
        let mut random = RandomNumbers::new(7);
        let mut counts = [0_u32; 4];
        (0..20_000).for_each(|_| counts[level.choose(Scoring::Margin, &scores, &mut random)] += 1);
        for (count, chance) in counts.into_iter().zip(wanted) {
            assert!((f64::from(count) / 20_000.0 - chance).abs() < 0.015, "{counts:?}");
        }
        assert!(counts[3] < counts[1]);
        assert_eq!(Level::Number(5).choose(Scoring::Margin, &scores, &mut random), 0);
    }

    #[test]
    fn named_levels_become_stronger() {
        for pair in NAMED_LEVELS.windows(2) {
            assert!(pair[0].discs > pair[1].discs && pair[0].wins > pair[1].wins && pair[0].depth <= pair[1].depth);
        }
    }
}
