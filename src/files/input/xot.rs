//! XOT starts: positions after eight drawn moves from which Othello tournaments begin, `xot:7`.

use morello_core::game::{AnyGame, Game, Position as _};

use super::StartError;

/// The lines. Each has the number of moves that are the same as in the previous line, and the other
/// moves. Written by `scripts/data/xot.py`.
const LINES: &str = include_str!("../data/xot.txt");

/// Reads a start of XOT: `xot:7` is the seventh of the list, a game with eight moves. Returns `None` if the text is
/// something else.
pub(super) fn xot_start(game: &'static dyn AnyGame, text: &str) -> Option<Result<Game, StartError>> {
    let (word, number) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
    if !word.eq_ignore_ascii_case("xot") {
        return None;
    }
    if game.name() != "othello" {
        return Some(Err(StartError::NotOthello("Othello on 8x8 squares has XOT starts")));
    }
    let most = LINES.lines().count();
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let index = number.parse().ok().filter(|index| is_number && (1..=most).contains(index));
    Some(index.map(|index| line(game, index)).ok_or_else(|| StartError::BadXot { number: number.to_owned(), most }))
}

/// Returns the game of a line; lines are counted from 1.
fn line(game: &'static dyn AnyGame, index: usize) -> Game {
    let mut moves: Vec<&str> = Vec::new();
    for line in LINES.lines().take(index) {
        let (same, rest) = line.split_at(1);
        moves.truncate(same.parse().expect("a number begins each line"));
        moves.extend((0..rest.len()).step_by(2).map(|at| &rest[at..at + 2]));
    }
    let mut start = Game::new(game.start());
    for text in moves {
        let m = start.position().find_move(text).expect("the moves are legal");
        start.play(m).expect("the moves are legal");
    }
    start
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use morello_core::games;

    use super::*;

    #[test]
    fn starts_differ_by_more_than_a_symmetry_and_have_eight_moves() {
        let othello = games::get("othello").unwrap();
        assert_eq!(LINES.lines().count(), 8219);
        let mut positions = HashSet::new();
        for number in (1..=8219).step_by(7) {
            let start = xot_start(othello, &format!("xot:{number}")).unwrap().unwrap();
            assert_eq!((start.moves().len(), start.moves()[0].to_string().as_str()), (8, "f5"));
            assert!(positions.insert(start.position().canonical()), "{number}");
        }
    }

    #[test]
    fn other_texts_are_something_else_or_have_a_clear_error() {
        let othello = games::get("othello").unwrap();
        for text in ["", "xo:1", "xotic", "x", "1:xot", "r20:1"] {
            assert!(xot_start(othello, text).is_none(), "{text}");
        }
        let error = xot_start(games::get("othello-6x6").unwrap(), "xot:1").unwrap().unwrap_err().to_string();
        assert_eq!(error, "only Othello on 8x8 squares has XOT starts");
        let most = LINES.lines().count();
        for text in ["xot", "XOT:", "xot:0", "xot:-1", "xot:+1", "xot:1x", "xot: 1", &format!("xot:{}", most + 1)] {
            let error = xot_start(othello, text).unwrap().unwrap_err().to_string();
            assert!(error.contains(&format!("from 1 to {most}, such as `xot:1`")), "{text}: {error}");
        }
    }
}
