//! [`IntegerProducts`]: sums of numbers of 8 bits and of products of 16 bits, for small neural networks.
//!
//! The compiler unrolls such loops of constant length before it would use vectors, and is then up to ten times slower. Therefore they are written
//! out for each level.

/// The number of sums.
pub const SUMS: usize = 16;

/// The length of a row of 8-bit numbers.
pub const ROW: usize = 32;

/// Operations on vectors of integers. Sums may wrap around.
pub(crate) trait IntegerProducts: Copy {
    /// Adds the rows of a table with these indices, modulo the length of the table, to `sums`.
    fn add_rows<const ROWS: usize>(self, sums: &mut [i16; ROW], table: &[[i8; ROW]; ROWS], indices: &[u32]);

    /// Adds `inputs[i][0] * weights[i][sum][0] + inputs[i][1] * weights[i][sum][1]` to each sum, for each `i`.
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
    use super::{ROW, SUMS};

    pub fn add_rows<const ROWS: usize>(sums: &mut [i16; ROW], table: &[[i8; ROW]; ROWS], indices: &[u32]) {
        for index in indices {
            for (sum, number) in sums.iter_mut().zip(&table[*index as usize % ROWS]) {
                *sum = sum.wrapping_add((*number).into());
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
    fn add_rows<const ROWS: usize>(self, sums: &mut [i16; ROW], table: &[[i8; ROW]; ROWS], indices: &[u32]) {
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

/// Implements the trait for a level with these features, vectors and instructions, in functions compiled for it.
#[cfg(target_arch = "x86_64")]
macro_rules! integer_products {
    (
        $level:ident [$($feature:tt)+] $vector:ident $add16:ident $add32:ident $multiply_add:ident $broadcast:ident
        |$bytes:ident| $extended:expr
    ) => {
        impl IntegerProducts for $crate::instructions::$level {
            #[inline(always)]
            fn add_rows<const ROWS: usize>(self, sums: &mut [i16; ROW], table: &[[i8; ROW]; ROWS], indices: &[u32]) {
                $(#[target_feature(enable = $feature)])+
                #[inline]
                fn compiled<const ROWS: usize>(sums: &mut [i16; ROW], table: &[[i8; ROW]; ROWS], indices: &[u32]) {
                    const VECTORS: usize = size_of::<[i16; ROW]>() / size_of::<$vector>();
                    // Two chains of additions, because one would wait for each addition.
                    let mut chains: [[$vector; VECTORS]; 2] = must_cast([*sums, [0; ROW]]);
                    for (at, index) in indices.iter().enumerate() {
                        let row: [[i8; ROW / VECTORS]; VECTORS] = must_cast(table[*index as usize % ROWS]);
                        for (sum, $bytes) in chains[at % 2].iter_mut().zip(row) {
                            *sum = $add16(*sum, $extended);
                        }
                    }
                    let [even, odd] = chains;
                    let all: [$vector; VECTORS] = std::array::from_fn(|at| $add16(even[at], odd[at]));
                    *sums = must_cast(all);
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
                    let mut chains: [[$vector; VECTORS]; 2] = must_cast([*sums, [0; SUMS]]);
                    for (at, (input, weights)) in inputs.iter().zip(weights).enumerate() {
                        let input = $broadcast(must_cast(*input));
                        let weights: [$vector; VECTORS] = must_cast(*weights);
                        for (sum, weights) in chains[at % 2].iter_mut().zip(weights) {
                            *sum = $add32(*sum, $multiply_add(input, weights));
                        }
                    }
                    let [even, odd] = chains;
                    let all: [$vector; VECTORS] = std::array::from_fn(|at| $add32(even[at], odd[at]));
                    *sums = must_cast(all);
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
                            sums = $add32(sums, $multiply_add(number, other));
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

    use bytemuck::must_cast;

    use super::{IntegerProducts, ROW, SUMS};

    integer_products!(
        Avx512 ["avx512bw"] __m512i _mm512_add_epi16 _mm512_add_epi32 _mm512_madd_epi16 _mm512_set1_epi32
        |bytes| _mm512_cvtepi8_epi16(must_cast(bytes))
    );
    integer_products!(
        Avx2 ["avx2"] __m256i _mm256_add_epi16 _mm256_add_epi32 _mm256_madd_epi16 _mm256_set1_epi32
        |bytes| _mm256_cvtepi8_epi16(must_cast(bytes))
    );
    integer_products!(
        Baseline ["sse2"] __m128i _mm_add_epi16 _mm_add_epi32 _mm_madd_epi16 _mm_set1_epi32
        // Each byte becomes the upper half of a 16-bit number, and is shifted down with its sign.
        |bytes| _mm_srai_epi16::<8>(_mm_unpacklo_epi8(must_cast([0u8; 16]), must_cast([bytes, [0; 8]])))
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
        for indices in [&[][..], &[3], &[4, 1, 2, 7, u32::MAX, 1]] {
            let table: [[i8; ROW]; 5] = [(); 5].map(|()| numbers().map(|number| number as i8));
            let (first, second) = ([numbers(), numbers(), numbers()], [numbers(), numbers(), numbers()]);
            let inputs: [[i16; 2]; 3] = [0, 1, 2].map(|at| [first[at][0], i16::MIN]);
            let weights: [[[i16; 2]; SUMS]; 3] = bytemuck::must_cast([numbers(), [i16::MIN; ROW], numbers()]);
            let (rows, sums) = (numbers(), bytemuck::must_cast(numbers()));

            let mut expected = (rows, sums);
            definition::add_rows(&mut expected.0, &table, indices);
            definition::add_pair_products(&mut expected.1, &inputs, &weights);
            let product = definition::dot_product(&first, &second);
            for level in InstructionSet::all() {
                let mut found = (rows, sums);
                at_level!(level, |level| {
                    level.add_rows(&mut found.0, &table, indices);
                    level.add_pair_products(&mut found.1, &inputs, &weights);
                    assert_eq!(level.dot_product(&first, &second), product);
                });
                assert_eq!(found, expected, "{}", level.name());
            }
        }
    }
}
