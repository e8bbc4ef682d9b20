//! [`Position`]: a position without history. [`GameRules`]: the rules of a concrete game.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use thiserror::Error;

use crate::game::{AnyPosition, Color, GameError, GameInfo, LocatedError, Outcome};
use crate::instructions::{InstructionSet, SimdLevel, at_level, compiled};

/// A position of a two-player, zero-sum game, without history.
///
/// `{}` writes it on one line; `{:#}` and `{:#?}` draw the board.
///
/// Equality, hash, order and text cover exactly the state that determines future play. They exclude
/// the moves played so far and all move clocks, which belong to [`Game`](crate::game::Game).
///
/// Every move passes the turn: a turn of several actions (closing a mill and capturing) is one
/// move, and a forced pass is a move. Search, perft and tournaments therefore need no special
/// cases.
///
/// Do not override methods marked *final*. Other methods with a default body may be overridden for
/// speed.
pub trait Position: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// A whole turn. [`parse_move`](Self::parse_move) reads its text. The conversion to `u16` is
    /// injective, so that tables can store a move in 16 bits.
    type Move: Copy + Eq + Hash + Debug + Display + Into<u16> + Send + Sync + 'static;
    /// An iterator over the legal moves.
    type Moves: ExactSizeIterator<Item = Self::Move>;

    /// Returns the side to move.
    fn side_to_move(&self) -> Color;

    /// Returns the legal moves, each once. There are none if and only if the position itself ends
    /// the game.
    fn legal_moves(&self) -> Self::Moves;

    /// Plays a legal move without checking it, and passes the turn. The result of an illegal move
    /// is unspecified, but safe.
    fn play_unchecked(&mut self, m: Self::Move);

    /// Returns the result in points for the side to move. Meaningful only if there is no legal
    /// move.
    fn final_score(&self) -> i32;

    /// Returns the number of legal moves.
    fn count_moves(&self) -> usize {
        self.legal_moves().len()
    }

    /// Returns whether a move only passes the turn.
    fn is_pass(_m: Self::Move) -> bool {
        false
    }

    /// Returns the pass if the side to move must pass.
    fn forced_pass(&self) -> Option<Self::Move> {
        // A pass is legal only if no other move is.
        self.legal_moves().next().filter(|&m| Self::is_pass(m))
    }

    /// Returns whether no position before this move can recur after it.
    fn is_irreversible(&self, m: Self::Move) -> bool;

    /// Returns the number of plies without an irreversible move after which the rules declare a
    /// draw; `None` if there is no such draw in this position.
    fn no_progress_limit(&self) -> Option<u32> {
        None
    }

    /// Returns whether the position itself ends the game.
    fn is_over(&self) -> bool {
        self.legal_moves().next().is_none()
    }

    /// Returns the result if the position itself ends the game. *Final.*
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::from_score(self.final_score(), self.side_to_move()))
    }

    /// Returns the position after a legal move, without checking it. *Final.*
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = *self;
        next.play_unchecked(m);
        next
    }

    /// Returns whether a move is legal: one of the [`legal_moves`](Self::legal_moves).
    fn is_legal(&self, m: Self::Move) -> bool {
        self.legal_moves().any(|legal| legal == m)
    }

    /// Returns the position after a move. *Final.*
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal.
    fn play(&self, m: Self::Move) -> Result<Self, IllegalMove<Self>> {
        if self.is_legal(m) { Ok(self.after(m)) } else { Err(IllegalMove::new(m, *self)) }
    }

    /// Returns the legal move with this text, ignoring case. *Final.*
    ///
    /// # Errors
    /// [`IllegalMove`] if no legal move has this text.
    fn parse_move(&self, text: &str) -> Result<Self::Move, IllegalMove<Self>> {
        match self.find_move(text) {
            Some(m) => Ok(m),
            None => Err(IllegalMove::of_text(text, *self)),
        }
    }

    /// Returns the legal move with this text, ignoring case; `None` if there is none.
    fn find_move(&self, text: &str) -> Option<Self::Move> {
        self.legal_moves().find(|m| m.to_string().eq_ignore_ascii_case(text))
    }

    /// Explains why the move in `text` is illegal; `None` if the text is not a move or the game has
    /// no explanation for it.
    ///
    /// ```
    /// use morello::game::Position as _;
    /// use morello::games;
    ///
    /// let start = games::get("othello")?.start();
    /// let why = start.explain_illegal("a1").expect("a1 is a move, but not a legal one");
    /// assert_eq!(why.to_string(), "it flips no disc");
    /// assert!(start.explain_illegal("hello").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Call this only after [`parse_move`](Self::parse_move) has failed.
    fn explain_illegal(&self, _text: &str) -> Option<GameError> {
        None
    }
}

/// The state of a position of any game, in 192 bits.
pub type Packed = [u64; 3];

/// The rules of a concrete game; search, perft and engines are generic over this trait.
///
/// `FromStr` reads a position, or the moves that lead to it from the start.
pub trait GameRules: Position + FromStr<Err: LocatedError> + Default {
    /// The constants of the game.
    const INFO: GameInfo;

    /// Returns a hash of the position. Equal positions have equal keys.
    fn key(&self) -> u64;

    /// Returns the position under the `k`-th symmetry of the board, where `k` is below
    /// [`GameInfo::symmetries`]. The 0-th symmetry is the identity; it is the only one in games
    /// that do not override this method.
    #[must_use]
    fn transform(&self, _k: usize) -> Self {
        *self
    }

    /// Returns the image of a move under the `k`-th symmetry.
    #[must_use]
    fn transform_move(m: Self::Move, _k: usize) -> Self::Move {
        m
    }

    /// Encodes the whole state of the position, for [`AnyPosition`](crate::game::AnyPosition).
    fn pack(&self) -> Packed;

    /// Decodes the result of [`pack`](Self::pack). The result for other values is unspecified, but
    /// safe.
    fn unpack(packed: Packed) -> Self;

    /// Decodes a packed position from an unknown source; `None` if it is not the
    /// [packed](Self::pack) form of a position of the game.
    fn try_unpack(packed: Packed) -> Option<Self> {
        Some(Self::unpack(packed)).filter(|position| position.pack() == packed)
    }

    /// Returns the move that converts to this number. The result for other numbers is unspecified,
    /// but safe.
    fn unpack_move(number: u16) -> Self::Move;

    /// Returns the smallest image of the position under the board's symmetries. All images of a
    /// position have the same smallest image. *Final.*
    #[must_use]
    #[inline(always)] // perft calls it for each position above the leaves
    fn canonical(&self) -> Self {
        let mut least = *self;
        for k in 1..Self::INFO.symmetries {
            least = least.min(self.transform(k));
        }
        least
    }
}

/// Counts the last plies of a perft in bulk.
pub trait CountLeaves: GameRules {
    /// Counts the positions `plies` plies (at least 1) below this one. A position that is reached
    /// in several ways is counted several times.
    ///
    /// Perft conventions differ below a forced pass and the end of the game. Positions in which a
    /// pass is forced or the game is over are not counted. They are passed to `stuck` with the
    /// number of remaining plies, `1..=plies`.
    fn count_leaves(&self, plies: u32, stuck: &mut impl FnMut(&Self, u32)) -> u64 {
        at_level!(InstructionSet::used(), |level| count_leaves(level, self, plies, stuck))
    }
}

/// The generic implementation of [`CountLeaves::count_leaves`].
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

/// The move is illegal in the position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("illegal move `{text}` in `{position}`{}", self.because())]
pub struct IllegalMove<P: Position = AnyPosition> {
    /// The text of the move, which may not be a move at all.
    pub text: String,
    /// The move; `None` if only its text is known.
    pub m: Option<P::Move>,
    /// The position.
    pub position: P,
}

impl<P: Position> IllegalMove<P> {
    /// Creates the error for a move.
    #[must_use]
    pub fn new(m: P::Move, position: P) -> Self {
        Self { text: m.to_string(), m: Some(m), position }
    }

    /// Creates the error for text that may not be a move. Long text is shortened.
    #[must_use]
    pub fn of_text(text: impl Into<String>, position: P) -> Self {
        const MAX_CHARS: usize = 80;
        let mut text: String = text.into();
        if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
            text.replace_range(end.., "…");
        }
        Self { text, m: None, position }
    }

    /// Returns why the move is illegal; `None` if the text is not a move or the game has no
    /// explanation for it.
    ///
    /// ```
    /// use morello::game::Position as _;
    /// use morello::othello::Position;
    ///
    /// let illegal = Position::default().parse_move("d4").unwrap_err();
    /// assert_eq!(illegal.why().map(|why| why.to_string()).as_deref(), Some("the square is occupied"));
    /// ```
    #[must_use]
    pub fn why(&self) -> Option<GameError> {
        self.position.explain_illegal(&self.text)
    }

    fn because(&self) -> String {
        self.why().map_or_else(String::new, |why| format!(": {why}"))
    }
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
