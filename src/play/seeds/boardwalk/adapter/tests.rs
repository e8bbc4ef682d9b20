//! The drawn boards, both notations, and the ends of games.

use morello_core::game::{DrawRules, GameEndReason};
use morello_core::games;

use super::*;
use crate::seeds::boardwalk::{LoopEnd, game_loop};

fn at(name: &str, position: &str) -> GameAdapter {
    GameAdapter::new(game::Game::new(games::get(name).unwrap().parse_position(position).unwrap()).into())
}

#[test]
fn draws_each_board_from_its_layout() {
    let nine = at("nine-mens-morris", "7,8 a4,b4 g7 B");
    let drawn = "\
_  _  B
 _ _ _ 
  ___  
WW_ ___
  ___  
 _ _ _ 
_  _  _";
    assert_eq!(nine.attributes().board.to_string(), drawn);
    let othello = at("othello-4x4", "-----OX--XO----- X");
    assert_eq!(othello.attributes().board.to_string(), "____\n_WB_\n_BW_\n____");
}

#[test]
fn prompts_for_a_pass_and_exposes_the_whole_position() {
    let mut adapter = at("othello-4x4", "XO-------------- O");
    let mut output = Vec::new();
    let ending = game_loop(&mut adapter, "pa\nB 0,2\n".as_bytes(), &mut output).unwrap();
    assert_eq!(ending, LoopEnd::Finished { winner: Some(Color::Black) });
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("White must pass; type `pa`: BW__\n"), "{output}");
    assert!(output.contains("Black's move: \nBBB_\n"), "{output}");
    assert_eq!(adapter.game().end().map(|end| end.reason), Some(GameEndReason::Rules));
    let (few, many) = (at("nine-mens-morris", "8,8 a1 a7 W"), at("nine-mens-morris", "7,8 a1 a7 W"));
    assert_eq!(few.state().layout, many.state().layout);
    assert_ne!(few.state(), many.state());
}

#[test]
fn a_draw_by_the_game_settings_ends_the_loop() {
    let settings = DrawRules { repetition: Some(2), ..DrawRules::default() };
    let start = games::get("nine-mens-morris").unwrap().parse_position("0,0 a1,d1,g4,b2 a7,d7,b6,f4 W").unwrap();
    let mut adapter = GameAdapter::new(game::Game::with_draw_rules(start, settings).into());
    let mut output = Vec::new();
    let ending = game_loop(&mut adapter, "a1-a4\n0,0 0,3\n0,3 0,0\na7-d7\n".as_bytes(), &mut output).unwrap();
    assert_eq!(ending, LoopEnd::InputEnded);
    assert!(String::from_utf8(output).unwrap().contains("a man stands on d7"));
    let mut output = Vec::new();
    let ending = game_loop(&mut adapter, "b6-b4\na4-a1\n3,1 1,1\n".as_bytes(), &mut output).unwrap();
    assert_eq!(ending, LoopEnd::Finished { winner: None });
    assert!(String::from_utf8(output).unwrap().ends_with("\nIt is a draw!\n"));
}
