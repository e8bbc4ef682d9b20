//! `morello selfplay`.

use std::fs;

use serde_json::Value;

use crate::{morello, run};

/// A short match of which one engine is chance.
const MATCH: &str = "selfplay othello --engine name=a,depth=2,exact=6,hash=1 --engine random,name=b --opening-depth 2";

fn object(text: &str) -> Value {
    serde_json::from_str(text).expect("the result is an object")
}

/// Takes away what depends on the clock.
fn without_times(mut result: Value) -> Value {
    result.as_object_mut().unwrap().remove("elapsed_s").unwrap();
    for engine in result["engines"].as_array_mut().unwrap() {
        for field in ["time_per_move_ms", "max_time_ms"] {
            engine.as_object_mut().unwrap().remove(field).unwrap();
        }
    }
    result
}

#[test]
fn the_result_follows_from_the_seed_for_any_number_of_threads() {
    let result = |arguments: &str| {
        let (code, text, errors) = run(&format!("{MATCH} --games 30 --format json {arguments}"), "");
        assert_eq!(code, 0, "{errors}");
        without_times(object(&text))
    };
    let one = result("--threads 1");
    assert_eq!(one, result("--threads 3"));
    assert_eq!(one, result("--threads 2 --seed 1"));
    assert_ne!(one, result("--threads 1 --seed 2"));
}

#[test]
fn the_object_has_what_programs_look_for() {
    let (code, text, _) = run(&format!("{MATCH} --games 9 --format json"), "");
    assert_eq!(code, 0);
    let result = object(&text);
    let mut place = 0;
    for name in [
        "engines",
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "elo",
        "elo_error",
        "los",
        "mean_discs",
        "mean_discs_error",
        "distinct_games",
        "end_reasons",
    ] {
        place += text[place..].find(&format!("\n  \"{name}\": ")).expect(name) + 1;
    }
    assert_eq!(result["games"], 9);
    let count = |name: &str| result[name].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 9);
    let pairs: u64 = result["pentanomial"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(pairs, 4);
    assert!(count("wins") >= 7 && result["mean_discs"].as_f64() > Some(0.0), "{result}");
    assert_eq!(result["end_reasons"], serde_json::json!({ "rules": 9 }));
    assert_eq!(result["openings"]["count"], 5);
    let [a, b] = [&result["engines"][0], &result["engines"][1]];
    assert_eq!((&a["name"], &b["name"], &b["nodes"]), (&"a".into(), &"b".into(), &Value::Null));
    assert!(a["mean_depth"].as_f64() > Some(1.0) && a["time_per_move_ms"].as_f64() > Some(0.0));
}

#[test]
fn a_table_says_it_in_words_and_csv_in_a_row() {
    let (code, text, errors) = run(&format!("{MATCH} --games 8 --threads 2"), "");
    assert_eq!((code, errors.as_str()), (0, ""));
    for part in [
        "match      othello, 8 games in ",
        "a: depth 2, exact from 6 moves",
        "b: random moves",
        "result     a won ",
        "by the rules 8",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (code, text, _) = run(&format!("{MATCH} --games 8 --format csv"), "");
    assert_eq!(code, 0);
    let rows: Vec<Vec<_>> = text.lines().map(|line| line.split(',').collect()).collect();
    let field = |name: &str| rows[1][rows[0].iter().position(|found| *found == name).expect(name)];
    // A spec has commas itself, but stands behind quotes after what is looked at here.
    assert_eq!((rows.len(), field("game"), field("openings"), field("engine_1")), (2, "othello", "4", "a"));
}

#[test]
fn every_finished_game_is_a_line_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let arguments = format!("{MATCH} --games 10 --threads 2 --format json --log {}", file.display());
    let (code, text, _) = run(&arguments, "");
    assert_eq!(code, 0);
    let log = fs::read_to_string(&file).unwrap();
    let mut games: Vec<Value> = log.lines().map(object).collect();
    games.sort_by_key(|game| game["game"].as_u64());
    assert!(games.iter().zip(0..).all(|(game, number)| game["game"] == number && game["opening"] == number / 2));
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening_moves"], pair[1]["opening_moves"]);
        assert_eq!((&pair[0]["black"], &pair[0]["white"]), (&"a".into(), &"b".into()));
        assert_eq!((&pair[1]["black"], &pair[1]["white"]), (&"b".into(), &"a".into()));
    }
    for game in &games {
        let score = game["score"].as_i64().unwrap();
        let result = ["white", "draw", "black"][(score.signum() + 1) as usize];
        assert_eq!((&game["result"], &game["end_reason"]), (&result.into(), &"rules".into()));
        let plies = |field: &str| game[field].as_str().unwrap().split(' ').filter(|m| *m != "pa").count();
        let chosen = |engine: usize| game["engines"][engine]["moves"].as_u64().unwrap();
        assert_eq!(plies("moves") as u64, chosen(0) + chosen(1), "passes are not chosen");
        assert!((8..=12).contains(&game["opening_moves"].as_str().unwrap().split(' ').count()));
    }
    let wins = games.iter().filter(|game| game["result"] != "draw" && game[game["result"].as_str().unwrap()] == "a");
    assert_eq!(object(&text)["wins"], wins.count());

    // A log is not written over.
    let (code, _, errors) = run(&arguments, "");
    assert_eq!(code, 2);
    assert!(errors.contains("already holds something: name another file for --log"), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), log);
}

#[test]
fn games_that_go_round_in_circles_end() {
    let arguments = "selfplay nine-mens-morris --engine random,name=a --engine random,name=b --games 1000 --opening-plies 0 \
                     --opening-depth 0 --format json";
    let (code, text, errors) = run(arguments, "");
    let result = object(&text);
    assert_eq!((code, &result["games"], &result["mean_discs"]), (0, &1000.into(), &Value::Null));
    assert!(result["end_reasons"]["repetition"].as_u64() > Some(0), "{result}");
    assert!(errors.contains("only 1 opening was found for 500 pairs of games"), "{errors}");
}

#[test]
fn what_cannot_be_played_is_refused_beforehand() {
    let fails = |arguments: &str, message: &str| {
        let (code, text, errors) = run(&format!("selfplay {arguments}"), "");
        assert_eq!((code, text.as_str()), (2, ""), "{errors}");
        assert!(errors.contains(message), "{errors}");
    };
    fails("othello --engine depth=1", "two engines play a match, and 1 is given");
    fails("othello --engine depth=1 --engine depth=1", "both engines are called `depth=1`: tell them apart with name=");
    fails("othello --engine depth=1 --engine dept=1", "unknown setting `dept` (known: name, depth,");
    fails("nine-mens-morris --engine depth=1,exact=9 --engine random", "has no exact solver: leave exact= out");
    fails("nine-mens-morris --engine random --engine cmd=x,protocol=nboard", "not played over the protocol nboard");
    fails(
        "othello --engine random --engine cmd=/nowhere/x,protocol=nboard",
        "the engine `x` cannot play: No such file",
    );
    fails("othello --engine random --engine depth=1 --opening-score 0.0001 --opening-plies 1", "no opening was found");
}

#[test]
#[cfg(unix)]
fn a_program_of_others_takes_part() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/nboard.py");
    let fake =
        |name: &str, arguments: &str| format!("name={name},cmd=\"python3 '{script}' {arguments}\",protocol=nboard");
    let output = morello()
        .args(["selfplay", "othello-4x4", "--games", "8", "--threads", "2", "--format", "json", "--opening-depth", "0"])
        .args(["--engine", &fake("good", ""), "--engine", &fake("bad", "--fail illegal --after 3")])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let result = object(std::str::from_utf8(&output.stdout).unwrap());
    let forfeits = result["engines"][1]["forfeits"].as_u64().unwrap();
    // One of the processes that a thread has for the bad one may play its last game to the end, if that is short.
    assert!(forfeits > 0 && result["end_reasons"]["illegal_move"] == forfeits, "{result}");
    assert_eq!((&result["engines"][0]["forfeits"], &result["games"]), (&0.into(), &8.into()));
}
