//! Builds, counts, verifies, interrupts and damages databases of small sectors.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use super::*;
use crate::game::{AnyPosition, Cancel, Position as _};
use crate::games;
use crate::morris::{
    LaskerMorris, Morabaraba, MorabarabaFullDraw, MorabarabaNoReturn, NineMensMorris, NineMensMorrisFlying,
    NineMensMorrisFlyingBlockedDraw, NineMensMorrisFlyingProtected, NineMensMorrisFlyingUnprotected,
    NineMensMorrisProtected, Position, SevenMensMorris, SixMensMorris, ThreeMensMorris, TwelveMensMorris, Variant,
};

fn build<V: Variant>(folder: &Path, sectors: &[&str]) -> Database {
    let rules = Ruleset::of::<V>().unwrap();
    let sectors: Vec<Sector> = sectors.iter().map(|text| text.parse().unwrap()).collect();
    let build = Build::open(folder, rules, &sectors, StoredValues::Distances).unwrap();
    build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    Database::open(folder, rules).unwrap()
}

/// Wins, draws, losses, and the longest win and loss.
type ExpectedCounts = (&'static str, u64, u64, u64, Option<u32>, Option<u32>);

fn check_counts<V: Variant>(rows: &[ExpectedCounts]) {
    let folder = tempfile::tempdir().unwrap();
    let sectors: Vec<_> = rows.iter().map(|row| row.0).collect();
    let database = build::<V>(folder.path(), &sectors);
    for &(sector, wins, draws, losses, longest_win, longest_loss) in rows {
        let table = database.table(sector.parse().unwrap(), Metric::End).unwrap();
        let expected = OutcomeCounts { wins, draws, losses, longest_win, longest_loss };
        assert_eq!(table.counts(), expected, "{} {sector}", V::NAME);
    }
}

// The expected counts are from the project's design notes. The first three with flying match
// Malom's published database.

#[test]
fn matches_known_counts_of_nine_mens_morris() {
    check_counts::<NineMensMorris>(&[
        ("3-3", 90_842, 38_622, 40_162, Some(39), Some(38)),
        ("4-3", 711_852, 612, 47_934, Some(33), Some(18)),
        ("3-4", 159_594, 2_076, 598_728, Some(19), Some(34)),
        ("4-4", 2_102_578, 146_215, 976_804, Some(69), Some(68)),
    ]);
}

#[test]
fn matches_known_counts_with_flying() {
    check_counts::<NineMensMorrisFlying>(&[
        ("3-3", 140_621, 269, 28_736, Some(25), Some(26)),
        ("4-3", 75_397, 681_906, 3_095, Some(1), Some(32)),
        ("3-4", 102_281, 658_117, 0, Some(33), None),
        ("4-4", 159, 3_225_409, 29, Some(9), Some(8)),
    ]);
}

#[test]
fn matches_known_counts_of_morabaraba() {
    check_counts::<Morabaraba>(&[
        ("3-3", 141_204, 0, 28_422, Some(15), Some(16)),
        ("4-3", 158_379, 593_251, 8_768, Some(7), Some(22)),
    ]);
}

#[test]
#[ignore = "takes half a minute"]
fn matches_known_counts_of_larger_sectors() {
    check_counts::<NineMensMorris>(&[("5-5", 21_174_799, 745_931, 8_993_694, Some(71), Some(72))]);
    check_counts::<NineMensMorrisFlying>(&[
        ("5-3", 580_660, 1_999_730, 0, Some(3), None),
        ("3-5", 6_301, 2_564_412, 9_677, Some(31), Some(2)),
        ("6-3", 2_752_371, 4_122_949, 0, Some(7), None),
        ("5-5", 28_819, 30_881_316, 4_289, Some(57), Some(56)),
    ]);
    check_counts::<Morabaraba>(&[("4-4", 178_907, 3_004_918, 41_772, Some(19), Some(18))]);
}

fn verify_all<V: Variant>(sectors: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let database = build::<V>(folder.path(), sectors);
    assert!(!database.tables().is_empty());
    for table in database.tables() {
        let done = AtomicU64::new(0);
        verify(&database, table, 1, &done, &Cancel::new()).unwrap();
        assert_eq!(done.into_inner(), table.slots());
    }
    for unit in units(&database) {
        let done = AtomicU64::new(0);
        for result in verify_in_memory(&database, &unit, &done, &Cancel::new()) {
            result.unwrap();
        }
        assert_eq!(done.into_inner(), unit.iter().map(|table| table.slots()).sum::<u64>());
    }
}

/// Groups the tables of a database by unit and metric.
fn units(database: &Database) -> Vec<Vec<&SectorTable>> {
    let unit_of = |table: &SectorTable| (WorkUnit::of(table.sector(), database.rules()), table.metric());
    let mut units: Vec<Vec<&SectorTable>> = Vec::new();
    for table in database.tables() {
        match units.iter_mut().find(|unit| unit_of(unit[0]) == unit_of(table)) {
            Some(unit) => unit.push(table),
            None => units.push(vec![table]),
        }
    }
    units
}

#[test]
fn tables_agree_with_the_rules() {
    verify_all::<NineMensMorris>(&["3-3"]);
    verify_all::<NineMensMorrisProtected>(&["3-3"]);
    verify_all::<NineMensMorrisFlying>(&["3-3", "1-2+2-1", "3-2+0-1"]);
    verify_all::<NineMensMorrisFlyingProtected>(&["3-3"]);
    verify_all::<Morabaraba>(&["4-3", "2-3+1-0"]);
    verify_all::<LaskerMorris>(&["0-0+3-3"]);
    verify_all::<NineMensMorrisFlyingUnprotected>(&["3-3"]);
    verify_all::<NineMensMorrisFlyingBlockedDraw>(&["4-3"]);
    verify_all::<SevenMensMorris>(&["4-3", "2-2+2-2", "3-1+0-3"]);
    verify_all::<SixMensMorris>(&["4-3", "2-2+2-2", "3-1+0-3"]);
    verify_all::<ThreeMensMorris>(&["0-0+3-3"]);
}

#[test]
fn only_tables_of_full_boards_depend_on_their_rule() {
    fn rules<V: Variant>() -> Ruleset {
        Ruleset::of::<V>().unwrap()
    }
    let (loss, draw) = (rules::<Morabaraba>(), rules::<MorabarabaFullDraw>());
    let sectors = whole_game(&loss);
    let differ = sectors.iter().filter(|&&sector| loss.fingerprint(sector) != draw.fingerprint(sector));
    assert!(differ.clone().all(|sector| sector.men() == 24));
    assert_eq!(differ.count(), sectors.iter().filter(|sector| sector.men() == 24).count());
    let twelve = rules::<TwelveMensMorris>();
    assert!(sectors.iter().all(|&sector| twelve.fingerprint(sector) == draw.fingerprint(sector)));
    // Tables of plies to the next capture depend on it, and the fingerprints do not include it.
    assert_eq!(loss.rules.three_men_limit, draw.rules.three_men_limit);
    // No other games have the same fingerprints.
    let mills = games::all().iter().filter_map(|game| games::mill(game.name()).ok()?.ruleset().ok());
    let others: Vec<_> = mills.filter(|rules| ![draw.name, twelve.name].contains(&rules.name)).collect();
    assert!(others.len() > 10);
    for (at, rules) in others.iter().enumerate() {
        assert!(others[..at].iter().all(|other| other.fingerprint(sectors[0]) != rules.fingerprint(sectors[0])));
    }

    let [known, own] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    drop(build::<Morabaraba>(known.path(), &["3-3", "2-3+1-0"]));
    drop(build::<MorabarabaFullDraw>(own.path(), &["3-3", "2-3+1-0"]));
    let names = |folder: &Path| -> Vec<_> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.retain(|name| name != "lock");
        names.sort();
        names
    };
    assert_eq!(names(known.path()), names(own.path()));
    assert_eq!(names(own.path()), ["2-3+1-0.table", "3-3.captures", "3-3.table"]);
    for name in names(own.path()) {
        let [a, b] = [&known, &own].map(|folder| fs::read(folder.path().join(&name)).unwrap());
        // The headers differ in the name of the game.
        assert!(a[..88] == b[..88] && a[128..] == b[128..], "{name:?}");
    }
}

#[test]
fn a_build_links_equal_tables_of_another_game() {
    let folder = tempfile::tempdir().unwrap();
    let [known, own] = ["morabaraba", "morabaraba-full-draw"].map(|name| folder.path().join(name));
    drop(build::<Morabaraba>(&known, &["3-3", "2-3+1-0"]));
    let rules = Ruleset::of::<MorabarabaFullDraw>().unwrap();
    let sectors: Vec<Sector> = ["3-3", "2-3+1-0"].map(|text| text.parse().unwrap()).into();
    let open = |folder: &Path| Build::open(folder, rules, &sectors, StoredValues::Distances).unwrap();
    let cancel = Cancel::new();
    // A damaged table is left to be built.
    let damaged = known.join("2-3+1-0.table");
    let sound = fs::read(&damaged).unwrap();
    fs::write(&damaged, &sound[..sound.len() - 1]).unwrap();
    let mut build = open(&own);
    assert_eq!(build.link(&folder.path().join("nothing"), &cancel).unwrap(), 0);
    assert!(!own.exists());
    let cancelled = Cancel::new();
    cancelled.cancel();
    assert!(matches!(build.link(&known, &cancelled), Err(BuildError::Cancelled)));
    assert_eq!(build.link(&known, &cancel).unwrap(), 2);
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::MetadataExt::nlink(&fs::metadata(own.join("3-3.table")).unwrap()), 2);
    assert_eq!(build.link(&known, &cancel).unwrap(), 0);
    let left = build.estimate().units;
    build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    assert_eq!(left, 1);
    assert_eq!(fs::read(own.join("2-3+1-0.table")).unwrap()[128..], sound[128..]);
    let database = Database::open(&own, rules).unwrap();
    assert!(database.unusable_tables().is_empty());
    assert_eq!(database.tables().len(), 3);
    assert_eq!(open(&own).estimate().units, 0);
    // A table without plies is replaced by a copy.
    let results = folder.path().join("results");
    let unlinked = Build::open(&results, rules, &sectors[..1], StoredValues::Results).unwrap();
    unlinked.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    let mut build = Build::open(&results, rules, &sectors[..1], StoredValues::Distances).unwrap();
    assert_eq!((build.link(&known, &cancel).unwrap(), build.estimate().units), (1, 0));
    assert_eq!(fs::read(results.join("3-3.table")).unwrap(), fs::read(known.join("3-3.table")).unwrap());
    // Games with other tables.
    let flying = Ruleset::of::<NineMensMorrisFlying>().unwrap();
    let mut build = Build::open(&folder.path().join("nine"), flying, &sectors, StoredValues::Distances).unwrap();
    assert_eq!(build.link(&known, &cancel).unwrap(), 0);
}

/// Opens a directory, which must have one unusable table, and returns the reason.
fn unusable_error(folder: &Path, rules: Ruleset) -> TableError {
    let mut database = Database::open(folder, rules).unwrap();
    let table = database.take_unusable_tables().pop().unwrap();
    assert!(database.table(table.sector, table.metric).is_none());
    table.error
}

#[test]
fn rejects_damaged_and_misnamed_tables() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Ruleset::of::<NineMensMorris>().unwrap();
    drop(build::<NineMensMorris>(folder.path(), &["3-3"]));
    let file = folder.path().join("3-3.table");
    let sound = fs::read(&file).unwrap();
    let error_of = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        unusable_error(folder.path(), rules)
    };
    assert!(matches!(error_of(&sound[..100]), TableError::Damaged { place: "the header", .. }));
    assert!(matches!(error_of(&[]), TableError::UnknownFormat(_)));
    assert!(matches!(error_of(b"something else"), TableError::UnknownFormat(_)));
    assert!(matches!(error_of(&sound[..sound.len() - 1]), TableError::Length { .. }));
    let with_version = |version: u8| [&sound[..8], &[version], &sound[9..]].concat();
    assert!(matches!(error_of(&with_version(1)), TableError::OldVersion { found: 1, .. }));
    assert!(matches!(error_of(&with_version(3)), TableError::NewVersion { found: 3, .. }));

    fs::write(&file, &sound).unwrap();
    let flying = Ruleset::of::<NineMensMorrisFlying>().unwrap();
    let error = unusable_error(folder.path(), flying);
    assert!(matches!(error, TableError::WrongRules { game: "nine-mens-morris-flying", .. }));
    // A build replaces the game's tables that an older version wrote with another fingerprint.
    let renamed = Ruleset { name: "nine-mens-morris", ..flying };
    assert!(matches!(
        unusable_error(folder.path(), renamed),
        TableError::OldFingerprint { game: "nine-mens-morris", .. }
    ));
    let build = Build::open(folder.path(), renamed, &["3-3".parse().unwrap()], StoredValues::Distances).unwrap();
    build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    assert_eq!(Database::open(folder.path(), renamed).unwrap().tables().len(), 1);
    fs::write(&file, &sound).unwrap();
    for name in ["4-4.table", "16-3.table", "3-3+9-9.table", "3-3.captures"] {
        let other = folder.path().join(name);
        fs::copy(&file, &other).unwrap();
        // Valid tables are still used.
        assert_eq!(Database::open(folder.path(), rules).unwrap().tables().len(), 1);
        assert!(matches!(unusable_error(folder.path(), rules), TableError::WrongSector { .. }), "{name}");
        fs::remove_file(&other).unwrap();
    }
    fs::copy(&file, folder.path().join("03-3.table")).unwrap();
    assert_eq!(Database::open(folder.path(), rules).unwrap().tables().len(), 1);
}

#[test]
fn every_damaged_byte_of_a_table_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Ruleset::of::<ThreeMensMorris>().unwrap();
    let sector = "2-2+1-1".parse().unwrap();
    drop(build::<ThreeMensMorris>(folder.path(), &["2-2+1-1"]));
    let file = folder.path().join("2-2+1-1.table");
    let sound = fs::read(&file).unwrap();
    // Most errors are found when the file is opened; those in a block when it is read.
    let is_detected = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let database = Database::open(folder.path(), rules).unwrap();
        let Some(table) = database.table(sector, Metric::End) else { return !database.unusable_tables().is_empty() };
        let read = table.check_all().is_err() && table.expand().is_err() && table.value(database.cache(), 0).is_err();
        read && database.is_damaged()
    };
    assert!(!is_detected(&sound));
    for at in 0..sound.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= flip;
            assert!(is_detected(&bytes), "byte {at} of {} changed by {flip}", sound.len());
        }
        assert!(is_detected(&sound[..at]), "cut off at byte {at} of {}", sound.len());
    }
    assert!(is_detected(&[&sound[..], &[0]].concat()));
}

/// Probes all positions of a sector. Returns whether all could be read.
fn reads_all(database: &Database, sector: &str) -> Result<u64, TableError> {
    let table = database.table(sector.parse().unwrap(), Metric::End).unwrap();
    (0..table.slots()).try_fold(0, |sum, slot| {
        Ok(sum + u64::from(table.value(database.cache(), slot as usize)?.code()) * (slot % 1009 + 1))
    })
}

/// Builds tables with only results. Returns the contents of one table.
fn build_results(rules: Ruleset, sector: &str, file: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let build = Build::open(folder.path(), rules, &[sector.parse().unwrap()], StoredValues::Results).unwrap();
    build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    fs::read(folder.path().join(file)).unwrap()
}

#[test]
fn a_file_that_changes_while_it_is_open_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Ruleset::of::<NineMensMorris>().unwrap();
    drop(build::<NineMensMorris>(folder.path(), &["4-3"]));
    let file = folder.path().join("4-3.table");
    let sound = fs::read(&file).unwrap();
    let expected = reads_all(&Database::open(folder.path(), rules).unwrap(), "4-3").unwrap();
    let changes: [(&str, &dyn Fn()); 3] = [
        ("it was truncated", &|| fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(2000).unwrap()),
        ("it was truncated", &|| drop(fs::File::create(&file).unwrap())),
        ("a block of values", &|| fs::write(&file, vec![7; sound.len()]).unwrap()),
    ];
    for (place, change) in changes {
        fs::write(&file, &sound).unwrap();
        let database = Database::open(folder.path(), rules).unwrap();
        let table = database.table("4-3".parse().unwrap(), Metric::End).unwrap();
        // The first block stays in the cache.
        let first = table.value(database.cache(), 0).unwrap();
        change();
        assert_eq!(table.value(database.cache(), 0).unwrap(), first);
        let error = reads_all(&database, "4-3").unwrap_err();
        assert!(matches!(error, TableError::Damaged { place: found, .. } if found == place), "{error}");
        assert!(error.to_string().contains("4-3.table") && error.to_string().contains("rebuild it"));
    }
    // A build may replace the file by a table with other values, or by the same table.
    for (replacement, is_replaced) in [("results", true), ("same", false)] {
        fs::write(&file, &sound).unwrap();
        let database = Database::open(folder.path(), rules).unwrap();
        let other = folder.path().join(replacement);
        if is_replaced {
            fs::write(&other, build_results(rules, "4-3", "4-3.table")).unwrap();
        } else {
            fs::write(&other, &sound).unwrap();
        }
        fs::rename(&other, &file).unwrap();
        match reads_all(&database, "4-3") {
            Ok(found) => assert!(!is_replaced && found == expected),
            Err(error) => {
                assert!(is_replaced && matches!(error, TableError::Replaced(_)), "{error}");
                assert!(error.to_string().contains("4-3.table") && error.to_string().contains("restart"));
            }
        }
    }
    // Every cache size gives the same values.
    fs::write(&file, &sound).unwrap();
    for cache_bytes in [0, 1 << 16, 1 << 17, 1 << 30] {
        let database = Database::open(folder.path(), rules).unwrap();
        database.set_cache_bytes(cache_bytes);
        assert_eq!(reads_all(&database, "4-3").unwrap(), expected);
    }
}

#[test]
fn a_build_replaces_tables_of_older_versions() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Ruleset::of::<NineMensMorris>().unwrap();
    drop(build::<NineMensMorris>(folder.path(), &["4-3"]));
    let file = folder.path().join("3-4.table");
    let sound = fs::read(&file).unwrap();
    let set_version = |version: u8| fs::write(&file, [&sound[..8], &[version], &sound[9..]].concat()).unwrap();
    set_version(1);
    let database = build::<NineMensMorris>(folder.path(), &["4-3"]);
    assert!(database.unusable_tables().is_empty());
    assert_eq!(fs::read(&file).unwrap(), sound);
    set_version(9);
    let sectors = ["4-3".parse().unwrap()];
    let error = Build::open(folder.path(), rules, &sectors, StoredValues::Distances).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("update morello"), "{error}");
}

#[test]
fn tables_of_results_have_the_results_of_the_others() {
    fn check<V: Variant>(sectors: &[&str]) {
        let (folder, results_folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let rules = Ruleset::of::<V>().unwrap();
        let distances = build::<V>(folder.path(), sectors);
        let named: Vec<Sector> = sectors.iter().map(|text| text.parse().unwrap()).collect();
        let build_results = || {
            let build = Build::open(results_folder.path(), rules, &named, StoredValues::Results).unwrap();
            build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
            Database::open(results_folder.path(), rules).unwrap()
        };
        let results = build_results();
        assert_eq!(results.tables().len(), distances.tables().len());
        let size = |database: &Database| database.tables().iter().map(|table| table.size()).sum::<u64>();
        assert!(size(&results) < size(&distances));
        for (table, of_results) in distances.tables().into_iter().zip(results.tables()) {
            verify(&results, of_results, 1, &AtomicU64::new(0), &Cancel::new()).unwrap();
            let kept = if table.metric() == Metric::End { StoredValues::Results } else { StoredValues::Distances };
            assert_eq!((of_results.stored(), of_results.metric()), (kept, table.metric()));
            let (counts, found) = (table.counts(), of_results.counts());
            assert_eq!((found.wins, found.draws, found.losses), (counts.wins, counts.draws, counts.losses));
            for slot in 0..table.slots() as usize {
                let value = table.value(distances.cache(), slot).unwrap();
                let found = of_results.value(results.cache(), slot).unwrap();
                assert_eq!(found, if kept == StoredValues::Results { value.result_only() } else { value });
            }
        }
        // Tables with plies satisfy a build of results. Tables with only results are replaced by
        // tables with plies.
        let open = |folder: &Path, stored| Build::open(folder, rules, &named, stored).unwrap().estimate().units;
        assert_eq!(open(folder.path(), StoredValues::Results), 0);
        assert!(open(results_folder.path(), StoredValues::Distances) > 0);
        drop(build::<V>(results_folder.path(), sectors));
        assert_eq!(files(results_folder.path()), files(folder.path()));
    }
    check::<NineMensMorris>(&["4-3"]);
    check::<Morabaraba>(&["4-3"]);
    check::<ThreeMensMorris>(&["0-0+3-3"]);
    check::<SixMensMorris>(&["4-3+0-1"]);
}

/// Copies a database, with the value code of one slot of a table replaced by `change`.
fn with_changed_value(
    database: &Database,
    folder: &Path,
    to: &Path,
    table: &SectorTable,
    stored: StoredValues,
    wrong: usize,
    change: impl Fn(PositionValue) -> PositionValue + Sync,
) -> Database {
    for (name, bytes) in files(folder) {
        fs::write(to.join(name), bytes).unwrap();
    }
    let (rules, class_cache) = (database.rules(), database.class_cache());
    let (sector, metric) = (table.sector(), table.metric());
    let code = |slot| {
        let value = table.value(database.cache(), slot).unwrap();
        if slot == wrong { change(value).code() } else { value.code() }
    };
    let kind = file::write::TableKind { rules, class_cache, sector, metric, stored, level: file::write::LEVEL };
    let mut file = fs::File::create(to.join(file::store::file_name(sector, metric))).unwrap();
    file::write::write_table(kind, &code, &mut file).unwrap();
    Database::open(to, *rules).unwrap()
}

/// Changes single values in all tables and checks that both verifications find each change.
fn finds_changed_values<V: Variant>(sectors: &[&str], changes: usize) {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let database = build::<V>(folder.path(), sectors);
    let mut random = crate::game::RandomNumbers::new(5);
    let change = |value: PositionValue| match value.outcome() {
        std::cmp::Ordering::Equal => PositionValue::win(3),
        _ => value.predecessor().predecessor(),
    };
    let tables = database.tables();
    for _ in 0..changes {
        let table = tables[random.below(tables.len())];
        let wrong = random.below(table.slots() as usize);
        let stored = StoredValues::Distances;
        let changed = with_changed_value(&database, folder.path(), other.path(), table, stored, wrong, change);
        let context = format!("{} {}, slot {wrong}", V::NAME, table.sector());
        let table = changed.table(table.sector(), table.metric()).unwrap();
        let slow = verify(&changed, table, 1, &AtomicU64::new(0), &Cancel::new());
        assert!(matches!(slow, Err(VerifyError::Mismatch(_))), "{context}: {slow:?}");
        let found = verify_in_memory(&changed, &[table], &AtomicU64::new(0), &Cancel::new()).remove(0);
        let Err(VerifyError::Mismatch(mismatch)) = found else { panic!("{context}: {found:?}") };
        // The error is at the changed position or one before it, whose moves contradict its value.
        let position: Position<V> = mismatch.position.parse().unwrap();
        if table.metric() == Metric::End && !position.is_over() {
            let moves = changed.probe_moves(&AnyPosition::new(position), 0).unwrap().unwrap();
            assert_eq!(moves[0].probe.value, mismatch.expected, "{context}");
            assert_ne!(mismatch.found, mismatch.expected, "{context}");
        }
    }
}

#[test]
fn verification_finds_every_changed_value() {
    finds_changed_values::<NineMensMorris>(&["3-3"], 2);
    finds_changed_values::<NineMensMorrisFlyingProtected>(&["3-3"], 1);
    finds_changed_values::<Morabaraba>(&["3-3"], 3);
    finds_changed_values::<LaskerMorris>(&["1-1+2-2"], 3);
    finds_changed_values::<SixMensMorris>(&["2-2+1-1"], 4);
    finds_changed_values::<ThreeMensMorris>(&["0-0+3-3"], 12);
}

#[test]
fn a_damaged_value_of_results_is_found_by_verification() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let database = build::<NineMensMorris>(folder.path(), &["3-3"]);
    let table = database.table("3-3".parse().unwrap(), Metric::End).unwrap();
    let decided = |&slot: &usize| table.value(database.cache(), slot).unwrap() != PositionValue::DRAW;
    let wrong = (100_000..).find(decided).unwrap();
    let change = |value: PositionValue| value.predecessor();
    let stored = StoredValues::Results;
    let changed = with_changed_value(&database, folder.path(), other.path(), table, stored, wrong, change);
    let table = changed.table(table.sector(), Metric::End).unwrap();
    table.check_all().unwrap();
    let verified = verify(&changed, table, 1, &AtomicU64::new(0), &Cancel::new());
    assert!(matches!(verified, Err(VerifyError::Mismatch(_))), "{verified:?}");
    let verified = verify_in_memory(&changed, &[table], &AtomicU64::new(0), &Cancel::new());
    assert!(matches!(verified[..], [Err(VerifyError::Mismatch(_))]), "{verified:?}");
}

#[test]
fn verification_finds_wrong_counts_in_a_header() {
    let folder = tempfile::tempdir().unwrap();
    let database = build::<ThreeMensMorris>(folder.path(), &["1-1+2-2"]);
    let file = folder.path().join("3-3.table");
    let sound = fs::read(&file).unwrap();
    let sector = "3-3".parse().unwrap();
    let counts = database.table(sector, Metric::End).unwrap().counts();
    for changed in [
        OutcomeCounts { wins: counts.wins + 1, losses: counts.losses - 1, ..counts },
        OutcomeCounts { draws: counts.draws + 1, ..counts },
        OutcomeCounts { longest_loss: None, ..counts },
        OutcomeCounts { longest_win: counts.longest_win.map(|plies| plies + 2), ..counts },
    ] {
        let mut header = file::format::TableHeader::read(&sound).unwrap();
        header.counts = changed;
        fs::write(&file, [&header.write()[..], &sound[file::format::HEADER_BYTES..]].concat()).unwrap();
        let database = Database::open(folder.path(), *database.rules()).unwrap();
        let table = database.table(sector, Metric::End).unwrap();
        let verified = verify_in_memory(&database, &[table], &AtomicU64::new(0), &Cancel::new());
        let [Err(VerifyError::Counts { found, expected, .. })] = verified[..] else { panic!("{verified:?}") };
        assert_eq!((found, expected), (changed, counts));
    }
}

/// Returns the files in a directory with their contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn an_interrupted_build_resumes_to_identical_files() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let rules = Ruleset::of::<SixMensMorris>().unwrap();
    drop(build::<SixMensMorris>(whole.path(), &["4-4"]));
    let sectors = ["4-4".parse().unwrap()];
    let cancel = Cancel::new();
    let first = Build::open(parts.path(), rules, &sectors, StoredValues::Distances).unwrap();
    let all = first.estimate().units;
    let end = first.run(&BuildProgress::default(), &cancel, |_| cancel.cancel());
    assert!(matches!(end, Err(BuildError::Cancelled)));
    // A killed build leaves a temporary file.
    fs::write(parts.path().join("4-3.table.morello-new"), "half").unwrap();
    let second = Build::open(parts.path(), rules, &sectors, StoredValues::Distances).unwrap();
    assert_eq!(second.estimate().units, all - 1);
    assert!(matches!(Build::open(parts.path(), rules, &sectors, StoredValues::Distances), Err(BuildError::InUse(_))));
    second.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    assert_eq!(files(parts.path()), files(whole.path()));
    assert_eq!(Build::open(parts.path(), rules, &sectors, StoredValues::Distances).unwrap().estimate().units, 0);
}

#[test]
fn rejects_sectors_without_positions() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Ruleset::of::<NineMensMorris>().unwrap();
    for text in ["10-4", "3-3+9-9", "16-3", "2-3", "200-3+200-200"] {
        let error = Build::open(folder.path(), rules, &[text.parse().unwrap()], StoredValues::Distances)
            .map(|_| ())
            .unwrap_err();
        assert!(matches!(error, BuildError::NotPlayable(_)), "{text}");
    }
}

#[test]
fn the_no_return_game_has_no_database() {
    assert_eq!(Ruleset::of::<MorabarabaNoReturn>().unwrap_err(), BansUnsupported("morabaraba-no-return"));
}

#[test]
fn probes_report_wins_that_the_ten_move_rule_draws() {
    let mut database = Database::new(Ruleset::of::<Morabaraba>().unwrap());
    database.solve_small_sectors().unwrap();
    let mut wins = 0;
    for seed in 0..200 {
        let mut random = crate::game::RandomNumbers::new(seed);
        let position = database.random_position("3-4".parse().unwrap(), &mut random);
        let Some(probe) = database.probe(&position, 0).unwrap() else { panic!("the sector is small") };
        let Some(plies) = probe.to_capture else { continue };
        assert!(plies <= probe.value.plies().unwrap());
        let last = database.probe(&position, 20 - plies.min(20)).unwrap().unwrap();
        let late = database.probe(&position, 21 - plies.min(20)).unwrap().unwrap();
        assert_eq!((last.drawn_by_rule, late.drawn_by_rule), (plies > 20, true));
        wins += u32::from(!last.drawn_by_rule);
        let moves = database.probe_moves(&position, 0).unwrap().unwrap();
        assert_eq!(moves[0].probe.value, probe.value);
        // The winner minimizes the plies to the capture, and the loser maximizes them.
        let kept = moves.iter().filter(|move_value| move_value.probe.outcome() == probe.outcome());
        let to_capture = kept.map(|move_value| move_value.probe.to_capture.unwrap());
        let best = if probe.outcome().is_gt() { to_capture.min() } else { to_capture.max() };
        assert!(probe.drawn_by_rule || best == Some(plies));
    }
    assert!(wins > 20);
}
