//! The core of morello: rules, notations, perft, search, the solver, evaluations and databases.
//!
//! This crate has everything that must be fast, and is compiled as one unit. Use it through the
//! crate [`morello`](https://docs.rs/morello), which documents it.

#[doc(hidden)]
pub mod bounded_file;
#[doc(hidden)]
pub mod causes;
mod debug_fields;
#[doc(hidden)]
pub mod fnv;
pub mod game;
pub mod games;
#[doc(hidden)]
pub mod host;
mod huge_pages;
#[doc(hidden)]
pub mod instructions;
#[doc(hidden)]
pub mod journal;
#[doc(hidden)]
pub mod lock;
#[doc(hidden)]
pub mod memory;
pub mod morris;
pub mod othello;
#[doc(hidden)]
pub mod parallel;
pub mod perft;
#[doc(hidden)]
pub mod printable;
pub mod provenance;
pub mod search;
#[doc(hidden)]
pub mod signed_line;
#[doc(hidden)]
pub mod sorting;
mod text_serde;
#[doc(hidden)]
pub mod threads;
#[doc(hidden)]
pub mod weights_file;
