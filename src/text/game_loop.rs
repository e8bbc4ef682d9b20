//! [`play`]: the loop of a game at the terminal.

use std::io::{self, BufRead, Write};

use super::terminal::{TerminalGame, TurnResult};

/// Plays a [prepared](TerminalGame::prepare) game until it is over. With a human player, commands work after the end as well, until the human
/// quits or the input ends.
///
/// # Errors
/// Fails if the input cannot be read or the output cannot be written.
pub fn play(terminal: &mut TerminalGame, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (input, output): (&mut dyn BufRead, &mut dyn Write) = (&mut input, &mut output);
    terminal.begin();
    terminal.print_welcome(output)?;
    let mut is_drawn = terminal.is_over();
    if is_drawn {
        terminal.show(output)?;
    }
    loop {
        terminal.print_notices(output)?;
        if terminal.is_over() {
            if !terminal.has_human() {
                return output.flush();
            }
            if !terminal.run_commands_after_end(input, output)? {
                terminal.print_farewell(output)?;
                return output.flush();
            }
            is_drawn = false;
        }
        if !is_drawn {
            terminal.print_board(output)?;
            terminal.print_notices(output)?;
            is_drawn = true;
        }
        match terminal.turn(input, output)? {
            TurnResult::Retry => {}
            TurnResult::InputEnded => {
                terminal.print_farewell(output)?;
                return output.flush();
            }
            TurnResult::Moved => {
                if terminal.is_over() {
                    writeln!(output)?;
                }
                terminal.show(output)?;
                output.flush()?;
            }
        }
    }
}
