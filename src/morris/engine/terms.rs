//! What the evaluation of the mill games counts.

/// The number of terms.
pub const TERMS: usize = 20;

/// What each term counts. The terms of a side are its count less the other side's.
pub mod term {
    /// Men in hand and on the board.
    pub const MAN: usize = 0;
    /// Points where a mill can be closed by one move, if it is the side's turn.
    pub const OPEN_MILL: usize = 1;
    /// Empty points that lack a man to make a mill, but out of reach.
    pub const PAIR: usize = 2;
    /// Points where a man can close a mill that leaves another: it captures with every move.
    pub const DOUBLE_MILL: usize = 3;
    /// Complete mills.
    pub const MILL: usize = 4;
    /// Steps of the men, if they do not fly.
    pub const STEP: usize = 5;
    /// Men without a step.
    pub const BLOCKED: usize = 6;
    /// Neighbours of the men, empty or not.
    pub const DEGREE: usize = 7;
    /// How many steps there are fewer than six.
    pub const CRAMPED: usize = 8;
    /// Lines with one man of the side and none of the other.
    pub const LINE: usize = 9;
    /// Whether three men are left.
    pub const THREE: usize = 10;
    /// Whether four men are left.
    pub const FOUR: usize = 11;
    /// Men that can leave a mill to a point from where no man of the other side keeps them from returning.
    pub const RUNNING: usize = 12;
    /// Men of mills that cannot move.
    pub const STUCK: usize = 13;
    /// Open mills with a man of the other side next to the open point.
    pub const CONTESTED: usize = 14;
    /// Pairs that a man can reach in two steps.
    pub const APPROACH: usize = 15;
    /// Whether the side to move can close a mill.
    pub const CAN_CLOSE_MILL: usize = 16;
    /// Where it cannot: mills, at most two, that the other side could close.
    pub const THREAT: usize = 17;
    /// Where it cannot: whether the other side could close two.
    pub const TWO_THREATS: usize = 18;
    /// The turn.
    pub const TEMPO: usize = 19;
}
