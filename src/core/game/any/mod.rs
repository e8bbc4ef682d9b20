//! [`AnyGame`]: type-erased games.
//!
//! Rules, search and perft are generic over the type of the game for speed. Everything above them
//! is compiled once, for `&'static dyn AnyGame` with the types [`AnyPosition`] and [`AnyMove`].
//! These implement [`Position`](super::Position) and are the default type parameters of [`Game`],
//! [`Report`](super::Report), [`AnnotatedGame`](super::AnnotatedGame) and [`Searcher`]:
//!
//! ```
//! use morello::game::{Game, Limits, Position, any_game, EngineOptions};
//! use morello::othello;
//!
//! let othello = any_game::<othello::Position>();
//! let mut game: Game = Game::new(othello.start());
//! game.play(game.position().parse_move("f5")?)?;
//! let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
//! let report = searcher.best(&game, &Limits::depth(4));
//! assert_eq!(report.lines.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Declares type-erased functions of games as a trait, and implements it for the games of a family.
/// A method is one line: its declaration, and the expression that calls the typed function.
macro_rules! erased {
    (
        $(#[$about:meta])*
        pub trait $trait:ident for <$type:ident: $bound:ident> $game:ty $(where $super:ident)?;
        $($(#[$doc:meta])* fn $name:ident($($argument:ident: $of:ty),* $(,)?) -> $result:ty = $value:expr;)+
    ) => {
        $(#[$about])*
        pub trait $trait: Send + Sync $(+ $super)? {
            $($(#[$doc])* fn $name(&self, $($argument: $of),*) -> $result;)+
        }

        impl<$type: $bound> $trait for crate::game::TypedGame<$game> {
            $(fn $name(&self, $($argument: $of),*) -> $result { $value })+
        }
    };
}
pub(crate) use erased;

mod convert;
mod position;
mod searcher;

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

pub use position::{AnyMove, AnyPosition, PackedRules};

use super::{
    Color, Confidence, CountLeaves, Dialect, DrawRules, Engine, EngineOptions, Game, GameData, GameInfo, Layout,
    Limits, LineFormat, LocatedError, Notation, OpeningNames, OpeningPolicy, Openings, Outcome, Protocol, RecordFormat,
    RuleSummary, Searcher, WeightsError, WrongGameData, random_game,
};

/// A game with rules, notation, engine and openings: every type with these traits. [`any_game`]
/// erases the type.
pub trait Playable: CountLeaves + Notation + Engine + Openings {}

impl<P: CountLeaves + Notation + Engine + Openings> Playable for P {}

erased! {
    /// A type-erased game.
    pub trait AnyGame for <P: Playable> P where PackedRules;

    /// Returns the constants.
    fn info() -> &'static GameInfo = const { &P::INFO };

    /// Returns the [rules](super::BoardDisplay::rules) to explain to people.
    fn rules() -> Vec<RuleSummary> = P::rules();

    /// Returns the board. Point numbers are the same in every position.
    fn layout() -> Layout = P::layout();

    /// Returns the starting position.
    fn start() -> AnyPosition = AnyPosition::new(P::default());

    /// Reads a position in the game's own notation.
    ///
    /// # Errors
    /// Describes the error and its position in the text.
    fn parse_position(text: &str) -> Result<AnyPosition, Box<dyn LocatedError>> =
        Ok(AnyPosition::new(text.parse::<P>()?));

    /// [Sets up](super::BoardDisplay::arrange) a position.
    ///
    /// # Errors
    /// The reason why this is not a position of the game.
    fn arrange(
        pieces: &[Option<Color>],
        in_hand: [u32; 2],
        side: Color,
    ) -> Result<AnyPosition, Box<dyn Error + Send + Sync>> =
        P::arrange(pieces, in_hand, side).map(AnyPosition::new);

    /// Plays [random](random_game()) moves.
    fn random_game(seed: u64, plies: usize) -> Game = random_game::<P>(seed, plies).any();

    /// Returns the text formats, in the order of detection.
    fn formats() -> &'static [LineFormat] = P::formats();

    /// Returns the binary formats of game files.
    fn record_formats() -> &'static [RecordFormat] = P::record_formats();

    /// Writes a game as a list of moves on one line, preceded by the starting position if it is not
    /// the usual one.
    fn write_moves(game: &Game) -> String = P::write_moves(game);

    /// Returns the notation of the game in a protocol; `None` if the protocol does not support this
    /// game.
    fn dialect(protocol: Protocol) -> Option<Dialect> = P::dialect(protocol);

    /// Creates the game's best searcher.
    ///
    /// # Errors
    /// [`WrongGameData`] if the weights or the database belong to another game.
    fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher>, WrongGameData> = {
        let searcher = searcher::any_searcher(P::searcher(options)?);
        Ok(match &options.wrapper {
            Some(wrapper) => wrapper.wrap(searcher),
            None => searcher,
        })
    };

    /// Returns the search limits of a level of play, from 1 to [`LEVELS`](super::LEVELS).
    fn level(level: u32) -> Limits = P::level(level);

    /// Returns the [error](super::Engine::score_error), in points, that 95 % of the unproved scores
    /// of searches with the built-in evaluation do not exceed; `None` if it was not measured for
    /// the game.
    fn score_error(empties: u32, depth: u32, confidence: Confidence) -> Option<f64> =
        P::score_error(empties, depth, confidence);

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the game does not support weights, or the file has no weights for it.
    fn read_weights(file: &Path) -> Result<GameData, WeightsError> = P::read_weights(file);

    /// Opens the [endgame database](super::Engine::open_database) of the game.
    ///
    /// # Errors
    /// A table in the folder cannot be used. A missing folder is not an error.
    fn open_database(folder: Option<&Path>) -> Result<Option<GameData>, Box<dyn Error + Send + Sync>> =
        P::open_database(folder);

    /// Returns the result of an unfinished game under best play, if the database has it.
    ///
    /// # Errors
    /// [`WrongGameData`] if the database belongs to another game.
    fn look_up(database: &GameData, game: &Game) -> Result<Option<Outcome>, WrongGameData> =
        P::look_up(database, &game.known());

    /// Returns the default openings of matches.
    fn opening_policy() -> OpeningPolicy = P::opening_policy();

    /// Returns the named openings; `None` if the game has none.
    fn opening_names() -> Option<&'static OpeningNames> = P::opening_names();
}

impl dyn AnyGame + '_ {
    /// Returns the name on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// Returns the [usual](DrawRules::standard) additional draw rules.
    #[must_use]
    pub fn standard_draw_rules(&self) -> DrawRules {
        DrawRules::of(self.info())
    }

    /// Detects the text format of a text. Falls back to the last format, which reports the error in
    /// the text.
    #[must_use]
    pub fn format_of(&self, text: &str) -> &'static LineFormat {
        let formats = self.formats();
        formats.iter().find(|format| (format.detect)(text)).or(formats.last()).expect("a game has a format")
    }

    /// Returns the text format with this name or alias.
    #[must_use]
    pub fn format_named(&self, name: &str) -> Option<&'static LineFormat> {
        self.formats().iter().find(|format| format.is_named(name))
    }

    /// Checks that the caller knows which game this is.
    pub(crate) fn assert_is(&self, info: &GameInfo) {
        assert_eq!(self.name(), info.name, "the value belongs to the expected game");
    }
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the type-erased form of a game.
#[must_use]
pub const fn any_game<P: Playable>() -> &'static dyn AnyGame {
    TypedGame::<P>::ERASED
}

/// The type that implements the type-erased functions of a game.
pub(crate) struct TypedGame<P>(PhantomData<fn() -> P>);

impl<P: 'static> TypedGame<P> {
    /// The only value.
    pub(crate) const ERASED: &'static Self = &Self(PhantomData);
}
