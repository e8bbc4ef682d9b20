//! [`LossAnnotator`]: computes the loss of each played move.

use std::sync::Arc;

use morello_core::game::{AnyMove, AnyPosition, Bounds, Position as _, Score};

use super::{Analysis, AnalysisRow, GameContext, LossMeasure, MoveLoss};

impl LossMeasure {
    /// Returns the value of a score for its side, in thousandths of a point or of a step.
    fn value(self, (score, bounds): (Score, Bounds)) -> Option<i32> {
        match self {
            Self::Points => (!score.is_bound()).then_some(score.thousandths),
            Self::Outcome => bounds.sign().map(|sign| sign as i32 * Score::POINT),
            Self::Unmeasured => None,
        }
    }

    /// Sets the losses of a row whose move has this score.
    fn set_losses(self, row: &mut AnalysisRow, played: Option<(Score, Bounds)>) {
        let (Ok(analysis), Some(played)) = (&row.result, played) else { return };
        let best = (analysis.score(), analysis.report.bounds);
        row.plies_lost = row.plies_lost.or_else(|| plies_lost(best.0, played.0));
        let (Some(best), Some(played)) = (self.value(best), self.value(played)) else { return };
        let [best, played] = [best, played].map(|value| f64::from(value) / f64::from(Score::POINT));
        row.loss = Some(match self {
            Self::Outcome => MoveLoss::of_steps(best - played),
            Self::Points | Self::Unmeasured => MoveLoss::new(&analysis.position, best, played),
        });
    }
}

/// Adds the loss of the played move to each row of a game.
///
/// The loss is the difference between the score of the position and the score after the move, which
/// comes from the next row of the game, or from the result if the move ended the game. The best
/// move found has no loss, and neither do symmetric moves. Losses are never negative, even if the
/// next search finds a better score.
///
/// [`run`](crate::run) already adds the losses. Use this for rows from another source.
///
/// ```
/// use morello::analysis::{self, AnalysisOptions, LossAnnotator, LossMeasure};
/// use morello::game::Limits;
/// use morello::games;
/// use morello::input::{Input, Reader};
///
/// let reader = Reader::of(games::get("othello")?, Input::Text("f5f4e3".to_owned()))?;
/// let rows = analysis::rows(reader, &AnalysisOptions::new(Limits::depth(3)))?;
/// let losses: Vec<_> = rows.iter().map(|row| row.loss).collect();
///
/// let mut annotator = LossAnnotator::new(LossMeasure::Points);
/// let mut annotated = Vec::new();
/// for mut row in rows {
///     row.loss = None;
///     annotated.extend(annotator.add(row));
/// }
/// annotated.extend(annotator.finish());
/// assert_eq!(annotated.iter().map(|row| row.loss).collect::<Vec<_>>(), losses);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LossAnnotator {
    measure: LossMeasure,
    /// The last row, if its loss depends on the next one.
    pending: Option<AnalysisRow>,
}

impl LossAnnotator {
    /// Creates an annotator that measures losses in this unit.
    #[must_use]
    pub fn new(measure: LossMeasure) -> Self {
        Self { measure, pending: None }
    }

    /// Takes the next row. Returns the rows whose losses it determines, in order: the previous row
    /// if it was waiting, and this row unless it must wait for the next one.
    pub fn add(&mut self, mut row: AnalysisRow) -> impl Iterator<Item = AnalysisRow> + use<> {
        let before = self.pending.take().map(|mut before| {
            let played = score_by_next(&before, &row);
            self.measure.set_losses(&mut before, played);
            before
        });
        let played = score_alone(&row);
        self.measure.set_losses(&mut row, played);
        let is_played = row.game_context.as_ref().is_some_and(|context| context.played.is_some());
        let row = if row.loss.is_none() && is_played { self.pending.replace(row) } else { Some(row) };
        before.into_iter().chain(row)
    }

    /// Ends the game. Returns the row that was waiting for the next one, if any; its loss is
    /// unknown.
    #[must_use]
    pub fn finish(&mut self) -> Option<AnalysisRow> {
        self.pending.take()
    }
}

/// Returns the score of the played move, for the side that played it, if the row alone determines
/// it: the move is the best one, is among several scored moves, or ended the game.
fn score_alone(row: &AnalysisRow) -> Option<(Score, Bounds)> {
    let (context, analysis) = game_and_analysis(row)?;
    let played = context.played?;
    let is_best = |m| m == played || are_equal_by_symmetry(&analysis.position, m, played);
    if analysis.report.best_move().is_some_and(is_best) {
        return Some((analysis.score(), analysis.report.bounds));
    }
    let scored = analysis.report.lines.iter().find(|line| line.pv.first() == Some(&played));
    let score = scored.map(|line| line.score);
    let score = score.or_else(|| Some(Score { plies: Some(1), ..Score::exact(context.final_points?) }))?;
    Some((score, score.bounds()))
}

/// Returns the score of the move played in `row`, for the side that played it, from the analysis of
/// the next row.
fn score_by_next(row: &AnalysisRow, next: &AnalysisRow) -> Option<(Score, Bounds)> {
    let (context, _) = game_and_analysis(row)?;
    let (next_context, next) = game_and_analysis(next)?;
    if !Arc::ptr_eq(&context.game, &next_context.game) || next_context.ply != context.next_ply {
        return None;
    }
    let (score, bounds) = (next.score(), next.report.bounds);
    let plies = score.plies.map(|plies| plies + next_context.ply - context.ply);
    Some(if context.mover == next_context.mover {
        (Score { plies, ..score }, bounds)
    } else {
        let negated = |bound: Option<i32>| bound.map(|points| -points);
        let bounds = Bounds { lower: negated(bounds.upper), upper: negated(bounds.lower) };
        (Score { thousandths: -score.thousandths, plies, ..score }, bounds)
    })
}

/// Returns by how many plies a proved win is slower, or a proved loss faster, than with the best
/// move.
fn plies_lost(best: Score, played: Score) -> Option<u32> {
    let proved = best.is_exact() && played.is_exact() && best.thousandths == played.thousandths;
    let (best_plies, played_plies) = (best.plies.filter(|_| proved)?, played.plies?);
    Some(if best.thousandths > 0 {
        played_plies.saturating_sub(best_plies)
    } else {
        best_plies.saturating_sub(played_plies)
    })
}

/// Returns whether a symmetry of the position maps one move to the other, so that both are equally
/// good, although a search may not find the same score for both. In games where moves can be
/// undone, one move may repeat a position while its image does not, so this returns false.
fn are_equal_by_symmetry(position: &AnyPosition, one: AnyMove, other: AnyMove) -> bool {
    position.is_irreversible(one)
        && (1..position.game().info().symmetries)
            .any(|k| one.transform(k) == other && position.transform(k) == *position)
}

fn game_and_analysis(row: &AnalysisRow) -> Option<(&GameContext, &Analysis)> {
    Some((row.game_context.as_ref()?, row.result.as_ref().ok()?))
}

#[cfg(test)]
mod tests {
    use morello_core::game::{AnyGame, any_game};
    use morello_core::morris::{self, NineMensMorris};
    use morello_core::othello;

    use super::*;

    #[test]
    fn slower_wins_and_quicker_losses_lose_plies() {
        let proved = |points, plies| Score { plies: Some(plies), ..Score::exact(points) };
        assert_eq!(plies_lost(proved(1, 5), proved(1, 9)), Some(4));
        assert_eq!(plies_lost(proved(1, 5), proved(1, 5)), Some(0));
        assert_eq!(plies_lost(proved(-1, 8), proved(-1, 2)), Some(6));
        let heuristic = Score { certainty: morello_core::game::Certainty::Heuristic, ..proved(1, 5) };
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
