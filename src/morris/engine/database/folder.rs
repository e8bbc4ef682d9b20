//! [`Database`]: the tables of a game, in a folder and in memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use thiserror::Error;

use super::classes::Geometry;
use super::solve::{Monitor, solve};
use super::table::pack;
use super::value::{Metric, Value};
use super::{Ruleset, Sector, Table, TableError, index, plan, with_men_up_to};
use crate::game::Cancel;

/// Slots of the sectors that are made in memory where they are not on disk: half a second's work. In nine men's morris these are
/// the sectors of seven men and fewer without men in hand.
const SMALL: u64 = 2_200_000;

/// Searches look at most about so many captures ahead: with more men than the small sectors have and these, they need not be made.
const CAPTURES_AHEAD: u32 = 5;

/// Why a folder of tables cannot be used.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// It cannot be read.
    #[error("cannot read the database `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// A table in it cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The tables of a game.
pub struct Database {
    rules: Ruleset,
    geometry: Geometry,
    /// What is on disk.
    stored: Shelf,
    /// What is made in memory.
    small: OnceLock<Shelf>,
}

/// Tables by sector and metric.
#[derive(Default)]
struct Shelf {
    tables: Vec<Table>,
    /// For each sector and metric the number of its table, from 1.
    numbers: Vec<u16>,
}

impl Shelf {
    fn key(sector: Sector, metric: Metric) -> usize {
        let Sector { own, other, own_hand, other_hand } = sector;
        let men = [own, other, own_hand, other_hand].iter().fold(0, |key, &men| key << 4 | usize::from(men));
        men << 1 | usize::from(metric == Metric::Capture)
    }

    fn add(&mut self, table: Table) {
        let key = Self::key(table.sector(), table.metric());
        self.tables.push(table);
        self.numbers.resize(1 << 17, 0);
        self.numbers[key] = self.tables.len() as u16;
    }

    #[inline]
    fn get(&self, sector: Sector, metric: Metric) -> Option<&Table> {
        let number = *self.numbers.get(Self::key(sector, metric))?;
        self.tables.get(usize::from(number).wrapping_sub(1))
    }
}

impl Database {
    /// Creates the database of a game without any table on disk.
    #[must_use]
    pub fn new(rules: Ruleset) -> Self {
        Self { rules, geometry: Geometry::new(rules.board), stored: Shelf::default(), small: OnceLock::new() }
    }

    /// Opens the tables of a game that lie in a folder; that there is none, or no such folder, is no error. Tables that are written to it
    /// later are not seen.
    ///
    /// # Errors
    /// [`DatabaseError`] if the folder or a table in it cannot be read, or a table is damaged or of another game.
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
            database.add_file(&file, sector, metric)?;
        }
        Ok(database)
    }

    /// Opens one more table.
    pub(super) fn add_file(&mut self, file: &Path, sector: Sector, metric: Metric) -> Result<(), TableError> {
        let table = Table::open(file, &self.rules, &self.geometry, sector, metric)?;
        self.stored.add(table);
        Ok(())
    }

    /// Returns the rules that its values are of.
    #[must_use]
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Returns the tables on disk, in the order of their sectors.
    #[must_use]
    pub fn tables(&self) -> Vec<&Table> {
        let mut tables: Vec<_> = self.stored.tables.iter().collect();
        tables.sort_by_key(|table| {
            let sector = table.sector();
            (sector.own_hand + sector.other_hand, sector.men(), sector, table.metric() == Metric::Capture)
        });
        tables
    }

    /// Returns the table of a sector, from the disk or from memory.
    #[inline]
    #[must_use]
    pub fn table(&self, sector: Sector, metric: Metric) -> Option<&Table> {
        self.stored.get(sector, metric).or_else(|| self.small.get()?.get(sector, metric))
    }

    /// Makes the small sectors that are not on disk in memory, unless that was done before or a search of positions with so many men of both
    /// sides, on the board and in hand, has no use for them. Other threads wait for it.
    pub fn prepare(&self, men: u32) {
        if self.small.get().is_none() && men <= self.small_men() + CAPTURES_AHEAD {
            self.small.get_or_init(|| self.make_small());
        }
    }

    /// Returns the most men of the sectors that count as small.
    fn small_men(&self) -> u32 {
        let of_men = |men| with_men_up_to(men, &self.rules).iter().map(|s| s.slots_by_count(&self.rules)).sum::<u64>();
        (6..=2 * u32::from(self.rules.rules.men)).take_while(|&men| of_men(men) <= SMALL).last().unwrap_or(6)
    }

    fn make_small(&self) -> Shelf {
        let mut shelf = Shelf::default();
        let rules = &self.rules;
        for unit in plan(&with_men_up_to(self.small_men(), rules), rules) {
            for metric in rules.metrics(unit) {
                if unit.sectors().all(|sector| self.stored.get(sector, metric).is_some()) {
                    continue;
                }
                let lower = |sector| self.stored.get(sector, Metric::End).or_else(|| shelf.get(sector, Metric::End));
                let solved = solve(unit, metric, rules, &self.geometry, &lower, &Monitor::default(), &Cancel::new());
                // Sectors of this size need little memory, and no limit is near; a damaged table on disk is told of when it is opened.
                let Ok(solved) = solved else { return shelf };
                for solved in solved {
                    let mut bytes = io::Cursor::new(Vec::new());
                    let code = |slot| solved.values.load(slot);
                    pack(rules, &self.geometry, solved.sector, metric, &code, &mut bytes)
                        .expect("memory takes all that is written to it");
                    let bytes = bytes.into_inner();
                    shelf.add(Table::in_memory(bytes, rules, &self.geometry, solved.sector, metric));
                }
            }
        }
        shelf
    }

    /// Returns the value of the position of a sector with these men, if there is a table of it.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if its block is.
    #[inline]
    pub(super) fn value(
        &self,
        sector: Sector,
        metric: Metric,
        own: u32,
        other: u32,
    ) -> Result<Option<Value>, TableError> {
        let Some(table) = self.table(sector, metric) else { return Ok(None) };
        let (block, slot) = index::place(&self.geometry, own, other);
        Ok(Some(table.block(block)?.value(slot)))
    }
}

/// The endings of the files.
const ENDINGS: [(Metric, &str); 2] = [(Metric::End, "table"), (Metric::Capture, "captures")];

/// Returns the name of the file of a table.
pub(super) fn file_name(sector: Sector, metric: Metric) -> String {
    let (_, ending) = ENDINGS.iter().find(|(of, _)| *of == metric).expect("both metrics have an ending");
    format!("{sector}.{ending}")
}

/// Returns the table that a file is named after, if it is.
fn sector_of(file: &Path) -> Option<(Sector, Metric)> {
    let ending = file.extension()?.to_str()?;
    let (metric, _) = ENDINGS.iter().find(|(_, of)| *of == ending)?;
    Some((file.file_stem()?.to_str()?.parse().ok()?, *metric))
}
