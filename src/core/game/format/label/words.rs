//! Distinguishes words of a language from moves, boards and results.

use super::date::find_date;
use super::score::find_score;

/// The maximum length of a label, in bytes. Longer text is ignored as a whole, so that the reading
/// time does not grow with the square of its length.
pub(super) const MAX_LABEL: usize = 400;

/// Returns whether the text contains a word of a language, as opposed to moves and boards.
pub(crate) fn is_wordy(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| is_word(word) || is_foreign(word))
}

/// Returns whether the text is a word: it has some letters, and not only the letters used in
/// boards.
fn is_word(word: &str) -> bool {
    word.chars().nth(1).is_some()
        && word.chars().all(char::is_alphabetic)
        && (!word.chars().all(|c| "xobwXOBW".contains(c)) || matches!(word, "Bob" | "Box" | "Wow"))
        && !crate::game::is_pass_word(word)
}

/// Returns whether a word has a letter with an accent or from another script; such a word may be
/// short.
fn is_foreign(word: &str) -> bool {
    word.chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

/// Returns whether words after moves or in a separate line are a remark: they contain a word, a
/// date or a result, and no square.
pub(crate) fn is_remark(text: &str) -> bool {
    // If a text contains moves, its first words contain a square. Readers call this function at
    // each move.
    if has_square_or_link(text) {
        return false;
    }
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let has_word = words.any(|word| is_foreign(word) || (word.chars().count() > 2 && is_word(word)));
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '½' && c != '+');
    has_word
        || find_date(start).is_some_and(|date| start.starts_with(date.text))
        || find_score(start).is_some_and(|score| start.starts_with(score.text))
}

/// Returns whether a word is a square of the largest board.
pub(super) fn is_on_board(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8'])
}

fn has_square_or_link(text: &str) -> bool {
    // Text after the colon of a link may have been removed as a comment.
    text.split(|c: char| !c.is_alphanumeric()).any(is_on_board) || text.contains("http")
}

/// Returns the text starting at a remark. The remark begins with `word`, or with the number before
/// it: the day in `31. Mai 2024`.
pub(crate) fn remark_from<'a>(text: &'a str, word: &str) -> &'a str {
    let at = word.as_ptr() as usize - text.as_ptr() as usize;
    let before = text[..at].trim_end().trim_end_matches(['.', ')', ':']);
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number = number.len() < before.len() && (number.is_empty() || number.ends_with(char::is_whitespace));
    &text[if is_number { number.len() } else { at }..]
}

/// Returns the words in parentheses at the end of a move list, `f5d6 (40:24)`, that are not a
/// variation.
pub(crate) fn remark_in_parentheses(moves: &str) -> &str {
    let inner = moves.trim_end().strip_suffix(')').and_then(|moves| moves.rsplit_once('('));
    inner.map(|(_, inner)| inner.trim()).filter(|inner| is_remark(inner)).unwrap_or_default()
}

/// Returns whether the text begins with a board. Then it is not searched for words and moves.
pub(crate) fn begins_with_board(text: &str) -> bool {
    let squares = text.trim_ascii_start().as_bytes().get(..8);
    squares.is_some_and(|squares| squares.iter().all(|square| b"-.XOxo*bwBW_".contains(square)))
}

/// Returns whether a word consists mostly of characters used in boards.
fn is_board(word: &str) -> bool {
    let squares = word.chars().filter(|c| "XOxobwBW*-._●○@".contains(*c)).count();
    squares >= 8 && 4 * squares >= 3 * word.chars().count()
}

/// Returns whether the text is only a game number, `#3`, or only a likely result.
pub(super) fn is_number_or_result(text: &str) -> bool {
    let number = text.trim().trim_end_matches([':', '.']).strip_prefix('#').filter(|number| !number.is_empty());
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) || is_lone_result(text)
}

/// Returns whether a line is only a result that is possible on some board.
///
/// ```
/// use morello::game::label::is_lone_result;
///
/// assert!(is_lone_result("40-24") && is_lone_result("(21:43)") && is_lone_result("1 - 0"));
/// assert!(!is_lone_result("12 - 13") && !is_lone_result("Anna 40-24"));
/// ```
#[must_use]
pub fn is_lone_result(text: &str) -> bool {
    // Most lines are games, and need not be searched for results.
    const MAX_LEN: usize = 20;
    let text = text.trim().trim_end_matches([':', '.']);
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).trim();
    text.len() <= MAX_LEN && find_score(inner).is_some_and(|score| score.text == inner && score.is_likely())
}

/// Returns whether a line without a game or position is a heading: some words, a name or word with
/// a number or a colon, a date, or just a likely result.
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
    let is_text = |c: char| {
        c.is_alphanumeric() || c.is_whitespace() || ".,:;!?'\"&/()[]+-\u{2013}\u{2014}\u{2212}#*=_~|’“”„½●○".contains(c)
    };
    let begins = text.starts_with(|c: char| c.is_alphanumeric() || "\"'“„#*=-(●○".contains(c));
    let is_date = find_date(text).is_some() && !has_square_or_link(text);
    let has_names =
        || text.split_whitespace().nth(1).is_some() || text.starts_with(|c: char| c.is_uppercase() || !c.is_ascii());
    let is_title = || is_remark(text) && is_wordy(text) && (text.ends_with(':') || has_names());
    is_number_or_result(text)
        || begins && (is_date || is_title()) && text.chars().all(is_text) && !text.split_whitespace().any(is_board)
}
