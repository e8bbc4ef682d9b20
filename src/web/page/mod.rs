//! The page: its files are embedded in the program.

use std::io::Write as _;
use std::sync::{LazyLock, OnceLock};

use flate2::Compression;
use flate2::write::GzEncoder;
use morello_core::fnv::Fnv1a;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const SVG: &str = "image/svg+xml";
const FONT: &str = "font/woff2";

/// Makes the list of files from their names, grouped by type.
macro_rules! files {
    ($($kind:ident: $($name:literal)*;)+) => { &[$(($kind, &[$(($name, include_bytes!($name)),)*]),)+] };
}

/// The name of a file, and its content.
type NamedFile = (&'static str, &'static [u8]);

/// The media types and their files.
const FILES: &[(&str, &[NamedFile])] = files! {
    HTML: "index.html";
    CSS: "board.css" "panels.css" "style.css";
    SVG: "icon.svg";
    FONT: "figtree.woff2";
    TEXT: "figtree.LICENSE.txt" "lit-html.LICENSE.txt";
    JS: "api.js" "app.js" "board-input.js" "board-labels.js" "board-look.js" "board-marks.js" "board-men.js"
        "board-motion.js" "board-texture-worker.js" "board-texture.js" "board-view.js" "board-words.js" "board.js"
        "clock.js" "documents.js" "dom.js" "drag.js" "engine.js" "evaluation.js" "export-text.js" "game.js" "gif.js"
        "graph-panel.js" "graph.js" "images.js" "keys.js" "language.js" "library.js" "lit-html.js" "mills.js"
        "miniature.js" "moves.js" "open-dialog.js" "play.js" "players.js" "practice-run.js" "practice.js"
        "recent.js" "records.js" "result-dialog.js" "review-run.js" "review.js" "rules.js" "save-dialog.js"
        "score.js" "settings-dialog.js" "setup.js" "sheet.js" "sound.js" "start-dialog.js" "state.js" "status.js"
        "storage.js" "tabs.js" "texts-de.js" "texts-en.js" "tree.js";
};

/// A file of the page.
#[derive(Debug)]
pub(crate) struct PageFile {
    name: &'static str,
    /// The media type.
    pub kind: &'static str,
    pub bytes: &'static [u8],
    /// Changes with the bytes. It is weak, since the compressed file has the same.
    pub etag: String,
    compressed: OnceLock<Vec<u8>>,
}

static PAGE: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let files = FILES.iter().flat_map(|&(kind, files)| files.iter().map(move |&(name, bytes)| (name, kind, bytes)));
    files.map(|(name, kind, bytes)| PageFile::new(name, kind, bytes)).collect()
});

/// Returns the file with this name.
pub(crate) fn file(name: &str) -> Option<&'static PageFile> {
    PAGE.iter().find(|file| file.name == name)
}

impl PageFile {
    fn new(name: &'static str, kind: &'static str, bytes: &'static [u8]) -> Self {
        let etag = format!("W/\"{:016x}\"", Fnv1a::new().add_bytes(bytes).finish());
        Self { name, kind, bytes, etag, compressed: OnceLock::new() }
    }

    /// Returns the bytes in gzip, which are made once; `None` if the format is compressed already.
    pub fn gzip(&self) -> Option<&[u8]> {
        let compress = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(self.bytes).and_then(|()| encoder.finish()).expect("a vector takes all bytes")
        };
        (self.kind != FONT).then(|| self.compressed.get_or_init(compress).as_slice())
    }
}
