//! [`ErrorStatistics`]: the errors of estimates.

/// Statistics of errors (estimate minus score), in discs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorStatistics {
    /// The number of errors.
    pub count: u64,
    sum: f64,
    sum_absolute: f64,
    sum_squared: f64,
}

impl ErrorStatistics {
    /// Adds an error.
    pub fn add(&mut self, error: f64) {
        self.count += 1;
        self.sum += error;
        self.sum_absolute += error.abs();
        self.sum_squared += error * error;
    }

    /// Returns the statistics of both sets of errors together.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            sum_absolute: self.sum_absolute + other.sum_absolute,
            sum_squared: self.sum_squared + other.sum_squared,
        }
    }

    /// Encodes the statistics for [`from_bytes`](Self::from_bytes).
    pub(super) fn to_bytes(self) -> [u8; 32] {
        let words = [self.count, self.sum.to_bits(), self.sum_absolute.to_bits(), self.sum_squared.to_bits()];
        bytemuck::cast(words.map(u64::to_le_bytes))
    }

    pub(super) fn from_bytes(bytes: [u8; 32]) -> Self {
        let [count, sum, absolute, squared] = bytemuck::cast::<_, [[u8; 8]; 4]>(bytes).map(u64::from_le_bytes);
        let float = f64::from_bits;
        Self { count, sum: float(sum), sum_absolute: float(absolute), sum_squared: float(squared) }
    }

    /// Returns the mean absolute error; `None` without errors.
    #[must_use]
    pub fn mean_absolute(&self) -> Option<f64> {
        self.mean_of(self.sum_absolute)
    }

    /// Returns the root mean square error; `None` without errors.
    #[must_use]
    pub fn root_mean_square(&self) -> Option<f64> {
        self.mean_of(self.sum_squared).map(f64::sqrt)
    }

    /// Returns the mean error, positive if estimates are too high; `None` without errors.
    #[must_use]
    pub fn bias(&self) -> Option<f64> {
        self.mean_of(self.sum)
    }

    fn mean_of(&self, sum: f64) -> Option<f64> {
        (self.count > 0).then(|| sum / self.count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_errors_have_the_means_of_all_samples() {
        let of = |errors: &[f64]| {
            let mut all = ErrorStatistics::default();
            errors.iter().for_each(|&error| all.add(error));
            all
        };
        let errors = of(&[1.0, -7.0]).merge(of(&[]));
        assert_eq!((errors.count, errors.mean_absolute(), errors.bias()), (2, Some(4.0), Some(-3.0)));
        assert_eq!(errors.root_mean_square(), Some(5.0));
        assert_eq!(of(&[1.0]).merge(of(&[-7.0])), errors);
        assert_eq!(of(&[]).mean_absolute(), None);
        assert_eq!(ErrorStatistics::from_bytes(errors.to_bytes()), errors);
    }
}
