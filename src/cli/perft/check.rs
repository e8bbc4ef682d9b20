//! Checks positions with expected counts: those of files, and the known counts of a game.

use std::error::Error;
use std::process::ExitCode;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use morello_command::progress::counted;
use morello_command::{FAILED, INTERRUPTED, eprint_line, files};
use morello_core::game::{AnyGame, AnyPosition};
use morello_core::perft::{Convention, Reference, ReferenceReader};
use morello_core::threads;
use morello_files::input::{Input, LineReader, ReadError};
use morello_files::output::{Field, Output};

use super::count::Counting;
use super::{Arguments, SHORT_WIDTH, check_size, milliseconds};

/// The largest known count that `--verify` without a depth checks by default.
const MAX_VERIFIED_LEAVES: u64 = 1_000_000_000;

/// The largest number of lines read ahead.
const MAX_QUEUED: usize = 64;

/// A line of a file with its known values, or its text and the error.
struct FileLine {
    file: String,
    line: u64,
    /// The bytes read from all files.
    bytes_read: u64,
    values: Result<Vec<Reference>, (String, String)>,
}

/// Reads the lines of files that are not blank or comments, until they are no longer received.
fn read_lines(
    game: &dyn AnyGame,
    convention: Convention,
    inputs: &[Input],
    sender: &SyncSender<Result<FileLine, ReadError>>,
) -> Result<(), ReadError> {
    let mut bytes_before = 0;
    for input in inputs {
        let file = input.name();
        let mut lines = LineReader::open(input)?;
        let mut table = ReferenceReader::new(game, convention);
        while let Some((line, text)) = lines.next_text().map_err(|source| ReadError { file: file.clone(), source })? {
            let located = |column: usize, error: &dyn Error| format!("line {line}, column {column}: {error}");
            let values = match text {
                Ok(text) => table.read_line(&text).map_err(|error| (text, located(error.column, &error))),
                Err((text, error)) => Err((text, located(error.column, &error))),
            };
            let bytes_read = bytes_before + lines.bytes_read();
            if !matches!(&values, Ok(values) if values.is_empty())
                && sender.send(Ok(FileLine { file: file.clone(), line, bytes_read, values })).is_err()
            {
                return Ok(());
            }
        }
        bytes_before += lines.bytes_read();
    }
    Ok(())
}

/// An expected count and ours, or the error in a line.
struct CheckRow {
    /// The file, or the source of a known count.
    file: String,
    line: Option<u64>,
    position: String,
    convention: Convention,
    result: Result<CheckedCount, String>,
}

struct CheckedCount {
    depth: u32,
    nodes: u64,
    expected: u64,
    time: Duration,
}

impl CheckRow {
    fn verdict(&self) -> &'static str {
        match &self.result {
            Ok(count) if count.nodes == count.expected => "ok",
            Ok(_) => "DIFFERENT",
            Err(_) => "error",
        }
    }

    fn count(&self) -> Option<&CheckedCount> {
        self.result.as_ref().ok()
    }
}

/// The results of a check.
#[derive(Default)]
struct CheckTally {
    positions: u64,
    /// The last position; its values follow each other.
    last: Option<AnyPosition>,
    agreeing: u64,
    different: u64,
    /// Counts above the greatest depth or number of leaves.
    skipped: u64,
    unreadable: u64,
    /// The command line to examine the first different count.
    first: Option<String>,
}

impl CheckTally {
    /// Describes the results.
    fn summary(&self) -> String {
        let mut text = format!(
            "{} of {}: {} ok, {} different",
            counted(self.agreeing + self.different, "count"),
            counted(self.positions, "position"),
            self.agreeing,
            self.different
        );
        if self.skipped > 0 {
            text += &format!(", {} skipped", self.skipped);
        }
        if self.unreadable > 0 {
            text += &format!("; {} could not be read", counted(self.unreadable, "record"));
        }
        text
    }
}

/// A run of checks.
struct Check<'a> {
    arguments: &'a Arguments,
    counting: &'a Counting<'a>,
    output: Output<'static, CheckRow>,
    max_leaves: Option<u64>,
    tally: CheckTally,
}

impl Arguments {
    /// Checks the counts in files.
    pub(super) fn check_files(&self, game: &'static dyn AnyGame, counting: &Counting<'_>) -> anyhow::Result<ExitCode> {
        let inputs = files::inputs(&self.input)?;
        let total = files::total_bytes(&inputs);
        let width = inputs.iter().map(|input| input.name().chars().count()).max().unwrap_or(0).min(30);
        // The run does not wait for the reading thread, which may be blocked on a terminal or a
        // pipe.
        let (sender, queue) = sync_channel(MAX_QUEUED);
        let convention = self.convention;
        threads::spawn(Box::new(move || {
            // The send fails once the check has ended.
            let _ = read_lines(game, convention, &inputs, &sender).or_else(|error| sender.send(Err(error)));
        }));
        let receive = || counting.cancel.receive(&queue).and_then(Result::ok).transpose();
        let mut next = receive()?;
        let mut check = Check::new(self, game, width, counting, self.max_leaves)?;
        while let Some(FileLine { file, line, bytes_read, values }) = next {
            counting.progress.set(bytes_read, total, &|| check.tally.summary());
            match values {
                Ok(values) => values.iter().try_for_each(|value| check.value(&file, Some(line), value))?,
                Err((text, error)) => check.unreadable(file, line, text, error)?,
            }
            next = receive()?;
        }
        check.finish()
    }

    /// Checks the known counts of the game.
    pub(super) fn check_table(&self, game: &'static dyn AnyGame, counting: &Counting<'_>) -> anyhow::Result<ExitCode> {
        let table = Reference::known(game);
        let max_leaves = Some(self.max_leaves.unwrap_or(MAX_VERIFIED_LEAVES));
        let width = table.iter().map(|known| known.source.chars().count()).max().unwrap_or(0);
        let mut check = Check::new(self, game, width.min(30), counting, max_leaves)?;
        for (done, known) in (0..).zip(&table) {
            counting.progress.set(done, Some(table.len() as u64), &|| check.tally.summary());
            check.value(&known.source, None, known)?;
        }
        check.finish()
    }
}

impl<'a> Check<'a> {
    fn new(
        arguments: &'a Arguments,
        game: &'static dyn AnyGame,
        width: usize,
        counting: &'a Counting<'a>,
        max_leaves: Option<u64>,
    ) -> anyhow::Result<Self> {
        let output = arguments.rows.open(fields(game, width, arguments.input.len()))?;
        Ok(Self { arguments, counting, output, max_leaves, tally: CheckTally::default() })
    }

    /// Checks a count, unless cancelled.
    fn value(&mut self, file: &str, line: Option<u64>, known: &Reference) -> anyhow::Result<()> {
        let &Reference { position, convention, depth, nodes: expected, .. } = known;
        if self.counting.cancel.is_cancelled() {
            return Ok(());
        }
        self.tally.positions += u64::from(self.tally.last.replace(position) != Some(position));
        if self.arguments.depth.is_some_and(|last| depth > last) || self.max_leaves.is_some_and(|max| expected > max) {
            self.tally.skipped += 1;
            return Ok(());
        }
        let start = Instant::now();
        let Some(nodes) = self.counting.count(&position, depth, convention)? else { return Ok(()) };
        check_size(depth, nodes)?;
        if nodes == expected {
            self.tally.agreeing += 1;
        } else {
            self.tally.different += 1;
            let command = || self.arguments.command(&position, depth, convention) + " --divide";
            self.tally.first.get_or_insert_with(command);
        }
        let (file, position) = (file.to_owned(), position.to_string());
        let result = Ok(CheckedCount { depth, nodes, expected, time: start.elapsed() });
        self.write(&CheckRow { file, line, position, convention, result })
    }

    /// Reports a line that could not be read.
    fn unreadable(&mut self, file: String, line: u64, position: String, error: String) -> anyhow::Result<()> {
        self.tally.unreadable += 1;
        let (line, convention) = (Some(line), self.arguments.convention);
        self.write(&CheckRow { file, line, position, convention, result: Err(error) })
    }

    fn write(&mut self, row: &CheckRow) -> anyhow::Result<()> {
        let output = &mut self.output;
        self.counting
            .progress
            .suspend(|| output.write(row).and_then(|()| output.flush()))
            .with_context(|| self.arguments.rows.cannot_write())
    }

    fn finish(self) -> anyhow::Result<ExitCode> {
        let Self { arguments, counting, output, tally, .. } = self;
        counting.progress.finish();
        output.finish().with_context(|| arguments.rows.cannot_write())?;
        if counting.cancel.is_cancelled() {
            eprint_line(format_args!("interrupted"));
        }
        eprint_line(format_args!("{}", tally.summary()));
        if let Some(command) = &tally.first {
            eprint_line(format_args!("to find the first difference, compare the moves: {command}"));
        }
        Ok(match tally {
            _ if counting.cancel.is_cancelled() => ExitCode::from(INTERRUPTED),
            CheckTally { different: 0, unreadable: 0, .. } => ExitCode::SUCCESS,
            _ => ExitCode::from(FAILED),
        })
    }
}

/// Returns the fields of the rows. The known counts, which have no files, have a source instead of
/// a file with lines.
fn fields(game: &dyn AnyGame, width: usize, files: usize) -> Vec<Field<CheckRow>> {
    type Named = Field<CheckRow>;
    let width_of = |position: &AnyPosition| position.to_string().chars().count();
    let position = width_of(&game.start()).max(width_of(game.random_game(0, 30).position()));
    let mut fields = if files > 0 {
        vec![
            Named::text("file", |row| row.file.as_str().into())
                .width(width)
                .shortens_to(SHORT_WIDTH)
                // The name of the only input says little.
                .rank(if files > 1 { 2 } else { 5 }),
            Named::integer("line", |row| row.line.into()),
        ]
    } else {
        vec![Named::text("source", |row| row.file.as_str().into()).not_in_table()]
    };
    fields.extend([
        Named::text("position", |row| row.position.as_str().into()).width(position).shortens_to(SHORT_WIDTH).rank(3),
        Named::integer("depth", |row| row.count().map(|count| count.depth).into()),
        Named::integer("nodes", |row| row.count().map(|count| count.nodes).into()).width(15).shortens_to(8),
        Named::integer("expected", |row| row.count().map(|count| count.expected).into()).width(15).shortens_to(8),
        Named::text("verdict", |row| row.verdict().into()).width("DIFFERENT".len()),
        Named::float("time_ms", |row| row.count().map(|count| milliseconds(count.time)).into()).width(12).rank(6),
        Named::text("convention", |row| row.convention.name().into()).width("passes-count".len()).rank(4),
        Named::text("error", |row| row.result.as_ref().err().cloned().into()),
    ]);
    fields
}
