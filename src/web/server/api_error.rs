//! Responses in JSON, and [`ApiError`], that of a request that failed.

use std::error::Error;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use morello_core::causes::with_causes;
use serde::Serialize;
use serde_json::json;

use super::search_queue::QueueFull;

/// The longest message, in characters. Messages may quote the request.
const MAX_CHARS: usize = 300;

/// Why a request failed: `{"error": "..."}` in one line.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub status: StatusCode,
    /// One line of bounded length.
    pub text: String,
}

impl ApiError {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        let text: String = text.into();
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
            text.truncate(end);
            text.push('…');
        }
        Self { status, text }
    }
}

impl<E: Error + 'static> From<E> for ApiError {
    /// Rejects a well-formed request that cannot be fulfilled, with an error and its causes.
    fn from(error: E) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, with_causes(&error))
    }
}

impl From<QueueFull> for ApiError {
    fn from(QueueFull: QueueFull) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy: try again later")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, json(&json!({ "error": self.text }))).into_response()
    }
}

/// Responds with JSON.
pub(super) fn json(value: &impl Serialize) -> Response {
    // Views consist of strings, numbers and lists, so this cannot fail.
    let body = serde_json::to_vec(value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
