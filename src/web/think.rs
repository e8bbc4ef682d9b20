//! The questions that take a search. Each answers in lines while it goes on:
//!
//! ```text
//! {"waiting":2}                  so many are before it
//! {"thought":{..}}               what is found so far; of a graph with its "ply"
//! {"done":{"cut":false}}         the end: cut short for others, or by the end of the server, or not
//! {"error":"..."}                instead of the end
//! ```

use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use super::ask::{self, Think};
use super::lines::{self, Lines};
use super::refusal::{Refusal, in_words};
use super::site::{Site, aside};
use crate::game::{LEVELS, Limits};
use crate::session::AnySession;

/// How long a search that can be cut short goes on when others wait.
const SLICE: Duration = Duration::from_secs(1);
/// How often it looks whether others do.
const LOOK: Duration = Duration::from_millis(50);
/// The longest time for the value of every move.
const VALUES_TIME: Duration = Duration::from_secs(6);
/// Othello is solved from so many empty squares, and for every move from so many.
const SOLVE_FROM: u32 = 20;
const SOLVE_ALL_FROM: u32 = 16;
/// How each position of a graph is judged.
const GRAPH_LEVEL: u32 = 8;
const GRAPH_TIME: Duration = Duration::from_millis(200);
/// The most lines.
const MOST_LINES: usize = 10;

/// Chooses a move at a level; others wait until it is chosen.
pub(super) async fn choose(State(site): State<Site>, request: Request) -> Result<Response, Refusal> {
    begin(site, request, false, |asked, session, most| {
        let level = asked
            .level
            .filter(|level| (1..=LEVELS).contains(level))
            .ok_or_else(|| Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, format!("levels are from 1 to {LEVELS}")))?;
        Ok(Limits { time: Some(time(asked, most)), ..session.level(level) })
    })
    .await
}

/// Thinks until the time is over.
pub(super) async fn analyze(State(site): State<Site>, request: Request) -> Result<Response, Refusal> {
    begin(site, request, true, |asked, _, most| {
        let lines = asked.lines.unwrap_or(1).clamp(1, MOST_LINES);
        Ok(Limits { time: Some(time(asked, most)), lines, exact_from: Some(SOLVE_FROM), ..Limits::default() })
    })
    .await
}

/// Finds what every move is worth.
pub(super) async fn values(State(site): State<Site>, request: Request) -> Result<Response, Refusal> {
    begin(site, request, true, |asked, _, most| {
        let time = time(asked, most.min(VALUES_TIME));
        Ok(Limits { time: Some(time), lines: usize::MAX, exact_from: Some(SOLVE_ALL_FROM), ..Limits::default() })
    })
    .await
}

fn time(asked: &Think, most: Duration) -> Duration {
    asked.time_ms.map_or(most, |time| Duration::from_millis(time.max(1)).min(most))
}

/// Begins the answer to a question that is one search; `may_be_cut` when others wait.
async fn begin(
    site: Site,
    request: Request,
    may_be_cut: bool,
    limits: impl FnOnce(&Think, &dyn AnySession, Duration) -> Result<Limits, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    let asked: Think = ask::read(request).await?;
    let (lines, response) = lines::begin(site.stop());
    let (session, limits) = aside({
        let site = site.clone();
        move || {
            let session = ask::session(&site, &asked.told)?;
            let limits = limits(&asked, &*session, site.most_time())?;
            Ok((session, limits))
        }
    })
    .await?;
    tokio::spawn(async move {
        if let Some((_, cut)) = search(&site, session, limits, may_be_cut, &lines, None).await {
            lines.write_surely(&json!({ "done": { "cut": cut } })).await;
        }
    });
    Ok(response)
}

/// Judges each position of a game, from one ply on.
pub(super) async fn graph(State(site): State<Site>, request: Request) -> Result<Response, Refusal> {
    let asked: Think = ask::read(request).await?;
    let (lines, response) = lines::begin(site.stop());
    let from = asked.from;
    let (mut session, plies) = aside({
        let site = site.clone();
        move || {
            let session = ask::session(&site, &asked.told)?;
            let plies = session.view().ply;
            Ok((session, plies))
        }
    })
    .await?;
    tokio::spawn(async move {
        for ply in from..=plies {
            session.jump(ply);
            let limits = Limits { time: Some(GRAPH_TIME), ..session.level(GRAPH_LEVEL) };
            match search(&site, session, limits, false, &lines, Some(ply)).await {
                Some((back, _)) => session = back,
                None => return,
            }
        }
        lines.write_surely(&json!({ "done": { "cut": false } })).await;
    });
    Ok(response)
}

/// Waits for a turn and searches; returns the session and whether the search was cut short. `None` if nobody reads any more, or after an
/// error, which is told.
async fn search(
    site: &Site,
    session: Box<dyn AnySession>,
    limits: Limits,
    may_be_cut: bool,
    lines: &Lines,
    ply: Option<usize>,
) -> Option<(Box<dyn AnySession>, bool)> {
    let waiting = site.turns.waiting();
    if waiting > 0 {
        lines.write(&json!({ "waiting": waiting }));
    }
    let turn = tokio::select! {
        turn = site.turns.take() => turn,
        () = lines.closed() => return None,
    };
    let Ok(turn) = turn else {
        lines.write_surely(&json!({ "error": "too many searches wait: try again later" })).await;
        return None;
    };
    let cancel = lines.cancel().child();
    let mut cut = false;
    let mut work = spawn_blocking({
        let (lines, cancel) = (lines.clone(), cancel.clone());
        move || {
            let tell = |thought| lines.write(&json!({ "thought": thought, "ply": ply }));
            let thought = session.think(&limits, &cancel, &mut |thought| {
                if ply.is_none() {
                    tell(thought)
                }
            });
            (session, thought)
        }
    });
    let begun = Instant::now();
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            _ = look.tick() => {
                if may_be_cut && begun.elapsed() >= SLICE && site.turns.waiting() > 0 && !cancel.is_cancelled() {
                    cut = true;
                    cancel.cancel();
                }
            }
        }
    };
    drop(turn);
    let error = match done {
        Ok((session, Ok(thought))) => {
            lines.write_surely(&json!({ "thought": thought, "ply": ply })).await;
            return Some((session, cut || site.stop().is_cancelled()));
        }
        Ok((_, Err(error))) => in_words(&error),
        Err(_) => "this failed, and should not have".to_owned(),
    };
    lines.write_surely(&json!({ "error": error })).await;
    None
}
