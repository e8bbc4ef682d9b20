//! [`MillEvaluation`]: a linear evaluation of mill positions.
//!
//! The [terms](term) count men, mills that can be closed now or soon, mills that can be opened and closed again, and mobility, for both
//! sides. They use the vectorized loops that count moves, and allocate nothing. The weights were fitted by logistic regression to
//! positions from self-play, separately while men are placed and afterwards. The targets were the results of the games or the values of the
//! [database](super::database).

use super::weights::{self, Weights};
use super::{MoveScorer, TERMS, term};
use crate::game::Evaluator;
use crate::instructions::{InstructionSet, at_level, compiled};
use crate::morris::{Move, Position, Variant};

/// The largest estimate, below the scores of games that are over (1000 and -1000).
const LIMIT: i32 = 990;

/// The score of a mill that the side to move can close, in games that a mill wins.
const WINS_NEXT: i32 = 900;
/// The score of a mill that the opponent threatens to close, in games that a mill wins.
const THREATENS: i32 = 150;

/// A linear evaluation of mill positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MillEvaluation {
    weights: &'static Weights,
}

impl MillEvaluation {
    /// Creates the evaluation with the weights of a game.
    #[must_use]
    pub fn new<V: Variant>() -> Self {
        Self::with_weights(weights::of(&V::RULES))
    }

    /// Creates the evaluation with other weights.
    #[must_use]
    pub fn with_weights(weights: &'static Weights) -> Self {
        Self { weights }
    }
}

/// The terms of one side.
struct SideTerms {
    /// Points where the side can close a mill on its next turn.
    open_mills: u32,
    counts: [i32; TERMS],
}

#[inline(always)]
fn side<V: Variant>(men: u32, hand: u8, other: u32, empty: u32, free: u32) -> SideTerms {
    let board = V::BOARD;
    let closers = board.closing_points(men) & empty;
    let (in_mills, mills) = board.mills_of(men);
    let flies = Position::<V>::flies(men, hand);
    let count = |points: u32| points.count_ones() as i32;
    let near_other = board.around(other);
    let (mut reachable, mut double, mut approach) = (closers, 0, 0);
    if hand == 0 {
        let near = board.around(men);
        let mut points = closers;
        while points != 0 {
            let to = points.trailing_zeros();
            points &= points - 1;
            let ways = if flies { !0 } else { board.neighbors(to) };
            let movers = men & ways & !board.required_men(men, to);
            if movers == 0 {
                reachable &= !(1 << to);
                approach += i32::from(ways & empty & near != 0);
            }
            // A man that leaves a mill to close this one can return and close the first again.
            double += i32::from(movers & in_mills != 0);
        }
    }
    let total = count(men) + i32::from(hand);
    let mut counts = [0; TERMS];
    counts[term::MAN] = total;
    counts[term::OPEN_MILL] = count(reachable);
    counts[term::PAIR] = count(closers & !reachable);
    counts[term::DOUBLE_MILL] = double;
    counts[term::MILL] = mills as i32;
    counts[term::LINE] = board.open_lines(men, other) as i32;
    counts[term::THREE] = i32::from(total == 3);
    counts[term::FOUR] = i32::from(total == 4);
    counts[term::CONTESTED] = count(reachable & near_other);
    counts[term::APPROACH] = approach;
    if !flies {
        let steps = board.steps(men, empty) as i32;
        counts[term::STEP] = steps;
        counts[term::BLOCKED] = count(men & !free);
        counts[term::DEGREE] = board.degrees(men) as i32;
        counts[term::CRAMPED] = (6 - steps).max(0);
        counts[term::RUNNING] = count(in_mills & free & !near_other);
        counts[term::STUCK] = count(in_mills & !free);
    }
    SideTerms { open_mills: reachable, counts }
}

/// Returns whether all men are placed, and the terms of a position.
#[must_use]
#[inline(always)]
pub fn terms<V: Variant>(position: &Position<V>) -> (bool, [i32; TERMS]) {
    let empty = position.empty();
    let free = V::BOARD.around(empty);
    let own = side::<V>(position.own(), position.own_hand(), position.other(), empty, free);
    let other = side::<V>(position.other(), position.other_hand(), position.own(), empty, free);
    let mut terms = own.counts;
    for (term, count) in terms.iter_mut().zip(other.counts) {
        *term -= count;
    }
    if own.open_mills != 0 {
        terms[term::CAN_CLOSE_MILL] = 1;
    } else {
        terms[term::THREAT] = -other.counts[term::OPEN_MILL].min(2);
        terms[term::TWO_THREATS] = -i32::from(other.counts[term::OPEN_MILL] > 1);
    }
    terms[term::TEMPO] = 1;
    (position.own_hand() + position.other_hand() == 0, terms)
}

impl<V: Variant> Evaluator<Position<V>> for MillEvaluation {
    fn evaluate(&self, position: &Position<V>) -> i32 {
        at_level!(InstructionSet::used(), |level| compiled!(level, {
            let (placed, terms) = terms(position);
            let mut score: i32 =
                terms.iter().zip(&self.weights[usize::from(placed)]).map(|(count, weight)| count * weight).sum();
            if !V::RULES.captures() {
                score += if terms[term::CAN_CLOSE_MILL] != 0 { WINS_NEXT } else { THREATENS * terms[term::THREAT] };
            }
            score.clamp(-LIMIT, LIMIT)
        }))
    }

    fn score_move(&self, position: &Position<V>, m: Move<V>, _next: &Position<V>) -> i32 {
        MoveScorer::new(position).score(m)
    }

    fn score_moves(&self, position: &Position<V>, moves: &mut [(i32, Move<V>)]) {
        at_level!(InstructionSet::used(), |level| compiled!(level, {
            let scorer = MoveScorer::new(position);
            for (score, m) in moves {
                *score += scorer.score(*m);
            }
        }))
    }

    fn is_quiet(&self, position: &Position<V>) -> bool {
        MoveScorer::is_quiet(position)
    }

    fn table_key(&self, position: &Position<V>) -> (u64, usize) {
        position.symmetric_key()
    }
}
