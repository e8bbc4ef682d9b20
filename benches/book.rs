//! Look-ups in an opening book: `cargo bench --bench book`. `POSITIONS=10000000` sets the size of
//! the book, by default a million positions.
//!
//! Each position has three moves with estimates, as in a book of a search, and a limit of the
//! others. The size of a position is printed. The positions are looked up in random order; they lie
//! in memory in this order, so that only the book is read at random places.

use std::collections::HashSet;
use std::env;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use morello::book::{Book, BookEntry, BookFile, BookMove, BookScore, BookWriter, Provenance, Source, distinct_moves};
use morello::game::{AnyPosition, Certainty, Confidence, Game, Position as _, RandomNumbers, Score, any_game};
use morello::othello;

fn score(points: i32) -> BookScore {
    let provenance = Provenance { source: Source::THIS, depth: 24, confidence: Confidence::LOWEST };
    BookScore { score: Score::of(points, Certainty::Heuristic), provenance }
}

fn entry(position: &AnyPosition) -> BookEntry {
    let moves = distinct_moves(position).into_iter().take(3).zip(0..);
    let moves = moves.map(|(m, loss)| BookMove { m, score: score(3 - loss), is_linked: loss < 2 }).collect();
    BookEntry { moves, rest: Some(score(-4)), day: 2500, ..BookEntry::default() }
}

/// Returns distinct canonical positions of random games, from 8 plies on.
fn positions(count: usize) -> Vec<AnyPosition> {
    let game = any_game::<othello::Position>();
    let (mut numbers, mut seen, mut found) = (RandomNumbers::new(1), HashSet::new(), Vec::with_capacity(count));
    while found.len() < count {
        let mut line = Game::new(game.start());
        for ply in 0..30 {
            let moves = line.position().count_moves();
            let m = line.position().legal_moves().nth(numbers.below(moves.max(1)));
            let Some(m) = m.filter(|_| line.end().is_none()) else { break };
            line.play(m).expect("the move is legal");
            let position = line.position().canonical();
            if ply >= 8 && !position.is_over() && found.len() < count && seen.insert(position) {
                found.push(position);
            }
        }
    }
    found
}

fn look_ups(criterion: &mut Criterion) {
    let count = env::var("POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a folder for the book");
    let path = folder.path().join("bench.book");
    let game = any_game::<othello::Position>();
    let mut all = positions(count);
    let mut writer = BookWriter::open(&path, game).expect("a new book");
    writer.rewrite(all.iter().map(|position| (*position, entry(position)))).expect("it is written");
    drop(writer);
    let bytes = path.metadata().expect("it is there").len();
    println!("{count} positions, {:.1} bytes each", bytes as f64 / count as f64);
    assert!(bytes < 40 * count as u64);
    let file = BookFile::open(&path, game).expect("it is a book");
    let mut numbers = RandomNumbers::new(2);
    (1..all.len()).for_each(|end| all.swap(end, numbers.below(end + 1)));
    let mut shuffled = all.iter().cycle();
    let mut group = criterion.benchmark_group("book");
    group.throughput(Throughput::Elements(1));
    group.bench_function("look up a canonical position", |bencher| {
        bencher.iter(|| {
            let position = shuffled.next().expect("there are positions");
            let found = file.get(black_box(position)).expect("the file is whole").expect("it is in the book");
            assert_eq!(found.moves[0].score.score.thousandths, 3000);
        });
    });
    let book = Book::from(file);
    group.bench_function("look up any position", |bencher| {
        bencher.iter(|| {
            let position = shuffled.next().expect("there are positions").transform(3);
            assert!(book.get(black_box(&position)).expect("the file is whole").is_some());
        });
    });
    group.bench_function("open", |bencher| {
        bencher.iter(|| BookFile::open(black_box(&path), game).expect("it is a book").most_positions());
    });
    group.finish();
}

criterion_group!(benches, look_ups);
criterion_main!(benches);
