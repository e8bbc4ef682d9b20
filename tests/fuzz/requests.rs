//! The target of the web server: raw bytes of HTTP requests.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use morello::game::{Cancel, EngineOptions};
use morello::web::{self, AppState, Hosts};

use super::Target;

/// Returns the bytes of a request.
fn request(path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: \
            application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Sends bytes and returns what the server answers within this time: it waits for the rest of an
/// incomplete request.
fn answer(address: SocketAddr, bytes: &[u8], time: Duration) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(time)).expect("a timeout");
    // The server may close the connection early.
    let _ = stream.write_all(bytes);
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    String::from_utf8_lossy(&response).into_owned()
}

#[test]
fn fuzz_http_requests() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (address, stop) = (listener.local_addr().expect("an address"), Cancel::new());
    let setup = Arc::new(|_| Ok(EngineOptions::new(1 << 16)));
    let state = AppState::new(setup, 2, Duration::from_millis(20), stop.clone());
    let router = web::router(state, Hosts::new("127.0.0.1"), None);
    let server = thread::spawn({
        let stop = stop.clone();
        move || web::serve(listener, router, &stop)
    });
    let game = r#""game":"othello-4x4","moves":["b1","a1"]"#;
    let mut seeds = vec![
        b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_vec(),
        b"GET /api/games HTTP/1.1\r\nhost: localhost\r\ncookie: morello_token=x\r\nconnection: close\r\n\r\n".to_vec(),
        request("/api/load", r#"{"game":"othello","text":"moves,a\nf5d6,\"x\n"}"#),
        request("/api/arrange", r#"{"game":"othello-4x4","pieces":[null,"black"],"in_hand":[0,0],"side":"white"}"#),
        request(
            "/api/lesson",
            r#"{"game":"othello","moves":["f5"],"side":"black","now":9,"new":2,"max_loss":1,
                "cards":[{"game":"othello","position":"x","box":9,"due":1,"answer":"f5","right":1}]}"#,
        ),
        request("/api/refute", r#"{"game":"othello-4x4","start":"-----OX--XO----- X","move":"b1"}"#),
        b"POST /api/view HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            .to_vec(),
    ];
    for (path, more) in [
        ("view", r#""ply":1"#),
        ("move", r#""touched":[3,4]"#),
        ("save", r#""format":"transcript","names":["a","b"]"#),
        ("choose", r#""level":1"#),
        ("analyze", r#""lines":2,"time_ms":5"#),
        ("values", r#""time_ms":5"#),
        ("graph", r#""from":1"#),
    ] {
        seeds.push(request(&format!("/api/{path}"), &format!("{{{game},{more}}}")));
    }
    let target = Target {
        cost: 50,
        words: &["\r\n", "\r\n\r\n", "host: ", "content-length: 5\r\n", "/api/"],
        ..Target::new("http", seeds)
    };
    let mut answered = 0;
    target.run(|input| {
        let response = answer(address, input, Duration::from_millis(50));
        assert!(!response.contains(" 500 "), "{response}");
        answered += u64::from(response.starts_with("HTTP/1.1 200 OK"));
    });
    assert!(answered > 5, "valid requests are answered: {answered}");
    // The server still answers.
    let valid = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    assert!(answer(address, valid, Duration::from_secs(20)).starts_with("HTTP/1.1 200 OK"));
    stop.cancel();
    server.join().expect("no panic").expect("the server ends");
}
