//! Checks positions with expected counts: those of files, and the known counts of a game.

use std::process::ExitCode;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::count::Counting;
use super::{Arguments, CANNOT_WRITE, SHORT_WIDTH, check_size, milliseconds};
use crate::cli::progress::counted;
use crate::cli::{FAILED, INTERRUPTED, eprint_line, files};
use crate::game::{AnyGame, AnyPosition};
use crate::input::{CountedPosition, PerftCounts, RecordError};
use crate::output::{Field, Output};
use crate::perft::{Convention, Reference};

/// The largest known count that `--verify` without a depth checks by default.
const MAX_VERIFIED_LEAVES: u64 = 1_000_000_000;

/// The largest number of records read ahead.
const MAX_QUEUED: usize = 64;

/// An expected count and ours, or the error in a record.
struct CheckRow {
    /// The file, or the source of a known count.
    file: String,
    line: Option<u64>,
    position: String,
    depth: Option<u32>,
    nodes: Option<u64>,
    expected: Option<u64>,
    verdict: Verdict,
    time: Option<Duration>,
    convention: Convention,
    error: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Agrees,
    Differs,
    /// The record could not be read.
    Unreadable,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Agrees => "ok",
            Self::Differs => "DIFFERENT",
            Self::Unreadable => "error",
        }
    }
}

/// The results of a check.
#[derive(Default)]
struct Tally {
    positions: u64,
    /// The last position; the lines of a table follow each other.
    last: Option<AnyPosition>,
    agreeing: u64,
    different: u64,
    /// Counts above the greatest depth or number of leaves.
    skipped: u64,
    unreadable: u64,
    /// The command line to examine the first different count.
    first: Option<String>,
}

impl Tally {
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
    tally: Tally,
}

impl Arguments {
    /// Checks the counts in files.
    pub(super) fn check_files(&self, game: &'static dyn AnyGame, counting: &Counting<'_>) -> anyhow::Result<ExitCode> {
        let inputs = files::inputs(&self.input)?;
        let total = files::total_bytes(&inputs);
        let width = inputs.iter().map(|input| input.name().chars().count()).max().unwrap_or(0).min(30);
        // The run does not wait for the reading thread, which may be blocked on a terminal or a pipe.
        let (sender, queue) = sync_channel(MAX_QUEUED);
        std::thread::spawn(move || match PerftCounts::open(game, inputs) {
            Ok(records) => records.map_while(|record| sender.send(record).ok()).for_each(drop),
            Err(error) => drop(sender.send(Err(error))),
        });
        let receive = || counting.cancel.receive(&queue).and_then(Result::ok).transpose();
        let mut next = receive()?;
        let mut check = Check::new(self, game, width, counting, self.max_leaves)?;
        while let Some(record) = next {
            let (file, line) = (&*record.file, Some(record.line));
            counting.progress.set(record.bytes_read, total, || check.tally.summary());
            let is_done = match record.content {
                Ok(counted) => check.position(file, line, &counted)?,
                Err(error) => check.unreadable(file, &record.raw, &error)?,
            };
            if !is_done {
                break;
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
        let mut done = 0;
        for known in
            table.chunk_by(|a, b| (a.position, a.convention, &a.source) == (b.position, b.convention, &b.source))
        {
            let counted = CountedPosition {
                position: known[0].position,
                convention: Some(known[0].convention),
                counts: known.iter().map(|known| (known.depth, known.nodes)).collect(),
            };
            counting.progress.set(done, Some(table.len() as u64), || check.tally.summary());
            done += known.len() as u64;
            if !check.position(&known[0].source, None, &counted)? {
                break;
            }
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
        let output = files::fitted_records(arguments.format, fields(game, width, arguments.input.len()), None)?;
        Ok(Self { arguments, counting, output, max_leaves, tally: Tally::default() })
    }

    /// Checks the counts of a position; `false` if cancelled.
    fn position(&mut self, file: &str, line: Option<u64>, counted: &CountedPosition) -> anyhow::Result<bool> {
        let CountedPosition { position, convention, counts } = counted;
        let convention = convention.unwrap_or(self.arguments.convention);
        self.tally.positions += u64::from(self.tally.last.replace(*position) != Some(*position));
        for &(depth, expected) in counts {
            if self.arguments.depth.is_some_and(|last| depth > last)
                || self.max_leaves.is_some_and(|max| expected > max)
            {
                self.tally.skipped += 1;
                continue;
            }
            let start = Instant::now();
            let Some(nodes) = self.counting.count(position, depth, convention)? else { return Ok(false) };
            check_size(depth, nodes)?;
            let verdict = if nodes == expected { Verdict::Agrees } else { Verdict::Differs };
            if verdict == Verdict::Agrees {
                self.tally.agreeing += 1;
            } else {
                self.tally.different += 1;
                let command = || self.arguments.command(position, depth, convention) + " --divide";
                self.tally.first.get_or_insert_with(command);
            }
            self.write(&CheckRow {
                file: file.to_owned(),
                line,
                position: position.to_string(),
                depth: Some(depth),
                nodes: Some(nodes),
                expected: Some(expected),
                verdict,
                time: Some(start.elapsed()),
                convention,
                error: None,
            })?;
        }
        Ok(!self.counting.cancel.is_cancelled())
    }

    /// Reports a record that could not be read; `false` if cancelled.
    fn unreadable(&mut self, file: &str, raw: &str, error: &RecordError) -> anyhow::Result<bool> {
        self.tally.unreadable += 1;
        self.write(&CheckRow {
            file: file.to_owned(),
            line: Some(error.line),
            position: raw.lines().next().unwrap_or_default().to_owned(),
            depth: None,
            nodes: None,
            expected: None,
            verdict: Verdict::Unreadable,
            time: None,
            convention: self.arguments.convention,
            error: Some(format!("line {}, column {}: {error}", error.line, error.column)),
        })?;
        Ok(!self.counting.cancel.is_cancelled())
    }

    fn write(&mut self, row: &CheckRow) -> anyhow::Result<()> {
        let output = &mut self.output;
        self.counting.progress.suspend(|| output.write(row).and_then(|()| output.flush())).context(CANNOT_WRITE)
    }

    fn finish(self) -> anyhow::Result<ExitCode> {
        let Self { counting, output, tally, .. } = self;
        counting.progress.finish();
        output.finish().context(CANNOT_WRITE)?;
        if counting.cancel.is_cancelled() {
            eprint_line(format_args!("interrupted"));
        }
        eprint_line(format_args!("{}", tally.summary()));
        if let Some(command) = &tally.first {
            eprint_line(format_args!("to find the first difference, compare the moves: {command}"));
        }
        Ok(match tally {
            _ if counting.cancel.is_cancelled() => ExitCode::from(INTERRUPTED),
            Tally { different: 0, unreadable: 0, .. } => ExitCode::SUCCESS,
            _ => ExitCode::from(FAILED),
        })
    }
}

/// Returns the fields of the rows. The known counts, which have no files, have a source instead of a file with lines.
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
        Named::integer("depth", |row| row.depth.into()),
        Named::integer("nodes", |row| row.nodes.into()).width(15).shortens_to(8),
        Named::integer("expected", |row| row.expected.into()).width(15).shortens_to(8),
        Named::text("verdict", |row| row.verdict.name().into()).width("DIFFERENT".len()),
        Named::float("time_ms", |row| row.time.map(milliseconds).into()).width(12).rank(6),
        Named::text("convention", |row| row.convention.name().into()).width("passes-count".len()).rank(4),
        Named::text("error", |row| row.error.clone().into()),
    ]);
    fields
}
