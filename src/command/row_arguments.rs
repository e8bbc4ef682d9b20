//! [`RowArguments`]: where rows go, and their format.

use anyhow::Context;
use clap::Args;
use morello_files::output::{Field, Output, OutputFormat};

use super::csv_arguments::CsvArguments;
use super::files::{self, ReservedOutput, Target};
use super::help;

/// Where rows go, and their format.
#[derive(Debug, Args)]
pub struct RowArguments {
    /// Write the rows to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    pub output: Target,

    /// Row format [default: from the extension of --output]
    ///
    /// The extensions are .csv, .jsonl and .parquet. Without --output, or with the extension .txt
    /// or none, the format is table.
    #[arg(long, value_enum, help_heading = help::OUTPUT)]
    format: Option<OutputFormat>,

    /// How CSV is written.
    #[command(flatten)]
    pub csv: CsvArguments,
}

impl RowArguments {
    /// Returns the format.
    pub fn format(&self) -> anyhow::Result<OutputFormat> {
        let format = match (self.format, &self.output) {
            (Some(format), _) => format,
            (None, Target::File(file)) => OutputFormat::of_file(file).context("--output, without --format")?,
            (None, Target::Stdout) => OutputFormat::Table,
        };
        files::check_terminal(format, &self.output)?;
        Ok(self.csv.format(format))
    }

    /// Checks the format and the output before long work.
    pub fn check(&self) -> anyhow::Result<()> {
        self.format()?;
        self.output.path().map_or(Ok(()), files::check_new)
    }

    /// Opens the output. A table fits the terminal.
    pub fn open<R>(&self, fields: Vec<Field<R>>) -> anyhow::Result<Output<'static, R>> {
        files::records(self.format()?, fields, &self.output)
    }

    /// Opens the output, which gets the rows after the work.
    pub fn reserve(&self) -> anyhow::Result<ReservedOutput> {
        ReservedOutput::open(&self.output)
    }

    /// Returns the message for an output that failed.
    pub fn cannot_write(&self) -> String {
        files::cannot_write(&self.output)
    }
}
