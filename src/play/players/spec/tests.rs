//! Valid and invalid specs, and the games that support them.

use morello_core::game::{Cancel, Game, any_game};
use morello_core::morris::{self, NineMensMorris};
use morello_core::othello;

use super::*;

fn othello() -> &'static dyn AnyGame {
    any_game::<othello::Position>()
}

fn morris() -> &'static dyn AnyGame {
    any_game::<morris::Position<NineMensMorris>>()
}

fn spec(text: &str) -> Spec {
    text.parse().unwrap()
}

fn error(text: &str) -> (usize, SpecProblem) {
    let error = text.parse::<Spec>().unwrap_err();
    (error.column, error.kind)
}

#[test]
fn parses_engines_with_limits() {
    let engine = spec("name=a,depth=6,nodes=50000,time=1.5s,confidence=95,exact=14,hash=4");
    assert_eq!((engine.name(), engine.config.hash), ("a", 4));
    assert_eq!(
        engine.to_string(),
        "depth 6, 50000 nodes per move, 1500 ms per move, confidence 95%, exact from 14 moves before the end, 4 MiB"
    );
    assert_eq!((spec("depth=4").name(), spec("depth=4").config.hash), ("depth=4", 16));
}

#[test]
fn names_programs_after_their_file() {
    let external = spec("cmd=\"/opt/an engine -a 'x y, z' ''\",protocol=nboard,dir=/tmp,depth=3,ping-timeout=2s");
    assert_eq!((external.name(), external.config.hash), ("an", 0));
    assert_eq!(spec("cmd=./x,protocol=nboard").to_string(), "`./x` over nboard");
    assert_eq!(spec("random,name=chance").name(), "chance");
}

#[test]
fn reports_errors_with_their_column() {
    use SpecProblem::*;
    assert_eq!(error("name=a,deph=6"), (8, Unknown("deph".into())));
    assert_eq!(error(""), (1, Word(String::new())));
    assert_eq!(error("depth=4,"), (9, Word(String::new())));
    assert_eq!(error("depth=0"), (1, Number("0".into(), 240)));
    assert_eq!(error("depth=4,depth=5"), (9, Duplicate));
    assert!(matches!(error("depth=4,confidence=90"), (9, Confidence(_))));
    assert_eq!(error("depth=4,time=5"), (9, Time(ParseTimeError::Unit)));
    assert_eq!(error("name=a,depth"), (8, InvalidForm("depth=PLIES".into())));
    assert_eq!(error("depth="), (1, InvalidForm("depth=PLIES".into())));
    assert_eq!(error("random=1"), (1, InvalidForm("random".into())));
    assert_eq!(error("name=a"), (7, NoBound));
    assert_eq!(error("level=61"), (1, Level(ParseLevelError)));
    assert_eq!(error("level=6,depth=3"), (16, LevelAndBounds));
    assert_eq!(error("cmd=x"), (6, NoProtocol));
    assert_eq!(error("cmd=\"x,protocol=nboard"), (1, Quotes));
    assert_eq!(error("cmd=\"x\"y,protocol=nboard"), (1, Quotes));
    assert_eq!(error("cmd=\"x 'y\",protocol=nboard"), (1, Quotes));
    assert_eq!(error("cmd=\" \",protocol=nboard"), (1, NoProgram));
    assert_eq!(error("protocol=chess,cmd=x"), (1, Protocol(UnknownProtocol("chess".into()))));
    for (text, column, setting) in
        [("random,depth=4", 8, "depth"), ("depth=4,dir=x", 9, "dir"), ("level=4,cmd=x,protocol=nboard", 1, "level")]
    {
        let (place, problem) = error(text);
        assert!(matches!(problem, UnsupportedSetting { setting: found, .. } if found == setting), "{problem}");
        assert_eq!(place, column);
    }
}

#[test]
fn rejects_limits_that_the_protocol_lacks() {
    assert_eq!(spec("cmd=x,protocol=gtp,time=2s").to_string(), "`x` over gtp, 2000 ms per move");
    assert_eq!(spec("cmd=x,protocol=gtp,time=100ms").to_string(), "`x` over gtp, 100 ms per move");
    let all = "cmd=x,protocol=morris-text,depth=3,nodes=9,time=1.5s";
    assert_eq!(spec(all).to_string(), "`x` over morris-text, depth 3, 9 nodes per move, 1500 ms per move");
    let unsupported = |setting, protocol| SpecProblem::UnsupportedLimit { setting, protocol };
    assert_eq!(error("cmd=x,time=1s,protocol=nboard"), (7, unsupported("time", Protocol::NBoard)));
    assert_eq!(error("nodes=9,cmd=x,protocol=nboard"), (1, unsupported("nodes", Protocol::NBoard)));
    assert_eq!(error("cmd=x,protocol=gtp,nodes=9"), (20, unsupported("nodes", Protocol::Gtp)));
    assert_eq!(error("cmd=x,protocol=gtp,depth=9"), (20, unsupported("depth", Protocol::Gtp)));
    let message = "protocol nboard does not support `time=` (supported: depth)";
    assert_eq!(unsupported("time", Protocol::NBoard).to_string(), message);
}

#[test]
fn rejects_players_that_the_game_does_not_support() {
    assert!(spec("depth=1,exact=4,hash=1").player(othello(), None).is_ok());
    let unsupported = |text| spec(text).player(morris(), None).map(|_| ()).unwrap_err();
    assert!(matches!(unsupported("depth=1,exact=4"), UnsupportedSpec::NoExactSolver("nine-mens-morris")));
    assert!(matches!(unsupported("depth=1,weights=x"), UnsupportedSpec::Weights(_)));
    assert!(matches!(unsupported("cmd=x,protocol=nboard"), UnsupportedSpec::Protocol { .. }));
    assert!(matches!(unsupported("cmd=x,protocol=gtp"), UnsupportedSpec::Protocol { .. }));
    assert!(spec("cmd=x,protocol=morris-text").player(morris(), None).is_ok());
    assert!(spec("cmd=x,protocol=gtp").player(any_game::<othello::SizedPosition<4>>(), None).is_ok());
    assert!(spec("cmd=x,protocol=morris-text").player(othello(), None).is_err());
}

#[test]
fn database_and_evaluation_settings_take_effect() {
    let database = morris().open_database(None).unwrap();
    let mut player = spec("database").player(morris(), database.as_ref()).unwrap();
    // 39 plies: only the database has this result.
    let game = Game::new(morris().parse_position("0,0 c5,d7,g7 a7,f4,f6 W").unwrap());
    let choice = player.choose(&game, &Cancel::new()).unwrap();
    assert_eq!((choice.m.to_string().as_str(), choice.score.and_then(|score| score.plies)), ("d7-d6", Some(39)));
    let othello_database = spec("database").player(othello(), None).err().unwrap();
    assert!(matches!(othello_database, UnsupportedSpec::NoDatabase("othello")));
    let other_database =
        spec("database").player(any_game::<morris::Position<morris::SixMensMorris>>(), database.as_ref());
    assert!(matches!(other_database, Err(UnsupportedSpec::Data(_))));
    assert!(matches!(error("database,depth=2").1, SpecProblem::UnsupportedSetting { setting: "depth", .. }));
    assert_eq!(error("depth=2,eval=x").1, SpecProblem::Evaluation("x".into()));
    // A different evaluation visits a different number of nodes.
    let nodes = |game: &'static dyn AnyGame, text: &str| {
        let mut player = spec(text).player(game, None).unwrap();
        player.choose(&game.random_game(3, 20), &Cancel::new()).unwrap().nodes
    };
    assert_ne!(nodes(othello(), "depth=4,eval=simple"), nodes(othello(), "depth=4"));
    assert_eq!(nodes(othello(), "depth=4,eval=trained"), nodes(othello(), "depth=4"));
    assert_ne!(nodes(morris(), "depth=4,eval=simple"), nodes(morris(), "depth=4"));
}
