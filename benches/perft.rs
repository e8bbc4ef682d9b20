//! Perft on one thread: plain, with equal positions merged, and the last two plies alone.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use morello::game::{Cancel, CountLeaves, Position as _};
use morello::morris::{self, Morabaraba, NineMensMorris};
use morello::othello;
use morello::perft::{Convention, count, frontier};

fn perft<P: CountLeaves>(c: &mut Criterion, name: &str, position: &str, depth: u32, nodes: u64) {
    let position: P = if position == "start" { P::default() } else { position.parse().expect("a position") };
    c.bench_function(&format!("perft/{name}/{depth}"), |b| {
        b.iter(|| assert_eq!(count(black_box(&position), depth, Convention::PassesCount), nodes));
    });
}

/// Counts equal and symmetric positions of an intermediate ply once.
fn merged<P: CountLeaves>(c: &mut Criterion, name: &str, depth: u32, nodes: u64) {
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    let (start, cancel) = (P::default(), Cancel::new());
    c.bench_function(&format!("perft merged/{name}/{depth}"), |b| {
        b.iter(|| {
            let count = || {
                let start = black_box(&start);
                frontier(start, depth, Convention::PassesCount, 1 << 30, &cancel, &|_, _| ())?.count(
                    &[],
                    &cancel,
                    &|_, _| (),
                )
            };
            assert_eq!(pool.install(count), Some(nodes));
        });
    });
}

/// Counts the leaves two plies below a midgame position.
fn two_plies(c: &mut Criterion) {
    let position: othello::Position =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse().expect("a position");
    let nodes: usize = position.legal_moves().map(|m| position.after(m).count_moves()).sum();
    c.bench_function("perft/othello/two plies", |b| {
        b.iter(|| assert_eq!(black_box(&position).count_leaves(2, &mut |_, _| ()), nodes as u64));
    });
}

fn benches(c: &mut Criterion) {
    two_plies(c);
    perft::<othello::Position>(c, "othello", "start", 10, 24_571_056);
    perft::<othello::Position>(c, "othello", "start", 11, 212_258_216);
    perft::<othello::SizedPosition<6>>(c, "othello-6x6", "start", 9, 2_114_912);
    perft::<morris::Position<NineMensMorris>>(c, "nine-mens-morris", "start", 5, 5_140_800);
    perft::<morris::Position<Morabaraba>>(c, "morabaraba", "start", 5, 5_150_880);
    merged::<othello::Position>(c, "othello", 11, 212_258_216);
    merged::<othello::Position>(c, "othello", 12, 1_939_879_668);
    merged::<morris::Position<NineMensMorris>>(c, "nine-mens-morris", 8, 34_085_204_352);
    let full = "0,0 a1,a4,b2,b6,c3,d7,e4,f6,g1 a7,b4,c5,d1,d5,e3,f2,f4,g7 W";
    perft::<morris::Position<NineMensMorris>>(c, "nine-mens-morris moving", full, 6, 1_254_562);
}

criterion_group! {
    name = group;
    config = Criterion::default().sample_size(10);
    targets = benches
}
criterion_main!(group);
