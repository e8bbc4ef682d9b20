//! Positions in seed notation, one a line: `7,8 a4,b4 g7 B`. `FromStr` and `Display` of
//! [`Position`] read and write it.

use crate::game::{AnnotatedPosition, LineFormat, ParsedRecord, any_game};
use crate::morris::{ParsePositionError, Position, Variant};

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat::of_positions(
        "seed",
        "men in hand, White's points, Black's points, side to move: `7,8 a4,b4 g7 B`",
        looks_like,
        |line| Ok(ParsedRecord::Position(any_game::<Position<V>>().parse_position(line)?.into())),
        |entry| Ok(entry.position.to_string()),
        &[],
    )
}

/// Returns whether a line begins with two numbers separated by a comma. No other format of the mill
/// games does.
#[must_use]
pub fn looks_like(line: &str) -> bool {
    let hands = line.split_whitespace().next().and_then(|field| field.split_once(','));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    hands.is_some_and(|(white, black)| number(white) && number(black))
}

/// Reads a position.
///
/// # Errors
/// [`ParsePositionError`] with the column of the error.
pub fn read<V: Variant>(line: &str) -> Result<AnnotatedPosition<Position<V>>, ParsePositionError> {
    Ok(line.parse::<Position<V>>()?.into())
}

/// Writes a position.
#[must_use]
pub fn write<V: Variant>(position: &Position<V>) -> String {
    position.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::NineMensMorris;

    #[test]
    fn reads_a_position() {
        let seed = format::<NineMensMorris>();
        assert!((seed.detect)("7,8 a4,b4 g7 B") && !(seed.detect)("a4,b4") && !(seed.detect)("-1,2 - - W"));
        let position = read::<NineMensMorris>("9,9 - - W").unwrap().position;
        assert_eq!((position, write(&position).as_str()), (Position::default(), "9,9 - - W"));
        assert!((seed.parse)("9,9 - - W").is_ok());
        assert_eq!((seed.parse)("9,9 - - X").unwrap_err().column(), 9);
    }
}
