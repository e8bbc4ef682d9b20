//! [`TrainedEvaluation`]: the trained weights and the Multi-ProbCut model.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::network::{Network, NetworkParameters};
use super::patterns::{DecodeError, FULL, Features, ORDER, PatternEvaluation, Weights};
use super::probcut::{ProbCut, ProbCutModel};
use crate::data_file;
use crate::fnv::Fnv1a;
use crate::game::WeightsError;
use crate::instructions::SimdLevel;
use crate::othello::Board;
use crate::threads::run_beside;

/// The embedded weights. `data/weights/README.md` describes their training.
fn network() -> &'static [u8] {
    data_file!("weights/othello.network")
}

fn order_weights() -> &'static [u8] {
    data_file!("weights/othello-order.weights")
}

static BUILT_IN: LazyLock<Arc<TrainedEvaluation>> =
    LazyLock::new(|| Arc::new(TrainedEvaluation::decode(network()).expect("a test decodes the embedded weights")));

/// The evaluation of positions.
#[expect(clippy::large_enum_variant)] // there are only a few, and a box would cost each evaluation a memory access
#[derive(Debug)]
pub enum FullEvaluation {
    /// A sum of pattern weights.
    Patterns(PatternEvaluation<64>),
    /// A network.
    Network(Network),
}

impl FullEvaluation {
    /// Decodes a network file or a weights file.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not such a file.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        if Network::is_file(bytes) {
            return Ok(Self::Network(Network::new(&NetworkParameters::decode(bytes)?)));
        }
        Ok(Self::Patterns(PatternEvaluation::new(&FULL, Weights::decode(&FULL, bytes)?)))
    }

    fn fingerprint(&self) -> u32 {
        match self {
            Self::Patterns(patterns) => patterns.fingerprint(),
            Self::Network(network) => network.fingerprint(),
        }
    }

    /// Returns the estimated final score for the player, in [units](super::patterns::UNIT) of a
    /// disc. `empties` is the number of empty squares, `moves` the player's moves.
    #[inline(always)]
    pub(crate) fn units<L: SimdLevel>(&self, level: L, features: &Features, empties: u32, moves: u64) -> i32 {
        match self {
            Self::Patterns(patterns) => patterns.units(features, empties),
            Self::Network(network) => network.units(level, features, empties, moves),
        }
    }

    /// Returns the estimated final score for the player, in [units](super::patterns::UNIT) of a
    /// disc.
    #[must_use]
    pub fn evaluate(&self, board: Board) -> i32 {
        match self {
            Self::Patterns(patterns) => patterns.evaluate(board),
            Self::Network(network) => network.evaluate(board),
        }
    }
}

/// The trained evaluation of 8x8 Othello.
///
/// ```
/// use morello::othello::Position;
/// use morello::othello::engine::{TrainedEvaluation, patterns::UNIT};
///
/// let evaluation = TrainedEvaluation::built_in();
/// let units = evaluation.full.evaluate(Position::default().board());
/// assert!(units.abs() <= 3 * UNIT, "the start is balanced, within three discs");
/// ```
pub struct TrainedEvaluation {
    /// The evaluation of positions.
    pub full: FullEvaluation,
    /// A smaller evaluation for move ordering near the end. It takes a quarter of the time.
    pub order: PatternEvaluation<16>,
    /// The Multi-ProbCut margins.
    pub probcut: ProbCut,
    model: ProbCutModel,
}

crate::debug_fields!(TrainedEvaluation { full });

impl TrainedEvaluation {
    /// Creates an evaluation from its parts.
    ///
    /// # Panics
    /// If the weights do not match [`ORDER`].
    #[must_use]
    pub fn new(full: FullEvaluation, order: Weights, model: &ProbCutModel) -> Self {
        Self { full, order: PatternEvaluation::new(&ORDER, order), probcut: ProbCut::new(model), model: *model }
    }

    /// Returns the embedded evaluation.
    #[must_use]
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&BUILT_IN)
    }

    /// Decodes a network file or a weights file for [`full`](Self::full). The other parts are taken
    /// from the embedded evaluation.
    ///
    /// ```
    /// use morello::othello::engine::TrainedEvaluation;
    ///
    /// let error = TrainedEvaluation::decode(b"not weights").err().expect("an error");
    /// assert_eq!(error.to_string(), "the file does not contain weights");
    /// ```
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not such a file.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        // Two threads shorten startup. They are not rayon threads, because a waiting rayon thread
        // may start another task that itself waits for this evaluation. The weights for move
        // ordering are loaded first, so that an error about a missing file reaches the caller, not
        // another thread.
        let (bytes_of_order, mut order) = (order_weights(), None);
        let full = run_beside(vec![Box::new(|| order = Some(Weights::decode(&ORDER, bytes_of_order)))], || {
            FullEvaluation::decode(bytes)
        });
        let order = order.expect("it has run").expect("a test decodes the embedded weights");
        Ok(Self::new(full?, order, &ProbCutModel::BUILT_IN))
    }

    /// Returns an evaluation with `full`, the embedded weights for move ordering and the embedded
    /// Multi-ProbCut margins.
    #[must_use]
    pub fn with_full(full: FullEvaluation) -> Self {
        let order = Weights::decode(&ORDER, order_weights()).expect("a test decodes the embedded weights");
        Self::new(full, order, &ProbCutModel::BUILT_IN)
    }

    /// Calculates a 32-bit hash of the weights and the Multi-ProbCut model.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let factors = self.model.mean.iter().chain(&self.model.log_sigma).map(|factor| factor.to_bits());
        let weights = [self.full.fingerprint(), self.order.fingerprint()].map(u64::from);
        Fnv1a::new().add(weights).add(factors).folded()
    }

    /// Reads a weights file or a network file, as [`decode`](Self::decode) does.
    ///
    /// # Errors
    /// [`WeightsError`] if the file cannot be read or decoded.
    pub fn read(file: &Path) -> Result<Arc<Self>, WeightsError> {
        WeightsError::read(file, Self::decode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cancel, Confidence, Limits};
    use crate::othello::engine::Solver;
    use crate::othello::engine::patterns::UNIT;
    use crate::othello::tests::random_position;

    /// Returns the sums of the absolute errors, in discs, of `full`, `order` and a constant
    /// evaluation of 0, on positions from random play.
    fn errors_at(empties: u32) -> [i32; 3] {
        let (trained, mut solver) = (TrainedEvaluation::built_in(), Solver::<8>::new(1 << 16));
        let mut sums = [0; 3];
        for seed in 0..60 {
            let board = random_position::<8>(seed, empties).board();
            let solution = solver.solution(board, &Limits::exact());
            let score = solution.score().expect("the solve has no limits");
            let units = [trained.full.evaluate(board), trained.order.evaluate(board), 0];
            sums.iter_mut().zip(units).for_each(|(sum, units)| *sum += (score - units / UNIT).abs());
        }
        sums
    }

    #[test]
    fn the_built_in_weights_predict_scores() {
        let drafts: Vec<_> = (1..=4).map(|depth| (depth, Confidence::FULL)).collect();
        let mut solver = Solver::<8>::new(1 << 16);
        let searched = solver.search(Board::START, &drafts, &Limits::default(), &Cancel::new(), &mut |_| ());
        let score = searched.lines[0].score;
        assert!(score.abs() < 3, "the start position should be about even, not {score}");
        let [full, order, zero] = errors_at(10);
        assert!(2 * full < zero && 2 * order < zero, "{full} and {order}, {zero} without weights");
    }

    #[test]
    fn rejects_invalid_weights() {
        assert!(TrainedEvaluation::decode(network()).is_ok());
        assert!(matches!(TrainedEvaluation::decode(order_weights()), Err(DecodeError::OtherShapes(_))));
        let mut damaged = network().to_vec();
        *damaged.last_mut().expect("the file is not empty") ^= 1;
        assert!(matches!(TrainedEvaluation::decode(&damaged), Err(DecodeError::Damaged)));
        let error = TrainedEvaluation::read(Path::new("no such file")).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "cannot load weights from `no such file`");
    }
}
