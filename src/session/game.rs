//! [`Session`]: a game in progress.

use super::clock::Clock;
use super::interpret::{InputError, read_move};
use crate::game::{
    AnnotatedGame, AnyGame, AnyMove, AnyPosition, Color, DrawRules, Game, GameResult, PlayError, Position as _,
    Scoring, Tags, Termination,
};

/// A game in progress: the moves played, those that were taken back, the clock and the result.
#[derive(Debug, Clone)]
pub struct Session {
    pub(super) game: Game,
    /// The moves taken back, the next to be made again last.
    pub(super) undone: Vec<AnyMove>,
    /// The game as it was loaded, with what was told of it.
    pub(super) loaded: Option<AnnotatedGame>,
    /// What draws this game, and those that take its place.
    settings: DrawRules,
    forfeit: Option<Forfeit>,
    /// The time of both sides.
    pub clock: Clock,
}

/// A result that is not that of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forfeit {
    /// The side that did not lose.
    pub winner: Color,
    /// What ended the game, where files have a word for it.
    pub ending: Option<Termination>,
    /// The same in words: `Black has resigned`.
    pub reason: String,
}

impl Session {
    /// Begins a game, which is drawn as is [customary](AnyGame::standard_draw_rules).
    #[must_use]
    pub fn new(game: &'static dyn AnyGame) -> Self {
        Game::with_draw_rules(game.start(), game.standard_draw_rules()).into()
    }

    /// Returns which game is played.
    #[must_use]
    pub fn rules(&self) -> &'static dyn AnyGame {
        self.game.start().game()
    }

    /// Returns the game up to the move that is shown.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the position that is shown.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        self.game.position()
    }

    /// Returns the game up to the move that is shown, with what was told of it when it was loaded, as far as that still holds: of a game that
    /// was left for another no more than the notes of the moves before, of one that goes on all but the result.
    #[must_use]
    pub fn annotated(&self) -> AnnotatedGame {
        let mut annotated = AnnotatedGame::from(self.game.clone());
        if let Some(loaded) = &self.loaded {
            let (moves, before) = (self.game.moves(), loaded.game.moves());
            let same = moves.iter().zip(before).take_while(|(m, other)| m == other).count();
            annotated.notes = loaded.notes.iter().copied().take(same).collect();
            if same == moves.len().min(before.len()) {
                annotated.tags = loaded.tags.clone();
                if moves.len() != before.len() {
                    annotated.tags = Tags { result: None, theoretical: None, ..annotated.tags };
                }
            }
        }
        if let Some(Forfeit { winner, ending, .. }) = &self.forfeit {
            let rules = self.rules();
            let most = match rules.scoring() {
                Scoring::Margin => rules.layout().points.len() as f64,
                Scoring::Distance => 1.0,
            };
            let points = if *winner == Color::Black { most } else { -most };
            annotated.tags.result = Some(GameResult { points, termination: *ending });
        }
        annotated
    }

    /// Begins a new game.
    pub fn restart(&mut self) {
        self.set_game(Game::new(self.rules().start()));
    }

    /// Takes another game of the same kind in place of this one. The clock goes on.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        self.game.set_draw_rules(self.settings);
        self.undone.clear();
        self.loaded = None;
        self.forfeit = None;
    }

    /// Returns the pass that is all that can be played here.
    #[must_use]
    pub fn forced_pass(&self) -> Option<AnyMove> {
        self.position().forced_pass().filter(|_| self.game.end().is_none())
    }

    /// Plays a move. Moves that were taken back are forgotten, unless it is the next of them.
    ///
    /// # Errors
    /// [`PlayError`] if the game has ended or the move is not legal; the session is then as it was.
    pub fn play(&mut self, m: AnyMove) -> Result<(), PlayError> {
        self.game.play(m)?;
        if self.undone.pop() != Some(m) {
            self.undone.clear();
        }
        Ok(())
    }

    /// Plays a move by its text, which [`read_move`] reads.
    ///
    /// # Errors
    /// [`InputError`], with the reason.
    pub fn play_text(&mut self, text: &str) -> Result<(), InputError> {
        let m = read_move(&self.game, text.trim())?;
        self.play(m).expect("a legal move is read only where the game goes on");
        Ok(())
    }

    /// Plays a forced pass that was left out, as programs may: if a move follows in the position after it. Returns the pass.
    pub fn play_omitted_pass(&mut self, follows: impl FnOnce(&AnyPosition) -> bool) -> Option<AnyMove> {
        let pass = self.forced_pass().filter(|&pass| follows(&self.position().after(pass)))?;
        self.play(pass).ok().map(|()| pass)
    }

    /// Ends the game with a result that is not that of the board, until that is taken back or another game is begun.
    pub fn forfeit(&mut self, forfeit: Forfeit) {
        self.forfeit = Some(forfeit);
    }

    /// Returns the result that is not that of the board.
    #[must_use]
    pub fn forfeited(&self) -> Option<&Forfeit> {
        self.forfeit.as_ref()
    }

    /// Takes a result that is not that of the board back.
    pub fn undo_forfeit(&mut self) {
        self.forfeit = None;
    }

    /// Returns whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.forfeit.is_some() || self.game.end().is_some()
    }

    /// Returns who has won; `None` while the game goes on, and in a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match &self.forfeit {
            Some(forfeit) => Some(forfeit.winner),
            None => self.game.end()?.outcome.winner(),
        }
    }

    /// Shows the game as it was after so many plies, or after all of them; the moves after that can be made again.
    pub fn go_to_ply(&mut self, plies: usize) {
        while self.game.moves().len() > plies && self.undo() {}
        while self.game.moves().len() < plies && self.redo() {}
    }

    /// Takes a move back; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let undone = self.game.undo();
        self.undone.extend(undone);
        undone.is_some()
    }

    /// Makes the move again that was taken back last; returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some(m) = self.undone.pop() else { return false };
        play_ignoring_custom(&mut self.game, m).expect("it was played from here before");
        true
    }
}

impl From<Game> for Session {
    /// Goes on with a game, under its own settings.
    fn from(game: Game) -> Self {
        let settings = game.draw_rules();
        Self { game, undone: Vec::new(), loaded: None, settings, forfeit: None, clock: Clock::default() }
    }
}

/// Plays a move of a game that people played, who need not have held to what is customary.
pub(super) fn play_ignoring_custom(game: &mut Game, m: AnyMove) -> Result<(), PlayError> {
    let settings = game.draw_rules();
    game.set_draw_rules(DrawRules::default());
    let played = game.play(m);
    game.set_draw_rules(settings);
    played
}
