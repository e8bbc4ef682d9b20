//! Damaged and hostile files, second processes, full disks and killed processes, as a user meets
//! them. Unit tests cover each file in detail.

#![cfg(unix)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::{assert_fails, is_running, morello, run, run_ok, spawn, spawn_with};

/// Texts that would change a terminal.
const ESCAPE: &str = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}";

fn is_harmless(text: &str) -> bool {
    !text.contains(|c: char| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)))
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("the path is UTF-8").to_owned()
}

#[test]
fn an_incomplete_cache_is_begun_again_and_a_damaged_one_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let cache = path(folder.path(), "c");
    let analyze = || run(&format!("analyze othello --depth 2 --cache {cache} --format jsonl"), "f5d6\nf5f6\n");
    fs::write(&cache, "morello ca").unwrap();
    let (code, rows, errors) = analyze();
    assert!(code == 0 && rows.lines().count() > 1 && errors.contains(" 4 added"), "{errors}");
    let good = fs::read(&cache).unwrap();
    let mut bytes = good.clone();
    let within_an_entry = bytes.len() - 5;
    bytes[within_an_entry] ^= 1;
    fs::write(&cache, &bytes).unwrap();
    let (code, again, errors) = analyze();
    assert!(code == 0 && again.lines().count() == rows.lines().count(), "{errors}");
    assert!(errors.contains("warning: --cache `") && errors.contains("damaged at byte "), "{errors}");
    assert_eq!(fs::read(&cache).unwrap(), bytes, "a damaged file is not changed");
    fs::write(&cache, "something else").unwrap();
    let (code, rows, errors) = analyze();
    assert!(code == 2 && rows.is_empty() && errors.contains("not a cache"), "{errors}");
    assert_eq!(fs::read(&cache).unwrap(), b"something else");
}

#[test]
fn without_threads_there_is_an_error_and_nobody_waits() {
    let commands = [
        "analyze othello - --depth 2 --threads 4",
        "bench ffo --to 40 --threads 2",
        "convert othello - --to pgn",
        "engine othello --protocol gtp",
        "perft othello 6",
        "play othello",
        "review othello -",
        "selfplay othello --engine random --engine depth=1 --games 2",
        "serve --port 0",
    ];
    for arguments in commands {
        // No stack is so large.
        let stack = (1_u64 << 60).to_string();
        let output = morello().args(arguments.split(' ')).env("RUST_MIN_STACK", stack).write_stdin("f5d6\n").output();
        let output = output.unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(errors.contains("cannot start") && errors.contains("; try a smaller --threads"), "{errors}");
    }
}

#[test]
fn a_damaged_checkpoint_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, input) = (path(folder.path(), "rows.csv"), path(folder.path(), "games.txt"));
    // The last line ends the run, so that its checkpoint stays.
    fs::write(&input, "f5d6c3\nf5f6\nbad\n").unwrap();
    let command = format!("analyze othello {input} --depth 1 -o {rows} --resume --deterministic --strict");
    assert_eq!(run(&command, "").0, 1);
    let (file, checkpoint) = (format!("{rows}.checkpoint"), fs::read_to_string(format!("{rows}.checkpoint")).unwrap());
    let (first, written) = (checkpoint.find("\"records\":0").unwrap(), fs::read(&rows).unwrap());
    let mut damaged = checkpoint.clone();
    damaged.replace_range(first..first + 11, "\"records\":6");
    fs::write(&file, &damaged).unwrap();
    let (code, _, errors) = run(&command, "");
    assert_eq!(code, 2);
    assert!(
        errors.contains("rows.csv.checkpoint`: it is damaged") && errors.contains("--force to start again"),
        "{errors}"
    );
    assert_eq!(fs::read(&rows).unwrap(), written, "the rows are not changed");
}

#[test]
fn texts_from_files_do_not_reach_the_terminal_as_escapes() {
    let games = format!("moves,black,white,tournament\nf5d6,{ESCAPE},b,{ESCAPE}\nx{ESCAPE},c,d,e\n");
    for arguments in [
        "analyze othello --depth 1",
        "analyze othello --depth 1 --format csv --summary -",
        "convert othello --to transcript",
        "games list othello",
        "games players othello",
        "games mistakes othello --depth 1",
        "games tree othello",
        "games list othello --player nobody",
    ] {
        let (_, output, errors) = run(arguments, &games);
        assert!(is_harmless(&errors), "{arguments}: {errors:?}");
        // CSV is data: only a terminal gets escapes.
        let is_data = arguments.contains("csv");
        assert!(is_data || is_harmless(&output), "{arguments}: {output:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "game.txt");
    fs::write(&file, format!("f5d6{ESCAPE}")).unwrap();
    let (_, output, errors) = run(&format!("play othello --load {file}"), "load x\x1b[2J\n");
    assert!(is_harmless(&(output + &errors)));
    let (_, output, errors) = run("referee othello", &format!("f5 {ESCAPE}\n"));
    assert!(is_harmless(&(output + &errors)));
    let openings = path(folder.path(), "openings.txt");
    fs::write(&openings, format!("f5 {ESCAPE}\n")).unwrap();
    let players = "--engine name=a,random --engine name=b,random --games 2";
    let (code, output, errors) = run(&format!("selfplay othello {players} --openings {openings}"), "");
    assert!(code == 2 && is_harmless(&(output + &errors)), "a bad opening");
    // The last words of an engine.
    let engine = path(folder.path(), "engine.sh");
    fs::write(&engine, format!("printf '{}\\n' >&2\n", ESCAPE.replace('\u{1b}', "\\033"))).unwrap();
    let spec = format!("name=x,cmd=sh {engine},protocol=gtp");
    let ended = spawn_with(&["selfplay", "othello", "--engine", &spec, "--engine", "name=b,random", "--games", "2"])
        .wait_with_output()
        .unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert!(errors.contains("\\u{1b}") && is_harmless(&errors), "{errors:?}");
}

#[test]
fn names_with_line_breaks_survive_formats_of_lines() {
    let games = "moves,black,white\nf5d6c3,\"An\nna\",Bob\nf5f6,Carl,\"D\r\nE\"\n";
    for format in ["ggf", "pgn"] {
        let text = run_ok(&format!("convert othello --to {format}"), games);
        let (code, rows, errors) = run("convert othello --to csv", &text);
        assert!(code == 0 && rows.lines().count() == 3 && rows.contains("An na"), "{format}: {rows} {errors}");
    }
}

#[test]
fn csv_safe_marks_formulas() {
    let games = "moves,black,white,note\nf5d6,=1+2,@x,+1\n";
    let (code, rows, _) = run("convert othello --to csv --csv-safe", games);
    assert!(code == 0 && rows.contains(",'=1+2,'@x,") && rows.contains("'+1"), "{rows}");
    let (_, rows, _) = run("convert othello --to csv", games);
    assert!(rows.contains(",=1+2,@x,"), "{rows}");
    let (_, rows, _) = run("games list othello --format csv --csv-safe", games);
    assert!(rows.contains("'=1+2"), "{rows}");
    let (_, rows, _) = run("analyze othello --depth 1 --format csv --csv-safe", games);
    assert!(rows.contains("'=1+2"), "{rows}");
}

#[test]
fn endless_and_full_devices_are_errors() {
    assert_fails("analyze othello --weights /dev/zero", "f5\n", "a device, not a file");
    let folder = tempfile::tempdir().unwrap();
    let [book, log] = ["a.book", "log"].map(|name| folder.path().join(name).display().to_string());
    for (command, expected) in [
        (format!("book import othello {book} /dev/zero --input-format edax"), "a device, not a file"),
        (format!("book merge othello {book} /dev/zero"), "`/dev/zero` is not a morello book"),
        ("morello-train report --weights data/weights/othello.weights --positions /dev/zero".to_owned(), "a device"),
        (
            "selfplay othello --engine name=a,depth=1 --engine name=b,depth=1 --openings /dev/zero".to_owned(),
            "a device",
        ),
    ] {
        assert_fails(&command, "", expected);
    }
    // A pipe keeps nothing, and nobody may write to it.
    assert!(Command::new("mkfifo").arg(&log).status().unwrap().success());
    let command = format!("selfplay othello --engine name=a,depth=1 --engine name=b,depth=1 --games 2 --log {log}");
    assert_fails(&command, "", "a pipe or a device, not a file");
    if !Path::new("/dev/full").exists() {
        return;
    }
    let games = "f5d6\n".repeat(40_000);
    for format in ["transcript", "csv", "ggf"] {
        let (code, _, errors) = run(&format!("convert othello --to {format} -o /dev/full"), &games);
        assert!(code == 2 && errors.lines().count() == 1 && errors.contains("No space left"), "{format}: {errors}");
    }
    assert_fails("analyze othello --depth 1 --threads 1 --format csv -o /dev/full", "f5d6\n", "No space left");
    // WTHOR requires its extension.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("full.wtb");
    std::os::unix::fs::symlink("/dev/full", &file).unwrap();
    let (code, _, errors) = run(&format!("convert othello --to wthor -o {}", file.display()), &games);
    assert!(code == 2 && errors.lines().count() == 1 && errors.contains("No space left"), "{errors}");
}

/// Each command meets a full disk, then more space: a file system in memory, which only the
/// commands see.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_ends_a_run_that_goes_on_when_there_is_space() {
    let in_namespace = |script: &str| {
        Command::new("unshare").args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).output()
    };
    // Some systems let no user create namespaces.
    if !in_namespace("mount -t tmpfs tmpfs /tmp").is_ok_and(|output| output.status.success()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (games, data) = (path(folder.path(), "games.txt"), path(folder.path(), "data"));
    fs::write(&games, "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2\n".repeat(400)).unwrap();
    assert_eq!(run(&format!("morello-train generate --games 60 --depth 1 --exact-from 2 --output {data}"), "").0, 0);
    let book = fs::canonicalize("src/files/data/books/othello.book").unwrap().display().to_string();
    let tables = path(folder.path(), "packed");
    assert_eq!(run(&format!("database pack {tables}.pack --database {tables}"), "").0, 0);
    let disk = path(folder.path(), "disk");
    fs::create_dir(&disk).unwrap();

    for (kibibytes, command, again) in [
        (12, "analyze othello GAMES --depth 1 --output rows.csv --resume", ""),
        (12, "selfplay othello --engine random,name=a --engine random,name=b --games 100 --log log", "--resume"),
        (8, "morello-train generate --games 1000 --depth 1 --exact-from 2 --output games", ""),
        (12, "morello-train label --data DATA --depth 1 --exact-from 4 --output labels", ""),
        (100, "morello-train fit --data DATA --epochs 1 --output weights", ""),
        (100, "morello-train network --data DATA --epochs 1 --output network", ""),
        (80, "database build six-mens-morris --all-sectors --database tables", ""),
        (12, "database pack pack --database PACKED", ""),
        (4, "book build othello built --level 1 --max-plies 10 --best-plies 10 --no-openings --max-loss 4", ""),
        (100, "book merge othello book BOOK", ""),
        (4, "perft othello 9 --checkpoint perft", ""),
        (12, "convert othello GAMES --to ggf --output games.ggf", ""),
    ] {
        let files = [("GAMES", &games), ("DATA", &data), ("BOOK", &book), ("PACKED", &tables)];
        let command = files.iter().fold(command.to_owned(), |command, (name, file)| command.replace(name, file));
        let words: Vec<_> = command.split_whitespace().collect();
        let (program, arguments) = crate::program(&words);
        let command = arguments.join(" ");
        // The messages go to files beside the full disk.
        let script = format!(
            "mount -t tmpfs -o size={kibibytes}k tmpfs {disk} && cd {disk} || exit 99
             {program} {command} > /dev/null 2> FULL; echo $?; cat FULL
             mount -o remount,size=256m {disk}
             {program} {command} {again} > /dev/null 2> MORE; echo; echo $?; cat MORE",
            program = program.display()
        );
        let script = script.replace("FULL", &path(folder.path(), "full")).replace("MORE", &path(folder.path(), "more"));
        let output = in_namespace(&script).unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let (full, more) = text.split_once("\n\n").unwrap_or((&text, ""));
        assert!(full.starts_with("2\n") && full.contains("No space left"), "{command}: {text}");
        assert!(!full.contains("panicked") && more.starts_with("0\n"), "{command}: {text}");
    }
}

#[test]
fn a_cut_file_of_training_games_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "x.games");
    let generate = format!("morello-train generate --games 3 --depth 1 --exact-from 2 --output {file}");
    run_ok(&generate, "");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    let (_, _, errors) = run(
        &format!("morello-train report --data {file} --all-games --weights src/core/data/weights/othello.network"),
        "",
    );
    assert!(errors.contains("ends within a game") && errors.contains("the 2 complete games before it"), "{errors}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_busy_engine_ends_with_a_killed_match() {
    let folder = tempfile::tempdir().unwrap();
    let (script, id) = (path(folder.path(), "engine.sh"), path(folder.path(), "id"));
    fs::write(&script, format!("echo $$ > {id}.new; mv {id}.new {id}; while :; do :; done\n")).unwrap();
    let spec = format!("name=x,cmd=sh {script},protocol=gtp");
    let mut child =
        spawn_with(&["selfplay", "othello", "--engine", &spec, "--engine", "name=b,random", "--games", "2"]);
    let deadline = Instant::now() + Duration::from_secs(60);
    while !Path::new(&id).exists() {
        assert!(Instant::now() < deadline, "the engine starts");
        thread::sleep(Duration::from_millis(10));
    }
    let engine = fs::read_to_string(&id).unwrap().trim().to_owned();
    assert!(is_running(&engine));
    child.kill().unwrap();
    child.wait().unwrap();
    while is_running(&engine) {
        assert!(Instant::now() < deadline, "the engine ends");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a request without a body and returns the head of the response.
fn get(address: &str, path: &str, header: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{header}\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response.split("\r\n\r\n").next().unwrap().to_owned()
}

#[test]
fn a_server_on_the_network_requires_a_decision() {
    let (code, output, errors) = run("serve --host 0.0.0.0 --port 0 --threads 2", "");
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(
        errors.contains("2 searches at a time") && errors.contains("--token") && errors.contains("--public"),
        "{errors}"
    );
    assert_eq!(run("serve --port 0 --token short", "").0, 2);

    let mut server = spawn("serve --port 0 --hash 1 --token");
    let mut url = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut url).unwrap();
    let (address, token) = url.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    assert!(get(address, "/", "").starts_with("HTTP/1.1 401 "));
    assert!(get(address, "/?token=wrongwrong", "").starts_with("HTTP/1.1 401 "));
    let moved = get(address, &format!("/?token={token}"), "");
    assert!(moved.starts_with("HTTP/1.1 303 ") && moved.contains("location: /\r\n"), "{moved}");
    // A path that looks like another host stays on this one.
    for path in ["//evil.example/", "/\\evil.example/"] {
        let moved_on = get(address, &format!("{path}?token={token}"), "");
        assert!(moved_on.contains("location: /evil.example/\r\n"), "{moved_on}");
    }
    for wrong in ["cookie: morello_token=wrongwrong", "authorization: bearer wrongwrong"] {
        let started = Instant::now();
        assert!(get(address, "/", &format!("{wrong}\r\n")).starts_with("HTTP/1.1 401 "));
        assert!(started.elapsed() >= Duration::from_millis(200), "{wrong}");
    }
    let cookie = moved.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert!(get(address, "/", &format!("cookie: {cookie}\r\n")).starts_with("HTTP/1.1 200 "));
    assert!(get(address, "/api/games", &format!("authorization: Bearer {token}\r\n")).starts_with("HTTP/1.1 200 "));
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_second_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let input = path(folder.path(), "games.txt");
    fs::write(&input, "f5d6\n").unwrap();
    for (name, command) in [
        ("c", "analyze othello INPUT --depth 1 --cache FILE"),
        ("rows.csv", "analyze othello INPUT --depth 1 -o FILE --resume"),
        ("log", "selfplay othello --engine name=a,random --engine name=b,random --games 2 --log FILE --resume"),
        ("perft", "perft othello 6 --checkpoint FILE"),
        ("games", "morello-train generate --games 1 --depth 1 --output FILE"),
    ] {
        let file = path(folder.path(), name);
        let held = fs::File::create(&file).unwrap();
        held.lock().unwrap();
        let (code, output, errors) = run(&command.replace("INPUT", &input).replace("FILE", &file), "");
        assert!(code == 2 && output.lines().count() <= 1, "{command}: {output} {errors}");
        assert!(errors.contains("another process is using it") && errors.contains(name), "{command}: {errors}");
        assert_eq!(fs::read(&file).unwrap(), b"", "{command}");
        held.unlock().unwrap();
        run_ok(&command.replace("INPUT", &input).replace("FILE", &file), "");
    }
}
