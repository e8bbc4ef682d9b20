//! [`Evaluation`]: all that was learnt from games, as one thing to be handed around.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::patterns::{DecodeError, FULL, ORDER, PatternEvaluation, Weights};
use super::probcut::{ProbCut, ProbCutModel};
use crate::fnv::Fnv1a;
use crate::game::WeightsError;

/// The weights that travel in the program; see `data/weights/README.md` for how they came about.
const FULL_WEIGHTS: &[u8] = include_bytes!("../../../data/weights/othello.weights");
const ORDER_WEIGHTS: &[u8] = include_bytes!("../../../data/weights/othello-order.weights");

static BUILT_IN: LazyLock<Arc<TrainedEvaluation>> = LazyLock::new(|| {
    Arc::new(TrainedEvaluation::decode(FULL_WEIGHTS).expect("a test reads the weights in the program"))
});

/// What a search of 8x8 Othello judges by.
pub struct TrainedEvaluation {
    /// Judges positions.
    pub full: PatternEvaluation<64>,
    /// Judges positions in a quarter of the time, for the order of moves near the end.
    pub order: PatternEvaluation<16>,
    /// Says what a shallow search tells of a deep one.
    pub probcut: ProbCut,
    fingerprint: u32,
}

impl TrainedEvaluation {
    /// Puts an evaluation together.
    ///
    /// # Panics
    /// If the weights are not of these sets of shapes.
    #[must_use]
    pub fn new(full: Weights, order: Weights, model: &ProbCutModel) -> Self {
        let (full, order) = (PatternEvaluation::new(&FULL, full), PatternEvaluation::new(&ORDER, order));
        let factors = model.mean.iter().chain(&model.log_sigma).map(|factor| factor.to_bits());
        let fingerprint = Fnv1a::new().add([full.fingerprint(), order.fingerprint()].map(u64::from)).add(factors);
        Self { full, order, probcut: ProbCut::new(model), fingerprint: fingerprint.folded() }
    }

    /// Returns the evaluation that the program was built with.
    #[must_use]
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&BUILT_IN)
    }

    /// Reads weights for judging; all else is as in the program.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not a file of such weights.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        // A program that starts waits for this. The threads are not rayon's: one that waits there may take up work that waits for this, too.
        let (full, order) = std::thread::scope(|scope| {
            let order = scope.spawn(|| Weights::decode(&ORDER, ORDER_WEIGHTS));
            (Weights::decode(&FULL, bytes), order.join().expect("to decode does not panic"))
        });
        let order = order.expect("a test reads the weights in the program");
        Ok(Self::new(full?, order, &ProbCutModel::LEARNT))
    }

    /// Returns a number that hardly any other evaluation has.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// Reads a file of weights for judging.
    ///
    /// # Errors
    /// [`WeightsError`] if it cannot be read or is not one.
    pub fn read(file: &Path) -> Result<Arc<Self>, WeightsError> {
        let fail = |source| WeightsError::File { file: file.to_owned(), source };
        let bytes = std::fs::read(file).map_err(|error| fail(error.into()))?;
        let evaluation = Self::decode(&bytes).map_err(|error| fail(error.into()))?;
        Ok(Arc::new(evaluation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cancel, Limits};
    use crate::othello::Board;
    use crate::othello::engine::Solver;
    use crate::othello::engine::patterns::UNIT;
    use crate::othello::tests::random_position;

    /// Returns the sums of the errors of both sets of weights, and of the scores, in discs, on positions from random play.
    fn errors_at(empties: u32) -> [i32; 3] {
        let (learnt, mut solver) = (TrainedEvaluation::built_in(), Solver::<8>::new(1 << 16));
        let mut sums = [0; 3];
        for seed in 0..60 {
            let board = random_position::<8>(seed, empties).board();
            let solution = solver.solve(board, &Limits::exact(), &Cancel::new(), &mut |_| ());
            let score = solution.score().expect("there is no bound");
            let units = [
                learnt.full.units(&FULL.features(board), empties),
                learnt.order.units(&ORDER.features(board), empties),
                0,
            ];
            sums.iter_mut().zip(units).for_each(|(sum, units)| *sum += (score - units / UNIT).abs());
        }
        sums
    }

    #[test]
    fn the_built_in_weights_predict_scores() {
        let units = TrainedEvaluation::built_in().full.units(&FULL.features(Board::START), 60);
        assert!(units.abs() < 3 * UNIT, "the start is judged as even, not {units}");
        let [full, order, nothing] = errors_at(10);
        assert!(2 * full < nothing && 2 * order < nothing, "{full} and {order}, {nothing} without weights");
    }

    #[test]
    fn rejects_invalid_weights() {
        assert!(TrainedEvaluation::decode(FULL_WEIGHTS).is_ok());
        assert!(matches!(TrainedEvaluation::decode(ORDER_WEIGHTS), Err(DecodeError::OtherShapes(_))));
        let mut damaged = FULL_WEIGHTS.to_vec();
        *damaged.last_mut().expect("there are bytes") ^= 1;
        assert!(matches!(TrainedEvaluation::decode(&damaged), Err(DecodeError::Damaged)));
        let error = TrainedEvaluation::read(Path::new("no such file")).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "cannot load weights from `no such file`");
    }
}
