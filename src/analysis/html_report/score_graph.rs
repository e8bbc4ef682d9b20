//! The graph of the score over the plies of a game, as SVG.

use std::fmt::Write as _;

use super::{STRING, abbreviate, escaped};
use crate::analysis::{GameReview, LossMeasure, Severity};
use crate::game::{Color, Scoring};

/// The size of the graph with its labels, in pixels.
const SIZE: (f64, f64) = (720.0, 240.0);

/// The margins for labels, in pixels: left, top, right and bottom.
const MARGINS: [f64; 4] = [52.0, 20.0, 16.0, 44.0];

/// A point of the graph.
struct Point {
    ply: u32,
    /// The score for Black, in points.
    score: f64,
    is_exact: bool,
}

/// Returns the graph of the score for Black, with marks at the mistakes; proved parts are shaded.
pub(super) fn score_graph(game: &GameReview, scoring: Scoring, measure: LossMeasure) -> String {
    let sign = |side| if side == Color::Black { 1.0 } else { -1.0 };
    let mut points: Vec<_> = game
        .moves
        .iter()
        .map(|m| Point { ply: m.ply, score: sign(m.mover) * m.score.points(), is_exact: m.score.is_exact() })
        .collect();
    let ends_with_last_move = game.moves.last().is_some_and(|m| m.next_ply == game.head.plies);
    if let Some(result) = game.head.black_points.filter(|_| ends_with_last_move) {
        points.push(Point { ply: game.head.plies, score: result.into(), is_exact: true });
    }
    let (first, last) = match (points.first(), points.last()) {
        (Some(first), Some(last)) => (first.ply, last.ply.max(first.ply + 1)),
        _ => return String::new(),
    };
    let most = points.iter().map(|point| point.score.abs()).fold(0.0, f64::max);
    let limit = limit(most, scoring);
    let (width, height) = SIZE;
    let [left, top, right, bottom] = MARGINS;
    let x = |ply: u32| left + f64::from(ply - first) / f64::from(last - first) * (width - left - right);
    let y = |score: f64| top + (limit - score) / (2.0 * limit) * (height - top - bottom);
    let mut svg = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"score for Black by plies\">\n"
    );
    let mut add = |text: std::fmt::Arguments<'_>| writeln!(svg, "{text}").expect(STRING);
    for (from, to) in exact_parts(&points) {
        let (from, to) = (x(from), x(to));
        let (shade, tall) = (to - from, height - top - bottom);
        add(format_args!(
            "<rect class=\"proved\" x=\"{from:.1}\" y=\"{top}\" width=\"{shade:.1}\" height=\"{tall}\"/>"
        ));
    }
    for score in [limit, limit / 2.0, 0.0, -limit / 2.0, -limit] {
        let class = if score == 0.0 { "zero" } else { "grid" };
        let (at, end, label) = (y(score), width - right, signed(score));
        add(format_args!("<line class=\"{class}\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{end}\" y2=\"{at:.1}\"/>"));
        add(format_args!("<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0, at + 4.0));
    }
    let step = tick_step(last - first);
    for ply in (first.next_multiple_of(step)..=last).step_by(step as usize) {
        let label_y = height - bottom + 19.0;
        add(format_args!("<text x=\"{:.1}\" y=\"{label_y}\" text-anchor=\"middle\">{ply}</text>", x(ply)));
    }
    let middle = (left + width - right) / 2.0;
    add(format_args!("<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">plies played</text>", height - 4.0));
    add(format_args!("<text x=\"{left}\" y=\"12\">Black ahead ↑ ↓ White ahead</text>"));
    let course: Vec<_> = points.iter().map(|point| format!("{:.1},{:.1}", x(point.ply), y(point.score))).collect();
    let (start, end, zero) = (x(first), x(points.last().map_or(first, |point| point.ply)), y(0.0));
    add(format_args!(
        "<polygon class=\"area\" points=\"{start:.1},{zero:.1} {} {end:.1},{zero:.1}\"/>",
        course.join(" ")
    ));
    add(format_args!("<polyline class=\"score\" points=\"{}\"/>", course.join(" ")));
    for (m, point) in game.moves.iter().zip(&points) {
        let loss = m.loss.unwrap_or_default();
        if let (Some(severity), Some(played)) = (Severity::of(loss, scoring, measure), m.played) {
            let (name, loss) = (severity.name(), abbreviate(loss));
            let title = format!("{}. {played}: {} {name}, loss {loss}", m.ply + 1, m.mover);
            let (cx, cy) = (x(point.ply), y(point.score));
            add(format_args!(
                "<circle class=\"{name}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4.5\"><title>{}</title></circle>",
                escaped(&title)
            ));
        }
    }
    svg + "</svg>\n"
}

/// Returns the score at the upper edge: the least of some round numbers that holds all scores.
fn limit(most: f64, scoring: Scoring) -> f64 {
    match scoring {
        Scoring::Distance => 1.0,
        Scoring::Margin => [4.0, 8.0, 16.0, 32.0, 64.0].into_iter().find(|&limit| limit >= most).unwrap_or(most),
    }
}

/// Returns the plies between two labels.
fn tick_step(plies: u32) -> u32 {
    [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| plies / step <= 15).unwrap_or(500)
}

/// Returns the first and last ply of each part with two or more proved scores in a row.
fn exact_parts(points: &[Point]) -> Vec<(u32, u32)> {
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
    fn the_scale_holds_every_score() {
        assert_eq!([0.0, 4.0, 5.0, 40.0, 64.0].map(|most| limit(most, Scoring::Margin)), [4.0, 4.0, 8.0, 64.0, 64.0]);
        assert_eq!([1, 15, 16, 60, 400].map(tick_step), [1, 1, 2, 5, 50]);
    }

    #[test]
    fn only_runs_of_proved_scores_are_shaded() {
        let points = [false, true, false, true, true, true, false, true, true];
        let points: Vec<_> = (0..).zip(points).map(|(ply, is_exact)| Point { ply, score: 0.0, is_exact }).collect();
        assert_eq!(exact_parts(&points), [(3, 5), (7, 8)]);
    }
}
