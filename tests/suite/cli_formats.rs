//! Every output format that a command offers works.

use std::fs;

use crate::{morello, run, run_ok};

/// Commands with `--format`, which run quickly.
const COMMANDS: [&str; 12] = [
    "analyze othello-4x4 --depth 2",
    "bench ffo --from 1 --to 1 --time 1ms --hash 1",
    "bench solve --time 1ms --hash 1",
    "database openings three-mens-morris --opening-plies 2",
    "database probe three-mens-morris start",
    "database puzzles three-mens-morris --limit 2",
    "database starts three-mens-morris --plan",
    "database stats three-mens-morris --sectors 3-3",
    "perft othello 2",
    "perft othello 2 --divide",
    "referee othello --moves f5d6",
    "selfplay othello-4x4 --engine random,name=a --engine random,name=b --games 2",
];

/// Returns the values of an option in the help of a command.
fn offered(command: &str, option: &str) -> Vec<String> {
    let words: Vec<_> = command.split(' ').take_while(|word| !word.starts_with('-')).collect();
    let (_, help, _) = run(&format!("{} --help", words.join(" ")), "");
    let Some((_, after)) = help.split_once(&format!("{option} <")) else { return Vec::new() };
    let (_, list) = after.split_once("Possible values:\n").unwrap_or_else(|| panic!("{command}: {after}"));
    let names = list.lines().map_while(|line| line.trim().strip_prefix("- "));
    names.map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn every_offered_row_format_works() {
    let board = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X; h8:+64;\n";
    let mut runs = 0;
    for command in COMMANDS {
        for format in offered(command, "--format") {
            let input = if command.starts_with("analyze") { "b1a1\n" } else { board };
            let line = format!("{command} --format {format}");
            let output = morello().args(line.split(' ')).write_stdin(input).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            // A benchmark that reaches its time limit reports it by its exit code.
            assert!(matches!(output.status.code(), Some(0 | 1)) && !errors.contains("error: "), "{line}: {errors}");
            assert!(!output.stdout.is_empty(), "{line}");
            runs += 1;
        }
    }
    assert!(runs >= 30, "{runs}");
}

#[test]
fn every_listed_format_and_extension_works_in_convert() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves) in
        [("othello", "f5d6"), ("othello-4x4", "b1a1"), ("lasker-morris", "d2 f4"), ("six-mens-morris", "d2 f4")]
    {
        let (code, _, error) = run(&format!("convert {game} --to none"), moves);
        assert_eq!(code, 2, "{error}");
        let listed = error.lines().skip(1).flat_map(|line| line.split(':').next().unwrap().trim().split(" or "));
        let output = |extension: &str| folder.path().join(format!("{game}.{extension}")).display().to_string();
        let mut names = 0;
        for name in listed {
            let file = output(if name == "wthor" { "wtb" } else { "out" });
            let (code, _, errors) = run(&format!("convert {game} --to {name} -o {file} --force"), moves);
            assert_eq!(code, 0, "{game}, {name}: {errors}");
            names += 1;
        }
        assert!(names >= 5, "{game}: {error}");
        let (code, _, error) = run(&format!("convert {game} -o {}", output("xls")), moves);
        assert!(code == 2 && !fs::exists(output("xls")).unwrap(), "{error}");
        let (_, extensions) = error.trim_end().split_once(": .").expect("a list of extensions");
        for extension in extensions.split(", .") {
            run_ok(&format!("convert {game} --force -o {}", output(extension)), moves);
        }
    }
}
