//! [`Position`]: what a record of a game asks of its positions; [`GameRules`]: the rules of a game that is a type.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use thiserror::Error;

use super::{Color, LocatedError, Outcome};
use crate::instructions::{InstructionSet, SimdLevel, at_level, compiled};

/// What a [final score](Position::final_score) counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scoring {
    /// The size of the win matters and its moment does not: Othello's discs.
    Margin,
    /// A win is a win (+1), and the sooner the better: the mill games.
    Distance,
}

/// A position of a two-player, zero-sum game, without history.
///
/// Equality, hash, order and text speak of everything the rules need to go on from here, and of nothing else: not of the moves
/// that led here nor of any clock. History belongs to [`Game`](super::Game).
///
/// Every move passes the turn: a turn of several actions (a mill and its capture) is one move, and a forced pass is a move. So search,
/// perft and tournaments know no special case.
///
/// Methods marked *final* are not meant to be overridden; the others with a body may be, for speed alone.
pub trait Position: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// A whole turn. Its text is what [`parse_move`](Self::parse_move) reads; the conversion to `u16` is injective, so that a table
    /// can keep a move in 16 bits.
    type Move: Copy + Eq + Hash + Debug + Display + Into<u16> + Send + Sync + 'static;
    /// The moves of one position, generated while they are asked for, without allocation.
    type Moves: Iterator<Item = Self::Move>;

    /// Returns the side that is to move.
    fn side_to_move(&self) -> Color;

    /// Returns the legal moves, each once. There is none exactly when the position itself ends the game.
    fn legal_moves(&self) -> Self::Moves;

    /// Plays a move that the caller knows to be legal, and passes the turn. What an illegal one does is unspecified, but safe.
    fn play_unchecked(&mut self, m: Self::Move);

    /// Returns the result in points for the side to move; meaningful only where there is no legal move.
    fn final_score(&self) -> i32;

    /// Returns the number of legal moves.
    fn count_moves(&self) -> usize {
        self.legal_moves().count()
    }

    /// Returns whether a move only passes the turn.
    fn is_pass(_m: Self::Move) -> bool {
        false
    }

    /// Returns the pass that the side to move must make; `None` where it has a choice, or the game is over.
    fn forced_pass(&self) -> Option<Self::Move> {
        // A pass is legal only where nothing else is.
        self.legal_moves().next().filter(|&m| Self::is_pass(m))
    }

    /// Returns whether no position from before this move can recur after it.
    fn is_irreversible(&self, m: Self::Move) -> bool;

    /// Returns after how many plies without an irreversible move the rules call the game drawn, counted from here.
    ///
    /// `None` where the rules of this position know no such draw.
    fn no_progress_limit(&self) -> Option<u32> {
        None
    }

    /// Returns whether the position itself ends the game. *Final.*
    fn is_over(&self) -> bool {
        self.legal_moves().next().is_none()
    }

    /// Returns the result if the position itself ends the game. *Final.*
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::from_score(self.final_score(), self.side_to_move()))
    }

    /// Returns the position after a move that the caller knows to be legal. *Final.*
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = *self;
        next.play_unchecked(m);
        next
    }

    /// Returns whether a move is legal here: whether [`legal_moves`](Self::legal_moves) has it.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.legal_moves().any(|legal| legal == m)
    }

    /// Returns the position after a move. *Final.*
    ///
    /// # Errors
    /// [`IllegalMove`], with the unchanged position, if the move is not legal here.
    fn play(&self, m: Self::Move) -> Result<Self, IllegalMove> {
        if self.is_legal(m) {
            Ok(self.after(m))
        } else {
            Err(IllegalMove { text: m.to_string(), position: self.to_string() })
        }
    }

    /// Returns the legal move with this text, whatever the case of its letters. *Final.*
    ///
    /// # Errors
    /// [`IllegalMove`] if no legal move has this text.
    fn parse_move(&self, text: &str) -> Result<Self::Move, IllegalMove> {
        let illegal = || IllegalMove { text: text.to_owned(), position: self.to_string() };
        self.find_move(text).ok_or_else(illegal)
    }

    /// Returns the legal move with this text, whatever the case of its letters; `None` if there is none.
    fn find_move(&self, text: &str) -> Option<Self::Move> {
        self.legal_moves().find(|m| m.to_string().eq_ignore_ascii_case(text))
    }
}

/// The state of a position in the space that every game's fits in.
pub type Packed = [u64; 3];

/// The rules of a game that is known when the program is compiled: what search, perft and engines are generic over.
pub trait GameRules: Position + FromStr<Err: LocatedError> + Default {
    /// The name of the game, as users type it.
    const NAME: &'static str;
    /// Whether a position can recur within a game.
    const CYCLIC: bool;
    /// The order of the board's symmetry group.
    const SYMMETRIES: usize;
    /// What the final score counts.
    const SCORING: Scoring;

    /// Returns a hash: equal positions have equal keys.
    fn key(&self) -> u64;

    /// Returns the position under the `k`-th symmetry of the board, `k < SYMMETRIES`; the 0-th is the identity.
    #[must_use]
    fn transform(&self, k: usize) -> Self;

    /// Returns what a move becomes under the `k`-th symmetry.
    #[must_use]
    fn transform_move(m: Self::Move, k: usize) -> Self::Move;

    /// Returns all of the position's state, for [`AnyPosition`](super::AnyPosition), which holds positions of any game.
    fn pack(&self) -> Packed;

    /// Returns the position with this state. What one that was not [packed](Self::pack) stands for is unspecified, but safe.
    fn unpack(packed: Packed) -> Self;

    /// Returns the move that converts to this number; what another number stands for is unspecified, but safe.
    fn unpack_move(number: u16) -> Self::Move;

    /// Returns the least of all positions that a symmetry makes of this one: equal for positions that differ by a symmetry alone. *Final.*
    #[must_use]
    fn canonical(&self) -> Self {
        (1..Self::SYMMETRIES).map(|k| self.transform(k)).fold(*self, Ord::min)
    }
}

/// Counts the leaves of the last plies of a perft at once.
pub trait CountLeaves: GameRules {
    /// Returns the positions `plies` plies below, at least one, counted with repetition: the bulk of a perft.
    ///
    /// What lies below a position whose only move is a pass, or that ends the game, is a matter of convention: it is left out, and the
    /// position is given to `stuck` with the plies below it, `1..=plies`.
    fn count_leaves(&self, plies: u32, stuck: &mut impl FnMut(&Self, u32)) -> u64 {
        at_level!(InstructionSet::used(), |level| count_leaves(level, self, plies, stuck))
    }
}

/// Counts leaves one after the other: [`CountLeaves::count_leaves`] where a game has nothing faster.
fn count_leaves<P: GameRules, L: SimdLevel>(
    level: L,
    position: &P,
    plies: u32,
    stuck: &mut impl FnMut(&P, u32),
) -> u64 {
    compiled!(level, {
        if plies <= 1 {
            let moves = position.count_moves() as u64;
            return match moves {
                0 => {
                    stuck(position, 1);
                    0
                }
                1 if position.legal_moves().next().is_some_and(P::is_pass) => {
                    stuck(position, 1);
                    0
                }
                _ => moves,
            };
        }
        let mut nodes = 0;
        let mut moves = position.legal_moves().peekable();
        if moves.peek().is_none_or(|&m| P::is_pass(m)) {
            stuck(position, plies);
            return 0;
        }
        for m in moves {
            nodes += count_leaves(level, &position.after(m), plies - 1, stuck);
        }
        nodes
    })
}

/// A move that the rules do not allow, with the position that stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("illegal move `{text}` in `{position}`")]
pub struct IllegalMove {
    /// The move as it was given.
    pub text: String,
    /// The text of the unchanged position.
    pub position: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::NineMensMorris;

    #[test]
    fn all_instruction_sets_count_the_same_leaves() {
        let start = crate::morris::Position::<NineMensMorris>::default();
        for instructions in InstructionSet::all() {
            let leaves = at_level!(instructions, |level| count_leaves(level, &start, 4, &mut |_, _| ()));
            assert_eq!(leaves, 255_024, "{instructions:?}");
        }
    }
}
