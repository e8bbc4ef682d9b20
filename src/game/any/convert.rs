//! Games, entries and reports with the type of their game, and without it.

use super::{AnyMove, AnyPosition};
use crate::game::{Annotated, Entry, Game, Held, Line, Playable, Report};

impl<P: Playable> Game<P> {
    /// Hides the type of the game.
    #[must_use]
    pub fn any(&self) -> Game {
        any_record(self)
    }
}

impl Game {
    /// Returns the same record with the type of its game; `None` if it is another game's.
    #[must_use]
    pub fn typed<P: Playable>(&self) -> Option<Game<P>> {
        (self.position().game().name() == P::NAME).then(|| typed_record(self))
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

/// Hides the type of a game's record.
pub(super) fn any_record<P: Playable>(game: &Game<P>) -> Game {
    game.map(|&position| AnyPosition::new(position), AnyMove::new::<P>)
}

/// Returns a record that is known to be of this game, with its type.
pub(super) fn typed_record<P: Playable>(game: &Game) -> Game<P> {
    game.map(AnyPosition::unpack, AnyMove::unpack::<P>)
}

pub(super) fn any_annotated<P: Playable>(annotated: Annotated<P>) -> Annotated {
    Annotated { game: any_record(&annotated.game), tags: annotated.tags, notes: annotated.notes }
}

pub(super) fn typed_annotated<P: Playable>(annotated: &Annotated) -> Annotated<P> {
    let Annotated { game, tags, notes } = annotated;
    Annotated { game: typed_record(game), tags: tags.clone(), notes: notes.clone() }
}

pub(super) fn typed_entry<P: Playable>(entry: &Entry) -> Entry<P> {
    let expected = entry.expected.iter().map(|&(m, score)| (m.map(AnyMove::unpack::<P>), score));
    Entry { position: entry.position.unpack(), expected: expected.collect() }
}

pub(super) fn any_held<P: Playable>(held: Held<P>) -> Held {
    match held {
        Held::Position(entry) => Held::Position(entry.any()),
        Held::Games(games) => Held::Games(games.into_iter().map(any_annotated).collect()),
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
