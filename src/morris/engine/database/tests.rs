//! Builds, counts, verifies, interrupts and damages databases of small sectors.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use super::*;
use crate::game::Cancel;
use crate::morris::{
    LaskerMorris, Morabaraba, MorabarabaNoReturn, NineMensMorris, NineMensMorrisFlying, NineMensMorrisFlyingProtected,
    NineMensMorrisProtected, Position, SixMensMorris, ThreeMensMorris, Variant,
};

fn build<V: Variant>(folder: &Path, sectors: &[&str]) -> Database {
    let rules = Ruleset::of::<V>().unwrap();
    let sectors: Vec<Sector> = sectors.iter().map(|text| text.parse().unwrap()).collect();
    let build = Build::open(folder, rules, &sectors).unwrap();
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

// The expected counts are from the project's design notes; the first three with flying match Malom's published database.

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
        verify::<V>(&database, table, 1, &done, &Cancel::new()).unwrap();
        assert_eq!(done.into_inner(), table.slots());
    }
}

#[test]
fn tables_agree_with_the_rules() {
    verify_all::<NineMensMorris>(&["3-3"]);
    verify_all::<NineMensMorrisProtected>(&["3-3"]);
    verify_all::<NineMensMorrisFlying>(&["3-3", "1-2+2-1", "3-2+0-1"]);
    verify_all::<NineMensMorrisFlyingProtected>(&["3-3"]);
    verify_all::<Morabaraba>(&["4-3", "2-3+1-0"]);
    verify_all::<LaskerMorris>(&["0-0+3-3"]);
    verify_all::<SixMensMorris>(&["4-3", "2-2+2-2", "3-1+0-3"]);
    verify_all::<ThreeMensMorris>(&["0-0+3-3"]);
}

#[test]
fn rejects_damaged_and_misnamed_tables() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Ruleset::of::<NineMensMorris>().unwrap();
    drop(build::<NineMensMorris>(folder.path(), &["3-3"]));
    let file = folder.path().join("3-3.table");
    let sound = fs::read(&file).unwrap();
    let open = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        Database::open(folder.path(), rules)
    };
    let unusable_error = |mut database: Database| {
        assert!(database.tables().len() < 2);
        let table = database.take_unusable_tables().pop().unwrap();
        assert!(database.table(table.sector, table.metric).is_none());
        table.error
    };
    let error_of = |bytes: &[u8]| unusable_error(open(bytes).unwrap());
    assert!(matches!(error_of(&sound[..100]), TableError::UnknownFormat(_)));
    assert!(matches!(error_of(&[]), TableError::UnknownFormat(_) | TableError::Io(..)));
    assert!(matches!(error_of(b"something else"), TableError::UnknownFormat(_)));
    assert!(matches!(error_of(&sound[..sound.len() - 1]), TableError::Length { .. }));
    let with_flip = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        bytes
    };
    assert!(matches!(error_of(&with_flip(50)), TableError::Damaged { place: "the header", .. }));
    assert!(matches!(error_of(&with_flip(130)), TableError::Damaged { place: "the index", .. }));
    let database = open(&with_flip(sound.len() / 2)).unwrap();
    let table = database.tables()[0];
    assert!(matches!(table.check_all(), Err(TableError::Damaged { place: "a block of values", .. })));
    let verified = verify::<NineMensMorris>(&database, table, 1, &AtomicU64::new(0), &Cancel::new());
    assert!(matches!(verified, Err(VerifyError::Table(TableError::Damaged { .. }))));

    open(&sound).unwrap();
    let flying = Ruleset::of::<NineMensMorrisFlying>().unwrap();
    let error = unusable_error(Database::open(folder.path(), flying).unwrap());
    assert!(matches!(error, TableError::WrongRules { game: "nine-mens-morris-flying", .. }));
    for name in ["4-4.table", "16-3.table", "3-3+9-9.table", "3-3.captures"] {
        let other = folder.path().join(name);
        fs::copy(&file, &other).unwrap();
        let database = Database::open(folder.path(), rules).unwrap();
        // Valid tables are still used.
        assert_eq!(database.tables().len(), 1);
        assert!(matches!(unusable_error(database), TableError::WrongSector { .. }), "{name}");
        fs::remove_file(&other).unwrap();
    }
    fs::copy(&file, folder.path().join("03-3.table")).unwrap();
    assert_eq!(Database::open(folder.path(), rules).unwrap().tables().len(), 1);
}

/// Returns the files of a folder with their contents.
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
    let first = Build::open(parts.path(), rules, &sectors).unwrap();
    let all = first.estimate().units;
    let end = first.run(&BuildProgress::default(), &cancel, |_| cancel.cancel());
    assert!(matches!(end, Err(BuildError::Cancelled)));
    // A killed build leaves a temporary file.
    fs::write(parts.path().join("4-3.table.morello-new"), "half").unwrap();
    let second = Build::open(parts.path(), rules, &sectors).unwrap();
    assert_eq!(second.estimate().units, all - 1);
    assert!(matches!(Build::open(parts.path(), rules, &sectors), Err(BuildError::InUse(_))));
    second.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    assert_eq!(files(parts.path()), files(whole.path()));
    assert_eq!(Build::open(parts.path(), rules, &sectors).unwrap().estimate().units, 0);
}

#[test]
fn rejects_sectors_without_positions() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Ruleset::of::<NineMensMorris>().unwrap();
    for text in ["10-4", "3-3+9-9", "16-3", "2-3", "200-3+200-200"] {
        let error = Build::open(folder.path(), rules, &[text.parse().unwrap()]).map(|_| ()).unwrap_err();
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
    let (mut wins, mut drawn) = (0, 0);
    for seed in 0..200 {
        let mut random = crate::game::RandomNumbers::new(seed);
        let mut points: Vec<u32> = (0..24).collect();
        for i in 0..7 {
            let j = i + random.below(24 - i);
            points.swap(i, j);
        }
        let set = |points: &[u32]| points.iter().fold(0, |set, point| set | 1u32 << point);
        let men = [set(&points[..3]), set(&points[3..7])];
        let position =
            Position::<Morabaraba>::new([0; 2], men, crate::game::Color::Black).expect("the points are different");
        let Some(probe) = database.probe(&position, 0).unwrap() else { panic!("the sector is small") };
        let Some(plies) = probe.to_capture else { continue };
        assert!(plies <= probe.value.plies().unwrap());
        let last = database.probe(&position, 20 - plies.min(20)).unwrap().unwrap();
        let late = database.probe(&position, 21 - plies.min(20)).unwrap().unwrap();
        assert_eq!((last.drawn_by_rule, late.drawn_by_rule), (plies > 20, true));
        wins += u32::from(!last.drawn_by_rule);
        drawn += u32::from(late.drawn_by_rule);
        let moves = database.probe_moves(&position, 0).unwrap().unwrap();
        assert_eq!(moves[0].probe.value, probe.value);
        // The winner minimizes the plies to the capture, the loser maximizes them.
        let kept = moves.iter().filter(|move_value| move_value.probe.outcome() == probe.outcome());
        let to_capture = kept.map(|move_value| move_value.probe.to_capture.unwrap());
        let best = if probe.outcome().is_gt() { to_capture.min() } else { to_capture.max() };
        assert!(probe.drawn_by_rule || best == Some(plies));
    }
    assert!(wins > 20 && drawn > 20);
}
