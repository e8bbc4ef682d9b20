//! `morello perft`.

use crate::run;

/// Runs `morello perft --format csv` and removes the time column, the last but one.
fn csv(arguments: &str) -> String {
    let (code, text, errors) = run(&format!("perft {arguments} --format csv"), "");
    assert_eq!(code, 0, "{errors}");
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
    let all = csv("othello 3 --all --threads 3 --hash 0");
    let rows = [1, 2, 3].map(|depth| format!("{START},{depth},{},passes-count\n", [4, 12, 56][depth - 1]));
    assert_eq!(all, format!("game,position,depth,nodes,convention\n{}", rows.concat()));
}

#[test]
fn counts_depth_zero_and_finished_games() {
    assert!(csv("othello 0").ends_with(",0,1,passes-count\n"));
    assert!(csv("othello 0 --all --divide").ends_with(",0,,1,passes-count\n"));
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
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, rows.len()), (0, 5));
    assert!(rows[0]["move"] == "d3" && rows[0]["nodes"] == 3 && rows[0]["time_ms"].is_null());
    assert!(rows[4]["move"].is_null() && rows[4]["nodes"] == 12 && rows[4]["time_ms"].is_f64());
}

#[test]
fn verifies_known_counts() {
    let (code, _, errors) = run("perft othello 6 --all --verify", "");
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
    assert!(code == Some(0) && text.contains(&format!("({baseline}; ")), "{text}");
    let (code, error) = version("abacus");
    assert_eq!(code, Some(2), "{error}");
    assert!(
        error.starts_with("error: MORELLO_INSTRUCTIONS: `abacus` is not supported") && error.contains(baseline),
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
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("morello"))
        .args(arguments.split_whitespace())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
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
    for option in ["--all", "--divide"] {
        assert_eq!(count(&format!("othello 8 {option}")).0, 2);
    }
    let (code, _, errors) = run("perft othello 8 --checkpoint /no/such/folder/file", "");
    assert!(code == 2 && errors.contains("/no/such/folder/file"), "{errors}");
}
