//! Every game of the registry on the boardwalk platform.

use morello::game::grid;
use morello::game::{AnyGame, AnyPosition, DrawRules, Game, Position as _, RandomNumbers};
use morello::games;
use morello::seeds::boardwalk::{Attributes, Game as _, GameAdapter, LoopEnd, game_loop};
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

/// Plays a random game with `Game`, then the same moves as text on the platform, and compares the
/// results.
fn compare(rules: &'static dyn AnyGame, seed: u64) {
    let draw_rules = DrawRules { repetition: Some(3), no_progress: Some(60), ply_cap: Some(200) };
    let mut numbers = RandomNumbers::new(seed);
    let mut game = Game::with_draw_rules(rules.start(), draw_rules);
    let mut typed = String::new();
    while game.end().is_none() {
        let m = game
            .position()
            .legal_moves()
            .nth(numbers.below(game.position().count_moves()))
            .expect("the index is in range");
        let line = match grid::write(game.position(), m).filter(|_| numbers.below(2) == 0) {
            Some(text) => text,
            None => m.to_string(),
        };
        if numbers.below(4) == 0 {
            typed += ["\n", "what?\n", "X 0,0\n", "99,0 0,99999999999999999999\n"][numbers.below(4)];
        }
        typed += &format!("{line}\n");
        game.play(m).expect("the move is legal");
    }
    let end = game.end().expect("the game is over");
    let mut hosted = GameAdapter::new(Game::with_draw_rules(rules.start(), draw_rules).into());
    // The loop must not read beyond the end of the game.
    typed += "b1\n";
    let mut input = typed.as_bytes();
    let mut output = Vec::new();
    let ending = game_loop(&mut hosted, &mut input, &mut output).expect("memory can be read and written");
    assert_eq!(ending, LoopEnd::Finished { winner: end.outcome.winner() }, "{}", rules.name());
    assert_eq!(input, b"b1\n");
    assert_eq!((hosted.game().moves(), hosted.game().end()), (game.moves(), Some(end)));
    assert_eq!(hosted.attributes().round as usize, game.moves().len());
    assert_board_matches(hosted.attributes(), game.position());
    let output = String::from_utf8(output).expect("the loop prints UTF-8");
    let last = end.outcome.winner().map_or("It is a draw!".to_owned(), |color| format!("Player {color} wins!"));
    assert!(output.ends_with(&format!("\n{last}\n")), "{output}");
}

/// Checks that the platform's board shows the position.
fn assert_board_matches<Player>(attributes: &Attributes<Player>, position: &AnyPosition) {
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
