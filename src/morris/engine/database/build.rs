//! [`Build`]: solves sectors and writes their tables into a folder, one unit after the other.
//!
//! The unit is the checkpoint: each of its tables is written under another name, and gets its own when it is complete. A build that is
//! killed goes on with the unit that it was at.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::pack::pack;
use super::solve::{self, SolveError};
use super::store::file_name;
use super::value::Metric;
use super::{Database, DatabaseError, Ruleset, Sector, SectorTable, UnplayableSector, UnusableTable, WorkUnit, plan};
use crate::game::Cancel;
use crate::journal;
use crate::lock::LockedFile;

/// The name of the file that keeps two builds from working in one folder.
const LOCK: &str = "lock";

/// Why a build did not end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The folder or a file in it cannot be written.
    #[error("cannot write `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// A sector has no positions in which the game goes on.
    #[error(transparent)]
    NotPlayable(#[from] UnplayableSector),
    /// Another process builds in the folder.
    #[error("another process is building in `{}`", .0.display())]
    InUse(PathBuf),
    /// What is there already cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A unit cannot be solved.
    #[error("cannot solve {unit}")]
    Solve {
        /// Its sectors.
        unit: WorkUnit,
        /// Why.
        source: SolveError,
    },
    /// It was cancelled; the units that were finished are kept.
    #[error("interrupted")]
    Cancelled,
}

/// What a build takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildEstimate {
    /// The units that are still to be built.
    pub units: usize,
    /// Their slots.
    pub slots: u64,
    /// The unit that takes the most memory, and how many bytes.
    pub largest: Option<(WorkUnit, u64)>,
}

/// How far a build is, for whoever watches from another thread.
#[derive(Debug, Default)]
pub struct BuildProgress {
    /// Of the unit in work.
    solving: solve::SolveProgress,
    /// The slots of the units that this build has finished.
    finished: AtomicU64,
    unit: Mutex<Option<WorkUnit>>,
}

impl BuildProgress {
    /// Returns the unit in work.
    #[must_use]
    pub fn unit(&self) -> Option<WorkUnit> {
        *self.unit.lock().expect("no thread panics while it sets the unit")
    }

    /// Returns the plies that the values being settled have.
    #[must_use]
    pub fn level(&self) -> u64 {
        self.solving.level.load(Ordering::Relaxed)
    }

    /// Returns the slots that are done, those in work as far as they are set up.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.finished.load(Ordering::Relaxed) + self.solving.done.load(Ordering::Relaxed)
    }
}

/// What was done about one unit.
#[derive(Debug, Clone)]
pub struct BuiltUnit {
    /// The unit.
    pub unit: WorkUnit,
    /// Its slots.
    pub slots: u64,
    /// The bytes of its files.
    pub bytes: u64,
    /// The bytes of memory beside the tables of the sectors below.
    pub memory: u64,
    /// How long it took, the writing included.
    pub time: Duration,
}

/// A build of the tables of some sectors, and of all that they lead to, in a folder.
pub struct Build {
    folder: PathBuf,
    database: Database,
    /// What is still to be done.
    units: Vec<WorkUnit>,
    /// Locked while it lives; `None` while there is no folder.
    lock: Option<LockedFile>,
}

impl Build {
    /// Looks at what the folder has; there may be none yet.
    ///
    /// # Errors
    /// [`BuildError`] if the folder cannot be written, is in use, or if what has the name of a table that is needed cannot be used.
    pub fn open(folder: &Path, rules: Ruleset, sectors: &[Sector]) -> Result<Self, BuildError> {
        sectors.iter().try_for_each(|sector| sector.check(&rules))?;
        let lock = folder.exists().then(|| lock(folder)).transpose()?;
        let mut database = Database::open(folder, rules)?;
        let mut units = plan(sectors, &rules);
        // It is not for a build to say what becomes of a file that it cannot make anything of.
        let is_needed = |refused: &UnusableTable| units.iter().any(|unit| unit.sectors().any(|s| s == refused.sector));
        if let Some(refused) = database.take_unusable_tables().into_iter().find(is_needed) {
            return Err(DatabaseError::from(refused.error).into());
        }
        units.retain(|&unit| {
            let missing = |metric| unit.sectors().any(|sector| database.table(sector, metric).is_none());
            rules.metrics(unit).any(missing)
        });
        Ok(Self { folder: folder.to_owned(), database, units, lock })
    }

    /// Returns what is still to be done.
    #[must_use]
    pub fn estimate(&self) -> BuildEstimate {
        let (rules, class_cache) = (self.database.rules(), self.database.class_cache());
        let memory = |&unit: &WorkUnit| (unit, solve::memory(unit, rules, class_cache));
        BuildEstimate {
            units: self.units.len(),
            slots: self.units.iter().map(|&unit| self.slots(unit)).sum(),
            largest: self.units.iter().map(memory).max_by_key(|&(_, bytes)| bytes),
        }
    }

    /// Returns up to how many men of both sides together all units fit such an amount of memory; `None` if those of any number do.
    #[must_use]
    pub fn max_men_within(&self, bytes: u64) -> Option<u32> {
        let (rules, class_cache) = (self.database.rules(), self.database.class_cache());
        let too_large = self.units.iter().filter(|&&unit| solve::memory(unit, rules, class_cache) > bytes);
        too_large.flat_map(|unit| unit.sectors()).map(|sector| sector.men() - 1).min()
    }

    /// Returns the slots of a unit's tables.
    #[must_use]
    pub fn slots(&self, unit: WorkUnit) -> u64 {
        unit.sectors().map(|sector| sector.slots(self.database.class_cache())).sum()
    }

    /// Returns the slots of all tables that are still to be built: a unit may have two for each of its sectors.
    #[must_use]
    pub fn table_slots(&self) -> u64 {
        let tables = |&unit: &WorkUnit| self.database.rules().metrics(unit).count() as u64;
        self.units.iter().map(|unit| tables(unit) * self.slots(*unit)).sum()
    }

    /// Builds the units, on the threads of the pool that this is called in, and tells of each when its files are complete. The folder is made
    /// if there is none.
    ///
    /// # Errors
    /// [`BuildError`]; what was finished before is kept.
    pub fn run(
        mut self,
        progress: &BuildProgress,
        cancel: &Cancel,
        mut on_built: impl FnMut(&BuiltUnit),
    ) -> Result<(), BuildError> {
        if self.lock.is_none() && !self.units.is_empty() {
            self.lock = Some(lock(&self.folder)?);
        }
        for unit in std::mem::take(&mut self.units) {
            *progress.unit.lock().expect("no thread panics while it reads the unit") = Some(unit);
            let start = Instant::now();
            let metrics: Vec<_> = self.database.rules().metrics(unit).collect();
            for metric in metrics {
                self.build(unit, metric, progress, cancel)?;
            }
            let slots = self.slots(unit);
            progress.solving.done.store(0, Ordering::Relaxed);
            progress.finished.fetch_add(slots, Ordering::Relaxed);
            let memory = solve::memory(unit, self.database.rules(), self.database.class_cache());
            let bytes = self.bytes(unit);
            on_built(&BuiltUnit { unit, slots, bytes, memory, time: start.elapsed() });
        }
        Ok(())
    }

    /// Returns the bytes of the files of a unit.
    fn bytes(&self, unit: WorkUnit) -> u64 {
        let metrics = self.database.rules().metrics(unit);
        let tables = metrics.flat_map(|metric| unit.sectors().map(move |sector| (sector, metric)));
        tables.filter_map(|(sector, metric)| self.database.table(sector, metric)).map(SectorTable::size).sum()
    }

    /// Builds what is missing of the tables of a unit with one metric.
    fn build(
        &mut self,
        unit: WorkUnit,
        metric: Metric,
        progress: &BuildProgress,
        cancel: &Cancel,
    ) -> Result<(), BuildError> {
        let (rules, class_cache) = (self.database.rules(), self.database.class_cache());
        let missing: Vec<_> = unit.sectors().filter(|&s| self.database.table(s, metric).is_none()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let lower = |sector| self.database.table(sector, metric);
        progress.solving.done.store(0, Ordering::Relaxed);
        progress.solving.level.store(0, Ordering::Relaxed);
        let mut solved =
            solve::solve(unit, metric, rules, class_cache, &lower, &progress.solving, cancel).map_err(|source| {
                match source {
                    SolveError::Cancelled => BuildError::Cancelled,
                    source => BuildError::Solve { unit, source },
                }
            })?;
        solved.retain(|solved| missing.contains(&solved.sector));
        for solved in &solved {
            let file = self.folder.join(file_name(solved.sector, metric));
            let write = |file: &mut File| {
                let mut to = BufWriter::with_capacity(1 << 20, file);
                pack(rules, class_cache, solved.sector, metric, &|slot| solved.values.load(slot), &mut to)?;
                to.flush()
            };
            journal::replace(&file, write).map_err(|error| BuildError::Io(file.clone(), error))?;
        }
        for sector in missing {
            let file = self.folder.join(file_name(sector, metric));
            self.database.add_file(&file, sector, metric).map_err(DatabaseError::from)?;
        }
        Ok(())
    }
}

/// Keeps other builds out of a folder, which is made if there is none.
fn lock(folder: &Path) -> Result<LockedFile, BuildError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| BuildError::Io(path, error)
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let path = folder.join(LOCK);
    LockedFile::open(&path).map_err(failed(&path))?.ok_or_else(|| BuildError::InUse(folder.to_owned()))
}
