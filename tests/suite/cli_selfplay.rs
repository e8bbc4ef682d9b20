//! `morello selfplay`.

use std::fs;

use serde_json::Value;

use crate::{assert_fails, morello, run, run_ok};

/// A short match against a random player.
pub(super) const MATCH: &str =
    "selfplay othello --engine name=a,depth=2,exact=6,hash=1 --engine random,name=b --opening-depth 2";

pub(super) fn object(text: &str) -> Value {
    serde_json::from_str(text).expect("the result is an object")
}

/// Removes the fields that depend on the clock and the command.
fn without_times(mut result: Value) -> Value {
    for field in ["elapsed_s", "provenance"] {
        result.as_object_mut().unwrap().remove(field).unwrap();
    }
    for engine in result["engines"].as_array_mut().unwrap() {
        for field in ["time_per_move_ms", "max_time_ms"] {
            engine.as_object_mut().unwrap().remove(field).unwrap();
        }
    }
    result
}

#[test]
fn the_result_depends_only_on_the_seed() {
    let result = |arguments: &str| {
        let text = run_ok(&format!("{MATCH} --games 30 --format jsonl {arguments}"), "");
        without_times(object(&text))
    };
    let one = result("--threads 1");
    assert_eq!(one, result("--threads 3"));
    assert_eq!(one, result("--threads 2 --seed 1"));
    assert_ne!(one, result("--threads 1 --seed 2"));
}

#[test]
fn json_has_the_documented_fields() {
    let (code, text, _) = run(&format!("{MATCH} --games 9 --format jsonl"), "");
    assert_eq!(code, 0);
    let result = object(&text);
    let mut offset = 0;
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
        offset += text[offset..].find(&format!("\"{name}\":")).expect(name) + 1;
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
fn writes_the_result_as_a_table_and_as_csv() {
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
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let field = |name: &str| &rows[0][names.iter().position(|found| found == name).expect(name)];
    assert_eq!((rows.len(), field("game"), field("openings"), field("engine_1")), (1, "othello", "4", "a"));
    assert_eq!((field("pairs_ww"), field("ended_rules"), field("llr")), ("4", "8", ""));
}

#[test]
fn logs_every_finished_game_as_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let arguments = format!("{MATCH} --games 10 --threads 2 --format jsonl --log {}", file.display());
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

    // A log is not overwritten.
    let (code, _, errors) = run(&arguments, "");
    assert_eq!(code, 2);
    assert!(errors.contains("without --resume to continue") && errors.contains("games.jsonl` exists"), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), log);
}

#[test]
fn a_killed_match_resumes_to_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let whole = run(&format!("{MATCH} --games 60 --format jsonl"), "").1;
    let logged = format!("{MATCH} --format jsonl --log {}", file.display());
    let text = run_ok(&format!("{logged} --games 60 --threads 2"), "");
    assert_eq!(without_times(object(&text)), without_times(object(&whole)));
    let log = fs::read_to_string(&file).unwrap();
    // Truncated logs, possibly with an incomplete last line.
    for share in [0, 1, 7, 50, 99] {
        let cut = log.len() * share / 100;
        fs::write(&file, &log[..cut]).unwrap();
        let text = run_ok(&format!("{logged} --games 60 --threads 3 --resume"), "");
        assert_eq!(without_times(object(&text)), without_times(object(&whole)), "{share} %");
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 60);
    }
    // More games of the same match, and another one.
    let (code, text, errors) = run(&format!("{logged} --games 70 --resume --progress plain"), "");
    assert_eq!((code, &object(&text)["games"]), (0, &70.into()), "{errors}");
    assert!(errors.starts_with("openings: 3 % 1 of 30 openings drawn"), "{errors}");
    for other in ["--seed 2", "--opening-plies 9", "--ply-cap 90", "--engine random,name=c"] {
        let (code, _, errors) = run(&format!("{logged} --games 70 --resume {other}"), "");
        assert!(code == 2 && errors.contains("line 1: the game belongs to a different match"), "{other}: {errors}");
    }
    fs::write(&file, "something\n").unwrap();
    assert_fails(&format!("{logged} --resume"), "", "line 1 is not a line of a game log");
}

#[test]
fn the_parts_of_a_match_join_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let engines = "--engine name=a,depth=2,hash=1 --engine name=b,nodes=50,hash=1 --opening-depth 2 --deterministic";
    let play = |more: &str| run_ok(&format!("selfplay othello {engines} --games 7 --format jsonl {more}"), "");
    let log = |name: &str| folder.path().join(name).display().to_string();
    let whole = play(&format!("--threads 1 --log {}", log("whole")));
    let parts: Vec<String> = (1..=3)
        .map(|part| {
            play(&format!("--threads 2 --shard {part}/3 --log {}", log(&part.to_string())));
            fs::read_to_string(folder.path().join(part.to_string())).unwrap()
        })
        .collect();
    // Pairs 0 and 3, then 1, then 2; the last pair has one game.
    assert_eq!(parts.iter().map(|part| part.lines().count()).collect::<Vec<_>>(), [3, 2, 2]);
    let mut joined: Vec<&str> = parts.iter().flat_map(|part| part.lines()).collect();
    joined.sort_by_key(|line| object(line)["game"].as_u64());
    assert_eq!(joined, fs::read_to_string(log("whole")).unwrap().lines().collect::<Vec<_>>());
    fs::write(log("joined"), parts.concat()).unwrap();
    assert_eq!(play(&format!("--resume --log {}", log("joined"))), whole, "no game is played again");
    assert_eq!(object(&whole)["elapsed_s"], Value::Null);
    for (arguments, message) in [
        ("--engine depth=1 --engine time=5ms --deterministic", "the engine `time=5ms` depend on a clock"),
        ("--engine depth=1 --engine cmd=x,protocol=gtp --deterministic", "the engine `x` depend on a clock"),
        ("--engine depth=1 --engine random --shard 1/2", "--log <FILE>"),
        ("--engine depth=1 --engine random --shard 3/2 --log x", "expected a part and the number of parts"),
        ("--engine depth=1 --engine random --shard 1/2 --log x --sprt elo0=0,elo1=9", "--sprt"),
    ] {
        assert_fails(&format!("selfplay othello {arguments}"), "", message);
    }
}

#[test]
fn sprt_stops_at_the_same_game_for_any_number_of_threads() {
    let result = |arguments: &str| {
        let text = run_ok(&format!("{MATCH} --games 400 --format jsonl {arguments}"), "");
        without_times(object(&text))
    };
    let one = result("--sprt elo0=0,elo1=200 --threads 1");
    assert_eq!(one["sprt"]["verdict"], "h1");
    assert!(one["games"].as_u64() < Some(100) && one["llr"].as_f64() > Some(2.94), "{one}");
    assert_eq!(one, result("--sprt elo0=0,elo1=200 --threads 3"));
    let lost = "selfplay othello --engine random,name=b --engine depth=2 --games 400 --opening-depth 0 --format jsonl";
    let lost = object(&run(&format!("{lost} --sprt elo0=-200,elo1=0,alpha=0.1,beta=0.1,model=normalized"), "").1);
    assert_eq!((&lost["sprt"]["verdict"], &lost["sprt"]["model"]), (&"h0".into(), &"normalized".into()));
    let table = run(&format!("{MATCH} --games 400 --sprt elo0=0,elo1=200"), "").1;
    assert!(table.contains("SPRT       H0: 0, H1: 200 Elo, alpha 0.05, beta 0.05: LLR 3."), "{table}");
    assert!(table.contains("H1 accepted"), "{table}");
}

#[test]
fn more_than_two_engines_play_a_tournament() {
    let engines = "--engine random,name=chance --engine depth=1,name=one --engine depth=3,name=three --opening-depth 0";
    let round_robin = format!("selfplay othello-6x6 {engines} --games 60");
    let text = run_ok(&format!("{round_robin} --format jsonl"), "");
    let result = object(&text);
    let rating = |engine: usize| result["engines"][engine]["rating"].as_f64().unwrap();
    assert!(rating(0) < rating(1) && rating(1) < rating(2), "{result}");
    assert!(
        (rating(0) + rating(1) + rating(2)).abs() < 1e-6 && result["engines"][0]["rating_error"].as_f64() > Some(1.0)
    );
    let encounters = result["encounters"].as_array().unwrap();
    let met: Vec<_> =
        encounters.iter().map(|met| (met["first"].as_str().unwrap(), met["second"].as_str().unwrap())).collect();
    assert_eq!(met, [("chance", "one"), ("chance", "three"), ("one", "three")]);
    assert!(encounters.iter().all(|met| met["games"] == 20) && result["openings"]["count"] == 10, "{result}");
    assert!(result["wins"].is_null() && result["engines"][1]["games"] == 40);
    let (_, table, _) = run(&round_robin, "");
    assert!(table.contains("tournament othello-6x6, 60 games") && table.contains("   1  three "), "{table}");
    let (_, rows, _) = run(&format!("{round_robin} --tournament gauntlet --format csv"), "");
    let rows: Vec<&str> = rows.lines().collect();
    assert!(rows.len() == 3 && rows.iter().skip(1).all(|row| row.contains(",chance,")), "{rows:?}");
    let (code, _, errors) = run(&format!("{round_robin} --sprt elo0=0,elo1=5"), "");
    assert!(code == 2 && errors.contains("an SPRT requires exactly two engines, but 3 are given"), "{errors}");
}

#[test]
fn adjudication_ends_decided_games() {
    let ended = |arguments: &str| {
        let text = run_ok(&format!("selfplay {arguments} --format jsonl"), "");
        let result = object(&text);
        move |reason: &str| result["end_reasons"][reason].as_u64().unwrap_or(0)
    };
    let engines = "--engine depth=2,name=a --engine depth=2,name=b,hash=1";
    let count = ended(&format!("othello {engines} --games 20 --adjudicate-win 6:2 --opening-depth 2"));
    assert!(count("score") > 10 && count("score") + count("rules") == 20);
    let count = ended(&format!("nine-mens-morris-flying {engines} --games 20 --adjudicate-database"));
    assert!(count("database") > 0, "some games reach positions of the database");
    let count = ended(&format!("nine-mens-morris {engines} --games 10 --ply-cap 30 --repetition none"));
    assert_eq!(count("ply_cap") + count("rules"), 10);
    assert!(count("ply_cap") > 5);
    let count = ended(&format!("nine-mens-morris {engines} --games 10 --no-progress 8 --repetition none"));
    assert!(count("no_progress") > 3);
    assert_fails(&format!("selfplay othello {engines} --adjudicate-database"), "", "othello has no endgame database");
}

#[test]
fn repetition_ends_cyclic_games() {
    let arguments = "selfplay nine-mens-morris --engine random,name=a --engine random,name=b --games 1000 \
        --opening-plies 0 \
                     --opening-depth 0 --format jsonl";
    let (code, text, errors) = run(arguments, "");
    let result = object(&text);
    assert_eq!((code, &result["games"], &result["mean_discs"]), (0, &1000.into(), &Value::Null));
    assert!(result["end_reasons"]["repetition"].as_u64() > Some(0), "{result}");
    assert!(errors.contains("only 1 opening was found for 500 pairs of games"), "{errors}");
}

#[test]
fn rejects_unplayable_matches_before_the_first_game() {
    let fails = |arguments: &str, message: &str| {
        let (code, text, errors) = run(&format!("selfplay {arguments}"), "");
        assert_eq!((code, text.as_str()), (2, ""), "{errors}");
        assert!(errors.contains(message), "{errors}");
    };
    fails("othello --engine depth=1", "a match requires at least two engines; add another");
    fails(
        "othello --engine depth=1 --engine depth=1",
        "two engines have the name `depth=1`; give them different names with name=",
    );
    fails("othello --engine depth=1 --engine dept=1", "unknown setting `dept` (known: name, depth,");
    fails("nine-mens-morris --engine depth=1,exact=9 --engine random", "has no exact solver; remove exact=");
    fails(
        "nine-mens-morris --engine random --engine cmd=x,protocol=nboard",
        "protocol nboard does not support nine-mens-morris",
    );
    fails(
        "othello --engine random --engine cmd=/nowhere/x,protocol=nboard",
        "the engine `x` cannot play: cannot start `/nowhere/x`: No such file",
    );
    fails(
        "othello --engine random --engine depth=1 --opening-score 0.0001 --opening-plies 1 --opening-depth 1",
        "no opening is balanced enough",
    );
}

#[test]
#[cfg(unix)]
fn an_external_engine_takes_part() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/nboard.py");
    let fake =
        |name: &str, arguments: &str| format!("name={name},cmd=\"python3 '{script}' {arguments}\",protocol=nboard");
    let output = morello()
        .args([
            "selfplay",
            "othello-4x4",
            "--games",
            "8",
            "--threads",
            "2",
            "--format",
            "jsonl",
            "--opening-depth",
            "0",
        ])
        .args(["--engine", &fake("good", ""), "--engine", &fake("bad", "--fail illegal --after 3")])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let result = object(std::str::from_utf8(&output.stdout).unwrap());
    let forfeits = result["engines"][1]["forfeits"].as_u64().unwrap();
    // A process of the bad engine may finish a game before its failing move.
    assert!(forfeits > 0 && result["end_reasons"]["illegal_move"] == forfeits, "{result}");
    assert_eq!((&result["engines"][0]["forfeits"], &result["games"]), (&0.into(), &8.into()));
}

#[test]
fn rejects_openings_that_reach_the_ply_cap() {
    for limit in ["--ply-cap 3", "--ply-cap 8"] {
        let (code, text, errors) = run(&format!("{MATCH} --games 4 --opening-plies 8 {limit}"), "");
        assert_eq!((code, text.as_str()), (2, ""), "{errors}");
        assert!(errors.starts_with("error: opening 1 ends the game after 8 plies because of --ply-cap"), "{errors}");
    }
}

#[test]
fn reports_the_reason_of_a_forfeit() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/scripted.py");
    let output = morello()
        .args(["selfplay", "othello", "--games", "4", "--engine", "depth=1", "--engine"])
        .arg(format!("name=other,cmd=\"python3 '{script}' gtp a9\",protocol=gtp"))
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.matches("`other` forfeits (illegal move): illegal move `a9` in `").count(), 1, "{errors}");
}

#[test]
fn openings_come_from_a_file_or_from_all_positions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    fs::write(&file, "% XOT and others\nF5D6C3D3C4F4F6G5\nf5d6\nd3c5 # the same again\n").unwrap();
    let short = "selfplay othello --engine name=a,depth=1 --engine random,name=b --format jsonl --games 6";
    let text = run_ok(&format!("{short} --openings {}", file.display()), "");
    let openings = &object(&text)["openings"];
    assert_eq!((&openings["count"], &openings["max_plies"]), (&3.into(), &8.into()));
    let source = openings["source"].as_str().unwrap();
    assert!(source.contains("openings.txt`, 1 with the position of another"), "{source}");
    fs::write(&file, "f5\nf5a1\n").unwrap();
    assert_fails(&format!("{short} --openings {}", file.display()), "", "line 2, column 3: illegal move `a1`");
    // Three positions after two plies, up to symmetry, fourteen after three.
    let all = short.replace("--games 6", "--games 28 --all-openings --opening-plies 3 --opening-depth 0");
    let (code, text, errors) = run(&all, "");
    assert_eq!((code, &object(&text)["openings"]["count"]), (0, &14.into()), "{errors}");
    let mills = "selfplay nine-mens-morris --engine name=a,database --engine random,name=b --games 4 --format jsonl";
    fs::write(&file, "9,9 - - W\nd2 f4 d6\n0,0 a7,d7,g4,f2 a1,b2,c3 B\n").unwrap();
    let (code, text, errors) = run(&format!("{mills} --openings {}", file.display()), "");
    assert_eq!((code, &object(&text)["openings"]["count"]), (0, &3.into()), "{errors}");
}

#[test]
fn does_not_overwrite_inputs_and_validates_a_resumed_log() {
    let folder = tempfile::tempdir().unwrap();
    let (book, log) = (folder.path().join("book.txt"), folder.path().join("log.jsonl"));
    fs::write(&book, "f5d6\nf5f6\n").unwrap();
    let games = format!("{MATCH} --games 4 --log {}", log.display());
    let engines = "selfplay othello --engine depth=1 --engine random --games 4";
    assert_fails(&format!("{engines} --openings {0} --save-games {0}", book.display()), "", "is also an input");
    assert_eq!(fs::read_to_string(&book).unwrap(), "f5d6\nf5f6\n");
    assert_eq!(run(&games, "").0, 0);
    let sound = fs::read_to_string(&log).unwrap();
    fs::write(&log, sound.replacen("\"moves\":\"", "\"moves\":\"a1 ", 1)).unwrap();
    assert_fails(&format!("{games} --resume"), "", "line 1 is damaged or was edited");
    fs::write(&log, sound.replacen("\"opening\":0", "\"opening\":1", 1)).unwrap();
    assert_eq!(run(&format!("{games} --resume"), "").0, 2);
    fs::write(&log, sound).unwrap();
    assert_eq!(run(&format!("{games} --resume"), "").0, 0);
}

#[test]
fn rejects_openings_that_a_protocol_cannot_set_up() {
    let folder = tempfile::tempdir().unwrap();
    let (book, log) = (folder.path().join("book.txt"), folder.path().join("log"));
    let position = "--------------------------XXX------OX------XO------------------- O";
    fs::write(&book, format!("f5d6\n\n{position}\n")).unwrap();
    // `cat` never becomes ready.
    let engines = "selfplay othello --engine cmd=cat,protocol=gtp,start-timeout=1s --engine random --games 2";
    let refused = format!("{engines} --openings {} --log {}", book.display(), log.display());
    let (code, _, errors) = run(&refused, "");
    let place = format!("`{}`, line 3: the opening starts from the position `{position}`", book.display());
    assert!(code == 2 && errors.contains(&place) && errors.contains("moves from the start of the game"), "{errors}");
    assert!(errors.contains("the engine `cat`") && !log.exists(), "{errors}");
    // GTP supports openings that are moves, and NBoard any position.
    fs::write(
        &book,
        "f5d6\n(;GM[Othello]PC[x]PB[a]PW[b]TY[8]BO[8 \
        ---------------------------O*------*O--------------------------- *]B[F5];)\n",
    )
    .unwrap();
    assert_fails(&refused, "", "no response to `name` within 1 s");
    fs::write(&book, position).unwrap();
    assert_fails(&refused.replace("protocol=gtp", "protocol=nboard"), "", "no response to `ping` within 1 s");
}

#[test]
fn rejects_an_edited_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    let games = format!("{MATCH} --games 4 --threads 1 --log {}", log.display());
    assert_eq!(run(&games, "").0, 0);
    let sound = fs::read_to_string(&log).unwrap();
    let resumed = |change: &dyn Fn(&mut Value)| {
        let mut lines: Vec<Value> = sound.lines().map(object).collect();
        change(&mut lines[1]);
        fs::write(&log, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        run(&format!("{games} --resume"), "")
    };
    assert_eq!(resumed(&|_| ()).0, 0);
    let rejects = |pointer: &str, value: Value, problem: &str| {
        let (code, _, errors) = resumed(&|line| *line.pointer_mut(pointer).unwrap() = value.clone());
        let is_reported = errors.contains("log.jsonl`: line 2") && errors.contains(problem);
        assert!(code == 2 && is_reported, "{pointer}: {code}, {errors}");
    };
    rejects("/score", 1e300.into(), "invalid type: floating point");
    rejects("/engines/1/time_ms", Value::Null, "invalid type: null");
    rejects("/engines/0/nodes", Value::Null, "is damaged or was edited");
    rejects("/engines/1/name", "c".into(), "is damaged or was edited");
    rejects("/game", 0.into(), "is damaged or was edited");
    rejects("/checksum", Value::Null, "is damaged or was edited");
}

#[test]
fn engines_and_openings_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let engines =
        write("engines.toml", "[each]\nhash = 1\ndepth = 1\n[[engine]]\nname = 'a'\n[[engine]]\nname = 'b'\n");
    let result =
        |arguments: &str| object(&run_ok(&format!("selfplay othello --format jsonl --games 4 {arguments}"), ""));
    let found = result(&format!("--engines {engines} --opening-depth 0"));
    assert_eq!(
        (&found["engines"][1]["name"], &found["engines"][1]["spec"]),
        (&"b".into(), &"name=\"b\",depth=1,hash=1".into())
    );
    let more = result(&format!("--engine random,name=c --engines {engines} --opening-depth 0"));
    assert_eq!(more["engines"].as_array().unwrap().len(), 3);
    // The parallel opening is not balanced.
    let openings = write("openings.txt", "f5d6c3d3c4\nf5f4\n");
    let checked = result(&format!("--engines {engines} --openings {openings} --opening-score 3"));
    let source = checked["openings"]["source"].as_str().unwrap();
    assert!(checked["openings"]["count"] == 1 && source.ends_with(", 1 with more than 3 points for a side at depth 8"));
    assert_eq!(result(&format!("--engines {engines} --openings {openings}"))["openings"]["count"], 2);
    let exits = result(&format!("--engines {engines} --book-exits"));
    assert!(exits["openings"]["source"].as_str().unwrap().starts_with("where the opening book ends"));
    let bad = write("bad.toml", "[[engine]]\ndepth = 3\n[[engine]]\nspeed = 2\n");
    assert_fails(&format!("selfplay othello --engines {bad}"), "", "bad.toml`: engine 2: unknown setting `speed`");
    assert_fails("selfplay othello --engines /nowhere.toml", "", "cannot read `/nowhere.toml`");
}
