//! The output of a command whose result is one object.

use std::path::Path;

use clap::{Args, ValueEnum};
use morello_command::files::{ReservedOutput, Target};
use morello_command::help;
use morello_core::printable::printable_lines;
use serde_json::Value;

/// Where the result goes, and in which form.
#[derive(Debug, Args)]
pub(super) struct ObjectOutput {
    /// Write the result to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    output: Target,

    /// Result format
    #[arg(long, value_enum, default_value = "table", help_heading = help::OUTPUT)]
    format: ObjectFormat,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ObjectFormat {
    /// Readable text
    Table,
    /// One JSON object
    Jsonl,
}

impl ObjectOutput {
    /// Returns the file; `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        self.output.path()
    }

    /// Returns whether text goes to a terminal.
    pub fn is_on_terminal(&self) -> bool {
        self.format == ObjectFormat::Table && self.output.is_terminal()
    }

    /// Opens the output before the work, so that errors come first.
    pub fn reserve(&self) -> anyhow::Result<ReservedOutput> {
        ReservedOutput::open(&self.output)
    }

    /// Returns the result in its form.
    pub fn render(&self, text: &str, object: impl FnOnce() -> serde_json::Result<Value>) -> anyhow::Result<String> {
        Ok(match self.format {
            ObjectFormat::Table => printable_lines(text).to_string(),
            ObjectFormat::Jsonl => format!("{}\n", object()?),
        })
    }
}
