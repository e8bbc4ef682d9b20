//! Endgame databases: slots per second of the builder, with and without flying, and probes per
//! second of random positions in a warm file.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use morello::game::{AnyPosition, Cancel, Color, RandomNumbers};
use morello::morris::engine::database::{Build, BuildProgress, Database, Metric, Ruleset, Sector, StoredValues};
use morello::morris::{NineMensMorris, NineMensMorrisFlying, PointSet, Position, Variant};

/// The number of positions to probe.
const PROBES: usize = 100_000;

/// Builds a sector and all sectors that it depends on, and returns the number of slots.
fn build<V: Variant>(folder: &std::path::Path, sector: &str) -> u64 {
    let sectors = [sector.parse::<Sector>().expect("it is a sector")];
    let ruleset = Ruleset::of::<V>().expect("the game has a database");
    let build = Build::open(folder, ruleset, &sectors, StoredValues::Distances).expect("the folder is empty");
    let slots = build.estimate().slots;
    build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).expect("the disk has space");
    slots
}

fn building(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    let mut bench = |name: &str, build: fn(&std::path::Path) -> u64| {
        let slots = build(tempfile::tempdir().expect("the disk has space").path());
        group.throughput(Throughput::Elements(slots));
        group.bench_function(name, |b| {
            b.iter_with_setup(
                || tempfile::tempdir().expect("the disk has space"),
                |folder| assert_eq!(build(folder.path()), slots),
            );
        });
    };
    bench("4-4", |folder| build::<NineMensMorris>(folder, "4-4"));
    bench("flying 4-4", |folder| build::<NineMensMorrisFlying>(folder, "4-4"));
    group.finish();
}

fn probing(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("the disk has space");
    build::<NineMensMorris>(folder.path(), "5-5");
    let rules = Ruleset::of::<NineMensMorris>().expect("the game has a database");
    let database = Database::open(folder.path(), rules).expect("it was just built");
    let mut random = RandomNumbers::new(1);
    let positions: Vec<AnyPosition> = std::iter::repeat_with(|| {
        let mut men = [PointSet::EMPTY; 2];
        for i in 0..10 {
            let free = (!(men[0] | men[1])).iter().nth(random.below(24 - i)).expect("there are free points");
            men[i / 5].insert(free);
        }
        let position = Position::<NineMensMorris>::new([0; 2], men, Color::White);
        AnyPosition::new(position.expect("the points are distinct"))
    })
    .take(PROBES)
    .collect();
    let wins = |database: &Database| {
        let probes =
            positions.iter().map(|position| database.probe(black_box(position), 0).expect("the file is valid"));
        probes.filter(|probe| probe.expect("the sector was built").value.outcome().is_gt()).count()
    };
    let expected = wins(&database);
    // The share of wins among random positions must match that of the sector, about two thirds.
    let counts = database.table("5-5".parse().expect("it is a sector"), Metric::End).expect("it was built").counts();
    let share = counts.wins as f64 / (counts.wins + counts.draws + counts.losses) as f64;
    assert!((expected as f64 / PROBES as f64 - share).abs() < 0.01);
    let mut group = c.benchmark_group("probe");
    group.throughput(Throughput::Elements(PROBES as u64));
    group.bench_function("random 5-5", |b| b.iter(|| assert_eq!(wins(&database), expected)));
    group.finish();
}

criterion_group!(benches, building, probing);
criterion_main!(benches);
