//! Searches to a fixed depth with an empty table, on one thread. Every run must give the same line
//! and number of nodes as the first.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use morello::game::{EngineOptions, Game, Limits, Playable, random_game};
use morello::morris::{self, Morabaraba, NineMensMorris};
use morello::othello;

fn search<P: Playable>(c: &mut Criterion, name: &str, game: &Game<P>, depth: u32) {
    let mut searcher = P::searcher(&EngineOptions::new(16 << 20)).expect("the default options are valid");
    let mut run = || {
        searcher.clear();
        searcher.best(game, &Limits::depth(depth))
    };
    let first = run();
    assert_eq!(first.depth, depth);
    c.bench_function(&format!("search/{}/{name}/{depth}", P::INFO.name), |b| {
        b.iter(|| {
            let report = black_box(run());
            assert_eq!((report.nodes, report.best()), (first.nodes, first.best()));
        });
    });
}

fn benches(c: &mut Criterion) {
    search(c, "start", &Game::new(othello::Position::default()), 8);
    search(c, "midgame", &random_game::<othello::Position>(1, 24), 8);
    search(c, "start", &Game::new(morris::Position::<NineMensMorris>::default()), 6);
    search(c, "moving", &random_game::<morris::Position<NineMensMorris>>(1, 24), 8);
    search(c, "start", &Game::new(morris::Position::<Morabaraba>::default()), 5);
}

criterion_group! {
    name = group;
    config = Criterion::default().sample_size(10);
    targets = benches
}
criterion_main!(group);
