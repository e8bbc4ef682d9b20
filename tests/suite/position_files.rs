//! The files of `data/positions`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use morello::game::{AnnotatedPosition, Position as _};
use morello::othello::SizedPosition;
use morello::othello::formats::obf;

use crate::run;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/positions")
}

/// Reads a file. Illegal moves are errors.
fn entries<const N: usize>(file: &str) -> Vec<AnnotatedPosition<SizedPosition<N>>> {
    let text = fs::read_to_string(folder().join(file)).expect(file);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('%'));
    lines.map(|line| obf::parse(line).unwrap_or_else(|error| panic!("{file}: {line}: {error}"))).collect()
}

/// Checks that each position of a file has a score for every legal move. Returns the number of
/// positions.
fn check_scores<const N: usize>(file: &str) -> usize {
    let entries = entries::<N>(file);
    for entry in &entries {
        assert_eq!(entry.expected.len(), entry.position.count_moves(), "{file}: {}", entry.position);
    }
    entries.len()
}

#[test]
fn every_file_scores_every_legal_move() {
    let mut files = 0;
    for file in fs::read_dir(folder()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".obf") {
            continue;
        }
        let positions = match name.split('-').nth(1) {
            Some("4x4") => check_scores::<4>(&name),
            Some("6x6") => check_scores::<6>(&name),
            _ => check_scores::<8>(&name),
        };
        assert!(positions > 0, "{name}");
        files += 1;
    }
    assert!(files >= 6);
}

#[test]
fn the_hard_sets_have_the_documented_sizes_and_empties() {
    for (empties, count) in [(16, 100), (20, 100), (22, 20)] {
        let file = format!("hard-{empties}.obf");
        let entries = entries::<8>(&file);
        assert_eq!(entries.len(), count, "{file}");
        assert_eq!(entries.iter().map(|entry| entry.position).collect::<HashSet<_>>().len(), count, "{file}");
        for entry in &entries {
            assert_eq!(entry.position.board().empty_count(), empties, "{file}: {}", entry.position);
            assert!(entry.best_score().is_some_and(|score| score.abs() <= 10), "{file}: {}", entry.position);
        }
    }
}

#[test]
fn solving_hard_positions_reproduces_their_scores() {
    let text = fs::read_to_string(folder().join("hard-16.obf")).unwrap();
    let sample: Vec<_> = text.lines().filter(|line| !line.starts_with('%')).step_by(10).collect();
    let (code, rows, errors) = run("bench solve --hash 16 --format csv", &sample.join("\n"));
    assert_eq!((code, rows.lines().count(), errors.as_str()), (0, 1 + 10, ""));
    assert!(rows.lines().skip(1).all(|row| row.split(',').nth(3) == Some("true")), "{rows}");
}

/// Searches every line to its end, by the rules alone.
fn negamax(position: &SizedPosition<4>) -> i32 {
    position.legal_moves().map(|m| -negamax(&position.after(m))).max().unwrap_or_else(|| position.final_score())
}

#[test]
fn the_start_of_4x4_is_lost_by_ten() {
    let entries = entries::<4>("othello-4x4-start.obf");
    assert_eq!((entries.len(), entries[0].position), (1, SizedPosition::default()));
    for &(m, score) in &entries[0].expected {
        let m = m.expect("the start has moves");
        assert_eq!((-negamax(&entries[0].position.after(m)), score), (-10, -10));
    }
}
