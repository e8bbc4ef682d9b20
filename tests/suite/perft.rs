//! The engines against the tables of known values in `data/perft/`.

use morello::game::{Cancel, Command, Playable};
use morello::games;
use morello::perft::{Reference, divide, ended, total};

/// Counts every known value of a game from `least` up to `most` nodes; returns how many there were.
struct Check {
    table: &'static str,
    least: u64,
    most: u64,
}

impl Command for Check {
    type Output = usize;

    fn run<P: Playable>(self) -> usize {
        let values = Reference::<P>::parse_table(self.table).expect("the table is well formed");
        let chosen = values.iter().filter(|value| (self.least..=self.most).contains(&value.nodes));
        chosen
            .map(|value| {
                let nodes =
                    match divide(&value.position, value.depth, value.convention, None, &Cancel::new(), &|_, _| ()) {
                        Some(roots) if roots.is_empty() => ended(value.depth, value.convention),
                        roots => total(&roots.expect("it is not cancelled")),
                    };
                assert_eq!(nodes, value.nodes, "{}: depth {} of {}", P::NAME, value.depth, value.position);
            })
            .count()
    }
}

fn check(least: u64, most: u64) {
    for name in games::NAMES {
        let table = games::perft_table(name).expect("the game is registered");
        let count = games::run(name, Check { table, least, most }).expect("the game is registered");
        assert!(least > 0 || count >= 3, "data/perft/{name}.perft needs at least three values of at most {most} nodes");
    }
}

#[test]
fn known_values_up_to_twenty_million_nodes() {
    check(0, 20_000_000);
}

/// A few minutes on two cores: `cargo test --release -- --ignored known_values`.
#[test]
#[ignore = "minutes long"]
fn known_values_up_to_twenty_billion_nodes() {
    check(20_000_001, 20_000_000_000);
}
