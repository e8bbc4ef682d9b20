//! Errors of the command line in plain words, and options that are not taken for positions.

use std::error::Error as _;
use std::ffi::OsStr;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::{StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::USAGE_OR_IO;
use super::numbers::NumberError;

/// Shows help, or an error of the command line. Returns the exit code, or an error if the help
/// cannot be written.
pub fn show(error: &clap::Error) -> anyhow::Result<ExitCode> {
    if error.use_stderr() {
        // Standard error may be closed; the exit code still reports the failure.
        let _ = error.print();
        return Ok(ExitCode::from(USAGE_OR_IO));
    }
    error.print().context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// Replaces the text of a value that is not a whole number of MiB.
#[must_use]
pub fn in_plain_words(error: clap::Error) -> clap::Error {
    let Some(cause) = error.source() else { return error };
    let (Some(ContextValue::String(argument)), Some(ContextValue::String(value))) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue))
    else {
        return error;
    };
    let problem = match cause.downcast_ref::<NumberError>() {
        Some(NumberError::NotWhole(least, most)) if argument.ends_with("<MIB>") => {
            format!("expected a whole number of MiB, without a unit, from {least} to {most}")
        }
        _ => return error,
    };
    let text = format!("invalid value '{value}' for '{argument}': {problem}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(ErrorKind::ValueValidation, text)
}

/// Accepts a position, which may begin with a hyphen, as boards do, but not an option.
#[derive(Debug, Clone, Copy)]
pub struct PositionParser;

impl TypedValueParser for PositionParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        if !is_option(&text) {
            return Ok(text);
        }
        let option = argument.filter(|argument| !argument.is_positional());
        let (kind, invalid) = match option {
            Some(option) => (ErrorKind::InvalidValue, option.to_string()),
            None => (ErrorKind::UnknownArgument, text),
        };
        let mut error = clap::Error::new(kind).with_cmd(command);
        error.insert(ContextKind::InvalidArg, ContextValue::String(invalid));
        if option.is_some() {
            error.insert(ContextKind::InvalidValue, ContextValue::String(String::new()));
        }
        Err(error)
    }
}

/// Returns whether a text is an option rather than a board whose first square is empty.
fn is_option(text: &str) -> bool {
    let is_square = |c: char| !c.is_ascii_alphabetic() || "xXoObBwW".contains(c);
    let name = text.split('=').next().unwrap_or_default();
    match name.strip_prefix("--") {
        Some(name) => name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.chars().all(is_square),
        None => name.strip_prefix('-').is_some_and(|name| {
            name.starts_with(|c: char| !is_square(c))
                || name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_not_positions() {
        for option in ["--jsonl", "--output", "--format=csv", "-f", "-jx", "-o"] {
            assert!(is_option(option), "{option}");
        }
        for position in
            ["---------------------------OX------XO---------------------------X", "--XO", "---j", "-", "-X", "f5"]
        {
            assert!(!is_option(position), "{position}");
        }
    }
}
