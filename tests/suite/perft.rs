//! Perft against the known values in `src/core/data/perft/`, and against a naive count.

use std::collections::HashSet;

use morello::game::{AnyGame, AnyMove, AnyPosition, Cancel, CountLeaves, Playable};
use morello::perft::{Convention, Reference, count, ended, frontier, perft_of, total};
use morello::{games, morris, othello};

/// Checks the known values of a game from `min` to `max` nodes with each memory size. Returns the
/// number of values.
fn check_game(game: &dyn AnyGame, min: u64, max: u64, memory_sizes: &[usize]) -> usize {
    let perft = games::perft(game.name()).expect("the game is registered");
    let values = Reference::known(game);
    let selected = values.iter().filter(|value| (min..=max).contains(&value.nodes));
    selected
        .map(|value| {
            let Reference { position, depth, convention, .. } = value;
            for &bytes in memory_sizes {
                let cancel = Cancel::new();
                let frontier = perft.frontier(position, *depth, *convention, bytes, &cancel, &|_, _| ());
                let nodes = frontier.and_then(|frontier| frontier.count(&[], &cancel, &|_, _| ()));
                assert_eq!(nodes, Some(value.nodes), "{}: depth {depth} of {position} in {bytes} bytes", game.name());
            }
        })
        .count()
}

/// Every game has positions beyond the start, in which the peculiarities of its rules matter.
#[test]
fn every_game_has_known_values_beyond_the_start() {
    for game in games::all() {
        let values = Reference::known(*game);
        let beyond = || values.iter().filter(|value| !value.position.is_start());
        let positions: HashSet<_> = beyond().map(|value| value.position).collect();
        assert!(positions.len() >= 6, "{}: {} positions", game.name(), positions.len());
        // Where a game ends early, the conventions differ.
        assert!(beyond().any(|value| value.convention == Convention::EndedOnce), "{}", game.name());
    }
}

/// The script shares no code with the crate.
#[test]
#[cfg(unix)]
fn the_reference_script_confirms_small_values() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for game in games::all() {
        let table = format!("src/core/data/perft/{}.perft", game.name());
        let mut script = std::process::Command::new("python3");
        let output = script
            .current_dir(root)
            .args(["scripts/data/perft-reference.py", "check", &table, "150"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.ends_with(" counts, 0 different\n"), "{text}");
        let counts: usize = text.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(counts >= 15, "{text}");
    }
}

fn count_with_frontier<P: CountLeaves>(position: &P, depth: u32, convention: Convention, bytes: usize) -> u64 {
    let cancel = Cancel::new();
    let frontier = frontier(position, depth, convention, bytes, &cancel, &|_, _| ());
    frontier.and_then(|frontier| frontier.count(&[], &cancel, &|_, _| ())).expect("the count is not cancelled")
}

fn check_all_games(min: u64, max: u64, memory_sizes: &'static [usize]) {
    for game in games::all() {
        let (name, count) = (game.name(), check_game(*game, min, max, memory_sizes));
        assert!(
            min > 0 || count >= 3,
            "src/core/data/perft/{name}.perft needs at least three values of at most {max} nodes"
        );
    }
}

#[test]
fn matches_known_values_up_to_twenty_million_nodes() {
    // Without merging, with little memory, and with enough.
    check_all_games(0, 20_000_000, &[0, 1 << 14, 1 << 26]);
}

/// Takes a few minutes on two cores: `cargo test --release -- --ignored known_values`.
#[test]
#[ignore = "takes minutes"]
fn matches_known_values_up_to_twenty_billion_nodes() {
    check_all_games(20_000_001, 20_000_000_000, &[1 << 30]);
}

/// All methods agree for every convention and memory size, from positions at different stages of a
/// game.
#[test]
fn all_counting_methods_agree() {
    fn check<P: Playable>(lengths: &[usize]) {
        for (seed, &length) in (0..).zip(lengths) {
            let game = morello::game::random_game::<P>(seed, length);
            let position = game.position();
            for convention in Convention::ALL {
                for depth in 0..=6 {
                    let expected = naive_count(position, depth, convention);
                    let what = format!("{}: depth {depth} of {position} by {convention}", P::INFO.name);
                    assert_eq!(count(position, depth, convention), expected, "{what}");
                    for bytes in [0, 1, 1 << 12, 1 << 24] {
                        let nodes = count_with_frontier(position, depth, convention, bytes);
                        assert_eq!(nodes, expected, "{what} in {bytes} bytes");
                    }
                    if depth > 0 && !position.is_over() {
                        let (root, cancel) = (AnyPosition::new(*position), Cancel::new());
                        let divisions =
                            perft_of::<P>().divide_with(&root, depth, convention, 1 << 16, &cancel, &|_, _| ());
                        let divisions = divisions.unwrap();
                        assert_eq!(total(&divisions), expected, "{what}");
                        let moves = position.legal_moves().map(AnyMove::new::<P>);
                        assert!(divisions.iter().map(|division| division.root).eq(moves), "{what}");
                        for division in divisions {
                            let free = convention == Convention::FreePass && division.root.is_pass();
                            let child = position.after(division.root.typed::<P>().unwrap());
                            let nodes = naive_count(&child, depth - u32::from(!free), convention);
                            assert_eq!(division.nodes, nodes, "{what}, {}", division.root);
                        }
                    }
                }
            }
        }
    }
    check::<othello::Position>(&[47, 49, 51, 53, 55, 56, 57, 58, 59, 60]);
    check::<othello::SizedPosition<6>>(&[0, 20, 22, 24, 26, 28, 30, 32]);
    check::<othello::SizedPosition<4>>(&[0, 2, 4, 5, 6, 7, 8, 9, 10]);
    check::<morris::Position<morris::ThreeMensMorris>>(&[0, 3, 6]);
}

/// Counts by the definition of the conventions.
fn naive_count<P: CountLeaves>(position: &P, depth: u32, convention: Convention) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.is_over() {
        return ended(depth, convention);
    }
    let left = |m| if convention == Convention::FreePass && P::is_pass(m) { depth } else { depth - 1 };
    position.legal_moves().map(|m| naive_count(&position.after(m), left(m), convention)).sum()
}

/// Distinct positions up to symmetry from ply 1 on, where a forced pass is not a ply (PanicSheep's
/// tables).
const DISTINCT: [usize; 8] = [1, 3, 14, 60, 322, 1773, 10649, 67245];

#[test]
fn a_frontier_contains_each_position_once() {
    let found = std::cell::RefCell::new(Vec::new());
    let on_ply = |ply: u32, positions: usize| found.borrow_mut().push((ply as usize, positions));
    let start = othello::Position::default();
    let frontier = frontier(&start, 12, Convention::FreePass, 1 << 26, &Cancel::new(), &on_ply).unwrap();
    let info = frontier.info();
    assert_eq!((info.ply, info.positions, info.depth), (8, DISTINCT[7], 12));
    assert!(found.into_inner().into_iter().eq((1..).zip(DISTINCT)));
}

#[test]
fn a_frontier_respects_its_memory_limit_and_is_deterministic() {
    let start = othello::Position::default();
    // Some games end before the frontier, and their count is part of the digest.
    let late = *morello::game::random_game::<othello::SizedPosition<4>>(1, 4).position();
    let digest = |threads: usize| {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let cancel = Cancel::new();
        let frontier = || frontier(&late, 11, Convention::EndedOnce, 1 << 20, &cancel, &|_, _| ()).unwrap();
        pool.install(|| frontier().digest())
    };
    assert!((2..6).all(|threads| digest(threads) == digest(1)));
    let of_start = |bytes: usize, threads: usize| {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let cancel = Cancel::new();
        pool.install(|| frontier(&start, 12, Convention::PassesCount, bytes, &cancel, &|_, _| ()).unwrap())
    };
    let lens: Vec<usize> = [1 << 12, 1 << 15, 1 << 18, 1 << 22].map(|bytes| of_start(bytes, 1).info().positions).into();
    assert_eq!(lens, [60, 322, 1773, 67245]);
    let (one, three) = (of_start(1 << 22, 1), of_start(1 << 22, 3));
    assert_eq!((one.digest(), one.info()), (three.digest(), three.info()));
    assert_ne!(one.digest(), of_start(1 << 18, 1).digest());
}

#[test]
fn a_cancelled_count_returns_none() {
    let cancel = Cancel::new();
    let start = othello::Position::default();
    let whole = frontier(&start, 9, Convention::PassesCount, 1 << 20, &cancel, &|_, _| ()).unwrap();
    assert_eq!(whole.count(&[], &cancel, &|_, _| cancel.cancel()), None);
    assert!(frontier(&start, 9, Convention::PassesCount, 1 << 20, &cancel, &|_, _| ()).is_none());
    let (root, perft) = (AnyPosition::new(start), perft_of::<othello::Position>());
    assert!(perft.divide_with(&root, 9, Convention::PassesCount, 1 << 20, &cancel, &|_, _| ()).is_none());
}
