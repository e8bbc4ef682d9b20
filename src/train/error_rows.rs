//! [`ErrorRows`]: the errors during training, in a table and in a CSV file.

use std::io;
use std::path::Path;

use anyhow::Context;
use morello_command::files;
use morello_command::progress::Progress;
use morello_files::output::{Field, Output, OutputFormat};

/// Writes rows to standard output as a table and, if requested, to a CSV file.
pub(super) struct ErrorRows<R> {
    table: Output<'static, R>,
    csv: Option<Output<'static, R>>,
    written: io::Result<()>,
}

impl<R> ErrorRows<R> {
    pub fn open(csv: Option<&Path>, fields: fn() -> Vec<Field<R>>) -> anyhow::Result<Self> {
        let csv = csv.map(files::output).transpose()?;
        let csv = csv.map(|file| Output::new(OutputFormat::Csv, fields(), file)).transpose()?;
        Ok(Self {
            table: Output::new(OutputFormat::Table, fields(), files::output(files::Target::Stdout)?)?,
            csv,
            written: Ok(()),
        })
    }

    /// Writes a row. Training continues after a write error; [`finish`](Self::finish) returns it.
    pub fn write(&mut self, row: &R, progress: &Progress) {
        let Self { table, csv, written } = self;
        if written.is_err() {
            return;
        }
        *written = progress.suspend(|| table.write(row).and_then(|()| table.flush()));
        if let Some(csv) = csv.as_mut().filter(|_| written.is_ok()) {
            *written = csv.write(row).and_then(|()| csv.flush());
        }
    }

    /// Returns the first write error, if any.
    pub fn finish(self) -> anyhow::Result<()> {
        self.written.context("cannot write the errors")
    }
}
