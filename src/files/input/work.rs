//! [`note`] counts the bytes that readers examine, so that tests can limit the work by the size of
//! the input.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

/// Notes that this many bytes are examined. Counted only in tests.
#[cfg_attr(not(test), expect(unused_variables, reason = "only tests count"))]
pub(super) fn note(bytes: usize) {
    #[cfg(test)]
    BYTES.set(BYTES.get() + bytes as u64);
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use morello_core::game::AnyGame;
    use morello_core::games;

    use super::super::{Input, Reader};
    use super::BYTES;

    /// The number of bytes that may be examined for each byte of the input: some formats are tried
    /// before the right one, and quotes are read ahead.
    const BUDGET: u64 = 48;

    /// The number of bytes that may be examined in any input, for format detection and reading
    /// ahead.
    const ANY_INPUT: u64 = 4 << 20;

    /// Reads an input to its end and returns the number of bytes examined.
    fn work(game: &'static dyn AnyGame, text: &str) -> u64 {
        BYTES.set(0);
        if let Ok(reader) = Reader::of(game, Input::Text(text.to_owned())) {
            reader.take_while(Result::is_ok).for_each(drop);
        }
        BYTES.get()
    }

    /// Returns a text of approximately this length.
    fn repeated(head: &str, part: &str, len: usize) -> String {
        head.to_owned() + &part.repeat(len / part.len())
    }

    #[test]
    fn work_is_bounded_by_the_size_of_the_input() {
        const LEN: usize = 50_000;
        let mut texts = Vec::new();
        // The first one is the smallest input of the attack that revealed this.
        for part in ["x\",\"y\n", "\"\n", "\"a\nb\"\n\"\n", "a,\"\n", "\"\"\n", "\"a\n\"\n", "b1,\"x\n"] {
            texts.push(repeated("a,moves\n", part, LEN));
        }
        for part in [
            "[\n",
            "{\n",
            "{\"a\":\n",
            "[\"f5\",\n",
            "\"f5\",",
            "[\"1. f5\",\n",
            "{",
            "[[",
            " ",
            "\t",
            "\r",
            "(;",
            "(;)",
            "1. ",
            "[Event \"x\"]\n",
            "f5",
            "f5\n",
            "# x\n",
            "{x}\n",
            "%",
            "(",
            "1. f5 (\n",
            "a1b1c1\n",
            "; ",
            "{a:",
            "[a ",
            "\\\"",
        ] {
            texts.push(repeated("", part, LEN));
            texts.push(repeated("[\n", part, LEN));
        }
        for game in ["othello", "nine-mens-morris"].map(|name| games::get(name).unwrap()) {
            for text in &texts {
                let work = work(game, text);
                let allowed = BUDGET * text.len() as u64 + ANY_INPUT;
                assert!(work <= allowed, "{work} bytes for {} of {:?}", text.len(), &text[..20.min(text.len())]);
                assert!(work >= text.len() as u64 / 8, "nothing is counted for {:?}", &text[..20.min(text.len())]);
            }
        }
    }

    #[test]
    fn a_wide_header_is_an_error() {
        let mut header = "moves".to_owned();
        (0..30_000).for_each(|_| header.push_str(",a"));
        let game = games::get("othello").unwrap();
        let error = Reader::of(game, Input::Text(header)).err().unwrap();
        assert!(error.source.to_string().contains("more than 1024 columns"), "{}", error.source);
        // Further JSON keys go to one column.
        let mut object = "{\"moves\":\"f5\"".to_owned();
        (0..5000).for_each(|key| write!(object, ",\"{key}\":1").unwrap());
        let reader = Reader::of(game, Input::Text(object + "}")).unwrap();
        assert!(reader.columns().names().len() <= 1024);
        let records: Vec<_> = reader.map(Result::unwrap).collect();
        assert!(records[0].content.is_ok());
        let values = records[0].extra.iter().map(|value| value.to_string().matches(":1").count().max(1));
        assert_eq!(values.sum::<usize>(), 5000);
    }
}
