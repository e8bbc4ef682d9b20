//! Openings from a book: balanced positions that book moves lead to.

use std::collections::{HashSet, VecDeque};

use morello_core::game::{AnyGame, Game, OpeningPolicy, Position as _};
use morello_files::book::{Book, BookError, Successor, successor};

use super::Opening;
use super::enumerate::shuffle;

/// Returns the openings of a book that have the number of plies and the score required by the
/// policy. They are distinct up to symmetry, in an order that the seed determines. The moves of an
/// opening may lose points, as long as the final position is balanced. With `exits`, an opening
/// continues until no book move leads to another book position.
///
/// ```
/// use morello::book::Book;
/// use morello::game::OpeningPolicy;
/// use morello::games;
/// use morello::tournament::openings::book_openings;
///
/// let othello = games::get("othello")?;
/// let book = Book::built_in(othello).expect("Othello has a book")?;
/// let policy = OpeningPolicy { plies: 4..=4, depth: 0, most_points: 2.0 };
/// let openings = book_openings(othello, &book, &policy, false, 1)?;
/// assert!(!openings.is_empty() && openings.iter().all(|opening| opening.moves.len() == 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BookError`] if the book is damaged.
pub fn book_openings(
    game: &'static dyn AnyGame,
    book: &Book,
    policy: &OpeningPolicy,
    exits: bool,
    seed: u64,
) -> Result<Vec<Opening>, BookError> {
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([Game::new(game.start())]);
    let mut seen = HashSet::from([game.start().canonical()]);
    while let Some(line) = waiting.pop_front() {
        let Some(entry) = book.get(line.position())? else { continue };
        let plies = line.moves().len() as u32;
        let is_balanced =
            entry.score(line.position()).is_some_and(|score| score.score.points().abs() <= policy.most_points);
        let is_exit = || entry.moves.iter().all(|known| !known.is_linked);
        if policy.plies.contains(&plies) && is_balanced && (!exits || is_exit()) {
            found.push(Opening::of(&line));
        }
        for known in entry.moves.iter().filter(|known| known.is_linked && plies < *policy.plies.end()) {
            let Successor::Position(next, _) = successor(line.position(), known.m) else { continue };
            if !seen.insert(next) {
                continue;
            }
            let mut line = line.clone();
            line.play(known.m).expect("moves of a book are legal");
            if let Some(pass) = line.position().forced_pass() {
                line.play(pass).expect("the pass is legal");
            }
            waiting.push_back(line);
        }
    }
    // Shuffle, so that a short match has openings of all kinds.
    shuffle(&mut found, seed);
    Ok(found)
}
