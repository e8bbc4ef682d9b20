//! What the page asks for: functions from a request to its answer.
//!
//! [`Service::answer`] gets the path of a request and its body. A transport carries both and the
//! answer: the server does so by HTTP, with queues and time limits. The functions know nothing of
//! it, and have no sockets, threads, clocks and random seeds of their own. So they work in a worker
//! of the browser, too: `tests` has such a transport in a few lines.
//!
//! | file | requests |
//! | --- | --- |
//! | `game_views` | that set up a game and show it |
//! | `file` | that read a file |
//! | `searches`, `review` | that are answered with lines while searches run |
//! | `exercise` | for an endgame or a puzzle |

mod error;
mod exercise;
mod file;
mod game_views;
mod request;
mod review;
mod searches;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use morello_core::game::{AnyGame, Cancel};
use morello_core::games;
use morello_play::session::{EngineOptionsProvider, SearcherPool};
use serde::Serialize;

pub use error::{ErrorKind, ServiceError, error_json};
use request::parse;

/// The longest body of a request, in bytes.
pub const MAX_BODY_BYTES: usize = 64 << 10;
/// The longest file, in bytes.
pub const MAX_FILE_BYTES: usize = 16 << 20;
/// The path of requests with a file is this, the name of a game and the number of entries to skip.
const FILE_PATH: &str = "/api/open/";

/// The searchers of all games, and the functions that use them.
pub struct Service {
    searchers: Vec<SearcherPool>,
    /// The longest time of a search.
    max_time: Duration,
}

morello_core::debug_fields!(Service { max_time });

/// A JSON text in one line.
pub type Json = Vec<u8>;

/// The answer to a request.
pub enum Answer {
    /// The whole answer.
    Ready(Json),
    /// The whole answer, which takes some searches.
    Later(LaterAnswer),
    /// Lines, while searches run.
    Lines(Box<dyn Job>),
}

/// Searches, and returns the answer.
pub type LaterAnswer = Box<dyn FnOnce(&Service, &Cancel) -> Result<Json, ServiceError> + Send>;

/// Searches that are answered with lines. The transport calls `search` while a search is
/// left and then `finish`.
pub trait Job: Send {
    /// Returns the purpose of the searches.
    fn kind(&self) -> JobKind;

    /// Returns whether a search is left.
    fn needs_search(&self) -> bool;

    /// Runs the next search until it ends or is cancelled. Calls `on_thought` with lines of which
    /// each replaces the one before, and returns those that must arrive.
    fn search(
        &mut self,
        service: &Service,
        cancel: &Cancel,
        on_thought: &mut dyn FnMut(Json),
    ) -> Result<Vec<Json>, ServiceError>;

    /// Returns the last lines. The job was cut short if `cut`.
    fn finish(self: Box<Self>, cut: bool) -> Vec<Json>;
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// An engine move. It is not cut short, but others may run beside it.
    Move,
    /// An engine move at a low level. It does not wait for long searches.
    QuickMove,
    /// An analysis. It is cut short when others wait, and the client asks again.
    Analysis,
    /// A review. Others take turns with its searches, which are short.
    Review,
}

/// A request.
struct Asked<'a> {
    body: &'a [u8],
    /// The longest time of a search.
    max_time: Duration,
    /// Makes random choices, a different one for each request.
    seed: u64,
}

type Function = fn(&Asked<'_>) -> Result<Answer, ServiceError>;

/// The functions of the requests with a body in JSON.
const FUNCTIONS: &[(&str, Function)] = &[
    ("/api/view", |asked| Ok(ready(&game_views::view(parse(asked)?)?))),
    ("/api/line", |asked| Ok(Answer::Ready(game_views::line(parse(asked)?)?))),
    ("/api/move", |asked| Ok(ready(&game_views::play(parse(asked)?)?))),
    ("/api/arrange", |asked| Ok(ready(&game_views::arrange(parse(asked)?)?))),
    ("/api/load", |asked| Ok(ready(&game_views::load(parse(asked)?)?))),
    ("/api/save", |asked| Ok(ready(&game_views::save(parse(asked)?)?))),
    ("/api/exercise", exercise::exercise),
    ("/api/choose", searches::choose),
    ("/api/analyze", searches::analyze),
    ("/api/values", searches::values),
    ("/api/review", review::review),
];

/// Returns the paths of the requests with a body in JSON.
pub fn json_paths() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|&(path, _)| path)
}

/// Returns whether the body of the requests with this path is a file.
pub fn takes_file(path: &str) -> bool {
    path.starts_with(FILE_PATH)
}

impl Service {
    /// Creates the service, with searches of at most `max_time`. `setup` is called for a game before
    /// its first search.
    pub fn new(setup: &Arc<EngineOptionsProvider>, max_time: Duration) -> Self {
        let searchers = games::all().iter().map(|&game| SearcherPool::new(game, Arc::clone(setup))).collect();
        Self { searchers, max_time }
    }

    /// Answers a request. `seed` makes its random choices.
    ///
    /// # Errors
    /// [`ServiceError`] if the path, the body or what it asks for is wrong.
    pub fn answer(&self, path: &str, body: &[u8], seed: u64) -> Result<Answer, ServiceError> {
        let limit = if takes_file(path) { MAX_FILE_BYTES } else { MAX_BODY_BYTES };
        if body.len() > limit {
            return Err(ServiceError::too_long(limit));
        }
        if let Some(which) = path.strip_prefix(FILE_PATH) {
            return Ok(ready(&file::open(which, body)?));
        }
        if path == "/api/games" {
            return Ok(ready(&game_views::games()));
        }
        let function = FUNCTIONS.iter().find(|function| function.0 == path);
        let (_, function) = function.ok_or_else(|| ServiceError::new(ErrorKind::NotFound, "not found"))?;
        function(&Asked { body, max_time: self.max_time, seed })
    }

    /// Returns the searchers of a game.
    fn searchers(&self, game: &dyn AnyGame) -> &SearcherPool {
        let pool = self.searchers.iter().find(|searchers| searchers.game().name() == game.name());
        pool.expect("every game has a pool of searchers")
    }
}

/// Returns a value in JSON.
pub fn to_json(value: &impl Serialize) -> Json {
    // Views consist of strings, numbers and lists, so this cannot fail.
    serde_json::to_vec(value).unwrap_or_default()
}

fn ready(value: &impl Serialize) -> Answer {
    Answer::Ready(to_json(value))
}
