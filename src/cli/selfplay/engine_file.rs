//! Engines in a TOML file.
//!
//! ```toml
//! [each]              # settings of all engines that do not have their own
//! tc = "10+0.1"
//!
//! [[engine]]
//! name = "new"
//! hash = 64
//!
//! [[engine]]
//! name = "other"
//! cmd = "./other -x"
//! protocol = "gtp"
//! ```

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use morello_core::bounded_file::read_text_file;
use morello_play::players::{Spec, SpecProblem};
use toml::{Table, Value};

/// The maximum size of a file.
const MAX_BYTES: u64 = 4 << 20;

/// Reads the engines of a file.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Spec>> {
    let text = read_text_file(path, MAX_BYTES).with_context(|| format!("cannot read `{}`", path.display()))?;
    specs(&text).with_context(|| format!("`{}`", path.display()))
}

fn specs(text: &str) -> anyhow::Result<Vec<Spec>> {
    let mut file = text.parse::<Table>().map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        anyhow!("line {line}: {}", error.message())
    })?;
    let (each, engines) = (file.remove("each"), file.remove("engine"));
    if let Some(name) = file.keys().next() {
        bail!("unknown key `{name}`; use [[engine]] for an engine, and [each] for the settings of all engines");
    }
    let each = match each {
        None => Table::new(),
        Some(Value::Table(each)) => each,
        Some(_) => bail!("each: expected a table [each]"),
    };
    let table = |value| if let Value::Table(table) = value { Some(table) } else { None };
    let engines = match engines {
        Some(Value::Array(engines)) => engines.into_iter().map(table).collect(),
        _ => None,
    };
    let Some(engines) = engines.filter(|engines: &Vec<Table>| !engines.is_empty()) else {
        bail!("there are no engines; add a table [[engine]] for each");
    };
    let spec = |(number, own): (usize, Table)| spec(&own, &each).with_context(|| format!("engine {number}"));
    (1..).zip(engines).map(spec).collect()
}

/// Makes an engine of its settings and of the common ones that it supports.
fn spec(own: &Table, each: &Table) -> anyhow::Result<Spec> {
    let mut common: Vec<_> = each.iter().filter(|(name, _)| !own.contains_key(*name)).collect();
    loop {
        let settings =
            own.iter().chain(common.iter().copied()).filter_map(|(name, value)| setting(name, value).transpose());
        let text = settings.collect::<anyhow::Result<Vec<_>>>()?.join(",");
        let error = match text.parse::<Spec>() {
            Ok(spec) => return Ok(spec),
            Err(error) => error,
        };
        let (SpecProblem::UnsupportedSetting { setting, .. } | SpecProblem::UnsupportedLimit { setting, .. }) =
            error.kind
        else {
            bail!("{}: `{text}`", error.kind);
        };
        let others = common.len();
        common.retain(|(name, _)| *name != setting);
        if common.len() == others {
            bail!("{}: `{text}`", error.kind);
        }
    }
}

/// Writes a setting as in `--engine`; `None` if it is false.
fn setting(name: &str, value: &Value) -> anyhow::Result<Option<String>> {
    if !name.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
        bail!("unknown setting `{}`", name.escape_debug());
    }
    let text = match value {
        Value::Boolean(true) => return Ok(Some(name.to_owned())),
        Value::Boolean(false) => return Ok(None),
        Value::String(text) if text.contains(char::is_control) => bail!("{name}: control characters are not supported"),
        Value::String(text) if text.contains('"') => {
            bail!("{name}: double quotes are not supported: write 'single quotes' around an argument")
        }
        Value::String(text) => format!("\"{text}\""),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        _ => bail!("{name}: expected a string, a number, true or false"),
    };
    Ok(Some(format!("{name}={text}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Target, texts};

    #[test]
    fn tables_are_engines() {
        let text = r#"
            [each]
            hash = 8
            depth = 3
            [[engine]]
            name = 'new, or not'
            depth = 6
            no-database = true
            [[engine]]
            name = "old"
            [each.ignored]
        "#;
        let engines = specs(&text.replace("[each.ignored]", "")).unwrap();
        assert_eq!((engines[0].name(), engines[0].config.hash, engines[1].config.hash), ("new, or not", 8, 8));
        assert!(engines[0].to_string().starts_with("depth 6") && engines[1].to_string().starts_with("depth 3"));
        let error = |text: &str| format!("{:#}", specs(text).unwrap_err());
        assert!(error("").starts_with("there are no engines"));
        assert!(error("[[engine]]\ndepth = 6\ndepth = 7").starts_with("line 3: duplicate key"));
        assert!(error("depth = 6\n[[engine]]").starts_with("unknown key `depth`"));
        assert!(
            error("[[engine]]\ndepth = 'x'").starts_with("engine 1: expected a whole number from 1 to 240, found `x`")
        );
        assert!(error("[[engine]]\ndepth = 6\n[[engine]]\nspeed = 6").starts_with("engine 2: unknown setting `speed`"));
        assert!(error("[[engine]]\nname = [6]").starts_with("engine 1: name: expected a string"));
        assert!(error("[[engine]]\ncmd = 'a \"b\"'").starts_with("engine 1: cmd: double quotes"));
        assert!(error("[[engine]]\nrandom = false\nhash = 3").starts_with("engine 1: an engine requires a limit"));
        assert!(error("[[engine]]\n\"hash=2,depth\" = 3").starts_with("engine 1: unknown setting `hash=2,depth`"));
        assert!(error("[[engine]]\ndepth = 3\nname = \"a\\nb\"").starts_with("engine 1: name: control characters"));
        // Common settings are for those who support them.
        let mixed = "[each]\nhash = 8\ndepth = 3\n[[engine]]\nrandom = true\n[[engine]]\ncmd = 'x'\nprotocol = 'gtp'\n";
        let mixed: Vec<_> = specs(mixed).unwrap().iter().map(|spec| spec.text().to_owned()).collect();
        assert_eq!(mixed, ["random", "cmd=\"x\",protocol=\"gtp\""]);
        assert!(error(text).contains("expected a string"));
    }

    #[test]
    fn fuzz_engine_files() {
        let seeds = [
            "[each]\nhash = 8\ndepth = 3\n[[engine]]\nname = 'new, or not'\nno-database = true\n\
             [[engine]]\ntime = '1s'\n",
            "[[engine]]\ncmd = './other -x'\nprotocol = \"gtp\"\ninit = 'komi 0'\n[[engine]]\nlevel = \"club\"\n",
            "engine = [{ depth = 6 }, { nodes = 1_000, variety = 2.5 }]\neach = { tc = '10+0.1' }\n",
        ];
        let words = &["[[engine]]\n", "[each]\n", "[", "{", " = ", "''", "\"\"\"", "\\u0000", "1e999", "nan", "-inf"];
        Target { words, cost: 2, ..Target::new("engine files", texts(&seeds)) }.run(|input| {
            if let Ok(engines) = specs(&String::from_utf8_lossy(input)) {
                for engine in engines {
                    assert_eq!(engine.text().parse::<Spec>().expect("it was parsed").text(), engine.text());
                }
            }
        });
    }
}
