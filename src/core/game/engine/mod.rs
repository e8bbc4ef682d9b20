//! [`Engine`]: the searcher of a game and its options.

pub(super) mod confidence;
pub(super) mod duration;
pub(super) mod level;
pub(super) mod limits;
pub(super) mod report;
pub(super) mod searcher;

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::{Confidence, Game, GameRules, Limits, Outcome, Searcher};
use crate::bounded_file::{MAX_WEIGHTS_BYTES, read_file};

/// The highest level of play.
pub const LEVELS: u32 = 60;

/// A game with a searcher.
pub trait Engine: GameRules {
    /// Creates the game's best searcher.
    ///
    /// # Errors
    /// [`WrongGameData`] if the weights or the database belong to another game.
    fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher<Self>>, WrongGameData>;

    /// Returns the search limits of a level of play, from 1 to [`LEVELS`]. By default, the level is
    /// the depth in plies.
    fn level(level: u32) -> Limits {
        Limits::depth(level)
    }

    /// Returns the built-in evaluation of the position without a search, in thousandths of a point
    /// for the side to move. The game must not be over.
    fn static_evaluation(&self) -> i32;

    /// Returns the numbers that the trained evaluation is computed from, always as many for the
    /// same game; none if the evaluation is not trained.
    fn features(&self) -> Vec<i32> {
        Vec::new()
    }

    /// Returns the error, in points, that 95 % of the unproved scores of searches with the built-in
    /// evaluation do not exceed, by the number of empty squares, the depth in plies and the
    /// confidence; `None` if it was not measured for the game.
    fn score_error(_empties: u32, _depth: u32, _confidence: Confidence) -> Option<f64> {
        None
    }

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the game does not support weights, or the file has no weights for it.
    fn read_weights(_file: &Path) -> Result<GameData, WeightsError> {
        Err(WeightsError::NoWeights(Self::INFO.name))
    }

    /// Opens the game's endgame database for [`EngineOptions::database`]: the tables in `folder`,
    /// and sectors small enough to be solved on demand. Returns `None` for games without databases.
    ///
    /// # Errors
    /// A table in the folder cannot be used. A missing folder is not an error.
    fn open_database(_folder: Option<&Path>) -> Result<Option<GameData>, Box<dyn Error + Send + Sync>> {
        Ok(None)
    }

    /// Returns the result of an unfinished game under best play, if the
    /// [database](Self::open_database) has it.
    ///
    /// # Errors
    /// [`WrongGameData`] if the database belongs to another game.
    fn look_up(_database: &GameData, _game: &Game<Self>) -> Result<Option<Outcome>, WrongGameData> {
        Ok(None)
    }
}

/// The options of a searcher.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The size of the transposition tables in bytes; forks of a searcher share them.
    pub hash_bytes: usize,
    /// The weights of the evaluation; `None` for the built-in ones. Evaluations without weights
    /// ignore them.
    pub weights: Option<GameData>,
    /// The game's [endgame database](Engine::open_database); `None` searches without one.
    pub database: Option<GameData>,
    /// The evaluation.
    pub evaluation: EvaluationKind,
    /// Wraps the searchers that [`AnyGame::searcher`](super::AnyGame::searcher) creates, for
    /// example to answer from an opening book.
    pub wrapper: Option<Arc<dyn SearcherWrapper>>,
}

impl Default for EngineOptions {
    /// 64 MiB of tables, the built-in weights, and no database.
    fn default() -> Self {
        Self {
            hash_bytes: 64 << 20,
            weights: None,
            database: None,
            evaluation: EvaluationKind::default(),
            wrapper: None,
        }
    }
}

impl EngineOptions {
    /// Returns the default options with `hash_bytes` of tables.
    #[must_use]
    pub fn new(hash_bytes: usize) -> Self {
        Self { hash_bytes, ..Self::default() }
    }
}

/// Replaces a searcher by one that uses it.
pub trait SearcherWrapper: fmt::Debug + Send + Sync {
    /// Wraps a searcher.
    fn wrap(&self, searcher: Box<dyn Searcher>) -> Box<dyn Searcher>;
}

/// The evaluations that a searcher can use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluationKind {
    /// The game's best evaluation, trained if the game has a trained one.
    #[default]
    Trained,
    /// A simple evaluation without training: a starting point for training, and a weaker opponent.
    Simple,
}

impl EvaluationKind {
    /// All evaluations, the default first.
    pub const ALL: [Self; 2] = [Self::Trained, Self::Simple];

    /// Returns the name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trained => "trained",
            Self::Simple => "simple",
        }
    }

    /// Returns the evaluation with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Type-erased data for one game's engine: [weights](Engine::read_weights) or a
/// [database](Engine::open_database). Only the game that read it knows its type.
#[derive(Clone)]
pub struct GameData(Arc<dyn Any + Send + Sync>);

impl GameData {
    /// Wraps data of a game.
    #[must_use]
    pub fn new<T: Any + Send + Sync>(data: Arc<T>) -> Self {
        Self(data)
    }

    /// Returns the wrapped data.
    ///
    /// # Errors
    /// [`WrongGameData`] if the data has another type.
    pub fn get<T: Any + Send + Sync>(&self) -> Result<Arc<T>, WrongGameData> {
        Arc::clone(&self.0).downcast().map_err(|_| WrongGameData)
    }
}

impl fmt::Debug for GameData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameData")
    }
}

/// The [`GameData`] belongs to another game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the weights or the database belong to another game")]
pub struct WrongGameData;

/// Why a weights file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The game does not support weights.
    #[error("{0} does not support custom weights")]
    NoWeights(&'static str),
    /// The file cannot be read, or is not a weights file for the game.
    #[error("cannot load weights from `{}`", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The error.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl WeightsError {
    /// Reads a file of weights and decodes it.
    pub(crate) fn read<T, E: Error + Send + Sync + 'static>(
        file: &Path,
        decode: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<Arc<T>, Self> {
        let fail = |source| Self::File { file: file.to_owned(), source };
        let bytes = read_file(file, MAX_WEIGHTS_BYTES).map_err(|error| fail(error.into()))?;
        Ok(Arc::new(decode(&bytes).map_err(|error| fail(error.into()))?))
    }
}
