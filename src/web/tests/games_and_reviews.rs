//! Tests of reviews, files, exercises and named levels.

use std::io::Read as _;
use std::time::{Duration, Instant};

use morello_analysis::{AnalysisOptions, AnalysisRow, PlayStatistics, Severity, review_limits, second_look};
use morello_core::game::{AnyGame, Color, Game, Limits, Position as _, Scoring};
use morello_core::games;
use morello_files::input::{Input, Reader};
use morello_play::session::{SEPARATE_TABLES, SearcherPool};
use morello_play::text::{Participant, TerminalGame, TerminalOptions, play};

use super::*;

/// Posts a request that streams lines, and returns them.
fn lines(path: &str, body: &Value) -> Vec<Value> {
    let (status, text) = post(path, body.to_string());
    assert_eq!(status, StatusCode::OK, "{text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Analyzes a file with one game as `morello analyze --deterministic` does.
fn analyzed(game: &'static dyn AnyGame, text: &str, limits: Limits) -> Vec<AnalysisRow> {
    let reader = Reader::of(game, Input::Text(text.to_owned())).unwrap();
    let options = AnalysisOptions {
        limits,
        // The server of the tests has no endgame database.
        engine: EngineOptions::new(SEPARATE_TABLES),
        threads: 1,
        deterministic: true,
        cache: None,
    };
    morello_analysis::rows(reader, &options).unwrap()
}

/// Types moves and `review` at the terminal, and returns its output.
fn reviewed_at_the_terminal(game: &'static dyn AnyGame, moves: &[String]) -> String {
    let pool = SearcherPool::new(game, Arc::new(|_| Ok(EngineOptions::new(SEPARATE_TABLES))));
    let players = [Participant::Human, Participant::Human];
    let mut terminal = TerminalGame::new(pool, players, TerminalOptions::default());
    let (input, mut output) = (moves.join("\n") + "\nreview\nquit\n", Vec::new());
    play(&mut terminal, input.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn page_and_terminal_review_a_game_with_the_same_numbers() {
    let (mut marked, mut looks) = (0, 0);
    for (name, plies) in [("othello-6x6", 14), ("three-mens-morris", 8)] {
        let game = games::get(name).unwrap();
        let mut random = (5..).map(|seed| game.random_game(seed, plies));
        let record = random.find(|record| record.end().is_none()).unwrap();
        let moves: Vec<_> = record.moves().iter().map(ToString::to_string).collect();
        let limits = review_limits(game, None, None);
        let rows = analyzed(game, &(game.write_moves(&record) + "\n"), limits);
        let mut statistics = PlayStatistics::default();
        rows.iter().for_each(|row| drop(statistics.add(row)));
        let mut expected = statistics.finish().unwrap();
        for at in expected.disputed() {
            let position = expected.moves[at].position;
            let mut searcher = game.searcher(&EngineOptions::new(SEPARATE_TABLES)).unwrap();
            expected.settle(at, &searcher.best(&Game::new(position), &second_look(&limits)));
            looks += 1;
        }
        let terminal = reviewed_at_the_terminal(game, &moves);
        let reviewed = lines("/api/review", &json!({ "game": name, "moves": moves }));
        let (done, review) = reviewed.split_last().unwrap();
        let review: Vec<_> = review.iter().filter_map(|line| line.get("row")).collect();
        assert!(review.len() >= rows.len(), "{name}");
        let decimals = if game.info().scoring == Scoring::Margin { 1 } else { 2 };
        let mut mistakes = 0;
        for m in &expected.moves {
            // After a second look, the move has a second row.
            let line = review.iter().rfind(|line| line["ply"] == m.ply).unwrap();
            assert_eq!(line["loss"].as_f64(), m.loss.map(|loss| loss.points), "{name}: {line}");
            assert_eq!(line["thought"]["lines"][0]["score"]["points"].as_f64(), Some(m.score.points()));
            assert_eq!(line["severity"].as_str(), m.severity().map(Severity::name));
            if let (Some(loss), Some(played), Some(severity)) = (m.loss, m.played, m.severity()) {
                let (side, played, mark) = (m.mover.to_string(), played.to_string(), severity.mark());
                let text = format!(
                    "{:>3}. {side:<6}{played:<10}{mark:<3} loses {:.decimals$}; ",
                    expected.number(m),
                    loss.points
                );
                assert!(terminal.contains(&text), "{text}\n{terminal}");
                mistakes += 1;
            }
        }
        assert_eq!(terminal.matches(" loses ").count(), mistakes);
        marked += mistakes;
        for side in Color::ALL {
            let (own, page) = (expected.statistics(side), &done["done"]["summary"]["sides"][side.index()]);
            assert_eq!(page["accuracy"].as_f64(), own.accuracy());
            assert_eq!(page["mean_loss"].as_f64(), own.mean_loss());
            let (accuracy, mean) = (own.accuracy().unwrap(), own.mean_loss().unwrap());
            let counts = Severity::ALL.map(|severity| expected.count(side, severity).to_string());
            let text = format!("{side}: accuracy {accuracy:.1} %, mean loss {mean:.2}, {} ", counts[0]);
            assert!(terminal.contains(&text), "{text}\n{terminal}");
        }
        let turning_point = expected.turning_point().map(|point| u64::from(point.ply));
        let summary = &done["done"]["summary"];
        assert_eq!(summary["turning_point"]["ply"].as_u64(), turning_point);
        let counted = |phase: &Value| [0, 1].map(|side| phase["sides"][side]["moves"].as_u64().unwrap());
        let phases: Vec<_> = summary["phases"].as_array().unwrap().iter().map(counted).collect();
        for side in Color::ALL {
            let moves: u64 = phases.iter().map(|phase| phase[side.index()]).sum();
            assert!(phases.is_empty() || moves == expected.statistics(side).moves(), "{name}: {phases:?}");
        }
        let reasons = expected.moves.iter().filter_map(|m| Some((m.ply, expected.reason(m)?.name())));
        let sent = summary["reasons"].as_array().unwrap().iter();
        let sent = sent.map(|reason| (reason["ply"].as_u64().unwrap() as u32, reason["name"].as_str().unwrap()));
        assert_eq!(sent.collect::<Vec<_>>(), reasons.collect::<Vec<_>>());
    }
    assert!(marked > 3 && looks > 0, "random play has mistakes");
    assert_eq!(rejected("/api/review", json!({ "game": "othello", "level": 61 }).to_string()).0, 422);
}

fn open(path: &str, bytes: Vec<u8>) -> (StatusCode, Value) {
    let request = Request::post(path).header("host", "localhost").header("content-type", "application/octet-stream");
    let (status, text) = send(request.body(Body::from(bytes)).unwrap());
    (status, serde_json::from_str(&text).unwrap())
}

#[test]
fn files_open_as_lists_of_games_with_their_errors() {
    let (status, opened) = open("/api/open/othello/0", b"f5d6c3\nnonsense\n1. f5 f6 2. e6\n".to_vec());
    assert_eq!((status, &opened["more"]), (StatusCode::OK, &json!(false)));
    let games = opened["games"].as_array().unwrap();
    assert_eq!((&games[0]["moves"], &games[2]["moves"]), (&json!(["f5", "d6", "c3"]), &json!(["f5", "f6", "e6"])));
    assert!(games[1]["error"].as_str().unwrap().starts_with("line 2, column 1: "), "{opened}");
    // A position has a start and no moves; a game in GGF has its names and its result.
    let (_, opened) = open("/api/open/nine-mens-morris/0", b"7,8 d2,d6 f4 B\n".to_vec());
    assert_eq!(opened["games"][0]["start"], "7,8 d2,d6 f4 B");
    let (_, opened) = open("/api/open/othello-4x4/0", b"Anna 7-9 Bob: b1 a1\n".to_vec());
    assert_eq!(opened["games"][0]["names"], json!(["Anna", "Bob"]));
    assert_eq!(opened["games"][0]["points"], -2.0);
    // Text of another game is opened as that game.
    for (selected, text, game) in [
        ("othello", "1. d6 f4 2. d2 b4", "nine-mens-morris-flying"),
        ("othello", "7,8 d2,d6 f4 B", "nine-mens-morris-flying"),
        ("nine-mens-morris", "f5d6c3", "othello"),
        ("othello", "-----OX--XO----- X", "othello-4x4"),
        ("othello", "(;FF[4]GM[2]B[f5];W[d6])", "othello"),
        ("morabaraba", "1. d6 f4 2. d2 b4", "morabaraba"),
        ("lasker-morris", "nonsense", "lasker-morris"),
    ] {
        let (_, opened) = open(&format!("/api/open/{selected}/0"), text.into());
        assert_eq!(opened["game"], game, "{text}: {opened}");
    }
    // A long list continues where it ended.
    let many = "f5d6\n".repeat(500) + "f5f6\n";
    let (_, first) = open("/api/open/othello/0", many.clone().into_bytes());
    assert_eq!((first["games"].as_array().unwrap().len(), &first["more"]), (500, &json!(true)));
    let (_, rest) = open("/api/open/othello/500", many.into_bytes());
    assert_eq!((&rest["games"][0]["moves"], &rest["more"]), (&json!(["f5", "f6"]), &json!(false)));
    assert_eq!(open("/api/open/checkers/0", Vec::new()).0, StatusCode::NOT_FOUND);
    assert_eq!(open("/api/open/othello/0", vec![b'f'; service::MAX_FILE_BYTES + 1]).0, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(rejected("/api/open/othello/0", "f5").0, 415);
    // Bytes in an unknown format are a normal error, not an internal one.
    let (status, opened) = open("/api/open/othello/0", vec![0, 1, 2, 3, 255]);
    assert!(status.is_client_error() || opened["games"][0]["error"].is_string(), "{status} {opened}");
}

#[test]
fn a_review_keeps_the_time_limit_and_reviews_every_position() {
    let body = json!({ "game": "othello", "moves": ["f5", "d6", "c3", "d3"], "level": 60, "nodes": 5_000_000 });
    let request = Request::post("/api/review").header("host", "localhost").header("content-type", "application/json");
    let request = request.body(Body::from(body.to_string())).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let started = Instant::now();
    let text = runtime.block_on(async {
        let response = router(1, Duration::from_millis(20), &Cancel::new()).oneshot(request).await.unwrap();
        response.into_body().collect().await.unwrap().to_bytes()
    });
    let lines: Vec<Value> =
        text.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert_eq!(lines.iter().filter(|line| line["row"].is_object()).count(), 5);
    assert_eq!(lines.last().unwrap()["done"]["cut"], false);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

/// Packs bytes with gzip.
fn pack(bytes: impl std::io::Read) -> Vec<u8> {
    let mut packed = Vec::new();
    flate2::read::GzEncoder::new(bytes, flate2::Compression::fast()).read_to_end(&mut packed).unwrap();
    packed
}

#[test]
fn small_files_that_unpack_to_large_ones_are_refused_or_listed_in_parts() {
    // 2 GiB of blank lines.
    let bomb = pack(std::io::repeat(b'\n').take(2 << 30));
    assert!(bomb.len() < service::MAX_FILE_BYTES);
    let started = Instant::now();
    let (status, opened) = open("/api/open/othello/0", bomb);
    let error = opened["games"][0]["error"].as_str().or(opened["error"].as_str()).unwrap();
    let reasons = ["more than 67108864 bytes when unpacked", "reading it took too long"];
    assert!(reasons.iter().any(|reason| error.contains(reason)), "{status} {opened}");
    // Without a limit, it takes minutes.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    // Names of 65,000 control characters, each of which JSON writes as six.
    let names = "moves,black\n".to_owned() + &format!("f5,\"{}\"\n", "\x01".repeat(65_000)).repeat(500);
    let packed = pack(names.as_bytes());
    let (_, first) = open("/api/open/othello/0", packed.clone());
    let count = first["games"].as_array().unwrap().len();
    assert!(first["more"] == true && (2..20).contains(&count) && first.to_string().len() < 4 << 20, "{count}");
    let (_, rest) = open(&format!("/api/open/othello/{count}"), packed);
    assert_eq!(rest["games"][0]["line"], count + 2);
    assert_eq!(open("/api/open/othello/1000001", Vec::new()).0, StatusCode::BAD_REQUEST);
}

#[test]
fn exercises_have_a_single_best_move() {
    let exercise = ask("/api/exercise", &json!({ "game": "othello-6x6" }));
    let game = games::get("othello-6x6").unwrap();
    let position = game.parse_position(exercise["start"].as_str().unwrap()).unwrap();
    let values = exercise["values"].as_object().unwrap();
    assert_eq!(values.len(), position.count_moves());
    let best = values[exercise["best"][0].as_str().unwrap()].as_f64().unwrap();
    assert_eq!(values.values().filter(|value| value.as_f64().unwrap() > best - 2.0).count(), 1, "{exercise}");
    // The solver agrees.
    let limits = Limits::exact();
    let mut searcher = game.searcher(&EngineOptions::new(1 << 20)).unwrap();
    let report = searcher.best(&Game::new(position), &limits);
    assert_eq!(report.best().score.points(), best);
    // Without tables there are only built-in puzzles.
    let exercise = ask("/api/exercise", &json!({ "game": "morabaraba", "theme": "double-mill" }));
    assert_eq!((&exercise["game"], &exercise["themes"][0]), (&json!("morabaraba"), &json!("double-mill")));
    let (status, error) = rejected("/api/exercise", json!({ "game": "twelve-mens-morris" }).to_string());
    assert_eq!((status, error.as_str()), (422, "no exercise was found for twelve-mens-morris"));
}

#[test]
fn levels_have_names() {
    for level in [json!("novice"), json!("expert"), json!("7"), json!(7)] {
        let chosen = lines("/api/choose", &json!({ "game": "othello-6x6", "level": level }));
        let m = chosen[chosen.len() - 2]["move"].clone();
        ask("/api/move", &json!({ "game": "othello-6x6", "move": m }));
    }
    let (status, error) = rejected("/api/choose", json!({ "game": "othello", "level": "master" }).to_string());
    assert!(status == 422 && error.starts_with("expected a level from 1 to 60, or novice, newcomer"), "{error}");
    assert_eq!(rejected("/api/choose", json!({ "game": "othello" }).to_string()).0, 422);
    // A weak level plays different moves.
    let moves = |level: &str| -> std::collections::BTreeSet<String> {
        let body = json!({ "game": "three-mens-morris", "level": level });
        (0..12).map(|_| lines("/api/choose", &body).iter().rev().nth(1).unwrap()["move"].to_string()).collect()
    };
    assert!(moves("novice").len() > 1 && moves("3").len() == 1);
}
