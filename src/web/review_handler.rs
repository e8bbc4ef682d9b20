//! The handler of a review: it searches every position of a game as `morello analyze --deterministic` does, and streams a line for each as soon
//! as the loss of its move is known.
//!
//! ```text
//! {"row":{"ply":3,"played":"d3","thought":{..},"loss":2.4,"severity":"inaccuracy"}}
//! {"done":{"cut":false,"summary":{"sides":[{..},{..}],"turning_point":{..}}}}
//! ```

use std::net::IpAddr;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::api_error::{ApiError, error_line};
use super::app_state::AppState;
use super::line_stream::{self, LineStream};
use super::request::{GameRequest, client, read, run_blocking};
use super::search_handlers::wait_in_queue;
use crate::analysis::{AnalysisRow, GameReview, GameReviewer, MoveSummary, Severity, review_limits};
use crate::game::{Color, Game, LEVELS, Limits, Report};
use crate::session::SearchView;

/// The longest time for a whole review. The rest of a longer game is not reviewed.
const TOTAL_TIME: Duration = Duration::from_secs(280);
/// The largest number of nodes of a position that a client may request: some seconds.
const MAX_NODES: u64 = 5_000_000;

/// A game to review.
#[derive(Debug, Deserialize)]
struct ReviewRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The level of the searches; by default that of a quick review.
    #[serde(default)]
    level: Option<u32>,
    /// The largest number of nodes of a position; by default that of a quick review.
    #[serde(default)]
    nodes: Option<u64>,
}

pub(super) async fn review(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    let client = client(&request);
    let mut asked: ReviewRequest = read(request).await?;
    if asked.level.is_some_and(|level| !(1..=LEVELS).contains(&level)) {
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("levels are from 1 to {LEVELS}")));
    }
    asked.game.ply = None;
    let (lines, response) = line_stream::begin(state.stop());
    let game = run_blocking(&state, client, move || Ok(asked.game.session()?.game().clone())).await?;
    let nodes = asked.nodes.map(|nodes| nodes.clamp(1, MAX_NODES));
    let limits = review_limits(game.start().game(), asked.level, nodes);
    tokio::spawn(async move {
        let started = Instant::now();
        let mut reviewer = GameReviewer::new(game, &limits);
        let mut cut = false;
        while let Some(game) = reviewer.next_game() {
            cut = started.elapsed() >= TOTAL_TIME || lines.cancel().is_cancelled();
            if cut {
                break;
            }
            let Some(report) = search(&state, game, limits, client, &lines).await else { return };
            for row in reviewer.add(report) {
                lines.write_reliably(&row_line(&row)).await;
            }
        }
        let (last, review) = reviewer.finish();
        if let Some(last) = last {
            lines.write_reliably(&row_line(&last)).await;
        }
        lines.write_reliably(&json!({ "done": { "cut": cut, "summary": review.as_ref().map(summary) } })).await;
    });
    Ok(response)
}

/// Searches a position when it is its turn. Returns `None` if the reader has disconnected, or after
/// writing an error.
async fn search(state: &AppState, game: Game, limits: Limits, client: IpAddr, lines: &LineStream) -> Option<Report> {
    let ticket = wait_in_queue(&state.queue, client, false, lines).await?;
    let (state, cancel) = (state.clone(), lines.cancel().clone());
    let done = spawn_blocking(move || {
        let searchers = state.searchers(game.start().game());
        searchers.search_separately(&game, &limits, &cancel).map_err(|error| error_line(&error))
    });
    let done = done.await.unwrap_or_else(|_| Err("internal error".to_owned()));
    drop(ticket);
    match done {
        Ok(report) => Some(report).filter(|_| !lines.cancel().is_cancelled()),
        Err(error) => {
            lines.write_reliably(&json!({ "error": error })).await;
            None
        }
    }
}

fn row_line(row: &AnalysisRow) -> Value {
    let (Some(context), Ok(analysis)) = (&row.game_context, &row.result) else { return json!({}) };
    json!({ "row": {
        "ply": context.ply,
        "played": context.played.map(|m| m.to_string()),
        "thought": SearchView::new(&Game::new(analysis.position), &analysis.report),
        "loss": row.loss,
        "severity": row.severity.map(Severity::name),
    } })
}

/// Returns the statistics of both sides, Black first, and the turning point.
fn summary(review: &GameReview) -> Value {
    let turning_point = review
        .turning_point()
        .map(|m| json!({ "ply": m.ply, "side": m.mover, "move": m.played.map(|m| m.to_string()), "loss": m.loss }));
    let sides = Color::ALL.map(|side| MoveSummary::from(&review.statistics(side)));
    json!({ "sides": sides, "turning_point": turning_point })
}
