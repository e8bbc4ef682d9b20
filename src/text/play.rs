//! [`play`]: a game at the terminal, from its start to the end of the input.

use std::io::{self, BufRead, Write};

use super::table::Table;
use crate::boardwalk::{Ending, Game as _, game_loop};
use crate::game::Playable;

/// Plays at a table that was [prepared](Table::prepare), by the loop of the [platform](crate::boardwalk), until the game is over or, where a
/// person plays, until that person quits or the input ends: moves can be taken back, and games begun, after the end as well.
///
/// # Errors
/// Those of reading and writing.
pub fn play<P: Playable>(table: &mut Table<P>, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    if !table.is_saved() {
        table.autosave();
    }
    if table.is_over() {
        table.show(&mut output)?;
    }
    loop {
        table.tell_news(&mut output)?;
        if table.is_over() {
            if !table.has_human() {
                return output.flush();
            }
            if !table.linger(&mut input, &mut output)? {
                table.unfinished_message(&mut output)?;
                return output.flush();
            }
        }
        if game_loop(table, &mut input, &mut output)? == Ending::InputEnded {
            return Ok(());
        }
    }
}
