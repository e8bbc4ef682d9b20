//! [`RowArguments`]: the output of rows that are known before they are written.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::cli::{files, help};
use crate::output::{Field, OutputFormat};

/// Where rows go, and their format.
#[derive(Debug, Args)]
pub(super) struct RowArguments {
    /// Write the rows to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    pub output: Option<PathBuf>,

    /// Row format [default: from the extension of --output]
    ///
    /// The extensions are .csv, .jsonl and .parquet. The default is table without --output, and with the extension .txt or none.
    #[arg(long, value_enum, help_heading = help::OUTPUT)]
    format: Option<OutputFormat>,
}

impl RowArguments {
    /// Returns the format.
    pub fn format(&self) -> anyhow::Result<OutputFormat> {
        match (self.format, self.output.as_deref().filter(|file| file.as_os_str() != "-")) {
            (Some(format), _) => Ok(format),
            (None, Some(file)) => OutputFormat::of_file(file).context("--output, without --format"),
            (None, None) => Ok(OutputFormat::Table),
        }
    }

    /// Writes all rows.
    pub fn write<R>(&self, fields: Vec<Field<R>>, rows: &[R]) -> anyhow::Result<()> {
        let file = self.output.as_deref();
        let mut output = files::fitted_records(self.format()?, fields, file)?;
        let written = rows.iter().try_for_each(|row| output.write(row)).and_then(|()| output.finish());
        written.with_context(|| files::cannot_write(file))
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
