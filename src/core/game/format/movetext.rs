//! The parts of a move list: move numbers, and words such as moves and results. Comments,
//! variations and glyphs are skipped.
//!
//! | part | |
//! | --- | --- |
//! | number | `12.`, `12...`, `12)`, `12:`, and `12` where the `Syntax` distinguishes it from a result |
//! | comment | `{a remark}`, and `; a remark` to the end of the line where semicolons do not separate moves |
//! | variation | `(1... f6 {a remark} (2. c3))` |
//! | glyph | `$1`, `!`, `??` |
//!
//! Parts are slices of the text, so that `ParseError::at` finds
//! their places.

use thiserror::Error;

use crate::game::is_pass_word;

/// A comment or a variation that is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unclosed {
    /// A comment has no closing brace.
    #[error("unclosed comment: expected `}}`")]
    Comment,
    /// A variation has no closing parenthesis.
    #[error("unclosed variation: expected `)`")]
    Variation,
}

/// The signs that may join two moves that need no separator.
const JOINING_SIGNS: [char; 8] = ['-', '\u{2013}', '/', '|', '_', '.', '>', '\u{2192}'];

/// The syntax of a kind of move list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Syntax {
    /// The characters that separate words, besides blanks. If the semicolon is not among them, it
    /// begins a comment.
    pub separators: &'static str,
    /// The characters that may follow a move number.
    pub marks: &'static [char],
    /// Returns whether digits before this text are a move number without a mark.
    pub is_bare: fn(&str) -> bool,
    /// Whether comments may contain comments; then an unmatched closing brace is skipped.
    pub nests_comments: bool,
    /// Returns the length of a move or result at the start of the text after which another part may
    /// follow without a separator. Returns `None` for a word that ends at a separator or an
    /// annotation.
    pub word: fn(Self, &str) -> Option<usize>,
}

impl Syntax {
    /// The syntax of words with separators, in any notation.
    const WORDS: Self =
        Self { separators: ",;", marks: &['.', ')', ':'], is_bare: |_| false, nests_comments: true, word: |_, _| None };

    /// Returns the syntax of a list of words. If the list begins with digits and a move, digits are
    /// move numbers.
    pub fn of_words(text: &str) -> Self {
        let begins_bare = |rest: &str| {
            let number = move_number(rest);
            number.is_some_and(|number| rest[number.len()..].starts_with([' ', '\t']))
        };
        let is_end = |after: &str| after.chars().next().is_none_or(|c| Self::WORDS.is_separator(c));
        let is_bare = Tokens::new(text, Self::WORDS).skip_annotations().is_ok_and(begins_bare);
        Self { is_bare: if is_bare { is_end } else { Self::WORDS.is_bare }, ..Self::WORDS }
    }

    pub fn is_separator(self, c: char) -> bool {
        c.is_whitespace() || self.separators.contains(c)
    }

    /// Returns the move number at the start of the text, with its marks and as digits.
    fn number(self, text: &str) -> Option<(&str, &str)> {
        let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &text[..text.len() - after.len()];
        let mark = after.chars().next().filter(|mark| self.marks.contains(mark));
        let rest = match mark {
            Some('.') => after.trim_start_matches('.'),
            Some(mark) => &after[mark.len_utf8()..],
            None => after,
        };
        let is_number = (mark.is_some() && !digits.is_empty() && !is_date_or_time(after)) || (self.is_bare)(after);
        is_number.then_some((&text[..text.len() - rest.len()], digits))
    }

    /// Returns the length of the word at the start of the text.
    fn word_len(self, text: &str) -> usize {
        let ends = |&(_, c): &(usize, char)| self.is_separator(c) || ";{($!?}".contains(c);
        text.char_indices().skip(1).find(ends).map_or(text.len(), |(at, _)| at)
    }

    /// Returns the length of the annotation at the start of the text; `None` if there is none.
    fn annotation(self, text: &str) -> Option<Result<usize, Unclosed>> {
        let line_comments = !self.separators.contains(';');
        let end = match text.bytes().next()? {
            b';' if line_comments => return Some(Ok(text.find('\n').unwrap_or(text.len()))),
            b'!' | b'?' => Ok(0),
            b'}' if self.nests_comments => Ok(0),
            b'$' => match text.bytes().skip(1).take_while(u8::is_ascii_digit).count() {
                0 => return None,
                digits => Ok(digits),
            },
            b'{' if !self.nests_comments => text.find('}').ok_or(Unclosed::Comment),
            b'{' => {
                let mut open = 0;
                let closes = |c: char| {
                    open += i32::from(c == '{') - i32::from(c == '}');
                    open == 0
                };
                text.find(closes).ok_or(Unclosed::Comment)
            }
            b'(' => {
                // Parentheses in comments do not count.
                let (mut open, mut comment_end) = (0, None);
                let closes = |c: char| {
                    match (comment_end, c) {
                        (Some(end), _) if c == end => comment_end = None,
                        (Some(_), _) => {}
                        (None, '{') => comment_end = Some('}'),
                        (None, ';') if line_comments => comment_end = Some('\n'),
                        (None, _) => open += i32::from(c == '(') - i32::from(c == ')'),
                    }
                    open == 0
                };
                text.find(closes).ok_or(Unclosed::Variation)
            }
            _ => return None,
        };
        Some(end.map(|end| end + 1))
    }
}

/// A move number or a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub text: &'a str,
    /// The digits, if the token is a number.
    pub number: Option<&'a str>,
    /// The text from this token.
    pub rest: &'a str,
}

/// A tag, `[White "one"]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub name: &'a str,
    /// The value, with its escape sequences.
    pub value: &'a str,
}

/// Splits a tag from the start of a text that has no leading blanks.
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

/// The numbers and words of the text. The text of an error begins at the opening bracket; after an
/// error there are no more tokens.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
    syntax: Syntax,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str, syntax: Syntax) -> Self {
        Self { rest: text, syntax }
    }

    /// Skips annotations and returns the text from the next tag, number or word.
    ///
    /// # Errors
    /// The text from the comment or variation that is not closed.
    pub fn skip_annotations(&mut self) -> Result<&'a str, (&'a str, Unclosed)> {
        loop {
            self.rest = self.rest.trim_start_matches(|c| self.syntax.is_separator(c));
            match self.syntax.annotation(self.rest) {
                None => return Ok(self.rest),
                Some(Ok(len)) => self.rest = &self.rest[len..],
                Some(Err(unclosed)) => return Err((std::mem::take(&mut self.rest), unclosed)),
            }
        }
    }

    /// Takes a tag such as `[White "one"]`, if it is next.
    ///
    /// # Errors
    /// The text from the comment or variation that is not closed.
    pub fn tag(&mut self) -> Result<Option<Tag<'a>>, (&'a str, Unclosed)> {
        let tag = leading_tag(self.skip_annotations()?);
        Ok(tag.map(|(tag, after)| {
            self.rest = after;
            tag
        }))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, (&'a str, Unclosed)>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = match self.skip_annotations() {
            Ok("") => return None,
            Ok(rest) => rest,
            Err(error) => return Some(Err(error)),
        };
        let len = (self.syntax.word)(self.syntax, rest);
        if let Some((text, digits)) = self.syntax.number(rest).filter(|_| len.is_none()) {
            // Dots may follow, as in `1. ... d6`.
            self.rest = rest[text.len()..].trim_start().trim_start_matches('.');
            return Some(Ok(Token { text, number: Some(digits), rest }));
        }
        let (text, after) = rest.split_at(len.unwrap_or_else(|| self.syntax.word_len(rest)));
        // A sign may join two moves, as in `f5-d6`.
        let joined = after.strip_prefix(JOINING_SIGNS).filter(|_| len.is_some());
        let is_move =
            |next: &&str| next.starts_with(char::is_alphabetic) && (self.syntax.word)(self.syntax, next).is_some();
        self.rest = joined.filter(is_move).unwrap_or(after);
        Some(Ok(Token { text, number: None, rest }))
    }
}

/// Returns the words of a move list without its numbers. Squares and passes without separators are
/// returned one by one.
///
/// An error contains the text from the bracket that is not closed; nothing follows it.
///
/// ```
/// use morello::game::movetext::{Unclosed, moves_and_results};
///
/// let text = "1. f5d6 {quick} 2. c3 (2. e3) d3 40-24";
/// let words: Result<Vec<_>, _> = moves_and_results(text).collect();
/// assert_eq!(words, Ok(vec!["f5", "d6", "c3", "d3", "40-24"]));
/// let error = moves_and_results("f5 {never closed").nth(1);
/// assert_eq!(error, Some(Err(("{never closed", Unclosed::Comment))));
/// ```
pub fn moves_and_results(text: &str) -> impl Iterator<Item = Result<&str, (&str, Unclosed)>> {
    let tokens = Tokens::new(text, Syntax::of_words(text));
    tokens.filter(|token| !token.is_ok_and(|token| token.number.is_some())).flat_map(|token| match token {
        Ok(Token { text, .. }) => squares(text).unwrap_or_else(|| vec![text]).into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    })
}

/// Splits a word into squares and passes, as in `d2f4d6`; `None` if it contains anything else.
///
/// ```
/// use morello::game::movetext::squares;
///
/// assert_eq!(squares("f5d6pac3"), Some(vec!["f5", "d6", "pa", "c3"]));
/// assert_eq!(squares("hello"), None);
/// ```
#[must_use]
pub fn squares(word: &str) -> Option<Vec<&str>> {
    let (mut squares, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let is_next = |&len: &usize| rest.get(..len).is_some_and(|text| is_square_name(text) || is_pass_word(text));
        let (square, after) = rest.split_at([4, 2].into_iter().find(is_next)?);
        squares.push(square);
        rest = after;
    }
    Some(squares)
}

/// Returns whether the text is a letter and a digit.
pub(crate) fn is_square_name(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit())
}

/// Returns whether a word consists of several squares or passes.
pub(crate) fn are_squares(word: &str) -> bool {
    squares(word).is_some_and(|squares| squares.len() > 1)
}

/// Returns whether the text begins with a letter after blanks. A number before other text may be an
/// evaluation or a result.
pub(crate) fn is_before_letter(after: &str) -> bool {
    after.starts_with([' ', '\t']) && after.trim_start().starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns whether the text after digits makes them a time or a date: `14:30`, `31.05.2024`.
fn is_date_or_time(after: &str) -> bool {
    let number = after[1..].trim_start_matches(|c: char| c.is_ascii_digit());
    let has_number = number.len() + 1 < after.len();
    has_number && (after.starts_with(':') || (after.starts_with('.') && number.starts_with('.')))
}

/// Returns the number at the start of the text, with its marks and as digits. Without a mark, a
/// letter must follow.
pub(crate) fn marked_number(text: &str) -> Option<(&str, &str)> {
    let syntax = Syntax { is_bare: is_before_letter, ..Syntax::WORDS };
    syntax.number(text).filter(|(_, digits)| !digits.is_empty())
}

/// Returns the move number at the start of the text, `12` for `12. d2`. Without a mark, a letter
/// must follow.
pub(crate) fn move_number(text: &str) -> Option<&str> {
    marked_number(text).map(|(_, digits)| digits)
}

/// The annotations that are still open at the end of a line.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenAnnotations {
    in_comment: bool,
    /// The number of open parentheses.
    variations: usize,
}

impl OpenAnnotations {
    pub fn is_open(&self) -> bool {
        self.in_comment || self.variations > 0
    }

    pub fn is_in_comment(&self) -> bool {
        self.in_comment
    }

    pub fn has_variation(&self) -> bool {
        self.variations > 0
    }

    /// Returns the next line with comments, variations and brackets replaced by blanks.
    pub fn outside(&mut self, line: &str, line_comments: bool) -> String {
        let mut in_line_comment = false;
        let blank = |c: char| {
            let was_open = self.is_open();
            in_line_comment |= line_comments && c == ';' && !self.in_comment;
            match c {
                _ if in_line_comment => {}
                '{' => self.in_comment = true,
                '}' => self.in_comment = false,
                '(' if !self.in_comment => self.variations += 1,
                ')' if !self.in_comment => self.variations = self.variations.saturating_sub(1),
                _ => {}
            }
            if was_open || self.is_open() || in_line_comment { ' ' } else { c }
        };
        line.chars().map(blank).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Returns the words of a list, with `#` before numbers, and the text from an annotation that
    /// is not closed.
    fn tokens(text: &str, syntax: Syntax) -> Vec<String> {
        let word = |token: Result<Token<'_>, (&str, Unclosed)>| match token {
            Ok(Token { text, number: None, .. }) => text.to_owned(),
            Ok(Token { number: Some(digits), .. }) => format!("#{digits}"),
            Err((rest, unclosed)) => format!("{unclosed:?}: {rest}"),
        };
        Tokens::new(text, syntax).map(word).collect()
    }

    #[test]
    fn numbers_have_marks_unless_the_list_begins_with_one_without() {
        for (text, expected) in [
            ("1. d2 1...f4 2) d6,3: f2", &["#1", "d2", "#1", "f4", "#2", "d6", "#3", "f2"][..]),
            ("1. ... d2 5 ...f4", &["#1", "d2", "5", "...f4"]),
            ("{a} 1 d2 f4 2", &["#1", "d2", "f4", "#2"]),
            ("1-0 12", &["1-0", "12"]),
        ] {
            assert_eq!(tokens(text, Syntax::of_words(text)), expected, "{text}");
        }
    }

    #[test]
    fn annotations_are_skipped_and_their_ends_required() {
        let pgn = Syntax { separators: "", nests_comments: false, ..Syntax::WORDS };
        for (text, expected) in [
            ("{a (b} c!? d ?", &["c", "d"][..]),
            ("a(a (b) {c) d} e) f$12;g {\nh", &["a", "f", "h"]),
            ("(a ;)\n {b\n} c)", &[]),
            ("a,b $a ) }", &["a,b", "$a", ")", "}"]),
            ("a {b", &["a", "Comment: {b"]),
            ("(a (b) {c) d", &["Variation: (a (b) {c) d"]),
        ] {
            assert_eq!(tokens(text, pgn), expected, "{text}");
        }
        assert_eq!(tokens("a {b {c} d} e; f", Syntax::WORDS), ["a", "e", "f"]);
    }

    #[test]
    fn annotations_continue_on_further_lines() {
        let mut annotations = OpenAnnotations::default();
        let mut outside = |line| annotations.outside(line, true);
        assert_eq!(
            ["1. f5 ; c3 {x}", "d6 {a; b", "; c} c3;d3", "(a {)", "} (", "))b"]
                .map(&mut outside)
                .map(|line| line.trim_end().to_owned()),
            ["1. f5", "d6", "     c3", "", "", "  b"]
        );
    }

    #[test]
    fn words_of_squares_are_split() {
        let words: Vec<_> = moves_and_results("1. d2f4paD6 xf4 hello d2-d3").filter_map(Result::ok).collect();
        assert_eq!(words, ["d2", "f4", "pa", "D6", "xf4", "hello", "d2-d3"]);
    }
}
