//! Counts the discs that the last move flips, without computing which discs they are.
//!
//! If one square is empty, every other square of a line belongs to the player or the opponent.
//! Therefore the player's discs alone, packed into eight bits by a multiplication, index a table of
//! counts. (The bit extraction instruction PEXT was not faster.)

/// The squares of a line, and the multiplier that packs them into the highest byte.
#[derive(Clone, Copy)]
struct LineMask {
    squares: u64,
    gather: u64,
}

/// The lines through each square on a board of `N` x `N` squares: row, column, diagonal,
/// antidiagonal.
struct LineMasks<const N: usize>;

impl<const N: usize> LineMasks<N> {
    const THROUGH: [[LineMask; 4]; 64] = {
        let mut lines = [[LineMask { squares: 0, gather: 0 }; 4]; 64];
        let mut square = 0;
        while square < 64 {
            let (x, y) = (square % 8, square / 8);
            // A row is already one byte; a column is spread over the bytes.
            lines[square][0] = LineMask { squares: Self::line(x, y, 1, 0), gather: 1 << (56 - 8 * y) };
            lines[square][1] = LineMask { squares: Self::line(x, y, 0, 1), gather: Self::gather_column(x) };
            lines[square][2] = LineMask { squares: Self::line(x, y, 1, 1), gather: 0x0101_0101_0101_0101 };
            lines[square][3] = LineMask { squares: Self::line(x, y, 1, -1), gather: 0x0101_0101_0101_0101 };
            square += 1;
        }
        lines
    };

    const fn line(x: usize, y: usize, dx: i32, dy: i32) -> u64 {
        let mut squares = 0;
        let mut step = -7;
        while step <= 7 {
            let (x, y) = (x as i32 + step * dx, y as i32 + step * dy);
            if x >= 0 && x < N as i32 && y >= 0 && y < N as i32 {
                squares |= 1 << (8 * y + x);
            }
            step += 1;
        }
        squares
    }

    /// Returns the multiplier that moves the square in row `r` of column `x` to bit 56 + `r`.
    const fn gather_column(x: usize) -> u64 {
        let mut gather = 0;
        let mut row = 0;
        while row < 8 {
            gather |= 1 << (56 - 7 * row - x);
            row += 1;
        }
        gather
    }
}

/// The number of discs flipped on a line, indexed by the place of the move on the line and the
/// player's discs on it. All other discs on the line are the opponent's.
static COUNTS: [[u8; 256]; 8] = {
    let mut counts = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut count = 0;
            let mut at = place + 1;
            while at < 8 && own >> at & 1 == 0 {
                at += 1;
            }
            if at < 8 {
                count += at - place - 1;
            }
            let mut down = place;
            while down > 0 && own >> (down - 1) & 1 == 0 {
                down -= 1;
            }
            if down > 0 {
                count += place - down;
            }
            counts[place][own] = count as u8;
            own += 1;
        }
        place += 1;
    }
    counts
};

/// Returns the number of discs that the player flips with a move to `square`, the only empty
/// square.
#[inline(always)]
pub fn count_last_flips<const N: usize>(square: u32, player: u64) -> u32 {
    let lines = &const { &LineMasks::<N>::THROUGH }[square as usize & 63];
    let (by_column, by_row) = (&COUNTS[square as usize & 7], &COUNTS[square as usize >> 3 & 7]);
    let mut flipped = 0;
    for (line, counts) in lines.iter().zip([by_column, by_row, by_column, by_column]) {
        flipped += u32::from(counts[((player & line.squares).wrapping_mul(line.gather) >> 56) as usize]);
    }
    flipped
}
