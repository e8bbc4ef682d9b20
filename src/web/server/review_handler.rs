//! The handler of a review: it searches every position of a game as
//! `morello analyze --deterministic` does, and streams a line for each as soon as the loss of its
//! move is known.
//!
//! ```text
//! {"row":{"ply":3,"played":"d3","thought":{..},"loss":2.4,"severity":"inaccuracy"}}
//! {"done":{"cut":false,"summary":{"sides":[{..},{..}],"turning_point":{..}}}}
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use morello_analysis::{AnalysisRow, GameReview, GameReviewer, MoveLoss, MoveSummary, Severity, review_limits};
use morello_core::game::{Color, Game, LEVELS};
use morello_play::session::SearchView;
use serde::Deserialize;
use serde_json::{Value, json};

use super::api_error::ApiError;
use super::app_state::AppState;
use super::line_stream;
use super::request::{GameRequest, client, read, run_blocking, run_in_turn};
use super::search_handlers::wait_in_queue;

/// The longest time for a whole review. The rest of a longer game is not reviewed.
const TOTAL_TIME: Duration = Duration::from_secs(280);
/// The largest number of nodes of a position that a client may request: some seconds.
const MAX_NODES: u64 = 5_000_000;

/// A game to review.
#[derive(Debug, Deserialize)]
struct ReviewRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The level of the searches; by default that of a review in the terminal.
    level: Option<u32>,
    /// The largest number of nodes of a position; by default that of a review in the terminal.
    nodes: Option<u64>,
}

pub(super) async fn review(State(state): State<Arc<AppState>>, request: Request) -> Result<Response, ApiError> {
    let client = client(&request);
    let mut asked: ReviewRequest = read(request).await?;
    if asked.level.is_some_and(|level| !(1..=LEVELS).contains(&level)) {
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("levels are from 1 to {LEVELS}")));
    }
    asked.game.ply = None;
    let game = run_blocking(&state, client, move || Ok(asked.game.session()?.game().clone())).await?;
    let nodes = asked.nodes.map(|nodes| nodes.clamp(1, MAX_NODES));
    let limits = review_limits(game.start().game(), asked.level, nodes);
    let stop = state.stop.clone();
    Ok(line_stream::respond(&stop, async move |lines| {
        let started = Instant::now();
        let mut reviewer = GameReviewer::new(game, &limits);
        let mut cut = false;
        while let Some((game, limits)) = reviewer.next_search() {
            cut = started.elapsed() >= TOTAL_TIME || lines.cancel.is_cancelled();
            if cut {
                break;
            }
            let ticket = wait_in_queue(&state.queue, client, false, &lines).await?;
            let (state, cancel) = (Arc::clone(&state), lines.cancel.clone());
            let search = move || Ok(state.searchers(game.start().game()).search_separately(&game, &limits, &cancel)?);
            let report = run_in_turn(ticket, search).await?;
            if lines.cancel.is_cancelled() {
                return Ok(());
            }
            for row in reviewer.add(report) {
                lines.write_reliably(&row_line(&row)).await;
            }
        }
        let (last, review) = reviewer.finish();
        if let Some(last) = last {
            lines.write_reliably(&row_line(&last)).await;
        }
        lines.write_reliably(&json!({ "done": { "cut": cut, "summary": review.as_ref().map(summary) } })).await;
        Ok(())
    }))
}

fn row_line(row: &AnalysisRow) -> Value {
    let (Some(context), Ok(analysis)) = (&row.game_context, &row.result) else { return json!({}) };
    json!({ "row": {
        "ply": context.ply,
        "played": context.played.map(|m| m.to_string()),
        "thought": SearchView::new(&Game::new(analysis.position), &analysis.report),
        "loss": row.loss.map(|loss| loss.points),
        "severity": row.loss.and_then(MoveLoss::severity).map(Severity::name),
    } })
}

/// Returns the statistics of both sides, Black first, and the turning point.
fn summary(review: &GameReview) -> Value {
    let turning_point = review.turning_point().map(|m| {
        let (played, loss) = (m.played.map(|m| m.to_string()), m.loss.map(|loss| loss.points));
        json!({ "ply": m.ply, "side": m.mover, "move": played, "loss": loss })
    });
    let sides = Color::ALL.map(|side| MoveSummary::from(&review.statistics(side)));
    json!({ "sides": sides, "turning_point": turning_point })
}
