//! What files are that are not read here, by how they begin.

/// How files of other kinds begin, and what to say of them.
const BINARY: [(&[u8], &str); 6] = [
    (
        b"PAR1",
        "a Parquet file, which is written here and not read: give the games or positions as text, CSV, JSON lines or WTHOR",
    ),
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"\xfd7zXZ\0", "compressed by xz: decompress it first (gzip and zstd are read as they are)"),
    (b"BZh", "compressed by bzip2: decompress it first (gzip and zstd are read as they are)"),
    (b"\xff\xfe", "UTF-16 text: convert it to UTF-8"),
    (b"\xfe\xff", "UTF-16 text: convert it to UTF-8"),
];

/// How games begin as text, by the format that reads them, and what to say of them to other games.
const TEXTS: [(&str, &[&str], &str); 2] = [
    ("ggf", &["(;"], "a game in GGF, which is Othello's"),
    (
        "playok",
        &["[Event ", "[Site ", "[Date ", "[White ", "[Black ", "[Variant ", "[FEN "],
        "tags of a game such as those of PlayOK, which is one of the mills'",
    ),
];

/// Returns what is to be said of a file that begins so; `None` if it may be text.
pub(super) fn describe_binary(head: &[u8]) -> Option<&'static str> {
    let known = BINARY.iter().find(|(begin, _)| head.starts_with(begin)).map(|(_, about)| *about);
    let dated = matches!(head, [19..=21, 0..=99, 1..=12, 1..=31, ..]) && head.len() >= 16;
    let unknown =
        if dated { "a WTHOR database, it seems, which holds games of Othello on 8x8 squares" } else { "a binary file" };
    known.or_else(|| is_binary(head).then_some(unknown))
}

/// Returns whether no text begins so: with a control character, or with a zero byte anywhere.
pub(super) fn is_binary(head: &[u8]) -> bool {
    head.first().is_some_and(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) || head.contains(&0)
}

/// Returns what a line looks like to a game that has not the format.
pub(super) fn describe_foreign_text(line: &str, has_format: impl Fn(&str) -> bool) -> Option<&'static str> {
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let is_other = |(name, begins, _): &&(&str, &[&str], _)| {
        begins.iter().any(|begin| line.starts_with(begin)) && !has_format(name)
    };
    TEXTS.iter().find(is_other).map(|(_, _, about)| *about)
}
