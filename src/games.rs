//! The registry: the one list of the games by name.
//!
//! A game is one line here, and `data/perft/<name>.perft` holds its known perft values, which travel in the program.

use thiserror::Error;

use crate::game::Command;
use crate::morris::{
    self, LaskerMorris, Morabaraba, MorabarabaNoReturn, NineMensMorris, NineMensMorrisFlying,
    NineMensMorrisFlyingProtected, NineMensMorrisProtected, SixMensMorris, ThreeMensMorris,
};
use crate::othello;

/// Makes the registry from one line a game: its name and its type.
macro_rules! games {
    ($($name:literal: $game:ty,)+) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$($name),+];

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
    "othello": othello::Position<8>,
    "othello-6x6": othello::Position<6>,
    "othello-4x4": othello::Position<4>,
    "nine-mens-morris": morris::Position<NineMensMorris>,
    "nine-mens-morris-flying": morris::Position<NineMensMorrisFlying>,
    "nine-mens-morris-protected": morris::Position<NineMensMorrisProtected>,
    "nine-mens-morris-flying-protected": morris::Position<NineMensMorrisFlyingProtected>,
    "morabaraba": morris::Position<Morabaraba>,
    "morabaraba-no-return": morris::Position<MorabarabaNoReturn>,
    "lasker-morris": morris::Position<LaskerMorris>,
    "six-mens-morris": morris::Position<SixMensMorris>,
    "three-mens-morris": morris::Position<ThreeMensMorris>,
}

/// A name that is no game's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown game `{0}` (known: {known})", known = NAMES.join(", "))]
pub struct UnknownGame(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Playable;
    use crate::perft::Reference;

    struct Name;

    impl Command for Name {
        type Output = &'static str;

        fn run<P: Playable>(self) -> &'static str {
            P::NAME
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
        }
        assert!(run("checkers", Name).unwrap_err().to_string().contains("othello-6x6"));
    }

    #[test]
    fn every_game_has_a_perft_table_that_can_be_read() {
        for name in NAMES {
            assert!(run(name, Table(perft_table(name).unwrap())).unwrap() > 0, "{name}");
        }
    }
}
