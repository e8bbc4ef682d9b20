//! [`PlayerTable`]: results by player.

use std::collections::HashMap;

use morello_core::game::{AnnotatedGame, Color};
use morello_core::sorting;

use super::results::{Results, SideResult};

/// The players and result of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    /// The names of Black and White; `None` for a player who is not counted.
    names: [Option<String>; 2],
    /// Black's result.
    result: SideResult,
    year: Option<u32>,
}

impl PlayedGame {
    /// Returns the players of a game on the sides that `sides` selects (Black, White), and the
    /// result.
    #[must_use]
    pub fn new(game: AnnotatedGame, sides: [bool; 2]) -> Self {
        let (year, result) = (game.tags.year(), SideResult::of(&game, Color::Black));
        let mut names = game.tags.names;
        for (name, is_counted) in names.iter_mut().zip(sides) {
            *name = name.take().filter(|_| is_counted);
        }
        Self { names, result, year }
    }
}

/// Results by player name.
///
/// Fill it with [`add`](Self::add); [`rows`](Self::rows) returns the results.
///
/// ```
/// use morello::collection::{PlayedGame, PlayerTable};
/// use morello::game::{AnnotatedGame, GameResult};
/// use morello::games;
///
/// let mut table = PlayerTable::default();
/// for (names, points) in [(["Anna", "Bob"], Some(16.0)), (["Bob", "Anna"], None)] {
///     let mut game = AnnotatedGame::with_names(games::get("othello")?.random_game(1, 4), names);
///     game.tags.result = points.map(|points| GameResult { points });
///     table.add(PlayedGame::new(game, [true, true]));
/// }
/// let rows = table.rows(1);
/// assert_eq!((rows[0].name.as_str(), rows[1].name.as_str()), ("Anna", "Bob"));
/// let anna = rows[0].results();
/// assert_eq!((anna.games, anna.known.wins, anna.mean_points()), (2, 1, Some(16.0)));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PlayerTable {
    players: HashMap<String, PlayerRow>,
    unnamed: u64,
}

/// The results of a player.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct PlayerRow {
    /// The name.
    pub name: String,
    /// The results as Black and as White.
    pub sides: [Results; 2],
    /// The years of the first and last game with a date.
    pub years: Option<(u32, u32)>,
}

impl PlayerRow {
    /// Returns the results as Black and as White together.
    #[must_use]
    pub fn results(&self) -> Results {
        let mut results = self.sides[0];
        results.merge(&self.sides[1]);
        results
    }
}

impl PlayerTable {
    /// Adds a game.
    pub fn add(&mut self, game: PlayedGame) {
        let PlayedGame { names, result, year } = game;
        self.unnamed += u64::from(names == [None, None]);
        for (name, color) in names.into_iter().zip(Color::ALL) {
            let Some(name) = name else { continue };
            let player = self.players.entry(name).or_default();
            player.sides[color.index()].add(result.of_side(color));
            if let Some(year) = year {
                let (first, last) = player.years.unwrap_or((year, year));
                player.years = Some((first.min(year), last.max(year)));
            }
        }
    }

    /// Returns the number of games without a name.
    #[must_use]
    pub fn unnamed(&self) -> u64 {
        self.unnamed
    }

    /// Returns the players with at least `min_games` games, in the order of their names.
    #[must_use]
    pub fn rows(self, min_games: u64) -> Vec<PlayerRow> {
        let named = |(name, row)| PlayerRow { name, ..row };
        let mut rows: Vec<_> =
            self.players.into_iter().map(named).filter(|row| row.results().games >= min_games).collect();
        sorting::sort_by(&mut rows, &|a, b| a.name.cmp(&b.name));
        rows
    }
}
