//! [`read_line`]: reads interactive input line by line.

use std::io::{self, BufRead, Read};

/// The maximum length of a line of interactive input, in bytes: far more than any move or command
/// needs.
pub const MAX_LINE_INPUT_BYTES: u64 = 4 << 10;

/// Reads a line and trims it; `None` at the end of the input. Invalid UTF-8 is replaced with `�`.
///
/// At most `longest` bytes are read, so memory use is limited. The rest of a longer line is
/// returned as further lines.
///
/// ```
/// use morello::input::{MAX_LINE_INPUT_BYTES, read_line};
///
/// let mut input = " f5 \nquit".as_bytes();
/// assert_eq!(read_line(&mut input, MAX_LINE_INPUT_BYTES)?.as_deref(), Some("f5"));
/// assert_eq!(read_line(&mut input, MAX_LINE_INPUT_BYTES)?.as_deref(), Some("quit"));
/// assert_eq!(read_line(&mut input, MAX_LINE_INPUT_BYTES)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Any read error.
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
