//! Compares the fast rules with the plain rules of [`naive`], and tests each rule.

mod naive;
mod notation;
mod rules;

use proptest::prelude::*;

use self::naive::NaivePosition;
use super::*;
use crate::game::{Color, Evaluator, Outcome, Position as _};
use crate::game::{GameRules as _, any_game};
use crate::perft::{self, Convention, Reference};

/// A generator of the same numbers in every run (splitmix64).
struct TestRng(u64);

impl TestRng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// Plays a random game and returns its positions. If the seed is even, captures are preferred, so
/// that endings with few men occur.
fn random_game<V: Variant>(seed: u64, plies: usize) -> Vec<Position<V>> {
    let mut choices = TestRng(seed);
    let greedy = seed.is_multiple_of(2);
    let mut position = Position::<V>::default();
    let mut positions = vec![position];
    while positions.len() <= plies {
        let moves: Vec<_> = position.legal_moves().collect();
        let captures: Vec<_> = moves.iter().copied().filter(|m| m.captured().is_some()).collect();
        let from = if greedy && !captures.is_empty() { captures } else { moves };
        if from.is_empty() {
            break;
        }
        position.play_unchecked(from[choices.below(from.len())]);
        positions.push(position);
    }
    positions
}

fn texts<V: Variant>(position: &Position<V>) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().map(|m| m.to_string()).collect();
    moves.sort_unstable();
    moves
}

/// Compares moves, results and successors with the plain rules in random games.
fn agrees_with_naive<V: Variant>() {
    let game = naive::NaiveRules::named(V::NAME);
    let mut seen = [false; 2];
    for seed in 0..60 {
        for position in random_game::<V>(seed, 150) {
            let plain = NaivePosition::parse(game, &position.to_string());
            let moves = plain.legal_moves();
            let mut expected: Vec<String> = moves.iter().map(ToString::to_string).collect();
            expected.sort_unstable();
            assert_eq!(texts(&position), expected, "{} {position}", V::NAME);
            assert_eq!(position.count_moves(), expected.len(), "{} {position}", V::NAME);
            if moves.is_empty() {
                assert_eq!(position.final_score(), plain.final_score(), "{} {position}", V::NAME);
            }
            for m in moves {
                let next = position.play(position.parse_move(&m.to_string()).unwrap()).unwrap();
                assert_eq!(next.to_string(), plain.after(&m).text(), "{} {position} {m}", V::NAME);
            }
            seen[0] |= position.is_over();
            let on_board = |color| position.hand(color) == 0 && position.men(color).len() == 3;
            seen[1] |= on_board(Color::White) || on_board(Color::Black);
        }
    }
    assert_eq!(seen, [true; 2], "some games end, and some sides have three men");
}

/// Compares the values of a perft table that are fast enough for a test.
fn matches_table<V: Variant>(table: &str) {
    let values = Reference::parse_table(any_game::<Position<V>>(), table).unwrap();
    assert!(values.len() > 4, "{} has too few values", V::NAME);
    for value in values.iter().filter(|value| value.nodes < 20_000_000) {
        let Reference { position, depth, convention, .. } = value;
        let name = V::NAME;
        if value.nodes < 20_000 {
            let plain = NaivePosition::parse(naive::NaiveRules::named(name), &position.to_string());
            let counts_ended = *convention != Convention::PassesCount;
            assert_eq!(
                plain.perft(*depth, counts_ended),
                value.nodes,
                "{name}: {position}, depth {depth}, plain rules"
            );
        }
        let position = position.typed::<Position<V>>().unwrap();
        assert_eq!(perft::count(&position, *depth, *convention), value.nodes, "{name}: {position}, depth {depth}");
    }
}

/// Checks that symmetries preserve mills, edges and moves.
fn symmetric<V: Variant>() {
    let group = V::BOARD.symmetries();
    // A center prevents exchanging the outer and the inner square.
    assert_eq!(group.len(), if V::BOARD.len() % 2 == 1 { 8 } else { 16 });
    let sorted = |sets: &[u32], k| {
        let mut sets: Vec<u32> = sets.iter().map(|&set| group.set(k, set)).collect();
        sets.sort_unstable();
        sets
    };
    for k in 0..group.len() {
        assert_eq!(sorted(V::BOARD.mills(), k), sorted(V::BOARD.mills(), 0));
        assert_eq!(sorted(V::BOARD.edges(), k), sorted(V::BOARD.edges(), 0));
        let same = |j| (0..V::BOARD.len()).all(|p| group.point(j, p) == group.point(k, p));
        assert!(!(0..k).any(same), "duplicate symmetry");
        assert!((0..V::BOARD.len()).all(|p| group.set(k, 1 << p) == 1 << group.point(k, p)));
    }
    for position in random_game::<V>(11, 60) {
        assert_eq!(position.transform(0), position);
        for k in 0..group.len() {
            let image = position.transform(k);
            assert_eq!(image.canonical(), position.canonical());
            let mut moves: Vec<u16> = image.legal_moves().map(Into::into).collect();
            let mut images: Vec<u16> =
                position.legal_moves().map(|m| Position::<V>::transform_move(m, k).into()).collect();
            moves.sort_unstable();
            images.sort_unstable();
            assert_eq!(moves, images, "{position} {k}");
            moves.dedup();
            assert_eq!(moves.len(), images.len(), "moves are distinct and have distinct numbers");
            if let Some(m) = position.legal_moves().last() {
                assert_eq!(position.after(m).transform(k), image.after(Position::<V>::transform_move(m, k)));
            }
        }
    }
}

/// Checks that the evaluation is bounded and symmetric, and that captures are ordered first.
fn evaluates<V: Variant>() {
    for position in (0..20).flat_map(|seed| random_game::<V>(seed, 100)).filter(|position| !position.is_over()) {
        let score = engine::MillEvaluation::new::<V>().evaluate(&position);
        assert!(score.abs() < 1000, "{position}: {score}");
        for k in 0..Position::<V>::INFO.symmetries {
            assert_eq!(engine::MillEvaluation::new::<V>().evaluate(&position.transform(k)), score, "{position}");
        }
        for m in position.legal_moves() {
            let quiet = position.legal_moves().find(|m| m.captured().is_none());
            let order = |m| engine::MillEvaluation::new::<V>().score_move(&position, m, &position.after(m));
            assert!(
                m.captured().is_none() || quiet.is_none_or(|quiet| order(m) > order(quiet)),
                "captures first: {position}"
            );
        }
    }
}

/// Checks that a one-ply search beats random play.
fn beats_random<V: Variant>() {
    let mut won = 0;
    for seed in 0..40 {
        let mut choices = TestRng(seed);
        let searching = Color::ALL[seed as usize % 2];
        let mut position = Position::<V>::default();
        for _ in 0..300 {
            if position.is_over() {
                break;
            }
            let moves: Vec<_> = position.legal_moves().collect();
            let score = |&m: &Move<V>| {
                let next = position.after(m);
                if next.is_over() {
                    1000 * next.final_score()
                } else {
                    engine::MillEvaluation::new::<V>().evaluate(&next)
                }
            };
            let m = if position.side_to_move() == searching {
                moves.into_iter().min_by_key(score).unwrap()
            } else {
                moves[choices.below(moves.len())]
            };
            position.play_unchecked(m);
        }
        won += match position.outcome() {
            Some(Outcome::Win(winner)) if winner == searching => 1,
            Some(Outcome::Win(_)) => -1,
            _ => 0,
        };
    }
    assert!(won >= 30, "{}: {won} of 40", V::NAME);
}

macro_rules! all_games {
    ($($name:literal $game:ident;)*) => {
        $(
            #[expect(non_snake_case, reason = "the module has the name of the type")]
            mod $game {
                use super::super::*;
                use crate::morris::$game;

                #[test]
                fn agrees_with_the_naive_rules() {
                    super::super::agrees_with_naive::<$game>();
                }

                #[test]
                fn matches_the_perft_table() {
                    let path = format!("{}/data/perft/{}.perft", env!("CARGO_MANIFEST_DIR"), <$game>::NAME);
                    super::super::matches_table::<$game>(&std::fs::read_to_string(path).unwrap());
                }

                #[test]
                fn symmetries_preserve_moves() {
                    super::super::symmetric::<$game>();
                }

                #[test]
                fn evaluation_is_bounded_and_symmetric() {
                    super::super::evaluates::<$game>();
                }

                #[test]
                fn one_ply_search_beats_random_play() {
                    super::super::beats_random::<$game>();
                }

                #[test]
                #[ignore = "prints perft values for games that no other program has published values of"]
                fn print_naive_perft_values() {
                    super::super::naive_values::<$game>();
                }

                proptest! {
                    #![proptest_config(ProptestConfig::with_cases(40))]

                    #[test]
                    fn round_trips_text_and_preserves_perft_under_symmetry(
                        seed: u64,
                        k in 0..Position::<$game>::INFO.symmetries,
                    ) {
                        for position in random_game::<$game>(seed, 80) {
                            let text = position.to_string();
                            prop_assert_eq!(text.parse::<Position<$game>>(), Ok(position));
                            prop_assert_eq!(position.count_moves(), position.legal_moves().count());
                        }
                        let position = *random_game::<$game>(seed, seed as usize % 60).last().unwrap();
                        let image = position.transform(k);
                        let count = |position| perft::count(position, 2, Convention::PassesCount);
                        prop_assert_eq!(count(&image), count(&position));
                    }
                }
            }
        )*
    };
}

mod each_game {
    use crate::morris::mill_games;

    mill_games!(all_games);
}

/// Prints a perft table counted with the plain rules.
fn naive_values<V: Variant>() {
    let game = naive::NaiveRules::named(V::NAME);
    println!("\n# {}", V::NAME);
    let mut positions = vec![Position::<V>::default()];
    // Positions from the middle and the end of random games.
    for seed in 0..6 {
        let game_positions = random_game::<V>(seed, 200);
        positions.extend(
            game_positions.iter().rev().find(|p| p.count_moves() > 0 && p.own_hand() == 0 && p.other_hand() == 0),
        );
        positions.push(game_positions[game_positions.len() / 3]);
    }
    for position in positions {
        println!("\nposition {position}");
        let plain = NaivePosition::parse(game, &position.to_string());
        for (convention, counts_ended) in [(Convention::PassesCount, false), (Convention::EndedOnce, true)] {
            println!("convention {convention}");
            for depth in 1..6 {
                let nodes = plain.perft(depth, counts_ended);
                println!("perft {depth} {nodes}");
                if nodes > 10_000 || nodes == 0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn different_positions_have_different_keys() {
    let mut keys = std::collections::HashMap::new();
    for seed in 0..200 {
        for position in random_game::<MorabarabaNoReturn>(seed, 120) {
            assert_eq!(*keys.entry(position.key()).or_insert(position), position);
        }
    }
}
