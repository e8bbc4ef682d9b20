//! [`DataCheck`]: finds the criteria of a filter on data that no game has.

use std::sync::atomic::{AtomicBool, Ordering};

use super::GameFilter;
use crate::game::{AnnotatedGame, Color};

/// A datum of games that some lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameDatum {
    /// The name of a player.
    Player,
    /// The tournament, match or place.
    Event,
    /// The year.
    Year,
    /// The result.
    Result,
    /// The ratings of both players.
    Ratings,
}

/// Checks that some game has the data of each criterion in a filter. Several threads may add games.
#[derive(Debug)]
pub struct DataCheck(Vec<(GameDatum, AtomicBool)>);

impl DataCheck {
    /// Creates a check of the data in a filter.
    #[must_use]
    pub fn new(filter: &GameFilter) -> Self {
        let players = [&filter.players, &filter.opponents, &filter.black, &filter.white];
        let used = [
            (GameDatum::Player, players.iter().any(|names| !names.is_empty())),
            (GameDatum::Event, !filter.events.is_empty()),
            (GameDatum::Year, !filter.years.is_empty()),
            (GameDatum::Result, !filter.results.is_empty()),
            (GameDatum::Ratings, !filter.ratings.is_empty()),
        ];
        let used = used.into_iter().filter(|(_, is_used)| *is_used);
        Self(used.map(|(datum, _)| (datum, AtomicBool::new(false))).collect())
    }

    /// Adds a game.
    pub fn add(&self, game: &AnnotatedGame) {
        for (datum, is_known) in &self.0 {
            if !is_known.load(Ordering::Relaxed) && has(game, *datum) {
                is_known.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Returns the data in the filter that none of the games has.
    #[must_use]
    pub fn missing(&self) -> Vec<GameDatum> {
        self.0.iter().filter(|(_, is_known)| !is_known.load(Ordering::Relaxed)).map(|(datum, _)| *datum).collect()
    }
}

/// Returns whether a game has a datum.
fn has(AnnotatedGame { game, tags, .. }: &AnnotatedGame, datum: GameDatum) -> bool {
    match datum {
        GameDatum::Player => tags.names.iter().any(Option::is_some),
        GameDatum::Event => tags.tournament.is_some(),
        GameDatum::Year => tags.year().is_some(),
        GameDatum::Result => tags.points_or(game.points(Color::Black)).is_some(),
        GameDatum::Ratings => tags.ratings.iter().all(Option::is_some),
    }
}
