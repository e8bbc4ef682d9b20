//! `morello analyze` on games and in partial runs, and `morello convert`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use morello::analysis::checkpoint::AnalysisCheckpoint;
use morello::game::{Notation, random_game};
use morello::othello;
use serde_json::Value;

use crate::{assert_fails, rows, run, run_ok, spawn};

type Othello = othello::Position;
type Othello4 = othello::SizedPosition<4>;

/// Transcripts of complete random games on 4x4, one per line.
fn transcripts(count: u64) -> String {
    (1..=count).map(|seed| Othello4::write_moves(&random_game::<Othello4>(seed, 30).any()) + "\n").collect()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("the path is UTF-8").to_owned()
}

#[test]
fn the_loss_of_a_move_is_the_score_difference_to_the_next_position() {
    let folder = tempfile::tempdir().unwrap();
    let games = path(folder.path(), "games.csv");
    let (code, text, errors) =
        run(&format!("analyze othello-4x4 --exact --format jsonl --game-rows {games}"), &transcripts(8));
    assert_eq!(code, 0, "{errors}");
    let rows = rows(&text);
    let mut lost = [0.0, 0.0];
    let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
    for (row, next) in rows.iter().zip(rows.iter().skip(1)) {
        let side = |row: &Value| row["position"].as_str().unwrap().ends_with('X');
        let loss = number(row, "loss");
        assert!(loss >= 0.0 && (loss > 0.0 || row["played"] == row["best_move"] || loss == 0.0));
        lost[usize::from(!side(row))] += loss;
        if row["game"] == next["game"] {
            let after = if side(row) == side(next) { number(next, "score") } else { -number(next, "score") };
            assert_eq!(number(row, "score") - loss, after, "{row}\n{next}");
            assert!(number(row, "ply") < number(next, "ply"));
        }
    }
    assert_eq!(rows.iter().map(|row| row["game"].as_u64().unwrap()).max(), Some(8));
    assert!(lost.iter().sum::<f64>() > 0.0, "random moves lose points");
    let table = fs::read_to_string(games).unwrap();
    assert_eq!(table.lines().count(), 9);
    assert!(errors.contains("games      8: "), "{errors}");
}

#[test]
fn selects_positions_of_games_and_still_scores_the_last_move() {
    let (_, text, _) = run("analyze othello-4x4 --exact --format jsonl", &transcripts(3));
    let all = rows(&text);
    let (_, text, _) = run("analyze othello-4x4 --exact --format jsonl --plies 2..5", &transcripts(3));
    let selected = rows(&text);
    let expected: Vec<_> = all.iter().filter(|row| (2..=5).contains(&row["ply"].as_u64().unwrap())).collect();
    let key = |row: &Value| (row["game"].clone(), row["ply"].clone(), row["loss"].clone());
    assert!(selected.iter().map(key).eq(expected.into_iter().map(key)));
    let (_, text, _) = run("analyze othello-4x4 --exact --format jsonl --empties 4", &transcripts(3));
    let empties = |row: &Value| row["position"].as_str().unwrap().matches('-').count();
    let late = rows(&text);
    assert!(!late.is_empty() && late.iter().all(|row| empties(row) <= 4));
    assert_eq!(late.len(), all.iter().filter(|row| empties(row) <= 4).count());
}

#[test]
fn shards_partition_the_input_and_unique_drops_duplicates() {
    let input = transcripts(7);
    let analyze = |more: &str| {
        let text = run_ok(&format!("analyze othello-4x4 --depth 1 --deterministic --format csv {more}"), &input);
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut all = analyze("");
    let mut parts: Vec<_> = (1..=3).flat_map(|part| analyze(&format!("--shard {part}/3"))).collect();
    all.sort();
    parts.sort();
    assert_eq!(parts, all);
    let unique = analyze("--unique");
    let positions: std::collections::HashSet<_> = unique.iter().map(|row| row.split(',').nth(2)).collect();
    assert_eq!(positions.len(), unique.len());
    // The four first moves are symmetric.
    assert_eq!(unique.iter().filter(|row| row.split(',').nth(10) == Some("1")).count(), 1);
    assert!(unique.len() < all.len());
}

#[test]
fn a_full_set_of_unique_positions_ends_the_run_which_more_memory_continues() {
    let folder = tempfile::tempdir().unwrap();
    let (input, rows) = (path(folder.path(), "in.txt"), path(folder.path(), "rows.csv"));
    let text: String =
        (1..=450).map(|seed| Othello::write_moves(&random_game::<Othello>(seed, 60).any()) + "\n").collect();
    fs::write(&input, text).unwrap();
    let arguments = format!("analyze othello {input} --depth 1 --unique --resume -o {rows} --memory");
    let (code, _, errors) = run(&format!("{arguments} 1"), "");
    assert!(code == 2 && errors.contains("more than 17476 different positions do not fit into 1 MiB"), "{errors}");
    assert!(errors.contains("use a larger --memory"), "{errors}");
    run_ok(&format!("{arguments} 4"), "");
    let text = fs::read_to_string(rows).unwrap();
    let positions: std::collections::HashSet<_> = text.lines().map(|row| row.split(',').nth(2)).collect();
    assert!(positions.len() > 17_477 && positions.len() == text.lines().count(), "{}", positions.len());
}

#[test]
fn a_killed_analysis_resumes_to_identical_output() {
    let folder = tempfile::tempdir().unwrap();
    let [input, whole, parts] = ["in.txt", "whole", "parts"].map(|name| path(folder.path(), name));
    let text: String =
        (1..=30).map(|seed| Othello::write_moves(&random_game::<Othello>(seed, 40).any()) + "\n").collect();
    fs::write(&input, text).unwrap();
    let mut depth = 8;
    for extension in ["csv", "parquet"] {
        let [whole, parts] = [&whole, &parts].map(|name| format!("{name}.{extension}"));
        let [whole_games, parts_games] = [&whole, &parts].map(|name| format!("{name}.games.{extension}"));
        // A run must take longer than the second after which the first checkpoint is written.
        let arguments = loop {
            let arguments =
                format!("analyze othello {input} --depth {depth} --deterministic --threads 2 --hash 1 --force");
            let start = Instant::now();
            run_ok(&format!("{arguments} -o {whole} --game-rows {whole_games}"), "");
            if start.elapsed() > Duration::from_millis(2500) {
                break arguments.replace("--force", "--resume");
            }
            depth += 1;
        };
        let arguments = format!("{arguments} -o {parts} --game-rows {parts_games}");
        let checkpoint = format!("{parts}.checkpoint");
        let time = || fs::metadata(&checkpoint).and_then(|about| about.modified()).ok();
        let (mut kills, mut is_complete) = (0, false);
        while kills < 2 && !is_complete {
            let mut child = spawn(&arguments);
            let before = time();
            while time() == before && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(5));
            }
            if let Some(status) = child.try_wait().unwrap() {
                is_complete = status.success();
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            // It may have been killed after its last write.
            is_complete = fs::read(&parts).unwrap_or_default() == fs::read(&whole).unwrap() && time().is_none();
        }
        assert!(kills > 0, "the run ended before it was killed");
        if !is_complete {
            run_ok(&arguments, "");
        }
        let read = |name: &str| fs::read(name).unwrap();
        assert!(read(&parts) == read(&whole) && read(&parts_games) == read(&whole_games), "{extension}");
        // Nothing but the outputs is left, and another run does not replace them.
        let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let others = ["checkpoint", "rows"];
        assert!(left.into_iter().all(|name| others.iter().all(|other| !name.ends_with(other))), "{extension}");
        let remedy = "--force";
        assert_fails(&arguments, "", remedy);
        assert_eq!(read(&parts), read(&whole));
    }
}

#[test]
fn copies_other_columns_to_the_output() {
    let input = "id,position,score\n7,-----OX--XO----- X,good\n8,oops,bad\n";
    let (code, text, _) = run("analyze othello-4x4 --depth 2 --format jsonl", input);
    assert_eq!(code, 1);
    let rows = rows(&text);
    assert_eq!((&rows[0]["id"], &rows[0]["input_score"]), (&7.into(), &"good".into()));
    assert_eq!((&rows[1]["id"], rows[1]["error"].is_string()), (&8.into(), true));
}

#[test]
fn the_report_is_a_self_contained_page_with_plots() {
    let folder = tempfile::tempdir().unwrap();
    let report = path(folder.path(), "report.html");
    let (code, ..) = run(&format!("analyze othello-4x4 --exact --report {report}"), &transcripts(4));
    assert_eq!(code, 0);
    let page = fs::read_to_string(report).unwrap();
    for section in ["<h2>Scores</h2>", "<h2>Time</h2>", "<h2>Nodes</h2>", "<h2>Accuracy by ply</h2>", "<svg "] {
        assert!(page.contains(section), "{section}");
    }
    assert!(!page.contains("http"), "the page has no external references");
}

#[test]
fn outputs_say_what_made_them() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.json", "a.txt", "a.html", "a.parquet"].map(|name| path(folder.path(), name));
    let [json, txt, html, parquet] = &files;
    let read = |file: &str| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
    let analyze = format!("analyze othello-4x4 --depth 3 --report {html} -o {parquet}");
    run_ok(&format!("{analyze} --summary {json}"), &transcripts(2));
    run_ok(&format!("{analyze} --summary {txt} --force"), &transcripts(2));
    let provenance = &serde_json::from_str::<Value>(&read(json)).unwrap()["provenance"];
    let text = |name: &str| provenance[name].as_str().unwrap_or_default().to_owned();
    assert_eq!((text("program"), text("version")), ("morello".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    assert!(text("command").starts_with("morello analyze othello-4x4 --depth 3 "), "{provenance}");
    assert!(text("machine").contains(" threads") && text("date").len() == 19, "{provenance}");
    assert_eq!(
        (&provenance["settings"]["depth"], &provenance["settings"]["weights"]),
        (&"3".into(), &"built-in".into())
    );
    for (file, part) in [(txt, "command    morello analyze"), (html, "<footer>"), (parquet, "morello.command")] {
        assert!(read(file).contains(part) && read(file).contains("morello analyze othello-4x4"), "{file}");
    }
    // What differs between runs is left out on request.
    run_ok(&format!("{analyze} --summary {json} --deterministic --force"), &transcripts(2));
    let provenance = &serde_json::from_str::<Value>(&read(json)).unwrap()["provenance"];
    assert!(["command", "machine", "date"].iter().all(|name| provenance[name].is_null()), "{provenance}");
    let (_, version, _) = run("--version", "");
    let revision = provenance["revision"].as_str().map_or_else(String::new, |revision| format!("{revision}; "));
    assert!(version.starts_with(&format!("morello {} ({revision}", env!("CARGO_PKG_VERSION"))), "{version}");
}

#[test]
fn othello_games_survive_a_round_trip_through_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let text: String =
        (1..=20).map(|seed| Othello::write_moves(&random_game::<Othello>(seed, 200).any()) + "\n").collect();
    let (code, ggf, errors) = run("convert othello --to ggf", &text);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(run("convert othello --to transcript", &ggf).1, text);
    let wthor = path(folder.path(), "some.wtb");
    run_ok(&format!("convert othello --to wthor -o {wthor}"), &ggf);
    assert_eq!(run_ok(&format!("convert othello {wthor} --to transcript"), ""), text);
    let csv = run_ok(&format!("convert othello {wthor} --to csv"), "");
    let (_, _, errors) = run(&format!("convert othello {wthor} --to csv --statistics"), "");
    assert!(errors.starts_with("20 games: 0 unfinished, 0 with a recorded result"), "{errors}");
    let wrong = ggf.replacen("RE[", "RE[+1]XX[", 1);
    let (_, _, errors) = run("convert othello --to csv --statistics", &wrong);
    assert!(errors.starts_with("20 games: 0 unfinished, 1 with a recorded result"), "{errors}");
    assert!(csv.starts_with("file,game,black_discs,theoretical_black_discs,complete,transcript,"), "{csv}");
    assert_eq!(run("convert othello --to transcript", &csv).1, text);
    // The metadata columns are converted, too.
    let tagged = text.lines().map(|line| format!("{line},a,\"b, c\",2001\n")).collect::<String>();
    let table = run("convert othello --to csv", &format!("transcript,black,white,year\n{tagged}")).1;
    let (code, ggf_of_table, errors) = run("convert othello --to ggf", &table);
    assert!(code == 0 && ggf_of_table.contains("DT[2001]PB[a]PW[b, c]"), "{errors} {ggf_of_table}");
    assert!(
        errors.contains("dropped: the columns file, game, complete, black_points, plies, line, note\n"),
        "{errors}"
    );
    assert_fails("convert othello --to wthor", &ggf, "--output");
    let (code, _, errors) = run("convert othello --to kif", &ggf);
    assert!(code == 2 && errors.contains("obf") && errors.contains("parquet"), "{errors}");
}

#[test]
fn mill_games_survive_a_round_trip_through_every_format() {
    type Nine = morello::morris::Position<morello::morris::NineMensMorris>;
    let text: String = (1..=20).map(|seed| Nine::write_moves(&random_game::<Nine>(seed, 60).any()) + "\n").collect();
    for format in ["playok", "sanmill-uci", "moves", "jsonl"] {
        let converted = run_ok(&format!("convert nine-mens-morris --to {format}"), &text);
        let back = run_ok("convert nine-mens-morris --to sanmill-uci", &converted);
        assert_eq!(back, run("convert nine-mens-morris --to sanmill-uci", &text).1, "{format}");
    }
}

#[test]
fn conversion_reports_lost_data_and_skips_invalid_lines() {
    let ggf = "(;GM[Othello]PB[a]PW[b]DT[2001]BO[4 -----O*--*O----- *]B[b1//2]W[a1];)\n";
    let (code, text, errors) = run("convert othello-4x4 --to transcript", &format!("{ggf}nonsense\n{ggf}"));
    assert_eq!((code, text.as_str()), (1, "b1a1\nb1a1\n"));
    assert!(errors.contains("-, line 2, column "), "{errors}");
    assert!(errors.contains("dropped: the names of 2, the date of 2, the move notes of 2"), "{errors}");
    let (_, text, _) = run("convert othello-4x4 --to obf --plies 1..1", ggf);
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn the_cache_avoids_repeated_searches() {
    let folder = tempfile::tempdir().unwrap();
    let cache = path(folder.path(), "results.cache");
    let games = transcripts(6);
    let search = |input: &str, more: &str| {
        // One thread: two threads may search equal positions at the same time.
        let (code, text, errors) =
            run(&format!("analyze othello-4x4 --depth 6 --threads 1 --format csv {more}"), input);
        assert_eq!(code, 0, "{errors}");
        let counts = errors.lines().find_map(|line| line.strip_prefix("cache")).map(|line| {
            let mut numbers = line.split_whitespace().filter_map(|word| word.parse::<usize>().ok());
            (numbers.next().unwrap(), numbers.next().unwrap())
        });
        (text, counts)
    };
    let undisturbed = search(&games, "--deterministic").0;
    let rows = undisturbed.lines().count() - 1;
    let cached = format!("--deterministic --cache {cache}");
    let first = search(&games, &cached);
    let (again, second) = search(&games, &cached);
    assert_eq!((first.0.as_str(), again.as_str()), (undisturbed.as_str(), undisturbed.as_str()), "to the byte");
    let (found, added) = first.1.unwrap();
    // The last position of an unfinished game is searched for the loss of the move before it, but
    // has no row.
    assert!(found + added >= rows && added > rows / 2, "few positions occur twice");
    assert_eq!(second, Some((found + added, 0)));
    // Other options do not use these results.
    assert_eq!(search(&games, &format!("{cached} --all-moves")).1.unwrap().1, added);
    // Symmetric positions share a result, unless the output must be deterministic.
    let (turned, start) = ("-----XO--OX----- X\n", "-----OX--XO----- X\n");
    let cached = |more: &str| format!("--cache {cache} {more}");
    assert_eq!(search(start, &cached("")).1, Some((0, 1)));
    assert_eq!(search(turned, &cached("")).1, Some((1, 0)));
    assert_eq!(search(turned, &cached("--deterministic")).1, Some((0, 1)));
    assert_fails(&format!("analyze othello-4x4 --cache {}", path(folder.path(), "no/x")), start, "--cache");
}

#[test]
fn obf_output_with_scores_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let filled = path(folder.path(), "filled.obf");
    let bad = "no position\n";
    for more in ["", "--all-moves"] {
        let arguments = format!("analyze othello-4x4 --exact -o {filled} --force {more}");
        let (code, _, errors) = run(&arguments, &(transcripts(4) + bad));
        assert_eq!(code, 1, "{errors}");
        let text = fs::read_to_string(&filled).unwrap();
        assert!(text.lines().last().unwrap().starts_with("% line 5, column 1: "), "{text}");
        let (code, rows, errors) = run(&format!("analyze othello-4x4 --exact --all-moves --format jsonl {filled}"), "");
        let rows = self::rows(&rows);
        assert_eq!(rows.len(), text.lines().count() - 1, "{errors}");
        assert!(rows.iter().all(|row| row["expected_score"] == row["score"]));
        // If only one move has a score, another move may be as good.
        assert!(more.is_empty() || code == 0 && rows.iter().all(|row| row["agrees"] == true), "{errors}");
    }
    assert_fails("analyze nine-mens-morris --depth 1 --format obf", "9,9 - - W", "csv or jsonl");
    assert_fails("perft othello 1 --format obf", "", "[possible values: table, ");
}

#[test]
fn losses_are_reported_for_all_moves_or_none() {
    let games = transcripts(12);
    let search = |more: &str| {
        let text = run_ok(&format!("analyze othello-4x4 --format jsonl {more}"), &games);
        rows(&text)
    };
    // With --wld, losses are differences of outcomes: from a win to a loss is 2.
    for (exact, wld) in search("--exact").iter().zip(&search("--wld")) {
        let sign = |score: f64| f64::from(i32::from(score > 0.0) - i32::from(score < 0.0));
        let best = exact["score"].as_f64().unwrap();
        let lost = exact["loss"].as_f64().unwrap();
        assert_eq!(wld["loss"].as_f64(), Some(sign(best) - sign(best - lost)), "{exact}\n{wld}");
    }
    for more in ["--alpha 2 --beta 8", "--exact --unique"] {
        assert!(search(more).iter().all(|row| row["loss"].is_null()), "{more}");
    }
    assert_eq!(run("analyze othello-4x4 --unique --game-rows x.csv", &games).0, 2);
    // Without losses, the summary has no players.
    let named = games.lines().map(|game| format!("Anna - Bob: {game}\n")).collect::<String>();
    let (_, _, errors) = run("analyze othello-4x4 --depth 1 --unique", &named);
    assert!(errors.contains("\ngames      12: losses not measured\n") && !errors.contains("Anna"), "{errors}");
}

#[test]
fn resuming_rejects_changed_inputs_and_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output, other, games] =
        ["games.txt", "rows.csv", "precious.csv", "table.csv"].map(|name| path(folder.path(), name));
    // The last line ends the run, which is not complete then.
    fs::write(&input, transcripts(5) + "bad\n").unwrap();
    fs::write(&other, "precious\n".repeat(1000)).unwrap();
    let command = format!("analyze othello-4x4 --depth 2 {input} --strict --resume -o {output}");
    let resume = |games: &str| run(&format!("{command} --game-rows {games}"), "");
    let locked = fs::File::create(&output).unwrap();
    locked.lock().unwrap();
    let (code, _, errors) = resume(&games);
    assert!(code == 2 && errors.contains("rows.csv`: another process is using it"), "{errors}");
    assert!(!fs::exists(&games).unwrap() && locked.metadata().unwrap().len() == 0);
    drop(locked);
    let (code, _, errors) = resume(&other);
    assert!(code == 2 && errors.contains("precious.csv` has rows but no checkpoint"), "{errors}");
    assert_eq!(resume(&games).0, 1);
    let (code, _, errors) = resume(&other);
    assert!(code == 2 && errors.contains("other inputs or options"), "{errors}");
    assert_eq!(fs::read_to_string(&other).unwrap().len(), 9000);
    // A run that was killed after its last row only writes its reports.
    let file = format!("{output}.checkpoint");
    let complete = || {
        let text = fs::read_to_string(&file).unwrap();
        let fingerprint = text.split("\"fingerprint\":\"").nth(1).unwrap().split('"').next().unwrap();
        let mut checkpoint = AnalysisCheckpoint::new(fingerprint.to_owned());
        (checkpoint.complete, checkpoint.records) = (true, 5);
        let [rows, games] = [&output, &games].map(|name| fs::metadata(name).unwrap().len());
        (checkpoint.rows_bytes, checkpoint.games_bytes) = (rows, games);
        checkpoint.write(file.as_ref()).unwrap();
    };
    complete();
    assert!(resume(&games).2.contains("the run is already complete") && !fs::exists(&file).unwrap());
    assert!(resume(&games).2.contains("has rows but no checkpoint"));
    // The outputs of a complete run must be unchanged.
    assert_eq!(run(&format!("{command} --game-rows {games} --force"), "").0, 1);
    complete();
    fs::write(&games, "cut").unwrap();
    let (code, _, errors) = resume(&games);
    assert!(code == 2 && errors.contains("table.csv` has changed since the run was completed"), "{errors}");
    // A change in the middle of an input is detected.
    let text = fs::read_to_string(&input).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    lines.swap(1, 3);
    fs::write(&input, lines.join("\n") + "\n").unwrap();
    assert!(resume(&games).2.contains("other inputs or options"));
    // An output is not left behind if the checkpoint is refused.
    fs::remove_file(&output).unwrap();
    assert!(resume(&games).2.contains("other inputs or options"));
    assert!(!fs::exists(&output).unwrap());
}

#[test]
fn repeatedly_copied_columns_keep_distinct_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut input = path(folder.path(), "0.csv");
    fs::write(&input, "id,position\n7,-----OX--XO----- X\n").unwrap();
    for n in 1..4 {
        let output = path(folder.path(), &format!("{n}.csv"));
        run_ok(&format!("analyze othello-4x4 --depth 1 {input} -o {output}"), "");
        let text = fs::read_to_string(&output).unwrap();
        let names: Vec<_> = text.lines().next().unwrap().split(',').collect();
        let distinct: std::collections::HashSet<_> = names.iter().collect();
        assert_eq!((distinct.len(), names.contains(&"id")), (names.len(), true), "{text}");
        input = output;
    }
    let rows = rows(&run_ok(&format!("convert othello-4x4 {input} --to jsonl"), ""));
    assert_eq!((&rows[0]["id"], rows[0].as_object().unwrap().len() > 60), (&Value::from(7), true), "{rows:?}");
}

#[test]
fn a_conversion_stops_when_its_output_fails() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    for to in ["transcript", "csv", "jsonl", "ggf"] {
        let (code, _, errors) = run(&format!("convert othello-4x4 --to {to} -o /dev/full"), &transcripts(20_000));
        assert!(code == 2 && errors.lines().count() < 4 && errors.contains("`/dev/full`"), "{to}: {errors}");
    }
}

#[test]
fn conversion_to_wthor_does_not_overwrite_foreign_name_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    let game = random_game::<Othello>(1, 70);
    let text = Othello::write_moves(&game.any()) + "\n";
    let convert = |output: &str| run(&format!("convert othello --to wthor -o {output}"), &text);
    let (code, _, errors) = convert(&at("games.jou"));
    assert!(code == 2 && errors.contains(".wtb"), "{errors}");
    fs::write(at("WTH.JOU"), "names").unwrap();
    for output in ["wth.wtb", "WTH.wtb"] {
        let (code, _, errors) = convert(&at(output));
        assert!(code == 2 && errors.contains("WTH.JOU"), "{errors}");
        assert!(!Path::new(&at(output)).exists());
    }
    assert_eq!(fs::read_to_string(at("WTH.JOU")).unwrap(), "names");
    // A conversion may replace its own files.
    assert_eq!(convert(&at("own.wtb")).0, 0);
    assert!(convert(&at("own.wtb")).2.contains("own.wtb` exists"));
    assert_eq!(convert(&format!("{} --force", at("own.wtb"))).0, 0);
}

#[test]
fn a_first_move_equal_by_symmetry_loses_nothing() {
    for first in ["f5", "d3", "c4", "e6"] {
        let (_, text, errors) = run("analyze othello --depth 3 --plies 0..0 --format jsonl", &format!("{first}\n"));
        assert_eq!(rows(&text)[0]["loss"], 0.0, "{first}: {errors}");
    }
}

#[test]
fn games_after_many_positions_are_reported_as_such() {
    let positions = "---------------------------OX------XO--------------------------- X\n".repeat(1500);
    let convert = |input: &str| run("convert othello --to csv", input);
    let (code, text, errors) = convert(&(positions.clone() + "f5d6\n"));
    assert_eq!((code, text.lines().count()), (0, 1504), "{errors}");
    assert_eq!(errors, "1 game written as positions, because the input begins with positions\n");
    assert_eq!(convert(&positions).2, "");
    // A game among the first records decides for rows of games.
    let (_, text, errors) = convert(&(positions[..200].to_owned() + "\nf5d6\n"));
    assert!(text.starts_with("file,game,black_discs,") && text.contains(",f5d6,"), "{text}{errors}");
}

#[test]
fn only_keys_that_a_conversion_drops_are_reported() {
    let convert = |input: &str| run("convert othello --to transcript", input).2;
    assert_eq!(convert("{\"transcript\":\"f5d6\"}\n"), "");
    assert_eq!(convert("{\"id\":1,\"transcript\":\"f5d6\"}\n"), "dropped: the columns id\n");
    let two = "{\"transcript\":\"f5d6\"}\n{\"transcript\":\"f5\",\"id\":1}\n";
    assert_eq!(convert(two), "dropped: the columns id\n");
    let more = convert(&("{\"transcript\":\"f5d6\"}\n".repeat(3000) + two));
    assert_eq!(more, "dropped: the keys of 1 that are not in the first objects\n");
}

#[test]
fn reports_and_summaries_have_known_extensions() {
    for (option, remedy) in [("--report x.pdf", "use .html or .htm"), ("--summary x.csv", "use .json or .txt")] {
        assert_fails(&format!("analyze othello {option}"), "f5\n", remedy);
    }
    // Discarding two outputs is harmless.
    run_ok("analyze othello --depth 1 --summary /dev/null --report /dev/null", "f5\n");
}

#[test]
fn position_selection_requires_a_position_format() {
    let input = transcripts(3);
    let (code, text, errors) = run("convert othello-4x4 --plies 2..3 --to jsonl", &input);
    assert_eq!((code, rows(&text).len()), (0, 6), "{errors}");
    assert_fails("convert othello-4x4 --plies 2..3 --to ggf", &input, "obf");
}
