use proptest::prelude::*;

use super::*;
use crate::game::{AnnotatedGame, Color, Game, GameResult, Note, Position as _, Termination, random_game};
use crate::othello::{Move, Position, SizedPosition};

fn game<const N: usize>(start: &str, moves: &str) -> Game<SizedPosition<N>> {
    let mut game = Game::new(start.parse::<SizedPosition<N>>().unwrap());
    for m in moves.split_whitespace() {
        game.play(game.position().parse_move(m).unwrap()).unwrap();
    }
    game
}

fn moves<const N: usize>(read: &AnnotatedGame<SizedPosition<N>>) -> String {
    read.game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn error(text: &str) -> (usize, GgfErrorKind) {
    let error = read::<4>(text).unwrap_err();
    (error.column, error.kind)
}

const START: &str = "BO[4 -----O*--*O----- *]";

#[test]
fn writes_a_game_from_the_start() {
    let start = Position::default().to_string();
    assert_eq!(
        write(&AnnotatedGame::with_names(game::<8>(&start, "f5 d6 c3"), ["a[1]", "b"])),
        "(;GM[Othello]PB[a(1)]PW[b]RE[?]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)"
    );
}

#[test]
fn writes_passes_and_results() {
    // White must pass, then Black flips White's last disc: all 16 squares count for Black.
    let text = write(&AnnotatedGame::with_names(game::<4>("XO-------------- O", "pa c1"), ["", ""]));
    assert!(text.contains("RE[+16]TY[4]BO[4 *O-------------- O]W[PA]B[C1];)"), "{text}");
    let text = write(&AnnotatedGame::with_names(game::<4>("OX-------------- O", "c1"), ["", ""]));
    assert!(text.contains("RE[-16]"), "{text}");
    assert_eq!(read::<4>(&text).unwrap().tags.tournament, None);
}

#[test]
fn reads_an_archived_game() {
    let text = "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[one]PW[the other]RB[2196.37]RW[2106.72]\
                TI[05:00//02:00]TY[8]RE[+6.000:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
                -------- -------- *]B[f5//0.01]W[D6/2.39/0.5]B[c3/x];)\n";
    let read = read::<8>(text).unwrap();
    assert_eq!((moves(&read).as_str(), *read.game.start()), ("f5 d6 c3", Position::default()));
    assert_eq!(read.tags.names, [Some("one".to_owned()), Some("the other".to_owned())]);
    assert_eq!(read.tags.result, Some(GameResult { points: 6.0 }));
    assert_eq!(read.tags.termination, Some(Termination::Resignation));
    let note = |eval, seconds| Note { eval, seconds, ..Note::default() };
    assert_eq!(read.notes, [note(None, Some(0.01)), note(Some(2.39), Some(0.5)), Note::default()]);
}

#[test]
fn reads_every_result() {
    let result = |text: &str| {
        let tags = read::<4>(&format!("(;RE[{text}]{START};)")).unwrap().tags;
        (tags.result, tags.termination)
    };
    let expected = |points, termination| (Some(GameResult { points }), termination);
    assert_eq!((result("?"), result("")), ((None, None), (None, None)));
    assert_eq!((result("-2"), result("+12.5")), (expected(-2.0, None), expected(12.5, None)));
    assert_eq!(result("-16.0:t"), expected(-16.0, Some(Termination::Timeout)));
    for beyond in ["+1e300", "+16.5", "-17"] {
        let error = error(&format!("(;RE[{beyond}]{START};)"));
        assert_eq!(error, (6, GgfErrorKind::ResultOutOfRange { found: beyond.to_owned(), area: 16 }));
    }
    assert_eq!(result("0:S"), expected(0.0, Some(Termination::Agreement)));
    assert_eq!(error(&format!("(;RE[won]{START};)")), (6, GgfErrorKind::Result("won".into())));
    assert_eq!(error(&format!("(;RE[1:x]{START};)")), (6, GgfErrorKind::Result("1:x".into())));
}

#[test]
fn reads_and_writes_ratings() {
    let game = read::<4>(&format!("(;RB[1803.51]RW[unrated]{START};)")).unwrap();
    assert_eq!(game.tags.ratings, [Some(1803.51), None]);
    assert!(write(&game).contains("RB[1803.51]RE"), "{}", write(&game));
    assert_eq!(read::<4>(&write(&game)).unwrap().tags, game.tags);
}

#[test]
fn reads_every_notation_of_a_pass() {
    for text in ["W[PA]B[c1]", "W[pass]B[C1]", "w[ PASS /0/1 ]b[c1]", "B[c1]", "W[pa]B[c1]W[pa]B[pa]"] {
        let read = read::<4>(&format!("(;BO[4 *O-------------- O]{text};)")).unwrap();
        assert_eq!((moves(&read).as_str(), read.notes.len()), ("pa c1", 2), "{text}");
    }
    // A pass at the end of an unfinished game is kept.
    let read = read::<4>("(;BO[4 *O-------------- O]W[PA];)").unwrap();
    assert_eq!((moves(&read).as_str(), read.game.position().side_to_move()), ("pa", Color::Black));
    assert!(read.game.end().is_none());
}

#[test]
fn reads_both_games_of_a_match() {
    let text = format!("2 (;{START}B[b1];)(;{START};)\n");
    let games = read_all::<4>(&text).unwrap();
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["b1", ""]);
    assert_eq!(error(&text), (36, GgfErrorKind::TrailingText));
    assert_eq!(read_all::<4>("").unwrap_err().kind, GgfErrorKind::MissingGame);
}

#[test]
fn reports_where_a_game_is_invalid() {
    use crate::othello::PositionErrorKind;
    assert_eq!(error(""), (1, GgfErrorKind::MissingGame));
    assert_eq!(error("  (GM"), (3, GgfErrorKind::MissingGame));
    assert_eq!(error("(;GM[Chess];)"), (6, GgfErrorKind::OtherGame("Chess".into())));
    assert_eq!(error("(;GM[Othello]"), (14, GgfErrorKind::MissingEnd));
    assert_eq!(error("(;GM[Othello"), (3, GgfErrorKind::MissingBracket("GM".into())));
    assert_eq!(error("(;GM Othello"), (6, GgfErrorKind::MissingTag));
    assert_eq!(error("(;GM[Othello];)"), (16, GgfErrorKind::MissingBoard));
    assert_eq!(error("(;B[b1];)"), (3, GgfErrorKind::MissingBoard));
    assert_eq!(error(&format!("(;{START}{START};)")), (27, GgfErrorKind::DuplicateBoard));
    assert_eq!(error("(;BO[8 -- *];)"), (6, GgfErrorKind::BoardSize { expected: 4, found: "8".into() }));
    assert_eq!(error("(;BO[];)"), (6, GgfErrorKind::BoardSize { expected: 4, found: String::new() }));
    assert!(matches!(
        error("(;BO[4 -- *];)"),
        (12, GgfErrorKind::Board(PositionErrorKind::MissingSquares { found: 3, .. }))
    ));
    assert_eq!(error("(;BO[4 -----O*--*O----- é];)"), (25, GgfErrorKind::Board(PositionErrorKind::UnknownSide('é'))));
    assert_eq!(
        error("(;BO[4 -----O*--*O----- * 5];)"),
        (27, GgfErrorKind::Board(PositionErrorKind::TrailingText("5".to_owned())))
    );
    assert_eq!(error(&format!("(;{START}W[b1];)")), (29, GgfErrorKind::WrongSideToMove(Color::White)));
    assert_eq!(error(&format!("(;{START}B[a1/3];)")), (29, GgfErrorKind::IllegalMove("a1".into())));
    assert_eq!(error(&format!("(;{START}B[pa];)")), (29, GgfErrorKind::IllegalMove("pa".into())));
    assert_eq!(error(&format!("(;{START}B[];)")), (29, GgfErrorKind::IllegalMove(String::new())));
    assert_eq!(error(&format!("(;{START};) x")), (30, GgfErrorKind::TrailingText));
}

#[test]
fn games_of_anti_othello_are_refused_wherever_the_tag_is() {
    for (value, is_refused) in [
        ("8a", true),
        ("s8a", true),
        ("8r18a", true),
        ("S8AR20", true),
        ("8ka", true),
        ("anti", true),
        ("8", false),
        ("8k", false),
        ("8r", false),
        ("s8r20", false),
        ("8b", false),
        ("8 standard", false),
        ("a match", false),
        ("", false),
    ] {
        for text in [format!("(;TY[{value}]{START};)"), format!("(;{START}B[b1]TY[{value}];)")] {
            let refused = read::<4>(&text).err().map(|error| (error.column, error.kind));
            let expected = GgfErrorKind::AntiGame(value.to_owned());
            assert_eq!(refused, is_refused.then(|| (text.find(value).unwrap() + 1, expected)), "{text}");
        }
    }
}

#[test]
fn every_early_end_is_read_back() {
    for termination in Termination::ALL {
        for points in [Some(16.0), Some(-3.5), Some(0.0), None] {
            let mut game = AnnotatedGame::from(read::<4>(&format!("(;{START}B[b1];)")).unwrap().game);
            game.tags.termination = Some(termination);
            game.tags.result = points.map(|points| GameResult { points });
            let read = read::<4>(&write(&game)).unwrap().tags;
            assert_eq!((read.result, read.termination), (game.tags.result, game.tags.termination));
        }
    }
}

/// Writes random games of all lengths and reads them back, with and without their passes.
fn round_trip<const N: usize>() {
    let mut passes = 0;
    for seed in 0..200 {
        let game = random_game::<SizedPosition<N>>(seed, seed as usize % (N * N));
        let text = write(&AnnotatedGame::with_names(game.clone(), ["b", "w"]));
        for text in [text.replace("B[PA]", "").replace("W[PA]", ""), text] {
            let read = read::<N>(&text).unwrap();
            let mut expected = game.moves().to_vec();
            // An omitted pass at the end cannot be restored.
            while !text.contains("[PA]") && expected.last() == Some(&Move::PASS) {
                expected.pop();
            }
            assert_eq!((read.game.start(), read.game.moves()), (game.start(), expected.as_slice()), "{text}");
            assert_eq!(read.notes.len(), expected.len());
            assert_eq!(read.tags.result.is_some(), game.end().is_some());
        }
        passes += game.moves().iter().filter(|&&m| m == Move::PASS).count();
    }
    assert!(passes > 0);
}

#[test]
fn games_round_trip() {
    round_trip::<4>();
    round_trip::<6>();
    round_trip::<8>();
}

proptest! {
    #[test]
    fn errors_in_arbitrary_text_lie_within_it(text in any::<String>()) {
        if let Err(error) = read::<8>(&text) {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column));
        }
    }

    /// Replaces, removes and inserts characters.
    #[test]
    fn damaged_games_do_not_panic(
        seed in 0..50u64,
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..3, any::<char>()), 1..4),
    ) {
        let game = random_game::<SizedPosition<4>>(seed, 6);
        let mut text: Vec<char> = write(&AnnotatedGame::with_names(game, ["é", "w"])).chars().collect();
        for (index, kind, c) in damage {
            let index = index.index(text.len());
            match kind {
                0 => text[index] = c,
                1 => drop(text.remove(index)),
                _ => text.insert(index, c),
            }
        }
        let text: String = text.into_iter().collect();
        match read_all::<4>(&text) {
            Ok(games) => prop_assert!(games.iter().all(|read| read.notes.len() == read.game.moves().len())),
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column)),
        }
    }
}

#[test]
fn tags_and_annotations_round_trip() {
    let text = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[one]PW[the other]RE[-2.5:t]TY[4]\
                BO[4 -----O*--*O----- *]B[B1/1.25/0.5]W[A1//3]B[A2/-4]W[A3];)";
    let game = read::<4>(text).unwrap();
    assert_eq!(game.tags.tournament.as_deref(), Some("GGS/os"));
    assert_eq!(write(&game), text);
}
