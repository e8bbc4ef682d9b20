//! [`Notation`]: how positions and games of a game are written, in files and to other programs.

use super::{BoardDisplay, Dialect, Game, LineFormat, Protocol, RecordFormat};

/// A game with text formats.
pub trait Notation: BoardDisplay {
    /// Returns the text formats of positions and games, at least one, in the order in which they are tried. The last one reads what none
    /// of them recognises.
    fn formats() -> &'static [LineFormat];

    /// Returns the binary formats of files of games.
    fn record_formats() -> &'static [RecordFormat] {
        &[]
    }

    /// Writes a game as its moves in a line, after the position that it starts from if that is not the start of the game.
    fn write_moves(game: &Game<Self>) -> String;

    /// Returns how a protocol writes the game and its moves; `None` if the protocol is not for this game.
    fn dialect(_protocol: Protocol) -> Option<Dialect> {
        None
    }
}
