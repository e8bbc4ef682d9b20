//! [`GameRecord`]: a game in an input, with its place.

use std::sync::Arc;

use morello_core::game::AnnotatedGame;

use crate::output::Value;

/// A game in an input, with its place.
#[derive(Debug, Clone)]
pub struct GameRecord {
    /// The name of the input.
    pub file: Arc<str>,
    /// The line on which the record of the game begins, counted from 1; in binary files, the number
    /// of the record.
    pub line: u64,
    /// The number of the game in its input, counted from 1.
    pub number: u64,
    /// The game.
    pub game: AnnotatedGame,
    /// The copied columns of the record, in the order of the reader's [`Columns`](super::Columns).
    pub extra: Arc<[Value]>,
}
