//! Move lists with numbers, `1. f5 d6 2. c3`, which may continue over several lines.

use super::{GameResult, RecordScanner};

/// Collects the lines of a numbered move list: a list continues in lines that start with the next number or are a result. Numbers count moves of
/// both sides or of either side. Where each line is a whole game, its number is not the next one.
#[derive(Debug, Default)]
pub(crate) struct NumberedMovesScanner {
    is_open: bool,
    has_begun: bool,
    /// The moves so far, without omitted passes.
    plies: usize,
}

/// The most passes that a list may omit before a line.
const MAX_OMITTED_PASSES: usize = 4;

impl RecordScanner for NumberedMovesScanner {
    fn add(&mut self, line: &str) {
        let is_numbered = if self.has_begun { self.is_open } else { move_number(line.trim_start()).is_some() };
        self.has_begun = true;
        self.is_open = is_numbered && !line.split_whitespace().any(is_result);
        self.plies += count_squares(line);
    }

    fn may_continue(&self) -> bool {
        self.is_open
    }

    fn accepts(&self, next: &str) -> bool {
        let next = next.trim();
        self.is_open && (is_result(next) || move_number(next).is_some_and(|number| self.is_next(number, next)))
    }
}

impl NumberedMovesScanner {
    /// Returns whether a number at the start of a line continues the list.
    fn is_next(&self, number: &str, line: &str) -> bool {
        let Ok(number) = number.parse::<usize>() else { return false };
        let is_second = line[number.to_string().len()..].starts_with("..");
        let of_both = self.plies / 2 + 1;
        let is_first = self.plies.is_multiple_of(2);
        let with_passes = of_both + MAX_OMITTED_PASSES / 2;
        ((is_first || is_second) && (of_both..=with_passes).contains(&number)) || number == self.plies + 1
    }
}

/// Returns the number of squares named in a line outside comments in braces.
fn count_squares(line: &str) -> usize {
    let mut in_comment = false;
    let is_square =
        |pair: &&[u8]| (b'a'..=b'h').contains(&pair[0].to_ascii_lowercase()) && (b'1'..=b'8').contains(&pair[1]);
    let outside: Vec<u8> = line
        .bytes()
        .filter(|byte| {
            in_comment = (in_comment || *byte == b'{') && *byte != b'}';
            !in_comment
        })
        .collect();
    outside.windows(2).filter(is_square).count()
}

/// Returns the number of a move at the start of a text: `12` of `12. d2`. A dot must follow the number.
pub(crate) fn move_number(text: &str) -> Option<&str> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    (digits > 0 && text[digits..].starts_with('.')).then(|| &text[..digits])
}

fn is_result(word: &str) -> bool {
    GameResult::from_pgn(word).is_some() || disc_counts(word).is_some()
}

/// Returns the two numbers of a result in discs, such as `40-24`.
pub(crate) fn disc_counts(word: &str) -> Option<[u32; 2]> {
    // The rest of a long line is not searched for a separator after each of its moves.
    if word.len() > "40-24".len() {
        return None;
    }
    let (black, white) = word.split_once(['-', ':'])?;
    let count = |text: &str| {
        (!text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse().ok())?
    };
    Some([count(black)?, count(white)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn continues(lines: &[&str], next: &str) -> bool {
        let mut scanner = NumberedMovesScanner::default();
        lines.iter().for_each(|line| scanner.add(line));
        scanner.may_continue() && scanner.accepts(next)
    }

    #[test]
    fn a_list_continues_with_the_next_number_only() {
        assert!(continues(&["1. f5 d6"], "2. c3 d3"));
        assert!(continues(&["1. f5 d6 {2. a1}", "2. c3 d3"], "3. c4 f4"));
        assert!(continues(&["1. f5"], "1... d6"));
        assert!(continues(&["1. f5", "2. d6", "3. c3"], "4. d3"));
        assert!(continues(&["1. f5 d6"], "40-24"));
        // A pass may be omitted.
        assert!(continues(&["1. f5 d6"], "3. c3 d3"));
        // A game per line, with its number.
        assert!(!continues(&["1. f5d6c3"], "2. f5f6e6"));
        assert!(!continues(&["1. f5d6c3d3c4f4"], "2. f5f6e6"));
        assert!(!continues(&["1. f5 d6 40-24"], "2. c3"));
        assert!(!continues(&["f5 d6"], "2. c3"));
        assert!(!continues(&["1. f5 d6"], "1. f5 f6"));
    }
}
