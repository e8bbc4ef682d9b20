//! [`MillGame`]: databases of a mill game, without its type.

use std::sync::atomic::AtomicU64;

use super::{
    BansUnsupported, Database, HalfmoveClock, MoveValue, OpeningValue, Probe, Puzzle, Ruleset, Sector, SectorTable,
    TableError, VerifyError, verify, verify_in_memory,
};
use crate::game::{AnyGame, AnyMove, AnyPosition, Cancel, GameData, RandomNumbers, TypedGame, WrongGameData, erased};
use crate::morris::{Position, Variant};

erased! {
    /// The databases of a mill game, for use without its type. Databases and positions passed to it
    /// must belong to the game.
    pub trait MillGame for <V: Variant> Position<V> where AnyGame;

    /// Returns the rules.
    ///
    /// # Errors
    /// [`BansUnsupported`] if the game cannot have a database.
    fn ruleset() -> Result<Ruleset, BansUnsupported> = Ruleset::of::<V>();

    /// Returns the sector of a position.
    fn sector_of(position: &AnyPosition) -> Sector = Sector::of(&position.known::<Position<V>>());

    /// [Probes](Database::probe) a position.
    ///
    /// # Errors
    /// [`TableError`] if its block is damaged or cannot be read.
    fn probe(
        database: &Database,
        position: &AnyPosition,
        clock: HalfmoveClock,
    ) -> Result<Option<Probe>, TableError> =
        database.probe(&position.known::<Position<V>>(), clock);

    /// [Probes](Database::probe_moves) the moves of a position.
    ///
    /// # Errors
    /// [`TableError`] if the block of one of them is damaged or cannot be read.
    fn probe_moves(
        database: &Database,
        position: &AnyPosition,
        clock: HalfmoveClock,
    ) -> Result<Option<Vec<MoveValue<AnyMove>>>, TableError> = {
        let moves = database.probe_moves(&position.known::<Position<V>>(), clock)?;
        Ok(moves.map(|moves| moves.into_iter().map(MoveValue::any).collect()))
    };

    /// Returns the [longest](Database::longest) win or loss of a table.
    ///
    /// # Errors
    /// [`TableError`] if a block before it is damaged or cannot be read.
    fn longest(database: &Database, table: &SectorTable) -> Result<Option<AnyPosition>, TableError> =
        Ok(database.longest::<V>(table)?.map(AnyPosition::new));

    /// Returns the first [puzzle](Database::random_puzzle) among random positions of sectors.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    fn random_puzzle(
        database: &Database,
        sectors: &[Sector],
        tries: usize,
        random: &mut RandomNumbers,
    ) -> Result<Option<Puzzle>, TableError> =
        database.random_puzzle::<V>(sectors, tries, random);

    /// Returns the first puzzle among random positions of an [open
    /// database](crate::game::Engine::open_database); `None` also for the database of another
    /// family.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    fn puzzle(data: &GameData, tries: usize, random: &mut RandomNumbers) -> Result<Option<Puzzle>, TableError> =
        match data.get::<Database>() {
            Ok(database) => database.random_puzzle::<V>(&database.sectors(), tries, random),
            Err(WrongGameData) => Ok(None),
        };

    /// Returns the [puzzle](Database::puzzle_at) of the position of a slot, if it has one.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    fn puzzle_at(database: &Database, table: &SectorTable, slot: usize) -> Result<Option<Puzzle>, TableError> =
        database.puzzle_at::<V>(table, slot);

    /// Returns the [value and the replies](Database::opening_value) of a position.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    fn opening_value(database: &Database, position: &AnyPosition) -> Result<Option<OpeningValue>, TableError> =
        database.opening_value(&position.known::<Position<V>>());

    /// [Verifies](verify_in_memory) tables of one unit in memory.
    fn verify_in_memory(
        database: &Database,
        tables: &[&SectorTable],
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Vec<Result<(), VerifyError>> =
        verify_in_memory::<V>(database, tables, done, cancel);

    /// [Verifies](verify()) a table, one position after the other.
    ///
    /// # Errors
    /// [`VerifyError`], such as the first mismatch found.
    fn verify(
        database: &Database,
        table: &SectorTable,
        every: usize,
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Result<(), VerifyError> =
        verify::<V>(database, table, every, done, cancel);
}

/// Returns the [`MillGame`] of a variant.
#[must_use]
pub const fn mill_game<V: Variant>() -> &'static dyn MillGame {
    TypedGame::<Position<V>>::ERASED
}
