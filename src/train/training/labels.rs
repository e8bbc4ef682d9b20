//! The labels of training files: positions with the scores of searches.
//!
//! The data of a game are those of its labels: the player's and the opponent's discs as bits (8
//! bytes each, little-endian), and the score for the player in discs (1 byte, signed).

use morello_core::game::Confidence;
use morello_core::othello::Board;

use super::games::Sample;

/// The size of a label.
const LABEL_BYTES: usize = 17;

/// The largest number of labels of a game: it has at most 60 moves.
const MAX_LABELS: usize = 60;

/// The options of labels. Together with a game they determine its labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelOptions {
    /// The [seed](super::TrainingData::seed) of the games.
    pub seed: u64,
    /// The [hash](super::TrainingData::options_hash) of the options with which the games were
    /// generated.
    pub games: u64,
    /// The search depth, in plies.
    pub depth: u32,
    /// The confidence of the search.
    pub confidence: Confidence,
    /// The number of empty squares from which scores are exact.
    pub exact_from: u8,
    /// The minimum and maximum number of empty squares; other positions get no labels.
    pub empties: (u8, u8),
    /// Only this many positions after the random part of a game get labels; 0 for all.
    pub positions: u8,
    /// Whether the positions follow the best moves of the search, from the first position after the
    /// random part, and not the moves of the game.
    pub follow: bool,
    /// The share of the following label in each label of a line, from 0 to 1; 0 for the scores of
    /// the searches alone.
    pub lambda: f32,
    /// The [fingerprint](morello_core::othello::engine::TrainedEvaluation::fingerprint) of the engine's
    /// weights.
    pub weights: u32,
}

impl LabelOptions {
    /// Returns the options of the command line that set each field, with the values.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let Self {
            seed,
            games,
            depth,
            confidence,
            exact_from,
            empties: (min, max),
            positions,
            follow,
            lambda,
            weights,
        } = self;
        vec![
            ("games of --seed", seed.to_string()),
            ("games with fingerprint", format!("{games:016x}")),
            ("--depth", depth.to_string()),
            ("--confidence", confidence.percent().to_string()),
            ("--exact-from", exact_from.to_string()),
            ("--empties", format!("{min}..{max}")),
            ("--positions", positions.to_string()),
            ("--follow", follow.to_string()),
            ("--lambda", lambda.to_string()),
            ("--weights with fingerprint", format!("{weights:08x}")),
        ]
    }
}

/// Returns the data of the labels of a game.
pub(super) fn to_bytes(labels: &[Sample]) -> Vec<u8> {
    assert!(labels.len() <= MAX_LABELS, "a game has at most 60 positions");
    let bytes = |Sample { board, score }: &Sample| {
        let mut bytes = [*score as u8; LABEL_BYTES];
        bytes[..16].copy_from_slice(board.bits().map(u64::to_le_bytes).as_flattened());
        bytes
    };
    labels.iter().flat_map(bytes).collect()
}

/// Returns whether data are those of labels with possible boards and scores.
pub(super) fn are_valid(data: &[u8]) -> bool {
    let is_valid = |label| sample(label).is_some_and(|label| label.score.unsigned_abs() <= 64);
    let (labels, rest) = data.as_chunks();
    rest.is_empty() && labels.len() <= MAX_LABELS && labels.iter().all(is_valid)
}

/// Returns the labels in the data of a game, in the order of its moves.
pub(super) fn samples(data: &[u8]) -> impl Iterator<Item = Sample> {
    data.as_chunks().0.iter().map(|label| sample(label).expect("the labels are valid"))
}

/// Returns the label in these bytes; `None` if its discs do not make a board.
fn sample(label: &[u8; LABEL_BYTES]) -> Option<Sample> {
    let [player, opponent] = [0, 1].map(|at| u64::from_le_bytes(label.as_chunks().0[at]));
    let board = Board::new(player.into(), opponent.into()).ok()?;
    Some(Sample { board, score: label[16] as i8 })
}
