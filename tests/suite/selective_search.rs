//! Selective searches of the mill games: captures beyond the depth, and what they prove.

use morello::game::{Evaluator, Game, GameRules, Limits, Position as _, Score, Searcher as _, random_game};
use morello::morris;
use morello::morris::engine::MillEvaluation;
use morello::search::{AlphaBeta, Selectivity};

use crate::search::{RECKLESS, WIN, search};

/// The best of the estimate and the results of the three best captures, at most three captures
/// deep.
fn quiescence<V: morris::Variant>(evaluation: &MillEvaluation, position: &morris::Position<V>, captures: u32) -> i32 {
    if position.is_over() {
        return position.final_score() * (WIN - 1 - captures as i32);
    }
    let estimate = evaluation.evaluate(position);
    let score = |m| evaluation.score_move(position, m, &position.after(m));
    let mut moves: Vec<_> = position.legal_moves().map(|m| (score(m), m)).collect();
    let mut best = estimate;
    for index in 0..moves.len().min(if captures < 3 { 3 } else { 0 }) {
        // Of equal scores the first in the list comes first, as in the search.
        let next = (index..moves.len()).rev().max_by_key(|&i| moves[i].0).expect("the range is not empty");
        moves.swap(index, next);
        let m = moves[index].1;
        if m.captured().is_some() {
            best = best.max(-quiescence(evaluation, &position.after(m), captures + 1));
        }
    }
    best
}

fn check_quiescence<V: morris::Variant>() -> usize {
    let evaluation = MillEvaluation::new::<V>();
    let selectivity =
        Selectivity { futility_margin: 0, futility_depth: 0, reverse_futility_margin: 0, reverse_futility_depth: 0 };
    let mut changed = 0;
    for seed in 0..600 {
        let game = random_game::<morris::Position<V>>(seed, 10 + seed as usize % 40);
        if game.end().is_some() {
            continue;
        }
        let position = game.position();
        let game = Game::new(*position);
        let mut searcher = AlphaBeta::new(evaluation.clone(), 1 << 14).selective(selectivity);
        let score = search(&mut searcher, &game, Limits::depth(1)).best().score;
        let after = |m| position.after(m);
        let expected = position.legal_moves().map(|m| -quiescence(&evaluation, &after(m), 0)).max();
        let expected = expected.expect("the game is not over");
        if expected.abs() > WIN / 2 {
            assert_eq!(score.thousandths, expected.signum() * Score::POINT, "{position}");
        } else {
            assert_eq!(score.thousandths, expected, "{position}");
        }
        let estimates = position.legal_moves().map(after).filter(|next| !next.is_over());
        let without = estimates.map(|next| -evaluation.evaluate(&next)).max();
        changed += usize::from(without.is_some_and(|without| without != expected && expected.abs() < WIN / 2));
    }
    changed
}

#[test]
fn selective_searches_follow_captures_beyond_their_depth() {
    assert!(check_quiescence::<morris::NineMensMorris>() > 30);
    assert!(check_quiescence::<morris::LaskerMorris>() > 60);
    assert!(check_quiescence::<morris::Morabaraba>() > 60);
}

/// Returns whether the side to move wins within some plies, whatever the other side plays.
fn wins<P: GameRules>(position: &P, plies: u32) -> bool {
    plies > 0
        && position.legal_moves().any(|m| {
            let next = position.after(m);
            if next.is_over() { next.final_score() < 0 } else { loses(&next, plies - 1) }
        })
}

/// Returns whether the side to move loses within some plies, whatever it plays.
fn loses<P: GameRules>(position: &P, plies: u32) -> bool {
    plies > 0
        && position.legal_moves().all(|m| {
            let next = position.after(m);
            if next.is_over() { next.final_score() > 0 } else { wins(&next, plies - 1) }
        })
}

/// Checks what selective searches prove in late positions of a game with captures; returns how many
/// wins, losses and unproved scores there were.
fn check_proofs<V: morris::Variant>() -> [u32; 3] {
    let mut searcher = AlphaBeta::new(MillEvaluation::new::<V>(), 1 << 14).selective(RECKLESS);
    let mut found = [0; 3];
    for seed in 0..500 {
        let game = random_game::<morris::Position<V>>(seed, 40 + seed as usize % 80);
        if game.end().is_some() {
            continue;
        }
        let position = game.position();
        for depth in [1, 2, 4] {
            searcher.clear();
            let report = search(&mut searcher, &Game::new(*position), Limits::depth(depth));
            let best = report.best();
            let Some(plies) = best.score.plies.filter(|_| best.score.is_exact()) else {
                found[2] += 1;
                continue;
            };
            let is_win = best.score.thousandths > 0;
            let proves = |plies| if is_win { wins(position, plies) } else { loses(position, plies) };
            assert!(proves(plies) && !proves(plies - 1), "{position}: {report:?}");
            assert_eq!(best.pv.len() as u32, plies, "the line of {position} continues to the end");
            found[usize::from(!is_win)] += 1;
        }
    }
    found
}

#[test]
fn scores_proved_beyond_captures_are_true() {
    for found in [check_proofs::<morris::NineMensMorris>(), check_proofs::<morris::Morabaraba>()] {
        assert!(found.iter().all(|&count| count > 10), "{found:?}");
    }
}
