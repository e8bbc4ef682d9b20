//! Searches game collections: which games match, what was played from a position, how the players
//! scored, and where they went wrong.
//!
//! ```
//! use morello::collection::{GameFilter, SelectedGames};
//! use morello::game::Cancel;
//! use morello::games;
//! use morello::input::{GameRecord, Input, Reader};
//!
//! let text = "transcript,black,white\nf5d6c3,Anna,Bob\nf5f6e6,Bob,Carla\n".to_owned();
//! let reader = Reader::of(games::get("othello")?, Input::Text(text))?;
//! let mut filter = GameFilter::default();
//! filter.players = vec!["anna".parse()?];
//! let select = move |record: GameRecord| filter.matches(&record.game).then_some(record);
//! let batches = SelectedGames::new(reader, 2, &Cancel::new(), select);
//! let games: Vec<_> = batches.flat_map(|batch| batch.selected).collect();
//! assert_eq!((games.len(), games[0].line), (1, 2));
//! assert_eq!(games[0].game.tags.names[1].as_deref(), Some("Bob"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! input::Reader -> one reader per input, on all cores -> GameFilter -> games in input order
//!     -> GameSample | MoveTree | PlayerTable | ...
//! ```
//!
//! [`SelectedGames`] reads the inputs in parallel and keeps their order. Memory use does not depend
//! on the size or number of the inputs: while an earlier input is slow, only a bounded number of
//! later games is read ahead. However, a [`MoveTree`] grows with its distinct positions, and a
//! [`PlayerTable`] with the number of players.

mod filter;
mod filter_check;
mod mistakes;
mod openings;
mod pattern;
mod players;
mod results;
mod sample;
mod selected_games;
#[cfg(test)]
mod tests;
mod tree;

pub use filter::{GameFilter, ResultFilter, ResultFilterError};
pub use filter_check::{FilterCheck, GameDatum, UnmatchedName};
pub use mistakes::{AccuracyRow, Mistake, MistakeStatistics, Phase};
pub use openings::{OpenedGame, OpeningResults, OpeningResultsRow};
pub use pattern::{NamePattern, NamePatternError, OpeningPattern, PositionPattern};
pub use players::{PlayedGame, PlayerRow, PlayerTable};
pub use results::{Results, SideResult};
pub use sample::GameSample;
pub use selected_games::{GameBatch, SelectedGames};
pub use tree::{GamePath, MAX_ROWS, MoveTree, PathFinder, TooManyRows, TreeRow};
