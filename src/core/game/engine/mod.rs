//! [`Engine`]: the searcher of a game and its options.

pub(super) mod clock;
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

use super::{Confidence, Game, GameError, GameRules, Limits, Outcome, Searcher};
use crate::bounded_file::{MAX_WEIGHTS_BYTES, read_file};
use crate::memory;

/// The highest level of play.
pub const LEVELS: u32 = 60;

/// A game with a searcher.
pub trait Engine: GameRules {
    /// Creates the game's strongest searcher.
    ///
    /// ```
    /// use morello::game::{Engine, EngineOptions, Game, Limits};
    /// use morello::morris::{NineMensMorris, Position};
    ///
    /// // White closes a mill, after which Black has two men.
    /// let game = Game::new("0,0 a7,d7,g4 a1,b2,c3 W".parse::<Position<NineMensMorris>>()?);
    /// let mut searcher = Position::searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&game, &Limits::depth(3));
    /// assert_eq!(report.best().score.to_string(), "+1#1");
    /// assert_eq!(report.best_move().map(|m| m.to_string()).as_deref(), Some("g4-g7xa1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WrongGameData`] if the weights or the database belong to another game.
    fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher<Self>>, WrongGameData>;

    /// Returns the search limits of a level of play, from 1 to [`LEVELS`]. By default, the level is
    /// the depth in plies.
    ///
    /// ```
    /// use morello::game::{Engine, Limits};
    /// use morello::{morris, othello};
    ///
    /// assert_eq!(morris::Position::<morris::NineMensMorris>::level(7), Limits::depth(7));
    /// // In Othello a level also sets the number of empty squares at which solving starts.
    /// assert_eq!(othello::Position::level(7).exact_from, Some(14));
    /// ```
    fn level(level: u32) -> Limits {
        Limits::depth(level)
    }

    /// Estimates the number of plies, including the next one, among which the clock time is
    /// divided. It may leave out plies that take hardly any time.
    ///
    /// ```
    /// use morello::game::Engine;
    /// use morello::othello::Position;
    ///
    /// // The last 20 squares take little time.
    /// assert_eq!(Position::default().timed_plies(), 40);
    /// ```
    fn timed_plies(&self) -> u32 {
        60
    }

    /// Returns the built-in evaluation of the position without a search, in thousandths of a point
    /// for the side to move. The game must not be over.
    ///
    /// ```
    /// use morello::game::{Engine, Score};
    /// use morello::othello::Position;
    ///
    /// // White has two corners, and Black is to move.
    /// let text = "O------O-------------------OX------XO--------------------------- X";
    /// let value = text.parse::<Position>()?.static_evaluation();
    /// assert!(value < -4 * Score::POINT, "White is ahead by more than four discs");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn static_evaluation(&self) -> i32;

    /// Returns the inputs of the trained evaluation. Their number is the same for all positions of
    /// a game; it is 0 if the evaluation is not trained.
    ///
    /// ```
    /// use morello::game::Engine;
    /// use morello::{morris, othello};
    ///
    /// assert_eq!(othello::Position::default().features().len(), 62); // one for each pattern
    /// let position = "9,8 - d6 W".parse::<morris::Position<morris::NineMensMorris>>()?;
    /// assert_eq!(position.features()[morris::engine::term::LINE], -2); // for Black, two
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn features(&self) -> Vec<i32> {
        Vec::new()
    }

    /// Returns the error, in points, that 95 % of unproved search scores with the built-in
    /// evaluation do not exceed. It depends on the number of empty squares, the depth in plies and
    /// the confidence; `None` if it was not measured for the game.
    ///
    /// ```
    /// use morello::game::{Confidence, Engine};
    /// use morello::{morris, othello};
    ///
    /// // A search of 10 plies with 20 empty squares, which prunes at 73 %.
    /// let error = othello::Position::score_error(20, 10, Confidence::LOWEST).expect("a model");
    /// assert_eq!((error * 10.0).round() / 10.0, 6.4); // discs
    /// type Morris = morris::Position<morris::SixMensMorris>;
    /// assert_eq!(Morris::score_error(20, 10, Confidence::LOWEST), None);
    /// ```
    fn score_error(_empties: u32, _depth: u32, _confidence: Confidence) -> Option<f64> {
        None
    }

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use morello::game::Engine;
    /// use morello::othello::{Position, SizedPosition};
    ///
    /// let error = SizedPosition::<6>::read_weights(Path::new("my.weights")).unwrap_err();
    /// assert_eq!(error.to_string(), "othello-6x6 does not support custom weights");
    /// let error = Position::read_weights(Path::new("missing.weights")).unwrap_err();
    /// assert_eq!(error.to_string(), "cannot load weights from `missing.weights`");
    /// ```
    ///
    /// # Errors
    /// [`WeightsError`] if the game does not support weights or the file is not a weights file for
    /// it.
    fn read_weights(_file: &Path) -> Result<GameData, WeightsError> {
        Err(WeightsError::NoWeights(Self::INFO.name))
    }

    /// Opens the game's endgame database for [`EngineOptions::database`]: the tables in `folder`,
    /// and the sectors that are small enough to be solved on demand. Returns `None` for games
    /// without databases.
    ///
    /// # Errors
    /// If a table in the directory cannot be used. A missing directory is not an error.
    fn open_database(_folder: Option<&Path>) -> Result<Option<GameData>, GameError> {
        Ok(None)
    }

    /// Returns the result of an unfinished game under best play, if the
    /// [database](Self::open_database) contains it.
    ///
    /// ```
    /// use morello::game::{Color, Engine, Game, Outcome};
    /// use morello::morris::{Position, ThreeMensMorris};
    ///
    /// type Morris = Position<ThreeMensMorris>;
    /// let database = Morris::open_database(None)?.expect("mill games have databases");
    /// let game = Game::<Morris>::default();
    /// assert_eq!(Morris::look_up(&database, &game)?, Some(Outcome::Win(Color::White)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WrongGameData`] if the database belongs to another game.
    fn look_up(_database: &GameData, _game: &Game<Self>) -> Result<Option<Outcome>, WrongGameData> {
        Ok(None)
    }
}

/// The options of a searcher.
///
/// ```
/// use morello::game::{EngineOptions, EvaluationKind, Game, Limits};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let evaluation = EvaluationKind::Simple;
/// let simple = EngineOptions { evaluation, ..EngineOptions::new(1 << 20) };
/// let mut searcher = othello.searcher(&simple)?;
/// assert!(searcher.best(&Game::new(othello.start()), &Limits::depth(3)).best_move().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The total size of the transposition tables in bytes. A searcher and its forks share the
    /// tables.
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
    /// Transposition tables of 64 MiB, the built-in weights, and no database.
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
    /// Returns the default options with transposition tables of `hash_bytes`.
    #[must_use]
    pub fn new(hash_bytes: usize) -> Self {
        Self { hash_bytes, ..Self::default() }
    }
}

/// There is not enough memory for the transposition tables of the searchers.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not enough memory for {tables} x {mebibytes} MiB of tables; use {}", match (most, tables) {
    (0, _) => "fewer threads".to_owned(),
    (_, 1) => format!("at most {most} MiB"),
    _ => format!("at most {most} MiB, or fewer threads"),
})]
pub struct NotEnoughMemory {
    mebibytes: usize,
    tables: usize,
    most: usize,
}

/// Converts mebibytes to [`EngineOptions::hash_bytes`], and checks that `tables` tables of this
/// size can be allocated. Without the check, creating a searcher would end the process if memory is
/// short.
///
/// ```
/// use morello::game::table_bytes;
///
/// assert_eq!(table_bytes(16, 2), Ok(16 << 20));
/// assert!(table_bytes(usize::MAX, 1).is_err());
/// ```
///
/// # Errors
/// There is not enough memory.
pub fn table_bytes(mebibytes: usize, tables: usize) -> Result<usize, NotEnoughMemory> {
    memory::check_blocks(mebibytes, tables).map_err(|most| NotEnoughMemory { mebibytes, tables, most })?;
    Ok(mebibytes << 20)
}

/// Replaces a searcher with one that uses it.
///
/// ```
/// use std::sync::Arc;
///
/// use morello::game::{EngineOptions, Searcher, SearcherWrapper};
/// use morello::games;
///
/// /// Searches each position without what earlier searches have found.
/// #[derive(Debug)]
/// struct Forgetful;
///
/// impl SearcherWrapper for Forgetful {
///     fn wrap(&self, mut searcher: Box<dyn Searcher>) -> Box<dyn Searcher> {
///         searcher.clear();
///         searcher
///     }
/// }
///
/// let mut options = EngineOptions::new(1 << 20);
/// options.wrapper = Some(Arc::new(Forgetful));
/// assert!(games::get("othello-6x6")?.searcher(&options).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SearcherWrapper: fmt::Debug + Send + Sync {
    /// Wraps a searcher.
    fn wrap(&self, searcher: Box<dyn Searcher>) -> Box<dyn Searcher>;
}

/// The evaluations that a searcher can use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum EvaluationKind {
    /// The game's best evaluation; trained, if the game has a trained one.
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
    ///
    /// ```
    /// use morello::game::EvaluationKind;
    ///
    /// assert_eq!(EvaluationKind::from_name("simple"), Some(EvaluationKind::Simple));
    /// assert_eq!(EvaluationKind::from_name("best"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Type-erased data for one game's engine: [weights](Engine::read_weights) or a
/// [database](Engine::open_database). Only the game that read it knows its type.
///
/// ```
/// use std::sync::Arc;
///
/// use morello::game::{GameData, WrongGameData};
///
/// let data = GameData::new(Arc::new(5_u32));
/// assert_eq!(data.get::<u32>(), Ok(Arc::new(5)));
/// assert_eq!(data.get::<String>(), Err(WrongGameData));
/// ```
#[derive(Clone)]
pub struct GameData(Arc<dyn Any + Send + Sync>);

impl GameData {
    /// Wraps data for a game.
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
    /// Reads and decodes a weights file.
    pub(crate) fn read<T, E: Error + Send + Sync + 'static>(
        file: &Path,
        decode: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<Arc<T>, Self> {
        let fail = |source| Self::File { file: file.to_owned(), source };
        let bytes = read_file(file, MAX_WEIGHTS_BYTES).map_err(|error| fail(error.into()))?;
        Ok(Arc::new(decode(&bytes).map_err(|error| fail(error.into()))?))
    }
}
