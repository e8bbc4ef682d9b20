//! Flips and moves of many boards at the same time. Each vector lane processes one board.
//!
//! All lanes perform the same shifts in the eight directions, so the compiler turns a loop over an
//! array of boards into vector code with every lane in use. For a single board
//! [`portable`](super::portable) is faster.

/// Columns b to g: a step to the side from them never leaves the board.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Returns the squares from which a run of the opponent's discs leads to a disc of the player. They
/// may be occupied.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    // Adding one at the first disc of a run carries to the square after its last disc: three
    // operations instead of nine.
    inner.wrapping_add(inner & player << 1)
        | up_moves::<7>(player, inner)
        | up_moves::<8>(player, opponent)
        | up_moves::<9>(player, inner)
        | down_moves::<1>(player, inner)
        | down_moves::<7>(player, inner)
        | down_moves::<8>(player, opponent)
        | down_moves::<9>(player, inner)
}

#[inline(always)]
fn up_moves<const STEP: u32>(player: u64, opponent: u64) -> u64 {
    up_run::<STEP>(player, opponent) << STEP
}

#[inline(always)]
fn down_moves<const STEP: u32>(player: u64, opponent: u64) -> u64 {
    down_run::<STEP>(player, opponent) >> STEP
}

/// Returns the runs of the opponent's discs that begin one step up from a square of `from`. The
/// steps extend the runs to one, two, four and six discs.
#[inline(always)]
fn up_run<const STEP: u32>(from: u64, opponent: u64) -> u64 {
    let pairs = opponent & opponent << STEP;
    let mut run = opponent & from << STEP;
    run |= opponent & run << STEP;
    run |= pairs & run << (2 * STEP);
    run |= pairs & run << (2 * STEP);
    run
}

/// Like [`up_run`], but downward.
#[inline(always)]
fn down_run<const STEP: u32>(from: u64, opponent: u64) -> u64 {
    let pairs = opponent & opponent >> STEP;
    let mut run = opponent & from >> STEP;
    run |= opponent & run >> STEP;
    run |= pairs & run >> (2 * STEP);
    run |= pairs & run >> (2 * STEP);
    run
}

/// Returns the opponent's discs that the player flips with a move to `square`, the bit of an empty
/// square; 0 if `square` is 0.
#[inline(always)]
pub fn flips(square: u64, player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    east_flips(square, player, inner)
        | up_flips::<7>(square, player, inner)
        | up_flips::<8>(square, player, opponent)
        | up_flips::<9>(square, player, inner)
        | down_flips::<1>(square, player, inner)
        | down_flips::<7>(square, player, inner)
        | down_flips::<8>(square, player, opponent)
        | down_flips::<9>(square, player, inner)
}

/// Adding one carries through the opponent's discs to the first other square of the row, which
/// never lies beyond column h.
#[inline(always)]
fn east_flips(square: u64, player: u64, inner: u64) -> u64 {
    let sum = inner.wrapping_add(square << 1);
    if player & sum != 0 { inner & !sum } else { 0 }
}

#[inline(always)]
fn up_flips<const STEP: u32>(square: u64, player: u64, opponent: u64) -> u64 {
    let run = up_run::<STEP>(square, opponent);
    if player & run << STEP != 0 { run } else { 0 }
}

#[inline(always)]
fn down_flips<const STEP: u32>(square: u64, player: u64, opponent: u64) -> u64 {
    let run = down_run::<STEP>(square, opponent);
    if player & run >> STEP != 0 { run } else { 0 }
}
