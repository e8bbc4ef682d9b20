//! The drawn boards, both notations, and the messages for invalid moves.

use super::*;
use crate::game::{DrawRules, GameEndReason};
use crate::games;
use crate::seeds::boardwalk::{LoopEnd, game_loop};

fn at(name: &str, position: &str) -> GameAdapter {
    GameAdapter::new(game::Game::new(games::get(name).unwrap().parse_position(position).unwrap()).into())
}

/// Parses a move. Returns its text, or the reason why it is invalid.
fn read(adapter: &GameAdapter, text: &str) -> String {
    read_move(adapter.game(), text).map_or_else(|why| why.reason(), |m| m.to_string())
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
fn reads_both_notations() {
    let othello = GameAdapter::new(Session::new(games::get("othello").unwrap()));
    for text in ["f5", "F5", "B 4,5", "b 4,5"] {
        assert_eq!(read(&othello, text), "f5");
    }
    let nine = at("nine-mens-morris", "0,0 a1,d1,g4,b2 a7,d7,b6,f4 W");
    for text in ["g4-g1xa7", "3,6 6,6 _ 0,0"] {
        assert_eq!(read(&nine, text), "g4-g1xa7");
    }
    let passing = at("othello-4x4", "XO-------------- O");
    for text in ["pa", "PASS"] {
        assert_eq!(read(&passing, text), "pa");
    }
}

#[test]
fn reports_the_reason_for_each_illegal_move() {
    let othello = at("othello-4x4", "-----OX--XO----- X");
    let format = "(for example: `b1` or `B 0,1`)";
    for text in ["", "hello", "B 1", "B 0,1 _", "B 0,1 _ 2", "0,1", "f5 f6"] {
        assert_eq!(read(&othello, text), format!("not a move: `{text}` {format}"));
    }
    assert_eq!(read(&othello, "B 0,4"), "0,4 is off the board, which has 4 rows and 4 columns, counted from 0");
    assert_eq!(read(&othello, "W 0,1"), "Black places `B`, not `W`");
    assert_eq!(read(&othello, "B 1,1"), "the square is occupied");
    assert_eq!(read(&othello, "a1"), "it flips no disc");
    assert_eq!(read(&othello, "B 0,0"), "it flips no disc");
    assert_eq!(read(&othello, "1,2 0,1"), "the rules do not allow `1,2 0,1` here");
    assert_eq!(read(&othello, "B 0,1 _ 1,1"), "the rules do not allow `B 0,1 _ 1,1` here");
    assert_eq!(read(&othello, "pa"), "the side to move has a legal move and cannot pass");
    let over = at("othello-4x4", "X--------------- O");
    assert_eq!(read(&over, "b1"), "the game is over");
    let passing = at("othello-4x4", "XO-------------- O");
    assert_eq!(read(&passing, "c1"), "the side to move must pass");
    assert_eq!(read(&passing, "what"), "not a move: `what` (for example: `pa`)");

    let nine = at("nine-mens-morris", "0,0 a1,d1,g4,b2 a7,d7,b6,f4 W");
    assert_eq!(read(&nine, "0,1 0,0"), "the board has no point at 0,1");
    assert_eq!(read(&nine, "W 0,6"), "no man is in hand");
    assert_eq!(read(&nine, "0,0 3,0"), "the side to move has no man on a7");
    assert_eq!(read(&nine, "6,0 0,6"), "g7 is not adjacent to a1");
    assert_eq!(read(&nine, "3,6 6,6"), "the move closes a mill: name the man to remove, as in `3,6 6,6 _ 0,0`");
    assert_eq!(read(&nine, "3,6 6,6 _ 0,6"), "the opponent has no man on g7");
    assert_eq!(read(&nine, "3,6 0,6 _ 0,0"), "the move captures nothing");
    let cows = at("morabaraba", "9,9 a1,d1 a7,d7 W");
    assert_eq!(read(&cows, "W 6,6"), "the move closes a mill: name the cow to remove, as in `W 6,6 _ 0,0`");
}

#[test]
fn prompts_for_a_pass_and_exposes_the_whole_position() {
    let mut adapter = at("othello-4x4", "XO-------------- O");
    let mut output = Vec::new();
    let ending = game_loop(&mut adapter, "pa\nB 0,2\n".as_bytes(), &mut output).unwrap();
    assert_eq!(ending, LoopEnd::Finished { winner: Some(Color::Black) });
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("White has no move but `pa`: BW__\n"), "{output}");
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
