//! [`RowArguments`]: the output of rows that are written after the work.

use std::path::Path;

use clap::Args;
use morello_command::csv_arguments::CsvArguments;
use morello_command::files::{self, ReservedOutput, Target};
use morello_command::help;
use morello_files::output::OutputFormat;

/// Where rows go, and their format.
#[derive(Debug, Args)]
pub(super) struct RowArguments {
    /// Write the rows to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    pub output: Target,

    /// Row format [default: from the extension of --output]
    ///
    /// The extensions are .csv, .jsonl and .parquet. The default is table without --output, and
    /// with the extension .txt or none.
    #[arg(long, value_enum, help_heading = help::OUTPUT)]
    format: Option<OutputFormat>,

    #[command(flatten)]
    pub csv: CsvArguments,
}

impl RowArguments {
    /// Returns the format.
    pub fn format(&self) -> anyhow::Result<OutputFormat> {
        let format = files::row_format(self.format, &self.output)?;
        files::check_terminal(format, &self.output)?;
        Ok(self.csv.format(format))
    }

    /// Opens the output, which gets the rows after the work.
    pub fn reserve(&self) -> anyhow::Result<ReservedOutput> {
        ReservedOutput::open(&self.output)
    }
}

/// Returns the width of the longest text in characters.
pub(super) fn width(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// Returns the name of a file without its folder, for a table.
pub(super) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}
