//! [`KnownMove`]: a move in a position, with the information in the book.

use morello_core::game::{AnyMove, AnyPosition, Position as _};

use super::entry::{BookEntry, BookScore, GameCounts};
use super::file::BookError;
use super::graph::{Successor, successor};
use super::lines::move_images;
use super::shared::Book;

/// A move in a position, or all moves that an entry does not list.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct KnownMove {
    /// The move; `None` for all other moves, none of which has a better score.
    pub m: Option<AnyMove>,
    /// Its score.
    pub score: BookScore,
    /// The [bounds](BookScore::bounds) of the result.
    pub bounds: (Option<f64>, Option<f64>),
    /// Whether the position after the move is in the book; `None` for all other moves.
    pub is_linked: Option<bool>,
    /// The games that continued with the move, counted for the side that moved.
    pub games: GameCounts,
    /// The name of the opening that ends with the move.
    pub opening: Option<&'static str>,
}

impl KnownMove {
    /// Returns the other moves to which a symmetry of `position` maps the move. `position` is the
    /// position in which it is played.
    ///
    /// ```
    /// use morello::book::Book;
    /// use morello::games;
    /// use morello::input::read_position;
    ///
    /// let othello = games::get("othello")?;
    /// let book = Book::built_in(othello).expect("Othello has a book")?;
    /// let position = read_position(othello, "f5f6e6")?;
    /// let entry = book.get(&position)?.expect("the position is in the book");
    /// let known = book.known_moves(&position, &entry)?;
    /// let best = (known[0].m.expect("a move").to_string(), known[0].symmetric(&position)[0].to_string());
    /// assert_eq!(best, ("d6".to_owned(), "f4".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn symmetric(&self, position: &AnyPosition) -> Vec<AnyMove> {
        let Some(m) = self.m else { return Vec::new() };
        move_images(position, m).into_iter().filter(|&image| image != m).collect()
    }
}

impl Book {
    /// Returns the moves of an entry of this book, best first, followed by an item for all other
    /// moves. Of several symmetric moves, only one is listed.
    ///
    /// ```
    /// use morello::book::Book;
    /// use morello::games;
    /// use morello::input::read_position;
    ///
    /// let othello = games::get("othello")?;
    /// let book = Book::built_in(othello).expect("Othello has a book")?;
    /// let position = read_position(othello, "f5d6c3d3")?;
    /// let entry = book.get(&position)?.expect("the position is in the book");
    /// let moves = book.known_moves(&position, &entry)?;
    /// assert_eq!(moves[0].m, entry.best().map(|best| best.m));
    /// assert!(moves.iter().any(|known| known.opening == Some("Tiger")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn known_moves(&self, position: &AnyPosition, entry: &BookEntry) -> Result<Vec<KnownMove>, BookError> {
        let names = position.game().opening_names();
        let mut moves = Vec::new();
        for known in &entry.moves {
            moves.push(KnownMove {
                m: Some(known.m),
                score: known.score,
                bounds: known.score.bounds(position),
                is_linked: Some(known.is_linked),
                games: self.games_after(position, known.m)?,
                opening: names.and_then(|names| names.get(&position.after(known.m))).map(|named| named.name),
            });
        }
        moves.extend(entry.rest.map(|rest| KnownMove {
            m: None,
            score: rest,
            bounds: rest.bounds(position),
            is_linked: None,
            games: GameCounts::default(),
            opening: None,
        }));
        Ok(moves)
    }

    /// Returns the games in the book after a move, counted for the side that moved.
    fn games_after(&self, position: &AnyPosition, m: AnyMove) -> Result<GameCounts, BookError> {
        let Successor::Position(next, passed) = successor(position, m) else { return Ok(GameCounts::default()) };
        let games = self.file().get(&next)?.map_or_else(GameCounts::default, |entry| entry.games);
        Ok(if passed { games } else { games.for_opponent() })
    }
}
