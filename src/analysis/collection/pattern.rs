//! Patterns for names, openings and positions.

use std::fmt;
use std::str::FromStr;

use morello_core::game::{AnyMove, AnyPosition, Game};
use morello_core::sorting;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

/// A pattern for names: part of the name, some of its words in any order, or `=` and the whole name
/// with its words in any order. Case, accents, commas and hyphens are ignored, and `ü` also matches
/// `ue`.
///
/// ```
/// use morello::collection::NamePattern;
///
/// let part: NamePattern = "jose".parse()?;
/// assert!(part.matches("José Smith"));
/// assert!("Keigo Kimura".parse::<NamePattern>()?.matches("Kimura, Keigo"));
/// let whole: NamePattern = "=jose".parse()?;
/// assert!(whole.matches("JOSÉ") && !whole.matches("José Smith"));
/// assert!("".parse::<NamePattern>().is_err());
/// # Ok::<(), morello::collection::NamePatternError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamePattern {
    /// The pattern in lower case, without accents.
    pub(super) text: String,
    /// The same text with `ue` for `ü`.
    spelled_out: String,
    /// Whether the pattern requires the whole name.
    pub is_whole: bool,
}

/// An empty pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected a name or a part of one, such as `smith`, or `=` and the whole name")]
pub struct NamePatternError;

impl NamePattern {
    /// Returns whether the pattern matches a name.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let short = folded(name);
        if self.is_in(&short, &self.text) {
            return true;
        }
        // The pattern or the name may be spelled out.
        let is_spelled_out = self.spelled_out != self.text && self.is_in(&short, &self.spelled_out);
        is_spelled_out || (!name.is_ascii() && self.is_in(&folded(&spelled_out(name)), &self.text))
    }

    fn is_in(&self, name: &str, text: &str) -> bool {
        if self.is_whole {
            name == text || sorted_words(name) == sorted_words(text)
        } else {
            name.contains(text) || has_words(name, text)
        }
    }
}

/// Returns whether each word of a text is part of a different word of a name.
fn has_words(name: &str, text: &str) -> bool {
    let (mut names, mut texts) = (sorted_words(name), sorted_words(text));
    // Long words first, because a short word may be part of several words.
    sorting::sort_by(&mut texts, &|a, b| b.len().cmp(&a.len()));
    let mut take = |text: &str| {
        let found = names.iter().position(|name| name.contains(text));
        found.map(|at| names.swap_remove(at)).is_some()
    };
    texts.len() > 1 && texts.iter().all(|text| take(text))
}

/// Returns the words of a name, without commas and hyphens, in alphabetical order.
pub(super) fn sorted_words(name: &str) -> Vec<&str> {
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, ',' | '-')).filter(|word| !word.is_empty());
    let mut words: Vec<_> = words.collect();
    sorting::sort_by(&mut words, &Ord::cmp);
    words
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_whole { "=" } else { "" }, self.text)
    }
}

impl FromStr for NamePattern {
    type Err = NamePatternError;

    fn from_str(text: &str) -> Result<Self, NamePatternError> {
        let text = text.trim();
        let (is_whole, name) = text.strip_prefix('=').map_or((false, text), |name| (true, name));
        let (text, spelled_out) = (folded(name.trim()), folded(&spelled_out(name.trim())));
        if text.is_empty() { Err(NamePatternError) } else { Ok(Self { text, spelled_out, is_whole }) }
    }
}

/// Returns a name in which letters with marks are spelled out, such as `ue` for `ü`.
fn spelled_out(name: &str) -> String {
    name.nfc().fold(String::with_capacity(name.len()), |mut spelled, c| {
        match c {
            'ä' | 'Ä' => spelled.push_str("ae"),
            'ö' | 'Ö' | 'ø' | 'Ø' => spelled.push_str("oe"),
            'ü' | 'Ü' => spelled.push_str("ue"),
            'å' | 'Å' => spelled.push_str("aa"),
            c => spelled.push(c),
        }
        spelled
    })
}

/// Returns a name in lower case and without accents.
pub(super) fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let is_accent = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    let mut folded = String::with_capacity(name.len());
    // Recompose: in other scripts, a mark makes a different letter.
    for c in name.nfkd().filter(|c| !is_accent(c)).nfc().flat_map(char::to_lowercase) {
        // Letters that Unicode does not decompose.
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'þ' => folded.push_str("th"),
            // Part of the lower case of `İ`.
            c if is_accent(&c) => {}
            c => folded.push(c),
        }
    }
    folded
}

/// The beginning of a game, up to symmetry: its starting position and its first moves in order.
///
/// ```
/// use morello::collection::OpeningPattern;
/// use morello::games;
/// use morello::input::read_game;
///
/// let othello = games::get("othello")?;
/// let opening = OpeningPattern::new(&read_game(othello, "f5d6c3")?);
/// assert!(opening.matches(&read_game(othello, "d3c5f6f5")?), "an image of the opening");
/// assert!(!opening.matches(&read_game(othello, "f5f6")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningPattern {
    /// The starting position and moves under each symmetry.
    images: Vec<(AnyPosition, Vec<AnyMove>)>,
}

impl OpeningPattern {
    /// Creates a pattern that matches the games that begin like this one.
    #[must_use]
    pub fn new(opening: &Game) -> Self {
        let image = |k| {
            let moves = opening.moves().iter().map(|m| m.transform(k)).collect();
            (opening.start().transform(k), moves)
        };
        let mut images: Vec<(AnyPosition, Vec<AnyMove>)> = Vec::new();
        for image in (0..opening.start().game().info().symmetries).map(image) {
            if !images.contains(&image) {
                images.push(image);
            }
        }
        Self { images }
    }

    /// Returns whether a game begins with the opening, up to symmetry.
    #[must_use]
    pub fn matches(&self, game: &Game) -> bool {
        self.images.iter().any(|(start, moves)| game.moves().starts_with(moves) && game.start() == start)
    }
}

/// A position, up to symmetry.
///
/// ```
/// use morello::collection::PositionPattern;
/// use morello::games;
/// use morello::input::{read_game, read_position};
///
/// let othello = games::get("othello")?;
/// let pattern = PositionPattern::new(&read_position(othello, "f5d6")?);
/// assert_eq!(pattern.plies(&read_game(othello, "d3c5f6")?).collect::<Vec<_>>(), [2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionPattern {
    /// The symmetric images of the position, sorted.
    images: Vec<AnyPosition>,
    empties: Option<u32>,
}

impl PositionPattern {
    /// Creates a pattern that matches all symmetric images of a position.
    #[must_use]
    pub fn new(position: &AnyPosition) -> Self {
        let mut images: Vec<_> = (0..position.game().info().symmetries).map(|k| position.transform(k)).collect();
        sorting::sort_by(&mut images, &Ord::cmp);
        images.dedup();
        Self { images, empties: position.empty_count() }
    }

    /// Returns whether this position is a symmetric image of the pattern's position.
    #[must_use]
    pub fn matches(&self, position: &AnyPosition) -> bool {
        self.images.binary_search(position).is_ok()
    }

    /// Returns, in order, the numbers of plies after which the game reaches the position or a
    /// symmetric image.
    pub fn plies<'a>(&'a self, game: &'a Game) -> impl Iterator<Item = usize> + 'a {
        let positions = game.positions();
        // In games that fill the board, each move fills a square and a pass fills none. So the
        // position cannot occur before the ply with its number of empty squares, and only passes
        // delay it.
        let first = match (game.start().empty_count(), self.empties) {
            (Some(start), Some(empties)) => start.checked_sub(empties).map_or(positions.len(), |plies| plies as usize),
            _ => 0,
        };
        let candidates = positions.iter().enumerate().skip(first);
        let candidates =
            candidates.take_while(|(_, position)| self.empties.is_none() || position.empty_count() >= self.empties);
        candidates.filter(|(_, position)| self.matches(position)).map(|(ply, _)| ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_without_accents_and_case() {
        let names = [
            ("pretendants", "Tournoi des Prétendants"),
            ("PRÉTENDANTS", "tournoi des pretendants"),
            ("=sorensen", "Sørensen"),
            ("=Łukasz", "lukasz"),
            ("strasse", "Große Straße"),
            ("=istanbul", "İstanbul"),
            ("=ångström", "A\u{30a}NGSTRO\u{308}M"),
            ("東京", "東京オープン"),
        ];
        for (pattern, name) in names {
            assert!(pattern.parse::<NamePattern>().unwrap().matches(name), "{pattern} {name}");
        }
        for (pattern, name, matches) in [
            ("Keigo Kimura", "Kimura Keigo", true),
            ("keigo  KIMURA", "Kimura, Keigo", true),
            ("kei kim", "Kimura Keigo", true),
            ("=keigo kimura", "KIMURA Keigo", true),
            ("=kei kimura", "Kimura Keigo", false),
            ("sørensen, åse", "Ase Sorensen", true),
            ("keigo keigo", "Kimura Keigo", false),
            ("keigo smith", "Kimura Keigo", false),
            ("a an", "Anna B", false),
            ("an nna", "Anna Dan", true),
            ("Mueller", "Hans Müller", true),
            ("Müller", "Mueller, Hans", true),
            ("=hans müller", "Mueller, Hans", true),
            ("Muller", "Müller", true),
            ("Muller", "Mueller", false),
            ("soerensen", "Sørensen", true),
            ("Jean Pierre", "Pierre Jean-Luc", true),
            ("=jean-pierre", "Jean Pierre", true),
        ] {
            assert_eq!(pattern.parse::<NamePattern>().unwrap().matches(name), matches, "{pattern} {name}");
        }
        // This mark is not an accent: it makes a different letter.
        assert!(!"か".parse::<NamePattern>().unwrap().matches("が"));
        assert!("\u{301}".parse::<NamePattern>().is_err());
    }
}
