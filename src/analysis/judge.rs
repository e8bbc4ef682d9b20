//! [`Judge`]: says of each move that was played what it lost.

use std::io;
use std::sync::Arc;

use super::pipeline::Sink;
use super::{Analysis, InGame, Row, TaskError};
use crate::game::{Bounds, Limits, Score};

/// In what a move loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// In points of the score.
    Points,
    /// In steps between a win, a draw and a loss, of which there are two: where who wins is all that a search tells.
    Outcome,
    /// In nothing: where the losses of some moves cannot be known, those of the others tell a wrong story.
    Nothing,
}

impl Measure {
    /// Returns what a search within these limits can tell of every move.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        match limits.window {
            None => Self::Points,
            Some((alpha, beta)) if alpha < 0 && beta > 0 => Self::Outcome,
            Some(_) => Self::Nothing,
        }
    }
}

/// Takes rows in order and hands them on, those of games with the loss of the move played.
///
/// A move loses the difference between the score of the position and the score of what it leads to: that of the next row of the game, or
/// the result if the game ended with it. It loses nothing if it is the best move found, and never less than nothing: what a search of the
/// position after it finds better is what the search before it did not see. A row waits until the next one has come.
pub struct Judge<'a> {
    sink: &'a mut dyn Sink<Result<Row, TaskError>>,
    measure: Measure,
    waiting: Option<Row>,
    wants_more: bool,
}

impl<'a> Judge<'a> {
    /// Stands before a sink.
    pub fn new(sink: &'a mut dyn Sink<Result<Row, TaskError>>, measure: Measure) -> Self {
        Self { sink, measure, waiting: None, wants_more: true }
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

impl Sink<Result<Row, TaskError>> for Judge<'_> {
    fn accept(&mut self, row: Result<Row, TaskError>) -> io::Result<bool> {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                self.hand_on_waiting()?;
                return Ok(self.wants_more && self.sink.accept(Err(error))?);
            }
        };
        if let Some(mut before) = self.waiting.take() {
            before.loss = before.loss.or_else(|| self.measure.loss_by_next(&before, &row));
            self.hand_on(before)?;
        }
        let mut row = row;
        row.loss = self.measure.loss_alone(&row);
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

impl Measure {
    /// Returns what the move played lost, where the row itself tells: it is the best one, its score is among those of several moves, or the
    /// game ended with it.
    fn loss_alone(self, row: &Row) -> Option<f64> {
        let (place, analysis) = of_game(row)?;
        let played = place.played?;
        let best = self.value(analysis.score(), analysis.report.bounds)?;
        if analysis.report.best_move() == Some(played) {
            return Some(0.0);
        }
        let scored = analysis.report.lines.iter().find(|line| line.pv.first() == Some(&played));
        let scored = scored.map(|line| (line.score, line.score.bounds()));
        let (score, bounds) =
            scored.or_else(|| place.final_points.map(|points| (Score::exact(points), Bounds::exact(points))))?;
        Some(loss(best, self.value(score, bounds)?))
    }

    /// Returns what the move played in a row lost by what the next row says of the position after it.
    fn loss_by_next(self, row: &Row, next: &Row) -> Option<f64> {
        let (place, analysis) = of_game(row)?;
        let (next_place, next) = of_game(next)?;
        if !Arc::ptr_eq(&place.of, &next_place.of) || next_place.ply != place.next_ply {
            return None;
        }
        let best = self.value(analysis.score(), analysis.report.bounds)?;
        let after = self.value(next.score(), next.report.bounds)?;
        Some(loss(best, if place.mover == next_place.mover { after } else { -after }))
    }

    /// Returns what a score is worth to its side, in thousandths.
    fn value(self, score: Score, bounds: Bounds) -> Option<i32> {
        match self {
            Self::Points => (!score.is_bound()).then_some(score.thousandths),
            Self::Outcome => bounds.sign().map(|sign| sign as i32 * Score::POINT),
            Self::Nothing => None,
        }
    }
}

fn of_game(row: &Row) -> Option<(&InGame, &Analysis)> {
    Some((row.in_game.as_ref()?, row.result.as_ref().ok()?))
}

/// Returns by how many points a value is less than the best, both in thousandths.
fn loss(best: i32, played: i32) -> f64 {
    f64::from((best - played).max(0)) / f64::from(Score::POINT)
}
