//! [`Engine`]: the searcher of a game, and its options.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::{Game, GameRules, Limits, Outcome, Searcher};

/// The highest level of play.
pub const LEVELS: u32 = 60;

/// A game with a searcher.
pub trait Engine: GameRules {
    /// Whether the searcher proves every score of a position that is asked with [`Limits::exact`], given time.
    const EXACT_SOLVER: bool;

    /// Whether the searcher prunes moves that a shallower search makes unlikely to matter, and so uses [`Limits::confidence`].
    const SELECTIVE: bool = false;

    /// Returns the game's best searcher.
    ///
    /// # Errors
    /// [`WrongGameData`] if the weights or the database are those of another game.
    fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher<Self>>, WrongGameData>;

    /// Returns the limits of a search at a level of play, from 1 to [`LEVELS`]: unless the game says otherwise, so many plies.
    fn level(level: u32) -> Limits {
        Limits::depth(level)
    }

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the game has none, or the file is not of weights for it.
    fn read_weights(_file: &Path) -> Result<GameData, WeightsError> {
        Err(WeightsError::NoWeights(Self::NAME))
    }

    /// Opens the endgame database of the game for [`EngineOptions::database`]: the tables in `folder`, and what is small enough to be
    /// made when it is needed. `None` for games that have none.
    ///
    /// # Errors
    /// If a table in the folder cannot be used. A folder that does not exist is not an error.
    fn open_database(_folder: Option<&Path>) -> Result<Option<GameData>, Box<dyn Error + Send + Sync>> {
        Ok(None)
    }

    /// Returns the result of a game that goes on, under best play, if the [database](Self::open_database) has it.
    ///
    /// # Errors
    /// [`WrongGameData`] if it is the database of another game.
    fn look_up(_database: &GameData, _game: &Game<Self>) -> Result<Option<Outcome>, WrongGameData> {
        Ok(None)
    }
}

/// What a searcher is made with.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EngineOptions {
    /// The memory of the tables in bytes, shared by all forks of the searcher.
    pub hash_bytes: usize,
    /// The weights of the evaluation; `None` is the game's own, the best there is. They are ignored by an evaluation without weights.
    pub weights: Option<GameData>,
    /// The game's [endgame database](Engine::open_database); `None` searches without one.
    pub database: Option<GameData>,
    /// The evaluation.
    pub evaluation: EvaluationKind,
}

impl Default for EngineOptions {
    /// 64 MiB of tables, the game's own weights, and no database.
    fn default() -> Self {
        Self { hash_bytes: 64 << 20, weights: None, database: None, evaluation: EvaluationKind::default() }
    }
}

impl EngineOptions {
    /// Returns the default options but for the memory.
    #[must_use]
    pub fn new(hash_bytes: usize) -> Self {
        Self { hash_bytes, ..Self::default() }
    }
}

/// The evaluations that a searcher can use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluationKind {
    /// The game's best one, trained where the game has a trained one.
    #[default]
    Trained,
    /// A simple one that is not trained: to begin training from, and as an opponent.
    Simple,
}

impl EvaluationKind {
    /// All of them, the default first.
    pub const ALL: [Self; 2] = [Self::Trained, Self::Simple];

    /// Returns the name by which a user asks for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trained => "learnt",
            Self::Simple => "simple",
        }
    }

    /// Returns the evaluation with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What a user brings for a game, such as [weights](Engine::read_weights) or a [database](Engine::open_database). Only the game that read it
/// knows its type.
#[derive(Clone)]
pub struct GameData(Arc<dyn Any + Send + Sync>);

impl GameData {
    /// Wraps what a game has read.
    #[must_use]
    pub fn new<T: Any + Send + Sync>(data: Arc<T>) -> Self {
        Self(data)
    }

    /// Returns what was wrapped.
    ///
    /// # Errors
    /// [`WrongGameData`] if it is of another type.
    pub fn get<T: Any + Send + Sync>(&self) -> Result<Arc<T>, WrongGameData> {
        Arc::clone(&self.0).downcast().map_err(|_| WrongGameData)
    }
}

impl fmt::Debug for GameData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameData")
    }
}

/// [`GameData`] of another game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the weights or the database are those of another game")]
pub struct WrongGameData;

/// Why a file of weights cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The game has no weights.
    #[error("{0} has no weights that could be replaced: leave them out")]
    NoWeights(&'static str),
    /// The file cannot be read, or is not a file of weights for the game.
    #[error("cannot use the weights of `{}`", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
}
