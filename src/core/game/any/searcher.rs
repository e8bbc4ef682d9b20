//! Type-erased searchers.

use std::time::Duration;

use super::AnyMove;
use crate::game::{Cancel, Game, Limits, Playable, Report, Searcher};

/// Erases the type of a searcher's game.
pub(super) fn any_searcher<P: Playable>(searcher: Box<dyn Searcher<P>>) -> Box<dyn Searcher> {
    Box::new(ErasedSearcher(searcher))
}

struct ErasedSearcher<P: Playable>(Box<dyn Searcher<P>>);

impl<P: Playable> Searcher for ErasedSearcher<P> {
    fn search(&mut self, game: &Game, limits: &Limits, cancel: &Cancel, on_info: &mut dyn FnMut(&Report)) -> Report {
        let any = |report: &Report<P>| report.map(AnyMove::new::<P>);
        any(&self.0.search(&game.known(), limits, cancel, &mut |report| on_info(&any(report))))
    }

    fn fork(&self) -> Box<dyn Searcher> {
        any_searcher(self.0.fork())
    }

    fn assist(&mut self, timeout: Duration) {
        self.0.assist(timeout);
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
