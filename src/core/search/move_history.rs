//! Move ordering by killer moves and history.

/// The number of history entries per side; move codes are hashed to them.
const SLOTS: usize = 1 << 12;

/// The maximum absolute value of a history entry.
const HISTORY_LIMIT: i32 = 1 << 14;

/// The killer moves and history of one search.
pub(super) struct MoveHistory {
    /// The last two moves that caused a cutoff at each ply.
    killers: Vec<[Option<u16>; 2]>,
    history: [Vec<i32>; 2],
}

impl MoveHistory {
    pub fn new(plies: usize) -> Self {
        Self { killers: vec![[None; 2]; plies], history: [vec![0; SLOTS], vec![0; SLOTS]] }
    }

    /// Clears all killer moves and history.
    pub fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|side| side.fill(0));
    }

    fn slot(code: u16) -> usize {
        usize::from(code.wrapping_mul(0x9e37) >> 4)
    }

    /// Returns the ordering score of a move, at most about 2^15.
    pub fn score(&self, ply: usize, side: usize, code: u16) -> i32 {
        let killer = match self.killers[ply] {
            [Some(first), _] if first == code => HISTORY_LIMIT,
            [_, Some(second)] if second == code => HISTORY_LIMIT / 2,
            _ => 0,
        };
        killer + self.history[side][Self::slot(code)]
    }

    /// Records a cutoff by a move, after the moves in `tried` failed to cause one.
    pub fn cutoff(&mut self, ply: usize, side: usize, depth: u32, code: u16, tried: impl Iterator<Item = u16>) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(code) {
            *killers = [Some(code), killers[0]];
        }
        let step = (depth * depth).min(1 << 10) as i32;
        let history = &mut self.history[side];
        // The decay prevents overflow and gives recent cutoffs more weight.
        let mut adjust = |code, step: i32| {
            let value = &mut history[Self::slot(code)];
            *value += step * 4 - *value * step.abs() / (HISTORY_LIMIT / 4);
        };
        tried.for_each(|code| adjust(code, -step));
        adjust(code, step);
    }
}
