//! [`Book`]: book look-ups by several threads.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use morello_core::data_file;
use morello_core::game::{AnyGame, AnyMove, AnyPosition, RandomNumbers};

use super::entry::{BookEntry, BookMove, own_symmetries};
use super::file::{BookError, BookFile};

/// Returns the contents of a game's built-in book.
fn built_in(game: &str) -> Option<&'static [u8]> {
    Some(match game {
        "nine-mens-morris" => data_file!("books/nine-mens-morris.book"),
        "nine-mens-morris-flying" => data_file!("books/nine-mens-morris-flying.book"),
        "othello" => data_file!("books/othello.book"),
        "six-mens-morris" => data_file!("books/six-mens-morris.book"),
        _ => return None,
    })
}

/// A book that several threads read, while another process may write to it.
///
/// ```
/// use morello::book::{Book, BookEntry, BookWriter};
/// use morello::game::{EngineOptions, Game, Limits, Position as _};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mine.book");
/// let mut writer = BookWriter::open(&path, othello)?;
/// let start = othello.start().canonical();
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// let report = searcher.best(&Game::new(start), &Limits::depth(2));
/// writer.put(start, BookEntry::of_report(&start, &report, 0));
/// writer.commit()?;
///
/// let book = Book::open(&path, othello)?;
/// let entry = book.get(&othello.start())?.expect("the start is in the book");
/// assert!(othello.start().is_legal(entry.best().expect("it has a move").m));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Book(RwLock<Arc<BookFile>>);

impl Book {
    /// Opens a book file.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read or is not a book of the game.
    pub fn open(path: &Path, game: &'static dyn AnyGame) -> Result<Self, BookError> {
        BookFile::open(path, game).map(Self::from)
    }

    /// Returns the built-in book of a game; `None` if there is none.
    ///
    /// ```
    /// use morello::book::Book;
    /// use morello::game::Position as _;
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let book = Book::built_in(othello).expect("Othello has a book")?;
    /// let after = othello.start().after(othello.start().parse_move("f5")?);
    /// let entry = book.get(&after)?.expect("the first move is in the book");
    /// assert!(["d6", "f6"].contains(&entry.best().expect("it has moves").m.to_string().as_str()));
    /// assert!(Book::built_in(games::get("lasker-morris")?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BookError`] if the book is damaged.
    #[must_use]
    pub fn built_in(game: &'static dyn AnyGame) -> Option<Result<Self, BookError>> {
        Some(BookFile::embedded(game, built_in(game.name())?).map(Self::from))
    }

    /// Returns the current state of the book file.
    #[must_use]
    pub fn file(&self) -> Arc<BookFile> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens the file again if another process has changed it.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be opened; the book is then unchanged.
    pub fn refresh(&self) -> Result<(), BookError> {
        if let Some(changed) = self.file().reopened()? {
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(changed);
        }
        Ok(())
    }

    /// Returns the entry of a position, with moves in the orientation of the position; `None` if it
    /// is not in the book.
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn get(&self, position: &AnyPosition) -> Result<Option<BookEntry>, BookError> {
        let (canonical, k) = canonical(position);
        Ok(self.file().get(&canonical)?.map(|entry| entry.transform(k)))
    }

    /// Chooses one of the moves that are at most `variety` points worse than the best move; `None`
    /// if the position is not in the book. Better moves are more likely: a move that is `variety`
    /// points worse has a tenth of the weight of the best move. Any of several symmetric moves may
    /// be chosen.
    ///
    /// ```
    /// use morello::book::Book;
    /// use morello::game::{Position as _, RandomNumbers};
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let book = Book::built_in(othello).expect("Othello has a book")?;
    /// let chosen = book.choose(&othello.start(), 0.5, &mut RandomNumbers::new(1))?.expect("the start is in the book");
    /// assert!(othello.start().is_legal(chosen.m));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn choose(
        &self,
        position: &AnyPosition,
        variety: f64,
        numbers: &mut RandomNumbers,
    ) -> Result<Option<BookMove>, BookError> {
        let Some(entry) = self.get(position)? else { return Ok(None) };
        let Some(best) = entry.best() else { return Ok(None) };
        let loss = |known: &BookMove| best.score.score.points() - known.score.score.points();
        let within: Vec<_> = entry.within(variety).collect();
        let weight = |known: &BookMove| if variety > 0.0 { 0.1_f64.powf(loss(known) / variety) } else { 1.0 };
        let total: f64 = within.iter().map(|known| weight(known)).sum();
        let mut left = numbers.below(1 << 30) as f64 / f64::from(1 << 30) * total;
        let chosen = within.iter().find(|known| {
            left -= weight(known);
            left < 0.0
        });
        let chosen = **chosen.or(within.last()).unwrap_or(&best);
        let images: Vec<AnyMove> = own_symmetries(position).into_iter().map(|k| chosen.m.transform(k)).collect();
        Ok(Some(BookMove { m: images[numbers.below(images.len())], ..chosen }))
    }
}

impl From<BookFile> for Book {
    fn from(file: BookFile) -> Self {
        Self(RwLock::new(Arc::new(file)))
    }
}

/// Returns the canonical image of a position, and the symmetry that maps the image to the position.
///
/// ```
/// use morello::book::canonical;
/// use morello::game::Position as _;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// let position = start.after(start.parse_move("d3")?);
/// let (image, k) = canonical(&position);
/// assert_eq!(image.transform(k), position);
/// assert_eq!(image, canonical(&start.after(start.parse_move("f5")?)).0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn canonical(position: &AnyPosition) -> (AnyPosition, usize) {
    let canonical = position.canonical();
    let back = (0..position.game().info().symmetries).find(|&k| canonical.transform(k) == *position);
    (canonical, back.expect("a symmetry leads from the canonical position to every image"))
}
