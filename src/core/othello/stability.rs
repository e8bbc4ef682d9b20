//! Stable discs: discs that no sequence of moves can flip.
//!
//! The result is a lower bound. A disc counts as stable if each of the four lines through it is
//! full, ends at the disc, or has a stable neighbor of the same color. An edge disc also counts if
//! no sequence of moves on that edge can flip it.

use std::sync::LazyLock;

use super::geometry::Geometry;
use super::{Board, SquareSet};

/// The player's stable discs on an edge of eight squares, indexed by the player's discs (high byte)
/// and the opponent's.
static EDGES: LazyLock<Box<[u8; 1 << 16]>> = LazyLock::new(edges);

/// Finds stable discs with precomputed tables.
///
/// The search derives an upper bound on the score of the side to move from the opponent's stable
/// discs.
///
/// ```
/// use morello::othello::{Position, Stability};
///
/// // White has the upper edge. Black, to move, cannot flip any disc on it.
/// let text = "OOOOOOOO-------------------XX----------------------------------- X";
/// let board = text.parse::<Position>()?.board();
/// assert_eq!(Stability::new().stable_opponent_discs(board).to_string(), "a1 b1 c1 d1 e1 f1 g1 h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Stability(&'static [u8; 1 << 16]);

crate::debug_fields!(Stability {});

impl Default for Stability {
    fn default() -> Self {
        Self::new()
    }
}

impl Stability {
    /// Creates the finder. The tables are computed on first use and shared by later calls.
    #[must_use]
    pub fn new() -> Self {
        Self(&EDGES)
    }

    /// Returns opponent's discs that are certainly stable; there may be more.
    #[inline(always)]
    #[must_use]
    pub fn stable_opponent_discs<const N: usize>(self, board: Board<N>) -> SquareSet {
        let discs = board.opponent;
        let full = full_lines::<N>(board.player | board.opponent);
        let all_full = full[0] & full[1] & full[2] & full[3];
        let mut stable = discs & all_full;
        if N == 8 {
            stable |= self.edges(discs, board.player);
        } else {
            stable |= discs & Geometry::<N>::CORNERS;
        }
        if stable == 0 {
            return SquareSet::EMPTY;
        }
        // The directions are written out so that the compiler uses no vectors: combining the lanes
        // would dominate the latency of this loop. Rotations wrap around between the first and the
        // last row, which lie on the border.
        let [rows, diagonals, columns, antidiagonals] = full;
        loop {
            let (east, west) = (stable << 1 & NOT_A, stable >> 1 & NOT_H);
            let secured_rows = rows | east | west;
            let secured_columns = columns | stable.rotate_left(8) | stable.rotate_right(8);
            let secured_diagonals = diagonals | east.rotate_left(8) | west.rotate_right(8);
            let secured_antidiagonals = antidiagonals | west.rotate_left(8) | east.rotate_right(8);
            let grown = stable | discs & secured_rows & secured_columns & secured_diagonals & secured_antidiagonals;
            if grown == stable {
                return SquareSet::new(stable);
            }
            stable = grown;
        }
    }

    fn edges(self, discs: u64, other: u64) -> u64 {
        let row = |discs: u64, other: u64| u64::from(self.0[(discs as usize & 0xff) << 8 | (other as usize & 0xff)]);
        row(discs, other)
            | row(discs >> 56, other >> 56) << 56
            | unpack_column(row(pack_column(discs), pack_column(other)))
            | unpack_column(row(pack_column(discs >> 7), pack_column(other >> 7))) << 7
    }
}

/// Packs column a into eight bits, with row 1 as the lowest.
fn pack_column(squares: u64) -> u64 {
    (squares & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Spreads eight bits over column a: the inverse of [`pack_column`].
fn unpack_column(bits: u64) -> u64 {
    ((bits & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101) | ((bits >> 7) << 56)
}

/// The columns that a step to the right (`NOT_A`) or to the left (`NOT_H`) can reach without
/// wrapping around.
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Returns, for rows, diagonals, columns and antidiagonals, the squares whose line is full or that
/// lie on the border in this direction.
fn full_lines<const N: usize>(occupied: u64) -> [u64; 4] {
    // Squares beyond the border count as full.
    let full = occupied | !Board::<N>::SQUARES.bits();
    let edge_columns: u64 = 0x0101_0101_0101_0101 | 0x0101_0101_0101_0101 << (N - 1);
    let edge_rows: u64 = 0xff | 0xff << (8 * (N - 1));
    let mut rows = full & full >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    rows &= rows >> 2;
    rows &= rows >> 4;
    rows = (rows & 0x0101_0101_0101_0101).wrapping_mul(0xff);
    let mut columns = full & full.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);
    let (diagonals, antidiagonals) = full_diagonals(full);
    let edge = edge_rows | edge_columns;
    [rows | edge_columns, diagonals | edge, columns | edge_rows, antidiagonals | edge]
}

/// Returns the squares of full diagonals and antidiagonals, by spreading the empty squares along
/// them.
fn full_diagonals(full: u64) -> (u64, u64) {
    // The columns that 1, 2 and 4 steps can reach without wrapping around.
    let steps: [(u32, u64, u64); 3] = [
        (1, NOT_A, NOT_H),
        (2, 0xfcfc_fcfc_fcfc_fcfc, 0x3f3f_3f3f_3f3f_3f3f),
        (4, 0xf0f0_f0f0_f0f0_f0f0, 0x0f0f_0f0f_0f0f_0f0f),
    ];
    let (mut up, mut down) = ([!full; 2], [!full; 2]);
    for (n, right, left) in steps {
        up = [up[0] | (up[0] << (9 * n) & right), up[1] | (up[1] << (7 * n) & left)];
        down = [down[0] | (down[0] >> (9 * n) & left), down[1] | (down[1] >> (7 * n) & right)];
    }
    (!(up[0] | down[0]), !(up[1] | down[1]))
}

/// Computes the stable discs of every edge. Fuller edges come first, so that each move leads to an
/// edge that is already in the table.
fn edges() -> Box<[u8; 1 << 16]> {
    let mut table: Box<[u8; 1 << 16]> = vec![0; 1 << 16].try_into().expect("the sizes are equal");
    let mut pairs: Vec<(u8, u8)> =
        (0..=255).flat_map(|p| (0..=255).map(move |o| (p, o))).filter(|&(p, o)| p & o == 0).collect();
    pairs.sort_by_key(|&(p, o): &(u8, u8)| std::cmp::Reverse((p | o).count_ones()));
    for (player, opponent) in pairs {
        let mut stable = player;
        for square in (0..8).filter(|square| (player | opponent) >> square & 1 == 0) {
            let (p, o) = play_on_edge(player, opponent, square);
            stable &= table[usize::from(p) << 8 | usize::from(o)];
            let (o, p) = play_on_edge(opponent, player, square);
            stable &= table[usize::from(p) << 8 | usize::from(o)];
        }
        table[usize::from(player) << 8 | usize::from(opponent)] = stable;
    }
    table
}

/// Places a disc on an edge and flips the discs that it encloses on the edge. The move may flip
/// nothing there, because another line can make it legal.
fn play_on_edge(player: u8, opponent: u8, square: u32) -> (u8, u8) {
    let mut flips = 0;
    for step in [1i32, -1] {
        let mut run = 0;
        let mut at = square as i32 + step;
        while (0..8).contains(&at) && opponent >> at & 1 != 0 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && player >> at & 1 != 0 {
            flips |= run;
        }
    }
    (player | flips | 1 << square, opponent & !flips)
}
