//! [`Database`]: the tables of a game, in a directory and in memory.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::super::sector::classes::ClassCache;
use super::super::sector::index;
use super::super::solve::{SolveError, SolveProgress, solve};
use super::super::value::{Metric, PositionValue};
use super::super::{
    Ruleset, Sector, SectorTable, StoredValues, TableError, WorkUnit, plan, whole_game, with_men_up_to,
};
use super::cache::BlockCache;
use super::expanded::ExpandedTable;
use super::write::count;
use crate::game::Cancel;

/// The maximum number of slots of the sectors that are solved in memory if they are not on disk,
/// which takes half a second. In nine men's morris these sectors have up to seven men and no men in
/// hand; in three men's morris they are all sectors.
const SMALL_SECTOR_SLOTS: u64 = 2_200_000;

/// Why a database cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The directory cannot be read.
    #[error("cannot read the database `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// A table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A sector cannot be solved in memory.
    #[error("cannot solve {unit} in memory")]
    Small {
        /// The sectors that cannot be solved.
        unit: WorkUnit,
        /// The cause.
        source: SolveError,
    },
}

/// The endgame database of a game.
///
/// ```
/// use morello::morris::engine::database::{Database, DatabaseError, Metric, Ruleset};
/// use morello::morris::{NineMensMorrisFlying, Position};
///
/// // Without a directory: small sectors are built-in, or solved in half a second.
/// let mut database = Database::new(Ruleset::of::<NineMensMorrisFlying>()?);
/// let position = "0,0 c5,d7,g7 a7,f4,f6 W".parse::<Position<NineMensMorrisFlying>>()?.into();
/// let look_up = |tables: &Database| Ok::<_, DatabaseError>(tables.probe(&position, 0)?);
/// let probe = database.look_up(look_up)?;
/// let probe = probe.expect("3-3 is small");
/// assert_eq!(probe.plies(), Some(12));
/// let table = database.table("3-3".parse()?, Metric::End).expect("the position was found in it");
/// assert_eq!(table.counts().longest_win, Some(25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Database {
    rules: Ruleset,
    class_cache: ClassCache,
    /// The tables on disk, followed by the tables in memory.
    tables: Vec<SectorTable>,
    /// The number of tables on disk.
    stored: usize,
    /// The number of the best table for each sector and metric, from 1; 0 if there is none. Empty
    /// if there are no tables.
    numbers: Vec<u16>,
    /// The tables on disk that cannot be used.
    unusable: Vec<UnusableTable>,
    /// The cached blocks of the tables on disk; created when the first block is read.
    cache: OnceLock<BlockCache>,
    /// The size of the cache in bytes.
    cache_bytes: AtomicU64,
}

crate::debug_fields!(Database { rules.name, tables.len(), stored });

/// A file that has the name of a table but is not a valid table of this game. The database ignores
/// it.
#[derive(Debug)]
#[non_exhaustive]
pub struct UnusableTable {
    /// The sector in the file name.
    pub sector: Sector,
    /// The metric in the file name.
    pub metric: Metric,
    /// Why the table cannot be used.
    pub error: TableError,
}

/// Returns a number below 2^17 for a sector and a metric.
#[inline]
fn key(sector: Sector, metric: Metric) -> usize {
    let Sector { own, other, own_hand, other_hand } = sector;
    let men = [own, other, own_hand, other_hand].iter().fold(0, |key, &men| key << 4 | usize::from(men.min(15)));
    men << 1 | usize::from(metric == Metric::Capture)
}

impl Database {
    /// The default size of the cache in bytes.
    pub const DEFAULT_CACHE_BYTES: u64 = 256 << 20;

    /// Creates an empty database.
    #[must_use]
    pub fn new(rules: Ruleset) -> Self {
        Self {
            rules,
            class_cache: ClassCache::new(rules.board),
            tables: Vec::new(),
            stored: 0,
            numbers: Vec::new(),
            unusable: Vec::new(),
            cache: OnceLock::new(),
            cache_bytes: AtomicU64::new(Self::DEFAULT_CACHE_BYTES),
        }
    }

    /// Opens the tables in a directory. The directory may be empty or missing. Unusable tables are
    /// ignored and [listed](Self::unusable_tables). Tables that are added to the directory later
    /// are not found.
    ///
    /// ```
    /// use std::fs;
    ///
    /// use morello::morris::ThreeMensMorris;
    /// use morello::morris::engine::database::{Database, Ruleset};
    ///
    /// let folder = tempfile::tempdir()?;
    /// fs::write(folder.path().join("3-3.table"), "not a table")?;
    /// let database = Database::open(folder.path(), Ruleset::of::<ThreeMensMorris>()?)?;
    /// assert!(database.tables().is_empty());
    /// assert_eq!(database.unusable_tables()[0].sector.to_string(), "3-3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DatabaseError::Io`] if the directory cannot be read.
    pub fn open(folder: &Path, rules: Ruleset) -> Result<Self, DatabaseError> {
        let mut database = Self::new(rules);
        let failed = |error| DatabaseError::Io(folder.to_owned(), error);
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(database),
            entries => entries.map_err(failed)?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let file = entry.map_err(failed)?.path();
            if let Some((sector, metric)) = sector_of(&file) {
                files.push((sector, metric, file));
            }
        }
        files.sort_by(|a, b| a.2.cmp(&b.2));
        for (sector, metric, file) in files {
            if let Err(error) = database.add_file(&file, sector, metric) {
                database.unusable.push(UnusableTable { sector, metric, error });
            }
        }
        Ok(database)
    }

    /// Opens one more table.
    pub(crate) fn add_file(&mut self, file: &Path, sector: Sector, metric: Metric) -> Result<(), TableError> {
        let table = SectorTable::open(file, &self.rules, &self.class_cache, sector, metric)?;
        assert_eq!(self.tables.len(), self.stored, "tables on disk come first");
        self.stored += 1;
        self.add(table);
        Ok(())
    }

    /// Adds a table. It is used if the sector has no other table, or if it stores more than the
    /// earlier ones.
    pub(crate) fn add(&mut self, table: SectorTable) {
        let number = key(table.sector(), table.metric());
        let is_better = self.table(table.sector(), table.metric()).is_none_or(|earlier| {
            earlier.stored() == StoredValues::Results && table.stored() == StoredValues::Distances
        });
        self.tables.push(table);
        if is_better {
            self.numbers.resize(1 << 17, 0);
            self.numbers[number] = self.tables.len() as u16;
        }
    }

    /// Limits the memory of the block cache, which all threads share, to this many bytes. Has no
    /// effect after the first probe.
    pub fn set_cache_bytes(&self, bytes: u64) {
        self.cache_bytes.store(bytes, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn cache(&self) -> &BlockCache {
        self.cache.get_or_init(|| BlockCache::new(self.cache_bytes.load(Ordering::Relaxed)))
    }

    /// Returns the rules of the database.
    #[must_use]
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    pub(crate) fn class_cache(&self) -> &ClassCache {
        &self.class_cache
    }

    /// Returns the tables on disk, sorted by sector.
    #[must_use]
    pub fn tables(&self) -> Vec<&SectorTable> {
        let mut tables: Vec<_> = self.tables[..self.stored].iter().collect();
        tables.sort_by_key(|table| {
            let sector = table.sector();
            (sector.own_hand + sector.other_hand, sector.men(), sector, table.metric() == Metric::Capture)
        });
        tables
    }

    /// Returns the sectors that have tables, on disk or in memory, sorted.
    #[must_use]
    pub fn sectors(&self) -> Vec<Sector> {
        let end = self.tables.iter().filter(|table| table.metric() == Metric::End);
        let sectors: BTreeSet<_> = end.map(SectorTable::sector).collect();
        sectors.into_iter().collect()
    }

    /// Returns the files that have the name of a table but cannot be used.
    #[must_use]
    pub fn unusable_tables(&self) -> &[UnusableTable] {
        &self.unusable
    }

    pub(crate) fn take_unusable_tables(&mut self) -> Vec<UnusableTable> {
        std::mem::take(&mut self.unusable)
    }

    /// Returns the table of a sector, on disk or in memory; `None` if there is none.
    #[inline]
    #[must_use]
    pub fn table(&self, sector: Sector, metric: Metric) -> Option<&SectorTable> {
        let number = *self.numbers.get(key(sector, metric))?;
        // With more than 15 men, the key is the key of another sector.
        self.tables.get(usize::from(number).wrapping_sub(1)).filter(|table| table.sector() == sector)
    }

    /// Returns whether the plies of a sector are known.
    pub(crate) fn has_distances(&self, sector: Sector, metric: Metric) -> bool {
        self.has_table(sector, metric, StoredValues::Distances)
    }

    /// Returns whether a sector has a table that [stores](SectorTable::stores) the requested
    /// values.
    pub(crate) fn has_table(&self, sector: Sector, metric: Metric, stored: StoredValues) -> bool {
        self.table(sector, metric).is_some_and(|table| table.stores(stored))
    }

    /// Returns whether all sectors of a unit have tables that store the requested values.
    pub(crate) fn has_tables(&self, unit: WorkUnit, stored: StoredValues) -> bool {
        self.rules.tables(unit).all(|(sector, metric)| self.has_table(sector, metric, stored))
    }

    /// Performs a look-up in the cheapest way. The tables on disk are tried first. If the look-up
    /// finds nothing, the built-in tables are added, and finally the small sectors are solved in
    /// memory.
    ///
    /// # Errors
    /// The errors of `look_up`, and [`DatabaseError`] as in
    /// [`solve_small_sectors`](Self::solve_small_sectors).
    pub fn look_up<T, E: From<DatabaseError>>(
        &mut self,
        look_up: impl Fn(&Self) -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        if let Some(found) = look_up(self)? {
            return Ok(Some(found));
        }
        self.add_packed_tables();
        if let Some(found) = look_up(self)? {
            return Ok(Some(found));
        }
        self.solve_small_sectors()?;
        look_up(self)
    }

    /// Adds the [built-in tables](Self::add_packed_tables). Other small sectors that are not on
    /// disk, or are on disk without plies, are solved in memory. This takes about half a second.
    ///
    /// # Errors
    /// [`DatabaseError`] if they depend on a table on disk that is damaged.
    pub fn solve_small_sectors(&mut self) -> Result<(), DatabaseError> {
        let rules = self.rules;
        self.add_packed_tables();
        for unit in plan(&small_sectors(&rules), &rules) {
            for metric in rules.metrics(unit) {
                if unit.sectors().all(|sector| self.has_distances(sector, metric)) {
                    continue;
                }
                let lower = |sector| self.table(sector, metric);
                let (progress, cancel) = (SolveProgress::default(), Cancel::new());
                let solved = solve(unit, metric, &rules, &self.class_cache, &lower, &progress, &cancel)
                    .map_err(|source| DatabaseError::Small { unit, source })?;
                for mut solved in solved {
                    let (sector, codes) = (solved.sector, solved.values.plain());
                    let (_, counts) = count(&self.class_cache, sector, &|slot| codes[slot]);
                    let table = ExpandedTable::from_codes(codes, sector.row_len(&self.class_cache));
                    let table = SectorTable::in_memory(table, counts, &rules, &self.class_cache, sector, metric);
                    self.add(table);
                }
            }
        }
        Ok(())
    }

    /// Returns whether a table was found to be damaged.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.tables.iter().any(SectorTable::is_damaged)
    }

    /// Returns the value of the position with these men in a sector; `None` if the sector has no
    /// table.
    ///
    /// # Errors
    /// [`TableError`] if its block is damaged or cannot be read.
    #[inline]
    pub(crate) fn value(
        &self,
        sector: Sector,
        metric: Metric,
        own: u32,
        other: u32,
    ) -> Result<Option<PositionValue>, TableError> {
        let Some(table) = self.table(sector, metric) else { return Ok(None) };
        let (row, slot) = index::place(&self.class_cache, own, other);
        table.value(self.cache(), row * table.row_len() + slot).map(Some)
    }
}

/// Returns the sectors to solve in memory: all sectors of the game if they have at most
/// [`SMALL_SECTOR_SLOTS`] slots, otherwise the sectors up to the largest number of men for which
/// this is true.
fn small_sectors(rules: &Ruleset) -> Vec<Sector> {
    let is_small = |sectors: &[Sector]| {
        let units = plan(sectors, rules);
        let slots = units.iter().flat_map(|unit| unit.sectors()).map(|sector| sector.slots_by_count(rules));
        slots.sum::<u64>() <= SMALL_SECTOR_SLOTS
    };
    let all = whole_game(rules);
    if is_small(&all) {
        return all;
    }
    let by_men = (6..=2 * u32::from(rules.rules.men)).map(|men| with_men_up_to(men, rules));
    by_men.take_while(|sectors| is_small(sectors)).last().unwrap_or_default()
}

/// The file extension for each metric.
const EXTENSIONS: [(Metric, &str); 2] = [(Metric::End, "table"), (Metric::Capture, "captures")];

/// Returns the file name of a table.
pub(crate) fn file_name(sector: Sector, metric: Metric) -> String {
    let (_, extension) = EXTENSIONS.iter().find(|(of, _)| *of == metric).expect("both metrics have an extension");
    format!("{sector}.{extension}")
}

/// Returns the sector and the metric in the name of a table file.
fn sector_of(file: &Path) -> Option<(Sector, Metric)> {
    let extension = file.extension()?.to_str()?;
    let (metric, _) = EXTENSIONS.iter().find(|(_, of)| *of == extension)?;
    let sector = file.file_stem()?.to_str()?.parse().ok()?;
    // Rejects names such as `03-3.table`.
    (file.file_name()?.to_str()? == file_name(sector, *metric)).then_some((sector, *metric))
}
