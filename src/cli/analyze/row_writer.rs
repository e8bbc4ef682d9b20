//! [`RowWriter`]: writes the rows of an analysis, counts them for the statistics, and saves
//! checkpoints.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use morello_analysis as analysis;
use morello_analysis::checkpoint::AnalysisCheckpoint;
use morello_analysis::pipeline::{RunStatus, Sink};
use morello_analysis::{
    AnalysisOptions, AnalysisRow, ExactSolveProgress, GameReview, PlayStatistics, RowInputs, Statistics, TaskError,
    Tasks,
};
use morello_command::files::Target;
use morello_command::progress::{Progress, counted};
use morello_command::{eprint_line, files};
use morello_core::game::Cancel;
use morello_files::output::{Field, Output, OutputFormat};

use super::Arguments;
use super::row_format::RowFormat;

/// Progress within a position is shown after this time.
const LONG_SOLVE: Duration = Duration::from_secs(1);

/// The time between two checkpoints: the work that a killed process may lose.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);

/// A checkpoint that takes long, because its statistics have many names, is written so rarely that
/// it takes at most one part in this of the time.
const CHECKPOINT_SHARE: u32 = 20;

/// The most games that a report shows.
const MAX_REVIEWS: usize = 10;

/// Creates an output of records. One that can be resumed goes on after its first `kept` bytes.
pub(super) fn open_output<R>(
    format: OutputFormat,
    fields: Vec<Field<R>>,
    file: Option<&Path>,
    kept: Option<u64>,
) -> anyhow::Result<Output<'static, R>> {
    match (file, kept) {
        (Some(path), Some(kept)) if format == OutputFormat::Parquet => {
            let rows = files::open_at(&kept_rows(path), kept)?;
            Ok(Output::parquet_with_rows(fields, rows, Target::from(path).replace()?))
        }
        (Some(path), Some(kept)) if kept > 0 => {
            Output::resume(format, fields, BufWriter::new(files::open_at(path, kept)?))
                .with_context(|| files::cannot_write(file))
        }
        _ => files::replaced_records(format, fields, file),
    }
}

/// Returns the file that keeps the rows of a Parquet file until it is written.
pub(super) fn kept_rows(parquet: &Path) -> PathBuf {
    parquet.with_added_extension("rows")
}

/// Returns the file that has the rows so far of an output that can be resumed.
pub(super) fn file_of_rows(file: PathBuf, format: Option<RowFormat>) -> PathBuf {
    if format == Some(RowFormat::Fields(OutputFormat::Parquet)) { kept_rows(&file) } else { file }
}

/// Flushes an output and returns the size of its file.
fn flushed_bytes<R>(output: &mut Output<'_, R>, file: &Path) -> io::Result<u64> {
    output.flush()?;
    Ok(file.metadata()?.len())
}

/// The checkpoint of a run.
pub(super) struct CheckpointWriter {
    path: PathBuf,
    /// The files of the rows and of `--game-rows`.
    outputs: [Option<PathBuf>; 2],
    /// Whether one of them only keeps the rows of a Parquet file.
    keeps_rows: bool,
    /// The state at the start of this process: empty, or that of an interrupted run.
    pub initial: AnalysisCheckpoint,
    /// When this process started.
    start: Instant,
    /// When the last checkpoint was written.
    last: Instant,
    /// The number of its records.
    records: u64,
    /// The time between two checkpoints.
    interval: Duration,
}

impl CheckpointWriter {
    /// Continues a run from a checkpoint in the file `path`.
    pub fn new(path: PathBuf, outputs: [Option<PathBuf>; 2], initial: AnalysisCheckpoint) -> Self {
        let (start, records) = (Instant::now(), initial.records);
        let keeps_rows = outputs.iter().flatten().any(|file| file.extension().is_some_and(|name| name == "rows"));
        Self { path, outputs, keeps_rows, initial, start, last: start, records, interval: CHECKPOINT_INTERVAL }
    }
}

/// The outputs of an analysis.
pub(super) struct RowWriter<'a> {
    /// The rows.
    pub rows: Output<'static, AnalysisRow>,
    /// The output of `--game-rows`.
    pub games: Option<Output<'static, GameReview>>,
    /// The columns of a table, until a row has something without a column.
    pub table: Option<RowInputs<'a>>,
    /// The statistics of the rows.
    pub statistics: Statistics,
    /// The statistics of the moves played.
    pub play: PlayStatistics,
    /// The games for the report, unless there are too many.
    pub reviews: Option<Vec<GameReview>>,
    /// Whether the first invalid record ends the run.
    strict: bool,
    /// The error that ended the reading of an input.
    pub failed: Option<TaskError>,
    progress: &'a Progress,
    /// The size of all inputs, if known.
    total_bytes: Option<u64>,
    /// The checkpoint, with `--resume`.
    checkpoint: Option<CheckpointWriter>,
    /// The index of the record of the last row.
    record: u64,
    /// The bytes of the inputs up to the beginning and the end of that record.
    record_bytes: [u64; 2],
    /// Whether that was its only row: a position, not one of a game.
    is_whole: bool,
}

impl<'a> RowWriter<'a> {
    /// Continues a run from the state at which it `begun`.
    pub fn new(
        arguments: &Arguments,
        (rows, games): (Output<'static, AnalysisRow>, Option<Output<'static, GameReview>>),
        begun: AnalysisCheckpoint,
        checkpoint: Option<CheckpointWriter>,
        total_bytes: Option<u64>,
        progress: &'a Progress,
    ) -> Self {
        let (strict, is_whole, failed) = (arguments.strict, false, None);
        let AnalysisCheckpoint { statistics, play, records: record, .. } = begun;
        // The moves before the checkpoint of a resumed run are not known.
        let reviews = (arguments.report.is_some() && record == 0).then(Vec::new);
        Self {
            rows,
            games,
            table: None,
            statistics,
            play,
            reviews,
            strict,
            failed,
            progress,
            total_bytes,
            checkpoint,
            record,
            record_bytes: [0; 2],
            is_whole,
        }
    }

    /// Analyzes the tasks.
    pub fn run(&mut self, tasks: Tasks, options: &AnalysisOptions, cancel: &Cancel) -> io::Result<RunStatus> {
        if self.record == 0 {
            // From now on, another run is recognized.
            self.save_checkpoint(0, false)?;
        }
        let progress = self.progress;
        let on_solving = |solving: &ExactSolveProgress| {
            if solving.time >= LONG_SOLVE {
                progress.set_message(&|| solving.to_string());
            }
        };
        let end = analysis::run(tasks, options, &on_solving, cancel, self);
        self.progress.finish();
        let end = end?;
        if end == RunStatus::Complete {
            self.finish_game()?;
            if self.failed.is_none() {
                let is_written = self.checkpoint.as_ref().is_none_or(|checkpoint| !checkpoint.keeps_rows);
                self.save_checkpoint(self.record + 1, is_written)?;
            }
        } else if end == RunStatus::Cancelled && self.is_whole {
            self.save_checkpoint(self.record + 1, false)?;
        }
        Ok(end)
    }

    /// Writes the row of the finished game.
    fn finish_game(&mut self) -> io::Result<()> {
        let game = self.play.finish();
        self.add_game(game)
    }

    fn add_game(&mut self, game: Option<GameReview>) -> io::Result<()> {
        if let (Some(game), Some(games)) = (&game, &mut self.games) {
            games.write(game)?;
        }
        self.review(game);
        Ok(())
    }

    /// Says once that a row has something for which the table has no column.
    fn note_missing_column(&mut self, row: &AnalysisRow) {
        if let Some(what) = self.table.and_then(|inputs| row.without_column(&inputs)) {
            self.table = None;
            let (file, line) = (&row.origin.file, row.origin.line);
            self.progress.suspend(|| {
                eprint_line(format_args!(
                    "{file}, line {line}: {what}, for which a table has no columns; use csv, jsonl or parquet"
                ));
            });
        }
    }

    /// Counts the last game, which may be incomplete.
    pub fn review_last_game(&mut self) {
        let game = self.play.finish();
        self.review(game);
    }

    /// Keeps a game for the report.
    fn review(&mut self, game: Option<GameReview>) {
        if let (Some(game), Some(reviews)) = (game, &mut self.reviews) {
            reviews.push(game);
        }
        self.reviews.take_if(|reviews| reviews.len() > MAX_REVIEWS);
    }

    /// Saves a checkpoint after the first `records` records if there are new ones and the last
    /// checkpoint is old enough.
    fn save_due_checkpoint(&mut self, records: u64) -> io::Result<()> {
        match &self.checkpoint {
            Some(noting) if noting.records < records && noting.last.elapsed() >= noting.interval => {
                self.save_checkpoint(records, false)
            }
            _ => Ok(()),
        }
    }

    /// Saves a checkpoint after the first `records` records.
    fn save_checkpoint(&mut self, records: u64, complete: bool) -> io::Result<()> {
        let Some(noting) = &mut self.checkpoint else { return Ok(()) };
        let began = Instant::now();
        let mut checkpoint = noting.initial.clone();
        checkpoint.complete = complete;
        checkpoint.records = records;
        if let [Some(rows), games] = &noting.outputs {
            checkpoint.rows_bytes = flushed_bytes(&mut self.rows, rows)?;
            let games = self.games.as_mut().zip(games.as_deref());
            checkpoint.games_bytes = games.map_or(Ok(0), |(output, file)| flushed_bytes(output, file))?;
        }
        checkpoint.elapsed_ms += noting.start.elapsed().as_millis() as u64;
        checkpoint.statistics = self.statistics.clone();
        checkpoint.play = self.play.clone();
        checkpoint.write(&noting.path)?;
        noting.interval = CHECKPOINT_INTERVAL.max(began.elapsed() * CHECKPOINT_SHARE);
        (noting.last, noting.records) = (Instant::now(), records);
        Ok(())
    }
}

impl RowWriter<'_> {
    /// Returns the bytes of the inputs that are done: within a game, by its moves.
    fn bytes_done(&self, row: &AnalysisRow) -> u64 {
        let [begin, end] = self.record_bytes;
        row.game_context.as_ref().map_or(end, |context| {
            let (done, all) = (u64::from(context.next_ply), u64::from(context.game.plies) + 1);
            begin + (end - begin) * done.min(all) / all
        })
    }
}

impl Sink<Result<AnalysisRow, TaskError>> for RowWriter<'_> {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                self.failed = Some(error);
                return Ok(false);
            }
        };
        if row.origin.record != self.record {
            self.finish_game()?;
            self.save_due_checkpoint(row.origin.record)?;
            self.record = row.origin.record;
        }
        if row.origin.bytes_read != self.record_bytes[1] {
            self.record_bytes = [self.record_bytes[1], row.origin.bytes_read];
        }
        self.is_whole = row.game_context.is_none();
        self.progress.suspend(|| self.rows.write(&row))?;
        self.note_missing_column(&row);
        self.statistics.add(&row);
        let game = self.play.add(&row);
        self.add_game(game)?;
        self.progress.set(self.bytes_done(&row), self.total_bytes, &|| counted(self.statistics.rows(), "position"));
        Ok(!(self.strict && row.result.is_err()))
    }

    fn idle(&mut self) -> io::Result<()> {
        if self.is_whole {
            self.save_due_checkpoint(self.record + 1)?;
        }
        self.progress.suspend(|| self.rows.flush())
    }
}
