//! JSON responses, and [`ApiError`], the response to a failed request.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::search_queue::QueueFull;
use crate::service::{ErrorKind, Explanation, Json, Message, ServiceError, to_json};

/// Why a request failed.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    pub explanation: Explanation,
}

impl ApiError {
    pub fn new(status: StatusCode, text: &str, message: Message) -> Self {
        Self { status, explanation: Explanation::new(text, message, None) }
    }

    /// Rejects a malformed request. The page never sends one, only other programs do.
    pub fn malformed(status: StatusCode, text: &str) -> Self {
        Self::new(status, text, Message::Other { text: text.to_owned() })
    }

    /// Returns the error for a request whose handler panicked.
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error", Message::Internal)
    }

    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not found", Message::NotFound)
    }
}

impl From<ServiceError> for ApiError {
    fn from(error: ServiceError) -> Self {
        let status = match error.kind {
            ErrorKind::Malformed => StatusCode::BAD_REQUEST,
            ErrorKind::NotFound => StatusCode::NOT_FOUND,
            ErrorKind::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorKind::Unfulfillable => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, explanation: error.explanation }
    }
}

impl From<QueueFull> for ApiError {
    fn from(QueueFull: QueueFull) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again later", Message::Busy)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, json(to_json(&self.explanation))).into_response()
    }
}

/// Responds with JSON.
pub(super) fn json(text: Json) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
