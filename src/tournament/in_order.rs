//! [`InOrder`]: games in the order of their numbers, though they are finished in another.
//!
//! A test that may stop a match looks at its games in this order: so it stops at the same game whatever the number of threads.

use std::collections::BTreeMap;

use super::Record;

/// Holds games back until all before them are there.
#[derive(Debug, Default)]
pub struct InOrder {
    next: u64,
    waiting: BTreeMap<u64, Record>,
}

impl InOrder {
    /// Adds a finished game.
    pub fn add(&mut self, record: Record) {
        self.waiting.insert(record.game, record);
    }

    /// Takes the next game, if it is finished.
    pub fn pop(&mut self) -> Option<Record> {
        let record = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(record)
    }

    /// Returns the games that wait for one that will not be finished any more.
    pub fn rest(self) -> impl Iterator<Item = Record> {
        self.waiting.into_values()
    }
}
