//! [`Notation`]: the file formats of a game and its notation in protocols.

use super::{BoardDisplay, Dialect, Game, LineFormat, Protocol, RecordFormat};

/// A game with text formats.
pub trait Notation: BoardDisplay {
    /// Returns the text formats, at least one, in the order of detection. The last one also reads input that no format detects.
    fn formats() -> &'static [LineFormat];

    /// Returns the binary formats of game files.
    fn record_formats() -> &'static [RecordFormat] {
        &[]
    }

    /// Writes a game as a list of moves on one line, preceded by the starting position if it is not the usual one.
    fn write_moves(game: &Game<Self>) -> String;

    /// Returns the notation of the game in a protocol; `None` if the protocol does not support this game.
    fn dialect(_protocol: Protocol) -> Option<Dialect> {
        None
    }
}
