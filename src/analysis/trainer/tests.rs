//! Tests of lessons over several days, and of the card file.

use std::collections::HashSet;
use std::fs;
use std::sync::Arc;

use morello_core::game::{AnyGame, AnyPosition, Color, Game, Position as _};
use morello_core::games;
use morello_files::book::{Book, BookGraph, BookMove, learn, move_images};
use morello_files::input::read_game;

use super::*;

const NOW: u64 = 1_800_000_000;
const DAY: u64 = 86_400;

fn othello() -> &'static dyn AnyGame {
    games::get("othello").unwrap()
}

fn game(text: &str) -> Game {
    if text.is_empty() { Game::new(othello().start()) } else { read_game(othello(), text).unwrap() }
}

/// Returns a repertoire from the built-in book.
fn of_book(start: &str, options: RepertoireOptions) -> Repertoire {
    let book = Book::built_in(othello()).unwrap().unwrap();
    Repertoire::of_book(game(start), Arc::new(book), options)
}

/// Returns a repertoire from these lines.
fn of_lines(lines: &[&str], side: Color) -> Repertoire {
    Repertoire::of_games(game(""), graph(lines), None, RepertoireOptions::new(side))
}

fn moves(line: &Game) -> String {
    line.moves().iter().map(ToString::to_string).collect()
}

/// Answers the questions of a lesson with the first right move.
fn answer(lesson: &Lesson, cards: &mut Cards, now: u64) {
    for question in &lesson.questions {
        cards.set(question.answered(&question.exercise.best[0], now));
    }
}

/// Asks lines until nothing is left, and returns the positions of the questions in order.
fn session(repertoire: &Repertoire, cards: &mut Cards, now: u64, new: usize) -> Vec<String> {
    let mut asked = Vec::new();
    loop {
        let lesson = repertoire.lesson(cards, now, new - asked.len().min(new)).unwrap();
        if lesson.questions.is_empty() {
            return asked;
        }
        assert!(asked.len() < 1000, "a session ends");
        asked.extend(lesson.questions.iter().map(|question| question.exercise.start.clone()));
        answer(&lesson, cards, now);
    }
}

#[test]
fn what_is_learnt_today_is_asked_tomorrow_and_then_later() {
    let repertoire = of_book("Tiger", RepertoireOptions::new(Color::Black));
    let mut cards = Cards::default();
    let today: HashSet<_> = session(&repertoire, &mut cards, NOW, 8).into_iter().collect();
    assert_eq!((today.len(), cards.len()), (8, 8));
    // Ten minutes and some hours later, nothing is due.
    for wait in [600, 19 * 3600] {
        let lesson = repertoire.lesson(&cards, NOW + wait, 0).unwrap();
        assert_eq!((lesson.questions.len(), lesson.due, lesson.next_due), (0, 0, Some(NOW + 20 * 3600)));
    }
    let tomorrow = session(&repertoire, &mut cards, NOW + DAY, 0);
    assert_eq!(tomorrow.len(), 8, "each is asked once");
    assert_eq!(tomorrow.into_iter().collect::<HashSet<_>>(), today);
    assert_eq!(session(&repertoire, &mut cards, NOW + 2 * DAY, 0).len(), 0);
    assert_eq!(session(&repertoire, &mut cards, NOW + 3 * DAY, 0).len(), 8);
    assert_eq!(session(&repertoire, &mut cards, NOW + 5 * DAY, 0).len(), 0);
    assert_eq!(session(&repertoire, &mut cards, NOW + 7 * DAY, 0).len(), 8);
}

#[test]
fn a_wrong_answer_comes_back_after_the_others_and_again_tomorrow() {
    let repertoire = of_lines(&["f5d6c3d3c4f4c5", "f5f6e6f4g6"], Color::Black);
    let mut cards = Cards::default();
    let first = &repertoire.lesson(&cards, NOW, 9).unwrap().questions[0];
    let bad = first.line.position().legal_moves().map(|m| m.to_string()).find(|m| !first.exercise.is_right(m)).unwrap();
    cards.set(first.answered(&bad, NOW));
    assert_eq!(cards.get(first.line.position()).unwrap().wrong, 1);
    let rest = session(&repertoire, &mut cards, NOW + 1, 9);
    assert_eq!(rest.last(), Some(&first.exercise.start), "{rest:?}");
    assert_eq!(rest.len(), repertoire.lesson(&cards, NOW, 0).unwrap().positions);
    let next = session(&repertoire, &mut cards, NOW + DAY, 9);
    assert_eq!(next.len(), rest.len());
    // After a minute, it is due before new positions.
    let forgotten = Cards::default();
    let lesson = |cards: &Cards, wait| repertoire.lesson(cards, NOW + wait, 9).unwrap().questions;
    let mut cards = forgotten;
    cards.set(first.answered(&bad, NOW));
    assert!(lesson(&cards, 59).iter().all(|question| question.card.is_new()));
    assert_eq!(lesson(&cards, 60).iter().map(|question| question.card.wrong).collect::<Vec<_>>(), [1]);
}

#[test]
fn repertoires_with_other_answers_keep_their_cards() {
    let mut cards = Cards::default();
    let [one, other] = ["f5d6c3d3c4", "f5d6c4d3c3"].map(|line| of_lines(&[line], Color::Black));
    let first = |repertoire: &Repertoire, cards: &Cards, days: u64| {
        repertoire.lesson(cards, NOW + days * DAY, 9).unwrap().questions[0].clone()
    };
    cards.set(first(&one, &cards, 0).answered("c3", NOW));
    assert!(first(&other, &cards, 1).card.is_new(), "the answer is wrong in the other repertoire");
    cards.set(first(&other, &cards, 1).answered("a1", NOW));
    let counts = |question: Question| (question.card.right, question.card.wrong);
    assert_eq!((counts(first(&one, &cards, 1)), counts(first(&other, &cards, 1))), ((1, 0), (0, 1)));
    cards.set(first(&other, &cards, 1).answered("c4", NOW));
    assert_eq!((counts(first(&one, &cards, 2)), counts(first(&other, &cards, 2))), ((1, 0), (1, 1)));
    assert_eq!(cards.len(), 1, "of one position");
}

#[test]
fn a_line_asks_all_its_due_positions_in_order() {
    let repertoire = of_lines(&["f5d6c3d3c4f4c5", "f5f6e6f4g6"], Color::Black);
    let lesson = repertoire.lesson(&Cards::default(), NOW, 9).unwrap();
    let lines: Vec<_> = lesson.questions.iter().map(|question| moves(&question.line)).collect();
    // All first moves are symmetric, so the first move is not asked.
    assert_eq!(lines, ["f5d6", "f5d6c3d3", "f5d6c3d3c4f4"]);
    assert_eq!(lesson.questions[0].exercise.source.as_deref(), Some("Perpendicular: f5 d6"));
    assert_eq!((lesson.positions, lesson.new, lesson.learnt, lesson.next_due), (5, 5, 0, None));
    assert_eq!(repertoire.lesson(&Cards::default(), NOW, 2).unwrap().questions.len(), 1, "the first of each reply");
    let white = of_lines(&["f5d6c3d3c4f4c5"], Color::White).lesson(&Cards::default(), NOW, 9).unwrap();
    let lines: Vec<_> = white.questions.iter().map(|question| moves(&question.line)).collect();
    assert_eq!(lines, ["f5", "f5d6c3", "f5d6c3d3c4"]);
}

#[test]
fn an_answer_that_is_wrong_in_another_repertoire_does_not_count_there() {
    let [one, other] = ["f5d6c3d3c4", "f5d6c4d3c3f4"].map(|line| of_lines(&[line], Color::Black));
    let mut cards = Cards::default();
    session(&one, &mut cards, NOW, 9);
    let lesson = other.lesson(&cards, NOW, 9).unwrap();
    // f5d6c3d3c4 and f5d6c4d3c3 reach one position after different moves.
    assert_eq!(lesson.questions[0].exercise.best, ["c4"]);
    assert_eq!((lesson.learnt, lesson.new, lesson.positions), (0, 2, 2));
    let same = of_lines(&["f5d6c3d3c4", "f5d6c4"], Color::Black);
    assert_eq!(same.lesson(&cards, NOW, 9).unwrap().learnt, 2);
}

#[test]
fn positions_in_which_most_moves_are_right_are_not_asked() {
    let asked = |moves: &[&str]| {
        let lines: Vec<_> = moves.iter().map(|m| format!("f5d6{m}")).collect();
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        of_lines(&lines, Color::Black).lesson(&Cards::default(), NOW, 9).unwrap().positions
    };
    // Five moves are legal after f5d6.
    assert_eq!([&["c3", "c4", "c5"][..], &["c3", "c4", "c5", "c6"]].map(asked), [1, 0]);
}

#[test]
fn another_right_answer_is_learnt_from_then_on() {
    let lines = ["f5d6c3d3c4", "f5d6c3d3c4", "f5d6c4d3c3f4"];
    let repertoire = of_lines(&lines, Color::Black);
    let lesson = repertoire.lesson(&Cards::default(), NOW, 9).unwrap();
    let question = &lesson.questions[0];
    assert_eq!(question.exercise.best, ["c3", "c4"], "the frequent one first");
    // The answer counts for all symmetric images of the position.
    let mut cards = Cards::default();
    cards.set(question.answered("c4", NOW));
    let lesson = repertoire.lesson(&cards, NOW + DAY, 0).unwrap();
    assert_eq!(lesson.questions[0].exercise.best, ["c4", "c3"]);
    let mut image = Game::new(othello().start());
    for m in ["d3", "c5"] {
        image.play(image.position().parse_move(m).unwrap()).unwrap();
    }
    let mirrored = Repertoire::of_games(image, graph(&lines), None, RepertoireOptions::new(Color::Black));
    let asked = &mirrored.lesson(&cards, NOW + DAY, 0).unwrap().questions[0];
    let after = |question: &Question, at: usize| {
        let position = question.line.position();
        position.after(position.parse_move(&question.exercise.best[at]).unwrap()).canonical()
    };
    assert_eq!(after(asked, 0), after(&lesson.questions[0], 0));
}

fn graph(lines: &[&str]) -> BookGraph {
    let mut graph = BookGraph::default();
    for line in lines {
        learn(&mut graph, &game(line), 60, None);
    }
    graph
}

#[test]
fn right_moves_of_a_book_are_within_the_tolerance() {
    let book = Book::built_in(othello()).unwrap().unwrap();
    for (error, side) in [(0.0, Color::Black), (1.0, Color::Black), (2.0, Color::White)] {
        let options = RepertoireOptions { error, plies: 12, ..RepertoireOptions::new(side) };
        let lesson = of_book("f5d6", options).lesson(&Cards::default(), NOW, 1000).unwrap();
        assert!(lesson.positions > 20 && lesson.questions.len() >= 4, "{}", lesson.positions);
        for question in &lesson.questions {
            assert!(question.line.moves().len() < 12);
            let position = question.line.position();
            assert_eq!(position.side_to_move(), side);
            let entry = book.get(position).unwrap().unwrap();
            let best = entry.best().unwrap().score.score.points();
            let right = entry.moves.iter().filter(|known| best - known.score.score.points() <= error);
            let right: HashSet<_> = right.map(|known| known.m.to_string()).collect();
            assert_eq!(question.exercise.best.iter().cloned().collect::<HashSet<_>>(), right);
            assert_eq!(question.exercise.values[&question.exercise.best[0]], best);
        }
    }
}

#[test]
fn replies_come_by_games_or_by_what_they_cost() {
    let reply = |repertoire: &Repertoire, position: &AnyPosition| {
        let replies = repertoire.replies(position).unwrap();
        assert!((replies.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        replies.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0.to_string()
    };
    let repertoire = of_lines(&["f5d6c3", "f5f6e6", "f5f6d3", "f5f4e3"], Color::Black);
    assert_eq!(reply(&repertoire, game("f5").position()), "f6");
    let book = Book::built_in(othello()).unwrap().unwrap();
    let mut tricky = 0;
    for start in othello().opening_names().unwrap().all() {
        let start = *start.game(othello()).position();
        let Some(entry) = book.get(&start).unwrap().filter(|_| start.side_to_move() == Color::White) else { continue };
        let by = |replies| of_book("", RepertoireOptions { replies, ..RepertoireOptions::new(Color::Black) });
        let [often, costly] = [Replies::Frequency, Replies::Tricky].map(by);
        let best = entry.best().unwrap().score.score.thousandths;
        let loss = |repertoire: &Repertoire| {
            let reply = reply(repertoire, &start);
            let is_reply = |known: &&BookMove| move_images(&start, known.m).iter().any(|m| m.to_string() == reply);
            best - entry.moves.iter().find(is_reply).expect("it is in the book").score.score.thousandths
        };
        // Without games, one of the best replies is expected most often.
        assert_eq!(loss(&often), 0, "{start}");
        tricky += usize::from(loss(&costly) > 0);
    }
    assert!(tricky > 0, "the best reply is not always the one that costs most");
}

#[test]
fn games_with_repetitions_have_lessons_too() {
    let morris = games::get("nine-mens-morris-flying").unwrap();
    let book = Arc::new(Book::built_in(morris).unwrap().unwrap());
    for side in Color::ALL {
        let start = Game::new(morris.start());
        let repertoire = Repertoire::of_book(start, Arc::clone(&book), RepertoireOptions::new(side));
        let mut cards = Cards::default();
        let asked = session(&repertoire, &mut cards, NOW, 5);
        assert_eq!(asked.len(), 5);
        assert_eq!(session(&repertoire, &mut cards, NOW + DAY, 0).len(), 5);
    }
}

#[test]
fn the_file_survives_kills_and_tells_of_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cards.jsonl");
    let positions = ["f5", "f5d6", "f5f6"].map(|line| *game(line).position());
    let mut file = CardFile::open(&path, othello()).unwrap();
    for (position, answer) in positions.iter().zip(["d6", "c3", "e6"]) {
        file.add(Card::new(position).answered(Some(answer), NOW)).unwrap();
    }
    assert!(matches!(CardFile::open(&path, othello()), Err(CardFileError::InUse)));
    drop(file);
    let whole = fs::read(&path).unwrap();
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // If the process is killed at any byte, all complete answers are kept.
    for end in (head..whole.len()).step_by(5) {
        for zeros in [0, 9] {
            fs::write(&path, [&whole[..end], &vec![0; zeros]].concat()).unwrap();
            let lines = whole[head..end].iter().filter(|&&byte| byte == b'\n').count();
            let mut file = CardFile::open(&path, othello()).unwrap();
            assert_eq!(file.cards().len(), lines, "{end}");
            assert_eq!(file.torn_bytes() > 0, zeros > 0 || whole[end - 1] != b'\n');
            file.add(Card::new(&positions[2]).answered(None, NOW)).unwrap();
            drop(file);
            let file = CardFile::open(&path, othello()).unwrap();
            assert_eq!((file.torn_bytes(), file.cards().get(&positions[2]).unwrap().wrong), (0, 1));
        }
    }
    // A changed byte in a complete line is detected, and the file is not changed.
    for at in (0..whole.len() - 1).filter(|&at| whole[at] != b'\n') {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let error = CardFile::open(&path, othello()).unwrap_err();
        let line = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        match error {
            CardFileError::Damaged { line: found } => assert_eq!(found, line),
            CardFileError::NotCards | CardFileError::OtherVersion => assert_eq!(line, 1),
            error => panic!("{error}"),
        }
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    // Cards of other games are kept separately.
    fs::write(&path, &whole).unwrap();
    let mill = games::get("nine-mens-morris").unwrap();
    let mut file = CardFile::open(&path, mill).unwrap();
    assert!(file.cards().is_empty());
    file.add(Card::new(&mill.start()).answered(None, NOW)).unwrap();
    drop(file);
    assert_eq!(CardFile::open(&path, othello()).unwrap().cards().len(), 3);
}
