//! [`AccessToken`]: restricts the server to clients that have the token.

use std::fmt;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::sleep;

use super::api_error::ApiError;
use crate::service::Message;

/// The name of the cookie that stores the token.
const COOKIE: &str = "morello_token";
/// Its name over TLS. Browsers accept such a cookie only from this host, and send it only encrypted.
const SECURE_COOKIE: &str = "__Host-morello_token";
/// The URL parameter for the token.
const PARAMETER: &str = "token";
/// The maximum age of the cookie, in seconds: a month.
const COOKIE_AGE: u32 = 30 * 24 * 3600;

/// A token of letters, digits, `-` and `_` that every request must have. `/?token=TOKEN` stores it
/// in a cookie; programs send it as `Authorization: Bearer TOKEN`.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// The text is not a valid token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a token has {MIN_CHARS} to {MAX_CHARS} letters, digits, `-` and `_`")]
pub struct InvalidToken;

/// How long the response to a wrong token takes.
const WRONG_TOKEN_DELAY: Duration = Duration::from_millis(200);

/// The minimum and maximum length of a token.
const MIN_CHARS: usize = 8;
const MAX_CHARS: usize = 128;

impl AccessToken {
    /// Creates a token.
    ///
    /// # Errors
    /// [`InvalidToken`] if the text is too short, too long, or has other characters.
    pub fn new(text: &str) -> Result<Self, InvalidToken> {
        let is_valid = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let is_valid = is_valid && (MIN_CHARS..=MAX_CHARS).contains(&text.len());
        is_valid.then(|| Self(text.to_owned())).ok_or(InvalidToken)
    }

    /// Creates a random token of 128 bits.
    ///
    /// # Panics
    /// If the operating system has no random numbers.
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("operating systems have random numbers");
        Self(format!("{:032x}", u128::from_ne_bytes(bytes)))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where the strings differ.
    fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        self.0.len() == text.len() && differences == 0
    }

    /// Returns whether a request has the token in its cookie or its authorization.
    fn is_in(&self, request: &Request) -> bool {
        let headers = request.headers();
        let texts = |name| headers.get_all(name).iter().filter_map(|value: &HeaderValue| value.to_str().ok());
        let cookies =
            texts(header::COOKIE).flat_map(|text| text.split(';')).filter_map(|cookie| cookie.split_once('='));
        let mut cookies =
            cookies.filter(|(name, _)| [COOKIE, SECURE_COOKIE].contains(&name.trim())).map(|(_, value)| value.trim());
        let mut bearers = texts(header::AUTHORIZATION).filter_map(bearer);
        cookies.any(|text| self.is(text)) || bearers.any(|text| self.is(text))
    }

    /// Returns whether the URL of a request has the token.
    fn is_in_address(&self, request: &Request) -> bool {
        let fields = request.uri().query().unwrap_or_default().split('&').filter_map(|field| field.split_once('='));
        fields.into_iter().any(|(name, value)| name == PARAMETER && self.is(value))
    }
}

/// Returns the token of an `Authorization` header.
fn bearer(text: &str) -> Option<&str> {
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then_some(token.trim())
}

/// Returns whether a request came to a proxy with TLS. A client that only claims it does so for its
/// own cookie.
fn is_encrypted(request: &Request) -> bool {
    request
        .headers()
        .get("x-forwarded-proto")
        .and_then(|protocols| protocols.to_str().ok()?.split(',').next())
        .is_some_and(|protocol| protocol.trim().eq_ignore_ascii_case("https"))
}

/// Rejects requests without the token, and stores the token of `/?token=TOKEN` in a cookie.
pub(super) async fn check_token(State(token): State<Option<AccessToken>>, request: Request, next: Next) -> Response {
    let Some(token) = token else { return next.run(request).await };
    if token.is_in_address(&request) {
        // Redirect to the URL without the token; the browser keeps the part after `#`. The cookie is
        // lax, or the browser would not send it after a link on another site. A path that begins
        // with `//` or `/\` would be another host.
        let path = format!("/{}", request.uri().path().trim_start_matches(['/', '\\']));
        let (name, secure) = if is_encrypted(&request) { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
        let cookie = format!("{name}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={COOKIE_AGE}{secure}", token.0);
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, path)];
        return (StatusCode::SEE_OTHER, headers).into_response();
    }
    if token.is_in(&request) {
        return next.run(request).await;
    }
    let headers = request.headers();
    let has_wrong = [header::AUTHORIZATION, header::COOKIE].iter().any(|name| headers.contains_key(name));
    if has_wrong || request.uri().query().is_some() {
        // Nobody tries many tokens.
        sleep(WRONG_TOKEN_DELAY).await;
    }
    let text = "a token is required; open the address with ?token= that the server printed at startup";
    ApiError::new(StatusCode::UNAUTHORIZED, text, Message::TokenRequired).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn tokens_are_random_and_valid() {
        let tokens: Vec<_> = (0..10).map(|_| AccessToken::random()).collect();
        for (i, token) in tokens.iter().enumerate() {
            assert_eq!(AccessToken::new(token.as_str()).as_ref(), Ok(token));
            assert!(tokens[..i].iter().all(|other| other != token));
        }
        for invalid in ["", "short", "with space in it", "semicolon;;;;", "täxttäxttäxt", &"x".repeat(129)] {
            assert_eq!(AccessToken::new(invalid).err(), Some(InvalidToken), "{invalid}");
        }
    }

    #[test]
    fn finds_the_token_in_cookies_and_authorization() {
        let token = AccessToken::new("abcdefgh").unwrap();
        let is_in =
            |name: &str, value: &str| token.is_in(&Request::get("/").header(name, value).body(Body::empty()).unwrap());
        assert!(is_in("cookie", "a=b; morello_token=abcdefgh") && is_in("authorization", "Bearer abcdefgh"));
        assert!(is_in("authorization", "bearer abcdefgh") && is_in("cookie", "__Host-morello_token=abcdefgh"));
        for (name, value) in [
            ("cookie", "morello_token=abcdefg"),
            ("cookie", "morello_token=abcdefghi"),
            ("cookie", "token=abcdefgh"),
            ("cookie", "__Secure-morello_token=abcdefgh"),
            ("cookie", "abcdefgh"),
            ("authorization", "Basic abcdefgh"),
            ("authorization", "Bearer "),
            ("x-token", "abcdefgh"),
        ] {
            assert!(!is_in(name, value), "{name}: {value}");
        }
    }
}
