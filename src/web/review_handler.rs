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
use crate::analysis::{AnalysisRow, LossMeasure, MoveSummary, PlayStatistics, Severity, Task, game_tasks};
use crate::game::{AnyGame, Game, LEVELS, Limits};
use crate::session::SearchView;

/// The level of a quick review.
const DEFAULT_LEVEL: u32 = 8;
/// The longest time for a whole review. The rest of a longer game is not reviewed.
const TOTAL_TIME: Duration = Duration::from_secs(280);

/// A game to review.
#[derive(Debug, Deserialize)]
struct ReviewRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The level of the searches.
    #[serde(default)]
    level: Option<u32>,
    /// The largest number of nodes of a position.
    #[serde(default)]
    nodes: Option<u64>,
}

/// The largest number of nodes of a position, which is also the default: some seconds.
const MAX_NODES: u64 = 5_000_000;

pub(super) async fn review(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    let client = client(&request);
    let mut asked: ReviewRequest = read(request).await?;
    let level = asked.level.unwrap_or(DEFAULT_LEVEL);
    if !(1..=LEVELS).contains(&level) {
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("levels are from 1 to {LEVELS}")));
    }
    let nodes = asked.nodes.unwrap_or(MAX_NODES).clamp(1, MAX_NODES);
    asked.game.ply = None;
    let (lines, response) = line_stream::begin(state.stop());
    let game = run_blocking(&state, client, move || Ok(asked.game.session()?.game().clone())).await?;
    let rules = game.start().game();
    let limits = Limits { nodes: Some(nodes), ..rules.level(level) };
    tokio::spawn(async move {
        let started = Instant::now();
        let mut summary = ReviewSummary::new(rules, LossMeasure::of(&limits));
        let (mut before, mut cut): (Option<AnalysisRow>, _) = (None, false);
        for task in game_tasks(game) {
            cut = started.elapsed() >= TOTAL_TIME || lines.cancel().is_cancelled();
            if cut {
                break;
            }
            let Some(row) = search(&state, task, limits, client, &lines).await else { return };
            if let Some(before) = before.replace(row.clone()) {
                lines.write_reliably(&summary.line(before, Some(&row))).await;
            }
        }
        if let Some(last) = before {
            lines.write_reliably(&summary.line(last, None)).await;
        }
        lines.write_reliably(&json!({ "done": { "cut": cut, "summary": summary.finish() } })).await;
    });
    Ok(response)
}

/// Searches a position when it is its turn. Returns `None` if the reader has disconnected, or after writing an error.
async fn search(
    state: &AppState,
    task: Task,
    limits: Limits,
    client: IpAddr,
    lines: &LineStream,
) -> Option<AnalysisRow> {
    let ticket = wait_in_queue(&state.queue, client, false, lines).await?;
    let (state, cancel) = (state.clone(), lines.cancel().clone());
    let done = spawn_blocking(move || {
        let game = task.position().ok_or("internal error")?.game();
        let searchers = state.searchers(game.start().game());
        let report = searchers.search_separately(&game, &limits, &cancel).map_err(|error| error_line(&error))?;
        Ok(task.into_row(report))
    });
    let done: Result<AnalysisRow, String> = done.await.unwrap_or_else(|_| Err("internal error".to_owned()));
    drop(ticket);
    match done {
        Ok(row) if !lines.cancel().is_cancelled() => Some(row),
        Ok(_) => None,
        Err(error) => {
            lines.write_reliably(&json!({ "error": error })).await;
            None
        }
    }
}

/// The statistics of a review.
struct ReviewSummary {
    rules: &'static dyn AnyGame,
    measure: LossMeasure,
    statistics: PlayStatistics,
}

impl ReviewSummary {
    fn new(rules: &'static dyn AnyGame, measure: LossMeasure) -> Self {
        Self { rules, measure, statistics: PlayStatistics::default() }
    }

    /// Adds a row and returns its line; `next` is the next row of the game.
    fn line(&mut self, mut row: AnalysisRow, next: Option<&AnalysisRow>) -> Value {
        self.measure.set_loss(&mut row, next);
        self.statistics.add(&row);
        let (Some(context), Ok(analysis)) = (&row.game_context, &row.result) else { return json!({}) };
        let severity = row.loss.and_then(|loss| Severity::of(loss, self.rules.info().scoring, self.measure));
        json!({ "row": {
            "ply": context.ply,
            "played": context.played.map(|m| m.to_string()),
            "thought": SearchView::new(&Game::new(analysis.position), &analysis.report),
            "loss": row.loss,
            "severity": severity.map(Severity::name),
        } })
    }

    /// Returns the statistics of both sides, Black first, and the turning point.
    fn finish(mut self) -> Value {
        let Some(game) = self.statistics.finish() else { return Value::Null };
        let turning_point = game.turning_point.map(|point| {
            json!({ "ply": point.ply, "side": point.mover, "move": point.played.to_string(), "loss": point.loss })
        });
        json!({ "sides": game.sides.each_ref().map(MoveSummary::from), "turning_point": turning_point })
    }
}
