//! [`SizedPosition`]: a board with the side to move.

use super::board::transform;
use super::leaf_counter::LeafCounter;
use super::{Board, Move, Moves, SquareSet};
use crate::game::{
    self, Color, CountLeaves, Element as _, GameError, GameInfo, GameRules, Packed, Scoring, Terminology,
};
use crate::instructions::{InstructionSet, at_level};

/// A position of Othello on the standard board of 8 x 8 squares.
///
/// ```
/// use morello::game::Position;
/// use morello::othello;
///
/// let position: othello::Position = "f5d6c3".parse()?;
/// let moves: Vec<_> = position.legal_moves().map(|m| m.to_string()).collect();
/// assert_eq!(moves, ["d3", "f3", "f4", "g5"]);
/// assert_eq!(position.to_string(), "------------------X--------XX------OXX-----O-------------------- O");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Position = SizedPosition<8>;

/// A position of Othello on a board of `N` x `N` squares: 8, 6 or 4.
///
/// [`Position`] is an alias for the standard board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SizedPosition<const N: usize> {
    board: Board<N>,
    side: Color,
}

impl<const N: usize> SizedPosition<N> {
    /// Creates a position in which `side` is the player of `board`.
    #[must_use]
    pub const fn new(board: Board<N>, side: Color) -> Self {
        Self { board, side }
    }

    /// Returns the board from the point of view of the side to move.
    #[must_use]
    pub const fn board(&self) -> Board<N> {
        self.board
    }

    /// Returns the discs of a side.
    #[must_use]
    pub fn discs(&self, color: Color) -> SquareSet {
        if color == self.side { self.board.player() } else { self.board.opponent() }
    }

    /// Returns the empty squares.
    #[must_use]
    pub const fn empties(&self) -> SquareSet {
        self.board.empties()
    }

    /// Returns the number of empty squares.
    #[must_use]
    pub const fn empty_count(&self) -> u32 {
        self.board.empty_count()
    }

    /// Returns the discs of the side to move minus the opponent's discs. Empty squares do not
    /// count.
    #[must_use]
    pub const fn disc_difference(&self) -> i32 {
        self.board.disc_difference()
    }
}

impl<const N: usize> Default for SizedPosition<N> {
    /// Returns the starting position.
    fn default() -> Self {
        Self::new(Board::START, Color::Black)
    }
}

impl<const N: usize> game::Position for SizedPosition<N> {
    type Move = Move;
    type Moves = Moves;

    fn side_to_move(&self) -> Color {
        self.side
    }

    #[inline(always)]
    fn legal_moves(&self) -> Moves {
        let squares = self.board.moves();
        Moves { squares: squares.iter(), pass: squares.is_empty() && !self.board.opponent_moves().is_empty() }
    }

    #[inline(always)]
    fn play_unchecked(&mut self, m: Move) {
        self.board = match m.square() {
            Some(square) => self.board.flip(square.bit(), self.board.flip_bits(square.bit())),
            None => self.board.pass(),
        };
        self.side = !self.side;
    }

    fn final_score(&self) -> i32 {
        self.board.final_score()
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        self.legal_moves().len()
    }

    fn is_legal(&self, m: Move) -> bool {
        // Readers of game records call this for every move. Computing the flips of one square is
        // faster than generating all moves.
        match m.square() {
            Some(square) => self.board.after(square).is_some(),
            None => self.board.move_bits() == 0 && self.board.opponent_move_bits() != 0,
        }
    }

    fn is_pass(m: Move) -> bool {
        m == Move::PASS
    }

    fn explain_illegal(&self, text: &str) -> Option<GameError> {
        Move::from_text(text).and_then(|m| self.why_illegal(m)).map(GameError::new)
    }

    fn is_irreversible(&self, _: Move) -> bool {
        true
    }
}

/// Returns the constants of a small board.
const fn info(name: &'static str, title: &'static str, about: &'static str, known_perft: &'static str) -> GameInfo {
    GameInfo {
        name,
        title,
        about,
        terminology: Terminology { piece: "disc", pieces: "discs", captures: "flips", captured: "flipped" },
        scoring: Scoring::Margin,
        cyclic: false,
        symmetries: 8,
        exact_solver: true,
        selective: false,
        known_perft,
    }
}

impl<const N: usize> GameRules for SizedPosition<N> {
    const INFO: GameInfo = match N {
        8 => GameInfo {
            selective: true,
            ..info(
                "othello",
                "Othello",
                "Othello on the standard 8x8 board",
                include_str!("../data/perft/othello.perft"),
            )
        },
        6 => info(
            "othello-6x6",
            "Othello, 6x6",
            "Othello on a 6x6 board",
            include_str!("../data/perft/othello-6x6.perft"),
        ),
        4 => info(
            "othello-4x4",
            "Othello, 4x4",
            "Othello on a 4x4 board",
            include_str!("../data/perft/othello-4x4.perft"),
        ),
        _ => panic!("a board has 8x8, 6x6 or 4x4 squares"),
    };

    fn key(&self) -> u64 {
        self.board.key() ^ self.side as u64
    }

    fn transform(&self, k: usize) -> Self {
        Self { board: self.board.transform(k), ..*self }
    }

    fn transform_move(m: Move, k: usize) -> Move {
        match m.square() {
            Some(square) => {
                let image = SquareSet::new(transform::<N>(1 << square.bit(), k));
                image.into_iter().next().map_or(m, Move::place)
            }
            None => m,
        }
    }

    fn pack(&self) -> Packed {
        [self.board.player, self.board.opponent, self.side as u64]
    }

    fn unpack([player, opponent, side]: Packed) -> Self {
        Self::new(Board { player, opponent }, if side == Color::Black as u64 { Color::Black } else { Color::White })
    }

    fn try_unpack(packed: Packed) -> Option<Self> {
        let [player, opponent, _] = packed;
        Board::<N>::new(player.into(), opponent.into()).ok()?;
        Some(Self::unpack(packed)).filter(|position| position.pack() == packed)
    }

    fn unpack_move(number: u16) -> Move {
        Move::from_number(number)
    }
}

impl<const N: usize> CountLeaves for SizedPosition<N> {
    fn count_leaves(&self, plies: u32, stuck: &mut impl FnMut(&Self, u32)) -> u64 {
        if plies <= 1 {
            let moves = u64::from(self.board.move_bits().count_ones());
            if moves == 0 {
                stuck(self, plies);
            }
            return moves;
        }
        // `stuck` is called before any pass, so the sides alternate.
        let side = |left: u32| if (plies - left).is_multiple_of(2) { self.side } else { !self.side };
        at_level!(InstructionSet::used(), |level| {
            LeafCounter::new(level, |board, left| stuck(&Self::new(board, side(left)), left)).count(self.board, plies)
        })
    }
}
