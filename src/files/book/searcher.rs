//! Searchers that use a book.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use morello_core::game::{
    AnyGame, AnyMove, AnyPosition, Cancel, Certainty, Confidence, Game, Limits, Line, Position as _, RandomNumbers,
    Report, ReportSource, Searcher, SearcherWrapper,
};
use morello_core::host::Instant;
use serde::{Deserialize, Serialize};

use super::entry::{BookEntry, BookMove, BookScore, least_image};
use super::file::BookError;
use super::lines::move_images;
use super::shared::Book;

/// The time between two checks whether another process has changed the book.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// How a searcher uses a book.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BookUse {
    /// For play, choose among the moves that are at most this many points worse than the best move,
    /// with weights; `None` does not choose from the book.
    pub variety: Option<f64>,
    /// The scores that are also used for other searches.
    pub answers: BookAnswers,
    /// The seed of the choices.
    pub seed: u64,
}

/// The book scores that replace searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BookAnswers {
    /// None.
    Never,
    /// Proved scores.
    Exact,
    /// Proved scores, and scores from searches that are as deep and as confident as the requested
    /// search.
    AsDeep,
}

/// Returns a wrapper for searchers, for
/// [`EngineOptions::wrapper`](morello_core::game::EngineOptions::wrapper), that uses a book when
/// possible.
///
/// ```
/// use std::sync::Arc;
///
/// use morello::book::{Book, BookAnswers, BookUse, with_book};
/// use morello::game::{EngineOptions, Game, Limits, ReportSource};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let book = Arc::new(Book::built_in(othello).expect("Othello has a book")?);
/// let usage = BookUse { variety: Some(1.0), answers: BookAnswers::Never, seed: 1 };
/// let options = EngineOptions { wrapper: Some(with_book(book, usage)), ..EngineOptions::new(1 << 20) };
/// let mut searcher = othello.searcher(&options)?;
/// let report = searcher.best(&Game::new(othello.start()), &Limits::depth(2).for_move());
/// assert_eq!(report.source, ReportSource::Book);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn with_book(book: Arc<Book>, usage: BookUse) -> Arc<dyn SearcherWrapper> {
    Arc::new(WithBook { book, usage })
}

/// Returns a wrapper for searchers that uses the built-in book when it proves the result; `None` if
/// the game has no built-in book.
///
/// ```
/// use morello::book::known_values;
/// use morello::game::{EngineOptions, Game, Limits, ReportSource};
/// use morello::games;
///
/// let nine = games::get("nine-mens-morris-flying")?;
/// let options = EngineOptions { wrapper: known_values(nine)?, ..EngineOptions::new(1 << 20) };
/// let report = nine.searcher(&options)?.best(&Game::new(nine.start()), &Limits::depth(2));
/// assert_eq!((report.source, report.best().score.is_exact()), (ReportSource::Book, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BookError`] if the book is damaged.
pub fn known_values(game: &'static dyn AnyGame) -> Result<Option<Arc<dyn SearcherWrapper>>, BookError> {
    let usage = BookUse { variety: None, answers: BookAnswers::Exact, seed: 0 };
    Ok(Book::built_in(game).transpose()?.map(|book| with_book(Arc::new(book), usage)))
}

#[derive(Debug)]
struct WithBook {
    book: Arc<Book>,
    usage: BookUse,
}

impl SearcherWrapper for WithBook {
    fn wrap(&self, inner: Box<dyn Searcher>) -> Box<dyn Searcher> {
        let (usage, numbers, forks) = (self.usage, RandomNumbers::new(self.usage.seed), Arc::default());
        Box::new(BookSearcher { inner, book: Arc::clone(&self.book), usage, numbers, forks, refreshed: Instant::now() })
    }
}

struct BookSearcher {
    inner: Box<dyn Searcher>,
    book: Arc<Book>,
    usage: BookUse,
    numbers: RandomNumbers,
    /// The number of forks of the first searcher and its forks. It gives each fork other random
    /// numbers, which are the same in every run.
    forks: Arc<AtomicU64>,
    refreshed: Instant,
}

impl BookSearcher {
    /// Returns the report from the book; `None` if the book cannot replace the search, or is
    /// damaged.
    fn report(&mut self, game: &Game, limits: &Limits) -> Option<Report> {
        if self.refreshed.elapsed() >= REFRESH_INTERVAL {
            self.refreshed = Instant::now();
            // If the refresh fails, the previous state of the book is still usable.
            let _ = self.book.refresh();
        }
        if game.end().is_some() {
            return None;
        }
        let position = game.position();
        if limits.move_only
            && let Some(variety) = self.usage.variety
            && let Some(chosen) = self.book.choose(position, variety, &mut self.numbers).ok().flatten()
        {
            let entry = self.book.get(position).ok().flatten()?;
            return Some(report(&self.book, game, &[chosen], &entry));
        }
        // A book contains positions without the moves before them. These moves can cause a draw in
        // a game with repetitions and a clock.
        let answers = self.usage.answers;
        if answers == BookAnswers::Never || position.empty_count().is_none() && game.halfmove_clock() > 0 {
            return None;
        }
        let entry = self.book.get(position).ok().flatten()?;
        let wanted = limits.lines.max(1).min(position.count_moves());
        let images = |known: &BookMove| {
            let images = move_images(position, known.m).into_iter();
            images.map(|m| BookMove { m, ..*known }).collect::<Vec<_>>()
        };
        let moves: Vec<_> = entry.moves.iter().flat_map(images).take(wanted).collect();
        let is_sufficient = moves.len() == wanted && is_settled(&entry, &moves, position, (answers, limits));
        is_sufficient.then(|| report(&self.book, game, &moves, &entry))
    }
}

/// Returns whether a score comes from a search that is as deep and as confident as a search with
/// these limits. Time and node limits are ignored.
fn is_as_deep(score: &BookScore, position: &AnyPosition, (answers, limits): (BookAnswers, &Limits)) -> bool {
    if answers != BookAnswers::AsDeep {
        return false;
    }
    let empties = position.empty_count().unwrap_or(u32::MAX);
    let is_solved = limits.exact || limits.window.is_some() || limits.exact_from.is_some_and(|from| empties <= from);
    let Some(depth) = limits.depth.filter(|_| !is_solved) else { return false };
    let found = score.provenance;
    u32::from(found.depth) >= depth.min(empties) && found.confidence >= limits.confidence.unwrap_or(Confidence::LOWEST)
}

/// Returns whether these moves, the first of the entry, are the best moves, by scores that are as
/// good as the scores of a search with these limits. This applies to their own scores and to the
/// scores of all other moves, unless those are proved to be no better.
fn is_settled(entry: &BookEntry, moves: &[BookMove], position: &AnyPosition, limits: (BookAnswers, &Limits)) -> bool {
    let Some(last) = moves.last().filter(|_| entry.rest.is_some() || entry.is_complete(position)) else { return false };
    let last = last.score.score.thousandths;
    let is_no_better = |score: &BookScore| {
        let is_proved = matches!(score.score.certainty, Certainty::Exact | Certainty::AtMost);
        score.score.thousandths <= last && (is_proved || is_as_deep(score, position, limits))
    };
    let is_returned =
        |known: &BookMove| moves.iter().any(|of| least_image(position, of.m) == least_image(position, known.m));
    let others = entry.moves.iter().filter(|known| !is_returned(known)).map(|known| &known.score).chain(&entry.rest);
    let suffices = |known: &BookMove| known.score.score.is_exact() || is_as_deep(&known.score, position, limits);
    moves.iter().all(suffices) && others.into_iter().all(is_no_better)
}

/// Returns a report on some moves of an entry, with their lines in the book.
fn report(book: &Book, game: &Game, moves: &[BookMove], entry: &BookEntry) -> Report {
    let of_position = entry.score(game.position()).unwrap_or(moves[0].score);
    let line = |known: &BookMove| {
        let mut score = known.score.score;
        // The score of the best move is the score of the position, which other moves may leave
        // open.
        if score.thousandths == of_position.score.thousandths {
            score = of_position.score;
        }
        Line { score, pv: continuation(book, game, known.m) }
    };
    Report {
        lines: moves.iter().map(line).collect(),
        bounds: of_position.score.bounds(),
        depth: of_position.provenance.depth.into(),
        confidence: of_position.provenance.confidence,
        nodes: 0,
        time: Duration::ZERO,
        note: None,
        source: ReportSource::Book,
    }
}

/// The maximum number of moves in a line.
const MAX_LINE: usize = 60;

/// Returns a move and the best moves in the book after it, until the game ends.
fn continuation(book: &Book, game: &Game, first: AnyMove) -> Vec<AnyMove> {
    let (mut after, mut m) = (game.clone(), first);
    let played = game.moves().len();
    while after.play(m).is_ok() && after.end().is_none() && after.moves().len() < played + MAX_LINE {
        let next = after.position().forced_pass();
        match next.or_else(|| book.get(after.position()).ok().flatten()?.best().map(|best| best.m)) {
            Some(next) => m = next,
            None => break,
        }
    }
    after.moves()[played..].to_vec()
}

impl Searcher for BookSearcher {
    fn search(&mut self, game: &Game, limits: &Limits, cancel: &Cancel, on_info: &mut dyn FnMut(&Report)) -> Report {
        match self.report(game, limits) {
            Some(report) => {
                on_info(&report);
                report
            }
            None => self.inner.search(game, limits, cancel, on_info),
        }
    }

    fn fork(&self) -> Box<dyn Searcher> {
        // Forks make different choices.
        let fork = self.forks.fetch_add(1, Ordering::Relaxed);
        Box::new(Self {
            inner: self.inner.fork(),
            book: Arc::clone(&self.book),
            usage: self.usage,
            numbers: RandomNumbers::new(self.usage.seed.wrapping_add(fork + 1)),
            forks: Arc::clone(&self.forks),
            refreshed: self.refreshed,
        })
    }

    fn assist(&mut self, timeout: Duration) {
        self.inner.assist(timeout);
    }

    fn clear(&mut self) {
        self.inner.clear();
    }

    fn reseed(&mut self, seed: u64) {
        self.numbers = RandomNumbers::new(seed ^ self.usage.seed);
    }
}
