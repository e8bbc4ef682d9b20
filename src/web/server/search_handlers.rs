//! Handlers of the requests that search. Each streams lines while the search runs:
//!
//! ```text
//! {"waiting":2}                  queued; two searches are ahead
//! {"thought":{..}}               the result so far; the last one for a move has the chosen "move"
//! {"done":{"cut":false}}         the end; "cut" if it was cut short for other searches or by the end of the server
//! {"error":"..."}                instead of the end
//! ```

use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::response::Response;
use morello_core::game::{AnyGame, Game, Level, Limits, ParseLevelError, RandomNumbers};
use serde::Deserialize;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::api_error::ApiError;
use super::app_state::AppState;
use super::line_stream::{self, LineStream};
use super::request::{GameRequest, client, panicked, read, run_blocking};
use super::search_queue::{QueueFull, QueueTicket, SearchQueue};

/// How long a search runs undisturbed while one other waits. The more wait, the shorter, down to
/// `MIN_SLICE`.
const SLICE: Duration = Duration::from_secs(1);
const MIN_SLICE: Duration = Duration::from_millis(200);
/// How often the queue is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The longest time to evaluate every move.
const VALUES_TIME: Duration = Duration::from_secs(6);
/// The numbers of empty squares from which Othello is solved, for one line and for every move.
const SOLVE_FROM: u32 = 20;
const SOLVE_ALL_FROM: u32 = 16;
/// The first level whose moves take some time.
const QUICK_LEVEL: u32 = 9;
/// How long a search may be queued.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(120);
/// The largest number of lines of play.
const MAX_LINES: usize = 10;

/// A game to search.
#[derive(Debug, Deserialize)]
struct SearchRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The level of play: a number, or a name.
    level: Option<RequestedLevel>,
    /// The time limit in milliseconds, at most that of the server.
    time_ms: Option<u64>,
    /// The number of lines of play.
    lines: Option<usize>,
}

/// A level in a request: 5, "5" or "casual".
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RequestedLevel {
    Number(u32),
    Text(String),
}

impl RequestedLevel {
    fn level(&self) -> Result<Level, ParseLevelError> {
        match self {
            Self::Number(number) => number.to_string().parse(),
            Self::Text(text) => text.parse(),
        }
    }
}

/// The limits and the purpose of a search.
struct SearchPlan {
    kind: SearchKind,
    limits: Limits,
    /// The level that chooses the move.
    level: Option<Level>,
}

/// Chooses a move at a level. A level by name draws among all moves. Others may search beside a
/// long search.
pub(super) async fn choose(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    begin(state, request, |asked, game, max_time| {
        let level = asked.level.as_ref().map_or(Err(ParseLevelError), RequestedLevel::level)?;
        let kind = match level {
            Level::Number(QUICK_LEVEL..) => SearchKind::Move,
            _ => SearchKind::QuickMove,
        };
        Ok(SearchPlan { kind, limits: level.limits(game).with_time(time(asked, max_time)), level: Some(level) })
    })
    .await
}

/// Analyzes a position until the time is over.
pub(super) async fn analyze(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    begin(state, request, |asked, _, max_time| {
        let lines = asked.lines.unwrap_or(1).clamp(1, MAX_LINES);
        let time = Some(time(asked, max_time));
        let limits = Limits { time, lines, exact_from: Some(SOLVE_FROM), ..Limits::default() };
        Ok(SearchPlan { kind: SearchKind::Analysis, limits, level: None })
    })
    .await
}

/// Evaluates every move.
pub(super) async fn values(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    begin(state, request, |asked, _, max_time| {
        let time = Some(time(asked, max_time.min(VALUES_TIME)));
        let limits = Limits { time, lines: usize::MAX, exact_from: Some(SOLVE_ALL_FROM), ..Limits::default() };
        Ok(SearchPlan { kind: SearchKind::Analysis, limits, level: None })
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
}

/// Begins the response to a request for one search.
async fn begin(
    state: Arc<AppState>,
    request: Request,
    plan: fn(&SearchRequest, &dyn AnyGame, Duration) -> Result<SearchPlan, ApiError>,
) -> Result<Response, ApiError> {
    let client = client(&request);
    let asked: SearchRequest = read(request).await?;
    let max_time = state.max_time;
    let (game, plan) = run_blocking(&state, client, move || {
        let session = asked.game.session()?;
        let plan = plan(&asked, session.rules(), max_time)?;
        Ok((session.game().clone(), plan))
    })
    .await?;
    let stop = state.stop.clone();
    Ok(line_stream::respond(&stop, async move |lines| {
        let cut = search(&state, game, plan, client, &lines).await?;
        lines.write_reliably(&json!({ "done": { "cut": cut } })).await;
        Ok(())
    }))
}

/// Waits until a search may start; reports the place in the queue on the way. Fails if it has to
/// wait too long, loses its place, or the reader has disconnected.
pub(super) async fn wait_in_queue(
    queue: &SearchQueue,
    client: IpAddr,
    urgent: bool,
    lines: &LineStream,
) -> Result<QueueTicket, QueueFull> {
    let ticket = queue.join(client, urgent)?;
    let mut poll = interval(POLL_INTERVAL);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_place = None;
    let mut given_up = pin!(timeout(QUEUE_TIMEOUT, lines.closed()));
    loop {
        tokio::select! {
            biased;
            started = ticket.until_started() => return started.map(|()| ticket),
            _ = &mut given_up => return Err(QueueFull),
            _ = poll.tick() => {
                let place = ticket.place_in_queue();
                if last_place.replace(place) != Some(place) {
                    lines.write(&json!({ "waiting": place }));
                }
            }
        }
    }
}

/// Waits in the queue and searches; returns whether the search was cut short.
async fn search(
    state: &Arc<AppState>,
    game: Game,
    plan: SearchPlan,
    client: IpAddr,
    lines: &LineStream,
) -> Result<bool, ApiError> {
    let SearchPlan { kind, limits, level } = plan;
    let scoring = game.start().game().info().scoring;
    let queue = if kind == SearchKind::QuickMove { &state.quick_queue } else { &state.queue };
    let ticket = wait_in_queue(queue, client, kind == SearchKind::Move, lines).await?;
    let mut poll = interval(POLL_INTERVAL);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let cancel = lines.cancel.child();
    let mut cut = false;
    let mut work = spawn_blocking({
        let (state, lines, cancel) = (Arc::clone(state), lines.clone(), cancel.clone());
        move || {
            state.searchers(game.start().game()).search(&game, &limits, &cancel, &mut |thought| {
                lines.write(&json!({ "thought": thought }));
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
    let thought = done.map_err(panicked)??;
    let scores: Vec<_> = thought.lines.iter().map(|line| line.score.points).collect();
    // Different random numbers for every move.
    let mut random = RandomNumbers::new(RandomState::new().hash_one(0));
    let chosen = level.map(|level| level.choose(scoring, &scores, &mut random));
    let chosen = chosen.and_then(|line| thought.lines[line].moves.first());
    lines.write_reliably(&json!({ "thought": thought, "move": chosen })).await;
    Ok(cut || lines.cancel.is_cancelled())
}
