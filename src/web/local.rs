//! [`LocalService`]: handles the page's requests in the same process.

use std::sync::Arc;
use std::time::Duration;

use morello_core::game::Cancel;
use morello_play::session::EngineOptionsProvider;

use crate::service::{Answer, Json, Service, ServiceError, to_json};

/// The maximum time of an analysis: a week, so that no sum of times overflows.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// Handles the page's requests on the calling thread, without a server.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use morello_core::game::{Cancel, EngineOptions};
/// use morello_web::LocalService;
///
/// let service = LocalService::new(Arc::new(|_| Ok(EngineOptions::new(1 << 20))), Duration::from_secs(1));
/// let mut lines = Vec::new();
/// let body = br#"{"game": "othello", "moves": ["f5"], "level": 2}"#;
/// let on_line = &mut |line: &[u8]| lines.push(String::from_utf8_lossy(line).into_owned());
/// service.answer("/api/choose", body, 1, &Cancel::new(), on_line);
/// assert_eq!(lines.last().map(String::as_str), Some(r#"{"done":{"cut":false}}"#));
/// ```
pub struct LocalService(Service);

morello_core::debug_fields!(LocalService {});

impl LocalService {
    /// Creates the service, with searches of at most `time`. An analysis may take as long as its
    /// request says, because nobody else is waiting. `setup` is called for a game before its first
    /// search.
    #[must_use]
    pub fn new(setup: Arc<EngineOptionsProvider>, time: Duration) -> Self {
        Self(Service::new(&setup, time, LONGEST))
    }

    /// Handles a request, and calls `on_line` with each line of the response. An error is the last
    /// line. `seed` determines the random choices. `cancel` ends the searches.
    pub fn answer(&self, path: &str, body: &[u8], seed: u64, cancel: &Cancel, on_line: &mut dyn FnMut(&[u8])) {
        if let Err(error) = self.try_answer(path, body, seed, cancel, on_line) {
            on_line(&to_json(&error.explanation));
        }
    }

    pub(crate) fn try_answer(
        &self,
        path: &str,
        body: &[u8],
        seed: u64,
        cancel: &Cancel,
        on_line: &mut dyn FnMut(&[u8]),
    ) -> Result<(), ServiceError> {
        match self.0.read(path, body.to_vec(), seed)?(cancel)? {
            Answer::Ready(text) => on_line(&text),
            Answer::Later(search) => on_line(&search(&self.0, cancel)?),
            Answer::Lines(mut job) => {
                while job.needs_search() && !cancel.is_cancelled() {
                    let found: Vec<Json> = job.search(&self.0, cancel, &mut |thought| on_line(&thought))?;
                    found.iter().for_each(|line| on_line(line));
                }
                job.finish(cancel.is_cancelled()).iter().for_each(|line| on_line(line));
            }
        }
        Ok(())
    }
}
