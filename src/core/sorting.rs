//! Sorting for lists that are sorted only once. The sort is stable and compiled once, not once per
//! type and order.

use std::cmp::Ordering;

/// Sorts a list. Equal items keep their order.
pub fn sort_by<T>(items: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    // For each index, the index of its item before sorting.
    let mut order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    for first in 0..items.len() {
        let mut place = first;
        while order[place] != first {
            let from = std::mem::replace(&mut order[place], place);
            items.swap(place, from);
            place = from;
        }
        order[place] = place;
    }
}

/// Returns the numbers below `count`, sorted by `compare`. Equal numbers are in ascending order.
#[must_use]
pub fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::RandomNumbers;

    #[test]
    fn sorts_as_the_standard_library() {
        let mut numbers = RandomNumbers::new(0);
        for len in (0..40).chain([1000]) {
            let items: Vec<(usize, String)> = (0..len).map(|at| (numbers.below(len / 2 + 1), at.to_string())).collect();
            let (mut sorted, mut expected) = (items.clone(), items.clone());
            sort_by(&mut sorted, &|a, b| a.0.cmp(&b.0));
            expected.sort_by_key(|item| item.0);
            assert_eq!(sorted, expected);
            sort_by(&mut sorted, &|a, b| b.1.cmp(&a.1));
            expected.sort_by(|a, b| b.1.cmp(&a.1));
            assert_eq!(sorted, expected);
        }
    }
}
