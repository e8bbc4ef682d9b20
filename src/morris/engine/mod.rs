//! What thinks about mill games beyond their rules.

mod evaluate;

pub use evaluate::Evaluate;
