//! The directory of the program's data, which the user may change by options.

use std::path::PathBuf;

use directories::ProjectDirs;

/// Returns the directory: ~/.local/share/morello on Linux, ~/Library/Application Support/morello on
/// macOS and %LOCALAPPDATA%\morello\data on Windows; `None` without a home directory.
pub(super) fn data_folder() -> Option<PathBuf> {
    Some(ProjectDirs::from("", "", env!("CARGO_PKG_NAME"))?.data_local_dir().to_owned())
}
