//! Fuzzing on stable Rust: mutated inputs for all readers, formats, sessions, protocols, persistent
//! files and the web server.
//!
//! Each test runs a target with its seeds, with the inputs that once found a defect, and with
//! mutations of both. Debug assertions and overflow checks are on, and targets compare results with
//! slower ones: what is written is read back equal, and solved positions have the score of a plain
//! minimax.
//!
//! The number of mutated inputs is small by default. `scripts/test/fuzz.sh` runs many, with
//! `FUZZ_INPUTS` for the cheapest targets, fewer for the others, and `FUZZ_SEED`; a failure prints
//! the input, which then belongs into the seeds of its target.

mod books;
mod files;
mod games;
mod requests;
mod settings;
// With a path, its child is beside it, as in the other crates that use it.
#[path = "target.rs"]
mod target;
mod target_files;

use target::{Target, texts};
use target_files::folder;
