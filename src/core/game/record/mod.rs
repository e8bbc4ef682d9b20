//! [`Game`]: the record of a game, with its history.
//!
//! A [`Position`] has no history, so this module detects the draws that depend on history:
//! repetition, lack of progress and the length of the game. Only the no-progress draw of a game's
//! own rules ([`Position::no_progress_limit`], Morabaraba's ten moves) always applies;
//! [`DrawRules`] sets the others.

pub(super) mod annotated;
pub(super) mod opening_names;
pub(super) mod openings;
pub(super) mod player;
pub(super) mod tree;

use std::fmt;

use thiserror::Error;

use super::{AnyPosition, Color, GameInfo, GameRules, IllegalMove, Outcome, Position};

/// Draws in addition to the rules of the game; none by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DrawRules {
    /// The game is drawn when a position occurs this many times (3: threefold repetition).
    pub repetition: Option<u32>,
    /// The game is drawn after this many plies without an irreversible move.
    pub no_progress: Option<u32>,
    /// The game is drawn after this many plies.
    pub ply_cap: Option<u32>,
}

impl DrawRules {
    /// Returns the usual rules: threefold repetition and a limit of 400 plies in games whose
    /// positions can recur, otherwise none.
    ///
    /// `AnyGame::standard_draw_rules` returns them for a type-erased game.
    #[must_use]
    pub fn standard<P: GameRules>() -> Self {
        Self::of(const { &P::INFO })
    }

    /// Returns the usual rules of a game.
    pub(super) fn of(game: &GameInfo) -> Self {
        if game.cyclic { Self { repetition: Some(3), no_progress: None, ply_cap: Some(400) } } else { Self::default() }
    }

    /// Returns whether a game that has lasted `played` plies, the last `halfmove_clock` of them
    /// reversible, can last `plies` more without a draw by length or lack of progress, regardless
    /// of the moves.
    #[must_use]
    pub fn allow_plies(&self, played: u32, halfmove_clock: u32, plies: u32) -> bool {
        let fits = |limit: Option<u32>, count: u32| limit.is_none_or(|limit| count.saturating_add(plies) <= limit);
        fits(self.ply_cap, played) && fits(self.no_progress, halfmove_clock)
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum GameEndReason {
    /// The position itself ends the game.
    Rules,
    /// A position occurred too often ([`DrawRules::repetition`]).
    Repetition,
    /// Too many plies were played without an irreversible move, by the game's own rule or by
    /// [`DrawRules::no_progress`].
    NoProgress,
    /// The game reached its maximum length ([`DrawRules::ply_cap`]).
    PlyCap,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameEnd {
    /// The result.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: GameEndReason,
}

/// Why a move could not be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayError<P: Position = AnyPosition> {
    /// The move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<P>),
    /// The game has ended.
    #[error("the game is over ({0})")]
    Over(GameEndReason),
}

impl fmt::Display for GameEndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rules => "by its rules",
            Self::Repetition => "draw by repetition",
            Self::NoProgress => "draw by lack of progress",
            Self::PlyCap => "draw by length",
        })
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            GameEndReason::Rules => self.outcome.fmt(f),
            reason => reason.fmt(f),
        }
    }
}

/// A game: a starting position and the moves played from it.
///
/// ```
/// use morello::game::{Game, Position};
/// use morello::othello;
///
/// let mut game: Game<othello::Position> = "f5d6c3".parse()?;
/// game.play(game.position().parse_move("d3")?)?;
/// assert_eq!((game.moves().len(), game.to_string().as_str()), (4, "f5d6c3d3"));
/// game.undo();
/// assert_eq!(game.position(), &"f5d6c3".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Game<P: Position = AnyPosition> {
    draw_rules: DrawRules,
    /// The start, then the position after each move.
    positions: Vec<P>,
    moves: Vec<P::Move>,
    /// For each of `positions`, the plies since the last irreversible move.
    halfmove_clocks: Vec<u32>,
}

impl<P: Position + Default> Default for Game<P> {
    /// Starts a game from the usual position, without additional draw rules.
    fn default() -> Self {
        Self::new(P::default())
    }
}

impl<P: Position> Game<P> {
    /// Starts a game from a position, without additional draw rules.
    ///
    /// A mill game may then never end. To play it out, use
    /// [`with_draw_rules`](Self::with_draw_rules) and [`DrawRules::standard`].
    #[must_use]
    pub fn new(start: P) -> Self {
        Self::with_draw_rules(start, DrawRules::default())
    }

    /// Starts a game from a position, with additional draw rules.
    #[must_use]
    pub fn with_draw_rules(start: P, draw_rules: DrawRules) -> Self {
        Self { draw_rules, positions: vec![start], moves: Vec::new(), halfmove_clocks: vec![0] }
    }

    /// Converts positions and moves to equivalent ones of other types.
    pub(super) fn map<Q: Position>(&self, position: impl Fn(P) -> Q, m: impl Fn(P::Move) -> Q::Move) -> Game<Q> {
        let mut positions = Vec::with_capacity(self.positions.len());
        for &own in &self.positions {
            positions.push(position(own));
        }
        let mut moves = Vec::with_capacity(self.moves.len());
        for &own in &self.moves {
            moves.push(m(own));
        }
        Game { draw_rules: self.draw_rules, positions, moves, halfmove_clocks: self.halfmove_clocks.clone() }
    }

    /// Returns the position from which the game started.
    #[must_use]
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// Returns the current position.
    #[must_use]
    pub fn position(&self) -> &P {
        self.positions.last().expect("the start is never removed")
    }

    /// Returns the positions: the start, then the one after each move.
    #[must_use]
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Returns the game after its first `plies` plies, or the whole game if it is shorter.
    #[must_use]
    pub fn up_to(&self, plies: usize) -> Self {
        let plies = plies.min(self.moves.len());
        Self {
            draw_rules: self.draw_rules,
            positions: self.positions[..=plies].to_vec(),
            moves: self.moves[..plies].to_vec(),
            halfmove_clocks: self.halfmove_clocks[..=plies].to_vec(),
        }
    }

    /// Returns the additional draw rules.
    #[must_use]
    pub fn draw_rules(&self) -> DrawRules {
        self.draw_rules
    }

    /// Replaces the additional draw rules. They also apply to the moves already played.
    pub fn set_draw_rules(&mut self, draw_rules: DrawRules) {
        self.draw_rules = draw_rules;
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

    /// Returns the positions that can still recur: the positions since the last irreversible move,
    /// including the current one.
    #[must_use]
    pub fn repeatable_positions(&self) -> &[P] {
        &self.positions[self.positions.len() - 1 - self.halfmove_clock() as usize..]
    }

    /// Returns how the game ended; `None` if it is not over.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        let position = self.position();
        if let Some(outcome) = position.outcome() {
            return Some(GameEnd { outcome, reason: GameEndReason::Rules });
        }
        let reached = |limit: Option<u32>, count: u32| limit.is_some_and(|limit| count >= limit);
        let repeated = || {
            let mut count = 0;
            for earlier in self.repeatable_positions() {
                count += u32::from(earlier == position);
            }
            count
        };
        let reason = if reached(position.no_progress_limit(), self.halfmove_clock())
            || reached(self.draw_rules.no_progress, self.halfmove_clock())
        {
            GameEndReason::NoProgress
        } else if self.draw_rules.repetition.is_some() && reached(self.draw_rules.repetition, repeated()) {
            GameEndReason::Repetition
        } else if reached(self.draw_rules.ply_cap, self.moves.len() as u32) {
            GameEndReason::PlyCap
        } else {
            return None;
        };
        Some(GameEnd { outcome: Outcome::Draw, reason })
    }

    /// Returns whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.end().is_some()
    }

    /// Returns the points by which a side has won, negative if it has lost; `None` if the game is
    /// not over. A game that ended for another reason than its position is a draw.
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
    /// [`PlayError`] if the game is over or the move is illegal; the game is then unchanged.
    pub fn play(&mut self, m: P::Move) -> Result<(), PlayError<P>> {
        if let Some(end) = self.end() {
            return Err(PlayError::Over(end.reason));
        }
        if !self.position().is_legal(m) {
            return Err(IllegalMove::new(m, *self.position()).into());
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move without checking that it is legal and that the game is not over. Otherwise the
    /// result is unspecified, but safe.
    pub fn play_unchecked(&mut self, m: P::Move) {
        let halfmove_clock = if self.position().is_irreversible(m) { 0 } else { self.halfmove_clock() + 1 };
        self.positions.push(self.position().after(m));
        self.moves.push(m);
        self.halfmove_clocks.push(halfmove_clock);
    }

    /// Undoes the last move and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<P::Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        self.halfmove_clocks.pop();
        Some(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_cannot_last_longer_are_drawn() {
        let rules = DrawRules { ply_cap: Some(400), no_progress: Some(100), ..DrawRules::default() };
        assert!(rules.allow_plies(390, 90, 10) && !rules.allow_plies(391, 0, 10) && !rules.allow_plies(0, 91, 10));
        assert!(!rules.allow_plies(u32::MAX, 0, 1) && DrawRules::default().allow_plies(u32::MAX, 0, u32::MAX));
    }
}
