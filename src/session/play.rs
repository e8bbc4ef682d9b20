//! [`Session`]: a game that goes back and forth, and the moves that people make in it.

use std::error::Error;
use std::sync::Arc;

use thiserror::Error;

use super::room::Searchers;
use super::text::{self, Loaded, SaveError, SetUpError};
use super::view::{self, View};
use super::{AnySession, NoSearcher, Thought};
use crate::game::{Annotated, Cancel, Color, Game, Limits, PlayError, Playable, Settings, Tags};

/// A game in progress. It is drawn as is [customary](Settings::customary), unless [told](Self::set_settings) otherwise.
pub struct Session<P: Playable> {
    pub(super) game: Game<P>,
    /// The moves taken back, the next to be made again last.
    pub(super) undone: Vec<P::Move>,
    /// The game as it was loaded, with what was told of it.
    loaded: Option<Annotated<P>>,
    settings: Settings,
    searchers: Arc<Searchers<P>>,
}

/// Why a move is not played; the session is as it was.
#[derive(Debug, Error)]
pub enum Refused {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(String),
    /// The rules do not allow it.
    #[error("`{text}`: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// Why.
        reason: Box<dyn Error + Send + Sync>,
    },
    /// It is no move that could be played here.
    #[error("`{text}` is no move here; one would be `{example}`")]
    NoMove {
        /// What was typed.
        text: String,
        /// A legal move.
        example: String,
    },
    /// A piece would be placed where one stands.
    #[error("{0} is taken")]
    Taken(String),
    /// Nothing may be placed on a point.
    #[error("nothing can be placed on {0}")]
    NotThere(String),
    /// None of the side's pieces stands where a move would begin.
    #[error("choose one of your {pieces}: none is on {point}")]
    NotYours {
        /// What the pieces are called.
        pieces: &'static str,
        /// The point.
        point: String,
    },
    /// A piece has nowhere to go.
    #[error("the {piece} on {point} cannot move")]
    Stuck {
        /// What the piece is called.
        piece: &'static str,
        /// The point.
        point: String,
    },
    /// A move does not go on so.
    #[error("{point} cannot be chosen now; {choices}")]
    NoTarget {
        /// The point.
        point: String,
        /// What can be.
        choices: String,
    },
    /// The board has no point of this number.
    #[error("the board has no point {0}")]
    NoPoint(usize),
}

impl<P: Playable> Session<P> {
    pub(super) fn new(searchers: Arc<Searchers<P>>) -> Self {
        let settings = Settings::customary::<P>();
        Self {
            game: Game::with_settings(P::default(), settings),
            undone: Vec::new(),
            loaded: None,
            settings,
            searchers,
        }
    }

    /// Says what draws a game, of this one and of those to come.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.game.set_settings(settings);
    }

    /// Returns the game up to the move that is shown.
    #[must_use]
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// Returns the game up to the move that is shown, with what was told of it when it was loaded, as far as that still holds: of a game that
    /// was left for another no more than the notes of the moves before, of one that goes on all but the result.
    #[must_use]
    pub fn annotated(&self) -> Annotated<P> {
        let mut annotated = Annotated::from(self.game.clone());
        let Some(loaded) = &self.loaded else { return annotated };
        let (moves, before) = (self.game.moves(), loaded.game.moves());
        let same = moves.iter().zip(before).take_while(|(m, other)| m == other).count();
        annotated.notes = loaded.notes.iter().copied().take(same).collect();
        if same == moves.len().min(before.len()) {
            annotated.tags = loaded.tags.clone();
            if moves.len() != before.len() {
                annotated.tags = Tags { result: None, theoretical: None, ..annotated.tags };
            }
        }
        annotated
    }

    fn take(&mut self, game: Game<P>) {
        self.game = game;
        self.game.set_settings(self.settings);
        self.undone.clear();
        self.loaded = None;
    }

    fn refuse_if_over(&self) -> Result<(), Refused> {
        self.game.end().map_or(Ok(()), |end| Err(Refused::Over(view::end(&self.game, end).text)))
    }

    /// Plays a legal move. What was taken back is forgotten, unless it goes on so.
    fn play_legal(&mut self, m: P::Move) {
        self.game.play(m).expect("the move is legal and the game goes on");
        if self.undone.pop() != Some(m) {
            self.undone.clear();
        }
    }

    /// Says why no move begins with these points, the last of which is the first that is wrong.
    fn why_not(&self, touched: &[usize]) -> Refused {
        let Some((&last, before)) = touched.split_last() else { return Refused::NoPoint(0) };
        let layout = P::layout();
        let Some(point) = layout.points.get(last).map(|point| point.name.clone()) else {
            return Refused::NoPoint(last);
        };
        let position = self.game.position();
        if !before.is_empty() {
            let names: Vec<_> = self.targets(before).iter().map(|&point| layout.points[point].name.clone()).collect();
            return Refused::NoTarget { point, choices: format!("choose {}", names.join(", ")) };
        }
        let (piece, side) = (position.piece_at(last), position.side_to_move());
        if position.legal_moves().any(|m| P::path(m).from.is_none()) {
            return match (piece, position.why_illegal(&point)) {
                (Some(_), _) => Refused::Taken(point),
                (None, Some(reason)) => Refused::Illegal { text: point, reason },
                (None, None) => Refused::NotThere(point),
            };
        }
        if piece == Some(side) {
            Refused::Stuck { piece: P::WORDS.piece, point }
        } else {
            Refused::NotYours { pieces: P::WORDS.pieces, point }
        }
    }
}

impl<P: Playable> AnySession for Session<P> {
    fn view(&self) -> View {
        View::new(self)
    }

    fn restart(&mut self) {
        self.take(Game::new(P::default()));
    }

    fn arrange(&mut self, pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<(), SetUpError> {
        self.take(Game::new(text::arrange(pieces, in_hand, side)?));
        Ok(())
    }

    fn load(&mut self, text: &str) -> Result<Loaded, SetUpError> {
        let (game, loaded) = text::load::<P>(text)?;
        self.take(game.game.clone());
        self.loaded = Some(game);
        Ok(loaded)
    }

    fn resume(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), SetUpError> {
        self.take(text::resume(start, moves)?);
        Ok(())
    }

    fn save(&self, format: &str, names: [&str; 2]) -> Result<String, SaveError> {
        let mut annotated = self.annotated();
        annotated.tags.name(names);
        text::write(&annotated, format)
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        self.refuse_if_over()?;
        let (text, position) = (text.trim(), self.game.position());
        let Ok(m) = position.parse_move(text) else {
            let text = text.to_owned();
            return Err(match (position.why_illegal(&text), position.legal_moves().next()) {
                (Some(reason), _) => Refused::Illegal { text, reason },
                (None, example) => {
                    Refused::NoMove { text, example: example.map_or_else(String::new, |m| m.to_string()) }
                }
            });
        };
        self.play_legal(m);
        Ok(())
    }

    fn targets(&self, touched: &[usize]) -> Vec<usize> {
        if self.game.end().is_some() {
            return Vec::new();
        }
        let next = |m| {
            let mut points = P::path(m).points();
            touched.iter().all(|&point| points.next() == Some(point)).then(|| points.next()).flatten()
        };
        let mut targets: Vec<_> = self.game.position().legal_moves().filter_map(next).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn touch(&mut self, touched: &[usize]) -> Result<Vec<usize>, Refused> {
        self.refuse_if_over()?;
        let is_whole = |m: &P::Move| !P::is_pass(*m) && P::path(*m).points().eq(touched.iter().copied());
        if let Some(m) = self.game.position().legal_moves().find(is_whole) {
            self.play_legal(m);
            return Ok(Vec::new());
        }
        let targets = self.targets(touched);
        if targets.is_empty() {
            let wrong = (1..=touched.len()).find(|&count| self.targets(&touched[..count]).is_empty());
            return Err(self.why_not(&touched[..wrong.unwrap_or(0)]));
        }
        Ok(targets)
    }

    fn jump(&mut self, plies: usize) {
        while self.game.moves().len() > plies && self.undo() {}
        while self.game.moves().len() < plies && self.redo() {}
    }

    fn undo(&mut self) -> bool {
        let undone = self.game.undo();
        self.undone.extend(undone);
        undone.is_some()
    }

    fn redo(&mut self) -> bool {
        let Some(m) = self.undone.pop() else { return false };
        play_on(&mut self.game, m).expect("it was played from here before");
        true
    }

    fn level(&self, level: u32) -> Limits {
        P::level(level)
    }

    fn think(
        &self,
        limits: &Limits,
        cancel: &Cancel,
        on_thought: &mut dyn FnMut(Thought),
    ) -> Result<Thought, NoSearcher> {
        let mut searcher = self.searchers.take()?;
        let report =
            searcher.search(&self.game, limits, cancel, &mut |report| on_thought(Thought::new(&self.game, report)));
        self.searchers.give_back(searcher);
        Ok(Thought::new(&self.game, &report))
    }
}

/// Plays a move of a game that people played, who need not have held to what is customary.
pub(super) fn play_on<P: Playable>(game: &mut Game<P>, m: P::Move) -> Result<(), PlayError> {
    let settings = game.settings();
    game.set_settings(Settings::default());
    let played = game.play(m);
    game.set_settings(settings);
    played
}
