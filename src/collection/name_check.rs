//! [`NameCheck`]: finds the names in a filter that no game has, and the nearest names of the games.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::pattern::folded;
use super::{GameDatum, GameFilter, NamePattern};
use crate::game::Tags;

/// The maximum number of distinct names compared, of players and of events.
const MAX_NAMES: usize = 1 << 16;

/// The maximum number of names suggested.
const SUGGESTIONS: usize = 3;

/// The least similarity of a suggested name, from 0 to 1.
const LEAST_SIMILARITY: f64 = 0.6;

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameOf {
    /// A player.
    Player,
    /// A tournament, match or place.
    Event,
}

impl NameOf {
    /// Returns the datum that the name is.
    #[must_use]
    pub fn datum(self) -> GameDatum {
        match self {
            Self::Player => GameDatum::Player,
            Self::Event => GameDatum::Event,
        }
    }
}

/// A pattern that matches no name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnmatchedName {
    /// What it is a name of.
    pub of: NameOf,
    /// The pattern.
    pub pattern: NamePattern,
    /// The most similar names in the games, the nearest first. A pattern of a whole name is also similar to longer names.
    pub nearest: Vec<String>,
}

/// Compares the names of games with those in a filter. Several threads may add games.
#[derive(Debug)]
pub struct NameCheck {
    /// Whether every pattern has matched a name.
    is_complete: AtomicBool,
    names: Mutex<CheckedNames>,
}

#[derive(Debug)]
struct CheckedNames {
    unmatched: Vec<(NameOf, NamePattern)>,
    /// The names of players and of events.
    seen: [HashSet<String>; 2],
}

impl NameCheck {
    /// Creates a check of all names in a filter.
    #[must_use]
    pub fn new(filter: &GameFilter) -> Self {
        let players = [&filter.players, &filter.opponents, &filter.black, &filter.white].into_iter().flatten();
        let players = players.map(|pattern| (NameOf::Player, pattern.clone()));
        let events = filter.events.iter().map(|pattern| (NameOf::Event, pattern.clone()));
        let unmatched: Vec<_> = players.chain(events).collect();
        let is_complete = AtomicBool::new(unmatched.is_empty());
        Self { is_complete, names: Mutex::new(CheckedNames { unmatched, seen: Default::default() }) }
    }

    /// Adds the names of a game.
    pub fn add(&self, tags: &Tags) {
        if self.is_complete.load(Ordering::Relaxed) {
            return;
        }
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let CheckedNames { unmatched, seen } = &mut *names;
        let players = tags.names.iter().flatten().map(|name| (NameOf::Player, name));
        for (of, name) in players.chain(tags.tournament.iter().map(|name| (NameOf::Event, name))) {
            let seen = &mut seen[of as usize];
            if !seen.contains(name) {
                unmatched.retain(|(other, pattern)| *other != of || !pattern.matches(name));
                if seen.len() < MAX_NAMES {
                    seen.insert(name.clone());
                }
            }
        }
        self.is_complete.store(unmatched.is_empty(), Ordering::Relaxed);
    }

    /// Returns the patterns that match no name of the games added.
    #[must_use]
    pub fn unmatched(&self) -> Vec<UnmatchedName> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let unmatched = |(of, pattern): &(NameOf, NamePattern)| {
            let seen = &names.seen[*of as usize];
            UnmatchedName { of: *of, pattern: pattern.clone(), nearest: nearest(pattern, seen) }
        };
        names.unmatched.iter().map(unmatched).collect()
    }
}

/// Returns the names nearest to a pattern.
fn nearest(pattern: &NamePattern, names: &HashSet<String>) -> Vec<String> {
    // Compared as integers, which have a total order.
    let rank = |similarity: f64| (similarity * 1e6) as u32;
    let rated = names.iter().map(|name| (Reverse(rank(similarity(pattern.text(), name))), name));
    let mut near: Vec<_> = rated.filter(|(Reverse(rated), _)| *rated >= rank(LEAST_SIMILARITY)).collect();
    near.sort_unstable();
    near.into_iter().take(SUGGESTIONS).map(|(_, name)| name.clone()).collect()
}

/// Returns the similarity, from 0 to 1, of a folded text to a name or to as many consecutive words of it.
fn similarity(text: &str, name: &str) -> f64 {
    let name = folded(name);
    let words: Vec<_> = name.split_whitespace().collect();
    let parts = words.windows(text.split_whitespace().count().max(1)).map(|words| words.join(" "));
    let rated = parts.map(|part| strsim::normalized_damerau_levenshtein(text, &part));
    rated.fold(strsim::normalized_damerau_levenshtein(text, &name), f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(names: [&str; 2], event: &str) -> Tags {
        let names = names.map(|name| Some(name.to_owned()));
        Tags { names, tournament: Some(event.to_owned()), ..Tags::default() }
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
        let check = NameCheck::new(&filter);
        check.add(&tags(["Tamenori Hideshi", "Tastet Marc"], "Cup of Rome"));
        check.add(&tags(["Anna Smith", "Tamanori Ken"], "Paris Open"));
        let found: Vec<_> = check.unmatched().into_iter().map(|u| (u.of, u.pattern.to_string(), u.nearest)).collect();
        let name = |of, pattern: &str, nearest: &[&str]| {
            (of, pattern.to_owned(), nearest.iter().map(|&name| name.to_owned()).collect())
        };
        assert_eq!(
            found,
            [
                name(NameOf::Player, "tamenory", &["Tamenori Hideshi", "Tamanori Ken"]),
                name(NameOf::Player, "=anna", &["Anna Smith"]),
                name(NameOf::Player, "tastet mark", &["Tastet Marc"]),
                name(NameOf::Event, "xyz", &[]),
            ]
        );
        let accented = NameCheck::new(&GameFilter { players: patterns(&["lefevbre"]), ..GameFilter::default() });
        accented.add(&tags(["Lefèbvre", "Anna"], ""));
        assert_eq!(accented.unmatched()[0].nearest, ["Lefèbvre"]);
        check.add(&tags(["Anna", "Tastet Mark"], "XYZ"));
        check.add(&tags(["b", "tamenory"], ""));
        assert_eq!(check.unmatched(), []);
    }
}
