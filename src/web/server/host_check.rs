//! Checks the host of every request, and adds security headers to every response.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
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

/// The headers of every response. The page draws its own pictures as `data:` before it saves them.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
            object-src 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-cache"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Rejects requests for other hosts and adds the missing [`HEADERS`] to every response.
pub(super) async fn check_host(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    if let Some(activity) = request.extensions().get::<Activity>() {
        activity.note_request();
    }
    let mut response = if hosts.allow_request(request.headers(), request.uri()) {
        next.run(request).await
    } else {
        let text = "host not allowed; use the address that the server printed at startup";
        ApiError::new(StatusCode::FORBIDDEN, text, Message::HostNotAllowed).into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

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
