//! `morello analyze`.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};

use morello::game::Position as _;
use morello::othello;
use parquet::file::reader::SerializedFileReader;
use parquet::record::{Field, Row};
use serde_json::Value;

use crate::{assert_fails, morello, rows, run, run_ok, spawn};

/// The start on 4x4, a forced pass, and a finished game, with their expected scores.
const GOOD: &str = "\
% three positions
-----OX--XO----- X; a2:-10; b1:-10; c4:-10; d3:-10;
XO--------------O; PS:-16;  # a pass

XXXXXXXXXXXXXXOO X; +12;
";

/// Unfinished positions of random games, one per line.
fn positions(count: usize) -> String {
    let mut text = String::new();
    let mut position = othello::Position::default();
    let mut random = 1u64;
    for _ in 0..count {
        writeln!(text, "{position}").unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves: Vec<_> = position.legal_moves().collect();
        position.play_unchecked(moves[(random >> 33) as usize % moves.len()]);
        if position.is_over() {
            position = othello::Position::default();
        }
    }
    text
}

#[test]
fn valid_lines_produce_rows_and_statistics() {
    let (code, text, errors) = run("analyze othello-4x4 --exact --format jsonl", GOOD);
    assert_eq!(code, 0, "{errors}");
    let rows = rows(&text);
    let names: Vec<_> = [
        "file",
        "line",
        "position",
        "side",
        "empties",
        "game",
        "date",
        "event",
        "result",
        "black_points",
        "ply",
        "player",
        "opponent",
        "rating",
        "opponent_rating",
        "played",
        "loss",
        "best_move",
        "score",
        "exact",
        "source",
        "outcome",
        "lower",
        "upper",
        "depth",
    ]
    .into_iter()
    .chain([
        "confidence",
        "nodes",
        "time_ms",
        "pv",
        "moves",
        "note",
        "expected_score",
        "agrees",
        "score_agrees",
        "error",
    ])
    .collect();
    let mut offset = 0;
    for name in &names {
        offset += text.lines().next().unwrap()[offset..].find(&format!("\"{name}\":")).expect(name);
    }
    assert!(rows.iter().all(|row| row.as_object().unwrap().len() == names.len()));
    let field = |name: &str| rows.iter().map(|row| row[name].to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(field("file"), r#""-" "-" "-""#);
    assert_eq!(field("line"), "2 3 5");
    assert_eq!(field("score"), "-10 -16 12");
    assert_eq!(field("exact"), "true true true");
    assert_eq!(field("outcome"), r#""loss" "loss" "win""#);
    assert_eq!((field("lower"), field("upper")), ("-10 -16 12".into(), "-10 -16 12".into()));
    assert_eq!(field("moves"), "null null null");
    assert_eq!(field("expected_score"), "-10 -16 12");
    assert_eq!((field("agrees"), field("score_agrees")), ("true true null".into(), "true true true".into()));
    assert_eq!(field("error"), "null null null");
    assert!(rows[0]["best_move"].is_string() && rows[0]["time_ms"].is_f64());
    assert_eq!((&rows[1]["best_move"], &rows[1]["pv"]), (&"pa".into(), &"pa c1".into()));
    assert_eq!((&rows[2]["best_move"], &rows[2]["pv"]), (&Value::Null, &"".into()));
    assert_eq!(rows[1]["position"], "XO-------------- O");
    for part in ["positions  3\n", "exact      3: 1 won, 0 drawn, 2 lost\n", "move 2 of 2, score 3 of 3"] {
        assert!(errors.contains(part), "{errors}");
    }
}

#[test]
fn csv_has_the_same_fields_and_writes_null_as_an_empty_field() {
    let (code, text, _) = run("analyze othello-4x4 --depth 3 --format csv", "-----OX--XO----- X\n# nothing\noops X\n");
    assert_eq!(code, 1);
    let lines: Vec<_> = text.lines().collect();
    let header = "file,line,position,side,empties,game,date,event,result,black_points,ply,player,opponent,rating,opponent_rating,played,\
                  loss,best_move,score,exact,source,outcome,lower,upper,depth,confidence,nodes,time_ms,pv,moves,note,expected_score,";
    assert_eq!(lines[0], format!("{header}agrees,score_agrees,error"));
    assert!(
        lines[1].starts_with("-,1,-----OX--XO----- X,black,12,,,,,,,,,,,,,") && lines[1].ends_with(",,,,,,"),
        "{text}"
    );
    let error = format!("-,3,oops X{}\"line 3, column 3: expected 16 squares", ",".repeat(32));
    assert!(lines[2].starts_with(&error), "{text}");
}

#[test]
fn parquet_rows_equal_the_json_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.parquet");
    let input = format!("{GOOD}oops X\n");
    let arguments = "analyze othello-4x4 --exact --deterministic";
    let (code, text, _) = run(&format!("{arguments} --format jsonl"), &input);
    let (again, ..) = run(&format!("{arguments} --format parquet -o {}", file.display()), &input);
    assert_eq!((code, again), (1, 1));
    let reader = SerializedFileReader::try_from(&*file).unwrap();
    let as_json = |field| match field {
        Field::Null => Value::Null,
        Field::Str(text) => text.into(),
        Field::Bool(value) => value.into(),
        Field::Long(number) => number.into(),
        Field::Double(number) => number.into(),
        other => panic!("unexpected type: {other:?}"),
    };
    let object =
        |row: Row| row.into_columns().into_iter().map(|(name, field)| (name, as_json(field))).collect::<Value>();
    let read: Vec<_> = reader.into_iter().map(|row| object(row.unwrap())).collect();
    // Scores are floating-point numbers in Parquet, and it has no columns of games that are empty.
    let mut rows = rows(&text);
    for row in &mut rows {
        for name in ["score", "expected_score"] {
            row[name] = row[name].as_f64().into();
        }
        let of_games = [
            "game",
            "date",
            "event",
            "result",
            "black_points",
            "ply",
            "player",
            "opponent",
            "rating",
            "opponent_rating",
            "played",
            "loss",
        ];
        of_games.iter().for_each(|name| assert_eq!(row.as_object_mut().unwrap().remove(*name), Some(Value::Null)));
    }
    assert_eq!((read.len(), read), (4, rows));

    let mut command = morello();
    command.args(arguments.split(' ')).args(["--format", "parquet"]).write_stdin(input);
    assert_eq!(command.output().unwrap().stdout, fs::read(&file).unwrap());
}

#[test]
fn the_table_is_aligned_and_human_readable() {
    let (code, text, _) = run("analyze othello-4x4 --exact", GOOD);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((code, lines.len()), (0, 4));
    assert!(lines[0].starts_with("file  line  best_move    score  exact  depth"), "{text}");
    assert!(lines[3].starts_with("-        5  -               12  yes"), "{text}");
    let start = lines[0].find("pv").unwrap();
    assert!(lines[2][start..].starts_with("pa c1  "), "{text}");
}

#[test]
fn invalid_lines_produce_error_rows_and_processing_continues() {
    let input = b"-----OX--XO----- X; d4:+2;\n\xff\n-----OX--XO----- X extra\n-----OX--XO----- X\n".to_vec();
    let output = morello().args(["analyze", "othello-4x4", "--format", "jsonl"]).write_stdin(input).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let rows = rows(&String::from_utf8(output.stdout).unwrap());
    let errors: Vec<_> = rows.iter().map(|row| row["error"].as_str().unwrap_or("")).collect();
    assert_eq!(
        errors,
        [
            "line 1, column 21: illegal move `d4`",
            "line 2, column 1: not UTF-8 text",
            "line 3, column 20: unexpected text `extra` after the side to move",
            "",
        ]
    );
    assert_eq!(rows[0]["position"], "-----OX--XO----- X; d4:+2;");
    assert!(String::from_utf8(output.stderr).unwrap().contains("positions  1, and 3 bad lines\n"));
    let strict = run("analyze othello-4x4 --format csv --strict", "-----OX--XO----- X\nbad\n-----OX--XO----- X\n");
    assert_eq!((strict.0, strict.1.lines().count()), (1, 3));
}

#[test]
fn only_exact_disagreements_fail_the_run() {
    let line = "-----OX--XO----- X; a2:-8; b1:-8; c4:-8; d3:-8;\n";
    let (code, text, errors) = run("analyze othello-4x4 --exact --format jsonl", line);
    assert_eq!((code, &rows(&text)[0]["agrees"]), (1, &Value::Bool(false)));
    assert!(errors.contains("move 1 of 1, score 0 of 1, mean absolute error 2; 1 exact disagreement\n"), "{errors}");
    let (code, text, _) = run("analyze othello-4x4 --depth 1 --format jsonl", line);
    let row = &rows(&text)[0];
    assert_eq!((code, &row["exact"], &row["agrees"]), (0, &Value::Bool(false), &Value::Bool(true)));
    assert!(row["score"].is_f64());
}

#[test]
fn a_line_without_a_move_agrees_by_its_score_alone() {
    let lines = "-----OX--XO----- X; -8;\n-----OX--XO----- X; -10;\n-----OX--XO----- X; a2:-10;\n";
    let (code, text, errors) = run("analyze othello-4x4 --exact --format jsonl", lines);
    let rows = rows(&text);
    let agreement = |row: &Value| (row["agrees"].clone(), row["score_agrees"].clone());
    assert_eq!((agreement(&rows[0]), agreement(&rows[1])), ((Value::Null, false.into()), (Value::Null, true.into())));
    assert!(rows[2]["agrees"].is_boolean() && rows[2]["score_agrees"] == true, "{text}");
    // A wrong score fails the run, and so does another move than the only one named.
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains(" of 1, score 2 of 3, mean absolute error 0.667; "), "{errors}");
    let (code, _, errors) = run("analyze othello-4x4 --exact", "-----OX--XO----- X; -10;\n");
    assert!(code == 0 && errors.contains("expected   score 1 of 1, mean"), "{errors}");
}

#[test]
fn wld_reports_the_outcome_without_the_exact_score() {
    let (code, text, errors) = run("analyze othello-4x4 --wld --format jsonl", GOOD);
    let rows = rows(&text);
    for (row, outcome) in rows.iter().zip(["loss", "loss", "win"]) {
        assert_eq!((&row["outcome"], &row["score_agrees"]), (&outcome.into(), &true.into()), "{row}");
        let [score, lower, upper] = ["score", "lower", "upper"].map(|name| row[name].as_i64());
        assert!(
            outcome == "win" && lower > Some(0) || outcome == "loss" && upper < Some(0) && upper.is_some(),
            "{row}"
        );
        assert!(score == if outcome == "win" { lower } else { upper }, "{row}");
        assert_eq!(row["exact"] == true, lower == upper, "{row}");
    }
    assert!(errors.contains("positions  3\n") && errors.contains("; 0 exact disagreements"), "{errors}");
    assert_eq!(code, 0, "{errors}");
    // The wrong side is expected to win.
    let (code, text, _) = run("analyze othello-4x4 --wld --format jsonl", "-----OX--XO----- X; a2:+2;");
    assert_eq!((code, text.contains("\"agrees\":false")), (1, true), "{text}");
}

#[test]
fn a_window_search_reports_the_score_or_a_bound() {
    let row = |arguments: &str, start: &str| {
        let text = run_ok(&format!("analyze othello-4x4 --format jsonl {arguments}"), start);
        rows(&text).remove(0)
    };
    let start = "-----OX--XO----- X; a2:-10; b1:-10; c4:-10; d3:-10;";
    for arguments in ["--alpha -12 --beta -8", "--alpha -11", "--beta -9", "--exact"] {
        let row = row(arguments, start);
        assert_eq!((&row["score"], &row["exact"], &row["agrees"]), (&(-10).into(), &true.into(), &true.into()));
    }
    let below = row("--alpha=-8 --beta 4", start);
    assert!(below["upper"].as_i64().is_some_and(|upper| (-10..=-8).contains(&upper)), "{below}");
    assert_eq!((&below["score"], &below["outcome"]), (&below["upper"], &"loss".into()));
    let above = row("--beta -14", start);
    assert!(above["lower"].as_i64().is_some_and(|lower| (-14..=-10).contains(&lower)), "{above}");
}

#[test]
fn all_moves_writes_obf_scores_and_compares_each_move() {
    let start = "-----OX--XO----- X";
    // The second position is after d3: three replies with different scores.
    for position in [start, "-----OX--XXX---- O"] {
        let (_, text, _) = run("analyze othello-4x4 --all-moves --exact --format jsonl", position);
        let moves = rows(&text)[0]["moves"].as_str().unwrap().to_owned();
        let line = format!("{position}; {moves}");
        let entry = othello::formats::obf::parse::<4>(&line).expect("the output can be read back");
        assert_eq!(entry.expected.len(), entry.position.count_moves());
        assert!(entry.expected.is_sorted_by_key(|&(_, score)| -score), "{moves}");
        let (code, _, errors) = run("analyze othello-4x4 --all-moves --exact", &line);
        assert_eq!((code, errors.contains("score 1 of 1")), (0, true), "{errors}");
        // A wrong score is detected even for a move that is not the best.
        let (m, score) = entry.expected.last().copied().unwrap();
        if score < entry.best_score().unwrap() {
            let wrong = line.replace(&format!("{}:{score:+}", m.unwrap()), &format!("{}:{:+}", m.unwrap(), score - 2));
            assert_ne!(line, wrong);
            assert_eq!(run("analyze othello-4x4 --exact", &wrong).0, 0, "only the best move is searched");
            assert_eq!(run("analyze othello-4x4 --all-moves --exact", &wrong).0, 1);
        }
    }
}

#[test]
fn lines_reports_the_same_moves_first_as_all_moves() {
    let moves = |game: &str, arguments: &str, position: &str| {
        let text = run_ok(&format!("analyze {game} --format jsonl {arguments}"), position);
        let moves = rows(&text)[0]["moves"].as_str().unwrap().to_owned();
        moves.split_terminator(';').map(|m| m.split(':').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let position = "-----OX--XXX---- O";
    let all = moves("othello-4x4", "--exact --all-moves", position);
    assert_eq!(all.len(), 3);
    assert_eq!(moves("othello-4x4", "--exact --lines 2", position), all[..2]);
    // Several moves close the mill and win at once.
    let mills = moves("nine-mens-morris", "--depth 3 --lines 3", "0,0 a7,d7,g4 a1,b2,c3 W");
    assert_eq!(mills, ["+1#1", "+1#1", "+1#1"]);
}

#[test]
fn rejects_a_missing_database() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().display();
    let position = "0,0 a7,d7,g4 a1,b2,c3 W";
    for (arguments, message) in [
        (format!("nine-mens-morris --database {dir}/none"), "the directory does not exist"),
        (format!("nine-mens-morris --database {dir}"), "no tables of nine-mens-morris there (looked in `"),
        (format!("othello --database {dir}"), "othello has no endgame database"),
    ] {
        let (code, _, errors) = run(&format!("analyze {arguments}"), position);
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains(message), "{errors}");
    }
    let (_, without, _) = run("analyze nine-mens-morris --format jsonl --no-database --depth 1", position);
    assert_eq!(rows(&without)[0]["depth"], 1);
}

#[test]
fn an_interrupted_solve_reports_the_proved_bounds() {
    // White wins by four.
    let start = "--------------OX----XO-------------- X";
    for nodes in [1, 100, 20_000, 300_000] {
        let arguments = format!("analyze othello-6x6 --exact --nodes {nodes} --format jsonl");
        let text = run_ok(&arguments, start);
        let row = &rows(&text)[0];
        assert!(row["exact"] == false && row["best_move"].is_string(), "{row}");
        assert!(row["lower"].as_i64().is_none_or(|lower| lower <= -4), "{row}");
        assert!(row["upper"].as_i64().is_none_or(|upper| upper >= -4), "{row}");
        assert!(row["nodes"].as_u64().is_some_and(|found| found <= nodes));
    }
}

#[test]
fn rows_keep_the_order_and_the_names_of_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a.obf"), folder.path().join("b.txt"));
    fs::write(&a, "\u{feff}% a\r\n-----OX--XO----- X;\r\n").unwrap();
    fs::write(&b, "XO-------------- O").unwrap();
    let (summary, rows_file) = (folder.path().join("summary.json"), folder.path().join("rows.csv"));
    let mut command = morello();
    command.args(["analyze", "othello-4x4"]).args([&a, &b]).arg("-").write_stdin("-----OX--XO----- X\n");
    command.args(["--format", "csv", "-o"]).arg(&rows_file).arg("--summary").arg(&summary);
    command.assert().code(0).stdout("").stderr("");
    let text = fs::read_to_string(rows_file).unwrap();
    let starts: Vec<_> =
        text.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(starts, [format!("{},2", a.display()), format!("{},1", b.display()), "-,1".to_owned()]);
    let summary: Value = serde_json::from_str(&fs::read_to_string(summary).unwrap()).unwrap();
    assert_eq!((&summary["game"], &summary["positions"]), (&"othello-4x4".into(), &3.into()));
    assert!(summary["scores"]["histogram"].is_array() && summary["timing"]["nodes_per_second"].is_u64());
}

#[test]
fn rejects_invalid_arguments_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.obf");
    fs::write(&file, GOOD).unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let path = file.to_str().unwrap();
    let folder_path = folder.path().to_str().unwrap();
    for (arguments, message) in [
        (format!("othello-4x4 {path} {folder_path}/none"), "none`: "),
        (format!("othello-4x4 {folder_path}/empty"), "it contains no files with positions or games"),
        (format!("othello-4x4 {path} -o {folder_path}/./a.obf"), "also an input"),
        (format!("othello-4x4 {path} --summary {path}"), "also an input"),
        (format!("othello-4x4 {path} -o {folder_path}/x --summary {folder_path}/x"), "two outputs"),
        (format!("othello-4x4 {path} -o {folder_path}/none/x"), "cannot write"),
        (format!("othello-4x4 {path} --input-format no-such-format"), "obf or scr: "),
        (format!("othello-4x4 {path} --deterministic --time 1s"), "cannot be used with"),
        (format!("othello-4x4 {path} --time 500"), "unit"),
        (format!("othello-4x4 {path} --depth 0"), "--depth"),
        (format!("othello-4x4 {path} --nodes 0"), "--nodes"),
        (format!("othello-4x4 {path} --threads 0"), "--threads"),
        (format!("othello-4x4 {path} --hash 0"), "--hash"),
        (format!("othello-4x4 {path} --level club"), "named levels are for `play`"),
        (format!("othello-4x4 {path} --level 61"), "expected a level from 1 to 60"),
        (format!("othello-4x4 {path} --lines 0"), "--lines"),
        (format!("othello-4x4 {path} --all-moves --lines 2"), "cannot be used with"),
        (format!("othello-4x4 {path} --alpha -65"), "must be at least -64"),
        (format!("othello-4x4 {path} --beta 65"), "must be at most 64"),
        (format!("othello-4x4 {path} --alpha 2 --beta 2"), "--alpha 2 is not less than --beta 2"),
        (format!("othello-4x4 {path} --beta -64"), "--alpha -64 is not less than --beta -64"),
        (format!("othello-4x4 {path} --wld --alpha 2"), "cannot be used with"),
        ("nine-mens-morris --wld".to_owned(), "use --exact with --depth, --nodes or --time"),
        ("nine-mens-morris --alpha 0 --depth 3".to_owned(), "use --exact with --depth, --nodes or --time"),
        ("othello-4x4 - -".to_owned(), "once"),
        ("chess".to_owned(), "othello-6x6"),
    ] {
        let (code, text, errors) = run(&format!("analyze {arguments}"), "");
        assert_eq!((code, text.as_str()), (2, ""), "{arguments}");
        assert!(errors.starts_with("error: ") && errors.contains(message), "{arguments}: {errors}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), GOOD);
}

#[test]
fn from_overrides_format_detection() {
    let (code, text, _) = run("analyze othello-4x4 --input-format board --format jsonl", "-----OX--XO----- X;\n");
    assert_eq!(code, 1);
    assert_eq!(rows(&text)[0]["error"], "line 1, column 19: unexpected text `;` after the side to move");
}

#[test]
fn many_threads_keep_the_input_order() {
    let input = positions(20_000);
    let text = run_ok("analyze othello --depth 1 --threads 8 --hash 1 --format csv", &input);
    let mut expected = (1..).zip(input.lines());
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let (number, position) = expected.next().unwrap();
        assert!(line.starts_with(&format!("-,{number},{position},")), "{line}");
        rows += 1;
    }
    assert_eq!(rows, 20_000);
}

#[test]
fn deterministic_output_is_identical_for_any_number_of_threads() {
    let input = positions(150) + "bad\n";
    for format in ["csv", "jsonl", "table"] {
        let arguments = format!("analyze othello --depth 4 --hash 1 --deterministic --format {format}");
        let once = run(&format!("{arguments} --threads 1"), &input);
        assert_eq!(once.0, 1);
        for threads in [1, 2, 5] {
            assert_eq!(run(&format!("{arguments} --threads {threads}"), &input), once);
        }
    }
}

#[test]
fn rows_are_written_as_soon_as_they_are_ready() {
    let mut child = spawn("analyze othello --depth 1 --format jsonl");
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in positions(3).lines() {
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
        let row: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(row["position"], line);
    }
    drop(stdin);
    assert!(lines.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_the_run_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.txt");
    fs::write(&file, positions(20_000)).unwrap();
    let mut child = spawn(&format!("analyze othello --depth 1 --format csv {}", file.display()));
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
    assert!(line.starts_with("file,line,"));
}

#[test]
fn a_closed_pipe_still_writes_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let (file, summary) = (folder.path().join("many.txt"), folder.path().join("summary.json"));
    // A bad line must not change the exit code after the pipe is closed.
    fs::write(&file, format!("bad\n{}", positions(20_000))).unwrap();
    let arguments = format!("--summary {} {}", summary.display(), file.display());
    let mut child = spawn(&format!("analyze othello --depth 1 --format csv {arguments}"));
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
    let summary: Value = serde_json::from_str(&fs::read_to_string(summary).unwrap()).unwrap();
    assert_eq!(summary["bad_lines"], 1);
    assert!(summary["positions"].as_u64().unwrap() < 20_000, "the run ended early");
}

#[test]
fn mill_games_report_outcome_and_plies() {
    let input = "0,0 a7,d7,g4 a1,b2,c3 W\n0,0 a7,d7 a1,b2,c3 W\n0,0 a7,d7,g4 a1,b2,c3 X\n";
    let (code, text, errors) = run("analyze nine-mens-morris --depth 3 --format jsonl", input);
    let rows = rows(&text);
    let names: Vec<_> = rows[0].as_object().unwrap().keys().cloned().collect();
    assert!(names.contains(&"outcome".to_owned()) && names.contains(&"plies".to_owned()), "{names:?}");
    // A side with two men has lost.
    assert_eq!((&rows[1]["outcome"], &rows[1]["plies"]), (&"loss".into(), &0.into()), "{errors}");
    assert_eq!(
        (&rows[1]["best_move"], &rows[1]["score"], &rows[1]["exact"]),
        (&Value::Null, &(-1).into(), &true.into())
    );
    assert!(rows[2]["error"].as_str().unwrap().starts_with("line 3, column 23: "), "{}", rows[2]["error"]);
    assert_eq!(code, 1);
    // A move closes a mill and wins; every move of the other side loses.
    let input = "0,0 a7,d7,g4 a1,b2,c3 W\n0,0 b6,b2,d6,f4 b4,d2,f2 B\n";
    let (code, text, errors) = run("analyze nine-mens-morris --deterministic --format jsonl", input);
    let results: Vec<_> = self::rows(&text).iter().map(|row| format!("{} {}", row["outcome"], row["plies"])).collect();
    assert_eq!((code, results), (0, vec!["\"win\" 1".to_owned(), "\"loss\" 2".to_owned()]), "{errors}");
}

#[test]
fn exact_answers_from_tables_or_searches_without_a_solver() {
    // The first position is in a small sector, which is solved in memory; in the second, a move
    // closes a mill and wins.
    let arguments = "analyze nine-mens-morris --exact --all-moves --format jsonl";
    let text = run_ok(arguments, "0,0 c5,d7,g7 a7,f4,f6 W\n0,0 a7,d7,g4,b2,d2,f2 a1,b6,c3 W\n");
    let rows = rows(&text);
    assert_eq!((&rows[0]["exact"], &rows[0]["plies"], &rows[0]["depth"]), (&true.into(), &39.into(), &0.into()));
    assert_eq!(
        (&rows[1]["exact"], &rows[1]["outcome"], &rows[1]["plies"]),
        (&true.into(), &"win".into(), &1.into()),
        "{text}"
    );
    let text = run_ok("analyze nine-mens-morris --exact --depth 2 --format jsonl", "9,9 - - W\n");
    assert!(text.contains("\"exact\":false"), "{text}");
}

/// What players bring, as they bring it, with the moves that must be read.
#[test]
fn reads_transcripts_as_people_write_them() {
    let games = "\
// a comment
1. f5 d6 2. c3 d3
1. f5 d6
2. c3 d3
40-24
; another comment
Anna - Bob: f5d6c3d3
F5D6C3D3 -0.48
f5 d6 {an old friend} c3!? d3 # the end
[\"f5\", \"d6\", \"c3\", \"d3\"]
";
    assert_eq!(run_ok("convert othello --to transcript", games), &*"f5d6c3d3\n".repeat(6));
    let (code, output, errors) = run("convert othello --to transcript", &games.replace('\n', "\r"));
    assert_eq!((code, output.as_str()), (0, &*"f5d6c3d3\n".repeat(6)), "{errors}");
    let lines = "{\"id\":1,\"moves\":[\"f5\",\"d6\"]}\n{\"id\":2,\"moves\":\"1. f5 d6\"}\n";
    assert_eq!(run("convert othello --to transcript", lines).1, "f5d6\nf5d6\n");
    // The error is at the first wrong character.
    let (code, output, _) = run("analyze othello --format csv --depth 1", "1. f5 d6 2. c3 d9\n");
    assert!(code == 1 && output.contains("line 1, column 16: expected a move such as `f5`, found `d9`"), "{output}");
}

#[test]
fn reads_diagrams_and_the_board_that_play_prints() {
    let (_, printed, _) = run("play othello --black human --white human", "f5\nd6\nquit\n");
    let board = printed.rfind("    a  b  c").expect("`play` prints a board");
    let board = printed[board..].lines().take(10).collect::<Vec<_>>().join("\n") + "\n";
    let diagram = "........\n........\n...X....\n...XX...\n...XO...\n........\n........\n........\nWhite to move\n";
    let digits = "0000000000000000000100000001100000012000000000000000000000000000 2\n";
    let expected = "-------------------X-------XX------XO--------------------------- O;\n";
    assert_eq!(run_ok("convert othello --to obf", &format!("{diagram}{digits}{diagram}")), &*expected.repeat(3));
    // Black to move after f5 and d6.
    let expected = "---------------------------OX------OXX-----O-------------------- X;\n";
    let (code, output, errors) = run("convert othello --to obf", &board);
    assert_eq!((code, output.as_str()), (0, expected), "{board}\n{errors}");
}

#[test]
fn an_unknown_extension_of_an_output_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (name, remedy) in [("x.json", ".jsonl"), ("x.xls", ".csv")] {
        let file = folder.path().join(name);
        let (code, _, errors) = run(&format!("analyze othello-4x4 --depth 1 -o {}", file.display()), GOOD);
        assert!(code == 2 && errors.contains(remedy) && !file.exists(), "{errors}");
    }
    let rows = folder.path().join("x.csv");
    fs::write(&rows, "kept").unwrap();
    let games = folder.path().join("x.html");
    let command = format!("analyze othello-4x4 --depth 1 -o {} --game-rows {}", rows.display(), games.display());
    let (code, _, errors) = run(&command, GOOD);
    assert!(code == 2 && errors.contains("--game-rows: ") && fs::read(&rows).unwrap() == b"kept", "{errors}");
    let ggf = folder.path().join("x.ggf");
    run_ok(&format!("convert othello -o {}", ggf.display()), "f5d6\n");
    assert!(fs::read_to_string(&ggf).unwrap().starts_with("(;GM[Othello]"));
    assert_fails("convert othello", "f5d6\n", "--to is required");
}
