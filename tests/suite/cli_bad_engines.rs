//! Matches against engines that misbehave: each fails with the right reason, and soon.

#![cfg(unix)]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{run_with, signal, spawn_with};

/// Returns the arguments of a match in which the test program meets random moves.
/// `limits` are further settings of its engine, and `rest` further arguments.
fn match_of(engine: &str, limits: &str, rest: &str) -> Vec<String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/nboard.py");
    let bad = format!("name=bad,cmd=\"python3 '{script}' {engine}\",protocol=nboard{limits}");
    let settings = "--engine random,name=good --opening-plies 2 --opening-depth 0 --threads 1 --format jsonl --engine";
    let words = format!("selfplay othello {rest} {settings}");
    let mut words: Vec<String> = words.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.push(bad);
    words
}

/// Runs the program with these arguments.
fn run(arguments: &[String]) -> (i32, String, String) {
    run_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

#[test]
fn each_failure_has_its_reason_and_keeps_the_last_lines() {
    let folder = tempfile::tempdir().unwrap();
    for (fail, limits, rest, reason, problem, seconds) in [
        ("silent", "", "--move-limit 1s", "timeout", "no move within 1 s", 8),
        ("silent", ",move-timeout=1s", "", "timeout", "no response to `go` within 1 s", 8),
        ("flood", "", "", "flood", " without answering `go`", 30),
        ("slow", ",tc=0.3", "", "out_of_time", " ms on its clock", 8),
        ("crash", "", "", "crash", "it exited (exit status: 3) without answering `go`", 8),
        ("closed", "", "", "crash", "it closed its input or output without answering `go`", 8),
        ("illegal", "", "", "illegal_move", "illegal move `a9` in `", 8),
        ("other-side", "", "", "illegal_move", "illegal move `", 8),
        ("garbage", "", "", "illegal_move", "illegal move `", 8),
    ] {
        let log = folder.path().join(format!("{fail}{limits}.jsonl"));
        let start = Instant::now();
        let rest = format!("{rest} --games 2 --log {}", log.display());
        let (code, result, errors) = run(&match_of(&format!("--fail {fail} --after 2"), limits, &rest));
        assert!(start.elapsed() < Duration::from_secs(seconds), "{fail}: {:?}", start.elapsed());
        let result: Value = serde_json::from_str(&result).unwrap();
        let expected = serde_json::json!({ (reason): 2 });
        assert_eq!((code, &result["end_reasons"], &result["wins"]), (0, &expected, &2.into()), "{fail}: {errors}");
        assert!(errors.contains(problem) && errors.contains("in the log as `conversation`"), "{fail}: {errors}");
        let log = fs::read_to_string(log).unwrap();
        for line in log.lines() {
            let game: Value = serde_json::from_str(line).unwrap();
            let lines = game["conversation"].as_array().unwrap();
            assert_eq!(game["end_reason"], reason);
            assert!(lines.iter().any(|line| line == "> go") || fail == "flood", "{fail}: {lines:?}");
            assert_eq!(lines.contains(&"! out of cheese".into()), fail == "crash", "{fail}: {lines:?}");
            // The conversation is that with the process that failed.
            let starts = lines.iter().filter(|line| **line == "> nboard 2").count();
            assert!(starts == 1 || fail == "flood", "{fail}: {lines:?}");
        }
    }
}

#[test]
fn an_engine_that_does_not_start_ends_the_match_with_advice() {
    for (engine, limits, problem) in [
        ("--fail deaf", ",start-timeout=1s", "no response to `ping` within 1 s; is protocol= right"),
        ("--fail start", "", "(last line on standard error: `no book`)"),
    ] {
        let start = Instant::now();
        let (code, result, errors) = run(&match_of(engine, limits, "--games 2"));
        assert!(start.elapsed() < Duration::from_secs(8), "{engine}: {:?}", start.elapsed());
        assert_eq!((code, result.as_str()), (2, ""));
        assert!(errors.starts_with("error: the engine `bad` cannot play") && errors.contains(problem), "{errors}");
    }
}

#[test]
fn engines_that_outlive_their_match_do_not_delay_it() {
    let start = Instant::now();
    let (code, result, errors) = run(&match_of("--fail stubborn", "", "--games 2"));
    assert_eq!((code, errors.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&result).unwrap();
    assert_eq!(result["end_reasons"], serde_json::json!({ "rules": 2 }));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn an_interrupt_ends_a_match_whatever_its_engine_does() {
    for engine in ["--fail silent", "--fail chatty", "--fail slow", "--fail stubborn", "--fail mortal"] {
        let arguments = match_of(&format!("{engine} --after 1"), "", "--games 1000");
        let child = spawn_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        thread::sleep(Duration::from_millis(700));
        let start = Instant::now();
        signal(&child, "-INT");
        let ended = child.wait_with_output().unwrap();
        // Alone, it takes at most 0.6 s.
        assert!(start.elapsed() < Duration::from_secs(4), "{engine}: {:?}", start.elapsed());
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(!errors.contains("forfeit"), "{engine}: {errors}");
        assert_eq!(ended.status.code(), Some(130), "{engine}: {errors}");
    }
}
