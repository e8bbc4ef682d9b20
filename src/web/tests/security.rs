//! What browsers and other sites may do with the page, and requests that are no clean HTTP.

use axum::http::Method;

use super::*;
use crate::server::FOLDER_POLICY;

const TOKEN: &str = "0123-4567_89abcdef";

/// Sends a request to a new router, which may require [`TOKEN`].
fn respond(has_token: bool, request: axum::http::request::Builder) -> Response {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let setup = Arc::new(|_| Ok(EngineOptions::new(1 << 16)));
    let state = AppState::new(setup, 1, Duration::from_millis(300), Cancel::new());
    let token = has_token.then(|| AccessToken::new(TOKEN).unwrap());
    let router = crate::router(state, Hosts::new("127.0.0.1"), token);
    runtime.block_on(router.oneshot(request.body(Body::empty()).unwrap())).unwrap()
}

fn request(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("host", "localhost")
}

#[test]
fn every_response_restricts_what_browsers_do_with_it() {
    let other_host = Request::get("/").header("host", "example.org");
    let with_token = |path: &str| respond(true, request(Method::GET, path));
    for (name, response, status, cache) in [
        ("page", respond(false, request(Method::GET, "/")), 200, "no-cache"),
        ("script", respond(false, request(Method::GET, "/app.js")), 200, "no-cache"),
        ("answer", respond(false, request(Method::GET, "/api/games")), 200, "no-store"),
        ("error", respond(false, request(Method::POST, "/api/view")), 415, "no-store"),
        ("no file", respond(false, request(Method::GET, "/none")), 404, "no-store"),
        ("wrong method", respond(false, request(Method::PUT, "/")), 405, "no-store"),
        ("other host", respond(false, other_host), 403, "no-store"),
        ("no token", with_token("/"), 401, "no-store"),
        ("token", with_token(&format!("/?token={TOKEN}")), 303, "no-store"),
    ] {
        let header = |of: &str| response.headers().get(of).map_or("", |value| value.to_str().unwrap());
        assert_eq!((response.status().as_u16(), header("cache-control")), (status, cache), "{name}");
        let policy = header("content-security-policy");
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] {
            assert!(policy.split("; ").any(|found| found == directive), "{name}: no `{directive}` in {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{name}: {policy}");
        for (of, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-embedder-policy", "require-corp"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(header(of), value, "{name}: {of}");
        }
        assert!(header("permissions-policy").contains("camera=()"), "{name}");
        // The connection is not encrypted, no other origin may read the response, and nobody learns the program.
        for absent in ["strict-transport-security", "access-control-allow-origin", "server", "x-powered-by"] {
            assert_eq!(header(absent), "", "{name}: {absent}");
        }
    }
}

#[test]
fn the_page_has_its_policy_in_itself_and_nothing_inline() {
    let page = include_str!("../page/index.html");
    // Pages cannot forbid frames: only a server can.
    let policy = FOLDER_POLICY.strip_suffix("; frame-ancestors 'none'").unwrap();
    let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let (before, after) = page.split_once(&meta).expect("the policy of `serve --static`");
    assert!(!before.contains("<link") && !before.contains("<script") && after.contains("<script"));
    let tags: Vec<_> = page.split('<').skip(1).map(|text| text.split('>').next().unwrap()).collect();
    assert!(tags.len() > 100);
    for tag in tags {
        assert!(!tag.starts_with("script") || tag.contains(" src="), "{tag}");
        assert!(!tag.starts_with("style") && !tag.contains(" style=") && !tag.contains("javascript:"), "{tag}");
        assert!(!tag.split_whitespace().any(|attribute| attribute.starts_with("on")), "{tag}");
    }
}

#[test]
fn other_sites_may_link_to_the_page_but_not_use_it() {
    let from = |method: Method, path: &str, site: &str, mode: &str| {
        let request = request(method, path).header("sec-fetch-site", site).header("sec-fetch-mode", mode);
        respond(false, request).status().as_u16()
    };
    assert_eq!(from(Method::GET, "/", "cross-site", "navigate"), 200);
    assert_eq!(from(Method::GET, "/app.js", "same-origin", "cors"), 200);
    assert_eq!(from(Method::POST, "/api/view", "same-origin", "cors"), 415);
    for site in ["cross-site", "same-site"] {
        assert_eq!(from(Method::GET, "/app.js", site, "no-cors"), 403);
        assert_eq!(from(Method::GET, "/api/games", site, "cors"), 403);
        assert_eq!(from(Method::POST, "/api/view", site, "cors"), 403);
        assert_eq!(from(Method::POST, "/api/view", site, "navigate"), 403);
    }
}

#[test]
fn the_token_leaves_the_address_for_a_cookie() {
    let open = |path: &str, protocol: &str| -> [String; 2] {
        let response = respond(true, request(Method::GET, path).header("x-forwarded-proto", protocol));
        assert_eq!(response.status(), StatusCode::SEE_OTHER, "{path}");
        ["location", "set-cookie"].map(|name| response.headers()[name].to_str().unwrap().to_owned())
    };
    let age = 30 * 24 * 3600;
    let plain = format!("morello_token={TOKEN}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}");
    for protocol in ["http", "", "httpsx"] {
        assert_eq!(open(&format!("/?token={TOKEN}"), protocol), ["/", &plain]);
    }
    for protocol in ["https", "HTTPS"] {
        assert_eq!(open(&format!("/?token={TOKEN}"), protocol), ["/", &format!("__Host-{plain}; Secure")]);
    }
    // It never leads to another host, and other parameters go as well.
    for path in ["//example.org/x", "/\\example.org/x", "///example.org/x"] {
        assert_eq!(open(&format!("{path}?a=b&token={TOKEN}"), "http")[0], "/example.org/x");
    }
    // The cookies are accepted, and no other tokens.
    for (cookie, status) in [("", 401), ("morello_token", 200), ("__Host-morello_token", 200), ("token", 401)] {
        let response = respond(true, request(Method::GET, "/app.js").header("cookie", format!("{cookie}={TOKEN}")));
        assert_eq!(response.status().as_u16(), status, "{cookie}");
    }
    for wrong in [&TOKEN[1..], &format!("{TOKEN}0"), ""] {
        assert_eq!(respond(true, request(Method::GET, &format!("/?token={wrong}"))).status(), 401, "{wrong}");
    }
}

/// Sends bytes; returns the responses until the server closes the connection.
fn exchange(server: &TestServer, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    // It closes the connection itself long before it ends one that waits for more.
    stream.set_read_timeout(Some(Duration::from_secs(8))).unwrap();
    stream.write_all(bytes).unwrap();
    let (mut response, mut part) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => response.extend_from_slice(&part[..read]),
            // Bytes that it did not read reset the connection.
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("{error} after {bytes:?}"),
        }
    }
    String::from_utf8_lossy(&response).into_owned()
}

#[test]
fn no_request_hides_in_another() {
    let server = TestServer::start(1, Duration::from_secs(1));
    let hidden = "GET /hidden HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let post = "POST /api/view HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    // Two clean requests have two responses.
    let two = exchange(&server, format!("{post}content-length: 2\r\n\r\n{{}}{hidden}").as_bytes());
    assert_eq!(two.matches("HTTP/1.1 4").count(), 2, "{two}");
    assert!(two.contains("HTTP/1.1 404"), "{two}");
    let chunked = format!("0\r\n\r\n{hidden}");
    for (headers, body) in [
        // Which of both lengths counts is unclear to others.
        ("content-length: 5\r\ntransfer-encoding: chunked", &*chunked),
        ("transfer-encoding: chunked\r\ncontent-length: 5", &chunked),
        ("content-length: 0\r\ncontent-length: 2", &format!("{{}}{hidden}")),
        ("content-length: 2, 2", &format!("{{}}{hidden}")),
        ("content-length: +2", &format!("{{}}{hidden}")),
        ("content-length: 0x2", &format!("{{}}{hidden}")),
        ("content-length: -1", hidden),
        ("content-length: 99999999999999999999", hidden),
        ("transfer-encoding: chunked, identity", &chunked),
        ("transfer-encoding: chunkedx", &chunked),
        ("transfer-encoding: identity\r\ncontent-length: 2", &format!("{{}}{hidden}")),
        // Headers that others read in another way.
        ("transfer-encoding : chunked", &chunked),
        ("x: y\r\n transfer-encoding: chunked", &chunked),
        ("x: y\rtransfer-encoding: chunked", &chunked),
        ("x: y\0\r\ntransfer-encoding: chunked", &chunked),
        // Chunks of no length, or of several.
        ("transfer-encoding: chunked", &format!("x\r\n\r\n{hidden}")),
        ("transfer-encoding: chunked", &format!("-0\r\n\r\n{hidden}")),
        ("transfer-encoding: chunked", &format!("0x0\r\n\r\n{hidden}")),
        ("transfer-encoding: chunked", &format!("2;\n0\r\n\r\n{hidden}")),
        ("transfer-encoding: chunked", &format!("10000000000000000\r\n\r\n{hidden}")),
        ("transfer-encoding: chunked", &format!("2\r\n{{}}0\r\n\r\n{hidden}")),
    ] {
        let response = exchange(&server, format!("{post}{headers}\r\n\r\n{body}").as_bytes());
        assert!(response.starts_with("HTTP/1.1 4") || response.is_empty(), "{headers:?} {body:?}: {response}");
        assert_eq!(response.matches("HTTP/1.1 ").count().max(1), 1, "{headers:?} {body:?}: {response}");
        assert!(!response.contains("HTTP/1.1 404"), "{headers:?} {body:?}: {response}");
    }
}

#[test]
fn unused_methods_are_rejected_without_an_echo() {
    let server = TestServer::start(1, Duration::from_secs(1));
    for method in ["TRACE", "TRACK", "OPTIONS", "PUT", "DELETE", "PATCH", "PROPFIND", "CONNECT"] {
        for target in ["/", "/app.js", "/api/view", "/api/games", "/none", "localhost:80", "*"] {
            let head = "host: localhost\r\norigin: http://example.org\r\nx-secret: echo\r\nconnection: close";
            let response = exchange(&server, format!("{method} {target} HTTP/1.1\r\n{head}\r\n\r\n").as_bytes());
            assert!(response.starts_with("HTTP/1.1 4"), "{method} {target}: {response}");
            let response = response.to_ascii_lowercase();
            assert!(
                !response.contains("echo") && !response.contains("access-control"),
                "{method} {target}: {response}"
            );
        }
    }
}
