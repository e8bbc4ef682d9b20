//! Options and arguments that take a position: each accepts every format of the game, and moves.

use crate::run_with;

fn run(arguments: &[&str]) -> (i32, String, String) {
    run_with(arguments, "")
}

/// The commands that take a position of 4x4 Othello, up to the text of the position.
const OTHELLO: [&[&str]; 3] = [
    &["perft", "othello-4x4", "2", "--format", "csv", "--position"],
    &["referee", "othello-4x4", "--moves", "", "--position"],
    &["play", "othello-4x4", "--white", "human", "--black", "human", "--position"],
];

/// The position after b1, in other formats as well.
const AFTER_B1: [&str; 6] = [
    "b1",
    "1. B1",
    "-----OX--XO----- X; b1",
    "(;GM[Othello]TY[4]BO[4 -----O*--*O----- *]B[b1];)",
    "-X---XX--XO----- O",
    "0100011001200000 2",
];

#[test]
fn every_position_may_be_given_as_moves() {
    for command in OTHELLO {
        let outputs = AFTER_B1.map(|text| {
            let (code, output, errors) = run(&[command, &[text]].concat());
            assert_eq!((code, errors.as_str()), (0, ""), "{command:?} {text}");
            // The time of a count differs, and a board marks the last move.
            output
                .replace("[B]", " B ")
                .split(',')
                .filter(|field| field.parse::<f64>().is_err())
                .collect::<Vec<_>>()
                .join(",")
        });
        assert!(outputs.iter().all(|output| *output == outputs[0]), "{command:?}: {outputs:?}");
        let start = run(&[command, &["start"]].concat());
        assert!(start.0 == 0 && start.1 != outputs[0], "{command:?}: {start:?}");
    }
    let probe = |text| run(&["database", "probe", "three-mens-morris", text, "--format", "csv"]);
    let moves = probe("1. a1 b2 2. c3 b1");
    assert!(moves.0 == 0 && moves.1.contains("three-mens-morris,\"1,1 a1,c3 b1,b2 W\","), "{moves:?}");
    assert_eq!(probe("1,1 a1,c3 b1,b2 W"), moves);
}

#[test]
fn a_text_that_is_not_a_position_is_reported_at_its_first_wrong_character() {
    for command in OTHELLO {
        for (text, parts) in [
            ("b1a2", &["column 3: illegal move `a2` at ply 2"][..]),
            ("-----OX--XO----- Z", &["column 18: "]),
            ("hello", &["column 1: could not read `hello`", "(formats: ", "ggf, sgf, pgn, transcript", "try `"]),
            ("", &["the text contains no position or game"]),
        ] {
            let (code, _, errors) = run(&[command, &[text]].concat());
            assert_eq!(code, 2, "{command:?} {text}: {errors}");
            assert!(errors.starts_with("error: --position"), "{command:?}: {errors}");
            assert!(parts.iter().all(|part| errors.contains(part)), "{command:?} {text}: {errors}");
        }
    }
    let (code, _, errors) = run(&["database", "probe", "three-mens-morris", "a1 a1"]);
    assert_eq!(code, 2);
    assert!(errors.starts_with("error: POSITION, column 4: illegal move `a1` at ply 2"), "{errors}");
    let (code, _, errors) = run(&["perft", "othello-4x4", "2", "--position", "b1\nd3"]);
    assert!(code == 2 && errors.contains("--position: the text contains several positions or games"), "{errors}");
}

#[test]
fn every_command_takes_a_position_in_any_notation() {
    let tiger = "f5d6c3d3c4";
    let board = crate::run_ok("convert othello --to board --plies 5..5", &format!("{tiger}\n"));
    let words = |words: &[&str]| {
        let (code, text, errors) = run_with(words, "");
        assert_eq!(code, 0, "{words:?}: {errors}");
        text
    };
    let outputs = |position: &str| {
        let analyze =
            ["analyze", "othello", "--depth", "1", "--format", "csv", "--deterministic", "--position", position];
        let (show, perft) =
            (["book", "show", "othello"], ["perft", "othello", "1", "--format", "csv", "--position", position]);
        // Without the time.
        let perft = words(&perft).lines().last().unwrap().split(',').take(4).collect::<Vec<_>>().join(",");
        [
            words(&analyze),
            words(&[&show[..], &[position]].concat()),
            words(&[&show[..], &["--position", position]].concat()),
            perft,
        ]
    };
    let expected = outputs(tiger);
    assert!(expected[0].lines().count() == 2 && expected[1] == expected[2], "{expected:?}");
    assert!(expected[3].ends_with(",1,6"), "{expected:?}");
    for position in ["Tiger", " tiger", board.trim(), "1. f5 d6 2. c3 d3 3. c4"] {
        assert_eq!(outputs(position), expected, "{position}");
        let (code, text, errors) = run_with(
            &["games", "list", "othello", "--position", position],
            &format!("A - B: {tiger}f4\nC - D: f5f6\n"),
        );
        assert!(code == 0 && text.contains(" A ") && !text.contains(" C "), "{position}: {text} {errors}");
        let (code, text, errors) = run_with(&["play", "othello", "--position", position, "--black", "human"], "quit\n");
        assert!(code == 0 && text.contains("Tiger"), "{position}: {text} {errors}");
    }
    for (game, name, expected) in [
        ("othello", "Tigre", "`morello book openings othello` lists the names"),
        ("three-mens-morris", "Tiger", "have no names"),
    ] {
        let (code, _, errors) = run_with(&["analyze", game, "--position", name], "");
        assert!(code == 2 && errors.contains(expected), "{errors}");
    }
    let no_kung = run_with(&["analyze", "othello", "--position", "no kung", "--depth", "1"], "");
    assert_eq!(no_kung.0, 0, "{}", no_kung.2);
    let as_file = run_with(&["analyze", "othello", "f5d6"], "");
    assert!(as_file.0 == 2 && as_file.2.contains("morello analyze GAME --position f5d6"), "{}", as_file.2);
    let words = ["analyze", "othello", "--position", "f5d6d6"];
    assert!(run_with(&words, "").2.contains("--position, column 5: illegal move `d6`"));
}

#[test]
fn a_mistyped_option_is_not_taken_for_a_position() {
    for (command, expected) in [
        (&["book", "show", "othello", "--jsonl"][..], "error: unexpected argument '--jsonl' found"),
        (&["database", "probe", "morabaraba", "-jx"], "error: unexpected argument '-jx' found"),
        (
            &["perft", "othello", "3", "--position", "--verify"],
            "error: a value is required for '--position <POSITION>' but none was supplied",
        ),
    ] {
        let (code, _, errors) = run(command);
        assert!(code == 2 && errors.starts_with(expected), "{command:?}: {errors}");
    }
    let board = "-----OX--XO----- X";
    let (code, text, errors) = run(&["perft", "othello-4x4", "1", "--position", board]);
    assert!(code == 0 && text.contains('4'), "{text} {errors}");
}

#[test]
fn a_value_that_is_not_a_number_is_described_in_words() {
    for (command, expected) in [
        (&["book", "build", "othello", "x", "--level", "casual"][..], "use a level from 1 to 60"),
        (&["book", "build", "othello", "x", "--level", "x"], "expected a level from 1 to 60"),
        (&["serve", "--port", "x"], "'--port <PORT>': expected a whole number in digits, from 0 to 65535\n"),
        (&["serve", "--port", "65536"], "65535"),
        (&["perft", "othello", "3", "--hash", "4294967296"], "must be at most 4294967295"),
    ] {
        let (code, _, errors) = run(command);
        assert!(code == 2 && errors.contains(expected), "{command:?}: {errors}");
        assert!(!errors.contains("digit found") && !errors.contains("target type"), "{errors}");
    }
}
