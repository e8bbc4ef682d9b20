use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::game::{Game, Note, Termination, random_game};

/// Reads the header and the games of a finished writer.
fn read_files(files: &WrittenFiles<Cursor<Vec<u8>>>) -> (Header, Vec<AnnotatedGame<Position>>) {
    let (first, records) = files.games.get_ref().split_first_chunk().unwrap();
    let header = Header::read(first).unwrap();
    assert_eq!(header.file_bytes(), files.games.get_ref().len() as u64);
    let names = Names {
        players: NameTable::read(&files.players, NameKind::Players).unwrap(),
        tournaments: NameTable::read(&files.tournaments, NameKind::Tournaments).unwrap(),
    };
    let games = records.as_chunks().0.iter().map(|record| read(record, &header, &names).unwrap()).collect();
    (header, games)
}

fn writer() -> Writer<Cursor<Vec<u8>>> {
    Writer::new(Cursor::new(Vec::new()), Date::new(2026, 1, 31).unwrap()).unwrap()
}

/// Writes games and reads them back.
fn rewrite(games: &[AnnotatedGame<Position>]) -> (Vec<AnnotatedGame<Position>>, LostData) {
    let mut writer = writer();
    games.iter().for_each(|game| writer.write(game).unwrap());
    let files = writer.finish().unwrap();
    (read_files(&files).1, files.losses)
}

fn assert_same(a: &AnnotatedGame<Position>, b: &AnnotatedGame<Position>) {
    assert_eq!((a.game.start(), a.game.moves(), &a.tags), (b.game.start(), b.game.moves(), &b.tags));
    assert_eq!(a.notes, b.notes);
}

#[test]
fn a_published_game_round_trips() {
    let game = read_game(&GAME).unwrap();
    let mut writer = writer();
    writer.write(&game).unwrap();
    let files = writer.finish().unwrap();
    let (written, games) = read_files(&files);
    assert_same(&games[0], &game);
    assert_eq!(written, Header { created: Date::new(2026, 1, 31).unwrap(), games: 1, ..header() });
    assert_eq!((&files.games.get_ref()[16 + 6..], files.losses), (&GAME[6..], LostData::default()));
    assert_eq!(&files.games.get_ref()[16..22], [1, 0, 1, 0, 2, 0]);
    let players = NameTable::read(&files.players, NameKind::Players).unwrap();
    assert_eq!([0, 1, 2].map(|number| players.get(number)), ["???", "#346", "#843"].map(Some));
    // A name file has no games, year or board size.
    assert_eq!(files.players[..16], [20, 26, 1, 31, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((files.players.len(), files.tournaments.len()), (16 + 3 * 20, 16 + 2 * 26));
}

/// Returns a game with changed tags or notes.
fn annotated(moves: &str, change: impl FnOnce(&mut AnnotatedGame<Position>)) -> AnnotatedGame<Position> {
    let mut game = AnnotatedGame::from(transcript::read::<8>(moves).unwrap());
    change(&mut game);
    game
}

fn points(points: f64) -> Option<GameResult> {
    Some(GameResult { points })
}

#[test]
fn unrepresentable_results_become_the_result_on_the_board() {
    let write = |moves: &str, result| {
        let (games, losses) = rewrite(&[annotated(moves, |game| game.tags.result = result)]);
        (games[0].tags.result.unwrap().points, losses.results)
    };
    assert_eq!(write(WIPE_OUT, None), (64.0, 0));
    assert_eq!(write(WIPE_OUT, points(-64.0)), (-64.0, 0), "a recorded result is kept");
    // After f5 Black has four discs and White one. With the 59 empty squares, Black's result is
    // +62.
    assert_eq!((write("f5", points(-10.0)), write("f5", None)), ((-10.0, 0), (62.0, 1)));
    for invalid in [1.0, 2.5, 66.0, -66.0, f64::NAN, f64::INFINITY] {
        assert_eq!(write("f5", points(invalid)), (62.0, 1));
        assert_eq!(write("f5d6", points(invalid)), (0.0, 1));
    }
    let lost = LostData { endings: 1, ..LostData::default() };
    let resigned = annotated("f5", |game| {
        (game.tags.result, game.tags.termination) = (points(6.0), Some(Termination::Resignation));
    });
    assert_eq!(rewrite(&[resigned]).1, lost);
}

#[test]
fn shortens_and_counts_names_that_do_not_fit() {
    let name = |black: &str, cup: &str| {
        annotated(WIPE_OUT, |game| {
            game.tags.names = [Some(black.to_owned()), None];
            game.tags.tournament = Some(cup.to_owned());
        })
    };
    let games = [
        name("1234567890123456789", "Préqualif Villeneuve d'As"),
        name("12345678901234567890", "Żółw\0"),
        name("12345678901234567890", "?ó?w?"),
        name("", "???"),
    ];
    let (read, losses) = rewrite(&games);
    assert_eq!(losses, LostData { names: 2, ..LostData::default() });
    let names = |game: &AnnotatedGame<Position>| (game.tags.names[0].clone(), game.tags.tournament.clone());
    let expected = |black: &str, cup: &str| (Some(black.to_owned()), Some(cup.to_owned()));
    assert_eq!(names(&read[0]), expected("1234567890123456789", "Préqualif Villeneuve d'As"));
    assert_eq!(names(&read[1]), expected("1234567890123456789", "?ó?w?"));
    assert_eq!((names(&read[2]), names(&read[3])), (names(&read[1]), (None, None)));
}

#[test]
fn numbers_no_more_names_than_the_header_can_count() {
    let mut writer = writer();
    for number in 1..=65_536 {
        writer.write(&annotated(WIPE_OUT, |game| game.tags.names[1] = Some(format!("{number}")))).unwrap();
    }
    let files = writer.finish().unwrap();
    let (_, games) = read_files(&files);
    let name = |game: usize| games[game - 1].tags.names[1].clone();
    assert_eq!((files.losses.names, name(65_534), name(65_535), name(65_536)), (2, Some("65534".into()), None, None));
}

#[test]
fn keeps_one_year_and_one_depth() {
    let game = |date: Option<&str>, theoretical: Option<(u32, i32)>| {
        annotated(WIPE_OUT, |game| {
            game.tags.date = date.map(str::to_owned);
            game.tags.theoretical = theoretical.map(|(empties, points)| TheoreticalResult { empties, points });
        })
    };
    let lost = |dates, theoretical| LostData { dates, theoretical, ..LostData::default() };
    assert_eq!(rewrite(&[game(None, None), game(None, None)]).1, lost(0, 0));
    let kept = game(Some("1977"), Some((24, -64)));
    assert_eq!(rewrite(&[kept.clone(), kept.clone()]).1, lost(0, 0));
    // Losses are counted the same way before and after the year and the depth are known.
    let cases = [
        (game(None, None), lost(1, 1)),
        (game(Some("1978"), Some((23, 0))), lost(1, 1)),
        (game(Some("1977-10-05"), Some((24, 66))), lost(1, 1)),
        (game(Some("77"), Some((24, 3))), lost(1, 1)),
    ];
    for (game, losses) in cases {
        let (games, found) = rewrite(&[kept.clone(), game.clone()]);
        assert_eq!(found, losses, "{:?}", game.tags);
        assert_eq!((games[1].tags.date.as_deref(), games[1].tags.theoretical.unwrap().points), (Some("1977"), 64));
        assert_eq!(rewrite(&[game, kept.clone()]).1, losses);
    }
    for date in ["19777", "15/12/2003", "0000", "é19", "١٩٧٧", ""] {
        assert_eq!(rewrite(&[game(Some(date), Some((0, 0)))]).1, lost(1, 1), "{date}");
    }
    assert_eq!(rewrite(&[game(Some("2003.12.15_12:33:18.MST"), Some((61, 0)))]).1, lost(1, 1));
}

#[test]
fn counts_lost_annotations_and_rejects_other_starts() {
    let noted = annotated(WIPE_OUT, |game| {
        game.notes = vec![Note { seconds: Some(1.0), ..Note::default() }; game.game.moves().len()]
    });
    let (_, losses) = rewrite(&[noted]);
    assert_eq!(losses, LostData { notes: 1, ..LostData::default() });
    assert_eq!((losses.to_string().as_str(), losses.is_empty()), ("games with notes: 1", false));
    assert_eq!(LostData::default().to_string(), "nothing");
    let mixed = LostData { names: 2, notes: 1, ..LostData::default() };
    assert_eq!(mixed.to_string(), "altered names: 2, games with notes: 1");

    let passed = [&WITH_PASSES[..2 * 57], "pa"].concat();
    let (games, losses) = rewrite(&[annotated(&passed, |game| game.tags.result = points(2.0))]);
    assert_eq!((games[0].game.moves().len(), losses), (57, LostData { last_passes: 1, ..LostData::default() }));

    let mut writer = writer();
    let later = AnnotatedGame::from(Game::new(*random_game::<Position>(1, 4).position()));
    assert!(matches!(writer.write(&later), Err(WriteWthorError::Start)));
    writer.write(&annotated(WIPE_OUT, |_| ())).unwrap();
    let files = writer.finish().unwrap();
    assert_eq!((read_files(&files).1.len(), files.losses), (1, LostData::default()));
}

#[test]
fn a_file_may_start_at_an_offset() {
    let mut out = Cursor::new(b"before".to_vec());
    out.set_position(6);
    let mut writer = Writer::new(out, Date::new(2026, 1, 31).unwrap()).unwrap();
    writer.write(&annotated(WIPE_OUT, |_| ())).unwrap();
    let out = writer.finish().unwrap().games;
    assert_eq!((out.position(), &out.get_ref()[..6], out.get_ref()[10]), (6 + 84, b"before".as_slice(), 1));
}

prop_compose! {
    /// Games of all lengths with everything that a file can represent, all with the same year and
    /// depth.
    fn whole_game()(
        seed: u64,
        plies in 0..70usize,
        score in 0..=64i32,
        theoretical in 0..=64i32,
        black in "[ -~¡-ÿ]{1,19}",
        white in "[ -~¡-ÿ]{1,19}",
        tournament in "[ -~¡-ÿ]{1,25}",
    ) -> AnnotatedGame<Position> {
        let mut game = random_game::<Position>(seed, plies);
        while game.moves().last() == Some(&Move::PASS) {
            game.undo();
        }
        let name = |name: String| Some(name).filter(|name| name != "???");
        let tags = Tags {
            names: [name(black), name(white)],
            ratings: [None; 2],
            tournament: name(tournament),
            date: Some("2004".into()),
            result: points(f64::from(2 * score - 64)),
            termination: None,
            theoretical: Some(TheoreticalResult { empties: 20, points: 2 * theoretical - 64 }),
            others: Vec::new(),
        };
        AnnotatedGame { tags, ..AnnotatedGame::from(game) }
    }
}

proptest! {
    #[test]
    fn games_round_trip(games in prop::collection::vec(whole_game(), 0..5)) {
        let mut writer = writer();
        games.iter().for_each(|game| writer.write(game).unwrap());
        let files = writer.finish().unwrap();
        prop_assert_eq!(files.losses, LostData::default());
        prop_assert!(detect(files.games.get_ref()));
        let (header, read) = read_files(&files);
        prop_assert_eq!(header.games as usize, games.len());
        read.iter().zip(&games).for_each(|(read, game)| assert_same(read, game));
    }

    /// Writes arbitrary tags twice: nothing is lost the second time.
    #[test]
    fn a_second_round_trip_loses_nothing(
        game in whole_game(),
        name: String,
        date: String,
        result: f64,
        empties: u32,
        theoretical: i32,
    ) {
        let mut game = game;
        game.tags.names[1] = Some(name.clone());
        game.tags.tournament = Some(name);
        game.tags.date = Some(date);
        game.tags.result = points(result);
        game.tags.theoretical = Some(TheoreticalResult { empties, points: theoretical });
        let (once, _) = rewrite(&[game]);
        let (twice, losses) = rewrite(&once);
        prop_assert_eq!(losses, LostData::default());
        assert_same(&once[0], &twice[0]);
    }

    #[test]
    fn damaged_games_do_not_panic(
        game in whole_game(),
        damage in prop::collection::vec((0..RECORD_BYTES, any::<u8>()), 0..4),
    ) {
        let mut writer = writer();
        writer.write(&game).unwrap();
        let mut file = writer.finish().unwrap().games.into_inner();
        for (offset, byte) in damage {
            file[HEADER_BYTES + offset] = byte;
        }
        let detected = detect(&file);
        let record = file[HEADER_BYTES..].first_chunk().unwrap();
        match read_game(record) {
            Ok(read) => {
                prop_assert!(detected, "a file with a valid game is detected");
                let placed = read.game.moves().iter().filter(|m| m.square().is_some()).count();
                prop_assert_eq!(placed, record[8..].iter().filter(|byte| **byte != 0).count());
            }
            Err(error) => prop_assert!((6..RECORD_BYTES).contains(&error.offset)),
        }
    }
}
