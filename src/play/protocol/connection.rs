//! [`Connection`]: the state that all protocols share: the game, the searcher, the input and the
//! output.

use std::fmt::Display;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write};

use morello_core::game::{AnyMove, Cancel, Dialect, Game, Level, Limits, RandomNumbers, Report, Searcher};

use super::Strength;
use super::inbox::Inbox;
use crate::session::Session;

/// The name of the engine.
pub(super) const NAME: &str = "morello";
/// The version of the engine.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes the responses. After an error, it keeps the error and writes nothing more.
pub(super) struct ResponseWriter<'a> {
    sink: &'a mut (dyn Write + Send),
    pub(super) error: Option<io::Error>,
}

impl<'a> ResponseWriter<'a> {
    pub(super) fn new(sink: &'a mut (dyn Write + Send)) -> Self {
        Self { sink, error: None }
    }

    /// Writes one or more lines at once.
    pub(super) fn line(&mut self, line: impl Display) {
        if self.error.is_none() {
            // Use a single write, so that the other program never reads a partial line.
            let text = format!("{line}\n");
            self.error = self.sink.write_all(text.as_bytes()).and_then(|()| self.sink.flush()).err();
        }
    }
}

/// A session for one game.
pub(super) struct Connection<'a, 'o> {
    pub(super) inbox: &'a mut Inbox,
    pub(super) output: &'a mut ResponseWriter<'o>,
    pub(super) searcher: Box<dyn Searcher>,
    pub(super) dialect: Dialect,
    pub(super) strength: Strength,
    pub(super) session: Session,
}

impl Connection<'_, '_> {
    /// Returns the next line; `None` when the session is over.
    pub(super) fn next(&mut self) -> Option<String> {
        if self.output.error.is_some() { None } else { self.inbox.next() }
    }

    pub(super) fn send(&mut self, line: impl Display) {
        self.output.line(line);
    }

    /// Searches a position until it reaches a limit, or until an input line stops it. `write` writes
    /// each new report. Also returns whether a line or the end of
    /// the input stopped the search.
    pub(super) fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        write: &(dyn Fn(&mut ResponseWriter<'_>, &Dialect, &Report) + Sync),
    ) -> (Report, bool) {
        let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        let (searcher, output, dialect) = (&mut self.searcher, &mut *self.output, &self.dialect);
        self.inbox.run_interruptible(is_limited, |cancel: &Cancel| {
            let mut last = None;
            let mut on_report = |report: &Report| {
                // The final report often repeats the last iteration.
                if last.as_ref() != Some(&(report.depth, report.lines.clone())) {
                    last = Some((report.depth, report.lines.clone()));
                    write(output, dialect, report);
                }
                if output.error.is_some() {
                    cancel.cancel();
                }
            };
            let report = searcher.search(game, limits, cancel, &mut on_report);
            on_report(&report);
            report
        })
    }

    /// Returns the current limits for this game.
    pub(super) fn limits(&self) -> Limits {
        self.strength.limits(self.session.rules())
    }

    /// Sets the level of play, which replaces a depth limit.
    pub(super) fn set_level(&mut self, level: Level) {
        self.strength.level = Some(level);
        self.strength.depth = None;
    }

    /// Returns the move that the level of play chooses among the lines of a report; `None` if the
    /// game is over.
    pub(super) fn choose(&self, game: &Game, report: &Report) -> Option<AnyMove> {
        let random = &mut RandomNumbers::new(RandomState::new().hash_one(0));
        let line = self.strength.level().map_or(0, |level| level.choose_line(game, report, random));
        report.lines.get(line)?.pv.first().copied()
    }

    /// Begins a new game and clears the search tables.
    pub(super) fn restart(&mut self) {
        self.searcher.clear();
        self.session.restart();
    }

    /// Replaces the game. Clears the search tables unless one game continues the other.
    pub(super) fn set_game(&mut self, game: Game) {
        let (old, new) = (self.session.game().moves(), game.moves());
        let common = old.len().min(new.len());
        if self.session.game().start() != game.start() || old[..common] != new[..common] {
            self.searcher.clear();
        }
        self.session.set_game(game);
    }
}

/// Splits a line into its first word and the trimmed rest.
pub(super) fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}
