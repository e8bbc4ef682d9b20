//! Reading and writing transcripts, and error positions.

use super::*;
use crate::game::{RandomNumbers, RecordScanner as _, random_game};
use crate::othello::Position;

/// A game of 60 moves without a pass, which ends in a draw.
const WITHOUT_PASSES: &str = "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4A1A2\
                       C1H2H1G2B8A8G7H8H7H6";

/// A game in which moves 58 and 59 each follow a pass; Black wins by 48 to 16.
const WITH_PASSES: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5g3f7g4d8h6d2g6c2f8h5h4a7c6e2e1f1g1f2d1h2a5c7h3h7c8e8a6a4b7c1b1b2g2\
                           g7h8g8h1b8a2a1a3a8b4b3";

fn error(text: &str) -> (usize, String) {
    let error = read::<8>(text).unwrap_err();
    (error.column, error.to_string())
}

#[test]
fn positions_are_read_from_boards_and_moves() {
    let after = |text: &str| text.parse::<SizedPosition<8>>();
    let expected = *read::<8>("f5d6c3").unwrap().position();
    let board = expected.to_string();
    for text in ["f5d6c3", "F5 D6, c3", "1. f5 d6 2. c3", &board, &format!("{board};")] {
        assert_eq!(after(text), Ok(expected), "{text}");
    }
    assert_eq!(after(&format!("{board}; f4")).unwrap().to_string(), after("f5d6c3f4").unwrap().to_string());
    assert!(matches!(after("").unwrap_err().kind, TranscriptErrorKind::Position(_)));
    let error = after("f5d6d6").unwrap_err();
    assert_eq!((error.column, error.to_string().as_str()), (5, "illegal move `d6` at ply 3: the square is occupied"));
    assert_eq!(Game::<SizedPosition<8>>::default().to_string().parse(), Ok(Game::<SizedPosition<8>>::default()));
    let game: Game<SizedPosition<4>> = "XO-------------- O; c1".parse().unwrap();
    assert_eq!(
        (game.moves().len(), game.to_string().parse::<Game<SizedPosition<4>>>().unwrap().moves()),
        (2, game.moves())
    );
}

#[test]
fn a_move_after_its_number_is_no_number() {
    for text in ["1.f5 2.d6", "1. f5 2.d6 3.c3", "1.f5d6 2.c3", "1.f5 2.d6 3.c3 4.d3 5.e3"] {
        let words = text.replace('.', ". ").replace("f5d6", "f5 d6");
        assert_eq!(read::<8>(text).map(|game| write(&game)), read::<8>(&words).map(|game| write(&game)), "{text}");
    }
    assert_eq!(error("1.f5 2.e6"), (8, "illegal move `e6` at ply 2: it flips no disc".to_owned()));
    for text in ["f5d6 1e3", "f5d6 +1e3"] {
        assert!(read::<8>(text).is_err(), "{text}");
    }
    for text in ["f5d6 +1", "f5d6 -.5", "f5d6 3.25", "f5d6 12", "f5d6 +3."] {
        assert_eq!(read::<8>(text).map(|game| game.moves().len()), Ok(2), "{text}");
    }
}

#[test]
fn what_stands_around_the_moves_is_read_or_reported() {
    let annotated = |text: &str| {
        let read = read_annotated::<8>(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let [black, white] = read.tags.names.map(Option::unwrap_or_default);
        let points = read.tags.result.map(|result| result.points);
        let unread: Vec<_> = read.unread.iter().map(|part| format!("{}: {}", part.column, part.kind)).collect();
        assert_eq!(write(&read.game), "f5d6c3", "{text}");
        (format!("{black}/{white}"), read.tags.date.unwrap_or_default(), points, unread.join(", "))
    };
    let full = ("Anna/Maria".to_owned(), "2024-05-12".to_owned(), Some(-22.0), String::new());
    for text in [
        "12.05.2024 Anna - Maria 21-43 f5d6c3",
        "12.05.2024 Anna - Maria: f5d6c3 (21:43)",
        "Partie 3, 12.05.2024: Anna (21) vs. Maria (43): 1. f5 d6 2. c3",
        "Game 6\nAnna (21) - Maria (43)\n2024-05-12\nf5d6c3",
        "f5d6c3 Anna - Maria, 12.05.2024, 21-43",
    ] {
        assert_eq!(annotated(text), full, "{text}");
    }
    let left_out = |column: usize, words: &str| format!("{column}: left out: `{words}`");
    for (text, unread) in [
        ("F5d6c3   Perpendicular", left_out(10, "Perpendicular")),
        ("Name | F5d6C3", left_out(1, "Name")),
        ("f5d6c3 | Tiger, main line", left_out(10, "Tiger, main line")),
        ("f5d6c3 40-24 after a long fight", left_out(14, "after a long fight")),
        ("WOC final: f5 d6 c3", left_out(1, "WOC final")),
        ("5/6/2024 f5d6c3", left_out(1, "5/6/2024") + ", which may be two dates; write it like 2024-05-31"),
        ("BLACK, f5\nWHITE, d6\nBLACK, c3", String::new()),
        ("Black: f5, White: d6, Black: c3", String::new()),
    ] {
        assert_eq!(annotated(text).3, unread, "{text}");
    }
    for (text, column) in [
        ("Anna - Maria: f5d6d6", 19),
        ("f5d6 hello c3", 6),
        ("f5d6hello", 5),
        ("BLACK, f5\nBLACK, c3", 11),
        ("Team A1 - Maria: f5d6d6", 22),
    ] {
        assert_eq!(error(text).0, column, "{text}");
    }
    assert!(!begins("Partie 1") && !begins("Passau") && begins("paf5") && begins("pa f5") && begins("pass"));
}

#[test]
fn reads_whole_games() {
    let game = read::<8>(WITHOUT_PASSES).unwrap();
    assert_eq!((game.moves().len(), game.position().final_score()), (60, 0));
    assert_eq!(write(&game), WITHOUT_PASSES.to_lowercase());

    let game = read::<8>(WITH_PASSES).unwrap();
    let passes: Vec<_> = (0..game.moves().len()).filter(|&ply| game.moves()[ply] == Move::PASS).collect();
    assert_eq!((game.moves().len(), passes), (62, vec![57, 59]));
    assert!(game.position().is_over());
    assert_eq!((game.position().disc_difference().abs(), write(&game).as_str()), (32, WITH_PASSES));
    // Written passes give the same game.
    let (before, after) = WITH_PASSES.split_at(2 * 57);
    let written = format!("{before} PASS {} pa{}", &after[..2], &after[2..]);
    assert_eq!(read::<8>(&written).unwrap().moves(), game.moves());
    let dashes = written.replace("PASS", "--").replace("pa", " -- ");
    assert_eq!(read::<8>(&dashes).unwrap().moves(), game.moves());
}

#[test]
fn games_of_all_sizes_round_trip() {
    fn check<const N: usize>(plies: usize) {
        let mut numbers = RandomNumbers::new(3);
        for seed in 0..50 {
            let game = random_game::<SizedPosition<N>>(seed, numbers.below(plies));
            let read = read::<N>(&write(&game)).unwrap();
            assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
            let mut later = Game::new(*game.position());
            while let Some(m) = later.position().legal_moves().next() {
                later.play(m).unwrap();
            }
            let read = super::read::<N>(&write(&later)).unwrap();
            assert_eq!((read.start(), read.moves()), (later.start(), later.moves()));
        }
    }
    check::<8>(65);
    check::<6>(40);
    check::<4>(14);
}

#[test]
fn ignores_case_spaces_and_commas() {
    let moves = read::<8>("f5d6c3").unwrap().moves().to_vec();
    for text in [" F5D6C3 ", "f5 d6 c3", "f5,d6, c3,", "F5d6\tC3"] {
        assert_eq!(read::<8>(text).unwrap().moves(), moves, "{text}");
    }
    let start = Position::default();
    for text in [format!("{start};f5d6c3"), format!("{start} ; f5 d6c3")] {
        assert_eq!(read::<8>(&text).unwrap().moves(), moves, "{text}");
    }
    assert!(read::<8>("").unwrap().moves().is_empty());
    assert_eq!(write(&read::<4>("XO-------------- O; c1").unwrap()), "XO-------------- O; c1");
    assert_eq!(read::<4>("XO-------------- O; c1").unwrap().moves().len(), 2);
    assert_eq!(write(&read::<4>("XO-------------- O; pa").unwrap()), "XO-------------- O; pa");
}

#[test]
fn ignores_move_numbers_comments_and_marks() {
    let moves = read::<8>("f5d6c3d3").unwrap().moves().to_vec();
    for text in [
        "1. f5 d6 2. c3 d3",
        "1.f5 d6 2.c3 d3 *",
        "1. f5 1... d6 2. c3 2... d3 1-0",
        "1. f5! d6?? {a {remark} 2. c3 d3 1/2-1/2",
        "{opening} 1. f5 2. d6 3. c3 4. d3",
        "1. f5 $1 d6 (1... f6 (1... f4 2. e3)) 2. c3 (why?) d3",
        "1. f5 d6\n2. c3 d3\n40-24",
        "f5d6c3d3 -0.5",
        "F5D6C3D3 +2",
        "Anna - Bob: f5d6c3d3",
        "game 3: 1. f5 d6 2. c3 d3",
        "f5-d6-c3-d3 40-24",
        "f5/d6|c3_d3",
        "f5.d6>c3\u{2192}d3",
        "1\tf5\td6\t2\tc3\td3",
    ] {
        assert!(looks_like(text), "{text}");
        assert_eq!(read::<8>(text).map(|game| game.moves().to_vec()), Ok(moves.clone()), "{text}");
    }
}

#[test]
fn a_list_continues_with_the_next_number_only() {
    let continues = |lines: &[&str], next: &str| {
        let mut scanner = NumberedMovesScanner::new(is_result, continues);
        lines.iter().for_each(|line| scanner.add(line));
        scanner.may_continue() && scanner.accepts(next)
    };
    assert!(continues(&["1. f5 d6"], "2. c3 d3"));
    assert!(continues(&["1. f5 d6 {2. a1}", "2. c3 d3"], "3. c4 f4"));
    assert!(continues(&["1. f5"], "1... d6"));
    assert!(continues(&["1. f5", "2. d6", "3. c3"], "4. d3"));
    assert!(continues(&["1. f5 d6"], "40-24"));
    // Comments and variations may extend over several lines.
    assert!(continues(&["1. f5 d6 {1-0 and"], "2. a1 so on}"));
    assert!(continues(&["1. f5 d6", "{1. a1"], "b1} 2. c3") && continues(&["1. f5 d6"], "{a comment"));
    assert!(continues(&["1. f5 d6 {a", "b}"], "2. c3 d3") && !continues(&["1. f5 d6 {a", "b}"], "f5d6"));
    assert!(continues(&["1. f5 d6 (1... f6", "2. e6)"], "2. c3 d3"));
    assert!(continues(&["1. f5 d6 40-24 {a"], "b}") && !continues(&["1. f5 d6 40-24 {a", "b}"], "2. c3"));
    // An unclosed comment does not swallow the next list.
    assert!(!continues(&["1. f5 d6 {a"], "1. f5 f6") && !continues(&["1. f5 d6 {a"], ""));
    // A pass may be omitted.
    assert!(continues(&["1. f5 d6"], "3. c3 d3"));
    assert!(!continues(&["1. f5 d6"], "5. c3 d3"));
    // One game per line, with its number.
    assert!(!continues(&["1. f5d6c3"], "2. f5f6e6"));
    assert!(!continues(&["1. f5d6c3d3c4f4"], "2. f5f6e6"));
    assert!(!continues(&["1. f5 d6 40-24"], "2. c3"));
    assert!(!continues(&["f5 d6"], "2. c3"));
    assert!(!continues(&["1. f5 d6"], "1. f5 f6"));
    assert!(!continues(&["1. f5 d6"], "2. Anna - Bob: f5f6e6"));
}

#[test]
fn keeps_names_and_results_in_discs() {
    let tags = |text: &str| read_annotated::<8>(text).unwrap().tags;
    let names = |text: &str| tags(text).names.map(Option::unwrap_or_default);
    assert_eq!(names("Anna - Bob: f5"), ["Anna", "Bob"]);
    assert_eq!(names("Anna-Lena vs. Bob: f5"), ["Anna-Lena", "Bob"]);
    assert_eq!(names("12. Zebra (andersson) - OO7 (buro): f5"), ["Zebra (andersson)", "OO7 (buro)"]);
    assert_eq!(names("3 Kings - 2 Queens: f5"), ["3 Kings", "2 Queens"]);
    assert_eq!(names("round 1: f5"), ["", ""]);
    let points = |text: &str| tags(text).result.map(|result| result.points);
    assert_eq!(
        (points("f5d6 40-24"), points("f5d6 0-64"), points("f5d6 31:33")),
        (Some(16.0), Some(-64.0), Some(-2.0))
    );
    assert_eq!((points("f5d6 40-20"), points("f5d6 14:30"), points("f5d6 13-0")), (None, None, Some(64.0)));
    assert_eq!((points("f5d6 1-0"), points("f5d6 +4"), points("f5d6")), (None, None, None));
}

#[test]
fn reports_where_and_why_a_transcript_is_invalid() {
    assert_eq!(error("1. f5 d6 2. d6"), (13, "illegal move `d6` at ply 3: the square is occupied".into()));
    assert_eq!(error("é - B: f5x"), (10, "expected a move such as `f5`, found `x`".into()));
    assert_eq!(error("f5 {open"), (4, "unclosed comment: expected `}`".into()));
    assert_eq!(error("f5 d6 (1... f6 (a)"), (7, "unclosed variation: expected `)`".into()));
    assert_eq!(error("f5 d6 40-24 {open"), (13, "unclosed comment: expected `}`".into()));
    assert_eq!(
        error("f5 -- d6"),
        (4, "illegal move `--` at ply 2: the side to move has a legal move and cannot pass".into())
    );
    assert_eq!(error("f5 --d6"), error("f5 -- d6"));
    assert_eq!(error("f5 --x"), (4, "expected a move such as `f5`, found `--x`".into()));
    assert_eq!(error("f5d6c3d3c4f4 a1"), (14, "illegal move `a1` at ply 7: it flips no disc".into()));
    assert_eq!(error("f5d6D6"), (5, "illegal move `D6` at ply 3: the square is occupied".into()));
    assert_eq!(
        error("f5pad6"),
        (3, "illegal move `pa` at ply 2: the side to move has a legal move and cannot pass".into())
    );
    assert_eq!(error("f5 d9c3"), (4, "expected a move such as `f5`, found `d9c3`".into()));
    assert_eq!(error("f5é"), (3, "expected a move such as `f5`, found `é`".into()));
    assert_eq!(error("f5d"), (3, "expected a move such as `f5`, found `d`".into()));
    let start = Position::default();
    assert_eq!(error(&format!("{start}; f5x")), (71, "expected a move such as `f5`, found `x`".into()));
    assert_eq!(error(&format!("{start} f5; d6")), (68, "expected `;` between the position and the moves".into()));
    assert_eq!(error("--- X; f5").0, 6);
    let whole = format!("{WITHOUT_PASSES}a1");
    assert_eq!(error(&whole), (121, "illegal move `a1` at ply 61: the game is over".into()));
    let text = read::<4>("a2e2").unwrap_err().to_string();
    assert_eq!(text, "illegal move `e2` at ply 2: the board has no such square");
}
