//! `morello perft`.

use crate::{assert_fails, run, run_ok, run_with};

/// Runs `morello perft --format csv` and removes the time column, the last but one.
fn csv(arguments: &str) -> String {
    let text = run_ok(&format!("perft {arguments} --format csv"), "");
    let without_time = |line: &str| {
        let mut fields: Vec<_> = line.split(',').collect();
        fields.remove(fields.len() - 2);
        fields.join(",") + "\n"
    };
    text.lines().map(without_time).collect()
}

const START: &str = "othello,---------------------------OX------XO--------------------------- X";

#[test]
fn the_last_row_has_the_requested_depth() {
    assert_eq!(csv("othello 5"), format!("game,position,depth,nodes,convention\n{START},5,1396,passes-count\n"));
    let all = csv("othello 3 --all-depths --threads 3 --hash 0");
    let rows = [1, 2, 3].map(|depth| format!("{START},{depth},{},passes-count\n", [4, 12, 56][depth - 1]));
    assert_eq!(all, format!("game,position,depth,nodes,convention\n{}", rows.concat()));
}

#[test]
fn counts_depth_zero_and_finished_games() {
    assert!(csv("othello 0").ends_with(",0,1,passes-count\n"));
    assert!(csv("othello 0 --all-depths --divide").ends_with(",0,,1,passes-count\n"));
    for (convention, nodes) in [("passes-count", 0), ("ended-once", 1), ("free-pass", 1)] {
        let rows = csv(&format!("othello-4x4 3 --position XXXXXXXXXXXXXXOOX --convention {convention}"));
        assert!(rows.ends_with(&format!(",XXXXXXXXXXXXXXOO X,3,{nodes},{convention}\n")), "{rows}");
    }
}

#[test]
fn divide_prints_each_move_before_the_total() {
    let expected = ["d3", "c4", "f5", "e6"].map(|m| format!("{START},3,{m},14,passes-count\n")).concat();
    let header = "game,position,depth,move,nodes,convention\n";
    assert_eq!(csv("othello 3 --divide"), format!("{header}{expected}{START},3,,56,passes-count\n"));
}

#[test]
fn json_lines_have_the_same_fields() {
    let (code, text, _) = run("perft othello 2 --divide --format jsonl", "");
    let rows = crate::rows(&text);
    assert_eq!((code, rows.len()), (0, 5));
    assert!(rows[0]["move"] == "d3" && rows[0]["nodes"] == 3 && rows[0]["time_ms"].is_null());
    assert!(rows[4]["move"].is_null() && rows[4]["nodes"] == 12 && rows[4]["time_ms"].is_f64());
}

#[test]
fn verifies_known_counts() {
    let (code, _, errors) = run("perft othello 6 --all-depths --verify", "");
    assert_eq!((code, errors.as_str()), (0, "verified: 6 known counts confirmed\n"));
    let (code, _, errors) = run("perft othello 9 --verify --convention free-pass", "");
    assert_eq!((code, errors.as_str()), (0, "verified: 1 known count confirmed\n"));
}

#[test]
fn verify_lists_the_known_counts_when_none_matches() {
    let (code, text, errors) = run("perft othello-4x4 2 --verify --position XXXXXXXXXXXXXX-OX", "");
    assert_eq!((code, text.as_str()), (2, ""));
    assert!(errors.contains("no known count for this position") && errors.contains("passes-count"), "{errors}");
}

#[test]
fn rejects_invalid_arguments_with_their_column() {
    let (code, _, errors) = run("perft othello-4x4 2 --position -----OX--XO-----Z", "");
    assert_eq!(code, 2);
    assert!(errors.starts_with("error: ") && errors.contains("column 17"), "{errors}");
    for arguments in
        ["checkers 3", "othello", "othello x", "othello 300", "othello 3 --threads 0", "othello 3 --convention all"]
    {
        let (code, text, errors) = run(&format!("perft {arguments}"), "");
        assert_eq!((code, text.as_str()), (2, ""), "{arguments}");
        assert!(errors.starts_with("error: "), "{errors}");
    }
}

#[test]
fn a_count_that_is_too_large_is_an_error() {
    let (code, _, errors) = run("perft three-mens-morris 33", "");
    assert!(code == 2 && errors.contains("depth 33 has more than 2^64 - 2 positions"), "{errors}");
}

#[test]
fn plain_progress_goes_to_standard_error() {
    let (code, text, errors) = run("perft othello 6 --progress plain", "");
    assert!(code == 0 && errors.starts_with("perft: ") && !text.contains("perft: "), "{errors}");
    assert_eq!(run("perft othello 6", "").2, "");
}

#[test]
fn the_version_names_the_instruction_set() {
    let version = |instructions: &str| {
        let output = crate::morello().env("MORELLO_INSTRUCTIONS", instructions).arg("--version").output();
        let output = output.expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (_, best, _) = run("--version", "");
    assert!(best.starts_with("morello ") && best.contains(" ("), "{best}");
    // The baseline, which every processor supports.
    let baseline = if cfg!(target_arch = "aarch64") { "NEON" } else { "portable" };
    let (code, text) = version(baseline);
    assert!(code == Some(0) && text.contains(&format!("{baseline}; ")), "{text}");
    let (code, error) = version("abacus");
    assert_eq!(code, Some(2), "{error}");
    assert!(
        error.starts_with("error: MORELLO_INSTRUCTIONS: `abacus` is not an instruction set")
            && error.contains(baseline),
        "{error}"
    );
}

/// Runs a count of about a second with a checkpoint.
fn checkpointed(file: &std::path::Path) -> (i32, String, String) {
    run(&format!("perft othello 11 --hash 1 --verify --format csv --checkpoint {}", file.display()), "")
}

#[test]
#[cfg(unix)]
fn a_killed_count_resumes_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("othello");
    let arguments = format!("perft othello 11 --hash 1 --threads 1 --checkpoint {}", file.display());
    let mut child = crate::spawn(&arguments);
    let lines = || std::fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    while lines() < 30 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = lines();
    assert!(kept >= 30);
    let (code, rows, errors) = checkpointed(&file);
    assert_eq!(code, 0, "{errors}");
    assert!(rows.contains(",11,212258216,"), "{rows}");
    // The file has nine header lines, and the last line may be incomplete.
    let known: usize = errors.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(errors.starts_with("resuming: "), "{errors}");
    assert!((kept - 10..=kept - 9).contains(&known) && errors.contains("verified"), "{kept}: {errors}");
    // A complete checkpoint has nothing left to count.
    let (code, again, errors) = checkpointed(&file);
    assert!(code == 0 && again.contains(",11,212258216,"), "{errors}");
    let known: Vec<&str> = errors.split_whitespace().collect();
    assert_eq!(known[1], known[3], "{errors}");
}

#[test]
fn rejects_a_checkpoint_of_another_count_and_suggests_a_fix() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("othello");
    let count = |arguments: &str| run(&format!("perft {arguments} --checkpoint {}", file.display()), "");
    assert_eq!(count("othello 8").0, 0);
    let kept = std::fs::read(&file).unwrap();
    for (arguments, messages) in [
        ("othello 9", ["`depth` is `8` in the file, expected `9`", "use another file"]),
        ("othello-6x6 8", ["`game` is `othello` in the file", "use another file"]),
        ("othello 8 --hash 0", ["`positions` is `60` in the file, expected `244`", "use the --hash"]),
        ("othello 8 --convention free-pass", ["`convention` is `passes-count` in the file", "use another file"]),
    ] {
        let (code, rows, errors) = count(arguments);
        // Only the header of the table.
        assert_eq!((code, rows.lines().count()), (2, 1), "{arguments}: {rows}");
        assert!(messages.iter().all(|message| errors.contains(message)), "{arguments}: {errors}");
        assert_eq!(std::fs::read(&file).unwrap(), kept);
    }
    for option in ["--all-depths", "--divide"] {
        assert_eq!(count(&format!("othello 8 {option}")).0, 2);
    }
    assert_fails("perft othello 8 --checkpoint /no/such/folder/file", "", "/no/such/folder/file");
}

/// The values of some columns of CSV rows, joined by spaces.
fn columns(csv: &str, names: &[&str]) -> Vec<String> {
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let header = rows.headers().unwrap().clone();
    let places: Vec<_> = names.iter().map(|name| header.iter().position(|other| other == *name).unwrap()).collect();
    let row = |row: csv::StringRecord| places.iter().map(|&at| row[at].to_owned()).collect::<Vec<_>>().join(" ");
    rows.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn checks_the_counts_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let lines = file("a.epd", "f5d6c3 ;D1 4 ;D2 24 ;D3 135\n# a comment\nf5 ;D1 3;D2 14;\n1. f5 f5 ;D1 1\n");
    let table = file("b.perft", "position f5\nconvention ended-once\nperft 2 14\n");
    let (code, rows, errors) =
        run_with(&["perft", "othello", "--input", &lines, &table, "-", "--format", "csv"], "start;D2 12");
    assert_eq!(
        columns(&rows, &["line", "depth", "nodes", "expected", "verdict", "convention"]),
        [
            "1 1 4 4 ok passes-count",
            "1 2 24 24 ok passes-count",
            "1 3 135 135 ok passes-count",
            "3 1 3 3 ok passes-count",
            "3 2 14 14 ok passes-count",
            "4    error passes-count",
            "3 2 14 14 ok ended-once",
            "1 2 12 12 ok passes-count"
        ],
        "{errors}"
    );
    assert!(
        rows.contains("\"line 4, column 7: illegal move `f5`") || rows.contains("line 4, column 7: illegal move `f5`"),
        "{rows}"
    );
    assert_eq!(
        (code, errors.as_str()),
        (1, "7 counts of 3 positions: 7 ok, 0 different; 1 record could not be read\n")
    );
    // A depth and a number of leaves limit the counts.
    let (code, _, errors) =
        run_with(&["perft", "othello", "2", "--input", "-", "--max-leaves", "20"], "f5d6c3 ;D1 4 ;D2 24 ;D3 135\n");
    assert_eq!((code, errors.as_str()), (0, "1 count of 1 position: 1 ok, 0 different, 2 skipped\n"));
    let (code, rows, errors) = run_with(&["perft", "othello", "--input", "-"], "f5d6c3;D1 4;D2 25;D3 1\n");
    assert!(code == 1 && rows.matches("DIFFERENT").count() == 2, "{rows}");
    let (_, command) = errors.split_once("compare the moves: morello ").unwrap();
    assert!(command.starts_with("perft othello 2 --position '------------------X"), "{errors}");
}

#[test]
fn verifies_all_known_counts_of_a_game() {
    let (code, rows, errors) = run("perft othello-4x4 --verify --max-leaves 500 --format csv", "");
    assert_eq!(code, 0, "{errors}");
    assert!(columns(&rows, &["verdict"]).iter().all(|verdict| verdict == "ok"), "{rows}");
    assert!(errors.contains(" 0 different, ") && errors.contains(" skipped"), "{errors}");
    for (arguments, message) in [
        ("othello --verify --position f5", "requires a depth"),
        ("othello 3 --max-leaves 5", "--max-leaves requires --input"),
        ("othello counts.epd", "to check a file of counts, use --input FILE"),
        ("othello --all-depths", "DEPTH"),
        ("othello --input /no/such/file", "/no/such/file"),
    ] {
        assert_fails(&format!("perft {arguments}"), "", message);
    }
}

#[test]
fn compares_the_moves_of_another_program() {
    let compare = |arguments: &str, text: &str| {
        let arguments: Vec<_> = arguments.split(' ').chain(["--compare", "-", "--format", "csv"]).collect();
        run_with(&arguments, text)
    };
    let same = "D3 14\nc4: 14\nf5 14\ne6: 14\n\nNodes searched: 56\n";
    let (code, rows, errors) = compare("perft othello 3", same);
    assert_eq!((code, errors.as_str()), (0, "all moves and counts agree\n"));
    assert_eq!(
        columns(&rows, &["move", "nodes", "other", "verdict"]),
        ["d3 14 14 ok", "c4 14 14 ok", "f5 14 14 ok", "e6 14 14 ok", " 56 56 ok"]
    );
    let table = run("perft othello 3 --divide", "").1;
    assert_eq!(compare("perft othello 3", &table).0, 0);
    // A different count, then the counts of the position after that move, with other moves.
    let (code, rows, errors) = compare("perft othello 3", &same.replace("c4: 14", "c4: 13"));
    assert_eq!(
        (code, columns(&rows, &["verdict"])),
        (1, ["ok", "DIFFERENT", "ok", "ok", "ok"].map(str::to_owned).to_vec())
    );
    let parts = [
        "total 56, but its moves add up to 55",
        "the first move that differs is c4: 13 instead of 14",
        "morello perft othello 2 --position '--------------------------XXX------XO--------------------------- O' \
            --compare FILE",
    ];
    assert!(parts.iter().all(|part| errors.contains(part)), "{errors}");
    let two = format!("{}c3: 5\nc5: 4\na1: 4\nNodes: 13\n", same.replace("c4: 14", "c4: 13").replace("56", "55"));
    let (code, _, errors) = compare("perft othello 3", &two);
    let parts =
        ["after c4, the other program lacks the legal move e3", "after c4, the other program has the illegal move a1"];
    assert!(code == 1 && parts.iter().all(|part| errors.contains(part)) && !errors.contains("next, "), "{errors}");
    for (arguments, text, message) in [
        ("perft othello 3", "hello\n", "no line has a move and a count, such as `d3: 12`"),
        ("perft othello 3", "a1: 5\n", "line 1: none of the moves is legal in"),
        ("perft othello 0", same, "depth 0 has no moves"),
    ] {
        let (code, _, errors) = compare(arguments, text);
        assert!(code == 2 && errors.contains(message), "{errors}");
    }
    assert_eq!(run("perft othello 3 --divide --compare -", same).0, 2);
    let remark = "# a remark without moves\n";
    let long = remark.repeat((64 << 20) / remark.len() + 1);
    let (code, rows, errors) = compare("perft othello 3", &long);
    assert!(code == 2 && rows.is_empty() && errors.contains("the file has more than 64 MiB; print only"), "{errors}");
}

#[test]
fn walks_down_to_the_difference_with_a_command() {
    let program = assert_cmd::cargo::cargo_bin("morello").display().to_string();
    let compare = |game: &str, depth: &str, command: &str| {
        let command = format!("{program} perft {command}");
        run_with(&["perft", game, depth, "--format", "csv", "--compare-command", &command], "")
    };
    // The moves are words of their own in some games, and a placeholder is one argument.
    let same = "nine-mens-morris {depth} --divide --position {moves}";
    let (code, rows, errors) = compare("nine-mens-morris", "2", same);
    assert_eq!((code, errors.as_str(), columns(&rows, &["verdict"]).len()), (0, "all moves and counts agree\n", 25));
    // Another convention differs at the end of a game.
    let (code, rows, errors) =
        compare("othello-4x4", "8", "othello-4x4 {depth} --divide --convention ended-once --position {position}");
    let depths: std::collections::BTreeSet<_> = columns(&rows, &["depth"]).into_iter().collect();
    assert_eq!((code, depths.len() > 3), (1, true), "{errors}");
    assert!(errors.trim_end().ends_with("the game ends there; compare the --convention of both programs"), "{errors}");
    // Another game has other moves.
    let (code, _, errors) = compare("morabaraba", "1", "nine-mens-morris {depth} --divide");
    assert!(code == 0, "{errors}");
    let (code, _, errors) = compare("othello", "3", "othello-4x4 {depth}");
    assert!(code == 2 && errors.contains("printed no move with a count"), "{errors}");
    let (code, rows, errors) = compare("othello", "3", "--no-such-option");
    assert!(code == 2 && errors.contains("--compare-command") && errors.contains("failed"), "{errors}");
    assert_eq!(rows, "", "an error comes alone");
    #[cfg(unix)]
    {
        let arguments = ["perft", "othello", "3", "--format", "csv", "--compare-command"];
        let (code, rows, errors) = run_with(&[&arguments[..], &["false"]].concat(), "");
        assert!(code == 2 && rows.is_empty() && errors.contains("`false` failed: exit status: 1"), "{errors}");
        let (code, rows, errors) = run_with(&[&arguments[..], &["yes"]].concat(), "");
        assert!(code == 2 && rows.is_empty() && errors.contains("`yes` printed more than 64 MiB"), "{errors}");
        let (code, _, errors) = run_with(&[&arguments[..], &["no-such-program"]].concat(), "");
        assert!(code == 2 && errors.contains("cannot run `no-such-program`"), "{errors}");
    }
}
