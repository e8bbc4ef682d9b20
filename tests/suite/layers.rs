//! The layers: a module names only modules of lower layers, the two families of games never name each other, and what thinks about games
//! in general names none in particular.
//!
//! A module belongs to the layer of its longest prefix in [`LAYERS`]. Tests and comments may name anything.

use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: &[(&str, u32)] = &[
    ("causes", 0),
    ("fnv", 0),
    ("instructions", 0),
    ("lock", 0),
    ("game", 1),
    ("journal", 2),
    ("othello", 2),
    ("morris", 2),
    ("perft", 3),
    ("search", 3),
    ("output", 3),
    ("boardwalk::moves", 1),
    ("boardwalk::board", 3),
    ("input", 4),
    ("othello::engine", 4),
    ("morris::engine", 4),
    ("players", 5),
    ("tournament", 6),
    ("analysis", 5),
    ("conversion", 5),
    ("training", 5),
    ("session", 5),
    ("boardwalk", 6),
    ("games", 6),
    ("text", 7),
    ("web", 7),
    ("protocol", 7),
    ("cli", 8),
    ("main", 9),
];

/// The families of games.
const FAMILIES: &[&str] = &["othello", "morris"];
/// The modules that are about games in general.
const GENERAL: &[&str] = &[
    "game",
    "perft",
    "search",
    "output",
    "input",
    "conversion",
    "players",
    "tournament",
    "analysis",
    "protocol",
    "session",
    "web",
    "causes",
    "fnv",
    "boardwalk",
    "lock",
    "journal",
];

/// Returns the entry of [`LAYERS`] that a module belongs to.
fn layer(module: &[String]) -> Option<(&'static str, u32)> {
    let path = module.join("::");
    let within = |prefix: &str| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    LAYERS.iter().copied().filter(|(prefix, _)| within(prefix)).max_by_key(|(prefix, _)| prefix.len())
}

/// Returns what is wrong with the paths that a module's text names.
fn violations(module: &[&str], text: &str) -> Vec<String> {
    let module: Vec<String> = module.iter().map(ToString::to_string).collect();
    let name = module.join("::");
    let Some((own, own_layer)) = layer(&module) else {
        return vec![format!("{name} belongs to no layer: add it to the table of this test")];
    };
    let mut violations = Vec::new();
    for path in paths(&module, text) {
        let Some((other, other_layer)) = layer(&path) else { continue };
        let path = path.join("::");
        let family = |of: &str| FAMILIES.iter().find(|&&family| of.split("::").next() == Some(family));
        if other != own && other_layer >= own_layer {
            violations.push(format!("{name} (layer {own_layer}) names {path} (layer {other_layer})"));
        } else if let (Some(a), Some(b)) = (family(own), family(other))
            && a != b
        {
            violations.push(format!("{name} names {path} of the other family"));
        } else if GENERAL.contains(&own) && family(other).is_some() {
            violations.push(format!("{name} is about games in general, and names {path}"));
        }
    }
    violations
}

/// Returns the paths within the crate that a text names, without the crate's name.
fn paths(module: &[String], text: &str) -> Vec<Vec<String>> {
    let code = code(text);
    let mut paths = Vec::new();
    let mut rest = code.as_str();
    while let Some(found) = ["crate::", "morello::", "super::"].iter().filter_map(|word| rest.find(word)).min() {
        let within_a_word = rest[..found].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let mut tail = &rest[found..];
        let mut base = Vec::new();
        if tail.starts_with("super::") {
            base = module.to_vec();
            while let Some(after) = tail.strip_prefix("super::") {
                base.pop();
                tail = after;
            }
        } else {
            tail = &tail[tail.find("::").expect("each of the words ends so") + 2..];
        }
        rest = tail;
        if !within_a_word {
            tree(&base, tail, &mut paths);
        }
    }
    paths
}

/// Reads a path, or several in braces, that go on from `base`; returns what follows.
fn tree<'a>(base: &[String], text: &'a str, paths: &mut Vec<Vec<String>>) -> &'a str {
    let mut path = base.to_vec();
    let mut text = text.trim_start();
    loop {
        if let Some(mut inner) = text.strip_prefix('{') {
            loop {
                inner = tree(&path, inner, paths).trim_start();
                match inner.strip_prefix(',') {
                    Some(next) if !next.trim_start().starts_with('}') => inner = next,
                    Some(next) => return next.trim_start().strip_prefix('}').unwrap_or(next),
                    None => return inner.strip_prefix('}').unwrap_or(inner),
                }
            }
        }
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        path.push(text[..end].to_owned());
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(next) if next.starts_with(|c: char| c.is_alphabetic() || "_{".contains(c)) => text = next,
            _ => {
                paths.push(path);
                return text;
            }
        }
    }
}

/// Takes comments and the test module at the foot of a file away.
fn code(text: &str) -> String {
    let text = text.find("#[cfg(test)]\nmod ").map_or(text, |foot| &text[..foot]);
    text.lines().map(|line| line.find("//").map_or(line, |comment| &line[..comment])).collect::<Vec<_>>().join("\n")
}

/// Finds all sources below a folder, those of tests excepted.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && path.file_stem().unwrap() != "tests" {
            found.push(path);
        }
    }
}

#[test]
fn modules_name_only_what_lies_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 30);
    let mut all = Vec::new();
    for file in files {
        let path = file.strip_prefix(&root).unwrap().with_extension("");
        let mut module: Vec<_> = path.iter().map(|part| part.to_str().unwrap()).collect();
        if module.last() == Some(&"mod") {
            module.pop();
        }
        if module != ["lib"] {
            all.extend(violations(&module, &fs::read_to_string(&file).unwrap()));
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn each_kind_of_violation_is_seen() {
    let wrong = |module: &str, text: &str| violations(&module.split("::").collect::<Vec<_>>(), text).len();
    // Upwards, sidewards, in whatever form.
    assert_eq!(wrong("game::record", "use crate::search::Table;"), 1);
    assert_eq!(wrong("perft", "fn f() { crate::cli::run() }"), 1);
    assert_eq!(wrong("search::table", "use super::super::games;"), 1);
    assert_eq!(wrong("game", "use crate::{\n    othello::{Board, Move},\n    perft,\n};"), 3);
    assert_eq!(wrong("othello", "use crate::othello::engine::Solver;"), 1);
    assert_eq!(wrong("perft", "use crate::output::Format;"), 1);
    // The families.
    assert_eq!(wrong("othello::engine", "use crate::morris::Position;"), 1);
    assert_eq!(wrong("morris", "use crate::othello;"), 1);
    // General modules.
    assert_eq!(wrong("analysis::row", "use crate::othello::Move;"), 1);
    assert_eq!(wrong("search", "let m = crate::morris::Move::default();"), 1);
    // No layer.
    assert_eq!(wrong("helpers", ""), 1);
}

#[test]
fn what_is_allowed_is_not_seen() {
    let wrong = |module: &str, text: &str| violations(&module.split("::").collect::<Vec<_>>(), text);
    let none: [String; 0] = [];
    assert_eq!(
        wrong("analysis", "use crate::game::{Cancel, Game};\nuse crate::output::Field;\nuse super::cli_of_mine;"),
        none
    );
    assert_eq!(wrong("othello::engine", "use super::{Board, Move};\nuse crate::search::Search;"), none);
    assert_eq!(wrong("othello::formats::obf", "use super::super::notation; use crate::othello::Board;"), none);
    assert_eq!(wrong("perft", "//! See [`crate::cli`].\n/// `crate::othello`\nfn f() {}"), none);
    assert_eq!(wrong("perft", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::othello::Position;\n}\n"), none);
    assert_eq!(wrong("game", "use mycrate::cli;"), none);
    assert_eq!(wrong("main", "morello::cli::run()"), none);
    assert_eq!(wrong("games", "use crate::{othello, morris::{self, Position}};"), none);
}
