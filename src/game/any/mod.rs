//! [`AnyGame`]: type-erased games.
//!
//! Rules, search and perft are generic over the type of the game for speed. Everything above them is compiled once, for `&'static dyn AnyGame`
//! with the types [`AnyPosition`] and [`AnyMove`]. These implement [`Position`](super::Position) and are the default type parameters of
//! [`Game`], [`Report`](super::Report), [`AnnotatedGame`](super::AnnotatedGame) and [`Searcher`]:
//!
//! ```
//! use morello::game::{Game, Limits, Position, any_game, Cancel, EngineOptions};
//! use morello::othello;
//!
//! let othello = any_game::<othello::Position>();
//! let mut game: Game = Game::new(othello.start());
//! game.play(game.position().parse_move("f5")?)?;
//! let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
//! let report = searcher.search(&game, &Limits::depth(4), &Cancel::new(), &mut |_| ());
//! assert_eq!(report.lines.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convert;
mod position;
mod searcher;

#[cfg(test)]
mod tests;

use std::error::Error;
use std::marker::PhantomData;
use std::path::Path;

pub use position::{AnyMove, AnyMoves, AnyPosition, PackedRules};

use super::{
    Color, Confidence, Dialect, DrawRules, EngineOptions, Game, GameData, Layout, Limits, LineFormat, LocatedError,
    OpeningNames, OpeningPolicy, Playable, Protocol, RecordFormat, Scoring, Searcher, Terminology, WeightsError,
    WrongGameData, random_game,
};
use crate::game::Outcome;

/// A type-erased game.
pub trait AnyGame: PackedRules {
    /// Returns the name on the command line.
    fn name(&self) -> &'static str;

    /// Returns the meaning of the final score.
    fn scoring(&self) -> Scoring;

    /// Returns whether a position can recur within a game.
    fn is_cyclic(&self) -> bool;

    /// Returns the order of the board's symmetry group.
    fn symmetries(&self) -> usize;

    /// Returns the [usual](DrawRules::standard) additional draw rules.
    fn standard_draw_rules(&self) -> DrawRules;

    /// Returns the words for pieces and captures.
    fn terminology(&self) -> Terminology;

    /// Returns the board. Point numbers are the same in every position.
    fn layout(&self) -> Layout;

    /// Returns the starting position.
    fn start(&self) -> AnyPosition;

    /// Reads a position in the game's own notation.
    ///
    /// # Errors
    /// Describes the error and its position in the text.
    fn parse_position(&self, text: &str) -> Result<AnyPosition, Box<dyn LocatedError>>;

    /// [Sets up](super::BoardDisplay::arrange) a position.
    ///
    /// # Errors
    /// The reason why this is not a position of the game.
    fn arrange(
        &self,
        pieces: &[Option<Color>],
        in_hand: [u32; 2],
        side: Color,
    ) -> Result<AnyPosition, Box<dyn Error + Send + Sync>>;

    /// Plays [random](random_game()) moves.
    fn random_game(&self, seed: u64, plies: usize) -> Game;

    /// Returns the text formats, in the order of detection.
    fn formats(&self) -> &'static [LineFormat];

    /// Detects the text format of a text. Falls back to the last format, which reports the error in the text.
    fn format_of(&self, text: &str) -> &'static LineFormat;

    /// Returns the binary formats of game files.
    fn record_formats(&self) -> &'static [RecordFormat];

    /// Writes a game as a list of moves on one line, preceded by the starting position if it is not the usual one.
    fn write_moves(&self, game: &Game) -> String;

    /// Returns the notation of the game in a protocol; `None` if the protocol does not support this game.
    fn dialect(&self, protocol: Protocol) -> Option<Dialect>;

    /// Returns whether the searcher, given enough time, proves the score of every position it searches with [`Limits::exact`].
    fn has_exact_solver(&self) -> bool;

    /// Returns whether the searcher uses [`Limits::confidence`].
    fn is_selective(&self) -> bool;

    /// Creates the game's best searcher.
    ///
    /// # Errors
    /// [`WrongGameData`] if the weights or the database belong to another game.
    fn searcher(&self, options: &EngineOptions) -> Result<Box<dyn Searcher>, WrongGameData>;

    /// Returns the search limits of a level of play, from 1 to [`LEVELS`](super::LEVELS).
    fn level(&self, level: u32) -> Limits;

    /// Returns the [error](super::Engine::score_error), in points, that 95 % of the unproved scores of searches with the built-in evaluation do not
    /// exceed; `None` if it was not measured for the game.
    fn score_error(&self, empties: u32, depth: u32, confidence: Confidence) -> Option<f64>;

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the game does not support weights, or the file has no weights for it.
    fn read_weights(&self, file: &Path) -> Result<GameData, WeightsError>;

    /// Opens the [endgame database](super::Engine::open_database) of the game.
    ///
    /// # Errors
    /// A table in the folder cannot be used. A missing folder is not an error.
    fn open_database(&self, folder: Option<&Path>) -> Result<Option<GameData>, Box<dyn Error + Send + Sync>>;

    /// Returns the result of an unfinished game under best play, if the database has it.
    ///
    /// # Errors
    /// [`WrongGameData`] if the database belongs to another game.
    fn look_up(&self, database: &GameData, game: &Game) -> Result<Option<Outcome>, WrongGameData>;

    /// Returns the default openings of matches.
    fn opening_policy(&self) -> OpeningPolicy;

    /// Returns the named openings; `None` if the game has none.
    fn opening_names(&self) -> Option<&'static OpeningNames>;
}

/// Returns the type-erased form of a game.
#[must_use]
pub const fn any_game<P: Playable>() -> &'static dyn AnyGame {
    &TypedGame::<P>(PhantomData)
}

/// The implementation of [`AnyGame`] for a type.
struct TypedGame<P>(PhantomData<fn() -> P>);

impl<P: Playable> AnyGame for TypedGame<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn scoring(&self) -> Scoring {
        P::SCORING
    }

    fn is_cyclic(&self) -> bool {
        P::CYCLIC
    }

    fn symmetries(&self) -> usize {
        P::SYMMETRIES
    }

    fn standard_draw_rules(&self) -> DrawRules {
        DrawRules::standard::<P>()
    }

    fn terminology(&self) -> Terminology {
        P::TERMINOLOGY
    }

    fn layout(&self) -> Layout {
        P::layout()
    }

    fn start(&self) -> AnyPosition {
        AnyPosition::new(P::default())
    }

    fn parse_position(&self, text: &str) -> Result<AnyPosition, Box<dyn LocatedError>> {
        Ok(AnyPosition::new(text.parse::<P>()?))
    }

    fn arrange(
        &self,
        pieces: &[Option<Color>],
        in_hand: [u32; 2],
        side: Color,
    ) -> Result<AnyPosition, Box<dyn Error + Send + Sync>> {
        P::arrange(pieces, in_hand, side).map(AnyPosition::new)
    }

    fn random_game(&self, seed: u64, plies: usize) -> Game {
        random_game::<P>(seed, plies).any()
    }

    fn formats(&self) -> &'static [LineFormat] {
        P::formats()
    }

    fn format_of(&self, text: &str) -> &'static LineFormat {
        let formats = P::formats();
        formats.iter().find(|format| (format.detect)(text)).or(formats.last()).expect("a game has a format")
    }

    fn record_formats(&self) -> &'static [RecordFormat] {
        P::record_formats()
    }

    fn write_moves(&self, game: &Game) -> String {
        P::write_moves(&game.known())
    }

    fn dialect(&self, protocol: Protocol) -> Option<Dialect> {
        P::dialect(protocol)
    }

    fn has_exact_solver(&self) -> bool {
        P::EXACT_SOLVER
    }

    fn is_selective(&self) -> bool {
        P::SELECTIVE
    }

    fn searcher(&self, options: &EngineOptions) -> Result<Box<dyn Searcher>, WrongGameData> {
        let searcher = searcher::any_searcher(P::searcher(options)?);
        Ok(match &options.wrapper {
            Some(wrapper) => wrapper.wrap(searcher),
            None => searcher,
        })
    }

    fn level(&self, level: u32) -> Limits {
        P::level(level)
    }

    fn score_error(&self, empties: u32, depth: u32, confidence: Confidence) -> Option<f64> {
        P::score_error(empties, depth, confidence)
    }

    fn read_weights(&self, file: &Path) -> Result<GameData, WeightsError> {
        P::read_weights(file)
    }

    fn open_database(&self, folder: Option<&Path>) -> Result<Option<GameData>, Box<dyn Error + Send + Sync>> {
        P::open_database(folder)
    }

    fn look_up(&self, database: &GameData, game: &Game) -> Result<Option<Outcome>, WrongGameData> {
        P::look_up(database, &game.known())
    }

    fn opening_policy(&self) -> OpeningPolicy {
        P::opening_policy()
    }

    fn opening_names(&self) -> Option<&'static OpeningNames> {
        P::opening_names()
    }
}
