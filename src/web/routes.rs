//! The addresses of the server, and what answers at each.

use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::{get, post};

use super::guard::{Hosts, guard};
use super::refusal::Refusal;
use super::site::Site;
use super::{page, play, think};

/// Returns the addresses, for requests to these hosts.
pub fn router(site: Site, hosts: Hosts) -> Router {
    Router::new()
        .route("/api/games", get(play::games))
        .route("/api/view", post(play::view))
        .route("/api/move", post(play::play))
        .route("/api/arrange", post(play::arrange))
        .route("/api/load", post(play::load))
        .route("/api/save", post(play::save))
        .route("/api/choose", post(think::choose))
        .route("/api/analyze", post(think::analyze))
        .route("/api/values", post(think::values))
        .route("/api/graph", post(think::graph))
        .route("/", get(page::index))
        .route("/{file}", get(page::file))
        .fallback(async || Refusal::new(StatusCode::NOT_FOUND, "there is nothing here"))
        .method_not_allowed_fallback(async || Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "ask in another way"))
        .with_state(site)
        .layer(middleware::from_fn_with_state(hosts, guard))
}
