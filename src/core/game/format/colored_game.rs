//! [`ColoredGame`]: a game in a format that names the side of each move, such as GGF and SGF.

use crate::game::{Color, Game, Note, Position};

/// The moves of a game that were read so far.
pub(crate) struct ColoredGame<P: Position> {
    pub game: Game<P>,
    /// A note for each move.
    pub notes: Vec<Note>,
}

/// Why a move cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColoredMoveError {
    /// The opponent is to move and need not pass.
    WrongSide,
    /// The move is illegal.
    Illegal,
}

impl<P: Position> ColoredGame<P> {
    pub fn new(start: P) -> Self {
        Self { game: Game::new(start), notes: Vec::new() }
    }

    /// Plays the legal move of a side that `find` returns, after a forced pass if the record omits
    /// it. Some programs write passes for both sides after the end of the game; these are skipped.
    pub fn play(
        &mut self,
        color: Color,
        is_pass: bool,
        note: Note,
        find: impl FnOnce(&P) -> Option<P::Move>,
    ) -> Result<(), ColoredMoveError> {
        if is_pass && self.game.position().is_over() {
            return Ok(());
        }
        if self.game.position().side_to_move() != color {
            let pass = self.game.position().forced_pass().ok_or(ColoredMoveError::WrongSide)?;
            self.push(pass, Note::default());
        }
        let m = find(self.game.position()).ok_or(ColoredMoveError::Illegal)?;
        self.push(m, note);
        Ok(())
    }

    fn push(&mut self, m: P::Move, note: Note) {
        self.game.play(m).expect("the move is legal");
        self.notes.push(note);
    }
}
