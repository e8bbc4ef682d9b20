//! The options `--difficulty` and `--theme` of commands that print or ask exercises.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use morello_analysis::{Difficulty, Theme};

/// Returns a parser of the name of a difficulty.
pub(super) fn difficulty_parser() -> impl TypedValueParser<Value = Difficulty> {
    parser(Difficulty::ALL, Difficulty::name)
}

/// Returns a parser of the name of a theme.
pub(super) fn theme_parser() -> impl TypedValueParser<Value = Theme> {
    parser(Theme::ALL, Theme::name)
}

fn parser<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |text: String| all.into_iter().find(|&one| name(one) == text);
    PossibleValuesParser::new(all.map(name)).map(move |text| find(text).expect("the parser accepts only names"))
}
