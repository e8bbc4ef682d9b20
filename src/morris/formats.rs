//! Text formats of mill positions.

use super::{Position, Variant};
use crate::game::{Entry, LineFormat, Placed};

/// Returns the formats of one position a line, in the order in which they are tried.
#[must_use]
pub fn formats<V: Variant>() -> &'static [LineFormat<Position<V>>] {
    const {
        &[LineFormat {
            name: "seed",
            about: "men in hand, White's points, Black's points, side to move: `7,8 a4,b4 g7 B`",
            detect: looks_like_seed,
            parse: parse_seed,
        }]
    }
}

/// Returns whether a line begins with two numbers and a comma between them, as no other notation of the field does.
fn looks_like_seed(line: &str) -> bool {
    let hands = line.split_whitespace().next().and_then(|field| field.split_once(','));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    hands.is_some_and(|(white, black)| number(white) && number(black))
}

fn parse_seed<V: Variant>(line: &str) -> Result<Entry<Position<V>>, Box<dyn Placed>> {
    match line.parse::<Position<V>>() {
        Ok(position) => Ok(Entry::from(position)),
        Err(error) => Err(Box::new(error)),
    }
}
