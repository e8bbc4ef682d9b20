//! [`Spec`]: a player described in one line of text.
//!
//! ```text
//! depth=6                                  name=new,nodes=50000,exact=14
//! random                                   name=other,cmd="./other -n 1",protocol=nboard,depth=6
//! ```
//!
//! Settings are separated by commas. A value in double quotes may contain commas. A command is
//! split into words like a shell command.
//!
//! A new kind of player needs a file with its [`Player`], [`PlayerConfig`] and [`PlayerKind`], an
//! entry in [`KINDS`](super::KINDS), and a variant of [`SpecProblem`] for each new kind of error.

pub(super) mod settings;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use morello_core::game::{
    AnyGame, EvaluationKind, GameData, Level, ParseConfidenceError, ParseError, ParseLevelError, ParseTimeControlError,
    ParseTimeError, Player, Protocol, TimeControl, UnknownProtocol, WeightsError, WrongGameData,
};
use morello_files::book::BookError;
use thiserror::Error;

use self::settings::{Setting, names};
use super::KINDS;

pub(super) use self::settings::GivenSettings;

/// A kind of player.
pub(super) struct PlayerKind {
    /// Its name in messages, with an article.
    pub(super) name: &'static str,
    /// The setting that selects this kind; `None` for the default.
    pub(super) key: Option<&'static str>,
    /// The settings that it supports besides the name, in the order in which messages list them.
    pub(super) settings: &'static [Setting],
    /// Parses the settings. All of them belong to this kind.
    pub(super) parse: fn(&GivenSettings<'_>) -> Result<PlayerConfig, ParseSpecError>,
}

/// Creates a player of a game, with the game's endgame database if there is one.
type CreatePlayer =
    dyn Fn(&'static dyn AnyGame, Option<&GameData>) -> Result<Box<dyn Player>, UnsupportedSpec> + Send + Sync;

/// The parsed settings of a player.
#[derive(Clone)]
#[non_exhaustive]
pub struct PlayerConfig {
    /// The memory for its search tables, in MiB.
    pub hash: u32,
    /// The path of its weights, if given.
    pub weights: Option<PathBuf>,
    /// The protocol of an external engine.
    pub protocol: Option<Protocol>,
    /// Whether it uses the game's endgame database, if there is one.
    pub wants_database: bool,
    /// Whether its moves depend on a clock: with a time limit, and for external engines without
    /// another limit.
    pub uses_clock: bool,
    /// Its time per move; `None` if not set.
    pub time: Option<Duration>,
    /// Its clock for a game; `None` if not set.
    pub clock: Option<TimeControl>,
    /// The name of the player if `name=` is not given; `None` uses the text of the spec.
    pub(super) default_name: Option<String>,
    /// The settings in words.
    pub(super) description: String,
    pub(super) create: Arc<CreatePlayer>,
}

morello_core::debug_fields!(PlayerConfig { description, hash, weights, protocol });

impl PlayerConfig {
    /// Creates a config without search tables, weights, protocol, database and clock.
    pub(super) fn new(
        description: impl Into<String>,
        create: impl Fn(&'static dyn AnyGame, Option<&GameData>) -> Result<Box<dyn Player>, UnsupportedSpec>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            hash: 0,
            weights: None,
            protocol: None,
            wants_database: false,
            uses_clock: false,
            time: None,
            clock: None,
            default_name: None,
            description: description.into(),
            create: Arc::new(create),
        }
    }
}

/// The description of a player.
///
/// ```
/// use morello::players::Spec;
///
/// let spec: Spec = "name=new,nodes=50000,exact=14".parse()?;
/// assert_eq!((spec.name(), spec.config.uses_clock), ("new", false));
/// let error = "depth=6,speed=2".parse::<Spec>().unwrap_err();
/// assert_eq!(error.column, 9);
/// assert!(error.to_string().starts_with("unknown setting `speed`"));
/// # Ok::<(), morello::players::ParseSpecError>(())
/// ```
#[derive(Clone)]
pub struct Spec {
    name: String,
    text: String,
    /// The parsed settings.
    pub config: PlayerConfig,
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Spec").field(&self.text).finish()
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Spec {}

/// An invalid [`Spec`], with the column of the error.
pub type ParseSpecError = ParseError<SpecProblem>;

/// The kinds of errors in a [`Spec`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecProblem {
    /// A setting does not exist.
    #[error("unknown setting `{0}` (known: {known})", known = names(&settings::all()))]
    Unknown(String),
    /// A word is neither a setting nor a kind of player.
    #[error("unknown setting `{0}`; {advice}", advice = advice(.0))]
    Word(String),
    /// A setting lacks its value, or has one but takes none.
    #[error("expected `{0}`")]
    InvalidForm(String),
    /// A setting is given twice.
    #[error("duplicate setting")]
    Duplicate,
    /// Quotes are not closed, or do not enclose the whole value.
    #[error("misplaced quotes; quote the whole value, as in cmd=\"./engine -n 1\"")]
    Quotes,
    /// A name could not be read back from game files.
    #[error("the name `{0}` means an unknown player in game files; choose another one")]
    Name(String),
    /// A value is not a positive integer, or it is above the last number.
    #[error("expected a whole number from 1 to {1}, found `{0}`")]
    Number(String, u64),
    /// A value is not a duration.
    #[error(transparent)]
    Time(#[from] ParseTimeError),
    /// A value is not a time control.
    #[error(transparent)]
    Clock(#[from] ParseTimeControlError),
    /// A value is not a confidence level.
    #[error(transparent)]
    Confidence(#[from] ParseConfidenceError),
    /// A value is not the name of an evaluation.
    #[error("unknown evaluation `{0}` (known: {known})",
        known = EvaluationKind::ALL.map(EvaluationKind::name).join(", "))]
    Evaluation(String),
    /// A value is not the name of a protocol.
    #[error(transparent)]
    Protocol(#[from] UnknownProtocol),
    /// A value is not a number of points.
    #[error("expected a number of points from 0 to 64, found `{0}`")]
    Points(String),
    /// A book is given, but `variety` is not, so no moves are played from it.
    #[error("book= requires variety=")]
    BookWithoutVariety,
    /// The command is empty.
    #[error("empty command; name a program")]
    NoProgram,
    /// This kind of player does not support a setting.
    #[error("{kind} does not support `{setting}` (supported: {known})")]
    UnsupportedSetting {
        /// The setting.
        setting: &'static str,
        /// The kind of player.
        kind: &'static str,
        /// The supported settings.
        known: String,
    },
    /// The engine has no search limit.
    #[error("an engine requires a limit; add level=, depth=, nodes=, time= or tc=")]
    NoBound,
    /// A value is not a level.
    #[error(transparent)]
    Level(#[from] ParseLevelError),
    /// A level is combined with limits that the level already sets.
    #[error("level= cannot be combined with depth=, confidence= or exact=: the level sets them")]
    LevelAndBounds,
    /// An external engine has no protocol.
    #[error("an external engine requires protocol= (supported: {known})",
        known = Protocol::ALL.map(Protocol::name).join(", "))]
    NoProtocol,
    /// The protocol of an external engine does not support a limit.
    #[error("protocol {protocol} does not support `{setting}=` (supported: {known})",
        known = .protocol.supported_limits().join(", "))]
    UnsupportedLimit {
        /// The setting.
        setting: &'static str,
        /// The protocol.
        protocol: Protocol,
    },
}

/// Returns what to write instead of a word that is not a setting.
fn advice(word: &str) -> String {
    if word.parse::<Level>().is_ok() {
        return format!("write level={word}");
    }
    let is_name = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let program = if is_name { word } else { "engine" };
    format!("write level=5, random, or cmd=\"./{program}\",protocol=nboard for another program")
}

/// A [`Spec`] that the game does not support.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UnsupportedSpec {
    /// Weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The database belongs to another game.
    #[error(transparent)]
    Data(#[from] WrongGameData),
    /// The protocol does not support the game.
    #[error("protocol {protocol} does not support {game}")]
    Protocol {
        /// The game.
        game: &'static str,
        /// The protocol.
        protocol: Protocol,
    },
    /// The game has no endgame database, or none was opened.
    #[error("no endgame database for {0}; remove `database`")]
    NoDatabase(&'static str),
    /// The opening book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// There is no built-in opening book for the game.
    #[error("{0} has no built-in book; add book=FILE")]
    NoBook(&'static str),
    /// The game cannot be solved exactly.
    #[error("{0} has no exact solver; remove exact=")]
    NoExactSolver(&'static str),
}

impl Spec {
    /// Returns the name of the player: the given name, or else the file name of an external engine,
    /// or else the text of the spec.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text that the spec was parsed from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds settings, such as `,variety=1`, if the player supports them and does not set them
    /// already; otherwise the spec is unchanged.
    ///
    /// ```
    /// use morello::players::Spec;
    ///
    /// assert_eq!("depth=6".parse::<Spec>()?.with_settings(",variety=1").text(), "depth=6,variety=1");
    /// assert_eq!("random".parse::<Spec>()?.with_settings(",variety=1").text(), "random");
    /// # Ok::<(), morello::players::ParseSpecError>(())
    /// ```
    #[must_use]
    pub fn with_settings(&self, settings: &str) -> Self {
        format!("{}{settings}", self.text).parse().unwrap_or_else(|_| self.clone())
    }

    /// Returns the help text: one line per setting.
    #[must_use]
    pub fn help() -> String {
        settings::all().iter().map(Setting::help).collect()
    }

    /// Creates the player for `game`, with its [database](AnyGame::open_database) if there is one.
    /// An external engine is not started yet.
    ///
    /// ```
    /// use morello::game::{Cancel, Game};
    /// use morello::games;
    /// use morello::players::Spec;
    ///
    /// let othello = games::get("othello")?;
    /// let mut player = "depth=4,hash=1".parse::<Spec>()?.player(othello, None)?;
    /// player.prepare(1, &Cancel::new())?;
    /// let choice = player.choose(&Game::new(othello.start()), &Cancel::new())?;
    /// assert_eq!(choice.depth, Some(4));
    /// let error = "depth=4,exact=8".parse::<Spec>()?.player(games::get("nine-mens-morris")?, None).err();
    /// assert_eq!(error.expect("mill games").to_string(), "nine-mens-morris has no exact solver; remove exact=");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UnsupportedSpec`] if the game does not support this player.
    pub fn player(
        &self,
        game: &'static dyn AnyGame,
        database: Option<&GameData>,
    ) -> Result<Box<dyn Player>, UnsupportedSpec> {
        (self.config.create)(game, database)
    }
}

impl fmt::Display for Spec {
    /// Describes the settings in words, without the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.config.description)
    }
}

impl FromStr for Spec {
    type Err = ParseSpecError;

    /// Parses a spec.
    ///
    /// # Errors
    /// [`ParseSpecError`] with the column of the error.
    fn from_str(text: &str) -> Result<Self, ParseSpecError> {
        let given = GivenSettings::parse(text)?;
        let kind = KINDS.iter().rev().find(|kind| kind.key.is_some_and(|key| given.text(key).is_some()));
        let kind = kind.unwrap_or(&KINDS[0]);
        let is_supported = |name| name == settings::NAME.name || kind.settings.iter().any(|own| own.name == name);
        if let Some(&(column, setting, _)) = given.fields.iter().find(|(_, setting, _)| !is_supported(setting.name)) {
            let known = names(&[&[settings::NAME], kind.settings].concat());
            let problem = SpecProblem::UnsupportedSetting { setting: setting.name, kind: kind.name, known };
            return Err(ParseSpecError { column, kind: problem });
        }
        let config = (kind.parse)(&given)?;
        let is_unknown = |name: &str| matches!(name.trim(), "" | "?" | "-");
        let named =
            |name: &str| if is_unknown(name) { Err(SpecProblem::Name(name.to_owned())) } else { Ok(name.to_owned()) };
        let name = given.value(settings::NAME.name, named)?;
        let name = name.or_else(|| config.default_name.clone()).unwrap_or_else(|| text.to_owned());
        Ok(Self { name, text: text.to_owned(), config })
    }
}

#[cfg(test)]
mod tests;
