//! The numbers in a move list. They count moves of both sides together (`1. f5 d6 2. c3`) or single
//! moves (`1. f5 2. d6 3. c3`).

/// The maximum first number. A larger number, which does not occur in a game, is replaced by it, so
/// that counting cannot overflow.
const MAX_FIRST: usize = u32::MAX as usize / 2;

/// Checks that a list skips no number. Lists may or may not count passes, and may begin with any
/// number.
#[derive(Default)]
pub(crate) struct MoveNumbers {
    last: Option<usize>,
    /// The moves since the last number, not counting passes.
    moves: usize,
    /// The passes since the last number.
    passes: usize,
    has_moves: bool,
    /// Whether each number precedes a single move; `None` as long as both are possible.
    of_plies: Option<bool>,
}

impl MoveNumbers {
    /// Counts a move.
    pub fn play(&mut self, is_pass: bool) {
        let count = if is_pass { &mut self.passes } else { &mut self.moves };
        *count += 1;
        self.has_moves = true;
    }

    /// Checks the next number. `is_second` is true if dots after it stand for the move of the first
    /// side, and `must_pass` is true if the side to move must pass.
    ///
    /// # Errors
    /// The expected number.
    pub fn next(&mut self, number: Option<usize>, is_second: bool, must_pass: bool) -> Result<(), usize> {
        let (moves, passes) = (self.moves, self.passes + usize::from(must_pass));
        let second = usize::from(is_second);
        let last = match (self.last, number) {
            (Some(last), _) if self.has_moves => last,
            // The first number; it may be the number of a game.
            _ => {
                let first = number.map(|number| number.min(MAX_FIRST));
                (self.last, self.moves, self.passes) = (first, second, 0);
                return Ok(());
            }
        };
        let of_plies = self.of_plies.unwrap_or(moves == 1 && passes == 0 && number == Some(last + 1));
        let expected = match (of_plies, passes) {
            (true, _) => last + moves..=last + moves + passes,
            // The number may be repeated before the move of the second side.
            (false, 0) if moves < 2 || is_second => last + moves / 2..=last + moves / 2,
            (false, 0) => last + moves.div_ceil(2)..=last + moves / 2,
            (false, _) => last + moves / 2..=last + (moves + passes).div_ceil(2),
        };
        let Some(number) = number.filter(|number| expected.contains(number)) else {
            let is_open = self.of_plies.is_none() && moves == 1;
            return Err(if is_open { last + 1 } else { *expected.start() });
        };
        if passes == 0 && moves > 0 {
            self.of_plies = Some(of_plies);
        }
        self.passes = 0;
        if number > last {
            self.moves = 0;
        }
        (self.last, self.moves) = (Some(number), self.moves.max(second));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads numbers (`2`, or `2:` with dots), moves (`m`) and passes (`p`). Returns the expected
    /// number of an error.
    fn check(list: &str) -> Option<usize> {
        let mut numbers = MoveNumbers::default();
        for word in list.split(' ') {
            match word {
                "m" | "p" => numbers.play(word == "p"),
                number => {
                    let digits = number.trim_end_matches(':');
                    if let Err(expected) = numbers.next(digits.parse().ok(), digits != number, false) {
                        return Some(expected);
                    }
                }
            }
        }
        None
    }

    #[test]
    fn numbers_count_pairs_or_moves() {
        for list in [
            "1 m m 2 m m 3 m",
            "1 m 2 m 3 m 4 m",
            "1 m 1: m 2 m 2: m 3",
            "7 m m 8 m",
            "1 1 m m 2",
            "1: m 2 m m 3",
            "m m 2 m m 3",
            // With a pass at each place, counted or not.
            "1 m m 2 m p 3 m m 4",
            "1 m m 2 m p m 3 m m 4",
            "1 m m 2 m p m 4 m m 5",
            "1 m m 2 p m 3 m m 4",
            "1 m 2 m 3 p m 4 m",
            "1 m 2 m 3 p m 5 m",
            "1 m m 2 m p 2: m 3 m",
        ] {
            assert_eq!(check(list), None, "{list}");
        }
        for (list, expected) in [
            ("1 m m 3 m", 2),
            ("1 m m 1 m", 2),
            ("1 m m 2 m 3 m", 2),
            ("1 m 2 m 4 m", 3),
            ("1 m 3 m", 2),
            ("1 m m m 2 m", 3),
            ("1 m m 99999999999999999999 m", 2),
            ("1 m m 2 m p m 6", 3),
            ("18446744073709551615 m m 2 m", MAX_FIRST + 1),
        ] {
            assert_eq!(check(list), Some(expected), "{list}");
        }
    }
}
