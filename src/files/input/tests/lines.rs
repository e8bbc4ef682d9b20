//! Tests of lines: labels, comments, and multi-line games.

use morello_core::games;

use super::*;

/// Returns the ignored parts of the text of each record, with their places.
fn left_out(text: &str) -> Vec<String> {
    let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    let note = |record: &Record| match &record.content {
        Ok(content) => unread_note(0, content.unread()).unwrap_or_default(),
        Err(_) => "error".to_owned(),
    };
    records.iter().map(note).collect()
}

#[test]
fn headings_are_labels_or_left_out() {
    let names = |text: &str| {
        let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
        let games = records.into_iter().flat_map(|record| record.into_games().unwrap());
        games.map(|game| game.tags.names.map(Option::unwrap_or_default).join("/")).collect::<Vec<_>>()
    };
    let text = "Anna - Maria 6-10\n\nc4d2\nPartie 2\n12.05.2024\nBlack: Bob\nWhite: Eva\nc4\nb1\n";
    assert_eq!(names(text), ["Anna/Maria", "Bob/Eva", "/"]);
    assert_eq!(left_out(text), ["", "", ""]);
    assert_eq!(
        left_out(&format!("My games, spring 2024\n\nb1\nEndgames:\n{START}\n(;GM[Othello]")),
        ["line 1, column 1: left out: `My games, spring 2024`", "line 4, column 1: left out: `Endgames:`", "error"]
    );
    // The heading of an invalid game is not the label of the next one.
    assert_eq!(left_out("Anna - Maria\nb1b1\nb1"), ["error", "line 1, column 1: left out: `Anna - Maria`"]);
    assert_eq!(names("b1 Anna - Maria\n[Black \"Eva\"]\n\n1. b1 *"), ["Anna/Maria", "Eva/"]);
    // Words without a game are an error.
    let places = |text: &[u8]| read(text).into_iter().map(|(line, read)| (line, read.is_err())).collect::<Vec<_>>();
    assert_eq!(places(b"Anna - Maria\n"), [(1, true)]);
    assert_eq!(places(b"b1\nThe end of it\nof all"), [(1, false), (2, true), (3, true)]);
    // The headings of a line that is not UTF-8, or is JSON, belong to it.
    assert_eq!(places(b"Anna - Maria\nb1\xff\nb1\n"), [(2, true), (3, false)]);
    assert_eq!(places(b"Anna - Maria\n\"b1\""), [(2, false)]);
    assert_eq!(left_out("Anna - Maria\n\"b1\""), ["line 1, column 1: left out: `Anna - Maria`"]);
}

#[test]
fn a_line_that_is_no_game_may_continue_one() {
    let moves = "c4d2b1b4a4a1";
    for end in ["a4a1", "a4 a1 4-12", "a4\na1\n"] {
        let text = format!("c4d2b1b4\n{end}");
        let records = read(text.as_bytes());
        assert_eq!((records.len(), records[0].1.as_deref().ok()), (1, Some(moves)), "{text}: {records:?}");
        assert!(left_out(&text)[0].starts_with("line 2, column 1: read as more moves"), "{text}");
    }
    for text in ["c4d2\nc4d2", "c4d2b1b4\n\na4a1", "c4d2b1b4\nc4", "c4d2 4-12\nb1b4", "c4d2b1b4\n% a\na4a1"] {
        assert_eq!(read(text.as_bytes()).len(), 2, "{text}");
    }
}

#[test]
fn lists_of_several_lines_may_have_labels_and_passes() {
    let moves = "c4b4a2d4a1b1a3";
    for text in [
        "1. c4 b4\n2. a2 d4\n3. pass a1\n4. b1 a3\n",
        "Anna - Bob: 1. c4 b4\n2. a2 d4\n3. -- a1\n4. b1 a3\n",
        "2024-05-31: 1. c4 b4\n2. a2 d4\n3. a1\n\n4. b1 a3\n",
        "c4\nb4\na2\nd4\n--\na1\nb1\na3\n",
        "c4\nb4\na2\nd4\nPA\na1\nb1\na3\n",
        "c4\nb4\na2\nd4\na1\nb1\na3\n",
        "Black: c4\nWhite: b4\nBlack: a2\nWhite: d4\nBlack: --\nWhite: a1\nBlack: b1\nWhite: a3\n",
        "c4b4a2d4--a1b1a3",
    ] {
        let records = read(text.as_bytes());
        assert_eq!((records.len(), records[0].1.as_deref().ok()), (1, Some(moves)), "{text}: {records:?}");
    }
    // These numbers count games, not moves.
    assert_eq!(read(b"1. c4 b4 a2\n2. c4 d2\n").len(), 2);
}

#[test]
fn lines_of_one_move_each_are_games_and_said_to_be() {
    let said = "line 1, column 1: read as a game of one move, like the next line";
    let notes = left_out("b1\nc4\nb1");
    assert!(notes[0].starts_with(said) && notes[1..] == ["", ""], "{notes:?}");
    for text in ["b1", "b1\nc4d2", "b1 Anna - Bob\nb1", "b1\n\nc4", "c4d2b1b4\nb1\n"] {
        assert!(left_out(text).iter().all(|note| !note.contains("one move")), "{text}");
    }
}

#[test]
fn moves_of_another_game_are_told_apart() {
    let error = |game: &str, text: &str| {
        let mut reader = Reader::of(games::get(game).unwrap(), Input::Text(text.to_owned())).unwrap();
        reader.find_map(|record| record.unwrap().content.err()).unwrap().to_string()
    };
    assert!(error("othello", "d2 d6 f4 b4").contains("; is this a game of nine-mens-morris"));
    assert!(error("nine-mens-morris", "f5d6c3d3c4").ends_with("; is this a game of othello?"));
    // A format may say so itself.
    assert_eq!(error("othello-6x6", "[Black \"A\"]\n\n1. f5 d6\n").matches("is this a game of").count(), 1);
    for text in ["f5f5", "d2", "hello"] {
        assert!(!error("othello", text).contains("is this"), "{text}");
    }
}

#[test]
fn lines_of_one_move_are_a_game() {
    // Each line could be a game of its own.
    let of = |game: &str, text: &str| {
        let reader = Reader::of(games::get(game).unwrap(), Input::Text(text.to_owned())).unwrap();
        let lengths = reader.map(|record| record.unwrap().into_games().unwrap()[0].game.moves().len());
        lengths.collect::<Vec<_>>()
    };
    let nine = "nine-mens-morris-flying";
    assert_eq!(of("othello", "f5\nd6\nc3\nd3\nc4\nf4\nf6\nf3\ne6\ne7"), [10]);
    // Any first moves of mills could follow each other.
    assert_eq!((of(nine, "d2\nd6\nf4\nb4"), of(nine, "d2 d6\nf4 b4\ng7")), (vec![1; 4], vec![2, 2, 1]));
    assert_eq!((of("othello", "f5\nf5\nf5"), of("othello", "f5\nd3\nc4")), (vec![1; 3], vec![1; 3]));
    assert_eq!((of("othello", "f5d6c3\nd3"), of("othello", "f5\nd6c3\nd3")), (vec![3, 1], vec![3, 1]));
    assert_eq!((of("othello", "f5 Eva\nd3"), of("othello", "f5\n\nd3")), (vec![1, 1], vec![1, 1]));
}

#[test]
fn skips_but_counts_blank_lines_and_comments() {
    let expected = [good(2, START), good(5, "b1")];
    for end in ["\n", "\r\n"] {
        let text = ["% a", &format!("  {START}; # said"), "", " \t", "b1"].join(end);
        assert_eq!(read(text.as_bytes()), expected);
        assert_eq!(read(format!("\u{feff}{text}{end}").as_bytes()), expected);
    }
    assert_eq!(read(b""), []);
    assert_eq!(read(b"# no more\n\n"), []);
}

#[test]
fn continues_after_lines_that_are_not_text() {
    let bytes = [START.as_bytes(), b"\n  ab\xff\n\xe9 % comment\nb1 % caf\xe9\n"].concat();
    assert_eq!(places(&read(&bytes)), [(1, None), (2, Some((2, 5))), (3, Some((3, 1))), (4, None)]);
    let mut bytes = vec![b'x'; MAX_RECORD_BYTES];
    bytes.extend(b"\r\n");
    bytes.extend(vec![b'y'; 5 * MAX_RECORD_BYTES]);
    bytes.extend(b"\nb1 % ");
    bytes.extend(vec![b'y'; 5 * MAX_RECORD_BYTES]);
    let said = read(&bytes);
    assert_eq!(places(&said), [(1, Some((1, 18))), (2, Some((2, 1))), (3, None)]);
    assert!(matches!(&said[1].1, Err((_, _, text)) if text.contains("longer than")));
}

#[test]
fn reads_games_that_span_lines() {
    let text = "1 (;GM[Othello]PB[a # b]\n  BO[4 -----O*--*O----- *]\nB[b1]W[a1]\n;)\nb1\n(;BO[4 \
        -----O*--*O----- *]\nB[b1]W[b1];)\n";
    let said = read(text.as_bytes());
    assert_eq!(said[..2], [good(1, "b1a1"), good(5, "b1")]);
    assert_eq!(places(&said[2..]), [(6, Some((7, 8)))]);
    let two = "2 (;BO[4 -----O*--*O----- *]B[b1];)(;BO[4 -----O*--*O----- *]B[d3];)";
    assert_eq!(read(two.as_bytes()), [good(1, "b1 | d3")]);
}

#[test]
fn a_requested_format_reads_every_line() {
    let form = || InputFormat::default().named(any_game::<Othello4>(), "board").unwrap();
    let said = said_of(&read_with::<Othello4>(format!("{START}\nb1\n{START};\n").as_bytes(), &form()).0);
    assert_eq!(places(&said), [(1, None), (2, Some((2, 2))), (3, Some((3, 19)))]);
    let said = said_of(&read_with::<Nine>(b"9,9 - - W\n0,0 a7 b2 B\n", &InputFormat::default()).0);
    assert_eq!(said[0], good(1, "9,9 - - W"));
}

#[test]
fn a_comment_in_braces_may_begin_a_file() {
    assert_eq!(read(b"{opening} 1. b1 a1\nb1\n"), [good(1, "b1a1"), good(2, "b1")]);
    assert!(refused::<Othello4>(b"{}\n{\"id\":1}\n", &InputFormat::default()).contains("no column"));
}

#[test]
fn a_bad_game_does_not_affect_others() {
    let good_game = "(;BO[4 -----O*--*O----- *]B[b1];)";
    let said = read(format!("(;GM[Othello]BO[4 -----O*--*O----- *]B[b1\n\n{good_game}\n{good_game}\n").as_bytes());
    assert_eq!(
        (places(&said), &said[1..]),
        (vec![(1, Some((1, 38))), (3, None), (4, None)], &[good(3, "b1"), good(4, "b1")][..])
    );
    let said = read(format!("2 {good_game} (;BO[4 -----O*--*O----- *]B[d4];)\n{good_game}\n").as_bytes());
    assert_eq!((&said[0], places(&said)), (&good(1, "b1"), vec![(1, None), (1, Some((1, 65))), (2, None)]));
    // Names may contain characters that start comments.
    let text = "(;PB[a}#b]PW[c[d#e]BO[4 -----O*--*O----- *]B[b1];)";
    let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    let Ok(ParsedRecord::Games(games)) = &records[0].content else { panic!("{records:?}") };
    assert_eq!(games[0].tags.names, ["a}#b", "c[d#e"].map(|name| Some(name.to_owned())));
}

#[test]
fn reads_multi_line_mill_games() {
    let read = |text: &str| said_of(&read_with::<Nine>(text.as_bytes(), &InputFormat::default()).0);
    assert_eq!(
        read("1. d6 f4\n2. d2 b4\n3. g7 a7\n1. a1 a4\nd6 f4\n"),
        [good(1, "d6 f4 d2 b4 g7 a7"), good(4, "a1 a4"), good(5, "d6 f4")]
    );
    assert_eq!(places(&read("d6\n2. f4\n")), [(1, None), (2, Some((2, 1)))]);
    let blank = format!("[White \"a\"]{}1. 5 13\n[White \"a\"]\n1. 5 {{13 # a\n # 7}} 7", "\n".repeat(60_000));
    assert_eq!(read(&blank), [good(1, "d6 e4"), good(60_002, "d6 c5")]);
}

#[test]
fn reads_the_moves_in_links() {
    let links = "https://www.eothello.com/#b1a1\nhttp://a.b/?x=1&moves=B1+A1\nWWW.a.b#moves=b1%20a1 # text\n";
    assert_eq!(read(links.as_bytes()), [good(1, "b1a1"), good(2, "b1a1"), good(3, "b1a1")]);
    let links =
        ["https://www.eothello.com/game/123", "https://a/#how-to-play", "https://a/?p=b1a1#b1a1a2", "https://a"];
    for link in links {
        let Err((line, column, error)) = read(link.as_bytes()).remove(0).1 else { panic!("{link} is read") };
        assert!((line, column) == (1, 1) && error.contains("paste the moves, such as `"), "{link}: {error}");
    }
    assert_eq!(read(b"id,moves\n1,https://a/#b1a1\n"), [good(2, "b1a1")]);
    assert_eq!(places(&read(b"b1 https://a/#b1a1")), [(1, Some((1, 4)))]);
}

#[test]
fn sgf_and_ggf_are_told_apart() {
    let sgf = "(;FF[4]GM[2]SZ[4]PB[Anna % 1]\n;B[b1] # \n(;W[a1])\n(;W[c1]))\n(;GM[2];B[b1])(;GM[2];B[z9])\nb1a1\n";
    let ggf = "(;GM[Othello]PB[a]TY[4]BO[4 -----O*--*O----- *]B[b1];)\n";
    let said = read((sgf.to_owned() + ggf).as_bytes());
    assert_eq!(said[..2], [good(1, "b1a1"), good(5, "b1")]);
    assert!(matches!(&said[2], (5, Err((5, 25, error))) if error.contains("illegal move `z9`")), "{said:?}");
    assert_eq!(said[3..], [good(6, "b1a1"), good(7, "b1")]);
    let (records, _) = read_with::<Nine>(b"(;GM[5];W[d2];B[f4])\n(;GM[2];B[f5])\n", &InputFormat::default());
    assert!(records[0].content.is_ok());
    let error = records[1].content.as_ref().unwrap_err().to_string();
    assert_eq!(error, "the game is Othello (`GM[2]`), not Nine Men's Morris");
}

#[test]
fn a_result_or_a_number_alone_is_a_part_of_a_label() {
    let points = |text: &str| {
        let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
        let games = records.into_iter().flat_map(|record| record.into_games().unwrap());
        games.map(|game| game.tags.result.map(|result| result.points)).collect::<Vec<_>>()
    };
    assert_eq!(points("6-10\nc4d2"), [Some(-4.0)]);
    assert_eq!(points("c4d2\n(6:10)\nb1"), [Some(-4.0), None]);
    assert_eq!(points("#1\nc4d2\n#2 Anna - Bob: b1"), [None, None]);
    assert_eq!(points("6-10\nc4d2\n10-6\nb1"), [Some(-4.0), Some(4.0)]);
    assert_eq!(
        left_out("c4d2 14:30"),
        ["column 6: left out: `14:30`, which is not certainly the result"]
            .map(|note| note.replace("column", "line 1, column"))
    );
}

#[test]
fn a_numbered_game_goes_on_after_a_blank_line_or_within_a_pair() {
    for text in ["1. c4 d2\n\n2. b1 b4", "1. c4 d2 2.\nb1 b4", "1. c4\nd2 2. b1 b4", "1. c4 d2\n \n\n2. b1 b4"] {
        assert_eq!(read(text.as_bytes()), [good(1, "c4d2b1b4")], "{text}");
    }
    for text in ["1. c4 d2\n\n1. c4 d2", "1. c4 d2\n\n10-6\nc4", "1. c4 d2\n\nc4 d2"] {
        assert_eq!(read(text.as_bytes()).len(), 2, "{text}");
    }
}

#[test]
fn signs_of_comments_may_be_in_names() {
    let names = |text: &str| {
        let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
        let games = records.into_iter().flat_map(|record| record.into_games().unwrap());
        games.map(|game| game.tags.names.map(Option::unwrap_or_default).join("|")).collect::<Vec<_>>()
    };
    assert_eq!(names("AC//DC - Bob: b1"), ["AC//DC|Bob"]);
    assert_eq!(names("Anna // Eva - Bob #2: b1"), ["Anna // Eva|Bob #2"]);
    assert_eq!(names("Anna - Bob: b1 # b\n# Anna - Bob: b1"), ["Anna|Bob"]);
    assert_eq!(left_out("b1 // 6-10"), ["line 1, column 4: left out: `// 6-10`"]);
    assert_eq!(left_out("b1 # 6-10\nGame 1 # c4d2\nb1"), ["", ""]);
}

#[test]
fn moves_after_their_colors_are_a_game_of_mills() {
    let text = "White: d2\nBlack: d6\nWhite: f4\nSchwarz: b4";
    let (records, _) = read_with::<Nine>(text.as_bytes(), &InputFormat::default());
    assert_eq!(records.iter().map(said).collect::<Vec<_>>(), [good(1, "d2 d6 f4 b4")]);
    let (records, _) = read_with::<Nine>(b"White: d2\nWhite: d6", &InputFormat::default());
    assert!(records.iter().any(|record| record.content.is_err()));
}

#[test]
fn several_links_on_a_line_are_an_error() {
    let links = ["https://a/#b1a1", "https://a/?moves=b1a1"];
    assert_eq!(read(links.join("\n").as_bytes()), [good(1, "b1a1"), good(2, "b1a1")]);
    for separator in [" ", ", ", ";"] {
        let [(1, Err((1, 1, error)))] = &read(links.join(separator).as_bytes())[..] else { panic!("it is an error") };
        assert!(error.ends_with("several links; put each on a line of its own"), "{error}");
    }
}
