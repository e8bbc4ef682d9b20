//! The seed notation: reading, writing and error columns.

use super::super::position::Arrangement;
use super::*;

fn read<V: Variant>(text: &str) -> Result<Position<V>, ParsePositionError> {
    crate::morris::notation::read(text)
}

#[test]
fn seed_notation_round_trips() {
    for text in ["9,9 - - W", "7,8 a4,b4 g7 B", "0,0 a7,d7,g4 a1,b2,c3 W"] {
        assert_eq!(read::<NineMensMorris>(text).unwrap().to_string(), text);
    }
    assert_eq!(Position::<NineMensMorris>::default().to_string(), "9,9 - - W");
    assert_eq!(Position::<Morabaraba>::default().to_string(), "12,12 - - W");
    assert_eq!(Position::<ThreeMensMorris>::default().to_string(), "3,3 - - W");
}

#[test]
fn ignores_order_case_and_spaces() {
    let p = read::<NineMensMorris>("  0,0\t G4,a7,D7  c3,A1,b2   w ").unwrap();
    assert_eq!(p.to_string(), "0,0 a7,d7,g4 a1,b2,c3 W");
}

#[test]
fn moves_round_trip() {
    let p = read::<NineMensMorris>("0,0 a7,d7,g4 a1,b2,c3 W").unwrap();
    let m = p.parse_move("G4-g7xA1").unwrap();
    assert_eq!(m.to_string(), "g4-g7xa1");
    let names: Vec<&str> = m.path().map(Point::name).collect();
    assert_eq!(names, ["g4", "g7", "a1"]);
    let point = |name: &str| name.parse().unwrap();
    assert_eq!(m, Move::step(point("g4"), point("g7")).capturing(point("a1")));
    assert_eq!(Move::<NineMensMorris>::place(point("d2")).capturing(point("f4")).to_string(), "d2xf4");
    assert!(p.parse_move("g4-g7").is_err());
    assert_eq!(format!("[{m:>10}] [{:4}]", Move::<NineMensMorris>::place(point("d2"))), "[  g4-g7xa1] [d2  ]");
}

#[test]
fn reports_each_error_with_its_column() {
    let name = str::to_owned;
    let points = "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7".to_owned();
    let unknown = |text: &str| PositionErrorKind::UnknownPoint { name: name(text), points: points.clone() };
    let too_many = |color, found, men| PositionErrorKind::TooManyMen(TooManyMen { color, found, men });
    for (text, column, kind) in [
        ("", 1, PositionErrorKind::Missing(PositionField::Hands)),
        ("9,9", 4, PositionErrorKind::Missing(PositionField::White)),
        ("9,9 -  ", 6, PositionErrorKind::Missing(PositionField::Black)),
        ("9,9 - -", 8, PositionErrorKind::Missing(PositionField::Side)),
        ("9 - - W", 1, PositionErrorKind::Hands(name("9"))),
        ("9,9,9 - - W", 1, PositionErrorKind::Hands(name("9,9,9"))),
        ("x,9 - - W", 1, PositionErrorKind::Number(name("x"))),
        ("9,+9 - - W", 3, PositionErrorKind::Number(name("+9"))),
        ("9, - - W", 3, PositionErrorKind::Number(name(""))),
        ("9,10 - - W", 3, too_many(Color::Black, 10, 9)),
        ("7,8 a1,a4,a7,b2 g7 B", 11, too_many(Color::White, 11, 9)),
        ("7,8 a1,a4 g7,g4 B", 14, too_many(Color::Black, 10, 9)),
        ("7,8 a1,z9 g7 B", 8, unknown("z9")),
        ("7,8 a1, g7 B", 8, unknown("")),
        ("7,8 d4 g7 B", 5, unknown("d4")),
        ("7,8 é4 g7 B", 5, unknown("é4")),
        ("7,7 a1 g7,A4,a4 B", 14, PositionErrorKind::DuplicatePoint(name("a4"))),
        ("7,7 a1,a4 A4 B", 11, PositionErrorKind::OverlappingPoints(name("A4"))),
        ("7,7 a1 a4 White", 11, PositionErrorKind::UnknownSide(name("White"))),
        ("7,7 a1 a4 W ban=-,-", 13, PositionErrorKind::TrailingText(name("ban=-,-"))),
        ("7,7 é a4 W", 5, unknown("é")),
        ("7,7 a1 a4 W more  text ", 13, PositionErrorKind::TrailingText(name("more  text"))),
    ] {
        assert_eq!(read::<NineMensMorris>(text), Err(ParsePositionError { column, kind }), "{text}");
    }
    let error = read::<NineMensMorris>("7,8 a1,a4 g7,g4 B").unwrap_err();
    assert_eq!(error.to_string(), "Black has 10 men in hand and on the board; the game allows 9");
    assert!(read::<SixMensMorris>("5,6 c3 - B").is_err() && read::<ThreeMensMorris>("2,3 b2 - B").is_ok());
}

#[test]
fn reports_errors_in_bans() {
    let bans = |text: &str| PositionErrorKind::Bans(text.to_owned());
    let impossible = |color, text: &str| PositionErrorKind::ImpossibleBan { color, text: text.to_owned() };
    let men = "0,0 b6,c5,d5,e5 a1,a4,d1,d3 W";
    for (ban, column, kind) in [
        ("ban", 31, bans("ban")),
        ("ban=-", 31, bans("ban=-")),
        ("ban=-,-,-", 31, bans("ban=-,-,-")),
        ("ban=d5d6,-", 35, bans("d5d6")),
        ("ban=,-", 35, bans("")),
        ("ban=-,z1-z2", 37, bans("z1-z2")),
        ("ban=d6-d5,-", 35, impossible(Color::White, "d6-d5")),
        ("ban=d5-c5,-", 35, impossible(Color::White, "d5-c5")),
        ("ban=d5-g7,-", 35, impossible(Color::White, "d5-g7")),
        ("ban=d5-d6,d5-d6", 41, impossible(Color::Black, "d5-d6")),
        ("ban=d5-d6,- x", 43, PositionErrorKind::TrailingText("x".to_owned())),
    ] {
        let text = format!("{men} {ban}");
        assert_eq!(read::<MorabarabaNoReturn>(&text), Err(ParsePositionError { column, kind }), "{text}");
        assert!(matches!(read::<Morabaraba>(&text).unwrap_err().kind, PositionErrorKind::TrailingText(_)));
    }
    let in_hand = read::<MorabarabaNoReturn>("1,0 b6,c5,d5,e5 a1,a4,d1,d3 W ban=d5-d6,-").unwrap_err();
    assert_eq!(in_hand.kind, impossible(Color::White, "d5-d6"), "a side with cows in hand must place");
    for spent in ["0,0 b6,c5,d5,e5 a1,a4,d6,d3 W ban=d5-d6,-", "0,0 b6,c5,a7,e5 a1,a4,d1,d3 W ban=d5-d6,-"] {
        let position = read::<MorabarabaNoReturn>(spent).unwrap();
        assert_eq!(position, read(&spent[..29]).unwrap(), "the point is occupied, or the cow was shot");
    }
    let flying = "0,0 c5,d5,e5 a1,a4,d1,d3 W ban=d5-g7,d3-d2";
    assert_eq!(read::<MorabarabaNoReturn>(flying).unwrap().to_string(), flying);
    assert_eq!(
        read::<MorabarabaNoReturn>(&format!("{men} ban=-,-")).unwrap().to_string(),
        men,
        "bans of neither side are not written"
    );
}

#[test]
fn rejects_invalid_arrangements() {
    let arrange = |hands, men| {
        Position::<NineMensMorris>::checked(Arrangement { men, hands, side: Color::White, bans: [None; 2] })
    };
    let [black, white] = Color::ALL;
    let men = Rules::BASE.men;
    let too_many = |color| Err(ArrangementError::TooManyMen(TooManyMen { color, found: 10, men }));
    assert_eq!(arrange([9, 10], [0, 0]), too_many(white));
    assert_eq!(arrange([8, 0], [3, 0]), too_many(black));
    assert_eq!(arrange([0, 0], [3, 1]), Err(ArrangementError::Overlap("a7".to_owned())));
    assert_eq!(arrange([0, 0], [1 << 24, 1]), Err(ArrangementError::OffBoard));
    assert_eq!(arrange([9, 9], [0, 0]), Ok(Position::default()));
}
