//! The protocols over which programs of others play, and how each game is told in them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Game, Placed, Position};

/// A protocol over the standard input and output of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// NBoard 2, by which Othello programs are asked for moves.
    NBoard,
    /// GTP 2, the Go Text Protocol, as Othello programs speak it.
    Gtp,
    /// The protocol of this program for the mill games, in the spirit of UCI.
    MorrisText,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 3] = [Self::NBoard, Self::Gtp, Self::MorrisText];

    /// Returns the name by which a user asks for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NBoard => "nboard",
            Self::Gtp => "gtp",
            Self::MorrisText => "morris-text",
        }
    }

    /// Returns whether a program can be told of a game that starts from any position. Otherwise it can be told of moves from the start of
    /// the game alone.
    #[must_use]
    pub const fn has_set_up(self) -> bool {
        match self {
            Self::NBoard | Self::MorrisText => true,
            Self::Gtp => false,
        }
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
pub type ReadGame<P> = fn(&str) -> Result<Game<P>, Box<dyn Placed>>;

/// How a game is told in a [`Protocol`].
pub struct Dialect<P: Position> {
    /// What the protocol calls the game: the squares of a side of the board in NBoard and GTP, its name in morris-text.
    pub game: String,
    /// Writes a game, from its start to the position on the board, without a line break.
    pub write_game: fn(&Game<P>) -> String,
    /// Reads such a game, and what else programs write of one.
    pub read_game: ReadGame<P>,
    /// Writes a move.
    pub write_move: fn(P::Move) -> String,
    /// Reads a move as programs write it; `None` if it is none, or not legal in the position.
    pub read_move: fn(&P, &str) -> Option<P::Move>,
    /// Draws the position for people, on one line or several, none of them empty.
    pub draw: fn(&P) -> String,
    /// Returns about how many plies are left, for sharing out time.
    pub plies_left: fn(&P) -> u32,
}
