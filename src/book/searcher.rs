//! Searchers that answer from a book.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::entry::{BookEntry, BookMove};
use super::graph::{Successor, successor};
use super::lines::move_images;
use super::shared::Book;
use crate::game::{
    AnyMove, AnyPosition, Cancel, Confidence, Game, Limits, Line, Position as _, RandomNumbers, Report, Searcher,
    SearcherWrapper,
};

/// The note of a report that comes from a book.
pub const FROM_BOOK: &str = "from the opening book";

/// The time between two looks whether another process has changed the book.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// How a searcher uses a book.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BookUse {
    /// Choose moves for play among those that lose at most this many points, weighted; `None` chooses none.
    pub variety: Option<f64>,
    /// Answer other searches, too, if the scores of the book come from searches that are as deep and as confident.
    pub answers: bool,
    /// The seed of the choices.
    pub seed: u64,
}

/// Returns a wrapper of searchers, for [`EngineOptions::wrapper`](crate::game::EngineOptions::wrapper), that answers from a book where it can.
#[must_use]
pub fn with_book(book: Arc<Book>, usage: BookUse) -> SearcherWrapper {
    SearcherWrapper::new(move |inner| {
        let (book, numbers, forks) = (Arc::clone(&book), RandomNumbers::new(usage.seed), Arc::default());
        Box::new(BookSearcher { inner, book, usage, numbers, forks, refreshed: Instant::now() })
    })
}

struct BookSearcher {
    inner: Box<dyn Searcher>,
    book: Arc<Book>,
    usage: BookUse,
    numbers: RandomNumbers,
    /// The number of forks of the first searcher and of its forks, so that each has other numbers, the same in every run.
    forks: Arc<AtomicU64>,
    refreshed: Instant,
}

impl BookSearcher {
    /// Returns the report of the book; `None` if it has no answer. A damaged book has none.
    fn report(&mut self, game: &Game, limits: &Limits) -> Option<Report> {
        if self.refreshed.elapsed() >= REFRESH_INTERVAL {
            self.refreshed = Instant::now();
            // The book as it was is as good as none that can be read.
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
            return Some(report(&self.book, position, &[chosen], None));
        }
        let entry = if self.usage.answers { self.book.get(position).ok().flatten()? } else { return None };
        let wanted = limits.lines.max(1).min(position.count_moves());
        let images = |known: &BookMove| {
            let images = move_images(position, known.m).into_iter();
            images.map(|m| BookMove { m, ..*known }).collect::<Vec<_>>()
        };
        let moves: Vec<_> = entry.moves.iter().flat_map(images).take(wanted).collect();
        let suffices = |known: &BookMove| known.score.score.is_exact() || is_as_deep(known, position, limits);
        let is_sufficient = moves.len() == wanted && moves.iter().all(suffices) && is_settled(&entry, &moves);
        is_sufficient.then(|| report(&self.book, position, &moves, Some(&entry)))
    }
}

/// Returns whether the score of a move comes from a search that is as deep and as confident as one with these limits. Limits on time and nodes say nothing about
/// that.
fn is_as_deep(known: &BookMove, position: &AnyPosition, limits: &Limits) -> bool {
    let empties = position.empties().unwrap_or(u32::MAX);
    let is_solved = limits.exact || limits.window.is_some() || limits.exact_from.is_some_and(|from| empties <= from);
    let Some(depth) = limits.depth.filter(|_| !is_solved) else { return false };
    let found = known.score.provenance;
    u32::from(found.depth) >= depth.min(empties) && found.confidence >= limits.confidence.unwrap_or(Confidence::LOWEST)
}

/// Returns whether no other move can be better than the last of these, as far as the book knows.
fn is_settled(entry: &BookEntry, moves: &[BookMove]) -> bool {
    let Some(last) = moves.last() else { return false };
    entry.rest.is_none_or(|rest| rest.score.thousandths <= last.score.score.thousandths)
}

/// Returns a report of some moves, with their lines in the book.
fn report(book: &Book, position: &AnyPosition, moves: &[BookMove], entry: Option<&BookEntry>) -> Report {
    let line = |known: &BookMove| Line { score: known.score.score, pv: continuation(book, position, known.m) };
    let best = moves.first().expect("the book has a move").score;
    let proved = entry.and_then(BookEntry::score).unwrap_or(best);
    Report {
        lines: moves.iter().map(line).collect(),
        bounds: proved.score.bounds(),
        depth: best.provenance.depth.into(),
        confidence: best.provenance.confidence,
        nodes: 0,
        time: Duration::ZERO,
        note: Some(FROM_BOOK),
    }
}

/// The maximum number of moves of a line.
const MAX_LINE: usize = 60;

/// Returns a move and the best moves of the book after it.
fn continuation(book: &Book, position: &AnyPosition, first: AnyMove) -> Vec<AnyMove> {
    let (mut at, mut m, mut line) = (*position, first, Vec::new());
    while line.len() < MAX_LINE {
        line.push(m);
        let Successor::Position(_, passed) = successor(&at, m) else { break };
        at = at.after(m);
        if passed && let Some(pass) = at.forced_pass() {
            line.push(pass);
            at = at.after(pass);
        }
        match book.get(&at).ok().flatten().and_then(|entry| entry.best().copied()) {
            Some(best) => m = best.m,
            None => break,
        }
    }
    line
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
        // Forks make other choices.
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
