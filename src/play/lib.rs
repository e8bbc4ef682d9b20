//! Games in progress: players, external engines, matches, the referee and the engine protocols.
//!
//! Libraries use it through the crate [`morello`](https://docs.rs/morello), feature `play`.

pub mod players;
pub mod protocol;
pub mod seeds;
pub mod session;
pub mod text;
#[cfg(not(target_family = "wasm"))]
pub mod tournament;
