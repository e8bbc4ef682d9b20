//! [`expand`]: lists the files in directories and archives.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use morello_core::game::RecordFormat;
use morello_core::games;

use super::beginning::RECORD_HEAD;
use super::binary;
use super::source::{Input, ReadError, archive};

/// The files in directories and archives.
#[derive(Debug, Default)]
pub struct Expanded {
    /// The files that may contain positions and games.
    pub inputs: Vec<Input>,
    /// The names and descriptions of the other files.
    pub skipped: Vec<(String, &'static str)>,
}

/// Replaces directories and zip archives by the files in them. The files in a directory and its
/// subdirectories are sorted by name; the files in an archive keep their order.
///
/// Hidden files, and files that only accompany others, such as WTHOR name files, are ignored.
/// Binary files that are not in a format of any game are returned as skipped, unless they are named
/// explicitly.
///
/// ```
/// use morello::input::{Input, expand};
///
/// let folder = tempfile::tempdir()?;
/// for (name, text) in [("b.txt", "f5d6"), ("a.txt", "f5f6"), (".hidden", "x"), ("image", "\0")] {
///     std::fs::write(folder.path().join(name), text)?;
/// }
/// let found = expand(vec![Input::File(folder.path().to_owned())])?;
/// let files = ["a.txt", "b.txt"].map(|name| Input::File(folder.path().join(name)));
/// assert_eq!(found.inputs, files);
/// assert_eq!(found.skipped.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadError`] if a directory or an archive cannot be read, or is empty.
pub fn expand(inputs: Vec<Input>) -> Result<Expanded, ReadError> {
    let mut expanded = Expanded::default();
    for input in inputs {
        expanded.add(input)?;
    }
    Ok(expanded)
}

impl Expanded {
    fn add(&mut self, input: Input) -> Result<(), ReadError> {
        let found = match &input {
            Input::File(path) if path.is_dir() => files_in(path),
            archive if archive.is_archive() => archive::entries(archive),
            _ => {
                self.inputs.push(input);
                return Ok(());
            }
        };
        let (count, found) = (self.inputs.len(), found.map_err(|source| input.failed(source))?);
        for file in found {
            match &file {
                Input::File(_) if file.is_archive() => self.add(file)?,
                _ if is_left_out(&file) => {}
                _ => match unread_kind(&file) {
                    Some(about) => self.skipped.push((file.name(), about)),
                    None => self.inputs.push(file),
                },
            }
        }
        let is_empty = self.inputs.len() == count;
        let nothing = || input.failed(io::Error::other("it contains no files with positions or games"));
        if is_empty { Err(nothing()) } else { Ok(()) }
    }
}

/// Returns the files in a directory and its subdirectories, sorted by name.
fn files_in(folder: &Path) -> io::Result<Vec<Input>> {
    let mut files = Vec::new();
    walk(folder, &mut Vec::new(), &mut files)?;
    Ok(files.into_iter().map(Input::File).collect())
}

/// Adds the files in a directory, unless it is one of the `outer` directories, to which a link may
/// lead.
fn walk(folder: &Path, outer: &mut Vec<PathBuf>, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let place = folder.canonicalize()?;
    if outer.contains(&place) {
        return Ok(());
    }
    outer.push(place);
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths.into_iter().filter(|path| !is_hidden(path)) {
        if path.is_dir() {
            walk(&path, outer, files)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    outer.pop();
    Ok(())
}

/// Returns whether the last part of a path has a hidden name.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns whether a file only accompanies others, or is a hidden file in an archive.
fn is_left_out(file: &Input) -> bool {
    let is_companion = |path: &Path| {
        let of_game = |extension: &&str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
        record_formats().flat_map(|format| format.companion_extensions).any(of_game)
    };
    match file {
        Input::File(path) => is_companion(path),
        Input::Entry(entry) => {
            let path = Path::new(entry.name());
            is_companion(path) || path.ancestors().any(|part| is_hidden(part) || part.ends_with("__MACOSX"))
        }
        Input::Stdin | Input::Text(_) | Input::Bytes(..) | Input::Guarded(_) => false,
    }
}

/// Returns the binary formats of all games.
fn record_formats() -> impl Iterator<Item = &'static RecordFormat> {
    games::all().iter().flat_map(|game| game.record_formats())
}

/// Returns a description of a binary file that is not in a format of any game. If the file cannot
/// be opened, an error follows later.
fn unread_kind(file: &Input) -> Option<&'static str> {
    let head = file.open().ok()?.head(RECORD_HEAD, |_, _| false).ok()?;
    let is_of_game = record_formats().any(|format| (format.detect)(&head));
    binary::describe(&head).filter(|_| !is_of_game)
}
