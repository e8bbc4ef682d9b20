//! Request handlers. Each waits for its turn and responds with the result of the service.

use std::convert::Infallible;
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Bytes, Frame, SizeHint};
use morello_core::game::Cancel;
use tokio::time::timeout;

use super::api_error::{ApiError, json};
use super::app_state::{AppState, LARGE_RESPONSES_OF_CLIENT};
use super::jobs::{self, run_in_turn};
use super::large_items::LargeItem;
use super::request::{client, is_short, read_body};
use super::search_queue::{QueueFull, QueueTicket, SearchQueue};
use crate::service::{Answer, Json, LaterAnswer, MAX_BODY_BYTES, ServiceError, max_bytes, takes_file};

/// How long a response without searches may take, such as the games of a file.
const WORK_TIME: Duration = Duration::from_secs(3);
/// The size of the parts in which a large response is sent.
const PART_BYTES: usize = 64 << 10;

/// How long a request without a streamed response may be queued.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a file may be queued: others may take `WORK_TIME` each.
const FILE_QUEUE_TIMEOUT: Duration = Duration::from_secs(120);
/// How long the searches of a request without a streamed response may take, such as for an exercise.
const SEARCH_TIME: Duration = Duration::from_secs(20);

/// Handles a request with a body.
pub(super) async fn ask(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    let (client, path) = (client(&request), request.uri().path().to_owned());
    let is_large = max_bytes(&path) > MAX_BODY_BYTES && !is_short(&request, MAX_BODY_BYTES);
    let large = match is_large {
        true => Some(state.large_files.add(client, 1, FILE_QUEUE_TIMEOUT).await.ok_or(QueueFull)?),
        false => None,
    };
    let limit = if is_large { max_bytes(&path) } else { MAX_BODY_BYTES };
    let media_type = if takes_file(&path) { "application/octet-stream" } else { "application/json" };
    let body = read_body(request, media_type, limit).await?;
    // The hash keys are random numbers from the operating system.
    let question = state.service.read(&path, body, RandomState::new().hash_one(0))?;
    let (queue, wait) =
        if takes_file(&path) { (&state.file_queue, FILE_QUEUE_TIMEOUT) } else { (&state.work_queue, QUEUE_TIMEOUT) };
    let turn = Turn { queue, wait, stop: &state.stop, time: WORK_TIME, give_way: |_| () };
    let work = move |cancel: &Cancel| {
        let answer = question(cancel);
        // The file was in memory until now, even if the client has disconnected.
        drop(large);
        answer
    };
    let answer = turn.run(client, work).await?;
    match answer {
        // A large response stays in memory until the client has read it.
        Answer::Ready(text) if text.len() > MAX_BODY_BYTES => {
            let kibibytes = (text.len() >> 10).min(LARGE_RESPONSES_OF_CLIENT as usize) as u32;
            Ok(large_json(text, state.large_responses.try_add(client, kibibytes).ok_or(QueueFull)?))
        }
        answer => respond(state, client, answer).await,
    }
}

/// Handles a request without a body.
pub(super) async fn get(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    let answer = state.service.read(request.uri().path(), Vec::new(), 0)?(&state.stop)?;
    respond(state, client(&request), answer).await
}

async fn respond(state: Arc<AppState>, client: IpAddr, answer: Answer) -> Result<Response, ApiError> {
    match answer {
        Answer::Ready(text) => Ok(json(text)),
        Answer::Later(search) => Ok(json(answer_later(state, client, search).await?)),
        Answer::Lines(job) => Ok(jobs::respond(state, client, job)),
    }
}

async fn answer_later(state: Arc<AppState>, client: IpAddr, search: LaterAnswer) -> Result<Json, ApiError> {
    let turn = Turn {
        queue: &state.queue,
        wait: QUEUE_TIMEOUT,
        stop: &state.stop,
        time: SEARCH_TIME,
        give_way: QueueTicket::yield_slot,
    };
    turn.run(client, {
        let state = Arc::clone(&state);
        move |cancel| search(&state.service, cancel)
    })
    .await
}

/// Cancels work when the client disconnects and nobody waits for it.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Responds with JSON, in parts, so that `large` is counted until nearly all of it is sent.
fn large_json(text: Json, large: LargeItem) -> Response {
    let body = LargeBody { rest: text.into(), _large: large };
    ([(header::CONTENT_TYPE, "application/json")], Body::new(body)).into_response()
}

struct LargeBody {
    rest: Bytes,
    _large: LargeItem,
}

impl hyper::body::Body for LargeBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.rest.len().min(PART_BYTES);
        Poll::Ready((length > 0).then(|| Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

/// How work waits for its turn, and how long it may take.
struct Turn<'a> {
    queue: &'a SearchQueue,
    wait: Duration,
    stop: &'a Cancel,
    time: Duration,
    /// What to do while others wait.
    give_way: fn(&QueueTicket),
}

impl Turn<'_> {
    /// Waits, and runs work on another thread. Cancels it when its time is over or when the client
    /// disconnects.
    async fn run<T: Send + 'static>(
        self,
        client: IpAddr,
        work: impl FnOnce(&Cancel) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let ticket = self.queue.join(client, true)?;
        timeout(self.wait, ticket.until_started()).await.map_err(|_| QueueFull)??;
        let cancel = CancelOnDrop(self.stop.child());
        let raised = cancel.0.clone();
        let mut running = pin!(run_in_turn(self.queue, ticket, self.give_way, move || work(&raised)));
        match timeout(self.time, &mut running).await {
            Ok(done) => Ok(done??),
            Err(_) => {
                cancel.0.cancel();
                Ok(running.await??)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn work_ends_when_its_client_leaves() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (queue, stop) = (SearchQueue::new(1, 8), Cancel::new());
        let (ended, end) = channel();
        let work = move |cancel: &Cancel| {
            while !cancel.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.send(()).expect("the test waits");
            Ok(())
        };
        let hour = Duration::from_secs(3600);
        let turn = Turn { queue: &queue, wait: hour, stop: &stop, time: hour, give_way: |_| () };
        // The server drops the future of a request whose client has left.
        let left = runtime
            .block_on(async { timeout(Duration::from_millis(100), turn.run(Ipv4Addr::LOCALHOST.into(), work)).await });
        assert!(left.is_err());
        end.recv_timeout(Duration::from_secs(60)).expect("the work ends");
        assert_eq!(queue.waiting(), 0);
    }
}
