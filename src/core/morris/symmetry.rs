//! [`Symmetries`]: the symmetry group of a board, computed at compile time.
//!
//! A symmetry is a permutation of the points that maps edges to edges and mills to mills. The
//! search assigns images point by point; each point after the first is a neighbor of an earlier
//! one, which leaves few candidates, so the whole search takes a few thousand steps. A board with
//! several squares has 16 symmetries. Eight are the symmetries of a square; the others also
//! exchange the outer and the inner square.

use super::MAX_POINTS;

/// The size of the largest symmetry group.
const MAX_SYMMETRIES: usize = 16;
/// Images also exist for numbers that are not points (31 for the hand or no capture). These numbers
/// map to themselves.
const NUMBERS: usize = 32;

/// The symmetries of a board, the identity first.
#[derive(Debug)]
pub struct Symmetries {
    len: usize,
    images: [[u8; NUMBERS]; MAX_SYMMETRIES],
    /// The images of all sets of eight points, under all symmetries in one array for vector
    /// instructions, padded with the identity.
    sets: [Images; MAX_POINTS / 8],
}

/// The images of each set of eight points.
type Images = [[u32; MAX_SYMMETRIES]; 256];

impl Symmetries {
    /// Finds the permutations of `len` points that preserve neighbors and mills.
    pub(super) const fn of(len: usize, neighbors: &[u32; MAX_POINTS], mills: &[u32]) -> Self {
        let order = connected_order(len, neighbors);
        let mut found =
            Self { len: 0, images: [[0; NUMBERS]; MAX_SYMMETRIES], sets: [[[0; MAX_SYMMETRIES]; 256]; MAX_POINTS / 8] };
        let mut image = [0u8; NUMBERS];
        let mut number = 0;
        while number < NUMBERS {
            image[number] = number as u8;
            number += 1;
        }
        // For each depth of the search, the images that have not been tried, and the points that
        // are already used as images.
        let mut places = [0u32; MAX_POINTS + 1];
        let mut taken = 0u32;
        places[0] = ((1u64 << len) - 1) as u32;
        let mut depth = 0;
        loop {
            if places[depth] == 0 {
                if depth == 0 {
                    break;
                }
                depth -= 1;
                taken &= !(1 << image[order[depth] as usize]);
                continue;
            }
            let place = places[depth].trailing_zeros();
            places[depth] &= places[depth] - 1;
            image[order[depth] as usize] = place as u8;
            if depth + 1 == len {
                if keeps_mills(&image, mills) {
                    found.images[found.len] = image;
                    found.len += 1;
                }
                continue;
            }
            taken |= 1 << place;
            depth += 1;
            let point = order[depth] as usize;
            let mut free = ((1u64 << len) - 1) as u32 & !taken;
            let mut i = 0;
            while i < depth {
                if neighbors[point] & 1 << order[i] != 0 {
                    free &= neighbors[image[order[i] as usize] as usize];
                }
                i += 1;
            }
            places[depth] = free;
        }
        let mut p = 0;
        while p < len {
            assert!(
                found.images[0][p] as usize == p,
                "images are tried from the lowest, so the identity is found first"
            );
            p += 1;
        }
        let mut k = 0;
        while k < MAX_SYMMETRIES {
            let image = found.images[if k < found.len { k } else { 0 }];
            add_images_of_sets(&mut found.sets, k, &image);
            k += 1;
        }
        found
    }

    /// Returns the number of symmetries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the image of a point under the `k`-th symmetry.
    #[inline]
    #[must_use]
    pub const fn point(&self, k: usize, point: u32) -> u32 {
        self.images[k][point as usize] as u32
    }

    /// Returns the image of a set of points under the `k`-th symmetry.
    #[inline]
    #[must_use]
    pub const fn set(&self, k: usize, points: u32) -> u32 {
        self.sets[0][(points & 255) as usize][k]
            | self.sets[1][(points >> 8 & 255) as usize][k]
            | self.sets[2][(points >> 16 & 255) as usize][k]
    }

    /// Returns the symmetry for which the images of the two sets are smallest in lexicographic
    /// order, and these images. If several symmetries give the same images, the first one is
    /// returned.
    #[inline]
    #[must_use]
    pub fn least(&self, first: u32, second: u32) -> (usize, u32, u32) {
        let images = |points: u32| {
            let [a, b, c, _] = points.to_le_bytes().map(usize::from);
            (&self.sets[0][a], &self.sets[1][b], &self.sets[2][c])
        };
        let (first, second) = (images(first), images(second));
        let mut least = i64::MAX;
        // The loop runs over all 16 symmetries without branches, so the compiler vectorizes it.
        for k in 0..MAX_SYMMETRIES {
            let one = first.0[k] | first.1[k] | first.2[k];
            let other = second.0[k] | second.1[k] | second.2[k];
            least = least.min(i64::from(one) << 32 | i64::from(other) << 8 | k as i64);
        }
        let k = (least & 0xff) as usize;
        (k, (least >> 32) as u32, (least >> 8) as u32 & 0xff_ffff)
    }
}

/// Orders the points so that each point except the first is a neighbor of an earlier one.
const fn connected_order(len: usize, neighbors: &[u32; MAX_POINTS]) -> [u8; MAX_POINTS] {
    let mut order = [0; MAX_POINTS];
    let (mut n, mut done, mut seen) = (1, 0, 1u32);
    while done < n {
        let mut new = neighbors[order[done] as usize] & !seen;
        seen |= new;
        while new != 0 {
            order[n] = new.trailing_zeros() as u8;
            new &= new - 1;
            n += 1;
        }
        done += 1;
    }
    assert!(n == len, "the lines connect all points");
    order
}

const fn keeps_mills(image: &[u8; NUMBERS], mills: &[u32]) -> bool {
    let mut i = 0;
    while i < mills.len() {
        let (mut mill, mut rest) = (0, mills[i]);
        while rest != 0 {
            mill |= 1 << image[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        let mut j = 0;
        while mills[j] != mill {
            j += 1;
            if j == mills.len() {
                return false;
            }
        }
        i += 1;
    }
    true
}

const fn add_images_of_sets(sets: &mut [Images; MAX_POINTS / 8], k: usize, image: &[u8; NUMBERS]) {
    let mut byte = 0;
    while byte < sets.len() {
        let mut set = 1;
        while set < 256usize {
            let lowest = set.trailing_zeros() as usize;
            sets[byte][set][k] = sets[byte][set & (set - 1)][k] | 1 << image[8 * byte + lowest];
            set += 1;
        }
        byte += 1;
    }
}
