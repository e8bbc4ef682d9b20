//! [`Game`]: the rules of a game, as methods that [`game_loop`] calls.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, BufRead, Write};

use super::{Board, Move, move_elements};
use crate::input::{MAX_LINE_INPUT_BYTES, read_line};

/// Why a move is not valid, in words for whoever typed it: one line, lower case, without a full stop. `"the space is taken".into()` is one.
pub type InvalidMove = Box<dyn Error + Send + Sync>;

/// What every game has, and the default behaviour of the methods that work on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes<Player> {
    /// The spaces and the pieces on them.
    pub board: Board,
    /// The round, from 1.
    pub round: u32,
    /// Who makes the next move.
    pub current_player: Player,
}

/// What defines a state of a game, apart from the game itself: changes of the game do not reach it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State<Player, Extras> {
    /// The rows of the board.
    pub layout: Vec<Vec<char>>,
    /// Who makes the next move.
    pub current_player: Player,
    /// Whatever else tells states of the game apart.
    pub extras: Extras,
}

impl<Player> Attributes<Player> {
    /// Begins round 1 on a board; the default of the type, such as 0, is the first player.
    #[must_use]
    pub fn new(board: Board) -> Self
    where
        Player: Default,
    {
        Self::with_initial_player(board, Player::default())
    }

    /// Begins round 1 on a board with this player.
    #[must_use]
    pub fn with_initial_player(board: Board, initial_player: Player) -> Self {
        Self { board, round: 1, current_player: initial_player }
    }

    /// Returns the elements of a move in standard representation if all of its coordinates are those of spaces of the board, null ones
    /// included: where [`Game::validate_move`] should begin.
    ///
    /// # Errors
    /// [`MoveFormatError`](super::MoveFormatError) or [`OffBoard`](super::OutOfBounds).
    pub fn validate_move(&self, m: &str) -> Result<Move, InvalidMove> {
        let elements = move_elements(m)?;
        let (from, to) = match elements {
            Move::Placement { to, .. } => (None, to),
            Move::Movement { from, to } => (Some(from), to),
        };
        for square in from.into_iter().chain([to]) {
            self.board.at(square)?;
        }
        Ok(elements)
    }

    /// Places or moves a piece, as a move in standard representation says, and nothing else: what [`Game::perform_move`] does by default.
    ///
    /// # Errors
    /// [`MoveFormatError`](super::MoveFormatError) or [`OffBoard`](super::OutOfBounds); the board is then unchanged.
    pub fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        match move_elements(m)? {
            Move::Placement { piece, to } => self.board.place_piece(piece, to)?,
            Move::Movement { from, to } => self.board.move_piece(from, to)?,
        }
        Ok(())
    }

    /// Returns the state of the game with these extras: what [`Game::state`] does by default with the default ones.
    #[must_use]
    pub fn state<Extras>(&self, extras: Extras) -> State<Player, Extras>
    where
        Player: Clone,
    {
        State { layout: self.board.layout().to_vec(), current_player: self.current_player.clone(), extras }
    }
}

/// A game on a [`Board`]: its rules, and what it says to its players. [`game_loop`] plays it.
///
/// The methods without a body must be implemented. Those with one are enough for many games; where they are not, the implementation of a game
/// may call what the default calls, which is [public](Attributes) for that. See the [module](super) for an example.
pub trait Game {
    /// Who plays, a number or better an enum. Its text stands in messages.
    type Player: Clone + Display;
    /// What a [state](Self::state) has beside the board and the player: `()` if nothing.
    type Extras: Default;

    /// Returns the board, the round and the player.
    fn attributes(&self) -> &Attributes<Self::Player>;

    /// Returns the same to be changed.
    fn attributes_mut(&mut self) -> &mut Attributes<Self::Player>;

    /// Checks that a move is allowed in the present state. To begin with [`Attributes::validate_move`] makes it simple.
    ///
    /// # Errors
    /// Why it is not; the player is told.
    fn validate_move(&self, m: &str) -> Result<(), InvalidMove>;

    /// Returns whether the game has ended: somebody has won, or no more moves can be made.
    fn game_finished(&self) -> bool;

    /// Returns who has won a game that has ended; `None` if it was a draw.
    fn winner(&self) -> Option<Self::Player>;

    /// Returns who makes the next move, after a move of the [current player](Attributes::current_player).
    fn next_player(&self) -> Self::Player;

    /// Asks the current player for a move and returns it, without the blanks around it; `None` at the end of the input. Override it to word
    /// the question, to bring what was typed into the standard representation, or to ask somebody else than a person.
    ///
    /// By default [`prompt`] asks with `Your move: `.
    ///
    /// # Errors
    /// Those of reading and writing.
    fn prompt_current_player(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        prompt("Your move: ", input, output)
    }

    /// Returns the present state. Override it if more than the board and the player tells states apart.
    ///
    /// By default it is [`Attributes::state`] with the default of the extras.
    fn state(&self) -> State<Self::Player, Self::Extras> {
        self.attributes().state(Self::Extras::default())
    }

    /// Makes a move that was found valid. Override it if that changes more than the piece placed or moved.
    ///
    /// By default it is [`Attributes::perform_move`].
    ///
    /// # Errors
    /// Why it cannot be made; nothing has changed then, and the player is told.
    fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        self.attributes_mut().perform_move(m)
    }

    /// Prints who has won.
    ///
    /// By default `Player 1 wins!`, with the text of the player, or `It is a draw!`.
    ///
    /// # Errors
    /// Those of writing.
    fn finish_message(&self, winner: Option<&Self::Player>, output: &mut dyn Write) -> io::Result<()> {
        match winner {
            Some(winner) => writeln!(output, "Player {winner} wins!"),
            None => writeln!(output, "It is a draw!"),
        }
    }

    /// Prints the board, as it is before each move and at the end. Override it to draw it otherwise.
    ///
    /// By default it is the layout, a line for each row.
    ///
    /// # Errors
    /// Those of writing.
    fn print_board(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{}", self.attributes().board)
    }

    /// Prints that the input has ended before the game.
    ///
    /// # Errors
    /// Those of writing.
    fn unfinished_message(&self, output: &mut dyn Write) -> io::Result<()> {
        // The question stands in a line of its own.
        writeln!(output, "\nThe input has ended, and the game is not over.")
    }

    /// Returns the round after a move, by default one more. Override it if a round has several moves.
    fn round_counter(&self) -> u32 {
        self.attributes().round + 1
    }
}

/// How a [loop](game_loop) ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopEnd<Player> {
    /// The game has ended.
    Finished {
        /// Who has won; `None` in a draw.
        winner: Option<Player>,
    },
    /// The input has ended before the game.
    InputEnded,
}

/// Prints a question, without a line end, and reads a line.
///
/// # Errors
/// Those of reading and writing.
pub fn prompt(question: &str, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
    output.write_all(question.as_bytes())?;
    output.flush()?;
    read_line(input, MAX_LINE_INPUT_BYTES)
}

/// Plays a game to its end: prints the board, asks the current player until the move is valid, and makes it, in turns.
///
/// A move that is not valid is answered with the reason and asked for again. If the input ends that is told and ends the loop.
///
/// # Errors
/// Those of reading and writing.
pub fn game_loop<G: Game + ?Sized>(
    game: &mut G,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<LoopEnd<G::Player>> {
    loop {
        game.print_board(&mut output)?;
        loop {
            let Some(m) = game.prompt_current_player(&mut input, &mut output)? else {
                game.unfinished_message(&mut output)?;
                output.flush()?;
                return Ok(LoopEnd::InputEnded);
            };
            match game.validate_move(&m).and_then(|()| game.perform_move(&m)) {
                Ok(()) => break,
                Err(reason) => writeln!(output, "Invalid move: {reason}")?,
            }
        }
        if game.game_finished() {
            writeln!(output)?;
            game.print_board(&mut output)?;
            let winner = game.winner();
            game.finish_message(winner.as_ref(), &mut output)?;
            output.flush()?;
            return Ok(LoopEnd::Finished { winner });
        }
        game.attributes_mut().current_player = game.next_player();
        game.attributes_mut().round = game.round_counter();
    }
}
