//! The request that reads a file: any format of the game, text or binary, also compressed.
//!
//! The body of `POST /api/open/othello/0` has the bytes of the file, with the type
//! `application/octet-stream`. The last part of the path is the number of entries to skip. The
//! response lists up to [`MAX_GAMES`] positions and games in order, of about
//! [`MAX_RESPONSE_BYTES`], with `more` if others follow.
//! An invalid record has an `error`. If the file has no position or game of the named game but can
//! be read as another game, `game` is that game.

use std::sync::Arc;

use morello_core::game::{AnnotatedGame, AnyGame, Cancel, Color};
use morello_core::games;
use morello_files::input::{GuardedInput, Input, InputFormat, ReadTextError, Reader};
use serde::Serialize;

use super::error::ServiceError;
use super::explain::{explain, explain_unread};
use super::message::Explanation;
use super::request::{check_length, find_game};
use super::{to_json, wthor};

/// The maximum number of games in a response, and their size in bytes; one may be longer.
const MAX_GAMES: usize = 500;
const MAX_RESPONSE_BYTES: usize = 2 << 20;
/// The maximum number of entries to skip.
const MAX_SKIPPED: usize = 1_000_000;
/// The maximum number of bytes of a file that are read, packed and unpacked ones.
const MAX_UNPACKED_BYTES: u64 = 64 << 20;

/// A position, game or invalid record of a file.
#[derive(Debug, Default, Serialize)]
struct FileEntry {
    /// The line where the entry begins, from 1; in binary files, the number of the record.
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: Vec<String>,
    /// The moves with comments and variations; `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<String>,
    names: [Option<String>; 2],
    event: Option<String>,
    date: Option<String>,
    /// Black's margin in points, if known.
    points: Option<f64>,
    /// Whether the points are a score. If not, only the winner is known.
    scored: bool,
    /// The parts of the text that were ignored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Explanation>,
    #[serde(flatten)]
    error: Option<Explanation>,
    /// Whether the rest of the file cannot be read.
    #[serde(skip)]
    is_end: bool,
}

/// The entries of a file.
#[derive(Debug, Serialize)]
pub struct FileEntries {
    game: &'static str,
    games: Vec<FileEntry>,
    more: bool,
}

/// Reads the entries of a file until `cancel` is raised. `which` is `GAME/SKIP`.
pub fn open(which: &str, file: &Arc<Vec<u8>>, cancel: &Cancel) -> Result<FileEntries, ServiceError> {
    let (game, skip) = which.split_once('/').unwrap_or((which, "0"));
    let skip = skip.parse().ok().filter(|&skip| skip <= MAX_SKIPPED);
    let wrong = || ServiceError::malformed(format!("the number to skip is not a number from 0 to {MAX_SKIPPED}"));
    let (game, skip) = (find_game(game)?, skip.ok_or_else(wrong)?);
    let read = |game, skip| {
        let input = GuardedInput::new("the file".to_owned(), Arc::clone(file), MAX_UNPACKED_BYTES, cancel.clone());
        read(game, file, Input::Guarded(Arc::new(input)), skip)
    };
    let own = read(game, skip);
    if skip > 0 || is_of_game(&own) {
        return own;
    }
    let others = games::all().iter().filter(|other| other.name() != game.name());
    let mut others = others.take_while(|_| !cancel.is_cancelled()).map(|other| read(*other, 0));
    others.find(is_of_game).unwrap_or(own)
}

/// Reads a file as a file of this game.
fn read(game: &'static dyn AnyGame, file: &[u8], input: Input, skip: usize) -> Result<FileEntries, ServiceError> {
    let several = (game.name() == "othello").then(|| wthor::games(file)).flatten();
    let found: Box<dyn Iterator<Item = FileEntry>> = match several {
        Some(games) => Box::new(games.zip(1..).map(|(read, record)| match read {
            Ok(annotated) => entry_of(game, record, annotated),
            Err(error) => FileEntry { line: record, error: Some(explain(&error)), ..FileEntry::default() },
        })),
        None => Box::new(entries(game, Reader::open(game, vec![input], &InputFormat::default())?)),
    };
    let mut found = found.enumerate().filter(|(index, entry)| *index >= skip || entry.is_end).map(|(_, entry)| entry);
    let (mut games, mut bytes) = (Vec::new(), 0);
    while games.len() < MAX_GAMES && bytes < MAX_RESPONSE_BYTES {
        let Some(entry) = found.next() else { break };
        bytes += to_json(&entry).len();
        games.push(entry);
    }
    Ok(FileEntries { game: game.name(), games, more: found.next().is_some() })
}

/// Returns whether at least one entry could be read.
fn is_of_game(read: &Result<FileEntries, ServiceError>) -> bool {
    read.as_ref().is_ok_and(|entries| entries.games.iter().any(|entry| entry.error.is_none()))
}

/// Returns the positions, games and errors of a reader.
fn entries(game: &'static dyn AnyGame, reader: Reader) -> impl Iterator<Item = FileEntry> {
    reader.flat_map(move |record| match record {
        Err(error) => vec![FileEntry { error: Some(explain(&error)), is_end: true, ..FileEntry::default() }],
        Ok(record) => match record.content {
            Err(error) => {
                let error = explain(&ReadTextError::Invalid(error));
                vec![FileEntry { line: record.line, error: Some(error), ..FileEntry::default() }]
            }
            Ok(content) => {
                content.into_games().into_iter().map(|annotated| entry_of(game, record.line, annotated)).collect()
            }
        },
    })
}

fn entry_of(rules: &dyn AnyGame, line: u64, annotated: AnnotatedGame) -> FileEntry {
    let scored = annotated.black_score().is_some();
    let AnnotatedGame { game, tags, tree, unread, .. } = annotated;
    if let Err(error) = check_length(game.moves().len()) {
        return FileEntry { line, error: Some(error.explanation), ..FileEntry::default() };
    }
    let start = game.start();
    FileEntry {
        line,
        start: (*start != rules.start()).then(|| start.to_string()),
        moves: game.moves().iter().map(ToString::to_string).collect(),
        tree: tree.map(|tree| tree.to_string()),
        points: tags.points_or(game.points(Color::Black)),
        scored,
        names: tags.names,
        event: tags.tournament,
        date: tags.date,
        notes: unread.iter().map(|unread| explain_unread(line, unread)).collect(),
        error: None,
        is_end: false,
    }
}
