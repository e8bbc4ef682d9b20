//! A text program from a programming course: two people play Othello at one keyboard.
//!
//! This is the course project *The Tragedy of Othello*, with the functions that the project
//! specifies. Its rules differ from the [game](morello_core::othello): a player may choose any
//! empty square, even if that flips nothing, and may always pass. The game ends only after two
//! passes in a row, even on a full board. The [`value`] of the board decides who wins.
//!
//! A square is (row, column), both from 0, with (0, 0) in the upper left corner.
//! ([`coordinate_game`](super::coordinate_game) uses column and row instead.)
//!
//! ```
//! use morello::seeds::course::play;
//!
//! let mut output = Vec::new();
//! let value = play("(3, 2)\n(-1, -1)\n(-1, -1)\n".as_bytes(), &mut output)?;
//! assert_eq!(value, Some(3));
//! assert!(String::from_utf8_lossy(&output).ends_with("Game over. Black wins!\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, BufRead, Write};

use morello_files::input::{MAX_LINE_INPUT_BYTES, read_line};

/// The number of rows and columns.
const SIZE: i32 = 8;

/// A black piece on a square, and the player who moves first.
pub const BLACK: i8 = 1;
/// A white piece, and its player.
pub const WHITE: i8 = -1;
/// An empty square.
pub const EMPTY: i8 = 0;

/// The pass, written as a move.
const PASS: (i32, i32) = (-1, -1);

/// The squares by row and column, each [`BLACK`], [`WHITE`] or [`EMPTY`].
pub type Board = [[i8; SIZE as usize]; SIZE as usize];

/// The board at the start of the game.
pub const START: Board = {
    let mut board = [[EMPTY; SIZE as usize]; SIZE as usize];
    (board[3][3], board[3][4]) = (WHITE, BLACK);
    (board[4][3], board[4][4]) = (BLACK, WHITE);
    board
};

/// A player's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CourseInput {
    /// A row and a column, which may be out of bounds.
    Move(i32, i32),
    /// Invalid input.
    Other,
    /// The end of the input.
    End,
}

/// Prints the board: the column numbers, then each row with its number and its squares, `B`, `W` or
/// a period.
///
/// # Errors
/// If the output cannot be written.
pub fn print_board(board: &Board, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "- 0 1 2 3 4 5 6 7")?;
    for (number, row) in board.iter().enumerate() {
        write!(output, "{number}")?;
        for &square in row {
            write!(output, " {}", if square == EMPTY { '.' } else { letter(square) })?;
        }
        writeln!(output)?;
    }
    Ok(())
}

fn letter(player: i8) -> char {
    if player == BLACK { 'B' } else { 'W' }
}

/// Reads a line with a move, `(row, column)`. Spaces are ignored. The parentheses are optional, and
/// a space may replace the comma.
///
/// ```
/// use morello::seeds::course::{CourseInput, get_move};
///
/// let mut input = "(3, 2)\n4 5\nhello\n".as_bytes();
/// assert_eq!(get_move(&mut input)?, CourseInput::Move(3, 2));
/// assert_eq!(get_move(&mut input)?, CourseInput::Move(4, 5));
/// assert_eq!([get_move(&mut input)?, get_move(&mut input)?], [CourseInput::Other, CourseInput::End]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the input cannot be read.
pub fn get_move(input: &mut impl BufRead) -> io::Result<CourseInput> {
    let Some(line) = read_line(input, MAX_LINE_INPUT_BYTES)? else { return Ok(CourseInput::End) };
    Ok(parse(&line).map_or(CourseInput::Other, |(row, column)| CourseInput::Move(row, column)))
}

fn parse(line: &str) -> Option<(i32, i32)> {
    let line = match line.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?.trim(),
        None => line,
    };
    let (row, column) = line.split_once(',').or_else(|| line.split_once(char::is_whitespace))?;
    Some((row.trim().parse().ok()?, column.trim().parse().ok()?))
}

/// Returns whether a square is on the board.
#[must_use]
pub fn in_bounds(row: i32, column: i32) -> bool {
    (0..SIZE).contains(&row) && (0..SIZE).contains(&column)
}

/// Returns whether a square is on the board and empty, or the move is a pass, (-1, -1). A valid
/// move need not flip anything.
#[must_use]
pub fn is_valid_move(board: &Board, row: i32, column: i32) -> bool {
    (row, column) == PASS || (in_bounds(row, column) && square(board, row, column) == EMPTY)
}

/// Returns the content of a square of the board.
fn square(board: &Board, row: i32, column: i32) -> i8 {
    board[row as usize][column as usize]
}

/// Places a player's piece and flips the opponent's pieces in each line between it and another
/// piece of the player. A pass changes nothing.
///
/// ```
/// use morello::seeds::course::{BLACK, START, apply_move, is_valid_move, value};
///
/// let mut board = START;
/// assert!(is_valid_move(&board, 3, 2));
/// apply_move(&mut board, 3, 2, BLACK);
/// assert_eq!(value(&board), 3);
/// ```
///
/// # Panics
/// If the square is not on the board. Check moves with [`is_valid_move`].
pub fn apply_move(board: &mut Board, row: i32, column: i32, player: i8) {
    if (row, column) == PASS {
        return;
    }
    board[row as usize][column as usize] = player;
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let at = |steps: i32| (row + steps * down, column + steps * right);
        let is = |steps: i32, player: i8| {
            let (row, column) = at(steps);
            in_bounds(row, column) && square(board, row, column) == player
        };
        let run = (1..).take_while(|&steps| is(steps, -player)).count() as i32;
        if is(run + 1, player) {
            for (row, column) in (1..=run).map(at) {
                board[row as usize][column as usize] = player;
            }
        }
    }
}

/// Returns the number of black pieces minus white ones: positive if Black wins, 0 for a tie.
#[must_use]
pub fn value(board: &Board) -> i32 {
    board.iter().flatten().map(|&square| i32::from(square)).sum()
}

/// Plays a game: prints the board and asks the players for moves in turn, until both pass, and then
/// prints the winner.
///
/// Returns the [`value`] of the last board; `None` if the input ends before the game is over, which
/// it also prints.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn play(mut input: impl BufRead, mut output: impl Write) -> io::Result<Option<i32>> {
    let (mut board, mut player, mut passes) = (START, BLACK, 0);
    while passes < 2 {
        print_board(&board, &mut output)?;
        write!(output, "{}'s turn. ", name(player))?;
        let (row, column) = loop {
            writeln!(output, "Please choose a move:")?;
            output.flush()?;
            match get_move(&mut input)? {
                CourseInput::Move(row, column) if is_valid_move(&board, row, column) => break (row, column),
                CourseInput::Move(..) | CourseInput::Other => write!(output, "Invalid move. ")?,
                CourseInput::End => {
                    writeln!(output, "The input has ended, and the game is not over.")?;
                    return output.flush().map(|()| None);
                }
            }
        };
        passes = if (row, column) == PASS { passes + 1 } else { 0 };
        apply_move(&mut board, row, column, player);
        player = -player;
    }
    let value = value(&board);
    match value {
        0 => writeln!(output, "Game over. We have a tie!")?,
        _ => writeln!(output, "Game over. {} wins!", name(value.signum() as i8))?,
    }
    output.flush()?;
    Ok(Some(value))
}

fn name(player: i8) -> &'static str {
    if player == BLACK { "Black" } else { "White" }
}

#[cfg(test)]
mod tests;
