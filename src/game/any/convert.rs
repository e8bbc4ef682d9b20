//! Games, entries and reports with the type of their game, and without it.

use super::{AnyMove, AnyPosition};
use crate::game::{Annotated, Entry, Game, Held, Line, Playable, Report};

impl<P: Playable> Game<P> {
    /// Hides the type of the game.
    #[must_use]
    pub fn any(&self) -> Game {
        self.map(|&position| AnyPosition::new(position), AnyMove::new::<P>)
    }
}

impl Game {
    /// Returns the same record with the type that the caller knows its game to have.
    pub(crate) fn known<P: Playable>(&self) -> Game<P> {
        assert_eq!(self.start().game().name(), P::NAME, "the record is of the game");
        self.map(AnyPosition::known, AnyMove::unpack::<P>)
    }

    /// Returns the same record with the type of its game; `None` if it is another game's.
    #[must_use]
    pub fn typed<P: Playable>(&self) -> Option<Game<P>> {
        (self.position().game().name() == P::NAME).then(|| self.known())
    }
}

impl<P: Playable> Annotated<P> {
    /// Hides the type of the game.
    #[must_use]
    pub fn into_any(self) -> Annotated {
        Annotated { game: self.game.any(), tags: self.tags, notes: self.notes }
    }
}

impl Annotated {
    /// Returns the same with the type that the caller knows its game to have.
    pub(crate) fn known<P: Playable>(&self) -> Annotated<P> {
        Annotated { game: self.game.known(), tags: self.tags.clone(), notes: self.notes.clone() }
    }
}

impl Entry {
    /// Returns the same with the type that the caller knows its game to have.
    pub(crate) fn known<P: Playable>(&self) -> Entry<P> {
        let expected = self.expected.iter().map(|&(m, score)| (m.map(AnyMove::unpack::<P>), score));
        Entry { position: self.position.known(), expected: expected.collect() }
    }
}

impl<P: Playable> Entry<P> {
    /// Hides the type of the game.
    #[must_use]
    pub fn any(&self) -> Entry {
        let expected = self.expected.iter().map(|&(m, score)| (m.map(AnyMove::new::<P>), score));
        Entry { position: AnyPosition::new(self.position), expected: expected.collect() }
    }
}

impl<P: Playable> From<Entry<P>> for Held {
    fn from(entry: Entry<P>) -> Self {
        Self::Position(entry.any())
    }
}

impl<P: Playable> From<Annotated<P>> for Held {
    fn from(game: Annotated<P>) -> Self {
        game.into_any().into()
    }
}

pub(super) fn any_report<P: Playable>(report: &Report<P>) -> Report {
    let line = |line: &Line<P>| Line { score: line.score, pv: line.pv.iter().map(|&m| AnyMove::new::<P>(m)).collect() };
    Report {
        lines: report.lines.iter().map(line).collect(),
        bounds: report.bounds,
        depth: report.depth,
        confidence: report.confidence,
        nodes: report.nodes,
        time: report.time,
        note: report.note,
    }
}
