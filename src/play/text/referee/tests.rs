//! Compares games checked by the referee with games played directly.

use morello_core::games;
use proptest::prelude::*;

use super::*;

const NINE: &str = "nine-mens-morris";
const THREE: &str = "three-mens-morris";
const SMALL: &str = "othello-4x4";

fn adjudicated(game: &str, text: &str, form: RulingFormat, strict: bool) -> (String, usize) {
    let settings = DrawRules { repetition: Some(3), ..DrawRules::default() };
    let mut output = Vec::new();
    let summary = adjudicate(
        Referee::new(games::get(game).unwrap().start(), settings),
        text.as_bytes(),
        &mut output,
        form,
        strict,
    )
    .unwrap();
    (String::from_utf8(output).unwrap(), summary.rejected)
}

#[test]
fn referee_answers_every_move() {
    let (output, rejected) = adjudicated(NINE, "1. d2 f4 2. d2, D6 hello 1-0\n", RulingFormat::Text, false);
    let expected = "\
start  9,9 - - W  White to move
1. d2  8,9 d2 - B  Black to move
2. f4  8,8 d2 f4 W  White to move
3. d2  illegal: a man stands on d2
3. d6  7,8 d2,d6 f4 B  Black to move
4. hello  illegal: not a move (for example: a7)
";
    assert_eq!((output.as_str(), rejected), (expected, 2));
    let (output, rejected) = adjudicated(NINE, "d2 d2 f4\n", RulingFormat::Json, true);
    assert_eq!(rejected, 1);
    let last: serde_json::Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
    let expected = serde_json::json!({
        "ply": 2, "move": "d2", "legal": false, "reason": "a man stands on d2", "position": "8,9 d2 - B", "side_to_move": "black",
        "over": false, "outcome": null, "end_reason": null,
    });
    assert_eq!(last, expected);
}

#[test]
fn referee_reads_games_as_the_formats_write_them() {
    for text in [
        "f5d6c3d3",
        "f5 d6 c3 d3",
        "F5,d6;c3\nd3",
        "# a game\n1. f5 d6 2. c3 d3 *",
        "start moves f5 d6 c3 d3",
        "start; f5d6c3d3",
    ] {
        let (output, rejected) = adjudicated("othello", text, RulingFormat::Text, false);
        assert!(rejected == 0 && output.contains("\n4. d3  "), "{text}: {output}");
    }
    let position = "7,8 a4,b4 g7 B";
    for text in [format!("{position}; c4"), format!("{position}\nc4"), format!("{position} moves c4")] {
        let (output, rejected) = adjudicated(NINE, &text, RulingFormat::Text, false);
        assert!(rejected == 0 && output.ends_with("1. c4  7,7 a4,b4 c4,g7 W  White to move\n"), "{text}: {output}");
    }
    // Positions are accepted only before the first move.
    assert!(adjudicated(NINE, &format!("d2\n{position}\n"), RulingFormat::Text, false).1 > 0);
    // A forced pass may be omitted.
    for text in ["XO-------------- O; c1", "XO-------------- O; pa c1", "XO-------------- O; PASS c1"] {
        let (output, rejected) = adjudicated(SMALL, text, RulingFormat::Text, false);
        assert!(rejected == 0 && output.contains("\n1. pa  ") && output.contains("\n2. c1  "), "{text}: {output}");
        assert!(
            output.ends_with(
                "Game over. Black wins: White has no disc left (Black 3, White 0 discs; won by \
            16, counting the empty squares)\n"
            ),
            "{output}"
        );
    }
}

#[test]
fn referee_detects_every_kind_of_end() {
    let end = |output: &str| {
        let last: serde_json::Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
        (last["end_reason"].as_str().unwrap_or("-").to_owned(), last["outcome"].as_str().unwrap_or("-").to_owned())
    };
    let of = |text: &str| end(&adjudicated(NINE, text, RulingFormat::Json, false).0);
    assert_eq!(of("0,0 a7,d7,g4 a1,b2,c3 W; g4-g7xa1"), ("too_few".into(), "white".into()));
    assert_eq!(of("0,0 d7,a1,g1 a7,d6,g4 B"), ("-".into(), "-".into()));
    let blocked = "0,0 a7,d7,g7,f4 a4,d6,g1 B; g1-g4";
    assert_eq!(of(blocked).0, "-", "f4 can still move");
    assert_eq!(of("0,0 a7,d7,g7 a4,d6,g1 B; g1-g4"), ("blocked".into(), "black".into()));
    let around = "a1-a4 a7-d7 a4-a1 d7-a7 ".repeat(2);
    let repeated = of(&format!("0,0 a1,g1,b2 a7,d6,f4 W; {around}"));
    assert_eq!(repeated, ("repetition".into(), "draw".into()));
    let three = end(&adjudicated(THREE, "a1 a2 b1 b2 c1 a3", RulingFormat::Json, false).0);
    assert_eq!(three, ("mill".into(), "white".into()));
    let (output, rejected) = adjudicated(THREE, "a1 a2 b1 b2 c1 a3", RulingFormat::Text, false);
    assert!(rejected == 1 && output.ends_with("\n6. a3  illegal: the game is over\n"), "{output}");
    // The rules of Morabaraba draw 20 plies after a side has only three cows.
    let start = games::get("morabaraba").unwrap().parse_position("0,0 a7,d7,g7,a1 b2,d1,f6 B").unwrap();
    let mut referee = Referee::new(start, DrawRules::default());
    let shuffle = ["d1-e3", "a1-a4", "e3-d1", "a4-a1"];
    let rulings: Vec<_> = shuffle.iter().cycle().take(20).map(|m| referee.adjudicate_move(m).remove(0)).collect();
    assert!(rulings[..19].iter().all(|ruling| ruling.legal && !ruling.over));
    let last = &rulings[19];
    assert_eq!((last.outcome, last.end_reason), (Some("draw"), Some("no_progress")));
    assert!(last.end.as_ref().unwrap().starts_with("a draw: 20 plies without a cow shot ("), "{last:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn referee_stays_legal_on_arbitrary_input(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        words in prop::collection::vec("([a-c][1-3]|[a-c][1-3]-[a-c][1-3]|[0-9]{1,2}\\.{0,3}|;|,|moves|start|3,3 \
            - - W|\\PC{0,9})", 0..40),
    ) {
        for text in [String::from_utf8_lossy(&bytes).into_owned(), words.join(" "), words.join("\n")] {
            let (output, rejected) = adjudicated(THREE, &text, RulingFormat::Json, false);
            let mut seen = 0;
            let three = games::get(THREE).unwrap();
            let mut position = three.start();
            for line in output.lines() {
                let ruling: serde_json::Value = serde_json::from_str(line).unwrap();
                let now = three.parse_position(ruling["position"].as_str().unwrap()).unwrap();
                match (ruling["move"].as_str(), ruling["legal"].as_bool().unwrap()) {
                    (None, _) => {}
                    (Some(m), true) => prop_assert_eq!(position.after(position.parse_move(m).unwrap()), now),
                    (Some(_), false) => {
                        seen += 1;
                        prop_assert_eq!(position, now);
                    }
                }
                position = now;
            }
            prop_assert_eq!(seen, rejected);
        }
    }
}

#[test]
fn skips_remarks_and_escapes_control_characters() {
    let (text, rejected) =
        adjudicated(NINE, "# a game\n1. d2! f4?? {better (d6)} 2. d6 # good\n", RulingFormat::Text, false);
    assert!(rejected == 0 && text.contains("3. d6  "), "{text}");
    let (text, rejected) =
        adjudicated(NINE, &format!("\u{1b}[31m {}\u{7}\n", "x".repeat(5000)), RulingFormat::Text, false);
    assert!(rejected == 2 && !text.contains(['\u{1b}', '\u{7}']) && text.len() < 1500, "{text}");
    let (text, rejected) = adjudicated(NINE, "d2 {oops f4\nf4\n", RulingFormat::Text, false);
    assert!(
        rejected == 1 && text.contains("2. {oops f4  illegal: the remark has no closing `}` in this line"),
        "{text}"
    );
    assert!(text.contains("\n2. f4  "), "{text}");
}

#[test]
fn reads_what_other_commands_read() {
    let accepted = |game: &str, text: &str| {
        let (answers, rejected) = adjudicated(game, text, RulingFormat::Text, false);
        assert_eq!(rejected, 0, "{text}: {answers}");
        answers.lines().last().unwrap().split("  ").nth(1).unwrap().to_owned()
    };
    let othello = accepted("othello", "f5d6c3");
    for text in [
        "1 f5 d6 2 c3",
        "1) f5 d6 2) c3",
        "1: f5 d6 2: c3",
        "f5; d6; c3",
        "Anna - Bob: f5d6c3",
        "[White \"Anna\"]\n[Black \"B: 1\"]\n\n1. f5 d6 // a comment\n; another\n2. c3 % and one more",
        "(;GM[Othello]PB[Anna]PW[]TY[8]BO[8 ---------------------------O*------*O--------------------------- \
            *]B[F5]W[D6]B[C3];)",
        "[\"f5\", \"d6\", \"c3\"]",
        "8/8/8/3OX3/3XO3/8/8/8 b; f5 d6 c3",
    ] {
        assert_eq!(accepted("othello", text), othello, "{text}");
    }
    let nine = accepted("nine-mens-morris", "d2 f4 d6 f2");
    for text in ["d2f4d6f2", "d2; f4; d6; f2", "Anna - Bob: d2 f4 d6 f2", "1 d2 f4 2 d6 f2", "1) d2 f4\n2) d6 f2 1-0"] {
        assert_eq!(accepted("nine-mens-morris", text), nine, "{text}");
    }
    let start = "7,7 a1,d1 a7,d7 W";
    let captured = accepted("nine-mens-morris", &format!("{start}; g1xa7"));
    assert_eq!(accepted("nine-mens-morris", &format!("{start}; g1 xa7")), captured);
    assert_eq!(adjudicated("nine-mens-morris", "d2 5 f4", RulingFormat::Text, false).1, 1);
}

#[test]
fn the_referee_draws_boards_on_request() {
    let start = games::get(THREE).unwrap().start();
    let mut output = Vec::new();
    let referee = Referee::new(start, DrawRules::default()).with_boards(Style::default());
    adjudicate(referee, "b2 b2 a1".as_bytes(), &mut output, RulingFormat::Text, false).unwrap();
    let output = String::from_utf8(output).unwrap();
    // The start and two legal moves.
    assert_eq!(output.matches("    a       b       c\n").count(), 3, "{output}");
    let mut output = Vec::new();
    let referee = Referee::new(start, DrawRules::default()).with_boards(Style::default());
    adjudicate(referee, "b2".as_bytes(), &mut output, RulingFormat::Json, false).unwrap();
    assert!(String::from_utf8(output).unwrap().lines().all(|line| line.starts_with('{')));
}
