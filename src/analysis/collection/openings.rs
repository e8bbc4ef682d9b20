//! [`OpeningResults`]: results by opening.

use std::cmp::Reverse;
use std::collections::HashMap;

use morello_core::game::{AnnotatedGame, Color, NamedOpening};
use morello_core::sorting;

use super::results::{Results, SideResult};

/// The opening and result of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenedGame {
    /// The last named opening that the game reached.
    opening: Option<&'static NamedOpening>,
    /// The results of the counted sides; `None` for a side that is not counted.
    results: [Option<SideResult>; 2],
    year: Option<u32>,
}

impl OpenedGame {
    /// Returns the last named opening of a game, and the result for each counted side: the sides of
    /// the wanted player, or Black alone. A game counts once per counted side.
    #[must_use]
    pub fn new(game: &AnnotatedGame, sides: [bool; 2]) -> Self {
        let names = game.game.position().game().opening_names();
        Self {
            opening: names.and_then(|names| names.at_ply(&game.game, usize::MAX)),
            results: Color::ALL.map(|side| sides[side.index()].then(|| SideResult::of(game, side))),
            year: game.tags.year(),
        }
    }
}

/// Results by opening.
///
/// ```
/// use morello::collection::{OpenedGame, OpeningResults};
/// use morello::games;
/// use morello::input::read_text;
///
/// let othello = games::get("othello")?;
/// let mut results = OpeningResults::default();
/// for text in ["f5f6e6f4", "f5f6e6d6", "f5d6c3"] {
///     results.add(OpenedGame::new(&read_text(othello, text)?.game, [true, false]));
/// }
/// let rows = results.rows(2);
/// assert_eq!(rows.len(), 1);
/// assert_eq!((rows[0].opening.map(|opening| opening.name), rows[0].results.games), (Some("Diagonal"), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OpeningResults {
    /// By name; `None` for games without a named opening.
    rows: HashMap<Option<&'static str>, OpeningResultsRow>,
    games: u64,
}

/// The results of an opening.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OpeningResultsRow {
    /// The opening; `None` for games without a named opening.
    pub opening: Option<&'static NamedOpening>,
    /// The results of the counted sides.
    pub results: Results,
    /// The share of these games in all games, in percent.
    pub share: f64,
    /// The years of the first and last game with a date.
    pub years: Option<(u32, u32)>,
}

impl OpeningResults {
    /// Adds a game: a result for each counted side.
    pub fn add(&mut self, game: OpenedGame) {
        let OpenedGame { opening, results, year } = game;
        self.games += results.iter().flatten().count() as u64;
        let row = self.rows.entry(opening.map(|opening| opening.name)).or_insert_with(|| OpeningResultsRow {
            opening,
            results: Results::default(),
            share: 0.0,
            years: None,
        });
        results.into_iter().flatten().for_each(|result| row.results.add(result));
        if let Some(year) = year {
            let (first, last) = row.years.unwrap_or((year, year));
            row.years = Some((first.min(year), last.max(year)));
        }
    }

    /// Returns the openings with at least `min_games` games, the most frequent first.
    #[must_use]
    pub fn rows(self, min_games: u64) -> Vec<OpeningResultsRow> {
        let games = self.games as f64;
        let share = |row: OpeningResultsRow| OpeningResultsRow {
            share: super::results::round(100.0 * row.results.games as f64 / games, 1),
            ..row
        };
        let enough = |row: &OpeningResultsRow| row.results.games >= min_games;
        let mut rows: Vec<_> = self.rows.into_values().filter(enough).map(share).collect();
        let key = |row: &OpeningResultsRow| (Reverse(row.results.games), row.opening.map(|opening| opening.name));
        sorting::sort_by(&mut rows, &|a, b| key(a).cmp(&key(b)));
        rows
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::any_game;
    use morello_core::othello;
    use morello_files::input::read_text;

    use super::*;

    #[test]
    fn counts_each_game_for_its_last_opening() {
        let mut table = OpeningResults::default();
        for text in ["f5", "f5d6c3d3c4f4", "d3c5f6f5e6", "f5f6e6d6c5", "f5d6c5f4d3"] {
            let game = read_text(any_game::<othello::Position>(), text).unwrap().game;
            table.add(OpenedGame::new(&game, [true, false]));
        }
        let rows = table.clone().rows(1);
        let name = |row: &OpeningResultsRow| row.opening.map(|opening| opening.name);
        let found: Vec<_> = rows.iter().map(|row| (name(row), row.results.games, row.share)).collect();
        assert_eq!(
            found,
            [(Some("Tiger"), 2, 40.0), (None, 1, 20.0), (Some("Cow"), 1, 20.0), (Some("Horse"), 1, 20.0)]
        );
        assert_eq!(table.rows(2).len(), 1);
    }
}
