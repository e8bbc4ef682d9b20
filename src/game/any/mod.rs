//! [`AnyGame`]: a game without its type.
//!
//! Rules, search and perft are generic over the type of the game, since their speed depends on it. Everything above them is compiled once:
//! it holds a `&'static dyn AnyGame`, and positions and moves of the one type [`AnyPosition`] and [`AnyMove`]. Since these implement
//! [`Position`], a [`Game`], [`Report`], [`AnnotatedGame`](super::Annotated) or [`Searcher`] of any game is the same type without its parameter:
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
    Color, Dialect, DrawRules, EngineOptions, Game, GameData, Layout, Limits, LineFormat, LocatedError, OpeningPolicy,
    Playable, Protocol, RecordFormat, Scoring, Searcher, Terminology, WeightsError, WrongGameData, random_game,
};
use crate::game::Outcome;

/// A game, whichever it is.
pub trait AnyGame: PackedRules {
    /// Returns the name, as users type it.
    fn name(&self) -> &'static str;

    /// Returns what the final score counts.
    fn scoring(&self) -> Scoring;

    /// Returns whether a position can recur within a game.
    fn is_cyclic(&self) -> bool;

    /// Returns the order of the board's symmetry group.
    fn symmetries(&self) -> usize;

    /// Returns the settings under which games usually end by themselves.
    fn standard_draw_rules(&self) -> DrawRules;

    /// Returns how people speak of the pieces.
    fn terminology(&self) -> Terminology;

    /// Returns the board. Its points are numbered the same in every position.
    fn layout(&self) -> Layout;

    /// Returns the position that the game starts from.
    fn start(&self) -> AnyPosition;

    /// Reads a position in the game's own notation.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    fn parse_position(&self, text: &str) -> Result<AnyPosition, Box<dyn LocatedError>>;

    /// [Arranges](super::BoardDisplay::arrange) pieces into a position.
    ///
    /// # Errors
    /// What keeps that from being a position of the game.
    fn arrange(
        &self,
        pieces: &[Option<Color>],
        in_hand: [u32; 2],
        side: Color,
    ) -> Result<AnyPosition, Box<dyn Error + Send + Sync>>;

    /// Plays [random](random_game()) moves from the start until `plies` were played or the game is over.
    fn random_game(&self, seed: u64, plies: usize) -> Game;

    /// Returns the text formats, in the order in which they are tried.
    fn formats(&self) -> &'static [LineFormat];

    /// Returns the first text format that a text looks like; the last of them reports what is wrong with a text that looks like none.
    fn format_of(&self, text: &str) -> &'static LineFormat;

    /// Returns the binary formats of files of games.
    fn record_formats(&self) -> &'static [RecordFormat];

    /// Writes a game as its moves in a line, after the position that it starts from if that is not the start of the game.
    fn write_moves(&self, game: &Game) -> String;

    /// Returns how a protocol writes the game and its moves; `None` if the protocol is not for this game.
    fn dialect(&self, protocol: Protocol) -> Option<Dialect>;

    /// Returns whether the searcher proves every score that is asked with [`Limits::exact`], given time.
    fn has_exact_solver(&self) -> bool;

    /// Returns whether the searcher uses [`Limits::confidence`].
    fn is_selective(&self) -> bool;

    /// Returns the game's best searcher.
    ///
    /// # Errors
    /// [`WrongGameData`] if the weights or the database are those of another game.
    fn searcher(&self, options: &EngineOptions) -> Result<Box<dyn Searcher>, WrongGameData>;

    /// Returns the limits of a search at a level of play, from 1 to [`LEVELS`](super::LEVELS).
    fn level(&self, level: u32) -> Limits;

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the game has none, or the file is not of weights for it.
    fn read_weights(&self, file: &Path) -> Result<GameData, WeightsError>;

    /// Opens the [endgame database](super::Engine::open_database) of the game.
    ///
    /// # Errors
    /// If a table in the folder cannot be used. A folder that does not exist is not an error.
    fn open_database(&self, folder: Option<&Path>) -> Result<Option<GameData>, Box<dyn Error + Send + Sync>>;

    /// Returns the result of a game that goes on, under best play, if the database has it.
    ///
    /// # Errors
    /// [`WrongGameData`] if it is the database of another game.
    fn look_up(&self, database: &GameData, game: &Game) -> Result<Option<Outcome>, WrongGameData>;

    /// Returns the openings of matches that ask for nothing else.
    fn opening_policy(&self) -> OpeningPolicy;
}

/// Returns a game without its type.
#[must_use]
pub const fn any_game<P: Playable>() -> &'static dyn AnyGame {
    &TypedGame::<P>(PhantomData)
}

/// What stands behind [`AnyGame`]: the functions of a type.
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
        Ok(searcher::any_searcher(P::searcher(options)?))
    }

    fn level(&self, level: u32) -> Limits {
        P::level(level)
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
}
