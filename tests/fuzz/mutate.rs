//! [`Mutator`]: makes new inputs from known ones.

/// Makes new inputs from known ones. Equal seeds give equal inputs.
pub(super) struct Mutator {
    state: u64,
    words: &'static [&'static str],
    max_len: usize,
}

/// Bytes that often matter.
const BYTES: [u8; 24] = *b"\0\n\r\t \"'(),-./0:;<[\\]{}\x7f\xff";

impl Mutator {
    /// Creates a mutator that inserts these words, and makes no input longer than `max_len`, unless
    /// a seed is.
    pub(super) fn new(seed: u64, words: &'static [&'static str], max_len: usize) -> Self {
        // Mixed once, so that seeds next to each other do not give the same numbers, shifted by
        // one.
        let mut mixed = Self { state: seed, words, max_len };
        mixed.state = mixed.next();
        mixed
    }

    /// Returns the next random number (SplitMix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a random number below `end`, or 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Returns a random part of a text.
    fn part<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let start = self.below(text.len() + 1);
        let len = self.below(text.len() - start + 1).min(1 << self.below(8));
        &text[start..start + len]
    }

    /// Returns one of the seeds after one to eight changes.
    pub(super) fn mutated(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let seed = self.below(seeds.len());
        let mut input = seeds[seed].clone();
        for _ in 0..1 + self.below(8) {
            self.change(&mut input, seeds);
        }
        input.truncate(self.max_len.max(seeds[seed].len()));
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(input.len() + 1);
        let insert = |input: &mut Vec<u8>, part: &[u8]| drop(input.splice(at..at, part.iter().copied()));
        match self.below(11) {
            0 | 1 if at < input.len() => input[at] ^= 1 << self.below(8),
            2 if at < input.len() => input[at] = BYTES[self.below(BYTES.len())],
            3 => {
                let byte = BYTES[self.below(BYTES.len())];
                insert(input, &[byte]);
            }
            4 => {
                let len = self.below(input.len() - at + 1).min(1 << self.below(8));
                input.drain(at..at + len);
            }
            5 => {
                let part = self.part(&input.clone()).to_vec();
                insert(input, &part);
            }
            6 => {
                // Quadratic readers and deep nesting show with repetitions.
                let part = self.part(&input.clone()).to_vec();
                let times = 1 << self.below(8);
                insert(input, &part.repeat(times));
            }
            7 => {
                let other = self.below(seeds.len());
                let part = self.part(&seeds[other]).to_vec();
                insert(input, &part);
            }
            8 if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())];
                insert(input, word.as_bytes());
            }
            9 => {
                // A number becomes an extreme one.
                let digits = |byte: &u8| byte.is_ascii_digit();
                if let Some(start) = input[at..].iter().position(digits).map(|start| at + start) {
                    let len = input[start..].iter().take_while(|byte| digits(byte)).count();
                    let numbers = ["0", "1", "-1", "255", "65536", "2147483648", "18446744073709551615", "1e308"];
                    let number = numbers[self.below(numbers.len())];
                    input.splice(start..start + len, number.bytes());
                }
            }
            _ => input.truncate(at),
        }
    }
}

#[test]
fn mutations_are_reproducible_and_varied() {
    let seeds = super::texts(&["f5d6c3", "{\"moves\":[\"f5\"]}"]);
    let inputs = |seed| {
        let mut mutator = Mutator::new(seed, &["word"], 100);
        (0..500).map(|_| mutator.mutated(&seeds)).collect::<Vec<_>>()
    };
    assert_eq!(inputs(1), inputs(1));
    let (first, second) = (inputs(1), inputs(2));
    let shared = first.iter().filter(|input| input.len() > 8 && second.contains(input)).count();
    assert!(shared < 50, "{shared} of 500 inputs are those of the next seed");
    let mut distinct = inputs(1);
    distinct.sort();
    distinct.dedup();
    assert!(distinct.len() > 300 && distinct.iter().all(|input| input.len() <= 100));
}
