//! The registry: the one list of the games by name.
//!
//! A game is one line here, a mill game among those of its kind, and `data/perft/<name>.perft` holds its known perft values, which travel in
//! the program.

use thiserror::Error;

use crate::game::{AnyGame, Command, any_game};
use crate::morris::{
    self, LaskerMorris, Morabaraba, MorabarabaNoReturn, NineMensMorris, NineMensMorrisFlying,
    NineMensMorrisFlyingProtected, NineMensMorrisProtected, SixMensMorris, ThreeMensMorris, VariantCommand,
};
use crate::othello;

/// Makes the registry from one line a game: its name and its type, that of its rules for a mill game.
macro_rules! games {
    (mills { $($mill:literal: $variant:ty,)+ } others { $($other:literal: $game:ty,)+ }) => {
        games! { $($other: $game,)+ $($mill: morris::Position<$variant>,)+ }

        /// The names of the mill games.
        pub const MILLS: &[&str] = &[$($mill),+];

        /// Runs a command on the mill game with this name: for what is known of mill games alone.
        ///
        /// # Errors
        /// [`NoMillGame`] if no mill game has the name; the command is then not run.
        pub fn run_mill<C: VariantCommand>(name: &str, command: C) -> Result<C::Output, NoMillGame> {
            match name {
                $($mill => Ok(command.run::<$variant>()),)+
                _ => Err(NoMillGame(name.to_owned())),
            }
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

        /// Runs a command on the game with this name.
        ///
        /// # Errors
        /// [`UnknownGame`] if no game has the name; the command is then not run.
        pub fn run<C: Command>(name: &str, command: C) -> Result<C::Output, UnknownGame> {
            match name {
                $($name => Ok(command.run::<$game>()),)+
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

games! {
    mills {
        "nine-mens-morris": NineMensMorris,
        "nine-mens-morris-flying": NineMensMorrisFlying,
        "nine-mens-morris-protected": NineMensMorrisProtected,
        "nine-mens-morris-flying-protected": NineMensMorrisFlyingProtected,
        "morabaraba": Morabaraba,
        "morabaraba-no-return": MorabarabaNoReturn,
        "lasker-morris": LaskerMorris,
        "six-mens-morris": SixMensMorris,
        "three-mens-morris": ThreeMensMorris,
    }
    others {
        "othello": othello::Position<8>,
        "othello-6x6": othello::Position<6>,
        "othello-4x4": othello::Position<4>,
    }
}

/// Returns the game with this name.
///
/// # Errors
/// [`UnknownGame`] if no game has the name.
pub fn get(name: &str) -> Result<&'static dyn AnyGame, UnknownGame> {
    all().iter().copied().find(|game| game.name() == name).ok_or_else(|| UnknownGame(name.to_owned()))
}

/// A name that is no game's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown game `{0}` (known: {known})", known = NAMES.join(", "))]
pub struct UnknownGame(pub String);

/// A name that is no mill game's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no mill game (those are: {mills})", mills = MILLS.join(", "))]
pub struct NoMillGame(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Playable;
    use crate::morris::Variant;
    use crate::perft::Reference;

    struct Name;

    impl Command for Name {
        type Output = &'static str;

        fn run<P: Playable>(self) -> &'static str {
            P::NAME
        }
    }

    impl VariantCommand for Name {
        type Output = &'static str;

        fn run<V: Variant>(self) -> &'static str {
            V::NAME
        }
    }

    struct Table(&'static str);

    impl Command for Table {
        type Output = usize;

        fn run<P: Playable>(self) -> usize {
            Reference::<P>::parse_table(self.0).expect("the embedded table is well formed").len()
        }
    }

    #[test]
    fn a_name_leads_to_the_game_that_bears_it() {
        for name in NAMES {
            assert_eq!(run(name, Name).as_ref(), Ok(name));
            assert_eq!(get(name).unwrap().name(), *name);
        }
        assert_eq!(all().len(), NAMES.len());
        assert!(run("checkers", Name).unwrap_err().to_string().contains("othello-6x6"));
        for name in MILLS {
            assert_eq!(run_mill(name, Name).as_ref(), Ok(name));
            assert!(NAMES.contains(name));
        }
        assert!(run_mill("othello", Name).unwrap_err().to_string().contains("lasker-morris"));
    }

    #[test]
    fn every_game_has_a_perft_table_that_can_be_read() {
        for name in NAMES {
            assert!(run(name, Table(perft_table(name).unwrap())).unwrap() > 0, "{name}");
        }
    }
}
