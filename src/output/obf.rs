//! OBF with the scores filled in, of records that tell of positions: the Othello Benchmark Format knows a board, a side and scored moves.
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOOOXXOXO-OXOX-O-OXXXXX---OXXX--- X; A2:+38;
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOOOXXOXO-OXOX-O-OXXXXX---OXXX--- X; A2:+31; % an estimate at depth 8
//! ```
//!
//! A line is made of the fields `position`, `moves` or else `best_move` and `score`, and `error`. Scores in OBF are whole: an estimate is
//! rounded, and the comment at the end of the line, after `%`, says that it is one. A bound is no score; it is told in the comment alone. A
//! record with an error is a comment that has its text.

use std::io::{self, Write};

use thiserror::Error;

use super::{Encoder, Value};

/// The fields that a line is made of; `lower` and `upper` as well, where there are any.
const NEEDED: [&str; 7] = ["position", "moves", "best_move", "score", "exact", "depth", "error"];

/// Records of which no line of OBF can be made.
#[derive(Debug, Error)]
#[error("OBF tells the scores of positions, and there are none here: the field `{missing}` is missing")]
struct NoPositions {
    missing: &'static str,
}

/// Writes a line of OBF for each record.
pub(super) struct Obf<W> {
    names: Vec<String>,
    sink: W,
}

impl<W> Obf<W> {
    /// Fails with [`io::ErrorKind::Unsupported`] if a field that is needed is not there.
    pub fn new(names: &[&str], sink: W) -> io::Result<Self> {
        if let Some(missing) = NEEDED.into_iter().find(|name| !names.contains(name)) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, NoPositions { missing }));
        }
        Ok(Self { names: names.iter().map(ToString::to_string).collect(), sink })
    }

    /// Returns the value of a field, if there is one.
    fn find<'a>(&self, values: &'a [Value], name: &str) -> Option<&'a Value> {
        let place = self.names.iter().position(|other| other == name)?;
        Some(&values[place]).filter(|&value| *value != Value::Null)
    }

    fn line(&self, values: &[Value]) -> String {
        let find = |name| self.find(values, name);
        let text = |name| find(name).map(Value::to_string).unwrap_or_default();
        if find("error").is_some() {
            return format!("% {}: {}", text("error"), text("position").replace(['\r', '\n'], " "));
        }
        let scored = match find("moves") {
            Some(moves) => moves.to_string(),
            None => {
                let mark = match find("exact") {
                    Some(Value::Bool(true)) => "",
                    _ if find("lower").is_some() && find("lower") == find("score") => ">=",
                    _ if find("upper").is_some() && find("upper") == find("score") => "<=",
                    _ => "~",
                };
                let colon = if find("best_move").is_some() { ":" } else { "" };
                format!("{}{colon}{mark}{};", text("best_move"), text("score"))
            }
        };
        let (mut fields, mut unproved, mut estimated) = (String::new(), String::new(), false);
        for field in scored.split(';').map(str::trim).filter(|field| !field.is_empty()) {
            let (name, score) = field.split_once(':').unwrap_or(("", field));
            let name = if name == "pa" { "PS".to_owned() } else { name.to_uppercase() };
            let colon = if name.is_empty() { "" } else { ":" };
            match score.trim_start_matches('~').parse::<f64>() {
                Ok(points) => {
                    estimated |= score.starts_with('~');
                    fields += &format!(" {name}{colon}{:+};", points.round() as i64);
                }
                Err(_) => unproved += &format!(" {name}{colon}{score}"),
            }
        }
        let estimate = if estimated { format!(" an estimate at depth {}", text("depth")) } else { String::new() };
        let comment = if estimated || !unproved.is_empty() { " %" } else { "" };
        format!("{};{fields}{comment}{unproved}{estimate}", text("position"))
    }
}

impl<W: Write> Encoder for Obf<W> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        let line = self.line(values);
        writeln!(self.sink, "{line}")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Field, Format, Output};

    /// A record: the values of the fields that are needed, and the bounds.
    type Record = Vec<(&'static str, Value)>;

    fn record(values: &[(&'static str, &str)]) -> Record {
        let value = |text: &str| match text {
            "yes" => Value::Bool(true),
            text => text.parse().map(Value::Float).unwrap_or(Value::Text(text.to_owned())),
        };
        values.iter().map(|&(name, text)| (name, value(text))).collect()
    }

    fn line(values: &[(&'static str, &str)]) -> String {
        let names = NEEDED.into_iter().chain(["lower", "upper"]);
        let value = |name| move |r: &Record| r.iter().find(|v| v.0 == name).map(|v| v.1.clone()).unwrap_or_default();
        let fields = names.map(|name| Field::<Record>::any(name.to_owned(), value(name))).collect();
        let mut text = Vec::new();
        let mut output = Output::new(Format::Obf, fields, &mut text).unwrap();
        output.write(&record(values)).unwrap();
        output.finish().unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn scores_are_whole_and_what_is_not_proved_is_said() {
        let with = |more: &[(&'static str, &str)]| line(&[&[("position", "-X X"), ("depth", "8")], more].concat());
        let best = |more: &[(&'static str, &str)]| with(&[&[("best_move", "a2")], more].concat());
        assert_eq!(best(&[("score", "-38.0"), ("exact", "yes")]), "-X X; A2:-38;\n");
        assert_eq!(best(&[("score", "31.4")]), "-X X; A2:+31; % an estimate at depth 8.0\n");
        assert_eq!(best(&[("score", "2.0"), ("lower", "2")]), "-X X; % A2:>=2.0\n");
        assert_eq!(best(&[("score", "-2.0"), ("upper", "-2")]), "-X X; % A2:<=-2.0\n");
        assert_eq!(
            best(&[("score", "1.5"), ("lower", "0"), ("upper", "4")]),
            "-X X; A2:+2; % an estimate at depth 8.0\n"
        );
        assert_eq!(with(&[("score", "-12.0"), ("exact", "yes")]), "-X X; -12;\n");
        assert_eq!(with(&[("best_move", "pa"), ("score", "4.0"), ("exact", "yes")]), "-X X; PS:+4;\n");
        let moves = |text| with(&[("best_move", "d2"), ("score", "-14.0"), ("moves", text)]);
        assert_eq!(moves("d2:-14; b8:-14; g2:-18;"), "-X X; D2:-14; B8:-14; G2:-18;\n");
        assert_eq!(moves("d2:+2; c4:>=+0; a1:~-2.5;"), "-X X; D2:+2; A1:-3; % C4:>=+0 an estimate at depth 8.0\n");
    }

    #[test]
    fn a_bad_record_is_a_comment() {
        let text = line(&[("position", "f5\nxx"), ("error", "line 2, column 1: what is `xx`")]);
        assert_eq!(text, "% line 2, column 1: what is `xx`: f5 xx\n");
    }

    #[test]
    fn records_without_positions_are_refused() {
        let fields = vec![Field::<u64>::integer("nodes", |&nodes| nodes.into())];
        let error = Output::new(Format::Obf, fields, Vec::new()).err().expect("refused");
        assert!(error.to_string().contains("`position` is missing"), "{error}");
    }
}
