//! The page's requests: functions that compute a response from a request.
//!
//! [`Service::read`] receives the path and the body of a request. A transport delivers them and
//! returns the response: the server uses HTTP, with queues and time limits. The functions do not
//! depend on the transport, and have no sockets, threads, clocks or random seeds. So they also work
//! in a browser worker, where `LocalService` is the transport.
//!
//! | file | requests |
//! | --- | --- |
//! | `game_views` | that set up a game and show it |
//! | `file` | that read a file |
//! | `searches`, `review` | that respond with lines while searches run |
//! | `exercise` | for an endgame or a puzzle |
//! | `openings` | for opening questions, and why an answer is wrong |
//!
//! An error is an [`Explanation`] with a code, so that the page can show it in its language.
//! `explain` finds the codes for errors of the libraries.

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

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use morello_core::game::{AnyGame, Cancel, EngineOptions, Game, Limits, Report};
use morello_core::games;
use morello_play::session::{EngineOptionsProvider, SearcherPool, TableLimit};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use error::{ErrorKind, ServiceError};
pub use message::{Explanation, Message};
use request::parse;

/// The maximum length of a request body, in bytes.
pub const MAX_BODY_BYTES: usize = 64 << 10;
/// The maximum length of a file, in bytes.
pub const MAX_FILE_BYTES: usize = 12 << 20;
/// The maximum number of games whose searchers keep their tables.
const MAX_GAMES_WITH_TABLES: usize = 2;
/// The size of the table of quick moves, in bytes: enough for their small searches, and so small
/// that each game keeps its own.
const QUICK_TABLE: usize = 1 << 20;
/// The maximum length of a game to save with its comments, in bytes.
const MAX_SAVED_BYTES: usize = 1 << 20;
/// The maximum length of a request for a lesson, in bytes: several thousand cards.
const MAX_LESSON_BYTES: usize = 1 << 20;
/// The beginning of the path of requests with a file. The name of a game and the number of entries
/// to skip follow.
const FILE_PATH: &str = "/api/open/";

/// The searchers of all games, and the functions that use them.
pub struct Service {
    searchers: Vec<SearcherPool>,
    /// The searchers of quick moves of all games.
    quick_searchers: Vec<SearcherPool>,
    /// The games whose searchers have tables, the last used one last.
    used: Mutex<VecDeque<&'static str>>,
    /// The default time of a search, and the maximum time.
    time: Duration,
    max_time: Duration,
}

morello_core::debug_fields!(Service { time, max_time });

/// JSON in one line.
pub type Json = Vec<u8>;

/// A request that was read. Computing the response may take several milliseconds, of a file longer;
/// it is cancelled when nobody waits for it.
pub type Question = Box<dyn FnOnce(&Cancel) -> Result<Answer, ServiceError> + Send>;

/// The response to a request.
pub enum Answer {
    /// The complete response.
    Ready(Json),
    /// The complete response, which requires searches.
    Later(LaterAnswer),
    /// Lines that are written while searches run.
    Lines(Box<dyn Job>),
}

/// Searches, and returns the response.
pub type LaterAnswer = Box<dyn FnOnce(&Service, &Cancel) -> Result<Json, ServiceError> + Send>;

/// Searches that respond with lines. The transport calls `search` while a search is left, and then
/// `finish`.
pub trait Job: Send {
    /// Returns the purpose of the searches.
    fn kind(&self) -> JobKind;

    /// Returns whether a search is left.
    fn needs_search(&self) -> bool;

    /// Runs the next search until it ends or is cancelled. Calls `on_thought` with lines, each of
    /// which replaces the previous one, and returns the lines that must not be dropped.
    fn search(
        &mut self,
        service: &Service,
        cancel: &Cancel,
        on_thought: &mut dyn FnMut(Json),
    ) -> Result<Vec<Json>, ServiceError>;

    /// Returns the last lines. `cut` says whether the job was cut short.
    fn finish(self: Box<Self>, cut: bool) -> Vec<Json>;
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// An engine move. It is not cut short, but other searches may run at the same time.
    Move,
    /// An engine move at a low level. It does not wait for long searches.
    QuickMove,
    /// An analysis. It is cut short while others wait, and the client repeats the request.
    Analysis,
    /// A review. Other requests take turns with its searches, and may search during a long one.
    Review,
}

/// What a response depends on in addition to the request body.
#[derive(Clone, Copy)]
struct Settings {
    /// The default time of a search, and the maximum time of an analysis.
    time: Duration,
    max_time: Duration,
    /// The seed of random choices, different for each request.
    seed: u64,
}

/// Reads a request body.
type Function = fn(&[u8], Settings) -> Result<Question, ServiceError>;

/// The functions for requests with a JSON body.
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

/// Reads the body of a request that needs no search. `answer` computes the view.
fn view<B, V>(body: &[u8], answer: fn(B) -> Result<V, ServiceError>) -> Result<Question, ServiceError>
where
    B: DeserializeOwned + Send + 'static,
    V: Serialize + 'static,
{
    let body = parse(body)?;
    Ok(Box::new(move |_| Ok(ready(&answer(body)?))))
}

/// Reads a body.
fn question<B: DeserializeOwned + Send + 'static>(
    body: &[u8],
    settings: Settings,
    answer: fn(B, Settings) -> Result<Answer, ServiceError>,
) -> Result<Question, ServiceError> {
    let body = parse(body)?;
    Ok(Box::new(move |_| answer(body, settings)))
}

/// Returns the paths of requests with a JSON body.
pub fn json_paths() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|&(path, _)| path)
}

/// Returns whether requests with this path have a file as the body.
pub fn takes_file(path: &str) -> bool {
    path.starts_with(FILE_PATH)
}

/// Returns the maximum body length of requests with this path, in bytes.
pub fn max_bytes(path: &str) -> usize {
    match path {
        "/api/save" => MAX_SAVED_BYTES,
        "/api/lesson" | "/api/cards" => MAX_LESSON_BYTES,
        path if takes_file(path) => MAX_FILE_BYTES,
        _ => MAX_BODY_BYTES,
    }
}

impl Service {
    /// Creates the service, with searches of at most `time`, and analyses of up to `max_time` if
    /// the request asks for it. `setup` is called for a game before its first search.
    pub fn new(setup: &Arc<EngineOptionsProvider>, time: Duration, max_time: Duration) -> Self {
        let limit = TableLimit::new(MAX_GAMES_WITH_TABLES);
        let pool = |&game| SearcherPool::limited(game, Arc::clone(setup), &limit);
        let searchers = games::all().iter().map(pool).collect();
        let setup = Arc::clone(setup);
        let quick_setup: Arc<EngineOptionsProvider> =
            Arc::new(move |game| Ok(EngineOptions { hash_bytes: QUICK_TABLE, ..setup(game)? }));
        let quick_pool = |&game| SearcherPool::new(game, Arc::clone(&quick_setup));
        let quick_searchers = games::all().iter().map(quick_pool).collect();
        Self { searchers, quick_searchers, used: Mutex::default(), time, max_time }
    }

    /// Reads a request. `seed` determines its random choices. Reading takes little time, so invalid
    /// requests are rejected without waiting for a turn, and the body is not kept while waiting.
    ///
    /// # Errors
    /// [`ServiceError`] if the path or the body is wrong. Computing the response may fail for other
    /// reasons.
    pub fn read(&self, path: &str, body: Vec<u8>, seed: u64) -> Result<Question, ServiceError> {
        let limit = max_bytes(path);
        if body.len() > limit {
            return Err(ServiceError::too_long(limit));
        }
        if let Some(which) = path.strip_prefix(FILE_PATH) {
            let (which, file) = (which.to_owned(), Arc::new(body));
            return Ok(Box::new(move |cancel| Ok(ready(&file::open(&which, &file, cancel)?))));
        }
        if path == "/api/games" {
            return Ok(Box::new(|_| Ok(ready(&game_views::games()))));
        }
        let function = FUNCTIONS.iter().find(|function| function.0 == path);
        let (_, function) =
            function.ok_or_else(|| ServiceError::new(ErrorKind::NotFound, "not found", Message::NotFound))?;
        function(&body, Settings { time: self.time, max_time: self.max_time, seed })
    }

    /// Returns the searchers of a game, which becomes the last used one.
    fn searchers(&self, game: &dyn AnyGame) -> &SearcherPool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|&name| name != game.name());
        used.push_back(game.name());
        if used.len() > MAX_GAMES_WITH_TABLES {
            used.pop_front();
            // All others, because a search may have begun after the tables of its game were freed.
            let others = self.searchers.iter().filter(|searchers| !used.contains(&searchers.game().name()));
            others.for_each(SearcherPool::free_tables);
        }
        drop(used);
        of_game(&self.searchers, game)
    }

    /// Searches with empty tables, for at most the maximum time.
    fn search_separately(&self, game: &Game, limits: &Limits, cancel: &Cancel) -> Result<Report, ServiceError> {
        let time = limits.time.map_or(self.max_time, |time| time.min(self.max_time));
        Ok(self.searchers(game.start().game()).search_separately(game, &limits.with_time(time), cancel)?)
    }
}

fn of_game<'a>(pools: &'a [SearcherPool], game: &dyn AnyGame) -> &'a SearcherPool {
    pools.iter().find(|pool| pool.game().name() == game.name()).expect("every game has a pool of searchers")
}

/// Returns a value as JSON.
pub fn to_json(value: &impl Serialize) -> Json {
    // Views consist of strings, numbers and lists, so this cannot fail.
    serde_json::to_vec(value).unwrap_or_default()
}

fn ready(value: &impl Serialize) -> Answer {
    Answer::Ready(to_json(value))
}
