//! [`RowFormat`]: the format of the rows of an analysis.

use std::path::Path;
use std::sync::LazyLock;

use anyhow::anyhow;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use morello_analysis::{AnalysisRow, RowInputs};
use morello_core::game::{AnyGame, Limits};
use morello_files::output::{Field, OutputFormat, Text, UnknownExtension};

/// The format of the rows: fields or OBF.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowFormat {
    Fields(OutputFormat),
    Obf,
}

impl std::fmt::Debug for RowFormat {
    /// Writes the name alone, which the fingerprints of checkpoints contain.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fields(format) => format.fmt(f),
            Self::Obf => f.write_str("Obf"),
        }
    }
}

impl RowFormat {
    /// Returns the file format and the fields of the rows.
    pub fn fields(
        self,
        game: &dyn AnyGame,
        limits: &Limits,
        inputs: &RowInputs<'_>,
    ) -> anyhow::Result<(OutputFormat, Vec<Field<AnalysisRow>>)> {
        match self {
            Self::Fields(format) => Ok((format, AnalysisRow::fields(game, limits, inputs))),
            Self::Obf => {
                let scored = game.formats().iter().find(|format| format.has_scores()).ok_or_else(|| {
                    anyhow!("{} has no OBF format, which is for Othello only; use csv or jsonl", game.name())
                })?;
                let line = Field::capturing("obf", move |row: &AnalysisRow| Text::from(row.to_line(scored)));
                Ok((OutputFormat::Lines, vec![line]))
            }
        }
    }

    /// Returns the format for the extension of a file.
    pub fn of_file(path: &Path) -> Result<Self, UnknownExtension> {
        let is_obf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("obf"));
        if is_obf { Ok(Self::Obf) } else { OutputFormat::of_file(path).map(Self::Fields) }
    }
}

impl ValueEnum for RowFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<RowFormat>> = LazyLock::new(|| {
            let fields = OutputFormat::value_variants().iter().map(|&format| RowFormat::Fields(format));
            fields.chain([RowFormat::Obf]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Fields(format) => format.to_possible_value(),
            Self::Obf => Some(PossibleValue::new("obf").help("Othello positions with moves and scores")),
        }
    }
}
