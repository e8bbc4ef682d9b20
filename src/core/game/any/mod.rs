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

use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

pub use position::{AnyMove, AnyPosition, PackedRules};

use super::{
    Color, Confidence, CountLeaves, Dialect, DrawRules, Engine, EngineOptions, Game, GameData, GameError, GameInfo,
    Layout, Limits, LineFormat, LocatedError, Notation, OpeningNames, OpeningPolicy, Openings, Outcome, Protocol,
    RecordFormat, RuleSummary, Searcher, WeightsError, WrongGameData, random_game,
};

/// A game with rules, notation, engine and openings. Every type with these traits implements it;
/// [`any_game`] erases the type.
pub trait Playable: CountLeaves + Notation + Engine + Openings {}

impl<P: CountLeaves + Notation + Engine + Openings> Playable for P {}

erased! {
    /// A type-erased game.
    ///
    /// Positions, games, weights and databases passed to it must belong to the game. An
    /// [`AnyPosition`] has the functions of [`PackedRules`] as methods.
    ///
    /// ```
    /// use morello::game::{Game, Position as _};
    /// use morello::games;
    ///
    /// let game = games::get("nine-mens-morris")?;
    /// let mut record = Game::new(game.start());
    /// record.play(record.position().parse_move("d6")?)?;
    /// assert_eq!((game.name(), game.info().symmetries), ("nine-mens-morris", 16));
    /// assert_eq!(game.write_moves(&record), "d6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub trait AnyGame for <P: Playable> P where PackedRules;

    /// Returns the constants.
    fn info() -> &'static GameInfo = const { &P::INFO };

    /// Returns the [rules](super::BoardDisplay::rules) as text for people.
    fn rules() -> Vec<RuleSummary> = P::rules();

    /// Returns the board. Point numbers are the same in every position.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let layout = games::get("three-mens-morris")?.layout();
    /// assert_eq!((layout.rows, layout.columns, layout.points.len()), (3, 3, 9));
    /// assert_eq!(layout.points[0].name, "a3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn layout() -> Layout = P::layout();

    /// Returns the starting position.
    fn start() -> AnyPosition = AnyPosition::new(P::default());

    /// Reads a position in the game's own notation, or the moves that lead to it from the start.
    ///
    /// ```
    /// use morello::game::Color;
    /// use morello::games;
    ///
    /// let morris = games::get("nine-mens-morris")?;
    /// let position = morris.parse_position("7,8 a4,b4 g7 B")?;
    /// assert_eq!(position.in_hand(Color::Black), Some(8));
    /// assert_eq!(morris.parse_position("d6 f4 d2")?.to_string(), "7,8 d2,d6 f4 B");
    /// let error = morris.parse_position("7,8 a4,z9 g7 B").unwrap_err();
    /// assert_eq!(error.column(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Describes the error and its position in the text.
    fn parse_position(text: &str) -> Result<AnyPosition, Box<dyn LocatedError>> =
        Ok(AnyPosition::new(text.parse::<P>()?));

    /// Reads a game: moves from the start, a position, or moves from a position. [`write_moves`](Self::write_moves)
    /// writes it.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let game = othello.parse_game("f5d6c3")?;
    /// assert_eq!((game.moves().len(), game.to_string().as_str()), (3, "f5d6c3"));
    /// let error = othello.parse_game("f5d6d6").unwrap_err();
    /// assert_eq!(error.column(), 5);
    /// assert_eq!(error.to_string(), "illegal move `d6` at ply 3: the square is occupied");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Describes the error and its position in the text.
    fn parse_game(text: &str) -> Result<Game, Box<dyn LocatedError>> = Ok(P::parse_game(text)?.any());

    /// [Sets up](super::BoardDisplay::arrange) a position. `pieces` has an entry for each point of
    /// the [layout](Self::layout); `in_hand` has the pieces in hand of Black and of White, and is
    /// ignored in games without pieces in hand.
    ///
    /// ```
    /// use morello::game::Color;
    /// use morello::games;
    ///
    /// let morris = games::get("three-mens-morris")?;
    /// let mut pieces = vec![None; morris.layout().points.len()];
    /// pieces[8] = Some(Color::White);
    /// // Black has three men in hand, White two.
    /// let position = morris.arrange(&pieces, [3, 2], Color::Black)?;
    /// assert_eq!(position.to_string(), "2,3 b2 - B");
    /// let error = morris.arrange(&pieces, [4, 2], Color::Black).unwrap_err();
    /// assert!(error.to_string().ends_with("4 men in hand and on the board; the game allows 3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The reason why this is not a position of the game.
    fn arrange(
        pieces: &[Option<Color>],
        in_hand: [u32; 2],
        side: Color,
    ) -> Result<AnyPosition, GameError> =
        P::arrange(pieces, in_hand, side).map(AnyPosition::new);

    /// Plays `plies` [random](random_game()) moves from the start, or fewer if the game ends first.
    /// The same seed gives the same game on every machine.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let game = games::get("othello")?.random_game(7, 12);
    /// assert_eq!(game.moves().len(), 12);
    /// assert_eq!(game.moves(), games::get("othello")?.random_game(7, 12).moves());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn random_game(seed: u64, plies: usize) -> Game = random_game::<P>(seed, plies).any();

    /// Returns the text formats, in the order of detection.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let formats = games::get("othello")?.formats();
    /// let names: Vec<_> = formats.iter().map(|format| format.name).collect();
    /// assert_eq!(names, ["ggf", "sgf", "pgn", "transcript", "diagram", "obf", "board"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn formats() -> &'static [LineFormat] = P::formats();

    /// Returns the binary formats of game files.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use morello::games;
    ///
    /// let wthor = &games::get("othello")?.record_formats()[0];
    /// assert!(wthor.name == "wthor" && wthor.has_extension(Path::new("WTH_2024.WTB")));
    /// assert!(games::get("othello-6x6")?.record_formats().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn record_formats() -> &'static [RecordFormat] = P::record_formats();

    /// Writes a game as a list of moves on one line, preceded by the starting position if it is not
    /// the usual one.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// assert_eq!(othello.write_moves(&othello.random_game(6, 3)), "f5d6c3");
    /// let morris = games::get("nine-mens-morris")?;
    /// assert_eq!(morris.write_moves(&morris.random_game(1, 3)), "d2 e5 c4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_moves(game: &Game) -> String = P::write_moves(game);

    /// Returns the notation of the game in a protocol; `None` if the protocol does not support this
    /// game.
    fn dialect(protocol: Protocol) -> Option<Dialect> = P::dialect(protocol);

    /// Creates the game's best searcher.
    ///
    /// ```
    /// use morello::game::{EngineOptions, Game, Limits};
    /// use morello::games;
    ///
    /// let othello = games::get("othello-4x4")?;
    /// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&Game::new(othello.start()), &Limits::exact());
    /// assert_eq!(report.best().score.points(), -10.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Creates the game's strongest searcher.
    /// [`WrongGameData`] if the weights or the database belong to another game.
    fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher>, WrongGameData> = {
        let searcher = searcher::any_searcher(P::searcher(options)?);
        Ok(match &options.wrapper {
            Some(wrapper) => wrapper.wrap(searcher),
            None => searcher,
        })
    };

    /// Returns the search limits of a level of play, from 1 to [`LEVELS`](super::LEVELS).
    ///
    /// ```
    /// use morello::games;
    ///
    /// assert_eq!(games::get("morabaraba")?.level(6).depth, Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn level(level: u32) -> Limits = P::level(level);

    /// Estimates the number of [plies](super::Engine::timed_plies) among which the clock time is
    /// divided.
    fn timed_plies(position: &AnyPosition) -> u32 = position.known::<P>().timed_plies();

    /// Returns the [error](super::Engine::score_error), in points, that 95 % of unproved search
    /// scores with the built-in evaluation do not exceed; `None` if it was not measured for the
    /// game.
    fn score_error(empties: u32, depth: u32, confidence: Confidence) -> Option<f64> =
        P::score_error(empties, depth, confidence);

    /// Reads weights for [`EngineOptions::weights`] from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the game does not support weights or the file is not a weights file for
    /// it.
    fn read_weights(file: &Path) -> Result<GameData, WeightsError> = P::read_weights(file);

    /// Opens the [endgame database](super::Engine::open_database) of the game.
    ///
    /// ```
    /// use morello::game::{Color, Game, Outcome};
    /// use morello::games;
    ///
    /// let morris = games::get("nine-mens-morris")?;
    /// let database = morris.open_database(None)?.expect("mill games have databases");
    /// // Small endgames need no tables on disk.
    /// let game = Game::new(morris.parse_position("0,0 c5,d7,g7 a7,f4,f6 W")?);
    /// assert_eq!(morris.look_up(&database, &game)?, Some(Outcome::Win(Color::White)));
    /// assert!(games::get("othello")?.open_database(None)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a table in the directory cannot be used. A missing directory is not an error.
    fn open_database(folder: Option<&Path>) -> Result<Option<GameData>, GameError> =
        P::open_database(folder);

    /// Returns the result of an unfinished game under best play, if the database contains it.
    ///
    /// # Errors
    /// [`WrongGameData`] if the database belongs to another game.
    fn look_up(database: &GameData, game: &Game) -> Result<Option<Outcome>, WrongGameData> =
        P::look_up(database, &game.known());

    /// Returns the default match openings.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let policy = games::get("othello")?.opening_policy();
    /// assert_eq!((policy.plies, policy.depth, policy.most_points), (8..=12, 8, 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Returns the name followed by the rules in words if the name does not include them:
    /// `nine-mens-morris (Nine men’s morris, no flying)`.
    ///
    /// ```
    /// use morello::games;
    ///
    /// assert_eq!(games::get("othello")?.described(), "othello");
    /// assert_eq!(games::get("nine-mens-morris")?.described(), "nine-mens-morris (Nine men’s morris, no flying)");
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    #[must_use]
    pub fn described(&self) -> String {
        let letters = |text: &str| {
            text.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect::<String>()
        };
        let GameInfo { name, title, .. } = self.info();
        if letters(name) == letters(title) { (*name).to_owned() } else { format!("{name} ({title})") }
    }

    /// Returns the [usual](DrawRules::standard) additional draw rules.
    ///
    /// ```
    /// use morello::game::Game;
    /// use morello::games;
    ///
    /// let morris = games::get("nine-mens-morris")?;
    /// let game = Game::with_draw_rules(morris.start(), morris.standard_draw_rules());
    /// assert_eq!((game.draw_rules().repetition, game.draw_rules().ply_cap), (Some(3), Some(400)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard_draw_rules(&self) -> DrawRules {
        DrawRules::of(self.info())
    }

    /// Detects the text format of the input. Falls back to the last format, which reports the error
    /// in the text.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let format = othello.format_of("f5d6c3");
    /// assert_eq!(format.name, "transcript");
    /// let games = (format.parse)("f5d6c3")?.into_games();
    /// assert_eq!(games[0].game.moves().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format_of(&self, text: &str) -> &'static LineFormat {
        let formats = self.formats();
        formats.iter().find(|format| (format.detect)(text)).or(formats.last()).expect("a game has a format")
    }

    /// Returns the text format with this name or alias.
    ///
    /// ```
    /// use morello::game::AnnotatedGame;
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let transcript = othello.format_named("transcript").expect("it is a format");
    /// let game = AnnotatedGame::from(othello.random_game(6, 3));
    /// assert_eq!(transcript.write_game(&game).and_then(Result::ok).as_deref(), Some("f5d6c3"));
    /// assert!(othello.format_named("kif").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
///
/// ```
/// use morello::game::any_game;
/// use morello::othello::SizedPosition;
///
/// assert_eq!(any_game::<SizedPosition<6>>().name(), "othello-6x6");
/// ```
#[must_use]
pub const fn any_game<P: Playable>() -> &'static dyn AnyGame {
    TypedGame::<P>::ERASED
}

/// The type that implements the type-erased functions of a game.
pub(crate) struct TypedGame<P>(PhantomData<fn() -> P>);

impl<P: 'static> TypedGame<P> {
    /// The only value of this type.
    pub(crate) const ERASED: &'static Self = &Self(PhantomData);
}
