//! The lines of a book: its best moves from a position, and how many of them a player must
//! remember.

use std::collections::HashMap;

use morello_core::game::{AnyMove, AnyPosition, Color, Game, Position as _};
use morello_core::sorting;
use serde::{Deserialize, Serialize};

use super::entry::{BookScore, own_symmetries};
use super::file::BookError;
use super::graph::{Successor, successor};
use super::shared::Book;

/// A line of a book.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BookLine {
    /// The game up to the end of the line; forced passes are included.
    pub game: Game,
    /// The number of plies before the line.
    pub start: usize,
    /// The score of the last position of the line that is in the book, for Black; `None` without
    /// one.
    pub black_points: Option<f64>,
    /// The points that both sides lost on the line.
    pub loss: f64,
}

/// Returns the lines of moves that lose at most `error` points each, and at most `budget` together,
/// from the end of a game on: the best first at each move, at most `count` lines of at most `plies`
/// plies. A line ends where the book does.
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
        // The sum makes 0 of -0.
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

/// How many lines of best moves each side must remember: it has one answer to each best move of the
/// other side. The lines end where the book does.
///
/// The idea and the name, *umigame values*, are those of the Othello player Umigame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MemorizedLines {
    /// The number of lines that Black must remember.
    pub black: u64,
    /// The number of lines that White must remember.
    pub white: u64,
}

/// Returns the memorized lines from a position on, within `plies` plies.
///
/// ```
/// use morello::book::{Book, memorized_lines};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let book = Book::built_in(othello).expect("Othello has a book")?;
/// let memorized = memorized_lines(&book, &othello.start(), 6)?;
/// assert!(memorized.black >= 1 && memorized.white >= 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BookError::Damaged`] if a checksum is wrong.
pub fn memorized_lines(book: &Book, position: &AnyPosition, plies: u32) -> Result<MemorizedLines, BookError> {
    count(book, &position.canonical(), plies, &mut HashMap::new())
}

fn count(
    book: &Book,
    position: &AnyPosition,
    plies: u32,
    known: &mut HashMap<(AnyPosition, u32), MemorizedLines>,
) -> Result<MemorizedLines, BookError> {
    if let Some(found) = known.get(&(*position, plies)) {
        return Ok(*found);
    }
    let one = MemorizedLines { black: 1, white: 1 };
    let entry = if plies > 0 { book.file().get(position)? } else { None };
    let Some((entry, best)) = entry.as_ref().and_then(|entry| Some((entry, entry.best()?))) else { return Ok(one) };
    let is_best = |score: &BookScore| score.score.thousandths == best.score.score.thousandths;
    let mut found: Option<MemorizedLines> = None;
    let is_black = position.side_to_move() == Color::Black;
    for known_move in entry.moves.iter().filter(|known| is_best(&known.score)) {
        let below = match successor(position, known_move.m) {
            Successor::Position(next, _) => count(book, &next, plies - 1, known)?,
            Successor::End(_) => one,
        };
        // The side to move chooses the move with the fewest lines; the other side must know an
        // answer to each.
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
    known.insert((*position, plies), found);
    Ok(found)
}

/// Returns the images of a move under the symmetries of a position.
#[must_use]
pub fn move_images(position: &AnyPosition, m: AnyMove) -> Vec<AnyMove> {
    let mut images: Vec<_> = own_symmetries(position).into_iter().map(|k| m.transform(k)).collect();
    sorting::sort_by(&mut images, &|&a, &b| u16::from(a).cmp(&u16::from(b)));
    images.dedup();
    images
}
