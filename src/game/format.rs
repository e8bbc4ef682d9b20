//! Formats of one position a line, and what a line may carry beside the position.

use super::{Placed, Position};

/// A position read from a line of text, with what the line expects of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<P: Position> {
    /// The position.
    pub position: P,
    /// Moves with their scores in points for the side to move, in the order of the line. `None` is the score of the position, whatever
    /// the move. Empty where the format or the line has none.
    pub expected: Vec<(Option<P::Move>, i32)>,
}

impl<P: Position> Entry<P> {
    /// Returns the highest score among the expected moves.
    #[must_use]
    pub fn best_score(&self) -> Option<i32> {
        self.expected.iter().map(|&(_, score)| score).max()
    }

    /// Returns whether a move is one of those expected with the highest score, or any is.
    #[must_use]
    pub fn is_best(&self, m: Option<P::Move>) -> bool {
        self.expected
            .iter()
            .any(|&(expected, score)| Some(score) == self.best_score() && (expected == m || expected.is_none()))
    }
}

impl<P: Position> From<P> for Entry<P> {
    fn from(position: P) -> Self {
        Self { position, expected: Vec::new() }
    }
}

/// Reads a line without its comment and without the blanks around it.
pub type ParseLine<P> = fn(&str) -> Result<Entry<P>, Box<dyn Placed>>;

/// A format of one position a line.
pub struct LineFormat<P: Position> {
    /// The name by which a user asks for the format.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// Returns whether a line looks like this format; the first of a game's formats that says so reads the line.
    pub detect: fn(&str) -> bool,
    /// Reads a line; an error's column counts from the start of what is given.
    pub parse: ParseLine<P>,
}
