//! The bodies of requests, and the games in them.

use std::any::Any;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Bytes;
use morello_core::game::AnyGame;
use morello_core::games;
use morello_play::session::Session;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::timeout;

use super::api_error::{ApiError, json};
use super::app_state::AppState;
use super::listener::Client;
use super::search_queue::QueueTicket;

/// The longest body, in bytes.
pub(crate) const MAX_BODY_BYTES: usize = 64 << 10;
/// The longest time to receive a body.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The longest game, in plies.
const MAX_PLIES: usize = 2000;

/// A game in a request.
#[derive(Debug, Deserialize)]
pub(super) struct GameRequest {
    /// The name of the game.
    pub game: String,
    /// The start position; `None` is the usual start.
    pub start: Option<String>,
    /// The moves, including passes.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The number of moves to play; `None` plays all.
    pub ply: Option<usize>,
}

/// Makes the handler of a request that needs no search: `answer` returns the response to its body.
pub(super) fn handler<B, R>(answer: fn(B) -> Result<R, ApiError>) -> MethodRouter<Arc<AppState>>
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + 'static,
{
    erased_handler(Arc::new(move |bytes: &[u8]| {
        let body = parse(bytes)?;
        Ok(Box::new(move || Ok(json(&answer(body)?))) as DeferredResponse)
    }))
}

/// Returns the response to a parsed request.
type DeferredResponse = Box<dyn FnOnce() -> Result<Response, ApiError> + Send>;

/// Parses the body of a request.
type ParseRequest = dyn Fn(&[u8]) -> Result<DeferredResponse, ApiError> + Send + Sync;

fn erased_handler(parse: Arc<ParseRequest>) -> MethodRouter<Arc<AppState>> {
    post(move |State(state): State<Arc<AppState>>, request: Request| async move {
        let client = client(&request);
        let answer = parse(&read_json(request).await?)?;
        run_blocking(&state, client, answer).await
    })
}

/// The future of an asynchronous handler.
pub(super) type Responding = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send>>;

/// Makes the handler of a request that searches. One type, since each would be another copy of the
/// layers of the server.
pub(super) fn asynchronous(handler: fn(State<Arc<AppState>>, Request) -> Responding) -> MethodRouter<Arc<AppState>> {
    post(handler)
}

/// Reads the JSON body of a request.
pub(super) async fn read<T: DeserializeOwned>(request: Request) -> Result<T, ApiError> {
    parse(&read_json(request).await?)
}

async fn read_json(request: Request) -> Result<Bytes, ApiError> {
    read_bytes(request, "application/json", MAX_BODY_BYTES).await
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes)
        .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, format!("malformed request: {error}")))
}

/// Reads the body of a request, which must have a media type.
///
/// Browsers send no cross-origin request of these types without a CORS preflight, which the server
/// does not allow.
pub(super) async fn read_bytes(request: Request, media_type: &str, limit: usize) -> Result<Bytes, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media_type) {
        let text = format!("the content type must be {media_type}");
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
    }
    let slow = |_| ApiError::new(StatusCode::REQUEST_TIMEOUT, "the request took too long");
    let body = Limited::new(request.into_body(), limit).collect();
    let body = timeout(BODY_TIME, body).await.map_err(slow)?.map_err(|error| {
        if error.is::<LengthLimitError>() {
            let text = format!("the request is longer than {limit} bytes");
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, text)
        } else {
            ApiError::new(StatusCode::BAD_REQUEST, "the request is incomplete")
        }
    })?;
    Ok(body.to_bytes())
}

impl GameRequest {
    /// Replays the game.
    pub fn session(&self) -> Result<Session, ApiError> {
        let mut session = new_session(&self.game)?;
        check_length(self.moves.len())?;
        session.resume(self.start.as_deref(), &self.moves)?;
        if let Some(ply) = self.ply {
            session.go_to_ply(ply);
        }
        Ok(session)
    }
}

/// Begins a game by its name.
pub(super) fn new_session(game: &str) -> Result<Session, ApiError> {
    find_game(game).map(Session::new)
}

/// Returns the game with this name.
pub(super) fn find_game(game: &str) -> Result<&'static dyn AnyGame, ApiError> {
    games::get(game).map_err(|_| ApiError::new(StatusCode::NOT_FOUND, format!("unknown game `{game}`")))
}

/// Rejects a game of too many plies.
pub(super) fn check_length(plies: usize) -> Result<(), ApiError> {
    if plies > MAX_PLIES {
        let text = format!("the game is longer than {MAX_PLIES} plies");
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, text));
    }
    Ok(())
}

/// Runs work of some milliseconds on another thread, in turn with the work of other clients.
pub(super) async fn run_blocking<T: Send + 'static>(
    state: &AppState,
    client: IpAddr,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let ticket = state.work_queue.join(client, true)?;
    ticket.until_started().await?;
    run_in_turn(ticket, work).await
}

/// Runs work on another thread. It holds its turn to its end, even if the client disconnects.
pub(super) async fn run_in_turn<T: Send + 'static>(
    ticket: QueueTicket,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    run_erased(Box::new(move || {
        let _ticket = ticket;
        Box::new(work())
    }))
    .await?
    .downcast()
    .map_or_else(|_| unreachable!("the work returns this type"), |result: Box<Result<T, ApiError>>| *result)
}

/// Work and its result, of one type for all requests.
type ErasedWork = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;

async fn run_erased(work: ErasedWork) -> Result<Box<dyn Any + Send>, ApiError> {
    spawn_blocking(work).await.map_err(panicked)
}

/// Returns the error of a request whose work panicked.
pub(super) fn panicked(_: JoinError) -> ApiError {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
}

/// Returns the address of the client.
pub(super) fn client(request: &Request) -> IpAddr {
    request.extensions().get().map_or(Ipv4Addr::LOCALHOST.into(), |&Client(address)| address)
}
