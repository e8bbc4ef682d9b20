//! [`play`]: a game at the terminal, from its start to the end of the input.

use std::io::{self, BufRead, Write};

use super::table::{Table, Turn};

/// Plays at a table that was [prepared](Table::prepare) until the game is over or, where a person plays, until that person quits or the input
/// ends: moves can be taken back, and games begun, after the end as well.
///
/// # Errors
/// Those of reading and writing.
pub fn play(table: &mut Table, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (input, output): (&mut dyn BufRead, &mut dyn Write) = (&mut input, &mut output);
    table.begin();
    let mut is_drawn = table.is_over();
    if is_drawn {
        table.show(output)?;
    }
    loop {
        table.tell_news(output)?;
        if table.is_over() {
            if !table.has_human() {
                return output.flush();
            }
            if !table.linger(input, output)? {
                table.tell_end(output)?;
                return output.flush();
            }
            is_drawn = false;
        }
        if !is_drawn {
            table.print_board(output)?;
            table.tell_news(output)?;
            is_drawn = true;
        }
        match table.turn(input, output)? {
            Turn::Again => {}
            Turn::Left => {
                table.tell_end(output)?;
                return output.flush();
            }
            Turn::Moved => {
                if table.is_over() {
                    writeln!(output)?;
                }
                table.show(output)?;
                output.flush()?;
            }
        }
    }
}
