//! Checks the host and the origin of every request, and adds security headers to every response.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::api_error::ApiError;
use super::connections::Activity;
use crate::service::Message;

/// The hosts that requests may name.
///
/// Another site could make its own name resolve to this machine and then read the responses (DNS
/// rebinding). So only known names are allowed; addresses are safe, because they cannot be
/// redirected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    name: String,
    any_address: bool,
}

impl Hosts {
    /// Allows loopback, the host that the server listens on and, if this is the unspecified
    /// address, any address.
    #[must_use]
    pub fn new(host: &str) -> Self {
        let address = host.parse::<IpAddr>();
        Self { name: host.to_ascii_lowercase(), any_address: address.is_ok_and(|address| address.is_unspecified()) }
    }

    /// Returns whether a `Host` value, with or without a port, is allowed.
    #[must_use]
    pub fn allow(&self, host: &str) -> bool {
        let is_port = |text: &str| text.is_empty() || text.parse::<u16>().is_ok();
        let host = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(host, _)| host);
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let address = bare.parse::<IpAddr>();
        bare.eq_ignore_ascii_case("localhost")
            || bare.eq_ignore_ascii_case(&self.name)
            || address.is_ok_and(|address| address.is_loopback() || self.any_address)
    }

    /// Returns whether a request has exactly one `Host` header, and this header and the URI, if it
    /// has a host, name an allowed host.
    fn allow_request(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        hosts.next().is_none()
            && host.is_some_and(|host| self.allow(host))
            && uri.authority().is_none_or(|authority| self.allow(authority.as_str()))
    }
}

/// Returns whether a request is of the page, of a program, or opens the page. Links on other sites
/// may open it, but these sites may not use it; the policy keeps them from embedding it.
///
/// Browsers send these headers where a connection is encrypted or does not leave the machine. On
/// others, [`read_body`](super::request::read_body) rejects what other sites can send.
fn is_own(request: &Request) -> bool {
    let header = |name| request.headers().get(name).map(HeaderValue::as_bytes);
    header("sec-fetch-site").is_none_or(|site| [&b"same-origin"[..], b"none"].contains(&site))
        || (request.method() == Method::GET && header("sec-fetch-mode") == Some(b"navigate"))
}

/// The content security policy: nothing but files of the server, and pictures as `data:`, which the
/// page draws before it saves them. `$script` is what scripts may do besides. The trusted types
/// belong to the page's template library, to `trusted.js`, and to the engine in the browser.
macro_rules! policy {
    ($script:literal) => {
        concat!(
            "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data:; manifest-src 'self'; ",
            "script-src 'self'",
            $script,
            "; style-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; ",
            "require-trusted-types-for 'script'; trusted-types lit-html morello morello-engine; ",
            "frame-ancestors 'none'"
        )
    };
}

/// The policy of the browser edition, which runs WebAssembly. Its page has the same one in itself,
/// for other servers.
pub(crate) const FOLDER_POLICY: &str = policy!(" 'wasm-unsafe-eval'");

/// The headers of every response. With the policies on other origins, workers may share memory.
/// Answers are not stored; the files of a page have another `cache-control`.
const HEADERS: [(&str, &str); 8] = [
    ("content-security-policy", policy!("")),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), \
            microphone=(), midi=(), payment=(), usb=()",
    ),
];

/// Rejects requests for other hosts and from other sites, and adds the missing [`HEADERS`] to every
/// response.
pub(super) async fn check_host(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    if let Some(activity) = request.extensions().get::<Activity>() {
        activity.note_request();
    }
    let mut response = if !hosts.allow_request(request.headers(), request.uri()) {
        let text = "host not allowed; use the address that the server printed at startup";
        ApiError::new(StatusCode::FORBIDDEN, text, Message::HostNotAllowed).into_response()
    } else if !is_own(&request) {
        ApiError::malformed(StatusCode::FORBIDDEN, "other sites may not send requests").into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn other_sites_only_open_the_page() {
        let is_own = |method: Method, site: &str, mode: &str| {
            let request = Request::builder().method(method).header("sec-fetch-site", site);
            is_own(&request.header("sec-fetch-mode", mode).body(Body::empty()).unwrap())
        };
        for (site, mode) in [("same-origin", "cors"), ("same-origin", "no-cors"), ("none", "navigate")] {
            assert!(is_own(Method::GET, site, mode) && is_own(Method::POST, site, mode), "{site} {mode}");
        }
        // Another port of the same machine is the same site, but another origin.
        for site in ["same-site", "cross-site", "unknown", ""] {
            assert!(is_own(Method::GET, site, "navigate"), "{site}");
            assert!(!is_own(Method::POST, site, "navigate"), "{site}");
            for mode in ["no-cors", "cors", "websocket", "same-origin", ""] {
                assert!(!is_own(Method::GET, site, mode), "{site} {mode}");
            }
        }
        assert!(super::is_own(&Request::post("/api/view").body(Body::empty()).unwrap()), "a program");
    }

    #[test]
    fn allows_loopback_and_the_configured_host() {
        let own = Hosts::new("127.0.0.1");
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.9.9.9", "[::1]:8080", "[::1]"] {
            assert!(own.allow(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "10.0.0.1:8080",
            "[::2]",
            ":",
            "::",
            "localhost:80, example.org",
            "localhost, example.org",
            "localhost:99999",
            "localhost:80:80",
        ] {
            assert!(!own.allow(host), "{host}");
        }
        let named = Hosts::new("Board.local");
        assert!(named.allow("board.local:80") && !named.allow("10.0.0.1") && named.allow("localhost"));
        let all = Hosts::new("0.0.0.0");
        assert!(all.allow("10.0.0.1:8080") && all.allow("[fe80::1]:1") && !all.allow("example.org"));
    }
}
