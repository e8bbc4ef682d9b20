//! The lists of `morello database`: verified tables, openings, starts and draws by rule.

use std::fs;

use crate::cli_database::{database, output, rows};
use crate::{run, run_ok};

#[test]
fn verification_resumes_from_the_list_of_verified_tables() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), "build six-mens-morris --max-men 7");
    let file = folder.path().join("verified.csv");
    let verify = format!("verify six-mens-morris --verified {}", file.display());
    assert_eq!(output(folder.path(), &format!("{verify} --format csv")).lines().count(), 4);
    let list = fs::read_to_string(&file).unwrap();
    assert!(
        list.starts_with("game,sector,counted_to,positions,result,time_s,sha256\nsix-mens-morris,3-3,end,12012,ok,")
    );
    let sums = rows(folder.path(), "info six-mens-morris --sha256");
    assert_eq!((list.lines().count(), sums.len()), (4, 3));
    for table in &sums {
        let sum = table["sha256"].as_str().unwrap();
        assert!(
            list.lines()
                .any(|row| row.contains(&format!(",{},", table["sector"].as_str().unwrap())) && row.ends_with(sum))
        );
    }

    let (code, text, errors) = database(folder.path(), &format!("{verify} --format csv"));
    assert_eq!((code, text.lines().count()), (0, 1), "{errors}");
    assert!(errors.contains("3 of 3 tables were verified before, according to `"), "{errors}");
    // A row that was cut off when the process was killed is written again.
    fs::write(&file, &list[..list.len() - 10]).unwrap();
    let (code, text, errors) = database(folder.path(), &format!("{verify} --format csv"));
    assert_eq!((code, text.lines().count()), (0, 2), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 4);

    let changed = list.replace(sums[0]["sha256"].as_str().unwrap(), &"0".repeat(64));
    for (content, message) in [
        (changed.as_str(), "the table of sector 3-3 was changed after it was verified; delete `"),
        ("something else\n", "it is not a list of verified tables"),
        (&list.replace("six-mens-morris", "lasker-morris"), "line 2 is not a verified table of six-mens-morris"),
    ] {
        fs::write(&file, content).unwrap();
        let (code, _, errors) = database(folder.path(), &verify);
        assert!(code == 2 && errors.contains(message), "{errors}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content, "nothing is lost");
    }
    let (code, _, errors) = database(folder.path(), &format!("{verify} --every 2"));
    assert!(code == 2 && errors.contains("cannot be used with"), "{errors}");
    let one_by_one = rows(folder.path(), "verify six-mens-morris --one-by-one");
    assert!(one_by_one.len() == 3 && one_by_one.iter().all(|row| row["result"] == "ok"));
}

#[test]
fn openings_list_values_and_replies() {
    let folder = tempfile::tempdir().unwrap();
    let all = rows(folder.path(), "openings three-mens-morris --opening-plies 1");
    let found: Vec<_> =
        all.iter().map(|row| (row["opening"].as_str().unwrap(), row["outcome"].as_str().unwrap())).collect();
    assert_eq!(found, [("a3", "draw"), ("b3", "win"), ("b2", "loss")]);
    assert_eq!((&all[2]["plies"], &all[2]["moves"], &all[2]["keeping"]), (&8.into(), &8.into(), &8.into()));
    let start = rows(folder.path(), "openings three-mens-morris --opening-plies 0");
    assert_eq!((start.len(), &start[0]["keeping"], &start[0]["replies"]), (1, &1.into(), &"b2".into()));
    let (code, text, errors) = database(folder.path(), "openings nine-mens-morris --opening-plies 2");
    let build = "run `morello database build nine-mens-morris --sectors 1-2+8-7 --database ";
    assert!(code == 2 && text.is_empty() && errors.contains(build), "{errors}");
}

#[test]
fn starts_list_what_is_known_and_what_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), "build six-mens-morris --sectors 0-0+4-3");
    let starts = rows(folder.path(), "starts six-mens-morris --plan");
    assert_eq!(starts.len(), 16);
    let known: Vec<_> = starts.iter().filter(|row| !row["outcome"].is_null()).collect();
    let named =
        |first: u32, second: u32| starts.iter().find(|row| row["first"] == first && row["second"] == second).unwrap();
    assert_eq!(known, [named(4, 3)]);
    let start = known[0];
    assert_eq!((&start["sector"], &start["steps"], &start["positions"]), (&"0-0+4-3".into(), &0.into(), &0.into()));
    let other = named(3, 4);
    let (steps, positions) = (other["steps"].as_u64().unwrap(), other["positions"].as_u64().unwrap());
    let built = rows(folder.path(), "build six-mens-morris --sectors 0-0+3-4");
    let sum: u64 = built.iter().map(|row| row["positions"].as_u64().unwrap()).sum();
    assert_eq!((built.len() as u64, sum), (steps, positions));
    let after = rows(folder.path(), "starts six-mens-morris");
    assert_eq!(after.iter().filter(|row| !row["outcome"].is_null()).count(), 2);
    assert!(after[0].get("steps").is_none());
}

#[test]
fn statistics_of_morabaraba_have_the_draws_by_rule() {
    let folder = tempfile::tempdir().unwrap();
    let csv = output(folder.path(), "stats morabaraba --sectors 3-3 --format csv");
    let head = "own,other,own_hand,other_hand,wins,draws,losses,longest_win,longest_loss,wins_drawn,losses_drawn";
    assert_eq!(csv, format!("{head}\n3,3,0,0,141204,0,28422,15,16,0,0\n"));
}

#[test]
fn a_review_against_tables_has_the_plies_lost() {
    // Black's second move loses in 2 plies; the best one in 6.
    let text = run_ok("analyze three-mens-morris --format jsonl", "b2 b3 c1 c3 a3\n");
    let rows = crate::rows(&text);
    let column = |name: &str| rows.iter().map(|row| row[name].as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!(column("plies"), [9.0, 8.0, 7.0, 6.0, 1.0]);
    assert_eq!((column("loss"), column("plies_lost")), (vec![0.0; 5], vec![0.0, 0.0, 0.0, 4.0, 0.0]));
    // A move that changes the result loses points.
    let (_, text, _) = run("analyze three-mens-morris --format jsonl", "b2 b3 a2\n");
    let last: serde_json::Value = serde_json::from_str(text.lines().nth(2).unwrap()).unwrap();
    assert_eq!((&last["loss"], &last["plies_lost"]), (&1.0.into(), &serde_json::Value::Null));
}
