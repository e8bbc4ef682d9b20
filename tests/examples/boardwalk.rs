//! Noughts and crosses on the platform for board games, or any game of this crate:
//! `cargo run --example boardwalk [GAME]`.

use std::error::Error;
use std::io::{self, BufRead, Write};

use morello::games;
use morello::seeds::boardwalk::{
    Attributes, BLANK, Board, Game, GameAdapter, GridMove, InvalidMove, LoopEnd, game_loop,
};
use morello::session::Session;

/// The rules of noughts and crosses; the players are 0 and 1.
struct NoughtsAndCrosses {
    attributes: Attributes<usize>,
}

const PIECES: [char; 2] = ['X', 'O'];

impl NoughtsAndCrosses {
    fn new() -> Self {
        Self { attributes: Attributes::new(Board::new((3, 3))) }
    }

    fn has_line(&self, piece: char) -> bool {
        let layout = self.attributes.board.layout();
        (0..3).any(|i| (0..3).all(|j| layout[i][j] == piece) || (0..3).all(|j| layout[j][i] == piece))
            || (0..3).all(|i| layout[i][i] == piece)
            || (0..3).all(|i| layout[i][2 - i] == piece)
    }
}

impl Game for NoughtsAndCrosses {
    type Player = usize;
    type Extras = ();

    fn attributes(&self) -> &Attributes<usize> {
        &self.attributes
    }

    fn attributes_mut(&mut self) -> &mut Attributes<usize> {
        &mut self.attributes
    }

    fn validate_move(&self, m: &str) -> Result<(), InvalidMove> {
        let own = PIECES[self.attributes.current_player];
        match self.attributes.validate_move(m)? {
            GridMove::Placement { piece, to } if piece == own => match self.attributes.board.at(to)? {
                BLANK => Ok(()),
                _ => Err("the space is taken".into()),
            },
            _ => Err(format!("place your piece, as in `{own} 1,1`").into()),
        }
    }

    fn game_finished(&self) -> bool {
        self.winner().is_some() || !self.attributes.board.layout().iter().flatten().any(|&space| space == BLANK)
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|&player| self.has_line(PIECES[player]))
    }

    fn next_player(&self) -> usize {
        1 - self.attributes.current_player
    }
}

/// Plays noughts and crosses; returns the number of the player who has won.
pub fn noughts_and_crosses(input: impl BufRead, output: impl Write) -> io::Result<Option<usize>> {
    match game_loop(&mut NoughtsAndCrosses::new(), input, output)? {
        LoopEnd::Finished { winner } => Ok(winner),
        LoopEnd::InputEnded => Ok(None),
    }
}

#[allow(dead_code, reason = "the tests play without it")]
fn main() -> Result<(), Box<dyn Error>> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match std::env::args().nth(1) {
        None => drop(noughts_and_crosses(input, output)?),
        Some(game) => drop(game_loop(&mut GameAdapter::new(Session::new(games::get(&game)?)), input, output)?),
    }
    Ok(())
}
