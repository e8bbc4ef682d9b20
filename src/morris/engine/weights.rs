//! The weights of the evaluation.

use super::terms::{TERMS, term};
use crate::morris::Rules;

/// The weights of the [terms](super::terms::term) in thousandths of a win, while men are placed and afterwards.
pub type Weights = [[i32; TERMS]; 2];

/// Returns the weights for a game.
pub(super) fn of(rules: &Rules) -> &'static Weights {
    match (rules.flying, rules.men) {
        (false, _) => &NINE,
        (true, ..=10) => &FLYING,
        (true, _) => &MORABARABA,
    }
}

/// Counts only men.
pub(super) const SIMPLE: &Weights = &{
    let mut weights = [[0; TERMS]; 2];
    weights[0][term::MAN] = 60;
    weights[1][term::MAN] = 60;
    weights
};

/// For games without flying.
#[rustfmt::skip]
const NINE: Weights = [
    [ 57,  55,  18,  32,  48,   7,  -8,   1,  -5,   5,   0,  -8,  -7, -19,   1,  -2,  21, -29,  33,  26],
    [ 64,  90,  22,  33,  47,  -1,  -9,   6,  -7,  13,   0, -56,  12, -14, -69,  24,  21,  27,  -7,  15],
];

/// For games with flying and up to ten men; fitted to the database values of a third of a million positions of nine men's morris.
#[rustfmt::skip]
const FLYING: Weights = [
    [ 60,  69,   8,  27,  86,  14, -14,  -1,  -2,  11,   0,   0,  -9, -28,  -5,  -7,  37, -24,  29,  52],
    [ 60,  66,  22,  36,  67,  -4, -14,   7, -19,  16, 219, 163,   0, -18, -31,  19,  41,  41, -18,  24],
];

/// For games with flying, diagonals and twelve men.
#[rustfmt::skip]
const MORABARABA: Weights = [
    [ 72,  80,  22,  18,  -5,   4,   0,   4,  -6,  25,   0,   0,  -3, -10,   9,  21,  22, -27,  32,  55],
    [ 51,  40,   3,  19,  25,  -7,  -9,  11, -13,   5, 155,  53,   4, -12, -23,  10,  25,  34, -19,  17],
];
