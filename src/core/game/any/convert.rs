//! Conversions of games, records and reports between typed and type-erased forms.

use super::{AnyMove, AnyPosition};
use crate::game::{AnnotatedGame, AnnotatedPosition, Game, Line, ParsedRecord, Playable, Report};

impl<P: Playable> Game<P> {
    /// Erases the type of the game.
    #[must_use]
    pub fn any(&self) -> Game {
        self.map(|&position| AnyPosition::new(position), AnyMove::new::<P>)
    }
}

impl Game {
    /// Restores the type of the game.
    ///
    /// # Panics
    /// If the game has another type.
    pub(crate) fn known<P: Playable>(&self) -> Game<P> {
        assert_eq!(self.start().game().name(), P::INFO.name, "the game has the expected type");
        self.map(AnyPosition::known, AnyMove::unpack::<P>)
    }

    /// Restores the type of the game; `None` if the game has another type.
    #[must_use]
    pub fn typed<P: Playable>(&self) -> Option<Game<P>> {
        (self.position().game().name() == P::INFO.name).then(|| self.known())
    }
}

impl<P: Playable> AnnotatedGame<P> {
    /// Erases the type of the game.
    #[must_use]
    pub fn into_any(self) -> AnnotatedGame {
        AnnotatedGame { game: self.game.any(), tags: self.tags, notes: self.notes }
    }
}

impl AnnotatedGame {
    /// Restores the type of the game, which the caller knows.
    pub(crate) fn known<P: Playable>(&self) -> AnnotatedGame<P> {
        AnnotatedGame { game: self.game.known(), tags: self.tags.clone(), notes: self.notes.clone() }
    }
}

impl AnnotatedPosition {
    /// Restores the type of the game, which the caller knows.
    pub(crate) fn known<P: Playable>(&self) -> AnnotatedPosition<P> {
        let expected = self.expected.iter().map(|&(m, score)| (m.map(AnyMove::unpack::<P>), score));
        AnnotatedPosition { position: self.position.known(), expected: expected.collect() }
    }
}

impl<P: Playable> AnnotatedPosition<P> {
    /// Erases the type of the game.
    #[must_use]
    pub fn any(&self) -> AnnotatedPosition {
        let expected = self.expected.iter().map(|&(m, score)| (m.map(AnyMove::new::<P>), score));
        AnnotatedPosition { position: AnyPosition::new(self.position), expected: expected.collect() }
    }
}

impl<P: Playable> From<AnnotatedPosition<P>> for ParsedRecord {
    fn from(position: AnnotatedPosition<P>) -> Self {
        Self::Position(position.any())
    }
}

impl<P: Playable> From<AnnotatedGame<P>> for ParsedRecord {
    fn from(game: AnnotatedGame<P>) -> Self {
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
