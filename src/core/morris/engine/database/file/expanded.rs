//! [`ExpandedTable`]: all values of a table in memory. The solver reads them in random order.

use std::sync::Arc;

use super::super::value::PositionValue;

/// The number of the value of each slot.
pub(crate) enum Numbers {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

/// All values of a table.
#[derive(Clone)]
pub(crate) struct ExpandedTable {
    numbers: Arc<Numbers>,
    /// The values to which the numbers refer.
    values: Vec<PositionValue>,
    row_len: usize,
}

impl ExpandedTable {
    /// Creates a table from rows of `row_len` slots, which contain numbers of values.
    pub fn new(numbers: Arc<Numbers>, values: Vec<PositionValue>, row_len: usize) -> Self {
        Self { numbers, values, row_len }
    }

    /// Creates a table from the value code of each slot.
    pub fn from_codes(codes: &[u16], row_len: usize) -> Self {
        let mut values = codes.to_vec();
        values.sort_unstable();
        values.dedup();
        let number = |code: &u16| values.binary_search(code).expect("every code is in the list");
        let numbers = if values.len() <= 256 {
            Numbers::Bytes(codes.iter().map(|code| number(code) as u8).collect())
        } else {
            Numbers::Words(codes.iter().map(|code| number(code) as u16).collect())
        };
        Self::new(Arc::new(numbers), values.into_iter().map(PositionValue::from_code).collect(), row_len)
    }

    /// Replaces unknown numbers of plies by the smallest possible numbers, for a solver that
    /// computes results only.
    pub fn with_some_plies(mut self) -> Self {
        for value in self.values.iter_mut().filter(|value| value.is_result_only()) {
            *value = if *value == PositionValue::WIN { PositionValue::win(1) } else { PositionValue::loss(0) };
        }
        self
    }

    /// Returns the values that occur.
    pub fn values(&self) -> &[PositionValue] {
        &self.values
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        match &*self.numbers {
            Numbers::Bytes(numbers) => numbers.len() as u64,
            Numbers::Words(numbers) => 2 * numbers.len() as u64,
        }
    }

    /// Returns the value of a slot.
    #[inline]
    pub fn value(&self, slot: usize) -> PositionValue {
        self.values[self.number(slot)]
    }

    /// Returns the index of a slot's value in the list of [values](Self::values).
    #[inline]
    pub fn number(&self, slot: usize) -> usize {
        match &*self.numbers {
            Numbers::Bytes(numbers) => numbers[slot].into(),
            Numbers::Words(numbers) => usize::from(numbers[slot]),
        }
    }

    /// Returns the number of slots per row.
    pub fn row_len(&self) -> usize {
        self.row_len
    }

    /// Returns the value of a slot in a row.
    #[inline]
    pub fn at(&self, row: usize, slot: usize) -> PositionValue {
        self.value(row * self.row_len + slot)
    }

    /// Returns the values of the positions with the same set of men of the side to move.
    pub fn row(&self, row: usize) -> SlotRow<'_> {
        let slots = row * self.row_len..(row + 1) * self.row_len;
        let numbers = match &*self.numbers {
            Numbers::Bytes(numbers) => RowNumbers::Bytes(&numbers[slots]),
            Numbers::Words(numbers) => RowNumbers::Words(&numbers[slots]),
        };
        SlotRow { numbers, values: &self.values }
    }
}

/// The values of the positions with the same set of men of the side to move.
#[derive(Clone, Copy)]
pub(crate) struct SlotRow<'a> {
    numbers: RowNumbers<'a>,
    values: &'a [PositionValue],
}

#[derive(Clone, Copy)]
enum RowNumbers<'a> {
    Bytes(&'a [u8]),
    Words(&'a [u16]),
}

impl SlotRow<'_> {
    /// Returns the value of a slot of the row.
    #[inline]
    pub fn value(self, slot: usize) -> PositionValue {
        self.values[self.number(slot)]
    }

    /// Returns the index of a slot's value in the list of [values](ExpandedTable::values).
    #[inline]
    pub fn number(self, slot: usize) -> usize {
        match self.numbers {
            RowNumbers::Bytes(numbers) => usize::from(numbers[slot]),
            RowNumbers::Words(numbers) => usize::from(numbers[slot]),
        }
    }

    /// Writes the codes of all values.
    pub fn decode(self, codes: &mut [u16]) {
        for (slot, code) in codes.iter_mut().enumerate() {
            *code = self.value(slot).code();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip_through_bytes_and_words() {
        for distinct in [1u16, 3, 256, 257, 700] {
            let codes: Vec<_> = (0..6000).map(|slot| 2 + slot % distinct).collect();
            let table = ExpandedTable::from_codes(&codes, 100);
            assert_eq!(table.values().len(), usize::from(distinct));
            assert_eq!(table.bytes(), if distinct > 256 { 12_000 } else { 6_000 });
            for (slot, &code) in codes.iter().enumerate() {
                assert_eq!(table.value(slot).code(), code);
                assert_eq!(table.row(slot / 100).value(slot % 100).code(), code);
            }
            let mut row = [0; 100];
            table.row(17).decode(&mut row);
            assert_eq!(row, codes[1700..1800]);
        }
    }
}
