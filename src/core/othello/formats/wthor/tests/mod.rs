mod write;

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;

use super::*;
use crate::game::{AnnotatedGame, GameResult, Tags, TheoreticalResult};
use crate::othello::formats::{result, transcript};
use crate::othello::{IllegalReason, Move, Position};

/// The first game of the published WTH_1977.wtb, from the first world championship: Inoue (346)
/// against Heiberg (843), 34 to 30. Best play from 24 empty squares gives 41 to 23.
const GAME: [u8; RECORD_BYTES] = [
    1, 0, 90, 1, 75, 3, 34, 41, 56, 64, 33, 36, 46, 34, 43, 67, 66, 65, 53, 63, 74, 84, 75, 57, 35, 24, 47, 38, 76, 52,
    58, 37, 42, 62, 83, 82, 73, 85, 86, 87, 48, 68, 25, 14, 13, 31, 61, 51, 15, 26, 77, 23, 41, 88, 21, 72, 16, 32, 12,
    22, 78, 71, 81, 11, 17, 27, 28, 18,
];

/// The moves of this game.
const MOVES: &str = "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5e1f2g7c2a4h8a2b7f1b3b1b2h7a7\
                     a8a1g1g2h2h1";

/// A game that Black wins with the ninth move by flipping White's last discs.
const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

/// A game in which moves 58 and 59 each follow a pass.
const WITH_PASSES: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5g3f7g4d8h6d2g6c2f8h5h4a7c6e2e1f1g1f2d1h2a5c7h3h7c8e8a6a4b7c1b1b2g2g7h8g8h1b8a2\
                           a1a3a8b4b3";

fn header() -> Header {
    let created = Date::new(2007, 5, 22).unwrap();
    Header { created, games: 12, names: 0, year: 1977, board_size: 8, kind: 0, depth: 24 }
}

fn read_game(record: &[u8; RECORD_BYTES]) -> Result<AnnotatedGame<Position>, ParseWthorError> {
    read(record, &header(), &Names::default())
}

/// Returns the record of [`GAME`] with other moves.
fn record(moves: &[u8]) -> [u8; RECORD_BYTES] {
    let mut record = [0; RECORD_BYTES];
    record[..8].copy_from_slice(&GAME[..8]);
    record[8..8 + moves.len()].copy_from_slice(moves);
    record
}

fn error(moves: &[u8]) -> (usize, WthorErrorKind) {
    let error = read_game(&record(moves)).unwrap_err();
    (error.offset, error.problem)
}

/// Returns the contents of a name file.
fn name_file(kind: NameKind, names: &[&[u8]]) -> Vec<u8> {
    let mut file = vec![20, 26, 2, 16, 0, 0, 0, 0, names.len() as u8, 0, 0, 0, 0, 0, 0, 0];
    for name in names {
        file.extend_from_slice(name);
        file.resize(file.len() + kind.record_bytes() - name.len(), 0);
    }
    file
}

#[test]
fn reads_a_published_game() {
    let game = read_game(&GAME).unwrap();
    assert_eq!(game.game.moves(), transcript::read::<8>(MOVES).unwrap().moves());
    let tags = Tags {
        names: ["#346", "#843"].map(|name| Some(name.to_owned())),
        ratings: [None; 2],
        tournament: Some("#1".into()),
        date: Some("1977".into()),
        result: Some(GameResult { points: 4.0 }),
        termination: None,
        theoretical: Some(TheoreticalResult { empties: 24, points: 18 }),
        others: Vec::new(),
    };
    assert_eq!((&game.tags, result::check_result(&game)), (&tags, Ok(())));
    let unknown = read(&GAME, &Header { year: 0, depth: 0, ..header() }, &Names::default()).unwrap().tags;
    assert_eq!((unknown.date, unknown.theoretical), (None, None));
}

#[test]
fn moves_are_read_without_passes_and_played_with_them() {
    let game = transcript::read::<8>(WITH_PASSES).unwrap();
    let with_passes = record(&squares(WITH_PASSES));
    let (played, position) = play(&with_passes).unwrap();
    assert_eq!((&*played, &position), (game.moves(), game.position()));
    let stored: Vec<_> = played.into_iter().filter(|&m| m != Move::PASS).collect();
    assert_eq!((moves(&with_passes).unwrap(), stored.len()), (stored, 60));
    // Squares that cannot be played are accepted as moves.
    let twice = record(&[56, 56]);
    assert_eq!(moves(&twice).unwrap().len(), 2);
    assert!(play(&twice).is_err());
}

#[test]
fn finds_names_by_number() {
    let players = name_file(NameKind::Players, &[b"???", b"Tastet Marc", b"", b"12345678901234567890"]);
    let players = NameTable::read(&players, NameKind::Players).unwrap();
    let names = ["???", "Tastet Marc", "", "12345678901234567890"];
    assert_eq!([0, 1, 2, 3].map(|number| players.get(number).unwrap()), names);
    assert_eq!((players.get(4), players.len(), players.is_empty()), (None, 4, false));
    let tournaments = name_file(NameKind::Tournaments, &[b"Diverses parties", b"Championnat de Su\xe8de\0x"]);
    let tournaments = NameTable::read(&tournaments, NameKind::Tournaments).unwrap();
    let names = Names { players, tournaments };
    let tags = |numbers: [u8; 6]| {
        let mut record = GAME;
        record[..6].copy_from_slice(&numbers);
        let tags = read(&record, &header(), &names).unwrap().tags;
        [tags.tournament, tags.names[0].clone(), tags.names[1].clone()].map(|name| name.unwrap_or_default())
    };
    assert_eq!(tags([1, 0, 1, 0, 0, 0]), ["Championnat de Suède", "Tastet Marc", ""]);
    assert_eq!(tags([2, 0, 2, 0, 1, 1]), ["#2", "", "#257"]);
}

#[test]
fn rejects_invalid_name_files() {
    let read = |bytes: &[u8]| NameTable::read(bytes, NameKind::Players).unwrap_err().to_string();
    let file = name_file(NameKind::Players, &[b"a", b"b"]);
    assert_eq!(read(&file[..9]), "expected a header of 16 bytes, found 9 bytes");
    assert_eq!(read(&file[..55]), "expected 56 bytes for 2 names of 20 bytes, found 55");
    assert_eq!(
        NameTable::read(&file, NameKind::Tournaments),
        Err(NameTableError::Size { names: 2, record_bytes: 26, expected: 68, found: 56 })
    );
    assert_eq!(read(&[b' '; 56]), "not a WTHOR file: bytes 0 to 3 are not a date");
}

#[test]
fn reads_the_name_files_beside_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("Mine.wtb");
    let beside = || Names::read_beside(&games).unwrap();
    assert_eq!(beside(), Names::default());
    let write =
        |name: &str, kind, names: &[&[u8]]| fs::write(folder.path().join(name), name_file(kind, names)).unwrap();
    write("WTHOR.JOU", NameKind::Players, &[b"published"]);
    assert_eq!(beside().players.get(0), Some("published"));
    write("wth.Jou", NameKind::Players, &[b"from all"]);
    write("WTH.TRN", NameKind::Tournaments, &[b"cup"]);
    assert_eq!((beside().players.get(0), beside().tournaments.get(0)), (Some("from all"), Some("cup")));
    write("MINE.jou", NameKind::Players, &[b"own"]);
    fs::create_dir(folder.path().join("mine.trn")).unwrap();
    assert_eq!((beside().players.get(0), beside().tournaments.get(0)), (Some("own"), Some("cup")));
    fs::write(folder.path().join("MINE.jou"), "none").unwrap();
    let error = Names::read_beside(&games).unwrap_err();
    assert_eq!(error.file, folder.path().join("MINE.jou"));
    assert!(matches!(error.source, NamesErrorSource::Table(NameTableError::TooShort(4))));
    assert_eq!(Names::read_beside(&folder.path().join("nowhere/x.wtb")).unwrap(), Names::default());
}

#[test]
fn headers_round_trip() {
    let bytes = [20, 7, 5, 22, 12, 0, 0, 0, 0, 0, 0xb9, 7, 8, 0, 24, 0];
    assert_eq!((Header::read(&bytes), header().write(), header().file_bytes()), (Ok(header()), bytes, 832));
    let with = |index: usize, byte| {
        let mut bytes = bytes;
        bytes[index] = byte;
        Header::read(&bytes)
    };
    assert_eq!(with(12, 0), Ok(Header { board_size: 0, ..header() }));
    assert_eq!(with(12, 10), Err(HeaderError::BoardSize(10)));
    assert_eq!((with(13, 1), with(13, 2)), (Err(HeaderError::Solitaires), Err(HeaderError::Kind(2))));
    for (index, byte) in [(0, 100), (1, 100), (2, 13), (3, 32)] {
        assert_eq!(with(index, byte), Err(HeaderError::Date));
    }
    assert_eq!(with(7, 255).map(|header| header.file_bytes()), Ok(16 + 68 * (255 << 24 | 12)));
}

#[test]
fn computes_dates_from_unix_time() {
    let day = |days: u64| Date::of(UNIX_EPOCH + Duration::from_secs(days * 86_400 + 86_399)).to_string();
    assert_eq!(
        (day(0), day(58), day(59), day(365)),
        ("1970-01-01".into(), "1970-02-28".into(), "1970-03-01".into(), "1971-01-01".into())
    );
    assert_eq!((day(11_016), day(11_017)), ("2000-02-29".into(), "2000-03-01".into()));
    assert_eq!(day(20_000_000), "9999-12-31");
    assert_eq!((Date::new(10_000, 1, 1), Date::new(2000, 13, 1), Date::new(2000, 1, 32)), (None, None, None));
}

#[test]
fn reports_where_a_record_is_invalid() {
    let mut wrong = GAME;
    wrong[6] = 65;
    assert_eq!(
        read_game(&wrong).unwrap_err().to_string(),
        "byte 6 of the record: the score 65 is out of range (0 to 64 discs)"
    );
    (wrong[6], wrong[7]) = (64, 99);
    assert_eq!(read_game(&wrong).unwrap_err(), ParseWthorError { offset: 7, problem: WthorErrorKind::Theoretical(99) });
    for byte in [1, 9, 10, 19, 89, 90, 255] {
        assert_eq!(error(&[56, byte]), (9, WthorErrorKind::NotASquare { byte, ply: 2 }));
    }
    let illegal = |m, ply, reason| WthorErrorKind::IllegalMove { m: Move::from_text(m).unwrap(), ply, reason };
    assert_eq!(error(&[11]), (8, illegal("a1", 1, IllegalReason::FlipsNothing)));
    assert_eq!(error(&[56, 64, 64]), (10, illegal("d6", 3, IllegalReason::Occupied)));
    assert_eq!(error(&[56, 64, 0, 0, 33]), (12, WthorErrorKind::MoveAfterEnd(33)));
    let mut over: Vec<u8> = squares(WIPE_OUT);
    assert!(read_game(&record(&over)).unwrap().game.end().is_some());
    over.push(11);
    assert_eq!(error(&over), (17, illegal("a1", 10, IllegalReason::Over)));
}

/// Returns the bytes of a transcript's moves.
fn squares(transcript: &str) -> Vec<u8> {
    transcript.as_bytes().chunks(2).map(|square| 10 * (square[1] - b'0') + square[0] - b'a' + 1).collect()
}

#[test]
fn inserts_forced_passes() {
    let read = read_game(&record(&squares(WITH_PASSES))).unwrap();
    assert_eq!((read.game.moves().len(), read.game.moves()[57], read.game.moves()[59]), (62, Move::PASS, Move::PASS));
    assert_eq!(read.game.moves(), transcript::read::<8>(WITH_PASSES).unwrap().moves());
    assert_eq!(result::check_result(&read), Err(result::ResultMismatch { recorded: 4.0, board: 32 }));
}

#[test]
fn detects_game_files() {
    let file = [header().write().as_slice(), &GAME, &record(&[]), &record(&[34, 33])].concat();
    for bytes in [16, 20, 24, 25, 26, 84, 85, 160, file.len()] {
        assert!(detect(&file[..bytes]), "{bytes}");
    }
    assert!(!detect(&file[..15]));
    let with = |index: usize, byte| {
        let mut file = file.clone();
        file[index] = byte;
        detect(&file)
    };
    // Games on other boards and solitaires are detected, so that the reader can report them.
    assert!([(12, 0), (12, 6), (12, 10), (13, 1), (13, 2), (84, 0)].into_iter().all(|(index, byte)| with(index, byte)));
    // A file with an invalid game is still a WTHOR file.
    assert!(with(24, 11) && with(25, 56) && with(161, 1));
    let wrong = [(0, 18), (0, 22), (1, 100), (2, 0), (2, 13), (3, 0), (3, 32), (12, 21)];
    for (index, byte) in wrong {
        assert!(!with(index, byte), "{index}");
    }
    // Bytes after the counted games do not prevent detection.
    assert!(detect(&[file[..4].to_vec(), vec![2], file[5..].to_vec(), vec![7; 68]].concat()));
    for kind in [NameKind::Players, NameKind::Tournaments] {
        let names = name_file(kind, &[b"???", b"Tastet Marc"]);
        let error = (format().open)(&names[..16], None).err().unwrap().to_string();
        assert!(detect(&names) && error.starts_with("the file contains 2 player or tournament names"), "{error}");
    }
    let none = Header { games: 0, ..header() }.write();
    assert!(detect(&none) && detect(&[none.as_slice(), b"x"].concat()));
    for text in [
        "f5d6c3d3c4f4f6f3e6e7",
        "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t",
        "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
        "(;GM[Othello]PC[morello]",
    ] {
        assert!(!detect(text.as_bytes()), "{text}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        small in prop::collection::vec(0..24u8, 16),
    ) {
        for bytes in [&bytes, &small, &[small.as_slice(), &bytes].concat()] {
            let read = bytes.first_chunk().map(Header::read);
            if detect(bytes) {
                // A detected file has a valid header, or a header of another kind of file.
                prop_assert!(matches!(
                    read,
                    Some(Ok(_) | Err(HeaderError::BoardSize(_) | HeaderError::Solitaires | HeaderError::Kind(_)))
                ));
            }
            if let Some(first) = bytes.first_chunk()
                && let Ok(header) = Header::read(first)
            {
                prop_assert_eq!(&header.write()[..15], &first[..15]);
            }
            for kind in [NameKind::Players, NameKind::Tournaments] {
                if let Ok(table) = NameTable::read(bytes, kind) {
                    prop_assert_eq!(bytes.len(), 16 + table.len() * kind.record_bytes());
                }
            }
        }
        if let Some(record) = bytes.first_chunk() {
            prop_assert!(read_game(record).map_or_else(|error| error.offset < RECORD_BYTES, |_| true));
        }
    }
}
