//! External engines as players, and their failures.

#![cfg(unix)]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use morello::game::{AnyGame, Cancel, Clock, Color, DrawRules, Game, Player, PlayerError, Position as _};
use morello::games;
use morello::input::Input;
use morello::players::{RandomPlayer, Spec};
use morello::tournament::openings::{self, Opening, OpeningSource};
use morello::tournament::{EndReason, FinishedGame, MatchEvent, MatchPlan, MatchRules, RunError, Schedule, play};

/// Returns the NBoard test engine with these arguments.
fn program(arguments: &str) -> Box<dyn Player> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/nboard.py");
    let limits = "start-timeout=20s,ping-timeout=20s,move-timeout=20s";
    spec(&format!("cmd=\"python3 '{script}' {arguments}\",protocol=nboard,depth=2,{limits}"))
}

fn othello() -> &'static dyn AnyGame {
    games::get("othello").unwrap()
}

fn morris() -> &'static dyn AnyGame {
    games::get("nine-mens-morris").unwrap()
}

fn spec(text: &str) -> Box<dyn Player> {
    text.parse::<Spec>().unwrap().player(othello(), None).unwrap()
}

/// Plays a game of a match between two players.
fn play_game(game: &'static dyn AnyGame, number: u64, players: &mut [Box<dyn Player>; 2]) -> FinishedGame {
    let pairing = Schedule::of_match(10, 3).pairing(number);
    let opening = Opening::of(&Game::new(game.start()));
    let by_color = players.get_disjoint_mut(pairing.players).unwrap();
    play(&pairing, opening, MatchRules::new(DrawRules::default()), by_color, &Cancel::new()).unwrap().unwrap()
}

/// Plays a program, as Black, against the random player.
fn game(program: Box<dyn Player>) -> FinishedGame {
    play_game(othello(), 0, &mut [program, Box::new(RandomPlayer::new(0))])
}

#[test]
fn an_external_engine_plays_whole_games_in_both_answer_styles() {
    let mut moves = Vec::new();
    for style in ["slash", "blank"] {
        let mut players = [program(&format!("--style {style}")), Box::new(RandomPlayer::new(0))];
        for number in 0..4 {
            let record = play_game(othello(), number, &mut players);
            assert_eq!((record.end_reason, &record.problem), (EndReason::Rules, &None), "{record:?}");
            let [effort, other] = [0, 1].map(|player| *record.effort_of(player).unwrap());
            assert!(effort.moves > 20 && effort.nodes == 7 * effort.moves && effort.moves_with_depth == 0);
            assert_eq!((other.nodes, other.moves_with_nodes), (0, 0));
            moves.push(record.moves);
        }
    }
    // The program plays the same moves in both styles, and some games have a pass.
    assert_eq!(moves[..4], moves[4..]);
    assert!(moves.iter().flatten().any(|m| m.is_pass()), "{moves:?}");
}

#[test]
fn a_crash_forfeits_only_the_current_game() {
    let mut players = [program("--fail crash --after 2"), Box::new(RandomPlayer::new(0))];
    for number in 0..3 {
        let record = play_game(othello(), number, &mut players);
        assert_eq!((record.end_reason, record.half_points(), record.points()), (EndReason::Crash, 0, None));
        assert_eq!(record.effort_of(0).unwrap().moves, 2, "each game starts a new process");
        let problem = record.problem.unwrap();
        assert!(problem.contains("exit status: 3") && problem.contains("`out of cheese`"), "{problem}");
    }
}

#[test]
fn an_illegal_move_forfeits_the_game() {
    let record = game(program("--fail illegal --after 1"));
    assert_eq!((record.end_reason, record.half_points()), (EndReason::IllegalMove, 0));
    assert!(record.problem.unwrap().contains("illegal move `a9` in `"));
    assert_eq!((record.efforts[0].moves, record.moves.len()), (1, 2));
}

#[test]
fn a_timeout_forfeits_the_game_and_names_the_request() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/nboard.py");
    for (arguments, timeout, request) in
        [("--fail silent --after 1", "move", "go"), ("--fail deaf", "start", "ping"), ("--fail chatty", "move", "go")]
    {
        let text = format!("cmd=\"python3 '{script}' {arguments}\",protocol=nboard,{timeout}-timeout=1500ms");
        let start = Instant::now();
        let record = game(spec(&text));
        assert_eq!((record.end_reason, record.half_points()), (EndReason::Timeout, 0), "{record:?}");
        assert_eq!(record.problem, Some(format!("no response to `{request}` within 1.5 s")));
        assert!(start.elapsed() >= Duration::from_millis(1500));
    }
}

#[test]
fn names_the_protocol_of_an_engine_that_is_silent_over_another() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let fails = |program: &str, tried: &str, fitting: &str| {
        let text = format!("cmd=\"python3 '{script}'/{program}\",protocol={tried}");
        let start = Instant::now();
        let record = game(spec(&text));
        let problem = format!("it responds over {fitting}, not over {tried}; use protocol={fitting}");
        assert_eq!((record.end_reason, record.problem), (EndReason::Crash, Some(problem)));
        assert!(start.elapsed() < Duration::from_secs(15));
    };
    fails("scripted.py gtp d3", "nboard", "gtp");
    fails("nboard.py", "gtp", "nboard");
}

#[test]
fn reports_why_an_external_engine_cannot_start() {
    let problem = |player: Box<dyn Player>| game(player).problem.unwrap();
    let ended = problem(program("--fail start"));
    assert!(ended.contains("`no book`"), "{ended}");
    let missing = problem(spec("cmd=/nowhere/to/be/found,protocol=nboard"));
    assert!(missing.contains("cannot start `/nowhere/to/be/found`: No such file"), "{missing}");
    let nowhere = problem(spec("cmd=true,dir=/nowhere,protocol=nboard"));
    assert!(nowhere.contains("working directory `/nowhere` does not exist"), "{nowhere}");
}

/// Returns the test engine that gives scripted answers.
fn scripted(game: &'static dyn AnyGame, protocol: &str, arguments: &str) -> Box<dyn Player> {
    scripted_within(game, protocol, arguments, if protocol == "gtp" { "time=2s," } else { "" })
}

/// Returns the test engine that gives scripted answers, with a limit such as `time=2s,`.
fn scripted_within(game: &'static dyn AnyGame, protocol: &str, arguments: &str, limit: &str) -> Box<dyn Player> {
    scripted_spec(protocol, arguments, limit).player(game, None).unwrap()
}

fn scripted_spec(protocol: &str, arguments: &str, limit: &str) -> Spec {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/scripted.py");
    let timeouts = "start-timeout=20s,ping-timeout=20s,move-timeout=1500ms";
    let text = format!("cmd=\"python3 '{script}' {protocol} {arguments}\",protocol={protocol},{limit}{timeouts}");
    text.parse().unwrap()
}

/// Returns how a scripted engine forfeits a game against the random player, as Black.
fn failure(game: &'static dyn AnyGame, protocol: &str, arguments: &str) -> (EndReason, String) {
    let record = play_game(game, 0, &mut [scripted(game, protocol, arguments), Box::new(RandomPlayer::new(0))]);
    assert_eq!(record.half_points(), 0, "{record:?}");
    (record.end_reason, record.problem.unwrap())
}

#[test]
fn gtp_failures_forfeit_with_the_matching_reason() {
    let fails = |arguments: &str, reason: EndReason, problem: &str| {
        let (found, text) = failure(othello(), "gtp", arguments);
        assert!(found == reason && text.contains(problem), "{found:?}: {text}");
    };
    fails("a9", EndReason::IllegalMove, "illegal move `a9` in `");
    fails("d3 resign", EndReason::Resignation, "it resigned");
    fails("refuse", EndReason::Refusal, "it refused `genmove black`: `? no`");
    fails("d3 --refuse play", EndReason::Refusal, "it refused `play ");
    fails("d3 --refuse clear_board", EndReason::Crash, "it responded to `clear_board` with `? no`");
    fails("d3 crash", EndReason::Crash, "`out of cheese`");
    fails("silent", EndReason::Timeout, "no response to `genmove` within 1.5 s");
}

#[test]
fn morris_text_failures_forfeit_with_the_matching_reason() {
    let fails = |arguments: &str, reason: EndReason, problem: &str| {
        let (found, text) = failure(morris(), "morris-text", arguments);
        assert!(found == reason && text.contains(problem), "{found:?}: {text}");
    };
    fails("z9", EndReason::IllegalMove, "illegal move `z9` in `");
    fails("none", EndReason::IllegalMove, "illegal move `none` in `");
    fails("refuse", EndReason::Refusal, "it refused `go`: `error no`");
    fails("a1 --refuse position", EndReason::Refusal, "it refused `position ");
    fails("crash", EndReason::Crash, "`out of cheese`");
    fails("silent", EndReason::Timeout, "no response to `go` within 1.5 s");
}

#[test]
fn gtp_sends_only_the_new_moves_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let mut player = scripted(othello(), "gtp", &format!("--log '{}' d6 d3 f6 d6 d3", file.display()));
    let mut sent = |moves: &str| {
        fs::write(&file, "").unwrap();
        let mut game = Game::new(othello().start());
        for m in moves.split_whitespace() {
            game.play(game.position().parse_move(m).unwrap()).unwrap();
        }
        let m = player.choose(&game, &Cancel::new()).unwrap().m;
        let lines = fs::read_to_string(&file).unwrap();
        (m.to_string(), lines.lines().filter(|line| *line != "name").collect::<Vec<_>>().join(", "))
    };
    let owned = |m: &str, lines: &str| (m.to_owned(), lines.to_owned());
    let whole_game = "boardsize 8, clear_board, time_settings 0 2 1, play black f5, genmove white";
    assert_eq!(sent("f5"), owned("d6", whole_game));
    assert_eq!(sent("f5 d6 c3"), owned("d3", "play black c3, genmove white"));
    assert_eq!(sent("f5"), owned("f6", whole_game));
    player.prepare(0, &Cancel::new()).unwrap();
    let mut sent_lines = |moves: &str| {
        let mut game = Game::new(othello().start());
        for m in moves.split_whitespace() {
            game.play(game.position().parse_move(m).unwrap()).unwrap();
        }
        fs::write(&file, "").unwrap();
        player.choose(&game, &Cancel::new()).unwrap();
        fs::read_to_string(&file).unwrap().lines().count()
    };
    // A new game is sent completely, even if it begins like the last one.
    assert_eq!((sent_lines("f5"), sent_lines("f5 d6 c3")), (5, 2));
}

#[test]
fn gtp_sends_times_below_a_second_as_periods_of_several_moves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    for (limit, expected) in [("time=100ms,", "time_settings 0 1 10"), ("time=15ms,", "time_settings 0 3 200")] {
        fs::write(&file, "").unwrap();
        let mut player = scripted_within(othello(), "gtp", &format!("--log '{}' d3", file.display()), limit);
        player.choose(&Game::new(othello().start()), &Cancel::new()).unwrap();
        let lines = fs::read_to_string(&file).unwrap();
        assert!(lines.lines().any(|line| line == expected), "{limit}: {lines}");
    }
}

#[test]
fn gtp_and_morris_text_tell_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let sent = |game: &'static dyn AnyGame, protocol: &str, answer: &str, clock: Clock| {
        fs::write(&file, "").unwrap();
        let mut player = scripted_within(game, protocol, &format!("--log '{}' {answer}", file.display()), "tc=1,");
        player.set_clock(&clock);
        player.choose(&Game::new(game.start()), &Cancel::new()).unwrap();
        let lines = fs::read_to_string(&file).unwrap();
        let is_time = |line: &&str| line.starts_with("time_") || line.starts_with("go");
        lines.lines().filter(is_time).collect::<Vec<_>>().join(", ")
    };
    let clock = |text: &str| Clock::new(text.parse().unwrap());
    let mut later = clock("60+0.5");
    later.spend(Color::Black, Duration::from_millis(1750));
    later.spend(Color::White, Duration::from_millis(500));
    assert_eq!(sent(othello(), "gtp", "d3", later), "time_settings 60 0 0, time_left black 58.75 0");
    assert_eq!(sent(othello(), "gtp", "d3", clock("40/60")), "time_settings 0 60 40, time_left black 60 40");
    // An engine without `time_left` measures its time itself.
    assert_eq!(sent(othello(), "gtp", "d3 --refuse time_left", clock("9")), "time_settings 9 0 0, time_left black 9 0");
    let go = sent(morris(), "morris-text", "a1", later);
    assert_eq!(go, "go btime 58750 wtime 60000 binc 500 winc 500");
    assert_eq!(sent(morris(), "morris-text", "a1", clock("40/60")), "go btime 60000 wtime 60000 movestogo 40");
}

#[test]
fn clocks_end_the_games_of_those_who_exceed_them_alone() {
    let play = |own: &str, other: Spec, margin: Option<Duration>| {
        let entrants = vec![own.parse::<Spec>().unwrap().into(), other.into()];
        let plan = MatchPlan { time_margin: margin, ..MatchPlan::new(othello(), entrants, 2) };
        let summary = plan.play_all().unwrap().summary;
        let forfeits: Vec<_> = summary.engines.iter().map(|engine| engine.forfeits).collect();
        (forfeits, summary.end_reasons.get(&EndReason::OutOfTime).copied().unwrap_or(0))
    };
    let silent = |limit: &str| scripted_spec("gtp", "silent", limit);
    // A margin far above the pauses of a busy machine.
    let margin = Some(Duration::from_secs(5));
    let start = Instant::now();
    assert_eq!(play("name=own,depth=1,hash=1,tc=60", silent("tc=0.2,"), None), (vec![0, 2], 2));
    assert!(start.elapsed() < Duration::from_secs(20));
    let engine: Spec = "name=other,hash=1,tc=0.4+0.01".parse().unwrap();
    assert_eq!(play("name=own,hash=1,tc=20/0.4", engine, margin), (vec![0, 0], 0));
}

#[test]
fn slow_moves_are_reported_while_they_last() {
    let spec = scripted_spec("gtp", "silent", "name=slow,time=100ms,");
    let spec = spec.text().replace("move-timeout=1500ms", "move-timeout=4s").parse::<Spec>().unwrap();
    let plan = MatchPlan::new(othello(), vec![spec.into(), "random".parse::<Spec>().unwrap().into()], 1);
    let mut slow = Vec::new();
    let never = Cancel::new();
    let played = plan.play(&never, &mut |event| {
        if let MatchEvent::Slow { player, game, time } = event {
            slow.push((player, game, time < Duration::from_secs(4)));
        }
        Ok(())
    });
    played.unwrap();
    assert_eq!(slow, [(0, 0, true)]);
}

#[test]
fn times_for_a_move_are_enforced_on_request() {
    let slow = || scripted_spec("gtp", "silent", "name=slow,time=100ms,");
    let play = |time_margin| {
        let entrants = vec![slow().into(), "random".parse::<Spec>().unwrap().into()];
        let plan = MatchPlan { time_margin, ..MatchPlan::new(othello(), entrants, 2) };
        plan.play_all().unwrap().summary.end_reasons
    };
    let start = Instant::now();
    let reasons = play(Some(Duration::from_millis(50)));
    assert_eq!((reasons[&EndReason::Timeout], start.elapsed() < Duration::from_secs(10)), (2, true));
    // The engine ends with its move-timeout= of 1.5 s.
    assert_eq!(play(None)[&EndReason::Timeout], 2);
    assert!(start.elapsed() >= Duration::from_secs(3));
}

#[test]
fn dropping_an_external_engine_kills_its_child_processes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("child");
    let mut player = program(&format!("--child '{}'", file.display()));
    player.prepare(0, &Cancel::new()).unwrap();
    let child = fs::read_to_string(&file).unwrap();
    assert!(crate::is_running(&child));
    drop(player);
    let start = Instant::now();
    while crate::is_running(&child) {
        assert!(start.elapsed() < Duration::from_secs(10), "the child is still running");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn cancelling_ends_a_silent_engine() {
    let mut player = program("--fail silent");
    player.prepare(0, &Cancel::new()).unwrap();
    let cancel = Cancel::new();
    let raised = cancel.clone();
    let choice = thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(200));
            raised.cancel();
        });
        player.choose(&Game::new(othello().start()), &cancel)
    });
    assert!(matches!(choice, Err(PlayerError::Cancelled)), "{choice:?}");
    assert!(othello().start().is_legal(program("").choose(&Game::new(othello().start()), &Cancel::new()).unwrap().m));
}

#[test]
fn cancelling_makes_an_engine_move_at_once() {
    let program = crate::morello().get_program().to_str().unwrap().to_owned();
    let engine = |game: &str, protocol: &str| {
        let spec =
            format!("cmd=\"{program} engine {game} --protocol {protocol} --time 10m --hash 1\",protocol={protocol}");
        spec.parse::<Spec>().unwrap()
    };
    let mut discs = engine("othello", "nboard").player(othello(), None).unwrap();
    discs.prepare(0, &Cancel::new()).unwrap();
    let mut mill = engine("nine-mens-morris", "morris-text").player(morris(), None).unwrap();
    mill.prepare(0, &Cancel::new()).unwrap();
    let game = Game::new(othello().start());
    for _ in 0..2 {
        // The process continues and accepts the next request.
        let (choice, time) = cancelled_early(|cancel| discs.choose(&game, cancel));
        assert!(choice.is_ok() && time < Duration::from_secs(20), "{choice:?}, {time:?}");
        let (choice, time) = cancelled_early(|cancel| mill.choose(&Game::new(morris().start()), cancel));
        assert!(choice.is_ok() && time < Duration::from_secs(20), "{choice:?}, {time:?}");
    }
}

/// Calls `run` and raises its flag after 100 ms. Returns the result and the time taken.
fn cancelled_early<T>(run: impl FnOnce(&Cancel) -> T) -> (T, Duration) {
    let cancel = Cancel::new();
    let start = Instant::now();
    let result = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        run(&cancel)
    });
    (result, start.elapsed())
}

#[test]
fn cancelling_ends_an_engine_that_is_starting() {
    // `cat` echoes the requests, which is not an answer in any protocol.
    let never_ready = "cmd=cat,start-timeout=60s,protocol=";
    let soon = Duration::from_secs(20);
    for protocol in ["nboard", "gtp"] {
        let mut player = spec(&format!("{never_ready}{protocol}"));
        let (ready, time) = cancelled_early(|cancel| player.prepare(0, cancel));
        assert!(matches!(ready, Err(PlayerError::Cancelled)) && time < soon, "{protocol}: {ready:?}, {time:?}");
        let (choice, time) = cancelled_early(|cancel| player.choose(&Game::new(othello().start()), cancel));
        assert!(matches!(choice, Err(PlayerError::Cancelled)) && time < soon, "{protocol}: {choice:?}, {time:?}");
    }
    let mill = format!("{never_ready}morris-text").parse::<Spec>().unwrap();
    let mut mill = mill.player(morris(), None).unwrap();
    let (ready, time) = cancelled_early(|cancel| mill.prepare(0, cancel));
    assert!(matches!(ready, Err(PlayerError::Cancelled)) && time < soon, "{ready:?}, {time:?}");
    // A game aborted before its first move ends at once.
    let mut players = [spec(&format!("{never_ready}gtp")), Box::new(RandomPlayer::new(0))];
    let pairing = Schedule::of_match(2, 3).pairing(0);
    let opening = Opening::of(&Game::new(othello().start()));
    let (record, time) = cancelled_early(|abort| {
        let by_color = players.get_disjoint_mut(pairing.players).unwrap();
        play(&pairing, opening, MatchRules::new(DrawRules::default()), by_color, abort)
    });
    assert!(matches!(record, Ok(None)) && time < soon, "{record:?}, {time:?}");
}

#[test]
fn gtp_plays_move_openings_and_reports_unsupported_start_positions_without_a_forfeit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let position = "--------------------------XXX------OX------XO------------------- O";
    let text = format!("f5d6\n{position}\n");
    let read = openings::read(othello(), Input::Text(text), None).unwrap();
    let scripted = scripted_spec("gtp", &format!("--log '{}' c3", file.display()), "time=2s,");
    let random: Spec = "random".parse().unwrap();
    let play_match = |openings: &[Opening]| {
        let plan = MatchPlan {
            schedule: Schedule::of_match(1, 3),
            openings: OpeningSource::List(openings.to_vec()),
            rules: MatchRules::new(DrawRules::default()),
            ..MatchPlan::new(othello(), vec![scripted.clone().into(), random.clone().into()], 1)
        };
        let never = Cancel::new();
        let mut records = Vec::new();
        let mut keep = |event: MatchEvent<'_>| {
            records.extend(if let MatchEvent::Finished(record) = event { Some(record.clone()) } else { None });
            Ok(())
        };
        let result = plan.play(&never, &mut keep).unwrap().unwrap();
        (result.outcome, records)
    };
    let (result, records) = play_match(&read.openings[..1]);
    assert!(result.is_ok() && records[0].moves[2].to_string() == "c3", "{result:?}, {records:?}");
    let sent = fs::read_to_string(&file).unwrap();
    assert!(sent.contains("clear_board\ntime_settings 0 2 1\nplay black f5\nplay white d6\ngenmove black\n"), "{sent}");
    let (result, records) = play_match(&read.openings[1..]);
    let Err(RunError::Game { name, source: error }) = result else { panic!("{result:?}") };
    assert!(matches!(error.problem, PlayerError::UnsupportedStart { .. }) && records.is_empty(), "{records:?}");
    assert_eq!((error.game, error.player, name.as_str()), (0, 0, scripted.name()));
    let text = error.to_string();
    assert!(
        text.contains(position) && text.ends_with("use openings that are moves from the start of the game"),
        "{text}"
    );
}
