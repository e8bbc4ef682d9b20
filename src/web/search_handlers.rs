//! The questions that take a search. Each answers in lines while it goes on:
//!
//! ```text
//! {"waiting":2}                  it waits; so many came before it and wait, too
//! {"thought":{..}}               what is found so far; of a graph with its "ply"
//! {"done":{"cut":false}}         the end: cut short for others, or by the end of the server, or not
//! {"error":"..."}                instead of the end
//! ```

use std::net::{IpAddr, Ipv4Addr};
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
use super::request::{GameRequest, read, run_blocking};
use super::server::Client;
use crate::game::{AnyGame, Game, LEVELS, Limits};

/// How long a search has its turn to itself when one other waits, and how long when ever so many do.
const SLICE: Duration = Duration::from_secs(1);
const MIN_SLICE: Duration = Duration::from_millis(200);
/// How often it looks whether others do.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The longest time for the value of every move.
const VALUES_TIME: Duration = Duration::from_secs(6);
/// Othello is solved from so many empty squares, and for every move from so many.
const SOLVE_FROM: u32 = 20;
const SOLVE_ALL_FROM: u32 = 16;
/// How each position of a graph is judged.
const GRAPH_LEVEL: u32 = 8;
const GRAPH_POSITION_TIME: Duration = Duration::from_millis(200);
/// The highest level of which every move is there in a moment.
const QUICK_LEVEL: u32 = 8;
/// How long a graph may take altogether.
const GRAPH_TOTAL_TIME: Duration = Duration::from_secs(60);
/// How long a search may wait.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(120);
/// The most lines.
const MAX_LINES: usize = 10;

/// A game that is to be thought about.
#[derive(Debug, Deserialize)]
struct SearchRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The level of play.
    #[serde(default)]
    level: Option<u32>,
    /// The longest time, in milliseconds; there is a limit to it anyway.
    #[serde(default)]
    time_ms: Option<u64>,
    /// How many lines are wanted.
    #[serde(default)]
    lines: Option<usize>,
    /// The first ply of a graph.
    #[serde(default)]
    from: usize,
}

/// Chooses a move at a level; when it takes long, others may search beside it.
pub(super) async fn choose(State(site): State<AppState>, request: Request) -> Result<Response, ApiError> {
    begin(site, request, |asked, game, most| {
        let level = asked
            .level
            .filter(|level| (1..=LEVELS).contains(level))
            .ok_or_else(|| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("levels are from 1 to {LEVELS}")))?;
        let kind = if level <= QUICK_LEVEL { SearchKind::QuickMove } else { SearchKind::Move };
        Ok((kind, Limits { time: Some(time(asked, most)), ..game.level(level) }))
    })
    .await
}

/// Thinks until the time is over.
pub(super) async fn analyze(State(site): State<AppState>, request: Request) -> Result<Response, ApiError> {
    begin(site, request, |asked, _, most| {
        let lines = asked.lines.unwrap_or(1).clamp(1, MAX_LINES);
        let time = Some(time(asked, most));
        Ok((SearchKind::Analysis, Limits { time, lines, exact_from: Some(SOLVE_FROM), ..Limits::default() }))
    })
    .await
}

/// Finds what every move is worth.
pub(super) async fn values(State(site): State<AppState>, request: Request) -> Result<Response, ApiError> {
    begin(site, request, |asked, _, most| {
        let time = Some(time(asked, most.min(VALUES_TIME)));
        let limits = Limits { time, lines: usize::MAX, exact_from: Some(SOLVE_ALL_FROM), ..Limits::default() };
        Ok((SearchKind::Analysis, limits))
    })
    .await
}

/// Returns who asks.
fn client(request: &Request) -> IpAddr {
    request.extensions().get().map_or(Ipv4Addr::LOCALHOST.into(), |&Client(address)| address)
}

fn time(asked: &SearchRequest, most: Duration) -> Duration {
    asked.time_ms.map_or(most, |time| Duration::from_millis(time.max(1)).min(most))
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchKind {
    /// A game waits for its move: it is not cut short, and lends its turn.
    Move,
    /// So does one here, and has it in a moment: it waits for no long ones.
    QuickMove,
    /// Somebody looks on: it is cut short when others wait, and can be asked for again.
    Analysis,
    /// A small one of many.
    Graph,
}

/// Begins the answer to a question that is one search.
async fn begin(
    site: AppState,
    request: Request,
    limits: impl FnOnce(&SearchRequest, &dyn AnyGame, Duration) -> Result<(SearchKind, Limits), ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let client = client(&request);
    let asked: SearchRequest = read(request).await?;
    let (lines, response) = line_stream::begin(site.stop());
    let most = site.most_time();
    let (game, (kind, limits)) = run_blocking(move || {
        let session = asked.game.session()?;
        let limits = limits(&asked, session.rules(), most)?;
        Ok((session.game().clone(), limits))
    })
    .await?;
    tokio::spawn(async move {
        let asked = SearchJob { client, kind, ply: None };
        if let Some(cut) = search(&site, game, limits, &asked, &lines).await {
            lines.write_reliably(&json!({ "done": { "cut": cut } })).await;
        }
    });
    Ok(response)
}

/// Judges each position of a game, from one ply on.
pub(super) async fn graph(State(site): State<AppState>, request: Request) -> Result<Response, ApiError> {
    let client = client(&request);
    let asked: SearchRequest = read(request).await?;
    let (lines, response) = line_stream::begin(site.stop());
    let from = asked.from;
    let session = run_blocking(move || asked.game.session()).await?;
    tokio::spawn(async move {
        let (begun, mut cut) = (Instant::now(), false);
        let limits = Limits { time: Some(GRAPH_POSITION_TIME), ..session.rules().level(GRAPH_LEVEL) };
        for ply in from..=session.game().moves().len() {
            cut |= begun.elapsed() >= GRAPH_TOTAL_TIME;
            if cut {
                break;
            }
            let asked = SearchJob { client, kind: SearchKind::Graph, ply: Some(ply) };
            match search(&site, session.game().up_to(ply), limits, &asked, &lines).await {
                Some(is_cut) => cut = is_cut,
                None => return,
            }
        }
        lines.write_reliably(&json!({ "done": { "cut": cut } })).await;
    });
    Ok(response)
}

const BUSY: &str = "too many searches wait: try again later";

/// A search that is asked for.
struct SearchJob {
    client: IpAddr,
    kind: SearchKind,
    /// The ply that it is told with.
    ply: Option<usize>,
}

/// Waits for a turn and searches; returns whether the search was cut short. `None` if nobody reads any more, or after an
/// error, which is told.
async fn search(site: &AppState, game: Game, limits: Limits, asked: &SearchJob, lines: &LineStream) -> Option<bool> {
    let &SearchJob { client, kind, ply } = asked;
    let turns = if kind == SearchKind::QuickMove { &site.quick_queue } else { &site.queue };
    let Ok(turn) = turns.join(client, kind == SearchKind::Move) else {
        lines.write_reliably(&json!({ "error": BUSY })).await;
        return None;
    };
    let mut look = interval(POLL_INTERVAL);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut told = None;
    let mut patience = pin!(sleep(QUEUE_TIMEOUT));
    loop {
        tokio::select! {
            biased;
            () = turn.until_started() => break,
            () = lines.closed() => return None,
            () = &mut patience => {
                lines.write_reliably(&json!({ "error": BUSY })).await;
                return None;
            }
            _ = look.tick() => {
                let before = turn.place_in_queue();
                if told.replace(before) != Some(before) {
                    lines.write(&json!({ "waiting": before }));
                }
            }
        }
    }
    let cancel = lines.cancel().child();
    let mut cut = false;
    let mut work = spawn_blocking({
        let (site, lines, cancel) = (site.clone(), lines.clone(), cancel.clone());
        move || {
            let tell = |thought| lines.write(&json!({ "thought": thought, "ply": ply }));
            site.searchers(game.start().game()).search(&game, &limits, &cancel, &mut |thought| {
                if ply.is_none() {
                    tell(thought)
                }
            })
        }
    });
    let begun = Instant::now();
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            _ = look.tick() => {
                let waiting = u32::try_from(turns.waiting()).unwrap_or(u32::MAX);
                if waiting > 0 && begun.elapsed() >= (SLICE / waiting).max(MIN_SLICE) {
                    if kind == SearchKind::Analysis {
                        cut |= !cancel.is_cancelled();
                        cancel.cancel();
                    } else {
                        turn.yield_slot();
                    }
                }
            }
        }
    };
    drop(turn);
    let error = match done {
        Ok(Ok(thought)) => {
            lines.write_reliably(&json!({ "thought": thought, "ply": ply })).await;
            return Some(cut || lines.cancel().is_cancelled());
        }
        Ok(Err(error)) => error_line(&error),
        Err(_) => "this failed, and should not have".to_owned(),
    };
    lines.write_reliably(&json!({ "error": error })).await;
    None
}
