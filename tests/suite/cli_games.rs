//! `morello games`.

use std::fs;

use serde_json::Value;

use crate::{assert_fails, morello, rows, run, run_ok, run_with};

/// Games with all columns that the filters use. The first, second and fifth begin alike, in
/// different orientations.
const GAMES: &str = "\
transcript,black,white,tournament,date,black_discs,black_rating,white_rating
f5d6c3d3c4f4f6,Anna Smith,Bob,Cup of Rome,2001-02-03,40,1800,1700
d3c5f6f5e6e3d6,Bob,Carla,Cup of Rome,2002,32,1700,1900
f5f6e6f4e3,Carla,Anna Smith,Paris Open,2003,20,1900,1800
e6d6c5f6c4,Anna Smith,Bob,Paris Open,2004,,1800.5,
f5d6c4d3c3f4f6,Bob,Anna,Paris Open,,33,,1500
";

/// Runs a command and returns its output, which must be without errors, and the line with the
/// number of games.
fn answer(arguments: &str) -> (String, String) {
    let (code, text, errors) = run(arguments, GAMES);
    assert_eq!(code, 0, "{arguments}: {errors}");
    (text, errors)
}

/// Returns the numbers of the games that match.
fn matching(filters: &str) -> Vec<u64> {
    let (text, errors) = answer(&format!("games list othello --format jsonl {filters}"));
    let row = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_u64().unwrap();
    let found: Vec<_> = text.lines().map(row).collect();
    assert_eq!(errors.trim(), format!("{} of 5 games", found.len()), "{filters}");
    found
}

#[test]
fn lists_the_games_that_match() {
    for (filters, expected) in [
        ("", vec![1, 2, 3, 4, 5]),
        ("--player anna", vec![1, 3, 4, 5]),
        ("--player =anna", vec![5]),
        ("--player carla --player =anna", vec![2, 3, 5]),
        ("--player bob --opponent smith", vec![1, 4]),
        ("--black bob", vec![2, 5]),
        ("--white bob --year ..2003", vec![1]),
        ("--event rome", vec![1, 2]),
        ("--year 2002..2003", vec![2, 3]),
        ("--result draw", vec![2]),
        ("--result draw --result -64..-2", vec![2, 3]),
        ("--result -64..-2", vec![3]),
        ("--player anna --result win", vec![1, 3]),
        ("--rating 1700..1900", vec![1, 2, 3]),
        ("--length 6..", vec![1, 2, 5]),
        ("--opening f5d6c3d3c4", vec![1, 2]),
        ("--opening d3c5", vec![1, 2, 5]),
        ("--opening f5f6 --opening f5d6c4", vec![3, 5]),
        ("--position f5d6c3d3c4f4f6", vec![1, 5]),
        ("--opening start --position start --event open --result 2", vec![5]),
    ] {
        assert_eq!(matching(filters), expected, "{filters}");
    }
}

#[test]
fn samples_are_reproducible_and_in_order() {
    let sample = |options: &str| {
        let (text, errors) = answer(&format!("games list othello --format csv {options}"));
        assert!(errors.contains("5 of 5 games, 3 sampled"), "{errors}");
        text
    };
    let first = sample("--sample 3");
    assert_eq!(first.lines().count(), 4);
    assert_eq!(first, sample("--sample 3 --seed 1 --threads 3"));
    let all = answer("games list othello --format csv").0;
    let mut rest = all.lines();
    assert!(first.lines().all(|line| rest.any(|other| other == line)), "{first}");
    assert!((2..20).any(|seed| sample(&format!("--sample 3 --seed {seed}")) != first));
}

#[test]
fn extracts_games_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for (name, kept) in [("a.ggf", true), ("a.csv", true), ("a.jsonl", true), ("a.wtb", true), ("a.txt", false)] {
        let (code, text, errors) = run(&format!("games list othello --event paris -o {}", file(name)), GAMES);
        assert_eq!((code, text.as_str()), (0, ""), "{errors}");
        assert!(errors.contains("3 of 5 games"), "{errors}");
        let text = run_ok(&format!("games list othello {} --format jsonl --length 5", file(name)), "");
        let names: Vec<_> = rows(&text).iter().map(|row| row["black"].clone()).collect();
        let expected = if kept { ["Carla", "Anna Smith"].map(Value::from) } else { [Value::Null, Value::Null] };
        assert_eq!(names, expected, "{name}");
    }
    // The table shows the columns that fit.
    let (text, _) = answer("games list othello --player carla");
    assert!(text.starts_with("line  black") && text.contains("Paris Open") && text.lines().count() == 3, "{text}");
    let (code, _, errors) = run("games list othello -o selection.xls", GAMES);
    assert!(code == 2 && errors.contains("--format is required") && errors.contains(".wtb, .csv"), "{errors}");
    for command in ["games list", "convert"] {
        assert_fails(&format!("{command} othello -o selection.json"), GAMES, "JSON is written as lines; use .jsonl");
    }
    assert_fails("games tree othello -o tree.json", GAMES, ".jsonl (JSON lines)");
    assert_fails("games list othello --format obf", GAMES, "positions, not games");
}

#[test]
fn a_tree_has_results_for_the_side_that_moves() {
    let (text, errors) = answer("games tree othello --max-plies 2");
    assert!(errors.contains("5 of 5 games"), "{errors}");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    // Move, side, games, share, wins, draws, losses, score, points, last year, opening. Black
    // scored 16, 0, -24, unknown and 2.
    assert_eq!(rows[0], ["f5", "black", "5", "100.0", "2", "1", "1", "62.5", "-1.5", "2004", "-"], "{text}");
    assert_eq!(rows[1], ["d6", "white", "3", "60.0", "0", "1", "2", "16.7", "-6.0", "2002", "Perpendicular"], "{text}");
    assert_eq!(rows.len(), 4, "{text}");
    assert!(text.lines().nth(2).unwrap().starts_with("  d6 "), "{text}");
    // The same moves in the orientation of the position asked for.
    let (text, errors) = answer("games tree othello --position d3c5 --format jsonl");
    assert!(errors.contains("3 of 5 games"), "{errors}");
    let rows = crate::rows(&text);
    assert_eq!((&rows[0]["move"], &rows[0]["games"]), (&Value::from("f6"), &Value::from(2)), "{text}");
    assert_eq!(
        (rows.len(), &rows[1]["move"], &rows[1]["share"]),
        (2, &Value::from("e6"), &Value::from(33.3)),
        "{text}"
    );
    assert_fails("games tree othello --position f5 --position f5d6", GAMES, "one position");
}

#[test]
fn players_are_sorted_and_filtered() {
    let names = |options: &str| {
        let (text, _) = answer(&format!("games players othello --format csv {options}"));
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["Bob", "Anna Smith", "Carla", "Anna"]);
    assert_eq!(names("--sort name --min-games 2"), ["Anna Smith", "Bob", "Carla"]);
    assert_eq!(names("--sort score"), ["Anna Smith", "Bob", "Carla", "Anna"]);
    assert_eq!(names("--player anna --limit 1"), ["Anna Smith"]);
    assert_eq!(names("--event rome --sort last-year"), ["Bob", "Carla", "Anna Smith"]);
    let (text, _) = answer("games players othello --player bob --format csv");
    assert_eq!(text.lines().nth(1), Some("Bob,4,1,1,1,50.0,-4.67,3,2,75.0,2,0.0,2001,2004"));
}

#[test]
fn openings_of_a_player_have_the_results_of_the_player() {
    let games = "[Black \"Kimura Keigo\"]\n[White \"Anna\"]\n[Result \"40-24\"]\n\n1. f5 d6 *\n\n\
                 [Black \"Anna\"]\n[White \"Kimura, Keigo\"]\n[Result \"30-34\"]\n\n1. f5 d6 *\n\n\
                 [Black \"Anna\"]\n[White \"Keigo Kimura\"]\n[Result \"64-0\"]\n[Termination \"time forfeit\"]\n\n1. f5 d6 *\n";
    let row = |options: &str| {
        let mut words = vec!["games", "openings", "othello", "--format", "jsonl"];
        words.extend(options.split('/').filter(|word| !word.is_empty()));
        let (code, text, errors) = run_with(&words, games);
        assert_eq!(code, 0, "{errors}");
        let row = &rows(&text)[0];
        ["of", "games", "wins", "losses", "points", "scored_games"].map(|name| row[name].to_string()).join(" ")
    };
    assert_eq!(row("--player/Keigo Kimura"), "\"player\" 3 2 1 10.0 2");
    assert_eq!(row("--player/anna"), "\"player\" 3 1 2 -10.0 2");
    assert_eq!(row(""), "\"black\" 3 2 1 6.0 2");
    let (_, _, errors) = run_with(&["games", "openings", "othello", "--player", "keigo kimra"], games);
    assert!(errors.contains("the nearest names are `Kei") && errors.contains("`Kimura, Keigo`"), "{errors}");
}

#[test]
fn mill_games_have_the_same_questions() {
    let games = "[White \"Anna\"]\n[Black \"Bob\"]\n[Date \"2012.05.01\"]\n[Result \"1-0\"]\n\n1. 5 13 2. 20 19 1-0\n\n\
                 [White \"Bob\"]\n[Black \"Anna\"]\n[Result \"0-1\"]\n\n1. 14 13 2. 20 19 0-1\n";
    let game = "nine-mens-morris-flying";
    let (code, text, errors) = run(&format!("games players {game} --format csv --sort name"), games);
    assert_eq!(
        (code, text.lines().nth(1)),
        (0, Some("Anna,2,2,0,0,100.0,1.0,2,1,100.0,1,100.0,2012,2012")),
        "{errors}"
    );
    let (_, text, errors) = run(&format!("games tree {game} --format csv"), games);
    assert!(text.lines().nth(1).unwrap().contains(",white,1,2,100.0,1,0,1,50.0,0.0,2012,"), "{text}{errors}");
    let (_, text, errors) =
        run(&format!("games list {game} --player anna --result win --white anna --format moves"), games);
    assert_eq!((text.as_str(), errors.contains("1 of 2 games")), ("d6 e4 d2 b2 1-0\n", true), "{text}{errors}");
}

#[test]
fn invalid_games_and_positions_are_reported() {
    let input = "f5d6\nf5f5\n---------------------------OX------XO--------------------------- X\n";
    let (code, text, errors) = run("games list othello --format transcript", input);
    assert_eq!((code, text.as_str()), (1, "f5d6\n"), "{errors}");
    assert!(errors.contains("-, line 2, column 3: illegal move"), "{errors}");
    assert!(errors.contains("1 of 1 game") && errors.contains("skipped 1 position: only games"), "{errors}");
    for (options, message) in [
        ("--result win", "--player"),
        ("--result blue", "expected black, white"),
        ("--opponent bob", "--player"),
        ("--player =", "expected a name"),
        ("--year 2004..2001", "the range 2004..2001 is reversed; use 2001..2004"),
        ("--length 60..20", "use 20..60"),
        ("--rating 9..8", "use 8..9"),
        ("--result 5..-5", "use -5..5"),
        ("--year 2004-2001", "expected a whole number or a range"),
        ("--position f5f5", "--position"),
        ("--opening xyz", "--opening"),
    ] {
        assert_fails(&format!("games list othello {options}"), "", message);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.csv").display().to_string();
    fs::write(&file, GAMES).unwrap();
    assert_fails(&format!("games list othello {file} -o {file}"), "", "also an input");
    assert_eq!(fs::read_to_string(&file).unwrap(), GAMES);
}

#[test]
fn mistakes_are_the_largest_losses_of_the_analysis() {
    const NAMES: [&str; 3] = ["a,b", "b,a", "c,b"];
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let mut games = "transcript,black,white,year\n".to_owned();
    for seed in 1..=12 {
        let moves = morello::games::get("othello-4x4").unwrap().random_game(seed, 30);
        let moves = moves.start().game().write_moves(&moves);
        games += &format!("{moves},{},{}\n", NAMES[seed as usize % 3], 2000 + seed % 2);
    }
    fs::write(file("games.csv"), &games).unwrap();
    let text = run_ok(
        &format!("analyze othello-4x4 {} --exact --deterministic --hash 1 --format jsonl", file("games.csv")),
        "",
    );
    let side = |row: &Value| usize::from(row["position"].as_str().unwrap().ends_with('O'));
    let names = |row: &Value| NAMES[row["game"].as_u64().unwrap() as usize % 3];
    let mover = |row: &Value| names(row).split(',').nth(side(row)).unwrap().to_owned();
    let all = rows(&text);
    let of = |name: &str| all.iter().filter(|row| name.is_empty() || mover(row) == name).collect::<Vec<_>>();
    for name in ["", "a", "b"] {
        let options = if name.is_empty() { String::new() } else { format!("--player ={name}") };
        let question = format!(
            "games mistakes othello-4x4 {} --exact --deterministic --hash 1 --limit 7 {options}",
            file("games.csv")
        );
        let accuracy = file("accuracy.jsonl");
        let text = run_ok(&format!("{question} --format jsonl --summary {accuracy} --force"), "");
        let mut moves = of(name);
        let number = |row: &Value, field: &str| row[field].as_f64().unwrap();
        // By the expected result lost, which the discs determine.
        let lost = |row: &Value| {
            let scale = 0.35 * number(row, "empties");
            let result = |discs: f64| 1.0 / (1.0 + (-discs / scale).exp());
            result(number(row, "score")) - result(number(row, "score") - number(row, "loss"))
        };
        moves.sort_by(|a, b| lost(b).total_cmp(&lost(a)).then(number(b, "loss").total_cmp(&number(a, "loss"))));
        let expected: Vec<_> = moves.iter().take(7).collect();
        let found = rows(&text);
        assert_eq!(found.len(), 7);
        for (found, expected) in found.iter().zip(expected) {
            for field in ["game", "ply", "position", "played", "loss", "best_move"] {
                assert_eq!(found[field], expected[field], "{field} of {found} and {expected}");
            }
            assert_eq!(found["score"].as_f64(), expected["score"].as_f64());
            assert_eq!(found["player"], mover(expected));
        }
        let accuracy = rows(&fs::read_to_string(accuracy).unwrap());
        assert_eq!((&accuracy[0]["group"], accuracy[0]["moves"].as_u64()), (&"all".into(), Some(moves.len() as u64)));
        let of_moves = || moves.iter().map(|row| (-4.5 * lost(row)).exp());
        let (count, sum, inverses) =
            (moves.len() as f64, of_moves().sum::<f64>(), of_moves().map(f64::recip).sum::<f64>());
        let share = 50.0 * (sum / count + count / inverses);
        assert!((number(&accuracy[0], "accuracy") - share).abs() < 0.01, "{share} {}", accuracy[0]);
        for group in ["year", "phase", "player"] {
            let of_group = accuracy.iter().filter(|row| row["group"] == group);
            assert_eq!(of_group.map(|row| row["moves"].as_u64().unwrap()).sum::<u64>(), moves.len() as u64, "{group}");
        }
        assert_eq!(accuracy.iter().filter(|row| row["group"] == "player").count(), if name.is_empty() { 3 } else { 1 });
    }
    // The cache of an analysis serves the question, and positions can be selected.
    let cache = file("results.cache");
    run(&format!("analyze othello-4x4 {} --exact --cache {cache} -o {}", file("games.csv"), file("rows.csv")), "");
    let question = format!("games mistakes othello-4x4 {} --exact --cache {cache} --empties 6", file("games.csv"));
    let (code, text, errors) = run(&question, "");
    assert!(
        code == 0 && errors.contains(" 0 added") && errors.contains("endgame") && !errors.contains("opening"),
        "{errors}"
    );
    assert!(text.starts_with("line  date"), "{text}");
}

#[test]
fn outputs_are_checked_before_the_games_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let wrong = [("-o", file("none/rows.csv"), "cannot write `"), ("-o", file("rows.xls"), "use .csv")];
    for (option, path, message) in &wrong {
        for command in ["tree", "players", "mistakes --depth 1"] {
            let (command, options) = command.split_once(' ').unwrap_or((command, ""));
            let (code, text, errors) = run(&format!("games {command} othello {options} {option} {path}"), "f5f5\n");
            assert_eq!((code, text.as_str()), (2, ""), "{errors}");
            assert!(errors.contains(message) && !errors.contains("illegal move"), "{errors}");
        }
    }
    let (code, _, errors) =
        run(&format!("games mistakes othello --depth 1 --summary {}", file("none/a.csv")), "f5f5\n");
    assert!(code == 2 && errors.contains("cannot write `") && !errors.contains("illegal move"), "{errors}");
    // A file is replaced as a whole, and only on request.
    fs::write(file("rows.csv"), "old content that is longer than the rows\n".repeat(100)).unwrap();
    let players = format!("games players othello -o {} --limit 1", file("rows.csv"));
    let (code, _, errors) = run(&players, "f5f5\n");
    assert!(code == 2 && errors.contains("rows.csv` exists; use another file, or --force"), "{errors}");
    assert_eq!(answer(&format!("{players} --force")).0, "");
    let text = fs::read_to_string(file("rows.csv")).unwrap();
    assert!(text.starts_with("player,games,") && text.lines().count() == 2, "{text}");
}

#[test]
fn the_columns_of_mistakes_do_not_depend_on_the_moves_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let names = ["a.csv", "b.csv"].map(file);
    names.iter().for_each(|name| fs::write(name, GAMES).unwrap());
    let heads = ["0..4", "90..99"].map(|plies| {
        let inputs = names.join(" ");
        let text = run_ok(&format!("games mistakes othello {inputs} --depth 3 --plies {plies}"), "");
        assert_eq!(text.lines().count() > 1, plies == "0..4", "{text}");
        text.lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(heads[0], heads[1]);
    assert!(heads[0].contains(&"file".to_owned()) && heads[0].contains(&"empties".to_owned()), "{heads:?}");
}

#[test]
fn a_limit_ends_the_search() {
    let games = |options: &str| {
        let (text, errors) = answer(&format!("games list othello --format jsonl {options}"));
        let number = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_u64().unwrap();
        (text.lines().map(number).collect::<Vec<_>>(), errors.trim().to_owned())
    };
    let ended = |games: &str| format!("{games} found; --limit ended the search");
    assert_eq!(games("--player anna --limit 1"), (vec![1], ended("1 game")));
    assert_eq!(games("--player anna --limit 3"), (vec![1, 3, 4], ended("3 games")));
    assert_eq!(games("--player anna --limit 9"), (vec![1, 3, 4, 5], "4 of 5 games".to_owned()));
    assert_eq!(games("--sample 5 --limit 2"), (vec![1, 2], "5 of 5 games, 2 sampled".to_owned()));
    // The second input is invalid, but not read.
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("a.csv"), GAMES).unwrap();
    fs::write(file("b.txt"), "f5f5\n").unwrap();
    let inputs = format!("games list othello {} {} --format csv", file("a.csv"), file("b.txt"));
    assert_eq!(run(&inputs, "").0, 1);
    let (code, text, errors) = run(&format!("{inputs} --limit 5"), "");
    assert_eq!((code, text.lines().count()), (0, 6), "{errors}");
}

#[test]
fn a_name_that_no_game_has_is_reported_with_the_nearest() {
    for (options, message) in [
        ("--player ana", "no player matches `ana`: the nearest names are `Anna`"),
        ("--player =carl", "no player matches `=carl` (`=` requires the whole name): the nearest names are `Carla`"),
        ("--player bob --opponent Karla", "no player matches `karla`: the nearest names are `Carla`"),
        ("--white zzz", "no player matches `zzz`: `morello games players` lists the names"),
        ("--event Roma", "no event matches `roma`: the nearest names are `Cup of Rome`"),
    ] {
        for command in ["list", "players", "tree", "mistakes --depth 1"] {
            let (command, more) = command.split_once(' ').unwrap_or((command, ""));
            let (_, errors) = answer(&format!("games {command} othello {more} {options}"));
            assert!(errors.contains("0 of 5 games") && errors.contains(message), "{options}: {errors}");
        }
    }
    for options in ["--player bob --year 1900", "--player carla --opponent =anna", "--player ana --limit 1 --event zz"]
    {
        let (_, errors) = answer(&format!("games list othello {options}"));
        assert_eq!(errors.contains("no player"), options.contains("ana "), "{errors}");
    }
}

#[test]
fn data_that_no_game_has_are_reported() {
    let games = "f5d6\nf5f6\n";
    for (options, message) in [
        ("--rating 1800..", "no game has ratings of both players, so none can match --rating"),
        ("--year 2001", "no game has a year, so none can match --year"),
        ("--event open", "no game has an event, so none can match --event"),
        ("--result draw", "no game has a result, so none can match --result"),
        ("--black anna", "no game has player names, so none can match --player, --opponent, --black or --white"),
    ] {
        let (code, _, errors) = run(&format!("games list othello {options}"), games);
        assert_eq!((code, &*errors), (0, &*format!("0 of 2 games\n{message}\n")));
    }
    for options in ["--rating 1800..", "--year 2001", "--event open", "--result draw"] {
        let (_, errors) = answer(&format!("games list othello {options}"));
        assert!(!errors.contains("no game has"), "{errors}");
    }
}

#[test]
fn names_match_without_accents() {
    let games = "transcript,black,white,event\nf5d6,Lefèbvre,Anna,Prétendants\n";
    for options in ["--event pretendants", "--player LEFEBVRE", "--player =lefèbvre"] {
        let (_, text, errors) = run(&format!("games list othello {options} --format jsonl"), games);
        assert_eq!((text.lines().count(), &*errors), (1, "1 of 1 game\n"), "{options}");
    }
}

#[test]
fn wthor_from_standard_input_says_where_the_names_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.wtb").display().to_string();
    assert_eq!(run(&format!("games list othello -o {file} --event paris --length 7"), GAMES).0, 0);
    let read = |input: &str| {
        let arguments = format!("games list othello --format csv {input}");
        let bytes = fs::read(&file).unwrap();
        let output = morello().args(arguments.split_whitespace()).write_stdin(bytes).output().unwrap();
        assert!(output.status.success());
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (text, errors) = read(&file);
    assert!(text.contains("Paris Open") && !errors.contains("WTH.JOU"), "{text}{errors}");
    let (text, errors) = read("-");
    assert!(!text.contains("Paris Open") && text.contains(",#"), "{text}");
    assert!(
        errors.contains(
            "-: wthor keeps the player and tournament names, in WTH.JOU and WTH.TRN, or WTHOR.JOU and \
            WTHOR.TRN, next to the file"
        ),
        "{errors}"
    );
}
