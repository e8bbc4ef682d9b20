//! The terms of the evaluation of the mill games.

/// The number of terms.
pub const TERMS: usize = 20;

/// The indices of the terms. Each is the count of the side to move minus that of the other side,
/// unless stated otherwise.
pub mod term {
    /// Men in hand and on the board.
    pub const MAN: usize = 0;
    /// Points where the side could close a mill with one move.
    pub const OPEN_MILL: usize = 1;
    /// Empty points that would complete a mill, but that no man can reach in one move.
    pub const PAIR: usize = 2;
    /// Points where a man can close a mill by leaving another one, so that it can capture on every
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
    /// The number of steps below six.
    pub const CRAMPED: usize = 8;
    /// Possible mills with one man of the side and none of the other.
    pub const LINE: usize = 9;
    /// Whether the side has three men left.
    pub const THREE: usize = 10;
    /// Whether the side has four men left.
    pub const FOUR: usize = 11;
    /// Men in mills that can move and have no man of the other side next to them.
    pub const RUNNING: usize = 12;
    /// Men in mills that cannot move.
    pub const STUCK: usize = 13;
    /// Open mills with a man of the other side adjacent to the open point.
    pub const CONTESTED: usize = 14;
    /// Pairs whose open point a man can reach in two steps.
    pub const APPROACH: usize = 15;
    /// Whether the side to move can close a mill; not a difference.
    pub const CAN_CLOSE_MILL: usize = 16;
    /// If it cannot, minus the number of mills that the other side could close, at most two.
    pub const THREAT: usize = 17;
    /// If it cannot, -1 if the other side could close two mills.
    pub const TWO_THREATS: usize = 18;
    /// Always 1: the advantage of the side to move.
    pub const TEMPO: usize = 19;
}
