//! The rows of `morello analyze` on games: the players and the game of each position.

use std::fs;

use serde_json::Value;

use crate::{run, run_ok};

const GAME: &str = "f5d6c3d3";

fn rows(input: &str) -> Vec<Value> {
    crate::rows(&run_ok("analyze othello --depth 1 --format jsonl", input))
}

#[test]
fn a_row_names_the_players_and_the_game() {
    let game = "(;GM[Othello]PC[GGS]DT[2003-12-15]PB[anna]PW[bob]RB[1803.51]RW[1700]RE[-4]TY[8]\
                BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    for row in &rows(game) {
        let black = row["side"] == "black";
        let (player, opponent) = if black { ("anna", "bob") } else { ("bob", "anna") };
        assert_eq!((row["player"].as_str(), row["opponent"].as_str()), (Some(player), Some(opponent)), "{row}");
        let ratings = [&row["rating"], &row["opponent_rating"]].map(|rating| rating.as_f64().unwrap());
        assert_eq!(ratings, if black { [1803.51, 1700.0] } else { [1700.0, 1803.51] });
        assert_eq!((&row["date"], &row["event"]), (&"2003-12-15".into(), &"GGS".into()));
        assert_eq!((&row["result"], row["black_points"].as_f64()), (&"white".into(), Some(-4.0)));
        assert_eq!(row["empties"].as_u64(), Some(60 - row["ply"].as_u64().unwrap()));
    }
    // Positions alone have a side and empty squares.
    let row = &rows("---------------------------OX------XO--------------------------- X")[0];
    assert_eq!((&row["side"], &row["empties"], &row["player"]), (&"black".into(), &60.into(), &Value::Null));
}

#[test]
fn columns_of_a_table_of_games_fill_the_fields_of_the_rows() {
    let input = format!(
        "Date,event,result,black,white,white_elo,player,side,transcript\n1.2.03,Open,40-24,A,B,1750,x,y,{GAME}\n"
    );
    let row = &rows(&input)[0];
    let fields = ["date", "event", "result", "player", "opponent", "side"].map(|name| row[name].as_str().unwrap());
    assert_eq!(fields, ["1.2.03", "Open", "black", "A", "B", "black"]);
    assert_eq!((row["black_points"].as_f64(), row["opponent_rating"].as_f64()), (Some(16.0), Some(1750.0)));
    // Columns of another meaning or spelling are copied.
    let copied = ["Date", "input_player", "input_side", "black"].map(|name| row[name].as_str().unwrap());
    assert_eq!(copied, ["1.2.03", "x", "y", "A"]);
    // A result without a number of discs is still shown, and positions keep their columns.
    let row = &rows(&format!("result,transcript\nresigned,{GAME}\n"))[0];
    assert_eq!((&row["result"], &row["black_points"]), (&"resigned".into(), &Value::Null));
    let row = &rows("date,position\n1999,---------------------------OX------XO--------------------------- X\n")[0];
    assert_eq!(row["date"], "1999");
}

#[test]
fn no_two_fields_have_the_same_name() {
    let names = ["side", "empties", "date", "event", "result", "ply", "player", "opponent", "rating", "input_player"];
    let input = format!("{},transcript\n{},{GAME}\n", names.join(","), names.map(|name| format!("<{name}>")).join(","));
    let text = run_ok("analyze othello --depth 1 --format csv", &input);
    let head: Vec<_> = text.lines().next().unwrap().split(',').collect();
    let distinct: std::collections::HashSet<_> = head.iter().collect();
    assert_eq!(distinct.len(), head.len(), "{head:?}");
    // Every value of the input is in the row.
    let row = text.lines().nth(1).unwrap();
    assert!(names.iter().all(|name| row.contains(&format!("<{name}>"))), "{row}");
}

#[test]
fn the_table_has_the_columns_of_games_whatever_their_header() {
    let german = format!("Datum;Schwarz;Weiss;Ergebnis;Partie\n1.2.2003;Anna;Bob;40-24;{GAME}\n");
    for (more, input) in
        [("", format!("name,game\nA,{GAME}\n")), ("", german.clone()), (" --column Partie", german.clone())]
    {
        let text = run_ok(&format!("analyze othello --depth 1{more}"), &input);
        let head: Vec<_> = text.lines().next().unwrap().split_whitespace().collect();
        assert!(["game", "ply", "side", "played", "loss"].iter().all(|name| head.contains(name)), "{text}");
        // These headers are not known, so their columns are copied, and there are no players.
        assert!(!head.contains(&"player") && (input != german || head.contains(&"Schwarz")), "{text}");
    }
    let (_, text, _) = run("analyze othello --depth 1", &format!("black,white,transcript\nAnna,Bob,{GAME}\n"));
    assert!(text.lines().nth(1).unwrap().contains("  0  Anna              Bob               f5 "), "{text}");
    let (_, text, _) = run("analyze othello --depth 1", &format!("Anna - Bob: {GAME}\n"));
    assert!(text.lines().nth(2).unwrap().contains("  1  Bob               Anna              d6 "), "{text}");
}

#[test]
fn the_row_of_a_game_has_its_date_event_result_and_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.jsonl");
    let input = format!("date,event,result,black,black_rating,transcript\n2003,Open,40-24,Anna,1800,{GAME}\n");
    run_ok(&format!("analyze othello --depth 1 --game-rows {}", games.display()), &input);
    let row: Value = serde_json::from_str(&fs::read_to_string(games).unwrap()).unwrap();
    assert_eq!((&row["date"], &row["tournament"], &row["result"]), (&"2003".into(), &"Open".into(), &"black".into()));
    assert_eq!((row["black_rating"].as_f64(), &row["white_rating"]), (Some(1800.0), &Value::Null));
}

/// Analyzes games with a report and returns it.
fn report(arguments: &str, input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    run_ok(&format!("analyze {arguments} --report {}", file.display()), input);
    fs::read_to_string(file).unwrap()
}

#[test]
fn a_report_of_one_game_shows_its_mistakes() {
    // Black gives away a corner; the score is proved.
    let game = "date,event,black,white,transcript\n2001-02-03,Open,<Anna>,Bob,b1a1d3d2d1c1a2d4c4a3b4a4\n";
    let page = report("othello-4x4 --exact", game);
    assert!(page.contains("<h2>&lt;Anna&gt; (Black) – Bob (White)</h2>") && !page.contains("<Anna>"), "{page}");
    assert!(page.contains("2001-02-03 · Open · White won 9–7 · "), "{page}");
    let count = |text: &str| page.matches(text).count();
    // The proved part of the graph, here all of it, is shaded.
    assert_eq!((count("aria-label=\"score for Black by plies\""), count("opacity=\"0.14\"")), (1, 1));
    assert_eq!(
        (count("<svg class=\"board\""), count("<b class=\"mistake\">"), count("<b class=\"blunder\">")),
        (1, 0, 1)
    );
    assert!(
        page.contains(
            "<b class=\"blunder\">4. White d2??</b> gives the corner d1 away, loses 12<br>best c1 (+14): c1 "
        ),
        "{page}"
    );
    assert!(page.contains("<td></td><td>Black</td><td>pass</td>"), "{page}");
    // The page is complete: it needs no scripts and no network.
    assert!(!page.contains("<script") && !page.contains("http") && !page.contains("url("), "{page}");
}

#[test]
fn a_report_of_a_game_without_mistakes_or_end_is_complete() {
    let page = report("othello --depth 1", "f5\n");
    let texts = ["<h2>Game 1</h2>", "unfinished · 1 ply · -, line 1", "<p>No mistakes.</p>", "estimated"];
    assert!(texts.iter().all(|text| page.contains(text)), "{page}");
    let page = report("nine-mens-morris --depth 2", "d2 f4 d6 f2 1-0\n");
    assert!(page.contains("White won · 4 plies") && page.contains("20 % of a win"), "{page}");
    // Without losses there is nothing to grade.
    let page = report("othello --depth 1 --unique", "f5d6\n");
    assert!(page.contains("score for Black by plies") && !page.contains("No mistakes"), "{page}");
    // A step between win, draw and loss is a blunder.
    let page = report("othello-4x4 --wld", "b1c1d1\n");
    assert!(page.contains("<b class=\"blunder\">2. White c1??</b> misses the corner a1, loses 2<br>"), "{page}");
}

#[test]
fn a_report_of_many_games_has_no_section_for_each() {
    let sections = |games: usize| report("othello --depth 1", &"f5d6\n".repeat(games)).matches("<section").count();
    assert_eq!((sections(10), sections(11)), (10, 0));
}

#[test]
fn scores_have_an_error() {
    let errors = |game: &str, input: &str, options: &str| -> Vec<Value> {
        let (code, text, errors) = run(&format!("analyze {game} --format jsonl {options}"), input);
        assert_eq!(code, 0, "{errors}");
        let row = |line| serde_json::from_str::<Value>(line).expect("each line is an object");
        text.lines().map(|line| row(line)["score_error"].clone()).collect()
    };
    let discs = |options: &str| errors("othello", "f5d6c3d3c4f4f6\n", options)[0].as_f64().unwrap();
    assert!(0.0 < discs("--depth 6") && discs("--depth 6") < discs("--depth 1") && discs("--depth 1") < 20.0);
    // 14 empty squares: two solves and a search.
    let late = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\n";
    let late = |options: &str| errors("othello", late, options)[0].as_f64().unwrap();
    assert_eq!([late("--exact"), late("--depth 60 --confidence 100")], [0.0, 0.0]);
    assert!(late("--depth 4") > 2.0);
    // The errors were measured for the built-in weights of the 8x8 board.
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/src/core/data/weights/othello.network");
    let others = [
        errors("othello", "f5d6\n", &format!("--depth 3 --weights {weights}")),
        errors("othello-6x6", "e4\n", "--depth 3"),
    ];
    assert!(others.iter().all(|errors| !errors.is_empty() && errors.iter().all(Value::is_null)), "{others:?}");
}

#[test]
fn a_table_has_the_columns_of_its_inputs() {
    let header = |input: &str| {
        let (_, text, errors) = run("analyze othello --depth 1", input);
        (text.lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>(), errors)
    };
    let has = |input: &str, name: &str| header(input).0.iter().any(|column| column == name);
    for heading in ["My games, spring 2024", "Game 1", "Partie 1", "\u{feff}% \n???"] {
        let input = format!("{heading}\n\n{GAME}\nAnna - Bob: {GAME}\n");
        assert!(["played", "loss", "ply", "side", "player"].iter().all(|name| has(&input, name)), "{heading}");
    }
    let position = "---------------------------OX------XO--------------------------- X\n";
    assert!(!["played", "player", "agrees", "more"].iter().any(|name| has(position, name)));
    assert!(has("{\"moves\":\"f5d6\"}\n{\"moves\":\"f5f6\",\"white\":\"W\",\"elo\":1500}\n", "elo"));
    // What comes late is reported.
    let (columns, errors) = header(&(position.repeat(1500) + GAME + "\n"));
    assert!(!columns.contains(&"played".to_owned()) && errors.contains("line 1501: a game, for which"), "{errors}");
}

#[test]
fn columns_of_the_input_keep_their_types() {
    let position = "---------------------------OX------XO--------------------------- X";
    let input = format!("elo,share,won,day,id,position\n1500,0.50,true,2003-12-15,007,{position}\n,,,,8,{position}\n");
    let row = &rows(&input)[0];
    let names = ["elo", "share", "won", "day", "id"];
    assert_eq!(names.map(|name| row[name].to_string()), ["1500", "0.5", "true", "\"2003-12-15\"", "\"007\""]);
    let text = run_ok("analyze othello --depth 1 --format csv", &input);
    assert!(text.lines().nth(1).unwrap().starts_with("-,2,1500,0.50,true,2003-12-15,007,"), "{text}");
}

/// Returns a Parquet file without its footer, which says what made it.
fn parquet_pages(file: &str) -> Vec<u8> {
    let mut bytes = fs::read(file).unwrap();
    let length = &bytes[bytes.len() - 8..bytes.len() - 4];
    let footer = u32::from_le_bytes(length.try_into().unwrap()) as usize;
    bytes.truncate(bytes.len() - 8 - footer);
    bytes
}

#[test]
fn rows_of_an_analysis_are_copied_to_other_formats() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let input = format!("elo,moves\n1500,{GAME}\nunrated,f5f5\n");
    for extension in ["csv", "jsonl"] {
        let rows = at(&format!("rows.{extension}"));
        run(&format!("analyze othello --depth 1 --deterministic -o {rows}"), &input);
        let whole = at("whole.parquet");
        run(&format!("analyze othello --depth 1 --deterministic --force -o {whole}"), &input);
        run_ok(&format!("convert othello {rows} -o {} --force", at("copy.parquet")), "");
        assert!(parquet_pages(&at("copy.parquet")) == parquet_pages(&whole), "{extension}");
        run_ok(&format!("convert othello {rows} -o {} --force", at("copy.csv")), "");
        if extension == "csv" {
            assert_eq!(fs::read(at("copy.csv")).unwrap(), fs::read(&rows).unwrap());
        }
    }
}

#[test]
fn proved_values_of_the_book_replace_searches_unless_the_search_is_given() {
    for (options, source, exact) in [
        ("", "book", true),
        ("--exact", "book", true),
        ("--level 3", "book", true),
        ("--depth 2", "search", false),
        ("--nodes 100", "search", false),
        ("--depth 2 --use-book", "book", true),
        ("--level 3 --no-book", "search", false),
    ] {
        for game in ["nine-mens-morris", "nine-mens-morris-flying", "six-mens-morris"] {
            let start = morello::games::get(game).unwrap().start().to_string();
            let text = run_ok(&format!("analyze {game} {options} --format jsonl"), &start);
            let row = &crate::rows(&text)[0];
            assert_eq!((&row["source"], &row["exact"]), (&source.into(), &exact.into()), "{game} {options}");
        }
    }
    let text = run_ok("analyze three-mens-morris --depth 1 --format jsonl", "0,0 a1,a2,c3 b1,b2,c1 W\n");
    assert_eq!(crate::rows(&text)[0]["source"], "table");
}
