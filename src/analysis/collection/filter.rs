//! [`GameFilter`]: selects games by their players, event, date, result, ratings, length, opening
//! and positions.

use std::ops::RangeInclusive;
use std::str::FromStr;

use morello_core::game::{AnnotatedGame, Color, Tags};
use thiserror::Error;

use super::{NamePattern, OpeningPattern, PositionPattern};

/// The games to select. A game must match at least one entry of each list; an empty list accepts
/// all games.
///
/// A criterion never matches a game that lacks the information, such as a date.
///
/// ```
/// use morello::collection::GameFilter;
/// use morello::games;
/// use morello::input::read_text;
///
/// let text = "[Black \"Anna\"]\n[White \"Bob\"]\n[Date \"2024.05.01\"]\n[Result \"40-24\"]\n\n1. f5 d6 2. c3 *";
/// let game = read_text(games::get("othello")?, text)?.game;
/// let mut filter = GameFilter::default();
/// filter.players = vec!["anna".parse()?];
/// filter.results = vec!["win".parse()?];
/// filter.years = vec![2020..=2024];
/// assert!(filter.matches(&game));
/// assert_eq!(filter.sides(&game.tags), [true, false]);
/// filter.opponents = vec!["carla".parse()?];
/// assert!(!filter.matches(&game));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameFilter {
    /// Players of either color.
    pub players: Vec<NamePattern>,
    /// The opponents of the [players](Self::players): one side must match `players`, the other
    /// `opponents`.
    pub opponents: Vec<NamePattern>,
    /// Black's names.
    pub black: Vec<NamePattern>,
    /// White's names.
    pub white: Vec<NamePattern>,
    /// The tournaments.
    pub events: Vec<NamePattern>,
    /// The years.
    pub years: Vec<RangeInclusive<u32>>,
    /// The results.
    pub results: Vec<ResultFilter>,
    /// The ratings: the ratings of both players must lie in the same range.
    pub ratings: Vec<RangeInclusive<u32>>,
    /// The number of plies played, including forced passes.
    pub plies: Vec<RangeInclusive<u32>>,
    /// The first moves.
    pub openings: Vec<OpeningPattern>,
    /// Positions that occur in the game.
    pub positions: Vec<PositionPattern>,
}

/// The results to select.
///
/// ```
/// use morello::collection::ResultFilter;
/// use morello::game::Color;
///
/// assert_eq!("black".parse(), Ok(ResultFilter::Winner(Color::Black)));
/// assert_eq!("2..10".parse(), Ok(ResultFilter::Points(2..=10)));
/// let error = "10..2".parse::<ResultFilter>().unwrap_err();
/// assert_eq!(error.to_string(), "the range 10..2 is reversed; use 2..10");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResultFilter {
    /// This side won.
    Winner(Color),
    /// The game was a draw.
    Draw,
    /// A player that matches [`GameFilter::players`] won.
    Win,
    /// A player that matches [`GameFilter::players`] lost.
    Loss,
    /// Black's winning margin, negative if White won: in discs in Othello; 1 for a win in games
    /// without a margin.
    Points(RangeInclusive<i32>),
}

/// An invalid result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResultFilterError {
    /// The text is not a result.
    #[error("expected black, white, draw, win, loss, or Black's points such as `2..10`")]
    Unknown,
    /// A range of points ends before it begins.
    #[error("the range {0}..{1} is reversed; use {1}..{0}")]
    Reversed(i32, i32),
}

impl FromStr for ResultFilter {
    type Err = ResultFilterError;

    fn from_str(text: &str) -> Result<Self, ResultFilterError> {
        let number = |text: &str, open: i32| match text.trim() {
            "" => Ok(open),
            text => text.parse().map_err(|_| ResultFilterError::Unknown),
        };
        Ok(match text.trim().to_ascii_lowercase().as_str() {
            "black" => Self::Winner(Color::Black),
            "white" => Self::Winner(Color::White),
            "draw" => Self::Draw,
            "win" => Self::Win,
            "loss" => Self::Loss,
            "" | ".." => return Err(ResultFilterError::Unknown),
            points => {
                let (from, to) = points.split_once("..").unwrap_or((points, points));
                let range = number(from, i32::MIN)?..=number(to.strip_prefix('=').unwrap_or(to), i32::MAX)?;
                if range.is_empty() {
                    return Err(ResultFilterError::Reversed(*range.start(), *range.end()));
                }
                Self::Points(range)
            }
        })
    }
}

impl GameFilter {
    /// Returns whether a game satisfies every criterion.
    #[must_use]
    pub fn matches(&self, annotated: &AnnotatedGame) -> bool {
        let AnnotatedGame { game, tags, .. } = annotated;
        let is_any = |patterns: &[NamePattern], name: Option<&String>| {
            patterns.is_empty() || name.is_some_and(|name| patterns.iter().any(|pattern| pattern.matches(name)))
        };
        let [black, white] = tags.names.each_ref().map(Option::as_ref);
        let contains = |ranges: &[RangeInclusive<u32>], value: Option<u32>| {
            ranges.is_empty() || value.is_some_and(|value| ranges.iter().any(|range| range.contains(&value)))
        };
        let has_rating = |rating: &Option<f64>, range: &RangeInclusive<u32>| {
            rating.is_some_and(|rating| (f64::from(*range.start())..=f64::from(*range.end())).contains(&rating))
        };
        let has_ratings = |range: &RangeInclusive<u32>| tags.ratings.iter().all(|rating| has_rating(rating, range));
        // The cheapest tests come first.
        contains(&self.plies, Some(game.moves().len() as u32))
            && contains(&self.years, tags.year())
            && (self.ratings.is_empty() || self.ratings.iter().any(&has_ratings))
            && is_any(&self.black, black)
            && is_any(&self.white, white)
            && is_any(&self.events, tags.tournament.as_ref())
            && self.sides(tags).contains(&true)
            && (self.openings.is_empty() || self.openings.iter().any(|opening| opening.matches(game)))
            && (self.positions.is_empty() || self.positions.iter().any(|p| p.plies(game).next().is_some()))
            && (self.results.is_empty() || self.has_result(annotated))
    }

    /// Returns, for Black and White, whether the player matches [`players`](Self::players) and the
    /// opponent matches [`opponents`](Self::opponents).
    #[must_use]
    pub fn sides(&self, tags: &Tags) -> [bool; 2] {
        let is_any = |patterns: &[NamePattern], color: Color| {
            let name = tags.names[color.index()].as_deref();
            patterns.is_empty() || name.is_some_and(|name| patterns.iter().any(|pattern| pattern.matches(name)))
        };
        Color::ALL.map(|color| is_any(&self.players, color) && is_any(&self.opponents, !color))
    }

    fn has_result(&self, game: &AnnotatedGame) -> bool {
        let Some(points) = game.tags.points_or(game.game.points(Color::Black)) else { return false };
        let sides = || self.sides(&game.tags);
        let is_in =
            |range: &RangeInclusive<i32>, score| f64::from(*range.start()) <= score && score <= f64::from(*range.end());
        self.results.iter().any(|result| match result {
            ResultFilter::Winner(Color::Black) => points > 0.0,
            ResultFilter::Winner(Color::White) => points < 0.0,
            ResultFilter::Draw => points == 0.0,
            ResultFilter::Win => sides()[0] && points > 0.0 || sides()[1] && points < 0.0,
            ResultFilter::Loss => sides()[0] && points < 0.0 || sides()[1] && points > 0.0,
            ResultFilter::Points(range) => game.black_score().is_some_and(|score| is_in(range, score)),
        })
    }
}
