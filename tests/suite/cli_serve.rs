//! `morello serve` as a process. Unit tests cover its responses, and `scripts/test/web.sh` the
//! page.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use super::{assert_fails, run, signal, spawn};

#[test]
fn prints_its_address_answers_requests_and_shuts_down() {
    let mut server = spawn("serve --port 0 --hash 1 --threads 1");
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

    signal(&server, "-INT");
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn serves_the_files_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("engine")).unwrap();
    for (name, text) in [("index.html", "<p>here"), ("engine/engine.wasm", "\0asm"), ("engine/index.html", "inner")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::fs::write(folder.path().join(".secret"), "hidden").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
    let mut server = spawn(&format!("serve --port 0 --static {}", folder.path().display()));
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim().strip_prefix("http://").and_then(|url| url.strip_suffix('/')).unwrap();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    };
    let page = ask("/");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("<p>here"), "{page}");
    assert!(page.contains("cross-origin-embedder-policy: require-corp") && page.contains("'wasm-unsafe-eval'"));
    assert!(ask("/engine/engine.wasm").contains("content-type: application/wasm"));
    assert!(ask("/engine/").ends_with("inner"));
    assert!(ask("/engine").starts_with("HTTP/1.1 308") && ask("/engine").contains("location: /engine/\r\n"));
    for path in
        ["/none", "/.secret", "/link", "/engine/../index.html", "/../../etc/passwd", "/%2e%2e/etc/passwd", "/api/games"]
    {
        assert!(ask(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    signal(&server, "-INT");
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert_fails("serve --port 0 --static /no/such/folder", "", "--static `/no/such/folder`: cannot read the files");
    assert_fails("serve --host 0.0.0.0 --port 0 --static .", "", "everyone could read the files of --static");
    assert_fails("serve --port 0 --static . --hash 1", "", "cannot be used with");
}

#[test]
fn rejects_invalid_options() {
    assert_fails("serve --port 0 --database /no/such/folder", "", "the directory does not exist");
    assert_fails("serve --port 0 --host no.such.host.invalid", "", "--host must be a name or address of this machine");
}
