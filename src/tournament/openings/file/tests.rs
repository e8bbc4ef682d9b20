use std::fs;

use proptest::prelude::*;

use super::*;
use crate::game::{Annotated, Settings};
use crate::{morris, othello};

type Nine = morris::Position<morris::NineMensMorris>;

/// Returns the openings of a text, as the text of the first position (empty if it is that of the game) and the moves.
fn openings<P: Playable>(text: &str) -> Vec<String> {
    let show = |opening: &Opening<P>| {
        let moves: Vec<_> = opening.moves.iter().map(ToString::to_string).collect();
        let start = if opening.start == P::default() { String::new() } else { format!("{}; ", opening.start) };
        start + &moves.join(" ")
    };
    read::<P>(text.as_bytes(), "x", None).unwrap().openings.iter().map(show).collect()
}

fn error<P: Playable>(bytes: impl AsRef<[u8]>) -> String {
    read::<P>(bytes.as_ref(), "x", None).unwrap_err().to_string()
}

#[test]
fn blank_lines_and_comments_are_skipped() {
    let text = "\u{feff}% XOT\r\n\r\nf5d6c3d3c4f4f6g5\r\n  \t\n  f5 f6 # parallel\n#f5f4\nf5f4%diagonal";
    assert_eq!(openings::<othello::Position>(text), ["f5 d6 c3 d3 c4 f4 f6 g5", "f5 f6", "f5 f4"]);
    let kept = |line: &str| String::from_utf8(without_comment(line.as_bytes()).to_vec()).unwrap();
    assert_eq!(kept("(;PB[a #1]PW[50%]B[d3]; # said"), "(;PB[a #1]PW[50%]B[d3]; ");
}

#[test]
fn mill_games_are_read_as_moves_and_positions() {
    let text = "d2 f4 d6\nd2,f4,D6\n9,9 - - W\n8,9 d2 - B; f4\n8,8 d2 f4 W moves d6 b4\n8,9 d2 - B;\n6,6 a1,d1 a7,d7 W ; g1xa7, g7";
    assert_eq!(
        openings::<Nine>(text),
        [
            "d2 f4 d6",
            "d2 f4 d6",
            "",
            "8,9 d2 - B; f4",
            "8,8 d2 f4 W; d6 b4",
            "8,9 d2 - B; ",
            "6,6 a1,d1 a7,d7 W; g1xa7 g7"
        ]
    );
}

#[test]
fn duplicates_are_kept_and_counted() {
    let read = read::<othello::Position>("f5\nd3\nf5d6\nf5f6\nf5d6\n".as_bytes(), "x", None).unwrap();
    assert_eq!((read.openings.len(), read.duplicates), (5, 2));
    let read = super::read::<Nine>("a1\ng7\na7 g1\nd2".as_bytes(), "x", None).unwrap();
    assert_eq!((read.openings.len(), read.duplicates), (4, 1));
}

#[test]
fn errors_name_the_file_the_line_and_the_column() {
    let start = "9,9 - - W";
    assert_eq!(
        error::<othello::Position>("% a\n  f5a1"),
        "`x`, line 2, column 5: illegal move `a1` in ply 2: it flips no disc"
    );
    assert_eq!(error::<Nine>("d2\nd2 f4 d2"), "`x`, line 2, column 7: illegal move `d2` in ply 3: a man stands on d2");
    assert_eq!(
        error::<Nine>(format!(" {start}; d2  f4-g4")),
        "`x`, line 1, column 17: illegal move `f4-g4` in ply 2: a man is in hand and must be placed"
    );
    assert_eq!(error::<Nine>(format!("{start} moves d2 what")), "`x`, line 1, column 20: `what` is no move");
    assert_eq!(
        error::<Nine>("d2-d3"),
        "`x`, line 1, column 1: illegal move `d2-d3` in ply 1: a man is in hand and must be placed"
    );
    assert_eq!(error::<Nine>(" 9,9 d2,d2 - W; f4"), "`x`, line 1, column 9: point `d2` is given twice");
    let unknown = error::<Nine>("hello");
    assert!(
        unknown.starts_with(
            "`x`, line 1, column 1: `hello` begins no opening: expected moves from the start of the game such as `"
        ),
        "{unknown}"
    );
    assert_eq!(error::<Nine>(b"d2\nd2 \xff"), "`x`, line 2, column 4: not UTF-8 text");
    assert_eq!(error::<Nine>("d2 ".repeat(30_000)), "`x`, line 1, column 1: the line is longer than 65536 bytes");
    assert_eq!(error::<Nine>("% nothing\n\n"), "`x` holds no opening");
}

#[test]
fn an_opening_is_not_the_whole_game() {
    assert_eq!(
        error::<Nine>("0,0 a1,a4 d1,d2,d3 W"),
        "`x`, line 1, column 1: the game is over after this opening: nothing is left to be played; take fewer of its plies"
    );
    let over = "XXXXXXXXXXXXXXOO X";
    assert_eq!(
        error::<othello::Position<4>>(over),
        "`x`, line 1, column 1: the game is over after this opening: nothing is left to be played; take fewer of its plies"
    );
    let text = error::<Nine>("0,0 a1,a4 d1,d2,d3 W; a1-d1");
    assert_eq!(text, "`x`, line 1, column 23: illegal move `a1-d1` in ply 1: the game is over (Rules)");
}

#[test]
fn files_are_read_and_missing_ones_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("xot.txt");
    fs::write(&path, "f5d6c3\nf5z9\n").unwrap();
    let text = read_file::<othello::Position>(&path, None).unwrap_err().to_string();
    assert_eq!(text, format!("`{}`, line 2, column 3: expected a move such as `f5`, found `z9`", path.display()));
    fs::write(&path, "f5d6c3\n").unwrap();
    assert_eq!(read_file::<othello::Position>(&path, None).unwrap().openings.len(), 1);
    let text = read_file::<othello::Position>(&folder.path().join("none"), None).unwrap_err().to_string();
    assert!(text.starts_with("cannot read `") && text.ends_with("none`"), "{text}");
}

/// Reads a text; if it can be read, its openings are legal and the games go on.
fn check<P: Playable>(bytes: &[u8]) -> bool {
    let Ok(read) = read::<P>(bytes, "x", None) else { return false };
    let goes_on = |opening: &Opening<P>| opening.game(Settings::default()).is_ok_and(|game| game.end().is_none());
    assert!(!read.openings.is_empty() && read.openings.iter().all(goes_on));
    true
}

proptest! {
    #[test]
    fn garbage_is_an_error_and_no_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        line in "\\PC{0,80}",
        words in "[h-vyzé ;,x]{1,60}",
    ) {
        check::<Nine>(&bytes);
        check::<othello::Position>(&bytes);
        check::<Nine>(line.as_bytes());
        check::<othello::Position<4>>(line.as_bytes());
        prop_assert!(!check::<Nine>(words.as_bytes()));
    }

    #[test]
    fn nearly_right_lines_are_no_panic(at in 0..40usize, c in "\\PC", moves in "([a-g][1-7](-[a-g][1-7])?(x[a-g][1-7])?[ ,]){0,6}") {
        for line in [format!("5,5 a1,d1 a7,d7 W; {moves}"), format!("5,5 a1,d1 a7,d7 W moves {moves}"), moves] {
            check::<Nine>(line.as_bytes());
            let changed: String = line.chars().enumerate().map(|(i, old)| if i == at { c.clone() } else { old.into() }).collect();
            check::<Nine>(changed.as_bytes());
            check::<morris::Position<morris::MorabarabaNoReturn>>(changed.as_bytes());
        }
    }
}

#[test]
fn of_whole_games_the_first_plies_are_taken() {
    let mut game = crate::game::random_game::<othello::Position>(4, 100);
    assert!(game.end().is_some());
    let line = othello::formats::ggf::write(&Annotated::between(game.clone(), ["a", "b"]));
    assert!(read::<othello::Position>(line.as_bytes(), "x", None).unwrap_err().to_string().contains("is over after"));
    let read = read::<othello::Position>(line.as_bytes(), "x", Some(12)).unwrap();
    while game.moves().len() > 12 {
        game.undo();
    }
    assert_eq!((&read.openings[..], read.left_out), (&[Opening::of(&game)][..], 0));
    let two = format!("{line}\nXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOO X\n");
    let read = super::read::<othello::Position>(two.as_bytes(), "x", Some(12)).unwrap();
    assert_eq!((read.openings.len(), read.left_out), (1, 1));
}
