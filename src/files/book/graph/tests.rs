//! Tests of graphs, builds, lines and the formats of other programs.

use std::collections::HashMap;
use std::path::Path;

use morello_core::game::{
    AnyGame, AnyPosition, Cancel, Certainty, Color, Confidence, EngineOptions, Game, Limits, Position as _,
    ReportSource, Score, Searcher, any_game,
};
use morello_core::morris::{self, ThreeMensMorris};
use morello_core::othello::{self, formats::wthor::Date};

use crate::book::foreign::{ForeignBookError, read_edax, read_egaroucid, write_edax, write_egaroucid};
use crate::book::*;

fn othello() -> &'static dyn AnyGame {
    any_game::<othello::Position>()
}

fn small() -> &'static dyn AnyGame {
    any_game::<othello::SizedPosition<4>>()
}

fn searchers(game: &'static dyn AnyGame, count: usize) -> Vec<Box<dyn Searcher>> {
    let first = game.searcher(&EngineOptions::new(1 << 20)).unwrap();
    let mut all: Vec<_> = (1..count).map(|_| first.fork()).collect();
    all.push(first);
    all
}

fn build(path: &Path, game: &'static dyn AnyGame, options: BuildOptions) -> (BookGraph, BuildResult) {
    let mut writer = BookWriter::open(path, game).unwrap();
    let mut builder = Builder::new(&mut writer, options).unwrap();
    let built = builder.run(&mut searchers(game, 2), &Cancel::new(), &mut |_| ()).unwrap();
    drop(builder);
    (BookGraph::load(&writer).unwrap(), built)
}

/// Builds an Othello book with moves up to 4 plies.
fn shallow_book(folder: &tempfile::TempDir) -> BookGraph {
    let breadth = Breadth { plies: 4, error: 3.0, budget: f64::INFINITY, best_plies: 6 };
    let path = folder.path().join("a.book");
    build(&path, othello(), BuildOptions::new(othello(), Limits::depth(3).with_confidence(Confidence::LOWEST), breadth))
        .0
}

/// The negamax score of a position by plain recursion: linked moves get the score of their
/// position, other moves keep theirs.
fn plain(graph: &BookGraph, position: &AnyPosition) -> i32 {
    let entry = graph.get(position).unwrap();
    let score = |known: &BookMove| match successor(position, known.m) {
        Successor::Position(next, passed) if graph.get(&next).is_some() => {
            if passed {
                plain(graph, &next)
            } else {
                -plain(graph, &next)
            }
        }
        _ => known.score.score.thousandths,
    };
    entry.moves.iter().map(score).max().unwrap()
}

#[test]
fn a_complete_book_of_a_small_game_has_its_exact_value() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits::depth(2).with_exact_from(8);
    let (graph, built) =
        build(&folder.path().join("a.book"), small(), BuildOptions::new(small(), limits, Breadth::ALL));
    assert!(built.is_complete && graph.len() > 100, "{}", graph.len());
    let root = small().start().canonical();
    let score = graph.get(&root).unwrap().score(&root).unwrap();
    let mut searcher = searchers(small(), 1).remove(0);
    let exact = searcher.best(&Game::new(root), &Limits::exact());
    assert!(score.score.is_exact(), "{score:?}");
    assert_eq!(score.score.thousandths, exact.best().score.thousandths);
}

#[test]
fn all_moves_within_the_error_are_in_the_book_with_negamax_scores() {
    let folder = tempfile::tempdir().unwrap();
    let graph = shallow_book(&folder);
    let breadth = Breadth { plies: 4, error: 3.0, budget: f64::INFINITY, best_plies: 6 };
    let mut by_ply = HashMap::new();
    graph.visit(&[(othello().start().canonical(), 0)], &breadth, &mut |visit, entry| {
        let entry = entry.expect("a position within the error is in the book");
        *by_ply.entry(visit.ply).or_insert(0) += 1;
        assert_eq!(entry.score(&visit.position).unwrap().score.thousandths, plain(&graph, &visit.position));
        let best = entry.best().unwrap().score.score.thousandths;
        if let Some(rest) = entry.rest.filter(|_| visit.ply < 4) {
            assert!(rest.score.thousandths < best - 3000 || entry.rest.is_none(), "{}", visit.position);
        }
    });
    assert!(by_ply[&4] > by_ply[&2] && by_ply.contains_key(&6) && !by_ply.contains_key(&7), "{by_ply:?}");
}

#[test]
fn an_interrupted_build_continues_and_a_higher_level_searches_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    let breadth = Breadth { plies: 3, error: 2.0, budget: f64::INFINITY, best_plies: 0 };
    let of_depth =
        |depth| BuildOptions::new(othello(), Limits::depth(depth).with_confidence(Confidence::LOWEST), breadth);
    let mut writer = BookWriter::open(&path, othello()).unwrap();
    let cancel = Cancel::new();
    let mut builder = Builder::new(&mut writer, of_depth(2)).unwrap();
    let first = builder.run(&mut searchers(othello(), 1), &cancel, &mut |done| {
        if done.searches == 3 {
            cancel.cancel();
        }
    });
    assert!(!first.unwrap().is_complete);
    drop(builder);
    drop(writer);
    let (graph, second) = build(&path, othello(), of_depth(2));
    assert!(second.is_complete && second.searches > 0);
    assert_eq!(build(&path, othello(), of_depth(2)).1.searches, 0);
    let (deeper, third) = build(&path, othello(), of_depth(4));
    assert!(third.searches >= graph.len() as u64 / 2);
    deeper.visit(&[(othello().start().canonical(), 0)], &breadth, &mut |visit, entry| {
        let best = entry.expect("a position within the error is in the book").best().expect("it was searched");
        assert!(best.score.provenance.depth >= 4, "{}", visit.position);
    });
    assert_eq!(build(&path, othello(), of_depth(4)).1.searches, 0);
}

#[test]
fn named_lines_are_in_the_book_whatever_they_lose() {
    let folder = tempfile::tempdir().unwrap();
    let breadth = Breadth { plies: 2, error: 0.0, budget: f64::INFINITY, best_plies: 0 };
    let opening = othello().opening_names().unwrap().named("Mouse").unwrap();
    let mut line = Game::new(othello().start());
    opening.moves.iter().for_each(|&m| line.play(m).unwrap());
    let limits = Limits::depth(2).with_confidence(Confidence::LOWEST);
    let options = BuildOptions { named: vec![line.clone()], ..BuildOptions::new(othello(), limits, breadth) };
    let (graph, _) = build(&folder.path().join("a.book"), othello(), options);
    for (ply, position) in line.positions().iter().enumerate() {
        let entry = graph.get(&position.canonical()).expect("it is on the line");
        if let Some(&m) = line.moves().get(ply) {
            let (canonical, _) = canonical(position);
            let k = (0..8).find(|&k| position.transform(k) == canonical).unwrap();
            let known = entry.find(least_image(&canonical, m.transform(k))).expect("the move is linked");
            assert!(known.is_linked);
        }
    }
}

#[test]
fn learned_games_are_counted_for_the_side_to_move() {
    let mut graph = BookGraph::default();
    let game = |moves: &str| crate::input::read_text(othello(), moves).unwrap().game.game;
    learn(&mut graph, &game("f5d6c3"), 2, Some(4.0));
    learn(&mut graph, &game("d3c5f6"), 2, Some(-4.0));
    learn(&mut graph, &game("c4"), 2, None);
    let start = graph.get(&othello().start().canonical()).unwrap();
    assert_eq!(start.games, GameCounts { wins: 1, draws: 0, losses: 1, unknown: 1 });
    let second = graph.get(&game("f5d6").position().canonical()).unwrap();
    assert_eq!(second.games, GameCounts { wins: 1, draws: 0, losses: 1, unknown: 0 });
    let first = graph.get(&game("e6").position().canonical()).unwrap();
    assert_eq!(first.games.total(), 3);
    assert_eq!(graph.len(), 3, "the third move is beyond the plies");
}

/// A book of all positions of three men's morris with a choice of moves, from three-ply searches.
fn cyclic_book(path: &Path) -> BookGraph {
    let game = any_game::<morris::Position<ThreeMensMorris>>();
    let breadth = Breadth { plies: 1000, error: 1000.0, budget: f64::INFINITY, best_plies: 0 };
    let (graph, built) = build(path, game, BuildOptions::new(game, Limits::depth(3), breadth));
    assert!(built.is_complete && graph.len() > 300, "{}", graph.len());
    graph
}

#[test]
fn scores_of_games_with_repetitions_come_to_rest_and_are_not_deeper_than_their_searches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    let mut again = cyclic_book(&path);
    assert_eq!((again.negamax(), again.fix()), (0, 0));
    for (position, entry) in again.iter() {
        for known in entry.moves.iter().filter(|known| !known.score.score.is_exact()) {
            assert!(known.score.provenance.depth <= 3, "{position}: {known:?}");
        }
    }
    // Lines end where the rules end the game.
    let book = Book::open(&path, any_game::<morris::Position<ThreeMensMorris>>()).unwrap();
    for plies in [20, 400] {
        let found = lines(&book, &Game::new(book.file().game().start()), plies, 0.0, 0.0, 3).unwrap();
        assert!(!found.is_empty() && found.iter().all(|line| line.black_points.is_some()), "{plies}");
    }
}

#[test]
fn proved_wins_of_a_book_with_repetitions_have_the_plies_of_the_tables() {
    use morello_core::morris::engine::database::{Build, BuildProgress, Database, StoredValues};

    let folder = tempfile::tempdir().unwrap();
    let graph = cyclic_book(&folder.path().join("a.book"));
    let mill = morello_core::games::mill("three-mens-morris").unwrap();
    let rules = mill.ruleset().unwrap();
    let start = mill.sector_of(&any_game::<morris::Position<ThreeMensMorris>>().start());
    let build = Build::open(folder.path(), rules, &[start], StoredValues::Distances).unwrap();
    build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
    let database = Database::open(folder.path(), rules).unwrap();
    let (mut proved, mut with_plies) = (0, 0);
    for (position, entry) in graph.iter() {
        let Some(score) = entry.score(position).filter(|score| score.score.is_exact()) else { continue };
        let probe = database.probe(position, 0).unwrap().unwrap();
        assert_eq!(probe.outcome(), score.score.thousandths.cmp(&0), "{position}: {score:?}");
        proved += 1;
        if let Some(plies) = score.score.plies {
            assert_eq!(probe.plies(), Some(plies), "{position}: {score:?}");
            with_plies += 1;
        }
    }
    assert!(proved > 100 && with_plies > 50, "{proved} {with_plies}");
}

#[test]
fn a_game_that_comes_back_to_a_position_is_counted_once() {
    let morris = any_game::<morris::Position<ThreeMensMorris>>();
    let text = "a3 c3 a1 a2 c1 c2 a1-b1 c3-b3 b1-a1 b3-c3 a1-b1 c3-b3";
    let game = crate::input::read_text(morris, text).unwrap().game.game;
    let mut graph = BookGraph::default();
    assert!(learn(&mut graph, &game, 100, None) < game.positions().len());
    assert!(graph.iter().all(|(_, entry)| entry.games.total() == 1));
}

#[test]
fn limits_of_other_moves_survive_a_merge() {
    let start = othello().start().canonical();
    let provenance = Provenance { source: Source::THIS, depth: 9, confidence: Confidence::LOWEST };
    let rest = BookScore { score: Score::of(3, Certainty::AtMost), provenance };
    let limited = BookEntry { rest: Some(rest), ..BookEntry::default() };
    let games = BookEntry { games: GameCounts { wins: 1, ..GameCounts::default() }, ..BookEntry::default() };
    for (first, second) in [(&limited, &games), (&games, &limited)] {
        let mut graph = BookGraph::default();
        graph.merge(start, first);
        graph.merge(start, second);
        let merged = graph.get(&start).unwrap();
        assert_eq!((merged.rest, merged.games.wins), (Some(rest), 1));
    }
}

#[test]
fn pruning_keeps_what_the_limits_reach_and_merging_brings_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let whole = shallow_book(&folder);
    let mut pruned = whole.clone();
    let root = [(othello().start().canonical(), 0)];
    let narrow = Breadth { plies: 3, error: 0.0, budget: 0.0, best_plies: 0 };
    let removed = pruned.prune(&root, &narrow, None);
    assert!(removed > 0 && !pruned.is_empty() && removed + pruned.len() == whole.len());
    let mut kept = 0;
    whole.visit(&root, &narrow, &mut |visit, _| kept += usize::from(pruned.get(&visit.position).is_some()));
    assert_eq!(kept, pruned.len());
    whole.iter().for_each(|(position, entry)| pruned.merge(*position, entry));
    pruned.negamax();
    assert_eq!(pruned.len(), whole.len());
    for (position, entry) in whole.iter() {
        assert_eq!(pruned.get(position).unwrap().score(position), entry.score(position));
    }
}

#[test]
fn books_of_other_programs_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let graph = shallow_book(&folder);
    let (mut edax, mut egaroucid) = (Vec::new(), Vec::new());
    assert_eq!(write_edax(&graph, Date::new(2026, 11, 24).unwrap(), &mut edax).unwrap(), graph.len() as u64);
    assert_eq!(write_egaroucid(&graph, &mut egaroucid).unwrap(), graph.len() as u64);
    assert_eq!(egaroucid.len(), 14 + 25 * graph.len());
    let mut from_edax = BookGraph::default();
    assert_eq!(read_edax(&edax, &mut from_edax).unwrap().positions, graph.len() as u64);
    let mut from_egaroucid = BookGraph::default();
    assert_eq!(read_egaroucid(&egaroucid, &mut from_egaroucid).unwrap().positions, graph.len() as u64);
    for other in [&mut from_edax, &mut from_egaroucid] {
        other.negamax();
        for (position, entry) in graph.iter() {
            let found = other.get(position).expect("it was written").score(position).unwrap();
            assert_eq!(found.score.thousandths, entry.score(position).unwrap().score.thousandths, "{position}");
        }
    }
    // Every truncation is rejected, and so are other bytes and impossible positions.
    for end in 0..edax.len() {
        assert!(read_edax(&edax[..end], &mut BookGraph::default()).is_err(), "{end}");
    }
    for end in 0..egaroucid.len() {
        assert!(read_egaroucid(&egaroucid[..end], &mut BookGraph::default()).is_err(), "{end}");
    }
    assert!(matches!(read_edax(&egaroucid, &mut BookGraph::default()), Err(ForeignBookError::NotABook { .. })));
    assert!(matches!(read_egaroucid(&edax, &mut BookGraph::default()), Err(ForeignBookError::NotABook { .. })));
    let mut damaged = egaroucid.clone();
    damaged[22] |= damaged[14];
    damaged[14..22].copy_from_slice(&[0xff; 8]);
    let error = read_egaroucid(&damaged, &mut BookGraph::default()).unwrap_err();
    assert!(error.to_string().starts_with("position 1, byte 14: two discs"), "{error}");
}

/// A position with White to move in which c1 makes Black pass, so that White moves again.
const BEFORE_PASS: &str = "---XO----X-O------XX-------XX------XX-------X------------------- O";

/// A book with a position and the position after a pass.
fn book_with_pass() -> (BookGraph, AnyPosition, AnyPosition) {
    let before = othello().parse_position(BEFORE_PASS).unwrap();
    let m = before.parse_move("c1").unwrap();
    let Successor::Position(after, true) = successor(&before, m) else { panic!("Black must pass") };
    let provenance = Provenance { source: Source::THIS, depth: 9, confidence: Confidence::LOWEST };
    let scored = |points| BookScore { score: Score::of(points, Certainty::Heuristic), provenance };
    let mut graph = BookGraph::default();
    for (position, m, points) in [(before, m, -9), (after, after.legal_moves().next().unwrap(), 5)] {
        let (least, _) = canonical(&position);
        let k = (0..8).find(|&k| position.transform(k) == least).unwrap();
        let m = least_image(&least, m.transform(k));
        let moves = vec![BookMove { m, score: scored(points), is_linked: false }];
        graph.set(least, BookEntry { moves, ..BookEntry::default() });
    }
    graph.negamax();
    (graph, before.canonical(), after)
}

#[test]
fn positions_after_a_pass_keep_their_side_in_books_of_other_programs() {
    let (graph, before, after) = book_with_pass();
    assert_eq!((after.side_to_move(), graph.len()), (Color::White, 2));
    let (mut edax, mut egaroucid) = (Vec::new(), Vec::new());
    write_edax(&graph, Date::new(2026, 11, 24).unwrap(), &mut edax).unwrap();
    write_egaroucid(&graph, &mut egaroucid).unwrap();
    let (mut from_edax, mut from_egaroucid) = (BookGraph::default(), BookGraph::default());
    read_edax(&edax, &mut from_edax).unwrap();
    read_egaroucid(&egaroucid, &mut from_egaroucid).unwrap();
    for mut read in [from_edax, from_egaroucid] {
        read.negamax();
        for position in [before, after] {
            let score = read.get(&position).and_then(|entry| entry.score(&position)).map(|score| score.score.points());
            assert_eq!(score, Some(5.0), "{position}");
        }
        assert!(read.get(&before).unwrap().moves.iter().any(|known| known.is_linked));
    }
}

#[test]
fn positions_that_differ_in_the_side_to_move_are_one_for_other_programs() {
    let (graph, _, after) = book_with_pass();
    // The same discs with the colors exchanged are identical in a format that distinguishes only
    // the side to move and its opponent.
    let exchanged: String = after
        .to_string()
        .chars()
        .map(|c| match c {
            'X' => 'O',
            'O' => 'X',
            c => c,
        })
        .collect();
    let twin = othello().parse_position(&exchanged).unwrap();
    let m = |position: &AnyPosition, number| least_image(position, position.legal_moves().nth(number).unwrap());
    let of = |number: usize, points| {
        let provenance = Provenance { source: Source::THIS, depth: 9, confidence: Confidence::LOWEST };
        let score = BookScore { score: Score::of(points, Certainty::Heuristic), provenance };
        BookEntry { moves: vec![BookMove { m: m(&after, number), score, is_linked: false }], ..BookEntry::default() }
    };
    let written = |first: bool| {
        let mut both = BookGraph::default();
        let entries = [(after, of(0, 5)), (twin, of(1, 3))];
        let order = if first { [0, 1] } else { [1, 0] };
        order.into_iter().for_each(|at| both.merge(entries[at].0, &entries[at].1));
        graph
            .iter()
            .filter(|(position, _)| **position != after)
            .for_each(|(position, entry)| both.merge(*position, entry));
        let mut bytes = Vec::new();
        write_egaroucid(&both, &mut bytes).unwrap();
        bytes
    };
    assert_eq!(written(true), written(false));
    assert_eq!(written(true).len(), 14 + 25 * 2);
}

#[test]
fn scores_of_lines_are_those_of_black_after_a_pass_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pass.book");
    let before = othello().parse_position(BEFORE_PASS).unwrap();
    let (mut graph, canonical_before, after) = book_with_pass();
    graph.store(&mut BookWriter::open(&path, othello()).unwrap()).unwrap();
    let start = Game::new(before);
    let score = |path: &Path| {
        let book = Book::open(path, othello()).unwrap();
        lines(&book, &start, 60, 0.0, 0.0, 1).unwrap()[0].black_points
    };
    // White wins by 5 points, whether or not the position after the pass is in the book.
    assert_eq!(score(&path), Some(-5.0));
    let alone = folder.path().join("alone.book");
    let mut only = BookGraph::default();
    only.set(canonical_before, graph.get(&canonical_before).unwrap().clone());
    assert!(only.get(&after).is_none());
    only.store(&mut BookWriter::open(&alone, othello()).unwrap()).unwrap();
    assert_eq!(score(&alone), Some(-5.0));
}

#[test]
fn rows_round_trip_as_csv_and_json() {
    use crate::output::{Output, OutputFormat};
    let folder = tempfile::tempdir().unwrap();
    let mut graph = shallow_book(&folder);
    learn(&mut graph, &crate::input::read_text(othello(), "f5d6c3d3c4").unwrap().game.game, 9, Some(2.0));
    for format in [OutputFormat::Csv, OutputFormat::Jsonl] {
        let mut text = Vec::new();
        let mut output = Output::new(format, BookRow::fields(), &mut text).unwrap();
        for (position, entry) in graph.iter() {
            BookRow::of(position, entry).iter().for_each(|row| output.write(row).unwrap());
        }
        output.finish().unwrap();
        let mut read = BookGraph::default();
        read_rows(othello(), &text[..], format == OutputFormat::Jsonl, &mut read).unwrap();
        assert_eq!(read.len(), graph.len());
        for (position, entry) in graph.iter() {
            assert_eq!(read.get(position), Some(entry), "{position}");
        }
    }
    let bad =
        "position,kind,move,score\n---------------------------OX------XO--------------------------- X,move,a1,2\n";
    let error = read_rows(othello(), bad.as_bytes(), false, &mut BookGraph::default()).unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.problem.contains("a1"), "{error}");
}

/// A book in which Black can keep a draw with either of two moves, and White has two answers to one
/// of them.
fn tree_book(folder: &tempfile::TempDir) -> Book {
    let path = folder.path().join("tree.book");
    let mut writer = BookWriter::open(&path, othello()).unwrap();
    let mut graph = BookGraph::default();
    let scored = |points| BookScore {
        score: Score::of(points, Certainty::Heuristic),
        provenance: Provenance { source: Source::THIS, depth: 9, confidence: Confidence::LOWEST },
    };
    let mut add = |text: &str, moves: &[&str]| {
        let game = if text.is_empty() {
            Game::new(othello().start())
        } else {
            crate::input::read_text(othello(), text).unwrap().game.game
        };
        let position = game.position();
        let (least, _) = canonical(position);
        let k = (0..8).find(|&k| position.transform(k) == least).unwrap();
        let mut entry = BookEntry::default();
        for text in moves {
            let m = least_image(&least, position.parse_move(text).unwrap().transform(k));
            entry.moves.push(BookMove { m, score: scored(0), is_linked: false });
        }
        graph.set(least, entry);
    };
    add("", &["f5"]);
    add("f5", &["d6", "f6"]);
    add("f5d6", &["c3", "c4", "c5"]);
    add("f5f6", &["e6"]);
    add("f5f6e6", &["d6", "f4"]);
    graph.negamax();
    graph.store(&mut writer).unwrap();
    Book::open(&path, othello()).unwrap()
}

#[test]
fn counts_the_lines_that_each_side_must_remember() {
    let folder = tempfile::tempdir().unwrap();
    let book = tree_book(&folder);
    let found = memorized_lines(&book, &othello().start(), 60, 0.0).unwrap();
    // After d6 Black needs one line. After f6 Black needs one line for each of White's two answers,
    // unless they are symmetric.
    let after = |moves: &str| {
        let game = crate::input::read_text(othello(), moves).unwrap().game.game;
        memorized_lines(&book, game.position(), 60, 0.0).unwrap()
    };
    let (d6, f6) = (after("f5d6"), after("f5f6"));
    assert_eq!(d6, MemorizedLines { black: 1, white: 3 });
    assert_eq!(f6.white, 1);
    assert_eq!(found, MemorizedLines { black: d6.black + f6.black, white: d6.white.min(f6.white) });
    assert_eq!(memorized_lines(&book, &othello().start(), 1, 0.0).unwrap(), MemorizedLines { black: 1, white: 1 });
    let game = Game::new(othello().start());
    let all = lines(&book, &game, 60, 0.0, 0.0, 100).unwrap();
    assert!(all.len() >= 4 && all.iter().all(|line| line.loss == 0.0), "{}", all.len());
    assert_eq!(lines(&book, &game, 60, 0.0, 0.0, 2).unwrap().len(), 2);
    assert!(
        all.iter().all(|line| line.game.position().side_to_move() == Color::White || line.game.moves().len() % 2 == 0)
    );
}

#[test]
fn a_searcher_answers_from_the_book_only_where_it_is_as_deep() {
    let folder = tempfile::tempdir().unwrap();
    drop(shallow_book(&folder));
    let book = std::sync::Arc::new(Book::open(&folder.path().join("a.book"), othello()).unwrap());
    let usage = BookUse { variety: Some(0.0), answers: BookAnswers::AsDeep, seed: 1 };
    let options = EngineOptions { wrapper: Some(with_book(book, usage)), ..EngineOptions::new(1 << 20) };
    let mut searcher = othello().searcher(&options).unwrap();
    let game = crate::input::read_text(othello(), "f5").unwrap().game.game;
    let mut source = |limits: Limits| {
        let report = searcher.best(&game, &limits);
        let mut at = *game.position();
        report.best().pv.iter().for_each(|&m| at = at.play(m).unwrap());
        report.source
    };
    assert_eq!(source(Limits::depth(3)), ReportSource::Book);
    assert_eq!(source(Limits::depth(3).with_confidence(Confidence::FULL)), ReportSource::Search);
    assert_eq!(source(Limits::depth(9)), ReportSource::Search);
    assert_eq!(source(Limits::nodes(2000)), ReportSource::Search);
    assert_eq!(source(Limits::nodes(2000).for_move()), ReportSource::Book);
}

#[test]
fn a_searcher_does_not_take_an_open_score_for_a_proved_or_deep_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.book");
    let game = small().random_game(3, 4);
    let (position, _) = canonical(game.position());
    let moves = distinct_moves(&position);
    assert!(moves.len() >= 2 && position.count_moves() == moves.len(), "the test needs two moves");
    let scored = |points, certainty, depth| BookScore {
        score: Score::of(points, certainty),
        provenance: Provenance { source: Source::THIS, depth, confidence: Confidence::LOWEST },
    };
    let source = |others: BookScore, limits: Limits, with_rest: bool| {
        let _ = std::fs::remove_file(&path);
        let of = |(number, &m)| {
            let score = if number == 0 { scored(2, Certainty::Exact, 12) } else { others };
            BookMove { m, score, is_linked: false }
        };
        let known = if with_rest { 1 } else { moves.len() };
        let entry = BookEntry {
            moves: moves.iter().take(known).enumerate().map(of).collect(),
            rest: with_rest.then_some(others),
            ..BookEntry::default()
        };
        let mut writer = BookWriter::open(&path, small()).unwrap();
        writer.put(position, entry);
        writer.commit().unwrap();
        let book = std::sync::Arc::new(Book::open(&path, small()).unwrap());
        let usage = BookUse { variety: None, answers: BookAnswers::AsDeep, seed: 1 };
        let options = EngineOptions { wrapper: Some(with_book(book, usage)), ..EngineOptions::new(1 << 20) };
        let mut searcher = small().searcher(&options).unwrap();
        searcher.best(&Game::new(position), &limits).source
    };
    for with_rest in [false, true] {
        let exact = Limits::exact();
        assert_eq!(source(scored(-2, Certainty::Exact, 12), exact, false), ReportSource::Book);
        assert_eq!(source(scored(-2, Certainty::AtMost, 12), exact, with_rest), ReportSource::Book);
        assert_eq!(source(scored(-2, Certainty::Heuristic, 12), exact, with_rest), ReportSource::Search);
        assert_eq!(source(scored(-2, Certainty::AtLeast, 12), exact, with_rest), ReportSource::Search);
        // The best move has a deep score, but another move has not.
        assert_eq!(source(scored(-2, Certainty::Heuristic, 3), Limits::depth(3), with_rest), ReportSource::Book);
        assert_eq!(source(scored(-2, Certainty::Heuristic, 3), Limits::depth(4), with_rest), ReportSource::Search);
    }
}

#[test]
fn a_searcher_does_not_answer_from_the_book_where_the_moves_before_matter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    drop(cyclic_book(&path));
    let morris = any_game::<morris::Position<ThreeMensMorris>>();
    let book = std::sync::Arc::new(Book::open(&path, morris).unwrap());
    let usage = BookUse { variety: None, answers: BookAnswers::AsDeep, seed: 1 };
    let options = EngineOptions { wrapper: Some(with_book(book, usage)), ..EngineOptions::new(1 << 20) };
    let mut searcher = morris.searcher(&options).unwrap();
    let game = crate::input::read_text(morris, "a3 c3 a1 a2 c1 c2 a1-b1 c3-b3").unwrap().game.game;
    assert!(game.halfmove_clock() > 0);
    let mut source = |game: &Game| searcher.best(game, &Limits::depth(1)).source;
    assert_eq!(source(&Game::new(*game.position())), ReportSource::Book);
    assert_ne!(source(&game), ReportSource::Book);
}

#[test]
fn forks_choose_differently_and_the_same_in_every_run() {
    let folder = tempfile::tempdir().unwrap();
    drop(shallow_book(&folder));
    let book = std::sync::Arc::new(Book::open(&folder.path().join("a.book"), othello()).unwrap());
    let game = Game::new(othello().start().after(othello().start().parse_move("f5").unwrap()));
    let choices = || {
        let usage = BookUse { variety: Some(64.0), answers: BookAnswers::Never, seed: 1 };
        let wrapper = with_book(std::sync::Arc::clone(&book), usage);
        let options = EngineOptions { wrapper: Some(wrapper), ..EngineOptions::new(1 << 20) };
        let first = othello().searcher(&options).unwrap();
        let mut forks = [first.fork(), first.fork()];
        let limits = Limits::depth(1).for_move();
        let mut choose = |fork: usize| forks[fork].best(&game, &limits).best_move().unwrap();
        [0, 1].map(|fork| (0..20).map(|_| choose(fork).to_string()).collect::<Vec<_>>())
    };
    let found = choices();
    assert_ne!(found[0], found[1]);
    assert_eq!(found, choices());
}
