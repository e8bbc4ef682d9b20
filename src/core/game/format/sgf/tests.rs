use super::*;
use crate::game::{AnnotatedGame, Color, GameResult, Note, Termination, first_record_lines, random_game};
use crate::morris::{self, NineMensMorris, ThreeMensMorris};
use crate::othello::{self, SizedPosition};

type Othello4 = SizedPosition<4>;
type Morris = morris::Position<NineMensMorris>;

fn othello(text: &str) -> Result<Vec<AnnotatedGame>, (usize, String)> {
    read::read_all(any_game::<othello::Position>(), 2, text).map_err(|error| (error.column, error.kind.to_string()))
}

fn morris(text: &str) -> Result<Vec<AnnotatedGame>, (usize, String)> {
    read::read_all(any_game::<Morris>(), 5, text).map_err(|error| (error.column, error.kind.to_string()))
}

fn moves(game: &AnnotatedGame) -> String {
    game.game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn moves_of(text: &str) -> String {
    othello(text).unwrap().iter().map(moves).collect::<Vec<_>>().join(" | ")
}

#[test]
fn reads_games_of_any_program() {
    // Edax writes a setup of the usual start.
    let edax = "(;FF[4]GM[2]AP[edax:4.5.5]\nPC[Edax]DT[2026-10-07]\nPB[?]PW[?]\nSZ[8]AB[e4][d5]AW[d4][e5]PL[B]\n\
                RE[Void]\nB[f5];W[d6];\nB[c3];W[d3];\nB[c4];)";
    let game = othello(edax).unwrap().remove(0);
    assert_eq!((moves(&game).as_str(), game.game.start().is_start()), ("f5 d6 c3 d3 c4", true));
    assert_eq!((game.tags.tournament.as_deref(), game.tags.date.as_deref()), (Some("Edax"), Some("2026-10-07")));
    assert_eq!((game.tags.names, game.tags.result), ([None, None], None));
    for text in [
        "(;FF[4]GM[2]PB[anna]PW[bob];B[f5];W[d6])",
        // Points as in Go: column and row.
        "(;GM[2];B[fe];W[df])",
        "(;GM[2];B[F5];W[D6];)",
        "(\n;GM [2]\n;B[f5]\n\n;W[d6]\n)\n",
        "(;GM[2];B[f5];W[d6](;C[main line])(;B[c3](;W[d3])(;W[e3])))",
        "(;GaMe[2]Black[f5];White[d6])",
        "(;GM[othello];B[f5];W[d6])",
        "(;B[f5]C[a (remark\\] ; \\\\];W[d6])",
    ] {
        assert!(["f5 d6"].contains(&moves_of(text).as_str()), "{text}");
    }
    assert_eq!(moves_of("(;GM[2];B[f5];W[d6](;B[c3];W[d3])(;B[c4]))"), "f5 d6 c3 d3");
    assert_eq!(moves_of("(;GM[2];B[f5])(;GM[2];B[d3])\n(;GM[2])"), "f5 | d3 | ");
}

#[test]
fn reads_start_positions() {
    let start = |text: &str| othello(text).unwrap()[0].game.start().to_string();
    let handicap = start("(;GM[2]AB[a1]AB[h8])");
    assert!(handicap.starts_with('X') && handicap.matches('X').count() == 4 + 1, "{handicap}: with the side to move");
    assert!(start("(;GM[2]AB[d4:e5]PL[2]AW[ah])").ends_with("O------- O"));
    assert_eq!(start("(;GM[2]AB[d4]AW[e4];W[c4])"), start("(;GM[2]AB[d4]AW[e4]PL[W])"));
    assert_eq!(othello("(;GM[2];B[f5];AW[a1])").unwrap_err().0, 15);
}

#[test]
fn reads_tags_results_and_times() {
    let text = "(;GM[2]EV[Cup]PC[Paris]DT[2024-05-01]PB[a\\]b]PW[c\\\nd]BR[1803.5]WR[2k]TM[300]RE[W+12]\
                ;B[f5]BL[290]V[1.5];W[d6]WL[280.5]V[2];B[c3]BL[289])";
    let game = othello(text).unwrap().remove(0);
    assert_eq!(game.tags.names, ["a]b", "cd"].map(|name| Some(name.to_owned())));
    assert_eq!((game.tags.ratings, game.tags.tournament.as_deref()), ([Some(1803.5), None], Some("Cup")));
    assert_eq!(game.tags.result, Some(GameResult { points: -12.0 }));
    let note = |eval, seconds| Note { eval, seconds, ..Note::default() };
    assert_eq!(game.notes, [note(Some(1.5), Some(10.0)), note(Some(-2.0), Some(19.5)), note(None, Some(1.0))]);
    let result = |value: &str| {
        let tags = othello(&format!("(;GM[2]RE[{value}])")).map(|mut games| games.remove(0).tags);
        tags.map(|tags| (tags.result.map(|result| result.points), tags.termination))
    };
    for (value, points, termination) in [
        ("B+16", Some(16.0), None),
        ("W+R", Some(-64.0), Some(Termination::Resignation)),
        ("b+Time", Some(64.0), Some(Termination::Timeout)),
        ("W+F", Some(-64.0), Some(Termination::Other)),
        ("B+", Some(64.0), Some(Termination::Other)),
        ("0", Some(0.0), None),
        ("Draw", Some(0.0), None),
        ("40-24", Some(16.0), None),
        ("?", None, None),
        ("Void", None, None),
        ("B+16 (40-24)", Some(16.0), None),
    ] {
        assert_eq!(result(value), Ok((points, termination)), "{value}");
    }
    for value in ["won", "B+65", "B+x", "C+3", "B+-3"] {
        assert_eq!(result(value).unwrap_err().0, 11, "{value}");
    }
}

#[test]
fn errors_have_a_place_and_name_the_game() {
    for (text, column, message) in [
        ("", 1, "expected `(;`"),
        ("(GM[2])", 1, "expected `(;`"),
        ("(;GM[1];B[pd])", 6, "the game is Go (`GM[1]`), not Othello"),
        ("(;GM[5];W[d2])", 6, "the game is Nine Men's Morris (`GM[5]`), not Othello"),
        ("(;GM[99])", 6, "the game is `99`, not Othello"),
        ("(;GM[2]SZ[6])", 11, "expected a board of 8x8 squares, found `6`"),
        ("(;GM[2];B[f5]", 14, "expected `)` at the end"),
        ("(;GM[2];B[f5", 9, "missing `]` after the value of `B`"),
        ("(;GM[2];B f5)", 11, "expected a property"),
        ("(;GM[2];B[f5]) x", 16, "unexpected text"),
        ("(;GM[2];B[a1])", 11, "illegal move `a1`"),
        ("(;GM[2];W[f5])", 11, "White is not to move"),
        ("(;GM[2]AB[x9])", 11, "`x9` is not a point of the board"),
        ("(;GM[2]PL[z])", 11, "expected a side"),
    ] {
        let (at, error) = othello(text).unwrap_err();
        assert!(at == column && error.contains(message), "{text}: {at}: {error}");
    }
    assert!(morris("(;GM[2];B[f5])").unwrap_err().1.contains("Othello (`GM[2]`), not Nine Men's Morris"));
    assert!(morris("(;GM[5]RU[lasker-morris];W[d2])").unwrap_err().1.contains("the rules are `lasker-morris`"));
    assert!(morris("(;GM[5]RU[Nine Men's Morris];W[d2];B[f4])").is_ok());
}

#[test]
fn a_game_ends_where_its_parentheses_are_closed() {
    let lines = |text: &str| first_record_lines(&mut BracketScanner::new(true, begins_game), text);
    assert_eq!(lines("(;GM[2]\n;B[f5]\n(;W[d6])\n(;W[f6]))\n(;GM[2])"), 4);
    assert_eq!(lines("(;GM[2]C[a ;)\n(b\\]\n]\n)\nf5"), 4);
    assert_eq!(lines("(;GM[2]C[open\n;B[f5])\n(;GM[2])"), 2);
    assert_eq!(lines("(\n;FF[4]\n)\nx"), 3);
    assert_eq!(split("(;GM[2];B[f5])(;FF[4](;B[d3]))"), [0, 14]);
    for line in ["(;GM[2]", "(", " (;", "( ;FF[4]"] {
        assert!(looks_like(line), "{line}");
    }
    assert!(!looks_like("(f5d6)") && !looks_like("f5 (;"));
}

/// Writes random games and reads them back.
fn round_trip<P: Playable, const NUMBER: usize>() {
    for seed in 0..60 {
        let mut annotated = AnnotatedGame::from(random_game::<P>(seed, seed as usize)).into_any();
        let start = annotated.game.start().game();
        annotated.tags.names = ["a]\\[", "(;"].map(|name| Some(name.to_owned()));
        annotated.tags.date = Some("2024-05-01".to_owned());
        annotated.tags.tournament = Some("Cup: 1".to_owned());
        annotated.tags.ratings = [Some(1500.5), None];
        annotated.tags.result = Some(GameResult { points: 1.0 });
        annotated.tags.termination = [None, Some(Termination::Timeout)][seed as usize % 2];
        annotated.notes =
            vec![Note { eval: Some(-0.5), seconds: Some(1.25), ..Note::default() }; annotated.game.moves().len()];
        let text = write::write(&annotated, NUMBER).unwrap();
        assert_eq!(read::read_all(start, NUMBER, &text).unwrap(), [annotated.clone()], "{text}");
        // The rest of the game, from another start position.
        let mut rest = crate::game::Game::new(annotated.game.positions()[annotated.game.moves().len() / 2]);
        annotated.game.moves()[annotated.game.moves().len() / 2..].iter().for_each(|&m| rest.play(m).unwrap());
        let text = write::write(&rest.clone().into(), NUMBER).unwrap();
        assert_eq!(read::read_all(start, NUMBER, &text).unwrap()[0].game, rest, "{text}");
    }
}

#[test]
fn games_round_trip() {
    round_trip::<othello::Position, 2>();
    round_trip::<Othello4, 2>();
    round_trip::<Morris, 5>();
    round_trip::<morris::Position<ThreeMensMorris>, 5>();
}

#[test]
fn reads_every_notation_of_a_pass() {
    let is_pass = |m: &&crate::game::AnyMove| m.is_pass();
    let games = (0..200).map(|seed| random_game::<Othello4>(seed, 16).any());
    // A pass at the end cannot be omitted.
    let mut games =
        games.filter(|game| game.moves().iter().any(|m| m.is_pass()) && !game.moves().last().unwrap().is_pass());
    let game = games.next().expect("some games have passes");
    let text = write::write(&game.clone().into(), 2).unwrap();
    let passes = game.moves().iter().filter(is_pass).count();
    assert_eq!(text.matches("[]").count(), passes, "{text}");
    for pass in ["[tt]", "[pa]", "[PASS]", "[--]"] {
        let text = text.replace("[]", pass);
        assert_eq!(read::read_all(any_game::<Othello4>(), 2, &text).unwrap()[0].game, game, "{text}");
    }
    let text = text.replace(";B[]", "").replace(";W[]", "");
    assert_eq!(read::read_all(any_game::<Othello4>(), 2, &text).unwrap()[0].game, game, "{text}");
}

#[test]
fn writes_the_board_result_and_dates_of_other_formats() {
    let mut annotated = AnnotatedGame::from(random_game::<Othello4>(1, 20).any());
    annotated.tags.date = Some("2003.12.15_13:24:03.MST".to_owned());
    let points = annotated.game.points(Color::Black).expect("the game is over");
    let result = if points > 0 { format!("B+{points}") } else { format!("W+{}", -points) };
    let text = write::write(&annotated, 2).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!("(;FF[4]GM[2]CA[UTF-8]AP[morello:{version}]SZ[4]DT[2003-12-15 13:24:03 MST]RE[{result}];B[");
    assert!(text.starts_with(&expected), "{text}");
    // Without a disc in the middle, the start would be read as an addition to the usual start.
    let corner = any_game::<Othello4>().parse_position("XO-------------- X").unwrap();
    assert!(write::write(&crate::game::Game::new(corner).into(), 2).is_err());
}

#[test]
fn variations_and_comments_round_trip() {
    let record = "(;GM[2]C[start];B[f5]C[a (b\\]];W[d6]V[2](;B[c3];W[d3]C[d])(;B[c4](;W[d3])(;W[a1];B[h8])))";
    let game = othello(record).unwrap().remove(0);
    let tree = game.tree.as_ref().unwrap().to_string();
    assert_eq!(tree, "{start} f5 {a (b]} d6 c3 (c4 d3) d3 {d}");
    assert_eq!(game.unread.iter().map(ToString::to_string).collect::<Vec<_>>(), ["left out: `a1`"]);
    let text = write::write(&game, 2).unwrap();
    let again = othello(&text).unwrap().remove(0);
    assert_eq!((again.tree, again.game), (game.tree, game.game), "{text}");
    let timed = othello("(;GM[2]TM[300];B[f5]BL[290](;W[d6])(;W[f6]))").unwrap().remove(0);
    assert!(write::write(&timed, 2).unwrap().ends_with(";B[f5]ET[10](;W[d6])(;W[f6]))"));
    assert!(othello("(;GM[2];B[f5];W[d6])").unwrap()[0].tree.is_none());
}
