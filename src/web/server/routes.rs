//! The routes of the server.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::{get, post};

use super::access::{AccessToken, check_token};
use super::api_error::ApiError;
use super::app_state::AppState;
use super::host_check::{Hosts, check_host};
use super::request::{asynchronous, handler};
use super::{exercise_handler, file_handler, game_handlers, review_handler, search_handlers};
use crate::page;

/// Returns the routes. Requests for other hosts than `hosts`, or without `token` if there is one,
/// are rejected.
pub fn router(state: AppState, hosts: Hosts, token: Option<AccessToken>) -> Router {
    Router::new()
        .route("/api/games", get(game_handlers::games))
        .route("/api/view", handler(game_handlers::view))
        .route("/api/move", handler(game_handlers::play))
        .route("/api/arrange", handler(game_handlers::arrange))
        .route("/api/load", handler(game_handlers::load))
        .route("/api/open/{game}/{skip}", post(file_handler::open))
        .route("/api/exercise", asynchronous(|state, request| Box::pin(exercise_handler::exercise(state, request))))
        .route("/api/save", handler(game_handlers::save))
        .route("/api/choose", asynchronous(|state, request| Box::pin(search_handlers::choose(state, request))))
        .route("/api/analyze", asynchronous(|state, request| Box::pin(search_handlers::analyze(state, request))))
        .route("/api/values", asynchronous(|state, request| Box::pin(search_handlers::values(state, request))))
        .route("/api/review", asynchronous(|state, request| Box::pin(review_handler::review(state, request))))
        .route("/", get(page::index))
        .route("/{file}", get(page::file))
        .fallback(async || ApiError::new(StatusCode::NOT_FOUND, "not found"))
        .method_not_allowed_fallback(async || ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed"))
        .with_state(Arc::new(state))
        .layer(middleware::from_fn_with_state(token, check_token))
        .layer(middleware::from_fn_with_state(hosts, check_host))
}
