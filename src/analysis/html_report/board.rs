//! A position with the move played and the best move, as SVG.

use std::fmt::Write as _;

use super::{STRING, escaped};
use crate::game::{AnyMove, AnyPosition, Color, Layout};

/// The size of a cell of the grid, in pixels.
const CELL: f64 = 32.0;

/// The margin for the coordinates, in pixels.
const MARGIN: f64 = 20.0;

/// Draws a board of squares or points with a cross on the move played and a ring on the best move. A move from one point to another has a line,
/// and a captured piece a small mark.
pub(super) fn board(position: &AnyPosition, played: Option<AnyMove>, best: Option<AnyMove>) -> String {
    let layout = position.game().layout();
    let (width, height) = (MARGIN + layout.columns as f64 * CELL, MARGIN + layout.rows as f64 * CELL);
    let name = |m: Option<AnyMove>| m.map_or_else(|| "none".to_owned(), |m| m.to_string());
    let label = escaped(&format!("{position}; played {}, best {}", name(played), name(best)));
    let mut svg =
        format!("<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">\n");
    let mut add = |text: std::fmt::Arguments<'_>| writeln!(svg, "{text}").expect(STRING);
    add(format_args!(
        "<rect class=\"wood\" x=\"{MARGIN}\" y=\"0\" width=\"{}\" height=\"{}\"/>",
        width - MARGIN,
        height - MARGIN
    ));
    if layout.lines.is_empty() {
        for number in 0..=layout.columns.max(layout.rows) {
            let at = number as f64 * CELL;
            if number <= layout.columns {
                let (x, end) = (MARGIN + at, height - MARGIN);
                add(format_args!("<line class=\"cell\" x1=\"{x}\" y1=\"0\" x2=\"{x}\" y2=\"{end}\"/>"));
            }
            if number <= layout.rows {
                add(format_args!("<line class=\"cell\" x1=\"{MARGIN}\" y1=\"{at}\" x2=\"{width}\" y2=\"{at}\"/>"));
            }
        }
    }
    for &(a, b) in &layout.lines {
        let ((x1, y1), (x2, y2)) = (place(&layout, a), place(&layout, b));
        add(format_args!("<line class=\"cell\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }
    for column in 0..layout.columns {
        let of_column = layout.points.iter().find(|point| point.column == column);
        let label = of_column.and_then(|point| point.name.get(..1)).unwrap_or_default();
        let (x, y) = (MARGIN + (column as f64 + 0.5) * CELL, height - 5.0);
        add(format_args!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escaped(label)));
    }
    for row in 0..layout.rows {
        let of_row = layout.points.iter().find(|point| point.row == row);
        let label = of_row.and_then(|point| point.name.get(1..)).unwrap_or_default();
        let y = (row as f64 + 0.5) * CELL + 4.0;
        add(format_args!("<text x=\"{}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", MARGIN / 2.0, escaped(label)));
    }
    for point in 0..layout.points.len() {
        let (x, y) = place(&layout, point);
        match position.piece_at(point) {
            Some(Color::Black) => add(format_args!("<circle class=\"black\" cx=\"{x}\" cy=\"{y}\" r=\"12.5\"/>")),
            Some(Color::White) => add(format_args!("<circle class=\"white\" cx=\"{x}\" cy=\"{y}\" r=\"12.5\"/>")),
            None if !layout.lines.is_empty() => {
                add(format_args!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>"))
            }
            None => {}
        }
    }
    for (class, m) in [("best", best), ("played", played)] {
        let Some(path) = m.map(AnyMove::path) else { continue };
        if let (Some(from), Some(to)) = (path.from, path.to) {
            let ((x1, y1), (x2, y2)) = (place(&layout, from), place(&layout, to));
            add(format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
        }
        if let Some((x, y)) = path.to.map(|to| place(&layout, to)) {
            let mark = if class == "best" { ring(x, y) } else { cross(x, y, 7.0) };
            add(format_args!("<path class=\"{class}\" d=\"{mark}\"/>"));
        }
        if let Some((x, y)) = path.captured.map(|captured| place(&layout, captured)) {
            add(format_args!("<path class=\"{class}\" d=\"{}\"/>", cross(x, y, 4.0)));
        }
    }
    svg + "</svg>\n"
}

/// Returns the center of a point.
fn place(layout: &Layout, point: usize) -> (f64, f64) {
    let point = &layout.points[point];
    (MARGIN + (point.column as f64 + 0.5) * CELL, (point.row as f64 + 0.5) * CELL)
}

fn cross(x: f64, y: f64, size: f64) -> String {
    format!("M{} {}L{} {}M{} {}L{} {}", x - size, y - size, x + size, y + size, x - size, y + size, x + size, y - size)
}

fn ring(x: f64, y: f64) -> String {
    format!("M{} {y}a10 10 0 1 0 20 0a10 10 0 1 0 -20 0", x - 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position as _, any_game};
    use crate::morris::{self, NineMensMorris};
    use crate::othello;

    #[test]
    fn draws_pieces_coordinates_and_moves() {
        let start = any_game::<othello::Position>().start();
        let moves = ["f5", "d3"].map(|text| start.parse_move(text).ok());
        let svg = board(&start, moves[0], moves[1]);
        let count = |text: &str| svg.matches(text).count();
        assert_eq!((count("class=\"black\""), count("class=\"white\""), count("<text ")), (2, 2, 16));
        // f5 is the sixth column and the fifth row from the top.
        assert!(svg.contains("<path class=\"played\" d=\"M189 137L203 151M189 151L203 137\"/>"), "{svg}");
        assert_eq!(count("class=\"best\""), 1);
        assert!(!board(&start, None, None).contains("<path"));
    }

    #[test]
    fn draws_the_way_and_the_capture_of_a_mill_move() {
        let game = any_game::<morris::Position<NineMensMorris>>();
        let position = game.parse_position("0,0 a7,d7,g4 a1,b2,c3 W").unwrap();
        let m = position.parse_move("g4-g7xa1").unwrap();
        let svg = board(&position, Some(m), None);
        assert_eq!(
            (svg.matches("<line class=\"played\"").count(), svg.matches("<path class=\"played\"").count()),
            (1, 2)
        );
        assert_eq!((svg.matches("class=\"dot\"").count(), svg.matches("<line class=\"cell\"").count()), (18, 32));
    }
}
