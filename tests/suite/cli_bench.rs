//! `morello bench ffo` and `morello bench solve`.

use crate::{rows, run};

/// A position with its score, one move before the end.
const EASY: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X; h8:+64;\n";

#[test]
fn solves_ffo_positions_in_order_with_the_published_scores() {
    let (code, text, errors) = run("bench ffo --from 1 --to 7 --hash 16 --format jsonl", "");
    assert_eq!((code, errors.as_str()), (0, ""));
    let rows = rows(&text);
    let field = |name: &str| rows.iter().map(|row| row[name].to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(field("position"), r##""#1" "#2" "#3" "#4" "#5" "#6" "#7""##);
    assert_eq!(field("empties"), "14 14 14 14 14 14 14");
    assert_eq!(field("score"), "18 10 2 0 32 14 8");
    assert_eq!(field("expected_score"), field("score"));
    assert_eq!((field("exact"), field("agrees")), (["true"; 7].join(" "), ["true"; 7].join(" ")));
    assert_eq!(field("edax_nodes"), ["null"; 7].join(" "));
    assert!(rows.iter().all(|row| row["nodes"].as_u64() > Some(14) && row["time_ms"].is_f64()));
}

#[test]
fn the_table_ends_in_the_totals() {
    let (code, text, _) = run("bench ffo --from 1 --to 3 --hash 16 --threads 1", "");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let column = lines[0].iter().position(|&name| name == "nodes").unwrap();
    let nodes: Vec<u64> = lines[1..].iter().map(|line| line[column].parse().unwrap()).collect();
    assert_eq!((code, nodes.len(), lines[4][0]), (0, 4, "total"));
    assert_eq!(nodes[3], nodes[..3].iter().sum::<u64>());
    // The nodes are deterministic on one thread with empty tables.
    let again = run("bench ffo --from 2 --to 2 --hash 16 --threads 1 --format csv", "").1;
    assert!(again.lines().nth(1).unwrap().contains(&format!(",{},", nodes[1])), "{again}");
}

#[test]
fn reports_unsolved_positions_beside_the_published_figures() {
    let (code, text, errors) = run("bench ffo --from 57 --to 58 --time 20ms --hash 16 --format jsonl", "");
    let rows = rows(&text);
    assert_eq!((code, errors.as_str()), (0, "not solved within --time: #57, #58\n"));
    assert!(rows.iter().all(|row| row["exact"] == false));
    let published = rows.iter().map(|row| (row["edax_nodes"].as_u64(), row["egaroucid_nodes"].as_u64()));
    let known = [(1_557_349_451, 1_199_147_907), (1_934_792_632, 878_877_709)];
    assert!(published.eq(known.map(|(edax, egaroucid)| (Some(edax), Some(egaroucid)))));
}

#[test]
fn fails_on_unexpected_scores() {
    let wrong = EASY.replace("+64", "+62");
    let (code, text, errors) = run("bench solve --hash 1 --format csv", &format!("% one\n{EASY}{wrong}"));
    assert_eq!((code, errors.as_str()), (1, "different from the expected score: -:3\n"));
    let rows: Vec<_> = text.lines().skip(1).collect();
    assert!(
        rows[0].starts_with("-:2,1,64,true,h8,64,true,") && rows[1].starts_with("-:3,1,64,true,h8,62,false,"),
        "{text}"
    );
    let (code, _, errors) = run("bench solve --hash 1", EASY);
    assert_eq!((code, errors.as_str()), (0, ""));
}

#[test]
fn rejects_invalid_arguments_before_the_run() {
    for (arguments, input, message) in [
        ("ffo --from 50", "", "--to"),
        ("ffo --from 0", "", "--from"),
        ("ffo --to 80", "", "--to"),
        ("ffo --hash 0", "", "--hash"),
        ("solve no-such-file.obf", "", "no-such-file.obf"),
        ("solve", &format!("{EASY}\n----- X"), "`-`, line 3, column 8: expected 64 squares"),
        ("solve", &format!("{EASY}{EASY}").replace("h8", "a1"), "`-`, line 1, column 69: illegal move `a1`"),
    ] {
        let (code, text, errors) = run(&format!("bench {arguments}"), input);
        assert_eq!((code, text.as_str()), (2, ""), "{arguments}");
        assert!(errors.starts_with("error: ") && errors.contains(message), "{arguments}: {errors}");
    }
}
