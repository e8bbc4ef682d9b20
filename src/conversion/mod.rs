//! Positions and games from one format into another.
//!
//! What one format tells and another has no place for is [`MetadataKind`]: it is lost, and a conversion counts it. A game becomes its positions in
//! a format of positions; a position becomes a game without moves in a format of games.

mod convert;
mod fields;

use std::collections::BTreeMap;
use std::error::Error;

use thiserror::Error;

pub use convert::{Conversion, ConversionCounts, ConversionError, ConversionTarget, SkippedRecord};
pub use fields::{GameRow, PositionRow};

use crate::game::{
    AnnotatedGame, AnnotatedPosition, AnyPosition, Color, Game, LineFormat, MetadataKind, Position as _,
};

/// What was lost, each with the number of positions or games.
pub type LostDetails = BTreeMap<MetadataKind, u64>;

/// A format that is read alone.
#[derive(Debug, Error)]
#[error("nothing is written in this format")]
struct ReadOnlyFormat;

/// Returns what is told of a position.
fn position_details(entry: &AnnotatedPosition) -> Vec<MetadataKind> {
    if entry.expected.is_empty() { Vec::new() } else { vec![MetadataKind::Scores] }
}

/// Returns what is told of a game.
#[must_use]
pub fn game_details(game: &AnnotatedGame) -> Vec<MetadataKind> {
    let tags = &game.tags;
    let result_is_new =
        tags.result.is_some_and(|verdict| game.game.points(Color::Black).map(f64::from) != Some(verdict.points));
    [
        (MetadataKind::Moves, !game.game.moves().is_empty()),
        (MetadataKind::Names, tags.names.iter().any(Option::is_some)),
        (MetadataKind::Tournament, tags.tournament.is_some()),
        (MetadataKind::Date, tags.date.is_some()),
        (MetadataKind::Result, result_is_new),
        (MetadataKind::Theoretical, tags.theoretical.is_some()),
        (MetadataKind::Notes, game.has_notes()),
    ]
    .into_iter()
    .filter_map(|(told, is_told)| is_told.then_some(told))
    .collect()
}

/// Returns whether the result that is told of a game is another than that of the board on which it was played to its end.
#[must_use]
pub fn contradicts_board(game: &AnnotatedGame) -> bool {
    let told = game.tags.result.filter(|verdict| verdict.termination.is_none());
    let board = game.game.points(Color::Black).filter(|_| game.game.position().is_over());
    told.zip(board).is_some_and(|(told, board)| told.points != f64::from(board))
}

/// Writes a position in a text format, and counts what is lost.
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

/// Writes a game in a text format, the positions among `select` if it is one of positions, and counts what is lost.
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

/// Counts what is told and not kept.
fn count(told: Vec<MetadataKind>, keeps: &[MetadataKind], lost: &mut LostDetails) {
    for told in told.into_iter().filter(|told| !keeps.contains(told)) {
        *lost.entry(told).or_default() += 1;
    }
}

/// Counts what a [`GameRow`] has no place for.
fn count_lost_by_rows(game: &AnnotatedGame, lost: &mut LostDetails) {
    let kept = [
        MetadataKind::Moves,
        MetadataKind::Names,
        MetadataKind::Tournament,
        MetadataKind::Date,
        MetadataKind::Result,
        MetadataKind::Theoretical,
    ];
    count(game_details(game), &kept, lost);
}
