//! The iterations of a search, as a sequence of depths and confidences. [`drafts`] and
//! [`presearch_drafts`] list them in advance for a search without limits; [`Plan`] chooses each one
//! by the cost of the previous ones.

use crate::game::{Confidence, Limits};
use crate::search::has_room_for_another;

/// With at most this many empty squares, a search to the end of the game is a solve from the start.
pub(super) const SOLVE_MAX_EMPTIES: u32 = 14;

/// A search to the end of the game deepens ply by ply until it is this many plies short of the end,
/// then jumps to full depth: a selective search to full depth takes less time than the last
/// iterations would.
const FULL_DEPTH_JUMP: u32 = 12;

/// The depths, in plies, of the searches before a limited solve that does not need them for its
/// move ordering. They provide scores in case the solve is interrupted.
const QUICK_DEPTHS: [u32; 2] = [1, 3];

/// The depth, in plies, of the search before a solve that does not need it for its move ordering.
/// The search guesses the score better than the evaluation does, which saves 1 % of the nodes with
/// 14 empty squares and 3 % with 12.
const GUESS_DEPTH: u32 = 2;

/// Returns the iterations of a search without time or node limits: ply by ply to the depth limit.
/// If the limit reaches the end of the game, they jump to full depth and then increase the
/// confidence. The solver proves the score at full confidence.
///
/// The iterations below full depth only order moves and use the lowest confidence.
pub(super) fn drafts(limits: &Limits, empties: u32) -> Vec<(u32, Confidence)> {
    let depth = limits.depth.map_or(empties, |depth| depth.max(1));
    if depth < empties {
        let confidence = limits.confidence.unwrap_or(Confidence::LOWEST);
        return (1..=depth).map(|depth| (depth, confidence)).collect();
    }
    let highest = limits.confidence.unwrap_or(Confidence::FULL);
    let levels = Confidence::all().filter(|&level| level <= highest && level < Confidence::FULL);
    let deepening = (1..=empties.saturating_sub(FULL_DEPTH_JUMP)).map(|depth| (depth, Confidence::LOWEST));
    deepening.chain(levels.map(|level| (empties, level))).collect()
}

/// Returns the searches before a solve, which order its moves. `bounded` is true if the solve may
/// be interrupted.
pub(super) fn presearch_drafts(empties: u32, bounded: bool) -> Vec<(u32, Confidence)> {
    let levels = match empties {
        ..=15 if bounded => return QUICK_DEPTHS.map(|depth| (depth, Confidence::FULL)).to_vec(),
        ..=15 => return vec![(GUESS_DEPTH, Confidence::LOWEST)],
        16..=21 => 1,
        22..=25 => 2,
        26..=29 => 3,
        _ => 5,
    };
    let deepening = (empties % 2 + 2..=empties - FULL_DEPTH_JUMP).step_by(2).map(|depth| (depth, Confidence::LOWEST));
    deepening.chain(Confidence::all().take(levels).map(|level| (empties, level))).collect()
}

/// The iterations of a search with a time or node limit, chosen for the strongest move. They deepen
/// ply by ply at the lowest confidence, jump to the end of the game as soon as that should fit into
/// the remaining budget, and then increase the confidence. Last comes a solve. No iteration begins
/// that is not expected to end within the limits.
///
/// A limit on the depth or the confidence ends the iterations earlier. Costs are fractions of the
/// limits, from 0 to 1.
pub(super) struct Plan {
    empties: u32,
    depth: u32,
    confidence: Confidence,
    last: Option<(u32, Confidence)>,
    used: f64,
    /// The costs of the last two iterations.
    costs: [f64; 2],
    ends_with_solve: bool,
}

impl Plan {
    /// The minimum depth of an iteration whose cost predicts the cost of a search to the end.
    const MIN_INFORMATIVE_DEPTH: u32 = 4;

    /// The usual cost of the first iteration to the end of the game, in units of the iteration that
    /// is [`FULL_DEPTH_JUMP`] plies short of the end, and the factor by which it falls for each ply
    /// less. Measured with 20 to 28 empty squares; the cost varies by a factor of four in both
    /// directions.
    const JUMP_COST: f64 = 40.0;
    const JUMP_COST_PER_PLY: f64 = 0.63;

    /// The usual cost of a solve with 20 empty squares, in units of the first iteration to the end
    /// of the game, and the factor by which it grows with each empty square.
    const SOLVE_COST: f64 = 10.0;
    const SOLVE_COST_PER_EMPTY: f64 = 1.4;

    /// Iterations with increasing confidence are skipped if the solve is expected to take at most
    /// this share of the remaining budget.
    const CHEAP_SOLVE: f64 = 0.5;

    /// Creates the plan for a position with `empties` empty squares.
    pub fn new(limits: &Limits, empties: u32) -> Self {
        let is_near_the_end = limits.exact_from.is_some_and(|from| empties <= from);
        let depth =
            if is_near_the_end { empties } else { limits.depth.map_or(empties, |depth| depth.max(1).min(empties)) };
        let default = if depth == empties { Confidence::FULL } else { Confidence::LOWEST };
        let confidence = if is_near_the_end { Confidence::FULL } else { limits.confidence.unwrap_or(default) };
        Self { empties, depth, confidence, last: None, used: 0.0, costs: [0.0; 2], ends_with_solve: false }
    }

    /// Returns the next iteration after the fraction `used` of the limits has been used; `None` if
    /// there is none.
    pub fn next(&mut self, used: f64) -> Option<(u32, Confidence)> {
        self.costs = [self.costs[1], used - self.used];
        self.used = used;
        self.last = match self.last {
            None => Some((self.depth.min(1), Confidence::LOWEST)),
            Some(_) if !has_room_for_another(used, self.costs[1]) => None,
            Some((depth, _)) if depth < self.depth => self.deeper(depth),
            Some((_, confidence)) => self.more_confident(confidence),
        };
        self.last
    }

    /// Returns whether the position should be solved after the last iteration.
    pub fn ends_with_solve(&self) -> bool {
        self.ends_with_solve
    }

    fn deeper(&mut self, depth: u32) -> Option<(u32, Confidence)> {
        // How many plies the jump is shorter than the longest possible jump.
        let jump = (depth + FULL_DEPTH_JUMP).checked_sub(self.empties).filter(|_| self.depth == self.empties);
        let fits = |plies: u32| {
            let iterations = Self::JUMP_COST * Self::JUMP_COST_PER_PLY.powi(plies as i32);
            depth >= Self::MIN_INFORMATIVE_DEPTH && iterations * self.costs[0].max(self.costs[1]) <= 1.0 - self.used
        };
        match jump {
            Some(plies) if plies + 3 >= FULL_DEPTH_JUMP || fits(plies) => self.full_depth(),
            _ => Some((depth + 1, Confidence::LOWEST)),
        }
    }

    fn full_depth(&mut self) -> Option<(u32, Confidence)> {
        self.ends_with_solve = self.empties <= SOLVE_MAX_EMPTIES && self.confidence == Confidence::FULL;
        (!self.ends_with_solve).then_some((self.empties, Confidence::LOWEST))
    }

    fn more_confident(&mut self, confidence: Confidence) -> Option<(u32, Confidence)> {
        let next = Confidence::all().find(|&next| confidence < next && next <= self.confidence)?;
        if self.depth < self.empties || self.confidence < Confidence::FULL {
            return Some((self.depth, next));
        }
        let solve = Self::SOLVE_COST * Self::SOLVE_COST_PER_EMPTY.powi(self.empties as i32 - 20) * self.costs[1];
        self.ends_with_solve = next == Confidence::FULL
            || (confidence == Confidence::LOWEST && solve <= Self::CHEAP_SOLVE * (1.0 - self.used));
        (!self.ends_with_solve).then_some((self.depth, next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the iterations of a plan, given the cost of each iteration as a fraction of the
    /// limits, and whether the plan ends with a solve.
    fn iterations(limits: &Limits, empties: u32, cost: impl Fn(u32, u32) -> f64) -> (Vec<(u32, u32)>, bool) {
        let (mut plan, mut used, mut all) = (Plan::new(limits, empties), 0.0, Vec::new());
        while let Some((depth, confidence)) = plan.next(used) {
            all.push((depth, confidence.percent()));
            used += cost(depth, confidence.percent());
            if used >= 1.0 {
                return (all, false);
            }
        }
        (all, plan.ends_with_solve())
    }

    #[test]
    fn a_plan_deepens_while_an_iteration_fits() {
        let doubling = |depth, _| f64::from(1 << depth) / 10_000.0;
        let (all, solves) = iterations(&Limits::default(), 40, doubling);
        // After the twelfth iteration, less than half of its cost remains.
        assert_eq!((all, solves), ((1..=12).map(|depth| (depth, 73)).collect(), false));
        let level = Limits { exact_from: Some(60), confidence: Confidence::from_percent(98), ..Limits::depth(60) };
        assert_eq!(iterations(&level, 40, doubling), iterations(&Limits::default(), 40, doubling));
        assert_eq!(iterations(&Limits::depth(3), 40, |_, _| 0.001).0, [(1, 73), (2, 73), (3, 73)]);
    }

    #[test]
    fn a_plan_raises_the_confidence_as_requested() {
        let limits = Limits::depth(2).with_confidence(Confidence::FULL);
        let expected = [(1, 73), (2, 73), (2, 87), (2, 95), (2, 98), (2, 99), (2, 100)];
        assert_eq!(iterations(&limits, 40, |_, _| 0.001), (expected.to_vec(), false));
        let limits = Limits::default().with_confidence(Confidence::from_percent(95).unwrap());
        let (all, solves) = iterations(&limits, 20, |depth, _| if depth < 20 { 1e-5 } else { 0.01 });
        assert_eq!((&all[8..], solves), (&[(20, 73), (20, 87), (20, 95)][..], false));
    }

    #[test]
    fn a_plan_goes_full_depth_as_soon_as_that_should_fit() {
        let cheap = |depth, _| if depth < 20 { 1e-5 } else { 0.001 };
        let (all, solves) = iterations(&Limits::default(), 20, cheap);
        assert_eq!((all.last(), solves), (Some(&(20, 73)), true), "a cheap solve needs no more confidence before");
        let costly = |depth, confidence| if depth < 20 { 1e-5 } else { 0.003 * f64::from(confidence - 50) };
        let (all, solves) = iterations(&Limits::default(), 20, costly);
        assert_eq!((&all[8..], solves), (&[(20, 73), (20, 87), (20, 95), (20, 98), (20, 99)][..], true));
        let slow = |depth, _| 0.006 * f64::from(depth);
        let (all, _) = iterations(&Limits::default(), 24, slow);
        assert!(all.contains(&(16, 73)) && !all.contains(&(24, 73)), "{all:?}");
        assert_eq!(iterations(&Limits::default(), 10, |_, _| 1e-4), ((1..=4).map(|depth| (depth, 73)).collect(), true));
    }
}
