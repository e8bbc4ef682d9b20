//! Counts on all threads, with progress and checkpoints.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use morello_command::progress::Progress;
use morello_command::{eprint_line, with_remedy};
use morello_core::game::{AnyPosition, Cancel, Position as _};
use morello_core::games;
use morello_core::journal::OpenJournalError;
use morello_core::perft::{self, Convention, Division, PerftCheckpoint, PerftCheckpointError};
use morello_core::threads;

/// Counts leaves; the parameters of all counts of a run.
pub(super) struct Counting<'a> {
    /// The memory for merging positions, in bytes.
    pub bytes: usize,
    pub pool: rayon_core::ThreadPool,
    pub cancel: &'a Cancel,
    pub progress: &'a Progress,
    /// Whether the bar shows the part of the files that was checked instead of the part of a count.
    pub of_files: bool,
    pub checkpoint: Option<PathBuf>,
}

impl Counting<'_> {
    /// Counts one depth; `None` if cancelled.
    pub(super) fn count(
        &self,
        position: &AnyPosition,
        depth: u32,
        convention: Convention,
    ) -> anyhow::Result<Option<u64>> {
        threads::run_on(&self.pool, || self.count_in_pool(position, depth, convention))
    }

    fn count_in_pool(&self, position: &AnyPosition, depth: u32, convention: Convention) -> anyhow::Result<Option<u64>> {
        let on_ply = |ply: u32, positions: usize| {
            self.show(0, None, &|| format!("depth {depth}, {positions} distinct positions at ply {ply}"));
        };
        let perft = games::perft(position.game().name())?;
        let Some(frontier) = perft.frontier(position, depth, convention, self.bytes, self.cancel, &on_ply) else {
            return Ok(None);
        };
        let checkpoint = match &self.checkpoint {
            Some(file) => {
                let opened = PerftCheckpoint::open(file, position, &*frontier);
                Some(opened.map_err(|error| resume_error(error, file))?)
            }
            None => None,
        };
        let known = checkpoint.as_ref().map_or_else(Vec::new, |checkpoint| checkpoint.known().to_vec());
        let counting = CountProgress::new(checkpoint, &known, frontier.info().chunks());
        if let Some(file) = self.checkpoint.as_ref().filter(|_| counting.done > 0) {
            let (done, chunks, file) = (counting.done, counting.chunks, file.display());
            self.progress.suspend(|| eprint_line(format_args!("resuming: {done} of {chunks} parts are in `{file}`")));
        }
        counting.show(depth, self);
        let counting = Mutex::new(counting);
        let nodes = frontier.count(&known, self.cancel, &|chunk, nodes| {
            let mut counting = counting.lock().expect("no thread panics while it keeps a count");
            if !counting.record_chunk(chunk, nodes) {
                self.cancel.cancel();
            }
            counting.show(depth, self);
        });
        let counting = counting.into_inner().expect("no thread panics while it keeps a count");
        match (counting.failed, &self.checkpoint) {
            (Some(error), Some(file)) => {
                let failed = format!("cannot write `{}`", file.display());
                Err(with_remedy(failed, error, "free some space and run the same command again"))
            }
            _ => Ok(nodes),
        }
    }

    /// Counts one depth below each move; `None` if cancelled. There are no moves at depth 0 and at
    /// the end of the game.
    pub(super) fn divide(
        &self,
        position: &AnyPosition,
        depth: u32,
        convention: Convention,
    ) -> anyhow::Result<Option<Vec<Division>>> {
        if depth == 0 || position.is_over() {
            return Ok(Some(Vec::new()));
        }
        let on_move = |done: usize, total: usize| {
            self.show(done as u64, Some(total as u64), &|| format!("depth {depth}, {done} of {total} moves"));
        };
        on_move(0, position.count_moves());
        let perft = games::perft(position.game().name())?;
        Ok(threads::run_on(&self.pool, || {
            perft.divide_with(position, depth, convention, self.bytes, self.cancel, &on_move)
        }))
    }

    fn show(&self, done: u64, total: Option<u64>, message: &dyn Fn() -> String) {
        if self.of_files {
            self.progress.set_message(message);
        } else {
            self.progress.set(done, total, message);
        }
    }
}

/// Returns the total of a division; at depth 0 and at the end of the game, the count of the
/// position itself.
pub(super) fn total(divisions: &[Division], depth: u32, convention: Convention) -> u64 {
    if divisions.is_empty() { perft::ended(depth, convention) } else { perft::total(divisions) }
}

/// Adds a remedy to an error from a checkpoint.
fn resume_error(error: PerftCheckpointError, file: &Path) -> anyhow::Error {
    let remedy = match &error {
        PerftCheckpointError::Open(OpenJournalError::Io(_)) => "use a file that can be read and written",
        PerftCheckpointError::Open(OpenJournalError::InUse) => "wait for it or use another file",
        PerftCheckpointError::DifferentCount { field: "ply" | "positions" | "chunk", .. } => {
            "use the --hash of the run that created it, or use another file"
        }
        PerftCheckpointError::DifferentCount { .. } => "use another file, or the options of the run that created it",
        PerftCheckpointError::Damaged { .. } => "delete that line to count its part again, or use another file",
        _ => "use another file",
    };
    anyhow::anyhow!("cannot resume from the checkpoint `{}`: {error}; {remedy}", file.display())
}

/// The state of a count.
struct CountProgress {
    checkpoint: Option<PerftCheckpoint>,
    /// The error of writing the checkpoint.
    failed: Option<std::io::Error>,
    chunks: usize,
    done: usize,
    nodes: u64,
}

impl CountProgress {
    fn new(checkpoint: Option<PerftCheckpoint>, known: &[Option<u64>], chunks: usize) -> Self {
        let nodes = known.iter().flatten().fold(0, |sum: u64, &nodes| sum.saturating_add(nodes));
        Self { checkpoint, failed: None, chunks, done: known.iter().flatten().count(), nodes }
    }

    /// Saves a finished chunk; returns whether that succeeded.
    fn record_chunk(&mut self, chunk: usize, nodes: u64) -> bool {
        self.done += 1;
        self.nodes = self.nodes.saturating_add(nodes);
        match self.checkpoint.as_mut().map(|checkpoint| checkpoint.add(chunk, nodes)) {
            Some(Err(error)) => {
                self.failed.get_or_insert(error);
                false
            }
            _ => true,
        }
    }

    fn show(&self, depth: u32, counting: &Counting<'_>) {
        counting.show(self.done as u64, Some(self.chunks as u64), &|| {
            format!("depth {depth}, {:.3e} leaves", self.nodes as f64)
        });
    }
}
