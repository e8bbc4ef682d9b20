//! Splits labels from the moves after them.

use super::date::find_date;
use super::players::are_two;
use super::words::{MAX_LABEL, begins_with_board, is_number_or_result, is_on_board, is_wordy};
use crate::game::movetext::{is_square_name, squares};

/// The maximum number of places in a line at which the moves are tried to begin.
const MAX_LABELS: usize = 8;

/// Splits a label, such as the names of the players in `Anna - Bob: f5d6`, from the moves after its
/// colon. `begins` returns whether a text begins like moves.
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
    splits(text, is_strong, begins).next()
}

/// Returns the ways to split a label from the moves after it, the likeliest first: after a colon, a
/// bar or a line break, then after a blank.
pub(crate) fn labels(text: &str, begins: impl Fn(&str) -> bool + Copy) -> impl Iterator<Item = (&str, &str)> {
    let text = if begins_with_board(text) { "" } else { text };
    let is_label = |label: &str| is_wordy(label) || find_date(label).is_some() || is_number_or_result(label);
    let after_blanks = splits(text, char::is_whitespace, begins);
    splits(text, is_strong, begins)
        .chain(after_blanks.filter(move |(label, moves)| begins_after_blank(moves) && is_label(label)))
        .take(MAX_LABELS)
}

/// Returns the ways to split a label from moves at one of these separators.
fn splits(
    text: &str,
    is_separator: fn(char) -> bool,
    begins: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (&str, &str)> {
    let places = text.char_indices().take_while(|&(at, _)| at <= MAX_LABEL).filter(move |&(_, c)| is_separator(c));
    places.filter_map(|(at, c)| split_at(text, at, c)).filter(move |&(_, moves)| begins(moves))
}

/// Returns the ways to split a label from moves if the label begins like moves: players may be
/// named like squares, `A1 - B2: f5d6`.
pub(crate) fn labels_of_squares(text: &str, begins: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, &str)> {
    splits(text, |c| c == ':', begins).filter(|(label, _)| may_be_names(label)).take(MAX_LABELS)
}

fn may_be_names(label: &str) -> bool {
    is_square_name(label.trim()) || (are_two(label) && !label.contains('\n'))
}

/// Returns whether a character ends a label or a part of one.
pub(super) fn is_strong(c: char) -> bool {
    matches!(c, ':' | '|' | '\n')
}

/// Splits the text at a separator; `None` if there is no label before it.
fn split_at(text: &str, at: usize, separator: char) -> Option<(&str, &str)> {
    let (label, moves) = (&text[..at], &text[at + separator.len_utf8()..]);
    let words = || label.split(|c: char| !c.is_alphanumeric());
    let is_number = label.trim().bytes().all(|byte| byte.is_ascii_digit());
    let is_of_moves = !is_wordy(label) && words().any(is_square_name) && !(separator == ':' && may_be_names(label));
    // Semicolons and words follow positions, a bracket at the start begins a tag, and braces
    // enclose remarks.
    let is_other = label.contains([';', '{']) || label.trim_start().starts_with('[');
    let follows_position = || label.split_whitespace().any(|word| word == "moves" || word == "start");
    let is_inner = separator == ':' && is_between_digits(text, at);
    (!is_number && !is_inner && !is_of_moves && !is_other && !follows_position() && !has_moves(label))
        .then_some((label, moves))
}

/// Returns whether a label contains moves: a word of several squares, or a square after another
/// square or after a mark that ends a label.
fn has_moves(label: &str) -> bool {
    let mut is_after = false;
    label.split_whitespace().any(|word| {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        let found: Option<Vec<_>> = name.split(['-', 'x']).map(squares).collect();
        let count = found.map_or(0, |found| found.concat().len());
        let count = if count == 1 && !is_on_board(name) { 0 } else { count };
        let is_run = count > 1 || (count == 1 && is_after);
        is_after = count > 0 || word.ends_with(is_strong);
        is_run
    })
}

/// Returns whether text after a blank may begin moves. A remark, or a number other than the first
/// move number, belongs to the label instead.
fn begins_after_blank(moves: &str) -> bool {
    let has_number = moves.starts_with(|c: char| c.is_ascii_digit());
    !moves.starts_with('(') && (!has_number || moves.starts_with("1.") || moves.starts_with("1)"))
}

/// Returns whether a mark separates numbers, like the colon of a result or a time: it has blanks on
/// both sides or on neither.
pub(super) fn is_between_digits(text: &str, at: usize) -> bool {
    let is_number = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '½');
    let Some((before, after)) =
        text.split_at_checked(at).map(|(before, after)| (before, after.get(1..).unwrap_or_default()))
    else {
        return false;
    };
    let (before, after) = before.strip_suffix(' ').zip(after.strip_prefix(' ')).unwrap_or((before, after));
    is_number(before.chars().next_back()) && is_number(after.chars().next())
}
