//! The settings of players: their names, values and descriptions.

use morello_core::game::{Limits, TimeControl, parse_time};

use super::{ParseSpecError, SpecProblem};
use crate::players::KINDS;

/// One setting of a spec.
#[derive(Debug, Clone, Copy)]
pub(in crate::players) struct Setting {
    pub(super) name: &'static str,
    value: &'static str,
    about: &'static str,
}

/// The name of the player; every kind supports it.
pub(super) const NAME: Setting = Setting::new("name", "TEXT", "name in the results");
// Search limits that several kinds of players support.
pub(in crate::players) const DEPTH: Setting =
    Setting::new("depth", "PLIES", "search depth (external engines: if the protocol supports it)");
pub(in crate::players) const NODES: Setting = Setting::new("nodes", "N", "node limit per move");
pub(in crate::players) const TIME: Setting = Setting::new("time", "TIME", "time limit per move, such as 100ms or 2s");

pub(in crate::players) const CLOCK: Setting =
    Setting::new("tc", "CLOCK", "clock of a game: seconds+increment, or moves/seconds");

impl Setting {
    /// Creates a setting. `value` is the placeholder after `=`, empty if the setting takes no
    /// value.
    pub(in crate::players) const fn new(name: &'static str, value: &'static str, about: &'static str) -> Self {
        Self { name, value, about }
    }

    /// Returns the syntax, such as `depth=PLIES`.
    fn form(&self) -> String {
        if self.value.is_empty() { self.name.to_owned() } else { format!("{}={}", self.name, self.value) }
    }

    /// Returns the help line.
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

/// Returns the names of settings, separated by commas.
pub(super) fn names(settings: &[Setting]) -> String {
    settings.iter().map(|setting| setting.name).collect::<Vec<_>>().join(", ")
}

/// The settings in a spec, with their values.
pub(in crate::players) struct GivenSettings<'a> {
    /// The column (from 1), the setting and its value.
    pub(super) fields: Vec<(usize, Setting, &'a str)>,
    /// The column after the end of the spec.
    end: usize,
}

impl<'a> GivenSettings<'a> {
    /// Splits a spec at its commas and checks the names of the settings.
    pub(in crate::players) fn parse(text: &'a str) -> Result<Self, ParseSpecError> {
        let known = all();
        let mut given = Self { fields: Vec::new(), end: text.chars().count() + 1 };
        for field in fields(text) {
            let (column, field) = field?;
            let fail = |problem| ParseSpecError { column, kind: problem };
            let (name, value) = field.split_once('=').map_or((field, None), |(name, value)| (name, Some(value)));
            let setting = known.iter().find(|setting| setting.name == name);
            let setting = *setting.ok_or_else(|| {
                fail(if value.is_none() { SpecProblem::Word } else { SpecProblem::Unknown }(name.to_owned()))
            })?;
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

    /// Returns the text of a setting's value; `None` if it is not given.
    pub(in crate::players) fn text(&self, name: &str) -> Option<&'a str> {
        self.fields.iter().find(|(_, setting, _)| setting.name == name).map(|&(_, _, value)| value)
    }

    /// Parses the value of a setting; `None` if it is not given.
    pub(in crate::players) fn value<T, E: Into<SpecProblem>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, ParseSpecError> {
        let value = self.text(name).map(|text| parse(text).map_err(|problem| self.fail_at(name, problem.into())));
        value.transpose()
    }

    /// Parses a number above 0.
    pub(in crate::players) fn number<N: TryFrom<u64>>(&self, name: &str) -> Result<Option<N>, ParseSpecError> {
        self.number_up_to(name, u64::MAX >> (64 - 8 * size_of::<N>()))
    }

    /// Parses a number from 1 to `most`.
    fn number_up_to<N: TryFrom<u64>>(&self, name: &str, most: u64) -> Result<Option<N>, ParseSpecError> {
        self.value(name, |text| {
            let number = text.parse().ok().filter(|number| (1..=most).contains(number));
            let number = number.and_then(|number| N::try_from(number).ok());
            number.ok_or_else(|| SpecProblem::Number(text.to_owned(), most))
        })
    }

    /// Parses the limits given by [`DEPTH`], [`NODES`] and [`TIME`].
    pub(in crate::players) fn limits(&self) -> Result<Limits, ParseSpecError> {
        let (depth, nodes) = (self.number_up_to("depth", Limits::MAX_DEPTH.into())?, self.number("nodes")?);
        Ok(Limits { depth, nodes, time: self.value("time", parse_time)?, ..Limits::default() })
    }

    /// Parses the clock given by [`CLOCK`].
    pub(in crate::players) fn clock(&self) -> Result<Option<TimeControl>, ParseSpecError> {
        self.value(CLOCK.name, str::parse)
    }

    /// Creates an error at a setting.
    pub(in crate::players) fn fail_at(&self, name: &str, problem: SpecProblem) -> ParseSpecError {
        let column = self.fields.iter().find(|(_, setting, _)| setting.name == name).map_or(self.end, |field| field.0);
        ParseSpecError { column, kind: problem }
    }

    /// Creates an error about the whole spec.
    pub(in crate::players) fn fail(&self, problem: SpecProblem) -> ParseSpecError {
        ParseSpecError { column: self.end, kind: problem }
    }
}

/// Describes the limits given by [`DEPTH`], [`NODES`], [`TIME`] and [`CLOCK`] in words.
pub(in crate::players) fn describe_limits(limits: &Limits, clock: Option<TimeControl>) -> impl Iterator<Item = String> {
    let bounds = [
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.nodes.map(|nodes| format!("{nodes} nodes per move")),
        limits.time.map(|time| format!("{} ms per move", time.as_secs_f64() * 1000.0)),
        clock.map(|clock| format!("clock {clock}")),
    ];
    bounds.into_iter().flatten()
}

/// Splits text at the commas outside double quotes. Yields each field with its column.
fn fields(text: &str) -> impl Iterator<Item = Result<(usize, &str), ParseSpecError>> {
    let (mut rest, mut column) = (Some(text), 1);
    std::iter::from_fn(move || {
        let (text, start) = (rest.take()?, column);
        let mut in_quotes = false;
        let comma = text.find(|c| {
            in_quotes ^= c == '"';
            c == ',' && !in_quotes
        });
        let field = &text[..comma.unwrap_or(text.len())];
        let quotes = field.matches('"').count();
        if quotes != 0 && !(quotes == 2 && field.contains("=\"") && field.ends_with('"')) {
            return Some(Err(ParseSpecError { column: start, kind: SpecProblem::Quotes }));
        }
        rest = comma.map(|comma| &text[comma + 1..]);
        column += field.chars().count() + 1;
        Some(Ok((start, field)))
    })
}
