//! `morello tune`.

use std::fs;

use serde_json::Value;

use crate::{assert_fails, run, run_with};

/// A tuning of the depth of a search.
const TUNE: [&str; 12] = [
    "tune",
    "othello",
    "--engine",
    "depth={depth},exact=2,hash=1",
    "--parameter",
    "depth=2,1,4,0.5",
    "--games",
    "160",
    "--rate",
    "0.02",
    "--opening-depth",
    "2",
];

fn tune(rest: &[&str]) -> (i32, String, String) {
    run_with(&[TUNE.as_slice(), rest].concat(), "")
}

#[test]
fn tuning_moves_towards_the_stronger_values_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (log, plot) = (path("log"), path("plot.svg"));
    let (code, whole, errors) = tune(&["--format", "jsonl", "--threads", "2", "--log", &log, "--plot", &plot]);
    assert_eq!((code, errors.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&whole).unwrap();
    let depth = &result["parameters"][0];
    assert!(depth["value"].as_f64() > Some(2.2) && depth["start"] == 2.0, "deeper searches are stronger: {whole}");
    assert_eq!((&result["games"], &result["forfeits"]), (&160.into(), &0.into()));
    assert!(fs::read_to_string(&plot).unwrap().contains("depth"));
    let text = fs::read_to_string(&log).unwrap();
    assert_eq!(text.lines().count(), 20);
    // A killed run goes on, with any number of threads.
    for share in [0, 3, 10] {
        let kept: String = text.split_inclusive('\n').take(share).collect();
        fs::write(&log, kept + "{\"tuning").unwrap();
        let (code, again, errors) = tune(&["--format", "jsonl", "--threads", "1", "--log", &log, "--resume"]);
        assert_eq!((code, again.as_str()), (0, whole.as_str()), "{errors}");
        assert_eq!(fs::read_to_string(&log).unwrap(), text);
    }
    let (code, table, _) = tune(&["--log", &log, "--resume"]);
    assert!(code == 0 && table.starts_with("tuning     othello, 160 games\n\nparameter       start"), "{table}");
    let (code, _, errors) = tune(&["--log", &log, "--resume", "--seed", "2"]);
    assert!(code == 2 && errors.contains("line 1: the step belongs to another run"), "{errors}");
    let (code, _, errors) = tune(&["--log", &log]);
    assert!(code == 2 && errors.contains("without --resume to continue the tuning"), "{errors}");
}

#[test]
fn tuning_reports_what_is_wrong_before_the_first_game() {
    for (arguments, message) in [
        ("tune othello --engine depth=1 --parameter a=1,0,2", "the engine has no `{a}`"),
        (
            "tune othello --engine depth={a} --parameter a=1,0,2",
            "expected a whole number from 1 to 240, found `0`: `depth=0`",
        ),
        ("tune othello --engine depth={a} --parameter a=1", "expected NAME=START,MIN,MAX"),
        ("tune othello --engine depth={a} --parameter a=1,2,3", "expected MIN <= START <= MAX"),
        ("tune othello --engine depth={a} --parameter a=2,1,3 --batch 3", "expected an even number"),
        ("tune othello --engine depth={a} --parameter a=2,1,3 --rate 0", "expected a number above 0"),
        ("tune othello --engine depth={a} --parameter a=2,1,3 --resume", "--log"),
        ("tune othello --engine depth={a} --parameter a=2,1,3 --plot x.png", ".svg"),
    ] {
        assert_fails(arguments, "", message);
    }
    let engine = "cmd=false,protocol=gtp,init=\"set#{a}\"";
    let (code, text, errors) = run(&format!("tune othello --engine {engine} --parameter a=1,0,5 --games 8"), "");
    assert!(code == 2 && text.is_empty() && errors.contains("with the settings `cmd=false,"), "{errors}");
    // Forfeits say nothing about the values.
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/nboard.py");
    let engine = format!("cmd=\"python3 '{script}' --fail crash --after {{after}}\",protocol=nboard");
    let arguments = ["tune", "othello", "--engine", &engine, "--parameter", "after=1,0,3", "--games", "8"];
    let (code, text, errors) = run_with(&arguments, "");
    assert!(code == 2 && text.is_empty(), "{text}");
    assert!(errors.contains("all games of a step were forfeited: it exited (exit status: 3)"), "{errors}");
}
