//! [`Playable`]: what people and programs around the engine need of a game beyond its rules.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use super::{
    Annotated, Cause, Color, Dialect, Game, Layout, Limits, LineFormat, Outcome, Path, Position, Protocol,
    RecordFormat, Scoring, Searcher, Words, opening,
};

/// The highest level of play.
pub const LEVELS: u32 = 60;

/// What a searcher is made with.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The memory of the tables in bytes, shared by all forks of the searcher.
    pub hash_bytes: usize,
    /// What to judge positions by; `None` is the game's own, the best there is.
    pub weights: Option<GameData>,
    /// The game's [endgame database](Playable::open_database); `None` searches without one.
    pub database: Option<GameData>,
    /// Whether to judge positions by a simple evaluation that nothing was learnt for: to begin from, and as an opponent. Weights are not
    /// heeded then.
    pub simple: bool,
}

impl Default for EngineOptions {
    /// 64 MiB of tables, the game's own weights, and no database.
    fn default() -> Self {
        Self { hash_bytes: 64 << 20, weights: None, database: None, simple: false }
    }
}

impl EngineOptions {
    /// Returns the default options but for the memory.
    #[must_use]
    pub fn new(hash_bytes: usize) -> Self {
        Self { hash_bytes, ..Self::default() }
    }
}

/// Finds what searchers are made with, for each game that comes up.
pub trait Setup {
    /// Returns it for a game.
    ///
    /// # Errors
    /// If it cannot be had: a file is not what it should be.
    fn options<P: Playable>(&self) -> Result<EngineOptions, Box<dyn Error + Send + Sync>>;
}

/// What a user brings for a game, such as [weights](Playable::read_weights) or a [database](Playable::open_database), read by the game that it
/// is for, which alone knows what it is.
#[derive(Clone)]
pub struct GameData(Arc<dyn Any + Send + Sync>);

impl GameData {
    /// Wraps what a game has read.
    #[must_use]
    pub fn new<T: Any + Send + Sync>(data: Arc<T>) -> Self {
        Self(data)
    }

    /// Returns what was wrapped, if it is of this type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.0).downcast().ok()
    }
}

impl fmt::Debug for GameData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameData")
    }
}

/// Why a file of weights cannot be used.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// The game judges by none.
    #[error("{0} has no weights that could be replaced: leave them out")]
    NoneToReplace(&'static str),
    /// The file cannot be read, or is not what it should be.
    #[error("cannot use the weights of `{}`", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// From which positions matches begin.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningPolicy {
    /// Plies of random play that lead there from the start of the game.
    pub plies: RangeInclusive<u32>,
    /// The depth, in plies, to which such a position is searched to see whether it is balanced; 0 takes every one.
    pub depth: u32,
    /// The highest score, in points for either side, of a position that is balanced.
    pub most_points: f64,
}

/// A game that can be named, read and thought about. Search itself never asks for this.
pub trait Playable: Position {
    /// The name of the game, as users type it.
    const NAME: &'static str;

    /// Whether its searcher proves every score of a position that is asked with [`Limits::exact`](super::Limits::exact), given time.
    const EXACT_SOLVER: bool;

    /// Whether its searcher leaves out moves that hardly matter, and so heeds [`Limits::confidence`].
    const SELECTIVE: bool = false;

    /// Returns the text formats of positions and games, at least one, in the order in which they are tried. The last one reads what none
    /// of them recognises.
    fn formats() -> &'static [LineFormat<Self>];

    /// Returns the binary formats of files of games.
    fn record_formats() -> &'static [RecordFormat<Self>] {
        &[]
    }

    /// How people speak of its pieces.
    const WORDS: Words;

    /// Returns the board. Its points are numbered the same in every position.
    fn layout() -> Layout;

    /// Returns whose piece stands on a point of the [`layout`](Self::layout); `None` if it is empty, or no point of the board.
    fn piece_at(&self, point: usize) -> Option<Color>;

    /// Returns how many pieces a side has beside the board, still to be placed; `None` in games where that is not counted.
    fn in_hand(&self, _color: Color) -> Option<u32> {
        None
    }

    /// Returns the points that a move names.
    fn path(m: Self::Move) -> Path;

    /// Arranges pieces into a position: those on the points of the [`layout`](Self::layout), in its order, and those beside the board of either
    /// side, by [`Color::index`], which are not heeded where they are [not counted](Self::in_hand).
    ///
    /// # Errors
    /// What keeps that from being a position of the game.
    fn arrange(pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<Self, Box<dyn Error + Send + Sync>>;

    /// Returns how many squares are empty, in games that end when none is.
    fn empties(&self) -> Option<u32> {
        None
    }

    /// Returns the game's best searcher.
    fn searcher(options: &EngineOptions) -> Box<dyn Searcher<Self>>;

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the game has none, or the file is not of weights for it.
    fn read_weights(_file: &std::path::Path) -> Result<GameData, WeightsError> {
        Err(WeightsError::NoneToReplace(Self::NAME))
    }

    /// Opens the endgame database of the game for [`EngineOptions::database`]: the tables in `folder`, and what is small enough to be
    /// made when it is needed. `None` for games that have none.
    ///
    /// # Errors
    /// If a table in the folder cannot be used. That there is no such folder is no error.
    fn open_database(_folder: Option<&std::path::Path>) -> Result<Option<GameData>, Box<dyn Error + Send + Sync>> {
        Ok(None)
    }

    /// Returns the result of a game that goes on, under best play, if the [database](Self::open_database) has it.
    fn look_up(_database: &GameData, _game: &Game<Self>) -> Option<Outcome> {
        None
    }

    /// Writes a game as its moves in a line, after the position that it starts from if that is not the start of the game. Unless the game
    /// says otherwise it is written as [`opening`](super::opening) tells.
    fn write_moves(game: &Game<Self>) -> String {
        opening::write(game)
    }

    /// Writes a game as GGF, the Generic Game Format of Othello; `None` in other games.
    fn write_ggf(_game: &Annotated<Self>) -> Option<String> {
        None
    }

    /// Returns what a searcher is asked at a level of play, from 1 to [`LEVELS`]: unless the game says otherwise, so many plies.
    fn level(level: u32) -> Limits {
        Limits::depth(level)
    }

    /// Returns the openings of matches that ask for nothing else.
    fn opening_policy() -> OpeningPolicy {
        match Self::SCORING {
            Scoring::Margin => OpeningPolicy { plies: 8..=12, depth: 8, most_points: 3.0 },
            Scoring::Distance => OpeningPolicy { plies: 4..=6, depth: 6, most_points: 0.1 },
        }
    }

    /// Returns why no legal move has this text, as a person would be told; `None` if the text is no move at all, or the game cannot tell.
    ///
    /// It is asked only where [`parse_move`](Position::parse_move) fails.
    fn why_illegal(&self, _text: &str) -> Option<Box<dyn Error + Send + Sync>> {
        None
    }

    /// Returns what ends the game in this position, as a person would be told; `None` while it goes on, or if the game does not tell.
    fn why_over(&self) -> Option<Cause> {
        None
    }

    /// Returns how the game is told to programs that speak a protocol; `None` if the protocol is not for this game.
    fn dialect(_protocol: Protocol) -> Option<Dialect<Self>> {
        None
    }
}

/// Something to be done with a game that is known by name only at run time.
pub trait Command {
    /// What it results in.
    type Output;

    /// Does it, with the name turned into a type.
    fn run<P: Playable>(self) -> Self::Output;
}
