//! `morello elo`.

use serde_json::Value;

use crate::{assert_fails, run, run_ok};

fn object(text: &str) -> Value {
    serde_json::from_str(text).expect("the result is an object")
}

#[test]
fn counts_need_no_games() {
    let text = run_ok("elo --wins 60 --draws 20 --losses 40", "");
    assert_eq!(
        text,
        "result     won 60, drew 20, lost 40: 58.3 %\n\
         Elo        +58.5 ± 58.0 (95 %), nElo +64.5 ± 62.2 (95 %), LOS 97.9 %\n"
    );
    // These pairs are an example of fastchess, whose results are 55.58 +- 27.65 and 57.94 +- 28.28.
    let text = run_ok("elo --pairs 34,54,31,32,64,75 --sprt elo0=0,elo1=5", "");
    for part in
        ["won 245, drew 182, lost 153", "Elo        +55.6 ± 27.7 (95 %), nElo +57.9 ± 28.3", "WL 31, DD 32", "LLR "]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let result = object(&run_ok("elo --wins 3 --format jsonl", ""));
    assert_eq!((&result["score"], &result["elo"], &result["losses"]), (&1.0.into(), &Value::Null, &0.into()));
    let five = object(&run_ok("elo --pairs 34,54,63,64,75 --sprt elo0=0,elo1=5 --format jsonl", ""));
    assert!(five["elo"].as_f64() > Some(55.5) && five["wins"].is_null() && five["sprt"]["llr"].is_number(), "{five}");
    for (arguments, message) in [
        ("elo", "<GAME>"),
        ("elo --draws 3", "--wins"),
        ("elo othello --wins 3", "cannot be used with"),
        ("elo --wins 3 --pairs 1,2,3,4,5", "cannot be used with"),
        ("elo --wins 0", "there are no games"),
        ("elo --wins 3 --anchor a=1", "cannot be used with"),
        ("elo othello - --anchor a=1 --anchor a=2", "the rating of `a` is given twice"),
        ("elo othello - --anchor a=1e5", "from -10000 to 10000"),
        ("elo --pairs 1,2,3", "five or six numbers of pairs"),
        ("elo --wins 18446744073709551615 --losses 1", "at most 1000000000000000"),
        ("elo --wins 1 --sprt elo0=3,elo1=1", "elo1 must be greater"),
    ] {
        assert_fails(arguments, "", message);
    }
}

#[test]
fn the_games_of_a_match_give_its_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let engines = "--engine name=new,depth=2,hash=1 --engine name=old,depth=1,hash=1 --opening-depth 2";
    let play = |rest: &str| run_ok(&format!("selfplay othello {engines} --games 24 --format jsonl {rest}"), "");
    let whole = object(&play(&format!("--sprt elo0=-1,elo1=1 --save-games {}", path("games.pgn"))));
    for part in 1..=3 {
        play(&format!("--shard {part}/3 --log {}", path(&format!("{part}.jsonl"))));
    }
    // The parts in any order, and one of them twice.
    let files = [3, 1, 2, 1].map(|part| path(&format!("{part}.jsonl"))).join(" ");
    let (code, text, errors) = run(&format!("elo othello {files} --sprt elo0=-1,elo1=1 --format jsonl"), "");
    assert!(code == 0 && errors.starts_with("skipped 8 games that the logs repeat\n"), "{errors}");
    let result = object(&text);
    for field in [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "elo",
        "elo_error",
        "nelo",
        "los",
        "llr",
        "sprt",
        "mean_discs",
    ] {
        assert_eq!(result[field], whole[field], "{field}");
    }
    assert_eq!(result["players"][0]["name"], "new");
    // A converted log has its own numbers of games.
    run_ok(
        &format!(
            "convert othello {} {} {} --to jsonl -o {}",
            path("1.jsonl"),
            path("2.jsonl"),
            path("3.jsonl"),
            path("rows.jsonl")
        ),
        "",
    );
    let converted = object(&run_ok(&format!("elo othello {} --format jsonl", path("rows.jsonl")), ""));
    assert_eq!((&converted["pentanomial"], &converted["wins"]), (&whole["pentanomial"], &whole["wins"]));
    // Games whose partners are left out are games, not pairs.
    let black = object(&run_ok(&format!("elo othello {files} --black new --format jsonl"), ""));
    assert_eq!((&black["games"], &black["pentanomial"]["WW"]), (&12.into(), &0.into()));
    assert!(black["elo"].is_number(), "{black}");
    // Games of other formats are the same results, without pairs.
    let saved = object(&run_ok(&format!("elo othello {} --format jsonl", path("games.pgn")), ""));
    assert_eq!((&saved["wins"], &saved["elo"]), (&whole["wins"], &whole["elo"]));
    assert_eq!(saved["pentanomial"]["WW"], 0);
    assert_eq!(saved["first_move"], result["first_move"]);
    for field in ["name", "games", "score", "black", "white"] {
        assert_eq!(saved["players"][0][field], result["players"][0][field], "{field}");
    }
    let anchored = run_ok(&format!("elo othello {} --anchor old=1500", path("games.pgn")), "");
    assert!(anchored.contains("old     +1500.0       -      24"), "{anchored}");
    let of_logs = format!("elo othello {files}");
    assert_fails(&format!("{of_logs} --anchor Old=1500"), "", "no player has the name `Old`: did you mean `old`?");
    assert_fails(&format!("{of_logs} --anchor x"), "", "expected a player and a rating");
    assert_fails(&format!("{of_logs} -o {}", path("1.jsonl")), "", "exists");
}

#[test]
fn several_players_get_ratings() {
    let games = "\
Anna - Tom 40-24: f5d6c3d3c4
Tom - Anna 20-44: f5d6c3d3c4
Anna - Eva 32-32: f5d6c3d3c4
Eva - Tom 33-31: f5f6e6f4
Eva - Zoe: f5f6e6f4
";
    let (code, text, errors) = run("elo othello - --min-games 3", games);
    assert!(
        code == 0 && errors == "skipped 1 game without two different players or a result\n5 of 5 games\n",
        "{errors}"
    );
    let names: Vec<_> = text.lines().skip(4).take(2).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert!(
        text.starts_with("games      4 of 3 players, 2 of them below\nBlack      won 2, drew 1, lost 1: "),
        "{text}"
    );
    assert_eq!(names, ["Anna", "Tom"], "{text}");
    assert_fails("elo othello - --sprt elo0=0,elo1=5", games, "--sprt compares two players, but the games have 3");
}
