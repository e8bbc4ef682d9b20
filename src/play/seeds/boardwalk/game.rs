//! [`Game`]: the rules of a game, as methods that [`game_loop`] calls.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, BufRead, Write};

use morello_core::game::grid::{GridMove, move_elements};
use morello_files::input::{MAX_LINE_INPUT_BYTES, read_line};

use super::Board;

/// Why a move is invalid, as a message for the player: one line, lower case, without a full stop,
/// such as `"the space is taken".into()`.
pub type InvalidMove = Box<dyn Error + Send + Sync>;

/// The attributes of every game, with the default behavior of the [`Game`] methods that use them.
///
/// ```
/// use morello::seeds::boardwalk::{Attributes, Board};
///
/// let mut attributes: Attributes<u8> = Attributes::new(Board::new((3, 3)));
/// attributes.perform_move("X 1,1")?;
/// attributes.perform_move("1,1 0,2")?;
/// assert_eq!(attributes.board.to_string(), "__X\n___\n___");
/// assert!(attributes.validate_move("X 3,0").is_err());
/// assert_eq!(attributes.state(()).current_player, 0);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes<Player> {
    /// The board: its spaces and the pieces on them.
    pub board: Board,
    /// The round, from 1.
    pub round: u32,
    /// The player who makes the next move.
    pub current_player: Player,
}

/// A snapshot of a game, which later moves do not change.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State<Player, Extras> {
    /// The rows of the board.
    pub layout: Vec<Vec<char>>,
    /// The player who makes the next move.
    pub current_player: Player,
    /// Whatever else distinguishes states of the game.
    pub extras: Extras,
}

impl<Player> Attributes<Player> {
    /// Begins round 1 on a board. The first player is the type's default, such as 0.
    #[must_use]
    pub fn new(board: Board) -> Self
    where
        Player: Default,
    {
        Self::with_initial_player(board, Player::default())
    }

    /// Begins round 1 on a board, with the given first player.
    #[must_use]
    pub fn with_initial_player(board: Board, initial_player: Player) -> Self {
        Self { board, round: 1, current_player: initial_player }
    }

    /// Parses a move in standard representation and checks that its coordinates are on the board
    /// (null spaces are). [`Game::validate_move`] should begin with this.
    ///
    /// # Errors
    /// [`GridMoveError`](super::GridMoveError) or [`OutOfBounds`](super::OutOfBounds).
    pub fn validate_move(&self, m: &str) -> Result<GridMove, InvalidMove> {
        let elements = move_elements(m)?;
        let (from, to) = match elements {
            GridMove::Placement { to, .. } => (None, to),
            GridMove::Movement { from, to } => (Some(from), to),
        };
        for space in from.into_iter().chain([to]) {
            self.board.at(space)?;
        }
        Ok(elements)
    }

    /// Performs a move in standard representation: places or moves a piece. This is the default of
    /// [`Game::perform_move`].
    ///
    /// # Errors
    /// [`GridMoveError`](super::GridMoveError) or [`OutOfBounds`](super::OutOfBounds); the board is
    /// then unchanged.
    pub fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        match move_elements(m)? {
            GridMove::Placement { piece, to } => self.board.place_piece(piece, to)?,
            GridMove::Movement { from, to } => self.board.move_piece(from, to)?,
        }
        Ok(())
    }

    /// Returns the state of the game with these extras. The default of [`Game::state`] uses the
    /// default extras.
    #[must_use]
    pub fn state<Extras>(&self, extras: Extras) -> State<Player, Extras>
    where
        Player: Clone,
    {
        State { layout: self.board.layout().to_vec(), current_player: self.current_player.clone(), extras }
    }
}

/// A game on a [`Board`]: its rules and its messages. [`game_loop`] plays it.
///
/// Implement the methods without a default. An overridden method may call the default behavior,
/// which is public in [`Attributes`]. See the [module](super) for an example.
pub trait Game {
    /// The type of a player: a number or, better, an enum. Its `Display` text appears in messages.
    type Player: Clone + Display;
    /// The part of a [state](Self::state) besides the board and the player; `()` if there is none.
    type Extras: Default;

    /// Returns the board, the round and the current player.
    fn attributes(&self) -> &Attributes<Self::Player>;

    /// Returns the board, the round and the current player, mutably.
    fn attributes_mut(&mut self) -> &mut Attributes<Self::Player>;

    /// Checks that a move is allowed in the current state. An implementation usually calls
    /// [`Attributes::validate_move`] first.
    ///
    /// # Errors
    /// The reason, which is printed.
    fn validate_move(&self, m: &str) -> Result<(), InvalidMove>;

    /// Returns whether the game has ended: a player has won, or no moves are left.
    fn game_finished(&self) -> bool;

    /// Returns the winner of a finished game; `None` for a draw.
    fn winner(&self) -> Option<Self::Player>;

    /// Returns the player who moves after the [current player](Attributes::current_player).
    fn next_player(&self) -> Self::Player;

    /// Asks the current player for a move and returns it, trimmed; `None` at the end of the input.
    /// Override it to change the question, to translate the input to the standard representation,
    /// or to ask a program.
    ///
    /// By default [`prompt`] asks with `Your move: `.
    ///
    /// # Errors
    /// Any error from the input or the output.
    fn prompt_current_player(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        prompt("Your move: ", input, output)
    }

    /// Returns the current state. Override it if the board and the player do not determine the
    /// state.
    ///
    /// By default it is [`Attributes::state`] with the default of the extras.
    fn state(&self) -> State<Self::Player, Self::Extras> {
        self.attributes().state(Self::Extras::default())
    }

    /// Performs a valid move. Override it if a move changes more than the piece placed or moved.
    ///
    /// By default it is [`Attributes::perform_move`].
    ///
    /// # Errors
    /// The reason why the move cannot be performed, which is printed. The game must then be
    /// unchanged.
    fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        self.attributes_mut().perform_move(m)
    }

    /// Prints the result.
    ///
    /// By default `Player 1 wins!`, with the text of the player, or `It is a draw!`.
    ///
    /// # Errors
    /// Any error from the output.
    fn finish_message(&self, winner: Option<&Self::Player>, output: &mut dyn Write) -> io::Result<()> {
        match winner {
            Some(winner) => writeln!(output, "Player {winner} wins!"),
            None => writeln!(output, "It is a draw!"),
        }
    }

    /// Prints the board. Called before each move and at the end.
    ///
    /// By default it prints the layout, one line per row.
    ///
    /// # Errors
    /// Any error from the output.
    fn print_board(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{}", self.attributes().board)
    }

    /// Prints that the input ended before the game was over.
    ///
    /// # Errors
    /// Any error from the output.
    fn unfinished_message(&self, output: &mut dyn Write) -> io::Result<()> {
        // The line break ends the prompt line.
        writeln!(output, "\nThe input has ended, and the game is not over.")
    }

    /// Returns the round number after a move. By default it increases by one; override it if a
    /// round has several moves.
    fn round_counter(&self) -> u32 {
        self.attributes().round + 1
    }
}

/// How [`game_loop`] ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoopEnd<Player> {
    /// The game has ended.
    Finished {
        /// The winner; `None` for a draw.
        winner: Option<Player>,
    },
    /// The input ended before the game was over.
    InputEnded,
}

/// Prints a question without a line break and reads a line.
///
/// ```
/// use morello::seeds::boardwalk::prompt;
///
/// let mut output = Vec::new();
/// assert_eq!(prompt("Your move: ", &mut "X 1,1 \n".as_bytes(), &mut output)?.as_deref(), Some("X 1,1"));
/// assert_eq!(output, b"Your move: ");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Any error from the input or the output.
pub fn prompt(question: &str, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
    output.write_all(question.as_bytes())?;
    output.flush()?;
    read_line(input, MAX_LINE_INPUT_BYTES)
}

/// Plays a game to its end. Each turn prints the board, asks the current player for a move and
/// performs it.
///
/// If a move is invalid, the loop prints the reason and asks again. At the end of the input it
/// prints [`Game::unfinished_message`] and returns.
///
/// # Errors
/// Any error from the input or the output.
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
