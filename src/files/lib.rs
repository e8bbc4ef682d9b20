//! Files of positions and games: reads and converts them, and writes tables and opening books.
//!
//! Use it through the crate [`morello`](https://docs.rs/morello), feature `files`.

pub mod book;
pub mod conversion;
pub mod input;
pub mod output;
