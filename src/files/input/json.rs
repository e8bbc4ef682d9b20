//! The members of a JSON object. Values are kept as written.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::located_text::{LocatedText, Place, advance};
use super::record::{OPEN_ARRAY, RecordError, RecordProblem};
use crate::output::Value;

/// Returns the members of a JSON object in order, including duplicate keys.
///
/// # Errors
/// Fails if the text is not an object.
pub(crate) fn members(text: &str) -> serde_json::Result<Vec<(String, &RawValue)>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let members = deserializer.deserialize_map(MembersVisitor)?;
    deserializer.end()?;
    Ok(members)
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

/// Converts a JSON value to a field value. Numbers are converted only if they would be written the
/// same.
pub(crate) fn value(raw: &RawValue) -> Value {
    let text = raw.get();
    let raw_json = || Value::Json(text.to_owned());
    match text.as_bytes()[0] {
        b'n' => Value::Null,
        b't' | b'f' => Value::Bool(text == "true"),
        b'"' => serde_json::from_str(text).map_or_else(|_| raw_json(), Value::Text),
        b'[' | b'{' => raw_json(),
        _ => {
            let integer = text.parse().ok().filter(|number: &i128| number.to_string() == text);
            let float = || text.parse().ok().filter(|number| format!("{number:?}") == text && f64::is_finite(*number));
            integer.map(Value::Integer).or_else(|| float().map(Value::Float)).unwrap_or_else(raw_json)
        }
    }
}

/// In an object for a move, the keys of the move, of the time in milliseconds, and of the time in
/// seconds.
const MOVE_KEYS: [&str; 2] = ["m", "move"];
const MILLISECOND_KEYS: [&str; 4] = ["t", "time", "ms", "time_ms"];
const SECOND_KEYS: [&str; 2] = ["seconds", "secs"];

/// In an object for a game, the key of the moves.
const MOVES: &str = "moves";

/// Returns the value of the first of these keys that is in an object.
pub(super) fn find<'a>(object: &'a str, keys: &[&str]) -> Option<&'a RawValue> {
    let members = members(object).ok()?;
    let find = |key: &&str| members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| *value);
    keys.iter().find_map(find)
}

/// Returns whether the text is an object for a move, `{"m":"f5","t":1200}`.
pub(super) fn is_move(object: &str) -> bool {
    find(object, &MOVE_KEYS).is_some_and(|m| m.get().starts_with('"')) && find(object, &[MOVES]).is_none()
}

/// Returns the move list in a value, which may be an object that contains the list.
fn moves(value: &str) -> &str {
    let inner = value.starts_with('{').then(|| find(value, &[MOVES])).flatten();
    inner.map_or(value, RawValue::get)
}

/// Returns the seconds for the moves in a list of objects, if the objects contain them.
pub(super) fn seconds(value: &str) -> Vec<Option<f64>> {
    let list: Vec<&RawValue> = serde_json::from_str(moves(value)).unwrap_or_default();
    let moves = list.into_iter().map(RawValue::get).filter(|element| find(element, &MOVE_KEYS).is_some());
    let number =
        |value: &RawValue| value.get().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    let seconds = |object: &str| {
        let milliseconds = || find(object, &MILLISECOND_KEYS).and_then(number).map(|time| time / 1000.0);
        find(object, &SECOND_KEYS).and_then(number).or_else(milliseconds)
    };
    moves.map(seconds).collect()
}

/// Returns the text of a value like [`located`]. The value may also be an object that contains the
/// move list.
pub(super) fn located_cell(value: &str, start: Place) -> Option<LocatedText> {
    let list = moves(value);
    located(list, advance(start, &value[..list.as_ptr() as usize - value.as_ptr() as usize]))
}

/// Returns the strings in an array, such as a move list, separated by spaces, or a single string;
/// `None` for other values. An element may be an object with the move. The JSON value begins at
/// `start`.
pub(super) fn located(value: &str, start: Place) -> Option<LocatedText> {
    if !value.trim_start().starts_with(['[', '"']) {
        return None;
    }
    let raw: Vec<&RawValue> =
        serde_json::from_str(value).or_else(|_| serde_json::from_str(value).map(|one| vec![one])).ok()?;
    let is_list = value.trim_start().starts_with('[');
    let mut joined = LocatedText::default();
    let (mut passed, mut place) = (0, start);
    for raw in raw.into_iter().map(RawValue::get) {
        let raw = match find(raw, &MOVE_KEYS) {
            Some(m) => m.get(),
            // The last element may contain only how the game ended.
            None if raw.starts_with('{') && !joined.is_empty() => continue,
            None => raw,
        };
        let text: String = serde_json::from_str(raw).ok()?;
        // Skip the quote.
        let begin = raw.as_ptr() as usize - value.as_ptr() as usize + 1;
        place = advance(place, &value[passed..begin]);
        passed = begin;
        let is_escaped = raw.len() != text.len() + 2;
        let text = match text.as_str() {
            "-" => LocatedText::at("pass", place),
            // A single string may be empty.
            "" if is_list => LocatedText::at("pass", place),
            text if is_escaped => LocatedText::at(text, place),
            text => LocatedText::new(text, place),
        };
        if joined.is_empty() {
            joined = text;
        } else {
            joined.push(' ', &text);
        }
    }
    Some(joined)
}

/// Returns the error for a record that is not a JSON object. The record begins on `line`.
pub(super) fn record_error(record: &str, error: &serde_json::Error, line: u64) -> RecordError {
    if record == OPEN_ARRAY {
        return RecordError { line, column: 1, problem: RecordProblem::OpenArray };
    }
    let before = record.as_bytes().get(..error.column().saturating_sub(1)).unwrap_or_default();
    let (line, column) = advance((line, 1), &String::from_utf8_lossy(before));
    let text = error.to_string();
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
    RecordError { line, column, problem: RecordProblem::Json(problem.to_owned()) }
}

/// Formats members as a JSON object.
pub(super) fn object(members: &[(String, &RawValue)]) -> String {
    let members: Vec<_> =
        members.iter().map(|(name, value)| format!("{}:{value}", serde_json::Value::from(name.as_str()))).collect();
    format!("{{{}}}", members.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preserves_json_values() {
        let text = r#"{"a":12345678901234567890123,"b":1e5,"c":0.50,"d":-0,"e":[1, 2],"f":"\u00e9","g":null,"h":1.5,"a":1e400}"#;
        let members = members(text).unwrap();
        assert_eq!(object(&members), text);
        let values: Vec<_> = members.iter().map(|(_, raw)| value(raw)).collect();
        assert_eq!(values[0], Value::Integer(12_345_678_901_234_567_890_123));
        for (at, raw) in [(1, "1e5"), (2, "0.50"), (3, "-0"), (4, "[1, 2]"), (8, "1e400")] {
            assert_eq!(values[at], Value::Json(raw.to_owned()));
        }
        assert_eq!(values[5..8], [Value::Text("é".to_owned()), Value::Null, Value::Float(1.5)]);
        for (value, (_, raw)) in values.iter().zip(&members).filter(|(value, _)| !matches!(value, Value::Text(_))) {
            assert_eq!(serde_json::to_string(value).unwrap(), raw.get());
        }
    }

    #[test]
    fn rejects_json_that_is_not_an_object() {
        for text in ["", "[]", "{", "{} x", "{\"a\"}", "1"] {
            assert!(members(text).is_err(), "{text}");
        }
        assert!(members(" {} ").unwrap().is_empty());
    }
}
