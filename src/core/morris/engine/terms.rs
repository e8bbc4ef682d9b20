//! The terms of the evaluation of the mill games.

/// The number of terms.
pub const TERMS: usize = 20;

/// The indices of the terms. Unless stated otherwise, a term is a count for the side to move minus
/// the count for the opponent.
pub mod term {
    /// Men in hand and on the board.
    pub const MAN: usize = 0;
    /// Points where the side could close a mill with one move.
    pub const OPEN_MILL: usize = 1;
    /// Empty points that would complete a mill, but that no man can reach in one move.
    pub const PAIR: usize = 2;
    /// Points where a man can close a mill by leaving another one. Such a side can capture on every
    /// move.
    pub const DOUBLE_MILL: usize = 3;
    /// Complete mills.
    pub const MILL: usize = 4;
    /// Steps that the men can make, if they do not fly.
    pub const STEP: usize = 5;
    /// Men that cannot move.
    pub const BLOCKED: usize = 6;
    /// Neighbors of the men, empty or occupied.
    pub const DEGREE: usize = 7;
    /// The number of steps missing to six.
    pub const CRAMPED: usize = 8;
    /// Possible mills with one man of the side and no man of the opponent.
    pub const LINE: usize = 9;
    /// Whether the side has three men left.
    pub const THREE: usize = 10;
    /// Whether the side has four men left.
    pub const FOUR: usize = 11;
    /// Men in mills that can move and have no man of the opponent next to them.
    pub const RUNNING: usize = 12;
    /// Men in mills that cannot move.
    pub const STUCK: usize = 13;
    /// Open mills whose open point is adjacent to a man of the opponent.
    pub const CONTESTED: usize = 14;
    /// Pairs whose open point a man can reach in two steps.
    pub const APPROACH: usize = 15;
    /// Whether the side to move can close a mill. Not a difference.
    pub const CAN_CLOSE_MILL: usize = 16;
    /// If the side to move cannot close a mill: minus the number of mills that the opponent could
    /// close, at most two.
    pub const THREAT: usize = 17;
    /// If the side to move cannot close a mill: -1 if the opponent could close two mills.
    pub const TWO_THREATS: usize = 18;
    /// Always 1: the advantage of the side to move.
    pub const TEMPO: usize = 19;
}
