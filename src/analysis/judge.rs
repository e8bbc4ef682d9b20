//! [`Judge`]: says of each move that was played what it lost.

use std::io;
use std::sync::Arc;

use super::pipeline::Sink;
use super::{Analysis, InGame, Row};
use crate::game::Score;
use crate::input::ReadError;

/// Takes rows in order and hands them on, those of games with the loss of the move played.
///
/// A move loses the difference between the score of the position and the score of what it leads to: that of the next row of the game, or
/// the result if the game ended with it. It loses nothing if it is the best move found, and never less than nothing: what a search of the
/// position after it finds better is what the search before it did not see. A row waits until the next one has come.
pub struct Judge<'a> {
    sink: &'a mut dyn Sink<Result<Row, ReadError>>,
    waiting: Option<Row>,
    wants_more: bool,
}

impl<'a> Judge<'a> {
    /// Stands before a sink.
    pub fn new(sink: &'a mut dyn Sink<Result<Row, ReadError>>) -> Self {
        Self { sink, waiting: None, wants_more: true }
    }

    /// Hands on what still waits.
    ///
    /// # Errors
    /// Any of the sink.
    pub fn finish(mut self) -> io::Result<()> {
        self.hand_on_waiting()
    }

    fn hand_on_waiting(&mut self) -> io::Result<()> {
        match self.waiting.take() {
            Some(row) => self.hand_on(row),
            None => Ok(()),
        }
    }

    fn hand_on(&mut self, row: Row) -> io::Result<()> {
        if self.wants_more && row.in_game.as_ref().is_none_or(|place| place.is_asked) {
            self.wants_more = self.sink.accept(Ok(row))?;
        }
        Ok(())
    }
}

impl Sink<Result<Row, ReadError>> for Judge<'_> {
    fn accept(&mut self, row: Result<Row, ReadError>) -> io::Result<bool> {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                self.hand_on_waiting()?;
                return Ok(self.wants_more && self.sink.accept(Err(error))?);
            }
        };
        if let Some(mut before) = self.waiting.take() {
            before.loss = before.loss.or_else(|| loss_by_next(&before, &row));
            self.hand_on(before)?;
        }
        let mut row = row;
        row.loss = loss_alone(&row);
        if row.loss.is_none() && row.in_game.as_ref().is_some_and(|place| place.played.is_some()) {
            self.waiting = Some(row);
        } else {
            self.hand_on(row)?;
        }
        Ok(self.wants_more)
    }

    fn idle(&mut self) -> io::Result<()> {
        self.sink.idle()
    }
}

/// Returns what the move played lost, where the row itself tells: it is the best one, its score is among those of several moves, or the
/// game ended with it.
fn loss_alone(row: &Row) -> Option<f64> {
    let (place, analysis) = of_game(row)?;
    let played = place.played.as_ref()?;
    if analysis.pv.first() == Some(played) {
        return Some(0.0);
    }
    let scored = analysis.moves.iter().find(|(name, _)| name == played).map(|(_, score)| *score);
    loss(analysis.score, scored.or_else(|| place.final_points.map(Score::exact))?)
}

/// Returns what the move played in a row lost by what the next row says of the position after it.
fn loss_by_next(row: &Row, next: &Row) -> Option<f64> {
    let (place, analysis) = of_game(row)?;
    let (next_place, next) = of_game(next)?;
    if !Arc::ptr_eq(&place.of, &next_place.of) || next_place.ply != place.next_ply {
        return None;
    }
    let same_side = place.mover == next_place.mover;
    let after = if same_side { next.score.thousandths } else { -next.score.thousandths };
    loss(analysis.score, Score { thousandths: after, ..next.score })
}

fn of_game(row: &Row) -> Option<(&InGame, &Analysis)> {
    Some((row.in_game.as_ref()?, row.result.as_ref().ok()?))
}

/// Returns by how many points a score is less than the best, both for the same side. Bounds tell nothing of a difference.
fn loss(best: Score, played: Score) -> Option<f64> {
    let known = !best.is_bound() && !played.is_bound();
    known.then(|| f64::from((best.thousandths - played.thousandths).max(0)) / f64::from(Score::POINT))
}
