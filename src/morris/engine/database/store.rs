//! [`Database`]: the tables of a game, in a folder and in memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::classes::ClassCache;
use super::pack::pack;
use super::solve::{SolveError, SolveProgress, solve};
use super::value::{Metric, PositionValue};
use super::{Ruleset, Sector, SectorTable, TableError, WorkUnit, index, plan, whole_game, with_men_up_to};
use crate::game::Cancel;

/// The maximum number of slots of the sectors that are solved in memory if they are not on disk, which takes half a second. In nine men's
/// morris these are the sectors with up to seven men and no men in hand; in three men's morris all sectors.
const SMALL_SECTOR_SLOTS: u64 = 2_200_000;

/// Why a database cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The folder cannot be read.
    #[error("cannot read the database `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// A table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A sector cannot be solved in memory.
    #[error("cannot solve {unit} in memory")]
    Small {
        /// Its sectors.
        unit: WorkUnit,
        /// Why.
        source: SolveError,
    },
}

/// The endgame tables of a game.
pub struct Database {
    rules: Ruleset,
    class_cache: ClassCache,
    /// The tables on disk.
    stored: TableSet,
    /// The tables solved in memory.
    small: TableSet,
    /// The tables on disk that cannot be used.
    unusable: Vec<UnusableTable>,
}

/// A file with the name of a table that is not a valid table of this game. The database ignores it.
#[derive(Debug)]
pub struct UnusableTable {
    /// The sector in its name.
    pub sector: Sector,
    /// The metric in its name.
    pub metric: Metric,
    /// Why it cannot be used.
    pub error: TableError,
}

/// Tables by sector and metric.
#[derive(Default)]
struct TableSet {
    tables: Vec<SectorTable>,
    /// The number of the table of each sector and metric, from 1; 0 if there is none.
    numbers: Vec<u16>,
}

impl TableSet {
    fn key(sector: Sector, metric: Metric) -> usize {
        let Sector { own, other, own_hand, other_hand } = sector;
        let men = [own, other, own_hand, other_hand].iter().fold(0, |key, &men| key << 4 | usize::from(men.min(15)));
        men << 1 | usize::from(metric == Metric::Capture)
    }

    /// Adds a table. There must be none of the same sector and metric.
    fn add(&mut self, table: SectorTable) {
        let key = Self::key(table.sector(), table.metric());
        self.tables.push(table);
        self.numbers.resize(1 << 17, 0);
        self.numbers[key] = self.tables.len() as u16;
    }

    #[inline]
    fn get(&self, sector: Sector, metric: Metric) -> Option<&SectorTable> {
        let number = *self.numbers.get(Self::key(sector, metric))?;
        self.tables.get(usize::from(number).wrapping_sub(1)).filter(|table| table.sector() == sector)
    }
}

impl Database {
    /// Creates an empty database.
    #[must_use]
    pub fn new(rules: Ruleset) -> Self {
        Self {
            rules,
            class_cache: ClassCache::new(rules.board),
            stored: TableSet::default(),
            small: TableSet::default(),
            unusable: Vec::new(),
        }
    }

    /// Opens the tables in a folder. The folder may be empty or missing. Unusable tables are ignored and
    /// [listed](Self::unusable_tables). Tables written to the folder later are not found.
    ///
    /// # Errors
    /// [`DatabaseError::Io`] if the folder cannot be read.
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
    pub(super) fn add_file(&mut self, file: &Path, sector: Sector, metric: Metric) -> Result<(), TableError> {
        let table = SectorTable::open(file, &self.rules, &self.class_cache, sector, metric)?;
        self.stored.add(table);
        Ok(())
    }

    /// Returns the rules of the database.
    #[must_use]
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    pub(super) fn class_cache(&self) -> &ClassCache {
        &self.class_cache
    }

    /// Returns the tables on disk, sorted by sector.
    #[must_use]
    pub fn tables(&self) -> Vec<&SectorTable> {
        let mut tables: Vec<_> = self.stored.tables.iter().collect();
        tables.sort_by_key(|table| {
            let sector = table.sector();
            (sector.own_hand + sector.other_hand, sector.men(), sector, table.metric() == Metric::Capture)
        });
        tables
    }

    /// Returns the files with the name of a table that cannot be used.
    #[must_use]
    pub fn unusable_tables(&self) -> &[UnusableTable] {
        &self.unusable
    }

    pub(super) fn take_unusable_tables(&mut self) -> Vec<UnusableTable> {
        std::mem::take(&mut self.unusable)
    }

    /// Returns the table of a sector, on disk or in memory.
    #[inline]
    #[must_use]
    pub fn table(&self, sector: Sector, metric: Metric) -> Option<&SectorTable> {
        self.stored.get(sector, metric).or_else(|| self.small.get(sector, metric))
    }

    /// Solves the small sectors that are not on disk in memory; takes about half a second.
    ///
    /// # Errors
    /// [`DatabaseError`] if a table on disk that they depend on is damaged.
    pub fn solve_small_sectors(&mut self) -> Result<(), DatabaseError> {
        let rules = self.rules;
        for unit in plan(&small_sectors(&rules), &rules) {
            for metric in rules.metrics(unit) {
                if unit.sectors().all(|sector| self.table(sector, metric).is_some()) {
                    continue;
                }
                let lower = |sector| self.table(sector, metric);
                let (progress, cancel) = (SolveProgress::default(), Cancel::new());
                let solved = solve(unit, metric, &rules, &self.class_cache, &lower, &progress, &cancel)
                    .map_err(|source| DatabaseError::Small { unit, source })?;
                for solved in solved {
                    let mut bytes = io::Cursor::new(Vec::new());
                    let code = |slot| solved.values.load(slot);
                    pack(&rules, &self.class_cache, solved.sector, metric, &code, &mut bytes)
                        .expect("writing to memory cannot fail");
                    let bytes = bytes.into_inner();
                    self.small.add(SectorTable::in_memory(bytes, &rules, &self.class_cache, solved.sector, metric));
                }
            }
        }
        Ok(())
    }

    /// Returns whether a table was found to be damaged.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.stored.tables.iter().any(SectorTable::is_damaged)
    }

    /// Starts to read the block that [`value`](Self::value) needs.
    pub(super) fn prefetch(&self, sector: Sector, metric: Metric, own: u32, other: u32) {
        if let Some(table) = self.table(sector, metric) {
            table.prefetch(index::place(&self.class_cache, own, other).0);
        }
    }

    /// Returns the value of the position with these men in a sector, if the sector has a table.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if its block is damaged.
    #[inline]
    pub(super) fn value(
        &self,
        sector: Sector,
        metric: Metric,
        own: u32,
        other: u32,
    ) -> Result<Option<PositionValue>, TableError> {
        let Some(table) = self.table(sector, metric) else { return Ok(None) };
        let (block, slot) = index::place(&self.class_cache, own, other);
        Ok(Some(table.block(block)?.value(slot)))
    }
}

/// Returns the sectors to solve in memory: all of the game if they have at most [`SMALL_SECTOR_SLOTS`] slots, else those up to the largest
/// number of men for which this is so.
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

/// The file extensions.
const EXTENSIONS: [(Metric, &str); 2] = [(Metric::End, "table"), (Metric::Capture, "captures")];

/// Returns the file name of a table.
pub(super) fn file_name(sector: Sector, metric: Metric) -> String {
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
