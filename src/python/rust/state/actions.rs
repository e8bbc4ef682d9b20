//! [`Actions`]: moves as action numbers, as in OpenSpiel.

use std::collections::HashMap;
use std::sync::LazyLock;

use morello::game::{AnyGame, Layout, MovePoints, Packed};
use morello::games;

/// An upper bound for action numbers.
const MOST_ACTIONS: usize = 24 * 25;

/// The actions of a game.
///
/// In Othello an action is a square, and the number after the last square is a pass. In the mill
/// games with n points, numbered in reading order, actions below n place or capture a man, and
/// n + from * n + to moves a man.
#[derive(Debug)]
pub struct Actions {
    pub layout: Layout,
    /// For each point of the layout, its number in reading order.
    pub numbers: Vec<usize>,
    /// For each number in reading order, the point.
    pub points: Vec<usize>,
    /// For each number in reading order, the bit of the point in a set of points.
    pub bits: Vec<u32>,
    /// The number of cells of the grid.
    pub cells: usize,
    /// For each number in reading order, the cell.
    pub cell_of: Vec<usize>,
    /// The number of actions.
    pub count: usize,
}

impl Actions {
    /// Returns the actions of a game.
    pub fn of(game: &dyn AnyGame) -> &'static Self {
        static KNOWN: LazyLock<HashMap<&str, Actions>> =
            LazyLock::new(|| games::all().iter().map(|game| (game.name(), Actions::new(game.layout()))).collect());
        &KNOWN[game.name()]
    }

    fn new(layout: Layout) -> Self {
        let mut points: Vec<usize> = (0..layout.points.len()).collect();
        points.sort_by_key(|&point| (layout.points[point].row, layout.points[point].column));
        let mut numbers = vec![0; points.len()];
        for (number, &point) in points.iter().enumerate() {
            numbers[point] = number;
        }
        let n = points.len();
        let cell = |&point: &usize| layout.points[point].row * layout.columns + layout.points[point].column;
        let cell_of = points.iter().map(cell).collect();
        let cells = layout.rows * layout.columns;
        let mut actions = Self { layout, numbers, bits: Vec::new(), points, cells, cell_of, count: n + 1 };
        if actions.is_squares() {
            // A row has eight bits on smaller boards, too.
            let bit = |&point: &usize| 8 * actions.layout.points[point].row + actions.layout.points[point].column;
            actions.bits = actions.points.iter().map(|point| bit(point) as u32).collect();
        } else {
            actions.count = n * (n + 1);
            actions.bits = actions.points.iter().map(|&point| point as u32).collect();
        }
        assert!(actions.count <= MOST_ACTIONS, "an action set has room for all actions");
        actions
    }

    /// Returns whether this is a square board, as in Othello.
    pub fn is_squares(&self) -> bool {
        self.layout.mills.is_empty()
    }

    /// Returns two sets: the pieces of the side to move and the pieces of the opponent.
    pub fn men(&self, board: Packed) -> (u64, u64) {
        if self.is_squares() { (board[0], board[1]) } else { (board[0] & u64::from(u32::MAX), board[0] >> 32) }
    }

    /// Returns the first action of a move.
    pub fn first(&self, m: MovePoints) -> usize {
        let n = self.points.len();
        match (m.from, m.to) {
            (_, None) => n,
            (None, Some(to)) => self.numbers[to],
            (Some(from), Some(to)) => n * (1 + self.numbers[from]) + self.numbers[to],
        }
    }

    /// Returns the origin, if a man moves, and the destination of the first action of a move. The
    /// action must not be a pass.
    pub fn origin_and_destination(&self, action: usize) -> (Option<usize>, usize) {
        let n = self.points.len();
        ((action / n).checked_sub(1), action % n)
    }
}

/// A set of actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionSet([u64; MOST_ACTIONS.div_ceil(64)]);

impl ActionSet {
    pub const EMPTY: Self = Self([0; MOST_ACTIONS.div_ceil(64)]);

    pub fn insert(&mut self, action: usize) {
        self.0[action / 64] |= 1 << (action % 64);
    }

    /// Returns the actions in increasing order.
    pub fn iter(&self) -> ActionIter {
        let left = self.0.iter().map(|word| word.count_ones() as usize).sum();
        ActionIter { words: self.0, word: 0, left }
    }
}

/// The actions of a set.
pub struct ActionIter {
    words: [u64; MOST_ACTIONS.div_ceil(64)],
    word: usize,
    left: usize,
}

impl Iterator for ActionIter {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        while self.words[self.word] == 0 {
            self.word += 1;
        }
        let rest = &mut self.words[self.word];
        let bit = rest.trailing_zeros() as usize;
        *rest &= *rest - 1;
        Some(64 * self.word + bit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ActionIter {}
