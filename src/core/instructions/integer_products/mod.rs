//! [`IntegerProducts`]: sums of 8-bit numbers and of products of 16-bit numbers, for small neural
//! networks.
//!
//! The compiler unrolls such loops of constant length before it considers vectors; the result is up
//! to ten times slower. Therefore the loops are written out for each level.

use bytemuck::{Pod, Zeroable};

#[cfg(test)]
use super::{InstructionSet, at_level};
#[cfg(test)]
use crate::game::RandomNumbers;

/// The number of sums.
pub const SUMS: usize = 16;

/// The length of a row.
pub const ROW: usize = 32;

/// The number of rows that are added at a time.
pub const ROWS: usize = 64;

/// The maximum absolute value of the numbers in a row, so that two of them can be added in eight
/// bits.
pub const ROW_MAX: i8 = 63;

/// The offset that is added to each number to make it positive.
const OFFSET: u8 = 64;

/// A row in the order of the additions: number `i` and number `i + ROW / 2` follow each other, as
/// unsigned numbers. A vector of 16-bit numbers then contains both, so that one addition and one
/// shift add them to two sums.
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
        // Has no early exit, so that it compiles to vector instructions.
        let is_small = row.iter().fold(true, |is_small, number| is_small & (number.unsigned_abs() <= ROW_MAX as u8));
        assert!(is_small, "the row has large numbers");
        let (lower, upper) = row.split_at(ROW / 2);
        let packed = |number: i8| number.wrapping_add(OFFSET as i8) as u8;
        let pairs: [[u8; 2]; ROW / 2] = std::array::from_fn(|at| [packed(lower[at]), packed(upper[at])]);
        Self(bytemuck::must_cast(pairs))
    }
}

/// Operations on vectors of integers. Sums may wrap around.
///
/// The default implementations define the results in plain code.
pub trait IntegerProducts: Copy {
    /// Adds the rows of a table with these indices, modulo its length `LEN`, to `sums`. The length
    /// must be a power of two.
    #[inline(always)]
    fn add_rows<const LEN: usize>(self, sums: &mut [i16; ROW], table: &[PackedRow; LEN], indices: &[u32; ROWS]) {
        for index in indices {
            let PackedRow(row) = &table[*index as usize % LEN];
            for (at, number) in row.iter().enumerate() {
                let sum = &mut sums[at / 2 + at % 2 * (ROW / 2)];
                *sum = sum.wrapping_add(i16::from(*number) - i16::from(OFFSET));
            }
        }
    }

    /// Adds `inputs[i][0] * weights[i][sum][0] + inputs[i][1] * weights[i][sum][1]` to each sum,
    /// for each `i`. The number of pairs must be a multiple of four.
    #[inline(always)]
    fn add_pair_products<const PAIRS: usize>(
        self,
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

    /// Returns the sum of the products of the numbers with the same index.
    #[inline(always)]
    fn dot_product<const CHUNKS: usize>(self, numbers: &[[i16; ROW]; CHUNKS], others: &[[i16; ROW]; CHUNKS]) -> i32 {
        let (numbers, others) = (numbers.as_flattened(), others.as_flattened());
        numbers.iter().zip(others).map(|(a, b)| product(*a, *b)).fold(0, i32::wrapping_add)
    }
}

fn product(a: i16, b: i16) -> i32 {
    i32::from(a) * i32::from(b)
}

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
impl IntegerProducts for super::Baseline {}

/// Implements the trait for a level with these features, vectors and instructions, in functions
/// compiled for it. `$sums` is the type for the sums of a `$vector` of pairs; `$finish` completes
/// them.
#[allow(unused_macros)] // on other targets
macro_rules! integer_products {
    (
        $level:ident [$($feature:tt)+]
        $row:ident $add8:ident $add16:ident $shift_right:ident
        $vector:ident $sums:ident $add32:ident $multiply_add:ident $finish:ident $broadcast:ident
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
                    // The offsets of the rows in bytes, calculated in vectors, leave one
                    // instruction per row for the lookup. They are read from memory, because the
                    // compiler would otherwise extract each number from the vectors, which takes
                    // longer.
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
                    // A total is the total of the lower bytes plus 256 times the total of the upper
                    // bytes, modulo 2^16.
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
                    // One chain of additions would wait for each addition; more than four vectors
                    // of sums gain nothing.
                    const CHAINS: usize = 4 / VECTORS;
                    let mut chains: [[$sums; VECTORS]; CHAINS] =
                        must_cast([0i32; CHAINS * VECTORS * size_of::<$sums>() / 4]);
                    const { assert!(PAIRS.is_multiple_of(CHAINS)) };
                    // Read from memory, because the compiler would otherwise extract each number
                    // from vectors.
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
                    let column = |at: usize| chains.iter().map(move |sums| $finish(sums[at]));
                    let total = |at: usize| column(at).reduce(|a, b| $add32(a, b));
                    let totals: [_; VECTORS] = from_fn(|at| total(at).expect("there is one"));
                    let totals: [i32; SUMS] = must_cast(totals);
                    *sums = from_fn(|at| sums[at].wrapping_add(totals[at]));
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
                    let mut sums: $sums = must_cast([0i32; size_of::<$sums>() / 4]);
                    for (numbers, others) in numbers.iter().zip(others) {
                        let [numbers, others]: [[$vector; VECTORS]; 2] = must_cast([*numbers, *others]);
                        for (number, other) in numbers.into_iter().zip(others) {
                            sums = $multiply_add(sums, number, other);
                        }
                    }
                    let sums: [i32; size_of::<$sums>() / 4] = must_cast(sums);
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
    use std::array::from_fn;
    use std::convert::identity;
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

    // Rows have 32 bytes, so longer vectors would not help. VNNI is not used: each of its
    // instructions waits five cycles for the previous sum, and an addition waits only one. With
    // VNNI, 15-ply searches took 14 % more time.
    integer_products!(
        Avx512 ["avx512bw" "avx512vl"]
        __m256i _mm256_add_epi8 _mm256_add_epi16 _mm256_srli_epi16
        __m256i __m256i _mm256_add_epi32 multiply_add_256 identity _mm256_set1_epi32
    );
    integer_products!(
        Avx2 ["avx2"]
        __m256i _mm256_add_epi8 _mm256_add_epi16 _mm256_srli_epi16
        __m256i __m256i _mm256_add_epi32 multiply_add_256 identity _mm256_set1_epi32
    );
    integer_products!(
        Baseline ["sse2"]
        __m128i _mm_add_epi8 _mm_add_epi16 _mm_srli_epi16
        __m128i __m128i _mm_add_epi32 multiply_add_128 identity _mm_set1_epi32
    );
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64 {
    use std::arch::aarch64::*;
    use std::array::from_fn;
    use std::hint::black_box;

    use bytemuck::must_cast;

    use super::{IntegerProducts, OFFSET, PackedRow, ROW, ROWS, SUMS};

    #[target_feature(enable = "neon")]
    #[inline]
    fn add8(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
        vreinterpretq_u16_u8(vaddq_u8(vreinterpretq_u8_u16(a), vreinterpretq_u8_u16(b)))
    }

    /// The sums of the first and the second half of a vector, in which the two products of a pair
    /// are still separate. Multiply-add instructions replace the additions of neighbors.
    type Sums = [int32x4_t; 2];

    #[target_feature(enable = "neon")]
    #[inline]
    fn multiply_add(sums: Sums, a: int16x8_t, b: int16x8_t) -> Sums {
        [vmlal_s16(sums[0], vget_low_s16(a), vget_low_s16(b)), vmlal_high_s16(sums[1], a, b)]
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn finish(sums: Sums) -> int32x4_t {
        vpaddq_s32(sums[0], sums[1])
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn broadcast(pair: i32) -> int16x8_t {
        vreinterpretq_s16_s32(vdupq_n_s32(pair))
    }

    integer_products!(
        Baseline ["neon"]
        uint16x8_t add8 vaddq_u16 vshrq_n_u16
        int16x8_t Sums vaddq_s32 multiply_add finish broadcast
    );
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unused_unsafe)] // WebAssembly with unknown instructions is not run at all
mod wasm32 {
    use std::arch::wasm32::*;
    use std::array::from_fn;
    use std::convert::identity;
    use std::hint::black_box;

    use bytemuck::must_cast;

    use super::{IntegerProducts, OFFSET, PackedRow, ROW, ROWS, SUMS};

    #[inline]
    fn shift_right<const BITS: u32>(numbers: v128) -> v128 {
        u16x8_shr(numbers, BITS)
    }

    #[inline]
    fn multiply_add(sums: v128, a: v128, b: v128) -> v128 {
        i32x4_add(sums, i32x4_dot_i16x8(a, b))
    }

    integer_products!(
        Baseline ["simd128"]
        v128 i8x16_add i16x8_add shift_right
        v128 v128 i32x4_add multiply_add identity i32x4_splat
    );
}

#[cfg(test)]
mod tests;
