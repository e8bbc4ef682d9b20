//! Network [files](crate::weights_file), "MORNETWO".
//!
//! The frame contains, for each input, its number in each row (1 byte each, from -63 to 63); for
//! each stage, its bias, direct weights and offset (2 bytes each); and for each layer, its bias (4
//! bytes each), weights and output (2 bytes each).

use super::{INPUTS, LAYERS, Layer, MAX_NUMBER, NEURONS, Network, NetworkParameters, Row, Stage};
use crate::othello::engine::patterns::{FULL, PLIES};
use crate::weights_file::{DecodeError, FileKind};

/// The first bytes of the file.
const MAGIC: &[u8; 8] = b"MORNETWO";

/// The version of the format.
const VERSION: u32 = 3;

/// The number of rows that are decoded together.
const ROWS_AT_A_TIME: usize = 256;

fn kind() -> FileKind {
    FULL.file_kind(MAGIC, VERSION, "a network")
}

impl Network {
    /// Returns whether the bytes begin like a network file.
    #[must_use]
    pub fn is_file(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }
}

impl NetworkParameters {
    /// Decodes a network file.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not a network file.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let bytes = kind().decode(bytes)?;
        Self::from_bytes(&bytes).ok_or(DecodeError::Damaged)
    }

    /// Encodes a file.
    #[must_use]
    #[cfg(any(test, feature = "zstd"))]
    pub fn encode(&self) -> Vec<u8> {
        kind().encode(&self.to_bytes(), crate::weights_file::BEST_COMPRESSION)
    }

    /// Returns the contents of a frame.
    pub fn to_bytes(&self) -> Vec<u8> {
        let columns = (0..INPUTS).flat_map(|input| self.rows.iter().map(move |row| row[input] as u8));
        columns.chain(stages_and_layers(&self.stages, &self.layers)).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let count = Self::row_count();
        let (columns, rest) = bytes.split_at_checked(count * INPUTS)?;
        if columns.iter().any(|&number| (number as i8).unsigned_abs() > MAX_NUMBER as u8) {
            return None;
        }
        let mut rows: Vec<Row> = vec![[0; INPUTS]; count];
        // A few rows at a time, so that they stay in the cache.
        for (block, rows) in rows.chunks_mut(ROWS_AT_A_TIME).enumerate() {
            for (input, column) in columns.chunks_exact(count).enumerate() {
                for (row, number) in rows.iter_mut().zip(&column[block * ROWS_AT_A_TIME..]) {
                    row[input] = *number as i8;
                }
            }
        }
        let (words, []) = rest.as_chunks() else { return None };
        let mut words = words.iter().map(|word| i16::from_le_bytes(*word));
        let mut stages = Vec::with_capacity(PLIES);
        for _ in 0..PLIES {
            stages.push(Stage { bias: array(&mut words)?, direct: array(&mut words)?, offset: words.next()? });
        }
        let mut layers = Vec::with_capacity(LAYERS);
        for _ in 0..LAYERS {
            let bias: [[i16; 2]; NEURONS] = arrays(&mut words)?;
            let bias = bias.map(|[low, high]| i32::from(high) << 16 | i32::from(low as u16));
            let mut weights = [[[0; 2]; NEURONS]; INPUTS];
            for weights in &mut weights {
                *weights = arrays(&mut words)?;
            }
            let output: [i16; NEURONS] = array(&mut words)?;
            layers.push(Layer { bias, weights, output: bytemuck::must_cast([output, [0; NEURONS]]) });
        }
        words.next().is_none().then_some(Self { rows, stages, layers })
    }
}

/// Returns the stages and layers as they are stored in a frame.
pub(super) fn stages_and_layers(stages: &[Stage], layers: &[Layer]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for stage in stages {
        let numbers = stage.bias.iter().chain(&stage.direct).chain([&stage.offset]);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    }
    for layer in layers {
        bytes.extend(layer.bias.iter().flat_map(|number| number.to_le_bytes()));
        let numbers = layer.weights.as_flattened().as_flattened().iter().chain(&layer.output[..NEURONS]);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    }
    bytes
}

/// Returns the next words.
fn array<const LEN: usize>(words: &mut impl Iterator<Item = i16>) -> Option<[i16; LEN]> {
    let mut array = [0; LEN];
    for word in &mut array {
        *word = words.next()?;
    }
    Some(array)
}

/// Returns the next pairs of words.
fn arrays<const LEN: usize>(words: &mut impl Iterator<Item = i16>) -> Option<[[i16; 2]; LEN]> {
    let mut arrays = [[0; 2]; LEN];
    for pair in &mut arrays {
        *pair = array(words)?;
    }
    Some(arrays)
}
