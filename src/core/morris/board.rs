//! [`Board`]: the points of a mill game and the lines between them.
//!
//! A board is defined by its points, in the order of their bits, and its lines as drawn.
//! Neighboring points on a line are joined by an edge, and any three consecutive points on a line
//! are a mill. The compiler derives neighbors, mills and the symmetry group from them, so a new
//! board is just a new constant.

use super::MAX_POINTS;
use super::symmetry::Symmetries;

/// The maximum number of mills, rounded up to whole vectors of eight; Morabaraba has 20.
const MAX_MILLS: usize = 24;
/// The maximum number of edges, reached by Morabaraba.
const MAX_EDGES: usize = 40;
/// The maximum number of mills through a point, reached by the center of the board of seven men's
/// morris.
const MAX_MILLS_OF_A_POINT: usize = 6;
/// The maximum number of neighbors, reached by the center of a 3x3 board.
const MAX_DEGREE: usize = 8;
/// A set that is never a subset of a set of men.
const NEVER: u32 = 1 << 31;

/// The points and lines of a board, for the constants of a [`Variant`](super::Variant).
/// [`Point`](super::Point) has a method for its neighbors, and [`PointSet`](super::PointSet) for
/// its mills.
///
/// Inside this crate a set of points is a `u32` with one bit per point.
#[derive(Debug)]
pub struct Board {
    len: u32,
    names: [[u8; 2]; MAX_POINTS],
    by_name: [u8; MAX_POINTS],
    neighbors: [u32; MAX_POINTS],
    /// The mills, padded with empty sets, which do not affect the loops below.
    mills: [u32; MAX_MILLS],
    mill_count: usize,
    /// The two other points of each mill through a point, padded with [`NEVER`].
    pairs: [[u32; MAX_MILLS_OF_A_POINT]; MAX_POINTS],
    /// The maximum number of mills through a point.
    most_mills: usize,
    /// The edges, padded with empty sets.
    edges: [u32; MAX_EDGES],
    edge_count: usize,
    /// The points with more than 0, 1, 2 and so on neighbors.
    by_degree: [u32; MAX_DEGREE],
    symmetries: Symmetries,
}

/// The board of nine men's morris.
pub const NINE: &Board = &Board::new(RINGS, &SQUARES_AND_SPOKES);

/// The board of Morabaraba: the board of nine men's morris with the four diagonals.
pub const MORABARABA: &Board = &Board::new(RINGS, &{
    let mut lines = ["a1-b2-c3"; 20];
    let mut i = 0;
    while i < SQUARES_AND_SPOKES.len() {
        lines[i] = SQUARES_AND_SPOKES[i];
        i += 1;
    }
    (lines[17], lines[18], lines[19]) = ("g1-f2-e3", "a7-b6-c5", "g7-f6-e5");
    lines
});

/// The board of six men's morris: the outer and the middle square of the larger board, joined at
/// the midpoints.
pub const SIX: &Board = &Board::new(
    "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4",
    &[
        "a7-d7-g7", "g7-g4-g1", "g1-d1-a1", "a1-a4-a7", "b6-d6-f6", "f6-f4-f2", "f2-d2-b2", "b2-b4-b6", "d7-d6",
        "g4-f4", "d1-d2", "a4-b4",
    ],
);

/// The board of seven men's morris: the board of six men's morris with a center, so that two lines
/// have five points and three mills each.
pub const SEVEN: &Board = &Board::new(
    "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4 d4",
    &[
        "a7-d7-g7",
        "g7-g4-g1",
        "g1-d1-a1",
        "a1-a4-a7",
        "b6-d6-f6",
        "f6-f4-f2",
        "f2-d2-b2",
        "b2-b4-b6",
        "d7-d6-d4-d2-d1",
        "a4-b4-d4-f4-g4",
    ],
);

/// The board of three men's morris: 3x3 points with both diagonals.
pub const THREE: &Board = &Board::new(
    "a3 b3 c3 c2 c1 b1 a1 a2 b2",
    &["a3-b3-c3", "c3-c2-c1", "c1-b1-a1", "a1-a2-a3", "a2-b2-c2", "b1-b2-b3", "a1-b2-c3", "a3-b2-c1"],
);

/// Three squares, each clockwise from its upper left corner. The outer square comes first.
const RINGS: &str = "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4 c5 d5 e5 e4 e3 d3 c3 c4";

const SQUARES_AND_SPOKES: [&str; 16] = [
    "a7-d7-g7", "g7-g4-g1", "g1-d1-a1", "a1-a4-a7", "b6-d6-f6", "f6-f4-f2", "f2-d2-b2", "b2-b4-b6", "c5-d5-e5",
    "e5-e4-e3", "e3-d3-c3", "c3-c4-c5", "d7-d6-d5", "g4-f4-e4", "d1-d2-d3", "a4-b4-c4",
];

impl Board {
    /// Computes a board from the names of its points (letter and digit, separated by spaces) in the
    /// order of their bits, and from its lines (`a7-d7-g7`).
    ///
    /// # Panics
    /// If a line names an unknown point, or if there are more points or lines than in any mill
    /// game. For constants, such as the boards in this file, this is a compile-time error.
    #[must_use]
    pub const fn new(points: &str, lines: &[&str]) -> Self {
        let points = points.as_bytes();
        let len = points.len().div_ceil(3);
        let mut names = [[0; 2]; MAX_POINTS];
        let mut p = 0;
        while p < len {
            names[p] = [points[3 * p], points[3 * p + 1]];
            p += 1;
        }
        let mut neighbors = [0; MAX_POINTS];
        let (mut mills, mut mill_count) = ([0; MAX_MILLS], 0);
        let (mut edges, mut edge_count) = ([0; MAX_EDGES], 0);
        let mut i = 0;
        while i < lines.len() {
            let line = lines[i].as_bytes();
            // The point before the current one, and the edge that leads to it.
            let (mut last, mut last_edge) = (None, 0u32);
            let mut at = 0;
            while at < line.len() {
                let point =
                    point_named(&names, len, [line[at], line[at + 1]]).expect("a line joins points of the board");
                if let Some(last) = last {
                    neighbors[last as usize] |= 1 << point;
                    neighbors[point as usize] |= 1u32 << last;
                    if last_edge != 0 {
                        mills[mill_count] = last_edge | 1 << point;
                        mill_count += 1;
                    }
                    last_edge = 1u32 << point | 1u32 << last;
                    edges[edge_count] = last_edge;
                    edge_count += 1;
                }
                last = Some(point);
                at += 3;
            }
            i += 1;
        }
        let (pairs, most_mills) = pairs(&mills);
        Self {
            len: len as u32,
            names,
            by_name: by_name(&names, len),
            neighbors,
            mills,
            mill_count,
            pairs,
            most_mills,
            edges,
            edge_count,
            by_degree: by_degree(&neighbors),
            symmetries: Symmetries::of(len, &neighbors, &mills),
        }
    }

    /// Returns the number of points.
    pub(crate) const fn len(&self) -> u32 {
        self.len
    }

    /// Returns all points.
    pub(crate) const fn points(&self) -> u32 {
        (1 << self.len) - 1
    }

    /// Returns the points in the order of their names, by column, then by row.
    pub(crate) fn points_by_name(&self) -> impl Iterator<Item = u32> + '_ {
        self.by_name[..self.len as usize].iter().map(|&point| u32::from(point))
    }

    /// Returns the name of a point.
    ///
    /// # Panics
    /// If the point is not on the board.
    pub(crate) fn name(&self, point: u32) -> &str {
        std::str::from_utf8(&self.names[..self.len as usize][point as usize]).expect("names are ASCII")
    }

    /// Returns the point with this name; its letter may be upper or lower case.
    pub(crate) const fn point(&self, name: &str) -> Option<u32> {
        match *name.as_bytes() {
            [column, row] => point_named(&self.names, self.len as usize, [column.to_ascii_lowercase(), row]),
            _ => None,
        }
    }

    /// Returns the points adjacent to a point.
    #[inline]
    pub(crate) const fn neighbors(&self, point: u32) -> u32 {
        self.neighbors[point as usize]
    }

    /// Returns the mills, as sets of three points.
    pub(crate) fn mills(&self) -> &[u32] {
        &self.mills[..self.mill_count]
    }

    /// Returns the edges, as sets of two points.
    pub(crate) fn edges(&self) -> &[u32] {
        &self.edges[..self.edge_count]
    }

    /// Returns the symmetry group of the board.
    pub(crate) const fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// Returns the men that are in mills.
    #[inline(always)]
    pub(crate) fn in_mills(&self, men: u32) -> u32 {
        // The loops below run over the whole padded array without branches, so the compiler
        // vectorizes them.
        self.mills.iter().fold(0, |points, &mill| points | if mill & !men == 0 { mill } else { 0 })
    }

    /// Returns the men that are in mills, and the number of mills.
    #[inline(always)]
    pub(crate) fn mills_of(&self, men: u32) -> (u32, u32) {
        // The empty sets in the padding all count as complete.
        self.mills.iter().fold(
            (0, (self.mill_count as u32).wrapping_sub(MAX_MILLS as u32)),
            |(points, count), &mill| {
                let complete = mill & !men == 0;
                (points | if complete { mill } else { 0 }, count.wrapping_add(u32::from(complete)))
            },
        )
    }

    /// Returns the number of mills that contain exactly one of these men and no man of the
    /// opponent.
    #[inline(always)]
    pub(crate) fn open_lines(&self, men: u32, other: u32) -> u32 {
        let has_one = |men: u32| (men != 0) & (men & men.wrapping_sub(1) == 0);
        self.mills.iter().map(|&mill| u32::from(has_one(mill & men) & (mill & other == 0))).sum()
    }

    /// Returns the sum of the numbers of neighbors of these points.
    #[inline(always)]
    pub(crate) fn degrees(&self, points: u32) -> u32 {
        self.by_degree.iter().map(|&with_more| (points & with_more).count_ones()).sum()
    }

    /// Returns the points where one more man would complete a mill of these men. Other men may
    /// occupy these points.
    #[inline(always)]
    pub(crate) fn closing_points(&self, men: u32) -> u32 {
        self.mills.iter().fold(0, |points, &mill| {
            let missing = mill & !men;
            points | if missing & missing.wrapping_sub(1) == 0 { missing } else { 0 }
        })
    }

    /// Returns the number of possible steps from one set of points to another. The sets must be
    /// disjoint.
    #[inline(always)]
    pub(crate) fn steps(&self, from: u32, to: u32) -> u32 {
        self.edges.iter().map(|&edge| u32::from((edge & from != 0) & (edge & to != 0))).sum()
    }

    /// Returns these points and all points adjacent to them.
    #[inline(always)]
    pub(crate) fn around(&self, points: u32) -> u32 {
        self.edges.iter().fold(0, |around, &edge| around | if edge & points != 0 { edge } else { 0 })
    }

    /// Returns the two other points of each mill through a point. The slice is padded with sets
    /// that are never complete to a length that is the same for all points, so that loops over it
    /// are unrolled.
    #[inline(always)]
    pub(crate) fn pairs(&self, point: u32) -> &[u32] {
        &self.pairs[point as usize][..self.most_mills]
    }

    /// Returns whether a man at `point` is, or would be, in a mill with these men.
    #[inline(always)]
    pub(crate) fn is_mill(&self, men: u32, point: u32) -> bool {
        self.pairs(point).iter().any(|&pair| pair & !men == 0)
    }

    /// Returns the men that belong to every mill that `point` would complete, so that none of them
    /// can complete a mill by moving there; all bits if `point` completes none.
    #[inline(always)]
    pub(crate) fn required_men(&self, men: u32, point: u32) -> u32 {
        self.pairs(point).iter().fold(!0, |required, &pair| required & if pair & !men == 0 { pair } else { !0 })
    }
}

const fn point_named(names: &[[u8; 2]; MAX_POINTS], len: usize, name: [u8; 2]) -> Option<u32> {
    let mut p = 0;
    while p < len {
        if names[p][0] == name[0] && names[p][1] == name[1] {
            return Some(p as u32);
        }
        p += 1;
    }
    None
}

const fn by_name(names: &[[u8; 2]; MAX_POINTS], len: usize) -> [u8; MAX_POINTS] {
    let mut sorted = [0; MAX_POINTS];
    let mut p = 0;
    while p < len {
        // The rank of a point is the number of points named before it.
        let (mut rank, mut q) = (0, 0);
        while q < len {
            let (a, b) = (names[q], names[p]);
            if a[0] < b[0] || a[0] == b[0] && a[1] < b[1] {
                rank += 1;
            }
            q += 1;
        }
        sorted[rank] = p as u8;
        p += 1;
    }
    sorted
}

const fn by_degree(neighbors: &[u32; MAX_POINTS]) -> [u32; MAX_DEGREE] {
    let mut by_degree = [0; MAX_DEGREE];
    let mut p = 0;
    while p < MAX_POINTS {
        let mut degree = 0;
        while degree < neighbors[p].count_ones() as usize {
            by_degree[degree] |= 1 << p;
            degree += 1;
        }
        p += 1;
    }
    by_degree
}

/// Returns the other points of the mills through each point, and the maximum number of mills
/// through a point.
const fn pairs(mills: &[u32; MAX_MILLS]) -> ([[u32; MAX_MILLS_OF_A_POINT]; MAX_POINTS], usize) {
    let (mut pairs, mut most) = ([[NEVER; MAX_MILLS_OF_A_POINT]; MAX_POINTS], 0);
    let mut p = 0;
    while p < MAX_POINTS {
        let (mut i, mut n) = (0, 0);
        while i < MAX_MILLS {
            if mills[i] & 1 << p != 0 {
                pairs[p][n] = mills[i] & !(1 << p);
                n += 1;
            }
            i += 1;
        }
        if n > most {
            most = n;
        }
        p += 1;
    }
    (pairs, most)
}
