//! [`Session`]: a game in progress.

use morello_core::game::{
    AnnotatedGame, AnyGame, AnyMove, AnyPosition, Clock, Color, DrawRules, Game, GameResult, PlayError, Position as _,
    Tags, Termination,
};

use super::interpret::{InputError, read_move};

/// A game in progress: the moves, the undone moves, the clock and the result.
///
/// ```
/// use morello::games;
/// use morello::session::Session;
///
/// let mut session = Session::new(games::get("othello")?);
/// session.play_text("f5")?;
/// session.play_text("d6")?;
/// assert!(session.undo() && session.undo() && !session.undo());
/// assert!(session.redo());
/// assert_eq!(session.game().moves().len(), 1);
/// session.go_to_ply(2);
/// assert_eq!(session.game().moves().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    pub(super) game: Game,
    /// The undone moves; the last one is redone first.
    pub(super) undone: Vec<AnyMove>,
    /// The game as it was loaded, with its details.
    pub(super) loaded: Option<AnnotatedGame>,
    /// The draw rules of this game and of games that replace it.
    settings: DrawRules,
    /// The result, if it was not decided on the board; it ends the game.
    pub forfeit: Option<Forfeit>,
    /// The clocks of both sides.
    pub clock: Clock,
}

/// A result that was not decided on the board, such as a resignation.
///
/// ```
/// use morello::game::{Color, Termination};
/// use morello::games;
/// use morello::session::{Forfeit, Session};
///
/// let mut session = Session::new(games::get("othello")?);
/// let reason = "Black has resigned".to_owned();
/// session.forfeit = Some(Forfeit { winner: Color::White, ending: Termination::Resignation, reason });
/// assert!(session.is_over());
/// assert_eq!(session.winner(), Some(Color::White));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forfeit {
    /// The winner.
    pub winner: Color,
    /// Why the game ended.
    pub ending: Termination,
    /// The reason in words, such as `Black has resigned`.
    pub reason: String,
}

impl Session {
    /// Starts a game under the [standard draw rules](morello_core::game::DrawRules::standard).
    #[must_use]
    pub fn new(game: &'static dyn AnyGame) -> Self {
        Game::with_draw_rules(game.start(), game.standard_draw_rules()).into()
    }

    /// Returns the rules of the game.
    #[must_use]
    pub fn rules(&self) -> &'static dyn AnyGame {
        self.game.start().game()
    }

    /// Returns the game up to the current position.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the current position.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        self.game.position()
    }

    /// Returns the game up to the current position, with the metadata of the loaded file that still
    /// applies. If the game was continued or cut short, everything except the result is kept; if it
    /// took another course, only the notes on the shared moves are kept.
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
                    annotated.tags = Tags { result: None, termination: None, theoretical: None, ..annotated.tags };
                }
            }
        }
        if let Some(Forfeit { winner, ending, .. }) = &self.forfeit {
            annotated.tags.result = Some(GameResult::of_winner(self.rules(), Some(*winner)));
            annotated.tags.termination = Some(*ending);
        }
        annotated
    }

    /// Starts a new game from the standard start position, and drops the undone moves.
    pub fn restart(&mut self) {
        self.set_game(Game::new(self.rules().start()));
    }

    /// Replaces the game with another of the same kind. The clock continues.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        self.game.set_draw_rules(self.settings);
        self.undone.clear();
        self.loaded = None;
        self.forfeit = None;
    }

    /// Returns the pass if it is the only legal move.
    #[must_use]
    pub fn forced_pass(&self) -> Option<AnyMove> {
        self.position().forced_pass().filter(|_| self.game.end().is_none())
    }

    /// Plays a move. If it is the next undone move, the later undone moves are kept; otherwise all
    /// undone moves are dropped.
    ///
    /// ```
    /// use morello::game::Position as _;
    /// use morello::games;
    /// use morello::session::Session;
    ///
    /// let mut session = Session::new(games::get("othello-4x4")?);
    /// while !session.is_over() {
    ///     let m = session.position().legal_moves().next().expect("a running game has a move");
    ///     session.play(m)?;
    /// }
    /// assert_eq!(session.view().end.map(|end| end.winner), Some(session.winner()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlayError`] if the game has ended or the move is not legal; the session is then unchanged.
    pub fn play(&mut self, m: AnyMove) -> Result<(), PlayError> {
        self.game.play(m)?;
        if self.undone.pop() != Some(m) {
            self.undone.clear();
        }
        Ok(())
    }

    /// Parses a move with [`read_move`] and plays it.
    ///
    /// # Errors
    /// [`InputError`] with the reason.
    pub fn play_text(&mut self, text: &str) -> Result<(), InputError> {
        let m = read_move(&self.game, text.trim())?;
        self.play(m).expect("read_move returns only legal moves of a running game");
        Ok(())
    }

    /// Plays and returns a forced pass, which other programs may omit, if `follows` accepts the
    /// position after it.
    pub fn play_omitted_pass(&mut self, follows: impl FnOnce(&AnyPosition) -> bool) -> Option<AnyMove> {
        let pass = self.forced_pass().filter(|&pass| follows(&self.position().after(pass)))?;
        self.play(pass).ok().map(|()| pass)
    }

    /// Returns whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.forfeit.is_some() || self.game.end().is_some()
    }

    /// Returns the winner; `None` for a draw or an unfinished game.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match &self.forfeit {
            Some(forfeit) => Some(forfeit.winner),
            None => self.game.end()?.outcome.winner(),
        }
    }

    /// Goes to the position after this number of plies, or to the last position. Later moves can be
    /// redone.
    pub fn go_to_ply(&mut self, plies: usize) {
        while self.game.moves().len() > plies && self.undo() {}
        while self.game.moves().len() < plies && self.redo() {}
    }

    /// Undoes a move; returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let undone = self.game.undo();
        self.undone.extend(undone);
        undone.is_some()
    }

    /// Redoes the last undone move; returns false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(m) = self.undone.pop() else { return false };
        play_ignoring_custom(&mut self.game, m).expect("the move was played from this position before");
        true
    }
}

impl From<Game> for Session {
    /// Continues a game under its own draw rules.
    fn from(game: Game) -> Self {
        let settings = game.draw_rules();
        Self { game, undone: Vec::new(), loaded: None, settings, forfeit: None, clock: Clock::default() }
    }
}

/// Plays a move without the draw rules: recorded games may continue after a position that the
/// standard rules draw.
pub(super) fn play_ignoring_custom(game: &mut Game, m: AnyMove) -> Result<(), PlayError> {
    let settings = game.draw_rules();
    game.set_draw_rules(DrawRules::default());
    let played = game.play(m);
    game.set_draw_rules(settings);
    played
}
