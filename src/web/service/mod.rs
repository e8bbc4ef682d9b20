//! What the page asks for: functions from a request to its answer.
//!
//! [`Service::read`] gets the path of a request and its body. A transport carries both and the
//! answer: the server does so by HTTP, with queues and time limits. The functions know nothing of
//! it, and have no sockets, threads, clocks and random seeds of their own. So they work in a worker
//! of the browser, too: `LocalService` is such a transport.
//!
//! | file | requests |
//! | --- | --- |
//! | `game_views` | that set up a game and show it |
//! | `file` | that read a file |
//! | `searches`, `review` | that are answered with lines while searches run |
//! | `exercise` | for an endgame or a puzzle |
//! | `openings` | for the questions of openings, and why an answer is wrong |
//!
//! An error is an [`Explanation`] with a code, so that the page can show it in its language: `explain`
//! finds the code of the errors of the libraries.

mod error;
mod exercise;
mod explain;
mod file;
mod game_views;
mod message;
mod openings;
mod request;
mod review;
mod searches;
mod wthor;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use morello_core::game::{AnyGame, Cancel};
use morello_core::games;
use morello_play::session::{EngineOptionsProvider, SearcherPool};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use error::{ErrorKind, ServiceError};
pub use message::{Explanation, Message};
use request::parse;

/// The longest body of a request, in bytes.
pub const MAX_BODY_BYTES: usize = 64 << 10;
/// The longest file, in bytes.
pub const MAX_FILE_BYTES: usize = 16 << 20;
/// The longest game to save, in bytes, with its comments.
const MAX_SAVED_BYTES: usize = 1 << 20;
/// The longest request for a lesson, in bytes: some thousand cards.
const MAX_LESSON_BYTES: usize = 1 << 20;
/// The path of requests with a file is this, the name of a game and the number of entries to skip.
const FILE_PATH: &str = "/api/open/";

/// The searchers of all games, and the functions that use them.
pub struct Service {
    searchers: Vec<SearcherPool>,
    /// The time of a search for which a request has no limit, and the longest that it may have.
    time: Duration,
    max_time: Duration,
}

morello_core::debug_fields!(Service { time, max_time });

/// A JSON text in one line.
pub type Json = Vec<u8>;

/// A request that was read. The answer may take some milliseconds.
pub type Question = Box<dyn FnOnce() -> Result<Answer, ServiceError> + Send>;

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

/// What an answer depends on beside the body of its request.
#[derive(Clone, Copy)]
struct Settings {
    /// The time of a search for which a request has no limit, and the longest of an analysis.
    time: Duration,
    max_time: Duration,
    /// Makes random choices, a different one for each request.
    seed: u64,
}

/// Reads the body of a request.
type Function = fn(&[u8], Settings) -> Result<Question, ServiceError>;

/// The functions of the requests with a body in JSON.
const FUNCTIONS: &[(&str, Function)] = &[
    ("/api/view", |body, _| view(body, game_views::view)),
    ("/api/line", |body, settings| question(body, settings, |body, _| game_views::line(body).map(Answer::Ready))),
    ("/api/move", |body, _| view(body, game_views::play)),
    ("/api/arrange", |body, _| view(body, game_views::arrange)),
    ("/api/load", |body, _| view(body, game_views::load)),
    ("/api/save", |body, _| view(body, game_views::save)),
    ("/api/exercise", |body, settings| question(body, settings, exercise::exercise)),
    ("/api/lesson", |body, settings| question(body, settings, openings::lesson)),
    ("/api/cards", |body, _| view(body, openings::cards)),
    ("/api/refute", |body, settings| question(body, settings, openings::refute)),
    ("/api/choose", |body, settings| question(body, settings, searches::choose)),
    ("/api/analyze", |body, settings| question(body, settings, searches::analyze)),
    ("/api/values", |body, settings| question(body, settings, searches::values)),
    ("/api/review", |body, settings| question(body, settings, review::review)),
];

/// Reads a body that needs no search: `answer` makes a view of it.
fn view<B, V>(body: &[u8], answer: fn(B) -> Result<V, ServiceError>) -> Result<Question, ServiceError>
where
    B: DeserializeOwned + Send + 'static,
    V: Serialize + 'static,
{
    let body = parse(body)?;
    Ok(Box::new(move || Ok(ready(&answer(body)?))))
}

/// Reads a body.
fn question<B: DeserializeOwned + Send + 'static>(
    body: &[u8],
    settings: Settings,
    answer: fn(B, Settings) -> Result<Answer, ServiceError>,
) -> Result<Question, ServiceError> {
    let body = parse(body)?;
    Ok(Box::new(move || answer(body, settings)))
}

/// Returns the paths of the requests with a body in JSON.
pub fn json_paths() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|&(path, _)| path)
}

/// Returns whether the body of the requests with this path is a file.
pub fn takes_file(path: &str) -> bool {
    path.starts_with(FILE_PATH)
}

/// Returns the longest body of the requests with this path.
pub fn max_bytes(path: &str) -> usize {
    match path {
        "/api/save" => MAX_SAVED_BYTES,
        "/api/lesson" | "/api/cards" => MAX_LESSON_BYTES,
        path if takes_file(path) => MAX_FILE_BYTES,
        _ => MAX_BODY_BYTES,
    }
}

impl Service {
    /// Creates the service, with searches of at most `time`, and analyses of at most `max_time` if
    /// their requests ask for it. `setup` is called for a game before its first search.
    pub fn new(setup: &Arc<EngineOptionsProvider>, time: Duration, max_time: Duration) -> Self {
        let searchers = games::all().iter().map(|&game| SearcherPool::new(game, Arc::clone(setup))).collect();
        Self { searchers, time, max_time }
    }

    /// Reads a request. `seed` makes its random choices. Reading takes little time, so that wrong
    /// requests need not wait for a turn and the body is not kept for others.
    ///
    /// # Errors
    /// [`ServiceError`] if the path or the body is wrong. The answer fails if what they ask for is.
    pub fn read(&self, path: &str, body: &[u8], seed: u64) -> Result<Question, ServiceError> {
        let limit = max_bytes(path);
        if body.len() > limit {
            return Err(ServiceError::too_long(limit));
        }
        if let Some(which) = path.strip_prefix(FILE_PATH) {
            let (which, file) = (which.to_owned(), Arc::<[u8]>::from(body));
            return Ok(Box::new(move || Ok(ready(&file::open(&which, &file)?))));
        }
        if path == "/api/games" {
            return Ok(Box::new(|| Ok(ready(&game_views::games()))));
        }
        let function = FUNCTIONS.iter().find(|function| function.0 == path);
        let (_, function) =
            function.ok_or_else(|| ServiceError::new(ErrorKind::NotFound, "not found", Message::NotFound))?;
        function(body, Settings { time: self.time, max_time: self.max_time, seed })
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
