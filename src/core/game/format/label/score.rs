//! Results in labels, and text that resembles results: `40-24`, `1 - 0`, `½-½`, `14:30`.

use super::LabelRules;
use super::players::split_names;
use crate::game::format::color_words::{color_word, is_listed};
use crate::game::rules::disc_result::{MIN_DISCS, is_clock};

/// The words for a draw, in the languages of the players.
const DRAWS: &str = "draw|drawn|tie|tied|remis|unentschieden|nul|nulle|match nul|partie nulle|patta|pareggio|tablas|empate|\
    gelijkspel|uafgjort|oavgjort|uavgjort|引き分け|和棋";

/// Words that state who won. A score next to them may belong to either side.
const VERDICTS: &str = "b|win|wins|won|winner|beat|beats|defeats|defeated|lose|loses|lost|def|bt|resigns|gewinnt|gewann|siegt|\
    schlägt|besiegt|verliert|verlor|gagne|bat|perd|vince|gana|pierde|wint|vinder|vinner";

/// The words before and after a time of day.
const BEFORE_TIME: &str = "at|um|à|alle|om|kl|kl.|@";
const AFTER_TIME: &str = "uhr|h|am|pm|a.m.|p.m.|o'clock|utc|gmt|cet|cest|jst|est";

/// A pair of numbers, or a word for a draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Score<'a> {
    pub text: &'a str,
    /// The numbers of the side named first and of its opponent; `None` for a margin or a time of
    /// day, such as `+4` and `14.30`, which are ambiguous.
    pub sides: Option<[f64; 2]>,
}

impl Score<'_> {
    /// Returns whether a score can be the result of a game on some board.
    pub fn is_likely(self) -> bool {
        self.sides.is_some_and(is_of_board)
    }
}

/// Returns whether a score counts every square of some board, or is `1-0` or a draw.
fn is_of_board([first, second]: [f64; 2]) -> bool {
    [1.0, 16.0, 36.0, 64.0].contains(&(first + second))
}

/// Finds the first score in the text.
pub(super) fn find_score(text: &str) -> Option<Score<'_>> {
    let is_end = |c: char| c.is_whitespace() || ",;()[]|".contains(c);
    let words: Vec<&str> = text.split(is_end).filter(|word| !word.is_empty()).collect();
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let until = |first: &str, last: &str| &text[place(first)..place(last) + last.len()];
    let scores = words.iter().enumerate().find_map(|(at, word)| {
        let word = word.trim_end_matches(['.', ':', '!']);
        if let Some(sides) = pair(word) {
            let is_beside = |at: usize, list| words.get(at).is_some_and(|word| is_listed(list, word));
            let is_time = is_clock(word)
                && (!is_of_board(sides)
                    || word.ends_with(":00")
                    || is_beside(at + 1, AFTER_TIME)
                    || is_beside(at.wrapping_sub(1), BEFORE_TIME));
            let sides = Some(sides).filter(|_| !is_time);
            return Some(Score { text: word, sides });
        }
        if is_margin(word) || (at == 0 && is_time_of_day(word)) {
            return Some(Score { text: word, sides: None });
        }
        // `Anna - Bob 40 24`, but not the numbers of other lists.
        if let Some(&[first, second]) = words.get(at..at + 2).and_then(|two| two.first_chunk())
            && at > 0
            && let Some(sides) = pair(&format!("{first}-{second}")).filter(|_| !first.contains('-'))
        {
            return Some(Score { text: until(first, second), sides: Some(sides) });
        }
        let [first, mark, second] = words.get(at..at + 3)?[..] else { return None };
        let whole = until(first, second.trim_end_matches(['.', ':']));
        let is_mark = matches!(mark, "-" | ":" | "\u{2013}" | "\u{2014}" | "\u{2212}" | "to" | "zu" | "à" | "a");
        let sides = pair(&format!("{first}-{}", second.trim_end_matches(['.', ':']))).filter(|_| is_mark)?;
        Some(Score { text: whole, sides: Some(sides) })
    });
    scores.or_else(|| draw_word(text))
}

/// Returns the word for a draw that stands between marks in the text.
fn draw_word(text: &str) -> Option<Score<'_>> {
    let mut parts = text.split([',', ';', '(', ')', '[', ']']).map(|part| part.trim().trim_end_matches(['.', '!']));
    let word = parts.find(|part| is_listed(DRAWS, part))?;
    Some(Score { text: word, sides: Some([0.5; 2]) })
}

/// Splits a draw word from the end of a name.
pub(super) fn draw_after(name: &str) -> Option<(&str, Score<'_>)> {
    let (before, word) = name.trim_end().rsplit_once(' ')?;
    let score = Score { text: word, sides: Some([0.5; 2]) };
    is_listed(DRAWS, word).then_some((before, score))
}

/// Reads `40-24`, `40:24`, `40/24`, `1/2-1/2`, `½:½`.
fn pair(word: &str) -> Option<[f64; 2]> {
    let number = |text: &str| match text {
        "½" | "1/2" | "0.5" | "0,5" | ".5" => Some(0.5),
        _ => text.parse().ok().filter(|_| text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit())),
    };
    let between = word.split_once(['-', ':', '\u{2013}', '\u{2014}', '\u{2212}']);
    let (first, second) = between.or_else(|| word.split_once('/').filter(|_| word != "1/2"))?;
    Some([number(first)?, number(second)?])
}

/// Returns whether a word is a margin such as `+4` or `B+12`.
fn is_margin(word: &str) -> bool {
    let of_side = word.trim_start_matches(['B', 'W', 'b', 'w']).strip_prefix('+').unwrap_or_default();
    let is_of_digits = of_side.bytes().all(|byte| byte.is_ascii_digit());
    !of_side.is_empty() && (is_of_digits || (of_side.len() == 1 && !word.starts_with('+')))
}

/// Returns whether a word is a time with a dot, `14.30`, as in `14.30 Anna`.
fn is_time_of_day(word: &str) -> bool {
    let number = |text: &str, most: u32| text.len() <= 2 && text.parse().is_ok_and(|number: u32| number < most);
    word.split_once('.').is_some_and(|(hour, minute)| minute.len() == 2 && number(hour, 24) && number(minute, 60))
}

/// Returns whether words next to a score state whose score it is, other than a name before the
/// score does: `White wins 40-24`, `40-24 for Black`.
pub(super) fn has_verdict(part: &str, score: &str) -> bool {
    let marks = [',', ';', '(', ')', '[', ']'];
    let at = score.as_ptr() as usize - part.as_ptr() as usize;
    let start = part[..at].rfind(marks).map_or(0, |end| end + 1);
    let end = part[at..].find(marks).map_or(part.len(), |end| at + end);
    let has_names = split_names(part).is_some();
    let is_verdict = |word: &str| (color_word(word).is_some() && !has_names) || is_listed(VERDICTS, word);
    part[start..end].split(|c: char| !c.is_alphanumeric()).any(is_verdict)
}

impl LabelRules {
    /// Returns the points of the side named first, from a score and the points on the board of a
    /// finished game; `None` if it is not certain that the score is the result.
    pub(super) fn points(self, [first, second]: [f64; 2], board: Option<f64>) -> Option<f64> {
        let sum = first + second;
        let Some(squares) = self.squares.map(f64::from) else {
            let points = Some(first - second).filter(|_| sum == 1.0);
            return points.filter(|points| board.is_none_or(|board| board == *points));
        };
        // The winner gets the empty squares, whether or not the score already includes them.
        let margin = match first.total_cmp(&second) {
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => squares - 2.0 * second,
            std::cmp::Ordering::Less => 2.0 * first - squares,
        };
        let is_draw = sum == 1.0 && first == second;
        let is_wipe_out = first.min(second) == 0.0 && sum >= f64::from(MIN_DISCS);
        let is_certain = sum == squares || is_draw || (is_wipe_out && sum < squares);
        // Programs disagree on which side `1-0` means.
        let is_of = |board: f64| match sum {
            1.0 => board.total_cmp(&0.0) == (first - second).total_cmp(&0.0),
            _ => sum <= squares && board == margin,
        };
        // A score that contradicts the board is a mistake, or of another game.
        match board {
            Some(board) => is_of(board).then_some(board),
            None => is_certain.then_some(margin),
        }
    }
}
