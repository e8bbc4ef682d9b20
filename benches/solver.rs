//! The exact solver on positions from random play, on one thread with a table of 16 MiB that is
//! cleared before each position. The generic search, run to the end of the game, confirmed the sums
//! of the scores with 12 and 16 empty squares.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use morello::game::{Limits, random_game};
use morello::othello::engine::Solver;
use morello::othello::{Board, Position};

fn solve(c: &mut Criterion, empties: u32, positions: u64, sum: i32) {
    let boards: Vec<Board> = (0..)
        .map(|seed| random_game::<Position>(seed, 60 - empties as usize).position().board())
        .filter(|board| board.empty_count() == empties && !board.is_over())
        .take(positions as usize)
        .collect();
    let mut group = c.benchmark_group("solver");
    group.throughput(Throughput::Elements(positions)).sample_size(10);
    let mut solver = Solver::<8>::new(16 << 20);
    group.bench_function(format!("{empties} empties"), |b| {
        b.iter(|| {
            let score = |&board: &Board| {
                solver.clear();
                let solution = solver.solution(board, &Limits::exact());
                solution.score().expect("the solve has no limits")
            };
            assert_eq!(black_box(&boards).iter().map(score).sum::<i32>(), sum);
        });
    });
    group.finish();
}

fn benches(c: &mut Criterion) {
    solve(c, 12, 500, 3354);
    solve(c, 14, 500, 3106);
    solve(c, 16, 50, 228);
}

criterion_group!(group, benches);
criterion_main!(group);
