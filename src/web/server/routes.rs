//! The routes of the server.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::{get, post};

use super::access::{AccessToken, check_token};
use super::api_error::ApiError;
use super::app_state::AppState;
use super::handlers;
use super::host_check::{Hosts, check_host};
use super::page_files;
use crate::service::json_paths;

/// Returns the routes. Requests for other hosts than `hosts`, or without `token` if there is one,
/// are rejected.
pub fn router(state: AppState, hosts: Hosts, token: Option<AccessToken>) -> Router {
    let asking = json_paths().chain(["/api/open/{game}/{skip}"]);
    asking
        .fold(Router::new(), |router, path| router.route(path, post(handlers::ask)))
        .route("/api/games", get(handlers::get))
        .route("/", get(page_files::index))
        .route("/{file}", get(page_files::file))
        .fallback(async || ApiError::not_found())
        .method_not_allowed_fallback(async || ApiError::malformed(StatusCode::METHOD_NOT_ALLOWED, "method not allowed"))
        .with_state(Arc::new(state))
        .layer(middleware::from_fn_with_state(token, check_token))
        .layer(middleware::from_fn_with_state(hosts, check_host))
}
