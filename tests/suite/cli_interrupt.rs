//! Signals: the first one ends a run in order, with its finished results written.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{signal, spawn, spawn_with};

/// Waits until a process catches the three signals that end a run.
#[cfg(target_os = "linux")]
fn wait_for_handlers(child: &Child, command: &str) {
    /// SIGHUP, SIGINT and SIGTERM: bit n - 1 stands for signal n.
    const SIGNALS: u64 = 1 | 1 << 1 | 1 << 14;
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        if caught.is_some_and(|bits| u64::from_str_radix(bits.trim(), 16).is_ok_and(|bits| bits & SIGNALS == SIGNALS)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{command}: no signal is caught");
}

/// Each command runs three times on the same files: the second and the third time it goes on with
/// those of an interrupted run.
#[test]
#[cfg(target_os = "linux")]
fn each_signal_ends_each_long_command_and_its_files_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let start = "---------------------------OX------XO--------------------------- X\n";
    std::fs::write(at("positions"), start.repeat(3)).unwrap();
    std::fs::write(at("mills"), "9,9 - - W\n").unwrap();
    std::fs::write(at("texts"), "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2\n".repeat(100_000))
        .unwrap();
    std::fs::copy("src/files/data/books/othello.book", at("shipped.book")).unwrap();
    let generate = format!(
        "morello-train generate --games 300 --depth 1 --exact-from 2 --output {}",
        at("training.games").display()
    );
    assert_eq!(super::run(&generate, "").0, 0);

    for command in [
        "analyze othello DIR/positions --level 40 --output DIR/rows.csv --resume",
        "analyze othello DIR/positions --level 40 --cache DIR/cache --output DIR/rows.jsonl --force",
        "analyze nine-mens-morris DIR/mills --depth 40",
        "perft othello 14 --checkpoint DIR/perft",
        "selfplay othello --engine depth=3 --engine depth=2 --games 100000 --log DIR/log --resume",
        "morello-train generate --games 1000000 --output DIR/generated.games",
        "morello-train label --data DIR/training.games --depth 20 --output DIR/labels",
        "morello-train fit --data DIR/training.games --output DIR/weights",
        "morello-train network --data DIR/training.games --epochs 1000 --output DIR/network",
        "morello-train probcut --data DIR/training.games --max-positions 1000 --all-games",
        "morello-train errors --data DIR/training.games --max-positions 1000 --depth 20 --all-games",
        "database build nine-mens-morris --max-men 10 --database DIR/tables",
        "book build othello DIR/built.book --level 20",
        "book enhance othello DIR/shipped.book --level 30",
        "book deviate othello DIR/shipped.book --level 24 --max-loss 10 --max-plies 20",
        "book learn othello DIR/shipped.book DIR/texts",
        "convert othello DIR/texts --to ggf --output DIR/games.ggf --force",
        "games mistakes othello DIR/texts --depth 8",
        "bench ffo --from 50 --to 59",
        "bench solve DIR/positions",
    ] {
        for name in ["-INT", "-TERM", "-HUP"] {
            let child = spawn(&command.replace("DIR", folder.path().to_str().unwrap()));
            wait_for_handlers(&child, command);
            std::thread::sleep(Duration::from_millis(100));
            let start = Instant::now();
            signal(&child, name);
            let ended = child.wait_with_output().unwrap();
            let errors = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(130), "{command}, {name}: {errors}");
            assert!(start.elapsed() < Duration::from_secs(30), "{command}, {name}: took {:?}", start.elapsed());
        }
    }
    // No run left a file that the next one would not know.
    let unknown = |name: &str| name.contains("tmp") || name.contains(".new");
    let names =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| unknown(name)).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn an_interrupted_review_says_so_and_writes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("games"), "c4c3d3c5b4\n".repeat(200)).unwrap();
    for outputs in ["", "--output REPORT --exercises MISTAKES"] {
        let outputs = outputs.replace("REPORT", &path("report.html")).replace("MISTAKES", &path("mistakes.jsonl"));
        let command = format!("review othello {} --thorough {outputs}", path("games"));
        let child = spawn(&command);
        wait_for_handlers(&child, &command);
        std::thread::sleep(Duration::from_millis(100));
        signal(&child, "-INT");
        let ended = child.wait_with_output().unwrap();
        let [text, errors] = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(ended.status.code(), Some(130), "{errors}");
        assert!(errors.contains("of 1200 positions; no file was written"), "{errors}");
        assert_eq!(text.starts_with("interrupted; the numbers cover "), outputs.is_empty(), "{text}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_interrupted_analysis_keeps_finished_rows() {
    for (name, last) in
        [("-INT", "---------------------------OX------XO--------------------------- X\n"), ("-TERM", "")]
    {
        let mut child = spawn("analyze othello --exact --threads 2 --hash 1 --format jsonl");
        // The input stays open: a reader that waits for more must not delay the exit.
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
fn finished_rows_are_in_the_checkpoint_while_a_position_takes_long() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let start = "---------------------------OX------XO--------------------------- X\n";
    let over = format!("{} X\n", "X".repeat(64));
    std::fs::write(path("positions"), over.repeat(5) + start).unwrap();
    let command = format!(
        "analyze othello {} --exact --threads 1 --hash 1 --deterministic -o {} --resume",
        path("positions"),
        path("rows.csv")
    );
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap_or_default();
    for name in ["-KILL", "-INT"] {
        let mut child = spawn(&command);
        let began = Instant::now();
        while !read("rows.csv.checkpoint").contains("\"records\":5,") && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        signal(&child, name);
        child.wait().unwrap();
        assert!(read("rows.csv.checkpoint").contains("\"records\":5,"), "{name}");
        assert_eq!(read("rows.csv").lines().count(), 6, "{name}");
    }
    // Rows without a checkpoint are not overwritten.
    std::fs::remove_file(path("rows.csv.checkpoint")).unwrap();
    let (code, _, errors) = super::run(&command, "");
    assert!(code == 2 && errors.contains("has rows but no checkpoint"), "{errors}");
    assert_eq!(read("rows.csv").lines().count(), 6);
}

#[test]
fn an_interrupted_perft_exits() {
    let mut child = spawn("perft othello 30 --all-depths --hash 0 --format csv");
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.next().unwrap().unwrap().starts_with("game,"));
    assert!(output.next().unwrap().unwrap().contains(",1,4,"));
    signal(&child, "-INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn an_interrupted_comparison_does_not_wait_for_its_input() {
    for (arguments, doing) in [
        ("perft othello 3 --compare -", "interrupted while reading the counts of the other program\n"),
        ("perft othello 3 --compare-command sleep#1000", "interrupted while reading the counts of the other program\n"),
        ("perft othello --input -", "interrupted\n0 counts of 0 positions: 0 ok, 0 different\n"),
    ] {
        let words: Vec<_> = arguments.split(' ').map(|word| word.replace('#', " ")).collect();
        let mut child = spawn_with(&words.iter().map(String::as_str).collect::<Vec<_>>());
        // The input stays open, and the signal comes after the handler is installed.
        let stdin = child.stdin.take();
        std::thread::sleep(Duration::from_secs(1));
        let start = Instant::now();
        signal(&child, "-INT");
        let ended = child.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!(ended.status.code(), Some(130), "{arguments}");
        assert_eq!(String::from_utf8(ended.stderr).unwrap(), doing, "{arguments}");
        assert!(start.elapsed() < Duration::from_secs(20), "{arguments}: the exit must not wait");
    }
}

#[test]
fn an_interrupted_question_shows_the_moves_searched() {
    let mut child = spawn("games mistakes othello --exact --threads 1 --hash 1 --progress plain --format csv");
    // The input is read completely before the first search. The second game cannot be solved.
    let game = "X".repeat(62) + "O- X; h8";
    write!(child.stdin.take().unwrap(), "{game}\nf5d6\n").unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(errors.any(|line| line.starts_with("mistakes: 0 % 0 of 2 games, 1 move")));
    signal(&child, "-INT");
    let rest: Vec<_> = errors.collect();
    assert!(rest.iter().any(|line| line.starts_with("moves      1 move, mean loss 0,")), "{rest:?}");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert!(ended.stdout.starts_with(b"file,line,game,date,event,player,opponent,"));
}

#[test]
fn an_interrupted_bench_prints_the_totals() {
    let mut child = spawn("bench solve --threads 1 --hash 1");
    let (easy, start) = ("X".repeat(62) + "O-", "-".repeat(27) + "OX------XO" + &"-".repeat(27));
    // The input is read completely before the first solve.
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
fn an_interrupted_match_reports_the_result_of_its_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engines = "--engine depth=3,hash=1 --engine depth=2,hash=1";
    let settings = "--games 100000 --opening-plies 3 --opening-depth 0 --threads 2 --format jsonl";
    let child = spawn(&format!("selfplay othello {engines} {settings} --log {}", log.display()));
    while std::fs::read_to_string(&log).map_or(0, |log| log.lines().count()) < 3 {
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let result: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let games = std::fs::read_to_string(&log).unwrap().lines().count();
    assert!(games >= 3 && result["games"] == games && result["games_planned"] == 100_000, "{result}");
}

#[test]
fn a_resumed_match_interrupted_while_generating_openings_reports_its_logged_games() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engines = "--engine random,name=a --engine random,name=b --threads 1";
    let openings = "--all-openings --opening-plies 7 --opening-depth 4";
    let arguments = format!("selfplay othello {engines} {openings} --log {}", log.display());
    assert!(spawn(&format!("{arguments} --games 6")).wait_with_output().unwrap().status.success());
    let mut child = spawn(&format!("{arguments} --games 1000000 --resume --progress plain"));
    let mut errors = String::new();
    // The search for openings has started.
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut errors).unwrap();
    assert!(errors.contains("positions searched"), "{errors}");
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    let table = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{table}");
    assert!(table.starts_with("match      othello, 6 games of 1000000 in "), "{table}");
    assert!(
        table.contains("\nopenings   3 from the games so far; ") && table.contains("\nresult     a won "),
        "{table}"
    );
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 6);
}

#[test]
fn interrupting_a_match_while_its_engines_start_exits() {
    // `cat` echoes the requests, which is not an answer.
    let mut child = spawn("selfplay othello --engine cmd=cat,protocol=nboard --engine random --games 4 --threads 1");
    let start = Instant::now();
    let parent = child.id().to_string();
    let has_started = || {
        let children = Command::new("ps").args(["-o", "args=", "--ppid", &parent]).output().expect("ps is available");
        String::from_utf8_lossy(&children.stdout).lines().any(|line| line.trim() == "cat")
    };
    while !has_started() {
        assert!(start.elapsed() < Duration::from_secs(20), "the engine was not started");
        std::thread::sleep(Duration::from_millis(10));
    }
    let start = Instant::now();
    signal(&child, "-INT");
    drop(child.stdin.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(130), 0));
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(errors, "interrupted before the first game\n");
    assert!(start.elapsed() < Duration::from_secs(20), "the exit must not wait for the start");
}

#[test]
fn the_first_interrupt_forces_a_move_and_the_second_ends_the_game() {
    let mut child = spawn("play othello --white engine:time=10m,hash=1 --black human");
    let mut stdin = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    writeln!(stdin, "f5").unwrap();
    assert!(output.any(|line| line.ends_with("; White to move")));
    // Wait until the engine is searching; an earlier signal would end the program.
    std::thread::sleep(Duration::from_secs(2));
    signal(&child, "-INT");
    assert!(output.any(|line| line.starts_with("White (")));
    assert!(output.any(|line| line.ends_with("; Black to move")));
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "\ninterrupted\n");
}

#[test]
fn terminating_a_game_kills_its_external_engines() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let started = folder.path().join("started");
    // The engine answers pings, searches forever, and ignores signals and the end of its input.
    let script = "#!/bin/sh\ntrap '' HUP INT TERM\nwhile read word number; do case $word in ping) echo pong $number;; \
                  go) echo $$ > started; while :; do sleep 1; done;; esac; done\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    for name in ["-TERM", "-HUP"] {
        let child = Command::new(assert_cmd::cargo::cargo_bin("morello"))
            .args(["play", "othello", "--white", "random", "--black", "external:cmd=./program,protocol=nboard"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let pid = loop {
            match std::fs::read_to_string(&started) {
                Ok(pid) if pid.ends_with('\n') => break pid.trim().to_owned(),
                _ if start.elapsed() > Duration::from_secs(20) => panic!("the engine received no request"),
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        assert!(crate::is_running(&pid));
        signal(&child, name);
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130), "{name}");
        while crate::is_running(&pid) {
            assert!(start.elapsed() < Duration::from_secs(40), "the engine is still running");
            std::thread::sleep(Duration::from_millis(10));
        }
        std::fs::remove_file(&started).unwrap();
    }
}
