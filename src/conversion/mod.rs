//! Positions and games from one format into another.
//!
//! What one format tells and another has no place for is [`Told`]: it is lost, and a conversion counts it. A game becomes its positions in
//! a format of positions; a position becomes a game without moves in a format of games.

mod fields;
mod run;

use std::collections::BTreeMap;
use std::error::Error;

use thiserror::Error;

pub use fields::{GameRow, PositionRow};
pub use run::{Conversion, ConversionError, Counts, Skipped, Target};

use crate::game::{Annotated, AnyPosition, Color, Entry, Game, LineFormat, Position as _, Told};

/// What was lost, each with the number of positions or games.
pub type Lost = BTreeMap<Told, u64>;

/// A format that is read alone.
#[derive(Debug, Error)]
#[error("nothing is written in this format")]
struct NotWritten;

/// Returns what is told of a position.
fn told_of_position(entry: &Entry) -> Vec<Told> {
    if entry.expected.is_empty() { Vec::new() } else { vec![Told::Scores] }
}

/// Returns what is told of a game.
#[must_use]
pub fn told_of_game(game: &Annotated) -> Vec<Told> {
    let tags = &game.tags;
    let result_is_new =
        tags.result.is_some_and(|verdict| game.game.points(Color::Black).map(f64::from) != Some(verdict.points));
    [
        (Told::Moves, !game.game.moves().is_empty()),
        (Told::Names, tags.names.iter().any(Option::is_some)),
        (Told::Tournament, tags.tournament.is_some()),
        (Told::Date, tags.date.is_some()),
        (Told::Result, result_is_new),
        (Told::Theoretical, tags.theoretical.is_some()),
        (Told::Notes, game.is_noted()),
    ]
    .into_iter()
    .filter_map(|(told, is_told)| is_told.then_some(told))
    .collect()
}

/// Returns whether the result that is told of a game is another than that of the board on which it was played to its end.
#[must_use]
pub fn contradicts_board(game: &Annotated) -> bool {
    let told = game.tags.result.filter(|verdict| verdict.ending.is_none());
    let board = game.game.points(Color::Black).filter(|_| game.game.position().is_over());
    told.zip(board).is_some_and(|(told, board)| told.points != f64::from(board))
}

/// Writes a position in a text format, and counts what is lost.
fn write_position(format: &LineFormat, entry: &Entry, lost: &mut Lost) -> Result<String, Box<dyn Error + Send + Sync>> {
    let written = format.write_position(entry).or_else(|| format.write_game(&Game::new(entry.position).into()));
    let text = written.ok_or(NotWritten)??;
    count(told_of_position(entry), format.writing.keeps, lost);
    Ok(text)
}

/// Writes a game in a text format, the positions among `select` if it is one of positions, and counts what is lost.
fn write_game(
    format: &LineFormat,
    game: &Annotated,
    select: impl Fn(&AnyPosition, usize) -> bool,
    lost: &mut Lost,
) -> Result<Vec<String>, Box<dyn Error + Send + Sync>> {
    let texts = match format.write_game(game) {
        Some(text) => vec![text?],
        None => {
            let positions = game.game.positions().iter().enumerate().filter(|&(ply, position)| select(position, ply));
            let texts = positions.map(|(_, &position)| format.write_position(&position.into()).ok_or(NotWritten)?);
            texts.collect::<Result<_, _>>()?
        }
    };
    count(told_of_game(game), format.writing.keeps, lost);
    Ok(texts)
}

/// Counts what is told and not kept.
fn count(told: Vec<Told>, keeps: &[Told], lost: &mut Lost) {
    for told in told.into_iter().filter(|told| !keeps.contains(told)) {
        *lost.entry(told).or_default() += 1;
    }
}

/// Counts what a [`GameRow`] has no place for.
fn count_lost_by_rows(game: &Annotated, lost: &mut Lost) {
    let kept = [Told::Moves, Told::Names, Told::Tournament, Told::Date, Told::Result, Told::Theoretical];
    count(told_of_game(game), &kept, lost);
}
