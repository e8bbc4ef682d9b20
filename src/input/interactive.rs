//! [`read_line`]: what people and programs type, line by line.

use std::io::{self, BufRead, Read};

/// The longest line that a person is taken to type, in bytes: far more than any move or command needs.
pub const MAX_LINE_INPUT_BYTES: u64 = 4 << 10;

/// Reads a line without the blanks around it; `None` at the end of the input. What is no UTF-8 in it is replaced by `�`.
///
/// What exceeds the `longest` line, in bytes, is a line of its own, so that memory does not grow with a line that never ends.
///
/// # Errors
/// Those of reading.
pub fn read_line(input: &mut (impl BufRead + ?Sized), longest: u64) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let length = input.take(longest).read_until(b'\n', &mut line)?;
    Ok((length > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_any_input_into_lines() {
        let mut input: &[u8] = b" f5 \r\n\n\xff\n123456789\nlast";
        let mut next = || read_line(&mut input, 6).unwrap();
        assert_eq!(next().as_deref(), Some("f5"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("\u{fffd}"));
        assert_eq!(next().as_deref(), Some("123456"));
        assert_eq!(next().as_deref(), Some("789"));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
