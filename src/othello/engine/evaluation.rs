//! [`Evaluation`]: all that was learnt from games, as one thing to be handed around.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::patterns::{DecodeError, FULL, ORDER, PatternEvaluation, Weights};
use super::probcut::{Model, ProbCut};
use crate::fnv::Fnv1a;
use crate::game::WeightsError;

/// The weights that travel in the program; see `data/weights/README.md` for how they came about.
const FULL_WEIGHTS: &[u8] = include_bytes!("../../../data/weights/othello.weights");
const ORDER_WEIGHTS: &[u8] = include_bytes!("../../../data/weights/othello-order.weights");

static LEARNT: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| Arc::new(Evaluation::decode(FULL_WEIGHTS).expect("a test reads the weights in the program")));

/// What a search of 8x8 Othello judges by.
pub struct Evaluation {
    /// Judges positions.
    pub full: PatternEvaluation<64>,
    /// Judges positions in a quarter of the time, for the order of moves near the end.
    pub order: PatternEvaluation<16>,
    /// Says what a shallow search tells of a deep one.
    pub probcut: ProbCut,
    fingerprint: u32,
}

impl Evaluation {
    /// Puts an evaluation together.
    ///
    /// # Panics
    /// If the weights are not of these sets of shapes.
    #[must_use]
    pub fn new(full: Weights, order: Weights, model: &Model) -> Self {
        let (full, order) = (PatternEvaluation::new(&FULL, full), PatternEvaluation::new(&ORDER, order));
        let factors = model.mean.iter().chain(&model.log_sigma).map(|factor| factor.to_bits());
        let fingerprint = Fnv1a::new().add([full.fingerprint(), order.fingerprint()].map(u64::from)).add(factors);
        Self { full, order, probcut: ProbCut::new(model), fingerprint: fingerprint.folded() }
    }

    /// Returns the evaluation that the program was built with.
    #[must_use]
    pub fn learnt() -> Arc<Self> {
        Arc::clone(&LEARNT)
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
        Ok(Self::new(full?, order, &Model::LEARNT))
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
        let (learnt, mut solver) = (Evaluation::learnt(), Solver::<8>::new(1 << 16));
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
    fn the_weights_in_the_program_know_the_game() {
        let units = Evaluation::learnt().full.units(&FULL.features(Board::START), 60);
        assert!(units.abs() < 3 * UNIT, "the start is judged as even, not {units}");
        let [full, order, nothing] = errors_at(10);
        assert!(2 * full < nothing && 2 * order < nothing, "{full} and {order}, {nothing} without weights");
    }

    #[test]
    fn what_is_no_weights_is_refused() {
        assert!(Evaluation::decode(FULL_WEIGHTS).is_ok());
        assert!(matches!(Evaluation::decode(ORDER_WEIGHTS), Err(DecodeError::OtherShapes(_))));
        let mut damaged = FULL_WEIGHTS.to_vec();
        *damaged.last_mut().expect("there are bytes") ^= 1;
        assert!(matches!(Evaluation::decode(&damaged), Err(DecodeError::Damaged)));
        let error = Evaluation::read(Path::new("no such file")).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "cannot use the weights of `no such file`");
    }
}
