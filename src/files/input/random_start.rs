//! Random Othello starts, as on the game server GGS: `r20:7`.

use morello_core::game::{AnyGame, AnyPosition, Game, Position as _};
use thiserror::Error;

/// The maximum number of games to try until one reaches the number of discs.
const TRIES: u64 = 1000;

/// Why text is not a random start or an XOT start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The seed is missing.
    #[error("a random start needs a seed, such as `{0}:1`")]
    NoSeed(String),
    /// The seed is not a number.
    #[error("the seed `{0}` of a random start is not a whole number from 0 to 18446744073709551615")]
    BadSeed(String),
    /// The number of discs is impossible.
    #[error("a random start of this game has from {least} to {most} discs, not {discs}")]
    BadDiscs {
        /// The number of discs in the text.
        discs: u32,
        /// The minimum.
        least: u32,
        /// The maximum.
        most: u32,
    },
    /// The game has no such starts.
    #[error("only {0}")]
    NotOthello(&'static str),
    /// The board of the text has another size than that of the game.
    #[error("the start is for a board of {side}x{side} squares, which {game} does not have")]
    BadBoard {
        /// The length of a side, as text.
        side: String,
        /// The name of the game.
        game: &'static str,
    },
    /// XOT has no start of this number.
    #[error("the starts of XOT have the numbers from 1 to {most}, such as `xot:1`, not `{number}`")]
    BadXot {
        /// The number in the text.
        number: String,
        /// The number of starts.
        most: usize,
    },
}

/// Reads a random start: `r20:7` is a position with 20 discs after random moves with the seed 7, in which the side to
/// move has a move. GGS calls its kind `s8r20` on 8x8 squares, so `s8r20:7` is the same. The result is a game without
/// moves, or `None` if the text is something else.
pub(super) fn random_start(game: &'static dyn AnyGame, text: &str) -> Option<Result<Game, StartError>> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (kind, seed) = text.trim().split_once(':').map_or((text.trim(), None), |(kind, seed)| (kind, Some(seed)));
    let (board, count) = kind.split_once(['r', 'R'])?;
    let side = board.strip_prefix(['s', 'S']).filter(|side| is_number(side));
    if !is_number(count) || !(board.is_empty() || side.is_some()) {
        return None;
    }
    let points = game.layout().points.len() as u32;
    let Some(empties) = game.start().empty_count() else {
        return (side.is_some() || seed.is_some()).then_some(Err(StartError::NotOthello("Othello has random starts")));
    };
    if let Some(side) =
        side.filter(|side| side.parse().ok().and_then(|side: u32| side.checked_mul(side)) != Some(points))
    {
        return Some(Err(StartError::BadBoard { side: side.to_owned(), game: game.name() }));
    }
    let discs = count.parse().unwrap_or(u32::MAX);
    // The last four squares are often filled in no order that leaves a move.
    let (least, most) = (points - empties, points - 4);
    Some(match seed {
        _ if !(least..=most).contains(&discs) => Err(StartError::BadDiscs { discs, least, most }),
        None => Err(StartError::NoSeed(text.trim().to_owned())),
        Some(seed) => match seed.parse().ok().filter(|_| is_number(seed)) {
            Some(seed) => Ok(Game::new(position_with(game, points - discs, seed))),
            None => Err(StartError::BadSeed(seed.to_owned())),
        },
    })
}

/// Returns a position with this number of empty squares after random moves, in which the side to
/// move has a move.
fn position_with(game: &dyn AnyGame, empties: u32, seed: u64) -> AnyPosition {
    let fits = |position: &&AnyPosition| {
        position.empty_count() == Some(empties) && !position.is_over() && position.forced_pass().is_none()
    };
    let found = (0..TRIES).find_map(|number| {
        let record = game.random_game(seed.wrapping_add(number << 48), usize::MAX);
        record.positions().iter().find(fits).copied()
    });
    found.expect("most random games reach every number of discs")
}

#[cfg(test)]
mod tests {
    use morello_core::games;

    use super::*;

    #[test]
    fn random_starts_have_the_discs_and_follow_from_the_seed() {
        for (name, all) in [("othello", 64), ("othello-6x6", 36), ("othello-4x4", 16)] {
            let game = games::get(name).unwrap();
            for discs in 4..=all - 4 {
                let starts: Vec<_> = (0..20)
                    .map(|seed| *random_start(game, &format!("r{discs}:{seed}")).unwrap().unwrap().position())
                    .collect();
                assert!(starts.iter().all(|start| start.empty_count() == Some(all - discs)));
                assert!(starts.iter().all(|start| start.forced_pass().is_none() && start.count_moves() > 0));
                let again = random_start(game, &format!(" R{discs}:7 ")).unwrap().unwrap();
                assert_eq!(*again.position(), starts[7]);
                assert!(discs < 8 || starts.iter().any(|start| *start != starts[0]));
            }
        }
    }

    #[test]
    fn other_texts_are_something_else_or_have_a_clear_error() {
        let othello = games::get("othello").unwrap();
        for text in ["", "r", "r:", "r:1", "rose", "Rose", "r2d2", "20:1", "r-5:1", "r 20:1"] {
            assert_eq!(random_start(othello, text).map(|start| start.is_ok()), None, "{text}");
        }
        let mill = games::get("nine-mens-morris").unwrap();
        assert!(random_start(mill, "r9").is_none());
        let error = random_start(mill, "r9:1").unwrap().unwrap_err().to_string();
        assert_eq!(error, "only Othello has random starts");
        assert_eq!(random_start(othello, "s8r20:7"), random_start(othello, "r20:7"));
        for (text, part) in [
            ("s8r20", "such as `s8r20:1`"),
            ("s10r20:1", "a board of 10x10 squares, which othello does not have"),
            ("s99999999999r20:1", "which othello does not have"),
            ("r20", "such as `r20:1`"),
            ("r20:", "the seed `` of"),
            ("r20:x", "the seed `x`"),
            ("r20:-1", "the seed `-1`"),
            ("r20:18446744073709551616", "whole number"),
            ("r3:1", "from 4 to 60 discs, not 3"),
            ("r61:1", "not 61"),
            ("r99999999999:1", "from 4 to 60 discs"),
        ] {
            let error = random_start(othello, text).unwrap().err().map(|error| error.to_string());
            assert!(error.as_ref().is_some_and(|error| error.contains(part)), "{text}: {error:?}");
        }
    }
}
