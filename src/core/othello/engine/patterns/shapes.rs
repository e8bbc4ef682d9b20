//! The pattern shapes and their placements on the board.
//!
//! A shape is a set of squares. Its images under the symmetries of the board are its placements;
//! each has its own lane. The discs on the squares of a lane form its configuration, a number in
//! balanced ternary: digit -1 for an opponent's disc, 0 for an empty square and 1 for a player's
//! disc. Swapping the sides therefore negates it, an empty board is 0, and a move adds to it.

use std::sync::OnceLock;

use crate::fnv::Fnv1a;
use crate::game::bits;
use crate::othello::board::transform;
use crate::othello::{Board, Square, SquareSet};

/// The maximum number of squares in a shape. Its configurations must fit into 16 bits.
const MAX_SHAPE_SQUARES: usize = 10;

/// A set of squares that are evaluated together.
#[derive(Debug)]
pub struct Shape {
    /// The name.
    pub name: &'static str,
    /// The squares of one placement, as bits.
    pub squares: u64,
}

const fn shape(name: &'static str, rows: &[u8]) -> Shape {
    let mut squares = 0;
    let mut row = 0;
    while row < rows.len() {
        // Rows are written with column a as the highest bit.
        squares |= (rows[row].reverse_bits() as u64) << (8 * row);
        row += 1;
    }
    Shape { name, squares }
}

/// A placement of a shape.
#[derive(Debug, Clone, Copy)]
pub struct ShapePlacement {
    /// The index of the shape in the set.
    pub shape: usize,
    /// The squares. Digit `i` of a configuration belongs to square `i`.
    squares: [u8; MAX_SHAPE_SQUARES],
    len: usize,
}

impl ShapePlacement {
    /// Returns the squares, from the lowest digit of a configuration to the highest.
    #[must_use]
    pub fn squares(&self) -> &[u8] {
        &self.squares[..self.len]
    }
}

/// A set of shapes with their placements on `LANES` lanes. The configuration of an unused lane is
/// always 0.
pub struct ShapeSet<const LANES: usize> {
    /// The name of the set.
    pub name: &'static str,
    shapes: &'static [Shape],
    lanes: [ShapePlacement; LANES],
    used: usize,
    /// For each square, the value that a player's disc adds to the configuration of each lane.
    values: [[i16; LANES]; 64],
    classes: OnceLock<ShapeClasses>,
}

crate::debug_fields!([const LANES: usize] ShapeSet<LANES> { name });

/// The configuration of each lane, from the player's point of view.
pub type Features<const LANES: usize = 64> = [i16; LANES];

impl<const LANES: usize> ShapeSet<LANES> {
    const fn new(name: &'static str, shapes: &'static [Shape]) -> Self {
        let mut lanes = [ShapePlacement { shape: 0, squares: [0; MAX_SHAPE_SQUARES], len: 0 }; LANES];
        let mut values = [[0; LANES]; 64];
        let mut used = 0;
        let mut shape = 0;
        while shape < shapes.len() {
            let first = used;
            let mut k = 0;
            while k < 8 {
                let image = transform::<8>(shapes[shape].squares, k);
                let mut is_new = true;
                let mut other = 0;
                while other < k {
                    is_new &= image != transform::<8>(shapes[shape].squares, other);
                    other += 1;
                }
                if is_new {
                    let mut squares = shapes[shape].squares;
                    let mut value = 1i16;
                    let lane = &mut lanes[used];
                    lane.shape = shape;
                    while squares != 0 {
                        // The digits follow the squares of the shape, so that symmetric boards have
                        // the same configurations.
                        let square = transform::<8>(squares & squares.wrapping_neg(), k).trailing_zeros() as usize;
                        lane.squares[lane.len] = square as u8;
                        lane.len += 1;
                        values[square][used] = value;
                        value = value.wrapping_mul(3);
                        squares &= squares - 1;
                    }
                    used += 1;
                }
                k += 1;
            }
            assert!(used > first, "a shape has a placement");
            shape += 1;
        }
        Self { name, shapes, lanes, used, values, classes: OnceLock::new() }
    }

    /// Returns the shapes.
    #[must_use]
    pub fn shapes(&self) -> &'static [Shape] {
        self.shapes
    }

    /// Returns a 32-bit hash of the name and the shapes.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let name = Fnv1a::new().add_bytes(self.name.as_bytes());
        self.shapes.iter().fold(name, |hash, shape| hash.add_bytes(&shape.squares.to_le_bytes())).folded()
    }

    /// Returns the placements, shape by shape.
    #[must_use]
    pub fn placements(&self) -> &[ShapePlacement] {
        &self.lanes[..self.used]
    }

    /// Returns the features of a board.
    ///
    /// ```
    /// use morello::othello::{Position, engine::patterns::ORDER};
    ///
    /// let board = Position::default().board();
    /// let features = ORDER.features(board);
    /// // From the opponent's point of view, each configuration is the negative.
    /// assert_eq!(ORDER.features(board.pass()), features.map(|configuration| -configuration));
    /// assert!(features[ORDER.placements().len()..].iter().all(|&unused| unused == 0));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn features(&self, board: Board<8>) -> Features<LANES> {
        let (player, opponent) = (self.sum(board.player), self.sum(board.opponent));
        std::array::from_fn(|lane| player[lane].wrapping_sub(opponent[lane]))
    }

    /// Returns the values that a player's discs on `squares` add to the configurations. They may
    /// wrap around.
    #[inline(always)]
    fn sum(&self, squares: u64) -> Features<LANES> {
        let mut sum = [0i16; LANES];
        for square in bits(squares) {
            let values = &self.values[square as usize & 63];
            for lane in 0..LANES {
                sum[lane] = sum[lane].wrapping_add(values[lane]);
            }
        }
        sum
    }

    /// Returns the features after a move, for the new side to move.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, features: &Features<LANES>, square: Square, flips: SquareSet) -> Features<LANES> {
        let flipped = self.sum(flips.bits());
        let placed = &self.values[square.index() & 63];
        // A flip from -1 to 1 counts twice. Intermediate sums may wrap around, but the result fits
        // into 16 bits.
        std::array::from_fn(|lane| {
            let gain = placed[lane].wrapping_add(flipped[lane]).wrapping_add(flipped[lane]);
            features[lane].wrapping_add(gain).wrapping_neg()
        })
    }

    /// Returns the features after a pass.
    #[inline]
    #[must_use]
    pub fn after_pass(features: &Features<LANES>) -> Features<LANES> {
        features.map(|feature| -feature)
    }
}

/// The shapes of the evaluation: 62 placements.
pub static FULL: ShapeSet<64> = ShapeSet::new(
    "full",
    &[
        shape("corner 3x3", &[0b1110_0000, 0b1110_0000, 0b1110_0000]),
        shape("angle and X", &[0b1111_1000, 0b1100_0000, 0b1000_0000, 0b1000_0000, 0b1000_0000]),
        shape("edge and 2X", &[0b1111_1111, 0b0100_0010]),
        shape("edge block", &[0b1011_1101, 0b0011_1100]),
        shape("corner triangle", &[0b1111_0000, 0b1110_0000, 0b1100_0000, 0b1000_0000]),
        shape("corner 2x5", &[0b1111_1000, 0b1111_1000]),
        shape("kite", &[0b1100_0000, 0b1111_1000, 0b0100_0000, 0b0100_0000, 0b0100_0000]),
        shape("row 2", &[0, 0b1111_1111]),
        shape("row 3", &[0, 0, 0b1111_1111]),
        shape("row 4", &[0, 0, 0, 0b1111_1111]),
        shape("diagonal 8", &[0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01]),
        shape("diagonal 7", &[0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01]),
        shape("diagonal 6", &[0x20, 0x10, 0x08, 0x04, 0x02, 0x01]),
        shape("diagonal 5", &[0x10, 0x08, 0x04, 0x02, 0x01]),
        shape("diagonal 4", &[0x08, 0x04, 0x02, 0x01]),
    ],
);

/// The shapes of the small evaluation for move ordering near the end: 16 placements.
pub static ORDER: ShapeSet<16> = ShapeSet::new(
    "order",
    &[
        shape("corner 3x3", &[0b1110_0000, 0b1110_0000, 0b1110_0000]),
        shape("edge and 2X", &[0b1111_1111, 0b0100_0010]),
        shape("edge block", &[0b1011_1101, 0b0011_1100]),
        shape("corner triangle", &[0b1111_0000, 0b1110_0000, 0b1100_0000, 0b1000_0000]),
    ],
);

/// Returns the features of [`ORDER`]. Its shapes are shapes 0, 2, 3 and 4 of [`FULL`].
#[inline(always)]
#[must_use]
pub fn order_features(features: &Features) -> Features<16> {
    std::array::from_fn(|lane| features[if lane < 4 { lane } else { lane + 4 }])
}

/// The classes of a set of shapes. Configurations that are images of each other under a symmetry of
/// their shape form a class and share a weight.
pub struct ShapeClasses {
    /// The class of each configuration of each shape, indexed by the configuration as an unsigned
    /// number.
    of: Vec<Vec<u32>>,
    shape_of: Vec<usize>,
    count: usize,
}

crate::debug_fields!(ShapeClasses { count });

impl ShapeClasses {
    /// Numbers the classes of a set, shape by shape.
    #[must_use]
    pub fn new<const LANES: usize>(set: &ShapeSet<LANES>) -> Self {
        let mut total = 0;
        let mut of = Vec::new();
        for (index, shape) in set.shapes.iter().enumerate() {
            let first = set.placements().iter().find(|lane| lane.shape == index).expect("every shape has a placement");
            let symmetries = shape_symmetries(shape.squares, first.squares());
            let count = 3i32.pow(first.len as u32);
            let mut classes = vec![u32::MAX; 1 << 16];
            for index in 0..count {
                let least = symmetries.iter().map(|symmetry| symmetry.image(index as usize)).min();
                let least = least.expect("the identity is a symmetry");
                // Configurations are visited in ascending order, so the smallest one of a class is
                // numbered first.
                let configuration = index - count / 2;
                if least == configuration {
                    classes[configuration as u16 as usize] = total;
                    total += 1;
                } else {
                    classes[configuration as u16 as usize] = classes[least as u16 as usize];
                }
            }
            of.push(classes);
        }
        let shape_of = set.placements().iter().map(|lane| lane.shape).collect();
        Self { of, shape_of, count: total as usize }
    }

    /// Returns the classes of a static set, computed once.
    #[must_use]
    pub fn of_set<const LANES: usize>(set: &'static ShapeSet<LANES>) -> &'static Self {
        set.classes.get_or_init(|| Self::new(set))
    }

    /// Returns the number of classes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the class of a configuration on a lane, a number below [`count`](Self::count).
    #[inline]
    #[must_use]
    pub fn class(&self, lane: usize, configuration: i16) -> u32 {
        self.of[self.shape_of[lane]][configuration as u16 as usize]
    }

    /// Returns the configurations of a shape, each with its class.
    pub fn of_shape(&self, shape: usize) -> impl Iterator<Item = (i16, u32)> {
        let classes = self.of[shape].iter().enumerate();
        classes.filter(|&(_, &class)| class != u32::MAX).map(|(index, &class)| (index as u16 as i16, class))
    }
}

/// A symmetry of the board that maps the squares of a shape to themselves.
struct ShapeSymmetry {
    /// The values that the lower and the upper half of a configuration's digits add to its image.
    halves: [Vec<i32>; 2],
}

/// The number of digits in the lower half.
const HALF: u32 = MAX_SHAPE_SQUARES as u32 / 2;

impl ShapeSymmetry {
    /// Returns the image of the configuration with an index, counted from the smallest
    /// configuration.
    fn image(&self, index: usize) -> i32 {
        let half = 3usize.pow(HALF);
        self.halves[0][index % half] + self.halves[1][index / half]
    }
}

/// Returns the symmetries that map a shape to itself. `squares` lists its squares in the order of
/// the digits.
fn shape_symmetries(shape: u64, squares: &[u8]) -> Vec<ShapeSymmetry> {
    let symmetries = (0..8).filter(|&k| transform::<8>(shape, k) == shape);
    let symmetry = |k: usize| {
        // The place value to which each digit moves.
        let values: Vec<i32> = squares
            .iter()
            .map(|&square| {
                let image = transform::<8>(1 << square, k).trailing_zeros() as u8;
                let place = squares.iter().position(|&other| other == image).expect("the shape maps to itself");
                3i32.pow(place as u32)
            })
            .collect();
        let (lower, upper) = values.split_at(values.len().min(HALF as usize));
        ShapeSymmetry { halves: [lower, upper].map(sums) }
    };
    symmetries.map(symmetry).collect()
}

/// Returns the weighted sums of the values for all combinations of the weights -1, 0 and 1. The
/// first weight changes fastest.
fn sums(values: &[i32]) -> Vec<i32> {
    values
        .iter()
        .rev()
        .fold(vec![0], |sums, value| sums.iter().flat_map(|sum| [-1, 0, 1].map(|digit| sum + digit * value)).collect())
}
