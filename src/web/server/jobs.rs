//! Runs the searches of a request in turn with other requests, and streams its lines:
//!
//! ```text
//! {"waiting":2}                  queued; two searches are ahead
//! ..                             the lines of the job
//! {"error":"...","code":"..."}   instead of the end
//! ```

use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::Response;
use morello_core::game::Cancel;
use serde_json::json;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::api_error::ApiError;
use super::app_state::AppState;
use super::line_stream::{self, LineStream};
use super::search_queue::{QueueFull, QueueTicket, SearchQueue};
use super::system;
use crate::service::{Job, JobKind, Json, to_json};

/// How long a search runs undisturbed while one other search waits. The more searches wait, the
/// shorter this time, down to `MIN_SLICE`.
const SLICE: Duration = Duration::from_secs(1);
const MIN_SLICE: Duration = Duration::from_millis(200);
/// How often the queue is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long a search may be queued.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum time for all searches of a request. If it is exceeded, the rest of a game is not
/// reviewed.
const TOTAL_TIME: Duration = Duration::from_secs(280);

/// Responds with the lines of a job.
pub(super) fn respond(state: Arc<AppState>, client: IpAddr, mut job: Box<dyn Job>) -> Response {
    let stop = state.stop.clone();
    line_stream::respond(&stop, async move |lines| {
        let (started, cancel) = (Instant::now(), lines.cancel.child());
        while job.needs_search() && !cancel.is_cancelled() {
            let found;
            (job, found) = search(&state, client, job, &cancel, &lines).await?;
            lines.write_reliably(found).await;
            if job.needs_search() && started.elapsed() >= TOTAL_TIME {
                cancel.cancel();
            }
        }
        lines.write_reliably(job.finish(cancel.is_cancelled())).await;
        Ok(())
    })
}

/// Waits in the queue and runs the next search of a job. Returns the job and the lines that must
/// not be dropped. Raises `cancel` if the search is cut short for others.
async fn search(
    state: &Arc<AppState>,
    client: IpAddr,
    mut job: Box<dyn Job>,
    cancel: &Cancel,
    lines: &LineStream,
) -> Result<(Box<dyn Job>, Vec<Json>), ApiError> {
    let kind = job.kind();
    let queue = if kind == JobKind::QuickMove { &state.quick_queue } else { &state.queue };
    let ticket = wait_in_queue(queue, client, kind == JobKind::Move, lines).await?;
    let give_way = |ticket: &QueueTicket| match kind {
        JobKind::Move | JobKind::QuickMove | JobKind::Review => ticket.yield_slot(),
        JobKind::Analysis => cancel.cancel(),
    };
    run_in_turn(queue, ticket, give_way, {
        let (state, lines, cancel) = (Arc::clone(state), lines.clone(), cancel.clone());
        move || {
            let found = job.search(&state.service, &cancel, &mut |thought| lines.write(thought))?;
            Ok((job, found))
        }
    })
    .await?
}

/// Runs work on another thread. It keeps its turn until it ends, even if the client disconnects.
/// Calls `give_way` again and again once others have waited long enough.
pub(super) async fn run_in_turn<T: Send + 'static>(
    queue: &SearchQueue,
    ticket: QueueTicket,
    give_way: impl Fn(&QueueTicket),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let ticket = Arc::new(ticket);
    let mut work = system::spawn(queue.is_slow, {
        let ticket = Arc::clone(&ticket);
        move || {
            let _ticket = ticket;
            work()
        }
    });
    let (started, mut poll) = (Instant::now(), queue_checks());
    loop {
        tokio::select! {
            done = &mut work => return done.map_err(|_| ApiError::internal()),
            _ = poll.tick() => {
                let waiting = u32::try_from(queue.waiting()).unwrap_or(u32::MAX);
                if waiting > 0 && started.elapsed() >= (SLICE / waiting).max(MIN_SLICE) {
                    give_way(&ticket);
                }
            }
        }
    }
}

/// Waits until a search may start; reports the place in the queue while waiting. Fails if the
/// search waits too long, loses its place, or the reader has disconnected.
async fn wait_in_queue(
    queue: &SearchQueue,
    client: IpAddr,
    urgent: bool,
    lines: &LineStream,
) -> Result<QueueTicket, QueueFull> {
    let ticket = queue.join(client, urgent)?;
    let mut poll = queue_checks();
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
                    lines.write(to_json(&json!({ "waiting": place })));
                }
            }
        }
    }
}

fn queue_checks() -> Interval {
    let mut checks = interval(POLL_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    checks
}
