//! The settings of players: their names, values and descriptions.

use std::str::FromStr;

use super::{ParseSpecError, SpecProblem};
use crate::players::KINDS;

/// One setting of a spec.
#[derive(Debug, Clone, Copy)]
pub(in crate::players) struct Setting {
    pub(super) name: &'static str,
    value: &'static str,
    about: &'static str,
}

/// What the player is called; every kind has it.
pub(super) const NAME: Setting = Setting::new("name", "TEXT", "name in the results");
/// The limits of a search, which several kinds have.
pub(in crate::players) const DEPTH: Setting =
    Setting::new("depth", "PLIES", "search depth (external engines: if the protocol supports it)");
pub(in crate::players) const NODES: Setting = Setting::new("nodes", "N", "node limit per move");
pub(in crate::players) const TIME: Setting = Setting::new("time", "TIME", "time limit per move, such as 100ms or 2s");

impl Setting {
    /// Describes a setting; `value` is what stands after `=`, nothing where no value is to be given.
    pub(in crate::players) const fn new(name: &'static str, value: &'static str, about: &'static str) -> Self {
        Self { name, value, about }
    }

    /// Returns how it is written.
    fn form(&self) -> String {
        if self.value.is_empty() { self.name.to_owned() } else { format!("{}={}", self.name, self.value) }
    }

    /// Returns a line of help.
    pub(super) fn help(&self) -> String {
        format!("  {:<24}{}\n", self.form(), self.about)
    }
}

/// Returns the settings of all kinds of players, each once.
pub(super) fn all() -> Vec<Setting> {
    let mut all = vec![NAME];
    for setting in KINDS.iter().flat_map(|kind| kind.settings) {
        if all.iter().all(|other| other.name != setting.name) {
            all.push(*setting);
        }
    }
    all
}

/// Returns the names of settings, as a list for people.
pub(super) fn names(settings: &[Setting]) -> String {
    settings.iter().map(|setting| setting.name).collect::<Vec<_>>().join(", ")
}

/// What a spec gives: the values of its settings.
pub(in crate::players) struct GivenSettings<'a> {
    /// The column, the setting and the value of each.
    pub(super) fields: Vec<(usize, Setting, &'a str)>,
    /// The column behind the spec.
    end: usize,
}

impl<'a> GivenSettings<'a> {
    /// Splits a spec at its commas.
    pub(in crate::players) fn parse(text: &'a str) -> Result<Self, ParseSpecError> {
        let known = all();
        let mut given = Self { fields: Vec::new(), end: text.chars().count() + 1 };
        for field in fields(text) {
            let (column, field) = field?;
            let fail = |problem| ParseSpecError { column, kind: problem };
            let (name, value) = field.split_once('=').map_or((field, None), |(name, value)| (name, Some(value)));
            let setting = known.iter().find(|setting| setting.name == name);
            let setting = *setting.ok_or_else(|| fail(SpecProblem::Unknown(name.to_owned())))?;
            if value.is_none_or(str::is_empty) != setting.value.is_empty() {
                return Err(fail(SpecProblem::InvalidForm(setting.form())));
            }
            if given.text(name).is_some() {
                return Err(fail(SpecProblem::Duplicate));
            }
            given.fields.push((column, setting, value.map_or("", |value| value.trim_matches('"'))));
        }
        Ok(given)
    }

    /// Returns the value of a setting as it is written; `None` if it is not given.
    pub(in crate::players) fn text(&self, name: &str) -> Option<&'a str> {
        self.fields.iter().find(|(_, setting, _)| setting.name == name).map(|&(_, _, value)| value)
    }

    /// Returns the value of a setting.
    pub(in crate::players) fn value<T, E: Into<SpecProblem>>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, ParseSpecError> {
        let read = self.text(name).map(|text| read(text).map_err(|problem| self.fail_at(name, problem.into())));
        read.transpose()
    }

    /// Returns a number above 0.
    pub(in crate::players) fn number<N: FromStr + Default + PartialEq>(
        &self,
        name: &str,
    ) -> Result<Option<N>, ParseSpecError> {
        self.value(name, |text| {
            let number = text.parse().ok().filter(|number| *number != N::default());
            number.ok_or_else(|| SpecProblem::Number(text.to_owned()))
        })
    }

    /// Reports what is wrong with a setting.
    pub(in crate::players) fn fail_at(&self, name: &str, problem: SpecProblem) -> ParseSpecError {
        let column = self.fields.iter().find(|(_, setting, _)| setting.name == name).map_or(self.end, |field| field.0);
        ParseSpecError { column, kind: problem }
    }

    /// Reports what is wrong with the settings together.
    pub(in crate::players) fn fail(&self, problem: SpecProblem) -> ParseSpecError {
        ParseSpecError { column: self.end, kind: problem }
    }
}

/// Splits a text at the commas that are not within double quotes; each field with its column.
fn fields(text: &str) -> impl Iterator<Item = Result<(usize, &str), ParseSpecError>> {
    let (mut rest, mut column) = (Some(text), 1);
    std::iter::from_fn(move || {
        let (text, start) = (rest.take()?, column);
        let quotes = |problem| Some(Err(ParseSpecError { column: start, kind: problem }));
        let mut within = false;
        let comma = text.find(|c| {
            within ^= c == '"';
            c == ',' && !within
        });
        let field = &text[..comma.unwrap_or(text.len())];
        let marks = field.matches('"').count();
        if marks != 0 && !(marks == 2 && field.contains("=\"") && field.ends_with('"')) {
            return quotes(SpecProblem::Quotes);
        }
        rest = comma.map(|comma| &text[comma + 1..]);
        column += field.chars().count() + 1;
        Some(Ok((start, field)))
    })
}
