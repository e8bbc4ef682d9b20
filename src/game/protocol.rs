//! The protocols over which programs of others play, and how each game is told in them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{AnyMove, AnyPosition, Game, LocatedError};

/// A protocol over the standard input and output of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// NBoard 2, by which Othello programs are asked for moves.
    NBoard,
    /// GTP 2, the Go Text Protocol, as Othello programs speak it.
    Gtp,
    /// The protocol of this program for the mill games, in the spirit of UCI.
    MorrisText,
}

/// What a program can be told in a protocol.
struct Capabilities {
    name: &'static str,
    about: &'static str,
    has_set_up: bool,
    orders: &'static [&'static str],
    whole_seconds: bool,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 3] = [Self::NBoard, Self::Gtp, Self::MorrisText];

    const fn capabilities(self) -> &'static Capabilities {
        match self {
            Self::NBoard => &Capabilities {
                name: "nboard",
                about: "NBoard 2, for Othello",
                has_set_up: true,
                orders: &["depth"],
                whole_seconds: false,
            },
            Self::Gtp => &Capabilities {
                name: "gtp",
                about: "Go Text Protocol 2, for Othello",
                has_set_up: false,
                orders: &["time"],
                whole_seconds: true,
            },
            Self::MorrisText => &Capabilities {
                name: "morris-text",
                about: "A protocol similar to UCI, for the mill games",
                has_set_up: true,
                orders: &["depth", "nodes", "time"],
                whole_seconds: false,
            },
        }
    }

    /// Returns the name by which a user asks for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.capabilities().name
    }

    /// Returns a description of a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.capabilities().about
    }

    /// Returns whether a program can be told of a game that starts from any position. Otherwise it can be told of moves from the start of
    /// the game alone.
    #[must_use]
    pub const fn supports_setup(self) -> bool {
        self.capabilities().has_set_up
    }

    /// Returns which limits of a search a program can be given: of `depth`, `nodes` and `time`.
    #[must_use]
    pub const fn supported_limits(self) -> &'static [&'static str] {
        self.capabilities().orders
    }

    /// Returns whether a time is a number of whole seconds.
    #[must_use]
    pub const fn uses_whole_seconds(self) -> bool {
        self.capabilities().whole_seconds
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no protocol's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown protocol `{0}` (known: {known})", known = Protocol::ALL.map(Protocol::name).join(", "))]
pub struct UnknownProtocol(pub String);

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(name: &str) -> Result<Self, UnknownProtocol> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name).ok_or_else(|| UnknownProtocol(name.to_owned()))
    }
}

/// Reads a game; an error's column counts from the start of what is given.
pub type ReadGame = fn(&str) -> Result<Game, Box<dyn LocatedError>>;

/// How a game is told in a [`Protocol`].
pub struct Dialect {
    /// What the protocol calls the game: the squares of a side of the board in NBoard and GTP, its name in morris-text.
    pub game: String,
    /// Writes a game, from its start to the position on the board, without a line break.
    pub write_game: fn(&Game) -> String,
    /// Reads such a game, and what else programs write of one.
    pub read_game: ReadGame,
    /// Writes a move.
    pub write_move: fn(AnyMove) -> String,
    /// Reads a move as programs write it; `None` if it is none, or not legal in the position.
    pub read_move: fn(&AnyPosition, &str) -> Option<AnyMove>,
    /// Draws the position for people, on one line or several, none of them empty.
    pub draw: fn(&AnyPosition) -> String,
    /// Returns about how many plies are left, for sharing out time.
    pub plies_left: fn(&AnyPosition) -> u32,
}
