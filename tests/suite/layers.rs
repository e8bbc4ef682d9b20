//! The architecture, as far as the compiler does not check it: the two families of games do not
//! depend on each other, generic modules do not depend on a family, and there are no dependency
//! cycles between files of a crate. Tests and comments are exempt.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folders of the crates, in the root of the repository. The modules of the program are in the
/// first; `src/wasm` has one file.
const CRATES: &[&str] =
    &["src", "src/analysis", "src/command", "src/core", "src/files", "src/play", "src/train", "src/web"];

/// The families of games, in `morello-core`.
const FAMILIES: &[&str] = &["othello", "morris"];

/// The type-erased types, which any file of their crate may use.
const ERASED: &[&str] = &["game::any", "morris::engine::database::mill_game"];

/// Returns the forbidden dependencies of a module of `morello-core`.
fn violations(module: &[String], text: &str) -> Vec<String> {
    let (name, own) = (module.join("::"), module[0].as_str());
    let mut violations = Vec::new();
    for path in paths(module, text) {
        let Some(&family) = FAMILIES.iter().find(|&&family| path[0] == family) else { continue };
        if FAMILIES.contains(&own) && own != family {
            violations.push(format!("{name} depends on {} of the other family", path.join("::")));
        } else if own != family && own != "games" {
            violations.push(format!("{name} is generic but depends on {}", path.join("::")));
        }
    }
    violations
}

/// Returns the paths within the crate that occur in a text, without the crate name.
fn paths(module: &[String], text: &str) -> Vec<Vec<String>> {
    let code = code(text);
    let mut paths = Vec::new();
    let mut rest = code.as_str();
    while let Some(found) = ["crate::", "super::"].iter().filter_map(|word| rest.find(word)).min() {
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
            tail = &tail[tail.find("::").expect("each prefix ends with `::`") + 2..];
        }
        rest = tail;
        if !within_a_word {
            parse_paths(&base, tail, &mut paths);
        }
    }
    paths
}

/// Parses a path, or several in braces, relative to `base`. Returns the text that follows.
fn parse_paths<'a>(base: &[String], text: &'a str, paths: &mut Vec<Vec<String>>) -> &'a str {
    let mut path = base.to_vec();
    let mut text = text.trim_start();
    loop {
        if let Some(mut inner) = text.strip_prefix('{') {
            loop {
                inner = parse_paths(&path, inner, paths).trim_start();
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
        if let Some(alias) = text.strip_prefix(" as ") {
            text = &alias[alias.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(alias.len())..];
        }
        match text.strip_prefix("::") {
            Some(next) if next.starts_with(|c: char| c.is_alphabetic() || "_{".contains(c)) => text = next,
            _ => {
                paths.push(path);
                return text;
            }
        }
    }
}

/// Returns the dependencies between files that are part of a cycle or on a path between two cycles.
/// A file and its children may depend on each other, and every file on the type-erased types, which
/// are defaults of type parameters.
fn dependency_cycles(texts: &BTreeMap<Vec<String>, String>) -> BTreeSet<(String, String)> {
    let child = |module: &[String], name: &String| [module, std::slice::from_ref(name)].concat();
    // Items of a child that a file re-exports.
    let mut reexports = BTreeMap::new();
    for (module, text) in texts {
        for imports in code(text).split("use ").skip(1) {
            let mut paths = Vec::new();
            parse_paths(module, imports, &mut paths);
            paths.retain(|path| path.len() > module.len() + 1 && texts.contains_key(&path[..=module.len()]));
            reexports.extend(paths.into_iter().map(|path| (child(module, &path[path.len() - 1]), path)));
        }
    }
    let file = |mut path: Vec<String>| {
        loop {
            let at = (1..=path.len()).rev().find(|&end| texts.contains_key(&path[..end]))?;
            match path.get(..=at).and_then(|name| reexports.get(name)) {
                Some(origin) => path = [origin.as_slice(), &path[at + 1..]].concat(),
                None => return Some(path[..at].to_vec()),
            }
        }
    };
    let mut edges = BTreeSet::new();
    let is_erased = |module: &[String]| ERASED.iter().any(|erased| module.join("::").starts_with(erased));
    for (module, text) in texts {
        for other in paths(module, text).into_iter().filter_map(file) {
            if !other.starts_with(module) && !module.starts_with(&other) && !is_erased(&other) {
                edges.insert((module.join("::"), other.join("::")));
            }
        }
    }
    loop {
        let before = edges.len();
        let (from, to): (BTreeSet<_>, BTreeSet<_>) = edges.iter().cloned().unzip();
        edges.retain(|(a, b)| to.contains(a) && from.contains(b));
        if edges.len() == before {
            return edges;
        }
    }
}

/// Removes comments and the test module at the end of a file.
fn code(text: &str) -> String {
    let text = text.find("#[cfg(test)]\nmod tests {").map_or(text, |end| &text[..end]);
    text.lines().map(|line| line.find("//").map_or(line, |comment| &line[..comment])).collect::<Vec<_>>().join("\n")
}

/// Reads all sources in a folder, except tests and the crate root.
fn read_sources(folder: &Path, module: &[String], texts: &mut BTreeMap<Vec<String>, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let child = [module, &[name.to_owned()]].concat();
        if name == "tests" || path.join("Cargo.toml").exists() {
            // Tests, in a file or a folder, or another package.
        } else if path.is_dir() {
            read_sources(&path, &child, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "lib" {
            let module = if name == "mod" { module.to_vec() } else { child };
            texts.insert(module, fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn files_of_a_crate_do_not_depend_on_each_other_in_a_circle() {
    for folder in CRATES {
        let mut texts = BTreeMap::new();
        read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &[], &mut texts);
        assert!(texts.len() > 5, "{folder}");
        let cycles = dependency_cycles(&texts);
        assert!(cycles.is_empty(), "{folder}: {cycles:#?}");
        if *folder == "src/core" {
            let all: Vec<_> = texts.iter().flat_map(|(module, text)| violations(module, text)).collect();
            assert!(all.is_empty(), "{all:#?}");
        }
    }
}

fn parts(module: &str) -> Vec<String> {
    module.split("::").map(str::to_owned).collect()
}

#[test]
fn detects_each_kind_of_dependency_cycle() {
    let found = |files: &[(&str, &str)]| {
        dependency_cycles(&files.iter().map(|(name, text)| (parts(name), (*text).to_owned())).collect()).len()
    };
    let file = |c| [("a", "mod b;\npub use b::B;\nuse c::f as g;"), ("a::b", "use super::c::C;"), ("a::c", c)];
    assert_eq!(found(&file("use super::b::B;")), 2);
    assert_eq!(found(&file("fn f() { super::g(); super::B::new() }")), 2);
    assert_eq!(found(&file("use crate::a::{B as X, c};")), 2);
    let around = [("a", "use crate::b::{X as Y, Z};"), ("b", "use crate::c;"), ("c", "use crate::{b::X as Y, a};")];
    assert_eq!(found(&around), 4);
    // Dependencies on children, and in one direction, are allowed.
    assert_eq!(found(&file("use super::X; fn f() { super::super::a::g() }")), 0);
    assert_eq!(found(&[("a", "use crate::b;\nuse crate::c;"), ("b", "use crate::c;"), ("c", "// crate::a")]), 0);
}

#[test]
fn detects_dependencies_on_families() {
    let wrong = |module: &str, text: &str| violations(&parts(module), text).len();
    assert_eq!(wrong("othello::engine", "use crate::morris::Position;"), 1);
    assert_eq!(wrong("morris", "use crate::othello;"), 1);
    assert_eq!(wrong("perft::count", "use super::super::othello::Move;"), 1);
    assert_eq!(wrong("search", "let m = crate::morris::Move::default();"), 1);
    assert_eq!(wrong("game", "use crate::{\n    othello::{Board, Move},\n    perft,\n};"), 2);
    // Tests and comments are exempt.
    assert_eq!(wrong("perft", "//! See [`crate::morris`].\n/// `crate::othello`\nfn f() {}"), 0);
    assert_eq!(wrong("perft", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::othello::Position;\n}\n"), 0);
    assert_eq!(wrong("othello::formats::obf", "use super::super::notation; use crate::othello::Board;"), 0);
    assert_eq!(wrong("games", "use crate::{othello, morris::{self, Position}};"), 0);
}
