//! [`Judge`]: says of each move that was played what it lost.

use std::io;
use std::sync::Arc;

use super::pipeline::Sink;
use super::{Analysis, AnalysisRow, GameContext, TaskError};
use crate::game::{Bounds, Limits, Score};

/// In what a move loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossMeasure {
    /// In points of the score.
    Points,
    /// In steps between a win, a draw and a loss, of which there are two: where who wins is all that a search tells.
    Outcome,
    /// In nothing: where the losses of some moves cannot be known, those of the others tell a wrong story.
    Unmeasured,
}

impl LossMeasure {
    /// Returns what a search within these limits can tell of every move.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        match limits.window {
            None => Self::Points,
            Some((alpha, beta)) if alpha < 0 && beta > 0 => Self::Outcome,
            Some(_) => Self::Unmeasured,
        }
    }
}

/// Takes rows in order and hands them on, those of games with the loss of the move played.
///
/// A move loses the difference between the score of the position and the score of what it leads to: that of the next row of the game, or
/// the result if the game ended with it. It loses nothing if it is the best move found, and never less than nothing: what a search of the
/// position after it finds better is what the search before it did not see. A row waits until the next one has come.
pub struct LossAnnotator<'a> {
    sink: &'a mut dyn Sink<Result<AnalysisRow, TaskError>>,
    measure: LossMeasure,
    pending: Option<AnalysisRow>,
    wants_more: bool,
}

impl<'a> LossAnnotator<'a> {
    /// Stands before a sink.
    pub fn new(sink: &'a mut dyn Sink<Result<AnalysisRow, TaskError>>, measure: LossMeasure) -> Self {
        Self { sink, measure, pending: None, wants_more: true }
    }

    /// Hands on what still waits.
    ///
    /// # Errors
    /// Any of the sink.
    pub fn finish(mut self) -> io::Result<()> {
        self.forward_pending()
    }

    fn forward_pending(&mut self) -> io::Result<()> {
        match self.pending.take() {
            Some(row) => self.forward(row),
            None => Ok(()),
        }
    }

    fn forward(&mut self, row: AnalysisRow) -> io::Result<()> {
        if self.wants_more && row.game_context.as_ref().is_none_or(|place| place.is_selected) {
            self.wants_more = self.sink.accept(Ok(row))?;
        }
        Ok(())
    }
}

impl Sink<Result<AnalysisRow, TaskError>> for LossAnnotator<'_> {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                self.forward_pending()?;
                return Ok(self.wants_more && self.sink.accept(Err(error))?);
            }
        };
        if let Some(mut before) = self.pending.take() {
            before.loss = before.loss.or_else(|| self.measure.loss_by_next(&before, &row));
            self.forward(before)?;
        }
        let mut row = row;
        row.loss = self.measure.loss_alone(&row);
        if row.loss.is_none() && row.game_context.as_ref().is_some_and(|place| place.played.is_some()) {
            self.pending = Some(row);
        } else {
            self.forward(row)?;
        }
        Ok(self.wants_more)
    }

    fn idle(&mut self) -> io::Result<()> {
        self.sink.idle()
    }
}

impl LossMeasure {
    /// Returns what the move played lost, where the row itself tells: it is the best one, its score is among those of several moves, or the
    /// game ended with it.
    fn loss_alone(self, row: &AnalysisRow) -> Option<f64> {
        let (place, analysis) = game_and_analysis(row)?;
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
    fn loss_by_next(self, row: &AnalysisRow, next: &AnalysisRow) -> Option<f64> {
        let (place, analysis) = game_and_analysis(row)?;
        let (next_place, next) = game_and_analysis(next)?;
        if !Arc::ptr_eq(&place.game, &next_place.game) || next_place.ply != place.next_ply {
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
            Self::Unmeasured => None,
        }
    }
}

fn game_and_analysis(row: &AnalysisRow) -> Option<(&GameContext, &Analysis)> {
    Some((row.game_context.as_ref()?, row.result.as_ref().ok()?))
}

/// Returns by how many points a value is less than the best, both in thousandths.
fn loss(best: i32, played: i32) -> f64 {
    f64::from((best - played).max(0)) / f64::from(Score::POINT)
}
