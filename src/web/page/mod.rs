//! The page: its files are embedded in the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::api_error::ApiError;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Makes the list of files from their names, grouped by type.
macro_rules! files {
    ($($kind:ident: $($name:literal)+;)+) => { &[$($(($name, $kind, include_str!($name)),)+)+] };
}

/// The files: name, media type and text.
const FILES: &[(&str, &str, &str)] = files! {
    HTML: "index.html";
    CSS: "board.css" "panels.css" "style.css";
    SVG: "icon.svg";
    JS: "board.js" "board-input.js" "board-labels.js" "board-look.js" "board-marks.js" "board-men.js" "board-motion.js"
        "board-texture.js" "board-texture-worker.js" "board-words.js" "drag.js" "mills.js"
        "api.js" "app.js" "documents.js" "dom.js" "engine.js" "evaluation.js" "game.js" "gif.js"
        "graph-panel.js"
        "graph.js" "images.js" "keys.js" "language.js" "library.js" "moves.js" "open-dialog.js" "play.js"
        "practice.js" "recent.js" "records.js" "render.js" "review.js" "rules.js" "save-dialog.js" "score.js" "setup.js"
        "state.js"
        "storage.js" "texts-de.js" "texts-en.js" "tree.js";
};

pub(super) async fn index() -> Response {
    serve_file("index.html")
}

pub(super) async fn file(Path(name): Path<String>) -> Response {
    serve_file(&name)
}

fn serve_file(name: &str) -> Response {
    match FILES.iter().find(|file| file.0 == name) {
        Some(&(_, kind, text)) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        None => ApiError::new(StatusCode::NOT_FOUND, "not found").into_response(),
    }
}
