//! [`Cache`]: a file of search reports for reuse in later runs.
//!
//! ```text
//! settings + position -> key -> moves, scores, bounds, depth, nodes, time
//! ```
//!
//! The key is a 128-bit hash of the settings and the position. All positions that differ only by a
//! symmetry share one entry, as with [`fingerprint`](super::fingerprint); the moves of the report
//! are transformed back. In games where positions can recur, the key also includes the earlier
//! positions that can still recur, and such entries are not shared by symmetry. The value is a
//! report as JSON.
//!
//! The [file](super::cache_file) is append-only, and each entry has a checksum. If the process is
//! killed, only the entries of the last second are lost. A damaged entry is not used. Only one
//! process at a time can open the file.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use morello_core::game::{AnyPosition, Bounds, Confidence, Game, Line, Position as _, Report, ReportSource, Score};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use super::cache_file::{CacheError, CacheFile};

/// New reports are written in batches: after this time, or at this number of reports.
const COMMIT_INTERVAL: Duration = Duration::from_secs(1);
const MAX_PENDING: usize = 10_000;

/// The highest score of any game, in thousandths of a point.
const MAX_THOUSANDTHS: u32 = 64 * Score::POINT as u32;

/// A cache of search reports that were made with the same settings.
///
/// ```
/// use morello::analysis::Cache;
/// use morello::game::{EngineOptions, Game, Limits, Position as _, any_game};
/// use morello::othello;
///
/// let folder = tempfile::tempdir()?;
/// let cache = Cache::open(&folder.path().join("a.cache"), "depth 4", true)?;
/// let othello = any_game::<othello::SizedPosition<4>>();
/// let game = |board: &str| Ok::<_, Box<dyn std::error::Error>>(Game::new(othello.parse_position(board)?));
/// let (game, mirrored) = (game("-----OX--XO----- X")?, game("-----XO--OX----- X")?);
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// cache.add(&game, &searcher.best(&game, &Limits::depth(4)));
/// let report = cache.find(&mirrored).expect("found by symmetry");
/// assert!(mirrored.position().parse_move(&report.best_move().expect("a move").to_string()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cache {
    settings: String,
    by_symmetry: bool,
    state: Mutex<CacheState>,
    found: AtomicU64,
}

morello_core::debug_fields!(Cache { settings, by_symmetry });

#[derive(Debug)]
struct CacheState {
    file: CacheFile,
    /// The reports that are not yet in the file.
    pending: HashMap<u128, Vec<u8>>,
    /// The number of reports that were written to the file.
    added: u64,
    since: Instant,
    /// The damage to the file, or the write error. Nothing more is written after either.
    problem: Option<CacheError>,
    on_problem: ProblemHandler,
}

/// Receives the damage to the file, or the write error.
struct ProblemHandler(Box<dyn Fn(&CacheError) + Send + Sync>);

impl fmt::Debug for ProblemHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProblemHandler")
    }
}

impl Cache {
    /// Opens a cache file, or creates it.
    ///
    /// `settings` must describe everything that determines a report except the position. Reports
    /// with other settings stay in the file and are ignored. If `by_symmetry` is set,
    /// [`find`](Self::find) may return the report of a symmetric position: the score is the same,
    /// but the choice among equal moves may differ.
    ///
    /// The readable entries of a damaged file are used, and the file is not changed.
    ///
    /// # Errors
    /// [`CacheError`] if another process uses the file, or it is not a cache.
    pub fn open(path: &Path, settings: &str, by_symmetry: bool) -> Result<Self, CacheError> {
        let file = CacheFile::open(path)?;
        let problem = file.damage().map(|offset| CacheError::Damaged { offset, entries: file.len() });
        let (pending, since, on_problem) = (HashMap::new(), Instant::now(), ProblemHandler(Box::new(|_| ())));
        Ok(Self {
            settings: settings.to_owned(),
            by_symmetry,
            state: Mutex::new(CacheState { file, pending, added: 0, since, problem, on_problem }),
            found: AtomicU64::new(0),
        })
    }

    /// Returns the report of the final position of a game, if it is in the cache.
    #[must_use]
    pub fn find(&self, game: &Game) -> Option<Report> {
        let stored = self.stored_position(game);
        let key = self.key(game, &stored);
        let text = {
            let mut state = self.state();
            let pending = state.pending.get(&key).cloned();
            pending.or_else(|| state.file.find(key))?
        };
        let report = serde_json::from_slice::<StoredReport>(&text).ok()?.report(&stored, game.position())?;
        self.found.fetch_add(1, Ordering::Relaxed);
        Some(report)
    }

    /// Adds a report of the final position of a game. Reports with a note, and reports from a book
    /// or the endgame database, are not stored.
    pub fn add(&self, game: &Game, report: &Report) {
        if report.note.is_some() || report.source != ReportSource::Search {
            return;
        }
        let stored = self.stored_position(game);
        let symmetry = (0..game.position().game().info().symmetries).find(|&k| game.position().transform(k) == stored);
        let text = StoredReport::of(report, symmetry.expect("the stored position is symmetric to this one"));
        let text = serde_json::to_vec(&text).expect("a report is serializable");
        let key = self.key(game, &stored);
        let mut state = self.state();
        if state.problem.is_some() {
            return;
        }
        // Two threads may search equal positions at once.
        state.pending.insert(key, text);
        if state.since.elapsed() >= COMMIT_INTERVAL || state.pending.len() >= MAX_PENDING {
            state.write();
        }
    }

    /// Returns the number of positions found, and of those written to the file.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.found.load(Ordering::Relaxed), self.state().added)
    }

    /// Calls `on_problem` at once if the file is damaged, or as soon as it can no longer be
    /// written. Search results are not affected.
    #[must_use]
    pub fn on_problem(self, on_problem: impl Fn(&CacheError) + Send + Sync + 'static) -> Self {
        {
            let mut state = self.state();
            state.problem.iter().for_each(&on_problem);
            state.on_problem = ProblemHandler(Box::new(on_problem));
        }
        self
    }

    /// Writes all reports that are not yet in the file. Errors go to
    /// [`on_problem`](Self::on_problem).
    pub fn finish(&self) {
        self.state().write();
    }

    /// Returns the position that represents this one in the cache: the
    /// [canonical](Position::canonical) one, unless the history can matter.
    fn stored_position(&self, game: &Game) -> AnyPosition {
        let position = game.position();
        if self.by_symmetry && game.repeatable_positions().len() == 1 { position.canonical() } else { *position }
    }

    fn key(&self, game: &Game, stored: &AnyPosition) -> u128 {
        let mut text = format!("{}\n{stored}", self.settings);
        if stored.game().info().cyclic {
            let before = game.repeatable_positions();
            before[..before.len() - 1].iter().for_each(|position| text += &format!("\n{position}"));
        }
        XxHash3_128::oneshot(text.as_bytes())
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheState {
    fn write(&mut self) {
        self.since = Instant::now();
        let reports = std::mem::take(&mut self.pending);
        if self.problem.is_some() || reports.is_empty() {
            return;
        }
        match self.file.add(&reports) {
            Ok(added) => self.added += added as u64,
            Err(error) => {
                let problem = CacheError::Write(error);
                self.on_problem.0(&problem);
                self.problem = Some(problem);
            }
        }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        // Callers that need the error call `finish` themselves.
        self.finish();
    }
}

/// The stored form of a report, for the stored position, with moves as text.
#[derive(Debug, Serialize, Deserialize)]
struct StoredReport {
    lines: Vec<(Score, Vec<String>)>,
    bounds: Bounds,
    depth: u32,
    confidence: u32,
    nodes: u64,
    time_us: u64,
}

impl StoredReport {
    /// Converts a report, with moves transformed by the `k`-th symmetry.
    fn of(report: &Report, k: usize) -> Self {
        let line = |line: &Line| (line.score, line.pv.iter().map(|&m| m.transform(k).to_string()).collect());
        Self {
            lines: report.lines.iter().map(line).collect(),
            bounds: report.bounds,
            depth: report.depth,
            confidence: report.confidence.percent(),
            nodes: report.nodes,
            time_us: report.time.as_micros() as u64,
        }
    }

    /// Converts back to a report of `position`, which is symmetric to the stored one; `None` if the
    /// entry does not fit the position.
    fn report(self, stored: &AnyPosition, position: &AnyPosition) -> Option<Report> {
        let k = (0..stored.game().info().symmetries).find(|&k| stored.transform(k) == *position)?;
        let line = |(score, moves): (Score, Vec<String>)| {
            let mut at = *stored;
            let mut pv = Vec::new();
            for text in moves {
                let m = at.parse_move(&text).ok()?;
                at = at.after(m);
                pv.push(m.transform(k));
            }
            (score.thousandths.unsigned_abs() <= MAX_THOUSANDTHS).then_some(Line { score, pv })
        };
        let lines: Vec<_> = self.lines.into_iter().map(line).collect::<Option<_>>()?;
        Some(Report {
            // A report has at least one line.
            lines: Some(lines).filter(|lines| !lines.is_empty())?,
            bounds: self.bounds,
            depth: self.depth,
            confidence: Confidence::from_percent(self.confidence)?,
            nodes: self.nodes,
            time: Duration::from_micros(self.time_us),
            note: None,
            source: ReportSource::Search,
        })
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::{Cancel, EngineOptions, Limits, Playable, any_game};
    use morello_core::morris::{self, NineMensMorris, ThreeMensMorris};
    use morello_core::othello;

    use super::*;

    fn search(game: &Game) -> Report {
        let limits = Limits { lines: 3, ..Limits::depth(3) };
        game.position().game().searcher(&EngineOptions::new(1 << 16)).unwrap().search(
            game,
            &limits,
            &Cancel::new(),
            &mut |_| (),
        )
    }

    fn open(folder: &tempfile::TempDir, settings: &str) -> Cache {
        Cache::open(&folder.path().join("x.cache"), settings, true).unwrap()
    }

    /// Checks that games are found, before and after reopening, under every symmetry.
    fn round_trips<P: Playable>() {
        let folder = tempfile::tempdir().unwrap();
        let any = any_game::<P>();
        let games: Vec<Game> = (0..40).map(|seed| any.random_game(seed, seed as usize)).collect();
        let reports: Vec<_> = games.iter().map(search).collect();
        let cache = open(&folder, "a");
        for (game, report) in games.iter().zip(&reports) {
            cache.add(game, report);
        }
        let mut cache = Some(cache);
        for _ in 0..2 {
            // The second time, from the reopened file.
            let cache = cache.take().unwrap_or_else(|| open(&folder, "a"));
            for (game, report) in games.iter().zip(&reports) {
                let found = cache.find(game).expect("it was added");
                assert_eq!(
                    (found.nodes, found.bounds, found.best().score),
                    (report.nodes, report.bounds, report.best().score)
                );
                for (found, line) in found.lines.iter().zip(&report.lines) {
                    let mut at = *game.position();
                    for &m in &found.pv {
                        at = at.play(m).expect("the variation can be played");
                    }
                    assert_eq!((found.score, found.pv.len()), (line.score, line.pv.len()));
                }
                if game.repeatable_positions().len() == 1 {
                    assert!(
                        (0..any.info().symmetries)
                            .all(|k| cache.find(&Game::new(game.position().transform(k))).is_some())
                    );
                }
            }
        }
    }

    #[test]
    fn finds_entries_under_every_symmetry_and_after_reopening() {
        round_trips::<othello::Position>();
        round_trips::<othello::SizedPosition<4>>();
        round_trips::<morris::Position<NineMensMorris>>();
        round_trips::<morris::Position<ThreeMensMorris>>();
    }

    #[test]
    fn separates_settings_and_histories() {
        let folder = tempfile::tempdir().unwrap();
        let three = any_game::<morris::Position<ThreeMensMorris>>();
        let mut there_and_back = Game::new(three.parse_position("0,0 a1,b1,c2 a3,b3,c1 W").unwrap());
        let lone = there_and_back.clone();
        for m in ["c2-b2", "b3-c3", "b2-c2", "c3-b3"] {
            let m = there_and_back.position().parse_move(m).unwrap();
            there_and_back.play(m).unwrap();
        }
        assert_eq!(there_and_back.position(), lone.position());
        let cache = open(&folder, "a");
        cache.add(&lone, &search(&lone));
        assert!(cache.find(&lone).is_some() && cache.find(&there_and_back).is_none());
        assert!(matches!(Cache::open(&folder.path().join("x.cache"), "a", true), Err(CacheError::InUse)));
        assert_eq!(cache.counts(), (1, 0), "it is not in the file yet");
        cache.finish();
        assert_eq!(cache.counts(), (1, 1));
        drop(cache);
        assert!(open(&folder, "b").find(&lone).is_none());
    }

    #[test]
    fn rejects_foreign_files_and_ignores_unsuitable_reports() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "some other text ".repeat(1000)).unwrap();
        assert!(matches!(Cache::open(&path, "a", true), Err(CacheError::NotACache)));
        assert!(std::fs::read(&path).unwrap().starts_with(b"some other text"));
        let game = Game::new(any_game::<othello::Position>().start());
        let cache = open(&folder, "a");
        let key = cache.key(&game, &cache.stored_position(&game));
        let line = r#"[{"thousandths":0,"certainty":"exact","plies":null},["a1"]]"#;
        let text = |lines: &str| {
            format!(
                r#"{{"lines":[{lines}],"bounds":{{"lower":null,"upper":null}},"depth":1,"confidence":73,"nodes":1,"time_us":1}}"#
            )
        };
        let extreme = text(&line.replace("a1", "d3").replace(":0,", ":-2147483648,"));
        for damaged in [String::new(), "{}".to_owned(), text(""), text(line), extreme] {
            cache.state().pending.insert(key, damaged.into_bytes());
            assert!(cache.find(&game).is_none());
        }
        cache.state().pending.insert(key, text(&line.replace("a1", "d3")).into_bytes());
        assert!(cache.find(&game).is_some());
    }

    #[test]
    fn no_flipped_bit_changes_a_result() {
        let folder = tempfile::tempdir().unwrap();
        let any = any_game::<othello::SizedPosition<4>>();
        let games: Vec<Game> = (0..2).map(|seed| any.random_game(seed, 4)).collect();
        let report = |game: &Game| Report { lines: search(game).lines[..1].to_vec(), ..search(game) };
        let reports: Vec<_> = games.iter().map(report).collect();
        let cache = open(&folder, "a");
        games.iter().zip(&reports).for_each(|(game, report)| cache.add(game, report));
        drop(cache);
        let path = folder.path().join("x.cache");
        let good = std::fs::read(&path).unwrap();
        let mut reused = 0;
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &bytes).unwrap();
            let Ok(cache) = Cache::open(&path, "a", true) else { continue };
            for (game, report) in games.iter().zip(&reports) {
                if let Some(found) = cache.find(game) {
                    assert_eq!((found.nodes, &found.lines), (report.nodes, &report.lines), "bit {bit}");
                    reused += 1;
                }
            }
        }
        // A flip in the header refuses the file, and one in the line break after the first entry
        // hides both entries. Any other flip hides only one.
        assert_eq!(reused, 8 * (good.len() - "morello cache 2\n".len() - 1));
    }

    #[test]
    fn a_failed_write_is_reported_at_once_and_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let game = Game::new(any_game::<othello::SizedPosition<4>>().start());
        let (sender, problems) = std::sync::mpsc::channel();
        let cache = open(&folder, "a").on_problem(move |problem| sender.send(problem.to_string()).unwrap());
        cache.state().file.fail_writes();
        for _ in 0..2 {
            cache.add(&game, &search(&game));
            cache.finish();
        }
        assert!(cache.find(&game).is_none());
        let problems: Vec<_> = problems.try_iter().collect();
        assert_eq!(problems, ["the results are complete, but new ones are not added to the cache"]);
    }
}
