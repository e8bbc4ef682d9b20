//! [`board_svg`]: a drawing of a position as SVG.

use std::fmt::Write as _;

use crate::game::{AnyPosition, Color, Position as _};
use crate::printable::printable_lines;

/// The distance of two rows or columns, in units of the drawing.
const CELL: usize = 48;
/// The width of the margin with the coordinates.
const MARGIN: usize = 24;

/// A text on a point of the drawing, such as the value of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointLabel {
    /// The number of the point.
    pub point: usize,
    /// The text, at most about five characters.
    pub text: String,
    /// Whether the text is highlighted.
    pub is_best: bool,
}

/// Draws the board, the pieces, the pieces in hand, the side to move and `labels`, as SVG without references to other files.
#[must_use]
pub fn board_svg(position: &AnyPosition, labels: &[PointLabel]) -> String {
    let layout = position.game().layout();
    let squares = layout.lines.is_empty();
    let (width, height) = (layout.columns * CELL + MARGIN, layout.rows * CELL + MARGIN);
    let status = status(position);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {total}\" width=\"{width}\" height=\"{total}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\" role=\"img\" aria-label=\"{status}\">\n<rect width=\"{width}\" height=\"{total}\" \
         fill=\"#fff\"/>\n<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
        width - MARGIN,
        height - MARGIN,
        if squares { "#2e7d4f" } else { "#e8c98f" },
        total = height + MARGIN,
    );
    let center = |row: usize, column: usize| (MARGIN + column * CELL + CELL / 2, MARGIN + row * CELL + CELL / 2);
    let point = |number: usize| center(layout.points[number].row, layout.points[number].column);
    let mut add = |text: std::fmt::Arguments<'_>| {
        svg.write_fmt(text).and_then(|()| svg.write_char('\n')).expect("a string accepts all text");
    };
    if squares {
        for line in 0..=layout.columns {
            let x = MARGIN + line * CELL;
            add(format_args!("<path d=\"M{x} {MARGIN}V{height}\" stroke=\"#123\"/>"));
        }
        for line in 0..=layout.rows {
            let y = MARGIN + line * CELL;
            add(format_args!("<path d=\"M{MARGIN} {y}H{width}\" stroke=\"#123\"/>"));
        }
    }
    for &(from, to) in &layout.lines {
        let ((x1, y1), (x2, y2)) = (point(from), point(to));
        add(format_args!("<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"#432\" stroke-width=\"2\"/>"));
    }
    // Coordinates: the letter of a column and the number of a row are those of a point in it.
    for column in 0..layout.columns {
        if let Some(at) = layout.points.iter().find(|at| at.column == column) {
            let letter: String = at.name.chars().take_while(char::is_ascii_alphabetic).collect();
            add(format_args!("<text x=\"{}\" y=\"17\" font-size=\"14\">{letter}</text>", center(0, column).0));
        }
    }
    for row in 0..layout.rows {
        if let Some(at) = layout.points.iter().find(|at| at.row == row) {
            let digits: String = at.name.chars().skip_while(char::is_ascii_alphabetic).collect();
            add(format_args!("<text x=\"12\" y=\"{}\" font-size=\"14\">{digits}</text>", center(row, 0).1 + 5));
        }
    }
    for number in 0..layout.points.len() {
        let (x, y) = point(number);
        match position.piece_at(number) {
            Some(color) => {
                let fill = if color == Color::Black { "#111" } else { "#fff" };
                add(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"{fill}\" stroke=\"#111\" stroke-width=\"2\"/>"
                ));
            }
            None if !squares => add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#432\"/>")),
            None => {}
        }
    }
    for PointLabel { point: number, text, is_best } in labels {
        if *number >= layout.points.len() {
            continue;
        }
        let (x, y) = point(*number);
        let (fill, ink) = if *is_best { ("#ffd54f", "#111") } else { ("#fff", "#111") };
        add(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"38\" height=\"18\" rx=\"4\" fill=\"{fill}\" stroke=\"#111\"/><text x=\"{x}\" y=\"{}\" \
             font-size=\"13\" fill=\"{ink}\">{}</text>",
            x.saturating_sub(19),
            y - 9,
            y + 5,
            escaped(text),
        ));
    }
    add(format_args!("<text x=\"{}\" y=\"{}\" font-size=\"14\">{status}</text>", width / 2, height + 17));
    svg.push_str("</svg>\n");
    svg
}

/// Describes the side to move, or the end, and the pieces in hand.
fn status(position: &AnyPosition) -> String {
    let mut text = match position.outcome() {
        Some(outcome) => format!("{outcome}"),
        None => format!("{} to move", position.side_to_move()),
    };
    if let (Some(black), Some(white)) = (position.in_hand(Color::Black), position.in_hand(Color::White))
        && black + white > 0
    {
        write!(text, "; in hand: Black {black}, White {white}").expect("a string accepts all text");
    }
    text
}

/// Escapes the characters with a meaning in SVG.
fn escaped(text: &str) -> String {
    printable_lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    #[test]
    fn draws_every_piece_and_label_of_every_game() {
        for game in games::all() {
            let played = game.random_game(3, 12);
            let position = played.position();
            let points = game.layout().points.len();
            let label = PointLabel { point: 0, text: "<+2>".to_owned(), is_best: true };
            let svg = board_svg(
                position,
                &[label, PointLabel { point: points, text: "no point".to_owned(), is_best: false }],
            );
            let pieces = (0..points).filter(|&point| position.piece_at(point).is_some()).count();
            assert_eq!(svg.matches("r=\"20\"").count(), pieces, "{}", game.name());
            assert!(svg.contains("&lt;+2&gt;") && !svg.contains("no point"), "{svg}");
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        }
    }
}
