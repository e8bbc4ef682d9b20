//! Book lines: the best moves from a position, and the number of lines that a player must remember.

use std::collections::HashMap;

use morello_core::game::{AnyMove, AnyPosition, Color, Game, Position as _};
use morello_core::sorting;
use serde::{Deserialize, Serialize};

use super::entry::{BookScore, own_symmetries};
use super::file::BookError;
use super::graph::{Successor, successor};
use super::shared::Book;

/// A line in a book.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BookLine {
    /// The game up to the end of the line, including forced passes.
    pub game: Game,
    /// The number of plies before the line.
    pub start: usize,
    /// The score, from Black's point of view, of the last position of the line that is in the book;
    /// `None` if no position is.
    pub black_points: Option<f64>,
    /// The sum of the points that both sides lose on the line.
    pub loss: f64,
}

/// Returns the lines that continue a game with moves that lose at most `error` points each, and at
/// most `budget` points together. The best moves come first; there are at most `count` lines of at
/// most `plies` plies. A line ends where the book ends.
///
/// ```
/// use morello::book::{Book, lines};
/// use morello::game::Game;
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let book = Book::built_in(othello).expect("Othello has a book")?;
/// let best = lines(&book, &Game::new(othello.start()), 4, 1.0, 2.0, 3)?;
/// assert_eq!(best.len(), 3);
/// assert!(best.iter().all(|line| line.game.moves().len() == 4 && line.loss <= 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BookError::Damaged`] if a checksum is wrong.
pub fn lines(
    book: &Book,
    game: &Game,
    plies: usize,
    error: f64,
    budget: f64,
    count: usize,
) -> Result<Vec<BookLine>, BookError> {
    let mut search = LineSearch {
        book,
        plies: game.moves().len() + plies,
        error,
        start: game.moves().len(),
        count,
        found: Vec::new(),
    };
    search.add(game, budget, 0.0, None)?;
    Ok(search.found)
}

struct LineSearch<'a> {
    book: &'a Book,
    plies: usize,
    error: f64,
    start: usize,
    count: usize,
    found: Vec<BookLine>,
}

impl LineSearch<'_> {
    fn add(&mut self, game: &Game, budget: f64, loss: f64, before: Option<f64>) -> Result<(), BookError> {
        if self.found.len() >= self.count {
            return Ok(());
        }
        let mut game = game.clone();
        while let Some(pass) = game.position().forced_pass().filter(|_| game.end().is_none()) {
            game.play(pass).expect("the pass is legal and the game is not over");
        }
        let may_continue = game.moves().len() < self.plies && game.end().is_none();
        let entry = if may_continue { self.book.get(game.position())? } else { None };
        let sign = if game.position().side_to_move() == Color::Black { 1.0 } else { -1.0 };
        // The addition changes -0 to 0.
        let points = |score: BookScore| sign * score.score.points() + 0.0;
        let score = entry.as_ref().and_then(|entry| entry.score(game.position())).map(points);
        let Some((entry, best)) = entry.as_ref().and_then(|entry| Some((entry, *entry.best()?))) else {
            self.found.push(BookLine { game, start: self.start, black_points: before, loss });
            return Ok(());
        };
        for known in &entry.moves {
            let own = best.score.score.points() - known.score.score.points();
            if own > self.error + 1e-9 || own > budget + 1e-9 {
                break;
            }
            let mut next = game.clone();
            if next.play(known.m).is_ok() {
                self.add(&next, budget - own, loss + own, score)?;
            }
        }
        Ok(())
    }
}

/// The number of lines of good moves that each side must remember: a side has one answer to each
/// good move of its opponent. The lines end where the book ends.
///
/// The idea and the name, *umigame values*, come from the Othello player Umigame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MemorizedLines {
    /// The number of lines that Black must remember.
    pub black: u64,
    /// The number of lines that White must remember.
    pub white: u64,
}

/// Returns the memorized lines from a position, within `plies` plies. The good moves in a position
/// are at most `error` points worse than its best move; with 0, only the best moves are good.
///
/// ```
/// use morello::book::{Book, memorized_lines};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let book = Book::built_in(othello).expect("Othello has a book")?;
/// let best = memorized_lines(&book, &othello.start(), 8, 0.0)?;
/// assert!(best.black >= 1 && best.white >= 1);
/// // If moves may lose a disc, both sides have more moves to choose from.
/// assert_ne!(memorized_lines(&book, &othello.start(), 8, 1.0)?, best);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BookError::Damaged`] if a checksum is wrong.
pub fn memorized_lines(
    book: &Book,
    position: &AnyPosition,
    plies: u32,
    error: f64,
) -> Result<MemorizedLines, BookError> {
    LineCount { book, error, known: HashMap::new() }.count(&position.canonical(), plies)
}

struct LineCount<'a> {
    book: &'a Book,
    error: f64,
    known: HashMap<(AnyPosition, u32), MemorizedLines>,
}

impl LineCount<'_> {
    fn count(&mut self, position: &AnyPosition, plies: u32) -> Result<MemorizedLines, BookError> {
        if let Some(found) = self.known.get(&(*position, plies)) {
            return Ok(*found);
        }
        let one = MemorizedLines { black: 1, white: 1 };
        let entry = if plies > 0 { self.book.file().get(position)? } else { None };
        let mut found: Option<MemorizedLines> = None;
        let is_black = position.side_to_move() == Color::Black;
        let error = self.error;
        for good in entry.iter().flat_map(|entry| entry.within(error)) {
            let below = match successor(position, good.m) {
                Successor::Position(next, _) => self.count(&next, plies - 1)?,
                Successor::End(_) => one,
            };
            // The side to move chooses the move with the fewest lines. The opponent must have an
            // answer to each move.
            found = Some(match found {
                None => below,
                Some(sum) if is_black => {
                    MemorizedLines { black: sum.black.min(below.black), white: sum.white.saturating_add(below.white) }
                }
                Some(sum) => {
                    MemorizedLines { black: sum.black.saturating_add(below.black), white: sum.white.min(below.white) }
                }
            });
        }
        let found = found.unwrap_or(one);
        self.known.insert((*position, plies), found);
        Ok(found)
    }
}

/// Returns the images of a move under the symmetries of a position.
#[must_use]
pub fn move_images(position: &AnyPosition, m: AnyMove) -> Vec<AnyMove> {
    let mut images: Vec<_> = own_symmetries(position).into_iter().map(|k| m.transform(k)).collect();
    sorting::sort_by(&mut images, &|&a, &b| u16::from(a).cmp(&u16::from(b)));
    images.dedup();
    images
}

#[cfg(test)]
mod tests {
    use morello_core::games;

    use super::*;

    /// Counts the lines that a side must remember, directly from the definition: it counts games,
    /// not positions.
    fn remembered(book: &Book, game: &Game, plies: u32, error: f64, side: Color) -> u64 {
        let mut game = game.clone();
        while let Some(pass) = game.position().forced_pass() {
            game.play(pass).unwrap();
        }
        let entry = if plies > 0 { book.get(game.position()).unwrap() } else { None };
        let Some(best) = entry.as_ref().and_then(|entry| entry.best()) else { return 1 };
        let is_good = |known: &&super::super::BookMove| {
            f64::from(best.score.score.thousandths - known.score.score.thousandths) <= error * 1000.0
        };
        let after = entry.iter().flat_map(|entry| entry.moves.iter().filter(is_good)).map(|known| {
            let mut next = game.clone();
            next.play(known.m).unwrap();
            remembered(book, &next, plies - 1, error, side)
        });
        if game.position().side_to_move() == side { after.min().unwrap() } else { after.sum() }
    }

    #[test]
    fn lines_within_a_tolerance_are_those_of_the_definition() {
        let othello = games::get("othello").unwrap();
        let book = Book::built_in(othello).unwrap().unwrap();
        let mut counts = Vec::new();
        for opening in ["", "f5f6", "f5d6c3"] {
            let start = crate::input::read_game(othello, opening).unwrap_or_else(|_| Game::new(othello.start()));
            for error in [0.0, 0.5, 1.0, 2.0] {
                for plies in [1, 3, 6] {
                    let found = memorized_lines(&book, start.position(), plies, error).unwrap();
                    let sides = Color::ALL.map(|side| remembered(&book, &start, plies, error, side));
                    assert_eq!([found.black, found.white], sides, "{opening} {error} {plies}");
                    counts.push(found.black.max(found.white));
                }
            }
        }
        assert!(counts.iter().any(|&count| count > 5), "{counts:?}");
    }
}
