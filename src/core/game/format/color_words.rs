//! Words and marks for the two sides, as people write them.

use crate::game::Color;

/// The words for Black and White, in lower case.
const WORDS: [&str; 2] = [
    "black|schwarz|noir|noirs|nero|negro|negras|negros|preto|pretas|zwart|sort|svart|чёрные|черные|黒|黑|黒番|黑方",
    "white|weiß|weiss|blanc|blancs|bianco|blanco|blancas|blancos|branco|brancas|wit|hvid|hvit|vit|белые|白|白番|\
     白方",
];

/// The marks for Black and White. They count as colors only next to a name.
const MARKS: [&str; 2] = ["b|x|●|⚫", "w|o|○|⚪"];

/// Returns the color that a word means, perhaps with punctuation: `BLACK,`, `white:`, `Weiß`.
#[must_use]
pub fn color_word(word: &str) -> Option<Color> {
    // Moves are frequent, and need no comparison with the words.
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    color_in(&WORDS, word.trim_end_matches([',', ':', '.']))
}

/// Returns the color that a word or a mark next to a name means: `B`, `white`, `●`.
pub(super) fn color_mark(mark: &str) -> Option<Color> {
    color_word(mark).or_else(|| color_in(&MARKS, mark))
}

fn color_in(table: &[&str; 2], word: &str) -> Option<Color> {
    [Color::Black, Color::White].into_iter().find(|color| is_listed(table[color.index()], word))
}

/// Returns whether a word is in a list of lower-case words separated by bars.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    !word.is_empty() && list.split('|').any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_many_languages_name_colors() {
        for (word, color) in [
            ("BLACK,", Some(Color::Black)),
            ("Weiß:", Some(Color::White)),
            ("NOIR", Some(Color::Black)),
            ("Blancas", Some(Color::White)),
            ("黒", Some(Color::Black)),
            ("白:", Some(Color::White)),
            ("b", None),
            ("f5", None),
            ("", None),
        ] {
            assert_eq!(color_word(word), color, "{word}");
        }
        assert_eq!((color_mark("B"), color_mark("○"), color_mark("c")), (Some(Color::Black), Some(Color::White), None));
    }
}
