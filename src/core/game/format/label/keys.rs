//! Keys and game numbers in labels: `Black: Anna`, `Game 3`.

use super::date::find_date;
use super::split::is_between_digits;
use crate::game::Color;
use crate::game::format::color_words::{color_mark, color_word, is_listed};
use crate::game::movetext::marked_number;

/// The words before the number of a game, round or board.
const COUNTED: &str = "game|match|round|rd|board|table|no|nr|partie|spiel|runde|brett|tisch|ronde|tour|partita|gioco|turno|\
    partida|juego|ronda|jogo|rodada|parti|spel|opening|r|t";

/// The words before a date or a result.
const DATE_KEYS: &str = "date|datum|fecha|data|dato";
const RESULT_KEYS: &str = "result|score|ergebnis|resultat|résultat|risultato|resultado|uitslag";

/// The meaning of a key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Key {
    Name(Color),
    Date,
    Result,
}

/// Finds keys such as `Black:` and `White -`. Returns their places, their meanings and the places
/// of their values.
pub(super) fn named_values(line: &str) -> Vec<(usize, Key, usize)> {
    let mut found = Vec::new();
    let is_separator = |&(at, c): &(usize, char)| {
        let is_dash = || matches!(c, '-' | '\u{2013}' | '\u{2014}') && line[..at].ends_with(' ');
        (matches!(c, ':' | '=') && !is_between_digits(line, at)) || is_dash()
    };
    for (at, separator) in line.char_indices().filter(is_separator) {
        let before = line[..at].trim_end();
        let word = before.trim_end_matches(char::is_alphabetic).len();
        let lower = before[word..].to_lowercase();
        let begins = matches!(before[..word].trim_end().chars().next_back(), None | Some(',' | ';' | '|' | '/' | ':'));
        // `Black - White` are not names.
        let is_named = || {
            matches!(separator, ':' | '=')
                || (begins && color_word(line[at..].split(' ').nth(1).unwrap_or_default()).is_none())
        };
        // `B:` is a color at the start of a line and after another color.
        let mark = color_mark(&lower).filter(|_| separator == ':' && (begins || !found.is_empty()));
        let key = match color_word(&lower).or(mark) {
            Some(color) if is_named() => Some(Key::Name(color)),
            None if separator == ':' && is_listed(DATE_KEYS, &lower) => Some(Key::Date),
            None if separator == ':' && is_listed(RESULT_KEYS, &lower) => Some(Key::Result),
            _ => None,
        };
        found.extend(key.map(|key| (word, key, at + separator.len_utf8())));
    }
    found
}

/// Removes a game number with a mark, `#3` or `(3)`.
pub(super) fn without_hash(part: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let number = part.trim_start().strip_prefix(['#', '(']).filter(|rest| rest.starts_with(is_digit));
    let rest = number.map(|rest| rest.trim_start_matches(is_digit));
    match rest {
        Some(rest) if part.trim_start().starts_with('(') => rest.strip_prefix(')').unwrap_or(part),
        rest => rest.unwrap_or(part),
    }
}

/// Removes a game number, as in `3. Anna`, `Game 6, Anna`, `Partie 3` and `第3局`; `None` if the part
/// does not begin with one.
pub(super) fn without_count(part: &str) -> Option<&str> {
    // A number is a game number only if it has a mark: `3 Kings` is a name. `14.30` and `31.5.` are
    // not game numbers.
    let marked = marked_number(part).filter(|(number, digits)| number != digits && digits.len() < 4);
    let is_longer = |rest: &str| {
        rest.strip_prefix(['.', '-', '/', ':']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if let Some((number, digits)) = marked.filter(|(_, digits)| !is_longer(&part[digits.len()..])) {
        let is_date =
            find_date(part).is_some_and(|found| part.starts_with(found.text) && found.text.len() > digits.len());
        return (!is_date).then(|| &part[number.len()..]);
    }
    let after_word = part.trim_start_matches(char::is_alphabetic);
    let word = &part[..part.len() - after_word.len()];
    let digits = after_word.trim_start_matches(['.', ' ', '#', '°', 'º']);
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_counted = is_listed(COUNTED, word);
    let rest = if word == "第" {
        rest.trim_start_matches(['局', '回', '戦', '試', '合', '盘', '轮', '輪'])
    } else {
        rest
    };
    ((is_counted || word == "第") && rest.len() < digits.len() && !is_longer(rest))
        .then(|| rest.trim_start_matches(['.', ')']))
}
