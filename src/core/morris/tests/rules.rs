//! One test per rule.

use super::*;
use crate::game::GameRules as _;
use crate::game::{Game, GameEndReason};

fn position<V: Variant>(text: &str) -> Position<V> {
    text.parse().unwrap()
}

/// Plays moves given as text.
fn play<V: Variant>(start: &str, moves: &str) -> Position<V> {
    moves.split_whitespace().fold(position(start), |p: Position<V>, m| p.play(p.parse_move(m).unwrap()).unwrap())
}

fn allows<V: Variant>(position: &Position<V>, m: &str) -> bool {
    position.parse_move(m).is_ok()
}

#[test]
fn boards_have_the_expected_points_mills_and_edges() {
    let counts = |board: &Board| (board.len(), board.mills().len(), board.edges().len());
    assert_eq!(counts(NINE), (24, 16, 32));
    assert_eq!(counts(MORABARABA), (24, 20, 40));
    assert_eq!(counts(SEVEN), (17, 14, 24));
    assert_eq!(counts(SIX), (16, 8, 20));
    assert_eq!(counts(THREE), (9, 8, 16));
    let names: Vec<&str> = THREE.points_by_name().map(|p| THREE.name(p)).collect();
    assert_eq!(names, ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]);
}

#[test]
fn a_mill_captures_outside_mills_first() {
    let p = position::<NineMensMorris>("0,0 a7,d5,d7,g4 a1,d1,g1,c3 W");
    assert!(allows(&p, "g4-g7xc3"));
    assert!(!allows(&p, "g4-g7xa1"), "a1 is in a mill, c3 is not");
    assert!(!allows(&p, "g4-g7"), "a capture is mandatory");
}

#[test]
fn a_mill_captures_from_a_mill_only_if_all_men_are_in_mills() {
    let text = "0,0 a7,d5,d7,g4 a1,d1,g1 W";
    let p = position::<NineMensMorris>(text);
    assert!(allows(&p, "g4-g7xa1") && !allows(&p, "g4-g7"));
    let p = position::<NineMensMorrisProtected>(text);
    assert!(allows(&p, "g4-g7") && !allows(&p, "g4-g7xa1"), "the move is legal and captures nothing");
    assert_eq!(p.count_moves(), 8);
}

#[test]
fn a_mill_captures_nothing_if_no_opponent_man_is_on_the_board() {
    let p = position::<NineMensMorris>("7,9 a1,a4 - W");
    assert!(allows(&p, "a7"));
    assert_eq!(p.count_moves(), 22);
}

#[test]
fn two_mills_at_once_capture_one_man() {
    let p = play::<NineMensMorris>("4,4 a1,a4,d7,g7 b2,b4,d1,f6 W", "a7xf6");
    assert_eq!(p.to_string(), "3,4 a1,a4,a7,d7,g7 b2,b4,d1 B");
}

#[test]
fn reforming_a_mill_captures_again() {
    let p = play::<NineMensMorris>("0,0 a1,a4,a7,g1 b2,c3,d3,f4,f6 W", "a7-d7 f4-e4 d7-a7xe4");
    assert_eq!(p.men(Color::Black).len(), 4);
}

#[test]
fn flying_needs_three_men_and_no_hand() {
    let flies = |text| allows(&position::<NineMensMorrisFlying>(text), "a7-e3");
    assert!(flies("0,0 a7,d7,g4 a1,b2,c3 W"));
    assert!(!flies("0,0 a7,d7,g4,g1 a1,b2,c3 W"), "four men walk");
    assert!(!flies("1,0 a7,d7,g4 a1,b2,c3 W"), "men in hand must be placed");
    assert!(flies("0,3 a7,d7,g4 a1,b2,c3 W"), "each side follows its own hand");
    assert!(!allows(&position::<NineMensMorris>("0,0 a7,d7,g4 a1,b2,c3 W"), "a7-e3"));
}

#[test]
fn lasker_places_or_moves() {
    let p = position::<LaskerMorris>("7,7 a1,a4,g7 b6,d6,f2 W");
    assert!(allows(&p, "a7xb6") && allows(&p, "a4-a7") && allows(&p, "g7-d7"));
    assert!(!allows(&p, "g7-a7"), "a side with men in hand does not fly");
    assert!(allows(&position::<LaskerMorris>("0,7 a1,a4,g7 b6,d6,f2 W"), "g7-a7xb6"));
    assert_eq!(p.count_moves(), texts(&p).len());
}

#[test]
fn two_men_in_total_lose_in_both_phases() {
    let over = |text: &str| position::<NineMensMorris>(text).outcome();
    assert_eq!(over("0,0 a1,a4 b2,b4,b6 W"), Some(Outcome::Win(Color::Black)));
    assert_eq!(over("1,4 a1 b2,b4,b6 W"), Some(Outcome::Win(Color::Black)), "also while men are placed");
    assert_eq!(over("1,4 a1,a4 b2,b4,b6 W"), None);
    assert_eq!(over("0,0 b2,b4,b6 a1,a4 W"), Some(Outcome::Win(Color::White)), "set up: the opponent has lost");
    assert_eq!(
        over("0,0 - - B"),
        Some(Outcome::Win(Color::White)),
        "if both sides have too few men, the side to move has lost"
    );
    let p = play::<NineMensMorris>("0,0 a7,d7,g4 a1,b2,c3 W", "g4-g7xa1");
    assert_eq!(p.outcome(), Some(Outcome::Win(Color::White)));
}

#[test]
fn a_blocked_side_loses() {
    let p = position::<NineMensMorris>("0,0 a7,a4,d7 a1,b4,d6,g7 W");
    assert_eq!(p.outcome(), Some(Outcome::Win(Color::Black)));
    assert_eq!(position::<NineMensMorrisFlying>("0,0 a7,a4,d7 a1,b4,d6,g7 W").outcome(), None, "it flies");
    let p = position::<ThreeMensMorris>("0,0 a1 a2,b1,b2 W");
    assert_eq!(p.outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn a_blocked_side_draws_by_the_variant() {
    let text = "0,0 a7,a4,d7,b6 a1,b4,d6,g7 W";
    assert_eq!(position::<NineMensMorrisFlying>(text).outcome(), Some(Outcome::Win(Color::Black)));
    let p = position::<NineMensMorrisFlyingBlockedDraw>(text);
    assert_eq!((p.outcome(), p.why_over().map(|end| end.name)), (Some(Outcome::Draw), Some("blocked")));
    let few = position::<NineMensMorrisFlyingBlockedDraw>("0,0 a7,a4 a1,b4,d7 W");
    assert_eq!(few.outcome(), Some(Outcome::Win(Color::Black)), "two men lose even if they are blocked");
}

#[test]
fn a_mill_captures_any_man_by_the_variant() {
    let p = position::<NineMensMorrisFlyingUnprotected>("0,0 a7,d5,d7,g4 a1,d1,g1,c3 W");
    assert!(allows(&p, "g4-g7xc3") && allows(&p, "g4-g7xa1"), "c3 is in no mill, a1 is in one");
    assert!(!allows(&p, "g4-g7"), "a capture is mandatory");
    assert_eq!(p.count_moves(), texts(&p).len());
}

#[test]
fn lines_of_five_points_have_three_mills() {
    let p = position::<SevenMensMorris>("1,1 b4,d2,d6,f4 a1,a7,g1 W");
    assert!(allows(&p, "d4xa1"), "the center closes mills along both lines");
    assert!(allows(&position::<SevenMensMorris>("1,1 a4,b4 a1,a7,g1 W"), "d4xa1"));
    assert!(!allows(&position::<SevenMensMorris>("1,1 a4,b4 a1,a7,g1 W"), "f4xa1"), "a mill has no gap");
    assert!(!allows(&position::<SevenMensMorris>("0,0 b4,d6,a4 a1,a7,g1 W"), "d6-f4"), "no flying");
}

#[test]
fn three_mens_morris_is_won_by_a_mill() {
    let p = play::<ThreeMensMorris>("3,3 - - W", "a1 b1 b2 b3 c3");
    assert_eq!(p.to_string(), "0,1 a1,b2,c3 b1,b3 B");
    assert_eq!((p.count_moves(), p.final_score()), (0, -1));
    let p = position::<ThreeMensMorris>("0,0 a1,b2,c2 a2,b3,c1 W");
    assert!(allows(&p, "c2-c3") && !allows(&p, "c2-a3"), "men step");
    assert!(p.legal_moves().all(|m| m.captured().is_none()));
    assert_eq!(position::<ThreeMensMorris>("0,0 a1,b2,c3 b1,b3,c2 W").outcome(), Some(Outcome::Win(Color::White)));
    assert!(!position::<ThreeMensMorris>("1,1 a1 b2 W").is_over(), "without captures, few men do not lose");
}

/// A full board without a mill.
const FULL: &str = "0,0 a4,a7,b4,c3,c5,d1,d2,d5,e3,f4,f6,g7 a1,b2,b6,c4,d3,d6,d7,e4,e5,f2,g1,g4 W";

#[test]
fn a_full_board_is_a_loss_or_a_draw_by_the_variant() {
    let p = position::<Morabaraba>(FULL);
    assert_eq!((p.empty(), p.outcome()), (0, Some(Outcome::Win(Color::Black))), "the side to move loses");
    assert_eq!(position::<MorabarabaFullDraw>(FULL).outcome(), Some(Outcome::Draw));
    assert_eq!(position::<TwelveMensMorris>(FULL).outcome(), Some(Outcome::Draw));
    let blocked = position::<MorabarabaFullDraw>("0,0 a1,a4,a7,b4 b2,b6,c4,d1,d7 W");
    assert_eq!(blocked.outcome(), Some(Outcome::Win(Color::Black)), "{blocked}: blocked, but the board is not full");
}

#[test]
fn three_cows_start_the_ten_move_draw() {
    let limit = |text: &str| position::<Morabaraba>(text).no_progress_limit();
    assert_eq!(limit("0,0 a1,a4,b6 b2,d3,e5,f4 W"), Some(20));
    assert_eq!(limit("0,0 a1,a4,b6 b2,d3,e5,f4 B"), Some(20));
    assert_eq!(limit("2,0 a1 b2,d3,e5,f4 B"), Some(20), "hand and board");
    assert_eq!(limit("0,0 a1,a4,b6,c3 b2,d3,e5,f4 W"), None);
    assert_eq!(position::<NineMensMorrisFlying>("0,0 a1,a4,b6 b2,d3,e5,f4 W").no_progress_limit(), None);

    // White's shot reduces Black to three cows; twenty plies later the game is drawn.
    let mut game = Game::new(position::<Morabaraba>("0,0 a1,a4,d7,g7 b2,d3,e5,f4 W"));
    let mut play = |m: &str| {
        assert_eq!(game.end(), None);
        game.play(game.position().parse_move(m).unwrap()).unwrap();
        game.clone()
    };
    play("g7-g4");
    play("b2-d2");
    assert_eq!(play("d7-a7xf4").halfmove_clock(), 0);
    let mut last = None;
    for m in ["d2-b2", "g4-g7", "b2-d2", "g7-g4"].repeat(5) {
        last = Some(play(m));
    }
    let end = last.unwrap().end().unwrap();
    assert_eq!((end.outcome, end.reason), (Outcome::Draw, GameEndReason::NoProgress));
}

#[test]
fn captures_and_placements_are_irreversible() {
    let p = position::<NineMensMorris>("0,0 a7,d7,g4 a1,b2,c3 W");
    assert!(p.is_irreversible(p.parse_move("g4-g7xa1").unwrap()));
    assert!(!p.is_irreversible(p.parse_move("g4-g1").unwrap()));
    let p = Position::<NineMensMorris>::default();
    assert!(p.legal_moves().all(|m| p.is_irreversible(m)));
}

mod no_return {
    use super::*;

    #[test]
    fn bans_the_return_for_one_turn() {
        // The cow on d6 leaves the mill b6-d6-f6 and forms c5-d5-e5.
        let p = play::<MorabarabaNoReturn>("0,0 b6,c5,d6,e5,f6 a1,a4,d1,e3,g4 W", "d6-d5xg4");
        assert_eq!(p.to_string(), "0,0 b6,c5,d5,e5,f6 a1,a4,d1,e3 B ban=d5-d6,-");
        let p = p.play(p.parse_move("e3-d3").unwrap()).unwrap();
        assert_eq!(p.to_string(), "0,0 b6,c5,d5,e5,f6 a1,a4,d1,d3 W ban=d5-d6,-");
        assert!(!allows(&p, "d5-d6xa1") && !allows(&p, "d5-d6"));
        assert_eq!(p.count_moves(), p.legal_moves().count());
        let p = p.play(p.parse_move("e5-e4").unwrap()).unwrap();
        assert_eq!(p.to_string(), "0,0 b6,c5,d5,e4,f6 a1,a4,d1,d3 B", "the ban ends with the turn");
    }

    #[test]
    fn nine_mens_morris_has_a_variant_with_bans() {
        let p = play::<NineMensMorrisFlyingNoReturn>("0,0 b6,c5,d6,e5,f6 a1,a4,d1,e3,g4 W", "d6-d5xg4 e3-d3");
        assert_eq!(p.to_string(), "0,0 b6,c5,d5,e5,f6 a1,a4,d1,d3 W ban=d5-d6,-");
        assert!(!allows(&p, "d5-d6xa1") && allows(&p, "e5-e4"));
    }

    #[test]
    fn both_sides_may_have_a_ban() {
        let p = play::<MorabarabaNoReturn>("0,0 b6,c5,d5,e5,f6 b2,c3,d2,e3,f2 B ban=d5-d6,-", "d2-d3xb6");
        assert_eq!(p.to_string(), "0,0 c5,d5,e5,f6 b2,c3,d3,e3,f2 W ban=d5-d6,d3-d2");
    }

    #[test]
    fn drops_a_ban_that_forbids_nothing() {
        let p = play::<MorabarabaNoReturn>("0,0 a7,b6,c5,d6,e5,f6,g7 b2,d1,d2,f4,g1 W", "d6-d5xd1 f4-f2xd5");
        assert_eq!(p.to_string(), "0,0 a7,b6,c5,e5,f6,g7 b2,d2,f2,g1 W", "the cow is shot");
        let p = play::<MorabarabaNoReturn>("0,0 b6,c5,d6,e5,f6 a1,a4,d1,d7,g4 W", "d6-d5xg4 d7-d6");
        assert_eq!(p.to_string(), "0,0 b6,c5,d5,e5,f6 a1,a4,d1,d6 W", "its point is occupied");
    }

    #[test]
    fn a_side_with_only_the_banned_move_loses() {
        let text = "0,0 a1,c5,d5,e5 a4,b2,b6,c4,d1,e4,f6 W";
        assert_eq!(texts(&position::<MorabarabaNoReturn>(text)), ["d5-d6"]);
        let p = position::<MorabarabaNoReturn>(&format!("{text} ban=d5-d6,-"));
        assert_eq!((p.count_moves(), p.outcome()), (0, Some(Outcome::Win(Color::Black))));
    }

    #[test]
    fn the_ban_is_part_of_the_position() {
        let text = "0,0 b6,c5,d5,e5,f6 a1,a4,d1,d3 W";
        let without = position::<MorabarabaNoReturn>(text);
        let with = position::<MorabarabaNoReturn>(&format!("{text} ban=d5-d6,-"));
        assert!(with != without && with.key() != without.key());
        assert!(allows(&without, "d5-d6xa1"));
        assert_eq!(with.ban(Color::White).map(|ban| ban.map(Point::name)), Some(["d5", "d6"]));
        assert_eq!(without.key(), position::<Morabaraba>(text).key(), "without bans the key is that of morabaraba");
    }
}
