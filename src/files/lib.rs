//! Files of positions and games: read and convert them, and write tables and opening books.
//!
//! Libraries use it through the crate [`morello`](https://docs.rs/morello), feature `files`.

pub mod book;
pub mod conversion;
pub mod input;
pub mod output;
