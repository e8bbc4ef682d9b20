//! The option `--difficulty` of commands that print or ask exercises.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use morello_analysis::Difficulty;

/// Returns a parser of the name of a difficulty.
pub(super) fn difficulty_parser() -> impl TypedValueParser<Value = Difficulty> {
    PossibleValuesParser::new(Difficulty::ALL.map(Difficulty::name)).map(|name| {
        Difficulty::ALL.into_iter().find(|difficulty| difficulty.name() == name).expect("the parser accepts only names")
    })
}
