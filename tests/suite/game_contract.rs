//! The contract of the game traits, checked on every game of the registry.

use std::collections::HashSet;

use morello::game::{
    AnyGame, AnyMove, AnyPosition, Bounds, Cancel, Color, DrawRules, EngineOptions, Game, GameEndReason, IllegalMove,
    Limits, ParsedRecord, Position, RandomNumbers, Score, Scoring,
};
use morello::games;
use morello::perft::{self, Convention};
use proptest::prelude::*;

/// Checks the record and the last position of a random game.
fn check_random_game(game: &dyn AnyGame, seed: u64, plies: usize) {
    let game = game.random_game(seed, plies);
    check_position(game.position(), seed);
    check_record(game);
}

/// Checks the display of a position: arranging the same pieces gives the same position, and moves
/// change the points that they name.
fn check_display(position: &AnyPosition) {
    let game = position.game();
    let layout = game.layout();
    let points = 0..layout.points.len();
    for (number, point) in layout.points.iter().enumerate() {
        assert!(point.row < layout.rows && point.column < layout.columns);
        assert_eq!(layout.point_at(point.row, point.column), Some(number));
        assert_eq!(layout.point_named(&point.name.to_uppercase()), Some(number));
    }
    assert!(layout.lines.iter().all(|&(a, b)| a != b && points.contains(&a) && points.contains(&b)));
    assert!([layout.points.len(), 64, 1000].iter().all(|&beyond| position.piece_at(beyond).is_none()));
    let pieces: Vec<_> = points.clone().map(|point| position.piece_at(point)).collect();
    let in_hand = Color::ALL.map(|color| position.in_hand(color).unwrap_or_default());
    let arranged = game.arrange(&pieces, in_hand, position.side_to_move()).expect("the position is valid");
    let again: Vec<_> = points.clone().map(|point| arranged.piece_at(point)).collect();
    assert_eq!((again, arranged.side_to_move()), (pieces, position.side_to_move()));
    assert!(game.arrange(&[Some(Color::Black); 100], in_hand, Color::White).is_err());
    for m in position.legal_moves() {
        let (path, next, side) = (m.path(), position.after(m), position.side_to_move());
        assert_eq!(path.to.is_none(), m.is_pass(), "{m}");
        if let Some(to) = path.to {
            assert_eq!((position.piece_at(to), next.piece_at(to)), (None, Some(side)), "{m} in {position}");
        }
        if let Some(from) = path.from {
            assert_eq!((position.piece_at(from), next.piece_at(from)), (Some(side), None), "{m} in {position}");
        }
        if let Some(captured) = path.captured {
            assert_eq!(
                (position.piece_at(captured), next.piece_at(captured)),
                (Some(!side), None),
                "{m} in {position}"
            );
        }
    }
    let paths: HashSet<_> = position.legal_moves().map(AnyMove::path).collect();
    assert_eq!(paths.len(), position.count_moves(), "the points identify a move");
}

fn check_position(position: &AnyPosition, seed: u64) {
    let game = position.game();
    let moves: Vec<AnyMove> = position.legal_moves().collect();
    assert_eq!(position.count_moves(), moves.len(), "{position}");
    assert_eq!(position.is_over(), moves.is_empty());
    assert_eq!(position.outcome().is_some(), moves.is_empty());
    assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len(), "each move once in {position}");
    assert_eq!(moves.iter().map(|&m| m.into()).collect::<HashSet<u16>>().len(), moves.len(), "codes are injective");

    // Text.
    assert_eq!(game.parse_position(&position.to_string()).ok(), Some(*position), "{position}");
    let text = position.to_string();
    let format =
        game.formats().iter().find(|format| (format.detect)(&text)).expect("a format detects the game's own text");
    let record = (format.parse)(&text).expect("the format reads the game's own text");
    assert!(matches!(record, ParsedRecord::Position(entry) if entry.position == *position), "{position}");
    for &m in &moves {
        assert_eq!(position.parse_move(&m.to_string()), Ok(m));
        assert_eq!(position.parse_move(&m.to_string().to_uppercase()), Ok(m));
    }
    assert!(position.parse_move("z99").is_err());

    check_display(position);

    // Play.
    for &m in &moves {
        let next = position.play(m).expect("the move is legal");
        assert_eq!(next, position.after(m));
        assert!(position.is_legal(m), "{m} in {position}");
        assert_eq!(next.side_to_move(), !position.side_to_move(), "every move passes the turn");
        assert_ne!(next.key(), position.key());
        // Most of the opponent's moves are illegal for the side to move.
        for m in next.legal_moves().filter(|m| !moves.contains(m)).take(3) {
            let error = position.play(m).expect_err("the move is illegal");
            assert_eq!(error, IllegalMove { text: m.to_string(), m: Some(m), position: *position });
        }
    }
    if game.info().scoring == Scoring::Distance && position.is_over() {
        assert!(position.final_score().abs() <= 1);
    }

    // Symmetries.
    assert_eq!(position.transform(0), *position);
    for k in 0..game.info().symmetries {
        let image = position.transform(k);
        assert_eq!(image.canonical(), position.canonical(), "symmetry {k} of {position}");
        assert_eq!(game.parse_position(&image.to_string()).ok(), Some(image));
        let mapped: HashSet<AnyMove> = moves.iter().map(|&m| m.transform(k)).collect();
        assert_eq!(mapped, image.legal_moves().collect(), "symmetry {k} of {position}");
        for &m in &moves {
            assert_eq!(image.after(m.transform(k)), position.after(m).transform(k), "{m} in {position}");
        }
        if position.is_over() {
            assert_eq!(image.final_score(), position.final_score());
        }
        assert!((0..game.info().symmetries).any(|j| image.transform(j) == *position), "symmetry {k} has an inverse");
    }

    // Counting.
    let convention = Convention::ALL[seed as usize % 3];
    let perft = games::perft(game.name()).expect("the game is registered");
    assert_eq!(perft.count(position, 0, convention), 1);
    let plain = naive_perft(position, 2, convention);
    assert_eq!(perft.count(position, 2, convention), plain, "{convention} in {position}");
    let image = position.transform(seed as usize % game.info().symmetries);
    assert_eq!(perft.count(&image, 2, convention), plain);
}

/// The definition of perft.
fn naive_perft(position: &AnyPosition, depth: u32, convention: Convention) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.is_over() {
        return u64::from(convention != Convention::PassesCount);
    }
    let cost = |m: AnyMove| u32::from(convention != Convention::FreePass || !m.is_pass());
    position.legal_moves().map(|m| naive_perft(&position.after(m), depth - cost(m), convention)).sum()
}

fn check_record(mut game: Game) {
    // No position from before an irreversible move recurs.
    let mut position = *game.start();
    let mut gone: HashSet<AnyPosition> = HashSet::new();
    let mut seen = vec![position];
    for &m in game.moves() {
        if position.is_irreversible(m) {
            gone.extend(seen.drain(..));
        }
        position = position.after(m);
        seen.push(position);
        assert!(!gone.contains(&position), "{position} recurred after an irreversible move");
    }
    assert_eq!(position, *game.position());
    assert_eq!(game.repeatable_positions(), seen);
    if let Some(end) = game.end() {
        let m = game.moves().last().copied();
        if let Some(m) = m {
            assert!(game.play(m).is_err(), "the game ended by {:?}", end.reason);
        }
    }
    // Undoing all moves restores the start, and replaying them the end.
    let (moves, last) = (game.moves().to_vec(), *game.position());
    let mut undone = Vec::new();
    while let Some(m) = game.undo() {
        undone.push(m);
    }
    assert_eq!((*game.position(), game.halfmove_clock()), (*game.start(), 0));
    undone.reverse();
    assert_eq!(undone, moves);
    undone.into_iter().for_each(|m| game.play(m).expect("the move is legal"));
    assert_eq!(*game.position(), last);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_position_satisfies_the_contract(
        game in prop::sample::select(games::all()),
        seed: u64,
        plies in 0usize..90,
    ) {
        check_random_game(game, seed, plies);
    }
}

/// Plays a random game to its end with additional draw rules. Returns why it ended.
fn play_to_end(game: &dyn AnyGame, seed: u64) -> GameEndReason {
    let draw_rules = DrawRules { repetition: Some(3), no_progress: Some(100), ply_cap: Some(400) };
    let mut game = Game::with_draw_rules(game.start(), draw_rules);
    let mut numbers = RandomNumbers::new(seed);
    loop {
        if let Some(end) = game.end() {
            assert!(game.moves().len() <= 400);
            assert_eq!(end.reason == GameEndReason::Rules, game.position().is_over());
            return end.reason;
        }
        let moves: Vec<AnyMove> = game.position().legal_moves().collect();
        game.play(moves[numbers.below(moves.len())]).expect("the move is legal");
    }
}

#[test]
fn random_games_end() {
    for &game in games::all() {
        let reasons: HashSet<GameEndReason> = (0..30).map(|seed| play_to_end(game, seed)).collect();
        assert!(reasons.contains(&GameEndReason::Rules), "{}: {reasons:?}", game.name());
    }
}

/// Checks that all symmetries are distinct. Returns their number.
fn check_symmetries(game: &dyn AnyGame) -> usize {
    let images = |seed| {
        let position = *game.random_game(seed, 5).position();
        (0..game.info().symmetries).map(|k| position.transform(k)).collect::<HashSet<AnyPosition>>().len()
    };
    assert_eq!((0..20).map(images).max(), Some(game.info().symmetries), "the symmetries must be distinct");
    game.info().symmetries
}

#[test]
fn symmetry_groups_have_the_expected_order() {
    for &game in games::all() {
        let (name, order) = (game.name(), check_symmetries(game));
        // A square has eight symmetries; on boards of nested squares without a center, the outer and
        // the inner one can be exchanged, too.
        let expected = match name {
            "three-mens-morris" | "seven-mens-morris" => Some(8),
            _ if name.starts_with("othello") => Some(8),
            _ if name.contains("morris") || name.contains("morabaraba") => Some(16),
            _ => None,
        };
        assert!(expected.is_none_or(|expected| order == expected), "{name} has {order} symmetries");
    }
}

/// Checks that searches with all kinds of limits respect them and report legal lines.
fn check_searches(any: &dyn AnyGame, seed: u64) {
    let game = any.random_game(seed, 12 + 7 * seed as usize);
    // A small table, so that entries are replaced, whose size is not a power of two.
    let options = EngineOptions::new(77_777);
    let mut searcher = any.searcher(&options).unwrap();
    let mut fork = searcher.fork();
    let time = std::time::Duration::from_millis(20);
    let searches = [
        Limits::depth(3),
        Limits::depth(1).with_lines(0),
        Limits::depth(3).with_lines(3),
        Limits::depth(2).with_lines(usize::MAX),
        Limits::nodes(2000),
        Limits::exact().with_nodes(2000).with_lines(2),
        Limits::window(-1, 1).with_nodes(2000).with_lines(usize::MAX),
        Limits::time(time),
        Limits::exact().with_time(time).with_lines(4),
    ];
    for limits in searches {
        let report = searcher.best(&game, &limits);
        assert_eq!(report.best_move().is_none(), game.end().is_some(), "{}", game.position());
        assert!(limits.nodes.is_none_or(|nodes| report.nodes <= nodes));
        for line in &report.lines {
            line.pv.iter().fold(*game.position(), |p, &m| p.play(m).expect("the line is legal"));
        }
        let first_moves: HashSet<_> = report.lines.iter().map(|line| line.pv.first()).collect();
        let moves = if game.end().is_some() { 0 } else { game.position().count_moves() };
        assert_eq!(report.lines.len(), limits.lines.clamp(1, moves.max(1)), "the number of lines");
        assert_eq!(first_moves.len(), report.lines.len(), "each line has another first move");
        assert!(report.lines.is_sorted_by_key(|line| -line.score.thousandths), "{:?}", report.lines);
        let best = report.best().score;
        assert!(best.is_exact() || game.end().is_none());
        if best.is_exact() {
            assert_eq!(report.bounds, Bounds::exact(best.thousandths / Score::POINT));
        }
    }
    let cancel = Cancel::new();
    cancel.cancel();
    let report = fork.search(&game, &Limits::depth(30), &cancel, &mut |_| ());
    assert_eq!(report.best_move().is_none(), game.end().is_some());
    assert!(report.depth == 0 || report.best().score.is_exact(), "cancelled at once: only results from the table");
    let limits = Limits::nodes(20_000);
    let first = any.searcher(&options).unwrap().best(&game, &limits);
    for _ in 0..3 {
        searcher.clear();
        let again = searcher.best(&game, &limits);
        assert_eq!((first.best(), first.nodes), (again.best(), again.nodes), "a cleared searcher is like a new one");
    }
}

#[test]
fn every_searcher_respects_its_limits_and_plays_legal_moves() {
    for &game in games::all() {
        (0..8).for_each(|seed| check_searches(game, seed));
    }
}

/// Compares parallel counts, with and without merging, with the plain count.
fn check_counts(game: &dyn AnyGame, seed: u64) {
    let position = *game.random_game(seed, 10).position();
    let perft = games::perft(game.name()).expect("the game is registered");
    for convention in Convention::ALL {
        for depth in 1..=5 {
            let plain = perft.count(&position, depth, convention);
            if plain > 2_000_000 {
                break;
            }
            for bytes in [0, 1 << 16] {
                let divided = perft
                    .divide_with(&position, depth, convention, bytes, &Cancel::new(), &|_, _| ())
                    .expect("the count is not cancelled");
                let ended = divided.is_empty().then(|| perft::ended(depth, convention));
                let sum = ended.unwrap_or_else(|| perft::total(&divided));
                assert_eq!(sum, plain, "depth {depth}, {convention}, {position}");
            }
        }
    }
}

#[test]
fn parallel_and_merged_counts_equal_the_plain_count() {
    for &game in games::all() {
        (0..3).for_each(|seed| check_counts(game, seed));
    }
}
