//! Puzzles: positions in which one move keeps the result.

use std::cmp::Ordering;

use super::super::{Database, MoveValue, Sector, SectorTable, TableError};
use super::traps::Traps;
use crate::game::{AnyPosition, Cancel, Limits, Position as _, RandomNumbers};
use crate::search::SearchControl;

/// A position with one move that keeps a win or a draw.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Puzzle {
    /// The position.
    pub position: AnyPosition,
    /// The only move that keeps the result, with its value.
    pub solution: MoveValue,
    /// The number of legal moves.
    pub moves: usize,
    /// The estimated chance, from 0 to 1, that a player without the database misses the solution.
    pub difficulty: f32,
    /// Whether the solution leaves the opponent worse off than if the opponent could pass.
    pub is_zugzwang: bool,
}

impl Database {
    /// Returns the puzzle in a position: one move keeps its win or draw, and all others are worse.
    /// `None` for other positions, or if a table is missing.
    ///
    /// ```
    /// use morello::games;
    /// use morello::morris::ThreeMensMorris;
    /// use morello::morris::engine::database::{Database, Ruleset};
    ///
    /// let mut database = Database::new(Ruleset::of::<ThreeMensMorris>()?);
    /// database.solve_small_sectors()?;
    /// let position = games::get("three-mens-morris")?.parse_position("1,1 a1,c1 b2,a3 W")?;
    /// let puzzle = database.puzzle(&position)?.expect("only one move wins");
    /// assert_eq!((puzzle.solution.m.to_string().as_str(), puzzle.moves), ("b1", 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    ///
    /// # Panics
    /// If the database belongs to another game.
    pub fn puzzle(&self, position: &AnyPosition) -> Result<Option<Puzzle>, TableError> {
        if position.is_over() {
            return Ok(None);
        }
        let Some(moves) = self.probe_moves(position, 0)? else { return Ok(None) };
        let [solution, second, ..] = moves[..] else { return Ok(None) };
        if solution.probe.outcome() == Ordering::Less || solution.probe.outcome() == second.probe.outcome() {
            return Ok(None);
        }
        let traps = Traps { database: self, evaluate: &self.rules().game.evaluation() };
        let mut stop = SearchControl::new(&Limits::default(), &Cancel::new());
        let difficulty = traps.chance(position, 0, 1, &mut stop)?;
        let is_zugzwang = self.is_zugzwang(position, solution)?;
        let (position, moves) = (*position, moves.len());
        Ok(difficulty.map(|difficulty| Puzzle { position, solution, moves, difficulty, is_zugzwang }))
    }

    /// Returns whether the side that moved would have a worse result if the opponent could pass
    /// after the move.
    fn is_zugzwang(&self, position: &AnyPosition, played: MoveValue) -> Result<bool, TableError> {
        let after = position.after(played.m);
        let passed = self.rules().game.passed(&after);
        if after.is_over() || passed.is_over() {
            return Ok(false);
        }
        Ok(self.probe(&passed, 0)?.is_some_and(|probe| probe.outcome() < played.probe.outcome()))
    }

    /// Returns the first puzzle among random positions of random sectors, with White to move;
    /// `None` if no puzzle is found.
    ///
    /// ```
    /// use morello::game::RandomNumbers;
    /// use morello::morris::ThreeMensMorris;
    /// use morello::morris::engine::database::{Database, Ruleset};
    ///
    /// let mut database = Database::new(Ruleset::of::<ThreeMensMorris>()?);
    /// database.solve_small_sectors()?;
    /// let mut random = RandomNumbers::new(1);
    /// let puzzle = database.random_puzzle(&database.sectors(), 100, &mut random)?;
    /// let puzzle = puzzle.expect("one of 100 positions has one");
    /// assert_eq!(database.puzzle(&puzzle.position)?, Some(puzzle));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`puzzle`](Self::puzzle).
    ///
    /// # Panics
    /// As [`puzzle`](Self::puzzle).
    pub fn random_puzzle(
        &self,
        sectors: &[Sector],
        tries: usize,
        random: &mut RandomNumbers,
    ) -> Result<Option<Puzzle>, TableError> {
        for _ in 0..if sectors.is_empty() { 0 } else { tries } {
            let sector = sectors[random.below(sectors.len())];
            if let Some(puzzle) = self.puzzle(&self.random_position(sector, random))? {
                return Ok(Some(puzzle));
            }
        }
        Ok(None)
    }

    /// Returns the puzzle in the position of a table slot, with White to move, if there is one.
    ///
    /// # Errors
    /// As [`puzzle`](Self::puzzle).
    ///
    /// # Panics
    /// As [`puzzle`](Self::puzzle), or if the table does not have the slot.
    pub fn puzzle_at(&self, table: &SectorTable, slot: usize) -> Result<Option<Puzzle>, TableError> {
        self.puzzle(&self.position_at(table, slot))
    }

    /// Returns a position of a sector with the men on random points and White to move.
    pub(crate) fn random_position(&self, sector: Sector, random: &mut RandomNumbers) -> AnyPosition {
        let (own, other) = random_men(sector, self.rules().board.len(), random);
        self.rules().game.position(sector, own, other)
    }
}

/// Returns random sets of points for the men of both sides.
pub(super) fn random_men(sector: Sector, points: u32, random: &mut RandomNumbers) -> (u32, u32) {
    let mut points: Vec<u32> = (0..points).collect();
    let (own, men) = (usize::from(sector.own), usize::from(sector.own + sector.other));
    for i in 0..men {
        let chosen = i + random.below(points.len() - i);
        points.swap(i, chosen);
    }
    let set = |points: &[u32]| points.iter().fold(0, |set, point| set | 1 << point);
    (set(&points[..own]), set(&points[own..men]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::NineMensMorris;
    use crate::morris::engine::database::Ruleset;

    #[test]
    fn one_move_keeps_the_result_of_a_puzzle() {
        let mut database = Database::new(Ruleset::of::<NineMensMorris>().unwrap());
        database.solve_small_sectors().unwrap();
        let mut random = RandomNumbers::new(1);
        let (mut wins, mut draws, mut none, mut zugzwang) = (0, 0, 0, 0);
        for _ in 0..3000 {
            let sector = "3-3".parse().unwrap();
            let position = database.random_position(sector, &mut random);
            assert_eq!(database.rules().game.sector_of(&position), sector);
            let value = |position: &_| database.probe(position, 0).unwrap().unwrap().outcome();
            // The result of the position after a move, from the point of view of the side that
            // moves.
            let kept: Vec<_> = position
                .legal_moves()
                .filter(|&m| !position.is_over() && value(&position.after(m)).reverse() == value(&position))
                .collect();
            let puzzle = database.puzzle(&position).unwrap();
            let is_puzzle = kept.len() == 1 && position.count_moves() > 1 && value(&position).is_ge();
            assert_eq!(puzzle.is_some(), is_puzzle, "{position}");
            let Some(puzzle) = puzzle else {
                none += 1;
                continue;
            };
            assert_eq!((puzzle.solution.m, puzzle.solution.probe.outcome()), (kept[0], value(&position)));
            // The position after the solution, with the same side to move again.
            let after = position.after(puzzle.solution.m);
            let text = after.to_string();
            let (men, side) = text.rsplit_once(' ').unwrap();
            let passed = format!("{men} {}", if side == "W" { "B" } else { "W" });
            let passed = position.game().parse_position(&passed).unwrap();
            let is_worse = !after.is_over() && !passed.is_over() && value(&passed) < value(&position);
            assert_eq!(puzzle.is_zugzwang, is_worse, "{position}");
            zugzwang += usize::from(is_worse);
            assert!((0.0..=1.0).contains(&puzzle.difficulty) && puzzle.moves == position.count_moves());
            if value(&position).is_gt() { wins += 1 } else { draws += 1 }
        }
        assert!(wins > 50 && draws > 10 && none > 50 && zugzwang > 10, "{wins} {draws} {none} {zugzwang}");
    }
}
