//! [`ParticipantSpec`]: who plays a side, as a user writes it.

use std::str::FromStr;

use thiserror::Error;

use crate::players::{ParseSpecError, Spec, SpecProblem};

/// Who plays a side, as a user writes it.
///
/// ```
/// use morello::text::ParticipantSpec;
///
/// assert_eq!("human".parse(), Ok(ParticipantSpec::Human));
/// let ParticipantSpec::Computer(spec) = "engine:level=7".parse()? else { panic!("an engine is a computer player") };
/// assert_eq!(spec.text(), "level=7");
/// let error = "external:protocol=nboard".parse::<ParticipantSpec>().unwrap_err();
/// assert!(error.to_string().starts_with("not a setting of an external player: `protocol=nboard`"));
/// # Ok::<(), morello::text::ParseParticipantError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParticipantSpec {
    /// A human at the keyboard.
    Human,
    /// A computer player.
    Computer(Box<Spec>),
}

impl ParticipantSpec {
    /// Adds settings, such as `,variety=1`, to an engine that does not set them already; others are
    /// unchanged.
    #[must_use]
    pub fn with_settings(self, settings: &str) -> Self {
        match self {
            Self::Computer(spec) => Self::Computer(Box::new(spec.with_settings(settings))),
            Self::Human => Self::Human,
        }
    }
}

/// Why text is not a [`ParticipantSpec`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseParticipantError {
    /// The settings cannot be parsed.
    #[error("{0}{kinds}", kinds = kinds(.0))]
    Spec(ParseSpecError),
    /// The settings belong to another kind of player.
    #[error("not a setting of an {kind} player: `{settings}` (for example: `{example}`)")]
    Kind {
        /// The settings.
        settings: String,
        /// The kind of player.
        kind: &'static str,
        /// An example of this kind.
        example: &'static str,
    },
}

impl From<ParseSpecError> for ParseParticipantError {
    fn from(error: ParseSpecError) -> Self {
        Self::Spec(error)
    }
}

/// Returns the kinds of players, after an error that another kind may mend.
fn kinds(error: &ParseSpecError) -> &'static str {
    match error.kind {
        SpecProblem::Word(_) => "; a human is `human`",
        SpecProblem::Unknown(_) => " (a player is human, random, database, engine:SETTINGS or external:SETTINGS)",
        _ => "",
    }
}

/// The default opponent: one that a beginner can win against.
pub const DEFAULT_ENGINE: &str = "engine:level=beginner";
/// An example of an external engine.
const EXTERNAL: &str = "external:cmd=\"./program\",protocol=nboard";

impl FromStr for ParticipantSpec {
    type Err = ParseParticipantError;

    /// Parses `human`, `random`, `database`, `engine:` or `external:` followed by the settings of a
    /// [`Spec`], or a plain spec.
    fn from_str(text: &str) -> Result<Self, ParseParticipantError> {
        let text = text.trim();
        let (kind, settings) = text.split_once(':').map_or((text, None), |(kind, settings)| (kind, Some(settings)));
        // Only engines have a transposition table, and only external engines have a protocol.
        let (example, is_of_kind): (_, fn(&Spec) -> bool) = match (kind, settings) {
            ("human", None) => return Ok(Self::Human),
            ("engine", None) => return DEFAULT_ENGINE.parse(),
            ("engine", Some(_)) => (DEFAULT_ENGINE, |spec| spec.config.hash > 0),
            ("external", Some(_)) => (EXTERNAL, |spec| spec.config.protocol.is_some()),
            _ => return Ok(Self::Computer(Box::new(text.parse()?))),
        };
        let settings = settings.unwrap_or_default();
        let wrong = || ParseParticipantError::Kind {
            settings: settings.to_owned(),
            kind: example.split(':').next().unwrap_or_default(),
            example,
        };
        if example == EXTERNAL && !settings.contains("cmd=") {
            return Err(wrong());
        }
        let spec: Spec = settings.parse()?;
        if !is_of_kind(&spec) {
            return Err(wrong());
        }
        Ok(Self::Computer(Box::new(spec)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        match text.parse::<ParticipantSpec>() {
            Ok(ParticipantSpec::Human) => "human".to_owned(),
            Ok(ParticipantSpec::Computer(spec)) => spec.text().to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn parses_every_kind_of_participant() {
        for (text, spec) in [
            ("human", "human"),
            ("random", "random"),
            ("database", "database"),
            ("engine", "level=beginner"),
            ("engine:level=7,hash=2", "level=7,hash=2"),
            ("depth=3", "depth=3"),
            ("external:cmd=\"./a b:c\",protocol=gtp", "cmd=\"./a b:c\",protocol=gtp"),
            ("cmd=\"./a:b\",protocol=gtp", "cmd=\"./a:b\",protocol=gtp"),
        ] {
            assert_eq!(name(text), spec);
        }
    }

    #[test]
    fn rejects_unknown_participants() {
        assert!(
            name("engine:random").starts_with("not a setting of an engine player: `random`"),
            "{}",
            name("engine:random")
        );
        assert!(
            name("external:protocol=nboard").contains("example: `external:cmd="),
            "{}",
            name("external:protocol=nboard")
        );
        assert!(name("external:depth=2").contains("example: `external:cmd="), "{}", name("external:depth=2"));
        assert!(name("robot").contains("unknown setting `robot`"), "{}", name("robot"));
        assert!(name("").contains("unknown setting ``"), "{}", name(""));
        assert!(name("engine:").contains("unknown setting"), "{}", name("engine:"));
        assert!(name("engine:level=99").contains("expected a level from 1 to 60"));
    }
}
