//! The pack: the built-in tables of small sectors of each game.
//!
//! ```text
//! magic    16 bytes
//! number   the number of tables, four bytes
//! tables   for each table: its file header (128 bytes), and the offset of its body in the pack (4)
//! bodies   the table bodies; tables with identical bodies, such as games that differ only in
//!          larger sectors, share one
//! ```
//!
//! `morello database pack` writes it.

use super::super::value::Metric;
use super::super::{Database, Ruleset, Sector, StoredValues, TableError};
use super::format::{HEADER_BYTES, TableHeader};
use super::table::SectorTable;
use super::write::{TableKind, write_table};
use crate::data_file;
use crate::morris::NINE;

/// The built-in pack.
fn pack() -> &'static [u8] {
    data_file!("databases/small.pack")
}

/// The first bytes of a pack.
const MAGIC: &[u8; 16] = b"morello pack 1\n\0";
/// The size of an entry in bytes.
const ENTRY_BYTES: usize = HEADER_BYTES + 4;
/// The zstd compression level.
const LEVEL: i32 = 22;

/// Returns the sectors of a game whose tables are in the pack: those that are small when
/// compressed. With flying, nearly all positions of four men against four are draws.
///
/// ```
/// use morello::morris::NineMensMorrisFlying;
/// use morello::morris::engine::database::{Ruleset, packed_sectors};
///
/// let sectors = packed_sectors(&Ruleset::of::<NineMensMorrisFlying>()?);
/// assert_eq!(sectors.iter().map(ToString::to_string).collect::<Vec<_>>(), ["3-3", "4-4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn packed_sectors(rules: &Ruleset) -> Vec<Sector> {
    let flies_at_nine = rules.rules.flying && rules.board.mills().len() == NINE.mills().len();
    let sectors: &[&str] = if flies_at_nine { &["3-3", "4-4"] } else { &["3-3"] };
    sectors.iter().map(|sector| sector.parse().expect("the list has sectors")).collect()
}

/// Writes a pack.
#[derive(Debug, Default)]
pub struct PackWriter {
    /// The table headers, and the indices of the table bodies.
    tables: Vec<([u8; HEADER_BYTES], usize)>,
    bodies: Vec<Vec<u8>>,
}

impl PackWriter {
    /// Adds the tables of the [packed sectors](packed_sectors) of a game.
    ///
    /// # Errors
    /// [`TableError`] if a table is damaged.
    ///
    /// # Panics
    /// If a table is missing.
    pub fn add(&mut self, database: &Database) -> Result<(), TableError> {
        self.add_sectors(database, &packed_sectors(database.rules()))
    }

    fn add_sectors(&mut self, database: &Database, sectors: &[Sector]) -> Result<(), TableError> {
        let (rules, class_cache) = (database.rules(), database.class_cache());
        for &sector in sectors {
            for metric in [Metric::End, Metric::Capture] {
                let Some(table) = database.table(sector, metric) else {
                    assert!(metric == Metric::Capture, "the table of {sector} exists");
                    continue;
                };
                let (table, mut bytes) = (table.expand()?, Vec::new());
                let kind =
                    TableKind { rules, class_cache, sector, metric, stored: StoredValues::Distances, level: LEVEL };
                let code = |slot| table.value(slot).code();
                write_table(kind, &code, &mut std::io::Cursor::new(&mut bytes)).expect("memory can be written");
                let (header, body) = bytes.split_first_chunk().expect("a table has a header");
                let number = self.bodies.iter().position(|known| known == body).unwrap_or_else(|| {
                    self.bodies.push(body.to_vec());
                    self.bodies.len() - 1
                });
                self.tables.push((*header, number));
            }
        }
        Ok(())
    }

    /// Returns the size of the pack in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        let bodies: usize = self.bodies.iter().map(Vec::len).sum();
        (MAGIC.len() + 4 + ENTRY_BYTES * self.tables.len() + bodies) as u64
    }

    /// Returns the contents of the pack.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut offset = MAGIC.len() + 4 + ENTRY_BYTES * self.tables.len();
        let mut offsets = Vec::new();
        for body in &self.bodies {
            offsets.push(offset as u32);
            offset += body.len();
        }
        let mut pack = [MAGIC, &(self.tables.len() as u32).to_le_bytes()[..]].concat();
        for (header, body) in self.tables {
            pack.extend(header);
            pack.extend(offsets[body].to_le_bytes());
        }
        pack.extend(self.bodies.concat());
        pack
    }
}

/// Returns the headers and the bodies of the tables in a pack; `None` if it is not a pack.
fn tables(pack: &'static [u8]) -> Option<Vec<(TableHeader, &'static [u8])>> {
    let (count, entries) = pack.strip_prefix(MAGIC)?.split_first_chunk()?;
    let entries = entries.get(..ENTRY_BYTES * u32::from_le_bytes(*count) as usize)?;
    let table = |entry: &[u8]| {
        let (header, offset) = entry.split_at(HEADER_BYTES);
        let header = TableHeader::read(header).ok()?;
        let offset = u32::from_le_bytes(offset.try_into().ok()?) as usize;
        let len = usize::try_from(header.len).ok()?.checked_sub(HEADER_BYTES)?;
        Some((header, pack.get(offset..)?.get(..len)?))
    };
    entries.chunks_exact(ENTRY_BYTES).map(table).collect()
}

impl Database {
    /// Adds the built-in tables of sectors for which no table with plies exists yet.
    pub fn add_packed_tables(&mut self) {
        let rules = *self.rules();
        let tables = tables(pack()).expect("a test reads the pack");
        for (header, bytes) in tables.into_iter().filter(|(header, _)| header.game == rules.name) {
            if !self.has_distances(header.sector, header.metric) {
                let table = SectorTable::embedded(header, bytes, &rules, self.class_cache());
                self.add(table.expect("a test reads the pack"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::game::Cancel;
    use crate::games;
    use crate::morris::engine::database::solve::{SolveProgress, solve};
    use crate::morris::engine::database::{WorkUnit, verify};
    use crate::morris::{LaskerMorris, NineMensMorrisFlying, SixMensMorris, Variant};

    /// Returns the rules of all games with databases.
    fn all_rules() -> impl Iterator<Item = Ruleset> {
        games::all().iter().filter_map(|game| games::mill(game.name()).ok()?.ruleset().ok())
    }

    /// Compares the 3-3 table with the solver, in both metrics.
    fn check(rules: Ruleset) {
        let mut database = Database::new(rules);
        database.add_packed_tables();
        let sector: Sector = "3-3".parse().unwrap();
        let unit = WorkUnit::of(sector, &rules);
        for metric in rules.metrics(unit) {
            let lower = |_| None;
            let (progress, cancel) = (SolveProgress::default(), Cancel::new());
            let solved = solve(unit, metric, &rules, database.class_cache(), &lower, &progress, &cancel).unwrap();
            let mut solved = solved.into_iter().next().unwrap();
            let table = database.table(sector, metric).unwrap();
            assert_eq!(
                (table.slots(), table.stored()),
                (sector.slots(database.class_cache()), StoredValues::Distances)
            );
            for (slot, &code) in solved.values.plain().iter().enumerate() {
                assert_eq!(table.value(database.cache(), slot).unwrap().code(), code, "{} slot {slot}", rules.name);
            }
        }
        let packed = packed_sectors(&rules);
        assert!(packed.iter().all(|&sector| database.table(sector, Metric::End).is_some()));
        assert_eq!(database.sectors().len(), packed.len(), "{}", rules.name);
    }

    #[test]
    fn every_game_has_the_smallest_sector() {
        all_rules().for_each(check);
        assert!(pack().len() < 500_000, "{}", pack().len());
    }

    #[test]
    fn larger_packed_tables_agree_with_the_rules() {
        let sector: Sector = "4-4".parse().unwrap();
        for rules in all_rules().filter(|rules| packed_sectors(rules).contains(&sector)) {
            let mut database = Database::new(rules);
            database.solve_small_sectors().unwrap();
            let table = database.table(sector, Metric::End).unwrap();
            verify(&database, table, 10, &AtomicU64::new(0), &Cancel::new()).unwrap();
        }
    }

    #[test]
    fn writes_a_pack_with_shared_bytes() {
        fn add<V: Variant>(pack: &mut PackWriter, sectors: &[&str]) {
            let mut database = Database::new(Ruleset::of::<V>().unwrap());
            database.add_packed_tables();
            pack.add_sectors(&database, &sectors.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>()).unwrap();
        }
        let mut pack = PackWriter::default();
        add::<NineMensMorrisFlying>(&mut pack, &["3-3"]);
        let one = pack.size();
        add::<LaskerMorris>(&mut pack, &["3-3"]);
        assert_eq!(pack.size(), one + ENTRY_BYTES as u64, "the second game has the same values");
        add::<SixMensMorris>(&mut pack, &["3-3"]);
        let size = pack.size();
        let bytes: &'static [u8] = pack.finish().leak();
        assert_eq!(bytes.len() as u64, size);
        let names: Vec<_> = tables(bytes).unwrap().into_iter().map(|(header, body)| (header.game, body)).collect();
        let games: Vec<_> = names.iter().map(|(game, _)| game.as_str()).collect();
        assert_eq!(games, ["nine-mens-morris-flying", "lasker-morris", "six-mens-morris"]);
        assert_eq!(names[0].1, names[1].1);
        // The command writes exactly the built-in pack, because it uses the same version of zstd.
        let embedded = tables(super::pack()).unwrap();
        assert!(names.iter().all(|(_, body)| embedded.iter().any(|(_, known)| known == body)));
        for len in [0, 10, MAGIC.len() + 3, MAGIC.len() + 4 + ENTRY_BYTES, bytes.len() - 1] {
            assert!(tables(&bytes[..len]).is_none(), "cut off after {len} bytes");
        }
    }
}
