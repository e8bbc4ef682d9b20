//! Compares sessions with a plain list of moves, in Othello and mill games.

use std::sync::Arc;

use morello_core::game::{AnyGame, Cancel, Color, EngineOptions, Game, Limits, Position as _, Termination};
use morello_core::games;
use proptest::prelude::*;

use super::*;

fn game(name: &str) -> &'static dyn AnyGame {
    games::get(name).unwrap()
}

fn begin(name: &str) -> Session {
    Session::new(game(name))
}

/// Undoes, redoes, jumps and plays according to the numbers, both in a session and in a move list
/// with an index.
fn walk(rules: &'static dyn AnyGame, steps: &[(u8, u16)]) {
    let mut session = Session::new(rules);
    let (mut line, mut ply) = (Vec::<String>::new(), 0);
    for &(kind, number) in steps {
        let mut game = Game::new(rules.start());
        for text in &line[..ply] {
            game.play(game.position().parse_move(text).unwrap()).unwrap();
        }
        game.set_draw_rules(rules.standard_draw_rules());
        let legal: Vec<_> = game.position().legal_moves().collect();
        match kind {
            0 => {
                assert_eq!(session.undo(), ply > 0);
                ply -= usize::from(ply > 0);
            }
            1 => {
                assert_eq!(session.redo(), ply < line.len());
                ply += usize::from(ply < line.len());
            }
            2 => {
                ply = usize::from(number) % (line.len() + 2);
                session.go_to_ply(ply);
                ply = ply.min(line.len());
            }
            _ if game.end().is_some() => {
                assert!(matches!(session.play_text("a1"), Err(InputError::GameOver(_))));
                assert!(session.targets(&[]).is_empty() && session.view().legal.is_empty());
            }
            _ => {
                let m = legal[usize::from(number) % legal.len()];
                let points: Vec<_> = m.path().points().collect();
                if kind % 2 == 0 || points.is_empty() {
                    session.play_text(&m.to_string().to_uppercase().replace('X', "x")).unwrap();
                } else {
                    select_all(&mut session, &points);
                }
                if line.get(ply) != Some(&m.to_string()) {
                    line.truncate(ply);
                    line.push(m.to_string());
                }
                ply += 1;
                game.play(m).unwrap();
            }
        }
        let view = session.view();
        assert_eq!((&view.moves, view.ply, &view.start), (&line, ply, &None));
        // A view is enough to restore the session.
        let mut other = Session::new(rules);
        other.resume(view.start.as_deref(), &view.moves).unwrap();
        other.go_to_ply(view.ply);
        assert_eq!(other.view(), view);
        check(rules, &view);
    }
}

/// Selects the points of a move one after another; only the last selection plays it.
fn select_all(session: &mut Session, points: &[usize]) {
    for count in 1..=points.len() {
        assert!(session.targets(&points[..count - 1]).contains(&points[count - 1]));
        let next = session.select_points(&points[..count]).unwrap();
        assert_eq!(next.is_empty(), count == points.len());
        if let Some(point) = points.get(count) {
            assert!(next.contains(point));
        }
    }
}

/// Compares a view with the position that it contains.
fn check(rules: &'static dyn AnyGame, view: &GameView) {
    let position = rules.parse_position(&view.position).unwrap();
    assert_eq!(view.side, position.side_to_move());
    let legal: Vec<_> = position.legal_moves().collect();
    assert_eq!(view.legal.len(), if view.end.is_some() { 0 } else { legal.len() });
    for (described, m) in view.legal.iter().zip(&legal) {
        let next = position.after(*m);
        for (point, &piece) in view.pieces.iter().enumerate() {
            assert_eq!(piece, position.piece_at(point));
            assert_eq!(described.changes.contains(&point), next.piece_at(point) != piece, "{m}");
        }
        assert_eq!((&described.text, described.is_pass), (&m.to_string(), m.is_pass()));
        // The points of one move are never the beginning of another move's points, so every click
        // is unambiguous.
        let others = view.legal.iter().filter(|other| other.text != described.text && !described.points.is_empty());
        for other in others {
            assert!(!other.points.starts_with(&described.points), "{} and {}", described.text, other.text);
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<(u8, u16)>> {
    prop::collection::vec((0_u8..24, any::<u16>()), 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn undo_redo_and_jump_match_a_plain_move_list(steps in steps()) {
        for name in ["othello-4x4", "othello-6x6", "nine-mens-morris-flying", "lasker-morris", "morabaraba"] {
            walk(game(name), &steps);
        }
    }

    #[test]
    fn saved_games_round_trip(seed in any::<u64>(), plies in 0_usize..90) {
        let round = |rules: &'static dyn AnyGame, plies| {
            let game = rules.random_game(seed, plies);
            let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
            let mut session = Session::new(rules);
            session.resume(None, &moves).unwrap();
            for format in rules.formats() {
                // Some formats cannot represent every game.
                let Ok(text) = session.save(format.name, ["Ada", "Ben"]) else { continue };
                let mut other = Session::new(rules);
                assert!(!other.load(&text).unwrap());
                let view = other.view();
                if format.writer.game.is_some() {
                    // Formats may omit a forced pass at the end.
                    assert!(moves.starts_with(&view.moves) && view.moves.len() + 1 >= moves.len(), "{}", format.name);
                } else {
                    assert_eq!((view.position, view.ply), (session.view().position, 0), "{}", format.name);
                }
            }
        };
        for plies in [0, plies] {
            for name in ["othello", "nine-mens-morris", "morabaraba"] {
                round(game(name), plies);
            }
        }
    }
}

#[test]
fn explains_why_a_point_cannot_be_selected() {
    let mut session = begin("nine-mens-morris");
    session.load("0,0 a7,d7,a4,b4,g1 a1,b2,c3,d1 W").unwrap();
    let points = game("nine-mens-morris").layout();
    let mut why = |names: &[&str]| {
        let touched: Vec<_> = names.iter().map(|name| points.point_named(name).unwrap()).collect();
        session.select_points(&touched).unwrap_err().to_string()
    };
    assert_eq!(why(&["g7"]), "select one of your men: there is none on g7");
    assert_eq!(why(&["a1"]), "select one of your men: there is none on a1");
    assert_eq!(why(&["g1", "a7"]), "cannot select a7 now; select g4");
    assert_eq!(session.select_points(&[99]).unwrap_err().to_string(), "the board has no point 99");
    session.load("0,0 a7,d7,a4,g1 a1,g7,b4,d6 W").unwrap();
    let touched = points.point_named("a7").unwrap();
    assert_eq!(session.select_points(&[touched]).unwrap_err().to_string(), "the man on a7 cannot move");
    let mut session = begin("othello");
    assert_eq!(session.select_points(&[27]).unwrap_err().to_string(), "d4 is occupied");
    assert_eq!(session.select_points(&[0]).unwrap_err().to_string(), "illegal move `a1`: it flips no disc");
    // A pass has no points.
    let mut passing = begin("othello-4x4");
    passing.load("c4b4a2d4").unwrap();
    assert_eq!((passing.select_points(&[]).unwrap().len(), passing.game().moves().len()), (0, 5));
    assert_eq!(session.play_text("nonsense").unwrap_err().to_string(), "not a move: `nonsense` (for example: `d3`)");
}

#[test]
fn suggests_an_example_instead_of_parsing_words() {
    let mut session = begin("othello");
    let mut error = |text: &str| session.load(text).map(|_| ()).unwrap_err().to_string();
    let hello = error(" hello\n");
    let (problem, example) = hello.split_once("; try `").unwrap();
    let formats = "(formats: ggf, sgf, pgn, transcript, diagram, obf, board)";
    assert_eq!(problem, format!("line 1, column 2: could not read `hello` as a game or position of othello {formats}"));
    assert_eq!(error("XO"), "line 1, column 3: expected 64 squares, found 2");
    assert!(error("f5d6d6").starts_with("line 1, column 5: "));
    session.load(example.trim_end_matches('`')).unwrap();
    assert_eq!(session.view().ply, 3);
}

#[test]
fn sets_up_positions_and_rejects_invalid_ones() {
    let mut session = begin("morabaraba");
    let mut pieces = vec![None; 24];
    pieces[0] = Some(Color::White);
    session.arrange(&pieces, [12, 11], Color::Black).unwrap();
    let view = session.view();
    assert_eq!((view.counts, view.in_hand, view.side), ([0, 1], Some([12, 11]), Color::Black));
    assert!(session.arrange(&pieces, [12, 12], Color::Black).is_err());
    assert!(session.arrange(&[Some(Color::Black); 30], [0, 0], Color::Black).is_err());
    assert_eq!(session.view(), view);
}

#[test]
fn games_beyond_a_customary_draw_can_be_loaded() {
    let start = "0,0 a7,d7,a1,d1 g7,g4,g1,f2 W";
    let round = "a7-a4 f2-f4 a4-a7 f4-f2 ";
    let mut session = begin("nine-mens-morris");
    session.load(&format!("{start} moves {}", round.repeat(2))).unwrap();
    let end = session.view().end.unwrap();
    assert_eq!(
        (end.winner, end.points, end.text.as_str()),
        (None, 0, "a draw: this position occurred for the third time")
    );
    assert_eq!(
        session.play_text("a7-a4").unwrap_err().to_string(),
        "the game is over: a draw: this position occurred for the third time"
    );
    session.load(&format!("{start} moves {}", round.repeat(3))).unwrap();
    assert_eq!(session.view().ply, 12);
    session.go_to_ply(5);
    assert_eq!((session.view().ply, session.view().end), (5, None));
    session.go_to_ply(100);
    assert_eq!(session.view().ply, 12);
}

#[test]
fn searches_at_levels_and_all_moves() {
    let rules = game("othello-4x4");
    let session = Session::new(rules);
    let searchers = SearcherPool::new(rules, Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
    let think = |limits: &Limits, on_update: &mut dyn FnMut(SearchView)| {
        searchers.search(session.game(), limits, &Cancel::new(), on_update).unwrap()
    };
    let mut updates = 0;
    let thought = think(&rules.level(3), &mut |_| updates += 1);
    assert!(updates > 0 && thought.depth > 0 && thought.best_move().is_some());
    let all = Limits { lines: usize::MAX, ..Limits::exact() };
    let thought = think(&all, &mut |_| ());
    // White wins 11 to 3 on 4x4, and the empty squares count for White.
    assert_eq!(thought.lines.len(), session.view().legal.len());
    assert!(thought.lines.iter().all(|line| line.score.text == "-10" && line.score.exact), "{thought:?}");
}

#[test]
fn interprets_moves_commands_and_errors() {
    let session = begin("othello");
    let typed = |text: &str| interpret(session.game(), text);
    let f5 = session.position().find_move("f5").unwrap();
    for text in ["f5", " F5 ", "B 4,5"] {
        assert_eq!(typed(text), Ok(TypedInput::Move(f5)));
    }
    assert_eq!(
        (typed(" "), typed("HINT 3")),
        (Ok(TypedInput::Empty), Ok(TypedInput::Command(SessionCommand::Hint(3))))
    );
    let reason = |text| typed(text).unwrap_err().reason();
    assert_eq!(reason("a1"), "it flips no disc");
    assert_eq!(reason("B 0,0"), "it flips no disc");
    assert_eq!(reason("undo 2"), "usage: `undo`");
    assert_eq!(reason("hello"), "not a move: `hello` (for example: `d3` or `B 2,3`)");
    assert_eq!(reason("pass"), "the side to move has a legal move and cannot pass");
}

#[test]
fn forced_passes_may_be_omitted() {
    let mut session = begin("othello-4x4");
    session.load("XO-------------- O").unwrap();
    let pass = session.forced_pass().unwrap();
    assert!(pass.is_pass() && read_move(session.game(), "PASS") == Ok(pass));
    assert_eq!(session.play_omitted_pass(|after| after.find_move("d4").is_some()), None);
    assert_eq!(session.play_omitted_pass(|after| after.find_move("c1").is_some()), Some(pass));
    session.play_text("c1").unwrap();
    assert!(session.is_over() && session.forced_pass().is_none());
    assert_eq!(session.play_text("b2").unwrap_err().reason(), "the game is over");
}

#[test]
fn forfeits_can_be_undone() {
    let mut session = begin("othello");
    let reason = "Black has resigned".to_owned();
    session.forfeit = Some(Forfeit { winner: Color::White, ending: Termination::Resignation, reason });
    assert!(session.is_over() && session.winner() == Some(Color::White) && session.targets(&[]).is_empty());
    assert_eq!(session.annotated().tags.result.unwrap().points, -64.0);
    session.forfeit = None;
    assert!(!session.is_over() && session.annotated().tags.result.is_none());
}

#[test]
fn formats_scores() {
    use morello_core::game::{Certainty, Score, Scoring};
    let text = |score, scoring| ScoreView::new(score, scoring).text;
    let exact = |points, plies| Score { plies, ..Score::exact(points) };
    let about = |thousandths| Score { thousandths, certainty: Certainty::Heuristic, plies: None };
    assert_eq!(text(exact(4, None), Scoring::Margin), "+4");
    assert_eq!(text(exact(0, None), Scoring::Margin), "0");
    assert_eq!(text(Score::of(-2, Certainty::AtMost), Scoring::Margin), "≤ -2");
    assert_eq!(text(about(1349), Scoring::Margin), "+1.3");
    assert_eq!(text(about(-40), Scoring::Margin), "0.0");
    assert_eq!(text(exact(1, Some(13)), Scoring::Distance), "win in 13 plies");
    assert_eq!(text(exact(-1, None), Scoring::Distance), "loss");
    assert_eq!(text(Score::of(0, Certainty::AtLeast), Scoring::Distance), "draw or win");
    assert_eq!(text(about(-26), Scoring::Distance), "-0.03");
}
