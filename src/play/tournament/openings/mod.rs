//! Match openings: the moves played before the players take over.
//!
//! ```
//! use morello::games;
//! use morello::players::Spec;
//! use morello::tournament::MatchPlan;
//! use morello::input::Input;
//! use morello::tournament::openings::{self, OpeningSource};
//!
//! let morris = games::get("three-mens-morris")?;
//! let lines = openings::read(morris, Input::Text("a1 b2\na1 c3\n".to_owned()), None)?.openings;
//! let entrants = vec!["depth=1,hash=1".parse::<Spec>()?.into(), "random".parse::<Spec>()?.into()];
//! let plan = MatchPlan { openings: OpeningSource::List(lines), ..MatchPlan::new(morris, entrants, 4) };
//! assert_eq!(plan.play_all()?.summary.openings.count, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Openings are random ([`RandomOpenings`]), all openings with a number of plies
//! ([`all_openings`]), read from a file ([`read`]), or taken from an opening book
//! ([`book_openings`]).

mod balance;
mod book;
mod enumerate;
mod file;
mod random;
mod set;
mod source;

use morello_core::game::{AnyMove, AnyPosition, DrawRules, Game, PlayError};

pub use balance::Balance;
pub use book::book_openings;
pub use enumerate::{MAX_POSITIONS, TooManyPositions, all_openings};
pub use file::{OpeningFile, ReadOpeningsError, read};
pub use random::RandomOpenings;
pub use set::{OpeningSet, OpeningSummary};
pub use source::{FindOpeningsError, OpeningSource};

/// A start position and the moves played from it before the players take over.
///
/// ```
/// use morello::game::DrawRules;
/// use morello::games;
/// use morello::input::read_game;
/// use morello::tournament::openings::Opening;
///
/// let opening = Opening::of(&read_game(games::get("othello")?, "f5d6c3d3c4")?);
/// assert_eq!(opening.game(DrawRules::default())?.moves().len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The position before the first move; usually the start of the game.
    pub start: AnyPosition,
    /// The moves; they are legal and do not end the game.
    pub moves: Vec<AnyMove>,
}

impl Opening {
    /// Creates the opening that consists of the moves of `game`.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        Self { start: *game.start(), moves: game.moves().to_vec() }
    }

    /// Plays the opening.
    ///
    /// # Errors
    /// [`PlayError`] if a move is illegal or comes after the end of the game.
    pub fn game(&self, settings: DrawRules) -> Result<Game, PlayError> {
        let mut game = Game::with_draw_rules(self.start, settings);
        self.moves.iter().try_for_each(|&m| game.play(m))?;
        Ok(game)
    }
}
