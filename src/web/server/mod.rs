//! The server: it passes requests to the service and returns the responses over HTTP. It manages
//! connections, queues and access.

mod access;
mod api_error;
mod app_state;
mod connections;
mod handlers;
mod host_check;
mod jobs;
mod large_items;
mod line_stream;
mod listener;
mod page_files;
mod request;
mod routes;
mod search_queue;
mod system;

pub use access::{AccessToken, InvalidToken};
pub use app_state::AppState;
#[cfg(test)]
pub(crate) use host_check::FOLDER_POLICY;
pub use host_check::Hosts;
pub use listener::serve;
pub use routes::{folder_router, router};
