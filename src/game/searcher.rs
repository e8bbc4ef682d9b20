//! The seam between the rules of a game and everything that thinks about it.

use std::cmp::Ordering;
use std::time::Duration;

use super::{AnyPosition, Cancel, Game, GameRules, Limits, Position, Report};

/// Something that finds the best move of a position.
pub trait Searcher<P: Position = AnyPosition>: Send {
    /// Searches the position on the board of `game` until a bound of `limits` is reached, `cancel` is raised or the score is proved,
    /// and reports the best line found; `on_info` is told of each completed iteration.
    ///
    /// Draws by repetition and by a lack of progress are seen against the game's history. A game that is over is reported with an
    /// empty line and its final score.
    fn search(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<P>),
    ) -> Report<P>;

    /// Returns another searcher for use beside this one, on another thread; they share their tables.
    fn fork(&self) -> Box<dyn Searcher<P>>;

    /// Lends the calling thread to a fork that is searching a position, until there is nothing left to help with there. Returns after
    /// `patience` if no fork can use it, and a game's searcher may not know how to: then it sleeps.
    fn assist(&mut self, patience: Duration) {
        std::thread::sleep(patience);
    }

    /// Forgets all that earlier searches left, in the shared tables too: the next search goes as with a new searcher.
    fn clear(&mut self);
}

/// The result of a position that is known without searching it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownResult {
    /// Who wins: the side to move if greater.
    pub outcome: Ordering,
    /// The plies to the end of the game under best play; 0 for a draw.
    pub plies: u32,
}

/// Moves that [look](Evaluator::score_move) at least so promising are loud: no search leaves them out or searches them less.
pub const TACTICAL_THRESHOLD: i32 = 1 << 20;

/// Judges positions without searching.
pub trait Evaluator<P: GameRules>: Send + Sync {
    /// Returns an estimate of the final score for the side to move, in thousandths of a point.
    ///
    /// The position is not over. In games scored by [distance](super::Scoring::Distance) the estimate lies strictly between -1000 and
    /// 1000, the scores of a loss and a win.
    fn evaluate(&self, position: &P) -> i32;

    /// Returns the result of a position that is not over if it is known, from a database; `clock` is the number of plies since the last
    /// irreversible move. Repetitions, and what an adjudicator's [settings](super::DrawRules) say, are not part of it.
    fn known_result(&self, _position: &P, _clock: u32) -> Option<KnownResult> {
        None
    }

    /// Returns how promising a move looks: moves with higher values are tried first. `next` is the position after it.
    ///
    /// Values below [`TACTICAL_THRESHOLD`] and above its negative are weighed against what the search has learnt about moves, which earns them up to 2^15.
    fn score_move(&self, position: &P, m: P::Move, next: &P) -> i32;

    /// Adds to each move how promising it [looks](Self::score_move); for games that can tell without making each of them.
    fn score_moves(&self, position: &P, moves: &mut [(i32, P::Move)]) {
        for (value, m) in moves {
            *value = value.saturating_add(self.score_move(position, *m, &position.after(*m)));
        }
    }

    /// Returns whether no move is [loud](TACTICAL_THRESHOLD); may be false where that is not easily told.
    fn is_quiet(&self, _position: &P) -> bool {
        false
    }

    /// Returns the key that a table of searched positions has this one under, and the symmetry that takes it to the position of that key;
    /// the table has the moves as they are there.
    ///
    /// Positions that differ by a symmetry may share a key if they are judged alike; unless the game says otherwise, none do.
    fn table_key(&self, position: &P) -> (u64, usize) {
        (position.key(), 0)
    }
}
