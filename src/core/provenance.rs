//! [`Provenance`]: the program, command, settings, machine and date that produced a file.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The origin of a file: the program, its command and settings, the machine and the date. Each kind
/// of output writes it in its own form: [`entries`](Self::entries) or, with the feature `serde`, an
/// object.
///
/// ```
/// use morello::provenance::Provenance;
///
/// let made_by = Provenance {
///     program: "morello".to_owned(),
///     version: "0.1.0".to_owned(),
///     command: Some("morello analyze othello games.ggf".to_owned()),
///     settings: [("depth".to_owned(), "12".to_owned())].into(),
///     ..Provenance::default()
/// };
/// assert_eq!(made_by.to_string(), "morello 0.1.0, `morello analyze othello games.ggf`");
/// assert_eq!(made_by.entries().last(), Some(&("settings.depth".to_owned(), "12".to_owned())));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Provenance {
    /// The name of the program.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The revision of the source, if the program was built from a repository.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub revision: Option<String>,
    /// The command line.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub command: Option<String>,
    /// The machine: its system, processor and number of threads.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub machine: Option<String>,
    /// The date and time in UTC: `2026-11-26 12:33:18`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub date: Option<String>,
    /// The settings in force, including defaults, and the fingerprints of the data used, such as
    /// weights and databases.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty"))]
    pub settings: BTreeMap<String, String>,
}

impl Provenance {
    /// Returns whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds a setting.
    #[must_use]
    pub fn with(mut self, setting: &str, value: impl fmt::Display) -> Self {
        self.settings.insert(setting.to_owned(), value.to_string());
        self
    }

    /// Returns the name of the program with its version and revision: `morello 0.1.0 (67015ed)`.
    #[must_use]
    pub fn program(&self) -> String {
        let revision = self.revision.as_ref().map_or_else(String::new, |revision| format!(" ({revision})"));
        format!("{} {}{revision}", self.program, self.version)
    }

    /// Returns the known entries as pairs of name and value.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, String)> {
        let known = [
            ("program", Some(&self.program)),
            ("version", Some(&self.version)),
            ("revision", self.revision.as_ref()),
            ("command", self.command.as_ref()),
            ("machine", self.machine.as_ref()),
            ("date", self.date.as_ref()),
        ];
        let known = known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.clone())));
        let settings = self.settings.iter().map(|(name, value)| (format!("settings.{name}"), value.clone()));
        known.chain(settings).collect()
    }
}

impl fmt::Display for Provenance {
    /// Writes everything but the settings on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program())?;
        self.date.iter().chain(&self.machine).try_for_each(|part| write!(f, ", {part}"))?;
        self.command.iter().try_for_each(|command| write!(f, ", `{command}`"))
    }
}

/// The function that returns the provenance for the outputs of this process.
static SOURCE: OnceLock<fn() -> Provenance> = OnceLock::new();

/// The settings that were added in this process.
static SETTINGS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// Sets what the writers of files record as their provenance. A program calls this once at startup.
/// Without this call, they record nothing.
pub fn set_source(source: fn() -> Provenance) {
    let _ = SOURCE.set(source);
}

/// Adds settings to the provenance of the later outputs of this process.
pub fn add_settings(settings: impl IntoIterator<Item = (String, String)>) {
    SETTINGS.lock().unwrap_or_else(PoisonError::into_inner).extend(settings);
}

/// Returns the provenance of the outputs of this process, or an empty one if no
/// [source](set_source) is set.
#[must_use]
pub fn of_process() -> Provenance {
    let Some(source) = SOURCE.get() else { return Provenance::default() };
    let mut provenance = source();
    provenance.settings.extend(SETTINGS.lock().unwrap_or_else(PoisonError::into_inner).clone());
    provenance
}

/// Returns the date and time now in UTC: `2026-11-26 12:33:18`.
#[must_use]
pub fn now() -> String {
    utc(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
}

/// Returns the date and time in UTC, given the seconds since 1970.
#[doc(hidden)]
#[must_use]
pub fn utc(seconds: u64) -> String {
    // Counted from 1 March 0000, so that a leap day ends its year; 400 years have 146,097 days.
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + month / 10, (month + 2) % 12 + 1);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_days_of_months_and_leap_years() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399, "2000-02-28 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"),
            (951_868_800, "2000-03-01 00:00:00"),
            (1_735_689_599, "2024-12-31 23:59:59"),
            (1_735_689_600, "2025-01-01 00:00:00"),
            (4_107_542_400, "2100-03-01 00:00:00"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
