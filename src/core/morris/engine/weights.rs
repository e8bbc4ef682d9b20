//! [`Weights`]: the weights of the evaluation, and their files.
//!
//! The frame of a weights [file](crate::weights_file), "MORMILLS", contains for each stage the
//! weights of the terms and of the numbers of men (2 bytes each), and the weights of the classes of
//! configurations (1 byte each).

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::patterns::Patterns;
use super::terms::{TERMS, term};
use crate::game::WeightsError;
use crate::morris::{Board, NINE, Position, Rules, SEVEN, SIX, THREE, Variant};
use crate::weights_file::{DecodeError, FileKind};

/// The first bytes of the file.
const MAGIC: &[u8; 8] = b"MORMILLS";

/// The version of the format.
const VERSION: u32 = 1;

/// The number of stages.
pub const STAGES: usize = 12;

/// The first stage without men in hand.
const FIRST_MOVING_STAGE: usize = 5;

/// The maximum number of men per side, plus one.
pub const MEN: usize = 13;

/// The unit of the configuration weights, in thousandths of a win.
pub const CONFIGURATION_UNIT: i32 = 2;

/// The weights of the evaluation, in thousandths of a win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// The weights of each [stage](Self::stage).
    pub stages: Vec<StageWeights>,
}

/// The weights of a stage.
#[derive(Clone, PartialEq, Eq)]
pub struct StageWeights {
    /// The weight of each [term](super::term).
    pub terms: [i16; TERMS],
    /// The weights of the numbers of men, in hand and on the board, indexed by the men of the side
    /// to move and of the opponent.
    pub men: [[i16; MEN]; MEN],
    /// The weight of each configuration of the [patterns](Patterns), in
    /// [units](CONFIGURATION_UNIT); 0 for lanes without a pattern.
    pub configurations: Vec<i8>,
}

crate::debug_fields!(StageWeights { terms });

impl Weights {
    /// Returns weights for a board that are 0 except for some terms.
    pub(super) fn of_terms(board: &Board, placing: [i16; TERMS], moving: [i16; TERMS]) -> Self {
        let stage = |number| StageWeights {
            terms: if number < FIRST_MOVING_STAGE { placing } else { moving },
            men: [[0; MEN]; MEN],
            configurations: vec![0; Patterns::of(board).len() + 1],
        };
        Self { stages: (0..STAGES).map(stage).collect() }
    }

    /// Returns weights that count only men.
    pub(super) fn simple(board: &Board) -> Self {
        let mut terms = [0; TERMS];
        terms[term::MAN] = 60;
        Self::of_terms(board, terms, terms)
    }

    /// Returns whether the weights fit the patterns of a board.
    #[must_use]
    pub fn is_for(&self, board: &Board) -> bool {
        self.stages.iter().all(|stage| stage.configurations.len() == Patterns::of(board).len() + 1)
    }

    /// Returns the stage of a position: 0 to 4 by the men in hand, 5 to 8 by the men on the board,
    /// and 9 to 11 if a side has three men.
    ///
    /// ```
    /// use morello::morris::{NineMensMorris, Position, engine::Weights};
    ///
    /// type Morris = Position<NineMensMorris>;
    /// assert_eq!(Weights::stage(&Morris::default()), 4, "all men in hand");
    /// let position = "0,0 a7,d7,g4,b6 a1,b2,c3 W".parse::<Morris>()?;
    /// assert_eq!(Weights::stage(&position), 11, "the other side has three men");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn stage<V: Variant>(position: &Position<V>) -> usize {
        let hands = position.own_hand() + position.other_hand();
        if hands > 0 {
            return (usize::from(hands - 1) / 4).min(FIRST_MOVING_STAGE - 1);
        }
        let [own, other] = [position.own(), position.other()].map(u32::count_ones);
        match (own == 3, other == 3) {
            (true, true) => 9,
            (true, false) => 10,
            (false, true) => 11,
            (false, false) => match own + other {
                15.. => 5,
                12..=14 => 6,
                9..=11 => 7,
                _ => 8,
            },
        }
    }

    /// Decodes a weights file for the patterns of a board.
    ///
    /// ```
    /// use morello::morris::{NINE, engine::Weights};
    ///
    /// let error = Weights::decode(NINE, b"not weights").unwrap_err();
    /// assert_eq!(error.to_string(), "the file does not contain weights of a mill game");
    /// ```
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not a weights file for this board.
    pub fn decode(board: &Board, bytes: &[u8]) -> Result<Self, DecodeError> {
        let bytes = kind(board).decode(bytes)?;
        let patterns = Patterns::of(board);
        let stage_bytes = 2 * (TERMS + MEN * MEN) + patterns.class_count();
        if bytes.len() != STAGES * stage_bytes {
            return Err(DecodeError::Damaged);
        }
        let stages = bytes.chunks_exact(stage_bytes).map(|stage| {
            let (words, classes) = stage.split_at(2 * (TERMS + MEN * MEN));
            let mut words = words.as_chunks().0.iter().map(|&word| i16::from_le_bytes(word));
            let mut next = || words.next().expect("the length was checked");
            let terms = std::array::from_fn(|_| next());
            let men = std::array::from_fn(|_| std::array::from_fn(|_| next()));
            let weights = patterns.classes().iter().map(|&class| classes[usize::from(class)] as i8);
            StageWeights { terms, men, configurations: weights.chain([0]).collect() }
        });
        Ok(Self { stages: stages.collect() })
    }

    /// Encodes a weights file.
    #[must_use]
    #[cfg(any(test, feature = "zstd"))]
    pub fn encode(&self, board: &Board) -> Vec<u8> {
        let patterns = Patterns::of(board);
        let mut bytes = Vec::new();
        for StageWeights { terms, men, configurations } in &self.stages {
            bytes.extend(terms.iter().chain(men.as_flattened()).flat_map(|weight| weight.to_le_bytes()));
            let mut classes = vec![0; patterns.class_count()];
            for (&class, &weight) in patterns.classes().iter().zip(configurations) {
                classes[usize::from(class)] = weight as u8;
            }
            bytes.extend(classes);
        }
        kind(board).encode(&bytes, crate::weights_file::BEST_COMPRESSION)
    }

    /// Reads a weights file for the patterns of a board.
    ///
    /// # Errors
    /// [`WeightsError`] if the file cannot be read or decoded.
    pub fn read(board: &Board, file: &Path) -> Result<Arc<Self>, WeightsError> {
        WeightsError::read(file, |bytes| Self::decode(board, bytes))
    }
}

fn kind(board: &Board) -> FileKind {
    let shapes = match board.len() {
        24 => "a mill game with 24 points",
        17 => "a mill game with 17 points",
        16 => "a mill game with 16 points",
        _ => "a mill game with 9 points",
    };
    FileKind {
        magic: MAGIC,
        version: VERSION,
        what: "weights of a mill game",
        fingerprint: Patterns::of(board).fingerprint(),
        shapes,
    }
}

/// Declares the embedded weights. `data/weights/README.md` describes their training.
macro_rules! embedded {
    ($($name:ident on $board:ident from $file:literal;)+) => {
        $(static $name: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let bytes = crate::data_file!("weights/", $file, ".weights");
            Arc::new(Weights::decode($board, bytes).expect("a test decodes the embedded weights"))
        });)+
    };
}

embedded! {
    WITHOUT_FLYING on NINE from "nine-mens-morris";
    FLYING on NINE from "nine-mens-morris-flying";
    LASKER on NINE from "lasker-morris";
    TWELVE_COWS on NINE from "morabaraba";
    SEVEN_MEN on SEVEN from "seven-mens-morris";
    SIX_MEN on SIX from "six-mens-morris";
}

/// Returns the embedded weights for a game.
pub(super) fn of(board: &Board, rules: &Rules) -> Arc<Weights> {
    static THREE_MEN: LazyLock<Arc<Weights>> =
        LazyLock::new(|| Arc::new(Weights::of_terms(THREE, THREE_MEN_TERMS[0], THREE_MEN_TERMS[1])));
    Arc::clone(match (board.len(), rules.men, rules.flying) {
        (24, 11.., _) => &TWELVE_COWS,
        (24, _, _) if rules.moves_with_hand => &LASKER,
        (24, _, true) => &FLYING,
        (24, _, false) => &WITHOUT_FLYING,
        (17, ..) => &SEVEN_MEN,
        (16, ..) => &SIX_MEN,
        _ => &THREE_MEN,
    })
}

/// The term weights of three men's morris, while men are placed and afterwards. They are weights of
/// nine men's morris, fitted to game results.
#[rustfmt::skip]
const THREE_MEN_TERMS: [[i16; TERMS]; 2] = [
    [ 57,  55,  18,  32,  48,   7,  -8,   1,  -5,   5,   0,  -8,  -7, -19,   1,  -2,  21, -29,  33,  26],
    [ 64,  90,  22,  33,  47,  -1,  -9,   6,  -7,  13,   0, -56,  12, -14, -69,  24,  21,  27,  -7,  15],
];

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::RandomNumbers;
    use crate::morris::{
        ElevenMensMorris, LaskerMorris, Morabaraba, NineMensMorris, NineMensMorrisFlying, SevenMensMorris,
        SixMensMorris,
    };

    /// Returns random weights. All configurations of a class have the same weight.
    pub(in crate::morris::engine) fn random_weights(board: &Board, seed: u64) -> Weights {
        let patterns = Patterns::of(board);
        let mut random = RandomNumbers::new(seed);
        let stage = |_| {
            let mut number = |limit: i16| random.below(2 * limit as usize + 1) as i16 - limit;
            let terms = std::array::from_fn(|_| number(30));
            let men = std::array::from_fn(|_| std::array::from_fn(|_| number(100)));
            let classes: Vec<i8> = (0..patterns.class_count()).map(|_| number(20) as i8).collect();
            let configurations = patterns.classes().iter().map(|&class| classes[usize::from(class)]);
            StageWeights { terms, men, configurations: configurations.chain([0]).collect() }
        };
        Weights { stages: (0..STAGES).map(stage).collect() }
    }

    #[test]
    fn stages_follow_the_men() {
        let stage = |text: &str| Weights::stage(&text.parse::<Position<NineMensMorris>>().unwrap());
        assert_eq!(Weights::stage(&Position::<NineMensMorris>::default()), 4);
        assert_eq!(Weights::stage(&Position::<Morabaraba>::default()), 4);
        assert_eq!(["0,1 a7,d7 g7,g4 B", "4,4 a7 g7 B", "4,5 a7 g7 B", "8,8 a7 g7 B"].map(stage), [0, 1, 2, 3]);
        assert_eq!(stage("0,0 a7,d7,g7,b6 a1,d1,g1,b2 B"), 8);
        assert_eq!(stage("0,0 a7,d7,g7,b6 a1,d1,g1,b2,d2 B"), 7);
        assert_eq!(stage("0,0 a7,d7,g7 a1,d1,g1 B"), 9);
        assert_eq!((stage("0,0 a7,d7,g7 a1,d1,g1,b2 B"), stage("0,0 a7,d7,g7 a1,d1,g1,b2 W")), (11, 10));
    }

    #[test]
    fn the_embedded_weights_are_for_their_boards() {
        assert!(
            of(NineMensMorrisFlying::BOARD, &NineMensMorrisFlying::RULES).is_for(NINE)
                && of(LaskerMorris::BOARD, &LaskerMorris::RULES).is_for(NINE)
        );
        assert!(
            of(SixMensMorris::BOARD, &SixMensMorris::RULES).is_for(SIX)
                && !of(SixMensMorris::BOARD, &SixMensMorris::RULES).is_for(NINE)
        );
        assert!(of(SevenMensMorris::BOARD, &SevenMensMorris::RULES).is_for(SEVEN));
        let same = |rules: &Rules, other: &Rules| Arc::ptr_eq(&of(NINE, rules), &of(NINE, other));
        assert!(same(&ElevenMensMorris::RULES, &Morabaraba::RULES) && !same(&Rules::FLYING, &Morabaraba::RULES));
    }

    #[test]
    fn weights_round_trip() {
        for board in [NINE, SEVEN, SIX, THREE] {
            let weights = random_weights(board, 1);
            assert!(Weights::decode(board, &weights.encode(board)).as_ref() == Ok(&weights));
        }
    }

    #[test]
    fn rejects_invalid_files() {
        use std::error::Error as _;

        let good = random_weights(SIX, 1).encode(SIX);
        let fails = |bytes: &[u8]| Weights::decode(SIX, bytes).unwrap_err();
        assert_eq!(fails(b"a text"), DecodeError::UnknownFormat("weights of a mill game"));
        assert_eq!(Weights::decode(NINE, &good), Err(DecodeError::OtherShapes("a mill game with 24 points")));
        assert_eq!(fails(&good[..good.len() - 1]), DecodeError::Damaged);
        let short = kind(SIX).encode(&[0; 100], 1);
        assert_eq!(fails(&short), DecodeError::Damaged);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.weights");
        std::fs::write(&file, &good[..50]).unwrap();
        let error = Weights::read(SIX, &file).unwrap_err();
        assert!(error.source().unwrap().to_string().contains("the file is damaged"));
    }
}
