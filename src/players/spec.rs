//! [`Spec`]: a player in one line of text, as users ask for it.
//!
//! ```text
//! depth=6                                  name=new,nodes=50000,exact=14
//! random                                   name=other,cmd="./other -n 1",protocol=nboard,depth=6
//! ```
//!
//! Settings are separated by commas. A value in double quotes may hold commas; the words of a command are separated by blanks, and single
//! quotes hold one together. A new setting is a row of `SETTINGS` and a field of `Draft`.

mod settings;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

use super::{Engine, External, Orders, Program, Random, Timeouts};
use crate::game::{
    EngineOptions, GameData, LEVELS, Limits, ParseConfidenceError, ParseError, ParseTimeError, Playable, Player,
    Protocol, UnknownProtocol, WeightsError,
};
use settings::{DATABASE, Draft, ENGINE, EXTERNAL, RANDOM, SETTINGS, Setting, names};

/// What a user asks a player to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    name: String,
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Random,
    Engine { limits: Limits, level: Option<u32>, weights: Option<PathBuf>, simple: bool, hash: u32, database: bool },
    Database,
    External { program: Program, protocol: Protocol, orders: Orders, timeouts: Timeouts },
}

/// A text that is not the spec of a player.
pub type ParseSpecError = ParseError<SpecProblem>;

/// What is wrong with the spec of a player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpecProblem {
    /// A setting is not known.
    #[error("unknown setting `{0}` (known: {known})", known = names(RANDOM | ENGINE | EXTERNAL | DATABASE))]
    Unknown(String),
    /// A setting has no value, or one though it takes none.
    #[error("write `{0}`")]
    Form(String),
    /// A setting is given twice.
    #[error("it is given twice")]
    Twice,
    /// A quote has no second one, or something else than a comma follows that.
    #[error("a value in quotes ends in a quote, and a comma or nothing follows it")]
    Quotes,
    /// A value is no number.
    #[error("expected a whole number above 0, found `{0}`")]
    Number(String),
    /// A value is no time.
    #[error(transparent)]
    Time(#[from] ParseTimeError),
    /// A value is no level of confidence.
    #[error(transparent)]
    Confidence(#[from] ParseConfidenceError),
    /// A value is no evaluation.
    #[error("unknown evaluation `{0}` (known: learnt, simple)")]
    Evaluation(String),
    /// A value is no protocol.
    #[error(transparent)]
    Protocol(#[from] UnknownProtocol),
    /// The command has no words.
    #[error("the command is empty: name a program")]
    NoProgram,
    /// A setting is not for this kind of player.
    #[error("`{setting}` is no setting of {kind} (those are: {known})")]
    Unsuited {
        /// The setting.
        setting: &'static str,
        /// The kind of player.
        kind: &'static str,
        /// The settings that it has.
        known: String,
    },
    /// An engine has no bound.
    #[error("an engine needs a bound: give level=, depth=, nodes= or time=")]
    NoBound,
    /// A level is out of range.
    #[error("levels are from 1 to {LEVELS}")]
    Level,
    /// A level says what else is given.
    #[error(
        "a level says how deep, how surely and from where on exactly to search: leave depth=, confidence= and exact= out"
    )]
    LevelAndBounds,
    /// An external program has no protocol.
    #[error("an external program needs a protocol= (known: {known})", known = Protocol::ALL.map(Protocol::name).join(", "))]
    NoProtocol,
    /// An external program cannot be told so in its protocol.
    #[error("the protocol {protocol} has no word for `{setting}=` (it has for: {known})", known = Orders::told(*.protocol).join(", "))]
    Untold {
        /// The setting.
        setting: &'static str,
        /// The protocol.
        protocol: Protocol,
    },
    /// An external program can be told only of whole seconds.
    #[error("the protocol {0} counts in whole seconds: give time= so, from 1s on")]
    WholeSeconds(Protocol),
}

/// A spec that does not suit the game.
#[derive(Debug, Error)]
pub enum UnsuitableSpec {
    /// Weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The game is not played over the protocol.
    #[error("{game} is not played over the protocol {protocol}")]
    Protocol {
        /// The game.
        game: &'static str,
        /// The protocol.
        protocol: Protocol,
    },
    /// The game has no database.
    #[error("{game} has no endgame database, or is to do without: leave database out")]
    NoDatabase {
        /// The game.
        game: &'static str,
    },
    /// The game cannot be solved exactly.
    #[error("{game} has no exact solver: leave exact= out")]
    NoExactSolver {
        /// The game.
        game: &'static str,
    },
}

impl Spec {
    /// Returns what the player is called: the name given, or the program of an external one, or the very text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text that the spec was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the memory that a player of this spec takes for its tables, in MiB.
    #[must_use]
    pub fn hash(&self) -> u32 {
        if let Kind::Engine { hash, .. } = self.kind { hash } else { 0 }
    }

    /// Returns the file of weights that a player of this spec judges by, if it names one.
    #[must_use]
    pub fn weights(&self) -> Option<&Path> {
        if let Kind::Engine { weights, .. } = &self.kind { weights.as_deref() } else { None }
    }

    /// Returns the protocol of an external program.
    #[must_use]
    pub fn protocol(&self) -> Option<Protocol> {
        if let Kind::External { protocol, .. } = self.kind { Some(protocol) } else { None }
    }

    /// Returns whether a player of this spec looks into the game's database, if there is one.
    #[must_use]
    pub fn wants_database(&self) -> bool {
        matches!(self.kind, Kind::Engine { database: true, .. } | Kind::Database)
    }

    /// Returns a list of all settings for people, a line each.
    #[must_use]
    pub fn help() -> String {
        let line = |setting: &Setting| format!("  {:<24}{}\n", setting.form(), setting.about);
        SETTINGS.iter().map(line).collect()
    }

    /// Makes a player, with the game's [database](Playable::open_database) if there is one. An external program is not started yet.
    ///
    /// # Errors
    /// [`UnsuitableSpec`] if there can be none for this game.
    pub fn player<P: Playable>(&self, database: Option<&GameData>) -> Result<Box<dyn Player<P>>, UnsuitableSpec> {
        Ok(match &self.kind {
            Kind::Random => Box::new(Random::new(0)),
            Kind::Engine { limits, .. } if limits.exact_from.is_some() && !P::EXACT_SOLVER => {
                return Err(UnsuitableSpec::NoExactSolver { game: P::NAME });
            }
            Kind::Database => {
                let database = database.ok_or(UnsuitableSpec::NoDatabase { game: P::NAME })?;
                let options = EngineOptions { database: Some(database.clone()), ..EngineOptions::new(1 << 20) };
                Box::new(Engine::new(&options, Limits::depth(1)))
            }
            Kind::Engine { limits, level, weights, simple, hash, database: wanted } => {
                let weights = weights.as_deref().map(P::read_weights).transpose()?;
                let database = database.filter(|_| *wanted).cloned();
                let options = EngineOptions { hash_bytes: (*hash as usize) << 20, weights, database, simple: *simple };
                let limits =
                    level.map_or(*limits, |level| Limits { nodes: limits.nodes, time: limits.time, ..P::level(level) });
                Box::new(Engine::new(&options, limits))
            }
            Kind::External { program, protocol, orders, timeouts } => {
                let unsuitable = UnsuitableSpec::Protocol { game: P::NAME, protocol: *protocol };
                let dialect = P::dialect(*protocol).ok_or(unsuitable)?;
                Box::new(External::new(program.clone(), *protocol, *orders, *timeouts, dialect))
            }
        })
    }
}

impl fmt::Display for Spec {
    /// Writes the settings in words, without the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Random => f.write_str("random moves"),
            Kind::Database => f.write_str("a search of one ply"),
            Kind::Engine { limits, level, weights, simple, hash, database } => {
                let bounds = [
                    level.map(|level| format!("level {level}")),
                    limits.depth.map(|depth| format!("depth {depth}")),
                    limits.nodes.map(|nodes| format!("{nodes} nodes a move")),
                    limits.time.map(|time| format!("{} ms a move", time.as_secs_f64() * 1000.0)),
                    limits.confidence.map(|confidence| format!("confidence {confidence}")),
                    limits.exact_from.map(|left| format!("exact from {left} moves before the end")),
                    weights.as_deref().map(|file| format!("weights of {}", file.display())),
                    simple.then(|| "simple evaluation".to_owned()),
                    Some(format!("{hash} MiB")),
                    (!database).then(|| "no database".to_owned()),
                ];
                f.write_str(&bounds.into_iter().flatten().collect::<Vec<_>>().join(", "))
            }
            Kind::External { program, protocol, orders, .. } => {
                write!(f, "`{}` over {protocol}", program.words.join(" "))?;
                let bounds = [
                    orders.depth.map(|depth| format!(", depth {depth}")),
                    orders.nodes.map(|nodes| format!(", {nodes} nodes a move")),
                    orders.time.map(|time| format!(", {} ms a move", time.as_secs_f64() * 1000.0)),
                ];
                bounds.iter().flatten().try_for_each(|bound| f.write_str(bound))
            }
        }
    }
}

impl FromStr for Spec {
    type Err = ParseSpecError;

    /// Reads a spec.
    ///
    /// # Errors
    /// [`ParseSpecError`] with the place and what is wrong there.
    fn from_str(text: &str) -> Result<Self, ParseSpecError> {
        let mut draft = Draft::default();
        let mut given = Vec::new();
        for field in fields(text) {
            let (column, field) = field?;
            let fail = |problem| ParseSpecError { column, problem };
            let (name, value) = field.split_once('=').map_or((field, None), |(name, value)| (name, Some(value)));
            let setting = SETTINGS.iter().find(|setting| setting.name == name);
            let setting = setting.ok_or_else(|| fail(SpecProblem::Unknown(name.to_owned())))?;
            if value.is_none_or(str::is_empty) != setting.value.is_empty() {
                return Err(fail(SpecProblem::Form(setting.form())));
            }
            let value = value.map_or("", |value| value.trim_matches('"'));
            (setting.read)(&mut draft, value).map_err(fail)?;
            given.push((column, setting));
        }
        let end = |problem| ParseSpecError { column: text.chars().count() + 1, problem };
        let (bit, kind) = match () {
            () if draft.words.is_some() => (EXTERNAL, "an external program"),
            () if draft.random.is_some() => (RANDOM, "the random player"),
            () if draft.database.is_some() => (DATABASE, "the player of the database"),
            () => (ENGINE, "an engine"),
        };
        if let Some(&(column, setting)) = given.iter().find(|(_, setting)| setting.kinds & bit == 0) {
            let problem = SpecProblem::Unsuited { setting: setting.name, kind, known: names(bit) };
            return Err(ParseSpecError { column, problem });
        }
        let mut called = draft.name.take();
        let kind = draft.finish().map_err(end)?;
        if let Kind::External { program, protocol, orders, .. } = &kind {
            let bounds = ["depth", "nodes", "time"];
            let untold = |name: &str| bounds.contains(&name) && !Orders::told(*protocol).contains(&name);
            if let Some(&(column, setting)) = given.iter().find(|(_, setting)| untold(setting.name)) {
                let problem = SpecProblem::Untold { setting: setting.name, protocol: *protocol };
                return Err(ParseSpecError { column, problem });
            }
            if *protocol == Protocol::Gtp && orders.time.is_some_and(|time| time.subsec_nanos() != 0) {
                return Err(end(SpecProblem::WholeSeconds(*protocol)));
            }
            let file = Path::new(&program.words[0]).file_name();
            called = called.or_else(|| file.map(|file| file.to_string_lossy().into_owned()));
        }
        Ok(Self { name: called.unwrap_or_else(|| text.to_owned()), text: text.to_owned(), kind })
    }
}

/// Splits a text at the commas that are not within double quotes; each field with its column.
fn fields(text: &str) -> impl Iterator<Item = Result<(usize, &str), ParseSpecError>> {
    let (mut rest, mut column) = (Some(text), 1);
    std::iter::from_fn(move || {
        let (text, start) = (rest.take()?, column);
        let quotes = |problem| Some(Err(ParseSpecError { column: start, problem }));
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

#[cfg(test)]
mod tests;
