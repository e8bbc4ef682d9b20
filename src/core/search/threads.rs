//! Parallel search of one position, for searchers whose forks can assist each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::game::{Cancel, Game, Limits, Position, Report, Searcher};
use crate::threads::{BesideWork, run_beside};

/// How long an idle helper waits before it checks whether the search has ended.
const ASSIST_TIMEOUT: Duration = Duration::from_millis(5);

/// Searches like [`Searcher::search`], with `threads - 1` additional threads that
/// [assist](Searcher::assist).
///
/// Only Othello's searchers assist each other. In the mill games, search different positions with
/// each fork instead.
///
/// ```
/// use morello::game::{Cancel, Engine, EngineOptions, Limits, random_game};
/// use morello::othello::Position;
/// use morello::search::search_on_threads;
///
/// let game = random_game::<Position>(1, 46);
/// let mut searcher = Position::searcher(&EngineOptions::new(1 << 20))?;
/// let (limits, cancel) = (Limits::exact(), Cancel::new());
/// let report = search_on_threads(searcher.as_mut(), 2, &game, &limits, &cancel, &mut |_| ());
/// assert!(report.best().score.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_on_threads<P: Position>(
    searcher: &mut dyn Searcher<P>,
    threads: usize,
    game: &Game<P>,
    limits: &Limits,
    cancel: &Cancel,
    on_info: &mut dyn FnMut(&Report<P>),
) -> Report<P> {
    let helpers = (1..threads).map(|_| searcher.fork()).collect();
    let assist = |helper: &mut Box<dyn Searcher<P>>| helper.assist(ASSIST_TIMEOUT);
    with_helpers(helpers, assist, || searcher.search(game, limits, cancel, on_info))
}

/// Runs `act` while each helper assists repeatedly on its own thread.
pub(crate) fn with_helpers<H: Send, R>(helpers: Vec<H>, assist: impl Fn(&mut H) + Sync, act: impl FnOnce() -> R) -> R {
    let over = AtomicBool::new(false);
    let mut works: Vec<BesideWork<'_>> = Vec::new();
    for mut helper in helpers {
        let (assist, over) = (&assist, &over);
        works.push(Box::new(move || {
            while !over.load(Ordering::Relaxed) {
                assist(&mut helper);
            }
        }));
    }
    run_beside(works, || {
        let _raise = RaiseOnDrop(&over);
        act()
    })
}

/// Raises a flag when dropped, so that a panic also stops the helpers before it propagates.
struct RaiseOnDrop<'a>(&'a AtomicBool);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_stops_the_helpers_and_propagates() {
        let act = || with_helpers(vec![(); 2], |()| thread::yield_now(), || panic!("as a test"));
        assert!(thread::spawn(act).join().is_err());
    }
}
