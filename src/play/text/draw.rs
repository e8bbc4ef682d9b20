//! Draws the board as text, with coordinates, the legal moves and the last move.
//!
//! ```text
//!     a  b  c  d         3  .-------.-------.
//!  1  .  +  .  .            |       |       |
//!  2  + [B] B  .         2  .-------+-------.
//!  3  .  B  W  .            |       |       |
//!  4  .  .  .  .         1 [W]------.-------.
//!                           a       b       c
//! ```
//!
//! `B` and `W` are pieces, `+` marks empty points that a piece can move to, and `.` the other empty
//! points. Brackets mark the points of the last move: its destination, its origin and a captured
//! piece.

use morello_core::game::{Color, Game, Layout, Position as _};

/// How a board is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// Whether to use colors, with ANSI escape sequences.
    pub color: bool,
    /// Whether pieces are discs, `●` and `○`, instead of letters.
    pub unicode: bool,
}

/// A character cell of the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Blank,
    Line(char),
    Empty,
    Target,
    Piece(Color),
    Bracket(char),
}

/// Draws the current position of a game, without a final line break.
///
/// ```
/// use morello::game::{Game, Position as _};
/// use morello::games;
/// use morello::text::draw::{Style, draw};
///
/// let mut game = Game::new(games::get("othello-4x4")?.start());
/// game.play(game.position().parse_move("b1")?)?;
/// assert_eq!(draw(&game, Style::default()), "
///     a  b  c  d
///  1  + [B] +  .
///  2  .  B  B  .
///  3  +  B  W  .
///  4  .  .  .  ."[1..]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn draw(game: &Game, style: Style) -> String {
    let layout = game.position().game().layout();
    let scale = Scale::of(&layout);
    let mut canvas = vec![vec![Cell::Blank; 3 + scale.x(layout.columns - 1) - 1]; 1 + scale.y(layout.rows - 1)];
    draw_lines(&layout, &scale, &mut canvas);
    draw_points(game, &layout, &scale, &mut canvas);

    let width = layout.row_name(0).chars().count();
    let mut drawn = Vec::new();
    let mut names = String::new();
    for column in 0..layout.columns {
        let at = width + 2 + scale.x(column);
        names += &format!("{}{}", " ".repeat(at - names.chars().count()), layout.column_name(column));
    }
    if !scale.has_lines {
        drawn.push(names.clone());
    }
    for (y, row) in canvas.iter().enumerate() {
        let name = if y % scale.rows == 0 { layout.row_name(y / scale.rows) } else { "" };
        let line = format!(" {name:>width$} {}", render_row(row, style, scale.has_lines));
        drawn.push(line.trim_end().to_owned());
    }
    if scale.has_lines {
        drawn.push(names);
    }
    drawn.join("\n")
}

/// Maps points of the layout to cells.
struct Scale {
    has_lines: bool,
    /// The number of characters between columns.
    columns: usize,
    /// The number of lines between rows.
    rows: usize,
}

impl Scale {
    fn of(layout: &Layout) -> Self {
        match layout.lines.is_empty() {
            true => Self { has_lines: false, columns: 3, rows: 1 },
            false => Self { has_lines: true, columns: if layout.columns > 4 { 4 } else { 8 }, rows: 2 },
        }
    }

    /// Leaves room for the bracket to the left of the first column.
    fn x(&self, column: usize) -> usize {
        1 + column * self.columns
    }

    fn y(&self, row: usize) -> usize {
        row * self.rows
    }
}

fn draw_lines(layout: &Layout, scale: &Scale, canvas: &mut [Vec<Cell>]) {
    let place =
        |point: usize| (scale.x(layout.points[point].column) as isize, scale.y(layout.points[point].row) as isize);
    for &(from, to) in &layout.lines {
        let ((x0, y0), (x1, y1)) = (place(from), place(to));
        let (across, down) = (x1 - x0, y1 - y0);
        let stroke = match (across.signum(), down.signum()) {
            (_, 0) => '-',
            (0, _) => '|',
            (a, b) if a == b => '\\',
            _ => '/',
        };
        // Diagonal lines have one stroke in each line of text.
        let steps = if down == 0 { across.abs() } else { down.abs() };
        for step in 1..steps {
            let (x, y) = (x0 + across * step / steps, y0 + down * step / steps);
            canvas[y as usize][x as usize] = Cell::Line(stroke);
        }
    }
}

fn draw_points(game: &Game, layout: &Layout, scale: &Scale, canvas: &mut [Vec<Cell>]) {
    let position = game.position();
    let mut targets = vec![false; layout.points.len()];
    if game.end().is_none() {
        for to in position.legal_moves().filter_map(|m| m.path().to) {
            targets[to] = true;
        }
    }
    let marked: Vec<_> = game.moves().last().map_or_else(Vec::new, |&m| m.path().points().collect());
    for (number, point) in layout.points.iter().enumerate() {
        let (x, y) = (scale.x(point.column), scale.y(point.row));
        canvas[y][x] = match position.piece_at(number) {
            Some(color) => Cell::Piece(color),
            None if targets[number] => Cell::Target,
            None => Cell::Empty,
        };
        if marked.contains(&number) {
            (canvas[y][x - 1], canvas[y][x + 1]) = (Cell::Bracket('['), Cell::Bracket(']'));
        }
    }
}

/// Renders a line of text.
fn render_row(row: &[Cell], style: Style, has_lines: bool) -> String {
    let mut text = String::new();
    let mut before = None;
    for &cell in row {
        if style.color {
            let pen = (if has_lines { "43" } else { "42" }, cell.color_code());
            if before.replace(pen) != Some(pen) {
                text += &format!("\x1b[0;{};{}m", pen.0, pen.1);
            }
        }
        text.push(cell.char(style));
    }
    if style.color {
        text += "\x1b[0m";
    }
    text
}

impl Cell {
    fn char(self, style: Style) -> char {
        match self {
            Self::Blank => ' ',
            Self::Line(stroke) | Self::Bracket(stroke) => stroke,
            Self::Empty if style.unicode => '·',
            Self::Empty => '.',
            Self::Target => '+',
            Self::Piece(Color::Black) if style.unicode => '●',
            Self::Piece(Color::White) if style.unicode => '○',
            Self::Piece(Color::Black) => 'B',
            Self::Piece(Color::White) => 'W',
        }
    }

    /// Returns the ANSI codes for the cell's color.
    fn color_code(self) -> &'static str {
        match self {
            Self::Blank | Self::Line(_) | Self::Empty => "30",
            Self::Target => "1;34",
            Self::Bracket(_) => "1;31",
            Self::Piece(Color::Black) => "30",
            Self::Piece(Color::White) => "1;97",
        }
    }
}

#[cfg(test)]
mod tests {
    use morello_core::games;

    use super::*;

    fn mills(name: &str, position: &str, moves: &[&str]) -> String {
        let mut game = Game::new(games::get(name).unwrap().parse_position(position).unwrap());
        for text in moves {
            game.play(game.position().parse_move(text).unwrap()).unwrap();
        }
        draw(&game, Style::default())
    }

    #[test]
    fn draws_the_documented_nine_mens_morris_board() {
        let drawn = mills("nine-mens-morris", "0,0 a7,d7,g4 a1,b2,c3,e3 W", &["g4-g7xe3"]);
        let expected = "
 7  W-----------W----------[W]
    |           |           |
 6  |   .-------.-------.   |
    |   |       |       |   |
 5  |   |   .---.---.   |   |
    |   |   |       |   |   |
 4  +---+---+       .---.--[.]
    |   |   |       |   |   |
 3  |   |   B---+--[.]  |   |
    |   |       |       |   |
 2  |   B-------+-------.   |
    |           |           |
 1  B-----------+-----------.
    a   b   c   d   e   f   g";
        assert_eq!(drawn, expected[1..]);
    }

    #[test]
    fn draws_the_lines_of_other_boards() {
        let drawn = mills("morabaraba", "12,12 - - W", &["d6"]);
        assert!(drawn.contains(" 7  +-----------+-----------+\n    | \\         |         / |\n"), "{drawn}");
        assert!(drawn.contains(" 6  |   +------[W]------+   |\n"), "{drawn}");
        let six = mills("six-mens-morris", "6,6 - - W", &["g7"]);
        assert!(six.starts_with(" 7  +-----------+----------[W]\n    |           |           |\n"), "{six}");
        let seven = mills("seven-mens-morris", "7,7 - - W", &["d4"]);
        assert!(seven.contains("\n 4  +---+------[W]------+---+\n    |   |       |       |   |\n"), "{seven}");
        let three = mills("three-mens-morris", "3,3 - - W", &["b2"]);
        assert!(three.contains("3  +-------+-------+\n    |"), "{three}");
        assert!(three.contains("2  +------[W]------+\n"), "{three}");
    }

    #[test]
    fn colors_and_unicode_keep_the_layout() {
        fn strip(text: &str) -> String {
            let mut parts = text.split('\x1b');
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |all, part| all + part.split_once('m').expect("an escape sequence ends in m").1)
        }
        for game in games::all() {
            for plies in [0, 1, 7, 23] {
                let record = game.random_game(plies as u64, plies);
                let plain = draw(&record, Style::default());
                let colored = draw(&record, Style { color: true, unicode: false });
                let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
                assert_eq!(lines(&strip(&colored)), lines(&plain), "{}", game.name());
                assert!(plain.is_ascii());
                let pieces = plain.matches(['B', 'W']).count();
                let discs = draw(&record, Style { color: false, unicode: true });
                assert_eq!(discs.matches(['●', '○']).count(), pieces);
                let points = 0..game.layout().points.len();
                assert_eq!(points.filter(|&point| record.position().piece_at(point).is_some()).count(), pieces);
            }
        }
    }

    /// Text copied from a terminal has no colors, but the diagram readers need the side of each
    /// piece.
    #[test]
    fn pieces_of_different_sides_differ_without_their_colors() {
        for name in ["othello", "nine-mens-morris"] {
            let record = games::get(name).unwrap().random_game(5, 7);
            let colored = draw(&record, Style { color: true, unicode: true });
            let discs = draw(&record, Style { color: false, unicode: true });
            for disc in ['●', '○'] {
                assert!(discs.contains(disc));
                assert_eq!(colored.matches(disc).count(), discs.matches(disc).count(), "{name}");
            }
        }
    }

    #[test]
    fn marks_the_legal_moves() {
        let game = games::get("othello").unwrap().random_game(3, 20);
        let drawn = draw(&game, Style::default());
        assert_eq!(drawn.matches('+').count(), game.position().count_moves());
        assert_eq!(drawn.matches('[').count(), 1);
    }
}
