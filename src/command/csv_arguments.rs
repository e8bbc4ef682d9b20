//! [`CsvArguments`]: the option for CSV that is opened in a spreadsheet.

use clap::Args;
use morello_files::output::OutputFormat;

use super::help;

/// How CSV is written.
#[derive(Debug, Clone, Copy, Args)]
pub struct CsvArguments {
    /// Escape CSV fields that a spreadsheet would run as formulas
    ///
    /// An apostrophe is written before fields that begin with =, +, - or @, including positions
    /// that begin with an empty square.
    #[arg(long, help_heading = help::OUTPUT, hide_short_help = true)]
    csv_safe: bool,
}

impl CsvArguments {
    /// Returns the format to write instead of `format`.
    pub fn format(self, format: OutputFormat) -> OutputFormat {
        if self.csv_safe && format == OutputFormat::Csv { OutputFormat::SafeCsv } else { format }
    }
}
