//! Handles requests as a browser worker does: one thread, no sockets, no runtime.

use std::fs;

use morello_core::game::EngineOptions;
use serde_json::{Value, json};

use super::*;
use crate::LocalService;

/// Handles a request and returns its lines, in order.
fn ask_bytes(path: &str, body: &[u8]) -> Result<Vec<Value>, ServiceError> {
    let setup = Arc::new(|_: &'static dyn AnyGame| Ok(EngineOptions::new(1 << 20)));
    let service = LocalService::new(setup, Duration::from_millis(200));
    let mut lines = Vec::new();
    service.try_answer(path, body, 1, &Cancel::new(), &mut |line| lines.push(serde_json::from_slice(line).unwrap()))?;
    Ok(lines)
}

fn ask(path: &str, body: &Value) -> Vec<Value> {
    ask_bytes(path, body.to_string().as_bytes()).unwrap()
}

#[test]
fn every_request_is_answered_without_a_server() {
    let played = json!({ "game": "othello-6x6", "moves": ["e4"] });
    let with = |key: &str, value: Value| {
        let mut body = played.clone();
        body[key] = value;
        body
    };
    assert_eq!(ask_bytes("/api/games", &[]).unwrap()[0].as_array().unwrap().len(), games::all().len());
    let [view] = &ask("/api/view", &played)[..] else { panic!("one view") };
    assert_eq!((&view["ply"], &view["side"]), (&json!(1), &json!("white")));
    let reply = &view["legal"][0]["text"];
    assert_eq!(ask("/api/move", &with("move", reply.clone()))[0]["ply"], 2);
    let set_up = json!({ "game": "othello-6x6", "pieces": view["pieces"], "side": "white" });
    assert_eq!(ask("/api/arrange", &set_up)[0]["position"], view["position"]);
    assert_eq!(ask("/api/load", &json!({ "game": "othello-6x6", "text": "e4" }))[0]["view"]["ply"], 1);
    assert_eq!(ask("/api/save", &with("format", json!("transcript")))[0]["text"], "e4");
    assert_eq!(ask_bytes("/api/open/othello-6x6/0", b"e4\n").unwrap()[0]["games"][0]["moves"], json!(["e4"]));
    assert_eq!(ask("/api/exercise", &json!({ "game": "othello-4x4" }))[0]["best"].as_array().unwrap().len(), 1);
    for (path, key, value) in [
        ("/api/choose", "level", json!(3)),
        ("/api/analyze", "lines", json!(2)),
        ("/api/values", "time_ms", json!(50)),
        ("/api/review", "nodes", json!(1000)),
    ] {
        let lines = ask(path, &with(key, value));
        assert!(lines.len() >= 2 && lines.last().unwrap()["done"]["cut"] == false, "{path}: {lines:?}");
    }
    let paths =
        json_paths().filter(|path| ask_bytes(path, b"{").is_err_and(|error| error.kind == ErrorKind::Malformed));
    assert_eq!(paths.count(), FUNCTIONS.len());
}

#[test]
fn openings_are_asked_again_when_their_cards_are_due_and_refuted() {
    let mut request = json!({ "game": "othello", "moves": ["f5", "d6"], "side": "black", "now": 1000, "new": 5 });
    let lesson = &ask("/api/lesson", &request)[0];
    let question = &lesson["questions"][0];
    assert_eq!((&question["moves"], &question["is_new"]), (&json!(["f5", "d6"]), &json!(true)));
    let best = question["best"][0].as_str().unwrap();
    let (right, wrong) = (&question["right"][best], &question["wrong"]);
    assert_eq!((&right["box"], &wrong["box"], &wrong["due"]), (&json!(1), &json!(0), &json!(1060)));
    request["cards"] = json!([right]);
    request["new"] = json!(0);
    let lesson = &ask("/api/lesson", &request)[0];
    assert_eq!((&lesson["questions"], &lesson["learnt"], &lesson["next_due"]), (&json!([]), &json!(1), &right["due"]));
    request["now"] = right["due"].clone();
    let lesson = &ask("/api/lesson", &request)[0];
    let again = &lesson["questions"][0];
    assert_eq!((&lesson["due"], &again["start"], &again["is_new"]), (&json!(1), &question["start"], &json!(false)));
    let file = &ask("/api/cards", &json!({ "cards": [right, wrong] }))[0];
    assert_eq!(ask("/api/cards", file)[0]["cards"], json!([right, wrong]));
    assert!(ask_bytes("/api/cards", b"{\"text\":\"{}\"}").is_err());
    let bad = json!({ "game": "othello", "start": question["start"], "move": "c7" });
    let refutation = &ask("/api/refute", &bad)[0];
    assert!(refutation["loss"].as_f64().unwrap() > 5.0 && refutation["line"][0].is_string(), "{refutation}");
    for (key, value) in [("max_plies", json!(61)), ("max_loss", json!(-1)), ("side", json!("green"))] {
        let mut wrong = request.clone();
        wrong[key] = value;
        let error = ask_bytes("/api/lesson", wrong.to_string().as_bytes()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Malformed, "{key}");
    }
    let none = json!({ "game": "lasker-morris", "side": "white", "now": 0, "new": 5 });
    let error = ask_bytes("/api/lesson", none.to_string().as_bytes()).unwrap_err();
    assert!(
        error.explanation.text.contains("lasker-morris has no built-in opening book"),
        "{}",
        error.explanation.text
    );
}

#[test]
fn wrong_requests_are_rejected() {
    for (path, length, kind) in [
        ("/api/none", 0, ErrorKind::NotFound),
        ("/api/view", MAX_BODY_BYTES + 1, ErrorKind::TooLong),
        ("/api/open/checkers/0", 0, ErrorKind::NotFound),
        ("/api/open/othello/x", 0, ErrorKind::Malformed),
        ("/api/open/othello/0", MAX_FILE_BYTES + 1, ErrorKind::TooLong),
    ] {
        assert_eq!(ask_bytes(path, &vec![b'f'; length]).unwrap_err().kind, kind, "{path}");
    }
}

#[test]
fn exercises_are_of_the_wanted_kind() {
    for difficulty in ["easy", "medium", "hard"] {
        let body = json!({ "game": "othello-6x6", "empties": 6, "difficulty": difficulty });
        let exercise = ask("/api/exercise", &body).remove(0);
        assert_eq!(exercise["start"].as_str().unwrap().matches('-').count(), 6);
        let mut values: Vec<_> =
            exercise["values"].as_object().unwrap().values().map(|value| value.as_f64().unwrap()).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        let least = if difficulty == "easy" { 8.0 } else { 2.0 };
        assert!(values[0] - values[1] >= least, "{difficulty}: {exercise}");
    }
    let exercise = ask("/api/exercise", &json!({ "game": "othello-6x6", "theme": "parity" })).remove(0);
    assert!(exercise["themes"].as_array().unwrap().contains(&json!("parity")), "{exercise}");
    for (key, value, kind) in [
        ("empties", json!(30), ErrorKind::Malformed),
        ("empties", json!("many"), ErrorKind::Malformed),
        ("difficulty", json!("fiendish"), ErrorKind::Malformed),
        ("theme", json!("fork"), ErrorKind::Malformed),
        ("theme", json!("double-mill"), ErrorKind::Malformed),
    ] {
        let body = json!({ "game": "othello", key: value }).to_string();
        assert_eq!(ask_bytes("/api/exercise", body.as_bytes()).unwrap_err().kind, kind, "{key}");
    }
}

#[test]
fn a_cancelled_job_ends_with_what_it_has() {
    let service = Service::new(
        &(Arc::new(|_| Ok(EngineOptions::new(1 << 20))) as _),
        Duration::from_secs(600),
        Duration::from_secs(600),
    );
    let body = json!({ "game": "othello-6x6", "moves": ["e4"] }).to_string();
    let question = service.read("/api/review", body.into_bytes(), 0).unwrap();
    let Ok(Answer::Lines(mut job)) = question(&Cancel::new()) else { panic!("a job") };
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(job.kind(), JobKind::Review);
    assert!(job.search(&service, &cancel, &mut |_| ()).unwrap().is_empty() && job.needs_search());
    let done: Value = serde_json::from_slice(job.finish(true).last().unwrap()).unwrap();
    assert_eq!(done["done"]["cut"], true);
}

#[test]
fn an_analysis_has_limits() {
    let last = |lines: &[Value]| lines[lines.len() - 2]["thought"].clone();
    let with = |limits: Value| {
        let mut body = json!({ "game": "othello-6x6", "moves": ["e4"] });
        body.as_object_mut().unwrap().extend(limits.as_object().unwrap().clone());
        last(&ask("/api/analyze", &body))
    };
    assert_eq!(with(json!({ "depth": 3 }))["depth"], 3);
    assert_eq!(with(json!({ "depth": 0 }))["depth"], 1);
    let thought = with(json!({ "depth": 30, "nodes": 5000 }));
    assert!(thought["nodes"].as_u64().unwrap() < 10_000 && thought["depth"].as_u64().unwrap() < 30, "{thought}");
    assert_eq!(with(json!({ "level": 5, "lines": 2 }))["lines"].as_array().unwrap().len(), 2);
    let solved = ask("/api/analyze", &json!({ "game": "othello-4x4", "exact": true }));
    assert_eq!(
        last(&solved)["lines"][0]["score"],
        json!({ "points": -10.0, "exact": true, "plies": null, "text": "-10" })
    );
    for (key, value) in [("depth", json!(-1)), ("nodes", json!(1.5)), ("exact", json!("yes")), ("level", json!(0))] {
        let body = json!({ "game": "othello", key: value }).to_string();
        assert!(ask_bytes("/api/analyze", body.as_bytes()).is_err(), "{body}");
    }
    // A server ends it anyway: it would take years.
    let service =
        Service::new(&(Arc::new(|_| Ok(EngineOptions::new(1 << 20))) as _), Duration::MAX, Duration::from_millis(50));
    let body =
        json!({ "game": "othello", "exact": true, "depth": 60, "nodes": u64::MAX, "time_ms": u64::MAX }).to_string();
    let Ok(Answer::Lines(mut job)) = service.read("/api/analyze", body.into_bytes(), 0).unwrap()(&Cancel::new()) else {
        panic!("a job")
    };
    let lines = job.search(&service, &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&lines[0]).unwrap()["thought"]["lines"][0]["score"]["exact"], false);
}

#[test]
fn the_functions_have_no_sockets_threads_clocks_and_seeds() {
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/service")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for word in ["axum", "hyper", "tokio", "std::net", "std::thread", "Instant", "SystemTime", "RandomState"] {
            assert!(!text.contains(word) || path.ends_with("tests.rs"), "{}: {word}", path.display());
        }
    }
}

#[test]
fn a_line_has_the_view_of_every_ply() {
    for name in ["othello-4x4", "three-mens-morris"] {
        let record = games::get(name).unwrap().random_game(3, 12);
        let moves: Vec<_> = record.moves().iter().map(ToString::to_string).collect();
        let request = |ply| json!({ "game": name, "moves": moves, "ply": ply });
        let line = ask("/api/line", &request(1));
        let views = line[0]["views"].as_array().unwrap();
        assert!(views.len() > 6 && views.len() == moves.len() + 1);
        for (ply, view) in views.iter().enumerate() {
            let mut expected = ask("/api/view", &request(ply)).remove(0);
            expected
                .as_object_mut()
                .unwrap()
                .retain(|field, _| !["game", "start", "first", "moves"].contains(&&**field));
            assert_eq!(*view, expected);
        }
    }
}

#[test]
fn the_page_has_german_titles_and_descriptions_of_all_games_and_formats() {
    let texts = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/page/texts-de.js")).unwrap();
    let has = |list: &str, name: &str| {
        let list = texts.split(&format!("export const {list} = {{")).nth(1).unwrap().split("};").next().unwrap();
        list.contains(&format!("\n  {name}: \"")) || list.contains(&format!("\n  \"{name}\": \""))
    };
    for game in games::all() {
        assert!(has("games", game.name()) && has("about", game.name()), "{}", game.name());
        game.formats().iter().for_each(|format| assert!(has("formats", format.name), "{}", format.name));
    }
}

#[test]
fn a_saved_tree_is_opened_again() {
    let tree = "{start} f5?! {-1.5} {[%csl Ge5] good} d6 (f6 e6 {b}) c3";
    let mut body = json!({ "game": "othello", "names": ["Anna", ""], "event": "Cup", "date": "2024-05-01" });
    body["tree"] = json!(tree);
    body["verdict"] = json!({ "winner": "black", "reason": "resigned" });
    for (format, expected) in [
        ("pgn", "1. f5?! {-1.5} {[%csl Ge5] good} d6 (1... f6 2. e6 {b}) 2. c3 64-0\n"),
        ("sgf", ";B[f5]V[-1.5]C[[%csl Ge5\\] good](;W[d6];B[c3])(;W[f6];B[e6]C[b]))"),
        ("ggf", "B[F5/-1.5]W[D6]B[C3];)"),
    ] {
        body["format"] = json!(format);
        let text = ask("/api/save", &body)[0]["text"].as_str().unwrap().to_owned();
        assert!(text.ends_with(expected), "{text}");
        let opened = ask_bytes("/api/open/othello/0", text.as_bytes()).unwrap();
        let entry = &opened[0]["games"][0];
        assert_eq!(entry["moves"], json!(["f5", "d6", "c3"]), "{entry}");
        assert_eq!(entry["names"], json!(["Anna", null]), "{format}");
        assert_eq!((&entry["event"], &entry["date"]), (&json!("Cup"), &json!("2024-05-01")));
        assert_eq!((&entry["points"], entry.get("notes")), (&json!(64.0), None), "{format}");
        let plain = "{start} f5 {[%csl Ge5] good} d6 (f6 e6 {b}) c3";
        let kept = (format != "ggf").then(|| json!(plain));
        assert_eq!(entry.get("tree"), kept.as_ref(), "{format}");
    }
    // An illegal move ends its variation, and the game is kept.
    let opened =
        ask_bytes("/api/open/othello/0", b"[Black \"a\"]\n\n1. f5 (1. a1 d6) 1... d6 (1... f6 2. h8) *").unwrap();
    let entry = &opened[0]["games"][0];
    assert_eq!(entry["tree"], "f5 d6 (f6)");
    let notes = entry["notes"].as_array().unwrap().iter().map(|note| note["error"].as_str().unwrap());
    let expected = ["line 3, column 11: left out: `a1`", "line 3, column 38: left out: `h8`"];
    assert_eq!(notes.collect::<Vec<_>>(), expected);
}
