//! [`Target`]: runs code with mutated inputs. The crates whose readers are fuzzed share this file.

mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use mutate::Mutator;

/// The mutated inputs of the cheapest targets, without `FUZZ_INPUTS`.
const DEFAULT_INPUTS: u64 = 20_000;

/// A part of the program that takes any input.
pub(super) struct Target {
    /// Its name.
    pub name: &'static str,
    /// Valid inputs, from which the mutations begin, and inputs that once found a defect.
    pub seeds: Vec<Vec<u8>>,
    /// Words that matter to it.
    pub words: &'static [&'static str],
    /// How many times the work of the cheapest targets, about 10 microseconds, an input takes: so
    /// many fewer inputs are tried.
    pub cost: u64,
    /// The longest input, in bytes.
    pub max_len: usize,
}

impl Target {
    pub fn new(name: &'static str, seeds: Vec<Vec<u8>>) -> Self {
        Self { name, seeds, words: &[], cost: 1, max_len: 2000 }
    }

    /// Runs the target with all inputs.
    pub fn run(&self, mut check: impl FnMut(&[u8])) {
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

/// Returns the bytes of texts.
pub(super) fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
