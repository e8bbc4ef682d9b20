//! One search on several threads, for searchers whose forks can assist each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::game::{Cancel, Game, Limits, Position, Report, Searcher};

/// How long an idle thread may take to notice the end of the search.
const PATIENCE: Duration = Duration::from_millis(5);

/// Searches as [`Searcher::search`] does, with `threads - 1` further threads that [assist](Searcher::assist).
pub fn search_on_threads<P: Position>(
    searcher: &mut dyn Searcher<P>,
    threads: usize,
    game: &Game<P>,
    limits: &Limits,
    cancel: &Cancel,
    on_info: &mut dyn FnMut(&Report<P>),
) -> Report<P> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _raised_at_the_end = Raise(&over);
        for _ in 1..threads {
            let (mut helper, over) = (searcher.fork(), &over);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    helper.assist(PATIENCE);
                }
            });
        }
        searcher.search(game, limits, cancel, on_info)
    })
}

/// Raises a flag however the search ends: helpers that went on after a panic would hide it.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
