//! `morello database`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::{morello, run};

/// Runs `morello database` with a database folder. Returns the exit code, standard output and
/// standard error.
pub(super) fn database(folder: &Path, arguments: &str) -> (i32, String, String) {
    run(&format!("database {arguments} --database {}", folder.display()), "")
}

/// Runs `morello database` and checks that it succeeds. Returns its output.
pub(super) fn output(folder: &Path, arguments: &str) -> String {
    let (code, text, errors) = database(folder, arguments);
    assert_eq!(code, 0, "{arguments}: {errors}");
    text
}

/// Like [`output`], with the rows as JSON.
pub(super) fn rows(folder: &Path, arguments: &str) -> Vec<serde_json::Value> {
    let text = output(folder, &format!("{arguments} --format jsonl"));
    text.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

/// Probes a position. Returns the exit code, the rows as JSON and standard error.
pub(super) fn probe(folder: &Path, game: &str, position: &str, more: &[&str]) -> (i32, Vec<serde_json::Value>, String) {
    let mut command = morello();
    command.args(["database", "probe", game, position, "--format", "jsonl", "--database"]).arg(folder).args(more);
    let output = command.output().unwrap();
    let rows = String::from_utf8(output.stdout).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code().unwrap(), rows, String::from_utf8(output.stderr).unwrap())
}

/// Returns the names and contents of the files in a folder, except the lock.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| name != "lock").collect()
}

#[test]
fn a_build_reuses_equal_tables_of_another_game() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), "build morabaraba --sectors 3-3");
    let (code, text, errors) = database(folder.path(), "build morabaraba-full-draw --sectors 3-3,2-3+1-0 --format csv");
    assert_eq!(code, 0, "{errors}");
    // The tables with plies to the end and to the next capture.
    assert!(errors.starts_with("reused 2 equal tables of morabaraba\n"), "{errors}");
    assert!(
        errors.contains("1 step with ") && text.lines().count() == 2 && text.contains(",2-3+1-0,"),
        "{errors}{text}"
    );
    let (code, text, errors) = database(folder.path(), "build morabaraba --sectors 3-3,2-3+1-0 --format csv");
    assert_eq!((code, text.lines().count()), (0, 1), "{errors}");
    let own = folder.path().join("morabaraba");
    let expected =
        format!("reused 1 equal table of morabaraba-full-draw\nall these tables are already in `{}`\n", own.display());
    assert_eq!(errors, expected);
    let of = |game: &str| files(&folder.path().join(game));
    assert_eq!(of("morabaraba"), of("morabaraba-full-draw"));
    let verified = rows(folder.path(), "verify morabaraba-full-draw");
    assert!(verified.len() == 3 && verified.iter().all(|row| row["result"] == "ok"), "{verified:?}");
    let (_, _, errors) = database(folder.path(), "build nine-mens-morris --sectors 3-3");
    assert!(!errors.contains("reused"), "{errors}");
}

#[test]
fn builds_verifies_and_probes_a_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let (code, text, errors) = database(folder.path(), "build three-mens-morris --all-sectors --format csv");
    assert_eq!(code, 0, "{errors}");
    assert!(text.starts_with("game,sectors,positions,bytes,bits_per_position,memory_bytes,time_s,positions_per_s\n"));
    assert!(text.contains("\nthree-mens-morris,3-3,"), "{text}");
    let steps = text.lines().count() - 1;
    assert!(errors.contains(&format!("{steps} steps with ")) && errors.contains("memory: at most "), "{errors}");
    assert!(errors.contains(&format!("\n{steps} of {steps} steps done in ")), "{errors}");

    let (code, again, errors) = database(folder.path(), "build three-mens-morris --all-sectors --format csv");
    assert_eq!((code, again.as_str()), (0, &text[..=text.find('\n').unwrap()]), "{errors}");
    assert!(errors.contains("all these tables are already in `"), "{errors}");

    let tables = rows(folder.path(), "info three-mens-morris");
    assert_eq!(tables.len(), fs::read_dir(folder.path().join("three-mens-morris")).unwrap().count() - 1);
    assert!(tables.iter().all(|table| table["counted_to"] == "end" && table["game"] == "three-mens-morris"));
    let sum = |field: &str| tables.iter().map(|table| table[field].as_u64().unwrap()).sum::<u64>();
    let games = rows(folder.path(), "info");
    assert_eq!((games.len(), &games[0]["game"], &games[0]["max_men"]), (1, &"three-mens-morris".into(), &6.into()));
    assert_eq!(
        (games[0]["positions"].as_u64(), games[0]["bytes"].as_u64()),
        (Some(sum("positions")), Some(sum("bytes")))
    );

    let verified = rows(folder.path(), "verify three-mens-morris");
    assert_eq!(verified.len(), tables.len());
    assert!(verified.iter().all(|row| row["result"] == "ok" && row["note"].is_null()), "{verified:?}");

    let (code, values, errors) = probe(folder.path(), "three-mens-morris", "3,3 - - W", &[]);
    assert_eq!((code, values.len()), (0, 10), "{errors}");
    let best = &values[1];
    assert_eq!((&values[0]["move"], &values[0]["outcome"]), (&serde_json::Value::Null, &"win".into()));
    assert_eq!((&best["move"], &best["outcome"], &best["plies"]), (&"b2".into(), &"win".into(), &values[0]["plies"]));
}

#[test]
fn statistics_match_known_counts_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let built = rows(folder.path(), "build nine-mens-morris --max-men 6");
    assert_eq!((built.len(), &built[0]["sectors"]), (1, &"3-3".into()));
    let names = "own,other,own_hand,other_hand,wins,draws,losses,longest_win,longest_loss";
    let csv = output(folder.path(), "stats nine-mens-morris --format csv");
    assert_eq!(csv, format!("{names}\n3,3,0,0,90842,38622,40162,39,38\n"));
    let jsonl = output(folder.path(), "stats nine-mens-morris --format jsonl");
    let line = r#"{"own":3,"other":3,"own_hand":0,"other_hand":0,"wins":90842,"draws":38622,"losses":40162,"longest_win":39,"longest_loss":38}"#;
    assert_eq!(jsonl, format!("{line}\n"));
    let table = output(folder.path(), "stats nine-mens-morris");
    let cells: Vec<Vec<_>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(cells[0], names.split(',').collect::<Vec<_>>());
    assert_eq!(cells[1], ["3", "3", "0", "0", "90842", "38622", "40162", "39", "38"]);

    let example = &rows(folder.path(), "stats nine-mens-morris --sectors 3-3 --example")[0]["example"];
    let (code, values, _) = probe(folder.path(), "nine-mens-morris", example.as_str().unwrap(), &[]);
    assert_eq!((code, &values[0]["outcome"], &values[0]["plies"]), (0, &"win".into(), &39.into()));
    assert_eq!((&values[1]["outcome"], &values[1]["plies"], &values[1]["to_capture"]).0, "win");
    assert!(example.as_str().unwrap().ends_with(" W"), "{example}");
    assert_eq!(rows(folder.path(), "stats nine-mens-morris --example")[0]["example"], *example);
    let verified = rows(folder.path(), "verify nine-mens-morris --threads 1");
    assert_eq!((verified.len(), &verified[0]["result"]), (1, &"ok".into()));
}

#[test]
fn small_sectors_are_solved_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let csv = output(folder.path(), "stats nine-mens-morris-flying --sectors 3-4,3-3 --format csv");
    let counts: Vec<_> = csv.lines().skip(1).collect();
    assert_eq!(counts, ["3,4,0,0,102281,658117,0,33,", "3,3,0,0,140621,269,28736,25,26"]);

    let (code, values, errors) = probe(folder.path(), "nine-mens-morris", "0,0 a7,d7,g4 a1,b2,c3 W", &[]);
    assert_eq!((code, values.len()), (0, 9), "{errors}");
    assert_eq!(
        (&values[1]["move"], &values[1]["outcome"], &values[1]["plies"]),
        (&"g4-g7xa1".into(), &"win".into(), &1.into())
    );
    assert!(values[1..].is_sorted_by_key(|value| ["win", "draw", "loss"].iter().position(|o| value["outcome"] == *o)));
    assert!(!folder.path().join("nine-mens-morris").exists());

    // A game that is over has a value and no moves.
    let (code, values, _) = probe(folder.path(), "nine-mens-morris", "0,0 a7,d7,g4 a1,b2 B", &[]);
    assert_eq!((code, values.len(), &values[0]["outcome"], &values[0]["plies"]), (0, 1, &"loss".into(), &0.into()));
}

#[test]
fn probe_reports_the_ten_move_rule() {
    let folder = tempfile::tempdir().unwrap();
    let position = "0,0 b6,d6,f6,g4 a1,d1,g1 W";
    let at = |clock: &str| probe(folder.path(), "morabaraba", position, &["--clock", clock]);
    // Moves that lead to a position count.
    let first = format!("{position}; g4-f4 a1-a4 f4-g4 a4-b4");
    let more = " g4-f4 b4-a4 f4-g4 a4-b4";
    let by_moves = |times: usize| probe(folder.path(), "morabaraba", &(first.clone() + &more.repeat(times)), &[]);
    let by_clock = probe(folder.path(), "morabaraba", "0,0 b6,d6,f6,g4 b4,d1,g1 W", &["--clock", "16"]);
    let (code, values, errors) = by_moves(3);
    assert_eq!((code, &values), (0, &by_clock.1), "{errors}");
    assert_ne!(values, by_moves(0).1);
    let (code, _, errors) = by_moves(4);
    assert!(code == 2 && errors.contains("the game, which is drawn after 20 plies without a capture"), "{errors}");
    let (_, values, errors) = at("0");
    let won = &values[0];
    assert!(won["outcome"] == "win" && won["note"].is_null(), "{won} {errors}");
    let plies = won["to_capture"].as_u64().unwrap();
    assert!(plies > 1 && plies <= won["plies"].as_u64().unwrap());
    let last = at(&(20 - plies).to_string());
    assert_eq!(last.1[0]["outcome"], "win");
    let (code, values, _) = at(&(21 - plies).to_string());
    let drawn = &values[0];
    assert_eq!((code, &drawn["outcome"], &drawn["plies"]), (0, &"draw".into(), &serde_json::Value::Null));
    assert_eq!((&drawn["note"], &drawn["to_capture"]), (&"win, drawn by the ten-move rule".into(), &plies.into()));

    for (game, position, clock, message) in [
        ("morabaraba", position, "20", "use at most 19"),
        ("morabaraba", "0,0 a7,d7,g7,a4 a1,d1,g1,c3 W", "3", "remove --clock"),
        ("nine-mens-morris", "0,0 a7,d7,g4 a1,b2,c3 W", "3", "remove --clock"),
    ] {
        let (code, _, errors) = probe(folder.path(), game, position, &["--clock", clock]);
        assert!(code == 2 && errors.contains(message), "{errors}");
    }
}

#[test]
fn rejects_impossible_requests_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, messages) in [
        (
            "build nine-mens-morris --max-men 9 --memory 10",
            [
                "2 bytes per position for ",
                "10.0 MiB allowed by --memory; increase --memory, or build less (--max-men 7 at most)",
            ],
        ),
        ("build nine-mens-morris --max-men 19", ["--max-men 19: must be at most 18", "both sides in nine-mens-morris"]),
        ("build nine-mens-morris --max-men 5", ["--max-men 5: must be at least 6", "smallest sector"]),
        (
            "build nine-mens-morris --sectors 2-3",
            ["sector 2-3 has no table", "2 men on the board and in hand has lost"],
        ),
        ("build nine-mens-morris --sectors 3-3,10-3", ["10 men", "the game allows 9"]),
        ("build nine-mens-morris --sectors 3-", ["not a sector: `3-`", "such as 5-4"]),
        ("build nine-mens-morris", ["required", "--max-men"]),
        ("build nine-mens-morris --all-sectors --max-men 6", ["cannot be used with", "--max-men"]),
        ("build nine-mens-morris --max-men 6 --memory 0", ["must be at least 1", "--memory"]),
        (
            "build othello --all-sectors",
            ["othello has no endgame database; these games have one: nine-mens-morris-flying, ", "three-mens-morris"],
        ),
        ("build morabaraba-no-return --max-men 6", ["the no-return rule", "morabaraba, without this rule"]),
        ("info morabaraba-no-return", ["has no database", "depend on the previous move"]),
        ("verify morabaraba-no-return", ["has no database", "databases do not store"]),
        ("stats morabaraba-no-return", ["has no database", "databases do not store"]),
        ("probe morabaraba-no-return x", ["has no database", "databases do not store"]),
        ("stats checkers", ["invalid value 'checkers'", "lasker-morris"]),
        (
            "stats nine-mens-morris",
            ["no tables in `", "`morello database build nine-mens-morris --max-men 6 --database "],
        ),
        ("stats nine-mens-morris --sectors 9-9", ["no table of sector 9-9 in `", " --sectors 9-9 --database "]),
        ("verify nine-mens-morris", ["no tables in `", " --max-men 6 --database "]),
        ("verify nine-mens-morris --sectors 3-3", ["no table of sector 3-3 in `", " --sectors 3-3 --database "]),
    ] {
        let (code, text, errors) = database(folder.path(), arguments);
        assert_eq!((code, text.as_str()), (2, ""), "{arguments}: {errors}");
        assert!(messages.iter().all(|message| errors.contains(message)), "{arguments}: {errors}");
    }
    assert_eq!(output(folder.path(), "info nine-mens-morris --format csv").lines().count(), 1);
    for (position, messages) in [
        ("6,6 a1,a4,b2 g7,c3,e5 W", ["no table of sector 3-3+6-6", "--sectors 3-3+6-6 --database "]),
        ("9,9 a1,a1 - W", ["column 8", "point `a1` is given twice"]),
        ("9,9 - -", ["column 8", "the side to move"]),
    ] {
        let (code, _, errors) = probe(folder.path(), "nine-mens-morris", position, &[]);
        assert!(code == 2 && messages.iter().all(|message| errors.contains(message)), "{position}: {errors}");
    }
    // The book of the program knows the first moves.
    let (code, rows, errors) = probe(folder.path(), "nine-mens-morris", "9,9 - - W", &[]);
    assert_eq!(code, 0, "{errors}");
    assert!(rows.iter().all(|row| row["outcome"] == "draw" && row["source"] == "book"), "{rows:?}");
    // A file in place of a folder.
    fs::write(folder.path().join("morabaraba"), "").unwrap();
    let (code, _, errors) = database(folder.path(), "build morabaraba --max-men 6");
    assert!(code == 2 && errors.contains("morabaraba`") && errors.contains("choose a writable directory"), "{errors}");
}

#[test]
fn rejects_damaged_and_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), "build nine-mens-morris --sectors 4-3");
    let file = folder.path().join("nine-mens-morris/3-3.table");
    let sound = fs::read(&file).unwrap();
    let rejects = |message: &str| {
        // Commands on all tables report the bad one and process the others; commands that need it
        // fail.
        for arguments in ["info nine-mens-morris", "verify nine-mens-morris", "stats nine-mens-morris", "info"] {
            let (code, text, errors) = database(folder.path(), arguments);
            let all = text + &errors;
            assert!(code == 1 && all.contains(message) && all.contains("3-3.table"), "{arguments}: {all}");
        }
        assert_eq!(output(folder.path(), "stats nine-mens-morris --sectors 3-4 --format csv").lines().count(), 2);
        for arguments in ["stats nine-mens-morris --sectors 3-3", "build nine-mens-morris --max-men 6"] {
            let (code, text, errors) = database(folder.path(), arguments);
            assert!(code == 2 && text.is_empty() && errors.contains(message), "{arguments}: {errors}");
        }
        let mut analyze = morello();
        let output = analyze.args(["analyze", "nine-mens-morris", "--database"]).arg(folder.path()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && errors.contains(message), "{errors}");
        let (code, _, errors) = probe(folder.path(), "nine-mens-morris", "0,0 a7,d7,g4 a1,b2,c3 W", &[]);
        assert!(code == 2 && errors.contains(message), "{errors}");
        let four_men = "0,0 a7,d6,f2,e3 a1,b2,c3 W";
        let (code, _, errors) = probe(folder.path(), "nine-mens-morris", four_men, &[]);
        assert_eq!(code, 0, "{errors}");
    };
    fs::write(&file, &sound[..sound.len() - 1]).unwrap();
    rejects("delete it and rebuild it");
    fs::write(&file, "").unwrap();
    rejects("is not a database table; delete it and rebuild it");
    let version = |version: u8| [&sound[..8], &[version], &sound[9..]].concat();
    fs::write(&file, version(1)).unwrap();
    let (code, _, errors) = database(folder.path(), "info nine-mens-morris");
    assert!(code == 1 && errors.contains("has format version 1; this morello reads version 2"), "{errors}");
    assert!(errors.contains("run `morello database build` again, which replaces it"), "{errors}");
    // A build replaces tables of earlier versions.
    output(folder.path(), "build nine-mens-morris --max-men 6");
    assert_eq!(fs::read(&file).unwrap(), sound);
    fs::write(&file, version(3)).unwrap();
    rejects("has format version 3; this morello reads version 2; update morello");
    let mut bytes = sound.clone();
    bytes[40] ^= 1;
    fs::write(&file, &bytes).unwrap();
    rejects("is damaged (the header)");
    output(folder.path(), "build nine-mens-morris-flying --max-men 6");
    fs::copy(folder.path().join("nine-mens-morris-flying/3-3.table"), &file).unwrap();
    rejects("is a table of another game, not of nine-mens-morris");

    // Blocks are checked only when they are needed, or by `verify`.
    let values = number(&sound, 76);
    let blocks = (number(&sound, 24)).div_ceil(number(&sound, 80));
    let index_end = 128 + 2 * values + 8 * blocks;
    let mut bytes = sound.clone();
    bytes[index_end + 4] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let (code, text, errors) = database(folder.path(), "verify nine-mens-morris --sectors 3-3 --format csv");
    assert!(code == 1 && text.contains("3-3,end,") && text.contains(",damaged,"), "{text} {errors}");
    assert!(text.contains("3-3.table` is damaged (a block of values); delete it and rebuild it"), "{text}");
    assert_eq!(output(folder.path(), "info nine-mens-morris --format csv").lines().count(), 4);
    // The tables that lead to it are not blamed.
    let (code, text, _) = database(folder.path(), "verify nine-mens-morris --sectors 3-4 --format csv");
    assert!(code == 1 && text.contains("3-4,end,") && text.contains(",missing,"), "{text}");
    assert!(text.contains("moves lead to a damaged table: ") && text.contains("3-3.table` is damaged"), "{text}");
    // Searches do without it, and say so.
    let analyze = format!("analyze nine-mens-morris --depth 2 --database {}", folder.path().display());
    let (code, _, errors) = run(&analyze, "0,0 a7,d7,g7 a1,b2,c3 W\n");
    assert!(
        code == 0 && errors.contains("3-3.table` is damaged and was not used; delete it and run `morello"),
        "{errors}"
    );

    // Wrong values with correct checksums: two entries of the list of values are swapped.
    let mut bytes = sound.clone();
    let last = 128 + 2 * values - 4;
    bytes[last..last + 4].rotate_left(2);
    let sum = crc32fast::hash(&bytes[128..index_end]);
    bytes[index_end..index_end + 4].copy_from_slice(&sum.to_le_bytes());
    fs::write(&file, &bytes).unwrap();
    let (code, text, _) = database(folder.path(), "verify nine-mens-morris --sectors 3-3 --threads 1 --format jsonl");
    let row: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &row["result"]), (1, &"wrong".into()));
    let note = row["note"].as_str().unwrap();
    for field in ["position", "found", "expected"] {
        assert!(note.contains(row[field].as_str().unwrap()), "{row}");
    }
    assert_ne!(row["found"], row["expected"]);

    fs::remove_file(&file).unwrap();
    let (code, text, errors) = database(folder.path(), "verify nine-mens-morris --sectors 3-4");
    assert_eq!((code, text.matches(" missing ").count()), (1, 1), "{text} {errors}");
    assert!(text.contains("moves lead to sectors without a table; build --sectors 3-3"), "{text}");
    let other = folder.path().join("nine-mens-morris/4-3.table");
    let whole = fs::read(&other).unwrap();
    let mut bytes = whole.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&other, &bytes).unwrap();
    let (_, text, _) = database(folder.path(), "verify nine-mens-morris --sectors 4-3 --format csv");
    assert!(text.contains("4-3,end,") && text.contains(",damaged,"), "its own damage comes first: {text}");
    // A damaged table is replaced if its values are solved anyway.
    fs::remove_file(folder.path().join("nine-mens-morris/3-4.table")).unwrap();
    output(folder.path(), "build nine-mens-morris --sectors 4-3");
    assert_eq!(fs::read(&other).unwrap(), whole);
    fs::remove_file(&file).unwrap();
    // A build creates only the missing tables.
    assert_eq!(rows(folder.path(), "build nine-mens-morris --sectors 4-3").len(), 1);
    assert_eq!(fs::read(&file).unwrap(), sound);
}

/// Returns a number in the header of a table.
fn number(table: &[u8], at: usize) -> usize {
    u32::from_le_bytes(table[at..at + 4].try_into().unwrap()) as usize
}

#[test]
fn tables_of_results_are_smaller_and_answer_without_plies() {
    let folder = tempfile::tempdir().unwrap();
    // Small sectors are solved in memory with their plies, so the probed sector is larger.
    let build = "build nine-mens-morris --sectors 4-4";
    output(folder.path(), &format!("{build} --values wdl"));
    let list = || rows(folder.path(), "info nine-mens-morris --sha256");
    let (results, position) = (list(), "0,0 a7,d6,f2,e3 a1,b2,c3,g7 W");
    let bytes = |tables: &[serde_json::Value]| tables.iter().map(|table| table["bytes"].as_u64().unwrap()).sum::<u64>();
    let value = |name: &str| {
        let (code, values, errors) = probe(folder.path(), "nine-mens-morris", position, &[]);
        assert_eq!(code, 0, "{errors}");
        values[0][name].clone()
    };
    assert!(results.iter().all(|table| table["values"] == "wdl"));
    let outcome = value("outcome");
    assert!(outcome != "draw" && value("plies").is_null());
    let stats = rows(folder.path(), "stats nine-mens-morris --sectors 4-4");
    assert!(stats[0]["wins"] == 2_102_578 && stats[0]["longest_win"].is_null());
    assert!(rows(folder.path(), "verify nine-mens-morris --sectors 3-4").iter().all(|row| row["result"] == "ok"));

    output(folder.path(), build);
    let distances = list();
    assert!(distances.iter().all(|table| table["values"] == "distances"));
    assert_eq!(value("outcome"), outcome);
    assert!(value("plies").as_u64().is_some());
    assert!(bytes(&distances) > 2 * bytes(&results), "{distances:?} {results:?}");
    for table in distances {
        let file = format!("nine-mens-morris/{}.table", table["sector"].as_str().unwrap());
        let sum = Sha256::digest(fs::read(folder.path().join(file)).unwrap());
        let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(table["sha256"], hex);
    }
}

#[test]
fn puzzles_have_one_solution() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = |options: &str| rows(folder.path(), &format!("puzzles nine-mens-morris-flying {options}"));
    let all = puzzles("--sectors 4-3,3-3 --limit 12");
    assert_eq!(all.len(), 12);
    for puzzle in &all {
        let position = puzzle["position"].as_str().unwrap();
        let (code, values, errors) = probe(folder.path(), "nine-mens-morris-flying", position, &[]);
        assert_eq!(code, 0, "{errors}");
        let kept: Vec<_> = values[1..].iter().filter(|row| row["outcome"] == values[0]["outcome"]).collect();
        assert!(kept.len() == 1 && kept[0]["move"] == puzzle["solution"], "{puzzle} {values:?}");
        assert_eq!((&values[0]["outcome"], &values[0]["plies"]), (&puzzle["outcome"], &puzzle["plies"]));
        assert_eq!(values.len() as u64 - 1, puzzle["moves"].as_u64().unwrap());
    }
    assert!(all.is_sorted_by_key(|puzzle| (puzzle["difficulty"].as_f64().unwrap() * 1000.0) as u32));
    assert_eq!(puzzles("--sectors 4-3,3-3 --limit 12"), all);
    assert_ne!(puzzles("--sectors 4-3,3-3 --limit 12 --seed 2"), all);
    let draws = puzzles("--sectors 4-3 --limit 5 --result draw --difficulty hard");
    assert!(draws.len() == 5 && draws.iter().all(|puzzle| puzzle["outcome"] == "draw" && puzzle["level"] == "hard"));

    // A small game has only so many.
    let (code, text, errors) = database(folder.path(), "puzzles three-mens-morris --limit 100000 --format csv");
    assert!(code == 0 && text.lines().count() > 50, "{text}{errors}");
    assert!(errors.contains(" of 100000 such puzzles among "), "{errors}");
    assert!(!errors.contains("random"), "{errors}");
    let (code, _, errors) = database(folder.path(), "puzzles nine-mens-morris --sectors 6-6");
    assert!(code == 2 && errors.contains("database build nine-mens-morris --sectors 6-6"), "{errors}");
    // The start position is a win.
    let (code, _, errors) =
        database(folder.path(), "puzzles three-mens-morris --sectors 0-0+3-3 --limit 1 --result draw");
    assert!(code == 2 && errors.contains("no puzzle matches among 1 positions"), "{errors}");
    let (code, _, errors) = database(folder.path(), "puzzles three-mens-morris --sectors 0-0+3-3 --limit 2");
    assert!(code == 0 && errors.contains("1 of 2 such puzzles"), "{errors}");
}

/// A solver in another language, with its own rules and boards, which searches forward.
#[test]
fn an_independent_solver_agrees() {
    let folder = tempfile::tempdir().unwrap();
    for (game, sectors) in [
        ("three-mens-morris", "3-3,2-3+1-0,2-2+1-1,1-2+2-1,1-1+2-2,0-1+3-2,0-0+3-3"),
        ("six-mens-morris", "3-3,4-3,3-4,2-3+1-0,3-3+1-0"),
    ] {
        output(folder.path(), &format!("build {game} --sectors {sectors}"));
        let stats = output(folder.path(), &format!("stats {game} --sectors {sectors} --format csv"));
        let file = folder.path().join("stats.csv");
        fs::write(&file, stats).unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/data/morris-forward.py");
        let mut command = std::process::Command::new("python3");
        command.args([script, game]).args(sectors.split(',')).arg("--check").arg(&file);
        let found = command.output().expect("Python 3 is installed");
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        assert!(found.status.success(), "{text} {}", String::from_utf8_lossy(&found.stderr));
        assert_eq!(text.lines().filter(|line| line.ends_with(",same")).count(), sectors.split(',').count(), "{text}");
    }
}

/// Starts a build and waits for its first table.
#[cfg(unix)]
fn start_build(folder: &Path, game: &str, arguments: &str) -> std::process::Child {
    let mut child = crate::spawn(&format!("database {arguments} --database {}", folder.display()));
    let tables = || fs::read_dir(folder.join(game)).map_or(0, |files| files.count());
    while tables() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child
}

/// Checks the openings of six men's morris, given its tables.
fn check_openings(folder: &Path) {
    let openings = rows(folder, "openings six-mens-morris --opening-plies 4");
    // Counted with the rules of `scripts/data/morris-forward.py`.
    assert_eq!(openings.len(), 734);
    for opening in openings.iter().step_by(60) {
        let (code, values, errors) = probe(folder, "six-mens-morris", opening["position"].as_str().unwrap(), &[]);
        assert_eq!(code, 0, "{errors}");
        let (value, moves) = values.split_first().unwrap();
        assert_eq!((&value["outcome"], &value["plies"]), (&opening["outcome"], &opening["plies"]), "{opening}");
        let keeping: Vec<_> = moves.iter().filter(|row| row["outcome"] == value["outcome"]).collect();
        assert_eq!(opening["moves"].as_u64(), Some(moves.len() as u64), "{opening}");
        assert_eq!(opening["keeping"].as_u64(), Some(keeping.len() as u64), "{opening}");
        let reply = opening["replies"].as_str().unwrap().split([' ', ';']).next().unwrap();
        assert!(keeping.iter().any(|row| row["move"] == reply && row["plies"] == moves[0]["plies"]), "{opening}");
    }
}

#[test]
#[cfg(unix)]
fn a_killed_build_resumes_to_identical_files() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // The build has 71 steps.
    let (game, build) = ("six-mens-morris", "build six-mens-morris --all-sectors --format csv");
    let all = output(whole.path(), build).lines().count();
    check_openings(whole.path());
    let mut child = start_build(killed.path(), game, build);
    child.kill().unwrap();
    child.wait().unwrap();
    let left = output(killed.path(), build).lines().count();
    assert!(left > 1 && left < all, "{left} of {all}");
    assert_eq!(files(&killed.path().join(game)), files(&whole.path().join(game)));
}

#[test]
#[cfg(unix)]
fn an_interrupted_build_explains_how_to_resume() {
    let folder = tempfile::tempdir().unwrap();
    // The whole build would take minutes.
    let build = "build nine-mens-morris --max-men 11 --threads 2";
    let child = start_build(folder.path(), "nine-mens-morris", build);
    // A second build in the same folder fails.
    let (code, _, errors) = database(folder.path(), build);
    assert!(code == 2 && errors.contains("another process is using") && errors.contains("wait for it"), "{errors}");
    crate::signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{errors}");
    assert!(errors.contains("run the same command again to resume"), "{errors}");
}

#[test]
#[cfg(target_os = "linux")]
fn tables_are_stored_in_the_user_data_directory() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = morello();
    command.args(["database", "build", "three-mens-morris", "--max-men", "6"]).env("XDG_DATA_HOME", folder.path());
    assert!(command.output().unwrap().status.success());
    assert!(folder.path().join("morello/database/three-mens-morris/3-3.table").exists());
}
