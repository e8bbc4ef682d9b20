//! Diagrams of squares and of lines.

use super::*;
use crate::game::{Game, first_record_lines, random_game};
use crate::morris::{
    Morabaraba, NineMensMorris, Position as Mills, SevenMensMorris, SixMensMorris, ThreeMensMorris, Variant,
};
use crate::othello::{Position as Othello, SizedPosition};

type Three = Mills<ThreeMensMorris>;

fn read<P: Playable>(text: &str) -> Result<P, (usize, String)> {
    match parse(any_game::<P>(), text) {
        Ok(ParsedRecord::Position(entry)) => Ok(entry.position.known()),
        Ok(ParsedRecord::Games(_)) => panic!("a diagram is a position"),
        Err(error) => Err((error.column(), error.to_string())),
    }
}

#[test]
fn reads_the_diagrams_of_othello() {
    fn check<const N: usize>(plies: usize)
    where
        SizedPosition<N>: Playable,
    {
        for seed in 0..20 {
            let game: Game<SizedPosition<N>> = random_game(seed, seed as usize % plies);
            let position = *game.position();
            assert_eq!(read::<SizedPosition<N>>(&write(&AnyPosition::new(position))), Ok(position));
        }
    }
    check::<8>(60);
    check::<6>(30);
    check::<4>(10);
}

#[test]
fn reads_rows_with_and_without_names_and_digits() {
    let start = Othello::default();
    let plain = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\nX";
    assert_eq!(read::<Othello>(plain), Ok(start));
    assert_eq!(read::<Othello>(&plain.replace('.', "0").replace('O', "2").replace('X', "1")), Ok(start));
    let bar = |row: &str| row.chars().fold("|".to_owned(), |line, square| format!("{line} {square} |"));
    let bars: Vec<_> = plain.lines().take(8).map(bar).collect();
    assert_eq!(read::<Othello>(&format!("{}\nto move: X", bars.join("\n"))), Ok(start));
    let grid = "+---".repeat(8) + "+";
    let rows = bars.join(&format!("\n  {grid}\n"));
    let text = format!("  {grid}\n{rows}\n  {grid}\nX to move");
    assert_eq!(read::<Othello>(&text), Ok(start), "{text}");
    let mut scanner = DiagramScanner::new(any_game::<Othello>());
    for line in text.lines() {
        assert!(scanner.may_continue() && (scanner.rows == 0 || scanner.accepts(line)), "{line}");
        scanner.add(line);
    }
    assert!(!scanner.may_continue());
    let numbered: Vec<_> = plain.lines().enumerate().map(|(at, row)| format!("{} {row} {}", at + 1, at + 1)).collect();
    let numbered = format!("  A B C D E F G H\n{}\n  A B C D E F G H\nturn: black", numbered[..8].join("\n"));
    assert_eq!(read::<Othello>(&numbered), Ok(start));
}

#[test]
fn numbers_of_rows_say_which_one_is_the_upper() {
    let game: Game<Othello> = random_game(7, 21);
    let text = write(&AnyPosition::new(*game.position()));
    let lines: Vec<&str> = text.lines().collect();
    let upside_down = |rows: &[String]| {
        let rows: Vec<&str> = rows.iter().rev().map(String::as_str).collect();
        [lines[0], &rows.join("\n"), lines[9]].join("\n")
    };
    let named: Vec<String> = lines[1..9].iter().map(|&line| line.to_owned()).collect();
    let at_right: Vec<String> = named.iter().map(|row| format!("{} {}", &row[2..], &row[..1])).collect();
    let with_bars: Vec<String> = named.iter().map(|row| format!("{}|{} |", &row[..1], &row[1..])).collect();
    for rows in [named, at_right, with_bars] {
        assert_eq!(read::<Othello>(&upside_down(&rows)), Ok(*game.position()), "{rows:?}");
    }
    // In the mill games, the bottom row is row 1.
    let game: Game<Mills<NineMensMorris>> = random_game(5, 30);
    let text = write(&AnyPosition::new(*game.position()));
    let mut lines: Vec<&str> = text.lines().collect();
    let end = lines.len() - 1;
    lines[..end].reverse();
    assert_eq!(read::<Mills<NineMensMorris>>(&lines.join("\n")), Ok(*game.position()), "{}", lines.join("\n"));
}

#[test]
fn reads_the_boards_of_consoles() {
    let squares = |row: usize| match row {
        4 => "- - - O X - - -",
        5 => "- - - X O - - -",
        _ => "- - - - - - - -",
    };
    let board = |line: &dyn Fn(usize, &str) -> String, header: &str, after: &str| {
        let rows: Vec<_> = (1..=8).map(|row| line(row, squares(row))).collect();
        format!("{header}\n{}\n{after}", rows.join("\n"))
    };
    let header = "  A B C D E F G H            BLACK            A  B  C  D  E  F  G  H";
    let texts =
        ["", "*: discs =  2    moves =  4", "Black to move", "ply 1  60 empties", "Tempo: 0:30", "", "", "level 1"];
    let sides = ["", "O: discs = 2", "", "Turn: white", "", "", "", ""];
    for (text, side) in [
        (board(&|row, squares| format!("{row} {squares} {row} {}", texts[row - 1]), header, "  A B C D E F G H"), 'X'),
        (board(&|row, squares| format!("{row} {squares}   {}", texts[row - 1]), "  a b c d e f g h", ""), 'X'),
        (board(&|row, squares| format!("{row} {squares}\t{}", sides[row - 1]), "", ""), 'O'),
        (board(&|row, squares| format!("| {row} {squares} {row}"), "|   A B C D E F G H", "|\n|* to move"), 'X'),
        (board(&|row, squares| format!("{row} {squares} |"), header, "O to move"), 'O'),
    ] {
        let mut scanner = DiagramScanner::new(any_game::<Othello>());
        let first = text.trim_start_matches('\n');
        let lines = first_record_lines(&mut scanner, &format!("{first}\n"));
        assert!(lines >= first.trim_end().lines().count() - 1, "{text}");
        assert_eq!(read::<Othello>(first).map(|position| position.to_string().pop()), Ok(Some(side)), "{text}");
    }
    // Text after eight squares must be words.
    let text = board(&|row, squares| format!("{row} {squares} {}", if row == 3 { "-" } else { "" }), "", "X to move");
    let error = read::<Othello>(text.trim_start()).unwrap_err().1;
    assert_eq!(error, "expected a row of 8 squares (X, O, -), found `3 - - - - - - - - -`");
}

#[test]
fn reports_the_line_of_squares_that_is_wrong() {
    let rows = "........\n".repeat(7);
    assert_eq!(read::<Othello>(&rows), Err((64, "expected 8 rows, found 7".into())));
    let missing = "expected the side to move in the line after the rows, such as `X to move`";
    assert_eq!(read::<Othello>(&format!("{rows}........")), Err((72, missing.into())));
    let expected = "expected a row of 8 squares (X, O, -), found `...`";
    assert_eq!(read::<Othello>(&format!("{rows}...\nX")), Err((67, expected.into())));
    let wrong = |row: &str| read::<Othello>(&format!("........\n{row}\nX")).unwrap_err().0;
    assert_eq!(["...Q....", "2 . . . q . . . .", ".........", "|.|.|"].map(wrong), [13, 18, 18, 15]);
    assert_eq!(read::<Othello>("........\n\nX to move"), Err((11, "expected 8 rows, found 1".into())));
}

/// Returns the number of lines that belong to a diagram.
fn scan(text: &str) -> usize {
    first_record_lines(&mut DiagramScanner::new(any_game::<Othello>()), text)
}

#[test]
fn the_side_may_stand_before_the_rows_of_othello() {
    let rows = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\n";
    let start = Othello::default();
    for text in [
        format!("Black to move\n{rows}"),
        format!("X to play\n\n{rows}"),
        format!("{rows}Black to move"),
        format!("{rows}\n* to move"),
    ] {
        assert_eq!(read::<Othello>(&text), Ok(start), "{text}");
        assert_eq!(scan(&format!("{text}\n{rows}")), text.lines().count(), "{text}");
        let detected = <Othello as crate::game::Notation>::formats().iter().find(|f| (f.detect)(&text)).unwrap();
        assert_eq!(detected.name, "diagram");
    }
    assert_eq!(read::<Othello>(&format!("White to move\n{rows}")).unwrap().side_to_move(), Color::White);
}

#[test]
fn a_diagram_with_wrong_rows_is_one_record() {
    let rows = |wrong: &str| format!("........\n........\n{wrong}\n{}X to move", "........\n".repeat(5));
    for wrong in ["...Q....", "......", ".........", "3 . . . ? . . . ."] {
        assert_eq!(scan(&format!("{}\nf5d6", rows(wrong))), 9, "{wrong}");
    }
    assert_eq!(scan(&format!("...Q....\n{}X to move\nf5", "........\n".repeat(7))), 9);
    assert!(["...Q....", ".......", "........."].map(|row| (format::<Othello>("").detect)(row)) == [true; 3]);
    assert!(["...Q.Q..", "f5d6c3", "hello123", "......"].map(|row| (format::<Othello>("").detect)(row)) == [false; 4]);
    assert_eq!(scan("........\n........\nX to move\nf5"), 3);
    for other in ["f5d6c3", "1. f5 d6", "hello", "(;GM[Othello]", &Othello::default().to_string()] {
        assert_eq!(scan(&format!("........\n........\n{other}")), 2, "{other}");
    }
}

fn check_mills<V: Variant>() {
    for seed in 0..30 {
        let game = random_game::<Mills<V>>(seed, 2 * seed as usize);
        let position = *game.position();
        let text = write(&AnyPosition::new(position));
        let format = any_game::<Mills<V>>().format_of(text.lines().next().unwrap());
        assert_eq!(format.name, "diagram", "{text}");
        let mut scanner = (format.scanner.unwrap())();
        let mut lines = text.lines();
        scanner.add(lines.next().unwrap());
        for line in lines {
            assert!(scanner.may_continue() && scanner.accepts(line), "{line}");
            scanner.add(line);
        }
        let text = write(&AnyPosition::new(position));
        assert_eq!(read::<Mills<V>>(&text), Ok(position), "{text}");
    }
}

#[test]
fn reads_the_diagrams_of_mill_games() {
    check_mills::<NineMensMorris>();
    check_mills::<Morabaraba>();
    check_mills::<SevenMensMorris>();
    check_mills::<SixMensMorris>();
    check_mills::<ThreeMensMorris>();
}

#[test]
fn reads_rows_without_names_and_lines() {
    let position = read::<Three>("+++\n.B.\nW · ·\nWhite: 2 men in hand; Black: 2 men in hand; W").unwrap();
    assert_eq!(position.to_string(), "2,2 a1 b2 W");
    assert_eq!(read::<Three>("W+B\nBWW\n+B.\nblack to move").unwrap().to_string(), "0,0 a3,b2,c2 a2,b1,c3 B");
}

#[test]
fn the_side_may_stand_before_the_rows_and_wrong_rows_are_one_record() {
    let scan = |text: &str| {
        let format = any_game::<Three>().format_of(text.lines().next().unwrap());
        assert_eq!(format.name, "diagram", "{text}");
        first_record_lines(&mut *(format.scanner.unwrap())(), text)
    };
    let rows = "+++\n.B.\nW++";
    let hands = "White: 2 men in hand; Black: 2 men in hand";
    for text in [
        format!("White to move\n{rows}\n{hands}"),
        format!("White to move\n\n{rows}\n{hands}"),
        format!("{rows}\n{hands}\nWhite to move"),
        format!("{rows}\n\n{hands}; W"),
    ] {
        assert_eq!(read::<Three>(&text).unwrap().to_string(), "2,2 a1 b2 W", "{text}");
        assert_eq!(scan(&format!("{text}\n{rows}")), text.lines().count(), "{text}");
    }
    let drawn = "3  +---+---+\n   | \\ | / |\n2  +--[?]--+\n   | / | \\ |\n1  W---+---+\n   a   b   c\nW to move";
    assert_eq!(scan(&format!("{drawn}\na1 b2")), 7);
    assert_eq!(scan("+++\n+B\n+++\nW to move\na1"), 4);
    assert_eq!(scan("W+B\n.Q.\nW++\nWhite to move\na1 b2"), 4);
    assert_eq!(scan("+++\na1 b2\n+++"), 1);
    assert_eq!(scan("+++\nhello\n+++"), 1);
}

#[test]
fn counts_and_results_are_not_the_side_to_move() {
    let rows = "----\n-OX-\n-XO-\n----";
    let read = |lines: &str| {
        let read = read::<SizedPosition<4>>(&format!("{rows}\n{lines}"));
        read.map(|position| position.to_string())
    };
    let of = |side| Ok(format!("-----OX--XO----- {side}"));
    for counts in ["Black: 2  White: 2", "X: 2 O: 2", "black 2, white 2", "● 2 ○ 2"] {
        assert_eq!(read(&format!("{counts}\nO to move")), of('O'), "{counts}");
        assert!(read(counts).is_err(), "{counts}");
    }
    assert_eq!(read("Turn: black"), of('X'));
    assert_eq!(read("Schwarz am Zug"), of('X'));
    for other in ["Result: white", "Opponent: white", "Winner: black", "Last move: X"] {
        assert!(read(other).is_err(), "{other}");
    }
}

#[test]
fn reports_the_line_of_points_that_is_wrong() {
    let error = |text: &str| read::<Three>(text).unwrap_err();
    assert_eq!(error("+++\n+B\n+++\nW"), (7, "expected a row of 3 points (W, B, +), found `+B`".into()));
    assert_eq!(error("+++\n2 +-Q-+\n+++\nW").0, 9);
    assert_eq!(error("+++\n+B+"), (8, "expected 3 rows, found 2".into()));
    let missing = "expected the side to move in the line after the rows, such as `White to move`";
    assert_eq!(error("+++\n+B+\nW++"), (12, missing.into()));
    assert!(error("WWW\nW++\n+++\nW").1.contains("White"), "{:?}", error("WWW\nW++\n+++\nW"));
}
