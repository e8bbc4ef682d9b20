//! The page: its files are embedded in the program.

use std::borrow::Cow;
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
const PNG: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";
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
    PNG: "icon-192.png" "icon-512.png" "icon-maskable.png";
    MANIFEST: "manifest.webmanifest";
    FONT: "figtree.woff2";
    TEXT: "figtree.LICENSE.txt" "lit-html.LICENSE.txt";
    JS: "api.js" "app.js" "board-input.js" "board-labels.js" "board-look.js" "board-marks.js" "board-men.js"
        "board-motion.js" "board-shapes.js" "board-texture-worker.js" "board-texture.js" "board-view.js"
        "board-words.js" "board.js" "clock.js" "documents.js" "dom.js" "drag.js" "engine.js" "evaluation.js"
        "export-text.js" "game.js" "gif.js" "graph-panel.js" "graph.js" "images.js" "kept-reviews.js" "keys.js"
        "language.js" "library.js" "line-preview.js" "lit-html.js" "mills.js" "miniature.js" "mistakes.js"
        "moves.js" "notes.js" "open-dialog.js" "play.js" "players.js" "practice-dialog.js" "practice-run.js"
        "practice-words.js" "practice.js" "progress.js" "recent.js" "records.js" "result-dialog.js" "review-run.js"
        "review.js" "rules.js" "save-dialog.js" "score.js" "settings-dialog.js" "setup.js" "sheet.js" "sound.js"
        "start-dialog.js" "state.js" "status.js" "storage.js" "tabs.js" "texts-de.js" "texts-en.js" "transport.js"
        "tree.js";
};

/// A file of the page.
#[derive(Debug)]
pub(crate) struct PageFile {
    name: &'static str,
    /// The media type.
    pub kind: &'static str,
    pub bytes: Cow<'static, [u8]>,
    /// Changes with the bytes. It is weak, since the compressed file has the same.
    pub etag: String,
    compressed: OnceLock<Vec<u8>>,
}

static PAGE: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let files = FILES.iter().flat_map(|&(kind, files)| files.iter().map(move |&(name, bytes)| (name, kind, bytes)));
    let mut files: Vec<_> = files.map(|(name, kind, bytes)| PageFile::new(name, kind, bytes.into())).collect();
    files.push(service_worker(&files));
    files
});

/// Returns the service worker, which begins with a name for this version of the files, and their names.
fn service_worker(files: &[PageFile]) -> PageFile {
    let version = files.iter().fold(Fnv1a::new(), |hash, file| hash.add_bytes(file.etag.as_bytes())).finish();
    let names = files.iter().map(|file| if file.name == "index.html" { "." } else { file.name });
    let kept = (format!("morello {version:016x}"), names.collect::<Vec<_>>());
    let kept = serde_json::to_string(&kept).expect("texts are JSON");
    let script = format!("self.KEPT = {kept};\n{}", include_str!("service-worker.js"));
    PageFile::new("service-worker.js", JS, script.into_bytes().into())
}

/// Returns the file with this name.
pub(crate) fn file(name: &str) -> Option<&'static PageFile> {
    PAGE.iter().find(|file| file.name == name)
}

impl PageFile {
    fn new(name: &'static str, kind: &'static str, bytes: Cow<'static, [u8]>) -> Self {
        let etag = format!("W/\"{:016x}\"", Fnv1a::new().add_bytes(&bytes).finish());
        Self { name, kind, bytes, etag, compressed: OnceLock::new() }
    }

    /// Returns the bytes in gzip, which are made once; `None` if the format is compressed already.
    pub fn gzip(&self) -> Option<&[u8]> {
        let compress = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&self.bytes).and_then(|()| encoder.finish()).expect("a vector takes all bytes")
        };
        (![FONT, PNG].contains(&self.kind)).then(|| self.compressed.get_or_init(compress).as_slice())
    }
}
