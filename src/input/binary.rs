//! Recognizes unsupported files by their first bytes.

/// The first bytes of unsupported files, with a description.
const BINARY: [(&[u8], &str); 6] = [
    (b"PAR1", "a Parquet file (supported as output only; convert it to CSV or JSON lines)"),
    (b"PK\x03\x04", "a zip archive (unpack it first)"),
    (b"\xfd7zXZ\0", "an xz file (decompress it first; gzip and zstd are supported)"),
    (b"BZh", "a bzip2 file (decompress it first; gzip and zstd are supported)"),
    (b"\xff\xfe", "UTF-16 text (convert it to UTF-8)"),
    (b"\xfe\xff", "UTF-16 text (convert it to UTF-8)"),
];

/// The first characters of text formats, by the name of the format, with a description for games without this format.
const TEXTS: [(&str, &[&str], &str); 2] = [
    ("ggf", &["(;"], "an Othello game in GGF"),
    (
        "pgn",
        &["[Event ", "[Site ", "[Date ", "[White ", "[Black ", "[Variant ", "[FEN "],
        "a game with tags, as in PGN",
    ),
];

/// Describes an unsupported file by its first bytes; `None` if it may be text.
pub(super) fn describe_binary(head: &[u8]) -> Option<&'static str> {
    let known = BINARY.iter().find(|(begin, _)| head.starts_with(begin)).map(|(_, about)| *about);
    let dated = matches!(head, [19..=21, 0..=99, 1..=12, 1..=31, ..]) && head.len() >= 16;
    let unknown = if dated { "a WTHOR database of 8x8 Othello" } else { "a binary file" };
    known.or_else(|| is_binary(head).then_some(unknown))
}

/// Returns whether the first bytes cannot be text: they start with a control character or contain a zero byte.
pub(super) fn is_binary(head: &[u8]) -> bool {
    head.first().is_some_and(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) || head.contains(&0)
}

/// Describes a line in a format that the game does not have.
pub(super) fn describe_foreign_text(line: &str, has_format: impl Fn(&str) -> bool) -> Option<&'static str> {
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let is_other = |(name, begins, _): &&(&str, &[&str], _)| {
        begins.iter().any(|begin| line.starts_with(begin)) && !has_format(name)
    };
    TEXTS.iter().find(is_other).map(|(_, _, about)| *about)
}
