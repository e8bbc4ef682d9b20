//! Reading, writing, splitting and rejecting games.

use proptest::prelude::*;

use super::*;
use crate::game::format::movetext::Unclosed;
use crate::game::format::opening;
use crate::game::{AnnotatedGame, Game, GameResult, Tags, Termination, random_game};
use crate::morris::{
    IllegalReason, LaskerMorris, Morabaraba, NineMensMorris, NineMensMorrisFlying, Position, SixMensMorris, Variant,
};

const GAME: &str = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2012.05.01\"]\n[White \"one\"]\n[Black \"the \
    \\\"other\\\"\"]\n\
                    [Result \"1-0\"]\n\n1. 5 13 2. 20 19 {a remark:\n 3. 4 5} 3.4 10\n4. 6x13 7 1-0\n";

fn moves<V: Variant>(read: &AnnotatedGame<Position<V>>) -> String {
    opening::write(&read.game.any())
}

fn error(text: &str) -> (usize, usize, PlayOkErrorKind) {
    let error = read::<NineMensMorris>(text).unwrap_err();
    let (line, column) = place(text, error.column);
    (line, column, error.kind)
}

/// Returns the line, and the column in it.
fn place(text: &str, column: usize) -> (usize, usize) {
    let before: String = text.chars().take(column - 1).collect();
    (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
}

/// Splits a text into games line by line, and reads them.
fn games<V: Variant>(text: &str) -> Vec<Result<AnnotatedGame<Position<V>>, ParsePlayOkError>> {
    let mut split: Vec<String> = Vec::new();
    for line in text.lines() {
        match split.last_mut().filter(|so_far| looks_like(so_far) && continues(so_far, line)) {
            Some(so_far) => *so_far += &format!("{line}\n"),
            None if line.trim().is_empty() => {}
            None => split.push(format!("{line}\n")),
        }
    }
    split.iter().map(|game| read(game)).collect()
}

#[test]
fn points_are_numbered_row_by_row() {
    // The numbering of the site: 1 is a7, 2 d7, 9 e5, 10 a4, 15 g4, 16 c3, 24 g1.
    let names: Vec<_> = ORDER.split(' ').collect();
    assert_eq!([1, 2, 9, 10, 15, 16, 24].map(|number| names[number - 1]), ["a7", "d7", "e5", "a4", "g4", "c3", "g1"]);
    let mut by_row = names.clone();
    by_row.sort_by_key(|name| (std::cmp::Reverse(name.as_bytes()[1]), name.as_bytes()[0]));
    assert_eq!(names, by_row);
}

#[test]
fn reads_a_game_with_its_tags() {
    let read = read::<NineMensMorris>(GAME).unwrap();
    assert_eq!(moves(&read), "d6 e4 d2 b2 b6 a4 f6xe4 c5");
    let result = Some(GameResult { points: -1.0 });
    let names = [Some("the \"other\"".to_owned()), Some("one".to_owned())];
    let others = vec![("Site".to_owned(), "PlayOK".to_owned())];
    assert_eq!(read.tags, Tags { names, date: Some("2012-05-01".to_owned()), result, others, ..Tags::default() });
    for text in ["1. 5 13 2. 20 19", "1.5 13\n2.20 19", "1. 5\n1... 13 2.20 2...19 *", "\n 1. 5 13 20 19 \n\n"] {
        assert_eq!(moves(&super::read::<NineMensMorris>(text).unwrap()), "d6 e4 d2 b2", "{text}");
    }
    for text in [
        "1. 5 $1 13$2 2. 20! 19?",
        "1. 5 (1. 6 {)} 13\n(1... 14)) 13 2. 20 19",
        "{a}\n[White \"x\"]\n; b\n1. 5 13 ; 1-0 {\n2. 20 (19) 19 ; c",
        "1. 5(1. 6)13{d}2. 20 19",
    ] {
        assert_eq!(moves(&super::read::<NineMensMorris>(text).unwrap()), "d6 e4 d2 b2", "{text}");
    }
    let tags = "[Date \"????.??.??\"]\n[Time \"12:00:00\"]\n[Result \"*\"]\n";
    let read = super::read::<NineMensMorris>(&format!("{tags}0-1")).unwrap();
    assert_eq!((read.game.moves().len(), read.tags.date, read.tags.result.map(|r| r.points)), (0, None, Some(1.0)));
    let read = super::read::<NineMensMorris>("[Date \"1977.??.??\"]\n[Result \"1/2-1/2\"]\n*").unwrap();
    assert_eq!((read.tags.date.as_deref(), read.tags.result.map(|r| r.points)), (Some("1977"), Some(0.0)));
}

#[test]
fn reads_algebraic_moves_after_tags() {
    let tags = "[Event \"Sanmill-Game\"]\n[Variant \"Nine Men's Morris\"]\n[White \"a\"]\n";
    let read = |text: &str| read::<NineMensMorris>(text).map(|read| moves(&read));
    let expected = "a7 b2 d7 f4 g7xf4 f4";
    for list in
        ["1. a7 b2 2. d7 f4 3. g7 xf4 f4 *", "1. a7 b2\n2. d7 f4\n3. g7\nxf4 f4", "1. a7 b2 2. d7 f4 3. G7xf4 f4"]
    {
        assert_eq!(read(&format!("{tags}\n{list}")).unwrap(), expected);
    }
    let fen = "[FEN \"***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1\"]\n\n";
    assert!(read(&format!("{fen} 7. d3-d2")).unwrap().ends_with("W moves d3-d2"));
    assert_eq!(
        error("[White \"a\"]\n1. a7 b2 2. d7 f4 3.g7"),
        (2, 19, PlayOkErrorKind::MissingCapture("g7".to_owned()))
    );
    assert!(matches!(error("1. a7 b2 2. d7 f4 3. g7 4."), (1, 25, PlayOkErrorKind::NotAMove(_))));
    assert!(matches!(error("[FEN \"x\"]"), (1, 7, PlayOkErrorKind::Fen(_))));
}

#[test]
fn reads_steps_with_both_points() {
    let mut placed = "1. 1 2 2. 3 5 3. 10 11 4. 15 14 5. 4 6 6. 19 24 7. 7 9 8. 16 18 9. 23 20".to_owned();
    placed += " 10. 23-22x2 5-2";
    let read = read::<NineMensMorris>(&placed).map(|read| moves(&read));
    // White's last move closes a1-a4-a7 (22, 10 and 1).
    assert!(read.unwrap().ends_with("d1 d2 d1-a1xd7 d6-d7"));
}

#[test]
fn splits_a_text_into_games() {
    let other = "\n[White \"x\"]\n1. 1 2\n[White \"y\"]\n\n1. 3\n4 1/2-1/2\n1. 5 0-1\n\n";
    let text = format!("{GAME}{other}{GAME}");
    let all: Vec<_> = games::<NineMensMorris>(&text).into_iter().map(Result::unwrap).collect();
    let lists: Vec<_> = all.iter().map(moves).collect();
    assert_eq!((lists.len(), &lists[1..4]), (5, ["a7 d7", "g7 b6", "d6"].map(str::to_owned).as_slice()));
    assert_eq!(
        (&lists[0], all[1].tags.names[1].as_deref(), all[3].tags.names[1].as_deref()),
        (&lists[4], Some("x"), None)
    );
    assert!(games::<NineMensMorris>(" \n\n").is_empty());
    // An invalid game does not affect the others.
    let text = format!("{other}nothing\n\n1. 1 1 *\n{GAME}");
    let found = games::<NineMensMorris>(&text);
    assert_eq!(found.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, true, false, false, true]);
}

/// Returns whether a line continues the game that begins with `so_far`.
fn continues(so_far: &str, next: &str) -> bool {
    let mut scanner = scanner();
    so_far.lines().for_each(|line| scanner.add(line));
    scanner.accepts(next)
}

#[test]
fn detects_where_games_begin_and_continue() {
    assert!(
        starts_game("[White \"x\"]") && starts_game(" 1. 5 13") && starts_game("1.5") && looks_like("\n[Event \"?\"]")
    );
    assert!(
        !starts_game("1. d2 f4")
            && !starts_game("2. 5")
            && !starts_game("[]")
            && !starts_game("[White x]")
            && !starts_game("")
            && !looks_like("")
    );
    assert!(
        continues("[White \"x\"]\n", "[Black \"y\"]") && continues("[White \"x\"]\n", "") && continues("1. 5\n", "13")
    );
    assert!(!continues("1. 5 13\n", "[White \"x\"]") && !continues("1. 5 13 1-0\n", "") && !continues("*", "1. 5"));
    // Tags and results within a comment do not end a game.
    assert!(
        continues("1. 5 {who\n", "[White \"x\"]") && continues("1. 5 {1-0\n", "13") && continues("1. 5 {1-0} 13", "7")
    );
    assert!(!continues("1. 5 {1-0\n} *", "13"));
    // An unclosed comment does not swallow the next game.
    assert!(!continues("1. 5 {who\n\n", "[White \"x\"]") && continues("1. 5 {who\n\n", "13"));
    let text = format!("1. 5 {{who\n13\n\n{GAME}");
    let found: Vec<_> = games::<NineMensMorris>(&text).into_iter().map(|read| read.map(|game| moves(&game))).collect();
    assert!(found.len() == 2 && found[1].is_ok(), "{found:?}");
    assert_eq!(found[0].as_ref().unwrap_err().kind, PlayOkErrorKind::Unclosed(Unclosed::Comment));
}

#[test]
fn reports_where_a_game_is_invalid() {
    let name = str::to_owned;
    let illegal = |text: &str, seed: &str, ply, reason| PlayOkErrorKind::IllegalMove {
        text: name(text),
        seed: name(seed),
        ply,
        reason,
    };
    assert_eq!(error(""), (1, 1, PlayOkErrorKind::NoGame));
    assert_eq!(error("[White \"a\"]\n [White \"b\"]"), (2, 3, PlayOkErrorKind::DuplicateTag(name("White"))));
    assert_eq!(error("[Result \"2-0\"]"), (1, 10, PlayOkErrorKind::Result(name("2-0"))));
    assert_eq!(
        error("[Result \"0-1\"]\n1. 5 1-0"),
        (2, 6, PlayOkErrorKind::ConflictingResult { moves: "1-0", tag: "0-1" })
    );
    assert_eq!(error("1. 5 13\n3. 7"), (2, 1, PlayOkErrorKind::Number { expected: 2, found: name("3.") }));
    assert_eq!(error("1. 5 13 2.x"), (1, 11, PlayOkErrorKind::NotAMove(name("x"))));
    assert_eq!(error("1. 5 é"), (1, 6, PlayOkErrorKind::NotAMove(name("é"))));
    assert_eq!(error("1. 5 25"), (1, 6, PlayOkErrorKind::NoPoint(name("25"))));
    assert_eq!(error("1. 5 0"), (1, 6, PlayOkErrorKind::NoPoint(name("0"))));
    assert_eq!(error("1. é 13\n{\n"), (1, 4, PlayOkErrorKind::NotAMove(name("é"))));
    assert_eq!(error("1. 5 13\n2. 7 {"), (2, 6, PlayOkErrorKind::Unclosed(Unclosed::Comment)));
    assert_eq!(error("1. 5 13\n2. (7 {)}\n3"), (2, 4, PlayOkErrorKind::Unclosed(Unclosed::Variation)));
    assert_eq!(error("1. 5 $a"), (1, 6, PlayOkErrorKind::NotAMove(name("$a"))));
    assert_eq!(error("1. 5 13) 2. 7"), (1, 6, PlayOkErrorKind::NotAMove(name("13)"))));
    assert_eq!(error("1. 5 5"), (1, 6, illegal("5", "d6", 2, IllegalReason::Occupied(name("d6")))));
    assert_eq!(error("1.5 13x5"), (1, 5, illegal("13x5", "e4xd6", 2, IllegalReason::CapturesNothing)));
    assert_eq!(error("1. 5 * 1. 7"), (1, 8, PlayOkErrorKind::TrailingText(name("1."))));
    assert_eq!(error("1. 5\n[White \"x\"]"), (2, 1, PlayOkErrorKind::NotAMove(name("[White"))));
    assert_eq!(read::<SixMensMorris>(GAME).unwrap_err().kind, PlayOkErrorKind::UnsupportedBoard("six-mens-morris"));
}

#[test]
fn rejects_games_that_playok_cannot_represent() {
    let later: Position<NineMensMorris> = "9,9 - - B".parse().unwrap();
    assert_eq!(write(&Game::new(later).into()), Err(WritePlayOkError::Start("9,9 - - B".to_owned())));
    let six = AnnotatedGame::from(Game::new(Position::<SixMensMorris>::default()));
    assert_eq!(write(&six), Err(WritePlayOkError::UnsupportedBoard("six-mens-morris")));
}

fn round_trip<V: Variant>(seed: u64, plies: usize, tags: &Tags) {
    let annotated =
        AnnotatedGame { tags: tags.clone(), ..AnnotatedGame::from(random_game::<Position<V>>(seed, plies)) };
    let text = write(&annotated).unwrap();
    assert!(looks_like(&text) && text.lines().all(|line| line.starts_with('[') || line.len() <= 80), "{text}");
    let read = read::<V>(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(read.game.moves(), annotated.game.moves(), "{text}");
    let result = read.tags.result;
    assert_eq!(result.is_some(), tags.result.is_some() || annotated.game.end().is_some());
    let expected = Tags { result: tags.result.or(result), ..tags.clone() };
    assert_eq!(read.tags, expected, "{text}");
    // Text with two games is split into two.
    assert_eq!(games::<V>(&format!("{text}{text}")).len(), 2);
}

fn any_tags() -> impl Strategy<Value = Tags> {
    let name = || prop::option::of("[a-z\\\\\"{}]{0,5}[^\\p{C}\\p{Z}?-]");
    let date = prop::option::of("[12][0-9]{3}(-[01][0-9](-[0-3][0-9]( [0-2][0-9]:[0-5][0-9])?)?)?|[a-z]{1,5}");
    let result = prop::option::of(prop::sample::select(vec![-1.0, 0.0, 1.0]));
    let result = (result, prop::option::of(prop::sample::select(Termination::ALL.to_vec())));
    let rating = || prop::option::of((0..30_000u32).prop_map(|tenths| f64::from(tenths) / 10.0));
    let players = (name(), name(), rating(), rating());
    let others = ["Site", "Round", "X_1"].map(|tag| name().prop_map(move |value| Some((tag.to_owned(), value?))));
    (players, name(), date, result, others).prop_map(
        |((black, white, black_rating, white_rating), tournament, date, (points, termination), others)| Tags {
            names: [black, white],
            ratings: [black_rating, white_rating],
            tournament,
            date,
            result: points.map(|points| GameResult { points }),
            termination,
            theoretical: None,
            others: others.into_iter().flatten().collect(),
        },
    )
}

proptest! {
    #[test]
    fn games_round_trip(seed: u64, plies in 0..150usize, tags in any_tags()) {
        round_trip::<NineMensMorris>(seed, plies, &tags);
        round_trip::<NineMensMorrisFlying>(seed, plies, &tags);
        round_trip::<LaskerMorris>(seed, plies, &tags);
        round_trip::<Morabaraba>(seed, plies, &tags);
    }

    #[test]
    fn error_columns_lie_within_the_text(
        text in "(\\[White \"é?\"\\]\n|\\[Result \"[01]-[01]\"\\]\n|1\\. ?|[0-9]{1,2}([-x.][0-9]{1,2})?[ \
            \n]|[{}é\"\n]|1-0 ){0,12}",
        at: prop::sample::Index,
        c in "\\PC{0,2}",
    ) {
        let changed = { let at = at.index(GAME.len()); format!("{}{c}{}", &GAME[..at], &GAME[at + 1..]) };
        for text in [text, changed] {
            if let Err(error) = read::<NineMensMorris>(&text) {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{text}: {error:?}");
            }
        }
    }
}
