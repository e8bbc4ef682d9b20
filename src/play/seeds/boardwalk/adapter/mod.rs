//! [`GameAdapter`]: runs any game of this crate on the platform.

use std::io::{self, BufRead, Write};

use morello_core::game::grid::BLANK;
use morello_core::game::{self, grid};
use morello_core::game::{AnyPosition, Color, Layout, Position as _};

use super::board::{Board, NULL};
use super::game::{Attributes, Game, InvalidMove, State, prompt};
use crate::session::{Session, read_move};

/// A game of this crate with its record, as a [`Game`] of the platform.
///
/// The board is the grid of the game's [layout](game::AnyGame::layout): `B` and `W` for the pieces,
/// [`BLANK`] for empty points, and [`NULL`] for spaces that are not points, such as 25 of the 49
/// spaces of nine men's morris.
///
/// A move is entered
///
/// * in the game's own notation: `f5`, `a1-a4xd7`, `pa` (or `pass`); or
/// * in the standard representation: `B 4,5` places one of the player's pieces, `6,0 3,0` moves
///   one. A capture is appended as the placement of a blank on the space of the captured piece:
///   `6,0 3,0 _ 0,3`. A pass has no standard representation.
///
/// ```
/// use morello::seeds::boardwalk::{LoopEnd, GameAdapter, game_loop};
/// use morello::game::Color;
/// use morello::games;
/// use morello::session::Session;
///
/// let mut adapter = GameAdapter::new(Session::new(games::get("three-mens-morris")?));
/// let mut output = Vec::new();
/// let ending = game_loop(&mut adapter, "W 1,1\nB 0,0\nc2\nB 0,2\nW 1,0\n".as_bytes(), &mut output)?;
/// assert_eq!(ending, LoopEnd::Finished { winner: Some(Color::White) });
/// assert!(String::from_utf8_lossy(&output).ends_with("\nB_B\nWWW\n___\nPlayer White wins!\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct GameAdapter {
    attributes: Attributes<Color>,
    session: Session,
    layout: Layout,
}

impl GameAdapter {
    /// Creates the adapter of a game at its current position.
    #[must_use]
    pub fn new(session: Session) -> Self {
        let layout = session.rules().layout();
        let board = Board::new((layout.rows, layout.columns));
        let attributes = Attributes::with_initial_player(board, session.position().side_to_move());
        let mut adapter = Self { attributes, session, layout };
        adapter.draw();
        adapter
    }

    /// Returns the record of the game.
    #[must_use]
    pub fn game(&self) -> &game::Game {
        self.session.game()
    }

    /// Copies the position to the board.
    fn draw(&mut self) {
        for row in 0..self.layout.rows {
            for column in 0..self.layout.columns {
                let space = match self.layout.point_at(row, column) {
                    Some(point) => self.session.position().piece_at(point).map_or(BLANK, grid::piece),
                    None => NULL,
                };
                self.attributes.board.place_piece(space, (row, column)).expect("the board is as large as the layout");
            }
        }
    }
}

impl Game for GameAdapter {
    type Player = Color;
    /// The position, which contains more than the board: men in hand and forbidden moves.
    type Extras = Option<AnyPosition>;

    fn attributes(&self) -> &Attributes<Color> {
        &self.attributes
    }

    fn attributes_mut(&mut self) -> &mut Attributes<Color> {
        &mut self.attributes
    }

    fn validate_move(&self, m: &str) -> Result<(), InvalidMove> {
        read_move(self.game(), m).map(drop).map_err(|error| error.reason().into())
    }

    fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        self.session.play_text(m).map_err(|error| error.reason())?;
        self.draw();
        Ok(())
    }

    fn state(&self) -> State<Color, Self::Extras> {
        self.attributes.state(Some(*self.session.position()))
    }

    fn prompt_current_player(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        let side = self.next_player();
        match self.session.forced_pass() {
            Some(pass) => prompt(&format!("{side} must pass; type `{pass}`: "), input, output),
            None => prompt(&format!("{side}'s move: "), input, output),
        }
    }

    fn game_finished(&self) -> bool {
        self.session.is_over()
    }

    fn winner(&self) -> Option<Color> {
        self.session.winner()
    }

    fn next_player(&self) -> Color {
        self.session.position().side_to_move()
    }
}

#[cfg(test)]
mod tests;
