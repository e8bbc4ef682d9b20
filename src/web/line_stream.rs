//! An answer of JSON lines that grows while it is read, and whose reader may go away.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::game::Cancel;

/// How many lines may wait for a slow reader.
const MAX_BUFFERED_LINES: usize = 16;
/// How long the last line waits for one.
const LAST_LINE_TIME: Duration = Duration::from_secs(10);

/// Where lines are written.
#[derive(Clone)]
pub(super) struct LineStream {
    sender: mpsc::Sender<Bytes>,
    cancel: Cancel,
}

/// Begins an answer; `stop` ends what writes it, too.
pub(super) fn begin(stop: &Cancel) -> (LineStream, Response) {
    let (sender, receiver) = mpsc::channel(MAX_BUFFERED_LINES);
    let cancel = stop.child();
    let body = Body::new(LineStreamBody { receiver, cancel: cancel.clone() });
    let response = ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response();
    (LineStream { sender, cancel }, response)
}

impl LineStream {
    /// Returns the flag that is raised when the reader goes away.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns when the reader has gone away.
    pub async fn closed(&self) {
        self.sender.closed().await;
    }

    /// Writes a line, unless the reader is slow and others wait: it is to be one that later ones make up for.
    pub fn write(&self, line: &impl Serialize) {
        let _ = self.sender.try_send(text(line));
    }

    /// Writes a line that must not be lost.
    pub async fn write_reliably(&self, line: &impl Serialize) {
        let _ = timeout(LAST_LINE_TIME, self.sender.send(text(line))).await;
    }
}

fn text(line: &impl Serialize) -> Bytes {
    // Views are made of texts, numbers and lists, which JSON has.
    let mut text = serde_json::to_vec(line).unwrap_or_default();
    text.push(b'\n');
    text.into()
}

struct LineStreamBody {
    receiver: mpsc::Receiver<Bytes>,
    cancel: Cancel,
}

impl hyper::body::Body for LineStreamBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.receiver.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}

impl Drop for LineStreamBody {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
