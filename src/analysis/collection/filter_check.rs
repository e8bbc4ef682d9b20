//! [`FilterCheck`]: finds the data and names that a filter asks for but no game has, and suggests
//! similar names.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use morello_core::game::{AnnotatedGame, Color};
use morello_core::sorting;
use serde::{Deserialize, Serialize};

use super::pattern::{folded, sorted_words};
use super::{GameFilter, NamePattern};

/// The maximum number of distinct player names, and of distinct event names, that are compared.
const MAX_NAMES: usize = 1 << 16;

/// The maximum number of names suggested.
const SUGGESTIONS: usize = 3;

/// The minimum similarity of a suggested name, from 0 to 1.
const LEAST_SIMILARITY: f64 = 0.6;

/// Information that some games lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// A pattern that matches no name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnmatchedName {
    /// What the pattern names: a player or an event.
    pub of: GameDatum,
    /// The pattern.
    pub pattern: NamePattern,
    /// The most similar names in the games, the most similar first. A pattern for a whole name also
    /// counts as similar to longer names.
    pub nearest: Vec<String>,
}

/// Compares game data with the criteria of a filter. Several threads may add games.
///
/// ```
/// use morello::collection::{FilterCheck, GameDatum, GameFilter};
/// use morello::game::AnnotatedGame;
/// use morello::games;
///
/// let mut filter = GameFilter::default();
/// filter.players = vec!["smiht".parse()?];
/// filter.years = vec![2024..=2024];
/// let check = FilterCheck::new(&filter);
/// let game = games::get("othello")?.random_game(1, 4);
/// check.add(&AnnotatedGame::with_names(game, ["Anna Smith", "Bob"]));
/// assert_eq!(check.missing(), [GameDatum::Year]);
/// assert_eq!(check.unmatched()[0].nearest, ["Anna Smith"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FilterCheck {
    /// Whether at least one game has met each criterion.
    is_complete: AtomicBool,
    state: Mutex<CheckState>,
}

#[derive(Debug)]
struct CheckState {
    /// The data that the filter uses and no game has so far.
    missing: Vec<GameDatum>,
    unmatched: Vec<(GameDatum, NamePattern)>,
    /// The player names and the event names.
    seen: [HashSet<String>; 2],
}

impl FilterCheck {
    /// Creates a check for a filter.
    #[must_use]
    pub fn new(filter: &GameFilter) -> Self {
        let players = [&filter.players, &filter.opponents, &filter.black, &filter.white].into_iter().flatten();
        let players = players.map(|pattern| (GameDatum::Player, pattern.clone()));
        let events = filter.events.iter().map(|pattern| (GameDatum::Event, pattern.clone()));
        let unmatched: Vec<_> = players.chain(events).collect();
        let has_names = |of| unmatched.iter().any(|&(other, _)| other == of);
        let used = [
            (GameDatum::Player, has_names(GameDatum::Player)),
            (GameDatum::Event, has_names(GameDatum::Event)),
            (GameDatum::Year, !filter.years.is_empty()),
            (GameDatum::Result, !filter.results.is_empty()),
            (GameDatum::Ratings, !filter.ratings.is_empty()),
        ];
        let missing: Vec<_> = used.into_iter().filter(|(_, is_used)| *is_used).map(|(datum, _)| datum).collect();
        let is_complete = AtomicBool::new(missing.is_empty());
        Self { is_complete, state: Mutex::new(CheckState { missing, unmatched, seen: Default::default() }) }
    }

    /// Adds a game.
    pub fn add(&self, game: &AnnotatedGame) {
        if self.is_complete.load(Ordering::Relaxed) {
            return;
        }
        let mut state = self.lock();
        let CheckState { missing, unmatched, seen } = &mut *state;
        missing.retain(|datum| !has(game, *datum));
        let players = game.tags.names.iter().flatten().map(|name| (GameDatum::Player, name));
        for (of, name) in players.chain(game.tags.tournament.iter().map(|name| (GameDatum::Event, name))) {
            let seen = &mut seen[of as usize];
            if !unmatched.is_empty() && !seen.contains(name) {
                unmatched.retain(|(other, pattern)| *other != of || !pattern.matches(name));
                if seen.len() < MAX_NAMES {
                    seen.insert(name.clone());
                }
            }
        }
        self.is_complete.store(missing.is_empty() && unmatched.is_empty(), Ordering::Relaxed);
    }

    /// Returns the data that the filter uses and no game has.
    #[must_use]
    pub fn missing(&self) -> Vec<GameDatum> {
        self.lock().missing.clone()
    }

    /// Returns the name patterns that match no name in the games. If no game has names of the kind,
    /// [`missing`](Self::missing) reports the kind instead.
    #[must_use]
    pub fn unmatched(&self) -> Vec<UnmatchedName> {
        let CheckState { missing, unmatched, seen } = &*self.lock();
        let unmatched = unmatched.iter().filter(|(of, _)| !missing.contains(of));
        let name = |(of, pattern): &(GameDatum, NamePattern)| UnmatchedName {
            of: *of,
            pattern: pattern.clone(),
            nearest: nearest(pattern, &seen[*of as usize]),
        };
        unmatched.map(name).collect()
    }

    fn lock(&self) -> MutexGuard<'_, CheckState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Returns the names most similar to a pattern.
fn nearest(pattern: &NamePattern, names: &HashSet<String>) -> Vec<String> {
    // Compared as integers, which have a total order.
    let rank = |similarity: f64| (similarity * 1e6) as u32;
    let rated = names.iter().map(|name| (Reverse(rank(similarity(&pattern.text, name))), name));
    let mut near: Vec<_> = rated.filter(|(Reverse(rated), _)| *rated >= rank(LEAST_SIMILARITY)).collect();
    sorting::sort_by(&mut near, &Ord::cmp);
    near.into_iter().take(SUGGESTIONS).map(|(_, name)| name.clone()).collect()
}

/// Returns the similarity, from 0 to 1, of a folded text to a name with its words in any order, or
/// to the same number of consecutive words of the name.
fn similarity(text: &str, name: &str) -> f64 {
    let name = folded(name);
    let words: Vec<_> = name.split_whitespace().collect();
    let parts = words.windows(text.split_whitespace().count().max(1)).map(|words| words.join(" "));
    let in_order = [text, &name].map(|name| sorted_words(name).join(" "));
    let rated = parts.map(|part| strsim::normalized_damerau_levenshtein(text, &part));
    let whole = strsim::normalized_damerau_levenshtein(text, &name);
    rated.fold(whole, f64::max).max(strsim::normalized_damerau_levenshtein(&in_order[0], &in_order[1]))
}

#[cfg(test)]
mod tests {
    use morello_core::game::{Game, Tags, any_game};
    use morello_core::othello;

    use super::*;

    fn game(names: [&str; 2], event: &str) -> AnnotatedGame {
        let names = names.map(|name| Some(name.to_owned()));
        let game = Game::new(any_game::<othello::Position>().start());
        AnnotatedGame {
            tags: Tags { names, tournament: Some(event.to_owned()), ..Tags::default() },
            ..AnnotatedGame::from(game)
        }
    }

    #[test]
    fn names_that_no_game_has_come_with_the_nearest() {
        let patterns = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<_>>();
        let filter = GameFilter {
            players: patterns(&["tamenory", "tastet"]),
            opponents: patterns(&["=anna"]),
            black: patterns(&["tastet mark"]),
            events: patterns(&["xyz", "rome"]),
            ..GameFilter::default()
        };
        let check = FilterCheck::new(&filter);
        check.add(&game(["Tamenori Hideshi", "Tastet Marc"], "Cup of Rome"));
        check.add(&game(["Anna Smith", "Tamanori Ken"], "Paris Open"));
        let found: Vec<_> = check.unmatched().into_iter().map(|u| (u.of, u.pattern.to_string(), u.nearest)).collect();
        let name = |of, pattern: &str, nearest: &[&str]| {
            (of, pattern.to_owned(), nearest.iter().map(|&name| name.to_owned()).collect())
        };
        assert_eq!(
            found,
            [
                name(GameDatum::Player, "tamenory", &["Tamenori Hideshi", "Tamanori Ken"]),
                name(GameDatum::Player, "=anna", &["Anna Smith"]),
                name(GameDatum::Player, "tastet mark", &["Tastet Marc"]),
                name(GameDatum::Event, "xyz", &[]),
            ]
        );
        let accented = FilterCheck::new(&GameFilter { players: patterns(&["lefevbre"]), ..GameFilter::default() });
        accented.add(&game(["Lefèbvre", "Anna"], ""));
        assert_eq!(accented.unmatched()[0].nearest, ["Lefèbvre"]);
        let turned = FilterCheck::new(&GameFilter { players: patterns(&["keigo kimra"]), ..GameFilter::default() });
        turned.add(&game(["Kimura Keigo", "Anna"], ""));
        assert_eq!(turned.unmatched()[0].nearest, ["Kimura Keigo"]);
        check.add(&game(["Anna", "Tastet Mark"], "XYZ"));
        check.add(&game(["b", "tamenory"], ""));
        assert_eq!(check.unmatched(), []);
    }

    #[test]
    fn data_that_no_game_has_hide_their_names() {
        let events = vec!["rome".parse().unwrap()];
        let check = FilterCheck::new(&GameFilter { years: vec![2000..=2001], events, ..GameFilter::default() });
        assert_eq!((check.missing(), check.unmatched()), (vec![GameDatum::Event, GameDatum::Year], Vec::new()));
        check.add(&game(["a", "b"], "Paris"));
        assert_eq!((check.missing(), check.unmatched().len()), (vec![GameDatum::Year], 1));
    }
}
