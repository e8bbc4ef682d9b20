//! The labels of training files: positions with search scores.
//!
//! The data of a game consist of its labels. Each label has the player's and the opponent's discs
//! as bits (8 bytes each, little-endian), and the score for the player in discs (1 byte, signed).

use morello_core::game::Confidence;
use morello_core::othello::Board;

use super::games::Sample;

/// The size of a label, in bytes.
const LABEL_BYTES: usize = 17;

/// The maximum number of labels per game, which has at most 60 moves.
const MAX_LABELS: usize = 60;

/// The options for labels. Together with a game, they determine its labels.
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
    /// Scores are exact with at most this many empty squares.
    pub exact_from: u8,
    /// The minimum and maximum number of empty squares; other positions get no labels.
    pub empties: (u8, u8),
    /// Only this many positions after the random part of a game get labels; 0 for all.
    pub positions: u8,
    /// Whether the positions follow the best moves of the search, from the first position after the
    /// random part, instead of the moves of the game.
    pub follow: bool,
    /// The share of the next label in each label of a line, from 0 to 1; 0 uses only the search
    /// scores.
    pub lambda: f32,
    /// The [fingerprint](morello_core::othello::engine::TrainedEvaluation::fingerprint) of the engine's
    /// weights.
    pub weights: u32,
}

impl LabelOptions {
    /// Returns the command-line option for each field, with its value.
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

/// Encodes the labels of a game.
pub(super) fn to_bytes(labels: &[Sample]) -> Vec<u8> {
    assert!(labels.len() <= MAX_LABELS, "a game has at most 60 positions");
    let bytes = |Sample { board, score }: &Sample| {
        let mut bytes = [*score as u8; LABEL_BYTES];
        bytes[..16].copy_from_slice(board.bits().map(u64::to_le_bytes).as_flattened());
        bytes
    };
    labels.iter().flat_map(bytes).collect()
}

/// Returns whether the data encode labels with possible boards and scores.
pub(super) fn are_valid(data: &[u8]) -> bool {
    let is_valid = |label| sample(label).is_some_and(|label| label.score.unsigned_abs() <= 64);
    let (labels, rest) = data.as_chunks();
    rest.is_empty() && labels.len() <= MAX_LABELS && labels.iter().all(is_valid)
}

/// Returns the labels in the data of a game, in the order of its moves.
pub(super) fn samples(data: &[u8]) -> impl Iterator<Item = Sample> {
    data.as_chunks().0.iter().map(|label| sample(label).expect("the labels are valid"))
}

/// Decodes a label; `None` if its discs are not a valid board.
fn sample(label: &[u8; LABEL_BYTES]) -> Option<Sample> {
    let [player, opponent] = [0, 1].map(|at| u64::from_le_bytes(label.as_chunks().0[at]));
    let board = Board::new(player.into(), opponent.into()).ok()?;
    Some(Sample { board, score: label[16] as i8 })
}
