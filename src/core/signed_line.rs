//! Lines of JSON with a checksum that reveals damage and edits.
//!
//! The last field of the object is the `checksum` of the text before it: the 64-bit FNV-1a hash as
//! 16 hexadecimal digits.

use crate::fnv::Fnv1a;

/// The name of the last field with the characters around it.
const FIELD: &str = ",\"checksum\":\"";

/// Adds the checksum to an object with at least one field.
pub fn signed(mut line: String) -> String {
    line.pop();
    let sum = Fnv1a::new().add_bytes(line.as_bytes()).finish();
    line + &format!("{FIELD}{sum:016x}\"}}")
}

/// Returns whether the checksum at the end of a line matches the text before it.
pub fn is_signed(line: &[u8]) -> bool {
    let end = FIELD.len() + 18;
    let text = line.len().checked_sub(end).and_then(|at| std::str::from_utf8(&line[..at]).ok());
    text.is_some_and(|text| signed(text.to_owned() + "}").as_bytes() == line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_is_noticed() {
        let line = signed("{\"a\":1,\"b\":\"ü\"}".to_owned());
        assert!(line.starts_with("{\"a\":1,\"b\":\"ü\",\"checksum\":\"") && line.ends_with("\"}"), "{line}");
        assert!(is_signed(line.as_bytes()) && !is_signed(b"") && !is_signed(b"{\"a\":1}"));
        for at in 0..line.len() {
            let mut changed = line.clone().into_bytes();
            changed[at] ^= 1;
            assert!(!is_signed(&changed), "{at}");
            assert!(!is_signed(&line.as_bytes()[..at]), "{at}");
        }
    }
}
