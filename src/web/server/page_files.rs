//! Responds with the page files. Browsers cache them, and ask whether they have changed.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::api_error::ApiError;
use crate::page::PageFile;

/// Responds with the file at a path. The path of a directory stands for the page in it.
pub(super) fn respond(files: &'static [PageFile], path: &str, headers: &HeaderMap) -> Response {
    let path = path.trim_start_matches('/');
    let is_named = |file: &&PageFile| match file.name().strip_suffix("index.html") {
        Some(folder) if path.is_empty() || path.ends_with('/') => folder == path,
        _ => file.name() == path,
    };
    let Some(file) = files.iter().find(is_named) else {
        return ApiError::not_found().into_response();
    };
    let common =
        [(header::ETAG, file.etag.as_str()), (header::VARY, "accept-encoding"), (header::CACHE_CONTROL, "no-cache")];
    let known = ["*", &file.etag, file.etag.trim_start_matches("W/")];
    if items(headers, header::IF_NONE_MATCH).any(|etag| known.contains(&etag)) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, file.kind)];
    let is_zipped = items(headers, header::ACCEPT_ENCODING).any(accepts_gzip);
    match is_zipped.then(|| file.gzip()).flatten() {
        Some(bytes) => (common, kind, [(header::CONTENT_ENCODING, "gzip")], bytes).into_response(),
        None => (common, kind, &*file.bytes).into_response(),
    }
}

/// Returns the items of a header that is a list.
fn items(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let lists = headers.get_all(name).into_iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim)
}

/// Returns whether an accepted encoding, such as `gzip;q=0.5`, is gzip.
fn accepts_gzip(encoding: &str) -> bool {
    let (name, weight) = encoding.split_once(';').unwrap_or((encoding, "q=1"));
    let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse().ok());
    name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight: f32| weight > 0.0)
}
