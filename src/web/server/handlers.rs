//! Request handlers. Each waits for its turn and responds with the result of the service.

use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::Response;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::api_error::{ApiError, json, panicked};
use super::app_state::AppState;
use super::jobs;
use super::request::{client, is_short, read_body};
use super::search_queue::{QueueFull, QueueTicket};
use crate::service::{Answer, Json, LaterAnswer, MAX_BODY_BYTES, ServiceError, max_bytes, takes_file};

/// How long a request without a streamed response may be queued.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);

/// Handles a request with a body.
pub(super) async fn ask(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    let (client, path) = (client(&request), request.uri().path().to_owned());
    let is_large = max_bytes(&path) > MAX_BODY_BYTES && !is_short(&request, MAX_BODY_BYTES);
    let large = if is_large { Some(state.large_files.try_add(client).ok_or(QueueFull)?) } else { None };
    let limit = if is_large { max_bytes(&path) } else { MAX_BODY_BYTES };
    let media_type = if takes_file(&path) { "application/octet-stream" } else { "application/json" };
    let body = read_body(request, media_type, limit).await?;
    // The hash keys are random numbers from the operating system.
    let question = state.service.read(&path, &body, RandomState::new().hash_one(0))?;
    drop(body);
    let ticket = state.work_queue.join(client, true)?;
    ticket.until_started().await?;
    let answer = run_in_turn(ticket, move || {
        // The file stays in memory until it is read, even if the client disconnects.
        let _large = large;
        question()
    });
    respond(state, client, answer.await?).await
}

/// Handles a request without a body.
pub(super) async fn get(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    let answer = state.service.read(request.uri().path(), &[], 0)?()?;
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
    let ticket = state.queue.join(client, true)?;
    timeout(QUEUE_TIMEOUT, ticket.until_started()).await.map_err(|_| QueueFull)??;
    run_in_turn(ticket, move || search(&state.service, &state.stop)).await
}

/// Runs work on another thread. The work keeps its turn until it ends, even if the client
/// disconnects.
async fn run_in_turn<T: Send + 'static>(
    ticket: QueueTicket,
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = spawn_blocking(move || {
        let _ticket = ticket;
        work()
    });
    Ok(done.await.map_err(panicked)??)
}
