//! The board of a mill game for display: points numbered by their bits, on a grid given by the
//! letters and digits of their names.

use super::position::Arrangement;
use super::{BanRecord as _, Board, Move, Point, Position, Variant};
use crate::game::{BoardDisplay, BoardPoint, Color, EndDescription, GameError, Layout, MovePoints, RuleSummary};

/// Returns the points and lines of a board. The grid has a column for every letter up to the last
/// one used, even if no point is in that column.
fn layout(board: &Board) -> Layout {
    let places = (0..board.len()).map(|point| {
        let name = board.name(point).as_bytes();
        (usize::from(name[0] - b'a'), usize::from(name[1] - b'1'))
    });
    let places: Vec<_> = places.collect();
    let columns = 1 + places.iter().map(|place| place.0).max().unwrap_or(0);
    let rows = 1 + places.iter().map(|place| place.1).max().unwrap_or(0);
    let point = |(number, &(column, from_below)): (usize, &(usize, usize))| BoardPoint {
        name: board.name(number as u32).to_owned(),
        row: rows - 1 - from_below,
        column,
    };
    let ends = |&edge: &u32| (edge.trailing_zeros() as usize, edge.ilog2() as usize);
    let mill_of = |&mill: &u32| {
        let mut points: Vec<_> = (0..places.len()).filter(|point| mill >> point & 1 == 1).collect();
        // The points of a line are ordered by column and row.
        points.sort_unstable_by_key(|&point| places[point]);
        [points[0], points[1], points[2]]
    };
    Layout {
        rows,
        columns,
        points: places.iter().enumerate().map(point).collect(),
        lines: board.edges().iter().map(ends).collect(),
        mills: board.mills().iter().map(mill_of).collect(),
    }
}

/// Returns the men of each side in hand and on the board, for [`Position::checked`], which rejects
/// points beyond the board and numbers that are too large.
fn men_of(pieces: &[Option<Color>], in_hand: [u32; 2]) -> ([u8; 2], [u32; 2]) {
    let men = Color::ALL.map(|color| {
        let points = pieces.iter().enumerate().filter(|&(_, &piece)| piece == Some(color));
        // Maps points beyond the board to a bit that is not on any board.
        points.fold(0, |men, (point, _)| men | 1_u32.checked_shl(point as u32).unwrap_or(1 << 31))
    });
    (in_hand.map(|men| u8::try_from(men).unwrap_or(u8::MAX)), men)
}

impl<V: Variant> BoardDisplay for Position<V> {
    fn rules() -> Vec<RuleSummary> {
        V::RULES.summary(V::Bans::HAS_BANS)
    }

    fn layout() -> Layout {
        layout(V::BOARD)
    }

    fn piece_at(&self, point: usize) -> Option<Color> {
        let point = Point::from_index(point)?;
        Color::ALL.into_iter().find(|&color| self.men(color).contains(point))
    }

    fn in_hand(&self, color: Color) -> Option<u32> {
        Some(self.hand(color).into())
    }

    fn move_points(m: Move<V>) -> MovePoints {
        let number = Point::index;
        MovePoints { from: m.from().map(number), to: Some(number(m.to())), captured: m.captured().map(number) }
    }

    fn arrange(pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<Self, GameError> {
        let (hands, men) = men_of(pieces, in_hand);
        Self::checked(Arrangement { men, hands, side, bans: [None; 2] }).map_err(GameError::new)
    }

    fn describe_end(&self) -> Option<EndDescription> {
        self.why_over()
    }
}
