//! [`PerftCheckpoint`]: a file that records the finished chunks of a count.
//!
//! ```text
//! morello perft checkpoint 1
//! game othello
//! position ---------------------------OX------XO--------------------------- X
//! convention passes-count
//! depth 16
//! ply 12
//! positions 137640469
//! chunk 2101
//! digest 5ca1ab1e0ddba11c
//! 17 31415926535 89abcdef01234567
//! ```
//!
//! The header describes the count, and must match to resume it. Equal counts have equal frontiers,
//! and thus equal chunk numbers. After the header there is one line per finished chunk: its number,
//! its leaves and a checksum. Each line is written at once, so a killed process loses only its
//! unfinished chunks. An incomplete last line is discarded.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::AnyFrontier;
use crate::fnv::Fnv1a;
use crate::game::AnyPosition;
use crate::journal::{Journal, OpenJournalError};

/// The first line of the file, with the format version.
const TITLE: &str = "morello perft checkpoint 1";

/// The interval at which the file is synced to disk. A machine failure loses at most the chunks of
/// this interval.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// Why a count cannot be resumed from a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PerftCheckpointError {
    /// The file cannot be read or written, or another process is using it.
    #[error(transparent)]
    Open(#[from] OpenJournalError),
    /// The file is not a checkpoint; it was not changed.
    #[error("not a perft checkpoint: line {line} is not `{expected}`")]
    NotACheckpoint {
        /// The line number, counted from 1.
        line: usize,
        /// The expected line.
        expected: String,
    },
    /// The checkpoint belongs to another count; it was not changed.
    #[error("the checkpoint belongs to another count: `{field}` is `{found}` in the file, expected `{expected}`")]
    DifferentCount {
        /// The field that differs.
        field: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value in this count.
        expected: String,
    },
    /// A line other than the last is damaged; the file was not changed.
    #[error("line {line} is damaged: `{text}`")]
    Damaged {
        /// The line number, counted from 1.
        line: usize,
        /// The line.
        text: String,
    },
}

/// A file of the finished chunks of a count.
///
/// ```
/// use morello::game::Cancel;
/// use morello::games;
/// use morello::perft::{Convention, PerftCheckpoint};
///
/// let (start, cancel) = (games::get("othello")?.start(), Cancel::new());
/// let perft = games::perft("othello")?;
/// let frontier = perft.frontier(&start, 7, Convention::default(), 1 << 20, &cancel, &|_, _| ());
/// let frontier = frontier.expect("not cancelled");
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("othello.perft");
/// let mut checkpoint = PerftCheckpoint::open(&file, &start, frontier.as_ref())?;
/// checkpoint.add(3, 12_345)?; // the leaves of chunk 3, from `AnyFrontier::count`
/// drop(checkpoint);
///
/// let checkpoint = PerftCheckpoint::open(&file, &start, frontier.as_ref())?;
/// assert_eq!(checkpoint.known()[2..=3], [None, Some(12_345)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PerftCheckpoint {
    journal: Journal,
    known: Vec<Option<u64>>,
    digest: u64,
}

impl PerftCheckpoint {
    /// Opens the checkpoint of a count from `root` with this frontier, or creates it if the file is
    /// missing or empty.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`PerftCheckpointError`] if the file belongs to another count, is damaged before its last
    /// line, is in use, or cannot be read or written.
    pub fn open(path: &Path, root: &AnyPosition, frontier: &dyn AnyFrontier) -> Result<Self, PerftCheckpointError> {
        let (info, digest) = (frontier.info(), frontier.digest());
        let fields = [
            ("game", root.game().name().to_owned()),
            ("position", root.to_string()),
            ("convention", info.convention.to_string()),
            ("depth", info.depth.to_string()),
            ("ply", info.ply.to_string()),
            ("positions", info.positions.to_string()),
            ("chunk", info.chunk_len.to_string()),
            ("digest", format!("{digest:016x}")),
        ];
        let mut header = format!("{TITLE}\n");
        for (field, value) in &fields {
            writeln!(header, "{field} {value}").expect("writing to a string cannot fail");
        }
        let mut known = vec![None; info.chunks()];
        let journal = Journal::open(path, header.as_bytes(), |bytes| {
            let text = String::from_utf8_lossy(bytes);
            check_header(&text, &fields)?;
            Ok::<_, PerftCheckpointError>(
                header.len() + read_chunks(&text, header.len(), fields.len() + 2, digest, &mut known)?,
            )
        })?;
        Ok(Self { journal, known, digest })
    }

    /// Returns the leaves of each chunk; `None` for chunks that were not finished when the file was
    /// opened.
    #[must_use]
    pub fn known(&self) -> &[Option<u64>] {
        &self.known
    }

    /// Adds a finished chunk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, chunk: usize, nodes: u64) -> io::Result<()> {
        let entry = format!("{chunk} {nodes}");
        let line = format!("{entry} {:016x}\n", checksum(&entry, self.digest));
        self.journal.add(line.as_bytes(), SYNC_INTERVAL)
    }
}

/// Checks that a file begins with these fields.
fn check_header(text: &str, fields: &[(&'static str, String)]) -> Result<(), PerftCheckpointError> {
    let mut lines = text.lines();
    if lines.next() != Some(TITLE) {
        return Err(PerftCheckpointError::NotACheckpoint { line: 1, expected: TITLE.to_owned() });
    }
    for (line, (field, expected)) in (2..).zip(fields) {
        match lines.next().and_then(|line| line.split_once(' ')) {
            Some((name, found)) if name == *field => {
                if found != expected {
                    let (found, expected) = (found.to_owned(), expected.clone());
                    return Err(PerftCheckpointError::DifferentCount { field, found, expected });
                }
            }
            _ => return Err(PerftCheckpointError::NotACheckpoint { line, expected: format!("{field} {expected}") }),
        }
    }
    Ok(())
}

/// Reads the finished chunks from byte `start`, the beginning of line `line`. Returns the number of
/// bytes in complete lines.
fn read_chunks(
    text: &str,
    start: usize,
    line: usize,
    digest: u64,
    known: &mut [Option<u64>],
) -> Result<usize, PerftCheckpointError> {
    let body = text.get(start..).unwrap_or_default();
    let mut whole = 0;
    for (line, text) in (line..).zip(body.split_inclusive('\n')) {
        let chunk = text.strip_suffix('\n').and_then(|entry| read_chunk(entry, digest)).and_then(|(chunk, nodes)| {
            let known = known.get_mut(chunk)?;
            (known.is_none_or(|known| known == nodes)).then(|| *known = Some(nodes))
        });
        if chunk.is_none() {
            // The last line is incomplete if the process was killed while writing it.
            if whole + text.len() == body.len() {
                break;
            }
            return Err(PerftCheckpointError::Damaged { line, text: text.trim_end().to_owned() });
        }
        whole += text.len();
    }
    Ok(whole)
}

/// Reads a line; `None` if its checksum does not match.
fn read_chunk(line: &str, digest: u64) -> Option<(usize, u64)> {
    let (entry, sum) = line.rsplit_once(' ')?;
    let (chunk, nodes) = entry.split_once(' ')?;
    (sum.len() == 16 && u64::from_str_radix(sum, 16) == Ok(checksum(entry, digest)))
        .then(|| Some((chunk.parse().ok()?, nodes.parse().ok()?)))?
}

/// Returns the checksum of an entry. It includes the digest of the frontier, so a line of another
/// count has a wrong checksum.
fn checksum(entry: &str, digest: u64) -> u64 {
    Fnv1a::seeded(digest).add_bytes(entry.as_bytes()).finish()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::game::Cancel;
    use crate::othello::Position;
    use crate::perft::{Convention, frontier as frontier_of};

    fn frontier(depth: u32) -> (Position, Box<dyn AnyFrontier>) {
        let (start, cancel) = (Position::default(), Cancel::new());
        let bytes = 1 << 20;
        let frontier = frontier_of(&start, depth, Convention::PassesCount, bytes, &cancel, &|_, _| ());
        (start, frontier.unwrap())
    }

    fn open(path: &Path, depth: u32) -> Result<PerftCheckpoint, PerftCheckpointError> {
        let (start, frontier) = frontier(depth);
        PerftCheckpoint::open(path, &AnyPosition::new(start), &*frontier)
    }

    #[test]
    fn restores_finished_chunks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c");
        let mut checkpoint = open(&path, 8).unwrap();
        assert!(checkpoint.known().iter().all(Option::is_none) && checkpoint.known().len() == 60);
        checkpoint.add(3, 77).unwrap();
        checkpoint.add(59, u64::MAX).unwrap();
        assert!(matches!(open(&path, 8), Err(PerftCheckpointError::Open(OpenJournalError::InUse))));
        drop(checkpoint);
        let known = |checkpoint: &PerftCheckpoint| {
            (0..).zip(checkpoint.known()).filter_map(|(i, nodes)| nodes.map(|nodes| (i, nodes))).collect::<Vec<_>>()
        };
        assert_eq!(known(&open(&path, 8).unwrap()), [(3, 77), (59, u64::MAX)]);

        // An incomplete last line is discarded, wherever it was cut, and the next line overwrites
        // it.
        let whole = fs::read_to_string(&path).unwrap();
        let last = whole[..whole.len() - 1].rfind('\n').unwrap() + 1;
        for end in last + 1..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut checkpoint = open(&path, 8).unwrap();
            assert_eq!(known(&checkpoint), [(3, 77)]);
            checkpoint.add(59, u64::MAX).unwrap();
            drop(checkpoint);
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        }
        // The same is true of an incomplete first line.
        for end in 0..20 {
            fs::write(&path, &whole[..end]).unwrap();
            assert_eq!(known(&open(&path, 8).unwrap()), []);
        }
    }

    #[test]
    fn rejects_damaged_files_without_changing_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c");
        let mut checkpoint = open(&path, 8).unwrap();
        for chunk in 0..3 {
            checkpoint.add(chunk, 7).unwrap();
        }
        drop(checkpoint);
        let good = fs::read_to_string(&path).unwrap();
        let fails = |text: &str, depth: u32, message: &str| {
            fs::write(&path, text).unwrap();
            let error = open(&path, depth).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        };
        fails(&good, 9, "`depth` is `8` in the file, expected `9`");
        fails(
            &good.replace("convention passes-count", "convention free-pass"),
            8,
            "`convention` is `free-pass` in the file",
        );
        fails("# Notes\n", 8, "line 1 is not `morello perft checkpoint 1`");
        fails("morello perft checkpoint 1\ngame othello\nnonsense\n", 8, "line 3 is not `position ");
        fails(&good.replace("\n1 7 ", "\n1 8 "), 8, "line 11 is damaged: `1 8 ");
        fails(&good.replace("\n1 7 ", "\n"), 8, "line 11 is damaged");
        let digest = good.lines().find(|line| line.starts_with("digest")).unwrap();
        fails(&good.replace(digest, "digest 0"), 8, "`digest` is `0` in the file");
    }

    #[test]
    fn resumes_from_known_chunks() {
        let (_, frontier) = frontier(8);
        let cancel = Cancel::new();
        let chunks = std::sync::Mutex::new(vec![None; frontier.info().chunks()]);
        let all = frontier.count(&[], &cancel, &|chunk, nodes| chunks.lock().unwrap()[chunk] = Some(nodes));
        assert_eq!(all, Some(390_216));
        let mut known = chunks.into_inner().unwrap();
        // A wrong known count shows up in the sum, which proves that the chunk was not counted
        // again.
        known[5] = known[5].map(|nodes| nodes + 1);
        known[6] = None;
        let counted = std::sync::Mutex::new(Vec::new());
        let count = frontier.count(&known, &cancel, &|chunk, _| counted.lock().unwrap().push(chunk));
        assert_eq!((count, counted.into_inner().unwrap()), (Some(390_217), vec![6]));
    }
}
