//! Engine protocols and their game notations.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::{AnyMove, AnyPosition, Game, LocatedError};

/// An engine protocol over standard input and output.
///
/// ```
/// use morello::game::Protocol;
///
/// let gtp: Protocol = "gtp".parse()?;
/// assert_eq!(gtp, Protocol::Gtp);
/// assert!(!gtp.supports_setup() && gtp.supported_limits() == ["time"]);
/// assert!("uci".parse::<Protocol>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// NBoard 2, for Othello engines.
    NBoard,
    /// GTP 2, the Go Text Protocol, as Othello engines use it.
    Gtp,
    /// morello's own protocol for the mill games, similar to UCI.
    MorrisText,
}

struct Capabilities {
    name: &'static str,
    about: &'static str,
    supports_setup: bool,
    limits: &'static [&'static str],
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 3] = [Self::NBoard, Self::Gtp, Self::MorrisText];

    const fn capabilities(self) -> &'static Capabilities {
        match self {
            Self::NBoard => &Capabilities {
                name: "nboard",
                about: "NBoard 2, for Othello",
                supports_setup: true,
                limits: &["depth"],
            },
            Self::Gtp => &Capabilities {
                name: "gtp",
                about: "Go Text Protocol 2, for Othello",
                supports_setup: false,
                limits: &["time"],
            },
            Self::MorrisText => &Capabilities {
                name: "morris-text",
                about: "A protocol similar to UCI, for the mill games",
                supports_setup: true,
                limits: &["depth", "nodes", "time"],
            },
        }
    }

    /// Returns the name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.capabilities().name
    }

    /// Returns a short description.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.capabilities().about
    }

    /// Returns whether the protocol can set up any position. Otherwise games must begin at the
    /// usual start.
    #[must_use]
    pub const fn supports_setup(self) -> bool {
        self.capabilities().supports_setup
    }

    /// Returns the search limits that the protocol supports, a subset of `depth`, `nodes` and
    /// `time`.
    #[must_use]
    pub const fn supported_limits(self) -> &'static [&'static str] {
        self.capabilities().limits
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No protocol has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown protocol `{0}` (known: {known})", known = Protocol::ALL.map(Protocol::name).join(", "))]
pub struct UnknownProtocol(pub String);

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(name: &str) -> Result<Self, UnknownProtocol> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name).ok_or_else(|| UnknownProtocol(name.to_owned()))
    }
}

/// Reads a game. The column of an error counts from the start of the given text.
pub type ReadGame = fn(&str) -> Result<Game, Box<dyn LocatedError>>;

/// The notation of a game in a [`Protocol`].
///
/// ```
/// use morello::game::Protocol;
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let dialect = othello.dialect(Protocol::Gtp).expect("GTP supports Othello");
/// let m = (dialect.read_move)(&othello.start(), "F5").expect("f5 is legal");
/// assert_eq!((dialect.game.as_str(), (dialect.write_move)(m).as_str()), ("8", "f5"));
/// assert!(othello.dialect(Protocol::MorrisText).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Dialect {
    /// The protocol's name for the game: the board size in NBoard and GTP, the game's name in
    /// morris-text.
    pub game: String,
    /// Writes a game, from its starting position to the current one, without a line break.
    pub write_game: fn(&Game) -> String,
    /// Reads a game, including the notation variants of other programs.
    pub read_game: ReadGame,
    /// Writes a move.
    pub write_move: fn(AnyMove) -> String,
    /// Reads a move as other programs write it; `None` if it is not a legal move in the position.
    pub read_move: fn(&AnyPosition, &str) -> Option<AnyMove>,
    /// Draws the position as text: one or more lines, none of them empty.
    pub draw: fn(&AnyPosition) -> String,
}

crate::debug_fields!(Dialect { game });
