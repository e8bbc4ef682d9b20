//! [`NormalEquations`]: solves linear least-squares problems.

/// The normal equations of a weighted least-squares fit with `N` terms.
pub(super) struct NormalEquations<const N: usize> {
    products: [[f64; N]; N],
    targets: [f64; N],
}

impl<const N: usize> Default for NormalEquations<N> {
    fn default() -> Self {
        Self { products: [[0.0; N]; N], targets: [0.0; N] }
    }
}

impl<const N: usize> NormalEquations<N> {
    /// Adds an equation: the sum of the factors times `terms` should be `target`, with this weight.
    pub fn add(&mut self, terms: [f64; N], target: f64, weight: f64) {
        for i in 0..N {
            self.targets[i] += weight * terms[i] * target;
            for j in 0..N {
                self.products[i][j] += weight * terms[i] * terms[j];
            }
        }
    }

    /// Solves for the factors of the terms by Gaussian elimination; `None` if the system is
    /// singular.
    pub fn solve(mut self) -> Option<[f64; N]> {
        for column in 0..N {
            let magnitude = |row: &usize| self.products[*row][column].abs();
            let pivot = (column..N).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))?;
            if magnitude(&pivot) < 1e-9 {
                return None;
            }
            self.products.swap(column, pivot);
            self.targets.swap(column, pivot);
            for row in column + 1..N {
                let factor = self.products[row][column] / self.products[column][column];
                for k in column..N {
                    self.products[row][k] -= factor * self.products[column][k];
                }
                self.targets[row] -= factor * self.targets[column];
            }
        }
        let mut factors = [0.0; N];
        for row in (0..N).rev() {
            let solved: f64 = (row + 1..N).map(|k| self.products[row][k] * factors[k]).sum();
            factors[row] = (self.targets[row] - solved) / self.products[row][row];
        }
        Some(factors).filter(|factors| factors.iter().all(|factor| factor.is_finite()))
    }
}
