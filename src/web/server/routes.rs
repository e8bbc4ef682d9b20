//! The routes of the server.

use std::io;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware;
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};

use super::access::{AccessToken, check_token};
use super::api_error::ApiError;
use super::app_state::AppState;
use super::handlers;
use super::host_check::{FOLDER_POLICY, Hosts, check_host};
use super::page_files;
use crate::page::{self, PageFile};
use crate::service::json_paths;

/// Returns the routes. Requests for hosts other than `hosts` and from other sites are rejected, and
/// so are requests without `token`, if there is one.
pub fn router(state: AppState, hosts: Hosts, token: Option<AccessToken>) -> Router {
    let asking = json_paths().chain(["/api/open/{game}/{skip}"]);
    let routes = asking
        .fold(Router::new(), |router, path| router.route(path, post(handlers::ask)))
        .route("/api/games", get(handlers::get))
        .route("/", page_files(page::files()))
        .route("/{file}", page_files(page::files()))
        .fallback(async || ApiError::not_found())
        .method_not_allowed_fallback(async || ApiError::malformed(StatusCode::METHOD_NOT_ALLOWED, "method not allowed"))
        .with_state(Arc::new(state));
    guarded(routes, hosts, token)
}

/// Returns the routes for the files in a directory, such as the browser edition.
///
/// # Errors
/// If the files cannot be read.
pub fn folder_router(folder: &Path, hosts: Hosts, token: Option<AccessToken>) -> io::Result<Router> {
    // The files are read once, and served as long as the program runs.
    let files = Vec::leak(page::read_folder(folder)?);
    let routes = Router::new().route("/", page_files(files)).route("/{*path}", page_files(files)).layer(
        middleware::map_response(async |mut response: Response| {
            let policy = HeaderValue::from_static(FOLDER_POLICY);
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
            response
        }),
    );
    Ok(guarded(routes, hosts, token))
}

/// Responds with the files of a page.
fn page_files<S: Clone + Send + Sync + 'static>(files: &'static [PageFile]) -> MethodRouter<S> {
    get(async move |uri: Uri, headers: HeaderMap| page_files::respond(files, uri.path(), &headers))
}

fn guarded(routes: Router, hosts: Hosts, token: Option<AccessToken>) -> Router {
    routes
        .layer(middleware::from_fn_with_state(token, check_token))
        .layer(middleware::from_fn_with_state(hosts, check_host))
}
