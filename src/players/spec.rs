//! [`Spec`]: a player in one line of text, as users ask for it.
//!
//! ```text
//! depth=6                                  name=new,nodes=50000,exact=14
//! random                                   name=other,cmd="./other -n 1",protocol=nboard,depth=6
//! ```
//!
//! Settings are separated by commas. A value in double quotes may hold commas; a command is split into words as a shell splits it.
//!
//! A new kind of player is a file with its [`Player`], its [`PlayerConfig`] and its [`Kind`], and a line of [`KINDS`](super::KINDS). What only its settings can have
//! wrong is a variant of [`SpecProblem`].

pub(super) mod settings;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

pub(super) use self::settings::GivenSettings;
use self::settings::{Setting, names};
use super::KINDS;
use crate::game::{
    AnyGame, EvaluationKind, GameData, LEVELS, ParseConfidenceError, ParseError, ParseTimeError, Player, Protocol,
    UnknownProtocol, WeightsError, WrongGameData,
};

/// A kind of players.
pub(super) struct PlayerKind {
    /// What messages call such a player.
    pub(super) name: &'static str,
    /// The setting that asks for one.
    pub(super) key: Option<&'static str>,
    /// Its settings beside the name, in the order of messages.
    pub(super) settings: &'static [Setting],
    /// Reads a player, of whose settings all are given.
    pub(super) parse: fn(&GivenSettings<'_>) -> Result<Box<dyn PlayerConfig>, ParseSpecError>,
}

/// A player as a user asks for it; its text is its settings in words.
pub(super) trait PlayerConfig: fmt::Debug + fmt::Display + Send + Sync {
    /// Makes the player.
    fn player(
        &self,
        game: &'static dyn AnyGame,
        database: Option<&GameData>,
    ) -> Result<Box<dyn Player>, UnsupportedSpec>;

    /// Returns what the player is called if it is not named; `None` for the text of its spec.
    fn default_name(&self) -> Option<String> {
        None
    }

    /// Returns the memory of its tables, in MiB.
    fn hash(&self) -> u32 {
        0
    }

    /// Returns the file of its weights.
    fn weights(&self) -> Option<&Path> {
        None
    }

    /// Returns the protocol that it speaks.
    fn protocol(&self) -> Option<Protocol> {
        None
    }

    /// Returns whether it looks into the game's database.
    fn wants_database(&self) -> bool {
        false
    }
}

/// What a user asks a player to be.
#[derive(Debug, Clone)]
pub struct Spec {
    name: String,
    text: String,
    plan: Arc<dyn PlayerConfig>,
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Spec {}

/// A text that is not the spec of a player.
pub type ParseSpecError = ParseError<SpecProblem>;

/// What is wrong with the spec of a player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecProblem {
    /// A setting is not known.
    #[error("unknown setting `{0}` (known: {known})", known = names(&settings::all()))]
    Unknown(String),
    /// A setting has no value, or one though it takes none.
    #[error("write `{0}`")]
    InvalidForm(String),
    /// A setting is given twice.
    #[error("it is given twice")]
    Duplicate,
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
    #[error("unknown evaluation `{0}` (known: {known})", known = EvaluationKind::ALL.map(EvaluationKind::name).join(", "))]
    Evaluation(String),
    /// A value is no protocol.
    #[error(transparent)]
    Protocol(#[from] UnknownProtocol),
    /// The command has no words.
    #[error("the command is empty: name a program")]
    NoProgram,
    /// A setting is not for this kind of player.
    #[error("`{setting}` is no setting of {kind} (those are: {known})")]
    UnsupportedSetting {
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
    #[error("the protocol {protocol} has no word for `{setting}=` (it has for: {known})", known = .protocol.supported_limits().join(", "))]
    UnsupportedLimit {
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
#[non_exhaustive]
pub enum UnsupportedSpec {
    /// Weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The database is that of another game.
    #[error(transparent)]
    Data(#[from] WrongGameData),
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
        self.plan.hash()
    }

    /// Returns the file of weights that a player of this spec judges by, if it names one.
    #[must_use]
    pub fn weights(&self) -> Option<&Path> {
        self.plan.weights()
    }

    /// Returns the protocol of an external program.
    #[must_use]
    pub fn protocol(&self) -> Option<Protocol> {
        self.plan.protocol()
    }

    /// Returns whether a player of this spec looks into the game's database, if there is one.
    #[must_use]
    pub fn wants_database(&self) -> bool {
        self.plan.wants_database()
    }

    /// Returns a list of all settings for people, a line each.
    #[must_use]
    pub fn help() -> String {
        settings::all().iter().map(Setting::help).collect()
    }

    /// Makes a player of a game, with the game's [database](AnyGame::open_database) if there is one. An external program is not started yet.
    ///
    /// # Errors
    /// [`UnsupportedSpec`] if there can be none for this game.
    pub fn player(
        &self,
        game: &'static dyn AnyGame,
        database: Option<&GameData>,
    ) -> Result<Box<dyn Player>, UnsupportedSpec> {
        self.plan.player(game, database)
    }
}

impl fmt::Display for Spec {
    /// Writes the settings in words, without the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt(f)
    }
}

impl FromStr for Spec {
    type Err = ParseSpecError;

    /// Reads a spec.
    ///
    /// # Errors
    /// [`ParseSpecError`] with the place and what is wrong there.
    fn from_str(text: &str) -> Result<Self, ParseSpecError> {
        let given = GivenSettings::parse(text)?;
        let kind = KINDS.iter().rev().find(|kind| kind.key.is_some_and(|key| given.text(key).is_some()));
        let kind = kind.unwrap_or(&KINDS[0]);
        let is_suited = |name| name == settings::NAME.name || kind.settings.iter().any(|own| own.name == name);
        if let Some(&(column, setting, _)) = given.fields.iter().find(|(_, setting, _)| !is_suited(setting.name)) {
            let known = names(&[&[settings::NAME], kind.settings].concat());
            let problem = SpecProblem::UnsupportedSetting { setting: setting.name, kind: kind.name, known };
            return Err(ParseSpecError { column, kind: problem });
        }
        let plan: Arc<dyn PlayerConfig> = (kind.parse)(&given)?.into();
        let name = given.text(settings::NAME.name).map(str::to_owned);
        let name = name.or_else(|| plan.default_name()).unwrap_or_else(|| text.to_owned());
        Ok(Self { name, text: text.to_owned(), plan })
    }
}

#[cfg(test)]
mod tests;
