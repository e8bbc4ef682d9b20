//! [`Hosted`]: any game of this crate, played on the platform.

use std::io::{self, BufRead, Write};

use thiserror::Error;

use super::{Attributes, BLANK, Board, Game, InvalidMove, Move, NULL, Square, State, move_elements, prompt};
use crate::game::{self, Color, Layout, Path, Playable};

/// A game of two sides with its record, as a [`Game`] of the platform.
///
/// The board is the grid of the game's [layout](Playable::layout): `B` and `W` for the pieces, [`BLANK`] for the other points, and [`NULL`]
/// where no point lies, as on 25 of the 49 spaces of nine men's morris.
///
/// A turn is typed
///
/// * in the game's own notation: `f5`, `a1-a4xd7`, `pa` (or `pass`); or
/// * in the standard representation: `B 4,5` places a piece of one's own, `6,0 3,0` moves one. A capture is a blank that is placed where the
///   captured piece stands, behind a blank: `6,0 3,0 _ 0,3`. Only a pass has no such form.
///
/// ```
/// use morello::boardwalk::{Ending, Hosted, game_loop};
/// use morello::game::{Color, Game};
/// use morello::morris::{Position, ThreeMensMorris};
///
/// let mut hosted = Hosted::new(Game::new(<Position<ThreeMensMorris>>::default()));
/// let mut output = Vec::new();
/// let ending = game_loop(&mut hosted, "W 1,1\nB 0,0\nc2\nB 0,2\nW 1,0\n".as_bytes(), &mut output)?;
/// assert_eq!(ending, Ending::Finished { winner: Some(Color::White) });
/// assert!(String::from_utf8_lossy(&output).ends_with("\nB_B\nWWW\n___\nPlayer White wins!\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hosted<P: Playable> {
    attributes: Attributes<Color>,
    game: game::Game<P>,
    layout: Layout,
}

/// Why a text is no move of a [hosted](Hosted) game, where the game itself does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoHostedMove {
    /// Nothing is legal any more.
    #[error("the game is over")]
    Over,
    /// It is written in neither notation.
    #[error("`{text}` is no move: write it as `{example}`{}", or_standard(.standard.as_ref()))]
    Format {
        /// The text.
        text: String,
        /// A legal move in the game's own notation.
        example: String,
        /// The same in standard representation, if it has one.
        standard: Option<String>,
    },
    /// No point of the game lies there.
    #[error("the board has no point at {0},{1}")]
    NoPoint(usize, usize),
    /// The piece is not one of the side to move.
    #[error("`{piece}` is not what {side} places: write `{own}`")]
    OtherPiece {
        /// The piece that was typed.
        piece: char,
        /// The side to move.
        side: Color,
        /// The character of its pieces.
        own: char,
    },
    /// The piece to capture is not told.
    #[error("a {piece} is {captured}: tell which, as in `{example}`")]
    Capture {
        /// The game's word for a piece.
        piece: &'static str,
        /// The game's word for what is done to it.
        captured: &'static str,
        /// A legal move of the same piece.
        example: String,
    },
    /// The rules of the game do not allow it.
    #[error("the rules do not allow `{0}` here")]
    NotAllowed(String),
}

fn or_standard(standard: Option<&String>) -> String {
    standard.map_or_else(String::new, |standard| format!(" or `{standard}`"))
}

/// Returns the character of a side's pieces.
fn piece(color: Color) -> char {
    color.letter().to_ascii_uppercase()
}

impl<P: Playable> Hosted<P> {
    /// Puts a game on the platform, at the position that it has come to.
    #[must_use]
    pub fn new(game: game::Game<P>) -> Self {
        let layout = P::layout();
        let board = Board::new((layout.rows, layout.columns));
        let attributes = Attributes::with_initial_player(board, game.position().side_to_move());
        let mut hosted = Self { attributes, game, layout };
        hosted.draw();
        hosted
    }

    /// Returns the record of the game.
    #[must_use]
    pub fn game(&self) -> &game::Game<P> {
        &self.game
    }

    /// Returns a move in standard representation; `None` for a pass.
    #[must_use]
    pub fn standard(&self, m: P::Move) -> Option<String> {
        let at = |point: usize| (self.layout.points[point].row, self.layout.points[point].column);
        let path = P::path(m);
        let to = at(path.to?);
        let first = match path.from {
            Some(from) => Move::Movement { from: at(from), to },
            None => Move::Placement { piece: piece(self.game.position().side_to_move()), to },
        };
        let captured = path.captured.map(|captured| Move::Placement { piece: BLANK, to: at(captured) });
        Some(captured.map_or(first.to_string(), |captured| format!("{first} {captured}")))
    }

    /// Reads a legal move, in either notation.
    ///
    /// # Errors
    /// Why the text is none: what the game [tells](Playable::why_illegal), [`NoHostedMove`] or [`OffBoard`](super::OffBoard).
    pub fn read_move(&self, text: &str) -> Result<P::Move, InvalidMove> {
        let position = self.game.position();
        if self.game.end().is_some() {
            return Err(NoHostedMove::Over.into());
        }
        if let Ok(m) = position.parse_move(text) {
            return Ok(m);
        }
        if let Some(pass) = self.forced_pass().filter(|_| text.eq_ignore_ascii_case("pass")) {
            return Ok(pass);
        }
        match position.why_illegal(text) {
            Some(why) => Err(why),
            None => self.read_standard(text),
        }
    }

    fn read_standard(&self, text: &str) -> Result<P::Move, InvalidMove> {
        let legal_moves = || self.game.position().legal_moves();
        let (first, captured) = match text.split_once(" _ ") {
            Some((first, captured)) => (first, Some(format!("{BLANK} {captured}"))),
            None => (text, None),
        };
        let (Ok(first), Ok(captured)) = (move_elements(first), captured.as_deref().map(move_elements).transpose())
        else {
            return Err(self.no_format(text).into());
        };
        let captured = match captured {
            Some(Move::Placement { to, .. }) => Some(self.point(to)?),
            _ => None,
        };
        let path = match first {
            Move::Placement { piece, to } => {
                let side = self.game.position().side_to_move();
                let own = self::piece(side);
                if !piece.eq_ignore_ascii_case(&own) {
                    return Err(NoHostedMove::OtherPiece { piece, side, own }.into());
                }
                Path { from: None, to: Some(self.point(to)?), captured }
            }
            Move::Movement { from, to } => Path { from: Some(self.point(from)?), to: Some(self.point(to)?), captured },
        };
        if let Some(m) = legal_moves().find(|&m| P::path(m) == path) {
            return Ok(m);
        }
        let same_step = |&m: &P::Move| Path { captured: None, ..P::path(m) } == path;
        if let Some(example) = legal_moves().find(same_step).and_then(|m| self.standard(m)) {
            let words = P::WORDS;
            return Err(NoHostedMove::Capture { piece: words.piece, captured: words.captured, example }.into());
        }
        let why = self.game.position().why_illegal(&self.in_names(path));
        Err(why.unwrap_or_else(|| NoHostedMove::NotAllowed(text.to_owned()).into()))
    }

    fn no_format(&self, text: &str) -> NoHostedMove {
        let example = self.game.position().legal_moves().next();
        NoHostedMove::Format {
            text: text.to_owned(),
            example: example.map_or_else(String::new, |m| m.to_string()),
            standard: example.and_then(|m| self.standard(m)),
        }
    }

    /// Returns the point on a space.
    fn point(&self, square: Square) -> Result<usize, InvalidMove> {
        self.attributes.board.at(square)?;
        let (row, column) = square;
        Ok(self.layout.point_at(row, column).ok_or(NoHostedMove::NoPoint(row, column))?)
    }

    /// Returns the points of a move as the notations of the games write it, to ask why it is not legal. A game with another notation
    /// does not tell.
    fn in_names(&self, path: Path) -> String {
        let name = |point: Option<usize>| point.map_or("", |point| &self.layout.points[point].name);
        let after_from = if path.from.is_some() { "-" } else { "" };
        let before_captured = if path.captured.is_some() { "x" } else { "" };
        format!("{}{after_from}{}{before_captured}{}", name(path.from), name(path.to), name(path.captured))
    }

    fn forced_pass(&self) -> Option<P::Move> {
        self.game.position().legal_moves().next().filter(|&m| P::is_pass(m))
    }

    /// Brings the board up to the position.
    fn draw(&mut self) {
        for row in 0..self.layout.rows {
            for column in 0..self.layout.columns {
                let space = match self.layout.point_at(row, column) {
                    Some(point) => self.game.position().piece_at(point).map_or(BLANK, piece),
                    None => NULL,
                };
                self.attributes.board.place_piece(space, (row, column)).expect("the board is as large as the layout");
            }
        }
    }
}

impl<P: Playable> Game for Hosted<P> {
    type Player = Color;
    /// The position, which knows more than the board: men in hand, bans.
    type Extras = P;

    fn attributes(&self) -> &Attributes<Color> {
        &self.attributes
    }

    fn attributes_mut(&mut self) -> &mut Attributes<Color> {
        &mut self.attributes
    }

    fn validate_move(&self, m: &str) -> Result<(), InvalidMove> {
        self.read_move(m).map(drop)
    }

    fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        self.game.play(self.read_move(m)?)?;
        self.draw();
        Ok(())
    }

    fn state(&self) -> State<Color, P> {
        self.attributes.state(*self.game.position())
    }

    fn prompt_current_player(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        let side = self.game.position().side_to_move();
        match self.forced_pass() {
            Some(pass) => prompt(&format!("{side} has no move but `{pass}`: "), input, output),
            None => prompt(&format!("{side}'s move: "), input, output),
        }
    }

    fn game_finished(&self) -> bool {
        self.game.end().is_some()
    }

    fn winner(&self) -> Option<Color> {
        self.game.end().and_then(|end| end.outcome.winner())
    }

    fn next_player(&self) -> Color {
        self.game.position().side_to_move()
    }
}

#[cfg(test)]
mod tests;
