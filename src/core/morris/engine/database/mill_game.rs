//! [`MillGame`]: the databases of a type-erased mill game.

use std::fmt;

use super::verify::{Lookup, derive};
use super::{BansUnsupported, Database, Metric, Place, PositionValue, Puzzle, Ruleset, Sector, TableError};
use crate::game::{
    AnyGame, AnyPosition, Color, Evaluator as _, GameData, RandomNumbers, TypedGame, WrongGameData, erased,
};
use crate::morris::engine::MillEvaluation;
use crate::morris::position::Arrangement;
use crate::morris::{Position, Variant, point};

erased! {
    /// The databases of a type-erased mill game. Databases and positions passed to it must belong
    /// to the game.
    ///
    /// ```
    /// use morello::games;
    /// use morello::morris::engine::database::Database;
    ///
    /// let mill = games::mill("three-mens-morris")?;
    /// let mut database = Database::new(mill.ruleset()?);
    /// database.solve_small_sectors()?;
    /// let start = mill.start();
    /// assert_eq!(mill.sector_of(&start).to_string(), "0-0+3-3");
    /// let probe = database.probe(&start, 0)?.expect("the whole game is small");
    /// assert_eq!(probe.plies(), Some(9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub trait MillGame for <V: Variant> Position<V> where AnyGame;

    /// Returns the rules.
    ///
    /// # Errors
    /// [`BansUnsupported`] if the game cannot have a database.
    fn ruleset() -> Result<Ruleset, BansUnsupported> = Ruleset::of::<V>();

    /// Returns the place of a position in the tables.
    fn place(position: &AnyPosition) -> Place = Place::of(&position.known::<Position<V>>());

    /// Returns the position of a sector with White to move. `own` are the men of White, and `other`
    /// are the men of Black.
    fn position(sector: Sector, own: u32, other: u32) -> AnyPosition = {
        let hands = [sector.other_hand, sector.own_hand];
        let position = Position::<V>::new(hands, [other, own].map(point::points), Color::White);
        AnyPosition::new(position.expect("the men fit the sector"))
    };

    /// Returns the position after a pass of the side to move, which the rules do not allow.
    fn passed(position: &AnyPosition) -> AnyPosition = {
        let arrangement = position.known::<Position<V>>().arrangement();
        AnyPosition::new(Position::<V>::of(Arrangement { side: !arrangement.side, ..arrangement }))
    };

    /// Returns the evaluation of the game.
    fn evaluation() -> MillEvaluation = MillEvaluation::new::<V>();

    /// [Evaluates](crate::game::Evaluator::evaluate) a position.
    fn evaluate(evaluation: &MillEvaluation, position: &AnyPosition) -> i32 =
        evaluation.evaluate(&position.known::<Position<V>>());

    /// Derives the value of a position from the values of the positions after its moves. `lookup`
    /// returns these values, given a sector and its men.
    ///
    /// # Errors
    /// The errors of `lookup`.
    fn derive(
        rules: &Ruleset,
        position: &AnyPosition,
        metric: Metric,
        lookup: &Lookup<'_>,
    ) -> Result<PositionValue, TableError> =
        derive(rules, &position.known::<Position<V>>(), metric, lookup);
}

impl fmt::Debug for dyn MillGame + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

impl dyn MillGame + '_ {
    /// Returns the sector of a position.
    #[must_use]
    pub fn sector_of(&self, position: &AnyPosition) -> Sector {
        self.place(position).sector
    }

    /// Returns the first puzzle among random positions of an
    /// [open database](crate::game::Engine::open_database). Also returns `None` if the database is
    /// not a mill game database.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    pub fn puzzle(
        &self,
        data: &GameData,
        tries: usize,
        random: &mut RandomNumbers,
    ) -> Result<Option<Puzzle>, TableError> {
        match data.get::<Database>() {
            Ok(database) => database.random_puzzle(&database.sectors(), tries, random),
            Err(WrongGameData) => Ok(None),
        }
    }
}

/// Returns the [`MillGame`] of a variant.
#[must_use]
pub const fn mill_game<V: Variant>() -> &'static dyn MillGame {
    TypedGame::<Position<V>>::ERASED
}
