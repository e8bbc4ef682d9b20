//! [`ServiceError`]: why a request failed.

use std::error::Error;

use super::explain::explain;
use super::message::{Explanation, Message};

/// Why a request failed.
#[derive(Debug)]
pub struct ServiceError {
    pub kind: ErrorKind,
    pub explanation: Explanation,
}

/// What is wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The form is wrong.
    Malformed,
    /// The path, or a name in it, does not exist.
    NotFound,
    /// The request is too long.
    TooLong,
    /// The request is well-formed but cannot be fulfilled.
    Unfulfillable,
}

impl ServiceError {
    pub fn new(kind: ErrorKind, text: &str, message: Message) -> Self {
        Self { kind, explanation: Explanation::new(text, message, None) }
    }

    /// Rejects a malformed request. The page never sends one, only other programs do.
    pub fn malformed(text: String) -> Self {
        Self::new(ErrorKind::Malformed, &text.clone(), Message::Other { text })
    }

    /// Rejects a body of more than `limit` bytes.
    pub fn too_long(limit: usize) -> Self {
        let text = format!("the request is longer than {limit} bytes");
        Self::new(ErrorKind::TooLong, &text, Message::RequestTooLong { bytes: limit })
    }
}

impl<E: Error + 'static> From<E> for ServiceError {
    /// Rejects a well-formed request that cannot be fulfilled, with an error and its causes.
    fn from(error: E) -> Self {
        Self { kind: ErrorKind::Unfulfillable, explanation: explain(&error) }
    }
}
