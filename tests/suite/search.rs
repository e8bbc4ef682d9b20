//! The generic search against a plain negamax search on every game, and its limits, bounds and
//! draws.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use morello::game::{
    Cancel, Certainty, Confidence, DrawRules, Engine, EngineOptions, EvaluationKind, Evaluator, Game, GameEndReason,
    GameRules, Limits, Playable, Position, Report, Score, Scoring, Searcher, random_game,
};
use morello::morris::engine::MillEvaluation;
use morello::othello::{self, engine};
use morello::search::{AlphaBeta, Selectivity};
use morello::{games, morris, with_game};

pub(super) const WIN: i32 = 1_000_000;

/// Absurd margins that prune important moves.
pub(super) const RECKLESS: Selectivity =
    Selectivity { futility_margin: 5, futility_depth: 4, reverse_futility_margin: 5, reverse_futility_depth: 4 };

/// A pseudo-random evaluation derived from the key, which stresses the search more than a smooth
/// evaluation.
#[derive(Clone)]
struct RandomEvaluation;

impl<P: GameRules> Evaluator<P> for RandomEvaluation {
    fn evaluate(&self, position: &P) -> i32 {
        (position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as i32 % 997
    }

    fn score_move(&self, _position: &P, m: P::Move, _next: &P) -> i32 {
        let code: u16 = m.into();
        i32::from(code.wrapping_mul(0x9e37) >> 8)
    }
}

/// Plain negamax to a fixed depth, without a table. A repetition on the path is a draw. The path
/// begins `first` plies after the root.
fn negamax<P: GameRules>(path: &mut Vec<P>, first: i32, halfmove_clock: u32, depth: u32) -> i32 {
    let position = *path.last().expect("the path is not empty");
    let ply = first + path.len() as i32 - 1;
    if position.is_over() {
        return match P::INFO.scoring {
            Scoring::Margin => position.final_score() * Score::POINT,
            Scoring::Distance => position.final_score() * (WIN - ply),
        };
    }
    let no_progress = position.no_progress_limit().is_some_and(|limit| halfmove_clock >= limit);
    if ply > 0 && (no_progress || path[..path.len() - 1].contains(&position)) {
        return 0;
    }
    if depth == 0 {
        return RandomEvaluation.evaluate(&position);
    }
    let mut best = -WIN;
    for m in position.legal_moves() {
        path.push(position.after(m));
        let clock = if position.is_irreversible(m) { 0 } else { halfmove_clock + 1 };
        best = best.max(-negamax(path, first, clock, depth - 1));
        path.pop();
    }
    best
}

pub(super) fn search<P: GameRules>(searcher: &mut dyn Searcher<P>, game: &Game<P>, limits: Limits) -> Report<P> {
    searcher.best(game, &limits)
}

fn equals_negamax<P: Playable>(seed: u64) {
    // All positions share one table: entries of other positions must do no harm.
    let mut searcher = AlphaBeta::new(RandomEvaluation, 1 << 14).only_equal_depths();
    for plies in [0, 8, 16, 20, 30, 45, 60, 80] {
        let start = *random_game::<P>(seed, plies).position();
        let game = Game::new(start);
        let Some(depth) =
            (1..=5).rev().find(|&depth| morello::perft::count(&start, depth, Default::default()) < 40_000)
        else {
            continue;
        };
        let report = search(&mut searcher, &game, Limits::depth(depth));
        if game.end().is_some() {
            continue;
        }
        let expected = negamax(&mut vec![start], 0, 0, depth);
        let score = report.best().score;
        match score.plies {
            Some(plies) => assert_eq!(score.thousandths.signum() * (WIN - plies as i32), expected, "{start}"),
            None => assert_eq!(score.thousandths, expected, "depth {depth} of {start}"),
        }
        assert!(report.best().pv.len() as u32 <= depth);
        report.best().pv.iter().fold(start, |p, &m| p.play(m).expect("the line is legal"));
    }
}

#[test]
fn equals_plain_negamax_in_every_game() {
    for game in games::all() {
        let equals = with_game!(game.name(), P => equals_negamax::<P> as fn(u64)).expect("the game is registered");
        (0..12).for_each(equals);
    }
}

/// Returns the number of lines compared.
fn lines_equal_negamax<P: Playable>(seed: u64) -> usize {
    let mut searcher = AlphaBeta::new(RandomEvaluation, 1 << 14).only_equal_depths();
    let mut compared = 0;
    for plies in [0, 10, 20, 40] {
        let start = *random_game::<P>(seed, plies).position();
        let game = Game::new(start);
        let depth = (1..=4).rev().find(|&depth| morello::perft::count(&start, depth, Default::default()) < 10_000);
        let Some(depth) = depth.filter(|_| game.end().is_none()) else { continue };
        let after = |m| {
            // With several lines, a return to the root is not a draw.
            let halfmove_clock = u32::from(!start.is_irreversible(m));
            -negamax(&mut vec![start.after(m)], 1, halfmove_clock, depth - 1)
        };
        let mut expected: Vec<i32> = start.legal_moves().map(after).collect();
        expected.sort_unstable_by_key(|&value| std::cmp::Reverse(value));
        for lines in [3, usize::MAX] {
            let report = search(&mut searcher, &game, Limits::depth(depth).with_lines(lines));
            for (line, &expected) in report.lines.iter().zip(&expected) {
                // The search may stop before this depth if it has proved all scores.
                let value = match line.score.plies {
                    Some(plies) => line.score.thousandths.signum() * (WIN - plies as i32),
                    None => line.score.thousandths,
                };
                assert_eq!(value, expected, "depth {depth} of {start}: {:?}", report.lines);
                let m = line.pv[0];
                assert_eq!(after(m), expected, "{m} in {start}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn every_multi_pv_line_equals_plain_negamax_in_every_game() {
    for game in games::all() {
        let lines =
            with_game!(game.name(), P => lines_equal_negamax::<P> as fn(u64) -> usize).expect("the game is registered");
        let compared: usize = (0..4).map(lines).sum();
        assert!(compared > 20, "{compared} lines of {game:?}");
    }
}

#[test]
fn an_interrupted_solve_reports_only_true_bounds() {
    let mut exact = 0;
    for seed in 0..12 {
        let game = random_game::<othello::Position>(seed, 46);
        let mut solver = engine::Solver::new(1 << 18);
        let all = Limits::exact().with_lines(usize::MAX);
        let truth = solver.solution(game.position().board(), &all);
        let score = truth.score().expect("the solve is not limited");
        for (nodes, window, lines) in (0..36).map(|n| (20 << (n % 6 * 3), n / 6 % 2 == 0, 1 + n / 12)) {
            let goal = if window { Limits::window(-1, 1) } else { Limits::exact() };
            let limits = goal.with_nodes(nodes).with_lines(lines);
            let mut searcher = othello::Position::searcher(&EngineOptions::new(1 << 18)).unwrap();
            let mut reports = Vec::new();
            let report = searcher.search(&game, &limits, &Cancel::new(), &mut |report| reports.push(report.clone()));
            assert_eq!(reports.last(), Some(&report));
            for report in &reports {
                assert!(report.bounds.contains(score), "{score}: {report:?}");
                let best = report.best().score;
                let lowest = report.bounds.lower.map_or(f64::NEG_INFINITY, f64::from);
                let highest = report.bounds.upper.map_or(f64::INFINITY, f64::from);
                assert!((lowest..=highest).contains(&best.points()), "{report:?}");
                for line in &report.lines {
                    let first = line.pv[0];
                    let truth =
                        truth.moves.iter().find(|m| m.pv[0] == first).expect("the move is legal").lower * Score::POINT;
                    match line.score.certainty {
                        Certainty::Exact => assert_eq!(line.score.thousandths, truth, "{report:?}"),
                        Certainty::AtLeast => assert!(line.score.thousandths <= truth, "{report:?}"),
                        Certainty::AtMost => assert!(line.score.thousandths >= truth, "{report:?}"),
                        Certainty::Heuristic => {}
                    }
                }
                assert!(!best.is_exact() || best == Score::exact(score));
                exact += usize::from(best.is_exact());
            }
        }
    }
    assert!(exact > 0, "some limits suffice for a proof");
}

#[test]
fn searches_before_a_solve_are_reported_as_they_finish() {
    // Far too few nodes to solve the starting position.
    let limits = Limits::nodes(100_000).with_exact_from(60);
    for evaluation in EvaluationKind::ALL {
        let mut options = EngineOptions::new(1 << 20);
        options.evaluation = evaluation;
        let mut depths = Vec::new();
        let mut searcher = othello::Position::searcher(&options).unwrap();
        let game = Game::new(othello::Position::default());
        let report = searcher.search(&game, &limits, &Cancel::new(), &mut |report| depths.push(report.depth));
        assert!(depths[0] < report.depth, "{depths:?}");
    }
}

#[test]
fn a_full_depth_search_agrees_with_the_exact_solver() {
    for seed in 0..20 {
        let game = random_game::<othello::Position>(seed, 52);
        let report = search(&mut AlphaBeta::new(engine::HandcraftedEvaluation, 1 << 16), &game, Limits::exact());
        let mut solver = engine::Solver::new(1 << 16);
        let solution = solver.solution(game.position().board(), &Limits::exact());
        let score = solution.score().expect("the solve is not limited");
        assert_eq!(report.best().score, Score::exact(score), "{}", game.position());
    }
}

#[test]
fn a_search_with_enough_nodes_proves_the_score() {
    let game = random_game::<othello::Position>(1, 43);
    assert!(game.position().board().empty_count() > 14, "otherwise the search starts with the solver");
    let exact =
        search(&mut *othello::Position::searcher(&EngineOptions::new(1 << 20)).unwrap(), &game, Limits::exact());
    for (nodes, is_exact) in [(1000, false), (1 << 30, true)] {
        let limits = Limits::nodes(nodes);
        let report = search(&mut *othello::Position::searcher(&EngineOptions::new(1 << 20)).unwrap(), &game, limits);
        assert_eq!(report.best().score.is_exact(), is_exact, "{report:?}");
        if is_exact {
            assert_eq!((report.best().score, report.bounds), (exact.best().score, exact.bounds));
            assert_eq!(report.best().pv.len(), exact.best().pv.len(), "both lines continue to the end");
        }
    }
}

#[test]
fn a_limited_search_raises_the_confidence_as_the_limits_allow() {
    let game = random_game::<othello::Position>(2, 24);
    let search = |limits: Limits| {
        let mut reported = Vec::new();
        let mut searcher = othello::Position::searcher(&EngineOptions::new(1 << 20)).unwrap();
        let on_info =
            &mut |report: &Report<othello::Position>| reported.push((report.depth, report.confidence.percent()));
        let report = searcher.search(&game, &limits, &Cancel::new(), on_info);
        (reported, report)
    };
    for percent in [73, 95, 100] {
        let confidence = Confidence::from_percent(percent).expect("the level exists");
        let limits = Limits::default().with_confidence(confidence);
        let (reported, shallow) = search(limits.with_depth(5).with_nodes(2_000_000));
        assert_eq!(reported[..5], [1, 2, 3, 4, 5].map(|depth| (depth, 73)));
        assert_eq!((shallow.depth, shallow.confidence), (5, confidence));
        // Without a limit on the depth, the nodes are better spent on it.
        let (_, deep) = search(limits.with_nodes(200_000));
        assert!(deep.depth > 8 && deep.confidence == Confidence::LOWEST, "{deep:?}");
    }
}

#[test]
fn a_level_with_limits_is_searched_like_the_limits() {
    for (seed, plies) in [(2, 24), (3, 30), (4, 36), (5, 40), (6, 48)] {
        let game = random_game::<othello::Position>(seed, plies);
        let search = |limits: Limits| {
            let limits = limits.with_nodes(100_000);
            search(&mut *othello::Position::searcher(&EngineOptions::new(1 << 20)).unwrap(), &game, limits)
        };
        let (alone, level) = (search(Limits::default()), search(othello::Position::level(60)));
        assert_eq!((alone.lines, alone.depth, alone.confidence), (level.lines, level.depth, level.confidence));
    }
}

#[test]
fn a_forced_move_takes_little_of_the_time() {
    let forced = |seed| random_game::<othello::Position>(seed, 20);
    let game = (0..).map(forced).find(|game| game.position().count_moves() == 1).expect("some position has one move");
    let nodes = |limits: Limits| {
        search(&mut *othello::Position::searcher(&EngineOptions::new(1 << 20)).unwrap(), &game, limits).nodes
    };
    let limits = Limits::time(Duration::from_secs(1));
    let (whole, quick) = (nodes(limits), nodes(limits.for_move()));
    assert!(quick < whole / 4, "{quick} of {whole} nodes");
}

#[test]
fn multi_pv_scores_descend_even_when_a_search_is_interrupted() {
    for (seed, nodes) in (0..12).flat_map(|seed| [1, 3000, 30_000, 300_000].map(|nodes| (seed, nodes))) {
        let game = random_game::<othello::Position>(seed, 26);
        let limits = Limits::nodes(nodes).with_lines(5);
        let report = search(&mut *othello::Position::searcher(&EngineOptions::new(1 << 20)).unwrap(), &game, limits);
        assert!(report.lines.windows(2).all(|pair| pair[0].score.thousandths >= pair[1].score.thousandths));
        let mut moves: Vec<_> = report.lines.iter().map(|line| line.pv[0].to_string()).collect();
        assert_eq!(moves.len(), 5.min(game.position().count_moves()));
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), report.lines.len(), "each line has another first move");
    }
}

#[test]
fn exact_overrides_the_confidence() {
    let low = Confidence::LOWEST;
    let game = random_game::<othello::Position>(3, 44);
    let limits = Limits::exact().with_confidence(low).with_depth(30);
    assert!(
        search(&mut *othello::Position::searcher(&EngineOptions::new(1 << 20)).unwrap(), &game, limits)
            .best()
            .score
            .is_exact()
    );
    // The search of the small boards is not selective.
    type Small = othello::SizedPosition<6>;
    let game = random_game::<Small>(1, 20);
    let limits = Limits::depth(36).with_confidence(low);
    assert!(
        search(&mut *Small::searcher(&EngineOptions::new(1 << 20)).unwrap(), &game, limits).best().score.is_exact()
    );
}

#[test]
fn levels_match_the_documentation() {
    let level = |number| {
        let limits = othello::Position::level(number);
        (limits.depth, limits.exact_from, limits.confidence.map(Confidence::percent))
    };
    assert_eq!(level(1), (Some(1), Some(2), Some(73)));
    assert_eq!(level(10), (Some(10), Some(20), Some(73)));
    assert_eq!(level(20), (Some(20), Some(25), Some(73)));
    assert_eq!(level(30), (Some(30), Some(28), Some(73)));
    assert_eq!(level(31), (Some(31), Some(29), Some(87)));
    assert_eq!(level(41), (Some(41), Some(39), Some(95)));
    assert_eq!(level(60), (Some(60), Some(60), Some(98)));
    assert_eq!(othello::SizedPosition::<6>::level(28), Limits::depth(28));
}

#[test]
fn reports_the_last_completed_depth() {
    let mut searcher = AlphaBeta::new(engine::HandcraftedEvaluation, 1 << 16);
    let game = Game::new(othello::Position::default());
    for nodes in [0, 1, 5, 100, 5000] {
        let mut last = 0;
        let limits = Limits::nodes(nodes);
        let report = searcher.search(&game, &limits, &Cancel::new(), &mut |info| last = info.depth);
        assert!(report.nodes <= nodes);
        assert_eq!(report.depth, last);
    }
    let limits = Limits::time(Duration::from_millis(50));
    let report = search(&mut searcher, &game, limits);
    assert!(report.depth > 0 && !report.best().score.is_exact());
}

#[test]
fn a_ply_cap_draw_does_not_leak_into_other_games() {
    let draw_rules = DrawRules { ply_cap: Some(2), ..DrawRules::default() };
    let mut searcher = AlphaBeta::new(engine::HandcraftedEvaluation, 1 << 16);
    let capped = Game::with_draw_rules(othello::Position::default(), draw_rules);
    assert_eq!(search(&mut searcher, &capped, Limits::depth(4)).best().score, Score::exact(0));
    let free = Game::new(othello::Position::default());
    assert!(!search(&mut searcher, &free, Limits::depth(4)).best().score.is_exact());
}

type NineMensMorris = morris::Position<morris::NineMensMorris>;
type Morabaraba = morris::Position<morris::Morabaraba>;

/// White to move can close a mill, which leaves Black with two men.
const MILL_TO_CLOSE: &str = "0,0 a7,d7,g4 a1,b2,c3 W";

#[test]
fn finds_a_forced_win_with_its_distance() {
    let game = Game::new(MILL_TO_CLOSE.parse::<NineMensMorris>().expect("a position"));
    let report = search(&mut AlphaBeta::new(RandomEvaluation, 1 << 16), &game, Limits::depth(6));
    assert_eq!((report.best().score.thousandths, report.best().score.plies), (1000, Some(1)));
    assert_eq!(report.best_move().map(|m| m.to_string()[..5].to_owned()).as_deref(), Some("g4-g7"));
}

#[test]
fn a_repetition_draw_does_not_pollute_the_transposition_table() {
    // Both sides move a man back and forth.
    let start: NineMensMorris = "0,0 a7,d6,f4,c3 g7,b4,d2,e5 W".parse().expect("a position");
    let mut game = Game::with_draw_rules(start, DrawRules { repetition: Some(2), ..DrawRules::default() });
    for m in ["a7-a4", "g7-g4", "a4-a7"] {
        game.play(game.position().parse_move(m).expect("legal")).expect("the game is not over");
    }
    // Black to move; moving back repeats the start.
    let back = game.position().parse_move("g4-g7").expect("legal");
    let mut searcher = AlphaBeta::new(RandomEvaluation, 1 << 16).only_equal_depths();
    let with_history = search(&mut searcher, &game, Limits::depth(1));
    let without = search(&mut searcher, &Game::new(*game.position()), Limits::depth(1));
    let plain = negamax(&mut vec![*game.position()], 0, 0, 1);
    assert_eq!(without.best().score.thousandths, plain, "the draw of that game is not in the table");
    let expected = game
        .position()
        .legal_moves()
        .map(|m| if m == back { 0 } else { -negamax(&mut vec![game.position().after(m)], 0, 0, 0) })
        .max();
    assert_eq!(Some(with_history.best().score.thousandths), expected);
    game.play(back).expect("the game is not over");
    assert_eq!(game.end().map(|end| end.reason), Some(GameEndReason::Repetition));
    assert_eq!(search(&mut searcher, &game, Limits::depth(3)).best().score, Score::exact(0));
}

#[test]
fn the_search_foresees_the_ten_move_draw() {
    // With three cows each, the game is drawn after twenty plies without a capture.
    let start: Morabaraba = "0,0 a7,d6,f4 g7,b4,d2 W".parse().expect("a position");
    let mut game = Game::new(start);
    let mut searcher = AlphaBeta::new(RandomEvaluation, 1 << 16);
    while game.halfmove_clock() < 19 {
        let quiet = |m: &morris::Move<morris::Morabaraba>| {
            !game.position().is_irreversible(*m) && !game.position().after(*m).is_over()
        };
        let m = game.position().legal_moves().find(quiet).expect("there is a quiet move");
        game.play(m).expect("the game is not over");
    }
    let report = search(&mut searcher, &game, Limits::depth(8));
    assert!(report.best().score.is_exact(), "every line ends within a ply");
    assert!(matches!(report.best().score.thousandths, 0 | 1000));
    let m = game.position().legal_moves().find(|&m| !game.position().is_irreversible(m)).expect("a quiet move");
    game.play(m).expect("the game is not over");
    assert_eq!(game.end().map(|end| end.reason), Some(GameEndReason::NoProgress));
}

type ThreeMensMorris = morris::Position<morris::ThreeMensMorris>;

/// Solves all reachable positions by retrograde analysis. Returns for each decided position whether
/// the side to move wins, and the plies to the end under best play; the others are draws.
fn retrograde_analysis() -> HashMap<ThreeMensMorris, (bool, u32)> {
    let mut successors: HashMap<ThreeMensMorris, Vec<ThreeMensMorris>> = HashMap::new();
    let mut pending = vec![ThreeMensMorris::default()];
    while let Some(position) = pending.pop() {
        if let Entry::Vacant(entry) = successors.entry(position) {
            let after: Vec<_> = position.legal_moves().map(|m| position.after(m)).collect();
            pending.extend(&after);
            entry.insert(after);
        }
    }
    let ends = successors.keys().filter(|position| position.is_over());
    let mut values: HashMap<_, _> = ends.map(|&position| (position, (position.final_score() > 0, 0))).collect();
    for plies in 1.. {
        let decided: Vec<_> = successors
            .iter()
            .filter(|(position, _)| !values.contains_key(position))
            .filter_map(|(&position, successors)| {
                let wins = successors.iter().any(|next| values.get(next).is_some_and(|&(wins, _)| !wins));
                let loses = successors.iter().all(|next| values.get(next).is_some_and(|&(wins, _)| wins));
                (wins || loses).then_some((position, (wins, plies)))
            })
            .collect();
        if decided.is_empty() {
            break;
        }
        values.extend(decided);
    }
    successors.into_keys().filter_map(|position| values.get(&position).map(|&value| (position, value))).collect()
}

#[test]
fn proved_scores_equal_retrograde_analysis() {
    let values = retrograde_analysis();
    assert!(values.len() > 1000, "{} positions are decided", values.len());
    let mut positions: Vec<_> = values.keys().copied().collect();
    positions.extend(values.keys().flat_map(|p| p.legal_moves().map(|m| p.after(m))));
    positions.sort_unstable();
    positions.dedup();
    // The default search: all positions share one table, and deeper values are used.
    let mut searcher = ThreeMensMorris::searcher(&EngineOptions::new(1 << 16)).unwrap();
    let mut exact = 0;
    for position in positions {
        let report = search(&mut *searcher, &Game::new(position), Limits::depth(6));
        let score = report.best().score;
        match values.get(&position) {
            Some(&(wins, plies)) if plies <= 6 => {
                assert_eq!(
                    (score.thousandths, score.plies),
                    (if wins { 1000 } else { -1000 }, Some(plies)),
                    "{position}"
                );
                assert_eq!(report.best().pv.len() as u32, plies, "the line of {position} continues to the end");
                exact += 1;
            }
            Some(&(wins, plies)) if score.is_exact() => {
                assert_eq!((score.thousandths > 0, score.plies), (wins, Some(plies)), "{position}");
            }
            Some(_) => {}
            None => assert!(score.plies.is_none(), "{position} is a draw, not {score:?}"),
        }
    }
    assert!(exact > 500, "{exact} positions were decided within the depth");
}

#[test]
fn scores_proved_by_a_selective_search_equal_retrograde_analysis() {
    let values = retrograde_analysis();
    let evaluation = MillEvaluation::new::<morris::ThreeMensMorris>();
    let mut searcher = AlphaBeta::new(evaluation, 1 << 16).selective(RECKLESS);
    let (mut exact, mut full) = (0, 0);
    let mut decided: Vec<_> = values.iter().collect();
    decided.sort_unstable();
    for (&position, &(wins, plies)) in decided {
        for confidence in [None, Some(Confidence::FULL)] {
            let limits = Limits::depth(7);
            let limits = confidence.map_or(limits, |confidence| limits.with_confidence(confidence));
            let report = search(&mut searcher, &Game::new(position), limits);
            let score = report.best().score;
            if score.is_exact() {
                assert_eq!((score.thousandths > 0, score.plies), (wins, Some(plies)), "{position}");
                assert_eq!(report.best().pv.len() as u32, plies, "the line of {position} continues to the end");
                exact += 1;
            }
            let must_prove = confidence.is_some() && plies <= 7;
            assert!(score.is_exact() || !must_prove, "nothing is pruned with full confidence: {position}");
            full += usize::from(must_prove);
            assert_eq!(report.confidence == Confidence::FULL, confidence.is_some() || score.is_exact());
        }
    }
    assert!(full > 500 && exact > full, "{exact} scores were proved, {full} with full confidence");
}

#[test]
fn absurd_limits_end_with_a_move_in_every_game() {
    for game in games::all() {
        let mut searcher = game.searcher(&EngineOptions::new(1 << 20)).unwrap();
        let start = Game::new(game.start());
        for depth in [0, 1, 240, u32::MAX] {
            for nodes in [0, 1, 50] {
                for lines in [0, 1, usize::MAX] {
                    let limits = Limits { depth: Some(depth), nodes: Some(nodes), lines, ..Limits::default() };
                    let report = searcher.search(&start, &limits, &Cancel::new(), &mut |_| ());
                    assert!(report.best_move().is_some(), "{}: {limits:?}", game.name());
                }
            }
        }
    }
}
