//! The registry of games by name.
//!
//! Each Othello board is one line here; the mill games come from the table in `morris/rules.rs`. The known perft values of each game, from
//! `data/perft/<name>.perft`, are embedded in the program.

use thiserror::Error;

use crate::game::{AnyGame, GameVisitor, any_game};
#[cfg(feature = "database")]
use crate::game::{AnyMove, AnyPosition, GameData, RandomNumbers};
#[cfg(feature = "database")]
use crate::morris::engine::database::{Database, MillGame, TableError, mill_game};
use crate::morris::{self, Variant, mill_games};
use crate::othello;
use crate::perft::{AnyPerft, Reference, perft_of};

/// Builds the registry from one line per game: name, type (for a mill game, its [`Variant`]) and description.
macro_rules! games {
    (mills { $($mill:literal: $variant:ty,)+ } others { $($other:literal: $game:ty, $about:literal;)+ }) => {
        games! { $($other: $game,)+ $($mill: morris::Position<$variant>,)+ }

        /// Returns a one-line description of the game with this name; `None` if no game has the name.
        #[must_use]
        pub fn about(name: &str) -> Option<&'static str> {
            match name {
                $($other => Some($about),)+
                $($mill => Some(<$variant as Variant>::ABOUT.trim_ascii()),)+
                _ => None,
            }
        }

        /// The names of the mill games.
        pub const MILLS: &[&str] = &[$($mill),+];

        /// Returns the mill games.
        #[cfg(feature = "database")]
        #[must_use]
        pub fn mills() -> &'static [&'static dyn MillGame] {
            const { &[$(mill_game::<$variant>()),+] }
        }
    };
    ($($name:literal: $game:ty,)+) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$($name),+];

        /// Returns all games.
        #[must_use]
        pub fn all() -> &'static [&'static dyn AnyGame] {
            const { &[$(any_game::<$game>()),+] }
        }

        /// Returns the perft functions of the game with this name.
        ///
        /// # Errors
        /// [`UnknownGame`] if no game has the name.
        pub fn perft(name: &str) -> Result<&'static dyn AnyPerft, UnknownGame> {
            match name {
                $($name => Ok(perft_of::<$game>()),)+
                _ => Err(UnknownGame(name.to_owned())),
            }
        }

        /// Calls `visitor` with the type of the game with this name.
        ///
        /// # Errors
        /// [`UnknownGame`] if no game has the name; the visitor is then not called.
        pub fn run<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            match name {
                $($name => Ok(visitor.visit::<$game>()),)+
                _ => Err(UnknownGame(name.to_owned())),
            }
        }

        /// Returns the [table of known perft values](crate::perft::Reference) of the game with this name.
        ///
        /// # Errors
        /// [`UnknownGame`] if no game has the name.
        pub fn perft_table(name: &str) -> Result<&'static str, UnknownGame> {
            match name {
                $($name => Ok(include_str!(concat!("../data/perft/", $name, ".perft"))),)+
                _ => Err(UnknownGame(name.to_owned())),
            }
        }
    };
}

macro_rules! with_mills {
    ($($name:literal $variant:ident;)+) => {
        games! {
            mills { $($name: morris::$variant,)+ }
            others {
                "othello": othello::Position, "Othello on the standard 8x8 board";
                "othello-6x6": othello::SizedPosition<6>, "Othello on a 6x6 board";
                "othello-4x4": othello::SizedPosition<4>, "Othello on a 4x4 board";
            }
        }
    };
}

mill_games!(with_mills);

/// Returns the game with this name.
///
/// # Errors
/// [`UnknownGame`] if no game has the name.
pub fn get(name: &str) -> Result<&'static dyn AnyGame, UnknownGame> {
    all().iter().copied().find(|game| game.name() == name).ok_or_else(|| UnknownGame(name.to_owned()))
}

/// Returns the mill game with this name, with the functions that only mill games have.
///
/// # Errors
/// [`NotAMillGame`] if no mill game has the name.
#[cfg(feature = "database")]
pub fn mill(name: &str) -> Result<&'static dyn MillGame, NotAMillGame> {
    mills().iter().copied().find(|game| game.name() == name).ok_or_else(|| NotAMillGame(name.to_owned()))
}

/// A puzzle: one move keeps a win or a draw, and all others are worse.
#[cfg(feature = "database")]
#[derive(Debug, Clone, Copy)]
pub struct TablePuzzle {
    /// The position.
    pub position: AnyPosition,
    /// The move.
    pub solution: AnyMove,
    /// Whether it wins; otherwise it holds a draw.
    pub wins: bool,
}

/// Tries random positions of a mill game's endgame database until one is a puzzle; `None` without one, and for other games.
///
/// # Errors
/// [`TableError`] if a table is damaged or cannot be read.
#[cfg(feature = "database")]
pub fn random_puzzle(
    game: &dyn AnyGame,
    database: &GameData,
    tries: usize,
    random: &mut RandomNumbers,
) -> Result<Option<TablePuzzle>, TableError> {
    let (Ok(mill), Ok(database)) = (mill(game.name()), database.get::<Database>()) else { return Ok(None) };
    let sectors = database.sectors();
    for _ in 0..if sectors.is_empty() { 0 } else { tries } {
        let sector = sectors[random.below(sectors.len())];
        if let Some(puzzle) = mill.random_puzzle(&database, sector, random)? {
            let wins = puzzle.solution.probe.outcome().is_gt();
            return Ok(Some(TablePuzzle { position: puzzle.position, solution: puzzle.solution.m, wins }));
        }
    }
    Ok(None)
}

/// Returns the known perft values of a game.
///
/// # Panics
/// If the game is not in this registry.
#[must_use]
pub fn known_perft(game: &dyn AnyGame) -> Vec<Reference> {
    let table = perft_table(game.name()).expect("the game is registered");
    Reference::parse_table(game, table).expect("a test reads every embedded table")
}

/// No game has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown game `{0}` (known: {known})", known = NAMES.join(", "))]
pub struct UnknownGame(pub String);

/// No mill game has this name.
#[cfg(feature = "database")]
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a mill game: `{0}` (mill games: {mills})", mills = MILLS.join(", "))]
pub struct NotAMillGame(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Playable;

    struct Name;

    impl GameVisitor for Name {
        type Output = &'static str;

        fn visit<P: Playable>(self) -> &'static str {
            P::INFO.name
        }
    }

    #[test]
    fn finds_every_game_by_name() {
        for name in NAMES {
            assert_eq!(run(name, Name).as_ref(), Ok(name));
            assert_eq!(get(name).unwrap().name(), *name);
        }
        assert_eq!(all().len(), NAMES.len());
        assert!(run("checkers", Name).unwrap_err().to_string().contains("othello-6x6"));
        assert!(MILLS.iter().all(|name| NAMES.contains(name)));
    }

    #[test]
    fn every_game_has_a_one_line_description() {
        for name in NAMES {
            let about = about(name).unwrap();
            assert!(
                !about.is_empty() && about.len() <= 53 && !about.contains('\n') && !about.ends_with('.'),
                "{name}: {about}"
            );
        }
        assert_eq!(about("checkers"), None);
        assert_eq!(MILLS[0], "nine-mens-morris-flying", "the most common mill game");
    }

    #[cfg(feature = "database")]
    #[test]
    fn finds_every_mill_game_by_name() {
        for name in MILLS {
            assert_eq!(mill(name).unwrap().name(), *name);
        }
        assert!(mill("othello").err().unwrap().to_string().contains("lasker-morris"));
    }

    #[test]
    fn every_game_has_a_valid_perft_table() {
        for name in NAMES {
            assert!(!known_perft(get(name).unwrap()).is_empty(), "{name}");
        }
    }
}
