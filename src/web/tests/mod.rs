//! Sends requests as a browser does, to the router and to a listening server.

mod games_and_reviews;
mod security;

use std::io::{BufRead, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::response::Response;
use http_body_util::BodyExt as _;
use morello_core::game::{Cancel, EngineOptions};
use proptest::prelude::*;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::*;

fn router(searches: usize, max_time: Duration, stop: &Cancel) -> Router {
    let setup = Arc::new(|_| Ok(EngineOptions::new(1 << 20)));
    super::router(AppState::new(setup, searches, max_time, stop.clone()), Hosts::new("127.0.0.1"), None)
}

/// Sends one request to a new router; returns the status and the body.
fn send(request: Request<Body>) -> (StatusCode, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        // The results of a review do not depend on the time.
        let most = if request.uri().path() == "/api/review" { 60_000 } else { 300 };
        let router = router(1, Duration::from_millis(most), &Cancel::new());
        let response = router.oneshot(request).await.unwrap();
        let status = response.status();
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        assert!(response.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8_lossy(&body).into_owned())
    })
}

fn post(path: &str, body: impl Into<Body>) -> (StatusCode, String) {
    let request = Request::post(path).header("host", "localhost:8080").header("content-type", "application/json");
    send(request.body(body.into()).unwrap())
}

fn get(path: &str, host: &str) -> (StatusCode, String) {
    send(Request::get(path).header("host", host).body(Body::empty()).unwrap())
}

/// Posts a valid request and returns the response.
fn ask(path: &str, body: &Value) -> Value {
    let (status, text) = post(path, body.to_string());
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Posts an invalid request and returns the status and the error.
fn rejected(path: &str, body: impl Into<Body>) -> (u16, String) {
    let (status, text) = post(path, body);
    let response: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status} {text}"));
    let error = response["error"].as_str().unwrap().to_owned();
    assert!(status.is_client_error() && !error.is_empty() && !error.contains('\n') && error.chars().count() <= 301);
    (status.as_u16(), error)
}

#[test]
fn serves_the_page_and_its_files() {
    let (status, page) = get("/", "127.0.0.1:8080");
    assert_eq!(status, StatusCode::OK);
    // Every file that the page and its modules refer to exists.
    let mut files = vec!["index.html".to_owned()];
    let mut seen = Vec::new();
    while let Some(file) = files.pop() {
        let (status, text) = get(&format!("/{file}"), "[::1]:1");
        assert_eq!(status, StatusCode::OK, "{file}");
        for named in text.split('"').map(|text| text.trim_start_matches("./").trim_start_matches('/')) {
            let is_file = [".js", ".css", ".svg", ".png", ".webmanifest"].iter().any(|end| named.ends_with(end))
                && !named.contains(' ');
            if is_file && !seen.contains(&named.to_owned()) {
                seen.push(named.to_owned());
                files.push(named.to_owned());
            }
        }
        assert!(
            !text.contains("http://") && !text.contains("https://")
                || file == "icon.svg"
                || text.contains("www.w3.org")
        );
    }
    assert!(page.starts_with("<!doctype html>") && seen.len() >= 9, "{seen:?}");
    // The service worker keeps all of them, except itself.
    let (_, worker) = get("/service-worker.js", "localhost");
    let (version, kept): (String, Vec<String>) =
        serde_json::from_str(worker.lines().next().unwrap().trim_start_matches("self.KEPT = ").trim_end_matches(';'))
            .unwrap();
    assert!(version.starts_with("morello ") && kept.contains(&".".to_owned()));
    let is_kept = |name: &String| name == "service-worker.js" || kept.contains(name);
    assert_eq!(seen.iter().find(|name| !is_kept(name)), None);
    for path in ["/none.js", "/../Cargo.toml", "/api/none", "/a/b"] {
        assert_eq!(get(path, "localhost").0, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(get("/api/view", "localhost").0, StatusCode::METHOD_NOT_ALLOWED);
}

#[test]
fn files_of_the_page_are_compressed_and_kept_by_browsers() {
    let ask_for = |file: &str, name: &str, value: &str| -> Response {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let request = Request::get(format!("/{file}")).header("host", "localhost").header(name, value);
        let router = router(1, Duration::from_millis(300), &Cancel::new());
        runtime.block_on(router.oneshot(request.body(Body::empty()).unwrap())).unwrap()
    };
    let ask = |name: &str, value: &str| ask_for("app.js", name, value);
    let plain = ask("accept-encoding", "gzip;q=0, br");
    let (etag, kind) = (plain.headers()["etag"].to_str().unwrap(), &plain.headers()["content-type"]);
    assert!(etag.starts_with("W/\"") && kind.to_str().unwrap().starts_with("text/javascript"));
    assert!(!plain.headers().contains_key("content-encoding") && plain.headers()["cache-control"] == "no-cache");
    let zipped = ask("accept-encoding", "deflate, gzip;q=0.5");
    assert!(zipped.headers()["content-encoding"] == "gzip" && zipped.headers()["etag"] == etag);
    assert_eq!(
        (&zipped.headers()["vary"], &zipped.headers()["content-type"]),
        (&"accept-encoding".parse().unwrap(), kind)
    );
    let length = |response: &Response| hyper::body::Body::size_hint(response.body()).exact().unwrap();
    assert!(length(&zipped) < length(&plain) * 2 / 3);
    for known in [etag, "\"x\", *", &format!("\"x\", {}", &etag[2..])] {
        let same = ask("if-none-match", known);
        assert!(same.status() == StatusCode::NOT_MODIFIED && same.headers()["etag"] == etag, "{known}");
    }
    assert_eq!(ask("if-none-match", "\"x\"").status(), StatusCode::OK);
    // Pictures are already compressed.
    for (file, kind, is_zipped) in [
        ("icon-512.png", "image/png", false),
        ("manifest.webmanifest", "application/manifest+json", true),
        ("service-worker.js", "text/javascript; charset=utf-8", true),
    ] {
        let response = ask_for(file, "accept-encoding", "gzip");
        let headers = response.headers();
        assert_eq!(
            (&headers["content-type"], headers.contains_key("content-encoding")),
            (&kind.parse().unwrap(), is_zipped)
        );
        assert!(headers["cache-control"] == "no-cache" && headers.contains_key("etag"), "{file}");
    }
}

#[test]
fn rejects_other_hosts() {
    for host in ["example.org", "localhost.example.org:8080", "192.168.0.1", ""] {
        assert_eq!(get("/", host).0, StatusCode::FORBIDDEN, "{host}");
    }
    assert_eq!(send(Request::get("/").body(Body::empty()).unwrap()).0, StatusCode::FORBIDDEN);
    let twice = Request::get("/").header("host", "localhost").header("host", "example.org");
    assert_eq!(send(twice.body(Body::empty()).unwrap()).0, StatusCode::FORBIDDEN);
    let elsewhere = Request::get("http://example.org/").header("host", "localhost");
    assert_eq!(send(elsewhere.body(Body::empty()).unwrap()).0, StatusCode::FORBIDDEN);
}

#[test]
fn plays_sets_up_saves_and_loads_games() {
    let games: Value = serde_json::from_str(&get("/api/games", "localhost").1).unwrap();
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), morello_core::games::all().len());
    for (game, named) in games.iter().zip(morello_core::games::all()) {
        assert_eq!((&game["title"], &game["about"]), (&json!(named.info().title), &json!(named.info().about)));
        assert_eq!(game["rules"], json!(named.rules()));
    }
    let view = ask("/api/view", &json!({ "game": "othello", "moves": ["f5", "d6"], "ply": 1 }));
    assert_eq!((&view["ply"], &view["side"], &view["counts"]), (&json!(1), &json!("white"), &json!([4, 1])));
    let view = ask("/api/move", &json!({ "game": "othello", "moves": ["f5"], "move": "D6" }));
    assert_eq!(view["moves"], json!(["f5", "d6"]));
    let mill = json!({ "game": "nine-mens-morris", "moves": ["d2", "a1", "d1", "a4"], "touched": [] });
    let place = |name: &str| {
        let layout = morello_core::games::get("nine-mens-morris").unwrap().layout();
        layout.point_named(name).unwrap()
    };
    let touch = |points: &[&str]| {
        let mut body = mill.clone();
        body["touched"] = json!(points.iter().map(|name| place(name)).collect::<Vec<_>>());
        ask("/api/move", &body)
    };
    let targets = touch(&["d3"])["targets"].clone();
    let mut wanted = [place("a1"), place("a4")];
    wanted.sort_unstable();
    assert_eq!(targets, json!(wanted));
    assert_eq!(touch(&["d3", "a4"])["last"]["text"], "d3xa4");
    let loaded = ask("/api/load", &json!({ "game": "othello", "text": "f5d6c3\nf5f6\n" }));
    assert_eq!((&loaded["more"], &loaded["view"]["moves"]), (&json!(true), &json!(["f5", "d6", "c3"])));
    let saved = ask("/api/save", &json!({ "game": "othello", "moves": ["f5", "d6"], "format": "transcript" }));
    assert_eq!(saved["text"], "f5d6");
    let mut pieces = vec![Value::Null; 24];
    pieces[3] = json!("black");
    let view =
        ask("/api/arrange", &json!({ "game": "morabaraba", "pieces": pieces, "in_hand": [11, 12], "side": "white" }));
    assert_eq!((&view["pieces"][3], &view["in_hand"]), (&json!("black"), &json!([11, 12])));
}

#[test]
fn searches_stream_json_lines() {
    let lines = |path: &str, body: &Value| -> Vec<Value> {
        let (status, text) = post(path, body.to_string());
        assert_eq!(status, StatusCode::OK, "{text}");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for game in ["othello", "three-mens-morris"] {
        let chosen = lines("/api/choose", &json!({ "game": game, "level": 2 }));
        assert_eq!(chosen.last().unwrap()["done"]["cut"], false);
        let best = chosen[chosen.len() - 2]["thought"]["lines"][0]["moves"][0].clone();
        ask("/api/move", &json!({ "game": game, "move": best }));
    }
    let started = Instant::now();
    let thoughts = lines("/api/analyze", &json!({ "game": "othello", "lines": 2, "time_ms": 100_000 }));
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(thoughts[thoughts.len() - 2]["thought"]["lines"].as_array().unwrap().len(), 2);
    let values = lines("/api/values", &json!({ "game": "othello-4x4", "moves": ["b1", "a1", "a2"] }));
    let scores = values[values.len() - 2]["thought"]["lines"].as_array().unwrap();
    let view = ask("/api/view", &json!({ "game": "othello-4x4", "moves": ["b1", "a1", "a2"] }));
    assert_eq!(scores.len(), view["legal"].as_array().unwrap().len());
    assert!(scores.iter().all(|line| line["score"]["exact"] == true), "{scores:?}");
}

#[test]
fn reports_errors_in_one_line() {
    assert_eq!(rejected("/api/view", "{").0, 400);
    assert_eq!(rejected("/api/view", "[]").0, 400);
    assert_eq!(rejected("/api/view", r#"{"game": 1}"#).0, 400);
    assert_eq!(rejected("/api/view", vec![0xff, 0xfe]).0, 400);
    assert_eq!(rejected("/api/view", "x".repeat(service::MAX_BODY_BYTES + 1)).0, 413);
    assert_eq!(
        rejected("/api/view", json!({ "game": "checkers" }).to_string()),
        (404, "unknown game `checkers`".to_owned())
    );
    assert_eq!(
        rejected("/api/move", json!({ "game": "othello", "move": "a1" }).to_string()),
        (422, "illegal move `a1`: it flips no disc".to_owned())
    );
    assert_eq!(
        rejected("/api/view", json!({ "game": "othello", "moves": ["f5", "f5"] }).to_string()),
        (422, "illegal move `f5` at ply 2: the square is occupied".to_owned())
    );
    assert_eq!(rejected("/api/view", json!({ "game": "othello", "start": "x\ny" }).to_string()).0, 422);
    assert_eq!(rejected("/api/view", json!({ "game": "othello", "moves": vec!["f5"; 3000] }).to_string()).0, 422);
    assert_eq!(rejected("/api/load", json!({ "game": "othello", "text": "" }).to_string()).0, 422);
    assert_eq!(
        rejected("/api/load", json!({ "game": "othello", "text": "f5d6d6" }).to_string()).1,
        "line 1, column 5: illegal move `d6` at ply 3: the square is occupied"
    );
    assert_eq!(rejected("/api/save", json!({ "game": "othello", "format": "kif" }).to_string()).0, 422);
    assert_eq!(rejected("/api/choose", json!({ "game": "othello", "level": 0 }).to_string()).0, 422);
    assert_eq!(
        rejected("/api/arrange", json!({ "game": "othello", "pieces": [], "side": "black" }).to_string()).0,
        422
    );
    assert_eq!(rejected("/api/arrange", json!({ "game": "othello", "pieces": [], "side": "red" }).to_string()).0, 400);
    let plain = Request::post("/api/choose").header("host", "localhost").header("content-type", "text/plain");
    assert_eq!(
        send(plain.body(Body::from(r#"{"game":"othello","level":3}"#)).unwrap()).0,
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_requests_are_answered(
        path in prop::sample::select(vec!["view", "line", "move", "arrange", "load", "save", "choose", "analyze", "review"]),
        game in prop::sample::select(vec!["othello", "morabaraba", "six-mens-morris", "x"]),
        text in "\\PC{0,30}",
        moves in prop::collection::vec("[a-h][1-8](-[a-h][1-8])?(x[a-h][1-8])?|\\PC{0,4}", 0..4),
        numbers in prop::collection::vec(any::<usize>(), 0..4),
        raw in any::<bool>(),
    ) {
        let body = if raw { text.clone() } else {
            json!({
                "game": game, "moves": moves, "start": if numbers.len() > 2 { Some(&text) } else { None },
                "move": text, "text": text,
                "format": text, "touched": numbers, "pieces": [null, "white"],
                "side": "black", "level": numbers.first(),
                "ply": numbers.get(1), "nodes": 1000, "time_ms": 5, "lines": numbers.first(),
            }).to_string()
        };
        let (status, response) = post(&format!("/api/{path}"), body);
        prop_assert!(status.is_success() || status.is_client_error(), "{} {}", status, response);
        for line in response.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            prop_assert!(status.is_success() || line["error"].is_string());
        }
    }
}

/// A listening server, which is stopped when it is dropped.
struct TestServer {
    address: SocketAddr,
    stop: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    fn start(searches: usize, max_time: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), Cancel::new());
        let (router, flag) = (router(searches, max_time, &stop), stop.clone());
        let thread = thread::spawn(move || serve(listener, router, &flag).unwrap());
        Self { address, stop, thread: Some(thread) }
    }

    /// Posts a request and returns the connection, with the head of the response read.
    fn post(&self, path: &str, body: &Value) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nconnection: \
                close\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(reader.read_line(&mut line).unwrap() > 0);
        }
        reader
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.cancel();
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Returns the JSON lines of a chunked response.
fn json_lines(reader: &mut impl BufRead) -> impl Iterator<Item = Value> {
    reader
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str::<Value>(&line).ok())
        .filter(Value::is_object)
}

/// A search that takes all of its time: this game is not solved.
fn endless() -> Value {
    json!({ "game": "lasker-morris" })
}

#[test]
fn long_searches_yield_to_others() {
    let server = TestServer::start(1, Duration::from_secs(600));
    let mut long = server.post("/api/analyze", &endless());
    assert!(json_lines(&mut long).next().unwrap()["thought"].is_object());
    let mut short = server.post("/api/choose", &json!({ "game": "othello", "level": 9 }));
    let lines: Vec<_> = json_lines(&mut short).collect();
    assert_eq!(lines.last().unwrap()["done"]["cut"], false, "{lines:?}");
    let rest: Vec<_> = json_lines(&mut long).collect();
    assert_eq!(rest.last().unwrap()["done"]["cut"], true);
    // Two analyses take turns.
    let mut both = [0, 1].map(|_| server.post("/api/analyze", &json!({ "game": "lasker-morris", "time_ms": 300 })));
    for reader in &mut both {
        assert!(json_lines(reader).last().unwrap()["done"].is_object());
    }
}

#[test]
fn disconnecting_cancels_the_search() {
    let server = TestServer::start(1, Duration::from_secs(600));
    // A search for a move is not cut short for others: only disconnecting ends it. One search has
    // the slot, two run in addition, and the last one waits.
    let level = json!({ "game": "lasker-morris", "level": 60 });
    let mut long: Vec<_> = (0..3)
        .map(|_| {
            let mut reader = server.post("/api/choose", &level);
            // Wait for each to start, so that only the last is queued.
            assert!(json_lines(&mut reader).any(|line| line["thought"].is_object()));
            reader
        })
        .collect();
    long.push(server.post("/api/choose", &level));
    assert!(json_lines(&mut long[3]).any(|line| line["waiting"] == 0));
    // A quick move does not wait for any of them.
    let mut quick = server.post("/api/choose", &json!({ "game": "othello", "level": 1 }));
    assert_eq!(json_lines(&mut quick).last().unwrap()["done"]["cut"], false);
    drop(long);
    let mut next = server.post("/api/choose", &json!({ "game": "othello", "level": 9 }));
    assert!(json_lines(&mut next).last().unwrap()["done"].is_object());
}

#[test]
fn long_engine_moves_do_not_delay_short_ones() {
    let server = TestServer::start(1, Duration::from_secs(4));
    let level = json!({ "game": "lasker-morris", "level": 60 });
    let mut long = server.post("/api/choose", &level);
    assert!(json_lines(&mut long).any(|line| line["thought"].is_object()));
    let started = Instant::now();
    let mut short = server.post("/api/choose", &json!({ "game": "othello", "level": 9 }));
    assert_eq!(json_lines(&mut short).last().unwrap()["done"]["cut"], false);
    let waited = started.elapsed();
    assert_eq!(json_lines(&mut long).last().unwrap()["done"]["cut"], false);
    assert!(started.elapsed() > waited + Duration::from_secs(1), "the short search ended before the long one");
}

#[cfg(target_os = "linux")]
#[test]
fn limits_connections_per_client() {
    let server = TestServer::start(1, Duration::from_secs(1));
    let connect_from = |from: [u8; 4]| -> std::io::Result<TcpStream> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind((from, 0).into())?;
            socket.connect(server.address).await?.into_std()
        })?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        Ok(stream)
    };
    let connect = |from| connect_from(from).unwrap();
    let is_answered = |mut stream: TcpStream| {
        let request = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).is_ok() && stream.read(&mut [0]).is_ok_and(|read| read > 0)
    };
    let (one, other) = ([127, 0, 0, 1], [127, 0, 0, 2]);
    let mut silent: Vec<_> = (0..256).map(|_| connect(one)).collect();
    for _ in 0..3 {
        // It is closed at once, not after the time limit of the head.
        assert!(!matches!(connect(one).read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock));
    }
    // Some machines have only one loopback address.
    if let Ok(stream) = connect_from(other) {
        assert!(is_answered(stream));
    }
    // A closed connection makes room as soon as the server detects it.
    silent.truncate(240);
    assert!((0..50).any(|_| {
        thread::sleep(Duration::from_millis(20));
        is_answered(connect(one))
    }));
}

#[test]
fn shutdown_ends_running_searches() {
    let server = TestServer::start(1, Duration::from_secs(600));
    let mut long = server.post("/api/analyze", &endless());
    assert!(json_lines(&mut long).next().is_some());
    // A connection without a complete request.
    let mut silent = TcpStream::connect(server.address).unwrap();
    silent.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(json_lines(&mut long).last().is_some_and(|line| line["done"]["cut"] == true));
    let _ = silent.read(&mut [0; 8]);
}
