//! The leaves of the last plies, counted for eight boards at a time.
//!
//! Where boards are only made to count their moves, it does not matter in which order: they are queued, and each of eight lanes of 64
//! bits works on a board of its own. All lanes do the same shifts in the eight directions, so that plain arithmetic on arrays becomes
//! vector code on any machine that has vectors, and every lane is in use; a single board leaves half of the lanes of a vector idle.

use super::Board;

/// Boards worked on at a time: as many as fill the widest registers.
const LANES: usize = 8;

/// Room for the children of as many boards as a position mostly has; a board has fewer than 64 of them.
const ROOM: usize = 128;

/// The squares of columns b to g: a step to the side from there never leaves the board.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Returns the squares from which a line of the opponent's discs runs to a disc of the player; they may be occupied.
#[inline(always)]
fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    up_moves::<1>(player, inner)
        | up_moves::<7>(player, inner)
        | up_moves::<8>(player, opponent)
        | up_moves::<9>(player, inner)
        | down_moves::<1>(player, inner)
        | down_moves::<7>(player, inner)
        | down_moves::<8>(player, opponent)
        | down_moves::<9>(player, inner)
}

/// Runs of one opponent's disc, then two, four and six, from the player's discs to higher squares; returns the squares after them.
#[inline(always)]
fn up_moves<const STEP: u32>(player: u64, opponent: u64) -> u64 {
    let pairs = opponent & opponent << STEP;
    let mut run = opponent & player << STEP;
    run |= opponent & run << STEP;
    run |= pairs & run << (2 * STEP);
    run |= pairs & run << (2 * STEP);
    run << STEP
}

/// The same to lower squares.
#[inline(always)]
fn down_moves<const STEP: u32>(player: u64, opponent: u64) -> u64 {
    let pairs = opponent & opponent >> STEP;
    let mut run = opponent & player >> STEP;
    run |= opponent & run >> STEP;
    run |= pairs & run >> (2 * STEP);
    run |= pairs & run >> (2 * STEP);
    run >> STEP
}

/// Returns the discs that a player's disc on the one square of `square`, an empty one, turns over.
#[inline(always)]
fn flips(square: u64, player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    up_flips::<1>(square, player, inner)
        | up_flips::<7>(square, player, inner)
        | up_flips::<8>(square, player, opponent)
        | up_flips::<9>(square, player, inner)
        | down_flips::<1>(square, player, inner)
        | down_flips::<7>(square, player, inner)
        | down_flips::<8>(square, player, opponent)
        | down_flips::<9>(square, player, inner)
}

#[inline(always)]
fn up_flips<const STEP: u32>(square: u64, player: u64, opponent: u64) -> u64 {
    let pairs = opponent & opponent << STEP;
    let mut run = opponent & square << STEP;
    run |= opponent & run << STEP;
    run |= pairs & run << (2 * STEP);
    run |= pairs & run << (2 * STEP);
    if player & run << STEP != 0 { run } else { 0 }
}

#[inline(always)]
fn down_flips<const STEP: u32>(square: u64, player: u64, opponent: u64) -> u64 {
    let pairs = opponent & opponent >> STEP;
    let mut run = opponent & square >> STEP;
    run |= opponent & run >> STEP;
    run |= pairs & run >> (2 * STEP);
    run |= pairs & run >> (2 * STEP);
    if player & run >> STEP != 0 { run } else { 0 }
}

/// Boards with a move each that is still to be played.
struct Queue<const N: usize> {
    player: [u64; ROOM],
    opponent: [u64; ROOM],
    /// One square each.
    square: [u64; ROOM],
    len: usize,
}

/// Eight boards after their moves.
struct Group<const N: usize> {
    player: [u64; LANES],
    opponent: [u64; LANES],
    moves: [u64; LANES],
}

impl<const N: usize> Group<N> {
    fn board(&self, lane: usize) -> Board<N> {
        Board { player: self.player[lane], opponent: self.opponent[lane] }
    }
}

impl<const N: usize> Queue<N> {
    const fn new() -> Self {
        Self { player: [0; ROOM], opponent: [0; ROOM], square: [0; ROOM], len: 0 }
    }

    fn has_room(&self, moves: u64) -> bool {
        self.len + moves.count_ones() as usize <= ROOM
    }

    #[inline(always)]
    fn push(&mut self, board: Board<N>, mut moves: u64) {
        while moves != 0 {
            let square = moves & moves.wrapping_neg();
            moves ^= square;
            self.player[self.len] = board.player;
            self.opponent[self.len] = board.opponent;
            self.square[self.len] = square;
            self.len += 1;
        }
    }

    /// Plays the moves of the eight entries from `first` on, and finds the moves after them.
    #[inline(always)]
    fn play(&self, first: usize) -> Group<N> {
        let lanes = |row: &[u64; ROOM]| -> [u64; LANES] { row[first..][..LANES].try_into().expect("that is eight") };
        let (player, opponent, square) = (lanes(&self.player), lanes(&self.opponent), lanes(&self.square));
        let mut group = Group { player: [0; LANES], opponent: [0; LANES], moves: [0; LANES] };
        for lane in 0..LANES {
            let flipped = flips(square[lane], player[lane], opponent[lane]);
            let next = Board::<N> { player: opponent[lane] ^ flipped, opponent: player[lane] ^ flipped ^ square[lane] };
            group.player[lane] = next.player;
            group.opponent[lane] = next.opponent;
            group.moves[lane] = moves(next.player, next.opponent) & next.empties();
        }
        group
    }

    /// Empties the queue; returns the moves after all of its moves together. A board without any is given to `stuck`.
    #[inline(always)]
    fn count(&mut self, stuck: &mut impl FnMut(Board<N>)) -> u64 {
        let len = std::mem::take(&mut self.len);
        let mut nodes = 0;
        for first in (0..len).step_by(LANES) {
            let mut group = self.play(first);
            let used = (len - first).min(LANES);
            if used < LANES {
                // What is left in the other lanes is no part of the queue.
                group.moves[used..].fill(0);
            }
            let counts = group.moves.map(|moves| u64::from(moves.count_ones()));
            nodes += counts.iter().sum::<u64>();
            if group.moves[..used].contains(&0) {
                (0..used).filter(|&lane| group.moves[lane] == 0).for_each(|lane| stuck(group.board(lane)));
            }
        }
        nodes
    }
}

/// Returns the leaves two plies below a board with these moves; a board on the way without a move is given to `stuck` instead.
pub(super) fn two_plies<const N: usize>(board: Board<N>, moves: u64, stuck: &mut impl FnMut(Board<N>)) -> u64 {
    let mut queue = Queue::new();
    queue.push(board, moves);
    queue.count(stuck)
}

/// Returns the leaves three plies below a board with these moves; a board on the way without a move is given to `stuck` instead, with the
/// plies below it.
pub(super) fn three_plies<const N: usize>(
    board: Board<N>,
    moves: u64,
    stuck: &mut impl FnMut(Board<N>, u32),
) -> u64 {
    let (mut children, mut queue) = (Queue::new(), Queue::new());
    children.push(board, moves);
    let mut nodes = 0;
    for first in (0..children.len).step_by(LANES) {
        let group = children.play(first);
        for lane in 0..(children.len - first).min(LANES) {
            let moves = group.moves[lane];
            if moves == 0 {
                stuck(group.board(lane), 2);
                continue;
            }
            if !queue.has_room(moves) {
                nodes += queue.count(&mut |board| stuck(board, 1));
            }
            queue.push(group.board(lane), moves);
        }
    }
    nodes + queue.count(&mut |board| stuck(board, 1))
}
