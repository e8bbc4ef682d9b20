//! `morello selfplay`: the games of a match in files.

use std::fs;

use serde_json::Value;

use crate::cli_selfplay::{MATCH, object};
use crate::{assert_fails, run, run_ok, run_with};

#[test]
fn writes_games_and_the_elo_plot() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let save = format!("--save-games {} --plot {}", path("games.ggf"), path("elo.svg"));
    run_ok(&format!("{MATCH} --games 10 --threads 2 {save}"), "");
    let games = fs::read_to_string(folder.path().join("games.ggf")).unwrap();
    let names: Vec<bool> = games.lines().map(|game| game.contains("]PB[a]PW[b]RE[")).collect();
    assert_eq!(names, [true, false].repeat(5), "in the order of the games");
    let svg = fs::read_to_string(folder.path().join("elo.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("othello: a against b") && svg.ends_with("</svg>\n"), "{svg}");
    // Other files get move lists.
    run_ok(&format!("{MATCH} --games 10 --save-games {}", path("games.txt")), "");
    let moves = fs::read_to_string(folder.path().join("games.txt")).unwrap();
    assert_eq!(moves.lines().count(), 10);
    let mills = "selfplay six-mens-morris --engine random,name=a --engine random,name=b --games 4 --opening-depth 0";
    let log = folder.path().join("log.jsonl");
    let (code, _, errors) = run(&format!("{mills} --save-games {} --log {}", path("mills.ggf"), log.display()), "");
    assert!(!log.exists(), "nothing is created before the arguments are checked");
    assert!(code == 2 && errors.contains("use .sgf, or .txt for move lists"), "{errors}");
    let (code, _, errors) = run(&format!("{mills} --plot {}", path("x.png")), "");
    assert!(code == 2 && errors.contains("--plot: ") && errors.contains("use .svg"), "{errors}");
    assert_fails(&format!("{mills} --log {} --plot {}", path("x"), path("x")), "", "two outputs go to");
}

/// Returns the games, wins, draws and losses of players, by name.
fn results_of(game: &str, file: &str) -> Vec<(String, [u64; 4])> {
    let text = run_ok(&format!("games players {game} {file} --format jsonl --sort name"), "");
    let counts = |row: &Value| ["games", "wins", "draws", "losses"].map(|name| row[name].as_u64().unwrap());
    text.lines().map(object).map(|row| (row["player"].as_str().unwrap().to_owned(), counts(&row))).collect()
}

/// Plays a match and compares its result with that of its log and of its games in all formats, and of
/// each of them converted to each other format. Returns the games as JSON lines.
fn check_results(game: &str, arguments: &str, formats: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let played = |saved: &str| {
        let files = format!("--log {} --save-games {} --resume", path("log.jsonl"), path(saved));
        let words = shell_words::split(&format!("selfplay {game} {arguments} --format jsonl {files}")).unwrap();
        let (code, result, errors) = run_with(&words.iter().map(String::as_str).collect::<Vec<_>>(), "");
        assert_eq!(code, 0, "{arguments}: {errors}");
        object(&result)
    };
    let mut files = vec!["log.jsonl".to_owned()];
    for format in formats {
        files.push(format!("games.{format}"));
        let result = played(&files[files.len() - 1]);
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|name| result[name].as_u64().unwrap());
        let all = wins + draws + losses;
        let expected = vec![("a".to_owned(), [all, wins, draws, losses]), ("b".to_owned(), [all, losses, draws, wins])];
        for file in &files {
            assert_eq!(results_of(game, &path(file)), expected, "{arguments}: {file}");
            for to in formats.iter().chain(&["csv", "jsonl"]) {
                let converted = format!("converted.{to}");
                run_ok(&format!("convert {game} {} --to {to} -o {} --force", path(file), path(&converted)), "");
                assert_eq!(results_of(game, &path(&converted)), expected, "{arguments}: {file} to {to}");
            }
        }
    }
    let rows = |file: &str| run_ok(&format!("convert {game} {} --to jsonl", path(file)), "");
    let kept = |file: &str| {
        let kept = |row: Value| ["result", "ending", "black_points", "scores", "seconds"].map(|name| row[name].clone());
        rows(file).lines().map(object).map(kept).collect::<Vec<_>>()
    };
    assert!(files[1..].iter().all(|file| kept(file) == kept(&files[1])), "{arguments}");
    rows(&files[1]).lines().map(object).collect()
}

#[test]
fn a_match_keeps_what_it_decided_in_every_format() {
    let nboard = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/nboard.py");
    let scripted = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/scripted.py");
    let engines = "--engine name=a,depth=3,hash=1 --engine name=b,depth=1,hash=1 --games 4 --opening-depth 1";
    let ends = |games: Vec<Value>, ending: Value| {
        assert!(games.iter().any(|game| game["ending"] == ending && game["result"].is_string()), "{ending}: {games:?}");
        let seconds = |game: &Value| game["seconds"].as_array().is_some_and(|list| list.iter().any(Value::is_number));
        assert!(games.iter().all(seconds), "{games:?}");
        games
    };
    let both = ["pgn", "ggf"];
    let games = check_results("othello", &format!("{engines} --adjudicate-win 20:3"), &both);
    let adjudicated = ends(games, "adjudication".into());
    assert!(adjudicated.iter().all(|game| game["black_points"].is_null() || game["ending"].is_null()));
    ends(check_results("othello", &format!("{engines} --ply-cap 30"), &both), "adjudication".into());
    assert!(ends(check_results("othello", engines, &both), Value::Null)[0]["black_points"].is_number());
    let mills = format!("{engines} --adjudicate-win 0.2:2");
    ends(check_results("nine-mens-morris", &mills, &["pgn"]), "adjudication".into());
    for (how, limit, ending) in [("illegal", "", "illegal_move"), ("crash", "", "crash"), ("silent", "1s", "timeout")] {
        let limit = if limit.is_empty() { String::new() } else { format!("--move-limit {limit}") };
        let bad = format!("name=a,cmd=\"python3 {nboard} --fail {how} --after 3\",protocol=nboard");
        let words = format!("--engine '{bad}' --engine name=b,depth=1,hash=1 --games 2 --opening-depth 1 {limit}");
        ends(check_results("othello", &words, &both), ending.into());
    }
    let late = format!("name=a,cmd=\"python3 {scripted} gtp silent\",protocol=gtp,tc=0.3");
    let words = format!("--engine '{late}' --engine name=b,depth=1,hash=1,tc=60 --games 2 --opening-depth 1");
    // The second game ends before its first move.
    assert!(check_results("othello", &words, &both).iter().all(|game| game["ending"] == "timeout"));
    let refuses = format!("name=a,cmd=\"python3 {scripted} gtp --refuse play d3 d3\",protocol=gtp");
    let words = format!("--engine '{refuses}' --engine name=b,depth=1,hash=1 --games 2 --opening-plies 0");
    ends(check_results("othello", &words, &both), "illegal_move".into());
}

#[test]
fn saved_games_carry_scores_as_annotations() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let save = |arguments: &str, name: &str| {
        let log = path("log.jsonl");
        let saved = path(name);
        run_ok(&format!("{MATCH} {arguments} --log {log} --save-games {saved}"), "");
        read(name)
    };
    let games = save("--games 6", "games.ggf");
    // The engine reports a score for each of its moves, the random player does not.
    for game in games.lines() {
        let engine = if game.contains("PB[a]") { "]B[" } else { "]W[" };
        let other = if engine == "]B[" { "]W[" } else { "]B[" };
        let notes = |side: &str, at: usize| {
            let notes = game.split(side).skip(1).filter_map(|m| m[..m.find(']').unwrap()].split('/').nth(at));
            notes.filter(|note| !note.is_empty()).count()
        };
        assert!(notes(engine, 1) > 10 && notes(other, 1) == 0, "{game}");
        assert!(notes(engine, 2) > 10 && notes(other, 2) > 10, "all moves have times: {game}");
    }
    // A resumed match takes them from its log.
    assert_eq!(save("--games 6 --resume", "again.ggf"), games);
    // Files of every format of games can be read.
    for name in ["games.pgn", "games.sgf", "games.txt"] {
        save("--games 6 --resume", name);
        let (code, _, errors) = run(&format!("games list othello {}", path(name)), "");
        assert!(code == 0 && errors.contains("6 of 6 games"), "{name}: {errors}");
    }
    let (code, _, errors) = run(&format!("{MATCH} --games 6 --save-games {}", path("games.wtb")), "");
    assert!(code == 2 && errors.contains(".ggf, .sgf, .pgn, or .txt for move lists"), "{errors}");
}

#[test]
fn does_not_overwrite_saved_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.ggf");
    let command = format!("{MATCH} --games 2 --save-games {}", file.display());
    assert_eq!(run(&command, "").0, 0);
    let saved = fs::read(&file).unwrap();
    let (code, _, errors) = run(&command, "");
    assert!(code == 2 && errors.contains("games.ggf` exists; use another file"), "{errors}");
    assert_eq!(fs::read(&file).unwrap(), saved);
    // Saved games can be used as openings.
    run_ok(
        &format!(
            "selfplay othello --engine depth=1 --engine random --games 2 --openings {} --opening-plies 6",
            file.display()
        ),
        "",
    );
}
