//! [`Game`]: the record of a game, which owns its history.
//!
//! A [`Position`] knows nothing of the past, so whatever depends on it is declared here and nowhere else: repetition, the draw without
//! progress and the cap on the length. Only the draw without progress that a game's own rules name
//! ([`Position::no_progress_limit`]: Morabaraba's ten moves) is always in force; the rest is a matter of [`DrawRules`], since it belongs to
//! whoever adjudicates.

use thiserror::Error;

use super::{AnyPosition, Color, GameRules, IllegalMove, Outcome, Position};

/// What an adjudicator adds to the rules of the game; by default nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DrawRules {
    /// The game is drawn when a position stands for this many times (3: threefold repetition).
    pub repetition: Option<u32>,
    /// The game is drawn after this many plies without an irreversible move.
    pub no_progress: Option<u32>,
    /// The game is drawn after this many plies.
    pub ply_cap: Option<u32>,
}

impl DrawRules {
    /// Returns what is customary where games end by themselves: threefold repetition and 400 plies draw a game whose positions can recur.
    #[must_use]
    pub fn standard<P: GameRules>() -> Self {
        if P::CYCLIC { Self { repetition: Some(3), no_progress: None, ply_cap: Some(400) } } else { Self::default() }
    }

    /// Returns whether a game can go on for some `plies` without being drawn for its length or for lack of progress, whatever is played:
    /// `played` plies after its start and `quiet` plies after the last irreversible move.
    #[must_use]
    pub fn allow_plies(&self, played: u32, quiet: u32, plies: u32) -> bool {
        let fits = |limit: Option<u32>, count: u32| limit.is_none_or(|limit| count + plies <= limit);
        fits(self.ply_cap, played) && fits(self.no_progress, quiet)
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameEndReason {
    /// The position itself ends the game.
    Rules,
    /// A position stood too often ([`DrawRules::repetition`]).
    Repetition,
    /// Too many plies went by without progress: by the game's own rule, or by [`DrawRules::no_progress`].
    NoProgress,
    /// The game was too long ([`DrawRules::ply_cap`]).
    PlyCap,
}

/// The end of a game: its result and what brought it about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameEnd {
    /// The result.
    pub outcome: Outcome,
    /// What brought it about.
    pub reason: GameEndReason,
}

/// A move that could not be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The rules do not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The game has ended.
    #[error("the game is over ({0:?})")]
    Over(GameEndReason),
}

/// A game: a starting position and the moves played from it.
///
/// ```
/// use morello::game::{Game, Position};
/// use morello::othello;
///
/// let mut game = Game::new(<othello::Position>::default());
/// game.play(game.position().parse_move("f5")?)?;
/// assert_eq!(game.moves().len(), 1);
/// game.undo();
/// assert_eq!(game.position(), game.start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game<P: Position = AnyPosition> {
    settings: DrawRules,
    /// The start, then the position after each move.
    positions: Vec<P>,
    moves: Vec<P::Move>,
    /// For each of `positions`, the plies since the last irreversible move.
    halfmove_clocks: Vec<u32>,
}

impl<P: Position> Game<P> {
    /// Starts a game at a position, under the game's own rules alone.
    #[must_use]
    pub fn new(start: P) -> Self {
        Self::with_draw_rules(start, DrawRules::default())
    }

    /// Starts a game at a position, with an adjudicator's settings.
    #[must_use]
    pub fn with_draw_rules(start: P, settings: DrawRules) -> Self {
        Self { settings, positions: vec![start], moves: Vec::new(), halfmove_clocks: vec![0] }
    }

    /// Returns the same game with positions and moves of other types that stand for the same.
    pub(super) fn map<Q: Position>(&self, position: impl Fn(&P) -> Q, m: impl Fn(P::Move) -> Q::Move) -> Game<Q> {
        Game {
            settings: self.settings,
            positions: self.positions.iter().map(position).collect(),
            moves: self.moves.iter().copied().map(m).collect(),
            halfmove_clocks: self.halfmove_clocks.clone(),
        }
    }

    /// Returns the position the game started from.
    #[must_use]
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// Returns the position that is on the board.
    #[must_use]
    pub fn position(&self) -> &P {
        self.positions.last().expect("the start is never removed")
    }

    /// Returns the positions: the start, then the one after each move.
    #[must_use]
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Returns the game as it was after so many plies, or all of it if it has fewer.
    #[must_use]
    pub fn up_to(&self, plies: usize) -> Self {
        let plies = plies.min(self.moves.len());
        Self {
            settings: self.settings,
            positions: self.positions[..=plies].to_vec(),
            moves: self.moves[..plies].to_vec(),
            halfmove_clocks: self.halfmove_clocks[..=plies].to_vec(),
        }
    }

    /// Returns the settings.
    #[must_use]
    pub fn draw_rules(&self) -> DrawRules {
        self.settings
    }

    /// Says anew what an adjudicator adds to the rules, from now on and for what was played.
    pub fn set_draw_rules(&mut self, settings: DrawRules) {
        self.settings = settings;
    }

    /// Returns the moves played so far.
    #[must_use]
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Returns the number of plies since the last irreversible move, or since the start.
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        *self.halfmove_clocks.last().expect("the start is never removed")
    }

    /// Returns the positions that can still recur: those since the last irreversible move, the one on the board last.
    #[must_use]
    pub fn repeatable_positions(&self) -> &[P] {
        &self.positions[self.positions.len() - 1 - self.halfmove_clock() as usize..]
    }

    /// Returns how the game ended, or `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        let position = self.position();
        if let Some(outcome) = position.outcome() {
            return Some(GameEnd { outcome, reason: GameEndReason::Rules });
        }
        let reached = |limit: Option<u32>, count: u32| limit.is_some_and(|limit| count >= limit);
        let repeated = || self.repeatable_positions().iter().filter(|&p| p == position).count() as u32;
        let reason = if reached(position.no_progress_limit(), self.halfmove_clock())
            || reached(self.settings.no_progress, self.halfmove_clock())
        {
            GameEndReason::NoProgress
        } else if self.settings.repetition.is_some() && reached(self.settings.repetition, repeated()) {
            GameEndReason::Repetition
        } else if reached(self.settings.ply_cap, self.moves.len() as u32) {
            GameEndReason::PlyCap
        } else {
            return None;
        };
        Some(GameEnd { outcome: Outcome::Draw, reason })
    }

    /// Returns the points by which a side has won, less than 0 if it has lost; `None` while the game goes on. A game that is not ended by its
    /// position is drawn.
    #[must_use]
    pub fn points(&self, color: Color) -> Option<i32> {
        let score = match self.end()?.reason {
            GameEndReason::Rules => self.position().final_score(),
            GameEndReason::Repetition | GameEndReason::NoProgress | GameEndReason::PlyCap => 0,
        };
        Some(if self.position().side_to_move() == color { score } else { -score })
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`PlayError`] if the game has ended or the move is illegal; the game is then unchanged.
    pub fn play(&mut self, m: P::Move) -> Result<(), PlayError> {
        if let Some(end) = self.end() {
            return Err(PlayError::Over(end.reason));
        }
        let next = self.position().play(m)?;
        let quiet = if self.position().is_irreversible(m) { 0 } else { self.halfmove_clock() + 1 };
        self.positions.push(next);
        self.moves.push(m);
        self.halfmove_clocks.push(quiet);
        Ok(())
    }

    /// Takes the last move back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<P::Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        self.halfmove_clocks.pop();
        Some(m)
    }
}
