//! [`Outcome`]: the result of a game, and [`Wdl`]: the results of several games.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::Color;

/// The result of a finished game.
///
/// ```
/// use morello::game::{Color, Outcome};
///
/// assert_eq!("black".parse(), Ok(Outcome::Win(Color::Black)));
/// assert_eq!(Outcome::Win(Color::Black).to_string(), "Black wins");
/// assert_eq!(format!("{:6}.", Outcome::Draw), "draw  .");
/// assert_eq!("draw".parse::<Outcome>().map(Outcome::winner), Ok(None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// Neither side won.
    Draw,
}

impl Outcome {
    /// Returns the outcome for a final score from the point of view of `side`: a win for the side
    /// with a positive score.
    #[must_use]
    pub fn from_score(score: i32, side: Color) -> Self {
        match score.cmp(&0) {
            Ordering::Greater => Self::Win(side),
            Ordering::Equal => Self::Draw,
            Ordering::Less => Self::Win(!side),
        }
    }

    /// Returns the outcome for the points by which Black won, negative if White won.
    #[must_use]
    pub fn from_black_points(points: f64) -> Self {
        match points {
            points if points > 0.0 => Self::Win(Color::Black),
            points if points < 0.0 => Self::Win(Color::White),
            _ => Self::Draw,
        }
    }

    /// Returns the name in files: `black`, `white` or `draw`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.winner().map_or("draw", Color::name)
    }

    /// Returns the winner; `None` for a draw.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color) => Some(color),
            Self::Draw => None,
        }
    }
}

/// The text is not an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected black, white or draw, found `{0}`")]
pub struct ParseOutcomeError(pub String);

impl FromStr for Outcome {
    type Err = ParseOutcomeError;

    /// Reads a [name](Outcome::name), or what [`Display`](fmt::Display) writes, in any case.
    fn from_str(text: &str) -> Result<Self, ParseOutcomeError> {
        let all = [Self::Win(Color::Black), Self::Win(Color::White), Self::Draw];
        let is_meant = |outcome: &Self| {
            text.eq_ignore_ascii_case(outcome.name()) || text.eq_ignore_ascii_case(&outcome.to_string())
        };
        all.into_iter().find(is_meant).ok_or_else(|| ParseOutcomeError(text.to_owned()))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Outcome {
    /// Writes the [name](Outcome::name).
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Outcome {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Win(Color::Black) => "Black wins",
            Self::Win(Color::White) => "White wins",
            Self::Draw => "draw",
        })
    }
}

/// Returns the name of a result for a side: `win` for `Greater`, `draw` for `Equal` and `loss` for
/// `Less`.
#[must_use]
pub fn result_name(result: Ordering) -> &'static str {
    match result {
        Ordering::Greater => "win",
        Ordering::Equal => "draw",
        Ordering::Less => "loss",
    }
}

/// Returns the result with this [name](result_name).
#[must_use]
pub fn result_of_name(name: &str) -> Option<Ordering> {
    [Ordering::Greater, Ordering::Equal, Ordering::Less].into_iter().find(|&result| result_name(result) == name)
}

/// The numbers of wins, draws and losses of a side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wdl {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Wdl {
    /// Adds a result: `Greater` is a win, `Less` a loss.
    pub fn add(&mut self, result: Ordering) {
        *match result {
            Ordering::Greater => &mut self.wins,
            Ordering::Equal => &mut self.draws,
            Ordering::Less => &mut self.losses,
        } += 1;
    }

    /// Adds a game, given the points by which the side won, negative for a loss.
    pub fn add_points(&mut self, points: f64) {
        self.add(points.partial_cmp(&0.0).unwrap_or(Ordering::Equal));
    }

    /// Adds other results of the same side.
    pub fn merge(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// Returns the number of results.
    #[must_use]
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points: 1 for a win and 1/2 for a draw.
    #[must_use]
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the points divided by the number of results, from 0 to 1; `None` without results.
    #[must_use]
    pub fn score(self) -> Option<f64> {
        (self.total() > 0).then(|| self.points() / self.total() as f64)
    }

    /// Returns these results from the opponent's point of view.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}
