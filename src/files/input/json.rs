//! The members of a JSON object, with values kept as written.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::located_text::{LocatedText, Place, advance};
use super::record::{RecordError, RecordProblem};
use crate::output::Value;

/// Returns the members of a JSON object in their order, including duplicate keys.
///
/// # Errors
/// Fails if the text is not an object.
pub(super) fn members(text: &str) -> serde_json::Result<Vec<(String, &RawValue)>> {
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

/// Converts a value to that of a field. Numbers are converted only if they would be written the
/// same.
pub(super) fn value(raw: &RawValue) -> Value {
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

/// Returns the texts of an array, such as a list of moves, separated by spaces, or a text alone;
/// `None` if a value is something else. The JSON of the value begins at `start`.
pub(super) fn located(value: &str, start: Place) -> Option<LocatedText> {
    if !value.trim_start().starts_with(['[', '"']) {
        return None;
    }
    let raw: Vec<&RawValue> =
        serde_json::from_str(value).or_else(|_| serde_json::from_str(value).map(|one| vec![one])).ok()?;
    let mut joined = LocatedText::default();
    let (mut passed, mut place) = (0, start);
    for raw in raw.into_iter().map(RawValue::get) {
        let text: String = serde_json::from_str(raw).ok()?;
        // Without the quote.
        let begin = raw.as_ptr() as usize - value.as_ptr() as usize + 1;
        place = advance(place, &value[passed..begin]);
        passed = begin;
        let is_escaped = raw.len() != text.len() + 2;
        let text = if is_escaped { LocatedText::at(&text, place) } else { LocatedText::new(&text, place) };
        if joined.is_empty() {
            joined = text;
        } else {
            joined.push(' ', &text);
        }
    }
    Some(joined)
}

/// Returns the error of a record that is not a JSON object; the record begins in `line`.
pub(super) fn record_error(record: &str, error: &serde_json::Error, line: u64) -> RecordError {
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
