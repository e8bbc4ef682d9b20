//! The integration tests, in one binary to save link time. Each module covers one subject.

mod api;
mod boardwalk;
mod cli_analyze;
mod cli_analyze_games;
mod cli_analyze_rows;
mod cli_bad_engines;
mod cli_bench;
mod cli_book;
mod cli_database;
mod cli_database_lists;
mod cli_elo;
mod cli_engine;
mod cli_faults;
mod cli_formats;
mod cli_games;
mod cli_interrupt;
mod cli_limits;
mod cli_notations;
mod cli_perft;
mod cli_play;
mod cli_position;
mod cli_practice;
mod cli_review;
mod cli_selfplay;
mod cli_selfplay_files;
mod cli_serve;
mod cli_train;
mod cli_tune;
mod examples;
#[path = "../fuzz/mod.rs"]
mod fuzz;
mod game_contract;
#[cfg(unix)]
mod guide;
mod layers;
mod perft;
mod players;
mod position_files;
mod search;
mod selective_search;

use std::process::{Child, Stdio};

use assert_cmd::Command;
use serde_json::Value;

/// Returns a command that runs the program.
fn morello() -> Command {
    let mut command = Command::cargo_bin("morello").expect("the program is built with its tests");
    // Tables have their full width.
    command.env_remove("COLUMNS");
    command
}

/// Returns whether a process is running. Zombies do not count.
#[cfg(unix)]
fn is_running(process: &str) -> bool {
    let status =
        std::process::Command::new("ps").args(["-o", "stat=", "-p", process]).output().expect("ps is available");
    let status = String::from_utf8(status.stdout).expect("ps writes ASCII");
    !status.trim().is_empty() && !status.starts_with('Z')
}

/// Sends a signal such as `-INT` to a process.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let status =
        std::process::Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill is available");
    assert!(status.success());
}

/// Returns the program that the arguments are for, and its own arguments: `morello-train`, if the
/// first one is this, else `morello`. `cargo test` builds both.
fn program<'a>(arguments: &'a [&'a str]) -> (std::path::PathBuf, &'a [&'a str]) {
    let (name, arguments) = match arguments {
        [name @ "morello-train", rest @ ..] => (*name, rest),
        _ => ("morello", arguments),
    };
    let program = assert_cmd::cargo::cargo_bin(name);
    assert!(program.exists(), "{name} is not built: run `cargo build --package {name}`");
    (program, arguments)
}

/// Starts the program with pipes.
fn spawn_with(arguments: &[&str]) -> Child {
    let (program, arguments) = program(arguments);
    let mut command = std::process::Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program runs")
}

/// As [`spawn_with`], with arguments separated by white space.
fn spawn(arguments: &str) -> Child {
    spawn_with(&arguments.split_whitespace().collect::<Vec<_>>())
}

/// Runs the program with this standard input. Returns the exit code, standard output and standard
/// error.
fn run_with(arguments: &[&str], input: &(impl AsRef<[u8]> + ?Sized)) -> (i32, String, String) {
    let (program, arguments) = program(arguments);
    let output = Command::new(program).args(arguments).write_stdin(input.as_ref()).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    (output.status.code().expect("the program exits"), text(output.stdout), text(output.stderr))
}

/// As [`run_with`], with arguments separated by white space.
fn run(arguments: &str, input: &str) -> (i32, String, String) {
    run_with(&arguments.split_whitespace().collect::<Vec<_>>(), input)
}

/// As [`run`], but the program must succeed. Returns standard output.
#[track_caller]
fn run_ok(arguments: &str, input: &str) -> String {
    let (code, output, errors) = run(arguments, input);
    assert_eq!(code, 0, "{arguments}: {errors}");
    output
}

/// Checks that the program fails and says why.
#[track_caller]
fn assert_fails(arguments: &str, input: &str, message: &str) {
    let (code, _, errors) = run(arguments, input);
    assert!(code == 2 && errors.contains(message), "{arguments}: {errors}");
}

/// Parses JSON lines.
fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect()
}
