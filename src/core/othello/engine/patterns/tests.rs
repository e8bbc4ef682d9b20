use std::collections::HashMap;

use super::*;
use crate::game::{Element as _, bits};
use crate::othello::tests::random_position;
use crate::othello::{Board, Position, Square, SquareSet};

/// Computes the features square by square.
fn naive<const LANES: usize>(set: &ShapeSet<LANES>, board: Board<8>) -> Features<LANES> {
    let mut features = [0; LANES];
    for (feature, lane) in features.iter_mut().zip(set.placements()) {
        for &square in lane.squares().iter().rev() {
            let digit = (board.player >> square & 1) as i16 - (board.opponent >> square & 1) as i16;
            *feature = *feature * 3 + digit;
        }
    }
    features
}

fn check_moves<const LANES: usize>(set: &ShapeSet<LANES>) {
    for seed in 0..100 {
        let board = random_position::<8>(seed, 1 + seed as u32 % 55).board();
        let features = set.features(board);
        assert_eq!(features, naive(set, board));
        assert_eq!(order_features(&FULL.features(board)), naive(&ORDER, board));
        assert_eq!(ShapeSet::after_pass(&features), naive(set, board.pass()));
        for square in bits(board.move_bits()) {
            let flips = board.flip_bits(square);
            assert_eq!(
                set.after(&features, Square::from_bit(square), SquareSet::new(flips)),
                naive(set, board.flip(square, flips))
            );
        }
    }
}

#[test]
fn incremental_features_equal_recomputed_features() {
    check_moves(&FULL);
    check_moves(&ORDER);
}

#[test]
fn shape_sets_have_the_documented_placements() {
    assert_eq!((FULL.placements().len(), ORDER.placements().len()), (62, 16));
    let corners: Vec<_> = FULL.placements().iter().filter(|lane| lane.shape == 0).collect();
    assert!(corners.iter().all(|lane| lane.squares().len() == 9) && corners.len() == 4);
    for square in 0..64 {
        assert!(
            FULL.placements().iter().any(|lane| lane.squares().contains(&square)),
            "no shape contains square {square}"
        );
    }
}

#[test]
fn symmetric_boards_have_the_same_classes() {
    let classes = ShapeClasses::new(&FULL);
    let classes_of = |board: Board<8>| {
        let features = FULL.features(board);
        let mut found: Vec<u32> =
            (0..FULL.placements().len()).map(|lane| classes.class(lane, features[lane])).collect();
        found.sort_unstable();
        found
    };
    for seed in 0..50 {
        let board = random_position::<8>(seed, 1 + seed as u32).board();
        for k in 1..8 {
            assert_eq!(classes_of(board.transform(k)), classes_of(board), "{board:?}, {k}");
        }
    }
}

#[test]
fn classes_contain_only_symmetric_configurations() {
    let classes = ShapeClasses::new(&ORDER);
    // With one reflection, the number of classes is half the number of all configurations plus the
    // symmetric ones: 3^9 and 3^6, 3^10 and 3^5 (twice), 3^10 and 3^6.
    assert_eq!(classes.count(), 10_206 + 29_646 + 29_646 + 29_889);
    // A class consists of two mirrored configurations or one symmetric configuration.
    let mut sizes = HashMap::new();
    for (_, class) in classes.of_shape(1) {
        *sizes.entry(class).or_insert(0) += 1;
    }
    assert!(sizes.values().all(|&size| size == 1 || size == 2));
}

#[test]
fn an_evaluation_is_the_sum_of_the_weights_of_the_ply() {
    let classes = ShapeClasses::new(&FULL);
    let mut weights = Weights::zero(classes.count());
    for (ply, values) in weights.plies.iter_mut().enumerate() {
        for (class, value) in values.iter_mut().enumerate() {
            *value = ((class * 31 + ply * 7) % 401) as i16 - 200;
        }
    }
    let evaluation = PatternEvaluation::new(&FULL, weights.clone());
    for seed in 0..60 {
        let position: Position = random_position(seed, seed as u32);
        let board = position.board();
        let features = FULL.features(board);
        let values = &weights.plies[60 - board.empty_count() as usize];
        let sum: i32 = (0..62).map(|lane| i32::from(values[classes.class(lane, features[lane]) as usize])).sum();
        assert_eq!(evaluation.units(&features, board.empty_count()), sum, "{position}");
    }
}
