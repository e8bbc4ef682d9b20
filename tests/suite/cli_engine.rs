//! `morello engine`, also as an external engine in matches.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{morello, run};

fn engine(arguments: &str, input: &str) -> String {
    let (code, output, errors) = run(&format!("engine --hash 1 --no-database {arguments}"), input);
    assert_eq!((code, errors.as_str()), (0, ""), "{output}");
    output
}

#[test]
fn each_protocol_serves_its_default_game() {
    let output = engine("--protocol nboard", "nboard 2\nset depth 4\nhint 2\n");
    assert!(output.starts_with("set myname morello\nstatus Analyzing\nsearch "), "{output}");
    let output = engine("--protocol gtp --level 3", "1 play black f5\n2 genmove white\n3 quit\n");
    assert!(output.starts_with("=1\n\n=2 ") && output.ends_with("\n\n=3\n\n"), "{output}");
    let output = engine("--protocol morris-text --nodes 500", "morris\nposition start moves d2\ngo\n");
    assert!(output.starts_with("id name morello") && output.contains("\nbestmove "), "{output}");
    let output = engine("six-mens-morris --protocol morris-text --time 20ms", "go\n");
    assert!(output.contains(" score ") && output.contains("\nbestmove "), "{output}");
}

#[test]
fn rejects_unsupported_games_and_options() {
    let fails = |arguments: &str, message: &str| {
        let (code, output, errors) = run(&format!("engine {arguments}"), "");
        assert_eq!((code, output.as_str()), (2, ""), "{errors}");
        assert!(errors.contains(message), "{errors}");
    };
    fails(
        "nine-mens-morris --protocol gtp",
        "protocol gtp does not support nine-mens-morris; use --protocol morris-text",
    );
    fails("othello --protocol morris-text", "does not support othello; use --protocol nboard or --protocol gtp");
    fails("othello", "--protocol <NAME>");
    fails("--protocol xboard", "[possible values: nboard, gtp, morris-text");
    fails("--protocol morris-text --weights x", "cannot load weights from `x`");
    fails("othello-6x6 --protocol gtp --weights x", "does not support custom weights");
    fails("--protocol nboard --database /", "othello has no endgame database; remove --database");
    fails("--protocol gtp --level 3 --depth 4", "cannot be used with");
}

#[test]
fn end_of_input_stops_an_infinite_search() {
    let start = Instant::now();
    let output = engine("--protocol morris-text", "go infinite\n");
    assert!(output.contains("bestmove "), "{output}");
    assert!(start.elapsed() < Duration::from_secs(9));
}

/// Plays a match between this program as an external engine and an internal engine. `external` is
/// `OPTIONS|SETTINGS`.
fn play(game: &str, external: &str, internal: &str, games: u32) -> Value {
    let binary = env!("CARGO_BIN_EXE_morello");
    let (options, settings) = external.split_once('|').unwrap_or((external, ""));
    let external = format!("name=outside,cmd=\"'{binary}' engine {game} --hash 1 --no-database {options}\"{settings}");
    let output = morello()
        .args(["selfplay", game, "--games", &games.to_string(), "--threads", "2", "--format", "jsonl"])
        .args(["--opening-depth", "0", "--no-database", "--engine", &external, "--engine", internal])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["games"], games, "{result}");
    assert_eq!(
        (&result["engines"][0]["forfeits"], &result["engines"][1]["forfeits"]),
        (&0.into(), &0.into()),
        "{result}"
    );
    result
}

#[test]
fn whole_games_are_played_over_each_protocol() {
    for game in ["othello-4x4", "othello-6x6"] {
        let result = play(game, "--protocol nboard|,protocol=nboard,depth=2", "name=inside,depth=1", 6);
        assert!(result["engines"][0]["nodes_per_move"].as_f64() > Some(0.0), "{result}");
        play(game, "--protocol gtp --depth 2|,protocol=gtp", "name=inside,random", 6);
    }
    play("othello", "--protocol gtp --depth 2|,protocol=gtp", "name=inside,depth=1", 4);
    play("othello", "--protocol nboard --depth 2|,protocol=nboard", "name=inside,depth=1", 4);
    for game in ["nine-mens-morris", "morabaraba-no-return", "lasker-morris", "three-mens-morris"] {
        let result = play(game, "--protocol morris-text|,protocol=morris-text,depth=3", "name=inside,random", 4);
        let engine = &result["engines"][0];
        assert!(engine["mean_depth"].as_f64() > Some(1.0) && engine["nodes_per_move"].as_f64() > Some(1.0), "{result}");
    }
}

#[test]
fn reports_nodes() {
    let external = "--protocol morris-text|,protocol=morris-text,nodes=300";
    let result = play("six-mens-morris", external, "name=inside,random", 2);
    assert!(result["engines"][0]["nodes_per_move"].as_f64() < Some(2000.0), "{result}");
}

#[test]
fn moves_equal_those_of_the_internal_engine() {
    // The depth limits of the protocol and of the command line give the same games.
    let pairs = |external: &str| {
        let result = play("six-mens-morris", external, "name=inside,depth=2", 4);
        (result["wins"].clone(), result["draws"].clone(), result["pentanomial"].clone())
    };
    let by_protocol = pairs("--protocol morris-text|,protocol=morris-text,depth=3");
    assert_eq!(by_protocol, pairs("--protocol morris-text --depth 3|,protocol=morris-text"));
}
