//! `morello book`, and the commands that use a book.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use morello::book::Book;
use morello::game::{Position as _, Score};
use morello::games;
use serde_json::Value;

use crate::{assert_fails, morello, rows, run, run_ok};

/// Builds a small book and returns its path.
fn build(folder: &Path) -> String {
    let path = folder.join("a.book").display().to_string();
    let (code, _, errors) =
        run(&format!("book build othello {path} --level 1 --max-plies 3 --best-plies 5 --no-openings"), "");
    assert!(code == 0 && errors.contains("in the book"), "{errors}");
    path
}

#[test]
fn builds_continues_shows_and_exchanges_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path());
    let again = run(&format!("book build othello {path} --level 1 --max-plies 3 --best-plies 5 --no-openings"), "");
    assert!(again.2.contains("continuing: ") && again.2.contains("0 searches"), "{}", again.2);
    let (code, shown, _) = run(&format!("book show othello f5 --book {path} --format jsonl"), "");
    let moves = rows(&shown);
    assert!(code == 0 && moves[0]["in_book"] == true && moves[0]["source"] == "morello-1", "{shown}");
    let file = folder.path().join("moves.jsonl");
    assert_eq!(run(&format!("book show othello f5 --book {path} --output {}", file.display()), "").0, 0);
    assert_eq!(fs::read_to_string(file).unwrap(), shown);
    let (code, _, errors) = run(&format!("book show othello f5d6c3d3c4f4f6b4 --book {path}"), "");
    assert!(code == 1 && errors.contains("the position is not in the book"), "{errors}");
    for (extension, is_lossless) in [("csv", true), ("jsonl", true), ("dat", false), ("egbk3", false)] {
        let file = folder.path().join(format!("b.{extension}")).display().to_string();
        assert_eq!(run(&format!("book export othello {file} --book {path}"), "").0, 0);
        let copy = folder.path().join(format!("{extension}.book")).display().to_string();
        let (code, _, errors) = run(&format!("book import othello {copy} {file}"), "");
        assert_eq!(code, 0, "{errors}");
        let shown_again = run(&format!("book show othello f5 --book {copy} --format jsonl"), "").1;
        assert_eq!(rows(&shown_again)[0]["score"], moves[0]["score"]);
        assert!(!is_lossless || shown_again == shown);
    }
    let (code, text, _) = run(&format!("book lines othello --limit 1 --book {path}"), "");
    assert!(code == 0 && text.lines().count() == 2, "{text}");
    let (code, text, _) = run(&format!("book lines othello --umigame --book {path}"), "");
    assert!(code == 0 && text.starts_with("black  ") && text.contains("\nwhite  "), "{text}");
}

#[test]
fn frequent_moves_of_games_have_scores_however_bad_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path());
    let games = folder.path().join("games.txt").display().to_string();
    // Three games, one of them turned, go on with a bad move after f5f6e6f4, and another one turns off.
    fs::write(&games, "f5f6e6f4e3d3\nf5f6e6f4e3d3\nd3c3c4e3\nf5f6e6d6c3\n").unwrap();
    let build =
        format!("book build othello {path} --level 1 --max-plies 3 --best-plies 5 --no-openings --played-in {games}");
    let known = |position: &str| -> Vec<String> {
        let rows = rows(&run(&format!("book show othello {position} --book {path} --format jsonl"), "").1);
        rows.iter().filter(|row| row["in_book"] == true).map(|row| row["move"].as_str().unwrap().to_owned()).collect()
    };
    assert!(known("f5f6e6f4").is_empty());
    let (code, _, errors) = run(&format!("{build} --min-games 3 --min-share 0.5"), "");
    assert!(code == 0 && errors.contains("4 games read: 6 frequent positions"), "{errors}");
    assert_eq!((known("f5f6e6f4"), known("f5f6e6f4e3")), (vec!["e3".to_owned()], vec![]));
    // Rare positions, and moves that few games played.
    let (_, _, errors) = run(&format!("{build} --min-games 1 --min-share 0"), "");
    assert!(errors.contains("7 frequent positions"), "{errors}");
    assert_eq!(known("f5f6e6f4"), ["e3", "c3"]);

    let show = format!("book show othello f5f6e6 --book {path} --played-in {games}");
    let (code, shown, errors) = run(&format!("{show} --format jsonl"), "");
    assert!(code == 0 && errors.contains("games      4: "), "{errors}");
    let count = |name: &str| rows(&shown).iter().find(|row| row["move"] == name).unwrap()["games"].as_u64();
    // A symmetry of the position maps d6 to f4.
    assert_eq!((count("d6"), rows(&shown)[0]["symmetric"].as_str()), (Some(4), Some("f4")));
    assert_fails(&format!("book build othello {path} --min-games 3"), "", "--played-in");
    assert_fails(&format!("{show}.missing"), "", "games.txt.missing");
}

#[test]
fn damaged_and_foreign_files_are_refused_and_saved_by_merge() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() - 60;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (code, _, errors) = run(&format!("book stats othello --book {path}"), "");
    assert!(code == 2 && errors.contains("`morello book merge` saves the readable entries"), "{errors}");
    let saved = folder.path().join("saved.book").display().to_string();
    let (code, _, errors) = run(&format!("book merge othello {saved} {path}"), "");
    assert!(code == 1 && errors.contains("1 damaged page skipped"), "{errors}");
    assert_eq!(run(&format!("book stats othello --book {saved}"), "").0, 0);
    // A damaged table hides some pages only, and a file that was cut off is no empty book.
    let whole = fs::read("src/files/data/books/othello.book").unwrap();
    let mut damaged = whole.clone();
    damaged[1000] ^= 1;
    fs::write(&path, damaged).unwrap();
    let rescued = folder.path().join("rescued.book").display().to_string();
    let (code, _, errors) = run(&format!("book merge othello {rescued} {path}"), "");
    assert!(code == 1 && errors.contains("2 damaged pages skipped"), "{errors}");
    let count: f64 = errors.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap();
    let all = rows(&run("book stats othello --format jsonl", "").1).pop().unwrap()["positions"].as_f64().unwrap();
    assert!(count > 0.99 * all && count < all, "{count} of {all}: {errors}");
    fs::write(&path, &whole[..20_000]).unwrap();
    let (_, _, errors) = run(&format!("book stats othello --book {path}"), "");
    assert!(errors.contains("or the file was truncated"), "{errors}");
    let (code, _, errors) = run(&format!("book merge othello {rescued} {path}"), "");
    assert!(code == 1 && errors.contains("19904 bytes at the end cannot be read"), "{errors}");
    let text = folder.path().join("games.txt").display().to_string();
    fs::write(&text, "f5d6\n").unwrap();
    assert_fails(&format!("book build othello {text}"), "", "is not a morello book");
    assert_fails(&format!("book import othello {saved} {text} --input-format edax"), "", "not a book of Edax");
    assert_eq!(fs::read_to_string(&text).unwrap(), "f5d6\n");
}

#[test]
fn the_built_in_book_knows_the_named_openings_and_is_used() {
    let (code, text, errors) = run("book show othello Tiger --format jsonl", "");
    assert!(code == 0 && errors.contains("opening    Tiger") && rows(&text).len() > 1, "{errors}");
    let (code, text, errors) = run("analyze othello --depth 2 --use-book --format jsonl", "f5d6\n");
    assert!(code == 0 && rows(&text).last().unwrap()["source"] == "book", "{errors} {text}");
    let row = rows(&text).pop().unwrap();
    assert_eq!((&row["opening"], &row["nodes"]), (&"Perpendicular".into(), &0.into()));
    let (code, text, errors) = run(
        "selfplay othello --engine depth=1,name=a --engine depth=1,name=b --variety 1 --book-openings \
            --opening-plies 4 --games 2",
        "",
    );
    assert!(code == 0 && text.contains("of the opening book after 4 plies"), "{errors}");
    assert!(text.contains("book moves within 1 points"), "{text}");
    let (code, text, errors) = run("engine --protocol gtp --variety 0", "genmove black\ngenmove white\nquit\n");
    assert!(code == 0 && text.starts_with("= "), "{errors}");
    assert_fails("play lasker-morris --variety 1 --white human", "quit\n", "lasker-morris has no built-in book");
}

/// Returns the opening table of three men's morris after some plies.
fn opening_table(plies: usize) -> String {
    run_ok(&format!("database openings three-mens-morris --opening-plies {plies} --format csv"), "")
}

#[test]
fn a_book_of_an_opening_table_has_the_scores_of_solved_positions() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (file, path) = (at("openings.csv"), at("a.book"));
    fs::write(&file, opening_table(4)).unwrap();
    let (code, _, errors) = run(&format!("book import three-mens-morris {path} {file}"), "");
    assert_eq!(code, 0, "{errors}");
    let game = games::get("three-mens-morris").unwrap();
    let book = Book::open(Path::new(&path), game).unwrap();
    let mut level = vec![game.start()];
    for ply in 0..=4 {
        for position in &level {
            let entry = book.get(position).unwrap().unwrap_or_else(|| panic!("{position}"));
            let probe = ["database", "probe", "three-mens-morris", &position.to_string(), "--format", "jsonl"];
            let probed = morello().args(probe).output().unwrap().stdout;
            let probed: HashMap<_, _> =
                rows(&String::from_utf8(probed).unwrap()).into_iter().map(|row| (row["move"].clone(), row)).collect();
            let check = |m: Value, score: Score| {
                let outcome = ["loss", "draw", "win"][(score.points() + 1.0) as usize];
                let row = &probed[&m];
                assert_eq!((&row["outcome"], &row["plies"]), (&outcome.into(), &score.plies.into()), "{position}: {m}");
                assert!(score.is_exact());
            };
            // The openings themselves have some replies; the positions before them all moves, of
            // which one stands for its images.
            assert!(ply == 4 || entry.is_complete(position), "{position}");
            entry.moves.iter().for_each(|known| check(known.m.to_string().into(), known.score.score));
            check(Value::Null, entry.score(position).unwrap().score);
        }
        level = level.iter().flat_map(|position| position.legal_moves().map(|m| position.after(m))).collect();
        let mut seen = HashSet::new();
        level.retain(|position| !position.is_over() && seen.insert(position.canonical()));
    }
    let (code, text, _) = run(&format!("book stats three-mens-morris --book {path}"), "");
    assert!(code == 0 && text.lines().count() == 7, "{text}");
    let (code, text, errors) = run(
        &format!("analyze three-mens-morris --depth 2 --lines 2 --use-book --book {path} --format jsonl"),
        "a3 b3\n",
    );
    assert!(code == 0 && rows(&text)[0]["source"] == "book", "{errors} {text}");
}

#[test]
fn opening_tables_with_errors_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (file, path) = (at("openings.csv"), at("a.book"));
    let whole = opening_table(2);
    let lines: Vec<&str> = whole.lines().collect();
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}: {whole}");
        whole.replacen(from, to, 1)
    };
    let cases = [
        (lines[..lines.len() - 1].join("\n"), "the table is not complete: positions after 2 plies are missing"),
        (format!("{whole}{}\n", lines[1]), "another row has the same or a symmetric position"),
        (whole.replace("three-mens-morris,", "six-mens-morris,"), "game: expected three-mens-morris"),
        (changed(",a3 c3,", ",a3,"), "1 plies, but the rows before have 2"),
        (changed(",a3 b3,", ",a3 a3,"), "opening: "),
        (changed("\"2,2 a3 b3 W\"", "\"2,2 a3 c3 W\""), "position: the opening leads to `2,2 a3 b3 W`"),
        (changed(",draw,", ",drawn,"), "outcome: expected win, draw or loss, found `drawn`"),
        (changed(",draw,,", ",draw,3,"), "plies: a draw has no plies"),
        (changed(",draw,", ",loss,"), "plies: a win or loss needs its plies"),
        (changed("outcome", "result"), "expected a `kind`"),
    ];
    for (table, expected) in cases {
        fs::write(&file, table).unwrap();
        assert_fails(&format!("book import three-mens-morris {path} {file}"), "", expected);
        assert!(!Path::new(&path).exists());
    }
}

#[test]
fn the_built_in_books_of_mill_games_are_their_opening_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    for game in ["nine-mens-morris", "nine-mens-morris-flying", "six-mens-morris"] {
        let (path, table) = (at(game), format!("data/results/databases/{game}-openings.csv"));
        assert_eq!(run(&format!("book import {game} {path} {table}"), "").0, 0);
        let (ours, theirs) = (at("ours.jsonl"), at("theirs.jsonl"));
        assert_eq!(run(&format!("book export {game} {ours} --force"), "").0, 0);
        assert_eq!(run(&format!("book export {game} {theirs} --book {path} --force"), "").0, 0);
        assert_eq!(fs::read(&ours).unwrap(), fs::read(&theirs).unwrap(), "{game}");
    }
    let (code, text, errors) = run(
        "selfplay nine-mens-morris --engine depth=1,name=a --engine depth=1,name=b --book-openings \
            --opening-plies 4 --opening-score 0 --games 2",
        "",
    );
    assert!(code == 0 && text.contains("of the opening book after 4 plies"), "{errors}");
}
