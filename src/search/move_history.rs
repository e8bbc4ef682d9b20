//! Which move to try first: killers and history, learnt in the course of one search.

/// Slots of the history a side; codes of moves are hashed into them.
const SLOTS: usize = 1 << 12;

/// A cutoff moves the history this far towards its limit.
const HISTORY_LIMIT: i32 = 1 << 14;

/// What cutoffs have taught this search about moves.
pub(super) struct MoveHistory {
    /// The last two moves that cut off at each ply.
    killers: Vec<[Option<u16>; 2]>,
    history: [Vec<i32>; 2],
}

impl MoveHistory {
    pub fn new(plies: usize) -> Self {
        Self { killers: vec![[None; 2]; plies], history: [vec![0; SLOTS], vec![0; SLOTS]] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|side| side.fill(0));
    }

    fn slot(code: u16) -> usize {
        usize::from(code.wrapping_mul(0x9e37) >> 4)
    }

    /// Returns what a move has earned, at most about 2^15.
    pub fn score(&self, ply: usize, side: usize, code: u16) -> i32 {
        let killer = match self.killers[ply] {
            [Some(first), _] if first == code => HISTORY_LIMIT,
            [_, Some(second)] if second == code => HISTORY_LIMIT / 2,
            _ => 0,
        };
        killer + self.history[side][Self::slot(code)]
    }

    /// Learns that a move cut off after those in `tried` did not.
    pub fn cutoff(&mut self, ply: usize, side: usize, depth: u32, code: u16, tried: impl Iterator<Item = u16>) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(code) {
            *killers = [Some(code), killers[0]];
        }
        let step = (depth * depth).min(1 << 10) as i32;
        let history = &mut self.history[side];
        // Steps shrink as the limit nears, so that nothing overflows and recent cutoffs count more.
        let mut adjust = |code, step: i32| {
            let value = &mut history[Self::slot(code)];
            *value += step * 4 - *value * step.abs() / (HISTORY_LIMIT / 4);
        };
        tried.for_each(|code| adjust(code, -step));
        adjust(code, step);
    }
}
