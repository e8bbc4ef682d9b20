//! [`MillGame`]: databases of a mill game, without its type.

use std::marker::PhantomData;
use std::sync::atomic::AtomicU64;

use super::{
    BansUnsupported, Database, HalfmoveClock, MoveValue, Opening, OpeningValue, Probe, Puzzle, Reply, Ruleset, Sector,
    SectorTable, TableError, VerifyError, openings, verify, verify_in_memory,
};
use crate::game::{AnyMove, AnyPosition, Cancel, RandomNumbers};
use crate::morris::{Move, Position, Variant};

/// The databases of a mill game, for use without its type. Databases and positions passed to it must belong to the game.
pub trait MillGame: Sync {
    /// Returns the name of the game.
    fn name(&self) -> &'static str;

    /// Returns the rules.
    ///
    /// # Errors
    /// [`BansUnsupported`] if the game cannot have a database.
    fn ruleset(&self) -> Result<Ruleset, BansUnsupported>;

    /// Returns the sector of a position.
    fn sector_of(&self, position: &AnyPosition) -> Sector;

    /// [Probes](Database::probe) a position.
    ///
    /// # Errors
    /// [`TableError`] if its block is damaged or cannot be read.
    fn probe(
        &self,
        database: &Database,
        position: &AnyPosition,
        clock: HalfmoveClock,
    ) -> Result<Option<Probe>, TableError>;

    /// [Probes](Database::probe_moves) the moves of a position.
    ///
    /// # Errors
    /// [`TableError`] if the block of one of them is damaged or cannot be read.
    fn probe_moves(
        &self,
        database: &Database,
        position: &AnyPosition,
        clock: HalfmoveClock,
    ) -> Result<Option<Vec<MoveValue<AnyMove>>>, TableError>;

    /// Returns the [longest](Database::longest) win or loss of a table.
    ///
    /// # Errors
    /// [`TableError`] if a block before it is damaged or cannot be read.
    fn longest(&self, database: &Database, table: &SectorTable) -> Result<Option<AnyPosition>, TableError>;

    /// Returns the [puzzle](Database::random_puzzle) of a random position of a sector, if it has one.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    fn random_puzzle(
        &self,
        database: &Database,
        sector: Sector,
        random: &mut RandomNumbers,
    ) -> Result<Option<Puzzle<AnyPosition, AnyMove>>, TableError>;

    /// Returns the [puzzle](Database::puzzle_at) of the position of a slot, if it has one.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    fn puzzle_at(
        &self,
        database: &Database,
        table: &SectorTable,
        slot: usize,
    ) -> Result<Option<Puzzle<AnyPosition, AnyMove>>, TableError>;

    /// Returns the [openings](openings()) from the start of the game.
    fn openings(&self, plies: usize) -> Vec<Opening<AnyPosition, AnyMove>>;

    /// Returns the [value and the replies](Database::opening_value) of a position.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    fn opening_value(
        &self,
        database: &Database,
        position: &AnyPosition,
    ) -> Result<Option<OpeningValue<AnyMove>>, TableError>;

    /// [Verifies](verify_in_memory) tables of one unit in memory.
    fn verify_in_memory(
        &self,
        database: &Database,
        tables: &[&SectorTable],
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Vec<Result<(), VerifyError>>;

    /// [Verifies](verify()) a table, one position after the other.
    ///
    /// # Errors
    /// [`VerifyError`], such as the first mismatch found.
    fn verify(
        &self,
        database: &Database,
        table: &SectorTable,
        every: usize,
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Result<(), VerifyError>;
}

/// Returns the [`MillGame`] of a variant.
#[must_use]
pub const fn mill_game<V: Variant>() -> &'static dyn MillGame {
    &TypedMillGame::<V>(PhantomData)
}

struct TypedMillGame<V>(PhantomData<fn() -> V>);

impl<V: Variant> MillGame for TypedMillGame<V> {
    fn name(&self) -> &'static str {
        V::NAME
    }

    fn ruleset(&self) -> Result<Ruleset, BansUnsupported> {
        Ruleset::of::<V>()
    }

    fn sector_of(&self, position: &AnyPosition) -> Sector {
        Sector::of(&typed::<V>(position))
    }

    fn probe(
        &self,
        database: &Database,
        position: &AnyPosition,
        clock: HalfmoveClock,
    ) -> Result<Option<Probe>, TableError> {
        database.probe(&typed::<V>(position), clock)
    }

    fn probe_moves(
        &self,
        database: &Database,
        position: &AnyPosition,
        clock: HalfmoveClock,
    ) -> Result<Option<Vec<MoveValue<AnyMove>>>, TableError> {
        let moves = database.probe_moves(&typed::<V>(position), clock)?;
        let any = |MoveValue { m, probe }| MoveValue { m: AnyMove::new::<Position<V>>(m), probe };
        Ok(moves.map(|moves| moves.into_iter().map(any).collect()))
    }

    fn longest(&self, database: &Database, table: &SectorTable) -> Result<Option<AnyPosition>, TableError> {
        Ok(database.longest::<V>(table)?.map(AnyPosition::new))
    }

    fn random_puzzle(
        &self,
        database: &Database,
        sector: Sector,
        random: &mut RandomNumbers,
    ) -> Result<Option<Puzzle<AnyPosition, AnyMove>>, TableError> {
        Ok(database.random_puzzle::<V>(sector, random)?.map(any_puzzle))
    }

    fn puzzle_at(
        &self,
        database: &Database,
        table: &SectorTable,
        slot: usize,
    ) -> Result<Option<Puzzle<AnyPosition, AnyMove>>, TableError> {
        Ok(database.puzzle_at::<V>(table, slot)?.map(any_puzzle))
    }

    fn openings(&self, plies: usize) -> Vec<Opening<AnyPosition, AnyMove>> {
        let any = |Opening { moves, position }: Opening<Position<V>, _>| Opening {
            moves: moves.into_iter().map(AnyMove::new::<Position<V>>).collect(),
            position: AnyPosition::new(position),
        };
        openings(Position::<V>::default(), plies).into_iter().map(any).collect()
    }

    fn opening_value(
        &self,
        database: &Database,
        position: &AnyPosition,
    ) -> Result<Option<OpeningValue<AnyMove>>, TableError> {
        let value = database.opening_value(&typed::<V>(position))?;
        let reply = |Reply { value: MoveValue { m, probe }, chance }| Reply {
            value: MoveValue { m: AnyMove::new::<Position<V>>(m), probe },
            chance,
        };
        Ok(value.map(|OpeningValue { probe, moves, keeping, difficulty }| {
            let keeping = keeping.into_iter().map(reply).collect();
            OpeningValue { probe, moves, keeping, difficulty }
        }))
    }

    fn verify_in_memory(
        &self,
        database: &Database,
        tables: &[&SectorTable],
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Vec<Result<(), VerifyError>> {
        verify_in_memory::<V>(database, tables, done, cancel)
    }

    fn verify(
        &self,
        database: &Database,
        table: &SectorTable,
        every: usize,
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Result<(), VerifyError> {
        verify::<V>(database, table, every, done, cancel)
    }
}

fn typed<V: Variant>(position: &AnyPosition) -> Position<V> {
    position.typed().expect("the position is of this game")
}

fn any_puzzle<V: Variant>(puzzle: Puzzle<Position<V>, Move<V>>) -> Puzzle<AnyPosition, AnyMove> {
    let Puzzle { position, solution: MoveValue { m, probe }, moves, difficulty } = puzzle;
    let solution = MoveValue { m: AnyMove::new::<Position<V>>(m), probe };
    Puzzle { position: AnyPosition::new(position), solution, moves, difficulty }
}
