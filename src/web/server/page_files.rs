//! Responds with the page files. Browsers cache them, and ask whether they have changed.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::api_error::ApiError;
use crate::page::PageFile;

/// Responds with the file at a path. The path of a directory stands for the page in it.
pub(super) fn respond(files: &'static [PageFile], path: &str, headers: &HeaderMap) -> Response {
    let encoded = path.trim_start_matches('/');
    let path = &*decoded(encoded);
    let is_named = |file: &&PageFile| match file.name().strip_suffix("index.html") {
        Some(folder) if path.is_empty() || path.ends_with('/') => folder == path,
        _ => file.name() == path,
    };
    let Some(file) = files.iter().find(is_named) else {
        let is_folder = files.iter().any(|file| file.name().strip_suffix("/index.html") == Some(path));
        let folder = || Redirect::permanent(&format!("/{encoded}/")).into_response();
        return if is_folder { folder() } else { ApiError::not_found().into_response() };
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

/// Decodes the characters of a path that browsers write as `%` and two digits.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut parts = path.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => bytes.extend([byte].into_iter().chain(part[2..].bytes())),
            None => bytes.extend(b"%".iter().copied().chain(part.bytes())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::page::read_folder;

    #[test]
    fn folders_of_files_are_found_as_browsers_ask_for_them() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("é/more")).unwrap();
        for name in ["index.html", "a b.html", "100%.txt", "é/more/index.html"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let files = read_folder(folder.path()).unwrap().leak();
        let of = |path| respond(files, path, &HeaderMap::new());
        for path in
            ["/", "/index.html", "/a%20b.html", "/100%.txt", "/100%25.txt", "/%C3%A9/more/", "/%c3%a9/more/index.html"]
        {
            assert_eq!(of(path).status(), StatusCode::OK, "{path}");
        }
        for path in ["/a", "/a%2", "/%", "/%C3", "/more/", "/%2e%2e/index.html"] {
            assert_eq!(of(path).status(), StatusCode::NOT_FOUND, "{path}");
        }
        for path in ["/%C3%A9/more", "//%C3%A9/more"] {
            assert_eq!(of(path).headers()[header::LOCATION], "/%C3%A9/more/");
        }
    }
}
