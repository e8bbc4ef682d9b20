//! [`Fnv1a`]: a hash that is the same on every machine, for the digests and checks in files.

/// The hash of Fowler, Noll and Vo, variant 1a, in 64 bits. It tells things apart that differ by chance, not those that are made to collide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fnv1a(u64);

impl Fnv1a {
    /// Returns the hash of nothing.
    pub fn new() -> Self {
        Self::seeded(0)
    }

    /// Returns the hash of nothing, different for every seed.
    pub fn seeded(seed: u64) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ seed)
    }

    /// Adds numbers. A byte is a number; a larger one counts as one step, not as its bytes.
    pub fn add(self, words: impl IntoIterator<Item = u64>) -> Self {
        Self(words.into_iter().fold(self.0, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)))
    }

    /// Adds bytes.
    pub fn add_bytes(self, bytes: &[u8]) -> Self {
        self.add(bytes.iter().map(|&byte| byte.into()))
    }

    /// Returns the hash.
    pub fn finish(self) -> u64 {
        self.0
    }

    /// Returns the hash in half the bits.
    pub fn folded(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_published_test_vectors() {
        // The test vectors of draft-eastlake-fnv.
        let hash = |text: &str| Fnv1a::new().add_bytes(text.as_bytes()).finish();
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
