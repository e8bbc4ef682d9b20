//! Labels: the names, the date and the result that people write before or after the moves of a
//! game, or in lines before it.
//!
//! ```text
//! 12.05.2024 Anna - Maria 21-43 f5d6c3
//! Game 6: Anna (12) vs. Maria (52): f5d6c3
//! Black: Anna, White: Maria
//! ```
//!
//! What is not understood is returned as [`UnreadText`], never as a name.

use super::date::{find_date, year};
use crate::game::movetext::{is_square_name, marked_number, squares};
use crate::game::{AnnotatedGame, Color, Position, UnreadKind, UnreadText};

/// What a label says about its game.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Label<'a> {
    /// The names, by the index of the color.
    pub names: [Option<String>; 2],
    /// The ratings, by the index of the color.
    pub ratings: [Option<f64>; 2],
    /// The discs behind the names, by the index of the color.
    pub counts: [Option<u32>; 2],
    /// The date: year, month, day and time, as far as they are given.
    pub date: Option<String>,
    /// The result, a slice of the label.
    pub result: Option<&'a str>,
    /// The parts that are none of these, and why.
    pub unread: Vec<(&'a str, UnreadKind)>,
}

impl Label<'_> {
    /// Adds all but the result to a game, whose text contains the label. What the game has already
    /// counts more.
    pub fn add_to<P: Position>(self, text: &str, annotated: &mut AnnotatedGame<P>) {
        let tags = &mut annotated.tags;
        for (own, name) in tags.names.iter_mut().zip(self.names) {
            *own = own.take().or(name);
        }
        for (own, rating) in tags.ratings.iter_mut().zip(self.ratings) {
            *own = own.or(rating);
        }
        tags.date = tags.date.take().or(self.date);
        annotated.unread.extend(self.unread.into_iter().map(|(part, kind)| UnreadText::at(text, part, kind)));
    }
}

/// How to read the labels of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelRules {
    /// The side that is named first.
    pub first: Color,
    /// Recognizes results.
    pub is_result: fn(&str) -> bool,
}

/// The words between the names of two players.
const BETWEEN: [&str; 12] = [
    " vs. ",
    " vs ",
    " v. ",
    " v ",
    " versus ",
    " gegen ",
    " contre ",
    " contra ",
    " \u{2014} ",
    " \u{2013} ",
    " - ",
    "\t",
];

/// The words before the number of a game, a round or a board.
const COUNTED: [&str; 26] = [
    "game", "match", "round", "rd", "board", "table", "no", "nr", "partie", "spiel", "runde", "brett", "tisch",
    "ronde", "tour", "partita", "gioco", "turno", "partida", "juego", "ronda", "jogo", "rodada", "parti", "spel",
    "opening",
];

/// The longest label, in bytes: longer texts are left out as they are, so that the time to read a
/// text does not grow with the square of its length.
const MAX_LABEL: usize = 400;

/// The most places in a line where its moves may begin that are tried.
const MAX_LABELS: usize = 8;

/// Splits a label, such as the names of the players in `Anna - Bob: f5d6`, from the moves after its
/// colon. `begins` is whether a text begins like moves.
///
/// ```
/// use morello::game::label::split_label;
///
/// let begins = |text: &str| text.trim_start().starts_with("f5");
/// assert_eq!(split_label("Anna 40:24 Bob: f5d6", begins), Some(("Anna 40:24 Bob", " f5d6")));
/// assert_eq!(split_label("f5d6", begins), None);
/// ```
#[must_use]
pub fn split_label(text: &str, begins: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let splits = text.char_indices().take_while(|&(at, _)| at <= MAX_LABEL).filter(|&(_, c)| is_strong(c));
    splits.filter_map(|(at, c)| split_at(text, at, c)).find(|&(_, moves)| begins(moves))
}

/// Returns the ways to split a label from moves after it, the likeliest first: after a colon, a bar
/// or a line, then after a blank.
pub(crate) fn labels(text: &str, begins: impl Fn(&str) -> bool + Copy) -> impl Iterator<Item = (&str, &str)> {
    let text = if begins_with_board(text) { "" } else { text };
    let places = move |is_place: fn(char) -> bool| {
        let places = text.char_indices().take_while(|&(at, _)| at <= MAX_LABEL).filter(move |&(_, c)| is_place(c));
        places.filter_map(|(at, c)| split_at(text, at, c)).filter(move |&(_, moves)| begins(moves))
    };
    places(is_strong)
        .chain(
            places(char::is_whitespace)
                .filter(|(label, moves)| begins_after_blank(moves) && (is_wordy(label) || find_date(label).is_some())),
        )
        .take(MAX_LABELS)
}

fn is_strong(c: char) -> bool {
    matches!(c, ':' | '|' | '\n')
}

/// Splits a text at a separator; `None` if what is before it is no label.
fn split_at(text: &str, at: usize, separator: char) -> Option<(&str, &str)> {
    let (label, moves) = (&text[..at], &text[at + separator.len_utf8()..]);
    let words = || label.split(|c: char| !c.is_alphanumeric());
    let is_number = label.trim().bytes().all(|byte| byte.is_ascii_digit());
    let is_of_moves = !is_wordy(label) && words().any(is_square_name);
    // Semicolons and words follow positions, brackets tags and remarks.
    let is_other = label.contains([';', '{', '[']) || label.trim_start().starts_with('(');
    let follows_position = || label.split_whitespace().any(|word| word == "moves" || word == "start");
    let is_inner = separator == ':' && is_between_digits(text, at);
    (!is_number && !is_inner && !is_of_moves && !is_other && !follows_position() && !has_moves(label))
        .then_some((label, moves))
}

/// Returns whether a label has moves: a word of several squares, or a square after another one or
/// after a mark that ends a label.
fn has_moves(label: &str) -> bool {
    let mut is_after = false;
    label.split_whitespace().any(|word| {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        let found: Option<Vec<_>> = name.split(['-', 'x']).map(squares).collect();
        let count = found.map_or(0, |found| found.concat().len());
        let is_run = count > 1 || (count == 1 && is_after);
        is_after = count > 0 || word.ends_with(is_strong);
        is_run
    })
}

/// Returns whether a text after a blank may begin moves: not with a remark or a number but the
/// first, which belong to the label.
fn begins_after_blank(moves: &str) -> bool {
    let has_number = moves.starts_with(|c: char| c.is_ascii_digit());
    !moves.starts_with('(') && (!has_number || moves.starts_with("1.") || moves.starts_with("1)"))
}

/// Returns whether a text has a word of a language, as opposed to moves and boards.
pub(crate) fn is_wordy(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| is_word(word) || is_foreign(word))
}

/// Returns whether a text is a word of a language: of some letters that are not those of a board.
fn is_word(word: &str) -> bool {
    word.chars().nth(1).is_some()
        && word.chars().all(char::is_alphabetic)
        && !word.chars().all(|c| "xobwXOBW".contains(c))
        && !crate::game::is_pass_word(word)
}

/// Returns whether a word has a letter with an accent or of another script: it may be short.
fn is_foreign(word: &str) -> bool {
    word.chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

/// Returns whether words after moves or in a line of their own are a remark: they have a word and
/// no square.
pub(crate) fn is_remark(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| is_foreign(word) || (word.chars().count() > 2 && is_word(word))) && !has_square_or_link(text)
}

fn has_square_or_link(text: &str) -> bool {
    // What follows the colon of a link may be stripped as a comment.
    text.contains("http") || text.split(|c: char| !c.is_alphanumeric()).any(is_square_name)
}

/// Returns the result in parentheses at the end of a list of moves, `f5d6 (40:24)`.
pub(crate) fn result_in_parentheses(moves: &str, is_result: fn(&str) -> bool) -> Option<&str> {
    let (_, inner) = moves.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    Some(inner.trim()).filter(|inner| is_result(inner))
}

/// Returns the color that a word names, perhaps with a mark: `BLACK,`, `white:`.
#[must_use]
pub fn color_word(word: &str) -> Option<Color> {
    let word = word.trim_end_matches([',', ':', '.']);
    [Color::Black, Color::White].into_iter().find(|color| color.name().eq_ignore_ascii_case(word))
}

/// Returns whether a text begins with a board, so that no time is spent on looking for words and
/// moves.
pub(crate) fn begins_with_board(text: &str) -> bool {
    let squares = text.trim_ascii_start().as_bytes().get(..8);
    squares.is_some_and(|squares| squares.iter().all(|square| b"-.XOxo*bwBW_".contains(square)))
}

/// Returns whether a word is mostly of the characters of boards.
fn is_board(word: &str) -> bool {
    let squares = word.chars().filter(|c| "XOxobwBW*-._●○@".contains(*c)).count();
    squares >= 8 && 4 * squares >= 3 * word.chars().count()
}

/// Returns whether a line that is no game or position is a heading: some words, or a name or word
/// with a number or a colon.
///
/// ```
/// use morello::game::label::is_heading;
///
/// assert!(is_heading("My games, spring 2024") && is_heading("Partie 3") && is_heading("Endgames:"));
/// assert!(!is_heading("hello") && !is_heading("f5d6x9") && !is_heading("---OX X"));
/// ```
#[must_use]
pub fn is_heading(text: &str) -> bool {
    let text = text.trim();
    if text.len() > MAX_LABEL || begins_with_board(text) {
        return false;
    }
    let is_text =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || ".,:;!?'\"&/()+-\u{2013}\u{2014}#*=_~’“”„".contains(c);
    let begins = text.starts_with(|c: char| c.is_alphanumeric() || "\"'“„#*=-(".contains(c));
    let is_date = find_date(text).is_some() && !has_square_or_link(text);
    begins
        && (is_remark(text) || is_date)
        && text.chars().all(is_text)
        && !text.split_whitespace().any(is_board)
        && (is_date
            || text.ends_with(':')
            || text.split_whitespace().nth(1).is_some()
            || text.starts_with(|c: char| c.is_uppercase() || !c.is_ascii()))
}

/// Reads a label.
pub(crate) fn read_label(label: &str, rules: LabelRules) -> Label<'_> {
    let mut reader = LabelReader { rules, label: Label::default() };
    if label.len() > MAX_LABEL {
        reader.leave_out(label);
    } else {
        label.split('\n').for_each(|line| reader.line(line));
    }
    reader.label
}

struct LabelReader<'a> {
    rules: LabelRules,
    label: Label<'a>,
}

impl<'a> LabelReader<'a> {
    /// Reads a line: named values, `Black: Anna, White: Bob`, or parts between colons and bars.
    fn line(&mut self, line: &'a str) {
        let keys = named_values(line);
        let Some(first) = keys.first() else { return self.parts(line) };
        self.parts(&line[..first.0]);
        for (number, &(_, key, start)) in keys.iter().enumerate() {
            let end = keys.get(number + 1).map_or(line.len(), |next| next.0);
            self.value(key, trimmed(&line[start..end]));
        }
    }

    fn value(&mut self, key: &str, value: &'a str) {
        match key {
            "black" => self.name(Color::Black, value),
            "white" => self.name(Color::White, value),
            "date" if self.take_date(value) => {}
            "result" | "score" if self.take_result(value) => {}
            _ => self.leave_out(value),
        }
    }

    fn parts(&mut self, line: &'a str) {
        let is_end = |at: usize, c: char| is_strong(c) && !is_between_digits(line, at);
        let mut start = 0;
        for (at, c) in line.char_indices().filter(|&(at, c)| is_end(at, c)).chain([(line.len(), ' ')]) {
            self.part(&line[start..at]);
            start = (at + c.len_utf8()).min(line.len());
        }
    }

    /// Reads a part: a date, a result, a number of a game and the names around them.
    fn part(&mut self, part: &'a str) {
        let part = trimmed(without_hash(part));
        if part.is_empty() || self.take_year(part) {
            return;
        }
        match without_count(part) {
            Some(rest) => self.part(rest),
            None if self.take_date(part) || self.take_result(part) => {}
            None => self.players(part),
        }
    }

    /// Takes a year that stands alone.
    fn take_year(&mut self, part: &str) -> bool {
        let is_year = year(part).is_some();
        if is_year && self.label.date.is_none() {
            self.label.date = Some(part.to_owned());
        }
        is_year
    }

    /// Takes the first date of a part, and then what is around it.
    fn take_date(&mut self, part: &'a str) -> bool {
        let Some((start, len, date)) = find_date(part) else { return false };
        let found = &part[start..start + len];
        match date {
            Some(date) if self.label.date.is_none() => self.label.date = Some(date),
            Some(_) => self.label.unread.push((found, UnreadKind::words(found))),
            None => self.label.unread.push((found, UnreadKind::Date(found.to_owned()))),
        }
        self.part(&part[..start]);
        self.part(&part[start + len..]);
        true
    }

    /// Takes the first result of a part, and then the names around it.
    fn take_result(&mut self, part: &'a str) -> bool {
        let Some((start, len)) = find_result(part, self.rules.is_result).filter(|_| self.label.result.is_none()) else {
            return false;
        };
        self.label.result = Some(&part[start..start + len]);
        let before = trimmed(part[..start].trim_end_matches(['(', '[', ' ']));
        let after = trimmed(part[start + len..].trim_start_matches([')', ']', ' ']));
        let is_name = |text: &str| !text.is_empty() && split_names(text).is_none();
        if is_name(before) && is_name(after) && self.label.names == [None, None] {
            self.pair([before, after]);
        } else {
            self.part(before);
            self.part(after);
        }
        true
    }

    /// Reads the names of two players.
    fn players(&mut self, part: &'a str) {
        match split_names(part).filter(|_| self.label.names == [None, None]) {
            Some((outer, names)) => {
                outer.into_iter().for_each(|text| self.part(text));
                self.pair(names);
            }
            None => self.leave_out(part),
        }
    }

    /// Takes the names of the first and the second player, with the numbers behind them.
    fn pair(&mut self, names: [&'a str; 2]) {
        let [first, second] = names.map(color_after);
        let first_color = first.1.or(second.1.map(Color::opponent)).unwrap_or(self.rules.first);
        let numbers = [first.0, second.0].map(number_after);
        // Bare numbers may belong to the names; those of both players are their discs.
        let bare = [first.0, second.0].map(|name| {
            let (name, digits) = name.rsplit_once(' ')?;
            Some((name, digits.parse::<u32>().ok().filter(|_| digits.len() <= 2)?))
        });
        for (side, color) in [first_color, first_color.opponent()].into_iter().enumerate() {
            match (&numbers[side], &bare) {
                ((name, Some(number)), _) => {
                    self.set_number(color, *number);
                    self.name(color, name);
                }
                (_, [Some(_), Some(_)]) => {
                    let (name, discs) = bare[side].expect("both are numbers");
                    self.label.counts[color.index()] = Some(discs);
                    self.name(color, name);
                }
                ((name, None), _) => self.name(color, name),
            }
        }
    }

    fn name(&mut self, color: Color, name: &'a str) {
        let name = trimmed(name);
        if is_square_name(name) {
            self.leave_out(name);
        } else if !name.is_empty() {
            self.label.names[color.index()] = Some(name.to_owned());
        }
    }

    /// Takes the number in parentheses behind a name: the discs, or the rating.
    fn set_number(&mut self, color: Color, number: u32) {
        if number <= 64 {
            self.label.counts[color.index()] = Some(number);
        } else {
            self.label.ratings[color.index()] = Some(f64::from(number));
        }
    }

    fn leave_out(&mut self, part: &'a str) {
        if part.contains(char::is_alphanumeric) {
            self.label.unread.push((part, UnreadKind::words(part)));
        }
    }
}

/// Strips blanks and the marks around a part.
fn trimmed(part: &str) -> &str {
    part.trim_matches(|c: char| c.is_whitespace() || ",;:|=#*~_\"“”„\u{2013}\u{2014}-".contains(c))
}

/// Returns whether a character stands between digits, like the colon of a result or a time.
fn is_between_digits(text: &str, at: usize) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    digit(text.as_bytes()[..at].last()) && digit(text.as_bytes().get(at + 1))
}

/// Returns the keys of values, `Black:`, with their places and those of the values.
fn named_values(line: &str) -> Vec<(usize, &'static str, usize)> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices(':').filter(|&(at, _)| !is_between_digits(line, at)) {
        let before = line[..at].trim_end();
        let start = before
            .rfind(|c: char| !c.is_alphabetic())
            .map_or(0, |end| end + before[end..].chars().next().map_or(1, char::len_utf8));
        let keys = ["black", "white", "date", "result", "score"];
        if let Some(key) = keys.into_iter().find(|key| before[start..].eq_ignore_ascii_case(key)) {
            found.push((start, key, at + 1));
        }
    }
    found
}

/// Strips the number of a game after a hash, `#3`.
fn without_hash(part: &str) -> &str {
    let number = part.trim_start().strip_prefix('#');
    number
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .map_or(part, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// Strips the number of a game, as in `3. Anna`, `Game 6, Anna` and `Partie 3`; `None` if a
/// part does not begin with one.
fn without_count(part: &str) -> Option<&str> {
    // A number counts games only if it has a mark: `3 Kings` is a name.
    let marked = marked_number(part).filter(|(number, digits)| number != digits && digits.len() < 4);
    if let Some((number, _)) = marked.filter(|(number, _)| find_date(part).is_none_or(|(at, ..)| at >= number.len())) {
        return Some(&part[number.len()..]);
    }
    let after_word = part.trim_start_matches(char::is_alphabetic);
    let word = &part[..part.len() - after_word.len()];
    let digits = after_word.trim_start_matches(['.', ' ', '#', '°', 'º']);
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    // `Game 3. Anna`, but not `Game 12.05.2024`.
    let is_longer =
        rest.strip_prefix(['.', '-', '/']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_counted = COUNTED.iter().any(|known| word.to_lowercase() == *known);
    (is_counted && rest.len() < digits.len() && !is_longer).then_some(rest)
}

/// Returns the place and the length of the first result of a text: `40-24`, `(40:24)`, `40 - 24`.
fn find_result(text: &str, is_result: fn(&str) -> bool) -> Option<(usize, usize)> {
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let words: Vec<&str> = text.split([' ', ',', '(', ')', '[', ']', '\t']).filter(|word| !word.is_empty()).collect();
    (0..words.len()).find_map(|at| {
        if is_result(words[at]) {
            return Some((place(words[at]), words[at].len()));
        }
        let [first, mark, second] = words.get(at..at + 3)?[..] else { return None };
        let is_spaced = is_result(&format!("{first}-{second}")) && matches!(mark, "-" | ":" | "\u{2013}");
        is_spaced.then(|| (place(first), place(second) + second.len() - place(first)))
    })
}

/// Splits the names of two players, and what stands around them between commas and dashes; `None`
/// if a part has none, or may be split in several ways.
fn split_names(part: &str) -> Option<(Vec<&str>, [&str; 2])> {
    let (first, second) = BETWEEN.iter().find_map(|between| {
        let (first, second) = part.split_once(between)?;
        (!second.contains(between)).then_some((first, second))
    })?;
    let mut outer = Vec::new();
    let commas = |text: &str| text.matches(',').count();
    let (mut names, dash) = ([first, second], " - ");
    if let Some((before, name)) = first.rsplit_once(dash) {
        outer.push(before);
        names[0] = name;
    }
    if let Some((name, after)) = second.split_once(dash) {
        outer.push(after);
        names[1] = name;
    }
    // `Kimura, Keigo - Tanaka, Hiroki` are names, but `Hamburg, Anna - Maria` has a place.
    while commas(names[0]) > commas(names[1]) {
        let (before, name) = names[0].split_once(',')?;
        outer.push(before);
        names[0] = name;
    }
    while commas(names[1]) > commas(names[0]) {
        let (name, after) = names[1].rsplit_once(',')?;
        outer.push(after);
        names[1] = name;
    }
    names.iter().all(|name| name.contains(char::is_alphanumeric)).then_some((outer, names.map(str::trim)))
}

/// Splits the color from the end of a name, as in `Anna (B)` and `Anna (white)`.
fn color_after(name: &str) -> (&str, Option<Color>) {
    let Some((before, color)) = name.trim().strip_suffix(')').and_then(|text| text.rsplit_once('(')) else {
        return (name, None);
    };
    match color.to_lowercase().as_str() {
        "b" | "black" | "x" | "●" => (before, Some(Color::Black)),
        "w" | "white" | "o" | "○" => (before, Some(Color::White)),
        _ => (name, None),
    }
}

/// Splits the number in parentheses from the end of a name, as in `Anna (12)`.
fn number_after(name: &str) -> (&str, Option<u32>) {
    let inner = name.trim().strip_suffix([')', ']']).and_then(|text| text.rsplit_once(['(', '[']));
    let number = inner.and_then(|(name, digits)| Some((name, digits.trim().parse().ok()?)));
    number.map_or((name, None), |(name, number)| (name, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: LabelRules = LabelRules {
        first: Color::Black,
        is_result: |word| crate::game::GameResult::from_pgn(word).is_ok() || crate::game::disc_counts(word).is_some(),
    };

    /// Writes what a label says: names, ratings, discs, date, result, and `?` before what is left
    /// out.
    fn read(label: &str) -> String {
        let found = read_label(label, RULES);
        let mut words = Vec::new();
        for color in 0..2 {
            words.extend(found.names[color].clone());
            words.extend(found.ratings[color].map(|rating| format!("rating {rating}")));
            words.extend(found.counts[color].map(|discs| format!("{discs} discs")));
        }
        words.extend(found.date);
        words.extend(found.result.map(str::to_owned));
        words.extend(found.unread.iter().map(|(part, _)| format!("?{part}")));
        words.join("; ")
    }

    #[test]
    fn labels_have_names_dates_and_results() {
        for (label, expected) in [
            ("Anna - Bob", "Anna; Bob"),
            (" 3. É A 40-24 Bob", "É A; Bob; 40-24"),
            ("Anna vs Bob 1-0 ", "Anna; Bob; 1-0"),
            ("40-24 Anna - Bob", "Anna; Bob; 40-24"),
            ("final 40-24", "40-24; ?final"),
            ("3 Kings - Bob", "3 Kings; Bob"),
            ("12.05.2024 Anna - Maria 21-43", "Anna; Maria; 2024-05-12; 21-43"),
            ("Anna - Maria, 2024/5/31 14:30", "Anna; Maria; 2024-05-31 14:30"),
            ("5/31/2024: Anna - Maria", "Anna; Maria; 2024-05-31"),
            ("5/6/2024: Anna - Maria", "Anna; Maria; ?5/6/2024"),
            ("12. Mai 2024, Anna \u{2013} Maria (21:43)", "Anna; Maria; 2024-05-12; 21:43"),
            ("May 12, 2024 | Anna v. Maria | 21 - 43", "Anna; Maria; 2024-05-12; 21 - 43"),
            ("Game 6: Anna (12) vs. Maria (52)", "Anna; 12 discs; Maria; 52 discs"),
            ("Anna (1834) - Maria (1790)", "Anna; rating 1834; Maria; rating 1790"),
            ("Anna 12 - Maria 52", "Anna; 12 discs; Maria; 52 discs"),
            ("Anna (W) - Maria (B)", "Maria; Anna"),
            ("Black: Anna, White: Maria", "Anna; Maria"),
            ("White: Anna\nBlack: Maria\nDate: 2024-05-31\nResult: 40-24", "Maria; Anna; 2024-05-31; 40-24"),
            ("Partie 3", ""),
            ("Round 2, Anna - Maria", "Anna; Maria"),
            ("#4 Anna - Maria", "Anna; Maria"),
            ("Kimura, Keigo - Takanashi, Yusuke", "Kimura, Keigo; Takanashi, Yusuke"),
            ("Hamburg, Anna - Maria", "Anna; Maria; ?Hamburg"),
            ("Final - Anna vs Maria", "Anna; Maria; ?Final"),
            ("WOC - Final - Anna - Maria", "?WOC - Final - Anna - Maria"),
            ("My games, spring 2024", "?My games, spring 2024"),
            ("Game 1\nAnna - Maria\n2024", "Anna; Maria; 2024"),
            ("Perpendicular", "?Perpendicular"),
            ("Anna-Lena - Maria 21-43", "Anna-Lena; Maria; 21-43"),
        ] {
            assert_eq!(read(label), expected, "{label}");
        }
    }

    #[test]
    fn headings_are_words_and_not_games() {
        for text in [
            "My games, spring 2024",
            "Game 1",
            "Partie 1",
            "第3局",
            "12.05.2024 Anna - Maria 21-43",
            "Endgames:",
            "Finale",
        ] {
            assert!(is_heading(text), "{text}");
        }
        for text in
            ["hello", "f5d6x9", "---OX- X", "XXX OOO", "1. f5 d6", "12 - 13", "", "f5 d6 Tiger", "{\"a\": Word}"]
        {
            assert!(!is_heading(text), "{text}");
        }
    }

    #[test]
    fn a_colon_in_a_result_does_not_end_a_label() {
        let begins = |text: &str| text.trim_start().starts_with("f5");
        assert_eq!(split_label("Anna 40:24 Bob: f5d6", begins), Some(("Anna 40:24 Bob", " f5d6")));
        assert_eq!(split_label("round 1: f5d6", begins), Some(("round 1", " f5d6")));
        for text in ["1: f5 2: f5", "f5", "{a: f5", "1:2"] {
            assert_eq!(split_label(text, begins), None, "{text}");
        }
        let label = |text| labels(text, begins).next().map(|(label, _)| label);
        assert_eq!(label("Anna - Maria 21-43 f5d6"), Some("Anna - Maria 21-43"));
        assert_eq!(label("Name | f5d6"), Some("Name "));
        assert_eq!((label("7,8 f5"), label("-OX- f5"), label("7,8 B moves f5")), (None, None, None));
    }

    proptest::proptest! {
        #[test]
        fn no_part_of_a_label_is_lost(
            label in "(Anna|Maria| - | vs |, |: |[(]12[)]|21-43|12[.]05[.]2024|Game 3|\n|é|[|]|2024| ){0,12}",
        ) {
            let found = read_label(&label, RULES);
            for word in ["Anna", "Maria", "é"] {
                let parts = found.names.iter().flatten().map(String::as_str).chain(found.unread.iter().map(|(part, _)| *part));
                let count = parts.map(|part| part.matches(word).count()).sum::<usize>();
                proptest::prop_assert_eq!(count, label.matches(word).count(), "{} in {:?}", word, found);
            }
        }
    }
}
