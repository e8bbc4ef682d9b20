//! [`LossAnnotator`]: computes the loss of each played move.

use std::io;
use std::sync::Arc;

use super::pipeline::Sink;
use super::{Analysis, AnalysisRow, GameContext, TaskError};
use crate::game::{AnyMove, AnyPosition, Bounds, Limits, Position as _, Score};

/// The unit of losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossMeasure {
    /// Points of the score.
    Points,
    /// Steps between win, draw and loss, two at most. For searches that prove only the winner.
    Outcome,
    /// None: the losses of some moves are unknown, and statistics of the others would be biased.
    Unmeasured,
}

impl LossMeasure {
    /// Returns the measure that a search within these limits supports for every move.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        match limits.window {
            None => Self::Points,
            Some((alpha, beta)) if alpha < 0 && beta > 0 => Self::Outcome,
            Some(_) => Self::Unmeasured,
        }
    }
}

/// Adds the loss of the played move to each row of a game and passes the rows on in order.
///
/// The loss is the difference between the score of the position and the score after the move: that of the next row of the game, or the
/// result if the move ended the game. The best move found loses nothing, and neither do moves that are equal to it by
/// symmetry. Losses are never negative, even if the next search finds a better
/// score. A row is held back until the next one arrives.
pub struct LossAnnotator<'a> {
    sink: &'a mut dyn Sink<Result<AnalysisRow, TaskError>>,
    measure: LossMeasure,
    pending: Option<AnalysisRow>,
    wants_more: bool,
}

impl<'a> LossAnnotator<'a> {
    /// Creates an annotator that passes rows to `sink`.
    pub fn new(sink: &'a mut dyn Sink<Result<AnalysisRow, TaskError>>, measure: LossMeasure) -> Self {
        Self { sink, measure, pending: None, wants_more: true }
    }

    /// Passes on the row that is still held back.
    ///
    /// # Errors
    /// Any error from the sink.
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
        if self.wants_more && row.game_context.as_ref().is_none_or(|context| context.is_selected) {
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
            before.plies_lost = plies_lost_by_next(&before, &row);
            self.forward(before)?;
        }
        let mut row = row;
        row.loss = self.measure.loss_alone(&row);
        row.plies_lost = plies_lost_alone(&row);
        if row.loss.is_none() && row.game_context.as_ref().is_some_and(|context| context.played.is_some()) {
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
    /// Sets the loss of the move played in `row`, whose next row in the game is `next`; `None` if there is none.
    pub fn set_loss(self, row: &mut AnalysisRow, next: Option<&AnalysisRow>) {
        row.loss = self.loss_alone(row).or_else(|| self.loss_by_next(row, next?));
    }

    /// Returns the loss of the played move if the row itself determines it: the move is the best one, is among several scored moves, or ended
    /// the game.
    fn loss_alone(self, row: &AnalysisRow) -> Option<f64> {
        let (context, analysis) = game_and_analysis(row)?;
        let played = context.played?;
        let best = self.value(analysis.score(), analysis.report.bounds)?;
        let is_best = |m| m == played || are_equal_by_symmetry(&analysis.position, m, played);
        if analysis.report.best_move().is_some_and(is_best) {
            return Some(0.0);
        }
        let scored = analysis.report.lines.iter().find(|line| line.pv.first() == Some(&played));
        let scored = scored.map(|line| (line.score, line.score.bounds()));
        let (score, bounds) =
            scored.or_else(|| context.final_points.map(|points| (Score::exact(points), Bounds::exact(points))))?;
        Some(loss(best, self.value(score, bounds)?))
    }

    /// Returns the loss of the move played in `row`, computed from the analysis of the next row of the game.
    fn loss_by_next(self, row: &AnalysisRow, next: &AnalysisRow) -> Option<f64> {
        let (context, analysis) = game_and_analysis(row)?;
        let (next_context, next) = game_and_analysis(next)?;
        if !Arc::ptr_eq(&context.game, &next_context.game) || next_context.ply != context.next_ply {
            return None;
        }
        let best = self.value(analysis.score(), analysis.report.bounds)?;
        let after = self.value(next.score(), next.report.bounds)?;
        Some(loss(best, if context.mover == next_context.mover { after } else { -after }))
    }

    /// Returns the value of a score for its side, in thousandths.
    fn value(self, score: Score, bounds: Bounds) -> Option<i32> {
        match self {
            Self::Points => (!score.is_bound()).then_some(score.thousandths),
            Self::Outcome => bounds.sign().map(|sign| sign as i32 * Score::POINT),
            Self::Unmeasured => None,
        }
    }
}

/// Returns the plies that the played move loses if the row itself determines them, as in [`loss_alone`](LossMeasure::loss_alone).
fn plies_lost_alone(row: &AnalysisRow) -> Option<u32> {
    let (context, analysis) = game_and_analysis(row)?;
    let (played, best) = (context.played?, analysis.score());
    let is_best = |m| m == played || are_equal_by_symmetry(&analysis.position, m, played);
    if analysis.report.best_move().is_some_and(is_best) {
        return plies_lost(best, best);
    }
    if let Some(line) = analysis.report.lines.iter().find(|line| line.pv.first() == Some(&played)) {
        return plies_lost(best, line.score);
    }
    let ended = Score { plies: Some(1), ..Score::exact(context.final_points?) };
    plies_lost(best, ended)
}

/// Returns the plies that the move played in `row` loses, computed from the analysis of the next row of the game.
fn plies_lost_by_next(row: &AnalysisRow, next: &AnalysisRow) -> Option<u32> {
    let (context, analysis) = game_and_analysis(row)?;
    let (next_context, next) = game_and_analysis(next)?;
    if !Arc::ptr_eq(&context.game, &next_context.game) || next_context.ply != context.next_ply {
        return None;
    }
    let next = next.score();
    let (same_mover, skipped) = (context.mover == next_context.mover, next_context.ply - context.ply);
    let thousandths = if same_mover { next.thousandths } else { -next.thousandths };
    let after = Score { thousandths, plies: next.plies.map(|plies| plies + skipped), ..next };
    plies_lost(analysis.score(), after)
}

/// Returns the plies by which a proved win is slower, or a proved loss quicker, than the best one.
fn plies_lost(best: Score, played: Score) -> Option<u32> {
    let proved = best.is_exact() && played.is_exact() && best.thousandths == played.thousandths;
    let (best_plies, played_plies) = (best.plies.filter(|_| proved)?, played.plies?);
    Some(if best.thousandths > 0 {
        played_plies.saturating_sub(best_plies)
    } else {
        best_plies.saturating_sub(played_plies)
    })
}

/// Returns whether a symmetry of the position maps one move to the other, so that both are equally good, although a search may not find the same
/// score for both. A move that can be undone may repeat a position of the game where its image does not.
fn are_equal_by_symmetry(position: &AnyPosition, one: AnyMove, other: AnyMove) -> bool {
    position.is_irreversible(one)
        && (1..position.game().info().symmetries)
            .any(|k| one.transform(k) == other && position.transform(k) == *position)
}

fn game_and_analysis(row: &AnalysisRow) -> Option<(&GameContext, &Analysis)> {
    Some((row.game_context.as_ref()?, row.result.as_ref().ok()?))
}

/// Returns the difference between the best and the played value, both in thousandths, in points.
fn loss(best: i32, played: i32) -> f64 {
    f64::from((best - played).max(0)) / f64::from(Score::POINT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyGame, any_game};
    use crate::morris::{self, NineMensMorris};
    use crate::othello;

    #[test]
    fn slower_wins_and_quicker_losses_lose_plies() {
        let proved = |points, plies| Score { plies: Some(plies), ..Score::exact(points) };
        assert_eq!(plies_lost(proved(1, 5), proved(1, 9)), Some(4));
        assert_eq!(plies_lost(proved(1, 5), proved(1, 5)), Some(0));
        assert_eq!(plies_lost(proved(-1, 8), proved(-1, 2)), Some(6));
        let heuristic = Score { certainty: crate::game::Certainty::Heuristic, ..proved(1, 5) };
        let without_plies = Score { plies: None, ..proved(1, 5) };
        for (best, played) in [
            (proved(1, 5), Score::exact(0)),
            (proved(1, 5), proved(-1, 4)),
            (Score::exact(0), Score::exact(0)),
            (heuristic, proved(1, 5)),
            (proved(1, 5), heuristic),
            (without_plies, proved(1, 5)),
            (proved(1, 5), without_plies),
        ] {
            assert_eq!(plies_lost(best, played), None, "{best:?} {played:?}");
        }
    }

    #[test]
    fn finds_moves_that_are_equal_by_symmetry() {
        let equal = |game: &dyn AnyGame, position: &AnyPosition, moves: [&str; 2]| {
            let [one, other] = moves.map(|text| position.parse_move(text).unwrap());
            assert!(game.info().symmetries > 1);
            are_equal_by_symmetry(position, one, other)
        };
        let othello = any_game::<othello::Position>();
        let start = othello.start();
        for m in ["c4", "e6", "f5"] {
            assert!(equal(othello, &start, ["d3", m]), "{m}");
        }
        // After f5, the diagonal, the perpendicular and the parallel reply differ.
        let next = start.after(start.parse_move("f5").unwrap());
        assert!(["f4", "f6"].iter().all(|m| !equal(othello, &next, ["d6", m])));
        let nine = any_game::<morris::Position<NineMensMorris>>();
        assert!(equal(nine, &nine.start(), ["a7", "g1"]) && !equal(nine, &nine.start(), ["a7", "d6"]));
        // The board is symmetric, but the moves can be undone.
        let moving = nine.parse_position("0,0 a1,a7,g1,g7 b2,b6,f2,f6 W").unwrap();
        assert!(!equal(nine, &moving, ["a1-a4", "g1-g4"]));
    }
}
