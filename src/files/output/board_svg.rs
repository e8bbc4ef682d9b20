//! [`board_svg`]: draws a position as SVG.

use std::fmt::Write as _;

use morello_core::game::{AnyMove, AnyPosition, Color, Layout, Position as _};
use morello_core::printable::in_markup;

/// The distance between two rows or columns, in units of the drawing.
const CELL: usize = 48;
/// The width of the margin for the coordinates, in units of the drawing.
const MARGIN: usize = 24;

const STRING: &str = "writing to a string cannot fail";

/// Text on a point of the drawing, such as the score of a move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PointLabel {
    /// The number of the point.
    pub point: usize,
    /// The text, at most about five characters.
    pub text: String,
    /// Whether the text is highlighted.
    pub is_best: bool,
}

/// Draws the board, the pieces, the pieces in hand, the side to move and `labels`, as SVG without
/// references to other files.
///
/// ```
/// use morello::games;
/// use morello::output::{PointLabel, board_svg};
///
/// let othello = games::get("othello")?;
/// let label = PointLabel { point: 37, text: "+2".to_owned(), is_best: true };
/// let svg = board_svg(&othello.start(), &[label]);
/// assert!(svg.starts_with("<svg") && svg.contains("+2"));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[must_use]
pub fn board_svg(position: &AnyPosition, labels: &[PointLabel]) -> String {
    let layout = position.game().layout();
    let (width, height) = size(&layout);
    let (total, status) = (height + MARGIN, status(position));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {total}\" width=\"{width}\" height=\"{total}\" \
         font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\" role=\"img\" aria-label=\"{status}\">\n\
         <rect width=\"{width}\" height=\"{total}\" fill=\"#fff\"/>\n{}",
        board(position, &layout),
    );
    for PointLabel { point, text, is_best } in labels.iter().filter(|label| label.point < layout.points.len()) {
        let (x, y) = center(&layout, *point);
        let fill = if *is_best { "#ffd54f" } else { "#fff" };
        writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"38\" height=\"18\" rx=\"4\" fill=\"{fill}\" stroke=\"#111\"/>\
             <text x=\"{x}\" y=\"{}\" font-size=\"13\" fill=\"#111\">{}</text>",
            x.saturating_sub(19),
            y - 9,
            y + 5,
            in_markup(text),
        )
        .expect(STRING);
    }
    svg + &format!("<text x=\"{}\" y=\"{}\">{status}</text>\n</svg>\n", width / 2, height + 17)
}

/// Draws a position for an HTML page, with a cross on the move played and a ring on the best move.
/// A move from one point to another is a line, and a captured piece a small cross.
///
/// ```
/// use morello::game::Position as _;
/// use morello::games;
/// use morello::output::board_with_moves;
///
/// let start = games::get("othello")?.start();
/// let svg = board_with_moves(&start, Some(start.parse_move("f5")?), None);
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn board_with_moves(position: &AnyPosition, played: Option<AnyMove>, best: Option<AnyMove>) -> String {
    let layout = position.game().layout();
    let (width, height) = size(&layout);
    let [played_name, best_name] = [played, best].map(|m| m.map_or_else(|| "none".to_owned(), |m| m.to_string()));
    let label = in_markup(&format!("{position}; played {played_name}, best {best_name}"));
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" text-anchor=\"middle\" role=\"img\" \
            aria-label=\"{label}\">\n{}",
        board(position, &layout)
    );
    let cross = |(x, y): (usize, usize), size: usize| {
        format!("M{} {}l{2} {2}m0-{2}l-{2} {2}", x - size / 2, y - size / 2, size)
    };
    let ring = |(x, y): (usize, usize)| format!("M{} {y}a15 15 0 1 0 30 0a15 15 0 1 0-30 0", x - 15);
    for (m, color, is_best) in [(best, "#ffd23e", true), (played, "#ff4a3d", false)] {
        let Some(path) = m.map(AnyMove::path) else { continue };
        let [from, to, captured] =
            [path.from, path.to, path.captured].map(|point| point.map(|point| center(&layout, point)));
        let way = from.zip(to).map(|((x1, y1), (x2, y2))| format!("M{x1} {y1}L{x2} {y2}"));
        let mark = to.map(|to| if is_best { ring(to) } else { cross(to, 20) });
        let marks: String = [way, mark, captured.map(|captured| cross(captured, 12))].into_iter().flatten().collect();
        writeln!(
            svg,
            "<path d=\"{marks}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"5\" stroke-linecap=\"round\"/>"
        )
        .expect(STRING);
    }
    svg + "</svg>\n"
}

/// Returns the width and height of the board, including the coordinates at its left and upper
/// edges.
fn size(layout: &Layout) -> (usize, usize) {
    (layout.columns * CELL + MARGIN, layout.rows * CELL + MARGIN)
}

/// Returns the center of a point.
fn center(layout: &Layout, point: usize) -> (usize, usize) {
    let point = &layout.points[point];
    (MARGIN + point.column * CELL + CELL / 2, MARGIN + point.row * CELL + CELL / 2)
}

/// Draws the board with its coordinates, and the pieces.
fn board(position: &AnyPosition, layout: &Layout) -> String {
    let (width, height) = size(layout);
    let has_lines = !layout.lines.is_empty();
    let (ground, ink) = if has_lines { ("#e8c98f", "#432") } else { ("#2e7d4f", "#123") };
    let mut svg = format!("<path d=\"M{MARGIN} {MARGIN}H{width}V{height}H{MARGIN}Z\" fill=\"{ground}\"/>\n");
    let mut lines = String::new();
    for &(from, to) in &layout.lines {
        let ((x1, y1), (x2, y2)) = (center(layout, from), center(layout, to));
        write!(lines, "M{x1} {y1}L{x2} {y2}").expect(STRING);
    }
    if !has_lines {
        let edges = |count: usize| (0..=count).map(|line| MARGIN + line * CELL);
        lines.extend(edges(layout.columns).map(|x| format!("M{x} {MARGIN}V{height}")));
        lines.extend(edges(layout.rows).map(|y| format!("M{MARGIN} {y}H{width}")));
    }
    writeln!(svg, "<path d=\"{lines}\" stroke=\"{ink}\" stroke-width=\"{}\"/>", 1 + usize::from(has_lines))
        .expect(STRING);
    let middle = |number: usize| MARGIN + number * CELL + CELL / 2;
    let columns = (0..layout.columns).map(|column| (middle(column), 17, layout.column_name(column)));
    let rows = (0..layout.rows).map(|row| (12, middle(row) + 5, layout.row_name(row)));
    for (x, y, name) in columns.chain(rows) {
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{name}</text>").expect(STRING);
    }
    for point in 0..layout.points.len() {
        let (radius, fill, outline) = match position.piece_at(point) {
            Some(Color::Black) => (20, "#111", "#111"),
            Some(Color::White) => (20, "#fff", "#111"),
            None if has_lines => (5, ink, ink),
            None => continue,
        };
        let (x, y) = center(layout, point);
        writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{outline}\" stroke-width=\"2\"/>"
        )
        .expect(STRING);
    }
    svg
}

/// Describes the side to move or the end of the game, and the pieces in hand.
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

#[cfg(test)]
mod tests {
    use morello_core::games;

    use super::*;

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

    #[test]
    fn draws_pieces_coordinates_and_moves() {
        let start = games::get("othello").unwrap().start();
        let moves = ["f5", "d3"].map(|text| start.parse_move(text).ok());
        let svg = board_with_moves(&start, moves[0], moves[1]);
        let count = |text: &str| svg.matches(text).count();
        assert_eq!((count("fill=\"#111\""), count("r=\"20\" fill=\"#fff\""), count("<text ")), (2, 2, 16));
        // f5 is the sixth column and the fifth row from the top.
        assert!(svg.contains("<path d=\"M278 230l20 20m0-20l-20 20\" fill=\"none\" stroke=\"#ff4a3d\""), "{svg}");
        assert_eq!(count("#ffd23e"), 1);
        let unmarked = board_with_moves(&start, None, None);
        assert!(!unmarked.contains("#ff4a3d") && !unmarked.contains("#ffd23e"));
    }

    #[test]
    fn draws_the_way_and_the_capture_of_a_mill_move() {
        let game = games::get("nine-mens-morris").unwrap();
        let position = game.parse_position("0,0 a7,d7,g4 a1,b2,c3 W").unwrap();
        let m = position.parse_move("g4-g7xa1").unwrap();
        let svg = board_with_moves(&position, Some(m), None);
        assert!(svg.contains("d=\"M336 192L336 48M326 38l20 20m0-20l-20 20M42 330l12 12m0-12l-12 12\""), "{svg}");
        assert_eq!(svg.matches("r=\"5\"").count(), 18);
    }
}
