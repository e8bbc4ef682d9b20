//! [`MillEvaluation`]: the evaluation of mill positions.
//!
//! The estimate is a sum of three kinds of weights. Each depends on the [stage](Weights::stage) of
//! the game:
//!
//! * weights of [terms](term), which count men, mills that can be closed now or soon, mills that
//!   can be opened and closed again, and mobility, for both sides;
//! * weights of the numbers of men of both sides;
//! * weights of the configurations of [patterns](Patterns).
//!
//! The evaluation uses loops that the compiler vectorizes, and allocates no memory. The weights
//! were fitted by logistic regression to results and scores of self-play games;
//! `data/weights/README.md` describes the training.

use std::sync::Arc;

use super::weights::{self, CONFIGURATION_UNIT, MEN, Weights};
use super::{MoveScorer, Patterns, TERMS, term};
use crate::game::Evaluator;
use crate::instructions::{InstructionSet, at_level, compiled};
use crate::morris::{Board, Move, Position, Variant};

/// The maximum estimate, below the scores of finished games (1000 and -1000).
const LIMIT: i32 = 990;

/// The score of a mill that the side to move can close, in games that are won by a mill.
const WINS_NEXT: i32 = 900;
/// The score of a mill that the opponent threatens to close, in games that are won by a mill.
const THREATENS: i32 = 150;

/// The evaluation of mill positions, in thousandths of a win for the side to move: from -990 to
/// 990, because only finished games have the scores -1000 and 1000.
///
/// ```
/// use morello::game::Evaluator;
/// use morello::morris::{NineMensMorris, Position, engine::MillEvaluation};
///
/// // In thousandths of a win for the side to move, White, which can close a mill.
/// let position = "0,0 a7,d7,g4,b6 a1,b2,c3,d1 W".parse::<Position<NineMensMorris>>()?;
/// assert!((200..1000).contains(&MillEvaluation::new::<NineMensMorris>().evaluate(&position)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MillEvaluation {
    patterns: &'static Patterns,
    weights: Arc<Weights>,
}

impl MillEvaluation {
    /// Creates the evaluation with a game's embedded weights.
    #[must_use]
    pub fn new<V: Variant>() -> Self {
        Self::on(V::BOARD, weights::of(V::BOARD, &V::RULES))
    }

    /// Creates the evaluation with other weights for the game's board.
    #[must_use]
    pub fn with_weights<V: Variant>(weights: Arc<Weights>) -> Self {
        Self::on(V::BOARD, weights)
    }

    /// Creates the evaluation with weights for a board.
    pub(super) fn on(board: &Board, weights: Arc<Weights>) -> Self {
        Self { patterns: Patterns::of(board), weights }
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
            // A man that leaves a mill to close this one can return and close the first one again.
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

/// Returns the terms of a position.
///
/// ```
/// use morello::morris::engine::{term, terms};
/// use morello::morris::{NineMensMorris, Position};
///
/// let position = "0,0 a7,d7,g4,b6 a1,b2,c3,d1,e4 W".parse::<Position<NineMensMorris>>()?;
/// let terms = terms(&position);
/// assert_eq!(terms[term::MAN], -1, "Black has one man more");
/// assert_eq!((terms[term::OPEN_MILL], terms[term::CAN_CLOSE_MILL]), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[inline(always)]
pub fn terms<V: Variant>(position: &Position<V>) -> [i32; TERMS] {
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
    terms
}

/// Returns the part of an estimate that does not depend on weights: the value of the next mill in
/// games that are won by a mill.
#[inline(always)]
#[must_use]
pub fn of_next_mill<V: Variant>(terms: &[i32; TERMS]) -> i32 {
    match terms {
        _ if V::RULES.captures() => 0,
        _ if terms[term::CAN_CLOSE_MILL] != 0 => WINS_NEXT,
        _ => THREATENS * terms[term::THREAT],
    }
}

/// Returns the number of men of a side, on the board and in hand, as an index.
#[inline(always)]
#[must_use]
pub fn men(men: u32, hand: u8) -> usize {
    (men.count_ones() as usize + usize::from(hand)).min(MEN - 1)
}

impl<V: Variant> Evaluator<Position<V>> for MillEvaluation {
    fn evaluate(&self, position: &Position<V>) -> i32 {
        at_level!(InstructionSet::used(), |level| compiled!(level, {
            let weights = &self.weights.stages[Weights::stage(position)];
            let terms = terms(position);
            let mut score: i32 =
                terms.iter().zip(&weights.terms).map(|(count, weight)| count * i32::from(*weight)).sum();
            score += i32::from(
                weights.men[men(position.own(), position.own_hand())][men(position.other(), position.other_hand())],
            );
            let configurations = self.patterns.configurations(position.own(), position.other());
            let of_patterns =
                configurations.iter().map(|&number| i32::from(weights.configurations[usize::from(number)]));
            score += CONFIGURATION_UNIT * of_patterns.sum::<i32>();
            score += of_next_mill::<V>(&terms);
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

#[cfg(test)]
mod tests {
    use super::super::patterns::{SHAPES_OF_NINE, SHAPES_OF_SEVEN, SHAPES_OF_SIX};
    use super::super::weights::tests::random_weights;
    use super::*;
    use crate::game::{Position as _, random_game};
    use crate::morris::{
        LaskerMorris, Morabaraba, NineMensMorris, NineMensMorrisFlying, SevenMensMorris, SixMensMorris,
    };

    /// Returns the estimate, computed point by point.
    fn plain_estimate<V: Variant>(position: &Position<V>, weights: &Weights, shapes: &[&str]) -> i32 {
        let board = V::BOARD;
        let weights = &weights.stages[Weights::stage(position)];
        let mut estimate: i32 = (0..TERMS).map(|term| terms(position)[term] * i32::from(weights.terms[term])).sum();
        let men = |men: u32, hand: u8| men.count_ones() as usize + usize::from(hand);
        estimate += i32::from(
            weights.men[men(position.own(), position.own_hand())][men(position.other(), position.other_hand())],
        );
        let mut first = 0;
        for shape in shapes {
            let points: Vec<u32> = shape.split(' ').map(|name| board.point(name).unwrap()).collect();
            let mut sets = Vec::new();
            // Any symmetry that leads to the same set of points must give the same weight; the last
            // one is used.
            for k in (0..board.symmetries().len()).rev() {
                let image = points.iter().map(|&point| 1u32 << board.symmetries().point(k, point));
                let set = image.clone().fold(0, |set, point| set | point);
                if sets.contains(&set) {
                    continue;
                }
                sets.push(set);
                let digit = |point: u32| {
                    usize::from(position.own() & point != 0) + 2 * usize::from(position.other() & point != 0)
                };
                let number: usize =
                    image.enumerate().map(|(place, point)| digit(point) * 3usize.pow(place as u32)).sum();
                estimate += CONFIGURATION_UNIT * i32::from(weights.configurations[first + number]);
            }
            first += 3usize.pow(points.len() as u32);
        }
        estimate.clamp(-LIMIT, LIMIT)
    }

    fn check_estimates<V: Variant>(shapes: &[&str]) {
        let weights = Arc::new(random_weights(V::BOARD, 3));
        let evaluation = MillEvaluation::with_weights::<V>(Arc::clone(&weights));
        let mut distinct = std::collections::HashSet::new();
        for seed in 0..30 {
            for position in random_game::<Position<V>>(seed, 60).positions() {
                if !position.is_over() {
                    let estimate = evaluation.evaluate(position);
                    assert_eq!(estimate, plain_estimate(position, &weights, shapes), "{position}");
                    distinct.insert(estimate);
                }
            }
        }
        assert!(distinct.len() > 200, "{}", distinct.len());
    }

    #[test]
    fn estimates_equal_those_computed_point_by_point() {
        check_estimates::<NineMensMorrisFlying>(&SHAPES_OF_NINE);
        check_estimates::<LaskerMorris>(&SHAPES_OF_NINE);
        check_estimates::<Morabaraba>(&SHAPES_OF_NINE);
        check_estimates::<SevenMensMorris>(&SHAPES_OF_SEVEN);
        check_estimates::<SixMensMorris>(&SHAPES_OF_SIX);
    }

    #[test]
    fn the_embedded_weights_prefer_more_men() {
        fn prefers_more_men<V: Variant>() {
            let evaluation = MillEvaluation::new::<V>();
            let (mut right, mut all) = (0, 0);
            for seed in 0..300 {
                for position in random_game::<Position<V>>(seed, 60).positions().iter().filter(|p| !p.is_over()) {
                    let men = |men: u32, hand: u8| men.count_ones() as i32 + i32::from(hand);
                    let more = men(position.own(), position.own_hand()) - men(position.other(), position.other_hand());
                    if more.abs() > 1 {
                        all += 1;
                        right += i32::from(evaluation.evaluate(position).signum() == more.signum());
                    }
                }
            }
            assert!(all > 500 && 10 * right > 9 * all, "{}: {right} of {all}", V::NAME);
        }
        prefers_more_men::<NineMensMorris>();
        prefers_more_men::<NineMensMorrisFlying>();
        prefers_more_men::<LaskerMorris>();
        prefers_more_men::<Morabaraba>();
        prefers_more_men::<SixMensMorris>();
    }
}
