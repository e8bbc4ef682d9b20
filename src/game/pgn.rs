//! The structure of PGN, which several games share: tags such as `[White "one"]`, then numbered moves on any number of lines, with comments in
//! braces and a result at the end.

use std::fmt::Write as _;

use thiserror::Error;

use super::{Color, GameResult, RecordScanner, Tags, Termination};
use crate::printable::in_a_line;

/// The maximum number of characters of a line of moves.
const WIDTH: usize = 80;

const STRING: &str = "writing to a string cannot fail";

/// A tag, `[White "one"]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub name: &'a str,
    /// The value with its escapes.
    pub value: &'a str,
}

/// Splits a tag from the start of a text without leading blanks.
pub(crate) fn leading_tag(text: &str) -> Option<(Tag<'_>, &str)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let (name, rest) = inner.split_at(inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?);
    let quoted = rest.trim_start().strip_prefix('"').filter(|_| rest.starts_with(char::is_whitespace))?;
    let mut escaped = false;
    // A quote that does not end the tag belongs to the value.
    let line = quoted.split('\n').next().unwrap_or_default();
    let (at, after) = line.char_indices().find_map(|(at, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends.then(|| quoted[at + 1..].trim_start().strip_prefix(']').map(|after| (at, after)))?
    })?;
    (!name.is_empty()).then_some((Tag { name, value: &quoted[..at] }, after))
}

/// Returns whether a line begins with a tag.
pub(crate) fn starts_with_tag(line: &str) -> bool {
    leading_tag(line.trim_start()).is_some()
}

/// Replaces each comment from `;` to the end of its line, outside of braces, by as many spaces.
pub(crate) fn blank_line_comments(text: &str) -> String {
    let (mut in_braces, mut in_comment) = (false, false);
    let blank = |c: char| {
        in_comment = c != '\n' && (in_comment || (c == ';' && !in_braces));
        if !in_comment {
            in_braces = c == '{' || (in_braces && c != '}');
        }
        if in_comment { ' ' } else { c }
    };
    text.chars().map(blank).collect()
}

/// A comment or a variation without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unclosed {
    /// A comment has no closing brace.
    #[error("unclosed comment: expected `}}`")]
    Comment,
    /// A variation has no closing parenthesis.
    #[error("unclosed variation: expected `)`")]
    Variation,
}

/// Skips a comment in braces, a variation in parentheses or a glyph such as `$1` at the start of a text. Returns the text after it; `None` if the
/// text begins with none of them. Parentheses in the comments of a variation do not count.
///
/// # Errors
/// [`Unclosed`] if the comment or variation has no end.
pub(crate) fn skip_annotation(text: &str) -> Option<Result<&str, Unclosed>> {
    let end = match text.bytes().next()? {
        b'{' => text.find('}').ok_or(Unclosed::Comment),
        b'(' => {
            let (mut open, mut in_comment) = (0, false);
            let closes = |c: char| {
                in_comment = c == '{' || (in_comment && c != '}');
                open += i32::from(c == '(' && !in_comment) - i32::from(c == ')' && !in_comment);
                open == 0
            };
            text.find(closes).ok_or(Unclosed::Variation)
        }
        b'$' => match text.bytes().skip(1).take_while(u8::is_ascii_digit).count() {
            0 => return None,
            digits => Ok(digits),
        },
        _ => return None,
    };
    Some(end.map(|end| &text[end + 1..]))
}

/// Finds the end of a game: after its result, or before a tag that follows its moves or repeats one of its tags. Blank lines within a game belong to
/// it. An unclosed comment or variation ends before a tag that follows a blank line, so that it does not swallow the next game.
#[derive(Debug, Clone)]
pub(crate) struct PgnScanner {
    is_result: fn(&str) -> bool,
    /// The names of the tags so far.
    tags: Vec<String>,
    in_comment: bool,
    /// The number of open parentheses: a result in a variation does not end the game.
    open_variations: usize,
    /// Whether there was anything other than tags.
    has_moves: bool,
    ended: bool,
    /// Whether the last line was blank.
    after_blank: bool,
}

impl PgnScanner {
    /// Creates a scanner for games whose results are recognized by `is_result`.
    pub fn new(is_result: fn(&str) -> bool) -> Self {
        Self {
            is_result,
            tags: Vec::new(),
            in_comment: false,
            open_variations: 0,
            has_moves: false,
            ended: false,
            after_blank: false,
        }
    }
}

impl RecordScanner for PgnScanner {
    fn add(&mut self, line: &str) {
        self.after_blank = line.trim().is_empty();
        let mut rest = line;
        while let Some((tag, after)) = leading_tag(rest.trim_start()).filter(|_| !self.in_comment) {
            self.tags.push(tag.name.to_owned());
            rest = after;
        }
        while !rest.is_empty() {
            if self.in_comment {
                let Some((_, after)) = rest.split_once('}') else { return };
                (self.in_comment, rest) = (false, after);
            }
            let (text, after) = match rest.find(['{', ';']) {
                None => (rest, None),
                Some(at) if rest[at..].starts_with(';') => (&rest[..at], None),
                Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            };
            // Parentheses may touch words.
            for word in text.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
                self.has_moves = true;
                match word {
                    "(" => self.open_variations += 1,
                    ")" => self.open_variations = self.open_variations.saturating_sub(1),
                    word => self.ended |= self.open_variations == 0 && (self.is_result)(word),
                }
            }
            (self.in_comment, rest) = (after.is_some(), after.unwrap_or_default());
        }
    }

    fn may_continue(&self) -> bool {
        self.in_comment || self.open_variations > 0 || !self.ended
    }

    fn accepts(&self, next: &str) -> bool {
        let Some((tag, _)) = leading_tag(next.trim_start()) else { return self.may_continue() };
        let is_open = self.in_comment || self.open_variations > 0;
        let begins_game = if is_open { self.after_blank } else { self.has_moves };
        let repeats = !is_open && self.after_blank && self.tags.iter().any(|name| name == tag.name);
        self.may_continue() && !begins_game && !repeats
    }
}

/// The names of the tags that [`TagValues`] keeps.
const NAMES: [&str; 8] = ["Event", "Date", "Time", "White", "Black", "WhiteElo", "BlackElo", "Termination"];

/// The values of the tag `Termination`.
const TERMINATIONS: [(Termination, &str); 3] = [
    (Termination::Resignation, "resignation"),
    (Termination::Timeout, "time forfeit"),
    (Termination::Agreement, "agreement"),
];

/// The values of the tags for players, event, date and the reason of the end, without escapes.
#[derive(Debug, Default)]
pub(crate) struct TagValues {
    values: [Option<String>; NAMES.len()],
}

impl TagValues {
    /// Adds a tag; ignores those of other kinds. Returns false if the tag is a duplicate.
    pub fn add(&mut self, tag: Tag<'_>) -> bool {
        let kept = NAMES.iter().position(|&name| name == tag.name);
        kept.is_none_or(|at| self.values[at].replace(unescape(tag.value)).is_none())
    }

    /// Returns the metadata of the game.
    pub fn tags(self, result: Option<GameResult>) -> Tags {
        let [event, date, time, white, black, white_rating, black_rating, ending] = self.values;
        let termination = ending.as_deref().and_then(termination);
        let date = date.and_then(known_value).and_then(iso_date);
        let date = match (date, time.and_then(known_value)) {
            (Some(date), Some(time)) => Some(format!("{date} {time}")),
            (date, _) => date,
        };
        Tags {
            names: [black, white].map(|name| name.and_then(known_value)),
            ratings: [black_rating, white_rating]
                .map(|rating| rating?.trim().parse().ok().filter(|rating: &f64| rating.is_finite())),
            tournament: event.and_then(known_value),
            date,
            result,
            termination,
            theoretical: None,
        }
    }
}

/// Returns the reason of an early end in a tag `Termination`.
fn termination(value: &str) -> Option<Termination> {
    TERMINATIONS.iter().find(|(_, name)| name.eq_ignore_ascii_case(value.trim())).map(|&(end, _)| end)
}

/// Returns the trimmed value of a tag; `None` if it is empty, `?` or `-`, which stand for unknown.
fn known_value(value: String) -> Option<String> {
    let is_unknown = matches!(value.trim(), "" | "?" | "-");
    (!is_unknown).then(|| value.trim().to_owned())
}

/// Converts `2012.05.01` to `2012-05-01` and `2012.??.??` to `2012`. Returns other texts unchanged.
fn iso_date(date: String) -> Option<String> {
    let parts: Vec<_> = date.split('.').collect();
    let is_part =
        |(part, len): (&&str, usize)| part.len() == len && part.bytes().all(|b| b.is_ascii_digit() || b == b'?');
    if parts.len() != 3 || !parts.iter().zip([4, 2, 2]).all(is_part) {
        return Some(date);
    }
    let known: Vec<_> = parts.into_iter().take_while(|part| !part.contains('?')).collect();
    (!known.is_empty()).then(|| known.join("-"))
}

/// Removes the escapes of a value.
pub(crate) fn unescape(value: &str) -> String {
    let mut text = String::new();
    let mut escaped = false;
    for c in value.chars() {
        escaped = c == '\\' && !escaped;
        if !escaped {
            text.push(c);
        }
    }
    text
}

/// Writes a tag as a line.
pub(crate) fn write_tag(name: &str, value: &str) -> String {
    let value = in_a_line(value);
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Writes the tags of a game, a line each. `first` is the side that moves first.
pub(crate) fn write_tags(tags: &Tags, first: Color, result: &str) -> String {
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
    let mut text = write_tag("Event", &or_unknown(&tags.tournament));
    let (date, time) = date_and_time(tags.date.as_deref());
    text += &write_tag("Date", &date);
    if let Some(time) = time {
        text += &write_tag("Time", time);
    }
    let sides = [first, first.opponent()];
    for side in sides {
        text += &write_tag(&side.to_string(), &or_unknown(&tags.names[side.index()]));
    }
    for side in sides {
        if let Some(rating) = tags.ratings[side.index()] {
            text += &write_tag(&format!("{side}Elo"), &rating.to_string());
        }
    }
    text += &write_tag("Result", result);
    if let Some((_, name)) = TERMINATIONS.iter().find(|&&(end, _)| tags.termination == Some(end)) {
        text += &write_tag("Termination", name);
    }
    text
}

/// Splits `2012-05-01 12:33:18` into the date `2012.05.01` and the time; unknown parts of the date become `??`.
fn date_and_time(date: Option<&str>) -> (String, Option<&str>) {
    let Some(date) = date else { return ("????.??.??".to_owned(), None) };
    let (day, time) = date.split_once(' ').map_or((date, None), |(day, time)| (day, Some(time)));
    let parts: Vec<_> = day.split('-').collect();
    let is_part = |(part, len): (&&str, usize)| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 3 || !parts.iter().zip([4, 2, 2]).all(is_part) {
        return (date.to_owned(), None);
    }
    let part = |i: usize| parts.get(i).copied().unwrap_or("??");
    (format!("{}.{}.{}", part(0), part(1), part(2)), time)
}

/// Writes the moves of a game, given in text, with their numbers and the result, in lines of at most 80 characters after a blank line.
/// `begins_second` is whether the first move is one of the side that usually moves second.
pub(crate) fn write_moves(moves: impl IntoIterator<Item = String>, begins_second: bool, result: &str) -> String {
    let mut words = Vec::new();
    for (ply, text) in (usize::from(begins_second)..).zip(moves) {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if words.is_empty() {
            words.push("1...".to_owned());
        }
        words.push(text);
    }
    words.push(result.to_owned());
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        let fits = width > 0 && width + 1 + word.len() <= WIDTH;
        write!(text, "{}{word}", if fits { ' ' } else { '\n' }).expect(STRING);
        width = if fits { width + 1 + word.len() } else { word.len() };
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::first_record_lines;

    #[test]
    fn splits_tags_from_a_text() {
        let tag = |text| leading_tag(text).map(|(tag, after)| (tag.name, tag.value, after));
        assert_eq!(tag("[White \"one\"]"), Some(("White", "one", "")));
        assert_eq!(tag("[ White  \"a]#b\" ] [Black \"c\"]"), Some(("White", "a]#b", " [Black \"c\"]")));
        assert_eq!(tag("[A \"the \\\"]\\\" b\"]1. f5"), Some(("A", "the \\\"]\\\" b", "1. f5")));
        assert_eq!(tag("[A \"the \"best\" b\"]"), Some(("A", "the \"best\" b", "")));
        for text in ["", "[", "[]", "[A]", "[A b]", "[A \"b]", "[A\"b\"]", "[\"f5\"]", "[A \"b\n\"]", "[A-B \"c\"]"] {
            assert_eq!(tag(text), None, "{text}");
        }
    }

    #[test]
    fn comments_to_the_end_of_a_line_become_spaces() {
        let blank = blank_line_comments("1. f5 ; c3 {x}\n d6 {a; b\n; c} c3;d3");
        assert_eq!(blank, "1. f5         \n d6 {a; b\n; c} c3   ");
    }

    #[test]
    fn annotations_are_skipped_and_their_ends_required() {
        for (text, after) in [("{a (b} c", " c"), ("(a (b) {c) d} e) f", " f"), ("(a {b\n} c)", ""), ("$12 a", " a")] {
            assert_eq!(skip_annotation(text), Some(Ok(after)), "{text}");
        }
        for text in ["", "a {b}", "$a", ")", "}"] {
            assert_eq!(skip_annotation(text), None, "{text}");
        }
        assert_eq!(skip_annotation("{a"), Some(Err(Unclosed::Comment)));
        assert_eq!(skip_annotation("(a (b) {c)"), Some(Err(Unclosed::Variation)));
    }

    /// Returns the number of lines in the first game.
    fn first_game(text: &str) -> usize {
        first_record_lines(&mut PgnScanner::new(|word| matches!(word, "*" | "1-0")), text)
    }

    #[test]
    fn a_game_ends_after_its_result_or_before_the_next_tags() {
        assert_eq!(first_game("[A \"a\"]\n\n1. f5 *\n[A \"b\"]"), 3);
        assert_eq!(first_game("[A \"a\"]\n1. f5\n[A \"b\"]\n1. f5"), 2);
        assert_eq!(first_game("[A \"a\"]\n1. f5\n( 1... f6 * )\n(1... f4\n1-0) 2. c3 *\n1. f5"), 5);
        assert_eq!(first_game("[A \"a\"]\n1. f5 ; not the end: *\nd6 *\n1. f5"), 3);
        assert_eq!(first_game("[A \"a\"]\n[B \"b\"]\n\n[A \"c\"]\n1. f5 *"), 3);
        assert_eq!(first_game("[A \"a\"]\n\n[B \"b\"]\n1. f5 *\n1. f5"), 4);
        assert_eq!(first_game("[A \"a\"]\n1. f5 (f6\n\n[A \"b\"]\n1. f5 *"), 3);
    }

    #[test]
    fn moves_of_the_second_side_begin_with_dots() {
        let moves = ["d6", "c3", "d3"].map(str::to_owned);
        assert_eq!(write_moves(moves.clone(), true, "*"), "\n1... d6 2. c3 d3 *\n");
        assert_eq!(write_moves(moves, false, "*"), "\n1. d6 c3 2. d3 *\n");
        assert_eq!(write_moves([], true, "*"), "\n*\n");
    }
}
