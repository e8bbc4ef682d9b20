//! The server: connections, queues and access, and the functions behind them.

mod access;
mod api_error;
mod app_state;
mod connections;
mod exercise_handler;
mod file_handler;
mod freed_memory;
mod game_handlers;
mod host_check;
mod large_files;
mod line_stream;
mod listener;
mod request;
mod review_handler;
mod routes;
mod search_handlers;
mod search_queue;

pub(crate) use api_error::ApiError;
#[cfg(test)]
pub(crate) use {file_handler::MAX_FILE_BYTES, request::MAX_BODY_BYTES};

pub use access::{AccessToken, InvalidToken};
pub use app_state::AppState;
pub use host_check::Hosts;
pub use listener::serve;
pub use routes::router;
