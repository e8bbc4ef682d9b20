//! [`ApiError`]: the response to a request that failed.

use std::error::Error;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::causes::with_causes;

/// The longest message, in characters. Messages may quote the request.
const MAX_CHARS: usize = 300;

/// Why a request failed: `{"error": "..."}` in one line.
#[derive(Debug)]
pub(super) struct ApiError {
    pub status: StatusCode,
    pub text: String,
}

impl ApiError {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }

    /// Rejects a well-formed request that cannot be fulfilled, with an error and its causes.
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, error_line(error))
    }
}

/// Formats an error and its causes in one line of bounded length.
pub(super) fn error_line(error: &(dyn Error + 'static)) -> String {
    in_a_line(&with_causes(error))
}

fn in_a_line(text: &str) -> String {
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_CHARS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({ "error": in_a_line(&self.text) }).to_string();
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}
