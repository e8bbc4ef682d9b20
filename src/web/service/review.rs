//! The request for a review: it searches every position of a game as
//! `morello analyze --deterministic` does, and responds with one line per position as soon as the
//! loss of the move is known.
//!
//! ```text
//! {"row":{"ply":3,"played":"d3","thought":{..},"loss":2.4,"severity":"inaccuracy"}}
//! {"done":{"cut":false,"summary":{"sides":[{..},{..}],"turning_point":{..},"phases":[..],"reasons":[..]}}}
//! ```
//!
//! A phase is `{"name":"opening","sides":[{..},{..}]}`, and a reason why the move after `ply` plies
//! is bad is `{"ply":14,"name":"gives_corner","point":"a8"}`.

use morello_analysis::{AnalysisRow, GameReview, GameReviewer, MoveLoss, MoveSummary, Reason, Severity, review_limits};
use morello_core::game::{AnyGame, Cancel, Color, Game, LEVELS, ParseLevelError};
use morello_play::session::SearchView;
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ServiceError;
use super::request::GameRequest;
use super::{Answer, Job, JobKind, Json, Service, Settings, to_json};

/// The maximum number of nodes per position that a client may request. They take a few seconds.
const MAX_NODES: u64 = 5_000_000;

/// A game to review.
#[derive(Debug, Deserialize)]
pub struct ReviewRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The search level; by default the same as in a review in the terminal.
    level: Option<u32>,
    /// The maximum number of nodes per position; by default the same as in a review in the
    /// terminal.
    nodes: Option<u64>,
}

pub fn review(mut request: ReviewRequest, _: Settings) -> Result<Answer, ServiceError> {
    if request.level.is_some_and(|level| !(1..=LEVELS).contains(&level)) {
        return Err(ParseLevelError.into());
    }
    request.game.ply = None;
    let game = request.game.session()?.game().clone();
    let nodes = request.nodes.map(|nodes| nodes.clamp(1, MAX_NODES));
    let limits = review_limits(game.start().game(), request.level, nodes);
    Ok(Answer::Lines(Box::new(ReviewJob(GameReviewer::new(game, &limits)))))
}

struct ReviewJob(GameReviewer);

impl Job for ReviewJob {
    fn kind(&self) -> JobKind {
        JobKind::Review
    }

    fn needs_search(&self) -> bool {
        self.0.next_search().is_some()
    }

    fn search(
        &mut self,
        service: &Service,
        cancel: &Cancel,
        _: &mut dyn FnMut(Json),
    ) -> Result<Vec<Json>, ServiceError> {
        let Some((game, limits)) = self.0.next_search() else { return Ok(Vec::new()) };
        let report = service.search_separately(&game, &limits, cancel)?;
        // The report of a cancelled search depends on the time.
        let rows = if cancel.is_cancelled() { Vec::new() } else { self.0.add(report) };
        Ok(rows.iter().map(row_line).collect())
    }

    fn finish(self: Box<Self>, cut: bool) -> Vec<Json> {
        let (last, review) = self.0.finish();
        let done = json!({ "done": { "cut": cut, "summary": review.as_ref().map(summary) } });
        last.iter().map(row_line).chain([to_json(&done)]).collect()
    }
}

fn row_line(row: &AnalysisRow) -> Json {
    let (Some(context), Ok(analysis)) = (&row.game_context, &row.result) else { return to_json(&json!({})) };
    to_json(&json!({ "row": {
        "ply": context.ply,
        "played": context.played.map(|m| m.to_string()),
        "thought": SearchView::new(&Game::new(analysis.position), &analysis.report),
        "loss": row.loss.map(|loss| loss.points),
        "severity": row.loss.and_then(MoveLoss::severity).map(Severity::name),
    } }))
}

/// Returns a reason as JSON: its name and its point, if any.
pub fn reason_view(reason: Reason, game: &dyn AnyGame) -> Value {
    let layout = game.layout();
    let point = reason.point().and_then(|point| layout.points.get(point)).map(|point| &point.name);
    json!({ "name": reason.name(), "point": point })
}

/// Returns the statistics of both sides, Black first, for the whole game and by phase; the turning
/// point; and the reasons why moves were bad.
fn summary(review: &GameReview) -> Value {
    let turning_point = review.turning_point().map(|m| {
        let (played, loss) = (m.played.map(|m| m.to_string()), m.loss.map(|loss| loss.points));
        json!({ "ply": m.ply, "side": m.mover, "move": played, "loss": loss })
    });
    let sides = Color::ALL.map(|side| MoveSummary::from(&review.statistics(side)));
    let phases = review
        .phases()
        .into_iter()
        .map(|(phase, sides)| json!({ "name": phase.name(), "sides": sides.each_ref().map(MoveSummary::from) }));
    let reasons = review.moves.iter().filter_map(|m| {
        let mut view = reason_view(review.reason(m)?, m.position.game());
        view["ply"] = m.ply.into();
        Some(view)
    });
    json!({
        "sides": sides,
        "turning_point": turning_point,
        "phases": phases.collect::<Vec<_>>(),
        "reasons": reasons.collect::<Vec<_>>(),
    })
}
