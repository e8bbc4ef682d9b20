//! Conversions of games, records and reports between typed and type-erased forms.

use super::{AnyMove, AnyPosition};
use crate::game::{AnnotatedGame, AnnotatedPosition, Game, Line, ParsedRecord, Playable, Position, Report};

impl<P: Playable> Game<P> {
    /// Erases the type of the game.
    ///
    /// ```
    /// use morello::game::{Game, random_game};
    /// use morello::othello;
    ///
    /// let typed = random_game::<othello::Position>(1, 10);
    /// let game: Game = typed.any();
    /// assert_eq!(game.start().game().name(), "othello");
    /// let back = game.typed::<othello::Position>().expect("a game of Othello");
    /// assert_eq!(back.moves(), typed.moves());
    /// assert!(game.typed::<othello::SizedPosition<6>>().is_none());
    /// ```
    #[must_use]
    pub fn any(&self) -> Game {
        self.map(AnyPosition::new, AnyMove::new::<P>)
    }
}

impl Game {
    /// Restores the type of the game.
    ///
    /// # Panics
    /// If the game has another type.
    pub(crate) fn known<P: Playable>(&self) -> Game<P> {
        self.start().game().assert_is(const { &P::INFO });
        self.map(|position| position.unpack(), AnyMove::unpack::<P>)
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
        AnnotatedGame {
            game: self.game.any(),
            tags: self.tags,
            notes: self.notes,
            tree: self.tree,
            unread: self.unread,
        }
    }

    /// Erases the type of the game.
    pub(crate) fn any(&self) -> AnnotatedGame {
        let Self { tags, notes, tree, unread, .. } = self;
        AnnotatedGame {
            game: self.game.any(),
            tags: tags.clone(),
            notes: notes.clone(),
            tree: tree.clone(),
            unread: unread.clone(),
        }
    }
}

impl AnnotatedGame {
    /// Restores the type of the game, which must be the game's own.
    pub(crate) fn known<P: Playable>(&self) -> AnnotatedGame<P> {
        let Self { tags, notes, tree, unread, .. } = self;
        AnnotatedGame {
            game: self.game.known(),
            tags: tags.clone(),
            notes: notes.clone(),
            tree: tree.clone(),
            unread: unread.clone(),
        }
    }
}

impl AnnotatedPosition {
    /// Restores the type of the game, which must be the game's own.
    pub(crate) fn known<P: Playable>(&self) -> AnnotatedPosition<P> {
        let mut expected = Vec::with_capacity(self.expected.len());
        for &(m, score) in &self.expected {
            expected.push((m.map(AnyMove::unpack::<P>), score));
        }
        AnnotatedPosition { position: self.position.known(), expected, unread: self.unread.clone() }
    }
}

impl<P: Playable> AnnotatedPosition<P> {
    /// Erases the type of the game.
    #[must_use]
    pub fn any(&self) -> AnnotatedPosition {
        let mut expected = Vec::with_capacity(self.expected.len());
        for &(m, score) in &self.expected {
            expected.push((m.map(AnyMove::new::<P>), score));
        }
        AnnotatedPosition { position: AnyPosition::new(self.position), expected, unread: self.unread.clone() }
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

impl<P: Position> Report<P> {
    /// Converts the moves.
    pub(crate) fn map<Q: Position>(&self, convert: fn(P::Move) -> Q::Move) -> Report<Q> {
        let mut lines = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let mut pv = Vec::with_capacity(line.pv.len());
            for &m in &line.pv {
                pv.push(convert(m));
            }
            lines.push(Line { score: line.score, pv });
        }
        let &Self { bounds, depth, confidence, nodes, time, note, source, .. } = self;
        Report { lines, bounds, depth, confidence, nodes, time, note, source }
    }
}
