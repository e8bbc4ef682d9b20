//! Square sets: corners, the squares next to them, and quadrants.

use super::Board;

/// Square sets on a board of `N` x `N` squares.
pub(super) struct Geometry<const N: usize>;

impl<const N: usize> Geometry<N> {
    /// The four corners.
    pub const CORNERS: u64 = (1 | 1 << (N - 1)) * (1 | 1 << (8 * (N - 1)));

    /// The squares diagonally adjacent to the corners; a disc there often gives up the corner.
    pub const X_SQUARES: u64 = (0b10 | 0b10 << (N - 3)) * (1 << 8 | 1 << (8 * (N - 2)));

    /// The edge squares adjacent to the corners.
    pub const C_SQUARES: u64 = {
        let near = 0b10 | 1 << (N - 2);
        let rows = near * (1 | 1 << (8 * (N - 1)));
        let edge = 1 | 1 << (N - 1);
        rows | (edge * (1 << 8 | 1 << (8 * (N - 2))))
    };

    /// The edge squares that are neither corners nor next to a corner.
    pub const EDGE_CENTERS: u64 = {
        let row = (1 << N) - 1;
        let column = Board::<N>::SQUARES.bits() & 0x0101_0101_0101_0101;
        let edges = row | row << (8 * (N - 1)) | column | column << (N - 1);
        edges & !(Self::CORNERS | Self::C_SQUARES)
    };

    /// The four quarters of the board.
    pub const QUADRANTS: [u64; 4] = {
        let half = N / 2;
        let west = (0x0101_0101_0101_0101u64 * ((1 << half) - 1)) & Board::<N>::SQUARES.bits();
        let north = Board::<N>::SQUARES.bits() & ((1u64 << (8 * half)) - 1);
        let (east, south) = (Board::<N>::SQUARES.bits() & !west, Board::<N>::SQUARES.bits() & !north);
        [north & west, north & east, south & west, south & east]
    };

    /// Returns the index of a square's quadrant in [`Self::QUADRANTS`].
    #[inline]
    pub const fn quadrant(square: u32) -> u32 {
        let half = N as u32 / 2;
        (square % 8 >= half) as u32 | ((square / 8 >= half) as u32) << 1
    }

    /// Returns a set of squares together with all adjacent squares, including diagonal ones.
    pub const fn around(squares: u64) -> u64 {
        let rows = squares | (squares << 1 & 0xfefe_fefe_fefe_fefe) | (squares >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
        (rows | rows << 8 | rows >> 8) & Board::<N>::SQUARES.bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_x_squares_and_c_squares_are_correct() {
        assert_eq!(Geometry::<8>::X_SQUARES, 1 << 9 | 1 << 14 | 1 << 49 | 1 << 54);
        assert_eq!(Geometry::<8>::C_SQUARES.count_ones(), 8);
        assert_eq!(Geometry::<4>::CORNERS, 1 | 1 << 3 | 1 << 24 | 1 << 27);
        assert_eq!(Geometry::<4>::X_SQUARES, 1 << 9 | 1 << 10 | 1 << 17 | 1 << 18);
    }

    #[test]
    fn each_square_is_in_exactly_one_quadrant() {
        fn check<const N: usize>() {
            for square in Board::<N>::SQUARES {
                let holds = |index: &u32| Geometry::<N>::QUADRANTS[*index as usize] >> square.index() & 1 != 0;
                assert_eq!((0..4).filter(holds).collect::<Vec<_>>(), [Geometry::<N>::quadrant(square.index() as u32)]);
            }
        }
        check::<8>();
        check::<6>();
        check::<4>();
    }
}
