//! [`Build`]: solves sectors and writes their tables into a directory, one unit after the other.
//!
//! Each table is written under a temporary name and renamed when it is complete, so a killed build
//! resumes at its last unit.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::super::file::store::file_name;
use super::super::file::write::{LEVEL, TableKind, write_table};
use super::super::solve;
use super::super::value::Metric;
use super::super::{
    Database, DatabaseError, Ruleset, Sector, SectorTable, StoredValues, TableError, UnplayableSector, UnusableTable,
    WorkUnit, plan,
};
use super::{SolveError, SolverMemory};
use crate::game::Cancel;
use crate::journal;
use crate::lock::LockedFile;

/// The lock file that prevents two builds in one directory.
const LOCK: &str = "lock";

/// Why a build failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The directory or a file in it cannot be written.
    #[error("cannot write `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// A sector has no positions in which the game is not over.
    #[error(transparent)]
    NotPlayable(#[from] UnplayableSector),
    /// Another process is building in the directory.
    #[error("another process is using `{}`", .0.display())]
    InUse(PathBuf),
    /// The directory or a table in it cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A unit cannot be solved.
    #[error("cannot solve {unit}")]
    Solve {
        /// The sectors of the unit.
        unit: WorkUnit,
        /// The cause.
        source: SolveError,
    },
    /// The build was cancelled; finished units are kept.
    #[error("interrupted")]
    Cancelled,
}

/// The estimated cost of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BuildEstimate {
    /// The number of units to build.
    pub units: usize,
    /// The total number of slots of these units.
    pub slots: u64,
    /// The total number of slots of all their tables; a sector may have two tables.
    pub table_slots: u64,
    /// The unit that needs the most memory, and its memory.
    pub largest: Option<(WorkUnit, SolverMemory)>,
}

/// The progress of a build, readable from other threads.
#[derive(Debug, Default)]
pub struct BuildProgress {
    /// The progress of the current unit.
    solving: solve::SolveProgress,
    /// The number of slots of the units that this build has finished.
    finished: AtomicU64,
    unit: Mutex<Option<WorkUnit>>,
}

impl BuildProgress {
    /// Returns the current unit.
    #[must_use]
    pub fn unit(&self) -> Option<WorkUnit> {
        *self.unit.lock().expect("no thread panics while it sets the unit")
    }

    /// Returns the number of plies of the values that are being solved.
    #[must_use]
    pub fn level(&self) -> u64 {
        self.solving.level.load(Ordering::Relaxed)
    }

    /// Returns the number of slots of finished units, plus the initialized slots of the current
    /// unit.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.finished.load(Ordering::Relaxed) + self.solving.done.load(Ordering::Relaxed)
    }
}

/// The result of building one unit.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuiltUnit {
    /// The unit.
    pub unit: WorkUnit,
    /// The number of slots of the unit.
    pub slots: u64,
    /// The size of the unit's files in bytes.
    pub bytes: u64,
    /// The memory used in bytes.
    pub memory: u64,
    /// The time taken, including writing.
    pub time: Duration,
}

/// Builds the tables of sectors, and of all sectors on which they depend.
///
/// ```
/// use morello::game::Cancel;
/// use morello::morris::ThreeMensMorris;
/// use morello::morris::engine::database::{Build, BuildProgress, Ruleset, StoredValues};
///
/// let folder = tempfile::tempdir()?;
/// let (rules, sectors) = (Ruleset::of::<ThreeMensMorris>()?, ["3-3".parse()?]);
/// let build = Build::open(folder.path(), rules, &sectors, StoredValues::Distances)?;
/// let estimate = build.estimate();
/// assert_eq!((estimate.units, estimate.slots), (1, 320));
/// let mut built = Vec::new();
/// build.run(&BuildProgress::default(), &Cancel::new(), |unit| built.push(unit.unit.to_string()))?;
/// assert_eq!(built, ["3-3"]);
///
/// // Another build has nothing to do.
/// let again = Build::open(folder.path(), rules, &sectors, StoredValues::Distances)?;
/// assert_eq!(again.estimate().units, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Build {
    folder: PathBuf,
    database: Database,
    stored: StoredValues,
    /// The units to build.
    units: Vec<WorkUnit>,
    /// The lock; `None` until the directory exists.
    lock: Option<LockedFile>,
}

crate::debug_fields!(Build { folder, stored, units.len() });

impl Build {
    /// Opens a directory, which need not exist yet, and plans the missing tables. `stored` selects
    /// the information that the tables store. Tables with only results are rebuilt if `stored`
    /// includes plies. Tables of plies to the next capture always store the plies.
    ///
    /// # Errors
    /// [`BuildError`] if a sector is not playable, if the directory is in use or cannot be read or
    /// written, or if a file with the name of a required table cannot be used.
    pub fn open(folder: &Path, rules: Ruleset, sectors: &[Sector], stored: StoredValues) -> Result<Self, BuildError> {
        sectors.iter().try_for_each(|sector| sector.check(&rules))?;
        let lock = folder.exists().then(|| lock(folder)).transpose()?;
        let mut database = Database::open(folder, rules)?;
        let mut units = plan(sectors, &rules);
        // A build replaces tables of older versions. It never overwrites any other file that it
        // cannot read; the user decides.
        let is_needed = |table: &UnusableTable| {
            let is_old = matches!(table.error, TableError::OldVersion { .. } | TableError::OldFingerprint { .. });
            !is_old && units.iter().any(|unit| unit.sectors().any(|s| s == table.sector))
        };
        if let Some(table) = database.take_unusable_tables().into_iter().find(is_needed) {
            return Err(DatabaseError::from(table.error).into());
        }
        units.retain(|&unit| !database.has_tables(unit, stored));
        Ok(Self { folder: folder.to_owned(), database, stored, units, lock })
    }

    /// Creates hard links to the tables in another game's directory that are identical to missing
    /// tables, and returns their number. Copies the tables if the file system does not support
    /// links.
    ///
    /// # Errors
    /// [`BuildError`] if this directory cannot be written or the build is cancelled. Tables that
    /// differ, or whose header or index cannot be read, are left to be built.
    pub fn link(&mut self, other: &Path, cancel: &Cancel) -> Result<usize, BuildError> {
        let (rules, mut linked) = (*self.database.rules(), 0);
        for (sector, metric) in self.units.iter().flat_map(|&unit| rules.tables(unit)).collect::<Vec<_>>() {
            if cancel.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            if self.database.has_table(sector, metric, self.stored) {
                continue;
            }
            let known = other.join(file_name(sector, metric));
            let table = SectorTable::open(&known, &rules, self.database.class_cache(), sector, metric);
            if !table.is_ok_and(|table| table.stores(self.stored)) {
                continue;
            }
            if self.lock.is_none() {
                self.lock = Some(lock(&self.folder)?);
            }
            let file = self.folder.join(file_name(sector, metric));
            let copy = |to: &mut File| io::copy(&mut File::open(&known)?, to).map(drop);
            // If a table with only results already exists, or the file system has no links, make a
            // copy. The copy replaces the table when it is complete.
            fs::hard_link(&known, &file)
                .or_else(|_| journal::replace(&file, copy))
                .map_err(|error| BuildError::Io(file.clone(), error))?;
            self.database.add_file(&file, sector, metric).map_err(DatabaseError::from)?;
            linked += 1;
        }
        let (database, stored) = (&self.database, self.stored);
        self.units.retain(|&unit| !database.has_tables(unit, stored));
        Ok(linked)
    }

    /// Returns the estimated cost of the build.
    #[must_use]
    pub fn estimate(&self) -> BuildEstimate {
        self.database.estimate(&self.units)
    }

    /// Returns the largest number of men of both sides together for which all units up to this
    /// number fit in `bytes` bytes of memory; `None` if all units fit.
    #[must_use]
    pub fn max_men_within(&self, bytes: u64) -> Option<u32> {
        let (rules, class_cache) = (self.database.rules(), self.database.class_cache());
        let too_large = self.units.iter().filter(|&&unit| SolverMemory::of(unit, rules, class_cache).total() > bytes);
        too_large.flat_map(|unit| unit.sectors()).map(|sector| sector.men() - 1).min()
    }

    /// Returns the number of slots of a unit's sectors.
    #[must_use]
    pub fn slots(&self, unit: WorkUnit) -> u64 {
        unit.sectors().map(|sector| sector.slots(self.database.class_cache())).sum()
    }

    /// Builds the units on the current thread pool. Calls `on_built` when the files of a unit are
    /// complete. Creates the directory if necessary.
    ///
    /// # Errors
    /// [`BuildError`]; finished units are kept.
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
            let memory = SolverMemory::of(unit, self.database.rules(), self.database.class_cache()).total();
            let bytes = self.bytes(unit);
            on_built(&BuiltUnit { unit, slots, bytes, memory, time: start.elapsed() });
        }
        Ok(())
    }

    /// Returns the size of the files of a unit in bytes.
    fn bytes(&self, unit: WorkUnit) -> u64 {
        let tables = self.database.rules().tables(unit);
        tables.filter_map(|(sector, metric)| self.database.table(sector, metric)).map(SectorTable::size).sum()
    }

    /// Builds the missing tables of a unit for one metric.
    fn build(
        &mut self,
        unit: WorkUnit,
        metric: Metric,
        progress: &BuildProgress,
        cancel: &Cancel,
    ) -> Result<(), BuildError> {
        let (rules, class_cache) = (self.database.rules(), self.database.class_cache());
        let has_table = |&sector: &Sector| self.database.has_table(sector, metric, self.stored);
        if unit.sectors().all(|sector| has_table(&sector)) {
            return Ok(());
        }
        // The values of all sectors are known to be solved, so a damaged table can be replaced.
        let is_sound =
            |&sector: &Sector| self.database.table(sector, metric).is_some_and(|table| table.check_all().is_ok());
        let missing: Vec<_> = unit.sectors().filter(|sector| !has_table(sector) || !is_sound(sector)).collect();
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
            let stored = if metric == Metric::End { self.stored } else { StoredValues::Distances };
            let kind = TableKind { rules, class_cache, sector: solved.sector, metric, stored, level: LEVEL };
            let write = |file: &mut File| {
                let mut to = BufWriter::with_capacity(1 << 20, file);
                write_table(kind, &|slot| solved.values.load(slot), &mut to)?;
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

/// Locks a directory against other builds. Creates it if necessary.
fn lock(folder: &Path) -> Result<LockedFile, BuildError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| BuildError::Io(path, error)
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let path = folder.join(LOCK);
    LockedFile::open(&path).map_err(failed(&path))?.ok_or_else(|| BuildError::InUse(folder.to_owned()))
}
