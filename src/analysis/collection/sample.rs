//! [`GameSample`]: a uniform random sample of a stream.

use morello_core::game::RandomNumbers;
use morello_core::sorting;

/// A uniform random sample of a stream of unknown length, in the order of the stream (reservoir
/// sampling). The same seed and stream give the same sample on every machine.
///
/// ```
/// use morello::collection::GameSample;
///
/// let mut sample = GameSample::new(3, 1);
/// (0..1000).for_each(|number| sample.add(number));
/// assert_eq!(sample.seen(), 1000);
/// let drawn = sample.finish();
/// assert!(drawn.len() == 3 && drawn.is_sorted());
/// ```
#[derive(Debug, Clone)]
pub struct GameSample<T> {
    size: usize,
    numbers: RandomNumbers,
    seen: usize,
    /// The sampled items with their numbers in the stream.
    items: Vec<(usize, T)>,
}

impl<T> GameSample<T> {
    /// Creates a sample of at most `size` items.
    #[must_use]
    pub fn new(size: usize, seed: u64) -> Self {
        Self { size, numbers: RandomNumbers::new(seed), seen: 0, items: Vec::new() }
    }

    /// Adds the next item of the stream.
    pub fn add(&mut self, item: T) {
        let number = self.seen;
        self.seen += 1;
        if number < self.size {
            self.items.push((number, item));
        } else {
            let place = self.numbers.below(self.seen);
            if let Some(kept) = self.items.get_mut(place) {
                *kept = (number, item);
            }
        }
    }

    /// Returns the number of items added.
    #[must_use]
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// Returns the sample, in the order of the stream.
    #[must_use]
    pub fn finish(mut self) -> Vec<T> {
        sorting::sort_by(&mut self.items, &|a, b| a.0.cmp(&b.0));
        self.items.into_iter().map(|(_, item)| item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(size: usize, seed: u64, of: usize) -> Vec<usize> {
        let mut sample = GameSample::new(size, seed);
        (0..of).for_each(|item| sample.add(item));
        assert_eq!(sample.seen(), of);
        sample.finish()
    }

    #[test]
    fn samples_without_repetition_in_order() {
        for (size, of) in [(0, 5), (3, 0), (3, 3), (5, 3), (7, 100)] {
            let items = sample(size, 1, of);
            assert_eq!(items.len(), size.min(of));
            assert!(items.is_sorted_by(|a, b| a < b) && items.iter().all(|&item| item < of), "{items:?}");
        }
        assert_eq!(sample(7, 1, 100), sample(7, 1, 100));
        assert_ne!(sample(7, 1, 100), sample(7, 2, 100));
    }

    #[test]
    fn every_item_is_equally_likely() {
        let mut counts = [0; 10];
        for seed in 0..10_000 {
            sample(3, seed, 10).into_iter().for_each(|item| counts[item] += 1);
        }
        // The standard deviation of a count is 46.
        assert!(counts.iter().all(|count| (2750..3250).contains(count)), "{counts:?}");
    }
}
