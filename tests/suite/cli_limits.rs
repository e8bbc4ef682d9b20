//! The largest number that each option of each command accepts, in a process with little memory: it
//! runs, or fails with an error. `morello_command::help_checks` checks what the parsers reject.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::{program, run, run_ok};

/// The memory of each process, in KiB: enough for many threads, and less than that of any machine.
const MEMORY: u32 = 6 << 20;

/// Longer than any check of values takes.
const TIME: Duration = Duration::from_millis(800);

/// The kinds of values that are numbers.
const NUMBERS: [&str; 13] =
    ["DISCS", "I/N", "LEVEL", "MIB", "N", "NUMBER", "PERCENT", "PLIES", "POINTS", "PORT", "RANGE", "SHARE", "TIME"];

/// Every command with numbers, and arguments with which it has something to do. `{dir}` is a folder for
/// files.
const COMMANDS: &[(&str, &str)] = &[
    ("analyze", "othello {dir}/games.txt --nodes 100 --unique"),
    ("bench ffo", "--from 40 --to 40"),
    ("bench solve", "data/positions/ffo-40-44.obf"),
    ("book build", "othello-4x4 {dir}/new.book --level 1 --max-plies 1"),
    ("book deviate", "othello-4x4 {dir}/a.book --level 1 --max-plies 1"),
    ("book enhance", "othello-4x4 {dir}/a.book --level 1"),
    ("book export", "othello --to rows --output {dir}/rows"),
    ("book fix", "othello-4x4 {dir}/a.book"),
    ("book import", "othello-4x4 {dir}/a.book {dir}/rows"),
    ("book learn", "othello-4x4 {dir}/a.book {dir}/small.txt"),
    ("book lines", "othello"),
    ("book merge", "othello-4x4 {dir}/a.book {dir}/a.book"),
    ("book openings", "othello"),
    ("book prune", "othello-4x4 {dir}/a.book"),
    ("book show", "othello"),
    ("book stats", "othello"),
    ("completions", "bash"),
    ("convert", "othello {dir}/games.txt --to transcript"),
    ("database build", "three-mens-morris --max-men 6 --database {dir}/tables"),
    ("database info", "three-mens-morris"),
    ("database openings", "three-mens-morris"),
    ("database pack", "three-mens-morris"),
    ("database probe", "three-mens-morris start"),
    ("database puzzles", "three-mens-morris"),
    ("database starts", "three-mens-morris"),
    ("database stats", "three-mens-morris"),
    ("database verify", "three-mens-morris"),
    ("elo", "--wins 1 --draws 1 --losses 1"),
    ("engine", "--protocol nboard othello"),
    ("games list", "othello {dir}/games.txt"),
    ("games mistakes", "othello {dir}/games.txt"),
    ("games openings", "othello {dir}/games.txt"),
    ("games players", "othello {dir}/games.txt"),
    ("games tree", "othello {dir}/games.txt"),
    ("man", "--output {dir}"),
    ("perft", "othello 3"),
    ("play", "othello --white random --black random"),
    ("practice", "{dir}/exercises.jsonl"),
    ("practice endgames", "othello"),
    ("practice openings", "othello --cards {dir}/cards"),
    ("referee", "othello --moves f5d6"),
    ("review", "othello {dir}/games.txt"),
    ("selfplay", "othello --engine random --engine depth=1 --games 2"),
    ("serve", "--port 0"),
    ("tune", "othello --engine depth={depth} --parameter depth=2,1,3,1 --games 2"),
    ("morello-train balance", "--data {dir}/t.games --weights data/weights/othello.weights --output {dir}/w"),
    ("morello-train errors", "--data {dir}/t.games"),
    ("morello-train fit", "--data {dir}/t.games --output {dir}/w --epochs 1"),
    ("morello-train generate", "--games 1 --depth 1 --exact-from 1 --output {dir}/g"),
    ("morello-train label", "--data {dir}/t.games --output {dir}/l --depth 1"),
    ("morello-train mills", "nine-mens-morris {dir}/mills.pgn --output {dir}/m"),
    ("morello-train network", "--data {dir}/t.games --output {dir}/n --epochs 1"),
    ("morello-train probcut", "--data {dir}/t.games"),
    ("morello-train report", "--data {dir}/t.games --weights data/weights/othello.weights"),
];

/// Arguments that some options require.
const MORE: [(&str, &str, &str); 4] = [
    ("book build", "--min-games", "--played-in {dir}/small.txt"),
    ("book build", "--min-share", "--played-in {dir}/small.txt"),
    ("morello-train label", "--lambda", "--follow"),
    ("selfplay", "--shard", "--log {dir}/log"),
];

/// Returns the commands that a help lists, below a command; without any, the command itself.
fn commands(path: &str, below: &mut Vec<String>) {
    let help = run_ok(&format!("{path} --help"), "");
    let names = help.lines().filter_map(|line| {
        let (name, about) = line.strip_prefix("  ")?.split_once("  ")?;
        let is_command = name.chars().all(|c| c.is_ascii_lowercase()) && !name.is_empty() && name != "help";
        (is_command && about.trim_start().starts_with(char::is_uppercase)).then(|| name.to_owned())
    });
    let names: Vec<_> = names.collect();
    let is_command_itself = names.is_empty() || path == "practice";
    below.extend(is_command_itself.then(|| path.to_owned()));
    names.iter().for_each(|name| commands(format!("{path} {name}").trim_start(), below));
}

/// Returns the options of a command whose values are numbers, with the kinds of their values.
fn options(path: &str) -> Vec<(String, String)> {
    let help = run_ok(&format!("{path} --help"), "");
    let option = |line: &str| {
        let text = line.trim_start();
        let text = text.strip_prefix("--").or_else(|| text.get(4..)?.strip_prefix("--"))?;
        let (name, kind) = text.split_once(" <")?;
        let kind = kind.split_once('>')?.0;
        NUMBERS.contains(&kind).then(|| (format!("--{name}"), kind.to_owned()))
    };
    help.lines().filter_map(option).collect()
}

/// Returns the largest value that an option accepts.
fn largest(path: &str, option: &str, kind: &str) -> Result<String, String> {
    match kind {
        "TIME" if path != "serve" => return Ok("87840000h".to_owned()),
        "TIME" => return Ok("2m".to_owned()),
        _ => {}
    }
    let (code, _, error) = run(&format!("{path} {option} {}", "9".repeat(40)), "");
    if code != 2 {
        return Err(format!("{path} {option} has no limit"));
    }
    let number = ["at most ", " to ", "up to ", "below ", "100)"].iter().find_map(|words| {
        let rest = error.lines().next()?.split_once(words)?.1;
        let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        Some(if *words == "100)" { "100".to_owned() } else { digits.trim_end_matches('.').to_owned() })
    });
    let number = number.filter(|number| !number.is_empty());
    let number = number.map(|number| if kind == "I/N" { format!("{number}/{number}") } else { number });
    number.ok_or_else(|| format!("{path} {option}: `{error}` names no largest value"))
}

/// Runs a command with an option, for a short time. Returns what is wrong.
fn fault(path: &str, arguments: &str, option: &str, value: &str, files: &Path) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(files).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let dir = folder.path().to_str().unwrap();
    // The option is given once.
    let mut words: Vec<_> = arguments.split(' ').collect();
    if let Some(at) = words.iter().position(|word| *word == option) {
        words.drain(at..at + 2);
    }
    let more = MORE.iter().find(|(command, name, _)| (*command, *name) == (path, option)).map_or("", |more| more.2);
    let line = format!("{path} {} {option} {value} {more}", words.join(" ")).replace("{dir}", dir);
    let words: Vec<_> = line.split_whitespace().collect();
    let (program, words) = program(&words);
    let errors = tempfile::NamedTempFile::new().unwrap();
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$0\" \"$@\"")])
        .arg(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors.reopen().unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < TIME {
        thread::sleep(Duration::from_millis(5));
    }
    let ended = child.try_wait().unwrap();
    let _ = child.kill();
    child.wait().unwrap();
    let text = String::from_utf8_lossy(&fs::read(errors.path()).unwrap()).into_owned();
    let is_sound = ended.is_none_or(|status| matches!(status.code(), Some(0..=2)))
        && !["panicked", "memory allocation", "overflow"].iter().any(|word| text.contains(word));
    // Else the command does not come to the option.
    let is_usage = ["cannot be used with", "arguments were not provided", "unexpected argument"];
    let is_sound = is_sound && !is_usage.iter().any(|words| text.contains(words));
    (!is_sound).then(|| format!("{line}: {ended:?}\n{text}"))
}

/// Writes the files that commands read.
fn prepare(dir: &Path) {
    fs::write(dir.join("games.txt"), "f5d6c3d3c4\nf5f6\n").unwrap();
    fs::write(dir.join("small.txt"), "b1\n").unwrap();
    let dir = dir.to_str().unwrap();
    run_ok(&format!("morello-train generate --games 4 --depth 1 --exact-from 4 --output {dir}/t.games"), "");
    let players = "--engine depth=1 --engine random --games 2";
    run_ok(&format!("selfplay nine-mens-morris {players} --save-games {dir}/mills.pgn"), "");
    run_ok(&format!("book build othello-4x4 {dir}/a.book --level 1 --max-plies 1"), "");
}

#[test]
fn the_largest_number_of_every_option_runs_or_is_an_error() {
    let mut found = Vec::new();
    ["", "morello-train"].iter().for_each(|program| commands(program, &mut found));
    found.retain(|path| COMMANDS.iter().all(|(known, _)| known != path));
    assert!(found.is_empty(), "COMMANDS lacks {found:?}");
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let waiting: Vec<_> = COMMANDS
        .iter()
        .flat_map(|(path, arguments)| options(path).into_iter().map(move |option| (*path, *arguments, option)))
        .collect();
    assert!(waiting.len() > 100, "{}", waiting.len());
    let (waiting, faults) = (Mutex::new(waiting), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some((path, arguments, (option, kind))) = waiting.lock().unwrap().pop() else { break };
            let fault = match largest(path, &option, &kind) {
                Ok(value) => fault(path, arguments, &option, &value, folder.path()),
                Err(error) => Some(error),
            };
            faults.lock().unwrap().extend(fault);
        }
    };
    thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(work))));
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
