//! The definition, in plain integer arithmetic.
//!
//! Each works on four lanes at once, one for each line through a square (row, column, both diagonals), in a form that
//! compilers turn into vector instructions where there are any.

/// For each square, the squares after it (in bit order) on its row, diagonal, column and antidiagonal.
static AFTER: [[u64; 4]; 64] = rays(true);

/// For each square, the squares before it on the same four lines.
static BEFORE: [[u64; 4]; 64] = rays(false);

const fn rays(after: bool) -> [[u64; 4]; 64] {
    let steps: [(i32, i32); 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];
    let sign = if after { 1 } else { -1 };
    let mut rays = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 4 {
            let (dx, dy) = (steps[lane].0 * sign, steps[lane].1 * sign);
            let (mut x, mut y) = (square % 8 + dx, square / 8 + dy);
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                rays[square as usize][lane] |= 1 << (8 * y + x);
                x += dx;
                y += dy;
            }
            lane += 1;
        }
        square += 1;
    }
    rays
}

/// Returns the opponent's discs that a player's disc on `square`, an empty one, turns over.
#[inline]
pub fn flips(square: u32, player: u64, opponent: u64) -> u64 {
    let (after, before) = (&AFTER[square as usize & 63], &BEFORE[square as usize & 63]);
    let mut flips = [0; 4];
    for lane in 0..4 {
        // Upward: adding one to a line with ones outside of it carries through the opponent's discs to the first other square.
        let mask = after[lane];
        let end = (opponent | !mask).wrapping_add(1) & mask & player;
        flips[lane] |= mask & end.wrapping_sub(u64::from(end != 0));
        // Downward there is no carry: the first other square is the highest.
        let mask = before[lane];
        let end = (1 << 63 >> ((mask & !opponent) | 1).leading_zeros()) & mask & player;
        flips[lane] |= mask & (end.wrapping_neg() << 1);
    }
    (flips[0] | flips[1] | flips[2] | flips[3]) & opponent
}

/// Returns the squares from which a line of the opponent's discs runs to a disc of the player; they may be occupied.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    const SHIFTS: [u32; 4] = [1, 9, 8, 7];
    // Lines that change the column must not wrap around: the outer columns end them.
    const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    const WITHIN: [u64; 4] = [INNER, INNER, !0, INNER];
    let mut moves = [0; 4];
    for lane in 0..4 {
        let shift = SHIFTS[lane];
        let opponent = opponent & WITHIN[lane];
        // Parallel prefix: runs of one, then two, then four and six opponent's discs.
        let mut up = opponent & (player << shift);
        let mut down = opponent & (player >> shift);
        up |= opponent & (up << shift);
        down |= opponent & (down >> shift);
        let up_pairs = opponent & (opponent << shift);
        let down_pairs = opponent & (opponent >> shift);
        up |= up_pairs & (up << (2 * shift));
        down |= down_pairs & (down >> (2 * shift));
        up |= up_pairs & (up << (2 * shift));
        down |= down_pairs & (down >> (2 * shift));
        moves[lane] = (up << shift) | (down >> shift);
    }
    moves[0] | moves[1] | moves[2] | moves[3]
}
