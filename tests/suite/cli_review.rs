//! `morello review`.

use std::fs;

use morello::game::Color;
use serde_json::Value;

use crate::{assert_fails, run, run_ok};

/// Two games on the small board: their positions are solved at once.
const GAMES: &str = "\
transcript,black,white,date
b1c1d1,Anna,Bob,2024-05-01
b1a1,Bob,Anna,2024-06-01
";

#[test]
fn says_who_played_how_well() {
    let text = run_ok("review othello-4x4", GAMES);
    assert!(text.starts_with("Othello, 4x4\n\ndate       Black              White"), "{text}");
    assert!(text.contains("2024-05-01 Anna               Bob                unfinished"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("White c1?? misses the corner"), "{text}");
    // Only Anna's moves: Bob's blunder is not among them.
    let text = run_ok("review othello-4x4 --player anna", GAMES);
    assert!(!text.contains("White c1?? misses the corner"), "{text}");
    let (code, text, errors) = run("review othello-4x4 --player carla", GAMES);
    assert!(code == 0 && text.is_empty() && errors.contains("no player matches `carla`"), "{errors}");
    assert_fails("review othello-4x4 -o review.txt", GAMES, "--output");
}

#[test]
fn the_numbers_do_not_depend_on_threads_and_are_those_of_analyze() {
    let game = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6\n";
    let text = run_ok("review othello --threads 1", game);
    assert_eq!(text, run_ok("review othello --threads 3", game));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, report) = (path("games.jsonl"), path("report.html"));
    let arguments = "--level 14 --nodes 20000000 --deterministic --hash 8 --format csv";
    run_ok(&format!("analyze othello {arguments} --game-rows {games}"), game);
    let row: Value = serde_json::from_str(&fs::read_to_string(games).unwrap()).unwrap();
    let accuracy = Color::ALL.map(|side| row[format!("{}_accuracy", side.name())].as_f64().unwrap());
    for (side, accuracy) in Color::ALL.into_iter().zip(accuracy) {
        let line = text.lines().find(|line| line.starts_with(&side.to_string())).expect("a row of the side");
        assert!(line.contains(&format!(" {accuracy:.1} ")), "{line} {accuracy}");
    }
    run_ok(&format!("review othello -o {report}"), game);
    let html = fs::read_to_string(&report).unwrap();
    for part in ["<h2>Worst moves</h2>", "<h2>Accuracy by phase</h2>", "#game=othello&amp;start=", "</html>"] {
        assert!(html.contains(part), "{part}");
    }
    assert_fails(&format!("review othello -o {report}"), game, "exists");
}

#[test]
fn mistakes_become_exercises_that_the_terminal_asks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mistakes.jsonl").display().to_string();
    let game = "Anna - Bob: f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6\n";
    let (code, _, errors) = run(&format!("review othello --limit 3 --exercises {file}"), game);
    assert!(code == 0 && errors.contains("exercise"), "{errors}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.is_empty() && text.lines().count() <= 3, "{text}");
    let exercise: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let played = exercise["played"].as_str().unwrap();
    let best = exercise["best"][0].as_str().unwrap();
    assert!(exercise["values"][best].as_f64() > exercise["values"][played].as_f64(), "{exercise}");
    let answers = format!("nonsense\n{played}\n{best}\nquit\n");
    let (code, text, _) = run(&format!("practice {file}"), &answers);
    assert_eq!(code, 0);
    for expected in ["Exercise 1 of", "Type a legal move", ", as in the game. Try again.", "Right: ", "0 of 1 solved"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(run(&format!("practice {file}"), &format!("{best}\nquit\n")).1.contains("1 of 1 solved"));
    let again = run(&format!("review othello --limit 3 --exercises {file}"), game);
    assert!(again.0 == 2 && again.2.contains("--force"), "{again:?}");
    let other = folder.path().join("x.jsonl");
    fs::write(&other, "{\"game\":\"othello\"}\n").unwrap();
    assert_fails(&format!("practice {}", other.display()), "", "line 1: not an exercise");
    let start = "-----OX--XO----- X";
    for (side, best, values, expected) in [
        ("white", "[\"b1\"]", "{}", "the side is White, but Black is to move"),
        ("black", "[]", "{}", "no best move"),
        ("black", "[\"a1\"]", "{}", "`a1` is not a legal move"),
        ("black", "[\"b1\"]", "{\"a1\":3}", "`a1` is not a legal move"),
        ("black", "[\"b1\"]", "{\"b1\":0,\"a2\":3}", "`b1` does not have the highest value"),
        ("black", "[\"b1\"]", "{\"b1\":1e300}", "a value is not between -64 and 64"),
    ] {
        let line = format!(
            "{{\"game\":\"othello-4x4\",\"start\":\"{start}\",\"side\":\"{side}\",\
                \"best\":{best},\"values\":{values}}}\n"
        );
        fs::write(&other, format!("\u{feff}{line}")).unwrap();
        assert_fails(&format!("practice {}", other.display()), "", expected);
    }
    assert_fails("review othello --exercises none/x.jsonl", game, "cannot write `none/x.jsonl`");
}
