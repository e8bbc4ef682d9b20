//! [`Evaluate`]: a hand-made judgement of mill positions.
//!
//! Men decide mill games, so they weigh most; then come the mills that can be closed, the freedom to move, and what is blocked. Each term
//! is counted for both sides with the same vector loops that count moves, and nothing is allocated.

use super::Order;
use crate::game::Evaluator;
use crate::morris::{Move, Position, Variant};

/// The largest estimate: the scores of a win and a loss (1000, -1000) are left to games that are over.
const LIMIT: i32 = 990;

/// The weights, in thousandths of the game.
mod weight {
    /// One man more, in hand or on the board.
    pub const MAN: i32 = 70;
    /// A mill that can be closed on the next turn.
    pub const OPEN_MILL: i32 = 24;
    /// The turn, for the side that can close a mill with it.
    pub const CLOSES_NOW: i32 = 40;
    /// A man that leaves one mill for another and so captures with every move.
    pub const DOUBLE_MILL: i32 = 60;
    /// A complete mill.
    pub const MILL: i32 = 6;
    /// Two men of a line whose third point is empty, but out of reach.
    pub const PAIR: i32 = 4;
    /// A step that a man could make.
    pub const STEP: i32 = 3;
    /// A man that cannot move.
    pub const BLOCKED: i32 = 5;
    /// A man with many lines, while men are placed.
    pub const LINE: i32 = 1;
    /// Flying: what the freedom of three men is worth, beside the steps that it makes needless.
    pub const FLYING: i32 = 60;
    /// A mill that can be closed where a mill wins: the next turn, or the one after if the other side does nothing about it.
    pub const WINS_NEXT: i32 = 900;
    /// See [`WINS_NEXT`].
    pub const THREATENS: i32 = 150;
}

/// An evaluation of mill positions made of weighted counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evaluate;

/// What is counted for a side.
struct Counts {
    /// Points where the side can close a mill on its next turn.
    open_mills: u32,
    /// The worth of everything in thousandths, seen from the side.
    worth: i32,
}

fn counts<V: Variant>(men: u32, hand: u8, empty: u32, free: u32) -> Counts {
    let board = V::BOARD;
    let closers = board.closers(men) & empty;
    let (in_mills, mills) = board.mills_of(men);
    let flies = Position::<V>::flies(men, hand);
    let (mut reachable, mut double) = (closers, 0);
    if hand == 0 {
        let mut points = closers;
        while points != 0 {
            let to = points.trailing_zeros();
            points &= points - 1;
            let movers = men & if flies { !0 } else { board.neighbours(to) } & !board.needed(men, to);
            if movers == 0 {
                reachable &= !(1 << to);
            }
            // Leaving a mill to close another opens the first, which the next move closes again.
            double += i32::from(movers & in_mills != 0);
        }
    }
    let count = |points: u32| points.count_ones() as i32;
    let mut worth = weight::MAN * (count(men) + i32::from(hand))
        + weight::OPEN_MILL * count(reachable)
        + weight::PAIR * count(closers & !reachable)
        + weight::DOUBLE_MILL * double
        + weight::MILL * mills as i32;
    if flies {
        worth += weight::FLYING;
    } else {
        worth += weight::STEP * board.steps(men, empty) as i32 - weight::BLOCKED * count(men & !free);
        if hand > 0 {
            worth += weight::LINE * board.degrees(men) as i32;
        }
    }
    Counts { open_mills: reachable, worth }
}

impl<V: Variant> Evaluator<Position<V>> for Evaluate {
    fn evaluate(&self, position: &Position<V>) -> i32 {
        let empty = position.empty();
        let free = V::BOARD.around(empty);
        let own = counts::<V>(position.own(), position.own_hand(), empty, free);
        let other = counts::<V>(position.other(), position.other_hand(), empty, free);
        let mut score = own.worth - other.worth;
        if V::RULES.captures() {
            score += weight::CLOSES_NOW * i32::from(own.open_mills != 0);
        } else if own.open_mills != 0 {
            score += weight::WINS_NEXT;
        } else {
            score -= weight::THREATENS * other.open_mills.count_ones() as i32;
        }
        score.clamp(-LIMIT, LIMIT)
    }

    fn order(&self, position: &Position<V>, m: Move<V>, _next: &Position<V>) -> i32 {
        Order::new(position).value(m)
    }

    fn order_all(&self, position: &Position<V>, moves: &mut [(i32, Move<V>)]) {
        let order = Order::new(position);
        for (value, m) in moves {
            *value += order.value(*m);
        }
    }

    fn table_key(&self, position: &Position<V>) -> (u64, usize) {
        position.symmetric_key()
    }
}
