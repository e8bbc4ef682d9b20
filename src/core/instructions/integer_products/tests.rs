//! Compares the kernels with their definitions. Tests do not run on WebAssembly, so `tests/kernels`
//! includes this file.

use super::{InstructionSet, IntegerProducts, PackedRow, ROW, ROW_MAX, ROWS, RandomNumbers, SUMS, at_level};

#[derive(Clone, Copy)]
struct Definition;

impl IntegerProducts for Definition {}

#[cfg_attr(test, test)]
pub fn every_level_agrees_with_the_definitions() {
    let mut random = RandomNumbers::new(1);
    let mut numbers = || [0; ROW].map(|_| random.next_u64() as i16);
    // All rows, starting at different indices; then only the row of the largest numbers, and only
    // the row of the smallest.
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
        Definition.add_rows(&mut expected.0, &table, &indices);
        Definition.add_pair_products(&mut expected.1, &inputs, &weights);
        let product = Definition.dot_product(&first, &second);
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
