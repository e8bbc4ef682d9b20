//! [`IntegerProducts`]: sums of numbers of 8 bits and of products of 16 bits, for small neural
//! networks.
//!
//! The compiler unrolls such loops of constant length before it would use vectors, and is then up
//! to ten times slower. Therefore they are written out for each level.

use bytemuck::{Pod, Zeroable};

/// The number of sums.
pub const SUMS: usize = 16;

/// The length of a row.
pub const ROW: usize = 32;

/// The number of rows that are added at a time.
pub const ROWS: usize = 64;

/// The maximum absolute value of the numbers in a row, so that two of them can be added in eight
/// bits.
pub const ROW_MAX: i8 = 63;

/// What a number is stored with, to be positive.
const OFFSET: u8 = 64;

/// A row in the order of the additions: number `i` and number `i + ROW / 2` follow each other, as
/// unsigned numbers. So a vector of 16-bit numbers holds both, and one addition and one shift add
/// them to two sums.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub struct PackedRow([u8; ROW]);

// SAFETY: a row is 32 bytes without padding, and all bytes are allowed.
unsafe impl Zeroable for PackedRow {}
// SAFETY: as above.
unsafe impl Pod for PackedRow {}

impl PackedRow {
    /// Packs the numbers of a row.
    ///
    /// # Panics
    /// If the absolute value of a number is above [`ROW_MAX`].
    pub fn new(row: &[i8; ROW]) -> Self {
        assert!(row.iter().all(|number| number.unsigned_abs() <= ROW_MAX as u8), "the row has large numbers");
        Self(std::array::from_fn(|at| row[at / 2 + at % 2 * (ROW / 2)].wrapping_add(OFFSET as i8) as u8))
    }
}

/// Operations on vectors of integers. Sums may wrap around.
pub trait IntegerProducts: Copy {
    /// Adds the rows of a table with these indices, modulo its length `LEN`, to `sums`. The length
    /// must be a power of two.
    fn add_rows<const LEN: usize>(self, sums: &mut [i16; ROW], table: &[PackedRow; LEN], indices: &[u32; ROWS]);

    /// Adds `inputs[i][0] * weights[i][sum][0] + inputs[i][1] * weights[i][sum][1]` to each sum,
    /// for each `i`. The number of pairs must be a multiple of four.
    fn add_pair_products<const PAIRS: usize>(
        self,
        sums: &mut [i32; SUMS],
        inputs: &[[i16; 2]; PAIRS],
        weights: &[[[i16; 2]; SUMS]; PAIRS],
    );

    /// Returns the sum of the products of the numbers with the same index.
    fn dot_product<const CHUNKS: usize>(self, numbers: &[[i16; ROW]; CHUNKS], others: &[[i16; ROW]; CHUNKS]) -> i32;
}

/// The definitions, in plain code.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod definition {
    use super::{OFFSET, PackedRow, ROW, ROWS, SUMS};

    pub fn add_rows<const LEN: usize>(sums: &mut [i16; ROW], table: &[PackedRow; LEN], indices: &[u32; ROWS]) {
        for index in indices {
            let PackedRow(row) = &table[*index as usize % LEN];
            for (at, number) in row.iter().enumerate() {
                let sum = &mut sums[at / 2 + at % 2 * (ROW / 2)];
                *sum = sum.wrapping_add(i16::from(*number) - i16::from(OFFSET));
            }
        }
    }

    fn product(a: i16, b: i16) -> i32 {
        i32::from(a) * i32::from(b)
    }

    pub fn add_pair_products<const PAIRS: usize>(
        sums: &mut [i32; SUMS],
        inputs: &[[i16; 2]; PAIRS],
        weights: &[[[i16; 2]; SUMS]; PAIRS],
    ) {
        for (input, weights) in inputs.iter().zip(weights) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = sum.wrapping_add(product(input[0], weight[0])).wrapping_add(product(input[1], weight[1]));
            }
        }
    }

    pub fn dot_product<const CHUNKS: usize>(numbers: &[[i16; ROW]; CHUNKS], others: &[[i16; ROW]; CHUNKS]) -> i32 {
        let (numbers, others) = (numbers.as_flattened(), others.as_flattened());
        numbers.iter().zip(others).map(|(a, b)| product(*a, *b)).fold(0, i32::wrapping_add)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl IntegerProducts for super::Baseline {
    #[inline(always)]
    fn add_rows<const LEN: usize>(self, sums: &mut [i16; ROW], table: &[PackedRow; LEN], indices: &[u32; ROWS]) {
        definition::add_rows(sums, table, indices);
    }

    #[inline(always)]
    fn add_pair_products<const PAIRS: usize>(
        self,
        sums: &mut [i32; SUMS],
        inputs: &[[i16; 2]; PAIRS],
        weights: &[[[i16; 2]; SUMS]; PAIRS],
    ) {
        definition::add_pair_products(sums, inputs, weights);
    }

    #[inline(always)]
    fn dot_product<const CHUNKS: usize>(self, numbers: &[[i16; ROW]; CHUNKS], others: &[[i16; ROW]; CHUNKS]) -> i32 {
        definition::dot_product(numbers, others)
    }
}

/// Implements the trait for a level with these features, vectors and instructions, in functions
/// compiled for it.
#[cfg(target_arch = "x86_64")]
macro_rules! integer_products {
    (
        $level:ident [$($feature:tt)+]
        $row:ident $add8:ident $add16:ident $shift_right:ident
        $vector:ident $add32:ident $multiply_add:ident $broadcast:ident
    ) => {
        impl IntegerProducts for $crate::instructions::$level {
            #[inline(always)]
            fn add_rows<const LEN: usize>(
                self,
                sums: &mut [i16; ROW],
                table: &[PackedRow; LEN],
                indices: &[u32; ROWS],
            ) {
                $(#[target_feature(enable = $feature)])+
                #[inline]
                fn compiled<const LEN: usize>(sums: &mut [i16; ROW], table: &[PackedRow; LEN], indices: &[u32; ROWS]) {
                    const { assert!(LEN.is_power_of_two() && size_of::<[PackedRow; LEN]>() <= u32::MAX as usize) };
                    const VECTORS: usize = size_of::<PackedRow>() / size_of::<$row>();
                    // The offsets of the rows in bytes, calculated in vectors, leave each row one
                    // instruction to find it. From memory, because the compiler would extract each
                    // number from the vectors, in more time.
                    let offsets = black_box(indices.map(|index| index % LEN as u32 * size_of::<PackedRow>() as u32));
                    let row = |offset: u32| -> [$row; VECTORS] {
                        // SAFETY: the remainder above is less than LEN, so a whole row of the table
                        // begins at this offset.
                        let row = unsafe { table.as_ptr().byte_add(offset as usize).read() };
                        must_cast(row)
                    };
                    let [mut totals, mut uppers]: [[$row; VECTORS]; 2] = must_cast([[0i16; ROW / 2]; 2]);
                    for [first, second] in offsets.as_chunks().0 {
                        let (first, second) = (row(*first), row(*second));
                        for at in 0..VECTORS {
                            let pairs = $add8(first[at], second[at]);
                            totals[at] = $add16(totals[at], pairs);
                            uppers[at] = $add16(uppers[at], $shift_right::<8>(pairs));
                        }
                    }
                    // A total is that of the lower bytes and 256 times that of the upper bytes,
                    // modulo 2^16.
                    let [totals, uppers]: [[i16; ROW / 2]; 2] = must_cast([totals, uppers]);
                    let offset = ROWS as i16 * i16::from(OFFSET);
                    for at in 0..ROW / 2 {
                        let lower = totals[at].wrapping_sub(uppers[at] << 8);
                        sums[at] = sums[at].wrapping_add(lower).wrapping_sub(offset);
                        sums[ROW / 2 + at] = sums[ROW / 2 + at].wrapping_add(uppers[at]).wrapping_sub(offset);
                    }
                }
                // SAFETY: a value of the level proves that the processor has these features.
                unsafe { compiled(sums, table, indices) }
            }

            #[inline(always)]
            fn add_pair_products<const PAIRS: usize>(
                self,
                sums: &mut [i32; SUMS],
                inputs: &[[i16; 2]; PAIRS],
                weights: &[[[i16; 2]; SUMS]; PAIRS],
            ) {
                $(#[target_feature(enable = $feature)])+
                #[inline]
                fn compiled<const PAIRS: usize>(
                    sums: &mut [i32; SUMS],
                    inputs: &[[i16; 2]; PAIRS],
                    weights: &[[[i16; 2]; SUMS]; PAIRS],
                ) {
                    const VECTORS: usize = size_of::<[i32; SUMS]>() / size_of::<$vector>();
                    // One chain of additions would wait for each addition, and more than four
                    // vectors of sums gain nothing.
                    const CHAINS: usize = 4 / VECTORS;
                    let mut chains = [must_cast::<_, [$vector; VECTORS]>([0; SUMS]); CHAINS];
                    chains[0] = must_cast(*sums);
                    const { assert!(PAIRS.is_multiple_of(CHAINS)) };
                    // From memory, because the compiler would extract each number from vectors.
                    let inputs = black_box(inputs);
                    let groups = inputs.as_chunks::<CHAINS>().0.iter().zip(weights.as_chunks::<CHAINS>().0);
                    for (inputs, weights) in groups {
                        for (chain, sums) in chains.iter_mut().enumerate() {
                            let input = $broadcast(must_cast(inputs[chain]));
                            let weights: [$vector; VECTORS] = must_cast(weights[chain]);
                            for (sum, weights) in sums.iter_mut().zip(weights) {
                                *sum = $multiply_add(*sum, input, weights);
                            }
                        }
                    }
                    let column = |at: usize| chains.iter().map(move |sums| sums[at]);
                    let total = |at: usize| column(at).reduce(|a, b| $add32(a, b)).expect("there is one");
                    *sums = must_cast::<[$vector; VECTORS], _>(std::array::from_fn(total));
                }
                // SAFETY: as above.
                unsafe { compiled(sums, inputs, weights) }
            }

            #[inline(always)]
            fn dot_product<const CHUNKS: usize>(
                self,
                numbers: &[[i16; ROW]; CHUNKS],
                others: &[[i16; ROW]; CHUNKS],
            ) -> i32 {
                $(#[target_feature(enable = $feature)])+
                #[inline]
                fn compiled<const CHUNKS: usize>(numbers: &[[i16; ROW]; CHUNKS], others: &[[i16; ROW]; CHUNKS]) -> i32 {
                    const VECTORS: usize = size_of::<[i16; ROW]>() / size_of::<$vector>();
                    let mut sums: $vector = must_cast([0i32; size_of::<$vector>() / 4]);
                    for (numbers, others) in numbers.iter().zip(others) {
                        let [numbers, others]: [[$vector; VECTORS]; 2] = must_cast([*numbers, *others]);
                        for (number, other) in numbers.into_iter().zip(others) {
                            sums = $multiply_add(sums, number, other);
                        }
                    }
                    let sums: [i32; size_of::<$vector>() / 4] = must_cast(sums);
                    sums.into_iter().fold(0, i32::wrapping_add)
                }
                // SAFETY: as above.
                unsafe { compiled(numbers, others) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;
    use std::hint::black_box;

    use bytemuck::must_cast;

    use super::{IntegerProducts, OFFSET, PackedRow, ROW, ROWS, SUMS};

    /// Adds the products of 16-bit numbers, in pairs, to 32-bit numbers.
    macro_rules! multiply_add {
        ($feature:literal $name:ident $vector:ident $add:ident $multiply:ident) => {
            #[target_feature(enable = $feature)]
            #[inline]
            fn $name(sum: $vector, a: $vector, b: $vector) -> $vector {
                $add(sum, $multiply(a, b))
            }
        };
    }
    multiply_add!("avx2" multiply_add_256 __m256i _mm256_add_epi32 _mm256_madd_epi16);
    multiply_add!("sse2" multiply_add_128 __m128i _mm_add_epi32 _mm_madd_epi16);

    // Rows have 32 bytes, so that longer vectors would not help there.
    integer_products!(
        Avx512 ["avx512bw" "avx512vl" "avx512vnni"]
        __m256i _mm256_add_epi8 _mm256_add_epi16 _mm256_srli_epi16
        __m256i _mm256_add_epi32 _mm256_dpwssd_epi32 _mm256_set1_epi32
    );
    integer_products!(
        Avx2 ["avx2"]
        __m256i _mm256_add_epi8 _mm256_add_epi16 _mm256_srli_epi16
        __m256i _mm256_add_epi32 multiply_add_256 _mm256_set1_epi32
    );
    integer_products!(
        Baseline ["sse2"]
        __m128i _mm_add_epi8 _mm_add_epi16 _mm_srli_epi16
        __m128i _mm_add_epi32 multiply_add_128 _mm_set1_epi32
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::RandomNumbers;
    use crate::instructions::{InstructionSet, at_level};

    #[test]
    fn every_level_agrees_with_the_definitions() {
        let mut random = RandomNumbers::new(1);
        let mut numbers = || [0; ROW].map(|_| random.next_u64() as i16);
        // All rows, from different places on, and only the row of the greatest and of the least
        // numbers.
        for (from, step) in [(0, 7), (5, 1), (u32::MAX, 3), (14, 0), (15, 16)] {
            let mut rows = [(); 16].map(|()| numbers().map(|number| (number % (i16::from(ROW_MAX) + 1)) as i8));
            rows[14..].copy_from_slice(&[[ROW_MAX; ROW], [-ROW_MAX; ROW]]);
            let table = rows.map(|row| PackedRow::new(&row));
            let indices: [u32; ROWS] = std::array::from_fn(|at| (at as u32 * step).wrapping_add(from));
            let (first, second) = ([numbers(), numbers(), numbers()], [numbers(), numbers(), numbers()]);
            let inputs: [[i16; 2]; 8] = std::array::from_fn(|at| [first[at % 3][at], i16::MIN]);
            let mut weights: [[[i16; 2]; SUMS]; 8] = bytemuck::must_cast([(); 8].map(|()| numbers()));
            weights[5] = [[i16::MIN; 2]; SUMS];
            let (inputs_before, sums) = (numbers(), bytemuck::must_cast(numbers()));

            let mut expected = (inputs_before, sums);
            definition::add_rows(&mut expected.0, &table, &indices);
            definition::add_pair_products(&mut expected.1, &inputs, &weights);
            let product = definition::dot_product(&first, &second);
            for level in InstructionSet::all() {
                let mut found = (inputs_before, sums);
                at_level!(level, |level| {
                    level.add_rows(&mut found.0, &table, &indices);
                    level.add_pair_products(&mut found.1, &inputs, &weights);
                    assert_eq!(level.dot_product(&first, &second), product);
                });
                assert_eq!(found, expected, "{}", level.name());
            }
        }
    }
}
