//! The trained evaluation on positions from random play: features of a board, their update by a
//! move, and evaluations.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use morello::game::random_game;
use morello::othello::engine::TrainedEvaluation;
use morello::othello::engine::patterns::{FULL, Features, ORDER, ShapeSet};
use morello::othello::{self, Board, Square, SquareSet};

/// Enough positions that their weights do not all fit into the fastest cache.
const POSITIONS: u64 = 4096;

/// Returns boards with a number of empty squares on which the player can move.
fn boards(empties: u32) -> Vec<Board> {
    let board = |seed| random_game::<othello::Position>(seed, 60 - empties as usize).position().board();
    (0..)
        .map(board)
        .filter(|board| board.empty_count() == empties && !board.moves().is_empty())
        .take(POSITIONS as usize)
        .collect()
}

fn evaluation<const LANES: usize>(
    c: &mut Criterion,
    set: &'static ShapeSet<LANES>,
    evaluate: &dyn Fn(&Features<LANES>, Board) -> i32,
    empties: u32,
) {
    let boards = boards(empties);
    let features: Vec<Features<LANES>> = boards.iter().map(|&board| set.features(board)).collect();
    let moves: Vec<(Square, SquareSet)> = boards
        .iter()
        .map(|board| {
            let square = board.moves().iter().next().expect("there is a move");
            (square, board.flips(square))
        })
        .collect();
    for ((board, features), &(square, flips)) in boards.iter().zip(&features).zip(&moves) {
        assert_eq!(set.after(features, square, flips), set.features(board.after(square).expect("the move is legal")));
    }
    let mut group = c.benchmark_group(format!("evaluation/{}/{empties}", set.name));
    group.throughput(Throughput::Elements(POSITIONS));
    group.bench_function("features", |b| {
        b.iter(|| {
            for &board in &boards {
                black_box(set.features(black_box(board)));
            }
        });
    });
    group.bench_function("after a move", |b| {
        b.iter(|| {
            for (features, &(square, flips)) in features.iter().zip(&moves) {
                black_box(set.after(black_box(features), square, flips));
            }
        });
    });
    let sum = || {
        features
            .iter()
            .zip(&boards)
            .map(|(features, &board)| i64::from(evaluate(black_box(features), board)))
            .sum::<i64>()
    };
    let expected = sum();
    group.bench_function("evaluation", |b| b.iter(|| assert_eq!(sum(), expected)));
    group.finish();
}

fn benches(c: &mut Criterion) {
    let trained = TrainedEvaluation::built_in();
    evaluation(c, &FULL, &|_, board| trained.full.evaluate(board), 30);
    evaluation(c, &ORDER, &|features, board| trained.order.units(features, board.empty_count()), 10);
}

criterion_group!(group, benches);
criterion_main!(group);
