//! The registry of games by name.
//!
//! ```
//! use morello::game::{EngineOptions, Game, Limits, Position};
//! use morello::games;
//!
//! let six = games::get("six-mens-morris")?;
//! let mut game = Game::new(six.parse_position("0,0 a1,d2,b6 d7,f4,g1,g7 W")?);
//! game.play(game.position().parse_move("d2-b2")?)?;
//! let mut searcher = six.searcher(&EngineOptions::new(1 << 20))?;
//! let report = searcher.best(&game, &Limits::depth(5));
//! assert_eq!(report.best().score.to_string(), "+1#1"); // Black, to move, wins with the next ply
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Each Othello board is one line here; the mill games come from the table in `morris/rules.rs`.

use thiserror::Error;

use crate::game::{AnyGame, any_game};
#[cfg(feature = "database")]
use crate::morris::engine::database::{MillGame, mill_game};
use crate::morris::mill_games;
use crate::perft::{AnyPerft, perft_of};

/// Builds the registry. The first argument passes in the `$` token.
macro_rules! games {
    ($d:tt $($name:literal $variant:ident;)+) => {
        games! {
            all $d
            $crate::othello::Position,
            $crate::othello::SizedPosition<6>,
            $crate::othello::SizedPosition<4>,
            $($crate::morris::Position<$crate::morris::$variant>,)+
        }

        /// Returns the mill game with this name, with the functions that only mill games have.
        ///
        /// ```
        /// use morello::game::Game;
        /// use morello::games;
        ///
        /// let mill = games::mill("three-mens-morris")?;
        /// assert_eq!(mill.ruleset()?.rules.men, 3);
        /// let error = games::mill("othello").unwrap_err();
        /// assert!(error.to_string().starts_with("not a mill game: `othello` (mill games: nine"));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        ///
        /// # Errors
        /// [`NotAMillGame`] if no mill game has the name.
        #[cfg(feature = "database")]
        pub fn mill(name: &str) -> Result<&'static dyn MillGame, NotAMillGame> {
            // A static, so that the game types are compiled only in this crate.
            static MILLS: &[&dyn MillGame] = &[$(mill_game::<crate::morris::$variant>()),+];
            MILLS.iter().copied().find(|game| game.info().name == name).ok_or_else(|| NotAMillGame(name.to_owned()))
        }
    };
    (all $d:tt $($game:ty,)+) => {
        /// Returns all games.
        ///
        /// ```
        /// use morello::games;
        ///
        /// let names: Vec<_> = games::all().iter().map(|game| game.name()).collect();
        /// assert_eq!(names[..3], ["othello", "othello-6x6", "othello-4x4"]);
        /// assert!(names.contains(&"nine-mens-morris") && names.contains(&"morabaraba"));
        /// ```
        #[must_use]
        pub fn all() -> &'static [&'static dyn AnyGame] {
            // A static, so that the game types are compiled only in this crate.
            static GAMES: &[&dyn AnyGame] = &[$(any_game::<$game>()),+];
            GAMES
        }

        /// Evaluates an expression for the type of the game with this name. Prefer
        /// [`games::get`](crate::games::get) where the type is not needed. Returns
        /// [`UnknownGame`](crate::games::UnknownGame) if no game has the name.
        ///
        /// ```
        /// let symmetries = morello::with_game!("six-mens-morris", P => P::INFO.symmetries)?;
        /// assert_eq!(symmetries, 16);
        /// # Ok::<(), morello::games::UnknownGame>(())
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d name:expr, $d type:ident => $d value:expr) => {
                'found: {
                    #[allow(unused_imports, reason = "an expression may use any trait of its game")]
                    use $d crate::game::{CountLeaves as _, Engine as _, GameRules as _, Notation as _, Position as _};
                    let name: &str = $d name;
                    $(if name == <$game>::INFO.name {
                        type $d type = $game;
                        break 'found Ok($d value);
                    })+
                    Err($d crate::games::UnknownGame(name.to_owned()))
                }
            };
        }
    };
}

mill_games!(games $);

/// Returns the name of a game followed by its rules in words, or the name alone if no game has it.
///
/// ```
/// use morello::games;
///
/// assert_eq!(games::described("six-mens-morris"), "six-mens-morris (Six men’s morris, no flying)");
/// ```
#[must_use]
pub fn described(name: &str) -> String {
    get(name).map_or_else(|_| name.to_owned(), |game| game.described())
}

/// Returns the game with this name.
///
/// ```
/// use morello::games;
///
/// assert_eq!(games::get("othello")?.info().title, "Othello");
/// let error = games::get("chess").unwrap_err();
/// assert!(error.to_string().starts_with("unknown game `chess` (known: othello, othello-6x6"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`UnknownGame`] if no game has the name.
pub fn get(name: &str) -> Result<&'static dyn AnyGame, UnknownGame> {
    all().iter().copied().find(|game| game.name() == name).ok_or_else(|| UnknownGame(name.to_owned()))
}

/// Returns the perft functions of the game with this name.
///
/// ```
/// use morello::{games, perft::Convention};
///
/// let start = games::get("morabaraba")?.start();
/// assert_eq!(games::perft("morabaraba")?.count(&start, 2, Convention::default()), 24 * 23);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`UnknownGame`] if no game has the name.
pub fn perft(name: &str) -> Result<&'static dyn AnyPerft, UnknownGame> {
    with_game!(name, P => perft_of::<P>())
}

/// Lists the names of the games for which `is_accepted` returns true.
fn names(is_accepted: impl Fn(&str) -> bool) -> String {
    let names: Vec<_> = all().iter().map(|game| game.name()).filter(|name| is_accepted(name)).collect();
    names.join(", ")
}

/// No game has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown game `{0}` (known: {known})", known = names(|_| true))]
pub struct UnknownGame(pub String);

/// No mill game has this name.
#[cfg(feature = "database")]
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a mill game: `{0}` (mill games: {mills})", mills = names(|name| mill(name).is_ok()))]
pub struct NotAMillGame(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Protocol;
    use crate::perft::Reference;

    #[test]
    fn finds_every_game_by_name() {
        for game in all() {
            assert_eq!(get(game.name()).unwrap().name(), game.name());
            assert_eq!(with_game!(game.name(), P => P::INFO), Ok(*game.info()));
        }
        assert!(get("checkers").unwrap_err().to_string().contains("othello-6x6"));
        assert_eq!(perft("checkers").err(), get("checkers").err());
    }

    #[test]
    fn every_game_has_a_one_line_description_and_rules() {
        for game in all() {
            let about = game.info().about;
            assert!(
                !about.is_empty() && about.len() <= 53 && !about.contains('\n') && !about.ends_with('.'),
                "{}: {about}",
                game.name()
            );
            assert!(!game.info().title.is_empty() && game.rules().len() >= 4);
        }
    }

    #[cfg(feature = "database")]
    #[test]
    fn finds_every_mill_game_by_name() {
        let mills: Vec<_> = all().iter().filter_map(|game| mill(game.name()).ok()).collect();
        let speaks = |game: &&&dyn AnyGame| game.dialect(Protocol::MorrisText).is_some();
        assert_eq!(mills.len(), all().iter().filter(speaks).count());
        let rules = mills.iter().filter_map(|game| Some((game.ruleset().ok()?.name, game.info().name)));
        assert!(rules.clone().count() > 0 && rules.clone().all(|(own, name)| own == name));
        assert_eq!(mills[0].info().name, "nine-mens-morris-flying", "the most common mill game");
        assert!(mill("othello").err().unwrap().to_string().contains("lasker-morris"));
    }

    #[test]
    fn every_game_has_a_valid_perft_table() {
        for game in all() {
            assert!(!Reference::known(*game).is_empty(), "{game:?}");
        }
    }
}
