//! Reading, writing and rejecting FENs.

use proptest::prelude::*;

use super::*;
use crate::game::random_game;
use crate::morris::{
    LaskerMorris, Morabaraba, MorabarabaNoReturn, NineMensMorris, NineMensMorrisFlying, SixMensMorris, point,
};

const EXAMPLE: &str = "***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1";

fn position(line: &str) -> String {
    read::<NineMensMorris>(line).unwrap().position.to_string()
}

fn error(line: &str) -> (usize, FenErrorKind) {
    let error = read::<NineMensMorris>(line).unwrap_err();
    (error.column, error.kind)
}

#[test]
fn reads_example_positions() {
    assert_eq!(position(EXAMPLE), "0,0 b6,d3,d6 c3,d7,e3,f2 W");
    assert_eq!(position("********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"), "9,9 - - W");
    assert_eq!(position("********/********/******** w r p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"), "9,9 - - W");
    assert_eq!(position("O*******/*@******/*******O b p p 2 7 1 8 0 0 3 4 5 6 7 8 9"), "7,8 a7,d5 f6 B");
    let lasker = "O*******/********/******** w p s 1 9 0 9 0 0 -1 -1 -1 -1 0 0 1";
    assert_eq!(read::<LaskerMorris>(lasker).unwrap().position.to_string(), "9,9 d5 - W");
    let twelve = "********/********/******** w p p 0 12 0 12 0 0 0 0 0 0 0 0 1";
    assert_eq!(read::<Morabaraba>(twelve).unwrap().position, Position::default());
}

#[test]
fn finished_games_round_trip() {
    // White has two men left, so Black has won.
    let over = "***@O@**/O**@****/@******* w o ? 2 0 4 0 0 0 -1 -1 -1 -1 0 0 1";
    assert_eq!(position(over), "0,0 d3,d6 c3,d7,e3,f2 W");
    assert_eq!(write(&read::<NineMensMorris>(over).unwrap().position).as_deref(), Ok(over));
    for action in ["s", "r", "p"] {
        assert_eq!(position(&over.replace('?', action)), position(over), "{action}");
    }
    // The game is over by the rules even if the FEN shows an ongoing game.
    assert_eq!(position(&over.replace("o ?", "m s")), position(over));
    let ongoing = EXAMPLE.replace("m s", "o ?");
    assert_eq!(error(&ongoing), (30, FenErrorKind::NotOver { game: "nine-mens-morris", expected: 'm' }));
}

#[test]
fn rejects_a_pending_capture() {
    assert_eq!(error(&EXAMPLE.replace("m s", "m r")), (32, FenErrorKind::PendingCapture));
    assert_eq!(error(&EXAMPLE.replace("4 0 0 0 -1", "4 0 1 0 -1")), (42, FenErrorKind::PendingCapture));
    assert_eq!(error(&EXAMPLE.replace("4 0 0 0 -1", "4 0 0 2 -1")), (44, FenErrorKind::PendingCapture));
    let text = FenErrorKind::PendingCapture.to_string();
    assert!(text.contains("give the position before the mill was closed"), "{text}");
}

#[test]
fn reports_the_column_of_inconsistent_fields() {
    let name = str::to_owned;
    let (white, black) = (Color::White, Color::Black);
    let change = |from: &str, to: &str| error(&EXAMPLE.replacen(from, to, 1));
    assert_eq!(change("s 3 0", "s 4 0"), (34, FenErrorKind::OnBoard { color: white, on_board: 3, given: 4 }));
    assert_eq!(
        change("4 0 0 0", "4 6 0 0"),
        (40, FenErrorKind::TooManyMen(TooManyMen { color: black, found: 10, men: 9 }))
    );
    assert_eq!(change("m s", "p s"), (30, FenErrorKind::Phase { given: name("p"), expected: 'm' }));
    assert_eq!(change("3 0 4 0", "3 1 4 0"), (30, FenErrorKind::Phase { given: name("m"), expected: 'p' }));
    let action =
        |given: &str, hand, expected| FenErrorKind::Action { given: name(given), color: white, hand, expected };
    assert_eq!(change("m s", "p p"), (30, FenErrorKind::Phase { given: name("p"), expected: 'm' }));
    assert_eq!(change("m s", "m ?"), (32, action("?", 0, 's')));
    assert_eq!(change("m s 3 0", "p s 3 1"), (32, action("s", 1, 'p')));
}

#[test]
fn reads_phases_and_actions_as_sanmill_writes_them() {
    let puzzle = "***O**@*/@****@*O/OO@***@O b m p 5 0 5 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
    let position = read::<NineMensMorris>(puzzle).unwrap().position;
    assert_eq!(
        (position, position.side_to_move()),
        (read(&puzzle.replace(" p ", " s ")).unwrap().position, Color::Black)
    );
    let lasker = "**OO@@@*/O*O@@@OO/*O@@O@*@ b m s 8 1 10 0 0 0 0 0 0 0 0 0 1";
    assert_eq!(read::<LaskerMorris>(lasker).unwrap().position.hand(Color::White), 1);
    let (column, kind) = error(&puzzle.replace("5 0 5 0", "5 0 5 1"));
    assert_eq!((column, kind), (30, FenErrorKind::Phase { given: "m".to_owned(), expected: 'p' }), "Black must place");
}

#[test]
fn reports_the_column_of_invalid_fields() {
    let of = |field, found: &str| FenErrorKind::Unexpected { field, found: found.to_owned() };
    let change = |from: &str, to: &str| error(&EXAMPLE.replacen(from, to, 1));
    assert_eq!(error(""), (1, FenErrorKind::Missing(FenField::Board)));
    assert_eq!(change(" 0 0 1", " 0 0  "), (EXAMPLE.len() - 1, FenErrorKind::Missing(FenField::Counter)));
    assert_eq!(change(" w ", " x "), (28, of(FenField::Side, "x")));
    assert_eq!(change(" m ", " n "), (30, of(FenField::Phase, "n")));
    assert_eq!(change(" s ", " ss "), (32, of(FenField::Action, "ss")));
    assert_eq!(change(" 3 ", " +3 "), (34, of(FenField::OnBoard(Color::White), "+3")));
    assert_eq!(change(" -1 -1", " -1 -2"), (49, of(FenField::LastMill(Color::White), "-2")));
    assert_eq!(change(" 0 0 1", " 0 é 1"), (60, of(FenField::Counter, "é")));
    assert_eq!(error(&format!("{EXAMPLE} ids:nodes 5")), (74, FenErrorKind::TrailingText("5".to_owned())));
    for (board, column, found) in [
        ("***@O@*/O**@***O/@*******", 8, "/O**@***O/@*"),
        ("***@O@***/O**@***O/@*******", 9, "*/O**@***O/@"),
        ("***@O@**/O**@***O/@******", 26, ""),
        ("***@O@**/O**@***O/@*******/", 27, "/"),
    ] {
        assert_eq!(error(&format!("{board} w m s")), (column, of(FenField::Board, found)), "{board}");
    }
    let point = |point: &str, found| FenErrorKind::Point { point: point.to_owned(), found };
    assert_eq!(error("***@O@**/O*X@***O/@******* w m s"), (12, point("f4", 'X')));
    assert_eq!(error("***@O@**/O**@***O/@*****é* w m s"), (25, point("a4", 'é')));
    assert!(point("f4", 'X').to_string().contains("write `*`"));
    assert!(
        error("***@O@**/O**@***O/@******* w m s 3 0 4 0").1.to_string().contains("ends with fields such as `0 0 -1")
    );
}

#[test]
fn rejects_boards_and_bans_that_fen_cannot_represent() {
    assert_eq!(read::<SixMensMorris>(EXAMPLE).unwrap_err().kind, FenErrorKind::UnsupportedBoard("six-mens-morris"));
    assert_eq!(write(&Position::<SixMensMorris>::default()), Err(WriteFenError::UnsupportedBoard("six-mens-morris")));
    let banned: Position<MorabarabaNoReturn> = "0,0 b6,c5,d5,e5 a1,a4,d1,d3 W ban=d5-d6,-".parse().unwrap();
    assert_eq!(write(&banned), Err(WriteFenError::Ban));
    let last_mill = EXAMPLE.replace("-1 -1 -1 -1", "-1 -1 5 6");
    let error = read::<MorabarabaNoReturn>(&last_mill).unwrap_err();
    assert_eq!((error.column, error.kind), (52, FenErrorKind::LastMill));
    assert!(read::<Morabaraba>(&last_mill).is_ok());
}

#[test]
fn detects_fen_lines() {
    assert!(looks_like(EXAMPLE) && looks_like("OX*/@") && looks_like("  ***/ x"));
    assert!(!looks_like("") && !looks_like("7,8 a4,b4 g7 B") && !looks_like("1/2-1/2") && !looks_like("*"));
}

fn round_trip<V: Variant>(seed: u64, plies: usize) {
    let position = *random_game::<Position<V>>(seed, plies).position();
    match write(&position) {
        Ok(line) => {
            assert!(looks_like(&line));
            assert_eq!(read::<V>(&line).unwrap_or_else(|error| panic!("{line}: {error}")).position, position);
        }
        Err(error) => assert!(error == WriteFenError::Ban && position.to_string().contains("ban="), "{position}"),
    }
}

proptest! {
    #[test]
    fn positions_round_trip(seed: u64, plies in 0..150usize) {
        round_trip::<NineMensMorris>(seed, plies);
        round_trip::<NineMensMorrisFlying>(seed, plies);
        round_trip::<LaskerMorris>(seed, plies);
        round_trip::<Morabaraba>(seed, plies);
        round_trip::<MorabarabaNoReturn>(seed, plies);
    }

    /// The sides may have different numbers of men in hand and on the board.
    #[test]
    fn arranged_positions_round_trip(men: [u32; 2], hands in [0..10u8, 0..10u8], white: bool) {
        let side = if white { Color::White } else { Color::Black };
        let men = [men[0] & 0x11_1111, men[1] & 0x22_2222].map(point::points);
        if let Ok(position) = Position::<NineMensMorrisFlying>::new(hands, men, side) {
            let line = write(&position).unwrap();
            prop_assert_eq!(read::<NineMensMorrisFlying>(&line).unwrap().position, position, "{}", line);
        }
    }

    #[test]
    fn error_columns_lie_within_the_text(
        at in 0..EXAMPLE.len() + 1,
        c in "[a-zO@*/0-9?é -]{0,2}",
        other in "\\PC{0,60}",
    ) {
        let changed: String = EXAMPLE.chars().take(at).chain(c.chars()).chain(EXAMPLE.chars().skip(at + 1)).collect();
        for line in [changed, other] {
            if let Err(error) = read::<NineMensMorris>(&line) {
                prop_assert!((1..=line.chars().count() + 1).contains(&error.column), "{line}: {error}");
            }
        }
    }
}
