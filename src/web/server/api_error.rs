//! Responses in JSON, and [`ApiError`], that of a request that failed.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::task::JoinError;

use super::search_queue::QueueFull;
use crate::service::{ErrorKind, Json, ServiceError, error_json};

/// Why a request failed: `{"error": "..."}` in one line.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    pub text: String,
}

impl ApiError {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
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
        Self::new(status, error.text)
    }
}

impl From<QueueFull> for ApiError {
    fn from(QueueFull: QueueFull) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy: try again later")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, json(error_json(&self.text))).into_response()
    }
}

/// Responds with a JSON text.
pub(super) fn json(text: Json) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Returns the error of a request whose work panicked.
pub(super) fn panicked(_: JoinError) -> ApiError {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
}
