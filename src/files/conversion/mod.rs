//! Converts positions and games between formats.
//!
//! A conversion counts the metadata ([`MetadataKind`]) that the target format cannot represent. In
//! a format of positions, a game is converted to its positions; in a format of games, a position
//! becomes a game without moves.

mod convert;
mod fields;

use std::collections::BTreeMap;
use std::error::Error;

use morello_core::game::{
    AnnotatedGame, AnnotatedPosition, AnyPosition, Color, Game, LineFormat, MetadataKind, Position as _,
};
use thiserror::Error;

pub use convert::{Conversion, ConversionCounts, ConversionError, ConversionTarget, SkippedRecord};
pub use fields::PositionRow;

/// The kinds of metadata lost, with the number of positions or games.
pub type LostDetails = BTreeMap<MetadataKind, u64>;

/// A format that cannot be written.
#[derive(Debug, Error)]
#[error("this format is supported as input only")]
struct ReadOnlyFormat;

/// Returns the kinds of metadata that a position has.
fn position_details(entry: &AnnotatedPosition) -> Vec<MetadataKind> {
    if entry.expected.is_empty() { Vec::new() } else { vec![MetadataKind::Scores] }
}

/// Returns the kinds of metadata that a game has.
#[must_use]
pub fn game_details(game: &AnnotatedGame) -> Vec<MetadataKind> {
    let tags = &game.tags;
    let has_other_result =
        tags.result.is_some_and(|result| game.game.points(Color::Black).map(f64::from) != Some(result.points));
    [
        (MetadataKind::Moves, !game.game.moves().is_empty()),
        (MetadataKind::Names, tags.names.iter().any(Option::is_some)),
        (MetadataKind::Ratings, tags.ratings.iter().any(Option::is_some)),
        (MetadataKind::Tournament, tags.tournament.is_some()),
        (MetadataKind::Date, tags.date.is_some()),
        (MetadataKind::Result, has_other_result),
        (MetadataKind::Termination, tags.termination.is_some() && tags.result.is_some()),
        (MetadataKind::TerminationAlone, tags.termination.is_some() && tags.result.is_none()),
        (MetadataKind::Theoretical, tags.theoretical.is_some()),
        (MetadataKind::Notes, game.has_notes()),
    ]
    .into_iter()
    .filter_map(|(kind, is_present)| is_present.then_some(kind))
    .collect()
}

/// Returns whether the recorded result of a game differs from the result on the board. Games that
/// ended early are not compared.
#[must_use]
pub fn contradicts_board(game: &AnnotatedGame) -> bool {
    let recorded = game.tags.result.filter(|_| game.tags.termination.is_none());
    let board = game.game.points(Color::Black).filter(|_| game.game.position().is_over());
    recorded.zip(board).is_some_and(|(recorded, board)| recorded.points != f64::from(board))
}

/// Formats a position in a text format, and counts the lost metadata.
fn write_position(
    format: &LineFormat,
    entry: &AnnotatedPosition,
    lost: &mut LostDetails,
) -> Result<String, Box<dyn Error + Send + Sync>> {
    let written = format.write_position(entry).or_else(|| format.write_game(&Game::new(entry.position).into()));
    let text = written.ok_or(ReadOnlyFormat)??;
    count(position_details(entry), format.writer.preserved, lost);
    Ok(text)
}

/// Formats a game in a text format, or its positions in `select` if the format holds positions, and
/// counts the lost metadata.
fn write_game(
    format: &LineFormat,
    game: &AnnotatedGame,
    select: impl Fn(&AnyPosition, usize) -> bool,
    lost: &mut LostDetails,
) -> Result<Vec<String>, Box<dyn Error + Send + Sync>> {
    let texts = match format.write_game(game) {
        Some(text) => vec![text?],
        None => {
            let positions = game.game.positions().iter().enumerate().filter(|&(ply, position)| select(position, ply));
            let texts =
                positions.map(|(_, &position)| format.write_position(&position.into()).ok_or(ReadOnlyFormat)?);
            texts.collect::<Result<_, _>>()?
        }
    };
    count(game_details(game), format.writer.preserved, lost);
    Ok(texts)
}

/// Counts the kinds of metadata that are not preserved.
fn count(kinds: Vec<MetadataKind>, preserved: &[MetadataKind], lost: &mut LostDetails) {
    for kind in kinds.into_iter().filter(|kind| !preserved.contains(kind)) {
        *lost.entry(kind).or_default() += 1;
    }
}

/// Counts the metadata that a [`GameRecord`](crate::input::GameRecord) cannot represent.
fn count_lost_by_rows(game: &AnnotatedGame, lost: &mut LostDetails) {
    count(game_details(game), MetadataKind::WITHOUT_NOTES, lost);
}
