//! Positions in seed notation, one per line: `7,8 a4,b4 g7 B`. `Display` of [`Position`] writes it.

use crate::game::{AnnotatedPosition, AnyPosition, LineFormat, ParsedRecord};
use crate::morris::{ParsePositionError, Position, Variant, notation};

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat::of_positions(
        "seed",
        "men in hand, White's points, Black's points, side to move: `7,8 a4,b4 g7 B`",
        looks_like,
        |line| Ok(ParsedRecord::Position(AnyPosition::new(notation::read::<V>(line)?).into())),
        |entry| Ok(entry.position.to_string()),
        &[],
    )
}

/// Returns whether a line begins with two numbers separated by a comma. No other mill format does.
///
/// ```
/// use morello::morris::formats::seed::looks_like;
///
/// assert!(looks_like("7,8 a4,b4 g7 B"));
/// assert!(!looks_like("d6 f4 d6-d5xf4"));
/// ```
#[must_use]
pub fn looks_like(line: &str) -> bool {
    let hands = line.split_whitespace().next().and_then(|field| field.split_once(','));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    hands.is_some_and(|(white, black)| number(white) && number(black))
}

/// Reads a position: the men that White and Black have in hand, White's points, Black's points (`-`
/// for none), and the side to move, `W` or `B`.
///
/// ```
/// use morello::morris::{NineMensMorris, formats::seed};
///
/// let position = seed::read::<NineMensMorris>("7,8 b4,a4 g7 B")?.position;
/// assert_eq!(seed::write(&position), "7,8 a4,b4 g7 B");
/// let error = seed::read::<NineMensMorris>("7,8 a4,a4 g7 B").unwrap_err();
/// assert_eq!((error.column, error.to_string().as_str()), (8, "point `a4` is given twice"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ParsePositionError`] with the column of the error.
pub fn read<V: Variant>(line: &str) -> Result<AnnotatedPosition<Position<V>>, ParsePositionError> {
    Ok(notation::read::<V>(line)?.into())
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
