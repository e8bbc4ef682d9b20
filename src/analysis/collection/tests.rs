//! Compares searches and trees with slow, simple counts, and tests the filters.

use morello_core::game::{
    AnnotatedGame, AnyGame, AnyMove, AnyPosition, Color, Game, Position as _, RandomNumbers, Tags,
};
use morello_core::games;

use super::*;

/// Plays random games, each under a random symmetry of the board.
fn random_games(game: &dyn AnyGame, count: u64, plies: usize) -> Vec<AnnotatedGame> {
    let mut numbers = RandomNumbers::new(count);
    let turned = |seed| {
        let original = game.random_game(seed, plies);
        let k = numbers.below(game.info().symmetries);
        let mut image = Game::new(original.start().transform(k));
        original.moves().iter().for_each(|m| image.play(m.transform(k)).expect("the image of a legal move is legal"));
        let tags = Tags { date: Some((1990 + seed % 30).to_string()), ..Tags::default() };
        AnnotatedGame { tags, ..AnnotatedGame::from(image) }
    };
    (0..count).map(turned).collect()
}

fn tree_of(games: &[AnnotatedGame], root: AnyPosition, depth: usize) -> MoveTree {
    let (mut tree, finder) = (MoveTree::new(root), PathFinder::new(&root, depth));
    games.iter().filter_map(|game| finder.find(game)).for_each(|path| tree.add(&path));
    tree
}

/// Returns the plies of a game that belong to a tree: those up to `depth` plies after the root.
fn slow_plies(game: &Game, root: &AnyPosition, depth: usize) -> Vec<usize> {
    let is_root = |ply: usize| game.positions()[ply].canonical() == root.canonical();
    (0..game.positions().len()).filter(|&ply| (ply.saturating_sub(depth - 1)..=ply).any(is_root)).collect()
}

/// Counts the games in which a move or an image of it was played: games, wins, draws, losses,
/// points, last year.
fn slow_count(
    games: &[AnnotatedGame],
    root: &AnyPosition,
    depth: usize,
    before: &AnyPosition,
    m: AnyMove,
) -> (Results, Option<u32>) {
    let (mut results, mut last_year) = (Results::default(), None);
    for annotated in games {
        let game = &annotated.game;
        let has_image = |ply: usize| {
            let (position, played) = (&game.positions()[ply], game.moves().get(ply));
            (0..root.game().info().symmetries)
                .any(|k| position.transform(k) == *before && played.map(|played| played.transform(k)) == Some(m))
        };
        if slow_plies(game, root, depth).into_iter().any(has_image) {
            results.add(SideResult::of_points(game.points(before.side_to_move()).map(f64::from)));
            last_year = last_year.max(annotated.tags.year());
        }
    }
    (results, last_year)
}

#[test]
fn finds_positions_like_a_comparison_of_canonical_positions() {
    for name in ["othello", "othello-4x4", "nine-mens-morris", "three-mens-morris"] {
        let game = games::get(name).unwrap();
        let all = random_games(game, 60, 40);
        let mut found = 0;
        for (number, ply) in (0..60).zip([0, 1, 2, 3, 5, 8, 13].into_iter().cycle()) {
            let source = &all[number].game;
            let position = source.positions()[ply.min(source.moves().len())].transform(number % game.info().symmetries);
            let pattern = PositionPattern::new(&position);
            for annotated in &all {
                let positions = annotated.game.positions().iter().enumerate();
                let slow = positions.filter(|(_, other)| other.canonical() == position.canonical()).map(|(ply, _)| ply);
                let slow: Vec<_> = slow.collect();
                found += slow.len();
                assert_eq!(pattern.plies(&annotated.game).collect::<Vec<_>>(), slow, "{name}: {position}");
            }
        }
        assert!(found > 600, "{name}: {found}");
    }
}

#[test]
fn a_tree_counts_like_a_search_for_each_move() {
    for (name, plies, depth) in
        [("othello", 60, 4), ("othello-4x4", 20, 5), ("nine-mens-morris", 30, 3), ("three-mens-morris", 40, 4)]
    {
        let game = games::get(name).unwrap();
        let all = random_games(game, 120, plies);
        let later = all[0].game.positions()[2].transform(game.info().symmetries - 1);
        for root in [game.start(), later] {
            let tree = tree_of(&all, root, depth);
            let reached = all.iter().filter(|game| !slow_plies(&game.game, &root, depth).is_empty()).count();
            assert_eq!(tree.games(), reached as u64, "{name}");
            let rows = tree.rows(depth, 1).unwrap();
            assert!(rows.iter().any(|row| row.moves.len() == depth), "{name}");
            for row in rows.iter().filter(|row| row.moves.len() == 1 || row.results.games > 1) {
                let (m, line) = row.moves.split_last().unwrap();
                let before = line.iter().fold(root, |position, &m| position.after(m));
                let slow = slow_count(&all, &root, depth, &before, *m);
                assert_eq!((row.results, row.last_year), slow, "{name}: {:?}", row.moves);
                assert_eq!((row.side, row.position), (before.side_to_move(), before.after(*m)));
            }
            // No move is counted twice, and no move is missing.
            let first: u64 = rows.iter().filter(|row| row.moves.len() == 1).map(|row| row.results.games).sum();
            let continued = |annotated: &&AnnotatedGame| {
                slow_plies(&annotated.game, &root, 1).iter().any(|&ply| ply < annotated.game.moves().len())
            };
            if !game.info().cyclic {
                assert_eq!(first, all.iter().filter(continued).count() as u64, "{name}");
            }
        }
    }
}

#[test]
fn equivalent_moves_are_one_move_shown_as_played_most() {
    let othello = games::get("othello").unwrap();
    let game = |text: &str| AnnotatedGame::from(morello_files::input::read_text(othello, text).unwrap().game.game);
    let games = ["f5d6c3", "f5d6c3", "d3c5", "c4", "e6f4"].map(game);
    let tree = tree_of(&games, othello.start(), 2);
    let rows = tree.rows(2, 1).unwrap();
    let shown: Vec<_> = rows.iter().map(|row| (format!("{:?}", row.moves), row.results.games, row.share)).collect();
    assert_eq!(shown, [("[f5]".to_owned(), 5, 100.0), ("[f5, d6]".to_owned(), 4, 80.0)]);
    assert_eq!(tree.rows(2, 5).unwrap().len(), 1);
    // f5 and d6 are played in the four games with this position under one of its symmetries.
    let root = morello_files::input::read_position(othello, "d3c5").unwrap();
    let rows = tree_of(&games, root, 1).rows(1, 1).unwrap();
    assert_eq!((rows.len(), rows[0].results.games, rows[0].share), (1, 2, 50.0));
}

#[test]
fn filters_by_every_criterion() {
    let othello = games::get("othello").unwrap();
    let read = |text: &str| morello_files::input::read_text(othello, text).unwrap().game.game;
    let mut game = AnnotatedGame::with_names(read("f5d6c3d3c4"), ["Anna Smith", "Bob"]);
    game.tags.tournament = Some("Cup of Rome".to_owned());
    game.tags.date = Some("2003-12-15".to_owned());
    game.tags.ratings = [Some(1800.0), Some(1500.5)];
    game.tags.result = Some(morello_core::game::GameResult { points: -4.0 });
    let name = |text: &str| vec![text.parse::<NamePattern>().unwrap()];
    let matches = |set: &dyn Fn(&mut GameFilter)| {
        let mut filter = GameFilter::default();
        set(&mut filter);
        filter.matches(&game)
    };
    assert!(matches(&|_| ()));
    for (text, expected) in
        [("smith", true), ("ANNA s", true), ("=anna smith", true), ("=smith", false), ("carla", false)]
    {
        assert_eq!(matches(&|filter| filter.players = name(text)), expected, "{text}");
        assert_eq!(matches(&|filter| filter.black = name(text)), expected, "{text}");
        assert!(!matches(&|filter| filter.white = name(text)), "{text}");
        let against = |players: &str, opponents: &str| {
            matches(&|filter| (filter.players, filter.opponents) = (name(players), name(opponents)))
        };
        assert_eq!((against("bob", text), against(text, "bob")), (expected, expected), "{text}");
        assert!(!against(text, text), "{text}");
    }
    assert!(matches(&|filter| filter.players = [name("carla"), name("bob")].concat()));
    assert!(matches(&|filter| filter.events = name("rome")) && !matches(&|filter| filter.events = name("paris")));
    assert!(matches(&|filter| filter.years = vec![2003..=2004]) && !matches(&|filter| filter.years = vec![0..=2002]));
    assert!(
        matches(&|filter| filter.ratings = vec![1500..=1800]) && !matches(&|filter| filter.ratings = vec![1501..=1800])
    );
    assert!(matches(&|filter| filter.plies = vec![5..=5]) && !matches(&|filter| filter.plies = vec![6..=60]));
    assert!(matches(&|filter| filter.years = vec![1990..=1990, 2003..=2004]));
    assert!(matches(&|filter| filter.ratings = vec![0..=1, 1500..=1800]));
    assert!(
        matches(&|filter| filter.plies = vec![6..=60, 1..=5]) && !matches(&|filter| filter.plies = vec![6..=7, 1..=4])
    );
    for (results, expected) in [(["draw", "white"], true), (["draw", "black"], false), (["2..4", "-4"], true)] {
        let results = results.map(|text| text.parse::<ResultFilter>().unwrap());
        assert_eq!(matches(&|filter| filter.results = results.to_vec()), expected, "{results:?}");
    }
    for (text, expected) in [
        ("white", true),
        ("black", false),
        ("draw", false),
        ("-4", true),
        ("-10..-2", true),
        ("..0", true),
        ("0..", false),
    ] {
        assert_eq!(matches(&|filter| filter.results = vec![text.parse().unwrap()]), expected, "{text}");
    }
    for (player, text, expected) in
        [("anna", "loss", true), ("anna", "win", false), ("bob", "win", true), ("bob", "loss", false)]
    {
        let set =
            |filter: &mut GameFilter| (filter.players, filter.results) = (name(player), vec![text.parse().unwrap()]);
        assert_eq!(matches(&set), expected, "{player} {text}");
    }
    assert_eq!("5..-2".parse::<ResultFilter>(), Err(ResultFilterError::Reversed(5, -2)));
    for text in ["", "..", "blue", "1...2"] {
        assert_eq!(text.parse::<ResultFilter>(), Err(ResultFilterError::Unknown), "{text}");
    }
    assert_eq!(" = ".parse::<NamePattern>(), Err(NamePatternError));
    // An opening is compared under every symmetry but with its moves in order; a position may be
    // reached by any order of moves.
    for (text, opening, position) in [
        ("f5d6c3d3c4", true, true),
        ("d3c5f6f5e6", true, true),
        ("start", true, true),
        ("f5d6", true, true),
        ("c4c3d3c5b4", false, false),
        ("f5f6", false, false),
        ("f5d6c4d3c3", false, true),
    ] {
        assert_eq!(matches(&|filter| filter.openings = vec![OpeningPattern::new(&read(text))]), opening, "{text}");
        assert_eq!(
            matches(&|filter| filter.positions = vec![PositionPattern::new(read(text).position())]),
            position,
            "{text}"
        );
    }
    let unknown = AnnotatedGame::from(read("f5d6"));
    for set in [
        &(|filter: &mut GameFilter| filter.players = name("a")) as &dyn Fn(&mut GameFilter),
        &|filter| filter.years = vec![0..=u32::MAX],
        &|filter| filter.ratings = vec![0..=u32::MAX],
        &|filter| filter.results = vec![ResultFilter::Draw],
    ] {
        let mut filter = GameFilter::default();
        set(&mut filter);
        assert!(!filter.matches(&unknown), "a game without this datum does not match");
    }
}

#[test]
fn players_have_results_of_both_colors() {
    let start = games::get("othello").unwrap().start();
    let mut table = PlayerTable::default();
    for (names, points, year) in
        [(["a", "b"], Some(10.0), "2001"), (["b", "a"], Some(0.0), "1999"), (["a", "c"], None, "?")]
    {
        let mut game = AnnotatedGame::with_names(Game::new(start), names);
        game.tags.result = points.map(|points| morello_core::game::GameResult { points });
        game.tags.date = Some(year.to_owned());
        table.add(PlayedGame::new(game, [true, true]));
    }
    let rows = table.clone().rows(1);
    assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    let results = rows[0].results();
    assert_eq!((results.games, results.known.wins, results.known.draws, results.known.losses), (3, 1, 1, 0));
    assert_eq!((results.score(), results.mean_points(), rows[0].years), (Some(75.0), Some(5.0), Some((1999, 2001))));
    assert_eq!((rows[1].sides[Color::White.index()].known.losses, rows[2].results().score()), (1, None));
    assert_eq!(table.rows(2).len(), 2);
}

#[test]
fn inputs_read_in_parallel_keep_their_order() {
    use morello_core::game::Cancel;
    use morello_files::input::{Input, InputFormat, Reader};
    let othello = games::get("othello-4x4").unwrap();
    let text = |seeds: std::ops::Range<u64>| {
        Input::Text(seeds.map(|seed| othello.write_moves(&othello.random_game(seed, 12)) + "\n").collect())
    };
    let inputs = vec![text(0..1000), text(1000..1003), Input::Text("nonsense\n".to_owned()), text(1003..1600)];
    let read = |threads| {
        let reader = Reader::open(othello, inputs.clone(), &InputFormat::default()).unwrap();
        let batches: Vec<_> = SelectedGames::new(reader, threads, &Cancel::new(), |record| {
            (record.number % 3 == 0).then(|| (record.number, othello_moves(&record.game)))
        })
        .collect();
        assert_eq!(batches.iter().map(|batch| batch.games).sum::<u64>(), 1600);
        assert_eq!(batches.iter().map(|batch| batch.invalid.len()).sum::<usize>(), 1);
        batches.into_iter().flat_map(|batch| batch.selected).collect::<Vec<_>>()
    };
    let all = read(1);
    assert_eq!(all.len(), 333 + 1 + 199);
    assert_eq!(all, read(4));
}

#[test]
fn few_inputs_are_read_ahead_of_a_stalled_one() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};

    use morello_core::game::Cancel;
    use morello_files::input::{Input, InputFormat, Reader};

    use super::selected_games::MAX_WAITING_BATCHES;
    const INPUTS: usize = 3 * MAX_WAITING_BATCHES;
    const THREADS: usize = 3;
    let othello = games::get("othello-4x4").unwrap();
    let game = othello.write_moves(&othello.random_game(1, 12)) + "\n";
    // The first input has two games and stalls until others have been read ahead.
    let inputs: Vec<_> = (0..INPUTS).map(|n| Input::Text(if n == 0 { game.repeat(2) } else { game.clone() })).collect();
    let reader = Reader::open(othello, inputs, &InputFormat::default()).unwrap();
    let ahead = Arc::new(AtomicUsize::new(0));
    let (release, stalled) = mpsc::channel::<()>();
    let (stalled, count) = (std::sync::Mutex::new(stalled), Arc::clone(&ahead));
    // Only the thread that reads the first input reaches its second game.
    let batches = SelectedGames::new(reader, THREADS, &Cancel::new(), move |record| {
        if record.number == 2 {
            stalled.lock().unwrap().recv().unwrap();
        } else {
            count.fetch_add(1, Ordering::SeqCst);
        }
        Some(record.number)
    });
    // The other threads stop, or have read all inputs.
    while batches.idle_threads() < THREADS - 1 && ahead.load(Ordering::SeqCst) < INPUTS {
        std::thread::yield_now();
    }
    assert!((MAX_WAITING_BATCHES..=MAX_WAITING_BATCHES + THREADS).contains(&ahead.load(Ordering::SeqCst)));
    release.send(()).unwrap();
    let numbers: Vec<_> = batches.flat_map(|batch| batch.selected).collect();
    assert_eq!((numbers.len(), &numbers[..3]), (INPUTS + 1, &[1, 2, 1][..]));
}

fn othello_moves(game: &AnnotatedGame) -> String {
    game.game.start().game().write_moves(&game.game)
}

#[test]
fn a_tree_of_games_with_repetitions_ends() {
    let game = games::get("three-mens-morris").unwrap();
    let games: Vec<_> = (0..40).map(|seed| AnnotatedGame::from(game.random_game(seed, 60))).collect();
    // A line ends when it returns to one of its positions.
    let repeats = |game: &&AnnotatedGame| {
        let positions = game.game.positions();
        (1..positions.len()).any(|ply| positions[..ply].iter().any(|p| p.canonical() == positions[ply].canonical()))
    };
    let one = games.iter().find(repeats).expect("a random game repeats a position").clone();
    let rows = tree_of(&[one], game.start(), 1000).rows(1000, 1).unwrap();
    let returns = |row: &&TreeRow| {
        let mut position = game.start();
        let mut seen = vec![position.canonical()];
        row.moves.iter().any(|&m| {
            position = position.after(m);
            seen.push(position.canonical());
            seen[..seen.len() - 1].contains(&position.canonical())
        })
    };
    let returning: Vec<_> = rows.iter().filter(returns).collect();
    assert!(!returning.is_empty() && returning.len() < rows.len());
    let continues = |line: &TreeRow| {
        rows.iter().any(|row| row.moves.len() > line.moves.len() && row.moves.starts_with(&line.moves))
    };
    assert!(returning.iter().all(|row| !continues(row)));
    assert_eq!(tree_of(&games, game.start(), 1000).rows(1000, 1).err(), Some(TooManyRows));
}
