//! The inner loops of Othello: flips, moves and stable discs. One iteration processes all boards
//! from random play.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use morello::game::random_game;
use morello::othello::{Board, Position, Square, Stability};

fn benches(c: &mut Criterion) {
    let boards: Vec<Board> =
        (0..4096).map(|seed| random_game::<Position>(seed, 4 + seed as usize % 54).position().board()).collect();
    let pairs: Vec<(Board, Square)> =
        boards.iter().flat_map(|&board| board.empties().iter().map(move |square| (board, square))).collect();

    let mut group = c.benchmark_group("othello");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    let expected = pairs.iter().filter(|(board, square)| board.moves().contains(*square)).count();
    group.bench_function("flips", |b| {
        b.iter(|| {
            let legal = black_box(&pairs).iter().filter(|(board, square)| !board.flips(*square).is_empty()).count();
            assert_eq!(legal, expected);
        });
    });

    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("moves", |b| {
        b.iter(|| {
            let moves: usize = black_box(&boards).iter().map(|board| board.moves().len()).sum();
            assert_eq!(moves, expected);
        });
    });

    let stability = Stability::new();
    let expected: usize = boards.iter().map(|&board| stability.stable_opponent_discs(board.transform(5)).len()).sum();
    group.bench_function("stable discs", |b| {
        b.iter(|| {
            let stable: usize =
                black_box(&boards).iter().map(|&board| stability.stable_opponent_discs(board).len()).sum();
            assert_eq!(stable, expected);
        });
    });
    group.finish();
}

criterion_group!(group, benches);
criterion_main!(group);
