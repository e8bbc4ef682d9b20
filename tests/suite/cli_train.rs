//! `morello-train`.

use std::path::Path;
use std::time::Duration;

use crate::{assert_fails, run, run_ok};
#[cfg(unix)]
use crate::{signal, spawn};

/// Options for games that take a millisecond, without weights.
const QUICK: &str = "--depth 1 --exact-from 10 --random-plies 20..45 --weights none";

/// Generates games into a file. Returns the exit code and standard error.
fn generate(file: &Path, games: u64, more: &str) -> (i32, String) {
    let (code, output, errors) =
        run(&format!("morello-train generate --output {} --games {games} {QUICK} {more}", file.display()), "");
    assert_eq!(output, "");
    (code, errors)
}

#[test]
fn trains_weights_from_scratch() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (games, more, weights) = (file("games"), file("more"), file("order.weights"));
    let (code, errors) = generate(Path::new(&games), 200, "--threads 2");
    assert!(code == 0 && errors.starts_with("200 games, 200 of them new with "), "{errors}");
    let fit =
        |arguments: &str| run(&format!("morello-train fit --shapes order --output {weights} --force {arguments}"), "");
    let report = |arguments: &str| {
        let (code, rows, errors) = run(&format!("morello-train report --shapes order --format csv {arguments}"), "");
        assert_eq!(code, 0, "{errors}");
        // "N positions: mae 12.345, rmse ...", and a row for each number of empty squares.
        let mae: f64 = errors.split(['e', ',']).nth(1).unwrap().trim().parse().unwrap();
        (rows.lines().count() - 1, mae)
    };

    // The baseline: weights fitted to a single game.
    let none = file("none");
    assert_eq!(generate(Path::new(&none), 1, "--seed 5").0, 0);
    assert_eq!(fit(&format!("--data {none}")).0, 0);
    let other = file("other");
    assert_eq!(generate(Path::new(&other), 100, "--seed 9").0, 0);
    let (_, nothing) = report(&format!("--weights {weights} --data {other} --all-games"));

    let csv = file("errors.csv");
    let (code, rows, errors) = fit(&format!("--data {games} --csv {csv} --epochs 8 --threads 2"));
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(rows.lines().count(), 61);
    let rows = std::fs::read_to_string(csv).unwrap();
    assert!(rows.starts_with("ply,empties,samples,train_mae,held_out,mae,rmse,bias,seconds\n0,60,0,,0,,,,"), "{rows}");
    assert_eq!(rows.lines().count(), 61);
    let (empties, once) = report(&format!("--weights {weights} --data {other} --all-games"));
    assert!(empties == 40 && once < 0.8 * nothing, "{empties}, {once} of {nothing}");

    // More games refine the weights; the first games are no longer needed.
    std::fs::remove_file(&games).unwrap();
    assert_eq!(generate(Path::new(&more), 200, "--seed 2").0, 0);
    assert_eq!(fit(&format!("--data {more} --init {weights}")).0, 0);
    let (_, twice) = report(&format!("--weights {weights} --data {other} --all-games"));
    assert!(twice < once, "{twice} of {once}");
    // Coarse weights take less space and are almost as good.
    let bytes = || std::fs::metadata(&weights).unwrap().len();
    assert_eq!(fit(&format!("--data {more} --epochs 8")).0, 0);
    let (fine, fine_bytes) = (report(&format!("--weights {weights} --data {other} --all-games")).1, bytes());
    assert_eq!(fit(&format!("--data {more} --epochs 8 --round 0.5")).0, 0);
    let (coarse, coarse_bytes) = (report(&format!("--weights {weights} --data {other} --all-games")).1, bytes());
    assert!(coarse != fine && coarse < 1.02 * fine, "{coarse} instead of {fine}");
    assert!(coarse_bytes < fine_bytes * 3 / 4, "{coarse_bytes} of {fine_bytes} bytes");
    // The positions of a file with scores.
    let positions = concat!(env!("CARGO_MANIFEST_DIR"), "/data/positions/hard-20.obf");
    let (empties, _) = report(&format!("--weights {weights} --positions {positions}"));
    assert_eq!(empties, 1);
}

#[test]
fn labels_positions_and_fits_weights_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (games, labels, weights) = (file("games"), file("labels"), file("order.weights"));
    assert_eq!(generate(Path::new(&games), 60, "").0, 0);
    let label = |more: &str| run(&format!("morello-train label --data {games} --output {labels} {more}"), "");
    let (code, output, errors) = label("--depth 2 --exact-from 8 --empties 1..20 --threads 2");
    assert_eq!((code, output.as_str()), (0, ""));
    assert!(errors.starts_with("labels of 60 of 60 games: "), "{errors}");
    // Nothing is left to do.
    let (code, _, errors) = label("--depth 2 --exact-from 8 --empties 1..20");
    assert_eq!(code, 0);
    assert!(errors.contains("resuming: labels of 60 games are already in") && errors.contains(": 0 new ones in "));
    let (code, _, errors) = label("--depth 3 --exact-from 8 --empties 1..20");
    assert_eq!(code, 2);
    assert!(errors.contains("it was generated with --depth 2, not 3; use the options of the run"), "{errors}");
    let (code, _, errors) = run(&format!("morello-train label --data {labels} --output {}", file("other")), "");
    assert_eq!(code, 2);
    assert!(errors.contains("it does not contain training games; use a file written by"), "{errors}");
    let (code, _, errors) = run(&format!("morello-train label --data {games} --output {games}"), "");
    assert_eq!(code, 2, "{errors}");

    let rows = run_ok(&format!("morello-train fit --shapes order --data {labels} --output {weights}"), "");
    let samples = |empties: &str| {
        let row = rows.lines().find(|row| row.split_whitespace().nth(1) == Some(empties)).expect("a row for each ply");
        row.split_whitespace().nth(2).unwrap().parse::<u32>().unwrap()
    };
    assert!(samples("20") > 30 && samples("21") == 0, "{rows}");
}

#[test]
fn trains_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (games, weights, network) = (file("games"), file("mine.weights"), file("mine.network"));
    assert_eq!(generate(Path::new(&games), 300, "").0, 0);
    assert_eq!(run(&format!("morello-train fit --epochs 1 --data {games} --output {weights}"), "").0, 0);
    let train =
        |more: &str| run(&format!("morello-train network --data {games} --output {network} --force {more}"), "");
    let (code, rows, errors) = train(&format!("--init {weights} --epochs 2 --csv {}", file("errors.csv")));
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(rows.lines().count(), 3, "{rows}");
    let csv = std::fs::read_to_string(file("errors.csv")).unwrap();
    assert!(csv.starts_with("epoch,samples,train_rmse,held_out,mae,rmse,bias,seconds\n1,"), "{csv}");
    let rmse = |row: usize| csv.lines().nth(row).unwrap().split(',').nth(2).unwrap().parse::<f64>().unwrap();
    assert!(rmse(2) < rmse(1), "{csv}");
    assert!(!Path::new(&file("mine.network.unfinished")).exists());

    // The result depends on the options only.
    let first = std::fs::read(&network).unwrap();
    assert_eq!(train(&format!("--init {weights} --epochs 2 --threads 1")).0, 0);
    assert!(std::fs::read(&network).unwrap() == first);

    // Other commands use the network like weights.
    let (code, rows, errors) = run(&format!("morello-train report --weights {network} --data {games} --all-games"), "");
    assert!(code == 0 && rows.lines().count() > 20 && errors.contains(" positions: mae "), "{errors}");
    let balance = || balanced_bias(&games, &network, &network);
    let (before, after) = (balance(), balance());
    assert!(after < before / 2.0, "{after} after {before}");
    let engines = format!("--engine depth=2,weights={network} --engine depth=2,eval=simple");
    run_ok(&format!("selfplay othello --games 2 {engines}"), "");

    // Errors.
    let (code, _, errors) =
        run(&format!("morello-train network --data {games} --init {games} --output {}", file("x")), "");
    assert!(code == 2 && errors.contains("cannot load weights from"), "{errors}");
    std::fs::write(file("mine.network.unfinished"), "a text").unwrap();
    let (code, _, errors) = train("");
    assert!(
        code == 2 && errors.contains("it is not a checkpoint of a network run; delete it to start again"),
        "{errors}"
    );
}

/// Balances weights and returns the sum of the absolute biases before.
fn balanced_bias(games: &str, from: &str, to: &str) -> f64 {
    let options = "--format csv --max-positions 12";
    let (code, rows, errors) =
        run(&format!("morello-train balance --data {games} --weights {from} --output {to} --force {options}"), "");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(rows.starts_with("empties,positions,bias,rmse\n") && rows.lines().count() > 10, "{rows}");
    let bias = |row: &str| row.split(',').nth(2).unwrap().parse::<f64>().unwrap().abs();
    rows.lines().skip(1).map(bias).sum()
}

#[test]
fn balances_weights() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (games, weights, balanced) = (file("games"), file("mine.weights"), file("balanced.weights"));
    assert_eq!(generate(Path::new(&games), 300, "").0, 0);
    assert_eq!(run(&format!("morello-train fit --epochs 1 --data {games} --output {weights}"), "").0, 0);
    let before = balanced_bias(&games, &weights, &balanced);
    // The same file may be input and output.
    let after = balanced_bias(&games, &balanced, &balanced);
    assert!(after < before / 2.0, "{after} after {before}");
    // Counts are beside the weights.
    assert_eq!(
        run(&format!("morello-train fit --epochs 1 --data {games} --init {balanced} --output {weights} --force"), "").0,
        0
    );
    assert_fails(
        &format!("morello-train balance --data {games} --weights {weights} --output {games}"),
        "",
        "is also an input",
    );
}

#[test]
fn measures_the_errors_of_scores() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    assert_eq!(generate(&games, 100, "").0, 0);
    let measure = |more: &str| run(&format!("morello-train errors --data {} --format csv {more}", games.display()), "");
    let (code, rows, errors) = measure("--all-games --max-positions 2 --depth 6");
    assert_eq!(code, 0, "{errors}");
    assert!(rows.starts_with("empties,depth,confidence,count,bias,mae,rmse,stated,within_percent\n5,1,73,"), "{rows}");
    // Searches to the end have no depth, and those of full confidence are less deep.
    assert!(["\n20,6,73,", "\n20,2,100,", "\n20,,99,"].iter().all(|row| rows.contains(row)), "{rows}");
    assert!(!rows.contains("\n20,3,100,"), "{rows}");
    assert!(errors.starts_with("ScoreErrorModel { before_end: ErrorFit { log_sigma: ["), "{errors}");
    assert!(errors.contains(" errors are within the stated ones"), "{errors}");
}

#[test]
fn measures_the_probcut_model() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    assert_eq!(generate(&games, 100, "").0, 0);
    let measure =
        |more: &str| run(&format!("morello-train probcut --data {} --format csv {more}", games.display()), "");
    let (code, rows, errors) = measure("--all-games --max-positions 6 --depth 6 --exact-from 13");
    assert_eq!(code, 0, "{errors}");
    assert!(rows.starts_with("empties,depth,exact,shallow,count,mean,model_mean,sigma,model_sigma\n10,1,false,0,"));
    assert!(errors.starts_with("Model { mean: [") && errors.contains(" differences are within the bounds for 73%"));
    // Too few depths to determine the model.
    let (code, rows, errors) = measure("--all-games --max-positions 4 --depth 3 --exact-from 12 --threads 1");
    assert_eq!((code, rows.as_str()), (2, ""));
    assert!(errors.contains("use more --data, more --max-positions or a larger --depth"), "{errors}");
}

#[test]
#[cfg(unix)]
fn killed_and_interrupted_generation_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    assert_eq!(generate(&whole, 400, "--threads 1").0, 0);
    let whole = std::fs::read(whole).unwrap();
    let start =
        || spawn(&format!("morello-train generate --output {} --games 1000000 {QUICK} --threads 2", parts.display()));
    let len = || std::fs::metadata(&parts).map_or(0, |metadata| metadata.len());

    // The first signal ends the run in order and keeps the games.
    let child = start();
    while len() < 36 {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let interrupted = len();
    assert!(interrupted > 36, "{}", String::from_utf8_lossy(&ended.stderr));

    // A killed run leaves the games already written.
    let mut child = start();
    std::thread::sleep(Duration::from_millis(200));
    child.kill().unwrap();
    child.wait().unwrap();
    // Simulate an incomplete write.
    let bytes = std::fs::read(&parts).unwrap();
    assert!(bytes.len() as u64 >= interrupted);
    std::fs::write(&parts, &bytes[..bytes.len().min(whole.len()) - 3]).unwrap();
    let (code, errors) = generate(&parts, 400, "");
    assert!(code == 0 && errors.contains(" games are already in `"), "{errors}");
    assert!(std::fs::read(&parts).unwrap() == whole);
}

#[test]
fn trains_a_mill_game_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (log, weights, csv) = (file("log.jsonl"), file("six.weights"), file("losses.csv"));
    let play =
        |engines: &str, more: &str| run_ok(&format!("selfplay six-mens-morris {engines} {more} --format jsonl"), "");
    play(
        "--engine nodes=60,eval=simple --engine name=b,nodes=80,eval=simple",
        &format!("--opening-plies 2..12 --opening-depth 0 --games 300 --threads 1 --log {log}"),
    );
    let (code, rows, errors) = run(
        &format!("morello-train mills six-mens-morris {log} --results 1 --epochs 3 --csv {csv} --output {weights}"),
        "",
    );
    assert_eq!((code, errors.as_str(), rows.lines().count()), (0, "", 4));
    let rows = std::fs::read_to_string(&csv).unwrap();
    assert!(rows.starts_with("epoch,samples,train_loss,held_out,loss,seconds\n1,"), "{rows}");
    let loss = |row: usize| -> f64 { rows.lines().nth(row).unwrap().split(',').nth(2).unwrap().parse().unwrap() };
    assert!(loss(3) < loss(1) && loss(3) < 0.67, "{rows}");
    let result = play(
        &format!("--engine name=new,nodes=60,weights={weights},no-database --engine nodes=60,eval=simple,no-database"),
        "--games 200",
    );
    let result: serde_json::Value = serde_json::from_str(&result).unwrap();
    let (wins, losses) = (result["wins"].as_u64().unwrap(), result["losses"].as_u64().unwrap());
    assert!(wins > losses + 30, "{wins} won, {losses} lost");
    // With a database, the fit uses exact results.
    let (database, exact) = (folder.path().display(), file("exact.weights"));
    let fit = format!("morello-train mills six-mens-morris {log} --results 1 --epochs 3 --database {database}");
    let no_tables = format!("`{}`); build them with `morello database build`", file("six-mens-morris"));
    assert_fails(&format!("{fit} --output {exact}"), "", &no_tables);
    run_ok(&format!("database build six-mens-morris --all-sectors --database {database}"), "");
    run_ok(&format!("{fit} --output {exact}"), "");
    assert!(std::fs::read(&exact).unwrap() != std::fs::read(&weights).unwrap(), "both fits are the same");
    // An invalid game is reported and left out.
    let damaged = file("damaged.jsonl");
    let lines = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&damaged, lines.replacen("\"moves\":\"", "\"moves\":\"x9 ", 1)).unwrap();
    let (code, _, errors) = run(
        &format!("morello-train mills six-mens-morris {damaged} --epochs 1 --output {}", file("fewer.weights")),
        "",
    );
    assert!(code == 1 && errors.lines().count() == 1 && errors.contains("damaged.jsonl, line 1"), "{errors}");
    assert!(Path::new(&file("fewer.weights")).exists());
    // The weights are for this board, and the log for this game.
    for (arguments, message) in [
        (
            format!("analyze lasker-morris --weights {weights}"),
            "does not match the shapes of `a mill game with 24 points`",
        ),
        (format!("morello-train mills six-mens-morris {log} --output {log}"), "is also an input"),
        (format!("morello-train mills nine-mens-morris {log} --output {csv}.weights"), "have no games with results"),
        (format!("morello-train mills othello {log} --output {weights}"), "invalid value 'othello'"),
    ] {
        assert_fails(&arguments, "", message);
    }
}

#[test]
fn rejects_wrong_files_and_suggests_a_fix() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (games, text) = (file("games"), file("text"));
    assert_eq!(generate(&games, 2, "").0, 0);
    std::fs::write(&text, "something else").unwrap();
    let (games, text, new) = (games.display(), text.display(), file("new").display().to_string());
    let generate = format!("morello-train generate --games 2 {QUICK}");
    for (arguments, message) in [
        (format!("{generate} --output {text}"), "it does not contain training games; use another file"),
        (format!("{generate} --output {games} --seed 2"), "with --seed 1, not 2; use the options of the run"),
        (
            format!("morello-train fit --output {new} --data {text}"),
            "it does not contain training games or labels; use a file",
        ),
        (format!("morello-train fit --output {new} --data {games} {games}"), "generate one with another --seed"),
        (format!("morello-train fit --output {new} --data {games} --init {text}"), "the file does not contain weights"),
        (format!("morello-train fit --output {new} --data {games} --round 0.01"), "must be at least 0.03125"),
        (
            format!("morello-train fit --output {new} --data {games} --round 0.1"),
            "expected a multiple of 0.03125, such as 0.25",
        ),
        (format!("morello-train fit --output {new} --data {new}"), "cannot read `"),
        (format!("morello-train fit --output {games} --data {games}"), "is also an input; use another file"),
        (
            format!("morello-train fit --output {new} --data {games} --csv {games}"),
            "is also an input; use another file",
        ),
        (format!("morello-train fit --output {new} --data {games} --csv {new}.counts"), "use different files"),
        (format!("morello-train report --weights {text} --data {games}"), "the file does not contain weights"),
    ] {
        let (code, output, errors) = run(&arguments, "");
        assert_eq!((code, output.as_str()), (2, ""), "{arguments}");
        assert!(errors.contains(message), "{arguments}: {errors}");
    }
    assert!(!Path::new(&new).exists());
}
