//! Signals: the first ends the work in order, and what is finished is written.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

fn spawn(arguments: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("morello"))
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs")
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().expect("there is a kill");
    assert!(status.success());
}

#[test]
fn an_analysis_keeps_what_is_finished() {
    for (name, last) in
        [("-INT", "---------------------------OX------XO--------------------------- X\n"), ("-TERM", "")]
    {
        let mut child = spawn("analyze othello --exact --threads 2 --hash 1 --format jsonl");
        // The input stays open: a reader that waits for more must not hold up the end.
        let mut stdin = child.stdin.take().unwrap();
        let over = "X".repeat(64);
        write!(stdin, "{over} X\n{last}").unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        assert!(first.contains(&over) && first.contains("\"score\":64,"), "{first}");
        signal(&child, name);
        let mut rest = String::new();
        assert_eq!(output.read_line(&mut rest).unwrap(), 0, "{rest}");
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130));
        let errors = String::from_utf8(ended.stderr).unwrap();
        assert!(errors.contains("positions  1\n"), "{errors}");
    }
}

#[test]
fn perft_ends() {
    let mut child = spawn("perft othello 30 --all --hash 0 --format csv");
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.next().unwrap().unwrap().starts_with("game,"));
    assert!(output.next().unwrap().unwrap().contains(",1,4,"));
    signal(&child, "-INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn a_bench_keeps_what_is_finished() {
    let mut child = spawn("bench solve --threads 1 --hash 1");
    let (easy, start) = ("X".repeat(62) + "O-", "-".repeat(27) + "OX------XO" + &"-".repeat(27));
    // All is read before the first is solved.
    write!(child.stdin.take().unwrap(), "{easy} X\n{start} X\n").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.next().unwrap().unwrap().starts_with("position"));
    assert!(output.next().unwrap().unwrap().starts_with("-:1"));
    signal(&child, "-INT");
    assert!(output.next().unwrap().unwrap().starts_with("total"));
    assert!(output.next().is_none());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn a_match_ends_its_games_and_tells_how_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engines = "--engine depth=3,hash=1 --engine depth=2,hash=1";
    let settings = "--games 100000 --opening-plies 3 --opening-depth 0 --threads 2 --format json";
    let child = spawn(&format!("selfplay othello {engines} {settings} --log {}", log.display()));
    while std::fs::read_to_string(&log).map_or(0, |log| log.lines().count()) < 3 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let result: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let games = std::fs::read_to_string(&log).unwrap().lines().count();
    assert!(games >= 3 && result["games"] == games && result["games_planned"] == 100_000, "{result}");
}
