//! Player names, and what is written next to them.

use crate::game::Color;
use crate::game::format::color_words::{color_mark, color_word};

/// The words and marks between the names of two players.
const BETWEEN: &str = " vs. | vs | v. | v | versus | gegen | contre | contra | contro | tegen | mod | mot | x | \u{2014} |\
     \u{2013} | \u{2212} | - |\t|\u{2014}|\u{2013}";

/// The largest number of discs, and the largest rating.
const MAX_DISCS: f64 = 64.0;
const MAX_RATING: f64 = 4000.0;

/// A name, and what is written next to it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Player<'a> {
    pub name: &'a str,
    pub color: Option<Color>,
    pub rating: Option<(f64, &'a str)>,
    /// The discs in brackets after the name.
    pub discs: Option<(f64, &'a str)>,
    /// The name without the number after it. The number may be part of the name or the discs.
    pub bare: Option<(&'a str, (f64, &'a str))>,
}

impl<'a> Player<'a> {
    /// Reads a name with a color, a rating and discs in brackets, `Anna (B, 1800)`, or a color
    /// before it, `● Anna`.
    pub fn new(text: &'a str) -> Self {
        let mut player = Player { name: trimmed(text), ..Self::default() };
        player.color_before();
        let inner = player.name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
        player.name = inner.filter(|name| name.contains(char::is_alphabetic)).unwrap_or(player.name);
        while let Some((before, inner)) = last_group(player.name)
            && player.take(inner)
        {
            player.name = trimmed(before);
        }
        if let Some((name, digits)) = player.name.rsplit_once(' ')
            && let Some(number) = number(digits)
        {
            player.number_behind(trimmed(name), (number, digits));
        } else if let Some(discs) = number(player.name).filter(|discs| *discs <= MAX_DISCS) {
            (player.name, player.discs) = ("", Some((discs, player.name)));
        }
        player
    }

    /// Reads a number without brackets after a name. After a color it is the discs, not part of the
    /// name: `White 24`, `Anna (white) 24`.
    fn number_behind(&mut self, name: &'a str, number: (f64, &'a str)) {
        let before = Self::new(name);
        match color_word(name) {
            _ if number.0 > MAX_DISCS => self.bare = Some((name, number)),
            Some(color) => *self = Player { color: Some(color), discs: Some(number), ..Self::default() },
            None if before.color.is_some() => *self = Player { discs: Some(number), ..before },
            None => self.bare = Some((name, number)),
        }
    }

    fn color_before(&mut self) {
        let after_group = self.name.strip_prefix('(').and_then(|name| name.split_once(')'));
        let mark = self.name.chars().next().filter(|mark| "●⚫○⚪".contains(*mark));
        let before = after_group.or_else(|| mark.map(|mark| self.name.split_at(mark.len_utf8())));
        if let Some((mark, name)) = before
            && let Some(color) = color_mark(mark.trim())
            && !trimmed(name).is_empty()
        {
            (self.color, self.name) = (Some(color), trimmed(name));
        }
    }

    /// Reads the words in brackets after the name, if all of them are understood.
    fn take(&mut self, inner: &'a str) -> bool {
        let mut taken = *self;
        let mut words = inner.split([',', ';', '/', ' ']).filter(|word| !word.is_empty()).peekable();
        let is_known = words.peek().is_some()
            && words.all(|word| match (color_mark(word), number(word)) {
                (Some(color), _) => taken.color.replace(color).is_none(),
                (None, Some(discs)) if discs <= MAX_DISCS => taken.discs.replace((discs, word)).is_none(),
                (None, Some(rating)) => taken.rating.replace((rating, word)).is_none(),
                (None, None) => false,
            });
        if is_known {
            *self = taken;
        }
        is_known
    }
}

/// Reads a number, possibly with a fraction, that is not too large for a rating.
fn number(word: &str) -> Option<f64> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = word.parse().ok().filter(|number: &f64| is_number && *number <= MAX_RATING)?;
    (number.fract() == 0.0 || number > MAX_DISCS).then_some(number)
}

/// Splits the text in brackets at the end of a name.
fn last_group(name: &str) -> Option<(&str, &str)> {
    let inner = name.strip_suffix([')', ']'])?;
    inner.rsplit_once(['(', '['])
}

/// Splits the names of two players, and the text around them between commas and dashes. Returns
/// `None` if a part contains no two names, or can be split in several ways.
pub(super) fn split_names(part: &str) -> Option<(Vec<&str>, [&str; 2])> {
    let split = BETWEEN.split('|').find_map(|between| {
        let (first, second) = part.split_once(between)?;
        (!second.contains(between)).then_some((first, second))
    });
    // `Anna(B)-Bob(W)`
    let split = split.or_else(|| Some((&part[..=part.find(")-")?], part.split_once(")-")?.1)));
    let (first, second) = split?;
    let (mut outer, mut names, dash) = (Vec::new(), [first, second], " - ");
    if let Some((before, name)) = first.rsplit_once(dash) {
        outer.push(before);
        names[0] = name;
    }
    if let Some((name, after)) = second.split_once(dash) {
        outer.push(after);
        names[1] = name;
    }
    let names = balanced(names, &mut outer);
    let is_name = |name: &&str| name.contains(char::is_alphabetic);
    names.iter().all(is_name).then_some((outer, names))
}

/// Removes text before or after the names of two players until both names have the same number of
/// commas.
pub(super) fn balanced<'a>(mut names: [&'a str; 2], outer: &mut Vec<&'a str>) -> [&'a str; 2] {
    // `Kimura, Keigo - Tanaka, Hiroki` are two names, but `Hamburg, Anna - Maria` begins with a
    // place.
    let count = |name: &str| commas(name).count();
    while count(names[0]) > count(names[1])
        && let Some(at) = commas(names[0]).next()
    {
        let (before, name) = names[0].split_at(at);
        outer.push(before);
        names[0] = &name[1..];
    }
    while count(names[1]) > count(names[0])
        && let Some(at) = commas(names[1]).last()
    {
        let (name, after) = names[1].split_at(at);
        outer.push(&after[1..]);
        names[1] = name;
    }
    names.map(str::trim)
}

/// Returns whether the text names two players.
pub(super) fn are_two(text: &str) -> bool {
    split_names(text).is_some()
}

/// Removes a word between names from the end of a value, as in `White: Anna vs Black: Bob`.
pub(super) fn without_between(value: &str) -> &str {
    let mut words = BETWEEN.split('|').map(str::trim_end).filter(|word| word.starts_with(' '));
    words.find_map(|word| value.trim_end().strip_suffix(word)).unwrap_or(value)
}

/// Returns the places of the commas in a name that are neither in brackets nor before initials.
fn commas(name: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0;
    name.char_indices().filter_map(move |(at, c)| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        let after = name[at..].trim_start_matches(',').split(['(', '[', ',']).next().unwrap_or_default();
        (c == ',' && depth == 0 && !are_initials(after)).then_some(at)
    })
}

/// Returns whether the text is initials: `J.`, `J. R.`, `J`.
fn are_initials(text: &str) -> bool {
    let is_initial = |word: &str| {
        let mut letters = word.trim_end_matches('.').chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
    };
    !text.trim().is_empty() && text.split_whitespace().all(is_initial)
}

/// Removes blanks and the marks around a part.
pub(super) fn trimmed(part: &str) -> &str {
    part.trim_matches(|c: char| c.is_whitespace() || ",;:|=#*~>•_\"“”„\u{2013}\u{2014}\u{2212}-/".contains(c))
}
