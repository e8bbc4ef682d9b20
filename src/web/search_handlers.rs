//! Handlers of the requests that search. Each streams lines while the search runs:
//!
//! ```text
//! {"waiting":2}                  queued; two searches are ahead
//! {"thought":{..}}               the result so far; for a graph with its "ply"
//! {"done":{"cut":false}}         the end; "cut" if it was cut short for other searches or by the end of the server
//! {"error":"..."}                instead of the end
//! ```

use std::net::IpAddr;
use std::pin::pin;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::api_error::{ApiError, error_line};
use super::app_state::AppState;
use super::line_stream::{self, LineStream};
use super::request::{BUSY, GameRequest, client, read, run_blocking};
use super::search_queue::QueueFull;
use crate::game::{AnyGame, Game, LEVELS, Limits};

/// How long a search runs undisturbed while one other waits. The more wait, the shorter, down to `MIN_SLICE`.
const SLICE: Duration = Duration::from_secs(1);
const MIN_SLICE: Duration = Duration::from_millis(200);
/// How often the queue is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The longest time to evaluate every move.
const VALUES_TIME: Duration = Duration::from_secs(6);
/// The numbers of empty squares from which Othello is solved, for one line and for every move.
const SOLVE_FROM: u32 = 20;
const SOLVE_ALL_FROM: u32 = 16;
/// The level and time limit for each position of a graph.
const GRAPH_LEVEL: u32 = 8;
const GRAPH_POSITION_TIME: Duration = Duration::from_millis(200);
/// The highest level whose moves take almost no time.
const QUICK_LEVEL: u32 = 8;
/// The longest time for a whole graph.
const GRAPH_TOTAL_TIME: Duration = Duration::from_secs(60);
/// How long a search may be queued.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(120);
/// The largest number of lines of play.
const MAX_LINES: usize = 10;

/// A game to search.
#[derive(Debug, Deserialize)]
struct SearchRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The level of play.
    #[serde(default)]
    level: Option<u32>,
    /// The time limit in milliseconds, at most that of the server.
    #[serde(default)]
    time_ms: Option<u64>,
    /// The number of lines of play.
    #[serde(default)]
    lines: Option<usize>,
    /// The first ply of a graph.
    #[serde(default)]
    from: usize,
}

/// Chooses a move at a level. Others may search beside a long search.
pub(super) async fn choose(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    begin(state, request, |asked, game, max_time| {
        let level = asked
            .level
            .filter(|level| (1..=LEVELS).contains(level))
            .ok_or_else(|| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("levels are from 1 to {LEVELS}")))?;
        let kind = if level <= QUICK_LEVEL { SearchKind::QuickMove } else { SearchKind::Move };
        Ok((kind, game.level(level).with_time(time(asked, max_time)).for_move()))
    })
    .await
}

/// Analyzes a position until the time is over.
pub(super) async fn analyze(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    begin(state, request, |asked, _, max_time| {
        let lines = asked.lines.unwrap_or(1).clamp(1, MAX_LINES);
        let time = Some(time(asked, max_time));
        Ok((SearchKind::Analysis, Limits { time, lines, exact_from: Some(SOLVE_FROM), ..Limits::default() }))
    })
    .await
}

/// Evaluates every move.
pub(super) async fn values(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    begin(state, request, |asked, _, max_time| {
        let time = Some(time(asked, max_time.min(VALUES_TIME)));
        let limits = Limits { time, lines: usize::MAX, exact_from: Some(SOLVE_ALL_FROM), ..Limits::default() };
        Ok((SearchKind::Analysis, limits))
    })
    .await
}

fn time(asked: &SearchRequest, max_time: Duration) -> Duration {
    asked.time_ms.map_or(max_time, |time| Duration::from_millis(time.max(1)).min(max_time))
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchKind {
    /// An engine move. It is not cut short, but others may run beside it.
    Move,
    /// An engine move at a low level. It does not wait for long searches.
    QuickMove,
    /// An analysis. It is cut short when others wait, and the client asks again.
    Analysis,
    /// A short search of a graph.
    Graph,
}

/// Begins the response to a request for one search.
async fn begin(
    state: AppState,
    request: Request,
    limits: impl FnOnce(&SearchRequest, &dyn AnyGame, Duration) -> Result<(SearchKind, Limits), ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let client = client(&request);
    let asked: SearchRequest = read(request).await?;
    let (lines, response) = line_stream::begin(state.stop());
    let max_time = state.max_time();
    let (game, (kind, limits)) = run_blocking(&state, client, move || {
        let session = asked.game.session()?;
        let limits = limits(&asked, session.rules(), max_time)?;
        Ok((session.game().clone(), limits))
    })
    .await?;
    tokio::spawn(async move {
        let job = SearchJob { client, kind, ply: None };
        if let Some(cut) = search(&state, game, limits, &job, &lines).await {
            lines.write_reliably(&json!({ "done": { "cut": cut } })).await;
        }
    });
    Ok(response)
}

/// Evaluates each position of a game from the ply `from`.
pub(super) async fn graph(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    let client = client(&request);
    let asked: SearchRequest = read(request).await?;
    let (lines, response) = line_stream::begin(state.stop());
    let from = asked.from;
    let session = run_blocking(&state, client, move || asked.game.session()).await?;
    tokio::spawn(async move {
        let (started, mut cut) = (Instant::now(), false);
        let limits = Limits { time: Some(GRAPH_POSITION_TIME), ..session.rules().level(GRAPH_LEVEL) };
        for ply in from..=session.game().moves().len() {
            cut |= started.elapsed() >= GRAPH_TOTAL_TIME;
            if cut {
                break;
            }
            let job = SearchJob { client, kind: SearchKind::Graph, ply: Some(ply) };
            match search(&state, session.game().up_to(ply), limits, &job, &lines).await {
                Some(is_cut) => cut = is_cut,
                None => return,
            }
        }
        lines.write_reliably(&json!({ "done": { "cut": cut } })).await;
    });
    Ok(response)
}

/// A search for a request.
struct SearchJob {
    client: IpAddr,
    kind: SearchKind,
    /// The ply of a graph, which is reported with the result.
    ply: Option<usize>,
}

/// Waits in the queue and searches; returns whether the search was cut short. Returns `None` if the reader has disconnected, or after writing
/// an error.
async fn search(state: &AppState, game: Game, limits: Limits, job: &SearchJob, lines: &LineStream) -> Option<bool> {
    let &SearchJob { client, kind, ply } = job;
    let queue = if kind == SearchKind::QuickMove { &state.quick_queue } else { &state.queue };
    let Ok(ticket) = queue.join(client, kind == SearchKind::Move) else {
        lines.write_reliably(&json!({ "error": BUSY })).await;
        return None;
    };
    let mut poll = interval(POLL_INTERVAL);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_place = None;
    let mut deadline = pin!(sleep(QUEUE_TIMEOUT));
    loop {
        tokio::select! {
            biased;
            started = ticket.until_started() => match started {
                Ok(()) => break,
                Err(QueueFull) => {
                    lines.write_reliably(&json!({ "error": BUSY })).await;
                    return None;
                }
            },
            () = lines.closed() => return None,
            () = &mut deadline => {
                lines.write_reliably(&json!({ "error": BUSY })).await;
                return None;
            }
            _ = poll.tick() => {
                let place = ticket.place_in_queue();
                if last_place.replace(place) != Some(place) {
                    lines.write(&json!({ "waiting": place }));
                }
            }
        }
    }
    let cancel = lines.cancel().child();
    let mut cut = false;
    let mut work = spawn_blocking({
        let (state, lines, cancel) = (state.clone(), lines.clone(), cancel.clone());
        move || {
            state.searchers(game.start().game()).search(&game, &limits, &cancel, &mut |thought| {
                if ply.is_none() {
                    lines.write(&json!({ "thought": thought, "ply": ply }));
                }
            })
        }
    });
    let started = Instant::now();
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            _ = poll.tick() => {
                let waiting = u32::try_from(queue.waiting()).unwrap_or(u32::MAX);
                if waiting > 0 && started.elapsed() >= (SLICE / waiting).max(MIN_SLICE) {
                    if kind == SearchKind::Analysis {
                        cut |= !cancel.is_cancelled();
                        cancel.cancel();
                    } else {
                        ticket.yield_slot();
                    }
                }
            }
        }
    };
    drop(ticket);
    let error = match done {
        Ok(Ok(thought)) => {
            lines.write_reliably(&json!({ "thought": thought, "ply": ply })).await;
            return Some(cut || lines.cancel().is_cancelled());
        }
        Ok(Err(error)) => error_line(&error),
        Err(_) => "internal error".to_owned(),
    };
    lines.write_reliably(&json!({ "error": error })).await;
    None
}
