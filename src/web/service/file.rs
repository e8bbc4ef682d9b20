//! The request that reads a file: any format of the game, text or binary, also compressed.
//!
//! `POST /api/open/othello/0` has the bytes of the file as its body, of the type
//! `application/octet-stream`. The response lists its positions and games in order, up to
//! [`MAX_GAMES`], with `more` if others follow; the last part of the path is the number of entries
//! to skip. An invalid record has an `error`.

use std::sync::Arc;

use morello_core::causes::with_causes;
use morello_core::game::{AnnotatedGame, AnyGame, Color};
use morello_files::input::{Input, InputFormat, Reader, unread_note};
use serde::Serialize;
use serde_json::{Value, json};

use super::error::{ErrorKind, ServiceError};
use super::request::{check_length, find_game};

/// The largest number of games in a response.
const MAX_GAMES: usize = 500;

/// A position, game or invalid record of a file.
#[derive(Debug, Default, Serialize)]
struct FileEntry {
    /// The line where it begins, from 1; in binary files the number of the record.
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
    /// The points by which Black won, if they are known.
    points: Option<f64>,
    /// Whether they are a score: if not, only the winner is known.
    scored: bool,
    /// The parts of its text that were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Reads the entries of a file. `which` is `GAME/SKIP`.
pub fn open(which: &str, file: Arc<[u8]>) -> Result<Value, ServiceError> {
    let (game, skip) = which.split_once('/').unwrap_or((which, "0"));
    let skip = skip.parse().map_err(|_| ServiceError::new(ErrorKind::Malformed, "the number to skip is wrong"))?;
    let game = find_game(game)?;
    let inputs = vec![Input::Bytes("the file".to_owned(), file)];
    let reader = Reader::open(game, inputs, &InputFormat::default())?;
    let mut found = entries(game, reader).skip(skip);
    let games: Vec<_> = found.by_ref().take(MAX_GAMES).collect();
    Ok(json!({ "games": games, "more": found.next().is_some() }))
}

/// Returns the positions and games of a reader, and its errors.
fn entries(game: &'static dyn AnyGame, reader: Reader) -> impl Iterator<Item = FileEntry> {
    reader.flat_map(move |record| match record {
        Err(error) => vec![FileEntry { error: Some(ServiceError::from(error).text), ..FileEntry::default() }],
        Ok(record) => match record.content {
            Err(error) => {
                let text = format!("line {}, column {}: {}", error.line, error.column, with_causes(&error));
                vec![FileEntry { line: record.line, error: Some(text), ..FileEntry::default() }]
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
        return FileEntry { line, error: Some(error.text), ..FileEntry::default() };
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
        note: unread_note(line, unread.iter()),
        error: None,
    }
}
