//! Converts positions and games between formats.
//!
//! ```
//! use morello::conversion::{Conversion, ConversionTarget};
//! use morello::game::Cancel;
//! use morello::games;
//! use morello::input::{GameRecord, Input, Reader, Selection};
//! use morello::output::{Output, OutputFormat};
//!
//! let othello = games::get("othello")?;
//! let reader = Reader::of(othello, Input::Text("f5d6c3\nf5d6x9\nd3c5".to_owned()))?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.csv");
//! let fields = GameRecord::fields(othello, reader.columns().as_slice());
//! let output = Output::new(OutputFormat::Csv, fields, std::fs::File::create(&path)?)?;
//!
//! let mut conversion = Conversion::new(ConversionTarget::Games(output), Selection::default());
//! let mut errors = Vec::new();
//! conversion.run(reader, &Cancel::new(), &mut |_counts, _bytes, skipped| {
//!     errors.extend(skipped.map(|record| format!("line {}: {}", record.line, record.problem)));
//!     true
//! })?;
//! let (counts, _losses) = conversion.finish()?;
//! assert_eq!((counts.games, counts.skipped), (2, 1));
//! assert_eq!(errors.len(), 1);
//! assert_eq!(std::fs::read_to_string(&path)?.lines().count(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A conversion counts the metadata ([`MetadataKind`]) that the target format cannot represent. In
//! a position format, a game is converted to its positions. In a game format, a position becomes a
//! game without moves.

mod convert;
mod fields;
mod format;
mod rows;

use std::collections::BTreeMap;

pub use convert::{Conversion, ConversionCounts, ConversionError, ConversionTarget, SkippedRecord};
pub use fields::PositionRow;
pub use format::{ConversionFormat, UnknownConversionFormat, UnknownFileFormat};
use morello_core::game::{
    AnnotatedGame, AnnotatedPosition, AnyPosition, Color, Game, GameError, LineFormat, MetadataKind, Position as _,
};
pub use rows::RowReader;

/// The kinds of metadata lost, each with the number of positions or games.
pub type LostDetails = BTreeMap<MetadataKind, u64>;

/// Returns the error of a format that cannot be written.
fn read_only() -> GameError {
    GameError::new("this format is supported as input only")
}

/// Returns the kinds of metadata that a position has.
fn position_details(entry: &AnnotatedPosition) -> Vec<MetadataKind> {
    if entry.expected.is_empty() { Vec::new() } else { vec![MetadataKind::Scores] }
}

/// Returns the kinds of metadata that a game has.
///
/// ```
/// use morello::conversion::game_details;
/// use morello::game::MetadataKind;
/// use morello::games;
/// use morello::input::read_text;
///
/// let game = read_text(games::get("othello")?, "[Black \"Anna\"]\n\n1. f5 d6 *")?.game;
/// assert_eq!(game_details(&game), [MetadataKind::Moves, MetadataKind::Names]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        (MetadataKind::Remarks, game.tree.is_some()),
        (MetadataKind::OtherTags, !tags.others.is_empty()),
    ]
    .into_iter()
    .filter_map(|(kind, is_present)| is_present.then_some(kind))
    .collect()
}

/// Returns whether the recorded result of a game differs from the result on the board. Games that
/// ended early are not compared.
///
/// ```
/// use morello::conversion::contradicts_board;
/// use morello::game::{AnnotatedGame, GameResult};
/// use morello::games;
///
/// let mut game = AnnotatedGame::from(games::get("othello-4x4")?.random_game(1, 20));
/// assert!(!contradicts_board(&game), "no result is recorded");
/// game.tags.result = Some(GameResult { points: 16.5 });
/// assert!(contradicts_board(&game));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[must_use]
pub fn contradicts_board(game: &AnnotatedGame) -> bool {
    let recorded = game.tags.result.filter(|_| game.tags.termination.is_none());
    let board = game.game.points(Color::Black).filter(|_| game.game.position().is_over());
    recorded.zip(board).is_some_and(|(recorded, board)| recorded.points != f64::from(board))
}

/// Formats a position in a text format, and counts the lost metadata.
fn write_position(format: &LineFormat, entry: &AnnotatedPosition, lost: &mut LostDetails) -> Result<String, GameError> {
    let written = format.write_position(entry).or_else(|| format.write_game(&Game::new(entry.position).into()));
    let text = written.ok_or_else(read_only)??;
    count(position_details(entry), format.writer.preserved, lost);
    Ok(text)
}

/// Formats a game in a text format, or the positions of the game in `select` if it is a position
/// format. Counts the lost metadata.
fn write_game(
    format: &LineFormat,
    game: &AnnotatedGame,
    select: impl Fn(&AnyPosition, usize) -> bool,
    lost: &mut LostDetails,
) -> Result<Vec<String>, GameError> {
    let texts = match format.write_game(game) {
        Some(text) => vec![text?],
        None => {
            let positions = game.game.positions().iter().enumerate().filter(|&(ply, position)| select(position, ply));
            let texts =
                positions.map(|(_, &position)| format.write_position(&position.into()).ok_or_else(read_only)?);
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
    count(game_details(game), MetadataKind::OF_ROWS, lost);
}
