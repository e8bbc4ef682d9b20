//! What each [`Command`] does at the terminal.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{TerminalError, TerminalGame};
use crate::causes::with_causes;
use crate::game::{Cancel, Limits, Position as _};
use crate::session::{Command, grid, help};
use crate::text::messages;

/// The level at which the position is searched for a hint, and the longest time that it takes.
const HINT_LEVEL: u32 = 14;
const HINT_TIME: Duration = Duration::from_secs(3);

/// The letters of a line of moves on the screen.
const WIDTH: usize = 78;

impl TerminalGame {
    /// Does what a command says, any but to resign; returns whether another position is on the board.
    pub(super) fn run_command(&mut self, command: Command, output: &mut dyn Write) -> io::Result<bool> {
        // A game that is begun or loaded does not take the place of the one before until there is a move.
        let is_another = matches!(command, Command::Load(_) | Command::New);
        let has_moved = match command {
            Command::Hint(count) => self.hint(count, output).map(|()| false)?,
            Command::Eval => self.hint(0, output).map(|()| false)?,
            Command::Moves => self.moves(output).map(|()| false)?,
            Command::Undo => self.undo(output)?,
            Command::Redo => self.redo(output)?,
            Command::Save { file, overwrite: over } => {
                let path = PathBuf::from(file);
                match self.write(&path, over) {
                    Ok(lost) => writeln!(output, "{}", messages::saved(&path, &lost))?,
                    Err(error) => writeln!(output, "{}", messages::capitalize(&with_causes(&error)))?,
                }
                false
            }
            Command::Load(file) => match self.load(Path::new(&file)) {
                Ok(()) => true,
                Err(TerminalError::SetUp(error)) => writeln!(output, "`{file}`, {error}").map(|()| false)?,
                Err(error) => {
                    writeln!(output, "{}", messages::capitalize(&with_causes(&error)))?;
                    false
                }
            },
            Command::New => {
                self.session.restart();
                true
            }
            Command::Board => {
                self.print_board(output)?;
                false
            }
            Command::Help => {
                let position = self.session.position();
                let m = position.legal_moves().next();
                let by_grid = m.and_then(|m| grid::write(position, m)).map(|text| format!(" or `{text}`"));
                let example = m.map(|m| format!("`{m}`{}", by_grid.unwrap_or_default()));
                writeln!(output, "{}", help(&example.unwrap_or_else(|| "the game is over".to_owned())))?;
                false
            }
            Command::Quit => {
                self.has_quit = true;
                false
            }
            Command::Resign => false,
        };
        if has_moved {
            self.position_changed();
            if !is_another {
                self.autosave();
            }
        }
        Ok(has_moved)
    }

    /// Takes moves back until a person is to choose again; returns whether it did.
    fn undo(&mut self, output: &mut dyn Write) -> io::Result<bool> {
        let plies = self.game().moves().len();
        // What was given up has no move of its own to take back.
        if self.session.forfeited().is_some() && self.is_choice() {
            return Ok(true);
        }
        while self.session.undo() {
            if self.is_choice() || !self.has_human() {
                return Ok(true);
            }
        }
        self.session.go_to_ply(plies);
        writeln!(output, "There is no move of yours to take back")?;
        Ok(false)
    }

    /// Makes moves again until a person is to choose; returns whether it did.
    fn redo(&mut self, output: &mut dyn Write) -> io::Result<bool> {
        if !self.session.redo() {
            writeln!(output, "There is no move to make again")?;
            return Ok(false);
        }
        while !self.is_choice() && self.session.redo() {}
        Ok(true)
    }

    /// Tells the best moves, or with no count what the position is worth.
    fn hint(&mut self, count: usize, output: &mut dyn Write) -> io::Result<()> {
        if self.is_over() {
            return writeln!(output, "The game is over");
        }
        let rules = self.session.rules();
        let limits = Limits { time: Some(HINT_TIME), lines: count.max(1), ..rules.level(HINT_LEVEL) };
        let think = |cancel: &Cancel| self.searchers.search(self.game(), &limits, cancel, &mut |_| ());
        let thought = self.options.interrupt.run_cancellable(think);
        let lines = match thought {
            Ok(thought) if count == 0 => messages::evaluation(rules, &thought),
            Ok(thought) => messages::lines(&thought),
            Err(error) => vec![messages::capitalize(&with_causes(&error))],
        };
        lines.iter().try_for_each(|line| writeln!(output, "{line}"))
    }

    fn moves(&self, output: &mut dyn Write) -> io::Result<()> {
        if self.is_over() {
            return writeln!(output, "The game is over: there are none");
        }
        let moves: Vec<_> = self.game().position().legal_moves().map(|m| m.to_string()).collect();
        let mut line = format!("{}:", moves.len());
        for m in moves {
            if line.len() + 1 + m.len() > WIDTH {
                writeln!(output, "{line}")?;
                line = "  ".to_owned();
            }
            line += &format!(" {m}");
        }
        writeln!(output, "{line}")
    }
}
