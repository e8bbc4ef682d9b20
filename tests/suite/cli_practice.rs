//! `morello practice openings` and `endgames`. The clock is that of the system: cards of the past are due.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use morello::analysis::trainer::{CardFile, Cards, Repertoire, RepertoireOptions};
use morello::book::Book;
use morello::game::Color;
use morello::games;
use morello::input::read_game;

use crate::{assert_fails, morello, rows, run, run_ok};

const HOUR: u64 = 3600;

/// Learns the first line of the book after the Tiger some hours ago; returns the right answers.
fn learn(path: &Path, hours: u64) -> Vec<String> {
    let othello = games::get("othello").unwrap();
    let book = Arc::new(Book::built_in(othello).unwrap().unwrap());
    let start = read_game(othello, "Tiger").unwrap();
    let repertoire = Repertoire::of_book(start, book, RepertoireOptions::new(Color::Black));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() - hours * HOUR;
    let mut file = CardFile::open(path, othello).unwrap();
    let lesson = repertoire.lesson(&Cards::default(), now, 4).unwrap();
    let best: Vec<_> = lesson.questions.iter().map(|question| question.exercise.best[0].clone()).collect();
    for (question, m) in lesson.questions.iter().zip(&best) {
        file.add(question.answered(m, now)).unwrap();
    }
    assert!(best.len() >= 2);
    best
}

#[test]
fn a_line_of_yesterday_is_asked_today_and_then_in_two_days() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cards.jsonl");
    let best = learn(&path, 24);
    let command = format!("practice openings othello --position Tiger --new 0 --cards {}", path.display());
    // Wrong answers say why; the position is asked again at the end.
    let answers = format!("hello\n{}\n", best.join("\n"));
    let text = run_ok(&command, &answers);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let asked = format!("Question {} (review)", best.len());
    let status = format!("{0} of {0} right at the first try.\n{0} of ", best.len());
    for expected in ["Question 1 (review)\nTiger: f5 d6 c3 d3 c4 ", "Type a legal move", &asked, &status] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.ends_with("Next review in 44 hours.\n"), "{text}");
    // Nothing is due, and the file has both answers.
    let text = run_ok(&command, "");
    assert!(!text.contains("Question") && text.ends_with("positions learned. Next review in 44 hours.\n"), "{text}");
    let lines = rows(&fs::read_to_string(&path).unwrap());
    assert_eq!(lines.len(), 1 + 2 * best.len());
    assert!(lines[1 + best.len()..].iter().all(|card| card["box"] == 2 && card["right"] == 2));
}

#[test]
fn a_wrong_answer_has_a_reason_and_is_asked_again_in_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cards.jsonl");
    let best = learn(&path, 10);
    let command = format!("practice openings othello --position Tiger --new 1 --cards {}", path.display());
    let text = run_ok(&command, "a1\nquit\n");
    assert!(text.contains("Question 1 (new)") && !text.contains("right at the first try"), "{text}");
    fs::remove_file(&path).unwrap();
    let text = run_ok(&command, &format!("c2\n{0}\n{0}\n", best[0]));
    assert!(text.contains("c2 loses ") && text.contains("; then ") && text.contains(". Try again."), "{text}");
    assert!(text.contains("Question 2 (review)") && text.contains("1 of 2 right at the first try."), "{text}");
    assert!(text.contains("\n1 of ") && text.ends_with("Next review in 20 hours.\n"), "{text}");
    let lines = rows(&fs::read_to_string(&path).unwrap());
    let boxes: Vec<_> = lines[1..].iter().map(|card| (&card["box"], &card["wrong"])).collect();
    assert_eq!(boxes.len(), 2);
    assert!(*boxes[0].0 == 0 && *boxes[1].0 == 1 && *boxes[1].1 == 1, "{boxes:?}");
    // `solution` counts as wrong, and an end of the input saves what was answered.
    fs::remove_file(&path).unwrap();
    let text = run_ok(&command, "solution\n");
    // The book may have several best moves.
    let solution = text.lines().find_map(|line| line.strip_prefix("The best move is ")).unwrap();
    assert!(solution.contains(&best[0]) && text.contains("\n0 of 1 right"), "{text}");
    assert_eq!(rows(&fs::read_to_string(&path).unwrap())[1]["wrong"], 1);
}

#[test]
fn repertoires_come_from_games_and_names_too() {
    let folder = tempfile::tempdir().unwrap();
    let (cards, games) = (folder.path().join("cards.jsonl"), folder.path().join("games.csv"));
    let text = "transcript,black,white\nf5d6c4d3c3f4,Anna,Bob\nf5d6c3d3c4f4c5,Bob,Anna\nf5d6c5,Carla,Bob\n";
    fs::write(&games, text).unwrap();
    let (cards, games) = (cards.display().to_string(), games.display().to_string());
    let asked =
        |options: &str, answers: &str| run_ok(&format!("practice openings othello {options} --cards {cards}"), answers);
    let text = asked(&format!("{games} --player anna"), "c4\nc3\n");
    assert!(text.contains("Perpendicular: f5 d6\n") && text.contains("f5 d6 c4 d3\n"), "{text}");
    assert!(text.contains("\n2 of 2 right at the first try.\n2 of 2 positions learned."), "{text}");
    let text = asked(&format!("{games} --player anna --side white"), "d6\nd3\nf4\n");
    assert!(
        text.contains("Question 2 (new)\nPerpendicular: f5 d6 c3\n") && text.contains("3 of 3 positions"),
        "{text}"
    );
    let text = asked("--named-openings --position f5d6c3d3 --new 1", "c4\n");
    assert!(text.contains("Perpendicular: f5 d6 c3 d3\n") && text.contains("Right: c4"), "{text}");
    let text = asked("--position Tiger --side white --replies tricky --max-loss 1 --max-plies 8", "quit\n");
    assert!(text.contains("White to move"), "{text}");
    for (options, expected) in [
        ("--max-plies 2", "the repertoire has no moves of Black to practice"),
        ("--side green", "green"),
        ("--position Sicilian", "`morello book openings othello` lists the names"),
        (&format!("{games} --player zoe"), "no game of"),
        ("none.pgn", "none.pgn"),
        ("--cards none/x.jsonl", "none/x.jsonl"),
        ("--named-openings games.pgn", "cannot be used with"),
        ("--named-openings --max-loss 1", "cannot be used with"),
    ] {
        let command = format!("practice openings othello {options}");
        let command = if options.contains("--cards") { command } else { format!("{command} --cards {cards}") };
        assert_fails(&command, "", expected);
    }
    assert_fails("practice openings lasker-morris --cards x.jsonl", "", "lasker-morris has no built-in book");
    // The book is another repertoire: what was learned of the games counts where it is right there too.
    let text = asked("--position f5d6 --new 1", "next\n");
    assert!(text.contains("find the best move.\nThe best move is "), "{text}");
    let text = asked(&format!("{games} --player carla --new 1"), "next\n");
    assert!(text.contains("(new)") && text.contains("The repertoire has c5.\n"), "{text}");
    assert_fails("practice", "", "<FILE>");
    assert_fails(
        "practice othello",
        "",
        "`morello practice endgames othello` and `morello practice openings othello` need",
    );
    assert_fails("practice endgame othello", "", "`endgame` does not exist");
}

#[test]
fn the_file_of_the_cards_has_a_default_place_and_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let command = |input: &str| {
        let mut command = morello();
        command.env("XDG_DATA_HOME", folder.path()).env("HOME", folder.path());
        let arguments = ["practice", "openings", "othello", "--position", "Tiger", "--new", "1"];
        command.args(arguments).write_stdin(input.to_owned()).output().unwrap()
    };
    assert!(command("solution\n").status.success());
    let found = walk(folder.path());
    let [path] = &found[..] else { panic!("one file: {found:?}") };
    assert_eq!(path.file_name().unwrap(), "cards.jsonl");
    let whole = fs::read(path).unwrap();
    fs::write(path, &whole[..whole.len() - 5]).unwrap();
    let torn = command("");
    assert!(String::from_utf8_lossy(&torn.stderr).contains("an incomplete last line was removed"));
    fs::write(path, [&whole, b"{}\n".as_slice()].concat()).unwrap();
    let damaged = command("");
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("line 3 is damaged or was edited; delete it"));
    fs::write(path, &whole).unwrap();
    let _open = CardFile::open(path, games::get("othello").unwrap()).unwrap();
    let locked = command("");
    assert_eq!(locked.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&locked.stderr).contains("another process is using it"));
    let (code, _, errors) = run(&format!("practice openings othello --cards {}", "src/lib.rs"), "");
    assert!(code == 2 && errors.contains("not a morello card file"), "{errors}");
}

#[test]
fn endgames_have_one_best_move_and_are_asked_or_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("endgames.jsonl").display().to_string();
    let command = "practice endgames othello-6x6 --empties 5..6 --difficulty medium --seed 3 --limit 2";
    run_ok(&format!("{command} -o {file}"), "");
    let written = rows(&fs::read_to_string(&file).unwrap());
    assert_eq!(written.len(), 2);
    let mut answers = String::new();
    for exercise in &written {
        assert_eq!((&exercise["difficulty"], exercise["best"].as_array().unwrap().len()), (&"medium".into(), 1));
        assert!((5..=6).contains(&exercise["start"].as_str().unwrap().matches('-').count()), "{exercise}");
        let best = exercise["best"][0].as_str().unwrap();
        let values = exercise["values"].as_object().unwrap();
        let wrong = values.keys().find(|m| *m != best).unwrap();
        let lost = values[best].as_f64().unwrap() - values[wrong].as_f64().unwrap();
        assert!(lost >= 2.0, "{exercise}");
        answers.push_str(&format!("{wrong}\n{best}\n"));
    }
    // The same seed asks the same exercises, as does the file.
    for command in [command, &format!("practice {file}"), &format!("practice {file} --difficulty medium")] {
        let text = run_ok(command, &answers);
        for expected in ["Exercise 1 of 2 (medium)", "Exercise 2 of 2", "Try again.", "0 of 2 solved at the first try."]
        {
            assert!(text.contains(expected), "{command}: {expected}: {text}");
        }
        assert_eq!(text.matches("Right: ").count(), 2, "{text}");
    }
    assert!(run_ok(&format!("practice {file} {file}"), "").contains("Exercise 1 of 4 "));
    assert_fails(
        &format!("practice {file} --theme parity --difficulty hard"),
        "",
        " matches; choose another --difficulty or --theme",
    );
    // Without a limit, there are always more.
    let text = run_ok("practice endgames othello-6x6 --empties 4", "next\nsolution\nquit\n");
    assert!(text.contains("Exercise 3 (") && text.ends_with("0 of 2 solved at the first try.\n"), "{text}");
}

#[test]
fn endgames_of_mill_games_are_puzzles_of_their_tables() {
    let text = run_ok("practice endgames three-mens-morris --limit 1 --seed 1", "solution\n");
    assert!(
        text.contains("Exercise 1 of 1 (") && text.contains("White to move: find the move that keeps the "),
        "{text}"
    );
    for (arguments, expected) in [
        ("morabaraba --empties 8", "--empties: morabaraba does not count empty squares"),
        ("othello --empties 3..8", "--empties: endgames of othello have 4 to 14 empty squares"),
        ("othello --difficulty fiendish", "easy, medium, hard"),
        ("three-mens-morris --no-database", "`morello database build three-mens-morris`"),
        ("othello -o endgames.csv", "--output"),
        ("othello-4x4 --empties 13", "endgames of othello-4x4 have 4 to 12 empty squares"),
        ("othello-4x4 --empties 12 --difficulty hard", "no hard exercise of othello-4x4 was found"),
        ("othello --limit 0", "must be at least 1"),
    ] {
        assert_fails(&format!("practice endgames {arguments}"), "", expected);
    }
}

#[test]
fn built_in_exercises_of_mill_games_need_no_tables() {
    let folder = tempfile::tempdir().unwrap();
    // All of a kind are asked, whatever the seed.
    let counts = (1..=4).map(|seed| {
        let path = folder.path().join(format!("{seed}.jsonl"));
        let kind = "--no-database --theme zugzwang --difficulty medium --limit 50";
        run_ok(&format!("practice endgames morabaraba {kind} --seed {seed} -o {}", path.display()), "");
        fs::read_to_string(path).unwrap().lines().count()
    });
    assert_eq!(counts.collect::<Vec<_>>(), [4; 4]);
    // Men in hand are told, and illegal moves have a reason.
    let path = folder.path().join("placing.jsonl");
    let exercise = r#"{"game":"five-mens-morris","start":"1,0 a1,b6,f4 a4,d1,d2,d7,f2 W","side":"white","best":["d6"],
        "outcome":"draw"}"#
        .replace('\n', " ");
    fs::write(&path, exercise).unwrap();
    let text = run_ok(&format!("practice {}", path.display()), "a1\nb4\nd6\n");
    for expected in [
        "b4 does not keep the draw. Try again.\n",
        "White: 1 in hand, 3 on board; Black: 0 in hand, 5 on board.\n",
        "Invalid move: a man stands on a1\n",
        "Right: d6",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_fails("practice endgames twelve-mens-morris --no-database", "", "built-in or in the available tables");
}

/// Returns the files below a folder.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
