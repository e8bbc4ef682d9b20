//! [`Fnv1a`]: a platform-independent hash for digests and checksums in files.

/// The 64-bit FNV-1a hash of Fowler, Noll and Vo. Not cryptographic: collisions are easy to
/// construct.
#[derive(Debug, Clone, Copy)]
pub struct Fnv1a(u64);

impl Fnv1a {
    /// Returns the hash of empty input.
    #[expect(clippy::new_without_default, reason = "a hash of nothing is not a default")]
    pub fn new() -> Self {
        Self::seeded(0)
    }

    /// Returns the hash of empty input with a seed.
    pub fn seeded(seed: u64) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ seed)
    }

    /// Adds numbers, for example bytes. Each number is hashed in one step, regardless of its size.
    #[expect(clippy::should_implement_trait, reason = "words are added to a hash, not hashes")]
    pub fn add(self, words: impl IntoIterator<Item = u64>) -> Self {
        Self(words.into_iter().fold(self.0, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)))
    }

    /// Adds bytes.
    pub fn add_bytes(self, bytes: &[u8]) -> Self {
        self.add(bytes.iter().map(|&byte| byte.into()))
    }

    /// Adds bytes four at a time, which is faster than [`add_bytes`](Self::add_bytes) and gives a
    /// different hash.
    pub fn add_words(self, bytes: &[u8]) -> Self {
        let (words, rest) = bytes.as_chunks();
        self.add(words.iter().map(|&word| u32::from_le_bytes(word).into())).add_bytes(rest)
    }

    /// Returns the 64-bit hash.
    pub fn finish(self) -> u64 {
        self.0
    }

    /// Returns the 64-bit hash folded to 32 bits.
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
