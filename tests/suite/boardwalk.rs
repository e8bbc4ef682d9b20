//! Every game of the registry, hosted on the platform for board games.

use std::collections::HashSet;

use morello::boardwalk::{Attributes, Game as _, GameAdapter, LoopEnd, game_loop};
use morello::game::{AnyGame, AnyPosition, DrawRules, Game, Position as _, RandomNumbers};
use morello::games;
use morello::session::{Session, grid, read_move};
use proptest::prelude::*;

#[path = "../examples/boardwalk.rs"]
mod example;

#[test]
fn the_example_plays_noughts_and_crosses() {
    let mut output = Vec::new();
    let typed = "X 1,1\nO 1,1\nO 0,1\nX 0,0\nO 0,2\nX 2,2\n";
    assert_eq!(example::noughts_and_crosses(typed.as_bytes(), &mut output).unwrap(), Some(0));
    let output = String::from_utf8(output).unwrap();
    let start = "___\n___\n___\nYour move: ___\n_X_\n___\nYour move: Invalid move: the space is taken\nYour move: ";
    assert!(output.starts_with(start), "{output}");
    assert!(output.ends_with("\nXOO\n_X_\n__X\nPlayer 0 wins!\n"), "{output}");
}

/// Plays a random game on the record, and the same as text on the platform.
fn compare(rules: &'static dyn AnyGame, seed: u64) {
    let settings = DrawRules { repetition: Some(3), no_progress: Some(60), ply_cap: Some(200) };
    let mut numbers = RandomNumbers::new(seed);
    let mut game = Game::with_draw_rules(rules.start(), settings);
    let mut typed = String::new();
    while game.end().is_none() {
        let m = game.position().nth_move(numbers.below(game.position().count_moves())).expect("there is one");
        let line = match grid::write(game.position(), m).filter(|_| numbers.below(2) == 0) {
            Some(by_grid) => by_grid,
            None => m.to_string(),
        };
        if numbers.below(4) == 0 {
            typed += ["\n", "what?\n", "X 0,0\n", "99,0 0,99999999999999999999\n"][numbers.below(4)];
        }
        typed += &format!("{line}\n");
        game.play(m).expect("it is legal");
    }
    let end = game.end().expect("it has ended");
    let mut hosted = GameAdapter::new(Game::with_draw_rules(rules.start(), settings).into());
    // A line too many is left alone.
    typed += "b1\n";
    let mut input = typed.as_bytes();
    let mut output = Vec::new();
    let ending = game_loop(&mut hosted, &mut input, &mut output).expect("memory can be read and written");
    assert_eq!(ending, LoopEnd::Finished { winner: end.outcome.winner() }, "{}", rules.name());
    assert_eq!(input, b"b1\n");
    assert_eq!((hosted.game().moves(), hosted.game().end()), (game.moves(), Some(end)));
    assert_eq!(hosted.attributes().round as usize, game.moves().len());
    board_shows(hosted.attributes(), game.position());
    let output = String::from_utf8(output).expect("the loop prints UTF-8");
    let last = end.outcome.winner().map_or("It is a draw!".to_owned(), |color| format!("Player {color} wins!"));
    assert!(output.ends_with(&format!("\n{last}\n")), "{output}");
}

/// Checks the board against the points of the game.
fn board_shows<Player>(attributes: &Attributes<Player>, position: &AnyPosition) {
    let layout = position.game().layout();
    let mut points = 0;
    for (row, spaces) in attributes.board.layout().iter().enumerate() {
        for (column, &space) in spaces.iter().enumerate() {
            let point = layout.point_at(row, column);
            points += usize::from(point.is_some());
            let piece = point.map(|point| position.piece_at(point).map_or('_', |color| color.to_string().remove(0)));
            assert_eq!(space, piece.unwrap_or(' '), "{row},{column} of {position}");
        }
    }
    assert_eq!(points, layout.points.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn hosted_games_end_like_the_game_record(game in prop::sample::select(games::all()), seed: u64) {
        compare(game, seed);
    }
}

#[test]
fn every_legal_move_is_accepted_in_both_notations() {
    for rules in games::all() {
        (0..6).for_each(|seed| express(*rules, seed));
    }
}

/// Checks that every legal move of a random game's positions can be typed in both notations.
fn express(rules: &'static dyn AnyGame, seed: u64) {
    let mut numbers = RandomNumbers::new(seed);
    let mut hosted = GameAdapter::new(Session::new(rules));
    while !hosted.game_finished() && hosted.game().moves().len() < 120 {
        let position = *hosted.game().position();
        let moves: Vec<_> = position.legal_moves().collect();
        let mut texts = HashSet::new();
        for &m in &moves {
            for text in grid::write(&position, m).into_iter().chain([m.to_string()]) {
                assert_eq!(read_move(hosted.game(), &text).ok(), Some(m), "{text} in {position}");
                assert!(texts.insert(text), "{m}: no two moves have one text");
            }
            assert_eq!(grid::write(&position, m).is_none(), m.is_pass());
        }
        let m = moves[numbers.below(moves.len())].to_string();
        hosted.perform_move(&m).expect("it is legal");
        board_shows(hosted.attributes(), hosted.game().position());
    }
}
