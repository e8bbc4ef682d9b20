//! [`read`]: the numbers of pieces in hand in a line under a diagram, as people write them.

use crate::game::format::color_words::color_mark;

/// A line has numbers of pieces, but it is not clear how many each side has in hand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnclearHands;

/// Reads the numbers of pieces in hand, indexed by color, from `White: 7 men in hand, 2 on the
/// board; Black: ...`, `In hand: White 7, Black 8` or `Black's hand: 8`. A side without a number
/// is `None`.
pub(super) fn read(line: &str) -> Result<[Option<u32>; 2], UnclearHands> {
    let line = line.to_lowercase();
    let mut hands = [None; 2];
    // Of the part after the last side.
    let (mut side, mut number) = (None, None);
    // `hand` came before its number, or before the first side.
    let (mut is_expected, mut is_heading, mut has_counts) = (false, false, false);
    for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if let Some(color) = color_mark(word) {
            if is_expected && !is_heading {
                return Err(UnclearHands);
            }
            (side, number, is_expected) = (Some(color), None, is_heading);
        } else if let Some(count) = count(word) {
            (number, has_counts) = (Some(count), true);
            if is_expected && let Some(side) = side {
                (hands[side.index()], is_expected) = (number, false);
            }
        } else if word == "hand" {
            match (side, number) {
                (Some(side), Some(_)) => hands[side.index()] = number,
                (Some(_), None) => is_expected = true,
                (None, None) => (is_expected, is_heading) = (true, true),
                (None, Some(_)) => return Err(UnclearHands),
            }
        }
    }
    let is_unclear = (is_expected && !(is_heading && hands != [None; 2])) || (has_counts && hands == [None; 2]);
    if is_unclear { Err(UnclearHands) } else { Ok(hands) }
}

fn count(word: &str) -> Option<u32> {
    if matches!(word, "no" | "none") { Some(0) } else { word.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_in_many_wordings() {
        let both = Ok([Some(7), Some(8)]);
        for line in [
            "White: 8 men in hand; Black: 7 men in hand; White to move",
            "White: 8 in hand, Black: 7 in hand, White to move",
            "White: 8 in hand, 1 on board; Black: 7 in hand, 2 on board",
            "White: 1 on board, 8 in hand; Black: 2 on board, 7 in hand",
            "In hand: White 8, Black 7",
            "White's hand: 8 - Black's hand: 7",
            "Black (7 in hand) White (8 in hand)",
            "W: 8 in hand | B: 7 in hand. White to move",
            "Weiß: 8 in der Hand; Schwarz: 7 in der Hand; Weiß am Zug",
            "White has 8 men in hand and Black has 7 men in hand",
        ] {
            assert_eq!(read(line), both, "{line}");
        }
        assert_eq!(read("White: 8 men in hand"), Ok([None, Some(8)]));
        assert_eq!(read("Black: no men in hand"), Ok([Some(0), None]));
        for line in ["White to move", "a b c", "W", "", "Turn: black"] {
            assert_eq!(read(line), Ok([None; 2]), "{line}");
        }
        for line in [
            "White: 8, Black: 7, White to move",
            "W: 8 B: 7",
            "Hand: 8/7",
            "White: eight in hand; Black: seven in hand",
            "8 in hand, 7 in hand",
        ] {
            assert_eq!(read(line), Err(UnclearHands), "{line}");
        }
    }
}
