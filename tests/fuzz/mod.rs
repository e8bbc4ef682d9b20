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
mod mutate;
mod requests;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use mutate::Mutator;

/// The mutated inputs of the cheapest targets, without `FUZZ_INPUTS`.
const DEFAULT_INPUTS: u64 = 20_000;

/// A part of the program that takes any input.
struct Target {
    /// Its name.
    name: &'static str,
    /// Valid inputs, from which the mutations begin, and inputs that once found a defect.
    seeds: Vec<Vec<u8>>,
    /// Words that matter to it.
    words: &'static [&'static str],
    /// How many times the work of the cheapest targets, about 10 microseconds, an input takes: so
    /// many fewer inputs are tried.
    cost: u64,
    /// The longest input, in bytes.
    max_len: usize,
}

impl Target {
    fn new(name: &'static str, seeds: Vec<Vec<u8>>) -> Self {
        Self { name, seeds, words: &[], cost: 1, max_len: 2000 }
    }

    /// Runs the target with all inputs.
    fn run(&self, mut check: impl FnMut(&[u8])) {
        let variable = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
        let inputs = variable("FUZZ_INPUTS").unwrap_or(DEFAULT_INPUTS) / self.cost;
        let mut mutator = Mutator::new(variable("FUZZ_SEED").unwrap_or(1), self.words, self.max_len);
        let mut checked = |input: &[u8]| {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(input))) {
                eprintln!("target {}: this input fails: \"{}\"", self.name, input.escape_ascii());
                resume_unwind(panic);
            }
        };
        self.seeds.iter().for_each(|seed| checked(seed));
        for _ in 0..inputs {
            checked(&mutator.mutated(&self.seeds));
        }
        eprintln!("target {}: {} inputs", self.name, inputs + self.seeds.len() as u64);
    }
}

/// Returns a new folder, in memory where possible: writers wait until their bytes are on the disk.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// Returns the bytes of texts.
fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
