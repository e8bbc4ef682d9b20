//! [`LineStream`]: a streamed response of JSON lines, whose reader may disconnect.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use morello_core::game::Cancel;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::api_error::ApiError;
use crate::service::{Json, to_json};

/// The number of lines that are buffered for a slow reader.
const MAX_BUFFERED_LINES: usize = 4;
/// How long [`write_reliably`](LineStream::write_reliably) waits for a slow reader.
const LAST_LINE_TIME: Duration = Duration::from_secs(10);

/// The writing end of the stream.
#[derive(Clone)]
pub(super) struct LineStream {
    sender: mpsc::Sender<Bytes>,
    /// Raised when the reader disconnects.
    pub cancel: Cancel,
}

/// Responds with the lines that `write` writes in a separate task, and with its error if it fails.
/// The stream's flag is raised when the reader disconnects, or with `stop`.
pub(super) fn respond<W>(stop: &Cancel, write: impl FnOnce(LineStream) -> W) -> Response
where
    W: Future<Output = Result<(), ApiError>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(MAX_BUFFERED_LINES);
    let lines = LineStream { sender, cancel: stop.child() };
    let body = Body::new(LineStreamBody { receiver, cancel: lines.cancel.clone() });
    let written = write(lines.clone());
    tokio::spawn(async move {
        if let Err(error) = written.await {
            lines.write_reliably([to_json(&error.explanation)]).await;
        }
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}

impl LineStream {
    /// Waits until the reader has disconnected.
    pub async fn closed(&self) {
        self.sender.closed().await;
    }

    /// Writes a line, or drops it if the buffer is full. Use this for lines that later lines
    /// replace.
    pub fn write(&self, line: Json) {
        let _ = self.sender.try_send(ended(line));
    }

    /// Writes lines, and waits for a slow reader if the buffer is full.
    pub async fn write_reliably(&self, lines: impl IntoIterator<Item = Json>) {
        for line in lines {
            let _ = timeout(LAST_LINE_TIME, self.sender.send(ended(line))).await;
        }
    }
}

fn ended(mut line: Json) -> Bytes {
    line.push(b'\n');
    line.into()
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
