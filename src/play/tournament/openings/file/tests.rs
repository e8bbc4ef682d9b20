use std::fs;
use std::io::Write as _;
use std::path::Path;

use morello_core::game::{AnnotatedGame, DrawRules, any_game};
use morello_core::{morris, othello};
use proptest::prelude::*;

use super::*;

fn othello() -> &'static dyn AnyGame {
    any_game::<othello::Position>()
}

fn nine() -> &'static dyn AnyGame {
    any_game::<morris::Position<morris::NineMensMorris>>()
}

/// Returns the openings in the text, each as its start position (omitted for the standard one) and
/// its moves.
fn openings(game: &'static dyn AnyGame, text: &str) -> Vec<String> {
    let show = |opening: &Opening| {
        let moves: Vec<_> = opening.moves.iter().map(ToString::to_string).collect();
        let start = if opening.start.is_start() { String::new() } else { format!("{}; ", opening.start) };
        start + &moves.join(" ")
    };
    text_of(game, text, None).unwrap().openings.iter().map(show).collect()
}

fn text_of(game: &'static dyn AnyGame, text: &str, plies: Option<usize>) -> Result<OpeningFile, ReadOpeningsError> {
    read(game, Input::Text(text.to_owned()), plies)
}

fn error(game: &'static dyn AnyGame, text: &str) -> String {
    text_of(game, text, None).unwrap_err().to_string()
}

#[test]
fn blank_lines_and_comments_are_skipped() {
    let text = "\u{feff}% XOT\r\n\r\nf5d6c3d3c4f4f6g5\r\n  \t\n  f5 f6 # parallel\n#f5f4\nf5f4 %diagonal";
    assert_eq!(openings(othello(), text), ["f5 d6 c3 d3 c4 f4 f6 g5", "f5 f6", "f5 f4"]);
}

#[test]
fn reads_mill_openings_as_moves_and_positions() {
    let text = "d2 f4 d6\nd2,f4,D6\n9,9 - - W\n8,9 d2 - B; f4\n8,8 d2 f4 W moves d6 b4\n8,9 d2 - B;\n6,6 a1,d1 \
        a7,d7 W ; g1xa7, g7";
    assert_eq!(
        openings(nine(), text),
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
    let read = text_of(othello(), "f5\nd3\nf5d6\nf5f6\nf5d6\n", None).unwrap();
    assert_eq!((read.openings.len(), read.duplicates), (5, 2));
    let read = text_of(nine(), "a1\ng7\na7 g1\nd2", None).unwrap();
    assert_eq!((read.openings.len(), read.duplicates), (4, 1));
}

#[test]
fn errors_name_the_file_the_line_and_the_column() {
    let start = "9,9 - - W";
    assert_eq!(
        error(othello(), "% a\n  f5a1"),
        "`text`, line 2, column 5: illegal move `a1` at ply 2: it flips no disc"
    );
    assert_eq!(
        error(nine(), "d2\nd2 f4 d2"),
        "`text`, line 2, column 7: illegal move `d2` at ply 3: a man stands on d2"
    );
    assert_eq!(
        error(nine(), &format!(" {start}; d2  f4-g4")),
        "`text`, line 1, column 17: illegal move `f4-g4` at ply 2: a man is in hand and must be placed"
    );
    assert_eq!(error(nine(), &format!("{start} moves d2 what d6")), "`text`, line 1, column 20: not a move: `what`");
    assert_eq!(
        error(nine(), "d2-d3"),
        "`text`, line 1, column 1: illegal move `d2-d3` at ply 1: a man is in hand and must be placed"
    );
    assert_eq!(error(nine(), " 9,9 d2,d2 - W; f4"), "`text`, line 1, column 9: point `d2` is given twice");
    assert!(error(nine(), "hello").starts_with("`text`, line 1, column 1: "), "{}", error(nine(), "hello"));
    let long = error(nine(), &"d2 ".repeat(30_000));
    assert_eq!(long, "`text`, line 1, column 1: longer than 65536 bytes; split it, or shorten its comments");
    assert_eq!(error(nine(), "% nothing\n\n"), "`text` contains no openings");
}

#[test]
fn rejects_an_opening_that_ends_the_game() {
    assert_eq!(
        error(nine(), "0,0 a1,a4 d1,d2,d3 W"),
        "`text`, line 1, column 1: the game is over after this opening; use fewer of its plies"
    );
    let over = "XXXXXXXXXXXXXXOO X";
    assert_eq!(
        error(any_game::<othello::SizedPosition<4>>(), over),
        "`text`, line 1, column 1: the game is over after this opening; use fewer of its plies"
    );
    let text = error(nine(), "0,0 a1,a4 d1,d2,d3 W; a1-d1");
    assert_eq!(text, "`text`, line 1, column 23: illegal move `a1-d1` at ply 1: the game is over (by its rules)");
}

#[test]
fn reads_any_format_and_names_missing_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("xot.txt");
    let read = |path: &Path| read(othello(), Input::File(path.to_owned()), Some(3));
    fs::write(&path, b"f5d6c3\nf5 \xff\n").unwrap();
    let text = read(&path).unwrap_err().to_string();
    assert_eq!(text, format!("`{}`, line 2, column 4: not UTF-8 text", path.display()));
    let games: Vec<AnnotatedGame<othello::Position>> =
        (0..3).map(|seed| AnnotatedGame::from(morello_core::game::random_game(seed, 100))).collect();
    let expected: Vec<_> = games.iter().map(|game| game.game.any().moves()[..3].to_vec()).collect();
    let table = folder.path().join("table.csv");
    let transcripts = games.iter().map(|game| othello::formats::transcript::write(&game.game));
    fs::write(&table, transcripts.map(|text| format!("1,{text}\n")).fold("id,transcript\n".to_owned(), |a, b| a + &b))
        .unwrap();
    let archive = folder.path().join("games.ggf.gz");
    let mut file = flate2::write::GzEncoder::new(fs::File::create(&archive).unwrap(), flate2::Compression::fast());
    for game in &games {
        writeln!(file, "{}", othello::formats::ggf::write(game)).unwrap();
    }
    file.finish().unwrap();
    for path in [&table, &archive] {
        let openings = read(path).unwrap().openings;
        assert_eq!(
            openings.into_iter().map(|opening| opening.moves).collect::<Vec<_>>(),
            expected,
            "{}",
            path.display()
        );
    }
    let text = read(&folder.path().join("none")).unwrap_err().to_string();
    assert!(text.starts_with("cannot read `") && text.ends_with("none`"), "{text}");
}

/// Returns whether the text can be read. If it can, checks that its openings are legal and
/// unfinished.
fn check(game: &'static dyn AnyGame, text: &str) -> bool {
    let Ok(read) = text_of(game, text, None) else { return false };
    let is_unfinished = |opening: &Opening| opening.game(DrawRules::default()).is_ok_and(|game| game.end().is_none());
    assert!(!read.openings.is_empty() && read.openings.iter().all(is_unfinished));
    true
}

proptest! {
    #[test]
    fn garbage_is_rejected_without_panics(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        line in "\\PC{0,80}",
        words in "[h-vyzé ;,x]{1,60}",
    ) {
        check(nine(), &String::from_utf8_lossy(&bytes));
        check(othello(), &String::from_utf8_lossy(&bytes));
        check(nine(), &line);
        check(any_game::<othello::SizedPosition<4>>(), &line);
        prop_assert!(!check(nine(), &words));
    }

    #[test]
    fn nearly_valid_lines_never_panic(
        at in 0..40usize,
        c in "\\PC",
        moves in "([a-g][1-7](-[a-g][1-7])?(x[a-g][1-7])?[ ,]){0,6}",
    ) {
        for line in [format!("5,5 a1,d1 a7,d7 W; {moves}"), format!("5,5 a1,d1 a7,d7 W moves {moves}"), moves] {
            check(nine(), &line);
            let replaced = |(i, old): (usize, char)| if i == at { c.clone() } else { old.into() };
            let changed: String = line.chars().enumerate().map(replaced).collect();
            check(nine(), &changed);
            check(any_game::<morris::Position<morris::MorabarabaNoReturn>>(), &changed);
        }
    }
}

#[test]
fn takes_the_first_plies_of_whole_games() {
    let mut game = morello_core::game::random_game::<othello::Position>(4, 100);
    assert!(game.end().is_some());
    let line = othello::formats::ggf::write(&AnnotatedGame::with_names(game.clone(), ["a", "b"]));
    assert!(error(othello(), &line).contains("is over after"));
    let read = text_of(othello(), &line, Some(12)).unwrap();
    while game.moves().len() > 12 {
        game.undo();
    }
    assert_eq!((&read.openings[..], read.left_out), (&[Opening::of(&game.any())][..], 0));
    let two = format!("{line}\nXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOO X\n");
    let read = text_of(othello(), &two, Some(12)).unwrap();
    assert_eq!((read.openings.len(), read.left_out), (1, 1));
}

#[test]
fn the_number_of_openings_is_limited() {
    let all = "f5d6\n".repeat(1000);
    assert_eq!(text_of(othello(), &all, None).unwrap().openings.len(), 1000);
    assert!(error(othello(), &(all + "f5d6\n")).ends_with("more than 1000 openings; use a part of it"));
}
