//! Every text that the program can write, on one page: `tests/messages.txt` has each string literal of two words or more in `src`, by file.
//!
//! The page shows all texts together, and its diff shows every change of a text. `UPDATE_MESSAGES=1 cargo test messages` updates it.

use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "tests/messages.txt";

#[test]
fn every_message_is_on_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = page(&root.join("src"));
    let file = root.join(PAGE);
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        fs::write(&file, &page).expect("the page is written");
    }
    let kept = fs::read_to_string(&file).expect("the page is there");
    for (found, kept) in page.lines().zip(kept.lines()) {
        assert_eq!(
            found, kept,
            "{PAGE} is out of date: review the texts and run UPDATE_MESSAGES=1 cargo test messages"
        );
    }
    assert_eq!(page.lines().count(), kept.lines().count(), "{PAGE} is out of date");
}

#[test]
fn literals_are_read_with_escapes_and_without_comments() {
    let source = r####"
        // "not this"
        let a = "one \"two\" \
                 three";
        let b = ('"', 'x', b"four five", r#"six "seven" "#);
        fn c<'a>(x: &'a str) -> &'static str { x.expect("eight nine") }
        /* "nor this" */ "ten"
    "####;
    let found: Vec<_> = literals(source).into_iter().map(|(_, text)| text).collect();
    assert_eq!(found, ["one \"two\" three", "four five", "six \"seven\" ", "eight nine", "ten"]);
}

/// Returns the page of the texts below a folder.
fn page(folder: &Path) -> String {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let mut page = String::new();
    for file in files {
        let source = fs::read_to_string(&file).expect("a source file is readable");
        let tests = ["mod tests {", "pub(super) mod tests {"]
            .iter()
            .filter_map(|tests| source.find(&format!("#[cfg(test)]\n{tests}")));
        let source = &source[..tests.min().unwrap_or(source.len())];
        let mut texts = String::new();
        for (before, text) in literals(source) {
            // Texts that only a bug can show, and texts of the documentation.
            let is_internal =
                ["expect(", "unreachable!(", "feature = ", "doc = "].iter().any(|end| before.ends_with(end))
                    || before.contains("assert");
            if !is_internal && is_prose(&text) {
                texts += &format!("    {}\n", text.trim_end().replace('\n', "\n      "));
            }
        }
        if !texts.is_empty() {
            let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
            page += &format!("{name}\n{texts}");
        }
    }
    page
}

/// Adds the source files below a folder, but for those of tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.join("Cargo.toml").exists() {
            // Another package: the bindings for Python.
        } else if path.is_dir() && name != "tests" {
            collect(&path, files);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            files.push(path);
        }
    }
}

/// Returns whether a text has two words in a row.
fn is_prose(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    text.split_whitespace().filter(is_word).count() >= 2
}

/// Returns the string literals of a source text, each with the code before it in its line.
fn literals(source: &str) -> Vec<(&str, String)> {
    let bytes = source.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(length) = character(rest) {
            at += length;
        } else if let Some(hashes) = raw(source, at) {
            let begin = at + hashes + 2;
            let end = source[begin..].find(&format!("\"{}", "#".repeat(hashes))).expect("a raw literal ends") + begin;
            found.push((line_before(source, at), source[begin..end].to_owned()));
            at = end + hashes + 1;
        } else if bytes[at] == b'"' {
            let (text, length) = unescape(&source[at + 1..]);
            found.push((line_before(source, at), text));
            at += length + 2;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Returns the length of the character literal that a text begins with; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let escape = inner.starts_with('\\');
    let end = if escape { inner[2..].find('\'')? + 2 } else { inner.chars().next()?.len_utf8() };
    inner[end..].starts_with('\'').then_some(end + 2)
}

/// Returns the number of `#` of a raw literal that begins at a place.
fn raw(source: &str, at: usize) -> Option<usize> {
    let before = source[..at].chars().next_back();
    let after = source[at..].strip_prefix('r').filter(|_| !before.is_some_and(|c| c.is_alphanumeric() || c == '_'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

fn line_before(source: &str, at: usize) -> &str {
    source[..at].rsplit('\n').next().unwrap_or_default()
}

/// Returns the text of a literal behind its opening quote, and its length in the source.
fn unescape(source: &str) -> (String, usize) {
    let (mut text, mut chars) = (String::new(), source.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (text, at),
            '\\' => match chars.next() {
                Some((_, '\n')) => {
                    let rest = chars.as_str();
                    for _ in 0..rest.chars().take_while(|c| c.is_whitespace()).count() {
                        chars.next();
                    }
                }
                Some((_, 'n')) => text.push('\n'),
                Some((_, c @ ('"' | '\\' | '\''))) => text.push(c),
                Some((_, c)) => text.extend(['\\', c]),
                None => {}
            },
            c => text.push(c),
        }
    }
    panic!("a literal ends");
}
