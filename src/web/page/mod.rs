//! The files of the page, built in or read from a directory.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use flate2::Compression;
use flate2::write::GzEncoder;
use morello_core::fnv::Fnv1a;

/// The maximum total size, in bytes, and number of files in a directory that is served as a page.
const MAX_FOLDER_BYTES: u64 = 256 << 20;
const MAX_FOLDER_FILES: usize = 10_000;

/// Creates the list of files from their names.
macro_rules! files {
    ($($name:literal,)*) => { &[$(($name, include_bytes!($name)),)*] };
}

/// The files, with their content.
const FILES: &[(&str, &[u8])] = files![
    "index.html",
    "board.css",
    "panels.css",
    "style.css",
    "icon.svg",
    "icon-192.png",
    "icon-512.png",
    "icon-maskable.png",
    "manifest.webmanifest",
    "figtree.woff2",
    "figtree.LICENSE.txt",
    "lit-html.LICENSE.txt",
    "api.js",
    "app.js",
    "board-input.js",
    "board-labels.js",
    "board-look.js",
    "board-marks.js",
    "board-men.js",
    "board-motion.js",
    "board-shapes.js",
    "board-texture-worker.js",
    "board-texture.js",
    "board-view.js",
    "board-words.js",
    "board.js",
    "cards.js",
    "clock.js",
    "documents.js",
    "dom.js",
    "drag.js",
    "engine.js",
    "evaluation.js",
    "export-text.js",
    "game.js",
    "gif.js",
    "graph-panel.js",
    "graph.js",
    "images.js",
    "kept-reviews.js",
    "keys.js",
    "language.js",
    "library.js",
    "line-preview.js",
    "lit-html.js",
    "mills.js",
    "miniature.js",
    "mistakes.js",
    "moves.js",
    "notes.js",
    "open-dialog.js",
    "openings.js",
    "play.js",
    "players.js",
    "practice-dialog.js",
    "practice-run.js",
    "practice-words.js",
    "practice.js",
    "progress.js",
    "recent.js",
    "records.js",
    "result-dialog.js",
    "review-run.js",
    "review.js",
    "rules.js",
    "save-dialog.js",
    "score.js",
    "settings-dialog.js",
    "setup.js",
    "sheet.js",
    "sound.js",
    "start-dialog.js",
    "state.js",
    "status.js",
    "storage.js",
    "tabs.js",
    "texts-de.js",
    "texts-en.js",
    "transport-error.js",
    "transport.js",
    "tree.js",
    "trusted.js",
];

/// The media types of files, by file name extension.
const KINDS: [(&str, &str); 9] = [
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".txt", "text/plain; charset=utf-8"),
    (".svg", "image/svg+xml"),
    (".png", PNG),
    (".webmanifest", "application/manifest+json"),
    (".woff2", FONT),
    (".wasm", "application/wasm"),
];
const PNG: &str = "image/png";
const FONT: &str = "font/woff2";

/// A file of the page.
#[derive(Debug)]
pub(crate) struct PageFile {
    /// The path in the page directory.
    name: Cow<'static, str>,
    /// The media type.
    pub kind: &'static str,
    pub bytes: Cow<'static, [u8]>,
    /// The ETag, which changes with the content. It is weak, because the compressed file has the
    /// same one.
    pub etag: String,
    compressed: OnceLock<Vec<u8>>,
}

static PAGE: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let mut files: Vec<_> = FILES.iter().map(|&(name, bytes)| PageFile::new(name, bytes)).collect();
    files.push(service_worker(&files));
    files
});

/// Returns the service worker. It begins with a name for this version of the files and the list of
/// their names.
fn service_worker(files: &[PageFile]) -> PageFile {
    let version = files.iter().fold(Fnv1a::new(), |hash, file| hash.add_bytes(file.etag.as_bytes())).finish();
    let names = files.iter().map(|file| if file.name == "index.html" { "." } else { &file.name });
    let kept = (format!("morello {version:016x}"), names.collect::<Vec<_>>());
    let kept = serde_json::to_string(&kept).expect("texts are JSON");
    let script = format!("self.KEPT = {kept};\n{}", include_str!("service-worker.js"));
    PageFile::new("service-worker.js", script.into_bytes())
}

/// Returns the files of the page.
pub(crate) fn files() -> &'static [PageFile] {
    &PAGE
}

/// Reads the files of a directory and its subdirectories, except links, special files and files
/// whose names begin with a dot.
///
/// # Errors
/// If a file cannot be read, or if there are too many files or they are too large.
pub(crate) fn read_folder(folder: &Path) -> io::Result<Vec<PageFile>> {
    let (mut files, mut folders, mut size) = (Vec::new(), vec![folder.to_owned()], 0);
    while let Some(inner) = folders.pop() {
        for entry in inner.read_dir()? {
            let entry = entry?;
            // Links may lead out of the directory, and reading special files may never end.
            let (path, kind) = (entry.path(), entry.file_type()?);
            if entry.file_name().to_string_lossy().starts_with('.') || !kind.is_dir() && !kind.is_file() {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            size += entry.metadata()?.len();
            if size > MAX_FOLDER_BYTES || files.len() == MAX_FOLDER_FILES {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "too many or too large files for a page"));
            }
            let name = path.strip_prefix(folder).expect("it is in the folder").to_string_lossy().replace('\\', "/");
            files.push(PageFile::new(name, std::fs::read(&path)?));
        }
    }
    Ok(files)
}

impl PageFile {
    fn new(name: impl Into<Cow<'static, str>>, bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        let (name, bytes) = (name.into(), bytes.into());
        let kind = KINDS.iter().find(|(end, _)| name.ends_with(end));
        let kind = kind.map_or("application/octet-stream", |&(_, kind)| kind);
        let etag = format!("W/\"{:016x}\"", Fnv1a::new().add_bytes(&bytes).finish());
        Self { name, kind, bytes, etag, compressed: OnceLock::new() }
    }

    /// Returns the path in the page directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the content compressed with gzip, which is done once; `None` if the format is
    /// already compressed.
    pub fn gzip(&self) -> Option<&[u8]> {
        let compress = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&self.bytes).and_then(|()| encoder.finish()).expect("a vector takes all bytes")
        };
        (![FONT, PNG].contains(&self.kind)).then(|| self.compressed.get_or_init(compress).as_slice())
    }
}
