//! `morello serve` as a process. Unit tests cover its responses, and `scripts/test-web.sh` the page.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use super::run;

#[test]
fn prints_its_address_answers_requests_and_shuts_down() {
    let mut server = Command::new(assert_cmd::cargo::cargo_bin("morello"))
        .args(["serve", "--port", "0", "--hash", "1", "--threads", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim().strip_prefix("http://").and_then(|url| url.strip_suffix('/')).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /api/games HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n") && response.contains("\"game\":\"othello\""), "{response}");

    let port = address.rsplit(':').next().unwrap();
    let (code, output, errors) = run(&format!("serve --port {port}"), "");
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(errors.contains("another program uses the port") && errors.contains("--port 0"), "{errors}");

    assert!(Command::new("kill").args(["-INT", &server.id().to_string()]).status().unwrap().success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn rejects_invalid_options() {
    let (code, _, errors) = run("serve --port 0 --database /no/such/folder", "");
    assert_eq!(code, 2);
    assert!(errors.contains("no such directory"), "{errors}");
    let (code, _, errors) = run("serve --port 0 --host no.such.host.invalid", "");
    assert_eq!(code, 2);
    assert!(errors.contains("--host must be a name or address of this machine"), "{errors}");
}
