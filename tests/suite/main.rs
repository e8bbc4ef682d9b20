//! The integration tests, in one binary to save link time. Each module covers one subject.

mod boardwalk;
mod cli_analyze;
mod cli_analyze_games;
mod cli_analyze_rows;
mod cli_bench;
mod cli_book;
mod cli_database;
mod cli_database_lists;
mod cli_engine;
mod cli_faults;
mod cli_formats;
mod cli_games;
mod cli_interrupt;
mod cli_notations;
mod cli_perft;
mod cli_play;
mod cli_position;
mod cli_selfplay;
mod cli_serve;
mod cli_train;
mod documented_sessions;
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

use assert_cmd::Command;

/// Returns a command that runs the program.
fn morello() -> Command {
    Command::cargo_bin("morello").expect("the program is built with its tests")
}

/// Returns whether a process is running. Zombies do not count.
#[cfg(unix)]
fn is_running(process: &str) -> bool {
    let status =
        std::process::Command::new("ps").args(["-o", "stat=", "-p", process]).output().expect("ps is available");
    let status = String::from_utf8(status.stdout).expect("ps writes ASCII");
    !status.trim().is_empty() && !status.starts_with('Z')
}

/// Runs the program with arguments separated by white space and this standard input. Returns the exit code, standard output and standard error.
fn run(arguments: &str, input: &str) -> (i32, String, String) {
    let output = morello().args(arguments.split_whitespace()).write_stdin(input).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    (output.status.code().expect("the program exits"), text(output.stdout), text(output.stderr))
}
