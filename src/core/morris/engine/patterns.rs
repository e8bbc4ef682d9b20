//! [`Patterns`]: the patterns of the evaluation. A pattern is a small set of points whose men are
//! evaluated together.
//!
//! A shape is a list of up to nine points of the board. A pattern is a shape or its image under a
//! symmetry of the board. The configuration of a pattern records whether each of its points has a
//! man of the side to move, a man of the opponent, or none: a number in base 3 with one digit per
//! point. Configurations that a symmetry maps to each other form a class and share a weight.
//!
//! * boards of 24 points: the outer square (and the inner one), the middle square, the three lines
//!   of a side, and the points around a corner in each square
//! * seven men's morris: the outer square, the inner square, both lines through the center, a side
//!   with the center, and a corner with the center
//! * five and six men's morris: the outer square (and the inner one), a side, and a corner
//! * three men's morris: none
//!
//! Together the patterns cover every mill, every step along a line, and every man that can join a
//! mill.

use std::sync::LazyLock;

use crate::fnv::Fnv1a;
use crate::morris::{Board, NINE, SEVEN, SIX, THREE};

/// The number of lanes: a whole number of vectors, and at least the number of patterns of any
/// board.
pub const LANES: usize = 16;

/// The points of the larger boards, clockwise along each square.
pub(super) const SHAPES_OF_NINE: [&str; 4] =
    ["a7 d7 g7 g4 g1 d1 a1 a4", "b6 d6 f6 f4 f2 d2 b2 b4", "a7 d7 g7 b6 d6 f6 c5 d5 e5", "a4 a7 d7 b4 b6 d6 c4 c5 d5"];
pub(super) const SHAPES_OF_SEVEN: [&str; 5] = [
    "a7 d7 g7 g4 g1 d1 a1 a4",
    "b6 d6 f6 f4 f2 d2 b2 b4",
    "d7 d6 d4 d2 d1 a4 b4 f4 g4",
    "a7 d7 g7 b6 d6 f6 d4",
    "a4 a7 d7 b4 b6 d6 d4",
];
pub(super) const SHAPES_OF_SIX: [&str; 3] = ["a7 d7 g7 g4 g1 d1 a1 a4", "a7 d7 g7 b6 d6 f6", "a4 a7 d7 b4 b6 d6"];

/// The patterns of a board.
///
/// ```
/// use morello::morris::{NINE, THREE, engine::Patterns};
///
/// let patterns = Patterns::of(NINE);
/// assert!(patterns.class_count() < patterns.len(), "symmetric configurations share a class");
/// assert!(Patterns::of(THREE).is_empty());
/// ```
pub struct Patterns {
    /// For each eight points of the board and each set of men on them, the value that is added to
    /// the configuration of each pattern.
    digits: [Box<[[u16; LANES]; 256]>; 3],
    /// The number of the first configuration of each pattern. Lanes without a pattern have the
    /// number after the last configuration.
    first: [u16; LANES],
    /// The class of each configuration of each shape.
    classes: Vec<u16>,
    class_count: usize,
}

crate::debug_fields!(Patterns { class_count });

impl Patterns {
    /// Returns the patterns of a board. Boards with the same points share their patterns.
    #[must_use]
    pub fn of(board: &Board) -> &'static Self {
        static OF_NINE: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(NINE, &SHAPES_OF_NINE));
        static OF_SEVEN: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(SEVEN, &SHAPES_OF_SEVEN));
        static OF_SIX: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(SIX, &SHAPES_OF_SIX));
        static OF_THREE: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(THREE, &[]));
        match board.len() {
            24 => &OF_NINE,
            17 => &OF_SEVEN,
            16 => &OF_SIX,
            _ => &OF_THREE,
        }
    }

    fn new(board: &Board, shapes: &[&str]) -> Self {
        let mut patterns = Self {
            digits: std::array::from_fn(|_| Box::new([[0; LANES]; 256])),
            first: [0; LANES],
            classes: Vec::new(),
            class_count: 0,
        };
        let symmetries = board.symmetries();
        let mut lane = 0;
        for shape in shapes {
            let points: Vec<u32> =
                shape.split(' ').map(|name| board.point(name).expect("a shape has points of the board")).collect();
            let set = |points: &[u32]| points.iter().fold(0u32, |set, point| set | 1 << point);
            let images: Vec<Vec<u32>> = (0..symmetries.len())
                .map(|k| points.iter().map(|&point| symmetries.point(k, point)).collect())
                .collect();
            for (k, image) in images.iter().enumerate() {
                if images[..k].iter().all(|earlier| set(earlier) != set(image)) {
                    patterns.first[lane] = patterns.classes.len() as u16;
                    patterns.add_lane(lane, image);
                    lane += 1;
                }
            }
            // For each symmetry of the shape itself, the digit to which each digit moves.
            let place = |point| points.iter().position(|&other| other == point);
            let own: Vec<Vec<usize>> =
                images.iter().filter_map(|image| image.iter().map(|&point| place(point)).collect()).collect();
            patterns.add_classes(points.len(), &own);
        }
        patterns.first[lane..].fill(patterns.classes.len() as u16);
        patterns
    }

    /// Adds the digits of the points of a pattern.
    fn add_lane(&mut self, lane: usize, points: &[u32]) {
        for (digit, &point) in points.iter().enumerate() {
            let (eight, bit) = (point as usize / 8, point % 8);
            for (men, row) in self.digits[eight].iter_mut().enumerate() {
                if men >> bit & 1 == 1 {
                    row[lane] += 3u16.pow(digit as u32);
                }
            }
        }
    }

    /// Adds the classes of the configurations of a shape with the given number of points.
    fn add_classes(&mut self, points: usize, symmetries: &[Vec<usize>]) {
        let first = self.classes.len();
        for configuration in 0..3usize.pow(points as u32) {
            let image = |symmetry: &Vec<usize>| {
                let digit = |place: usize| configuration / 3usize.pow(place as u32) % 3;
                symmetry.iter().enumerate().map(|(from, &to)| digit(from) * 3usize.pow(to as u32)).sum::<usize>()
            };
            let least = symmetries.iter().map(image).min().unwrap_or(configuration);
            let class = if least == configuration {
                self.class_count += 1;
                self.class_count as u16 - 1
            } else {
                self.classes[first + least]
            };
            self.classes.push(class);
        }
    }

    /// Returns the total number of configurations of all shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Returns whether the board has no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Returns the number of classes.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.class_count
    }

    /// Returns the class of each configuration.
    #[must_use]
    pub fn classes(&self) -> &[u16] {
        &self.classes
    }

    /// Returns the configurations of all patterns on a board with these men. Lanes without a
    /// pattern have the configuration [`len`](Self::len).
    #[inline(always)]
    #[must_use]
    pub fn configurations(&self, own: u32, other: u32) -> [u16; LANES] {
        let mut sums = self.first;
        for (eight, digits) in self.digits.iter().enumerate() {
            let men = |men: u32| &digits[(men >> (8 * eight) & 255) as usize];
            for ((sum, own), other) in sums.iter_mut().zip(men(own)).zip(men(other)) {
                *sum += own + 2 * other;
            }
        }
        sums
    }

    /// Returns a hash of the shapes.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let classes = self.classes.iter().map(|&class| class.into());
        Fnv1a::new().add(classes).add(self.first.map(u64::from)).folded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::RandomNumbers;
    use crate::morris::MORABARABA;

    #[test]
    fn configurations_have_a_digit_for_each_point() {
        let patterns = Patterns::of(NINE);
        assert_eq!(patterns.len(), 2 * 3usize.pow(8) + 2 * 3usize.pow(9));
        assert_eq!(patterns.configurations(0, 0)[..11], patterns.first[..11]);
        assert!(patterns.first[11..].iter().all(|&first| usize::from(first) == patterns.len()));
        let point = |name| 1 << NINE.point(name).unwrap();
        let sums = patterns.configurations(point("d7"), point("a4"));
        // The outer square, whose digits run clockwise from a7, and the side and the corner with
        // a7.
        let differences: Vec<_> = sums.iter().zip(&patterns.first).map(|(sum, first)| sum - first).collect();
        assert_eq!(differences[0], 3 + 2 * 3u16.pow(7));
        assert!(differences.contains(&3u16.pow(1)) && differences.contains(&(2 + 3u16.pow(2))), "{differences:?}");
    }

    #[test]
    fn every_mill_and_edge_is_in_a_pattern() {
        for board in [NINE, MORABARABA, SEVEN, SIX] {
            let patterns = Patterns::of(board);
            for &line in board.mills().iter().chain(board.edges()) {
                let points = (0..board.len()).filter(|point| line >> point & 1 == 1).map(|point| 1 << point);
                let moved: Vec<Vec<bool>> = points
                    .map(|point| {
                        let sums = patterns.configurations(point, 0);
                        sums.iter().zip(&patterns.first).map(|(sum, first)| sum != first).collect()
                    })
                    .collect();
                assert!((0..LANES).any(|lane| moved.iter().all(|moved| moved[lane])), "{line:x}");
            }
        }
    }

    #[test]
    fn symmetric_positions_have_the_same_classes() {
        let mut random = RandomNumbers::new(1);
        for board in [NINE, MORABARABA, SEVEN, SIX] {
            let patterns = Patterns::of(board);
            let points = (1u32 << board.len()) - 1;
            let classes = |own, other| {
                let all = patterns.configurations(own, other);
                let known = all.iter().filter_map(|&sum| patterns.classes.get(usize::from(sum)));
                let mut classes: Vec<u16> = known.copied().collect();
                classes.sort_unstable();
                classes
            };
            for _ in 0..200 {
                let own = random.next_u64() as u32 & random.next_u64() as u32 & points;
                let other = random.next_u64() as u32 & points & !own;
                let symmetries = board.symmetries();
                for k in 0..symmetries.len() {
                    assert_eq!(classes(symmetries.set(k, own), symmetries.set(k, other)), classes(own, other));
                }
            }
            assert!(patterns.class_count() < patterns.len() / 2);
        }
    }
}
