//! [`Connection`]: what all protocols share: the game, the searcher, and both directions of the talk.

use std::fmt::Display;
use std::io::{self, Write};

use super::Strength;
use super::inbox::{Inbox, StopRequest};
use crate::game::{Cancel, Dialect, Game, Limits, Report, Searcher};
use crate::session::Session;

/// The name by which the engine introduces itself.
pub(super) const NAME: &str = "morello";
/// Its version.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the answers go; the first failure is kept, and nothing is written after it.
pub(super) struct ResponseWriter<'a> {
    sink: &'a mut (dyn Write + Send),
    pub(super) error: Option<io::Error>,
}

impl<'a> ResponseWriter<'a> {
    pub(super) fn new(sink: &'a mut (dyn Write + Send)) -> Self {
        Self { sink, error: None }
    }

    /// Writes a line, or several, at once.
    pub(super) fn line(&mut self, line: impl Display) {
        if self.error.is_none() {
            // In one piece: the other side may read as soon as there is anything.
            let text = format!("{line}\n");
            self.error = self.sink.write_all(text.as_bytes()).and_then(|()| self.sink.flush()).err();
        }
    }
}

/// A conversation about one game.
pub(super) struct Connection<'a, 'o> {
    pub(super) inbox: &'a mut Inbox,
    pub(super) output: &'a mut ResponseWriter<'o>,
    pub(super) searcher: Box<dyn Searcher>,
    pub(super) dialect: Dialect,
    pub(super) strength: Strength,
    pub(super) session: Session,
}

/// What came of thinking.
pub(super) struct SearchOutcome {
    pub(super) report: Report,
    /// Whether the other side has ended it.
    pub(super) interrupted: bool,
}

impl Connection<'_, '_> {
    /// Returns the next line; `None` when the session is over.
    pub(super) fn next(&mut self) -> Option<String> {
        if self.output.error.is_some() { None } else { self.inbox.next() }
    }

    pub(super) fn send(&mut self, line: impl Display) {
        self.output.line(line);
    }

    /// Searches a position until a bound is reached or a line is in `haste`; `write` tells of each new report.
    pub(super) fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        haste: &dyn Fn(&str) -> StopRequest,
        write: &(dyn Fn(&mut ResponseWriter<'_>, &Dialect, &Report) + Sync),
    ) -> SearchOutcome {
        let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        let (searcher, output, dialect) = (&mut self.searcher, &mut *self.output, &self.dialect);
        let (report, interrupted) = self.inbox.run_interruptible(haste, bounded, |cancel: &Cancel| {
            let mut last = None;
            let mut tell = |report: &Report| {
                // The last report often comes twice.
                if last.as_ref() != Some(&(report.depth, report.lines.clone())) {
                    last = Some((report.depth, report.lines.clone()));
                    write(output, dialect, report);
                }
                // Nobody is there to hear more.
                if output.error.is_some() {
                    cancel.cancel();
                }
            };
            let report = searcher.search(game, limits, cancel, &mut tell);
            tell(&report);
            report
        });
        SearchOutcome { report, interrupted }
    }

    /// Returns what the engine was started with, for a search of this game.
    pub(super) fn limits(&self) -> Limits {
        self.strength.limits(self.session.rules())
    }

    /// Begins a new game, and forgets what was learnt.
    pub(super) fn restart(&mut self) {
        self.searcher.clear();
        self.session.restart();
    }

    /// Takes another game, and forgets what was learnt if it is not one that this one goes on to or came from.
    pub(super) fn set_game(&mut self, game: Game) {
        let (old, new) = (self.session.game().moves(), game.moves());
        let common = old.len().min(new.len());
        if self.session.game().start() != game.start() || old[..common] != new[..common] {
            self.searcher.clear();
        }
        self.session.set_game(game);
    }
}

/// Returns the first word of a line, and the rest without the blanks around it.
pub(super) fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}
