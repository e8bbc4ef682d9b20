//! What the rows of several questions share.

use std::path::Path;

/// Returns the width of the longest text in characters.
pub(super) fn width(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// Returns the name of a file without its folder, for a table.
pub(super) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}
