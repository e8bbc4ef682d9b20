//! The page: files that travel in the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// The files by their names.
const FILES: &[(&str, &str, &str)] = &[
    ("index.html", HTML, include_str!("page/index.html")),
    ("style.css", CSS, include_str!("page/style.css")),
    ("icon.svg", SVG, include_str!("page/icon.svg")),
    ("app.js", JS, include_str!("page/app.js")),
    ("api.js", JS, include_str!("page/api.js")),
    ("board.js", JS, include_str!("page/board.js")),
    ("dialogs.js", JS, include_str!("page/dialogs.js")),
    ("dom.js", JS, include_str!("page/dom.js")),
    ("evaluation.js", JS, include_str!("page/evaluation.js")),
    ("game.js", JS, include_str!("page/game.js")),
    ("graph.js", JS, include_str!("page/graph.js")),
    ("play.js", JS, include_str!("page/play.js")),
    ("score.js", JS, include_str!("page/score.js")),
    ("setup.js", JS, include_str!("page/setup.js")),
    ("show.js", JS, include_str!("page/show.js")),
    ("state.js", JS, include_str!("page/state.js")),
    ("think.js", JS, include_str!("page/think.js")),
];

pub(super) async fn index() -> Response {
    answer("index.html")
}

pub(super) async fn file(Path(name): Path<String>) -> Response {
    answer(&name)
}

fn answer(name: &str) -> Response {
    match FILES.iter().find(|file| file.0 == name) {
        Some(&(_, kind, text)) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        None => Refusal::new(StatusCode::NOT_FOUND, "there is nothing here").into_response(),
    }
}
