//! Functions on NumPy arrays of boards: rules, perft, search, regret, random games and self-play.
//!
//! A board is a row of three `uint64`, the packed form of a position of any game. Every function checks its boards first, works without the
//! interpreter's lock and uses all cores.

mod generate;
mod rules;
mod searches;

use std::marker::PhantomData;

use morello::game::{GameVisitor, Packed, Playable};
use morello::games;
use morello::othello::Board;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::invalid;

/// The number that means no move in arrays of moves.
pub const NO_MOVE: u16 = u16::MAX;

/// Boards on which a thread works at a time.
const CHUNK: usize = 1 << 12;

/// Runs generic code on the type of a game that is known by name.
macro_rules! for_game {
    ($name:expr, $game:ident, [$($argument:ident: $type:ty = $value:expr),* $(,)?] => $output:ty $body:block) => {{
        struct Visitor<'a> { $($argument: $type,)* marker: std::marker::PhantomData<&'a ()> }
        impl<'a> morello::game::GameVisitor for Visitor<'a> {
            type Output = $output;
            fn visit<$game: morello::game::Playable>(self) -> $output {
                let Self { $($argument,)* .. } = self;
                $body
            }
        }
        morello::games::run($name, Visitor { $($argument: $value,)* marker: std::marker::PhantomData }).map_err($crate::errors::invalid)?
    }};
}
use for_game;

/// Copies the rows of an array of boards, and checks that each is a position of the game.
fn boards(game: &str, array: &PyReadonlyArray2<'_, u64>) -> PyResult<Vec<Packed>> {
    if array.shape()[1] != 3 {
        return Err(invalid(format!("boards must have the shape (n, 3), not {:?}", array.shape())));
    }
    let rows: Vec<Packed> = match array.as_slice() {
        Ok(numbers) => numbers.as_chunks().0.to_vec(),
        Err(_) => array.as_array().rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect(),
    };
    let bad = games::run(game, FirstBad { rows: &rows, marker: PhantomData }).map_err(invalid)?;
    match bad {
        Some(index) => Err(invalid(format!("boards[{index}] is not a position of {game}: {:?}", rows[index]))),
        None => Ok(rows),
    }
}

/// Finds the first row that is not a position.
struct FirstBad<'a> {
    rows: &'a [Packed],
    marker: PhantomData<&'a ()>,
}

impl GameVisitor for FirstBad<'_> {
    type Output = Option<usize>;

    fn visit<P: Playable>(self) -> Option<usize> {
        // Unpacking drops what cannot be part of a position, except two pieces on a point, in the halves of the first word in the mill games.
        let overlaps = |&[a, b, _]: &Packed| {
            if P::CYCLIC { a as u32 & (a >> 32) as u32 } else { (a & b) as u32 | ((a & b) >> 32) as u32 }
        };
        let squares = match P::NAME {
            "othello-4x4" => Board::<4>::SQUARES,
            "othello-6x6" => Board::<6>::SQUARES,
            _ => Board::<8>::SQUARES,
        };
        let outside = |&[a, b, _]: &Packed| if P::CYCLIC { 0 } else { (a | b) & !squares };
        let is_bad = |row: &Packed| overlaps(row) != 0 || outside(row) != 0 || P::unpack(*row).pack() != *row;
        self.rows.iter().position(is_bad)
    }
}

/// Returns an error if two arrays differ in length.
fn same_length(boards: usize, other: usize, name: &str) -> PyResult<()> {
    if boards == other { Ok(()) } else { Err(invalid(format!("{boards} boards, but {other} {name}"))) }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    rules::register(module)?;
    searches::register(module)?;
    generate::register(module)
}
