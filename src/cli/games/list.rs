//! `morello games list`: lists or extracts games.

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use morello_command::csv_arguments::CsvArguments;
use morello_command::files::{self, Target};
use morello_command::{eprint_line, help, numbers};
use morello_core::game::{AnyGame, Scoring};
use morello_core::printable::printable;
use morello_files::conversion::{Conversion, ConversionFormat, ConversionTarget, SkippedRecord};
use morello_files::input::{GameRecord, Reader, Selection};
use morello_files::output::{Field, OutputFormat};

use super::query::{QueryArguments, ReadingThreads};
use super::row_output::file_name;
use crate::cli::conversion_format;

/// The columns of a table after the file: the widths of texts, in characters, the widths to which a
/// narrow terminal may shorten them, and the order in which it leaves out columns, the highest
/// first.
const TABLE: [(&str, usize, usize, u8); 10] = [
    ("line", 0, 0, 0),
    ("black", 20, 10, 1),
    ("white", 20, 10, 1),
    ("tournament", 20, 8, 4),
    ("date", 10, 10, 2),
    ("black_points", 0, 0, 2),
    ("result", 0, 0, 2),
    ("ending", 12, 6, 4),
    ("plies", 0, 0, 5),
    ("moves", 24, 10, 3),
];

/// The maximum width of the column of file names in a table, in characters.
const FILE_WIDTH: usize = 16;

/// The name of the table as a format.
const TABLE_FORMAT: &str = "table";

const EXAMPLES: &str = "\
Examples:
  morello games list othello WTH_*.wtb --player tamenori --year 1995..2000
  morello games list othello WTH_*.wtb --position f5d6c3d3c4 --result -64..-20
  morello games list othello games.ggf --rating 1800.. -o strong.ggf
  morello games list othello WTH_*.wtb --sample 1000 -o sample.txt";

/// List or extract the games that match
///
/// Writes a row for each game, in input order, or the games themselves in any format that `convert`
/// writes. The number of games that match is printed to standard error.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    query: QueryArguments,

    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    output: Target,

    /// List at most N games: the first that match
    ///
    /// The rest of the files is not read. With --sample, the first N games of the sample are
    /// listed.
    #[arg(long, value_name = "N", help_heading = help::OUTPUT, value_parser = numbers::whole(1..=u64::MAX))]
    limit: Option<u64>,

    /// Output format [default: table, or from the extension of --output]
    ///
    /// The format is table, csv, jsonl, parquet, or a format of the game such as ggf; an unknown
    /// name lists the formats. The extensions are the names of the formats, .wtb for wthor and .txt
    /// for move lists. The table shows some of the fields, and shortens long values.
    #[arg(long, value_name = "FORMAT", help_heading = help::OUTPUT)]
    format: Option<String>,

    #[command(flatten)]
    csv: CsvArguments,

    #[command(flatten)]
    threads: ReadingThreads,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let output = &arguments.output;
    let mut query = arguments.query.open(&output.path().into_iter().collect::<Vec<_>>())?;
    query.limit = arguments.limit;
    let format = arguments.format(query.reader.game())?;
    let is_table = format.is_none();
    let mut games = Conversion::new(arguments.target(&query.reader, format)?, Selection::default());
    let cannot_write = || files::cannot_write(output);
    let mut failures = 0;
    let counts = query.run(arguments.threads.count(), output.is_terminal(), |record| record, &mut |record| {
        if let Some(SkippedRecord { file, line, problem, .. }) =
            games.write_record(record).with_context(cannot_write)?
        {
            failures += 1;
            let problem = format!("{:#}", anyhow::Error::from_boxed(problem));
            eprint_line(format_args!("{file}, line {line}: {}", printable(&problem)));
        }
        Ok(())
    })?;
    let (written, lost) = games.finish().with_context(cannot_write)?;
    let kinds = written.lost.iter().map(|(kind, count)| format!("{kind} of {count}"));
    let lost: Vec<_> = kinds.chain((!lost.is_empty()).then_some(lost)).collect();
    // A table is an excerpt.
    if !lost.is_empty() && !is_table {
        eprint_line(format_args!("dropped: {}", lost.join(", ")));
    }
    counts.print();
    counts.exit_code(failures)
}

impl Arguments {
    /// Returns the format; `None` is a table.
    fn format(&self, game: &'static dyn AnyGame) -> anyhow::Result<Option<ConversionFormat>> {
        let name = self.format.as_deref();
        if name == Some(TABLE_FORMAT) || name.is_none() && self.output.path().is_none() {
            return Ok(None);
        }
        match conversion_format::of(game, name, &self.output, self.csv, "--format")? {
            ConversionFormat::Text(format) if format.writer.game.is_none() => {
                bail!("--format {}: this format is for positions, not games", format.name)
            }
            format => Ok(Some(format)),
        }
    }

    /// Opens the output.
    fn target(&self, reader: &Reader, format: Option<ConversionFormat>) -> anyhow::Result<ConversionTarget> {
        let output = &self.output;
        match format {
            Some(format) => conversion_format::open(format, reader, output, true),
            None => {
                let fields = table_fields(reader, self.query.inputs());
                Ok(ConversionTarget::Games(files::records(OutputFormat::Table, fields, output)?))
            }
        }
    }
}

/// Returns the fields of a table.
fn table_fields(reader: &Reader, inputs: usize) -> Vec<Field<GameRecord>> {
    let game = reader.game();
    let mut fields = GameRecord::fields(game, &[]);
    let of_margin = game.info().scoring == Scoring::Margin;
    let field = |(name, width, least, rank): (&str, usize, usize, u8)| {
        let name = match name {
            "moves" if of_margin => "transcript",
            name => name,
        };
        let at = fields.iter().position(|field| field.name() == name).expect("games have these fields");
        let field = fields.swap_remove(at).rank(rank);
        if width > 0 { field.excerpt(width).shortens_to(least) } else { field }
    };
    let mut columns: Vec<_> = TABLE.into_iter().map(field).collect();
    if inputs > 1 {
        columns.insert(
            0,
            Field::text("file", |record: &GameRecord| file_name(&record.file).into()).excerpt(FILE_WIDTH).rank(6),
        );
    }
    columns
}
