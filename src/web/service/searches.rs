//! The requests that search one position. They respond with lines:
//!
//! ```text
//! {"thought":{..}}               the result so far; the last one for a move has the chosen "move"
//! {"done":{"cut":false}}         the end; "cut" if it was cut short
//! ```

use std::time::Duration;

use morello_core::game::{Cancel, Game, Level, Limits, ParseLevelError, RandomNumbers};
use serde::Deserialize;
use serde_json::json;

use super::error::ServiceError;
use super::request::GameRequest;
use super::{Answer, Job, JobKind, Json, Service, Settings, of_game, to_json};

/// The maximum time to evaluate every move.
const VALUES_TIME: Duration = Duration::from_secs(6);
/// Othello is solved with at most this many empty squares, for one line and for every move.
const SOLVE_FROM: u32 = 20;
const SOLVE_ALL_FROM: u32 = 16;
/// The lowest level whose moves take some time.
const QUICK_LEVEL: u32 = 9;
/// The maximum number of lines of play.
const MAX_LINES: usize = 10;

/// A game to search.
#[derive(Debug, Deserialize)]
pub struct SearchRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The level of play: a number, or a name.
    level: Option<RequestedLevel>,
    /// The time limit in milliseconds, at most the limit of the service.
    time_ms: Option<u64>,
    /// The number of lines of play.
    lines: Option<usize>,
    /// The maximum depth in plies, and the maximum number of nodes.
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Search until the score is proved.
    #[serde(default)]
    exact: bool,
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

impl SearchRequest {
    fn game(&self) -> Result<Game, ServiceError> {
        Ok(self.game.session()?.game().clone())
    }

    /// Returns the time limit, `usual` if the request has none.
    fn time(&self, usual: Duration, max_time: Duration) -> Duration {
        self.time_ms.map_or(usual, |time| Duration::from_millis(time.max(1)).min(max_time))
    }

    /// Returns the limits of the request other than the time.
    fn limits(&self) -> Result<Limits, ServiceError> {
        let limits = match &self.level {
            Some(level) => Limits { move_only: false, ..level.level()?.limits(self.game()?.start().game()) },
            None => Limits::default(),
        };
        let depth = self.depth.map(|depth| depth.max(1)).or(limits.depth);
        let nodes = self.nodes.map(|nodes| nodes.max(1)).or(limits.nodes);
        Ok(Limits { depth, nodes, exact: limits.exact || self.exact, ..limits })
    }

    /// Returns whether a limit other than the time ends the search.
    fn is_limited(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.level.is_some()
    }
}

/// Chooses a move at a level. A named level draws among all moves. Other requests may search during
/// a long search.
pub fn choose(request: SearchRequest, settings: Settings) -> Result<Answer, ServiceError> {
    let game = request.game()?;
    let level = request.level.as_ref().map_or(Err(ParseLevelError), RequestedLevel::level)?;
    let kind = match level {
        Level::Number(QUICK_LEVEL..) => JobKind::Move,
        _ => JobKind::QuickMove,
    };
    let limits = level.limits(game.start().game()).with_time(request.time(settings.time, settings.time));
    let choice = Some((level, RandomNumbers::new(settings.seed)));
    Ok(Answer::Lines(Box::new(SearchJob { kind, game, limits, choice, is_done: false })))
}

/// Analyzes a position until the time limit, or another limit of the request is reached.
pub fn analyze(request: SearchRequest, settings: Settings) -> Result<Answer, ServiceError> {
    let lines = request.lines.unwrap_or(1).clamp(1, MAX_LINES);
    let usual = if request.is_limited() || request.exact { settings.max_time } else { settings.time };
    analysis(&request, request.time(usual, settings.max_time), lines, SOLVE_FROM)
}

/// Evaluates every move of a position, for the values that the page shows on the board.
pub fn values(request: SearchRequest, settings: Settings) -> Result<Answer, ServiceError> {
    let most = settings.time.min(VALUES_TIME);
    analysis(&request, request.time(most, most), usize::MAX, SOLVE_ALL_FROM)
}

/// Searches a position. A request without other limits is solved from `solve_from` empty squares.
fn analysis(request: &SearchRequest, time: Duration, lines: usize, solve_from: u32) -> Result<Answer, ServiceError> {
    let limits = request.limits()?;
    let exact_from = if request.is_limited() { limits.exact_from } else { Some(solve_from) };
    let limits = Limits { time: Some(time), lines, exact_from, ..limits };
    let (kind, game) = (JobKind::Analysis, request.game()?);
    Ok(Answer::Lines(Box::new(SearchJob { kind, game, limits, choice: None, is_done: false })))
}

struct SearchJob {
    kind: JobKind,
    game: Game,
    limits: Limits,
    /// The level that chooses the move.
    choice: Option<(Level, RandomNumbers)>,
    is_done: bool,
}

impl Job for SearchJob {
    fn kind(&self) -> JobKind {
        self.kind
    }

    fn needs_search(&self) -> bool {
        !self.is_done
    }

    fn search(
        &mut self,
        service: &Service,
        cancel: &Cancel,
        on_thought: &mut dyn FnMut(Json),
    ) -> Result<Vec<Json>, ServiceError> {
        self.is_done = true;
        let game = self.game.start().game();
        let searchers = match self.kind {
            JobKind::QuickMove => of_game(&service.quick_searchers, game),
            _ => service.searchers(game),
        };
        let thought = searchers.search(&self.game, &self.limits, cancel, &mut |thought| {
            on_thought(to_json(&json!({ "thought": thought })));
        })?;
        let scores: Vec<_> = thought.lines.iter().map(|line| line.score.points).collect();
        let scoring = game.info().scoring;
        let chosen = self.choice.as_mut().map(|(level, random)| level.choose(scoring, &scores, random));
        let chosen = chosen.and_then(|line| thought.lines[line].moves.first());
        Ok(vec![to_json(&json!({ "thought": thought, "move": chosen }))])
    }

    fn finish(self: Box<Self>, cut: bool) -> Vec<Json> {
        vec![to_json(&json!({ "done": { "cut": cut } }))]
    }
}
