//! `morello book import` and `export`: books of other programs, CSV and JSON lines.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use morello_command::progress::counted;
use morello_command::{eprint_line, files, help};
use morello_core::bounded_file::{MAX_DATA_BYTES, read_file};
use morello_core::game::AnyGame;
use morello_core::othello::formats::wthor::Date;
use morello_core::sorting;
use morello_files::book::foreign::{read_edax, read_egaroucid, write_edax, write_egaroucid};
use morello_files::book::{BookGraph, BookRow, read_rows};
use morello_files::input::Input;
use morello_files::output::OutputFormat;

use super::book_arguments::{ReadArguments, WriteArguments};

const IMPORT_EXAMPLES: &str = "\
Examples:
  morello book import othello mine.book book.dat
  morello book import othello mine.book book.egbk3
  morello book import othello mine.book rows.csv
  morello book import six-mens-morris mills.book openings.csv     # from `morello database openings`";

const EXPORT_EXAMPLES: &str = "\
Examples:
  morello book export othello book.dat
  morello book export othello book.egbk3 --book mine.book
  morello book export othello rows.jsonl --book mine.book";

/// The formats of books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BookFormat {
    /// Edax book, version 4 (.dat)
    Edax,
    /// Egaroucid book, version 3 (.egbk3)
    Egaroucid,
    /// Rows as comma-separated values (.csv)
    Csv,
    /// Rows as JSON lines (.jsonl)
    Jsonl,
}

impl BookFormat {
    /// Returns the given format, or that of the extension of a file.
    fn of(given: Option<Self>, option: &str, path: &Path, game: &dyn AnyGame) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let format = match (given, extension.as_deref()) {
            (Some(format), _) => format,
            (None, Some("dat")) => Self::Edax,
            (None, Some("egbk3")) => Self::Egaroucid,
            (None, Some("csv")) => Self::Csv,
            (None, Some("jsonl")) => Self::Jsonl,
            (None, _) => {
                bail!("the extension of `{}` is not .dat, .egbk3, .csv or .jsonl; add {option}", path.display())
            }
        };
        if matches!(format, Self::Edax | Self::Egaroucid) && game.name() != "othello" {
            bail!("Edax and Egaroucid books are for othello, not for {}; use csv or jsonl", game.name());
        }
        Ok(format)
    }
}

/// Import a book from another program, or rows
///
/// Reads Edax books (book.dat), Egaroucid books (.egbk3), rows written by `export`, and opening
/// tables of the mill games written by `morello database openings`. The level of a score becomes
/// its depth. Deeper scores replace the scores in the book. The whole file is checked before the
/// book is changed.
#[derive(Debug, Args)]
#[command(before_long_help = IMPORT_EXAMPLES)]
pub(super) struct ImportArguments {
    #[command(flatten)]
    book: WriteArguments,

    /// File to read
    input: PathBuf,

    /// Input format [default: from the extension of the file]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = help::INPUT)]
    input_format: Option<BookFormat>,
}

/// Export a book for another program, or as rows
///
/// The csv and jsonl formats are lossless. In Edax and Egaroucid books, scores are whole discs, and
/// the depth and confidence of a search are reduced to a level. Egaroucid books have no game
/// counts.
#[derive(Debug, Args)]
#[command(before_long_help = EXPORT_EXAMPLES)]
pub(super) struct ExportArguments {
    #[command(flatten)]
    read: ReadArguments,

    /// File to write
    output: PathBuf,

    /// Output format [default: from the extension of the file]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = help::OUTPUT)]
    to: Option<BookFormat>,
}

impl ImportArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.book.game;
        let format = BookFormat::of(self.input_format, "--input-format", &self.input, game)?;
        files::check_distinct(&[Input::File(self.input.clone())], &[&self.book.file])?;
        let path = self.input.display();
        let cannot_read = || format!("cannot read `{path}`");
        let mut imported = BookGraph::default();
        let read = || read_file(&self.input, MAX_DATA_BYTES).with_context(cannot_read);
        let skipped = match format {
            BookFormat::Edax => read_edax(&read()?, &mut imported).with_context(|| format!("`{path}`"))?.skipped,
            BookFormat::Egaroucid => {
                read_egaroucid(&read()?, &mut imported).with_context(|| format!("`{path}`"))?.skipped
            }
            BookFormat::Csv | BookFormat::Jsonl => {
                let file = BufReader::new(File::open(&self.input).with_context(cannot_read)?);
                read_rows(game, file, format == BookFormat::Jsonl, &mut imported)
                    .map_err(|error| anyhow!("`{path}`, {error}"))?;
                0
            }
        };
        let mut writer = self.book.open(true)?;
        let mut graph = BookGraph::load(&writer)?;
        let before = graph.len();
        imported.iter().for_each(|(position, entry)| graph.merge(*position, entry));
        graph.negamax();
        let added = graph.len() - before;
        graph.store(&mut writer)?;
        let passes = match skipped {
            0 => String::new(),
            _ => format!("; skipped {} in which a side must pass", counted(skipped, "position")),
        };
        eprint_line(format_args!(
            "{} read, {} added{passes}",
            counted(imported.len() as u64, "position"),
            counted(added as u64, "position")
        ));
        Ok(ExitCode::SUCCESS)
    }
}

impl ExportArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.read.game;
        let format = BookFormat::of(self.to, "--to", &self.output, game)?;
        let inputs: Vec<_> = self.read.book.clone().map(Input::File).into_iter().collect();
        files::check_distinct(&inputs, &[&self.output])?;
        let book = self.read.open()?.file();
        let mut graph = BookGraph::default();
        book.for_each(&mut |position, entry| graph.set(position, entry))?;
        let cannot_write = || files::cannot_write(&self.output);
        let written = match format {
            BookFormat::Csv | BookFormat::Jsonl => {
                let to = if format == BookFormat::Csv { OutputFormat::Csv } else { OutputFormat::Jsonl };
                let mut output = files::records(to, BookRow::fields(), &self.output)?;
                let mut all: Vec<_> = graph.iter().collect();
                sorting::sort_by(&mut all, &|(a, _), (b, _)| b.empty_count().cmp(&a.empty_count()).then(a.cmp(b)));
                for (position, entry) in all {
                    for row in BookRow::of(position, entry) {
                        output.write(&row).with_context(cannot_write)?;
                    }
                }
                output.finish().with_context(cannot_write)?;
                graph.len() as u64
            }
            BookFormat::Edax | BookFormat::Egaroucid => {
                let mut output = files::output(&self.output)?;
                let written = match format {
                    BookFormat::Edax => write_edax(&graph, Date::of(SystemTime::now()), &mut output),
                    _ => write_egaroucid(&graph, &mut output),
                };
                let written = written.with_context(cannot_write)?;
                output.flush().with_context(cannot_write)?;
                written
            }
        };
        let left_out = (graph.len() as u64).saturating_sub(written);
        let without = match left_out {
            0 => String::new(),
            _ => format!("; skipped {} without a score", counted(left_out, "position")),
        };
        eprint_line(format_args!("{} written{without}", counted(written, "position")));
        Ok(ExitCode::SUCCESS)
    }
}
