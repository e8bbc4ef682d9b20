//! [`ServiceError`]: why a request failed.

use std::error::Error;

use morello_core::causes::with_causes;
use serde_json::json;

use super::{Json, to_json};

/// The longest message, in characters. Messages may quote the request.
const MAX_CHARS: usize = 300;

/// Why a request failed.
#[derive(Debug)]
pub struct ServiceError {
    pub kind: ErrorKind,
    /// One line of bounded length.
    pub text: String,
}

/// What is wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Its form.
    Malformed,
    /// Nothing has its path or the name in it.
    NotFound,
    /// Its size.
    TooLong,
    /// It is well-formed but cannot be fulfilled.
    Unfulfillable,
}

impl ServiceError {
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        let text: String = text.into();
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
            text.truncate(end);
            text.push('…');
        }
        Self { kind, text }
    }

    /// Rejects a body of more than `limit` bytes.
    pub fn too_long(limit: usize) -> Self {
        Self::new(ErrorKind::TooLong, format!("the request is longer than {limit} bytes"))
    }
}

impl<E: Error + 'static> From<E> for ServiceError {
    /// Rejects a well-formed request that cannot be fulfilled, with an error and its causes.
    fn from(error: E) -> Self {
        Self::new(ErrorKind::Unfulfillable, with_causes(&error))
    }
}

/// Returns `{"error": ".."}`.
pub fn error_json(text: &str) -> Json {
    to_json(&json!({ "error": text }))
}
