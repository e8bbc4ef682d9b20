//! The graph of the score over the plies of a game, as SVG.

use morello_files::output::plot::{PlotError, svg};
use plotters::prelude::*;

use super::{abbreviate, escaped, inline};
use crate::{GameReview, Severity};

/// The size of the graph with its labels, in pixels.
const SIZE: (u32, u32) = (720, 240);

/// A point of the graph.
struct GraphPoint {
    ply: u32,
    /// The score for Black, in points.
    score: f64,
    is_exact: bool,
}

/// Returns the graph of the score for Black, with marks at the mistakes and shading where the
/// scores are proved.
pub(super) fn score_graph(game: &GameReview) -> Result<String, PlotError> {
    let points = points(game);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(String::new()) };
    let limit = game.score_limit();
    let mistakes: Vec<_> = game
        .moves
        .iter()
        .zip(&points)
        .filter_map(|(m, point)| {
            let (loss, played, severity) = (m.loss?, m.played?, m.severity()?);
            let title = format!(
                "{}. {played}: {} {}, loss {}",
                game.number(m),
                m.mover,
                severity.name(),
                abbreviate(loss.points)
            );
            Some((point, severity, title))
        })
        .collect();
    let plot = svg(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(16)
            .x_label_area_size(36)
            .y_label_area_size(60)
            .build_cartesian_2d(first.ply..last.ply.max(first.ply + 1), -limit..limit)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK)
            .x_labels(15)
            .y_labels(5)
            .y_label_formatter(&|score| signed(*score))
            .x_desc("plies played")
            .y_desc("← White · Black →")
            .draw()?;
        let shade = |(from, to)| Rectangle::new([(from, -limit), (to, limit)], BLUE.mix(0.14).filled());
        chart.draw_series(exact_parts(&points).into_iter().map(shade))?;
        let course = points.iter().map(|point| (point.ply, point.score));
        chart.draw_series(AreaSeries::new(course, 0.0, BLUE.mix(0.25)).border_style(BLUE.stroke_width(2)))?;
        chart.draw_series(mistakes.iter().map(|(point, severity, _)| {
            let color = match severity {
                Severity::Inaccuracy => RGBColor(217, 165, 20),
                Severity::Mistake => RGBColor(224, 112, 16),
                Severity::Blunder => RGBColor(208, 47, 47),
            };
            Circle::new((point.ply, point.score), 4, color.filled())
        }))?;
        Ok(())
    })?;
    Ok(inline(&plot, "score for Black by plies", "circle", mistakes.iter().map(|(.., title)| escaped(title))))
}

/// Returns the scores before the moves, and the result if the game ends with the last move.
fn points(game: &GameReview) -> Vec<GraphPoint> {
    let score =
        game.moves.iter().map(|m| GraphPoint { ply: m.ply, score: m.points_for_black(), is_exact: m.score.is_exact() });
    let ends_with_last_move = game.moves.last().is_some_and(|m| m.next_ply == game.head.plies);
    let result = game.head.black_points.filter(|_| ends_with_last_move);
    let result = result.map(|points| GraphPoint { ply: game.head.plies, score: points.into(), is_exact: true });
    score.chain(result).collect()
}

/// Returns the first and last ply of each part with two or more proved scores in a row.
fn exact_parts(points: &[GraphPoint]) -> Vec<(u32, u32)> {
    let parts = points.chunk_by(|a, b| a.is_exact == b.is_exact).filter(|part| part[0].is_exact && part.len() > 1);
    parts.map(|part| (part[0].ply, part[part.len() - 1].ply)).collect()
}

/// Formats a score with its sign.
pub(super) fn signed(score: f64) -> String {
    if score > 0.0 { format!("+{}", abbreviate(score)) } else { abbreviate(score) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_runs_of_proved_scores_are_shaded() {
        let points = [false, true, false, true, true, true, false, true, true];
        let points: Vec<_> =
            (0..).zip(points).map(|(ply, is_exact)| GraphPoint { ply, score: 0.0, is_exact }).collect();
        assert_eq!(exact_parts(&points), [(3, 5), (7, 8)]);
    }
}
