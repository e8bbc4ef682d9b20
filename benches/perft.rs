//! Counting from the start, on one thread and without a table.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use morello::game::Position;
use morello::morris::{self, Morabaraba, NineMensMorris};
use morello::othello;
use morello::perft::{Convention, count};

fn perft<P: Position>(c: &mut Criterion, name: &str, position: &str, depth: u32, nodes: u64) {
    let position: P = if position == "start" { P::default() } else { position.parse().expect("a position") };
    c.bench_function(&format!("perft/{name}/{depth}"), |b| {
        b.iter(|| assert_eq!(count(black_box(&position), depth, Convention::PassesCount), nodes));
    });
}

fn benches(c: &mut Criterion) {
    perft::<othello::Position>(c, "othello", "start", 11, 212_258_216);
    perft::<othello::Position<6>>(c, "othello-6x6", "start", 9, 2_114_912);
    perft::<morris::Position<NineMensMorris>>(c, "nine-mens-morris", "start", 5, 5_140_800);
    perft::<morris::Position<Morabaraba>>(c, "morabaraba", "start", 5, 5_150_880);
    let full = "0,0 a1,a4,b2,b6,c3,d7,e4,f6,g1 a7,b4,c5,d1,d5,e3,f2,f4,g7 W";
    perft::<morris::Position<NineMensMorris>>(c, "nine-mens-morris moving", full, 6, 1_254_562);
}

criterion_group! {
    name = group;
    config = Criterion::default().sample_size(10);
    targets = benches
}
criterion_main!(group);
